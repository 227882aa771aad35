#!/usr/bin/python3 -Xutf8
# SPDX-License-Identifier: Apache-2.0
"""Control programs that read back what the other vertices of their patch have written: the values are arithmetic's."""

import ctypes
import sys

from gl_program import FEEDBACK_BUFFER, begin, buffer, end, gl, program, words_of

PATCHES, PATCH_VERTICES, IN, OUT, PATCHES_DRAWN, WORDS = 14, 0x8E72, 2, 4, 5, 8

CONTROL = f"""
layout(vertices = {OUT}) out;
out int c[][2];
out Link {{ ivec2 pair; }} b[];
patch out ivec4 p;
patch out ivec4 q;
uniform int step;
void main() {{
    c[gl_InvocationID][0] = gl_InvocationID * 10 + gl_PrimitiveID * 100;
    c[gl_InvocationID][1] = gl_InvocationID * 7 + 1;
    b[gl_InvocationID].pair = ivec2(gl_PrimitiveID, -gl_InvocationID);
    gl_out[gl_InvocationID].gl_Position = vec4(gl_InvocationID + 0.5);
    barrier();
    if (gl_InvocationID == 0) {{
        int sum = 0;
        for (int i = 0; i < {OUT}; ++i) sum += c[i][0] * (i + 1);
        p = ivec4(sum, c[(gl_PrimitiveID + step) % {OUT}][1], b[3].pair.y, b[step].pair.x);
        q = ivec4(int(gl_out[step].gl_Position.x * 2.0), c[step][0], c[3][step & 1], c[gl_PatchVerticesIn][1]);
    }}
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = 1.0;
}}
"""
EVALUATION = """
layout(isolines, point_mode) in;
patch in ivec4 p;
patch in ivec4 q;
out ivec4 first;
out ivec4 second;
void main() { first = p; second = q; }
"""


def expected(patch: int, step: int) -> list[int]:
    def c(vertex: int, element: int) -> int:
        return vertex * 7 + 1 if element else vertex * 10 + patch * 100

    return [sum(c(i, 0) * (i + 1) for i in range(OUT)), c((patch + step) % OUT, 1), -3, patch,
            2 * step + 1, c(step, 0), c(3, step & 1), c(IN, 1)]


def main() -> int:
    begin()
    linked = program(["first", "second"], vertex="void main() {}", control=CONTROL, evaluation=EVALUATION)
    gl.UseProgram(linked)
    gl.PatchParameteri(PATCH_VERTICES, IN)
    right = True
    for step in range(OUT):
        gl.Uniform1i(gl.GetUniformLocation(linked, b"step"), step)
        points = 2 * PATCHES_DRAWN
        target = buffer(FEEDBACK_BUFFER, bytes(4 * WORDS * points))
        gl.BindBufferBase(FEEDBACK_BUFFER, 0, target)
        gl.BeginTransformFeedback(0)
        gl.DrawArrays(PATCHES, 0, IN * PATCHES_DRAWN)
        gl.EndTransformFeedback()
        words = [ctypes.c_int(word).value for word in words_of(FEEDBACK_BUFFER, target, WORDS * points)]
        rows = [words[at:at + WORDS] for at in range(0, len(words), WORDS)]
        wanted = [expected(point // 2, step) for point in range(points)]
        if rows != wanted:
            print(f"step {step}: {rows}, expected {wanted}")
            right = False
    end()
    print("read back" if right else "wrong")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
