# SPDX-License-Identifier: Apache-2.0
"""Published rates of cards beside those of their presets: rows.csv, with the programs of programs/ (compiled in
programs.json) and the draws below.

A rate is that between two draws of the same kind, so that beginning and end, which a long draw hides, do not count.
"""

from __future__ import annotations

import base64
import csv
import json
import pathlib
import re
import subprocess
import zlib
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Iterable, Iterator, NamedTuple

from studies.card import cad

HERE = pathlib.Path(__file__).resolve().parent
TRIANGLES = (15_000, 45_000)
RESTART = 0xffffffff
LARGE = 64 << 20  # bytes of a buffer
# Rows and the tests of isbesim_measure that do the same.
MEASURED = {"27": "restart_rate", "33": "primitive_rate", "34": "instance_rate", "38": "draw_rate", "40": "record_rate",
            "44": "vertex_rate", "49": "geometry_rate", "54": "inputs_2", "64": "inputs_4"}

Draw = dict[str, Any]
Isbesim = Callable[..., str]


class Row(NamedTuple):
    """A row of rows.csv with its machine's results. Rates are per second."""
    name: str
    use: str
    group: str
    work: str
    published: float
    predicted: float
    loose: float  # a loosely timed run's rate, divided by `predicted`
    reason: str = ""

    @property
    def factor(self) -> float:
        return self.predicted / self.published


def of_list(count: int) -> Draw:
    return {"topology": "triangles", "vertex_count": 3 * count}


def indexed(draw: Draw) -> Draw:
    return {**draw, "indices": list(range(draw["vertex_count"]))}


