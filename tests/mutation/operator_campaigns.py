# SPDX-License-Identifier: Apache-2.0
"""The campaigns of mutants made by operators, one a class: its sources, its builder and its stages.

Of libraries (run --isa, --texture), the model and the RTL (scripts/mutate), and any other source (run --operators).
A run without a mutant notes which mutants' places each test, or the cross-check, passes: only these run there."""
from __future__ import annotations

import argparse
import collections
import csv
import dataclasses
import functools
import pathlib
import re
import shutil
import subprocess
from typing import Iterator, Mapping, Sequence

import building
import detect_crosscheck
import detect_proof
import model_building
import report
import rewrite
import row_tests
import sites
import source_mutants
from campaigns import HERE, OperatorCampaign, Stage, in_parallel
from detect_tests import Tests, TestsByPlaces, noting, places_passed
from list_campaigns import REFERENCE_TEST
from mutant_set import MutantSet
from source_mutants import Mutant
from report import Verdict, text_around
from sites import ROOT

OF_MUTATE = ("models/isbe/", "models/attribute/", "models/clocked/", "rtl_ref/")


class Sources(OperatorCampaign):
    """Any source, for the tests that are named after rows, or those that --tests says."""

    name = "operators"
    tables = (("operator",),)
    may_survive = True

    def sources(self) -> list[pathlib.Path]:
        found = []
        for name in self.arguments.operators:
            path = (ROOT / name).resolve()
            if not path.is_file() or ROOT not in path.parents:
                raise sites.ListError(f"{name}: no source file of this checkout")
            file = str(path.relative_to(ROOT))
            if file.startswith(OF_MUTATE) or not file.startswith(("models/", "testbench/", "tlm/")):
                raise sites.ListError(f"{name}: expected a file of models, testbench or tlm, and none that "
                                      "scripts/mutate takes")
            found.append(path)
        return found

    def mutants_of(self, file: str, text: str) -> list[Mutant]:
        return source_mutants.generate(file, text, self.arguments.operator)

    def is_wanted(self, name: str) -> bool:
        return bool(re.search(self.arguments.tests, name) if self.arguments.tests else row_tests.ROW.search(name))

    def build_mutants(self) -> None:
        wanted = {executable for name, executable in row_tests.read_tests(self.arguments.build).items()
                  if self.is_wanted(name)}
        self.tests = Tests(self.mutants.built_copy(self.build / "mutation_operators", {"isbesim", *wanted}))

    def stages(self) -> Iterator[Stage]:
        """Short tests first. Those that fail anyway (they need the RTL, say) notice nothing."""
        names = sorted((name for name in self.tests.tests if self.is_wanted(name) and not name.startswith("XC_")),
                       key=lambda name: ("." not in name, len(name), name))
        names = [name for name in names if self.tests.passes(name, 0)]
        if not names:
            raise building.BuildError("every test fails without a mutant, too: nothing is proven")
        yield Stage(f"{len(names)} tests", lambda number: self.tests.examine(names, number))


# ---- libraries -------------------------------------------------------------------------------------------------------
# What a mutant leaves unwritten has a value that no test expects, every time, and beside an array the program ends.
LIBRARY_FLAGS = "-O1 -DNDEBUG -ftrivial-auto-var-init=pattern -D_GLIBCXX_ASSERTIONS"
TOGETHER = 0.5  # seconds; slower tests have a process each


