# SPDX-License-Identifier: Apache-2.0
"""The design of a machine as an environment for agents, with the interface of Gymnasium's (which is not needed)."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Sequence

from .errors import CheckError, InputError, IsbesimError
from .runs import Machine, must_raise, request_of
from .server import Server
from .simulator import Flat, Value, find_simulator, is_number, report_figures, settings_of
from .spaces import Box, MultiDiscrete

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COSTS = ("cycles", "proxies.area.mm2", "proxies.energy_pj")


class Env:
    """An action chooses a machine: for each axis the position of its value. It runs the draws on that machine. The
    observation has the position on every axis as 0 to 1, then every figure as a multiple of the base machine's (a
    geometric mean over the draws). The reward compares with the base machine: -(sum of weight * ln(multiple)), so that
    half the cycles for the same area and energy are worth ln 2. A machine that is rejected or fails a check has the
    reward `penalty` and infinite figures.

    An episode ends (truncated) after `horizon` steps. Nothing here is random: an action always has the same result,
    which is stored."""

    metadata: dict[str, Any] = {"render_modes": []}
    render_mode = None
    spec = None

    def __init__(self, scenarios: str | Path | Sequence[str | Path], axes: Mapping[str, Sequence[Value]],
                 machine: Machine = None, *, figures: Mapping[str, float] | Sequence[str] = COSTS, horizon: int = 64,
                 penalty: float = -10.0, processes: int | None = None, isbesim: str | Path | None = None, **how: Any):
        """`figures`: the observed figures, less is better; as a mapping, with weights (default: 1 each). `how`: further
        arguments of isbesim.run (except `out`), including keys of the base machine."""
        self.scenarios = [scenarios] if isinstance(scenarios, (str, Path)) else list(scenarios)
        self.simulator = find_simulator(isbesim)
        self.axes = {key: list(values) for key, values in axes.items()}
        if not self.axes or not all(self.axes.values()) or not self.scenarios:
            raise InputError("an environment needs a draw, an axis, and a value on each axis")
        self.machine = machine
        words: dict[str, Any] = {name: value for name, value in how.items() if isinstance(value, list)}
        keys = {name: value for name, value in how.items() if name not in words}
        self.how = {**settings_of(self.simulator, keys), **words}
        self._server = Server(self.simulator.binary, processes or os.cpu_count() or 1)
        self.weights = dict(figures) if isinstance(figures, Mapping) else {name: 1.0 for name in figures}
        self.horizon, self.penalty, self.processes = horizon, penalty, processes
        self.action_space = MultiDiscrete([len(values) for values in self.axes.values()])
        self.observation_space = Box(len(self.axes) + len(self.weights))
        self._known: dict[tuple[int, ...], dict[str, float] | IsbesimError] = {}
        self._base: dict[str, float] | None = None
        self._base_config: Mapping[str, Any] = {}
        self._steps = 0

    @property
    def unwrapped(self) -> Env:
        return self

    def settings(self, action: Any) -> dict[str, Value]:
        """Axis -> the value that an action chooses."""
        return {key: values[int(place)] for (key, values), place in zip(self.axes.items(), action)}

    def reset(self, *, seed: int | None = None,
              options: Mapping[str, Any] | None = None) -> tuple[NDArray[np.float64], dict[str, Any]]:
        """Returns to the base machine; its position is 0 on an axis without its value. `seed`: seeds
        action_space.sample()."""
        if seed is not None:
            self.action_space.seed(seed)
        self._steps = 0
        base = self._base_figures()
        keys = [settings_of(self.simulator, {key: None}) for key in self.axes]
        own = [self._base_config.get(next(iter(key))) for key in keys]
        places = [values.index(value) if value in values else 0 for value, values in zip(own, self.axes.values())]
        return self._observation(places, base), {"settings": {}, "figures": dict(base), "status": "done"}

    def step(self, action: Any) -> tuple[NDArray[np.float64], float, bool, bool, dict[str, Any]]:
        """Returns observation, reward, terminated (never), truncated, and the machine with its figures."""
        if not self.action_space.contains(action):
            raise InputError(f"{action} is no action, expected one of {self.action_space}")
        self._steps += 1
        base = self._base_figures()
        places = tuple(int(place) for place in action)
        if places not in self._known:
            self._known[places] = self._try(self.settings(places))
        answer = self._known[places]
        failed = isinstance(answer, IsbesimError)
        figures = {name: math.inf for name in self.weights} if isinstance(answer, IsbesimError) else answer
        reward = self.penalty if failed else -sum(weight * math.log(_multiple(figures[name], base[name]))
                                                  for name, weight in self.weights.items())
        info = {"settings": self.settings(places), "figures": dict(figures),
                "status": str(answer) if failed else "done"}
        return self._observation(places, figures), float(reward), False, self._steps >= self.horizon, info

    def render(self) -> None:
        """Does nothing: there is nothing to show."""

    def close(self) -> None:
        """Ends the simulator; a later step starts it again."""
        self._server.close()

    def _base_figures(self) -> dict[str, float]:
        if self._base is None:
            self._base = self._measure({})
        return self._base

    def _try(self, settings: Mapping[str, Value]) -> dict[str, float] | IsbesimError:
        try:
            return self._measure(settings)
        except (InputError, CheckError) as error:
            return error

    def _measure(self, settings: Mapping[str, Value]) -> dict[str, float]:
        runs = self._figures_of({**self.how, **settings_of(self.simulator, settings)})
        if not settings:
            self._base_config = {key.removeprefix("config."): value for key, value in runs[0].items()}
        means = {}
        for name in self.weights:
            values = [float(figures[name]) for figures in runs if is_number(figures.get(name))]
            if len(values) < len(runs) or min(values) < 0:
                raise InputError(f"not every report has a figure '{name}' of at least 0, expected one of "
                                 "isbesim help figures")
            means[name] = _mean(values)
        return means

    def _figures_of(self, how: dict[str, Any]) -> list[Flat]:
        """The figures of each draw. Raises the errors of errors.py."""
        check = how.pop("check", True)
        requests = [{"id": str(number), **request_of(self.simulator, scenario, self.machine, **how)}
                    for number, scenario in enumerate(self.scenarios)]
        answers = {answer.id: answer for answer in self._server.run(requests)}
        found = [answers[request["id"]] for request in requests]
        for answer in found:
            if must_raise(answer.outcome, check) and (error := answer.outcome.error()):
                raise error
        return [report_figures(json.loads(answer.report)) for answer in found]

    def _observation(self, places: Sequence[int], figures: Mapping[str, float]) -> NDArray[np.float64]:
        import numpy as np

        base = self._base_figures()
        shares = [place / max(1, len(values) - 1) for place, values in zip(places, self.axes.values())]
        return np.array([*shares, *(_multiple(figures[name], base[name]) for name in self.weights)], dtype=np.float64)


def _mean(values: Sequence[float]) -> float:
    """The geometric mean, so that draws have equal weight; exact for a single value."""
    if len(set(values)) == 1:
        return values[0]
    return math.exp(sum(map(math.log, values)) / len(values)) if min(values) > 0 else 0.0


def _multiple(value: float, base: float) -> float:
    """`value` / `base`, 1 if both are 0, and at least 1e-9 so that its logarithm is finite."""
    if base == 0:
        return 1.0 if value == 0 else math.inf
    return max(value / base, 1e-9)
