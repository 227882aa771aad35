# SPDX-License-Identifier: Apache-2.0
"""Texts of the exploration, on the terminal and on the page."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

from isbesim.result import number, with_unit
from isbesim.simulator import value_text

from .analysis import Best, Companion, Effect, best, estimated
from .results import Confirmed, Results
from .sweep import Objective, Sweep


def titled(name: str, units: Mapping[str, str]) -> str:
    return with_unit(name, units.get(name, ""))


def times(ratio: float, than: str = "", percent: bool = True) -> str:
    """1.08 -> "8 % higher", 2.5 -> "2.5 times as high"; `than` names the other side. Without `percent`, never so."""
    if ratio == float("inf"):
        return f"above 0, and 0 with {than}," if than else "above 0"
    if percent and ratio < 1.5:
        return f"{(ratio - 1) * 100:.2g} % higher" + (f" than with {than}" if than else "")
    return f"{ratio:.3g} times as high" + (f" as with {than}" if than else "")


def settings_text(settings: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} = {value_text(value)}" for key, value in settings.items())


def best_texts(best: Best | None, objective: Objective, confirmed: Sequence[Confirmed] = ()) -> list[str]:
    if best is None:
        names = [objective.figure] if objective.within is None else [objective.figure, str(objective.choose)]
        return [f"No point ended well on every scenario with {' and '.join(names)} and without breaking a constraint."]
    texts = within_texts(best, objective) if objective.within is not None else extreme_texts(best, objective)
    return [*texts, confirmed_text(best, objective, confirmed)] if best.estimated else texts


def answer_texts(sweep: Sweep, results: Results) -> list[str]:
    """The sweep's results in sentences; without an objective, whether its cycles are estimates."""
    if sweep.objective is not None:
        return best_texts(best(sweep, results), sweep.objective, results.confirmed)
    text = estimated(sweep, results.table)
    return [f"{text}."] if text else []


def confirmed_text(best: Best, objective: Objective, confirmed: Sequence[Confirmed]) -> str:
    if not confirmed:
        return f"{best.estimated}: the best point is unconfirmed until its draw runs on backend at."
    least = confirmed[0]
    among = f"the best of {len(confirmed)} is point" if len(confirmed) > 1 else "point"
    return (f"{best.estimated}. On AT {among} {least.point}{' has' if len(confirmed) == 1 else ':'} "
            f"{objective.figure} {number(least.score)} (estimated {number(least.estimate)}).")


def extreme_texts(best: Best, objective: Objective) -> list[str]:
    """The point, then the figures of the others."""
    what = f"{'Highest' if objective.maximize else 'Lowest'} {objective.figure}: {number(best.score)}"
    where = f" at point {best.point}" + (f" ({settings_text(best.settings)})" if best.settings else "")
    others = f"; {best.near - 1} of the others have the same" if best.near > 1 else ""
    lines = [what + where + others + "."]
    if best.count > 1:
        lines.append(f"Of {best.count} points the worst has {number(best.worst)}"
                     f"{ratio_text(best.score, best.worst)}, the median {number(best.median)}"
                     f"{ratio_text(best.score, best.median)}.")
    return lines


def within_texts(best: Best, objective: Objective) -> list[str]:
    """The chosen point, then the point that it was measured against."""
    extreme = "Highest" if objective.choose_most else "Lowest"
    share = f"{(objective.within or 0) * 100:g} %"
    where = f" at point {best.point}" + (f" ({settings_text(best.settings)})" if best.settings else "")
    top = f"point {best.top}" + (f" ({settings_text(best.top_settings)})" if best.top_settings else "")
    chosen = number(best.chosen)
    return [f"{extreme} {objective.choose} within {share} of the best {objective.figure}: {chosen}{where}.",
            f"It has {objective.figure} {number(best.score)}; the best is {number(best.top_score)} at {top}. "
            f"{best.near} of {best.count} points are within {share}."]


def ratio_text(best: float, other: float) -> str:
    if best <= 0 or other <= 0 or best == other:
        return ""
    high, low = max(best, other), min(best, other)
    return f" ({times(high / low)})" if other == high else f" ({times(high / low)} at the best)"


def effect_text(effect: Effect, objective: Objective) -> str:
    maximize = objective.maximize
    best, worst = effect.best(maximize), effect.best(not maximize)
    value, other = (value_text(effect.values[index]) for index in (best, worst))
    if effect.spread < 1.005:
        return f"makes no difference to {objective.figure} (less than 0.5 %)."
    high, low = (value, other) if maximize else (other, value)
    spread = range_text(effect) if effect.comparisons > 1 else ""
    text = f"{value} is best: {objective.figure} with {high} is {times(effect.spread, low, not spread)}"
    if effect.comparisons == 0:
        return text + ", on average (a sample: other axes differ, too)."
    if effect.comparisons == 1:
        return text + "."
    wins = effect.wins[best]
    never = f"{value} is never worse" if wins == effect.comparisons else f"{value} is best or equal in {wins} of them"
    return f"{text}, averaged over {effect.comparisons} settings of everything else{spread}; {never}."


def range_text(effect: Effect) -> str:
    """The range that the average hides."""
    least, most = effect.ratios
    if most - least < 0.05 * effect.spread:
        return ""
    return f" (from {least:.3g} to {most:.3g} times)"


def reason_text(effect: Effect, maximize: bool, companions: list[Companion], units: Mapping[str, str]) -> str:
    best, worst = (value_text(effect.values[effect.best(up)]) for up in (maximize, not maximize))
    parts = [f"{c.figure} {number(c.at_best)} with {best}, {number(c.at_worst)} with {worst}"
             + (f" ({unit})" if (unit := units.get(c.figure, "")) else "") for c in companions]
    return f"Also changes: {'; '.join(parts)}." if parts else ""


def gap_text(along: str, gaps: list[tuple[Any, float]]) -> str:
    """States at which values of an axis the gap is widest and at which there is none; "" if the gaps are alike."""
    if len(gaps) < 2:
        return ""
    where, most = max(gaps, key=lambda gap: gap[1])
    if most < 1.005 * min(ratio for _, ratio in gaps):
        return ""
    none = [value_text(value) for value, ratio in gaps if ratio < 1.005]
    text = f"Along {along} the gap is widest at {value_text(where)}: {times(most)}"
    return text + (f"; there is no gap at {', '.join(none)}." if none else ".")
