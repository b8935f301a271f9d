"""Which joints a USD file gives, and the rest pose of the skeleton they make.

1. With UsdSkel skeletons: the joints of all of them, each skeleton with roots of its own, and every transform that
   moves and carries a mesh without a skin. Transforms above a skeleton are folded into its root joints, moving or not.
2. Without: all transforms of trees that hold a mesh or move, as with the nodes of glTF, except lights, cameras and
   leaves that only carry a mesh. A lone mesh becomes a joint.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.errors import FormatError
from kinema.formats.rigid import rigid_locals
from kinema.formats.trees import unique_names
from kinema.skeleton import MAX_JOINTS, Skeleton

FARTHEST = 1e15  # metres; beyond it nothing is a character, and squares no longer fit float32
MAX_STEPS = 256 * 1024**2  # letters of joint paths, each as often as its path is deep: what looking for parents reads
_GROUPS = ("Xform", "SkelRoot", "")  # kinds of prims that only carry others


@dataclass(eq=False)
class Bones:
    """The joints of one UsdSkel skeleton, in its own order.

    Attributes:
        node: the prim it is.
        tokens: joint paths, `Hips/Spine`.
        parents: index within the skeleton, -1 for roots.
        order: parents first.
        rest: `[J, 4, 4]` local rest transforms.
        bind: `[J, 4, 4]` from joint to skeleton space at binding time.
        joints: `[J]` joints of the rig.
    """

    node: int
    path: str
    tokens: list[str]
    parents: list[int]
    order: list[int]
    rest: NDArray[np.float64]
    bind: NDArray[np.float64]
    animation: int
    notes: dict[str, Any]
    joints: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    copied: bool = False  # our writer gives meshes with other bind poses copies of the one skeleton


@dataclass(eq=False)
class Rig:
    """All joints, and how the skeleton's rigid frames relate to the scaled ones of the file.

    Attributes:
        worlds: `[N, 4, 4]` of all nodes at rest, in metres and our axes.
        above: `[4, 4]` from the file's units and axes to ours.
        bones: one for each skeleton of the file.
        nodes: transforms that are joints -> joint.
        parents: `[J]` of the joints.
        rest: `[J, 4, 4]` of the joints at rest, with scale.
    """

    skeleton: Skeleton
    worlds: NDArray[np.float64]
    above: NDArray[np.float64]
    bones: list[Bones]
    nodes: dict[int, int]
    parents: list[int]
    rest: NDArray[np.float64]


def build_rig(scene: dict[str, Any], warnings: list[str]) -> Rig | None:
    """The rig of a scene (see `extract`); None when the file holds none.

    Raises:
        FormatError: joints that do not fit their transforms, a transform that is not finite; names the prim.
    """
    above = _above(scene, warnings)
    items = scene["nodes"]
    worlds = node_worlds(items, above, {})[:, 0]
    bones = [_bones(item, warnings) for item in scene["skeletons"]]
    chosen = _joint_nodes(scene, any(bone.tokens for bone in bones))
    if not any(bone.tokens for bone in bones) and not chosen:
        chosen = [item["node"] for item in scene["skeletons"]] or [item["node"] for item in scene["meshes"]]
    names: list[str] = []
    parents: list[int] = []
    rest: list[NDArray[np.float64]] = []
    nodes: dict[int, int] = {}
    for node in chosen:
        parent = items[node]["parent"]
        while parent >= 0 and parent not in nodes:
            parent = items[parent]["parent"]
        nodes[node] = len(names)
        names.append(items[node]["name"])
        parents.append(nodes.get(parent, -1))
        rest.append(worlds[node])
    for bone, item in zip(bones, scene["skeletons"], strict=True):
        twin = bone.notes.get("same_as")
        if isinstance(twin, int) and 0 <= twin < bones.index(bone) and bones[twin].tokens == bone.tokens:
            bone.joints, bone.copied = bones[twin].joints, True
            continue
        bone.joints = np.zeros(len(bone.tokens), np.int32)
        given = item["names"] if item["names"] and len(item["names"]) == len(bone.tokens) else None
        for joint in bone.order:
            bone.joints[joint] = len(names)
            parent = bone.parents[joint]
            parents.append(-1 if parent < 0 else int(bone.joints[parent]))
            names.append(given[joint] if given else bone.tokens[joint].rsplit("/", 1)[-1])
            rest.append((worlds[bone.node] if parent < 0 else rest[parents[-1]]) @ bone.rest[joint])
    if not names:
        return None
    if len(names) > MAX_JOINTS:
        raise FormatError(f"has {len(names)} joints, more than {MAX_JOINTS}")
    world = np.stack(rest)
    if not (np.abs(world) < FARTHEST).all():
        far = int(np.argmin((np.abs(world) < FARTHEST).all(axis=(1, 2))))
        raise FormatError("lies outside of any sensible range", node=f"joint {names[far]!r}")
    local_rotations, local_translations = rigid_locals(world, parents)
    unique = unique_names(names)
    tips = [tip for bone in bones for tip in _tips(bone)]
    hints = {unique[joint]: role for bone in bones for joint, role in _hints(bone)}
    skeleton = Skeleton.create(unique, parents, local_translations, local_rotations, tips, hints)
    return Rig(skeleton, worlds, above, bones, nodes, parents, world)


def node_worlds(
    items: list[dict[str, Any]],
    above: NDArray[np.float64],
    moving: dict[int, NDArray[np.float64]],
    wanted: set[int] | None = None,
) -> NDArray[np.float64]:
    """World transforms `[N, F, 4, 4]` of nodes; those in `moving` have a local transform `[F, 4, 4]` of their own.

    `F` is 1 without `moving`. With `wanted`, only those nodes and what is above them are computed.
    """
    frames = max([len(matrices) for matrices in moving.values()], default=1)
    if wanted is not None:
        needed = set(wanted)
        for node in sorted(wanted, reverse=True):
            while items[node]["parent"] >= 0 and items[node]["parent"] not in needed:
                node = items[node]["parent"]
                needed.add(node)
        places = {node: place for place, node in enumerate(sorted(needed))}
    else:
        places = {node: node for node in range(len(items))}
    worlds = np.zeros((len(places), frames, 4, 4))
    with np.errstate(over="ignore", invalid="ignore"):
        for node, place in places.items():
            item = items[node]
            local = moving[node] if node in moving else item["matrix"][None]
            outer = above if item["resets"] or item["parent"] < 0 else worlds[places[item["parent"]]]
            worlds[place] = outer @ local
    if not (np.abs(worlds) < FARTHEST).all():
        far = int(np.argmin((np.abs(worlds) < FARTHEST).all(axis=(1, 2, 3))))
        raise FormatError("lies outside of any sensible range", node=f"<{items[sorted(places)[far]]['path']}>")
    return worlds if wanted is None else worlds[[places[node] for node in sorted(wanted)]]


def _above(scene: dict[str, Any], warnings: list[str]) -> NDArray[np.float64]:
    metres = scene["metres"]
    if metres is None:
        metres = 0.01
        warnings.append("does not say its unit; taken as centimetres, which is what USD then means")
    if not (np.isfinite(metres) and 1e-9 < metres < 1e9):
        raise FormatError(f"has {metres:g} metres per unit, which cannot be")
    axes = np.eye(4)
    if scene["up"] == "Z":
        axes[:3, :3] = [[1, 0, 0], [0, 0, 1], [0, -1, 0]]
    axes[:3] *= metres
    return axes


def _bones(item: dict[str, Any], warnings: list[str]) -> Bones:
    tokens, where = item["joints"], f"<{item['path']}>"
    count = len(tokens)
    index = {token: joint for joint, token in enumerate(tokens)}
    if len(index) < count or "" in index:
        raise FormatError("names a joint twice, or not at all", node=where)
    depth = [token.count("/") for token in tokens]
    if sum(len(token) * (steps + 1) for token, steps in zip(tokens, depth, strict=True)) > MAX_STEPS:
        raise FormatError("has joint paths longer than any skeleton's", node=where)
    parents = [_parent(token, index) for token in tokens]
    order = list(range(count))
    if any(parent >= joint for joint, parent in enumerate(parents)):
        order = sorted(order, key=lambda joint: depth[joint])
        warnings.append(f"{where} lists joints before their parents; they were put in order")
    bind, rest = item["bind"], item["rest"]
    for name, given in (("bindTransforms", bind), ("restTransforms", rest)):
        if given is not None and len(given) not in (0, count):
            raise FormatError(f"has {len(given)} {name} for {count} joints", node=where)
        if given is not None and not np.isfinite(given).all():
            raise FormatError(f"{name} hold a number that is not finite", node=where)
    bind = None if bind is None or not len(bind) else np.swapaxes(bind, 1, 2)
    rest = None if rest is None or not len(rest) else np.swapaxes(rest, 1, 2)
    if count and bind is None and rest is None:
        raise FormatError("has neither bindTransforms nor restTransforms", node=where)
    if bind is not None and count and rest is None:
        warnings.append(f"{where} has no restTransforms; its rest pose is the bind pose")
        undo = [np.eye(4) if parent < 0 else _inverse(bind[parent], where) for parent in parents]
        rest = np.stack(undo) @ bind
    if rest is not None and count and bind is None:
        warnings.append(f"{where} has no bindTransforms; its bind pose is the rest pose")
        worlds = np.array(rest)
        for joint in order:
            if parents[joint] >= 0:
                worlds[joint] = worlds[parents[joint]] @ rest[joint]
        bind = worlds
    none = np.zeros((0, 4, 4))
    return Bones(
        item["node"],
        item["path"],
        tokens,
        parents,
        order,
        none if rest is None else rest.astype(np.float64),
        none if bind is None else bind.astype(np.float64),
        item["animation"],
        item["notes"] if isinstance(item["notes"], dict) else {},
    )


def _parent(token: str, index: dict[str, int]) -> int:
    """The nearest joint whose path a joint's path begins with; -1 for a root."""
    while "/" in token:
        token = token.rpartition("/")[0]
        if token in index:
            return index[token]
    return -1


