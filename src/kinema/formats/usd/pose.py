"""Clips of a USD file as motions: sampled joint transforms in, rigid local rotations and translations out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.errors import FormatError
from kinema.formats.rigid import rigid_locals, rigid_part
from kinema.formats.usd.morphs import MorphTable
from kinema.formats.usd.rig import Bones, Rig, node_worlds
from kinema.motion import Motion

BLOCK = 4096 * 64  # joint poses evaluated at a time where matrices are needed
UNIFORM = 1e-5  # relative difference of scales that counts as none


@dataclass(frozen=True, eq=False)
class Played:
    """One skeleton in one clip: local transforms of its joints `[F or 1, Js, ...]`, and where it stands."""

    bone: Bones
    translations: NDArray[np.float64]
    rotations: NDArray[np.float64]
    scales: NDArray[np.float64]
    stand: NDArray[np.float64]  # [F or 1, 4, 4] from skeleton space to the world


def read_motion(scene: dict[str, Any], rig: Rig, clip: dict[str, Any], shapes: MorphTable) -> Motion:
    """One clip on the rig's skeleton.

    Args:
        shapes: weights of the meshes' morphs from those of blend shapes; see `morphs`.

    Raises:
        FormatError: an animation holds numbers that are not finite, or moves joints out of any range.
    """
    frames, warnings = clip["frames"], []
    turned = np.empty((frames, len(rig.parents), 4), np.float32)
    moved = np.empty((frames, len(rig.parents), 3), np.float32)
    turned[:], moved[:] = rig.skeleton.rest_rotations, rig.skeleton.rest_translations
    for played in _players(scene, rig, clip, warnings):
        if played.bone.copied:
            continue
        _pose(rig, played, turned, moved, warnings)
    _pose_nodes(scene, rig, clip, turned, moved)
    labels = {}
    for animation in clip["animations"]:
        if animation["weights"] is not None:
            weights = animation["weights"].reshape(len(animation["weights"]), -1)
            if not np.isfinite(weights).all():
                raise FormatError("blendShapeWeights hold a number that is not finite", node=f"<{animation['path']}>")
            for column, name in enumerate(animation["shapes"][: weights.shape[1]]):
                labels.update(shapes.labels(name, np.broadcast_to(weights[:, column], frames)))
    notes = clip["notes"] if isinstance(clip["notes"], dict) else {}
    labels.update(_noted_labels(notes, frames))
    tags = notes.get("tags")
    name = notes.get("name")
    return Motion.create(
        rig.skeleton,
        turned,
        moved,
        fps=clip["fps"],
        name=name if isinstance(name, str) else clip["name"],
        labels=labels,
        tags=[tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else (),
        warnings=list(dict.fromkeys(warnings)),
    )


def first_worlds(scene: dict[str, Any], rig: Rig, clip: dict[str, Any]) -> dict[int, NDArray[np.float64]]:
    """World matrices `[Js, 4, 4]` with scale at the first frame, for each skeleton (by index) that the clip moves."""
    found = {}
    for played in _players(scene, rig, clip, []):
        found[rig.bones.index(played.bone)] = _worlds(played, slice(0, 1))[:, 0]
    return found


def _players(scene: dict[str, Any], rig: Rig, clip: dict[str, Any], warnings: list[str]) -> list[Played]:
    moving = dict(zip(clip["nodes"], clip["matrices"], strict=True))
    animations = {animation["index"]: animation for animation in clip["animations"]}
    stands = {bone.node: rig.worlds[bone.node][None] for bone in rig.bones}
    if moving and rig.bones:
        order = sorted({bone.node for bone in rig.bones})
        above = node_worlds(scene["nodes"], rig.above, moving, set(order))
        stands = dict(zip(order, above, strict=True))
    given: dict[int, dict[str, Any]] = {}
    if clip["bound"]:
        given = {
            number: animations[bone.animation] for number, bone in enumerate(rig.bones) if bone.animation in animations
        }
    else:  # an animation of its own moves the skeleton that it names most joints of
        for animation in animations.values():
            shared = [len(set(bone.tokens) & set(animation["joints"])) for bone in rig.bones]
            if shared and max(shared):
                given[shared.index(max(shared))] = animation
    players = []
    for number, bone in enumerate(rig.bones):
        if bone.tokens and (number in given or moving):
            players.append(_played(bone, given.get(number), stands[bone.node], warnings))
    return players


def _played(bone: Bones, animation: dict[str, Any] | None, stand: NDArray[np.float64], warnings: list[str]) -> Played:
    count = len(bone.tokens)
    sizes = np.linalg.norm(bone.rest[:, :3, :3], axis=1)
    sizes[:, 0] *= np.where(np.linalg.det(bone.rest[:, :3, :3]) < 0, -1.0, 1.0)
    rest = {
        "translations": bone.rest[:, :3, 3],
        "rotations": rotations.from_matrix(rigid_part(bone.rest[:, :3, :3])),
        "scales": sizes,
    }
    if animation is None:
        still = [rest[name][None] for name in ("translations", "rotations", "scales")]
        return Played(bone, still[0], still[1], still[2], stand)
    where = f"<{animation['path']}>"
    place = {token: joint for joint, token in enumerate(bone.tokens)}
    targets = np.array([place.get(token, -1) for token in animation["joints"]], dtype=np.int64)
    if (targets < 0).any():
        warnings.append(f"{where} moves {int((targets < 0).sum())} joints that the skeleton does not have")
    known = np.flatnonzero(targets >= 0)
    full = {}
    for name, still in rest.items():
        values = animation[name]
        if values is None:
            if len(known):
                warnings.append(f"{where} has no {name}; those of the rest pose were kept")
            full[name] = still[None]
            continue
        if not np.isfinite(values).all():
            raise FormatError(f"{name} hold a number that is not finite", node=where)
        full[name] = np.empty((len(values), count, still.shape[1]))
        full[name][:] = still
        full[name][:, targets[known]] = values[:, known]
    lengths = np.linalg.norm(full["rotations"], axis=-1, keepdims=True)
    full["rotations"] = np.where(lengths > 1e-8, full["rotations"] / np.maximum(lengths, 1e-8), [1.0, 0, 0, 0])
    return Played(bone, full["translations"], full["rotations"], full["scales"], stand)


def _pose(
    rig: Rig, played: Played, turned: NDArray[np.float32], moved: NDArray[np.float32], warnings: list[str]
) -> None:
    """Writes the local transforms of one skeleton's joints to the columns `[F, J, ...]` that are theirs."""
    bone, joints = played.bone, played.bone.joints
    roots = [joint for joint, parent in enumerate(bone.parents) if parent < 0]
    linear = played.stand[:, :3, :3]
    gram = np.swapaxes(linear, -1, -2) @ linear
    size = np.einsum("fii->f", gram) / 3
    similar = (np.abs(gram - size[:, None, None] * np.eye(3)).max(axis=(1, 2)) <= UNIFORM * size).all()
    steady = similar and (np.linalg.det(linear) > 1e-12 * size**1.5).all() and np.ptp(size) <= UNIFORM * size.max()
    if steady and np.abs(played.scales - 1).max(initial=0) <= UNIFORM:
        scale = float(np.sqrt(size.mean()))
        turned[:, joints] = played.rotations
        moved[:, joints] = played.translations * scale
        spin = rotations.from_matrix(linear / scale)
        turned[:, joints[roots]] = rotations.multiply(spin[:, None], played.rotations[:, roots])
        moved[:, joints[roots]] = (
            np.einsum(
                "fab,fjb->fja",
                linear,
                np.broadcast_to(
                    played.translations[:, roots], (max(len(linear), len(played.translations)), len(roots), 3)
                ),
            )
            + played.stand[:, None, :3, 3]
        )
        return
    if np.ptp(played.scales, axis=0).max(initial=0) > UNIFORM:
        warnings.append(f"<{bone.path}> has joints whose scale moves; positions are kept, sizes are not")
    place = {int(joint): column for column, joint in enumerate(joints[bone.order])}
    parents = [-1 if bone.parents[j] < 0 else place[int(joints[bone.parents[j]])] for j in bone.order]
    step = max(BLOCK // len(joints), 1)
    for start in range(0, len(turned), step):
        block = slice(start, min(start + step, len(turned)))
        world = np.swapaxes(_worlds(played, block), 0, 1)[:, bone.order]
        if not (np.abs(world) < 1e15).all():
            raise FormatError("moves joints out of any sensible range", node=f"<{bone.path}>")
        local_rotations, local_translations = rigid_locals(world, parents)
        turned[block, joints[bone.order]] = local_rotations
        moved[block, joints[bone.order]] = local_translations


def _worlds(played: Played, block: slice) -> NDArray[np.float64]:
    """World matrices `[Js, F, 4, 4]` of a skeleton's joints with all their scale, at a block of frames."""

    def at(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return values if len(values) == 1 else values[block]

    turn, size, place, stand = at(played.rotations), at(played.scales), at(played.translations), at(played.stand)
    frames = max(len(turn), len(size), len(place), len(stand))
    world = np.zeros((turn.shape[1], frames, 4, 4))
    with np.errstate(over="ignore", invalid="ignore"):
        matrices = rotations.to_matrix(turn)
        for joint in played.bone.order:
            local = np.zeros((frames, 4, 4))
            local[:, :3, :3] = matrices[:, joint] * size[:, joint, None, :]
            local[:, :3, 3] = place[:, joint]
            local[:, 3, 3] = 1
            parent = played.bone.parents[joint]
            world[joint] = (stand if parent < 0 else world[parent]) @ local
    return world


def _pose_nodes(
    scene: dict[str, Any], rig: Rig, clip: dict[str, Any], turned: NDArray[np.float32], moved: NDArray[np.float32]
) -> None:
    """Writes the local transforms of joints that are plain transforms."""
    if not (rig.nodes and clip["nodes"]):
        return
    nodes = sorted(rig.nodes)
    moving = dict(zip(clip["nodes"], clip["matrices"], strict=True))
    world = node_worlds(scene["nodes"], rig.above, moving, set(nodes))
    joints = [rig.nodes[node] for node in nodes]
    place = {joint: column for column, joint in enumerate(joints)}
    parents = [place.get(rig.parents[joint], -1) for joint in joints]
    local_rotations, local_translations = rigid_locals(np.swapaxes(world, 0, 1), parents)
    turned[:, joints], moved[:, joints] = local_rotations, local_translations


def _noted_labels(notes: dict[str, Any], frames: int) -> dict[str, NDArray[Any]]:
    """Labels that our writer kept; they fit only the frames they were written with."""
    names = notes.get("label_names")
    labels: dict[str, NDArray[Any]] = {}
    for number, name in enumerate(names if isinstance(names, list) else ()):
        values = notes.get(f"label_{number}")
        if isinstance(values, np.ndarray) and values.shape == (frames,):
            kind = {"u": bool, "i": np.int32}.get(values.dtype.kind, np.float32)
            labels[name] = values.astype(kind)
    return labels
