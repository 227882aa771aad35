# SPDX-License-Identifier: Apache-2.0
import unittest

from exploration.axes import AxisError, axis_values


class AxisTest(unittest.TestCase):
    def test_forms(self) -> None:
        self.assertEqual(axis_values([8, 32]), [8, 32])
        self.assertEqual(axis_values([True, False, 1]), [True, False, 1])
        self.assertEqual(axis_values({"range": [1, 4]}), [1, 2, 3, 4])
        self.assertEqual(axis_values({"range": [8, 31], "step": 8}), [8, 16, 24])
        self.assertEqual(axis_values({"log2": [1, 16]}), [1, 2, 4, 8, 16])
        self.assertEqual(axis_values({"log2": [3, 23]}), [3, 6, 12])
        self.assertEqual(axis_values({"log": [1, 1000], "count": 4}), [1, 10, 100, 1000])
        self.assertEqual(axis_values({"log": [64, 256], "count": 3, "step": 8}), [64, 128, 256])

    def test_a_rounded_log_range_has_no_repeats(self) -> None:
        self.assertEqual(axis_values({"log": [1, 4], "count": 10}), [1, 2, 3, 4])

    def test_a_real_range_reaches_its_end(self) -> None:
        self.assertEqual(len(axis_values({"range": [0.1, 0.7], "step": 0.1})), 7)

    def test_refused(self) -> None:
        for spec in ([], 3, "8", [[8]], [8, 8], [None], {}, {"range": [1]}, {"range": [4, 1]}, {"log2": [0, 4]},
                     {"log2": [1, 4], "step": 2}, {"range": [1, 4], "step": 0}, {"log": [1, 4]},
                     {"log": [1, 4], "count": 1}, {"log": [1, 4], "count": True}, {"range": [1, 2], "log2": [1, 2]}):
            with self.subTest(spec), self.assertRaises(AxisError):
                axis_values(spec)
