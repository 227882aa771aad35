# SPDX-License-Identifier: Apache-2.0
"""The operators that make mutants. Each replaces an operand, an expression or a statement of the syntax tree, so any
two mutants are disjoint or nested, and all go into one build. OPERATORS has the operators of each kind of campaign."""
from __future__ import annotations

import re
from typing import Callable, Iterator

from scanner import ASSIGNMENTS, CLOSING, OPENING, Source

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


def _sides(source: Source, *texts: str) -> Iterator[tuple[int, int, int, bool]]:
    """The same, and whether the left side has the same operator itself, as in a chain."""
    for first, at, last in _binary(source, *texts):
        yield first, at, last, any(source.is_binary(here) and source.tokens[here].text == source.tokens[at].text
                                   for here in level(source, first, at - 1))


def _unary(source: Source, texts: str, braces: bool = False) -> Iterator[tuple[int, int]]:
    """The sign and the last token of each operand with one of these signs right before it."""
    for at, token in enumerate(source.tokens[:-1]):
        if token.kind == "op" and token.text in texts and token.end == source.tokens[at + 1].begin:
            last = operand_end(source, at + 1, braces)
            if last > at:
                yield at, last


def operand_end(source: Source, here: int, braces: bool = False) -> int:
    """Last token of a name, a number or brackets, with their suffixes; with `braces` NAME{...} too. -1 for others."""
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
    """a o b -> a n b, where n is new[o]"""
    for first, at, last in _binary(source, *new):
        text = form.format(source.of(first, at - 1), new[source.tokens[at].text], source.of(at + 1, last))
        yield first, last, text, "expression"


def _conditions(source: Source) -> Iterator[tuple[int, int]]:
    """First and last token of the condition of each `if`."""
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
BASES = {"b": (2, "b"), "o": (8, "o"), "d": (10, "d"), "h": (16, "x"), "x": (16, "x")}  # base, format


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
    """True for a number that is a value, not the width of a cast, the count of a replication or a bound of a range."""
    after, before = source.text_at(at + 1), source.text_at(at - 1)
    if source.tokens[at].kind != "number" or (source.systemverilog and after in ("'", "{")):
        return False
    if before in ("+:", "-:") or (source.systemverilog and (after == ":" or before == ":")):
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
    for first, at, last, chained in _sides(source, "&&", "||"):
        kept = _true(source) if source.tokens[at].text == "&&" else _false(source)
        yield at + 1, last, kept, "expression"
        if not chained:  # otherwise the sides of the left side are left out one by one
            yield first, at - 1, kept, "expression"
    for first, last in _conditions(source):
        yield first, last, _true(source), "expression"


def enable_inverted(source: Source) -> Iterator[Change]:
    """if (c) -> if (!c)"""
    for first, last in _conditions(source):
        yield first, last, f"!({source.of(first, last)})", "expression"


# ---- operands, statements, bits --------------------------------------------------------------------------------------
def level(source: Source, first: int, last: int) -> Iterator[int]:
    """Tokens from `first` to `last` that are outside of brackets; of brackets, the opening one."""
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


def _number_with(source: Source, at: int, last: int, change: Callable[[int, int | None], int]) -> Iterator[Change]:
    """The right side of the operator at `at`, where it is a number."""
    if at + 1 == last and source.tokens[last].kind == "number":
        new = _with_value(source.tokens[last].text, source.systemverilog, change)
        if new is not None:
            yield last, last, new, "expression"


def bit_left_out(source: Source) -> Iterator[Change]:
    """The top bit of a constant mask, a side of |, & or ^, one place of a shift, a part of a concatenation."""
    for first, at, last, chained in _sides(source, "|", "&", "^"):
        yield from _number_with(source, at, last, lambda value, _: value & ~(1 << max(value.bit_length() - 1, 0)))
        yield first, last, source.of(first, at - 1), "expression"
        if not chained:
            yield first, last, source.of(at + 1, last), "expression"
    for _, at, last in _binary(source, "<<", ">>", "<<<", ">>>"):
        yield from _number_with(source, at, last, lambda value, _: value - 1)
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
               for here in level(source, at + 1, end - 1)):
            continue  # a replication: its inner concatenation has its own turn
        first = at + 1
        for here in [*(h for h in level(source, at + 1, end - 1) if source.tokens[h].text == ","), end]:
            text = source.of(first, here - 1) if first < here else ""
            if text and not re.fullmatch(r"\d*'[sS]?[bodhBODH]?[01_]*0", text) and '"' not in text:
                yield first, here - 1, f"({text}) & ~({text})", "expression"  # 0 of the same width
            first = here + 1


# ---- operators and values of sources that the cross-check compares ---------------------------------------------------
REPLACED = {"+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "&": "|", "|": "&", "^": "|", "<<": ">>", ">>": "<<",
            "&&": "||", "||": "&&"}
NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def operator_replaced(source: Source) -> Iterator[Change]:
    """+ and -, & and |, << and >>, && and || change places; *, /, %, ^ become +, *, /, |"""
    return exchanged(source, REPLACED, "({}) {} ({})")


def comparison_negated(source: Source) -> Iterator[Change]:
    """< and >=, > and <= change places (== and != do in comparison_turned)."""
    return exchanged(source, NEGATED)


def operand_lost(source: Source) -> Iterator[Change]:
    """a + b, a - b, a * b, a << b -> a; a + b -> b"""
    for first, at, last in _binary(source, "+", "-", "*", "<<", ">>"):
        yield first, last, source.of(first, at - 1), "expression"
        if source.tokens[at].text == "+":
            yield first, last, source.of(at + 1, last), "expression"


def negation_dropped(source: Source) -> Iterator[Change]:
    """!x, ~x -> x"""
    for at, last in _unary(source, "!~"):
        yield at, last, f"({source.of(at + 1, last)})", "expression"


def _values(source: Source) -> Iterator[tuple[int, int]]:
    """First and last token of each value that is assigned, returned, or given to a port of an instance."""
    ends: dict[int, int] = {}
    for first, last in source.statements:
        for at in level(source, first, last):
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
    """A value that is assigned, returned or connected -> its complement (C++: with the lowest bit inverted)"""
    for first, last in _values(source):
        text = source.of(first, last)
        yield first, last, f"~({text})" if source.systemverilog else f"({text}) ^ 1", "expression"


def index_off_by_one(source: Source) -> Iterator[Change]:
    """x[i] -> x[i + 1], where i is not a constant"""
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
        selects = [here for here in level(source, at + 1, end - 1) if source.text_at(here) in ("+:", "-:")]
        last = selects[0] - 1 if selects else end - 1
        yield at + 1, last, f"({source.of(at + 1, last)}) + 1", "expression"


def condition_never(source: Source) -> Iterator[Change]:
    """An `if` of SystemVerilog is never taken."""
    for first, last in _conditions(source) if source.systemverilog else []:
        yield first, last, "1'b0", "expression"


# ---- mistakes of executors and the texture unit ----------------------------------------------------------------------
COMPOUND = {old: new for old, new in REPLACED.items() if old not in ("/", "%")}
SLOTS = {"a": "b", "b": "a", "c": "b", "pd": "pq", "pq": "pd", "pa": "pb", "pb": "pa", "ps": "pa"}
FUNCTIONS = {"min": "max", "max": "min", "fmin": "fmax", "cos": "sin", "sin": "cos", "exp2": "exp", "log2": "log",
             "sqrt": "cbrt", "tanh": "tan", "nearbyint": "trunc", "fabs": "cbrt", "isnan": "isinf",
             "__builtin_clz": "__builtin_ctz", "__builtin_ctz": "__builtin_clz"}


def _call(source: Source, at: int) -> int | None:
    """The closing bracket of a call whose name is the token `at`."""
    return source.match.get(at + 1) if source.tokens[at].kind == "id" and source.text_at(at + 1) == "(" else None


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


def operator_exchanged(source: Source) -> Iterator[Change]:
    """+ and -, & and |, << and >>, && and || change places; * and ^ become + and |; so do += and so on"""
    yield from exchanged(source, COMPOUND)
    for first, last in source.statements:
        for at in level(source, first, last - 1):
            text = source.tokens[at].text
            if at in source.assignments and text[:-1] in COMPOUND:
                new = f"{source.of(first, at - 1)} {COMPOUND[text[:-1]]}= {source.of(at + 1, last)}"
                yield first, last, new, "statement"
                break


def complement_dropped(source: Source) -> Iterator[Change]:
    """~x, !x, -x -> x"""
    for at, last in _unary(source, "~!-", braces=True):
        before = source.tokens[at - 1]
        subtracts = source.tokens[at].text == "-" and (
            before.kind in ("id", "number") and before.text not in source.stops or before.text in CLOSING)
        # The minus of a cast number: operands_swapped and condition_forced turn it.
        if not subtracts and not source.text_at(at + 1).endswith("_cast"):
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
                continue  # both labels have the same statements
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
    for first, last in _conditions(source):
        yield first, last, "false", "expression"


EVERYWHERE: tuple[Operator, ...] = (constant_off_by_one, comparison_turned, condition_dropped, operands_swapped,
                                    enable_inverted, write_left_out, bit_left_out)
OPERATORS: dict[str, tuple[Operator, ...]] = {  # by kind of campaign
    "sources": EVERYWHERE,
    "crosscheck": (*EVERYWHERE, operator_replaced, comparison_negated, operand_lost, negation_dropped, value_lost,
                   value_inverted, index_off_by_one, condition_never),
    "library": (*EVERYWHERE, modifier_ignored, slot_exchanged, sign_ignored, operator_exchanged, complement_dropped,
                lanes_unmasked, call_left_out, cases_exchanged, function_replaced, condition_forced),
}
