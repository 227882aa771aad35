# SPDX-License-Identifier: Apache-2.0
"""Tokens of C++ and SystemVerilog sources and the extents of operands: as much grammar as the operators need.

The sources are formatted: a binary operator has white space on both sides, and an operator without it is something else
(a template's bracket, a pointer, a sign, a reduction). What this takes wrongly for an expression does not compile, and
is dropped then."""
from __future__ import annotations

import bisect
import dataclasses
import re

CPP_TOKEN = re.compile(r"""
    (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<directive>^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)
  | (?P<string>(?:u8|[uUL])?R"(?P<mark>[^()\s]*)\(.*?\)(?P=mark)"|(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+')
  | (?P<number>(?:0[xX][0-9a-fA-F']+|0[bB][01']+|\d[\d']*(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)[uUlLzZfF]*)
  | (?P<id>[A-Za-z_]\w*)
  | (?P<op><<=|>>=|<=>|->\*|\.\.\.|::|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)
""", re.X | re.S | re.M)

SV_TOKEN = re.compile(r"""
    (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<directive>^[ \t]*`(?:ifdef|ifndef|elsif|else|endif|define|undef|include|timescale|default_nettype)\b[^\n]*)
  | (?P<string>"(?:[^"\\]|\\.)*")
  | (?P<number>(?:\d[\d_]*)?'[sS]?[bodhBODH][0-9a-fA-FxXzZ_?]+|'[01xXzZ](?!\w)|\d[\d_]*(?:\.\d+)?)
  | (?P<id>[`$]?[A-Za-z_][\w$]*)
  | (?P<op><<<=|>>>=|===|!==|==\?|!=\?|<<<|>>>|<<=|>>=|\+:|-:|::|->|\+\+|--|\*\*|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=
      |~\^|\^~|.)
""", re.X | re.S | re.M)

CPP_BINARY = {"*": 13, "/": 13, "%": 13, "+": 12, "-": 12, "<<": 11, ">>": 11, "<=>": 10, "<": 9, "<=": 9, ">": 9,
              ">=": 9, "==": 8, "!=": 8, "&": 7, "^": 6, "|": 5, "&&": 4, "||": 3}
SV_BINARY = {"**": 14, "*": 13, "/": 13, "%": 13, "+": 12, "-": 12, "<<": 11, ">>": 11, "<<<": 11, ">>>": 11, "<": 10,
             "<=": 10, ">": 10, ">=": 10, "==": 9, "!=": 9, "===": 9, "!==": 9, "==?": 9, "!=?": 9, "&": 8, "^": 7,
             "~^": 7, "^~": 7, "|": 6, "&&": 5, "||": 4}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "<<<=", ">>>="}
TERNARY = 2  # its precedence in both languages

OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = set(OPENING.values())
CPP_STOPS = {"return", "else", "do", "case", "throw", "co_return", "goto", "delete", "template", "if", "while",
             "for", "switch"}
SV_STOPS = {"begin", "end", "else", "assign", "return", "if", "for", "while", "case", "casez", "endcase", "posedge",
            "negedge", "unique", "priority", "default"}


@dataclasses.dataclass(frozen=True)
class Token:
    kind: str  # comment, directive, string, number, id, op
    text: str
    begin: int
    end: int


