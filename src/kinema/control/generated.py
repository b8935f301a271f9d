"""A controller that generates its motion for any skeleton: endless, steered while it runs.

Commands become wishes: a speed and a rate of turning towards where the command leads. A rate that was asked for a
moment ago is not yet to be seen, so the heading is taken as what it will be when it has been obeyed (O. Smith, "Closer
Control of Loops with Dead Time", 1957).
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from kinema import rotations
from kinema.arrays import Floats, Singles
from kinema.control.command import Commands
from kinema.control.paces import Paces
from kinema.errors import ControlError
from kinema.generation.ahead import Ahead
from kinema.generation.cadence import usual_cadence
from kinema.generation.channels import CONTACT, FPS, TRAVEL, Start, decode, travelled
from kinema.generation.conditions import patch_seconds
from kinema.generation.generator import Generator
from kinema.generation.planted_stream import PlantedStream
from kinema.generation.rig import AnyRig
from kinema.generation.said_turns import with_turns
from kinema.generation.sampling import SamplingSettings
from kinema.generation.stream import STREAMING, Stream
from kinema.generation.wishes import Wish
from kinema.mocap.contacts import contact_joints
from kinema.mocap.creatures import ACTIONS
from kinema.pose import Pose

AHEAD = 1
"""Patches that wait to be played. More bridge longer pauses of the machine, and obey later."""

PHRASE_SECONDS = 4.0
"""How long each phrase of a text is acted out, before the next."""

_TURN_SECONDS = 0.8  # in which a difference of heading is made up
_FASTEST_TURN = 1.5  # rad/s of a body of the size of an adult
_ADULT = 0.9  # metres a unit of an adult's rig
_STILL = 0.05  # rad/s below which a body that does not go anywhere stands


def rig_paces(rig: AnyRig) -> Paces:
    """Speeds of a player for a rig: as people's, and growing with the root of its size; see `Paces`."""
    scale, adult = tempo_of(rig), Paces()
    return Paces(slow=scale * adult.slow, walk=scale * adult.walk, run=scale * adult.run)


def tempo_of(rig: AnyRig) -> float:
    """Time in which a rig does something over the time that an adult needs: the root of its size, legs or none."""
    return math.sqrt(rig.unit / _ADULT)


