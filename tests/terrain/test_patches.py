"""Patches of terrain that fit footfalls."""

import numpy as np
import pytest

from kinema import rotations
from kinema.errors import UsageError
from kinema.terrain import (
    Corrected,
    Heightmap,
    Placed,
    Plane,
    block,
    fit_patches,
    footfalls,
    heights_across,
    hills,
    is_void,
    slope,
)


def walked(ground, frames=240, stride=0.7):
    """Feet `[F, 2, 3]` that walk over a ground along +Z, standing and swinging in turn, and their contacts."""
    feet, contacts = np.zeros((frames, 2, 3)), np.zeros((frames, 2), bool)
    for foot in (0, 1):
        phase = np.arange(frames) / 60 + 0.5 * foot
        step, share = np.floor(phase), phase % 1
        contacts[:, foot] = share < 0.5
        swing = np.clip(2 * share - 1, 0, 1)
        feet[:, foot, 0] = 0.1 - 0.2 * foot
        feet[:, foot, 2] = stride * (step + swing + 0.5 * foot)
        feet[:, foot, 1] = ground.height(feet[:, foot]) + 0.15 * np.sin(np.pi * swing)
    return feet, contacts


def test_footfalls_are_the_means_of_stretches():
    feet = np.arange(24.0).reshape(4, 2, 3)
    contacts = np.array([[1, 0], [1, 1], [0, 0], [1, 1]], bool)
    wanted = [feet[:2, 0].mean(0), feet[3, 0], feet[1, 1], feet[3, 1]]
    np.testing.assert_allclose(footfalls(feet, contacts), wanted)


def test_the_ground_that_was_walked_on_is_found():
    """Among hills and a slope, a walk up the slope fits the slope."""
    incline = slope(length=50.0, rise=15.0, width=50.0)
    feet, contacts = walked(Placed(incline, (0, 0, -10)))
    grounds = [Heightmap.from_function(lambda x, z: 0.3 * z, (60.0, 60.0), 0.5), hills(1), Plane()]
    best = fit_patches(grounds, feet, contacts, tries=600, keep=3)
    assert [patch.error for patch in best] == sorted(patch.error for patch in best)
    placed = best[0].ground.ground
    assert isinstance(placed, Placed) and placed.ground is grounds[0] and best[0].error < 1e-3
    assert abs(rotations.wrap(np.array(placed.heading))) < 0.3


def test_feet_stand_on_the_patch_and_swing_above_it():
    feet, contacts = walked(hills(5, height=0.6))
    for patch in fit_patches([hills(7, height=0.6)], feet, contacts, tries=400, keep=5):
        above = feet[..., 1] - patch.ground.height(feet)
        assert np.abs(above[contacts]).max() < 0.01
        assert above[~contacts].min() > -0.1
        raw = feet[..., 1] - patch.ground.ground.height(feet)
        assert abs(raw[contacts].mean()) < 1e-5, "feet stand on it on average before the correction"


def test_the_error_is_that_of_the_paper():
    feet = np.array([[[0.0, 1.0, 0.0], [0.0, 1.2, 1.0]], [[0.0, 1.4, 0.0], [0.0, 0.9, 1.0]]])
    contacts = np.array([[True, False], [True, False]])
    (patch,) = fit_patches([Plane()], feet, contacts, tries=1)
    level = 1.2  # the mean of the feet that stand
    wanted = 0.1 * 0.2**2 + np.mean([0.0, (level - 0.9) ** 2])
    assert patch.error == pytest.approx(wanted)


def test_same_seed_same_patches_and_holes_are_avoided():
    feet, contacts = walked(Plane())
    island = block(12.0, 12.0, 0.0)
    first, second = (fit_patches([island], feet, contacts, tries=300, extent=8.0, seed=4) for _ in range(2))
    assert [one.error for one in first] == [one.error for one in second] and len(first) > 0
    assert not any(is_void(patch.ground.height(feet)).any() for patch in first)
    assert fit_patches([block(1.0, 1.0, 0.0)], feet, contacts, tries=50) == []


def test_a_correction_goes_through_its_points_and_is_level_far_away(rng):
    points = rng.uniform(-2, 2, (30, 3)) * [1, 0.1, 1]
    ground = Corrected.through(hills(3), points)
    np.testing.assert_allclose(ground.height(points), points[:, 1], atol=0.02)
    around = 1e4 * np.array([[1.0, 0, 0], [0, 0, 1], [-1, 0, 0]])
    assert np.abs(ground.height(around) - hills(3).height(around)).max() < 1.0


def test_normals_of_a_correction_are_those_of_its_heights(rng):
    ground = Corrected.through(Plane(0.3), rng.uniform(-2, 2, (12, 3)) * [1, 0.2, 1])
    points, step = rng.uniform(-2, 2, (50, 3)), 2e-3
    normals = ground.normal(points)
    for axis in ([step, 0, 0], [0, 0, step]):
        rise = ground.height(points + axis) - ground.height(points - axis)
        tangent = 2 * np.array(axis) + rise[:, None] * [0, 1, 0]
        across = np.abs((tangent * normals).sum(-1)) / np.linalg.norm(tangent, axis=-1)
        assert np.median(across) < 2e-3


def test_heights_across_are_left_under_and_right():
    ground = Heightmap.from_function(lambda x, z: x + 10 * z, (8.0, 8.0), 0.5)
    positions, headings = np.array([[0.0, 5.0, 0.0], [1.0, 0.0, 1.0]]), np.array([0.0, np.pi / 2])
    wanted = [[0.25, 0.0, -0.25], [11 - 2.5, 11.0, 11 + 2.5]]  # +X is left of +Z, and -Z left of +X
    np.testing.assert_allclose(heights_across(ground, positions, headings), wanted, atol=1e-5)
    assert heights_across(ground, np.zeros((4, 12, 3)), np.zeros((4, 12))).shape == (4, 12, 3)


@pytest.mark.parametrize(
    ("feet", "contacts", "options"),
    [
        (np.zeros((3, 2, 3)), np.zeros((3, 2), bool), {}),
        (np.zeros((3, 2, 3)), np.ones((3, 1), bool), {}),
        (np.zeros((3, 2)), np.ones((3, 2), bool), {}),
        (np.full((3, 2, 3), np.nan), np.ones((3, 2), bool), {}),
        (np.zeros((3, 2, 3)), np.ones((3, 2), bool), {"tries": 0}),
        (np.zeros((3, 2, 3)), np.ones((3, 2), bool), {"candidates": []}),
    ],
)
def test_what_cannot_be_fitted_is_refused(feet, contacts, options):
    with pytest.raises(UsageError):
        fit_patches(**{"candidates": [Plane()], **options}, feet=feet, contacts=contacts)
