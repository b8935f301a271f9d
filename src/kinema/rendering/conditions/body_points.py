"""Key points of people in the convention of OpenPose and DWPose, from any rig with roles.

A body has 18 points, a hand 21, a face 70. Left and right are the person's own. Points that a rig has no joints for are
absent, but nose, eyes and ears: they are put on the head by its size, as detectors find them on every person.
"""

from __future__ import annotations

import numpy as np

from kinema import rotations
from kinema.arrays import Bools, Floats, Indices, Reals, Singles
from kinema.character import Character
from kinema.errors import SkeletonError
from kinema.keypoints.points import (
    BEHIND_BODY,
    BODY,
    BODY_COUNT,
    FACE_COUNT,
    FINGERS,
    HAND_COUNT,
    HIDDEN,
    LEFT_PUPIL,
    RIGHT_PUPIL,
    SEEN,
    TOES,
    BodyPoints,
)
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.rendering.bodies import owners
from kinema.rendering.camera import Camera
from kinema.rendering.mannequin.modelling_pose import modelling_pose
from kinema.roles import Roles
from kinema.rotations import normalize_vector
from kinema.skeleton import Skeleton

# Nose, eyes and ears from the head joint, in heights of the head above that joint: left, up, ahead. Adult proportions.
_ON_HEAD = {
    "nose": (0.0, 0.22, 0.60),
    "right_eye": (-0.17, 0.40, 0.47),
    "left_eye": (0.17, 0.40, 0.47),
    "right_ear": (-0.40, 0.32, 0.06),
    "left_ear": (0.40, 0.32, 0.06),
}
_HEAD_SHARE = 0.105  # height of the head above its joint, share of the stature, where nothing shows it
_HEAD_RANGE = (0.6, 1.6)  # times that height that a mesh or the tip of a joint may state: hats and horns are no heads
_WIDE_RANGE = (0.7, 1.6)  # times the usual width and depth that a mesh may state
_FINGER_END = 0.8  # length of a finger's last bone over that of the one before
_TRUNK, _LIMB, _FACE = 0.10, 0.055, 0.035  # depth of points below the surface, shares of the stature


class PointRig:
    """Finds the key points of a body in any pose.

    Args:
        character: whose joints and, if it has meshes, head are used.
        motion: of these joints; helps where the rest pose is not a stance.

    Attributes:
        stature: metres, from the lowest to the highest joint of a standing body.
        head_height: metres, from the head joint to the top of the head.

    Raises:
        SkeletonError: the body is not that of a person; the message says what would work.
    """

    def __init__(self, character: Character, motion: Motion | None = None) -> None:
        self.skeleton = character.skeleton
        roles = require_person(self.skeleton, character.name)
        stance = modelling_pose(self.skeleton, motion)
        self.stature = max(float(np.ptp(stance.global_positions[:, 1])), 1e-3)
        self._joints = _body_joints(roles)
        self._neck = [arm.upper for arm in roles.arms] if len(roles.arms) == 2 else []
        self._offsets, self.head_height = _head_offsets(character, stance, self.stature)
        self._hands = {side: _hand_chains(self.skeleton, side) for side in ("left", "right")}
        self._toes = [leg.toe for leg in roles.legs]
        self._eyes = _eyes(roles)

    def __call__(self, pose: Pose) -> BodyPoints:
        """The points in poses `[N]`, in the world."""
        positions, count = np.asarray(pose.global_positions, np.float64), len(pose)
        body = _absent(count, BODY_COUNT)
        for name, joint in self._joints.items():
            _put(body, BODY.index(name), positions[:, joint])
        if self._neck:
            _put(body, BODY.index("neck"), positions[:, self._neck].mean(axis=1))
        for name, (joint, offset) in self._offsets.items():
            turned = rotations.rotate(np.asarray(pose.global_rotations[:, joint], np.float64), offset)
            _put(body, BODY.index(name), positions[:, joint] + turned)
        face = _absent(count, FACE_COUNT)
        for side, point in (("right", RIGHT_PUPIL), ("left", LEFT_PUPIL)):
            if side in self._eyes:
                _put(face, point, positions[:, self._eyes[side]])
        toes = _absent(count, len(TOES))
        for number, joint in enumerate(self._toes):
            if joint is not None:
                _put(toes, number, positions[:, joint])
        left, right = (self._hand(pose, side) for side in ("left", "right"))
        return BodyPoints(body, left, right, face, toes)

    def _hand(self, pose: Pose, side: str) -> Singles:
        hand, chains = _absent(len(pose), HAND_COUNT), self._hands[side]
        wrist = self._joints.get(f"{side}_wrist")
        if not chains or wrist is None:
            return hand
        positions, tips = np.asarray(pose.global_positions, np.float64), self.skeleton.tip_positions(pose)
        _put(hand, 0, positions[:, wrist])
        for number, (joints, tip) in chains.items():
            line = [positions[:, joint] for joint in joints]
            line.append(np.asarray(tips[:, tip], np.float64) if tip is not None else _beyond(line))
            for place, point in enumerate(_four_points(line)):
                _put(hand, 1 + 4 * number + place, point)
        return hand


