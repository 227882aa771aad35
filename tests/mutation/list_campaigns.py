# SPDX-License-Identifier: Apache-2.0
"""The campaigns of lists: each row of the conformance list has tests that fail when the row's rule is broken
(mutations.toml); the cross-check finds every mistake in the model and in the RTL (model_mutants.toml,
rtl_mutants.toml)."""
from __future__ import annotations

import dataclasses
import os
import runpy
from typing import Iterable, Iterator, Mapping

import building
import detect_crosscheck
import rewrite
import row_tests
from campaigns import HERE, ListCampaign, Listed, Stage, in_parallel
from detect_tests import Tests
from report import Verdict
from sites import ROOT

REFERENCE_TEST = "model_against_references_test"  # its executable
TRANSACTIONS = 100_000  # at most: a run ends with the first difference
KEPT = 20_000  # mutants of rows, with the tests that noticed


def needed_back_ends(row: row_tests.Row) -> list[str]:
    """Back ends on each of which a mistake of the row must be noticed; R has the mutants of the RTL."""
    return [letter for letter in row["on"].split() if letter != "R"]


def quick_first(name: str) -> tuple[bool, str]:
    """Whole draws last: a test of a part says more, sooner."""
    return ("pipeline" in name or "." not in name, name)


class Rows(ListCampaign):
    """The tests that carry a row's name run with one of its mistakes at a time: at least one must fail,
    on each back end that the row needs (L loosely timed, A approximately timed), and pass without a mistake."""

    path = HERE / "mutations.toml"
    with_rows = True

    def problems(self) -> list[str]:
        self.row_list = {row["row"]: row for row in row_tests.read_rows()}
        named = {row for mutation in self.mutations for row in mutation.rows}
        return [f"{self.path}: no such row: {row}" for row in sorted(named - set(self.row_list))]

    def may_be_named(self) -> set[str]:
        return super().may_be_named() | set(self.row_list)

    def prepare(self) -> str:
        tests = row_tests.read_tests(self.arguments.build)
        row_names = row_tests.tests_of_rows(tests)
        names = {row: {name for full in row_names.get(row, {}).values() for name in full} for _, _, row in self.asked}
        self.read_kept(names)
        left = {row for number, _, row in self.asked if self.keys.get((number, row)) not in self.kept}
        wanted = {tests[name] for row in left for name in names[row]}
        self.tests = Tests(self.built_copy("mutation", wanted | {"isbesim"}) if wanted else self.build)
        self.names = {row: sorted(mine & set(self.tests.tests), key=quick_first) for row, mine in names.items()}
        self.noticing: dict[tuple[int, str], set[str]] = {}
        return f"{len(self.mutations)} mutations"

    def read_kept(self, names: Mapping[str, Iterable[str]]) -> None:
        """Where .ci/reuse runs, what it keeps: by a digest of the mistake, its sources, the tool, and of all that it
        knows a row's tests to depend on, the tests that noticed then. With ISBESIM_REUSE=check nothing is reused."""
        self.keys: dict[tuple[int, str], str] = {}
        self.kept: dict[str | None, list[str]] = {}
        if "reuse" not in os.environ.get("ISBESIM_CTEST", "") or self.arguments.every_test:
            return
        reuse = runpy.run_path(str(ROOT / ".ci" / "reuse"))
        self.store = reuse["CACHE"] / "noticed_mutants"
        self.store.parent.mkdir(parents=True, exist_ok=True)
        keys = {row_tests.short_name(test["name"]): reuse["key"](test, self.build)
                for test in row_tests.listed_tests(self.arguments.build)}
        tool = [path.read_bytes() for path in sorted(HERE.glob("*.py"))]
        for number, mutation, row in self.asked:
            test_keys = [keys[name] for name in sorted(names[row])]
            if all(test_keys):
                texts = [(ROOT / edit.file).read_bytes() for edit in mutation.edits]
                parts = repr((dataclasses.replace(mutation, breaks=""), row, self.row_list[row], test_keys)).encode()
                self.keys[number, row] = reuse["digest"](*tool, *texts, parts).hex()
        self.lines = self.store.read_text().splitlines() if self.store.is_file() else []
        if os.environ.get("ISBESIM_REUSE") != "check":
            self.kept = {key: killers for key, *killers in (line.split("\t") for line in self.lines)}

    def stages(self) -> Iterator[Stage]:
        yield Stage("tests", self.examine)

    def examine(self, listed: Listed) -> Verdict:
        """One test on each back end that the row needs, else one that is about what all back ends share;
        --every-test: all."""
        number, _, row = listed
        letters = {name: row_tests.back_ends([name]) for name in self.names[row]}
        names = [name for name in self.names[row] if "R" not in letters[name]]
        key = self.keys.get((number, row))
        if key in self.kept:
            noticing = set(self.kept[key])
        elif self.arguments.every_test:
            noticing = set(self.tests.failing(names, number))
        else:
            groups = [[name for name in names if letter in letters[name]]
                      for letter in needed_back_ends(self.row_list[row])]
            noticing = {self.tests.examine(group, number).killer for group in groups} - {""}
            noticing = noticing or {self.tests.examine(names, number).killer} - {""}
        self.noticing[number, row] = noticing
        return Verdict(", ".join(sorted(noticing)))

    def report(self) -> int:
        failures = super().report()
        noticing: dict[str, set[str]] = {row: set() for _, _, row in self.asked}
        for (_, row), killers in self.noticing.items():
            noticing[row] |= killers
        # Asking these afterwards spares the runs of all others.
        new = {each: killers for each, killers in self.noticing.items() if self.keys.get(each) not in self.kept}
        names = sorted(set().union(*new.values()))
        passed = in_parallel(lambda name: self.tests.passes(name, 0), names, self.arguments.jobs)
        problems = [f"{name} fails without a mutation, too: it proves nothing" for name, fine in zip(names, passed)
                    if not fine]
        if self.keys and not problems:
            lines = ["\t".join([self.keys[each], *sorted(killers)])
                     for each, killers in new.items() if killers and each in self.keys]
            self.store.write_text("".join(f"{line}\n" for line in [*self.lines[-KEPT:], *lines]))
        problems += [f"{row}: no mutation of it is noticed on {letter}" for row, killers in noticing.items()
                     if not self.arguments.only or row in self.arguments.only
                     for letter in needed_back_ends(self.row_list[row]) if letter not in row_tests.back_ends(killers)]
        if not self.arguments.only:
            covered = {row for m in self.mutations for row in m.rows}
            covered |= {each["row"] for each in row_tests.read_rows("proven_elsewhere")}
            problems += [f"{row}: no mutation names it: add one to {self.path}" for row in self.row_list
                         if row not in covered]
        print("".join(f"{problem}\n" for problem in problems), end="")
        if self.arguments.every_test:
            idle = {row_tests.base_name(n) for names in self.names.values() for n in names}
            idle -= {row_tests.base_name(name) for name in names}
            print("".join(f"idle: {name} notices no mutation of its rows\n" for name in sorted(idle)), end="")
        return failures + len(problems)


