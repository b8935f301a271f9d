"""Motions from takes: curves at all frames at once, rigid poses of the skeleton."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.formats.euler_kernels import euler_to_quaternions
from kinema.formats.fbx.blending import blend
from kinema.formats.fbx.document import FbxDocument
from kinema.formats.fbx.nodes import FARTHEST, Nodes, rotation_active, with_ancestors, world
from kinema.formats.fbx.notes import noted_labels, noted_tags
from kinema.formats.fbx.sampling import Effort, frame_times
from kinema.formats.fbx.scene import Rig
from kinema.formats.fbx.settings import Settings
from kinema.formats.fbx.shapes import read_shape_weights
from kinema.formats.fbx.takes import AnimatedProperty, AnimationLayer, FbxTake
from kinema.formats.fbx.transform import ORDERS, PARTS, pivots
from kinema.formats.rigid import rigid_rotations
from kinema.motion import Motion
from kinema.pose import Pose

Array = NDArray[np.float64]
Moving = Mapping[int, Mapping[str, Array]]
"""Properties `[F, 3]` that move, by node."""

BLOCK = 2048 * 64  # poses of one joint evaluated at a time if matrices are needed
UNIFORM = 1e-5  # relative difference of scales that counts as none


def moved_nodes(nodes: Nodes, takes: list[FbxTake]) -> set[int]:
    """Nodes whose transform some take changes."""
    return {
        nodes.index[id]
        for take in takes
        for layer in take.layers
        for (id, name), animated in layer.properties.items()
        if id in nodes.index and _moves(nodes, nodes.index[id], name, animated)
    }


def read_motion(
    document: FbxDocument,
    settings: Settings,
    nodes: Nodes,
    rig: Rig,
    take: FbxTake,
    effort: Effort,
    fps: float | None = None,
) -> Motion:
    """One take on the rig's skeleton, at a uniform rate; `effort` is shared by all takes of a file."""
    warnings: list[str] = []
    times, rate = frame_times(document, settings, take, fps, rig.skeleton.joint_count, warnings, effort)
    needed = with_ancestors(nodes, rig.nodes)
    moving = _moving(nodes, needed, take, times)
    scaled = [node for node, parts in moving.items() if "Lcl Scaling" in parts and node in rig.joint_of]
    if scaled:
        first = rig.skeleton.names[rig.joint_of[scaled[0]]]
        warnings.append(f"scale moves at {len(scaled)} joints ({first!r} first); positions are kept, sizes are not")
    with np.errstate(over="ignore", invalid="ignore"):
        if _is_similar(settings, nodes, rig, needed, moving):
            pose = _similar(nodes, rig, moving, len(times))
        else:
            pose = _general(settings, nodes, rig, needed, moving, len(times))
    if not (np.abs(pose.local_translations) < FARTHEST).all():
        raise document.error("moves outside of any sensible range", take.where)
    labels = noted_labels(document, take, nodes.models[rig.nodes[0]].id, times) | _morph_weights(document, take, times)
    tags = noted_tags(document, take)
    return Motion.from_pose(pose, rate, take.name, labels=labels, tags=tags, warnings=warnings)


def _moves(nodes: Nodes, node: int, name: str, animated: AnimatedProperty) -> bool:
    if name not in PARTS or len(animated.curves) != 3:
        return False
    if name in ("PreRotation", "PostRotation") and not rotation_active(nodes.models[node]):
        return False
    return animated.strays(nodes.parts[name][node].tolist())


def _moving(nodes: Nodes, needed: set[int], take: FbxTake, times: Array) -> dict[int, dict[str, Array]]:
    """Properties `[F, 3]` of the needed nodes that a take moves, all layers blended."""
    layered: dict[tuple[int, str], list[tuple[AnimationLayer, AnimatedProperty]]] = {}
    for layer in take.layers:
        for (id, name), animated in layer.properties.items():
            node = nodes.index.get(id, -1)
            if node in needed and name in PARTS and len(animated.curves) == 3:
                layered.setdefault((node, name), []).append((layer, animated))
    found: dict[int, dict[str, Array]] = {}
    for (node, name), layers in layered.items():
        if any(_moves(nodes, node, name, animated) for _, animated in layers):
            own = nodes.parts[name][node].tolist()
            values = blend(layers, take.layers[0], name, own, times, nodes.rotation_orders[node])
            found.setdefault(node, {})[name] = values
    return found


