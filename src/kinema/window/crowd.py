"""Systems of the played world: the hand that steers, those who wander about, and what is measured."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from kinema import rotations
from kinema.engine import Command, Transform, World, system
from kinema.viewer.input import InputState, Steering
from kinema.window.gamepad import Pad

RADIUS = 5.0
"""Metres from the one who obeys that a wanderer comes after it at."""


@dataclass
class Steered:
    """The entity obeys the keyboard and the gamepad."""


@dataclass
class Wanders:
    """The entity walks about by itself, near who obeys; `until`: seconds when it changes its mind."""

    until: float = 0.0


@dataclass
class Hand:
    """What is held now; a resource.

    Attributes:
        keys: codes of keys. pad: the gamepad. heading: of the camera, radians from +Z toward +X.
        steering: what the keys mean, with its speeds.
    """

    keys: frozenset[str] = frozenset()
    pad: Pad | None = None
    heading: float = 0.0
    steering: Steering = field(default_factory=Steering)

    def state(self) -> InputState:
        """Keys and sticks together."""
        if self.pad is None:
            return InputState(self.keys)
        return InputState(self.keys | self.pad.held, self.pad.move, self.pad.look)


@system(phase="input", reads=(Steered, Transform, Hand), writes=(Command,))
def steer(world: World, dt: float) -> None:
    """Turn what is held into commands."""
    hand = world.resources[Hand]
    for _, (_, transform, command) in world.query(Steered, Transform, Command):
        facing = float(rotations.yaw(np.asarray(transform.rotation, np.float32)))
        control = hand.steering.command(hand.state(), hand.heading, facing, dt)
        command.velocity = control.velocity[0]
        command.facing = control.facing[0] if np.isfinite(control.facing[0]).all() else None


@system(phase="input", reads=(Transform, Steered), writes=(Wanders, Command), after=(steer,))
def wander(world: World, dt: float) -> None:
    """Now and then a wanderer takes another way, or stands; far from the one who obeys it comes after."""
    leader = next((place.position for _, (_, place) in world.query(Steered, Transform)), (0.0, 0.0, 0.0))
    for _, (state, transform, command) in world.query(Wanders, Transform, Command):
        if world.time < state.until:
            continue
        state.until = world.time + float(world.random.uniform(1.0, 3.5))
        away = np.subtract(leader, transform.position)[[0, 2]]
        speed = float(world.random.choice([0.0, 0.9, 1.4, 1.4, 2.2]))
        angle = float(world.random.uniform(-math.pi, math.pi))
        if float(np.hypot(*away)) > RADIUS:
            speed, angle = 2.2, math.atan2(away[0], away[1]) + 0.2 * angle
        command.velocity = (speed * math.sin(angle), 0.0, speed * math.cos(angle))


def places(count: int) -> list[tuple[float, float]]:
    """Where wanderers begin, `(x, z)` metres around the one who obeys: an even spiral, two metres apart or so."""
    turn = math.pi * (3 - math.sqrt(5))
    return [
        (2.0 * math.sqrt(number) * math.sin(turn * number), 2.0 * math.sqrt(number) * math.cos(turn * number))
        for number in range(1, count + 1)
    ]
