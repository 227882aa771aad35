# SPDX-License-Identifier: Apache-2.0
"""Runs the best points of a sweep on a loosely timed back end again on AT, to confirm or refute their estimates."""

from __future__ import annotations

from dataclasses import replace
from typing import Callable

from isbesim.simulator import Simulator

from .analysis import best, comparable, scores
from .jobs import Folder, Row, jobs_of, make_rows
from .results import Confirmed, Results, collect
from .sweep import Sweep
from .workflow import Place, Watcher, run_jobs


def rows_to_confirm(sweep: Sweep, rows: list[Row], results: Results, simulator: Simulator) -> list[Row]:
    """The sweep's `confirm` best points, the chosen point first, with an AT ISBE. No rows without an objective or
    for traces: a replay on another machine is an estimate on every backend."""
    chosen = best(sweep, results)
    if sweep.objective is None or chosen is None or any(scenario.is_trace for scenario in sweep.scenarios):
        return []
    points = {row.point.index: row.point for row in rows if row.point.backend == "lt"}
    order = scores(comparable(sweep, results), sweep.objective.figure).sort_values(
        ascending=not sweep.objective.maximize, kind="stable")
    ranked = [point for point in dict.fromkeys([chosen.point, *order.index]) if point in points]
    return make_rows(sweep, simulator, [replace(points[point], backend="at") for point in ranked[:sweep.confirm]])


def confirm(sweep: Sweep, rows: list[Row], results: Results, simulator: Simulator, folder: Folder, place: Place,
            watcher: Callable[[int], Watcher]) -> list[Row]:
    """Fills results.confirmed, the best first; returns the rows that it ran."""
    again = rows_to_confirm(sweep, rows, results, simulator)
    jobs = jobs_of(again)
    if not jobs:
        return []
    assert sweep.objective is not None
    run_jobs(folder, jobs, place, watcher(len(jobs)))
    estimates, measured = (scores(comparable(sweep, each), sweep.objective.figure)
                           for each in (results, collect(sweep, again, folder, simulator)))
    measured = measured.sort_values(ascending=not sweep.objective.maximize, kind="stable")
    results.confirmed += [Confirmed(int(point), float(estimates[point]), float(score))
                          for point, score in measured.items()]
    return again