class GeneratedController:
    """Endless motion of one character. Drawing never waits for it: if a patch is late, the pose is held.

    Args:
        actions: what the body can do.
        ahead: see `Ahead`; with 0, steps make patches themselves, and the same commands give the same motion.

    Attributes:
        action: what to do, one of `ACTIONS`; None goes as steered.
        late: seconds in which the next patch was not made yet.
    """

    def __init__(
        self,
        generator: Generator,
        rig: AnyRig,
        *,
        actions: Sequence[str] = ACTIONS,
        seed: int = 0,
        settings: SamplingSettings = STREAMING,
        ahead: int = AHEAD,
    ) -> None:
        self.rig, self.skeleton, self.actions = rig, rig.skeleton, tuple(actions)
        self.action: str | None = None
        self.late = 0.0
        self._feet = rig.followed[contact_joints(rig.skeleton)]
        self._paces, self._tempo = rig_paces(rig), tempo_of(rig)
        self._text: tuple[Wish, ...] = ()
        for each in self.actions:
            usual_cadence(rig, each)  # works it out once; later, a patch would be late
        stream = PlantedStream(Stream(generator, rig, seed=seed, settings=settings))
        self._first = stream.next(Wish(action="idle"))
        self._begin = stream
        self._delay = (0.5 * settings.steps + ahead + 0.5) * patch_seconds(generator.patch)
        self._ahead = Ahead(stream.fork().next, Wish(action="idle"), ahead)
        self.reset(1)

    def reset(self, count: int) -> Pose:
        """Begin again at rest at the origin, facing +Z. Returns the pose.

        Raises:
            ControlError: it is not one character.
        """
        if count != 1:
            raise ControlError(f"generated motion moves one character, not {count}")
        self._ahead.restart(self._begin.fork().next)
        self._start = Start()
        self._time, self._said = 0.0, 0.0
        self._asked: deque[tuple[float, float]] = deque()
        self._frames = self._decoded(self._first)
        return self._pose()

    def say(self, wishes: Sequence[Wish]) -> None:
        """Act out wishes one after the other, the last until something else is said; none goes as steered."""
        self._text, self._said = tuple(wishes), 0.0

    def step(self, commands: Commands, dt: float) -> Pose:
        """Go on by `dt` seconds. Returns the pose `[1]`."""
        self._ahead.wish = self._wish(commands, dt)
        self._time += dt * FPS
        while self._time > len(self._frames.headings) - 1:
            patch = self._ahead.take()
            if patch is None:
                self.late += (self._time - len(self._frames.headings) + 1) / FPS
                self._time = float(len(self._frames.headings) - 1)
                break
            self._time -= len(self._frames.headings) - 1
            self._frames = self._frames.followed_by(self._decoded(patch))
        return self._pose()

    @property
    def wish(self) -> Wish:
        """What the next patch will be made for."""
        return self._ahead.wish

    @property
    def diagnostics(self) -> dict[str, float]:
        """Figures of the last step."""
        wish = self.wish
        found = {
            "patch_ms": 1e3 * self._ahead.seconds,
            "patches_ahead": float(self._ahead.waiting),
            "late_s": self.late,
        }
        if wish.speed is not None:
            found["asked_speed"] = wish.speed
        if wish.turn is not None:
            found["asked_turn_deg"] = math.degrees(wish.turn)
        return found

    def close(self) -> None:
        """End the thread."""
        self._ahead.close()

    def _wish(self, commands: Commands, dt: float) -> Wish:
        velocity, facing = commands.velocity[0], commands.facing[0]
        speed = float(np.hypot(velocity[0], velocity[2]))
        toward = facing if np.isfinite(facing).all() else velocity
        steered = bool(np.hypot(toward[0], toward[2]) > 0)
        turn = self._turn(math.atan2(toward[0], toward[2])) if steered else 0.0
        self._asked.append((dt, turn * dt))
        while sum(seconds for seconds, _ in self._asked) > self._delay:
            self._asked.popleft()
        text, action = self._phrase(dt), self.action
        if (text is not None or action is not None) and not steered:
            return self._acted(Wish(text.text if text else "", action or (text.action if text else None)))
        if text is None:
            return Wish("", action or self._gait(speed, turn), speed, turn)
        return Wish(text.text, action or text.action, speed, turn)

    def _acted(self, wish: Wish) -> Wish:
        """A wish with the turn that its words say. When the last phrase is over, so is a turn on the spot, unless it is
        chosen as the action."""
        over = bool(self._text) and self._said > PHRASE_SECONDS * len(self._text)
        if over and self.action is None and wish.action == "turn":
            return replace(wish, turn=0.0)
        return with_turns([wish], self.rig, [PHRASE_SECONDS])[0]

    def _phrase(self, dt: float) -> Wish | None:
        """The part of what was said that is to be acted out now."""
        if not self._text:
            return None
        self._said += dt
        return self._text[min(int(self._said / PHRASE_SECONDS), len(self._text) - 1)]

    def _turn(self, toward: float) -> float:
        """The rate of turning, rad/s, that leads to a heading."""
        _, heading = self._place()
        coming = heading + sum(turned for _, turned in self._asked)
        fastest = _FASTEST_TURN / self._tempo
        rate = math.remainder(toward - coming, math.tau) / (_TURN_SECONDS * self._tempo)
        return min(max(rate, -fastest), fastest)

    def _gait(self, speed: float, turn: float) -> str | None:
        """The action of a body that is steered."""
        if speed == 0.0:
            return "idle" if abs(turn) < _STILL else None
        if "run" in self.actions and speed > 0.5 * (self._paces.walk + self._paces.run):
            return "run"
        return next((action for action in ("walk", "swim", "fly") if action in self.actions), None)

    def _decoded(self, channels: Singles) -> _Frames:
        path, headings = travelled(channels, self.rig, self._start)
        places = path * self.rig.unit
        self._start = Start(float(places[-1, 0]), float(places[-1, 1]), float(headings[-1]))
        here = channels.copy()
        here[:, 0, TRAVEL] = 0.0
        pose = decode(self.rig, here)[:]
        contacts = channels[:, self._feet, CONTACT.start]
        return _Frames(
            np.asarray(pose.local_rotations), np.asarray(pose.local_translations), places[:-1], headings[:-1], contacts
        )

    def _place(self) -> tuple[Floats, float]:
        """Position on the ground `[2]`, metres, and heading, radians, now."""
        frames, now, share = self._frames, int(self._time), self._time % 1.0
        then = min(now + 1, len(frames.headings) - 1)
        place = frames.places[now] + share * (frames.places[then] - frames.places[now])
        return place, float(frames.headings[now] + share * (frames.headings[then] - frames.headings[now]))

    def _pose(self) -> Pose:
        frames, now, share = self._frames, int(self._time), np.float32(self._time % 1.0)
        then = min(now + 1, len(frames.headings) - 1)
        place, heading = self._place()
        translations = frames.translations[now] + share * (frames.translations[then] - frames.translations[now])
        return Pose(
            self.skeleton,
            rotations.slerp(frames.rotations[now], frames.rotations[then], share)[None].astype(np.float32),
            translations[None],
            root_positions=np.asarray([[place[0], 0.0, place[1]]], np.float32),
            root_rotations=rotations.from_yaw(np.asarray([math.remainder(heading, math.tau)])).astype(np.float32),
            contacts=np.clip(frames.contacts[now], 0.0, 1.0)[None],
        )


@dataclass(frozen=True, eq=False)
class _Frames:
    """Frames that are played.

    Attributes:
        rotations, translations: `[F, J, 4]` and `[F, J, 3]`, local, under the root.
        places, headings: `[F, 2]`, metres, and `[F]`, radians, of the root.
        contacts: `[F, C]`.
    """

    rotations: Singles
    translations: Singles
    places: Floats
    headings: Floats
    contacts: Singles

    def followed_by(self, other: _Frames) -> _Frames:
        """The last frame of these, and all others."""
        parts = [(mine[-1:], its) for mine, its in zip(vars(self).values(), vars(other).values(), strict=True)]
        return _Frames(*(np.concatenate(both) for both in parts))
