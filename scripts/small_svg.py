# SPDX-License-Identifier: Apache-2.0
"""Pictures of the documentation as small SVG: text as text, two decimals, numbers of lines and bars in `<desc>`, the
same file from the same figures."""

from __future__ import annotations

import io
import re
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure


def save(figure: Figure, file: Path | str) -> None:
    text = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "isbesim"}):
        figure.savefig(text, format="svg", metadata={"Date": None})
    numbers = [number for axes in figure.axes for drawn in (*axes.lines, *axes.patches)
               for number in (drawn.get_xydata().ravel() if hasattr(drawn, "get_xydata") else drawn.get_bbox().extents)]
    described = f"\n<desc>{' '.join(f'{number:.4g}' for number in numbers)}</desc>\n</svg>"
    Path(file).write_text(small(text.getvalue()).replace("</svg>", described), encoding="utf-8")


def small(svg: str) -> str:
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg, flags=re.S)
    svg = re.sub(r"-?\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), svg)
    svg = re.sub(r"\s*\n\s*", " ", svg).replace("> <", "><")
    svg = re.sub(r"(L [-\d.]+ [-\d.]+ )\1+", r"\1", svg)  # points that fall together
    svg = re.sub(r'<g id="[^"]*">', "<g>", svg)
    while (flat := re.sub(r"<g>((?:(?!</?g\b).)*)</g>", r"\1", svg)) != svg:  # groups of nothing but a name
        svg = flat
    return re.sub(r"(?=<g>|<path )", "\n", svg).rstrip() + "\n"
