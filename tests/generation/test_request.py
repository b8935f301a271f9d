"""Requests as a trained model takes them."""

import numpy as np
import pytest
import torch

from kinema.errors import UsageError
from kinema.generation import conditions
from kinema.generation.bridging import gap_error, interpolated
from kinema.generation.channels import CHANNELS, FPS
from kinema.generation.generator import Generator
from kinema.generation.model import AnySkeletonModel
from kinema.generation.request import Request, carried_on, sampler
from kinema.generation.sampling import SamplingSettings
from kinema.generation.takes import Takes
from kinema.generation.wishes import Wish
from kinema.learn.setting import Setting


def random_model():
    torch.manual_seed(0)
    model = AnySkeletonModel(Setting(fps=FPS), "XS")
    for weights in (model.network.leave.weight, model.network.last.weight):
        torch.nn.init.normal_(weights, std=0.1)
    return model


def test_a_model_keeps_what_is_known_and_is_told_of_the_path_beside_the_gap(walks, monkeypatch):
    generator = Generator(random_model())
    told = {}
    usual = generator.sample

    def heard(*args, **more):
        told.update(more)
        return usual(*args, **more)

    monkeypatch.setattr(generator, "sample", heard)
    request, right, missing = walks.bridges(30, 1, 0)[0]
    made = sampler(generator, SamplingSettings(steps=1))(request)
    assert made.shape == (1, request.frames, walks.rig.count, CHANNELS)
    outside = np.r_[0 : missing.start, missing.stop : request.frames]
    np.testing.assert_allclose(made[0, outside][..., :10], right.channels[0, outside][..., :10], atol=1e-5)
    still = np.r_[0 : missing.start - 1, missing.stop : request.frames]
    np.testing.assert_allclose(made[0, still], right.channels[0, still], atol=1e-5)
    ends = np.arange(7, -(-request.frames // 8) * 8, 8)
    inside = (ends >= missing.start) & (ends < missing.stop)
    assert not told["path"][inside].any() and inside.any()
    known = ~inside & (ends < request.frames)
    path, heading = right.path
    np.testing.assert_allclose(
        told["path"][known],
        conditions.places(path[0], heading[0], 8)[known[: request.frames // 8].nonzero()],
        atol=1e-5,
    )


def test_a_request_without_a_path_leaves_it_open(walks):
    generator = Generator(random_model())
    made = sampler(generator, SamplingSettings(steps=1))(
        Request(walks.rig, 20, (Wish(action="walk"),), seed=1, count=2)
    )
    assert made.shape[:2] == (2, 20) and not np.array_equal(made[0], made[1])


def test_strides_are_carried_on_through_what_is_not_known(walks):
    request, right, missing = walks.bridges(30, 1, 0)[0]
    made = carried_on(request)
    outside = np.r_[0 : missing.start, missing.stop : request.frames]
    np.testing.assert_array_equal(made[0, outside][..., :10], right.channels[0, outside][..., :10])
    plain = gap_error(interpolated(right, missing), right, missing)
    assert gap_error(Takes(walks.rig, made).global_positions[:, missing], right, missing) < 0.8 * plain
    with pytest.raises(UsageError, match="nothing is"):
        carried_on(Request(walks.rig, 20, (Wish(),), seed=1))
