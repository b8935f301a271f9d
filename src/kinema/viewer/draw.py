"""Debug drawing in the browser: the same `kinema.rendering.draw.Draw` that the renderer and the window show.

Each kind is one node of viser's, or one for each line width, opacity or hole. Nodes are made once; afterwards only
arrays that changed are sent, and instances that are not needed wait out of sight, so that nothing flickers. What the
browser cannot do is left out: only text is seen through bodies, and it is black; lines are opaque, colours do not fade
along ribbons, and captions belong to the page.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.rendering.batches import Batches, Label, Rows
from kinema.viewer.colors import LINEAR
from kinema.viewer.surroundings import WORLD

if TYPE_CHECKING:
    import viser

Floats = NDArray[np.float32]
Mesh = tuple[Floats, NDArray[np.uint32]]

_UP = np.array([0, 1, 0], np.float32)
_AWAY = np.array([0, -1000, 0], np.float32)
_NOWHERE = np.zeros(3, np.float32)
_PLACES = {
    "stroke": ("start", "end"),
    "sphere": ("center",),
    "cone": ("base", "tip"),
    "disc": ("center",),
    "band": ("corners",),
}
"""Fields of rows that are points."""

_WIDTHS = 8
"""Lines of more different widths than this are sorted into classes of width, for each width is a node."""

_PLAIN_PIXELS = 12.0
"""Size of the font of viser's text of scale 1."""


@dataclass
class _Node:
    """A node of viser's, and what it shows."""

    handle: Any
    shown: dict[str, Any] = field(default_factory=dict)
    room: int = 0
    used: bool = True


