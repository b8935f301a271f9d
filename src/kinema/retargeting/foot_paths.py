"""Legs of a different build: of animals, and of people on animals. The paths of the feet are transferred.

A dog stands with bent legs and a horse with straight ones; one rig has a shoulder blade, another none; legs have two
bones or three. What these have in common is the path of the foot under the body. It is scaled to the size of the
target and placed around where the target's foot stands; near the ground its height is that of the source's foot. A leg
of two bones is then solved in closed form, in the plane in which it is bent at rest. In a leg of three bones the last
one is rotated as that of the source; where the source has no such bone it stays parallel to the first, as in a
pantograph, which is nearly how the legs of animals move (M. S. Fischer and R. Blickhan, "The tri-segmented limbs of
therian mammals", 2006).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kinema import rotations
from kinema.arrays import Singles
from kinema.ik import two_bone
from kinema.mocap.contacts import REFERENCE_LEG
from kinema.mocap.ground import detect_contacts
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.retargeting.anatomy import Anatomy
from kinema.retargeting.limbs import Limb, point_of, set_global_rotations
from kinema.retargeting.smoothing import smooth
from kinema.retargeting.soles import Corner
from kinema.retargeting.stance import MOST_FRAMES, StandingPose
from kinema.skeleton import Skeleton

if TYPE_CHECKING:
    from kinema.retargeting.contacts import LegContacts


_UP: Singles = np.array([0, 1, 0], np.float32)
_LOW, _HIGH = 0.15, 0.5  # of the leg: below, heights are those of the source's foot; above, those under the body
_FLAT, _TURNED = 0.02, 0.2  # of the leg: below, a detached foot is flat; above it turns with the leg
SOFT = 0.04  # of the leg, over which its reach ends softly
_LOWEST = 0.1  # share of the frames in which a foot is low
SMOOTH = 0.15  # seconds: standard deviation that the offset between both feet is smoothed with
ALIKE = 0.03  # of the leg: bones that differ less are of the same build
SLACK = 0.98  # of a leg's length, at most, between its ends while the body stands


@dataclass(frozen=True, eq=False)
class Girdle:
    """The joint that carries a leg.

    Attributes:
        joint: the first joint above the leg that is not part of it.
        offset: `[3]`, metres, in its frame: to the top of the leg while the body stands.
        stood: `[4]`: its rotation while the body stands.
    """

    joint: int
    offset: Singles
    stood: Singles

    @staticmethod
    def of(skeleton: Skeleton, standing: StandingPose, leg: Limb) -> Girdle:
        """The girdle of a leg."""
        chain = skeleton.roles.chain(leg.chain)
        inside = set() if chain is None else set(chain.joints)
        above = [joint for joint in skeleton.ancestors(leg.upper) if joint not in inside]
        joint = max(above, key=lambda j: int(skeleton.depths[j]), default=leg.upper)
        stood, positions = standing.rotations[joint], standing.positions
        return Girdle(joint, rotations.inverse_rotate(stood, positions[leg.upper] - positions[joint]), stood)

    def top(self, pose: Pose) -> Singles:
        """Where the leg would begin without its shoulder, `[F, 3]`."""
        return point_of(pose, self.joint, self.offset)

    def turn(self, pose: Pose) -> Singles:
        """Its rotations relative to the standing pose, `[F, 4]`."""
        return rotations.multiply(pose.global_rotations[:, self.joint], rotations.inverse(self.stood))


@dataclass(frozen=True, eq=False)
class FootPath:
    """How the foot of one leg follows that of a leg of a different build.

    Attributes:
        source, target: the legs.
        girdles: those of source and target.
        offset: `[3]`, metres, in the target's world while it stands: from the scaled foot of the source under the top
            of its leg to the foot of the target.
        pantograph: the last of three bones stays parallel to the first.
        stood: rotations `[3, 4]` of upper, lower and last joint while the target stands.
        bones: `[3, 3]`, metres: the bones of the target while it stands; the last is from the end to the ground.
        alike: whether the source's legs have such bones, so that joints can rotate as the source's do.
    """

    source: Limb
    target: Limb
    girdles: tuple[Girdle, Girdle]
    offset: Singles
    pantograph: bool
    stood: Singles
    bones: Singles
    alike: bool

    @staticmethod
    def of(bodies: tuple[Anatomy, Anatomy], legs: tuple[Limb, Limb], scale: float) -> FootPath:
        """From source to target.

        Args:
            scale: size of the target relative to that of the source.
        """
        a, b = legs
        here, there = (body.standing for body in bodies)
        lines = _bones(here, a), _bones(there, b)
        feet = lines[0].sum(axis=0), lines[1].sum(axis=0)
        feet[0][1] = -a.top
        off = float(np.abs(lines[1] - np.float32(scale) * lines[0]).max())
        return FootPath(
            source=a,
            target=b,
            girdles=(Girdle.of(bodies[0].skeleton, here, a), Girdle.of(bodies[1].skeleton, there, b)),
            offset=rotations.rotate(there.axes, feet[1] - np.float32(scale) * feet[0]),
            pantograph=b.end is not None and (a.end is None or a.straight),
            stood=there.rotations[[b.upper, b.lower, b.lower if b.end is None else b.end]],
            bones=rotations.rotate(there.axes, lines[1]),
            alike=(a.end is None) == (b.end is None) and off < ALIKE * b.length,
        )

    @property
    def lowered(self) -> float:
        """How much lower than at rest a body stands, metres, so that straight legs can step."""
        return max(self.target.top - SLACK * float(np.linalg.norm(self.bones, axis=-1).sum()), 0.0)

    def goal(
        self, source: Pose, target: Pose, contacts: LegContacts, clearance: float, scale: float, fps: float
    ) -> Singles:
        """Where the target's foot touches the ground, or would, `[F, 3]`."""
        here, there = self.girdles
        aside = there.top(target) - np.float32(scale) * here.top(source)
        aside += rotations.rotate(there.turn(target), self.offset)
        # The two bodies sway differently, and a standing foot should not follow that.
        goal = (scale * self.source.path(source) + smooth(aside, SMOOTH * fps)).astype(np.float32)
        low = _smoothstep(contacts.heights / self.target.top, _HIGH, _LOW)
        goal[:, 1] += low * (clearance + contacts.heights - goal[:, 1])
        return goal

    def solve(self, target: Pose, goal: Singles) -> dict[int, Singles]:
        """New global rotations `[F, 4]` of the leg's joints that bring its touching point to `goal` `[F, 3]`."""
        leg, top = self.target, target.global_positions[:, self.target.upper]
        first, second, last = self.bones
        if self.pantograph:
            first = first + last
        elif leg.end is not None:
            end = target.global_rotations[:, leg.end]
            goal = goal - rotations.rotate(end, rotations.inverse_rotate(self.stood[2], last))
        turn = self.girdles[1].turn(target)
        line = rotations.rotate(turn, first + second)
        turn = rotations.multiply(rotations.between(line, goal - top), turn)
        front = rotations.rotate(self.stood[0], leg.front)
        knee = top + rotations.rotate(turn, first)
        upper, lower = two_bone(
            rotations.multiply(turn, self.stood[0]),
            rotations.multiply(turn, self.stood[1]),
            top,
            knee,
            knee + rotations.rotate(turn, second),
            goal,
            rotations.rotate(turn, front),
            SOFT,
        )
        new = {leg.upper: upper, leg.lower: lower}
        if leg.end is not None:
            parallel = rotations.multiply(upper, rotations.relative(self.stood[0], self.stood[2]))
            new[leg.end] = parallel if self.pantograph else target.global_rotations[:, leg.end]
        return new

    def foot_rotations(self, target: Pose, rigid: Singles, stood: Singles, heights: Singles) -> Singles:
        """Rotations `[F, 4]` of a detached foot: flat on the ground, in the air as the leg's last bone.

        Args:
            rigid: `[F, 4]`, as the last bone rotates it.
            stood: `[4]`, while the body stands.
            heights: `[F]`, metres, above where it stands.
        """
        turn = self.girdles[1].turn(target)
        up = np.broadcast_to(_UP, (len(heights), 3))
        level = rotations.multiply(rotations.between(rotations.rotate(turn, _UP), up), turn)
        flat = rotations.multiply(level, stood)
        return rotations.slerp(flat, rigid, _smoothstep(heights / self.target.top, _FLAT, _TURNED))


