# SPDX-License-Identifier: Apache-2.0
"""The ways to write an axis: a list, {"range"}, {"log2"}, {"log"}."""

from __future__ import annotations

from typing import Any

from isbesim.simulator import VALUE_TYPES, Value, is_number


FORMS = ('a list, {"range": [low, high], "step": n}, {"log2": [low, high]} or '
         '{"log": [low, high], "count": n, "step": n}')


MOST_VALUES = 100_000


class AxisError(Exception):
    pass


def _checked(count: float) -> int:
    """Checks the number before the values are made."""
    if not count <= MOST_VALUES:
        raise AxisError(f"more values than {MOST_VALUES}, expected fewer")
    return int(count)


def axis_values(spec: Any) -> list[Value]:
    """Values in order, without repeats. Raises AxisError."""
    if isinstance(spec, list):
        _checked(len(spec))
        values = spec
        if not values or not all(isinstance(value, VALUE_TYPES) for value in values):
            raise AxisError("expected a list of numbers, words, true or false")
    elif isinstance(spec, dict) and len({"range", "log2", "log"} & spec.keys()) == 1:
        kind = next(iter({"range", "log2", "log"} & spec.keys()))
        values = {"range": _range, "log2": _log2, "log": _log}[kind](spec)
    else:
        raise AxisError(f"expected {FORMS}")
    unique = list({(type(value), value): value for value in values}.values())
    if len(unique) < len(values) and isinstance(spec, list):
        raise AxisError("a value is there twice, expected each once")
    return unique


def _ends(spec: dict[str, Any], kind: str, options: set[str]) -> tuple[float, float]:
    if extra := spec.keys() - options - {kind}:
        raise AxisError(f"'{sorted(extra)[0]}' does not belong to {kind}, expected {FORMS}")
    ends = spec[kind]
    if not isinstance(ends, list) or len(ends) != 2 or not all(map(is_number, ends)) or ends[0] > ends[1]:
        raise AxisError(f"{kind}: expected [low, high]")
    if kind != "range" and ends[0] <= 0:
        raise AxisError(f"{kind}: expected a low end above 0")
    low, high = ends
    return low, high


def _positive(spec: dict[str, Any], key: str, default: float) -> float:
    value: float = spec.get(key, default)
    if not is_number(value) or value <= 0:
        raise AxisError(f"{key}: expected a number above 0")
    return value


def _range(spec: dict[str, Any]) -> list[Value]:
    low, high = _ends(spec, "range", {"step"})
    step = _positive(spec, "step", 1)
    count = _checked((high - low) / step + 1e-9) + 1
    return [low + index * step for index in range(count)]


def _log2(spec: dict[str, Any]) -> list[Value]:
    low, high = _ends(spec, "log2", set())
    values = [low]
    while values[-1] * 2 <= high:
        values.append(values[-1] * 2)
    return list(values)


def _log(spec: dict[str, Any]) -> list[Value]:
    """`count` values in equal ratios, rounded to multiples of `step` (1 if both ends are integers)."""
    low, high = _ends(spec, "log", {"count", "step"})
    count = spec.get("count")
    if not isinstance(count, int) or isinstance(count, bool) or count < 2:
        raise AxisError("log: expected a count of at least 2")
    try:
        values = [low * (high / low) ** (index / (count - 1)) for index in range(_checked(count))]
    except OverflowError:
        raise AxisError("log: the ends are too far apart, expected a ratio below 1e308") from None
    whole = isinstance(low, int) and isinstance(high, int)
    if not whole and "step" not in spec:
        return list(values)
    step = _positive(spec, "step", 1)
    try:
        return [step * max(1, round(value / step)) for value in values]
    except OverflowError:
        raise AxisError("step: too small for such values, expected a larger one") from None
