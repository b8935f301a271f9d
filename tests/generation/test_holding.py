from __future__ import annotations

import numpy as np
import pytest
import torch

from kinema.generation import conditions
from kinema.generation.carrying import carried
from kinema.generation.channels import TRAVEL, ground_path
from kinema.generation.generator import Generator
from kinema.generation.holding import Holding
from kinema.generation.measures import travelled
from kinema.generation.model import AnySkeletonModel
from kinema.generation.rig import AnyRig
from kinema.generation.takes import Takes
from kinema.generation.wishes import Wish
from kinema.mocap.creatures import make_creature

OPEN = torch.zeros(1, 15, conditions.PATH)

WANDERING = torch.sin(2 * torch.pi * torch.arange(62) / 62)[:, None]
"""What is added to the travel of 62 frames: from one side to the other."""


def asked(speed: float = np.nan, turn: float = np.nan, patches: int = 15) -> torch.Tensor:
    none = [np.full(patches, np.nan)] * 4
    numbers = conditions.asked(np.full(patches, -1), np.full(patches, speed), np.full(patches, turn), *none)
    return torch.from_numpy(numbers)[None]


@pytest.fixture
def drawn(model: AnySkeletonModel, dog: AnyRig) -> torch.Tensor:
    """Channels of the flow whose travel swings about a slow course to the side."""
    channels = 0.1 * torch.randn(1, 120, dog.count, 14, generator=torch.Generator().manual_seed(0))
    swing = 0.1 * torch.sin(torch.arange(120) * 0.7)
    channels[0, :, 0, TRAVEL] = torch.stack([0.3 + swing, 0.3 + swing, swing], -1)
    return model.scales.normalised(channels)


def test_the_mean_becomes_what_is_asked_and_swings_stay(model: AnySkeletonModel, drawn: torch.Tensor) -> None:
    held = model.scales.restored(Holding(asked(1.5, -0.4), OPEN, 8, model.scales)(drawn))
    before = model.scales.restored(drawn)
    middle = held[0, 30:90, 0, TRAVEL]
    assert float(middle[:, :2].mean(0).norm()) == pytest.approx(1.5, rel=0.05)
    assert float(middle[:, 2].mean()) == pytest.approx(-0.4, rel=0.05)
    course = middle[:, :2].mean(0)
    assert 0.5 < float(course[0] / course[1]) < 1.0  # between where it went and ahead
    was, now = (each[0, 40:80, 0, TRAVEL].diff(dim=0) for each in (before, held))
    np.testing.assert_allclose(was, now, atol=0.02)
    np.testing.assert_allclose(held[..., :10], before[..., :10], atol=1e-6)


def test_what_goes_nowhere_goes_ahead(model: AnySkeletonModel, drawn: torch.Tensor) -> None:
    still = drawn.clone()
    still[:, :, 0, TRAVEL] = 0.0
    held = model.scales.restored(Holding(asked(1.0), OPEN, 8, model.scales)(still))
    np.testing.assert_allclose(held[0, :, 0, TRAVEL], torch.tensor([0.0, 1.0, 0.0]).expand(120, 3), atol=1e-4)


def test_nothing_asked_in_numbers_changes_nothing(model: AnySkeletonModel, drawn: torch.Tensor) -> None:
    holding = Holding(asked(), OPEN, 8, model.scales)
    assert not holding.holds
    np.testing.assert_allclose(holding(drawn), drawn, atol=1e-5)


def test_generated_bodies_go_as_fast_and_turn_as_asked(generator: Generator, dog: AnyRig) -> None:
    """Even those of a network that has not learned."""
    wish = Wish(speed=1.2 * dog.unit, turn=0.5)
    speed, turn = travelled(Takes(dog, generator.sample(dog, 120, [wish], seed=1, count=2)))
    np.testing.assert_allclose(speed, 1.2, rtol=0.1)
    np.testing.assert_allclose(turn, 0.5, rtol=0.1)


@pytest.mark.parametrize("open_patches", [(), (3, 4, 9)])
def test_a_path_is_met_where_it_is_given(
    model: AnySkeletonModel, drawn: torch.Tensor, dog: AnyRig, open_patches: tuple[int, ...]
) -> None:
    angle = np.linspace(0.0, 2.5, 120)
    circle = np.stack([2.0 - 2.0 * np.cos(angle), 2.0 * np.sin(angle)], axis=-1).astype(np.float32)
    path = conditions.places(circle, angle.astype(np.float32), 8)
    path[list(open_patches)] = 0.0
    holding = Holding(asked(9.0, 9.0), torch.from_numpy(path)[None], 8, model.scales)
    held = model.scales.restored(holding(drawn))[0].numpy()
    places, heading = ground_path(held, dog)
    ends = np.delete(np.arange(7, 120, 8), open_patches)
    np.testing.assert_allclose(places[ends], circle[ends], atol=1e-3)
    np.testing.assert_allclose(heading[ends], angle[ends], atol=1e-3)


