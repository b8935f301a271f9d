"""The middle of a body: hips, spine, neck, head and tail."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from kinema.roles.body import Body
from kinema.roles.tree import Tree
from kinema.roles.vocabulary import Evidence


@dataclass(eq=False)
class Trunk:
    """Joints of the middle by part; `tails` are runs from the body outwards."""

    root: list[int] = field(default_factory=list)
    hips: list[int] = field(default_factory=list)
    spine: list[int] = field(default_factory=list)
    neck: list[int] = field(default_factory=list)
    head: int | None = None
    tails: list[list[int]] = field(default_factory=list)


def find_trunk(tree: Tree, body: Body, middle: list[bool], partners: list[int], evidence: list[Evidence]) -> Trunk:
    """The parts of the joints in the middle."""
    found = Trunk()
    hips = body.hips
    above = tree.up_from(hips)[1:]
    to_chest = tree.up_from(body.chest)
    to_chest = to_chest[: to_chest.index(hips)][::-1] if hips in to_chest else []
    used = {hips, *above, *to_chest}
    chain = _head_chain(tree, body, middle, partners, evidence, used)
    used.update(chain)
    found.tails = _tails(tree, body, middle, evidence, used, bool(chain))
    if not chain and not body.limbs and found.tails:
        found.tails = [tail for tail in found.tails if evidence[tail[0]].best == "tail"]
    found.root, found.hips = above[::-1], [hips]
    head = _head_at(tree, body, chain, partners, evidence)
    beyond = chain[:head] if head is not None else chain
    necks = [place for place, joint in enumerate(beyond) if evidence[joint].best == "neck"]
    spines = [place for place, joint in enumerate(beyond) if evidence[joint].best == "spine"]
    start = 0
    if necks:  # what stands before a named neck is spine
        start = necks[0]
    elif spines and body.chest == hips:
        start = len(beyond) if head is None else max(spines) + 1
    elif head is None:
        start = len(beyond) if not body.limbs or body.plan == "legless" else 0
    elif not body.limbs or body.chest == hips:
        start = max(len(beyond) - 1, 0) if len(beyond) > 2 else len(beyond) * (not body.limbs)
    found.spine, found.neck = to_chest + beyond[:start], beyond[start:]
    if to_chest and not necks:  # the collar bones of 3ds Max Biped hang on the neck
        named = [place for place, joint in enumerate(found.spine) if evidence[joint].best == "neck"]
        if named:
            found.spine, found.neck = found.spine[: named[0]], found.spine[named[0] :] + found.neck
    found.head = chain[head] if head is not None else None
    if evidence[hips].best == "root" and found.spine and evidence[found.spine[0]].best == "hips":
        found.root.append(hips)
        found.hips = []
    while found.spine and evidence[found.spine[0]].best == "hips":
        found.hips.append(found.spine.pop(0))
    found.hips = [joint for joint in found.root if evidence[joint].parts.get("hips", 0) > 0.8] + found.hips
    found.root = [joint for joint in found.root if joint not in found.hips]
    return found


def _head_chain(
    tree: Tree, body: Body, middle: list[bool], partners: list[int], evidence: list[Evidence], used: set[int]
) -> list[int]:
    """The run of middle joints from the chest to the head and beyond it."""
    top = body.chest
    if body.plan == "unknown" and not any(said.best in ("head", "neck") for said in evidence):
        return []
    options = [child for child in tree.children[top] if middle[child] and child not in used]
    if top != body.hips or not options:
        anywhere = (
            [
                joint
                for joint in range(len(middle))
                if middle[joint] and evidence[joint].best == "head" and not evidence[joint].end
            ]
            if not options
            else []
        )
        for joint in anywhere[:1]:
            run = tree.up_from(joint)
            run = run[: next((place for place, at in enumerate(run) if at in used), len(run))]
            return run[::-1]
    best, points = None, -0.5
    for option in options:
        score = _headness(tree, body, option, middle, partners, evidence)
        if tree.posed and len(options) > 1 and body.plan != "many-legged":  # the head is above the tail
            heights = [float(tree.centres[other] @ body.up) for other in options]
            score += 0.6 if float(tree.centres[option] @ body.up) >= max(heights) - 1e-9 else 0.0
        if score > points:
            best, points = option, score
    if best is None:
        return []
    run = [best]
    while len(run) < 400:
        further = [child for child in tree.children[run[-1]] if middle[child]]
        if not further:
            return run
        run.append(
            max(
                further,
                key=lambda child: (
                    _says(tree, child, evidence, ("neck", "head"))
                    + 0.3 * bool(partners is not None and tree.size[child] > 1),
                    tree.reach[child] + tree.lengths[child],
                ),
            )
        )
    return run


def _says(tree: Tree, joint: int, evidence: list[Evidence], parts: tuple[str, ...]) -> int:
    return int(any(evidence[at].best in parts for at in tree.path(joint, 8)))


def _headness(
    tree: Tree, body: Body, option: int, middle: list[bool], partners: list[int], evidence: list[Evidence]
) -> float:
    """How much a chain in the middle looks like neck and head."""
    below = tree.below(option, 60)
    names = [evidence[joint].best for joint in below]
    score = 4.0 * ("head" in names or "neck" in names) - 4.0 * ("tail" in names) + 1.0 * ("spine" in names)
    score -= 1.5 * (names[0] in ("helper", "prop", "face", "jaw") or evidence[option].end)
    score += 0.8 * any(partners[joint] != joint for joint in below)  # eyes, ears
    score += 0.5 * (len(below) > 1)
    longest = max(limb.total for limb in body.limbs) if body.limbs else tree.reach[tree.roots[0]]
    score += float(np.clip((tree.reach[option] + tree.lengths[option]) / max(longest, 1e-9), 0, 1)) * 0.6
    if tree.posed and body.limbs and body.plan != "many-legged":
        rise = float((tree.centres[option] - tree.placed[body.chest]) @ body.up)
        score += 0.8 if rise > 0.02 * longest else -0.4
    if body.chest == body.hips:  # a tail may begin at the same joint
        run = tree.path(option)
        lengths = [tree.lengths[joint] for joint in run[1:]]
        tapers = len(lengths) > 2 and lengths[-1] < 0.8 * lengths[0]
        score -= 0.4 * tapers
    return score


def _head_at(tree: Tree, body: Body, chain: list[int], partners: list[int], evidence: list[Evidence]) -> int | None:
    """Where in the chain the head is."""
    if not chain:
        return None
    for place, joint in enumerate(chain):
        if evidence[joint].best == "head" and not evidence[joint].end:
            return place
    if any(evidence[joint].parts for joint in chain) and not body.limbs:
        return None
    places = [
        place
        for place in range(len(chain))
        if not evidence[chain[place]].end
        and evidence[chain[place]].best not in ("face", "jaw", "helper", "prop", "hair")
    ]
    if not places:
        return None
    last = places[-1]
    if len(places) == 1 and evidence[chain[last]].best == "neck":
        return None
    for place in places:  # eyes, ears and a jaw hang on the head
        joint = chain[place]
        sides = [child for child in tree.children[joint] if child not in chain]
        before = sum(tree.lengths[at] for at in chain[: place + 1])
        fins = body.plan == "legless" and tree.reach[joint] > before  # most of the body lies beyond
        if sides and any(partners[child] != child for child in sides) and not fins:
            return place
    if not body.limbs or body.plan == "legless":
        return None
    if last >= 1 and not evidence[chain[last]].parts:
        end = tree.reach[chain[last]] <= 0
        longest = max(limb.total for limb in body.limbs)
        far = tree.lengths[chain[last]] > max(0.11 * longest, 1.15 * tree.lengths[chain[last - 1]])
        if end and last >= 2 and ((far or body.tipped) if body.plan == "biped" else (body.tipped and not far)):
            return last - 1
    return last


def _tails(
    tree: Tree, body: Body, middle: list[bool], evidence: list[Evidence], used: set[int], headed: bool
) -> list[list[int]]:
    """Other long runs in the middle that leave the trunk."""
    found = []
    longest = max((limb.total for limb in body.limbs if limb.kind), default=tree.extent)
    near_hips = {body.hips, tree.parents[body.hips]}
    for joint in sorted(used):
        for child in tree.children[joint]:
            if not middle[child] or child in used:
                continue
            run = [at for at in tree.path(child, 200) if middle[at]]
            says = [evidence[at].best for at in run]
            if "tail" in says:
                found.append(run)
                continue
            silent = not any(says)
            near = joint in near_hips
            if silent and near and len(run) >= 2 and tree.reach[child] > 0.15 * longest and headed:
                found.append(run)
    return found
