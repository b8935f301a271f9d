"""The recogniser: every joint's part, side and partner, from names, shape and, if given, motion.

It goes from the whole to the joint: mirror partners (`symmetry`), limbs and plan (`limbs`, `body`), the segments of
each limb (`limb_reading`, `segments`), the middle (`trunk`), then parts of all joints (`limb_parts`, `digits`,
`branches`) and last which side is left (`facing`, `sides`). Names are heard at every step as evidence among the
evidence of shape, so a skeleton without names takes the same way.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from kinema import naming, rotations
from kinema.motion import Motion
from kinema.roles import limb_reading
from kinema.roles.body import find_body
from kinema.roles.branches import name_branches
from kinema.roles.draft import Draft
from kinema.roles.limb_parts import name_limbs
from kinema.roles.limbs import Limb, find_limbs, find_middle
from kinema.roles.model import PARTS, Chain, Roles, Side
from kinema.roles.sides import sided, tell_facing, tell_sides
from kinema.roles.symmetry import find_plane, pair_up
from kinema.roles.tree import Floats, look
from kinema.roles.trunk import find_trunk
from kinema.roles.view import with_view
from kinema.roles.vocabulary import Evidence, read_name
from kinema.skeleton import Skeleton

Hints = dict[int, tuple[str, Side | None]]

_COUNTED = ("upper_arm", "thigh", "shin", "leg", "hand", "foot")
_NUMBER = re.compile("[0-9]+")
_COPY = re.compile(r"\.[0-9]{3}$")


def find_roles(skeleton: Skeleton, motion: Motion | None = None) -> Roles:
    """The roles of a skeleton's joints. Never fails: what is not found is "", empty or None.

    Args:
        skeleton: any; its `hints` overrule.
        motion: of that skeleton; tells up, forward and sides where the rest pose does not.
    """
    hints = hinted(skeleton)
    draft = begin(skeleton, motion)
    _name_middle(draft)
    name_limbs(draft)
    name_branches(draft)
    facing = tell_facing(draft)
    sides = tell_sides(draft, facing)
    silent = [not said.parts for said in draft.evidence]  # calibrated on bodies whose roles are known
    draft.confidence[silent] = np.sqrt(draft.confidence[silent])
    for joint, (part, side) in hints.items():
        draft.parts[joint], sides[joint], draft.confidence[joint] = part, side, 1.0
    named = len(silent) - sum(silent) > 0.3 * len(silent)
    roles = Roles(
        draft.body.hips,
        (),
        None,
        None,
        (),
        (),
        tuple(draft.parts),
        tuple(sides),
        np.asarray(draft.partners, np.int32),
        draft.confidence,
        sided(draft, sides, facing),
        draft.body.plan,
        "hints" if hints else "names" if named else "shape",
    )
    return with_view(roles, skeleton)


def hinted(skeleton: Skeleton) -> Hints:
    """Part and side by joint that the skeleton's hints state; hints that are no roles are left out."""
    found: Hints = {}
    for name, role in skeleton.hints.items():
        side, _, part = role.partition("_")
        told: tuple[str, Side | None] = (part, side) if side in ("left", "right") and part else (role, None)  # type: ignore[assignment]
        if told[0] in PARTS:
            found[skeleton.index(name)] = told
    return found


def begin(skeleton: Skeleton, motion: Motion | None = None) -> Draft:
    """The whole: partners, limbs and plan, the segments of each limb, and the middle; no joint has a part yet."""
    hints, axes = hinted(skeleton), _axes(skeleton)
    evidence = [_hear(skeleton, joint, hints, joint in axes) for joint in range(skeleton.joint_count)]
    _forget_copied(skeleton, evidence, hints)
    tree = look(skeleton, motion)
    plane = find_plane(tree)
    partners = pair_up(tree, skeleton.names, evidence, plane)
    _pair_hinted(partners, hints)
    middle = find_middle(tree, partners)
    limbs = find_limbs(tree, partners, evidence)
    body = find_body(tree, limbs, middle, evidence)
    for limb in limbs:
        _forget_counted(skeleton, limb, partners, evidence, hints)
    hearing = limb_reading.Hearing(tree, evidence, partners, middle)
    readings = {limb.roots: limb_reading.read(hearing, limb, body.up, axes) for limb in limbs if body.segmented(limb)}
    toes = [readings[limb.roots].ours.get("toe") for limb in body.of("leg") if limb.roots in readings]
    body.tipped = any(toe is not None and tree.next[toe] >= 0 for toe in toes)
    trunk = find_trunk(tree, body, middle, partners, evidence)
    return Draft(tree, evidence, plane, partners, middle, body, trunk, readings)


