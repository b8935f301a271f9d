"""The body over the feet: hips, trunk, head and arms as smooth functions of the path and of the feet's motion."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.ndimage import gaussian_filter1d

from kinema import rotations
from kinema.arrays import Floats
from kinema.mocap.procedural.feet import Tracks
from kinema.mocap.procedural.gait import Gait, hops
from kinema.mocap.procedural.reach import hip_drop, raise_heels
from kinema.mocap.procedural.script import GroundPath, smooth_step
from kinema.mocap.procedural.stance import GRAVITY, StandingBiped
from kinema.mocap.procedural.styles import Style


@dataclass(frozen=True)
class BodyTrack:
    """Per-frame hips and angles. Rotations turn a body that stands upright and faces +Z.

    Attributes:
        hips: `[N, 3]` global position of the hips joint, metres.
        pelvis, thorax, head: `[N, 4]` global rotations.
        arm_swing, elbow, spread: `[N, 2]` radians for the left and the right arm: upper arm forward, bend, sideways.
    """

    hips: Floats
    pelvis: Floats
    thorax: Floats
    head: Floats
    arm_swing: Floats
    elbow: Floats
    spread: Floats


def turn(yaw: Floats, pitch: Floats, roll: Floats) -> Floats:
    """Rotations `[N, 4]`: heading, then forward lean, then lean to the right (left side up)."""
    return rotations.from_euler(np.stack([yaw, pitch, roll], axis=-1), "YXZ")


def _slow_noise(rng: np.random.Generator, count: int, fps: float, seconds: float) -> Floats:
    """Smooth noise `[N]` of unit variance that changes over about `seconds`."""
    sigma = max(seconds * fps, 1.0)
    noise = gaussian_filter1d(rng.standard_normal(count + int(8 * sigma)), sigma, mode="wrap")
    noise = noise[int(4 * sigma) :][:count]
    return noise * np.sqrt(2 * sigma * np.sqrt(np.pi))


def _jump_height(path: GroundPath, gait: Gait, stance: StandingBiped) -> tuple[Floats, Floats, Floats]:
    """Rise of the hips by jumps, how deep the body is crouched for them, and a 0..1 window around them."""
    scale = float(np.sqrt(stance.leg / 0.9))
    rise, crouch, window = (np.zeros(path.times.size) for _ in range(3))
    both = [(*jump, True) for jump in hops(path, stance.leg)] + [(*jump, False) for jump in gait.leaps]
    for takeoff, landing, _, two_footed in both:
        depth = (0.2 if two_footed else 0.05) * stance.leg
        before = (0.55 if two_footed else 0.22) * scale
        after = (0.6 if two_footed else 0.34) * scale
        top = 0.02 * stance.leg
        launch = GRAVITY * (landing - takeoff) / 2
        knots = [
            (takeoff - before, (0.0, 0.0, 0.0)),
            (takeoff - 0.38 * before, (-depth, 0.0, 0.6 * launch / (0.38 * before))),
            (takeoff, (top, launch, -GRAVITY)),
            (landing, (top, -launch, -GRAVITY)),
            (landing + 0.32 * after, (-depth, 0.0, 0.6 * launch / (0.32 * after))),
            (landing + after, (0.0, 0.0, 0.0)),
        ]
        for (begin, a), (end, b) in pairwise(knots):
            inside = (path.times >= begin) & (path.times < end)
            rise[inside] += _quintic((path.times[inside] - begin) / (end - begin), a, b, end - begin)
        around = smooth_step((path.times - takeoff + before) / before) * (
            1 - smooth_step((path.times - landing) / after)
        )
        window = np.maximum(window, around)
        if two_footed:
            crouch += smooth_step((path.times - takeoff + before) / (0.6 * before)) * (
                1 - smooth_step((path.times - takeoff + 0.38 * before) / (0.5 * before))
            )
    return rise, crouch, window


def _quintic(x: Floats, a: tuple[float, float, float], b: tuple[float, float, float], span: float) -> Floats:
    """Fifth-degree curve over x in 0..1 with value, velocity and acceleration given at both ends."""
    p0, v0, a0 = a[0], a[1] * span, a[2] * span * span
    p1, v1, a1 = b[0], b[1] * span, b[2] * span * span
    d = p1 - p0 - v0 - 0.5 * a0
    e, f = v1 - v0 - a0, a1 - a0
    return (
        p0
        + v0 * x
        + 0.5 * a0 * x**2
        + (10 * d - 4 * e + 0.5 * f) * x**3
        + (-15 * d + 7 * e - f) * x**4
        + (6 * d - 3 * e + 0.5 * f) * x**5
    )


def compose_body(
    path: GroundPath, gait: Gait, tracks: Tracks, stance: StandingBiped, style: Style, rng: np.random.Generator
) -> tuple[BodyTrack, Tracks]:
    """Hips, trunk, head and arms for planned feet, and the feet with heels raised as far as the legs need it."""
    fps, leg, count = path.fps, stance.leg, path.times.size
    scale = float(np.sqrt(leg / 0.9))
    left, right = tracks

    def smooth(values: Floats, seconds: float) -> Floats:
        return gaussian_filter1d(values, seconds * scale * fps, axis=0, mode="nearest")

    facing = smooth(path.facing, 0.06)
    sine, cosine = np.sin(facing), np.cos(facing)
    ahead, aside = np.stack([sine, cosine], -1), np.stack([cosine, -sine], -1)
    run = smooth(gait.running, 0.08)
    calm = 1 - smooth_step(smooth(gait.moving.astype(float), 0.3))
    ground = path.position

    # how far the left foot is ahead of the right one, in leg lengths; it drives hips, shoulders and arms
    apart = np.einsum("nd,nd->n", left.ball[:, [0, 2]] - right.ball[:, [0, 2]], ahead) / leg
    apart = smooth(apart, 0.045)
    both = left.weight + right.weight
    centre = left.weight[:, None] * left.ankle[:, [0, 2]] + right.weight[:, None] * right.ankle[:, [0, 2]]
    offset = np.where(both[:, None] > 0, centre / np.maximum(both, 1)[:, None] - ground, 0.0)
    offset = smooth(offset, 0.11)
    shift = 0.5 * style.sway * (1 - 0.4 * run) * np.einsum("nd,nd->n", offset, aside)
    shift = 0.12 * leg * np.tanh(shift / (0.12 * leg))
    support = smooth(left.weight - right.weight, 0.06)

    acceleration = smooth(path.acceleration, 0.08) * style.lean
    lean_ahead = 0.3 * np.tanh(np.einsum("nd,nd->n", acceleration, ahead) / GRAVITY * 0.45 / 0.3)
    lean_aside = 0.3 * np.tanh(np.einsum("nd,nd->n", acceleration, aside) / GRAVITY * 0.5 / 0.3)

    speed = smooth(gait.froude, 0.1)
    rise, loaded, window = _jump_height(path, gait, stance)
    crouch = path.crouch / 0.26
    pitch = (
        style.trunk_pitch
        + 0.02
        + 0.05 * smooth_step(speed / 0.5)
        + run * (0.06 + 0.06 * (speed - 0.7))
        + lean_ahead
        + 0.5 * crouch
        + 0.55 * loaded
    )
    limping = style.limp * smooth_step(speed / 0.2)
    roll = -lean_aside + 0.07 * limping * np.clip(-support, 0, 1)
    breath = np.sin(2 * np.pi * 0.27 * path.times / scale + rng.uniform(0, 6.28))
    sways = [_slow_noise(rng, count, fps, seconds * scale) for seconds in (0.9, 1.8, 1.1, 0.8, 0.8)]

    step_rate = 2 * np.gradient(gait.cycles, 1 / fps)
    cycle = gait.cycles - (0.5 - 0.05 * run) * gait.duty  # of the left foot in the middle of its stance
    ballistic = GRAVITY / (2 * np.pi * np.maximum(step_rate, 1.5 / scale)) ** 2
    step_length = path.speed / (np.maximum(step_rate, 0.5 / scale) * leg)
    ahead_speed, aside_speed = (smooth(part, 0.1) for part in path.travel())
    sideways = smooth_step(np.abs(aside_speed) / (0.2 * np.sqrt(GRAVITY * leg))) * np.abs(aside_speed)
    sideways = sideways / np.maximum(np.hypot(ahead_speed, aside_speed), 1e-6)
    walking = 0.03 * leg * np.minimum(step_length, 1.1) ** 2 * (1 - 0.6 * sideways)
    walking = smooth(walking * smooth_step(smooth(gait.moving.astype(float), 0.15)), 0.1)
    running = np.minimum(ballistic, 0.055 * leg)
    bob = style.bounce * ((1 - run) * walking - run * running) * (1 - window)
    low = 0.002 + 0.02 * sideways * (1 - run) + (0.057 + 0.012 * speed) * run
    height = (
        stance.hips_height
        - leg * (low + path.crouch + style.crouch)
        - (1 - run) * walking
        + bob * np.cos(4 * np.pi * cycle)
        + rise
    )

    resting = calm * np.tanh(sways[1])  # the weight on the left leg, against the right
    turned = smooth(gait.hips_turn, 0.1)
    hip_yaw = -0.17 * style.twist * np.tanh(apart) * (1 - 0.35 * run)
    list_angle = 0.055 * support * smooth_step(speed / 0.3) * (1 + 0.3 * limping)
    pelvis = turn(
        facing + turned + hip_yaw + 0.03 * calm * sways[0],
        0.25 * pitch + 0.01,
        0.45 * roll + list_angle + 0.03 * resting,
    )
    thorax = turn(
        facing - 0.3 * turned + 0.2 * style.twist * (1 + 0.25 * run) * np.tanh(apart),
        pitch + 0.008 * breath,
        roll - 0.4 * list_angle - 0.015 * resting,
    )
    look = path.at(path.facing, path.times + 0.32 * scale) - path.facing
    look = smooth(np.clip(look, -0.9, 0.9), 0.09)
    head = turn(
        facing + 0.85 * look + 0.16 * calm * sways[2],
        style.head_pitch + 0.12 * pitch + 0.03 * calm * sways[3],
        0.35 * roll,
    )

    hips = np.stack([ground[:, 0], height, ground[:, 1]], axis=-1)
    shift = shift + 0.014 * leg * resting
    back = 0.005 * leg * calm * np.tanh(sways[2]) - 0.1 * leg * (
        crouch + loaded
    )  # the seat goes back when the knees go forward
    hips[:, [0, 2]] += shift[:, None] * aside + back[:, None] * ahead
    tracks = raise_heels(path, hips, pelvis, tracks, stance)
    hips[:, 1] -= hip_drop(hips, pelvis, tracks, stance, fps)

    swing = -np.stack([apart, -apart], axis=-1) * ((0.52 + 0.38 * run) * style.arm_swing)[:, None]
    swing = swing - (0.16 * run)[:, None] + (0.35 * crouch)[:, None]
    hands = smooth(window, 0.08)
    swing = swing + (0.9 * hands - 1.3 * loaded)[:, None] + 0.03 * (calm[:, None] * np.stack(sways[3:5], -1))
    swing = 1.5 * np.tanh(swing / 1.5)
    elbow = 0.22 + style.elbow + 1.15 * run + 0.25 * np.clip(speed - 0.3, 0, 0.4) + 0.5 * crouch + 0.3 * hands
    elbow = np.clip(elbow[:, None] + 0.3 * swing * (1 - 0.5 * run)[:, None], 0.06, 2.3)
    side_speed = np.abs(aside_speed) / np.sqrt(GRAVITY * leg)
    spread = 0.13 + style.arm_spread + 0.08 * run + 0.25 * smooth(np.minimum(side_speed, 1), 0.1) * (1 - run)
    spread = np.repeat((spread + 0.25 * hands + 0.006 * breath)[:, None], 2, axis=1)
    return BodyTrack(hips, pelvis, thorax, head, swing, elbow, spread), tracks
