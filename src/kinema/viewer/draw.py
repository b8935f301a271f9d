"""Debug drawing in the browser: shows a `kinema.rendering.draw.Draw` as viser nodes.

Each kind is one node, or one per line width, opacity or hole. Nodes are kept: only arrays that changed are sent, and
unused instances are moved out of sight, so that nothing flickers. Limits of the browser: only text is drawn on top of
bodies, and it is black; lines are opaque; ribbons have one colour; captions are left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.rendering.batches import Batches, Rows, TextLabel
from kinema.viewer.colors import LINEAR
from kinema.viewer.instances import AWAY, IDENTITY, padded
from kinema.viewer.surroundings import WORLD

if TYPE_CHECKING:
    import viser

Floats = NDArray[np.float32]
Mesh = tuple[Floats, NDArray[np.uint32]]

_UP = np.array([0, 1, 0], np.float32)
_NOWHERE = np.zeros(3, np.float32)
_PLACES = {
    "stroke": ("start", "end"),
    "sphere": ("center",),
    "cone": ("base", "tip"),
    "disc": ("center",),
    "band": ("corners",),
}
"""Fields of rows that hold points."""

_WIDTHS = 8
"""Maximum number of line widths, because each is a node; if there are more, they are grouped into classes."""

_PLAIN_PIXELS = 12.0
"""Font size of viser's text at scale 1."""


@dataclass
class _Node:
    """A viser node, and the number of its instances."""

    handle: Any
    room: int = 0
    used: bool = True


