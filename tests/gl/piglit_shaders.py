# SPDX-License-Identifier: Apache-2.0
"""Piglit's shader tests of built-in functions and operators as Vulkan programs.

A test's vertex, geometry or tessellation control program says by a colour whether a result is what the test expects,
within its tolerance. Here the colour is streamed out, once for each set of uniforms that the test draws with.
"""

import re
import struct
from typing import NamedTuple

from outcomes import PIGLIT
from random_vulkan import TOPOLOGIES, UNIFORMS_AT, Program, with_captures

SECTIONS = {"vertex": "vert", "tessellation control": "tesc", "tessellation evaluation": "tese", "geometry": "geom"}
LETTERS = {"float": "f", "": "f", "double": "d", "d": "d", "int": "i", "i": "i", "uint": "I", "u": "I", "bool": "I",
           "b": "I", "int64_t": "q", "i64": "q", "uint64_t": "Q", "u64": "Q"}


class Shape(NamedTuple):
    """How the sets of a test are drawn."""

    topology: str
    corners: int  # of a primitive that is drawn
    output: int  # vertices of a primitive that is streamed out
    rows: int  # vertices that a set streams out
    which: str  # number of the set


SHAPES = {"vs": Shape("points", 1, 1, 1, "gl_VertexIndex"), "gs": Shape("triangles", 3, 3, 3, "gl_PrimitiveIDIn"),
          "tcs": Shape("patches", 4, 3, 6, "gl_PrimitiveID")}
MOST_SETS, UNIFORM_BYTES = 20, 4096
PLACES = {"piglit_vertex": 0, "vertex": 0}  # attributes; varyings by their first letter
VARYINGS = {"v": 1, "c": 0}


def all_names() -> list[str]:
    """The generated tests, without those for OpenGL ES and for extensions that Vulkan lacks."""
    places = (PIGLIT / "generated_tests" / "spec").glob("*/execution/built-in-functions/*.shader_test")
    return sorted(f"{path.parts[-4]}/{path.stem}" for path in places
                  if re.match("vs|gs|tcs", path.name) and not re.match("amd_|intel_|glsl-es|.*packing", path.parts[-4]))


def packed(kind: str, words: list[str]) -> tuple[int, bytes]:
    """Alignment and bytes of a uniform by the rules of std140."""
    matrix = re.fullmatch(r"(\w*?)(vec|mat)(\d)(?:x(\d))?", kind)
    letter = LETTERS[matrix[1] if matrix else kind]
    columns = int(matrix[3]) if matrix and matrix[2] == "mat" else 1
    rows = int(matrix[4] or matrix[3]) if matrix else 1
    size = struct.calcsize(letter)
    align = max(size * (4 if rows == 3 else rows), 16 if columns > 1 else 0)
    values = [float(word) if letter in "fd" else int(word, 0) & ((1 << 8 * size) - 1) for word in words]
    assert len(values) == rows * columns, kind
    code = "<" + letter.upper().replace("F", "f").replace("D", "d")
    cells = [struct.pack(code, value) for value in values]
    columns_of_bytes = [b"".join(cells[at:at + rows]) for at in range(0, len(cells), rows)]
    return align, b"".join(each.ljust(align if columns > 1 else len(each), b"\0") for each in columns_of_bytes)


def packed_set(uniforms: dict[str, str], values: dict[str, list[str]]) -> bytes:
    block, widest = b"", 16
    for name, kind in uniforms.items():
        align, part = packed(kind, values[name])
        widest = max(widest, align)
        block = block.ljust(-(-len(block) // align) * align, b"\0") + part
    return block.ljust(-(-len(block) // widest) * widest, b"\0")


def placed(match: re.Match[str]) -> str:
    patch, way, kind, name = match.groups()
    place = PLACES.get(name) if way == "in" else None
    return f"layout(location = {VARYINGS[name[0]] if place is None else place}) {patch or ''}{way} {kind} {name}"


def sections_of(name: str) -> dict[str, str]:
    spec, stem = name.split("/")
    text = (PIGLIT / "generated_tests" / "spec" / spec / "execution" / "built-in-functions" /
            f"{stem}.shader_test").read_text()
    parts = re.split(r"^\[(.*)\]\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def make_program(name: str) -> Program:
    sections = sections_of(name)
    shape = SHAPES[name.split("/")[1].split("-")[0]]
    uniforms = {each[1]: each[0] for part in SECTIONS if f"{part} shader" in sections
                for each in re.findall(r"^uniform (\w+) (\w+);", sections[f"{part} shader"], re.MULTILINE)}
    values: dict[str, list[str]] = {}
    sets: list[bytes] = []
    for line in sections["test"].splitlines():
        words = line.split()
        if words[:1] == ["uniform"]:
            values[words[2]] = words[3:]
        elif words[:1] == ["draw"] and len(values) == len(uniforms):
            sets.append(packed_set(uniforms, values))
    sets = sets[:min(MOST_SETS, UNIFORM_BYTES // len(sets[0]))]
    front = "#version 460\n#extension GL_ARB_gpu_shader_int64 : enable\nstruct Set {" + "".join(
        f" {kind} {each}_;" for each, kind in uniforms.items()) + (
        f" }};\nlayout(std140, binding = 1) uniform Sets {{ Set sets[{len(sets)}]; }};\n") + "".join(
        f"#define {each} sets[{shape.which}].{each}_\n" for each in uniforms)
    stages = {}
    for part, ending in SECTIONS.items():
        if f"{part} shader" not in sections:
            continue
        text = re.sub(r"^(?:#extension|uniform) .*\n", "", sections[f"{part} shader"], flags=re.MULTILINE)
        text = re.sub(r"^varying", "out", text.replace("gl_Vertex;", "vec4(1.0);"), flags=re.MULTILINE)
        text = re.sub(r"^(patch )?(in|out) (\w+) (\w+)", placed, text, flags=re.MULTILINE)
        stages[ending] = (front if f"{part} shader" == tested(sections) else front.split("struct")[0]) + text
    last = list(stages)[-1]
    stages[last], floating = with_captures(stages[last], False)
    data = bytes(UNIFORMS_AT) + b"".join(sets)
    draw = {"topology": TOPOLOGIES.index(shape.topology), "vertices": shape.corners * len(sets),
            "patch": shape.corners if shape.topology == "patches" else 0}
    return Program(stages, data, draw, len(floating), floating, shape.output)


def passes(name: str, result: bytes) -> bool:
    """All colours of a result of vkrun.c are those that the test probes, set after set."""
    probed = [[float(part) for part in re.findall(r"[-.e\d]+", line)[-4:]] for line in
              re.findall(r"^probe .*rgba (.*)", sections_of(name)["test"], re.MULTILINE)]
    length = struct.unpack_from("<I", result)[0]
    found = list(struct.iter_unpack("<4f", result[8:8 + length]))
    rows = SHAPES[name.split("/")[1].split("-")[0]].rows
    return len(found) in range(rows, rows * len(probed) + 1, rows) and all(
        abs(part - wanted) < 0.01 for at, colour in enumerate(found)
        for part, wanted in zip(colour, probed[at // rows]))


def tested(sections: dict[str, str]) -> str:
    """The section with the uniforms."""
    return next(name for name, text in sections.items() if re.search(r"^uniform \w+ \w+;", text, re.MULTILINE))
