"""A control pack on disk: written picture by picture, continued where it was, complete when its videos are there.

```
walk/pack.json            what is in it       walk/points.json     key points of all pictures, OpenPose's JSON
walk/pose/00000.png       numbered pictures   walk/points/         the same, one file for each picture
walk/src_pose.mp4         the same as video   walk/camera.json     the camera of each picture
walk/reference/front.png  the character       walk/caption.txt     a sentence
```
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from kinema import unfinished
from kinema.arrays import Floats
from kinema.errors import KinemaError
from kinema.formats.atomic import atomic_write
from kinema.keypoints.files import points_as_json
from kinema.rendering.camera import Camera
from kinema.rendering.conditions.map_film import MapFrame
from kinema.rendering.conditions.targets import MANIFEST, read_manifest
from kinema.rendering.film.output import Pixels, writing
from kinema.rendering.film.stills import png
from kinema.rendering.film.writers import open_writer

_CRF = 12  # fine lines of skeletons suffer first
_POINTS = "points"


class Pack:
    """Writes a pack into a folder.

    Args:
        folder: new, empty, or holding a pack of the same manifest, which is continued.
        manifest: what it will hold, see `kinema.rendering.conditions.targets`.
        force: begin again, in place of another pack or of this one.

    Raises:
        KinemaError: the folder holds something else.
        WriteError: the folder cannot be made.
    """

    def __init__(self, folder: str | os.PathLike[str], manifest: Mapping[str, Any], force: bool = False) -> None:
        self.folder, self.manifest = Path(folder), dict(manifest)
        if force or not self._continues():
            if os.path.lexists(self.folder) and not _is_empty(self.folder):
                self._clear(force)
            with writing(self.folder):
                self.folder.mkdir(parents=True, exist_ok=True)
            self._write_json(MANIFEST, self.manifest)

    @property
    def _names(self) -> Sequence[str]:
        return tuple(self.manifest["maps"])

    def _continues(self) -> bool:
        return (self.folder / MANIFEST).is_file() and read_manifest(self.folder) == json.loads(
            json.dumps(self.manifest)
        )

    def _clear(self, force: bool) -> None:
        if not force:
            raise KinemaError(f"{self.folder} holds another pack or other files; give --force to replace it")
        if self.folder.is_dir() and not self.folder.is_symlink() and not (self.folder / MANIFEST).is_file():
            raise KinemaError(f"{self.folder} is a folder without {MANIFEST}, which is not replaced; name another")
        unfinished.remove(self.folder)

    def has_picture(self, number: int) -> bool:
        """Whether all of a picture is there."""
        return all((self.folder / name).is_file() for name in self._files(number))

    def _files(self, number: int) -> list[str]:
        files = [f"{name}/{number:05d}.png" for name in self._names]
        return [*files, f"{_POINTS}/{number:05d}.json"] if self.manifest["person"] else files

    def write_picture(self, number: int, frame: MapFrame) -> None:
        """Write the maps and points of a picture."""
        for name in self._names:
            self.write_png(f"{name}/{number:05d}.png", frame.maps[name])
        if frame.points is not None and self.manifest["person"]:
            width, height = self.manifest["width"], self.manifest["height"]
            self._write_json(f"{_POINTS}/{number:05d}.json", points_as_json(frame.points[None], width, height)[0])

    def write_png(self, name: str, picture: Pixels) -> None:
        """Write a picture `[H, W, 3]` under a name in the pack."""
        self._place(name)
        atomic_write(self.folder / name, png(picture))

    def finish(self, cameras: Sequence[Camera], caption: str) -> list[str]:
        """Write what is of all pictures: points, cameras, the caption and videos. Returns the files written now."""
        made: list[str] = []
        count, fps = self.manifest["frames"], self.manifest["fps"]
        if self.manifest["person"]:
            frames = [json.loads((self.folder / _POINTS / f"{n:05d}.json").read_bytes()) for n in range(count)]
            made.append(self._write_json("points.json", frames))
        size = self.manifest["width"], self.manifest["height"]
        made.append(self._write_json("camera.json", cameras_as_json(cameras, *size, fps)))
        atomic_write(self.folder / "caption.txt", f"{caption.strip()}\n".encode())
        for name, video in self.manifest["videos"].items():
            if not (self.folder / video).is_file():
                made.append(self._encode(name, video, count, fps))
        return made

    def _encode(self, name: str, video: str, count: int, fps: float) -> str:
        path = self.folder / video
        pictures = (_read(self.folder / name / f"{number:05d}.png") for number in range(count))
        first = next(pictures)
        with open_writer(path, first.shape[1], first.shape[0], fps, crf=_CRF) as writer:
            writer.write(first)
            for picture in pictures:
                writer.write(picture)
        return str(path)

    def _write_json(self, name: str, value: Any) -> str:
        self._place(name)
        indent = 2 if name == MANIFEST else None
        atomic_write(self.folder / name, json.dumps(value, indent=indent, allow_nan=False).encode())
        return str(self.folder / name)

    def _place(self, name: str) -> None:
        with writing(self.folder):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)


def cameras_as_json(cameras: Sequence[Camera], width: int, height: int, fps: float) -> dict[str, Any]:
    """Cameras in OpenCV's convention: `K` `[3, 3]`, pixels, and `world_to_camera` `[4, 4]`, metres, for each picture.

    Axes of a camera are x to the right, y down and z ahead; the world is Y up.
    """
    frames = [
        {"K": intrinsics(camera, width, height).tolist(), "world_to_camera": extrinsics(camera).tolist()}
        for camera in cameras
    ]
    convention = "OpenCV: x right, y down, z ahead; world: Y up, metres; the middle of the first pixel is 0.5, 0.5"
    return {"convention": convention, "width": width, "height": height, "fps": fps, "frames": frames}


def intrinsics(camera: Camera, width: int, height: int) -> Floats:
    """`[3, 3]` of a perspective camera, pixels."""
    focal = height / 2 / camera.half_height
    return np.array([[focal, 0.0, width / 2], [0.0, focal, height / 2], [0.0, 0.0, 1.0]])


def extrinsics(camera: Camera) -> Floats:
    """World to camera `[4, 4]`, for column vectors, with the axes of OpenCV."""
    return np.diag([1.0, -1.0, -1.0, 1.0]) @ camera.view_matrix()


def _read(path: Path) -> Pixels:
    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGB"))


def _is_empty(folder: Path) -> bool:
    return folder.is_dir() and not any(folder.iterdir())
