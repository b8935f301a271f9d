"""The course of a script over the ground and in the air: position, facing, altitude and which act is on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Floats
from kinema.errors import ControlError
from kinema.mocap.creatures.acts import ACTIONS, Act
from kinema.mocap.procedural.script import smooth_step


@dataclass(frozen=True)
class Pacing:
    """How fast a body does things.

    Attributes:
        unit: sqrt(L / g), seconds: the time in which a body of leg length L changes what it does.
        length: L, metres.
        speeds: Froude speed of slow, usual and fast travel for each kind of act.
        sideways: direction of plain travel relative to facing, radians.
        altitude: height of flight or free swimming, metres.
        aloft: kinds of act at that height.
        turning: how much longer turns take than those of a body whose feet stand close together.
        follows: whether the body goes where its head points, as snakes and fish do, whatever the script's directions.
    """

    unit: float
    length: float
    speeds: dict[str, tuple[float, float, float]]
    sideways: float = 0.0
    altitude: float = 0.0
    aloft: tuple[str, ...] = ("fly", "glide")
    turning: float = 1.0
    follows: bool = False

    def fall_seconds(self, airborne: float) -> float:
        """How long a body falls from its altitude to the ground if it dies there; 0 for one that swims."""
        height = self.altitude * airborne if "fly" in self.aloft else 0.0
        return float(np.sqrt(2 * height / self.gravity))

    def turn_seconds(self, turn: float, pace: float) -> float:
        """How long a change of facing by an angle in radians takes."""
        return (1.6 + 1.9 * abs(turn)) * self._turn_unit(pace)

    def turn_within(self, seconds: float, pace: float) -> float:
        """Largest change of facing that takes no longer, radians; 0 if there is no time at all."""
        return max((seconds / self._turn_unit(pace) - 1.6) / 1.9, 0.0)

    def _turn_unit(self, pace: float) -> float:
        return self.unit * self.turning * 2.0 ** (-0.7 * pace)

    @property
    def speed(self) -> float:
        """One Froude speed, m/s."""
        return self.length / self.unit

    @property
    def gravity(self) -> float:
        """The gravity that fits the tempo, m/s2: 9.81 for bodies of usual size."""
        return self.length / self.unit**2

    def of(self, act: Act) -> float | None:
        """Speed of an act, m/s; None for one that goes on as before."""
        if act.speed is not None:
            return act.speed
        if act.kind == "jump":
            return None
        slow, usual, fast = self.speeds.get(act.kind, (0.0, 0.0, 0.0))
        other = fast if act.pace > 0 else slow
        return self.speed * (usual + abs(act.pace) * (other - usual))


@dataclass(frozen=True)
class Deed:
    """An act in time.

    Attributes:
        act: the act.
        start, end: seconds.
        speed: commanded, m/s.
    """

    act: Act
    start: float
    end: float
    speed: float


@dataclass(frozen=True)
class Course:
    """The plan, one row per frame (with margins before and after the clip).

    Attributes:
        times: `[N]` seconds; the clip begins at 0.
        position, velocity, acceleration: `[N, 2]` as (x, z), metres and seconds.
        facing, turning: `[N]` radians (unwrapped) and radians per second.
        altitude: `[N]` height above standing, metres.
        airborne: `[N]` 0 on the ground, 1 in flight.
        action: int8 `[N]`.
        gaits: `N` names of gaits or None.
        deeds: the acts in time.
    """

    times: Floats
    position: Floats
    velocity: Floats
    acceleration: Floats
    facing: Floats
    turning: Floats
    altitude: Floats
    airborne: Floats
    action: NDArray[np.int8]
    gaits: list[str | None]
    deeds: tuple[Deed, ...]

    @property
    def fps(self) -> float:
        return 1.0 / float(self.times[1] - self.times[0])

    @property
    def speed(self) -> Floats:
        """Length `[N]` of the velocity."""
        return np.linalg.norm(self.velocity, axis=-1)

    def ahead(self) -> Floats:
        """Speed `[N]` in the direction of facing."""
        return self.velocity[:, 0] * np.sin(self.facing) + self.velocity[:, 1] * np.cos(self.facing)


def plan_course(script: Sequence[Act], fps: float, pacing: Pacing, margin: float) -> Course:
    """Join acts by minimum-jerk changes of velocity, facing and altitude.

    Raises:
        ControlError: the script is empty.
    """
    if not script:
        raise ControlError("the script is empty; it needs at least one Act")
    total = float(sum(act.seconds for act in script))
    pad = round(margin * fps)
    times = (np.arange(max(round(total * fps), 1) + 2 * pad) - pad) / fps
    unit = pacing.unit
    velocity, last_velocity = np.zeros((times.size, 2)), np.zeros((times.size, 2))
    pace, last_speed = np.zeros(times.size), 0.0
    facing, last_facing = np.zeros(times.size), np.zeros(times.size)
    airborne, aloft = np.zeros(times.size), 0.0
    action = np.full(times.size, ACTIONS.index(script[0].kind), np.int8)
    gaits: list[str | None] = [script[0].gait] * times.size
    deeds: list[Deed] = []
    start, heading, speed, direction = 0.0, 0.0, 0.0, pacing.sideways
    for act in script:
        own = pacing.of(act)
        if own is not None:
            speed = own
            direction = act.direction if act.direction is not None else np.pi if act.kind == "back" else pacing.sideways
        heading += act.turn
        new_facing = heading + act.curve * (times - start)
        angle = new_facing + direction
        new_velocity = speed * np.stack([np.sin(angle), np.cos(angle)], axis=-1)
        blend = swing = rise = np.ones(times.size)
        wanted = 1.0 if act.kind in pacing.aloft else 0.0
        if start > 0:
            here = int(np.clip(np.searchsorted(times, start), 0, times.size - 1))
            change = (
                1.5 * unit + 1.6 * unit * float(np.linalg.norm(new_velocity[here] - last_velocity[here])) / pacing.speed
            )
            blend = smooth_step((times - start) / change)
            action[times >= start + (0.3 * change if act.kind != "jump" else 0.0)] = ACTIONS.index(act.kind)
            begin = int(np.searchsorted(times, start + 0.3 * change))
            gaits[begin:] = [act.gait] * (times.size - begin)
            rise = smooth_step((times - start) / (6.0 * unit))
            if act.kind == "die" and (fall := pacing.fall_seconds(aloft)) > 0:
                blend = smooth_step((times - start) / max(change, 1.3 * fall))
                rise = np.clip((times - start) / fall, 0.0, 1.0) ** 2
        if start > 0 or act.kind == "turn":
            swing = smooth_step((times - start) / pacing.turn_seconds(act.turn, act.pace))
        velocity += (new_velocity - last_velocity) * blend[:, None]
        pace += (speed - last_speed) * blend
        facing += (new_facing - last_facing) * swing
        airborne += (wanted - aloft) * rise
        deeds.append(Deed(act, start, start + act.seconds, speed))
        heading += act.curve * act.seconds
        last_velocity, last_speed, last_facing, aloft = new_velocity, speed, new_facing, wanted
        start += act.seconds
    if pacing.follows:
        velocity = pace[:, None] * np.stack([np.sin(facing), np.cos(facing)], axis=-1)
    steps = 0.5 * (velocity[1:] + velocity[:-1]) / fps
    position = np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])
    position -= position[np.searchsorted(times, -0.5 / fps)]
    acceleration = np.stack([np.gradient(column, 1.0 / fps) for column in velocity.T], axis=-1)
    return Course(
        times, position, velocity, acceleration, facing, np.gradient(facing, 1.0 / fps), pacing.altitude * airborne,
        airborne, action, gaits, tuple(deeds),
    )  # fmt: skip
