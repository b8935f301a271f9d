"""Motions that a model makes of clips, to show beside the recorded ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from kinema import rotations
from kinema.arrays import Ints
from kinema.features import FeatureSpec, extract
from kinema.learn.poses import PoseReader
from kinema.learn.setting import Setting
from kinema.learn.vectors import Predict
from kinema.mocap import MotionDatabase
from kinema.motion import Motion
from kinema.pose import Pose

CHUNK = 512


def shown_poses(shown: Sequence[int], predict: Predict, setting: Setting, database: MotionDatabase, clip: int) -> Pose:
    """Poses of a whole clip as a model of vectors predicts them.

    A model of one time is run for every frame. A model of several times is run from the true pose at the beginning of
    every such stretch, and its prediction is shown until the next.

    Args:
        shown: which times of the output are shown; see `kinema.learn.vector_task.VectorTask`.

    Returns:
        Poses `[F]` in root layout, contacts as recorded.
    """
    entry = database.clips[clip]
    frames = np.arange(entry.start, entry.stop)
    given, wanted = setting.specs["x"], setting.specs["y"]
    anchors, slots = _anchors(frames, shown, wanted, setting.fps)
    reader = PoseReader(wanted, setting.translated)
    truth = database.pose(frames)
    parts: list[Pose] = []
    for begin in range(0, len(frames), CHUNK):
        part = slice(begin, begin + CHUNK)
        used, index = np.unique(anchors[part], return_inverse=True)
        with torch.no_grad():
            y = predict(torch.from_numpy(extract(database, given, used)))
        pose, root = reader.pose(y)[index, slots[part]], truth[part]
        positions, headings = root.root_positions, root.root_rotations
        if "root" in wanted.slices:
            steps, turns = (values[index, slots[part]] for values in wanted.decode(y.numpy(), ("root",))["root"])
            start = database.pose(anchors[part])
            positions = start.root_positions + rotations.rotate(start.root_rotations, steps)
            headings = rotations.multiply(start.root_rotations, turns)
        parts.append(pose.replace(root_positions=positions, root_rotations=headings, contacts=root.contacts))
    return Pose.concatenate(parts)


def shown_motion(
    shown: Sequence[int], predict: Predict, setting: Setting, database: MotionDatabase, clip: int
) -> Motion:
    """`shown_poses` as a motion in the world, to save, render or view like any other."""
    pose = shown_poses(shown, predict, setting, database, clip)
    return Motion.from_pose(pose, database.fps, f"{database.clips[clip].name} by the model")


def _anchors(frames: Ints, times: Sequence[int], spec: FeatureSpec, fps: float) -> tuple[Ints, Ints]:
    """For each frame, the sample to run and which time of its output to show."""
    positions = next(feature for feature in spec.features if feature.name == "positions")
    shown = np.asarray(times)
    offsets = positions.offsets(fps)[shown]
    if len(shown) == 1:
        return frames - offsets[0], np.full(len(frames), shown[0])
    span = int(offsets[-1])
    since = frames - frames[0]
    anchors = frames[0] + np.maximum((since - 1) // span, 0) * span
    nearest = np.abs((frames - anchors)[:, None] - offsets).argmin(axis=1)
    return anchors, shown[nearest]
