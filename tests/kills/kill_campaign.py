# SPDX-License-Identifier: Apache-2.0
"""Kills a command at random moments, and examines the leftovers: a rerun gives the same results, no half file is taken
for a whole one, no lock stays, nothing is left over and nothing runs on.

The results that count are those of a run that nobody disturbed; each command says which files these are. What depends
on the clock on the wall does not count."""
from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import time
from typing import Callable

from processes import Family

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TIMEOUT = 300  # seconds of a rerun
PATIENCE = 180  # seconds until the last process of a killed command has ended by itself


class KillError(Exception):
    """Its text is the error message."""


def ends_by_signal(status: int, number: int, err: list[str], program: str) -> bool:
    """At once, with one line; or the signal came too late."""
    name = signal.Signals(number).name
    return status == 0 or (status == -number and len(err) == 1 and err[0].startswith(f"{program}: ended by {name}"))


@dataclasses.dataclass(frozen=True)
class Command:
    name: str
    words: Callable[[pathlib.Path], list[str]]  # with everything it writes below the folder
    results: Callable[[pathlib.Path], list[pathlib.Path]]  # files that a run leaves
    # True if readers report that a file written in place is incomplete. KillError where one is wrong.
    refused: Callable[[pathlib.Path], bool] = lambda path: False
    notes: tuple[str, ...] = ()  # names in its folder of what it keeps for itself
    idle: Callable[[], bool] = lambda: True  # nothing of it waits in a queue elsewhere
    # Whether it ends as it should by a signal: exit status (less than 0: that signal), the signal, lines on stderr.
    ends: Callable[[int, int, list[str]], bool] = lambda status, number, err: ends_by_signal(status, number, err,
                                                                                             "isbesim")
    keeps: Callable[[str], bool] = lambda name: False  # what a signal leaves on purpose
    warms_up: bool = False  # the second run is quicker


