"""Poses of a rig: sampled channels in, rigid local rotations and translations of a skeleton out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.formats.gltf.animation import Channel, Clip, frame_times
from kinema.formats.gltf.buffers import Buffers
from kinema.formats.gltf.document import Document
from kinema.formats.gltf.scene import Nodes, Rig
from kinema.formats.gltf.vrma import Vrma, take_labels
from kinema.formats.rigid import rigid_locals
from kinema.motion import Motion

BLOCK = 2048 * 64  # poses of one joint evaluated at a time where matrices are needed
UNIFORM = 1e-5  # relative difference of scales that counts as none


def read_motion(
    document: Document,
    buffers: Buffers,
    nodes: Nodes,
    rig: Rig,
    clip: Clip,
    fps: float | None = None,
    vrma: Vrma | None = None,
) -> Motion:
    """One animation on the rig's skeleton, at a uniform rate."""
    times, rate = frame_times(document, buffers, clip, fps, rig.skeleton.joint_count)
    warnings = list(clip.warnings)
    tracks = {"translation": {}, "rotation": {}, "scale": {}}  # joint -> channel
    labels: dict[str, NDArray[Any]] = {}
    if vrma is not None:
        buffers.frames.charge(len(vrma.faces) * len(times) * 16, clip.where, "; try a lower fps")
        labels.update(take_labels(vrma, clip, times, rate))
    for channel in clip.channels:
        if vrma is not None and channel.node in vrma.nodes:
            continue
        joint = rig.joint_of.get(channel.node)
        if channel.path == "weights":
            buffers.frames.charge(channel.values.shape[-1] * len(times) * 12, clip.where, "; try a lower fps")
            for name, values in _morph_labels(document, channel, channel.sample(times, rate)).items():
                if name in labels and not np.array_equal(labels[name], values):
                    warnings.append(f"{clip.where} moves two morph targets {name[6:]!r} apart; both follow the first")
                labels.setdefault(name, values)
        elif joint is not None:
            if channel.strays(_rest(nodes, channel)):
                tracks[channel.path][joint] = channel
        elif channel.strays(_rest(nodes, channel)):
            warnings.append(f"{clip.where} moves nodes[{channel.node}], which is no joint; left out")
    fixed = _fixed_scales(nodes, rig, tracks["scale"])
    if fixed is not None:
        turned, moved, translated = _similar(nodes, rig, tracks, fixed, times, rate)
    else:
        if tracks["scale"]:
            names = [rig.skeleton.names[joint] for joint in tracks["scale"]]
            warnings.append(
                f"scale moves at {len(names)} joints ({names[0]!r} first); positions are kept, sizes are not"
            )
        turned, every = _general(nodes, rig, tracks, times, rate)
        away = np.abs(every - rig.skeleton.rest_translations).max(axis=(0, 2)) > 1e-6
        translated = np.flatnonzero(away | (rig.skeleton.parents < 0)).astype(np.int32)
        moved = every[:, translated]
    labels.update(_noted_labels(document, buffers, clip, len(times)))
    words = clip.notes.get("tags")
    tags = tuple(word for word in words if isinstance(word, str)) if isinstance(words, list) else ()
    return Motion.create(rig.skeleton, turned, moved, translated, rate, clip.name, labels, tags, warnings)


def _rest(nodes: Nodes, channel: Channel) -> NDArray[np.float64]:
    return {"translation": nodes.translations, "rotation": nodes.rotations, "scale": nodes.scales}[channel.path][
        channel.node
    ]


