#!/usr/bin/python3
"""Draws whose vertex and geometry programs use textures, images, buffers and counters. Prints what they captured.

memory_program.py texture|levels|texels|storage|image|shadow|counter [captured]

The words are printed in hexadecimal, a vertex a line; what depends on the order of the threads is sorted, and words of
buffers follow. With `captured` they are what was captured, as it was. EGL and GL
come by name, without a window system: whatever driver the environment chooses.
"""

import ctypes
import struct
import sys
from collections.abc import Callable
from typing import Any

# Of the Khronos registry: egl.xml and gl.xml.
EGL_PLATFORM_SURFACELESS = 0x31DD
EGL_OPENGL = 0x30A2
EGL_CONTEXT = (0x3098, 4, 0x30FB, 3, 0x30FD, 1, 0x3038)
SHADERS = {"vertex": 0x8B31, "geometry": 0x8DD9}
COMPILE_STATUS, LINK_STATUS = 0x8B81, 0x8B82
POINTS, TEXTURE_2D, TEXTURE_BUFFER = 0, 0x0DE1, 0x8C2A
FEEDBACK_BUFFER, STORAGE_BUFFER, COUNTER_BUFFER = 0x8C8E, 0x90D2, 0x92C0
STATIC_DRAW, RASTERIZER_DISCARD, ALL_BARRIERS = 0x88E4, 0x8C89, 0xFFFFFFFF
MIN_FILTER, MAG_FILTER, MAX_LEVEL, COMPARE_MODE, COMPARE_FUNC = 0x2801, 0x2800, 0x813D, 0x884C, 0x884D
NEAREST, LINEAR, NEAREST_MIPMAP_NEAREST, COMPARE_TO_REFERENCE, LESS_EQUAL = 0x2600, 0x2601, 0x2700, 0x884E, 0x0203
RED, RGBA, RED_INTEGER, DEPTH = 0x1903, 0x1908, 0x8D94, 0x1902
FLOAT, UNSIGNED, UNSIGNED_BYTE = 0x1406, 0x1405, 0x1401
RGBA8, RGBA32F, R32UI, R32F, DEPTH_32F = 0x8058, 0x8814, 0x8236, 0x822E, 0x8CAC
READ_WRITE, FRAMEBUFFER, DEFAULT_WIDTH, DEFAULT_HEIGHT = 0x88BA, 0x8D40, 0x9310, 0x9311

EGL = ctypes.CDLL("libEGL.so.1")
EGL.eglGetProcAddress.restype = ctypes.c_void_p


def function(name: str, result: Any = None) -> Callable[..., Any]:
    address = EGL.eglGetProcAddress(name.encode())
    if not address:
        sys.exit(f"no function {name}")
    return ctypes.CFUNCTYPE(result)(address)


