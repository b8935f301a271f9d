"""Joints that are on no chain: by their names, else by what they hang on."""

from __future__ import annotations

import numpy as np

from kinema.roles.draft import ALONE, BY_NAME, Draft
from kinema.roles.limb_parts import DIGITS

_OWN = ("twist", "helper", "prop", "hair", "face", "jaw", "eye", "ear", "tail", "wing", "fin", *DIGITS, "toes")
_ON_HEAD = ("head", "jaw", "eye", "ear", "face", "hair")
_SEGMENTS = ("upper_arm", "forearm", "thigh", "shin")
_MOST = 2000  # joints of a skeleton whose loose feet are looked for


def name_branches(draft: Draft) -> None:
    """Give every joint a part that has none yet."""
    _loose_feet(draft)
    for joint, parent in enumerate(draft.tree.parents):
        if draft.done[joint]:
            continue
        said = draft.evidence[joint]
        if said.end and draft.tree.size[joint] == 1:
            draft.put(joint, "helper", BY_NAME)
        elif said.best in _OWN or (said.best and parent < 0):
            draft.put(joint, said.best, BY_NAME)
        elif said.best:
            draft.put(joint, _weighed(draft, joint), 0.75)
        else:
            draft.put(joint, _by_place(draft, joint), ALONE)


def _weighed(draft: Draft, joint: int) -> str:
    """A joint off the chains whose name has a part of the body: muscles and second bones of a segment."""
    said, on = draft.evidence[joint], draft.on(joint)
    if said.best == "head" and draft.trunk.head is not None and on in ("head", "face"):
        return "helper"
    if said.best == on and draft.tree.size[joint] == 1 and on in _SEGMENTS:
        return "twist"
    return said.best


def _by_place(draft: Draft, joint: int) -> str:
    parent, on, plan = draft.tree.parents[joint], draft.on(joint), draft.body.plan
    if on in _ON_HEAD:
        return _on_head(draft, joint)
    if plan == "legless" and parent >= 0 and draft.middle[parent] and draft.partners[joint] != joint:
        return "fin"
    if on in ("tail", "wing", "fin", "toes", "twist", *DIGITS, "prop", "leg"):
        return on
    if plan == "winged" and on in ("shoulder", "upper_arm", "forearm", "hand"):
        return "wing"
    if on in (*_SEGMENTS, "shoulder"):
        return "twist" if draft.tree.size[joint] <= 3 else "helper"
    return "helper"


def _on_head(draft: Draft, joint: int) -> str:
    tree, parent = draft.tree, draft.tree.parents[joint]
    if draft.parts[parent] != "head":
        return draft.parts[parent]
    leaf = tree.size[joint] == 1
    if draft.partners[joint] != joint:
        if tree.size[parent] > 20:
            return "face"
        return "eye" if leaf else "ear" if tree.size[joint] <= 5 else "face"
    if leaf and len(tree.children[parent]) == 1:
        return "helper"
    rise = float((tree.placed[joint] - tree.placed[parent]) @ draft.body.up)
    crowded = tree.size[parent] > 6
    return "helper" if leaf and rise > 0.5 * tree.lengths[joint] else "face" if crowded else "jaw"


def _loose_feet(draft: Draft) -> None:
    """Feet that hang on no leg, as rigs for games have that move them by inverse kinematics."""
    tree, count = draft.tree, len(draft.parts)
    for limb in draft.limbs:
        reading = draft.readings.get(limb.roots)
        if limb.kind not in ("leg", "front_leg") or reading is None or count >= _MOST:
            continue
        knee_part, last = ("shin", "foot") if limb.kind == "leg" else ("forearm", "hand")
        for joints in (reading.ours, reading.theirs):
            if last in joints or len(joints) < 2:
                continue
            knee = joints[knee_part]
            options = [
                joint
                for joint in range(count)
                if not draft.done[joint]
                and not draft.middle[joint]
                and tree.size[joint] <= 4
                and draft.evidence[joint].best in ("", "foot", "hand")
                and tree.parents[joint] != knee
            ]
            if not options:
                continue
            tip = tree.placed[knee] - draft.body.up * tree.lengths[knee]
            best = min(options, key=lambda joint: float(np.linalg.norm(tree.placed[joint] - tip)))
            if float(np.linalg.norm(tree.placed[best] - tip)) < 0.75 * max(tree.lengths[knee], 1e-9):
                draft.put(best, last, 0.55)
