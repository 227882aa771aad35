# SPDX-License-Identifier: Apache-2.0
"""Meshes with the counts of a CAD model: triangles and vertices of a meshlet, vertices that triangles share, and the
shares of triangles that are outside and that face away.

A mesh is of separate grids of quads. All positions are in the frustum, but those of `outside` grids: these are beside
it or, with clipping, behind the first clipping plane. Triangles that face away have two corners swapped.
"""

from __future__ import annotations

import pathlib
from array import array
from typing import Any, NamedTuple


class Scene(NamedTuple):
    """Quads of a grid, and how many of its rows, and of such grids, are a meshlet."""
    columns: int
    rows: int
    meshlet_rows: int
    meshlet_grids: int
    draw_meshlets: int  # of a draw, 0 for all


# worldcar: as many vertices as triangles, 60 in a meshlet, 16,000 draws of 2,000 triangles. turbine: 84 triangles in a
# meshlet, 0.58 vertices a triangle; a draw is 1.75 million triangles.
SCENES = {"worldcar": Scene(2, 3, 3, 5, 32), "turbine": Scene(7, 48, 6, 1, 0), "statues": Scene(7, 48, 6, 1, 0)}
GROUP = 32  # meshlets of a task workgroup
GROUPS = {15_000: 72, 45_000: 144}
MOST_VERTICES, MOST_TRIANGLES = 64, 84  # of a meshlet
POSITIONS = "positions.bin"
# Three matrices, which change nothing, and three planes, of which the first clips everything beyond z = 0.5.
UNIFORMS = {"0x0": [*[float(k % 5 == 0) for k in range(16)] * 3, 0.0, 0.0, -1.0, 0.5, *[0.0, 0.0, 0.0, 1.0] * 2]}


def share(number: int, fraction: float) -> bool:
    """True for this fraction of the numbers from 0, as evenly as possible."""
    return int((number + 1) * fraction + 1e-9) > int(number * fraction + 1e-9)


def box(low: tuple[float, ...], high: tuple[float, ...]) -> list[int]:
    """A meshlet's box, a byte for each coordinate from -2 to 2."""
    return [sum(round((value + 2) / 4 * 255) << 8 * k for k, value in enumerate(corner)) for corner in (low, high)]


def triangles(count: int, name: str) -> int:
    scene = SCENES[name]
    return GROUPS[count] * GROUP * 2 * scene.columns * scene.meshlet_rows * scene.meshlet_grids


def draw(count: int, folder: pathlib.Path, sizes: dict[str, Any], name: str, outside: str, away: str,
         clipping: str = "") -> tuple[dict[str, Any], list[str]]:
    """The draw, of meshlets if `sizes` has theirs; files for the storage buffers of cad.mesh."""
    scene = SCENES[name]
    groups = GROUPS[count]
    meshlets, grid_meshlets, across = groups * GROUP, scene.rows // scene.meshlet_rows, scene.columns + 1

    def beyond(meshlet: int) -> bool:
        return share(meshlet // grid_meshlets, float(outside))

    positions: array[float] = array("f")
    indices, descriptions, triangles, vertices = (array("I") for _ in range(4))
    for grid in range(meshlets * scene.meshlet_grids // grid_meshlets):
        first, far = len(positions) // 4, beyond(grid * grid_meshlets // scene.meshlet_grids)
        for y in range(scene.rows + 1):
            for x in range(across):
                positions.extend((x / 10 - 0.8 + (2.4 if far and not clipping else 0), y / 60 - 0.8,
                                  0.75 if far and clipping else 0.25, 1.0))
        for y in range(scene.rows):
            for a in range(first + y * across, first + y * across + scene.columns):
                for corners in ([a, a + 1, a + across], [a + 1, a + across + 1, a + across]):
                    indices.extend(corners[::-1] if share(len(indices) // 3, float(away)) else corners)
    each = len(indices) // meshlets
    for meshlet in range(meshlets):
        own, far = indices[meshlet * each:(meshlet + 1) * each], beyond(meshlet)
        first = min(own)
        left, z = (1.55 if far and not clipping else -0.85), (0.75 if far and clipping else 0.25)
        bounds = box((left, -0.85, z), (left + 0.4, 0.9, z))
        descriptions.extend([*bounds, max(own) + 1 - first | each // 3 << 8, meshlet])
        local = iter(index - first for index in own)
        triangles.extend(a | b << 8 | c << 16 for a, b, c in zip(local, local, local))
        triangles.extend([0] * (MOST_TRIANGLES - each // 3))
        vertices.extend(range(first, first + MOST_VERTICES))
    files: dict[str, array[Any]] = {
        "descriptions.bin": descriptions, "triangles.bin": triangles, "vertices.bin": vertices, POSITIONS: positions,
        "attributes.bin": array("f", bytes(24 * len(positions)))}
    for file, data in files.items():
        (folder / file).write_bytes(data.tobytes())
    culling = {"cull_face": "none" if clipping else "back", "depth_from_zero": True}
    if sizes:
        return {"topology": "mesh", "group_count": groups, **sizes, **culling}, list(files)
    # A base is added in each draw, so that 16 bits are enough for the indices of small draws.
    return {"topology": "triangles", "vertex_count": len(indices), "indices": list(indices),
            "index_bytes": 2 if scene.draw_meshlets else 4,
            "vertices_per_draw": each * scene.draw_meshlets, **culling}, list(files)
