# SPDX-License-Identifier: Apache-2.0
"""Mutants of every statement of the RTL (rtl_ref) by all operators: hundreds in one build, chosen at run time, run in
parallel. (Those of the model: model_campaign.py.)

Each runs the cross-check until it is noticed, on one configuration after the other. What nobody notices must be proved
equal (equivalence.py), or have its reason in rtl_equivalents.toml; an entry there must name mutants that exist and that
nothing notices."""
from __future__ import annotations

import argparse
import collections
import csv
import dataclasses
import pathlib
import random
import statistics
import time
from typing import Callable, Collection, Iterator, Protocol, Sequence

import building
import crosscheck_operators
import equivalence
import operator_campaign
import rtl_batches
import running
import sites
from equivalents import Equivalent, read_equivalents
from operators import Mutant

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SHORT, MIDDLE, LONG = 300, 5_000, 100_000  # transactions
SEEDS = 8      # short runs with other seeds: what comes before cycle 0 is another past in each
MANY = 100     # of mutants neither proved nor explained
CONFIGURATIONS = {"model": ["small", "unskewed", "by_line", "shallow", "choices"],
                  "rtl": ["small", "unskewed", "by_line", "shallow", "choices", "fixed_priority", "one_port"]}


# ---------------------------------------------------------------------------------------------------------------------
# The mutants
# ---------------------------------------------------------------------------------------------------------------------
def generated() -> list[Mutant]:
    paths = building.sources_of_block(ROOT)
    outputs: crosscheck_operators.Outputs = {}
    for path in paths:
        outputs.update(crosscheck_operators.outputs_of(path.read_text()))
    return [mutant for path in paths
            for mutant in crosscheck_operators.generate(str(path.relative_to(ROOT)), path.read_text(), None, outputs)]


def change_of(mutant: Mutant) -> str:
    return f"{mutant.old} -> {mutant.new if mutant.new not in ('', ';') else '(nothing)'}"


# ---------------------------------------------------------------------------------------------------------------------
# What nothing can notice
# ---------------------------------------------------------------------------------------------------------------------
def _is(pattern: str, text: str) -> bool:
    """`*~` in a pattern stands for any text: changes are full of brackets and stars."""
    parts = pattern.split("*~")
    if len(parts) == 1:
        return pattern == text
    return (text.startswith(parts[0]) and text.endswith(parts[-1]) and
            all(part in text for part in parts) and len(text) >= sum(map(len, parts)))


def _reaches(part: str, mutant: Mutant, line: str) -> bool:
    """Of a line that has the same expression twice, `part` can name the second."""
    return 0 <= line.find(part) < mutant.column


def explained(every: Sequence[Mutant], path: pathlib.Path, root: pathlib.Path = ROOT) -> dict[Mutant, Equivalent]:
    """The mutants that the list explains. ListError for an entry that names none of `every`."""
    lines = {file: (root / file).read_text().split("\n") for file in {mutant.file for mutant in every}}
    by_file: dict[str, list[Mutant]] = collections.defaultdict(list)
    for mutant in every:
        by_file[pathlib.Path(mutant.file).name].append(mutant)
    result: dict[Mutant, Equivalent] = {}
    missing = []
    for entry in read_equivalents(path):
        here = [m for m in by_file[entry.file] if _reaches(entry.line, m, lines[m.file][m.line - 1]) and
                entry.behind in lines[m.file][m.line - 2]]
        for change in entry.mutants:
            found = [m for m in here if _is(change, change_of(m))]
            if not found:
                missing.append(f"{entry.file}: no mutant {change} in a line with '{entry.line}'")
            result.update((mutant, entry) for mutant in found)
    if missing:
        raise sites.ListError("\n".join([*missing, f"the sources have changed: look at these again in {path}"]))
    return result


# ---------------------------------------------------------------------------------------------------------------------
# The run
# ---------------------------------------------------------------------------------------------------------------------
class Examining(Protocol):
    """crosscheck.Crosscheck, or several."""

    def examine(self, number: int, transactions: int, seed: int = 1) -> tuple[str, int]:
        """How it noticed the mutant, "" when it did not, and the transactions that agreed before."""


@dataclasses.dataclass(frozen=True)
class Verdict:
    """The check that noticed ("": none) and after how many transactions; or a proof that none can."""

    killer: str = ""
    transactions: int = 0
    proved: bool = False


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
            report: Report) -> dict[int, Verdict]:
    """What became of each mutant; `report` hears of it after each step."""
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
    return verdicts


