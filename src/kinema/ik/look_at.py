"""Looking at a point with a chain of joints (spine, neck, head), in closed form, batched and differentiable."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from array_api_compat import array_namespace

from kinema import rotations
from kinema.errors import SkeletonError
from kinema.ik.limits import Cone, checked, clamp_swing_twist, joint_index
from kinema.ik.tasks import Joint
from kinema.pose import Pose
from kinema.rotations import Array, alike, dot

SWEEPS = 3  # passes from the tip in which joints take over what others could not turn


def look_at(
    pose: Pose,
    joints: Sequence[Joint],
    target: Array,
    limits: Sequence[Cone] = (),
    *,
    direction: Array = (0.0, 0.0, 1.0),
    offset: Array = (0.0, 0.0, 0.0),
    shares: Sequence[float] | None = None,
) -> Pose:
    """Poses that look at points; same leading dimensions, NumPy or torch, differentiable.

    Each joint turns by its share of what is left, by the shortest rotation that brings the whole line of sight through
    the target, not its direction only. The last one turns by all of the rest. Where limits stop joints, the others take
    over what they can. Without limits the result is exact.

    Args:
        pose: poses `[...]`.
        joints: the chain from the body outwards; the last one has the eyes. Other joints between them stay as they are.
        target: `[..., 3]`, metres, in the world.
        limits: cones of joints in the chain.
        direction: unit vector `[3]`, the line of sight in the frame of the last joint.
        offset: `[3]`, metres: where it starts, in the frame of the last joint.
        shares: how much each joint turns; None: the more the further out, 1, 2, 3 ...

    Raises:
        SkeletonError: a joint does not exist, or is not below the one before it.
    """
    skeleton = pose.skeleton
    chain = [joint_index(skeleton, joint) for joint in joints]
    for inner, outer in pairwise(chain):
        if inner not in skeleton.ancestors(outer):
            raise SkeletonError(f"joint {skeleton.names[outer]!r} is not below {skeleton.names[inner]!r}")
    weights = np.asarray(shares if shares is not None else range(1, len(chain) + 1), np.float64)
    if not chain or weights.shape != (len(chain),) or (weights < 0).any() or weights[-1] <= 0:
        raise SkeletonError(f"looking needs joints and one share for each: {len(chain)} joints, {len(weights)} shares")
    cones = {joint_index(skeleton, cone.joint): checked(skeleton, cone) for cone in limits}
    sight = _Sight(pose, chain, alike(target, pose.local_rotations), direction, offset, cones)
    for place in range(len(chain)):
        sight.turn(place, float(weights[place] / weights[place:].sum()))
    for _ in range(SWEEPS if cones else 0):
        for place in reversed(range(len(chain))):
            sight.turn(place, 1.0)
    local = pose.local_rotations + 0.0  # a copy that keeps gradients
    for place, joint in enumerate(chain):
        local[..., joint, :] = rotations.relative(sight.parents[place], sight.rotations[place])
    return pose.replace(local_rotations=local)


class _Sight:
    """A chain of joints in the world and its line of sight, while it turns.

    Attributes:
        rotations, places: global rotations `[..., 4]` and positions `[..., 3]` of the joints.
        parents: global rotations `[..., 4]` of their parents.
    """

    def __init__(
        self, pose: Pose, chain: Sequence[int], target: Array, direction: Array, offset: Array, cones: dict[int, Cone]
    ) -> None:
        self.target, self.chain, self.cones, self.skeleton = target, chain, cones, pose.skeleton
        turned, placed = pose.global_rotations, pose.global_positions
        self.rotations = [turned[..., joint, :] for joint in chain]
        self.places = [placed[..., joint, :] for joint in chain]
        above = pose.skeleton.parents[list(chain)]
        self.parents = [turned[..., j, :] if j >= 0 else pose.root_rotations for j in above.tolist()]
        last = self.rotations[-1]
        self.direction = rotations.rotate(last, alike(direction, turned) + 0 * last[..., :3])
        self.eye = self.places[-1] + rotations.rotate(last, alike(offset, turned) + 0 * last[..., :3])

    def turn(self, place: int, share: float) -> None:
        """Turn a joint by a share of what would bring the line of sight through the target, within its limit."""
        turn = self._wanted(place)
        if share < 1.0:
            turn = rotations.exp(share * rotations.log(turn))
        cone = self.cones.get(self.chain[place])
        if cone is not None:
            turn = self._limited(place, turn, cone)
        centre = self.places[place]
        self.direction = rotations.rotate(turn, self.direction)
        self.eye = centre + rotations.rotate(turn, self.eye - centre)
        for outer in range(place, len(self.chain)):
            self.rotations[outer] = rotations.multiply(turn, self.rotations[outer])
            self.places[outer] = centre + rotations.rotate(turn, self.places[outer] - centre)
            if outer > place:
                self.parents[outer] = rotations.multiply(turn, self.parents[outer])

    def _wanted(self, place: int) -> Array:
        """The shortest rotation about a joint that brings the line of sight through the target.

        It takes the point of the line that is as far from the joint as the target there. A target that is nearer to
        the joint than the eyes cannot be met so; for it the line takes the direction from the eyes.
        """
        xp = array_namespace(self.eye, self.target)
        eye, line = self.eye - self.places[place], self.target - self.places[place]
        along, room = dot(eye, self.direction), dot(line, line) - dot(eye, eye)
        inside = room <= 0
        ahead = xp.sqrt(along * along + xp.where(inside, xp.ones_like(room), room)) - along
        point = xp.where(inside, self.direction, eye + ahead * self.direction)
        return rotations.between(point, xp.where(inside, self.target - self.eye, line + 0 * point))

    def _limited(self, place: int, turn: Array, cone: Cone) -> Array:
        """The rotation after which the joint is within its limit."""
        above, now = self.parents[place], self.rotations[place]
        rest = alike(self.skeleton.rest_rotations[self.chain[place]], now)
        relative = rotations.relative(rest, rotations.relative(above, rotations.multiply(turn, now)))
        local = rotations.multiply(
            rest, clamp_swing_twist(relative, alike(np.asarray(cone.axis, np.float64), now), cone.swing, cone.twist)
        )
        return rotations.multiply(rotations.multiply(above, local), rotations.inverse(now))
