"""How a body stands: the pose in which source and target are compared.

A rest pose in which a body could stand is used as it is. Many motion files have another one (all bones along one axis,
legs spread sideways). For these the mean pose of the upright frames of a motion takes its place, and the hinges of
knees and elbows and the soles of the feet are measured in the motion, since such a rest pose does not show them. Where
the motion is never upright, the trunk stands as in the rest pose, which is straight in such files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from kinema import rotations
from kinema.arrays import Singles
from kinema.errors import SkeletonError
from kinema.mocap import contacts
from kinema.mocap.ground import detect_contacts
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.retargeting.chains import LEGS, has_front_legs, limb_chains, limb_joints
from kinema.roles import carrier
from kinema.skeleton import Skeleton

MOST_FRAMES = 1500  # that are looked at
_UPRIGHT = {True: np.cos(np.radians(25.0)), False: np.cos(np.radians(10.0))}  # of animals, whose trunk sways; of people
_ENOUGH = 0.03  # share of the frames that must be upright
_SNAP = np.cos(np.radians(35.0))  # an up direction that is this near to an axis of the file is that axis
_BENT = 0.08  # mean sine of a joint's bend from which its hinge can be measured
_UP: Singles = np.array([0, 1, 0], np.float32)
_AHEAD: Singles = np.array([0, 0, 1], np.float32)


@dataclass(frozen=True, eq=False)
class StandingPose:
    """A body that stands.

    Attributes:
        pose: a single pose.
        axes: `[4]`: rotates +X, +Y, +Z into the body's left, up and front.
        measured: whether it comes from a motion, because the rest pose is not a standing pose.
        hinges: joint to the axis `[3]` in its own frame about which the next joint bends, where it was measured.
        soles: joint to the direction `[3]` in its own frame that is up while the foot stands, where it was measured.
        bends: upper joint of a limb to the cosine of its bend where it is (nearly) straightest, where it was measured.
    """

    pose: Pose
    axes: Singles
    measured: bool = False
    hinges: dict[int, Singles] = field(default_factory=dict)
    soles: dict[int, Singles] = field(default_factory=dict)
    bends: dict[int, float] = field(default_factory=dict)

    @property
    def rotations(self) -> Singles:
        """Global rotations `[J, 4]`."""
        return self.pose.global_rotations

    @property
    def positions(self) -> Singles:
        """Global positions `[J, 3]`, metres."""
        return self.pose.global_positions

    @property
    def up(self) -> Singles:
        """The body's up direction `[3]`."""
        return rotations.rotate(self.axes, _UP)


def find_stance(skeleton: Skeleton, motions: Sequence[Motion] = ()) -> StandingPose:
    """The standing pose of a skeleton: its rest pose if a body can stand so, else measured from motions on it.

    Raises:
        SkeletonError: the rest pose is not a standing pose and there is no motion.
    """
    rest = skeleton.rest_pose
    axes = standing_axes(rest)
    moving = [motion for motion in motions if motion.frames]
    if axes is None and not moving:
        axes = _rough_axes(rest)
        if axes is None:
            raise SkeletonError(
                "the rest pose is not a standing pose (all bones along one axis); a motion of this skeleton is needed "
                "to measure how it stands"
            )
    return _measured(skeleton, moving) if axes is None else StandingPose(rest, axes, soles=_rolled(rest, axes, moving))


def across(pose: Pose) -> Singles:
    """From right to left through the tops of all paired limbs, unit `[..., 3]`; zero where there is no pair."""
    roles, positions = pose.skeleton.roles, pose.global_positions
    total = np.zeros_like(positions[..., 0, :])
    for chain in limb_chains(roles):
        if chain.side is not None:
            sign = 1.0 if chain.side == "left" else -1.0
            total = total + sign * positions[..., limb_joints(roles, chain)[0], :]
    return rotations.normalize_vector(total)


def _ends(skeleton: Skeleton, kinds: Sequence[str]) -> tuple[list[int], list[int]]:
    roles = skeleton.roles
    limbs = [limb_joints(roles, chain) for chain in limb_chains(roles, kinds)]
    return [upper for upper, _, _ in limbs], [lower if end is None else end for _, lower, end in limbs]


