# SPDX-License-Identifier: Apache-2.0
"""Shows that every rule of the executors (models/isa/execution) is tested by tests/isa, and every rule of the texture
unit (models/texture) by tests/texture.

fork_operators.py makes mutants of all of their sources. One build holds them, and one process runs them, each in a fork
(fork_driver.cpp). A mutant that no test notices, or whose place no test passes, has to stand in the list of equivalents
with the reason why nothing can notice it; an entry there has to name mutants that exist and that nothing notices. Of
each instruction of the tables, mutants of its own rules have to be noticed when they are at work in it alone; and where
it has none, since it does nothing: that it changes something."""
from __future__ import annotations

import argparse
import collections
import dataclasses
import os
import pathlib
import subprocess
import time

import building
import fork_operators
import operator_campaign
import rewrite
import sites
from equivalents import explained
from operators import Mutant, sampled
from report import Verdict, rows_of, table

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


@dataclasses.dataclass(frozen=True)
class Library:
    """Sources in `folder`, whose mutants the executable `test` has to notice, built in a folder of the build folder."""

    folder: str
    test: str
    equivalents: pathlib.Path
    build: str
    instructions: bool = False  # it carries them out: the driver looks at each

    def sources(self) -> list[pathlib.Path]:
        return [path for path in sorted((ROOT / self.folder).iterdir()) if path.suffix in (".cpp", ".h")]

    def generated(self) -> list[Mutant]:
        paths = self.sources()
        names = {"begins_chain"}.union(*(fork_operators.named_numbers(path.read_text()) for path in paths))
        return [mutant for path in paths
                for mutant in fork_operators.generate(str(path.relative_to(ROOT)), path.read_text(), names)]


EXECUTION = "models/isa/execution/"
EXECUTORS = Library(EXECUTION, "isa_test", HERE / "isa_equivalents.toml", "mutation_isa", True)
TEXTURES = Library("models/texture/", "texture_test", HERE / "texture_equivalents.toml", "mutation_texture")

# Files whose rules belong to no single instruction.
SHARED = ("executor.cpp", "executor.h", "register_lanes.h", "semantics.h", "converge.h")
# What a mutant leaves unwritten has a value that no test expects, every time, and beside an array the program ends.
FLAGS = "-O1 -DNDEBUG -ftrivial-auto-var-init=pattern -D_GLIBCXX_ASSERTIONS"
SECONDS = 1500

HEADER = """#pragma once
%s
inline int isbesim_active = 0;
inline unsigned char* isbesim_passed = nullptr;
void isbesim_enter(int architecture, const char* mnemonic);
inline bool isbesim_at_work(int number) noexcept
{
    if (isbesim_passed != nullptr) isbesim_passed[number] = 1;
    return isbesim_active == number;
}
constexpr bool isbesim_mutant(int number) noexcept
{
    return !__builtin_is_constant_evaluated() && isbesim_at_work(number);
}
""" % rewrite.PRAGMAS
# Where the driver learns what runs, and where an instruction changes registers that it should not.
HOOK = """isbesim_enter(static_cast<int>(code.arch), now.row->mnemonic);
if (isbesim_mutant(%d)) for (auto& each : warp.registers) for (auto& v : each) v ^= 1U;
#line %d
        machine m{"""
HOOKED = EXECUTION + "executor.cpp"
DRIVER_INCLUDES = 'target_include_directories(isbesim_main PRIVATE "${PROJECT_SOURCE_DIR}")\n'
DRIVER_INSTRUCTIONS = "#define ISBESIM_INSTRUCTIONS\n"
CARRIED_OUT = "now.row->execute(m); -> (nothing)"
ARCHITECTURES = {"0": "sm50", "1": "sm75", "2": "sm86"}


def carries_out(mutant: Mutant) -> bool:
    """The mutant of every instruction: it is not carried out."""
    return mutant.file == HOOKED and mutant.change == CARRIED_OUT


@dataclasses.dataclass
class Set(operator_campaign.Set):
    """Mutants of a library: those of a build, and those that do not compile. One number more is that of an instruction
    which changes all registers."""

    library: Library = EXECUTORS

    @property
    def spoilt(self) -> int:
        return len(self.mutants) + len(self.dropped) + 1

    def rewritten(self) -> dict[str, rewrite.Rewritten]:
        spans: dict[str, list[rewrite.Span]] = collections.defaultdict(list)
        for number, mutant in self.mutants.items():
            spans[mutant.file].append(mutant.span(number))
        result = {}
        for path in self.library.sources():
            file = str(path.relative_to(ROOT))
            text = fork_operators.without_constant_tables(path.read_text())
            if file == HOOKED:
                begin = text.find("machine m{")
                hook = sites.Edit(file, "machine m{", HOOK % (self.spoilt, text.count("\n", 0, begin) + 1), "text")
                spans[file].append(rewrite.Span(begin, begin + len(hook.old), 0, hook))
            result[file] = rewrite.rewrite_spans(text, spans[file], rewrite.Cpp)
        return result


