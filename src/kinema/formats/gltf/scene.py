"""Nodes of a glTF file: the tree, its transforms, and which of the nodes become joints.

Which nodes are joints:

1. With skins: the joints of all skins, and every node that an animation moves. Static nodes above or between them are
   folded into the joints below, so an "Armature" node with a scale of 100 leaves no trace but the right size.
2. Without skins, but with an animation, a mesh, or a node that has children: all nodes of those trees, except leaves
   that only carry a mesh, a camera or a light.

Nodes may be scaled, skeletons are rigid: joint positions are exact, and what scale does to directions is left to the
inverse bind matrices.

VRM 0 has its characters face -Z, we have them face +Z: such a file is read as if under one more node, half a turn.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema import kinematics, rotations
from kinema.formats.gltf.document import Document
from kinema.formats.rigid import rigid_part
from kinema.formats.trees import preorder, unique_names
from kinema.skeleton import Skeleton

UNIT_TOLERANCE = 1e-2  # how far a stored rotation's length may be from one
HALF_TURN = np.diag([-1.0, 1.0, -1.0, 1.0])  # about Y


@dataclass(eq=False)
class Nodes:
    """The node tree. `order` holds the nodes of the scene, parents first; the others are left out."""

    names: list[str]
    parents: list[int]
    children: list[list[int]]
    roots: list[int]  # of each node's tree
    order: list[int]
    translations: NDArray[np.float64]  # [N, 3]
    rotations: NDArray[np.float64]  # [N, 4] wxyz
    scales: NDArray[np.float64]  # [N, 3]
    local: NDArray[np.float64]  # [N, 4, 4]
    world: NDArray[np.float64]  # [N, 4, 4] at rest
    has_matrix: list[bool]
    above: NDArray[np.float64]  # [4, 4] what all roots stand under


@dataclass(eq=False)
class Rig:
    """The joints among the nodes, and how the skeleton's rigid frames relate to the scaled ones of the file."""

    skeleton: Skeleton
    nodes: list[int]  # [J] node of each joint
    joint_of: dict[int, int]  # node -> joint
    nearest: dict[int, int]  # node -> the joint it hangs on: itself or its nearest ancestor; not in here if none
    prefix: NDArray[np.float64]  # [J, 4, 4] static transform between a joint's parent and its own node
    rigid: NDArray[np.float64]  # [J, 4, 4] world at rest as the skeleton has it
    world: NDArray[np.float64]  # [J, 4, 4] world at rest as the file has it


def read_nodes(document: Document) -> Nodes:
    """The tree of all nodes.

    Raises:
        FormatError: a cycle, a node with two parents, a transform that is not finite; names the node.
    """
    items = document.all("nodes")
    count = len(items)
    parents = [-1] * count
    children: list[list[int]] = []
    for index, item in enumerate(items):
        children.append(document.indices(item, "children", "nodes", f"nodes[{index}]"))
        for child in children[-1]:
            if parents[child] >= 0:
                raise document.error(f"has two parents, nodes[{parents[child]}] and nodes[{index}]", f"nodes[{child}]")
            parents[child] = index
    roots = [index for index in range(count) if parents[index] < 0]
    every = preorder(roots, children)
    if len(every) != count:
        lost = min(set(range(count)) - set(every))
        raise document.error("is part of a cycle", f"nodes[{lost}]")
    moved, turned, sized = np.zeros((count, 3)), np.tile([1.0, 0, 0, 0], (count, 1)), np.ones((count, 3))
    matrices = np.tile(np.eye(4), (count, 1, 1))
    has_matrix = [False] * count
    for index, item in enumerate(items):
        where = f"nodes[{index}]"
        if "matrix" in item:
            if not {"translation", "rotation", "scale"}.isdisjoint(item):
                raise document.error("has both a matrix and translation, rotation or scale", where)
            matrix = np.array(document.numbers(item, "matrix", where, [], 16)).reshape(4, 4).T
            if not np.allclose(matrix[3], [0, 0, 0, 1], atol=1e-6):
                raise document.error("matrix is not affine: its last row must be 0 0 0 1", where)
            matrices[index], has_matrix[index] = matrix, True
            moved[index] = matrix[:3, 3]
            continue
        if "translation" in item:
            moved[index] = document.numbers(item, "translation", where, [], 3)
        if "scale" in item:
            sized[index] = document.numbers(item, "scale", where, [], 3)
        if "rotation" in item:
            x, y, z, w = document.numbers(item, "rotation", where, [], 4)
            length = float(np.linalg.norm([x, y, z, w]))
            if abs(length - 1) > UNIT_TOLERANCE:
                raise document.error(f"rotation has length {length:.4g}, must be a unit quaternion", where)
            turned[index] = np.array([w, x, y, z]) / length
    plain = ~np.array(has_matrix, dtype=bool)
    matrices[plain, :3, :3] = rotations.to_matrix(turned[plain]) * sized[plain, None, :]
    matrices[plain, :3, 3] = moved[plain]
    from_matrix = np.flatnonzero(~plain)
    if from_matrix.size:
        sized[from_matrix] = np.linalg.norm(matrices[from_matrix, :3, :3], axis=1)
        turned[from_matrix] = rotations.from_matrix(rigid_part(matrices[from_matrix, :3, :3]))
    above = _above_roots(document)
    world = matrices.copy()
    world[roots] = above @ matrices[roots]
    with np.errstate(over="ignore", invalid="ignore"):
        for index in every:
            if parents[index] >= 0:
                world[index] = world[parents[index]] @ matrices[index]
    if not (np.abs(world) < 1e30).all():
        far = int(np.argmin((np.abs(world) < 1e30).all(axis=(1, 2))))
        raise document.error("lies outside of any sensible range", f"nodes[{far}]")
    names = unique_names([str(item.get("name", "")) for item in items])
    order = _scene_order(document, parents, children, roots)
    tree = list(range(count))
    for index in every:
        if parents[index] >= 0:
            tree[index] = tree[parents[index]]
    return Nodes(names, parents, children, tree, order, moved, turned, sized, matrices, world, has_matrix, above)