class DrawNodes:
    """Shows a Draw under one node.

    Args:
        name: name of the node, below the world.
    """

    def __init__(self, server: viser.ViserServer, name: str) -> None:
        self._server, self._name = server, f"{WORLD}/{name}"
        self.frame = server.scene.add_frame(self._name, show_axes=False)
        self._nodes: dict[str, _Node] = {}
        self._labels: list[viser.LabelHandle] = []

    def show(self, draw: Batches, anchor: NDArray[np.floating] = _NOWHERE) -> None:
        """Replace what is shown.

        Args:
            anchor: a point `[3]`, the position of the node. Browsers move nodes faster than they replace points.
        """
        for node in self._nodes.values():
            node.used = False
        with self._server.atomic():
            self.frame.position = anchor
            balls = _all(draw, "sphere", anchor)
            self._lines(_all(draw, "stroke", anchor), balls)
            self._balls(balls)
            self._cones(_all(draw, "cone", anchor))
            self._discs(_all(draw, "disc", anchor))
            self._bands(_all(draw, "band", anchor))
            self._texts([text for text in draw.texts if not text.screen], anchor)
            for node in self._nodes.values():
                node.handle.visible = node.used

    # ---- kinds -------------------------------------------------------------------------------------------------------

    def _lines(self, strokes: Rows, balls: Rows) -> None:
        dots = balls[balls["pixels"] > 0]
        # A dot in pixels is a line without length, with round ends.
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
        self._batch("balls", BALL, rows["center"], None, scales, rows["color"], "standard")

    def _cones(self, rows: Rows) -> None:
        directions = rows["tip"] - rows["base"]
        lengths = np.linalg.norm(directions, axis=-1)
        scales = np.stack([rows["radius"], lengths, rows["radius"]], axis=-1)
        self._batch("cones", CONE, rows["base"], directions, scales, rows["color"], "standard")

    def _discs(self, rows: Rows) -> None:
        for hole in np.unique(rows["hole"]).tolist():
            chosen = rows[rows["hole"] == hole]
            scales = np.repeat(chosen["radius"][:, None], 3, axis=1)
            name = f"discs_{round(1000 * hole)}"
            self._batch(
                name,
                revolved([(hole, 0), (1, 0)]),
                chosen["center"],
                chosen["normal"],
                scales,
                chosen["color"],
                "toon3",
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

    def _texts(self, texts: list[TextLabel], anchor: NDArray[np.floating]) -> None:
        add = self._server.scene.add_label
        while len(self._labels) < len(texts):
            self._labels.append(add(f"{self._name}/text/{len(self._labels)}", "", anchor="center-center"))
        for handle, text in zip(self._labels, texts, strict=False):
            handle.text, handle.anchor, handle.depth_test = text.text, _anchor(*text.anchor), not text.on_top
            if text.pixels:
                handle.font_size_mode, handle.font_screen_scale = "screen", text.size / _PLAIN_PIXELS
            else:
                handle.font_size_mode, handle.font_scene_height = "scene", text.size
            handle.position = np.subtract(text.position, anchor)
        for index, handle in enumerate(self._labels):
            handle.visible = index < len(texts)

    # ---- nodes -------------------------------------------------------------------------------------------------------

    def _batch(
        self,
        name: str,
        mesh: Mesh,
        positions: Floats,
        directions: Floats | None,
        scales: Floats,
        colors: NDArray[np.uint8],
        material: Literal["standard", "toon3"],
    ) -> None:
        """Show instances of a mesh, with its +Y along `directions` `[N, 3]`."""
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
            wxyzs = np.tile(IDENTITY, (count, 1))
            if directions is not None:
                along = directions[chosen]
                along = along / np.maximum(np.linalg.norm(along, axis=-1, keepdims=True), 1e-12)
                wxyzs = rotations.between(np.broadcast_to(_UP, along.shape), along)
            arrays = {
                "batched_positions": padded(positions[chosen], room, AWAY),
                "batched_wxyzs": padded(wxyzs, room, IDENTITY),
                "batched_scales": padded(scales[chosen], room, 1e-6),
                "batched_colors": padded(LINEAR[colors[chosen, :3]], room, 0),
            }
            if suffix:
                arrays["batched_opacities"] = padded(colors[chosen, 3] / np.float32(255), room, 1)
            node = self._put(
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
            node.room = room

    def _put(self, name: str, arrays: dict[str, Any], make: Callable[..., Any]) -> _Node:
        """Make or change a node; viser sends only the arrays that changed."""
        node = self._nodes.get(name)
        if node is None:
            node = self._nodes[name] = _Node(make(f"{self._name}/{name}", **arrays))
        for key, value in arrays.items():
            setattr(node.handle, key, value)
        node.used = True
        return node


def _all(draw: Batches, kind: str, anchor: NDArray[np.floating]) -> Rows:
    """All rows of a kind, relative to a point."""
    rows = np.concatenate([draw.rows(kind), draw.rows(kind, on_top=True)])
    for name in _PLACES[kind]:
        rows[name] = np.subtract(rows[name], anchor)
    return rows


def _anchor(across: float, down: float) -> Any:
    """viser's name of a point of a text, from fractions of its width and height."""
    names = (("top", "center", "bottom"), down), (("left", "center", "right"), across)
    return "-".join(choices[min(max(round(2 * share), 0), 2)] for choices, share in names)


def _by_width(widths: Floats, chosen: NDArray[np.int64]) -> list[tuple[float, NDArray[np.int64]]]:
    """Widths and the indices of their lines."""
    different = np.unique(widths[chosen])
    if len(different) <= _WIDTHS:
        return [(float(width), chosen[widths[chosen] == width]) for width in different]
    classes = np.rint(3 * np.log2(widths[chosen])).astype(np.int64)
    return [(float(2.0 ** (each / 3)), chosen[classes == each]) for each in np.unique(classes)]


def revolved(profile: Sequence[tuple[float, float]], corners: int = 24) -> Mesh:
    """A surface of revolution around +Y: vertices `[V, 3]` and triangles `[K, 3]` that face outwards.

    Args:
        profile: radii and heights, from the top to the bottom; a point that is given twice is a sharp edge.
    """
    radii, heights = np.array(profile, np.float32).T[..., None]
    angles = np.linspace(0, 2 * math.pi, corners + 1, dtype=np.float32)
    vertices = np.stack(np.broadcast_arrays(radii * np.sin(angles), heights, radii * np.cos(angles)), axis=-1)
    index = np.arange(vertices[..., 0].size, dtype=np.uint32).reshape(vertices.shape[:2])
    a, b, c, d = index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]
    faces = np.stack([np.stack([a, b, c], axis=-1), np.stack([a, c, d], axis=-1)])
    return vertices.reshape(-1, 3), faces.reshape(-1, 3)


BALL = revolved([(math.sin(angle), math.cos(angle)) for angle in np.linspace(0, math.pi, 9)], 16)
CONE = revolved([(0, 1), (1, 0), (1, 0), (0, 0)], 20)
"""Both have radius 1. The base of the cone is at the origin, its tip at (0, 1, 0)."""
