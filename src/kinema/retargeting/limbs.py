"""Legs: two bones, an end, and the point that touches the ground."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kinema import rotations
from kinema.arrays import Singles
from kinema.mocap.ground import HIGHEST_CLEARANCE, PERCENTILE, USUAL_ANKLE, USUAL_TOE, stance_height
from kinema.pose import Pose
from kinema.retargeting.anatomy import Anatomy
from kinema.retargeting.chains import LEGS, limb_joints
from kinema.retargeting.stance import StandingPose
from kinema.roles import Chain
from kinema.skeleton import Skeleton

_HIGH = 0.12  # of the bones: a last joint higher above the ground is not a foot; the foot is at the end of its bone
_LEAST_TOP = {False: 0.3, True: 1e-3}  # of the bones: least height of a leg; of bodies with many legs
_BENT = 0.02  # of the bones: distance of a joint from the straight line at which it shows where the leg bends
_LEVEL = 0.12  # metres of a reference adult: the feet of one body stand on one level
_AHEAD: Singles = np.array([0, 0, 1], np.float32)


@dataclass(frozen=True, eq=False)
class Limb:
    """A leg.

    Attributes:
        chain: its name.
        upper, lower: joints of both bones.
        end: joint at their end, the foot; None where no foot is a child of the leg.
        to_end: `[3]`, metres: from the lower joint to the end, in the lower joint's frame.
        touch: the joint that touches the ground: the toe, or the last one.
        to_touch: `[3]`, metres: from it to the point that touches the ground, in its frame.
        rise: metres from that point up to the end while the foot stands flat.
        length: metres, of both bones.
        top: metres from that point up to the upper joint while the body stands.
        straight: whether it stands straight.
        front: `[3]`, unit: direction in which the middle joint bends, in the upper joint's frame: as it does while the
            body stands, or to the front.
    """

    chain: str
    upper: int
    lower: int
    end: int | None
    to_end: Singles
    touch: int
    to_touch: Singles
    rise: float
    length: float
    top: float
    straight: bool
    front: Singles

    @property
    def on_toe(self) -> bool:
        """Whether the joint that touches the ground is beyond the foot."""
        return self.end is not None and self.touch != self.end

    def at_foot(self) -> Limb:
        """The same limb, touching the ground with its foot instead of its toe."""
        if not self.on_toe:
            return self
        zero = np.zeros(3, np.float32)
        return replace(self, touch=self.end, to_touch=zero, rise=0.0, top=self.top - self.rise)

    def ends(self, pose: Pose) -> Singles:
        """Positions of the end of the lower bone, `[..., 3]`."""
        return point_of(pose, self.lower, self.to_end)

    def path(self, pose: Pose) -> Singles:
        """Positions of the point that touches the ground, `[..., 3]`."""
        return point_of(pose, self.touch, self.to_touch)


def point_of(pose: Pose, joint: int, offset: Singles) -> Singles:
    """Global position `[..., 3]` of a point `[3]` in the frame of a joint."""
    return pose.global_positions[..., joint, :] + rotations.rotate(pose.global_rotations[..., joint, :], offset)


def set_global_rotations(local_rotations: Singles, pose: Pose, new: Mapping[int, Singles]) -> None:
    """Write the local rotations `[F, J, 4]` of joints of one limb that give them the global rotations `new`.

    Args:
        pose: the pose before; joints between two of the limb turn rigidly with the upper one.
    """
    skeleton, before = pose.skeleton, pose.global_rotations
    for joint in sorted(new):
        parent = int(skeleton.parents[joint])
        carrier = before[:, parent] if parent >= 0 else rotations.identity((len(before),), before)
        above = next((a for a in skeleton.ancestors(joint) if a in new), None)
        if above is not None:
            carrier = rotations.multiply(new[above], rotations.relative(before[:, above], carrier))
        local_rotations[:, joint] = rotations.relative(carrier, new[joint])


def legs_of(anatomy: Anatomy, soles: float | None = None) -> dict[str, Limb]:
    """The legs of a skeleton, by the name of their chain.

    Args:
        soles: height of the soles along the body's up direction, where a mesh shows it.
    """
    skeleton, standing = anatomy.skeleton, anatomy.standing
    ground = _lowest(skeleton, standing) if soles is None else soles
    return {
        chain.name: _leg(anatomy, chain, ground)
        for chain in skeleton.roles.chains
        if chain.kind in LEGS and len(chain.joints) >= 2
    }


def _lowest(skeleton: Skeleton, standing: StandingPose) -> float:
    """Height of the lowest joint or tip."""
    points = np.concatenate([standing.positions, skeleton.tip_positions(standing.pose)])
    return float((points @ standing.up).min())


def _leg(anatomy: Anatomy, chain: Chain, ground: float) -> Limb:
    skeleton, standing = anatomy.skeleton, anatomy.standing
    stood, positions = standing.rotations, standing.positions
    upper, lower, end = limb_joints(skeleton.roles, chain)
    straight = chain.name in anatomy.alignment.straight
    touch = chain.joints[-1]
    point = _contact_point(anatomy, chain, touch, ground, straight)
    bone_end = point if end is None else positions[end]
    to_touch = rotations.inverse_rotate(stood[touch], (point - positions[touch]).astype(np.float32))
    length = _distance(positions[upper], positions[lower]) + _distance(positions[lower], bone_end)
    rise = float((bone_end - point) @ standing.up)
    if chain.kind == "leg" and end is not None and touch != end and straight:  # flat on its sole
        foot = rotations.inverse_rotate(stood[end], (point - positions[end]).astype(np.float32))
        rise = -float(rotations.inverse_rotate(anatomy.alignment.bones[end], foot)[1])
    top = length + rise if straight else float((positions[upper] - point) @ standing.up)
    return Limb(
        chain=chain.name,
        upper=upper,
        lower=lower,
        end=end,
        to_end=rotations.inverse_rotate(stood[lower], (bone_end - positions[lower]).astype(np.float32)),
        touch=touch,
        to_touch=to_touch if to_touch.any() else np.zeros(3, np.float32),
        rise=rise,
        length=length,
        top=max(top, _LEAST_TOP[skeleton.roles.plan == "many-legged"] * length),
        straight=straight,
        front=_front(anatomy, upper, lower, bone_end, None if straight else _BENT * length),
    )


def _distance(one: Singles, other: Singles) -> float:
    return float(np.linalg.norm(other - one))


def _front(anatomy: Anatomy, upper: int, lower: int, end: Singles, least: float | None) -> Singles:
    """Direction in which a leg bends, in the upper joint's frame: of its own bend if that is larger than `least`."""
    stood, positions = anatomy.standing.rotations, anatomy.standing.positions
    line = rotations.normalize_vector(end - positions[upper])
    bend = positions[lower] - positions[upper]
    bend = bend - (bend @ line) * line
    if least is not None and float(np.linalg.norm(bend)) > least:
        return rotations.inverse_rotate(stood[upper], rotations.normalize_vector(bend).astype(np.float32))
    return rotations.rotate(anatomy.alignment.bones[upper], _AHEAD)