def write_lines(path: pathlib.Path, rows: Sequence[tuple[Mutant, str, Verdict]]) -> None:
    texts: dict[str, list[str]] = {}
    with open(path, "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["file", "line", "column", "operator", "change", "state", "killer", "transactions", "text"])
        for mutant, state, verdict in rows:
            writer.writerow([mutant.file, mutant.line, mutant.column, mutant.operator, change_of(mutant), state,
                             verdict.killer, verdict.transactions, text_around(mutant, texts)])


def text_around(mutant: Mutant, texts: dict[str, list[str]]) -> str:
    """Its line and the one before: what tells it from others when lines have moved. `texts`: files read so far."""
    if mutant.file not in texts:
        path = ROOT / mutant.file
        texts[mutant.file] = path.read_text().split("\n") if path.is_file() else []
    return "\n".join(texts[mutant.file][max(mutant.line - 2, 0):mutant.line])


def table(rows: Sequence[tuple[Mutant, str, Verdict]], keys: Sequence[str]) -> list[str]:
    """Lines of counts by file, operator or both; states are dropped, killed, proved, equivalent, survived."""
    states = ("killed", "proved", "equivalent", "survived", "dropped")
    counts: dict[tuple[str, ...], collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for mutant, state, _ in rows:
        of = {"file": pathlib.Path(mutant.file).name, "operator": mutant.operator}
        counts[tuple(of[key] for key in keys)][state] += 1
        counts[("all",) * len(keys)][state] += 1
    lines = ["".join(f"{key:24}" for key in keys) + f"{'mutants':>8}" + "".join(f"{s:>11}" for s in states) +
             f"{'score':>9}"]
    for name in [*sorted(name for name in counts if name[0] != "all"), ("all",) * len(keys)]:
        here = counts[name]
        killable = here["killed"] + here["survived"]
        score = f"{100 * here['killed'] / killable:.1f} %" if killable else "-"
        lines.append("".join(f"{part:24}" for part in name) + f"{sum(here.values()) - here['dropped']:8}" +
                     "".join(f"{here[state]:11}" for state in states) + f"{score:>9}")
    return lines


def run(given: argparse.Namespace) -> int:
    begin = time.monotonic()
    equivalents = HERE / "rtl_equivalents.toml"
    every = generated()
    known = explained(every, equivalents)
    if given.file:
        every = [mutant for mutant in every if pathlib.Path(mutant.file).name in given.file]
    if not every:
        raise sites.ListError(f"no mutants of {', '.join(given.file or ['the sources'])}")
    chosen = every
    if given.sites is not None and given.sites < len(every):
        picked = set(random.Random(given.seed).sample(range(len(every)), given.sites))
        chosen = [mutant for at, mutant in enumerate(every) if at in picked]
    mutants = operator_campaign.Set(dict(enumerate(chosen, 1)))
    build = pathlib.Path(given.build).resolve()
    campaign = Campaign(build, mutants, known, given.jobs)
    campaign.blocks.drop_what_does_not_compile(given.configuration[0])
    print(f"{len(mutants.mutants)} mutants of {len(every)} in one build, {len(mutants.dropped)} do not compile, "
          f"{time.monotonic() - begin:.0f} s", flush=True)
    rows: list[tuple[Mutant, str, Verdict]] = []

    def report(verdicts: dict[int, Verdict]) -> None:
        """One line each, from the first step on, so that a stopped run keeps its verdicts."""
        rows[:] = [(mutant, "dropped", Verdict()) for mutant in mutants.dropped]
        for number, mutant in mutants.mutants.items():
            verdict = verdicts[number]
            state = ("killed" if verdict.killer else "proved" if verdict.proved else
                     "equivalent" if mutant in known else "survived")
            rows.append((mutant, state, verdict))
        write_lines(build / "mutants_rtl.csv", rows)

    verdicts = run_all(campaign, given.configuration, given.seed, given.transactions, given.jobs, report)
    failures = 0
    for mutant, state, verdict in rows:
        if state == "survived":
            print(f"SURVIVED {mutant}")
        if verdict.killer and mutant in known:
            print(f"NO EQUIVALENT, {verdict.killer} notices it, take it out of {equivalents.name}: {mutant}")
        failures += state == "survived" or (bool(verdict.killer) and mutant in known)
    print()
    for keys in (["file", "operator"], ["file"], ["operator"]):
        print("\n".join(table(rows, keys)))
        print()
    lengths = [verdict.transactions for verdict in verdicts.values() if verdict.killer]
    if lengths:
        print(f"transactions before a kill: mean {statistics.mean(lengths):.0f}, "
              f"median {statistics.median(lengths):.0f}, largest {max(lengths)}")
    print(f"{time.monotonic() - begin:.0f} s, {failures} unexplained")
    return 1 if failures else 0
