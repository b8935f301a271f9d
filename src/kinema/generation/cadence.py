"""Strides, waves and wing beats: their phase and how many there are a second, in a motion, and as usual for a body.

Size and speed alone do not tell a network how fast strange legs go: it takes them for those of a body that it knows. A
clock does: out of noise, where a motion without one could be at any moment of its stride, it says which.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.ndimage import gaussian_filter1d

from kinema.arrays import Bools, Floats, Singles
from kinema.errors import SkeletonError
from kinema.generation.channels import CONTACT, FPS, PLACE, TURN, encode
from kinema.generation.conditions import SLOWEST
from kinema.generation.conduct import beat
from kinema.generation.rig import AnyRig
from kinema.mocap.contacts import runs
from kinema.mocap.creatures.acts import LOCOMOTION, Act
from kinema.mocap.creatures.kinds import Kind
from kinema.mocap.creatures.perform import kind_of_creature, perform
from kinema.mocap.creatures.repertoire import actions_of
from kinema.pose import Pose

_SHORTEST = 1.5  # seconds of a motion whose waves can be told
_SECONDS = 5.0  # of the motion that tells what is usual
_PACES = (-1.0, 0.0, 1.0)
_BEYOND = 100.0  # strides for which the first and the last one go on beyond the strikes
_SOFT = 0.5  # waves over which their phase is averaged
_TRIED = 300  # cadences
_UNLIKE = 0.5  # share of waves that no sine explains, at most


class Beat(NamedTuple):
    """The rhythm of a motion: strides of its feet, or waves and beats of a body of which no joint is ever planted.

    Attributes:
        cadence: Hz; NaN if no foot takes a whole stride, or the motion is too short or too still to tell.
        phase: `[F]` strides, growing: whole where the left hindmost foot strikes, where the leftmost joint is highest,
            or where the hindmost one is farthest to the left of the foremost. NaN where the cadence is.
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
    at = np.asarray(strikes[_first_foot(rig, strikes)], np.float64)
    return Beat(FPS / frames, _through(at, np.arange(len(at), dtype=np.float64), len(planted), frames))


def _first_foot(rig: AnyRig, feet: Iterable[int]) -> int:
    """The left hindmost of some joints."""
    places = rig.rest_positions
    return min(feet, key=lambda joint: (places[joint, 0] < 0, places[joint, 2]))


def _through(at: Floats, whole: Floats, length: int, usual: float) -> Floats:
    """Strides `[length]` that are `whole` at some frames; beyond them they go on as between the next two.

    Args:
        usual: frames of a stride, for those beyond one.
    """
    pace = np.diff(at) / np.diff(whole) if len(at) > 1 else np.asarray([usual])
    at = np.concatenate([[at[0] - _BEYOND * pace[0]], at, [at[-1] + _BEYOND * pace[-1]]])
    whole = np.concatenate([[whole[0] - _BEYOND], whole, [whole[-1] + _BEYOND]])
    return np.interp(np.arange(length), at, whole)


def _wave_phase(rig: AnyRig, channels: Singles, cadence: float) -> Floats:
    """Phase `[F]` of waves and beats of so many a second."""
    ways, time = _ways(rig, channels), np.arange(len(channels)) / FPS
    ways = (ways - ways.mean(axis=0)) * np.exp(-2j * np.pi * cadence * time)[:, None]
    width = _SOFT * FPS / cadence
    slow = gaussian_filter1d(ways.real, width, axis=0) + 1j * gaussian_filter1d(ways.imag, width, axis=0)
    strongest = slow[:, int(np.square(np.abs(slow)).sum(axis=0).argmax())]
    return cadence * time + np.unwrap(np.angle(strongest)) / (2 * np.pi)


def _ways(rig: AnyRig, channels: Singles) -> Floats:
    """Height of the leftmost joint and way of the hindmost one to the left of the foremost, `[F, 2]` units."""
    places, moved = rig.rest_positions, channels[..., PLACE].astype(np.float64)
    left, hindmost, foremost = int(places[:, 0].argmax()), int(places[:, 2].argmin()), int(places[:, 2].argmax())
    return np.stack([moved[:, left, 1], moved[:, hindmost, 0] - moved[:, foremost, 0]], axis=-1)