class DrawNodes:
    """Shows one Draw at a time under a node of its own.

    Args:
        name: of the node, below the world; everything is drawn in its frame.
    """

    def __init__(self, server: viser.ViserServer, name: str, visible: bool = True) -> None:
        self._server, self._name = server, f"{WORLD}/{name}"
        self.frame = server.scene.add_frame(self._name, show_axes=False, visible=visible)
        self._nodes: dict[str, _Node] = {}
        self._labels: list[viser.LabelHandle] = []

    @property
    def visible(self) -> bool:
        return self.frame.visible

    @visible.setter
    def visible(self, value: bool) -> None:
        if value != self.frame.visible:
            self.frame.visible = value

    def show(self, draw: Batches, anchor: NDArray[np.floating] = _NOWHERE) -> None:
        """Replace what is shown.

        Args:
            anchor: a point `[3]` that the node stands at, so that everything moves with it at once; browsers replace
                points later than they move nodes.
        """
        for node in self._nodes.values():
            node.used = False
        with self._server.atomic():
            if not np.array_equal(self.frame.position, anchor):
                self.frame.position = anchor
            balls = _all(draw, "sphere", anchor)
            self._lines(_all(draw, "stroke", anchor), balls)
            self._balls(balls)
            self._cones(_all(draw, "cone", anchor))
            self._discs(_all(draw, "disc", anchor))
            self._bands(_all(draw, "band", anchor))
            self._texts([text for text in draw.texts if not text.screen], anchor)
            for node in self._nodes.values():
                if node.handle.visible != node.used:
                    node.handle.visible = node.used

    def clear(self) -> None:
        """Take everything away; the nodes too."""
        for handle in [*(node.handle for node in self._nodes.values()), *self._labels]:
            handle.remove()
        self._nodes, self._labels = {}, []

    def remove(self) -> None:
        """Take it off the stage for good."""
        self.clear()
        self.frame.remove()

    # ---- one kind each -----------------------------------------------------------------------------------------------

    def _lines(self, strokes: Rows, balls: Rows) -> None:
        dots = balls[balls["pixels"] > 0]
        # A dot of some pixels is a line of no length, with round ends.
        starts = np.concatenate([strokes["start"], dots["center"]])
        ends = np.concatenate([strokes["end"], dots["center"] + np.float32(1e-5)])
        colors = np.stack([strokes["color"], strokes["end_color"]], axis=1)[..., :3]
        colors = np.concatenate([colors, np.repeat(dots["color"][:, None, :3], 2, axis=1)])
        widths = np.concatenate([strokes["width"], 2 * dots["radius"]])
        pixels = np.concatenate([strokes["pixels"], dots["pixels"]]) > 0
        units: tuple[tuple[Literal["world", "screen"], NDArray[np.bool_]], ...] = (
            ("world", ~pixels),
            ("screen", pixels),
        )
        for unit, here in units:
            for index, (width, chosen) in enumerate(_by_width(widths, np.flatnonzero(here & (widths > 0)))):
                arrays = {
                    "points": np.stack([starts[chosen], ends[chosen]], axis=1),
                    "colors": LINEAR[colors[chosen]],
                    "thickness": width,
                }
                self._put(
                    f"lines_{unit}_{index}",
                    arrays,
                    partial(self._server.scene.add_line_segments, thickness_units=unit),
                )

    def _balls(self, rows: Rows) -> None:
        rows = rows[rows["pixels"] == 0]
        scales = np.repeat(rows["radius"][:, None], 3, axis=1)
        self._batch("balls", sphere(1.0), rows["center"], None, scales, rows["color"], "standard")

    def _cones(self, rows: Rows) -> None:
        ways = rows["tip"] - rows["base"]
        lengths = np.linalg.norm(ways, axis=-1)
        scales = np.stack([rows["radius"], lengths, rows["radius"]], axis=-1)
        self._batch("cones", cone(), rows["base"], ways, scales, rows["color"], "standard")

    def _discs(self, rows: Rows) -> None:
        for hole in np.unique(rows["hole"]).tolist():
            chosen = rows[rows["hole"] == hole]
            scales = np.repeat(chosen["radius"][:, None], 3, axis=1)
            name = f"discs_{round(1000 * hole)}"
            self._batch(
                name, disc(1.0, hole=hole), chosen["center"], chosen["normal"], scales, chosen["color"], "toon3"
            )

    def _bands(self, rows: Rows) -> None:
        for index, color in enumerate(np.unique(rows["color"], axis=0)):
            chosen = rows[(rows["color"] == color).all(axis=-1)]
            faces = np.array([[0, 2, 1], [1, 2, 3]]) + 4 * np.arange(len(chosen))[:, None, None]
            arrays = {
                "vertices": chosen["corners"].reshape(-1, 3),
                "faces": faces.reshape(-1, 3).astype(np.uint32),
                "color": tuple(color[:3].tolist()),
                "opacity": None if color[3] == 255 else float(color[3]) / 255,
            }
            self._put(
                f"bands_{index}",
                arrays,
                lambda name, **arrays: self._server.scene.add_mesh_simple(
                    name, side="double", material="toon3", cast_shadow=False, receive_shadow=False, **arrays
                ),
            )

    def _texts(self, texts: list[Label], anchor: NDArray[np.floating]) -> None:
        add = self._server.scene.add_label
        while len(self._labels) < len(texts):
            self._labels.append(add(f"{self._name}/text/{len(self._labels)}", "", anchor="center-center"))
        for handle, text in zip(self._labels, texts, strict=False):
            place: Any = "-".join(
                names[min(max(round(2 * share), 0), 2)]
                for names, share in zip(
                    (("top", "center", "bottom"), ("left", "center", "right")), reversed(text.anchor), strict=True
                )
            )
            wanted = {
                "text": text.text,
                "anchor": place,
                "depth_test": not text.on_top,
                "font_size_mode": "screen" if text.pixels else "scene",
                ("font_screen_scale" if text.pixels else "font_scene_height"): text.size / _PLAIN_PIXELS
                if text.pixels
                else text.size,
            }
            for name, value in wanted.items():
                if getattr(handle, name) != value:
                    setattr(handle, name, value)
            handle.position = np.subtract(text.position, anchor)
        for index, handle in enumerate(self._labels):
            if handle.visible != (index < len(texts)):
                handle.visible = index < len(texts)

    # ---- nodes -------------------------------------------------------------------------------------------------------

    def _batch(
        self,
        name: str,
        mesh: Mesh,
        positions: Floats,
        ways: Floats | None,
        scales: Floats,
        colors: NDArray[np.uint8],
        material: Literal["standard", "toon3"],
    ) -> None:
        """Instances of a mesh; its +Y turned along `ways` `[N, 3]`."""
        clear = colors[:, 3] < 255
        for suffix, chosen in (("", ~clear), ("_clear", clear)):
            count = int(chosen.sum())
            node = self._nodes.get(name + suffix)
            if not count:
                continue
            room = count if node is None else node.room
            if node is not None and count > node.room:
                node.handle.remove()
                del self._nodes[name + suffix]
                room = max(count, 2 * node.room)
            turned = np.tile(np.array([1, 0, 0, 0], np.float32), (room, 1))
            placed, sizes = np.tile(_AWAY, (room, 1)), np.full((room, 3), 1e-6, np.float32)
            tones, opacities = np.zeros((room, 3), np.uint8), np.ones(room, np.float32)
            placed[:count], sizes[:count] = positions[chosen], scales[chosen]
            tones[:count] = LINEAR[colors[chosen, :3]]
            opacities[:count] = colors[chosen, 3] / np.float32(255)
            if ways is not None:
                along = ways[chosen] / np.maximum(np.linalg.norm(ways[chosen], axis=-1, keepdims=True), 1e-12)
                turned[:count] = rotations.between(np.broadcast_to(_UP, along.shape), along)
            arrays = {
                "batched_positions": placed,
                "batched_wxyzs": turned,
                "batched_scales": sizes,
                "batched_colors": tones,
                **({"batched_opacities": opacities} if suffix else {}),
            }
            made = self._put(
                name + suffix,
                arrays,
                lambda path, **arrays: self._server.scene.add_batched_meshes_simple(
                    path,
                    *mesh,
                    lod="off",
                    side="double",
                    cast_shadow=False,
                    receive_shadow=False,
                    material=material,
                    **arrays,
                ),
            )
            made.room = room

    def _put(self, name: str, arrays: dict[str, Any], make: Callable[..., Any]) -> _Node:
        """Make a node, or give one that is there what changed."""
        node = self._nodes.get(name)
        if node is None:
            node = self._nodes[name] = _Node(make(f"{self._name}/{name}", **arrays), arrays)
        for key, value in arrays.items():
            if not np.array_equal(node.shown[key], value):
                setattr(node.handle, key, value)
                node.shown[key] = value
        node.used = True
        return node


