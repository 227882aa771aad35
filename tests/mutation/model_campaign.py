"""Mutants of every statement of the model (models/isbe, models/clocked) by all operators: all in one build, chosen at run
time, run in parallel.

A run without a mutant notes which mutants' places it passes: only those run there. First the cross-check with the RTL,
short runs and then longer ones, then in other configurations; then the tests of the model, quick ones first, up to the
first that fails. What nobody notices must have its reason in model_equivalents.toml."""
from __future__ import annotations

import argparse
import collections
import dataclasses
import hashlib
import os
import pathlib
import random
import re
import resource
import statistics
import subprocess
import tempfile
import time
from typing import Any, Callable, Iterable, Sequence

import building
import crosscheck
import crosscheck_campaign
import crosscheck_operators
import operator_campaign
import rewrite
import running
import side_campaign
import sites
from crosscheck_campaign import Verdict
from operators import Mutant
from scanner import Source

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FOLDERS = ("isbe", "clocked")
LIBRARIES = ("isbesim_isbe", "isbesim_clocked")
# Those that test models/isbe: what the cross-check can't reach, and what it does not notice.
TESTS = (side_campaign.REFERENCE_TEST, "isbe_core_test", "timing_random_ports_test", "timing_formula_test",
         "tlm_plain_payload_test", "conformance_isbe_test", "c_interface_test", "crosscheck_test", "replay_test",
         "foreign_test", "back_to_back_test")
OTHER_WORDS = "tests/isbe/rules_test.cpp"  # of a word type that mutants of the rules do not compile with
ERROR_TABLE = "constexpr error_table errors;"
TOGETHER, QUICK = "isbe_core_test", 3.0  # its tests that take less run in one process, up to the first that fails
NO_CROSSCHECK = -1  # transactions of what a test noticed
LENGTHS = (300, 5_000)  # transactions of the first runs
MEMORY = 6 << 30  # bytes that a run may take
PATIENCE, LEAST = 10, 5.0  # a run may take so many times as long as without a mutant, and so many seconds in any case
# Beside an array the program ends.
# Warnings are the mutants'. Without the second copy of functions for AVX2 the compiler is done in a third of the time.
FLAGS = "-O1 -w -DNDEBUG -DISBESIM_PORTABLE -D_GLIBCXX_ASSERTIONS"
NOTES = "ISBESIM_PASSED"  # the file to which a run without a mutant adds the numbers of those whose places it passes

HEADER = """#pragma once
#include <cstdio>
#include <cstdlib>
%s
inline int isbesim_active = -1; // not known yet; -2: notes which places are passed
inline unsigned char isbesim_passed[%%d];
[[gnu::noinline, gnu::cold]] inline bool isbesim_look(int number) noexcept
{
    if (isbesim_active == -1) {
        const char* const text = std::getenv("%s");
        isbesim_active = text != nullptr ? std::atoi(text) : std::getenv("%s") != nullptr ? -2 : 0;
        if (isbesim_active == -2)
            std::atexit([] {
                std::FILE* const out = std::fopen(std::getenv("%s"), "a");
                for (int n = 0; n < static_cast<int>(sizeof isbesim_passed); ++n)
                    if (isbesim_passed[n] != 0) std::fprintf(out, "%%%%d\\n", n);
                std::fclose(out);
            });
    }
    if (isbesim_active == -2) isbesim_passed[number] = 1;
    return isbesim_active == number;
}
constexpr bool isbesim_mutant(int number) noexcept
{
    return !__builtin_is_constant_evaluated() &&
           (isbesim_active == number || (isbesim_active < 0 && isbesim_look(number)));
}
""" % (rewrite.PRAGMAS, rewrite.VARIABLE, NOTES, NOTES)


def sources() -> list[pathlib.Path]:
    return sorted(path for folder in FOLDERS for path in (ROOT / "models" / folder).rglob("*")
                  if path.suffix in (".cpp", ".h"))


def references(source: Source) -> list[int]:
    """Where the values begin that functions return by reference. `c ? x{} : x` would be a copy, whose address is no
    good, without a mutant, too."""
    found = []
    for at, token in enumerate(source.tokens):
        if token.text != "return":
            continue
        body = source.enclosing[at]
        while body is not None:
            before = body - 1
            while source.text_at(before) in ("const", "noexcept", "override", "final"):
                before -= 1
            name = source.match.get(before, 0) - 1
            if source.text_at(body) == "{" and source.text_at(before) == ")" and (
                    source.text_at(name) not in ("if", "for", "while", "switch")):
                if source.text_at(name) == "]":  # a lambda
                    break
                while source.text_at(name - 1) in ("::", "~", "operator"):
                    name -= 2 if source.text_at(name - 1) == "::" else 1
                if source.text_at(name - 1) == "&":
                    found.append(source.tokens[at + 1].begin)
                break
            body = source.enclosing[body]
    return found


def at_compile_time(text: str) -> list[tuple[int, int]]:
    """What only the compiler runs, in which no mutant is at work: functions without arguments that make tables."""
    return [match.span() for match in re.finditer(r"^constexpr [^\n]* make_\w+\(\)\n\{.*?^\}", text, re.M | re.S)]


