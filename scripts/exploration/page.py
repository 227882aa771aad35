# SPDX-License-Identifier: Apache-2.0
"""explore.html: the sweep on one page that works offline."""

from __future__ import annotations

import json
import os
import shlex
import sys
import time
from itertools import combinations
from pathlib import Path
from typing import Any

import pandas as pd

from isbesim.result import number
from isbesim.simulator import Simulator, value_text

from . import plots
from .analysis import (INTERACTION, Effect, comparable, effects, gaps, interacting, more_is_better, not_replayed,
                       numbers, per_sm, present, reasons, scores, varied)
from .front import goals_of
from .jobs import Folder, write_atomically
from .plots import Chart, chart
from .points import Grid
from .results import Results
from .search_page import front_part, search_charts
from .sweep import Sweep
from .words import answer_texts, effect_text, gap_text, reason_text, settings_text, titled

TABLE_ROWS = 1000
MAX_FRONT_FIGURES = 6
MAX_BREAKDOWNS = 6


def write_page(sweep: Sweep, results: Results, folder: Folder, simulator: Simulator) -> Path:
    """The simulator's empty page with the sweep as its content."""
    content = json.dumps(_without_nan(_Page(sweep, results, simulator).content()), allow_nan=False,
                         ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    file = folder.root / "explore.html"
    write_atomically(file, simulator.ask("help", "page").replace('id="page">{}<', f'id="page">{content}<', 1))
    return file


def _without_nan(value: Any) -> Any:
    """NaN does not exist in JSON."""
    if isinstance(value, dict):
        return {key: _without_nan(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_nan(inner) for inner in value]
    return None if isinstance(value, float) and value != value else value


def _command() -> str:
    program, *words = sys.argv
    name = "scripts/explore" if Path(program).name == "__main__.py" else "python" if program in ("", "-c") else program
    return shlex.join([name, *words])


class _Page:
    def __init__(self, sweep: Sweep, results: Results, simulator: Simulator):
        self.sweep, self.simulator = sweep, simulator
        self.results = comparable(sweep, results)
        self.divided = per_sm(sweep, results.table)
        self.units = {name: simulator.figure_table.unit(name) for name in results.table}
        self.units.update({name: f"{self.units[name]} per SM" for name in self.divided})
        self.units.update({axis.key: axis.unit for axis in sweep.axes})
        if "estimate.of" in results.table and (marked := results.done["estimate.of"].notna()).any():
            label = "estimate" if marked.all() else "partly an estimate"
            self.units.update(cycles=label, time_ns=f"ns, {label}")
        self.varied = varied(sweep, results.table)
        self.objective = sweep.objective
        self._sought = goals_of(sweep, results.table) if sweep.search is not None else []
        self.effects: list[Effect] = []
        if sweep.objective and len(results.done):
            found = effects(sweep, self.results, sweep.objective.figure)
            # A search's points differ in all settings on purpose: plain averages over them would mislead.
            self.effects = [of for of in found if sweep.search is None or of.comparisons > 0]
        self.points = self._points()

    def _points(self) -> pd.DataFrame:
        """A row per point that can be chosen: axes, and figures averaged over the scenarios."""
        figures = [name for name in self.figures() if name in self.results.table]
        columns = {name: scores(self.results, name) for name in figures}
        first = self.results.table.drop_duplicates("point").set_index("point")
        axes = [axis.key for axis in self.sweep.axes]
        table = first[axes].join(pd.DataFrame(columns), how="inner")
        return table[table[figures].notna().any(axis=1)] if figures else table.iloc[:0]

    def figures(self) -> list[str]:
        """The figures to show: the objectives, then the costs of machine and draw, then the sweep's metrics."""
        table = self.simulator.figure_table
        # Without an area, a machine's bits of memory are its cost.
        machine = [name for name in table.costs("machine") if name in self.results.table] or ["memory_bits"]
        costs = [name for name in [*machine, *table.costs("draw")] if name in self.results.table]
        first = [self.objective.figure] if self.objective else []
        sought = [goal.figure for goal in self._sought]
        return list(dict.fromkeys([*first, *sought, *costs, *self.sweep.metrics]))

    def content(self) -> dict[str, Any]:
        shown = [*self._charts(), *search_charts(self.sweep, self.results, self.units)]
        parts = [front_part(self.sweep, self.results, self.units)] if self.sweep.search is not None else []
        parts += [self._table(), self._failures()]
        parts.append({"title": "What was run", "header": ["what", "value"], "rows": self._facts()})
        return {
            "title": self.sweep.title, "question": self.sweep.question,
            "answer": self._answer(), "effects": self._effect_texts(), "of": self._of(),
            "charts": shown, "parts": [part for part in parts if part["rows"]], "data": self._point_data(),
        }

    # Words

    def _answer(self) -> list[str]:
        texts = ["The sweep names no objective: no point is best."] if self.objective is None else []
        texts += answer_texts(self.sweep, self.results)
        if self.sweep.search is not None:
            run = self.results.table.drop(self.results.not_run.index).point.nunique()
            total = Grid(self.sweep).total
            texts.append(f"A search: {number(run)} of {number(total)} points were run, and any other may be better.")
        return texts

    def _effect_texts(self) -> list[tuple[str, str, str]]:
        if self.objective is None:
            return []
        stalls = self._stalls()
        texts = []
        for of in self.effects:
            moved = reasons(self.sweep, self.results, of, stalls) if of.spread >= 1.005 else []
            along = self._along(of)
            if of.axis in not_replayed(self.results.table):
                texts.append((of.axis, "what it would do to the operations that come is not in a replay.", ""))
                continue
            texts.append((of.axis, " ".join([effect_text(of, self.objective), *along]),
                          reason_text(of, self.objective.maximize, moved, self.units)))
        return texts

    def _along(self, of: Effect) -> list[str]:
        """Sentences about the axis' effect along the values in which the draws differ."""
        assert self.objective is not None
        found = [gap_text(name, gaps(self.sweep, self.results, of, name, self.objective.figure))
                 for name in self.sweep.scenario_keys if self.results.done[name].nunique() > 1]
        return [text for text in found if text]

    def _of(self) -> str:
        """The line on the sweep's origin, like that on the page of a run."""
        sweep, now = self.sweep, time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())))
        axes = [axis.key for axis in sweep.axes]
        backend = "" if "backend" in axes else f"back end {sweep.backend}; "
        machine = "by axis" if "machine" in axes else Path(sweep.machine).stem if sweep.machine else "default"
        return (f"Machine {machine}{' with ' * bool(sweep.base)}{settings_text(sweep.base)}, over "
                f"{', '.join(axes)}; {backend}isbesim {self.simulator.version}; "
                f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', now)}; {_command()}")

    def _facts(self) -> list[tuple[str, str]]:
        table, sweep = self.results.table, self.sweep
        mismatches = "crosscheck.cycle_mismatches"
        checked = table[mismatches] if mismatches in table else pd.Series(dtype=object)
        facts = [("points", number(table.point.nunique())),
                 ("runs", f"{len(table)} ({len(self.results.done)} done, {len(self.results.failed)} failed, "
                          f"{len(self.results.not_run)} not run)"),
                 ("scenarios", ", ".join(scenario.name for scenario in sweep.scenarios)),
                 ("constraints", "; ".join(c.expression.text for c in sweep.constraints) or "none"),
                 ("cycles checked against the RTL", f"{(checked == 0).sum()} of {len(table)} runs"),
                 ("program", f"isbesim {self.simulator.version}, {self.simulator.digest[:12]}"),
                 ("seed", str(sweep.seed))]
        if sweep.constraints:
            facts.insert(4, ("runs that break one", number(int((table.violates != "").sum()))))
        return facts

    # Plots

    def _stalls(self) -> list[str]:
        """The stalls that occur."""
        done = self.results.done
        return [name for name in done if name.startswith("stalls.") and numbers(done[name]).fillna(0).any()]

    def _charts(self) -> list[Chart]:
        done = self.results.done
        shown = []
        if self.objective is not None and self.effects and len(done):
            shown += self._objective_charts(done)
        figures = [name for name in self.figures() if name in self.points and self.points[name].nunique() > 1]
        if len(figures) > 1:
            most = max(MAX_FRONT_FIGURES, len(self._sought) + 1)
            costs = {*self.sweep.figures.costs("machine"), *self.sweep.figures.costs("draw"), "memory_bits"}
            pairs = sorted(combinations(figures[:most], 2), key=lambda pair: pair[1] not in costs)
            shown.append(chart("pareto", "pareto", "Pareto front",
                               "Points that no other point beats in both figures; the menu chooses them. Area and "
                               "energy are proxies, to compare machines with: memory_bits counts the bits of storage, "
                               "context table and queues of all ISBEs; proxies.* are explained in report.json.",
                               pairs=pairs))
        if len(self.points) > 1:
            shown.append(chart("parallel", "parallel", "All points",
                               "A line per point, averaged over the scenarios. Drag along an axis to keep only the "
                               "lines in that range; click the axis to release it.",
                               colour=self.objective.figure if self.objective else None))
        return shown

    def _objective_charts(self, done: pd.DataFrame) -> list[Chart]:
        assert self.objective is not None
        figure = self.objective.figure
        x = plots.choose_x(self.sweep, done, self.effects)
        assert x is not None  # there are effects, so there is an axis
        # The first axis of the sweep is the subject of its question.
        known = {e.axis for e in self.effects if e.axis != x and len(e.values) <= plots.MAX_LINES}
        colour = next((axis.key for axis in self.sweep.axes if axis.key in known), None)
        shape = [x, *([colour] if colour else [])]
        rest = [name for name in self.varied if name not in shape]
        # Columns that shape the lines get their own plots (a mean would hide them), unless some draws lack them.
        known_everywhere = [name for name in rest if done[name].notna().all()]
        facets = interacting(done, shape, known_everywhere, figure, plots.MAX_PANELS)
        rest = [name for name in rest if name not in facets]
        words = [f"One line per {colour}" if colour else "One line",
                 f", one panel per {', '.join(facets)}" * bool(facets),
                 f", averaged over {', '.join(rest)}" * bool(rest), ".",
                 " Thin lines are single draws." * bool(done.groupby([*shape, *facets]).scenario.nunique().max() > 1)]
        shown = []
        # A search's points differ in all settings and crowd where results are good: means over them compare nothing.
        if self.sweep.search is None:
            shown.append(chart("xy", "overview", f"{figure} over {x}", "".join(words),
                               **plots.overview(self.sweep, done, x, colour, figure, self.units, facets)))
            shown += self._breakdown(done, colour or x)
        shown.append(chart("xy", "sensitivity", f"Sensitivity of {figure} to each axis",
                           "1 is the axis' best value; all else equal where the sweep has such runs. The strongest "
                           "axis comes first; the scale is the same for all.",
                           **plots.sensitivity(self.effects, self.objective, self.units)))
        return shown

    def _breakdown(self, done: pd.DataFrame, axis: str) -> list[Chart]:
        """A panel for each value of the other axes that matter most, so that a mean hides none of them."""
        if self.results.stacks.empty or not done.point.isin(self.results.stacks.point).any():
            return []
        facets, combinations = [], 1
        for of in self.effects:
            combinations *= len(of.values)
            if of.axis == axis or of.spread < 1 + INTERACTION or combinations > MAX_BREAKDOWNS:
                combinations //= len(of.values)
            else:
                facets.append(of.axis)
        rest = [name for name in [*self.varied, "scenario"] if name not in (axis, *facets) and done[name].nunique() > 1]
        text = ("A bar is all cycles of the run, of all resources of its kind; the report of a run says what each part "
                f"is. One panel per {', '.join(['resource', *facets])}. "
                + f"Means over {', '.join(rest)}. " * bool(rest))
        stacks = self.results.stacks.merge(done[["point", "scenario", axis, *facets]])
        return [chart("bars", "stacks", f"Where the cycles go, by {axis}", text, shares=True, ylabel=axis,
                      rows=plots.breakdown(self.sweep, stacks, axis, facets))]

    def _point_data(self) -> dict[str, Any]:
        """The axes and figures of each point."""
        columns = []
        for name in self.points:
            values, numeric = list(self.points[name]), plots.is_numeric(self.points[name])
            is_axis = any(axis.key == name for axis in self.sweep.axes)
            columns.append({"name": name, "unit": self.units.get(name, ""), "numeric": numeric,
                            "log": is_axis and plots.is_logarithmic(self.sweep, list(dict.fromkeys(values)), name),
                            "more": more_is_better(name, self.sweep),
                            "words": [] if numeric else [value_text(v) for v in present(self.sweep, self.points, name)],
                            "values": values if numeric else [value_text(value) for value in values]})
        return {"points": [int(point) for point in self.points.index], "columns": columns}

    # Tables

    def _table(self) -> dict[str, Any]:
        table = self.results.table
        figures = [name for name in self.figures() if name in table]
        names = list(dict.fromkeys(["point", "scenario", "status", "violates", *self.varied, *figures]))
        names = [name for name in names if name != "violates" or (table.violates != "").any()]
        if self.objective is not None and self.objective.figure in table:
            table = table.sort_values(self.objective.figure, ascending=not self.objective.maximize, kind="stable",
                                      key=lambda column: pd.to_numeric(column, errors="coerce"))
        rows = [[number(value) if value == value and value is not None else "" for value in row]
                for row in table[names].head(TABLE_ROWS).itertuples(index=False)]
        most = f"The first {TABLE_ROWS} of {len(table)} rows; all are in results.csv. " * (len(table) > TABLE_ROWS)
        return {"title": "Results", "text": most + "A click on a column sorts by it.",
                "header": [titled(name, self.units) for name in names], "rows": rows}

    def _failures(self) -> dict[str, Any]:
        return {"title": "Failures", "open": True, "header": ["point", "scenario", "status"],
                "rows": [[row.point, row.scenario, row.status]
                         for row in self.results.failed.head(TABLE_ROWS).itertuples()]}