def _all(draw: Batches, kind: str, anchor: NDArray[np.floating]) -> Rows:
    """A copy of all rows of a kind, on top or not, relative to a point."""
    rows = np.concatenate([draw.rows(kind), draw.rows(kind, on_top=True)])
    for name in _PLACES[kind]:
        rows[name] = np.subtract(rows[name], anchor)
    return rows


def _by_width(widths: Floats, chosen: NDArray[np.int64]) -> list[tuple[float, NDArray[np.int64]]]:
    """Indices by width."""
    different = np.unique(widths[chosen])
    if len(different) <= _WIDTHS:
        return [(float(width), chosen[widths[chosen] == width]) for width in different]
    classes = np.rint(3 * np.log2(widths[chosen])).astype(np.int64)
    return [(float(2.0 ** (each / 3)), chosen[classes == each]) for each in np.unique(classes)]


def disc(radius: float, corners: int = 28, hole: float = 0.0) -> Mesh:
    """A flat disc in the ground plane: vertices `[V, 3]` and triangles `[K, 3]` that face up.

    Args:
        hole: share of the radius that is left out in the middle.
    """
    angle = np.arange(corners) * (2 * math.pi / corners)
    rim = np.stack([np.sin(angle), np.zeros(corners), np.cos(angle)], axis=-1) * radius
    vertices = np.concatenate([hole * rim, rim]).astype(np.float32)
    inner = np.arange(corners)
    after = (inner + 1) % corners
    first = np.stack([inner, inner + corners, after + corners], axis=-1)
    second = np.stack([inner, after + corners, after], axis=-1)
    return vertices, np.concatenate([first, second] if hole > 0 else [first]).astype(np.uint32)


def cone(corners: int = 20) -> Mesh:
    """A closed cone of radius 1 around the origin with its tip at (0, 1, 0): vertices and triangles that face outwards.

    Sides and bottom have vertices of their own, so that the rim stays sharp.
    """
    angle = np.arange(corners) * (2 * math.pi / corners)
    rim = np.stack([np.sin(angle), np.zeros(corners), np.cos(angle)], axis=-1)
    tips = np.tile([[0.0, 1.0, 0.0]], (corners, 1))
    ring, after = np.arange(corners), (np.arange(corners) + 1) % corners
    sides = np.stack([ring, after, ring + corners], axis=-1)
    bottom = np.stack([after + 2 * corners, ring + 2 * corners, np.full(corners, 3 * corners)], axis=-1)
    return (
        np.concatenate([rim, tips, rim, np.zeros((1, 3))]).astype(np.float32),
        np.concatenate([sides, bottom]).astype(np.uint32),
    )


def sphere(radius: float, rings: int = 8) -> Mesh:
    """A sphere: vertices `[V, 3]` and triangles `[K, 3]` that face outwards."""
    down = np.linspace(0, math.pi, rings + 1)[:, None]
    around = np.linspace(0, 2 * math.pi, 2 * rings + 1)
    across = np.sin(down)
    grid = np.stack([across * np.sin(around), np.cos(down) + 0 * around, across * np.cos(around)], axis=-1)
    index = np.arange(grid[..., 0].size).reshape(grid.shape[:2])
    a, b, c, d = index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]
    faces = np.stack([np.stack([a, b, c], -1), np.stack([a, c, d], -1)]).reshape(-1, 3)
    return (radius * grid).reshape(-1, 3).astype(np.float32), faces.astype(np.uint32)
