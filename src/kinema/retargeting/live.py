"""Live retargeting: transfers poses to another skeleton one by one, without a clip and without state between calls.

Rotations are transferred in closed form, as for whole clips. The end of a leg goes to the position of the source's
foot, scaled to the size of the target, plus a constant offset that rotates with the source's foot. So if the source
holds a foot still, the target does too, whatever its build. The offset and the height of the source's ground are
measured beforehand, in sample motions of the source. The hinges of robots cannot take every pose. Robots get the
nearest pose that is possible, by least squares.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.arrays import Indices, Singles
from kinema.errors import SkeletonError
from kinema.ik import Coordinates, full_body
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.retargeting.limbs import Limb
from kinema.retargeting.refine import Weights, ancestors_of, goals_of
from kinema.retargeting.retargeter import Retargeter
from kinema.skeleton import Skeleton

if TYPE_CHECKING:
    from kinema.retargeting.live_kernels import Hips, Joints, Legs


ITERATIONS = 4  # of the hinge solver, which starts from the pose without hinges; more iterations change little
_MOST_LOWERED = 0.4  # largest correction of the height of the hips, as a share of the leg's height
_UP: Singles = np.array([0, 1, 0], np.float32)


class Live:
    """A pair of skeletons, ready for poses of the source.

    Attributes:
        setup: the pair. target: the skeleton of the resulting poses. scale: size of the target relative to the source.

    Args:
        setup: the pair.
        motions: samples of the source, similar to what will follow; a few seconds are enough. They show the height of
            the ground.

    Raises:
        SkeletonError: no leg of the target follows one of the source, or `motions` are empty or have different joints.
    """

    def __init__(self, setup: Retargeter, motions: Sequence[Motion]) -> None:
        require_legs(setup)
        if not any(motion.frames for motion in motions):
            raise SkeletonError("live retargeting needs sample motion of the source in advance, and there is none")
        for motion in motions:
            if not motion.skeleton.same_topology(setup.source):
                raise SkeletonError(
                    f"motion {motion.name!r} has different joints from the skeleton this was set up for"
                )
        self.setup, self.target, self.scale = setup, setup.target, setup.scale
        grounds, offsets, lift = self._calibrated(motions)
        self._constants = self._joints(), self._hips(lift), self._legs(grounds, offsets)
        self._coordinates: Coordinates | None = None

    def pose(self, source: Pose) -> Pose:
        """Poses `[n]` of the target for poses `[n]` of the source.

        Both are relative to the root frame. Its Y axis points up, and its ground has the height that it has in the
        sample motions. Joints above the target's hips keep their rest pose in that frame. The travel of the root frame
        is scaled to the size of the target.
        """
        from kinema.retargeting.live_kernels import SourcePoses, TargetPoses, follow  # numba loads on first use

        turns = np.ascontiguousarray(source.model_rotations, np.float32)
        places = np.ascontiguousarray(source.model_positions, np.float32)
        local = self.setup.local_rotations(turns)
        translations, positions = np.empty((2, *local.shape[:2], 3), np.float32)
        follow(
            SourcePoses(turns, places),
            TargetPoses(local, translations, np.empty_like(local), positions),
            *self._constants,
        )
        if self.target.hinges:
            model = Pose.from_model(self.setup.source, turns, places)
            found = self._on_hinges(model, Pose(self.target, local, translations))
            local, translations = found.local_rotations, found.local_translations
        return Pose(
            self.target,
            local,
            translations,
            root_positions=np.float32(self.scale) * source.root_positions,
            root_rotations=source.root_rotations,
            contacts=source.contacts,
        )

    def _on_hinges(self, source: Pose, found: Pose) -> Pose:
        """The nearest poses that the target's hinges can take: feet first, then hands and trunk."""
        skeleton, weights = self.target, Weights()
        stands = np.ones(len(found), np.bool_)  # feet have the same weight in every pose; otherwise they would jump
        goals = goals_of(self.setup, source, found, found, [stands] * len(self.setup.legs), weights, 1.0)
        if self._coordinates is None:
            hinged = {hinge.joint for hinge in skeleton.hinges}
            stay = np.full(skeleton.joint_count, weights.stay)
            stay[list(hinged)] = weights.stay_hinge
            moving = sorted(ancestors_of(skeleton, goals) | hinged)
            self._coordinates = Coordinates.of(skeleton, moving, [self.setup.body], stay)
        return full_body(found, goals, self._coordinates, iterations=ITERATIONS, follow=False).pose

    def _calibrated(self, motions: Sequence[Motion]) -> tuple[Singles, Singles, float]:
        """Measured in the motions: the height of the source's ground for each leg `[L]`, the offset from the source's
        foot to the target's `[L, 3]`, and how far to raise the hips so that the feet stand on the ground."""
        setup = self.setup
        grounds, lifts = [], []
        offsets: list[list[Singles]] = [[] for _ in setup.legs]
        heights: list[list[Singles]] = [[] for _ in setup.legs]
        for motion in motions:
            source = motion[:]
            states = setup.contacts(source, motion.fps)
            local = setup.local_rotations(source.global_rotations)
            target = setup.pose(local, setup.hips(source, states))
            grounds.append([state.ground for state in states])
            lifts.append([setup.lift(index, states[index].ground) for index in setup.tops])
            for leg, (pair, state) in enumerate(zip(setup.legs, states, strict=True)):
                own = pair.target.path(target)
                heading = self._heading(source.global_rotations[:, pair.source.touch], pair.source)
                offset = rotations.inverse_rotate(heading, own - self.scale * pair.source.path(source))
                offsets[leg].append(offset[state.stands])
                above = own[:, 1] - pair.clearance - np.maximum(state.heights, 0.0)
                heights[leg].append(above[state.stands])
        most = [_MOST_LOWERED * pair.target.top for pair in setup.legs]
        lowered = np.mean([_median(each, 1.0, limit) for each, limit in zip(heights, most, strict=True)])
        lift = float(np.mean(lifts)) if setup.tops else 0.0
        asides = [_median(each, np.array([1, 0, 1], np.float32)) for each in offsets]
        return np.median(grounds, axis=0).astype(np.float32), np.array(asides, np.float32), lift - float(lowered)

    def _heading(self, turns: Singles, leg: Limb) -> Singles:
        """The heading of a source's foot relative to the standing pose, as rotations `[F, 4]` about +Y."""
        stood = self.setup.bodies[0].standing.rotations[leg.touch]
        return rotations.swing_twist(rotations.multiply(turns, rotations.inverse(stood)), _UP)[1]

    def _joints(self) -> Joints:
        from kinema.retargeting import live_kernels

        setup, skeleton = self.setup, self.target
        joints = skeleton.joint_count
        kinds = np.full(joints, live_kernels.NORMAL, np.int32)
        leaders = np.full(joints, -1, np.int32)
        offsets, turns = np.zeros((joints, 3), np.float32), np.zeros((joints, 4), np.float32)
        kinds[setup.body] = live_kernels.BODY
        for follower in setup.followers:
            kinds[follower.joint] = live_kernels.DETACHED
            leaders[follower.joint], offsets[follower.joint] = follower.leader, follower.offset
            if follower.turn is not None:
                kinds[follower.joint], turns[follower.joint] = live_kernels.CARRIED, follower.turn
        order = _order(skeleton.parents, leaders)
        return live_kernels.Joints(order, kinds, skeleton.parents, leaders, skeleton.rest_translations, offsets, turns)

    def _hips(self, lift: float) -> Hips:
        from kinema.retargeting.live_kernels import Hips

        setup = self.setup
        link = next((link for link in setup.match.links if link.target == setup.body), None)
        tops, offset = [setup.source.roles.hips], np.zeros(3, np.float32)
        if setup.tops:
            tops, offset = [setup.legs[index].source.upper for index in setup.tops], setup.seat
        driver = -1 if link is None else link.first
        turn = setup.transfer.first[setup.body]
        return Hips(np.asarray(tops, np.int32), driver, turn, offset, float(self.scale), lift)

    def _legs(self, grounds: Singles, offsets: Singles) -> Legs:
        from kinema.retargeting.live_kernels import Legs

        sources, targets = [leg.source for leg in self.setup.legs], [leg.target for leg in self.setup.legs]
        chains = np.asarray([(leg.upper, leg.lower, -1 if leg.end is None else leg.end) for leg in targets], np.int32)
        source_touch = _column(sources, "touch", np.int32)
        return Legs(
            joints=chains,
            parents=np.where(chains >= 0, self.target.parents[chains], -1).astype(np.int32),
            ends=_column(targets, "to_end"),
            touch=_column(targets, "touch", np.int32),
            points=_column(targets, "to_touch"),
            fronts=_column(targets, "front"),
            lengths=_column(targets, "length", np.float64),
            heights=_column(self.setup.legs, "clearance", np.float64),
            source_touch=source_touch,
            source_points=_column(sources, "to_touch"),
            source_rest=self.setup.bodies[0].standing.rotations[source_touch],
            grounds=grounds,
            offsets=offsets,
        )


