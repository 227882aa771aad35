# SPDX-License-Identifier: Apache-2.0
"""The schemas of `isbesim help schema`: what ships and what the program writes passes them, what the readers refuse
does not. Checked with Debian's python3-jsonschema."""

import copy
import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import support
from isbesim.errors import InputError
from isbesim.simulator import Simulator
from exploration.reading import read_sweep
from studies.library import NAMES, prepare

TESTBENCH = support.ROOT / "testbench"


@cache
def validator(name: str) -> jsonschema.Draft7Validator:
    text = subprocess.run([support.ISBESIM, "help", "schema", name], check=True, capture_output=True).stdout
    schema = json.loads(text)
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def errors(name: str, value: Any) -> list[str]:
    return [f"{list(error.absolute_path)}: {error.message[:300]}" for error in validator(name).iter_errors(value)]


def shipped(pattern: str) -> list[Path]:
    files = sorted(TESTBENCH.glob(pattern))
    assert files, pattern
    return files


class ShippedTest(support.FolderTest):
    def test_scenarios(self) -> None:
        for file in shipped("scenarios/*/scenario.json"):
            self.assertEqual(errors("scenario", json.loads(file.read_text())), [], file)

    def test_machines(self) -> None:
        for file in shipped("machines/*.json"):
            self.assertEqual(errors("machine", json.loads(file.read_text())), [], file)

    def test_sweeps_of_the_studies(self) -> None:
        for name in NAMES:
            sweep = json.loads(prepare(name, self.folder / name).read_text())
            self.assertEqual(errors("sweep", sweep), [], name)

    def test_sweep_of_the_tutorial(self) -> None:
        sweep = json.loads((support.ROOT / "testbench/examples/from_glsl/machines.json").read_text())
        self.assertEqual(errors("sweep", sweep), [])

    def test_draws_of_the_studies(self) -> None:
        for name in NAMES:
            prepare(name, self.folder / name)
        for file in self.folder.glob("**/draws/**/*.json"):
            self.assertEqual(errors("scenario", json.loads(file.read_text())), [], file)


