"""What the renderer knows about each pixel besides its colour, as training data: a folder with one file per picture.

`.npz` files hold the arrays as they are, and the camera: `depth` float32 metres (infinite where there is nothing),
`normals` float32 world, `entities` and `parts` integers, `motion` float32 pixels since the previous picture; `view` and
`projection` `[4, 4]`. Pictures hold depth in millimetres (16 bit, 0 where there is nothing), normals as colours,
entities (16 bit) and parts (8 bit) as grey values.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kinema.errors import KinemaError
from kinema.rendering.camera import Camera
from kinema.rendering.film.output import Output, beside, discard, put, writing
from kinema.rendering.film.stills import png

BUFFERS = ("depth", "normals", "entities", "parts", "motion")
_DEEPEST = 65_535  # millimetres that 16 bits hold


class BufferWriter(Output):
    """Writes buffers into a folder that appears when all are there; a context manager.

    Args:
        folder: must not be there yet, or is replaced.
        names: some of `BUFFERS`.
        kind: "npz", one file per picture, or "png", one per picture and buffer.

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
        with writing(self.folder):
            self._partial.mkdir()

    def add(self, frame: Any, camera: Camera, aspect: float) -> None:
        """Write the buffers of a rendered frame and its camera."""
        with writing(self.folder):
            for name, data in self._files(frame, camera, aspect):
                (self._partial / name).write_bytes(data)
        self.frames += 1

    def _files(self, frame: Any, camera: Camera, aspect: float) -> Iterator[tuple[str, bytes]]:
        arrays = {name: np.asarray(getattr(frame, name)) for name in self.names}
        if self.kind == "npz":
            encoded = io.BytesIO()
            lens = {"view": camera.view_matrix(), "projection": camera.projection_matrix(aspect)}
            np.savez_compressed(encoded, allow_pickle=False, **arrays, **lens)
            yield f"{self.frames:05d}.npz", encoded.getvalue()
            return
        for name, array in arrays.items():
            yield f"{name}_{self.frames:05d}.png", png(_picture(name, array))

    def finish(self) -> list[str]:
        if self._partial.is_dir():
            discard(self.folder)
            with writing(self.folder):
                put(self._partial, self.folder)
        return [str(self.folder)]

    def abandon(self) -> None:
        discard(self._partial)


def _picture(name: str, array: NDArray[Any]) -> NDArray[Any]:
    """A buffer as the pixels of a picture."""
    if name == "normals":
        return np.rint(np.clip(array * 0.5 + 0.5, 0, 1) * 255).astype(np.uint8)
    if name == "depth":
        array = np.where(np.isfinite(array), np.clip(np.rint(array * 1000.0), 1, _DEEPEST), 0)
    return array.astype(np.uint8 if name == "parts" else np.uint16)