def digest(path: pathlib.Path, without_reruns: bool = False) -> str:
    """Digest of a report, or a sweep's point with one, without what depends on the time of day. `without_reruns`: nor
    what processes of its own measure for it, which is absent from the report where one of them was killed."""
    reruns = ("measured", "rests_on") if without_reruns else ()
    if path.suffix == ".json":
        document = json.loads(path.read_text())
        for part, keys in ((document, ("host", "of", *reruns)), (document.get("report", {}), ("host", "of", *reruns)),
                           (document.get("covers", {}), reruns)):
            for key in keys:
                part.pop(key, None)
        document.pop("seconds", None)
        return json.dumps(document, sort_keys=True)
    if path.suffix == ".sqlite":  # pages may lie in another order
        with contextlib.closing(sqlite3.connect(path)) as file:
            lines = [line for line in file.iterdump() if not any(key in line for key in ("host", *reruns))]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Campaign:
    """One command in a folder of its own. KillError at the first thing that is wrong."""

    def __init__(self, command: Command, seed: int, place: pathlib.Path) -> None:
        self.command = command
        self.chance = random.Random(seed)
        self.folder = place / command.name
        self.errors = place / "stderr"
        self.family = Family(place / "tmp")
        self.where = command.name
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.words = command.words(self.folder)
        if command.warms_up:
            self.run()
            self.empty()
        self.seconds = self.timed_run()
        self.expected = self.state()
        self.without_reruns = self.state(True)
        self.names = self.listed()
        if not self.expected:
            raise KillError(f"{command.name} leaves no results")
        self.seconds_again = self.timed_run()  # over its results, which may have little left to do

    def fail(self, text: str) -> KillError:
        return KillError(f"{self.where}: {text}")

    def start(self) -> subprocess.Popen[bytes]:
        with self.errors.open("w") as err:
            return self.family.start(self.words, err)

    def run(self) -> None:
        """Undisturbed."""
        status = self.start().wait(TIMEOUT)
        if status not in (0, 1):
            raise self.fail(f"status {status}: {self.errors.read_text().strip()[-500:]}")

    def timed_run(self) -> float:
        begin = time.monotonic()
        self.run()
        return time.monotonic() - begin

    def state(self, without_reruns: bool = False) -> dict[str, str]:
        return {str(path.relative_to(self.folder)): digest(path, without_reruns)
                for path in self.command.results(self.folder)}

    def listed(self) -> list[str]:
        every = (path.relative_to(self.folder) for path in self.folder.rglob("*"))
        return sorted(str(path) for path in every if not set(path.parts) & set(self.command.notes))

    def empty(self) -> None:
        shutil.rmtree(self.folder)
        self.folder.mkdir()

    def moment(self, seconds: float) -> float:
        """A moment of a run that takes `seconds`. Often early and often late: results are written at the end."""
        chance = self.chance
        return seconds * chance.choice([chance.uniform(0, 1), chance.uniform(0.8, 1.1), chance.uniform(0, 0.1)])

    def kills(self, count: int) -> str:
        late = 0
        for number in range(count):
            again = self.chance.random() < 0.5  # results of an earlier run are there, or not
            if not again:
                self.empty()
            victim = self.chance.choice(["the whole group", "the command alone", "one that it has started"])
            self.where = f"{self.command.name}, kill {number} of {victim}"
            process = self.start()
            time.sleep(self.moment(self.seconds_again if again else self.seconds))
            late += process.poll() is not None
            self.kill(process, victim)
            self.look_at_results(victim == "one that it has started")
            self.run()
            self.look_at_rerun()
        return (f"{self.command.name:15} {count} kills, {late} of them too late; a run takes {self.seconds:.2f} s, "
                f"{self.seconds_again:.2f} s over its results")

    def kill(self, process: subprocess.Popen[bytes], victim: str) -> None:
        others = [other for other in self.family.alive() if other != process.pid]
        with contextlib.suppress(ProcessLookupError):
            if victim == "one that it has started" and others:
                os.kill(self.chance.choice(others), signal.SIGKILL)
            elif victim == "the whole group":
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        process.wait(TIMEOUT)
        if "Traceback" in self.errors.read_text(errors="replace"):
            raise self.fail(f"not one clear line: {self.errors.read_text()[-500:]}")

    def look_at_results(self, without_reruns: bool = False) -> None:
        """Each result is whole or missing."""
        expected = self.without_reruns if without_reruns else self.expected
        for path in self.command.results(self.folder):
            name = str(path.relative_to(self.folder))
            if (path.exists() and not self.command.refused(path)
                    and digest(path, without_reruns) != expected.get(name)):
                raise self.fail(f"{path} is there and is not what a whole run leaves")

    def look_at_rerun(self) -> None:
        if self.state() != self.expected:
            raise self.fail("the rerun's results are others")
        self.wait_for_the_last_process()
        left = self.listed()
        if left != self.names:
            raise self.fail(f"left over: {sorted(set(left) ^ set(self.names))}")

    def wait_for_the_last_process(self) -> None:
        if not self.family.has_ended(PATIENCE):
            raise self.fail(f"still running: {self.family.names()}")
        deadline = time.monotonic() + PATIENCE
        while not self.command.idle():
            if time.monotonic() > deadline:
                raise self.fail("something of it still waits to run")
            time.sleep(0.2)
        if left := sorted(path.name for path in self.family.temporary.iterdir()):
            raise self.fail(f"left in the folder for temporary files: {left}")

    def signals(self, count: int, number: int) -> str:
        """The same with a signal that a command can do something about: nothing is left then, before any rerun."""
        late = 0
        for time_of_it in range(count):
            self.empty()
            to_all = self.chance.random() < 0.5  # Ctrl-C on a terminal, or kill
            self.where = f"{self.command.name}, signal {number}, number {time_of_it}{', to all' if to_all else ''}"
            process = self.start()
            while process.poll() is None and not self.listed():  # before, there is nothing to clean up
                time.sleep(0.001)
            time.sleep(self.seconds * self.chance.uniform(0, 0.7))
            late += process.poll() is not None
            with contextlib.suppress(ProcessLookupError):
                if to_all:
                    os.killpg(process.pid, number)
                else:
                    process.send_signal(number)
            status = process.wait(TIMEOUT)
            err = self.errors.read_text().splitlines()
            if not self.command.ends(status, number, err):
                raise self.fail(f"ends with status {status} and {err}")
            self.wait_for_the_last_process()
            self.look_at_results()
            left = [name for name in self.listed() if not self.command.keeps(name)]
            if left not in ([], [name for name in self.names if not self.command.keeps(name)]):
                raise self.fail(f"left over: {left}")
            self.run()
            self.look_at_rerun()
        return f"{self.command.name:15} {count} times {signal.Signals(number).name}, {late} of them too late"
