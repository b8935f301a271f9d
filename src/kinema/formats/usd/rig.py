"""Which joints a USD file gives, and the rest pose of the skeleton they make.

1. With UsdSkel skeletons: the joints of all of them, each skeleton with roots of its own, and every transform that
   moves and carries a mesh without a skin. Transforms above a skeleton are folded into its root joints, moving or not.
2. Without: all transforms of trees that hold a mesh or move, as with the nodes of glTF, except lights, cameras and
   leaves that only carry a mesh. A lone mesh becomes a joint.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kinema import kinematics
from kinema.arrays import Floats, Indices
from kinema.errors import FormatError
from kinema.formats.checks import require
from kinema.formats.rigid import inverses, rigid_rotations
from kinema.formats.trees import roots, unique_names, with_ancestors
from kinema.skeleton import MAX_JOINTS, Skeleton

FARTHEST = 1e15  # metres; squares of larger numbers do not fit float32
MAX_STEPS = 256 * 1024**2  # letters of joint paths times their depth, which finding parents has to read
_GROUPS = ("Xform", "SkelRoot", "")  # kinds of prims that only carry others


@dataclass(eq=False)
class UsdSkeleton:
    """The joints of one UsdSkel skeleton, in its own order.

    Attributes:
        node: the prim it is.
        tokens: joint paths, `Hips/Spine`.
        parents: index within the skeleton, -1 for roots.
        order: parents first.
        rest: `[Js, 4, 4]` local rest transforms.
        bind: `[Js, 4, 4]` from joint to skeleton space at binding time.
        joints: `[Js]` joints of the rig.
    """

    node: int
    path: str
    tokens: list[str]
    parents: list[int]
    order: list[int]
    rest: Floats
    bind: Floats
    animation: int
    notes: dict[str, Any]
    joints: Indices = field(default_factory=lambda: np.zeros(0, np.int32))
    copied: bool = False  # our writer gives meshes with other bind poses copies of the one skeleton


@dataclass(eq=False)
class UsdRig:
    """All joints, and how the skeleton's rigid frames relate to the scaled ones of the file.

    Attributes:
        worlds: `[N, 4, 4]` of all nodes at rest, in metres and our axes.
        above: `[4, 4]` from the file's units and axes to ours.
        skeletons: those of the file.
        nodes: transforms that are joints -> joint.
        parents: `[J]` of the joints.
        rest: `[J, 4, 4]` of the joints at rest, with scale.
    """

    skeleton: Skeleton
    worlds: Floats
    above: Floats
    skeletons: list[UsdSkeleton]
    nodes: dict[int, int]
    parents: list[int]
    rest: Floats


@dataclass(eq=False)
class _Joints:
    """Joints as they come, parents first."""

    names: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    rest: list[Floats] = field(default_factory=list)

    def add(self, name: str, parent: int, rest: Floats) -> int:
        self.names.append(name)
        self.parents.append(parent)
        self.rest.append(rest)
        return len(self.names) - 1

    def add_skeleton(self, skeleton: UsdSkeleton, names: list[str] | None, world: Floats) -> None:
        """Adds a skeleton's joints; `world` `[4, 4]` is the world transform of the skeleton."""
        skeleton.joints = np.zeros(len(skeleton.tokens), np.int32)
        if not names or len(names) != len(skeleton.tokens):
            names = [token.rsplit("/", 1)[-1] for token in skeleton.tokens]
        for joint in skeleton.order:
            parent = -1 if skeleton.parents[joint] < 0 else int(skeleton.joints[skeleton.parents[joint]])
            outer = world if parent < 0 else self.rest[parent]
            skeleton.joints[joint] = self.add(names[joint], parent, outer @ skeleton.rest[joint])


def build_rig(scene: dict[str, Any], warnings: list[str]) -> UsdRig | None:
    """The rig of a scene (see `extract`); None when the file holds none.

    Raises:
        FormatError: joints that do not fit their transforms, a transform that is not finite; names the prim.
    """
    above, items = _above(scene, warnings), scene["nodes"]
    worlds = node_worlds(items, above, {}, range(len(items)))[:, 0]
    skeletons = [_read_skeleton(item, warnings) for item in scene["skeletons"]]
    joints = _Joints()
    nodes: dict[int, int] = {}
    for node in _chosen_nodes(scene, any(skeleton.tokens for skeleton in skeletons)):
        parent = nodes.get(nearest(items, items[node]["parent"], nodes), -1)
        nodes[node] = joints.add(items[node]["name"], parent, worlds[node])
    for number, (skeleton, item) in enumerate(zip(skeletons, scene["skeletons"], strict=True)):
        twin = skeleton.notes.get("same_as")
        if isinstance(twin, int) and 0 <= twin < number and skeletons[twin].tokens == skeleton.tokens:
            skeleton.joints, skeleton.copied = skeletons[twin].joints, True
        else:
            joints.add_skeleton(skeleton, item["names"], worlds[skeleton.node])
    return _finished(joints, worlds, above, skeletons, nodes) if joints.names else None


