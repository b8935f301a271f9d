"""What stands in a scene: upright boxes and columns, what they are called, and files that say so.

A file beside a captured scene, `garden.things.json` beside `garden.ply`, names what stands in it, so that a sentence
can speak of it: `[{"names": ["tree"], "x": 2.0, "z": -1.5, "width": 0.5, "depth": 0.5, "round": true, "height": 4.0}]`.
"""

from __future__ import annotations

import colorsys
import json
import math
import os
from collections.abc import Sequence
from dataclasses import MISSING, asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kinema import rotations
from kinema.arrays import Bools, Floats, Reals
from kinema.errors import FormatError
from kinema.formats.atomic import atomic_write

SUFFIX = ".things.json"
MOST = 10_000
"""Things that a file may name."""

_LARGEST = 1 << 23  # bytes of a file
_HUES = ((18, "red"), (45, "orange"), (70, "yellow"), (165, "green"), (265, "blue"), (300, "purple"), (340, "pink"))
_GREY, _DARK, _LIGHT, _BROWN = 0.15, 0.2, 0.85, 0.65


@dataclass(frozen=True)
class Obstacle:
    """An upright box or column that nobody walks through.

    Attributes:
        x, z: its centre. width, depth: of a box that is turned by `heading`, metres; of a column, its diameter.
        heading: radians. round: whether it is a column.
        names: what it is called, the usual name first. colour: a word; empty for none in particular.
        height: of its top over the ground, metres; 0 is not known.
    """

    x: float
    z: float
    width: float
    depth: float
    heading: float = 0.0
    round: bool = False
    names: tuple[str, ...] = ()
    colour: str = ""
    height: float = 0.0

    @property
    def place(self) -> Floats:
        """x and z of its centre `[2]`, metres."""
        return np.asarray([self.x, self.z])

    def holds(self, points: Reals, margin: float = 0.0) -> Bools:
        """Which points on the ground `[..., 2]` (x, z) are in it, or nearer than a margin."""
        return self.distances(points) < margin

    def distances(self, points: Reals) -> Floats:
        """Metres `[...]` from its outline to points on the ground `[..., 2]` (x, z); negative inside."""
        away = np.asarray(points, np.float64) - self.place
        if self.round:
            return np.linalg.norm(away, axis=-1) - 0.5 * self.width
        sine, cosine = np.sin(self.heading), np.cos(self.heading)
        across = np.abs(away[..., 0] * cosine - away[..., 1] * sine) - 0.5 * self.width
        along = np.abs(away[..., 0] * sine + away[..., 1] * cosine) - 0.5 * self.depth
        outside = np.hypot(np.maximum(across, 0.0), np.maximum(along, 0.0))
        return outside + np.minimum(np.maximum(across, along), 0.0)

    def around(self, margin: float, count: int) -> Floats:
        """Points `[count, 2]` (x, z) around it, `margin` metres from its outline."""
        angles = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
        ways = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
        near, far = np.zeros(count), np.full(count, 0.5 * math.hypot(self.width, self.depth) + margin)
        for _ in range(24):  # the outline is met between the centre and far away
            middle = 0.5 * (near + far)
            inside = self.distances(self.place + middle[:, None] * ways) < margin
            near, far = np.where(inside, middle, near), np.where(inside, far, middle)
        return self.place + far[:, None] * ways

    def moved(self, rotation: ArrayLike, translation: ArrayLike, scale: float = 1.0) -> Obstacle:
        """It in a scene that was scaled, turned and moved; it stays upright. Arguments as for `GaussianScene.moved`."""
        turn = np.asarray(rotation, np.float64)
        place = rotations.rotate(turn, scale * np.asarray([self.x, 0.0, self.z])) + np.asarray(translation, np.float64)
        ahead = rotations.rotate(turn, np.asarray([0.0, 0.0, 1.0]))
        return replace(
            self,
            x=float(place[0]),
            z=float(place[2]),
            width=scale * self.width,
            depth=scale * self.depth,
            heading=self.heading + math.atan2(ahead[0], ahead[2]),
            height=scale * self.height,
        )


