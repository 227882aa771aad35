# SPDX-License-Identifier: Apache-2.0
"""A card's published rates beside those of its preset: rows.csv, with the programs of programs/ (compiled in
programs.json) and the draws below.

A rate is that between two draws of the same kind, so that beginning and end, which a long draw hides, do not count.
"""

from __future__ import annotations

import csv
import json
import math
import pathlib
from typing import Any, Callable, Iterator, NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
MACHINE = "tu106_chip"
TRIANGLES = (15_000, 45_000)
RESTART = 0xffffffff
LARGE = 64 << 20  # bytes of a buffer

Draw = dict[str, Any]
Isbesim = Callable[..., str]


class Row(NamedTuple):
    """A row of rows.csv, and what the preset makes of it."""
    number: int
    use: str
    work: str
    unit: str
    published: float
    predicted: float

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
    draw = DRAWS[kind](count, *map(int, numbers))
    stages = {}
    for stage, parts in program["stages"].items():
        (folder / f"{stage}.sass").write_text("\n".join(parts["code"]) + "\n")
        stages[stage] = {"code": f"{stage}.sass", "sph": parts["sph"]}
    result = {"arch": "sm75", "stages": stages, "draw": draw, "capture": [],
              "stage_constants": program["stage_constants"],
              "memory": [*program["small_buffers"],
                         *({"address": address, "size": LARGE} for address in program["buffers"])]}
    vertices = max([draw["vertex_count"], *(index + 1 for index in draw.get("indices", []) if index != RESTART)])
    attributes = {}
    for address, size in zip(program["attributes"], entry["attribute_bytes"].split(), strict=True):
        elements = draw["instance_count"] if size.startswith("i") else vertices
        data = folder / f"zeros_{elements}.bin"
        data.write_bytes(bytes(16 * elements))
        attributes[address] = {"file": data.name, "bytes": int(size.strip("i")), "per_instance": size.startswith("i")}
    return {**result, "attributes": attributes} if attributes else result


def cycles_of(isbesim: Isbesim, entry: dict[str, str], program: dict[str, Any], count: int,
              folder: pathlib.Path) -> tuple[int, int]:
    """Triangles and cycles of a draw."""
    draw = scenario(entry, program, count, folder)
    (folder / "scenario.json").write_text(json.dumps(draw))
    isbesim("run", folder / "scenario.json", "--config", MACHINE, "--no-vertices", "--quiet", "--no-critical-path",
            "--strict=traps", "--out", folder / "out")
    report = json.loads((folder / "out" / "report.json").read_text())
    triangles = count if entry["draw"] == "restarts_only" else report["output"]["primitives_in"]
    return triangles, report["cycles"]


def rows(isbesim: Isbesim, folder: pathlib.Path, chosen: set[int] | None = None) -> Iterator[Row]:
    """Runs the rows of the table."""
    programs = json.loads((HERE / "programs.json").read_text())
    clock = json.loads((HERE.parents[2] / "testbench" / "machines" / f"{MACHINE.removesuffix('_chip')}.json")
                       .read_text())["clock_ghz"]["value"]
    with (HERE / "rows.csv").open(newline="") as file:
        for entry in csv.DictReader(file):
            if chosen and int(entry["row"]) not in chosen:
                continue
            program = programs[entry["program"]]
            (less, early), (more, late) = (cycles_of(isbesim, entry, program, count, folder) for count in TRIANGLES)
            each = 3 if entry["unit"] == "vertices" else 1
            yield Row(int(entry["row"]), entry["use"], entry["work"], entry["unit"], float(entry["published_per_s"]),
                      (more - less) * each / (late - early) * clock * 1e9)


def mean_factor(done: list[Row]) -> float:
    """The geometric mean of the factors between published and predicted, each counted as one above 1."""
    return math.exp(sum(abs(math.log(row.factor)) for row in done) / len(done))
