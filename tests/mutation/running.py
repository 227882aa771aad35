# SPDX-License-Identifier: Apache-2.0
"""Runs single tests, with a mutant at work or without."""
from __future__ import annotations

import concurrent.futures
import os
import pathlib
import subprocess
import types
from typing import Any, Callable, Iterable, Mapping, TypeVar

import rewrite
import row_tests

PASSED, FAILED = "passed", "failed"
Item = TypeVar("Item")
Result = TypeVar("Result")


class Runner:
    """Tests of one build folder by their names; remembers each verdict."""

    def __init__(self, folder: pathlib.Path, timeout: float = 120) -> None:
        self.timeout = timeout
        self.tests: dict[str, dict[str, Any]] = {
            row_tests.short_name(test["name"]): test for test in row_tests.listed_tests(str(folder))
            if "command" in test}
        self.executables = {name: pathlib.Path(test["command"][0]).name for name, test in self.tests.items()}
        self.limits: dict[str, float] = {}  # seconds that a test may take; else ctest's, `timeout` at least
        self.verdicts: dict[tuple[str, int], str] = {}  # (test, number of the mutant) -> PASSED or FAILED
        self.runs = 0

    def run(self, name: str, number: int) -> str:
        """A test that ends by a signal or not at all has failed, too: it noticed."""
        if (name, number) not in self.verdicts:
            self.verdicts[name, number] = PASSED if self.passes(name, number) else FAILED
        return self.verdicts[name, number]

    def passes(self, name: str, number: int, more: Mapping[str, str] = types.MappingProxyType({})) -> bool:
        """`more`: of the environment."""
        test = self.tests[name]
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        environment = {**os.environ, **more}
        environment.update(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))
        environment.pop(rewrite.VARIABLE, None)
        if number:
            environment[rewrite.VARIABLE] = str(number)
        self.runs += 1
        try:
            done = subprocess.run(test["command"], cwd=properties.get("WORKING_DIRECTORY"), env=environment,
                                  timeout=self.limits.get(name, max(self.timeout, properties.get("TIMEOUT", 0.0))),
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return False
        return done.returncode in (0, int(properties.get("SKIP_RETURN_CODE", 0)))

    def failing(self, names: Iterable[str], number: int, every: bool) -> list[str]:
        """Those of `names` that fail; without `every` the first one is enough."""
        found = []
        for name in names:
            if self.run(name, number) == FAILED:
                found.append(name)
                if not every:
                    break
        return found


def in_parallel(function: Callable[[Item], Result], items: Iterable[Item], workers: int | None) -> list[Result]:
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        return list(pool.map(function, items))
