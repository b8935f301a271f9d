"""Mirror partners: which subtree is the other side of which.

Partners are an involution of the tree: the partner of a joint's child is a child of its partner, or a sibling where the
joint is its own partner. Two subtrees are alike when their bone lengths and sizes are, when one's mirror image lies on
the other, and when their names are mirrored. Where the pose is not symmetric (a rest pose with all bones along one
axis, a frame of a motion), lengths and names alone tell.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

import numpy as np

from kinema import naming
from kinema.roles.tree import Floats, Tree
from kinema.roles.vocabulary import Evidence

_WINDOW = 24  # siblings that one is compared with, nearest in length first; bounds the work on hostile trees
_CROWD = 200
_CLOUD = 240  # joints that a mirror plane is judged by
_ROUGH = 0.06  # of the body's size: mean distance from the mirrored joints to joints of a symmetric pose
_ALIKE = 0.16  # worst cost of a pair that lengths alone tell
_MATCHED = 0.75  # worst cost of any pair


@dataclass(frozen=True, eq=False)
class Plane:
    """The mirror plane of a pose: unit `normal` `[3]` and a `point` `[3]` on it; `sharp` 0 to 1 is how well
    the pose is its own mirror image."""

    normal: Floats
    point: Floats
    sharp: float


def _signature(tree: Tree, one: int, other: int) -> float:
    a, b = tree.lengths[one] + tree.reach[one], tree.lengths[other] + tree.reach[other]
    total = a + b
    if total <= 0:  # nothing to compare
        return 1.0
    lengths = abs(tree.lengths[one] - tree.lengths[other]) + abs(tree.reach[one] - tree.reach[other])
    sizes = abs(tree.size[one] - tree.size[other]) / (tree.size[one] + tree.size[other])
    return lengths / total + 0.5 * sizes


def find_plane(tree: Tree) -> Plane | None:
    """The mirror plane that pairs of alike siblings suggest; None where no two lie apart."""
    ways: list[tuple[Floats, float]] = []
    most = max(tree.reach, default=0.0)
    rows = [tree.roots]
    for row in rows:  # below a pair, siblings are alike that are none of the body's sides: legs of one side, fingers
        large = [joint for joint in row if tree.reach[joint] + tree.lengths[joint] > 0.12 * most][:_WINDOW]
        twins: set[int] = set()
        for place, one in enumerate(large):
            for other in large[place + 1 :]:
                if _signature(tree, one, other) < 0.06 and len(ways) < 400:
                    apart = tree.centres[one] - tree.centres[other] + tree.placed[one] - tree.placed[other]
                    length = float(np.linalg.norm(apart))
                    if length > 1e-4 * tree.extent:
                        ways.append((apart / length, tree.reach[one] + tree.lengths[one]))
                        twins.update((one, other))
        rows.extend(tree.children[joint] for joint in row if joint not in twins and tree.children[joint])
    if not ways:
        return None
    units, weights = np.stack([way for way, _ in ways]), np.asarray([weight for _, weight in ways])
    cloud = tree.placed[:: max(len(tree.placed) // _CLOUD, 1)]
    best, found = -1.0, None
    seen: list[Floats] = []
    for place in np.argsort(-weights, kind="stable")[:40]:
        normal = units[place]
        if any(abs(float(normal @ other)) > 0.995 for other in seen):
            continue
        seen.append(normal)
        support = float((weights * (np.abs(units @ normal) > 0.94)).sum() / weights.sum())
        along = tree.placed @ normal
        middle = float(np.median(along)) if tree.posed else 0.0
        offsets = [middle, float(along.mean())]
        rough = min(_roughness(cloud, normal, offset) for offset in offsets) / max(tree.extent, 1e-9)
        offset = min(offsets, key=lambda o: _roughness(cloud, normal, o))
        sharp = float(np.exp(-((rough / _ROUGH) ** 2)))
        score = support * (0.15 + sharp) * (1.02 if abs(normal[0]) > 0.99 else 1.0)
        if score > best + 1e-9:
            best, found = score, Plane(normal, normal * offset, sharp)
        if len(seen) >= 8:
            break
    return found


def _roughness(cloud: Floats, normal: Floats, offset: float) -> float:
    """Mean distance from each mirrored joint to the nearest joint."""
    mirrored = cloud - 2 * (cloud @ normal - offset)[:, None] * normal
    squares = (mirrored**2).sum(1)[:, None] + (cloud**2).sum(1)[None] - 2 * mirrored @ cloud.T
    return float(np.sqrt(np.maximum(squares.min(axis=1), 0)).mean())


def pair_up(tree: Tree, names: tuple[str, ...], evidence: list[Evidence], plane: Plane | None) -> list[int]:
    """The partner of each joint, or the joint itself."""
    partners = list(range(len(tree.parents)))
    mirrored = [naming.mirrored(name) for name in names]
    parted = [said.best for said in evidence]
    sided = any(said.side for said in evidence)
    geometry = plane is not None and tree.posed and plane.sharp > 0.15
    if plane is not None:
        flat = tree.placed - 2 * ((tree.placed - plane.point) @ plane.normal)[:, None] * plane.normal
        flat_centres = tree.centres - 2 * ((tree.centres - plane.point) @ plane.normal)[:, None] * plane.normal
        places, centres = tree.placed.tolist(), tree.centres.tolist()
        flats, flat_middles = flat.tolist(), flat_centres.tolist()

    def apart(a: list[float], b: list[float]) -> float:
        return ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2) ** 0.5

    def cost(one: int, other: int) -> float:
        found = _signature(tree, one, other)
        if geometry:
            scale = max(tree.reach[one], tree.reach[other], 0.25 * tree.lengths[one], 0.02 * tree.extent)
            gap = apart(flats[one], places[other]) + apart(flat_middles[one], centres[other])
            found = 0.6 * found + min(0.5 * gap / scale, 1.5)
        if mirrored[one] == names[other]:
            found -= 1.0
        elif evidence[one].side and evidence[one].side == evidence[other].side:
            found += 0.5 if parted[one] != parted[other] else 0.9
        elif sided and not evidence[one].side and not evidence[other].side:
            found += 0.3  # the names of this skeleton tell sides, and not here
        return found

    def alone(joint: int) -> float:
        """What it costs that a joint is its own partner."""
        found = 0.5 if evidence[joint].side else 0.0
        if geometry:
            scale = max(tree.reach[joint], 0.25 * tree.lengths[joint], 0.02 * tree.extent)
            gap = apart(flats[joint], places[joint]) + apart(flat_middles[joint], centres[joint])
            return found + min(0.5 * gap / scale, 1.5) + 0.02
        return found + _ALIKE / 2

    def match(row: tuple[int, ...], others: tuple[int, ...]) -> list[tuple[int, int]]:
        """Pairs of two rows of siblings (or of one with itself), cheapest first."""
        same = row == others
        if len(row) > _CROWD:  # no body has so many branches at one joint: names alone
            there = {names[joint]: joint for joint in others}
            pairs = ((joint, there.get(mirrored[joint] or "", joint)) for joint in row)
            return [(one, other) for one, other in pairs if one < other or (one != other and not same)]
        only = not same and len(row) == len(others) == 1  # an only child of a partner is the partner's only child
        order = sorted(others, key=lambda joint: tree.reach[joint] + tree.lengths[joint])
        totals = [tree.reach[joint] + tree.lengths[joint] for joint in order]
        costs: list[tuple[float, int, int]] = []
        for one in row:
            near: list[int] = order
            if len(order) > _WINDOW:
                at = bisect_left(totals, tree.reach[one] + tree.lengths[one])
                near = order[max(at - _WINDOW // 2, 0) : at + _WINDOW // 2]
            for other in near:
                if not same or one < other:
                    price = cost(one, other)
                    if same and (2 * price > alone(one) + alone(other) + (0.0 if geometry else _ALIKE)):
                        continue
                    worst = 3.0 if only else _MATCHED if geometry or not same else _ALIKE
                    if price < worst:
                        costs.append((price, one, other))
        taken: set[int] = set()
        found = []
        for _, one, other in sorted(costs):
            if one not in taken and (other if same else ~other) not in taken:
                taken.update((one, other if same else ~other))
                found.append((one, other))
        return found

    queue: list[tuple[tuple[int, ...], tuple[int, ...]]] = [(tree.roots, tree.roots)]
    for row, others in queue:
        paired: set[int] = set()
        for one, other in match(row, others) if len(row) and len(others) and (row != others or len(row) > 1) else ():
            partners[one], partners[other] = other, one
            paired.update((one, other))
            queue.append((tree.children[one], tree.children[other]))
        if row == others:
            queue.extend((tree.children[joint], tree.children[joint]) for joint in row if joint not in paired)
        else:  # fingers that the other hand lacks
            queue.extend((tree.children[joint], ()) for joint in (*row, *others) if joint not in paired)
    return partners
