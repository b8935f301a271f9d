"""Components and systems of a played world: the steered character and the wandering crowd."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from kinema import rotations
from kinema.engine import Command, Transform, World, system
from kinema.session.steering import InputState, Steering

RADIUS = 5.0
"""Distance in metres from the steered entity at which a wanderer turns back."""


@dataclass
class Steered:
    """Marks an entity that keyboard and gamepad steer."""


@dataclass
class Wanders:
    """The entity wanders near the steered one and picks a new direction at `until` seconds."""

    until: float = 0.0


@dataclass
class Steer:
    """Resource: the current input.

    Attributes:
        state: keys and sticks. heading: heading of the camera, radians from +Z toward +X.
        steering: maps input to commands. style: words of the commands; see `kinema.mocap.styles.mix_of`.
    """

    state: InputState = field(default_factory=InputState)
    heading: float = 0.0
    steering: Steering = field(default_factory=Steering)
    style: str = ""


@system(phase="input", reads=(Steered, Transform, Steer), writes=(Command,))
def steer(world: World, dt: float) -> None:
    """Turn the input into commands, the same for all: those of the first."""
    held, control = world.resources[Steer], None
    for _, (_, transform, command) in world.query(Steered, Transform, Command):
        if control is None:
            facing = float(rotations.yaw(np.asarray(transform.rotation, np.float32)))
            control = held.steering.command(held.state, held.heading, facing, dt)
        command.velocity, command.style = control.velocity[0], held.style
        command.facing = control.facing[0] if np.isfinite(control.facing[0]).all() else None


@system(phase="input", reads=(Transform, Steered, Steer), writes=(Wanders, Command), after=(steer,))
def wander(world: World, dt: float) -> None:
    """Give wanderers new directions and pauses; those that are far away turn back."""
    leader = next((transform.position for _, (_, transform) in world.query(Steered, Transform)), (0.0, 0.0, 0.0))
    for _, (state, transform, command) in world.query(Wanders, Transform, Command):
        if world.time < state.until:
            continue
        state.until = world.time + float(world.random.uniform(1.0, 3.5))
        away = np.subtract(leader, transform.position)[[0, 2]]
        share = world.resources[Steer].steering.walk / Steering.walk
        speed = share * float(world.random.choice([0.0, 0.9, 1.4, 1.4, 2.2]))
        angle = float(world.random.uniform(-math.pi, math.pi))
        if float(np.hypot(*away)) > RADIUS:
            speed, angle = 2.2 * share, math.atan2(away[0], away[1]) + 0.2 * angle
        command.velocity = (speed * math.sin(angle), 0.0, speed * math.cos(angle))


def start_positions(count: int) -> list[tuple[float, float]]:
    """Start positions of wanderers, `(x, z)` in metres: a spiral with about two metres between neighbours."""
    turn = math.pi * (3 - math.sqrt(5))
    return [
        (2.0 * math.sqrt(number) * math.sin(turn * number), 2.0 * math.sqrt(number) * math.cos(turn * number))
        for number in range(1, count + 1)
    ]
