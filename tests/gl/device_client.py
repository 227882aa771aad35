# SPDX-License-Identifier: Apache-2.0
"""A program without OpenGL that uses the device as a driver does: what `isbesim gl` runs in session_test.

device_client.py upload|objects|fork|threads|crash|loop|frames [FILE]
"""

import ctypes
import errno
import fcntl
import mmap
import os
import pathlib
import signal
import struct
import sys
import threading
from collections.abc import Callable

NODE = "/dev/dri/renderD128"
GETPARAM, CHANNEL_ALLOC, NVIF, GEM_NEW, PUSHBUF = 0x40, 0x42, 0x47, 0x80, 0x81
CHIPSET = 11
UPLOAD_SUBCHANNEL = 2
SCLASS, NEW, METHOD = 1, 2, 4  # kinds of NVIF's calls
NV_DEVICE = 0x80


def call(file: int, number: int, data: bytes) -> bytes:
    return fcntl.ioctl(file, 3 << 30 | len(data) << 16 | ord("d") << 8 | number, data)


def upload_words(address: int, value: int) -> bytes:
    """The words with which the class that uploads writes one word to an address."""
    def packet(kind: int, method: int, *words: int) -> bytes:
        header = kind << 29 | len(words) << 16 | UPLOAD_SUBCHANNEL << 13 | method // 4
        return struct.pack(f"<{len(words) + 1}I", header, *words)

    return (packet(1, 0, 0xa140) + packet(1, 0x188, address >> 32, address & 0xffffffff) + packet(1, 0x180, 4, 1)
            + packet(5, 0x1b0, 0x1001, value))


def in_threads(act: Callable[[int], bool]) -> bool:
    """Eight at once, by their numbers."""
    results: list[bool] = []
    threads = [threading.Thread(target=lambda number: results.append(act(number)), args=(number,))
               for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results == [True] * 8


class Device:
    def __init__(self) -> None:
        self.file = os.open(NODE, os.O_RDWR | os.O_CLOEXEC)
        self.channel = struct.unpack_from("<2xh", call(self.file, CHANNEL_ALLOC, bytes(88)), 6)[0]
        answer = call(self.file, GEM_NEW, struct.pack("<IIQQQIIII", 0, 4, 8192, 0, 0, 0, 0, 0, 0))
        self.handle, _, _, self.address, offset = struct.unpack_from("<IIQQQ", answer)
        self.memory = mmap.mmap(self.file, 8192, offset=offset)

    def upload(self, value: int) -> bool:
        """One word to the second page."""
        push = upload_words(self.address + 4096, value)
        self.memory[:len(push)] = push
        buffer = struct.pack("<QIIIIIIQ", 0, self.handle, 4, 4, 4, 0, 0, 0)
        entry = struct.pack("<IIQQ", 0, 0, 0, len(push))
        buffers, entries = bytearray(buffer), bytearray(entry)
        pointers = [id_of(buffers), id_of(entries)]
        call(self.file, PUSHBUF, struct.pack("<IIQIIQQIIQQ", self.channel, 1, pointers[0], 0, 1, 0, pointers[1],
                                             0, 0, 0, 0))
        return bool(struct.unpack_from("<I", self.memory, 4096)[0] == value)


def object_call(file: int, kind: int, body: bytes, channel: int | None = None) -> bytes:
    """NVIF: the body of the answer. A channel is named by its number, everything else by the caller's own."""
    route, token, owner, number = (0, 0, 0xff, 0x1234) if channel is None else (0xff, channel, 0, 0)
    return call(file, NVIF, struct.pack("<BB4xBBQQ", 0, kind, owner, route, token, number) + body)[24:]


def refused(*arguments: object) -> bool:
    try:
        object_call(*arguments)  # type: ignore[arg-type]
    except OSError as error:
        return error.errno == errno.EINVAL
    return False


def objects(file: int, channel: int) -> str:
    """The device's facts and the channel's classes, as drivers ask for them; calls that are wrong are refused."""
    def new(number: int) -> bytes:
        return struct.pack("<B6xBQQIi", 0, 0, 0x1234, 0x1234, 0, number)

    object_call(file, NEW, new(NV_DEVICE) + struct.pack("<QQ", 0, 2**64 - 1))
    platform, chipset = struct.unpack_from("<xBH", object_call(file, METHOD, bytes(8) + bytes(104)), 8)
    count = object_call(file, SCLASS, bytes(8), channel)[1]
    answer = object_call(file, SCLASS, struct.pack("<BB6x", 0, count + 1) + bytes(8 * (count + 1)), channel)
    classes = [struct.unpack_from("<i", answer, 8 + 8 * i)[0] for i in range(count + 1)]
    one = object_call(file, SCLASS, struct.pack("<BB6x", 0, 1) + bytes(8), channel)
    for number in classes[:count] + [-7]:
        object_call(file, NEW, new(number), channel)
    wrong = [(NEW, new(0x9097), channel), (NEW, new(0), channel), (NEW, new(classes[0]), None),
             (NEW, new(classes[0])[:-1], channel), (SCLASS, struct.pack("<BB6x", 0, 2) + bytes(8), channel),
             (SCLASS, bytes(8), None), (METHOD, bytes(8) + bytes(103), None), (METHOD, b"\0\1" + bytes(110), None),
             (0x20, bytes(8), None)]
    for each in wrong:
        if not refused(file, *each):
            return f"{each} was not refused"
    if answer[1] != count or one[1] != count or struct.unpack_from("<i", one, 8)[0] != classes[0]:
        return "the number of classes depends on the room for them"
    return f"{platform} {chipset:#x} " + " ".join(f"{each:x}" for each in classes)


def id_of(data: bytearray) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(data))


def main() -> int:
    what = sys.argv[1]
    if len(sys.argv) > 2:
        pathlib.Path(sys.argv[2]).write_text(os.environ["ISBESIM_GL_FOLDER"])
    device = Device()
    chipset = struct.unpack("<QQ", call(device.file, GETPARAM, struct.pack("<QQ", CHIPSET, 0)))[1]
    done = device.upload(42)
    if what == "objects":
        print(objects(device.file, device.channel))
    if what == "fork":
        child = os.fork()
        if child == 0:
            os._exit(0 if Device().upload(43) else 1)
        done = done and os.waitpid(child, 0)[1] == 0 and device.upload(44)
    if what == "threads":
        done = done and in_threads(lambda _: Device().upload(45))
    if what == "frames":
        # There is no such library here: what stands in front of it is found all the same.
        shown = ctypes.CDLL(None)
        shown.eglSwapBuffers(None, None)
        shown.glXSwapBuffers(None, 0)
        shown.SDL_GL_SwapWindow(None)
    if what == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    while what == "loop":
        device.upload(46)
    print(f"{what} {chipset:#x} {done}")
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main())
