"""Which joints are left and which are right: by names, else by where the body faces."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kinema.roles.draft import Draft
from kinema.roles.facing import Facing, apart, face
from kinema.roles.model import Chain, Side

_MOST = 60  # joints of a subtree whose names are heard


def tell_facing(draft: Draft) -> Facing:
    """Where the body faces; which of each pair is left by names, if any tell."""
    limbs = [limb for limb in draft.limbs if limb.kind] or draft.limbs
    plane = draft.plane
    if not limbs:
        return face(draft.tree, draft.body, draft.trunk, [], [], [], [], plane.normal if plane is not None else None)
    legs, arms, pairs = [], [], []
    told = 0
    for limb in limbs:
        one, other = limb.roots
        turn = _turn(draft, one, other)
        pairs.append((one, other) if turn > 0 else (other, one))
        told += turn * int(np.sign(_votes(draft, one) - _votes(draft, other)))
        if limb.roots in draft.readings:
            reading = draft.readings[limb.roots]
            both = (reading.theirs, reading.ours) if turn < 0 else (reading.ours, reading.theirs)
            (legs if limb.kind == "leg" else arms).append(both)
    normal = plane.normal if plane is not None and draft.tree.posed else None
    return face(draft.tree, draft.body, draft.trunk, pairs, legs, arms, draft.thumbs, normal, float(np.sign(told)))


def tell_sides(draft: Draft, facing: Facing) -> list[Side | None]:
    """The side of each joint. Makes joints less sure whose side only the facing tells."""
    sides: list[Side | None] = [None] * len(draft.parts)
    for joint, partner in enumerate(draft.partners):
        parent = draft.tree.parents[joint]
        if draft.middle[joint]:
            continue
        if parent >= 0 and sides[parent] is not None:  # a limb's joints are on the side of its root
            sides[joint] = sides[parent]
        elif partner != joint:
            sides[joint] = _side(draft, joint, partner, facing)
        else:
            sides[joint] = draft.evidence[joint].side
    for joint, said in enumerate(draft.evidence):
        if sides[joint] is None and said.side and draft.partners[joint] == joint:
            sides[joint] = said.side
        if sides[joint] is not None and not said.side:
            draft.confidence[joint] *= 0.6 + 0.4 * facing.sure
    return sides


def sided(draft: Draft, sides: list[Side | None], facing: Facing) -> tuple[Chain, ...]:
    """The chains with sides and counted: limbs from front to back, others as they come."""
    groups: dict[tuple[str, Side | None], list[Chain]] = {}
    for chain in draft.chains:
        if chain.joints:
            side = sides[chain.joints[0]]
            groups.setdefault((chain.kind, side), []).append(replace(chain, side=side))
    found: list[Chain] = []
    for (kind, _), group in groups.items():
        if kind in ("leg", "front_leg", "wing", "fin") and len(group) > 1:
            group = sorted(group, key=lambda chain: -float(draft.tree.placed[chain.joints[-1]] @ facing.forward))
        found.extend(replace(chain, order=number) for number, chain in enumerate(group))
    return tuple(found)


def _votes(draft: Draft, root: int) -> int:
    """How many more names of a subtree say left than right."""
    said = [draft.evidence[joint].side for joint in draft.tree.below(root, _MOST)]
    return said.count("left") - said.count("right")


def _turn(draft: Draft, one: int, other: int) -> int:
    """+1 or -1: on which side of the mirror plane the first of a pair is."""
    tree = draft.tree
    if not tree.posed and len(tree.poses):
        return _turn_in_motion(draft, one, other)
    normal = draft.plane.normal if draft.plane is not None else np.array([1.0, 0.0, 0.0])
    apart = tree.placed[one] - tree.placed[other]
    across = float(apart @ normal)
    if abs(across) < max(0.3 * float(np.linalg.norm(apart)), 1e-4 * tree.extent):
        across = float((tree.centres[one] - tree.centres[other]) @ normal)
    return -1 if across < 0 else 1


def _turn_in_motion(draft: Draft, one: int, other: int) -> int:
    """+1 or -1: whether the first of a pair is on the side of the first of the body's first limb, most of the time."""
    poses, limbs = draft.tree.poses, [limb for limb in draft.limbs if limb.kind] or draft.limbs
    if not limbs:
        return 1
    first, second = apart(draft.tree, *limbs[0].roots)
    a, b = apart(draft.tree, one, other)
    across = float(((poses[:, a] - poses[:, b]) * (poses[:, first] - poses[:, second])).sum())
    return -1 if across < 0 else 1


def _side(draft: Draft, joint: int, partner: int, facing: Facing) -> Side:
    told = _votes(draft, joint) - _votes(draft, partner)
    if told:
        return "left" if told > 0 else "right"
    return "left" if _turn(draft, joint, partner) * facing.sign > 0 else "right"
