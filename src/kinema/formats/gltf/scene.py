"""Nodes of a glTF file: the tree, its transforms, and which of the nodes become joints.

Which nodes are joints:

1. With skins: the joints of all skins, and every node that an animation moves. Static nodes above or between them are
   folded into the joints below, so that an "Armature" node with a scale of 100 only changes the size.
2. Without skins, but with an animation, a mesh, or a node that has children: all nodes of those trees, except leaves
   that only carry a mesh, a camera or a light.

Nodes may be scaled, skeletons are rigid: joint positions are exact, and the effect of scale on directions is left to
the inverse bind matrices.

Characters of VRM 0 face -Z, ours face +Z: all roots of such a file get a parent that turns them by half a turn.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from kinema import kinematics, rotations
from kinema.arrays import Floats, Indices
from kinema.formats.gltf.document import GltfDocument, Item
from kinema.formats.rigid import rigid_part, rigid_rotations, transforms
from kinema.formats.trees import preorder, roots, unique_names
from kinema.skeleton import Skeleton

UNIT_TOLERANCE = 1e-2  # how far a stored rotation's length may be from one
FARTHEST = 1e30
HALF_TURN = np.diag([-1.0, 1.0, -1.0, 1.0])  # about Y


@dataclass(eq=False)
class NodeTree:
    """The nodes of a file. `order` holds those of the scene, parents first; the others are left out."""

    items: list[Item]
    names: list[str]
    parents: list[int]
    children: list[list[int]]
    roots: list[int]  # of each node's tree
    order: list[int]
    translations: Floats  # [N, 3]
    rotations: Floats  # [N, 4] wxyz
    scales: Floats  # [N, 3]
    local: Floats  # [N, 4, 4]
    world: Floats  # [N, 4, 4] at rest
    above: Floats  # [4, 4] parent transform of all roots

    def rest(self, node: int, path: str) -> Floats:
        """The value at rest of a node's "translation", "rotation" or "scale"."""
        return {"translation": self.translations, "rotation": self.rotations, "scale": self.scales}[path][node]

    def marked_leaves(self, mark: str) -> dict[int, int]:
        """Leaves that our own writer noted as something, such as a "tip", with their parents."""
        return {
            node: self.parents[node]
            for node, item in enumerate(self.items)
            if not self.children[node] and self.parents[node] >= 0 and item.notes.get(mark) is True
        }


@dataclass(eq=False)
class GltfRig:
    """The joints among the nodes, and how the skeleton's rigid frames relate to the scaled ones of the file."""

    skeleton: Skeleton
    nodes: list[int]  # [J] node of each joint
    joint_of: dict[int, int]  # node -> joint
    nearest: dict[int, int]  # node -> the joint it is attached to: itself or its nearest ancestor; missing if none
    prefix: Floats  # [J, 4, 4] static transform between a joint's parent and its own node
    rigid: Floats  # [J, 4, 4] world at rest as the skeleton has it
    world: Floats  # [J, 4, 4] world at rest as the file has it


def read_nodes(document: GltfDocument) -> NodeTree:
    """The tree of all nodes.

    Raises:
        FormatError: a cycle, a node with two parents, a transform that is not finite; names the node.
    """
    items = document.all("nodes")
    parents, children = _links(document, items)
    tops = [node for node, parent in enumerate(parents) if parent < 0]
    every = preorder(tops, children)
    if len(every) != len(items):
        raise items[min(set(range(len(items))) - set(every))].error("is part of a cycle")
    translations, turns, scales, local = _transforms(items)
    above = _above_roots(document)
    world = local.copy()
    world[tops] = above @ local[tops]
    with np.errstate(over="ignore", invalid="ignore"):
        for node in every:
            if parents[node] >= 0:
                world[node] = world[parents[node]] @ local[node]
    near = (np.abs(world) < FARTHEST).all(axis=(1, 2))
    if not near.all():
        raise items[int(np.argmin(near))].error("lies outside of any sensible range")
    names = unique_names([str(item.values.get("name", "")) for item in items])
    order = _scene_order(document, parents, children, tops)
    tree = items, names, parents, children, roots(parents, every), order
    return NodeTree(*tree, translations, turns, scales, local, world, above)


def build_rig(
    nodes: NodeTree,
    skinned: list[int],
    moved: set[int],
    tips: dict[int, int],
    named: Collection[int] = (),
    others: Collection[int] = (),
) -> GltfRig | None:
    """Chooses the joints (see the module's text) and makes the skeleton; None when the file has none.

    Args:
        skinned: joints of all skins.
        moved: nodes whose translation, rotation or scale an animation changes.
        tips: end sites (node -> its parent), which become tips of the skeleton.
        named: nodes that the file calls joints in another way.
        others: nodes that are not joints, whatever moves them.
    """
    active, order = set(nodes.order), nodes.order
    if skinned:  # trees of skins count even when the scene leaves them out
        used = set(skinned) | (moved & active)
        order = order + preorder(sorted({nodes.roots[node] for node in used} - active), nodes.children)
    else:
        used = _plain_joints(nodes, moved)
    wanted = (used | (active & set(named))) - set(tips) - set(others)
    if not wanted:
        return None
    above, between = _fold(nodes, order, wanted)
    in_order = all(above.get(node, -1) < node for node in wanted)
    # The file's own order, where it has parents first.
    chosen = sorted(wanted) if in_order else [node for node in order if node in wanted]
    joint_of = {node: joint for joint, node in enumerate(chosen)}
    parents = np.array([joint_of.get(above.get(node, -1), -1) for node in chosen], dtype=np.int32)
    prefix = np.stack([between.get(node, np.eye(4)) for node in chosen])
    nearest = {node: joint_of[above[node]] for node in order if node in above} | joint_of
    world = nodes.world[chosen]
    ends = [(joint_of[parent], tip) for tip, parent in tips.items() if parent in joint_of]
    skeleton, rigid = _skeleton(nodes, chosen, parents, world, ends)
    return GltfRig(skeleton, chosen, joint_of, nearest, prefix, rigid, world)


