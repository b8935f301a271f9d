"""Programmes: what a character and the camera do in a scene, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from kinema.errors import UsageError
from kinema.instructions.grammar.verbs import participle

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")

RELATIONS = (
    "to", "towards", "away from", "away", "around", "past", "behind", "in front of", "beside", "between", "through",
    "across", "along", "over", "under", "into", "out of", "on", "at", "left of", "right of", "start", "about",
    "direction",
)  # fmt: skip
"""What a place can be to a thing; the last three need no thing."""

_ALONE = {"away", "start", "about", "direction"}
DIRECTIONS = ("forward", "backward", "left", "right", "back and forth", "in a circle", "on the spot")


@dataclass(frozen=True)
class Thing:
    """A thing that a scene may have, as it was named.

    Attributes:
        name: such as "tree" or "street lamp". colour: such as "red"; empty if none was said.
        ordinal: 1 is the first, -1 the last; None if none was said.
        pick: "nearest", "farthest" or "other"; empty if none was said.
        qualities: other adjectives, such as "wooden".
        where: where it is, as in "the tree behind the house".
    """

    name: str
    colour: str = ""
    ordinal: int | None = None
    pick: str = ""
    qualities: tuple[str, ...] = ()
    where: Place | None = None

    def __str__(self) -> str:
        rank = ("last" if self.ordinal == -1 else ORDINALS[self.ordinal - 1]) if self.ordinal else ""
        words = ["the", rank, self.pick, *self.qualities, self.colour, self.name]
        return " ".join(word for word in words if word) + (f" that is {self.where}" if self.where else "")


@dataclass(frozen=True)
class Place:
    """Where a step leads or happens.

    Attributes:
        relation: one of `RELATIONS`: "start" is where the character began, "about" nowhere in particular.
        thing: what the relation is to. second: the other thing of "between".
        direction: of "direction": "forward", "backward", "left", "right", "back and forth", "in a circle" or "on the
            spot", as the character faces; with another relation, the way it is gone, such as backward to the tree.
        metres: how far. steps: how many steps; the character decides how long they are.
    """

    relation: str
    thing: Thing | None = None
    second: Thing | None = None
    direction: str = ""
    metres: float | None = None
    steps: int | None = None

    def __post_init__(self) -> None:
        if self.relation not in RELATIONS:
            raise UsageError(f"no place is {self.relation!r} a thing; there are: {', '.join(RELATIONS)}")
        if (self.relation in _ALONE) == (self.thing is not None):
            raise UsageError(f"a place {self.relation!r} {'has no' if self.thing else 'needs a'} thing")
        if self.direction not in ("", *DIRECTIONS) or (self.relation == "direction" and not self.direction):
            raise UsageError(f"no direction is {self.direction!r}; there are: {', '.join(DIRECTIONS)}")

    def __str__(self) -> str:
        if self.relation == "direction":
            words = {"left": "to the left", "right": "to the right"}.get(self.direction, self.direction)
        elif self.relation in _ALONE:
            words = {"start": "back to the start", "about": "around"}.get(self.relation, self.relation)
        else:
            words = f"{self.relation} {self.thing}" + (f" and {self.second}" if self.second else "")
            side = self.direction in ("left", "right")
            words = f"{words} to the {self.direction}" if side else f"{self.direction} {words}".strip()
        far = f"{_plain(self.metres)} {_plural('metre', self.metres)} " if self.metres else ""
        return (f"{self.steps} {_plural('step', self.steps)} " if self.steps else far) + words


@dataclass(frozen=True)
class Step:
    """What all kinds of step have.

    Attributes:
        manner: how it is done, such as "slowly" or "happily".
        seconds: how long it lasts; None leaves it to the scene. times: how often it is done.
        together: whether it goes along with the step before it instead of following it.
    """

    kind: ClassVar[str] = ""

    manner: tuple[str, ...] = ()
    seconds: float | None = None
    times: int = 1
    together: bool = False

    @property
    def things(self) -> list[Thing]:
        """What it is done to and what its place is told from."""
        place: Place | None = getattr(self, "place", None)
        found = (getattr(self, "thing", None), *((place.thing, place.second) if place else ()))
        return [thing for thing in found if thing is not None]

    def describe(self) -> str:
        """It in plain English: an order, or what is done along with the step before."""
        words = list(self._words())
        if self.together and self.kind != "camera":
            head, *rest = words[0].split()
            words[0] = " ".join([participle(head), *rest])
        words = [words[0], *self.manner, *words[1:]] if self.kind == "camera" else [*self.manner, *words]
        words += [f"{self.times} times"] if self.times > 1 else []
        words += [f"for {_plain(self.seconds)} {_plural('second', self.seconds)}"] if self.seconds else []
        return " ".join(word for word in words if word)

    def _words(self) -> Sequence[str]:
        raise NotImplementedError


@dataclass(frozen=True)
class Locomotion(Step):
    """The character goes somewhere.

    Attributes:
        gait: "walk", "run", "sneak" or another one of `kinema.instructions.grammar.verbs.GAITS`.
        place: where to; None is just ahead, for as long as the step lasts.
    """

    kind: ClassVar[str] = "locomotion"

    gait: str = "walk"
    place: Place | None = None

    def _words(self) -> Sequence[str]:
        return [self.gait, str(self.place or "")]


@dataclass(frozen=True)
class Gesture(Step):
    """The character does something on the spot.

    Attributes:
        action: such as "wave", "bow", "jump", "sit" or "wait".
        place: what it is aimed at or where it is done: "at the car", "on the bench", "over the stone".
        side: the hand ("left", "right", "both"), or the way of a turn or a look.
        degrees: how far a turn goes, to the `side`; 180 turns round.
    """

    kind: ClassVar[str] = "gesture"

    action: str = "wait"
    place: Place | None = None
    side: str = ""
    degrees: float | None = None

    def _words(self) -> Sequence[str]:
        if self.action in ("turn", "look"):
            angle = f"{_plain(self.degrees)} degrees" if self.degrees else ""
            return [self.action, angle, _side(self.side), str(self.place or "")]
        return [self.action, str(self.place or ""), _hand(self.action, self.side)]


@dataclass(frozen=True)
class Handling(Step):
    """The character does something to a thing.

    Attributes:
        action: such as "pick up", "push", "open" or "look at".
        place: where the thing goes, of "push" or "throw".
        side: the hand, or the foot of "kick": "left", "right" or "both".
    """

    kind: ClassVar[str] = "object"

    action: str = "look at"
    thing: Thing = Thing("thing")
    place: Place | None = None
    side: str = ""

    def _words(self) -> Sequence[str]:
        return [self.action, str(self.thing), str(self.place or ""), _hand(self.action, self.side)]


@dataclass(frozen=True)
class CameraMove(Step):
    """What the camera does, until another step of the camera.

    Attributes:
        move: "follow", "circle", "static", "zoom in", "zoom out" or "pan"; empty leaves it as it is.
        view: "above", "below", "behind", "front" or "side"; empty leaves it as it is.
        framing: "close" or "wide"; empty leaves it as it is.
        thing: what it looks at; None is the character. side: "left" or "right" of "pan".
    """

    kind: ClassVar[str] = "camera"

    move: str = ""
    view: str = ""
    framing: str = ""
    thing: Thing | None = None
    side: str = ""

    def _words(self) -> Sequence[str]:
        moves = {"follow": "follows", "circle": "circles", "zoom in": "zooms in", "zoom out": "zooms out"}
        moves |= {"static": "stays still", "pan": "pans"}
        view = f"from {'the ' if self.view in ('front', 'side') else ''}{self.view}" if self.view else ""
        framing = {"close": "in close-up", "wide": "in a wide shot"}.get(self.framing, "")
        aim = {"": "", "circle": "around ", "follow": ""}.get(self.move, "on ")
        thing = f"{aim}{self.thing}" if self.thing else ""
        side = f"to the {self.side}" if self.side else ""
        return ["the camera", moves.get(self.move, "films"), side, thing, view, framing]


@dataclass(frozen=True)
class Programme:
    """Steps, one after the other; those that are `together` go along with the step before them."""

    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        if not self.steps or self.steps[0].together:
            raise UsageError("a programme begins with a step that follows none")

    @property
    def groups(self) -> list[list[Step]]:
        """The steps that go along with each other, in the order in which they happen."""
        found: list[list[Step]] = []
        for step in self.steps:
            if step.together:
                found[-1].append(step)
            else:
                found.append([step])
        return found

    def describe(self) -> str:
        """It in plain English; `kinema.instructions.reading.read_instructions` reads it back."""
        said = [" while ".join(step.describe() for step in group) for group in self.groups]
        return " ".join(f"{(words if at == 0 else f'then {words}').capitalize()}." for at, words in enumerate(said))


def _side(side: str) -> str:
    return f"to the {side}" if side in ("left", "right") else side


def _hand(action: str, side: str) -> str:
    one, both = ("foot", "feet") if action in ("kick", "stamp") else ("hand", "hands")
    return f"with {f'both {both}' if side == 'both' else f'the {side} {one}'}" if side else ""


def _plain(number: float | None) -> str:
    return f"{number or 0:.10g}"


def _plural(unit: str, number: float | None) -> str:
    return unit if number == 1 else f"{unit}s"
