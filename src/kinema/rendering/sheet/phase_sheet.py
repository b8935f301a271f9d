"""The phases of a database as a picture: the manifold with its clips as curves, and one clip with its footfalls."""

from __future__ import annotations

import io
import itertools
import os
from collections import Counter
from pathlib import Path

import numpy as np
from PIL import Image
from scipy.interpolate import CubicSpline

from kinema.arrays import Bools, Floats, Reals, Singles
from kinema.errors import DatabaseError
from kinema.formats.atomic import atomic_write
from kinema.metrics.cadence import SURE, group_names
from kinema.mocap.contacts import contact_points, runs
from kinema.mocap.database import Clip, MotionDatabase
from kinema.mocap.phases import phase_steps
from kinema.rendering.sheet.charts import INK, LEFT, MUTED, RIGHT, RULE, bars, even_step, short_number
from kinema.rendering.sheet.page import Color, Page

GROUPS: tuple[Color, ...] = (
    (58, 124, 190),
    (212, 94, 52),
    (0, 158, 115),
    (176, 84, 158),
    (201, 152, 28),
    (98, 84, 186),
    (140, 86, 75),
)
"""Colours of the groups with most frames; all others are `OTHERS`."""

OTHERS: Color = (170, 175, 182)
FEET: tuple[Color, ...] = (LEFT, RIGHT, (0, 158, 115), (176, 84, 158), (201, 152, 28), (79, 134, 166))
MOST_CURVES, LONGEST_CURVE = 80, 6.0
"""Clips on the manifold, and seconds of each."""

SECONDS = 8.0
"""Of the clip whose footfalls are shown."""


def save_phases(database: MotionDatabase, path: str | os.PathLike[str], label: str = "local_phases") -> Path:
    """Write the picture of `draw_phases` as PNG.

    Raises:
        DatabaseError: the database does not have these labels.
        WriteError: the file cannot be written.
    """
    data = io.BytesIO()
    draw_phases(database, label).save(data, "PNG")
    atomic_write(path, data.getvalue())
    return Path(path)


def draw_phases(
    database: MotionDatabase, label: str = "local_phases", size: tuple[int, int] = (1200, 1240)
) -> Image.Image:
    """The phase vectors of many clips in two dimensions, and the gait phase of the clip with the clearest one.

    Args:
        database: with phases.
        label: phase vectors `[N, K, 2]`: those of the feet, or of a labeller of one's own.
        size: pixels.

    Raises:
        DatabaseError: the database does not have these labels.
    """
    missing = [name for name in (label, "phase", "phase_confidence") if name not in database.labels]
    if missing:
        raise DatabaseError(f"the database has no labels {', '.join(missing)}; `kinema label` makes those of the gait")
    vectors = database.labels[label]
    if vectors.ndim != 3 or vectors.shape[2] != 2:
        raise DatabaseError(f"label {label!r} has shape {list(vectors.shape)}; phase vectors are [N, K, 2]")
    page = Page(*size, (249, 249, 247), size[0] / 1200)
    _draw_manifold(page, database, vectors, page.share(0.72))
    _draw_clip(page, database, page.share(0.76), page.share(0.95))
    return page.image()


def embed(vectors: Reals) -> tuple[Floats, Floats, float]:
    """The plane that holds most of the variance of phase vectors `[n, K, 2]`: principal components without a mean.

    Phases turn about zero, so the origin stays where nothing moves.

    Returns:
        Axes `[2K, 2]`, positions `[n, 2]`, and the share of the variance that they hold.
    """
    flat = np.asarray(vectors, np.float64).reshape(len(vectors), -1)
    values, axes = np.linalg.eigh(flat.T @ flat)
    axes = axes[:, ::-1][:, :2]
    total = float(values.sum())
    return axes, flat @ axes, float(values[-2:].sum()) / total if total > 0 else 0.0


def chosen_clips(database: MotionDatabase) -> list[Clip]:
    """Clips to draw, without mirror images, at most `MOST_CURVES`, evenly from the whole database."""
    takes = [clip for clip in database.clips if not clip.mirrored] or list(database.clips)
    return [takes[at] for at in np.unique(np.linspace(0, len(takes) - 1, MOST_CURVES).astype(int))]


def clearest(database: MotionDatabase) -> tuple[int, int]:
    """First and last frame (not included) of up to `SECONDS` of one clip, in which the gait is most certain."""
    length = round(SECONDS * database.fps)
    total = np.concatenate([[0.0], np.cumsum(np.asarray(database.labels["phase_confidence"], np.float64))])
    best = (-1.0, 0, 1)
    for clip in database.clips:
        if clip.mirrored:
            continue
        starts = np.arange(clip.start, max(clip.stop - length, clip.start) + 1)
        stops = np.minimum(starts + length, clip.stop)
        sums = total[stops] - total[starts]
        at = int(np.argmax(sums))
        best = max(best, (float(sums[at]), int(starts[at]), int(stops[at])))
    return best[1:]


