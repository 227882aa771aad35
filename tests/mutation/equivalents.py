# SPDX-License-Identifier: Apache-2.0
"""The lists of mutants that nothing can notice (*_equivalents.toml), a table for each reason:

    [[FILE]] or [[FILE.FUNCTION]]
    reason = why
    behind = what the line before contains; may be left out
    LINE = [mutants]

in lines that contain LINE, there or further right: mutants, "old -> new".
"""
from __future__ import annotations

import dataclasses
import pathlib
import tomllib
from typing import Any, Iterator

import sites

EXPECTED = "expected a reason and, for texts of lines, lists of mutants"


@dataclasses.dataclass(frozen=True)
class Equivalent:
    file: str
    function: str  # "" where the list does not go by functions
    line: str
    mutants: tuple[str, ...]
    reason: str
    behind: str = ""


def _tables(listed: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for file, tables in listed.items():
        for function, entries in (tables if isinstance(tables, dict) else {"": tables}).items():
            for entry in entries:
                yield file, function, entry


def read_equivalents(path: pathlib.Path) -> list[Equivalent]:
    result = []
    for file, function, entry in _tables(tomllib.loads(path.read_text())):
        reason, behind = entry.pop("reason", ""), entry.pop("behind", "")
        if not (reason and entry and all(isinstance(mutants, list) and mutants for mutants in entry.values())):
            raise sites.ListError(f"{path}: {EXPECTED} in a table of {file}: {entry}")
        result += [Equivalent(file, function, line, tuple(mutants), reason, behind)
                   for line, mutants in entry.items()]
    return result
