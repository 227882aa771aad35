# SPDX-License-Identifier: Apache-2.0
"""Rows of the conformance list and the tests that are named after them, for row_table and the mutations."""

from __future__ import annotations

import csv
import json
import pathlib
import re
import subprocess
import sys
from typing import Any, Iterable

HERE = pathlib.Path(__file__).resolve().parent
BACK_ENDS = {"lt": "L", "at": "A", "rtl": "R", "lockstep": "AR"}

Row = dict[str, str]  # a line of a table, by column
RowTests = dict[str, dict[str, list[str]]]  # row -> {base name -> [full names]}

ROW = re.compile(r"(?<![A-Z0-9])([A-Z][A-Z0-9]*)_(\d\d)(?![0-9])")


def read_rows(name: str = "rows") -> list[Row]:
    """The rows; `open_rows`: rows whose issue is still open, without a test yet; `proven_elsewhere`: rows whose tests
    compare the model with the RTL, with the tests that make mutants of both and must find all."""
    with open(HERE / f"{name}.csv", newline="") as file:
        return list(csv.DictReader(file))


def short_name(name: str) -> str:
    """A test's name without the parameter's value after it."""
    return name.split("  # GetParam()")[0].strip()


def listed_tests(build: str) -> list[dict[str, Any]]:
    """ctest's description of every test of a build folder."""
    listing = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, check=True, stdout=subprocess.PIPE).stdout
    tests: list[dict[str, Any]] = json.loads(listing)["tests"]
    return tests


def read_tests(build: str, every: bool = True) -> dict[str, str]:
    """Name -> executable of all tests that ctest knows. `every`: each must be built."""
    tests = {short_name(test["name"]): pathlib.Path(test.get("command", [""])[0]).name for test in listed_tests(build)}
    not_built = [name for name in tests if name.endswith("_NOT_BUILT")]
    if not_built and every:
        sys.exit("row_table: not built: " + ", ".join(name[: -len("_NOT_BUILT")] for name in not_built))
    return tests


def base_name(name: str) -> str:
    """suite.test, without instance and parameter of a parametrised test."""
    found = re.search(r"[^/]*\.[^/]*", name)
    return found.group() if found else name


def tests_of_rows(names: Iterable[str]) -> RowTests:
    found: RowTests = {}
    for name in names:
        for group, number in ROW.findall(name):
            found.setdefault(f"{group}-{number}", {}).setdefault(base_name(name), []).append(name)
    return found


def back_ends(names: Iterable[str]) -> set[str]:
    """The letters of the back ends on which tests run, from their parameters."""
    letters: set[str] = set()
    for name in names:
        words = set(re.split(r"[^A-Za-z0-9]", name.replace(base_name(name), "")))
        letters.update(letter for word, group in BACK_ENDS.items() if word in words for letter in group)
    return letters
