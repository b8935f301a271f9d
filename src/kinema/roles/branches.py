"""Joints that are on no chain: their parts by name, else by what they hang on."""

from __future__ import annotations

import numpy as np

from kinema.roles.digits import DIGITS
from kinema.roles.draft import ALONE, BY_NAME, Draft
from kinema.roles.tree import Floats

_BY_NAME = ("twist", "helper", "prop", "hair", "face", "jaw", "eye", "ear", "tail", "wing", "fin", *DIGITS, "toes")
_ON_HEAD = ("head", "jaw", "eye", "ear", "face", "hair")
_SEGMENTS = ("upper_arm", "forearm", "thigh", "shin")
_INHERITED = ("tail", "wing", "fin", "toes", "twist", *DIGITS, "prop", "leg")
_MOST = 2000  # joints of a skeleton whose detached feet are searched for


def name_branches(draft: Draft) -> None:
    """Decide the part of every joint that has none yet."""
    _find_detached_feet(draft)
    for joint, parent in enumerate(draft.tree.parents):
        if draft.done[joint]:
            continue
        said = draft.evidence[joint]
        if said.end and draft.tree.size[joint] == 1:
            draft.put(joint, "helper", BY_NAME)
        elif said.best in _BY_NAME or (said.best and parent < 0):
            draft.put(joint, said.best, BY_NAME)
        elif said.best:
            draft.put(joint, _named_part(draft, joint), 0.75)
        else:
            draft.put(joint, _unnamed_part(draft, joint), ALONE)


def _named_part(draft: Draft, joint: int) -> str:
    """The part of a joint named like a segment: a muscle, or a second bone of the segment."""
    said, on = draft.evidence[joint], draft.on(joint)
    if said.best == "head" and draft.trunk.head is not None and on in ("head", "face"):
        return "helper"
    if said.best == on and draft.tree.size[joint] == 1 and on in _SEGMENTS:
        return "twist"
    return said.best


def _unnamed_part(draft: Draft, joint: int) -> str:
    """The part of a joint by that of its parent."""
    parent, on, plan = draft.tree.parents[joint], draft.on(joint), draft.body.plan
    if on in _ON_HEAD:
        return _part_on_head(draft, joint)
    if plan == "legless" and parent >= 0 and draft.middle[parent] and draft.partners[joint] != joint:
        return "fin"
    if on in _INHERITED:
        return on
    if plan == "winged" and on in ("shoulder", "upper_arm", "forearm", "hand"):
        return "wing"
    if on in (*_SEGMENTS, "shoulder"):
        return "twist" if draft.tree.size[joint] <= 3 else "helper"
    return "helper"


def _part_on_head(draft: Draft, joint: int) -> str:
    tree, parent = draft.tree, draft.tree.parents[joint]
    if draft.parts[parent] != "head":
        return draft.parts[parent]
    leaf = tree.size[joint] == 1
    if draft.partners[joint] != joint:
        return _paired_part_on_head(tree.size[parent], tree.size[joint])
    if leaf and len(tree.children[parent]) == 1:
        return "helper"
    rise = float((tree.placed[joint] - tree.placed[parent]) @ draft.body.up)
    if leaf and rise > 0.5 * tree.lengths[joint]:  # the top of the head
        return "helper"
    return "face" if tree.size[parent] > 6 else "jaw"


def _paired_part_on_head(joints_of_head: int, joints: int) -> str:
    if joints_of_head > 20 or joints > 5:
        return "face"
    return "eye" if joints == 1 else "ear"


def _find_detached_feet(draft: Draft) -> None:
    """Decide feet that hang on no leg, as in rigs for games that move them by inverse kinematics."""
    if len(draft.parts) >= _MOST:
        return
    for limb in draft.limbs:
        reading = draft.readings.get(limb.roots)
        if limb.kind not in ("leg", "front_leg") or reading is None:
            continue
        knee_part, last = ("shin", "foot") if limb.kind == "leg" else ("forearm", "hand")
        for joints in (reading.ours, reading.theirs):
            if last in joints or len(joints) < 2:
                continue
            knee = joints[knee_part]
            length = draft.tree.lengths[knee]
            expected = draft.tree.placed[knee] - draft.body.up * length
            foot = _nearest_detached(draft, knee, expected, 0.75 * max(length, 1e-9))
            if foot is not None:
                draft.put(foot, last, 0.55)


def _nearest_detached(draft: Draft, knee: int, expected: Floats, most: float) -> int | None:
    """The joint nearest to a position, within `most` metres, that can be a detached foot."""
    tree = draft.tree
    options = [
        joint
        for joint, parent in enumerate(tree.parents)
        if not draft.done[joint]
        and not draft.middle[joint]
        and tree.size[joint] <= 4
        and draft.evidence[joint].best in ("", "foot", "hand")
        and parent != knee
    ]
    distances = [float(np.linalg.norm(tree.placed[joint] - expected)) for joint in options]
    if not distances or min(distances) >= most:
        return None
    return options[distances.index(min(distances))]
