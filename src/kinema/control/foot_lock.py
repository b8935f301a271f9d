"""Foot lock: a foot in contact stays where it came down, and lets go without a jump.

Each foot follows one of two sources: the pose's own toe, or the anchor where it came down. A change of source is
inertialised, so velocity and acceleration stay continuous; the leg then reaches the result by analytic two-bone IK, the foot
keeping its orientation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.control.inertialise import Offset
from kinema.control.pose import Pose
from kinema.ik.two_bone import two_bone
from kinema.roles import require_biped
from kinema.skeleton import Skeleton


_HINGE_SHARE = 0.15
"""Weight of the knee's own hinge beside the plane of the leg, which a straight leg does not have."""
_EASE = 0.01
"""Metres over which the lifting of a heel is eased in."""
_MOST_LIFT = 1.0
"""Radians."""


@dataclass
class FootLock:
    """The stage. One instance serves one controller.

    Attributes:
        skeleton: of the poses; it needs two legs.
        contact_joints: ``[C]``: the joint of each foot that is held (left, right).
        heights: ``[C]``, metres: how high that joint is above the ground in stance.
        hinges: ``[C, 3]``: axis about which each knee bends, unit, in the frame of the upper leg; see :func:`knee_hinges`.
        halflife: seconds, of the change onto an anchor; release_halflife: of the change off it.
        lead: seconds before contact at which a foot begins to settle, so that it is at rest when it is down.
        radius: metres between the pose's toe and the anchor at which the foot lets go.
        reach: share of the leg's length that a leg may take; beyond it the heel is lifted about the toe.
        strain: share of the leg's length beyond which a held foot lets go.
        softness: share of the leg's length over which full extension is eased into.
        threshold: contact value above which a foot counts as down.
    """

    skeleton: Skeleton
    contact_joints: NDArray[np.int32]
    heights: NDArray[np.float32]
    hinges: NDArray[np.float32]
    halflife: float = 0.026
    release_halflife: float = 0.2
    lead: float = 0.034
    radius: float = 0.25
    reach: float = 0.98
    softness: float = 0.03
    strain: float = 1.0
    threshold: float = 0.5

    def __post_init__(self) -> None:
        roles = require_biped(self.skeleton)
        self._legs = np.asarray([[leg.upper, leg.lower, leg.foot] for leg in roles.legs])
        self._parents = self.skeleton.parents.tolist()
        self.reset(1)

    def reset(self, count: int) -> None:
        """Let go of everything, for ``count`` characters."""
        feet = len(self.contact_joints)
        self.locked = np.zeros((count, feet), np.bool_)
        self._held = np.zeros((count, feet), np.bool_)
        self._barred = np.zeros((count, feet), np.bool_)
        self._strained = np.zeros((count, feet), np.bool_)
        self._anchor = np.zeros((count, feet, 3), np.float32)
        self._offset = Offset.zeros((count, feet, 3))
        self._sources: list[NDArray[np.float32]] = []
        self._outputs: list[NDArray[np.float32]] = []

    def apply(self, pose: Pose, arriving: NDArray[np.float32], dt: float) -> Pose:
        """The pose with its feet held.

        Args:
            arriving: contacts ``[n, C]`` that the plan has ``lead`` seconds from now.
        """
        turned, positions = pose.globals(self._parents)
        toes = positions[:, self.contact_joints]
        if not self._outputs:
            self._sources, self._outputs = [toes] * 3, [toes] * 3
        down = pose.contacts > self.threshold
        self._switch(toes, down, arriving > self.threshold, dt)
        source = np.where(self._held[..., None], self._anchor, toes)
        wanted = source + self._step_offset(dt)
        wanted[..., 1] = np.maximum(wanted[..., 1], self.heights)
        self._sources = [toes, *self._sources[:2]]
        self._outputs = [wanted, *self._outputs[:2]]
        self.locked = self._held & down
        return self._reach(pose, turned, positions, wanted)

    def _step_offset(self, dt: float) -> NDArray[np.float32]:
        before = self._offset
        quick = Offset(before.value, before.velocity, before.acceleration)
        slow = Offset(before.value, before.velocity, before.acceleration)
        quick.step(self.halflife, dt)
        slow.step(self.release_halflife, dt)
        hold = self._held[..., None]
        self._offset = Offset(
            np.where(hold, quick.value, slow.value),
            np.where(hold, quick.velocity, slow.velocity),
            np.where(hold, quick.acceleration, slow.acceleration),
        )
        return self._offset.value

    def _switch(
        self, toes: NDArray[np.float32], down: NDArray[np.bool_], arriving: NDArray[np.bool_], dt: float
    ) -> None:
        away = np.linalg.norm((toes - self._anchor)[..., [0, 2]], axis=-1)
        wanted = down | arriving
        torn = self._held & ((away > self.radius) | self._strained)
        end = torn | (self._held & ~wanted)
        begin = wanted & ~self._held & ~self._barred
        # A foot torn from its anchor stays free until it is next lifted: holding it again at once would stutter.
        self._barred = (self._barred | torn) & wanted
        outputs = np.stack(self._outputs)
        if begin.any():
            coasting = 0.5 * (self.lead + self.halflife) / dt
            landing = outputs[0] + coasting * (outputs[0] - outputs[1])
            landing[..., 1] = self.heights
            self._anchor = np.where(begin[..., None], landing, self._anchor)
            self._offset.restart(begin, outputs - self._anchor, dt)
        if end.any():
            self._offset.restart(end, outputs - np.stack(self._sources), dt)
        self._held = (self._held | begin) & ~end

    def _reach(
        self,
        pose: Pose,
        turned: NDArray[np.float32],
        positions: NDArray[np.float32],
        wanted: NDArray[np.float32],
    ) -> Pose:
        upper, lower, foot = self._legs.T
        toe, parents = self.contact_joints, self.skeleton.parents
        moved = wanted - positions[:, toe]
        longest = np.linalg.norm(positions[:, lower] - positions[:, upper], axis=-1)
        longest = self.reach * (longest + np.linalg.norm(positions[:, foot] - positions[:, lower], axis=-1))
        lift = _heel_lift(wanted, positions[:, foot] - positions[:, toe], positions[:, upper], longest)
        target = wanted + rotations.rotate(lift, positions[:, foot] - positions[:, toe])
        full = longest / self.reach
        self._strained = np.linalg.norm(target - positions[:, upper], axis=-1) > self.strain * full
        bend = _bend_axis(positions[:, upper], positions[:, lower], positions[:, foot])
        bend = bend + _HINGE_SHARE * rotations.rotate(turned[:, upper], self.hinges)
        poles = np.cross(target - positions[:, upper], bend).astype(np.float32)
        new_upper, new_lower = two_bone(
            turned[:, upper], turned[:, lower],
            positions[:, upper], positions[:, lower], positions[:, foot], target, poles, self.softness,
        )  # fmt: skip
        local = pose.local_rotations.copy()
        local[:, upper] = rotations.relative(turned[:, parents[upper]], new_upper)
        # Whatever lies between two joints of the chain turns rigidly with the upper one.
        above_lower = _carried(turned[:, upper], new_upper, turned[:, parents[lower]])
        local[:, lower] = rotations.relative(above_lower, new_lower)
        above_foot = _carried(turned[:, lower], new_lower, turned[:, parents[foot]])
        local[:, foot] = rotations.relative(above_foot, rotations.multiply(lift, turned[:, foot]))
        below = toe != foot
        above_toe = rotations.multiply(lift, turned[:, parents[toe]])
        local[:, toe[below]] = rotations.relative(above_toe, turned[:, toe])[:, below]
        return pose.replace(local_rotations=local)


