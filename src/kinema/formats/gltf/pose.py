"""Poses of a rig: sampled channels in, rigid local rotations and translations of a skeleton out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema import kinematics, rotations
from kinema.formats.checks import strings
from kinema.formats.gltf.animation import GltfAnimation, NodeChannel, frame_times
from kinema.formats.gltf.buffers import Buffers
from kinema.formats.gltf.document import GltfDocument
from kinema.formats.gltf.mesh import target_names
from kinema.formats.gltf.scene import GltfRig, NodeTree
from kinema.formats.gltf.vrma import Vrma, take_labels
from kinema.formats.rigid import rigid_rotations
from kinema.motion import Motion

BLOCK = 2048 * 64  # poses of one joint evaluated at a time where matrices are needed
UNIFORM = 1e-5  # relative difference of scales that counts as none

Channels = dict[str, dict[int, NodeChannel]]
"""Channels that move joints, by path and joint."""
Sampled = dict[str, dict[int, NDArray[np.floating]]]
"""Their values `[F, C]`."""
Labels = dict[str, NDArray[Any]]


def read_motion(
    document: GltfDocument,
    buffers: Buffers,
    nodes: NodeTree,
    rig: GltfRig,
    animation: GltfAnimation,
    fps: float | None = None,
    vrma: Vrma | None = None,
) -> Motion:
    """One animation on the rig's skeleton, at a uniform rate."""
    times, rate = frame_times(buffers, animation, fps, rig.skeleton.joint_count)
    warnings: list[str] = []
    labels: Labels = {}
    channels = animation.channels
    if vrma is not None:
        buffers.frames.charge(len(vrma.faces) * len(times) * 16, animation.item.where, "; try a lower fps")
        labels.update(take_labels(vrma, animation, times, rate))
        channels = [channel for channel in channels if channel.node not in vrma.nodes]
    labels.update(_morph_labels(document, buffers, animation, channels, times, rate, warnings))
    labels.update(_noted_labels(buffers, animation, len(times)))
    moving = _moving(nodes, rig, animation, channels, warnings)
    sampled = {path: {j: c.sample(times, rate) for j, c in found.items()} for path, found in moving.items()}
    fixed = _fixed_scales(nodes, rig, moving["scale"])
    if fixed is not None:
        pose = _similar(rig, sampled, fixed, len(times))
    else:
        names = [rig.skeleton.names[joint] for joint in moving["scale"]]
        if names:
            line = f"scale moves at {len(names)} joints ({names[0]!r} first); positions are kept, sizes are not"
            warnings.append(line)
        pose = _general(nodes, rig, sampled, len(times))
    tags = strings(animation.notes.get("tags"))
    return Motion.create(rig.skeleton, *pose, rate, animation.name, labels, tags, warnings)


def _moving(
    nodes: NodeTree, rig: GltfRig, animation: GltfAnimation, channels: list[NodeChannel], warnings: list[str]
) -> Channels:
    """The channels that take joints away from their rest pose."""
    found: Channels = {"translation": {}, "rotation": {}, "scale": {}}
    for channel in channels:
        if channel.path == "weights" or not channel.differs_from(nodes.rest(channel.node, channel.path)):
            continue
        joint = rig.joint_of.get(channel.node)
        if joint is None:
            warnings.append(f"{animation.item.where} moves nodes[{channel.node}], which is no joint; left out")
        else:
            found[channel.path][joint] = channel
    return found


def _fixed_scales(nodes: NodeTree, rig: GltfRig, scaled: dict[int, NodeChannel]) -> NDArray[np.float64] | None:
    """Scale `[J]` of each joint's own node where all scales are uniform, positive and at rest; None otherwise."""
    if any(channel.differs_from(nodes.scales[rig.nodes[joint]], UNIFORM) for joint, channel in scaled.items()):
        return None
    result = None
    for matrices in (rig.prefix[:, :3, :3], nodes.local[rig.nodes, :3, :3]):
        gram = np.swapaxes(matrices, 1, 2) @ matrices
        sizes = np.einsum("jii->j", gram) / 3
        uneven = np.abs(gram - sizes[:, None, None] * np.eye(3)).max(axis=(1, 2)) > UNIFORM * sizes
        if uneven.any() or (np.linalg.det(matrices) <= 1e-12).any():
            return None
        result = np.sqrt(sizes)
    return result


