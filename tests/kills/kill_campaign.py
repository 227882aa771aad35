"""Kills a command at random moments, and looks at what is left: a rerun gives the same results, no half file is taken
for a whole one, no lock stays, nothing is left over.

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

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TIMEOUT = 300  # seconds of a rerun


class KillError(Exception):
    """The text is one clear error."""


@dataclasses.dataclass(frozen=True)
class Command:
    name: str
    words: Callable[[pathlib.Path], list[str]]  # with everything it writes below the folder
    results: Callable[[pathlib.Path], list[pathlib.Path]]  # files that a run leaves
    # Of files that are written in place: whoever reads one that is not whole says so.
    refused: Callable[[pathlib.Path], bool] = lambda path: False
    notes: tuple[str, ...] = ()  # names in its folder of what it keeps for itself


def run(words: list[str]) -> int:
    done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=TIMEOUT, text=True)
    if done.returncode not in (0, 1):
        raise KillError(f"{' '.join(words)}: status {done.returncode}: {done.stderr.strip()[-500:]}")
    return done.returncode


def digest(path: pathlib.Path) -> str:
    """Of a report, or a sweep's point with one, without what depends on the clock on the wall."""
    if path.suffix == ".json":
        document = json.loads(path.read_text())
        for part in (document, document.get("report", {})):
            part.pop("host", None)
        document.pop("seconds", None)
        return json.dumps(document, sort_keys=True)
    if path.suffix == ".sqlite":  # pages may lie in another order
        with contextlib.closing(sqlite3.connect(path)) as file:
            lines = [line for line in file.iterdump() if "host" not in line]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()
    return hashlib.sha256(path.read_bytes()).hexdigest()


def state(command: Command, folder: pathlib.Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): digest(path) for path in command.results(folder)}


def listed(command: Command, folder: pathlib.Path) -> list[str]:
    every = (path.relative_to(folder) for path in folder.rglob("*"))
    return sorted(str(path) for path in every if not set(path.parts) & set(command.notes))


def kill_group(process: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def campaign(command: Command, kills: int, seed: int, place: pathlib.Path) -> str:
    """Kills `command` so often; KillError at the first thing that is wrong."""
    folder = place / command.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    words = command.words(folder)
    begin = time.monotonic()
    run(words)
    seconds = time.monotonic() - begin
    expected = state(command, folder)
    if not expected:
        raise KillError(f"{command.name} leaves no results")
    names = listed(command, folder)
    chance = random.Random(seed)
    ended = 0
    for number in range(kills):
        before = chance.random() < 0.5  # results of an earlier run are there, or not
        if not before:
            shutil.rmtree(folder)
            folder.mkdir()
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        # Often early and often late: results are written at the end.
        moment = chance.choice([chance.uniform(0, 1), chance.uniform(0.8, 1.1), chance.uniform(0, 0.1)])
        time.sleep(seconds * moment)
        ended += process.poll() is not None
        kill_group(process)
        for path in command.results(folder):  # what is there now is whole, or is not there
            name = str(path.relative_to(folder))
            if path.exists() and not command.refused(path) and digest(path) != expected.get(name):
                raise KillError(f"{command.name}, kill {number}: {path} is there and is not what a whole run leaves")
        run(words)
        if state(command, folder) != expected:
            raise KillError(f"{command.name}, kill {number}: the rerun's results are others")
        left = listed(command, folder)
        if left != names:
            raise KillError(f"{command.name}, kill {number}: left over: {sorted(set(left) ^ set(names))}")
    return f"{command.name:12} {kills} kills, {ended} of them too late; a run takes {seconds:.2f} s"
