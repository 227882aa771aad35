# SPDX-License-Identifier: Apache-2.0
"""Ends a command that receives a signal, with one line on stderr and the status that a shell expects."""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress
from typing import Any, Callable


class Ending:
    """Treats SIGTERM and SIGHUP like Ctrl-C. Signals within PATIENCE count once: one may go to the group and to each
    process. A later signal ends the driver and its processes at once, but not the jobs of a cluster."""

    PATIENCE = 2.0  # seconds

    def __init__(self) -> None:
        self.number = int(signal.SIGINT)
        self.begun: float | None = None
        # Ignored signals stay ignored, as under nohup or in the background of a script.
        self.handled = [number for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
                        if signal.getsignal(number) != signal.SIG_IGN]
        self.handle(self.end)

    def handle(self, handler: Any) -> None:
        for number in self.handled:
            signal.signal(number, handler)

    def end(self, number: int, _: object) -> None:
        if self.begun is None:
            self.number, self.begun = number, time.monotonic()
            raise KeyboardInterrupt
        if time.monotonic() - self.begun > self.PATIENCE:
            end_by(number)


def end_by(number: int) -> None:
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def run_until_signal(command: Callable[[], int]) -> int:
    """Runs `command` and returns its exit status. After a KeyboardInterrupt, whose text completes the last line, ends
    this process by the signal."""
    ending = Ending()
    try:
        status = command()
        sys.stdout.flush()
        ending.handle(signal.SIG_IGN)  # there is nothing left to end
        return status
    except KeyboardInterrupt as interrupt:
        with suppress(BrokenPipeError):
            print(f"explore: ended by {signal.Signals(ending.number).name}{interrupt}", file=sys.stderr, flush=True)
        end_by(ending.number)
    except BrokenPipeError:  # no reader
        end_by(signal.SIGPIPE)
    return 1
