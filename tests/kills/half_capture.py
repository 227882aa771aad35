# SPDX-License-Identifier: Apache-2.0
"""The allowed remains of a capture (testbench/gl/capture/capture_format.h) whose session was killed."""
from __future__ import annotations

import pathlib
import re
import subprocess

from kill_campaign import KillError

HEADER, CHUNK = 32, 20  # bytes
DRAW, END = 2, 4


def whole_chunks(content: bytes) -> list[int]:
    """Their kinds. Walks over the sizes only; contents are the reader's matter."""
    kinds, at = [], HEADER
    while at + CHUNK <= len(content):
        kind, stored = (int.from_bytes(content[at + i:at + i + 4], "little") for i in (0, 4))
        at += CHUNK + stored
        if at <= len(content):
            kinds.append(kind)
    return kinds


class HalfCapture:
    """Looks at captures beside a whole one of the same program."""

    def __init__(self, isbesim: pathlib.Path, whole: pathlib.Path) -> None:
        self.isbesim, self.whole = isbesim, whole

    def ask(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([self.isbesim, *words], capture_output=True, text=True, timeout=120, check=False)

    def is_incomplete(self, path: pathlib.Path) -> bool:
        """Whether the capture is incomplete; then its whole chunks must be readable. Raises KillError."""
        content = path.read_bytes()
        if content == self.whole.read_bytes():
            return False
        info = self.ask("capture-info", str(path))
        if len(content) < HEADER:
            if info.returncode != 2 or len(info.stderr.splitlines()) != 1:
                raise KillError(f"a capture of {len(content)} bytes is not refused: {info.stdout}{info.stderr}")
            return True
        kinds = whole_chunks(content)
        ended = END in kinds  # the program was killed, or draws were refused, and the session went on to its end
        if not ended and not self.whole.read_bytes().startswith(content):
            raise KillError("a half capture is not the beginning of the whole one")
        found = re.search(r"(\d+) draws?", info.stdout)
        if info.returncode != 0 or found is None or int(found.group(1)) != kinds.count(DRAW):
            raise KillError(f"of a capture with {kinds.count(DRAW)} draws: {info.stdout}{info.stderr}")
        if ("the session was killed" in info.stdout) == ended:
            raise KillError(f"capture-info says the wrong thing of the session's end: {info.stdout}")
        self.last_draw_runs(path, kinds.count(DRAW))
        return True

    def last_draw_runs(self, path: pathlib.Path, draws: int) -> None:
        if draws == 0:
            return
        out = path.with_name("draw")
        done = self.ask("run", str(path), "--draw", str(draws - 1), "--isbe", "lt", "--quiet", "--out", str(out))
        for file in out.iterdir() if out.is_dir() else ():
            file.unlink()
        if out.is_dir():
            out.rmdir()
        if done.returncode != 0:
            raise KillError(f"draw {draws - 1} of a half capture: {done.stderr}")
