"""Which models of an FBX file become joints, and their rest pose.

Which models are joints:

1. If there are bones (models or attributes called LimbNode, Limb or Root) or skins: the bones, what skins are bound
   to, and what an animation moves. Static models above or between them are folded into the joints below. Cameras,
   lights, markers and empty models beside the skeleton are left out.
2. Without bones and skins, but with an animation, a mesh, or a model that has children: all models of those trees,
   except leaves that only carry a mesh, a camera, a light or the like.

The rest pose is the bind pose, as skins (`TransformLink`) and bind poses state it, because many programs store the
pose of the frame that happened to be on screen as the models' own transforms. It is used only if it fits the
bones: lengths and scales of nine in ten joints must agree. Otherwise the rest pose is the models' own transforms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema import kinematics
from kinema.formats.fbx.document import FbxDocument, Id, matrix
from kinema.formats.fbx.nodes import FARTHEST, Nodes, with_ancestors
from kinema.formats.fbx.notes import ROLE, TIP, is_ours
from kinema.formats.fbx.settings import Settings
from kinema.formats.rigid import rigid_frames, rigid_rotations
from kinema.formats.trees import preorder, unique_names
from kinema.roles.model import PARTS
from kinema.skeleton import Skeleton

BONES = {"LimbNode", "Limb", "Root"}
BARE = {"Null", ""}  # models that carry nothing
# Models that are no part of a body even if they move, unless they carry bones.
TOOLS = {"Camera", "CameraStereo", "CameraSwitcher", "Light", "Marker", "OpticalMarker", "IKEffector", "FKEffector"}
FITS = 0.9  # of the joints whose length and scale must agree for a bind pose to be one
LENGTH_TOLERANCE = 0.01  # of the skeleton's size
SCALE_TOLERANCE = 0.01
_FLAT = 1e-30  # determinant of a linear map that cannot be inverted


@dataclass(eq=False)
class Rig:
    """The joints among the models.

    To bind a mesh: `attach[joint]` takes the space of the joint's model (its unit, scale and shear) to the rigid
    joint. A cluster's `Transform` takes the mesh to the model of its bone, so the inverse bind matrix is
    `attach[joint] @ Transform @ geometric(mesh)`. A mesh without a skin hangs on `joint = nearest[node]`; its
    vertices go through `attach[joint] @ inv(rest[joint's node]) @ rest[node] @ geometric(mesh)` with `Nodes.rest`.

    Attributes:
        skeleton: the joints, in metres.
        nodes: `[J]` node of each joint.
        joint_of: node -> joint.
        nearest: node -> the joint it hangs on: itself or its nearest ancestor; not for nodes that no joint carries.
        attach: float64 `[J, 4, 4]`.
        prefix: float64 `[J, 4, 4]`: takes the space of the model above each joint's model to the rigid parent joint
            (to the world for a root), both as the models stand.
    """

    skeleton: Skeleton
    nodes: list[int]
    joint_of: dict[int, int]
    nearest: dict[int, int]
    attach: NDArray[np.float64]
    prefix: NDArray[np.float64]


def build_rig(document: FbxDocument, settings: Settings, nodes: Nodes, moved: set[int]) -> Rig | None:
    """Chooses the joints and makes the skeleton; None if there is nothing to make it of.

    Args:
        moved: nodes whose transform an animation changes.
    """
    wanted, ends = _joints(document, nodes, moved)
    chosen, parents, nearest = _choose(document, nodes, wanted)
    if not chosen:
        return None
    joint_of = {node: joint for joint, node in enumerate(chosen)}
    rest = settings.conversion @ _rest(document, nodes, chosen, parents)
    rest_rotations, rest_translations = kinematics.to_local(rigid_rotations(rest), rest[:, :3, 3], parents)
    names = unique_names([nodes.models[node].name for node in chosen])  # meshes may be called as their bones are
    world = settings.conversion @ nodes.rest
    into = np.linalg.inv(rigid_frames(world[chosen]))
    tips = [
        (joint, (into[joint] @ world[n, :, 3])[:3]) for n in sorted(ends) for joint in (joint_of[nodes.parents[n]],)
    ]
    hints = _hints(nodes, names, chosen)
    skeleton = Skeleton.create(names, parents, rest_translations, rest_rotations, tips, hints)
    above = np.array([nodes.parents[node] for node in chosen])
    outer = np.where((above < 0)[:, None, None], settings.conversion, world[above])
    holders = np.where((np.array(parents) < 0)[:, None, None], np.eye(4), into[parents])
    return Rig(skeleton, chosen, joint_of, nearest, into @ world[chosen], holders @ outer)


def _joints(document: FbxDocument, nodes: Nodes, moved: set[int]) -> tuple[set[int], set[int]]:
    """The nodes that become joints, and those that become their tips."""
    bones = {node for node, kind in enumerate(nodes.kinds) if kind in BONES}
    clusters = document.all("Deformer", "Cluster")
    bound = (bone.id for cluster in clusters for bone in document.children(cluster.id, "Model"))
    skinned = {nodes.index[id] for id in bound if id in nodes.index}
    if bones or skinned:
        wanted = _bone_joints(document, nodes, bones | skinned, moved)
    else:
        wanted = _plain_joints(document, nodes, moved)
    ends = _marked_tips(nodes, skinned | moved) & wanted
    return wanted - ends, ends


def _choose(document: FbxDocument, nodes: Nodes, wanted: set[int]) -> tuple[list[int], list[int], dict[int, int]]:
    """Nodes of the joints, their parents, and for each node that a joint carries that joint."""
    # Our own files list joints in the skeleton's order.
    listed = is_ours(document) and all(parent < node for node, parent in enumerate(nodes.parents))
    order = list(range(len(nodes.models))) if listed else nodes.order
    chosen: list[int] = []
    parents: list[int] = []
    nearest: dict[int, int] = {}
    for node in order:
        joint = nearest.get(nodes.parents[node], -1)
        if node in wanted:
            parents.append(joint)
            joint = len(chosen)
            chosen.append(node)
        if joint >= 0:
            nearest[node] = joint
    return chosen, parents, nearest


def _hints(nodes: Nodes, names: list[str], chosen: list[int]) -> dict[str, str]:
    """Roles that our writer noted, by joint name."""
    stated = {name: nodes.models[node].text(ROLE) for name, node in zip(names, chosen, strict=True)}
    parts = {name: role.removeprefix("left_").removeprefix("right_") for name, role in stated.items()}
    return {name: role for name, role in stated.items() if role and parts[name] in PARTS}


def _marked_tips(nodes: Nodes, used: set[int]) -> set[int]:
    """Ends of bones that our writer marked: leaves below a bone that nothing is bound to and nothing moves."""
    return {
        node
        for node, model in enumerate(nodes.models)
        if model.integer(TIP, 0)
        and not nodes.children[node]
        and node not in used
        and nodes.kinds[nodes.parents[node]] in BONES
        and nodes.parents[node] >= 0
    }


def _stated_places(document: FbxDocument) -> Iterator[tuple[Id, NDArray[np.float64] | None, bool]]:
    """What skins, then bind poses state of models: id, global matrix, and whether it is of a skin."""
    for cluster in document.all("Deformer", "Cluster"):
        for bone in document.children(cluster.id, "Model"):
            yield bone.id, matrix(cluster.record.array("TransformLink")), True
    for pose in document.all("Pose", "BindPose"):
        for entry in pose.record.all("PoseNode"):
            id = entry.value("Node")
            if isinstance(id, int | str):
                yield id, matrix(entry.array("Matrix")), False


def _bind_pose(document: FbxDocument, nodes: Nodes) -> dict[int, NDArray[np.float64]]:
    """Global matrices of nodes in the bind pose, in the file's space."""
    found: dict[int, NDArray[np.float64]] = {}
    differ = False
    for id, given, of_skin in _stated_places(document):
        node = nodes.index.get(id)
        if node is None or given is None or not (np.abs(given) < FARTHEST).all():
            continue
        given[3] = [0, 0, 0, 1]
        if abs(np.linalg.det(given[:3, :3])) < _FLAT:
            continue
        known = found.setdefault(node, given)
        differ |= of_skin and bool(np.abs(known - given).max() > 1e-3 * max(1.0, np.abs(given).max()))
    if differ:
        document.warn("has skins that were bound in different poses; the first is the rest pose")
    return found


