# SPDX-License-Identifier: Apache-2.0
"""Detector: the cross-check with a mutant at work: model against RTL, random traffic, every cycle compared."""
from __future__ import annotations

import os
import pathlib
import re
import subprocess
import tempfile
import types
from typing import Iterable, Mapping, Sequence

import building
import rewrite
from building import RTL, BuildError
from report import Verdict

COMPARED = re.compile(r"^lockstep: (\d+) transactions compared", re.M)
MISMATCH, DEADLOCK, STOPPED, ENDLESS = "mismatch", "deadlock", "stopped", "endless"


class Crosscheck:
    """`isbesim`: the program; `block`: the plug-in of the RTL of `configuration`."""

    def __init__(self, isbesim: pathlib.Path, block: pathlib.Path, configuration: str = RTL,
                 timeout: float = 120) -> None:
        if not isbesim.is_file():
            raise BuildError(f"{isbesim}: not built")
        self.isbesim, self.block, self.configuration, self.timeout = isbesim, block, configuration, timeout

    def run(self, number: int, transactions: int, seed: int = 1,
            more: Mapping[str, str] = types.MappingProxyType({})) -> tuple[str, int]:
        """How it noticed mutant `number` (0: none), or "" when it did not: mismatch, deadlock, stopped (an error that
        the simulator reports of itself, or a signal) or endless; and the transactions that agreed before. BuildError
        when it can't be run without a mutant. `more`: of the environment."""
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

    def examine(self, number: int, transactions: int, seeds: Iterable[int] = (1,)) -> Verdict:
        """The verdict of runs with `seeds`, up to the first that notices."""
        for seed in seeds:
            noticed, agreed = self.run(number, transactions, seed)
            if noticed:
                return Verdict(f"{self.configuration}: {noticed}", agreed)
        return Verdict()

    def check_clean(self, transactions: int) -> None:
        """Raises BuildError if the cross-check finds a difference without a mutant: it would prove nothing."""
        noticed, _ = self.run(0, transactions)
        if noticed:
            raise BuildError(f"the cross-check ends with {noticed} without a mutant, too: it proves nothing")


def of_rtl(block: Sequence[pathlib.Path], build: pathlib.Path, name: str, configuration: str, timeout: float = 120,
           jobs: int = 0) -> Crosscheck:
    """That of the model as it is, `build`'s isbesim, with `block`, whose plug-in is `name`."""
    return Crosscheck(build / "isbesim", building.plugin(build, name, block, configuration, jobs), configuration,
                      timeout)


def of_model(folder: pathlib.Path, build: pathlib.Path, configuration: str, timeout: float = 120) -> Crosscheck:
    """That of a mutated model, the isbesim in `folder`, with the RTL as it is."""
    clean = building.plugin(build, f"clean_{configuration}", configuration=configuration)
    return Crosscheck(folder / "isbesim", clean, configuration, timeout)
