"""Runs one job: `python3 -m exploration.worker FOLDER KEY PARENT`, from the Snakemake workflow, on this machine or a
cluster's.

A run that ends by itself is finished, whatever its verdict: it would end so again. A run that is killed or breaks down
leaves no result; its reason stands in KEY.error, and the next start of the sweep runs it again.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import sys
import tempfile
import time
from pathlib import Path

from isbesim.process import die_with_parent, execute, outcome_of
from isbesim.runs import arguments_of
from isbesim.simulator import digest_of

from .jobs import Folder, Job, content_digest, write_atomically


def log(folder: Folder, text: str) -> None:
    """One short write to a file opened for appending: lines of several workers do not mix."""
    line = f"{time.strftime('%Y-%m-%dT%H:%M:%S')} {text}\n"
    with folder.history.open("ab", buffering=0) as history:
        history.write(line.encode())


def changed(job: Job) -> str:
    """The input that changed after the sweep was read, or ''."""
    if digest_of(Path(job.binary).read_bytes()) != job.program:
        return "the program has changed since the sweep began"
    if content_digest(Path(job.file), job.command == "replay") != job.content:
        return "the scenario has changed since the sweep began"
    return ""


def run(folder: Folder, job: Job) -> str:
    """Simulates and keeps the result. Returns the reason of a failure, or ''."""
    if reason := changed(job):
        return reason
    folder.scratch.mkdir(exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=f"{job.key}.", dir=folder.scratch))
    try:
        config = scratch / "machine.json"
        config.write_text(json.dumps(job.config), encoding="utf-8")
        begin = time.monotonic()
        # Several workers build at a time, each on one processor.
        done = execute(Path(job.binary), arguments_of(job.command, Path(job.file), config=str(config),
                                                      backend=job.backend, out=scratch / "out", seed=job.seed,
                                                      max_cycles=job.max_cycles),
                       {"ISBESIM_RTL_JOBS": os.environ.get("ISBESIM_RTL_JOBS", "1")}, tied=True)
        seconds = time.monotonic() - begin
        file = scratch / "out" / "report.json"
        report = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        outcome = outcome_of(done, report)
        if not outcome.is_repeatable:
            return outcome.line
        result = {"key": job.key, "status": outcome.line, "program": job.program, "seed": job.seed,
                  "seconds": round(seconds, 3), "report": report}
        write_atomically(folder.result(job.key), json.dumps(result))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return ""


def main(arguments: list[str]) -> int:
    folder, key = Folder(Path(arguments[0])), arguments[1]
    die_with_parent(int(arguments[2]))
    if not folder.result(key).exists():  # a job of an earlier start may have finished it in the queue
        log(folder, f"{key} start {platform.node()} {os.getpid()}")
        reason = run(folder, Job(**json.loads(folder.job(key).read_text(encoding="utf-8"))))
        log(folder, f"{key} {'broken: ' + reason if reason else 'finish'}")
        if reason:
            write_atomically(folder.error(key), reason)
            print(f"{key}: {reason}", file=sys.stderr)
            return 1
    folder.error(key).unlink(missing_ok=True)
    (folder.done / key).touch()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
