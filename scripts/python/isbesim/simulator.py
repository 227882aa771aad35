# SPDX-License-Identifier: Apache-2.0
"""The simulator's program: where it is, its version, its configuration keys and the figures of its reports."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Iterable, Mapping

from .errors import InputError, NotFoundError, VersionError
from .process import Finished, execute, outcome_of
from .version import VERSION

Value = bool | int | float | str
VALUE_TYPES = (bool, int, float, str)
Flat = dict[str, Any]


@dataclass(frozen=True)
class Figure:
    """An entry of the simulator's registry of figures; <opcode> and the like in its key stand for one name each."""

    key: str
    unit: str
    description: str
    merge: str
    better: str
    cost_of: str
    database: str
    series: str
    timeline: str
    condition: str  # when the figure exists; empty: always

    def covers(self, name: str) -> bool:
        pattern = re.sub("<[a-z_]+>", "[^.]+", re.escape(self.key))
        return re.fullmatch(rf"(per_instance\.\d+\.)?{pattern}", name) is not None


class FigureTable:
    """The simulator's descriptions of the figures of its reports."""

    def __init__(self, figures: Iterable[Figure] = ()):
        self.figures = tuple(figures)
        self._exact = {figure.key: figure for figure in self.figures}

    def find(self, name: str) -> Figure | None:
        return self._exact.get(name) or next((figure for figure in self.figures if figure.covers(name)), None)

    def unit(self, name: str) -> str:
        figure = self.find(name)
        return figure.unit if figure else OWN_UNITS.get(name, "")

    def more_is_better(self, name: str) -> bool:
        figure = self.find(name)
        return figure is not None and figure.better == "higher"

    def costs(self, kind: str) -> list[str]:
        return [figure.key for figure in self.figures if figure.cost_of == kind]


# Figures that the exploration adds to the simulator's.
OWN_UNITS = {"memory_bits": "bits"}


@dataclass(frozen=True)
class ConfigKey:
    key: str
    kind: str
    unit: str
    range: str
    description: str
    default: Value
    value: Value


def value_text(value: Value) -> str:
    """The value as on the simulator's command line and in results.csv."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def digest_of(*parts: bytes) -> str:
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def flatten(value: Any, prefix: str = "") -> list[tuple[str, Any]]:
    """Leaves of nested objects and arrays, with dotted names ("latency.ald.p99", "per_instance.0.cycles")."""
    leaves: list[tuple[str, Any]] = []
    _add_leaves(value, prefix, leaves)
    return leaves


def _add_leaves(value: Any, prefix: str, leaves: list[tuple[str, Any]]) -> None:
    if not isinstance(value, (dict, list)):
        leaves.append((prefix, value))
        return
    for key, entry in value.items() if isinstance(value, dict) else enumerate(value):
        _add_leaves(entry, f"{prefix}.{key}" if prefix else str(key), leaves)


def machine_words(machine: str | None, settings: Mapping[str, Value]) -> list[str]:
    """A machine on the simulator's command line."""
    named = [] if machine is None else ["--config", machine]
    return named + [word for key, value in settings.items() for word in ("--set", f"{key}={value_text(value)}")]


class Simulator:
    def __init__(self, binary: Path):
        self.binary = binary.resolve()

    @cached_property
    def digest(self) -> str:
        """Identity of the build: two programs of the same version can differ."""
        return digest_of(self.binary.read_bytes())

    @cached_property
    def version(self) -> str:
        return self.ask("--version").split()[-1]

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Names of all configuration keys."""
        return tuple(self.machine(None, {}))

    @cached_property
    def figure_table(self) -> FigureTable:
        return FigureTable(Figure(**entry) for entry in json.loads(self.ask("help", "figures", "--json")))

    @cached_property
    def sweep_schema(self) -> dict[str, Any]:
        """The keys that a sweep may have: editors, the simulator and the reader of sweeps share this list."""
        schema: dict[str, Any] = json.loads(self.ask("help", "schema", "sweep"))
        return schema

    @cached_property
    def report_schema(self) -> dict[str, Any]:
        schema: dict[str, Any] = json.loads(self.ask("help", "schema", "report"))
        return schema

    def has_column(self, name: str) -> bool:
        """True if report_figures() can return this name for some report. Capitals do not matter, as in SQL."""
        section, *below = name.casefold().split(".")
        form = self.report_schema["properties"].get(section)
        if form is None or section in _NOT_FIGURES:
            return section == _WARNING_COUNT
        return bool(below) or form.get("type") in ("string", "integer", "number", "boolean")

    def sweep_keys(self, part: str = "") -> list[str]:
        """The keys of a sweep, or of its "input", "sample", "objective"."""
        schema = self.sweep_schema["definitions"][part] if part else self.sweep_schema
        return list(schema["properties"])

    def machine(self, machine: str | None, settings: Mapping[str, Value]) -> dict[str, ConfigKey]:
        """Every key with its value on a machine. Raises InputError with the simulator's text."""
        listed = self.ask("help", "config", "--json", *machine_words(machine, settings))
        return {entry["key"]: ConfigKey(**entry) for entry in json.loads(listed)}

    def accepts(self, key: str, value: Value) -> bool:
        """True if the value fits the key's schema; otherwise machine() gives the reason."""
        form = self.sweep_schema["properties"]["axes"]["properties"][key]
        return _fits(value, form.get("anyOf", [form])[0]["items"])

    def figures(self, scenario: Path) -> set[str]:
        """Names of the figures that a report of this scenario can have; empty if the default machine cannot run it.
        Raises KilledError or InternalError if the simulator breaks down."""
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "out"
            outcome = outcome_of(self.call("run", str(scenario), "--quiet", "--max-cycles", "1", "--out", str(out)), {})
            if (error := outcome.error()) and not outcome.is_repeatable:
                raise error
            report = out / "report.json"
            names = set(report_figures(json.loads(report.read_text(encoding="utf-8")))) if report.exists() else set()
        # In one cycle no instruction ends, so the report has no means and percentiles of latencies.
        opcodes = {name.split(".")[1] for name in names if name.startswith("latency.")}
        return names | {figure.key.replace("<opcode>", opcode) for figure in self.figure_table.figures
                        for opcode in opcodes if figure.key.startswith("latency.")}

    def shipped_scenario(self, name: str | Path) -> Path | None:
        """The file of a shipped scenario, by its name; None for other names."""
        beside = self.binary.parent
        files = [file for folder in (beside, beside.parent / "share" / "isbesim")
                 for file in folder.glob("scenarios/*/scenario.json")]
        return next((file for file in files if file.parent.name == str(name)), None)

    def ask(self, *arguments: str) -> str:
        """Runs the simulator; returns its output. Raises an exception unless it ended well."""
        done = self.call(*arguments)
        if error := outcome_of(done, {}).error():
            raise error
        return done.stdout

    def call(self, *arguments: str) -> Finished:
        return execute(self.binary, arguments)