def _draw_manifold(page: Page, database: MotionDatabase, vectors: Singles, bottom: float) -> None:
    u, names = page.unit, group_names(database)
    clips = chosen_clips(database)
    spans = [(clip.start, min(clip.stop, clip.start + round(LONGEST_CURVE * database.fps))) for clip in clips]
    drawn = np.concatenate([np.asarray(vectors[start:stop]) for start, stop in spans])
    _, places, share = embed(drawn)
    groups = [names[database.clips.index(clip)] for clip in clips]
    common = [name for name, _ in Counter(groups).most_common(len(GROUPS))]
    reach = max(float(np.abs(places).max(initial=0.0)), 1e-6)
    top, right = 112 * u, page.width - 300 * u
    middle = ((60 * u + right) / 2, (top + bottom) / 2)
    scale = min(right - 60 * u, bottom - top) / 2 / reach
    page.text(60 * u, 30 * u, "phase manifold", 24, INK)
    said = f"{vectors.shape[1]} phase vectors, two principal components with {100 * share:.0f}% of the variance"
    page.text(60 * u, 62 * u, said, 15, MUTED)
    page.text(60 * u, 82 * u, "angle: phase; distance from the middle: amplitude", 15, MUTED)
    step = even_step(2 * reach, 6)
    for mark in np.arange(step, reach, step).tolist():
        turn = np.linspace(0, 2 * np.pi, 121)
        page.line(np.stack([np.cos(turn), np.sin(turn)], 1) * mark * scale + middle, RULE, 1)
        page.text(middle[0], middle[1] - mark * scale - 2 * u, short_number(mark), 12, MUTED, "ms")
    ends = np.cumsum([0, *(stop - start for start, stop in spans)])
    for wanted in (None, *reversed(common)):  # the largest group lies on top
        for number, name in enumerate(groups):
            if (name if name in common else None) == wanted and spans[number][1] - spans[number][0] > 1:
                curve = smooth(places[ends[number] : ends[number + 1]]) * scale * [1, -1] + middle
                page.line(curve, OTHERS if wanted is None else GROUPS[common.index(wanted)], 1.2)
    entries = [*zip(common, GROUPS, strict=False), *([("others", OTHERS)] if set(groups) - set(common) else [])]
    for row, (name, color) in enumerate(entries):
        y = top + 24 * row * u
        page.line([(right + 20 * u, y), (right + 48 * u, y)], color, 4)
        page.text(right + 58 * u, y, _cut(page, name, 225 * u), 15, INK, "lm")


def smooth(curve: Floats) -> Floats:
    """A curve `[n, 2]`, at least two points, with three more points between each two, on a cubic spline."""
    frames = np.arange(len(curve))
    return CubicSpline(frames, curve)(np.linspace(0, len(curve) - 1, 4 * len(curve) - 3))


def _cut(page: Page, text: str, room: float) -> str:
    while len(text) > 4 and page.text_width(text, 15) > room:
        text = text.removesuffix("\u2026")[:-1] + "\u2026"
    return text


def _draw_clip(page: Page, database: MotionDatabase, top: float, bottom: float) -> None:
    """Gait phase and contacts of the clip in which the gait is most certain; grey where it is not."""
    u, (start, stop) = page.unit, clearest(database)
    clip = database.clips[int(database.clip_of(start))]
    phase = np.asarray(database.labels["phase"][start:stop])
    sure = np.asarray(database.labels["phase_confidence"][start:stop]) >= SURE
    points, contacts = contact_points(database.skeleton), np.asarray(database.contacts[start:stop]) > 0
    left, right, bar = 120 * u, page.width - 60 * u, 12 * u
    last = max(stop - start - 1, 1) / database.fps

    def x_of(time: float) -> float:
        return left + (right - left) * time / last

    page.text(60 * u, top - 34 * u, f"gait phase and footfalls: {clip.name}", 18, INK)
    graph = bottom - (len(points) * 18 + 10) * u
    for mark in (0.0, 0.5, 1.0):
        y = graph - mark * (graph - top)
        page.line([(left, y), (right, y)], RULE, 1)
        page.text(left - 10 * u, y, short_number(mark), 13, MUTED, "rm")
    for begin, end in cycles(phase):
        for state, color in ((sure, INK), (~sure, OTHERS)):
            for a, b in runs(state[begin:end]):
                at = np.arange(begin + a, min(begin + b + 1, end))
                line = [(x_of(f / database.fps), graph - float(phase[f]) * (graph - top)) for f in at.tolist()]
                page.line(line if len(line) > 1 else line * 2, color, 2)
    for row, point in enumerate(points):
        y = graph + (14 + 18 * row) * u
        page.text(left - 10 * u, y + bar / 2, _cut(page, point, 100 * u), 13, MUTED, "rm")
        bars(page, y, bar, contacts[:, row], database.fps, FEET[row % len(FEET)], x_of)
    for second in np.arange(0.0, last + 1e-6, even_step(last, 10)).tolist():
        page.text(x_of(second), bottom + 10 * u, f"{short_number(second)} s", 13, MUTED, "ma")


def cycles(phase: Singles) -> list[tuple[int, int]]:
    """First and last frame (not included) of each stretch of a phase `[F]` that does not pass a whole cycle."""
    passes: Bools = np.abs(np.diff(phase) - phase_steps(phase)) > 0.5
    edges = [0, *(np.flatnonzero(passes) + 1).tolist(), len(phase)]
    return [(a, b) for a, b in itertools.pairwise(edges) if b > a]