def is_person(skeleton: Skeleton) -> bool:
    """Whether a body has a left and a right leg and no more."""
    return [leg.side for leg in skeleton.roles.legs] == ["left", "right"]


def require_person(skeleton: Skeleton, name: str = "") -> Roles:
    """The roles of a body that walks on two legs.

    Raises:
        SkeletonError: it is another body; the message says what would work.
    """
    roles = skeleton.roles
    if not is_person(skeleton):
        raise SkeletonError(
            f"{name or 'the skeleton'}: its plan is {roles.plan!r}, and OpenPose points are those of a person with two "
            "legs; make maps without a pose (--maps depth,normals,mask), or take a character that stands on two legs"
        )
    return roles


def seen_by(
    points: BodyPoints,
    camera: Camera,
    width: int,
    height: int,
    stature: float,
    depth: Singles | None = None,
    entities: Indices | None = None,
) -> BodyPoints:
    """The points of one picture as its camera sees them, with their confidence.

    Args:
        points: in the world, of one picture.
        stature: metres; says how far below the surface joints are.
        depth: `[height, width]`, metres, see `kinema.rendering.frame.Frame`; None hides nothing.
        entities: `[height, width]`; tells what hides a point: the body, or what is around it.
    """
    found = []
    for array, (reach, kept) in zip(points.arrays, _surfaces(), strict=True):
        pixels = camera.project(array[:, :3], width, height)
        inside = (pixels[:, 2] > 0) & (pixels[:, :2] >= 0).all(axis=1) & (pixels[:, :2] < (width, height)).all(axis=1)
        confidence = np.where((array[:, 3] > 0) & inside, SEEN, 0.0)
        if depth is not None:
            columns, rows = (np.where(inside, pixels[:, axis], 0.0).astype(np.int64) for axis in (0, 1))
            behind = (confidence > 0) & (pixels[:, 2] > depth[rows, columns] + reach * stature)
            by_body = True if entities is None else entities[rows, columns] > 0
            confidence[behind] = np.where(kept & by_body, BEHIND_BODY, HIDDEN)[behind]
        projected = np.concatenate([pixels[:, :2], confidence[:, None]], axis=1)
        projected[confidence == 0] = 0.0
        found.append(projected.astype(np.float32))
    return BodyPoints(*found)


def joined(points: list[BodyPoints]) -> BodyPoints:
    """Points of single pictures as one."""
    return BodyPoints(*(np.stack(arrays) for arrays in zip(*(one.arrays for one in points), strict=True)))


def _surfaces() -> tuple[tuple[Floats, Bools], ...]:
    """How far below the surface points are, and which detectors guess behind the body: for each array `[K]`."""
    kinds = {"neck": _TRUNK} | {name: _TRUNK for name in BODY if name.endswith(("shoulder", "hip"))}
    kinds |= dict.fromkeys(_ON_HEAD, _FACE)
    body = np.array([kinds.get(name, _LIMB) for name in BODY])
    rest = (
        (HAND_COUNT, _LIMB, False),
        (HAND_COUNT, _LIMB, False),
        (FACE_COUNT, _FACE, False),
        (len(TOES), _LIMB, True),
    )
    alike = ((np.full(count, reach), np.full(count, kept)) for count, reach, kept in rest)
    return ((body, np.array([name not in _ON_HEAD for name in BODY])), *alike)


def _absent(count: int, points: int) -> Singles:
    return np.zeros((count, points, 4), np.float32)


def _put(points: Singles, place: int, positions: Reals) -> None:
    points[:, place, :3], points[:, place, 3] = positions, 1.0


def _body_joints(roles: Roles) -> dict[str, int]:
    """The joint of each point of a body that has one."""
    found: dict[str, int] = {}
    for arm in roles.arms:
        found |= {f"{arm.side}_shoulder": arm.upper, f"{arm.side}_elbow": arm.lower, f"{arm.side}_wrist": arm.hand}
    for leg in roles.legs:
        found |= {f"{leg.side}_hip": leg.upper, f"{leg.side}_knee": leg.lower, f"{leg.side}_ankle": leg.foot}
    if len(roles.arms) != 2 and roles.neck is not None:
        found["neck"] = roles.neck
    return found | {f"{side}_eye": joint for side, joint in _eyes(roles).items()}


def _eyes(roles: Roles) -> dict[str, int]:
    """The first eye joint of each side, if both sides have one."""
    found: dict[str, int] = {}
    for joint, (part, side) in enumerate(zip(roles.parts, roles.sides, strict=True)):
        if part == "eye" and side is not None:
            found.setdefault(side, joint)
    return found if len(found) == 2 else {}


