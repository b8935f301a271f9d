"""Films: H.264 in MP4 and VP9 in WebM, encoded by PyAV as the pictures come.

The same pictures give the same bytes with the same version of the codec: the number of encoding threads is fixed
(x264 compresses a little differently with another number), and neither time nor version is written into the file. Other
versions of the codec, or another processor family, may compress differently; the picture is the same.
"""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path

import numpy as np

from kinema.errors import KinemaError, MissingError
from kinema.formats.atomic import WriteError
from kinema.rendering.film.output import Encoding, PictureWriter, Pixels, beside, discard, need_av, put, writing

_THREADS = 4
_BT709 = 1  # the code of its primaries, transfer and matrix in the streams' own tables
_LIMITED = 1


class FilmWriter(PictureWriter):
    """Writes `.mp4` and `.mov` (H.264, yuv420p, playable while loading) or `.webm` (VP9, with alpha on request).

    Colours are converted with the matrix of BT.709 and tagged so, in limited range, which is what players expect.

    Raises:
        KinemaError: the width or height is odd, which yuv420p cannot hold.
        MissingError: PyAV or its codec is missing.
        WriteError: the place cannot be written to.
    """

    def __init__(self, path: str | os.PathLike[str], width: int, height: int, encoding: Encoding) -> None:
        super().__init__(path, width, height, encoding)
        if width % 2 or height % 2:
            raise KinemaError(
                f"{path}: a film needs an even width and height, {width}x{height} is not; "
                f"{width + width % 2}x{height + height % 2} is"
            )
        need_av()
        import av
        from av.video.reformatter import VideoReformatter

        webm = Path(path).suffix.lower() == ".webm"
        codec = "libvpx-vp9" if webm else "libx264"
        if codec not in av.codecs_available:
            raise MissingError(f"{path}: this build of av has no {codec}: pip install --force-reinstall av")
        self._reformatter = VideoReformatter()
        self._pixels = "yuva420p" if webm and encoding.alpha else "yuv420p"
        self._partial = beside(self.path)
        kind = "webm" if webm else self.path.suffix.lower()[1:]
        options = {"fflags": "+bitexact"} if webm else {"fflags": "+bitexact", "movflags": "+faststart"}
        with writing(self.path):
            self._container = av.open(str(self._partial), "w", format=kind, options=options)
        try:
            rate = Fraction(encoding.fps).limit_denominator(1001)
            self._stream = self._container.add_stream(codec, rate=rate, options=_options(codec, encoding))
            self._stream.width, self._stream.height, self._stream.pix_fmt = width, height, self._pixels
            self._tick = self._stream.time_base = 1 / rate
            context = self._stream.codec_context
            context.thread_count = _THREADS
            context.color_primaries = context.color_trc = context.colorspace = _BT709
            context.color_range = _LIMITED
        except BaseException:
            self.abandon()
            raise

    def _add(self, pixels: Pixels) -> None:
        import av
        from av.video.reformatter import ColorRange, Colorspace

        kind = "rgba" if pixels.shape[2] == 4 else "rgb24"
        frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format=kind)
        # One thread: a third of a millisecond of work is not worth waiting for others.
        frame = self._reformatter.reformat(
            frame,
            format=self._pixels,
            dst_colorspace=Colorspace.ITU709,
            src_color_range=ColorRange.JPEG,
            dst_color_range=ColorRange.MPEG,
            threads=1,
        )
        frame.pts, frame.time_base = self.frames, self._tick
        self._container.mux(self._stream.encode(frame))

    def _complete(self) -> list[str]:
        self._container.mux(self._stream.encode(None))
        self._container.close()
        if not self._partial.stat().st_size:
            raise WriteError(f"{self.path}: cannot be written: nothing arrived on the disk")
        put(self._partial, self.path)
        return [str(self.path)]

    def abandon(self) -> None:
        try:
            self._container.close()
        except OSError:
            pass  # the disk is full, which was reported already
        finally:
            discard(self._partial)


def _options(codec: str, encoding: Encoding) -> dict[str, str]:
    if codec == "libx264":
        crf = 18 if encoding.crf is None else encoding.crf
        preset = "veryfast" if encoding.fast else "medium"
        # Macroblock trees read memory that was never written (x264 build 165 with AVX-512): other bytes each time.
        return {"crf": str(crf), "preset": preset, "profile": "high", "mbtree": "0"}
    crf = 24 if encoding.crf is None else encoding.crf
    return {"crf": str(crf), "b:v": "0", "deadline": "good", "cpu-used": "5" if encoding.fast else "3"}
