#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the includes: seams_test.py TARGETS, which CMake writes (target|folder|sources|libraries).

Folders: one includes those above it in folders.txt only.
Targets: a file that includes a header of another target's source file links that target, perhaps through others.
Systems: headers that C++17 and the packages lack, file by file, as systems.txt lists them."""
import pathlib
import re
import sys
import tempfile
import unittest
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOPS = ("tlm", "models", "testbench")
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
SYSTEM = re.compile(r"^#include <((?:\w+/)*\w+\.h)>|(?<!\w)(/proc|/sys|/dev/dri)/|\b(fork|pipe2|accept4|renameat2|"
                    r"memfd_create|SOCK_CLOEXEC|MAP_NORESERVE|LD_PRELOAD)\b", re.MULTILINE)
ANYWHERE = re.compile(  # headers of C, and of packages that other systems have, too
    r"(assert|ctype|errno|inttypes|limits|math|signal|std(arg|def|int|io|lib)|string|time|isbesim|sqlite3|zlib)\.h"
    r"|(tlm_utils|gtkwave|vulkan)/\w+\.h|verilated\w*\.h")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


class Include(NamedTuple):
    by: str
    what: str

    def folders(self) -> tuple[str, str]:
        return str(pathlib.PurePath(self.by).parent), str(pathlib.PurePath(self.what).parent)


class Target(NamedTuple):
    sources: set[str]
    links: set[str]


def sources(root: pathlib.Path) -> list[pathlib.Path]:
    return [path.relative_to(root) for top in TOPS for path in sorted((root / top).rglob("*"))
            if path.suffix in (".h", ".hpp", ".c", ".cpp", ".inc")]


def systems(root: pathlib.Path) -> list[str]:
    """A line for each file that uses what a system other than Linux may lack, as in systems.txt."""
    lines = []
    for file in sources(root):
        found = SYSTEM.findall(COMMENT.sub("", (root / file).read_text()))
        names = sorted({name for groups in found for name in groups if name and not ANYWHERE.fullmatch(name)})
        lines += [f"{file}: {' '.join(names)}"] if names else []
    return lines


def includes(root: pathlib.Path) -> list[Include]:
    """Includes of files of the tree: from the root, beside the file, or by a name that one file has."""
    files = sources(root)
    by_name: dict[str, list[str]] = {}
    for file in files:
        by_name.setdefault(file.name, []).append(str(file))
    known = set(map(str, files))
    found = []
    for file in files:
        for name in INCLUDE.findall((root / file).read_text()):
            named = by_name.get(name, [])
            places = [name, str(file.parent / name), *(named if len(named) == 1 else [])]
            found += [Include(str(file), place) for place in places if place in known][:1]
    return found


def wrong_folders(found: list[Include], listing: str) -> list[str]:
    folders = [line for line in listing.splitlines() if line and not line.startswith("#")]
    order = {folder: place for place, folder in enumerate(folders)}
    edges = {include.folders(): include for include in reversed(found)}
    wrong = []
    for (by, what), include in sorted(edges.items()):
        missing = {by, what} - set(order)
        if missing:
            wrong.append(f"folders.txt does not list {', '.join(sorted(missing))}: "
                         f"{include.by} includes {include.what}")
        elif order[by] < order[what]:
            wrong.append(f"{include.by} includes {include.what}, whose folder stands below {by} in folders.txt")
    return wrong


def targets(root: pathlib.Path, text: str) -> dict[str, Target]:
    result = {}
    for line in text.splitlines():
        name, folder, sources, links = line.split("|")
        paths = [pathlib.Path(folder, source).resolve()
                 for source in sources.split(";") if source and "$" not in source]
        result[name] = Target({str(path.relative_to(root)) for path in paths if path.is_relative_to(root)},
                              set(re.findall(r"\bisbesim_\w+", links)))
    return result


def linked(graph: dict[str, Target], name: str) -> set[str]:
    """A target and what it links, perhaps through others."""
    seen = {name}
    waiting = [name]
    while waiting:
        target = graph.get(waiting.pop())
        new = target.links - seen if target else set()
        seen |= new
        waiting += new
    return seen


def wrong_links(found: list[Include], graph: dict[str, Target]) -> list[str]:
    """A header belongs to the target that lists the header or the source file beside it, else to any target of its
    folder."""
    owners: dict[str, set[str]] = {}
    for name, target in graph.items():
        for path in map(pathlib.PurePath, target.sources):
            for owned in (path, path.with_suffix(".h"), path.parent):
                owners.setdefault(str(owned), set()).add(name)
    reached = {name: linked(graph, name) for name in graph}
    wrong = []
    for include in found:
        by, what = ([owners.get(file), owners.get(folder, set())] for file, folder in zip(include, include.folders()))
        needed = what[0] or what[1]
        users = [{user} for user in sorted(by[0])] if by[0] else [by[1]] if by[1] else []
        wrong += [f"{include.by} of {' or '.join(sorted(some))} includes {include.what} of "
                  f"{' or '.join(sorted(needed))}, which it does not link"
                  for some in users if needed and not any(needed & reached[user] for user in some)]
    return wrong


class Rules(unittest.TestCase):
    """On a tree of two folders."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name, text in {"tlm/a.h": "", "tlm/a.cpp": '#include "a.h"\n', "models/b.h": '#include "tlm/a.h"\n',
                           "models/b.cpp": '#include "models/b.h"\n#include <vector>\n'}.items():
            (self.root / name).parent.mkdir(exist_ok=True)
            (self.root / name).write_text(text)
        self.found = includes(self.root)

    def test_includes_are_found_from_the_root_and_beside_the_file(self) -> None:
        self.assertEqual(self.found, [("tlm/a.cpp", "tlm/a.h"), ("models/b.cpp", "models/b.h"),
                                      ("models/b.h", "tlm/a.h")])

    def test_system_specific_calls(self) -> None:
        (self.root / "models/b.cpp").write_text(
            '#include <stdio.h>\n#include <sys/mman.h>\n// fork()\nint a = memfd_create("/proc/1", 0);\n')
        self.assertEqual(systems(self.root), ["models/b.cpp: /proc memfd_create sys/mman.h"])

    def test_order_of_folders(self) -> None:
        self.assertEqual(wrong_folders(self.found, "# order\ntlm\nmodels\n"), [])
        upwards = "models/b.h includes tlm/a.h, whose folder stands below models in folders.txt"
        self.assertEqual(wrong_folders(self.found, "models\ntlm\n"), [upwards])
        self.assertIn("does not list tlm", wrong_folders(self.found, "models\n")[0])

    def test_links_of_targets(self) -> None:
        def wrong(links: str) -> list[str]:
            graph = targets(self.root, f"isbesim_a|{self.root}/tlm|a.cpp|\n"
                                       f"isbesim_m|{self.root}/models|b.cpp|{links}\n"
                                       f"isbesim_n|{self.root}/tlm||$<BUILD_INTERFACE:isbesim_a>")
            return wrong_links(self.found, graph)
        unlinked = "models/b.h of isbesim_m includes tlm/a.h of isbesim_a, which it does not link"
        self.assertEqual(wrong("isbesim_n;other"), [])
        self.assertEqual(wrong("other"), [unlinked])
        (self.root / "tlm/alone.h").write_text("")
        (self.root / "models/b.h").write_text('#include "tlm/alone.h"\n')
        self.found = includes(self.root)
        self.assertEqual(wrong("isbesim_a"), [])
        self.assertEqual(wrong("other"), [unlinked.replace("a.h", "alone.h")])


class Tree(unittest.TestCase):
    maxDiff = None
    listing = pathlib.Path(__file__).with_name("folders.txt")
    graph = ""

    def test_systems(self) -> None:
        listed = self.listing.with_name("systems.txt").read_text().splitlines()
        self.assertEqual(systems(ROOT), [line for line in listed if not line.startswith("#")])

    def test_folders(self) -> None:
        self.assertEqual(wrong_folders(includes(ROOT), self.listing.read_text()), [])

    def test_targets(self) -> None:
        graph = targets(ROOT, pathlib.Path(self.graph).read_text())
        self.assertGreater(len(graph), 20)
        self.assertEqual(wrong_links(includes(ROOT), graph), [])


if __name__ == "__main__":
    Tree.graph = sys.argv.pop(1)
    unittest.main()
