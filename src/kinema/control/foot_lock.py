"""Foot lock: a foot in contact stays where it came down, and lets go without a jump.

Each foot follows one of two sources: the pose's own toe, or the anchor where it came down. A change of source is
inertialised, so velocity and acceleration stay continuous; the leg then reaches the result by analytic two-bone IK, the
foot keeping its orientation unless the heel must be lifted to be in reach.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema.control.ground import Ground
from kinema.control.inertialise import Offset
from kinema.control.leg_reach import Limits, reach_toes
from kinema.control.membership import carried
from kinema.pose import Pose
from kinema.skeleton import Skeleton


@dataclass
class FootLock:
    """The stage. One instance serves one controller.

    Attributes:
        skeleton: of the poses.
        legs: `[C, 4]`: upper, lower, foot and toe joint of each leg; see `kinema.control.leg_reach.find_legs`. The toe
            is held.
        heights: `[C]`, metres: how high the toe is above the ground in stance.
        hinges: `[C, 3]`: axis about which each knee bends, unit, in the frame of the upper leg; see
            `kinema.control.leg_reach.knee_hinges`.
        ahead: contacts `[n, C]` that the plan has some seconds from now; None knows only the present ones.
        halflife: seconds, of the change onto an anchor; release_halflife: of the change off it.
        lead: seconds before contact at which a foot begins to settle, so that it is at rest when it is down.
        radius: metres between the pose's toe and the anchor at which the foot lets go.
        settled: speed, m/s, below which a foot that had to let go is held again.
        reach: share of the leg's length that a leg may take; beyond it the heel is lifted about the toe.
        strain: share of the leg's length beyond which a held foot lets go.
        softness: share of the leg's length over which full extension is eased into.
        threshold: contact value above which a foot counts as down.
    """

    skeleton: Skeleton
    legs: NDArray[np.int64]
    heights: NDArray[np.float32]
    hinges: NDArray[np.float32]
    ahead: Callable[[float], NDArray[np.float32]] | None = None
    halflife: float = 0.026
    release_halflife: float = 0.2
    lead: float = 0.034
    radius: float = 0.3
    settled: float = 0.3
    reach: float = 0.98
    softness: float = 0.03
    strain: float = 1.0
    threshold: float = 0.5

    def __post_init__(self) -> None:
        self._toes = self.legs[:, 3]
        self.reset(1)

    def reset(self, count: int) -> None:
        """Let go of everything, for `count` characters."""
        feet = len(self.legs)
        self.locked = np.zeros((count, feet), np.bool_)
        self._held = np.zeros((count, feet), np.bool_)
        self._barred = np.zeros((count, feet), np.bool_)
        self._strained = np.zeros((count, feet), np.bool_)
        self._anchor = np.zeros((count, feet, 3), np.float32)
        self._offset = Offset.zeros((count, feet, 3))
        self._sources = [np.zeros((count, feet, 3), np.float32)] * 3
        self._outputs = [np.zeros((count, feet, 3), np.float32)] * 3
        self._new = np.ones(count, np.bool_)

    def select(self, keep: NDArray[np.integer], added: int) -> None:
        """Go on with the characters `keep`, in that order, and `added` new ones that hold nothing."""
        self.locked = carried(self.locked, keep, added)
        self._held = carried(self._held, keep, added)
        self._barred = carried(self._barred, keep, added)
        self._strained = carried(self._strained, keep, added)
        self._anchor = carried(self._anchor, keep, added)
        self._offset.select(keep, added)
        self._sources = [carried(toes, keep, added) for toes in self._sources]
        self._outputs = [carried(toes, keep, added) for toes in self._outputs]
        self._new = carried(self._new, keep, added, True)

    def apply(self, pose: Pose, ground: Ground, dt: float) -> Pose:
        """The poses with their feet held; see `kinema.control.stage.Stage`."""
        arriving = pose.contacts if self.ahead is None else self.ahead(self.lead)
        toes = pose.global_positions[:, self._toes]
        if self._new.any():  # as if they had stood here before
            new = self._new[:, None, None]
            self._sources = [np.where(new, toes, old) for old in self._sources]
            self._outputs = [np.where(new, toes, old) for old in self._outputs]
            self._new[:] = False
        down = pose.contacts > self.threshold
        self._switch(toes, down, arriving > self.threshold, ground, dt)
        source = np.where(self._held[..., None], self._anchor, toes)
        wanted = source + self._step_offset(dt)
        wanted[..., 1] = np.maximum(wanted[..., 1], ground.height(wanted) + self.heights)
        self._sources = [toes, *self._sources[:2]]
        self._outputs = [wanted, *self._outputs[:2]]
        self.locked = self._held & down
        limits = Limits(self.reach, self.strain, self.softness)
        reached, self._strained = reach_toes(pose, wanted, self.legs, self.hinges, limits)
        return reached

    def _step_offset(self, dt: float) -> NDArray[np.float32]:
        halflife = np.where(self._held[..., None], np.float32(self.halflife), np.float32(self.release_halflife))
        return self._offset.step(halflife, dt)

    def _switch(
        self,
        toes: NDArray[np.float32],
        down: NDArray[np.bool_],
        arriving: NDArray[np.bool_],
        ground: Ground,
        dt: float,
    ) -> None:
        away = np.hypot(toes[..., 0] - self._anchor[..., 0], toes[..., 2] - self._anchor[..., 2])
        wanted = down | arriving
        torn = self._held & ((away > self.radius) | self._strained)
        end = torn | (self._held & ~wanted)
        begin = wanted & ~self._held & ~self._barred
        # A foot torn from its anchor stays free until it is lifted or comes to rest: holding it at once would stutter.
        speed = np.linalg.norm(self._outputs[0] - self._outputs[1], axis=-1) / dt
        self._barred = (self._barred | torn) & wanted & (torn | self._strained | (speed > self.settled))
        if begin.any():
            coasting = 0.5 * (self.lead + self.halflife) / dt
            landing = self._outputs[0] + coasting * (self._outputs[0] - self._outputs[1])
            landing[..., 1] = ground.height(landing) + self.heights
            self._anchor = np.where(begin[..., None], landing, self._anchor)
            self._offset.restart(begin, np.stack(self._outputs) - self._anchor, dt)
        if end.any():
            self._offset.restart(end, np.stack(self._outputs) - np.stack(self._sources), dt)
        self._held = (self._held | begin) & ~end
