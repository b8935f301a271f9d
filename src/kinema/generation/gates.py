"""What generated motion has to reach before a model is released, as data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Gate:
    """Bounds of a figure.

    Attributes:
        figure: its name in the rows of the benchmark.
        low, high: bounds; None for none.
        share_of: a row whose value the bounds are shares of; "" for bounds as they stand.
    """

    figure: str
    low: float | None = None
    high: float | None = None
    share_of: str = ""


_BOTH = (
    Gate("float_percent", high=1.0),
    Gate("nearest_ratio", low=0.8, high=1.8),
    Gate("inter_ratio", low=0.8, high=1.2),
    Gate("intra_ratio", low=0.8, high=1.2),
    Gate("speed_error_percent", high=15.0),
    Gate("turn_obeyed_percent", low=90.0),
    Gate("action_percent", low=85.0),
    Gate("bridge_15_ratio", high=0.7),
    Gate("bridge_30_ratio", high=0.7),
    Gate("bridge_60_ratio", high=0.7),
    Gate("kept_error", high=1e-5),  # of rounding, since scaled numbers are kept
)

GATES: Mapping[str, tuple[Gate, ...]] = {
    "S": (
        Gate("agreement_percent", high=1.5),
        Gate("skate_ratio", high=2.0),
        Gate("jerk_ratio", low=0.6, high=1.6),
        Gate("coverage", low=0.6, share_of="half against half"),
        Gate("seconds_per_second", high=0.2),
        *_BOTH,
    ),
    "M": (
        Gate("agreement_percent", high=0.7),
        Gate("skate_ratio", high=1.3),
        Gate("jerk_ratio", low=0.8, high=1.25),
        Gate("coverage", low=0.85, share_of="half against half"),
        *_BOTH,
    ),
}
"""By the size of the model. S is trained on a CPU, M on a GPU."""


@dataclass(frozen=True)
class Verdict:
    """What a gate says of a group of rigs.

    Attributes:
        value: None if it was not measured. low, high: bounds in the unit of the value.
        passed: None if there is nothing to judge.
    """

    figure: str
    group: str
    value: float | None
    low: float | None
    high: float | None
    passed: bool | None


def judge(rows: Sequence[Mapping[str, Any]], size: str, name: str = "model") -> list[Verdict]:
    """Verdicts on the rows called `name` of a benchmark, gate by gate and group by group.

    Args:
        size: a key of `GATES`.
    """
    found = {(row["name"], row["group"]): row for row in rows}
    groups = [group for each, group in found if each == name]
    return [_verdict(gate, group, found, name) for group in groups for gate in GATES[size]]


def _verdict(gate: Gate, group: str, rows: Mapping[tuple[str, str], Mapping[str, Any]], name: str) -> Verdict:
    value = rows[name, group].get(gate.figure)
    scale = rows.get((gate.share_of, group), {}).get(gate.figure) if gate.share_of else 1.0
    if value is None or scale is None:
        return Verdict(gate.figure, group, value, None, None, None)
    low, high = (None if bound is None else bound * scale for bound in (gate.low, gate.high))
    passed = (low is None or value >= low) and (high is None or value <= high) and math.isfinite(value)
    return Verdict(gate.figure, group, float(value), low, high, passed)
