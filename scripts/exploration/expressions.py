# SPDX-License-Identifier: Apache-2.0
"""Constraints such as `isbe.lines * isbe.banks <= 16384`: comparisons and arithmetic over dotted names only."""

from __future__ import annotations

import ast
import operator
from dataclasses import dataclass, field
from typing import Any, Callable, Mapping

_OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Mod: operator.mod, ast.USub: operator.neg, ast.Not: operator.not_,
}
_CONSTANTS = {"true": True, "false": False}
MOST_CHARACTERS = 500


class ExpressionError(Exception):
    pass


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    raise ExpressionError("expected names, numbers, quoted words and comparisons")


@dataclass
class Expression:
    """A condition on configuration keys and figures. Names may have dots; true and false are constants."""

    text: str
    names: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        if len(self.text) > MOST_CHARACTERS:
            raise ExpressionError(f"expected at most {MOST_CHARACTERS} characters")
        try:
            self._root = ast.parse(self.text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise ExpressionError("expected a condition such as isbe.lines <= 1024") from error
        if not isinstance(self._root, (ast.Compare, ast.BoolOp, ast.UnaryOp)):
            raise ExpressionError("expected a comparison such as isbe.lines <= 1024")
        self._collect(self._root)

    def _collect(self, node: ast.expr) -> None:
        if isinstance(node, (ast.Name, ast.Attribute)):
            name = _dotted(node)
            if name not in _CONSTANTS:
                self.names.add(name)
            return
        parts: list[ast.expr] = []
        kinds: list[ast.AST] = []
        if isinstance(node, ast.Compare):
            parts, kinds = [node.left, *node.comparators], list(node.ops)
        elif isinstance(node, ast.BoolOp):
            parts = node.values
        elif isinstance(node, ast.BinOp):
            parts, kinds = [node.left, node.right], [node.op]
        elif isinstance(node, ast.UnaryOp):
            parts, kinds = [node.operand], [node.op]
        elif not isinstance(node, ast.Constant) or not isinstance(node.value, (int, float, str)):
            raise ExpressionError("expected names, numbers, quoted words and comparisons")
        if any(type(kind) not in _OPERATORS for kind in kinds):
            raise ExpressionError("expected one of < <= > >= == != + - * / % and or not")
        for part in parts:
            self._collect(part)

    def holds(self, values: Mapping[str, Any]) -> bool:
        """Raises KeyError when a name has no value, TypeError when values do not compare or have no result."""
        try:
            return bool(self._evaluate(self._root, values))
        except (ArithmeticError, ValueError) as error:
            raise TypeError(str(error)) from error

    def _evaluate(self, node: ast.expr, values: Mapping[str, Any]) -> Any:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, (ast.Name, ast.Attribute)):
            name = _dotted(node)
            return _CONSTANTS[name] if name in _CONSTANTS else values[name]
        if isinstance(node, ast.BoolOp):
            fold = all if isinstance(node.op, ast.And) else any
            return fold(self._evaluate(part, values) for part in node.values)
        if isinstance(node, ast.UnaryOp):
            return _OPERATORS[type(node.op)](self._evaluate(node.operand, values))
        if isinstance(node, ast.BinOp):
            left, right = self._evaluate(node.left, values), self._evaluate(node.right, values)
            if isinstance(left, str) or isinstance(right, str):
                raise TypeError("words have no sum or product")
            return _OPERATORS[type(node.op)](left, right)
        assert isinstance(node, ast.Compare)
        operands = [self._evaluate(part, values) for part in (node.left, *node.comparators)]
        return all(_OPERATORS[type(kind)](a, b) for kind, a, b in zip(node.ops, operands, operands[1:]))