def _contact_point(anatomy: Anatomy, chain: Chain, touch: int, ground: float, straight: bool) -> Singles:
    """Where a leg touches the ground while the body stands, `[3]`."""
    standing, positions = anatomy.standing, anatomy.standing.positions
    upper, lower, end = limb_joints(anatomy.skeleton.roles, chain)
    if chain.name in anatomy.ends:
        return positions[anatomy.ends[chain.name]]
    high = _HIGH * 2 * _distance(positions[upper], positions[lower])
    if end is None or (not straight and float(positions[touch] @ standing.up) - ground > high):
        return _bone_end(anatomy.skeleton, standing, touch, ground)
    return positions[touch]


def _bone_end(skeleton: Skeleton, standing: StandingPose, joint: int, ground: float) -> Singles:
    """Where the last bone ends: its tip, the joint after it, or on the ground below it."""
    tips = skeleton.tip_offsets[skeleton.tip_joints == joint]
    if len(tips) and np.linalg.norm(tips[0]) > 1e-4:
        return point_of(standing.pose, joint, tips[0])
    positions, up = standing.positions, standing.up
    below = [child for child in skeleton.children[joint] if skeleton.bone_lengths[child] > 1e-4]
    if below:
        return positions[min(below, key=lambda child: float(positions[child] @ up))]
    return positions[joint] - (float(positions[joint] @ up) - ground) * up


def clearances(standing: StandingPose, legs: Mapping[str, Limb], soles: float | None = None) -> dict[str, float]:
    """Height of each leg's touching point above the ground while it stands, metres.

    Args:
        soles: height of the lowest point of the feet's surface along the body's up direction, where there is a mesh.
            Without one the ground of the rest pose is used, and if that cannot be, an adult's proportions.
    """
    if not legs:
        return {}
    heights = {name: float(leg.path(standing.pose) @ standing.up) for name, leg in legs.items()}
    most = HIGHEST_CLEARANCE * float(np.mean([leg.length for leg in legs.values()]))
    if soles is not None:
        return {name: min(max(height - soles, 0.0), 3.0 * most) for name, height in heights.items()}
    ground = _ground_of_rest(standing, legs, min(heights.values()), most)
    on_ground = {name for name, leg in legs.items() if leg.to_touch.any() and not leg.straight}
    return {name: 0.0 if name in on_ground else min(max(heights[name] - ground, 0.0), most) for name in legs}


def _ground_of_rest(standing: StandingPose, legs: Mapping[str, Limb], lowest: float, most: float) -> float:
    """Height of the ground below legs whose lowest touching point is at `lowest`, at most `most` above the ground."""
    if not standing.measured and -1e-3 <= lowest <= most:
        return 0.0
    if all(leg.to_touch.any() for leg in legs.values()):
        return lowest
    toes = all(leg.on_toe for leg in legs.values())
    return lowest - (USUAL_TOE if toes else USUAL_ANKLE) * most / HIGHEST_CLEARANCE


def common_ground(paths: Sequence[Singles], fps: float, sizes: Sequence[float]) -> list[float]:
    """Height of each foot while it stands, metres: its own where it agrees with the others, else that of all.

    A foot that never stands in a clip does not show the ground: it is slow at the top of a jump, or while a person lies
    on their back.

    Args:
        paths: `[F, 1, 3]` of each foot. sizes: sizes of the legs, relative to those of a reference adult.
    """
    if not paths:
        return []
    every, size = np.concatenate(paths, axis=1), float(np.mean(sizes))
    lowest = float(np.percentile(every[..., 1].min(axis=1), PERCENTILE))
    common = stance_height(every, fps, size)
    common = common if common - lowest < _LEVEL * size else lowest
    own = [stance_height(path, fps, each) for path, each in zip(paths, sizes, strict=True)]
    return [height if abs(height - common) < _LEVEL * size else common for height in own]
