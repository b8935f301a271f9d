"""People in videos as motions: `kinema.lift`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from kinema.errors import FormatError
from kinema.motion import Motion

if TYPE_CHECKING:
    from kinema.keypoints.files import PointTracks
    from kinema.keypoints.motions import LiftedPerson

PathLike = str | os.PathLike[str]


def lift(points: PathLike | PointTracks, *, fps: float | None = None, name: str | None = None) -> Motion:
    """The main person of a video as a motion, from key points: fixed limb lengths, feet on the ground.

    Args:
        points: OpenPose's, DWPose's or COCO's JSON; a folder of such files, one for each picture; a skeleton video, or
            a folder of skeleton pictures, as DWPose draws them; or points that were read.
        fps: frames per second of the video; None takes what a video file states, else 30.
        name: of the motion; None takes the file's.

    Raises:
        FormatError: there are no points, or too few of a person.
        MissingError: PyAV is not installed, and the file is a video.
    """
    return lift_person(points, fps=fps, name=name).motion


def lift_person(points: PathLike | PointTracks, *, fps: float | None = None, name: str | None = None) -> LiftedPerson:
    """As `lift`, with the cleaned points and the proportions of the person."""
    from kinema.keypoints.motions import FPS, lifted
    from kinema.rates import RATES, is_rate

    tracks, stated = (points, None) if not isinstance(points, str | os.PathLike) else _read(Path(points))
    title = name or (Path(points).stem if isinstance(points, str | os.PathLike) else "video")
    rate = fps or stated or FPS
    if not is_rate(rate):
        raise FormatError(f"states {rate} frames per second; the rate must be {RATES}", path=title)
    return lifted(tracks, rate, title)


def _read(path: Path) -> tuple[PointTracks, float | None]:
    from kinema.keypoints.files import read_points
    from kinema.rendering.conditions.skeleton_film import VIDEOS, read_skeleton_film

    if path.suffix.lower() in VIDEOS or (path.is_dir() and not any(path.glob("*.json"))):
        return read_skeleton_film(path)
    return read_points(path, None), None
