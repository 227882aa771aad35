# SPDX-License-Identifier: Apache-2.0
"""Damaged SWEEP.json: it is read, and its points and their constraints can be listed, or one line names the
mistake. ISBESIM_MUTATIONS: how many damaged sweeps (CI: 600), ISBESIM_SEED: which."""

import copy
import json
import os
import random
import signal
from pathlib import Path
from typing import Any, Iterable, Mapping

import support
from exploration.expressions import Expression
from exploration.points import Grid, expand, violated_before
from exploration.reading import read_sweep
from exploration.sweep import Sweep
from isbesim.errors import InputError
from isbesim.simulator import ConfigKey, Simulator, Value

COUNT = int(os.environ.get("ISBESIM_MUTATIONS", "600"))
SEED = int(os.environ.get("ISBESIM_SEED", "1"))
SECONDS = 5  # of processor time for one sweep: more is a hang
DRAW = str(support.SCENARIOS / "vs_text" / "scenario.json")

SWEEPS: list[dict[str, Any]] = [
    {"title": "one", "axes": {"isbe.banks": [8, 16, 32], "isbe.skew": [True, False]}, "scenarios": [DRAW]},
    {"base": {"isbe": {"lines": 512}, "machine": "default"}, "backend": "lockstep", "seed": 3, "max_cycles": 10000,
     "axes": {"isbe.request_queue_depth": {"log2": [1, 64]}, "isbe.response_queue_depth": {"range": [2, 8], "step": 2}},
     "zip": [["isbe.request_queue_depth"]], "sample": {"count": 4, "seed": 2},
     "scenarios": [{"file": DRAW, "name": "a", "values": {"attributes": 8}}, {"file": DRAW, "name": "b"}],
     "metrics": ["cycles"], "objective": {"within": 0.02, "minimize": "isbe.lines", "of": "cycles"},
     "constraints": ["isbe.lines * isbe.banks <= 16384", "not (attributes == 8 and isbe.skew == true) or 3 > -2 % 5"]},
    {"base": "gm107", "axes": {"isbe.lines": {"log": [64, 4096], "count": 5, "step": 8}, "backend": ["lt", "at"]},
     "confirm": 2, "traces": [DRAW],
     "search": {"budget": 30, "objectives": ["cycles", {"maximize": "config.isbe.lines"}], "sampler": "nsga2",
                "seed": 1, "batch": 4, "resume": False}},
]
SPICE: list[Any] = [
    None, True, False, 0, 1, -1, 2, 8, 64, 2 ** 31, 2 ** 63, 2 ** 64, 10 ** 30, -10 ** 30, 0.5, -0.0, 1e-300, 1e300,
    "", "a", "cycles", "at", "rtl", "default", "isbe.lines", "isbe.banks", "machine", "backend", "\0", "a\nb",
    "\ud800", "\U0001f600", "x" * 300, "../" * 2000, "/", ".", "true", "1e9", "8", "NaN", "isbe.lines / 0 < 1",
    "isbe.lines < 'a'", "1 < 2 < 3", "isbe.lines % 0 == 1", "9" * 30 + " < 1", "-" * 3000 + "1 < 2",
    "(" * 300 + "1" + ")" * 300 + " < 2",
    "-" * 400 + "1 < 2", "1e308 * 10 > 1", "a.b.c == 'd'", "not 1", "0x10 < 1", "f() < 1", "x[0] < 1", "1 if 2 else 3",
    "'a' * 9999999999 == 'b'", "'%d' % 1 == '1'", "[1] < 2", [], [[]], [1, 1], [0, 1e300], [1, 10 ** 12], [8, 8],
    ["a", 1], {}, {"a": {}}, {"range": [1, 10 ** 12]}, {"range": [1, 9000]}, {"range": [0, 1e300]},
    {"log2": [1e-300, 1e300]},
    {"range": [0, 10], "step": 1e-300}, {"log": [1, 2], "count": 10 ** 12}, {"log": [1e-308, 1e308], "count": 5},
    {"log": [1, 64], "count": 4, "step": 1e-308}, {"budget": 1}, {"file": DRAW}]
