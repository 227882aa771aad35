# SPDX-License-Identifier: Apache-2.0
"""Detector: tests of ctest, with a mutant at work or without."""
from __future__ import annotations

import collections
import dataclasses
import math
import os
import pathlib
import re
import subprocess
import tempfile
import time
import types
from typing import Any, Callable, Iterable, Iterator, Mapping, Sequence

import rewrite
import row_tests
from building import BuildError
from campaigns import in_parallel
from report import Verdict, by_test

NO_MORE: Mapping[str, str] = types.MappingProxyType({})
ENDLESS = 1000  # status of a process that does not end
PATIENCE, LEAST = 10, 5.0  # a run may take 10 times as long as without a mutant, and 5 s in any case


class Tests:
    """Tests of one build folder by their names; remembers each verdict."""

    def __init__(self, folder: pathlib.Path, timeout: float = 120) -> None:
        self.timeout = timeout
        self.tests: dict[str, dict[str, Any]] = {
            row_tests.short_name(test["name"]): test for test in row_tests.listed_tests(str(folder))
            if "command" in test}
        self.executables = {name: pathlib.Path(test["command"][0]).name for name, test in self.tests.items()}
        self.limits: dict[str, float] = {}  # seconds that a test may take; else ctest's, `timeout` at least
        self.passed: dict[tuple[str, int], bool] = {}  # by test and number of the mutant

    def passes(self, name: str, number: int) -> bool:
        """A test that ends by a signal or not at all has failed, too: it noticed."""
        if (name, number) not in self.passed:
            self.passed[name, number] = self.run(name, number)
        return self.passed[name, number]

    def run(self, name: str, number: int, more: Mapping[str, str] = NO_MORE) -> bool:
        """`more`: of the environment."""
        limit = self.limits.get(name, max(self.timeout, self._properties(name).get("TIMEOUT", 0.0)))
        done = self._started(name, (), number, more, limit)
        return done.returncode in (0, int(self._properties(name).get("SKIP_RETURN_CODE", 0)))

    def run_together(self, names: Sequence[str], number: int, limit: float, more: Mapping[str, str] = NO_MORE) -> str:
        """The first of tests of one program without SystemC that fails, or ""."""
        own = self._own_names(names)
        filtered = ("--gtest_fail_fast", "--gtest_filter=" + ":".join(own))
        done = self._started(names[0], filtered, number, more, limit)
        if done.returncode == 0:
            return ""
        begun = re.findall(r"^\[ RUN      \] (.*)$", done.stdout, re.M)
        return own.get(begun[-1], begun[-1]) if begun else self.executables[names[0]]

    def _own_names(self, names: Iterable[str]) -> dict[str, str]:
        """{name of GoogleTest: name}: GoogleTest's have a parameter's number, ctest's its value."""
        def own(name: str) -> str:
            filters = [word for word in self.tests[name]["command"] if word.startswith("--gtest_filter=")]
            return str(filters[0]).partition("=")[2] if filters else name

        return {own(name): name for name in names}

    def all_failing(self, names: Iterable[str], number: int, limit: float) -> set[str]:
        """All tests of one program without SystemC that fail. Those behind one that ends the program run again, unless
        that one is the third which does not end."""
        own = self._own_names(names)
        failed: set[str] = set()
        left, endless = list(own), 0
        while left and endless < 3:
            done = self._started(own[left[0]], ("--gtest_filter=" + ":".join(left),), number, NO_MORE, limit)
            begun = re.findall(r"^\[ RUN      \] (.*)$", done.stdout, re.M)
            failed |= set(re.findall(r"^\[  FAILED  \] ([^ ,]+).* ms\)$", done.stdout, re.M))
            if not re.search(r"^\[  PASSED  \]", done.stdout, re.M):
                failed.add(begun[-1] if begun else left[0])
                endless += done.returncode == ENDLESS
            left = [name for name in left if name not in begun] if begun else left[1:]
        return {own[name] for name in failed}

    def _properties(self, name: str) -> dict[str, Any]:
        return {p["name"]: p["value"] for p in self.tests[name].get("properties", [])}

    def _started(self, name: str, arguments: Sequence[str], number: int, more: Mapping[str, str],
                 limit: float) -> subprocess.CompletedProcess[str]:
        """Status ENDLESS: it does not end. With `arguments`, these in place of the test's."""
        command, properties = self.tests[name]["command"], self._properties(name)
        environment = {**os.environ, **more}
        environment.update(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))
        environment.pop(rewrite.VARIABLE, None)
        if number:
            environment[rewrite.VARIABLE] = str(number)
        try:
            return subprocess.run([command[0], *arguments] if arguments else command, env=environment, timeout=limit,
                                  cwd=properties.get("WORKING_DIRECTORY"), stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True, errors="replace")
        except subprocess.TimeoutExpired as late:
            return subprocess.CompletedProcess(command, ENDLESS, (late.stdout or b"").decode(errors="replace"))

    def failing(self, names: Iterable[str], number: int) -> Iterator[str]:
        """Runs no more of them than are asked for."""
        return (name for name in names if not self.passes(name, number))

    def examine(self, names: Iterable[str], number: int) -> Verdict:
        return by_test(next(self.failing(names, number), ""))

    def check_clean(self, names: Iterable[str]) -> None:
        name = next(self.failing(names, 0), None)
        if name:
            raise BuildError(f"{name} fails without a mutant, too: it proves nothing")


