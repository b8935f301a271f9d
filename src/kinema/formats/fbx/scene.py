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
from dataclasses import dataclass, replace

import numpy as np

from kinema import kinematics
from kinema.arrays import Bools, Floats, Indices, Ints
from kinema.formats.fbx.document import FbxDocument, Id, matrix
from kinema.formats.fbx.nodes import FARTHEST, ModelTree
from kinema.formats.fbx.notes import ROLE, TIP, is_ours
from kinema.formats.fbx.settings import FbxSettings
from kinema.formats.rigid import FLAT, carried, rigid_frames, rigid_rotations
from kinema.formats.trees import preorder, roles, unique_names, with_ancestors
from kinema.skeleton import Skeleton
from kinema.subset import Subset

BONES = {"LimbNode", "Limb", "Root"}
BARE = {"Null", ""}  # models without content
# Models that are not part of a body even if they move, unless they carry bones.
TOOLS = {"Camera", "CameraStereo", "CameraSwitcher", "Light", "Marker", "OpticalMarker", "IKEffector", "FKEffector"}
FITS = 0.9  # of the joints whose length and scale must agree for a bind pose to be one
LENGTH_TOLERANCE = 0.01  # of the skeleton's size
SCALE_TOLERANCE = 0.01


@dataclass(eq=False)
class FbxRig:
    """The joints among the models.

    To bind a mesh: `attach[joint]` takes the space of the joint's model (its unit, scale and shear) to the rigid
    joint. A cluster's `Transform` takes the mesh to the model of its bone, so the inverse bind matrix is
    `attach[joint] @ Transform @ geometric(mesh)`. A mesh without a skin is attached to `joint = nearest[node]`; its
    vertices go through `attach[joint] @ inv(rest[joint's node]) @ rest[node] @ geometric(mesh)` with `ModelTree.rest`.

    Attributes:
        skeleton: the joints, in metres.
        tree: the models.
        conversion: `[4, 4]` from the file's space to ours.
        nodes: `[J]` node of each joint.
        joint_of: node -> joint.
        nearest: node -> the joint that carries it, its own or its nearest ancestor's; only for nodes with such a joint.
        attach: float64 `[J, 4, 4]`.
        prefix: float64 `[J, 4, 4]`: takes the space of the model above each joint's model to the rigid parent joint
            (to the world for a root), both in the models' own transforms.
    """

    skeleton: Skeleton
    tree: ModelTree
    conversion: Floats
    nodes: list[int]
    joint_of: dict[int, int]
    nearest: dict[int, int]
    attach: Floats
    prefix: Floats

    def above(self, joints: Indices) -> FbxRig:
        """The rig of some joints, all above them, and the first, which carries the labels of our own files."""
        kept = np.flatnonzero(self.skeleton.above([0, *joints]))
        nodes = [self.nodes[joint] for joint in kept]
        joint_of = {node: joint for joint, node in enumerate(nodes)}
        nearest = {node: joint_of[self.nodes[j]] for node, j in self.nearest.items() if self.nodes[j] in joint_of}
        skeleton = Subset.create(self.skeleton, kept).skeleton
        return replace(
            self,
            skeleton=skeleton,
            nodes=nodes,
            joint_of=joint_of,
            nearest=nearest,
            attach=self.attach[kept],
            prefix=self.prefix[kept],
        )


def build_rig(settings: FbxSettings, nodes: ModelTree, moved: set[int]) -> FbxRig | None:
    """Chooses the joints and makes the skeleton; None if there is nothing to make it of.

    Args:
        moved: nodes whose transform an animation changes.
    """
    wanted, ends = _joints(nodes, moved)
    chosen, parents, nearest = _choose(nodes, wanted)
    if not chosen:
        return None
    joint_of = {node: joint for joint, node in enumerate(chosen)}
    rest = settings.conversion @ _rest(nodes, chosen, parents)
    rest_rotations, rest_translations = kinematics.to_local(rigid_rotations(rest), rest[:, :3, 3], parents)
    names = unique_names([nodes.models[node].name for node in chosen])  # meshes may be called as their bones are
    world = settings.conversion @ nodes.rest
    into = np.linalg.inv(rigid_frames(world[chosen]))
    tips = [
        (joint, (into[joint] @ world[n, :, 3])[:3]) for n in sorted(ends) for joint in (joint_of[nodes.parents[n]],)
    ]
    hints = roles({name: nodes.models[node].text(ROLE) for name, node in zip(names, chosen, strict=True)})
    skeleton = Skeleton.create(names, parents, rest_translations, rest_rotations, tips, hints)
    above = np.array([nodes.parents[node] for node in chosen])
    outer = np.where((above < 0)[:, None, None], settings.conversion, world[above])
    holders = np.where((np.array(parents) < 0)[:, None, None], np.eye(4), into[parents])
    attach, prefix = into @ world[chosen], holders @ outer
    return FbxRig(skeleton, nodes, settings.conversion, chosen, joint_of, nearest, attach, prefix)


def _joints(nodes: ModelTree, moved: set[int]) -> tuple[set[int], set[int]]:
    """The nodes that become joints, and those that become their tips."""
    bones = {node for node, kind in enumerate(nodes.kinds) if kind in BONES}
    clusters = nodes.document.all("Deformer", "Cluster")
    bound = (bone.id for cluster in clusters for bone in cluster.children("Model"))
    skinned = {nodes.index[id] for id in bound if id in nodes.index}
    if bones or skinned:
        wanted = _bone_joints(nodes, bones | skinned, moved)
    else:
        wanted = _plain_joints(nodes, moved)
    ends = _marked_tips(nodes, skinned | moved) & wanted
    return wanted - ends, ends