def _fixed_scales(nodes: Nodes, rig: Rig, scaled: dict[int, Channel]) -> NDArray[np.float64] | None:
    """Scale `[J]` of each joint's own node where all scales are uniform, positive and at rest; None otherwise."""
    if any(channel.strays(nodes.scales[rig.nodes[joint]], UNIFORM) for joint, channel in scaled.items()):
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
    nodes: Nodes,
    rig: Rig,
    tracks: dict[str, dict[int, Channel]],
    own: NDArray[np.float64],
    times: NDArray[np.float64],
    rate: float,
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int32]]:
    """Poses where scales are uniform and fixed: they only stretch translations, rotations stay as they are."""
    skeleton, parents = rig.skeleton, rig.skeleton.parents.tolist()
    between = np.cbrt(np.linalg.det(rig.prefix[:, :3, :3]))
    outer = np.ones(len(parents))  # scale of the parent's frame
    for joint, parent in enumerate(parents):
        if parent >= 0:
            outer[joint] = outer[parent] * between[parent] * own[parent]
    spin = rotations.from_matrix(rig.prefix[:, :3, :3] / between[:, None, None])
    turned = np.empty((len(times), len(parents), 4), np.float32)
    turned[:] = skeleton.rest_rotations
    for joint, channel in tracks["rotation"].items():
        values = channel.sample(times, rate)
        if abs(spin[joint, 0]) < 1 - 1e-12:
            values = rotations.multiply(spin[joint].astype(np.float32), values)
        turned[:, joint] = values
    moving = [joint for joint, parent in enumerate(parents) if parent < 0 or joint in tracks["translation"]]
    moved = np.empty((len(times), len(moving), 3), np.float32)
    moved[:] = skeleton.rest_translations[moving]
    for column, joint in enumerate(moving):
        if joint in tracks["translation"]:
            values = tracks["translation"][joint].sample(times, rate)
            frame = outer[joint] * rig.prefix[joint]
            moved[:, column] = values @ frame[:3, :3].T.astype(np.float32) + frame[:3, 3].astype(np.float32)
    return turned, moved, np.array(moving, dtype=np.int32)


def _general(
    nodes: Nodes, rig: Rig, tracks: dict[str, dict[int, Channel]], times: NDArray[np.float64], rate: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Poses by way of world matrices with all their scale and shear; positions are exact."""
    parents = rig.skeleton.parents.tolist()
    sampled = {path: {j: c.sample(times, rate) for j, c in found.items()} for path, found in tracks.items()}
    turned = np.empty((len(times), len(parents), 4), np.float32)
    moved = np.empty((len(times), len(parents), 3), np.float32)
    length = max(BLOCK // len(parents), 1)  # frames
    for start in range(0, len(times), length):
        block = slice(start, min(start + length, len(times)))
        world = np.empty((len(parents), block.stop - start, 4, 4))
        for joint, (parent, node) in enumerate(zip(parents, rig.nodes, strict=True)):
            local = np.empty((block.stop - start, 4, 4))
            local[:] = nodes.local[node]
            if joint in sampled["rotation"] or joint in sampled["scale"]:
                turn = nodes.rotations[None, node]
                if joint in sampled["rotation"]:
                    turn = sampled["rotation"][joint][block].astype(np.float64)
                size = sampled["scale"][joint][block] if joint in sampled["scale"] else nodes.scales[None, node]
                local[:, :3, :3] = rotations.to_matrix(turn) * size[:, None, :]
            if joint in sampled["translation"]:
                local[:, :3, 3] = sampled["translation"][joint][block]
            local = rig.prefix[joint] @ local
            world[joint] = local if parent < 0 else world[parent] @ local
        frames = world.transpose(1, 0, 2, 3)
        turned[block], moved[block] = rigid_locals(frames, parents)
    return turned, moved


def _morph_labels(document: Document, channel: Channel, values: NDArray[np.floating]) -> dict[str, NDArray[np.float32]]:
    """Morph weights as labels `morph.<target>` `[F]`."""
    mesh = document.all("meshes")[int(document.all("nodes")[channel.node]["mesh"])]
    extras = mesh.get("extras")
    names = extras.get("targetNames") if isinstance(extras, dict) else None
    count = values.shape[1]
    if not isinstance(names, list) or len(names) != count or not all(isinstance(name, str) for name in names):
        names = [f"morph_{number}" for number in range(count)]
    return {f"morph.{name}": np.array(values[:, number]) for number, name in enumerate(names)}


def _noted_labels(document: Document, buffers: Buffers, clip: Clip, frames: int) -> dict[str, NDArray[Any]]:
    """Labels that our writer kept in accessors of their own; they fit only the frames they were written with."""
    noted = clip.notes.get("labels")
    labels: dict[str, NDArray[Any]] = {}
    for name, index in noted.items() if isinstance(noted, dict) else ():
        if isinstance(index, int) and 0 <= index < len(buffers.accessors) and buffers.accessors[index].count == frames:
            buffers.frames.charge(4 * frames, clip.where)
            values = buffers.array(index)[:, 0]
            labels[name] = values.astype(bool) if values.dtype.kind == "u" else np.array(values)
    return labels