def _head_offsets(character: Character, stance: Pose, stature: float) -> tuple[dict[str, tuple[int, Floats]], float]:
    """Joint, and offset in its frame `[3]`, of the points of the head that have no joint of their own; its height."""
    roles = character.skeleton.roles
    joint = roles.head if roles.head is not None else roles.neck
    if joint is None:
        return {}, _HEAD_SHARE * stature
    axes, scale = _head_axes(stance), _head_scale(character, stance, joint, stature)
    to_joint = rotations.inverse(np.asarray(stance.global_rotations[joint], np.float64))
    own = _eyes(roles)
    offsets = {
        name: (joint, rotations.rotate(to_joint, (np.array(place) * scale) @ axes))
        for name, place in _ON_HEAD.items()
        if not (own and name.endswith("eye"))
    }
    return offsets, float(scale[1])


def _head_axes(stance: Pose) -> Floats:
    """Left, up and ahead of a standing person, as rows."""
    roles, positions = stance.skeleton.roles, np.asarray(stance.global_positions, np.float64)
    pair = roles.arms if len(roles.arms) == 2 else roles.legs
    up = np.array([0.0, 1.0, 0.0])
    left = (positions[pair[0].upper] - positions[pair[1].upper]) * [1, 0, 1]
    left = normalize_vector(left) if np.linalg.norm(left) > 1e-6 else np.array([1.0, 0.0, 0.0])
    return np.stack([left, up, np.cross(left, up)])


def _head_scale(character: Character, stance: Pose, joint: int, stature: float) -> Floats:
    """Half width, height and depth of the head `[3]`, metres, as units of `_ON_HEAD`."""
    skeleton, usual = character.skeleton, _HEAD_SHARE * stature
    axes, start = _head_axes(stance), np.asarray(stance.global_positions[joint], np.float64)
    surface = (_head_surface(character, stance, joint) - start) @ axes.T
    ends = (np.asarray(skeleton.tip_positions(stance), np.float64)[skeleton.tip_joints == joint] - start) @ axes.T
    tops = surface if len(surface) else ends
    height = (
        usual if not len(tops) else float(np.clip(tops[:, 1].max(), _HEAD_RANGE[0] * usual, _HEAD_RANGE[1] * usual))
    )
    if not len(surface):
        return np.full(3, height)
    level = surface[np.abs(surface[:, 1] - 0.3 * height) < 0.2 * height]
    if not len(level):
        return np.full(3, height)
    wide = np.clip(np.abs(level[:, 0]).max() / (0.40 * height), *_WIDE_RANGE)
    deep = np.clip(level[:, 2].max() / (0.60 * height), *_WIDE_RANGE)
    return np.array([wide, 1.0, deep]) * height


def _head_surface(character: Character, stance: Pose, joint: int) -> Floats:
    """Vertices `[V, 3]` that move with the head, in the stance."""
    if not character.vertex_count:
        return np.zeros((0, 3))
    head = character.skeleton.below([joint])
    skinned = character.skin(stance)
    parts = [points[head[owners(mesh)]] for mesh, points in zip(character.meshes, skinned, strict=True)]
    return np.concatenate(parts).astype(np.float64)


def _hand_chains(skeleton: Skeleton, side: str) -> dict[int, tuple[list[int], int | None]]:
    """Joints of each finger of a hand, by the finger's number, and the tip of the last joint."""
    found: dict[int, tuple[list[int], int | None]] = {}
    for chain in skeleton.roles.chains:
        if chain.side == side and chain.kind in FINGERS and FINGERS.index(chain.kind) not in found:
            tips = np.flatnonzero(skeleton.tip_joints == chain.joints[-1])
            found[FINGERS.index(chain.kind)] = list(chain.joints), int(tips[0]) if len(tips) else None
    return found


def _beyond(line: list[Floats]) -> Floats:
    """Where a finger ends whose last joint has no tip."""
    return line[-1] if len(line) < 2 else line[-1] + _FINGER_END * (line[-1] - line[-2])


def _four_points(line: list[Floats]) -> list[Floats]:
    """Base, two knuckles and tip of a finger, `[N, 3]` each, from the joints along it and its tip."""
    if len(line) >= 4:
        return line[-4:]  # without the bone within the palm
    places = np.linspace(0, len(line) - 1, 4)
    low = np.minimum(places.astype(np.int64), len(line) - 2)
    return [line[at] + (place - at) * (line[at + 1] - line[at]) for place, at in zip(places, low.tolist(), strict=True)]


def present(points: Singles) -> Bools:
    """Which points `[..., K, 3 or 4]` are there, `[..., K]`."""
    return points[..., -1] > 0