class KeysTest(support.FolderTest):
    """The schema refuses each key that the reader refuses as unknown."""

    def test_an_unknown_key_anywhere_in_a_scenario(self) -> None:
        for file in shipped("scenarios/*/scenario.json"):
            content = json.loads(file.read_text())
            # Words and constants by address are not objects with known keys: keys that are not addresses fail, too.
            for path in self.objects(content):
                changed = copy.deepcopy(content)
                here = changed
                for step in path:
                    here = here[step]
                here["nothing_of_this_name"] = 1
                self.assertNotEqual(errors("scenario", changed), [], (file, path))

    def objects(self, value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        if isinstance(value, list):
            inner = [place for i, entry in enumerate(value[:3]) for place in self.objects(entry, (*path, i))]
            return inner
        if not isinstance(value, dict):
            return []
        return [path] + [place for key, entry in value.items() for place in self.objects(entry, (*path, key))]

    def sweep_error(self, sweep: dict[str, Any]) -> str:
        try:
            read_sweep(self.write_text(json.dumps(sweep)), Simulator(support.ISBESIM))
        except InputError as error:
            return str(error)
        return ""

    def test_the_reader_of_sweeps_knows_the_keys_of_the_schema_and_no_others(self) -> None:
        scenario = str(support.SCENARIOS / "vs_text" / "scenario.json")
        sweep: dict[str, Any] = {"scenarios": [{"file": scenario}], "sample": {"count": 1},
                                 "objective": {"minimize": "cycles"}}
        schema = validator("sweep").schema
        parts = {"": (), "input": ("scenarios", 0), "sample": ("sample",), "objective": ("objective",)}
        properties = {name: schema["definitions"][name]["properties"] if name else schema["properties"]
                      for name in parts}
        everything = {key for part in properties.values() for key in part}
        for name, path in parts.items():
            for key in everything:
                changed = copy.deepcopy(sweep)
                here: Any = changed
                for step in path:
                    here = here[step]
                here[key] = [[[]]] if key not in ("values",) else 3  # what no key can hold
                error = self.sweep_error(changed)
                self.assertNotEqual(error, "", (name, key))
                self.assertEqual(f"has no '{key}'" in error, key not in properties[name], (name, key, error))
                self.assertNotEqual(errors("sweep", changed), [], (name, key))

    def test_axes_of_the_schema(self) -> None:
        axes = [[8, 16], {"log2": [8, 32]}, {"range": [1, 9], "step": 2}, {"log": [8, 64], "count": 3, "step": 8}]
        for axis in axes:
            self.assertEqual(errors("sweep", {"scenarios": ["x"], "axes": {"isbe.request_queue_depth": axis}}), [])
        for wrong in ([], {"log2": [8]}, {"range": [1, 9], "count": 2}, {"steps": 3}, [99999]):
            self.assertNotEqual(errors("sweep", {"scenarios": ["x"], "axes": {"isbe.request_queue_depth": wrong}}), [])
        self.assertNotEqual(errors("sweep", {"scenarios": ["x"], "axes": {"isbe.bank": [8]}}), [])


class ReportTest(support.FolderTest):
    """Reports have no key that the schema lacks, and the schema none that no report has."""

    def report(self, *words: str) -> dict[str, Any]:
        report: dict[str, Any] = self.report_of(*words)
        self.assertEqual(errors("report", report), [], words)
        return report

    def test_reports_and_schema_have_the_same_keys(self) -> None:
        reports = []
        for file in shipped("scenarios/*/scenario.json"):
            if file.parent.name not in ("gs_amplify", "gs_amplify_once"):
                reports.append(self.report("run", str(file), "--cycles", "0:9999999"))
        draw = str(support.SCENARIOS / "gs_pass" / "scenario.json")
        self.report("run", draw, "--record", "trace", "--set", "sm_count=2", "--isbe", "lt")
        reports.append(self.report("run", draw, "--timing", "lt"))
        reports.append(self.report("run", str(support.SCENARIOS / "vs_ids" / "scenario.json"), "--cycles", "0:9999999",
                                   "--set", "memory.model=hierarchy", "--set", "pe.consumer=rasteriser"))
        reports.append(self.report("run", draw, "--set", "chip.tpcs=2"))
        reports.append(self.report("run", draw, "--set", "chip.tpcs=2", "--tpc", "1"))
        self.report("run", draw, "--record", "trace")
        few_lines = str(support.SCENARIOS / "gs_amplify_once" / "scenario.json")  # with half of them it can't run
        reports.append(self.report("run", few_lines, "--what-if", "--profile", "--set", "isbe.lines=32"))
        self.report("run", few_lines, "--config", "gm107_chip")  # its best step changes a rate that is not an integer
        reports.append(self.report("replay", "trace"))
        reports.append(self.report("replay", "trace", "--set", "isbe.lines=2048"))
        reports.append(self.report("crosscheck", "--isbe", "at", "--transactions", "1000"))
        reports.append(self.report("traffic", "--rate", "0.1", "--operations", "500"))
        reports.append(self.report("traffic", "--outstanding", "4", "--operations", "500"))
        reports.append(self.report("traffic", "--curve", "--points", "2", "--operations", "500"))
        found = {key for report in reports for key in self.leaves(report)}
        stated = self.leaves_of_schema(validator("report").schema)
        # Absent: figures of the RTL; traps and losses, which no shipped draw has; stages that no draw has (none).
        lost = ("culled_patches", "uneven_grids", "vertices_off_stream", "workgroups_above_maximum")
        absent = {key for key in stated - found
                  if not key.startswith(("crosscheck.", "traps.")) and ".none" not in key and not key.endswith(lost)}
        self.assertEqual(absent, set())

    def leaves(self, value: Any, prefix: str = "") -> set[str]:
        if isinstance(value, list):
            return set().union(*(self.leaves(entry, prefix) for entry in value)) if value else {prefix}
        if not isinstance(value, dict) or prefix in (
                "coverage.hits", "coverage.conditions.hits", "coverage.corners.hits", "coverage.sections", "covers",
                "critical_path.parts", "critical_path.counts", "draw.programs", "of.changed", "profile", "stacks",
                "traffic", "window.stacks"):
            return {prefix}
        return set().union(*(self.leaves(entry, f"{prefix}.{key}" if prefix else key) for key, entry in value.items()))

    def leaves_of_schema(self, schema: dict[str, Any], prefix: str = "") -> set[str]:
        for reference in schema.get("allOf", [schema]):
            if "$ref" in reference:
                schema = validator("report").schema["definitions"][reference["$ref"].rpartition("/")[2]]
        if "items" in schema:
            return self.leaves_of_schema(schema["items"], prefix)
        if "properties" not in schema:
            return {prefix}
        return set().union(*(self.leaves_of_schema(entry, f"{prefix}.{key}" if prefix else key)
                             for key, entry in schema["properties"].items()))