def build_rig(
    document: Document,
    nodes: Nodes,
    skinned: list[int],
    moved: set[int],
    tips: dict[int, int],
    named: frozenset[int] | set[int] = frozenset(),
    others: frozenset[int] | set[int] = frozenset(),
) -> Rig | None:
    """Chooses the joints (see the module's text) and makes the skeleton; None when the file has none.

    Args:
        skinned: joints of all skins.
        moved: nodes whose translation, rotation or scale an animation changes.
        tips: end sites (node -> its parent), which become tips of the skeleton.
        named: nodes that the file calls joints in another way. others: nodes that are none, whatever moves them.
    """
    if skinned:
        # Trees of skins count even when the scene leaves them out.
        wanted = set(skinned) | (moved & set(nodes.order))
        order = nodes.order + preorder(sorted({nodes.roots[n] for n in wanted} - set(nodes.order)), nodes.children)
    else:
        order = nodes.order
        wanted = _plain_joints(document, nodes, moved)
    wanted |= set(named) & set(nodes.order)
    wanted -= set(tips) | set(others)
    chosen = [node for node in order if node in wanted]
    if not chosen:
        return None
    above, between = _fold(nodes, order, set(chosen))
    by_index = sorted(chosen)
    if all(above.get(node, -1) < node for node in by_index):
        chosen = by_index  # the file's own order, where it has parents first
    joint_of = {node: joint for joint, node in enumerate(chosen)}
    parents = np.array([joint_of.get(above.get(node, -1), -1) for node in chosen], dtype=np.int32)
    prefix = np.stack([between.get(node, np.eye(4)) for node in chosen])
    nearest = {node: joint_of.get(node, joint_of.get(above.get(node, -1), -1)) for node in order}
    nearest = {node: joint for node, joint in nearest.items() if joint >= 0}
    world = nodes.world[chosen]
    turned = rotations.from_matrix(rigid_part(world[:, :3, :3]))
    local_rotations, local_translations = kinematics.to_local(turned, world[:, :3, 3], parents.tolist())
    ends = [
        (joint_of[parent], world[joint_of[parent]], nodes.world[tip], turned[joint_of[parent]])
        for tip, parent in tips.items()
        if parent in joint_of
    ]
    skeleton = Skeleton.create(
        [nodes.names[node] for node in chosen],
        parents,
        local_translations,
        local_rotations,
        [(joint, rotations.inverse_rotate(q, end[:3, 3] - frame[:3, 3])) for joint, frame, end, q in ends],
    )
    rigid = np.tile(np.eye(4), (len(chosen), 1, 1))
    rigid[:, :3, :3], rigid[:, :3, 3] = rotations.to_matrix(turned), world[:, :3, 3]
    return Rig(skeleton, chosen, joint_of, nearest, prefix, rigid, world)


def _above_roots(document: Document) -> NDArray[np.float64]:
    extensions = document.root.get("extensions")
    if isinstance(extensions, dict) and "VRM" in extensions and "VRMC_vrm" not in extensions:
        document.warn("VRM 0 characters face -Z; this one was turned by half a turn to face +Z")
        return HALF_TURN
    return np.eye(4)


def _fold(nodes: Nodes, order: list[int], kept: set[int]) -> tuple[dict[int, int], dict[int, NDArray[np.float64]]]:
    """For nodes parents first: the nearest kept ancestor, and the transform of the nodes in between, if any."""
    above: dict[int, int] = {}
    between: dict[int, NDArray[np.float64]] = {}
    for node in order:
        parent = nodes.parents[node]
        if parent < 0:
            between[node] = nodes.above
        elif parent in kept:
            above[node] = parent
        else:
            if parent in above:
                above[node] = above[parent]
            between[node] = between[parent] @ nodes.local[parent] if parent in between else nodes.local[parent]
    return above, between


def _plain_joints(document: Document, nodes: Nodes, moved: set[int]) -> set[int]:
    items = document.all("nodes")
    active = set(nodes.order)
    seeds = {node for node in nodes.order if node in moved or nodes.children[node] or "mesh" in items[node]}
    trees = {nodes.roots[node] for node in seeds}
    wanted = set(preorder(sorted(trees), nodes.children)) & active
    for node in list(wanted):
        alone = not nodes.children[node] and nodes.parents[node] >= 0 and node not in moved
        lights = items[node].get("extensions", {})
        lit = isinstance(lights, dict) and "KHR_lights_punctual" in lights
        if alone and ("mesh" in items[node] or "camera" in items[node] or lit):
            wanted.discard(node)
    return wanted


def _scene_order(document: Document, parents: list[int], children: list[list[int]], roots: list[int]) -> list[int]:
    scenes = document.all("scenes")
    for index, scene in enumerate(scenes):
        for node in document.indices(scene, "nodes", "nodes", f"scenes[{index}]"):
            if parents[node] >= 0:
                raise document.error(f"names nodes[{node}], which is not a root", f"scenes[{index}]")
    chosen = document.index(document.root, "scene", "scenes", "scene")
    if not scenes:
        return preorder(roots, children)
    if len(scenes) > 1:
        document.warn(f"has {len(scenes)} scenes, only scenes[{chosen or 0}] was read")
    return preorder(document.indices(scenes[chosen or 0], "nodes", "nodes", "scenes"), children)
