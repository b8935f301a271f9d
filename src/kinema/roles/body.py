"""The plan of a body: which pairs are legs, arms, front legs, wings and fins, and where hips and chest are.

Every assignment of the large pairs is scored by its shape and by the words in the joints' names, and the best one
wins. Shape says that legs point away from the trunk and reach lowest, that arms leave the trunk beyond the legs, where
the head is, that hands branch, and that a trunk over four feet is level.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kinema.arrays import Floats
from kinema.roles.clues import Clues
from kinema.roles.limbs import LimbPair
from kinema.roles.model import BodyPlan
from kinema.roles.tree import JointTree, unit
from kinema.roles.upright import WHOLE, find_upright, find_upright_lying, nearest_axis

_LARGE = 0.22  # of the longest limb; a shorter pair is a limb only if its names say so
_TRIED = 5  # pairs that are tried as legs and as arms
_NAMES = 5.0  # weight of names beside the points of shape
_SURE = 4.0  # points between the two best assignments that make the best one certain
_FEATHERED = 2  # branching joints of a wing; an arm with fingers has one
_LEVEL = 0.5  # height of a level trunk, by its length
_SHORT = 0.4  # length of fins, by that of the trunk
_APART = 0.5  # length of the mean of the unit vectors along two limbs that point to two sides
_HANGS, _FLAT = 0.6, 0.3  # how far a leg at least points down, and fins at most that are long, as a sine
_Y = np.array([0.0, 1.0, 0.0])


@dataclass(eq=False)
class BodyLayout:
    """The limbs of a skeleton and the trunk that carries them.

    Attributes:
        limbs: pairs with their kinds; "" for small ones that are not limbs.
        plan: the build.
        hips: where legs and spine meet.
        chest: the joint that carries arms or front legs; `hips` without them.
        up: unit vector `[3]` in model space.
        margin: how clearly this layout won, 0 to 1.
        tipped: whether the chains of the legs end in a joint beyond the toes, as in files that mark ends by joints.
    """

    limbs: list[LimbPair]
    plan: BodyPlan
    hips: int
    chest: int
    up: Floats
    margin: float
    tipped: bool = False

    def of(self, *kinds: str) -> list[LimbPair]:
        return [limb for limb in self.limbs if limb.kind in kinds]

    def backward(self, limb: LimbPair) -> Floats | None:
        """The level way from a front leg to the hind legs `[3]`; None for other limbs."""
        legs = self.of("leg")
        if limb.kind != "front_leg" or not legs:
            return None
        way = legs[0].start - limb.start
        return unit(way - (way @ self.up) * self.up)

    def segmented(self, limb: LimbPair) -> bool:
        """Whether the joints of a limb have parts of their own; a spider's leg, a fin or a small wing is one part."""
        if limb.kind == "wing":  # an arm with feathers
            return limb.named("arm") >= 0.3 or (limb.forks >= _FEATHERED and len(limb.path) >= 3)
        return limb.kind in ("arm", "front_leg") or (limb.kind == "leg" and self.plan != "many-legged")


@dataclass(frozen=True)
class _Assignment:
    """A choice of the legs and of the pair beyond them, whose kind is "arm", "front_leg" or "wing"."""

    legs: LimbPair | None = None
    arms: LimbPair | None = None
    kind: str = ""


def find_body(clues: Clues, limbs: list[LimbPair]) -> BodyLayout:
    """The most likely layout of a body. Sets the kinds of the limbs."""
    large = _large(limbs)
    if _is_hand(clues, large):
        return _layout(clues, limbs, "unknown", _Assignment(), 0.0)
    crowd = _many_legs(clues.tree, large)
    if crowd:
        for limb in limbs:
            limb.kind = "leg" if limb in crowd else _beside_crowd(limb, large)
        return _layout(clues, limbs, "many-legged", _Assignment(crowd[0], crowd[0]), 0.8)
    if _swims(clues, large):
        for limb in large:
            limb.kind = "fin"
        for limb in limbs:
            limb.kind = limb.kind or _lesser_kind(limb, large, False)
        return _layout(clues, limbs, "legless", _Assignment(), 0.5)
    best = second = -100.0
    chosen = _Assignment()
    for assignment in _assignments(large):
        points = _points(clues, assignment) - _unexplained(clues.tree, large, assignment) - _lower(large, assignment)
        if points > best:
            best, second, chosen = points, best, assignment
        elif points > second:
            second = points
    _set_kinds(limbs, large, chosen)
    return _layout(clues, limbs, _plan(limbs, chosen), chosen, float(np.clip((best - second) / _SURE, 0, 1)))


