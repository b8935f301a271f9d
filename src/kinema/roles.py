"""Which joint is what: hips, spine, head and limbs, read from joint names.

Limbs are found from their ends: a foot or hand by name, then the chain up to where both sides meet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kinema import naming
from kinema.errors import SkeletonError
from kinema.skeleton import Skeleton

Side = Literal["left", "right"]

_FOOT = ("foot", "ankle", "talocrural")
_TOE = ("toe", "toes", "toebase", "ball")
_THIGH = ("upleg", "upperleg", "thigh", "femur", "upperlegs", "legupper")
_KNEE = ("shin", "calf", "lowerleg", "knee", "lowleg", "tibia", "leglower", "leg", "foreleg")
_HAND = ("hand", "wrist")
_UPPER_ARM = ("upperarm", "uparm", "arm", "humerus", "armupper", "shldr")
_FOREARM = ("forearm", "lowerarm", "lowarm", "elbow", "radius", "armlower")
_SHOULDER = ("clavicle", "collar", "shoulder", "scapula")
_NOT_BODY = (
    "ik", "ctrl", "control", "pole", "target", "roll", "twist", "share", "thumb", "index", "middle", "ring", "pinky",
    "finger", "end", "nub", "site", "marker", "metacarpal", "little", "attach", "slot", "helper",
)  # fmt: skip


@dataclass(frozen=True)
class Leg:
    """Joint indices of a leg; ``toe`` is the ball of the foot."""

    side: Side
    upper: int
    lower: int
    foot: int
    toe: int | None


@dataclass(frozen=True)
class Arm:
    """Joint indices of an arm; ``shoulder`` is the clavicle."""

    side: Side
    shoulder: int | None
    upper: int
    lower: int
    hand: int


@dataclass(frozen=True)
class Roles:
    """Joint indices by their part in the body; ``legs`` and ``arms`` are empty where names do not tell."""

    hips: int
    spine: tuple[int, ...]
    neck: int | None
    head: int | None
    legs: tuple[Leg, ...]
    arms: tuple[Arm, ...]

    @property
    def is_biped(self) -> bool:
        return [leg.side for leg in self.legs] == ["left", "right"]

    def leg(self, side: Side) -> Leg:
        """The leg of one side.

        Raises:
            SkeletonError: there is none.
        """
        for leg in self.legs:
            if leg.side == side:
                return leg
        raise SkeletonError(f"no {side} leg was found by joint names (a name with 'foot' or 'ankle' and the side)")


def _joined(skeleton: Skeleton, joint: int) -> str:
    """The words of a joint's name without its side, joined: ``LeftUpLeg`` gives ``upleg``."""
    parts = [word for word in naming.words(skeleton.names[joint]) if word not in ("left", "right", "l", "r")]
    return "".join(part for part in parts if not part.isdigit())


def _is(skeleton: Skeleton, joint: int, endings: tuple[str, ...]) -> bool:
    joined = _joined(skeleton, joint)
    if naming.words(skeleton.names[joint])[:1] in (("l",), ("r",)) and joined == "":
        return False
    return any(joined == ending or joined.endswith(ending) for ending in endings)


def _excluded(skeleton: Skeleton, joint: int) -> bool:
    return any(word in _NOT_BODY for word in naming.words(skeleton.names[joint]))


def _ends(skeleton: Skeleton, side: Side, endings: tuple[str, ...]) -> list[int]:
    """Joints of one side that close a limb, highest in the tree first."""
    found = [
        joint
        for joint in range(skeleton.joint_count)
        if naming.side(skeleton.names[joint]) == side
        and not _excluded(skeleton, joint)
        and _is(skeleton, joint, endings)
        and skeleton.depths[joint] >= 2
    ]
    return sorted(found, key=lambda joint: (skeleton.depths[joint], joint))


def _meeting(skeleton: Skeleton, a: int, b: int) -> int | None:
    above = [b, *skeleton.ancestors(b)]
    return next((joint for joint in [a, *skeleton.ancestors(a)] if joint in above), None)


