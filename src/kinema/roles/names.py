"""Which joint is what: hips, spine, head and limbs, read from joint names.

Limbs are found from their ends: a foot or hand by name, then the chain up to where both sides meet. A rig whose feet
are not below its shins (feet that are bare IK targets) has no legs here, nor has one with named front feet. Quadrupeds
whose limbs are named like a human's (LeftUpLeg and LeftArm) cannot be told apart by names and count as bipeds.
"""

from __future__ import annotations

from kinema import naming
from kinema.errors import SkeletonError
from kinema.roles.model import Arm, Leg, Roles, Side
from kinema.skeleton import Skeleton

Names = tuple[str, ...]

# Endings of a name without side, digits and filler. A limb's tables go from telling names to weak ones, which other
# rigs use for a neighbour: "LeftHip" is a thigh above "LeftKnee", but not above "LeftUpLeg".
_FILLER = ("left", "right", "l", "r", "bone", "joint", "jnt", "bend")
_FOOT = ("foot", "ankle", "talocrural")
_TOE = ("toe", "toes", "toebase", "ball")
_HAND = ("hand", "wrist", "fist", "palm")
_HIPS = ("hips", "pelvis", "hip")
_NECK = ("neck", "necktwist")
_CLAVICLE = (("clavicle", "collar"), ("shoulder", "scapula"))
_THIGH = (("upleg", "upperleg", "legupper", "uleg", "thigh", "femur"), ("hip", "hipjoint"))
_SHIN = (("shin", "calf", "lowerleg", "lowleg", "loleg", "leglower", "knee", "tibia"), ("leg",))
_UPPER_ARM = (("upperarm", "uparm", "armupper", "uarm", "humerus", "shldr", "legupper"), ("arm",), ("shoulder",))
_FOREARM = (("forearm", "lowerarm", "lowarm", "loarm", "armlower", "elbow", "radius", "leglower"),)
_TELLING = _THIGH[0] + _SHIN[0] + _UPPER_ARM[0] + _FOREARM[0]
_NOT_BODY = (
    "ik", "ctrl", "control", "pole", "target", "roll", "twist", "share", "thumb", "index", "middle", "ring", "pinky",
    "finger", "end", "nub", "site", "marker", "metacarpal", "little", "attach", "slot", "helper", "tip", "null", "leaf",
)  # fmt: skip
_FRONT = ("front", "fore", "mid")


def _stem(skeleton: Skeleton, joint: int) -> str:
    """The words of a joint's name without side, digits and filler, joined: ``LeftUpLegBone`` gives ``upleg``."""
    return "".join(w for w in naming.words(skeleton.names[joint]) if w not in _FILLER and not w.isdigit())


def _is(skeleton: Skeleton, joint: int, endings: Names) -> bool:
    return _stem(skeleton, joint).endswith(endings)


def _excluded(skeleton: Skeleton, joint: int) -> bool:
    name = skeleton.names[joint]  # Blender's MakeHuman export joins "__Foot" bones between a parent and "Foot"
    return name.startswith("__") or any(word in _NOT_BODY for word in naming.words(name))


def _first(skeleton: Skeleton, joints: list[int], tables: tuple[Names, ...]) -> int | None:
    """The first of ``joints`` by the most telling table that fits any of them."""
    for names in tables:
        for joint in joints:
            if _is(skeleton, joint, names) and (names[0] in _TELLING or not _is(skeleton, joint, _TELLING)):
                return joint
    return None


def _below(skeleton: Skeleton, top: int) -> list[int]:
    """All joints under ``top``, parents first."""
    found = {top}
    for joint in range(top + 1, skeleton.joint_count):
        if int(skeleton.parents[joint]) in found:
            found.add(joint)
    return sorted(found - {top})


def _ends(skeleton: Skeleton, side: Side, endings: Names) -> list[int]:
    """Joints of one side that close a limb of at least two others: those with toes first, then by depth."""
    found = [
        joint
        for joint in range(skeleton.joint_count)
        if naming.side(skeleton.names[joint]) == side
        and _is(skeleton, joint, endings)
        and not _excluded(skeleton, joint)
        and skeleton.depths[joint] >= 2
    ]
    carries_toes = [endings == _FOOT and _is(skeleton, j, _TOE) and not _excluded(skeleton, j)
                    for j in range(skeleton.joint_count)]  # fmt: skip
    for joint in range(skeleton.joint_count - 1, 0, -1):  # parents come first, so one pass from the end reaches all
        if carries_toes[joint] and skeleton.parents[joint] >= 0:
            carries_toes[int(skeleton.parents[joint])] = True
    return sorted(found, key=lambda joint: (not carries_toes[joint], skeleton.depths[joint]))


def _meeting(skeleton: Skeleton, a: int, b: int) -> int | None:
    above = {b, *skeleton.ancestors(b)}
    return next((joint for joint in [a, *skeleton.ancestors(a)] if joint in above), None)


def _pair(skeleton: Skeleton, endings: Names) -> tuple[tuple[Side, int], tuple[Side, int], int] | None:
    """The end of the left limb, that of the right one, and the joint where the two meet."""
    left, right = _ends(skeleton, "left", endings), _ends(skeleton, "right", endings)
    if not left or not right:
        return None
    partner = int(skeleton.mirror_map[left[0]])
    other = partner if partner in right else right[0]
    top = _meeting(skeleton, left[0], other)
    return None if top is None else (("left", left[0]), ("right", other), top)


