"""Who obeys and who wanders about: components and systems of a world that is played."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from kinema import rotations
from kinema.engine import Command, Transform, World, system
from kinema.session.steering import InputState, Steering

RADIUS = 5.0
"""Metres from the steered entity beyond which a wanderer walks back to it."""


@dataclass
class Steered:
    """The entity obeys the keyboard and the gamepad."""


@dataclass
class Wanders:
    """The entity walks about by itself near the steered one; it changes its mind at `until` seconds."""

    until: float = 0.0


@dataclass
class Steer:
    """What a person holds; a resource.

    Attributes:
        state: keys and sticks. heading: of the camera, radians from +Z toward +X.
        steering: what the keys mean, with its speeds.
    """

    state: InputState = field(default_factory=InputState)
    heading: float = 0.0
    steering: Steering = field(default_factory=Steering)


@system(phase="input", reads=(Steered, Transform, Steer), writes=(Command,))
def steer(world: World, dt: float) -> None:
    """Turn what is held into commands."""
    held = world.resources[Steer]
    for _, (_, transform, command) in world.query(Steered, Transform, Command):
        facing = float(rotations.yaw(np.asarray(transform.rotation, np.float32)))
        control = held.steering.command(held.state, held.heading, facing, dt)
        command.velocity = control.velocity[0]
        command.facing = control.facing[0] if np.isfinite(control.facing[0]).all() else None


@system(phase="input", reads=(Transform, Steered), writes=(Wanders, Command), after=(steer,))
def wander(world: World, dt: float) -> None:
    """Let wanderers change direction or stand now and then, and come back when they are far from the steered one."""
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
    """Where wanderers begin: `(x, z)` metres around the steered one, an even spiral about two metres apart."""
    turn = math.pi * (3 - math.sqrt(5))
    return [
        (2.0 * math.sqrt(number) * math.sin(turn * number), 2.0 * math.sqrt(number) * math.cos(turn * number))
        for number in range(1, count + 1)
    ]
