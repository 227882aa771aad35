# SPDX-License-Identifier: Apache-2.0
"""The exceptions: one for each exit status of the simulator, and for each verdict of a check."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .result import Result

# The place that the simulator names for its command line.
COMMAND_LINE = "command-line"


class IsbesimError(Exception):
    """Base of all exceptions. The text is the line that names the mistake."""


class NotFoundError(IsbesimError):
    """No simulator was found."""


class VersionError(IsbesimError):
    """The simulator and this package have different versions."""


class InputError(IsbesimError):
    """Exit status 2: scenario, machine, sweep or option is wrong. The text is "FILE:LINE:COLUMN: mistake,
    expectation"."""

    def __init__(self, text: str):
        super().__init__(text)
        found = re.match(r"(.*?):(\d+):(\d+): (.*)", text, re.DOTALL)
        self.file = found[1] if found else ""
        self.line = int(found[2]) if found else 0
        self.column = int(found[3]) if found else 0
        self.reason = found[4] if found else text

    @property
    def words(self) -> str:
        """The text, without its place if that is a command line, which the caller did not write."""
        return self.reason if self.file == COMMAND_LINE else str(self)


class CheckError(IsbesimError):
    """Exit status 1: the run ended, and a check failed. `result` has its report until then."""

    def __init__(self, text: str, status: str = "failed", result: Result | None = None):
        super().__init__(text)
        self.status = status
        self.result = result


class MismatchError(CheckError):
    """Vertices, responses or cycles differ from the expectation."""


class TrapError(CheckError):
    """A program trapped in a run in which traps are failures."""


class WarningsError(CheckError):
    """There are warnings in a run in which warnings are failures."""


class DeadlockError(CheckError):
    """The draw has not ended, and no event is left."""


class WatchdogError(CheckError):
    """The run had not ended after `max_cycles`."""


class ProtocolError(CheckError):
    """A TLM connection broke its protocol."""


class InternalError(IsbesimError):
    """Exit status 3 or an unknown status: an internal error of the simulator."""


class KilledError(IsbesimError):
    """A signal ended the simulator."""


# By `result.status` of report.json.
CHECK_ERRORS: dict[str, type[CheckError]] = {
    "mismatch": MismatchError, "trap": TrapError, "warning": WarningsError, "deadlock": DeadlockError,
    "watchdog": WatchdogError, "protocol": ProtocolError,
}
