"""The roles of a skeleton while they are being found: what is known of the body, and the parts given so far."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from kinema.roles.body import Body
from kinema.roles.limb_reading import LimbReading
from kinema.roles.limbs import Limb
from kinema.roles.model import Chain
from kinema.roles.symmetry import Plane
from kinema.roles.tree import Tree
from kinema.roles.trunk import Trunk
from kinema.roles.vocabulary import Evidence

AGREED = 0.98  # confidence where name and shape say the same
BY_NAME = 0.9  # where the name alone tells
ALONE = 0.35  # where the joint it hangs on alone tells
_CONTRADICTED = 0.8  # factor where the name says something else


@dataclass(eq=False)
class Draft:
    """What the steps of the recogniser share.

    Attributes:
        tree: the skeleton's shape.
        evidence: of each joint's name.
        plane: the mirror plane, if there is one.
        partners: of each joint, the one on the other side or itself.
        middle: whether each joint is on the middle line.
        body: limbs and plan.
        trunk: the middle by part.
        readings: the segments of limbs with joints of their own, by the limb's roots.
        parts: of each joint; "" where none is given yet.
        done: whether a joint has been given its part.
        confidence: float32 `[J]`, 0 to 1.
        chains: without sides.
        thumbs: first joints of thumbs.
    """

    tree: Tree
    evidence: list[Evidence]
    plane: Plane | None
    partners: list[int]
    middle: list[bool]
    body: Body
    trunk: Trunk
    readings: dict[tuple[int, int], LimbReading]
    parts: list[str] = field(init=False)
    done: list[bool] = field(init=False)
    confidence: NDArray[np.float32] = field(init=False)
    chains: list[Chain] = field(default_factory=list)
    thumbs: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        count = len(self.partners)
        self.parts, self.done = [""] * count, [False] * count
        self.confidence = np.zeros(count, np.float32)

    @property
    def limbs(self) -> list[Limb]:
        return self.body.limbs

    def put(self, joint: int, part: str, sure: float, certain: bool = False) -> None:
        """Give a joint its part.

        Args:
            sure: how sure shape is, 0 to 1; a name that agrees makes it surer, one that does not less so.
            certain: the name has been weighed already.
        """
        said = self.evidence[joint].parts
        if said.get(part, 0.0) >= 0.5:
            sure = AGREED
        elif said and not certain:
            sure *= _CONTRADICTED
        self.parts[joint], self.confidence[joint], self.done[joint] = part, sure, True

    def on(self, joint: int) -> str:
        """The part of the joint that this one hangs on; "" for a root."""
        parent = self.tree.parents[joint]
        return self.parts[parent] if parent >= 0 else ""
