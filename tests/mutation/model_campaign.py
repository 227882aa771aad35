# SPDX-License-Identifier: Apache-2.0
"""Mutants of every statement of the model (models/isbe, attribute and clocked) by all operators: all in one build,
chosen at run time, run in parallel.

A run without a mutant notes which mutants' places it passes: only those run there. First the cross-check with the RTL,
short runs in every configuration; then the tests of the model, quick ones first, up to the first that fails; long runs
of the cross-check at last. What nobody notices must have its reason in model_equivalents.toml."""
from __future__ import annotations

import argparse
import collections
import csv
import dataclasses
import os
import pathlib
import re
import resource
import subprocess
import tempfile
import threading
import time
from typing import Any, Callable, Iterable, Sequence

import building
import crosscheck
import crosscheck_campaign
import model_building
import rewrite
import running
import side_campaign
import sites
from equivalents import explained
from model_building import HERE, NOTES
from operators import Mutant, sampled
from report import NO_CROSSCHECK, Row, Verdict, conclude, rows_of, text_around, write_lines

# What the cross-check can't reach (blocking calls, plain payloads, debug transport, counters, footprints), and what it
# does not notice.
TESTS = (side_campaign.REFERENCE_TEST, "isbe_core_test", "conformance_isbe_test", "timing_random_ports_test",
         "timing_formula_test", "tlm_plain_payload_test", "crosscheck_test", "analysis_test",
         "foreign_test", "attribute_test", "c_interface_test", "c_interface_pins_test")
# For --quick. Most of what the others notice they notice, too.
QUICK_TESTS = (side_campaign.REFERENCE_TEST, "isbe_core_test", "timing_formula_test", "tlm_plain_payload_test")
TOGETHER = "isbe_core_test"  # its quick tests run in one process, up to the first that fails
ORACLE = "core_oracle."
QUICK = 8.0  # seconds without a mutant; slower tests are left out, but the comparisons with other accounts
BROWSER = "page."  # tests that start one, which wants more than MEMORY
SHORT, MIDDLE = (300, 1_500), 5_000  # transactions
MEMORY = 6 << 30  # bytes that a run may take
BUDGET = 25.0  # seconds of tests for a mutant
REPORTED = 30.0  # seconds between two lists
PATIENCE, LEAST = 10, 5.0  # a run may take so many times as long as without a mutant, and so many seconds in any case


# ---- detectors, and the places that each of them passes --------------------------------------------------------------
@dataclasses.dataclass(frozen=True)
class Passed:
    """Without a mutant: the numbers of those whose places are passed, and the time it took."""

    numbers: frozenset[int]
    seconds: float

    @property
    def patience(self) -> float:
        return LEAST + PATIENCE * self.seconds


