"""Feature vectors of many frames at once.

The numbers of a frame (joint positions, velocities, axes, ...) are computed once into a *row*. A sample gathers the
rows of its times and transforms them to its root frame. Rows are small (a few hundred numbers per frame) and windows
are large, so rows can also be stored and windows gathered later.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from kinema.arrays import Bools, Ints, Singles
from kinema.errors import DatabaseError
from kinema.features import kernels
from kinema.features.feature import Feature
from kinema.features.frames import FeatureSource, Frames, clip_limits
from kinema.features.kernels import Rows
from kinema.features.kinds import Carry
from kinema.features.spec import FeatureSpec

CHUNK = 2048
"""Frames at a time: their rows stay in the cache while windows are gathered from them."""

_CARRY = {carry: number for number, carry in enumerate(get_args(Carry))}
"""The kernels' constants, which have the same order."""
_FRAME = {"root": kernels.ROOT, "root@t": kernels.OWN, "world": kernels.WORLD}


@dataclass(frozen=True, eq=False)
class RowLayout:
    """Where the numbers of each feature are in the row of a frame. Features that need the same numbers share them."""

    specs: tuple[FeatureSpec, ...]

    @cached_property
    def columns(self) -> dict[tuple, slice]:
        """Slices of the row by `_block_key`."""
        found: dict[tuple, slice] = {}
        width = 0
        for spec in self.specs:
            for feature in spec.features:
                key = _block_key(feature, spec)
                if key not in found:
                    size = feature.entries(spec.skeleton) * feature.handler.columns
                    found[key] = slice(width, width + size)
                    width += size
        return found

    @property
    def width(self) -> int:
        """Numbers in a row."""
        return max((place.stop for place in self.columns.values()), default=0)

    def slice_of(self, feature: Feature, spec: FeatureSpec) -> slice:
        """The columns of a feature of one of the specs."""
        return self.columns[_block_key(feature, spec)]

    def reach(self, fps: float) -> tuple[int, int]:
        """How many frames before and after its own a sample needs, neighbours for velocities included."""
        offsets = np.concatenate([f.offsets(fps) for spec in self.specs for f in spec.features])
        return 1 - min(0, int(offsets.min())), 1 + max(0, int(offsets.max()))

    def compute(self, frames: Frames) -> Singles:
        """Rows `[n, width]` of consecutive frames."""
        rows = np.empty((frames.count, self.width), np.float32)
        done: set[tuple] = set()
        for spec in self.specs:
            for feature in spec.features:
                key = _block_key(feature, spec)
                if key not in done and self.columns[key].stop > self.columns[key].start:
                    rows[:, self.columns[key]] = feature.handler.rows(frames, feature)
                done.add(key)
        return rows


def _block_key(feature: Feature, spec: FeatureSpec) -> tuple:
    joints = tuple(feature.joint_indices(spec.skeleton).tolist()) if feature.handler.per == "joint" else ()
    return feature.kind, joints, feature.labels, feature.times if feature.handler.windowed else ()


def gather_windows(data: Rows, frames: Ints, layout: RowLayout, spec: FeatureSpec, fps: float, out: Singles) -> None:
    """Write the vectors of `spec` at `frames` `[N]` (indices into the rows) to `out` `[N, spec.dim]`, C-contiguous."""
    for feature in spec.features:
        place, start = layout.slice_of(feature, spec), spec[feature.name].start
        offsets = np.zeros(1, np.int64) if feature.handler.windowed else feature.offsets(fps)
        carry, frame = _CARRY[feature.handler.carry], _FRAME[feature.frame]
        in_place = frame == kernels.OWN or (frame == kernels.ROOT and not offsets.any())
        if in_place and carry in (kernels.VECTOR, kernels.POINT):
            carry = kernels.COPY  # joint rows are in their own root frame already
        kernels.gather(data, place.start, place.stop - place.start, frames, offsets, carry, frame, out, start)


