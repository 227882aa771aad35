# SPDX-License-Identifier: Apache-2.0
"""Operators for the sources that the cross-check compares (rtl_ref, models/isbe), besides those of operators.py: of
values, operators and operands."""
from __future__ import annotations

import re
from typing import Iterator

import operators
from operators import Change, Mutant
from scanner import ASSIGNMENTS, CLOSING, Source

REPLACED = {"+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "&": "|", "|": "&", "^": "|", "<<": ">>", ">>": "<<",
            "&&": "||", "||": "&&"}
NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def operator_replaced(source: Source) -> Iterator[Change]:
    """+ and -, & and |, << and >>, && and || change places; *, /, %, ^ become +, *, /, |"""
    return operators.exchanged(source, REPLACED, "({}) {} ({})")


def comparison_negated(source: Source) -> Iterator[Change]:
    """< and >=, > and <= change places (== and != do in comparison_turned)."""
    return operators.exchanged(source, NEGATED)


def operand_lost(source: Source) -> Iterator[Change]:
    """a + b, a - b, a * b, a << b -> a; a + b -> b"""
    for first, at, last in operators._binary(source, "+", "-", "*", "<<", ">>"):
        yield first, last, source.of(first, at - 1), "expression"
        if source.tokens[at].text == "+":
            yield first, last, source.of(at + 1, last), "expression"


def negation_dropped(source: Source) -> Iterator[Change]:
    """!x, ~x -> x"""
    for at, token in enumerate(source.tokens[:-1]):
        if token.kind != "op" or token.text not in ("!", "~") or token.end != source.tokens[at + 1].begin:
            continue
        last = operators.operand_end(source, at + 1)
        if last > at:
            yield at, last, f"({source.of(at + 1, last)})", "expression"


def _values(source: Source) -> Iterator[tuple[int, int]]:
    """First and last token of each value that is assigned, returned, or given to a port of an instance."""
    ends: dict[int, int] = {}
    for first, last in source.statements:
        for at in operators._level(source, first, last):
            if at in source.assignments and source.tokens[at].text in ("=", "<="):
                ends[at + 1] = last - 1
    for at, token in enumerate(source.tokens):
        if token.text in ("assign", "return"):
            begin, here = at + 1, at + 1
            while here < len(source.tokens) and source.text_at(here) != ";":
                if source.text_at(here) == "=" and token.text == "assign":
                    begin = here + 1
                here = source.match.get(here, here) + 1 if source.text_at(here) in "([{" else here + 1
            ends[begin] = here - 1
        if source.systemverilog and token.text == "." and source.text_at(at + 2) == "(" and source.text_at(at - 1) in (
                "(", ","):
            ends[at + 3] = source.match.get(at + 2, at + 2) - 1
    for first, last in sorted(ends.items()):
        inside = [t.text for t in source.tokens[first:last + 1]]
        if first <= last and not any(text in ASSIGNMENTS or text in (";", "[&]", "co_return") for text in inside):
            yield first, last


ZERO = re.compile(r"(?:'0|\d*'[sS]?[bodhBODH]0+|0[uU]?|false|nullptr|\{\})$")


def value_lost(source: Source) -> Iterator[Change]:
    """A value that is assigned, returned or connected -> 0"""
    for first, last in _values(source):
        text = source.of(first, last)
        if ZERO.match(text):
            continue
        yield first, last, f"({text}) & ~({text})" if source.systemverilog else f"decltype({text}){{}}", "expression"


def value_inverted(source: Source) -> Iterator[Change]:
    """The same -> its complement (C++: the lowest bit, or the truth, turned)"""
    for first, last in _values(source):
        text = source.of(first, last)
        yield first, last, f"~({text})" if source.systemverilog else f"({text}) ^ 1", "expression"


def index_off_by_one(source: Source) -> Iterator[Change]:
    """x[i] -> x[i + 1], where i is no constant"""
    for at, token in enumerate(source.tokens):
        if token.text != "[" or at not in source.match or source.tokens[at - 1].kind != "id" and (
                source.text_at(at - 1) not in CLOSING):
            continue
        end = source.match[at]
        inside = source.tokens[at + 1:end]
        if not any(t.kind == "id" for t in inside) or source.text_at(at - 1) in source.stops:
            continue
        if any(t.text in (":", ";", "&", ",") for t in inside) or source.text_at(at - 1) in ("logic", "bit", "int"):
            continue
        selects = [here for here in operators._level(source, at + 1, end - 1) if source.text_at(here) in ("+:", "-:")]
        last = selects[0] - 1 if selects else end - 1
        yield at + 1, last, f"({source.of(at + 1, last)}) + 1", "expression"


def condition_never(source: Source) -> Iterator[Change]:
    """An `if` of SystemVerilog is never taken."""
    for first, last in operators._conditions(source) if source.systemverilog else []:
        yield first, last, "1'b0", "expression"


OPERATORS: dict[str, operators.Operator] = {
    **operators.OPERATORS,
    **operators.by_name(operator_replaced, comparison_negated, operand_lost, negation_dropped, value_lost,
                        value_inverted, index_off_by_one, condition_never),
}


# ---- ports -----------------------------------------------------------------------------------------------------------
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


def generate(file: str, text: str, names: list[str] | None = None, outputs: Outputs | None = None) -> list[Mutant]:
    """The mutants of a file. `outputs`: of the modules that a SystemVerilog source has instances of."""
    made = operators.generate(file, text, names, OPERATORS)
    if not file.endswith(".sv"):
        return made
    zones = driven(Source(text, True), outputs or {}) + not_built(text)
    return [m for m in made if not any(begin < m.end and m.begin < end for begin, end in zones)]
