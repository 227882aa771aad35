# SPDX-License-Identifier: Apache-2.0
"""scripts/mutate rtl: mutants of every statement of the RTL (rtl_ref) by all operators.

One block with all of them simulates ten times slower than the RTL: its instructions fit no cache. One with some
hundreds, of neighbouring files, is nearly as quick as the RTL. Short runs of the cross-check on all configurations
come first; what they leave is proved, and the rest runs long on the first two."""
from __future__ import annotations

import pathlib
import shutil
from typing import Iterator, Sequence

import building
import source_mutants
import detect_crosscheck
import detect_proof
import rewrite
from campaigns import HERE, OperatorCampaign, Stage, in_parallel
from mutant_set import MutantSet
from source_mutants import Mutant
from report import Verdict
from sites import ROOT

SHORT, MIDDLE = 300, 5_000  # transactions
SEEDS = 8      # short runs with other seeds: what comes before cycle 0 is another past in each
MANY = 100     # of mutants neither proved nor explained
TIMEOUT = 180  # seconds of a run
BATCH = 300    # mutants of a block
Checks = dict[int, detect_crosscheck.Crosscheck]  # by the number of the mutant


class Rtl(OperatorCampaign):
    name = "rtl"
    reasons = HERE / "rtl_equivalents.toml"

    def generated(self) -> list[Mutant]:
        paths = building.sources_of_block(ROOT)
        outputs: source_mutants.Outputs = {}
        for path in paths:
            outputs.update(source_mutants.outputs_of(path.read_text()))
        return [mutant for path in paths for mutant in
                source_mutants.generate_crosschecked(str(path.relative_to(ROOT)), path.read_text(), None, outputs)]

    def build_mutants(self) -> None:
        """Drops what does not compile; blocks are built for one configuration at a time."""
        self.prover = detect_proof.Prover(self.build / "mutation_rtl" / "proofs")

        def write_and_lint(texts: dict[str, str]) -> None:
            block = self.write_block(texts, "every")
            building.lint(block, block[0].with_name("lint.log"), self.given.configuration[0])

        self.mutants.until_it_builds(write_and_lint)

    def write_block(self, texts: dict[str, str], name: str) -> list[pathlib.Path]:
        return rewrite.write_block(texts, building.sources_of_block(ROOT), ROOT,
                                   self.build / "mutation_rtl" / "batches" / name)

    def checks(self, configuration: str) -> Checks:
        """Builds blocks with the mutants that are left. BuildError when one differs without a mutant at work."""
        shutil.rmtree(building.mutant_cache(self.build), ignore_errors=True)  # blocks of earlier runs
        building.plugin(self.build, f"clean_{configuration}", configuration=configuration)  # with the run time

        def one(numbered: tuple[int, dict[int, Mutant]]) -> Checks:
            at, batch = numbered
            block = self.write_block({file: here.text for file, here in MutantSet(batch).rewritten().items()}, f"{at}")
            check = detect_crosscheck.of_rtl(block, self.build, f"{configuration}_{at}", configuration, TIMEOUT, 1)
            check.check_clean(min(self.given.transactions, MIDDLE))
            return dict.fromkeys(batch, check)

        left = self.left()  # in the order of files
        parts = [{number: self.mutants.mutants[number] for number in left[at:at + BATCH]}
                 for at in range(0, len(left), BATCH)]
        return {number: check for made in in_parallel(one, list(enumerate(parts)), self.given.jobs)
                for number, check in made.items()}

    def runs(self, checks: Checks, configuration: str, length: int, seeds: Sequence[int],
             only: Sequence[int] | None = None) -> Stage[int]:
        length = min(length, self.given.transactions)
        return Stage(f"{configuration}, {length} transactions" + (f", {len(seeds)} seeds" if len(seeds) > 1 else ""),
                     lambda number: checks[number].examine(number, length, seeds), only)

    def stages(self) -> Iterator[Stage[int]]:
        configurations, first = self.given.configuration, self.given.seed
        checks: dict[str, Checks] = {}
        for name in configurations:
            if self.left():
                checks[name] = self.checks(name)
                for length in sorted({min(length, self.given.transactions) for length in (SHORT, MIDDLE)}):
                    yield self.runs(checks[name], name, length, [first])
                yield self.runs(checks[name], name, SHORT, range(first + 1, first + 1 + SEEDS))
        unexplained = self.left(unexplained_only=True)
        proving = configurations[:2]
        self.prover.read([self.mutants.mutants[number] for number in unexplained], proving)
        yield Stage("proofs", lambda number: Verdict(proved=self.prover.proved(self.mutants.mutants[number], number,
                                                                               proving)), unexplained)
        for name, check in checks.items():
            yield self.runs(check, name, SHORT, range(first + 1 + SEEDS, first + MANY), unexplained)
        for name in proving if self.given.transactions > MIDDLE else []:
            if name in checks:
                yield self.runs(checks[name], name, self.given.transactions, [first])
