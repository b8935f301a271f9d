"""Legs as the ground sees them: two bones, an end, and the point that touches the ground."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.mocap.ground import HIGHEST_CLEARANCE, PERCENTILE, USUAL_ANKLE, USUAL_TOE, stance_height
from kinema.retargeting.alignment import Alignment
from kinema.retargeting.stance import LEGS, Stance, limbs, segments
from kinema.roles import Chain
from kinema.skeleton import Skeleton

Floats = NDArray[np.float32]

_UP: Floats = np.array([0, 1, 0], np.float32)
_HIGH = 0.12  # of the bones: a last joint that is higher above the ground is no foot; the foot is at its bone's end
_LEAST_TOP = (0.3, 1e-3)  # of the bones: legs that are never seen to stand are this high at least; those of spiders
_BENT = 0.02  # of the bones: how far from the straight line a joint is that shows where it bends to
_LEVEL = 0.12  # metres of a reference adult: feet of one body stand so level
_NEAR = 0.85  # of its distance to the top of a leg: so far from the leg's last joint a foot can be that hangs on none


@dataclass(frozen=True, eq=False)
class Limb:
    """A leg.

    Attributes:
        chain: its name.
        upper, lower: joints of both bones.
        end: joint at their end, the foot; None where none hangs on the leg.
        to_end: `[3]`, metres: from the lower joint to the end, in the lower joint's frame.
        touch: the joint that touches the ground: the toe, or the last one.
        to_touch: `[3]`, metres: from it to the point that does, in its frame.
        rise: metres from that point up to the end while the foot stands flat.
        length: metres, of both bones.
        top: metres from that point up to the upper joint while the body stands.
        straight: whether it stands straight.
        front: `[3]`, unit: where the middle joint bends to, in the upper joint's frame: as it does while the body
            stands, or to the front.
    """

    chain: str
    upper: int
    lower: int
    end: int | None
    to_end: Floats
    touch: int
    to_touch: Floats
    rise: float
    length: float
    top: float
    straight: bool
    front: Floats

    @property
    def on_toe(self) -> bool:
        """Whether what touches the ground is a joint beyond the foot."""
        return self.end is not None and self.touch != self.end

    def at_foot(self) -> Limb:
        """The same limb, touching the ground with its foot and not with its toe."""
        if not self.on_toe:
            return self
        zero = np.zeros(3, np.float32)
        return replace(self, touch=self.end, to_touch=zero, rise=0.0, top=self.top - self.rise)

    def ends(self, turned: Floats, placed: Floats) -> Floats:
        """Where the lower bone ends, `[F, 3]`."""
        return placed[:, self.lower] + rotations.rotate(turned[:, self.lower], self.to_end)

    def path(self, turned: Floats, placed: Floats) -> Floats:
        """Where it touches the ground, `[F, 3]`."""
        return placed[:, self.touch] + rotations.rotate(turned[:, self.touch], self.to_touch)


def carrier(skeleton: Skeleton) -> int:
    """The joint that carries the whole body: the hips, or a joint above them that is hips too."""
    roles = skeleton.roles
    return next((j for j in skeleton.ancestors(roles.hips)[::-1] if roles.parts[j] == "hips"), roles.hips)


def strays(skeleton: Skeleton, placed: Floats) -> dict[int, Chain]:
    """Joints beside the body which hang on no part of it (feet and targets of IK that carry the mesh), each with the
    limb of its side whose last joint is nearest; only the topmost of several below each other.

    Args:
        placed: `[J, 3]`: where the joints are while the body stands.
    """
    roles, top = skeleton.roles, carrier(skeleton)
    inside = np.zeros(skeleton.joint_count, bool)
    above = set(skeleton.ancestors(top))
    found: dict[int, Chain] = {}
    for joint, parent in enumerate(skeleton.parents.tolist()):
        inside[joint] = joint == top or (parent >= 0 and bool(inside[parent])) or parent in found or joint in above
        inside[joint] &= not (parent in above and joint != top and joint not in above)
        sides = [c for c in limbs(roles) if roles.sides[joint] in (None, c.side)]
        if not inside[joint] and sides and roles.sides[joint] is not None:
            found[joint] = min(sides, key=lambda c: float(np.linalg.norm(placed[joint] - placed[c.joints[-1]])))
            inside[joint] = True
    return found


def loose_ends(skeleton: Skeleton, placed: Floats, beside: Mapping[int, Chain]) -> dict[str, int]:
    """Of the joints beside the body those that are the feet and hands of limbs, by the name of the limb's chain."""
    found: dict[str, int] = {}
    parts = skeleton.roles.parts
    for chain in limbs(skeleton.roles):
        upper = segments(skeleton.roles, chain)[0]
        near = {j: float(np.linalg.norm(placed[j] - placed[chain.joints[-1]])) for j, c in beside.items() if c is chain}
        best = min(near, key=lambda joint: (parts[joint] not in ("foot", "hand"), near[joint]), default=None)
        if best is not None and near[best] < _NEAR * float(np.linalg.norm(placed[best] - placed[upper])):
            found[chain.name] = best
    return found


