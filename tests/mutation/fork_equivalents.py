# SPDX-License-Identifier: Apache-2.0
"""Mutants that no test can notice (isa_equivalents.toml, texture_equivalents.toml), with the reason for each.
A mutant has " (2)" behind it when it is the second of its kind in its line."""
from __future__ import annotations

import collections
import pathlib
from typing import Iterable

import fork_operators
import sites
from equivalents import Equivalent, read_equivalents
from operators import Mutant

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def change_of(mutant: Mutant) -> str:
    return f"{mutant.old} -> {mutant.new if mutant.new not in ('', ';') else '(nothing)'}"


class Places:
    """Where mutants are: function and line of the source."""

    def __init__(self, paths: Iterable[pathlib.Path]) -> None:
        self.texts = {str(path.relative_to(ROOT)): path.read_text() for path in paths}

    def function(self, mutant: Mutant) -> str:
        return fork_operators.function_at(self.texts[mutant.file], mutant.begin)

    def line(self, mutant: Mutant) -> str:
        return self.texts[mutant.file].split("\n")[mutant.line - 1].strip()

    def key(self, mutant: Mutant) -> tuple[str, str, str]:
        return pathlib.Path(mutant.file).name, self.function(mutant), change_of(mutant)


def explained(mutants: Iterable[Mutant], every: Iterable[Mutant], places: Places,
              path: pathlib.Path) -> dict[Mutant, Equivalent]:
    """Those of `mutants` that the list `path` explains. ListError for an entry that names no mutant of `every`."""
    by_key: dict[tuple[str, str, str], list[Mutant]] = collections.defaultdict(list)
    for mutant in every:
        by_key[places.key(mutant)].append(mutant)
    wanted = set(mutants)
    result: dict[Mutant, Equivalent] = {}
    missing = []
    for entry in read_equivalents(path):
        for change in entry.mutants:
            plain, which = (change[:-4], 1) if change.endswith(" (2)") else (change, 0)
            found = [m for m in by_key[entry.file, entry.function, plain] if entry.line in places.line(m)]
            found = found[which:] if which else found
            if not found:
                missing.append(f"{entry.file}: {entry.function}: no mutant {change} in a line with '{entry.line}'")
            result.update((mutant, entry) for mutant in found if mutant in wanted)
    if missing:
        raise sites.ListError("\n".join([*missing, f"the sources have changed: look at these again in {path}"]))
    return result
