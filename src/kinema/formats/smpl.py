"""Poses of the SMPL family of body models in npz files: AMASS, AIST++ and similar ones.

The files hold angles; their bodies are licensed and come with other files. Joints therefore have the positions of a
person of our own proportions, unless the user has a model. Orders of joints are those of Loper et al., "SMPL: a
skinned multi-person linear model" (2015), Romero et al., "Embodied hands" (2017) and Pavlakos et al., "Expressive body
capture" (2019).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kinema import rotations
from kinema.arrays import Floats
from kinema.formats.members import Members
from kinema.formats.rates import whole_rate
from kinema.formats.units import check_up, vectors_from_z_up
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.rates import is_rate
from kinema.skeleton import Skeleton

DEFAULT_FPS = 30.0
FARTHEST = 1e5  # metres
MOST_VERTICES = 50_000

_SIDES = ("left", "right")
BODY = (
    "pelvis", "left_hip", "right_hip", "spine1", "left_knee", "right_knee", "spine2", "left_ankle", "right_ankle",
    "spine3", "left_foot", "right_foot", "neck", "left_collar", "right_collar", "head", "left_shoulder",
    "right_shoulder", "left_elbow", "right_elbow", "left_wrist", "right_wrist",
)  # fmt: skip
FINGERS = tuple(
    f"{side}_{finger}{link}"
    for side in _SIDES
    for finger in ("index", "middle", "pinky", "ring", "thumb")
    for link in (1, 2, 3)
)
LAYOUTS = {  # by the number of joints
    22: BODY,
    24: (*BODY, "left_hand", "right_hand"),
    52: (*BODY, *FINGERS),
    55: (*BODY, "jaw", "left_eye", "right_eye", *FINGERS),
}
NAMES = {22: "SMPL without hands", 24: "SMPL", 52: "SMPL-H", 55: "SMPL-X"}

# A person of 1.7 m in a T-pose that faces +Z, metres; the left half, the right one is its mirror image.
_PLACES: dict[str, tuple[float, float, float]] = {
    "pelvis": (0, 0.92, 0), "left_hip": (0.085, 0.86, 0), "spine1": (0, 1.03, -0.01), "left_knee": (0.095, 0.47, 0.005),
    "spine2": (0, 1.16, -0.01), "left_ankle": (0.09, 0.08, -0.025), "spine3": (0, 1.22, -0.005),
    "left_foot": (0.105, 0.025, 0.1), "neck": (0, 1.42, -0.02), "left_collar": (0.075, 1.36, -0.015),
    "head": (0, 1.51, 0.015), "left_shoulder": (0.175, 1.38, -0.02), "left_elbow": (0.43, 1.37, -0.03),
    "left_wrist": (0.68, 1.37, -0.02), "left_hand": (0.76, 1.365, -0.02), "jaw": (0, 1.5, 0.02),
    "left_eye": (0.032, 1.57, 0.085),
}  # fmt: skip
# The knuckle of each finger, and the lengths of its first two links.
_FINGERS = {
    "index": ((0.767, 1.372, 0.008), (0.032, 0.022)),
    "middle": ((0.77, 1.374, -0.014), (0.034, 0.024)),
    "ring": ((0.764, 1.37, -0.034), (0.031, 0.023)),
    "pinky": ((0.753, 1.365, -0.051), (0.024, 0.018)),
    "thumb": ((0.705, 1.355, 0.018), (0.032, 0.026)),
}
_PARENTS = {
    "left_hip": "pelvis", "spine1": "pelvis", "left_knee": "left_hip", "spine2": "spine1", "left_ankle": "left_knee",
    "spine3": "spine2", "left_foot": "left_ankle", "neck": "spine3", "left_collar": "spine3", "head": "neck",
    "left_shoulder": "left_collar", "left_elbow": "left_shoulder", "left_wrist": "left_elbow",
    "left_hand": "left_wrist", "jaw": "head", "left_eye": "head",
}  # fmt: skip
# How far the models' origin, which their positions are of, is above the pelvis. Metres, about.
_ORIGIN = {22: 0.22, 24: 0.22, 52: 0.22, 55: 0.35}


def _joints() -> dict[str, tuple[str, tuple[float, float, float]]]:
    """Parent and position of every joint, with fingers; the right half mirrors the left one."""
    left = {name: (_PARENTS.get(name, ""), position) for name, position in _PLACES.items()}
    for finger, ((x, y, z), lengths) in _FINGERS.items():
        parent, (along_x, along_z) = "left_wrist", (0.75, 0.66) if finger == "thumb" else (1.0, 0.0)
        for link, length in enumerate((0.0, *lengths), 1):
            x, z = x + along_x * length, z + along_z * length
            name = f"left_{finger}{link}"
            left[name], parent = (parent, (x, y, z)), name
    return left | {
        name.replace("left_", "right_"): (parent.replace("left_", "right_"), (-x, y, z))
        for name, (parent, (x, y, z)) in left.items()
        if name.startswith("left_")
    }


JOINTS = _joints()


def holds_poses(names: Any) -> bool:
    """Whether an npz with members of these names holds SMPL poses."""
    return _key(names, "poses", "smpl_poses", "full_pose", "pose_body", "body_pose") is not None


def read_poses(
    members: Members, name: str, *, fps: float | None = None, up: str = "auto", model: Members | None = None
) -> Motion:
    """The motion of an npz of SMPL poses.

    Args:
        members: its arrays.
        name: name of the clip.
        fps: frames per second, if the file does not state it.
        up: "y", "z", or "auto": the axis along which the body stands.
        model: arrays of a body model (`J_regressor`, `v_template`, and `shapedirs` for the shape), for exact joints.

    Raises:
        FormatError: poses of no known layout, or misshapen, too large or missing arrays; names the array.
        UnitError: no such axis.
    """
    check_up(up)
    warnings: list[str] = []
    poses = _poses(members, warnings)
    count = poses.shape[1]
    names = LAYOUTS[count]
    parents = [names.index(parent) if (parent := JOINTS[name][0]) else -1 for name in names]
    root = _trans(members, len(poses), warnings)
    if model is None:
        positions = np.array([JOINTS[name][1] for name in names])
        root = root - (0.0, _ORIGIN[count], 0.0)
        warnings.append(
            "the body's shape is not in the file: joints are those of a person of 1.7 m of our own; "
            "--skeleton (skeleton=) takes an npz of the model"
        )
    else:
        positions = _model_joints(model, members, count)
        root = root + positions[0]
        positions -= (0, positions[:, 1].min(), 0)  # the rest pose stands on the ground
    offsets = positions - np.where(np.array(parents)[:, None] < 0, 0.0, positions[parents])
    skeleton = Skeleton.create(names, parents, offsets, tips=_tips(count))
    local = rotations.normalize(rotations.exp(poses))
    if up == "auto" and _stands_along_z(skeleton, local):
        warnings.append("the body stands along +Z: converted to Y up")
        up = "z"
    if up == "z":
        quarter = rotations.from_axis_angle(np.array([1.0, 0.0, 0.0]), np.array(-np.pi / 2))
        local[:, 0] = rotations.multiply(quarter, local[:, 0])
        root = vectors_from_z_up(root)
    return Motion.create(skeleton, local, root[:, None], [0], _rate(members, fps, warnings), name, warnings=warnings)


def _key(names: Any, *wanted: str) -> str | None:
    return next((name for name in wanted if name in names), None)


def _flat(members: Members, name: str) -> Floats:
    """Rotation vectors `[F, J, 3]` of an array `[F, 3 J]` or `[F, J, 3]`."""
    array = members.array(name, "f").astype(np.float64)
    if array.ndim == 3 and array.shape[-1] == 3:
        array = array.reshape(len(array), 3 * array.shape[1])
    if array.ndim != 2 or array.shape[1] % 3 or not array.shape[0]:
        raise members.fail(name, f"has shape {list(array.shape)}, expected rotation vectors [frames, 3 x joints]")
    members.require(np.abs(array).max(initial=0.0) < 1e3, name, "holds angles beyond 1000 radians")
    return array.reshape(len(array), -1, 3)


def _poses(members: Members, warnings: list[str]) -> Floats:
    """Rotation vectors `[F, J, 3]` of a known layout, from one array or from one for each part."""
    whole = _key(members.names, "poses", "smpl_poses", "full_pose")
    if whole is None:
        return _joined_parts(members, warnings)
    poses = _flat(members, whole)
    if poses.shape[1] not in LAYOUTS:
        known = ", ".join(f"{count} ({name})" for count, name in NAMES.items())
        raise members.fail(whole, f"has {poses.shape[1]} joints a frame; known are {known}")
    return poses


def _joined_parts(members: Members, warnings: list[str]) -> Floats:
    name = _key(members.names, "pose_body", "body_pose") or ""
    root, body = _part(members, ("root_orient", "global_orient"), 1), _flat(members, name)
    frames = len(body)
    if not len(root):
        warnings.append("has no orientation of the root (root_orient): it does not rotate")
        root = np.zeros((frames, 1, 3))
    if body.shape[1] not in (21, 23):
        raise members.fail(name, f"has {body.shape[1]} joints a frame; expected 21, or 23 of SMPL")
    parts = [root, body, *(_head_and_hands(members, frames) if body.shape[1] == 21 else [])]
    if any(len(part) != frames for part in parts):
        raise members.fail(name, f"has {frames} frames, the other parts {sorted({len(part) for part in parts})}")
    return np.concatenate(parts, axis=1)


def _head_and_hands(members: Members, frames: int) -> list[Floats]:
    """Rotation vectors of jaw and eyes, if there are any, and of both hands; nothing without hands."""
    hands = _part(members, ("pose_hand", "hand_pose"), 30)
    sides = [_part(members, (f"{side}_hand_pose",), 15) for side in _SIDES]
    if not len(hands) and len(sides[0]) == len(sides[1]):
        hands = np.concatenate(sides, axis=1)
    if not len(hands):
        return []
    jaw, eyes = _part(members, ("pose_jaw", "jaw_pose"), 1), _part(members, ("pose_eye",), 2)
    return [jaw, eyes if len(eyes) else np.zeros((frames, 2, 3)), hands] if len(jaw) else [hands]


def _part(members: Members, names: tuple[str, ...], joints: int) -> Floats:
    """Rotation vectors `[F, joints, 3]` of an array; no frames where it is missing or of another layout."""
    name = _key(members.names, *names)
    if name is None:
        return np.zeros((0, joints, 3))
    found = _flat(members, name)
    return found if found.shape[1] == joints else np.zeros((0, joints, 3))


def _trans(members: Members, frames: int, warnings: list[str]) -> Floats:
    name = _key(members.names, "trans", "smpl_trans", "transl", "translation")
    if name is None:
        warnings.append("has no positions of the root (trans): it stays at the origin")
        return np.zeros((frames, 3))
    trans = members.array(name, "f", 2).astype(np.float64)
    if trans.shape != (frames, 3):
        raise members.fail(name, f"has shape {list(trans.shape)}, expected {[frames, 3]}")
    if "smpl_scaling" in members.names:  # AIST++ keeps positions in units of a scaled body
        scaling = members.array("smpl_scaling", "f").ravel()
        if scaling.size != 1 or not 1e-3 < scaling[0] < 1e6:
            raise members.fail("smpl_scaling", "should be one positive number")
        trans = trans / scaling[0]
    members.require(np.abs(trans).max(initial=0.0) < FARTHEST, name, f"leads farther than {FARTHEST:g} m")
    return trans


def _rate(members: Members, fps: float | None, warnings: list[str]) -> float:
    name = _key(members.names, "mocap_framerate", "mocap_frame_rate", "fps", "framerate", "frame_rate")
    if fps is None and name is not None:
        stated = members.array(name, "fiu").ravel()
        if stated.size != 1 or not is_rate(stated[0]):
            raise members.fail(name, "should be one number of frames per second")
        return whole_rate(float(stated[0]), 1e-4)
    if fps is None:
        warnings.append(f"has no frame rate: took {DEFAULT_FPS:g} frames per second; set it with --rate (fps=)")
        return DEFAULT_FPS
    return fps


def _tips(count: int) -> list[tuple[int, tuple[float, float, float]]]:
    """Ends of the last bones: crown, toes and fingers."""
    hand = {22: {"wrist": 0.17}, 24: {"hand": 0.09}}.get(count, {f"{finger}3": 0.02 for finger in _FINGERS})
    tips = [("head", (0.0, 0.19, 0.0))]
    for side, sign in zip(_SIDES, (1, -1), strict=True):
        tips.append((f"{side}_foot", (0.01 * sign, -0.01, 0.07)))
        tips += [(f"{side}_{joint}", (length * sign, 0.0, 0.0)) for joint, length in hand.items()]
    return [(LAYOUTS[count].index(name), offset) for name, offset in tips]


def _stands_along_z(skeleton: Skeleton, local: Floats) -> bool:
    """Whether the head is above the feet along Z rather than Y, over the clip."""
    some = local[np.linspace(0, len(local) - 1, min(len(local), 64)).astype(np.int64)]
    positions = Pose(skeleton, some.astype(np.float32)).global_positions
    feet = positions[:, skeleton.indices(("left_ankle", "right_ankle"))].mean(axis=1)
    standing = (positions[:, skeleton.index("head")] - feet).mean(axis=0)
    return bool(standing[2] > standing[1])


def _model_joints(model: Members, members: Members, count: int) -> Floats:
    """Joints `[J, 3]` of a body model at rest, in the shape that the file states."""
    template = model.array("v_template", "f", 2).astype(np.float64)
    regressor = model.array("J_regressor", "f", 2).astype(np.float64)
    vertices = len(template)
    if template.shape != (vertices, 3) or not 0 < vertices <= MOST_VERTICES:
        raise model.fail("v_template", f"has shape {list(template.shape)}, expected [vertices, 3]")
    if regressor.shape[1] != vertices or regressor.shape[0] < count:
        raise model.fail("J_regressor", f"has shape {list(regressor.shape)}, expected at least {[count, vertices]}")
    if count != 22 and regressor.shape[0] != count:
        raise model.fail("J_regressor", f"is of {regressor.shape[0]} joints, the poses are of {count}")
    if "shapedirs" in model.names and "betas" in members.names:
        template = template + _shape(model, members, vertices)
    joints = regressor[:count] @ template
    model.require(np.abs(joints).max() < 100, "J_regressor", "puts joints farther than 100 m")
    return joints


def _shape(model: Members, members: Members, vertices: int) -> Floats:
    """Offsets `[V, 3]` of the body model's vertices in the shape that the file states."""
    directions, betas = model.array("shapedirs", "f", 3), members.array("betas", "f").ravel()
    used = min(directions.shape[2], betas.size, 16)
    if directions.shape[:2] != (vertices, 3) or not np.abs(betas).max(initial=0.0) < 100:
        raise model.fail("shapedirs", "does not fit the model's vertices, or betas are absurd")
    return directions[..., :used].astype(np.float64) @ betas[:used]
