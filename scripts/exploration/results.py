# SPDX-License-Identifier: Apache-2.0
"""Merges the results of a sweep into one tidy table: results.csv and results.sqlite."""

from __future__ import annotations

import csv
import io
import json
import os
import sqlite3
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Iterator, Mapping

import pandas as pd

from isbesim.simulator import Flat, Simulator, flatten, report_figures, value_text

from .costs import memory_bits
from .jobs import Folder, Row, write_atomically
from .sweep import Sweep

DONE = "done"
# The resources with work, and their names on the page.
WORKERS = {"pass_engine": "pass engine", "scheduler": "warp schedulers", "fetch": "vertex fetch"}


@dataclass(frozen=True)
class Confirmed:
    """A point that ran loosely timed and then on AT: the objective's figure from both runs."""

    point: int
    estimate: float
    score: float


@dataclass
class Results:
    table: pd.DataFrame  # one row per point and scenario, columns of results.csv
    host: pd.DataFrame  # the runs' costs on their hosts, which differ from start to start
    instances: pd.DataFrame  # per SM and ISBE
    stacks: pd.DataFrame = field(default_factory=pd.DataFrame)  # per kind of resource and part of its cycles
    confirmed: list[Confirmed] = field(default_factory=list)  # the best first

    @cached_property
    def done(self) -> pd.DataFrame:
        return self.table[self.table.status == DONE]

    @property
    def failed(self) -> pd.DataFrame:
        return self.table[(self.table.status != DONE) & ~self._forbidden]

    @property
    def not_run(self) -> pd.DataFrame:
        return self.table[self._forbidden]

    @property
    def _forbidden(self) -> pd.Series:
        return self.table.status.str.startswith("constraint: ")


class _Table:
    """Collects rows. A row of 10,000 values is a list, which takes a fraction of a dictionary's memory, and values
    equal to those of the previous row, which are most, are kept once."""

    def __init__(self) -> None:
        self._columns: dict[str, int] = {}
        self._rows: list[list[Any]] = []

    def append(self, row: Flat) -> None:
        before = self._rows[-1] if self._rows else []
        cells = [_ABSENT] * len(self._columns)
        for key, value in row.items():
            place = self._columns.setdefault(key, len(self._columns))
            if place == len(cells):
                cells.append(_ABSENT)
            same = place < len(before) and type(before[place]) is type(value) and before[place] == value
            cells[place] = before[place] if same else value
        self._rows.append(cells)

    def frame(self) -> pd.DataFrame:
        for cells in self._rows:
            cells += [_ABSENT] * (len(self._columns) - len(cells))
        return pd.DataFrame(self._rows, columns=list(self._columns), dtype=object)


_ABSENT = float("nan")


def collect(sweep: Sweep, rows: list[Row], folder: Folder, simulator: Simulator) -> Results:
    table, host, instances, stacks = _Table(), _Table(), _Table(), _Table()
    for row in rows:
        head = _head(sweep, row, simulator)
        status, report = _outcome(row, folder)
        figures = report_figures(report) if report else {f"config.{k}": v for k, v in row.point.config.items()}
        broken = list(row.violated) if status != DONE else _violated_after(sweep, row, head, figures)
        table.append({**head, "status": status, "violates": "; ".join(broken), **figures})
        place: Flat = {"point": row.point.index, "scenario": row.scenario.name}
        host.append({**place, **dict(flatten(report.get("host", {})))})
        for number, instance in enumerate(report.get("per_instance", ())):
            instances.append({**place, "instance": number, **dict(flatten(instance))})
        for part in _stacks(report):
            stacks.append({**place, **part})
    return Results(table.frame(), host.frame(), instances.frame(), stacks.frame())


