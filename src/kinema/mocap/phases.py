"""Phases of a gait, from the speeds of the feet.

The speed of a foot goes up and down once a cycle. Its analytic signal (Hilbert transform) within the band in which
bodies step has an angle, the phase of that limb, and a magnitude, how fast the foot swings. The gait phase is the angle
of left minus right: swapping the feet, as a mirror image does, shifts it by exactly half a cycle.

A limb has phase 0 where its foot is fastest, and the gait where the left foot is. The filter has zero phase and one
parameter, the band.

Sources: D. Holden et al., "Phase-Functioned Neural Networks" (2017), which label by hand; S. Starke et al., "Local
Motion Phases" (2020), where an evolutionary search fits the angle.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kinema import kinematics, mirroring
from kinema.arrays import Indices, Reals, Singles
from kinema.mocap.contacts import Thresholds
from kinema.skeleton import Skeleton

BAND = (0.4, 2.5)
"""Cycles per second of an adult, from a slow walk to a sprint.

The speeds of the feet are no cosine, and their third harmonic makes the phase run unevenly. That of a walk is outside.
"""

ORDER = 3
"""Of the Butterworth filter, which acts forward and backward."""

STILL = Thresholds().speed_off
"""m/s of an adult: a foot that moves less than this has no phase to speak of."""


class Phases(NamedTuple):
    """Phases of a clip.

    Attributes:
        gait: `[F]`, cycles from 0 to 1; 0 in bodies without a left and a right foot.
        confidence: `[F]`, 0 to 1: the part of the movement that alternates in the band; 0 where nobody steps.
        limbs: `[F, C, 2]`, a vector for each foot: its speed in the band, m/s of an adult, times sine and cosine of
            its phase.
    """

    gait: Singles
    confidence: Singles
    limbs: Singles


def find_phases(positions: Reals, fps: float, sides: tuple[int, int] | None, size: float = 1.0) -> Phases:
    """The phases of a clip of any length.

    Args:
        positions: `[F, C, 3]` of the feet in the world, metres.
        fps: frames per second.
        sides: columns of the left and right foot whose alternation is the gait; None without a pair.
        size: of the body over that of an adult; small bodies step faster, by the root of their size.
    """
    speeds = np.linalg.norm(kinematics.velocities(positions, 1.0 / fps), axis=-1) / size
    pace = 1.0 / np.sqrt(size)
    inside, outside = analytic(speeds, fps, (pace * BAND[0], pace * BAND[1]))
    limbs = np.stack([inside.imag, inside.real], axis=-1).astype(np.float32)
    if sides is None:
        nothing = np.zeros(len(positions), np.float32)
        return Phases(nothing, nothing, limbs)
    left, right = sides
    steps, rest = inside[:, left] - inside[:, right], outside[:, left] - outside[:, right]
    power = np.abs(steps) ** 2
    confidence = power / (power + np.abs(rest) ** 2 + STILL**2)
    return Phases(to_cycles(np.angle(steps)), confidence.astype(np.float32), limbs)


def to_cycles(angles: Reals) -> Singles:
    """Angles in radians as cycles, 0 to 1 (not included)."""
    cycles = (angles / (2.0 * np.pi) % 1.0).astype(np.float32)
    return np.where(cycles < 1.0, cycles, np.float32(0.0))  # what rounds up to a whole cycle


def analytic(signal: Reals, fps: float, band: tuple[float, float]) -> tuple[NDArray[np.complexfloating], ...]:
    """The analytic signals `[F, ...]` of what is inside and outside of a band, for real signals `[F, ...]`.

    Equal to a Butterworth filter that runs forward and backward, and a Hilbert transform after it. The signal is
    reflected at both ends, so clips may be shorter than a cycle. The mean belongs to neither part.

    Args:
        signal: evenly spaced over time.
        fps: values per second.
        band: lowest and highest frequency, Hz.
    """
    frames, (low, high) = len(signal), band
    spectrum = np.fft.rfft(np.concatenate([signal, signal[::-1]]), axis=0)[1:frames]
    frequencies = np.arange(1, frames) * (fps / (2 * frames))
    off = (frequencies**2 - low * high) / (frequencies * (high - low))
    gain = (1.0 / (1.0 + off ** (2 * ORDER))).reshape(-1, *[1] * (signal.ndim - 1))
    both = np.zeros((2, 2 * frames, *signal.shape[1:]), np.complex128)
    both[0, 1:frames], both[1, 1:frames] = 2.0 * gain * spectrum, 2.0 * (1.0 - gain) * spectrum
    inside, outside = np.fft.ifft(both, axis=1)[:, :frames]
    return inside, outside


def alternating_sides(skeleton: Skeleton, joints: Indices) -> tuple[int, int] | None:
    """Columns of the left and right foot whose alternation is the gait; None without a pair of mirror partners.

    Of several pairs it is the one whose limbs part nearest to the root, such as the hind legs of a horse: legs of one
    pair alternate in walk, trot and pace alike.

    Args:
        skeleton: any.
        joints: int32 `[C]`, its contact joints.
    """
    if skeleton.roles.legs:
        return 0, 1  # as contact joints are ordered
    columns = {int(joint): column for column, joint in enumerate(joints)}
    partners = mirroring.partners(skeleton)
    pairs = [(joint, int(partners[joint])) for joint in columns if skeleton.roles.sides[joint] == "left"]
    pairs = [(left, right) for left, right in pairs if right != left and right in columns]
    if not pairs:
        return None
    left, right = min(pairs, key=lambda pair: len(set(skeleton.ancestors(pair[0])) & set(skeleton.ancestors(pair[1]))))
    return columns[left], columns[right]


def phase_steps(phase: Reals) -> Singles:
    """Change of a phase `[F]` from each frame to the next, `[F - 1]`, in cycles from -0.5 to 0.5."""
    return ((np.diff(phase) + 0.5) % 1.0 - 0.5).astype(np.float32)
