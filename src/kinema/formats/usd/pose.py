"""Clips of a USD file as motions: sampled joint transforms in, rigid local rotations and translations out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema import kinematics, rotations
from kinema.arrays import Floats
from kinema.errors import FormatError
from kinema.formats.checks import require, strings
from kinema.formats.rigid import UNIFORM, affine, blocks, rigid_part, rigid_rotations, uniform_scales
from kinema.formats.usd.morphs import MorphTable
from kinema.formats.usd.rig import FARTHEST, UsdRig, UsdSkeleton, node_worlds
from kinema.motion import Motion


@dataclass(frozen=True, eq=False)
class SkeletonClip:
    """One skeleton in one clip: local transforms of the joints `[F or 1, Js, ...]`, and its world transform."""

    skeleton: UsdSkeleton
    translations: Floats
    rotations: Floats
    scales: Floats
    world: Floats  # [F or 1, 4, 4] from skeleton space to the world


class ClipReader:
    """Reads one clip onto the rig's skeleton.

    Args:
        scene: see `extract`.
        clip: one of its clips.
    """

    def __init__(self, scene: dict[str, Any], rig: UsdRig, clip: dict[str, Any]) -> None:
        self._scene, self._rig, self._clip = scene, rig, clip
        self._moving = dict(zip(clip["nodes"], clip["matrices"], strict=True))
        self._warnings: list[str] = []
        self.local_rotations = np.empty((clip["frames"], len(rig.parents), 4), np.float32)
        self.local_translations = np.empty((clip["frames"], len(rig.parents), 3), np.float32)

    def read(self, shapes: MorphTable, name: str) -> Motion:
        """The motion.

        Args:
            shapes: turns the weights of blend shapes into those of morph targets; see `morphs`.
            name: name of the motion if the clip has none.

        Raises:
            FormatError: an animation holds numbers that are not finite, or moves joints beyond any sensible range.
        """
        clip, skeleton = self._clip, self._rig.skeleton
        self.local_rotations[:], self.local_translations[:] = skeleton.rest_rotations, skeleton.rest_translations
        for played in self._skeleton_clips():
            if not played.skeleton.copied:
                self.pose(played)
        self._pose_nodes()
        notes = clip["notes"] if isinstance(clip["notes"], dict) else {}
        noted = notes.get("name")
        return Motion.create(
            skeleton,
            self.local_rotations,
            self.local_translations,
            fps=clip["fps"],
            name=(noted if isinstance(noted, str) else clip["name"]) or name,
            labels=_morph_labels(clip, shapes) | _noted_labels(notes, clip["frames"]),
            tags=strings(notes.get("tags")),
            warnings=list(dict.fromkeys(self._warnings)),
        )

    def first_worlds(self) -> dict[int, Floats]:
        """World matrices `[Js, 4, 4]` with scale at the first frame, for each skeleton (by index) that moves."""
        clips = self._skeleton_clips()
        return {self._rig.skeletons.index(played.skeleton): _worlds(played, slice(0, 1))[:, 0] for played in clips}

    def pose(self, played: SkeletonClip) -> None:
        """Sets the local transforms of one skeleton's joints."""
        skeleton, scale = played.skeleton, _constant_scale(played.world)
        if scale is not None and np.abs(played.scales - 1).max(initial=0) <= UNIFORM:
            self._pose_unscaled(played, scale)
            return
        if np.ptp(played.scales, axis=0).max(initial=0) > UNIFORM:
            self._warnings.append(
                f"<{skeleton.path}> has joints with animated scale; positions are kept, sizes are not"
            )
        place = {joint: column for column, joint in enumerate(skeleton.order)}
        parents = [place.get(skeleton.parents[joint], -1) for joint in skeleton.order]
        for block in blocks(self._clip["frames"], len(parents)):
            world = np.swapaxes(_worlds(played, block), 0, 1)[:, skeleton.order]
            sane = (np.abs(world) < FARTHEST).all()
            require(sane, "moves joints beyond any sensible range", node=f"<{skeleton.path}>")
            self._take(block, skeleton.joints[skeleton.order], world, parents)

    def _take(self, block: slice, joints: NDArray[np.integer], world: Floats, parents: list[int]) -> None:
        """Sets the local transforms of joints from their world matrices `[F, Js, 4, 4]`."""
        found = kinematics.to_local(rigid_rotations(world), world[..., :3, 3], parents)
        self.local_rotations[block, joints], self.local_translations[block, joints] = found

    def _pose_unscaled(self, played: SkeletonClip, scale: float) -> None:
        """`pose` for joints without scale. The skeleton's transform scales all joints, but moves only the roots."""
        joints, linear = played.skeleton.joints, played.world[:, :3, :3]
        roots = [joint for joint, parent in enumerate(played.skeleton.parents) if parent < 0]
        self.local_rotations[:, joints] = played.rotations
        self.local_translations[:, joints] = played.translations * scale
        spin = rotations.from_matrix(linear / scale)
        self.local_rotations[:, joints[roots]] = rotations.multiply(spin[:, None], played.rotations[:, roots])
        frames = max(len(linear), len(played.translations))
        places = np.broadcast_to(played.translations[:, roots], (frames, len(roots), 3))
        moved = np.einsum("fab,fjb->fja", linear, places) + played.world[:, None, :3, 3]
        self.local_translations[:, joints[roots]] = moved

    def _pose_nodes(self) -> None:
        """Sets the local transforms of joints that are plain transforms."""
        rig = self._rig
        if rig.nodes and self._moving:
            world = np.swapaxes(node_worlds(self._scene["nodes"], rig.above, self._moving, rig.nodes), 0, 1)
            joints = [rig.nodes[node] for node in sorted(rig.nodes)]
            place = {joint: column for column, joint in enumerate(joints)}
            parents = [place.get(rig.parents[joint], -1) for joint in joints]
            self._take(slice(None), np.array(joints), world, parents)

    def _skeleton_clips(self) -> list[SkeletonClip]:
        """The skeletons that the clip moves, through an animation or through their own transform."""
        rig, moving = self._rig, self._moving
        worlds = {skeleton.node: rig.worlds[skeleton.node][None] for skeleton in rig.skeletons}
        if moving and worlds:
            moved = node_worlds(self._scene["nodes"], rig.above, moving, worlds)
            worlds = dict(zip(sorted(worlds), moved, strict=True))
        given = _animations_of(rig, self._clip)
        return [
            _skeleton_clip(skeleton, given.get(number), worlds[skeleton.node], self._warnings)
            for number, skeleton in enumerate(rig.skeletons)
            if skeleton.tokens and (number in given or moving)
        ]


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


