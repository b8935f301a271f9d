"""Acts as they happen: the commands that lead a character through them, and the gestures of each moment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from kinema import rotations
from kinema.arrays import Reals, Singles
from kinema.control.command import Commands
from kinema.control.path import Path, PathFollower
from kinema.mocap.gestures.performing import gestured
from kinema.mocap.gestures.posture import Key, curves
from kinema.mocap.gestures.repertoire import gesture_of
from kinema.pose import Pose
from kinema.roles import Roles
from kinema.worlds.itinerary import SceneAct, StagedGesture

_ARRIVED = 0.12  # metres from the end of a way
_SLOWER, _PATIENCE = 1.6, 4.0  # times as long as at full speed that a way may take, and seconds more
_SETTLE = 0.5  # seconds after a way in which a body comes to stand
_TURNING = 1.75  # seconds in which it turns round
_LITTLE = 0.35  # radians that are no turn


@dataclass
class ActMark:
    """When an act began, when its way ended, when its gestures began, and when it ended, seconds."""

    begin: float
    arrived: float = 0.0
    ready: float = 0.0
    end: float = 0.0


@dataclass
class ActPlayer:
    """Commands a character through acts, and notes when they happen.

    Attributes:
        acts: in the frame of the positions that it is given. pace: how many times as fast as an adult it goes.
        marks: of the acts that have begun.
    """

    acts: Sequence[SceneAct]
    pace: float = 1.0
    marks: list[ActMark] = field(default_factory=list)
    _follower: PathFollower | None = None
    _facing: float = 0.0

    @property
    def done(self) -> bool:
        """Whether the last act has ended."""
        return len(self.marks) == len(self.acts) and self.marks[-1].end > 0.0

    def command(self, time: float, position: Singles, faced: float) -> Commands:
        """The command at a time, for a body at `[1, 3]` that faces `faced` radians."""
        if self.done:
            return self._standing()
        if not self.marks or self.marks[-1].end > 0.0:
            self._next(time, faced)
        act, mark = self.acts[len(self.marks) - 1], self.marks[-1]
        if self._follower is not None:
            commands = self._on_the_way(act, mark, time, position)
            if commands is not None:
                return commands
            self._arrive(act, mark, time)
        if time >= mark.ready + act.seconds:
            mark.end = max(time, 1e-9)
            if len(self.marks) < len(self.acts):
                return self.command(time, position, faced)
        return self._standing()

    def _next(self, time: float, faced: float) -> None:
        act = self.acts[len(self.marks)]
        self.marks.append(ActMark(time, time, time))
        self._follower = None
        if len(act.way) > 1:
            path = Path.through(np.insert(act.way, 1, 0.0, axis=1))
            self._follower = PathFollower(path, act.speed * self.pace)
            self._follower.reset(1)
        else:
            self._turn(act, self.marks[-1], time, faced)

    def _on_the_way(self, act: SceneAct, mark: ActMark, time: float, position: Singles) -> Commands | None:
        """The command to go on; None who has arrived."""
        follower = self._follower
        assert follower is not None
        commands = follower.step(position)
        patience = _SLOWER * follower.path.length / float(follower.speed) + _PATIENCE
        if follower.path.length - float(follower.progress[0]) < _ARRIVED or time - mark.begin > patience:
            return None
        if act.facing:
            ahead = follower.path.directions(follower.progress)[0]
            yaw = np.arctan2(ahead[0], ahead[1]) + act.facing
            commands = Commands.create(commands.velocity, [[np.sin(yaw), 0.0, np.cos(yaw)]])
        return commands

    def _arrive(self, act: SceneAct, mark: ActMark, time: float) -> None:
        follower = self._follower
        assert follower is not None
        ahead = follower.path.directions(np.asarray([follower.path.length]))[0]
        self._facing = float(np.arctan2(ahead[0], ahead[1])) + act.facing
        self._follower, mark.arrived = None, time
        mark.ready = time + _SETTLE
        self._turn(act, mark, mark.ready, self._facing)

    def _turn(self, act: SceneAct, mark: ActMark, time: float, faced: float) -> None:
        mark.ready = time
        if act.heading is None:
            self._facing = faced
            return
        angle = abs(float(rotations.wrap(np.asarray(act.heading - faced))))
        self._facing = act.heading
        mark.ready = time + _TURNING * angle / np.pi if angle > _LITTLE else time

    def _standing(self) -> Commands:
        return Commands.create(np.zeros((1, 3)), [[np.sin(self._facing), 0.0, np.cos(self._facing)]])


@dataclass(frozen=True, eq=False)
class TimedGesture:
    """A gesture at its time.

    Attributes:
        doing: what is done. keys: its postures, seconds after `begin`. begin: seconds.
    """

    doing: StagedGesture
    keys: tuple[Key, ...]
    begin: float

    @property
    def seconds(self) -> float:
        """How long it takes."""
        return self.keys[-1][0]

    def laid(self, pose: Pose, times: Reals) -> Pose:
        """Poses `[F]` at times `[F]`, seconds, with the gesture laid over them."""
        made = curves(self.keys, np.asarray(times) - self.begin)
        return gestured(pose, made, self.doing.side, self.doing.aim)


def timed_gestures(act: SceneAct, mark: ActMark, most: float = np.inf) -> Iterator[TimedGesture]:
    """The gestures of an act that has begun.

    Args:
        most: seconds that gestures on the way last, while it is not known when the way ends.
    """
    on_the_way = most if mark.arrived <= mark.begin else max(mark.arrived - mark.begin, 0.5)
    stays = [(doing, mark.ready, doing.seconds, doing.times) for doing in act.staying]
    goes = [(doing, mark.begin, on_the_way, doing.times) for doing in act.going]
    for doing, begin, seconds, times in (*goes, *stays):
        gesture = gesture_of(doing.action)
        if gesture is not None:
            yield TimedGesture(doing, gesture.lasting(seconds, times), begin)


def unable(acts: Sequence[SceneAct], roles: Roles) -> str:
    """Why a body cannot make the gestures of acts; empty if it can."""
    for staged in (each for act in acts for each in (*act.going, *act.staying)):
        gesture = gesture_of(staged.action)
        if gesture is not None and not roles.is_biped:
            return f"only bodies with two legs can {staged.action} yet"
        if gesture is not None and gesture.arms and not roles.arms:
            return f"who has no arms cannot {staged.action}"
    return ""
