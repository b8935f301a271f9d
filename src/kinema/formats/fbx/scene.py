"""Which models of an FBX file become joints, and their rest pose.

Which models are joints:

1. Where there are bones (models or attributes called LimbNode, Limb or Root) or skins: the bones, what skins are bound
   to, and what an animation moves. Static models above or between them are folded into the joints below. Cameras,
   lights, markers and empty models beside the skeleton are left out.
2. Without bones and skins, but with an animation, a mesh, or a model that has children: all models of those trees,
   except leaves that only carry a mesh, a camera, a light or the like.

The rest pose is the bind pose, as skins (`TransformLink`) and bind poses state it, because many programs store the
pose of the frame that happened to be on screen as the models' own transforms. It is taken only where it fits the
bones: lengths and scales of nine in ten joints must agree. Else the rest pose is the models' own transforms.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema.formats.fbx.document import Document, Id, matrix
from kinema.formats.fbx.nodes import FARTHEST, Nodes
from kinema.formats.fbx.notes import is_ours
from kinema.formats.fbx.out_rig import ROLE, TIP
from kinema.formats.fbx.settings import Settings
from kinema.formats.rigid import rigid_frames, rigid_locals
from kinema.formats.trees import preorder, unique_names
from kinema.roles.model import PARTS
from kinema.skeleton import Skeleton

BONES = {"LimbNode", "Limb", "Root"}
BARE = {"Null", ""}  # models that carry nothing
# Models that are no part of a body even where they move, unless they carry bones.
TOOLS = {"Camera", "CameraStereo", "CameraSwitcher", "Light", "Marker", "OpticalMarker", "IKEffector", "FKEffector"}
FITS = 0.9  # of the joints whose length and scale must agree for a bind pose to be one
LENGTH_TOLERANCE = 0.01  # of the skeleton's size
SCALE_TOLERANCE = 0.01


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
    """

    skeleton: Skeleton
    nodes: list[int]
    joint_of: dict[int, int]
    nearest: dict[int, int]
    attach: NDArray[np.float64]


def build_rig(document: Document, settings: Settings, nodes: Nodes, moved: set[int]) -> Rig | None:
    """Chooses the joints and makes the skeleton; None when there is nothing to make it of.

    Args:
        moved: nodes whose transform an animation changes.
    """
    # Our own files state the rest pose by their models, also where meshes were bound in another one.
    bound = {} if is_ours(document) else _bound(document, nodes)
    bones = {node for node, kind in enumerate(nodes.kinds) if kind in BONES}
    skinned = {nodes.index[bone.id] for bone in _cluster_bones(document) if bone.id in nodes.index}
    if bones or skinned:
        wanted = _bone_joints(document, nodes, bones | skinned, moved)
    else:
        wanted = _plain_joints(document, nodes, moved)
    ends = _marked_tips(nodes, skinned | moved) & wanted
    # Our own files list joints in the skeleton's order.
    listed = is_ours(document) and all(parent < node for node, parent in enumerate(nodes.parents))
    order = list(range(len(nodes.models))) if listed else nodes.order
    chosen = [node for node in order if node in wanted and node not in ends]
    if not chosen:
        return None
    joint_of = {node: joint for joint, node in enumerate(chosen)}
    above: dict[int, int] = {}
    parents = []
    for node in order:
        parent = nodes.parents[node]
        inherited = above.get(parent, -1)
        if node in joint_of:
            parents.append(inherited)
        above[node] = joint_of.get(node, inherited)
    rest = settings.conversion @ _rest(document, nodes, chosen, parents, bound)
    turned, moved_by = rigid_locals(rest, parents)
    names = unique_names([nodes.models[node].name for node in chosen])  # meshes may be called as their bones are
    static = settings.conversion @ nodes.rest[chosen]
    frames = rigid_frames(static)
    tips = []
    for node in sorted(ends):
        joint = joint_of[nodes.parents[node]]
        place = (settings.conversion @ nodes.rest[node])[:, 3]
        tips.append((joint, (np.linalg.inv(frames[joint]) @ place)[:3]))
    stated = {name: nodes.models[node].text(ROLE) for name, node in zip(names, chosen, strict=True)}
    parts = {name: role.removeprefix("left_").removeprefix("right_") for name, role in stated.items()}
    hints = {name: role for name, role in stated.items() if role and parts[name] in PARTS}
    skeleton = Skeleton.create(names, parents, moved_by, turned, tips, hints)
    attach = np.linalg.inv(frames) @ static
    return Rig(skeleton, chosen, joint_of, {node: joint for node, joint in above.items() if joint >= 0}, attach)


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


def _cluster_bones(document: Document) -> Iterable:
    for cluster in document.all("Deformer", "Cluster"):
        yield from document.children(cluster.id, "Model")


