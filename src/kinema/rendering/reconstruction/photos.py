"""Pictures whose cameras are known: what scenes are fitted to."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from PIL import Image

from kinema.arrays import Bools, Bytes, Floats, Singles
from kinema.errors import SceneError
from kinema.rendering.camera import Camera


@dataclass(frozen=True, eq=False)
class Lens:
    """A camera without distortion, which need not look through the middle of its picture.

    Attributes:
        position: `[3]`, metres, world.
        axes: `[3, 3]`, rows: right, down and ahead, unit vectors in the world.
        focal: `[2]`, pixels to the right and down for a metre to the side, one metre ahead.
        middle: `[2]`, pixels from the upper left corner of the picture to where the camera looks.
        width, height: pixels.
    """

    position: Floats
    axes: Floats
    focal: Floats
    middle: Floats
    width: int
    height: int

    @staticmethod
    def of(camera: Camera, width: int, height: int) -> Lens:
        """That of a perspective camera.

        Raises:
            SceneError: the camera is orthographic.
        """
        if camera.height is not None:
            raise SceneError("scenes are fitted to pictures of perspective cameras, not of orthographic ones")
        axes = np.stack([-camera.left, -camera.up, camera.ahead])
        focal = np.full(2, height / 2.0 / camera.half_height)
        return Lens(camera.position, axes, focal, np.asarray([width / 2.0, height / 2.0]), width, height)

    def resized(self, width: int, height: int) -> Lens:
        """The same of a picture in another size."""
        share = np.asarray([width / self.width, height / self.height])
        return replace(self, focal=self.focal * share, middle=self.middle * share, width=width, height=height)

    def seen(self, points: Floats | Singles) -> Floats:
        """Pixels x and y, and metres ahead, `[..., 3]`, of points `[..., 3]`."""
        local = (np.asarray(points, np.float64) - self.position) @ self.axes.T
        depth = local[..., 2:]
        safe = np.where(np.abs(depth) < 1e-9, 1e-9, depth)
        return np.concatenate([self.middle + self.focal * local[..., :2] / safe, depth], axis=-1)

    def rays(self, pixels: Floats) -> Floats:
        """Directions `[..., 3]`, world, one metre ahead, through pixels `[..., 2]`."""
        local = (np.asarray(pixels, np.float64) - self.middle) / self.focal
        return np.concatenate([local, np.ones_like(local[..., :1])], axis=-1) @ self.axes


@dataclass(frozen=True, eq=False)
class Photo:
    """A picture and the camera that took it.

    Attributes:
        name: of its file. picture: `[H, W, 3]`, sRGB bytes. lens: of that size.
        mask: `[H, W]`: which pixels count; None: all.
    """

    name: str
    picture: Bytes
    lens: Lens
    mask: Bools | None = None

    def resized(self, longest: int) -> Photo:
        """The same with at most so many pixels to its longer side."""
        share = longest / max(self.lens.width, self.lens.height)
        if share >= 1.0:
            return self
        width, height = max(round(share * self.lens.width), 1), max(round(share * self.lens.height), 1)
        small = np.asarray(Image.fromarray(self.picture).resize((width, height), Image.Resampling.BOX))
        mask = self.mask
        if mask is not None:
            mask = np.asarray(Image.fromarray(mask).convert("L").resize((width, height), Image.Resampling.BOX)) > 254
        return Photo(self.name, small, self.lens.resized(width, height), mask)


@dataclass(frozen=True, eq=False)
class Capture:
    """Pictures of a place, and what else is known of it.

    Attributes:
        photos: the pictures.
        points: `[P, 3]`, metres: places on surfaces, such as those by which the cameras were found; may be empty.
        colours: `[P, 3]`, sRGB, 0 to 1.
        notes: what was left out when it was read, a sentence each.
    """

    photos: tuple[Photo, ...]
    points: Singles
    colours: Singles
    notes: tuple[str, ...] = ()

    def resized(self, longest: int) -> Capture:
        """The same in smaller pictures; see `Photo.resized`."""
        return replace(self, photos=tuple(photo.resized(longest) for photo in self.photos))

    def parted(self, every: int) -> tuple[Capture, Capture]:
        """Without one of `every` pictures, and those; 0 holds none back."""
        held = [number for number in range(len(self.photos)) if every and number % every == every // 2]
        kept = [number for number in range(len(self.photos)) if number not in set(held)]
        first, second = (tuple(self.photos[number] for number in part) for part in (kept, held))
        return replace(self, photos=first), replace(self, photos=second)
