"""The leg pass: moves toes to given positions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.control.leg_limits import EASE, HINGE_SHARE, IN_LINE, MOST_LIFT, STEEP, Footing, Limits
from kinema.ik.two_bone import bend_forward, two_bone_reference
from kinema.pose import Pose

Floats = NDArray[np.floating]

_FLAT = 10.0  # percentile of the heights of the ankle in contact, up to which a foot counts as flat
_UPRIGHT = 2.0  # height of the ankle, in lengths from ankle to ball, above which it is no heel that is below it
_HEEL, _TIP = -0.25, 0.4  # ahead of the ankle and of the ball, in lengths from ankle to ball


def reach_toes(
    pose: Pose,
    targets: Floats,
    legs: NDArray[np.int64],
    hinges: Floats,
    limits: Limits,
    tilts: Floats | None = None,
    footing: Footing | None = None,
) -> tuple[Pose, NDArray[np.float32]]:
    """The poses with toes at their targets, and by how much legs are too short `[n, C]`, metres; negative within reach.

    Feet and toes keep their global orientation, tilted by `tilts`. Only if the target of a toe is out of reach, the
    heel is lifted; and heels and tips of feet are turned out of the ground.

    Args:
        pose: `[n]`.
        targets: positions of the toes, `[n, C, 3]`, metres.
        legs: upper, lower, foot and toe joint of each leg, `[C, 4]`; see `kinema.mocap.legs.find_legs`.
        hinges: `[C, 3]`, unit: axes about which the knees bend, in the frames of the upper legs; see `knee_hinges`.
        tilts: rotations `[n, C, 4]` of the feet about their toes, in the world; default none.
        footing: soles that are to be turned out of the ground; by default there is no ground.
    """
    from kinema.control import foot_kernels  # imported here because numba is slow to import

    local = pose.local_rotations.copy()
    parents = pose.skeleton.parents
    short = foot_kernels.reach_toes(
        local,
        pose.global_rotations,
        pose.global_positions,
        targets,
        legs,
        parents,
        hinges,
        limits,
        _level(targets, tilts),
        *(footing or _nowhere(targets)),
    )
    return pose.replace(local_rotations=local), short


def reach_toes_reference(
    pose: Pose,
    targets: Floats,
    legs: NDArray[np.int64],
    hinges: Floats,
    limits: Limits,
    tilts: Floats | None = None,
    footing: Footing | None = None,
) -> tuple[Pose, NDArray[np.float32]]:
    """Reference version of `reach_toes`."""
    global_rotations, positions, parents = pose.global_rotations, pose.global_positions, pose.skeleton.parents
    upper, lower, foot, toe = legs.T
    hip, knee, ankle = positions[:, upper], positions[:, lower], positions[:, foot]
    full = np.linalg.norm(knee - hip, axis=-1) + np.linalg.norm(ankle - knee, axis=-1)
    tilts = _level(targets, tilts)
    ends, floors, bends = footing or _nowhere(targets)
    above = floors - targets[..., 1:2]
    heel = rotations.rotate(tilts, ankle - positions[:, toe])
    behind, axis = _across(rotations.multiply(tilts, global_rotations[:, foot]), ends[:, 0])
    needed = _bend(heel + behind, axis, above[..., 0])
    bends[..., 0] = np.maximum(bends[..., 0], np.minimum(needed, bends[..., 0] + limits.bending))
    turn = rotations.from_axis_angle(axis, bends[..., 0])
    heel = rotations.rotate(turn, heel)
    lift = _heel_lift(heel, hip - targets, limits.reach * full)
    goal = targets + rotations.rotate(lift, heel)
    lift = rotations.multiply(rotations.multiply(lift, turn), tilts)
    short = np.linalg.norm(goal - hip, axis=-1) - full
    # A blend of two plans may hyperextend a knee. The IK bends it in the direction of its hinge.
    bend = bend_forward(_bend_axis(hip, knee, ankle), rotations.rotate(global_rotations[:, upper], hinges), HINGE_SHARE)
    # The knee goes with the leg, which may swing far to the side.
    bend = rotations.rotate(rotations.between(ankle - hip, goal - hip), bend)
    new_upper, new_lower = two_bone_reference(
        global_rotations[:, upper],
        global_rotations[:, lower],
        hip,
        knee,
        ankle,
        goal,
        np.cross(goal - hip, bend),
        limits.softness,
    )
    local = pose.local_rotations.copy()
    local[:, upper] = rotations.relative(global_rotations[:, parents[upper]], new_upper)
    # Joints between those of the leg rotate rigidly with their parent.
    above_lower = _carried(global_rotations[:, upper], new_upper, global_rotations[:, parents[lower]])
    local[:, lower] = rotations.relative(above_lower, new_lower)
    above_foot = _carried(global_rotations[:, lower], new_lower, global_rotations[:, parents[foot]])
    local[:, foot] = rotations.relative(above_foot, rotations.multiply(lift, global_rotations[:, foot]))
    below = toe != foot
    above_toe = rotations.multiply(lift, global_rotations[:, parents[toe]])
    tilted = rotations.multiply(tilts, global_rotations[:, toe])
    tip, axis = _across(tilted, ends[:, 1])
    needed = np.where(below, _bend(tip, axis, above[..., 1]), 0)
    bends[..., 1] = np.maximum(bends[..., 1], np.minimum(needed, bends[..., 1] + limits.bending))
    turn = rotations.from_axis_angle(axis, bends[..., 1])
    local[:, toe[below]] = rotations.relative(above_toe, rotations.multiply(turn, tilted))[:, below]
    return pose.replace(local_rotations=local), short.astype(np.float32)


def _level(targets: Floats, tilts: Floats | None) -> Floats:
    """The tilts `[n, C, 4]`; identities by default."""
    return rotations.identity(targets.shape[:-1], targets) if tilts is None else tilts


def _nowhere(targets: Floats) -> Footing:
    """No soles, and no ground, for feet that are to be at `targets` `[n, C, 3]`."""
    count, feet = targets.shape[:2]
    floors = np.full((count, feet, 2), -np.inf, np.float32)
    return Footing(np.zeros((feet, 2, 2, 3), np.float32), floors, np.zeros((count, feet, 2), np.float32))


def _across(turns: Floats, end: Floats) -> tuple[Floats, Floats]:
    """Place and axis `[n, C, 3]` of ends of soles `[C, 2, 3]` that are turned `[n, C, 4]`."""
    return rotations.rotate(turns, end[:, 0]), rotations.rotate(turns, end[:, 1])


def _bend(arm: Floats, axis: Floats, least: Floats) -> Floats:
    """Angles `[...]` about axes across arms, both `[..., 3]`, that lift their ends to heights `[...]`; 0 if higher."""
    across = np.cross(axis, arm)[..., 1]
    size = np.hypot(arm[..., 1], across)
    low = (arm[..., 1] < least) & (size >= 1e-3) & (np.square(axis).sum(axis=-1) >= 0.5)
    aim = np.arcsin(np.clip(least / np.maximum(size, 1e-9), -1, STEEP))
    return np.where(low, aim - np.arctan2(arm[..., 1], across), 0)


def _heel_lift(heel: Floats, line: Floats, longest: Floats) -> Floats:
    """Rotations `[..., 4]` about the toe that bring the ankle within reach of the hip, eased in.

    The angle is exact until foot and leg are nearly aligned. It changes no faster than the angle of the foot itself.

    Args:
        heel: from toe to ankle `[..., 3]`; line: from toe to hip `[..., 3]`; longest: reach of the leg `[...]`.
    """
    arm, span = np.linalg.norm(heel, axis=-1), np.linalg.norm(line, axis=-1)
    axis = np.cross(heel, line)
    product = np.maximum(arm * span, 1e-9)
    sine, cosine = np.linalg.norm(axis, axis=-1) / product, np.sum(heel * line, axis=-1) / product
    needed = (arm**2 + span**2 - longest**2) / (2 * product)
    over = np.arctan2(sine, cosine) - np.arccos(np.clip(needed, -1, IN_LINE))
    ease = EASE / np.maximum(arm, 1e-3)
    over = 0.5 * (over + np.sqrt(over**2 + ease**2))
    angle = MOST_LIFT * np.tanh(over / MOST_LIFT) * np.minimum(np.maximum(sine, cosine) / 0.4, 1)
    angle = np.where(arm > 1e-3, angle, 0)
    return rotations.from_axis_angle(rotations.normalize_vector(axis), angle)


def _bend_axis(upper: Floats, lower: Floats, foot: Floats) -> Floats:
    """Normals `[..., 3]` of the planes of legs. Their length is the sine of the knee's bend."""
    thigh, shin = rotations.normalize_vector(lower - upper), rotations.normalize_vector(foot - lower)
    return np.cross(thigh, shin)