def _similar(
    rig: GltfRig, sampled: Sampled, own: NDArray[np.float64], frames: int
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int32]]:
    """Poses where scales are uniform and fixed: they only stretch translations, rotations stay as they are.

    Returns local rotations, local translations and the joints that these are of.
    """
    skeleton, parents = rig.skeleton, rig.skeleton.parents.tolist()
    between = np.cbrt(np.linalg.det(rig.prefix[:, :3, :3]))
    outer = np.ones(len(parents))  # scale of the parent's frame
    for joint, parent in enumerate(parents):
        if parent >= 0:
            outer[joint] = outer[parent] * between[parent] * own[parent]
    spin = rotations.from_matrix(rig.prefix[:, :3, :3] / between[:, None, None])
    local_rotations = np.empty((frames, len(parents), 4), np.float32)
    local_rotations[:] = skeleton.rest_rotations
    for joint, values in sampled["rotation"].items():
        if abs(spin[joint, 0]) < 1 - 1e-12:
            values = rotations.multiply(spin[joint].astype(np.float32), values)
        local_rotations[:, joint] = values
    translated = np.union1d(np.flatnonzero(skeleton.parents < 0), list(sampled["translation"])).astype(np.int32)
    local_translations = np.empty((frames, len(translated), 3), np.float32)
    local_translations[:] = skeleton.rest_translations[translated]
    for joint, values in sampled["translation"].items():
        frame = (outer[joint] * rig.prefix[joint]).astype(np.float32)
        local_translations[:, np.searchsorted(translated, joint)] = values @ frame[:3, :3].T + frame[:3, 3]
    return local_rotations, local_translations, translated


def _general(
    nodes: NodeTree, rig: GltfRig, sampled: Sampled, frames: int
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int32]]:
    """Poses by way of world matrices with all their scale and shear; positions are exact. Returns as `_similar`."""
    skeleton, parents = rig.skeleton, rig.skeleton.parents.tolist()
    local_rotations = np.empty((frames, len(parents), 4), np.float32)
    local_translations = np.empty((frames, len(parents), 3), np.float32)
    length = max(BLOCK // len(parents), 1)  # frames
    for start in range(0, frames, length):
        block = slice(start, min(start + length, frames))
        world = np.empty((len(parents), block.stop - start, 4, 4))
        for joint, parent in enumerate(parents):
            values = {path: found[joint][block] for path, found in sampled.items() if joint in found}
            local = rig.prefix[joint] @ _local(nodes, rig.nodes[joint], values, block.stop - start)
            world[joint] = local if parent < 0 else world[parent] @ local
        world = world.transpose(1, 0, 2, 3)
        found = kinematics.to_local(rigid_rotations(world), world[..., :3, 3], parents)
        local_rotations[block], local_translations[block] = found
    away = np.abs(local_translations - skeleton.rest_translations).max(axis=(0, 2)) > 1e-6
    translated = np.flatnonzero(away | (skeleton.parents < 0)).astype(np.int32)
    return local_rotations, local_translations[:, translated], translated


def _local(nodes: NodeTree, node: int, sampled: dict[str, NDArray[np.floating]], frames: int) -> NDArray[np.float64]:
    """Local matrices `[F, 4, 4]` of a node whose properties `[F, C]` are sampled, the others at rest."""
    local = np.empty((frames, 4, 4))
    local[:] = nodes.local[node]
    if "rotation" in sampled or "scale" in sampled:
        turn = sampled["rotation"].astype(np.float64) if "rotation" in sampled else nodes.rotations[None, node]
        size = sampled.get("scale", nodes.scales[None, node])
        local[:, :3, :3] = rotations.to_matrix(turn) * size[:, None, :]
    if "translation" in sampled:
        local[:, :3, 3] = sampled["translation"]
    return local


def _morph_labels(
    document: GltfDocument,
    buffers: Buffers,
    animation: GltfAnimation,
    channels: list[NodeChannel],
    times: NDArray[np.float64],
    rate: float,
    warnings: list[str],
) -> Labels:
    """Morph weights as labels `morph.<target>` `[F]`; where several meshes have a target, the first counts."""
    labels: Labels = {}
    for channel in channels:
        if channel.path != "weights":
            continue
        count = channel.values.shape[-1]
        buffers.frames.charge(count * len(times) * 12, animation.item.where, "; try a lower fps")
        values = channel.sample(times, rate)
        names = target_names(document.all("meshes")[int(document.all("nodes")[channel.node].values["mesh"])])
        if len(names) != count or not all(isinstance(name, str) for name in names):
            names = [f"morph_{number}" for number in range(count)]
        columns = {name: np.array(values[:, number]) for number, name in enumerate(names)}
        for name, column in columns.items():
            known = labels.setdefault(f"morph.{name}", column)
            if known is not column and not np.array_equal(known, column):
                warnings.append(f"{animation.item.where} moves two morph targets {name!r} apart; both follow the first")
    return labels


def _noted_labels(buffers: Buffers, animation: GltfAnimation, frames: int) -> Labels:
    """Labels that our writer kept in accessors of their own; they fit only the frames they were written with."""
    noted = animation.notes.get("labels")
    labels: Labels = {}
    for name, index in noted.items() if isinstance(noted, dict) else ():
        if isinstance(index, int) and 0 <= index < len(buffers.accessors) and buffers.accessors[index].count == frames:
            buffers.frames.charge(4 * frames, animation.item.where)
            values = buffers.array(index)[:, 0]
            labels[name] = values.astype(bool) if values.dtype.kind == "u" else np.array(values)
    return labels
