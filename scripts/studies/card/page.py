# SPDX-License-Identifier: Apache-2.0
"""The part of models/VALIDATION.md that `scripts/studies/validation --write` writes: rows, their means, the picture."""

from __future__ import annotations

import math
import pathlib
import re
from statistics import correlation, geometric_mean
from typing import Callable, Iterable

from studies.card.card import Row, entries

PAGE = pathlib.Path(__file__).resolve().parents[3] / "models" / "VALIDATION.md"
PICTURE = PAGE.with_name("validation.svg")
BEGIN, END = "<!-- scripts/studies/validation --write makes what follows -->\n\n", "\n<!-- up to here -->\n"
HEAD = "| row | work | published, 10^9/s | predicted | predicted / published | LT / AT | use | |\n" \
       "|---|---|---:|---:|---:|---:|---|---|\n"
TURBINE, STATUES = "c13", ("c33", "c34")  # rows that others are compared with
# Okabe and Ito's colours, which colour-blind readers can distinguish; the marks differ, too.
STYLES = (("#0072b2", "o"), ("#009e73", "D"), ("#d55e00", "s"), ("#e69f00", "^"), ("#cc79a7", "v"), ("#56b4e9", "P"),
          ("#000000", "X"))


def mean_factor(rows: list[Row]) -> float:
    """The geometric mean of the factors between published and predicted, each counted as one above 1."""
    return geometric_mean(max(row.factor, 1 / row.factor) for row in rows)


def log_correlation(rows: list[Row]) -> float:
    """Correlation of the logarithms of published and predicted rates."""
    return correlation([math.log(row.published) for row in rows], [math.log(row.predicted) for row in rows])


def by(rows: Iterable[Row], key: Callable[[Row], str]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return found


def summary(rows: list[Row]) -> str:
    sets: dict[str, list[Row]] = {}
    for use, of in by(rows, lambda row: row.use).items():
        if use != "fit":
            groups = by(of, lambda row: row.group)
            sets |= {f"**{use}**": of, **(groups if len(groups) > 1 else {})}
    lines = ["| rows | | mean factor | within 10 % | within 1.3 | beyond 2 | correlation | LT / AT |",
             "|---|---:|---:|---:|---:|---:|---:|---:|"]
    for name, of in sets.items():
        factors = [max(row.factor, 1 / row.factor) for row in of]
        within = [sum(factor <= limit for factor in factors) for limit in (1.1, 1.3, 2)]
        related = f"{log_correlation(of):.3f}" if len(of) > 2 else ""
        lines.append(f"| {name} | {len(of)} | {mean_factor(of):.3f} | {within[0]} | {within[1]} | "
                     f"{len(of) - within[2]} | {related} | {geometric_mean(row.loose for row in of):.3f} |")
    return "\n".join(lines) + "\n"


def ratio_factor(rows: list[Row], reference: str) -> float:
    """The mean factor between published and predicted ratios of the reference's group to the reference."""
    to, = (row for row in rows if row.name == reference)
    factors = [row.factor / to.factor for row in rows if row.group == to.group and row != to]
    return geometric_mean(max(factor, 1 / factor) for factor in factors)


def ratios(rows: list[Row]) -> str:
    factors = {row.name: row.factor for row in rows}
    if not {TURBINE, *STATUES} <= factors.keys():
        return ""
    return (f"Ratios of the meshlet sample's other rows on the Quadro RTX 6000 to {TURBINE}: mean factor "
            f"{ratio_factor(rows, TURBINE):.2f}. {STATUES[1]} by {STATUES[0]}, predicted by published: "
            f"{factors[STATUES[1]] / factors[STATUES[0]]:.2f}.\n\n")


def block(rows: list[Row]) -> str:
    """The made part of the page."""
    lines = [f"| {row.name} | {row.work} | {row.published / 1e9:.4g} | {row.predicted / 1e9:.4g} | {row.factor:.2f} | "
             f"{row.loose:.3f} | {row.use} | {row.reason} |\n" for row in rows]
    return BEGIN + summary(rows) + "\n" + ratios(rows) + HEAD + "".join(lines) + END


def rows_of(page: str) -> list[Row]:
    """The rows of a page's table, with the groups of rows.csv."""
    groups = {entry["row"]: entry["group"] for entry in entries()}
    table = page.partition(HEAD)[2].partition(END)[0]
    rows = []
    for line in table.splitlines():
        name, work, published, predicted, _, loose, use, reason = (cell.strip() for cell in line[1:-1].split("|"))
        rows.append(Row(name, use, groups[name], work, float(published) * 1e9, float(predicted) * 1e9, float(loose),
                        reason))
    return rows


def renewed(page: str, rows: list[Row]) -> str:
    """The page with its made part of these rows, as they are after rounding."""
    reasons = dict(re.findall(r"^\| (\w+) \|.*\| (\w*) \|$", page.partition(HEAD)[2].partition(END)[0], re.MULTILINE))
    before, _, rest = page.partition(BEGIN)
    rounded = [row._replace(published=float(f"{row.published:.4g}"), predicted=float(f"{row.predicted:.4g}"),
                            loose=float(f"{row.loose:.3f}"), reason=reasons.get(row.name, "")) for row in rows]
    return before + block(rounded) + rest.partition(END)[2]


def write(rows: list[Row]) -> None:
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8"), rows), encoding="utf-8")
    draw(rows_of(PAGE.read_text(encoding="utf-8")), PICTURE)


def draw(rows: list[Row], file: pathlib.Path) -> None:
    """Predicted over published: logarithmic axes, bands of 10 % and a factor of 2, fitted rows hollow."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt
    from small_svg import save

    figure, axes = plt.subplots(figsize=(7, 7))
    figure.subplots_adjust(left=0.09, right=0.98, bottom=0.08, top=0.89)  # places that depend on no font
    ends = [0.08, 24.0]
    for factor, grey in ((2, "#eeeeee"), (1.1, "#d0d0d0")):
        axes.fill_between(ends, [end / factor for end in ends], [end * factor for end in ends], color=grey, linewidth=0)
    axes.plot(ends, ends, color="#404040", linewidth=0.8)
    for (group, of), (colour, mark) in zip(by(rows, lambda row: row.group).items(), STYLES, strict=False):
        for fitted, face in ((False, colour), (True, "white")):
            shown = [row for row in of if (row.use == "fit") == fitted]
            axes.plot([row.published / 1e9 for row in shown], [row.predicted / 1e9 for row in shown], mark,
                      color=colour, markerfacecolor=face, markersize=6, linestyle="none",
                      label=None if fitted else group + (", not fitted" if of[0].use == "not fitted" else ""))
    for row in rows:
        if max(row.factor, 1 / row.factor) > 1.3 and row.use != "fit":
            axes.annotate(row.name, (row.published / 1e9, row.predicted / 1e9), xytext=(6, -3),
                          textcoords="offset points", fontsize=8)
    ticks = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20]
    for axis, limits in ((axes.xaxis, axes.set_xlim), (axes.yaxis, axes.set_ylim)):
        axis.set_major_locator(matplotlib.ticker.NullLocator())
        limits(*ends)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    axes.set_xlabel("published, 10^9 per second")
    axes.set_ylabel("predicted, 10^9 per second")
    axes.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=3, fontsize=8)
    save(figure, file)
    plt.close(figure)
