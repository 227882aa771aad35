"""From axes to points: the grid of all axes, zipped ones moving together, or a random sample of it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Iterator

from .expressions import Expression
from .simulator import Value
from .sweep import Axis, Scenario, Sweep


@dataclass
class Point:
    index: int
    settings: dict[str, Value]  # axis key -> value
    machine: str | None
    backend: str
    config: dict[str, Value]  # every configuration key


def _dimensions(sweep: Sweep) -> list[list[Axis]]:
    """Axes that move together, in the order of the file."""
    axes = {axis.key: axis for axis in sweep.axes}
    group_of = {key: group for group in sweep.zips for key in group}
    groups = dict.fromkeys(group_of.get(key, (key,)) for key in axes)
    return [[axes[key] for key in group] for group in groups]


def _settings(sweep: Sweep) -> Iterator[dict[str, Value]]:
    """The last axis moves fastest. A sample is drawn without repeats, in the order of the grid."""
    dimensions = _dimensions(sweep)
    sizes = [len(group[0].values) for group in dimensions]
    total = 1
    for size in sizes:
        total *= size
    numbers: Any = range(total)
    if sweep.sample is not None and sweep.sample.count < total:
        numbers = sorted(random.Random(sweep.sample.seed).sample(numbers, sweep.sample.count))
    for number in numbers:
        positions = []
        for size in reversed(sizes):
            number, position = divmod(number, size)
            positions.append(position)
        yield {axis.key: axis.values[position]
               for group, position in zip(dimensions, reversed(positions)) for axis in group}


def expand(sweep: Sweep) -> list[Point]:
    points = []
    for index, settings in enumerate(_settings(sweep)):
        machine = str(settings["machine"]) if "machine" in settings else sweep.machine
        config: dict[str, Value] = {key: entry.value for key, entry in sweep.machines[machine].items()}
        config |= {key: value for key, value in settings.items() if key in config}
        points.append(Point(index, settings, machine, str(settings.get("backend", sweep.backend)), config))
    return points


def violated_before(sweep: Sweep, point: Point, scenario: Scenario) -> list[str]:
    """Constraints that this point breaks whatever the run would say."""
    known: dict[str, Any] = {**point.config, "machine": point.machine or "default", "backend": point.backend,
                             **scenario.values}
    return [constraint.expression.text for constraint in sweep.constraints
            if constraint.on_configuration and not _holds(constraint.expression, known)]


def _holds(expression: Expression, known: dict[str, Any]) -> bool:
    """A scenario without the value that a constraint names is not bound by it."""
    try:
        return expression.holds(known)
    except KeyError:
        return True