def _choose(nodes: ModelTree, wanted: set[int]) -> tuple[list[int], list[int], dict[int, int]]:
    """Nodes of the joints, their parents, and for each node that a joint carries that joint."""
    # Our own files list joints in the skeleton's order.
    listed = is_ours(nodes.document) and all(parent < node for node, parent in enumerate(nodes.parents))
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


def _marked_tips(nodes: ModelTree, used: set[int]) -> set[int]:
    """Tips that our writer marked: leaves below a bone that no skin uses and no animation moves."""
    return {
        node
        for node, model in enumerate(nodes.models)
        if model.integer(TIP, 0)
        and not nodes.children[node]
        and node not in used
        and nodes.kinds[nodes.parents[node]] in BONES
        and nodes.parents[node] >= 0
    }


def _stated_places(document: FbxDocument) -> Iterator[tuple[Id, Floats | None, bool]]:
    """Global matrices of models in skins, then in bind poses: id, matrix, and whether it is of a skin."""
    for cluster in document.all("Deformer", "Cluster"):
        for bone in cluster.children("Model"):
            yield bone.id, matrix(cluster.record.array("TransformLink")), True
    for pose in document.all("Pose", "BindPose"):
        for entry in pose.record.all("PoseNode"):
            id = entry.value("Node")
            if isinstance(id, int | str):
                yield id, matrix(entry.array("Matrix")), False


def _bind_pose(nodes: ModelTree) -> dict[int, Floats]:
    """Global matrices of nodes in the bind pose, in the file's space."""
    found: dict[int, Floats] = {}
    differ = False
    for id, given, of_skin in _stated_places(nodes.document):
        node = nodes.index.get(id)
        if node is None or given is None or not (np.abs(given) < FARTHEST).all():
            continue
        given[3] = [0, 0, 0, 1]
        if abs(np.linalg.det(given[:3, :3])) < FLAT:
            continue
        known = found.setdefault(node, given)
        differ |= of_skin and bool(np.abs(known - given).max() > 1e-3 * max(1.0, np.abs(given).max()))
    if differ:
        nodes.document.warn("has skins that were bound in different poses; the first is the rest pose")
    return found


def _rest(nodes: ModelTree, chosen: list[int], parents: list[int]) -> Floats:
    """Matrices `[J, 4, 4]` of the joints at rest in the file's space; see the module's text."""
    static = nodes.rest[chosen]
    # Our own files state the rest pose by their models, also if meshes were bound in another one.
    bound = {} if is_ours(nodes.document) else _bind_pose(nodes)
    known = {joint: bound[node] for joint, node in enumerate(chosen) if node in bound}
    if not known:
        return static
    rest = carried(static, known, parents)
    size = max(float(np.ptp(static[:, :3, 3], axis=0).max()), 1e-9)
    if np.abs(rest - static).max() < 1e-4 * max(size, 1.0):
        return static
    if not _fits(rest, static, np.array(parents), np.isin(np.arange(len(chosen)), list(known)), size):
        nodes.document.warn("has a bind pose that does not fit its bones; the rest pose is the pose of the bones")
        return static
    return rest


def _fits(rest: Floats, static: Floats, parents: Ints, bound: Bools, size: float) -> bool:
    """Whether scales and bone lengths of a bind pose are those of the models, for most joints."""
    child = bound & (parents >= 0)
    lengths = [np.linalg.norm(m[child, :3, 3] - m[parents[child], :3, 3], axis=1) for m in (rest, static)]
    scales = [np.cbrt(np.linalg.det(m[:, :3, :3])) for m in (rest, static)]
    same_scale = np.abs(scales[0] - scales[1]) <= SCALE_TOLERANCE * np.abs(scales[1])
    same_length = np.abs(lengths[0] - lengths[1]) < LENGTH_TOLERANCE * size
    return same_scale.mean() >= FITS and (not same_length.size or same_length.mean() >= FITS)


def _bone_joints(nodes: ModelTree, bones: set[int], moved: set[int]) -> set[int]:
    carrying = with_ancestors(nodes.parents, bones)
    below: set[int] = set()
    for node in nodes.order:
        if nodes.parents[node] in bones or nodes.parents[node] in below:
            below.add(node)

    def is_bare(node: int) -> bool:
        return nodes.kinds[node] in BARE and not nodes.children[node] and node not in below

    left = [node for node in sorted(moved - carrying) if nodes.kinds[node] in TOOLS or is_bare(node)]
    if left:
        nodes.document.warn(
            f"{len(left)} cameras, lights, markers or empty models move ({nodes.models[left[0]].name!r} first); they "
            "are not part of the skeleton and were left out"
        )
    return bones | (moved - set(left))


def _plain_joints(nodes: ModelTree, moved: set[int]) -> set[int]:
    def is_tree(root: int) -> bool:
        has_mesh = bool(nodes.models[root].children("Geometry"))
        return bool(nodes.children[root]) or has_mesh or root in moved

    def is_joint(node: int) -> bool:
        kept = nodes.children[node] or nodes.parents[node] < 0 or node in moved
        return bool(kept) or nodes.kinds[node] in BARE

    roots = [node for node in nodes.order if nodes.parents[node] < 0]
    return {node for node in preorder(list(filter(is_tree, roots)), nodes.children) if is_joint(node)}
