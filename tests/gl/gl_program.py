# SPDX-License-Identifier: Apache-2.0
"""OpenGL without a window system, by ctypes: contexts, programs that capture, buffers, textures.

EGL and GL come by name: whatever driver the environment chooses.
"""

import ctypes
import struct
import sys
from collections.abc import Callable
from typing import Any

# Values of the Khronos registry: egl.xml and gl.xml.
EGL_PLATFORM_SURFACELESS = 0x31DD
EGL_OPENGL = 0x30A2
EGL_CONTEXT = (0x3098, 4, 0x30FB, 3, 0x30FD, 1, 0x3038)
SHADERS = {"vertex": 0x8B31, "geometry": 0x8DD9, "control": 0x8E88, "evaluation": 0x8E87}
COMPILE_STATUS, LINK_STATUS = 0x8B81, 0x8B82
POINTS, TEXTURE_2D, TEXTURE_ARRAY, TEXTURE_BUFFER, UNPACK_BUFFER = 0, 0x0DE1, 0x8C1A, 0x8C2A, 0x88EC
ARRAY_BUFFER, ELEMENT_BUFFER, FEEDBACK_BUFFER, STORAGE_BUFFER, COUNTER_BUFFER = 0x8892, 0x8893, 0x8C8E, 0x90D2, 0x92C0
STATIC_DRAW, RASTERIZER_DISCARD, ALL_BARRIERS = 0x88E4, 0x8C89, 0xFFFFFFFF
MIN_FILTER, MAG_FILTER, MAX_LEVEL, COMPARE_MODE, COMPARE_FUNC = 0x2801, 0x2800, 0x813D, 0x884C, 0x884D
NEAREST, LINEAR, NEAREST_MIPMAP_NEAREST, COMPARE_TO_REFERENCE, LESS_EQUAL = 0x2600, 0x2601, 0x2700, 0x884E, 0x0203
RED, RGBA, BGRA, RED_INTEGER, DEPTH = 0x1903, 0x1908, 0x80E1, 0x8D94, 0x1902
FLOAT, INT, UNSIGNED, UNSIGNED_BYTE, UNSIGNED_SHORT = 0x1406, 0x1404, 0x1405, 0x1401, 0x1403
RGBA8, RGBA32F, R32UI, R32F, DEPTH_32F = 0x8058, 0x8814, 0x8236, 0x822E, 0x8CAC
TEXTURE_3D, TEXTURE_MULTISAMPLE, COLOR_BUFFER, DEPTH_BUFFER, STENCIL_BUFFER = 0x806F, 0x9100, 0x1800, 0x1801, 0x1802
RGBA16F, SRGB8_ALPHA8, RGBA8I, RG32UI, DEPTH_16, DEPTH_24_STENCIL_8 = 0x881A, 0x8C43, 0x8D8E, 0x823C, 0x81A5, 0x88F0
DEPTH_32F_STENCIL_8, COLOR_ATTACHMENT, DEPTH_ATTACHMENT, STENCIL_ATTACHMENT = 0x8CAD, 0x8CE0, 0x8D00, 0x8D20
STENCIL_TEXTURE_MODE, STENCIL_INDEX, RGBA_INTEGER = 0x90EA, 0x1901, 0x8D99
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
        wrapper = function("gl" + name, ctypes.c_uint)
        setattr(self, name, wrapper)
        return wrapper


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
    number = ctypes.c_uint()
    generate(1, ctypes.byref(number))
    return number.value


def checked(thing: int, get: Callable[..., Any], log: Callable[..., Any], what: int) -> int:
    done = ctypes.c_int()
    get(thing, what, ctypes.byref(done))
    if not done:
        text = ctypes.create_string_buffer(4096)
        log(thing, len(text), None, text)
        sys.exit(text.value.decode())
    return thing


def program(captured: str | list[str], **shaders: str) -> int:
    """Texts by stage, of version 430 where they don't say; captured outputs go to one buffer."""
    program = int(gl.CreateProgram())
    for kind, text in shaders.items():
        shader = int(gl.CreateShader(SHADERS[kind]))
        source = ctypes.c_char_p((text if text.startswith("#") else "#version 430\n" + text).encode())
        gl.ShaderSource(shader, 1, ctypes.byref(source), None)
        gl.CompileShader(shader)
        gl.AttachShader(program, checked(shader, gl.GetShaderiv, gl.GetShaderInfoLog, COMPILE_STATUS))
    listed = [captured] if isinstance(captured, str) else captured
    names = (ctypes.c_char_p * len(listed))(*[name.encode() for name in listed])
    gl.TransformFeedbackVaryings(program, len(names), names, 0x8C8C)
    gl.LinkProgram(program)
    return checked(program, gl.GetProgramiv, gl.GetProgramInfoLog, LINK_STATUS)


def buffer(target: int, data: bytes) -> int:
    buffer = name_of(gl.GenBuffers)
    gl.BindBuffer(target, buffer)
    gl.BufferData(target, ctypes.c_void_p(len(data)), data, STATIC_DRAW)
    return buffer


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
        gl.TexImage2D(TEXTURE_2D, number, inner, width, height, 0, form, kind, data or None)
    gl.TexParameteri(TEXTURE_2D, MIN_FILTER, NEAREST_MIPMAP_NEAREST if len(levels) > 1 else filtered)
    gl.TexParameteri(TEXTURE_2D, MAG_FILTER, filtered)
    gl.TexParameteri(TEXTURE_2D, MAX_LEVEL, len(levels) - 1)


def floats(values: list[float]) -> bytes:
    return struct.pack(f"{len(values)}f", *values)


def begin() -> None:
    """A context with everything that a draw without pixels needs."""
    open_context()
    gl.BindVertexArray(name_of(gl.GenVertexArrays))
    gl.Enable(RASTERIZER_DISCARD)
    # Without a window there is nothing to draw to; a framebuffer without attachments will do.
    gl.BindFramebuffer(FRAMEBUFFER, name_of(gl.GenFramebuffers))
    gl.FramebufferParameteri(FRAMEBUFFER, DEFAULT_WIDTH, 16)
    gl.FramebufferParameteri(FRAMEBUFFER, DEFAULT_HEIGHT, 16)


def end() -> None:
    error = gl.GetError()
    if error:
        sys.exit(f"GL error {error:04x}")
