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
- merged: the parts of ``OTHER`` are one class without a side. What moves nothing of the body, stands above it or sits
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


def score(
    skeleton: Skeleton, truth: Truth, labels: list[str] | None = None, motion: Motion | None = None
) -> Score:
    """Compares `skeleton.roles` with the truth.

    Args:
        skeleton: whose roles are judged.
        truth: what its joints are.
        labels: names of the joints in the truth, in the skeleton's order, where the skeleton itself has lost them.
        motion: of the skeleton; may tell what the rest pose does not.
    """
    labels = list(skeleton.names) if labels is None else labels
    roles = skeleton.roles if motion is None else find_roles(skeleton, motion)
    strict = alike = certain = hit = 0
    wrong = []
    for joint, label in enumerate(labels):
        said, right = roles.role(joint), truth.parts[label]
        classes = {merged(role) for role in right}
        found = merged(said) in classes
        strict += said in right
        alike += found
        if len(classes) == 1 and "other" not in classes:
            certain += 1
            hit += found
        if not found:
            wrong.append((label, said or "-", "|".join(sorted(right))))
    return Score(len(labels), strict, alike, certain, hit, tuple(wrong))


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
    return Motion.create(bare, motion.local_rotations[:, order], motion.translations()[:, order], fps=motion.fps)


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
