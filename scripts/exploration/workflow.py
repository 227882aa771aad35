# SPDX-License-Identifier: Apache-2.0
"""Runs the jobs that have no result yet, here by one process of the simulator or on a cluster through Snakemake, and
reports their progress."""

from __future__ import annotations

import fcntl
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Iterator, Protocol, TextIO

import isbesim
from isbesim.errors import IsbesimError
from isbesim.process import die_with_parent

from .jobs import Folder, Job, write_atomically
from .worker import run

PYTHON = "/usr/bin/python3"  # Debian's, which has Debian's packages
SNAKEMAKE = "/usr/bin/snakemake"
CANCEL_SECONDS = 30
PACK_SECONDS = 60  # intended length of a cluster's job; to start one takes seconds
PILOTS = 2  # first runs of each kind: the time between their ends estimates the time of a run
_HERE = Path(__file__).resolve().parent


class WorkflowError(IsbesimError):
    """The command line or the place for the jobs is wrong."""


@dataclass(frozen=True)
class Place:
    """Where jobs run: on `cores` of this machine, or as a Snakemake profile describes."""

    cores: int
    profile: Path | None = None
    at_once: int | None = None  # cluster jobs, instead of the profile's


def find_profile(name: str) -> Path:
    """A profile of this folder, or a folder with a config.yaml. Raises WorkflowError."""
    for folder in (_HERE / name, Path(name)):
        if (folder / "config.yaml").is_file():
            return folder.resolve()
    raise WorkflowError(f"no profile '{name}', expected slurm or a folder with a Snakemake config.yaml")


def place_of(cores: int | None, profile: str | None) -> Place:
    """`cores`: runs at a time here (default: all), or jobs of the profile's cluster. Raises WorkflowError."""
    return Place(cores or os.cpu_count() or 1) if profile is None else Place(1, find_profile(profile), cores)


