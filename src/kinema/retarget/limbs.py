"""Limbs as what walks on them sees them: two bones, an end, and the point that touches the ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.mocap.ground import HIGHEST_CLEARANCE, USUAL_ANKLE, USUAL_TOE
from kinema.retarget.alignment import Alignment
from kinema.retarget.stance import LEGS, Stance, segments
from kinema.roles import Chain
from kinema.skeleton import Skeleton

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Limb:
    """A leg.

    Attributes:
        chain: its name.
        upper, lower, end: joints of both bones and at their end, the foot.
        to_end: ``[3]``, metres: from the lower joint to the end, in the lower joint's frame.
        detached: whether the end hangs on another joint and is to be carried along (a target of IK with the mesh).
        touch: the joint that touches the ground: the toe, or the end itself.
        to_touch: ``[3]``, metres: from the end to it, in the end's frame.
        rise: metres from the touching joint up to the end while the foot stands flat.
        length: metres, of both bones.
        top: metres from the touching joint up to the upper joint while the body stands.
        straight: whether it stands straight; the knee then bends to the front.
    """

    chain: str
    upper: int
    lower: int
    end: int
    to_end: Floats
    detached: bool
    touch: int
    to_touch: Floats
    rise: float
    length: float
    top: float
    straight: bool

    def at_foot(self) -> Limb:
        """The same limb, touching the ground with its end."""
        zero = np.zeros(3, np.float32)
        return Limb(self.chain, self.upper, self.lower, self.end, self.to_end, self.detached, self.end, zero, 0.0,
                    self.length, self.top - self.rise, self.straight)  # fmt: skip


def legs_of(skeleton: Skeleton, stance: Stance, alignment: Alignment) -> dict[str, Limb]:
    """The legs of a skeleton that end in a foot, by the name of their chain."""
    found: dict[str, Limb] = {}
    up = rotations.rotate(stance.axes, np.array([0, 1, 0], np.float32))
    turned, placed = stance.global_rotations, stance.positions
    for chain in skeleton.roles.chains:
        if chain.kind not in LEGS or len(chain.joints) < 2:
            continue
        upper, lower, end = segments(skeleton.roles, chain)
        detached = end is None
        touch = _touch(skeleton, chain, end)
        if end is None:
            end = touch = loose_end(skeleton, chain, placed)
            if end is None:
                continue
        thigh, shin, foot = placed[lower] - placed[upper], placed[end] - placed[lower], placed[touch] - placed[end]
        length = float(np.linalg.norm(thigh) + np.linalg.norm(shin))
        straight = chain.name in alignment.straight
        to_touch = rotations.inverse_rotate(turned[end], foot)
        flat = rotations.inverse_rotate(alignment.stance[end], to_touch) if touch != end else np.zeros(3, np.float32)
        rise = -float(flat[1]) if chain.kind == "leg" else -float(foot @ up)
        top = length + rise if straight else float((placed[upper] - placed[touch]) @ up)
        found[chain.name] = Limb(
            chain.name, upper, lower, end, rotations.inverse_rotate(turned[lower], shin), detached, touch, to_touch,
            rise, length, max(top, 1e-3 * length), straight,
        )  # fmt: skip
    return found


def _touch(skeleton: Skeleton, chain: Chain, end: int | None) -> int:
    """The joint that touches the ground: the ball of the foot if there is one, of an animal the last of the leg."""
    if end is None:
        return chain.joints[-1]
    return chain.joints[-1] if chain.joints.index(end) < len(chain.joints) - 1 else end


def loose_end(skeleton: Skeleton, chain: Chain, placed: Floats) -> int | None:
    """The foot or hand that belongs to a limb and does not hang on it: the nearest of that side."""
    roles, last = skeleton.roles, chain.joints[-1]
    below = {last}
    for joint in range(last + 1, skeleton.joint_count):
        if int(skeleton.parents[joint]) in below:
            below.add(joint)
    loose = [
        joint
        for joint, part in enumerate(roles.parts)
        if part in ("foot", "hand") and roles.sides[joint] == chain.side and joint not in below
        and all(joint not in other.joints for other in roles.chains)
    ]  # fmt: skip
    return min(loose, key=lambda joint: float(np.linalg.norm(placed[joint] - placed[last])), default=None)


def clearances(skeleton: Skeleton, stance: Stance, legs: dict[str, Limb], soles: float | None = None) -> dict[str, float]:
    """Height of each leg's touching joint above the ground while it stands, metres.

    Args:
        soles: height of the lowest point of the feet's surface along the stance's up, where there is a mesh.
    """
    up = rotations.rotate(stance.axes, np.array([0, 1, 0], np.float32))
    heights = {name: float(stance.positions[leg.touch] @ up) for name, leg in legs.items()}
    if not legs:
        return {}
    length = float(np.mean([leg.length for leg in legs.values()]))
    ground = 0.0 if soles is None else soles
    lowest = min(heights.values())
    if soles is None and (stance.measured or not -1e-3 <= lowest <= HIGHEST_CLEARANCE * length):
        toes = all(leg.touch != leg.end for leg in legs.values())
        ground = lowest - (USUAL_TOE if toes else USUAL_ANKLE) * length
    usual = {name: height - ground for name, height in heights.items()}
    most = HIGHEST_CLEARANCE * length
    return {name: float(np.clip(height, 0.0, most if soles is None else 3 * most)) for name, height in usual.items()}
