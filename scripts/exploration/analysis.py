# SPDX-License-Identifier: Apache-2.0
"""Evaluates a sweep: scores of points, the best point, the effect of each axis, the Pareto front."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from isbesim.simulator import Value

from .costs import SM_KEYS
from .results import DONE, Results
from .sweep import Sweep


def more_is_better(figure: str, sweep: Sweep) -> bool:
    """The objective decides, otherwise the simulator's registry; where neither does, less is better."""
    if sweep.objective is not None and sweep.objective.figure == figure:
        return sweep.objective.maximize
    return sweep.figures.more_is_better(figure)


def numbers(column: pd.Series) -> pd.Series:
    return pd.to_numeric(column, errors="coerce").astype(float)


def average(values: pd.Series) -> float:
    """The geometric mean, so that scenarios have equal weight; the arithmetic mean if a value is not above 0."""
    values = numbers(values).dropna()
    if values.nunique() < 2:
        return float(values.iloc[0]) if len(values) else float("nan")
    return float(np.exp(np.log(values).mean())) if (values > 0).all() else float(values.mean())


def averages(values: pd.Series, by: Any) -> pd.Series:
    """average() of each group."""
    values = numbers(values)
    groups = values.groupby(by)
    low, high = groups.min(), groups.max()
    geometric = np.exp(np.log(values.where(values > 0)).groupby(by).mean())
    return geometric.where(low > 0, groups.mean()).where(low != high, low).dropna()


def varied(sweep: Sweep, table: pd.DataFrame) -> list[str]:
    """Columns that the sweep sets to more than one value: axes, then values of scenarios."""
    names = dict.fromkeys([*(axis.key for axis in sweep.axes), *sweep.scenario_keys])
    return [name for name in names if table[name].nunique() > 1]


def scores(results: Results, figure: str) -> pd.Series:
    """point -> the figure, averaged over the scenarios, of points that ran on all of them and break no constraint. A
    point without the figure has no score if others have it on that scenario."""
    table = results.table
    good = (table.status == DONE) & (table.violates == "")
    points = table.point[~good].unique()
    usable = table[~table.point.isin(points)]
    if figure not in usable or usable.empty:
        return pd.Series(dtype=float)
    present = usable[figure].notna()
    lacks = present.groupby(usable.scenario).transform("any") & ~present
    return averages(usable[figure], usable.point).drop(usable.point[lacks].unique(), errors="ignore")


def comparable(sweep: Sweep, results: Results) -> Results:
    """The results, with cycles that are summed over SMs (columns per_sm()) divided by the number of SMs if machines
    differ in it: eight SMs that each wait as long as one SM do not wait longer."""
    table = results.table.copy()
    for name in per_sm(sweep, table):
        table[name] = numbers(table[name]) / _sms(table)
    return replace(results, table=table)


def _sms(table: pd.DataFrame) -> Any:
    """SMs of each row's machine."""
    return math.prod(numbers(table[f"config.{key}"]) for key in SM_KEYS if f"config.{key}" in table)


def present(sweep: Sweep, table: pd.DataFrame, name: str) -> list[Value]:
    """The values that occur in a column; those of an axis in the sweep's order, since a sample or a search meets them
    in another order."""
    found = list(dict.fromkeys(table[name].dropna()))
    order = [_shown(axis.key, value) for axis in sweep.axes if axis.key == name for value in axis.values]
    return sorted(found, key=lambda value: order.index(value) if value in order else len(order))


def _shown(axis: str, value: Value) -> Value:
    """The value as in the table, where names of machines have no folder."""
    return Path(str(value)).stem if axis == "machine" else value


def per_sm(sweep: Sweep, table: pd.DataFrame) -> list[str]:
    """The figures that comparable() divides."""
    # The axes count, too: a search's first points may all have the same number of SMs.
    varies = any(axis.key in SM_KEYS for axis in sweep.axes)
    if "config.sm_count" not in table or not varies and _sms(table).nunique() < 2:
        return []
    known = ((name, sweep.figures.find(name)) for name in table if not name.startswith("per_instance."))
    return [name for name, figure in known if figure and figure.merge == "sum" and figure.unit == "cycles"]


@dataclass(frozen=True)
class Best:
    point: int
    score: float
    worst: float
    median: float
    count: int
    settings: dict[str, Value]
    chosen: float | None = None  # with `within`: the figure that the point minimises or maximises
    top: int | None = None  # ... and the point with the best figure, whose reach contains this point
    top_score: float = float("nan")
    top_settings: dict[str, Value] = field(default_factory=dict)
    near: int = 0  # points within reach, or as good without `within`
    estimated: str = ""  # a sentence if some of the figures are estimates


