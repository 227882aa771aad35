# SPDX-License-Identifier: Apache-2.0
"""The mutants of the RTL in several blocks. One block with all of them simulates ten times slower than the RTL: its
instructions fit no cache. One with some hundreds, all of one or two files, is nearly as quick as the RTL."""
from __future__ import annotations

import collections
import pathlib
import shutil
from typing import Sequence

import building
import crosscheck
import operator_campaign
import rewrite
import running
from operators import Mutant

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TIMEOUT = 180  # seconds of a run
BATCH = 300    # mutants of a block


def batches(mutants: dict[int, Mutant], size: int = BATCH) -> list[list[int]]:
    """Numbers of `mutants`, `size` in a batch at most, those of one file together."""
    by_file: dict[str, list[int]] = collections.defaultdict(list)
    for number, mutant in mutants.items():
        by_file[mutant.file].append(number)
    result: list[list[int]] = []
    for numbers in sorted(by_file.values(), key=len, reverse=True):
        parts = -(-len(numbers) // size)
        pieces = [numbers[len(numbers) * at // parts:len(numbers) * (at + 1) // parts] for at in range(parts)]
        for piece in pieces:
            place = next((batch for batch in result if len(batch) + len(piece) <= size), None)
            if place is None:
                result.append(piece)
            else:
                place += piece
    return result


class Checks:
    """The cross-checks of all batches, as one."""

    def __init__(self, of: dict[int, crosscheck.Crosscheck]) -> None:
        self.of = of  # by the number of the mutant

    def examine(self, number: int, transactions: int, seed: int = 1) -> tuple[str, int]:
        return self.of[number].examine(number, transactions, seed)


class Blocks:
    """Blocks of one configuration at a time."""

    def __init__(self, build: pathlib.Path, mutants: operator_campaign.Set, jobs: int) -> None:
        self.build, self.mutants, self.jobs = build, mutants, jobs
        self.folder = build / "mutation_rtl" / "batches"
        self.sources = building.sources_of_block(ROOT)

    def drop_what_does_not_compile(self, configuration: str) -> None:
        def write_and_lint(texts: dict[str, str]) -> None:
            block = rewrite.write_block(texts, self.sources, ROOT, self.folder / "every")
            building.lint(ROOT, block, self.folder / "every" / "lint.log", configuration)

        operator_campaign.until_it_builds(self.mutants, write_and_lint)

    def plugin(self, name: str, numbers: Sequence[int], configuration: str) -> pathlib.Path:
        """The plug-in of a block with these mutants."""
        part = operator_campaign.Set({number: self.mutants.mutants[number] for number in numbers})
        texts = {file: here.text for file, here in part.rewritten().items()}
        block = rewrite.write_block(texts, self.sources, ROOT, self.folder / name)
        return building.plugin(ROOT, self.build, f"{configuration}_{name}", block, configuration, jobs=1)

    def checks(self, configuration: str, numbers: Sequence[int], transactions: int) -> Checks:
        """Builds blocks with the mutants `numbers`. BuildError when one differs without a mutant at work."""
        isbesim = self.build / "isbesim"
        if not isbesim.is_file():
            raise building.BuildError(f"{isbesim}: not built")
        shutil.rmtree(building.mutant_cache(self.build), ignore_errors=True)  # blocks of earlier runs
        building.plugin(ROOT, self.build, f"clean_{configuration}", configuration=configuration)  # with the run time

        def one(numbered: tuple[int, list[int]]) -> tuple[list[int], crosscheck.Crosscheck]:
            at, batch = numbered
            block = self.plugin(f"{at}", batch, configuration)
            check = crosscheck.Crosscheck(isbesim, block, transactions, TIMEOUT, configuration)
            check.check_clean()
            return batch, check

        parts = batches({number: self.mutants.mutants[number] for number in numbers})
        made = running.in_parallel(one, list(enumerate(parts)), self.jobs)
        return Checks({number: check for batch, check in made for number in batch})
