"""Legs that reach their feet: heels rise behind the body, and hips go down where that is not enough."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from kinema import rotations
from kinema.arrays import Floats
from kinema.mocap.procedural.feet import FootTrack, Tracks, pitched
from kinema.mocap.procedural.script import GroundPath, smooth_step
from kinema.mocap.procedural.stance import GRAVITY, Foot, StandingBiped

REACH = 0.998
"""Share of a leg's length that a planned pose may use. It bends the knee by 7 degrees: those of people never lock."""
_HIGHEST_HEEL = 0.8  # how far a foot may tilt over its ball while the body moves away from it, radians
_EASING = 0.035  # seconds over which tilts are smoothed


def raise_heels(path: GroundPath, hips: Floats, pelvis: Floats, tracks: Tracks, stance: StandingBiped) -> Tracks:
    """The feet with their heels raised, no more than needed, where a leg would not reach a foot behind the body."""
    left, right = (
        _raised(_hip(hips, pelvis, foot), track, foot, _trailing(path, hips, track, foot, stance.leg), path.fps)
        for foot, track in zip(stance.feet, tracks, strict=True)
    )
    return left, right


def hip_drop(hips: Floats, pelvis: Floats, tracks: Tracks, stance: StandingBiped, fps: float) -> Floats:
    """How much the hips must be lower, `[N]` metres, smoothly, so that both legs reach their feet."""
    needed = np.zeros(hips.shape[0])
    for foot, track in zip(stance.feet, tracks, strict=True):
        hip = _hip(hips, pelvis, foot)
        limit = REACH * (foot.thigh + foot.shin)
        flat = np.hypot(hip[:, 0] - track.ankle[:, 0], hip[:, 2] - track.ankle[:, 2])
        highest = track.ankle[:, 1] + np.sqrt(np.maximum(limit**2 - flat**2, (0.35 * limit) ** 2))
        # a foot in the air that is out of reach is drawn in by the leg itself
        needed = np.maximum(needed, track.weight * (hip[:, 1] - highest))
    sigma = 0.04 * np.sqrt(stance.leg / 0.9) * fps
    return gaussian_filter1d(maximum_filter1d(needed, 2 * round(3.0 * sigma) + 1), sigma)


def _hip(hips: Floats, pelvis: Floats, foot: Foot) -> Floats:
    return hips + rotations.rotate(pelvis, np.broadcast_to(foot.hip, hips.shape))


def _trailing(path: GroundPath, hips: Floats, track: FootTrack, foot: Foot, leg: float) -> Floats:
    """How far a foot is behind the body, or left behind by it to the side, `[N]`, 0 to 1: so far may its heel rise."""
    if foot.leg.toe is None:
        return np.zeros(path.times.size)
    ahead, _ = path.travel()
    speed = np.maximum(path.speed, 1e-6)
    away = hips[:, [0, 2]] - track.ankle[:, [0, 2]]
    behind = away[:, 0] * np.sin(track.yaw) + away[:, 1] * np.cos(track.yaw)
    left = np.einsum("nd,nd->n", away, path.velocity) / speed * (1 - smooth_step(-2 * ahead / speed))
    share = smooth_step(np.maximum(behind, left) / (0.2 * leg))
    return share * smooth_step(path.speed / (0.1 * np.sqrt(GRAVITY * leg)))


def _tilted(track: FootTrack, foot: Foot, angle: Floats) -> Floats:
    """The ankle `[N, 3]` of a foot whose heel is raised by a further angle over its ball."""
    turn = rotations.multiply(track.foot_turn, pitched(-angle))
    return track.ball + rotations.rotate(turn, np.broadcast_to(foot.ankle, track.ball.shape))


def _raised(hip: Floats, track: FootTrack, foot: Foot, allowed: Floats, fps: float) -> FootTrack:
    limit = REACH * (foot.thigh + foot.shin)
    angles = np.linspace(0.0, _HIGHEST_HEEL, 17)
    over = np.stack([np.linalg.norm(hip - _tilted(track, foot, np.full(len(hip), a)), axis=-1) - limit for a in angles])
    reached = np.maximum.accumulate(over <= 0, axis=0)
    after = np.where(reached.any(axis=0), reached.argmax(axis=0), len(angles) - 1)
    before = np.maximum(after - 1, 0)
    frames = np.arange(len(hip))
    high, low = over[before, frames], over[after, frames]
    share = np.clip(high / np.maximum(high - low, 1e-9), 0.0, 1.0)
    angle = np.where(after == 0, 0.0, angles[before] + share * (angles[after] - angles[before]))
    angle = np.minimum(angle, _HIGHEST_HEEL * allowed) * (1 - track.loose)
    eased = gaussian_filter1d(maximum_filter1d(angle, 2 * round(2.0 * _EASING * fps) + 1), _EASING * fps)
    angle = np.maximum(eased, track.weight * angle)
    turn = rotations.multiply(track.foot_turn, pitched(-angle))
    return replace(track, foot_turn=turn, ankle=_tilted(track, foot, angle))
