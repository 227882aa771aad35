# SPDX-License-Identifier: Apache-2.0
"""Reads the figures that a sweep uses: metrics, objective, constraints, and the objectives of a search."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from isbesim.simulator import Simulator, is_number

from .expressions import Expression, ExpressionError
from .places import JsonFile, JsonPath, alternatives, nearest
from .sweep import CHOOSERS, SAMPLERS, SEARCH_BATCH, Constraint, Goal, Objective, Search, Sweep, default_goals


class FigureReader:
    """Needs a sweep of which the rest has been read."""

    def __init__(self, file: JsonFile, simulator: Simulator, sweep: Sweep):
        self.json, self.simulator, self.sweep = file, simulator, sweep

    def read(self) -> None:
        root = self.json.root
        before = {*self.sweep.machines[self.sweep.machine], *CHOOSERS, *self.sweep.scenario_keys}
        for index, name in enumerate(self.json.list_of(("metrics",), root.get("metrics", []), "figures")):
            self._check_figure(("metrics", index), name)
            self.sweep.metrics.append(name)
        self._read_objective(root.get("objective"))
        for index, text in enumerate(self.json.list_of(("constraints",), root.get("constraints", []), "conditions")):
            self._read_constraint(("constraints", index), text, before)
        self._read_search()

    @cached_property
    def _figures(self) -> set[str] | None:
        """Every figure that a report of this sweep can hold; None if only its runs tell. Computed for the first name
        that is checked, since it starts the simulator once per scenario."""
        if any(scenario.is_trace for scenario in self.sweep.scenarios):
            return None
        sets = [self.simulator.figures(scenario.file) for scenario in self.sweep.scenarios]
        checks = {figure.key for figure in self.simulator.figure_table.figures if figure.key.startswith("crosscheck.")}
        return set.union(*sets) | checks if all(sets) else None

    def _check_figure(self, path: JsonPath, name: Any) -> None:
        if not isinstance(name, str):
            self.json.fail(path, "expected the name of a figure")
        if name not in self._figures if self._figures is not None else not self.simulator.has_column(name):
            known = self._figures or {figure.key for figure in self.simulator.figure_table.figures}
            self.json.fail(path, f"no report has a figure '{name}', expected {nearest(name, known)}")

    def _check_number(self, path: JsonPath, name: Any) -> None:
        self._check_figure(path, name)
        entry = self.sweep.machines[self.sweep.machine].get(name.removeprefix("config."))
        if not (self.simulator.figure_table.find(name) or name == "warning_count" or entry and is_number(entry.value)):
            self.json.fail(path, f"'{name}' is no number, expected a figure of isbesim help figures")

    def _read_objective(self, objective: Any) -> None:
        if objective is None:
            return
        if isinstance(objective, dict):
            self.json.only_keys(("objective",), objective, self.simulator.sweep_keys("objective"), "an objective")
        senses = [key for key in ("minimize", "maximize") if isinstance(objective, dict) and key in objective]
        if len(senses) != 1:
            self.json.fail(("objective",), 'expected {"minimize": figure} or {"maximize": figure}')
        sense, figure = senses[0], objective[senses[0]]
        if "within" not in objective:
            if "of" in objective:
                self.json.fail_key(("objective", "of"), "'of' without 'within', expected both or none")
            self._check_number(("objective", sense), figure)
            self.sweep.objective = Objective(figure, sense == "maximize")
            return
        share, of = objective["within"], objective.get("of", "cycles")
        if not is_number(share) or share < 0:
            self.json.fail(("objective", "within"), "within: expected a share of at least 0, such as 0.02")
        key = f"config.{figure}"
        of_machine = isinstance(figure, str) and figure in self.sweep.machines[self.sweep.machine]
        self._check_number(("objective", sense), key if of_machine else figure)
        self._check_number(("objective", "of") if "of" in objective else ("objective",), of)
        self.sweep.objective = Objective(of, self.sweep.figures.more_is_better(of), float(share), figure,
                                         sense == "maximize")

    def _read_search(self) -> None:
        spec = self.json.root.get("search")
        if spec is None:
            return
        path: JsonPath = ("search",)
        if not isinstance(spec, dict) or "budget" not in spec:
            self.json.fail(path, 'expected an object with a "budget" of points')
        self.json.only_keys(path, spec, self.simulator.sweep_keys("search"), "a search")
        if self.sweep.sample is not None:
            self.json.fail_key(path, "there is a sample, too, expected one or the other")
        goals = self._read_goals(spec)
        sampler = spec.get("sampler", "tpe" if len(goals) == 1 else "nsga2")
        if sampler not in SAMPLERS:
            self.json.fail((*path, "sampler"), f"unknown sampler '{sampler}', expected {alternatives(SAMPLERS)}")
        if not isinstance(spec.get("resume", True), bool):
            self.json.fail((*path, "resume"), "resume: expected true or false")
        budget = self.json.whole((*path, "budget"), spec["budget"], 1)
        seed = self.json.whole((*path, "seed"), spec["seed"], 0) if "seed" in spec else self.sweep.seed
        batch = self.json.whole((*path, "batch"), spec["batch"], 2) if "batch" in spec else SEARCH_BATCH
        self.sweep.search = Search(budget, goals, sampler, seed, batch, spec.get("resume", True))

    def _read_goals(self, spec: dict[str, Any]) -> tuple[Goal, ...]:
        path: JsonPath = ("search", "objectives")
        if "objectives" not in spec:
            return default_goals(self.sweep)
        goals = [self._read_goal((*path, index), entry)
                 for index, entry in enumerate(self.json.list_of(path, spec["objectives"], "figures"))]
        if not goals or len({goal.figure for goal in goals}) < len(goals):
            self.json.fail(path, "expected at least one figure, each once")
        return tuple(goals)

    def _read_goal(self, path: JsonPath, entry: Any) -> Goal:
        if isinstance(entry, str):
            self._check_number(path, entry)
            return Goal(entry, self.sweep.figures.more_is_better(entry))
        senses = ("minimize", "maximize")
        if not isinstance(entry, dict) or len(entry) != 1 or next(iter(entry)) not in senses:
            self.json.fail(path, 'expected a figure, {"minimize": figure} or {"maximize": figure}')
        sense, figure = next(iter(entry.items()))
        self._check_number((*path, sense), figure)
        return Goal(figure, sense == "maximize")

    def _read_constraint(self, path: JsonPath, text: Any, before: set[str]) -> None:
        if not isinstance(text, str):
            self.json.fail(path, "expected a condition such as \"isbe.lines <= 1024\"")
        try:
            expression = Expression(text)
        except ExpressionError as error:
            self.json.fail(path, f"'{text}' is no condition, {error}")
        for name in sorted(expression.names - before):
            if self._figures is not None and name not in self._figures:
                self.json.fail(path, f"'{name}' is neither a configuration key nor a figure, expected "
                                     f"{nearest(name, before | self._figures)}")
        self.sweep.constraints.append(Constraint(expression, expression.names <= before))
