# SPDX-License-Identifier: Apache-2.0
"""JSON files whose values know their places, so that errors name FILE:LINE:COLUMN as the simulator's do."""

from __future__ import annotations

import difflib
import json
import math
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Iterable, NoReturn

from isbesim.errors import InputError

JsonPath = tuple[str | int, ...]
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
MOST_SHOWN = 1000  # characters of an error, which quotes its input


def refuse(file: Path | str, line: int, column: int, text: str) -> NoReturn:
    text = " ".join(text.split())
    if len(text) > MOST_SHOWN:
        text = f"{text[:MOST_SHOWN // 2]} ... {text[-MOST_SHOWN // 2:]}"
    raise InputError(f"{file}:{line}:{column}: {text}")


def is_file(path: Path) -> bool:
    """False, too, for texts that cannot be a path."""
    try:
        return path.is_file()
    except OSError:
        return False


def nearest(wrong: str, names: Iterable[str], listed_by: str = "") -> str:
    """The nearest names, with a hint if there are more: "a, b or c (the nearest of 9)", or what lists all."""
    known = sorted(set(names))
    near = [name for name in known if name.endswith("." + wrong)]
    near += [name for name in difflib.get_close_matches(wrong, known, n=3, cutoff=0.0) if name not in near]
    rest = f" ({listed_by} lists all)" if listed_by else f" (the nearest of {len(known)})"
    return alternatives(near[:3]) + (rest if len(known) > len(near[:3]) else "")


def alternatives(names: Iterable[str]) -> str:
    items = list(names)
    if not items:
        return "none"
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} or {items[-1]}"


@dataclass
class _Node:
    """The place of a value, and its content; entries of lists have no key."""

    offset: int
    entries: list[tuple[str | None, int, "_Node"]] = field(default_factory=list)  # key, its offset, value


class JsonFile:
    """A parsed file. Paths into it are tuples of keys and indices; () is the whole."""

    def __init__(self, file: Path):
        self.file = file
        try:
            self._text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            refuse(file, 1, 1, f"cannot be read ({getattr(error, 'strerror', None) or 'not UTF-8'}), "
                               "expected a JSON file")
        try:
            self.root: Any = json.loads(self._text, parse_constant=self._no_constant)
        except json.JSONDecodeError as error:
            self._fail_syntax(error)
        except RecursionError:
            refuse(file, 1, 1, "values within values too deep to be read, expected a sweep")
        except ValueError:
            refuse(file, 1, 1, "a number has too many digits, expected shorter ones")
        self._tree = self._places()

    def _fail_syntax(self, error: json.JSONDecodeError) -> NoReturn:
        """Python before 3.13 reports the bracket after a trailing comma, not the comma."""
        before = self._text[:error.pos].rstrip()
        if before.endswith(",") and self._text.startswith(("]", "}"), error.pos):
            self._fail_at(len(before) - 1, "Illegal trailing comma, expected JSON")
        refuse(self.file, error.lineno, error.colno, f"{error.msg.split(' before end of ')[0]}, expected JSON")

    def _no_constant(self, name: str) -> NoReturn:
        refuse(self.file, 1, 1, f"{name} is no JSON, expected a number")

    def _places(self) -> _Node:
        """The places of all values; the text is known to be JSON."""
        whole = _Node(0)
        open_nodes, key, key_offset = [whole], None, 0
        tokens = list(_TOKEN.finditer(self._text))
        for token, following in zip(tokens, [*tokens[1:], None]):
            text, offset = token.group(), token.start()
            if text in "]}":
                open_nodes.pop()
            elif text[0] == '"' and following is not None and following.group() == ":":
                key, key_offset = self._string(text, offset), offset
                if any(key == known for known, _, _ in open_nodes[-1].entries):
                    self._fail_at(offset, f"'{key}' is there twice, expected each key once")
            elif text not in ",:":
                self._check(text, offset)
                node = _Node(offset)
                open_nodes[-1].entries.append((key, key_offset if key is not None else offset, node))
                key = None
                if text in "[{":
                    open_nodes.append(node)
        return whole.entries[0][2]

    def _string(self, text: str, offset: int) -> str:
        value: str = json.loads(text)
        if "\0" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
            self._fail_at(offset, "a text has a zero or half a character in it, expected whole ones")
        return value

    def _check(self, text: str, offset: int) -> None:
        if text[0] == '"':
            self._string(text, offset)
        elif text[0] in "-0123456789" and math.isinf(float(text)):
            self._fail_at(offset, "the number is too large, expected one below 1e308")

    def _fail_at(self, offset: int, text: str) -> NoReturn:
        before = self._text[:offset]
        refuse(self.file, before.count("\n") + 1, offset - before.rfind("\n"), text)

    def _entry(self, path: JsonPath) -> tuple[int, _Node]:
        """The place of the value's key, and its node."""
        key, node = self._tree.offset, self._tree
        for step in path:
            if isinstance(step, str):
                key, node = next((offset, value) for name, offset, value in node.entries if name == step)
            else:
                _, key, node = node.entries[step]
        return key, node

    def fail(self, path: JsonPath, text: str) -> NoReturn:
        """Raises an error at the value."""
        self._fail_at(self._entry(path)[1].offset, text)

    def fail_key(self, path: JsonPath, text: str) -> NoReturn:
        """Raises an error at the value's key."""
        self._fail_at(self._entry(path)[0], text)

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
