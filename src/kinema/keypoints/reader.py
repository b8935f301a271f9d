"""Key points of a video as a motion file: OpenPose's, DWPose's and COCO's JSON."""

from __future__ import annotations

import json

from kinema.errors import FormatError
from kinema.formats import Asset
from kinema.formats.sources import Source
from kinema.keypoints.files import points_of
from kinema.keypoints.motions import FPS, lifted


def read(source: Source, *, fps: float | None = None) -> Asset:
    """Reads the main person of a video, as a motion on a skeleton of its proportions; see `kinema.keypoints.motions`.

    Args:
        source: the file.
        fps: frames per second of the video; None takes 30, since the files do not state it.

    Raises:
        FormatError: the file holds no key points, or too few of a person.
    """
    try:
        document = json.loads(source.read())
    except (ValueError, RecursionError) as error:
        raise FormatError(f"is not JSON: {error}", path=source.path) from None
    tracks = points_of([document], source.path, None)
    motion = lifted(tracks, fps or FPS, source.stem).motion
    warnings = ["a person of a video is taken to be 1.7 m high"]
    if fps is None:
        warnings.append(f"does not state its rate: {FPS:g} frames per second were taken")
    return Asset.create(source.path, "points", motion.skeleton, (motion,), None, warnings)
