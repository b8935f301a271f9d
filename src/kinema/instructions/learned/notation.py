"""Programmes as sequences of symbols, and back.

A symbol that begins with "=" is a word of the sentence, one that begins with "#" a number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from kinema.errors import UsageError
from kinema.instructions.grammar.amounts import MANNERS, MOST, WITH_FEELING
from kinema.instructions.grammar.noun_phrases import COLOURS, SAME_COLOURS
from kinema.instructions.grammar.verbs import GAITS, GESTURES, OBJECT_ACTIONS
from kinema.instructions.programme import (
    DIRECTIONS,
    RELATIONS,
    CameraMove,
    Gesture,
    Handling,
    Locomotion,
    Place,
    Programme,
    Step,
    Thing,
)

END, REFUSED, THEN, WITH = "end", "refused", "then", "with"
SCALES = {"minutes": 60.0, "hours": 3600.0, "centimetres": 0.01, "kilometres": 1000.0, "feet": 0.3048, "yards": 0.9144}
"""Units of numbers that are not seconds or metres."""

SAID: tuple[float, ...] = (
    *(0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, *range(3, 13)),
    *(15, 20, 24, 30, 40, 45, 50, 60, 90, 100, 120, 180, 270, 360, 720),
)
"""Numbers that are said without digits, as in "twice" and "a quarter turn"."""

_GOES, _DOES, _HANDLES, _FILMS = "go ", "do ", "handle ", "camera"
_PICKS = ("nearest", "farthest", "other")
_MOVES = ("follow", "circle", "static", "zoom in", "zoom out", "pan")
_VIEWS = ("above", "below", "behind", "front", "side")
_SIDES = ("left", "right", "both", "up", "down")
_AMOUNTS = ("metres", "steps", "degrees", "seconds", "times")


def _symbols() -> Iterator[str]:
    yield from (END, REFUSED, THEN, WITH, _FILMS, "<", ">", "quality", "where", "of", "thing", "second")
    yield from (f"{_GOES}{gait}" for gait in GAITS)
    yield from (f"{_DOES}{action}" for action in GESTURES)
    yield from (f"{_HANDLES}{action}" for action in OBJECT_ACTIONS)
    yield from (f"manner {manner}" for manner in sorted({*MANNERS.values(), *WITH_FEELING.values()}))
    yield from (f"place {relation}" for relation in RELATIONS)
    yield from (f"direction {direction}" for direction in DIRECTIONS)
    yield from (f"side {side}" for side in _SIDES)
    yield from (f"pick {pick}" for pick in _PICKS)
    yield from (f"number {rank}" for rank in (*range(1, 11), -1))
    yield from (f"colour {colour}" for colour in sorted({SAME_COLOURS.get(each, each) for each in COLOURS}))
    yield from (f"move {move}" for move in _MOVES)
    yield from (f"view {view}" for view in _VIEWS)
    yield from ("framing close", "framing wide", *_AMOUNTS, *SCALES)
    yield from (f"#{number:g}" for number in SAID)


SYMBOLS: tuple[str, ...] = tuple(dict.fromkeys(_symbols()))
"""All symbols but words and other numbers."""


def written(programme: Programme) -> list[str]:
    """A programme as symbols, `END` last; numbers in metres and seconds."""
    found: list[str] = []
    for at, step in enumerate(programme.steps):
        found += ([WITH] if step.together else [THEN]) if at else []
        found += _written_step(step)
    return [*found, END]


def _written_step(step: Step) -> Iterator[str]:
    if isinstance(step, Locomotion):
        yield f"{_GOES}{step.gait}"
    elif isinstance(step, Gesture):
        yield f"{_DOES}{step.action}"
    elif isinstance(step, Handling):
        yield f"{_HANDLES}{step.action}"
        yield from _written_thing(step.thing)
    else:
        assert isinstance(step, CameraMove)
        yield _FILMS
        yield from (f"{kind} {said}" for kind in ("move", "view", "framing") if (said := getattr(step, kind)))
        if step.thing:
            yield "of"
            yield from _written_thing(step.thing)
    yield from (f"manner {manner}" for manner in step.manner)
    place = getattr(step, "place", None)
    if place is not None:
        yield from _written_place(place)
    if side := getattr(step, "side", ""):
        yield f"side {side}"
    amounts = {"degrees": getattr(step, "degrees", None), "seconds": step.seconds}
    amounts["times"] = step.times if step.times > 1 else None
    for name, number in amounts.items():
        yield from (name, f"#{number:.10g}") if number else ()


def _written_place(place: Place) -> Iterator[str]:
    yield f"place {place.relation}"
    for thing in (place.thing, place.second):
        yield from _written_thing(thing) if thing else ()
    yield from (f"direction {place.direction}",) if place.direction else ()
    for name, number in (("metres", place.metres), ("steps", place.steps)):
        yield from (name, f"#{number:.10g}") if number else ()


def _written_thing(thing: Thing) -> Iterator[str]:
    yield "<"
    yield from (f"number {thing.ordinal}",) if thing.ordinal else ()
    yield from (f"pick {thing.pick}",) if thing.pick else ()
    for quality in thing.qualities:
        yield from ("quality", f"={quality}")
    yield from (f"colour {thing.colour}",) if thing.colour else ()
    yield from (f"={word}" for word in thing.name.split())
    if thing.where:
        yield "where"
        yield from _written_place(thing.where)
    yield ">"


def read(symbols: Sequence[str]) -> Programme:
    """The inverse of `written`.

    Raises:
        UsageError: the symbols are no programme.
    """
    reader = _Reader(list(symbols))
    steps = [reader.step(False)]
    while (link := reader.take()) != END:
        if link not in (THEN, WITH):
            raise UsageError(f"{link!r} stands where a step ends")
        steps.append(reader.step(link == WITH))
    return Programme(tuple(steps))


@dataclass
class _Reader:
    symbols: list[str]
    at: int = 0
    amounts: dict[str, float] = field(default_factory=dict)

    def peek(self) -> str:
        return self.symbols[self.at] if self.at < len(self.symbols) else END

    def take(self) -> str:
        self.at += 1
        return self.symbols[self.at - 1] if self.at <= len(self.symbols) else END

    def said(self, kind: str) -> str:
        """What follows a kind, such as "left" after "side"; nothing if that does not come next."""
        return self.take()[len(kind) + 1 :] if self.peek().startswith(f"{kind} ") else ""

    def step(self, together: bool) -> Step:
        head = self.take()
        more: dict[str, Any] = {}
        kind = next((each for each in (_GOES, _DOES, _HANDLES, _FILMS) if head.startswith(each)), None)
        if kind is None:
            raise UsageError(f"{head!r} begins no step")
        name = head[len(kind) :]
        if kind == _HANDLES:
            more["thing"] = self.thing()
        if kind == _FILMS:
            more = {each: said for each in ("move", "view", "framing") if (said := self.said(each))}
            if self.peek() == "of":
                self.at += 1
                more["thing"] = self.thing()
        manner = []
        while said := self.said("manner"):
            manner.append(said)
        more |= {"manner": tuple(manner), "together": together}
        if self.peek().startswith("place "):
            more["place"] = self.place()
        if side := self.said("side"):
            more["side"] = side
        for unit in ("degrees", "seconds", "times"):
            if self.peek() == unit:
                more[unit] = int(self.number(unit)) if unit == "times" else self.number(unit)
        try:
            return _made(kind, name, more)
        except TypeError:
            raise UsageError(f"{head!r} has no {', '.join(more)}") from None

    def place(self) -> Place:
        more: dict[str, Any] = {"relation": self.said("place")}
        for name in ("thing", "second"):
            if self.peek() == "<":
                more[name] = self.thing()
        if direction := self.said("direction"):
            more["direction"] = direction
        for unit in ("metres", "steps"):
            if self.peek() == unit:
                more[unit] = int(self.number(unit)) if unit == "steps" else self.number(unit)
        return Place(**more)

    def thing(self) -> Thing:
        if self.take() != "<":
            raise UsageError("a thing is missing")
        ordinal, pick, qualities = self.said("number"), self.said("pick"), []
        while self.peek() == "quality":
            self.at += 1
            qualities.append(self.take().removeprefix("="))
        colour, where = self.said("colour"), None
        words: list[str] = []
        while self.peek().startswith("="):
            words.append(self.take()[1:])
        if self.peek() == "where":
            self.at += 1
            where = self.place()
        if self.take() != ">" or not words:
            raise UsageError("a thing has no name or no end")
        if not colour and len(words) > 1 and words[0] in COLOURS:
            colour = SAME_COLOURS.get(words[0], words[0])
            del words[0]
        return Thing(" ".join(words), colour, int(ordinal) if ordinal else None, pick, tuple(qualities), where)

    def number(self, unit: str) -> float:
        self.at += 1
        said = self.take()
        if not said.startswith("#"):
            raise UsageError(f"{said!r} is no number")
        number = float(said[1:])
        while self.peek() in SCALES:
            number *= SCALES[self.take()]
        if not 0 < number <= MOST[unit] or (unit in ("times", "steps") and number != int(number)):
            raise UsageError(f"{number:g} {unit} are not in 0 to {MOST[unit]:g}")
        return round(number, 6)


def _made(kind: str, name: str, more: dict[str, Any]) -> Step:
    if kind == _GOES:
        return Locomotion(gait=name, **more)
    if kind == _DOES:
        return Gesture(action=name, **more)
    return Handling(action=name, **more) if kind == _HANDLES else CameraMove(**more)