def _bound(document: Document, nodes: Nodes) -> dict[int, NDArray[np.float64]]:
    """Where skins and bind poses say that nodes stood, in the file's space."""
    found: dict[int, NDArray[np.float64]] = {}
    differ = False

    def note(id: Id, given: NDArray[np.float64] | None) -> None:
        nonlocal differ
        node = nodes.index.get(id)
        if node is None or given is None or not (np.abs(given) < FARTHEST).all():
            return
        given[3] = [0, 0, 0, 1]
        if abs(np.linalg.det(given[:3, :3])) < 1e-30:
            return
        if node in found:
            differ |= bool(np.abs(found[node] - given).max() > 1e-3 * max(1.0, np.abs(given).max()))
        else:
            found[node] = given

    for cluster in document.all("Deformer", "Cluster"):
        given = matrix(cluster.record.array("TransformLink"))
        for bone in document.children(cluster.id, "Model"):
            note(bone.id, given)
    if differ:
        document.warn("has skins that were bound in different poses; the first is the rest pose")
    for pose in document.all("Pose", "BindPose"):
        for entry in pose.record.all("PoseNode"):
            id = entry.value("Node")
            if isinstance(id, int | str) and nodes.index.get(id) not in found:
                note(id, matrix(entry.array("Matrix")))
    return found


def _rest(
    document: Document, nodes: Nodes, chosen: list[int], parents: list[int], bound: dict[int, NDArray[np.float64]]
) -> NDArray[np.float64]:
    """Matrices `[J, 4, 4]` of the joints at rest in the file's space; see the module's text."""
    static = nodes.rest[chosen]
    if not any(node in bound for node in chosen):
        return static
    rest = static.copy()
    flat = np.abs(np.linalg.det(static[:, :3, :3])) < 1e-30
    for joint, (node, parent) in enumerate(zip(chosen, parents, strict=True)):
        if node in bound:
            rest[joint] = bound[node]
        elif parent >= 0 and not flat[parent]:
            rest[joint] = rest[parent] @ np.linalg.inv(static[parent]) @ static[joint]
    size = max(float(np.ptp(static[:, :3, 3], axis=0).max()), 1e-9)
    if np.abs(rest - static).max() < 1e-4 * max(size, 1.0):
        return static
    child = np.array(
        [
            joint
            for joint, (node, parent) in enumerate(zip(chosen, parents, strict=True))
            if parent >= 0 and node in bound
        ],
        dtype=int,
    )
    above = np.array(parents)[child]
    lengths = [np.linalg.norm(m[child, :3, 3] - m[above, :3, 3], axis=1) for m in (rest, static)]
    scales = [np.cbrt(np.linalg.det(m[:, :3, :3])) for m in (rest, static)]
    fits = np.abs(scales[0] - scales[1]) <= SCALE_TOLERANCE * np.abs(scales[1])
    if fits.mean() < FITS or (child.size and (np.abs(lengths[0] - lengths[1]) < LENGTH_TOLERANCE * size).mean() < FITS):
        document.warn("has a bind pose that does not fit its bones; the rest pose is how the bones stand")
        return static
    return rest


def _bone_joints(document: Document, nodes: Nodes, bones: set[int], moved: set[int]) -> set[int]:
    wanted = set(bones)
    carrying = set()
    for node in wanted:
        above = node
        while above >= 0 and above not in carrying:
            carrying.add(above)
            above = nodes.parents[above]
    below: set[int] = set()
    for node in nodes.order:
        if nodes.parents[node] in bones or nodes.parents[node] in below:
            below.add(node)
    left = []
    for node in sorted(moved - wanted - carrying):
        bare = nodes.kinds[node] in BARE and not nodes.children[node] and node not in below
        if nodes.kinds[node] in TOOLS or bare:
            left.append(node)
    if left:
        document.warn(
            f"{len(left)} cameras, lights, markers or empty models move ({nodes.models[left[0]].name!r} first); they "
            "are no part of the skeleton and were left out"
        )
    return wanted | (moved - set(left))


def _plain_joints(document: Document, nodes: Nodes, moved: set[int]) -> set[int]:
    trees = []
    for root in (node for node in nodes.order if nodes.parents[node] < 0):
        below = preorder([root], nodes.children)
        meshes = any(document.children(nodes.models[node].id, "Geometry") for node in below)
        if len(below) > 1 or meshes or root in moved:
            trees.append(root)
    wanted = set(preorder(trees, nodes.children))
    for node in list(wanted):
        alone = not nodes.children[node] and nodes.parents[node] >= 0 and node not in moved
        if alone and nodes.kinds[node] not in BARE:
            wanted.discard(node)
    return wanted
