"""Motions from takes: curves at all frames at once, layers blended with each other, rigid poses of the skeleton."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from kinema import rotations
from kinema.arrays import Floats, Singles
from kinema.formats.euler_kernels import euler_to_quaternions
from kinema.formats.fbx.document import FbxDocument
from kinema.formats.fbx.nodes import FARTHEST, ModelTree, rotation_active, world
from kinema.formats.fbx.notes import noted_labels, noted_tags
from kinema.formats.fbx.sampling import Effort, frame_times
from kinema.formats.fbx.scene import FbxRig
from kinema.formats.fbx.settings import FbxSettings
from kinema.formats.fbx.shapes import read_shape_weights
from kinema.formats.fbx.takes import ADDITIVE, PASSTHROUGH, AnimatedProperty, AnimationLayer, FbxTake
from kinema.formats.fbx.transform import PARTS, outermost_first, pivots
from kinema.formats.rigid import UNIFORM, rigid_pose, rigid_rotations
from kinema.formats.trees import with_ancestors
from kinema.motion import Motion
from kinema.pose import Pose

Moving = Mapping[int, Mapping[str, Floats]]
"""Properties `[F, 3]` that move, by node."""


def moved_nodes(nodes: ModelTree, takes: list[FbxTake]) -> set[int]:
    """Nodes whose transform some take changes."""
    return {
        nodes.index[id]
        for take in takes
        for layer in take.layers
        for (id, name), animated in layer.properties.items()
        if id in nodes.index and _moves(nodes, nodes.index[id], name, animated)
    }


def read_motion(
    settings: FbxSettings, rig: FbxRig, take: FbxTake, effort: Effort, fps: float | None = None, morphs: bool = True
) -> Motion:
    """One take on the rig's skeleton, at a uniform rate; `effort` is shared by all takes of a file.

    Args:
        morphs: whether to read the weights of blend shapes, as labels.
    """
    nodes, document, warnings = rig.tree, rig.tree.document, list[str]()
    times, rate = frame_times(document, settings, take, fps, rig.skeleton.joint_count, warnings, effort)
    needed = with_ancestors(nodes.parents, rig.nodes)
    moving = _moving(nodes, needed, take, times)
    scaled = [node for node, parts in moving.items() if "Lcl Scaling" in parts and node in rig.joint_of]
    if scaled:
        first = rig.skeleton.names[rig.joint_of[scaled[0]]]
        warnings.append(
            f"scale is animated at {len(scaled)} joints ({first!r} first); positions are kept, sizes are not"
        )
    with np.errstate(over="ignore", invalid="ignore"):
        if _is_similar(rig, needed, moving):
            pose = _similar(rig, moving, len(times))
        else:
            pose = _general(rig, needed, moving, len(times))
    if not (np.abs(pose.local_translations) < FARTHEST).all():
        raise document.error("moves beyond any sensible range", take.where)
    labels = noted_labels(document, take, nodes.models[rig.nodes[0]].id, times)
    if morphs:
        labels |= _morph_weights(document, take, times)
    tags = noted_tags(document, take)
    return Motion.from_pose(pose, rate, take.name, labels=labels, tags=tags, warnings=warnings)


def _moves(nodes: ModelTree, node: int, name: str, animated: AnimatedProperty) -> bool:
    if name not in PARTS or len(animated.curves) != 3:
        return False
    if name in ("PreRotation", "PostRotation") and not rotation_active(nodes.models[node]):
        return False
    return animated.strays(nodes.parts[name][node].tolist())


def _moving(nodes: ModelTree, needed: set[int], take: FbxTake, times: Floats) -> dict[int, dict[str, Floats]]:
    """Properties `[F, 3]` of the needed nodes that a take moves, all layers blended."""
    layered: dict[tuple[int, str], list[tuple[AnimationLayer, AnimatedProperty]]] = {}
    for layer in take.layers:
        for (id, name), animated in layer.properties.items():
            node = nodes.index.get(id, -1)
            if node in needed and name in PARTS and len(animated.curves) == 3:
                layered.setdefault((node, name), []).append((layer, animated))
    found: dict[int, dict[str, Floats]] = {}
    for (node, name), layers in layered.items():
        if any(_moves(nodes, node, name, animated) for _, animated in layers):
            own = nodes.parts[name][node].tolist()
            values = blend(layers, take.layers[0], name, own, times, nodes.rotation_orders[node])
            found.setdefault(node, {})[name] = values
    return found


def _is_similar(rig: FbxRig, needed: set[int], moving: Moving) -> bool:
    """Whether only joints move, and scales are uniform, positive and fixed: they only stretch translations."""
    scales = rig.tree.parts["Lcl Scaling"][sorted(needed)]
    uniform = bool((np.ptp(scales, axis=1) <= UNIFORM * scales.min(axis=1)).all() and (scales > 0).all())
    names = {name for parts in moving.values() for name in parts}
    plain = names <= {"Lcl Translation", "Lcl Rotation"} and moving.keys() <= rig.joint_of.keys()
    return uniform and plain and bool(np.linalg.det(rig.conversion[:3, :3]) > 0)


def _similar(rig: FbxRig, moving: Moving, frames: int) -> Pose:
    """Poses `[F]` of a rig whose scales only stretch translations."""
    nodes = rig.tree
    still = rig.prefix @ nodes.own.matrix()[rig.nodes]
    local = np.empty((frames, len(rig.nodes), 4), np.float32)
    local[:] = rigid_rotations(still)
    translations = np.empty((frames, len(rig.nodes), 3), np.float32)
    translations[:] = still[:, :3, 3]
    outer = rigid_rotations(rig.prefix)
    for node, parts in moving.items():
        joint = rig.joint_of[node]
        fixed = {name: values[node] for name, values in nodes.parts.items()}
        inner, translation = pivots(fixed)
        if "Lcl Rotation" in parts:
            rotation = _rotation(fixed, parts["Lcl Rotation"], nodes.rotation_orders[node])
            local[:, joint] = rotation if outer[joint, 0] > 1 - 1e-12 else rotations.multiply(outer[joint], rotation)
            inner = rotations.rotate(rotation, inner) if inner.any() else inner
        else:
            inner = nodes.own.rotation[node] @ inner
        translation = inner + translation + parts.get("Lcl Translation", fixed["Lcl Translation"])
        translations[:, joint] = translation @ rig.prefix[joint, :3, :3].T + rig.prefix[joint, :3, 3]
    return Pose(rig.skeleton, local, translations)


def _rotation(fixed: Mapping[str, Floats], degrees: Floats, order: int) -> Singles:
    """Quaternions `[F, 4]` of a node's Euler angles `[F, 3]` with its pre- and post-rotation."""
    axes = [2, 1, 0, *outermost_first(order)[1], 0, 1, 2]  # outermost first
    before, after = (np.broadcast_to(fixed[name], degrees.shape) for name in ("PreRotation", "PostRotation"))
    angles = np.concatenate([before[:, axes[:3]], degrees[:, axes[3:6]], -after[:, axes[6:]]], axis=1)
    return euler_to_quaternions(angles, np.array([0, 9]), np.array(axes), np.arange(9))[:, 0]


