# SPDX-License-Identifier: Apache-2.0
"""Mutants made by named operators from source files: built into one copy, run one after the other.

What does not compile is dropped: of each error the innermost mutant at its place, or else all of its line, until the
rest compiles. The tests that are named after rows must notice a mutant, or those that --tests says. Those of the ISBE's
model and RTL are scripts/mutate's."""
from __future__ import annotations

import argparse
import collections
import dataclasses
import pathlib
import re
import time
from typing import Callable, Sequence

import building
import operators
import rewrite
import row_tests
import running
import sites
from operators import Mutant, sampled
from report import Verdict, rows_of, table

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OF_MUTATE = ("models/isbe/", "models/attribute/", "models/clocked/", "rtl_ref/")
ROUNDS = 40


@dataclasses.dataclass
class Set:
    """The mutants of one build by their numbers, and those that do not compile."""

    mutants: dict[int, Mutant]
    dropped: list[Mutant] = dataclasses.field(default_factory=list)

    def rewritten(self) -> dict[str, rewrite.Rewritten]:
        """file -> its text with every mutant."""
        spans: dict[str, list[rewrite.Span]] = collections.defaultdict(list)
        for number, mutant in self.mutants.items():
            spans[mutant.file].append(mutant.span(number))
        files = {*spans, *(mutant.file for mutant in self.dropped)}
        return {file: rewrite.rewrite_spans((ROOT / file).read_text(), spans[file], rewrite.language_of(file))
                for file in sorted(files)}

    def drop(self, errors: Sequence[tuple[str, int, int]], texts: dict[str, rewrite.Rewritten]) -> int:
        """Drops those that `errors` are about and returns how many they are."""
        guilty: set[int] = set()
        for path, line, column in errors:
            file = self._file_of(path, texts)
            if file is not None:
                guilty |= self._at(file, line, column, texts[file])
        for number in guilty:
            self.dropped.append(self.mutants.pop(number))
        return len(guilty)

    @staticmethod
    def _file_of(path: str, texts: dict[str, rewrite.Rewritten]) -> str | None:
        """The mutated file that a compiler means: a copy's path ends like the original's; a block's files lie flat."""
        for file in texts:
            if path.endswith("/" + file) or (file.startswith("rtl_ref/") and
                                             pathlib.Path(path).name == pathlib.Path(file).name):
                return file
        return None

    def _at(self, file: str, line: int, column: int, here: rewrite.Rewritten) -> set[int]:
        head = rewrite.language_of(file).head
        begin_of_text = head.count("\n")  # #line hides these lines from the compiler
        lines = here.text.split("\n")
        if line < 1 or line + begin_of_text > len(lines):
            return set()
        offset = sum(len(text) + 1 for text in lines[:line - 1 + begin_of_text]) + column - 1
        around = [(end - begin, number) for begin, end, number in here.regions if begin <= offset < end]
        if around:
            return {min(around)[1]}
        return {n for n, m in self.mutants.items() if m.file == file and m.line <= line <= m.line + m.old.count("\n")}


def made(given: argparse.Namespace) -> list[Mutant]:
    """What the operators make of the files, or a sample of it."""
    mutants: list[Mutant] = []
    for name in given.operators:
        path = (ROOT / name).resolve()
        if not path.is_file() or ROOT not in path.parents:
            raise sites.ListError(f"{name}: no source file of this checkout")
        file = str(path.relative_to(ROOT))
        if file.startswith(OF_MUTATE) or not file.startswith(("models/", "testbench/", "tlm/")):
            raise sites.ListError(f"{name}: expected a file of models, testbench or tlm, and none that scripts/mutate "
                                  "takes")
        mutants += operators.generate(file, path.read_text(), given.operator)
    mutants = sampled(mutants, given.sample, given.seed)
    if not mutants:
        raise sites.ListError("the operators make nothing of " + ", ".join(given.operators))
    return mutants


def until_it_builds(mutants: Set, attempt: Callable[[dict[str, str]], None]) -> None:
    """Writes and builds, without what does not compile; BuildError when that is not the mutants' fault."""
    for _ in range(ROUNDS):
        texts = mutants.rewritten()
        try:
            attempt({file: here.text for file, here in texts.items()})
            return
        except building.BuildError as error:
            if mutants.drop(error.errors, texts) == 0:
                raise
    raise building.BuildError(f"the mutants do not build after {ROUNDS} rounds")


def row_test_names(runner: running.Runner, pattern: str | None) -> list[str]:
    """Tests that `pattern` names, or all that are named after a row: short ones first."""
    names = [name for name in runner.tests if (re.search(pattern, name) if pattern else row_tests.ROW.search(name))]
    return sorted((n for n in names if not n.startswith("XC_")), key=lambda name: ("." not in name, len(name), name))


def built(given: argparse.Namespace, mutants: Set) -> tuple[running.Runner, list[str]]:
    """What runs the tests, and their names: those that fail anyway (they need the RTL, say) notice nothing."""
    copy = pathlib.Path(given.build).resolve() / "mutation_operators"
    wanted = {executable for name, executable in row_tests.read_tests(given.build).items()
              if (re.search(given.tests, name) if given.tests else row_tests.ROW.search(name))}

    def write_and_build(texts: dict[str, str]) -> None:
        rewrite.write_tree(texts, ROOT, copy)
        building.build(copy, {"isbesim", *wanted})

    until_it_builds(mutants, write_and_build)
    runner = running.Runner(copy / "build")
    names = row_test_names(runner, given.tests)
    broken = set(runner.failing(names, 0, True))
    names = [name for name in names if name not in broken]
    if not names:
        raise building.BuildError("every test fails without a mutant, too: nothing is proven")
    return runner, names


def run(given: argparse.Namespace) -> int:
    begin = time.monotonic()
    mutants = Set(dict(enumerate(made(given), 1)))
    runner, names = built(given, mutants)
    if not mutants.mutants:
        raise building.BuildError("no mutant compiles")
    print(f"{len(mutants.mutants)} mutants in one build, {len(mutants.dropped)} dropped, "
          f"{time.monotonic() - begin:.0f} s", flush=True)
    start = time.monotonic()
    numbers = list(mutants.mutants)
    killers = dict(zip(mutants.mutants.values(), running.in_parallel(
        lambda number: "".join(runner.failing(names, number, False)[:1]), numbers, given.jobs)))
    for mutant, killer in killers.items():
        print(f"{'killed' if killer else 'SURVIVED':8} {mutant}" + (f"   [{killer}]" if killer else ""))
    print()
    survivors = [mutant for mutant, killer in killers.items() if not killer]
    if survivors:
        print(f"{len(survivors)} survive:")
        for mutant in survivors:
            print(f"  {mutant}")
        print()
    verdicts = {number: Verdict(killers[mutant]) for number, mutant in mutants.mutants.items()}
    print(table(rows_of(mutants.mutants, mutants.dropped, (), verdicts), "operator"), end="")
    print(f"{time.monotonic() - start:.0f} s of tests")
    return 0
