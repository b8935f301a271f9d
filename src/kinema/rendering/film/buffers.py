"""What the renderer knows of each pixel besides its colour, as training data: one file a picture in a folder.

`.npz` files hold the arrays as they are, and the camera they were seen by: `depth` float32 metres (infinite where
nothing is), `normals` float32 world, `entities` and `parts` integers, `motion` float32 pixels since the picture
before; `view` and `projection` `[4, 4]`. Pictures hold depth in millimetres (16 bit, 0 where nothing is), normals
as colours, entities (16 bit) and parts (8 bit) as grey values.
"""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from kinema.errors import KinemaError
from kinema.formats.atomic import WriteError
from kinema.rendering.camera import Camera
from kinema.rendering.film.stills import png
from kinema.rendering.film.writers import beside, discard

BUFFERS = ("depth", "normals", "entities", "parts", "motion")
_DEEPEST = 65_535  # millimetres that 16 bits hold


class BufferWriter:
    """Writes buffers into a folder that appears when all are there; a context manager.

    Args:
        folder: must not be there yet, or is replaced.
        names: of `BUFFERS`.
        kind: "npz", one file a picture, or "png", one a picture and buffer.

    Raises:
        KinemaError: a buffer is unknown, or cannot be a picture.
        WriteError: the disk is full, or the like.
    """

    def __init__(self, folder: str | os.PathLike[str], names: Sequence[str], kind: Literal["npz", "png"] = "npz"):
        if unknown := [name for name in names if name not in BUFFERS]:
            raise KinemaError(f"there is no buffer {unknown[0]!r}; there are {', '.join(BUFFERS)}")
        if kind == "png" and "motion" in names:
            raise KinemaError("motion vectors do not fit into a picture; write buffers as npz")
        self.folder, self.names, self.kind, self.frames = Path(folder), tuple(names), kind, 0
        self._partial = beside(self.folder)

    def __enter__(self) -> BufferWriter:
        self._write(self._partial.mkdir)
        return self

    def add(self, frame: Any, camera: Camera, aspect: float) -> None:
        """Write the buffers of a rendered frame and what it was seen by."""
        arrays = {name: np.asarray(getattr(frame, name)) for name in self.names}
        if self.kind == "npz":
            encoded = io.BytesIO()
            seen = {"view": camera.view_matrix(), "projection": camera.projection_matrix(aspect)}
            np.savez_compressed(encoded, allow_pickle=False, **arrays, **seen)
            self._write(lambda: (self._partial / f"{self.frames:05d}.npz").write_bytes(encoded.getvalue()))
        else:
            for name, array in arrays.items():
                data = _encoded(name, array)
                self._write(lambda name=name, data=data: self._named(name).write_bytes(data))
        self.frames += 1

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                discard(self.folder)
                self._write(lambda: os.replace(self._partial, self.folder))
        finally:
            discard(self._partial)

    def _named(self, name: str) -> Path:
        return self._partial / f"{name}_{self.frames:05d}.png"

    def _write(self, act: Any) -> None:
        try:
            act()
        except OSError as error:
            raise WriteError(f"{self.folder}: cannot be written: {error.strerror or error}") from None


def _encoded(name: str, array: NDArray[Any]) -> bytes:
    if name == "normals":
        return png(np.rint(np.clip(array * 0.5 + 0.5, 0, 1) * 255).astype(np.uint8))
    if name == "depth":
        millimetres = np.where(np.isfinite(array), np.clip(np.rint(array * 1000.0), 1, _DEEPEST), 0)
        return _grey(millimetres.astype(np.uint16))
    return _grey(array.astype(np.uint8 if name == "parts" else np.uint16))


def _grey(array: NDArray[Any]) -> bytes:
    encoded = io.BytesIO()
    Image.fromarray(array).save(encoded, "PNG")
    return encoded.getvalue()
