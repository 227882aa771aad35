# SPDX-License-Identifier: Apache-2.0
"""Starts the simulator and reports how it ended. The whole package starts it here."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Sequence

from .errors import CHECK_ERRORS, CheckError, InputError, InternalError, IsbesimError, KilledError

if TYPE_CHECKING:
    from .result import Result

Finished = subprocess.CompletedProcess[str]

_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1
# The simulator's message while scripts/rtl builds the RTL of a machine.
_BUILDING = ("isbesim: building the RTL", "isbesim: waiting for another process that builds")
DONE = "done"
WRONG_INPUT = "wrong input"


def die_with_parent(parent: int) -> None:
    """Ends this process with its driver: after a kill, the driver's next start would run the same job a second time."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died before the call
        os._exit(1)


def execute(binary: Path, arguments: Sequence[str]) -> Finished:
    """Runs the simulator to its end."""
    return subprocess.run([str(binary), *arguments], capture_output=True, check=False, encoding="utf-8",
                          errors="replace", stdin=subprocess.DEVNULL)


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    code: int  # exit status; negative: the signal
    status: str  # "done", a verdict such as "watchdog", "wrong input", or how it broke down
    text: str  # the line with the reason, for wrong input FILE:LINE:COLUMN: ...

    @property
    def line(self) -> str:
        return DONE if self.code == 0 else f"{self.status}: {self.text}"

    @property
    def is_repeatable(self) -> bool:
        """True if every run of this input ends in this way: the simulator reached its verdict by itself."""
        return self.code in (0, 1, 2)

    def error(self, result: Result | None = None) -> IsbesimError | None:
        """The exception for this outcome; None if the run ended well."""
        if self.code == 0:
            return None
        if self.code == 1:
            return CHECK_ERRORS.get(self.status, CheckError)(self.line, self.status, result)
        if self.code == 2:
            return InputError(self.text)
        return KilledError(self.line) if self.code < 0 else InternalError(self.line)


def outcome_of(done: Finished, report: Mapping[str, Any]) -> Outcome:
    """The outcome, from exit status, stderr and the verdict of report.json, if any."""
    if done.returncode == 0:
        return Outcome(0, DONE, "")
    lines = [line for line in done.stderr.splitlines() if line.strip() and not line.startswith(_BUILDING)]
    if done.returncode not in (1, 2):
        how = f"killed by signal {-done.returncode}" if done.returncode < 0 else f"exit status {done.returncode}"
        return Outcome(done.returncode, how, lines[-1].strip() if lines else "no message")
    text = lines[-1 if done.returncode == 2 else 0] if lines else f"exit status {done.returncode}"
    text = text.removeprefix("isbesim: ").removeprefix("error: ")
    verdict = str(report.get("result", {}).get("status") or (WRONG_INPUT if done.returncode == 2 else "failed"))
    return Outcome(done.returncode, verdict, text.removeprefix(f"{verdict}: "))