def _swims(clues: Clues, large: list[LimbPair]) -> bool:
    """Whether all pairs are fins: short beside the trunk, or flat beside a level one, and none hangs like a leg."""
    tree = clues.tree
    middle = tree.positions[[joint for joint, inside in enumerate(clues.middle) if inside and tree.parents[joint] >= 0]]
    if not tree.posed or not large or len(middle) < 3 or any(limb.votes for limb in large):
        return False
    trunk = np.ptp(middle, axis=0)
    length, level = float(trunk.max()), trunk[1] < _LEVEL * trunk.max()
    drops = [float(-limb.direction[1]) for limb in large]
    short = all(limb.total < _SHORT * length for limb in large) and max(drops) < _HANGS
    apart = all(float(np.linalg.norm(limb.direction)) < _APART for limb in large)
    return short or bool(level and apart and max(map(abs, drops)) < _FLAT)


def _large(limbs: list[LimbPair]) -> list[LimbPair]:
    """The pairs that can be limbs of a body, at most a dozen."""
    longest = max((limb.total for limb in limbs if limb.named("ear") < 0.5), default=0.0)
    return [
        limb
        for limb in limbs
        if max(limb.named("ear"), limb.named("fin")) < 0.5
        and len(limb.path) > 1
        and (limb.total > _LARGE * longest or sum(limb.votes.values()) > 2.0)
    ][:12]


def _assignments(large: list[LimbPair]) -> Iterator[_Assignment]:
    for legs in (*large[:_TRIED], None):
        for arms in (*large[:_TRIED], None):
            if legs is not None and (legs is arms or legs.named("wing") > 0.5):
                continue
            for kind in ("arm", "front_leg", "wing") if arms is not None else ("",):
                yield _Assignment(legs, arms, kind)


def _set_kinds(limbs: list[LimbPair], large: list[LimbPair], chosen: _Assignment) -> None:
    if chosen.legs is not None:
        chosen.legs.kind = "leg"
    if chosen.arms is not None:
        chosen.arms.kind = chosen.kind
    on_fours = chosen.legs is not None and chosen.kind == "front_leg"
    for limb in limbs:
        if not limb.kind:
            limb.kind = _lesser_kind(limb, large, on_fours)


def _lesser_kind(limb: LimbPair, large: list[LimbPair], footed: bool) -> str:
    """The kind of a pair that is neither the legs nor the arms.

    Args:
        limb: the pair.
        large: pairs that can be limbs.
        footed: whether the body stands on four or more legs, so that one more pair can be wings.
    """
    for kind in ("wing", "fin"):
        if limb.named(kind) > 0.5:
            return kind
    if limb not in large:
        return ""
    if limb.named("arm") > 0.6:
        return "arm"
    return "wing" if footed and not limb.votes and len(limb.path) >= 3 else ""


def _beside_crowd(limb: LimbPair, large: list[LimbPair]) -> str:
    """The kind of a pair beside many legs: claws reach out one way, wings two."""
    kind = _lesser_kind(limb, large, True)
    return "arm" if kind == "wing" and not limb.votes and float(np.linalg.norm(limb.direction)) > 0.5 else kind


def _plan(limbs: list[LimbPair], chosen: _Assignment) -> BodyPlan:
    if any(limb.kind == "wing" for limb in limbs):
        return "winged"
    if chosen.legs is not None:
        return "quadruped" if chosen.kind == "front_leg" else "biped"
    return "legless" if chosen.arms is None else "unknown"