def _limb(
    skeleton: Skeleton, end: int, top: int, upper_names: tuple[Names, ...], lower_names: tuple[Names, ...]
) -> tuple[int, int, list[int]] | None:
    """Upper joint, lower joint and the joints above the upper one of a limb from ``top`` (left out) to ``end``."""
    chain = [joint for joint in skeleton.ancestors(end) if skeleton.depths[joint] > skeleton.depths[top]][::-1]
    body = [joint for joint in chain if not _excluded(skeleton, joint)]
    if len(body) < 2:
        return None
    upper = _first(skeleton, body[:-1], upper_names[:1]) or _first(skeleton, body[-2::-1], upper_names[1:])
    if upper is None:
        lower = _first(skeleton, body[1:], lower_names) or body[-1]
        upper = body[body.index(lower) - 1]
    else:
        below = body[body.index(upper) + 1 :]
        lower = _first(skeleton, below, lower_names) or below[-1]
    return upper, lower, body[: body.index(upper)]


def _toe(skeleton: Skeleton, foot: int) -> int | None:
    below = [joint for joint in _below(skeleton, foot) if not _excluded(skeleton, joint)]
    named = [joint for joint in below if _is(skeleton, joint, _TOE)]
    if named:
        return min(named, key=lambda joint: (skeleton.depths[joint], skeleton.names[joint]))
    only = [joint for joint in below if skeleton.parents[joint] == foot and skeleton.bone_lengths[joint] > 0]
    return only[0] if len(only) == 1 else None


def _legs(skeleton: Skeleton) -> tuple[Leg, ...]:
    pair = _pair(skeleton, _FOOT)
    if pair is None or any(
        _is(skeleton, joint, _FOOT) and any(word in _FRONT for word in naming.words(skeleton.names[joint]))
        for joint in range(skeleton.joint_count)
    ):
        return ()
    legs: list[Leg] = []
    for side, foot in pair[:2]:
        limb = _limb(skeleton, foot, pair[2], _THIGH, _SHIN)
        if limb is None:
            return ()
        legs.append(Leg(side, limb[0], limb[1], foot, _toe(skeleton, foot)))
    return tuple(legs)


def _arms(skeleton: Skeleton) -> tuple[Arm, ...]:
    pair = _pair(skeleton, _HAND)
    if pair is None:
        return ()
    arms: list[Arm] = []
    for side, hand in pair[:2]:
        limb = _limb(skeleton, hand, pair[2], _UPPER_ARM, _FOREARM)
        if limb is None:
            return ()
        arms.append(Arm(side, _first(skeleton, limb[2], _CLAVICLE), limb[0], limb[1], hand))
    return tuple(arms)


def _hips(skeleton: Skeleton, legs: tuple[Leg, ...], head: int | None) -> int:
    """The joint that carries legs and spine: where they meet, or the joint above that is named so (3ds Max Biped)."""
    if not legs:
        middle = (j for j in range(skeleton.joint_count) if naming.side(skeleton.names[j]) is None)
        return next((j for j in middle if _is(skeleton, j, _HIPS) and not _excluded(skeleton, j)), 0)
    top = _meeting(skeleton, legs[0].upper, legs[1].upper) or 0
    if head is not None:
        with_head = _meeting(skeleton, top, head)
        top = top if with_head is None else with_head
    return next((joint for joint in [top, *skeleton.ancestors(top)] if _is(skeleton, joint, _HIPS)), top)


def find_roles(skeleton: Skeleton) -> Roles:
    """Roles of a skeleton's joints by their names. Never fails: what is not found is empty or None."""
    legs, arms = _legs(skeleton), _arms(skeleton)
    heads = [
        joint
        for joint in range(skeleton.joint_count)
        if naming.side(skeleton.names[joint]) is None
        and _is(skeleton, joint, ("head",))
        and not _excluded(skeleton, joint)
    ]
    head = min(heads, key=lambda joint: skeleton.depths[joint]) if heads else None
    hips = _hips(skeleton, legs, head)
    if head is None:
        return Roles(hips, (), None, None, legs, arms)
    not_spine = {hips, *skeleton.ancestors(hips)}
    between = [joint for joint in skeleton.ancestors(head)[::-1] if joint not in not_spine]
    necks = [joint for joint in between if _is(skeleton, joint, _NECK)]
    spine = tuple(joint for joint in between if joint not in necks)
    return Roles(hips, spine, necks[0] if necks else None, head, legs, arms)


def require_biped(skeleton: Skeleton) -> Roles:
    """The roles of a skeleton with a left and a right leg.

    Raises:
        SkeletonError: it has no such legs; the message lists the joints.
    """
    roles = skeleton.roles
    if not roles.is_biped:
        listed = ", ".join(skeleton.names[:12]) + (", ..." if skeleton.joint_count > 12 else "")
        raise SkeletonError(
            f"the skeleton has no legs: a left and a right joint named like 'foot' or 'ankle' with two joints above "
            f"each were not found among {listed}"
        )
    return roles
