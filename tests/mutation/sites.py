# SPDX-License-Identifier: Apache-2.0
"""The list of mutations (mutations.toml): one deliberate mistake each, as pieces of source text and what replaces them.

    [NAME]
    breaks = "ROW, ...: which rule, and how"
    "FILE" = 'OLD -> NEW'

FILE lies below the root of the sources, and OLD occurs exactly once in it. Several mistakes of a file are a list; a
mutation may have several files: where a rule has a fast and a general path, both break together. In place of the text a
table may stand: `near` is a text before OLD from which the search starts (the first OLD after it counts); `old` and
`new` instead of `edit` are for texts of several lines. How NEW is chosen at run time:

    (mutant ? (NEW) : (OLD))                    expressions
    { if (mutant) { NEW } else { OLD } }        OLD ends with ;   whole statements, without declarations
    NEW is what stands there                    NEW contains MUTANT, the condition

The list of rows (mutations.toml) says which rows' tests must notice. The lists of the cross-check (model_mutants.toml,
rtl_mutants.toml) name no rows: it must find every mutant there. `configuration` is that of the RTL
in which to look, where it is not the usual one; tests/rtl/assertions_test explains `seen_in` and `needs`.
"""
from __future__ import annotations

import dataclasses
import pathlib
import re
import tomllib
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ADVICE = "the source has changed: give the mutation, in {list}, a text of it that occurs once"


@dataclasses.dataclass(frozen=True)
class Edit:
    file: str  # below the root of the sources
    old: str
    new: str
    kind: str = "expression"  # statement, text
    near: str = ""


@dataclasses.dataclass(frozen=True)
class Mutation:
    name: str
    rows: tuple[str, ...]  # of the conformance list; the lists of the cross-check have none
    breaks: str  # one line: which rule, and how
    edits: tuple[Edit, ...]
    seen_in: tuple[str, ...] = ()  # assertions that it violates
    needs: str = ""  # the traffic that it takes
    configuration: str = ""  # of the RTL, where the usual one can't tell


class ListError(Exception):
    """The list itself is wrong."""


def load(path: str | pathlib.Path, with_rows: bool = True) -> list[Mutation]:
    """The mutations of a file, in its order. `with_rows`: each names its rows."""
    path = pathlib.Path(path)
    try:
        document = tomllib.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise ListError(f"{path}: {error}") from error
    return [_mutation(name, entry, path, with_rows) for name, entry in document.items()]


def _edit(file: str, value: Any, where: str) -> Edit:
    table = {"edit": value} if isinstance(value, str) else dict(value) if isinstance(value, dict) else {}
    near = table.pop("near", "")
    parts = re.split(r" ->\s+", table["edit"]) if list(table) == ["edit"] else [table.get("old"), table.get("new")]
    if len(parts) != 2 or not isinstance(parts[0], str) or not isinstance(parts[1], str):
        raise ListError(f"{where}: {file}: expected 'OLD -> NEW', or a table with edit, or old and new, and near")
    old, new = parts
    if not old or old == new:
        raise ListError(f"{where}: {file}: the old text is empty or equal to the new one")
    return Edit(file, old, new, "text" if "MUTANT" in new else "statement" if old.rstrip().endswith(";") else
                "expression", near)


def _mutation(name: str, entry: Any, path: pathlib.Path, with_rows: bool) -> Mutation:
    where = f"{path}: mutation {name}"
    if not isinstance(entry, dict):
        raise ListError(f"{where}: expected a table [{name}]")
    files = {key: value for key, value in entry.items() if "/" in key}
    seen_in = entry.get("seen_in", [])
    named = re.fullmatch(r"((?:[A-Z0-9]+-\d+(?:, )?)+): (.+)" if with_rows else "()(.+)", str(entry.get("breaks", "")))
    unknown = set(entry) - set(files) - ({"breaks", "needs"} if with_rows else
                                         {"breaks", "seen_in", "needs", "configuration"})
    if unknown or not files or named is None or not isinstance(seen_in, list):
        raise ListError(f"{where}: expected breaks{' = ROW: text' if with_rows else ''} and a file with its edit, or "
                        f"more; unknown: {', '.join(sorted(unknown)) or 'none'}")
    edits = tuple(_edit(file, each, where) for file, value in files.items()
                  for each in (value if isinstance(value, list) else [value]))
    return Mutation(name, tuple(named[1].split(", ")) if with_rows else (), named[2], edits, tuple(seen_in),
                    entry.get("needs", ""), entry.get("configuration", ""))


def place(text: str, edit: Edit) -> int | str:
    """Offset of the edit's old text, or a text with the reason why it was not found."""
    begin = 0
    if edit.near:
        if text.count(edit.near) != 1:
            return f"near = '{edit.near}' occurs {text.count(edit.near)} times"
        begin = text.index(edit.near) + len(edit.near)
        if edit.old not in text[begin:]:
            return f"'{edit.old}' does not occur behind '{edit.near}'"
    elif text.count(edit.old) != 1:
        return f"'{edit.old}' occurs {text.count(edit.old)} times"
    return text.index(edit.old, begin)


def stale(mutations: list[Mutation], root: str | pathlib.Path, path: str | pathlib.Path) -> list[str]:
    """A line for each edit whose text is not found exactly once in the sources below `root`."""
    problems = []
    for mutation in mutations:
        for edit in mutation.edits:
            source = pathlib.Path(root) / edit.file
            found = place(source.read_text(), edit) if source.is_file() else "there is no such file"
            if isinstance(found, str):
                problems.append(f"mutation {mutation.name}: {edit.file}: {found}; {ADVICE.format(list=path)}")
    return problems