def not_replayed(table: pd.DataFrame) -> list[str]:
    """Keys that would change the operations and their cycles, but have no such effect in a replay."""
    if "estimate.not_replayed" not in table:
        return []
    return sorted({key for keys in table["estimate.not_replayed"].dropna() for key in keys.split(", ") if key})


def estimated(sweep: Sweep, table: pd.DataFrame) -> str:
    """States that cycles are estimates, and their error; empty if all are exact."""
    if "estimate.of" not in table or not table["estimate.of"].notna().any():
        return ""
    kept = not_replayed(table)
    without = f", without what {', '.join(kept)} would do to the operations that come" if kept else ""
    if any(scenario.is_trace for scenario in sweep.scenarios):
        return f"Cycles of replays on another machine are an estimate{without}"
    within = f"{numbers(table['estimate.error']).max() * 100:.0f} %"
    return (f"Cycles of loosely timed runs (backend lt) are an estimate, within {within} of AT over the shipped draws "
            "on such machines")


def best(sweep: Sweep, results: Results) -> Best | None:
    """The first of the best points in the order of the sweep."""
    if sweep.objective is None:
        return None
    objective = sweep.objective
    results = comparable(sweep, results)
    points = scores(results, objective.figure)
    if points.empty:
        return None

    def settings(point: int) -> dict[str, Value]:
        row = results.table[results.table.point == point].iloc[0]
        return {axis.key: row[axis.key] for axis in sweep.axes}

    top = points.idxmax() if objective.maximize else points.idxmin()
    worst = points.min() if objective.maximize else points.max()
    facts = float(worst), float(points.median()), len(points)
    text = estimated(sweep, results.table)
    if objective.within is None:
        return Best(int(top), float(points[top]), *facts, settings(top), estimated=text,
                    near=int((points == points[top]).sum()))
    reach = objective.within * abs(points[top])
    near = points[points >= points[top] - reach] if objective.maximize else points[points <= points[top] + reach]
    name = objective.choose if objective.choose in results.table else f"config.{objective.choose}"
    prices = scores(results, name).reindex(near.index).dropna()
    if prices.empty:
        return None
    # Among points of the same price, the point with the best figure.
    least = prices.max() if objective.choose_most else prices.min()
    equal = points[prices.index[prices == least]]
    winner = equal.idxmax() if objective.maximize else equal.idxmin()
    return Best(int(winner), float(points[winner]), *facts, settings(winner), float(least), int(top),
                float(points[top]), settings(top), len(near), text)


INTERACTION = 0.02  # a mean over an axis may hide this share


def interaction(table: pd.DataFrame, names: list[str], by: str, figure: str) -> float:
    """The share by which the shape of the figure over `names` changes with `by`: 0 if each value of `by` multiplies the
    figure by a factor, so that a mean over `by` shows every shape."""
    grid = _grid(table, names, by, figure).dropna()
    if grid.empty or len(grid.columns) < 2:
        return 0.0
    if (grid > 0).all().all():
        shape = np.log(grid)
        shape = shape - shape.mean()
        return float(np.exp((shape.max(axis=1) - shape.min(axis=1)).max()) - 1)
    largest = float(np.abs(grid.to_numpy()).max())
    shape = grid - grid.mean()
    return float((shape.max(axis=1) - shape.min(axis=1)).max() / largest) if largest else 0.0


def _grid(table: pd.DataFrame, rows: list[str], columns: str, figure: str) -> pd.DataFrame:
    """The figure's averages: a row per combination of `rows`, a column per value."""
    keys = [*rows, columns]
    return averages(table[figure], [table[name].astype(str) for name in keys]).unstack(columns)


def interacting(table: pd.DataFrame, names: list[str], others: list[str], figure: str, most: int) -> list[str]:
    """Those of `others` that a mean must not cover, strongest first; `most` combinations of their values at most."""
    strength = {name: interaction(table, names, name, figure) for name in others}
    found, combinations = [], 1
    for name in sorted(others, key=lambda other: -strength[other]):
        combinations *= table[name].nunique()
        if strength[name] > INTERACTION and combinations <= most:
            found.append(name)
        else:
            combinations //= table[name].nunique()
    return found