def mutants_of(file: str, text: str) -> list[Mutant]:
    kept, tables = references(Source(text, False)), at_compile_time(text)
    return [mutant for mutant in crosscheck_operators.generate(file, text)
            if (mutant.operator not in ("value_lost", "value_inverted") or mutant.begin not in kept) and
            not any(begin <= mutant.begin < end for begin, end in tables)]


def generated() -> list[Mutant]:
    return [mutant for path in sources() for mutant in mutants_of(str(path.relative_to(ROOT)), path.read_text())]


class Set(operator_campaign.Set):
    """Those of a build, and those that do not compile."""

    def rewritten(self) -> dict[str, rewrite.Rewritten]:
        """The table of errors is made when the program starts, not by the compiler."""
        texts = super().rewritten()
        for file, here in texts.items():
            if file.endswith("address_unit.cpp"):
                if ERROR_TABLE not in here.text:
                    raise sites.ListError(f"{file}: expected '{ERROR_TABLE}'")
                here.text = here.text.replace(ERROR_TABLE, ERROR_TABLE.replace("constexpr", "const    "))
        return texts


class Dropped:
    """What did not compile in the last run: while its file stays, it need not be tried again."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path

    @staticmethod
    def _key(mutant: Mutant) -> str:
        text = hashlib.sha256((ROOT / mutant.file).read_bytes()).hexdigest()[:16]
        return f"{text} {mutant.begin} {mutant.end} {mutant}".replace("\n", " ")

    def recall(self, mutants: Set) -> None:
        lines = set(self.path.read_text().split("\n")) if self.path.is_file() else set()
        for number in [n for n, mutant in mutants.mutants.items() if self._key(mutant) in lines]:
            mutants.dropped.append(mutants.mutants.pop(number))

    def keep(self, mutants: Set) -> None:
        self.path.write_text("\n".join(map(self._key, mutants.dropped)))


def read_headers(copy: pathlib.Path) -> None:
    """The compiler reads every header, also those that the libraries don't include: an error there would stop almost
    every other source, and fixing it start them anew."""
    every = copy / "isbesim_mutant_headers.cpp"
    rewrite.write_if_changed(every, "".join(f'#include "{path.relative_to(ROOT)}"\n' for path in sources()
                                            if path.suffix == ".h").encode())
    building.Steps(copy / "headers.log", "a header of the mutated copy", copy.parent).run(
        "c++", "-std=c++17", "-w", "-DISBESIM_PORTABLE", "-fsyntax-only", "-I", copy, "-I", copy / "build" / "generated",
        every)


def build_all(mutants: Set, copy: pathlib.Path, largest: int) -> pathlib.Path:
    """Drops what does not compile: in libraries and headers first, everything else includes them."""
    memory = Dropped(copy.with_name(f"{copy.name}_dropped.txt"))
    memory.recall(mutants)

    def step(build: Callable[[], object]) -> None:
        def write_and_build(texts: dict[str, str]) -> None:
            rewrite.write_tree({**texts, OTHER_WORDS: ""}, ROOT, copy, HEADER % (largest + 1))
            build()

        operator_campaign.until_it_builds(mutants, write_and_build)
        memory.keep(mutants)

    step(lambda: building.build(copy, LIBRARIES, FLAGS))
    step(lambda: read_headers(copy))
    step(lambda: building.build(copy, ("isbesim", *TESTS), FLAGS))
    return copy / "build"


# ---------------------------------------------------------------------------------------------------------------------
# Who is to notice, and which places each passes
# ---------------------------------------------------------------------------------------------------------------------
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
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))  # of what is started, too
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
        names = sorted(name for name, executable in self.runner.executables.items() if executable in TESTS)
        found = running.in_parallel(
            lambda name: noting(lambda environment: self.runner.passes(name, 0, environment)), names, jobs)
        passed = {name: each for name, each in zip(names, found) if each is not None}
        for name in names:
            if name not in passed:
                print(f"fails without a mutant, too: {name}", flush=True)
        self.passed_by_tests = dict(sorted(passed.items(), key=lambda pair: pair[1].seconds))
        self.runner.limits = {name: each.patience for name, each in passed.items()}

    def by_tests(self, number: int) -> Verdict:
        names = [name for name, passed in self.passed_by_tests.items() if number in passed.numbers]
        quick = [name for name in names if self.runner.executables[name] == TOGETHER and
                 self.passed_by_tests[name].seconds < QUICK]
        failing = self._together(quick, number) if quick else ""
        failing = failing or next(iter(self.runner.failing([n for n in names if n not in quick], number, False)), "")
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
        return begun[-1] if begun else TOGETHER


# ---------------------------------------------------------------------------------------------------------------------
# The run
# ---------------------------------------------------------------------------------------------------------------------
class Course:
    """What is known of each mutant while the run goes on."""

    def __init__(self, mutants: Set, known: Iterable[Mutant], jobs: int,
                 report: crosscheck_campaign.Report) -> None:
        self.mutants, self.known, self.jobs, self.report = mutants, set(known), jobs, report
        self.verdicts = {number: Verdict() for number in mutants.mutants}
        self.reached: set[int] = set()

    def left(self) -> list[int]:
        return [number for number, verdict in self.verdicts.items() if not verdict.killer]

    def take(self, name: str, numbers: Sequence[int], examine: Any) -> None:
        begin = time.monotonic()
        found = running.in_parallel(examine, numbers, self.jobs)
        self.verdicts.update(zip(numbers, found))
        print(f"{name}: {sum(bool(v.killer) for v in found)} of {len(numbers)} noticed, {len(self.left())} left, "
              f"{time.monotonic() - begin:.0f} s", flush=True)
        self.report(self.verdicts)

    def crosscheck(self, step: Step, unexplained_only: bool = False) -> None:
        self.reached |= step.passed.numbers
        numbers = [n for n in self.left() if n in step.passed.numbers and
                   not (unexplained_only and self.mutants.mutants[n] in self.known)]
        self.take(f"{step.check.configuration}, {step.transactions} transactions ({step.passed.seconds:.1f} s each)",
                  numbers, step.examine)


def run_all(course: Course, campaign: Campaign, given: argparse.Namespace) -> None:
    for configuration in given.configuration:
        for length in LENGTHS:
            course.crosscheck(campaign.step(configuration, length))
    campaign.look_at_tests(given.jobs)
    course.take(f"{len(campaign.passed_by_tests)} tests", course.left(), campaign.by_tests)
    course.reached |= {n for passed in campaign.passed_by_tests.values() for n in passed.numbers}
    for configuration in given.configuration:  # long runs for what has no explanation
        if any(course.mutants.mutants[n] not in course.known or given.recheck for n in course.left()):
            course.crosscheck(campaign.step(configuration, given.transactions), not given.recheck)


def chosen_of(every: list[Mutant], given: argparse.Namespace) -> list[Mutant]:
    if given.file:
        every = [mutant for mutant in every if pathlib.Path(mutant.file).name in given.file]
    if not every:
        raise sites.ListError(f"no mutants of {', '.join(given.file or ['the sources'])}")
    if given.sites is None or given.sites >= len(every):
        return every
    picked = set(random.Random(given.seed).sample(range(len(every)), given.sites))
    return [mutant for at, mutant in enumerate(every) if at in picked]


def run(given: argparse.Namespace) -> int:
    begin = time.monotonic()
    equivalents = HERE / "model_equivalents.toml"
    every = generated()
    known = crosscheck_campaign.explained(every, equivalents)
    chosen = chosen_of(every, given)
    mutants = Set(dict(enumerate(chosen, 1)))
    build = pathlib.Path(given.build).resolve()
    folder = build_all(mutants, build / "mutation_model", len(chosen))
    print(f"{len(mutants.mutants)} mutants of {len(every)} in one build, {len(mutants.dropped)} do not compile, "
          f"{time.monotonic() - begin:.0f} s", flush=True)
    rows: list[tuple[Mutant, str, Verdict]] = []

    def report(verdicts: dict[int, Verdict]) -> None:
        rows[:] = [(mutant, "dropped", Verdict()) for mutant in mutants.dropped]
        for number, mutant in mutants.mutants.items():
            verdict = verdicts[number]
            state = "killed" if verdict.killer else "equivalent" if mutant in known else "survived"
            rows.append((mutant, state, verdict))
        crosscheck_campaign.write_lines(build / "mutants_model.csv", rows)

    course = Course(mutants, known, given.jobs, report)
    run_all(course, Campaign(build, folder, given.seed), given)
    failures = 0
    unreached = {mutants.mutants[number] for number in course.left() if number not in course.reached}
    for mutant, state, verdict in rows:
        if state == "survived":
            print(f"{'UNREACHED' if mutant in unreached else 'SURVIVED'} {mutant}")
        if verdict.killer and mutant in known:
            print(f"NO EQUIVALENT, {verdict.killer} notices it, take it out of {equivalents.name}: {mutant}")
        failures += state == "survived" or (bool(verdict.killer) and mutant in known)
    print()
    for keys in (["file", "operator"], ["file"], ["operator"]):
        print("\n".join(crosscheck_campaign.table(rows, keys)))
        print()
    killed = [verdict for verdict in course.verdicts.values() if verdict.killer]
    lengths = [verdict.transactions for verdict in killed if verdict.transactions != NO_CROSSCHECK]
    if lengths:
        print(f"the cross-check noticed {len(lengths)}, after {statistics.mean(lengths):.0f} transactions in the mean, "
              f"median {statistics.median(lengths):.0f}, largest {max(lengths)}; tests {len(killed) - len(lengths)}")
    by_test = collections.Counter(verdict.killer.split(".")[0] for verdict in killed if verdict.transactions == NO_CROSSCHECK)
    for name, count in by_test.most_common():
        print(f"  {name}: {count}")
    print(f"{time.monotonic() - begin:.0f} s, {failures} unexplained")
    return 1 if failures else 0
