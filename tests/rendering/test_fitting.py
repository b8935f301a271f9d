"""The nearest camera that sees everything."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinema.errors import KinemaError
from kinema.rendering.fitting import Margins, frame_points

SIZE = 1600, 900


@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 10_000),
    st.floats(-4, 4),
    st.floats(-1.5, 1.5),
    st.floats(0.2, 1.4),
    st.floats(0.4, 2.5),
    st.floats(0, 0.2),
)
def test_all_points_are_seen_and_no_nearer_camera_would_do(seed, azimuth, elevation, fov, aspect, margin):
    points = np.random.default_rng(seed).normal(0, [1, 2, 0.5], (30, 3)) + np.array([3, 1, -7])
    camera = frame_points(points, azimuth, elevation, fov, aspect, margin)
    width, height = 1000 * aspect, 1000
    pixels = camera.project(points, width, height)
    assert (pixels[:, 2] > camera.near).all() and (pixels[:, 2] < camera.far).all()
    free = np.stack([pixels[:, :2].min(axis=0), [width, height] - pixels[:, :2].max(axis=0)]) / [width, height]
    assert free.min() > margin - 1e-6
    if pixels[:, 2].min() > 0.11:  # not held back by what stands right before it
        assert (free[0] < margin + 1e-6)[free.argmin() % 2] and free[:, free.argmin() % 2] == pytest.approx(margin)
    assert camera.ahead == pytest.approx(
        [np.sin(azimuth) * np.cos(elevation), -np.sin(elevation), np.cos(azimuth) * np.cos(elevation)]
    )


def test_each_border_has_its_own_margin():
    points = np.random.default_rng(1).normal(0, 1, (40, 3))
    points[:, 0] *= 5
    camera = frame_points(points, 0.0, 0.2, aspect=SIZE[0] / SIZE[1], margin=Margins(left=0.3, right=0.05, top=0.1))
    pixels = camera.project(points, *SIZE)
    assert pixels[:, 0].min() == pytest.approx(0.3 * SIZE[0], abs=1e-3)
    assert pixels[:, 0].max() == pytest.approx(0.95 * SIZE[0], abs=1e-3)


def test_a_single_point_is_the_middle_of_the_picture():
    camera = frame_points([[1, 2, 3]], 0.4, 0.1)
    assert camera.project([1, 2, 3], *SIZE)[:2] == pytest.approx([800, 450])
    assert frame_points([[1, 2, 3], [np.nan, 0, 0]], 0.4, 0.1).position == pytest.approx(camera.position)


@pytest.mark.parametrize(
    ("points", "margin", "said"),
    [
        (np.zeros((0, 3)), 0.1, "needs a point"),
        ([[np.nan] * 3], 0.1, "needs a point"),
        ([[0, 0, 0]], 0.5, "nothing fits"),
    ],
)
def test_what_cannot_be_framed(points, margin, said):
    with pytest.raises(KinemaError, match=said) as caught:
        frame_points(points, 0, 0, margin=margin)
    assert "\n" not in str(caught.value)