@contextmanager
def locked(folder: Folder) -> Iterator[None]:
    """Admits one driver per folder. The lock ends with its process."""
    with (folder.work / "lock").open("w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise WorkflowError(f"{folder.root} is in use by another start of this sweep") from None
        yield


def unfinished(folder: Folder, jobs: list[Job]) -> list[Job]:
    return [job for job in jobs if not folder.result(job.key).exists()]


def run_jobs(folder: Folder, jobs: list[Job], place: Place, progress: "Watcher") -> None:
    """Returns when every job has a result or an error file with the reason."""
    missing = unfinished(folder, jobs)
    progress.begin(len(jobs) - len(missing))
    if missing and place.profile is None:
        folder.create()
        for job in missing:
            folder.error(job.key).unlink(missing_ok=True)
        count = itertools.count(len(jobs) - len(missing) + 1)
        run(folder, {job.key: job for job in missing}, place.cores, lambda: progress.show(next(count)))
    elif missing and place.profile is not None:
        folder.create()
        with (folder.work / "snakemake.log").open("w", encoding="utf-8") as log:
            for packs in _waves(folder, missing):
                _prepare(folder, packs)
                _watch(folder, _command(folder, place.profile, place.at_once), log, progress, jobs)
    progress.end(len(jobs) - len(unfinished(folder, jobs)))


def _waves(folder: Folder, missing: list[Job]) -> Iterator[list[list[Job]]]:
    """Packs of runs, each a job of the cluster: first a small pack of each kind, which measures the time of a run,
    then the other runs in packs of about PACK_SECONDS."""
    kinds: dict[tuple[str, str], list[Job]] = {}
    for job in missing:
        kinds.setdefault((job.file, job.backend), []).append(job)
    yield [jobs[:PILOTS] for jobs in kinds.values()]
    packs: list[list[Job]] = []
    for jobs in kinds.values():
        try:
            seconds = float((folder.done / jobs[0].key).read_text(encoding="utf-8"))
            size = max(1, int(PACK_SECONDS / max(seconds, 1e-3)))
        except (OSError, ValueError):  # no pilot succeeded
            size = 1
        packs += [jobs[first:first + size] for first in range(PILOTS, len(jobs), size)]
    if packs:
        yield packs


def _prepare(folder: Folder, packs: list[list[Job]]) -> None:
    # Snakemake's own records are removed: results are written whole or not at all, so none is incomplete. But `scratch`
    # stays, since jobs of an earlier, killed start may still run in it on a cluster.
    for stale in (folder.done, folder.work / ".snakemake"):
        shutil.rmtree(stale, ignore_errors=True)
    folder.create()
    for pack in packs:
        write_atomically(folder.pack(pack[0].key), json.dumps([asdict(job) for job in pack]))
        for job in pack:
            folder.error(job.key).unlink(missing_ok=True)
    write_atomically(folder.pending, "\n".join(pack[0].key for pack in packs) + "\n")


def _command(folder: Folder, profile: Path, at_once: int | None) -> list[str]:
    command = [PYTHON, SNAKEMAKE, "--snakefile", str(_HERE / "Snakefile"), "--directory", str(folder.work), "--nolock",
               "--keep-going", "--rerun-triggers", "mtime", "--profile", str(profile)]
    if at_once is not None:
        command += ["--jobs", str(at_once)]
    return [*command, "--config", f"out={folder.root}", f"python={PYTHON}", f"path={_search_path()}",
            f"worker={__package__}.worker"]


def _search_path() -> str:
    """The paths on which a worker finds its modules, as this process found them."""
    assert __package__ is not None
    own = Path(__file__).resolve().parents[__package__.count(".") + 1]
    package = Path(isbesim.__file__).resolve().parents[1]
    return os.pathsep.join(filter(None, [str(own), str(package), os.environ.get("PYTHONPATH")]))


def _watch(folder: Folder, command: list[str], log: TextIO, progress: "Watcher", jobs: list[Job]) -> None:
    # Snakemake's LP scheduler (in Debian's package) costs seconds with many jobs and decides nothing here.
    command = [*command, "--scheduler", "greedy"]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"}
    # Snakemake gets its own session, so that Ctrl-C reaches only this process, which then stops Snakemake once.
    with subprocess.Popen(command, stdout=log, stderr=log, env=environment, start_new_session=True,
                          preexec_fn=partial(die_with_parent, os.getpid())) as process:
        try:
            while process.poll() is None:
                progress.show(len(jobs) - len(unfinished(folder, jobs)))
                time.sleep(0.2 + len(jobs) / 5000)
        except BaseException:  # including a closed pipe at the progress output
            _stop(process)
            raise


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Stops Snakemake, which has to cancel the cluster's jobs."""
    process.send_signal(signal.SIGINT)
    with suppress(subprocess.TimeoutExpired):
        process.wait(CANCEL_SECONDS)
    process.kill()
    process.wait()


class Watcher(Protocol):
    """Receives the progress of run_jobs, in finished runs."""

    def begin(self, finished: int) -> None:
        """`finished`: runs of an earlier start."""

    def show(self, finished: int) -> None:
        """Called from time to time."""

    def end(self, finished: int) -> None:
        """Called after the last run."""


class Progress:
    """"120/200 points, 0:00:41 left": one line that is rewritten on a terminal, else one every few seconds."""

    def __init__(self, total: int, stream: TextIO = sys.stderr, every: float = 10):
        self.total = total
        self.stream = stream
        self.terminal = stream.isatty()
        self.every = 0.2 if self.terminal else every
        self._last = time.monotonic()

    def begin(self, finished: int) -> None:
        self._start, self.begun = finished, time.monotonic()
        self._last = self.begun
        already = f", {finished} of them finished before" if finished else ""
        self._write(f"{self.total} runs{already}", last=True)

    def show(self, finished: int) -> None:
        now = time.monotonic()
        if now - self._last >= self.every:
            self._last = now
            self._write(f"{finished}/{self.total} runs, {self.left(finished, now)}")

    def left(self, finished: int, now: float) -> str:
        finished_here = finished - self._start
        if finished_here == 0:
            return "time left unknown"
        return f"{duration((now - self.begun) / finished_here * (self.total - finished))} left"

    def end(self, finished: int) -> None:
        self._write(f"{finished}/{self.total} runs in {duration(time.monotonic() - self.begun)}", last=True)

    def _write(self, text: str, last: bool = False) -> None:
        if self.terminal:
            self.stream.write(f"\r\033[Kexplore: {text}" + ("\n" if last else ""))
        else:
            self.stream.write(f"explore: {text}\n")
        self.stream.flush()


def duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds + 0.5), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
