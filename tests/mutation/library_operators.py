# SPDX-License-Identifier: Apache-2.0
"""Mutants of the executors (models/isa/execution) and of the texture unit: those of operators.py, and mistakes that
such sources can make: a modifier that is not looked at, another operand, no sign, all lanes, a result that is not
written."""
from __future__ import annotations

import dataclasses
import re
from typing import Iterator

import operators
from operators import Change, Mutant
from scanner import CLOSING, Source

REPLACED = {"+": "-", "-": "+", "*": "+", "&": "|", "|": "&", "^": "|", "<<": ">>", ">>": "<<", "&&": "||", "||": "&&"}
SLOTS = {"a": "b", "b": "a", "c": "b", "pd": "pq", "pq": "pd", "pa": "pb", "pb": "pa", "ps": "pa"}
FUNCTIONS = {"min": "max", "max": "min", "fmin": "fmax", "cos": "sin", "sin": "cos", "exp2": "exp", "log2": "log",
             "sqrt": "cbrt", "tanh": "tan", "nearbyint": "trunc", "fabs": "cbrt", "isnan": "isinf",
             "__builtin_clz": "__builtin_ctz", "__builtin_ctz": "__builtin_clz"}


def _call(source: Source, at: int) -> int | None:
    """The closing bracket of a call whose name is the token `at`."""
    token = source.tokens[at]
    if token.kind == "id" and source.text_at(at + 1) == "(":
        return source.match.get(at + 1)
    return None


def modifier_ignored(source: Source) -> Iterator[Change]:
    """has(m, mod::x) -> false, true; modifier(m, mod::x) -> 0"""
    for at, token in enumerate(source.tokens):
        end = _call(source, at)
        if end is None or source.text_at(at + 2) != "m" or source.text_at(at + 4) != "mod":
            continue
        for new in {"has": ("false", "true"), "modifier": ("0U",)}.get(token.text, ()):
            yield at, end, new, "expression"


def slot_exchanged(source: Source) -> Iterator[Change]:
    """slot::a -> slot::b and so on"""
    for at, token in enumerate(source.tokens):
        if token.text == "slot" and source.text_at(at + 1) == "::" and source.text_at(at + 2) in SLOTS:
            yield at, at + 2, f"slot::{SLOTS[source.text_at(at + 2)]}", "expression"


def sign_ignored(source: Source) -> Iterator[Change]:
    """x.negate, x.invert, x.absolute -> false; x.part -> 0; as_signed(x) -> x"""
    for at, token in enumerate(source.tokens):
        if token.text in ("negate", "invert", "absolute", "part") and source.text_at(at - 1) == ".":
            first = at - 2
            if source.text_at(first) == ")":
                first = source.match[first] - 1
                while source.text_at(first - 1) in (".", "::"):
                    first -= 2
            yield first, at, "0" if token.text == "part" else "false", "expression"
        end = _call(source, at)
        if token.text == "as_signed" and end is not None and source.text_at(at - 1) != "int32_t":
            if source.tokens[at - 1].kind != "id":
                yield at, end, f"std::int64_t{{{source.of(at + 2, end - 1)}}}", "expression"


def operator_replaced(source: Source) -> Iterator[Change]:
    """+ and -, & and |, << and >>, && and || change places; * and ^ become + and |"""
    yield from operators.exchanged(source, REPLACED)
    for first, last in source.statements:
        for at in operators._level(source, first, last - 1):
            text = source.tokens[at].text
            if at in source.assignments and text[:-1] in REPLACED:
                new = f"{source.of(first, at - 1)} {REPLACED[text[:-1]]}= {source.of(at + 1, last)}"
                yield first, last, new, "statement"
                break


def complement_dropped(source: Source) -> Iterator[Change]:
    """~x, !x, -x -> x"""
    for at, token in enumerate(source.tokens):
        if token.kind != "op" or token.text not in "~!-" or token.end != source.tokens[at + 1].begin:
            continue
        before = source.tokens[at - 1]
        if token.text == "-" and (before.kind in ("id", "number") and before.text not in source.stops or
                                  before.text in CLOSING):
            continue
        if source.text_at(at + 1).endswith("_cast"):
            continue  # the minus of a number: operands_swapped and condition_forced turn it
        last = operators.operand_end(source, at + 1, braces=True)
        if last > at:
            yield at, last, source.of(at + 1, last), "expression"


def lanes_unmasked(source: Source) -> Iterator[Change]:
    """m.lanes -> all_lanes, where it is read"""
    for at, token in enumerate(source.tokens):
        if token.text == "m" and source.text_at(at + 1) == "." and source.text_at(at + 2) == "lanes":
            if at + 3 not in source.assignments:
                yield at, at + 2, "all_lanes", "expression"


