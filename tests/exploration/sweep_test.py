# SPDX-License-Identifier: Apache-2.0
"""Every wrong SWEEP.json gives one error with its place; correct ones are read as written."""

import json
from typing import Any

import support
from isbesim.errors import InputError
from isbesim.simulator import Simulator
from exploration.points import expand
from exploration.reading import read_sweep


# A pattern that an error has, and the keys of a sweep that it refuses.
REFUSALS: list[tuple[str, dict[str, Any]]] = [
    (r"isbe\.banks", {"axes": {"isbe.bank": [8]}}),
    (r"isbe\.lines", {"base": {"isbe": {"lins": 8}}}),
    (r"isbe\.lines stands twice", {"base": {"isbe.lines": 8, "isbe": {"lines": 16}}}),
    (r"scenarios, .* or .* \(the nearest of \d+\)$", {"scenario": []}),
    ("lockstep", {"backend": "lock"}),
    ("expected cycles", {"metrics": ["cylces"]}),
    (r"latency\.ald\.p99", {"constraints": ["latency.ald.p9 < 3"]}),
    ("expected gm107, ", {"base": "gm10"}),
    # Values are checked by the simulator.
    ("8, 16 or 32", {"axes": {"isbe.banks": [8, 12]}}),
    ("multiple of 8", {"axes": {"isbe.lines": {"range": [8, 12], "step": 2}}}),
    ("false or true", {"base": {"isbe.skew": "maybe"}}),
    ("the same", {"axes": {"isbe.skew": ["true", True]}}),
    ("nothing to run", {"scenarios": []}),
    ("no file", {"scenarios": ["nothing.json"]}),
    ("twice", {"scenarios": 2 * [str(support.SCENARIOS / "vs_text/scenario.json")]}),
    ("different lengths", {"axes": {"isbe.banks": [8, 16], "isbe.lines": [64]}, "zip": [["isbe.banks", "isbe.lines"]]}),
    ("no axis", {"zip": [["isbe.lines"]]}),
    ("at least 1", {"sample": 0}),
    ("no condition", {"constraints": ["isbe.lines"]}),
    ("minimize", {"objective": {"least": "cycles"}}),
    ("share of at least 0", {"objective": {"minimize": "isbe.lines", "within": "2 %"}}),
    ("without 'within'", {"objective": {"minimize": "cycles", "of": "cycles"}}),
    (r"isbe\.lines", {"objective": {"minimize": "isbe.line", "within": 0.02}}),
    *(("no number|no report has", {"objective": {"minimize": figure}})
      for figure in ("bottleneck", "config.isbe.skew", "point")),
    ("no number", {"objective": {"minimize": "isbe.skew", "within": 0.02}}),
    # Searches.
    ("budget", {"search": {}}),
    ("at least 1", {"search": {"budget": 0}}),
    ("nsga2", {"search": {"budget": 3, "sampler": "nsga"}}),
    ("cycles", {"search": {"budget": 3, "objectives": ["cycels"]}}),
    ("at least 2", {"search": {"budget": 3, "batch": 1}}),
    ("at least one", {"search": {"budget": 3, "objectives": []}}),
    ("budget", {"search": {"budget": 3, "bugdet": 1}}),
    ("minimize", {"search": {"budget": 3, "objectives": [{"least": "cycles"}]}}),
    ("true or false", {"search": {"budget": 3, "resume": 1}}),
    ("budget", {"search": 3}),
    ("one or the other", {"search": {"budget": 3}, "sample": 3}),
]


