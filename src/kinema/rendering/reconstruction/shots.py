"""Cameras as files describe them: with distortion, or without a size; and the pictures that they took."""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np
from PIL import Image, UnidentifiedImageError
from scipy.ndimage import map_coordinates

from kinema.arrays import Bools, Bytes, Floats
from kinema.errors import FormatError
from kinema.formats.checks import require
from kinema.rendering.reconstruction.photos import Lens, Photo

_ASPECT = 0.02  # by how much the shape of a picture may differ from that of its camera
_LARGEST = 65_535
_FAR = 1e9  # numbers of a place are smaller


@dataclass(frozen=True)
class CameraModel:
    """A model of a lens.

    Attributes:
        size: width and height, pixels, of the picture that it is about; None: of that which is there.
        focal: to the right and down, pixels; None: it follows from the angle.
        middle: where the camera looks, pixels; None: the middle of the picture.
        distortion: k1, k2, p1, p2 of J. Heikkilä and O. Silvén, 1997, as OpenCV has them.
        angle: horizontal angle of view, radians.
    """

    size: tuple[int, int] | None
    focal: tuple[float, float] | None
    middle: tuple[float, float] | None
    distortion: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    angle: float = 0.0

    def check(self, node: str) -> None:
        """Raises FormatError unless the numbers can be those of a lens."""
        if self.size is not None:
            require(all(0 < side <= _LARGEST for side in self.size), f"has a camera of {self.size} pixels", node=node)
        numbers = [*(self.focal or ()), *(self.middle or ()), *self.distortion, self.angle]
        require(
            np.isfinite(numbers).all() and max(map(abs, numbers)) < 1e6,
            "has a camera without finite numbers",
            node=node,
        )
        narrow = self.focal is None and not 0.0 < self.angle < np.pi
        require(not narrow and min(self.focal or (1.0,)) > 0.0, "has a camera without a focal length", node=node)
        require(max(map(abs, self.distortion)) < 10.0, "has a camera with a distortion that no lens has", node=node)


@dataclass(frozen=True, eq=False)
class PosedPicture:
    """A picture in a file of cameras: its name, its lens, where it was, `[3]`, and its axes `[3, 3]`; see `Lens`."""

    name: str
    model: CameraModel
    position: Floats
    axes: Floats


def placed(name: str, model: CameraModel, position: Floats, axes: Floats, node: str) -> PosedPicture:
    """A shot whose numbers are checked.

    Raises:
        FormatError: the camera is nowhere, or its axes are not at right angles.
    """
    finite = np.isfinite(position).all() and np.isfinite(axes).all()
    require(finite and np.abs(position).max() < _FAR, "has a camera whose place is no place", node=node)
    require(np.abs(axes).max() < _FAR, "has a camera whose axes are too long", node=node)
    lengths = np.linalg.norm(axes, axis=1, keepdims=True)
    require((lengths > 1e-9).all(), "has a camera without axes", node=node)
    unit = axes / lengths
    square = np.abs(unit @ unit.T - np.eye(3)).max() < 0.01 and np.linalg.det(unit) > 0
    require(square, "has a camera whose axes are not at right angles, or mirrored", node=node)
    u, _, v = np.linalg.svd(unit)
    return PosedPicture(name, model, np.asarray(position, np.float64), u @ v)


def taken(shot: PosedPicture, data: bytes, longest: int) -> Photo:
    """The photo of a shot, without distortion, of at most so many pixels to a side.

    Args:
        data: of the file of the picture. What is transparent in it does not count.

    Raises:
        FormatError: it is no picture, or not of the shape of its camera.
    """
    picture, mask = _pixels(data, shot.name)
    height, width = picture.shape[:2]
    model = shot.model
    stated = model.size or (width, height)
    if abs(width * stated[1] - height * stated[0]) > _ASPECT * max(width * stated[1], height * stated[0]):
        raise FormatError(f"is {width}x{height}, and its camera {stated[0]}x{stated[1]}", path=shot.name)
    focal = model.focal or (0.5 * stated[0] / np.tan(0.5 * model.angle),) * 2
    middle = model.middle or (0.5 * stated[0], 0.5 * stated[1])
    lens = Lens(shot.position, shot.axes, np.asarray(focal), np.asarray(middle), *stated).resized(width, height)
    photo = Photo(shot.name, picture, lens, mask).resized(longest)
    return _straightened(photo, model.distortion) if any(model.distortion) else photo


def _pixels(data: bytes, name: str) -> tuple[Bytes, Bools | None]:
    try:
        with Image.open(io.BytesIO(data)) as opened:
            if opened.width * opened.height > (Image.MAX_IMAGE_PIXELS or 1e8):
                raise FormatError(f"has {opened.width}x{opened.height} pixels, which are too many", path=name)
            clear = "A" in opened.getbands() or "transparency" in opened.info
            pixels = np.asarray(opened.convert("RGBA" if clear else "RGB"))
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise FormatError(f"is no picture that can be read: {error}", path=name) from None
    return (pixels[..., :3], pixels[..., 3] == 255) if clear else (pixels, None)


def _straightened(photo: Photo, distortion: tuple[float, float, float, float]) -> Photo:
    """The same without distortion; what lies outside of the picture does not count."""
    lens, (k1, k2, p1, p2) = photo.lens, distortion
    pixels = np.stack(np.meshgrid(np.arange(lens.width) + 0.5, np.arange(lens.height) + 0.5), axis=-1)
    x, y = np.moveaxis((pixels - lens.middle) / lens.focal, -1, 0)
    square = x * x + y * y
    wide = 1.0 + square * (k1 + square * k2)
    bent = np.stack(
        [x * wide + 2 * p1 * x * y + p2 * (square + 2 * x * x), y * wide + p1 * (square + 2 * y * y) + 2 * p2 * x * y],
        axis=-1,
    )
    at = bent * lens.focal + lens.middle - 0.5
    last = np.asarray([lens.width, lens.height]) - 0.5
    inside: Bools = np.asarray(((at >= -0.5) & (at <= last)).all(axis=-1))
    inside &= np.isfinite(at).all(axis=-1)
    at = np.where(inside[..., None], at, 0.0)
    parts = [
        map_coordinates(photo.picture[..., part].astype(np.float32), (at[..., 1], at[..., 0]), order=1, mode="nearest")
        for part in range(3)
    ]
    if photo.mask is not None:
        inside &= (
            map_coordinates(photo.mask.astype(np.float32), (at[..., 1], at[..., 0]), order=1, mode="nearest") > 0.99
        )
    return Photo(photo.name, np.rint(np.stack(parts, axis=-1)).astype(np.uint8), lens, inside)
