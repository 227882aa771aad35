# SPDX-License-Identifier: Apache-2.0
"""Runs many runs in one process of the simulator, `isbesim serve`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, Iterable, Iterator, Mapping

from .process import Finished, Outcome, die_with_parent, outcome_of

_REPORT = ', "report": '  # the last key of a response


@dataclass(frozen=True)
class Answer:
    id: str
    outcome: Outcome
    report: str  # report.json on one line; "{}" where it is missing


class Server:
    """`jobs` runs at a time. Starts with the first request, and again after it was killed. Ends with this process."""

    _process: subprocess.Popen[str] | None = None  # of the class: an interrupt may come before __init__ has ended

    def __init__(self, binary: Path, jobs: int, environment: Mapping[str, str] | None = None):
        self.binary, self.jobs = binary, jobs
        self._environment = {**os.environ, **(environment or {})}

    def __del__(self) -> None:
        self.close()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, requests: Iterable[Mapping[str, Any]]) -> Iterator[Answer]:
        """An answer per request, in the order of completion; ids are texts. Requests are read when they can run. If the
        server dies, requests under way are answered with its end, and a new server runs the others."""
        try:
            yield from self._answers(iter(requests))
        except BaseException:  # also when the caller stops early
            self.close()
            raise

    def _answers(self, waiting: Iterator[Mapping[str, Any]]) -> Iterator[Answer]:
        under_way: dict[str, None] = {}
        while True:
            process = self.start()
            queue: SimpleQueue[str] = SimpleQueue()
            # In a thread: writing and reading in turn would deadlock if both pipes are full.
            Thread(target=_write, args=(process, queue), daemon=True).start()
            try:
                while True:
                    while len(under_way) < 2 * self.jobs and (request := next(waiting, None)) is not None:
                        under_way[request["id"]] = None
                        queue.put(json.dumps(request) + "\n")
                    if not under_way:
                        return
                    line = process.stdout.readline() if process.stdout else ""
                    if not line.endswith("\n"):
                        break
                    answer = _answer(line)
                    del under_way[answer.id]
                    yield answer
            finally:
                queue.put("")  # ends the thread
            outcome = self._end()
            for key in list(under_way):
                del under_way[key]
                yield Answer(key, outcome, "{}")

    def start(self) -> subprocess.Popen[str]:
        """The running process. In a session of its own: Ctrl-C reaches the driver alone, which then ends it once."""
        if self._process is not None and self._process.poll() is not None:
            self._end()  # the process also ends with the thread that started it
        if self._process is None:
            self._said = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
            # Signals are blocked: Python loses an exception that a signal's handler raises during a fork.
            before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
            try:
                self._process = subprocess.Popen(
                    [str(self.binary), "serve", "--jobs", str(self.jobs)], encoding="utf-8", stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE, stderr=self._said, env=self._environment, start_new_session=True,
                    preexec_fn=partial(_begin, os.getpid(), before))
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return self._process

    def close(self) -> None:
        """Ends the server at once, with its runs."""
        if self._process is not None:
            self._process.kill()
            self._end()

    def _end(self) -> Outcome:
        """Waits for the end of the process; returns how it ended."""
        assert self._process is not None
        process, self._process = self._process, None
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                pipe.close() if pipe else None
        code = process.wait()
        self._said.seek(0)
        said = self._said.read()
        self._said.close()
        return outcome_of(Finished([], min(code, 0) or 3, "", said), {})  # an end is an error, whatever the status


def _begin(parent: int, signals: Iterable[int]) -> None:
    signal.pthread_sigmask(signal.SIG_SETMASK, signals)
    die_with_parent(parent)


def _write(process: subprocess.Popen[str], queue: SimpleQueue[str]) -> None:
    assert process.stdin is not None
    with suppress(OSError, ValueError):  # the other side has ended, which the reader notices
        while line := queue.get():
            process.stdin.write(line)
            process.stdin.flush()


def _answer(line: str) -> Answer:
    head, found, report = line.rstrip().partition(_REPORT)
    known = json.loads(head + " }" if found else head)
    code, (status, _, text) = known["exit_status"], known["status"].partition(": ")
    return Answer(known["id"], Outcome(code, status, text), report.removesuffix(" }") if found else "{}")
