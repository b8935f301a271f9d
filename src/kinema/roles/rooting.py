"""Files whose root is a joint of the spine, with the hips below it: where the root of such a body is."""

from __future__ import annotations

import numpy as np

from kinema.roles.body import BodyLayout
from kinema.roles.clues import Clues

_APART = 0.05  # of the body's size: a control named torso is at the hips, a chest is not
_ON_TRUNK = 0.25  # share of the way from the hips to the chest beyond which a joint is part of the spine
_BESIDE = 0.5  # of that way: the spine is no farther from the straight line


def find_root(clues: Clues, body: BodyLayout) -> int | None:
    """The hips, if they are below the spine in the tree; None if the root is in its place already."""
    return _by_names(clues) if any(said.best == "hips" for said in clues.evidence) else _by_shape(clues, body)


def _by_names(clues: Clues) -> int | None:
    """The joint named hips, if an ancestor apart from it is named as one of the spine, the neck or the head."""
    tree, evidence = clues.tree, clues.evidence
    for joint, said in enumerate(evidence):
        if said.parts.get("hips", 0.0) < 0.9 or said.best != "hips" or said.end or not clues.middle[joint]:
            continue
        length = 0.0
        for at in tree.up_from(joint):
            if evidence[at].best in ("spine", "neck", "head") and length > _APART * tree.extent:
                return joint
            length += tree.lengths[at]
        return None
    return None


def _by_shape(clues: Clues, body: BodyLayout) -> int | None:
    """The joint that carries the legs, if the root stands on the way from there to the chest."""
    tree = clues.tree
    legs, arms = body.of("leg"), body.of("arm", "front_leg", "wing")
    if not legs or not arms or not tree.posed or body.plan == "many-legged":
        return None
    hips, chest, root = legs[0].base, arms[0].base, body.hips
    if min(hips, chest) < 0 or root == hips or root not in tree.up_from(hips):
        return None
    trunk, way = tree.positions[chest] - tree.positions[hips], tree.positions[root] - tree.positions[hips]
    size = float(np.linalg.norm(trunk))
    share = float(way @ trunk) / max(size * size, 1e-12)
    beside = float(np.linalg.norm(way - share * trunk))
    return hips if share > _ON_TRUNK and beside < _BESIDE * size else None
