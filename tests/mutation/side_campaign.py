# SPDX-License-Identifier: Apache-2.0
"""The lists of the cross-check: every mutant of the model and of the RTL must be found.

A mutant of the model (model_mutants.toml) must be found by the tests that compare the model with the oracle and with
the clocked simulation, and by the cross-check with the RTL. One of the RTL (rtl_mutants.toml) must be found by the
cross-check with the model."""
from __future__ import annotations

import argparse
import pathlib
import time

import building
import crosscheck
import rewrite
import running
import sites

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LISTS = {"model": HERE / "model_mutants.toml", "rtl": HERE / "rtl_mutants.toml"}
REFERENCE_TEST = "model_against_references_test"  # its executable
TRANSACTIONS = 100_000  # at most: a run ends with the first difference


def load(side: str, path: pathlib.Path) -> list[sites.Mutation]:
    """The list of a side; ListError when it does not fit the sources."""
    mutations = sites.load(path, with_rows=False)
    problems = sites.stale(mutations, ROOT, path)
    outside = {"model": "rtl_ref/", "rtl": "models/"}[side]
    problems += [f"mutation {m.name}: {edit.file} is not of this side" for m in mutations for edit in m.edits
                 if edit.file.startswith(outside)]
    if problems:
        raise sites.ListError("\n".join(problems))
    return mutations


def reference_tests(runner: running.Runner) -> list[str]:
    """Names of the tests that compare the model with its references, without a mutant at work all of them pass."""
    names = sorted(name for name, executable in runner.executables.items() if executable == REFERENCE_TEST)
    if not names:
        raise building.BuildError(f"the mutated copy has no {REFERENCE_TEST}")
    failing = runner.failing(names, 0, True)
    if failing:
        raise building.BuildError(f"{failing[0]} fails without a mutant, too: it proves nothing")
    return names


def mutated_block(mutations: list[sites.Mutation], build: pathlib.Path) -> list[pathlib.Path]:
    """The files of the RTL with `mutations`, below `build`."""
    sources = building.sources_of_block(ROOT)
    return rewrite.write_block(rewrite.mutated_files(mutations, ROOT), sources, ROOT, build / "mutation_rtl")


def rtl_crosscheck(block: list[pathlib.Path], build: pathlib.Path, transactions: int,
                   configuration: str = building.RTL) -> crosscheck.Crosscheck:
    """The cross-check of the model as it is, `build`'s isbesim, with `block`."""
    isbesim = build / "isbesim"
    if not isbesim.is_file():
        raise building.BuildError(f"{isbesim}: not built")
    building.lint(ROOT, block, build / "mutation_rtl" / "lint.log", configuration)
    mutated = building.plugin(ROOT, build, f"mutated_{configuration}", block, configuration)
    return crosscheck.Crosscheck(isbesim, mutated, transactions, configuration=configuration)


def model_crosscheck(folder: pathlib.Path, build: pathlib.Path, transactions: int,
                     configuration: str = building.RTL) -> crosscheck.Crosscheck:
    """The cross-check of a mutated model, the isbesim in `folder`, with the RTL as it is."""
    clean = building.plugin(ROOT, build, f"clean_{configuration}", configuration=configuration)
    return crosscheck.Crosscheck(folder / "isbesim", clean, transactions, configuration=configuration)


def run(given: argparse.Namespace) -> int:
    begin = time.monotonic()
    build = pathlib.Path(given.build).resolve()
    path = given.list or LISTS[given.side]
    mutations = load(given.side, path)
    unknown = set(given.only) - {m.name for m in mutations}
    if unknown:
        raise sites.ListError(f"--only: no mutant of {path}: {', '.join(sorted(unknown))}")
    chosen = [(n, m) for n, m in enumerate(mutations, 1) if not given.only or m.name in given.only]
    runner, names = None, []
    if given.side == "model":
        copy = build / "mutation_model"
        rewrite.write_copy(mutations, ROOT, copy)
        folder = building.build(copy, {REFERENCE_TEST, "isbesim"})
        runner = running.Runner(folder)
        names = reference_tests(runner)

    transactions = given.transactions or TRANSACTIONS

    def check_of(configuration: str) -> crosscheck.Crosscheck:
        check = (model_crosscheck(folder, build, transactions, configuration) if given.side == "model" else
                 rtl_crosscheck(mutated_block(mutations, build), build, transactions, configuration))
        check.check_clean()
        return check

    checks = {name: check_of(name or building.RTL) for name in sorted({m.configuration for _, m in chosen})}
    print(f"{len(mutations)} mutants of the {given.side}, built in {time.monotonic() - begin:.0f} s", flush=True)
    built = time.monotonic()

    def detect(pair: tuple[int, sites.Mutation]) -> tuple[list[str], str]:
        return (runner.failing(names, pair[0], False) if runner else [], checks[pair[1].configuration].run(pair[0]))

    failures = 0
    for (_, mutation), (failing, noticed) in zip(chosen, running.in_parallel(detect, chosen, given.jobs)):
        found = [f"cross-check: {noticed or 'NOT FOUND'}"]
        if runner:
            found.insert(0, f"references: {', '.join(failing) or 'NOT FOUND'}")
        # The RTL's mistakes show at its pins: what stops the simulator itself would hide a mistake of the simulator.
        wrong = given.side == "rtl" and noticed in (crosscheck.STOPPED, crosscheck.ENDLESS)
        failures += not noticed or wrong or (runner is not None and not failing)
        print(f"{mutation.name:36} {'; '.join(found)}", flush=True)
    print(f"{len(chosen)} mutants of the {given.side} in {time.monotonic() - built:.0f} s, {failures} not found")
    return 1 if failures else 0