def extract(
    source: FeatureSource, spec: FeatureSpec, frames: ArrayLike | None = None, out: Singles | None = None
) -> Singles:
    """Feature vectors `[N, spec.dim]` at `frames` `[N]` of a source (all of them if None), written to `out` if given.

    Times beyond a clip clamp to its first and last frame. `out` may be memory-mapped; it is float32 and C-contiguous.

    Raises:
        DatabaseError: another skeleton, a frame that does not exist, or an `out` that does not fit.
    """
    return extract_all(source, (spec,), frames, None if out is None else (out,))[0]


def extract_all(
    source: FeatureSource,
    specs: Sequence[FeatureSpec],
    frames: ArrayLike | None = None,
    outs: Sequence[Singles] | None = None,
) -> tuple[Singles, ...]:
    """`extract` for several specs, such as the input and output of a network. Common work is done once."""
    total = len(source.root_positions)
    wanted = np.arange(total) if frames is None else np.asarray(frames, np.int64).reshape(-1)
    if outs is None:
        outs = [np.empty((len(wanted), spec.dim), np.float32) for spec in specs]
    _check(source, specs, wanted, outs)
    layout = RowLayout(tuple(specs))
    for part, run in _runs(source, layout, wanted):
        rows, local = Rows(layout.compute(run), run.roots, run.low, run.high), wanted[part] - run.first
        for spec, out in zip(specs, outs, strict=True):
            target = out[part] if isinstance(part, slice) else np.empty((len(local), spec.dim), np.float32)
            gather_windows(rows, local, layout, spec, source.fps, np.asarray(target))
            if not isinstance(part, slice):
                out[part] = target
    return tuple(outs)


def _check(source: FeatureSource, specs: Sequence[FeatureSpec], wanted: Ints, outs: Sequence[Singles]) -> None:
    """DatabaseError where skeletons, frames or outputs do not fit together."""
    if not all(spec.skeleton.same_topology(source.skeleton) for spec in specs):
        raise DatabaseError("the feature spec and the database are for different skeletons")
    total = len(source.root_positions)
    if len(wanted) and not 0 <= wanted.min() <= wanted.max() < total:
        raise DatabaseError(f"frames {wanted.min()} to {wanted.max()} are not all in the database of {total} frames")
    for spec, out in zip(specs, outs, strict=True):
        if out.shape != (len(wanted), spec.dim) or out.dtype != np.float32 or not out.flags.c_contiguous:
            shape = [len(wanted), spec.dim]
            raise DatabaseError(f"out must be C-contiguous float32 {shape}, not {out.dtype} {list(out.shape)}")


def _runs(source: FeatureSource, layout: RowLayout, wanted: Ints) -> Iterator[tuple[slice | Ints, Frames]]:
    """Cut the wanted frames into runs of nearby frames: pairs of places in `wanted` and a padded `Frames`."""
    if not len(wanted):
        return
    low, high = clip_limits(source)
    before, after = layout.reach(source.fps)
    ordered = bool((np.diff(wanted) >= 0).all())
    order = None if ordered else np.argsort(wanted, kind="stable")
    sorted_frames = wanted if order is None else wanted[order]
    cell = sorted_frames // CHUNK
    cuts = [0, *(np.flatnonzero(np.diff(cell)) + 1).tolist(), len(wanted)]
    for a, b in pairwise(cuts):
        first, last = int(sorted_frames[a]), int(sorted_frames[b - 1])
        begin, end = max(low[first], first - before), min(high[last], last + after) + 1
        run = Frames(source, int(begin), int(end), low, high)
        yield (slice(a, b) if order is None else order[a:b]), run


def valid_frames(source: FeatureSource, spec: FeatureSpec) -> Bools:
    """Which frames `[N]` have all their times inside their clip, so that nothing is clamped."""
    low, high = clip_limits(source)
    offsets = np.concatenate([feature.offsets(source.fps) for feature in spec.features])
    index = np.arange(len(low))
    return (index + offsets.min() >= low) & (index + offsets.max() <= high)
