# SPDX-License-Identifier: Apache-2.0
"""Evaluates a sweep with several objectives: the Pareto front, the volume that it covers, the axes' importances."""

from __future__ import annotations

from itertools import combinations
from math import factorial
from typing import Callable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from .analysis import comparable, numbers, scores
from .results import Results
from .sweep import Goal, Sweep, default_goals

Matrix = NDArray[np.float64]

MANY_VALUES = 8  # an axis with more numbers is fitted by a curve, not value by value
EXACT_AXES = 10  # up to this number every order of the axes is tried


def goals_of(sweep: Sweep, table: pd.DataFrame) -> list[Goal]:
    """The objectives of the search; for a grid its objective and the costs of machine and draw."""
    goals = sweep.search.goals if sweep.search is not None else default_goals(sweep)
    return [goal for goal in goals if goal.figure in table]


def goal_table(sweep: Sweep, results: Results) -> pd.DataFrame:
    """Point -> objectives, averaged over the draws, for points that can be chosen."""
    known = comparable(sweep, results)
    columns = {goal.figure: scores(known, goal.figure) for goal in goals_of(sweep, results.table)}
    return pd.DataFrame(columns).dropna()


def falling(table: pd.DataFrame, goals: Sequence[Goal]) -> Matrix:
    """A column per goal, the less the better."""
    return np.array([-table[goal.figure] if goal.maximize else table[goal.figure] for goal in goals], dtype=float).T


def front(values: Matrix) -> list[int]:
    """Rows that no other row beats in one column without losing in another; of equal rows only the first."""
    found = []
    for index, row in enumerate(values):
        others = (values <= row).all(axis=1)
        beaten = others & (values < row).any(axis=1)
        if not beaten.any() and not others[:index].any():
            found.append(index)
    return found


def hypervolume(values: Matrix, reference: Matrix) -> float:
    """The volume of the box up to the reference that the rows dominate; less is better in every column."""
    inside = values[(values < reference).all(axis=1)]
    if not len(inside):
        return 0.0
    if values.shape[1] == 1:
        return float(reference[0] - inside.min())
    inside = inside[front(inside)]
    inside = inside[inside[:, -1].argsort(kind="stable")]
    ends = [*inside[1:, -1], reference[-1]]
    # Slices along the last column: each has the volume that the rows so far dominate in the other columns.
    return sum(hypervolume(inside[:count, :-1], reference[:-1]) * float(end - low)
               for count, (low, end) in enumerate(zip(inside[:, -1], ends), 1) if end > low)


class Reach:
    """The share of the hypervolume of `among` (say, the whole grid) that rows reach. Columns go from 0, the best of
    `among`, to 1, the worst; in logarithms where all are positive. The reference is a tenth beyond the worst, so that
    the ends of the front count."""

    def __init__(self, among: Matrix):
        self._logarithmic = (among > 0).all(axis=0)
        logs = self._logs(among)
        self._low, self._size = logs.min(axis=0), np.ptp(logs, axis=0)
        self._size = np.where(self._size > 0, self._size, 1)
        self._reference = np.full(among.shape[1], 1.1)
        self._whole = hypervolume(self._scaled(among), self._reference)

    def share(self, values: Matrix) -> float:
        return hypervolume(self._scaled(values), self._reference) / self._whole if self._whole else 1.0

    def _logs(self, values: Matrix) -> Matrix:
        return np.asarray(np.where(self._logarithmic, np.log(np.where(self._logarithmic, values, 1)), values))

    def _scaled(self, values: Matrix) -> Matrix:
        return np.asarray((self._logs(values) - self._low) / self._size)


def growth(values: Matrix) -> list[float]:
    """Share of the final hypervolume that is reached after each row."""
    found: list[float] = []
    best = values[:0]
    reach = Reach(values)
    for row in values:
        if not (best <= row).all(axis=1).any():  # else nothing changes
            best = np.vstack([best[~(best >= row).all(axis=1)], row])
            found.append(reach.share(best))
        else:
            found.append(found[-1])
    return found


