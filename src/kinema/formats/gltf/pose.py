"""Poses of a rig: sampled channels in, rigid local rotations and translations of a skeleton out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.arrays import Floats, Indices, Reals, Singles
from kinema.formats.checks import strings
from kinema.formats.gltf.animation import GltfAnimation, NodeChannel, frame_times
from kinema.formats.gltf.buffers import Buffers
from kinema.formats.gltf.document import MissingDataError
from kinema.formats.gltf.mesh import target_names
from kinema.formats.gltf.scene import GltfRig, NodeTree
from kinema.formats.gltf.vrma import Vrma, take_labels
from kinema.formats.rigid import UNIFORM, rigid_pose, uniform_scales
from kinema.motion import Motion

Channels = dict[str, dict[int, NodeChannel]]
"""Channels that move joints, by path and joint."""
Sampled = dict[str, dict[int, Reals]]
"""Their values `[F, C]`."""
Labels = dict[str, NDArray[Any]]


class MotionReader:
    """Makes motions of animations, on a rig's skeleton."""

    def __init__(self, buffers: Buffers, nodes: NodeTree, rig: GltfRig, vrma: Vrma | None) -> None:
        self._buffers, self._nodes, self._rig, self._vrma = buffers, nodes, rig, vrma

    def read(self, animation: GltfAnimation, fps: float | None) -> Motion:
        """One animation at a uniform rate; see `animation.frame_times`."""
        rig, vrma, channels = self._rig, self._vrma, animation.channels
        times, rate = frame_times(self._buffers, animation, fps, rig.skeleton.joint_count)
        warnings: list[str] = []
        labels: Labels = {}
        if vrma is not None:
            self._charge(animation, len(vrma.faces) * len(times) * 16)
            labels.update(take_labels(vrma, animation, times, rate))
            channels = [channel for channel in channels if channel.node not in vrma.nodes]
        labels.update(self._morph_labels(animation, channels, times, rate, warnings))
        labels.update(self._noted_labels(animation, len(times)))
        moving = self._moving(animation, channels, warnings)
        sampled = {path: {j: c.sample(times, rate) for j, c in found.items()} for path, found in moving.items()}
        fixed = _fixed_scales(self._nodes, rig, moving["scale"])
        if fixed is not None:
            pose = _similar(rig, sampled, fixed, len(times))
        else:
            names = [rig.skeleton.names[joint] for joint in moving["scale"]]
            if names:
                line = (
                    f"scale is animated at {len(names)} joints ({names[0]!r} first); positions are kept, sizes are not"
                )
                warnings.append(line)
            pose = _general(self._nodes, rig, sampled, len(times))
        tags = strings(animation.notes.get("tags"))
        return Motion.create(rig.skeleton, *pose, rate, animation.name, labels, tags, warnings)

    def _charge(self, animation: GltfAnimation, size: int) -> None:
        self._buffers.frames.charge(size, animation.item.where, "; try a lower fps")

    def _moving(self, animation: GltfAnimation, channels: list[NodeChannel], warnings: list[str]) -> Channels:
        """The channels that take joints away from their rest pose."""
        found: Channels = {"translation": {}, "rotation": {}, "scale": {}}
        for channel in channels:
            if channel.path == "weights" or not channel.differs_from(self._nodes.rest(channel.node, channel.path)):
                continue
            joint = self._rig.joint_of.get(channel.node)
            if joint is None:
                warnings.append(f"{animation.item.where} moves nodes[{channel.node}], which is not a joint; left out")
            else:
                found[channel.path][joint] = channel
        return found

    def _morph_labels(
        self, animation: GltfAnimation, channels: list[NodeChannel], times: Floats, rate: float, warnings: list[str]
    ) -> Labels:
        """Morph weights as labels `morph.<target>` `[F]`; where several meshes have a target, the first counts."""
        labels: Labels = {}
        for channel in [channel for channel in channels if channel.path == "weights"]:
            count = channel.values.shape[-1]
            self._charge(animation, count * len(times) * 12)
            columns = dict(zip(self._target_names(channel.node, count), channel.sample(times, rate).T, strict=True))
            for name, column in columns.items():
                known = labels.setdefault(f"morph.{name}", np.array(column))
                if not np.array_equal(known, column, equal_nan=True):
                    warnings.append(
                        f"{animation.item.where} animates two morph targets named {name!r} differently; the first wins"
                    )
        return labels

    def _target_names(self, node: int, count: int) -> list[str]:
        mesh = self._nodes.items[node].required_index("mesh", "meshes")
        names = target_names(self._buffers.document.all("meshes")[mesh])
        fits = len(names) == count and all(isinstance(name, str) for name in names)
        return names if fits else [f"morph_{number}" for number in range(count)]

    def _noted_labels(self, animation: GltfAnimation, frames: int) -> Labels:
        """Labels that our writer kept in accessors of their own; they fit only the frames they were written with."""
        noted, accessors = animation.notes.get("labels"), self._buffers.accessors
        labels: Labels = {}
        for name, index in noted.items() if isinstance(noted, dict) else ():
            if isinstance(index, int) and 0 <= index < len(accessors) and accessors[index].count == frames:
                self._buffers.frames.charge(4 * frames, animation.item.where)
                try:
                    values = self._buffers.array(index)[:, 0]
                except MissingDataError as error:
                    animation.item.document.lose("labels of animations", error)
                else:
                    labels[name] = values.astype(bool) if values.dtype.kind == "u" else np.array(values)
        return labels


def _fixed_scales(nodes: NodeTree, rig: GltfRig, scaled: dict[int, NodeChannel]) -> Floats | None:
    """Scale `[J]` of each joint's own node where all scales are uniform, positive and at rest; None otherwise."""
    if any(channel.differs_from(nodes.scales[rig.nodes[joint]], UNIFORM) for joint, channel in scaled.items()):
        return None
    if uniform_scales(rig.prefix[:, :3, :3]) is None:
        return None
    return uniform_scales(nodes.local[rig.nodes, :3, :3])


def _similar(rig: GltfRig, sampled: Sampled, own: Floats, frames: int) -> tuple[Singles, Singles, Indices]:
    """Poses where scales are uniform and fixed: they scale translations and leave rotations as they are.

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


def _general(nodes: NodeTree, rig: GltfRig, sampled: Sampled, frames: int) -> tuple[Singles, Singles, Indices]:
    """Poses from world matrices with scale and shear; positions are exact. Returns the same as `_similar`."""
    skeleton, parents = rig.skeleton, rig.skeleton.parents.tolist()

    def worlds(block: slice) -> Floats:
        world = np.empty((len(parents), block.stop - block.start, 4, 4))
        for joint, parent in enumerate(parents):
            values = {path: found[joint][block] for path, found in sampled.items() if joint in found}
            local = rig.prefix[joint] @ _local(nodes, rig.nodes[joint], values, block.stop - block.start)
            world[joint] = local if parent < 0 else world[parent] @ local
        return world.transpose(1, 0, 2, 3)

    pose = rigid_pose(skeleton, worlds, frames)
    away = np.abs(pose.local_translations - skeleton.rest_translations).max(axis=(0, 2)) > 1e-6
    translated = np.flatnonzero(away | (skeleton.parents < 0)).astype(np.int32)
    return pose.local_rotations, pose.local_translations[:, translated], translated


def _local(nodes: NodeTree, node: int, sampled: dict[str, Reals], frames: int) -> Floats:
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