def legs_of(
    skeleton: Skeleton, stance: Stance, alignment: Alignment, loose: Mapping[str, int], soles: float | None = None
) -> dict[str, Limb]:
    """The legs of a skeleton, by the name of their chain.

    Args:
        loose: see `loose_ends`.
        soles: height of the soles along the stance's up, where a mesh tells.
    """
    found: dict[str, Limb] = {}
    up = rotations.rotate(stance.axes, _UP)
    ground = _lowest(skeleton, stance, up) if soles is None else soles
    for chain in skeleton.roles.chains:
        if chain.kind in LEGS and len(chain.joints) >= 2:
            found[chain.name] = _leg(skeleton, stance, alignment, chain, loose.get(chain.name), ground, up)
    return found


def _lowest(skeleton: Skeleton, stance: Stance, up: Floats) -> float:
    """Height of the lowest joint or tip."""
    tips = stance.positions[skeleton.tip_joints] + rotations.rotate(
        stance.global_rotations[skeleton.tip_joints], skeleton.tip_offsets
    )
    return float((np.concatenate([stance.positions, tips]) @ up).min())


def _leg(
    skeleton: Skeleton, stance: Stance, alignment: Alignment, chain: Chain, loose: int | None, ground: float, up: Floats
) -> Limb:
    turned, placed = stance.global_rotations, stance.positions
    upper, lower, end = segments(skeleton.roles, chain)
    straight = chain.name in alignment.straight
    touch, zero = chain.joints[-1] if end is None else _touch(chain, end), np.zeros(3, np.float32)
    thigh = float(np.linalg.norm(placed[lower] - placed[upper]))
    point = placed[touch]
    if loose is not None:
        point = placed[loose]
    elif end is None or (not straight and (point @ up) - ground > _HIGH * 2 * thigh):
        point = _bone_end(skeleton, stance, touch, ground, up)
    at_end = point if end is None else placed[end]
    to_touch = rotations.inverse_rotate(turned[touch], (point - placed[touch]).astype(np.float32))
    length = thigh + float(np.linalg.norm(at_end - placed[lower]))
    rise = float((at_end - point) @ up)
    if chain.kind == "leg" and end is not None and touch != end and straight:  # flat on its sole
        foot = rotations.inverse_rotate(turned[end], (point - placed[end]).astype(np.float32))
        rise = -float(rotations.inverse_rotate(alignment.bones[end], foot)[1])
    top = length + rise if straight else float((placed[upper] - point) @ up)
    to_end = rotations.inverse_rotate(turned[lower], (at_end - placed[lower]).astype(np.float32))
    front = rotations.rotate(alignment.bones[upper], np.array([0, 0, 1], np.float32))
    least = _LEAST_TOP[skeleton.roles.plan == "many-legged"]
    line = rotations.normalize_vector(at_end - placed[upper])
    bend = placed[lower] - placed[upper]
    bend = bend - (bend @ line) * line
    if not straight and float(np.linalg.norm(bend)) > _BENT * length:
        front = rotations.inverse_rotate(turned[upper], rotations.normalize_vector(bend).astype(np.float32))
    return Limb(
        chain.name,
        upper,
        lower,
        end,
        to_end,
        touch,
        to_touch if to_touch.any() else zero,
        rise,
        length,
        max(top, least * length),
        straight,
        front,
    )