def _is_similar(settings: Settings, nodes: Nodes, rig: Rig, needed: set[int], moving: Moving) -> bool:
    """Whether only joints move, and scales are uniform, positive and fixed: they only stretch translations."""
    scales = nodes.parts["Lcl Scaling"][sorted(needed)]
    uniform = bool((np.ptp(scales, axis=1) <= UNIFORM * scales.min(axis=1)).all() and (scales > 0).all())
    names = {name for parts in moving.values() for name in parts}
    plain = names <= {"Lcl Translation", "Lcl Rotation"} and moving.keys() <= rig.joint_of.keys()
    return uniform and plain and bool(np.linalg.det(settings.conversion[:3, :3]) > 0)


def _similar(nodes: Nodes, rig: Rig, moving: Moving, frames: int) -> Pose:
    """Poses `[F]` of a rig whose scales only stretch translations."""
    still = rig.prefix @ nodes.own.matrix()[rig.nodes]
    spins = np.empty((frames, len(rig.nodes), 4), np.float32)
    spins[:] = rigid_rotations(still)
    moves = np.empty((frames, len(rig.nodes), 3), np.float32)
    moves[:] = still[:, :3, 3]
    outer = rigid_rotations(rig.prefix)
    for node, parts in moving.items():
        joint = rig.joint_of[node]
        fixed = {name: values[node] for name, values in nodes.parts.items()}
        inner, place = pivots(fixed)
        if "Lcl Rotation" in parts:
            spin = _rotation(fixed, parts["Lcl Rotation"], nodes.rotation_orders[node])
            spins[:, joint] = spin if outer[joint, 0] > 1 - 1e-12 else rotations.multiply(outer[joint], spin)
            inner = rotations.rotate(spin, inner) if inner.any() else inner
        else:
            inner = nodes.own.rotation[node] @ inner
        place = inner + place + parts.get("Lcl Translation", fixed["Lcl Translation"])
        moves[:, joint] = place @ rig.prefix[joint, :3, :3].T + rig.prefix[joint, :3, 3]
    return Pose(rig.skeleton, spins, moves)


def _rotation(fixed: Mapping[str, Array], degrees: Array, order: int) -> NDArray[np.float32]:
    """Quaternions `[F, 4]` of a node's Euler angles `[F, 3]` with its pre- and post-rotation."""
    axes = [2, 1, 0, *("XYZ".index(axis) for axis in ORDERS[order][::-1]), 0, 1, 2]  # outermost first
    before, after = (np.broadcast_to(fixed[name], degrees.shape) for name in ("PreRotation", "PostRotation"))
    angles = np.concatenate([before[:, axes[:3]], degrees[:, axes[3:6]], -after[:, axes[6:]]], axis=1)
    return euler_to_quaternions(angles, np.array([0, 9]), np.array(axes), np.arange(9))[:, 0]


def _general(settings: Settings, nodes: Nodes, rig: Rig, needed: set[int], moving: Moving, frames: int) -> Pose:
    """Poses `[F]` by way of global matrices with all their scale and shear; positions are exact."""
    order = [node for node in nodes.order if node in needed]
    length = max(BLOCK // len(rig.nodes), 1)
    poses: list[Pose] = []
    for start in range(0, frames, length):
        block = slice(start, min(start + length, frames))
        cut = {node: {name: value[block] for name, value in parts.items()} for node, parts in moving.items()}
        matrices = np.empty((block.stop - start, len(rig.nodes), 4, 4))
        found = world(nodes, order, cut)
        for joint, node in enumerate(rig.nodes):
            matrices[:, joint] = settings.conversion @ found[node].matrix()
        whole = Pose.from_model(rig.skeleton, rigid_rotations(matrices), matrices[..., :3, 3])
        local = whole.local_rotations.astype(np.float32), whole.local_translations.astype(np.float32)
        poses.append(Pose(rig.skeleton, *local))
    return Pose.concatenate(poses)


def _morph_weights(document: FbxDocument, take: FbxTake, times: Array) -> dict[str, NDArray[np.float32]]:
    """Morph weights as labels `morph.<name>` `[F]`."""
    labels: dict[str, NDArray[np.float32]] = {}
    for shape in read_shape_weights(document):
        found = [(layer, layer.properties.get((shape.owner, shape.property))) for layer in take.layers]
        layers = [(layer, animated) for layer, animated in found if animated and len(animated.curves) == 1]
        if layers:
            values = blend(layers, take.layers[0], shape.property, [0.0], times)
            labels[f"morph.{shape.name}"] = (values[:, 0] / (shape.full or 100.0)).astype(np.float32)
    return labels
