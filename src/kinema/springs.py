"""Springs with half-lives: exact, unconditionally stable steps of critically damped springs.

A half-life is the time in seconds in which the distance to the goal falls to about one half. All functions support
NumPy and torch and any shape. Rotations are handled as rotation vectors (`rotations.log`).

Source of the idea: D. Holden, "Spring-It-On: The Game Developer's Spring-Roll-Call", 2021;
D. Bollo, "Inertialization", GDC 2018.
"""

from __future__ import annotations

import math

from array_api_compat import array_namespace

from kinema import rotations
from kinema.rotations import Array

_LN2 = math.log(2.0)
_TRIPLE = 2.674060313754  # root of (1 + u + u^2 / 2) exp(-u) = 1/2
_MIN_HALFLIFE = 1e-5


def damping(halflife: float) -> float:
    """Half the damping constant, in 1/s, of a critically damped spring with this half-life in seconds."""
    return 2.0 * _LN2 / max(halflife, _MIN_HALFLIFE)


def kept(halflife: float, dt: float) -> float:
    """The share of a distance that is left after `dt` seconds, if it halves every `halflife` seconds."""
    return 0.5 ** (dt / max(halflife, _MIN_HALFLIFE))


def approach(x: Array, goal: Array, halflife: float, dt: float) -> Array:
    """First-order step of `x` towards `goal`: the distance halves every `halflife` seconds, at any `dt`."""
    return goal + (x - goal) * kept(halflife, dt)


def spring(x: Array, velocity: Array, goal: Array, halflife: float, dt: float) -> tuple[Array, Array]:
    """Critically damped step of position `x` and `velocity` towards `goal`. Returns the new pair."""
    y = damping(halflife)
    offset = x - goal
    slope = velocity + offset * y
    fade = math.exp(-y * dt)
    return fade * (offset + slope * dt) + goal, fade * (velocity - slope * (y * dt))


def decay(x: Array, velocity: Array, halflife: float, dt: float) -> tuple[Array, Array]:
    """Critically damped step of an offset `x` and its `velocity` towards zero. Inertialisation adds it to a pose."""
    y = damping(halflife)
    slope = velocity + x * y
    fade = math.exp(-y * dt)
    return fade * (x + slope * dt), fade * (velocity - slope * (y * dt))


def spring_rotation(q: Array, angular_velocity: Array, goal: Array, halflife: float, dt: float) -> tuple[Array, Array]:
    """Critically damped step of rotations `[..., 4]` and angular velocities `[..., 3]` (rad/s) towards `goal`."""
    offset = rotations.log(rotations.multiply(q, rotations.inverse(goal)))
    offset, angular_velocity = decay(offset, angular_velocity, halflife, dt)
    return rotations.multiply(rotations.exp(offset), goal), angular_velocity


def move(
    position: Array, velocity: Array, acceleration: Array, goal_velocity: Array, halflife: float, dt: Array | float
) -> tuple[Array, Array, Array]:
    """Step a point whose velocity follows `goal_velocity` as a critically damped spring. The position is exact too.

    Args:
        position, velocity, acceleration: `[..., D]`; metres and seconds.
        goal_velocity: `[..., D]`, held constant over the step.
        halflife: half-life of the velocity, seconds.
        dt: a number, or an array that broadcasts (a column of future times predicts a whole trajectory at once).
    """
    y = damping(halflife)
    offset = velocity - goal_velocity
    slope = acceleration + offset * y
    fade = math.exp(-y * dt) if isinstance(dt, float | int) else array_namespace(velocity).exp(-y * dt)
    # Compute the coefficients first. For a scalar dt their differences are then taken in double precision.
    moved = offset * ((1.0 - fade) / y) + slope * ((1.0 - fade * (1.0 + y * dt)) / (y * y))
    return (
        position + moved + goal_velocity * dt,
        fade * (offset + slope * dt) + goal_velocity,
        fade * (acceleration - slope * y * dt),
    )


def triple_damping(halflife: Array | float) -> Array:
    """The damping constant, in 1/s, of `decay_smooth` with this half-life in seconds."""
    if isinstance(halflife, float | int):
        return _TRIPLE / max(halflife, _MIN_HALFLIFE)
    return _TRIPLE / array_namespace(halflife).where(halflife > _MIN_HALFLIFE, halflife, _MIN_HALFLIFE)


def decay_smooth(
    x: Array, velocity: Array, acceleration: Array, halflife: Array | float, dt: float
) -> tuple[Array, Array, Array]:
    """Step of an offset to zero from a given velocity *and* acceleration: a critically damped triple pole.

    Used for inertialisation. The acceleration is continuous at the switch, so the jerk is bounded by the offset over
    the cube of the half-life, instead of by the frame rate. From rest, half of `x` is left after `halflife`, a number
    or an array that broadcasts.
    """
    y = triple_damping(halflife)
    fade = math.exp(-y * dt) if isinstance(y, float) else array_namespace(y).exp(-y * dt)
    c1 = velocity + y * x
    c2 = 0.5 * (acceleration + 2.0 * y * velocity + y * y * x)
    value = fade * (x + dt * (c1 + dt * c2))
    slope = fade * (c1 + 2.0 * c2 * dt) - y * value
    return value, slope, fade * (2.0 * c2 - y * (c1 + 2.0 * c2 * dt)) - y * slope