def call_left_out(source: Source) -> Iterator[Change]:
    """A statement that consists of a call is removed."""
    for at, token in enumerate(source.tokens):
        if token.kind != "id" or token.text in source.stops or not source._starts_statement(at):
            continue
        around = source.enclosing[at]
        if around is None:
            continue
        here, calls = at, 0
        while here < len(source.tokens) and source.text_at(here) != ";":
            text = source.text_at(here)
            if text == "(":
                calls += 1
                here = source.match.get(here, here)
            elif text == "[":
                here = source.match.get(here, here)
            elif source.tokens[here].kind == "id" or text in (".", "::", "->"):
                if source.tokens[here].kind == "id" and source.tokens[here - 1].kind == "id" and here > at:
                    break
            else:
                break
            here += 1
        if source.text_at(here) == ";" and calls == 1 and source.text_at(here - 1) == ")":
            yield at, here, ";", "statement"


def cases_exchanged(source: Source) -> Iterator[Change]:
    """switch (x): two cases that follow each other change places"""
    for at, token in enumerate(source.tokens):
        if token.text != "switch" or source.text_at(at + 1) != "(":
            continue
        close = source.match[at + 1]
        value = source.of(at + 2, close - 1)
        end = source.match.get(close + 1, close)
        labels = []
        for here in range(close + 1, end):
            if source.text_at(here) == "case":
                colon = here + 1
                while source.text_at(colon) != ":":
                    colon += 1
                labels.append((here, source.of(here + 1, colon - 1)))
        for (first, a), (second, b) in zip(labels, labels[1:]):
            if source.text_at(second - 1) == ":":
                continue  # both do the same
            yield (at + 2, close - 1, f"{value} == {a} ? ({b}) : {value} == {b} ? ({a}) : {value}", "expression")


def function_replaced(source: Source) -> Iterator[Change]:
    """std::min(a, b) -> std::max(a, b) and so on; std::fma(a, b, c) -> a * b + c"""
    for at, token in enumerate(source.tokens):
        end = _call(source, at)
        if end is None:
            continue
        first = at - 2 if source.text_at(at - 1) == "::" else at
        arguments = source.of(at + 1, end)
        if token.text in FUNCTIONS:
            name = FUNCTIONS[token.text]
            yield first, end, ("std::" if first < at else "") + name + arguments, "expression"
        if token.text == "fma":
            a, b, c = (text.strip() for text in arguments[1:-1].split(","))
            yield first, end, f"{a} * {b} + {c}", "expression"


def condition_forced(source: Source) -> Iterator[Change]:
    """The condition of ?: is true, or false; that of an `if` is false."""
    for at, token in enumerate(source.tokens):
        extent = source.ternary(at) if token.kind == "op" and token.text == "?" else None
        if extent is not None:
            yield extent[0], at - 1, "true", "expression"
            yield extent[0], at - 1, "false", "expression"
    for first, last in operators._conditions(source):
        yield first, last, "false", "expression"


OPERATORS = {**operators.OPERATORS,
             **operators.by_name(modifier_ignored, slot_exchanged, sign_ignored, operator_replaced, complement_dropped,
                                 lanes_unmasked, call_left_out, cases_exchanged, function_replaced, condition_forced)}


# ---- where they apply ------------------------------------------------------------------------------------------------
LOCAL_TABLE = re.compile(r"^( +)(static constexpr|constexpr)( [\w:]+ \w+(?:\[\w*\])+ = \{)", re.M)
NAMED_NUMBER = re.compile(r"^(?:inline )?constexpr [\w:]+ (\w+ = [^;{}]*);", re.M)


def without_constant_tables(text: str) -> str:
    """`text` with the tables inside functions filled at run time, so that their numbers can be mutated. Every character
    behind stays where it was."""
    return LOCAL_TABLE.sub(lambda m: m[1] + "const".ljust(len(m[2])) + m[3], text)


def named_numbers(text: str) -> set[str]:
    """Names of the constants of a namespace."""
    return {part.split("=")[0].strip() for found in NAMED_NUMBER.findall(text) for part in found.split(", ")}


def uses_of(names: set[str]) -> operators.Operator:
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
            mutant.operator == "operator_replaced" and ('"' in mutant.old or mutant.old == "place + what") or
            mutant.operator == "complement_dropped" and mutant.old.endswith("_scope()"))


def generate(file: str, text: str, names: set[str]) -> list[Mutant]:
    """The mutants of a source. `names`: named numbers that it uses."""
    table = {**OPERATORS, "named_number_off": uses_of(names)}
    made = [dataclasses.replace(m, new="0xfffffffeU") if m.new == "0x100000000U" else m  # of 32 bits, as before
            for m in operators.generate(file, without_constant_tables(text), table=table)]
    return [m for m in made if not _pointless(m, text)]


FUNCTION = re.compile(
    r"^(?!#|//|namespace|using|template|struct|enum|constexpr \w+ \w+ =)[\w\[][\w:<>,&*\[\] ]*?(\w+)\(", re.M)


def function_at(text: str, offset: int) -> str:
    """The name of the function around an offset; "" outside of all."""
    name = ""
    for found in FUNCTION.finditer(text, 0, offset):
        name = found[1]
    return name
