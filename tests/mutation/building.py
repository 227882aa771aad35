"""Configures and builds what is mutated: a copy of the sources without the RTL, or the RTL block alone."""
from __future__ import annotations

import os
import pathlib
import re
import subprocess
from typing import Iterable, Sequence

RTL = "small"  # the compiled configuration: latencies that all differ, queues that fill


class BuildError(Exception):
    """What is mutated does not build. `errors`: (file, line, column) that compilers named, line and column from 1."""

    def __init__(self, message: str, errors: Sequence[tuple[str, int, int]] = ()) -> None:
        super().__init__(message)
        self.errors = list(errors)


# FILE:LINE:COLUMN: error: ...    %Error: FILE:LINE:COLUMN: ...    %Warning-NAME: FILE:LINE:COLUMN: ...
GCC = re.compile(r"^([^\s:%][^\s:]*):(\d+):(\d+): (?:fatal )?error: ", re.M)
VERILATOR = re.compile(r"^%(?:Error|Warning)[^:\n]*: ([^\s:]+):(\d+):(\d+): ", re.M)


def places(log: str) -> list[tuple[str, int, int]]:
    """Where compilers found errors, in the order of `log`, each once."""
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


def _configure(steps: Steps, source: pathlib.Path, folder: pathlib.Path, *options: str) -> None:
    steps.run("cmake", "-S", source, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
              "-DCMAKE_CXX_FLAGS_RELEASE=-O3 -DNDEBUG", *options)


def known_targets(folder: pathlib.Path) -> set[str]:
    listing = subprocess.run(["ninja", "-C", str(folder), "-t", "targets", "all"], stdout=subprocess.PIPE, text=True)
    return {line.split(":")[0] for line in listing.stdout.splitlines()}


def build(copy: str | pathlib.Path, executables: Iterable[str]) -> pathlib.Path:
    """Builds those of `executables` that the copy knows, in copy/build without the RTL, and returns that folder."""
    copy = pathlib.Path(copy).resolve()
    folder = copy / "build"
    steps = Steps(folder / "mutation.log", "the mutated copy", copy.parent)
    _configure(steps, copy, folder, "-DISBESIM_RTL=OFF")
    known = known_targets(folder)
    steps.run("cmake", "--build", folder, "--target", *sorted(name for name in executables if name in known), "--",
              "-k0")
    return folder


def sources_of_block(root: pathlib.Path) -> list[pathlib.Path]:
    """The files of the RTL block, packages first."""
    text = (root / "scripts" / "cmake" / "verilated.cmake").read_text()
    names = re.search(r"foreach\(name IN ITEMS ([^)]*)\)", text)
    if names is None:
        raise BuildError("scripts/cmake/verilated.cmake: the list of the RTL's files is not where it was")
    return [root / "rtl_ref" / f"{name}.sv" for name in names[1].split()]


def lint(block: Sequence[pathlib.Path], log: pathlib.Path) -> None:
    """Raises BuildError when Verilator does not take the block; quicker than a build."""
    Steps(log, "the mutated block", log.parent).run("verilator", "--lint-only", "--top", "isbe_top", *block)


def build_crosscheck(copy: pathlib.Path, block: Sequence[pathlib.Path] = ()) -> list[str]:
    """A command that cross-checks the model of `copy` with the RTL of `copy`, or with `block`. Built in copy/crosscheck:
    a folder as deep as that of any build, or a compiler cache would take its objects for others."""
    copy = copy.resolve()
    folder = copy / "crosscheck"
    steps = Steps(folder / "mutation.log", "the cross-check", copy.parent)
    _configure(steps, copy, folder, "-DISBESIM_RTL=ON", "-DISBESIM_TESTS=OFF", f"-DISBESIM_RTL_CONFIGURATIONS={RTL}",
               f"-DISBESIM_RTL_BLOCK={';'.join(map(str, block))}")
    steps.run("cmake", "--build", folder, "--target", "isbesim", "--", "-k0")
    return [str(folder / "isbesim"), "crosscheck", "--rtl", RTL]