def body_up(pose: Pose) -> Singles:
    """From the bottom to the top of the body, unit `[..., 3]`: along the trunk of an upright one, across the trunk
    of one on four legs. Zero where nothing shows it."""
    roles, positions = pose.skeleton.roles, pose.global_positions
    behind, front = _ends(pose.skeleton, ("leg",))[0], _ends(pose.skeleton, ("front_leg",))[0]
    if behind and front:
        forward = positions[..., front, :].mean(axis=-2) - positions[..., behind, :].mean(axis=-2)
        return rotations.normalize_vector(np.cross(forward, across(pose)))
    top = next((joint for joint in (roles.neck, roles.head, *roles.spine[-1:]) if joint is not None), None)
    if top is None or roles.plan == "many-legged":
        return np.broadcast_to(_UP, positions[..., 0, :].shape)
    return rotations.normalize_vector(positions[..., top, :] - positions[..., roles.hips, :])


def standing_axes(pose: Pose) -> Singles | None:
    """The body's axes `[4]` in a single pose, or None if no body could stand so: its legs have to hang."""
    side, up = across(pose), body_up(pose)
    if not limb_chains(pose.skeleton.roles, LEGS):  # what swims and flies is in the world's axes
        forward = np.cross(side, _UP) if abs(side[1]) < 0.5 and side.any() else np.array([0, 0, 1], np.float32)
        return rotations.look_rotation(forward.astype(np.float32), _UP)
    if not side.any() or not up.any():
        return None
    axis = np.argmax(np.abs(up))
    if abs(up[axis]) > _SNAP:
        up = np.sign(up[axis]) * np.eye(3, dtype=np.float32)[axis]
    if abs(side @ up) > 0.3 or not _legs_hang(pose, up) or not _arms_fit(pose, side, up):
        return None
    return rotations.look_rotation(np.cross(side, up), up)


def _legs_hang(pose: Pose, up: Singles) -> bool:
    """Whether the legs point away from the trunk; those of bodies with many legs may spread."""
    roles, positions = pose.skeleton.roles, pose.global_positions
    tops, ends = _ends(pose.skeleton, LEGS)
    if has_front_legs(roles):
        tops = [*_ends(pose.skeleton, ("leg",))[0], *_ends(pose.skeleton, ("front_leg",))[0]]
    heights = rotations.normalize_vector(positions[ends] - positions[tops]) @ up
    most = -0.35 if roles.plan == "many-legged" else -0.75
    return bool(heights.mean() <= most and heights.max() <= most + 0.3)


def _rough_axes(rest: Pose) -> Singles | None:
    """Fallback axes of a rest pose: upright in the world if the legs point roughly down."""
    positions = rest.global_positions
    side, (tops, ends) = across(rest), _ends(rest.skeleton, LEGS)
    if not tops or not side.any() or abs(side[1]) > 0.5:
        return None
    down = rotations.normalize_vector(positions[ends] - positions[tops])[:, 1]
    return rotations.look_rotation(np.cross(side, _UP), _UP) if down.mean() < -0.3 else None


def _arms_fit(pose: Pose, side: Singles, up: Singles) -> bool:
    """Whether the arms are beside the body and do not point up, as those of a body that rests."""
    positions = pose.global_positions
    arms = [(c.side, *limb_joints(pose.skeleton.roles, c)) for c in limb_chains(pose.skeleton.roles, ("arm",))]
    tops = {which: positions[upper] for which, upper, _, _ in arms}
    if len(arms) != 2 or len(tops) != 2:
        return True
    row = rotations.normalize_vector(tops["left"] - tops["right"])
    lines = [positions[lower if end is None else end] - positions[upper] for _, upper, lower, end in arms]
    return bool(row @ side > 0.7) and max(float(rotations.normalize_vector(line) @ up) for line in lines) < 0.6


