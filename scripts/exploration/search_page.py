# SPDX-License-Identifier: Apache-2.0
"""The parts of explore.html about a search: the front as a table, how fast it was found, each axis' importance."""

from __future__ import annotations

from typing import Any, Mapping

from isbesim.result import number

from .front import falling, front_table, front_text, goal_table, goals_of, growth, importances
from .plots import Chart, chart
from .results import Results
from .sweep import Sweep
from .words import titled


def search_charts(sweep: Sweep, results: Results, units: Mapping[str, str]) -> list[Chart]:
    """The charts in the order of the page; none without a search or without two points to compare."""
    table = goal_table(sweep, results)
    if sweep.search is None or len(table) < 2:
        return []
    shares = 100 * importances(sweep, results)
    shown = []
    if len(shares):
        explained = ", ".join(f"{name} {number(shares[name].sum())} %" for name in shares)
        rows: list[list[Any]] = []
        for axis in shares.max(axis=1).sort_values(kind="stable", ascending=False).index:
            rows += [[axis], *([titled(name, units), shares[name][axis]] for name in shares)]
        shown.append(chart("rows", "importance", "Importance of each axis",
                           "Share of an objective's variance (of its logarithm) over the searched points that the axis "
                           "explains by itself: Shapley's value in a sum of one effect per axis. Such a sum explains "
                           f"{explained}; the rest is what axes do together. A search looks where it is good: far from "
                           "there an axis may matter more.", rows=rows, xlabel="share of the variance (%)"))
    found = growth(falling(table, goals_of(sweep, results.table)))
    shown.append(chart("xy", "progress", "How fast the front was found",
                       "Share of the final front's hypervolume after so many points, in logarithms. A line that still "
                       "rises at the end says that a larger budget would find more.", xlabel="points run",
                       ylabel="% of the hypervolume", panels=[{"lines": [{
                           "name": "found", "step": True, "bare": True, "x": [int(point) + 1 for point in table.index],
                           "y": [100 * share for share in found]}]}]))
    return shown


def front_part(sweep: Sweep, results: Results, units: Mapping[str, str]) -> dict[str, Any]:
    table = front_table(sweep, results)
    return {"title": "The front", "text": front_text(sweep, results) + " All its points are in front.csv.",
            "header": [titled(name, units) for name in ("point", *table)],
            "rows": [[number(value) for value in (point, *row)]
                     for point, row in zip(table.index, table.itertuples(index=False, name=None))]}