def _carried(before: Floats, after: Floats, rider: Floats) -> Floats:
    """The global rotation of a rigidly attached `rider` after `before` became `after`, all `[..., 4]`."""
    return rotations.multiply(after, rotations.relative(before, rider))


def knee_hinges(pose: Pose, legs: NDArray[np.integer]) -> NDArray[np.float32]:
    """The axis `[C, 3]` about which each knee bends, in the frame of the upper leg, estimated from poses.

    Args:
        pose: `[F]`, some of them with bent knees.
        legs: `[C, 4]`, see `kinema.mocap.legs.find_legs`.
    """
    axes = []
    for upper, lower, foot, _ in legs.tolist():
        bend = _bend_axis(*(pose.global_positions[:, joint] for joint in (upper, lower, foot)))
        axes.append(rotations.inverse_rotate(pose.global_rotations[:, upper], bend).mean(axis=0))
    return rotations.normalize_vector(np.stack(axes).astype(np.float32), (1.0, 0.0, 0.0))


def sole_ends(pose: Pose, legs: NDArray[np.integer], heights: Floats) -> NDArray[np.float32]:
    """Heel and tip of each sole, `[C, 2, 2, 3]`, in the frames of foot and toe joint, estimated from poses.

    Of each the place, metres, and the unit axis about which the foot, or the toe, turns to lift it.

    A sole is level where a foot in contact is flat: then its ankle is as low as it gets. A leg without toes, and one
    that never stands, has none: zeros. Who walks on the toes has no heel.

    Args:
        pose: `[N]` with contacts, on level ground at height zero.
        legs: upper, lower, foot and toe joint of each leg, `[C, 4]`.
        heights: of the toes above the ground while they stand, `[C]`, metres.
    """
    up = np.array([0.0, 1.0, 0.0])
    made = np.zeros((len(legs), 2, 2, 3))
    assert pose.contacts is not None
    for leg, (ankle, toe) in enumerate(legs[:, 2:]):
        down = np.flatnonzero(pose.contacts[:, leg] > 0.5)
        if ankle == toe or not len(down):
            continue
        high = pose.global_positions[down, ankle, 1]
        flat = down[high <= np.percentile(high, _FLAT)]
        places = pose.global_positions[flat][:, [ankle, toe]].astype(np.float64)
        turns = pose.global_rotations[flat][:, [ankle, toe]].astype(np.float64)
        line = (places[:, 1] - places[:, 0]) * [1, 0, 1]
        ahead = rotations.inverse_rotate(turns, line[:, None]).mean(axis=0)
        above = rotations.normalize_vector(rotations.inverse_rotate(turns, up).mean(axis=0))
        rest = np.array([places[:, 0, 1].mean() - places[:, 1, 1].mean() + heights[leg], heights[leg]])
        stands_high = rest[0] > _UPRIGHT * np.linalg.norm(line, axis=-1).mean()
        made[leg, :, 0] = np.array([_HEEL, _TIP])[:, None] * ahead - rest[:, None] * above
        made[leg, :, 1] = rotations.normalize_vector(np.cross([-ahead[0], ahead[1]], above))
        if stands_high:
            made[leg, 0] = 0
    return made.astype(np.float32)
