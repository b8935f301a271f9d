"""Films: what a player gets."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from kinema.errors import KinemaError
from kinema.rendering.film.writers import open_writer

av = pytest.importorskip("av")

COLORS = [(200, 40, 90), (30, 220, 60), (250, 250, 250), (10, 20, 30)]


def write(path: Path, pictures, fps: float = 25.0, **options) -> Path:
    height, width = pictures[0].shape[:2]
    with open_writer(path, width, height, fps=fps, **options) as writer:
        for pixels in pictures:
            writer.write(pixels)
    return path


def flat(color: tuple[int, ...], height: int = 48, width: int = 64) -> np.ndarray:
    return np.tile(np.uint8(color), (height, width, 1))


def bt709(color: tuple[int, int, int]) -> np.ndarray:
    """Luma and chroma in limited range by the formula of the recommendation."""
    red, green, blue = (value / 255 for value in color)
    luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return np.array([16 + 219 * luma, 128 + 224 * (blue - luma) / 1.8556, 128 + 224 * (red - luma) / 1.5748])


@pytest.mark.parametrize("name", ["a.mp4", "a.webm"])
@pytest.mark.parametrize("color", COLORS)
def test_colors_are_those_of_bt709_and_tagged_so(name: str, color: tuple[int, int, int], tmp_path: Path):
    write(tmp_path / name, [flat(color)] * 3)
    with av.open(str(tmp_path / name)) as film:
        context = film.streams.video[0].codec_context
        frame = next(film.decode(video=0))
        assert (context.colorspace, context.color_range) == (1, 1)
        if name == "a.mp4":
            assert (context.color_primaries, context.color_trc) == (1, 1)
        planes = frame.to_ndarray()  # yuv420p: the luma plane above both chroma planes
        got = [planes[24, 32], planes[48 + 6].reshape(-1)[8], planes[48 + 12 + 6].reshape(-1)[8]]
    np.testing.assert_allclose(got, bt709(color), atol=2.0)


@pytest.mark.parametrize(("name", "codec"), [("a.mp4", "h264"), ("a.mov", "h264"), ("a.webm", "vp9")])
def test_frames_rate_and_codec(name: str, codec: str, tmp_path: Path):
    write(tmp_path / name, [flat(COLORS[i % 4]) for i in range(20)], fps=29.97)
    with av.open(str(tmp_path / name)) as film:
        stream = film.streams.video[0]
        assert stream.codec_context.name == codec and stream.codec_context.pix_fmt == "yuv420p"
        assert float(stream.average_rate) == pytest.approx(29.97, rel=1e-4)
        times = [float(frame.pts * frame.time_base) for frame in film.decode(stream)]
    np.testing.assert_allclose(times, np.arange(20) / 29.97, atol=1e-3)
    assert Fraction(29.97).limit_denominator(1001) == Fraction(2997, 100)


def test_mp4_plays_before_it_is_loaded_and_says_nothing_of_when_it_was_made(tmp_path: Path):
    data = write(tmp_path / "a.mp4", [flat(COLORS[0])] * 30).read_bytes()
    assert 0 < data.index(b"moov") < data.index(b"mdat")
    assert b"Lavf" not in data


def test_what_moves_is_seen_to_move(tmp_path: Path):
    pictures = []
    for number in range(24):
        pixels = flat((240, 240, 240))
        pixels[16:32, 2 * number : 2 * number + 12] = (20, 60, 160)
        pictures.append(pixels)
    write(tmp_path / "a.mp4", pictures)
    with av.open(str(tmp_path / "a.mp4")) as film:
        decoded = [frame.to_ndarray(format="rgb24").astype(int) for frame in film.decode(video=0)]
    for wanted, got in zip(pictures, decoded, strict=True):
        assert np.abs(wanted[..., 1].astype(int) - got[..., 1]).mean() < 2.5


@pytest.mark.parametrize(("alpha", "kind"), [(True, "yuva420p"), (False, "yuv420p")])
def test_webm_keeps_transparency_when_asked(alpha: bool, kind: str, tmp_path: Path):
    pixels = np.dstack([flat(COLORS[0]), np.full((48, 64), 255, np.uint8)])
    pixels[:, :32, 3] = 0
    write(tmp_path / "a.webm", [pixels] * 4, alpha=alpha)
    with av.open(str(tmp_path / "a.webm")) as film:
        assert film.streams.video[0].metadata.get("alpha_mode") == ("1" if alpha else None)
        decoder = av.CodecContext.create("libvpx-vp9", "r")  # the one decoder that gives alpha back
        packet = next(film.demux(video=0))
        frame = next(iter(decoder.decode(packet)))
        assert frame.format.name == kind
        if alpha:
            decoded = frame.to_ndarray(format="rgba")
            assert decoded[24, 8, 3] < 8 and decoded[24, 56, 3] > 247


@pytest.mark.parametrize(("width", "height", "better"), [(63, 48, "64x48"), (64, 47, "64x48"), (63, 47, "64x48")])
@pytest.mark.parametrize("name", ["a.mp4", "a.webm"])
def test_odd_sizes_are_refused_and_told_better(name: str, width: int, height: int, better: str, tmp_path: Path):
    with pytest.raises(KinemaError, match=f"even width and height.*{better} is"):
        open_writer(tmp_path / name, width, height)
    assert not list(tmp_path.iterdir())


def test_a_lower_crf_is_larger(tmp_path: Path, rng: np.random.Generator):
    noise = [rng.integers(0, 255, (48, 64, 3)).astype(np.uint8) for _ in range(6)]
    sizes = [write(tmp_path / f"{crf}.mp4", noise, crf=crf).stat().st_size for crf in (10, 24, 40)]
    assert sizes[0] > 1.3 * sizes[1] > 1.3 * sizes[2]


@pytest.mark.slow
def test_memory_does_not_grow_with_the_film(tmp_path: Path):
    import resource

    pixels = np.random.default_rng(0).integers(0, 255, (180, 320, 4)).astype(np.uint8)
    peaks = []
    with open_writer(tmp_path / "a.mp4", 320, 180, fast=True, crf=40) as writer:
        for number in range(3000):
            writer.write(np.roll(pixels, number, axis=1))
            if number in (300, 2999):
                peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    assert peaks[1] - peaks[0] < 20_000  # KiB
