# SPDX-License-Identifier: Apache-2.0
"""Random GLSL programs from a seed: vertex, tessellation and geometry stages, and how to draw with them.

Tessellation leaves the order of its vertices open, and how a patch is cut into triangles: here it makes points,
isolines or whole triangles, and what number a geometry program sees then is left out. The levels are powers of two and
the places whole in 48ths, so that they are the same everywhere. Control programs do not read their outputs back: Mesa
25.0 links those wrongly for llvmpipe or crashes (nir_opt_varyings), where the evaluation program calculates from the
same outputs; Mesa 22.3's llvmpipe and both of nouveau agree on them. read_back.py has them with values of its own.
"""

import random
from typing import NamedTuple

from random_statements import COMMON, START, Body

TYPES = ["float", "vec2", "vec3", "vec4", "int", "ivec2", "ivec3", "ivec4", "uint", "uvec2", "uvec4"]
GEOMETRY_INPUTS = {"points": 1, "lines": 2, "triangles": 3, "lines_adjacency": 4, "triangles_adjacency": 6}
GEOMETRY_OUTPUTS = {"points": 1, "line_strip": 2, "triangle_strip": 3}
# By topology: vertices of a primitive. Which vertex of a strip's odd triangle comes first is the driver's choice, so a
# stage after the vertices has none of those.
PRIMITIVES = {"points": 1, "lines": 2, "line_strip": 2, "line_loop": 2, "triangles": 3, "triangle_strip": 3,
              "triangle_fan": 3}
TESSELLATIONS = [("quads", "point_mode", 1), ("triangles", "point_mode", 1), ("isolines", "point_mode", 1),
                 ("isolines", "", 2), ("triangles", "cw", 3), ("triangles", "ccw", 3)]


class Varying(NamedTuple):
    type: str
    name: str
    length: int  # of the array, 0 otherwise


class Source(NamedTuple):
    stages: dict[str, str]
    captured: list[tuple[str, int, bool]]  # names, words, whether these are floating point
    topology: str
    patch: int  # vertices of one, 0 without tessellation
    output: int  # vertices of a captured primitive
    ordered: bool  # the order of the primitives is what GL says


def width_of(name: str) -> int:
    return int(name[-1]) if name[-1].isdigit() else 1


def kind_of(name: str) -> str:
    return name[0] if name[0] in "iu" else "f"


class Link:
    """The outputs of a stage that the next one reads, in a block or without one."""

    def __init__(self, dice: random.Random, letter: str) -> None:
        self.letter = letter
        self.in_block = dice.random() < 0.4
        self.varyings = [Varying(dice.choice(TYPES), f"{letter}{number}", dice.choice([0, 0, 0, 2, 3]))
                         for number in range(dice.randint(1, 4))]

    def declared(self, direction: str, vertices: str = "") -> str:
        members = [(each.type, each.name, f"[{each.length}]" if each.length else "") for each in self.varyings]
        if self.in_block:
            inside = " ".join(f"{kind} {name}{length};" for kind, name, length in members)
            return f"{direction} Link_{self.letter} {{ {inside} }} {direction}_{self.letter}{vertices};\n"
        return "".join(f"{direction} {kind} {name}{vertices}{length};\n" for kind, name, length in members)

    def name(self, varying: Varying, direction: str, vertex: str = "") -> str:
        return f"{direction}_{self.letter}{vertex}.{varying.name}" if self.in_block else varying.name + vertex

    def captured(self, dice: random.Random) -> list[tuple[str, int, bool]]:
        prefix = f"Link_{self.letter}." if self.in_block else ""
        members = []
        for each in self.varyings:
            floating = kind_of(each.type) == "f"
            if each.length and dice.random() < 0.4:
                members.append((f"{prefix}{each.name}[{each.length - 1}]", width_of(each.type), floating))
            else:
                members.append((prefix + each.name, width_of(each.type) * max(1, each.length), floating))
        return members

    def written(self, body: Body, vertex: str = "") -> list[str]:
        dice, lines = body.dice, []
        for each in self.varyings:
            def value() -> str:
                swizzle = dice.choice(["xyzw", "wzyx", "yxwz"])[:width_of(each.type)]
                return f"{kind_of(each.type)}{dice.choice('0123')}.{swizzle}"
            name = self.name(each, "out", vertex)
            places = [f"[{i}]" for i in range(each.length)] or [""]
            if each.length and dice.random() < 0.6:
                places.append(f"[int(uint({body.leaf('i')}) % {each.length}u)]")
            lines += [f"{name}{place} = {value()};" for place in places]
        return lines

    def read(self, body: Body, vertices: str = "") -> list[str]:
        """Into the variables; `vertices`: how many there are to choose from."""
        lines = []
        for each in self.varyings:
            for _ in range(2):
                vertex = f"[int(uint({body.leaf('i')}) % uint({vertices}))]" if vertices else ""
                index = f"int(uint({body.leaf('i')}) % {each.length}u)"
                element = f"[{index}]" if each.length else ""
                target = f"{kind_of(each.type)}{body.dice.choice('0123')}.{'xyzw'[:width_of(each.type)]}"
                value = f"{target} + {self.name(each, 'in', vertex)}{element}"
                lines.append(f"{target} = wrap({value});" if kind_of(each.type) == "f" else f"{target} = {value};")
        return lines


def text(front: str, lines: list[str]) -> str:
    return COMMON + front + "void main() {\n" + START + "\n".join(lines) + "\n}\n"