def bridged_beat(rig: AnyRig, channels: Singles, known: Bools) -> Beat:
    """The rhythm of a motion of which some frames are not known, carried on through them.

    Feet strike a whole number of times between two strikes that are known, waves go on as the sum of one sine.

    Args:
        channels: `[F, K, CHANNELS]`. known: bool `[F]`.
    """
    nothing = Beat(np.nan, np.full(len(channels), np.nan))
    if not known.any():
        return nothing
    planted = (channels[..., CONTACT][..., 0] > 0.5) & known[:, None]
    if not planted.any():
        return _carried_wave(rig, channels, known)
    began = np.zeros_like(planted)
    began[1:] = planted[1:] & ~planted[:-1] & known[:-1, None]
    strikes = {joint: np.flatnonzero(began[:, joint]) for joint in np.flatnonzero(began.any(axis=0)).tolist()}
    gone = np.cumsum(~known)
    if not strikes:
        return nothing
    steps = np.concatenate([np.diff(each)[np.diff(gone[each]) == 0] for each in strikes.values()])
    at = strikes[_first_foot(rig, strikes)].astype(np.float64)
    if not len(steps):  # no foot takes a whole stride on one side
        wave = _carried_wave(rig, channels, known)
        at_strikes = np.exp(2j * np.pi * wave.phase[at.astype(np.int64)]).mean()
        return Beat(wave.cadence, wave.phase - np.angle(at_strikes) / (2 * np.pi))
    whole = np.concatenate([[0.0], np.cumsum(np.maximum(np.round(np.diff(at) / np.median(steps)), 1.0))])
    frames = (at[-1] - at[0]) / whole[-1] if whole[-1] else float(np.median(steps))
    return Beat(FPS / frames, _through(at, whole, len(channels), frames))


def _carried_wave(rig: AnyRig, channels: Singles, known: Bools) -> Beat:
    """The rhythm of the sine that turns in known frames `[F]` are most like; NaN where they are like none."""
    turns = channels[known][..., TURN].reshape(int(known.sum()), -1).astype(np.float64)
    turns -= turns.mean(axis=0)
    ways, time = _ways(rig, channels[known]), np.flatnonzero(known) / FPS
    best = _UNLIKE * float(np.square(turns).sum()), np.nan, 0j
    for cadence in np.geomspace(SLOWEST, FPS / 4, _TRIED):
        angle = 2 * np.pi * cadence * time
        basis, _ = np.linalg.qr(np.stack([np.ones_like(angle), np.cos(angle), np.sin(angle)], axis=-1))
        left = float(np.square(turns).sum() - np.square(basis.T @ turns).sum())
        if left < best[0]:
            found = (ways - ways.mean(axis=0)).T @ np.exp(-1j * angle)
            best = left, float(cadence), found[int(np.abs(found).argmax())]
    _, cadence, wave = best
    return Beat(cadence, cadence * np.arange(len(channels)) / FPS + np.angle(wave) / (2 * np.pi))


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


def kind_of_rig(rig: AnyRig) -> Kind:
    """A rig as `kinema.perform` sees it.

    Raises:
        SkeletonError: nothing was recognised that could move.
    """
    return kind_of_creature(rig.skeleton, _stance(rig))


def _stance(rig: AnyRig) -> Pose | None:
    return None if rig.stance is rig.skeleton.rest_pose else rig.stance


@lru_cache(maxsize=128)
def _usual(rig: AnyRig, action: str) -> tuple[Floats, Floats]:
    """Speeds, m/s, and cadences, Hz, of a body from slow to fast; empty where there are none."""
    nothing = np.zeros(0), np.zeros(0)
    try:
        kind = kind_of_rig(rig)
    except SkeletonError:
        return nothing
    if action not in actions_of(kind):
        return nothing
    acts = [Act(action, _SECONDS, pace) for pace in _PACES]
    speeds = np.asarray([kind.pacing.of(act) for act in acts], np.float64)
    motions = [perform(rig.skeleton, [act], fps=FPS, stance=_stance(rig)) for act in acts]
    cadences = np.asarray([measured_beat(rig, encode(rig, motion)[0]).cadence for motion in motions], np.float64)
    known = np.isfinite(cadences)
    return speeds[known], cadences[known]