class Source:
    """A file's tokens. Positions in `tokens` are `at`, positions in the text are offsets."""

    def __init__(self, text: str, systemverilog: bool) -> None:
        self.text, self.systemverilog = text, systemverilog
        self.binary = SV_BINARY if systemverilog else CPP_BINARY
        self.stops = SV_STOPS if systemverilog else CPP_STOPS
        pattern = SV_TOKEN if systemverilog else CPP_TOKEN
        found = [Token(str(m.lastgroup) if m.lastgroup != "mark" else "string", m.group(), m.start(), m.end())
                 for m in pattern.finditer(text)]
        self.tokens = [t for t in found if not t.text.isspace() and t.kind not in ("comment", "directive")]
        self.match: dict[int, int] = {}  # bracket -> its partner, both ways
        self.assignments: set[int] = set()  # operators that assign
        self._pair_brackets()
        self._lines = [0] + [m.end() for m in re.finditer("\n", text)]
        self.statements = self._statements()

    def line_of(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1."""
        line = bisect.bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def of(self, first: int, last: int) -> str:
        """The text from one token to another, on one line and without comments."""
        parts = []
        for at in range(first, last + 1):
            if at > first and self.tokens[at - 1].end < self.tokens[at].begin:
                parts.append(" ")
            parts.append(self.tokens[at].text)
        return "".join(parts)

    def text_at(self, at: int) -> str:
        return self.tokens[at].text if 0 <= at < len(self.tokens) else ""

    def _pair_brackets(self) -> None:
        open_ones: list[int] = []
        self.enclosing: list[int | None] = []  # of each token: the bracket around it
        for at, token in enumerate(self.tokens):
            is_bracket = token.kind == "op"
            if is_bracket and token.text in CLOSING and open_ones:
                partner = open_ones.pop()
                self.match[partner], self.match[at] = at, partner
            self.enclosing.append(open_ones[-1] if open_ones else None)
            if is_bracket and token.text in OPENING:
                open_ones.append(at)

    def is_binary(self, at: int) -> bool:
        """White space on both sides, an operand on both sides, and no assignment (SystemVerilog's <=)."""
        token = self.tokens[at]
        if token.kind != "op" or token.text not in self.binary or at in self.assignments:
            return False
        if at == 0 or at + 1 == len(self.tokens):
            return False
        before, after = self.tokens[at - 1], self.tokens[at + 1]
        return (before.end < token.begin and token.end < after.begin and
                (before.kind != "op" or before.text in CLOSING or before.text in ("++", "--")))

    def _ends_operand(self, at: int) -> bool:
        """A token that no operand of any operator contains at its own bracket level."""
        token = self.tokens[at]
        if token.kind == "id":
            return token.text in self.stops
        return token.kind == "op" and (at in self.assignments or token.text in ASSIGNMENTS or
                                       token.text in (",", ";", "?", ":"))

    def left_end(self, at: int, precedence: int) -> int:
        """First token of the left operand of the operator at `at`."""
        first = at
        here = at - 1
        while here >= 0:
            token = self.tokens[here]
            if token.kind == "op" and token.text in OPENING:
                break
            if self._ends_operand(here) or (self.is_binary(here) and self.binary[token.text] < precedence):
                break
            if token.text == "}" and not self._is_value(self.match.get(here, here)):
                break
            here = self.match.get(here, here) if token.text in CLOSING else here
            first = here
            here -= 1
        return first

    def right_end(self, at: int, precedence: int) -> int:
        """Last token of the right operand of the operator at `at`: all operators associate to the left."""
        last = at
        here = at + 1
        while here < len(self.tokens):
            token = self.tokens[here]
            if token.kind == "op" and token.text in CLOSING:
                break
            if self._ends_operand(here) or (self.is_binary(here) and self.binary[token.text] <= precedence):
                break
            if token.text == "{" and not self._is_value(here):
                break
            here = self.match.get(here, here) if token.text in OPENING else here
            last = here
            here += 1
        return last

    def _is_value(self, brace: int) -> bool:
        """`{` opens an initializer, a lambda or a concatenation, not a block."""
        if self.systemverilog:
            return True
        before = self.tokens[brace - 1] if brace else None
        if before is None or before.text in (";", "{", "}", ")", "else", "do", "const", "noexcept", "override", "try"):
            # A lambda's body belongs to its value.
            return before is not None and before.text == ")" and self.text_at(self.match.get(brace - 1, 0) - 1) == "]"
        return True

    def ternary(self, question: int) -> tuple[int, int, int] | None:
        """First token of the condition, the colon, last token of the second arm."""
        first, colon = self.left_end(question, TERNARY), self._arm_end(question) + 1
        last = self._arm_end(colon) if self.text_at(colon) == ":" else colon
        return (first, colon, last) if first < question and last > colon else None

    def _arm_end(self, at: int) -> int:
        """Last token of the arm after the `?` or `:` at `at`; an arm may have arms itself."""
        last = self.right_end(at, TERNARY)
        inner = self.ternary(last + 1) if self.text_at(last + 1) == "?" else None
        return inner[2] if inner else last

    # ---- statements --------------------------------------------------------------------------------------------------
    def _starts_statement(self, at: int) -> bool:
        before = self.text_at(at - 1)
        around = self.enclosing[at]
        if around is not None and (self.systemverilog or self.tokens[around].text != "{"):
            return False
        if not self.systemverilog and self.tokens[at].text in ("case", "default"):
            return False
        if before == ":" and not self.systemverilog:
            return self._ends_case(at - 1)
        if before in (";", "{", "}", "else", "do") or at == 0:
            return before != "{" or not self.systemverilog
        if self.systemverilog and before in ("begin", "end", "endcase", "always_comb"):
            return True
        if before == ")":  # of if (...), for (...), while (...), @(...)
            head = self.text_at(self.match.get(at - 1, 0) - 1)
            return head in ("if", "for", "while", "@", "repeat", "switch") or (
                head == "constexpr" and self.text_at(self.match.get(at - 1, 0) - 2) == "if")
        if before == ":" and self.systemverilog:
            return self.label_before(at - 1) is not None
        return False

    def _ends_case(self, colon: int) -> bool:
        """`colon` ends a case label of C++."""
        here = colon - 1
        while here >= 0 and self.tokens[here].text not in (";", "{", "}", ":", "?"):
            if self.tokens[here].text in ("case", "default"):
                return True
            here -= 1
        return False

    def label_before(self, colon: int) -> int | None:
        """First token of the case label that ends with `colon`."""
        here = colon - 1
        while here >= 0:
            text = self.tokens[here].text
            if text in CLOSING and here in self.match:
                here = self.match[here] - 1
                continue
            if text in (";", "begin", "end", "endcase") or text == ")":
                break
            if text in OPENING or text == "?" or text in ASSIGNMENTS or text == "<=":
                return None
            here -= 1
        # After `case (x)` the walk has jumped over (x): its keyword is not part of a label.
        for at in range(here + 1, colon):
            if self.tokens[at].text in ("case", "casez", "unique", "priority"):
                follows = at + 1
                while follows < colon and self.tokens[follows].text != "(":
                    follows += 1
                here = self.match.get(follows, follows)
        return here + 1 if here + 1 < colon else None

    def _statements(self) -> list[tuple[int, int]]:
        """Assignments that are statements, in code that runs: first token and the `;`."""
        found = []
        for at in range(len(self.tokens)):
            if not self._starts_statement(at) or self.tokens[at].text in ("begin", "}", ";", "end"):
                continue
            if self.tokens[at].text == "{" and not self.systemverilog:
                continue
            here, operator = at, None
            while here < len(self.tokens) and self.tokens[here].text != ";":
                text = self.tokens[here].text
                if self.tokens[here].kind == "op":
                    if text in CLOSING or (text == "{" and not self._is_value(here)):
                        break
                    if text in OPENING:
                        here = self.match.get(here, here)
                    elif operator is None and (text in ASSIGNMENTS or text in ("++", "--") or
                                               (text == "<=" and self.systemverilog)):
                        operator = here
                elif self.systemverilog and text in ("begin", "end", "if", "for", "case"):
                    break
                here += 1
            if operator is None or here >= len(self.tokens) or self.tokens[here].text != ";":
                continue
            self.assignments.add(operator)
            if self._is_lvalue(at, operator):
                found.append((at, here))
        return found

    def _is_lvalue(self, first: int, operator: int) -> bool:
        """No declaration, no continuous assignment, no keyword: only an expression stands before the operator."""
        words = self.tokens[first:operator]
        if any(t.text in ("assign", "return", "using", "typedef", "localparam", "parameter", "logic", "auto", "const",
                          "constexpr", "static", "automatic", "int", "genvar", "if", "for", "while", "case",
                          "namespace", "input", "output", "delete", "throw", "co_yield") for t in words):
            return False
        if not words:
            return self.tokens[operator].text in ("++", "--")
        at = first
        while at < operator:
            token, after = self.tokens[at], self.tokens[at + 1]
            if token.kind == "op" and token.text in OPENING:
                at = self.match.get(at, at)
                continue_at = self.tokens[at + 1] if at + 1 < operator else None
                if continue_at is not None and continue_at.kind == "id":
                    return False
                at += 1
                continue
            if at + 1 < operator and after.kind == "id" and (token.kind == "id" or token.text in ("&", "*", ">")) and (
                    token.kind == "id" or at > first):
                return False
            at += 1
        return True
