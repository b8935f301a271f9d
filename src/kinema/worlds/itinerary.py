"""What the steps of a programme mean in one scene: which things, which places, which ways, how long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from kinema.arrays import Floats
from kinema.errors import SceneError, UsageError, listed
from kinema.instructions.programme import CameraMove, Gesture, Handling, Locomotion, Place, Programme, Step, Thing
from kinema.mocap.gestures.repertoire import gesture_of
from kinema.worlds.finding import find_thing
from kinema.worlds.grounding import SceneGround
from kinema.worlds.obstacles import Obstacle
from kinema.worlds.paths import find_path, path_length
from kinema.worlds.spots import STRIDE, Walker, stops_of

SPEEDS = {"walk": 1.3, "run": 3.2, "sneak": 0.8, "march": 1.4, "sidestep": 0.8}
"""Gaits that are acted out, and their speeds, m/s, for an adult."""

_PACES = {
    "slowly": 0.65,
    "quickly": 1.35,
    "fast": 1.35,
    "carefully": 0.7,
    "sadly": 0.75,
    "tiredly": 0.7,
    "happily": 1.1,
}
_BACKWARD = 0.8  # m/s
_WANDER = 6.0  # seconds
_CARRIED = ("carry", "hold")
_NEAR = 0.75  # metres from a thing at which it is in reach
_CHEST = 1.1  # metres over the ground at which things without a height are touched
_TURN = 1.2  # seconds that a turn takes
_LONGEST = 600.0  # seconds that all acts may take
_WAIT = 1.5  # seconds of waiting, if nothing else is said


@dataclass(frozen=True, eq=False)
class StagedGesture:
    """A gesture in a scene.

    Attributes:
        action, side: as in a `Gesture`. times: how often. seconds: how long; None as long as it takes.
        aim: `[3]`, metres: what it is aimed at; None is nothing.
    """

    action: str
    side: str = "right"
    times: int = 1
    seconds: float | None = None
    aim: Floats | None = None

    @property
    def lasts(self) -> float:
        """Seconds."""
        gesture = gesture_of(self.action)
        if gesture is None:
            return self.seconds or _WAIT
        return gesture.lasting(self.seconds, self.times)[-1][0]


@dataclass(frozen=True, eq=False)
class SceneAct:
    """One thing after the other that a body does: it goes along a way, if there is one, and then turns and stays.

    Attributes:
        way: x and z `[N, 2]`, metres; `N` is 0 for who stays.
        speed: m/s. gait: such as "run". facing: radians from the way to where the body faces: 0, pi or half of it.
        heading: radians about +Y from +Z to which it turns at the end; None leaves that.
        seconds: that it stays.
        going, staying: gestures on the way, and there.
        cameras: what the camera does from its beginning on, with what it looks at, `[3]` or None.
    """

    way: Floats
    speed: float = SPEEDS["walk"]
    gait: str = "walk"
    facing: float = 0.0
    heading: float | None = None
    seconds: float = 0.0
    going: tuple[StagedGesture, ...] = ()
    staying: tuple[StagedGesture, ...] = ()
    cameras: tuple[tuple[CameraMove, Floats | None], ...] = ()


def itinerary(
    programme: Programme,
    ground: SceneGround,
    things: Sequence[Obstacle],
    start: ArrayLike = (0.0, 0.0),
    heading: float = 0.0,
    *,
    radius: float = 0.3,
) -> list[SceneAct]:
    """What a body does in a scene, one thing after the other.

    Things are chosen by name, colour, order and place; without these, the nearest one is meant. "Behind" and "left of"
    are as the body sees them from where it is then.

    Args:
        things: that the scene has. start: x and z, metres. heading: radians.
        radius: of the body, metres.

    Raises:
        SceneError: there is no such thing here, or no way to it; the message says what there is.
        UsageError: something is asked for that nobody can act out yet.
    """
    planner = _Planner(ground, tuple(things), Walker(np.asarray(start, np.float64), heading), radius)
    for group in programme.groups:
        planner.add(group)
    lasts = sum(act.seconds + path_length(act.way) / act.speed for act in planner.acts)
    if lasts > _LONGEST:
        raise UsageError(f"that would take {lasts / 60:.0f} minutes; {_LONGEST / 60:g} are acted out at most")
    return planner.acts


@dataclass
class _Planner:
    ground: SceneGround
    things: tuple[Obstacle, ...]
    walker: Walker
    radius: float
    acts: list[SceneAct] = field(default_factory=list)
    carried: bool = False

    def add(self, group: Sequence[Step]) -> None:
        """The acts of steps that go along with each other."""
        first = len(self.acts)
        moving = [step for step in group if isinstance(step, Locomotion)]
        doing = [step for step in group if isinstance(step, Gesture | Handling)]
        for step in moving:
            self._go(step, tuple(self._doing(each) for each in doing))
        if not moving:
            for number, step in enumerate(doing):
                self._do(step, alongside=number > 0)
        cameras = tuple((step, self._seen(step)) for step in group if isinstance(step, CameraMove))
        if cameras:
            if len(self.acts) == first:
                lasts = max((step.seconds or 0.0 for step in group), default=0.0)
                self.acts.append(SceneAct(np.zeros((0, 2)), seconds=lasts or 2.0 * _WAIT))
            begun = self.acts[first]
            self.acts[first] = replace(begun, cameras=cameras)

    def _go(self, step: Locomotion, along: tuple[StagedGesture, ...]) -> None:
        if step.gait not in SPEEDS:
            raise UsageError(f"nobody can {step.gait} yet; there are: {listed(SPEEDS)}")
        backward = step.place is not None and step.place.direction == "backward"
        pace = float(np.prod([_PACES.get(word, 1.0) for word in step.manner]))
        speed = pace * (_BACKWARD if backward else SPEEDS[step.gait])
        facing = np.pi if backward else 0.0
        if step.gait == "sidestep":
            right = step.place is not None and step.place.direction == "right"
            facing = 0.5 * np.pi if right else -0.5 * np.pi
        place = step.place or Place("direction", direction="forward")
        if place.relation == "direction" and place.direction == "on the spot":
            self.acts.append(SceneAct(np.zeros((0, 2)), seconds=step.seconds or _WANDER, staying=along))
            return
        far = speed * step.seconds if step.seconds else None
        stops = stops_of(place, self.walker, self._found, self.ground, far)
        for _ in range(max(step.times, 1)):
            self._walk(stops, speed, step.gait, facing, along)

    def _walk(
        self, stops: Floats, speed: float, gait: str, facing: float, along: tuple[StagedGesture, ...] = ()
    ) -> None:
        parts, at = [], self.walker.at
        for stop in stops:
            part = find_path(self.ground, at, stop, radius=self.radius)
            parts.append(part if not parts else part[1:])
            at = part[-1]
        way = np.concatenate(parts)
        if len(way) < 2 or np.linalg.norm(np.diff(way, axis=0), axis=-1).sum() < 0.5 * STRIDE:
            if along:
                self._stay(along)
            return
        carried = (StagedGesture("carry"),) if self.carried else ()
        low = (StagedGesture("sneak"),) if gait == "sneak" else ()
        self.acts.append(SceneAct(way, speed, gait, facing, going=(*low, *along, *carried)))
        ahead = way[-1] - way[-2]
        self.walker = self.walker.moved(way[-1], float(np.arctan2(*ahead)) + facing)

    def _do(self, step: Gesture | Handling, alongside: bool) -> None:
        if isinstance(step, Handling):
            self._handle(step)
            return
        if step.place is not None and step.action not in ("point", "look", "wave", "turn"):
            self._walk(stops_of(step.place, self.walker, self._found, self.ground, None), SPEEDS["walk"], "walk", 0.0)
        if step.action == "turn":
            self._turn(step)
            return
        doing = self._doing(step)
        heading = self._towards(doing.aim)
        if step.action == "sit" and step.place is not None and step.place.thing is not None:
            heading = self.walker.heading + np.pi  # with the back to what it sits on
        if alongside and self.acts:
            last = self.acts[-1]
            self.acts[-1] = replace(last, staying=(*last.staying, doing), seconds=max(last.seconds, doing.lasts))
        else:
            self._stay((doing,), heading)

    def _handle(self, step: Handling) -> None:
        thing = self._found(step.thing)
        near = thing.distances(self.walker.at[None])[0] < _NEAR + 0.4
        if step.action not in ("look at", "throw", *_CARRIED) and not near:
            self._walk(stops_of(Place("to", step.thing), self.walker, self._found, self.ground, None),
                       SPEEDS["walk"], "walk", 0.0)  # fmt: skip
        if step.action in ("pick up", *_CARRIED):
            self.carried = True
        elif step.action in ("put down", "drop", "throw"):
            self.carried = False
        if step.place is not None:
            self._walk(stops_of(step.place, self.walker, self._found, self.ground, None), SPEEDS["walk"], "walk", 0.0)
        doing = self._doing(step)
        self._stay((doing,), self._towards(doing.aim))

    def _turn(self, step: Gesture) -> None:
        if step.place is not None and step.place.thing is not None:
            heading = self._towards(self._aim(step.place))
        else:
            angle = np.radians(step.degrees if step.degrees else 180.0 if not step.side else 90.0)
            heading = self.walker.heading + (-angle if step.side == "right" else angle)
        for _ in range(step.times):
            self._stay((StagedGesture("turn", seconds=step.seconds or _TURN),), heading)

    def _stay(self, doing: tuple[StagedGesture, ...], heading: float | None = None) -> None:
        self.acts.append(
            SceneAct(np.zeros((0, 2)), heading=heading, seconds=max(each.lasts for each in doing), staying=doing)
        )
        if heading is not None:
            self.walker = self.walker.moved(self.walker.at, heading)

    def _doing(self, step: Step) -> StagedGesture:
        if isinstance(step, Handling):
            aim = self._middle(self._found(step.thing))
            return StagedGesture(step.action, step.side or "right", step.times, step.seconds, aim)
        assert isinstance(step, Gesture)
        aimed = step.place is not None and step.place.thing is not None and step.action in ("point", "look", "wave")
        aim = self._aim(step.place) if aimed and step.place is not None else None
        action, side = step.action, step.side or "right"
        if action == "look" and aim is None and side in ("left", "right"):
            aim = self._beside(side)
        gesture_of(action)
        return StagedGesture(
            action, side if side in ("left", "right", "both") else "right", step.times, step.seconds, aim
        )

    def _seen(self, step: CameraMove) -> Floats | None:
        return None if step.thing is None else self._middle(self._found(step.thing))

    def _found(self, thing: Thing) -> Obstacle:
        return find_thing(thing, self.things, self.walker)

    def _aim(self, place: Place) -> Floats:
        assert place.thing is not None
        return self._middle(self._found(place.thing))

    def _beside(self, side: str) -> Floats:
        angle = self.walker.heading + (0.5 * np.pi if side == "left" else -0.5 * np.pi)
        x, z = self.walker.at + 4.0 * np.asarray([np.sin(angle), np.cos(angle)])
        return np.asarray([x, self._height() + 1.5, z])

    def _middle(self, thing: Obstacle) -> Floats:
        """Where a thing is looked at and touched: on its near side, at a height that is in reach."""
        away = self.walker.at - thing.place
        ring = thing.around(0.0, 36)
        x, z = ring[np.argmin(np.linalg.norm(ring - self.walker.at, axis=-1))] if np.any(away) else thing.place
        high = min(0.8 * thing.height, _CHEST) if thing.height else _CHEST
        return np.asarray([x, self._height() + high, z])

    def _height(self) -> float:
        x, z = self.walker.at
        return float(self.ground.height(np.asarray([x, 0.0, z])))

    def _towards(self, aim: Floats | None) -> float | None:
        if aim is None:
            return None
        away = aim[[0, 2]] - self.walker.at
        if np.linalg.norm(away) < 0.05:
            raise SceneError("nobody can turn to what is where they stand")
        return float(np.arctan2(*away))
