"""A motion as one HTML file that plays anywhere, without Kinema and without a network."""

from __future__ import annotations

import os

import numpy as np

from kinema.formats.atomic import atomic_write
from kinema.session.library import Clip
from kinema.viewer import overlays
from kinema.viewer.guard import new_secret, start_viser, stop_viser
from kinema.viewer.scene import CharacterView, Stage

MAX_FPS = 30.0
"""Frames a second that are written at most: files should stay small enough to send."""


def write_html(clip: Clip, path: str | os.PathLike[str]) -> int:
    """Write a clip to a standalone page; returns its size in bytes.

    Raises:
        WriteError: the file cannot be written.
    """
    page = to_html(clip).encode()
    atomic_write(path, page)
    return len(page)


def to_html(clip: Clip) -> str:
    """The page as text: viser's player with the recorded scene inside."""
    motion = clip.load()
    if motion is not None and motion.fps > MAX_FPS:
        motion = motion.resample(motion.fps / np.ceil(motion.fps / MAX_FPS))
    size = clip.size(motion)
    server = start_viser(new_secret())  # which nobody is told: the server only records
    try:
        stage = Stage(server, size)
        body = CharacterView(server, "character", clip.character or clip.skeleton, motion=motion)
        if motion is None or motion.frames == 0:
            body.update(clip.skeleton.rest_pose.global_rotations, clip.skeleton.rest_pose.global_positions)
            return server.get_scene_serializer().as_html()
        pose = motion[:]
        turned, placed = pose.global_rotations, pose.global_positions
        hips = placed[:, clip.skeleton.roles.hips]
        centres = overlays.smoothed(hips, int(0.5 * motion.fps))
        stage.follow(centres[0])
        body.update(turned[0], placed[0])
        recording = server.get_scene_serializer()
        for frame in range(motion.frames):
            with server.atomic():
                stage.follow(centres[frame])
                moment = frame / motion.fps
                body.update(turned[frame], placed[frame], body.face_at(motion, moment), moment)
            recording.insert_sleep(1.0 / motion.fps)
        return recording.as_html()
    finally:
        stop_viser(server)
