# SPDX-License-Identifier: Apache-2.0
"""Mutants of every statement of the RTL (rtl_ref) by all operators: hundreds in one build, chosen at run time, run in
parallel. (Those of the model: model_campaign.py.)

Each runs the cross-check until it is noticed, on one configuration after the other. What nobody notices must be proved
equal (equivalence.py), or have its reason in rtl_equivalents.toml; an entry there must name mutants that exist and that
nothing notices."""
from __future__ import annotations

import argparse
import pathlib
import time
from typing import Callable, Collection, Iterator, Protocol, Sequence

import building
import crosscheck_operators
import equivalence
import operator_campaign
import rtl_batches
import running
import sites
from equivalents import explained
from operators import Mutant, sampled
from report import Row, Verdict, conclude, rows_of, write_lines

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SHORT, MIDDLE, LONG = 300, 5_000, 100_000  # transactions
SEEDS = 8      # short runs with other seeds: what comes before cycle 0 is another past in each
MANY = 100     # of mutants neither proved nor explained
CONFIGURATIONS = {"model": ["small", "unskewed", "by_line", "shallow", "choices"],
                  "rtl": ["small", "unskewed", "by_line", "shallow", "choices", "fixed_priority", "one_port"]}


# ---- the mutants -----------------------------------------------------------------------------------------------------
def generated() -> list[Mutant]:
    paths = building.sources_of_block(ROOT)
    outputs: crosscheck_operators.Outputs = {}
    for path in paths:
        outputs.update(crosscheck_operators.outputs_of(path.read_text()))
    return [mutant for path in paths
            for mutant in crosscheck_operators.generate(str(path.relative_to(ROOT)), path.read_text(), None, outputs)]


# ---- the run ---------------------------------------------------------------------------------------------------------
class Examining(Protocol):
    """crosscheck.Crosscheck, or several."""

    def examine(self, number: int, transactions: int, seed: int = 1) -> tuple[str, int]:
        """How it noticed the mutant, "" when it did not, and the transactions that agreed before."""


Step = tuple[str, Callable[[int], Verdict]]  # what it is called, and what it does with a mutant


def examined(check: Examining, configuration: str, length: int, seeds: Sequence[int]) -> Step:
    """Runs of `length` transactions, up to the first that notices."""
    def one(number: int) -> Verdict:
        for seed in seeds:
            noticed, agreed = check.examine(number, length, seed)
            if noticed:
                return Verdict(f"{configuration}: {noticed}", agreed)
        return Verdict()

    return f"{configuration}, {length} transactions" + (f", {len(seeds)} seeds" if len(seeds) > 1 else ""), one


def of_some(one: Callable[[int], Verdict], numbers: Collection[int]) -> Callable[[int], Verdict]:
    """`one` of `numbers`; the others stay as they are."""
    return lambda number: one(number) if number in numbers else Verdict()


class Campaign:
    """The RTL in blocks of some hundred mutants: rtl_batches. Short runs on all configurations come first; what they
    leave is proved, and the rest runs long on the first two."""

    def __init__(self, build: pathlib.Path, mutants: operator_campaign.Set, known: Collection[Mutant],
                 jobs: int) -> None:
        self.mutants = mutants
        self.known = known  # those that have a reason
        self.blocks = rtl_batches.Blocks(build, mutants, jobs)
        self.prover = equivalence.Prover(build / "mutation_rtl" / "proofs")

    def check(self, configuration: str, numbers: Sequence[int], transactions: int) -> Examining:
        """What examines the mutants `numbers`."""
        return self.blocks.checks(configuration, numbers, min(transactions, MIDDLE))

    def steps(self, configurations: Sequence[str], seed: int, transactions: int,
              left: Callable[[], list[int]]) -> Iterator[Step]:
        """The steps that the remaining mutants go through."""
        checks: list[Examining] = []
        for configuration in configurations:
            if left():
                checks.append(self.check(configuration, left(), transactions))
                for length in sorted({min(length, transactions) for length in (SHORT, MIDDLE)}):
                    yield examined(checks[-1], configuration, length, [seed])
                yield examined(checks[-1], configuration, min(SHORT, transactions), range(seed + 1, seed + 1 + SEEDS))
        unexplained = {number: mutant for number, mutant in self.mutants.mutants.items()
                       if number in left() and mutant not in self.known}
        self.prover.read(list(unexplained.values()), configurations[:2])
        yield "proofs", lambda number: Verdict(proved=number in unexplained and self.prover.proved(
            unexplained[number], number, configurations[:2]))
        for configuration, check in zip(configurations, checks):
            step, one = examined(check, configuration, min(SHORT, transactions), range(seed + 1 + SEEDS, seed + MANY))
            yield step, of_some(one, unexplained)
        for configuration, check in zip(configurations[:2] if transactions > MIDDLE else [], checks):
            yield examined(check, configuration, transactions, [seed])


Report = Callable[[dict[int, Verdict]], None]


def run_all(campaign: Campaign, configurations: Sequence[str], seed: int, transactions: int, jobs: int,
            report: Report) -> None:
    """`report` hears after each step what became of each mutant."""
    verdicts: dict[int, Verdict] = {}
    left = list(campaign.mutants.mutants)

    def take(step: str, found: Sequence[Verdict]) -> None:
        nonlocal left
        verdicts.update(zip(left, found))
        left = [number for number in left if not verdicts[number].killer and not verdicts[number].proved]
        print(f"{time.strftime('%H:%M:%S')} {step}: {len(left)} left", flush=True)
        report(verdicts)

    for step, one in campaign.steps(configurations, seed, transactions, lambda: left):
        take(step, running.in_parallel(one, left, jobs))


def run(given: argparse.Namespace) -> int:
    begin = time.monotonic()
    equivalents = HERE / "rtl_equivalents.toml"
    every = generated()
    known = explained(every, equivalents)
    if given.file:
        every = [mutant for mutant in every if pathlib.Path(mutant.file).name in given.file]
    if not every:
        raise sites.ListError(f"no mutants of {', '.join(given.file or ['the sources'])}")
    chosen = sampled(every, given.sites, given.seed)
    mutants = operator_campaign.Set(dict(enumerate(chosen, 1)))
    build = pathlib.Path(given.build).resolve()
    campaign = Campaign(build, mutants, known, given.jobs)
    campaign.blocks.drop_what_does_not_compile(given.configuration[0])
    print(f"{len(mutants.mutants)} mutants of {len(every)} in one build, {len(mutants.dropped)} do not compile, "
          f"{time.monotonic() - begin:.0f} s", flush=True)
    rows: list[Row] = []

    def keep(verdicts: dict[int, Verdict]) -> None:
        """From the first step on, so that a stopped run keeps its verdicts."""
        rows[:] = rows_of(mutants.mutants, mutants.dropped, known, verdicts)
        write_lines(build / "mutants_rtl.csv", rows)

    run_all(campaign, given.configuration, given.seed, given.transactions, given.jobs, keep)
    failures = conclude(rows, known, equivalents)
    print(f"{time.monotonic() - begin:.0f} s, {failures} unexplained")
    return 1 if failures else 0
