# SPDX-License-Identifier: Apache-2.0
"""Mutants made from a source file by named operators. Each replaces one operand, one expression or one statement of the
syntax tree by another, so that any two lie apart or one inside the other: all of them go into one build."""
from __future__ import annotations

import dataclasses
import random
import re
from typing import Callable, Iterator

import sites
from rewrite import Span
from scanner import ASSIGNMENTS, OPENING, CLOSING, Source


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


# (first token, last token, new text, kind)
Change = tuple[int, int, str, str]
Operator = Callable[[Source], Iterator[Change]]


def _true(source: Source) -> str:
    return "1'b1" if source.systemverilog else "true"


def _false(source: Source) -> str:
    return "1'b0" if source.systemverilog else "false"


def _binary(source: Source, *texts: str) -> Iterator[tuple[int, int, int]]:
    """First token, operator and last token of each expression of these operators."""
    for at, token in enumerate(source.tokens):
        if token.text in texts and source.is_binary(at):
            precedence = source.binary[token.text]
            first, last = source.left_end(at, precedence), source.right_end(at, precedence)
            if first < at < last:
                yield first, at, last


def operand_end(source: Source, here: int, braces: bool = False) -> int:
    """Last token of a name, a number or brackets, with their suffixes; with `braces` NAME{...} too. -1: of none."""
    if source.tokens[here].kind == "op" and source.text_at(here) not in ("(", "{"):
        return -1
    while True:
        here = source.match.get(here, here)
        follows = source.text_at(here + 1)
        if follows in ("(", "[") or (source.systemverilog and follows == "'") or (
                braces and follows == "{" and source.tokens[here].kind == "id"):
            here += 1
        elif follows in (".", "::", "->"):
            here += 2
        else:
            return here


def exchanged(source: Source, new: dict[str, str], form: str = "{} {} {}") -> Iterator[Change]:
    """a o b -> a n b, where `new` says n for o"""
    for first, at, last in _binary(source, *new):
        text = form.format(source.of(first, at - 1), new[source.tokens[at].text], source.of(at + 1, last))
        yield first, last, text, "expression"


def _conditions(source: Source) -> Iterator[tuple[int, int]]:
    """First and last token of what stands in an `if (...)`."""
    for at, token in enumerate(source.tokens):
        if token.kind == "id" and token.text == "if" and source.text_at(at + 1) == "(":
            first, last = at + 2, source.match.get(at + 1, at + 1) - 1
            inside = [t.text for t in source.tokens[first:last + 1]]
            if first <= last and not any(text in ASSIGNMENTS or text == ";" for text in inside):
                yield first, last


# ---- numbers ---------------------------------------------------------------------------------------------------------
SV_INTEGER = re.compile(r"(?:(?P<width>\d*)'[sS]?(?P<base>[bodhBODH]))?(?P<digits>[\da-fA-F_]+)(?P<suffix>)$")
CPP_INTEGER = re.compile(r"(?:0(?P<base>[xXbB])|(?P<width>)(?=[\d']+[uUlLzZ]*$))(?P<digits>[\da-fA-F']+)"
                         r"(?P<suffix>[uUlLzZ]*)$")
BASES = {"b": (2, "b"), "o": (8, "o"), "d": (10, "d"), "h": (16, "x"), "x": (16, "x")}  # and their format


def _with_value(text: str, systemverilog: bool, change: Callable[[int, int | None], int]) -> str | None:
    """The number `text` with another value: `change` gets value and width, which may be unknown."""
    number = (SV_INTEGER if systemverilog else CPP_INTEGER).match(text)
    if not number:
        return None
    base, form = BASES[(number["base"] or "d").lower()]
    value = int(re.sub("[_']", "", number["digits"]), base)
    new = change(value, int(number["width"]) if number["width"] else None)
    return None if new == value or new < 0 else text[:number.start("digits")] + format(new, form) + number["suffix"]


