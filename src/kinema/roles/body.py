"""The plan of a body: which pairs are legs, arms, front legs, wings and fins, and where hips and chest are.

Every reading of the large pairs is scored by its shape and by the words in the joints' names; the best is taken. Shape
knows that legs point away from the trunk and reach lowest, that arms leave the trunk beyond the legs, where the head
is, that hands branch, and that a trunk over four feet is level.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema.roles.limbs import Limb
from kinema.roles.model import Plan
from kinema.roles.tree import Floats, Tree
from kinema.roles.vocabulary import Evidence

_LARGE = 0.22  # of the longest limb: shorter pairs are no limbs unless their names say so
_NAMES = 5.0  # weight of what names say beside the points of shape
_SURE = 4.0  # points between the two best readings that make a reading certain
_FEATHERED = 2  # joints of a limb that branch; fingers branch at one
_Y = np.array([0.0, 1.0, 0.0])


@dataclass(eq=False)
class Body:
    """The limbs of a skeleton and the middle that carries them.

    Attributes:
        limbs: pairs with their kinds; kind "" for small ones that are none.
        plan: the build.
        hips: where legs and spine meet.
        chest: the joint that carries arms or front legs; `hips` where there are none.
        up: unit vector `[3]` in the world of the pose.
        margin: how clearly the best reading won, 0 to 1.
        tipped: the legs' chains end in a joint beyond the toes, as files have it that mark ends by joints.
    """

    limbs: list[Limb]
    plan: Plan
    hips: int
    chest: int
    up: Floats
    margin: float
    tipped: bool = False

    def of(self, *kinds: str) -> list[Limb]:
        return [limb for limb in self.limbs if limb.kind in kinds]

    def segmented(self, limb: Limb) -> bool:
        """Whether the joints of a limb have parts of their own; a spider's leg, a fin or a small wing is one part."""
        if limb.kind == "wing":  # an arm with feathers
            return limb.named("arm") >= 0.3 or (limb.forks >= _FEATHERED and len(limb.path) >= 3)
        return limb.kind in ("arm", "front_leg") or (limb.kind == "leg" and self.plan != "many-legged")


def find_body(tree: Tree, limbs: list[Limb], middle: list[bool], evidence: list[Evidence]) -> Body:
    """The best reading of a skeleton's limbs. Sets their kinds."""
    longest = max((limb.total for limb in limbs if limb.named("ear") < 0.5), default=0.0)
    large = [
        limb
        for limb in limbs
        if max(limb.named("ear"), limb.named("fin")) < 0.5
        and len(limb.path) > 1
        and (limb.total > _LARGE * longest or sum(limb.votes.values()) > 2.0)
    ][:12]
    if _is_hand(tree, large, middle):
        return _finish(tree, evidence, limbs, "unknown", None, None, 0.0)
    crowd = _many_legs(tree, large)
    if crowd:
        _settle_many(tree, limbs, crowd)
        return _finish(tree, evidence, limbs, "many-legged", crowd[0], crowd[0], 0.8)
    best = second = -100.0
    chosen: tuple[Limb | None, Limb | None, str] = (None, None, "")
    for legs in (*large[:5], None):
        for arms in (*large[:5], None):
            if legs is not None and (legs is arms or legs.named("wing") > 0.5):
                continue
            for kind in ("arm", "front_leg", "wing") if arms is not None else ("",):
                points = _score(tree, middle, legs, arms, kind) - _unexplained(tree, large, legs, arms)
                if points > best:
                    best, second, chosen = points, best, (legs, arms, kind)
                elif points > second:
                    second = points
    legs, arms, kind = chosen
    margin = float(np.clip((best - second) / _SURE, 0, 1))
    if legs is not None:
        legs.kind = "leg"
    if arms is not None:
        arms.kind = kind
    for limb in limbs:
        if not limb.kind:
            limb.kind = _lesser(limb, large, legs is not None and kind == "front_leg")
    plan: Plan = "unknown"
    if legs is not None and kind == "front_leg":
        plan = "winged" if any(limb.kind == "wing" for limb in limbs) else "quadruped"
    elif any(limb.kind == "wing" for limb in limbs):
        plan = "winged"
    elif legs is not None:
        plan = "biped"
    elif arms is None or kind == "wing":
        plan = "legless"
    return _finish(tree, evidence, limbs, plan, legs, arms, margin)


def _finish(
    tree: Tree,
    evidence: list[Evidence],
    limbs: list[Limb],
    plan: Plan,
    legs: Limb | None,
    arms: Limb | None,
    margin: float,
) -> Body:
    up = _up(legs)
    hips = legs.base if legs is not None else tree.roots[0]
    chest = arms.base if arms is not None else hips
    if legs is not None and arms is not None and legs.base >= 0 and arms.base >= 0:
        hips = _meeting(tree, legs.base, arms.base)
    elif legs is None and arms is not None:
        hips = tree.up_from(arms.base)[-1] if arms.base >= 0 else tree.roots[0]
    if hips < 0:
        hips = max(tree.roots, key=lambda joint: tree.size[joint])
    if legs is not None:  # 3ds Max Biped hangs the legs on the spine, below the pelvis
        hips = next((joint for joint in tree.up_from(hips) if evidence[joint].parts.get("hips", 0) > 0.9), hips)
    return Body(limbs, plan, hips, chest if chest >= 0 else hips, up, margin)


