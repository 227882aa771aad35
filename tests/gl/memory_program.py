#!/usr/bin/python3 -Xutf8
# SPDX-License-Identifier: Apache-2.0
"""Draws whose vertex and geometry programs use textures, images, buffers and counters. Prints what they captured.

memory_program.py texture|levels|layers|converted|uploaded|texels|storage|image|shadow|counter [captured]

The words are printed in hexadecimal, a vertex a line; what depends on the order of the threads is sorted, and words of
buffers follow. With `captured` they are what was captured, as it was.
"""

import ctypes
import struct
import sys

from gl_program import (BGRA, CAPTURED, COMPARE_FUNC, COMPARE_MODE, COMPARE_TO_REFERENCE, COUNTER_BUFFER, DEPTH,
                        DEPTH_32F, FLOAT, LESS_EQUAL, LINEAR, MAX_LEVEL, MIN_FILTER, NEAREST, R32F, R32UI,
                        READ_WRITE, RED_INTEGER, RGBA, RGBA32F, RGBA8, STORAGE_BUFFER, TEXTURE_2D, TEXTURE_ARRAY,
                        TEXTURE_BUFFER, UNPACK_BUFFER, UNSIGNED, UNSIGNED_BYTE, begin, buffer, draw, end, floats, gl,
                        name_of, program, texture, words_of)


def sampled_texture() -> list[list[int]]:
    """A linear filter between texels whose mean needs no rounding."""
    texture(RGBA32F, [(16, 8, floats([(7 * i) % 64 / 4 for i in range(16 * 8 * 4)]))], RGBA, FLOAT, LINEAR)
    return draw(program("result", vertex="""
        uniform sampler2D image;
        out vec4 result;
        void main() {
            gl_Position = vec4(0);
            result = texture(image, vec2(gl_VertexID % 33, gl_VertexID / 33) / vec2(32.0, 16.0));
        }"""), 100, 4)


def levels() -> list[list[int]]:
    """Bytes as texels, and a level of detail for each vertex. Rounded: llvmpipe's numbers are not exact."""
    images = [(16 >> i, 16 >> i, bytes((31 * i + 3 * k) % 256 for k in range((16 >> i) ** 2 * 4))) for i in range(5)]
    texture(RGBA8, images, RGBA, UNSIGNED_BYTE)
    return draw(program("result", vertex="""
        uniform sampler2D image;
        out vec4 result;
        void main() {
            gl_Position = vec4(0);
            vec2 place = (vec2(gl_VertexID % 16, gl_VertexID / 16) + 0.5) / 16.0;
            result = round(textureLod(image, place, float(gl_VertexID % 5)) * 255.0);
            result.xy += 256.0 * vec2(textureSize(image, 2));
        }"""), 80, 4)


BYTES = bytes((7 * i + 3) % 256 for i in range(16 * 8 * 4))


def layers() -> list[list[int]]:
    """An array, a part of it uploaded once more, gathered."""
    gl.BindTexture(TEXTURE_ARRAY, name_of(gl.GenTextures))
    gl.TexImage3D(TEXTURE_ARRAY, 0, RGBA8, 16, 4, 2, 0, RGBA, UNSIGNED_BYTE, BYTES)
    gl.TexSubImage3D(TEXTURE_ARRAY, 0, 3, 1, 1, 5, 2, 1, RGBA, UNSIGNED_BYTE, BYTES[100:])
    gl.TexParameteri(TEXTURE_ARRAY, MIN_FILTER, NEAREST)
    gl.TexParameteri(TEXTURE_ARRAY, MAX_LEVEL, 0)
    return draw(program("result", vertex="""
        uniform sampler2DArray image;
        out vec4 result;
        void main() {
            gl_Position = vec4(0);
            vec2 place = (vec2(gl_VertexID % 16, gl_VertexID / 16 % 4) + 0.25) / vec2(16.0, 4.0);
            result = round(textureGather(image, vec3(place, gl_VertexID / 64), 1) * 255.0);
        }"""), 128, 4)


def read_pixels() -> list[list[int]]:
    return draw(program("result", vertex="""
        uniform sampler2D image;
        out vec4 result;
        void main() {
            gl_Position = vec4(0);
            result = round(texelFetch(image, ivec2(gl_VertexID % 16, gl_VertexID / 16), 0) * 255.0);
        }"""), 128, 4)


def converted() -> list[list[int]]:
    """Red and blue change places on the way to the GPU: a blit does that."""
    texture(RGBA8, [(16, 8, BYTES)], BGRA, UNSIGNED_BYTE)
    return read_pixels()


def uploaded() -> list[list[int]]:
    """From a buffer: the driver draws that, which needs a fragment stage."""
    buffer(UNPACK_BUFFER, BYTES)
    texture(RGBA8, [(16, 8, b"")], RGBA, UNSIGNED_BYTE)
    return read_pixels()