def _layout(clues: Clues, limbs: list[LimbPair], plan: BodyPlan, chosen: _Assignment, margin: float) -> BodyLayout:
    tree, legs, arms = clues.tree, chosen.legs, chosen.arms
    hips = _carrier(tree, legs, arms)
    if hips < 0:
        hips = max(tree.roots, key=lambda joint: tree.size[joint])
    if legs is not None:  # 3ds Max Biped hangs the legs on the spine, below the pelvis
        named = (joint for joint in tree.up_from(hips) if clues.evidence[joint].parts.get("hips", 0) > 0.9)
        hips = _above_floor(clues, next(named, hips), legs, arms)
    chest = arms.base if arms is not None else hips
    up = _up(tree, legs, arms, chosen.kind)
    if legs is None and tree.posed:
        up = _up_without_legs(clues, limbs, arms, hips)
    return BodyLayout(limbs, plan, hips, chest if chest >= 0 else hips, up, margin)


def _above_floor(clues: Clues, hips: int, legs: LimbPair, arms: LimbPair | None) -> int:
    """The first joint of the trunk where legs and trunk hang side by side on a reference joint on the floor."""
    tree, evidence = clues.tree, clues.evidence
    trunks = [joint for joint in tree.children[hips] if clues.middle[joint]] if 0 <= hips == legs.base else []
    to_arms = set(tree.up_from(arms.base)) if arms is not None else set()
    trunk = max(trunks, key=lambda joint: (joint in to_arms, tree.size[joint]), default=hips)
    if trunk == hips or evidence[hips].parts.get("hips", 0) > 0.9:
        return hips
    if evidence[hips].best == "root" and evidence[trunk].best == "hips":
        return trunk
    if not tree.posed or (arms is not None and trunk in (arms.base, tree.parents[arms.base])):
        return hips  # it is the only joint between the legs and the chest
    at, top = tree.positions[hips], legs.start
    on_floor = np.linalg.norm(at - legs.tip) < np.linalg.norm(at - top)
    return trunk if on_floor and np.linalg.norm(tree.positions[trunk] - top) < legs.total / 2 else hips


def _carrier(tree: JointTree, legs: LimbPair | None, arms: LimbPair | None) -> int:
    """The joint that carries the limbs; -1 if they are roots."""
    if legs is not None and arms is not None and legs.base >= 0 and arms.base >= 0:
        return _meeting(tree, legs.base, arms.base)
    if legs is not None:
        return legs.base
    if arms is not None and arms.base >= 0:
        return tree.up_from(arms.base)[-1]
    return tree.roots[0]


def _meeting(tree: JointTree, one: int, other: int) -> int:
    """The nearest common ancestor of two joints; the first joint if they are of two trees."""
    above = set(tree.up_from(one))
    return next((joint for joint in tree.up_from(other) if joint in above), one)


def _up(tree: JointTree, legs: LimbPair | None, arms: LimbPair | None, kind: str) -> Floats:
    """Up in the rest pose, as far as legs, trunk and front legs show it."""
    if legs is None or not tree.posed:
        return _Y if legs is None else _away(legs)
    whole = len(legs.path) >= WHOLE
    trunk = arms.start - legs.start if whole and arms is not None and kind != "front_leg" else np.zeros(3)
    front = arms.direction if arms is not None and kind == "front_leg" else np.zeros(3)
    return find_upright(legs.direction, trunk, front).up


def _up_without_legs(clues: Clues, limbs: list[LimbPair], arms: LimbPair | None, hips: int) -> Floats:
    """Up in the rest pose of a body without legs: along the trunk if it has arms, else as that of a fish."""
    tree = clues.tree
    if arms is not None:
        return nearest_axis(arms.start - tree.positions[hips])
    middle = [joint for joint, inside in enumerate(clues.middle) if inside]
    if not middle:
        return _Y
    head = next((joint for joint in middle if clues.evidence[joint].best == "head"), middle[-1])
    fins = np.array([limb.direction for limb in limbs if limb.kind == "fin"] or [np.zeros(3)]).mean(axis=0)
    across = clues.plane.normal if clues.plane is not None else np.zeros(3)
    return find_upright_lying(tree.positions[middle], tree.positions[head], across, fins).up