def _measured(skeleton: Skeleton, motions: Sequence[Motion]) -> StandingPose:
    seen = sampled(motions)
    side, up = across(seen), body_up(seen)
    four_legged = has_front_legs(skeleton.roles)
    upright = (up[:, 1] > _UPRIGHT[four_legged]) & (np.abs(side[:, 1]) < 0.5)
    stands = np.count_nonzero(upright) >= max(2, _ENOUGH * len(up))
    turns = seen.global_rotations
    if stands:
        turns, side = turns[upright], side[upright]
        up = np.broadcast_to(_UP, side.shape)
    axes = rotations.look_rotation(np.cross(side, up), up)
    mean = mean_rotation(rotations.multiply(rotations.inverse(axes)[:, None], turns))
    if not stands and not four_legged:
        mean = _straight_trunk(skeleton, mean, rotations.inverse_rotate(turns[:, skeleton.roles.hips], side))
    is_root = (skeleton.parents < 0)[:, None]
    local = np.where(is_root, mean, rotations.relative(mean[np.maximum(skeleton.parents, 0)], mean)).astype(np.float32)
    moved = np.where(is_root, 0, skeleton.rest_translations).astype(np.float32)
    pose = with_detached(Pose(skeleton, local, moved), seen[upright] if stands else seen)
    hinges, bends = _hinges(skeleton, seen)
    return StandingPose(pose, rotations.identity((), mean), True, hinges, _soles(skeleton, motions), bends)


def with_detached(pose: Pose, seen: Pose) -> Pose:
    """A pose with the joints that are detached from the body where they usually are on it.

    Each keeps its place on the joint on which it moves least: the end of a limb, or what carries the body.

    Args:
        seen: poses `[N]` in motion.
    """
    skeleton, hips = pose.skeleton, carrier(pose.skeleton)
    above, ends = skeleton.ancestors(hips), [chain.joints[-1] for chain in limb_chains(skeleton.roles)]
    moved = pose.local_translations.copy()
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if joint in (hips, *above) or (parent >= 0 and parent not in above):
            continue
        places = {leader: _seen_from(seen, leader, joint) for leader in (hips, *ends) if leader != joint}
        leader = min(places, key=lambda other: float(places[other].var(axis=0).sum()))
        offset = np.median(places[leader], axis=0)
        place = pose.global_positions[leader] + rotations.rotate(pose.global_rotations[leader], offset)
        if parent >= 0:
            place = rotations.inverse_rotate(pose.global_rotations[parent], place - pose.global_positions[parent])
        moved[joint] = place
    return pose.replace(local_translations=moved)


def _seen_from(pose: Pose, leader: int, joint: int) -> Singles:
    """Positions `[N, 3]` of a joint in the frame of another one."""
    places = pose.global_positions
    return rotations.inverse_rotate(pose.global_rotations[:, leader], places[:, joint] - places[:, leader])


def _straight_trunk(skeleton: Skeleton, mean: Singles, sides: Singles) -> Singles:
    """`mean` with hips, spine, neck and head as at rest, the line from the hips to the neck upright."""
    roles, rest = skeleton.roles, skeleton.rest_pose
    stood, positions = rest.global_rotations, rest.global_positions
    trunk = [joint for chain in roles.chains if chain.kind in ("spine", "neck", "head") for joint in chain.joints]
    top = roles.neck if roles.neck is not None else roles.head
    if top is None or not trunk:
        return mean
    up = rotations.normalize_vector(positions[top] - positions[roles.hips])
    side = rotations.rotate(stood[roles.hips], rotations.normalize_vector(sides.mean(axis=0)))
    axes = rotations.look_rotation(np.cross(side, up), up)
    straight = mean.copy()
    joints = [roles.hips, *trunk]
    straight[joints] = rotations.relative(np.broadcast_to(axes, (len(joints), 4)), stood[joints])
    return straight


