"""Data types for roles: the parts of a body, chains of joints, and the roles of a whole skeleton."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from kinema.arrays import Indices, Singles
from kinema.errors import SkeletonError
from kinema.naming import Side

BodyPlan = Literal["biped", "quadruped", "many-legged", "winged", "legless", "unknown"]
RestKind = Literal["T", "A", "I", "animal", "none"]

PARTS = (
    "root",  # a reference joint above the hips that carries no body
    "hips", "spine", "neck", "head",
    "shoulder", "upper_arm", "forearm", "hand",  # clavicle or scapula first; of front legs and wings too
    "thumb", "index", "middle", "ring", "little", "finger",  # "finger" when it is not known which one
    "thigh", "shin", "foot", "toe", "toes",  # "toe" is the ball of the foot, "toes" are the single digits below it
    "leg",  # a segment of a leg of a body with more than four
    "tail", "wing", "fin",  # "wing" for feathers and membranes beyond the arm's own joints
    "jaw", "eye", "ear", "face", "hair",
    "twist",  # twist, roll and share bones, which turn with a segment of a limb
    "prop",  # weapons, clothes, attachment slots
    "helper",  # IK targets, poles, controls and markers, which move no part of the body themselves
    "",  # not known
)  # fmt: skip
"""The parts of a body. A part with a side in front of it is a role too: `left_thigh`, `hips`."""


def split_role(role: str) -> tuple[str, Side | None]:
    """Part and side of a role: `left_thigh` gives `("thigh", "left")`."""
    side, _, part = role.partition("_")
    if part and side == "left":
        return part, "left"
    return (part, "right") if part and side == "right" else (role, None)


@dataclass(frozen=True)
class Chain:
    """A run of joints from the body outwards, without twist joints.

    A quadruped has a hind `leg` and a `front_leg` on each side; the joints of a front leg have the parts of an arm. A
    body with more than four legs has only `leg`, counted from the front.

    Attributes:
        kind: "spine", "neck", "head", "tail", "leg", "arm", "front_leg", "wing", "fin", a finger such as "index", or
            "finger".
        side: None for a chain in the middle.
        joints: indices, each an ancestor of the next.
        order: counts chains of the same kind and side: legs from front to back, others in the order of the tree.
    """

    kind: str
    side: Side | None
    joints: tuple[int, ...]
    order: int = 0

    @property
    def name(self) -> str:
        """`left_leg`, `tail`; the second chain of a kind is `left_leg_2`."""
        name = self.kind if self.side is None else f"{self.side}_{self.kind}"
        return name if self.order == 0 else f"{name}_{self.order + 1}"


@dataclass(frozen=True)
class Leg:
    """Joint indices of a leg; `toe` is the ball of the foot.

    Attributes:
        attached: whether the foot is below the lower leg; in rigs that move feet by inverse kinematics it may not be.
    """

    side: Side
    upper: int
    lower: int
    foot: int
    toe: int | None
    attached: bool = True


@dataclass(frozen=True)
class Arm:
    """Joint indices of an arm; `shoulder` is the clavicle."""

    side: Side
    shoulder: int | None
    upper: int
    lower: int
    hand: int


@dataclass(frozen=True, eq=False)
class RestPose:
    """The stance of a rest pose.

    Attributes:
        kind: "T" (level arms), "A" (slanted arms), "I" (hanging arms), "animal" (standing on its legs), or "none" for
            a layout of bones that is not a stance, as in some motion files.
        up: unit vector `[3]` from the legs to the back or the head, in model space.
        forward: unit vector `[3]` that the character faces, square to `up`.
        leg_length: metres from hip joint to sole along the bones; 0 without legs.
        height: metres from the lowest to the highest point.
        sure: False if the legs point along another axis than `up`, and nothing else shows how the body stands.
    """

    kind: RestKind
    up: Singles
    forward: Singles
    leg_length: float
    height: float
    sure: bool = True


@dataclass(frozen=True, eq=False)
class Roles:
    """The role of each joint of a skeleton.

    Attributes:
        hips: the joint that carries legs and spine.
        spine: joints above the hips up to the neck.
        neck: lowest joint of the neck.
        head: the head joint.
        legs: left and right leg of a body that walks on two legs, else empty. Their feet may hang elsewhere.
        arms: left and right arm of such a body, else empty.
        parts: `J` entries of `PARTS`.
        sides: `J` sides; None for joints in the middle.
        partners: int32 `[J]`: the joint on the other side, or the joint itself.
        confidence: float32 `[J]` from 0 to 1, of each joint's part and side.
        chains: runs of joints, by kind, side and order.
        plan: the build of the body.
        found_by: the main source: "hints", "names" or "shape".
    """

    hips: int
    spine: tuple[int, ...] = ()
    neck: int | None = None
    head: int | None = None
    legs: tuple[Leg, ...] = ()
    arms: tuple[Arm, ...] = ()
    parts: tuple[str, ...] = ()
    sides: tuple[Side | None, ...] = ()
    partners: Indices = field(default_factory=lambda: np.zeros(0, np.int32))
    confidence: Singles = field(default_factory=lambda: np.zeros(0, np.float32))
    chains: tuple[Chain, ...] = ()
    plan: BodyPlan = "unknown"
    found_by: str = "names"

    @property
    def is_biped(self) -> bool:
        """Whether there are a left and a right leg, both of one piece from the thigh to the foot."""
        return [leg.side for leg in self.legs if leg.attached] == ["left", "right"]

    def leg(self, side: Side) -> Leg:
        """The leg of one side.

        Raises:
            SkeletonError: there is no such leg.
        """
        for leg in self.legs:
            if leg.side == side:
                return leg
        raise SkeletonError(f"the skeleton has no {side} leg; name its joints in a roles file")

    def role(self, joint: int) -> str:
        """The part of a joint, with its side if it has one: `left_thigh`, `hips`; "" if not known."""
        side, part = self.sides[joint], self.parts[joint]
        return f"{side}_{part}" if side and part else part

    def chain(self, name: str) -> Chain | None:
        """The chain with a name such as `left_leg`."""
        return next((chain for chain in self.chains if chain.name == name), None)
