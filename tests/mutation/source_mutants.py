# SPDX-License-Identifier: Apache-2.0
"""The mutants of a source file: where operators apply, and where nothing is mutated."""
from __future__ import annotations

import dataclasses
import random
import re
from typing import Callable, Iterator, Sequence

import sites
from operators import OPERATORS, Change, Operator, level
from rewrite import Span
from scanner import CLOSING, Source


@dataclasses.dataclass(frozen=True)
class Mutant:
    file: str
    line: int
    column: int
    operator: str
    begin: int
    end: int
    old: str
    new: str
    kind: str = "expression"

    def span(self, number: int) -> Span:
        return Span(self.begin, self.end, number, sites.Edit(self.file, self.old, self.new, self.kind))

    @property
    def change(self) -> str:
        return f"{self.old} -> {self.new if self.new not in ('', ';') else '(nothing)'}"

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.operator}: {self.change}"


def sampled(every: list[Mutant], count: int | None, seed: int,
            always: Callable[[Mutant], bool] = lambda mutant: False) -> list[Mutant]:
    """`count` of them, chosen at random, and those that `always` names; None: all."""
    if count is None or count >= len(every):
        return every
    picked = set(random.Random(seed).sample(range(len(every)), count))
    return [mutant for at, mutant in enumerate(every) if at in picked or always(mutant)]


# ---- places without mutants ------------------------------------------------------------------------------------------
CPP_UNEVALUATED = {"sizeof", "decltype", "alignas", "noexcept", "static_assert", "alignof"}
CPP_DECLARED = {"enum", "using", "typedef", "namespace"}
SV_DECLARED = {"localparam", "parameter", "typedef", "import", "genvar", "input", "output", "module"}


def frozen(source: Source) -> list[tuple[int, int]]:
    """Tokens of which the compiler needs to know the value, or that have none: types, templates, static_assert, case
    labels, parameters, port lists, declarations of constants."""
    found = []

    def upto(at: int, *ends: str) -> int:
        for here in level(source, at, len(source.tokens) - 1):
            text = source.tokens[here].text
            if text in ends or text in CLOSING:
                return here
        return len(source.tokens) - 1

    for at, token in enumerate(source.tokens):
        if token.kind != "id":
            if source.systemverilog and token.text == "#" and source.text_at(at + 1) == "(":
                found.append((at, source.match.get(at + 1, at)))
            elif source.systemverilog and token.text == ":":
                label = source.label_before(at)
                if label is not None and source.enclosing[at] is None and "?" not in (
                        source.tokens[h].text for h in level(source, label, at)):
                    found.append((label, at))
            continue
        if source.systemverilog:
            if token.text in SV_DECLARED:
                found.append((at, upto(at, ";")))
            elif token.text == "for" and source.text_at(at + 2) == "genvar":
                found.append((at, source.match.get(at + 1, at)))
            elif token.text in ("logic", "int", "bit") and source.text_at(at + 1) == "[":
                found.append((at + 1, source.match.get(at + 1, at)))
        elif token.text in CPP_UNEVALUATED and source.text_at(at + 1) == "(":
            found.append((at, source.match.get(at + 1, at)))
        elif token.text == "template":
            found.append((at, _template_end(source, at)))
        elif token.text == "case":
            found.append((at, upto(at, ":")))
        elif token.text in CPP_DECLARED:
            found.append((at, upto(at, ";", "{")))
            if token.text == "enum" and source.tokens[found[-1][1]].text == "{":
                found.append((at, source.match.get(found[-1][1], at)))
        elif token.text == "constexpr" and source.text_at(at + 1) != "(":
            end = upto(at, ";", "=", "{", ")")
            if source.text_at(end) == "=" or (source.text_at(end) == "{" and source.tokens[end - 1].kind == "id" and
                                              source.text_at(end - 2) != ")" and source.text_at(end - 1) != "const"):
                found.append((at, upto(end + 1, ";") if source.text_at(end) == "=" else source.match.get(end, end)))
        elif token.text == "if" and source.text_at(at + 1) == "constexpr":
            found.append((at, source.match.get(at + 2, at)))
    return found


def _template_end(source: Source, at: int) -> int:
    depth = 0
    for here in range(at + 1, len(source.tokens)):
        text = source.tokens[here].text
        depth += {"<": 1, ">": -1, ">>": -2}.get(text, 0)
        if depth <= 0:
            return here
    return at


Zones = Sequence[tuple[int, int]]  # offsets


def generate(file: str, text: str, names: Sequence[str] | None = None, kind: str = "sources",
             more: Sequence[Operator] = (), zones: Zones = ()) -> list[Mutant]:
    """The mutants of a file by `names`, or by every operator of `kind` and `more`, in the order of the text; each
    change once. None is in `zones`."""
    source = Source(text, file.endswith((".sv", ".svh", ".v")))
    zones = [*zones, *((source.tokens[first].begin, source.tokens[last].end) for first, last in frozen(source))]
    made: dict[tuple[int, int, str], Mutant] = {}
    table = {operator.__name__: operator for operator in (*OPERATORS[kind], *more)}
    for name in names or table:
        for first, last, new, form in table[name](source):
            begin, end = source.tokens[first].begin, source.tokens[last].end
            old = source.of(first, last)
            if new == old or any(zone[0] < end and begin < zone[1] for zone in zones):
                continue
            line, column = source.line_of(begin)
            made.setdefault((begin, end, new), Mutant(file, line, column, name, begin, end, old, new, form))
    return sorted(made.values(), key=lambda m: (m.begin, -m.end, m.new))


