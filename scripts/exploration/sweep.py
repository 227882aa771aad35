# SPDX-License-Identifier: Apache-2.0
"""SWEEP.json: the axes, the draws, and the figures to evaluate."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Mapping

from isbesim.simulator import ConfigKey, FigureTable, Value

from .expressions import Expression

# Axes that are not configuration keys.
CHOOSERS = ("machine", "backend")
# Columns of result tables besides axes, scenario values and figures.
OWN_COLUMNS = ("point", "scenario", "status", "violates", "memory_bits", "version", "program", "seed", "instance",
               "resource", "part", "share")


@dataclass(frozen=True)
class Axis:
    key: str
    values: tuple[Value, ...]
    unit: str = ""
    logarithmic: bool = False  # given as "log" or "log2"


@dataclass(frozen=True)
class Scenario:
    """A draw, or a trace for `replay`. `values` are its additional columns, such as its number of attributes."""

    name: str
    file: Path
    is_trace: bool = False
    values: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Sample:
    count: int
    seed: int


@dataclass(frozen=True)
class Objective:
    """The figure by which points are compared. The chosen point is the best one or, with `within`, the one with the
    least or most `choose` among the points whose figure is within this share of the best."""

    figure: str
    maximize: bool = False
    within: float | None = None
    choose: str = ""  # a figure or a configuration key
    choose_most: bool = False


@dataclass(frozen=True)
class Goal:
    """One of several objectives of a search."""

    figure: str
    maximize: bool = False


SAMPLERS = ("nsga2", "tpe")
SEARCH_BATCH = 20


@dataclass(frozen=True)
class Search:
    """Points that a sampler chooses by the results so far, instead of the whole grid."""

    budget: int  # points
    goals: tuple[Goal, ...]
    sampler: str
    seed: int
    batch: int  # points chosen and run together
    resume: bool = True  # use results in the folder; otherwise all points run again


@dataclass(frozen=True)
class Constraint:
    expression: Expression
    on_configuration: bool  # known before the run


@dataclass
class Sweep:
    file: Path
    title: str = ""
    question: str = ""
    machine: str | None = None  # --config of the base machine
    base: dict[str, Value] = field(default_factory=dict)
    axes: list[Axis] = field(default_factory=list)
    zips: list[tuple[str, ...]] = field(default_factory=list)
    sample: Sample | None = None
    search: Search | None = None
    scenarios: list[Scenario] = field(default_factory=list)
    backend: str = "at"
    confirm: int = 10  # best points of loosely timed runs that run again on AT
    seed: int = 1
    max_cycles: int | None = None
    metrics: list[str] = field(default_factory=list)
    objective: Objective | None = None
    constraints: list[Constraint] = field(default_factory=list)
    machines: dict[str | None, dict[str, ConfigKey]] = field(default_factory=dict)  # with `base` applied
    figures: FigureTable = field(default_factory=FigureTable)  # the simulator's

    @property
    def scenario_keys(self) -> list[str]:
        """The names of the scenarios' values."""
        return list(dict.fromkeys(key for scenario in self.scenarios for key in scenario.values))


def default_goals(sweep: Sweep) -> tuple[Goal, ...]:
    """The sweep's objective (without one the cycles), and the costs of machine and draw."""
    table, objective = sweep.figures, sweep.objective
    first = Goal(objective.figure, objective.maximize) if objective is not None else Goal("cycles")
    costs = (Goal(name) for name in (*table.costs("machine"), *table.costs("draw")))
    return tuple({goal.figure: goal for goal in (first, *costs)}.values())
