# SPDX-License-Identifier: Apache-2.0
"""The list of mutations (mutations.toml): one deliberate mistake each, as pieces of source text and what replaces them.

A mutation, a table of its name, is one or more edits: where a rule has a fast and a general path, both break together.
An edit's `old` text occurs exactly once in its file; `near`, when given, is a text before it from which the search
starts (the first `old` behind it counts). `kind` says how the new text is chosen at run time:

    expression   (mutant ? (new) : (old))
    statement    { if (mutant) { new } else { old } }    old: whole statements, without declarations
    text         new is what stands there; MUTANT in it is the condition

The list of rows (mutations.toml) says which tests must notice: `rows`. The lists of the cross-check
(model_mutants.toml, rtl_mutants.toml) have none: it must find every mutant there. `seen_in` and `needs` tell people
what to look for; `configuration` is that of the RTL in which to look, where it is not the usual one.
"""
from __future__ import annotations

import dataclasses
import json
import pathlib
import tomllib
from typing import Any

KINDS = ("expression", "statement", "text")
ADVICE = "the source has changed: give the mutation, in {list}, a text of it that occurs once"


@dataclasses.dataclass(frozen=True)
class Edit:
    file: str  # below the root of the sources
    old: str
    new: str
    kind: str = "expression"
    near: str = ""


@dataclasses.dataclass(frozen=True)
class Mutation:
    name: str
    rows: tuple[str, ...]  # of the conformance list; the lists of the cross-check have none
    breaks: str  # one line: which rule, and how
    edits: tuple[Edit, ...]
    seen_in: tuple[str, ...] = ()  # what differs
    needs: str = ""  # what it takes to see it
    configuration: str = ""  # of the RTL, where the usual one can't tell


class ListError(Exception):
    """The list itself is wrong."""


def load(path: str | pathlib.Path, with_rows: bool = True) -> list[Mutation]:
    """The mutations of a .toml or .json file of the same structure, in its order. `with_rows`: each names its rows."""
    path = pathlib.Path(path)
    try:
        text = path.read_text()
        document = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (OSError, ValueError) as error:  # both parsers' errors are ValueErrors
        raise ListError(f"{path}: {error}") from error
    return [_mutation(name, entry, path, with_rows) for name, entry in document.items()]


def _mutation(name: str, entry: Any, path: pathlib.Path, with_rows: bool) -> Mutation:
    where = f"{path}: mutation {name}"
    if not isinstance(entry, dict):
        raise ListError(f"{where}: expected a table [{name}]")
    entry = dict(entry)
    edits = entry.pop("edit", None)
    if edits is None:  # the usual mutation has a single edit, written into the mutation itself
        fields = [field.name for field in dataclasses.fields(Edit)]
        edits = [{key: entry.pop(key) for key in fields if key in entry}]
    rows = entry.get("rows", None if with_rows else [])
    seen_in = entry.get("seen_in", [])
    unknown = set(entry) - {"breaks", "rows", "needs"} if with_rows else set(entry) - {
        "breaks", "seen_in", "needs", "configuration"}
    if unknown or not entry.get("breaks") or not isinstance(rows, list) or not isinstance(seen_in, list):
        raise ListError(f"{where}: expected {'rows, ' if with_rows else ''}breaks and one edit (file, old, new, "
                        f"kind, near) or more; "
                        f"unknown: {', '.join(sorted(unknown)) or 'none'}")
    try:
        edits = tuple(Edit(**edit) for edit in edits)
    except TypeError as error:
        raise ListError(f"{where}: {error}") from error
    for edit in edits:
        if edit.kind not in KINDS:
            raise ListError(f"{where}: kind is {edit.kind}, expected one of {', '.join(KINDS)}")
        if edit.kind == "text" and "MUTANT" not in edit.new:
            raise ListError(f"{where}: a text without MUTANT changes the program for everybody")
        if not edit.old or edit.old == edit.new:
            raise ListError(f"{where}: old is empty or equal to new")
    return Mutation(name, tuple(rows), entry["breaks"], edits, tuple(seen_in), entry.get("needs", ""),
                    entry.get("configuration", ""))


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
