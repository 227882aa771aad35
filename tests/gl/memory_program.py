#!/usr/bin/python3 -Xutf8
# SPDX-License-Identifier: Apache-2.0
"""Draws whose vertex and geometry programs use textures, images, buffers and counters. Prints what they captured.

memory_program.py texture|levels|layers|converted|uploaded|texels|storage|image|shadow|counter|cleared|depths
                  [captured]

The words are printed in hexadecimal, a vertex a line; what depends on the order of the threads is sorted, and words of
buffers follow. With `captured` they are what was captured, as it was.
"""

import ctypes
import struct
import sys

from gl_program import (BGRA, CAPTURED, COLOR_ATTACHMENT, COLOR_BUFFER, COMPARE_FUNC, COMPARE_MODE,
                        COMPARE_TO_REFERENCE, COUNTER_BUFFER, DEPTH, DEPTH_16, DEPTH_24_STENCIL_8, DEPTH_32F,
                        DEPTH_32F_STENCIL_8, DEPTH_ATTACHMENT, DEPTH_BUFFER, FLOAT, FRAMEBUFFER, INT, LESS_EQUAL,
                        LINEAR, MAG_FILTER, MAX_LEVEL, MIN_FILTER, NEAREST, R32F, R32UI, RASTERIZER_DISCARD, READ_WRITE,
                        RED, RED_INTEGER, RG32UI, RGBA, RGBA16F, RGBA32F, RGBA8, RGBA8I, RGBA_INTEGER, SRGB8_ALPHA8,
                        STENCIL_ATTACHMENT, STENCIL_BUFFER, STENCIL_INDEX, STENCIL_TEXTURE_MODE, STORAGE_BUFFER,
                        TEXTURE_2D, TEXTURE_3D, TEXTURE_ARRAY, TEXTURE_BUFFER, TEXTURE_MULTISAMPLE, UNPACK_BUFFER,
                        UNSIGNED, UNSIGNED_BYTE, begin, buffer, draw, end, floats, gl, name_of, program, texture,
                        words_of)


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
    """A draw loads the values that the draw before it has stored and added."""
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


def read_cleared(sampler: str, texel: str, vertices: int, scale: float = 0) -> list[list[int]]:
    """Texels of a geometry program; scaled and rounded, for llvmpipe's numbers of fixed point are not exact."""
    value = f"uvec4(round({texel} * {scale}))" if scale else f"uvec4({texel})"
    if sampler.startswith("sampler") and not scale:
        value = f"floatBitsToUint({texel})"
    return draw(program("result", vertex="void main() { gl_Position = vec4(0); }", geometry=f"""
        layout(points) in;
        layout(points, max_vertices = 1) out;
        uniform {sampler} image;
        flat out uvec4 result;
        void main() {{ int v = gl_PrimitiveIDIn; result = {value}; EmitVertex(); }}"""), vertices, 4)


def clear(kind: int, *values: float) -> None:
    """The whole framebuffer; RASTERIZER_DISCARD would leave it out."""
    gl.Disable(RASTERIZER_DISCARD)
    packed = struct.pack(f"4{'f' if isinstance(values[0], float) else 'i'}", *values, *[0] * (4 - len(values)))
    function = gl.ClearBufferfv if isinstance(values[0], float) else gl.ClearBufferiv
    function(kind, 0, packed)
    gl.Enable(RASTERIZER_DISCARD)


def attach(place: int, texture: int, level: int, layer: int | None = None) -> None:
    if layer is None:
        gl.FramebufferTexture(FRAMEBUFFER, place, texture, level)
    else:
        gl.FramebufferTextureLayer(FRAMEBUFFER, place, texture, level, layer)


def storage_of(target: int, inner: int, depth: int = 3) -> int:
    """Two levels of 16 by 8 texels."""
    texture = name_of(gl.GenTextures)
    gl.BindTexture(target, texture)
    gl.TexStorage3D(target, 2, inner, 16, 8, depth)
    for filtered in (MIN_FILTER, MAG_FILTER):
        gl.TexParameteri(target, filtered, NEAREST)
    return texture


