"""Legs of other build: of animals, and of people on animals. Not their joints' turns go over but where their ends go.

A dog stands with bent legs and a horse with straight ones; one rig has a shoulder blade, another none; legs have two
bones or three. What these have in common is the way of the foot under the body, so that goes over, in the size of the
target, around where the target's foot stands. Near the ground its height is that of the source's foot. Then a leg of
two bones is solved in closed form, in the plane in which it is bent at rest. One of three bones has its last turned as
the source's; where the source has no such bone it stays parallel to the first, as in a pantograph, which is what the
legs of animals nearly do (M. S. Fischer and R. Blickhan, "The tri-segmented limbs of therian mammals", 2006).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.ik import two_bone
from kinema.mocap import contacts as detection
from kinema.mocap.ground import stance_height
from kinema.motion import Motion
from kinema.retargeting.contacts import Standing, posed
from kinema.retargeting.limbs import Limb
from kinema.retargeting.stance import LOOKS, Stance, mean_rotation
from kinema.skeleton import Skeleton

Floats = NDArray[np.float32]

_UP: Floats = np.array([0, 1, 0], np.float32)
_LOW, _HIGH = 0.15, 0.5  # of the leg: below, heights are those of the source's foot; above, those under the body
_FLAT, _TURNED = 0.02, 0.15  # of the leg: below, a foot that hangs on no leg is flat; above it turns with the leg
SOFT = 0.04  # of the leg, over which its reach ends softly
_LOWEST = 0.1  # share of the frames in which a foot is low
CALM = 0.15  # seconds: standard deviation of what the way from the source's foot to the target's is smoothed with
ALIKE = 0.03  # of the leg: bones that differ less are those of the same build
SLACK = 0.98  # of a leg's length, at most, between its ends while the body stands


@dataclass(frozen=True, eq=False)
class Girdle:
    """What carries a leg, and where the leg begins on it.

    Attributes:
        joint: the first joint above the leg that is not part of it.
        offset: `[3]`, metres, in its frame: to the top of the leg while the body stands.
        stood: `[4]`: how it is turned while the body stands.
    """

    joint: int
    offset: Floats
    stood: Floats

    @staticmethod
    def of(skeleton: Skeleton, stance: Stance, leg: Limb) -> Girdle:
        """That of a leg."""
        chain = skeleton.roles.chain(leg.chain)
        inside = set() if chain is None else set(chain.joints)
        above = [joint for joint in skeleton.ancestors(leg.upper) if joint not in inside]
        joint = max(above, key=lambda j: int(skeleton.depths[j]), default=leg.upper)
        stood = stance.global_rotations[joint]
        return Girdle(
            joint, rotations.inverse_rotate(stood, stance.positions[leg.upper] - stance.positions[joint]), stood
        )

    def top(self, turned: Floats, placed: Floats) -> Floats:
        """Where the leg would begin without its shoulder, `[F, 3]`."""
        return placed[:, self.joint] + rotations.rotate(turned[:, self.joint], self.offset)

    def carried(self, turned: Floats) -> Floats:
        """How it is turned from how it stood, `[F, 4]`."""
        return rotations.multiply(turned[:, self.joint], rotations.inverse(self.stood))


@dataclass(frozen=True, eq=False)
class Way:
    """A pair of legs of other build.

    Attributes:
        source, target: the legs.
        girdles: of both.
        apart: `[3]`, metres, in the target's world while it stands: from where the scaled foot is under the top of
            the leg to where the target's stands.
        pantograph: the last of three bones stays parallel to the first.
        stood: rotations `[3, 4]` of upper, lower and last joint while the target stands.
        bones: `[3, 3]`, metres: the bones of the target while it stands; the last is from the end to what touches.
        alike: whether the source's legs have such bones, so that joints can turn as the source's do.
    """

    source: Limb
    target: Limb
    girdles: tuple[Girdle, Girdle]
    apart: Floats
    pantograph: bool
    stood: Floats
    bones: Floats
    alike: bool

    @staticmethod
    def of(
        skeletons: tuple[Skeleton, Skeleton], stances: tuple[Stance, Stance], legs: tuple[Limb, Limb], scale: float
    ) -> Way:
        """From source to target.

        Args:
            scale: of the target over the source.
        """
        girdles = [Girdle.of(*each) for each in zip(skeletons, stances, legs, strict=True)]
        a, b = legs
        lines = [_bones(*each) for each in zip(stances, legs, strict=True)]
        feet = [line.sum(axis=0) for line in lines]
        off = float(np.abs(lines[1] - np.float32(scale) * lines[0]).max())
        feet[0][1] = -a.top
        there = stances[1]
        last = b.lower if b.end is None else b.end
        return Way(
            a,
            b,
            (girdles[0], girdles[1]),
            rotations.rotate(there.axes, feet[1] - np.float32(scale) * feet[0]),
            b.end is not None and (a.end is None or a.straight),
            there.global_rotations[[b.upper, b.lower, last]],
            rotations.rotate(there.axes, lines[1]),
            (a.end is None) == (b.end is None) and off < ALIKE * b.length,
        )

    @property
    def lowered(self) -> float:
        """How much lower than at rest a body stands, metres, so that straight legs can step."""
        return max(self.target.top - SLACK * float(np.linalg.norm(self.bones, axis=-1).sum()), 0.0)

    def goal(
        self,
        source: tuple[Floats, Floats],
        target: tuple[Floats, Floats],
        state: Standing,
        clearance: float,
        scale: float,
        fps: float,
    ) -> Floats:
        """Where the target touches the ground, or would, `[F, 3]`."""
        here, there = self.girdles
        aside = there.top(*target) - np.float32(scale) * here.top(*source)
        aside += rotations.rotate(there.carried(target[0]), self.apart)
        # bodies sway unlike each other, and a foot that stands should not learn of it
        goal = np.float32(scale) * self.source.path(*source) + calmed_path(aside, CALM * fps)
        low = _smooth(state.heights / self.target.top, _HIGH, _LOW)
        goal[:, 1] += low * (clearance + state.heights - goal[:, 1])
        return goal

    def solve(self, target: tuple[Floats, Floats], goal: Floats) -> dict[int, Floats]:
        """New global rotations `[F, 4]` of the leg's joints that bring what touches to `goal` `[F, 3]`."""
        turned, placed = target
        leg, top = self.target, placed[:, self.target.upper]
        first, second, last = self.bones
        if leg.end is None:
            last = np.zeros(3, np.float32)
        elif self.pantograph:
            first = first + last
        else:
            end = turned[:, leg.end]
            goal = goal - rotations.rotate(end, rotations.inverse_rotate(self.stood[2], last))
        carried = self.girdles[1].carried(turned)
        line = rotations.rotate(carried, first + second)
        carried = rotations.multiply(rotations.between(line, goal - top), carried)
        front = rotations.rotate(self.stood[0], leg.front)
        knee = top + rotations.rotate(carried, first)
        upper, lower = two_bone(
            rotations.multiply(carried, self.stood[0]),
            rotations.multiply(carried, self.stood[1]),
            top,
            knee,
            knee + rotations.rotate(carried, second),
            goal,
            rotations.rotate(carried, front),
            SOFT,
        )
        new = {leg.upper: upper, leg.lower: lower}
        if leg.end is not None and self.pantograph:
            new[leg.end] = rotations.multiply(upper, rotations.relative(self.stood[0], self.stood[2]))
        elif leg.end is not None:
            new[leg.end] = turned[:, leg.end]
        return new


