"""When the frames of a take are, and how much the takes of a file may cost."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema.formats.budget import FRAMES_FLOOR, Budget
from kinema.formats.fbx.document import FbxDocument
from kinema.formats.fbx.notes import noted_rate
from kinema.formats.fbx.settings import Settings
from kinema.formats.fbx.takes import FbxTake
from kinema.formats.rates import MAX_FRAMES, native_rate

Array = NDArray[np.float64]

STEPS_FLOOR = 16_000_000  # values of curves and joints that any file may have sampled
STEPS_PER_BYTE = 4  # and more, the larger the file
DENSER = 0.75  # keys nearer to each other than this share of a frame are of another rate than the file's clock
_OFF_GRID = 0.02  # frames


class Effort:
    """How much memory and time the takes of a file may cost: keys far apart make many frames of few bytes."""

    def __init__(self, document: FbxDocument) -> None:
        self._document, self._steps = document, 0
        self._limit = max(STEPS_FLOOR, STEPS_PER_BYTE * document.source.size)
        self._memory = Budget(document.source.path, document.source.size, FRAMES_FLOOR)

    def charge(self, frames: int, joints: int, curves: int, where: str) -> None:
        """Counts the frames of one take; FormatError when the file has asked for too much."""
        self._memory.charge(frames * joints * 28, where, "; try a lower fps")
        self._steps += frames * (2 * joints + curves)
        if self._steps > self._limit:
            raise self._document.error(
                f"makes {frames} frames of {joints} joints, more than a file of this size may; try a lower fps", where
            )


def frame_times(
    document: FbxDocument,
    settings: Settings,
    take: FbxTake,
    fps: float | None,
    joints: int,
    warnings: list[str],
    effort: Effort,
) -> tuple[Array, float]:
    """Uniform times `[F]` in seconds over the take's span, and their rate.

    The span is what the take states, or that of its keys. The rate is `fps` if given, else that of the file's clock;
    if keys are nearer to each other than its frames, it is the rate of the keys.
    """
    keys = [curve.times for curve in take.curves() if len(curve.times) > 1]
    span = (float(min(times[0] for times in keys)), float(max(times[-1] for times in keys))) if keys else (0.0, 0.0)
    start, stop = _stated_span(take) or span
    rate = fps or noted_rate(document, take)
    if rate is None:
        rate = _denser_rate(keys, start, settings.fps) or settings.fps
        if rate != settings.fps:
            warnings.append(f"keys stand at {rate:g} frames per second, the file's clock runs at {settings.fps:g}")
    if keys and (stop - start) * rate >= MAX_FRAMES > (span[1] - span[0]) * rate:
        warnings.append(f"{take.where} lasts {stop - start:.4g} s, far longer than its keys; it was cut to them")
        start, stop = span
    if not (stop - start) * rate < MAX_FRAMES:
        problem = f"lasts {stop - start:.6g} s, too long at {rate:g} frames per second; try a lower fps"
        raise document.error(problem, take.where)
    count = int(np.ceil((stop - start) * rate - _OFF_GRID)) + 1
    effort.charge(count, joints, sum(1 for _ in take.curves()), take.where)
    return start + np.arange(count) / rate, rate


def _stated_span(take: FbxTake) -> tuple[float, float] | None:
    if take.start is None or take.stop is None or take.stop <= take.start:
        return None
    return take.start, take.stop


def _denser_rate(times: list[Array], start: float, rate: float) -> float | None:
    """The rate of keys at times `[K]` if most are nearer to each other than frames are; None if they are not."""
    times = [keys for keys in times if len(keys) > 2]
    dense = [keys for keys in times if np.count_nonzero(np.diff(keys) * rate < DENSER) * 2 >= len(keys)]
    if not dense or sum(map(len, dense)) * 2 <= sum(map(len, times)):
        return None
    keys = np.unique(np.concatenate(dense))
    frames = (keys - start) * rate
    return native_rate(keys) if (np.abs(frames - np.round(frames)) > _OFF_GRID).any() else None
