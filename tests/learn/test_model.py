"""Models: scalings, what is frozen, and chance."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from kinema.features import Normalizer
from kinema.learn.model import Model, Scaling, TrainingStep, adamw, freeze, kept_random_state, own_state
from kinema.learn.recipe import Recipe
from kinema.learn.setting import Setting


class Adapted(Model):
    """A frozen base, into which an adapter is put."""

    def __init__(self) -> None:
        super().__init__(Setting())
        self.base = freeze(nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3), nn.Dropout(0.5)))
        self.base.append(nn.Linear(3, 2))
        self.own = nn.Dropout(0.5)


def test_frozen_modules_are_neither_trained_nor_saved():
    model = Adapted()
    assert set(own_state(model)) == {"base.3.weight", "base.3.bias"}
    assert {id(p) for group in adamw(model.parameters(), Recipe()).param_groups for p in group["params"]} == {
        id(p) for p in model.base[3].parameters()
    }
    model.train()
    assert not model.base.training and not model.base[2].training and model.base[3].training and model.own.training
    x = torch.randn(5, 3)
    assert torch.equal(model.base[:3](x), model.base[:3](x)) and model.base[1].num_batches_tracked == 0


def test_one_optimizer_for_everything_unless_a_model_says_otherwise():
    recipe = Recipe(rate=0.02, decay=0.3)
    (turn, optimizer), *others = Adapted().optimizers(recipe).items()
    assert turn == "" and not others
    assert optimizer.param_groups[0]["lr"] == 0.02 and optimizer.param_groups[0]["weight_decay"] == 0.3
    assert adamw(nn.Linear(1, 1).parameters(), recipe, rate=0.5).param_groups[0]["lr"] == 0.01


def test_scalings_are_undone_and_kept_with_the_weights():
    normalizer = Normalizer(np.array([1.0, -2.0], np.float32), np.array([0.5, 4.0], np.float32))
    scaling, x = Scaling.of(normalizer), torch.randn(7, 2)
    assert np.allclose(scaling.normalize(x), normalizer.normalize(x.numpy()))
    assert torch.allclose(scaling.denormalize(scaling.normalize(x)), x, atol=1e-6)
    assert torch.equal(Scaling(2).normalize(x), x) and set(scaling.state_dict()) == {"offset", "scale"}


def test_progress_goes_from_zero_to_one():
    assert [TrainingStep(number, 8, "").progress for number in (0, 2, 8)] == [0.0, 0.25, 1.0]


def test_kept_random_state_leaves_the_generator_as_it_was():
    torch.manual_seed(1)
    before = torch.get_rng_state()
    with kept_random_state():
        torch.manual_seed(99)
        torch.rand(3)
    assert torch.equal(torch.get_rng_state(), before)


def test_a_model_says_what_its_loss_is():
    with pytest.raises(NotImplementedError):
        Model(Setting()).loss(None, TrainingStep(0, 1, ""))
