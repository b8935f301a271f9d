"""The key points of skeleton pictures: of a video, or of a folder of numbered pictures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from kinema.errors import FormatError, MissingError
from kinema.keypoints.files import PointTracks
from kinema.keypoints.points import FACE_COUNT, HAND_COUNT, TOES, BodyPoints
from kinema.rendering.conditions.pose_map import read_pose_map
from kinema.rendering.film.output import Pixels

VIDEOS = (".mp4", ".webm", ".gif", ".mov", ".mkv", ".avi")
"""Suffixes of videos that are read."""

PICTURES = (".png", ".jpg", ".jpeg", ".webp")
"""Suffixes of pictures that are read."""

_MOST = 100_000  # pictures
_FEWEST = 4  # points without which a picture has nobody in it


def read_skeleton_film(path: Path) -> tuple[PointTracks, float | None]:
    """The body points of skeleton pictures as DWPose draws them, and their rate if the file states one.

    Args:
        path: a video (`VIDEOS`), or a folder of pictures (`PICTURES`) in the order of their names.

    Raises:
        FormatError: there are no such pictures, or their sizes differ.
        MissingError: PyAV is not installed, and the path is a video.
    """
    rate: float | None = None
    if path.is_dir():
        pictures = _of_folder(path)
    else:
        rate, pictures = _of_video(path)
    found, sizes = [], set()
    for picture in pictures:
        if len(found) == _MOST:
            raise FormatError(f"holds more than {_MOST:,} pictures", path=str(path))
        points = read_pose_map(picture)
        found.append(points if (points[:, 2] > 0).sum() >= _FEWEST else np.zeros_like(points))
        sizes.add(picture.shape[1::-1])
    if not found:
        raise FormatError(f"holds no pictures; {' '.join(PICTURES)} are read", path=str(path))
    if len(sizes) > 1:
        raise FormatError(f"holds pictures of {len(sizes)} sizes; those of a video have one", path=str(path))
    counts = (HAND_COUNT, HAND_COUNT, FACE_COUNT, len(TOES))
    absent = (np.zeros((len(found), count, 3), np.float32) for count in counts)
    return PointTracks(BodyPoints(np.stack(found), *absent), *sizes.pop()), rate


def _of_folder(folder: Path) -> Iterator[Pixels]:
    from PIL import Image, UnidentifiedImageError

    for file in sorted(one for one in folder.iterdir() if one.suffix.lower() in PICTURES):
        try:
            with Image.open(file) as picture:
                yield np.asarray(picture.convert("RGB"))
        except (OSError, UnidentifiedImageError, Image.DecompressionBombError) as error:
            raise FormatError(f"is no picture that can be read: {error}", path=str(file)) from None


def _of_video(file: Path) -> tuple[float | None, Iterator[Pixels]]:
    try:
        import av
        import av.error
    except ImportError as error:
        raise MissingError(f"{file}: reading videos needs PyAV: pip install 'kinema[render]'") from error
    try:
        film = av.open(str(file))
        stream = film.streams.video[0]
    except (av.error.FFmpegError, OSError, IndexError) as error:
        raise FormatError(f"is no video that can be read: {error}", path=str(file)) from None
    rate = stream.average_rate

    def pictures() -> Iterator[Pixels]:
        with film:
            try:
                for frame in film.decode(stream):
                    yield frame.to_ndarray(format="rgb24").astype(np.uint8, copy=False)
            except av.error.FFmpegError as error:
                raise FormatError(f"is damaged: {error}", path=str(file)) from None

    return (float(rate) if rate else None), pictures()
