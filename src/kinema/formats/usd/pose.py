"""Clips of a USD file as motions: sampled joint transforms in, rigid local rotations and translations out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema import kinematics, rotations
from kinema.errors import FormatError
from kinema.formats.checks import require, strings
from kinema.formats.rigid import rigid_part, rigid_rotations
from kinema.formats.usd.morphs import MorphTable
from kinema.formats.usd.rig import FARTHEST, Floats, UsdRig, UsdSkeleton, node_worlds
from kinema.motion import Motion

BLOCK = 4096 * 64  # joint poses evaluated at a time where matrices are needed
UNIFORM = 1e-5  # relative difference of scales that counts as none


@dataclass(frozen=True, eq=False)
class SkeletonClip:
    """One skeleton in one clip: local transforms of its joints `[F or 1, Js, ...]`, and where it stands."""

    skeleton: UsdSkeleton
    translations: Floats
    rotations: Floats
    scales: Floats
    stand: Floats  # [F or 1, 4, 4] from skeleton space to the world


def read_motion(scene: dict[str, Any], rig: UsdRig, clip: dict[str, Any], shapes: MorphTable, name: str) -> Motion:
    """One clip on the rig's skeleton.

    Args:
        shapes: weights of the meshes' morphs from those of blend shapes; see `morphs`.
        name: for a clip without one.

    Raises:
        FormatError: an animation holds numbers that are not finite, or moves joints out of any range.
    """
    frames, warnings = clip["frames"], []
    local_rotations = np.empty((frames, len(rig.parents), 4), np.float32)
    local_translations = np.empty((frames, len(rig.parents), 3), np.float32)
    local_rotations[:], local_translations[:] = rig.skeleton.rest_rotations, rig.skeleton.rest_translations
    for played in _skeleton_clips(scene, rig, clip, warnings):
        if not played.skeleton.copied:
            _pose(played, local_rotations, local_translations, warnings)
    _pose_nodes(scene, rig, clip, local_rotations, local_translations)
    notes = clip["notes"] if isinstance(clip["notes"], dict) else {}
    noted = notes.get("name")
    return Motion.create(
        rig.skeleton,
        local_rotations,
        local_translations,
        fps=clip["fps"],
        name=(noted if isinstance(noted, str) else clip["name"]) or name,
        labels=_morph_labels(clip, shapes) | _noted_labels(notes, frames),
        tags=strings(notes.get("tags")),
        warnings=list(dict.fromkeys(warnings)),
    )


def first_worlds(scene: dict[str, Any], rig: UsdRig, clip: dict[str, Any]) -> dict[int, Floats]:
    """World matrices `[Js, 4, 4]` with scale at the first frame, for each skeleton (by index) that the clip moves."""
    clips = _skeleton_clips(scene, rig, clip, [])
    return {rig.skeletons.index(played.skeleton): _worlds(played, slice(0, 1))[:, 0] for played in clips}


def _morph_labels(clip: dict[str, Any], shapes: MorphTable) -> dict[str, NDArray[Any]]:
    labels: dict[str, NDArray[Any]] = {}
    for animation in clip["animations"]:
        if animation["weights"] is None:
            continue
        weights = animation["weights"].reshape(len(animation["weights"]), -1)
        if not np.isfinite(weights).all():
            raise FormatError("blendShapeWeights hold a number that is not finite", node=f"<{animation['path']}>")
        for column, name in enumerate(animation["shapes"][: weights.shape[1]]):
            labels.update(shapes.labels(name, np.broadcast_to(weights[:, column], clip["frames"])))
    return labels


def _skeleton_clips(
    scene: dict[str, Any], rig: UsdRig, clip: dict[str, Any], warnings: list[str]
) -> list[SkeletonClip]:
    """The skeletons that a clip moves, by an animation or as a whole."""
    moving = dict(zip(clip["nodes"], clip["matrices"], strict=True))
    stands = {skeleton.node: rig.worlds[skeleton.node][None] for skeleton in rig.skeletons}
    if moving and stands:
        stands = dict(zip(sorted(stands), node_worlds(scene["nodes"], rig.above, moving, stands), strict=True))
    given = _animations_of(rig, clip)
    return [
        _skeleton_clip(skeleton, given.get(number), stands[skeleton.node], warnings)
        for number, skeleton in enumerate(rig.skeletons)
        if skeleton.tokens and (number in given or moving)
    ]


def _animations_of(rig: UsdRig, clip: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """The animation of each skeleton (by index) that has one in a clip."""
    if clip["bound"]:
        animations = {animation["index"]: animation for animation in clip["animations"]}
        found = {number: animations.get(skeleton.animation) for number, skeleton in enumerate(rig.skeletons)}
        return {number: animation for number, animation in found.items() if animation is not None}
    given: dict[int, dict[str, Any]] = {}
    for animation in clip["animations"]:  # an animation of its own moves the skeleton that it names most joints of
        shared = [len(set(skeleton.tokens).intersection(animation["joints"])) for skeleton in rig.skeletons]
        if any(shared):
            given[int(np.argmax(shared))] = animation
    return given


def _skeleton_clip(
    skeleton: UsdSkeleton, animation: dict[str, Any] | None, stand: Floats, warnings: list[str]
) -> SkeletonClip:
    linear = skeleton.rest[:, :3, :3]
    sizes = np.linalg.norm(linear, axis=1)
    sizes[:, 0] *= np.where(np.linalg.det(linear) < 0, -1.0, 1.0)
    turns = rotations.from_matrix(rigid_part(linear))
    values = {"translations": skeleton.rest[None, :, :3, 3], "rotations": turns[None], "scales": sizes[None]}
    if animation is not None:
        values = _animated(skeleton, animation, values, warnings)
        lengths = np.linalg.norm(values["rotations"], axis=-1, keepdims=True)
        unit = values["rotations"] / np.maximum(lengths, 1e-8)
        values["rotations"] = np.where(lengths > 1e-8, unit, [1.0, 0, 0, 0])
    return SkeletonClip(skeleton, **values, stand=stand)


def _animated(
    skeleton: UsdSkeleton, animation: dict[str, Any], rest: dict[str, Floats], warnings: list[str]
) -> dict[str, Floats]:
    """Values of all joints `[F or 1, Js, C]` by name, those that an animation does not move at `rest`."""
    where = f"<{animation['path']}>"
    place = {token: joint for joint, token in enumerate(skeleton.tokens)}
    targets = np.array([place.get(token, -1) for token in animation["joints"]], dtype=np.int64)
    known = np.flatnonzero(targets >= 0)
    if len(known) < len(targets):
        warnings.append(f"{where} moves {len(targets) - len(known)} joints that the skeleton does not have")
    full = dict(rest)
    for name, still in rest.items():
        values = animation[name]
        if values is None:
            if len(known):
                warnings.append(f"{where} has no {name}; those of the rest pose were kept")
            continue
        require(np.isfinite(values).all(), f"{name} hold a number that is not finite", node=where)
        full[name] = np.repeat(still, len(values), axis=0)
        full[name][:, targets[known]] = values[:, known]
    return full


def _pose(
    played: SkeletonClip,
    local_rotations: NDArray[np.float32],
    local_translations: NDArray[np.float32],
    warnings: list[str],
) -> None:
    """Writes the local transforms of one skeleton's joints to the columns `[F, J, ...]` that are theirs."""
    scale = _steady_scale(played.stand)
    if scale is not None and np.abs(played.scales - 1).max(initial=0) <= UNIFORM:
        _pose_unscaled(played, scale, local_rotations, local_translations)
        return
    skeleton = played.skeleton
    if np.ptp(played.scales, axis=0).max(initial=0) > UNIFORM:
        warnings.append(f"<{skeleton.path}> has joints whose scale moves; positions are kept, sizes are not")
    order = skeleton.order
    place = {joint: column for column, joint in enumerate(order)}
    parents = [place.get(skeleton.parents[joint], -1) for joint in order]
    step = max(BLOCK // len(order), 1)
    for start in range(0, len(local_rotations), step):
        block = slice(start, min(start + step, len(local_rotations)))
        world = np.swapaxes(_worlds(played, block), 0, 1)[:, order]
        require((np.abs(world) < FARTHEST).all(), "moves joints out of any sensible range", node=f"<{skeleton.path}>")
        found = kinematics.to_local(rigid_rotations(world), world[..., :3, 3], parents)
        local_rotations[block, skeleton.joints[order]], local_translations[block, skeleton.joints[order]] = found


def _steady_scale(stand: Floats) -> float | None:
    """The scale of transforms `[F, 4, 4]` where it is uniform, positive and the same in all frames; else None."""
    linear = stand[:, :3, :3]
    gram = np.swapaxes(linear, -1, -2) @ linear
    size = np.einsum("fii->f", gram) / 3
    uniform = np.abs(gram - size[:, None, None] * np.eye(3)).max(axis=(1, 2)) <= UNIFORM * size
    upright = np.linalg.det(linear) > 1e-12 * size**1.5
    steady = uniform.all() and upright.all() and np.ptp(size) <= UNIFORM * size.max()
    return float(np.sqrt(size.mean())) if steady else None


def _pose_unscaled(
    played: SkeletonClip,
    scale: float,
    local_rotations: NDArray[np.float32],
    local_translations: NDArray[np.float32],
) -> None:
    """`_pose` where joints have no scale: only the roots take where the skeleton stands into account."""
    joints, linear = played.skeleton.joints, played.stand[:, :3, :3]
    roots = [joint for joint, parent in enumerate(played.skeleton.parents) if parent < 0]
    local_rotations[:, joints] = played.rotations
    local_translations[:, joints] = played.translations * scale
    spin = rotations.from_matrix(linear / scale)
    local_rotations[:, joints[roots]] = rotations.multiply(spin[:, None], played.rotations[:, roots])
    frames = max(len(linear), len(played.translations))
    places = np.broadcast_to(played.translations[:, roots], (frames, len(roots), 3))
    local_translations[:, joints[roots]] = np.einsum("fab,fjb->fja", linear, places) + played.stand[:, None, :3, 3]


def _worlds(played: SkeletonClip, block: slice) -> Floats:
    """World matrices `[Js, F, 4, 4]` of a skeleton's joints with all their scale, at a block of frames."""
    turn, size, place, stand = (
        values if len(values) == 1 else values[block]
        for values in (played.rotations, played.scales, played.translations, played.stand)
    )
    frames = max(len(turn), len(size), len(place), len(stand))
    world = np.zeros((turn.shape[1], frames, 4, 4))
    with np.errstate(over="ignore", invalid="ignore"):
        matrices = rotations.to_matrix(turn)
        for joint in played.skeleton.order:
            local = np.zeros((frames, 4, 4))
            local[:, :3, :3] = matrices[:, joint] * size[:, joint, None, :]
            local[:, :3, 3] = place[:, joint]
            local[:, 3, 3] = 1
            parent = played.skeleton.parents[joint]
            world[joint] = (stand if parent < 0 else world[parent]) @ local
    return world


def _pose_nodes(
    scene: dict[str, Any],
    rig: UsdRig,
    clip: dict[str, Any],
    local_rotations: NDArray[np.float32],
    local_translations: NDArray[np.float32],
) -> None:
    """Writes the local transforms of joints that are plain transforms."""
    if not (rig.nodes and clip["nodes"]):
        return
    moving = dict(zip(clip["nodes"], clip["matrices"], strict=True))
    world = node_worlds(scene["nodes"], rig.above, moving, rig.nodes)
    joints = [rig.nodes[node] for node in sorted(rig.nodes)]
    place = {joint: column for column, joint in enumerate(joints)}
    parents = [place.get(rig.parents[joint], -1) for joint in joints]
    world = np.swapaxes(world, 0, 1)
    found = kinematics.to_local(rigid_rotations(world), world[..., :3, 3], parents)
    local_rotations[:, joints], local_translations[:, joints] = found


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
