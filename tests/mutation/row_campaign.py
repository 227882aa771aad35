# SPDX-License-Identifier: Apache-2.0
"""Shows for each row of the conformance list that its tests fail when the row's rule is broken.

mutations.toml names a mistake or more for each row. The tests that carry a row's name run with one mistake at work
after the other: at least one must fail, on each back end that the row needs (L loosely timed, A approximately timed),
and pass when no mistake is at work."""
from __future__ import annotations

import argparse
import pathlib
import resource
import time
from typing import Iterable, Iterator, Sequence

import building
import rewrite
import row_tests
import running
import sites

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
Row = row_tests.Row
Site = tuple[int, sites.Mutation, Row]  # a mutation, its number, and one of its rows


def needed_back_ends(row: Row) -> list[str]:
    """Back ends on each of which a mistake of the row must be noticed; R has the mutants of the RTL."""
    return [letter for letter in row["on"].split() if letter != "R"]


def quick_first(name: str) -> tuple[bool, str]:
    """Whole draws last: a test of a part says more, sooner."""
    return ("pipeline" in name or "." not in name, name)


def tests_that_notice(number: int, row: Row, names: Iterable[str], runner: running.Runner, every: bool) -> list[str]:
    """One test on each back end that the row needs, else one that is about what all back ends share; `every`: all."""
    names = sorted((name for name in names if name in runner.tests), key=quick_first)
    letters = {name: row_tests.back_ends([name], runner.executables) for name in names}
    names = [name for name in names if "R" not in letters[name]]
    if every:
        return runner.failing(names, number, True)
    noticed: set[str] = set()
    for letter in needed_back_ends(row):
        noticed.update(runner.failing([name for name in names if letter in letters[name]], number, False))
    return sorted(noticed) or runner.failing(names, number, False)


def report(mutation: sites.Mutation, row: Row, noticed: Sequence[str]) -> None:
    verdict = "noticed by " + ", ".join(noticed) if noticed else "NOT NOTICED"
    print(f"{row['row']:8} {mutation.name:32} {verdict}", flush=True)


def blind_back_ends(rows: Iterable[Row], results: Iterable[tuple[Site, list[str]]],
                    runner: running.Runner) -> Iterator[tuple[str, str]]:
    """Rows of which no mistake is noticed on a back end that they need: (row, letter)."""
    seen: dict[str, set[str]] = {}
    for (_, _, row), noticed in results:
        seen.setdefault(row["row"], set()).update(row_tests.back_ends(noticed, runner.executables))
    for row in rows:
        for letter in needed_back_ends(row):
            if row["row"] in seen and letter not in seen[row["row"]]:
                yield row["row"], letter


def processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(given: argparse.Namespace) -> int:
    begin = time.monotonic()
    path = given.list or HERE / "mutations.toml"
    mutations = sites.load(path)
    stale = sites.stale(mutations, ROOT, path)
    if stale:
        raise sites.ListError("\n".join(stale))
    rows = {row["row"]: row for row in row_tests.read_rows()}
    tests = row_tests.read_tests(given.build)
    of_row = row_tests.tests_of_rows(tests)
    unknown = [r for m in mutations for r in m.rows if r not in rows]
    if unknown:
        raise sites.ListError(f"{path}: no such row: {', '.join(sorted(set(unknown)))}")
    pairs = [(number, mutation, rows[row]) for number, mutation in enumerate(mutations, 1) for row in mutation.rows
             if not given.only or row in given.only or mutation.name in given.only]
    unknown = [name for name in given.only if name not in rows and name not in {m.name for m in mutations}]
    if unknown:
        raise sites.ListError(f"--only: neither a row nor a mutation: {', '.join(unknown)}")
    folder = pathlib.Path(given.build).resolve() / "mutation"
    rewrite.write_copy(mutations, ROOT, folder)
    names = {name for _, _, row in pairs for full in of_row.get(row["row"], {}).values() for name in full}
    runner = running.Runner(building.build(folder, {tests[name] for name in names} | {"isbesim"}))
    built = time.monotonic()
    compiled = processor_seconds()
    print(f"{len(mutations)} mutations, built in {built - begin:.0f} s ({compiled:.0f} s of processor)", flush=True)

    def noticing(pair: Site) -> list[str]:
        number, _, row = pair
        names = [name for full in of_row.get(row["row"], {}).values() for name in full]
        return tests_that_notice(number, row, names, runner, given.every_test)

    results = list(zip(pairs, running.in_parallel(noticing, pairs, given.jobs)))
    failures = 0
    for (number, mutation, row), noticed in results:
        report(mutation, row, noticed)
        failures += not noticed
    killers = {name for _, noticed in results for name in noticed}
    without = sorted(killers)
    for name, verdict in zip(without, running.in_parallel(lambda n: runner.run(n, 0), without, given.jobs)):
        if verdict != running.PASSED:
            print(f"{name} fails without a mutation, too: it proves nothing")
            failures += 1
    whole = [row for name, row in rows.items() if not given.only or name in given.only]
    for name, letter in blind_back_ends(whole, results, runner):
        print(f"{name}: no mutation of it is noticed on {letter}")
        failures += 1
    if given.every_test:
        idle = {name for _, _, row in pairs for full in of_row.get(row["row"], {}).values() for name in full
                if name in runner.tests} - killers
        for name in sorted({row_tests.base_name(n) for n in idle} - {row_tests.base_name(n) for n in killers}):
            print(f"idle: {name} notices no mutation of its rows")
    covered = {row for m in mutations for row in m.rows} | {e["row"] for e in row_tests.read_proven_elsewhere()}
    for name in rows:
        if name not in covered and not given.only:
            print(f"{name}: no mutation names it: add one to {path}")
            failures += 1
    print(f"{len(pairs)} rows and mutations, {runner.runs} runs of tests in {time.monotonic() - built:.0f} s "
          f"({processor_seconds() - compiled:.0f} s of processor), {failures} failures")
    return 1 if failures else 0
