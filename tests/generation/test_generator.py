from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

import kinema.generation.generator
from kinema.generation.bridging import bridge, gap_error, interpolated
from kinema.generation.channels import FPS, TURN, encode
from kinema.generation.generator import Generator, seen_from
from kinema.generation.request import sampler
from kinema.generation.rig import AnyRig
from kinema.generation.sampling import SamplingSettings
from kinema.generation.takes import Takes
from kinema.generation.wishes import Wish
from kinema.learn.networks.joint_patches import WINDOW
from kinema.mocap.creatures import Act, make_creature, perform


def test_a_sample_is_the_same_however_many_are_made(generator: Generator, dog: AnyRig) -> None:
    one = generator.sample(dog, 40, [Wish(action="walk")], seed=5)
    three = generator.sample(dog, 40, [Wish(action="walk")], seed=5, count=3)
    np.testing.assert_allclose(one[0], three[0], atol=1e-5)
    assert np.abs(three[0] - three[1]).max() > 0.01
    other = generator.sample(dog, 40, [Wish(action="walk")], seed=6)
    assert np.abs(one - other).max() > 0.02


def test_what_is_asked_changes_the_sample(generator: Generator, dog: AnyRig) -> None:
    plain = generator.sample(dog, 24, [Wish()], seed=1)
    for wish in (Wish(action="eat"), Wish(speed=3.0), Wish(turn=1.0), Wish("gallops to the left")):
        assert np.abs(generator.sample(dog, 24, [wish], seed=1) - plain).max() > 1e-4


def test_names_and_roles_can_be_withheld(generator: Generator, dog: AnyRig) -> None:
    said, withheld = generator.encode(dog), generator.encode(dog, nameless=True)
    assert float((said.tokens - withheld.tokens).abs().max()) > 1e-4


def test_a_loop_has_no_first_frame(generator: Generator, dog: AnyRig) -> None:
    made = generator.sample(dog, 32, [Wish(action="walk")], seed=1, loop=True)[0]
    assert made.shape == (32, dog.count, 14)
    assert np.isfinite(made).all()


@pytest.mark.parametrize(
    ("asked", "goes_on"), [(Wish(action="walk"), True), (Wish("strolls along"), True), (Wish(action="jump"), False)]
)
def test_a_walk_goes_on_through_a_gap_unless_something_else_is_asked(
    generator: Generator, dog: AnyRig, asked: Wish, goes_on: bool
) -> None:
    """Even that of a network that has not learned."""
    walk, _ = encode(dog, perform(make_creature("dog"), [Act("walk", 5.0)], fps=FPS, seed=2))
    request, truth, gap = bridge(dog, walk[15:135], "walk", 36, 1)
    made = Takes(dog, sampler(generator)(replace(request, wishes=(asked,))))
    known = np.r_[: gap.start, gap.stop : 120]
    np.testing.assert_array_equal(made.channels[0, known][..., TURN], truth.channels[0, known][..., TURN])
    plain = gap_error(interpolated(truth, gap), truth, gap)
    assert (gap_error(made.global_positions[:, gap], truth, gap) < 0.7 * plain) == goes_on


def test_lengths_need_not_be_whole_patches(generator: Generator, dog: AnyRig) -> None:
    assert generator.sample(dog, 13).shape[1] == 13


@pytest.mark.slow
def test_long_clips_are_cleaned_in_pieces_as_well_as_whole(
    generator: Generator, dog: AnyRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames, around = 70 * generator.patch, WINDOW * len(generator.model.network.blocks)
    monkeypatch.setattr(kinema.generation.generator, "PIECE", 70)
    at_once = generator.sample(dog, frames, [Wish(action="walk")], seed=5, settings=SamplingSettings(2))
    for piece, beside, same in ((6, around // 2, False), (4, around, True)):
        monkeypatch.setattr(kinema.generation.generator, "PIECE", piece)
        monkeypatch.setattr(kinema.generation.generator, "AROUND", beside)
        made = generator.sample(dog, frames, [Wish(action="walk")], seed=5, settings=SamplingSettings(2))
        np.testing.assert_allclose(made, at_once, atol=1e-4 if same else 0.02)


def test_places_are_seen_from_other_places() -> None:
    heading = torch.tensor([0.0, 0.5, 1.5])
    x, z = torch.tensor([0.0, 1.0, 2.0]), torch.tensor([0.0, 1.0, 1.0])
    path = torch.stack([x, z, heading.sin(), heading.cos(), torch.ones(3)], -1)[None]
    seen = seen_from(path, path[:, 1])
    np.testing.assert_allclose(seen[0, 1], [0, 0, 0, 1, 1], atol=1e-6)
    np.testing.assert_allclose(seen[0, 2], [np.cos(0.5), np.sin(0.5), np.sin(1.0), np.cos(1.0), 1], atol=1e-6)
    assert not seen_from(path, torch.zeros(1, 5)).any()
