"""Pose after pose onto another skeleton while they are made: no clip is known, and nothing is remembered between calls.

Rotations go over in closed form, as for whole clips. A leg's end goes where the source's foot is in the target's
size, moved by a constant in the direction of the source's foot: a foot that the source holds still is held still,
whatever the two bodies are. That constant, and the height of the source's ground, are learned from some of its motion
beforehand. Robots, whose hinges cannot take every pose, get the nearest one that they can, by least squares.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinema import kinematics, rotations
from kinema.errors import SkeletonError
from kinema.ik.full_body import Coordinates, full_body
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.retargeting import refine
from kinema.retargeting.limbs import Limb
from kinema.retargeting.retargeter import Retargeter
from kinema.retargeting.transfer import transfer_rotations
from kinema.skeleton import Skeleton

if TYPE_CHECKING:
    from kinema.retargeting.live_kernels import Body, Hips, Legs

Floats = NDArray[np.float32]

ITERATIONS = 4  # of the solver for hinges, from the pose without them; further ones change little
_MOST_LOWERED = 0.4  # of a leg's height


class Live:
    """A pair of skeletons, ready for poses of the source.

    Attributes:
        setup: of the pair. target: the skeleton of the poses that come out. scale: its size over that of the source.

    Args:
        setup: the pair.
        motions: of the source, as it will move: seconds will do. They say where the ground is for its feet.

    Raises:
        SkeletonError: no leg of the target follows one of the source, or `motions` are empty or of other joints.
    """

    def __init__(self, setup: Retargeter, motions: Sequence[Motion]) -> None:
        require_legs(setup)
        if not any(motion.frames for motion in motions):
            raise SkeletonError("to retarget live, some motion of the source must be known beforehand")
        for motion in motions:
            if not motion.skeleton.same_topology(setup.source):
                raise SkeletonError(f"motion {motion.name!r} has other joints than the skeleton this was set up for")
        self.setup, self.target, self.scale = setup, setup.target, setup.scale
        self._grounds, self._asides, lowered, lift = self._calibrated(motions)
        self._coordinates: Coordinates | None = None
        self._constants = self._body(), self._hips(lift - lowered), self._legs()

    def pose(self, global_rotations: Floats, global_positions: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Poses of the target.

        Args:
            global_rotations: `[n, S, 4]` of all source joints, float32.
            global_positions: `[n, S, 3]`, metres. Any frame will do whose +Y is up and whose ground is that of the
                motions; joints of the target above its hips stay at rest in it.

        Returns:
            Local rotations `[n, J, 4]` and translations `[n, J, 3]`, global rotations `[n, J, 4]` and positions
            `[n, J, 3]` in the same frame, the size of the target.
        """
        from kinema.retargeting import live_kernels  # numba loads on first use

        turned = np.ascontiguousarray(global_rotations, np.float32)
        placed = np.ascontiguousarray(global_positions, np.float32)
        local = transfer_rotations(self.setup.transfer, turned)
        count, joints = local.shape[:2]
        moved, places = np.empty((2, count, joints, 3), np.float32)
        world = np.empty((count, joints, 4), np.float32)
        poses = live_kernels.Poses(local, moved, world, places)
        live_kernels.follow(live_kernels.Source(turned, placed), poses, *self._constants)
        if self.target.hinges:
            local, moved = self._on_hinges(placed, local, moved, (world, places))
            world, places = kinematics.forward(local, moved, self.target.parents.tolist())
        return local, moved, world, places

    def _on_hinges(
        self, source: Floats, local: Floats, moved: Floats, pose: tuple[Floats, Floats]
    ) -> tuple[Floats, Floats]:
        """The nearest poses that the target's hinges can take: feet first, then hands and trunk."""
        skeleton, weights = self.target, refine.Weights()
        whole = Motion.create(skeleton, local, moved)
        stands = np.ones(len(local), np.bool_)  # feet weigh the same in every pose, or they would jump
        goals = refine.goals_of(
            self.setup,
            source,
            Pose.from_model(skeleton, *pose),
            whole,
            [(leg, stands) for _, leg in self.setup.legs],
            weights,
        )
        if self._coordinates is None:
            hinged = {hinge.joint for hinge in skeleton.hinges}
            stay = np.full(skeleton.joint_count, weights.stay)
            stay[list(hinged)] = weights.stay_hinge
            moving = sorted(refine.above(skeleton, goals) | hinged)
            self._coordinates = Coordinates.of(skeleton, moving, [skeleton.roles.hips], stay)
        found = full_body(skeleton, local, moved, goals, self._coordinates, iterations=ITERATIONS, follow=False)
        return found.local_rotations, found.local_translations

    def _calibrated(self, motions: Sequence[Motion]) -> tuple[Floats, Floats, float, float]:
        """Of each leg the height of the source's ground `[L]` and what is added to its place `[L, 3]`; how far the
        hips are lowered for feet that would hang above the ground, and what lifts them to theirs."""
        setup = self.setup
        count = len(setup.legs)
        grounds = np.zeros((len(motions), count), np.float32)
        off: list[list[Floats]] = [[] for _ in range(count)]
        high: list[list[Floats]] = [[] for _ in range(count)]
        lifts = []
        for number, motion in enumerate(motions):
            world = motion[:]
            turned, placed = world.global_rotations, world.global_positions
            states = setup.standing(motion, turned, placed)
            world = setup.globals(transfer_rotations(setup.transfer, turned), setup.hips(turned, placed, states))
            lifts.append([setup.lift(index, states[index][0]) for index in setup.tops])
            for leg, ((mine, yours), (ground, state)) in enumerate(zip(setup.legs, states, strict=True)):
                grounds[number, leg] = ground
                own = yours.path(*world)
                gap = own - self.scale * mine.path(turned, placed)
                heading = self._heading(turned[:, mine.touch], mine)
                off[leg].append(rotations.inverse_rotate(heading, gap)[state.stands])
                above = own[:, 1] - setup.clearances[leg] - np.maximum(state.heights, 0.0)
                high[leg].append(above[state.stands])
        asides, biases = np.zeros((count, 3), np.float32), np.zeros(count)
        for leg, (_, yours) in enumerate(setup.legs):
            gaps, heights = np.concatenate(off[leg]), np.concatenate(high[leg])
            if len(gaps):
                asides[leg] = np.median(gaps, axis=0) * np.array([1, 0, 1], np.float32)
                most = _MOST_LOWERED * yours.top
                biases[leg] = np.clip(np.median(heights), -most, most)
        lift = float(np.mean(lifts)) if setup.tops else 0.0
        return np.median(grounds, axis=0).astype(np.float32), asides, float(biases.mean()), lift

    def _heading(self, turned: Floats, leg: Limb) -> Floats:
        """Turns `[F, 4]` about +Y of a source's foot from where it stands."""
        turn = rotations.multiply(turned, rotations.inverse(self.setup.source_stance.global_rotations[leg.touch]))
        return rotations.swing_twist(turn, np.array([0, 1, 0], np.float32))[1]

    def _body(self) -> Body:
        from kinema.retargeting import live_kernels

        setup, skeleton = self.setup, self.target
        joints = skeleton.joint_count
        kinds = np.full(joints, live_kernels.NORMAL, np.int32)
        carriers = np.full(joints, -1, np.int32)
        offsets, turns = np.zeros((joints, 3), np.float32), np.zeros((joints, 4), np.float32)
        kinds[setup.body] = live_kernels.BODY
        for stray in setup.beside:
            kinds[stray.joint] = live_kernels.DETACHED
            carriers[stray.joint], offsets[stray.joint] = stray.last, stray.offset
            if stray.turn is not None:
                kinds[stray.joint], turns[stray.joint] = live_kernels.CARRIED, stray.turn
        order = _order(skeleton.parents, carriers)
        return live_kernels.Body(order, kinds, skeleton.parents, carriers, skeleton.rest_translations, offsets, turns)

    def _hips(self, lift: float) -> Hips:
        from kinema.retargeting.live_kernels import Hips

        setup = self.setup
        link = next((link for link in setup.match.links if link.target == setup.body), None)
        tops, offset = [setup.source.roles.hips], np.zeros(3, np.float32)
        if setup.tops:
            tops, offset = [setup.legs[index][0].upper for index in setup.tops], setup.seat
        driver = -1 if link is None else link.first
        turn = setup.transfer.first[setup.body]
        return Hips(np.asarray(tops, np.int32), driver, turn, offset, float(self.scale), lift)

    def _legs(self) -> Legs:
        from kinema.retargeting.live_kernels import Legs

        setup, parents = self.setup, self.target.parents
        sources, targets = [leg for leg, _ in setup.legs], [leg for _, leg in setup.legs]
        joints = [(leg.upper, leg.lower, -1 if leg.end is None else leg.end) for leg in targets]
        chain = np.asarray(joints, np.int32)
        stance = setup.source_stance.global_rotations
        return Legs(
            joints=chain,
            parents=np.where(chain >= 0, parents[chain], -1).astype(np.int32),
            ends=np.stack([leg.to_end for leg in targets]),
            touch=np.asarray([leg.touch for leg in targets], np.int32),
            points=np.stack([leg.to_touch for leg in targets]),
            fronts=np.stack([leg.front for leg in targets]),
            lengths=np.asarray([leg.length for leg in targets]),
            heights=np.asarray(setup.clearances, np.float64),
            source_touch=np.asarray([leg.touch for leg in sources], np.int32),
            source_points=np.stack([leg.to_touch for leg in sources]),
            source_rest=np.stack([stance[leg.touch] for leg in sources]),
            grounds=self._grounds,
            asides=self._asides,
        )


def _order(parents: NDArray[np.int32], carriers: NDArray[np.int32]) -> NDArray[np.int32]:
    """Joints `[J]`, each after its parent and its carrier."""
    order: list[int] = []
    seen: set[int] = set()
    waiting = list(range(len(parents)))
    while waiting:
        ready = [j for j in waiting if {int(parents[j]), int(carriers[j])} <= seen | {-1}]
        if not ready:
            raise SkeletonError("a joint that is detached from the body carries the limb that it follows")
        order += ready
        seen.update(ready)
        waiting = [j for j in waiting if j not in seen]
    return np.asarray(order, np.int32)


def require_legs(setup: Retargeter) -> None:
    """Raises SkeletonError where no leg of the target follows one of the source: it would only slide."""
    if not setup.legs:
        raise SkeletonError(
            f"no leg of {_summary(setup.target)} can follow one of {_summary(setup.source)}; one with legs would"
        )


def _summary(skeleton: Skeleton) -> str:
    return f"{', '.join(skeleton.names[:4])}, ... ({skeleton.joint_count} joints)"
