# SPDX-License-Identifier: Apache-2.0
"""run --isa, run --texture: every rule of the executors (models/isa/execution) is tested by tests/isa, each of the
texture unit (models/texture) by tests/texture.

A run without a mutant notes which mutants' places each test passes, and in which instruction. Of each instruction of
the tables, mutants of its own rules have to be noticed when they are at work in it alone; and where it has none, since
it does nothing: that it changes something."""
from __future__ import annotations

import collections
import dataclasses
import pathlib
import resource
import subprocess
from typing import Iterator, Sequence

import building
import source_mutants
import report
import rewrite
import sites
from campaigns import HERE, OperatorCampaign, Stage, in_parallel
from detect_tests import Tests, TestsByPlaces, places_passed
from mutant_set import MutantSet
from source_mutants import Mutant, sampled
from sites import ROOT

# What a mutant leaves unwritten has a value that no test expects, every time, and beside an array the program ends.
FLAGS = "-O1 -DNDEBUG -ftrivial-auto-var-init=pattern -D_GLIBCXX_ASSERTIONS"
TOGETHER = 0.5  # seconds; slower tests have a process each
MEMORY = 2 << 30  # bytes that a test may take


class Library(OperatorCampaign):
    """Mutants of `folder`, which the executable `test` has to notice."""

    folder: str
    test: str
    header = rewrite.HEADER_TEXT
    added: dict[str, str] = {}  # text at the end of a file
    tables = (("file",),)

    def sources(self) -> list[pathlib.Path]:
        return [path for path in sorted((ROOT / self.folder).iterdir()) if path.suffix in (".cpp", ".h")]

    def generated(self) -> list[Mutant]:
        paths = self.sources()
        names = {"begins_chain"}.union(*(source_mutants.named_numbers(path.read_text()) for path in paths))
        return [mutant for path in paths
                for mutant in source_mutants.generate_library(str(path.relative_to(ROOT)), path.read_text(), names)]

    def set_of(self, chosen: Sequence[Mutant]) -> MutantSet:
        return MutantSet(dict(enumerate(chosen, 1)), files=[str(path.relative_to(ROOT)) for path in self.sources()],
                         prepare=lambda file, text: source_mutants.without_constant_tables(text))

    def build_mutants(self) -> None:
        copy = self.build / f"mutation_{self.name}"
        longer = {file: (ROOT / file).read_text() + text for file, text in self.added.items()}

        def write_and_build(texts: dict[str, str]) -> None:
            rewrite.write_tree({**texts, **longer}, ROOT, copy, self.header)
            building.build(copy, [self.test], FLAGS)

        self.mutants.until_it_builds(write_and_build)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))  # inherited by children
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        self.tests = Tests(copy / "build")

    def stages(self) -> Iterator[Stage[int]]:
        names = sorted(name for name, executable in self.tests.executables.items() if executable == self.test)
        passed = places_passed(self.tests, names, self.given.jobs)
        if len(passed) < len(names):
            raise building.BuildError("there are tests that fail without a mutant")
        self.unreached = set(self.mutants.mutants).difference(*(each.numbers for each in passed.values()))
        self.places = TestsByPlaces(self.tests, passed, lambda name: passed[name].seconds < TOGETHER)
        if self.given.every_test:
            yield Stage("every test", self.places.every)
            killers = [verdict.killer.split() for verdict in self.verdicts.values() if verdict.killer]
            own = [name for name in names if not name.startswith("isbesim.")]  # without that of `added`
            report.write_cover(HERE / "cover" / f"{self.name}.csv", own, killers)
        else:
            yield Stage("quick tests, together", self.places.together)
            yield Stage("slow tests", self.places.apart)


class Texture(Library):
    name = "texture"
    reasons = HERE / "texture_equivalents.toml"
    folder = "models/texture/"
    test = "texture_test"


# ---- executors -------------------------------------------------------------------------------------------------------
ARCHITECTURES = {"0": "sm50", "1": "sm75", "2": "sm86", "3": "sm120"}
EXECUTOR = "models/isa/execution/executor.cpp"
PLACE = "machine m{"
# Where an instruction begins, and where it changes registers that it should not.
HOOK = ("isbesim_enter(static_cast<int>(code.arch), now.row->mnemonic); if (isbesim_mutant(%d)) "
        "for (auto& each : warp.registers) for (auto& v : each) v ^= 1U; " + PLACE)
