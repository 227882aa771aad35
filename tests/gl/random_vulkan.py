# SPDX-License-Identifier: Apache-2.0
"""Random Vulkan programs from a seed: those of random_shaders.py, with any tessellation, and task and mesh programs.

Vulkan leaves the order of tessellated primitives open. Mesa's software driver and the model have Direct3D's.
"""

import random
import re
import struct
from typing import NamedTuple

import random_statements
from random_shaders import Link, kind_of, make, width_of
from random_statements import COMMON, START, Body

TOPOLOGIES = ["points", "lines", "line_strip", "triangles", "triangle_strip", "triangle_fan", "lines_adjacency",
              "line_strip_adjacency", "triangles_adjacency", "triangle_strip_adjacency", "patches"]
STAGES = {"vertex": "vert", "control": "tesc", "evaluation": "tese", "geometry": "geom"}
VERTICES, MOST = 48, 40
UNIFORMS_AT, INDICES_AT, COMMAND_AT = 4096, 8192, 12288
RESOURCES = """
layout(std430, binding = 0) buffer Stored { uint stored[]; };
layout(std140, binding = 1) uniform Constants { vec4 constants[8]; uint packed_words[8]; };
layout(push_constant) uniform Pushed { uint pushed; };
"""


random_statements.INT_RULES += ["int(int16_t({i}) * int16_t({i}))", "int(int8_t({i}) + int8_t({i}))",
                                "int(min(int16_t({i}), int16_t({u})))", "int(int8_t({i}) >> ({i} & 7))"]
random_statements.UINT_RULES += ["uint(uint16_t({u}) * uint16_t({i}))", "uint(uint8_t({u}) - uint8_t({u}))",
                                 "uint(uint16_t({u}) / uint16_t(({u} & 255u) + 1u))", "uint(uint8_t({f}))",
                                 "uint(uint16_t({u}) << ({u} & 15u))"]


class Program(NamedTuple):
    stages: dict[str, str]  # by the ending of glslang
    data: bytes
    draw: dict[str, int]
    stride: int  # of captured vertices, in words
    floating: list[bool]  # which of these are floating point
    output: int  # vertices of a captured primitive


def data_of(dice: random.Random, indices: list[int], commands: list[int]) -> bytes:
    vertices = b"".join(struct.pack("<4f4I", *[dice.randrange(1024) / 16 for _ in range(4)],
                                    *[dice.choice([dice.getrandbits(32), dice.getrandbits(6)]) for _ in range(4)])
                        + dice.randbytes(16) for _ in range(VERTICES))
    uniforms = struct.pack("<32f" + 8 * "I12x", *[dice.randrange(1024) / 16 for _ in range(32)],
                           *[dice.getrandbits(32) for _ in range(8)])
    parts = {0: vertices, UNIFORMS_AT: uniforms, INDICES_AT: struct.pack(f"<{len(indices)}H", *indices),
             COMMAND_AT: struct.pack(f"<{len(commands)}i", *commands)}
    data = bytearray(COMMAND_AT + 256)
    for at, part in parts.items():
        data[at:at + len(part)] = part
    return bytes(data)


