"""Finds every joint's part, side and partner from names, shape and, if given, motion.

The recogniser goes from the whole to the joint: mirror partners (`clues`, `symmetry`), limbs and plan (`limbs`,
`body`), the segments of each limb (`limb_reading`, `segments`), the middle (`trunk`), then the parts of all joints
(`limb_parts`, `digits`, `branches`) and last which side is left (`facing`, `sides`). Before, it connects the joints as
those of a body (`body_tree`): feet hang on their legs (`detached`) and the root is at the hips (`rooting`). Names are
evidence at every step beside that of shape, so a skeleton without names takes the same path.
"""

from __future__ import annotations

import re
from dataclasses import fields, replace
from typing import TYPE_CHECKING

import numpy as np

from kinema.arrays import Floats
from kinema.roles import limb_reading
from kinema.roles.body import find_body
from kinema.roles.body_tree import BodyTree, turned_over
from kinema.roles.branches import name_branches
from kinema.roles.clues import Clues, Hints, gather, hinge_axes, hinted
from kinema.roles.detached import find_detached
from kinema.roles.draft import Draft
from kinema.roles.limb_parts import name_limbs
from kinema.roles.limbs import LimbPair, find_limbs
from kinema.roles.model import Roles
from kinema.roles.rooting import find_root
from kinema.roles.sides import find_facing, find_sides, sided_chains
from kinema.roles.tree import sampled
from kinema.roles.trunk import find_trunk
from kinema.roles.view import with_view

if TYPE_CHECKING:
    from kinema.motion import Motion
    from kinema.skeleton import Skeleton

_COUNTED = ("upper_arm", "thigh", "shin", "leg", "hand", "foot")
_NUMBER = re.compile("[0-9]+")


def find_roles(skeleton: Skeleton, motion: Motion | None = None) -> Roles:
    """The roles of a skeleton's joints. Never fails: what is not found is "", empty or None.

    Args:
        skeleton: any; its `hints` take precedence.
        motion: a motion of that skeleton; decides up, forward and sides where the rest pose does not.
    """
    draft = begin(skeleton, motion)
    hints = hinted(draft.connected.skeleton)
    _name_middle(draft)
    name_limbs(draft)
    name_branches(draft)
    facing = find_facing(draft)
    sides = find_sides(draft, facing)
    unnamed = [not said.parts for said in draft.evidence]
    draft.confidence[unnamed] = np.sqrt(draft.confidence[unnamed])  # calibrated on bodies with known roles
    for joint, (part, side) in hints.items():
        draft.parts[joint], sides[joint], draft.confidence[joint] = part, side, 1.0
    by_names = len(unnamed) - sum(unnamed) > 0.3 * len(unnamed)
    roles = Roles(
        hips=draft.body.hips,
        parts=tuple(draft.parts),
        sides=tuple(sides),
        partners=np.asarray(draft.partners, np.int32),
        confidence=draft.confidence,
        chains=sided_chains(draft, sides, facing),
        plan=draft.body.plan,
        found_by="hints" if hints else "names" if by_names else "shape",
    )
    return with_view(draft.connected.in_file(roles, skeleton), skeleton)


def begin(skeleton: Skeleton, motion: Motion | None = None) -> Draft:
    """The draft of a skeleton: partners, limbs, plan, segments and trunk, but no parts of joints yet."""
    poses, connected = sampled(motion), BodyTree.of(skeleton)
    clues, limbs = _seen(connected, poses)
    feet = find_detached(clues, limbs)
    if feet:
        connected = connected.joined(feet)
        clues, limbs = _seen(connected, poses)
    body = find_body(clues, limbs)
    root = find_root(clues, body)
    if root is not None:
        connected = connected.joined(turned_over(clues.tree.parents, root))
        clues, limbs = _seen(connected, poses)
        body = find_body(clues, limbs)
    hints, axes = hinted(connected.skeleton), hinge_axes(connected.skeleton)
    for limb in limbs:
        _ignore_counted_names(clues, limb, hints)
    readings = {
        limb.roots: limb_reading.read(clues, limb, body.up, axes, body.backward(limb))
        for limb in limbs
        if body.segmented(limb)
    }
    toes = [readings[limb.roots].ours.get("toe") for limb in body.of("leg") if limb.roots in readings]
    body.tipped = any(toe is not None and clues.tree.next[toe] >= 0 for toe in toes)
    trunk = find_trunk(clues, body)
    return Draft(
        **{field.name: getattr(clues, field.name) for field in fields(clues)},
        connected=connected,
        body=body,
        trunk=trunk,
        readings=readings,
    )


def _seen(connected: BodyTree, poses: Floats | None) -> tuple[Clues, list[LimbPair]]:
    """The clues of a body and its pairs of limbs."""
    skeleton = connected.skeleton
    ordered = None if poses is None else poses[:, connected.joints]
    clues = gather(skeleton, ordered, hinted(skeleton), hinge_axes(skeleton))
    return clues, find_limbs(clues)


def _ignore_counted_names(clues: Clues, limb: LimbPair, hints: Hints) -> None:
    """Drop names that are the same along a whole limb, `arm_1` to `arm_4`: they do not identify its segments."""
    evidence = clues.evidence
    named = [joint for joint in limb.path if evidence[joint].best in _COUNTED]
    plain = [_NUMBER.sub("", evidence[joint].name) for joint in named]
    counted = [joint for joint, name in zip(named, plain, strict=True) if plain.count(name) >= 3]
    for joint in {*counted, *(clues.partners[joint] for joint in counted)} - hints.keys():
        evidence[joint] = replace(evidence[joint], parts={})


def _name_middle(draft: Draft) -> None:
    """Decide the parts of trunk, head and tails, and add their chains."""
    trunk, sure = draft.trunk, 0.45 + 0.4 * draft.body.margin
    head = [] if trunk.head is None else [trunk.head]
    for part, joints in (("root", trunk.root), ("hips", trunk.hips), ("head", head)):
        for joint in joints:
            draft.put(joint, part, sure)
    for part, joints in (("spine", trunk.spine), ("neck", trunk.neck)):
        for joint in joints:
            best = draft.evidence[joint].best
            draft.put(joint, best if best in ("helper", "prop") else part, sure)
    _name_tails(draft)
    if len(trunk.hips[-1:] + trunk.spine) > 1:
        draft.add_chain("spine", trunk.hips[-1:] + trunk.spine)
    draft.add_chain("neck", trunk.neck)
    draft.add_chain("head", head)


def _name_tails(draft: Draft) -> None:
    for order, tail in enumerate(draft.trunk.tails):
        for joint in tail:
            draft.put(joint, "spine" if draft.evidence[joint].best == "spine" else "tail", 0.6)
        draft.add_chain("tail", tail, order)
