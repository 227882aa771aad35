"""JSON files whose values can say where they stand, so that an error names FILE:LINE:COLUMN as the simulator does."""

from __future__ import annotations

import difflib
import json
from pathlib import Path
from typing import Any, Iterable, NoReturn

import yaml

from isbesim.errors import InputError

JsonPath = tuple[str | int, ...]


def refuse(file: Path | str, line: int, column: int, text: str) -> NoReturn:
    raise InputError(f"{file}:{line}:{column}: {' '.join(text.split())}")


def nearest(wrong: str, names: Iterable[str]) -> str:
    """The names that were probably meant, as "a, b or c"."""
    known = sorted(set(names))
    near = [name for name in known if name.endswith("." + wrong)]
    near += [name for name in difflib.get_close_matches(wrong, known, n=3, cutoff=0.0) if name not in near]
    return alternatives(near[:3])


def alternatives(names: Iterable[str]) -> str:
    items = list(names)
    if not items:
        return "none"
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} or {items[-1]}"


class JsonFile:
    """One parsed file. Paths into it are tuples of keys and indices; () is the whole."""

    def __init__(self, file: Path):
        self.file = file
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            refuse(file, 1, 1, f"cannot be read ({getattr(error, 'strerror', None) or 'not UTF-8'}), "
                               "expected a JSON file")
        try:
            self.root: Any = json.loads(text, parse_constant=self._no_constant)
        except json.JSONDecodeError as error:
            refuse(file, error.lineno, error.colno, f"{error.msg}, expected JSON")
        # JSON is YAML, apart from tabs between values; PyYAML keeps the place of every node.
        self._tree = yaml.compose(text.replace("\t", " "), Loader=yaml.SafeLoader)
        self._refuse_duplicates(self._tree)

    def _no_constant(self, name: str) -> NoReturn:
        refuse(self.file, 1, 1, f"{name} is no JSON, expected a number")

    def _refuse_duplicates(self, node: yaml.Node) -> None:
        if isinstance(node, yaml.SequenceNode):
            for item in node.value:
                self._refuse_duplicates(item)
        elif isinstance(node, yaml.MappingNode):
            seen: set[str] = set()
            for key, value in node.value:
                if key.value in seen:
                    self._fail_at(key, f"'{key.value}' is there twice, expected each key once")
                seen.add(key.value)
                self._refuse_duplicates(value)

    def _fail_at(self, node: yaml.Node, text: str) -> NoReturn:
        refuse(self.file, node.start_mark.line + 1, node.start_mark.column + 1, text)

    def _entry(self, path: JsonPath) -> tuple[yaml.Node | None, yaml.Node]:
        key, node = None, self._tree
        for step in path:
            if isinstance(node, yaml.MappingNode):
                key, node = next((k, v) for k, v in node.value if k.value == step)
            else:
                key, node = None, node.value[step]
        return key, node

    def fail(self, path: JsonPath, text: str) -> NoReturn:
        """At the value."""
        self._fail_at(self._entry(path)[1], text)

    def fail_key(self, path: JsonPath, text: str) -> NoReturn:
        """At the key of the value."""
        key, value = self._entry(path)
        self._fail_at(key or value, text)

    def only_keys(self, path: JsonPath, value: dict[str, Any], known: Iterable[str], what: str) -> None:
        known = tuple(known)
        for key in value:
            if key not in known:
                self.fail_key((*path, key), f"{what} has no '{key}', expected {nearest(key, known)}")

    def whole(self, path: JsonPath, value: Any, low: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value < low:
            self.fail(path, f"{path[-1]}: expected a whole number of at least {low}")
        return value

    def list_of(self, path: JsonPath, value: Any, what: str) -> list[Any]:
        if not isinstance(value, list):
            self.fail(path, f"expected a list of {what}")
        return value