def _one_more(value: int, width: int | None) -> int:
    return value - 1 if width is not None and value + 1 >= 1 << width else value + 1


def _is_plain_number(source: Source, at: int) -> bool:
    """A number that is a value: no width of a cast, no count of a replication, no bound of a range."""
    behind, before = source.text_at(at + 1), source.text_at(at - 1)
    if source.tokens[at].kind != "number" or (source.systemverilog and behind in ("'", "{")):
        return False
    if before in ("+:", "-:") or (source.systemverilog and (behind == ":" or before == ":")):
        around = source.enclosing[at]
        return around is None or source.tokens[around].text != "["
    return True


def constant_off_by_one(source: Source) -> Iterator[Change]:
    """n -> n + 1; the largest number of a width -> n - 1; '0 and '1 are each other's neighbours."""
    for at, token in enumerate(source.tokens):
        if not _is_plain_number(source, at):
            continue
        new = {"'0": "'1", "'1": "'0"}.get(token.text) or _with_value(token.text, source.systemverilog, _one_more)
        if new is not None:
            yield at, at, new, "expression"


# ---- conditions ------------------------------------------------------------------------------------------------------
TURNED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "===": "!==", "!==": "==="}


def comparison_turned(source: Source) -> Iterator[Change]:
    """< and <=, > and >=, == and != are exchanged."""
    return exchanged(source, TURNED)


def condition_dropped(source: Source) -> Iterator[Change]:
    """One side of && or || is left out; an `if` is always taken."""
    for first, at, last in _binary(source, "&&", "||"):
        kept = _true(source) if source.tokens[at].text == "&&" else _false(source)
        yield at + 1, last, kept, "expression"
        chained = any(source.is_binary(here) and source.tokens[here].text == source.tokens[at].text
                      for here in _level(source, first, at - 1))
        if not chained:  # otherwise the left side's own sides are
            yield first, at - 1, kept, "expression"
    for first, last in _conditions(source):
        yield first, last, _true(source), "expression"


def enable_inverted(source: Source) -> Iterator[Change]:
    """if (c) -> if (!c)"""
    for first, last in _conditions(source):
        yield first, last, f"!({source.of(first, last)})", "expression"


# ---- operands, statements, bits --------------------------------------------------------------------------------------
def _level(source: Source, first: int, last: int) -> Iterator[int]:
    """Tokens from `first` to `last` that stand in no brackets there."""
    here = first
    while here <= last:
        yield here
        here = source.match.get(here, here) if source.tokens[here].text in OPENING else here
        here += 1


def operands_swapped(source: Source) -> Iterator[Change]:
    """a - b -> b - a, a / b and a % b alike; c ? a : b -> c ? b : a"""
    for first, at, last in _binary(source, "-", "/", "%"):
        new = f"({source.of(at + 1, last)}) {source.tokens[at].text} ({source.of(first, at - 1)})"
        yield first, last, new, "expression"
    for at, token in enumerate(source.tokens):
        extent = source.ternary(at) if token.kind == "op" and token.text == "?" else None
        if extent is not None:
            first, colon, last = extent
            new = f"({source.of(first, at - 1)}) ? ({source.of(colon + 1, last)}) : ({source.of(at + 1, colon - 1)})"
            yield first, last, new, "expression"


def write_left_out(source: Source) -> Iterator[Change]:
    """An assignment, or ++ and --, does not happen."""
    for first, last in source.statements:
        yield first, last, "" if source.systemverilog else ";", "statement"


def _without_top_bit(value: int, _: int | None) -> int:
    return value & ~(1 << max(value.bit_length() - 1, 0))


