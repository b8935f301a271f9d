"""Strides, waves and wing beats a second: of a motion on any rig, and as they are usual for a body.

Size and speed alone do not tell a network how fast strange legs go: it takes them for those of a body that it knows.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from kinema.arrays import Floats, Singles
from kinema.errors import SkeletonError
from kinema.generation.channels import CONTACT, FPS, TURN, encode
from kinema.generation.conduct import beat
from kinema.generation.rig import AnyRig
from kinema.mocap.contacts import runs
from kinema.mocap.creatures.acts import LOCOMOTION, Act
from kinema.mocap.creatures.perform import kind_of_creature, perform
from kinema.mocap.creatures.repertoire import actions_of

_SHORTEST = 1.5  # seconds of a motion whose waves can be told
_SECONDS = 5.0  # of the motion that tells what is usual
_PACES = (-1.0, 0.0, 1.0)


def measured_cadence(channels: Singles) -> float:
    """Cadence of a motion, Hz: strides of its feet, or waves and beats of a body of which no joint is ever planted.

    Args:
        channels: `[F, K, CHANNELS]`.

    Returns:
        NaN if no foot takes a whole stride, or the motion is too short or too still to tell.
    """
    planted = channels[..., CONTACT][..., 0] > 0.5
    if planted.any():
        strides = [_stride_frames(planted[:, joint]) for joint in np.flatnonzero(planted.any(axis=0))]
        known = [frames for frames in strides if frames]
        return FPS / float(np.median(known)) if known else np.nan
    found = beat(channels[..., TURN].astype(np.float64), FPS) if len(channels) >= _SHORTEST * FPS else None
    return np.nan if found is None else found


def _stride_frames(planted: np.ndarray) -> float:
    """Mean frames from strike to strike; 0 if there are fewer than two strikes."""
    strikes = [start for start, _ in runs(planted) if start > 0]
    return (strikes[-1] - strikes[0]) / (len(strikes) - 1) if len(strikes) > 1 else 0.0


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
    cadences = np.asarray([measured_cadence(encode(rig, motion)[0]) for motion in motions], np.float64)
    known = np.isfinite(cadences)
    return speeds[known], cadences[known]
