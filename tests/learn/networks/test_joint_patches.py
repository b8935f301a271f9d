from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from kinema.learn.networks.joint_patches import (  # noqa: E402
    WINDOW,
    BodyBatch,
    JointPatches,
    Shape,
    _near,
    _rotary,
    _turned,
)

SHAPE = Shape(32, 2, 2, 4, 10, 4, 5, 7, 9, 8, 6, slice(1, 5))


@pytest.fixture(scope="module")
def network() -> JointPatches:
    torch.manual_seed(0)
    made = JointPatches(SHAPE)
    with torch.no_grad():
        for weights in made.parameters():
            if weights.abs().max() == 0:
                weights.normal_(std=0.05)
    return made.eval()


def bodies(count: int, seed: int = 0) -> BodyBatch:
    generator = torch.Generator().manual_seed(seed)
    return BodyBatch(
        torch.randn(1, count, SHAPE.static, generator=generator),
        torch.randint(0, SHAPE.hops, (1, count, count), generator=generator),
        torch.randint(0, SHAPE.relations, (1, count, count), generator=generator),
        torch.ones(1, count, dtype=torch.bool),
        torch.zeros(1),
    )


def result(network: JointPatches, count: int, patches: int, changed: tuple[int, int] | None = None) -> torch.Tensor:
    generator = torch.Generator().manual_seed(1)
    frames = patches * SHAPE.patch
    joints = torch.randn(1, frames, count, SHAPE.joint_channels, generator=generator)
    if changed is not None:
        joints[:, changed[0] * SHAPE.patch, changed[1]] += 3.0
    inputs = (
        joints,
        torch.zeros(1, frames, SHAPE.root_channels),
        torch.zeros(1, frames, count),
        torch.zeros(1, frames),
        torch.zeros(1, patches, SHAPE.path_channels),
        torch.full((1, patches), 0.5),
        torch.zeros(1, patches, SHAPE.conditions),
    )
    with torch.no_grad():
        return network(*inputs, network.encode(bodies(count)))[0]


def test_a_new_network_predicts_rest() -> None:
    assert float(result(JointPatches(SHAPE), 3, 2).abs().max()) == 0


def test_joints_see_each_other_and_patches_their_neighbours(network: JointPatches) -> None:
    plain = result(network, 4, 3)
    other = (result(network, 4, 3, changed=(0, 2)) - plain).abs().amax((0, 3))
    assert float(other[:4, 0].max()) > 1e-5  # another joint of the same patch
    assert float(other[4:8, 2].max()) > 1e-5  # the same joint, a patch later


def test_what_is_far_away_in_time_does_not_matter(network: JointPatches) -> None:
    patches = 2 * WINDOW + 4
    difference = (result(network, 2, patches, changed=(0, 0)) - result(network, 2, patches)).abs()
    assert float(difference[:, (SHAPE.layers * WINDOW + 1) * SHAPE.patch :].max()) == 0
    assert float(difference[:, : SHAPE.patch].max()) > 1e-4


def test_only_the_distance_in_time_counts() -> None:
    torch.manual_seed(0)
    q, k = torch.randn(1, 12, 8), torch.randn(1, 12, 8)
    turns = _rotary(12, 8, q.device)
    products = _turned(q.expand(1, 12, 8)[:, :1].expand(1, 12, 8), turns) @ _turned(
        k[:, :1].expand(1, 12, 8), turns
    ).transpose(-1, -2)
    for offset in range(-5, 6):
        diagonal = torch.diagonal(products[0], offset)
        np.testing.assert_allclose(diagonal, diagonal[0].expand_as(diagonal), atol=1e-4)
    assert (_near(WINDOW + 3, q.device)[0, : WINDOW + 1] == 0).all()
    assert float(_near(WINDOW + 3, q.device)[0, WINDOW + 1]) < -1e3


def test_padding_changes_nothing(network: JointPatches) -> None:
    one = bodies(3)
    padded = BodyBatch(
        torch.cat([one.joints, torch.full((1, 2, SHAPE.static), 5.0)], 1),
        torch.nn.functional.pad(one.hops, (0, 2, 0, 2)),
        torch.nn.functional.pad(one.relations, (0, 2, 0, 2)),
        torch.tensor([[True, True, True, False, False]]),
        one.size,
    )
    torch.manual_seed(3)
    joints = torch.randn(1, 8, 5, SHAPE.joint_channels)

    def run(count: int, body: BodyBatch) -> torch.Tensor:
        rest = (torch.zeros(1, 2, SHAPE.path_channels), torch.full((1, 2), 0.5), torch.zeros(1, 2, SHAPE.conditions))
        known = torch.zeros(1, 8, count)
        root = torch.zeros(1, 8, SHAPE.root_channels)
        with torch.no_grad():
            return network(joints[:, :, :count], root, known, torch.zeros(1, 8), *rest, network.encode(body))[0]

    np.testing.assert_allclose(run(5, padded)[:, :, :3], run(3, one), atol=1e-5)


@torch.no_grad()
def test_a_clock_says_something_else_to_each_joint_and_nothing_where_there_is_none(network: JointPatches) -> None:
    conditions = torch.zeros(1, 3, SHAPE.conditions)
    conditions[:, :2, 1] = 0.7  # the cadence, told to two of three patches
    angles = torch.tensor([0.3, 2.0])
    conditions[0, :2, 3], conditions[0, :2, 4] = angles.cos(), angles.sin()
    told = network._moments(conditions[..., SHAPE.clock], network.encode(bodies(4)))
    assert told.shape == (1, 3, 4, SHAPE.width) and float(told[:, 2].abs().max()) == 0
    assert float((told[:, 0] - told[:, 1]).abs().amax((0, 2)).min()) > 1e-3
    between = torch.nn.functional.normalize(told[0, 0], dim=-1)
    assert float((between @ between.T - torch.eye(4)).max()) < 0.99
    conditions[:, :, 3:5] = 0.0
    assert float(network._moments(conditions[..., SHAPE.clock], network.encode(bodies(4))).abs().max()) == 0


@torch.no_grad()
def test_a_new_clock_says_nothing_yet() -> None:
    new = JointPatches(SHAPE)
    assert float(new._moments(torch.ones(1, 2, 4), new.encode(bodies(3))).abs().max()) == 0