def _finished(
    joints: _Joints, worlds: Floats, above: Floats, skeletons: list[UsdSkeleton], nodes: dict[int, int]
) -> UsdRig:
    require(len(joints.names) <= MAX_JOINTS, f"has {len(joints.names)} joints, more than {MAX_JOINTS}")
    rest = np.stack(joints.rest)
    far = _farthest(rest)
    if far is not None:
        raise FormatError("lies outside of any sensible range", node=f"joint {joints.names[far]!r}")
    local_rotations, local_translations = kinematics.to_local(rigid_rotations(rest), rest[:, :3, 3], joints.parents)
    names = unique_names(joints.names)
    tips = [tip for skeleton in skeletons for tip in _tips(skeleton)]
    hints = {names[joint]: role for skeleton in skeletons for joint, role in _hints(skeleton)}
    built = Skeleton.create(names, joints.parents, local_translations, local_rotations, tips, hints)
    return UsdRig(built, worlds, above, skeletons, nodes, joints.parents, rest)


def node_worlds(
    items: list[dict[str, Any]], above: Floats, moving: dict[int, Floats], wanted: Collection[int]
) -> Floats:
    """World transforms `[N, F, 4, 4]` of the wanted nodes, ascending.

    Args:
        moving: local transforms `[F, 4, 4]` of nodes that move; `F` is 1 without any.
    """
    frames = max(map(len, moving.values()), default=1)
    places = {node: place for place, node in enumerate(sorted(with_ancestors(_parents(items), wanted)))}
    worlds = np.zeros((len(places), frames, 4, 4))
    with np.errstate(over="ignore", invalid="ignore"):
        for node, place in places.items():
            item = items[node]
            local: Any = moving.get(node, item["matrix"][None])
            outer = above if item["resets"] or item["parent"] < 0 else worlds[places[item["parent"]]]
            worlds[place] = outer @ local
    far = _farthest(worlds)
    if far is not None:
        raise FormatError("lies outside of any sensible range", node=f"<{items[sorted(places)[far]]['path']}>")
    return worlds[[places[node] for node in sorted(wanted)]]


def nearest(items: list[dict[str, Any]], node: int, among: Collection[int]) -> int:
    """A node itself or the nearest one above it that is among some; -1 for none."""
    while node >= 0 and node not in among:
        node = items[node]["parent"]
    return node


def _farthest(matrices: Floats) -> int | None:
    """The first of matrices `[N, ..., 4, 4]` that lies outside of any sensible range."""
    near = (np.abs(matrices) < FARTHEST).all(axis=tuple(range(1, matrices.ndim)))
    return None if near.all() else int(np.argmin(near))


def _above(scene: dict[str, Any], warnings: list[str]) -> Floats:
    metres = scene["metres"]
    if metres is None:
        metres = 0.01
        warnings.append("does not state its unit; read as centimetres, the default of USD")
    require(np.isfinite(metres) and 1e-9 < metres < 1e9, f"has {metres:g} metres per unit, which is impossible")
    axes = np.eye(4)
    if scene["up"] == "Z":
        axes[:3, :3] = [[1, 0, 0], [0, 0, 1], [0, -1, 0]]
    axes[:3] *= metres
    return axes


def _read_skeleton(item: dict[str, Any], warnings: list[str]) -> UsdSkeleton:
    tokens, where = item["joints"], f"<{item['path']}>"
    parents, order = _joint_tree(tokens, where, warnings)
    bind, rest = _given(item, "bind"), _given(item, "rest")
    if not tokens:
        bind = rest = np.zeros((0, 4, 4))
    elif bind is None and rest is None:
        raise FormatError("has neither bindTransforms nor restTransforms", node=where)
    elif bind is None:
        warnings.append(f"{where} has no bindTransforms; its bind pose is the rest pose")
        bind = np.array(rest)
        for joint in [joint for joint in order if parents[joint] >= 0]:
            bind[joint] = bind[parents[joint]] @ bind[joint]
    elif rest is None:
        warnings.append(f"{where} has no restTransforms; its rest pose is the bind pose")
        roots = np.array(parents) < 0
        outer = np.where(roots[:, None, None], np.eye(4), inverses(bind)[parents])
        require(np.isfinite(outer).all(), "has a bind transform that cannot be inverted", node=where)
        rest = outer @ bind
    notes = item["notes"] if isinstance(item["notes"], dict) else {}
    assert bind is not None and rest is not None
    return UsdSkeleton(item["node"], item["path"], tokens, parents, order, rest, bind, item["animation"], notes)


