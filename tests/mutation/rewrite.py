# SPDX-License-Identifier: Apache-2.0
"""A copy of the sources with every mutation compiled in behind a run-time switch ("mutant schemata"): one build serves
all of them. Mutation n, counted from 1, is at work when the environment says ISBESIM_MUTANT=n.

C++ asks isbesim_mutant(n) of a header; SystemVerilog compares a variable of a package, which is set when the simulation
starts. Lines stay where they were, so that a compiler's messages name the lines of the original.

Edits nest: where one lies inside another, the inner one goes into the outer one's old text, and several of one text
form a chain. Two that overlap by half, or anything inside an edit of kind `text`, are refused."""
from __future__ import annotations

import dataclasses
import pathlib
import shutil
from typing import Iterable, Sequence

import sites

VARIABLE = "ISBESIM_MUTANT"
HEADER = "isbesim_mutant.h"
PACKAGE = "isbesim_mutant_pkg.sv"
FOLDERS = ("models", "testbench", "tlm", "tests", "scripts", "rtl_ref")

# A compiler's warning is not a reason to refuse a mistake. Those that do not compile are found all the same.
QUIET = """conversion sign-conversion float-conversion sign-compare type-limits bool-compare bool-operation
int-in-bool-context parentheses logical-not-parentheses tautological-compare unused-variable unused-but-set-variable
unused-parameter unused-function unused-value unused-local-typedefs shift-count-overflow shift-count-negative
shift-negative-value shift-overflow div-by-zero overflow maybe-uninitialized uninitialized array-bounds
stringop-overflow stringop-overread aggressive-loop-optimizations return-type empty-body dangling-else
misleading-indentation extra enum-compare address nonnull implicit-fallthrough switch"""

NOTES = "ISBESIM_PASSED"  # the file to which a run without a mutant adds the numbers of those whose places it passes
INSTRUCTION = "ISBESIM_INSTRUCTION"  # "architecture mnemonic": the mutant is at work in that instruction alone
LIMIT = 1 << 14  # of numbers

# In a constant expression no mutant is at work: compile-time tables stay as they are.
PRAGMAS = "\n".join(f'#pragma GCC diagnostic ignored "-W{name}"' for name in QUIET.split())
HEADER_TEXT = f"""#pragma once
#include <cstdio>
#include <cstdlib>
{PRAGMAS}
inline int isbesim_active = -1; // not known yet; -2: notes which places are passed
inline unsigned char isbesim_outside[{LIMIT}]; // places passed outside of instructions
inline unsigned char* isbesim_passed = isbesim_outside;
inline void isbesim_note(const unsigned char* passed, const char* where)
{{
    std::FILE* const out = std::fopen(std::getenv("{NOTES}"), "a");
    for (int n = 0; n < {LIMIT}; ++n)
        if (passed[n] != 0) std::fprintf(out, "%d%s\\n", n, where);
    std::fclose(out);
}}
[[gnu::noinline, gnu::cold]] inline bool isbesim_look(int number) noexcept
{{
    if (isbesim_active == -1) {{
        const char* const text = std::getenv("{VARIABLE}");
        isbesim_active = text == nullptr ? (std::getenv("{NOTES}") != nullptr ? -2 : 0)
                                         : std::getenv("{INSTRUCTION}") != nullptr ? 0 : std::atoi(text);
        if (isbesim_active == -2) std::atexit([] {{ isbesim_note(isbesim_outside, ""); }});
    }}
    if (isbesim_active == -2) isbesim_passed[number] = 1;
    return isbesim_active == number;
}}
constexpr bool isbesim_mutant(int number) noexcept
{{
    return !__builtin_is_constant_evaluated() &&
           (isbesim_active == number || (isbesim_active < 0 && isbesim_look(number)));
}}
"""
# For sources that carry out instructions: the one that begins now. Names differ by address, because tables' texts stay.
INSTRUCTIONS_TEXT = f"""#include <array>
#include <map>
#include <string>
#include <utility>
inline auto& isbesim_in_instructions()
{{
    static auto& all = *new std::map<std::pair<int, const char*>, std::array<unsigned char, {LIMIT}>>;
    return all;
}}
inline void isbesim_enter(int architecture, const char* mnemonic)
{{
    static const char* const only = std::getenv("{INSTRUCTION}");
    if (isbesim_active == -1) isbesim_look(0);
    if (only != nullptr)
        isbesim_active =
            std::to_string(architecture) + " " + mnemonic == only ? std::atoi(std::getenv("{VARIABLE}")) : 0;
    if (isbesim_active != -2) return;
    if (isbesim_in_instructions().empty())
        std::atexit([] {{
            for (const auto& [name, passed] : isbesim_in_instructions())
                isbesim_note(passed.data(), (" " + std::to_string(name.first) + " " + name.second).c_str());
        }});
    isbesim_passed = isbesim_in_instructions()[{{architecture, mnemonic}}].data();
}}
"""