class Functions:
    """gl.Name(...) calls glName: integers are 32 bits wide, pointers and sizes come as c_void_p."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        made = function("gl" + name, ctypes.c_uint)
        setattr(self, name, made)
        return made


gl = Functions()
CAPTURED: list[list[int]] = []


def open_context() -> None:
    attributes = (ctypes.c_int * len(EGL_CONTEXT))(*EGL_CONTEXT)
    display = ctypes.c_void_p(
        function("eglGetPlatformDisplayEXT", ctypes.c_void_p)(EGL_PLATFORM_SURFACELESS, None, None))
    if not display or not EGL.eglInitialize(display, None, None):
        sys.exit(2)
    EGL.eglBindAPI(EGL_OPENGL)
    context = ctypes.c_void_p(function("eglCreateContext", ctypes.c_void_p)(display, None, None, attributes))
    if not context or not EGL.eglMakeCurrent(display, None, None, context):
        sys.exit(2)


def name_of(generate: Callable[..., Any]) -> int:
    made = ctypes.c_uint()
    generate(1, ctypes.byref(made))
    return made.value


def checked(thing: int, get: Callable[..., Any], log: Callable[..., Any], what: int) -> int:
    done = ctypes.c_int()
    get(thing, what, ctypes.byref(done))
    if not done:
        text = ctypes.create_string_buffer(4096)
        log(thing, len(text), None, text)
        sys.exit(text.value.decode())
    return thing


def program(captured: str, **shaders: str) -> int:
    made = int(gl.CreateProgram())
    for kind, text in shaders.items():
        shader = int(gl.CreateShader(SHADERS[kind]))
        source = ctypes.c_char_p(("#version 430\n" + text).encode())
        gl.ShaderSource(shader, 1, ctypes.byref(source), None)
        gl.CompileShader(shader)
        gl.AttachShader(made, checked(shader, gl.GetShaderiv, gl.GetShaderInfoLog, COMPILE_STATUS))
    name = ctypes.c_char_p(captured.encode())
    gl.TransformFeedbackVaryings(made, 1, ctypes.byref(name), 0x8C8C)
    gl.LinkProgram(made)
    return checked(made, gl.GetProgramiv, gl.GetProgramInfoLog, LINK_STATUS)


def buffer(target: int, data: bytes) -> int:
    made = name_of(gl.GenBuffers)
    gl.BindBuffer(target, made)
    gl.BufferData(target, ctypes.c_void_p(len(data)), data, STATIC_DRAW)
    return made


def words_of(target: int, which: int, count: int) -> list[int]:
    bytes_read = ctypes.create_string_buffer(4 * count)
    gl.BindBuffer(target, which)
    gl.GetBufferSubData(target, None, ctypes.c_void_p(4 * count), bytes_read)
    return list(struct.unpack(f"{count}I", bytes_read.raw))


def draw(which: int, vertices: int, words: int) -> list[list[int]]:
    """The captured words, by vertex."""
    target = buffer(FEEDBACK_BUFFER, b"\xee" * (4 * words * vertices))
    gl.BindBufferBase(FEEDBACK_BUFFER, 0, target)
    gl.UseProgram(which)
    gl.BeginTransformFeedback(POINTS)
    gl.DrawArrays(POINTS, 0, vertices)
    gl.EndTransformFeedback()
    gl.MemoryBarrier(ALL_BARRIERS)
    got = words_of(FEEDBACK_BUFFER, target, words * vertices)
    rows = [got[i:i + words] for i in range(0, len(got), words)]
    CAPTURED.extend(list(row) for row in rows)
    return rows


def texture(inner: int, levels: list[tuple[int, int, bytes]], form: int, kind: int, filtered: int = NEAREST) -> None:
    """A 2D texture at unit 0; `levels` are width, height and contents."""
    gl.BindTexture(TEXTURE_2D, name_of(gl.GenTextures))
    for number, (width, height, data) in enumerate(levels):
        gl.TexImage2D(TEXTURE_2D, number, inner, width, height, 0, form, kind, data)
    gl.TexParameteri(TEXTURE_2D, MIN_FILTER, NEAREST_MIPMAP_NEAREST if len(levels) > 1 else filtered)
    gl.TexParameteri(TEXTURE_2D, MAG_FILTER, filtered)
    gl.TexParameteri(TEXTURE_2D, MAX_LEVEL, len(levels) - 1)


def floats(values: list[float]) -> bytes:
    return struct.pack(f"{len(values)}f", *values)


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


CASES = {"texture": sampled_texture, "levels": levels, "texels": texels, "storage": storage, "image": image,
         "shadow": shadow, "counter": counter}


def main() -> None:
    open_context()
    gl.BindVertexArray(name_of(gl.GenVertexArrays))
    gl.Enable(RASTERIZER_DISCARD)
    # Without a window there is nothing to draw to; a framebuffer without attachments will do.
    gl.BindFramebuffer(FRAMEBUFFER, name_of(gl.GenFramebuffers))
    gl.FramebufferParameteri(FRAMEBUFFER, DEFAULT_WIDTH, 16)
    gl.FramebufferParameteri(FRAMEBUFFER, DEFAULT_HEIGHT, 16)
    result = CASES[sys.argv[1]]()
    for row in CAPTURED if "captured" in sys.argv[2:] else result:
        print(" ".join(f"{word:08x}" for word in row))
    error = gl.GetError()
    if error:
        sys.exit(f"GL error {error:04x}")


if __name__ == "__main__":
    main()