class Side(ListCampaign):
    """The cross-check must find each mistake of a side."""

    outside: str  # folder of the other side

    def problems(self) -> list[str]:
        return [f"mutation {m.name}: {edit.file} is not of this side" for m in self.mutations for edit in m.edits
                if edit.file.startswith(self.outside)]

    def check_of(self, configuration: str) -> detect_crosscheck.Crosscheck:
        raise NotImplementedError

    def prepare(self) -> str:
        self.transactions = self.arguments.transactions or TRANSACTIONS
        self.checks = {}
        for name in sorted({mutation.configuration for _, mutation, _ in self.asked}):
            self.checks[name] = self.check_of(name or building.RTL)
            self.checks[name].check_clean(self.transactions)
        return f"{len(self.mutations)} mutants of the {self.arguments.side}"

    def stages(self) -> Iterator[Stage]:
        yield Stage("cross-check", self.crosschecked)

    def crosschecked(self, listed: Listed) -> Verdict:
        number, mutation, _ = listed
        return self.checks[mutation.configuration].examine(number, self.transactions)


class ModelSide(Side):
    """So must the tests that compare the model with the oracle and with the clocked simulation."""

    path = HERE / "model_mutants.toml"
    outside = "rtl_ref/"

    def prepare(self) -> str:
        self.folder = self.built_copy("mutation_model", {REFERENCE_TEST, "isbesim"})
        self.tests = Tests(self.folder)
        self.names = sorted(name for name, of in self.tests.executables.items() if of == REFERENCE_TEST)
        if not self.names:
            raise building.BuildError(f"the mutated copy has no {REFERENCE_TEST}")
        self.tests.check_clean(self.names)
        return super().prepare()

    def check_of(self, configuration: str) -> detect_crosscheck.Crosscheck:
        return detect_crosscheck.of_model(self.folder, self.build, configuration)

    def stages(self) -> Iterator[Stage]:
        yield Stage("references", lambda listed: self.tests.examine(self.names, listed[0]))
        yield from super().stages()


class RtlSide(Side):
    path = HERE / "rtl_mutants.toml"
    outside = "models/"

    def check_of(self, configuration: str) -> detect_crosscheck.Crosscheck:
        block = rewrite.write_block(rewrite.mutated_files(self.mutations, ROOT), building.sources_of_block(ROOT), ROOT,
                                    self.build / "mutation_rtl")
        building.lint(block, self.build / "mutation_rtl" / "lint.log", configuration)
        return detect_crosscheck.of_rtl(block, self.build, f"mutated_{configuration}", configuration)

    def crosschecked(self, listed: Listed) -> Verdict:
        """The RTL's mistakes show at its pins: what stops the simulator itself would hide a mistake of the
        simulator."""
        found = super().crosschecked(listed)
        return dataclasses.replace(found, wrong=found.killer.endswith((detect_crosscheck.STOPPED,
                                                                       detect_crosscheck.ENDLESS)))
