"""What is around the people of training clips: plain and graded backgrounds, made worlds, and captured scenes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np
from scipy.ndimage import binary_dilation, distance_transform_edt

from kinema.arrays import Bools, Floats, Reals
from kinema.errors import SceneError
from kinema.rendering.film.sightlines import Blocks
from kinema.rendering.splats.light import light_of
from kinema.rendering.view import Color, Floor, Sky, Sun
from kinema.terrain import Ground, Plane
from kinema.worlds.gaussians import GaussianScene
from kinema.worlds.grounding import recover_ground
from kinema.worlds.made import MadeWorld, daylight, make_world

PLAIN, GRADED = "plain", "graded"
"""Names of backgrounds without a scene."""

_CELL = 0.1  # metres
_EDGE = 0.3  # metres from the border of a made world that nobody walks on
_SPARSEST = 0.15  # metres between the discs of made worlds
_PIXELS = 8.0  # disc spacing times the height of the picture in pixels, metres: a pixel and a half at five metres
_BESIDE = np.asarray([[0, 1, 0], [1, 1, 1], [0, 1, 0]], np.bool_)[:, None]  # a block and those to its sides
_LUMINANCE = np.asarray([0.2126, 0.7152, 0.0722])
_LOW, _HIGH = 0.02, 0.98  # shares of the splats of a captured scene between which a camera stands


@dataclass(frozen=True, eq=False)
class Scenery:
    """Where clips take place.

    Attributes:
        name: of the scene, or `PLAIN` or `GRADED`.
        kind: "plain", "graded", the kind of a made world, or "captured".
        ground: what is walked on.
        sun, sky: light. floor: drawn floor; None where a scene has its own.
        scene: Gaussians around; None without.
        room: metres `[Z, X]` of free ground around each cell; None is free everywhere.
        origin: x and z of the first cell, metres.
        low, high: corners (x, z) between which cameras stand; None is anywhere.
    """

    name: str
    kind: str
    ground: Ground
    sun: Sun
    sky: Sky
    floor: Floor | None = None
    scene: GaussianScene | None = None
    room: Floats | None = None
    origin: tuple[float, float] = (0.0, 0.0)
    cell: float = _CELL
    low: tuple[float, float] | None = None
    high: tuple[float, float] | None = None

    def room_at(self, points: Reals) -> Floats:
        """Metres of free ground around points `[..., 2]` (x, z); 0 where nobody can be."""
        if self.room is None:
            return np.full(np.shape(points)[:-1], np.inf)
        places = np.rint((np.asarray(points, np.float64) - np.asarray(self.origin)) / self.cell).astype(np.int64)
        column, row = places[..., 0], places[..., 1]
        inside = (row >= 0) & (column >= 0) & (row < self.room.shape[0]) & (column < self.room.shape[1])
        found = self.room[np.where(inside, row, 0), np.where(inside, column, 0)]
        return np.where(inside, found, 0.0)

    def within(self, points: Reals) -> Bools:
        """Which points `[..., 3]` a camera may stand at, as far as the borders go."""
        if self.low is None or self.high is None:
            return np.ones(np.shape(points)[:-1], np.bool_)
        level = np.asarray(points)[..., [0, 2]]
        return np.asarray(((level >= self.low) & (level <= self.high)).all(axis=-1))

    @cached_property
    def blocks(self) -> Blocks | None:
        """What hides things, on a grid, a block wider to the sides than it is; None if there is nothing."""
        if self.scene is None:
            return None
        found = Blocks.of(self.scene)
        return replace(found, taken=binary_dilation(found.taken, _BESIDE))


def backdrop(rng: np.random.Generator) -> Scenery:
    """A plain or graded background with a floor, in colours of its own."""
    tone = _linear(rng.uniform(0.25, 0.92, 3) if rng.random() < 0.6 else np.full(3, rng.uniform(0.15, 0.95)))
    azimuth, height = rng.uniform(-np.pi, np.pi), rng.uniform(0.7, 1.3)
    sun = Sun((0.7 * np.sin(azimuth), height, 0.7 * np.cos(azimuth)), intensity=float(rng.uniform(2.6, 3.8)))
    if rng.random() < 0.5:
        floor = Floor(color=tone, line=tone, cell=0.0, fade=12.0)
        return Scenery(PLAIN, PLAIN, Plane(), sun, Sky(backdrop=(*tone, 1.0)), floor)
    high, low = _linear(rng.uniform(0.3, 0.9, 3)), _linear(rng.uniform(0.4, 0.95, 3))
    floor = Floor(color=tone, line=_mixed(tone, 0.7), cell=float(rng.choice([0.0, 0.5, 1.0])), fade=15.0)
    return Scenery(GRADED, GRADED, Plane(), sun, Sky(zenith=high, horizon=low), floor)


def made(kind: str, seed: int, size: int) -> Scenery:
    """A made world for pictures that are `size` pixels high; what is free in it is known."""
    world = make_world(kind, seed)
    scene = world.scene(spacing=float(np.clip(_PIXELS / size, 0.04, _SPARSEST)), seed=seed)
    sun, sky = _light_of_made_worlds()
    low, high = np.asarray(world.low), np.asarray(world.high)
    return Scenery(
        f"{kind}-{seed}",
        kind,
        world.ground,
        sun,
        _with_horizon(sky),
        scene=scene,
        room=_room(world, low, high),
        origin=(float(low[0]), float(low[1])),
        low=(float(low[0]) + 0.2, float(low[1]) + 0.2),
        high=(float(high[0]) - 0.2, float(high[1]) - 0.2),
    )


def captured(scene: GaussianScene, name: str) -> Scenery:
    """A scene of a file, whose ground is recovered.

    Raises:
        SceneError: there is no ground on which anybody can walk.
    """
    ground = recover_ground(scene)
    if not ground.walkable.any():
        raise SceneError(
            f"{name}: nobody can walk anywhere in this scene; kinema scene convert --clean --level may help"
        )
    sun, sky = light_of(scene)
    low, high = np.quantile(scene.means[:, [0, 2]].astype(np.float64), (_LOW, _HIGH), axis=0)
    padded = np.asarray(distance_transform_edt(np.pad(ground.walkable, 1)))[1:-1, 1:-1]
    corners = (float(low[0]), float(low[1])), (float(high[0]), float(high[1]))
    return Scenery(
        name, "captured", ground, sun, _with_horizon(sky), None, scene, ground.cell * padded, ground.origin,
        ground.cell, *corners,
    )  # fmt: skip


def _room(world: MadeWorld, low: Floats, high: Floats) -> Floats:
    """Metres to the nearest obstacle or border from each cell of a made world."""
    x, z = (np.arange(a, b + 1e-9, _CELL) for a, b in zip(low, high, strict=True))
    points = np.stack(np.meshgrid(x, z), axis=-1)
    room = np.minimum(points - low, high - points).min(axis=-1) - _EDGE
    for obstacle in world.obstacles:
        room = np.minimum(room, obstacle.distances(points))
    return np.maximum(room, 0.0)


@cache
def _light_of_made_worlds() -> tuple[Sun, Sky]:
    """What `kinema.rendering.splats.light.light_of` would find, from the rule by which made worlds are lit.

    Light from opposite directions differs by the sun's part along them, and by sky and ground along the vertical.
    """
    axes = np.eye(3)
    front, back = daylight(axes), daylight(-axes)
    level = np.cross((front - back).sum(axis=1) * [1.0, 0.0, 1.0], axes[1])
    level /= np.linalg.norm(level)  # the sun shines past it
    high = front[1] + back[1] - daylight(level) - daylight(-level)
    sun = np.stack([front[0] - back[0], high, front[2] - back[2]])  # axis, colour
    above, below = front[1] - high, back[1]
    white = float(front[1] @ _LUMINANCE)
    x, y, z = sun.sum(axis=1).tolist()
    colour, side = np.linalg.norm(sun, axis=0), 0.5 * (above + below)
    return (
        Sun((x, y, z), _color(colour), float(np.pi) / white),
        Sky(_color(above), _color(side), _color(below), 1.0 / white),
    )


def _with_horizon(sky: Sky) -> Sky:
    return replace(sky, backdrop=(*Sky().horizon, 1.0))


def _linear(colour: Floats) -> Color:
    return _color(np.power(colour, 2.2))


def _color(values: Floats) -> Color:
    red, green, blue = values.tolist()
    return red, green, blue


def _mixed(colour: Color, share: float) -> Color:
    red, green, blue = (share * value for value in colour)
    return red, green, blue
