"""Fish, from the course to the figure."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter1d

from kinema.mocap.creatures.channels import Channels, slow_noise
from kinema.mocap.creatures.course import Course
from kinema.mocap.creatures.deeds import act_out
from kinema.mocap.creatures.kinds import Kind
from kinema.mocap.creatures.limbs import pose_limbs
from kinema.mocap.creatures.posing import pose_trunk
from kinema.mocap.creatures.scene import Scene
from kinema.mocap.creatures.swimming import Wave, beat_phase, paddle, place_swimmer, wave_root, wave_tail
from kinema.mocap.creatures.walkers import Posed


def pose_swimmer(kind: Kind, course: Course, rng: np.random.Generator) -> Posed:
    """The figure of a fish."""
    body, unit, fps = kind.body, kind.pacing.unit, course.fps
    count = course.times.size
    channels = Channels(count)
    phase = beat_phase(body, course, unit, rng.random())
    quick = np.clip(course.speed / body.length / 1.2, 0.0, 1.0)
    turning = np.tanh(course.turning * unit * 1.5)
    channels.wave += gaussian_filter1d(0.3 + 0.7 * quick, unit * fps)
    depth = slow_noise(rng, count, fps, 6 * unit)
    channels.lift += 0.06 * body.length * depth
    channels.pitch -= 0.2 * np.tanh(np.gradient(channels.lift) * fps / (0.3 * kind.pacing.speed))
    channels.roll -= 0.35 * turning * (0.3 + quick)
    channels.neck_yaw += 0.35 * turning
    channels.tail_yaw -= 0.9 * turning
    channels.jaw += 0.06 * (1 + np.sin(2 * np.pi * course.times * 0.12 / unit))
    act_out(Scene(kind, course, channels, rng))
    wave = Wave(body, phase, channels.wave * rng.uniform(0.07, 0.11), kind.level)
    wave_root(wave, channels)
    figure = place_swimmer(body, course, channels)
    pose_trunk(figure, channels)
    wave_tail(figure, course, channels, wave)
    paddle(figure, channels, phase)
    pose_limbs(figure, channels, course, unit, rng, tails=False)
    return Posed(figure, {}, phase)