def _heel_lift(
    toe: NDArray[np.float32], heel: NDArray[np.float32], hip: NDArray[np.float32], longest: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Rotations ``[..., 4]`` about the toe that bring the ankle nearer to a hip that is out of reach, eased in.

    Proportional to what is missing rather than solved exactly: the exact angle has infinite slope where the foot comes in
    line with the leg, and would kick.

    Args:
        toe, hip: positions ``[..., 3]``; heel: from toe to ankle ``[..., 3]``; longest: reach of the leg ``[...]``.
    """
    line = hip - toe
    arm = np.linalg.norm(heel, axis=-1)
    missing = np.linalg.norm(line - heel, axis=-1) - longest
    missing = 0.5 * (missing + np.sqrt(missing**2 + _EASE**2))
    axis = np.cross(heel, line)
    sine = np.linalg.norm(axis, axis=-1) / np.maximum(arm * np.linalg.norm(line, axis=-1), 1e-6)
    angle = missing / np.maximum(arm * np.maximum(sine, 0.4), 1e-3)
    angle = np.where(arm > 1e-3, _MOST_LIFT * np.tanh(angle / _MOST_LIFT) * np.minimum(sine / 0.4, 1), 0)
    return rotations.from_axis_angle(
        rotations.normalize_vector(axis.astype(np.float32)), angle.astype(np.float32)
    )


def _bend_axis(
    upper: NDArray[np.float32], lower: NDArray[np.float32], foot: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Normals ``[..., 3]`` of the planes of legs, as long as the sine of the knee's bend."""
    thigh, shin = rotations.normalize_vector(lower - upper), rotations.normalize_vector(foot - lower)
    return np.cross(thigh, shin)


def knee_hinges(
    skeleton: Skeleton, global_rotations: NDArray[np.float32], global_positions: NDArray[np.float32]
) -> NDArray[np.float32]:
    """The axis ``[C, 3]`` about which each knee bends, in the frame of the upper leg, seen from poses.

    Args:
        global_rotations, global_positions: ``[F, J, 4]`` and ``[F, J, 3]`` of poses with bent knees among them.
    """
    axes = []
    for leg in require_biped(skeleton).legs:
        joints = (leg.upper, leg.lower, leg.foot)
        bend = _bend_axis(*(global_positions[:, joint] for joint in joints))
        axes.append(rotations.inverse_rotate(global_rotations[:, leg.upper], bend).mean(axis=0))
    return rotations.normalize_vector(np.stack(axes).astype(np.float32), (1.0, 0.0, 0.0))


def _carried(
    before: NDArray[np.float32], after: NDArray[np.float32], rider: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Where a rigid rider's rotation goes when ``before`` becomes ``after``, all ``[..., 4]`` in the world."""
    return rotations.multiply(after, rotations.relative(before, rider))
