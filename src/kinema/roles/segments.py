"""The joints of one limb: which of a chain is the thigh, the shin, the foot.

A chain may hold more joints than a limb has segments: half a pelvis or a clavicle above, twist joints between, digits
below. Every way to choose the joints is scored by the proportions of bodies and by names, and the best is taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import log

import numpy as np

from kinema.roles.tree import Floats, Tree

_MOST = 11  # joints of a chain that are tried; digits and tips lie beyond
_BESIDE_MIDDLE = {"leg": 0.08, "arm": 0.3, "front_leg": 0.05, "wing": 0.2}  # of a limb's length
LEG = ("thigh", "shin", "foot", "toe")
ARM = ("upper_arm", "forearm", "hand")
_SKIPPED = 0.7  # points that a joint costs between two segments
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
class Reading:
    """The chosen joints of a limb by part, and 0 to 1 how clearly they were the best."""

    joints: Mapping[str, int]
    margin: float


def translate(parts: Mapping[str, float], kind: str) -> dict[str, float]:
    """What names say of a limb in the words of its kind: the "front leg" is an arm by its parts."""
    table = _AS_LEG if kind == "leg" else _AS_ARM if kind == "front_leg" else {}
    said: dict[str, float] = {}
    for part, weight in parts.items():
        if part == kind:  # "wing" of a wing does not tell its segments
            continue
        told = table.get(part, part)
        said[told] = max(said.get(told, 0.0), weight)
    return said


def read_limb(
    tree: Tree,
    path: Sequence[int],
    kind: str,
    said: Sequence[Mapping[str, float]],
    apart: float = 0.0,
    up: Floats | None = None,
) -> Reading:
    """The best choice of the joints of a leg or an arm on a path from the trunk outwards.

    Args:
        tree: the skeleton's shape.
        path: joints from the trunk outwards.
        kind: "leg", "arm", "front_leg" or "wing".
        said: what names say of each joint of the path.
        apart: metres between the first joints of this limb and its partner.
        up: unit vector `[3]`; None where the pose does not tell it.
    """
    parts = LEG if kind == "leg" else ARM
    chain = [
        place
        for place, names in enumerate(said)
        if not any(names.get(part, 0) >= 0.9 for part in _ASIDE)
        and not any(names.get(part, 0) > 0.9 for part in _DIGITS)
    ]
    chain = chain[:_MOST]
    along = [0.0]
    for joint in path[1:]:
        along.append(along[-1] + tree.lengths[joint])
    total = max(along[-1] + tree.reach[path[-1]], 1e-9)
    count = min(len(chain), len(parts))
    best = second = -100.0
    chosen: Sequence[int] = ()
    for chosen_count in range(max(count - 2, 1), count + 1):
        for places in combinations(chain, chosen_count):
            points = _name_points(places, parts, chain, said)
            points += _shape_points(tree, path, places, along, total, kind)
            if places[0] == 0 and chosen_count < len(chain):  # what begins at the middle is a clavicle or half a pelvis
                points -= 2.4 * max(1 - apart / total / _BESIDE_MIDDLE[kind], 0.0)
            if up is not None and kind in ("leg", "front_leg") and tree.posed:
                points -= 1.6 * (1 - _drop(tree, path, places, up))  # thighs hang, pelvis and shoulder blade do not
            if points > best + 1e-12:
                best, second, chosen = points, best, places
            elif points > second:
                second = points
    joints = {part: path[place] for part, place in zip(parts, chosen, strict=False)}
    return Reading(joints, float(np.clip((best - second) / 1.5, 0, 1)))


def _name_points(
    places: Sequence[int], parts: Sequence[str], chain: Sequence[int], said: Sequence[Mapping[str, float]]
) -> float:
    points, current = 0.0, ""
    where = dict(zip(places, parts, strict=False))
    for place in chain:
        names = said[place]
        if place in where:
            current = where[place]
            if names:
                weight = names.get(current, -0.3)
                points += 3.0 * (weight if weight >= 0.4 * max(names.values()) else weight - 0.6)
        elif names:
            if not current:
                points += 1.5 * max(names.get("shoulder", 0.0), names.get("hips", 0.0), names.get("root", 0.0))
            if names.get(current, 0.0) >= 0.9:  # a second bone of the same segment
                points += _SKIPPED
            else:
                points -= 0.8 * max((names.get(part, 0.0) for part in parts), default=0.0)
    return points


def _shape_points(
    tree: Tree, path: Sequence[int], places: Sequence[int], along: Sequence[float], total: float, kind: str
) -> float:
    if len(places) < 2:
        return -3.0
    ends = [along[place] for place in places] + [total]
    if places[-1] == len(path) - 1 and tree.reach[path[-1]] <= 0 and len(places) == 2:
        ends[-1] += max(ends[-2] - ends[-3], 0.0)  # how long it is, nobody says
    spans = [b - a for a, b in pairwise(ends)]
    upper, lower = spans[0], spans[1]
    points = -2.2 * min(abs(log(max(upper, 1e-6 * total) / max(lower, 1e-6 * total))), 2.5)
    points -= 1.2 * ends[0] / total + 0.2 * places[0]
    points -= (1.0 if kind == "front_leg" else 4.0) * max(ends[0] / total - 0.25, 0.0)  # shoulder blades are long
    points += 2.0 * (upper + lower) / total
    points -= sum(
        _SKIPPED + 1.5 * _bend(tree, path, place) for place in range(places[0] + 1, places[-1]) if place not in places
    )  # twist joints are few and lie straight
    if kind == "wing":  # feathers hang on segments
        skipped = [path[place] for place in range(places[-1]) if place not in places]
        points -= sum(len(tree.children[joint]) > 1 for joint in skipped)
    if len(places) == 2:
        return points - 2.5
    foot = spans[2]
    if kind == "arm":  # with fingers a hand is shorter than the forearm
        points -= 6.0 * max(foot - 0.8 * max(upper, lower), 0.0) / total
    else:
        points -= 1.5 * max(foot - 0.9 * max(upper, lower), 0.0) / total
    if kind == "leg":
        if len(places) == 4:
            points += 0.8 + (0.3 if spans[2] > 0.02 * total else -0.6)
            points -= 4.0 * max(spans[3] - spans[2], 0.0) / total  # toes are shorter than the foot
        elif spans[2] <= 1e-6 * total:
            points -= 0.1
        points += 0.9 * _bend(tree, path, places[2])
    else:
        digits = sum(tree.reach[child] + tree.lengths[child] > 0.05 * total for child in tree.children[path[places[2]]])
        points += 1.2 * (digits >= 3) + 0.5 * (digits == 2)
    return points


def _drop(tree: Tree, path: Sequence[int], places: Sequence[int], up: Floats) -> float:
    """How far the first chosen bone points down, -1 to 1."""
    if places[0] + 1 >= len(path):
        return 0.0
    end = path[places[1]] if len(places) > 1 else path[places[0] + 1]
    bone = tree.placed[end] - tree.placed[path[places[0]]]
    length = float(np.linalg.norm(bone))
    return float(-bone @ up) / length if length > 1e-12 else 0.0


def _bend(tree: Tree, path: Sequence[int], place: int) -> float:
    """How sharply a chain turns at a joint, 0 (straight) to 1 (a right angle): an ankle does."""
    if not tree.posed or not 0 < place < len(path):
        return 0.0
    here = tree.placed[path[place]]
    after = tree.placed[path[place + 1]] if place + 1 < len(path) else tree.ends[path[place]]
    one, other = here - tree.placed[path[place - 1]], after - here
    size = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(np.clip(1 - one @ other / size, 0, 1)) if size > 1e-12 else 0.0
