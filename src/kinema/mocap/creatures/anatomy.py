"""The anatomy of a body: which joints are its trunk, neck, head, tails, legs and other limbs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from kinema import rotations
from kinema.arrays import Bools, Floats
from kinema.errors import SkeletonError
from kinema.pose import Pose
from kinema.roles.rest import rest_pose
from kinema.skeleton import Skeleton

_SNAKE = 8
"""Bodies without limbs and with fewer joints in their line are fish: they are too stiff to wind over the ground."""


@dataclass(frozen=True)
class CreatureLimb:
    """A leg, arm, wing, fin, tentacle, ear or antenna.

    Attributes:
        joints: indices from the trunk outwards; the last one of a leg touches the ground.
        side: 1 left, -1 right, 0 middle.
        order: counts limbs of its kind on one side, from the front.
        detached: whether the last joint hangs elsewhere in the tree, as in rigs that move feet by constraints.
    """

    joints: tuple[int, ...]
    side: int = 0
    order: int = 0
    detached: bool = False


@dataclass(frozen=True)
class CreatureAnatomy:
    """The joints of a body by what they do. All but `root` may be missing.

    Attributes:
        root: the joint that carries everything that moves.
        trunk: joints above the root towards the neck.
        neck: joints of the neck, lowest first.
        head: the head.
        jaws: joints that open the mouth.
        tails: joints of each tail, first to last.
        legs: limbs that stand on the ground, left before right, pair after pair from the front.
        arms: free arms and claws.
        wings, fins, tentacles: limbs.
        soft: ears, antennae, manes: what follows the body loosely.
    """

    root: int
    trunk: tuple[int, ...] = ()
    neck: tuple[int, ...] = ()
    head: int | None = None
    jaws: tuple[int, ...] = ()
    tails: tuple[tuple[int, ...], ...] = ()
    legs: tuple[CreatureLimb, ...] = ()
    arms: tuple[CreatureLimb, ...] = ()
    wings: tuple[CreatureLimb, ...] = ()
    fins: tuple[CreatureLimb, ...] = ()
    tentacles: tuple[CreatureLimb, ...] = ()
    soft: tuple[CreatureLimb, ...] = ()

    @property
    def front(self) -> tuple[int, ...]:
        """All joints from the trunk to the head."""
        return (*self.trunk, *self.neck, *(() if self.head is None else (self.head,)))

    @property
    def plan(self) -> str:
        """The body plan that the limbs suggest."""
        count = len(self.legs)
        if count == 0:
            if self.tentacles:
                return "tentacled"
            line = len(self.front) + max(map(len, self.tails), default=0)
            return "fish" if self.fins or line < _SNAKE else "snake"
        if count == 2:
            return "bird" if self.wings else "biped" if self.arms and not self.tails else "theropod"
        if count == 4:
            return "winged" if self.wings else "digitigrade"
        return "hexapod" if count <= 6 else "spider" if count <= 8 else "centipede"


def upright_rest(skeleton: Skeleton, stance: Pose | None = None) -> tuple[Floats, Floats]:
    """Global positions `[J, 3]` and rotations `[J, 4]` at rest, turned so that the body is upright and faces +Z.

    Args:
        skeleton: any.
        stance: a pose in which the body stands upright; None is the rest pose.
    """
    pose = skeleton.rest_pose if stance is None else stance
    positions = np.asarray(pose.global_positions, np.float64)
    frames = rotations.normalize(np.asarray(pose.global_rotations, np.float64))
    if stance is None:
        rest = rest_pose(skeleton)
        forward, up = (np.asarray(way, np.float64) for way in (rest.forward, rest.up))
    else:
        forward, up = _ahead(skeleton, positions), np.asarray([0.0, 1.0, 0.0])
    turn = rotations.inverse(rotations.look_rotation(forward, up))
    if rotations.angle(turn) > np.radians(2):
        return rotations.rotate(turn, positions), rotations.multiply(turn, frames)
    return positions, frames


def _ahead(skeleton: Skeleton, positions: Floats) -> Floats:
    """The level direction `[3]` square to the lines between left and right limbs, towards the head."""
    roles = skeleton.roles
    pairs = [(joint, int(roles.partners[joint])) for joint, side in enumerate(roles.sides) if side == "left"]
    aside = np.sum(
        [positions[left] - positions[right] for left, right in pairs if left != right] or [np.zeros(3)], axis=0
    )
    ahead = np.cross(aside, [0.0, 1.0, 0.0])
    front = roles.head if roles.head is not None else roles.neck
    way = (positions[front] - positions[roles.hips]) * [1.0, 0.0, 1.0] if front is not None else ahead
    if np.linalg.norm(ahead) < 1e-6:
        return way
    return -ahead if ahead @ way < 0 else ahead


def anatomy_of(skeleton: Skeleton, stance: Pose | None = None) -> CreatureAnatomy:
    """The anatomy of any skeleton, from its roles.

    Args:
        skeleton: any.
        stance: a pose in which the body stands, for skeletons whose rest pose does not.

    Raises:
        SkeletonError: no part was recognised that could move.
    """
    return _Reading(skeleton, stance).anatomy()


_SOFT = ("ear", "hair")
_SIDES = {None: 0, "left": 1, "right": -1}
_LOW = 0.12  # feet are lower than this share of the leg above the ground


class _Reading:
    """The roles of one skeleton as limbs."""

    def __init__(self, skeleton: Skeleton, stance: Pose | None) -> None:
        self.skeleton, self.roles = skeleton, skeleton.roles
        self.places, _ = upright_rest(skeleton, stance)
        self.taken = np.zeros(skeleton.joint_count, np.bool_)

    def anatomy(self) -> CreatureAnatomy:
        legs = self._legs()
        wings, fins = self._limbs("wing"), self._limbs("fin")
        arms = self._limbs("arm") + (self._limbs("front_leg") if len(legs) == 2 else ())
        tails = [chain.joints for chain in self.roles.chains if chain.kind == "tail"]
        trunk = list(self._middle("spine"))
        head = self.roles.head
        neck = [joint for joint in self._middle("neck") if joint != head]
        starts = [limb.joints[0] for limb in (*legs, *wings, *fins, *arms)] + [tail[0] for tail in tails]
        root = self._root([*trunk[-1:], *starts])
        carried = self.skeleton.below([root])
        carried[root] = False
        if not legs and trunk and self.places[trunk[-1], 2] < self.places[root, 2]:
            tails, trunk = [*tails, tuple(trunk)], []  # a spine that leads backward swings like a tail
        tails = [tuple(joint for joint in tail if carried[joint]) for tail in tails]
        trunk = [joint for joint in trunk if carried[joint] and joint not in neck and joint != head]
        found = CreatureAnatomy(
            root=root,
            trunk=tuple(trunk),
            neck=tuple(joint for joint in neck if carried[joint]),
            head=head if head is not None and carried[head] else None,
            jaws=self._of_part("jaw", carried),
            tails=tuple(tail for tail in tails if tail),
            legs=legs,
            arms=arms,
            wings=wings,
            fins=fins,
            soft=self._soft(carried),
        )
        if not (legs or wings or fins or found.tails or len(found.front) > 1):
            names = self.skeleton.names
            shown = ", ".join(names[:4]) + (", ..." if len(names) > 4 else "")
            raise SkeletonError(
                f"no legs, spine, tail, fins or wings were recognised among the {len(names)} joints ({shown}); "
                "a roles file can name them, and a limb needs joints of its own to move"
            )
        return found

    def _middle(self, kind: str) -> tuple[int, ...]:
        return next((chain.joints for chain in self.roles.chains if chain.kind == kind and chain.side is None), ())

    def _root(self, joints: Iterable[int]) -> int:
        """The hips, or the lowest joint above all of some joints if the hips are not above them."""
        lines = [[*self.skeleton.ancestors(joint)[::-1], joint] for joint in joints]
        shared = [joint for joint in lines[0] if all(joint in line for line in lines)] if lines else []
        return self.roles.hips if self.roles.hips in shared or not shared else shared[-1]

    def _limbs(self, kind: str) -> tuple[CreatureLimb, ...]:
        found = [chain for chain in self.roles.chains if chain.kind == kind and chain.side is not None]
        if kind == "fin" and not found:
            fins = [joint for joint, part in enumerate(self.roles.parts) if part == "fin" and self.roles.sides[joint]]
            return tuple(CreatureLimb((joint,), _SIDES[self.roles.sides[joint]]) for joint in fins)
        found.sort(key=lambda chain: (chain.order, chain.side == "right"))
        return tuple(CreatureLimb(self._whole(chain.joints), _SIDES[chain.side], chain.order) for chain in found)

    def _whole(self, joints: tuple[int, ...]) -> tuple[int, ...]:
        """A chain with the joints that its roles leave out, such as twist joints."""
        above = self.skeleton.ancestors(joints[-1])[::-1]
        return (*above[above.index(joints[0]) :], joints[-1]) if joints[0] in above else joints

    def _legs(self) -> tuple[CreatureLimb, ...]:
        """All legs on which the body stands: front legs only if their feet are as low as those of the others."""
        back, front = self._limbs("leg"), self._limbs("front_leg")
        self.taken |= self.skeleton.below([limb.joints[0] for limb in (*back, *front)])
        ground = self._ground([*back, *front])
        back = tuple(self._to_ground(leg, ground, "foot") for leg in back)
        front = tuple(self._to_ground(leg, ground, "hand") for leg in front)
        if back and front:
            hips = np.mean([self.places[leg.joints[0], 1] for leg in back]) - ground
            low = [self.places[leg.joints[-1], 1] - ground < 0.3 * hips for leg in front]
            front = front if all(low) else ()
        after = 1 if front else 0
        legs = [*front, *(replace(leg, order=leg.order + after) for leg in back)]
        return tuple(leg for leg in legs if len(leg.joints) > 1)

    def _ground(self, limbs: list[CreatureLimb]) -> float:
        """Height of the lowest joint, unless it is far below the limbs."""
        if not limbs:
            return float(self.places[:, 1].min())
        low = min(float(self.places[limb.joints[-1], 1]) for limb in limbs)
        high = max(float(self.places[limb.joints[0], 1]) for limb in limbs)
        return max(float(self.places[:, 1].min()), low - 1.2 * (high - low))

    def _to_ground(self, limb: CreatureLimb, ground: float, part: str) -> CreatureLimb:
        """The limb down to the joint at the ground, which may hang elsewhere in the tree."""
        joints = list(limb.joints)
        height = max(float(self.places[joints[0], 1]) - ground, 1e-6)
        while self.places[joints[-1], 1] - ground > _LOW * height:
            below = [child for child in self.skeleton.children[joints[-1]] if self.roles.parts[child] != "helper"]
            low = min(below, key=lambda child: float(self.places[child, 1]), default=None)
            if low is None or self.places[low, 1] > self.places[joints[-1], 1] - 0.02 * height:
                break
            joints.append(low)
        leaf = not self.skeleton.children[joints[-1]] and len(joints) > 1
        foot = self._loose_foot(joints, ground, height, part) if leaf else None
        if foot is None:
            return replace(limb, joints=tuple(joints))
        return replace(limb, joints=(*joints, foot), detached=True)

    def _loose_foot(self, joints: list[int], ground: float, height: float, part: str) -> int | None:
        """The foot of a leg that hangs elsewhere in the tree, as in rigs that move feet by constraints.

        It has the wanted part; or it is near the ground ahead of the last bone of a leg that ends above the ground.
        """
        end, before = self.places[joints[-1]], self.places[joints[-2]]
        high = float(end[1]) - ground
        bone = float(np.linalg.norm(end - before))
        above = self.skeleton.above([joints[0]])
        free = [
            joint
            for joint in range(self.skeleton.joint_count)
            if self.roles.sides[joint]
            and not (self.taken[joint] or above[joint])
            and self.places[joint, 0] * end[0] > 0
            and self.places[joint, 1] - ground < 0.25 * height
        ]
        parts = self.roles.parts
        near = [j for j in free if parts[j] == part and np.linalg.norm(self.places[j] - end) < 2.0 * max(bone, high)]
        if not near and high > 0.25 * height:
            reach = max(1.6 * bone, 1.3 * high)
            near = [
                j for j in free if parts[j] not in ("foot", "hand") and np.linalg.norm(self.places[j] - end) < reach
            ]
        ahead = end + 0.5 * (end - before)
        best = min(near, key=lambda joint: float(np.linalg.norm(self.places[joint] - ahead)), default=None)
        if best is not None:
            self.taken |= self.skeleton.below([best])
        return best

    def _of_part(self, part: str, carried: Bools) -> tuple[int, ...]:
        return tuple(joint for joint, name in enumerate(self.roles.parts) if name == part and carried[joint])

    def _soft(self, carried: Bools) -> tuple[CreatureLimb, ...]:
        """Runs of ears and hair."""
        runs: dict[int, list[int]] = {}
        for joint, part in enumerate(self.roles.parts):
            if part not in _SOFT or not carried[joint]:
                continue
            above = int(self.skeleton.parents[joint])
            start = next((first for first, run in runs.items() if run[-1] == above), joint)
            runs.setdefault(start, []).append(joint)
        return tuple(CreatureLimb(tuple(run), _SIDES[self.roles.sides[run[0]]]) for run in runs.values())
