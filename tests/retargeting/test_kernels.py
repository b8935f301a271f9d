"""The compiled transfer against its plain form, on constants made up at random."""

from __future__ import annotations

import numpy as np

from kinema import rotations
from kinema.retargeting import kernels, transfer


def turns(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return rotations.normalize(rng.standard_normal((*shape, 4))).astype(np.float32)


def random_constants(rng: np.random.Generator) -> transfer.Transfer:
    """Six joints, moved in every way that there is, by three joints of a source."""
    link = transfer.LINK
    ops = np.array([link, transfer.KEEP, link, transfer.LOWER, link, transfer.UPPER], np.int32)
    return transfer.Transfer(
        ops,
        rng.integers(0, 3, (6, 2)).astype(np.int32),
        np.array([0, 0, 0.3, 0.4, 1.0, -0.5], np.float32),
        turns(rng, 6),
        turns(rng, 6),
        turns(rng, 6),
        np.array([-1, 0, 0, 2, 3, 4], np.int32),
        np.array([0, 0, 0, 2, 0, 4], np.int32),
        np.array([0, 0, 0, 4, 0, 0], np.int32),
        rotations.normalize_vector(rng.standard_normal((6, 3))).astype(np.float32),
        turns(rng, 6),
        turns(rng, 6),
    )


def test_any_constants_give_the_same_as_the_plain_form(rng: np.random.Generator) -> None:
    near = rotations.exp(0.5 * rng.standard_normal((40, 3, 3))).astype(np.float32)
    constants = random_constants(rng)
    ours, plain = kernels.transfer_rotations(constants, near), transfer.transfer_reference(constants, near)
    angles = rotations.angle(rotations.relative(ours, plain))
    assert np.quantile(angles, 0.95) < 5e-3  # near half turns a share of the twist may go either way


def test_the_sign_of_a_quaternion_means_nothing(rng: np.random.Generator) -> None:
    """Also where a share of the twist of a bone is taken, which is smallest either way round."""
    constants = random_constants(rng)
    source = turns(rng, 60, 3)
    flipped = source * rng.choice([-1, 1], (60, 3, 1)).astype(np.float32)
    one, other = (kernels.transfer_rotations(constants, values) for values in (source, flipped))
    assert rotations.angle(rotations.relative(one, other)).max() < 2e-3


def test_results_are_unit_quaternions_though_sources_are_not_quite(rng: np.random.Generator) -> None:
    source = turns(rng, 20, 3) * np.float32(1.02)
    found = kernels.transfer_rotations(random_constants(rng), source)
    np.testing.assert_allclose(np.linalg.norm(found, axis=-1), 1.0, atol=1e-6)
