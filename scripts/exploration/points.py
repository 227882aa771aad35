# SPDX-License-Identifier: Apache-2.0
"""From axes to points: the grid of all axes, zipped ones moving together, or a random sample of it."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Sequence

from isbesim.simulator import Value

from .expressions import Expression
from .sweep import Axis, Scenario, Sweep


@dataclass
class Point:
    index: int
    settings: dict[str, Value]  # axis key -> value
    machine: str | None
    backend: str
    config: dict[str, Value]  # every configuration key


def _dimensions(sweep: Sweep) -> list[list[Axis]]:
    """Groups of axes that move together, in the order of the file."""
    axes = {axis.key: axis for axis in sweep.axes}
    group_of = {key: group for group in sweep.zips for key in group}
    groups = dict.fromkeys(group_of.get(key, (key,)) for key in axes)
    return [[axes[key] for key in group] for group in groups]


class Grid:
    """Every point that the axes allow, numbered; the last axis moves fastest."""

    def __init__(self, sweep: Sweep):
        self.sweep = sweep
        self.dimensions = _dimensions(sweep)
        self.sizes = [len(group[0].values) for group in self.dimensions]
        self.total = math.prod(self.sizes)

    def positions(self, number: int) -> list[int]:
        """The position in each dimension."""
        found = []
        for size in reversed(self.sizes):
            number, position = divmod(number, size)
            found.append(position)
        return found[::-1]

    def number(self, positions: Sequence[int]) -> int:
        result = 0
        for size, position in zip(self.sizes, positions):
            result = result * size + position
        return result

    def point(self, index: int, number: int) -> Point:
        sweep = self.sweep
        settings = {axis.key: axis.values[position]
                    for group, position in zip(self.dimensions, self.positions(number)) for axis in group}
        machine = str(settings["machine"]) if "machine" in settings else sweep.machine
        config: dict[str, Value] = {key: entry.value for key, entry in sweep.machines[machine].items()}
        config |= {key: value for key, value in settings.items() if key in config}
        return Point(index, settings, machine, str(settings.get("backend", sweep.backend)), config)


def expand(sweep: Sweep) -> list[Point]:
    """The whole grid, or a sample without repeats in the order of the grid."""
    grid = Grid(sweep)
    numbers: Sequence[int] = range(grid.total)
    if sweep.sample is not None and sweep.sample.count < grid.total:
        numbers = sorted(random.Random(sweep.sample.seed).sample(numbers, sweep.sample.count))
    return [grid.point(index, number) for index, number in enumerate(numbers)]


def violated_before(sweep: Sweep, point: Point, scenario: Scenario) -> list[str]:
    """The constraints that this point breaks whatever its run would give. Machines have the names of results.csv."""
    known: dict[str, Any] = {**point.config, "machine": Path(point.machine or "default").stem,
                             "backend": point.backend, **scenario.values}
    return [constraint.expression.text for constraint in sweep.constraints
            if constraint.on_configuration and not _holds(constraint.expression, known)]


def _holds(expression: Expression, known: dict[str, Any]) -> bool:
    """True, too, if the scenario lacks the value that the constraint names. An expression without a result, such as a
    division by zero, does not hold."""
    try:
        return expression.holds(known)
    except KeyError:
        return True
    except TypeError:
        return False
