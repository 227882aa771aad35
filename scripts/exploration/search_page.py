# SPDX-License-Identifier: Apache-2.0
"""The parts of explore.html about a search: the front as a table, how fast it was found, each axis' importance."""

from __future__ import annotations

from typing import Any, Mapping

import plotly.graph_objects as go

from isbesim.result import number

from .front import falling, front_table, goal_table, goals_of, growth, importances
from .plots import PALETTE, MARGIN, Plot, as_json
from .results import Results
from .sweep import Sweep
from .words import titled


def search_plots(sweep: Sweep, results: Results, units: Mapping[str, str]) -> list[Plot]:
    """The plots in the order of the page; none without a search or without two points to compare."""
    table = goal_table(sweep, results)
    if sweep.search is None or len(table) < 2:
        return []
    shares = importances(sweep, results)
    shown = []
    if len(shares):
        explained = ", ".join(f"{name} {number(100 * shares[name].sum())} %" for name in shares)
        shown.append(Plot("importance", "Importance of each axis",
                          "Share of an objective's variance (of its logarithm) over the searched points that the axis "
                          "explains by itself: Shapley's value in a sum of one effect per axis. Such a sum explains "
                          f"{explained}; the rest is what axes do together. A search looks where it is good: far from "
                          "there an axis may matter more.",
                          as_json(_importance(shares, units))))
    found = growth(falling(table, goals_of(sweep, results.table)))
    shown.append(Plot("progress", "How fast the front was found",
                      "Share of the final front's hypervolume after so many points, in logarithms. A line that "
                      "still rises at the end says that a larger budget would find more.",
                      as_json(_progress([int(point) for point in table.index], found))))
    return shown


def _importance(shares: Any, units: Mapping[str, str]) -> go.Figure:
    order = shares.max(axis=1).sort_values(kind="stable").index  # the largest on top
    plot = go.Figure([go.Bar(y=list(order), x=[float(share) for share in 100 * shares.loc[order, name]],
                             orientation="h", name=titled(name, units), marker={"color": PALETTE[index % len(PALETTE)]})
                      for index, name in enumerate(shares)])
    plot.update_layout(margin={**MARGIN, "l": 200}, height=120 + 22 * len(order) * len(shares.columns),
                       showlegend=True, legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
                       xaxis={"title": "share of the variance (%)", "rangemode": "tozero"})
    return plot


def _progress(points: list[int], found: list[float]) -> go.Figure:
    plot = go.Figure(go.Scatter(x=[point + 1 for point in points], y=found, mode="lines",
                                line={"color": PALETTE[0], "shape": "hv"}, showlegend=False))
    plot.update_layout(margin=MARGIN, height=320, xaxis={"title": "points run", "rangemode": "tozero"},
                       yaxis={"title": "share of the hypervolume", "rangemode": "tozero"})
    return plot


def front_of(sweep: Sweep, results: Results, units: Mapping[str, str]) -> dict[str, Any] | None:
    """The table of the page, and a sentence."""
    if sweep.search is None:
        return None
    table = front_table(sweep, results)
    names = ["point", *table]
    rows = [[number(value) for value in (point, *row)] for point, row in
            zip(table.index, table.itertuples(index=False, name=None))]
    return {"names": [titled(name, units) for name in names], "rows": rows, "text": front_text(sweep, results)}


def front_text(sweep: Sweep, results: Results) -> str:
    goals = goals_of(sweep, results.table)
    senses = ", ".join(f"{goal.figure}{' (more is better)' if goal.maximize else ''}" for goal in goals)
    return (f"{len(front_table(sweep, results))} of {len(goal_table(sweep, results))} points are on the front: "
            f"no other is better in one of {senses} and as good in the rest.")
