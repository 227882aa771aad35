# SPDX-License-Identifier: Apache-2.0
"""Single runs of the cross-check with a mutant at work: model against RTL, random traffic, every cycle compared."""
from __future__ import annotations

import os
import pathlib
import re
import subprocess
import tempfile
import types
from typing import Mapping

import rewrite
from building import RTL, BuildError

COMPARED = re.compile(r"^lockstep: (\d+) transactions compared", re.M)
MISMATCH, DEADLOCK, STOPPED, ENDLESS = "mismatch", "deadlock", "stopped", "endless"


class Crosscheck:
    """`isbesim`: the program; `block`: the plug-in of the RTL of `configuration`."""

    def __init__(self, isbesim: pathlib.Path, block: pathlib.Path, transactions: int, timeout: float = 120,
                 configuration: str = RTL) -> None:
        self.isbesim, self.block, self.transactions, self.timeout = isbesim, block, transactions, timeout
        self.configuration = configuration

    def run(self, number: int) -> str:
        """How it noticed mutant `number` (0: none), or "" when it did not: mismatch, deadlock, stopped (an error that
        the simulator reports of itself, or a signal) or endless. BuildError when it can't be run without one."""
        return self.examine(number, self.transactions)[0]

    def examine(self, number: int, transactions: int, seed: int = 1,
                more: Mapping[str, str] = types.MappingProxyType({})) -> tuple[str, int]:
        """The same, and the transactions that agreed before. `more`: of the environment."""
        environment = {**os.environ, **more, "ISBESIM_RTL_BLOCK": str(self.block)}
        environment.pop(rewrite.VARIABLE, None)
        if number:
            environment[rewrite.VARIABLE] = str(number)
        with tempfile.TemporaryDirectory() as folder:
            command = [str(self.isbesim), "crosscheck", "--rtl", self.configuration, "--transactions",
                       str(transactions), "--seed", str(seed), "--out", str(pathlib.Path(folder) / "out")]
            try:
                done = subprocess.run(command, env=environment, timeout=self.timeout, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True, errors="replace")
            except subprocess.TimeoutExpired:
                return ENDLESS, 0
            except OSError as error:
                raise BuildError(f"the cross-check can't be run: {error}") from error
        if done.returncode == 2 and not number:
            raise BuildError(f"the cross-check can't be run: {done.stdout.strip()}")
        compared = COMPARED.search(done.stdout)
        agreed = int(compared[1]) if compared else 0
        if done.returncode == 1:
            return DEADLOCK if "deadlock:" in done.stdout else MISMATCH, agreed
        return STOPPED if done.returncode else "", agreed

    def check_clean(self) -> None:
        """Without a mutant nothing may differ: otherwise it proves nothing."""
        noticed = self.run(0)
        if noticed:
            raise BuildError(f"the cross-check ends with {noticed} without a mutant, too: it proves nothing")
