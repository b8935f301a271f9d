"""A skeleton with a person's proportions, and its poses from points in space: closed forms, so no limb is stretched."""

from __future__ import annotations

import numpy as np

from kinema import rotations
from kinema.arrays import Floats
from kinema.keypoints.proportions import USUAL, Proportions, index
from kinema.keypoints.smoothing import smooth
from kinema.motion import Motion
from kinema.skeleton import Skeleton

ANKLE = 0.075
"""Height of an ankle of an adult over the ground, metres."""

_SPINE = 0.25  # share of the trunk below its first joint
_SKULL = 0.4  # share of the way from the neck to between the ears at which the head begins
_COLLAR = 0.25  # share of half the shoulders' width at which collar bones begin
_HAND, _TOE, _CROWN = 0.17, 0.06, 0.14  # metres beyond the last joints, of an adult
_UP, _LEFT, _AHEAD = np.eye(3)[1], np.eye(3)[0], np.eye(3)[2]
_SIDES = ((1.0, "Left", "left"), (-1.0, "Right", "right"))
_STRAIGHT = 0.02  # square of the sine of a bend that says as much about its axis as the usual one does
_SLOW = 3.0  # hertz from which on turns of a limb about itself are noise


def skeleton_of(body: Proportions) -> Skeleton:
    """A standing skeleton with arms to its sides, Y up, facing +Z, metres."""
    length, size = body.length, body.length("head") / USUAL[-1]
    trunk, ankle = length("trunk"), ANKLE * length("shin") / USUAL[6]
    hips = _UP * (length("thigh") + length("shin") + ankle)
    joints: list[tuple[str, str, Floats]] = [
        ("Hips", "", hips),
        ("Spine", "Hips", _UP * trunk * _SPINE),
        ("Chest", "Spine", _UP * trunk * (1 - _SPINE) / 2),
        ("Neck", "Chest", _UP * trunk * (1 - _SPINE) / 2),
        ("Head", "Neck", _UP * length("head") * _SKULL),
    ]
    tips = [("Head", _UP * (length("head") * (1 - _SKULL) + _CROWN * size))]
    for sign, side, _ in _SIDES:
        out, collar = sign * _LEFT, length("shoulder") * _COLLAR
        joints += [
            (f"{side}Shoulder", "Chest", _UP * trunk * (1 - _SPINE) / 2 + out * collar),
            (f"{side}Arm", f"{side}Shoulder", out * (length("shoulder") - collar)),
            (f"{side}ForeArm", f"{side}Arm", out * length("upper_arm")),
            (f"{side}Hand", f"{side}ForeArm", out * length("forearm")),
        ]
        tips.append((f"{side}Hand", out * _HAND * length("forearm") / USUAL[4]))
    for sign, side, _ in _SIDES:
        down = np.sqrt(max(length("foot") ** 2 - (0.7 * ankle) ** 2, 1e-4))
        joints += [
            (f"{side}UpLeg", "Hips", sign * _LEFT * length("hip")),
            (f"{side}Leg", f"{side}UpLeg", -_UP * length("thigh")),
            (f"{side}Foot", f"{side}Leg", -_UP * length("shin")),
            (f"{side}ToeBase", f"{side}Foot", _AHEAD * down - _UP * 0.7 * ankle),
        ]
        tips.append((f"{side}ToeBase", _AHEAD * _TOE * length("foot") / USUAL[7]))
    names = [name for name, _, _ in joints]
    parents = [names.index(parent) if parent else -1 for _, parent, _ in joints]
    places = np.array([place for _, _, place in joints])
    return Skeleton.create(names, parents, places, tips=[(names.index(name), place) for name, place in tips])


def posed(skeleton: Skeleton, points: Floats, roots: Floats, fps: float, name: str) -> Motion:
    """The skeleton's motion.

    Args:
        skeleton: of `skeleton_of`.
        points: `[N, 21, 3]`, metres from the middle of the hips, see `kinema.keypoints.lifting.lift`.
        roots: where the middle of the hips is, `[N, 3]`, metres.
        fps: frames per second.
        name: of the motion.
    """
    turns = _turns(points, skeleton, fps)
    world = np.stack([turns[joint] for joint in skeleton.names], axis=1)
    parents = np.maximum(skeleton.parents, 0)
    local = np.where((skeleton.parents < 0)[:, None], world, rotations.relative(world[:, parents], world))
    return Motion.create(skeleton, local, roots[:, None], [0], fps, name)


