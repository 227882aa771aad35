# SPDX-License-Identifier: Apache-2.0
"""Configures and builds the mutated sources: a copy of the sources without the RTL, or the RTL block alone."""
from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
from typing import Any, Iterable, Sequence

from sites import ROOT

RTL = "small"  # the RTL configuration to cross-check: latencies that all differ, queues that fill


class BuildError(Exception):
    """The mutated sources do not build. `errors`: (file, line, column) that compilers named, line and column from 1."""

    def __init__(self, message: str, errors: Sequence[tuple[str, int, int]] = ()) -> None:
        super().__init__(message)
        self.errors = list(errors)


# FILE:LINE:COLUMN: error: ...    %Error: FILE:LINE:COLUMN: ...    %Warning-NAME: FILE:LINE:COLUMN: ...
GCC = re.compile(r"^([^\s:%][^\s:]*):(\d+):(\d+): (?:fatal )?error: ", re.M)
VERILATOR = re.compile(r"^%(?:Error|Warning)[^:\n]*: ([^\s:]+):(\d+):(\d+): ", re.M)


def places(log: str) -> list[tuple[str, int, int]]:
    """The places of the compilers' errors, in the order of `log`, each once."""
    found = [match.groups() for pattern in (GCC, VERILATOR) for match in pattern.finditer(log)]
    return list(dict.fromkeys((file, int(line), int(column)) for file, line, column in found))


class Steps:
    """Commands that write into one log; the first that fails ends the build."""

    def __init__(self, log: pathlib.Path, what: str, base: pathlib.Path) -> None:
        self.log, self.what = log, what
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text("")
        # A compiler cache that hears of the copy as its base finds the objects of files that no mutation touches.
        self.environment = dict(os.environ, CCACHE_BASEDIR=str(base), CCACHE_NOHASHDIR="1")

    def run(self, *command: str | pathlib.Path) -> None:
        with open(self.log, "a") as out:
            status = subprocess.run([str(c) for c in command], env=self.environment, stdout=out, stderr=out).returncode
        if status != 0:
            text = self.log.read_text()
            lines = [line for line in text.splitlines() if "rror" in line]
            raise BuildError("\n".join(lines[:20] + [f"{self.what} does not build: {self.log}"]), places(text))


RELEASE = "-O3 -DNDEBUG"


def known_targets(folder: pathlib.Path) -> set[str]:
    listing = subprocess.run(["ninja", "-C", str(folder), "-t", "targets", "all"], stdout=subprocess.PIPE, text=True)
    return {line.split(":")[0] for line in listing.stdout.splitlines()}


def build(copy: str | pathlib.Path, executables: Iterable[str], flags: str = RELEASE) -> pathlib.Path:
    """Builds those of `executables` that the copy knows, in copy/build without the RTL, and returns that folder."""
    copy = pathlib.Path(copy).resolve()
    folder = copy / "build"
    steps = Steps(folder / "mutation.log", "the mutated copy", copy.parent)
    steps.run("cmake", "-S", copy, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
              f"-DCMAKE_CXX_FLAGS_RELEASE={flags}", "-DISBESIM_RTL=OFF")
    known = known_targets(folder)
    steps.run("cmake", "--build", folder, "--target", *sorted(name for name in executables if name in known), "--",
              "-k0")
    return folder


def rtl_table(root: pathlib.Path) -> dict[str, Any]:
    """rtl_ref/configurations.json"""
    table: dict[str, Any] = json.loads((root / "rtl_ref" / "configurations.json").read_text())
    return table


def sources_of_block(root: pathlib.Path) -> list[pathlib.Path]:
    """The files of the RTL block, packages first."""
    return [root / "rtl_ref" / name for name in rtl_table(root)["sources"]]


def parameters(configuration: str) -> dict[str, int]:
    """Every parameter of a named configuration of the RTL."""
    table = rtl_table(ROOT)
    for row in table["configurations"]:
        if row["name"] == configuration:
            return {each["name"]: row["parameters"].get(each["name"], each["default"]) for each in table["parameters"]}
    raise BuildError(f"no RTL configuration '{configuration}'")


def lint(block: Sequence[pathlib.Path], log: pathlib.Path, configuration: str) -> None:
    """Raises BuildError when Verilator does not take the block; quicker than a build."""
    Steps(log, "the mutated block", log.parent).run(
        "verilator", "--lint-only", "--top", "isbe_top",
        *(f"-G{name}={value}" for name, value in parameters(configuration).items()), *block)


def mutant_cache(build: pathlib.Path) -> pathlib.Path:
    """Mutants stay out of the cache that others use."""
    return build / "mutation_rtl" / "cache"


def plugin(build: pathlib.Path, name: str, block: Sequence[pathlib.Path] = (), configuration: str = RTL,
           jobs: int = 0) -> pathlib.Path:
    """The plug-in of `block`, a mutated rtl_ref, or of the RTL as it is, below the build folder `build`. `jobs`:
    compilers at a time, 0 as many as there are processors."""
    out = build / "mutation_rtl" / f"{name}.so"
    steps = Steps(out.with_suffix(".log"), "the RTL", ROOT)
    steps.environment["ISBESIM_RTL_CACHE"] = str(mutant_cache(build))
    if jobs:
        steps.environment["ISBESIM_RTL_JOBS"] = str(jobs)
    own: list[str | pathlib.Path] = ["--lanes-of-rtl-ref", "--block", *block] if block else []
    steps.run(ROOT / "scripts" / "rtl", "--name", configuration, *own, "--out", out)
    return out