class Library(OperatorCampaign):
    """Mutants of `folder`, which the executable `test` has to notice: it tests every rule there."""

    folder: str
    test: str
    header = rewrite.HEADER_TEXT
    added: Mapping[str, str] = {}  # text at the end of a file
    tables = (("file",),)
    memory = 2 << 30

    def sources(self) -> list[pathlib.Path]:
        return [path for path in sorted((ROOT / self.folder).iterdir()) if path.suffix in (".cpp", ".h")]

    @functools.cached_property
    def named_numbers(self) -> set[str]:
        return {"begins_chain"}.union(*(source_mutants.named_numbers(path.read_text()) for path in self.sources()))

    def mutants_of(self, file: str, text: str) -> list[Mutant]:
        return source_mutants.generate_library(file, text, self.named_numbers)

    def set_of(self, chosen: dict[int, Mutant]) -> MutantSet:
        return MutantSet(chosen, files=[str(path.relative_to(ROOT)) for path in self.sources()],
                         prepare=lambda file, text: source_mutants.without_constant_tables(text))

    def build_mutants(self) -> None:
        longer = {file: (ROOT / file).read_text() + text for file, text in self.added.items()}
        self.tests = Tests(self.mutants.built_copy(self.build / f"mutation_{self.name}", [self.test], LIBRARY_FLAGS,
                                                   longer, self.header))

    def stages(self) -> Iterator[Stage]:
        names = sorted(name for name, executable in self.tests.executables.items() if executable == self.test)
        passed = places_passed(self.tests, names, self.arguments.jobs)
        if len(passed) < len(names):
            raise building.BuildError("there are tests that fail without a mutant")
        self.unreached = set(self.mutants.mutants).difference(*(each.numbers for each in passed.values()))
        self.places = TestsByPlaces(self.tests, passed, lambda name: passed[name].seconds < TOGETHER)
        if self.arguments.every_test:
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
    """Its own rules have `mutants`: `tried` of them were at work in it alone, and `noticed` of these were noticed;
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
    """For each instruction of the tables, mutants of its own rules must be noticed when they are at work in it alone;
    and where it has none, since it does nothing: that it changes something."""

    name = "isa"
    reasons = HERE / "isa_equivalents.toml"
    folder = "models/isa/execution/"
    test = "isa_test"
    header = rewrite.HEADER_TEXT + rewrite.INSTRUCTIONS_TEXT
    added = {"tests/isa/checklist_test.cpp": LISTING}

    def is_always_built(self, mutant: Mutant) -> bool:
        return mutant.file == EXECUTOR and mutant.change == LEFT_OUT

    def set_of(self, chosen: dict[int, Mutant]) -> MutantSet:
        """One number more is that of an instruction which changes all registers."""
        mutants = super().set_of(chosen)
        self.spoilt = len(chosen) + 1
        begin = (ROOT / EXECUTOR).read_text().index(PLACE)
        edit = sites.Edit(EXECUTOR, PLACE, HOOK % self.spoilt, "text")
        mutants.hooks = [rewrite.Span(begin, begin + len(PLACE), 0, edit)]
        return mutants

    def stages(self) -> Iterator[Stage]:
        yield from super().stages()
        self.instructions: list[Instruction] = []
        if self.arguments.every_test:
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
        left_out = next((n for n, mutant in self.mutants.mutants.items() if self.is_always_built(mutant)), 0)

        def examined(name: str) -> Instruction:
            """Those that the fewest instructions pass come first, spread so that not all are in one line."""
            numbers = sorted(rules[name], key=lambda number: (users[number], number))
            tried = numbers[::max(1, len(numbers) // TRIED)][:TRIED]
            noticed = sum(self.places.notice_in(name, number) for number in tried)
            return Instruction(name, len(numbers), len(tried), noticed, self.places.notice_in(name, left_out),
                               self.places.notice_in(name, self.spoilt), name in idle)

        self.instructions = in_parallel(examined, sorted(rules, key=lambda name: name.split(" ")[::-1]),
                                        self.arguments.jobs)

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


# ---- the model -------------------------------------------------------------------------------------------------------
# What the cross-check can't reach (blocking calls, plain payloads, debug transport, counters, footprints), and what it
# does not notice.
TESTS = (REFERENCE_TEST, "isbe_core_test", "conformance_isbe_test", "timing_random_ports_test",
         "timing_formula_test", "tlm_plain_payload_test", "crosscheck_test", "analysis_test",
         "foreign_test", "attribute_test", "c_interface_test", "c_interface_pins_test")
# For --quick. Most of what the others notice they notice, too.
QUICK_TESTS = (REFERENCE_TEST, "isbe_core_test", "timing_formula_test", "tlm_plain_payload_test")
JOINED = "isbe_core_test"  # its quick tests run in one process, up to the first that fails
ORACLE = "core_oracle."
QUICK = 8.0  # seconds without a mutant; slower tests are left out, but the comparisons with other accounts
BROWSER = "page."  # tests that start one, which wants more than the limit of memory
SHORT, SECOND, MIDDLE = 300, 1_500, 5_000  # transactions
BUDGET = 25.0  # seconds of tests for a mutant


class Model(OperatorCampaign):
    """Mutants of every statement: first the cross-check with the RTL, short runs; then the tests of the model, quick
    ones first, up to the first that fails; the cross-check of the other configurations and long runs at last."""

    reasons = HERE / "model_equivalents.toml"
    memory = 6 << 30

    def __init__(self, arguments: argparse.Namespace) -> None:
        super().__init__(arguments)
        self.name = "model_quick" if arguments.quick else "model"

    def sources(self) -> list[pathlib.Path]:
        return model_building.sources()

    def mutants_of(self, file: str, text: str) -> list[Mutant]:
        return model_building.mutants_of(file, text)

    def is_built(self, mutant: Mutant) -> bool:
        """--again has the build of the run before, so --file leaves nothing out of it."""
        quick = not self.arguments.quick or re.match(r"models/isbe/.*\.cpp$", mutant.file) is not None
        return quick and (self.arguments.again or self.is_asked(mutant))

    def set_of(self, chosen: dict[int, Mutant]) -> MutantSet:
        return MutantSet(chosen, prepare=model_building.prepare)

    def build_mutants(self) -> None:
        """Uses the flags of every other build: the compiler cache then has all objects except those with mutants."""
        build_all = functools.partial(model_building.build_all, self.mutants)
        self.folder = (build_all(self.build / "mutation_sources", ("isbesim", *QUICK_TESTS), building.RELEASE)
                       if self.arguments.quick else build_all(self.build / "mutation_statements", ("isbesim", *TESTS)))
        lend_plugins(self.build / "rtl", self.folder / "rtl")
        self.before = (verdicts_before(self.build / f"mutants_{self.name}.csv", self.mutants.mutants)
                       if self.arguments.again else {})

    def stages(self) -> Iterator[Stage]:
        """The stage with the cheapest kills comes first. Mutants with a reason are spared the long part."""
        self.verdicts.update(self.before)
        self.reached: set[int] = set()
        first, *others = self.arguments.configuration
        for length in (SHORT, SECOND):
            yield self.crosscheck(first, length, set(self.left()) - set(self.before))
        tests = self.tests()
        self.reached.update(*(passed.numbers for passed in tests.passed.values()))
        yield Stage(f"tests of {JOINED}", tests.together)
        tests.recall(self.verdicts.values())
        yield Stage(f"{len(tests.passed)} tests", tests.apart, self.not_spared())
        for configuration in others:
            yield self.crosscheck(configuration, SECOND, self.not_spared())
        for length in (MIDDLE, self.arguments.transactions):
            for configuration in self.arguments.configuration:
                if self.not_spared():
                    yield self.crosscheck(configuration, length, self.not_spared())
        self.unreached = set(self.left()) - self.reached

    def not_spared(self) -> set[int]:
        return set(self.left(unexplained_only=not self.arguments.recheck))

    def crosscheck(self, configuration: str, transactions: int, numbers: set[int]) -> Stage:
        check = detect_crosscheck.of_model(self.folder, self.build, configuration, 600)
        passed = noting(lambda more: not check.run(0, transactions, self.arguments.seed, more)[0])
        if passed is None:
            raise building.BuildError("the cross-check notices something without a mutant, too: it proves nothing")
        check.timeout = passed.patience
        self.reached |= passed.numbers
        return Stage(f"{configuration}, {transactions} transactions ({passed.seconds:.1f} s each)",
                     lambda number: check.examine(number, transactions, [self.arguments.seed]),
                     numbers & passed.numbers)

    def tests(self) -> TestsByPlaces:
        """Those that fail without a mutant, too, notice nothing."""
        tests = Tests(self.folder)
        names = sorted(name for name, executable in tests.executables.items()
                       if executable in TESTS and not name.startswith(BROWSER))
        passed = {name: each for name, each in places_passed(tests, names, self.arguments.jobs).items()
                  if each.seconds < QUICK or ORACLE in name or tests.executables[name] == REFERENCE_TEST}
        return TestsByPlaces(tests, passed, lambda name: tests.executables[name] == JOINED and ORACLE not in name,
                             BUDGET)


def verdicts_before(path: pathlib.Path, mutants: dict[int, Mutant]) -> dict[int, Verdict]:
    """The verdicts of the last run on mutants whose lines are unchanged; new tests can only add kills.
    Of mutants in equal lines, a verdict counts only if all have it."""
    texts: dict[str, list[str]] = {}

    def key(mutant: Mutant) -> tuple[str, ...]:
        return mutant.file, text_around(mutant, texts), str(mutant.column), mutant.operator, mutant.change

    if not path.is_file():
        raise sites.ListError(f"{path}: no list of a run before")
    before: dict[tuple[str, ...], Verdict] = {}
    with open(path, newline="") as lines:
        for row in csv.DictReader(lines):
            place = (row["file"], row["text"], row["column"], row["operator"], row["change"])
            verdict = Verdict(row["killer"], int(row["transactions"]))
            before[place] = verdict if before.get(place, verdict).killer else Verdict()
    return {number: before[key(mutant)] for number, mutant in mutants.items() if key(mutant) in before}


def lend_plugins(theirs: pathlib.Path, ours: pathlib.Path) -> None:
    """The RTL of the build, for tests of the copy."""
    ours.mkdir(exist_ok=True)
    for plugin in theirs.glob("*.so"):
        link = ours / plugin.name
        link.unlink(missing_ok=True)
        link.symlink_to(plugin)


# ---- the RTL ---------------------------------------------------------------------------------------------------------
SEEDS = 8      # short runs with other seeds: what comes before cycle 0 is another past in each
MANY = 100     # of mutants neither proved nor explained
TIMEOUT = 180  # seconds of a run
BATCH = 300    # mutants of a block
Checks = dict[int, detect_crosscheck.Crosscheck]  # by the number of the mutant


class Rtl(OperatorCampaign):
    """Mutants of every statement. One block with all of them simulates ten times slower than the RTL: its instructions
    fit no cache. One with some hundreds, of neighbouring files, is nearly as quick as the RTL. Short runs of the
    cross-check on all configurations come first; what they leave is proved, and the rest runs long on the first two."""

    name = "rtl"
    reasons = HERE / "rtl_equivalents.toml"

    def sources(self) -> list[pathlib.Path]:
        return building.sources_of_block(ROOT)

    @functools.cached_property
    def outputs(self) -> source_mutants.Outputs:
        return source_mutants.outputs_of("".join(path.read_text() for path in self.sources()))

    def mutants_of(self, file: str, text: str) -> list[Mutant]:
        return source_mutants.generate_crosschecked(file, text, None, self.outputs)

    def build_mutants(self) -> None:
        """Drops what does not compile; blocks are built for one configuration at a time."""
        self.prover = detect_proof.Prover(self.build / "mutation_rtl" / "proofs")

        def write_and_lint(texts: dict[str, str]) -> None:
            block = self.write_block(texts, "every")
            building.lint(block, block[0].with_name("lint.log"), self.arguments.configuration[0])

        self.mutants.until_it_builds(write_and_lint)

    def write_block(self, texts: dict[str, str], name: str) -> list[pathlib.Path]:
        return rewrite.write_block(texts, building.sources_of_block(ROOT), ROOT,
                                   self.build / "mutation_rtl" / "batches" / name)

    def checks(self, configuration: str) -> Checks:
        """Builds blocks with the mutants that are left. BuildError when one differs without a mutant at work."""
        shutil.rmtree(building.mutant_cache(self.build), ignore_errors=True)  # blocks of earlier runs
        building.plugin(self.build, f"clean_{configuration}", configuration=configuration)  # with the run time

        def one(numbered: tuple[int, dict[int, Mutant]]) -> Checks:
            at, batch = numbered
            block = self.write_block({file: here.text for file, here in MutantSet(batch).rewritten().items()}, f"{at}")
            check = detect_crosscheck.of_rtl(block, self.build, f"{configuration}_{at}", configuration, TIMEOUT, 1)
            check.check_clean(min(self.arguments.transactions, MIDDLE))
            return dict.fromkeys(batch, check)

        left = self.left()  # in the order of files
        parts = [{number: self.mutants.mutants[number] for number in left[at:at + BATCH]}
                 for at in range(0, len(left), BATCH)]
        return {number: check for made in in_parallel(one, list(enumerate(parts)), self.arguments.jobs)
                for number, check in made.items()}

    def runs(self, checks: Checks, configuration: str, length: int, seeds: Sequence[int],
             only: Sequence[int] | None = None) -> Stage:
        length = min(length, self.arguments.transactions)
        return Stage(f"{configuration}, {length} transactions" + (f", {len(seeds)} seeds" if len(seeds) > 1 else ""),
                     lambda number: checks[number].examine(number, length, seeds), only)

    def stages(self) -> Iterator[Stage]:
        configurations, first = self.arguments.configuration, self.arguments.seed
        checks: dict[str, Checks] = {}
        for name in configurations:
            if self.left():
                checks[name] = self.checks(name)
                for length in sorted({min(length, self.arguments.transactions) for length in (SHORT, MIDDLE)}):
                    yield self.runs(checks[name], name, length, [first])
                yield self.runs(checks[name], name, SHORT, range(first + 1, first + 1 + SEEDS))
        unexplained = self.left(unexplained_only=True)
        proving = configurations[:2]
        self.prover.read([self.mutants.mutants[number] for number in unexplained], proving)
        yield Stage("proofs", lambda number: Verdict(proved=self.prover.proved(self.mutants.mutants[number], number,
                                                                               proving)), unexplained)
        for name, check in checks.items():
            yield self.runs(check, name, SHORT, range(first + 1 + SEEDS, first + MANY), unexplained)
        for name in proving if self.arguments.transactions > MIDDLE else []:
            if name in checks:
                yield self.runs(checks[name], name, self.arguments.transactions, [first])