def texels() -> list[list[int]]:
    gl.BindTexture(TEXTURE_BUFFER, name_of(gl.GenTextures))
    gl.TexBuffer(TEXTURE_BUFFER, R32F, buffer(TEXTURE_BUFFER, floats([1.5 * i for i in range(50)])))
    return draw(program("result", vertex="""
        uniform samplerBuffer texels;
        out vec2 result;
        void main() {
            gl_Position = vec4(0);
            result = vec2(texelFetch(texels, 49 - gl_VertexID).x, textureSize(texels));
        }"""), 50, 2)


def storage() -> list[list[int]]:
    block = buffer(STORAGE_BUFFER, struct.pack("66I", 5, 0, *range(100, 164)))
    gl.BindBufferBase(STORAGE_BUFFER, 0, block)
    got = draw(program("result", vertex="""
        layout(std430, binding = 0) buffer block { uint total, largest, values[]; };
        out uvec3 result;
        void main() {
            gl_Position = vec4(0);
            uint before = values[gl_VertexID];
            values[gl_VertexID] = before * 3u;
            atomicMax(largest, before);
            result = uvec3(before, values.length(), atomicAdd(total, 2u));
        }"""), 64, 3)
    orders = sorted(each.pop() for each in got)
    return [*got, orders, words_of(STORAGE_BUFFER, block, 66)]


def image() -> list[list[int]]:
    """What a draw stores and adds to, the next one loads."""
    texture(R32UI, [(16, 4, struct.pack("64I", *range(64)))], RED_INTEGER, UNSIGNED)
    bound = ctypes.c_int()
    gl.GetIntegerv(0x8069, ctypes.byref(bound))
    gl.BindImageTexture(0, bound.value, 0, 0, 0, READ_WRITE, R32UI)
    header = """
        layout(r32ui, binding = 0) uniform uimage2D image;
        out uvec2 result;
        ivec2 place() { return ivec2(gl_VertexID % 16, gl_VertexID / 16); }
        """
    stored = draw(program("result", vertex=header + """
        void main() {
            gl_Position = vec4(0);
            result = uvec2(imageLoad(image, place()).x, imageSize(image).x);
            if (gl_VertexID < 32) imageStore(image, place(), uvec4(result.x + 1000u));
            else imageAtomicAdd(image, ivec2(gl_VertexID % 4, 3), 7u);
        }"""), 48, 2)
    loaded = draw(program("result", vertex=header + """
        void main() {
            gl_Position = vec4(0);
            result = uvec2(imageLoad(image, place()).x, imageLoad(image, place() + ivec2(16, 0)).x);
        }"""), 64, 2)
    return stored + loaded


def shadow() -> list[list[int]]:
    texture(DEPTH_32F, [(8, 8, floats([i / 64 for i in range(64)]))], DEPTH, FLOAT)
    gl.TexParameteri(TEXTURE_2D, COMPARE_MODE, COMPARE_TO_REFERENCE)
    gl.TexParameteri(TEXTURE_2D, COMPARE_FUNC, LESS_EQUAL)
    return draw(program("result", vertex="""
        uniform sampler2DShadow depth;
        out float result;
        void main() {
            gl_Position = vec4(0);
            vec2 place = (vec2(gl_VertexID % 8, gl_VertexID / 8) + 0.5) / 8.0;
            result = textureLod(depth, vec3(place, float(gl_VertexID * 5 % 64) / 64.0), 0.0);
        }"""), 64, 1)


def counter() -> list[list[int]]:
    """A counter that goes up in the vertex programs, and one in the geometry programs, which capture it."""
    counters = buffer(COUNTER_BUFFER, struct.pack("2I", 10, 1000))
    gl.BindBufferBase(COUNTER_BUFFER, 0, counters)
    got = draw(program("result", vertex="""
        layout(binding = 0, offset = 0) uniform atomic_uint up;
        flat out uint number;
        void main() { gl_Position = vec4(0); number = atomicCounterIncrement(up); }""", geometry="""
        layout(points) in;
        layout(points, max_vertices = 1) out;
        layout(binding = 0, offset = 4) uniform atomic_uint down;
        flat in uint number[];
        flat out uvec2 result;
        void main() { result = uvec2(number[0], atomicCounterDecrement(down)); EmitVertex(); }"""), 70, 2)
    return [sorted(each[0] for each in got), sorted(each[1] for each in got), words_of(COUNTER_BUFFER, counters, 2)]


CASES = {"texture": sampled_texture, "levels": levels, "layers": layers,
         "converted": converted, "uploaded": uploaded, "texels": texels, "storage": storage, "image": image,
         "shadow": shadow, "counter": counter}


def main() -> None:
    begin()
    result = CASES[sys.argv[1]]()
    for row in CAPTURED if "captured" in sys.argv[2:] else result:
        print(" ".join(f"{word:08x}" for word in row))
    end()


if __name__ == "__main__":
    main()
