"""Foot lock: a foot in contact stays where it came down, and lets go without a jump.

Each foot follows one of two sources: the pose's own toe, or the anchor where it came down. A change of source is
inertialised, so velocity and acceleration stay continuous; the leg then reaches the result by analytic two-bone IK, the foot
keeping its orientation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema import rotations, springs
from kinema.control.inertialise import Offset
from kinema.control.pose import Pose
from kinema.ik.two_bone import two_bone
from kinema.roles import require_biped
from kinema.skeleton import Skeleton


_HINGE_SHARE = 0.15
"""Weight of the knee's own hinge beside the plane of the leg, which a straight leg does not have."""
_EASE = 0.01
"""Metres over which the hips' sinking is eased in."""


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
        drop: metres by which the hips may sink to let a held foot be reached; beyond it the foot lets go.
        reach: share of the leg's length that a foot may take; sink_halflife: seconds, of the hips' way down.
        threshold: contact value above which a foot counts as down.
    """

    skeleton: Skeleton
    contact_joints: NDArray[np.int32]
    heights: NDArray[np.float32]
    hinges: NDArray[np.float32]
    halflife: float = 0.04
    release_halflife: float = 0.1
    lead: float = 0.05
    radius: float = 0.2
    drop: float = 0.08
    reach: float = 0.995
    sink_halflife: float = 0.03
    threshold: float = 0.5

    def __post_init__(self) -> None:
        roles = require_biped(self.skeleton)
        self._legs = np.asarray([[leg.upper, leg.lower, leg.foot] for leg in roles.legs])
        self._hips = roles.hips
        self._parents = self.skeleton.parents.tolist()
        self.reset(1)

    def reset(self, count: int) -> None:
        """Let go of everything, for ``count`` characters."""
        feet = len(self.contact_joints)
        self.locked = np.zeros((count, feet), np.bool_)
        self._held = np.zeros((count, feet), np.bool_)
        self._barred = np.zeros((count, feet), np.bool_)
        self._anchor = np.zeros((count, feet, 3), np.float32)
        self._offset = Offset.zeros((count, feet, 3))
        self._sunk = np.zeros(count, np.float32)
        self._sinking = np.zeros(count, np.float32)
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
        sunk = self._sink(positions, wanted - toes, dt)
        positions = positions - sunk[:, None, None] * np.float32([0, 1, 0])
        pose = self._lower(pose, turned, sunk)
        return self._reach(pose, turned, positions, wanted - positions[:, self.contact_joints])

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
        torn = self._held & (away > self.radius)
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

    def _sink(
        self, positions: NDArray[np.float32], moved: NDArray[np.float32], dt: float
    ) -> NDArray[np.float32]:
        """How far ``[n]`` the hips go down so that both feet are within reach; never with a kink over time."""
        upper, lower, foot = self._legs.T
        length = np.linalg.norm(positions[:, lower] - positions[:, upper], axis=-1)
        length = self.reach * (length + np.linalg.norm(positions[:, foot] - positions[:, lower], axis=-1))
        line = positions[:, upper] - (positions[:, foot] + moved)
        level = np.sqrt(np.maximum(length**2 - line[..., 0] ** 2 - line[..., 2] ** 2, (0.5 * length) ** 2))
        short = (line[..., 1] - level).max(-1)
        needed = 0.5 * (short + np.sqrt(short**2 + _EASE**2))
        needed = self.drop * np.tanh(needed / self.drop)
        self._sunk, self._sinking = springs.spring(self._sunk, self._sinking, needed, self.sink_halflife, dt)
        return self._sunk

    def _lower(self, pose: Pose, turned: NDArray[np.float32], sunk: NDArray[np.float32]) -> Pose:
        parent = self._parents[self._hips]
        above = turned[:, parent] if parent >= 0 else pose.root_rotations
        down = rotations.inverse_rotate(above, sunk[:, None] * np.float32([0, -1, 0]))
        translations = pose.local_translations.copy()
        translations[:, self._hips] += down
        return pose.replace(local_translations=translations)

    def _reach(
        self,
        pose: Pose,
        turned: NDArray[np.float32],
        positions: NDArray[np.float32],
        moved: NDArray[np.float32],
    ) -> Pose:
        upper, lower, foot = self._legs.T
        target = positions[:, foot] + moved
        bend = _bend_axis(positions[:, upper], positions[:, lower], positions[:, foot])
        bend = bend + _HINGE_SHARE * rotations.rotate(turned[:, upper], self.hinges)
        poles = np.cross(target - positions[:, upper], bend)
        new_upper, new_lower = two_bone(
            turned[:, upper], turned[:, lower],
            positions[:, upper], positions[:, lower], positions[:, foot], target, poles.astype(np.float32),
        )  # fmt: skip
        local = pose.local_rotations.copy()
        parents = self.skeleton.parents
        local[:, upper] = rotations.relative(turned[:, parents[upper]], new_upper)
        # Whatever lies between two joints of the chain turns rigidly with the upper one.
        above_lower = _carried(turned[:, upper], new_upper, turned[:, parents[lower]])
        local[:, lower] = rotations.relative(above_lower, new_lower)
        above_foot = _carried(turned[:, lower], new_lower, turned[:, parents[foot]])
        local[:, foot] = rotations.relative(above_foot, turned[:, foot])
        return pose.replace(local_rotations=local)


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
