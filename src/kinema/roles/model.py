"""What a role is: the parts of a body, the chains that joints form, and the roles of a whole skeleton."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from kinema.errors import SkeletonError

Side = Literal["left", "right"]
Plan = Literal["biped", "quadruped", "many-legged", "winged", "legless", "unknown"]
RestKind = Literal["T", "A", "I", "animal", "none"]

PARTS = (
    "root",  # a reference joint above the hips that carries no body
    "hips", "spine", "neck", "head",
    "shoulder", "upper_arm", "forearm", "hand",  # clavicle or scapula first; of front legs and wings too
    "thumb", "index", "middle", "ring", "little", "finger",  # "finger" where it is not known which
    "thigh", "shin", "foot", "toe", "toes",  # "toe" is the ball of the foot; "toes" the single digits below it
    "leg",  # a segment of a leg of a body with more than four
    "tail", "wing", "fin",  # "wing" for feathers and membranes beyond the arm's own joints
    "jaw", "eye", "ear", "face", "hair",
    "twist",  # turns with a segment of a limb: twist, roll and share bones
    "prop",  # held or worn: weapons, clothes, attachment slots
    "helper",  # moves nothing of the body by itself: IK targets, poles, controls, markers
    "",  # not known
)  # fmt: skip
"""The parts of a body. With a side before it, a part is a role: `left_thigh`, `hips`."""

KINDS = (
    "spine",
    "neck",
    "head",
    "jaw",
    "ear",
    "leg",
    "arm",
    "front_leg",
    "wing",
    "tail",
    "fin",
    "thumb",
    "index",
    "middle",
    "ring",
    "little",
    "finger",
    "toes",
)
"""The kinds of chain. A quadruped stands on `leg` behind and `front_leg` in front, whose joints have the parts of
an arm; a body with more than four legs has only `leg`, counted from the front."""


@dataclass(frozen=True)
class Chain:
    """A run of joints from the body outwards, without twist joints.

    Attributes:
        kind: one of `KINDS`.
        side: of a chain that has a partner on the other side.
        joints: indices, each an ancestor of the next.
        order: counts chains of one kind and side: legs from front to back, tails and fins as they come.
    """

    kind: str
    side: Side | None
    joints: tuple[int, ...]
    order: int = 0

    @property
    def name(self) -> str:
        """`left_leg`, `tail`; the second of its kind is `left_leg_2`."""
        name = self.kind if self.side is None else f"{self.side}_{self.kind}"
        return name if self.order == 0 else f"{name}_{self.order + 1}"


@dataclass(frozen=True)
class Leg:
    """Joint indices of a leg; `toe` is the ball of the foot."""

    side: Side
    upper: int
    lower: int
    foot: int
    toe: int | None


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
    """How the rest pose stands.

    Attributes:
        kind: arms level ("T"), slanted ("A") or hanging ("I"), an animal on its legs, or "none": bones laid out as
            no body stands, which some motion files have.
        up: unit vector `[3]` from the legs to the back or the head, in the world of the rest pose.
        forward: unit vector `[3]`, level: where the character faces.
        leg_length: metres from hip joint to sole along the bones; 0 without legs.
        height: metres from the lowest to the highest point.
    """

    kind: RestKind
    up: NDArray[np.float32]
    forward: NDArray[np.float32]
    leg_length: float
    height: float


@dataclass(frozen=True, eq=False)
class Roles:
    """What each joint of a skeleton is.

    Attributes:
        hips: the joint that carries legs and spine.
        spine: joints above the hips up to the neck.
        neck: lowest joint of the neck.
        head: of the head.
        legs: of a biped; both or none.
        arms: of a biped; both or none.
        parts: `J` entries of `PARTS`.
        sides: `J` sides; None in the middle.
        partners: int32 `[J]`: the joint on the other side, or the joint itself.
        confidence: float32 `[J]`, 0 to 1: how sure each joint's part and side are.
        chains: runs of joints, by kind, side and order.
        plan: the build of the body.
        found_by: what told: "hints", "names" or "shape".
    """

    hips: int
    spine: tuple[int, ...]
    neck: int | None
    head: int | None
    legs: tuple[Leg, ...]
    arms: tuple[Arm, ...]
    parts: tuple[str, ...] = ()
    sides: tuple[Side | None, ...] = ()
    partners: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    confidence: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))
    chains: tuple[Chain, ...] = ()
    plan: Plan = "unknown"
    found_by: str = "names"

    @property
    def is_biped(self) -> bool:
        return [leg.side for leg in self.legs] == ["left", "right"]

    def leg(self, side: Side) -> Leg:
        """The leg of one side.

        Raises:
            SkeletonError: there is none.
        """
        for leg in self.legs:
            if leg.side == side:
                return leg
        raise SkeletonError(f"no {side} leg was found by joint names (a name with 'foot' or 'ankle' and the side)")

    def role(self, joint: int) -> str:
        """The role of a joint: its part, after its side if it has one: `left_thigh`, `hips`; "" if not known."""
        side, part = self.sides[joint], self.parts[joint]
        return f"{side}_{part}" if side and part else part

    def chain(self, name: str) -> Chain | None:
        """The chain of that name, such as `left_leg`."""
        return next((chain for chain in self.chains if chain.name == name), None)
