"""Nearest-neighbour search over frames: one protocol and two back ends, for motion matching and other retrieval.

All costs are squared distances between (normalised) feature vectors, plus penalties if the back end supports them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
from array_api_compat import array_namespace
from numpy.typing import ArrayLike, NDArray

from kinema.errors import ControlError

if TYPE_CHECKING:
    from kinema.features.index_kernels import Boxes

Found = tuple[NDArray[np.int64], NDArray[np.float32]]


class Index(Protocol):
    """A searchable set of feature vectors."""

    @classmethod
    def build(cls, features: NDArray[np.float32], valid: NDArray[np.bool_] | None = None) -> Self:
        """Index vectors `[N, D]`. Frames with a false `valid` `[N]`, such as those near clip ends, are never found."""
        ...

    def search(
        self,
        query: ArrayLike,
        *,
        bound: float | NDArray[np.float32] | None = None,
        penalty: NDArray[np.float32] | None = None,
        allowed: NDArray[np.bool_] | None = None,
    ) -> Found:
        """The frame with the lowest cost for each query `[D]` or `[B, D]`: frames and costs `[B]`, scalars for `[D]`.

        Args:
            bound: only costs below it count (one number, or one per query).
            penalty: `[N]`, added to the cost of each frame; not negative.
            allowed: bool `[N]`, frames that may be found.

        If nothing is found, the frame is -1 and the cost is the bound (infinity without one).

        Raises:
            ControlError: a size is wrong.
        """
        ...


def valid_until_end(clip_lengths: ArrayLike, margin: int) -> NDArray[np.bool_]:
    """Which frames `[N]` of consecutive clips are at least `margin` frames before their clip's last frame."""
    lengths = np.asarray(clip_lengths, np.int64)
    ends = np.repeat(np.cumsum(lengths), lengths)
    return np.arange(int(lengths.sum())) + margin < ends


def _checked(features: Any, valid: NDArray[np.bool_] | None) -> tuple[NDArray[np.int64], int]:
    """The frames that can be found, and the total number of frames."""
    if features.ndim != 2:
        raise ControlError(f"an index needs vectors [N, D], not {list(features.shape)}")
    chosen = np.ones(len(features), bool) if valid is None else np.asarray(valid, bool)
    if chosen.shape != (len(features),):
        raise ControlError(f"valid needs one value for each of {len(features)} frames, not {list(chosen.shape)}")
    if not chosen.any():
        raise ControlError(f"none of {len(features)} frames can be searched; give longer clips")
    return np.flatnonzero(chosen), len(features)


def _queries(query: Any, dim: int, bound: Any) -> tuple[Any, NDArray[np.float32], bool]:
    single = query.ndim == 1
    if query.shape[-1] != dim or query.ndim > 2:
        raise ControlError(f"a query must have {dim} numbers, not {list(query.shape)}")
    batch = query[None] if single else query
    limits = np.broadcast_to(np.float32(np.inf) if bound is None else np.asarray(bound, np.float32), (len(batch),))
    return batch, limits, single


def _answer(frames: NDArray[np.int64], costs: NDArray[np.float32], single: bool) -> Found:
    return (frames[0], costs[0]) if single else (frames, costs)  # type: ignore[return-value]


@dataclass(frozen=True, eq=False)
class BoxIndex:
    """Boxes around similar frames, in two levels, compiled. Exact, supports penalties and masks.

    `frames` are the frames of the database in the order of the boxes.
    """

    boxes: Boxes
    frames: NDArray[np.int64]
    total: int

    @classmethod
    def build(cls, features: NDArray[np.float32], valid: NDArray[np.bool_] | None = None) -> BoxIndex:
        """See `Index.build`."""
        from kinema.features import index_kernels as kernels

        frames, total = _checked(features, valid)
        boxes, order = kernels.pack(np.ascontiguousarray(np.asarray(features)[frames], np.float32))
        return cls(boxes, np.append(frames, -1)[order], total)

    def search(
        self,
        query: ArrayLike,
        *,
        bound: float | NDArray[np.float32] | None = None,
        penalty: NDArray[np.float32] | None = None,
        allowed: NDArray[np.bool_] | None = None,
    ) -> Found:
        """See `Index.search`."""
        from kinema.features import index_kernels as kernels

        batch, limits, single = _queries(np.asarray(query, np.float32), len(self.boxes.mean), bound)
        extra, usable = _options(penalty, allowed, self.total)
        rotated = (batch - self.boxes.mean) @ self.boxes.axes
        places, costs = kernels.search(self.boxes, extra, usable, self.frames, rotated, np.ascontiguousarray(limits))
        return _answer(np.where(places < 0, -1, self.frames[places]), costs, single)