def _limb(
    skeleton: Skeleton, end: int, top: int, upper_names: tuple[str, ...], lower_names: tuple[str, ...]
) -> tuple[int, int, list[int]] | None:
    """Upper joint, lower joint and the whole chain (top excluded) of a limb that ends at ``end``."""
    chain = [joint for joint in skeleton.ancestors(end) if skeleton.depths[joint] > skeleton.depths[top]][::-1]
    body = [joint for joint in chain if not _excluded(skeleton, joint)]
    if len(body) < 2:
        return None
    uppers = [joint for joint in body[:-1] if _is(skeleton, joint, upper_names)]
    upper = uppers[-1] if uppers else None
    lowers = [joint for joint in body if _is(skeleton, joint, lower_names) and joint != upper]
    if upper is not None:
        lowers = [joint for joint in lowers if joint > upper]
    lower = lowers[0] if lowers and lowers[0] != body[0] else body[-1]
    if upper is None or upper == lower:
        upper = body[body.index(lower) - 1]
    return upper, lower, chain


def _legs(skeleton: Skeleton) -> tuple[tuple[Leg, ...], int | None]:
    feet: dict[Side, list[int]] = {"left": _ends(skeleton, "left", _FOOT), "right": _ends(skeleton, "right", _FOOT)}
    if not feet["left"] or not feet["right"]:
        return (), None
    left = feet["left"][0]
    partner = int(skeleton.mirror_map[left])
    right = partner if partner in feet["right"] else feet["right"][0]
    top = _meeting(skeleton, left, right)
    if top is None:
        return (), None
    legs: list[Leg] = []
    sides: tuple[tuple[Side, int], ...] = (("left", left), ("right", right))
    for side, foot in sides:
        limb = _limb(skeleton, foot, top, _THIGH, _KNEE)
        if limb is None:
            return (), None
        below = [joint for joint in range(foot + 1, skeleton.joint_count) if foot in skeleton.ancestors(joint)]
        named = [joint for joint in below if _is(skeleton, joint, _TOE)]
        only = skeleton.children[foot]
        toe = named[0] if named else only[0] if len(only) == 1 and skeleton.bone_lengths[only[0]] > 0 else None
        legs.append(Leg(side, limb[0], limb[1], foot, toe))
    return tuple(legs), top


def _arms(skeleton: Skeleton) -> tuple[Arm, ...]:
    hands: dict[Side, list[int]] = {"left": _ends(skeleton, "left", _HAND), "right": _ends(skeleton, "right", _HAND)}
    if not hands["left"] or not hands["right"]:
        return ()
    top = _meeting(skeleton, hands["left"][0], hands["right"][0])
    if top is None:
        return ()
    arms: list[Arm] = []
    sides: tuple[Side, Side] = ("left", "right")
    for side in sides:
        hand = hands[side][0]
        limb = _limb(skeleton, hand, top, _UPPER_ARM, _FOREARM)
        if limb is None:
            return ()
        upper, lower, chain = limb
        above = [joint for joint in chain if joint < upper and _is(skeleton, joint, _SHOULDER)]
        arms.append(Arm(side, above[-1] if above else None, upper, lower, hand))
    return tuple(arms)


def find_roles(skeleton: Skeleton) -> Roles:
    """Roles of a skeleton's joints by their names. Never fails: what is not found is empty or None."""
    legs, top = _legs(skeleton)
    arms = _arms(skeleton)
    named_hips = [j for j in range(skeleton.joint_count) if _is(skeleton, j, ("hips", "pelvis", "hip"))
                  and naming.side(skeleton.names[j]) is None]  # fmt: skip
    hips = top if top is not None else named_hips[0] if named_hips else 0
    middle = [j for j in range(skeleton.joint_count) if naming.side(skeleton.names[j]) is None and j != hips]
    heads = [j for j in middle if _is(skeleton, j, ("head",)) and not _excluded(skeleton, j)]
    head = min(heads, key=lambda joint: skeleton.depths[joint]) if heads else None
    if head is None:
        return Roles(hips, (), None, None, legs, arms)
    between = [joint for joint in skeleton.ancestors(head)[::-1] if skeleton.depths[joint] > skeleton.depths[hips]]
    necks = [joint for joint in between if _is(skeleton, joint, ("neck",))]
    neck = necks[0] if necks else None
    spine = tuple(joint for joint in between if joint not in necks)
    return Roles(hips, spine, neck, head, legs, arms)


def require_biped(skeleton: Skeleton) -> Roles:
    """The roles of a skeleton with a left and a right leg.

    Raises:
        SkeletonError: it has no such legs; the message lists the joints.
    """
    roles = skeleton.roles
    if not roles.is_biped:
        listed = ", ".join(skeleton.names[:12]) + (", ..." if skeleton.joint_count > 12 else "")
        raise SkeletonError(
            f"the skeleton has no legs: a left and a right joint named like 'foot' or 'ankle' with two joints above each "
            f"were not found among {listed}"
        )
    return roles
