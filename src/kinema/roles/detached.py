"""Feet and hands that hang elsewhere than on their limbs, as in rigs that move them by inverse kinematics."""

from __future__ import annotations

from itertools import combinations
from math import inf

import numpy as np

from kinema.roles.clues import Clues
from kinema.roles.limbs import LimbPair, topmost
from kinema.roles.tree import unit

_ENDS = ("foot", "toe", "toes", "hand")
_NEAR = 0.1  # of a limb's length: joints so near each other are at the same place
_BONES = (0.4, 2.5)  # of the bone before: how long the bone to a detached foot can be
_STRAIGHT = 0.7  # cosine: a forearm goes on where the upper arm points
_ON_FLOOR = 0.15  # share of the body's height: an unnamed foot is so near its lowest point
_ANKLE = 0.3  # share of it: a foot begins no higher, even at the hock of a dog; a leg does
_LEVEL = 0.05  # share of it: feet are level with each other, and lower than targets for knees


def find_detached(clues: Clues, limbs: list[LimbPair]) -> dict[int, int]:
    """The feet and hands that hang elsewhere, each with the joint of its limb that it belongs to."""
    if not clues.tree.posed:
        return {}
    feet = {foot: top for top in topmost(clues) if (foot := _foot_below(clues, top)) is not None}
    on_floor = _on_floor(clues, list(feet))
    by_root = {limb.roots[0]: limb for limb in limbs if _lacks_end(clues, limb)}
    costs = {
        (root, foot): cost
        for root, limb in by_root.items()
        for foot in feet
        if (cost := _cost(clues, limb, foot, foot in on_floor)) is not None
    }
    found: dict[int, int] = {}
    for root, foot in _matched(costs, feet).items():
        found.update(_joins(clues, by_root[root], foot))
    return found


def _matched(costs: dict[tuple[int, int], float], feet: dict[int, int]) -> dict[int, int]:
    """Limbs with their feet: the cheapest first, then exchanged between two limbs where that is cheaper in total.

    Args:
        costs: of the first joint of a limb and a foot that fit each other.
        feet: each foot with the first joint of its pair; what gets a foot is none.
    """
    found: dict[int, int] = {}
    used: set[int] = set()
    for limb, foot in sorted(costs, key=lambda key: costs[key]):
        if used.isdisjoint((limb, feet[foot])):
            used.update((limb, feet[foot]))
            found[limb] = foot
    for one, other in combinations(sorted(found), 2):
        crossed = costs.get((one, found[other]), inf) + costs.get((other, found[one]), inf)
        if crossed < costs[one, found[one]] + costs[other, found[other]]:
            found[one], found[other] = found[other], found[one]
    return found


def _lacks_end(clues: Clues, limb: LimbPair) -> bool:
    """Whether a limb can go on elsewhere: it has two joints or more, and no name says that it has a foot."""
    names = {clues.evidence[joint].best for joint in limb.path if not clues.evidence[joint].end}
    return len(limb.path) > 1 and names.isdisjoint(_ENDS) and clues.tree.reach[limb.roots[0]] > 0


def _foot_below(clues: Clues, top: int) -> int | None:
    """The joint of a pair that can be a detached foot or hand, by name or without one; it may hang on a control."""
    path = [joint for joint in clues.tree.path(top, 2) if clues.partners[joint] != joint]
    said = [{clues.evidence[joint].best for joint in (one, clues.partners[one])} for one in path]
    if any(clues.evidence[joint].end for joint in path[:1]):
        return None
    for joint, names in zip(path, said, strict=True):
        if names <= {"foot", "toe", "hand"}:
            return joint
    if said[0] != {""}:
        return None
    return path[-1] if said[-1] == {""} and _is_control(clues, path) else top


def _is_control(clues: Clues, path: list[int]) -> bool:
    """Whether the first of two joints is a control on the floor: a foot reaches down to its toes, and not up."""
    bone = clues.tree.positions[path[-1]] - clues.tree.positions[path[0]]
    return bool(bone[1] > 0.5 * np.linalg.norm(bone)) and bool(_on_floor(clues, path[:1]))


def _cost(clues: Clues, limb: LimbPair, foot: int, on_floor: bool) -> float | None:
    """Metres from a foot to where a straight limb would end, more off the floor; None if it is not of the limb."""
    tree, named = clues.tree, clues.evidence[foot].best != ""
    above = tree.up_from(foot)
    if not set(limb.roots).isdisjoint(above) or limb.level * clues.evidence[foot].level < 0:
        return None
    base = next((joint for joint in above if clues.middle[joint]), -1)
    if limb.base in tree.up_from(base) and base not in tree.up_from(limb.base)[0 if named else 1 :]:
        return None
    foot, joint = next(iter(_joins(clues, limb, foot).items()))
    at, size, before, last = tree.positions[foot], tree.reach[limb.roots[0]], *limb.path[-2:]
    if tree.reach[foot] > size:
        return None
    if min(float(np.linalg.norm(at - tree.positions[inner])) for inner in limb.path[:-1]) < _NEAR * size:
        return None  # a target at a knee or an ankle
    if min(float(np.linalg.norm(at - end)) for end in (tree.positions[last], tree.ends[last])) < _NEAR * size:
        marked = joint != limb.roots[0] or tree.reach[joint] > 0
        return 0.0 if marked and (named or tree.size[foot] > 1) else None
    if tree.reach[last] > 0 or not _goes_on(clues, limb, foot, named, on_floor):
        return None
    off_floor = not named and not on_floor
    return float(np.linalg.norm(at - 2 * tree.positions[last] + tree.positions[before])) + off_floor * tree.extent


def _goes_on(clues: Clues, limb: LimbPair, foot: int, named: bool, on_floor: bool) -> bool:
    """Whether a foot is about one bone away from the last joint of a limb, straight ahead or on the floor."""
    tree, (before, last) = clues.tree, limb.path[-2:]
    bone, gap = tree.positions[last] - tree.positions[before], tree.positions[foot] - tree.positions[last]
    length = float(np.linalg.norm(gap))
    if named:
        return length < _BONES[1] * tree.reach[limb.roots[0]]
    if not _BONES[0] < length / max(float(np.linalg.norm(bone)), 1e-9) < _BONES[1]:
        return False
    return on_floor or float(unit(bone) @ unit(gap)) > _STRAIGHT


def _on_floor(clues: Clues, feet: list[int]) -> set[int]:
    """Those of some joints that reach the lowest point of the body, about as far down as the lowest of them."""
    tree, all_heights = clues.tree, clues.tree.positions[:, 1]
    height = float(np.ptp(all_heights))
    heights = {foot: min(float(all_heights[joint]) for joint in tree.path(foot)) for foot in feet}
    highest = min(min(heights.values(), default=0.0) + _LEVEL * height, float(all_heights.min()) + _ON_FLOOR * height)
    ankle = float(all_heights.min()) + _ANKLE * height
    return {foot for foot in feet if heights[foot] <= highest and all_heights[foot] <= ankle}


def _joins(clues: Clues, limb: LimbPair, foot: int) -> dict[int, int]:
    """The two feet of a limb, each with the joint that it belongs to; one that marks the limb's end stays aside."""
    tree, partners, last = clues.tree, clues.partners, limb.path[-1]
    near, far = (float(np.linalg.norm(tree.positions[one] - tree.positions[last])) for one in (foot, partners[foot]))
    ours, theirs = (foot, partners[foot]) if near <= far else (partners[foot], foot)
    joint = limb.path[-2] if min(near, far) < _NEAR * tree.reach[limb.roots[0]] else last
    return {ours: joint, theirs: partners[joint]}
