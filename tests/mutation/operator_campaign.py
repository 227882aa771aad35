# SPDX-License-Identifier: Apache-2.0
"""run --operators: mutants made by operators from any source. The tests that are named after rows must notice a mutant,
or those that --tests says. Those of the ISBE's model and RTL are scripts/mutate's."""
from __future__ import annotations

import re
from typing import Iterator

import building
import source_mutants
import rewrite
import row_tests
import sites
from campaigns import OperatorCampaign, Stage
from detect_tests import Tests
from source_mutants import Mutant
from sites import ROOT

OF_MUTATE = ("models/isbe/", "models/attribute/", "models/clocked/", "rtl_ref/")


class Sources(OperatorCampaign):
    name = "operators"
    tables = (("operator",),)
    may_survive = True

    def generated(self) -> list[Mutant]:
        mutants: list[Mutant] = []
        for name in self.given.operators:
            path = (ROOT / name).resolve()
            if not path.is_file() or ROOT not in path.parents:
                raise sites.ListError(f"{name}: no source file of this checkout")
            file = str(path.relative_to(ROOT))
            if file.startswith(OF_MUTATE) or not file.startswith(("models/", "testbench/", "tlm/")):
                raise sites.ListError(f"{name}: expected a file of models, testbench or tlm, and none that "
                                      "scripts/mutate takes")
            mutants += source_mutants.generate(file, path.read_text(), self.given.operator)
        return mutants

    def is_wanted(self, name: str) -> bool:
        return bool(re.search(self.given.tests, name) if self.given.tests else row_tests.ROW.search(name))

    def build_mutants(self) -> None:
        copy = self.build / "mutation_operators"
        wanted = {executable for name, executable in row_tests.read_tests(self.given.build).items()
                  if self.is_wanted(name)}

        def write_and_build(texts: dict[str, str]) -> None:
            rewrite.write_tree(texts, ROOT, copy)
            building.build(copy, {"isbesim", *wanted})

        self.mutants.until_it_builds(write_and_build)
        self.tests = Tests(copy / "build")

    def stages(self) -> Iterator[Stage[int]]:
        """Short tests first. Those that fail anyway (they need the RTL, say) notice nothing."""
        names = sorted((name for name in self.tests.tests if self.is_wanted(name) and not name.startswith("XC_")),
                       key=lambda name: ("." not in name, len(name), name))
        names = [name for name in names if self.tests.passes(name, 0)]
        if not names:
            raise building.BuildError("every test fails without a mutant, too: nothing is proven")
        yield Stage(f"{len(names)} tests", lambda number: self.tests.examine(names, number))