def strips(count: int, each: int) -> Draw:
    return {"topology": "triangle_strip", "vertices_per_draw": each + 2, "vertex_count": count // each * (each + 2)}


def draws(count: int, record: int = 0) -> Draw:
    return {**of_list(count), "vertices_per_draw": 3, "record_bytes": record}


def instances(count: int, record: int = 0) -> Draw:
    return {"topology": "triangles", "vertex_count": 3, "instance_count": count, "record_bytes": record}


def by_index(topology: str, indices: list[int]) -> Draw:
    restart = {"restart_index": RESTART} if RESTART in indices else {}
    return {"topology": topology, "vertex_count": len(indices), "indices": indices, **restart}


def restarts(count: int, each: int, apart: int) -> Draw:
    """Strips of `each` triangles, whose first vertices are `apart` from each other."""
    return by_index("triangle_strip", [index for strip in range(count // each) for index in
                                       [*range(apart * strip, apart * strip + each + 2), RESTART]])


DRAWS: dict[str, Callable[..., Draw]] = {
    "list": of_list,
    "indexed_list": lambda count: indexed(of_list(count)),
    "sharing": lambda count: by_index("triangles", [first + corner for first in range(count) for corner in range(3)]),
    "strips": strips,
    "indexed_strips": lambda count, each: indexed(strips(count, each)),
    "restarts": lambda count, each: restarts(count, each, each + 2),
    "spaced_restarts": lambda count: restarts(count, 1, 4),
    "restarts_only": lambda count: by_index("triangle_strip", [RESTART] * count),
    "one_index": lambda count: by_index("triangle_strip", [0] * (count + 2)),
    "instances": instances,
    "indexed_instances": lambda count, record: indexed(instances(count, record)),
    "draws": draws,
    "indexed_draws": lambda count, record: indexed(draws(count, record)),
}


def scenario(entry: dict[str, str], program: dict[str, Any], count: int, folder: pathlib.Path) -> Draw:
    """The draw of a row with about `count` triangles; its files are in `folder`."""
    kind, *numbers = entry["draw"].split()
    stages = {}
    for stage, parts in program["stages"].items():
        (folder / f"{stage}.code.bin").write_bytes(zlib.decompress(base64.b64decode(parts["code"])))
        stages[stage] = {"code": f"{stage}.code.bin", "sph": parts["sph"].split()}
    constants = program["stage_constants"]
    data: list[str] = []
    if kind in cad.SCENES:
        draw, data = cad.draw(count, folder, program["draw"], kind, *numbers)
        constants = {stage: {**constants.get(stage, {}), "1": cad.UNIFORMS} for stage in stages}
    else:
        draw = DRAWS[kind](count, *map(int, numbers))
    contents: list[Draw] = [{"file": file} for file in data] or [{"size": LARGE}]
    large = [{"address": address, **contents[k % len(contents)]} for k, address in enumerate(program["buffers"])]
    result = {"arch": program["arch"], "stages": stages, "draw": draw, "capture": [], "stage_constants": constants,
              "memory": [*program["small_buffers"], *large]}
    vertices = max([draw.get("vertex_count", 0),
                    *(index + 1 for index in draw.get("indices", []) if index != RESTART)])
    attributes: Draw = {}
    for address, size in zip(program["attributes"], entry["attribute_bytes"].split(), strict=True):
        elements = draw["instance_count"] if size.startswith("i") else vertices
        name = cad.POSITIONS if data and not attributes else f"zeros_{elements}.bin"
        if name != cad.POSITIONS:
            (folder / name).write_bytes(bytes(16 * elements))
        attributes[address] = {"file": name, "bytes": int(size.strip("i")), "per_instance": size.startswith("i")}
    return {**result, "attributes": attributes} if attributes else result


def machine(entry: dict[str, str]) -> str:
    file = HERE / f"{entry['machine']}.json"  # of a card without a preset
    return str(file) if file.exists() else entry["machine"]


def run(isbesim: Isbesim, entry: dict[str, str], timing: str, folder: pathlib.Path) -> tuple[int, float]:
    """Triangles and seconds of the draw in a folder."""
    out = folder / timing
    isbesim("run", folder / "scenario.json", "--config", machine(entry), "--timing", timing, "--no-vertices",
            "--quiet", "--no-critical-path", "--strict=traps", "--out", out)
    report = json.loads((out / "report.json").read_text())
    return report["output"]["primitives_in"], report["time_ns"] * 1e-9


def row_of(isbesim: Isbesim, entry: dict[str, str], program: dict[str, Any], folder: pathlib.Path) -> Row:
    done = {}
    kind = entry["draw"].split()[0]
    for count in TRIANGLES:
        (folder / "scenario.json").write_text(json.dumps(scenario(entry, program, count, folder)))
        for timing in ("at", "lt"):
            triangles, done[timing, count] = run(isbesim, entry, timing, folder)
        done["work", count] = (cad.triangles(count, kind) if kind in cad.SCENES else
                               count if kind == "restarts_only" else triangles)
    work, exact, loose = (done[of, TRIANGLES[1]] - done[of, TRIANGLES[0]] for of in ("work", "at", "lt"))
    return Row(entry["row"], entry["use"], entry["group"], entry["work"], float(entry["published_per_s"]),
               work * (3 if entry["unit"] == "vertices" else 1) / exact, exact / loose)


def entries() -> list[dict[str, str]]:
    with (HERE / "rows.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def together(program: str, folder: pathlib.Path, chosen: Iterable[str]) -> Iterator[tuple[str, list[list[int]]]]:
    """The numbers that `program`, tests/chip/tpcs_together, prints for both draws of each row that reads from DRAM."""
    programs = json.loads((HERE / "programs.json").read_text())
    for entry in entries():
        cycles = []
        for count in TRIANGLES if not chosen or entry["row"] in chosen else ():
            draw = scenario(entry, programs[entry["program"]], count, folder)
            (folder / "scenario.json").write_text(json.dumps(draw))
            done = subprocess.run([program, folder / "scenario.json", machine(entry)], capture_output=True, text=True,
                                  check=True)
            cycles.append([int(number) for number in done.stdout.split()])
            if cycles[-1][-1] == 0:
                break
        if len(cycles) == len(TRIANGLES):
            yield entry["row"], cycles


def rows(isbesim: Isbesim, folder: pathlib.Path, chosen: Iterable[str] = (), measured: dict[str, float] | None = None,
         config: str | None = None) -> Iterator[Row]:
    """Runs the rows of the table, two at a time; with `measured`, only its rows, on `config` if given."""
    programs = json.loads((HERE / "programs.json").read_text())

    def done(entry: dict[str, str]) -> Row:
        place = folder / entry["row"]
        place.mkdir()
        return row_of(isbesim, entry, programs[entry["program"]], place)

    wanted = [entry for entry in entries() if not chosen or entry["row"] in chosen]
    if measured is not None:
        wanted = [{**entry, "use": "measured", "published_per_s": str(measured[entry["row"]]),
                   "machine": config or entry["machine"]} for entry in wanted if entry["row"] in measured]
    with ThreadPoolExecutor(2) as pool:
        yield from pool.map(done, wanted)


def measured_rates(folder: pathlib.Path) -> dict[str, float]:
    """Rates of the rows whose work scripts/measure_card has measured."""
    # Not of both: Vulkan may have measured another card.
    file = next((folder / name for name in ("measure.json", "vulkan.json") if (folder / name).exists()), None)
    if file is None:
        raise ValueError(f"{folder} has no measure.json and no vulkan.json, expected a folder of scripts/measure_card")
    tests = {test["name"]: test["one"] for test in json.loads(file.read_text())["tests"]
             if "step_ns" in test.get("one", {})}
    return {row: 1e9 / tests[test]["step_ns"] for row, test in MEASURED.items()
            if test in tests and tests[test]["step_ns"] > 0}


def rates_of_vkperf(text: str) -> list[float]:
    """The rates of geometry that vkperf prints."""
    scale = {"": 1, "kilo-": 1e3, "mega-": 1e6, "giga-": 1e9, "tera-": 1e12}
    rates = [float(rate) * scale[unit] for rate, unit in re.findall(
        r": +([\d.]+) ?(|kilo-|mega-|giga-|tera-)(?:triangles|vertices|invocations|indirectRecords)/s", text)]
    if len(rates) != 103:
        raise ValueError(f"vkperf has printed {len(rates)} rates of geometry, expected 103")
    return rates


def rows_of_vkperf(text: str, loose_text: str) -> Iterator[Row]:
    """The rows of vkperf's own table, whose rates are in their order; `loose_text` of a loosely timed run."""
    rates, loose = map(rates_of_vkperf, (text, loose_text))
    for entry in entries():
        if entry["use"] != "not fitted":
            yield Row(entry["row"], entry["use"], entry["group"], entry["work"], float(entry["published_per_s"]),
                      rates[number := int(entry["row"])], loose[number] / rates[number])