class SweepTest(support.FolderTest):
    simulator = Simulator(support.ISBESIM)

    def refused(self, text: str) -> str:
        file = self.write_text(text)
        with self.assertRaises(InputError) as caught:
            read_sweep(file, self.simulator)
        prefix = f"{file}:"
        self.assertTrue(str(caught.exception).startswith(prefix), caught.exception)
        self.assertIn("expected", str(caught.exception))
        return str(caught.exception)[len(prefix):]

    def refused_with(self, **keys: object) -> str:
        return self.refused(self.write_sweep(**keys).read_text())

    def test_places_are_lines_and_columns(self) -> None:
        self.assertTrue(self.refused('{\n  "axes": {"isbe.banks": [8, 5]},\n "scenarios": []}').startswith("2:30: "))
        self.assertTrue(self.refused('{\n\t"axes": {\n\t\t"isbe.bank": [8]}}').startswith("3:3: "))
        self.assertTrue(self.refused('{"axes": {\n"isbe.banks": [8,]}}').startswith("2:17: Illegal trailing comma, "))
        self.assertTrue(self.refused('{"axes": {}\n, }').startswith("2:1: Illegal trailing comma, "))
        self.assertTrue(self.refused('{"axes": [}').startswith("1:11: Expecting value, "))
        self.assertTrue(self.refused('{"seed": 1,\n "seed": 2}').startswith("2:2: "))

    def test_places_beyond_yamls_range(self) -> None:
        self.assertTrue(self.refused('{"\U0001f600": 1}').startswith("1:2: a sweep has no"))
        self.assertTrue(self.refused('{"title": "\x7f\x85", "axes"\n: {"isbe.bank": 1}}').startswith("2:4: unknown"))
        self.assertTrue(self.refused(json.dumps({"title": "a", "x" * 2000: 1})).startswith("1:16: a sweep has no"))
        self.assertTrue(self.refused('{"title":\n "\\ud800"}').startswith("2:2: a text has"))
        self.assertTrue(self.refused('{"axes": {"isbe.banks":\n [1e999]}}').startswith("2:3: the number"))

    def test_too_many_points_are_refused_before_they_run(self) -> None:
        for many in ({"range": [0, 1e300]}, {"log": [1, 2], "count": 10 ** 12}):
            self.assertIn("more values than 100000", self.refused_with(axes={"isbe.lines": many}))
        axes = {f"isbe.{key}_latency": {"range": [2, 900]} for key in ("pipeline", "write", "al2p")}
        self.assertIn("expected at most 1000000: ", self.refused_with(axes=axes))
        self.assertIn("too deep", self.refused('{"axes": ' + "[" * 100_000))
        self.assertIn("digits", self.refused('{"seed": ' + "9" * 5000 + "}"))
        self.assertLess(len(self.refused_with(backend="x" * 100_000)), 1100)
        self.assertEqual(len(expand(read_sweep(self.write_sweep(axes=axes, sample=3), self.simulator))), 3)

    def test_refusals_name_the_mistake(self) -> None:
        for part, keys in REFUSALS:
            with self.subTest(keys):
                self.assertRegex(self.refused_with(**keys), part)
        self.assertIn("1:1: ", self.refused("[]"))

    def test_names_of_values_are_no_other_columns(self) -> None:
        draw = str(support.SCENARIOS / "vs_text/scenario.json")
        for name in ("attributes", "draw", "output", "figure", "index", "x.y", "a b"):
            read_sweep(self.write_sweep(scenarios=[{"file": draw, "values": {name: 3}}]), self.simulator)
        for name, reason in (("isbe.lines", "names a part of the machine"), ("ISBE.Lines", "names a part of"),
                             ("backend", "names a part of"), ("point", "names a column of the results"),
                             ("Status", "names a column"), ("memory_bits", "names a column"), ("", "is empty"),
                             ("part", "names a column"), ("Cycles", "names a column"), ("bottleneck", "names a column"),
                             ("crosscheck.cycle_mismatches", "names a column"), ("estimate.of", "names a column"),
                             ("config.isbe.banks", "names a column"), ("warning_count", "names a column")):
            for key in ("scenarios", "traces"):
                place = self.refused_with(**{key: [{"file": draw, "name": "b", "values": {name: 3}}]})
                self.assertRegex(place, rf"^\d+:\d+: '{name}' {reason}.*, expected a new name$")
        for values in ([{"a": 1, "A": 2}], [{"a": 1}, {"A": 2}]):
            self.assertIn("'A' in capitals only" if len(values) == 1 else "'a' in capitals only", self.refused_with(
                scenarios=[{"file": draw, "name": str(number), "values": each} for number, each in enumerate(values)]))

    def test_read_as_written(self) -> None:
        file = self.write_sweep(base={"isbe": {"lines": 512}, "sm_count": 2}, axes={"isbe.skew": [True, False]},
                                backend="lt", seed=7, sample={"count": 3, "seed": 9}, metrics=["cycles"],
                                objective={"maximize": "bank_conflicts.efficiency"}, max_cycles=1000,
                                constraints=["isbe.lines <= 1024", "latency.ast.p99 < 90"])
        sweep = read_sweep(file, self.simulator)
        self.assertEqual(sweep.base, {"isbe.lines": 512, "sm_count": 2})
        self.assertEqual((sweep.axes[0].key, sweep.axes[0].values), ("isbe.skew", (True, False)))
        self.assertEqual((sweep.backend, sweep.seed, sweep.sample.count, sweep.sample.seed), ("lt", 7, 3, 9))
        self.assertEqual([c.on_configuration for c in sweep.constraints], [True, False])
        self.assertTrue(sweep.objective.maximize)
        self.assertEqual(sweep.machines[None]["isbe.lines"].value, 512)

    def test_a_file_is_a_machine(self) -> None:
        self.write_text(json.dumps({"isbe": {"banks": 8}}), "small.json")
        sweep = read_sweep(self.write_sweep(base={"machine": "small.json", "isbe.lines": 64}, axes={}), self.simulator)
        machine = sweep.machines[sweep.machine]
        self.assertEqual((machine["isbe.banks"].value, machine["isbe.lines"].value), (8, 64))
