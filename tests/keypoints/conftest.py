"""A short walk seen by a camera: its key points with noise and gaps, and the truth in space."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import kinema
from kinema.keypoints.files import PointTracks
from kinema.keypoints.points import FACE_COUNT, HAND_COUNT, BodyPoints
from kinema.motion import Motion

WIDTH, HEIGHT = 640, 480


@dataclass(frozen=True, eq=False)
class Filmed:
    """What a camera sees of a person, and the truth.

    Attributes:
        seen: key points with noise, outliers and gaps.
        exact: `[N, 20, 2]`, pixels. truth: `[N, 20, 3]`, metres from the middle of the hips, in the camera's axes.
        scale: pixels a metre, `[N]`.
    """

    seen: PointTracks
    exact: np.ndarray
    truth: np.ndarray
    scale: np.ndarray


def tracks_of(points: np.ndarray) -> PointTracks:
    """Points `[N, 20, 3]` of body and toes as read from a file."""
    absent = (np.zeros((len(points), count, 3), np.float32) for count in (HAND_COUNT, HAND_COUNT, FACE_COUNT))
    single = points.astype(np.float32)
    return PointTracks(BodyPoints(single[:, :18], *absent, single[:, 18:]), WIDTH, HEIGHT)


def film(motion: Motion, azimuth: float, noise: float = 1.5, seed: int = 0) -> Filmed:
    """A person filmed from a direction, radians from its front to its left."""
    from kinema.keypoints.points import BODY
    from kinema.rendering.bodies import body_for
    from kinema.rendering.camera import Camera
    from kinema.rendering.conditions.body_points import PointRig

    points = PointRig(body_for(motion.skeleton, motion, None), motion)(motion[:])
    world = np.concatenate([points.body, points.toes], axis=1)[..., :3].astype(np.float64)
    low, high = world.reshape(-1, 3).min(axis=0), world.reshape(-1, 3).max(axis=0)
    middle = (low + high) / 2
    eye = middle + (3.0 + np.hypot(*(high - low)[[0, 2]])) * np.array([np.sin(azimuth), 0.1, np.cos(azimuth)])
    camera = Camera.look_at(eye, middle, 0.6)
    pixels = camera.project(world, WIDTH, HEIGHT)
    rng = np.random.default_rng(seed)
    seen = pixels[..., :2] + rng.normal(0, noise, pixels[..., :2].shape)
    seen[rng.uniform(size=seen.shape[:2]) < 0.01] += 40.0
    sure = np.where(rng.uniform(size=seen.shape[:2]) < 0.05, 0.0, 0.9)
    sure[20:26, 4] = 0.0
    seen[sure == 0] = 0.0
    hips = world[:, [BODY.index("left_hip"), BODY.index("right_hip")]].mean(axis=1, keepdims=True)
    axes = np.stack([-camera.left, camera.up, -camera.ahead])
    scale = HEIGHT / 2 / camera.half_height / ((hips[:, 0] - camera.position) @ camera.ahead)
    return Filmed(
        tracks_of(np.concatenate([seen, sure[..., None]], -1)), pixels[..., :2], (world - hips) @ axes.T, scale
    )


@pytest.fixture(scope="package")
def stroll() -> Motion:
    """A generated walk that turns into a run, 30 frames per second."""
    script = [kinema.Segment("walk", 1.5), kinema.Segment("run", 1.0)]
    return kinema.perform(script=script, fps=30.0, name="stroll")


@pytest.fixture(scope="package")
def filmed(stroll: Motion) -> Filmed:
    return film(stroll, 0.8)
