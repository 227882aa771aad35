#!/usr/bin/python3 -Xutf8
# SPDX-License-Identifier: Apache-2.0
"""Three frames of one draw each on a surface without a window, shown by a function that it looks up.

frames_program.py library|asked      in the library, or by eglGetProcAddress
"""

import ctypes
import sys
from collections.abc import Callable
from typing import Any

from gl_program import EGL, begin, draw, end, function, program

EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE = 0x3033, 1, 0x3038
EGL_WIDTH, EGL_HEIGHT = 0x3057, 0x3056
DOUBLES = "out uint doubled; void main() { doubled = uint(gl_VertexID) * 2u; gl_Position = vec4(0.0); }"


def surface(display: ctypes.c_void_p) -> ctypes.c_void_p:
    config, count = ctypes.c_void_p(), ctypes.c_int()
    wanted = (ctypes.c_int * 3)(EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE)
    EGL.eglChooseConfig(display, wanted, ctypes.byref(config), 1, ctypes.byref(count))
    size = (ctypes.c_int * 5)(EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE)
    EGL.eglCreatePbufferSurface.restype = ctypes.c_void_p
    return ctypes.c_void_p(EGL.eglCreatePbufferSurface(display, config, size))


def main() -> int:
    begin()
    EGL.eglGetCurrentDisplay.restype = EGL.eglGetCurrentContext.restype = ctypes.c_void_p
    display, context = ctypes.c_void_p(EGL.eglGetCurrentDisplay()), ctypes.c_void_p(EGL.eglGetCurrentContext())
    shown = surface(display)
    if not EGL.eglMakeCurrent(display, shown, shown, context):
        sys.exit("no surface")
    show: Callable[..., Any] = EGL.eglSwapBuffers
    if sys.argv[1] == "asked":
        show = function("eglSwapBuffers", ctypes.c_uint)
    doubles = program("doubled", vertex=DOUBLES)
    for frame in range(3):
        print(draw(doubles, 3 + frame, 1))
        show(display, shown)
    end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
