"""Foot lock: holds a foot in contact where it came down, and lets it step when it can stay there no longer.

Each foot follows one of two sources: the toe of the pose, or the anchor where the foot stands. A change of source or
anchor is inertialised, so velocity and acceleration stay continuous. The leg then reaches the result by analytic
two-bone IK. The foot keeps its orientation unless the heel must be lifted for the toe to reach its target.

Feet come down where the command will have the body over them in mid-stance. On uneven ground they rise before an edge
and land where their soles find room, tilted as the ground is (`soles`).

A plan that is dragged by its root slides its standing feet. Then the hips sink to reach the anchor (`HipDrop`), and a
foot that can reach it no longer steps to a new one, one foot at a time. Feet that travel are lifted (`Clearance`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema import rotations, springs
from kinema.arrays import Bools, Ints, Singles
from kinema.control import footfall_kernels
from kinema.control.family import Moment
from kinema.control.footfall import Clearance, HipDrop, level
from kinema.control.inertialise import Offset
from kinema.control.leg_limits import Footing, Limits
from kinema.control.leg_reach import reach_toes
from kinema.control.membership import PerCharacter
from kinema.control.soles import Rise, Soles
from kinema.control.trajectory import Trajectory
from kinema.pose import Pose
from kinema.skeleton import Skeleton
from kinema.terrain import VOID, Ground, Plane, is_void

_OVER = 0.08  # height at which feet pass over edges, metres
_FOLDED = 0.5  # share of a leg's length below the hip, up to which a foot is lifted over ground: to the knee
_TILTING = 0.06  # half-life with which feet tilt, seconds
_BENDING = 15.0  # fastest turn of heels and tips of feet out of the ground, radians a second
_STRAIGHTENING = 0.05  # half-life with which heels and tips of feet that were lifted return, seconds
_STEEPEST = 0.6  # slope of ground to which heels and tips of feet are turned
_SUNK = 0.005  # metres that soles may be in the ground, as poses are measured


@dataclass
class FootLock(PerCharacter):
    """The foot lock stage. One instance serves one controller.

    Attributes:
        skeleton: skeleton of the poses.
        legs: `[C, 4]`: upper, lower, foot and toe joint of each leg; see `kinema.mocap.legs.find_legs`. The toe
            is held.
        heights: `[C]`, metres: height of the toe above the ground in stance.
        hinges: `[C, 3]`: axis about which each knee bends, unit, in the frame of the upper leg; see
            `kinema.control.leg_reach.knee_hinges`.
        ahead: returns the plans some seconds from now; None uses only the current contacts.
        size: of the body, relative to an adult. Settings in metres and m/s are multiplied by it.
        tempo: of its steps: the time of one over that of an adult's. Settings in seconds are multiplied by it.
        halflife: half-life of the change onto an anchor, seconds. release_halflife: of the change off it.
            step_halflife: of a step to a new anchor.
        lead: seconds before contact at which a foot begins to settle, so that it is at rest when it touches down.
        aim: seconds before contact at which a foot begins to head for the place where it should stand.
        sidestep: longest way to a place with room for a sole on uneven ground, metres.
        stance: typical time of a foot on the ground, seconds. Feet come down where the trajectory will have them in the
            middle of that time.
        trajectory: the simulated objects that the characters follow; None leaves feet where the plan puts them.
        radius: distance between the toe of the pose and the anchor at which the foot steps, if another foot stands,
            metres.
        airborne: height of the toe of the pose above its stance from which on a foot is not held, metres.
        arrived: distance from its anchor within which a foot stands, metres. It is locked if its leg brings it closer
            than a quarter of that.
        reach: fraction of its length that a leg may take. Beyond it the heel is lifted about the toe. A foot that is
            still out of reach, and that the body leaves behind, steps.
        softness: fraction of the leg's length over which full extension is eased into.
        threshold: contact value above which a foot counts as down.
        adapted: whether plans follow the ground by themselves. Then their feet are not raised and lowered with it: they
            are only kept out of it.
        ends: heel and tip of the soles, which are turned out of the ground; see `kinema.control.leg_reach.sole_ends`.
        clearance, hips: the parts of `kinema.control.footfall`.
        locked: feet `[n, C]` that stand and are held.
    """

    skeleton: Skeleton
    legs: Ints
    heights: Singles
    hinges: Singles
    ahead: Callable[[float], Moment] | None = None
    size: float = 1.0
    tempo: float = 1.0
    halflife: float = 0.026
    release_halflife: float = 0.2
    step_halflife: float = 0.1
    lead: float = 0.034
    aim: float = 0.25
    sidestep: float = 0.16
    stance: float = 0.4
    trajectory: Trajectory | None = None
    radius: float = 0.3
    airborne: float = 0.15
    arrived: float = 0.02
    reach: float = 0.98
    softness: float = 0.03
    threshold: float = 0.5
    adapted: bool = False
    ends: Singles | None = None
    hips: HipDrop = field(default_factory=HipDrop)
    locked: Bools = field(init=False, repr=False)
    _held: Bools = field(init=False, repr=False)
    _standing: Bools = field(init=False, repr=False)
    _stepping: Bools = field(init=False, repr=False)
    _short: Singles = field(init=False, repr=False)
    _shorter: Singles = field(init=False, repr=False)
    _bends: Singles = field(init=False, repr=False)
    _new: Bools = field(init=False, repr=False)
    _anchor: Singles = field(init=False, repr=False)
    _normal: Singles = field(init=False, repr=False)
    _tilt: Singles = field(init=False, repr=False)
    _shift: Singles = field(init=False, repr=False)
    _shift_rate: Singles = field(init=False, repr=False)
    _aimed: Singles = field(init=False, repr=False)
    _aiming: Bools = field(init=False, repr=False)
    _sources: Singles = field(init=False, repr=False)
    _outputs: Singles = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.clearance, self.rise = Clearance(len(self.legs)), Rise(len(self.legs))
        self.soles = Soles.of(self.skeleton, self.legs, self.size)
        self._toes = self.legs[:, 3]
        self._coming: list[tuple[Singles, Singles, Bools]] = []  # hips, feet and contacts of the near future
        self._roots = np.flatnonzero(self.skeleton.parents < 0)
        rest = self.skeleton.rest_pose.global_positions[self.legs]  # [C, 4, 3]
        bones = np.linalg.norm(np.diff(rest, axis=1), axis=-1)
        # Lifted heels add most of the foot to the reach of a leg. Hips that sink earlier walk in a crouch.
        self._reach = (self.reach * bones[:, :2].sum(axis=1) + 0.8 * bones[:, 2]).astype(np.float32)
        self.reset(1)

    def fresh(self, count: int) -> dict[str, NDArray[Any]]:
        """See `PerCharacter`."""
        feet = len(self.legs)
        states = ("locked", "_held", "_standing", "_stepping", "_aiming")
        vectors = ("_anchor", "_shift", "_shift_rate", "_aimed")
        up = np.zeros((count, feet, 3), np.float32)
        up[..., 1] = 1
        return {
            **{name: np.zeros((count, feet), np.bool_) for name in states},
            **{name: np.zeros((count, feet, 3), np.float32) for name in vectors},
            "_normal": up,
            "_tilt": up.copy(),
            "_short": np.zeros((count, feet), np.float32),
            "_shorter": np.zeros((count, feet), np.float32),
            "_bends": np.zeros((count, feet, 2), np.float32),
            "_new": np.ones(count, np.bool_),
            "_sources": np.zeros((count, 3, feet, 3), np.float32),
            "_outputs": np.zeros((count, 3, feet, 3), np.float32),
        }

    def reset(self, count: int) -> None:
        """Restart with `count` characters, all feet released."""
        super().reset(count)
        self._offset = Offset.zeros((count, len(self.legs), 3))
        for part in (self.clearance, self.rise, self.hips):
            part.reset(count)

    def select(self, keep: NDArray[np.integer], added: int) -> None:
        """Keep the characters `keep`, in that order, and add `added` new ones with all feet released."""
        super().select(keep, added)
        self._offset.select(keep, added)
        for part in (self.clearance, self.rise, self.hips):
            part.select(keep, added)

    def apply(self, pose: Pose, ground: Ground, dt: float) -> Pose:
        """The poses with their feet locked; see `kinema.control.stage.Stage`."""
        down = pose.contacts > self.threshold
        arriving = down if self.ahead is None else self.ahead(self.tempo * self.lead).pose.contacts > self.threshold
        pose = self._lowered(pose)
        toes = pose.global_positions[:, self._toes] + self._drop()
        uneven, self._coming = not isinstance(ground, Plane), []
        base = self._floor(toes, ground) if self.adapted else pose.root_positions[:, None, 1]
        above_plan = toes[..., 1] - base - self.heights
        toes = self._aim(pose, toes, ground, dt)
        if uneven:
            self._anchor = (self._anchor + dt * ground.velocity(self._anchor)).astype(np.float32)
            toes = self._raised(toes, above_plan, pose, ground, dt)
        if self._new.any():
            self._begin(toes)
        planned = (toes - self._sources[:, 0]) / dt
        low = above_plan < self.size * self.airborne
        self._switch(pose, toes, low & (down | arriving), ground, dt)
        wanted = self._follow(toes, dt)
        drawn = (wanted - self._outputs[:, 0]) / dt
        lift = self.clearance.step(drawn, planned, self._standing, self.size, dt / self.tempo)
        if uneven:
            floor = np.where(self._held & ~self._stepping, self._anchor[..., 1], self._crossed(pose) + self.heights)
        else:
            floor = ground.height(wanted) + self.heights
        footfall_kernels.keep_above(wanted, floor, lift)
        self._sources = np.concatenate([toes[:, None], self._sources[:, :2]], axis=1)
        self._outputs = np.concatenate([wanted[:, None], self._outputs[:, :2]], axis=1)
        upper = pose.global_positions[:, self.legs[:, 0]] + self._drop()
        self.hips.step([(upper, wanted, self._standing), *self._coming], self._reach, self.size, dt / self.tempo)
        limits = Limits(self.reach, self.softness, _BENDING / self.tempo * dt)
        tilts, footing = self._tilts(uneven, dt), self._footing(pose, wanted, ground, dt)
        self._shorter = self._short
        reached, self._short = reach_toes(pose, wanted, self.legs, self.hinges, limits, tilts, footing)
        off = np.maximum(wanted[..., 1] - self._anchor[..., 1], self._short)
        self.locked = self._standing & down & (off < 0.25 * self.size * self.arrived)
        return reached

    def _aim(self, pose: Pose, toes: Singles, ground: Ground, dt: float) -> Singles:
        """The toes of the poses, moved to where feet that will soon come down should stand."""
        if self.ahead is None:
            return toes
        aim = self.tempo * self.aim
        moment = self.ahead(aim)
        soon = (moment.pose.contacts > self.threshold) & ~self._held
        aimed = np.zeros_like(toes)
        if soon.any():
            aimed += self._slip(pose, moment)
        if not isinstance(ground, Plane):
            aimed = aimed + self._with_room(pose, moment, soon, aimed, ground)
        self._aiming = soon | (self._aiming & self._held)
        states, damping = (self._shift, self._shift_rate), springs.damping(0.3 * aim)
        return footfall_kernels.aim(states, soon, aimed, toes, damping, dt)

    def _slip(self, pose: Pose, moment: Moment) -> Singles:
        """How far `[n, 1, 3]` the characters will be from their plans when feet that land soon are in mid-stance."""
        if self.trajectory is None:
            return np.zeros((len(pose.root_positions), 1, 3), np.float32)
        time = self.tempo * (self.aim + 0.5 * self.stance)
        travel, most = self.trajectory.travel(time), self.size * self.radius
        return footfall_kernels.slip(travel, pose.root_rotations, moment.root_velocities, time, most)

    def _with_room(self, pose: Pose, moment: Moment, soon: Bools, aimed: Singles, ground: Ground) -> Singles:
        """Ways `[n, C, 3]` from where feet will come down to where soles find room, fixed when a foot takes aim."""
        aim = self.tempo * self.aim
        turns = rotations.from_yaw(rotations.yaw(pose.root_rotations) + aim * moment.root_turns)
        travel = rotations.rotate(pose.root_rotations, aim * moment.root_velocities)
        there = moment.pose.replace(root_positions=pose.root_positions + travel, root_rotations=turns)
        landing = there.global_positions[:, self._toes] + aimed
        begin = soon & ~self._aiming
        if begin.any():
            room = self.soles.room(landing, self.soles.directions(there), ground, self.size * self.sidestep)
            self._aimed = np.where(begin[..., None], room - landing, self._aimed)
        target = landing + self._aimed * soon[..., None]
        target[..., 1] = self._floor(target, ground) + self.heights
        self._coming = [(there.global_positions[:, self.legs[:, 0]], target, soon & (target[..., 1] > VOID))]
        return self._aimed

    def _raised(self, toes: Singles, above_plan: Singles, pose: Pose, ground: Ground, dt: float) -> Singles:
        """The toes at the height of the ground that feet travel over; those of adapted plans are there."""
        new = self._new[:, None, None]
        if self._new.any():
            self.rise.height = np.where(self._new[:, None], self._floor(toes, ground), self.rise.height)
        drawn, before = (np.where(new, toes, output) for output in (self._outputs[:, 0], self._outputs[:, 1]))
        anchors = np.where(self._held, self._anchor[..., 1] - self.heights, np.float32(VOID))
        self.rise.step(drawn, ((drawn - before) / dt).astype(np.float32), self._standing, anchors, ground, dt)
        if self.adapted:
            return toes
        climb = self._crossed(pose) - pose.root_positions[:, None, 1]
        spare = np.maximum(above_plan - self.size * _OVER, 0)  # what the plan lifts the foot counts for the climb
        toes = toes.copy()
        toes[..., 1] += np.where(climb > 0, np.maximum(climb - spare, 0), climb)
        return toes

    def _crossed(self, pose: Pose) -> Singles:
        """Heights `[n, C]` of the ground that feet travel over, up to where a folded leg can lift them."""
        hips = pose.global_positions[:, self.legs[:, 0], 1] + self.hips.depth[:, None]
        return np.minimum(self.rise.height, hips - _FOLDED * self._reach)

    def _floor(self, points: Singles, ground: Ground) -> Singles:
        """Heights `[n, C]` of the ground under points; where there is none, of the ground over which feet travel."""
        heights = ground.height(points)
        return np.where(is_void(heights), self.rise.height, heights)

    def _footing(self, pose: Pose, toes: Singles, ground: Ground, dt: float) -> Footing | None:
        """Soles of feet that are moved to `toes` `[n, C, 3]`, and the ground under them.

        Where it is much higher or lower than under the ball there is an edge between, and the height under the ball is
        taken: nobody bends a foot around an edge.
        """
        if self.ends is None:
            return None
        floors = np.repeat(ground.height(toes)[..., None], 2, axis=-1)
        if not isinstance(ground, Plane):
            joints, balls = self.legs[:, 2:], pose.global_positions[:, self._toes, None]
            ends = rotations.rotate(pose.global_rotations[:, joints], self.ends[:, :, 0])
            away = pose.global_positions[:, joints] + ends - balls
            under = ground.height(toes[:, :, None] + away)
            floors = np.where(np.abs(under - floors) < _STEEPEST * level(away), under, floors)
        self._bends *= springs.kept(_STRAIGHTENING, dt / self.tempo)
        return Footing(self.ends, floors - self.size * _SUNK, self._bends)

    def _tilts(self, uneven: bool, dt: float) -> Singles | None:
        """Rotations `[n, C, 4]` of the feet, eased to the normals of the ground; None if all are level."""
        if uneven:
            self._tilt = rotations.normalize_vector(
                springs.approach(self._tilt, self._normal, self.tempo * _TILTING, dt)
            )
        elif (self._tilt[..., 1] == 1).all():
            return None
        return rotations.between(np.array([0, 1, 0], np.float32), self._tilt)

    def _drop(self) -> Singles:
        """How far the hips have sunk, as vectors `[n, 1, 3]` that undo it."""
        return self.hips.depth[:, None, None] * np.array([0, 1, 0], np.float32)

    def _lowered(self, pose: Pose) -> Pose:
        """The poses with their hips lowered."""
        if not self.hips.depth.any():
            return pose
        translations = pose.local_translations.copy()
        translations[:, self._roots, 1] -= self.hips.depth[:, None]
        return pose.replace(local_translations=translations)

    def _begin(self, toes: Singles) -> None:
        """Give new characters a past at rest where they are."""
        past = self._new[:, None, None, None]
        self._sources = np.where(past, toes[:, None], self._sources)
        self._outputs = np.where(past, toes[:, None], self._outputs)
        self._new = np.zeros_like(self._new)

    def _follow(self, toes: Singles, dt: float) -> Singles:
        """Where feet are wanted `[n, C, 3]`: at their anchors or with the pose, or on the way from one to the other."""
        halflives = (self.halflife, self.step_halflife, self.release_halflife)
        held, step, release = (springs.triple_damping(self.tempo * halflife) for halflife in halflives)
        offset = self._offset.value, self._offset.velocity, self._offset.acceleration
        wanted, self._standing = footfall_kernels.follow(
            offset,
            self._held,
            self._stepping,
            self._anchor,
            toes,
            (held, step, release),
            self.size * self.arrived,
            dt,
        )
        return wanted

    def _switch(self, pose: Pose, toes: Singles, wanted: Bools, ground: Ground, dt: float) -> None:
        """Hold feet that come down, let go of feet that leave the ground, and let feet step that cannot stay."""
        begin, end = wanted & ~self._held, self._held & ~wanted
        radius = self.size * self.radius
        left = self._short > np.maximum(self._shorter, 0)  # a foot ahead of the body is soon in reach again
        step = footfall_kernels.tired(self._standing, self.locked, left, wanted, toes, self._anchor, radius)
        landed = begin | step
        now, before = self._outputs[:, 0], self._outputs[:, 1]
        if landed.any():
            coasting = now + 0.5 * self.tempo * (self.lead + self.halflife) / dt * (now - before)
            landing = np.where(step[..., None], toes, coasting)
            if not isinstance(ground, Plane):
                directions = self.soles.directions(pose)
                landing = self.soles.room(landing, directions, ground, self.size * self.sidestep)
                normals = self.soles.normals(landing, directions, ground)
                self._normal = np.where(landed[..., None], normals, self._normal)
            landing[..., 1] = self._floor(landing, ground) + self.heights
            self._anchor = np.where(landed[..., None], landing, self._anchor)
            self._offset.restart(landed, (self._outputs.swapaxes(0, 1) - self._anchor)[:, landed], dt)
            self._stepping = (self._stepping & ~begin) | step
        if end.any():
            self._offset.restart(end, (self._outputs - self._sources).swapaxes(0, 1)[:, end], dt)
        self._held = (self._held | begin) & ~end