def _meeting(tree: Tree, one: int, other: int) -> int:
    above = set(tree.up_from(one))
    return next((joint for joint in tree.up_from(other) if joint in above), one)


def _up(legs: Limb | None) -> Floats:
    """Away from where the legs point, along an axis of the world if one is near."""
    if legs is None or float(np.linalg.norm(legs.way)) < 0.3:
        return _Y
    up = -legs.way / np.linalg.norm(legs.way)
    if up[1] > 0.5:
        return _Y
    axis = int(np.argmax(np.abs(up)))
    return np.eye(3)[axis] * np.sign(up[axis]) if abs(up[axis]) > 0.8 else up


def _is_hand(tree: Tree, large: list[Limb], middle: list[bool]) -> bool:
    """Whether all there is are four to six chains of one make below a root: fingers."""
    bases = {limb.base for limb in large}
    base = next(iter(bases)) if len(bases) == 1 else -1
    if base < 0 or tree.parents[base] >= 0 or not 4 <= len(tree.children[base]) <= 6 or len(tree.roots) > 1:
        return False
    digits = tree.children[base]
    if not any(middle[joint] for joint in digits):
        return False
    sizes, reaches = [tree.size[joint] for joint in digits], [tree.reach[joint] for joint in digits]
    alone = all(len(tree.path(joint)) == tree.size[joint] for joint in digits)
    return alone and max(sizes) - min(sizes) <= 1 and max(reaches) < 2.2 * min(reaches)


def _many_legs(tree: Tree, large: list[Limb]) -> list[Limb]:
    """Three or more pairs of the same make, or named legs; from none in particular to last."""
    named = [limb for limb in large if limb.named("leg") > 0.6]
    if len(named) >= 3:
        return named
    unnamed = [limb for limb in large if not limb.votes or limb.named("leg") > 0.6]
    for first in unnamed:
        alike = [
            limb
            for limb in unnamed
            if 0.55 < limb.total / max(first.total, 1e-9) < 1.8
            and abs(len(limb.path) - len(first.path)) <= 1
            and limb.digits <= 2
            and first.digits <= 2
        ]
        if len(alike) >= 3 and len(alike) >= len(unnamed) - 1:
            heights = [limb.tip[1] for limb in alike]
            if not tree.posed or np.ptp(heights) < 0.75 * max(limb.total for limb in alike):
                return alike
    return []


def _settle_many(tree: Tree, limbs: list[Limb], crowd: list[Limb]) -> None:
    for limb in crowd:
        limb.kind = "leg"
    for limb in limbs:
        if not limb.kind:
            limb.kind = _lesser(limb, crowd, True)


def _lesser(limb: Limb, large: list[Limb], footed: bool) -> str:
    """The kind of a pair that is neither the legs nor the arms of the best reading."""
    for kind in ("wing", "fin"):
        if limb.named(kind) > 0.5:
            return kind
    if limb in large and limb.named("arm") > 0.6:
        return "arm"
    if limb in large and footed and not limb.votes and len(limb.path) >= 3:
        return "wing"
    return ""


def _score(tree: Tree, middle: list[bool], legs: Limb | None, arms: Limb | None, kind: str) -> float:
    """Points of one reading: the more the likelier."""
    points = 0.0
    if legs is not None:
        points += _leg_points(tree, legs)
    if arms is not None:
        points += _NAMES * (arms.named({"front_leg": "leg"}.get(kind, kind)) - 0.35 * bool(arms.votes))
        if kind == "front_leg" and arms.votes:  # named like arms, it may still stand on the ground
            points += _NAMES * 0.25 * arms.named("arm")
        if kind == "wing" and not arms.votes:
            points -= 1.0
    if legs is None:
        points -= 2.5 if arms is None else 1.5
        if arms is not None and kind == "front_leg":
            points -= 6.0
        return points
    if arms is None:  # one pair: fins unless it hangs
        return points + 0.2 - 2.5 * (tree.posed and not legs.votes and float(-legs.way @ _Y) < 0.3)
    return points + _pair_points(tree, middle, legs, arms, kind)


def _unexplained(tree: Tree, large: list[Limb], legs: Limb | None, arms: Limb | None) -> float:
    """What large pairs cost that a reading leaves out: little beyond the arms, where ears and horns are."""
    top = arms or legs
    beyond = top.base if top is not None else -1
    missed = 0.0
    for limb in large:
        if limb is not legs and limb is not arms:
            above = limb.base != beyond and beyond >= 0 and beyond in tree.up_from(limb.base)
            missed += 0.3 if above else 1.2
    return missed


