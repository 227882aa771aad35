# SPDX-License-Identifier: Apache-2.0
"""Runs jobs. On this machine one `isbesim serve` runs all of them. On a cluster, each process
`python3 -m exploration.worker FOLDER KEY PARENT`, which the Snakemake workflow starts, runs one pack.

A run that ends by itself is finished, whatever its verdict, since it would always end in the same way. A run that is
killed or crashes leaves no result; KEY.error has the reason, and the next start of the sweep runs it again.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import tempfile
import time
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping

from isbesim.process import die_with_parent
from isbesim.server import Answer, Server
from isbesim.simulator import digest_of

from .jobs import Contents, Folder, Job, write_atomically


KEEPERS = 8  # threads that write results, so that no run waits for the disk


def log(folder: Folder, text: str) -> None:
    """Appends a line by one short write, so that lines of several workers do not mix."""
    line = f"{time.strftime('%Y-%m-%dT%H:%M:%S')} {text}\n"
    with folder.history.open("ab", buffering=0) as history:
        history.write(line.encode())


def request_of(job: Job) -> dict[str, Any]:
    request = {"id": job.key, "config": job.config, "isbe": job.backend, "report": True}
    if job.command == "replay":
        return {**request, "trace": job.file}
    watchdog = {} if job.max_cycles is None else {"max_cycles": job.max_cycles}
    return {**request, "scenario": job.file, "seed": job.seed, **watchdog}


def keep(folder: Folder, job: Job, answer: Answer) -> str:
    """Stores the result. Without a result, returns the reason, otherwise ''."""
    if not answer.outcome.is_repeatable:
        return answer.outcome.line
    head = {"key": job.key, "status": answer.outcome.line, "program": job.program, "seed": job.seed}
    # The report is text already: parsing and printing it would take as long as the run.
    write_atomically(folder.result(job.key), f'{json.dumps(head)[:-1]}, "report": {answer.report}}}')
    return ""


def run(folder: Folder, jobs: Mapping[str, Job], cores: int, shown: Callable[[], None] = lambda: None) -> bool:
    """Runs all jobs of one program and stores the results; calls `shown` after each run. False if a run gave no
    result."""
    contents, broken = Contents(), 0

    def ended(key: str, reason: str) -> None:
        nonlocal broken
        log(folder, f"{key} {'broken: ' + reason if reason else 'finish'}")
        if reason:
            broken += 1
            folder.error(key).write_text(reason, encoding="utf-8")
        shown()

    def requests() -> Iterator[dict[str, Any]]:
        for key, job in jobs.items():
            log(folder, f"{key} start {platform.node()} {os.getpid()}")
            if contents.digest(Path(job.file), job.command == "replay") != job.content:
                ended(key, "the scenario has changed since the sweep began")
            else:
                yield request_of(job)

    first = next(iter(jobs.values()))
    binary, program = Path(first.binary), first.program
    folder.scratch.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.scratch) as scratch:
        # Several runs build RTL at a time, each on one processor.
        environment = {"ISBESIM_RTL_JOBS": os.environ.get("ISBESIM_RTL_JOBS", "1"), "TMPDIR": scratch}
        with Server(binary, cores, environment) as server, ThreadPoolExecutor(KEEPERS) as pool:
            server.start()  # first, so that the digest is the running program's
            if digest_of(binary.read_bytes()) != program:
                for key in jobs:
                    ended(key, "the program has changed since the sweep began")
                return False
            kept: deque[tuple[str, Future[str]]] = deque()
            for answer in server.run(requests()):
                kept.append((answer.id, pool.submit(keep, folder, jobs[answer.id], answer)))
                while kept and (kept[0][1].done() or len(kept) > KEEPERS):
                    key, reason = kept.popleft()
                    ended(key, reason.result())
            for key, reason in kept:
                ended(key, reason.result())
    return broken == 0


def main(arguments: list[str]) -> int:
    folder, key = Folder(Path(arguments[0])), arguments[1]
    die_with_parent(int(arguments[2]))
    pack = [Job(**fields) for fields in json.loads(folder.pack(key).read_text(encoding="utf-8"))]
    # A job of an earlier start, still in the cluster's queue, may have finished some of them.
    missing = {job.key: job for job in pack if not folder.result(job.key).exists()}
    ends = [time.monotonic()]
    if missing and not run(folder, missing, 1, lambda: ends.append(time.monotonic())):
        for broken in filter(Path.exists, map(folder.error, missing)):
            print(f"{broken.stem}: {broken.read_text(encoding='utf-8')}", file=sys.stderr)
        return 1
    for job in pack:
        folder.error(job.key).unlink(missing_ok=True)
    # The first run's time includes the start of the simulator.
    steady = ends[1:] if len(ends) > 2 else ends
    (folder.done / key).write_text(str((steady[-1] - steady[0]) / max(len(steady) - 1, 1)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