# ---- Places that a test executes -------------------------------------------------------------------------------------
@dataclasses.dataclass(frozen=True)
class Passed:
    """A run without a mutant: the mutants whose places it executed, also by instruction, and its seconds."""

    numbers: frozenset[int]
    seconds: float
    in_instruction: Mapping[str, set[int]] = dataclasses.field(default_factory=dict)

    @property
    def patience(self) -> float:
        return LEAST + PATIENCE * self.seconds


def noting(run: Callable[[dict[str, str]], bool]) -> Passed | None:
    """The places of mutants that `run` executes; None if it fails."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "passed"
        begin = time.monotonic()
        if not run({rewrite.NOTES: str(path)}):
            return None
        seconds = time.monotonic() - begin
        by_instruction: dict[str, set[int]] = collections.defaultdict(set)
        for line in path.read_text().splitlines() if path.is_file() else []:
            number, _, instruction = line.partition(" ")
            by_instruction[instruction].add(int(number))
        return Passed(frozenset().union(*by_instruction.values()), seconds, by_instruction)


def places_passed(tests: Tests, names: Sequence[str], jobs: int) -> dict[str, Passed]:
    """{test: its run without a mutant}; tests that fail are left out."""
    noted = in_parallel(lambda name: noting(lambda more: tests.run(name, 0, more)), names, jobs)
    for name, passed in zip(names, noted):
        if passed is None:
            print(f"fails without a mutant, too: {name}", flush=True)
    return {name: passed for name, passed in zip(names, noted) if passed is not None}


class TestsByPlaces:
    """Tests that run with a mutant whose place they pass. Those that `joined` names share a process; `budget`: seconds
    of the others for a mutant."""

    def __init__(self, tests: Tests, passed: Mapping[str, Passed], joined: Callable[[str], bool],
                 budget: float = math.inf) -> None:
        self.tests, self.joined, self.budget = tests, joined, budget
        self.passed = dict(sorted(passed.items(), key=lambda pair: pair[1].seconds))  # quick ones first
        self.tried: collections.Counter[str] = collections.Counter()    # times that a test has run on a mutant
        self.noticed: collections.Counter[str] = collections.Counter()  # and failed
        tests.limits = {name: each.patience for name, each in passed.items()}

    def recall(self, verdicts: Iterable[Verdict]) -> None:
        """Counts the verdicts of the run before."""
        for verdict in verdicts:
            if verdict.killer in self.passed:
                self.noticed[verdict.killer] += 1
                self.tried[verdict.killer] += 1

    def _passing(self, number: int, joined: bool) -> list[str]:
        return [name for name, passed in self.passed.items()
                if number in passed.numbers and self.joined(name) == joined]

    def apart(self, number: int) -> Verdict:
        """Up to the first that fails, beginning with what has noticed most others for its time, and no longer than the
        budget: tests are many, and those that notice nothing else seldom notice one."""
        left = set(self._passing(number, False))
        end = time.monotonic() + self.budget
        while left and time.monotonic() < end:
            name = max(left, key=lambda each: (self._worth(each), each))
            left.remove(name)
            self.tried[name] += 1
            if not self.tests.passes(name, number):
                self.noticed[name] += 1
                return by_test(name)
        return Verdict()

    def _worth(self, name: str) -> float:
        """Kills by the second that can be hoped for."""
        return (self.noticed[name] + 1) / (self.tried[name] + 2) / self.passed[name].seconds

    def together(self, number: int) -> Verdict:
        return by_test(self._first(self._passing(number, True), number))

    def every(self, number: int) -> Verdict:
        """All that fail."""
        joined = self._passing(number, True)
        failing = self.tests.all_failing(joined, number, self._limit(joined))
        return by_test(" ".join(sorted(failing.union(self.tests.failing(self._passing(number, False), number)))))

    def _limit(self, names: Sequence[str]) -> float:
        return LEAST + PATIENCE * sum(self.passed[name].seconds for name in names)

    def _first(self, names: Sequence[str], number: int, more: Mapping[str, str] = NO_MORE) -> str:
        return self.tests.run_together(names, number, self._limit(names), more) if names else ""

    def notice_in(self, instruction: str, number: int) -> bool:
        """Whether a test notices the mutant when it is at work in this instruction alone."""
        names = [name for name, passed in self.passed.items()
                 if number in passed.in_instruction.get(instruction, ())]
        more = {rewrite.INSTRUCTION: instruction}
        return bool(self._first([name for name in names if self.joined(name)], number, more)) or not all(
            self.tests.run(name, number, more) for name in names if not self.joined(name))
