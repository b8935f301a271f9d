"""How a body moves: on legs, crawling or swimming, with which gaits and how fast."""

from __future__ import annotations

from dataclasses import dataclass

from kinema.mocap.creatures.course import Pacing
from kinema.mocap.creatures.gaits import build_of
from kinema.mocap.creatures.pacing import pace_of
from kinema.mocap.creatures.standing import Standing

_HOPPER = 0.13  # birds with hips lower than this hop, metres


@dataclass(frozen=True, eq=False)
class Kind:
    """How a body moves.

    Attributes:
        body: as it stands.
        plan: its body plan.
        medium: "legs", "train" (legs on a body that follows its head), "crawl" or "swim".
        build: kind of gaits, see `gaits.build_of`.
        pacing: its tempo.
        level: whether it swims with its tail up and down, as whales do.
    """

    body: Standing
    plan: str
    medium: str
    build: str
    pacing: Pacing
    level: bool = False

    @property
    def flies(self) -> bool:
        return bool(self.body.anatomy.wings) and self.medium == "legs"


def kind_of(body: Standing, plan: str, level: bool | None = None) -> Kind:
    """How a body of a plan moves.

    Args:
        body: as it stands.
        plan: one of the body plans.
        level: whether its tail beats up and down; None looks at the end of the tail.
    """
    if not body.legs:
        medium = "swim" if plan == "fish" else "crawl"
        level = body.level_tail if level is None else level
        return Kind(body, plan, medium, medium, pace_of(body, medium), level)
    hops = plan == "bird" and body.leg < _HOPPER
    medium = "train" if plan == "centipede" and len(body.anatomy.trunk) > 2 else "legs"
    build = build_of(len(body.legs), body.sprawled, hops, medium == "train")
    pacing = pace_of(body, "tentacles" if plan == "tentacled" else build, plan == "crab")
    return Kind(body, plan, medium, build, pacing)