def test_generated_bodies_follow_a_path(generator: Generator, dog: AnyRig) -> None:
    angle = np.linspace(0.0, 1.5, 120)
    circle = np.stack([2.0 - 2.0 * np.cos(angle), 2.0 * np.sin(angle)], axis=-1).astype(np.float32)
    path = conditions.places(circle, angle.astype(np.float32), generator.patch)
    made = generator.sample(dog, 120, [Wish(action="walk")], seed=1, path=path)[0]
    assert np.abs(ground_path(made, dog)[0] - circle)[7::8].max() < 0.05


def test_what_leads_to_a_place_behind_a_gap_is_spread_over_the_gap(
    model: AnySkeletonModel, drawn: torch.Tensor
) -> None:
    still = drawn.clone()
    still[:, :, 0, TRAVEL] = 0.0
    places = np.zeros((120, 2), np.float32)
    places[80:, 1] = 2.0
    path = conditions.places(places, np.zeros(120, np.float32), 8)
    path[4:10] = 0.0  # ends at frames 39 to 79
    held = model.scales.restored(Holding(asked(), torch.from_numpy(path)[None], 8, model.scales)(still))
    ahead = held[0, :, 0, TRAVEL][:, 1]
    np.testing.assert_allclose(ahead[:31], 0.0, atol=1e-4)
    np.testing.assert_allclose(ahead[31:87], 2.0 / 56 * 30, rtol=1e-3)
    np.testing.assert_allclose(ahead[88:], 0.0, atol=1e-4)


def steady(model: AnySkeletonModel, drawn: torch.Tensor) -> tuple[torch.Tensor, np.ndarray, np.ndarray]:
    """A body that goes in a curve, slower and slower, and wanders through a gap; its true places and headings."""
    channels = model.scales.restored(drawn)
    pace = torch.linspace(1.5, 1.0, 120)
    true = torch.stack([0.1 * pace, pace, 0.4 * pace], -1)
    channels[0, :, 0, TRAVEL] = true
    moved = channels.clone()
    channels[0, 30:92, 0, TRAVEL] += WANDERING
    path, heading = ground_path(moved[0].numpy(), AnyRig.of(make_creature("dog").skeleton))
    return model.scales.normalised(channels), path, heading


@pytest.mark.parametrize("behind", [0.0, 3.0])
def test_a_gap_is_crossed_evenly_where_that_leads_to_its_other_side(
    model: AnySkeletonModel, drawn: torch.Tensor, behind: float
) -> None:
    wandering, path, heading = steady(model, drawn)
    known = np.ones(120, np.bool_)
    known[30:92] = False
    path = path + behind * (np.arange(120) >= 92)[:, None] * np.asarray([1.0, 0.0], np.float32)
    places = conditions.places(path.astype(np.float32), heading, 8)
    places[3:11] = 0.0  # ends at frames 31 to 87
    places = torch.from_numpy(places)[None]
    given = model.scales.restored(wandering)[0, :, 0, TRAVEL]
    plain, held = (
        model.scales.restored(Holding(asked(), places, 8, model.scales, known, each)(wandering))[0, :, 0, TRAVEL]
        for each in (None, carried(model.scales.restored(wandering)[0].numpy(), known, known, None, 8))
    )
    true = given.clone()
    true[30:92] -= WANDERING
    off = [float((each - true)[32:92].abs().mean()) for each in (plain, held)]
    if behind:  # as far aside as it goes ahead: the way through the gap is no even one
        assert off[1] > 0.8 * off[0]
    else:
        assert off[1] < 0.4 * off[0]
    np.testing.assert_allclose(held[:23], given[:23], atol=1e-3)


def test_through_a_gap_a_body_swings_as_in_its_known_strides(model: AnySkeletonModel, drawn: torch.Tensor) -> None:
    """The network has it swing the other way, and wander; strides that the known motion does not have say nothing."""
    inside, known = slice(30, 92), np.ones(120, np.bool_)
    known[inside] = False
    swing = 0.4 * torch.sin(2 * torch.pi * torch.arange(120) / 15.0)[:, None] * torch.tensor([1.0, 0.2, 1.0])
    channels = model.scales.restored(steady(model, drawn)[0])
    channels[0, inside, 0, TRAVEL] -= WANDERING
    channels[0, :, 0, TRAVEL] += swing
    path, heading = ground_path(channels[0].numpy(), AnyRig.of(make_creature("dog").skeleton))
    true = channels[0, inside, 0, TRAVEL].clone()
    channels[0, inside, 0, TRAVEL] += WANDERING - 2 * swing[inside]
    flowing = model.scales.normalised(channels)
    places = conditions.places(path, heading, 8)
    places[3:11] = 0.0
    found = []
    for strides in (None, np.arange(120) / 15.0 + 0.3, np.arange(120) / 8.0):
        ahead = carried(channels[0].numpy(), known, known, strides, 8)
        holding = Holding(asked(), torch.from_numpy(places)[None], 8, model.scales, known, ahead)
        found.append(model.scales.restored(holding(flowing))[0, inside, 0, TRAVEL])
    plain, swung, misled = found
    assert (swung - true).abs().mean() < 0.1 * (plain - true).abs().mean()
    assert (misled - plain).abs().mean() < 0.1 * swing.abs().mean()
