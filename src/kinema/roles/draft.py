"""The roles of a skeleton while they are being found."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from kinema.arrays import Singles
from kinema.roles.body import BodyLayout
from kinema.roles.body_tree import BodyTree
from kinema.roles.clues import Clues
from kinema.roles.limb_reading import LimbReading
from kinema.roles.limbs import LimbPair
from kinema.roles.model import Chain
from kinema.roles.trunk import Trunk

AGREED = 0.98  # confidence if name and shape agree
BY_NAME = 0.9  # if only the name is evidence
ALONE = 0.35  # if only the parent's part is evidence
_CONTRADICTED = 0.8  # factor if the name disagrees


@dataclass(eq=False)
class Draft(Clues):
    """The clues of a skeleton, its limbs and trunk, and the parts decided so far.

    Attributes:
        connected: the skeleton as a body; all indices are of its joints.
        body: limbs and plan.
        trunk: the middle by part.
        readings: segments of the limbs whose joints have parts of their own, by the limb's roots.
        parts: part of each joint; "" if none is decided yet.
        done: whether the part of a joint is decided.
        confidence: float32 `[J]`, 0 to 1.
        chains: the chains, without sides.
        thumbs: first joints of thumbs.
    """

    connected: BodyTree
    body: BodyLayout
    trunk: Trunk
    readings: dict[tuple[int, int], LimbReading]
    parts: list[str] = field(init=False)
    done: list[bool] = field(init=False)
    confidence: Singles = field(init=False)
    chains: list[Chain] = field(default_factory=list)
    thumbs: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        count = len(self.partners)
        self.parts, self.done = [""] * count, [False] * count
        self.confidence = np.zeros(count, np.float32)

    @property
    def limbs(self) -> list[LimbPair]:
        return self.body.limbs

    def put(self, joint: int, part: str, sure: float, certain: bool = False) -> None:
        """Decide the part of a joint.

        Args:
            joint: its index.
            part: one of `PARTS`.
            sure: confidence by shape, 0 to 1; raised if the name agrees and lowered if it disagrees.
            certain: whether `sure` includes the name already.
        """
        said = self.evidence[joint].parts
        if said.get(part, 0.0) >= 0.5:
            sure = AGREED
        elif said and not certain:
            sure *= _CONTRADICTED
        self.parts[joint], self.confidence[joint], self.done[joint] = part, sure, True

    def add_chain(self, kind: str, joints: list[int], order: int = 0) -> None:
        """Add a chain unless it is empty; its side follows later."""
        if joints:
            self.chains.append(Chain(kind, None, tuple(joints), order))

    def on(self, joint: int) -> str:
        """The part of a joint's parent; "" for a root."""
        parent = self.tree.parents[joint]
        return self.parts[parent] if parent >= 0 else ""