def noting(run: Callable[[dict[str, str]], bool]) -> Passed | None:
    """What `run`, with this in its environment, passes; None when it fails."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "passed"
        begin = time.monotonic()
        if not run({NOTES: str(path)}):
            return None
        numbers = path.read_text().split() if path.is_file() else []
        return Passed(frozenset(map(int, numbers)), time.monotonic() - begin)


@dataclasses.dataclass(frozen=True)
class Step:
    """The cross-check of one configuration with so many transactions."""

    check: crosscheck.Crosscheck
    transactions: int
    seed: int
    passed: Passed

    def examine(self, number: int) -> Verdict:
        noticed, agreed = self.check.examine(number, self.transactions, self.seed)
        return Verdict(f"{self.check.configuration}: {noticed}", agreed) if noticed else Verdict()


class Campaign:
    def __init__(self, build: pathlib.Path, folder: pathlib.Path, seed: int) -> None:
        self.build, self.folder, self.seed = build, folder, seed
        self.runner = running.Runner(folder)
        self.passed_by_tests: dict[str, Passed] = {}  # quick ones first
        self.tried: collections.Counter[str] = collections.Counter()    # times that a test has run on a mutant
        self.noticed: collections.Counter[str] = collections.Counter()  # and failed
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))  # inherited by children
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def step(self, configuration: str, transactions: int) -> Step:
        check = side_campaign.model_crosscheck(self.folder, self.build, transactions, configuration)
        check.timeout = 600

        def agrees(environment: dict[str, str]) -> bool:
            return not check.examine(0, transactions, self.seed, environment)[0]

        passed = noting(agrees)
        if passed is None:
            raise building.BuildError("the cross-check notices something without a mutant, too: it proves nothing")
        check.timeout = passed.patience
        return Step(check, transactions, self.seed, passed)

    def look_at_tests(self, jobs: int) -> None:
        """Those that fail without a mutant, too, notice nothing."""
        names = sorted(name for name, executable in self.runner.executables.items()
                       if executable in TESTS and not name.startswith(BROWSER))
        found = running.in_parallel(
            lambda name: noting(lambda environment: self.runner.passes(name, 0, environment)), names, jobs)
        for name, each in zip(names, found):
            if each is None:
                print(f"fails without a mutant, too: {name}", flush=True)
        passed = {name: each for name, each in zip(names, found) if each is not None and (
            each.seconds < QUICK or ORACLE in name or
            self.runner.executables[name] == side_campaign.REFERENCE_TEST)}
        self.passed_by_tests = dict(sorted(passed.items(), key=lambda pair: pair[1].seconds))
        self.runner.limits = {name: each.patience for name, each in passed.items()}

    def _passing(self, number: int, together: bool) -> list[str]:
        return [name for name, passed in self.passed_by_tests.items() if number in passed.numbers and
                (self.runner.executables[name] == TOGETHER and ORACLE not in name) == together]

    def by_tests(self, number: int) -> Verdict:
        """Up to the first that fails, beginning with what has noticed most others for its time, and no longer than
        BUDGET: tests are many, and those that notice nothing else seldom notice one."""
        left = set(self._passing(number, False))
        end = time.monotonic() + BUDGET
        while left and time.monotonic() < end:
            name = max(left, key=lambda each: (self._worth(each), each))
            left.remove(name)
            self.tried[name] += 1
            if self.runner.failing([name], number, False):
                self.noticed[name] += 1
                return Verdict(name, NO_CROSSCHECK)
        return Verdict()

    def _worth(self, name: str) -> float:
        """Kills by the second that can be hoped for."""
        return (self.noticed[name] + 1) / (self.tried[name] + 2) / self.passed_by_tests[name].seconds

    def by_tests_together(self, number: int) -> Verdict:
        names = self._passing(number, True)
        failing = self._together(names, number) if names else ""
        return Verdict(failing, NO_CROSSCHECK) if failing else Verdict()

    def _together(self, names: Sequence[str], number: int) -> str:
        """The first that fails; tests without SystemC can share a process."""
        program = self.runner.tests[names[0]]["command"][0]
        limit = LEAST + PATIENCE * sum(self.passed_by_tests[name].seconds for name in names)
        try:
            done = subprocess.run([program, "--gtest_fail_fast", "--gtest_filter=" + ":".join(names)],
                                  env={**os.environ, rewrite.VARIABLE: str(number)}, timeout=limit, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, errors="replace")
        except subprocess.TimeoutExpired:
            return TOGETHER
        if done.returncode == 0:
            return ""
        begun = re.findall(r"^\[ RUN      \] (.*)$", done.stdout, re.M)
        return str(begun[-1]) if begun else TOGETHER


# ---- the run ---------------------------------------------------------------------------------------------------------
class Course:
    """The state of each mutant during the run. `files`: limits it to these."""

    def __init__(self, mutants: model_building.Set, known: Iterable[Mutant], jobs: int,
                 report: crosscheck_campaign.Report, files: Sequence[str] | None = None) -> None:
        self.mutants, self.known, self.jobs, self.report = mutants, set(known), jobs, report
        self.verdicts = {number: Verdict() for number in mutants.mutants}
        self.asked = {number for number, mutant in mutants.mutants.items() if is_of(mutant, files)}
        self.before: set[int] = set()  # in the list of the run before
        self.reached: set[int] = set()
        self.lock = threading.Lock()

    def left(self, unexplained_only: bool = False) -> list[int]:
        return [number for number, verdict in self.verdicts.items() if not verdict.killer and number in self.asked and
                not (unexplained_only and self.mutants.mutants[number] in self.known)]

    def take(self, name: str, numbers: Sequence[int], examine: Any) -> None:
        """The list is written as the verdicts come: --again goes on after a run that was ended."""
        begin = last = time.monotonic()

        def one(number: int) -> Verdict:
            nonlocal last
            self.verdicts[number] = examine(number)
            with self.lock:
                if time.monotonic() - last > REPORTED:
                    last = time.monotonic()
                    self.report(dict(self.verdicts))
            return self.verdicts[number]

        found = running.in_parallel(one, numbers, self.jobs)
        print(f"{name}: {sum(bool(v.killer) for v in found)} of {len(numbers)} noticed, {len(self.left())} left, "
              f"{time.monotonic() - begin:.0f} s", flush=True)
        self.report(self.verdicts)

    def crosscheck(self, step: Step, unexplained_only: bool = False, unknown_only: bool = False) -> None:
        self.reached |= step.passed.numbers
        numbers = [number for number in self.left(unexplained_only)
                   if number in step.passed.numbers and not (unknown_only and number in self.before)]
        self.take(f"{step.check.configuration}, {step.transactions} transactions ({step.passed.seconds:.1f} s each)",
                  numbers, step.examine)


def run_all(course: Course, campaign: Campaign, given: argparse.Namespace) -> None:
    """What costs least for a kill comes first. Mutants with a reason are spared the long part."""
    spared = not given.recheck
    for length in SHORT:
        course.crosscheck(campaign.step(given.configuration[0], length), unknown_only=True)
    campaign.look_at_tests(given.jobs)
    course.reached |= {number for passed in campaign.passed_by_tests.values() for number in passed.numbers}
    course.take(f"tests of {TOGETHER}", course.left(), campaign.by_tests_together)
    for verdict in course.verdicts.values():  # of the run before
        if verdict.killer in campaign.passed_by_tests:
            campaign.noticed[verdict.killer] += 1
            campaign.tried[verdict.killer] += 1
    course.take(f"{len(campaign.passed_by_tests)} tests", course.left(spared), campaign.by_tests)
    for configuration in given.configuration[1:]:
        course.crosscheck(campaign.step(configuration, SHORT[-1]), spared)
    for length in (MIDDLE, given.transactions):
        for configuration in given.configuration:
            if course.left(spared):
                course.crosscheck(campaign.step(configuration, length), spared)


def is_of(mutant: Mutant, files: Sequence[str] | None) -> bool:
    return not files or pathlib.Path(mutant.file).name in files


def chosen_of(every: list[Mutant], given: argparse.Namespace) -> list[Mutant]:
    if given.quick:
        every = [mutant for mutant in every if re.match(r"models/isbe/.*\.cpp$", mutant.file)]
    if not given.again:  # which has the build of the run before
        every = [mutant for mutant in every if is_of(mutant, given.file)]
    if not every:
        raise sites.ListError(f"no mutants of {', '.join(given.file or ['the sources'])}")
    return sampled(every, given.sites, given.seed)


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


def run(given: argparse.Namespace) -> int:
    begin = time.monotonic()
    equivalents = HERE / "model_equivalents.toml"
    every = model_building.generated()
    known = explained(every, equivalents)
    chosen = chosen_of(every, given)
    mutants = model_building.Set(dict(enumerate(chosen, 1)))
    build = pathlib.Path(given.build).resolve()
    table = build / ("mutants_model_quick.csv" if given.quick else "mutants_model.csv")
    # With the flags of every other build the compiler cache has all but the sources with mutants.
    folder = (model_building.build_all(mutants, build / "mutation_sources", len(chosen), ("isbesim", *QUICK_TESTS),
                                       building.RELEASE) if given.quick else
              model_building.build_all(mutants, build / "mutation_statements", len(chosen), ("isbesim", *TESTS)))
    lend_plugins(build / "rtl", folder / "rtl")
    print(f"{len(mutants.mutants)} mutants of {len(every)} in one build, {len(mutants.dropped)} do not compile, "
          f"{time.monotonic() - begin:.0f} s", flush=True)
    rows: list[Row] = []

    def keep(verdicts: dict[int, Verdict]) -> None:
        rows[:] = rows_of(mutants.mutants, mutants.dropped, known, verdicts)
        write_lines(table, rows)

    course = Course(mutants, known, given.jobs, keep, given.file)
    if given.again:
        before = verdicts_before(table, mutants.mutants)
        course.verdicts.update(before)
        course.before = set(before)
    run_all(course, Campaign(build, folder, given.seed), given)
    unreached = {mutants.mutants[number] for number in course.left() if number not in course.reached}
    failures = conclude([row for row in rows if is_of(row[0], given.file)], known, equivalents, unreached)
    print(f"{time.monotonic() - begin:.0f} s, {failures} unexplained")
    return 1 if failures else 0
