"""Which joints are left and which are right: by names, else by where the body faces."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kinema.roles.draft import Draft
from kinema.roles.facing import Facing, FacingEvidence, apart, face
from kinema.roles.limbs import LimbPair
from kinema.roles.model import Chain, Side

_MOST = 60  # joints of a subtree whose names are read


def find_facing(draft: Draft) -> Facing:
    """Where the body faces. Names, if they state sides, decide which of each pair is left."""
    evidence, named = FacingEvidence(), 0
    for limb in _limbs(draft):
        one, other = limb.roots
        if limb.roots in draft.readings:
            reading = draft.readings[limb.roots]
            sides = (reading.ours, reading.theirs) if one != other else (reading.ours,)
            (evidence.legs if limb.kind == "leg" else evidence.arms).extend(sides)
        if one == other:
            continue
        turn = _turn(draft, one, other)
        evidence.pairs.append((one, other) if turn > 0 else (other, one))
        named += turn * int(np.sign(_votes(draft, one) - _votes(draft, other)))
    return face(draft, evidence, float(np.sign(named)))


def find_sides(draft: Draft, facing: Facing) -> list[Side | None]:
    """The side of each joint. Lowers the confidence of joints whose side only the facing decides."""
    sides: list[Side | None] = [None] * len(draft.parts)
    for joint, partner in enumerate(draft.partners):
        if draft.middle[joint]:
            continue
        parent = draft.tree.parents[joint]
        if parent >= 0 and sides[parent] is not None:  # a limb's joints are on the side of its root
            sides[joint] = sides[parent]
        elif partner != joint:
            sides[joint] = _side(draft, joint, partner, facing)
        else:
            sides[joint] = draft.evidence[joint].side or _side_of_lone(draft, joint, facing)
    for joint, said in enumerate(draft.evidence):
        if said.side is None and sides[joint] is not None:
            draft.confidence[joint] *= 0.6 + 0.4 * facing.sure
        elif sides[joint] is None and draft.partners[joint] == joint:
            sides[joint] = said.side
    return sides


def sided_chains(draft: Draft, sides: list[Side | None], facing: Facing) -> tuple[Chain, ...]:
    """The chains with sides and numbers: limbs from front to back, others in the order of the tree."""
    groups: dict[tuple[str, Side | None], list[Chain]] = {}
    for chain in draft.chains:
        side = sides[chain.joints[0]]
        groups.setdefault((chain.kind, side), []).append(replace(chain, side=side))
    found: list[Chain] = []
    for (kind, _), group in groups.items():
        if kind in ("leg", "front_leg", "wing", "fin"):
            group = sorted(group, key=lambda chain: -float(draft.tree.positions[chain.joints[-1]] @ facing.forward))
        found.extend(replace(chain, order=number) for number, chain in enumerate(group))
    return tuple(found)


def _limbs(draft: Draft) -> list[LimbPair]:
    """The pairs that are limbs; all pairs if none is."""
    return [limb for limb in draft.limbs if limb.kind] or draft.limbs


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
    between = tree.positions[one] - tree.positions[other]
    across = float(between @ normal)
    if abs(across) < max(0.3 * float(np.linalg.norm(between)), 1e-4 * tree.extent):
        across = float((tree.centres[one] - tree.centres[other]) @ normal)
    return -1 if across < 0 else 1


def _turn_in_motion(draft: Draft, one: int, other: int) -> int:
    """+1 or -1: whether the first of a pair is on the side of the first of the body's first limb in most frames."""
    poses, limbs = draft.tree.poses, _limbs(draft)
    if not limbs:
        return 1
    first, second = apart(draft.tree, *limbs[0].roots)
    a, b = apart(draft.tree, one, other)
    across = float(((poses[:, a] - poses[:, b]) * (poses[:, first] - poses[:, second])).sum())
    return -1 if across < 0 else 1


def _side_of_lone(draft: Draft, joint: int, facing: Facing) -> Side | None:
    """The side of a limb without a partner, by where it ends; None for other joints."""
    if not any(limb.kind and limb.roots == (joint, joint) for limb in draft.limbs) or draft.plane is None:
        return None
    way = draft.tree.ends[draft.tree.path_end(joint)] - draft.plane.point
    return "left" if float(way @ facing.left) > 0 else "right"


def _side(draft: Draft, joint: int, partner: int, facing: Facing) -> Side:
    named = _votes(draft, joint) - _votes(draft, partner)
    if named:
        return "left" if named > 0 else "right"
    return "left" if _turn(draft, joint, partner) * facing.sign > 0 else "right"