def _column(rows: Sequence[object], name: str, kind: type = np.float32) -> NDArray[Any]:
    """One attribute of all rows as an array."""
    return np.asarray([getattr(row, name) for row in rows], kind)


def _median(parts: Sequence[Singles], factor: Singles | float, most: float = np.inf) -> Singles:
    """The median over all frames times `factor`, clipped to `most` in both directions; zero without frames."""
    every = np.concatenate(parts)
    if not len(every):
        return np.zeros(every.shape[1:], np.float32)
    return np.clip(np.median(every, axis=0) * factor, -most, most)


def _order(parents: Indices, leaders: Indices) -> Indices:
    """Joints `[J]`, each after its parent and the joint that it follows."""
    order: list[int] = []
    seen: set[int] = set()
    waiting = list(range(len(parents)))
    while waiting:
        ready = [j for j in waiting if {int(parents[j]), int(leaders[j])} <= seen | {-1}]
        if not ready:
            raise SkeletonError("a joint that is detached from the body carries the limb that it follows")
        order += ready
        seen.update(ready)
        waiting = [j for j in waiting if j not in seen]
    return np.asarray(order, np.int32)


def require_legs(setup: Retargeter) -> None:
    """Raises SkeletonError where no leg of the target follows one of the source, and the target would only slide."""
    if not setup.legs:
        raise SkeletonError(f"no leg of {_summary(setup.target)} matches one of {_summary(setup.source)}")


def _summary(skeleton: Skeleton) -> str:
    return f"{', '.join(skeleton.names[:4])}, ... ({skeleton.joint_count} joints)"
