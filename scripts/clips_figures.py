"""The figures of docs/clips.md and its picture: CPU seconds a clip, what is in the frame and hidden, sizes, reading.

python scripts/clips_figures.py FOLDER [--picture docs/images/clips.jpg]

FOLDER is one of `kinema clips`. Forty clips of 16 frames at 64 pixels are filmed once more, in this process, to measure
them.
"""

from __future__ import annotations

import argparse
import os
import time

os.environ.setdefault("LP_NUM_THREADS", "1")

import numpy as np
from PIL import Image

import kinema
from kinema.footage.clip import film_clip
from kinema.footage.plan import plan_clips
from kinema.footage.reading import ClipFolder
from kinema.rendering.renderer import Renderer

MEASURED, BATCH, SHEET = 40, 16, (4, 16)


def filming() -> None:
    """CPU and wall seconds of a clip, after everything that clips share was loaded once."""
    plan = plan_clips()
    with Renderer(plan.size, plan.size, "small", threads=1) as renderer:
        for number in range(MEASURED):
            film_clip(plan, number, renderer)
        wall, cpu = time.perf_counter(), time.process_time()
        for number in range(MEASURED):
            film_clip(plan, number, renderer)
        cpu, wall = (time.process_time() - cpu) / MEASURED, (time.perf_counter() - wall) / MEASURED
    print(f"a clip: {cpu:.3f} CPU s, {wall:.3f} s wall; 2,000 clips: {2000 * cpu / 120:.1f} minutes of two cores")


def seen(clips: ClipFolder) -> None:
    """Shares of clips whose worst picture shows less of the body."""
    for key, limit in (("in_frame", 1.0), ("unhidden", 0.95), ("unhidden", 0.8), ("unhidden", 0.5), ("height", 0.4)):
        share = np.mean([row[key] < limit for row in clips.manifest])
        print(f"{key} below {limit:g}: {100 * share:.2f} % of {len(clips):,} clips")
    least = min(int((clip["mask"] > 0).sum(axis=(1, 2)).min()) for clip in clips)
    darkest = min(clip["picture"].mean() for clip in clips)
    print(f"least pixels of a body in a picture: {least}; the darkest clip is {darkest:.0f} of 255 bright")


def reading(clips: ClipFolder) -> None:
    """Size of a clip, and how fast batches are read."""
    size = sum(clip.path.stat().st_size for clip in clips) / len(clips)
    rng = np.random.default_rng(0)
    cpu = time.process_time()
    for _ in range(20):
        clips.batch(rng.integers(0, len(clips), BATCH).tolist())
    cpu = (time.process_time() - cpu) / 20 / BATCH
    print(f"a clip: {size / 1e3:.0f} kB; three maps of a random clip are read in {1e3 * cpu:.2f} CPU ms")


def sheet(clips: ClipFolder) -> Image.Image:
    """A picture of 64 clips, and all maps of six of them below."""
    rows, columns = SHEET
    shown = [clip["picture"][len(clip.actions) // 2] for clip in clips[: rows * columns]]
    above = np.concatenate([np.concatenate(shown[at : at + columns], 1) for at in range(0, len(shown), columns)], 0)
    lines = []
    for clip in [clip for clip in clips if clip.facts["person"]][:6]:
        maps = clip.read(*clip.maps)
        coloured = [_coloured(values[len(values) // 2]) for values in (maps[name] for name in clip.maps)]
        lines.append(np.concatenate(coloured, 1))
    below = Image.fromarray(np.concatenate(lines, 0))
    below = below.resize((above.shape[1], round(below.height * above.shape[1] / below.width)), Image.Resampling.LANCZOS)
    return Image.fromarray(
        np.concatenate([above, np.full((8, above.shape[1], 3), 255, np.uint8), np.asarray(below)], 0)
    )


def _coloured(values: np.ndarray) -> np.ndarray:
    return np.repeat(values[..., None], 3, -1) if values.ndim == 2 else values


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--picture")
    args = parser.parse_args()
    clips = kinema.read_clips(args.folder)
    if args.picture:
        sheet(clips).save(args.picture, quality=88)
    seen(clips)
    reading(clips)
    filming()


if __name__ == "__main__":
    main()
