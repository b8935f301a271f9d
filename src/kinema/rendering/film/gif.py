"""GIF with one palette for the whole film, so that nothing flickers."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kinema.rendering.film.output import Encoding, PictureWriter, Pixels, beside, discard, need_av, put, writing

if TYPE_CHECKING:
    from av.filter import Graph
    from av.video.frame import VideoFrame

_TICK = Fraction(1, 100)  # seconds: the clock of a GIF
_SHORTEST = 2  # ticks; players show shorter pictures slowly


class GifWriter(PictureWriter):
    """Writes a GIF that loops forever.

    Pictures wait on the disk, compressed, until FFmpeg has chosen the palette. They are dithered in a fixed pattern, so
    still parts stay still. Above 50 frames per second some are left out, since players show no more. A pixel is either
    transparent or opaque.

    Raises:
        MissingError: PyAV is missing.
        WriteError: the place cannot be written to.
    """

    def __init__(self, path: str | os.PathLike[str], width: int, height: int, encoding: Encoding) -> None:
        super().__init__(path, width, height, encoding)
        need_av()
        self._times: list[int] = []
        self._sizes: list[int] = []
        transparent = int(encoding.alpha)
        self._palette = _graph("palettegen", f"reserve_transparent={transparent}", (width, height))
        self._partial, self._waiting = beside(self.path), beside(self.path)
        with writing(self.path):
            self._spool = open(self._waiting, "x+b")  # noqa: SIM115 (closed in _complete or abandon)

    def _add(self, pixels: Pixels) -> None:
        time = round(self.frames / self.encoding.fps / _TICK)
        if self._times and time - self._times[-1] < _SHORTEST:
            return
        if pixels.shape[2] == 3 or not self.encoding.alpha:
            pixels = np.dstack([pixels[..., :3], np.full(pixels.shape[:2], 255, np.uint8)])
        self._palette.vpush(_frame(pixels, time))
        packed = zlib.compress(pixels.tobytes(), 1)
        self._spool.write(packed)
        self._times.append(time)
        self._sizes.append(len(packed))

    def _complete(self) -> list[str]:
        import av

        with av.open(str(self._partial), "w", format="gif", options={"loop": "0"}) as container:
            stream = container.add_stream("gif", rate=Fraction(self.encoding.fps).limit_denominator(1001))
            stream.width, stream.height, stream.pix_fmt, stream.time_base = self.width, self.height, "pal8", _TICK
            for frame in self._painted():
                container.mux(stream.encode(frame))
            container.mux(stream.encode(None))
        self._spool.close()
        discard(self._waiting)
        put(self._partial, self.path)
        return [str(self.path)]

    def _painted(self) -> Iterator[VideoFrame]:
        """The pictures in the colours of the palette."""
        from av.error import BlockingIOError as NotYet
        from av.error import EOFError as Done

        self._palette.vpush(None)
        palette = self._palette.vpull()
        palette.pts, palette.time_base = 0, _TICK
        painting = _graph("paletteuse", "dither=bayer:bayer_scale=5", (self.width, self.height), (16, 16))
        painting.vpush(palette, 1)
        painting.vpush(None, 1)
        self._spool.seek(0)
        for time, length in zip([*self._times, None], [*self._sizes, 0], strict=True):
            if time is None:
                painting.vpush(None, 0)
            else:
                pixels = np.frombuffer(zlib.decompress(self._spool.read(length)), np.uint8)
                painting.vpush(_frame(pixels.reshape(self.height, self.width, 4), time), 0)
            while True:
                try:
                    yield painting.vpull()
                except (NotYet, Done):
                    break

    def abandon(self) -> None:
        self._spool.close()
        discard(self._waiting)
        discard(Path(self._partial))


def _graph(name: str, options: str, *sizes: tuple[int, int]) -> Graph:
    """A filter of FFmpeg between a source for pictures of each size and a sink."""
    from av.filter import Graph
    from av.video.format import VideoFormat

    graph = Graph()
    kind, work = VideoFormat("rgba"), graph.add(name, options)
    for place, (width, height) in enumerate(sizes):
        graph.add_buffer(width=width, height=height, format=kind, time_base=_TICK).link_to(work, 0, place)
    work.link_to(graph.add("buffersink"))
    graph.configure()
    return graph


def _frame(pixels: Pixels, time: int) -> VideoFrame:
    """A picture `[H, W, 4]` at a time in ticks."""
    from av.video.frame import VideoFrame

    frame = VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format="rgba")
    frame.pts, frame.time_base = time, _TICK
    return frame
