"""SWEEP.json: what to vary, what to run, what to look at."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Mapping

from .axes import AxisError, axis_values
from .expressions import Expression, ExpressionError
from .places import JsonFile, JsonPath, alternatives, nearest
from .simulator import VALUE_TYPES, ConfigKey, FigureTable, SettingError, Simulator, Value, is_number

# Axes that are no configuration keys.
CHOOSERS = ("machine", "backend")


@dataclass(frozen=True)
class Axis:
    key: str
    values: tuple[Value, ...]
    unit: str = ""
    logarithmic: bool = False  # as the sweep says it


@dataclass(frozen=True)
class Scenario:
    """A draw, or a trace for `replay`. `values` are columns of its own, such as how many attributes it has."""

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
    """What the points are compared by, and which of them is chosen: the best, or with `within` among those that are
    within this share of it the one with the least, or the most, of something else."""

    figure: str
    maximize: bool = False
    within: float | None = None
    choose: str = ""  # a figure or a configuration key
    choose_most: bool = False


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
    scenarios: list[Scenario] = field(default_factory=list)
    backend: str = "at"
    seed: int = 1
    max_cycles: int | None = None
    metrics: list[str] = field(default_factory=list)
    objective: Objective | None = None
    constraints: list[Constraint] = field(default_factory=list)
    machines: dict[str | None, dict[str, ConfigKey]] = field(default_factory=dict)  # with `base` applied
    figures: FigureTable = field(default_factory=FigureTable)  # the simulator's

    @property
    def scenario_keys(self) -> list[str]:
        """What the scenarios have values of."""
        return list(dict.fromkeys(key for scenario in self.scenarios for key in scenario.values))


def read_sweep(file: Path, simulator: Simulator) -> Sweep:
    """Throws InputError at the first thing that is wrong. The simulator itself checks keys, values and machines."""
    return _Reader(file, simulator).read()


class _Reader:
    def __init__(self, file: Path, simulator: Simulator):
        self.json = JsonFile(file)
        self.simulator = simulator
        self.sweep = Sweep(file, figures=simulator.figure_table)

    def read(self) -> Sweep:
        root = self.json.root
        if not isinstance(root, dict):
            self.json.fail((), "expected an object with 'axes' and 'scenarios'")
        self.json.only_keys((), root, self.simulator.sweep_keys(), "a sweep")
        self._text("$schema", "")
        self.sweep.title = self._text("title", self.sweep.file.stem)
        self.sweep.question = self._text("question", "")
        self.sweep.seed = self._whole(("seed",), root.get("seed", 1), 0)
        if "max_cycles" in root:
            self.sweep.max_cycles = self._whole(("max_cycles",), root["max_cycles"], 1)
        self._read_backend()
        self._read_base()
        self._read_axes()
        self._read_zips()
        self._read_sample()
        self._read_scenarios()
        self._read_figures()
        return self.sweep

    # Single values

    def _text(self, key: str, default: str) -> str:
        value = self.json.root.get(key, default)
        if not isinstance(value, str):
            self.json.fail((key,), f"{key}: expected a text")
        return value

    def _whole(self, path: JsonPath, value: Any, low: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value < low:
            self.json.fail(path, f"{path[-1]}: expected a whole number of at least {low}")
        return value

    def _list(self, path: JsonPath, value: Any, what: str) -> list[Any]:
        if not isinstance(value, list):
            self.json.fail(path, f"expected a list of {what}")
        return value

    def _read_backend(self) -> None:
        self.sweep.backend = self._text("backend", "at")
        self._check_backend(("backend",), self.sweep.backend)

    def _check_backend(self, path: JsonPath, name: Value) -> None:
        known = self.simulator.sweep_schema["properties"]["backend"]["enum"]
        if name not in known:
            self.json.fail(path, f"unknown back end '{name}', expected {alternatives(known)}")

    # The machine

    def _read_base(self) -> None:
        base = self.json.root.get("base", {})
        if isinstance(base, str):
            self.sweep.machine = self._machine_name(("base",), base)
        elif not isinstance(base, dict):
            self.json.fail(("base",), "expected the name of a machine or an object of configuration keys")
        else:
            self._read_base_keys(("base",), base, "")
        if self.sweep.machine is None or self.sweep.base:  # else it is loaded already
            self.sweep.machines[self.sweep.machine] = self.simulator.machine(self.sweep.machine, self.sweep.base)

    def _read_base_keys(self, path: JsonPath, value: dict[str, Any], prefix: str) -> None:
        for key, entry in value.items():
            here = (*path, key)
            if isinstance(entry, dict):
                self._read_base_keys(here, entry, f"{prefix}{key}.")
            elif not prefix and key == "machine":
                self.sweep.machine = self._machine_name(here, entry)
            else:
                self.sweep.base[prefix + key] = self._setting(here, prefix + key, entry)

    def _machine_name(self, path: JsonPath, name: Any) -> str:
        """The name of a preset, or a file relative to the sweep. Loaded once, so that it is known good."""
        if not isinstance(name, str):
            self.json.fail(path, "expected the name of a machine or a JSON file")
        file = self.sweep.file.parent / name
        machine = str(file.resolve()) if file.is_file() else name
        try:
            self.sweep.machines[machine] = self.simulator.machine(machine, self.sweep.base)
        except SettingError as error:
            self.json.fail(path, str(error))
        return machine

    def _setting(self, path: JsonPath, key: str, value: Any) -> Value:
        """One value of a key as the simulator understands it."""
        if not isinstance(value, VALUE_TYPES):
            self.json.fail(path, f"{key}: expected a number, a word, true or false")
        try:
            return self.simulator.machine(None, {key: value})[key].value
        except SettingError as error:
            if "unknown configuration key" in str(error) and isinstance(path[-1], str):
                self.json.fail_key(path, str(error))
            self.json.fail(path, str(error))

    # Axes

    def _read_axes(self) -> None:
        axes = self.json.root.get("axes", {})
        if not isinstance(axes, dict):
            self.json.fail(("axes",), "expected an object: configuration key -> values")
        known = self.sweep.machines[self.sweep.machine]
        for key, spec in axes.items():
            path = ("axes", key)
            if key not in known and key not in CHOOSERS:
                self.json.fail_key(path, f"unknown configuration key '{key}', expected "
                                         f"{nearest(key, [*known, *CHOOSERS])} (isbesim help config lists all)")
            try:
                values = axis_values(spec)
            except AxisError as error:
                self.json.fail(path, f"{key}: {error}")
            places = [(*path, index) if isinstance(spec, list) else path for index in range(len(values))]
            checked = self._axis_values(key, values, places)
            if len(set(map(str, checked))) < len(checked):
                self.json.fail(path, f"{key}: two values mean the same, expected each once")
            entry = known.get(key)
            logarithmic = isinstance(spec, dict) and bool({"log", "log2"} & spec.keys())
            self.sweep.axes.append(Axis(key, tuple(checked), entry.unit if entry else "", logarithmic))
        if "machine" in axes and self.sweep.machine is not None:
            self.json.fail_key(("axes", "machine"), "the base names a machine already, expected one or the other")

    def _axis_values(self, key: str, values: list[Value], places: list[JsonPath]) -> list[Value]:
        if key == "machine":
            return [self._machine_name(place, value) for place, value in zip(places, values)]
        if key == "backend":
            for place, value in zip(places, values):
                self._check_backend(place, value)
            return values
        plain = {"integer": (int,), "real": (int, float), "flag": (bool,), "choice": (str,)}
        kind = self.sweep.machines[self.sweep.machine][key].kind
        if all(type(value) in plain.get(kind, ()) for value in values) and self.simulator.accepts(key, values):
            return [int(value) if isinstance(value, float) and value.is_integer() else value for value in values]
        return [self._setting(place, key, value) for place, value in zip(places, values)]

    def _read_zips(self) -> None:
        axes = {axis.key: axis for axis in self.sweep.axes}
        used: set[str] = set()
        for number, group in enumerate(self._list(("zip",), self.json.root.get("zip", []), "groups of axes")):
            path = ("zip", number)
            keys = tuple(self._list(path, group, "axes that move together"))
            for index, key in enumerate(keys):
                if not isinstance(key, str) or key not in axes:
                    self.json.fail((*path, index), f"'{key}' is no axis, expected {nearest(str(key), axes)}")
                if key in used:
                    self.json.fail((*path, index), f"'{key}' is there twice, expected each axis in one group")
                used.add(key)
            if len({len(axes[key].values) for key in keys}) > 1:
                lengths = ", ".join(f"{key}: {len(axes[key].values)}" for key in keys)
                self.json.fail(path, f"axes of different lengths ({lengths}), expected equal ones")
            self.sweep.zips.append(keys)

    def _read_sample(self) -> None:
        sample = self.json.root.get("sample")
        if sample is None:
            return
        if not isinstance(sample, dict):
            sample = {"count": sample}
            path: JsonPath = ("sample",)
        else:
            path = ("sample", "count")
            self.json.only_keys(("sample",), sample, self.simulator.sweep_keys("sample"), "a sample")
        if "count" not in sample:
            self.json.fail(("sample",), "expected a count of points")
        seed = sample.get("seed", self.sweep.seed)
        self.sweep.sample = Sample(self._whole(path, sample["count"], 1),
                                   self._whole(("sample", "seed"), seed, 0) if "seed" in sample else seed)

    # Draws and traces

    def _read_scenarios(self) -> None:
        for key in ("scenarios", "traces"):
            for index, entry in enumerate(self._list((key,), self.json.root.get(key, []), "files")):
                self._read_scenario((key, index), entry, key == "traces")
        if not self.sweep.scenarios:
            self.json.fail((), "nothing to run, expected 'scenarios' or 'traces'")

    def _read_scenario(self, path: JsonPath, entry: Any, is_trace: bool) -> None:
        values: dict[str, Value] = {}
        if isinstance(entry, dict):
            self.json.only_keys(path, entry, self.simulator.sweep_keys("input"), "a scenario")
            values = entry.get("values", {})
            self._check_values(path, values)
            name, place = entry.get("name", entry.get("file")), (*path, "file")
            entry = entry.get("file")
        else:
            name, place = entry, path
        if not isinstance(entry, str) or not isinstance(name, str):
            self.json.fail(path, "expected a file, or an object with 'file', 'name' and 'values'")
        file = (self.sweep.file.parent / entry).resolve()
        if not file.is_file():
            self.json.fail(place, f"'{entry}' is no file, expected a {'trace' if is_trace else 'scenario'} relative to "
                                  "the sweep")
        if any(scenario.name == name for scenario in self.sweep.scenarios):
            self.json.fail(path, f"'{name}' is there twice, expected a name of its own")
        self.sweep.scenarios.append(Scenario(name, file, is_trace, values))

    def _check_values(self, path: JsonPath, values: Any) -> None:
        known = self.sweep.machines[self.sweep.machine]
        if not isinstance(values, dict):
            self.json.fail((*path, "values"), "expected an object: name -> number or word")
        for key, value in values.items():
            if not isinstance(value, VALUE_TYPES):
                self.json.fail((*path, "values", key), "expected a number or a word")
            if key in known or key in CHOOSERS:
                self.json.fail_key((*path, "values", key), f"'{key}' names a part of the machine, expected a new name")

    # What to look at

    def _read_figures(self) -> None:
        root = self.json.root
        before = {*self.sweep.machines[self.sweep.machine], *CHOOSERS, *self.sweep.scenario_keys}
        for index, name in enumerate(self._list(("metrics",), root.get("metrics", []), "figures")):
            self._check_figure(("metrics", index), name)
            self.sweep.metrics.append(name)
        self._read_objective(root.get("objective"))
        for index, text in enumerate(self._list(("constraints",), root.get("constraints", []), "conditions")):
            self._read_constraint(("constraints", index), text, before)

    @cached_property
    def _figures(self) -> set[str] | None:
        """Every figure that a report of this sweep can hold; None when that shows only later. Asked for by
        the first name that is checked: it starts the simulator once per scenario."""
        if any(scenario.is_trace for scenario in self.sweep.scenarios):
            return None
        sets = [self.simulator.figures(scenario.file) for scenario in self.sweep.scenarios]
        checks = {figure.key for figure in self.simulator.figure_table.figures if figure.key.startswith("crosscheck.")}
        return set.union(*sets) | checks if all(sets) else None

    def _check_figure(self, path: JsonPath, name: Any) -> None:
        if not isinstance(name, str):
            self.json.fail(path, "expected the name of a figure")
        if self._figures is not None and name not in self._figures:
            self.json.fail(path, f"no report has a figure '{name}', expected {nearest(name, self._figures)}")

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
            self._check_figure(("objective", sense), figure)
            self.sweep.objective = Objective(figure, sense == "maximize")
            return
        share, of = objective["within"], objective.get("of", "cycles")
        if not is_number(share) or share < 0:
            self.json.fail(("objective", "within"), "within: expected a share of at least 0, such as 0.02")
        if figure not in self.sweep.machines[self.sweep.machine]:
            self._check_figure(("objective", sense), figure)
        self._check_figure(("objective", "of") if "of" in objective else ("objective",), of)
        self.sweep.objective = Objective(of, self.sweep.figures.more_is_better(of), float(share), figure,
                                         sense == "maximize")

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
