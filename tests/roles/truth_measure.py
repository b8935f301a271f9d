"""Independent labels of the joints of real skeletons, and how much of them a recogniser gets right.

`truth/*.json` name a file of the data folder and say for each joint what it is: a role as in `kinema.roles.model`, or a
list of roles where more than one is defensible (`notes` says why). The labels come from how each rig family names its
joints, from the humanoid map of VRM files, from the place of a joint and from pictures; not from the recogniser.

There is one file for each distinct set of joint names in the data folder. Left out are what is no body (the pipe
`huesitos.fbx`, the gripper `ozz/robot.fbx`, chains of bones, meshes without joints such as `spider.fbx`), the crab,
whose seven joints are a mouth, eyebrows and three for all the rest, rigs of one to three joints, and the files made for
the BVH parser out of `walk01.bvh`.

Two figures are counted, both of part and side together:

- strict: the role is one of those in the truth, letter by letter;
- merged: the parts of `OTHER` are one class without a side. What moves nothing of the body, stands above it or sits
  on the head is then right as long as it is not taken for a joint of spine, limb, finger, tail, wing or fin.

Besides, `certain` and `hit` count only joints of body with a single right class: no twist, prop or eye that is easily
right, and none where two answers are accepted.

Fingers count by name in both: index for middle is wrong.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kinema import Motion, Skeleton
from kinema.roles import find_roles

OTHER = frozenset({"twist", "helper", "prop", "root", "face", "hair", "eye", "ear", "jaw", "other", ""})
FOLDER = Path(__file__).parent / "truth"


@dataclass(frozen=True)
class Truth:
    """What the joints of one file are: for each joint the roles that are right."""

    name: str
    file: str
    parts: dict[str, frozenset[str]]
    notes: str


@dataclass(frozen=True)
class Score:
    """Counts of one skeleton.

    Attributes:
        joints: of the skeleton.
        strict: joints whose role is one of those in the truth.
        merged: joints whose class is.
        certain: joints of which the truth accepts a single class, other than "other".
        hit: those of them whose class is that one.
        wrong: joints that are wrong by the merged measure: name, said, truth.
    """

    joints: int
    strict: int
    merged: int
    certain: int
    hit: int
    wrong: tuple[tuple[str, str, str], ...]


def truths() -> list[Truth]:
    """All truth files, by name."""
    found = []
    for path in sorted(FOLDER.glob("*.json")):
        read = json.loads(path.read_text(encoding="utf-8"))
        parts = {name: frozenset([roles] if isinstance(roles, str) else roles) for name, roles in read["parts"].items()}
        found.append(Truth(path.stem, read["file"], parts, read.get("notes", "")))
    return found


def merged(role: str) -> str:
    """The class of a role in the merged measure."""
    part = role.removeprefix("left_").removeprefix("right_")
    return "other" if part in OTHER else role


def score(skeleton: Skeleton, truth: Truth, labels: list[str] | None = None, motion: Motion | None = None) -> Score:
    """Compares `skeleton.roles` with the truth.

    Args:
        skeleton: whose roles are judged.
        truth: what its joints are.
        labels: names of the joints in the truth, in the skeleton's order, where the skeleton itself has lost them.
        motion: of the skeleton; may tell what the rest pose does not.
    """
    labels = list(skeleton.names) if labels is None else labels
    roles = skeleton.roles if motion is None else find_roles(skeleton, motion)
    return compared([roles.role(joint) for joint in range(len(labels))], truth, labels)


def compared(said: list[str], truth: Truth, labels: list[str]) -> Score:
    """Compares a role for each joint with the truth.

    Args:
        said: roles in the order of the labels.
        truth: what the joints are.
        labels: names of the joints in the truth.
    """
    strict = alike = certain = hit = 0
    wrong = []
    for role, label in zip(said, labels, strict=True):
        right = truth.parts[label]
        classes = {merged(one) for one in right}
        found = merged(role) in classes
        strict += role in right
        alike += found
        if len(classes) == 1 and "other" not in classes:
            certain += 1
            hit += found
        if not found:
            wrong.append((label, role or "-", "|".join(sorted(right))))
    return Score(len(labels), strict, alike, certain, hit, tuple(wrong))


def commonest(known: list[Truth]) -> str:
    """The role that is right most often: what one would say who never looks."""
    counts: dict[str, float] = {}
    for truth in known:
        for roles in truth.parts.values():
            for role in {"helper" if merged(role) == "other" else role for role in roles}:
                counts[role] = counts.get(role, 0.0) + 1 / len(truth.parts)
    return max(sorted(counts), key=lambda role: counts[role])


def by_rule_of_thumb(skeleton: Skeleton) -> list[str]:
    """Roles by position and depth alone: what one writes in twenty lines.

    What stands off the plane between left (+X) and right is a limb, counted from its first joint outwards: a leg where
    it ends lower than it begins and on the lower half of the body, else an arm. In the middle the first joint with a
    limb is the hips, the last of the longest way is the head, below the hips is the root, all between is spine.
    """
    at, parents = skeleton.rest_pose.global_positions, skeleton.parents.tolist()
    width, middle = 0.02 * max(float(np.ptp(at)), 1e-9), float(np.mean(at[:, 1]))
    off = [abs(float(x)) > width for x in at[:, 0]]
    said, steps = [""] * len(parents), [0] * len(parents)
    kind: list[tuple[str, ...]] = [()] * len(parents)
    for joint, parent in enumerate(parents):
        if not off[joint]:
            continue
        if parent >= 0 and kind[parent]:
            kind[joint], steps[joint] = kind[parent], steps[parent] + 1
        else:
            leg = at[joint, 1] <= middle
            kind[joint] = ("thigh", "shin", "foot", "toe") if leg else ("shoulder", "upper_arm", "forearm", "hand")
        part = kind[joint][steps[joint]] if steps[joint] < 4 else "finger" if "hand" in kind[joint] else "toes"
        said[joint] = f"{'left' if at[joint, 0] > 0 else 'right'}_{part}"
    carrying = [parent for joint, parent in enumerate(parents) if kind[joint] and parent >= 0 and not kind[parent]]
    hips = min(carrying, default=0)
    lone = [joint for joint in range(len(parents)) if not kind[joint]]
    for joint in lone:
        said[joint] = "root" if joint < hips else "hips" if joint == hips else "spine"
    if lone and lone[-1] != hips:
        said[max(lone, key=lambda joint: int(skeleton.depths[joint]))] = "head"
    return said


def without_hints(skeleton: Skeleton) -> Skeleton:
    """The same skeleton as if its file said nothing about roles."""
    return replace(skeleton, hints={})


def nameless(skeleton: Skeleton, rng: np.random.Generator) -> tuple[Skeleton, list[str]]:
    """The skeleton with joints `j0..` in a random order (parents first), without hints, and the names they had."""
    order = shuffled(skeleton.parents, rng)
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    parents = skeleton.parents[order]
    tips = zip(place[skeleton.tip_joints].tolist(), skeleton.tip_offsets, strict=True)
    bare = Skeleton.create(
        [f"j{joint}" for joint in range(len(order))],
        np.where(parents < 0, -1, place[parents]),
        skeleton.rest_translations[order],
        skeleton.rest_rotations[order],
        tips=tips,
        hinges=[replace(hinge, joint=int(place[hinge.joint])) for hinge in skeleton.hinges],
    )
    return bare, [skeleton.names[joint] for joint in order]


def carried(motion: Motion, bare: Skeleton, labels: list[str]) -> Motion:
    """The motion on the nameless skeleton."""
    order = [motion.skeleton.index(name) for name in labels]
    return Motion.create(bare, motion.local_rotations[:, order], motion[:].local_translations[:, order], fps=motion.fps)


def shuffled(parents: NDArray[np.int32], rng: np.random.Generator) -> NDArray[np.int32]:
    """A random order of the joints in which parents come before their children."""
    children: dict[int, list[int]] = {}
    for joint, parent in enumerate(parents.tolist()):
        children.setdefault(parent, []).append(joint)
    free, order = list(children.get(-1, [])), []
    while free:
        joint = free.pop(int(rng.integers(len(free))))
        order.append(joint)
        free += children.get(joint, [])
    return np.asarray(order, dtype=np.int32)