def _leg_points(tree: Tree, legs: Limb) -> float:
    points = _NAMES * (legs.named("leg") - 0.35 * bool(legs.votes)) - 4.0 * max(legs.level, 0.0)
    points += 0.4 * min(len(legs.path), 4) - 0.5
    points -= 0.15 * min(len(tree.up_from(legs.base)), 10)  # the hips are near the root
    if tree.posed:
        points += 2.0 * float(np.linalg.norm(legs.way)) - 1.0
        points += 0.8 * float(_up(legs) @ _Y)  # most files stand upright
        points += 0.5 if float(-legs.way @ _Y) > 0.7 else 0.0
    return points


def _pair_points(tree: Tree, middle: list[bool], legs: Limb, arms: Limb, kind: str) -> float:
    """What the two pairs are to each other."""
    points = 1.0
    hips = _meeting(tree, legs.base, arms.base) if legs.base >= 0 and arms.base >= 0 else -1
    leg_steps = tree.up_from(legs.base).index(hips) if hips >= 0 else 0
    arm_steps = tree.up_from(arms.base).index(hips) if hips >= 0 else 0
    points += 0.6 * float(np.clip(arm_steps - leg_steps, -2, 2))  # the hips carry the rest, not the chest
    points += 2.0 * float(np.clip(arms.level - legs.level, -2, 2))
    if arms.base != legs.base and _own(tree, middle, arms.base, legs.base) > 0:
        points += 0.8  # a head
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
        return points + _blind_points(tree, middle, legs, arms, kind)
    up = _up(legs)
    trunk = arms.start - legs.start
    length = float(np.linalg.norm(trunk))
    rise = float(trunk @ up) / max(length, 1e-9) if length > 0.05 * legs.total else 0.0
    legs_drop, arms_drop = float(-legs.way @ up), float(-arms.way @ up)
    above = float((arms.tip - legs.tip) @ up) / max(legs.total, 1e-9)  # of the hands over the feet
    points -= 2.0 * (above < -0.15)
    if kind == "front_leg":
        points += 2.0 * (arms_drop > 0.6) - 2.5 * (above > 0.3) + 1.0 * (abs(above) < 0.15)
        points += 1.5 * (abs(rise) < 0.6) - 3.0 * (rise > 0.8) + 0.3 * (legs_drop > 0.6)
    else:
        points += 1.5 * (rise > 0.7) - 1.0 * (rise < 0.0) - 1.5 * (above < 0.1)
        points += 0.8 * (above > 0.3)
    if kind == "wing":
        points -= 1.0 * (arms_drop > 0.6) + 0.6 * (rise > 0.8)
        points += 1.6 * (arms.forks >= _FEATHERED)
        points += 1.0 * (ratio > 1.1 and arms.digits < 3 and rise < 0.6)
    return points


def _blind_points(tree: Tree, middle: list[bool], legs: Limb, arms: Limb, kind: str) -> float:
    """Where the pose tells nothing, proportions: a clavicle, legs of two long bones, a tail that people lack."""
    points = -0.5 * (kind != "arm")
    if len(arms.path) > 1:
        points += 0.5 * (tree.lengths[arms.path[1]] < 0.45 * arms.total / 2)
    heavy = sorted((tree.lengths[joint] for joint in legs.path[1:]), reverse=True)[:2]
    points += 0.8 * (len(heavy) == 2 and heavy[1] > 0.6 * heavy[0])
    towards = set(tree.up_from(arms.base))
    tail = any(
        middle[child] and len(tree.path(child)) >= 2 and child not in towards
        for child in (tree.children[legs.base] if legs.base >= 0 else ())
    )
    trunk = sum(tree.lengths[joint] for joint in _between(tree, legs.base, arms)) / max(tree.reach[legs.roots[0]], 1e-9)
    if kind == "front_leg":  # animals have a long trunk over short legs
        points += 2.2 * tail + 3.0 * (tail and trunk > 0.72)
    else:
        points += 0.8 * (trunk < 0.7)
    return points


def _between(tree: Tree, base: int, arms: Limb) -> list[int]:
    """The joints from below the hips to the first one of the arms."""
    above = set(tree.up_from(base)) if base >= 0 else set()
    found = []
    for joint in tree.up_from(arms.roots[0]):
        if joint in above:
            break
        found.append(joint)
    return found


def _own(tree: Tree, middle: list[bool], joint: int, other: int) -> float:
    """Metres of the longest chain in the middle that a joint carries, but for the one that leads to the other."""
    if joint < 0:
        return 0.0
    towards = set(tree.up_from(other)) if other >= 0 else set()
    return max(
        (
            tree.reach[child] + tree.lengths[child]
            for child in tree.children[joint]
            if middle[child] and child not in towards
        ),
        default=0.0,
    )
