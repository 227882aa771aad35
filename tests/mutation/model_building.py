# SPDX-License-Identifier: Apache-2.0
"""The mutants of the model and the one build that holds them: what the operators make of the sources, the header that
chooses one at run time or notes which places a run passes, and the copy, without what does not compile."""
from __future__ import annotations

import hashlib
import pathlib
import re
from typing import Callable, Iterable

import building
import source_mutants
import rewrite
import sites
from mutant_set import MutantSet
from source_mutants import Mutant
from scanner import Source
from sites import ROOT

FOLDERS = ("isbe", "attribute", "clocked")  # of models
LIBRARIES = ("isbesim_isbe", "isbesim_attribute", "isbesim_clocked")
# Beside an array the program ends, in headers too. Warnings are the mutants'. Without the second copy of functions for
# AVX2 the compiler is done in a third of the time.
FLAGS = "-O1 -w -DNDEBUG -DISBESIM_PORTABLE -D_GLIBCXX_ASSERTIONS"
OTHER_WORDS = "tests/isbe/rule_words_test.cpp"  # of a word type that mutants of the rules do not compile with
LIST = "models/isbe/CMakeLists.txt"
CHECKED = "add_compile_definitions(_GLIBCXX_ASSERTIONS)\n"  # whatever the flags are
PINS = "tests/c_interface/CMakeLists.txt"  # whose comparison with the RTL takes the plug-ins that there are
ERROR_TABLE = "constexpr error_table errors;"


def sources() -> list[pathlib.Path]:
    """Those of models/isbe first: the others' mutants change no number of theirs."""
    return [path for folder in FOLDERS for path in sorted((ROOT / "models" / folder).rglob("*"))
            if path.suffix in (".cpp", ".h")]


def references(source: Source) -> list[int]:
    """Where the values begin that functions return by reference. `c ? x{} : x` would be a copy, whose address is no
    good, without a mutant, too."""
    found = []
    for at, token in enumerate(source.tokens):
        if token.text != "return":
            continue
        body = source.enclosing[at]
        while body is not None:
            before = body - 1
            while source.text_at(before) in ("const", "noexcept", "override", "final"):
                before -= 1
            name = source.match.get(before, 0) - 1
            if source.text_at(body) == "{" and source.text_at(before) == ")" and (
                    source.text_at(name) not in ("if", "for", "while", "switch")):
                if source.text_at(name) == "]":  # a lambda
                    break
                while source.text_at(name - 1) in ("::", "~", "operator"):
                    name -= 2 if source.text_at(name - 1) == "::" else 1
                if source.text_at(name - 1) == "&":
                    found.append(source.tokens[at + 1].begin)
                break
            body = source.enclosing[body]
    return found


NOT_AT_WORK = (
    r"^constexpr [^\n]* make_\w+\(\)\n\{.*?^\}",  # functions without arguments that make tables
    r"^ *assert\(.*?\);$",                         # the build has no assertions
    r"^constexpr bool all_named.*?^\}",              # of an assertion
    r"^ *const word_type \w+\([^();\n]*\);$",       # constants
    r"std::array<[^;\n]*>(?= \w+[;{(])",
    # bounds of arrays
    r"^ *(?!return )(?:static |constexpr |const )*[\w:]+(?:<[^;\n]*>)? \w+(?:\[[^\]\n]*\])+(?= *[=;{])")


def at_compile_time(text: str) -> list[tuple[int, int]]:
    """Code that runs only in the compiler or never, where no mutant is at work."""
    return [match.span() for pattern in NOT_AT_WORK for match in re.finditer(pattern, text, re.M | re.S)]


def mutants_of(file: str, text: str) -> list[Mutant]:
    kept, tables = references(Source(text, False)), at_compile_time(text)
    return [mutant for mutant in source_mutants.generate_crosschecked(file, text)
            if (mutant.operator not in ("value_lost", "value_inverted") or mutant.begin not in kept) and
            not any(begin <= mutant.begin < end for begin, end in tables)]


def prepare(file: str, text: str) -> str:
    """The table of errors is made when the program starts, not by the compiler."""
    if not file.endswith("address_unit.cpp"):
        return text
    if ERROR_TABLE not in text:
        raise sites.ListError(f"{file}: expected '{ERROR_TABLE}'")
    return text.replace(ERROR_TABLE, ERROR_TABLE.replace("constexpr", "const    "))


class Dropped:
    """Mutants that did not compile in the last run, which need no trial until their file changes."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path

    @staticmethod
    def _key(mutant: Mutant) -> str:
        text = hashlib.sha256((ROOT / mutant.file).read_bytes()).hexdigest()[:16]
        return f"{text} {mutant.begin} {mutant.end} {mutant}".replace("\n", " ")

    def recall(self, mutants: MutantSet) -> None:
        lines = set(self.path.read_text().split("\n")) if self.path.is_file() else set()
        for number in [n for n, mutant in mutants.mutants.items() if self._key(mutant) in lines]:
            mutants.dropped.append(mutants.mutants.pop(number))

    def keep(self, mutants: MutantSet) -> None:
        self.path.write_text("\n".join(map(self._key, mutants.dropped)))


def read_headers(copy: pathlib.Path) -> None:
    """The compiler reads every header, also those that the libraries don't include: an error there would stop almost
    every other source, and fixing it start them anew."""
    every = copy / "isbesim_mutant_headers.cpp"
    rewrite.write_if_changed(every, "".join(f'#include "{path.relative_to(ROOT)}"\n' for path in sources()
                                            if path.suffix == ".h").encode())
    building.Steps(copy / "headers.log", "a header of the mutated copy", copy.parent).run(
        "c++", "-std=c++17", "-w", "-DISBESIM_PORTABLE", "-fsyntax-only", "-I", copy, "-I",
        copy / "build" / "generated", every)


def build_all(mutants: MutantSet, copy: pathlib.Path, programs: Iterable[str], flags: str = FLAGS) -> pathlib.Path:
    """The folder with `programs`. Drops what does not compile: in libraries and headers first, everything else includes
    them."""
    memory = Dropped(copy.with_name(f"{copy.name}_dropped.txt"))
    memory.recall(mutants)

    others = {OTHER_WORDS: "", LIST: CHECKED + (ROOT / LIST).read_text(),
              PINS: (ROOT / PINS).read_text().replace("if(ISBESIM_RTL)", "if(TRUE)")}

    def step(executables: Iterable[str], check: Callable[[], object] | None = None) -> None:
        mutants.built_copy(copy, executables, flags, others, build=check)
        memory.keep(mutants)

    step(LIBRARIES)
    step((), lambda: read_headers(copy))
    step(programs)
    return copy / "build"