def _axes(skeleton: Skeleton) -> dict[int, Floats]:
    """Axes of hinges in the world of the rest pose."""
    if not skeleton.hinges:
        return {}
    joints = [hinge.joint for hinge in skeleton.hinges]
    local = np.array([hinge.axis for hinge in skeleton.hinges], np.float64)
    turned = rotations.rotate(skeleton.rest_pose.global_rotations[joints].astype(np.float64), local)
    return dict(zip(joints, turned, strict=True))


def _hear(skeleton: Skeleton, joint: int, hints: Hints, hinge: bool) -> Evidence:
    name = skeleton.names[joint]
    said = read_name(name, hinge)
    if joint in hints:
        part, side = hints[joint]
        return Evidence({part: 1.0} if part else {}, side, said.level, False, name)
    return replace(said, end=False) if said.end and skeleton.children[joint] else said


def _forget_copied(skeleton: Skeleton, evidence: list[Evidence], hints: Hints) -> None:
    """Drop the side of Blender's copies, `Leg.L.001` beside `Leg.L` without a `Leg.R`: it is the original's."""
    known = {name: joint for joint, name in enumerate(skeleton.names)}
    for joint, name in enumerate(skeleton.names):
        original = known.get(_COPY.sub("", name), joint)
        if original == joint or joint in hints or skeleton.parents[original] != skeleton.parents[joint]:
            continue
        if naming.mirrored(name) not in known and naming.mirrored(skeleton.names[original]) not in known:
            evidence[joint] = replace(evidence[joint], side=None)


def _pair_hinted(partners: list[int], hints: Hints) -> None:
    """Make partners of the only two joints that are stated to be the left and the right of a part."""
    stated: dict[tuple[str, Side | None], list[int]] = {}
    for joint, role in hints.items():
        stated.setdefault(role, []).append(joint)
    for (part, side), joints in stated.items():
        others = stated.get((part, "right"), []) if side == "left" else []
        if len(joints) == len(others) == 1:
            one, other = joints[0], others[0]
            for joint in (one, other):
                partners[partners[joint]] = partners[joint]
            partners[one], partners[other] = other, one


def _forget_counted(
    skeleton: Skeleton, limb: Limb, partners: list[int], evidence: list[Evidence], hints: Hints
) -> None:
    """Drop names that say the same of a whole limb, `arm_1` to `arm_4`: they do not tell its segments."""
    groups: dict[str, list[int]] = {}
    for joint in limb.path:
        if evidence[joint].best in _COUNTED:
            groups.setdefault(_NUMBER.sub("", skeleton.names[joint]), []).append(joint)
    for joint in (joint for group in groups.values() if len(group) >= 3 for joint in group):
        for at in (joint, partners[joint]):
            if at not in hints:
                evidence[at] = replace(evidence[at], parts={})


def _name_middle(draft: Draft) -> None:
    """Give the joints of the trunk, the head and tails their parts, and make their chains."""
    trunk, sure = draft.trunk, 0.45 + 0.4 * draft.body.margin
    for part, joints in (("root", trunk.root), ("hips", trunk.hips), ("spine", trunk.spine), ("neck", trunk.neck)):
        for joint in joints:
            best = draft.evidence[joint].best
            draft.put(joint, best if best in ("helper", "prop") and part in ("spine", "neck") else part, sure)
    if trunk.head is not None:
        draft.put(trunk.head, "head", sure)
    for order, tail in enumerate(trunk.tails):
        for joint in tail:
            draft.put(joint, "spine" if draft.evidence[joint].best == "spine" else "tail", 0.6)
        draft.chains.append(Chain("tail", None, tuple(tail), order))
    spine = trunk.hips[-1:] + trunk.spine
    if len(spine) > 1:
        draft.chains.append(Chain("spine", None, tuple(spine)))
    if trunk.neck:
        draft.chains.append(Chain("neck", None, tuple(trunk.neck)))
    if trunk.head is not None:
        draft.chains.append(Chain("head", None, (trunk.head,)))