def _away(legs: LimbPair) -> Floats:
    """Away from where the legs point, along an axis of model space if one is near; +Y for legs that point apart."""
    if float(np.linalg.norm(legs.direction)) < 0.3:
        return _Y
    up = -unit(legs.direction)
    axis = nearest_axis(up)
    return _Y if up[1] > 0.5 else axis if float(axis @ up) > 0.8 else up


def _is_hand(clues: Clues, large: list[LimbPair]) -> bool:
    """Whether the skeleton is a hand: nothing but four to six similar chains below one root."""
    tree = clues.tree
    root = tree.roots[0]
    if len(tree.roots) > 1 or {limb.base for limb in large} != {root}:
        return False
    digits = tree.children[root]
    if not 4 <= len(digits) <= 6 or not any(clues.middle[joint] for joint in digits):
        return False
    sizes, reaches = [tree.size[joint] for joint in digits], [tree.reach[joint] for joint in digits]
    unbranched = all(len(tree.path(joint)) == tree.size[joint] for joint in digits)
    return unbranched and max(sizes) - min(sizes) <= 1 and max(reaches) < 2.2 * min(reaches)


def _many_legs(tree: JointTree, large: list[LimbPair]) -> list[LimbPair]:
    """Three or more pairs named as legs, or nearly all pairs if they are alike; else empty."""
    named = [limb for limb in large if limb.named("leg") > 0.6]
    if len(named) >= 3:
        return named
    arms = [limb for limb in large if limb.named("arm") > 0.6]
    if len(arms) >= 3 and not named and len({limb.base for limb in arms}) == 1:
        return arms  # of an octopus
    possible = [limb for limb in large if not limb.votes or limb in named]
    for first in possible:
        alike = [limb for limb in possible if _alike(limb, first)]
        if len(alike) >= max(3, len(possible) - 1) and (not tree.posed or _end_level(tree, alike)):
            return alike if not tree.posed else _without_claws(alike)
    return []


def _without_claws(limbs: list[LimbPair]) -> list[LimbPair]:
    """Without pairs that end in digits above the ground, while three others stand on it."""
    ground = min(limb.tip[1] for limb in limbs)
    standing = [limb for limb in limbs if limb.digits < 2 or limb.tip[1] < ground + 0.15 * limb.total]
    return standing if len(standing) >= 3 else limbs


def _end_level(tree: JointTree, limbs: list[LimbPair]) -> bool:
    """Whether limbs end about as low as each other; those that hang straight down stand on one ground."""
    longest = max(limb.total for limb in limbs)
    hanging = all(_spread(tree, limb) < 0.25 * limb.total for limb in limbs)
    return bool(np.ptp([limb.tip[1] for limb in limbs]) < (0.1 if hanging else 0.75) * longest)


def _spread(tree: JointTree, limb: LimbPair) -> float:
    """Level metres from the first joint of a limb to its tip."""
    way = tree.ends[limb.path[-1]] - tree.positions[limb.path[0]]
    return float(np.hypot(way[0], way[2]))


def _alike(one: LimbPair, other: LimbPair) -> bool:
    return (
        0.55 < one.total / max(other.total, 1e-9) < 1.8
        and abs(len(one.path) - len(other.path)) <= 1
        and max(one.digits, other.digits) <= 2
    )


def _points(clues: Clues, chosen: _Assignment) -> float:
    """How likely an assignment is."""
    legs, arms, kind = chosen.legs, chosen.arms, chosen.kind
    points = 0.0
    if legs is not None:
        points += _leg_points(clues.tree, legs)
    if arms is not None:
        points += _arm_name_points(arms, kind)
    if legs is None:
        points -= 2.5 if arms is None else 1.5
        return points - 6.0 * (kind == "front_leg")
    if arms is None:  # a single pair is fins unless it hangs
        level = clues.tree.posed and not legs.votes and float(-legs.direction @ _Y) < 0.3
        return points + 0.2 - 2.5 * level
    return points + _pair_points(clues, legs, arms, kind)


