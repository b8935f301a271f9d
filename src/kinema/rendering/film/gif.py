"""GIF: one palette for the whole film, found when all pictures are known, so that nothing flickers."""

from __future__ import annotations

import os
import zlib
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import numpy as np

from kinema.rendering.film.dither import ColorCount, Painter
from kinema.rendering.film.writers import Encoding, PictureWriter, Pixels, beside, discard, need_av

_CLOCK = 100  # a GIF counts hundredths of a second
_SHORTEST = 2  # of them; players take less for a mistake and play slowly
_CLEAR = 255  # the palette's transparent place


class GifWriter(PictureWriter):
    """Writes a GIF that loops for ever. Pictures wait on the disk, packed, until the palette is known.

    Above 50 pictures a second some are left out, since players show no more. Transparency is all or nothing a pixel.

    Raises:
        MissingError: PyAV is missing.
        WriteError: the place cannot be written to.
    """

    def __init__(self, path: str | os.PathLike[str], width: int, height: int, encoding: Encoding) -> None:
        super().__init__(path, width, height, encoding)
        need_av()
        self._colors = ColorCount()
        self._sizes: list[int] = []
        self._times: list[int] = []
        self._partial, self._waiting = beside(self.path), beside(self.path)
        with self._troubles():
            self._spool = open(self._waiting, "x+b")  # noqa: SIM115 (closed in _complete or abandon)

    def _add(self, pixels: Pixels) -> None:
        time = round(self.frames * _CLOCK / self.encoding.fps)
        if self._times and time - self._times[-1] < _SHORTEST:
            return
        seen = pixels[..., :3].reshape(-1, 3)
        if self.encoding.alpha and pixels.shape[2] == 4:
            seen = seen[pixels[..., 3].ravel() >= 128]
        self._colors.add(seen)
        packed = zlib.compress(pixels.tobytes(), 1)
        self._spool.write(packed)
        self._sizes.append(len(packed))
        self._times.append(time)
        self._depth = pixels.shape[2]

    def _complete(self) -> list[str]:
        import av

        colors = self._colors.palette(_CLEAR)
        painter = Painter(colors)
        palette = np.zeros((256, 4), np.uint8)  # alpha, red, green, blue
        palette[:_CLEAR, 0], palette[: len(colors), 1:] = 255, colors
        self._spool.seek(0)
        with av.open(str(self._partial), "w", format="gif", options={"loop": "0"}) as container:
            stream = container.add_stream("gif", rate=Fraction(self.encoding.fps).limit_denominator(1001))
            stream.width, stream.height, stream.pix_fmt = self.width, self.height, "pal8"
            tick = stream.time_base = Fraction(1, _CLOCK)
            for size, time in zip(self._sizes, self._times, strict=True):
                pixels = np.frombuffer(zlib.decompress(self._spool.read(size)), np.uint8)
                pixels = pixels.reshape(self.height, self.width, self._depth)
                painted = painter.paint(pixels[..., :3])
                if self.encoding.alpha and self._depth == 4:
                    painted[pixels[..., 3] < 128] = _CLEAR
                frame = av.VideoFrame.from_ndarray(cast(Any, (painted, palette)), format="pal8")
                frame.pts, frame.time_base = time, tick
                container.mux(stream.encode(frame))
            container.mux(stream.encode(None))
        self._spool.close()
        discard(self._waiting)
        os.replace(self._partial, self.path)
        return [str(self.path)]

    def abandon(self) -> None:
        self._spool.close()
        discard(self._waiting)
        discard(Path(self._partial))