def _rest(document: FbxDocument, nodes: Nodes, chosen: list[int], parents: list[int]) -> NDArray[np.float64]:
    """Matrices `[J, 4, 4]` of the joints at rest in the file's space; see the module's text."""
    static = nodes.rest[chosen]
    # Our own files state the rest pose by their models, also if meshes were bound in another one.
    bound = {} if is_ours(document) else _bind_pose(document, nodes)
    if not any(node in bound for node in chosen):
        return static
    rest = static.copy()
    flat = np.abs(np.linalg.det(static[:, :3, :3])) < _FLAT
    for joint, (node, parent) in enumerate(zip(chosen, parents, strict=True)):
        if node in bound:
            rest[joint] = bound[node]
        elif parent >= 0 and not flat[parent]:
            rest[joint] = rest[parent] @ np.linalg.inv(static[parent]) @ static[joint]
    size = max(float(np.ptp(static[:, :3, 3], axis=0).max()), 1e-9)
    if np.abs(rest - static).max() < 1e-4 * max(size, 1.0):
        return static
    if not _fits(rest, static, np.array(parents), np.array([node in bound for node in chosen]), size):
        document.warn("has a bind pose that does not fit its bones; the rest pose is the pose of the bones")
        return static
    return rest


def _fits(
    rest: NDArray[np.float64],
    static: NDArray[np.float64],
    parents: NDArray[np.int64],
    bound: NDArray[np.bool_],
    size: float,
) -> bool:
    """Whether scales and bone lengths of a bind pose are those of the models, for most joints."""
    child = bound & (parents >= 0)
    lengths = [np.linalg.norm(m[child, :3, 3] - m[parents[child], :3, 3], axis=1) for m in (rest, static)]
    scales = [np.cbrt(np.linalg.det(m[:, :3, :3])) for m in (rest, static)]
    same_scale = np.abs(scales[0] - scales[1]) <= SCALE_TOLERANCE * np.abs(scales[1])
    same_length = np.abs(lengths[0] - lengths[1]) < LENGTH_TOLERANCE * size
    return same_scale.mean() >= FITS and (not same_length.size or same_length.mean() >= FITS)


