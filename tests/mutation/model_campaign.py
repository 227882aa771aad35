# SPDX-License-Identifier: Apache-2.0
"""scripts/mutate model: mutants of every statement of the model (models/isbe, attribute and clocked) by all operators.

A run without a mutant notes which mutants' places it passes: only those run there. First the cross-check with the RTL,
short runs; then the tests of the model, quick ones first, up to the first that fails; the cross-check of the other
configurations and long runs at last."""
from __future__ import annotations

import argparse
import csv
import functools
import pathlib
import re
import resource
from typing import Iterator, Sequence

import building
import detect_crosscheck
import model_building
import sites
from campaigns import HERE, OperatorCampaign, Stage
from detect_tests import Tests, TestsByPlaces, noting, places_passed
from list_campaigns import REFERENCE_TEST
from mutant_set import MutantSet
from source_mutants import Mutant, sampled
from report import Verdict, text_around

# What the cross-check can't reach (blocking calls, plain payloads, debug transport, counters, footprints), and what it
# does not notice.
TESTS = (REFERENCE_TEST, "isbe_core_test", "conformance_isbe_test", "timing_random_ports_test",
         "timing_formula_test", "tlm_plain_payload_test", "crosscheck_test", "analysis_test",
         "foreign_test", "attribute_test", "c_interface_test", "c_interface_pins_test")
# For --quick. Most of what the others notice they notice, too.
QUICK_TESTS = (REFERENCE_TEST, "isbe_core_test", "timing_formula_test", "tlm_plain_payload_test")
TOGETHER = "isbe_core_test"  # its quick tests run in one process, up to the first that fails
ORACLE = "core_oracle."
QUICK = 8.0  # seconds without a mutant; slower tests are left out, but the comparisons with other accounts
BROWSER = "page."  # tests that start one, which wants more than MEMORY
SHORT, MIDDLE = (300, 1_500), 5_000  # transactions
MEMORY = 6 << 30  # bytes that a run may take
BUDGET = 25.0  # seconds of tests for a mutant


class Model(OperatorCampaign):
    reasons = HERE / "model_equivalents.toml"

    def __init__(self, given: argparse.Namespace) -> None:
        super().__init__(given)
        self.name = "model_quick" if given.quick else "model"

    def generated(self) -> list[Mutant]:
        return model_building.generated()

    def chosen(self, every: list[Mutant]) -> list[Mutant]:
        """--again has the build of the run before, so --file leaves nothing out of it."""
        if self.given.quick:
            every = [mutant for mutant in every if re.match(r"models/isbe/.*\.cpp$", mutant.file)]
        return sampled(every, self.given.sample, self.given.seed) if self.given.again else super().chosen(every)

    def set_of(self, chosen: Sequence[Mutant]) -> MutantSet:
        return MutantSet(dict(enumerate(chosen, 1)), prepare=model_building.prepare)

    def build_mutants(self) -> None:
        """With the flags of every other build the compiler cache has all but the sources with mutants."""
        build_all = functools.partial(model_building.build_all, self.mutants)
        self.folder = (build_all(self.build / "mutation_sources", ("isbesim", *QUICK_TESTS), building.RELEASE)
                       if self.given.quick else build_all(self.build / "mutation_statements", ("isbesim", *TESTS)))
        lend_plugins(self.build / "rtl", self.folder / "rtl")
        self.before = (verdicts_before(self.build / f"mutants_{self.name}.csv", self.mutants.mutants)
                       if self.given.again else {})
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))  # inherited by children
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def stages(self) -> Iterator[Stage[int]]:
        """What costs least for a kill comes first. Mutants with a reason are spared the long part."""
        self.verdicts.update(self.before)
        self.reached: set[int] = set()
        first, *others = self.given.configuration
        for length in SHORT:
            yield self.crosscheck(first, length, set(self.left()) - set(self.before))
        tests = self.tests()
        for passed in tests.passed.values():
            self.reached |= passed.numbers
        yield Stage(f"tests of {TOGETHER}", tests.together)
        tests.recall(self.verdicts.values())
        yield Stage(f"{len(tests.passed)} tests", tests.apart, self.not_spared())
        for configuration in others:
            yield self.crosscheck(configuration, SHORT[-1], self.not_spared())
        for length in (MIDDLE, self.given.transactions):
            for configuration in self.given.configuration:
                if self.not_spared():
                    yield self.crosscheck(configuration, length, self.not_spared())
        self.unreached = set(self.left()) - self.reached

    def not_spared(self) -> set[int]:
        return set(self.left(unexplained_only=not self.given.recheck))

    def crosscheck(self, configuration: str, transactions: int, numbers: set[int]) -> Stage[int]:
        check = detect_crosscheck.of_model(self.folder, self.build, configuration, 600)
        passed = noting(lambda more: not check.run(0, transactions, self.given.seed, more)[0])
        if passed is None:
            raise building.BuildError("the cross-check notices something without a mutant, too: it proves nothing")
        check.timeout = passed.patience
        self.reached |= passed.numbers
        return Stage(f"{configuration}, {transactions} transactions ({passed.seconds:.1f} s each)",
                     lambda number: check.examine(number, transactions, [self.given.seed]), numbers & passed.numbers)

    def tests(self) -> TestsByPlaces:
        """Those that fail without a mutant, too, notice nothing."""
        tests = Tests(self.folder)
        names = sorted(name for name, executable in tests.executables.items()
                       if executable in TESTS and not name.startswith(BROWSER))
        passed = {name: each for name, each in places_passed(tests, names, self.given.jobs).items()
                  if each.seconds < QUICK or ORACLE in name or tests.executables[name] == REFERENCE_TEST}
        return TestsByPlaces(tests, passed, lambda name: tests.executables[name] == TOGETHER and ORACLE not in name,
                             BUDGET)


def verdicts_before(path: pathlib.Path, mutants: dict[int, Mutant]) -> dict[int, Verdict]:
    """What the list of the last run says, of mutants whose lines are as they were. New tests can only add kills to it.
    Of several in lines that are alike nothing counts that is not true of all."""
    texts: dict[str, list[str]] = {}

    def key(mutant: Mutant) -> tuple[str, ...]:
        return (mutant.file, text_around(mutant, texts), str(mutant.column), mutant.operator,
                mutant.change)

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
