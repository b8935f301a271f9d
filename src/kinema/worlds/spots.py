"""Where a place in words is in a scene: beside the tree, between the cars, three metres ahead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from kinema.arrays import Floats
from kinema.errors import SceneError, UsageError
from kinema.instructions.programme import Place, Thing
from kinema.worlds.grounding import SceneGround
from kinema.worlds.obstacles import Obstacle

STRIDE = 0.7
"""Metres of a step."""

_BESIDE = 0.55  # metres from a thing to the middle of who stands at it
_AWAY, _AHEAD, _BEYOND = 5.0, 3.0, 2.5  # metres, if no distance is said
_TOWARDS = 0.6  # share of the way to a thing that "towards" it goes
_RING = 24  # places around a thing
_CIRCLE = 1.5  # metres, the radius of a walk in a circle
_ABOUT = 3.0  # metres that who walks around goes away, at most
_SEARCHED = 2.5  # metres from a place in which one is looked for where a body can be


@dataclass(frozen=True, eq=False)
class Walker:
    """Who goes somewhere: where it is, `[2]`, where it faces, radians, and where it began."""

    at: Floats
    heading: float
    start: Floats | None = None

    @property
    def home(self) -> Floats:
        return self.at if self.start is None else self.start

    @property
    def ahead(self) -> Floats:
        """Unit vector `[2]`."""
        return np.asarray([np.sin(self.heading), np.cos(self.heading)])

    @property
    def left(self) -> Floats:
        """Unit vector `[2]`."""
        return np.asarray([np.cos(self.heading), -np.sin(self.heading)])

    def moved(self, at: Floats, heading: float) -> Walker:
        """The same somewhere else."""
        return replace(self, at=np.asarray(at, np.float64), heading=heading, start=self.home)


Find = Callable[[Thing], Obstacle]


def stops_of(place: Place, walker: Walker, find: Find, ground: SceneGround | None, far: float | None) -> Floats:
    """Places `[N, 2]` (x, z), metres, through which a place in words leads.

    Args:
        find: finds things. ground: on which stops must be where a body can be; None for anywhere.
        far: metres to go where the words say none; None leaves that open.

    Raises:
        SceneError: nobody can be there. UsageError: the place means nothing that can be gone to.
    """
    metres = place.metres or (STRIDE * place.steps if place.steps else None) or far
    if place.relation == "start":
        return walker.home[None]
    if place.relation in ("direction", "about", "away"):
        return _free(_in_direction(place, walker, metres), ground)
    assert place.thing is not None
    thing = find(place.thing)
    if place.relation == "between":
        return _free(_between(thing, place, walker, find), ground)
    maker = _MAKERS.get(place.relation)
    if maker is None:
        raise UsageError(f"nobody can go {place.relation} a thing yet; there are: {', '.join(sorted(_MAKERS))}")
    return maker(thing, place, walker, ground, metres)


def _in_direction(place: Place, walker: Walker, metres: float | None) -> Floats:
    ahead, left = walker.ahead, walker.left
    direction = "forward" if place.relation == "away" else place.direction
    far = metres or (_AWAY if place.relation == "away" else _AHEAD)
    ways = {"forward": ahead, "backward": -ahead, "left": left, "right": -left}
    if direction in ways:
        return walker.at[None] + far * ways[direction]
    if place.relation == "about":
        return np.asarray([walker.at + _ABOUT * way for way in (ahead, left, -ahead)])
    if direction == "back and forth":
        return np.asarray([walker.at + far * ahead, walker.at])
    if direction == "in a circle":
        centre = walker.at + _CIRCLE * left
        angles = np.linspace(0.0, 2.0 * np.pi, 13)[1:, None]
        return centre + _CIRCLE * (-np.cos(angles) * left + np.sin(angles) * ahead)
    raise UsageError(f"nobody can go {direction!r}")


def _between(thing: Obstacle, place: Place, walker: Walker, find: Find) -> Floats:
    second = find(place.second) if place.second is not None else None
    if second is thing and place.second is not None:  # "between the cars": two of them
        second = find(replace(place.second, ordinal=2))
    if second is None:
        raise SceneError(f"between {place.thing} and what? Say both things")
    return 0.5 * (thing.place + second.place)[None]


def _near(thing: Obstacle, way: Floats, ground: SceneGround | None, walker: Walker, margin: float = _BESIDE) -> Floats:
    """The place `[1, 2]` at a thing that lies most in a direction `[2]`, where a body can be."""
    for wider in (0.0, 0.4, 0.8, 1.2, 1.8):
        ring = thing.around(margin + wider, _RING)
        if ground is not None:
            ring = ring[ground.walkable_at(ring)]
        if len(ring):
            away = ring - thing.place
            towards = away @ way / np.maximum(np.linalg.norm(away, axis=-1), 1e-9)
            return ring[[int(np.argmax(towards))]]
    name = thing.names[0] if thing.names else "thing"
    raise SceneError(f"nobody can be at the {name} at {thing.x:.1f}, {thing.z:.1f}: there is no room around it")


def _to(thing: Obstacle, place: Place, walker: Walker, ground: SceneGround | None, metres: float | None) -> Floats:
    return _near(thing, _unit(walker.at - thing.place), ground, walker)


def _towards(thing: Obstacle, place: Place, walker: Walker, ground: SceneGround | None, metres: float | None) -> Floats:
    goal = _to(thing, place, walker, ground, None)
    away = goal - walker.at
    far = float(np.linalg.norm(away))
    share = min(1.0, metres / max(far, 1e-9)) if metres else _TOWARDS
    return _free(walker.at + share * away, ground)


def _away(thing: Obstacle, place: Place, walker: Walker, ground: SceneGround | None, metres: float | None) -> Floats:
    return _free(walker.at[None] + (metres or _AWAY) * _unit(walker.at - thing.place), ground)


def _around(thing: Obstacle, place: Place, walker: Walker, ground: SceneGround | None, metres: float | None) -> Floats:
    ring = thing.around(_BESIDE + 0.35, _RING)
    first = int(np.argmin(np.linalg.norm(ring - walker.at, axis=-1)))
    order = np.arange(first, first + _RING + 1) % _RING
    if place.direction == "right":
        order = order[::-1]
    ring = ring[order][:: _RING // 8]
    if ground is not None:
        open_ones = ground.walkable_at(ring)
        if open_ones.sum() < 4:
            name = thing.names[0] if thing.names else "thing"
            raise SceneError(
                f"nobody can go around the {name} at {thing.x:.1f}, {thing.z:.1f}: something is in the way"
            )
        ring = ring[open_ones]
    return ring


def _past(thing: Obstacle, place: Place, walker: Walker, ground: SceneGround | None, metres: float | None) -> Floats:
    way = _unit(thing.place - walker.at)
    side = np.asarray([way[1], -way[0]])
    side = side if place.direction == "left" or side @ (walker.at - thing.place) >= 0 else -side
    beside = _near(thing, side, ground, walker, _BESIDE + 0.2)
    return np.concatenate([beside, _free(beside + _BEYOND * way, ground)])


def _through(thing: Obstacle, place: Place, walker: Walker, ground: SceneGround | None, metres: float | None) -> Floats:
    way = _unit(thing.place - walker.at)
    half = 0.5 * max(thing.width, thing.depth) + _BEYOND
    return _free((thing.place + half * way)[None], ground)


def _along(thing: Obstacle, place: Place, walker: Walker, ground: SceneGround | None, metres: float | None) -> Floats:
    axis = np.asarray([np.sin(thing.heading), np.cos(thing.heading)])
    if thing.width > thing.depth:
        axis = np.asarray([np.cos(thing.heading), -np.sin(thing.heading)])
    side = np.asarray([axis[1], -axis[0]])
    side = side if side @ (walker.at - thing.place) >= 0 else -side
    beside = thing.place + side * (0.5 * min(thing.width, thing.depth) + _BESIDE + 0.2)
    half = 0.5 * max(thing.width, thing.depth)
    ends = np.stack([beside - half * axis, beside + half * axis])
    if np.linalg.norm(ends[1] - walker.at) < np.linalg.norm(ends[0] - walker.at):
        ends = ends[::-1]
    return _free(ends, ground)


def _beside(way: Callable[[Floats], Floats]) -> Callable[..., Floats]:
    def maker(thing: Obstacle, place: Place, walker: Walker, ground: SceneGround | None, far: float | None) -> Floats:
        return _near(thing, way(_unit(walker.at - thing.place)), ground, walker)

    return maker


_MAKERS: dict[str, Callable[..., Floats]] = {
    "to": _to, "at": _to, "on": _to, "into": _to, "over": _to, "towards": _towards, "away from": _away,
    "out of": _away, "around": _around, "past": _past, "through": _through, "under": _through, "across": _through,
    "along": _along,
    "behind": _beside(lambda near: -near), "in front of": _beside(lambda near: near),
    "beside": _beside(lambda near: np.asarray([-near[1], near[0]])),
    "left of": _beside(lambda near: np.asarray([-near[1], near[0]])),
    "right of": _beside(lambda near: np.asarray([near[1], -near[0]])),
}  # fmt: skip


def _free(places: Floats, ground: SceneGround | None) -> Floats:
    """Places `[N, 2]`, moved to the nearest ones where a body can be.

    Raises:
        SceneError: nobody can be near one of them.
    """
    if ground is None:
        return places
    rows, columns = np.nonzero(ground.walkable)
    if not len(rows):
        raise SceneError("nobody can walk anywhere in this scene; kinema scene convert --clean --level may help")
    cells = ground.points_of(np.stack([rows, columns], axis=-1))
    out = places.copy()
    for number, place in enumerate(places):
        away = np.linalg.norm(cells - place, axis=-1)
        nearest = int(away.argmin())
        if away[nearest] > _SEARCHED:
            raise SceneError(f"nobody can be near {place[0]:.1f}, {place[1]:.1f}: there is no ground to walk on")
        out[number] = place if away[nearest] <= ground.cell else cells[nearest]
    return out


def _unit(way: Floats) -> Floats:
    size = float(np.linalg.norm(way))
    return way / size if size > 1e-9 else np.asarray([0.0, 1.0])