def _animations_of(rig: UsdRig, clip: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """The animation of each skeleton (by index) that has one in a clip."""
    if clip["bound"]:
        animations = {animation["index"]: animation for animation in clip["animations"]}
        found = {number: animations.get(skeleton.animation) for number, skeleton in enumerate(rig.skeletons)}
        return {number: animation for number, animation in found.items() if animation is not None}
    given: dict[int, dict[str, Any]] = {}
    for animation in clip["animations"]:  # an unbound animation moves the skeleton that it shares most joints with
        shared = [len(set(skeleton.tokens).intersection(animation["joints"])) for skeleton in rig.skeletons]
        if any(shared):
            given[int(np.argmax(shared))] = animation
    return given


def _skeleton_clip(
    skeleton: UsdSkeleton, animation: dict[str, Any] | None, world: Floats, warnings: list[str]
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
    return SkeletonClip(skeleton, **values, world=world)


def _animated(
    skeleton: UsdSkeleton, animation: dict[str, Any], rest: dict[str, Floats], warnings: list[str]
) -> dict[str, Floats]:
    """Values `[F or 1, Js, C]` of all joints by name. Joints that the animation does not move have those of `rest`."""
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


def _constant_scale(worlds: Floats) -> float | None:
    """The scale of transforms `[F, 4, 4]` where it is uniform, positive and the same in all frames; else None."""
    scales = uniform_scales(worlds[:, :3, :3])
    if scales is None or np.ptp(scales) > UNIFORM / 2 * scales.max():
        return None
    return float(scales.mean())


def _worlds(played: SkeletonClip, block: slice) -> Floats:
    """World matrices `[Js, F, 4, 4]` of a skeleton's joints with all their scale, at a block of frames."""
    turn, size, place, base = (
        values if len(values) == 1 else values[block]
        for values in (played.rotations, played.scales, played.translations, played.world)
    )
    frames = max(len(turn), len(size), len(place), len(base))
    world = np.zeros((turn.shape[1], frames, 4, 4))
    with np.errstate(over="ignore", invalid="ignore"):
        matrices = rotations.to_matrix(turn)
        for joint in played.skeleton.order:
            local = affine(matrices[:, joint] * size[:, joint, None, :], place[:, joint])
            parent = played.skeleton.parents[joint]
            world[joint] = (base if parent < 0 else world[parent]) @ local
    return world


def _noted_labels(notes: dict[str, Any], frames: int) -> dict[str, NDArray[Any]]:
    """Labels that our writer stored. They are ignored if the number of frames has changed since."""
    names = notes.get("label_names")
    labels: dict[str, NDArray[Any]] = {}
    for number, name in enumerate(names if isinstance(names, list) else ()):
        values = notes.get(f"label_{number}")
        if isinstance(values, np.ndarray) and values.shape == (frames,):
            kind = {"u": bool, "i": np.int32}.get(values.dtype.kind, np.float32)
            labels[name] = values.astype(kind)
    return labels
