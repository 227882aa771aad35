# SPDX-License-Identifier: Apache-2.0
"""The verdicts on the mutants of a run: a list, tables, and the mutants that stay without a reason."""
from __future__ import annotations

import collections
import csv
import dataclasses
import pathlib
import statistics
from typing import Collection, Iterable, Mapping, Sequence

from source_mutants import function_at
from source_mutants import Mutant
from sites import ROOT

NO_CROSSCHECK = -1  # transactions of what a test noticed
STATES = ("killed", "proved", "equivalent", "survived", "dropped")


@dataclasses.dataclass(frozen=True)
class Verdict:
    """The check that noticed ("": none) and after how many transactions; or a proof that none can. `wrong`: it noticed
    something that the mutant should not do."""

    killer: str = ""
    transactions: int = 0
    proved: bool = False
    wrong: bool = False

    @property
    def noticed(self) -> bool:
        return bool(self.killer) and not self.wrong


def by_test(name: str) -> Verdict:
    """"": no test noticed."""
    return Verdict(name, NO_CROSSCHECK) if name else Verdict()


Row = tuple[Mutant, str, Verdict]  # with one of STATES


def rows_of(mutants: Mapping[int, Mutant], dropped: Iterable[Mutant], known: Collection[Mutant],
            verdicts: Mapping[int, Verdict]) -> list[Row]:
    """`mutants` by number; `known`: those that have a reason."""
    rows = [(mutant, "dropped", Verdict()) for mutant in dropped]
    for number, mutant in mutants.items():
        verdict = verdicts[number]
        rows.append((mutant, "killed" if verdict.killer else "proved" if verdict.proved else
                     "equivalent" if mutant in known else "survived", verdict))
    return rows


def write_lines(path: pathlib.Path, rows: Sequence[Row]) -> None:
    texts: dict[str, list[str]] = {}
    with open(path, "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["file", "line", "column", "operator", "change", "state", "killer", "transactions", "text"])
        for mutant, state, verdict in rows:
            writer.writerow([mutant.file, mutant.line, mutant.column, mutant.operator, mutant.change, state,
                             verdict.killer, verdict.transactions, text_around(mutant, texts)])


def cover(killers: Iterable[Collection[str]]) -> list[str]:
    """Few tests that notice all mutants that any notices, greedily: each notices most of those that are left."""
    left, chosen = [set(tests) for tests in killers], []
    while left:
        counts = collections.Counter(test for tests in left for test in tests)
        chosen.append(min(counts, key=lambda test: (-counts[test], test)))
        left = [tests for tests in left if chosen[-1] not in tests]
    return chosen


def write_cover(path: pathlib.Path, tests: Iterable[str], killers: Sequence[Collection[str]]) -> None:
    """A line for each test: the mutants that it notices, those that no other notices, its place in the cover."""
    notices = collections.Counter(test for each in killers for test in each)
    alone = collections.Counter(test for each in killers if len(each) == 1 for test in each)
    places = {test: place for place, test in enumerate(cover(killers), 1)}
    path.parent.mkdir(exist_ok=True)
    with open(path, "w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["test", "notices", "alone", "cover"])
        writer.writerows([test, notices[test], alone[test], places.get(test, "")] for test in sorted(tests))


def text_around(mutant: Mutant, texts: dict[str, list[str]]) -> str:
    """Its line and the one before: what tells it from others when lines have moved. `texts`: files read so far."""
    if mutant.file not in texts:
        path = ROOT / mutant.file
        texts[mutant.file] = path.read_text().split("\n") if path.is_file() else []
    return "\n".join(texts[mutant.file][max(mutant.line - 2, 0):mutant.line])


def table(rows: Sequence[Row], *keys: str) -> str:
    """Lines of counts by file, operator or both, and of all."""
    states = [state for state in STATES if any(row[1] == state for row in rows)]
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
    return "\n".join(lines) + "\n"


def print_kills(killed: Sequence[Verdict]) -> None:
    by_test = [verdict for verdict in killed if verdict.transactions == NO_CROSSCHECK]
    lengths = [verdict.transactions for verdict in killed if verdict.transactions != NO_CROSSCHECK]
    if lengths:
        print(f"the cross-check noticed {len(lengths)}, after {statistics.mean(lengths):.0f} transactions in the mean, "
              f"median {statistics.median(lengths):.0f}, largest {max(lengths)}")
    print(f"tests noticed {len(by_test)}")
    for name, count in collections.Counter(verdict.killer.split(".")[0] for verdict in by_test).most_common():
        print(f"  {name}: {count}")


def conclude(rows: Sequence[Row], known: Collection[Mutant], reasons: pathlib.Path | None,
             unreached: Collection[Mutant], tables: Iterable[Sequence[str]]) -> int:
    """Prints survivors, wrong reasons and tables; returns how many mutants stay unexplained. `unreached`: no run passed
    their places."""
    failures = 0
    for mutant, state, verdict in rows:
        wrong = bool(verdict.killer) and mutant in known
        if state == "survived":
            function = function_at((ROOT / mutant.file).read_text(), mutant.begin)
            where = f" (in {function})" if function else ""
            print(f"{'UNREACHED' if mutant in unreached else 'SURVIVED'} {mutant}{where}")
        if wrong and reasons:
            print(f"NO EQUIVALENT, {verdict.killer} notices it, take it out of {reasons.name}: {mutant}")
        failures += state == "survived" or wrong
    for keys in tables:
        print("\n" + table(rows, *keys), end="")
    print()
    print_kills([verdict for _, _, verdict in rows if verdict.killer])
    return failures