def cleared() -> list[list[int]]:
    """Clears of all layers, of a layer of a level, of a part, and of what a draw has read."""
    rows: list[list[int]] = []
    for inner, sampler, scale, form, kind, values in (
            (RGBA8, "sampler2DArray", 255.0, RGBA, FLOAT, (1.0, 0.0, 0.4, 0.8)),
            (SRGB8_ALPHA8, "sampler2DArray", 255.0, RGBA, FLOAT, (1.0, 0.0, 0.5, 0.25)),
            (RGBA16F, "sampler2DArray", 0, RGBA, FLOAT, (1.5, -2.0, 65504.0, 0.1)),
            (R32F, "sampler2DArray", 0, RED, FLOAT, (0.1, 0.2, 0.3, 0.4)),
            (RGBA8I, "isampler2DArray", 0, RGBA_INTEGER, INT, (-1, 100, 200, -200)),
            (RG32UI, "usampler2DArray", 0, RGBA_INTEGER, UNSIGNED, (7, 123456789, 3, 4))):
        texture = storage_of(TEXTURE_ARRAY, inner)
        attach(COLOR_ATTACHMENT, texture, 0)
        clear(COLOR_BUFFER, *values)
        attach(COLOR_ATTACHMENT, texture, 1, 2)
        clear(COLOR_BUFFER, *values[::-1])
        packed = struct.pack("4f" if isinstance(values[0], float) else "4i", *values[1:], values[0])
        gl.ClearTexSubImage(texture, 0, 3, 1, 1, 9, 5, 2, form, kind, packed)
        for level, texels in ((0, 16 * 8 * 3), (1, 8 * 4 * 3)):
            place = f"ivec3(v % {16 >> level}, v / {16 >> level} % {8 >> level}, v / {128 >> 2 * level})"
            if level == 0 or inner != R32F:
                first = 2 * 32 if level else 0  # nothing has cleared the other layers
                place = place.replace("v ", f"(v + {first}) ")
                rows += read_cleared(sampler, f"texelFetch(image, {place}, {level})", texels - first, scale)
        attach(COLOR_ATTACHMENT, texture, 0, 1)
        clear(COLOR_BUFFER, *values[2:], *values[:2])
        rows += read_cleared(sampler, "texelFetch(image, ivec3(v % 16, 3, v / 16), 0)", 48, scale)
    solid = storage_of(TEXTURE_3D, RGBA8, 5)
    for slice_of_it in (3, 0, 1, 2, 4):
        attach(COLOR_ATTACHMENT, solid, 0, slice_of_it)
        clear(COLOR_BUFFER, slice_of_it / 5.0, 1.0, 0.0, 0.2)
    rows += read_cleared("sampler3D", "texelFetch(image, ivec3(v % 16, v / 16 % 8, v / 128), 0)", 640, 255.0)
    several = name_of(gl.GenTextures)
    gl.BindTexture(TEXTURE_MULTISAMPLE, several)
    gl.TexStorage2DMultisample(TEXTURE_MULTISAMPLE, 4, RGBA8, 16, 8, 1)
    attach(COLOR_ATTACHMENT, several, 0)
    clear(COLOR_BUFFER, 0.2, 0.4, 0.6, 1.0)
    rows += read_cleared("sampler2DMS", "texelFetch(image, ivec2(v % 16, v / 16 % 8), v / 128)", 512, 255.0)
    return rows


def depths() -> list[list[int]]:
    """Depth beside stencil: both, then one of them in a layer."""
    rows: list[list[int]] = []
    for inner, stencil in ((DEPTH_16, False), (DEPTH_32F, False), (DEPTH_24_STENCIL_8, True),
                           (DEPTH_32F_STENCIL_8, True)):
        texture = storage_of(TEXTURE_ARRAY, inner)
        for layer, depth, bits in ((None, 0.5, 0xa5), (1, 1.0, None), (2, None, 0x5a), (0, 0.25, 7)):
            for place in (DEPTH_ATTACHMENT, STENCIL_ATTACHMENT)[:1 + stencil]:
                attach(place, texture, 0, layer)
            if depth is not None:
                clear(DEPTH_BUFFER, depth)
            if bits is not None and stencil:
                clear(STENCIL_BUFFER, bits)
        texel = "texelFetch(image, ivec3(v % 16, v / 16 % 8, v / 128), 0)"
        rows += read_cleared("sampler2DArray", texel, 384, 0 if inner == DEPTH_32F else 65535.0)
        if stencil:
            gl.TexParameteri(TEXTURE_ARRAY, STENCIL_TEXTURE_MODE, STENCIL_INDEX)
            rows += read_cleared("usampler2DArray", texel, 384)
        for place in (DEPTH_ATTACHMENT, STENCIL_ATTACHMENT):
            attach(place, 0, 0)
    return rows


CASES = {"texture": sampled_texture, "levels": levels, "layers": layers,
         "converted": converted, "uploaded": uploaded, "texels": texels, "storage": storage, "image": image,
         "shadow": shadow, "counter": counter, "cleared": cleared, "depths": depths}


def main() -> None:
    begin()
    result = CASES[sys.argv[1]]()
    for row in CAPTURED if "captured" in sys.argv[2:] else result:
        print(" ".join(f"{word:08x}" for word in row))
    end()


if __name__ == "__main__":
    main()
