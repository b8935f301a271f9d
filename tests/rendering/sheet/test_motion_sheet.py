"""The sheet of a motion."""

import numpy as np
import pytest
from PIL import Image

from kinema import Motion, Skeleton
from kinema.errors import KinemaError, SkeletonError
from kinema.rendering.sheet import charts
from kinema.rendering.sheet.motion_sheet import PAPER, motion_sheet

pytestmark = pytest.mark.usefixtures("driver")

SMALL = (800, 500)


def _walk(skeleton: Skeleton, frames: int = 60, length: float = 4.0) -> Motion:
    turned = np.tile(skeleton.rest_rotations, (frames, 1, 1))
    moved = np.tile(skeleton.rest_translations, (frames, 1, 1))
    moved[:, 0, 2] += np.linspace(0, length, frames)
    stands = np.arange(frames) % 20 < 10
    labels = {"contact.left": stands, "contact.right": ~stands}
    return Motion.create(skeleton, turned, moved, fps=30, name="walk", labels=labels)


Box = tuple[float, float, float, float]
"""A part of the picture, in shares of its size."""


def _part(image: Image.Image, box: Box) -> np.ndarray:
    width, height = image.size
    left, top, right, bottom = (np.array(box) * [width, height, width, height]).astype(int).tolist()
    return np.asarray(image, int)[top:bottom, left:right]


def _count(image: Image.Image, color: tuple[int, int, int], box: Box, tolerance: int = 14) -> int:
    return int((np.abs(_part(image, box) - color).max(axis=-1) <= tolerance).sum())


def _greens(image: Image.Image, box: Box) -> int:
    red, green, blue = np.moveaxis(_part(image, box), -1, 0)
    return int(((green - red > 60) & (green > blue)).sum())


HERO, PLAN, STRIP, SPEED, FEET = (
    (0, 0.07, 0.73, 0.58),
    (0.75, 0.1, 1, 0.58),
    (0, 0.59, 1, 0.74),
    (0, 0.8, 1, 0.87),
    (
        0,
        0.9,
        1,
        1,
    ),
)


def test_paths_and_contacts_have_their_colours_where_they_belong(biped: Skeleton):
    motion = _walk(biped)
    targets = motion.root_frame()[0] + np.float32([0.5, 0, 0])
    commands = np.tile(np.float32([0, 0, 3.5]), (motion.frames, 1))
    bare = motion_sheet(motion.replace(labels={}), size=SMALL)
    full = motion_sheet(motion, target_positions=targets, commanded_velocities=commands, size=SMALL)
    assert full.size == SMALL and full.mode == "RGB"
    for part in (HERO, PLAN, SPEED):
        assert _greens(bare, part) == 0
        assert _greens(full, part) > 20
    assert _count(full, charts.TRAVELLED, PLAN) > 50
    assert _count(full, charts.LEFT, FEET) > _count(bare, charts.LEFT, FEET) + 200
    assert _count(full, charts.RIGHT, FEET) > _count(bare, charts.RIGHT, FEET) + 200
    for corner in ((0, 0), (799, 0), (0, 499), (799, 499)):
        assert full.getpixel(corner) == PAPER


def test_figures_stand_in_the_view_and_in_the_strip(biped: Skeleton):
    image = motion_sheet(_walk(biped), size=SMALL)
    for part, least in ((HERO, 0.01), (STRIP, 0.04)):
        assert (np.abs(_part(image, part) - PAPER).max(axis=-1) > 40).mean() > least


@pytest.mark.slow
def test_same_motion_same_bytes(biped: Skeleton):
    first, second = (motion_sheet(_walk(biped), title="one", size=SMALL).tobytes() for _ in range(2))
    assert first == second
    assert first != motion_sheet(_walk(biped), title="two", size=SMALL).tobytes()


@pytest.mark.parametrize(
    "frames", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(5, marks=pytest.mark.slow)]
)
def test_short_motions(biped: Skeleton, frames: int):
    motion = _walk(biped, frames, 0.1)
    targets = np.zeros((frames, 3))
    image = motion_sheet(motion, target_positions=targets, commanded_velocities=targets, size=SMALL)
    assert _count(image, PAPER, (0, 0, 1, 1), 0) < 0.99 * SMALL[0] * SMALL[1]


@pytest.mark.slow
def test_rigs_of_many_joints_without_legs(rng: np.random.Generator):
    parents = [-1, *(int(rng.integers(max(joint - 5, 0), joint)) for joint in range(1, 150))]
    skeleton = Skeleton.create([f"j{i}" for i in range(150)], parents, rng.normal(size=(150, 3)) * 0.1)
    motion = _walk(skeleton, 12).replace(labels={})
    image = motion_sheet(motion, size=SMALL)
    assert _count(image, PAPER, HERO, 40) < 0.995 * 0.73 * 800 * 0.51 * 500


def test_what_does_not_fit_is_refused(biped: Skeleton):
    motion = _walk(biped, 10)
    with pytest.raises(KinemaError, match=r"target_positions must be finite numbers of shape \[10, 3\]"):
        motion_sheet(motion, target_positions=np.zeros((9, 3)))
    with pytest.raises(KinemaError, match="no frames"):
        motion_sheet(motion.cut(0, 0))
    from kinema.character import Character

    other = Skeleton.create(["a"], [-1], [[0, 0, 0]])
    with pytest.raises(SkeletonError, match="their skeletons differ"):
        motion_sheet(motion, Character("other", other))
