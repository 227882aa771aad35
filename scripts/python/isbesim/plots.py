# SPDX-License-Identifier: Apache-2.0
"""Pictures of results, with matplotlib. Colours are Okabe and Ito's, which colour-blind readers can distinguish."""

from __future__ import annotations

from typing import Sequence

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442", "#8c8c8c")


def _axes(given: Axes | None, height: float = 3.5) -> Axes:
    return given if given is not None else plt.subplots(figsize=(8, height), layout="constrained")[1]


def stacks(table: pd.DataFrame, given: Axes | None = None) -> Axes:
    """A bar of shares per resource, without parts that have no cycles in any resource."""
    shares = table.pivot_table(index="resource", columns="part", values="share", sort=False).fillna(0.0)
    shares = shares.loc[:, (shares > 0).any()]
    axes = _axes(given, 1 + 0.35 * len(shares))
    left = pd.Series(0.0, index=shares.index)
    for number, part in enumerate(shares):
        axes.barh(list(shares.index), shares[part] * 100, left=left * 100, label=part, edgecolor="white", linewidth=0.3,
                  color=COLOURS[number % len(COLOURS)], hatch=("", "//", "..", "xx")[number // len(COLOURS) % 4])
        left += shares[part]
    axes.invert_yaxis()
    axes.set_xlabel("share of the cycles (%)")
    axes.legend(fontsize="small", ncols=2, loc="upper left", bbox_to_anchor=(1, 1))
    return axes


def latencies(table: pd.DataFrame, given: Axes | None = None) -> Axes:
    used = table[table["count"] > 0]
    axes = _axes(given)
    width = 0.25
    for number, name in enumerate(("p50", "p99", "max")):
        places = [place + (number - 1) * width for place in range(len(used))]
        axes.bar(places, used[name], width, label=name, color=COLOURS[number])
    axes.set_xticks(range(len(used)), list(used.index))
    axes.set_ylabel("latency (cycles)")
    axes.legend()
    return axes


def series(table: pd.DataFrame, names: Sequence[str], given: Axes | None = None) -> Axes:
    axes = _axes(given)
    for number, name in enumerate(names):
        axes.step(table.index, table[name], where="post", label=name, color=COLOURS[number % len(COLOURS)])
    axes.set_xlabel("cycle")
    axes.set_ylim(bottom=0)
    axes.legend()
    return axes


def curve(table: pd.DataFrame, given: Axes | None = None) -> Axes:
    """Omits points beyond saturation, whose latency grows with the length of the run, not with the load."""
    known = table[~table["saturated"].astype(bool)]
    axes = _axes(given)
    for number, name in enumerate(("mean", "p50", "p99")):
        axes.plot(known["accepted"], known[name], marker="osD"[number], markersize=4, label=name, color=COLOURS[number])
    axes.set_xlabel("accepted operations per cycle")
    axes.set_ylabel("latency (cycles)")
    axes.set_ylim(bottom=0)
    axes.legend()
    return axes
