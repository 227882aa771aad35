# SPDX-License-Identifier: Apache-2.0
"""A search: instead of the whole grid, the points that Optuna's samplers choose by the results so far. It keeps no
state between starts: the same sweep requests the same points in the same order, and those with results are
finished already."""

from __future__ import annotations

import math
import random
import warnings
from typing import Any, Callable, Iterator, Sequence

from isbesim.simulator import Simulator, is_number

from .analysis import comparable, scores
from .jobs import Folder, Row, jobs_of, make_rows
from .points import Grid
from .results import Results, collect
from .sweep import Search, Sweep
from .workflow import Place, Watcher, run_jobs

# Proposals per new point: samplers return to known points.
PROPOSALS = 20

Positions = tuple[int, ...]


class Sampler:
    """Proposes positions on axes, and receives their values."""

    def __init__(self, search: Search, sizes: Sequence[int], ordered: Sequence[bool]):
        import optuna  # only a search needs it

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self._optuna = optuna
        self.search, self.sizes = search, list(sizes)
        distributions = optuna.distributions
        self._space = {str(number): distributions.IntDistribution(0, size - 1) if in_order and size > 1 else
                       distributions.CategoricalDistribution(range(size))
                       for number, (size, in_order) in enumerate(zip(sizes, ordered))}
        directions = ["maximize" if goal.maximize else "minimize" for goal in search.goals]
        self._study = optuna.create_study(sampler=self._sampler(), directions=directions)
        self._random = random.Random(search.seed)
        self._known: dict[Positions, list[float] | None] = {}
        self._open: dict[Positions, Any] = {}  # proposed, without a value yet
        for start in self._starts():
            self._enqueue(start)

    def _sampler(self) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # experimental features of this version of Optuna
            if self.search.sampler == "tpe":
                return self._optuna.samplers.TPESampler(seed=self.search.seed, multivariate=True, constant_liar=True,
                                                        n_startup_trials=self.search.batch)
            return self._optuna.samplers.NSGAIISampler(seed=self.search.seed, population_size=self.search.batch)

    def _starts(self) -> Iterator[Positions]:
        """All axes at one end, then each axis at its other end: these points include cheap and fast machines."""
        low, high = [0] * len(self.sizes), [size - 1 for size in self.sizes]
        found = [low, high]
        for axis in range(len(self.sizes)):
            found.append([*low[:axis], high[axis], *low[axis + 1:]])
            found.append([*high[:axis], low[axis], *high[axis + 1:]])
        yield from list(dict.fromkeys(tuple(positions) for positions in found))[:self.search.batch]

    def _enqueue(self, positions: Positions) -> None:
        self._study.enqueue_trial({str(axis): position for axis, position in enumerate(positions)})

    def ask(self, count: int) -> list[Positions]:
        """`count` points that were not requested before; fewer if the grid has no more."""
        asked: list[Positions] = []
        count = min(count, math.prod(self.sizes) - len(self._known))
        proposals = 0
        while len(asked) < count:
            proposals += 1
            if proposals > PROPOSALS * count:
                self._enqueue(self._unknown())
            trial = self._study.ask(self._space)
            positions = tuple(trial.params[name] for name in self._space)
            if positions in self._known:
                self._answer(trial, self._known[positions])
            elif positions in self._open:
                self._study.tell(trial, state=self._optuna.trial.TrialState.FAIL)
            else:
                self._open[positions] = trial
                asked.append(positions)
        return asked

    def _unknown(self) -> Positions:
        """A random point not yet evaluated."""
        while True:
            positions = tuple(self._random.randrange(size) for size in self.sizes)
            if positions not in self._known and positions not in self._open:
                return positions

    def tell(self, positions: Positions, values: list[float] | None) -> None:
        """`values`: None for a point that did not run, failed or breaks a constraint."""
        self._known[positions] = values
        self._answer(self._open.pop(positions), values)

    def _answer(self, trial: Any, values: list[float] | None) -> None:
        if values is None:
            self._study.tell(trial, state=self._optuna.trial.TrialState.FAIL)
        else:
            self._study.tell(trial, values)


def ordered(grid: Grid) -> list[bool]:
    """Which dimensions have ordered numbers: there a sampler may try points between and beside known points."""
    def rising(values: Sequence[Any]) -> bool:
        return all(map(is_number, values)) and list(values) in (sorted(values), sorted(values, reverse=True))
    return [rising(group[0].values) for group in grid.dimensions]


def seek(search: Search, grid: Grid, evaluate: Callable[[list[int]], list[list[float] | None]]) -> list[int]:
    """Requests points and evaluates them, a batch at a time, until the budget is spent. Returns the points' numbers."""
    sampler = Sampler(search, grid.sizes, ordered(grid))
    numbers: list[int] = []
    while len(numbers) < search.budget:
        batch = sampler.ask(min(search.batch, search.budget - len(numbers)))
        if not batch:
            break
        asked = [grid.number(positions) for positions in batch]
        for positions, values in zip(batch, evaluate(asked)):
            sampler.tell(positions, values)
        numbers += asked
    return numbers


def goal_values(sweep: Sweep, results: Results) -> dict[int, list[float]]:
    """Point -> its objectives, averaged over the draws, for points that have them all and break no constraint."""
    assert sweep.search is not None
    known = comparable(sweep, results)
    columns = [scores(known, goal.figure) for goal in sweep.search.goals]
    points = set.intersection(*(set(column.index) for column in columns))
    return {int(point): [float(column[point]) for column in columns] for point in sorted(points)}


class Hunt:
    """Runs a search where grids run."""

    def __init__(self, sweep: Sweep, simulator: Simulator, folder: Folder, place: Place):
        assert sweep.search is not None
        self.sweep, self.search, self.simulator, self.folder, self.place = sweep, sweep.search, simulator, folder, place
        self.grid = Grid(sweep)
        self.rows: list[Row] = []

    def run(self, watcher: Callable[[int], Watcher]) -> None:
        """Fills `rows`. Progress counts towards the whole budget."""
        budget = min(self.search.budget, self.grid.total)
        progress = _Parts(watcher(budget * len(self.sweep.scenarios)))
        seek(self.search, self.grid, lambda numbers: self._evaluate(numbers, progress))
        progress.close()

    def _evaluate(self, numbers: list[int], progress: "_Parts") -> list[list[float] | None]:
        first = len(self.rows) // len(self.sweep.scenarios)
        points = [self.grid.point(first + index, number) for index, number in enumerate(numbers)]
        rows = make_rows(self.sweep, self.simulator, points)
        self.rows += rows
        jobs = jobs_of(rows)
        if not self.search.resume:
            for job in jobs:
                self.folder.result(job.key).unlink(missing_ok=True)
        run_jobs(self.folder, jobs, self.place, progress)
        progress.forbidden(len(rows) - len(jobs))
        values = goal_values(self.sweep, collect(self.sweep, rows, self.folder, self.simulator))
        return [values.get(point.index) for point in points]


class _Parts:
    """Joins the progress of several batches into one, from the begin of the first batch to close()."""

    def __init__(self, whole: Watcher):
        self.whole = whole
        self.before = 0
        self.begun = False

    def begin(self, finished: int) -> None:
        if not self.begun:
            self.whole.begin(finished)
            self.begun = True

    def show(self, finished: int) -> None:
        self.whole.show(self.before + finished)

    def end(self, finished: int) -> None:
        self.before += finished
        self.whole.show(self.before)

    def forbidden(self, count: int) -> None:
        """Counts rows that need no run, or share one, as finished."""
        self.before += count

    def close(self) -> None:
        self.whole.end(self.before)
