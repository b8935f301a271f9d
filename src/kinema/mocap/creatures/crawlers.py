"""Bodies without legs on the ground, from the course to the figure."""

from __future__ import annotations

import numpy as np

from kinema.mocap.creatures.channels import Channels, slow_noise
from kinema.mocap.creatures.course import Course
from kinema.mocap.creatures.deeds import act_out
from kinema.mocap.creatures.kinds import Kind
from kinema.mocap.creatures.limbs import pose_limbs
from kinema.mocap.creatures.scene import Scene
from kinema.mocap.creatures.slither import follow
from kinema.mocap.creatures.walkers import Posed


def pose_crawler(kind: Kind, course: Course, rng: np.random.Generator) -> Posed:
    """The figure of a snake."""
    body, unit = kind.body, kind.pacing.unit
    channels = Channels(course.times.size)
    wavelength = body.length * rng.uniform(0.45, 0.7)
    channels.neck_yaw += 0.12 * slow_noise(rng, course.times.size, course.fps, 3 * unit)
    channels.neck_pitch -= 0.12
    act_out(Scene(kind, course, channels, rng))
    figure = follow(body, course, channels, wavelength, wavelength * rng.uniform(0.1, 0.15))
    pose_limbs(figure, channels, course, unit, rng, tails=False)
    return Posed(figure, {}, np.cumsum(course.speed) / course.fps / wavelength)
