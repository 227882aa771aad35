# SPDX-License-Identifier: Apache-2.0
"""The steps of every campaign: compile the mutants into one program, in which a switch chooses one; check that the
detectors notice nothing without a mutant; run the stages, each of which is a detector; report the verdicts.

Each stage must notice each mistake of a list (ListCampaign). A mutant of an operator (OperatorCampaign) leaves at the
first stage that notices it or proves it equal; a mutant that no stage notices needs a reason."""
from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import pathlib
import resource
import sys
import threading
import time
from typing import Any, Callable, Collection, Iterable, Iterator, Sequence, TypeVar

import building
import report
import rewrite
import sites
from equivalents import Equivalent, explained
from mutant_set import MutantSet
from source_mutants import Mutant, sampled
from report import Verdict
from sites import ROOT

HERE = pathlib.Path(__file__).resolve().parent
WRITE_INTERVAL = 30.0  # seconds between two writes of the list of verdicts
Item = TypeVar("Item")
Result = TypeVar("Result")


def in_parallel(function: Callable[[Item], Result], items: Iterable[Item], workers: int | None) -> list[Result]:
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        return list(pool.map(function, items))


@dataclasses.dataclass(frozen=True)
class Stage:
    """`examine`: a detector's verdict on a mutant, given its number or a `Listed`. `only`: the mutants that this stage
    can notice, if known."""

    name: str
    examine: Callable[[Any], Verdict]
    only: Collection[int] | None = None


class Campaign:
    """`arguments`: the command line."""

    may_survive = False

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.build = pathlib.Path(arguments.build).resolve()

    def choose(self) -> None:
        """Chooses the mutants. Raises ListError if the lists do not fit the sources."""
        raise NotImplementedError

    def prepare(self) -> str:
        """Builds the mutants. Returns a sentence with their number. Raises BuildError if that fails, or if a detector
        notices something without a mutant."""
        raise NotImplementedError

    def stages(self) -> Iterator[Stage]:
        raise NotImplementedError

    def take(self, stage: Stage) -> None:
        """Examines the mutants in a stage."""
        raise NotImplementedError

    def report(self) -> int:
        """Prints the verdicts. Returns the number of failures."""
        raise NotImplementedError

    def run(self) -> int:
        begin = time.monotonic()
        self.choose()
        print(f"{self.prepare()}, {time.monotonic() - begin:.0f} s", flush=True)
        for stage in self.stages():
            self.take(stage)
        failures = self.report()
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"{time.monotonic() - begin:.0f} s ({used.ru_utime + used.ru_stime:.0f} s of processor), "
              f"{failures} unexplained")
        return 1 if failures and not self.may_survive else 0


def main(program: str, campaign: type[Campaign], arguments: argparse.Namespace) -> int:
    """Returns the exit status: 1 for failures, 2 if the campaign can't run."""
    try:
        return campaign(arguments).run()
    except (sites.ListError, building.BuildError) as error:
        print(f"{program}: {error}", file=sys.stderr)
        return 2


# ---- A list ----------------------------------------------------------------------------------------------------------
Listed = tuple[int, sites.Mutation, str]  # a mutation's number, the mutation, one of its rows


class ListCampaign(Campaign):
    """Builds all mistakes of `path`, examines those that --only names. Each stage must notice each."""

    path: pathlib.Path
    with_rows = False
    mutations: list[sites.Mutation]
    asked: list[Listed]

    def choose(self) -> None:
        self.path = self.arguments.list or self.path
        self.mutations = sites.load(self.path, self.with_rows)
        problems = sites.stale(self.mutations, ROOT, self.path) + self.problems()
        if problems:
            raise sites.ListError("\n".join(problems))
        only = set(self.arguments.only)
        every = [(number, mutation, row) for number, mutation in enumerate(self.mutations, 1)
                 for row in mutation.rows or [""]]
        self.asked = [each for each in every if not only or only & {each[1].name, each[2]}]
        unknown = only - self.may_be_named()
        if unknown:
            raise sites.ListError(f"--only: not in {self.path}: {', '.join(sorted(unknown))}")
        self.found: dict[str, list[Verdict]] = {}

    def problems(self) -> list[str]:
        """Returns the faults of the list."""
        return []

    def may_be_named(self) -> set[str]:
        return {mutation.name for mutation in self.mutations}

    def built_copy(self, name: str, executables: Iterable[str]) -> pathlib.Path:
        copy = self.build / name
        rewrite.write_tree(rewrite.mutated_files(self.mutations, ROOT), ROOT, copy)
        return building.build(copy, executables)

    def take(self, stage: Stage) -> None:
        self.found[stage.name] = in_parallel(stage.examine, self.asked, self.arguments.jobs)

    def report(self) -> int:
        failures = 0
        for (_, mutation, row), *verdicts in zip(self.asked, *self.found.values()):
            texts = [f"{stage}: {'WRONG: ' * verdict.wrong}{verdict.killer or 'NOT NOTICED'}"
                     for stage, verdict in zip(self.found, verdicts)]
            print(f"{row + ' ' if row else ''}{mutation.name:36} {'; '.join(texts)}")
            failures += any(not verdict.noticed for verdict in verdicts)
        return failures