def bit_left_out(source: Source) -> Iterator[Change]:
    """The top bit of a constant mask, a side of |, & or ^, one place of a shift, a part of a concatenation."""
    for first, at, last in _binary(source, "|", "&", "^"):
        if at + 1 == last and source.tokens[last].kind == "number":
            new = _with_value(source.tokens[last].text, source.systemverilog, _without_top_bit)
            if new is not None:
                yield last, last, new, "expression"
        yield first, last, source.of(first, at - 1), "expression"
        if not any(source.is_binary(here) and source.tokens[here].text == source.tokens[at].text
                   for here in _level(source, first, at - 1)):
            yield first, last, source.of(at + 1, last), "expression"
    for _, at, last in _binary(source, "<<", ">>", "<<<", ">>>"):
        if at + 1 == last and source.tokens[last].kind == "number":
            new = _with_value(source.tokens[last].text, source.systemverilog, lambda value, _: value - 1)
            if new is not None:
                yield last, last, new, "expression"
    if source.systemverilog:
        yield from _concatenations(source)


def _concatenations(source: Source) -> Iterator[Change]:
    for at, token in enumerate(source.tokens):
        if token.text != "{" or at not in source.match or source.text_at(at - 1) == "'":
            continue
        end = source.match[at]
        if source.text_at(end + 1) in ASSIGNMENTS or end + 1 in source.assignments:
            continue  # it is written, not read
        if any(source.text_at(here) == "{" and source.tokens[here - 1].kind == "number"
               for here in _level(source, at + 1, end - 1)):
            continue  # a replication: its inner part is taken by itself
        first = at + 1
        for here in [*(h for h in _level(source, at + 1, end - 1) if source.tokens[h].text == ","), end]:
            text = source.of(first, here - 1) if first < here else ""
            if text and not re.fullmatch(r"\d*'[sS]?[bodhBODH]?[01_]*0", text) and '"' not in text:
                yield first, here - 1, f"({text}) & ~({text})", "expression"  # 0 of the same width
            first = here + 1


def by_name(*functions: Operator) -> dict[str, Operator]:
    return {function.__name__: function for function in functions}


OPERATORS = by_name(constant_off_by_one, comparison_turned, condition_dropped, operands_swapped, enable_inverted,
                    write_left_out, bit_left_out)


# ---- where nothing is mutated ----------------------------------------------------------------------------------------
CPP_UNEVALUATED = {"sizeof", "decltype", "alignas", "noexcept", "static_assert", "alignof"}
CPP_DECLARED = {"enum", "using", "typedef", "template", "case", "namespace"}
SV_DECLARED = {"localparam", "parameter", "typedef", "import", "genvar", "input", "output"}


def frozen(source: Source) -> list[tuple[int, int]]:
    """Tokens of which the compiler needs to know the value, or that have none: types, templates, static_assert, case
    labels, parameters, port lists, declarations of constants."""
    found = []

    def upto(at: int, *ends: str) -> int:
        for here in _level(source, at, len(source.tokens) - 1):
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
                        source.tokens[h].text for h in _level(source, label, at)):
                    found.append((label, at))
            continue
        if source.systemverilog:
            if token.text in SV_DECLARED:
                found.append((at, upto(at, ";")))
            elif token.text == "module":
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


def generate(file: str, text: str, names: list[str] | None = None,
             table: dict[str, Operator] = OPERATORS) -> list[Mutant]:
    """The mutants of a file by `names`, or by every operator of `table`, in the order of the text; each change once."""
    source = Source(text, file.endswith((".sv", ".svh", ".v")))
    zones = [(source.tokens[first].begin, source.tokens[last].end) for first, last in frozen(source)]
    made: dict[tuple[int, int, str], Mutant] = {}
    for name in names or list(table):
        for first, last, new, kind in table[name](source):
            begin, end = source.tokens[first].begin, source.tokens[last].end
            if any(zone[0] < end and begin < zone[1] for zone in zones):
                continue
            old = source.of(first, last)
            if new == old:
                continue
            line, column = source.line_of(begin)
            made.setdefault((begin, end, new), Mutant(file, line, column, name, begin, end, old, new, kind))
    return sorted(made.values(), key=lambda m: (m.begin, -m.end, m.new))