def find_simulator(isbesim: str | Path | None = None) -> Simulator:
    """The named program; otherwise the environment variable ISBESIM, the program built or installed with this package,
    or the first in PATH. Raises NotFoundError, and VersionError if its version differs from this package's."""
    here = Path(__file__).resolve()
    named = isbesim or os.environ.get("ISBESIM")
    beside = (here.parents[3] / "build" / "isbesim", here.parents[4] / "bin" / "isbesim",
              here.parents[1] / "bin" / "isbesim")  # pip install --target
    in_path = shutil.which("isbesim")
    candidates = [Path(named)] if named else [*beside, *([Path(in_path)] if in_path else [])]
    for file in candidates:
        if file.is_file():
            return _simulator(file.resolve(), file.stat().st_mtime_ns)
    raise NotFoundError(f"{named} is no file, expected the simulator" if named else
                        "no simulator is built, installed or in PATH, expected one, or its name in ISBESIM or isbesim=")


@cache
def _simulator(file: Path, changed: int) -> Simulator:
    """Cached until the binary changes."""
    simulator = Simulator(file)
    if simulator.version != VERSION:
        raise VersionError(f"{file} is isbesim {simulator.version}, expected {VERSION} as this Python package is")
    return simulator


def _fits(value: Value, form: Mapping[str, Any]) -> bool:
    """Checks a value against the simple forms of a schema; nothing fits any other form."""
    if "enum" in form:
        return value in form["enum"]
    kinds = {"integer": (int,), "number": (int, float), "boolean": (bool,)}.get(form.get("type", ""), ())
    if type(value) not in kinds or not kinds:
        return False
    return isinstance(value, bool) or (form.get("minimum", value) <= value <= form.get("maximum", value)
                                       and value % form.get("multipleOf", 1 if kinds == (int,) else value or 1) == 0)


def settings_of(simulator: Simulator, keys: Mapping[str, Any]) -> dict[str, Value]:
    """Configuration keys as Python writes them: isbe_lines=512, isbe={"lines": 512} or **{"isbe.lines": 512}. Unknown
    keys keep their names: the simulator's error names similar keys. Raises InputError for a key in two spellings."""
    known = {key.replace(".", "_"): key for key in simulator.keys}
    settings: dict[str, Value] = {}
    for name, value in flatten(dict(keys)):
        key = known.get(name.replace(".", "_"), name)
        if key in settings:
            raise InputError(f"{key} stands twice, expected each key once")
        settings[key] = value
    return settings


# Words, places, plots and figures of the host are not results of the simulated machine. A replay's status is the
# row's. Stacks and critical paths have separate names for each SM and ISBE: more columns than a table may have. The
# cycles of another machine belong to that machine.
_NOT_FIGURES = ("covers", "critical_path", "draw", "histograms", "host", "profile", "rests_on", "scenario",
                "measured", "of", "series", "stacks", "status", "timing", "tool", "traps", "warnings", "what_if",
                "window")
_WARNING_COUNT = "warning_count"


def report_figures(report: Mapping[str, Any]) -> Flat:
    """A report as columns: every figure by its dotted name; the numbers of traps and warnings."""
    figures = dict(flatten({key: value for key, value in report.items() if key not in _NOT_FIGURES}))
    figures.pop("result.text", None)
    figures[_WARNING_COUNT] = len(report.get("warnings", ()))
    figures.setdefault("trap_count", len(report.get("traps", ())))
    return figures