# ---- Operators -------------------------------------------------------------------------------------------------------
class OperatorCampaign(Campaign):
    """`name`: the build folder's mutants_NAME.csv lists the verdicts. `reasons`: the file of equivalent mutants.
    `tables`: the columns of each table of counts. `memory`: most bytes of a run."""

    name: str
    reasons: pathlib.Path | None = None
    tables: Sequence[Sequence[str]] = (("file", "operator"), ("file",), ("operator",))
    memory: int | None = None
    mutants: MutantSet
    known: dict[Mutant, Equivalent]

    def sources(self) -> list[pathlib.Path]:
        raise NotImplementedError

    def mutants_of(self, file: str, text: str) -> list[Mutant]:
        raise NotImplementedError

    def is_built(self, mutant: Mutant) -> bool:
        return self.is_asked(mutant)

    def is_always_built(self, mutant: Mutant) -> bool:
        """Whether a sample contains it in any case."""
        return False

    def set_of(self, chosen: dict[int, Mutant]) -> MutantSet:
        return MutantSet(chosen)

    def build_mutants(self) -> None:
        raise NotImplementedError

    def choose(self) -> None:
        every = [mutant for path in self.sources()
                 for mutant in self.mutants_of(str(path.relative_to(ROOT)), path.read_text())]
        self.known = explained(every, self.reasons) if self.reasons else {}
        chosen = sampled(list(filter(self.is_built, every)), self.arguments.sample, self.arguments.seed,
                         self.is_always_built)
        if not chosen:
            raise sites.ListError("the operators make no mutants of these files")
        self.total = len(every)
        self.mutants = self.set_of(dict(enumerate(chosen, 1)))
        self.unreached: Collection[int] = ()  # mutants whose places no stage executes

    def prepare(self) -> str:
        self.build_mutants()
        if not self.mutants.mutants:
            raise building.BuildError("no mutant compiles")
        if self.memory:
            resource.setrlimit(resource.RLIMIT_AS, (self.memory, self.memory))  # inherited by children
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        self.verdicts = {number: Verdict() for number in self.mutants.mutants}
        return (f"{len(self.mutants.mutants)} mutants of {self.total} in one build, {len(self.mutants.dropped)} do not "
                "compile")

    def is_asked(self, mutant: Mutant) -> bool:
        """Whether the stages and the report have it: --file names its file."""
        return not self.arguments.file or pathlib.Path(mutant.file).name in self.arguments.file

    def left(self, unexplained_only: bool = False) -> list[int]:
        return [number for number, mutant in self.mutants.mutants.items()
                if not self.verdicts[number].noticed and not self.verdicts[number].proved and self.is_asked(mutant) and
                not (unexplained_only and mutant in self.known)]

    def take(self, stage: Stage) -> None:
        """Writes the list of verdicts as they come: an interrupted run keeps them."""
        begin = last = time.monotonic()
        lock = threading.Lock()
        numbers = [number for number in self.left() if stage.only is None or number in stage.only]

        def one(number: int) -> None:
            nonlocal last
            self.verdicts[number] = stage.examine(number)
            with lock:
                if time.monotonic() - last > WRITE_INTERVAL:
                    last = time.monotonic()
                    self.write()

        in_parallel(one, numbers, self.arguments.jobs)
        left = self.left()
        print(f"{stage.name}: {len(set(numbers) - set(left))} of {len(numbers)} done, {len(left)} left, "
              f"{time.monotonic() - begin:.0f} s", flush=True)
        self.write()

    def rows(self) -> list[report.Row]:
        return report.rows_of(self.mutants.mutants, self.mutants.dropped, self.known, self.verdicts.copy())

    def write(self) -> None:
        report.write_lines(self.build / f"mutants_{self.name}.csv", self.rows())

    def report(self) -> int:
        rows = [row for row in self.rows() if self.is_asked(row[0])]
        unreached = {self.mutants.mutants[number] for number in self.unreached}
        return report.conclude(rows, self.known, self.reasons, unreached, self.tables)