def _stacks(report: Mapping[str, Any]) -> Iterator[Flat]:
    """How the cycles of all resources of a kind were spent, for kinds with work of their own: a port is a client's view
    of the pass engine, and a queue has no work. The shares of a kind add up to 1."""
    whole: dict[str, int] = {}
    parts: dict[tuple[str, str], int] = {}
    for name, stack in report.get("stacks", {}).items():
        kind = name.rsplit(".", 1)[-1].rstrip("0123456789")
        if kind not in WORKERS:
            continue
        whole[kind] = whole.get(kind, 0) + stack["cycles"]
        for part, cycles in stack["parts"].items():
            parts[kind, part] = parts.get((kind, part), 0) + cycles
    for (kind, part), cycles in parts.items():
        yield {"resource": kind, "part": part, "cycles": cycles, "share": cycles / whole[kind] if whole[kind] else 0.0}


def _head(sweep: Sweep, row: Row, simulator: Simulator) -> Flat:
    """The columns before the figures. Names of machines are without their folder."""
    settings = {key: Path(str(value)).stem if key == "machine" else value for key, value in row.point.settings.items()}
    return {"point": row.point.index, "scenario": row.scenario.name, "status": "", "violates": "", **settings,
            **{key: row.scenario.values.get(key) for key in sweep.scenario_keys},
            "memory_bits": memory_bits(row.point.config),
            "version": simulator.version, "program": simulator.digest[:12], "seed": sweep.seed}


def _outcome(row: Row, folder: Folder) -> tuple[str, dict[str, Any]]:
    if row.job is None:
        return f"constraint: {row.violated[0]}", {}
    file = folder.result(row.job.key)
    if file.exists():
        result = json.loads(file.read_text(encoding="utf-8"))
        return result["status"], result["report"]
    error = folder.error(row.job.key)
    return "not finished: " + (error.read_text(encoding="utf-8") if error.exists() else "the run was interrupted"), {}


def _violated_after(sweep: Sweep, row: Row, head: Flat, figures: Flat) -> list[str]:
    known = {**row.point.config, **head, **figures}
    broken = []
    for constraint in sweep.constraints:
        try:
            holds = constraint.expression.holds(known)
        except (KeyError, TypeError):  # no such figure in this report: nothing shows that the constraint holds
            holds = constraint.on_configuration
        if not holds:
            broken.append(constraint.expression.text)
    return broken


def write(results: Results, sweep: Sweep, folder: Folder) -> None:
    """Writes the files; each is replaced as a whole."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(results.table)
    # Not to_csv: it would write a column's integers as 976.0 when another row's value is not an integer.
    writer.writerows(map(_csv_value, row) for row in results.table.itertuples(index=False, name=None))
    write_atomically(folder.root / "results.csv", text.getvalue())
    database = folder.root / f".results.sqlite.{os.getpid()}"
    database.unlink(missing_ok=True)
    with sqlite3.connect(database) as connection:
        shared = [name for name in results.table if not name.startswith("per_instance.")]
        _put(results.table[shared], "results", connection)
        _put(results.instances, "instances", connection)
        _put(results.host, "host", connection)
        _put(results.stacks, "stacks", connection)
        source = sweep.file.read_text(encoding="utf-8")
        pd.DataFrame([{"file": sweep.file.name, "text": source}]).to_sql("sweep", connection, index=False)
    connection.close()
    database.replace(folder.root / "results.sqlite")


def _put(table: pd.DataFrame, name: str, connection: sqlite3.Connection) -> None:
    """Writes some rows at a time, since pandas makes objects of all values that it is given."""
    typed = _typed(table)
    for begin in range(0, max(len(typed), 1), 500):
        typed[begin:begin + 500].to_sql(name, connection, index=False, if_exists="append")


def _csv_value(value: Any) -> Any:
    if isinstance(value, bool):
        return value_text(value)
    return "" if value is None or value != value else value


def _typed(table: pd.DataFrame) -> pd.DataFrame:
    """Columns of one kind get its SQL type; mixtures (8 and "default") become text."""
    typed = {}
    for name in table:
        column = table[name]
        present = column.dropna()
        kinds = set(present.map(type))
        if kinds == {int}:
            typed[name] = column.astype("Int64")
        elif kinds and kinds <= {int, float}:
            typed[name] = column.astype("Float64")
        else:
            typed[name] = column.map(value_text, na_action="ignore")
    return pd.DataFrame(typed) if typed else pd.DataFrame({"point": []})