def sampled(motions: Sequence[Motion]) -> Pose:
    """Poses `[N]` of some frames of all motions, `MOST_FRAMES` at most."""
    each = max(MOST_FRAMES // len(motions), 1)
    return Pose.concatenate(
        [m[np.unique(np.linspace(0, m.frames - 1, min(each, m.frames)).astype(np.int64))] for m in motions]
    )


def mean_rotation(turns: Singles) -> Singles:
    """The mean `[..., 4]` of rotations `[N, ..., 4]`, regardless of their signs (Markley et al., "Averaging
    Quaternions", 2007)."""
    moments = np.einsum("n...i,n...j->...ij", turns.astype(np.float64), turns.astype(np.float64))
    return rotations.canonical(np.linalg.eigh(moments)[1][..., -1].astype(np.float32))


def _hinges(skeleton: Skeleton, seen: Pose) -> tuple[dict[int, Singles], dict[int, float]]:
    """Axes of knees and elbows in the frames of both their bones (the mean of bone across bone, which is longer the
    more they bend), and the cosines of the bends of nearly straight limbs by their upper joints."""
    found: dict[int, Singles] = {}
    bends: dict[int, float] = {}
    positions = seen.global_positions
    for chain in limb_chains(skeleton.roles):
        upper, lower, end = limb_joints(skeleton.roles, chain)
        if end is None:
            continue
        first = rotations.normalize_vector(positions[:, lower] - positions[:, upper])
        second = rotations.normalize_vector(positions[:, end] - positions[:, lower])
        normal = np.cross(first, second)
        bends[upper] = float(np.quantile(np.sum(first * second, axis=-1), 0.9))
        for joint in (upper, lower):
            axis = rotations.inverse_rotate(seen.global_rotations[:, joint], normal).mean(axis=0)
            if np.linalg.norm(axis) > _BENT:
                found[joint] = rotations.normalize_vector(axis)
    return found, bends


def _soles(skeleton: Skeleton, motions: Sequence[Motion]) -> dict[int, Singles]:
    """The up direction in the frames of feet and toes while these stand."""
    totals = {
        joint: rotations.inverse_rotate(turns, _UP).sum(axis=0)
        for joint, turns in _standing_feet(skeleton, motions).items()
    }
    return {joint: rotations.normalize_vector(total) for joint, total in totals.items() if np.linalg.norm(total) > 1}


def _standing_feet(skeleton: Skeleton, motions: Sequence[Motion]) -> dict[int, Singles]:
    """Global rotations `[N, 4]` of feet and toes in the frames in which their leg stands."""
    found: dict[int, list[Singles]] = {}
    scale = contacts.relative_size(skeleton)
    for chain in limb_chains(skeleton.roles, ("leg",)):
        feet = [joint for joint in chain.joints if skeleton.roles.parts[joint] in ("foot", "toe")]
        for motion in motions if feet else ():
            seen = motion[: 4 * MOST_FRAMES]
            points = seen.global_positions[:, feet[-1:]]
            stands = detect_contacts(points, motion.fps, scale)[:, 0]
            for joint in feet:
                found.setdefault(joint, []).append(seen.global_rotations[stands, joint])
    return {joint: np.concatenate(turns) for joint, turns in found.items()}


def _rolled(rest: Pose, axes: Singles, motions: Sequence[Motion]) -> dict[int, Singles]:
    """The up direction in the frames of feet and toes of people whose soles are not level in a rest pose with legs
    apart; empty where they are.

    With its legs apart, a body either has level soles and rolled ankles, or it has straight ankles and stands on the
    edges of its feet, as in the rest poses of some captured files. Feet that stand in motion tell which it is.
    """
    skeleton = rest.skeleton
    if not motions or has_front_legs(skeleton.roles):
        return {}
    stood, positions, up = rest.global_rotations, rest.global_positions, rotations.rotate(axes, _UP)
    standing, straight = _standing_feet(skeleton, motions), {}
    tilts = np.zeros(2)
    for chain in limb_chains(skeleton.roles, ("leg",)):
        _, lower, end = limb_joints(skeleton.roles, chain)
        if end is None or end not in standing:
            continue
        toe = next((joint for joint in chain.joints if joint in standing and joint != end), None)
        ahead = rotations.rotate(axes, _AHEAD) if toe is None else positions[toe] - positions[end]
        shin = positions[lower] - positions[end]
        ups = np.stack(
            [rotations.normalize_vector(each - _along(each, ahead - _along(ahead, up))) for each in (up, shin)]
        )
        aside = rotations.inverse_rotate(stood[end], np.cross(ups, ahead))
        tilts += np.abs(rotations.rotate(standing[end][:, None], aside)[..., 1]).sum(axis=0)
        for joint in chain.joints[chain.joints.index(end) :]:
            straight[joint] = rotations.inverse_rotate(stood[joint], ups[1])
    return straight if tilts[1] < tilts[0] else {}


def _along(vector: Singles, direction: Singles) -> Singles:
    """The part of a vector `[3]` that lies along a direction `[3]`."""
    return (vector @ direction) / max(float(direction @ direction), 1e-12) * direction
