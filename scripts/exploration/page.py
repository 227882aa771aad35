# SPDX-License-Identifier: Apache-2.0
"""explore.html: the sweep on one page that works offline."""

from __future__ import annotations

import importlib.resources
import json
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd

from isbesim.result import number
from isbesim.simulator import Simulator, is_number, value_text

from . import plots
from .analysis import (INTERACTION, Effect, comparable, effects, gaps, interacting, not_replayed, numbers, per_sm,
                       present, reasons, scores, varied)
from .front import goals_of
from .jobs import Folder, write_atomically
from .points import Grid
from .plots import Plot, as_json
from .results import Results
from .search_page import front_of, search_plots
from .sweep import Sweep
from .words import answer_texts, effect_text, gap_text, reason_text, titled

TABLE_ROWS = 1000
MAX_FRONT_FIGURES = 6
MAX_BREAKDOWNS = 6


def write_page(sweep: Sweep, results: Results, folder: Folder, simulator: Simulator) -> Path:
    page = _Page(sweep, results, simulator)
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(Path(__file__).parent), autoescape=True,
                                     trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    file = folder.root / "explore.html"
    write_atomically(file, environment.get_template("explore.html.j2").render(page.content()))
    return file


def _plotly_script() -> str:
    """plotly.offline.get_plotlyjs() of Debian's package reads its file by the locale."""
    own = importlib.resources.files("plotly") / "package_data" / "plotly.min.js"
    file = own if own.is_file() else Path("/usr/share/python3-plotly/plotly.js")
    return file.read_text(encoding="utf-8")


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
        shown = [*self._plots(), *search_plots(self.sweep, self.results, self.units)]
        return {
            "title": self.sweep.title, "question": self.sweep.question,
            "answer": self._answer(), "effects": self._effect_texts(), "facts": self._facts(),
            "plots": shown, "figures": _script_json({plot.name: plot.figure for plot in shown if plot.figure}),
            "lines": _script_json(self._lines()), "plotly": _plotly_script(),
            "front": front_of(self.sweep, self.results, self.units), "table": self._table(),
            "failures": self._failures(), "rows_shown": TABLE_ROWS,
        }

    # Words

    def _answer(self) -> list[str]:
        texts = ["The sweep names no objective: no point is best."] if self.objective is None else []
        texts += answer_texts(self.sweep, self.results)
        if self.sweep.search is not None:
            run, total = self.results.table.point.nunique(), Grid(self.sweep).total
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

    def _plots(self) -> list[Plot]:
        done = self.results.done
        shown = []
        if self.objective is not None and self.effects and len(done):
            shown += self._objective_plots(done)
        figures = [name for name in self.figures() if name in self.points and self.points[name].nunique() > 1]
        if len(figures) > 1:
            most = max(MAX_FRONT_FIGURES, len(self._sought) + 1)
            figure = plots.front(self.points, figures[:most], self.sweep, self.units)
            shown.append(Plot("pareto", "Pareto front",
                              "Points that no other point beats in both figures; the menu chooses them. Area and "
                              "energy are proxies, to compare machines with: memory_bits counts the bits of storage, "
                              "context table and queues of all ISBEs; proxies.* are explained in report.json.",
                              as_json(figure)))
        if len(self.points):
            shown.append(Plot("parallel", "All points",
                              "A line per point, averaged over the scenarios. Drag along an axis to keep only the "
                              "lines in that range; click the axis to release it.", None))
        return shown

    def _objective_plots(self, done: pd.DataFrame) -> list[Plot]:
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
                 f", one plot per {', '.join(facets)}" * bool(facets),
                 f", averaged over {', '.join(rest)}" * bool(rest), ".",
                 " Thin lines are single draws." * (done.groupby([*shape, *facets]).scenario.nunique().max() > 1)]
        shown = []
        # A search's points differ in all settings and crowd where results are good: means over them compare nothing.
        if self.sweep.search is None:
            shown.append(Plot("overview", f"{figure} over {x}", "".join(words),
                              as_json(plots.overview(self.sweep, done, x, colour, figure, self.units, facets))))
            shown += self._breakdown(done, colour or x)
        shown.append(Plot("sensitivity", f"Sensitivity of {figure} to each axis",
                          "1 is the axis' best value; all else equal where the sweep has such runs. The strongest "
                          "axis comes first; the scale is the same for all.",
                          as_json(plots.sensitivity(self.effects, self.objective, self.units))))
        return shown

    def _breakdown(self, done: pd.DataFrame, axis: str) -> list[Plot]:
        """A plot for each value of the other axes that matter most, so that a mean hides none of them."""
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
                f"is. One plot per {', '.join(['resource', *facets])}. "
                + f"Means over {', '.join(rest)}. " * bool(rest))
        stacks = self.results.stacks.merge(done[["point", "scenario", axis, *facets]])
        return [Plot("stacks", f"Where the cycles go, by {axis}", text,
                     as_json(plots.breakdown(self.sweep, stacks, axis, facets)))]

    def _lines(self) -> dict[str, Any]:
        """The parallel coordinates: axes and figures that differ, and a line of values per point."""
        names = [name for name in self.points if self.points[name].astype(str).nunique() > 1]
        axes = [{"name": name, "unit": self.units.get(name, ""),
                 "numeric": bool(plots.is_numeric(self.points[name])), "log": self._is_logarithmic(name),
                 "words": [] if plots.is_numeric(self.points[name])
                 else [value_text(v) for v in present(self.sweep, self.points, name)]} for name in names]
        rows = [[value if axis["numeric"] else value_text(value) for axis, value in zip(axes, row)]
                for row in self.points[names].itertuples(index=False)]
        return {"axes": axes, "rows": rows, "points": [int(point) for point in self.points.index],
                "colour": self.objective.figure if self.objective else None}

    def _is_logarithmic(self, name: str) -> bool:
        """True for an axis that is logarithmic by the sweep or by its values, and has positive numbers only."""
        values = list(dict.fromkeys(self.points[name]))
        said = any(axis.key == name and axis.logarithmic for axis in self.sweep.axes)
        is_axis = any(axis.key == name for axis in self.sweep.axes)
        return is_axis and (said or plots.is_geometric(values)) and all(is_number(v) and v > 0 for v in values)

    # Tables

    def _table(self) -> dict[str, Any]:
        table = self.results.table
        figures = [name for name in self.figures() if name in table]
        names = list(dict.fromkeys(["point", "scenario", "status", "violates", *self.varied, *figures]))
        names = [name for name in names if name != "violates" or (table.violates != "").any()]
        if self.objective is not None and self.objective.figure in table:
            table = table.sort_values(self.objective.figure, ascending=not self.objective.maximize, kind="stable",
                                      key=lambda column: pd.to_numeric(column, errors="coerce"))
        rows = [[(number(value) if value == value and value is not None else "",
                  is_number(value)) for value in row]
                for row in table[names].head(TABLE_ROWS).itertuples(index=False)]
        return {"names": [titled(name, self.units) for name in names], "rows": rows, "count": len(table)}

    def _failures(self) -> list[tuple[int, str, str]]:
        return [(row.point, row.scenario, row.status) for row in self.results.failed.itertuples()]


def _script_json(value: Any) -> str:
    """Safe inside <script>; NaN does not exist in JSON."""
    def clean(entry: Any) -> Any:
        if isinstance(entry, dict):
            return {key: clean(inner) for key, inner in entry.items()}
        if isinstance(entry, (list, tuple)):
            return [clean(inner) for inner in entry]
        return None if isinstance(entry, float) and entry != entry else entry
    return json.dumps(clean(value), allow_nan=False).replace("</", "<\\/")