def vertex_stage(dice: random.Random, out: Link) -> str:
    body = Body(dice)
    front = ("layout(location = 0) in vec4 a;\nlayout(location = 1) in ivec4 b;\nlayout(location = 2) in uvec4 c;\n"
             + out.declared("out"))
    return text(front, ["f0 = a; i0 = b; u0 = c; f1 = a.yzwx; i1.x = gl_VertexID; i1.y += gl_InstanceID * 7;",
                        *body.lines(dice.randint(3, 14)), *out.written(body), "gl_Position = f0;"])


def control_stage(dice: random.Random, into: Link, out: Link, patch: Link, whole: bool) -> str:
    body = Body(dice)
    vertices = dice.choice([1, 3, 4, 5])
    front = (f"layout(vertices = {vertices}) out;\n" + into.declared("in", "[]") + out.declared("out", "[]")
             + patch.declared("patch out"))
    levels = ["1.0" if whole else f"float(1 << int({body.leaf('u')} % 3u))" for _ in range(6)]
    lines = ["i1.x = gl_InvocationID; i1.y = gl_PrimitiveID; i1.z = gl_PatchVerticesIn;",
             *into.read(body, "gl_PatchVerticesIn"), *body.lines(dice.randint(2, 8)),
             *out.written(body, "[gl_InvocationID]"), "gl_out[gl_InvocationID].gl_Position = f1;", "barrier();",
             "if (gl_InvocationID == 0) {",
             *patch.written(body),
             *(f"gl_TessLevelOuter[{i}] = {levels[i]};" for i in range(4)),
             *(f"gl_TessLevelInner[{i}] = {levels[4 + i]};" for i in range(2)), "}"]
    return text(front, lines)


def evaluation_stage(dice: random.Random, kind: tuple[str, str, int], into: Link, patch: Link, out: Link) -> str:
    body = Body(dice)
    front = (f"layout({kind[0]}, equal_spacing{', ' + kind[1] if kind[1] else ''}) in;\n" + into.declared("in", "[]")
             + patch.declared("patch in") + out.declared("out"))
    lines = ["i1.xyz = ivec3(roundEven(gl_TessCoord * 48.0)); i1.w = gl_PrimitiveID; f1.xyz = vec3(i1.xyz) * 0.25;",
             "f2 = wrap(gl_in[gl_PatchVerticesIn - 1].gl_Position + f1);", *into.read(body, "gl_PatchVerticesIn"),
             *patch.read(body), *body.lines(dice.randint(2, 8)), *out.written(body), "gl_Position = f2;"]
    return text(front, lines)


def geometry_stage(dice: random.Random, kind: str, numbered: bool, into: Link, out: Link) -> tuple[str, int]:
    body = Body(dice)
    primitive = dice.choice(list(GEOMETRY_OUTPUTS))
    invocations = f", invocations = {dice.randint(2, 4)}" if dice.random() < 0.3 else ""
    front = (f"layout({kind}{invocations}) in;\nlayout({primitive}, max_vertices = {dice.randint(8, 14)}) out;\n"
             + into.declared("in", "[]") + out.declared("out"))
    count = str(GEOMETRY_INPUTS[kind])
    emit = [*out.written(body), "gl_Position = f0;", "EmitVertex();"]
    lines = [f"f2 = gl_in[{dice.randrange(int(count))}].gl_Position; i1.y = gl_InvocationID;"
             + (" i1.x = gl_PrimitiveIDIn;" if numbered else ""),
             *into.read(body, count), *body.lines(dice.randint(1, 5)),
             f"for (int n = 0; n < ({body.leaf('i')} & 3) + 1; ++n) {{", *body.lines(dice.randint(1, 4)), *emit,
             *body.lines(1), *emit, f"if ({body.fill('{c}')}) EndPrimitive();", "}"]
    return text(front, lines), GEOMETRY_OUTPUTS[primitive]


def make(seed: int) -> Source:
    dice = random.Random(seed)
    shape = dice.choice(["v", "v", "vg", "vg", "vt", "vtg"])
    links = {letter: Link(dice, letter) for letter in "vcpeg"}
    stages = {"vertex": vertex_stage(dice, links["v"])}
    last, patch, topology = "v", 0, dice.choice(list(PRIMITIVES))
    if "t" in shape:
        kind = dice.choice(TESSELLATIONS if "g" not in shape else TESSELLATIONS[:4])
        links["p"].in_block = False
        stages["control"] = control_stage(dice, links["v"], links["c"], links["p"], kind[2] == 3)
        stages["evaluation"] = evaluation_stage(dice, kind, links["c"], links["p"], links["e"])
        last, patch, topology, output = "e", dice.randint(1, 5), "patches", kind[2]
    else:
        output = PRIMITIVES[topology]
    if "g" in shape:
        if patch == 0:
            topology = dice.choice(list(GEOMETRY_INPUTS))
            output = GEOMETRY_INPUTS[topology]
        taken = topology if patch == 0 else ["points", "lines"][output - 1]
        stages["geometry"], output = geometry_stage(dice, taken, patch == 0, links[last], links["g"])
        last = "g"
    captured = links[last].captured(dice)
    if dice.random() < 0.5:
        captured.insert(dice.randrange(len(captured) + 1), ("gl_Position", 4, True))
    return Source(stages, captured, topology, patch, output, patch == 0)