# $c: C++ text that Verilator copies. A plusarg would need the program's arguments, which a block does not see.
PACKAGE_TEXT = """package isbesim_mutant_pkg;
  int number = $c32("([] { const char* text = std::getenv(\\"%s\\"); return text ? std::atoi(text) : 0; }())");
endpackage
""" % VARIABLE

LINT = ("WIDTH", "LATCH", "CMPCONST", "UNSIGNED", "CASEINCOMPLETE", "UNOPTFLAT", "COMBDLY", "INITIALDLY", "BLKSEQ",
        "SELRANGE", "ALWCOMBORDER", "MULTIDRIVEN")


@dataclasses.dataclass(frozen=True)
class Language:
    """How a mistake is written: `head` of a file; the condition with a number; a statement's parts with the condition
    and the new text."""

    head: str
    asked: str
    statement: tuple[str, str]

    def condition(self, number: int) -> str:
        if number >= LIMIT:
            raise sites.ListError(f"more than {LIMIT} mutants")
        return self.asked.format(number)


CPP = Language(f'#include "{HEADER}"\n#line 1\n', "isbesim_mutant({})", ("{{ if ({}) {{ {} }} else {{ ", " } }"))
SYSTEMVERILOG = Language("".join(f"/* verilator lint_off {name} */ " for name in LINT),
                         "(isbesim_mutant_pkg::number == {})", ("begin if ({}) begin {} end else begin ", " end end"))


def language_of(file: str | pathlib.Path) -> Language:
    return SYSTEMVERILOG if pathlib.Path(file).suffix in (".sv", ".svh", ".v") else CPP


@dataclasses.dataclass(frozen=True)
class Span:
    """Text from `begin` to `end` that mutant `number` replaces as `edit` says."""

    begin: int
    end: int
    number: int
    edit: sites.Edit


def around(edit: sites.Edit, number: int, language: Language) -> tuple[str, str]:
    """The text before and after the old text, or what other rewrites have put there."""
    condition = language.condition(number)
    if edit.kind == "expression":
        return f"({condition} ? ({edit.new}) : (", "))"
    if edit.kind == "statement":
        return language.statement[0].format(condition, edit.new), language.statement[1]
    return edit.new.replace("MUTANT", condition), ""


@dataclasses.dataclass
class Rewritten:
    text: str
    regions: list[tuple[int, int, int]]  # begin, end in the text, number: what belongs to a mutant, old text and new


