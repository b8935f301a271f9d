"""VRM animations (.vrma), written: bones, expressions and gaze of one clip, without meshes and skins."""

from __future__ import annotations

from typing import Any

import numpy as np

from kinema import rotations
from kinema.arrays import Singles
from kinema.formats.checks import require
from kinema.formats.contents import finite
from kinema.formats.gltf import vrm_humanoid
from kinema.formats.gltf.assembly import Assembly, NodeTrack
from kinema.formats.gltf.vrm_writer import grouped
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.skeleton import Skeleton

EXTENSION = "VRMC_vrm_animation"
_GAZE = ("gaze.yaw", "gaze.pitch")


def build_animation(skeleton: Skeleton, motions: tuple[Motion, ...]) -> Assembly:
    """A .vrma file.

    Raises:
        FormatError: there is not exactly one motion, or no humanoid is known.
    """
    require(len(motions) == 1, f"holds one motion, not {len(motions)}; choose one")
    [motion] = motions
    bones = vrm_humanoid.assign(skeleton)
    file = Assembly(skeleton)
    root: dict[str, Any] = {
        "specVersion": "1.0",
        "humanoid": {"humanBones": {name: {"node": joint} for name, joint in bones.items()}},
    }
    expressions: dict[str, dict[str, Any]] = {}  # by name
    tracks: list[NodeTrack] = []
    for label, values in motion.labels.items():
        kind, _, name = label.partition(".")
        if kind == "expression" and name and values.ndim == 1:
            node = file.add_node({"name": label}, -1)
            expressions[name] = {"node": node}
            weights = finite(values.astype(np.float32))
            tracks.append((node, "translation", np.stack([weights, 0 * weights, 0 * weights], axis=1)))
    if expressions:
        root["expressions"] = grouped(expressions)
    if all(label in motion.labels for label in _GAZE):
        node = file.add_node({"name": "gaze"}, -1)
        root["lookAt"] = {"node": node, "offsetFromHeadBone": [0.0, 0.0, 0.0]}
        tracks.append((node, "rotation", _gaze_rotations(motion)))
    file.animation(humanoid_only(motion, bones), 0, tracks=tracks)
    file.root["extensions"] = {EXTENSION: root}
    file.extensions.add(EXTENSION)
    return file


def humanoid_only(motion: Motion, bones: dict[str, int]) -> Motion:
    """The same movement with the bones alone, since readers of .vrma ignore all other joints.

    Joints between and above them stay at rest and the bones take over their movement; only the hips translate.
    """
    skeleton, hips, pose = motion.skeleton, bones["hips"], motion[:]
    local, moved = motion.local_rotations.copy(), pose.local_translations.copy()
    kept = set(bones.values())
    above = sorted({joint for bone in kept for joint in skeleton.ancestors(bone)} - kept)
    local[:, above], moved[:, above] = skeleton.rest_rotations[above], skeleton.rest_translations[above]
    now: dict[int, Singles] = {}  # resulting global rotations
    for joint in sorted([*above, *kept]):
        outer = now.get(int(skeleton.parents[joint]))
        if joint in kept:
            turn = pose.global_rotations[:, joint]
            local[:, joint] = turn if outer is None else rotations.relative(outer, turn)
        now[joint] = local[:, joint] if outer is None else rotations.multiply(outer, local[:, joint])
    shift = pose.global_positions[:, hips] - Pose(skeleton, local, moved).global_positions[:, hips]
    outer = now.get(int(skeleton.parents[hips]))
    local_shift = shift if outer is None else rotations.inverse_rotate(outer, shift)
    return motion.replace(
        local_rotations=local,
        local_translations=(moved[:, hips] + local_shift)[:, None],
        translated=np.array([hips], np.int32),
    )


def _gaze_rotations(motion: Motion) -> Singles:
    """Where the eyes look, relative to the head: quaternions `[F, 4]`, xyzw."""
    yaw, pitch = (finite(motion.labels[label].astype(np.float64)) for label in _GAZE)
    turn = rotations.multiply(
        rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), yaw),
        rotations.from_axis_angle(np.array([1.0, 0.0, 0.0]), -pitch),
    )
    return np.ascontiguousarray(turn[:, [1, 2, 3, 0]], dtype=np.float32)