def _arm_name_points(arms: LimbPair, kind: str) -> float:
    points = _NAMES * (arms.named({"front_leg": "leg"}.get(kind, kind)) - 0.35 * bool(arms.votes))
    if kind == "front_leg" and arms.votes:  # front legs are often named like arms
        points += _NAMES * 0.25 * arms.named("arm")
    if kind == "wing" and not arms.votes:
        points -= 1.0
    return points


def _unexplained(tree: JointTree, large: list[LimbPair], chosen: _Assignment) -> float:
    """The cost of large pairs that an assignment leaves out; ears and horns beyond the arms cost little."""
    top = chosen.arms or chosen.legs
    missed = (limb for limb in large if limb is not chosen.legs and limb is not chosen.arms)
    return sum(0.3 if top is not None and _is_beyond(tree, limb.base, top.base) else 1.2 for limb in missed)


def _lower(large: list[LimbPair], chosen: _Assignment) -> float:
    """The cost of legs that do not reach the ground, while a pair that is left out does."""
    if chosen.legs is None:
        return 0.0
    up = _away(chosen.legs)
    missed = (limb for limb in large if limb is not chosen.legs and limb is not chosen.arms)
    return 2.0 * any(float((chosen.legs.tip - limb.tip) @ up) > 0.2 * limb.total for limb in missed)


def _is_beyond(tree: JointTree, joint: int, other: int) -> bool:
    """Whether a joint hangs below another one."""
    return other >= 0 and joint != other and other in tree.up_from(joint)


def _leg_points(tree: JointTree, legs: LimbPair) -> float:
    """How much a pair looks like the (hind) legs."""
    points = _NAMES * (legs.named("leg") - 0.35 * bool(legs.votes)) - 4.0 * max(legs.level, 0.0)
    points += 0.4 * min(len(legs.path), 4) - 0.5
    points -= 0.15 * min(len(tree.up_from(legs.base)), 10)  # the hips are near the root
    if tree.posed:
        points += 2.0 * float(np.linalg.norm(legs.direction)) - 1.0
        points += 0.8 * float(_away(legs) @ _Y)  # most files stand upright
        points += 0.5 if float(-legs.direction @ _Y) > 0.7 else 0.0
    return points


def _pair_points(clues: Clues, legs: LimbPair, arms: LimbPair, kind: str) -> float:
    """How well legs and arms fit each other."""
    tree = clues.tree
    points = 1.0
    points += 0.6 * _order_on_trunk(tree, legs, arms)
    points += 2.0 * float(np.clip(arms.level - legs.level, -2, 2))
    if arms.base != legs.base and _carries_head(clues, arms.base, legs.base):
        points += 0.8
    if legs.digits >= 3 and arms.digits < 3:
        points -= 0.8
    if arms.digits >= 4 and legs.digits < arms.digits:
        points += 1.2 if kind == "arm" else -0.6
    ratio = arms.total / max(legs.total, 1e-9)
    if kind == "arm":
        points += 0.5 if 0.35 < ratio < 1.35 else -0.5
    if kind == "wing":
        points += 0.5 * (ratio > 1.4) - 0.5 * (ratio < 0.8)
    if not tree.posed:
        return points + _unposed_points(clues, legs, arms, kind)
    up = _up(tree, legs, arms, kind)
    if kind == "front_leg":
        points += 2.0 * float(np.clip((arms.start - legs.start) @ unit(np.cross(clues.left, up)) / legs.total, -1, 1))
    return points + _posed_points(legs, arms, kind, up)