def _inside(text: str, begin: int, end: int, spans: Sequence[Span], language: Language) -> Rewritten:
    """text[begin:end] with `spans`, which lie inside, sorted by begin and, widest first, by end."""
    done, regions, at, index = "", [], begin, 0
    while index < len(spans):
        outer = spans[index]
        same = [s for s in spans[index:] if (s.begin, s.end) == (outer.begin, outer.end)]
        last = index + len(same)
        while last < len(spans) and spans[last].begin < outer.end:
            last += 1
        inner = spans[index + len(same):last]
        texts = [s for s in same if s.edit.kind == "text"]
        if any(s.end > outer.end for s in inner) or (texts and len(same) + len(inner) > 1):
            raise sites.ListError(f"{outer.edit.file}: the text '{text[outer.begin:outer.end]}' overlaps another "
                                  "mutation's")
        done += text[at:outer.begin]
        here = Rewritten("", []) if texts else _inside(text, outer.begin, outer.end, inner, language)
        for span in same:
            before, after = around(span.edit, span.number, language)
            here = Rewritten(before + here.text + after,
                             [(b + len(before), e + len(before), n) for b, e, n in here.regions])
            here.regions.append((0, len(here.text), span.number))
        regions += [(b + len(done), e + len(done), n) for b, e, n in here.regions]
        done += here.text
        at, index = outer.end, last
    return Rewritten(done + text[at:end], regions)


def rewrite_spans(text: str, spans: Iterable[Span], language: Language) -> Rewritten:
    ordered = sorted(spans, key=lambda s: (s.begin, -s.end))
    body = _inside(text, 0, len(text), ordered, language)
    head = len(language.head)
    return Rewritten(language.head + body.text, [(b + head, e + head, n) for b, e, n in body.regions])


def rewrite(text: str, edits: Iterable[tuple[int, sites.Edit]], language: Language = CPP) -> str:
    """`text` with all of its edits, pairs (number, edit). ListError when two overlap in a way that does not nest."""
    spans = []
    for number, edit in edits:
        begin = sites.place(text, edit)
        if isinstance(begin, str):
            raise sites.ListError(f"{edit.file}: {begin}")
        spans.append(Span(begin, begin + len(edit.old), number, edit))
    return rewrite_spans(text, spans, language).text


def mutated_files(mutations: Sequence[sites.Mutation], root: pathlib.Path) -> dict[str, str]:
    """file -> its text with every mistake."""
    edits: dict[str, list[tuple[int, sites.Edit]]] = {}
    for number, mutation in enumerate(mutations, 1):
        for edit in mutation.edits:
            edits.setdefault(edit.file, []).append((number, edit))
    return {file: rewrite((root / file).read_text(), mine, language_of(file)) for file, mine in edits.items()}


def write_if_changed(path: pathlib.Path, data: bytes) -> None:
    if path.is_file() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def write_tree(changed: dict[str, str], root: pathlib.Path, target: pathlib.Path, header: str = HEADER_TEXT) -> None:
    """Makes `target` a copy of the sources below `root` with the texts `changed`. What does not change keeps its time
    stamp, so that the next build is short. `header`: what the mutated C++ includes."""
    copied = set()
    tops = [path for path in root.iterdir() if path.is_file() or path.name in FOLDERS]
    for path in sorted(p for top in tops for p in ([top] if top.is_file() else top.rglob("*"))):
        name = path.relative_to(root)
        if not path.is_file() or "__pycache__" in name.parts:
            continue
        data = changed[str(name)].encode() if str(name) in changed else path.read_bytes()
        write_if_changed(target / name, data)
        shutil.copymode(path, target / name)
        copied.add(name)
    write_if_changed(target / HEADER, header.encode())
    copied.add(pathlib.Path(HEADER))
    for top in (target / folder for folder in FOLDERS):  # files that are gone
        for path in top.rglob("*"):
            if path.is_file() and path.relative_to(target) not in copied:
                path.unlink()


def write_block(changed: dict[str, str], sources: Sequence[pathlib.Path], root: pathlib.Path,
                target: pathlib.Path) -> list[pathlib.Path]:
    """The files of a block, `sources`, below `target`, with the texts `changed` (by their names below `root`); the list
    of what to compile, in order. Warnings are off in all of them: a mutant shows in files that have none, too."""
    write_if_changed(target / PACKAGE, PACKAGE_TEXT.encode())
    for path in sources:
        name = str(path.relative_to(root))
        text = changed[name] if name in changed else SYSTEMVERILOG.head + path.read_text()
        write_if_changed(target / path.name, text.encode())
    return [target / PACKAGE] + [target / path.name for path in sources]