def _joint_tree(tokens: list[str], where: str, warnings: list[str]) -> tuple[list[int], list[int]]:
    """The parent of each joint by its path, -1 for a root, and joints with parents first."""
    index = {token: joint for joint, token in enumerate(tokens)}
    require(
        len(index) >= len(tokens) and "" not in index, "has two joints of one name, or one without a name", node=where
    )
    depth = [token.count("/") for token in tokens]
    if sum(len(token) * (steps + 1) for token, steps in zip(tokens, depth, strict=True)) > MAX_STEPS:
        raise FormatError("has joint paths that are too long", node=where)
    parents = [_parent(token, index) for token in tokens]
    order = list(range(len(tokens)))
    if any(parent >= joint for joint, parent in enumerate(parents)):
        order = sorted(order, key=lambda joint: depth[joint])
        warnings.append(f"{where} lists joints before their parents; they were reordered")
    return parents, order


def _given(item: dict[str, Any], pose: str) -> Floats | None:
    """The transforms `[Js, 4, 4]` of a pose ("bind" or "rest"), acting on columns; None where there are none."""
    given, count = item[pose], len(item["joints"])
    if given is None:
        return None
    require(len(given) in (0, count), f"has {len(given)} {pose}Transforms for {count} joints", node=f"<{item['path']}>")
    require(np.isfinite(given).all(), f"{pose}Transforms hold a number that is not finite", node=f"<{item['path']}>")
    return np.swapaxes(given, 1, 2).astype(np.float64) if len(given) else None


def _parent(token: str, index: dict[str, int]) -> int:
    """The nearest joint above a joint by its path; -1 for a root."""
    while "/" in token:
        token = token.rpartition("/")[0]
        if token in index:
            return index[token]
    return -1


def _hints(skeleton: UsdSkeleton) -> list[tuple[int, str]]:
    """Roles of joints that our writer noted."""
    joints, roles = skeleton.notes.get("hint_joints"), skeleton.notes.get("hint_roles")
    if not isinstance(joints, np.ndarray) or not isinstance(roles, list) or joints.shape != (len(roles),):
        return []
    return [
        (int(skeleton.joints[joint]), role)
        for joint, role in zip(joints.tolist(), roles, strict=True)
        if isinstance(joint, int) and 0 <= joint < len(skeleton.tokens) and isinstance(role, str)
    ]


def _tips(skeleton: UsdSkeleton) -> list[tuple[int, list[float]]]:
    """End sites that our writer noted."""
    joints, offsets = skeleton.notes.get("tip_joints"), skeleton.notes.get("tip_offsets")
    if skeleton.copied or not isinstance(joints, np.ndarray) or not isinstance(offsets, np.ndarray):
        return []
    if joints.ndim != 1 or offsets.shape != (len(joints), 3) or joints.dtype.kind != "i":
        return []
    inside = (joints >= 0) & (joints < len(skeleton.tokens)) & np.isfinite(offsets).all(axis=1)
    return list(zip(skeleton.joints[joints[inside]].tolist(), offsets[inside].tolist(), strict=True))


def _chosen_nodes(scene: dict[str, Any], skinned: bool) -> list[int]:
    """Transforms that become joints, parents first."""
    items = scene["nodes"]
    parents = _parents(items)
    carriers = with_ancestors(parents, [mesh["node"] for mesh in scene["meshes"] if mesh["skin"] is None])
    moving = _with(items, "moves")
    if skinned:
        return [node for node in moving if node in carriers]
    alive = carriers | with_ancestors(parents, moving) | set(parents)
    lamps = with_ancestors(parents, _with(items, "light")) - carriers
    groups = {node for node, item in enumerate(items) if item["kind"] in _GROUPS} | set(parents)
    lasting = set(moving) | (groups - lamps)
    tops = roots(parents, range(len(items)))
    chosen = [node for node in sorted(lasting - {-1} - set(_with(items, "light"))) if tops[node] in alive]
    return chosen or [item["node"] for item in scene["skeletons"] or scene["meshes"]]


def _with(items: list[dict[str, Any]], mark: str) -> list[int]:
    return [node for node, item in enumerate(items) if item[mark]]


def _parents(items: list[dict[str, Any]]) -> list[int]:
    return [item["parent"] for item in items]