def _skeleton(
    nodes: NodeTree, chosen: list[int], parents: Indices, world: Floats, tips: list[tuple[int, int]]
) -> tuple[Skeleton, Floats]:
    """The skeleton of the chosen nodes, and its frames at rest `[J, 4, 4]`. `tips` pairs joints with nodes."""
    global_rotations = rigid_rotations(world)
    local_rotations, local_translations = kinematics.to_local(global_rotations, world[:, :3, 3], parents)
    offsets = [
        (joint, rotations.inverse_rotate(global_rotations[joint], nodes.world[tip][:3, 3] - world[joint][:3, 3]))
        for joint, tip in tips
    ]
    names = [nodes.names[node] for node in chosen]
    skeleton = Skeleton.create(names, parents, local_translations, local_rotations, offsets)
    return skeleton, transforms(global_rotations, world[:, :3, 3])


def _links(document: GltfDocument, items: list[Item]) -> tuple[list[int], list[list[int]]]:
    """Parent (-1 for none) and children of every node."""
    parents = [-1] * len(items)
    children = [item.indices("children", "nodes") for item in items]
    for index, found in enumerate(children):
        for child in found:
            if parents[child] >= 0:
                raise items[child].error(f"has two parents, nodes[{parents[child]}] and nodes[{index}]")
            parents[child] = index
    return parents, children


def _transforms(items: list[Item]) -> tuple[Floats, Floats, Floats, Floats]:
    """Translations `[N, 3]`, rotations `[N, 4]`, scales `[N, 3]` and matrices `[N, 4, 4]` of nodes."""
    count = len(items)
    translations, turns, scales = np.zeros((count, 3)), np.tile([1.0, 0, 0, 0], (count, 1)), np.ones((count, 3))
    matrices, given = np.tile(np.eye(4), (count, 1, 1)), np.zeros(count, bool)
    for index, item in enumerate(items):
        if "matrix" in item:
            matrices[index], given[index] = _matrix(item), True
            continue
        if "translation" in item:
            translations[index] = item.numbers("translation", 3)
        if "scale" in item:
            scales[index] = item.numbers("scale", 3)
        if "rotation" in item:
            turns[index] = _rotation(item)
    plain = ~given
    matrices[plain, :3, :3] = rotations.to_matrix(turns[plain]) * scales[plain, None, :]
    matrices[plain, :3, 3] = translations[plain]
    if given.any():
        linear = matrices[given, :3, :3]
        translations[given], scales[given] = matrices[given, :3, 3], np.linalg.norm(linear, axis=1)
        turns[given] = rotations.from_matrix(rigid_part(linear))
    return translations, turns, scales, matrices


def _matrix(item: Item) -> Floats:
    if not {"translation", "rotation", "scale"}.isdisjoint(item.values):
        raise item.error("has both a matrix and translation, rotation or scale")
    matrix = np.array(item.numbers("matrix", 16)).reshape(4, 4).T
    item.require(np.allclose(matrix[3], [0, 0, 0, 1], atol=1e-6), "matrix is not affine: its last row must be 0 0 0 1")
    return matrix


def _rotation(item: Item) -> Floats:
    x, y, z, w = item.numbers("rotation", 4)
    length = float(np.linalg.norm([x, y, z, w]))
    item.require(abs(length - 1) <= UNIT_TOLERANCE, f"rotation has length {length:.4g}, must be a unit quaternion")
    return np.array([w, x, y, z]) / length


def _above_roots(document: GltfDocument) -> Floats:
    if document.extension("VRM") is None or document.extension("VRMC_vrm") is not None:
        return np.eye(4)
    document.warn("VRM 0 characters face -Z; this one was rotated by 180 degrees to face +Z")
    return HALF_TURN


def _fold(nodes: NodeTree, order: list[int], kept: set[int]) -> tuple[dict[int, int], dict[int, Floats]]:
    """The nearest kept ancestor of each node, and the transform of the nodes in between, if any."""
    above: dict[int, int] = {}
    between: dict[int, Floats] = {}
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


def _plain_joints(nodes: NodeTree, moved: set[int]) -> set[int]:
    """The joints of a file without skins."""
    active = set(nodes.order)
    groups = {node for node in active if nodes.children[node]} | (moved & active)
    seeds = groups | {node for node in active if "mesh" in nodes.items[node]}
    wanted = set(preorder(sorted({nodes.roots[node] for node in seeds}), nodes.children)) & active
    return {node for node in wanted if node in groups or nodes.parents[node] < 0 or not _is_carrier(nodes.items[node])}


def _is_carrier(item: Item) -> bool:
    """Whether a node is there for a mesh, a camera or a light."""
    extensions = item.values.get("extensions", {})
    light = isinstance(extensions, dict) and "KHR_lights_punctual" in extensions
    return "mesh" in item or "camera" in item or light


def _scene_order(document: GltfDocument, parents: list[int], children: list[list[int]], tops: list[int]) -> list[int]:
    """The nodes of the scene, parents first."""
    scenes, chosen = document.all("scenes"), document.root.index("scene", "scenes") or 0
    for scene in scenes:
        for node in scene.indices("nodes", "nodes"):
            scene.require(parents[node] < 0, f"names nodes[{node}], which is not a root")
    if len(scenes) > 1:
        document.warn(f"has {len(scenes)} scenes, only scenes[{chosen}] was read")
    return preorder(scenes[chosen].indices("nodes", "nodes") if scenes else tops, children)