def colour_word(colour: ArrayLike) -> str:
    """The usual word for a colour `[3]`, 0 to 1, sRGB, such as "red" or "grey"."""
    hue, saturation, value = colorsys.rgb_to_hsv(*np.clip(np.asarray(colour, np.float64), 0.0, 1.0).tolist())
    if value < _DARK:
        return "black"
    if saturation < _GREY:
        return "white" if value > _LIGHT else "grey"
    word = next((word for end, word in _HUES if 360.0 * hue < end), "red")
    return "brown" if word == "orange" and value < _BROWN else word


def things_path(scene: str | os.PathLike[str]) -> Path:
    """The file that names what stands in the scene of another file."""
    path = Path(scene)
    stem = path.name.removesuffix(path.suffix).removesuffix(".compressed")
    return path.with_name(stem + SUFFIX)


def read_things(path: str | os.PathLike[str]) -> tuple[Obstacle, ...]:
    """What a file says that stands in a scene.

    Raises:
        FormatError: it cannot be read, or a thing in it makes no sense.
    """
    path = os.fspath(path)
    try:
        if os.path.getsize(path) > _LARGEST:
            raise FormatError(f"is larger than {_LARGEST >> 20} MB", path=path)
        text = Path(path).read_text("utf-8")
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", path=path) from error
    except UnicodeDecodeError as error:
        raise FormatError("is not UTF-8 text", path=path) from error
    return things_of(text, path)


def things_of(text: str, path: str = "") -> tuple[Obstacle, ...]:
    """What a text in JSON says that stands in a scene; errors as for `read_things`."""
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"is not JSON: {error}", path=path) from error
    if not isinstance(rows, list) or len(rows) > MOST:
        raise FormatError(f"is no list of up to {MOST:,} things", path=path)
    return tuple(_thing(row, number, path) for number, row in enumerate(rows))


def write_things(things: Sequence[Obstacle], path: str | os.PathLike[str]) -> None:
    """Write a file that `read_things` reads.

    Raises:
        WriteError: the file cannot be written.
    """
    atomic_write(path, things_data(things))


def things_data(things: Sequence[Obstacle]) -> bytes:
    """The file that `read_things` reads."""
    usual = {field.name: field.default for field in fields(Obstacle) if field.default is not MISSING}
    rows = [{key: value for key, value in asdict(thing).items() if value != usual.get(key)} for thing in things]
    lines = ",\n".join(f" {json.dumps(row)}" for row in rows)
    return f"[\n{lines}\n]\n".encode()


def _thing(row: Any, number: int, path: str) -> Obstacle:
    said = f"thing {number + 1}"
    if not isinstance(row, dict):
        raise FormatError(f"{said} is no object of names and numbers", path=path)
    known = {field.name for field in fields(Obstacle)}
    if strange := sorted(set(row) - known):
        raise FormatError(f"{said} has {strange[0]!r}; there are: {', '.join(sorted(known))}", path=path)
    names, numbers = row.get("names"), {}
    if not isinstance(names, list) or not names or not all(isinstance(name, str) and name for name in names):
        raise FormatError(f'{said} has no list of names, such as ["lamp", "street lamp"]', path=path)
    for key in ("x", "z", "width", "depth", "heading", "height"):
        value = row.get(key, None if key in ("x", "z", "width", "depth") else 0.0)
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e6:
            raise FormatError(f"{said} has no number {key!r} in metres or radians", path=path)
        numbers[key] = float(value)
    if min(numbers["width"], numbers["depth"]) <= 0 or numbers["height"] < 0:
        raise FormatError(f"{said} has a size that is not positive", path=path)
    colour, is_round = row.get("colour", ""), row.get("round", False)
    if not isinstance(colour, str) or not isinstance(is_round, bool):
        raise FormatError(f"{said}: 'colour' is a word, and 'round' true or false", path=path)
    return Obstacle(**numbers, round=is_round, names=tuple(name.lower() for name in names), colour=colour)
