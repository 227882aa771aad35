# SPDX-License-Identifier: Apache-2.0
"""The lists of mutants that nothing can notice (*_equivalents.toml), a table for each reason:

    [REASON]
    'FILE FUNCTION: LINE' = [mutants]

in lines that contain LINE, there or further right: mutants, "old -> new". FUNCTION may be left out. `BEFORE\\nLINE`: of
lines after one that contains BEFORE. `*~` in a mutant stands for any text, as changes are full of brackets and stars.
"""
from __future__ import annotations

import collections
import dataclasses
import pathlib
import tomllib
from typing import Sequence

import source_mutants
import sites
from source_mutants import Mutant
from sites import ROOT

EXPECTED = "expected 'FILE FUNCTION: LINE' = [mutants]"


@dataclasses.dataclass(frozen=True)
class Equivalent:
    file: str
    function: str  # "" where the list does not go by functions
    line: str
    mutants: tuple[str, ...]
    reason: str
    before: str = ""


def read_equivalents(path: pathlib.Path) -> list[Equivalent]:
    result = []
    for reason, entries in tomllib.loads(path.read_text()).items():
        for key, mutants in entries.items() if isinstance(entries, dict) and entries else [("", [])]:
            place, colon, text = key.partition(": ")
            if not (colon and isinstance(mutants, list) and mutants):
                raise sites.ListError(f"{path}: {EXPECTED} in the table '{reason}': '{key}'")
            file, _, function = place.partition(" ")
            before, _, line = text.rpartition("\n")
            result.append(Equivalent(file, function, line, tuple(mutants), reason, before))
    return result


def _is(pattern: str, text: str) -> bool:
    parts = pattern.split("*~")
    return text == pattern if len(parts) == 1 else (
        text.startswith(parts[0]) and text.endswith(parts[-1]) and
        all(part in text for part in parts) and len(text) >= sum(map(len, parts)))


def _is_at(mutant: Mutant, entry: Equivalent, text: str) -> bool:
    """Whether the entry names the mutant's place. If a line has the text twice, `entry.line` can name the second."""
    lines = text.split("\n")
    return (0 <= lines[mutant.line - 1].find(entry.line) < mutant.column and entry.before in lines[mutant.line - 2] and
            entry.function in ("", source_mutants.function_at(text, mutant.begin)))


def explained(every: Sequence[Mutant], path: pathlib.Path, root: pathlib.Path = ROOT) -> dict[Mutant, Equivalent]:
    """The mutants that the list explains. ListError for an entry that names none of `every`."""
    texts = {file: (root / file).read_text() for file in {mutant.file for mutant in every}}
    by_file: dict[str, list[Mutant]] = collections.defaultdict(list)
    for mutant in every:
        by_file[pathlib.Path(mutant.file).name].append(mutant)
    result: dict[Mutant, Equivalent] = {}
    missing = []
    for entry in read_equivalents(path):
        for change in entry.mutants:
            found = [mutant for mutant in by_file[entry.file]
                     if _is(change, mutant.change) and _is_at(mutant, entry, texts[mutant.file])]
            if not found:
                missing.append(f"{entry.file}: {entry.function}: no mutant {change} in a line with '{entry.line}'")
            result.update((mutant, entry) for mutant in found)
    if missing:
        raise sites.ListError("\n".join([*missing, f"the sources have changed: look at these again in {path}"]))
    return result
