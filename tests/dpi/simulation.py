# SPDX-License-Identifier: Apache-2.0
"""Builds simulations by Verilator alone (--binary --timing) with the monitor in them, and runs them."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
from typing import Any, Sequence

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "mutation"))

import building  # noqa: E402

DPI = ROOT / "testbench" / "dpi"
EXAMPLE = ROOT / "testbench" / "examples" / "dpi"
MONITOR = [DPI / "isbesim_pkg.sv", DPI / "isbe_monitor.sv"]
TIMEOUT = 120  # seconds of a run


class SimulationError(Exception):
    pass


def machine(parameters: dict[str, int]) -> str:
    """The same as the text of a machine's JSON file, without blanks."""
    table = building.rtl_table(ROOT)
    words = {"true": True, "false": False}
    keys: dict[str, Any] = {}
    for row in table["parameters"]:
        value = parameters[row["name"]]
        name = row["values"][value] if "values" in row else None
        keys[row["key"]] = value if name is None else words.get(name, name)
    return json.dumps(keys, separators=(",", ":"))


def build(folder: pathlib.Path, top: str, sources: Sequence[pathlib.Path], library: pathlib.Path,
          parameters: dict[str, int] | None = None, link: str = "") -> pathlib.Path:
    """The simulation of `sources` in `folder`, with libisbesim_model.so at `library`. `link`: flags for the linker."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "build.log"
    command = ["verilator", "--binary", "--timing", "-j", "2", "--build-jobs", "2", "-Wno-fatal", "-CFLAGS", "-O0",
               "-MAKEFLAGS", "OPT_FAST=-O1 OPT_SLOW=-O0", "--Mdir", str(folder / "made"), "--top", top,
               *(f"-G{name}={value}" for name, value in (parameters or {}).items()), *map(str, sources), "-LDFLAGS",
               f"{link} -L{library.parent} -lisbesim_model -Wl,-rpath,{library.parent}", "-o", "simulation"]
    environment = dict(os.environ)
    if shutil.which("ccache"):
        environment["OBJCACHE"] = "ccache"
    with open(log, "w") as out:
        if subprocess.run(command, env=environment, stdout=out, stderr=out).returncode != 0:
            lines = [line for line in log.read_text().splitlines() if "rror" in line]
            raise SimulationError("\n".join([*lines[:20], f"does not build: {log}"]))
    return folder / "made" / "simulation"


def run(simulation: pathlib.Path, *arguments: str, environment: dict[str, str] | None = None) -> tuple[int, str]:
    """Exit status and what it said; -1 where it does not end."""
    try:
        done = subprocess.run([str(simulation), *arguments], env={**os.environ, **(environment or {})}, text=True,
                              timeout=TIMEOUT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except subprocess.TimeoutExpired as late:
        return -1, late.stdout.decode(errors="replace") if isinstance(late.stdout, bytes) else ""
    return done.returncode, done.stdout