def _order_on_trunk(tree: JointTree, legs: LimbPair, arms: LimbPair) -> float:
    """How many joints closer to the hips the legs are than the arms, -2 to 2: the hips carry the body."""
    if legs.base < 0 or arms.base < 0:
        return 0.0
    hips = _meeting(tree, legs.base, arms.base)
    to_legs, to_arms = tree.up_from(legs.base), tree.up_from(arms.base)
    if hips not in to_arms:  # of another tree
        return 0.0
    return float(np.clip(to_arms.index(hips) - to_legs.index(hips), -2, 2))


def _posed_points(legs: LimbPair, arms: LimbPair, kind: str, up: Floats) -> float:
    """How well legs and arms fit in a stance."""
    trunk = arms.start - legs.start
    length = float(np.linalg.norm(trunk))
    rise = float(trunk @ up) / max(length, 1e-9) if length > 0.05 * legs.total else 0.0
    legs_drop, arms_drop = float(-legs.direction @ up), float(-arms.direction @ up)
    above = float((arms.tip - legs.tip) @ up) / max(legs.total, 1e-9)  # hands above feet
    points = -2.0 * (above < -0.15)
    if kind == "front_leg":
        points += 2.0 * (arms_drop > 0.6) - 2.5 * (above > 0.3) + 1.0 * (abs(above) < 0.15)
        points += 1.5 * (abs(rise) < 0.6) - 3.0 * (rise > 0.8) + 0.3 * (legs_drop > 0.6)
    else:
        points += 1.5 * (rise > 0.7) - 1.0 * (rise < 0.0) - 1.5 * (above < 0.1)
        points += 0.8 * (above > 0.3)
    if kind == "wing":
        ratio = arms.total / max(legs.total, 1e-9)
        points -= 1.0 * (arms_drop > 0.6) + 0.6 * (rise > 0.8)
        points += 1.6 * (arms.forks >= _FEATHERED)
        points += 1.0 * (ratio > 1.1 and arms.digits < 3 and rise < 0.6)
    return points


def _unposed_points(clues: Clues, legs: LimbPair, arms: LimbPair, kind: str) -> float:
    """How well legs and arms fit by proportions alone: a clavicle, legs of two long bones, a tail that people lack."""
    tree = clues.tree
    points = -0.5 * (kind != "arm")
    if len(arms.path) > 1:
        points += 0.5 * (tree.lengths[arms.path[1]] < 0.45 * arms.total / 2)
    longest = sorted((tree.lengths[joint] for joint in legs.path[1:]), reverse=True)[:2]
    points += 0.8 * (len(longest) == 2 and longest[1] > 0.6 * longest[0])
    trunk = _trunk_length(tree, legs.base, arms) / max(tree.reach[legs.roots[0]], 1e-9)
    if kind == "front_leg":  # animals have a long trunk over short legs
        tail = _has_tail(clues, legs, arms)
        points += 2.2 * tail + 3.0 * (tail and trunk > 0.72)
    else:
        points += 0.8 * (trunk < 0.7)
    return points


def _has_tail(clues: Clues, legs: LimbPair, arms: LimbPair) -> bool:
    """Whether the joint that carries the legs has a chain in the middle that does not lead to the arms."""
    return any(len(clues.tree.path(child)) >= 2 for child in _other_branches(clues, legs.base, arms.base))


def _trunk_length(tree: JointTree, base: int, arms: LimbPair) -> float:
    """Metres along the bones from below the hips to the first joint of the arms."""
    above = set(tree.up_from(base))
    length = 0
    for joint in tree.up_from(arms.roots[0]):
        if joint in above:
            break
        length += tree.lengths[joint]
    return length


def _carries_head(clues: Clues, joint: int, other: int) -> bool:
    """Whether a joint carries a chain in the middle other than the one that leads to another joint."""
    return any(clues.tree.total(child) > 0 for child in _other_branches(clues, joint, other))


def _other_branches(clues: Clues, joint: int, other: int) -> list[int]:
    """Children of a joint in the middle that do not lead to another joint."""
    to_other = set(clues.tree.up_from(other))
    children = clues.tree.children[joint] if joint >= 0 else ()
    return [child for child in children if clues.middle[child] and child not in to_other]