def _general(rig: FbxRig, needed: set[int], moving: Moving, frames: int) -> Pose:
    """Poses `[F]` by way of global matrices with all their scale and shear; positions are exact."""
    order = [node for node in rig.tree.order if node in needed]

    def worlds(block: slice) -> Floats:
        cut = {node: {name: value[block] for name, value in parts.items()} for node, parts in moving.items()}
        matrices = np.empty((block.stop - block.start, len(rig.nodes), 4, 4))
        found = world(rig.tree, order, cut)
        for joint, node in enumerate(rig.nodes):
            matrices[:, joint] = rig.conversion @ found[node].matrix()
        return matrices

    return rigid_pose(rig.skeleton, worlds, frames)


def _morph_weights(document: FbxDocument, take: FbxTake, times: Floats) -> dict[str, Singles]:
    """Morph weights as labels `morph.<name>` `[F]`."""
    labels: dict[str, Singles] = {}
    for shape in read_shape_weights(document):
        found = [(layer, layer.properties.get((shape.owner, shape.property))) for layer in take.layers]
        layers = [(layer, animated) for layer, animated in found if animated and len(animated.curves) == 1]
        if layers:
            values = blend(layers, take.layers[0], shape.property, [0.0], times)
            labels[f"morph.{shape.name}"] = (values[:, 0] / (shape.full or 100.0)).astype(np.float32)
    return labels


def blend(
    layers: list[tuple[AnimationLayer, AnimatedProperty]],
    base: AnimationLayer,
    name: str,
    own: list[float],
    times: Floats,
    order: int = 0,
) -> Floats:
    """Values `[F, C]` of a property in all layers that animate it.

    Args:
        base: the first layer of the take, which has nothing below it.
        own: `C` numbers, the object's own.
        order: rotation order of the object.
    """
    value = np.broadcast_to(np.asarray(own, dtype=np.float64), (len(times), len(own)))
    for layer, animated in layers:
        given = animated.evaluate(times, own)
        value = given if layer is base else _over(value, given, layer, name, order, times)
    return value


def _over(below: Floats, given: Floats, layer: AnimationLayer, name: str, order: int, times: Floats) -> Floats:
    """A layer's values `[F, C]` over those of the layers below."""
    if layer.mode not in (ADDITIVE, PASSTHROUGH):
        return given
    weight = layer.weights(times)[:, None]
    additive = layer.mode == ADDITIVE
    if name == "Lcl Rotation" and layer.blends_rotations:
        return _rotation_over(below, given, weight[:, 0], additive, order)
    if name == "Lcl Scaling" and layer.multiplies_scales:
        return (below if additive else _power(below, 1 - weight)) * _power(given, weight)
    return below + given * weight if additive else below * (1 - weight) + given * weight


def _rotation_over(below: Floats, given: Floats, weight: Floats, additive: bool, order: int) -> Floats:
    """The same for Euler angles `[F, 3]` in degrees, blended as rotations."""
    letters, columns = outermost_first(order)
    first, second = (rotations.from_euler(np.radians(degrees)[:, columns], letters) for degrees in (below, given))
    start = np.broadcast_to([1.0, 0.0, 0.0, 0.0], second.shape) if additive else first
    part = rotations.slerp(start, second, weight)
    whole = rotations.multiply(first, part) if additive else part
    return np.degrees(rotations.to_euler(whole, letters))[:, np.argsort(columns)]


def _power(base: Floats, exponent: Floats) -> Floats:
    return np.sign(base) * np.abs(base) ** exponent
