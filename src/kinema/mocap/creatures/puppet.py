"""A puppet in motion: rotations relative to the standing rest pose, passed from joint to joint."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from kinema import rotations
from kinema.arrays import Floats
from kinema.mocap.creatures.standing import Standing
from kinema.motion import Motion
from kinema.pose import Pose

_SAME = 1e-3  # leg lengths between joints that are in the same place


class Puppet:
    """Global transforms of the joints that are driven; all others follow them rigidly.

    Rotations turn the standing body, so that they do not depend on the rest rotations of a rig.

    Args:
        body: the standing body.
        rotation: `[N, 4]` of the root, relative to standing.
        position: `[N, 3]` of the root, metres.
    """

    def __init__(self, body: Standing, rotation: Floats, position: Floats) -> None:
        root = body.anatomy.root
        self.body = body
        self._parents = body.skeleton.parents.tolist()
        self._turns: dict[int, Floats] = {root: rotation}
        self._places: dict[int, Floats] = {root: position}
        self._free: dict[int, Floats] = {}

    def driver(self, joint: int) -> int:
        """The nearest driven joint at or above a joint."""
        while joint >= 0 and joint not in self._turns:
            joint = self._parents[joint]
        return joint if joint >= 0 else self.body.anatomy.root

    def rotation(self, joint: int) -> Floats:
        """Global rotation `[N, 4]` of a joint, relative to standing."""
        return self._turns[self.driver(joint)]

    def place(self, joint: int) -> Floats:
        """Global position `[N, 3]` of a joint, metres."""
        driver = self.driver(joint)
        if driver == joint:
            return self._places[joint]
        return self.point(driver, self.body.positions[joint])

    def point(self, joint: int, rest: Floats) -> Floats:
        """Where a point `[3]` (or `[N, 3]`) of the standing body goes with a joint, `[N, 3]`."""
        driver = self.driver(joint)
        offset = rest - self.body.positions[driver]
        return self._places[driver] + rotations.rotate(self._turns[driver], offset + 0 * self._places[driver])

    def height(self, joint: int, rest: Floats) -> Floats:
        """Height `[N]` of `point`, without the other coordinates."""
        driver = self.driver(joint)
        x, y, z = rest - self.body.positions[driver]
        high = self._places[driver][:, 1]
        if x == y == z == 0.0:
            return high
        w, i, j, k = self._turns[driver].T
        return high + 2 * (i * j + w * k) * x + (1 - 2 * (i * i + k * k)) * y + 2 * (j * k - w * i) * z

    def turn(self, joint: int, local: Floats) -> None:
        """Rotate a joint by `[N, 4]` relative to its parent, in axes of the standing body."""
        place = self._hung(joint)
        self._turns[joint] = rotations.multiply(self.rotation(self._parents[joint]), local)
        self._places[joint] = place

    def turn_more(self, joint: int, local: Floats) -> None:
        """Rotate a driven joint further by `[N, 4]`, in axes of the standing body."""
        self._turns[joint] = rotations.multiply(self._turns[joint], local)

    def aim(self, joint: int, rotation: Floats, place: Floats | None = None) -> None:
        """Give a joint a global rotation `[N, 4]`, and a place `[N, 3]` of its own if it hangs elsewhere."""
        at = self._hung(joint) if place is None else place
        self._turns[joint], self._places[joint] = rotation, at
        if place is not None:
            self._free[joint] = place

    def take_along(self) -> None:
        """Let joints beside the body, such as targets of constraints, follow the root over the ground.

        Joints above the root in the same place, as some motion files have them, are the root under another name.
        """
        root = self.body.anatomy.root
        apart = np.linalg.norm(self.body.positions - self.body.positions[root], axis=-1)
        twin = self._parents[root]
        while twin >= 0 and apart[twin] < _SAME * self.body.leg:
            self.aim(twin, self._turns[root], self._places[root])
            twin = self._parents[twin]
        above = self.body.skeleton.above([root])
        heading = rotations.from_yaw(rotations.yaw(self._turns[root]))
        ground = self._places[root] * [1.0, 0.0, 1.0]
        for joint, parent in enumerate(self._parents):
            if joint in self._turns or above[joint] or self._carried(joint) or not (parent < 0 or above[parent]):
                continue
            away = self.body.positions[joint] - self.body.positions[root] * [1.0, 0.0, 1.0]
            self.aim(joint, heading, ground + rotations.rotate(heading, away + 0 * ground))

    def shift(self, offset: Floats) -> None:
        """Move everything by `[N, 3]`, metres."""
        self._places = {joint: place + offset for joint, place in self._places.items()}

    def motion(self, frames: slice, fps: float, name: str) -> Motion:
        """The frames as a motion; joints above the root and beside it stay at rest."""
        body, skeleton = self.body, self.body.skeleton
        root = body.anatomy.root
        driven = sorted(self._turns)
        turns = np.stack([self._turns[joint][frames] for joint in driven], axis=1)
        world = rotations.multiply(turns, body.rotations[driven])
        above = [self._parents[joint] for joint in driven]
        outer = np.stack([self._above(joint, parent, frames) for joint, parent in zip(driven, above, strict=True)], 1)
        count = turns.shape[0]
        local = np.repeat(np.asarray(body.local, np.float64)[None], count, axis=0)
        local[:, driven] = rotations.multiply(rotations.inverse(outer), world)
        moved = np.asarray(sorted({root, *self._free}), np.int32)
        shifts = [self._local_place(int(joint), frames) for joint in moved]
        return Motion.create(skeleton, rotations.normalize(local), np.stack(shifts, axis=1), moved, fps=fps, name=name)

    @cached_property
    def _still(self) -> Pose:
        """The pose that joints above the root keep."""
        return Pose(self.body.skeleton, self.body.local)

    def _hung(self, joint: int) -> Floats:
        """Where its parent has a joint now, `[N, 3]`: `place` of a driven one may be from before the parent moved."""
        if joint == self.body.anatomy.root:
            return self.place(joint)
        return self.point(self._parents[joint], self.body.positions[joint])

    def _carried(self, joint: int) -> bool:
        """Whether a joint hangs below one that is driven."""
        while joint >= 0 and joint not in self._turns:
            joint = self._parents[joint]
        return joint >= 0

    def _above(self, joint: int, parent: int, frames: slice) -> Floats:
        """Global rotation `[F, 4]` of the parent of a joint."""
        count = self._turns[joint][frames].shape[0]
        if parent < 0:
            return rotations.identity((count,), self.body.rotations)
        if not self._carried(parent):
            return np.asarray(self._still.global_rotations[parent], np.float64) + np.zeros((count, 4))
        return rotations.multiply(self.rotation(parent)[frames], self.body.rotations[parent])

    def _local_place(self, joint: int, frames: slice) -> Floats:
        """Translation `[F, 3]` of a joint in the frame of its parent."""
        parent = self._parents[joint]
        place = self._places[joint][frames]
        if parent < 0:
            return place
        if self._carried(parent):
            origin = self.place(parent)[frames]
        else:
            origin = np.asarray(self._still.global_positions[parent], np.float64)
        return rotations.inverse_rotate(self._above(joint, parent, frames), place - origin)
