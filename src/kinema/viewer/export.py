"""Writes a motion as one HTML file that plays without Kinema and without a network."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np

from kinema.formats.atomic import atomic_write
from kinema.session.clips import ClipSession
from kinema.session.library import LibraryClip, LibraryFile
from kinema.viewer.guard import new_secret, start_viser, stop_viser
from kinema.viewer.screen import CAMERA, ViewScreen

MAX_FPS = 30.0
"""Highest frame rate of the file, which keeps it small."""


def write_html(clip: LibraryClip, path: str | os.PathLike[str]) -> int:
    """Write a clip to a standalone page; returns its size in bytes.

    Raises:
        WriteError: the file cannot be written.
    """
    page = to_html(clip).encode()
    atomic_write(path, page)
    return len(page)


def to_html(clip: LibraryClip) -> str:
    """The page as text: viser's player with a recorded scene."""
    motion = clip.load()
    if motion is not None and motion.fps > MAX_FPS:
        motion = motion.resample(motion.fps / np.ceil(motion.fps / MAX_FPS))
    session = ClipSession([LibraryFile(clip.title, clip.title, lambda: [replace(clip, load=lambda: motion)])])
    session.wait()
    session.show = {"Body": True}
    server = start_viser(new_secret())  # the server only records; no browser connects
    try:
        screen, frames, fps = ViewScreen(server), session.playhead.frames, session.playhead.fps
        recording = None
        for frame in range(frames):
            session.seek(frame)
            session.update(0.0)
            screen.show(session.view(CAMERA), session.target, now=frame / fps)
            if recording is None:  # it starts with the current scene
                recording = server.get_scene_serializer()
            if frames > 1:
                recording.insert_sleep(1.0 / fps)
        return "" if recording is None else recording.as_html()
    finally:
        stop_viser(server)