def _bones(stance: Stance, leg: Limb) -> Floats:
    """The three bones of a leg `[3, 3]`, metres, in the axes of the body that stands."""
    turned, placed = stance.global_rotations[None], stance.positions[None]
    points = placed[0, leg.upper], placed[0, leg.lower], leg.ends(turned, placed)[0], leg.path(turned, placed)[0]
    return rotations.inverse_rotate(stance.axes, np.diff(np.stack(points), axis=0))


def _smooth(values: Floats, zero: float, one: float) -> Floats:
    """0 at `zero`, 1 at `one`, smooth between."""
    x = np.clip((values - zero) / (one - zero), 0.0, 1.0)
    return (x * x * (3 - 2 * x)).astype(np.float32)


def lead(
    skeleton: Skeleton,
    local: Floats,
    source: tuple[Floats, Floats],
    target: tuple[Floats, Floats],
    ways: Sequence[tuple[Way, Standing, float]],
    scale: float,
    fps: float,
) -> Floats:
    """Local rotations `[F, J, 4]` whose legs go the source's way.

    Args:
        skeleton: of the target.
        local: `[F, J, 4]`; not changed.
        source, target: global rotations and positions of both.
        ways: legs, what the source's do, and how high the target's touch.
        scale: of the target over the source.
        fps: frames per second.
    """
    out = local.copy()
    for way, state, clearance in ways:
        goal = way.goal(source, target, state, clearance, scale, fps)
        posed(skeleton, out, target[0], way.solve(target, goal))
    return out