def _bone_joints(document: FbxDocument, nodes: Nodes, bones: set[int], moved: set[int]) -> set[int]:
    carrying = with_ancestors(nodes, bones)
    below: set[int] = set()
    for node in nodes.order:
        if nodes.parents[node] in bones or nodes.parents[node] in below:
            below.add(node)

    def is_bare(node: int) -> bool:
        return nodes.kinds[node] in BARE and not nodes.children[node] and node not in below

    left = [node for node in sorted(moved - carrying) if nodes.kinds[node] in TOOLS or is_bare(node)]
    if left:
        document.warn(
            f"{len(left)} cameras, lights, markers or empty models move ({nodes.models[left[0]].name!r} first); they "
            "are no part of the skeleton and were left out"
        )
    return bones | (moved - set(left))


def _plain_joints(document: FbxDocument, nodes: Nodes, moved: set[int]) -> set[int]:
    trees = []
    for root in (node for node in nodes.order if nodes.parents[node] < 0):
        below = preorder([root], nodes.children)
        meshes = any(document.children(nodes.models[node].id, "Geometry") for node in below)
        if len(below) > 1 or meshes or root in moved:
            trees.append(root)

    def is_joint(node: int) -> bool:
        kept = nodes.children[node] or nodes.parents[node] < 0 or node in moved
        return bool(kept) or nodes.kinds[node] in BARE

    return {node for node in preorder(trees, nodes.children) if is_joint(node)}