TOKENS = ["{", "}", "[", "]", ",", ":", '"', "\\", "\t", "\n", "-", "e9", "1e999", "NaN", "Infinity", "null", "//", "'",
          "&a", "*a", "? ", "- ", "!!x ", "\\u0000", "\\ud800", "#", "%", "\ufeff", "\x7f", "\x85", "[" * 3000,
          '{"a":' * 3000, "9" * 5000, "\U0001f600"]


class Remembering(Simulator):
    """Asks the simulator each question once."""

    def __init__(self, binary: Path) -> None:
        super().__init__(binary)
        self.known: dict[str, dict[str, ConfigKey] | InputError] = {}

    def machine(self, machine: str | None, settings: Mapping[str, Value]) -> dict[str, ConfigKey]:
        question = repr((machine, settings))
        if question not in self.known:
            try:
                self.known[question] = super().machine(machine, settings)
            except InputError as error:
                self.known[question] = error
        answer = self.known[question]
        if isinstance(answer, InputError):
            raise answer
        return copy.copy(answer)


def places(value: Any) -> Iterable[tuple[Any, Any]]:
    """Every container with each of its keys."""
    if isinstance(value, (dict, list)):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


def mutated(sweep: dict[str, Any], dice: random.Random) -> str:
    """JSON that mostly stays JSON."""
    sweep = copy.deepcopy(sweep)
    for _ in range(dice.choice([1, 1, 2, 3])):
        every = list(places(sweep))
        if not every:
            break
        container, key = dice.choice(every)
        what = dice.randrange(6)
        if what == 0:
            del container[key]
        elif what == 1 and isinstance(container, list):
            container.insert(key, copy.deepcopy(dice.choice([container[key], dice.choice(SPICE)])))
        elif what == 1:
            name = dice.choice(["", "a", "machine", "step", "of", "isbe.lines", "\ud800", "\U0001f600", key + "x"])
            container[name] = container[key]
        elif what == 2:
            other, place = dice.choice(every)
            container[key] = copy.deepcopy(other[place]) if place in other or isinstance(other, list) else 0
        else:
            container[key] = copy.deepcopy(dice.choice(SPICE))
    text = json.dumps(sweep, indent=dice.choice([None, 1]))
    if dice.random() < 0.3:
        at = dice.randrange(len(text))
        text = text[:at] + dice.choice(TOKENS) + text[at + dice.choice([0, 0, 1, 5]):]
    return text


class TooSlow(Exception):
    pass


def too_slow(*_: object) -> None:
    raise TooSlow


class DamagedTest(support.FolderTest):
    simulator = Remembering(support.ISBESIM)

    def outcome(self, text: str) -> Sweep | str:
        file = self.folder / "sweep.json"
        file.write_bytes(text.encode(errors="surrogatepass"))
        signal.signal(signal.SIGVTALRM, too_slow)
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        try:
            sweep = read_sweep(file, self.simulator)
            if Grid(sweep).total <= 1000 or sweep.search is None:
                for point in expand(sweep)[:20]:
                    for scenario in sweep.scenarios:
                        violated_before(sweep, point, scenario)
            return sweep
        except InputError as error:
            self.assertRegex(str(error), r"^[^\n]+:\d+:\d+: [^\n]*expected[^\n]*$")
            self.assertLess(len(str(error)), 2000)
            str(error).encode()  # it can be printed
            return str(error)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def test_damaged_sweeps_are_read_or_refused(self) -> None:
        dice = random.Random(SEED)
        read = 0
        for number in range(COUNT):
            text = mutated(dice.choice(SWEEPS), dice)
            with self.subTest(number=number, text=text[:600]):
                outcome = self.outcome(text)
                if not isinstance(outcome, str):
                    read += 1
                    # Written again it is the same sweep.
                    again = self.outcome(json.dumps(json.loads(text), indent=3))
                    self.assertEqual(repr(again), repr(outcome))
        self.assertGreater(read, COUNT // 20)
        self.assertLess(read, COUNT)

    def test_the_undamaged_ones_are_read(self) -> None:
        for sweep in SWEEPS:
            self.assertIsInstance(self.outcome(json.dumps(sweep)), Sweep)
        self.assertEqual(Expression("isbe.lines <= 3").names, {"isbe.lines"})