def _touch(chain: Chain, end: int) -> int:
    """The joint that touches the ground: the last of the leg, or its foot if that is the last."""
    return chain.joints[-1] if chain.joints[-1] != end else end


def _bone_end(skeleton: Skeleton, stance: Stance, joint: int, ground: float, up: Floats) -> Floats:
    """Where the last bone ends: its tip, the joint after it, or on the ground below it."""
    tips = skeleton.tip_offsets[skeleton.tip_joints == joint]
    if len(tips) and np.linalg.norm(tips[0]) > 1e-4:
        return stance.positions[joint] + rotations.rotate(stance.global_rotations[joint], tips[0])
    below = [child for child in skeleton.children[joint] if skeleton.bone_lengths[child] > 1e-4]
    if below:
        return stance.positions[min(below, key=lambda child: float(stance.positions[child] @ up))]
    return stance.positions[joint] - (float(stance.positions[joint] @ up) - ground) * up


def clearances(stance: Stance, legs: Mapping[str, Limb], soles: float | None = None) -> dict[str, float]:
    """Height of each leg's touching point above the ground while it stands, metres.

    Args:
        soles: height of the lowest point of the feet's surface along the stance's up, where there is a mesh. Without
            one the rest pose's own ground is taken, and if that cannot be, an adult's proportions.
    """
    if not legs:
        return {}
    up = rotations.rotate(stance.axes, _UP)
    pose = stance.global_rotations[None], stance.positions[None]
    heights = {name: float(leg.path(*pose)[0] @ up) for name, leg in legs.items()}
    length = float(np.mean([leg.length for leg in legs.values()]))
    lowest, most = min(heights.values()), HIGHEST_CLEARANCE * length
    ground = soles if soles is not None else 0.0
    if soles is None and (stance.measured or not -1e-3 <= lowest <= most):
        on_tips = all(leg.to_touch.any() for leg in legs.values())
        toes = all(leg.on_toe for leg in legs.values())
        ground = lowest - (0.0 if on_tips else USUAL_TOE if toes else USUAL_ANKLE) * length
    if soles is None:
        on_ground = {name for name, leg in legs.items() if leg.to_touch.any() and not leg.straight}
        return {name: 0.0 if name in on_ground else min(max(heights[name] - ground, 0.0), most) for name in legs}
    return {name: min(max(height - ground, 0.0), 3.0 * most) for name, height in heights.items()}


def common_ground(paths: Sequence[Floats], fps: float, sizes: Sequence[float]) -> list[float]:
    """Height of each foot while it stands, metres: its own where it agrees with the others', else that of all.

    A foot that never stands in a clip says nothing about the ground; it is slow at the top of a jump, or when somebody
    has fallen on his back.

    Args:
        paths: `[F, 1, 3]` of each foot. sizes: of the legs, over those of a reference adult.
    """
    if not paths:
        return []
    every, size = np.concatenate(paths, axis=1), float(np.mean(sizes))
    lowest = float(np.percentile(every[..., 1].min(axis=1), PERCENTILE))
    common = stance_height(every, fps, size)
    common = common if common - lowest < _LEVEL * size else lowest
    own = [stance_height(path, fps, each) for path, each in zip(paths, sizes, strict=True)]
    return [height if abs(height - common) < _LEVEL * size else common for height in own]