def _inverse(matrix: NDArray[np.float64], where: str) -> NDArray[np.float64]:
    try:
        with np.errstate(all="ignore"):
            inverse = np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        inverse = None
    if inverse is None or not np.isfinite(inverse).all():
        raise FormatError("has a bind transform that cannot be inverted", node=where)
    return inverse.astype(np.float64)


def _hints(bone: Bones) -> list[tuple[int, str]]:
    """Roles of joints that our writer noted."""
    joints, roles = bone.notes.get("hint_joints"), bone.notes.get("hint_roles")
    if not isinstance(joints, np.ndarray) or not isinstance(roles, list) or joints.shape != (len(roles),):
        return []
    return [
        (int(bone.joints[joint]), role)
        for joint, role in zip(joints.tolist(), roles, strict=True)
        if isinstance(joint, int) and 0 <= joint < len(bone.tokens) and isinstance(role, str)
    ]


def _tips(bone: Bones) -> list[tuple[int, list[float]]]:
    """End sites that our writer noted."""
    if bone.copied:
        return []
    joints, offsets = bone.notes.get("tip_joints"), bone.notes.get("tip_offsets")
    if not isinstance(joints, np.ndarray) or not isinstance(offsets, np.ndarray) or offsets.ndim != 2:
        return []
    if joints.ndim != 1 or offsets.shape != (len(joints), 3) or joints.dtype.kind != "i":
        return []
    inside = (joints >= 0) & (joints < len(bone.tokens)) & np.isfinite(offsets).all(axis=1)
    return [
        (int(bone.joints[joint]), offset.tolist())
        for joint, offset in zip(joints[inside].tolist(), offsets[inside], strict=True)
    ]