# ---- RTL -------------------------------------------------------------------------------------------------------------
Outputs = dict[str, set[str]]  # of each module


def outputs_of(text: str) -> Outputs:
    """The output ports of each module of a source."""
    found: Outputs = {}
    for module in re.finditer(r"^module\s+(\w+)(.*?)^\s*\);", text, re.M | re.S):
        found[module[1]] = set(re.findall(r"\boutput\b[^,()]*?(\w+)\s*(?=,|//|$)", module[2], re.M))
    return found


def driven(source: Source, outputs: Outputs) -> list[tuple[int, int]]:
    """Offsets of what instances drive: connections of output ports, which are written and not read."""
    found = []
    for at, token in enumerate(source.tokens):
        instance = at - 1
        if token.text != "(" or instance < 1 or source.tokens[instance].kind != "id" or source.text_at(at + 1) != ".":
            continue
        before = instance - 1
        if source.text_at(before) == ")" and source.text_at(source.match[before] - 1) == "#":
            before = source.match[before] - 2
        for here in range(at + 1, source.match[at]):
            if source.text_at(here) == "." and source.enclosing[here] == at and (
                    source.text_at(here + 1) in outputs.get(source.text_at(before), ())):
                found.append((source.tokens[here].begin, source.tokens[source.match[here + 2]].end))
    return found


NOT_BUILT = (r"^`ifdef ISBESIM_ASSERT$.*?^`endif$",  # assertions
             r"^  if \([A-Z_]+ [^;]*\) \$error\([^;]*;$")  # ranges of parameters: the compiler evaluates them


def not_built(text: str) -> list[tuple[int, int]]:
    """Offsets of SystemVerilog that the block of the cross-check has nothing of."""
    return [match.span() for pattern in NOT_BUILT for match in re.finditer(pattern, text, re.M | re.S)]


def generate_crosschecked(file: str, text: str, names: Sequence[str] | None = None,
                          outputs: Outputs | None = None) -> list[Mutant]:
    """`outputs`: of the modules that a SystemVerilog source has instances of."""
    zones = driven(Source(text, True), outputs or {}) + not_built(text) if file.endswith(".sv") else []
    return generate(file, text, names, "crosscheck", zones=zones)


# ---- Executors and the texture unit ----------------------------------------------------------------------------------
LOCAL_TABLE = re.compile(r"^( +)(static constexpr|constexpr)( [\w:]+ \w+(?:\[\w*\])+ = \{)", re.M)
NAMED_NUMBER = re.compile(r"^(?:inline )?constexpr [\w:]+ (\w+ = [^;{}]*);", re.M)


def without_constant_tables(text: str) -> str:
    """`text` with the tables inside functions filled at run time, so that their numbers can be mutated. Every character
    after them stays where it was."""
    return LOCAL_TABLE.sub(lambda m: m[1] + "const".ljust(len(m[2])) + m[3], text)


def named_numbers(text: str) -> set[str]:
    """Names of the constants of a namespace."""
    return {part.split("=")[0].strip() for found in NAMED_NUMBER.findall(text) for part in found.split(", ")}


def uses_of(names: set[str]) -> Operator:
    def named_number_off(source: Source) -> Iterator[Change]:
        """A use of a named number -> one more."""
        for at, token in enumerate(source.tokens):
            if token.text in names and source.enclosing[at] is not None and source.text_at(at + 1) != "=":
                yield at, at, f"({token.text} + 1)", "expression"
    return named_number_off


BOUND = re.compile(r"^\s*(?!return)[\w:<>, ]+ \w+(\[\w*\])*\[$|array<[^<>=]*, $")


def _never_returns(text: str, offset: int) -> bool:
    """The function around an offset does not, so all of it has to stay."""
    known = {"refuse", "unsupported", *re.findall(r"^\[\[noreturn\]\] void (\w+)\(", text, re.M)}
    return function_at(text, offset) in known


def _pointless(mutant: Mutant, text: str) -> bool:
    """A lane more than there are is a crash at best; what does not return must not; the compiler needs the bounds of
    arrays; strings do not subtract."""
    line = text[text.rfind("\n", 0, mutant.begin) + 1:mutant.begin]
    return (mutant.operator == "comparison_turned" and mutant.old.endswith("< warp_lanes") or
            mutant.operator == "call_left_out" and _never_returns(text, mutant.begin) or
            mutant.operator == "constant_off_by_one" and BOUND.search(line) is not None or
            mutant.operator == "operator_exchanged" and ('"' in mutant.old or mutant.old == "place + what") or
            mutant.operator == "complement_dropped" and mutant.old.endswith("_scope()"))


def generate_library(file: str, text: str, names: set[str]) -> list[Mutant]:
    """`names`: named numbers that it uses."""
    made = [dataclasses.replace(m, new="0xfffffffeU") if m.new == "0x100000000U" else m  # of 32 bits, as before
            for m in generate(file, without_constant_tables(text), kind="library", more=[uses_of(names)])]
    return [m for m in made if not _pointless(m, text)]


FUNCTION = re.compile(
    r"^(?!#|//|namespace|using|template|struct|enum|constexpr \w+ \w+ =)[\w\[][\w:<>,&*\[\] ]*?(\w+)\(", re.M)


def function_at(text: str, offset: int) -> str:
    """The name of the function around an offset; "" outside of all."""
    name = ""
    for found in FUNCTION.finditer(text, 0, offset):
        name = found[1]
    return name
