# SPDX-License-Identifier: Apache-2.0
"""Examples of address_proof, in which the RTL differs from the rules, as traces, and played on the RTL."""
from __future__ import annotations

import os
import pathlib
import subprocess
import tempfile

import smt2

ROOT = smt2.ROOT
BUILD = ROOT / "build"


def block(sources: pathlib.Path) -> str:
    """The files of the RTL as ISBESIM_RTL_BLOCK takes them: those of `sources` where it has them."""
    names = smt2.table()["sources"]
    return ":".join(str(smt2.source(sources, name).resolve()) for name in names)


def fields_of(line: str) -> list[str]:
    """NAME=VALUE of a line of address_proof that says `differs`."""
    return line.split(";", 1)[1].split()


def write(line: str, configuration: str, trace: pathlib.Path) -> None:
    trace.parent.mkdir(parents=True, exist_ok=True)
    command = [str(BUILD / "counterexample_trace"), configuration, str(trace), *fields_of(line)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise smt2.ProofError(f"{trace}: {done.stderr.strip().splitlines()[-1]}")


def play(trace: pathlib.Path, sources: pathlib.Path) -> bool:
    """Whether model and RTL differ at the pins."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(BUILD / "isbesim"), "replay", str(trace), "--isbe", "lockstep", "--quiet", "--out",
                   f"{folder}/out"]
        done = subprocess.run(command, capture_output=True, text=True,
                              env=dict(os.environ, ISBESIM_RTL_BLOCK=block(sources)))
    if done.returncode not in (0, 1):
        raise smt2.ProofError(f"{trace}: {done.stderr.strip()}")
    return done.returncode == 1