def _turns(points: Floats, skeleton: Skeleton, fps: float) -> dict[str, Floats]:
    """Rotations `[N, 4]` of all joints in the world."""
    at = {name: points[:, index(name)] for name in ("neck", "nose", "left_ear", "right_ear")}
    found: dict[str, Floats] = {}
    hips = points[:, index("left_hip")] - points[:, index("right_hip")]
    shoulders = points[:, index("left_shoulder")] - points[:, index("right_shoulder")]
    found["Hips"] = _frame(hips, at["neck"])
    spine = skeleton.rest_translations[skeleton.index("Spine")].astype(np.float64)
    trunk = at["neck"] - rotations.rotate(found["Hips"], spine)
    found["Spine"] = _frame(_unit(hips) + _unit(shoulders), trunk, upright=True)
    found["Chest"] = _frame(shoulders, trunk, upright=True)
    ears, across = (at["left_ear"] + at["right_ear"]) / 2, at["left_ear"] - at["right_ear"]
    found["Neck"] = _frame(_unit(shoulders) + _unit(across), ears - at["neck"], upright=True)
    found["Head"] = _frame(across, np.cross(at["nose"] - ears, across))
    for sign, side, lower in _SIDES:
        neck = at["neck"] + rotations.rotate(found["Chest"], sign * _LEFT * _collar(skeleton, side))
        shoulder, elbow, wrist, hip, knee, ankle, toe = (
            points[:, index(f"{lower}_{part}")]
            for part in ("shoulder", "elbow", "wrist", "hip", "knee", "ankle", "toe")
        )
        out = sign * _LEFT
        found[f"{side}Shoulder"] = _aimed(found["Chest"], out, shoulder - neck)
        axis = -sign * _UP
        hinge = _hinge(elbow - shoulder, wrist - elbow, rotations.rotate(found["Chest"], axis), fps)
        found[f"{side}Arm"] = _hinged(out, axis, elbow - shoulder, hinge)
        found[f"{side}ForeArm"] = _hinged(out, axis, wrist - elbow, hinge)
        found[f"{side}Hand"] = found[f"{side}ForeArm"]
        hinge = _hinge(knee - hip, ankle - knee, rotations.rotate(found["Hips"], _LEFT), fps)
        found[f"{side}UpLeg"] = _hinged(-_UP, _LEFT, knee - hip, hinge)
        found[f"{side}Leg"] = _hinged(-_UP, _LEFT, ankle - knee, hinge)
        rest = skeleton.rest_translations[skeleton.index(f"{side}ToeBase")].astype(np.float64)
        found[f"{side}Foot"] = _hinged(_unit(rest), _LEFT, toe - ankle, rotations.rotate(found[f"{side}Leg"], _LEFT))
        found[f"{side}ToeBase"] = found[f"{side}Foot"]
    return found


def _collar(skeleton: Skeleton, side: str) -> float:
    return float(abs(skeleton.rest_translations[skeleton.index(f"{side}Shoulder"), 0]))


def _unit(vectors: Floats) -> Floats:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)


def _frame(left: Floats, up: Floats, upright: bool = False) -> Floats:
    """The rotation whose +X is `left` and +Y is near `up`; exactly `up`, and near `left`, if `upright`."""
    first = _unit(up if upright else left)
    other = left if upright else up
    other = _unit(other - (other * first).sum(axis=-1, keepdims=True) * first)
    x, y = (other, first) if upright else (first, other)
    return rotations.from_matrix(np.stack([x, y, np.cross(x, y)], axis=-1))


def _aimed(turn: Floats, axis: Floats, toward: Floats) -> Floats:
    """A rotation turned as little as possible so that its `axis` points there."""
    return rotations.multiply(rotations.between(rotations.rotate(turn, axis), _unit(toward)), turn)


def _hinge(one: Floats, other: Floats, usual: Floats, fps: float) -> Floats:
    """The axis about which two bones bend, `[N, 3]`: smooth over time, the usual one where they are straight."""
    across = np.cross(_unit(one), _unit(other))
    bent = (across**2).sum(axis=-1, keepdims=True)
    mixed = (bent * _unit(across) + _STRAIGHT * usual) / (bent + _STRAIGHT)
    return _unit(smooth(mixed[:, None], bent + _STRAIGHT, fps, _SLOW)[:, 0])


def _hinged(axis: Floats, hinge: Floats, toward: Floats, about: Floats) -> Floats:
    """The rotation that takes a bone's `axis` there exactly, and its `hinge` near `about`."""
    rest = np.stack([axis, np.cross(hinge, axis), hinge - (hinge @ axis) * axis], axis=-1)
    first = _unit(toward)
    third = _unit(about - (about * first).sum(axis=-1, keepdims=True) * first)
    there = np.stack([first, np.cross(third, first), third], axis=-1)
    return rotations.from_matrix(there @ rest.T)
