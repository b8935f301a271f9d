"""Where a body faces: up, forward, and which side of the mirror plane is left.

Toes, knees, thumbs, tails and the way from hips to chest of an animal vote along the two directions that are square to
the up and the lateral direction. Left is up x forward.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kinema.roles.body import Body
from kinema.roles.tree import Floats, Tree
from kinema.roles.trunk import Trunk

Reading = Mapping[str, int]
_Y, _Z = np.eye(3)[1], np.eye(3)[2]


@dataclass(frozen=True, eq=False)
class Facing:
    """Unit vectors `up`, `forward` and `left` `[3]` in the world of the pose that was looked at, `sign` +1
    where the first of each pair is left, else -1, and how sure that is, 0 to 1."""

    up: Floats
    forward: Floats
    left: Floats
    sign: float
    sure: float


def _unit(way: Floats, fallback: Floats) -> Floats:
    length = float(np.linalg.norm(way))
    return way / length if length > 1e-9 else fallback


def face(
    tree: Tree,
    body: Body,
    trunk: Trunk,
    pairs: Sequence[tuple[int, int]],
    legs: Sequence[tuple[Reading, Reading]],
    arms: Sequence[tuple[Reading, Reading]],
    thumbs: Sequence[int],
    normal: Floats | None,
    known: float = 0.0,
) -> Facing:
    """The facing by the votes of a body's parts.

    Args:
        tree: the skeleton's shape.
        body: its limbs.
        trunk: its middle.
        pairs: first joints of the limbs, (one, other), all ones on one side.
        legs: joints by part of both sides, in the order of `pairs`.
        arms: likewise.
        thumbs: first joints of thumbs.
        normal: normal of the mirror plane.
        known: +1 where names tell that the first of each pair is left, -1 right, 0 not known.
    """
    pairs = [apart(tree, one, other) for one, other in pairs]
    poses = [tree.placed] if tree.posed else []
    if len(tree.poses):
        poses += list(tree.poses)
    if not poses:
        poses = [tree.placed]
    votes = 0.0
    first: tuple[Floats, Floats] | None = None
    up_moving = _up_of(tree, body)
    for number, placed in enumerate(poses):
        up = body.up if number == 0 and tree.posed else up_moving
        lateral = _lateral(placed, pairs, up, normal if number == 0 else None)
        if lateral is None:
            continue
        forward = _unit(np.cross(lateral, up), _Z)
        if first is None:
            first = (up, lateral)
        points = _votes(tree, body, trunk, placed, legs, arms, thumbs, forward, up, number == 0 and tree.posed)
        votes += points * (1.0 if number == 0 else 2.0 / len(poses))
    votes += _travel(tree, body, pairs)
    up, lateral = first if first is not None else (body.up, _left_of(body.up))
    if not known and not tree.posed and not len(tree.poses):
        known = _usual_side(tree, body, trunk, pairs)
        sure_of_side = 0.5
    else:
        sure_of_side = 1.0
    if known:
        sign, sure = float(np.sign(known)), sure_of_side
    else:
        ahead = float(np.cross(lateral, up)[2])
        prior = 0.25 * np.sign(ahead) if abs(ahead) > 0.5 else 0.0  # most files face +Z
        sign = float(np.sign(votes + prior)) or 1.0
        sure = float(np.clip(abs(votes) / 2.0, 0.05, 1.0))
    left = sign * lateral
    return Facing(up, _unit(np.cross(left, up), _Z), left, sign, sure)


def apart(tree: Tree, one: int, other: int) -> tuple[int, int]:
    """The first joints down two limbs that stand apart: hips and shoulders of some rigs begin in one point."""
    for joints in zip(tree.path(one), tree.path(other), strict=False):
        if np.linalg.norm(tree.placed[joints[0]] - tree.placed[joints[1]]) > 1e-3 * tree.extent:
            return joints
    return one, other


def _left_of(up: Floats) -> Floats:
    """Left of a body that faces +Z."""
    return _unit(np.asarray(np.cross(up, _Z), np.float64), np.eye(3)[0])


def _up_of(tree: Tree, body: Body) -> Floats:
    """Up in a motion: the axis of the world that points away from the feet most of the time; +Y where none does."""
    legs = body.of("leg")
    if not len(tree.poses) or not legs:
        return _Y
    limb = legs[0]
    ends = [tree.path(root)[-1] for root in limb.roots]
    way = (tree.poses[:, list(limb.roots)] - tree.poses[:, ends]).mean(axis=(0, 1))
    axis = int(np.argmax(np.abs(way)))
    if axis == 1 or abs(way[axis]) < 0.8 * float(np.linalg.norm(way)):
        return _Y
    return np.eye(3)[axis] * np.sign(way[axis])


def _usual_side(tree: Tree, body: Body, trunk: Trunk, pairs: Sequence[tuple[int, int]]) -> float:
    """Which of each pair is left where the rest pose is none: +1 the first, -1 the second.

    Such files come from programs whose joints have one axis along the bone and the next to the front of the body: with
    all bones along +X the front is +Y and left +Z, with all along +Y the front is +Z and left +X.
    """
    top = trunk.head if trunk.head is not None else body.chest
    along = _unit(tree.placed[top] - tree.placed[body.hips], _Y)
    front = _Z if abs(along[1]) > 0.7 else _Y
    left = np.cross(along, front)
    return sum(float((tree.placed[one] - tree.placed[other]) @ left) for one, other in pairs)


def _lateral(placed: Floats, pairs: Sequence[tuple[int, int]], up: Floats, normal: Floats | None) -> Floats | None:
    """From the other side to the one, square to up."""
    total = np.zeros(3)
    for one, other in pairs:
        total += placed[one] - placed[other]
    if normal is not None and abs(float(normal @ total)) > 0.5 * float(np.linalg.norm(total)):
        total = normal * np.sign(float(normal @ total))
    total = total - (total @ up) * up
    size = float(np.linalg.norm(total))
    return total / size if size > 1e-9 else None


def _votes(
    tree: Tree,
    body: Body,
    trunk: Trunk,
    placed: Floats,
    legs: Sequence[tuple[Reading, Reading]],
    arms: Sequence[tuple[Reading, Reading]],
    thumbs: Sequence[int],
    forward: Floats,
    up: Floats,
    rest: bool,
) -> float:
    size = max((limb.total for limb in body.limbs if limb.kind), default=tree.extent) or 1.0

    def ahead(joint: int, of: int) -> float:
        return float((placed[joint] - placed[of]) @ forward) / size

    def clip(value: float, scale: float) -> float:
        return float(np.clip(value / scale, -1, 1))

    votes = 0.0
    if body.plan in ("quadruped", "winged", "many-legged") and body.chest != body.hips:
        votes += 3.0 * clip(ahead(body.chest, body.hips), 0.3)
    if trunk.head is not None:
        base = trunk.neck[0] if trunk.neck and body.plan == "many-legged" else body.chest
        weight = {"biped": 0.4, "many-legged": 1.5}.get(body.plan, 3.0)
        votes += weight * clip(ahead(trunk.head, base), 0.3)
        under = tree.below(trunk.head, 60)[1:]
        if under:
            middle = np.mean([placed[joint] for joint in under], axis=0)
            votes += 0.8 * clip(float((middle - placed[trunk.head]) @ forward) / size, 0.08)
    for tail in trunk.tails:
        votes -= 2.5 * clip(ahead(tail[-1], tail[0]), 0.2)
    for sides in legs:
        for joints in sides:
            foot, toe = joints.get("foot"), joints.get("toe")
            if foot is not None:
                tip = tree.ends[foot] if rest and toe is None else placed[tree.path(foot)[-1]]
                if toe is not None:
                    tip = placed[toe]
                votes += 2.0 * clip(float((tip - placed[foot]) @ forward) / size, 0.1)
                if "shin" in joints and body.plan == "biped":
                    hip, knee = placed[joints["thigh"]], placed[joints["shin"]]
                    line = placed[foot] - hip
                    share = float((knee - hip) @ line) / max(float(line @ line), 1e-12)
                    votes += 0.8 * clip(float((knee - hip - share * line) @ forward) / size, 0.04)
    for sides in arms:
        for joints in sides:
            if "hand" in joints and body.plan == "biped":
                top, elbow, hand = (placed[joints[part]] for part in ("upper_arm", "forearm", "hand"))
                line = hand - top
                share = float((elbow - top) @ line) / max(float(line @ line), 1e-12)
                votes -= 0.6 * clip(float((elbow - top - share * line) @ forward) / size, 0.04)
    for thumb in thumbs:
        end = tree.path(thumb)[-1]
        hand = tree.parents[thumb]
        votes += 0.8 * clip(float((placed[end] - placed[hand]) @ forward) / size, 0.05)
    return votes


def _travel(tree: Tree, body: Body, pairs: Sequence[tuple[int, int]]) -> float:
    """How the body travels in a motion, along its own forward as the pairs give it."""
    if len(tree.poses) < 3 or not pairs:
        return 0.0
    steps = np.diff(tree.poses[:, body.hips], axis=0)
    one = np.mean([tree.poses[:, a] - tree.poses[:, b] for a, b in pairs], axis=0)[:-1]
    forward = np.cross(one, _up_of(tree, body))
    forward /= np.maximum(np.linalg.norm(forward, axis=1, keepdims=True), 1e-9)
    gone = float((steps * forward).sum())
    way = float(np.linalg.norm(steps, axis=1).sum())
    if way < 0.5 * tree.extent:
        return 0.0
    return 2.0 * gone / way