def front_table(sweep: Sweep, results: Results) -> pd.DataFrame:
    """The front, ordered by the first objective, best first: point -> settings and objectives."""
    goals = goals_of(sweep, results.table)
    table = goal_table(sweep, results)
    axes = [axis.key for axis in sweep.axes]
    if table.empty or not goals:
        return pd.DataFrame(columns=[*axes, *(goal.figure for goal in goals)])
    chosen = table.iloc[front(falling(table, goals))]
    settings = results.table.drop_duplicates("point").set_index("point")[axes]
    return settings.join(chosen, how="inner").sort_values(goals[0].figure, ascending=not goals[0].maximize,
                                                          kind="stable")


def front_text(sweep: Sweep, results: Results) -> str:
    goals = goals_of(sweep, results.table)
    senses = ", ".join(f"{goal.figure}{' (more is better)' if goal.maximize else ''}" for goal in goals)
    return (f"{len(front_table(sweep, results))} of {len(goal_table(sweep, results))} points are on the front: "
            f"no other is better in one of {senses} and as good in the rest.")


def importances(sweep: Sweep, results: Results) -> pd.DataFrame:
    """axis -> share of each objective's variance (of logarithms, where all are positive) that it explains by itself, in
    a sum of one effect per axis: what it adds, averaged over all orders in which the axes can be added (Shapley's
    value). Columns add up to the share that such a sum explains; the rest is interaction."""
    table = goal_table(sweep, results)
    settings = results.table.drop_duplicates("point").set_index("point").reindex(table.index)
    axes = [axis.key for axis in sweep.axes if settings[axis.key].nunique() > 1]
    features = [_features(settings[axis]) for axis in axes]
    shares = {}
    for name in table:
        column = numbers(table[name])
        values = np.log(column) if (column > 0).all() else column
        shares[name] = _shapley(features, np.asarray(values - values.mean(), dtype=float))
    return pd.DataFrame(shares, index=pd.Index(axes, name="axis"))


def _features(column: pd.Series) -> Matrix:
    """The regressors of an axis: an indicator per value, or for many numbers a curve of third degree."""
    values = list(dict.fromkeys(column))
    numeric = pd.to_numeric(column, errors="coerce")
    if len(values) > MANY_VALUES and numeric.notna().all():
        ranks = numeric.rank(method="dense").to_numpy(dtype=float)
        ranks = 2 * (ranks - ranks.min()) / max(1.0, float(np.ptp(ranks))) - 1
        return np.stack([ranks, ranks ** 2, ranks ** 3], axis=1)
    return np.array([[entry == value for value in values[1:]] for entry in column], dtype=float)


def _shapley(features: list[Matrix], values: Matrix) -> list[float]:
    count = len(features)
    total = float(values @ values)
    if total < 1e-12 or not count:
        return [0.0] * count
    known: dict[frozenset[int], float] = {frozenset(): 0.0}

    def explained(axes: frozenset[int]) -> float:
        if axes not in known:
            inputs = np.column_stack([np.ones(len(values)), *(features[axis] for axis in sorted(axes))])
            rest = values - inputs @ np.linalg.lstsq(inputs, values, rcond=None)[0]
            known[axes] = max(0.0, 1 - float(rest @ rest) / total)
        return known[axes]

    if count > EXACT_AXES:
        return _sampled(count, explained)
    shares = [0.0] * count
    for axis in range(count):
        others = [other for other in range(count) if other != axis]
        for size in range(count):
            weight = factorial(size) * factorial(count - size - 1) / factorial(count)
            for group in combinations(others, size):
                shares[axis] += weight * (explained(frozenset({*group, axis})) - explained(frozenset(group)))
    return shares


ORDERS = 100


def _sampled(count: int, explained: Callable[[frozenset[int]], float]) -> list[float]:
    """Shares from ORDERS random orders of many axes, the same orders in every call."""
    random = np.random.default_rng(1)
    shares = np.zeros(count)
    for _ in range(ORDERS):
        order = random.permutation(count)
        for place, axis in enumerate(order):
            before = frozenset(int(other) for other in order[:place])
            shares[axis] += explained(before | {int(axis)}) - explained(before)
    return [float(share) for share in shares / ORDERS]
