# SPDX-License-Identifier: Apache-2.0
"""A job runs one point on one scenario. Its key is a digest of everything that its result depends on: the same job
finds its earlier result, and a result of another program, scenario, machine or seed has another key. So has every start
with a block of the user's own."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Iterable, Iterator

from isbesim.errors import InputError
from isbesim.simulator import Simulator, Value, digest_of

from .points import Point, violated_before
from .sweep import Scenario, Sweep


@dataclass(frozen=True)
class Job:
    key: str
    binary: str
    program: str  # digest
    command: str  # run or replay
    file: str
    content: str  # digest of the scenario and the files it names
    backend: str
    seed: int
    max_cycles: int | None
    config: dict[str, Value]


@dataclass(frozen=True)
class Row:
    """One line of results.csv: a point on a scenario, and the job that fills it unless a constraint forbids it."""

    point: Point
    scenario: Scenario
    violated: tuple[str, ...]
    job: Job | None


# The files that a block of the user's own includes and reads are unknown, so that each start of a sweep runs it again.
_START = time.time_ns()
_PARTIAL = re.compile(r"\..+\.\d+(-journal)?")


class Folder:
    """The paths in `--out`."""

    def __init__(self, root: Path):
        self.root = root.resolve()
        self.points = self.root / "points"
        self.work = self.root / ".workflow"
        self.jobs = self.work / "jobs"
        self.done = self.work / "done"
        self.scratch = self.work / "scratch"
        self.pending = self.work / "pending"
        self.history = self.root / "history.log"

    def create(self) -> None:
        """Raises InputError if the folder is of something else."""
        if self.root.exists() and not self.points.exists() and any(self.root.iterdir()):
            raise InputError(f"command-line:1:1: '{self.root}' holds files that are of no sweep, expected a new or "
                             "empty folder, or that of an earlier sweep: --out DIR")
        for folder in (self.points, self.jobs, self.done, self.scratch):
            folder.mkdir(parents=True, exist_ok=True)

    def clear_partial(self) -> None:
        """Removes the partial files of killed drivers and runs (write_atomically, and the database's journal) and the
        folders of killed runs. To be called by the only driver of the folder, after all its runs have ended."""
        shutil.rmtree(self.scratch, ignore_errors=True)
        for place in (self.root, self.points):
            for file in place.iterdir():
                if _PARTIAL.fullmatch(file.name):
                    file.unlink(missing_ok=True)

    def result(self, key: str) -> Path:
        return self.points / f"{key}.json"

    def pack(self, key: str) -> Path:
        """The file of a pack, the jobs that one cluster job runs; `key` is that of its first job."""
        return self.jobs / f"{key}.json"

    def error(self, key: str) -> Path:
        """The file with the reason why the last attempt at a job gave no result."""
        return self.jobs / f"{key}.error"


def write_atomically(file: Path, text: str) -> None:
    """Readers see the old file or the new one, also after a crash."""
    partial = file.with_name(f".{file.name}.{platform.node()}.{os.getpid()}")  # workers of other nodes write, too
    with partial.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    partial.replace(file)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from _texts(entry)


def _named_files(file: Path, content: bytes) -> list[Path]:
    """The files that texts in a scenario name."""
    try:
        words = _texts(json.loads(content))
    except ValueError:
        return []  # the simulator reports the mistake
    names = sorted({word for word in words if 0 < len(word) < 256 and not word.startswith("0x") and "\0" not in word})
    return [file.parent / name for name in names if (file.parent / name).is_file()]


class Contents:
    """Digests of scenarios and traces; files are read again only if they have been written or replaced since."""

    def __init__(self) -> None:
        self._known: dict[tuple[Path, bool], tuple[dict[Path, tuple[int, ...]], str]] = {}

    def digest(self, file: Path, is_trace: bool) -> str:
        """The digest of a trace, or of a scenario with every file that a text in it names."""
        states, found = self._known.get((file, is_trace), ({}, ""))
        if not states or any(_state(each) != state for each, state in states.items()):
            states = {file: _state(file)}
            content = file.read_bytes()
            named = [] if is_trace else _named_files(file, content)
            states.update((each, _state(each)) for each in named)
            found = digest_of(content, *(part for each in named for part in (each.name.encode(), each.read_bytes())))
            self._known[file, is_trace] = states, found
        return found


def _state(file: Path) -> tuple[int, ...]:
    try:
        status = file.stat()
    except OSError:
        return ()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def make_rows(sweep: Sweep, simulator: Simulator, points: Iterable[Point]) -> list[Row]:
    contents = Contents()
    digests = {scenario.name: contents.digest(scenario.file, scenario.is_trace) for scenario in sweep.scenarios}
    return [_make_row(sweep, simulator, point, scenario, digests[scenario.name])
            for point in points for scenario in sweep.scenarios]


def jobs_of(rows: Iterable[Row]) -> list[Job]:
    """Each job once: equal points share a job."""
    return list({row.job.key: row.job for row in rows if row.job is not None}.values())


def _make_row(sweep: Sweep, simulator: Simulator, point: Point, scenario: Scenario, content: str) -> Row:
    violated = tuple(violated_before(sweep, point, scenario))
    if violated:
        return Row(point, scenario, violated, None)
    job = Job("", str(simulator.binary), simulator.digest, "replay" if scenario.is_trace else "run", str(scenario.file),
              content, point.backend, sweep.seed, sweep.max_cycles, point.config)
    # The content of program and scenario counts, not their paths.
    identity = {key: value for key, value in vars(job).items() if key not in ("key", "binary", "file")}
    if point.backend in ("rtl", "lockstep"):
        if os.environ.get("ISBESIM_RTL_BLOCK"):
            identity["start"] = _START
        if os.environ.get("ISBESIM_RTL_ASSERT"):
            identity["assertions"] = os.environ["ISBESIM_RTL_ASSERT"]
    key = digest_of(json.dumps(identity, sort_keys=True).encode())[:20]
    return Row(point, scenario, violated, replace(job, key=key))
