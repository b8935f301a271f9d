from __future__ import annotations

import pytest

pytest.importorskip("torch")

import torch

from kinema.generation.captions.model import CaptionModel, Options, found_in
from kinema.generation.captions.seen import to_captions
from kinema.generation.captions.told import body_of
from kinema.learn.model import TrainingStep
from kinema.learn.setting import Setting
from kinema.mocap.creatures.acts import ACTIONS

SMALL = Options(width=16, hidden=32, dropout=0.0)


@pytest.fixture
def model() -> CaptionModel:
    torch.manual_seed(0)
    return CaptionModel(Setting(), SMALL).eval()


def test_a_caption_is_read_alike_alone_and_beside_longer_ones(model: CaptionModel) -> None:
    dog = body_of("dog")
    short, long = ("walks", dog), ("walks a while, then runs off and never comes back", dog)
    alone, beside = model(to_captions([short])), model(to_captions([long, short]))
    torch.testing.assert_close(alone[0][0], beside[0][1, :1])
    torch.testing.assert_close(alone[1][0], beside[1][1, :1])
    assert found_in(model, [short])[0].probability == pytest.approx(found_in(model, [long, short])[1].probability)


def test_no_body_does_what_it_cannot(model: CaptionModel) -> None:
    shark = body_of("shark")
    said = model(to_captions([("walks, hops and flies", shark)]))[0][0]
    unable = [1 + at for at, action in enumerate(ACTIONS) if action not in shark.actions]
    assert (said.softmax(-1)[:, unable] == 0).all()


def test_only_words_that_say_something_count_for_the_order(model: CaptionModel) -> None:
    dog = body_of("dog")
    texts = [("walks before it eats", dog)]
    step = TrainingStep(0, 1, "")
    losses = [
        {name: float(value.detach()) for name, value in model.loss(to_captions(texts, [given]), step).items()}
        for given in [((), (), ()), ((0, 3), (1, 8), (False, False)), ((0, 3), (1, 8), (False, True))]
    ]
    assert losses[0]["order"] == 0
    assert losses[1]["said"] == pytest.approx(losses[2]["said"])
    assert losses[1]["order"] != pytest.approx(losses[2]["order"])


def test_words_are_withheld_in_training_only(model: CaptionModel) -> None:
    batch = to_captions([("walks slowly over the hill, then eats", body_of("cow"))] * 20)
    said = model(batch)[0].detach()
    torch.testing.assert_close(said[0], said[1])
    withheld = model.train()(batch)[0].detach()
    assert (withheld - withheld[:1]).abs().max() > 0.01
