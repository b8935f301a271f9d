"""Scenes in the SOG files of PlayCanvas: a `meta.json` beside lossless WebP pictures, in a folder or a zip (`.sog`)."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from kinema.arrays import Singles
from kinema.errors import FormatError, one_line
from kinema.worlds.files.packing import check_unpacked, logit, with_largest
from kinema.worlds.gaussians import GaussianScene

Beside = Callable[[str], bytes]
"""The bytes of a file beside the meta.json, by name."""

_CENTROIDS = 64  # a row of the picture of centroids
_MOST_PIXELS = 64 * 1024**2
_CENTROID_PIXELS = 2 * 1024**2  # of the picture of centroids, at most: 64 thousand of them have one million
_PARTS = ("means", "scales", "quats", "sh0", "shN")
_DEGREES = {1: 3, 2: 8, 3: 15}


def read(meta: bytes, beside: Beside) -> GaussianScene:
    """The scene of a `meta.json`, in the axes of the file.

    Raises:
        FormatError: it is damaged, of another version, or a picture is missing or too small.
    """
    try:
        document = json.loads(meta)
        version = document.get("version", 1)
    except (ValueError, AttributeError, RecursionError) as error:
        raise FormatError(f"is no meta.json of a scene: {one_line(str(error))}") from None
    if "lodLevels" in document:
        raise FormatError("lists levels of detail; give the meta.json of one of them, such as 0_0/meta.json")
    try:
        if version not in (1, 2):
            raise FormatError(f"is of version {one_line(str(version))} of SOG; versions 1 and 2 can be read")
        count = int(document["count"] if version == 2 else document["means"]["shape"][0])
        return _Reader(document, count, beside).scene(version)
    except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
        raise FormatError(f"is damaged: {type(error).__name__} {one_line(str(error))}") from None


class _Reader:
    """Reads the parts of one scene of `count` Gaussians."""

    def __init__(self, document: Mapping[str, Any], count: int, beside: Beside) -> None:
        self.document, self.count = document, count
        if not 0 < count <= _MOST_PIXELS:
            raise FormatError(f"has {count} Gaussians; 1 to {_MOST_PIXELS} can be read")
        parts = [document[part]["files"] for part in _PARTS if part in document]
        self.files = {name: beside(name) for names in parts for name in map(_plain, names)}
        check_unpacked(4 * len(self.files) * count, sum(map(len, self.files.values())))

    def scene(self, version: int) -> GaussianScene:
        turns = self._pixels("quats")
        others = (turns[:, :3] / 255.0 - 0.5) * np.sqrt(2.0)
        if version == 2:
            scales = self._looked_up("scales", self._pixels("scales")[:, :3])
            sh0 = self._pixels("sh0")
            mean, opacity = self._looked_up("sh0", sh0[:, :3]), logit(sh0[:, 3] / 255.0)
        else:
            scales = self._between("scales", self._pixels("scales")[:, :3])
            sh0 = self._between("sh0", self._pixels("sh0"))
            mean, opacity = sh0[:, :3], sh0[:, 3]
        return GaussianScene(
            self._means(),
            with_largest(turns[:, 3].astype(np.int64) - 252, others.astype(np.float32)),
            scales,
            np.ascontiguousarray(opacity, np.float32),
            np.concatenate([mean[:, None], self._higher(version)], axis=1).astype(np.float32),
        )

    def _means(self) -> Singles:
        low, high = (self._pixels("means", which)[:, :3].astype(np.float64) for which in (0, 1))
        part = self.document["means"]
        shares = (256.0 * high + low) / 65535.0
        lowest, highest = (np.asarray(part[name], np.float64).reshape(3) for name in ("mins", "maxs"))
        packed = lowest + shares * (highest - lowest)
        return (np.sign(packed) * np.expm1(np.minimum(np.abs(packed), 80.0))).astype(np.float32)

    def _higher(self, version: int) -> Singles:
        if "shN" not in self.document:
            return np.zeros((self.count, 0, 3), np.float32)
        part = self.document["shN"]
        centroids = self._picture(part["files"][0])
        count = {width: size for width, size in ((_CENTROIDS * size, size) for size in _DEGREES.values())}.get(
            centroids.shape[1]
        )
        if count is None:
            raise FormatError(f"has centroids in a picture {centroids.shape[1]} wide; 192, 512 or 960 are possible")
        labels = self._pixels("shN", 1).astype(np.int64)
        of = labels[:, 0] + 256 * labels[:, 1]
        rows = centroids.reshape(-1, count, centroids.shape[-1])[:, :, :3]
        if int(of.max(initial=0)) >= len(rows):
            raise FormatError(f"has a colour numbered {int(of.max())} of {len(rows)}: damaged")
        if version == 2:
            return self._looked_up("shN", rows)[of]
        return (part["mins"] + rows[of] / 255.0 * (part["maxs"] - part["mins"])).astype(np.float32)

    def _looked_up(self, part: str, numbers: NDArray[np.uint8]) -> Singles:
        book = np.asarray(self.document[part]["codebook"], np.float32)
        if book.shape != (256,):
            raise FormatError(f"has a codebook of {part} with {book.size} numbers, not 256")
        return book[numbers]

    def _between(self, part: str, numbers: NDArray[np.uint8]) -> Singles:
        low, high = (np.asarray(self.document[part][name], np.float32) for name in ("mins", "maxs"))
        return (low + numbers / np.float32(255) * (high - low)).astype(np.float32)

    def _pixels(self, part: str, which: int = 0) -> NDArray[np.uint8]:
        """The first `count` pixels `[N, 4]` of a picture, row by row."""
        picture = self._picture(self.document[part]["files"][which])
        pixels = picture.reshape(-1, picture.shape[-1])
        if len(pixels) < self.count:
            raise FormatError(f"has {self.count} Gaussians and {len(pixels)} pixels of {part}")
        return pixels[: self.count]

    def _picture(self, name: str) -> NDArray[np.uint8]:
        data = self.files[name]
        try:
            with Image.open(io.BytesIO(data), formats=("WEBP", "PNG")) as picture:
                if picture.width * picture.height > max(4 * self.count, _CENTROID_PIXELS):
                    raise FormatError(
                        f"has a picture of {picture.width} by {picture.height} for {self.count} Gaussians: too large"
                    )
                return np.asarray(picture.convert("RGBA"))
        except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
            raise FormatError(f"has a picture {one_line(name)!r} that is damaged: {one_line(str(error))}") from None


def _plain(name: object) -> str:
    """The name of a file beside the meta.json."""
    if not isinstance(name, str) or "/" in name or "\\" in name or name.startswith("."):
        raise FormatError(f"names a picture that is not beside it: {one_line(str(name))!r}")
    return name