LEFT_OUT = "now.row->execute(m); -> (nothing)"  # the mutant of every instruction: it is not carried out
# Files whose rules belong to no single instruction.
SHARED = ("executor.cpp", "executor.h", "register_lanes.h", "semantics.h", "control.h")
TRIED = 12  # mutants of an instruction
# "architecture mnemonic" of all instructions, and whether they do nothing.
LISTING = """#include <cstdio>
#include "models/isa/execution/semantics.h"
#include "models/isa/tables/table.h"
TEST(isbesim, instructions)
{
    using isbesim::isa::architecture;
    for (const auto arch : {architecture::sm50, architecture::sm75})
        for (const auto& row : isbesim::isa::instruction_table(arch))
            std::printf("instruction %d %d %s\\n", row.execute == isbesim::isa::run::nop ? 1 : 0,
                        static_cast<int>(arch), row.mnemonic);
}
"""


@dataclasses.dataclass(frozen=True)
class Instruction:
    """Of its own rules, `tried` mutants of `mutants` were at work in it alone, and `noticed` of them were noticed;
    whether it is noticed when it is left out, and when it changes more than it should."""

    name: str
    mutants: int
    tried: int
    noticed: int
    left_out: bool
    spoilt: bool
    idle: bool  # it does nothing

    def __str__(self) -> str:
        architecture, mnemonic = self.name.split(" ", 1)
        return (f"{mnemonic:16} {ARCHITECTURES.get(architecture, architecture):6} {self.noticed:8} {self.tried:4} "
                f"{self.mutants:8}")

    @property
    def tested(self) -> bool:
        return self.spoilt if self.idle else self.left_out and (self.noticed > 0 or not self.tried)


class Executors(Library):
    name = "isa"
    reasons = HERE / "isa_equivalents.toml"
    folder = "models/isa/execution/"
    test = "isa_test"
    header = rewrite.HEADER_TEXT + rewrite.INSTRUCTIONS_TEXT
    added = {"tests/isa/checklist_test.cpp": LISTING}

    def is_left_out(self, mutant: Mutant) -> bool:
        return mutant.file == EXECUTOR and mutant.change == LEFT_OUT

    def chosen(self, every: list[Mutant]) -> list[Mutant]:
        return sampled(every, self.given.sample, self.given.seed, self.is_left_out)

    def set_of(self, chosen: Sequence[Mutant]) -> MutantSet:
        """One number more is that of an instruction which changes all registers."""
        mutants = super().set_of(chosen)
        self.spoilt = len(chosen) + 1
        begin = (ROOT / EXECUTOR).read_text().index(PLACE)
        edit = sites.Edit(EXECUTOR, PLACE, HOOK % self.spoilt, "text")
        mutants.hooks = [rewrite.Span(begin, begin + len(PLACE), 0, edit)]
        return mutants

    def stages(self) -> Iterator[Stage[int]]:
        yield from super().stages()
        self.instructions: list[Instruction] = []
        if self.given.every_test:
            return
        program = self.tests.tests["isbesim.instructions"]["command"][0]
        listed = subprocess.run([program, "--gtest_filter=isbesim.instructions"], stdout=subprocess.PIPE, text=True)
        lines = [line.split(" ", 2)[1:] for line in listed.stdout.splitlines() if line.startswith("instruction ")]
        idle = {name for does_nothing, name in lines if does_nothing == "1"}
        own = {number for number, mutant in self.mutants.mutants.items()
               if pathlib.Path(mutant.file).name not in SHARED}
        rules: dict[str, set[int]] = {name: set() for _, name in lines}
        for passed in self.places.passed.values():
            for name, numbers in passed.in_instruction.items():
                if name:
                    rules.setdefault(name, set()).update(numbers & own)
        users = collections.Counter(number for numbers in rules.values() for number in numbers)
        left_out = next((n for n, mutant in self.mutants.mutants.items() if self.is_left_out(mutant)), 0)

        def examined(name: str) -> Instruction:
            """Those that the fewest instructions pass come first, spread so that not all are in one line."""
            numbers = sorted(rules[name], key=lambda number: (users[number], number))
            tried = numbers[::max(1, len(numbers) // TRIED)][:TRIED]
            noticed = sum(self.places.notice_in(name, number) for number in tried)
            return Instruction(name, len(numbers), len(tried), noticed, self.places.notice_in(name, left_out),
                               self.places.notice_in(name, self.spoilt), name in idle)

        self.instructions = in_parallel(examined, sorted(rules, key=lambda name: name.split(" ")[::-1]),
                                        self.given.jobs)

    def report(self) -> int:
        failures = 0
        print(f"\n{'instruction':16} {'on':6} {'noticed':>8} {'of':>4} {'mutants':>8}")
        sample = len(self.mutants.mutants) + len(self.mutants.dropped) < self.total
        for each in self.instructions:
            lacking = not each.tested and not (sample and each.left_out)
            print(f"{each}{'  NOT TESTED' * lacking}")
            failures += lacking
        print()
        return failures + super().report()
