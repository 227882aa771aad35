#!/usr/bin/python3 -Xutf8
# SPDX-License-Identifier: Apache-2.0
"""Counts of queries that end after the driver has let the GPU wait for another query. Prints them.

counts_program.py conditional|buffer|poll|mapped|sync|thread|child|left|elapsed
"""

import ctypes
import os
import sys
import threading
from collections.abc import Callable

from gl_program import (ELEMENT_BUFFER, FEEDBACK_BUFFER, POINTS, UNSIGNED, UNSIGNED_BYTE, UNSIGNED_SHORT, begin,
                        buffer, end, function, gl, name_of, program, words_of)

OVERFLOWED, GENERATED, WAIT_INVERTED = 0x82EC, 0x8C87, 0x8E17
QUERY_BUFFER, RESULT, RESULT_AVAILABLE, RESULT_NO_WAIT = 0x9192, 0x8866, 0x8867, 0x9194
COMMANDS_COMPLETE, FLUSH_FIRST, SECOND = 0x9117, 1, 10**9
TIME_ELAPSED = 0x88BF


def draw(vertices: int, indices: int = 0) -> None:
    gl.BeginTransformFeedback(POINTS)
    if indices:
        gl.DrawElements(POINTS, vertices, indices, None)
    else:
        gl.DrawArrays(POINTS, 0, vertices)
    gl.EndTransformFeedback()


def counted(what: int, vertices: int, indices: int = 0) -> int:
    query = name_of(gl.GenQueries)
    gl.BeginQuery(what, query)
    draw(vertices, indices)
    gl.EndQuery(what)
    return query


def value(query: int, what: int = RESULT) -> int:
    got = ctypes.c_uint()
    gl.GetQueryObjectuiv(query, what, ctypes.byref(got))
    return got.value


def let_the_gpu_wait() -> None:
    """The driver puts its fence between the commands here, not after them."""
    gl.BeginConditionalRender(counted(OVERFLOWED, 3), WAIT_INVERTED)
    draw(2)
    gl.EndConditionalRender()


def conditional() -> list[int]:
    let_the_gpu_wait()
    queries = [counted(GENERATED, 4 + i) for i in range(3)]
    got = [value(query) for query in queries]
    let_the_gpu_wait()
    return got + [value(counted(GENERATED, 9))]


def in_a_buffer() -> list[int]:
    results = buffer(QUERY_BUFFER, b"\0" * 16)
    query = counted(GENERATED, 7)
    for i, what in enumerate((RESULT, RESULT_NO_WAIT)):
        gl.GetQueryObjectuiv(query, what, ctypes.c_void_p(4 * i))
    gl.BindBuffer(QUERY_BUFFER, 0)
    draw(1)
    return [value(counted(GENERATED, 4)), *words_of(FEEDBACK_BUFFER, results, 2)]


def polled() -> list[int]:
    """Nothing but reading memory, until it is there."""
    let_the_gpu_wait()
    query = counted(GENERATED, 4)
    while not value(query, RESULT_AVAILABLE):
        pass
    return [value(query)]


def mapped() -> list[int]:
    """Waits for a buffer that has nothing to do with it."""
    other = buffer(FEEDBACK_BUFFER, b"\1\0\0\0")
    let_the_gpu_wait()
    return words_of(FEEDBACK_BUFFER, other, 1) + [value(counted(GENERATED, 4))]


def sync() -> list[int]:
    let_the_gpu_wait()
    fence = ctypes.c_void_p(function("glFenceSync", ctypes.c_void_p)(COMMANDS_COMPLETE, 0))
    query = counted(GENERATED, 4)
    gl.ClientWaitSync(fence, FLUSH_FIRST, ctypes.c_uint64(SECOND))
    return [value(query)]


def thread() -> list[int]:
    """Another one yields all the time."""
    done = threading.Event()

    def yields() -> None:
        while not done.is_set():
            os.sched_yield()

    other = threading.Thread(target=yields)
    other.start()
    got = []
    for vertices in range(4, 10):
        let_the_gpu_wait()
        got.append(value(counted(GENERATED, vertices)))
    done.set()
    other.join()
    return got


def child() -> list[int]:
    let_the_gpu_wait()
    if os.fork() == 0:
        os.sched_yield()
        os._exit(0)
    os.wait()
    return [value(counted(GENERATED, 4))]


def left() -> list[int]:
    """The count is never read."""
    let_the_gpu_wait()
    counted(GENERATED, 4)
    return []


def elapsed() -> list[int]:
    """Nanoseconds of draws, the last ones with indices of 1, 2 and 4 bytes."""
    got = [value(counted(TIME_ELAPSED, vertices)) for vertices in (1, 300, 30, 1000)]
    for size, kind in ((1, UNSIGNED_BYTE), (2, UNSIGNED_SHORT), (4, UNSIGNED)):
        buffer(ELEMENT_BUFFER, b"".join((i % 200).to_bytes(size, "little") for i in range(300)))
        got.append(value(counted(TIME_ELAPSED, 300, kind)))
    return got


CASES: dict[str, Callable[[], list[int]]] = {
    "conditional": conditional, "buffer": in_a_buffer, "poll": polled, "mapped": mapped, "sync": sync,
    "thread": thread, "child": child, "left": left, "elapsed": elapsed}


def main() -> None:
    begin()
    gl.UseProgram(program("a", vertex="out float a; void main() { a = gl_VertexID; gl_Position = vec4(0); }"))
    gl.BindBufferBase(FEEDBACK_BUFFER, 0, buffer(FEEDBACK_BUFFER, b"\xee" * 64))
    gl.Finish()
    print(*CASES[sys.argv[1]]())
    end()


if __name__ == "__main__":
    main()
