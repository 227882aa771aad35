# SPDX-License-Identifier: Apache-2.0
"""A command and whatever it starts, known by a mark in the environment: also what has a session of its own."""
from __future__ import annotations

import contextlib
import os
import pathlib
import signal
import subprocess
import time
from typing import IO

MARK = "ISBESIM_KILLS"


class Family:
    """The processes of one command and its reruns in one folder."""

    def __init__(self, temporary: pathlib.Path) -> None:
        self.temporary = temporary  # their TMPDIR
        self.mark = f"{MARK}={temporary}-{os.getpid()}"
        self.environment = {**os.environ, MARK: self.mark.partition("=")[2], "TMPDIR": str(temporary)}
        temporary.mkdir(parents=True, exist_ok=True)

    def start(self, words: list[str], err: IO[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err,
                                env=self.environment, start_new_session=True)

    def alive(self) -> list[int]:
        found = []
        for place in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):  # it has ended
                if self.mark.encode() in (place / "environ").read_bytes().split(b"\0"):
                    found.append(int(place.name))
        return found

    def names(self) -> list[str]:
        names = []
        for process in self.alive():
            with contextlib.suppress(OSError):
                words = pathlib.Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
                names.append(f"{process}: {b' '.join(words).decode(errors='replace')[:200]}")
        return names

    def has_ended(self, seconds: float) -> bool:
        """Waits at most `seconds` for its end."""
        deadline = time.monotonic() + seconds
        while self.alive() and time.monotonic() < deadline:
            time.sleep(0.02)
        return not self.alive()

    def end(self) -> None:
        for process in self.alive():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
