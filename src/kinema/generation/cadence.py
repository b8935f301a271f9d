"""Strides, waves and wing beats: their phase and how many there are a second, in a motion, and as usual for a body.

Size and speed alone do not tell a network how fast strange legs go: it takes them for those of a body that it knows. A
clock does: out of noise, where a motion without one could be at any moment of its stride, it says which.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.ndimage import gaussian_filter1d

from kinema.arrays import Bools, Floats, Singles
from kinema.errors import SkeletonError
from kinema.generation.channels import CONTACT, FPS, PLACE, TURN, encode
from kinema.generation.conduct import beat
from kinema.generation.rig import AnyRig
from kinema.mocap.contacts import runs
from kinema.mocap.creatures.acts import LOCOMOTION, Act
from kinema.mocap.creatures.perform import kind_of_creature, perform
from kinema.mocap.creatures.repertoire import actions_of

_SHORTEST = 1.5  # seconds of a motion whose waves can be told
_SECONDS = 5.0  # of the motion that tells what is usual
_PACES = (-1.0, 0.0, 1.0)
_BEYOND = 100.0  # strides for which the first and the last one go on beyond the strikes
_SOFT = 0.5  # waves over which their phase is averaged


class Beat(NamedTuple):
    """The rhythm of a motion: strides of its feet, or waves and beats of a body of which no joint is ever planted.

    Attributes:
        cadence: Hz; NaN if no foot takes a whole stride, or the motion is too short or too still to tell.
        phase: `[F]` strides, growing: whole where the left hindmost foot strikes, where the leftmost joint is highest,
            or where the hindmost one is farthest to the left. NaN where the cadence is.
    """

    cadence: float
    phase: Floats


def measured_beat(rig: AnyRig, channels: Singles) -> Beat:
    """The rhythm of a motion of channels `[F, K, CHANNELS]`."""
    planted = channels[..., CONTACT][..., 0] > 0.5
    if planted.any():
        return _of_feet(rig, planted)
    found = beat(channels[..., TURN].astype(np.float64), FPS) if len(channels) >= _SHORTEST * FPS else None
    if found is None:
        return Beat(np.nan, np.full(len(channels), np.nan))
    return Beat(found, _wave_phase(rig, channels, found))


def _of_feet(rig: AnyRig, planted: Bools) -> Beat:
    strikes = {
        joint: found
        for joint in np.flatnonzero(planted.any(axis=0)).tolist()
        if len(found := [start for start, _ in runs(planted[:, joint]) if start > 0]) > 1
    }
    if not strikes:
        return Beat(np.nan, np.full(len(planted), np.nan))
    frames = float(np.median([(found[-1] - found[0]) / (len(found) - 1) for found in strikes.values()]))
    places = rig.rest_positions
    first = min(strikes, key=lambda joint: (places[joint, 0] < 0, places[joint, 2]))
    at = np.asarray(strikes[first], np.float64)
    whole = np.arange(len(at), dtype=np.float64)
    at = np.concatenate([[at[0] - _BEYOND * (at[1] - at[0])], at, [at[-1] + _BEYOND * (at[-1] - at[-2])]])
    whole = np.concatenate([[-_BEYOND], whole, [whole[-1] + _BEYOND]])
    return Beat(FPS / frames, np.interp(np.arange(len(planted)), at, whole))


def _wave_phase(rig: AnyRig, channels: Singles, cadence: float) -> Floats:
    """Phase `[F]` of waves and beats of so many a second."""
    places = rig.rest_positions
    left, hindmost = int(places[:, 0].argmax()), int(places[:, 2].argmin())
    time = np.arange(len(channels)) / FPS
    ways = np.stack([channels[:, left, PLACE][:, 1], channels[:, hindmost, PLACE][:, 0]], axis=-1).astype(np.float64)
    ways = (ways - ways.mean(axis=0)) * np.exp(-2j * np.pi * cadence * time)[:, None]
    width = _SOFT * FPS / cadence
    slow = gaussian_filter1d(ways.real, width, axis=0) + 1j * gaussian_filter1d(ways.imag, width, axis=0)
    strongest = slow[:, int(np.square(np.abs(slow)).sum(axis=0).argmax())]
    return cadence * time + np.unwrap(np.angle(strongest)) / (2 * np.pi)


def usual_cadence(rig: AnyRig, action: str | None, speed: float | None = None, pace: float = 0.0) -> float:
    """Cadence of a body that gets on, Hz, as `kinema.perform` has it; NaN for other actions and unknown bodies.

    Args:
        speed: m/s; None takes that of `pace`, from -1, slow, to 1, fast.
    """
    speeds, cadences = _usual(rig, action) if action in LOCOMOTION else (np.zeros(0), np.zeros(0))
    if not len(speeds):
        return np.nan
    at = np.interp(pace, _PACES, np.log(speeds)) if speed is None else np.log(max(speed, 1e-9))
    return float(np.exp(np.interp(at, np.log(speeds), np.log(cadences))))


@lru_cache(maxsize=128)
def _usual(rig: AnyRig, action: str) -> tuple[Floats, Floats]:
    """Speeds, m/s, and cadences, Hz, of a body from slow to fast; empty where there are none."""
    nothing = np.zeros(0), np.zeros(0)
    stance = None if rig.stance is rig.skeleton.rest_pose else rig.stance
    try:
        kind = kind_of_creature(rig.skeleton, stance)
    except SkeletonError:
        return nothing
    if action not in actions_of(kind):
        return nothing
    acts = [Act(action, _SECONDS, pace) for pace in _PACES]
    speeds = np.asarray([kind.pacing.of(act) for act in acts], np.float64)
    motions = [perform(rig.skeleton, [act], fps=FPS, stance=stance) for act in acts]
    cadences = np.asarray([measured_beat(rig, encode(rig, motion)[0]).cadence for motion in motions], np.float64)
    known = np.isfinite(cadences)
    return speeds[known], cadences[known]