def _options(
    penalty: NDArray[np.float32] | None, allowed: NDArray[np.bool_] | None, total: int
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Penalty and mask by frame; empty if not given."""
    for name, values in (("penalty", penalty), ("allowed", allowed)):
        if values is not None and np.shape(values) != (total,):
            raise ControlError(f"{name} needs one value for each of {total} frames, not {list(np.shape(values))}")
    extra = np.zeros(0, np.float32) if penalty is None else np.asarray(penalty, np.float32)
    if len(extra) and not extra.min() >= 0:
        raise ControlError("penalties must not be negative")
    return extra, np.zeros(0, bool) if allowed is None else np.asarray(allowed, bool)


@dataclass(frozen=True, eq=False)
class GemmIndex:
    """Matrix products over chunks of frames. Uses NumPy arrays, or torch tensors on any device if built from one."""

    features: Any
    half_squares: Any
    frames: NDArray[np.int64]
    total: int
    chunk: int = 4096

    @classmethod
    def build(cls, features: Any, valid: NDArray[np.bool_] | None = None) -> GemmIndex:
        """See `Index.build`; `features` may be a torch tensor on any device."""
        frames, total = _checked(features, valid)
        kept = features[frames] if isinstance(features, np.ndarray) else features[frames.tolist()]
        xp = array_namespace(kept)
        return cls(kept, 0.5 * xp.sum(kept * kept, axis=1), frames, total)

    def search(
        self,
        query: Any,
        *,
        bound: float | NDArray[np.float32] | None = None,
        penalty: NDArray[np.float32] | None = None,
        allowed: NDArray[np.bool_] | None = None,
    ) -> Found:
        """See `Index.search`. The query has the array type that the index was built from; the result is NumPy."""
        xp = array_namespace(self.features)
        asked = np.asarray(query, np.float32) if isinstance(self.features, np.ndarray) else query
        batch, limits, single = _queries(asked, self.features.shape[1], bound)
        extra, usable = _options(penalty, allowed, self.total)
        extra = extra[self.frames] if len(extra) else extra
        usable = usable[self.frames] if len(usable) else usable
        half = self.half_squares + self._constants(extra, usable)
        best = xp.full((len(batch),), xp.inf, dtype=half.dtype, device=half.device)
        place = xp.zeros((len(batch),), dtype=xp.int64, device=half.device)
        rows = xp.arange(len(batch), device=half.device)
        for begin in range(0, len(self.features), self.chunk):
            # |x - q|^2 / 2 = |x|^2 / 2 - x.q + |q|^2 / 2; the last term is constant, so it is left out.
            scores = half[begin : begin + self.chunk] - batch @ self.features[begin : begin + self.chunk].T
            nearest = xp.argmin(scores, axis=1)
            least = scores[rows, nearest]
            better = least < best
            best, place = xp.where(better, least, best), xp.where(better, nearest + begin, place)
        gap = self.features[place] - batch
        # Recompute the cost of the chosen frame from differences: the product loses digits where vectors are close.
        cost = np.asarray(xp.sum(gap * gap, axis=1).tolist(), np.float32)
        chosen = np.asarray(place.tolist(), np.int64)
        cost += extra[chosen] if len(extra) else 0
        hit = np.isfinite(np.asarray(best.tolist())) & (cost < limits)
        return _answer(np.where(hit, self.frames[chosen], -1), np.where(hit, cost, limits).astype(np.float32), single)

    def _constants(self, extra: NDArray[np.float32], usable: NDArray[np.bool_]) -> Any:
        added = np.zeros(len(self.frames), np.float32)
        if len(extra):
            added += 0.5 * extra
        if len(usable):
            added[~usable] = np.inf
        if isinstance(self.features, np.ndarray):
            return added
        return array_namespace(self.features).asarray(added, device=self.features.device)