@dataclass(frozen=True, eq=False)
class LegPair:
    """A leg of the target and the leg of the source that moves it.

    Attributes:
        source, target: the legs.
        clearance: metres, height of the target's touching point above the ground while it stands.
        path: how the foot follows, for legs of a different build; None where joints rotate as the source's do.
        corners: of the target's sole.
    """

    source: Limb
    target: Limb
    clearance: float
    path: FootPath | None = None
    corners: Sequence[Corner] = ()


def _bones(standing: StandingPose, leg: Limb) -> Singles:
    """The three bones of a leg `[3, 3]`, metres, in the axes of the standing body."""
    pose, positions = standing.pose, standing.positions
    points = positions[leg.upper], positions[leg.lower], leg.ends(pose), leg.path(pose)
    return rotations.inverse_rotate(standing.axes, np.diff(np.stack(points), axis=0))


def _smoothstep(values: Singles, zero: float, one: float) -> Singles:
    """0 at `zero`, 1 at `one`, smooth between."""
    x = np.clip((values - zero) / (one - zero), 0.0, 1.0)
    return (x * x * (3 - 2 * x)).astype(np.float32)


def follow_paths(
    source: Pose, target: Pose, legs: Sequence[LegPair], contacts: Sequence[LegContacts], scale: float, fps: float
) -> Singles:
    """Local rotations `[F, J, 4]` of the target with feet on the paths of the source's.

    Args:
        source, target: poses `[F]`.
        legs, contacts: pairs of legs, and the contacts of the source's.
        scale: size of the target relative to that of the source.
        fps: frames per second.
    """
    out = np.array(target.local_rotations)
    for leg, state in zip(legs, contacts, strict=True):
        if leg.path is not None:
            goal = leg.path.goal(source, target, state, leg.clearance, scale, fps)
            set_global_rotations(out, target, leg.path.solve(target, goal))
    return out


def standing_tops(motions: Sequence[Motion], legs: Sequence[Limb]) -> dict[str, float]:
    """Height in metres of the top of each leg over its touching point, in frames in which the foot stands or is low."""
    found: dict[str, float] = {}
    for leg in legs:
        heights = [_top_heights(motion, leg) for motion in motions if motion.frames]
        height = float(np.median(np.concatenate(heights))) if heights else 0.0
        if height > 0.5 * max(leg.top, 0.5 * leg.length):
            found[leg.chain] = height
    return found


def _top_heights(motion: Motion, leg: Limb) -> Singles:
    poses = motion[: 4 * MOST_FRAMES]
    points = leg.path(poses)[:, None]
    stands = detect_contacts(points, motion.fps, leg.top / REFERENCE_LEG)[:, 0]
    if not stands.any():  # somebody runs on the spot: where the foot is low
        stands = points[:, 0, 1] <= np.quantile(points[:, 0, 1], _LOWEST)
    return poses.global_positions[stands, leg.upper, 1] - points[stands, 0, 1]
