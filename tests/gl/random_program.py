#!/usr/bin/python3 -Xutf8
# SPDX-License-Identifier: Apache-2.0
"""Draws with random programs (random_shaders.py) and tells what they captured.

random_program.py SEED [COUNT]      COUNT seeds from SEED, a line each: counts of queries, captured words and their sum
random_program.py SEED source       the programs of one seed
random_program.py SEED words        its captured words, a vertex a line
random_program.py FOLDER words      the same with FOLDER/STAGE.glsl instead of the seed's programs, FOLDER/seed has it
"""

import ctypes
import pathlib
import random
import sys
import zlib

from gl_program import (ARRAY_BUFFER, ELEMENT_BUFFER, FEEDBACK_BUFFER, FLOAT, INT, UNSIGNED, UNSIGNED_SHORT, begin,
                        buffer, end, floats, gl, name_of, program, words_of)
from random_shaders import PRIMITIVES, Source, make

MODES = {"points": 0, "lines": 1, "line_loop": 2, "line_strip": 3, "triangles": 4, "triangle_strip": 5,
         "triangle_fan": 6, "lines_adjacency": 10, "triangles_adjacency": 12, "patches": 14}
CAPTURED_AS = {1: 0, 2: 1, 3: 4}
PATCH_VERTICES, PRIMITIVES_GENERATED, PRIMITIVES_WRITTEN, QUERY_RESULT = 0x8E72, 0x8C87, 0x8C88, 0x8866
RESTART = 0x8F9D
VERTICES, ROOM, NEGATIVE_ZERO = 48, 1 << 20, 1 << 31


def attributes(dice: random.Random) -> None:
    columns = [floats([dice.randrange(1024) / 16 for _ in range(4 * VERTICES)]),
               b"".join(dice.choice([dice.getrandbits(32), dice.getrandbits(6)]).to_bytes(4, "little")
                        for _ in range(4 * VERTICES)),
               dice.randbytes(16 * VERTICES)]
    for place, (data, kind) in enumerate(zip(columns, (FLOAT, INT, UNSIGNED))):
        buffer(ARRAY_BUFFER, data)
        if kind == FLOAT:
            gl.VertexAttribPointer(place, 4, kind, 0, 0, None)
        else:
            gl.VertexAttribIPointer(place, 4, kind, 0, None)
        gl.EnableVertexAttribArray(place)


def uniforms(dice: random.Random, linked: int) -> None:
    gl.UseProgram(linked)
    values = (ctypes.c_float * 32)(*[dice.randrange(1024) / 16 for _ in range(32)])
    gl.Uniform4fv(gl.GetUniformLocation(linked, b"constants"), 8, values)
    words = (ctypes.c_uint * 8)(*[dice.getrandbits(32) for _ in range(8)])
    gl.Uniform1uiv(gl.GetUniformLocation(linked, b"packed_words"), 8, words)


def draw(dice: random.Random, source: Source) -> None:
    mode = MODES[source.topology]
    first, instances = dice.randrange(4), dice.choice([1, 1, 2, 3])
    if dice.random() < 0.6:
        gl.DrawArraysInstanced(mode, first, VERTICES - 4 - dice.randrange(8), instances)
        return
    # Not where programs see numbers of primitives: llvmpipe counts them again from 0 after each restart, GL goes on.
    restart = dice.random() < 0.5 and source.stages.keys() == {"vertex"}
    indices = [0xffff if restart and dice.random() < 0.06 else dice.randrange(VERTICES - 4) for _ in range(50)]
    buffer(ELEMENT_BUFFER, b"".join(index.to_bytes(2, "little") for index in indices))
    (gl.Enable if restart else gl.Disable)(RESTART)
    gl.PrimitiveRestartIndex(0xffff)
    gl.DrawElementsInstancedBaseVertex(mode, len(indices), UNSIGNED_SHORT, None, instances, first)


def query(target: int) -> int:
    query = name_of(gl.GenQueries)
    gl.BeginQuery(target, query)
    return query


def result_of(target: int, which: int) -> int:
    value = ctypes.c_uint()
    gl.EndQuery(target)
    gl.GetQueryObjectuiv(which, QUERY_RESULT, ctypes.byref(value))
    return value.value


def run(seed: int, source: Source) -> tuple[int, list[list[list[int]]]]:
    """Primitives generated, and the captured ones: vertices of words."""
    dice = random.Random(seed + 1000000)
    names = [name for name, _, _ in source.captured]
    linked = program(names, **source.stages)
    uniforms(dice, linked)
    attributes(dice)
    target = buffer(FEEDBACK_BUFFER, b"\xee" * ROOM)
    gl.BindBufferBase(FEEDBACK_BUFFER, 0, target)
    if source.patch:
        gl.PatchParameteri(PATCH_VERTICES, source.patch)
    queries = {what: query(what) for what in (PRIMITIVES_GENERATED, PRIMITIVES_WRITTEN)}
    gl.BeginTransformFeedback(CAPTURED_AS[source.output])
    draw(dice, source)
    gl.EndTransformFeedback()
    counts = {what: result_of(what, which) for what, which in queries.items()}
    floating = [each for _, words, each in source.captured for _ in range(words)]
    width = len(floating)
    words = words_of(FEEDBACK_BUFFER, target, counts[PRIMITIVES_WRITTEN] * source.output * width)
    # Drivers calculate some zeros when they compile, and their sign is theirs.
    words = [0 if word == NEGATIVE_ZERO and floating[at % width] else word for at, word in enumerate(words)]
    rows = [words[at:at + width] for at in range(0, len(words), width)]
    found = [rows[at:at + source.output] for at in range(0, len(rows), source.output)]
    # Which vertex of a triangle comes first is open in strips and patches, and the order of a patch's primitives.
    if source.output == 3:
        found = [min(each[turn:] + each[:turn] for turn in range(3)) for each in found]
    return counts[PRIMITIVES_GENERATED], found if source.ordered else sorted(found)


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    seed = int((folder / "seed").read_text() if folder.is_dir() else sys.argv[1])
    what = sys.argv[2] if len(sys.argv) > 2 else "1"
    if what == "source":
        for name, text in make(seed).stages.items():
            print(f"// {name}\n{text}")
        return
    begin()
    for number in range(seed, seed + 1 if what == "words" else seed + int(what)):
        source = make(number)
        if folder.is_dir():
            source = source._replace(stages={name: (folder / f"{name}.glsl").read_text() for name in source.stages})
        generated, found = run(number, source)
        words = [word for primitive in found for vertex in primitive for word in vertex]
        if what == "words":
            print("\n".join(" ".join(f"{word:08x}" for word in vertex) for each in found for vertex in each))
        stages = "".join(name[0] for name in source.stages)
        check = zlib.crc32(b"".join(word.to_bytes(4, "little") for word in words))
        print(f"seed {number}: {stages} {source.topology}, {generated} primitives, {len(words)} words, {check:08x}",
              flush=True)
    end()


if __name__ == "__main__":
    assert PRIMITIVES.keys() <= MODES.keys()
    main()