@dataclass(frozen=True)
class Effect:
    """The effect of an axis on a figure while everything else stays the same."""

    axis: str
    values: list[Value]  # in the order of the sweep
    means: list[float]  # averages over the comparisons
    comparisons: int  # settings of everything else that have every value; 0 (a sample): plain averages
    wins: list[int]  # comparisons in which this value is best; a tie counts for all
    ratios: tuple[float, float] = (1.0, 1.0)  # least and most over the comparisons of the figure at the worst
    # average's value divided by that at the best average's; below 1 if it is better there

    @property
    def spread(self) -> float:
        """Worst average by best average, at least 1."""
        means = [mean for mean in self.means if mean == mean]
        if not means or min(means) <= 0:
            return 1.0 if not means or min(means) == max(means) else float("inf")
        return max(means) / min(means)

    def best(self, maximize: bool) -> int:
        return int(np.nanargmax(self.means) if maximize else np.nanargmin(self.means))


def companions(sweep: Sweep, axis: str) -> set[str]:
    """The axis and the axes zipped to it."""
    return next((set(group) for group in sweep.zips if axis in group), {axis})


def effect(sweep: Sweep, table: pd.DataFrame, axis: str, figure: str, maximize: bool) -> Effect:
    """`table`: finished rows. Compares rows that differ in nothing but the axis (and, for the value of a scenario,
    the scenario)."""
    own_of_scenario = axis not in {a.key for a in sweep.axes}
    others = [name for name in varied(sweep, table) if name not in companions(sweep, axis)]
    if not own_of_scenario:
        others.append("scenario")
    values = present(sweep, table, axis)
    data = table[table[axis].notna()]
    grid = _grid(data, others, axis, figure) if others else averages(data[figure], data[axis].astype(str)).to_frame().T
    grid = grid.reindex(columns=[str(value) for value in values])
    complete = grid.dropna()
    used = complete if len(complete) else grid
    top = used.max(axis=1) if maximize else used.min(axis=1)
    wins = [int((used[column] == top).sum()) for column in used]
    found = Effect(axis, values, [average(used[column]) for column in used], len(complete), wins)
    if complete.empty or not (complete > 0).all().all():
        return found
    high, low = (complete.iloc[:, found.best(up)] for up in (True, False))
    return replace(found, ratios=(float((high / low).min()), float((high / low).max())))


def effects(sweep: Sweep, results: Results, figure: str) -> list[Effect]:
    """The effect of every axis, the strongest first. Scenarios have no effect: other draws are other work."""
    maximize = more_is_better(figure, sweep)
    table = results.done
    axes = {axis.key for axis in sweep.axes}
    found = [effect(sweep, table, axis, figure, maximize) for axis in varied(sweep, table) if axis in axes]
    return sorted((e for e in found if len(e.values) > 1), key=lambda e: -e.spread)


@dataclass(frozen=True)
class Companion:
    """A figure that moves with the objective along an axis."""

    figure: str
    at_best: float
    at_worst: float


def reasons(sweep: Sweep, results: Results, of: Effect, figures: list[str], count: int = 3) -> list[Companion]:
    """The figures that change most between the axis' best and worst value, leaving out small ones."""
    assert sweep.objective is not None
    table, found = results.done, []
    ends = [table[of.axis] == of.values[of.best(up)] for up in (sweep.objective.maximize, not sweep.objective.maximize)]
    for figure in figures:
        if figure not in table:
            continue
        column = numbers(table[figure])
        at_best, at_worst = (float(column[end].mean()) for end in ends)
        if abs(at_best - at_worst) > 0:  # not so if an end lacks the figure
            found.append(Companion(figure, at_best, at_worst))
    largest = max((abs(c.at_worst - c.at_best) for c in found), default=0.0)
    found = [c for c in found if abs(c.at_worst - c.at_best) >= largest / 20]
    return sorted(found, key=_relative_change, reverse=True)[:count]


def _relative_change(companion: Companion) -> tuple[float, float]:
    """A figure that was 0 explains more than one that grows."""
    low, high = sorted((abs(companion.at_best), abs(companion.at_worst)))
    return round(1 - low / high, 1), high - low


def gaps(sweep: Sweep, results: Results, of: Effect, along: str, figure: str) -> list[tuple[Value, float]]:
    """Value of `along` -> the ratio of the axis' worst to its best there."""
    table = results.done
    found = [(value, effect(sweep, table[table[along] == value], of.axis, figure,
                            more_is_better(figure, sweep)).spread)
             for value in dict.fromkeys(table[along].dropna())]
    return [(value, ratio) for value, ratio in found if ratio == ratio]
