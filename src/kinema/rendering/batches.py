"""The primitives of debug drawing: a few kinds, in growing arrays, and labels. `kinema.rendering.draw` fills them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinema.arrays import Bytes, Singles
from kinema.errors import KinemaError

Rows = NDArray[np.void]

STROKE = np.dtype(
    [
        ("start", "f4", 3),
        ("end", "f4", 3),
        ("before", "f4", 3),
        ("after", "f4", 3),
        ("color", "u1", 4),
        ("end_color", "u1", 4),
        ("width", "f4"),
        ("pixels", "f4"),
    ]
)
"""A straight line with round ends. `before` and `after`: the far ends of its neighbours in a polyline, or its own ends.
`pixels`: 1 where the width is in pixels."""

SPHERE = np.dtype([("center", "f4", 3), ("radius", "f4"), ("color", "u1", 4), ("pixels", "f4")])
CONE = np.dtype([("base", "f4", 3), ("tip", "f4", 3), ("radius", "f4"), ("color", "u1", 4)])

DISC = np.dtype([("center", "f4", 3), ("normal", "f4", 3), ("radius", "f4"), ("hole", "f4"), ("color", "u1", 4)])
"""A flat disc, visible from both sides. `hole`: radius of the hole, share of the radius."""

BAND = np.dtype([("corners", "f4", (4, 3)), ("color", "u1", 4), ("end_color", "u1", 4)])
"""A flat quad: its corners are left and right at the start, left and right at the end."""

KINDS = {"stroke": STROKE, "sphere": SPHERE, "cone": CONE, "disc": DISC, "band": BAND}
_WHERE = {
    "stroke": ("start", "end", "width"),
    "sphere": ("center", "radius"),
    "cone": ("base", "tip", "radius"),
    "disc": ("center", "normal", "radius", "hole"),
    "band": ("corners",),
}


@dataclass(frozen=True)
class TextLabel:
    """A piece of text.

    Attributes:
        position: metres in the world; with `screen`: pixels right and down of the picture's top left corner (negative
            ones count from its right and bottom edge) and 0.
        size: size of the font, metres, or pixels with `pixels` and always on the screen.
        color: sRGB bytes.
        anchor: the point of the text at the position, from (0, 0) top left to (1, 1).
    """

    position: tuple[float, float, float]
    text: str
    size: float
    color: tuple[int, int, int, int]
    pixels: bool
    anchor: tuple[float, float]
    on_top: bool
    screen: bool = False


class _Store:
    """Rows of one kind in a growing array that is reused after a clear."""

    def __init__(self, dtype: np.dtype) -> None:
        self.array, self.count = np.zeros(64, dtype), 0

    def more(self, count: int) -> Rows:
        """New rows for the caller to fill."""
        first, self.count = self.count, self.count + count
        if self.count > len(self.array):
            grown = np.zeros(max(self.count, 2 * len(self.array)), self.array.dtype)
            grown[:first] = self.array[:first]
            self.array = grown
        return self.array[first : self.count]


class Batches:
    """Rows by kind, separate for those on top and those that surfaces can hide; and labels."""

    def __init__(self) -> None:
        self._stores = {(kind, on_top): _Store(dtype) for kind, dtype in KINDS.items() for on_top in (False, True)}
        self.texts: list[TextLabel] = []

    def clear(self) -> None:
        """Remove everything; memory is kept for the next picture."""
        for store in self._stores.values():
            store.count = 0
        self.texts = []

    def rows(self, kind: str, on_top: bool = False) -> Rows:
        """The finite rows of a kind of `KINDS`; valid until the next call of this object."""
        store = self._stores[kind, on_top]
        rows = store.array[: store.count]
        finite = np.ones(len(rows), bool)
        for name in _WHERE[kind]:
            finite &= np.isfinite(rows[name]).reshape(len(rows), KINDS[kind][name].itemsize // 4).all(axis=-1)
        if finite.all():
            return rows
        rows = rows[finite]
        if kind == "stroke":  # a line ends before a point that is not finite
            for name, own in (("before", "start"), ("after", "end")):
                lost = ~np.isfinite(rows[name]).all(axis=-1)
                rows[name][lost] = rows[own][lost]
        return rows

    def extend(self, other: Batches) -> None:
        """Add everything that `other` holds."""
        for kind, on_top in self._stores:
            rows = other.rows(kind, on_top)
            self.add(kind, len(rows), on_top)[:] = rows
        self.texts += other.texts

    @property
    def empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not self.texts and all(store.count == 0 for store in self._stores.values())

    def add(self, kind: str, count: int, on_top: bool) -> Rows:
        """New rows of a kind for the caller to fill."""
        return self._stores[kind, on_top].more(count)

    def fill_strokes(
        self,
        starts: Singles,
        ends: Singles,
        colors: Bytes,
        end_colors: Bytes | None,
        width: ArrayLike,
        pixels: bool,
        on_top: bool,
        shape: tuple[int, ...],
    ) -> Rows:
        """Straight lines for items of a shape; returns their rows, without neighbours."""
        thick = spread(width, shape, "widths")
        rows = self.add("stroke", count_of(shape), on_top)
        shaped = rows.reshape(shape)
        shaped["start"] = shaped["before"] = starts
        shaped["end"] = shaped["after"] = ends
        shaped["color"] = colors
        shaped["end_color"] = colors if end_colors is None else end_colors
        shaped["width"], shaped["pixels"] = thick, pixels
        return rows

    def add_texts(
        self,
        places: Singles,
        strings: str | Sequence[str],
        size: float,
        color: ArrayLike,
        pixels: bool,
        on_top: bool,
        anchor: tuple[float, float],
        screen: bool,
    ) -> None:
        """A string for each place `[..., 3]`."""
        colors = as_colors(color, places.shape[:-1]).reshape(-1, 4).tolist()
        places = places.reshape(-1, 3)
        lines = [strings] if isinstance(strings, str) else list(strings)
        if len(lines) != len(places):
            raise KinemaError(f"{len(lines)} strings do not fit {len(places)} places")
        for place, line, (r, g, b, a) in zip(places.tolist(), lines, colors, strict=True):
            if line and np.isfinite(place).all():
                self.texts.append(
                    TextLabel(tuple(place), line, float(size), (r, g, b, a), pixels, anchor, on_top, screen)
                )


def as_points(values: ArrayLike, name: str, dims: int = 1) -> Singles:
    """Float32 points `[..., 3]` with at least `dims` dimensions."""
    points = np.asarray(values, np.float32)
    if points.ndim < dims or points.shape[-1:] != (3,):
        wanted = "[..., N, 3]" if dims > 1 else "[..., 3]"
        raise KinemaError(f"{name} to draw must be {wanted}, not {list(points.shape)}")
    return points


def as_colors(color: ArrayLike, shape: tuple[int, ...]) -> Bytes:
    """sRGB bytes `[*shape, 4]` of colours from 0 to 1; bytes stay as they are."""
    given = np.asarray(color)
    if given.shape[-1:] not in ((3,), (4,)):
        raise KinemaError(f"a colour is (r, g, b) or (r, g, b, a) with values from 0 to 1, not {list(given.shape)}")
    if given.dtype != np.uint8:
        given = np.rint(np.clip(given, 0.0, 1.0) * 255).astype(np.uint8)
    if given.shape[-1] == 3:
        given = np.concatenate([given, np.full((*given.shape[:-1], 1), 255, np.uint8)], axis=-1)
    try:
        return np.broadcast_to(given, (*shape, 4))
    except ValueError:
        raise KinemaError(f"colours {list(given.shape)} do not fit {list(shape)} items to draw") from None


def common_shape(*points: Singles) -> tuple[int, ...]:
    """The broadcast shape of arrays of points, without the last dimension."""
    try:
        return np.broadcast_shapes(*(array.shape for array in points))[:-1]
    except ValueError:
        shapes = " and ".join(str(list(array.shape)) for array in points)
        raise KinemaError(f"{shapes} cannot be drawn together; shapes must be the same or broadcast") from None


def spread(values: ArrayLike, shape: tuple[int, ...], name: str) -> Singles:
    """Numbers, one for all or one per item, broadcast to `shape`."""
    given = np.asarray(values, np.float32)
    try:
        return np.broadcast_to(given, shape)
    except ValueError:
        raise KinemaError(f"{name} {list(given.shape)} do not fit {list(shape)} items to draw") from None


def count_of(shape: tuple[int, ...]) -> int:
    """The number of items of a shape."""
    return int(np.prod(shape, dtype=np.int64))
