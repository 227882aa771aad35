# SPDX-License-Identifier: Apache-2.0
"""The picture of a study, as SVG, from its results.csv."""

from __future__ import annotations

from pathlib import Path
from typing import Iterable

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402
import pandas as pd  # noqa: E402
from small_svg import save  # noqa: E402

# Okabe and Ito's colours, which colour-blind readers can distinguish; markers differ, too.
_STYLES = (("#0072b2", "o", "-"), ("#009e73", "D", "-"), ("#56b4e9", "v", "-"), ("#d55e00", "s", "--"),
           ("#e69f00", "^", "--"), ("#cc79a7", "X", "--"))


def lines(table: pd.DataFrame, x: str, y: str, by: list[str], labels: tuple[str, str], file: Path, *,
          log_x: bool = False, log_y: bool = False) -> None:
    """A line of y over x per combination of `by`, in the order of the table."""
    figure, axes = plt.subplots(figsize=(8, 4.5))
    groups = table.groupby(by if len(by) > 1 else by[0], sort=False)
    for (values, rows), (colour, marker, style) in zip(groups, _STYLES):
        rows = rows.sort_values(x)
        values = values if isinstance(values, tuple) else (values,)
        axes.plot(rows[x], rows[y], color=colour, marker=marker, linestyle=style, markersize=5,
                  label=", ".join(f"{name.rsplit('.', 1)[-1]} {str(value).lower()}" for name, value in zip(by, values)))
    if log_x:
        axes.set_xscale("log", base=2)
        axes.set_xticks(sorted(table[x].unique()), [str(value) for value in sorted(table[x].unique())])
        axes.minorticks_off()
    if log_y:
        axes.set_yscale("log", base=2)
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    else:
        axes.set_ylim(bottom=0)
    _finish(figure, axes, labels, file)


def bars(names: Iterable[str], groups: dict[str, list[float]], labels: tuple[str, str], file: Path) -> None:
    """A group of bars per name, a bar per group."""
    figure, axes = plt.subplots(figsize=(8, 4.5))
    names = list(names)
    width = 0.8 / len(groups)
    for index, ((label, values), (colour, _, _)) in enumerate(zip(groups.items(), _STYLES)):
        axes.bar([place + (index - (len(groups) - 1) / 2) * width for place in range(len(names))], values, width,
                 color=colour, label=label)
    axes.set_xticks(range(len(names)), names)
    _finish(figure, axes, labels, file)


def _finish(figure: plt.Figure, axes: plt.Axes, labels: tuple[str, str], file: Path) -> None:
    axes.set_xlabel(labels[0])
    axes.set_ylabel(labels[1])
    axes.grid(True, alpha=0.3)
    axes.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=3)
    figure.tight_layout()
    save(figure, file)
    plt.close(figure)