def foot_turns(way: Way, turned: Floats, rigid: Floats, stood: Floats, heights: Floats) -> Floats:
    """How a foot that hangs on no leg is turned, `[F, 4]`: flat on the ground, in the air as the leg's last bone.

    Args:
        turned: `[F, J, 4]` of the target.
        rigid: `[F, 4]`: as the last bone turns it.
        stood: `[4]`: as it is turned while the body stands.
        heights: `[F]`, metres, above where it stands.
    """
    carried = way.girdles[1].carried(turned)
    up = np.broadcast_to(_UP, (len(heights), 3))
    level = rotations.multiply(rotations.between(rotations.rotate(carried, _UP), up), carried)
    flat = rotations.multiply(level, stood)
    return rotations.slerp(flat, rigid, _smooth(heights / way.target.top, _FLAT, _TURNED))


def standing_tops(motions: Sequence[Motion], legs: dict[str, Limb]) -> dict[str, float]:
    """Height in metres of the top of each leg over what touches, while it stands; or is low."""
    found: dict[str, float] = {}
    for name, leg in legs.items():
        heights: list[Floats] = []
        for motion in motions:
            part = motion[: 4 * LOOKS]
            pose = part[:]
            turned, placed = pose.global_rotations, pose.global_positions
            points = leg.path(turned, placed)[:, None]
            size = leg.top / detection.REFERENCE_LEG
            ground = stance_height(points, motion.fps, size)
            stands = detection.detect(points, motion.fps, ground, size)[:, 0]
            if not stands.any():  # who runs on the spot: where the foot is low
                stands = points[:, 0, 1] <= np.quantile(points[:, 0, 1], _LOWEST)
            heights.append(placed[stands, leg.upper, 1] - points[stands, 0, 1])
        every = np.concatenate(heights)
        if len(every) and float(np.median(every)) > 0.5 * max(leg.top, 0.5 * leg.length):
            found[name] = float(np.median(every))
    return found


def calmed(turned: Floats, joints: Sequence[int], frames: float) -> Floats:
    """Global rotations `[F, J, 4]` of which those of some joints are smoothed over time.

    A trunk or a tail that is longer than the source's swings its noise farther, and turns of hips and spine that even
    out in the source do not in another build.

    Args:
        frames: standard deviation of the Gaussian.
    """
    from scipy.ndimage import gaussian_filter1d

    out = turned.copy()
    for joint in joints:
        steady = gaussian_filter1d(rotations.unroll(turned[:, joint]), frames, axis=0, mode="nearest")
        out[:, joint] = rotations.normalize(steady)
    return out


def calmed_path(points: Floats, frames: float) -> Floats:
    """Points `[F, 3]` smoothed over time.

    Args:
        frames: standard deviation of the Gaussian.
    """
    from scipy.ndimage import gaussian_filter1d

    return np.asarray(gaussian_filter1d(points, frames, axis=0, mode="nearest"), np.float32)


def levelled(turned: Floats, stood: Floats, hips: int, joints: Sequence[int]) -> Floats:
    """Global rotations `[F, J, 4]` of a trunk for a body of which the trunk lies and not stands, or the other way
    round: who leans forward as he walks would walk on his knees, so it tilts from how it is tilted on average.

    Args:
        turned: `[F, J, 4]`. stood: `[J, 4]`, while the body stands.
        hips: the joint that tells the heading.
        joints: of the trunk, with the hips.
    """
    out = turned.copy()
    heading = rotations.swing_twist(rotations.multiply(turned[:, hips], rotations.inverse(stood[hips])), _UP)[1]
    for joint in joints:
        tilt = rotations.relative(heading, rotations.multiply(turned[:, joint], rotations.inverse(stood[joint])))
        mean = rotations.swing_twist(mean_rotation(tilt), _UP)[0]
        turn = rotations.multiply(heading, rotations.multiply(tilt, rotations.inverse(mean)))
        out[:, joint] = rotations.multiply(turn, stood[joint])
    return out
