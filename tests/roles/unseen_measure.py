"""How much of rigs that it has never seen a recogniser gets right.

The measure of joints is the merged one of `truth_measure`: part and side must be right, and what is no joint of the
body or sits on the head is one class. Besides, each rig is asked a few questions, which are right or wrong as a whole.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kinema import Skeleton
from kinema.roles import Roles, find_roles, rest_pose

from .truth_measure import merged, nameless
from .unseen_rigs import AXES, Rig

QUESTIONS = ("up", "forward", "plan", "hips", "spine base", "head", "legs", "arms and front legs")
LEG = frozenset({"thigh", "shin", "foot", "toe", "leg"})
ARM = frozenset({"upper_arm", "forearm", "hand"})
KINDS = {
    "hips": {"hips"},
    "spine": {"spine"},
    "neck": {"neck"},
    "head": {"head"},
    "leg": LEG,
    "shoulder": {"shoulder"},
    "arm or front leg": ARM,
    "fingers and toes": {"thumb", "index", "middle", "ring", "little", "finger", "toes"},
    "tail": {"tail"},
    "wing or fin": {"wing", "fin"},
    "anything else": {"other"},
}
FLOOR = Path(__file__).with_name("unseen_floor.json")
CLOSE = math.cos(math.radians(25.0))  # of a direction that is right
Finder = Callable[[Skeleton], Roles]


@dataclass(frozen=True)
class Answer:
    """What the recogniser made of one rig.

    Attributes:
        rig: its name.
        group: its group.
        right: for each question that the rig can be asked, whether the answer was right.
        joints: for each kind of joint how many were right, and how many there are; "all" counts every joint.
        wrong: joints that are wrong: name, said, right.
        said: the body plan and the axes that the recogniser found.
        error: the exception, if there was one; then all is wrong.
    """

    rig: str
    group: str
    right: dict[str, bool]
    joints: dict[str, tuple[int, int]]
    wrong: tuple[tuple[str, str, str], ...]
    said: str
    error: str = ""

    @property
    def failures(self) -> frozenset[str]:
        """The questions that were answered wrongly."""
        return frozenset(question for question, right in self.right.items() if not right)


def answers(rigs: Iterable[Rig], *, names: bool, find: Finder = find_roles) -> list[Answer]:
    """Asks the recogniser about every rig.

    Args:
        rigs: with their labels.
        names: whether the joints keep their names; else they are called `j0`, `j1`, ... in a random order.
        find: the recogniser.
    """
    found = []
    for rig in rigs:
        skeleton, labels = rig.skeleton, list(rig.skeleton.names)
        if not names:
            skeleton, labels = nameless(skeleton, np.random.default_rng(7))
        found.append(answer(rig, skeleton, labels, find))
    return found


def answer(rig: Rig, skeleton: Skeleton, labels: Sequence[str], find: Finder = find_roles) -> Answer:
    """Asks the recogniser about one rig.

    Args:
        rig: with its labels.
        skeleton: of the rig, perhaps with other names and in another order.
        labels: the names that its joints have in the rig.
        find: the recogniser.
    """
    truth = [rig.parts[label] for label in labels]
    try:
        roles = find(skeleton)
        rest = rest_pose(skeleton, roles=roles)
    except Exception as error:  # a crash is the worst answer, and the other rigs are still asked
        wrong = tuple((label, "-", "|".join(sorted(right))) for label, right in zip(labels, truth, strict=True))
        right = dict.fromkeys(asked(rig, truth), False)
        return Answer(rig.name, rig.group, right, counted(truth, [False] * len(truth)), wrong, "", repr(error))
    said = [roles.role(joint) for joint in range(len(labels))]
    hits = [is_right(one, accepted) for one, accepted in zip(said, truth, strict=True)]
    right = {
        "up": float(rest.up @ np.array(AXES[rig.up])) > CLOSE,
        "forward": bool(rig.forward) and float(rest.forward @ np.array(AXES[rig.forward])) > CLOSE,
        "plan": roles.plan in rig.plans,
        "hips": roles.hips >= 0 and "hips" in truth[roles.hips],
        "spine base": bool(roles.spine) and "spine" in truth[roles.spine[0]],
        "head": roles.head is not None and "head" in truth[roles.head],
        "legs": all(hit for hit, accepted in zip(hits, truth, strict=True) if limb(accepted) == "leg"),
        "arms and front legs": all(hit for hit, accepted in zip(hits, truth, strict=True) if limb(accepted) == "arm"),
    }
    wrong = tuple(
        (label, one or "-", "|".join(sorted(accepted)))
        for label, one, accepted, hit in zip(labels, said, truth, hits, strict=True)
        if not hit
    )
    seen = f"{roles.plan}, up {rounded(rest.up)}, forward {rounded(rest.forward)}"
    return Answer(rig.name, rig.group, {q: right[q] for q in asked(rig, truth)}, counted(truth, hits), wrong, seen)


def rounded(direction: np.ndarray) -> str:
    return "(" + ", ".join(f"{value:.1f}" for value in direction) + ")"


def asked(rig: Rig, truth: Sequence[frozenset[str]]) -> list[str]:
    """The questions that a rig can be asked: a fish has no legs, and an octopus no front."""
    certain = {next(iter(roles)) for roles in truth if len(roles) == 1}
    limbs = {limb(roles) for roles in truth}
    silly = {
        "forward": not rig.forward,
        "hips": "hips" not in certain,
        "spine base": "spine" not in certain,
        "head": "head" not in certain,
        "legs": "leg" not in limbs,
        "arms and front legs": "arm" not in limbs,
    }
    return [question for question in QUESTIONS if not silly.get(question, False)]


def part(role: str) -> str:
    """The part of a role, without the side."""
    return role.removeprefix("left_").removeprefix("right_")


def limb(accepted: frozenset[str]) -> str:
    """Whether a joint is of an arm or front leg, of a leg, or of neither ("")."""
    parts = {part(role) for role in accepted}
    return "arm" if parts & ARM else "leg" if parts & LEG else ""


def is_right(role: str, accepted: frozenset[str]) -> bool:
    """Whether a role is one of those that are right, by the merged measure."""
    return merged(role) in {merged(one) for one in accepted}


def counted(truth: Sequence[frozenset[str]], hits: Sequence[bool]) -> dict[str, tuple[int, int]]:
    """Right joints and joints, of all and of each kind; where several kinds are right, a joint counts in "all" only."""
    found = {"all": (sum(hits), len(hits))}
    for kind, parts in KINDS.items():
        own = [
            hit for accepted, hit in zip(truth, hits, strict=True) if {part(merged(role)) for role in accepted} <= parts
        ]
        found[kind] = (sum(own), len(own))
    return found


def wilson(right: int, count: int, z: float = 1.96) -> tuple[float, float]:
    """The 95 % interval of a share, after Wilson (1927)."""
    if not count:
        return 0.0, 1.0
    share, spread = right / count, z * z / count
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(share * (1 - share) / count + spread / (4 * count))
    return middle - half, middle + half


def summary(found: Sequence[Answer]) -> dict[str, tuple[int, int]]:
    """For each question how many rigs were right, of how many that it was asked of."""
    rows = {}
    for question in QUESTIONS:
        own = [one.right[question] for one in found if question in one.right]
        rows[question] = (sum(own), len(own))
    return rows


def joints(found: Sequence[Answer], kind: str) -> tuple[int, int]:
    """Right joints of a kind and joints of that kind, in all rigs."""
    return sum(one.joints[kind][0] for one in found), sum(one.joints[kind][1] for one in found)


def floor(one: Answer) -> dict[str, Any]:
    """What of a rig is known to be right: the number of joints, and every question but those that fail."""
    return {"joints": one.joints["all"][0], "fails": [question for question in QUESTIONS if question in one.failures]}


def lost(one: Answer, kept: dict[str, Any]) -> list[str]:
    """What was right when the floor was written, and is not any more."""
    right = one.joints["all"][0]
    fewer = [f"{right} joints instead of {kept['joints']}"] if right < kept["joints"] else []
    return [f"{one.rig}: {what}" for what in [*sorted(one.failures - set(kept["fails"])), *fewer]]


def floors() -> dict[str, dict[str, dict[str, Any]]]:
    """The floor of every rig, with names and without."""
    return json.loads(FLOOR.read_text(encoding="utf-8"))
