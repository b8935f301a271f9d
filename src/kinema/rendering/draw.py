"""Debug drawing: lines, arrows, skeletons, paths, contacts and text, collected as arrays.

A `Draw` does not depend on a screen. It collects batches of a few kinds (see `kinema.rendering.batches`) that a
backend draws with one call for each kind: the renderer and the window with `kinema.rendering.passes.debug`, the browser
with `kinema.viewer.draw`.

All calls have in common: positions are metres in the world with any leading dimensions, `[..., 3]`; colours are sRGB
`(r, g, b)` or `(r, g, b, a)` from 0 to 1, one for all or one per item, broadcast; widths, radii and sizes are metres
unless `pixels=True`; with `on_top=True` an item is visible through everything, otherwise nearer surfaces hide it. Items
with a value that is not finite are left out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from kinema import rotations
from kinema.errors import KinemaError
from kinema.rendering import outlines
from kinema.rendering.batches import Batches, as_colors, as_points, common_shape, count_of, spread

INK = (0.12, 0.14, 0.19)
LEFT, RIGHT = (0.20, 0.48, 0.78), (0.90, 0.40, 0.20)
PALE = (0.50, 0.54, 0.60)
PATH = (0.25, 0.44, 0.85)
FORCE = (0.84, 0.20, 0.43)
AXES = ((0.86, 0.22, 0.24), (0.25, 0.66, 0.28), (0.20, 0.42, 0.90))
"""Colours of +X, +Y and +Z."""

_LIFT = 0.004
"""Metres above the ground for marks on it."""

_SHORTEST = 0.001
"""Metres: arrows shorter than this are not drawn."""


class Draw(Batches):
    """Collects what is drawn over one picture. Fill it, pass it to a backend, `clear` it, and fill it again.

    Raises, in all calls:
        KinemaError: an array has a wrong shape.
    """

    # ---- shapes ------------------------------------------------------------------------------------------------------

    def segments(
        self,
        starts: ArrayLike,
        ends: ArrayLike,
        color: ArrayLike = INK,
        width: ArrayLike = 0.01,
        pixels: bool = False,
        on_top: bool = False,
    ) -> None:
        """Straight lines from `starts` to `ends`, both `[..., 3]`."""
        begin, end = as_points(starts, "starts"), as_points(ends, "ends")
        shape = common_shape(begin, end)
        self.fill_strokes(begin, end, as_colors(color, shape), None, width, pixels, on_top, shape)

    def line(
        self,
        points: ArrayLike,
        color: ArrayLike = INK,
        width: ArrayLike = 0.01,
        pixels: bool = False,
        on_top: bool = False,
        closed: bool = False,
    ) -> None:
        """Lines through points `[..., N, 3]` with joined corners; a colour for each point is blended along the line.

        Args:
            width: one, or one for each step `[..., N - 1]`.
            closed: join the last point to the first.
        """
        through = as_points(points, "points", 2)
        colors = as_colors(color, through.shape[:-1])
        if closed and through.shape[-2] > 2:
            through = np.concatenate([through, through[..., :1, :]], axis=-2)
            colors = np.concatenate([colors, colors[..., :1, :]], axis=-2)
        if through.shape[-2] < 2:
            return
        start, end = through[..., :-1, :], through[..., 1:, :]
        rows = self.fill_strokes(
            start, end, colors[..., :-1, :], colors[..., 1:, :], width, pixels, on_top, start.shape[:-1]
        )
        rows = rows.reshape(start.shape[:-1])
        rows["before"][..., 1:, :] = through[..., :-2, :]
        rows["after"][..., :-1, :] = through[..., 2:, :]
        if closed and through.shape[-2] > 3:
            rows["before"][..., 0, :] = through[..., -2, :]
            rows["after"][..., -1, :] = through[..., 1, :]

    def spheres(
        self,
        centers: ArrayLike,
        radii: ArrayLike = 0.02,
        color: ArrayLike = INK,
        pixels: bool = False,
        on_top: bool = False,
    ) -> None:
        """Shaded balls around `centers` `[..., 3]`."""
        places = as_points(centers, "centers")
        shape = places.shape[:-1]
        thick, colors = spread(radii, shape, "radii"), as_colors(color, shape)
        rows = self.add("sphere", count_of(shape), on_top).reshape(shape)
        rows["center"], rows["radius"], rows["color"], rows["pixels"] = places, thick, colors, pixels

    def points(self, positions: ArrayLike, color: ArrayLike = INK, size: float = 6.0, on_top: bool = False) -> None:
        """Dots at `[..., 3]` that are `size` pixels wide at any distance."""
        self.spheres(positions, size / 2, color, pixels=True, on_top=on_top)

    def arrows(
        self,
        starts: ArrayLike,
        vectors: ArrayLike,
        color: ArrayLike = FORCE,
        width: ArrayLike = 0.016,
        on_top: bool = False,
    ) -> None:
        """Arrows from `starts` `[..., 3]` along `vectors` `[..., 3]`; very short ones are left out.

        Args:
            width: width of the shaft; the head is three times as wide.
        """
        begin, ways = as_points(starts, "starts"), as_points(vectors, "vectors")
        shape = common_shape(begin, ways)
        colors = as_colors(color, shape).reshape(-1, 4)
        thick = spread(width, shape, "widths").reshape(-1)
        begin, ways = (spread(array, (*shape, 3), "points").reshape(-1, 3) for array in (begin, ways))
        lengths = np.linalg.norm(ways, axis=-1)
        long = lengths > _SHORTEST
        begin, ways, thick, lengths, colors = begin[long], ways[long], thick[long], lengths[long], colors[long]
        head = np.minimum(4.0 * thick, 0.6 * lengths)
        base = (begin + ways * (1 - head / lengths)[:, None]).astype(np.float32)
        # The shaft gets thinner with the head, so that a short arrow is a small arrow.
        thick = np.minimum(thick, head / 3.0)
        self.fill_strokes(begin, base, colors, None, thick, False, on_top, (len(begin),))
        rows = self.add("cone", len(begin), on_top)
        rows["base"], rows["tip"], rows["radius"], rows["color"] = base, begin + ways, 1.5 * thick, colors

    def axes(
        self,
        positions: ArrayLike,
        quaternions: ArrayLike,
        size: float = 0.1,
        width: float | None = None,
        on_top: bool = False,
    ) -> None:
        """Axes at `positions` `[..., 3]` with rotations `[..., 4]`: +X red, +Y green, +Z blue."""
        places, turns = as_points(positions, "positions"), np.asarray(quaternions, np.float32)
        if turns.shape[-1:] != (4,):
            raise KinemaError(f"rotations to draw must be [..., 4], not {list(turns.shape)}")
        # Rows of the transposed matrix are the images of the three axes.
        ways = np.asarray(size * np.swapaxes(rotations.to_matrix(turns), -1, -2), np.float32)
        self.segments(
            places[..., None, :],
            places[..., None, :] + ways,
            AXES,
            0.08 * size if width is None else width,
            on_top=on_top,
        )

    def discs(
        self,
        centers: ArrayLike,
        normals: ArrayLike = (0, 1, 0),
        radii: ArrayLike = 0.08,
        color: ArrayLike = INK,
        hole: ArrayLike = 0.0,
        on_top: bool = False,
    ) -> None:
        """Flat discs around `[..., 3]`, facing along `normals` `[..., 3]`.

        Args:
            hole: radius of the hole as a share: 0.8 is a ring.
        """
        places = as_points(centers, "centers")
        shape = places.shape[:-1]
        facing = spread(as_points(normals, "normals"), places.shape, "normals")
        sizes, holes, colors = spread(radii, shape, "radii"), spread(hole, shape, "holes"), as_colors(color, shape)
        rows = self.add("disc", count_of(shape), on_top).reshape(shape)
        rows["center"], rows["normal"], rows["radius"], rows["hole"] = places, facing, sizes, holes
        rows["color"] = colors

    def ribbon(
        self,
        points: ArrayLike,
        width: float = 0.06,
        color: ArrayLike = PATH,
        dashes: tuple[float, float] | None = None,
        on_top: bool = False,
    ) -> None:
        """A level band along points `[N, 3]`, for paths on the ground.

        Args:
            color: one, or (without dashes) one for each point.
            dashes: lengths of dashes and gaps, metres.
        """
        path = as_points(points, "points", 2)
        if path.ndim != 2:
            raise KinemaError(f"the points of a ribbon must be [N, 3], not {list(path.shape)}")
        keep = np.concatenate([[True], np.abs(np.diff(path, axis=0)).max(axis=-1) > 1e-7])[: len(path)]
        colors = as_colors(color, path.shape[:-1])[keep]
        path = path[keep]
        if len(path) < 2:
            return
        pieces = [path] if dashes is None else outlines.dashes(path, *dashes)
        for piece in pieces:
            corners = outlines.ribbon(piece, width)
            rows = self.add("band", len(corners), on_top)
            rows["corners"] = corners
            rows["color"], rows["end_color"] = (
                (colors[:1], colors[:1]) if dashes else (colors[: len(corners)], colors[1 : len(corners) + 1])
            )

    def boxes(
        self,
        centers: ArrayLike,
        sizes: ArrayLike,
        quaternions: ArrayLike = (1, 0, 0, 0),
        color: ArrayLike = INK,
        width: float = 1.5,
        pixels: bool = True,
        on_top: bool = False,
    ) -> None:
        """Wireframe boxes around `[..., 3]` with `sizes` `[..., 3]` and rotations `[..., 4]`."""
        places = as_points(centers, "centers")
        shape = places.shape[:-1]
        edges = outlines.boxes(
            places.reshape(-1, 3),
            spread(quaternions, (*shape, 4), "rotations").reshape(-1, 4),
            spread(as_points(sizes, "sizes"), places.shape, "sizes").reshape(-1, 3),
        )
        colors = as_colors(color, shape).reshape(-1, 1, 4)
        self.segments(edges[..., 0, :], edges[..., 1, :], colors, width, pixels, on_top)

    def capsules(
        self,
        starts: ArrayLike,
        ends: ArrayLike,
        radii: ArrayLike,
        color: ArrayLike = INK,
        width: float = 1.5,
        pixels: bool = True,
        on_top: bool = False,
    ) -> None:
        """Wireframe capsules whose round ends have their centres at `starts` and `ends`, `[..., 3]`."""
        begin, end = as_points(starts, "starts"), as_points(ends, "ends")
        shape = common_shape(begin, end)
        begin, end = (spread(array, (*shape, 3), "points").reshape(-1, 3) for array in (begin, end))
        colors = as_colors(color, shape).reshape(-1, 1, 1, 4)
        for lines in outlines.capsules(begin, end, spread(radii, shape, "radii").reshape(-1)):
            self.line(lines, colors, width, pixels, on_top)

    def text(
        self,
        positions: ArrayLike,
        strings: str | Sequence[str],
        size: float = 0.08,
        color: ArrayLike = INK,
        pixels: bool = False,
        on_top: bool = False,
        anchor: tuple[float, float] = (0.5, 0.5),
    ) -> None:
        """Text that faces the viewer at `positions` `[..., 3]`: a string for each, or one string at `[3]`.

        Args:
            size: size of the font; lines are 1.2 times as high.
            anchor: the point of the text that is at the position, from (0, 0) top left to (1, 1) bottom right.
        """
        self.add_texts(as_points(positions, "positions"), strings, size, color, pixels, on_top, anchor, screen=False)

    def caption(
        self,
        places: ArrayLike,
        strings: str | Sequence[str],
        size: float = 14.0,
        color: ArrayLike = INK,
        anchor: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        """Text on the picture, always on top.

        Args:
            places: `[2]` or `[n, 2]`, pixels right and down of the top left corner; negative ones count from the
                right and bottom edges.
            size: size of the font, pixels; lines are 1.2 times as high.
        """
        at = np.asarray(places, np.float32)
        if at.shape[-1:] != (2,):
            raise KinemaError(f"places of captions must be [..., 2], not {list(at.shape)}")
        flat = np.concatenate([at, np.zeros((*at.shape[:-1], 1), np.float32)], axis=-1)
        self.add_texts(flat, strings, size, color, True, True, anchor, screen=True)

    # ---- explanations of a motion ------------------------------------------------------------------------------------

    def skeleton(
        self,
        parents: ArrayLike,
        positions: ArrayLike,
        color: ArrayLike = INK,
        width: float = 0.014,
        joints: float = 1.1,
        pixels: bool = False,
        on_top: bool = False,
    ) -> None:
        """Skeletons: a line from each joint to its parent, and a ball at each joint.

        Args:
            parents: `[J]`, -1 for roots.
            positions: `[..., J, 3]`, any number of skeletons in one call.
            color: one; one per skeleton `[..., 1, C]`; or one per joint and its bone `[J, C]`.
            joints: radius of the balls over the width of the lines; 0 draws none.
        """
        places, up = as_points(positions, "positions", 2), np.asarray(parents)
        if up.shape != places.shape[-2:-1]:
            raise KinemaError(f"{places.shape[-2]} joints cannot be drawn with the parents of {up.size}")
        colors = as_colors(color, places.shape[:-1])
        children = np.flatnonzero(up >= 0)
        ends = places[..., up[children], :], places[..., children, :]
        self.segments(*ends, colors[..., children, :], width, pixels, on_top)
        if joints > 0:
            self.spheres(places, joints * width, colors, pixels, on_top)

    def trajectory(
        self,
        positions: ArrayLike,
        directions: ArrayLike | None = None,
        color: ArrayLike = PATH,
        width: float = 0.012,
        ticks: float = 0.16,
        dots: bool = True,
        on_top: bool = False,
    ) -> None:
        """Paths through `positions` `[..., T, 3]` with dots, and arrows in the directions the character faces.

        Args:
            directions: `[..., T, 3]`, unit, world; None draws no arrows.
            color: one, one per path `[..., 1, C]` or one per point `[..., T, C]` (to fade out the past, for instance).
            ticks: length of the arrows.
        """
        places = as_points(positions, "positions", 2)
        colors = as_colors(color, places.shape[:-1])
        self.line(places, colors, width, on_top=on_top)
        if dots:
            self.spheres(places, 1.3 * width, colors, on_top=on_top)
        if directions is not None:
            self.arrows(places, ticks * as_points(directions, "directions", 2), colors, 0.8 * width, on_top)

    def contacts(
        self,
        positions: ArrayLike,
        contacts: ArrayLike,
        color: ArrayLike | None = None,
        radius: float = 0.14,
        ground: ArrayLike | None = 0.0,
        on_top: bool = False,
    ) -> None:
        """A disc under each foot: full and bright during contact, a small pale ring otherwise.

        Args:
            positions: `[..., C, 3]`.
            contacts: `[..., C]`, foot contact from 0 to 1.
            color: during contact, one or one per foot; None alternates the colours of left and right.
            ground: height of the discs, one or `[..., C]`; None leaves them at the feet.
        """
        places = as_points(positions, "positions", 2)
        touching = spread(contacts, places.shape[:-1], "contacts") > 0.5
        if ground is not None:
            places = places.copy()
            places[..., 1] = np.asarray(ground) + _LIFT
        sides = np.array([LEFT, RIGHT])[np.arange(places.shape[-2]) % 2] if color is None else color
        colors = np.where(touching[..., None], as_colors(sides, touching.shape), as_colors(PALE, touching.shape))
        self.discs(
            places, (0, 1, 0), np.where(touching, radius, 0.5 * radius), colors, np.where(touching, 0.0, 0.6), on_top
        )