# ---- the run ---------------------------------------------------------------------------------------------------------
@dataclasses.dataclass(frozen=True, order=True)
class Instruction:
    """Of its own rules, `tried` mutants of `mutants` were at work in it alone, and `noticed` of them were noticed;
    whether it is noticed when it is left out, and when it changes more than it should."""

    name: str
    architecture: str
    noticed: int
    tried: int
    mutants: int
    left_out: bool
    spoilt: bool
    idle: bool  # it does nothing

    @property
    def tested(self) -> bool:
        return self.spoilt if self.idle else self.left_out and (self.noticed > 0 or not self.tried)


@dataclasses.dataclass
class Results:
    killers: dict[int, str]  # test, or "" for survivors
    unreached: set[int]
    instructions: list[Instruction]
    broken: list[str]  # tests that fail without a mutant


def built(mutants: Set, copy: pathlib.Path) -> pathlib.Path:
    driver = (DRIVER_INSTRUCTIONS if mutants.library.instructions else "") + (HERE / "fork_driver.cpp").read_text()
    changed = {"tests/support/main.cpp": driver,
               "tests/CMakeLists.txt": (ROOT / "tests" / "CMakeLists.txt").read_text() + DRIVER_INCLUDES}

    def write_and_build(texts: dict[str, str]) -> None:
        rewrite.write_tree({**texts, **changed}, ROOT, copy, HEADER)
        building.build(copy, [mutants.library.test], FLAGS)

    operator_campaign.until_it_builds(mutants, write_and_build)
    return copy / "build" / "tests" / mutants.library.test


def run_driver(program: pathlib.Path, mutants: Set, jobs: int) -> Results:
    order = program.parent / "campaign.txt"
    count = mutants.spoilt
    left_out = next((number for number, mutant in mutants.mutants.items() if carries_out(mutant)), 0)
    own = [0] * (count + 1)
    for number, mutant in mutants.mutants.items():
        own[number] = int(mutants.library.instructions and pathlib.Path(mutant.file).name not in SHARED)
    order.write_text(f"{count} {jobs} {left_out} {mutants.spoilt}\n" + "\n".join(map(str, own[1:])) + "\n")
    done = subprocess.run([program], env={**os.environ, "ISBESIM_CAMPAIGN": str(order)}, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, timeout=SECONDS, cwd=program.parent)
    results = Results({}, set(), [], [])
    for line in done.stdout.splitlines():
        kind, *words = line.split(" ")
        if kind == "test":
            results.broken.append(words[0])
        elif kind == "mutant" and int(words[0]) in mutants.mutants:
            number = int(words[0])
            results.killers[number] = words[2] if words[1] == "killed" else ""
            if words[1] == "unreached":
                results.unreached.add(number)
        elif kind == "instruction":
            noticed, tried, of, *both = map(int, words[2:])
            results.instructions.append(Instruction(words[1], ARCHITECTURES.get(words[0], words[0]), noticed, tried, of,
                                                    *map(bool, both)))
    if done.returncode != 0 or results.broken:
        raise building.BuildError(f"tests that fail without a mutant: {', '.join(results.broken) or done.returncode}")
    return results


def run(given: argparse.Namespace) -> int:
    begin = time.monotonic()
    library = EXECUTORS if given.isa else TEXTURES
    every = library.generated()
    chosen = sampled(every, given.sample, given.seed, carries_out)
    listed = explained(every, library.equivalents)  # before the build: the list has to fit
    mutants = Set(dict(enumerate(chosen, 1)), library=library)
    program = built(mutants, pathlib.Path(given.build).resolve() / library.build)
    print(f"{len(mutants.mutants)} mutants of {len(every)} in one build, {len(mutants.dropped)} dropped, "
          f"{time.monotonic() - begin:.0f} s", flush=True)
    start = time.monotonic()
    results = run_driver(program, mutants, given.jobs)
    equivalent = {mutant for n, mutant in mutants.mutants.items() if mutant in listed and not results.killers[n]}
    failures = 0
    for mutant in mutants.dropped:
        print(f"dropped  {mutant}")
    for number, mutant in mutants.mutants.items():
        if not results.killers[number] and mutant not in equivalent:
            failures += 1
            where = "UNREACHED" if number in results.unreached else "SURVIVED"
            function = fork_operators.function_at((ROOT / mutant.file).read_text(), mutant.begin)
            print(f"{where:9} {function}: {mutant}")
        if results.killers[number] and mutant in listed:
            failures += 1
            print(f"NO EQUIVALENT, take it out of the list: {results.killers[number]} notices {mutant}")
    if results.instructions:
        print()
        print(f"{'instruction':16} {'on':6} {'noticed':>8} {'of':>4} {'mutants':>8}")
    for each in sorted(results.instructions):
        lacking = "" if each.tested or (len(chosen) < len(every) and each.left_out) else "  NOT TESTED"
        print(f"{each.name:16} {each.architecture:6} {each.noticed:8} {each.tried:4} {each.mutants:8}{lacking}")
        failures += bool(lacking)
    print()
    verdicts = {number: Verdict(killer) for number, killer in results.killers.items()}
    print(table(rows_of(mutants.mutants, mutants.dropped, equivalent, verdicts), "file"), end="")
    print(f"{time.monotonic() - start:.0f} s of tests, {failures} failures")
    return 1 if failures else 0
