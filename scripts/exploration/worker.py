"""Runs one job: `worker.py FOLDER KEY PARENT`, from the Snakemake workflow, on this machine or a cluster's.

A run that ends by itself is finished, whatever its verdict: it would end so again. A run that is killed or breaks down
leaves no result; its reason stands in KEY.error, and the next start of the sweep runs it again.
"""

from __future__ import annotations

import ctypes
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from exploration.jobs import Folder, Job, content_digest, write_atomically  # noqa: E402
from exploration.simulator import digest_of  # noqa: E402

# Exit statuses of the simulator that the same input gives again: done, a check failed, wrong input.
_REPEATABLE = (0, 1, 2)
_PR_SET_PDEATHSIG = 1
# What the simulator says before it simulates, while scripts/rtl builds the RTL of a machine.
_BUILDING = ("isbesim: building the RTL", "isbesim: waiting for another process that builds")


def die_with_parent(parent: int) -> None:
    """Nothing goes on running behind a killed driver: its next start would run the same job beside it."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died before the call
        os._exit(1)


def log(folder: Folder, text: str) -> None:
    """One short write to a file opened for appending: lines of several workers do not mix."""
    line = f"{time.strftime('%Y-%m-%dT%H:%M:%S')} {text}\n"
    with folder.history.open("ab", buffering=0) as history:
        history.write(line.encode())


def command_of(job: Job, config: Path, out: Path) -> list[str]:
    command = [job.binary, job.command, job.file, "--config", str(config), "--isbe", job.backend, "--out", str(out),
               "--quiet"]
    if job.command == "run":
        command += ["--seed", str(job.seed)]
        if job.max_cycles is not None:
            command += ["--max-cycles", str(job.max_cycles)]
    return command


def changed(job: Job) -> str:
    """What is no longer as it was when the sweep was read, or ''."""
    if digest_of(Path(job.binary).read_bytes()) != job.program:
        return "the program has changed since the sweep began"
    if content_digest(Path(job.file), job.command == "replay") != job.content:
        return "the scenario has changed since the sweep began"
    return ""


def status_of(done: subprocess.CompletedProcess[str], report: dict[str, object]) -> str:
    if done.returncode == 0:
        return "done"
    lines = [line for line in done.stderr.splitlines() if line.strip() and not line.startswith(_BUILDING)]
    text = lines[-1 if done.returncode == 2 else 0] if lines else f"exit status {done.returncode}"
    text = text.removeprefix("isbesim: ").removeprefix("error: ")
    verdict = report.get("result", {}).get("status")  # type: ignore[attr-defined]
    verdict = verdict or ("wrong input" if done.returncode == 2 else "failed")
    return f"{verdict}: {text.removeprefix(f'{verdict}: ')}"


def run(folder: Folder, job: Job) -> str:
    """Simulates and keeps the result. Returns why there is none, or ''."""
    if reason := changed(job):
        return reason
    scratch = folder.scratch / f"{job.key}.{os.getpid()}"
    scratch.mkdir(parents=True)
    try:
        config = scratch / "machine.json"
        config.write_text(json.dumps(job.config))
        begin = time.monotonic()
        # Several workers build at a time, each on one processor.
        done = subprocess.run(command_of(job, config, scratch / "out"), capture_output=True, text=True, check=False,
                              env={"ISBESIM_RTL_JOBS": "1", **os.environ},
                              preexec_fn=partial(die_with_parent, os.getpid()))
        seconds = time.monotonic() - begin
        if done.returncode not in _REPEATABLE:
            how = f"killed by signal {-done.returncode}" if done.returncode < 0 else f"exit status {done.returncode}"
            return f"{how}: {(done.stderr.strip().splitlines() or ['no message'])[-1]}"
        file = scratch / "out" / "report.json"
        report = json.loads(file.read_text()) if file.exists() else {}
        result = {"key": job.key, "status": status_of(done, report), "program": job.program, "seed": job.seed,
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
        reason = run(folder, Job(**json.loads(folder.job(key).read_text())))
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
