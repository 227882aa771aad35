# SPDX-License-Identifier: Apache-2.0
"""Reads SWEEP.json: machine, axes, draws."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from isbesim.errors import InputError
from isbesim.simulator import VALUE_TYPES, Simulator, Value

from .axes import AxisError, axis_values
from .expressions import MOST_CHARACTERS
from .figure_reading import FigureReader
from .places import JsonFile, JsonPath, alternatives, is_file, nearest
from .points import Grid
from .sweep import CHOOSERS, OWN_COLUMNS, Axis, Sample, Scenario, Sweep


MOST_POINTS = 1_000_000
MOST_MACHINES = 2 ** 62  # limit for samples and searches


def read_sweep(file: Path, simulator: Simulator) -> Sweep:
    """Raises InputError at the first mistake. The simulator checks keys, values and machines."""
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
        self.sweep.seed = self.json.whole(("seed",), root.get("seed", 1), 0)
        self.sweep.confirm = self.json.whole(("confirm",), root.get("confirm", 10), 0)
        if "max_cycles" in root:
            self.sweep.max_cycles = self.json.whole(("max_cycles",), root["max_cycles"], 1)
        self._read_backend()
        self._read_base()
        self._read_axes()
        self._read_zips()
        self._read_sample()
        self._read_scenarios()
        FigureReader(self.json, self.simulator, self.sweep).read()
        self._check_count()
        return self.sweep

    def _check_count(self) -> None:
        total = Grid(self.sweep).total
        if total > MOST_MACHINES:
            self.json.fail(("axes",), "more points than can be numbered, expected fewer values")
        if self.sweep.search is not None:
            total = min(total, self.sweep.search.budget)
        elif self.sweep.sample is not None:
            total = min(total, self.sweep.sample.count)
        if total > MOST_POINTS:
            self.json.fail(("axes",), f"{total} points, expected at most {MOST_POINTS}: fewer values, a sample or a "
                                      "search")

    # Single values

    def _text(self, key: str, default: str) -> str:
        value = self.json.root.get(key, default)
        if not isinstance(value, str):
            self.json.fail((key,), f"{key}: expected a text")
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
            elif prefix + key in self.sweep.base:
                self.json.fail(here, f"{prefix}{key} stands twice, nested and dotted, expected each key once")
            else:
                self.sweep.base[prefix + key] = self._setting(here, prefix + key, entry)

    def _machine_name(self, path: JsonPath, name: Any) -> str:
        """The name of a preset, or a file relative to the sweep. It is loaded once to check it."""
        if not isinstance(name, str):
            self.json.fail(path, "expected the name of a machine or a JSON file")
        file = self.sweep.file.parent / name
        machine = str(file.resolve()) if is_file(file) else name
        try:
            self.sweep.machines[machine] = self.simulator.machine(machine, self.sweep.base)
        except InputError as error:
            self.json.fail(path, error.words)
        return machine

    def _setting(self, path: JsonPath, key: str, value: Any) -> Value:
        """One value of a key as the simulator understands it."""
        if not isinstance(value, VALUE_TYPES) or len(str(value)) > MOST_CHARACTERS:
            self.json.fail(path, f"{key}: expected a number, a word, true or false")
        try:
            return self.simulator.machine(None, {key: value})[key].value
        except InputError as error:
            if "unknown configuration key" in error.words and isinstance(path[-1], str):
                self.json.fail_key(path, error.words)
            self.json.fail(path, error.words)

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
                                         f"{nearest(key, [*known, *CHOOSERS], 'isbesim help config')}")
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

        def checked(place: JsonPath, value: Value) -> Value:
            """Queries the simulator, which costs a start, only if the schema cannot decide."""
            if type(value) not in plain.get(kind, ()) or not self.simulator.accepts(key, value):
                return self._setting(place, key, value)
            return int(value) if isinstance(value, float) and value.is_integer() else value

        return [checked(place, value) for place, value in zip(places, values)]

    def _read_zips(self) -> None:
        axes = {axis.key: axis for axis in self.sweep.axes}
        used: set[str] = set()
        for number, group in enumerate(self.json.list_of(("zip",), self.json.root.get("zip", []), "groups of axes")):
            path = ("zip", number)
            keys = tuple(self.json.list_of(path, group, "axes that move together"))
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
        self.sweep.sample = Sample(self.json.whole(path, sample["count"], 1),
                                   self.json.whole(("sample", "seed"), seed, 0) if "seed" in sample else seed)

    # Draws and traces

    def _read_scenarios(self) -> None:
        for key in ("scenarios", "traces"):
            for index, entry in enumerate(self.json.list_of((key,), self.json.root.get(key, []), "files")):
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
        file = self.sweep.file.parent / entry
        shipped = None if is_trace or is_file(file) else self.simulator.shipped_scenario(entry)
        if not is_file(shipped or file):
            self.json.fail(place, f"'{entry}' is no file, expected a {'trace' if is_trace else 'scenario'} relative to "
                                  "the sweep")
        if any(scenario.name == name for scenario in self.sweep.scenarios):
            self.json.fail(path, f"'{name}' is there twice, expected a name of its own")
        self.sweep.scenarios.append(Scenario(name, (shipped or file).resolve(), is_trace, values))

    def _check_values(self, path: JsonPath, values: Any) -> None:
        if not isinstance(values, dict):
            self.json.fail((*path, "values"), "expected an object: name -> number or word")
        for key, value in values.items():
            if not isinstance(value, VALUE_TYPES):
                self.json.fail((*path, "values", key), "expected a number or a word")
            if reason := self._unusable(key, [*self.sweep.scenario_keys, *values]):
                self.json.fail_key((*path, "values", key), f"'{key}' {reason}, expected a new name")

    def _unusable(self, name: str, others: list[str]) -> str:
        """Why the results cannot have a column of this name besides all others; empty if they can. SQL does not tell
        capitals from small letters."""
        folded = name.casefold()
        if not folded:
            return "is empty"
        if folded in self.sweep.machines[self.sweep.machine] or folded in CHOOSERS:
            return "names a part of the machine"
        if folded in OWN_COLUMNS or self.simulator.has_column(name):
            return "names a column of the results"
        other = next((key for key in others if key != name and key.casefold() == folded), None)
        return f"differs from '{other}' in capitals only" if other else ""
