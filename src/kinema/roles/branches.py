"""Joints that are on no chain: their parts by name, else by what they hang on."""

from __future__ import annotations

from kinema.roles.digits import DIGITS
from kinema.roles.draft import ALONE, BY_NAME, Draft

_BY_NAME = ("twist", "helper", "prop", "hair", "face", "jaw", "eye", "ear", "tail", "wing", "fin", *DIGITS, "toes")
_ON_HEAD = ("head", "jaw", "eye", "ear", "face", "hair")
_SEGMENTS = ("upper_arm", "forearm", "thigh", "shin")
_INHERITED = ("tail", "wing", "fin", "toes", "twist", *DIGITS, "prop", "leg")


def name_branches(draft: Draft) -> None:
    """Decide the part of every joint that has none yet."""
    for joint, done in enumerate(draft.done):
        if not done:
            draft.put(joint, *_part(draft, joint))


def _part(draft: Draft, joint: int) -> tuple[str, float]:
    """The part of a joint, and the confidence in it."""
    said = draft.evidence[joint]
    if said.end and draft.tree.size[joint] == 1:
        return "helper", BY_NAME
    if not said.best:
        return _unnamed_part(draft, joint), ALONE
    if said.best in _BY_NAME or draft.tree.parents[joint] < 0:
        return said.best, BY_NAME
    return _named_part(draft, joint), 0.75


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
    rise = float((tree.positions[joint] - tree.positions[parent]) @ draft.body.up)
    if leaf and rise > 0.5 * tree.lengths[joint]:  # the top of the head
        return "helper"
    return "face" if tree.size[parent] > 6 else "jaw"


def _paired_part_on_head(joints_of_head: int, joints: int) -> str:
    if joints_of_head > 20 or joints > 5:
        return "face"
    return "eye" if joints == 1 else "ear"
