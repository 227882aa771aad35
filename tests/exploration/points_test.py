# SPDX-License-Identifier: Apache-2.0
import support
from exploration.points import expand, violated_before
from isbesim.simulator import Simulator
from exploration.reading import read_sweep


class PointsTest(support.FolderTest):
    def settings(self, **keys: object) -> list[tuple[object, ...]]:
        sweep = read_sweep(self.write_sweep(**keys), Simulator(support.ISBESIM))
        points = expand(sweep)
        self.assertEqual([point.index for point in points], list(range(len(points))))
        return [tuple(point.settings.values()) for point in points]

    def test_the_last_axis_moves_fastest(self) -> None:
        self.assertEqual(self.settings(axes={"isbe.skew": [True, False], "isbe.banks": [8, 16]}),
                         [(True, 8), (True, 16), (False, 8), (False, 16)])

    def test_without_axes_there_is_the_base_machine(self) -> None:
        self.assertEqual(self.settings(axes={}), [()])

    def test_zipped_axes_move_together(self) -> None:
        axes = {"isbe.banks": [8, 16], "isbe.skew": [True, False], "isbe.lines": [64, 128]}
        self.assertEqual(self.settings(axes=axes, zip=[["isbe.banks", "isbe.lines"]]),
                         [(8, 64, True), (8, 64, False), (16, 128, True), (16, 128, False)])

    def test_a_sample_is_part_of_the_grid_and_follows_its_seed(self) -> None:
        axes = {"isbe.lines": {"range": [8, 8192], "step": 8}, "isbe.request_queue_depth": {"range": [1, 64]},
                "isbe.response_queue_depth": {"range": [1, 128]}}
        one = self.settings(axes=axes, sample={"count": 50, "seed": 1})
        self.assertEqual(len(set(one)), 50)
        self.assertEqual(one, self.settings(axes=axes, sample={"count": 50, "seed": 1}))
        self.assertNotEqual(one, self.settings(axes=axes, sample={"count": 50, "seed": 2}))
        self.assertEqual(one, sorted(one))

    def test_a_sample_larger_than_the_grid_is_the_grid(self) -> None:
        self.assertEqual(self.settings(sample=99), [(8,), (16,), (32,)])

    def test_a_constraint_names_a_file_of_a_machine_as_the_results_do(self) -> None:
        (self.folder / "small.json").write_text('{"isbe": {"lines": 256}}', encoding="utf-8")
        file = self.write_sweep(axes={"machine": ["small.json", "gm107"]}, constraints=["machine == 'small'"])
        sweep = read_sweep(file, Simulator(support.ISBESIM))
        self.assertEqual([violated_before(sweep, point, sweep.scenarios[0]) for point in expand(sweep)],
                         [[], ["machine == 'small'"]])

    def test_a_point_has_the_whole_configuration(self) -> None:
        sweep = read_sweep(self.write_sweep(base={"sm_count": 3}), Simulator(support.ISBESIM))
        configs = [point.config for point in expand(sweep)]
        self.assertEqual([config["isbe.banks"] for config in configs], [8, 16, 32])
        self.assertEqual({config["sm_count"] for config in configs}, {3})
        self.assertEqual(set(configs[0]), set(Simulator(support.ISBESIM).machine(None, {})))
