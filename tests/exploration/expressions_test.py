# SPDX-License-Identifier: Apache-2.0
import unittest

from exploration.expressions import Expression, ExpressionError


class ExpressionTest(unittest.TestCase):
    def test_names_have_dots_and_python_precedence(self) -> None:
        condition = Expression("isbe.lines * isbe.banks + 1 <= 16385 and not sm_count > 2")
        self.assertEqual(condition.names, {"isbe.lines", "isbe.banks", "sm_count"})
        self.assertTrue(condition.holds({"isbe.lines": 512, "isbe.banks": 32, "sm_count": 2}))
        self.assertFalse(condition.holds({"isbe.lines": 513, "isbe.banks": 32, "sm_count": 2}))
        self.assertFalse(condition.holds({"isbe.lines": 1, "isbe.banks": 8, "sm_count": 3}))

    def test_chains_words_and_truth_values(self) -> None:
        for text in ("1 / 0 < 1", "1 % 0 < 1", "9" * 400 + "/3 < 1", "'a' * 3 == 'aaa'", "'%d' % 1 == '1'", "1 < 'a'"):
            with self.assertRaises(TypeError, msg=text):
                Expression(text).holds({})
        self.assertTrue(Expression("8 <= isbe.banks <= 16").holds({"isbe.banks": 16}))
        self.assertFalse(Expression("8 <= isbe.banks < 16").holds({"isbe.banks": 16}))
        self.assertTrue(Expression("isbe.access == 'line' or isbe.skew == true").holds(
            {"isbe.access": "banked", "isbe.skew": True}))

    def test_nothing_but_conditions(self) -> None:
        for text in ("isbe.lines", "isbe.lines <=", "f(1) < 2", "isbe['lines'] < 2", "1 if a else 2", "a < [1]",
                     "(lambda: 1) < 2", "a ** 2 < 3", "isbe.lines < 1; x", "a in b", "12"):
            with self.subTest(text), self.assertRaises(ExpressionError):
                Expression(text)

    def test_a_missing_name_is_an_error(self) -> None:
        with self.assertRaises(KeyError):
            Expression("latency.ald.p99 < 100").holds({})
