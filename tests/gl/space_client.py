# SPDX-License-Identifier: Apache-2.0
"""A program without Vulkan that uses the device as Vulkan's driver does: what `isbesim vk` runs in vk_session_test.

space_client.py spaces|syncs|fork|threads|absent [FILE]
"""

import ctypes
import errno
import mmap
import os
import pathlib
import struct
import sys
import threading
import time
from collections.abc import Callable

from device_client import CHANNEL_ALLOC, GEM_NEW, GETPARAM, NODE, call, in_threads, upload_words

VERSION, GET_CAP, GEM_CLOSE, PRIME_OUT, PRIME_IN = 0x00, 0x0c, 0x09, 0x2d, 0x2e
VM_INIT, VM_BIND, EXEC = 0x50, 0x51, 0x52
CREATE, DESTROY, TO_FD, FROM_FD, WAIT, RESET, SIGNAL = range(0xbf, 0xc6)
TIMELINE_WAIT, QUERY, TRANSFER, TIMELINE_SIGNAL = range(0xca, 0xce)
PAGE, BUFFER = 4096, 4 * 4096
HIGH = (1 << 38) - (1 << 30)  # where NVK takes its addresses from
WAIT_ALL, WAIT_FOR_SUBMIT = 1, 2
SPARSE = 1 << 8


def error_of(file: int, number: int, data: bytes) -> int:
    try:
        call(file, number, data)
    except OSError as error:
        return error.errno or -1
    return 0


class List:
    """Bytes with an address, which calls point to."""

    def __init__(self, data: bytes) -> None:
        self.data = ctypes.create_string_buffer(data, max(len(data), 1))
        self.place = ctypes.addressof(self.data)


def syncs(*entries: tuple[int, int]) -> List:
    """Entries of handle and point; a point of 0 means no timeline."""
    return List(b"".join(struct.pack("<IIQ", 1 if point else 0, handle, point) for handle, point in entries))


class Device:
    def __init__(self) -> None:
        self.file = os.open(NODE, os.O_RDWR | os.O_CLOEXEC)

    def begin(self) -> "Device":
        call(self.file, VM_INIT, struct.pack("<QQ", 1 << 39, 1 << 32))
        answer = call(self.file, CHANNEL_ALLOC, struct.pack("<II", 0, 1) + bytes(80))
        self.channel = struct.unpack_from("<i", answer, 8)[0]
        self.handle, self.memory = self.buffer()
        return self

    def buffer(self) -> tuple[int, mmap.mmap]:
        answer = call(self.file, GEM_NEW, struct.pack("<IIQQQIIII", 0, 2, BUFFER, 0, 0, 0, 0, 0, 0))
        handle, _, _, _, offset = struct.unpack_from("<IIQQQ", answer)
        return handle, mmap.mmap(self.file, BUFFER, offset=offset)

    def bind(self, *operations: tuple[int, int, int, int, int, int], waits: List | None = None, waited: int = 0,
             signals: List | None = None, signalled: int = 0, expected: int = 0) -> bool:
        """Operation, flags, handle, address, offset, bytes."""
        packed = List(b"".join(struct.pack("<IIIIQQQ", op, flags, handle, 0, address, offset, size)
                               for op, flags, handle, address, offset, size in operations))
        data = struct.pack("<IIIIQQQ", len(operations), 1, waited, signalled, waits.place if waits else 0,
                           signals.place if signals else 0, packed.place)
        return error_of(self.file, VM_BIND, data) == expected

    def execute(self, *pieces: tuple[int, int], waits: List | None = None, waited: int = 0,
                signals: List | None = None, signalled: int = 0) -> int:
        packed = List(b"".join(struct.pack("<QII", address, size, 0) for address, size in pieces))
        return error_of(self.file, EXEC, struct.pack("<IIIIQQQ", self.channel, len(pieces), waited, signalled,
                                                     waits.place if waits else 0, signals.place if signals else 0,
                                                     packed.place))

    def put(self, push: bytes, at: int = 0) -> int:
        self.memory[at:at + len(push)] = push
        return len(push)

    def word(self, at: int) -> int:
        return int(struct.unpack_from("<I", self.memory, at)[0])

    def sync(self, signalled: bool = False) -> int:
        return int(struct.unpack("<II", call(self.file, CREATE, struct.pack("<II", 0, int(signalled))))[0])

    def wait(self, *handles: int, flags: int = 0, seconds: float = 0) -> int:
        packed = List(struct.pack(f"<{len(handles)}I", *handles))
        until = int((time.monotonic() + seconds) * 1e9)
        return error_of(self.file, WAIT, struct.pack("<QqIIII", packed.place, until, len(handles), flags, 0, 0))

    def wait_point(self, handle: int, point: int, flags: int = 0, seconds: float = 0) -> int:
        handles, points = List(struct.pack("<I", handle)), List(struct.pack("<Q", point))
        until = int((time.monotonic() + seconds) * 1e9)
        return error_of(self.file, TIMELINE_WAIT, struct.pack("<QQqIIII", handles.place, points.place, until, 1, flags,
                                                              0, 0))

    def change(self, number: int, handle: int) -> int:
        packed = List(struct.pack("<I", handle))
        return error_of(self.file, number, struct.pack("<QII", packed.place, 1, 0))

    def timeline(self, number: int, handle: int, point: int = 0) -> int:
        handles, points = List(struct.pack("<I", handle)), List(struct.pack("<Q", point))
        call(self.file, number, struct.pack("<QQII", handles.place, points.place, 1, 0))
        return int(struct.unpack("<Q", points.data.raw[:8])[0])


