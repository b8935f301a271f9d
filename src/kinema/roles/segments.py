"""The segments of one limb: which joints of a chain are thigh, shin and foot.

A chain may hold more joints than a limb has segments: half a pelvis or a clavicle above, twist joints between, digits
below. Every choice of joints is scored by body proportions and by names, and the best one wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations, pairwise
from math import log

import numpy as np

from kinema.arrays import Floats
from kinema.roles.tree import JointTree

LEG = ("thigh", "shin", "foot", "toe")
ARM = ("upper_arm", "forearm", "hand")

_MOST = 11  # joints of a chain that are tried; digits and tips lie beyond
_BESIDE_MIDDLE = {"leg": 0.08, "arm": 0.3, "front_leg": 0.05, "wing": 0.2}  # of a limb's length
_SKIPPED = 0.7  # points that a joint between two segments costs
_AS_ARM = {
    "thigh": "upper_arm",
    "shin": "forearm",
    "foot": "hand",
    "toe": "finger",
    "hips": "shoulder",
    "toes": "finger",
}
_AS_LEG = {"upper_arm": "thigh", "forearm": "shin", "hand": "foot", "finger": "toe", "shoulder": "hips"}
_DIGITS = ("toes", "thumb", "index", "middle", "ring", "little")
_ASIDE = ("twist", "helper", "prop")


@dataclass(frozen=True)
class Segmentation:
    """The joints of a limb by part, and how clearly they won, 0 to 1."""

    joints: Mapping[str, int]
    margin: float


def translate(parts: Mapping[str, float], kind: str) -> dict[str, float]:
    """What names say of a limb in the terms of its kind: the parts of a front leg are those of an arm."""
    table = _AS_LEG if kind == "leg" else _AS_ARM if kind == "front_leg" else {}
    said: dict[str, float] = {}
    for part, weight in parts.items():
        if part == kind:  # "wing" does not identify a segment of a wing
            continue
        translated = table.get(part, part)
        said[translated] = max(said.get(translated, 0.0), weight)
    return said


def read_limb(
    tree: JointTree,
    path: Sequence[int],
    kind: str,
    said: Sequence[Mapping[str, float]],
    apart: float = 0.0,
    up: Floats | None = None,
    backward: Floats | None = None,
) -> Segmentation:
    """The best choice of the segments of a leg or an arm.

    Args:
        tree: the skeleton's shape.
        path: joints from the trunk outwards.
        kind: "leg", "arm", "front_leg" or "wing".
        said: what names say of each joint of the path.
        apart: metres between the first joints of this limb and its partner.
        up: unit vector `[3]`; None if the pose does not show it.
        backward: unit vector `[3]` from front to hind legs; None if this is no front leg.
    """
    scorer = _Scorer(tree, path, kind, said, apart, up, backward)
    count = min(len(scorer.chain), len(scorer.parts))
    best = second = -100.0
    chosen: Sequence[int] = ()
    for length in range(max(count - 2, 1), count + 1):
        for places in combinations(scorer.chain, length):
            points = scorer.points(places)
            if points > best + 1e-12:
                best, second, chosen = points, best, places
            elif points > second:
                second = points
    joints = {part: path[place] for part, place in zip(scorer.parts, chosen, strict=False)}
    return Segmentation(joints, float(np.clip((best - second) / 1.5, 0, 1)))


class _Scorer:
    """Scores choices of places along the path of one limb."""

    def __init__(
        self,
        tree: JointTree,
        path: Sequence[int],
        kind: str,
        said: Sequence[Mapping[str, float]],
        apart: float,
        up: Floats | None,
        backward: Floats | None,
    ) -> None:
        self.tree, self.path, self.kind, self.said, self.up, self.backward = tree, path, kind, said, up, backward
        self.parts = LEG if kind == "leg" else ARM
        self.chain = [place for place, names in enumerate(said) if not _no_segment(names)][:_MOST]
        self.along = list(accumulate((tree.lengths[joint] for joint in path[1:]), initial=0.0))
        self.total = max(self.along[-1] + tree.reach[path[-1]], 1e-9)
        # What begins at the middle is a clavicle or half a pelvis.
        self.from_middle = 2.4 * max(1 - apart / self.total / _BESIDE_MIDDLE[kind], 0.0)

    def points(self, places: Sequence[int]) -> float:
        """How well a choice of places fits."""
        points = self._name_points(places)
        points += self._shape_points(places)
        if places[0] == 0 and len(places) < len(self.chain):
            points -= self.from_middle
        if self.up is not None and self.kind in ("leg", "front_leg") and self.tree.posed:
            points -= 1.6 * (1 - max(self._drop(places, self.up), 0.0))  # thighs hang, pelvis and shoulder blade do not
        if self.backward is not None and self.tree.posed and len(places) > 2:
            points += self._elbow_points(places, self.backward)
        return points

    def _elbow_points(self, places: Sequence[int], backward: Floats) -> float:
        """How far the elbow points to the hind legs, -1 to 1."""
        start, joint, end = (self.tree.positions[self.path[place]] for place in places[:3])
        line = end - start
        share = float((joint - start) @ line) / max(float(line @ line), 1e-12)
        return float(np.clip((joint - start - share * line) @ backward / (0.05 * self.total), -1, 1))

    def _name_points(self, places: Sequence[int]) -> float:
        points, current = 0.0, ""
        chosen = dict(zip(places, self.parts, strict=False))
        for place in self.chain:
            names = self.said[place]
            current = chosen.get(place, current)
            if not names:
                continue
            if place in chosen:
                weight = names.get(current, -0.3)
                points += 3.0 * (weight if weight >= 0.4 * max(names.values()) else weight - 0.6)
            else:
                points += self._skipped_name(names, current)
        return points

    def _skipped_name(self, names: Mapping[str, float], current: str) -> float:
        """Points for a name that is not chosen, beyond the segment `current`."""
        above = 0.0
        if not current:
            above = 1.5 * max(names.get("shoulder", 0.0), names.get("hips", 0.0), names.get("root", 0.0))
        if names.get(current, 0.0) >= 0.9:  # a second bone of the same segment
            return above + _SKIPPED
        return above - 0.8 * max((names.get(part, 0.0) for part in self.parts), default=0.0)

    def _shape_points(self, places: Sequence[int]) -> float:
        if len(places) < 2:
            return -3.0
        total, start = self.total, self.along[places[0]]
        spans = self._spans(places)
        upper, lower = spans[0], spans[1]
        points = -2.2 * min(abs(log(max(upper, 1e-6 * total) / max(lower, 1e-6 * total))), 2.5)
        points -= 1.2 * start / total + 0.2 * places[0]
        weight = 1.0 if self.kind == "front_leg" else 4.0  # shoulder blades are long
        points -= weight * max(start / total - 0.25, 0.0)
        points += 2.0 * min((upper + lower) / total, 1.0)
        between = [place for place in range(places[0] + 1, places[-1]) if place not in places]
        points -= sum(_SKIPPED + 1.5 * self._bend(place) for place in between)  # twist joints are few and straight
        if self.kind == "wing":  # feathers hang on segments
            skipped = [self.path[place] for place in range(places[-1]) if place not in places]
            points -= sum(len(self.tree.children[joint]) > 1 for joint in skipped)
        if len(places) == 2:
            return points - 2.5
        allowed = 0.8 if self.kind == "arm" else 0.9  # a hand with its fingers is shorter than the forearm
        too_long = max(spans[2] - allowed * max(upper, lower), 0.0) / total
        points -= (6.0 if self.kind == "arm" else 1.5) * too_long
        return points + (self._foot_points(places, spans) if self.kind == "leg" else self._hand_points(places))

    def _spans(self, places: Sequence[int]) -> list[float]:
        """Metres from each chosen joint to the next, and from the last to the tip."""
        ends = [self.along[place] for place in places] + [self.total]
        last = places[-1]
        if last == len(self.path) - 1 and self.tree.reach[self.path[-1]] <= 0 and len(places) == 2:
            ends[-1] += max(ends[-2] - ends[-3], 0.0)  # a last bone of unknown length
        return [b - a for a, b in pairwise(ends)]

    def _foot_points(self, places: Sequence[int], spans: Sequence[float]) -> float:
        points = 0.0
        if len(places) == 4:
            points += 0.8 + (0.3 if spans[2] > 0.02 * self.total else -0.6)
            points -= 4.0 * max(spans[3] - spans[2], 0.0) / self.total  # toes are shorter than the foot
        elif spans[2] <= 1e-6 * self.total:
            points -= 0.1
        return points + 0.9 * self._bend(places[2])

    def _hand_points(self, places: Sequence[int]) -> float:
        tree, hand = self.tree, self.path[places[2]]
        digits = sum(tree.total(child) > 0.05 * self.total for child in tree.children[hand])
        return 1.2 * (digits >= 3) + 0.5 * (digits == 2)

    def _drop(self, places: Sequence[int], up: Floats) -> float:
        """How far the first chosen bone points down, -1 to 1."""
        path, positions = self.path, self.tree.positions
        if places[0] + 1 >= len(path):
            return 0.0
        end = path[places[1]] if len(places) > 1 else path[places[0] + 1]
        bone = positions[end] - positions[path[places[0]]]
        length = float(np.linalg.norm(bone))
        return float(-bone @ up) / length if length > 1e-12 else 0.0

    def _bend(self, place: int) -> float:
        """How sharply the path turns at a joint, from 0 (straight) to 1 (a right angle, as at an ankle)."""
        path, tree = self.path, self.tree
        if not tree.posed or not 0 < place < len(path):
            return 0.0
        here = tree.positions[path[place]]
        after = tree.positions[path[place + 1]] if place + 1 < len(path) else tree.ends[path[place]]
        one, other = here - tree.positions[path[place - 1]], after - here
        size = float(np.linalg.norm(one) * np.linalg.norm(other))
        return float(np.clip(1 - one @ other / size, 0, 1)) if size > 1e-12 else 0.0


def _no_segment(names: Mapping[str, float]) -> bool:
    """Whether names say that a joint is a digit or no part of the body."""
    return any(names.get(part, 0) >= 0.9 for part in _ASIDE) or any(names.get(part, 0) > 0.9 for part in _DIGITS)