class Translation:
    """Translation of OpenGL's GLSL into Vulkan's."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self.next = {"p": 16}  # what patches have besides the vertices' varyings

    def place(self, name: str, letter: str, size: int) -> int:
        if name not in self.places:
            self.places[name] = self.next.get(letter, 0)
            self.next[letter] = self.places[name] + size
        return self.places[name]

    def declaration(self, match: re.Match[str]) -> str:
        front, kind, name, lengths = match.groups()
        sizes = re.findall(r"\[(\d+)\]", lengths)
        return f"layout(location = {self.place(name, name[0], int(sizes[0]) if sizes else 1)}) {match.group()}"

    def text(self, text: str) -> str:
        text = re.sub(r"^(patch in|patch out|in|out) (\w+) (\w+)((?:\[\d*\])*);", self.declaration, text,
                      flags=re.MULTILINE)
        text = re.sub(r"^(in|out) (Link_\w) \{", r"layout(location = 0) \1 \2 {", text, flags=re.MULTILINE)
        return vulkan(text)


def vulkan(text: str) -> str:
    """Uniforms in a buffer, numbers of vertices by their new names."""
    text = text.replace("uniform vec4 constants[8];\nuniform uint packed_words[8];\n", RESOURCES)
    types = "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
    text = text.replace("#version 430\n", "#version 460\n" + types)
    return text.replace("gl_VertexID", "gl_VertexIndex").replace("gl_InstanceID", "gl_InstanceIndex")


def with_captures(text: str, position: bool) -> tuple[str, list[bool]]:
    """Every output of the last stage goes to stream-out, and whether its words are floating point."""
    floating: list[bool] = []

    def take(kind: str, length: str) -> int:
        at = 4 * len(floating)
        floating.extend([kind_of(kind) == "f"] * (width_of(kind) * int(length or 1)))
        return at

    def single(match: re.Match[str]) -> str:
        at = take(match[2], match[4])
        return f"layout(xfb_buffer = 0, xfb_offset = {at}, location = {match[1]}) out {match[2]} {match[3]}"

    def block(match: re.Match[str]) -> str:
        members = re.sub(r"(\w+) (\w+)(?:\[(\d+)\])?;",
                         lambda each: f"layout(xfb_offset = {take(each[1], each[3])}) {each[0]}", match[2])
        return f"layout(xfb_buffer = 0, location = 0) out {match[1]} {{{members}}}"

    text = re.sub(r"^layout\(location = (\d+)\) out (\w+) (\w+)(?=(?:\[(\d+)\])?;)", single, text, flags=re.MULTILINE)
    text = re.sub(r"^layout\(location = 0\) out (Link_\w) \{(.*)\}(?= )", block, text, flags=re.MULTILINE)
    if position:
        built = f"out gl_PerVertex {{ layout(xfb_offset = {take('vec4', '')}) vec4 gl_Position; }};\n"
        text = text.replace("void main()", f"layout(xfb_buffer = 0) {built}void main()")
    return text.replace("void main()", f"layout(xfb_buffer = 0, xfb_stride = {4 * len(floating)}) out;\nvoid main()"), \
        floating


def numbered(dice: random.Random, stage: str) -> str:
    """A store of a stage to a buffer, only where all drivers run the stage equally often."""
    value = dice.choice(["u0.x ^ uint(i1.x)", "u1.y + uint(f0.x * 16.0)", "uint(i2.z) * 3u",
                         "floatBitsToUint(max(f1.y, 0.0625))"])
    if stage == "vertex":
        return f"if (gl_InstanceIndex == gl_BaseInstance && gl_DrawID == 0) stored[gl_VertexIndex & 63] = {value};"
    place = {"control": 128, "geometry": 160}[stage]
    number = dice.choice(["gl_InvocationID", "(i0.x & 15)"])
    return f"{dice.choice(['atomicAdd', 'atomicXor'])}(stored[{place} + {number}], {value});"


def tessellated(dice: random.Random, stages: dict[str, str]) -> None:
    """Any levels and spacing; control programs read their outputs back."""
    spacing = dice.choice(["equal_spacing", "fractional_odd_spacing", "fractional_even_spacing"])
    stages["tese"] = stages["tese"].replace("equal_spacing", spacing).replace(
        "i1.w = gl_PrimitiveID;", "i1.w = gl_PrimitiveID; u0.xyz = floatBitsToUint(max(gl_TessCoord, 0.000001));"
        + (" f0.xy = wrap(vec2(gl_TessLevelOuter[0], gl_TessLevelInner[0]));" if dice.random() < 0.3 else ""))
    text = re.sub(r"(gl_TessLevel\w+\[\d\]) = (?:1\.0|float\(1 << int\((.*) % 3u\)\));",
                  lambda each: f"{each[1]} = float({each[2] or 'u0.y'} % 24u) * 0.375;", stages["tesc"])
    if dice.random() < 0.5:
        vertices = re.findall(r"vertices = (\d+)", text)[0]
        text = text.replace("barrier();", "barrier();\nf3 = wrap(f3 + gl_out[(gl_InvocationID + 1) % "
                            f"{vertices}].gl_Position);")
    stages["tesc"] = text


def second_stream(dice: random.Random, text: str) -> str:
    """Adds a second stream to a geometry program that makes points."""
    text = text.replace("void main()", "layout(location = 24, stream = 1, xfb_buffer = 1, xfb_offset = 0, "
                        "xfb_stride = 8) out uvec2 other;\nvoid main()")
    text = re.sub(r"max_vertices = \d+", "max_vertices = 16", text)  # of both streams together
    emit = f"other = uvec2({dice.choice(['u0.x', 'u1.z'])}, i0.y);\nEmitStreamVertex(1);\n"
    places = text.split("EmitVertex();\n")
    return places[0] + "".join(f"EmitStreamVertex(0);\n{emit if dice.random() < 0.6 else ''}{place}"
                               for place in places[1:]).replace("EndPrimitive();", "EndStreamPrimitive(0);")


def primitives(seed: int) -> Program:
    """Vertex, tessellation and geometry programs."""
    dice = random.Random(seed + 1000000)
    source = make(seed)
    translation = Translation()
    stages = {STAGES[name]: translation.text(text) for name, text in source.stages.items()}
    for name, ending in STAGES.items():
        if ending in stages and name != "evaluation" and dice.random() < 0.5:
            stages[ending] = re.sub(r"\n}\n$", f"\n{numbered(dice, name)}\n}}\n", stages[ending])
    if source.patch:
        tessellated(dice, stages)
    if dice.random() < 0.5:
        added = "i1.z ^= gl_DrawID * 7 + gl_BaseInstance * 3 + gl_BaseVertex; "
        stages["vert"] = stages["vert"].replace("i1.x = gl_VertexIndex", added + "i1.x = gl_VertexIndex")
    captures = 1
    if source.output == 1 and "geom" in stages and dice.random() < 0.5:
        captures, stages["geom"] = 2, second_stream(dice, stages["geom"])
    last = list(stages)[-1]
    stages[last], floating = with_captures(stages[last], dice.random() < 0.5)
    topology = "line_strip" if source.topology == "line_loop" else source.topology
    if topology in ("lines_adjacency", "triangles_adjacency") and dice.random() < 0.5:
        topology = topology.replace("s_", "_strip_")
    draw = {"topology": TOPOLOGIES.index(topology), "vertices": MOST - dice.randrange(8), "first": dice.randrange(4),
            "instances": dice.choice([1, 1, 2, 3]), "instance": dice.choice([0, 0, 5]), "patch": source.patch,
            "push": dice.getrandbits(32), "captures": captures, "lower": dice.randrange(2)}
    if source.patch:
        draw["vertices"] = source.patch * dice.randint(1, 4) + dice.randrange(3)
    indices: list[int] = []
    if dice.random() < 0.4:
        draw.update(indexed=1, base=dice.randrange(3))
        draw["restart"] = int(len(stages) == 1 and ("strip" in topology or "fan" in topology)) * dice.randrange(2)
        indices = [0xffff if draw["restart"] and dice.random() < 0.06 else dice.randrange(MOST) for _ in range(50)]
    draw["indirect"] = dice.choice([0, 0, 0, 1, 2, 3])
    commands: list[int] = []
    for which in range(draw["indirect"]):
        commands += [draw["vertices"] - which, draw["instances"], draw["first"]]
        commands += [draw["base"], draw["instance"]] if indices else [draw["instance"]]
    return Program(stages, data_of(dice, indices, commands), draw, len(floating), floating, source.output)


def shape_of(dice: random.Random) -> tuple[int, str]:
    x, y, z = dice.choice([(1, 1, 1), (8, 1, 1), (32, 1, 1), (32, 1, 1), (4, 4, 2), (5, 3, 1), (33, 1, 1), (64, 1, 1),
                           (16, 8, 1), (100, 1, 1), (128, 1, 1)])
    return x * y * z, f"layout(local_size_x = {x}, local_size_y = {y}, local_size_z = {z}) in;\n"


def shared_steps(dice: random.Random, body: Body, threads: int) -> list[str]:
    """Operations of a whole workgroup on its shared memory."""
    steps = [
        [f"tile[me] = {body.fill('{u}')};", "barrier();", f"u1.y ^= tile[(me * 5u + 3u) % {threads}u];", "barrier();"],
        [f"atomicAdd(total, {body.fill('{u}')});", "barrier();", "u2.z += total;", "barrier();"],
        [f"atomicMax(highest, {body.fill('{i}')});", "barrier();", "i2.x ^= highest;", "barrier();"],
        [f"if (me == {dice.randrange(threads)}u) corner = f1;", "barrier();", "f3 = wrap(f3 + corner);", "barrier();"],
        [f"atomicXor(tile[me % {max(1, threads // 3)}u], {body.fill('{u}')});", "barrier();",
         f"u3.x += tile[(me + 1u) % {threads}u];", "barrier();"]]
    return [line for step in dice.sample(steps, dice.randint(0, 3)) for line in step]


def workgroup_text(threads: int, front: str, lines: list[str]) -> str:
    shared = f"shared uint tile[{threads}]; shared uint total; shared int highest; shared vec4 corner;\n"
    begin = ["uint me = gl_LocalInvocationIndex;",
             "uint group = gl_WorkGroupID.x + gl_NumWorkGroups.x * (gl_WorkGroupID.y + gl_NumWorkGroups.y * "
             "gl_WorkGroupID.z);",
             "tile[me] = me * 3u; if (me == 0u) { total = 7u; highest = -5; corner = vec4(1.5); }", "barrier();",
             "i1.x = int(me); i1.y = int(group); u1.z = pushed; f1.x = float(me & 63u);",
             "f1.yzw = vec3(gl_LocalInvocationID) * 0.5; u0.xyz ^= gl_WorkGroupID * 77u; u3.y += uint(gl_DrawID);"]
    common = COMMON.replace("int64 : enable\n", "int64 : enable\n#extension GL_EXT_mesh_shader : require\n")
    return vulkan(common + front + shared + "void main() {\n" + START + "\n".join(begin + lines) + "\n}\n")


def store(slot: str, dice: random.Random) -> list[str]:
    values = dice.sample(["u0.x", "u1.y", "u2.z", "u3.w", "uint(i0.x)", "uint(i1.y)", "uint(i2.x)", "uint(i3.w)",
                          "uint(f0.x * 16.0)", "uint(f1.y * 16.0)", "uint(f3.z * 16.0)",
                          "floatBitsToUint(max(f2.w, 0.0625))"], 8)
    return [f"stored[({slot}) * 8u + {at}u] = {value};" for at, value in enumerate(values)]


PAYLOAD = [("uint", "task"), ("vec4", "colour"), ("uint", "words[5]"), ("ivec2", "pair"), ("float", "each[40]")]
INDICES = {"points": ("Point", 1), "lines": ("Line", 2), "triangles": ("Triangle", 3)}


def task_stage(dice: random.Random, members: list[tuple[str, str]]) -> tuple[str, int]:
    body = Body(dice)
    threads, shape = shape_of(dice)
    payload = " ".join(f"{kind} {name};" for kind, name in members)
    lines = [*body.lines(dice.randint(2, 8)), *shared_steps(dice, body, threads), *body.lines(dice.randint(0, 4)),
             *store(f"30000u + uint(gl_DrawID) * 640u + group * {threads}u + me", dice),
             "if (me == 0u) { load.task = group; load.colour = f0; load.pair = i0.xy; }",
             f"for (uint k = me; k < 5u; k += {threads}u) load.words[k] = k * 3u + group * 11u;",
             f"for (uint k = me; k < 40u; k += {threads}u) load.each[k] = wrap(float(k) * 1.25 + float(group));",
             "barrier();",
             "u0 = uvec4(group * 5u + 3u, group + 1u, pushed, packed_words[1]);",
             f"EmitMeshTasksEXT({dice.choice(['(u0.x >> 1) % 3u', '1u + group % 2u', '2u', '1u'])}, "
             f"{dice.choice(['1u', '1u + (u0.w & 1u)'])}, {dice.choice(['1u', '1u + (group & 1u)'])});"]
    front = shape + f"struct Load {{ {payload} }};\ntaskPayloadSharedEXT Load load;\n"
    return workgroup_text(threads, front, lines), threads


def mesh_stage(dice: random.Random, members: list[tuple[str, str]]) -> str:
    """`members` of the payload when there is a task program."""
    body = Body(dice)
    threads, shape = shape_of(dice)
    kind = dice.choice(list(INDICES))
    name, corners = INDICES[kind]
    vertices, primitives = (dice.choice([1, 3, 4, 30, 32, 33, 64, 81, 126]) for _ in range(2))
    links = {letter: Link(dice, letter) for letter in "mq"}
    front = shape + f"layout({kind}, max_vertices = {vertices}, max_primitives = {primitives}) out;\n"
    for letter, link in links.items():
        link.in_block = False
        link.varyings = link.varyings[:2] if vertices > 64 else link.varyings
        declared = link.declared("perprimitiveEXT out" if letter == "q" else "out", "[]")
        translation = Translation()
        translation.next = {"q": 20}
        front += re.sub(r"^((?:perprimitiveEXT )?out) (\w+) (\w+)((?:\[\d*\])*);", translation.declaration, declared,
                        flags=re.MULTILINE)
    after: list[str] = []
    slot = "(uint(gl_DrawID) * 12u + group)"
    if members:
        front += ("struct Load { " + " ".join(f"{kind} {name};" for kind, name in members)
                  + " };\ntaskPayloadSharedEXT Load load;\n")
        after = ["u2.x += load.words[me % 5u];", "f0 = wrap(f0 + load.colour);", "i3.xy ^= load.pair;",
                 "f2.y = load.each[(me * 3u + 1u) % 40u];"]
        slot = "((uint(gl_DrawID) * 5u + load.task) * 12u + group)"
    count = [dice.choice([f"{most}u", f"1u + (group * 7u + {most // 2}u) % {most}u", f"1u + pushed % {most}u"])
             for most in (vertices, primitives)]
    if dice.random() < 0.15:
        count[1] = f"(group & 1u) * {primitives}u"
    elements = {1: "{}", 2: "uvec2({}, {})", 3: "uvec3({}, {}, {})"}[corners]
    places = elements.format(*[f"({body.fill('{u}')}) % vertices" for _ in range(corners)])
    lines = [*after, *body.lines(dice.randint(1, 8)), *shared_steps(dice, body, threads),
             f"uint vertices = {count[0]}, primitives = {count[1]};", "SetMeshOutputsEXT(vertices, primitives);",
             f"for (uint n = me; n < vertices; n += {threads}u) {{", "u1.x += n;", *body.lines(dice.randint(1, 6)),
             *links["m"].written(body, "[n]"), "gl_MeshVerticesEXT[n].gl_Position = f0;", "}",
             f"for (uint n = me; n < primitives; n += {threads}u) {{", "u1.w ^= n;", *body.lines(dice.randint(1, 4)),
             f"gl_Primitive{name}IndicesEXT[n] = {places};", *links["q"].written(body, "[n]"),
             *dice.sample([f"gl_MeshPrimitivesEXT[n].gl_CullPrimitiveEXT = {body.fill('{c}')};",
                           "gl_MeshPrimitivesEXT[n].gl_PrimitiveID = int(n) * 3;",
                           f"gl_MeshPrimitivesEXT[n].gl_Layer = {body.fill('{i}')} & 3;",
                           f"gl_MeshPrimitivesEXT[n].gl_ViewportIndex = {body.fill('{i}')} & 3;"],
                          dice.choice([0, 0, 1, 2])), "}",
             *body.lines(dice.randint(0, 3)), *shared_steps(dice, body, threads),
             *store(f"{slot} * {threads}u + me", dice)]
    return workgroup_text(threads, front, lines)


def meshes(seed: int) -> Program:
    dice = random.Random(seed + 2000000)
    stages: dict[str, str] = {}
    groups = dice.choice([(1, 1, 1), (3, 1, 1), (2, 2, 1), (1, 2, 2), (5, 1, 1), (1, 3, 1)])
    members = PAYLOAD if dice.random() < 0.5 else []
    if members:
        stages["task"], _ = task_stage(dice, dice.sample(members, len(members)))
        members = re.findall(r"(\w+) (\w+(?:\[\d+\])?);", re.findall(r"struct Load \{ (.*) \};", stages["task"])[0])
    stages["mesh"] = mesh_stage(dice, members)
    draw = dict(zip("xyz", groups), indirect=dice.choice([0, 0, 0, 1, 2]), push=dice.getrandbits(32))
    return Program(stages, data_of(dice, [], 2 * list(groups)), draw, 0, [], 1)


def make_program(seed: int) -> Program:
    """Every third seed has a mesh program."""
    return meshes(seed) if seed % 3 == 0 else primitives(seed)
