"""Skeletons and measures shared by the tests of the generator."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.mocap.procedural import Segment, generate, humanoid

MIX = (
    Segment("idle", 1.5), Segment("walk", 3.0), Segment("jog", 2.0), Segment("run", 3.0, turn=1.57),
    Segment("idle", 2.5), Segment("turn", 2.0, turn=-3.14), Segment("strafe", 2.5), Segment("backward", 2.0),
    Segment("walk", 2.5, turn=3.14), Segment("sprint", 3.0), Segment("walk", 2.0, curve=1.2),
    Segment("idle", 2.0), Segment("jump", 2.2), Segment("run", 2.5), Segment("jump", 2.0), Segment("crouch", 3.0, 0.9),
)  # fmt: skip


@pytest.fixture(scope="session")
def person() -> Skeleton:
    return humanoid()


@pytest.fixture(scope="session")
def mix(person: Skeleton) -> Motion:
    """A minute of everything."""
    return generate(person, MIX, seed=3)


@pytest.fixture(scope="session")
def reoriented() -> Callable[..., Skeleton]:
    return _reoriented


@pytest.fixture(scope="session")
def toe_speeds() -> Callable[[Motion, str], tuple[np.ndarray, np.ndarray]]:
    return _toe_speeds


@pytest.fixture(scope="session")
def script() -> tuple[Segment, ...]:
    return MIX


def _reoriented(skeleton: Skeleton, seed: int = 0) -> Skeleton:
    """The same rest pose in space with every joint's own axes turned at random."""
    rng = np.random.default_rng(seed)
    frames = rotations.normalize(rng.standard_normal((skeleton.joint_count, 4)))
    above = np.where((skeleton.parents < 0)[:, None], [1.0, 0, 0, 0], frames[skeleton.parents])
    to_parent = rotations.inverse(above)
    turned = rotations.multiply(rotations.multiply(to_parent, skeleton.rest_rotations), frames)
    tips = zip(
        skeleton.tip_joints,
        rotations.inverse_rotate(frames[skeleton.tip_joints], np.asarray(skeleton.tip_offsets, float)),
        strict=True,
    )
    return Skeleton.create(
        skeleton.names,
        skeleton.parents,
        rotations.rotate(to_parent, np.asarray(skeleton.rest_translations, float)),
        turned,
        [(int(joint), offset) for joint, offset in tips],
    )


def _toe_speeds(motion: Motion, side: str) -> tuple[np.ndarray, np.ndarray]:
    """Speed of the ball of a foot, m/s, by central differences."""
    toe = motion.skeleton.roles.leg(side).toe
    path = motion[:].global_positions[:, toe].astype(float)
    return np.linalg.norm(np.gradient(path, 1 / motion.fps, axis=0), axis=-1), path