def check(**facts: bool) -> bool:
    for name, holds in facts.items():
        if not holds:
            print(f"wrong: {name}")
    return all(facts.values())


def spaces(device: Device) -> bool:
    low, high, other = HIGH, HIGH + (1 << 20), HIGH + (1 << 29)
    # The same bytes at two addresses, and the second half of them at a third.
    bound = device.bind((0, 0x06, device.handle, low, 0, BUFFER), (0, 0, device.handle, high, 0, BUFFER),
                        (0, 0, device.handle, other, BUFFER // 2, BUFFER // 2))
    size = device.put(upload_words(other + 8, 41))
    first = device.execute((high, 12), (low + 12, size - 12)) == 0 and device.word(BUFFER // 2 + 8) == 41
    # Holes in the middle: unmapped, and without memory.
    holes = device.bind((1, 0, 0, low + PAGE, 0, PAGE), (0, SPARSE, 0, low + 2 * PAGE, 0, PAGE))
    size = device.put(upload_words(low + PAGE, 42) + upload_words(low + 2 * PAGE, 42)
                      + upload_words(low + 3 * PAGE, 43))
    second = (device.execute((low, size)) == 0 and device.word(PAGE) == 0 and device.word(2 * PAGE) == 41 - 41
              and device.word(3 * PAGE) == 43)
    # Other bytes in the place of some: the ends stay.
    handle, memory = device.buffer()
    device.bind((0, 0, handle, high + PAGE, PAGE, PAGE))
    size = device.put(upload_words(high + PAGE + 4, 44) + upload_words(high + 2 * PAGE + 4, 45))
    third = (device.execute((high, size)) == 0 and struct.unpack_from("<I", memory, PAGE + 4)[0] == 44
             and device.word(PAGE + 4) == 0 and device.word(2 * PAGE + 4) == 45)
    # A range of addresses that go on in another buffer is a single piece.
    device.bind((0, 0, handle, high + BUFFER, 0, PAGE))
    push = upload_words(high + BUFFER + 64, 46)
    device.put(push[:16], BUFFER - 16)
    memory[:len(push) - 16] = push[16:]
    across = device.execute((high + BUFFER - 16, len(push))) == 0 and struct.unpack_from("<I", memory, 64)[0] == 46
    # A closed buffer lives on where it is mapped.
    call(device.file, GEM_CLOSE, struct.pack("<II", handle, 0))
    size = device.put(upload_words(high + PAGE + 8, 47))
    closed = device.execute((high, size)) == 0 and struct.unpack_from("<I", memory, PAGE + 8)[0] == 47
    return check(bound=bound, two_addresses=first, holes=holes, past_holes=second, replaced=third, across=across,
                 closed=closed,
                 unmapped_piece=device.execute((low + PAGE, 16)) == errno.EINVAL,
                 end_of_piece=device.execute((high + BUFFER + PAGE - 8, 16)) == errno.EINVAL,
                 no_words=device.execute() == 0,
                 odd_bytes=device.execute((low, 6)) == errno.EINVAL,
                 again=error_of(device.file, VM_INIT, bytes(16)) == errno.EBUSY,
                 no_buffer=device.bind((0, 0, 999, low, 0, PAGE), expected=errno.ENOENT),
                 past_buffer=device.bind((0, 0, device.handle, low, PAGE, BUFFER), expected=errno.EINVAL),
                 past_space=device.bind((0, 0, device.handle, (1 << 38) - PAGE, 0, BUFFER), expected=errno.EINVAL),
                 wrapped=device.bind((1, 0, 0, 2**64 - PAGE, 0, 2 * PAGE), expected=errno.EINVAL),
                 odd_address=device.bind((0, 0, device.handle, low + 1, 0, PAGE), expected=errno.EINVAL),
                 nothing=device.bind((1, 0, 0, low, 0, 0), expected=errno.EINVAL),
                 operation=device.bind((2, 0, 0, low, 0, PAGE), expected=errno.EINVAL))


def parameters(device: Device) -> bool:
    def parameter(number: int) -> int:
        return int(struct.unpack("<QQ", call(device.file, GETPARAM, struct.pack("<QQ", number, 0)))[1])

    def capability(number: int) -> int:
        return int(struct.unpack("<QQ", call(device.file, GET_CAP, struct.pack("<QQ", number, 0)))[1])

    version = struct.unpack_from("<iii", call(device.file, VERSION, bytes(64)))
    return check(version=version >= (1, 4, 0), pieces=parameter(17) >= 64, window=parameter(18) > 0,
                 used=parameter(19) > 0, tiles=parameter(20) == 1, objects=capability(0x13) == 1,
                 timelines=capability(0x14) == 1)


def sync_objects(device: Device) -> bool:
    plain, ready, line = device.sync(), device.sync(True), device.sync()
    first = check(none=device.wait(plain) == errno.EINVAL, ready=device.wait(ready) == 0,
                  both=device.wait(plain, ready, flags=WAIT_FOR_SUBMIT) == 0,
                  late=device.wait(plain, ready, flags=WAIT_FOR_SUBMIT | WAIT_ALL) == errno.ETIME,
                  unknown=device.wait(12345) == errno.ENOENT)
    device.bind((0, 0, device.handle, HIGH, 0, BUFFER), signals=syncs((plain, 0)), signalled=1)
    bound = device.wait(plain) == 0 and device.change(RESET, plain) == 0 and device.wait(plain) == errno.EINVAL
    size = device.put(upload_words(HIGH + PAGE, 50))
    # Nothing is done where what it waits for has not been submitted.
    blocked = device.execute((HIGH, size), waits=syncs((plain, 0)), waited=1) == errno.EINVAL and device.word(PAGE) == 0
    done = device.execute((HIGH, size), waits=syncs((ready, 0)), waited=1, signals=syncs((plain, 0), (line, 7)),
                          signalled=2) == 0 and device.word(PAGE) == 50
    second = check(bound=bound, blocked=blocked, done=done, signalled=device.wait(plain) == 0,
                   point=device.timeline(QUERY, line) == 7, before=device.wait_point(line, 6) == 0,
                   at=device.wait_point(line, 7) == 0, after=device.wait_point(line, 8) == errno.EINVAL,
                   later=device.wait_point(line, 8, WAIT_FOR_SUBMIT) == errno.ETIME)
    device.timeline(TIMELINE_SIGNAL, line, 9)
    other = device.sync()
    moved = error_of(device.file, TRANSFER, struct.pack("<IIQQII", line, other, 9, 3, 0, 0))
    missing = error_of(device.file, TRANSFER, struct.pack("<IIQQII", line, other, 10, 3, 0, 0))
    return first and second and check(nine=device.timeline(QUERY, line) == 9, moved=moved == 0,
                                      missing=missing == errno.EINVAL, three=device.timeline(QUERY, other) == 3,
                                      gone=call(device.file, DESTROY, struct.pack("<II", other, 0)) != b""
                                      and device.wait(other) == errno.ENOENT)


def later(act: Callable[[], object], wait: Callable[[], int]) -> bool:
    """A wait that begins before what it waits for."""
    thread = threading.Timer(0.2, act)
    began = time.monotonic()
    thread.start()
    result = wait()
    thread.join()
    return result == 0 and time.monotonic() - began >= 0.15


def shared(device: Device) -> bool:
    """Another process has the object, a fence of it and a buffer by their descriptors."""
    line, ready = device.sync(), device.sync(True)
    as_object = struct.unpack("<IIiI", call(device.file, TO_FD, struct.pack("<IIiI", line, 0, -1, 0)))[2]
    as_fence = struct.unpack("<IIiI", call(device.file, TO_FD, struct.pack("<IIiI", ready, 1, -1, 0)))[2]
    no_fence = error_of(device.file, TO_FD, struct.pack("<IIiI", line, 1, -1, 0)) == errno.EINVAL
    as_buffer = struct.unpack("<IIi", call(device.file, PRIME_OUT, struct.pack("<IIi", device.handle, 0, -1)))[2]
    child = os.fork()
    if child == 0:
        own = Device().begin()
        there = struct.unpack("<IIiI", call(own.file, FROM_FD, struct.pack("<IIiI", 0, 0, as_object, 0)))[0]
        fresh = own.sync()
        call(own.file, FROM_FD, struct.pack("<IIiI", fresh, 1, as_fence, 0))
        handle = struct.unpack("<IIi", call(own.file, PRIME_IN, struct.pack("<IIi", 0, 0, as_buffer)))[0]
        good = own.bind((0, 0, own.handle, HIGH, 0, BUFFER), (0, 0, handle, HIGH + (1 << 24), 0, BUFFER))
        size = own.put(upload_words(HIGH + (1 << 24) + PAGE, 60))
        good = good and own.wait(fresh) == 0 and own.execute((HIGH, size), signals=syncs((there, 5)), signalled=1) == 0
        os._exit(0 if good else 1)
    waited = device.wait_point(line, 5, WAIT_FOR_SUBMIT, 20) == 0
    return check(no_fence=no_fence, waited=waited, ended=os.waitpid(child, 0)[1] == 0, written=device.word(PAGE) == 60)


def many(number: int) -> bool:
    """A device in a thread: each has the same addresses, and its own memory there."""
    own = Device().begin()
    good = own.bind((0, 0, own.handle, HIGH, 0, BUFFER))
    for turn in range(20):
        size = own.put(upload_words(HIGH + PAGE, 100 * number + turn))
        good = good and own.execute((HIGH, size)) == 0 and own.word(PAGE) == 100 * number + turn
    return good


def main() -> int:
    what = sys.argv[1]
    if len(sys.argv) > 2:
        pathlib.Path(sys.argv[2]).write_text(os.environ["ISBESIM_GL_FOLDER"])
    device = Device()
    if what == "absent":
        done = check(space=error_of(device.file, VM_INIT, bytes(16)) == errno.EINVAL,
                     sync=error_of(device.file, CREATE, bytes(8)) == errno.EINVAL)
    elif what == "threads":
        done = in_threads(many)
    else:
        device.begin()
        line, plain = device.sync(), device.sync()
        if what == "spaces":
            done = parameters(device) and spaces(device)
        elif what == "syncs":
            done = sync_objects(device) and check(
                later=later(lambda: device.change(SIGNAL, plain),
                            lambda: device.wait(plain, flags=WAIT_FOR_SUBMIT, seconds=20)),
                later_point=later(lambda: device.timeline(TIMELINE_SIGNAL, line, 3),
                                  lambda: device.wait_point(line, 2, WAIT_FOR_SUBMIT, 20)))
        else:
            done = shared(device)
    print(f"{what} {done}")
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main())
