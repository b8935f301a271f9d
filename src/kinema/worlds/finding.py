"""Finds the thing in a scene that a noun phrase means."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kinema.errors import SceneError
from kinema.instructions.programme import Thing
from kinema.worlds.obstacles import Obstacle
from kinema.worlds.spots import Walker, stops_of

_LARGE, _SMALL = {"big", "large", "huge", "tall", "high", "biggest", "tallest"}, {"small", "little", "tiny", "low"}
_COLOURS = {"gray": "grey", "violet": "purple"}


def find_thing(wanted: Thing, things: Sequence[Obstacle], walker: Walker) -> Obstacle:
    """The thing that is meant, seen from where somebody is.

    Raises:
        SceneError: there is none; the message says what there is.
    """
    named = [thing for thing in things if _is_called(thing, wanted.name)]
    if not named:
        raise SceneError(f"there is no {wanted.name} here; {_listed(things)}")
    colour = _COLOURS.get(wanted.colour, wanted.colour)
    fitting = [thing for thing in named if not colour or thing.colour == colour]
    if not fitting:
        colours = ", ".join(sorted({thing.colour for thing in named if thing.colour}))
        there = f"there are: {colours}" if colours else "no colour of any is known"
        raise SceneError(f"no {wanted.name} here is {wanted.colour}; {there}")
    away = [float(thing.distances(walker.at[None])[0]) for thing in fitting]
    ordered = [fitting[at] for at in np.argsort(away, kind="stable")]
    for quality in wanted.qualities:
        if quality not in _LARGE | _SMALL:
            raise SceneError(f"nothing is known of which {wanted.name} here is {quality}; leave the word out")
        ordered.sort(key=lambda thing: thing.height * thing.width, reverse=quality in _LARGE)
    if wanted.where is not None and wanted.where.thing is not None:
        spot = stops_of(wanted.where, walker, lambda thing: find_thing(thing, things, walker), None, None)[-1]
        ordered.sort(key=lambda thing: float(thing.distances(spot[None])[0]))
    if wanted.pick == "farthest":
        ordered.reverse()
    rank = (wanted.ordinal or 1) if wanted.ordinal != -1 else len(ordered)
    if wanted.pick == "other":
        rank = 2
    if rank > len(ordered):
        raise SceneError(f"there are only {len(ordered)} things here that are called {wanted.name}")
    return ordered[rank - 1]


def _is_called(thing: Obstacle, name: str) -> bool:
    """Whether a thing has a name, or one that ends like it: a "garden bench" is a bench."""
    called = {name, name.removesuffix("s"), name.replace("-", " ")}
    last = name.split()[-1] if name else ""
    return bool(called & set(thing.names)) or (" " in name and last in thing.names)


def _listed(things: Sequence[Obstacle]) -> str:
    names = list(dict.fromkeys(thing.names[0] for thing in things if thing.names))
    if not names:
        return "nothing in this scene has a name: a file NAME.things.json beside it gives names (docs: Captured scenes)"
    return f"there are: {', '.join(names)}"
