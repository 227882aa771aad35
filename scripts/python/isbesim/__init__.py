# SPDX-License-Identifier: Apache-2.0
"""isbesim from Python: runs, replays, traffic, sweeps and an environment for agents. README.md shows how.

>>> import isbesim
>>> result = isbesim.run("testbench/scenarios/gs_amplify", "gm107", isbe_lines=512)
>>> result.cycles, result["latency.ald.p99"], result.bottleneck  # doctest: +SKIP
"""

from .env import Env
from .errors import (CheckError, DeadlockError, InputError, InternalError, IsbesimError, KilledError, MismatchError,
                     NotFoundError, ProtocolError, TrapError, VersionError, WarningsError, WatchdogError)
from .pool import run_all
from .result import Result, TrafficResult
from .runs import replay, run, traffic
from .simulator import Simulator, find_simulator
from .sweeps import SweepResult, sweep

__all__ = [
    "CheckError", "DeadlockError", "Env", "InputError", "InternalError", "IsbesimError", "KilledError", "MismatchError",
    "NotFoundError", "ProtocolError", "Result", "Simulator", "SweepResult", "TrafficResult", "TrapError",
    "VersionError", "WarningsError", "WatchdogError", "find_simulator", "replay", "run", "run_all", "sweep", "traffic",
]