def _joint_nodes(scene: dict[str, Any], skinned: bool) -> list[int]:
    """Transforms that become joints, parents first."""
    items = scene["nodes"]
    hung = {mesh["node"] for mesh in scene["meshes"] if mesh["skin"] is None}
    count = len(items)
    meshes, moves, children, lamps = (np.zeros(count, bool) for _ in range(4))
    for node in range(count - 1, -1, -1):
        item = items[node]
        meshes[node] |= node in hung
        moves[node] |= item["moves"]
        lamps[node] |= item["light"]
        if item["parent"] >= 0:
            above = item["parent"]
            children[above] = True
            for marks in (meshes, moves, lamps):
                marks[above] |= marks[node]
    if skinned:
        return [node for node in range(count) if items[node]["moves"] and meshes[node]]
    root = list(range(count))
    for node, item in enumerate(items):
        if item["parent"] >= 0:
            root[node] = root[item["parent"]]
    chosen = []
    for node, item in enumerate(items):
        tree = root[node]
        alive = meshes[tree] or moves[tree] or children[tree]
        only_lamps = lamps[node] and not meshes[node] and not item["moves"]
        group = item["kind"] in _GROUPS or children[node] or item["moves"]
        if alive and group and not item["light"] and not only_lamps:
            chosen.append(node)
    return chosen
