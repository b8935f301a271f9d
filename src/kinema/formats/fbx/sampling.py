"""When the frames of a take are, and how much the takes of a file may cost."""

from __future__ import annotations

import numpy as np

from kinema.arrays import Floats
from kinema.formats.budget import FRAMES_FLOOR, Budget
from kinema.formats.fbx.document import FbxDocument
from kinema.formats.fbx.notes import noted_rate
from kinema.formats.fbx.settings import FbxSettings
from kinema.formats.fbx.takes import FbxTake
from kinema.formats.rates import native_rate
from kinema.rates import MOST_FRAMES

STEPS_FLOOR = 16_000_000  # values of curves and joints that any file may have sampled
STEPS_PER_BYTE = 4  # and more, the larger the file
DENSER = 0.75  # keys closer together than this share of a frame have a rate different from that of the file's clock
_OFF_GRID = 0.02  # frames


class Effort:
    """How much memory and time the takes of a file may cost: keys far apart make many frames of few bytes."""

    def __init__(self, document: FbxDocument) -> None:
        self._document, self._steps = document, 0
        self._limit = max(STEPS_FLOOR, STEPS_PER_BYTE * document.source.size)
        self._memory = Budget(document.source.size, FRAMES_FLOOR)

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
    settings: FbxSettings,
    take: FbxTake,
    fps: float | None,
    joints: int,
    warnings: list[str],
    effort: Effort,
) -> tuple[Floats, float]:
    """Uniform times `[F]` in seconds over the take's span, and their rate.

    The span is what the take states, or that of its keys. The rate is `fps` if given, else that of the file's clock;
    if keys are nearer to each other than its frames, it is the rate of the keys.
    """
    curves = list(take.curves())
    keys = [curve.times for curve in curves if len(curve.times) > 1]
    first = float(min((times[0] for times in keys), default=0.0))
    last = float(max((times[-1] for times in keys), default=0.0))
    start, stop = _stated_span(take) or (first, last)
    rate = fps or noted_rate(document, take) or _rate(keys, start, settings.fps, warnings)
    if keys and (stop - start) * rate >= MOST_FRAMES > (last - first) * rate:
        warnings.append(f"{take.where} lasts {stop - start:.4g} s, far longer than its keys; it was cut to them")
        start, stop = first, last
    if not (stop - start) * rate < MOST_FRAMES:
        problem = f"lasts {stop - start:.6g} s, too long at {rate:g} frames per second; try a lower fps"
        raise document.error(problem, take.where)
    count = int(np.ceil((stop - start) * rate - _OFF_GRID)) + 1
    effort.charge(count, joints, len(curves), take.where)
    return start + np.arange(count) / rate, rate


def _stated_span(take: FbxTake) -> tuple[float, float] | None:
    if take.start is None or take.stop is None or take.stop <= take.start:
        return None
    return take.start, take.stop


def _rate(times: list[Floats], start: float, clock: float, warnings: list[str]) -> float:
    """The rate of the file's clock, or that of the keys at times `[K]` if most are nearer to each other than frames."""
    times = [keys for keys in times if len(keys) > 2]
    dense = [keys for keys in times if np.count_nonzero(np.diff(keys) * clock < DENSER) * 2 >= len(keys)]
    if not dense or sum(map(len, dense)) * 2 <= sum(map(len, times)):
        return clock
    keys = np.unique(np.concatenate(dense))
    frames = (keys - start) * clock
    rate = native_rate(keys) if (np.abs(frames - np.round(frames)) > _OFF_GRID).any() else clock
    if rate != clock:
        warnings.append(f"keys are at {rate:g} frames per second, the file's clock runs at {clock:g}")
    return rate
