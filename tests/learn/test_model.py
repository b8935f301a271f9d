"""Options, scalings and the registry."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from kinema.errors import LearningError
from kinema.learn.model import Setting, kept_random_state, make_options
from kinema.learn.tasks import TASKS, find_task


@dataclass(frozen=True)
class Options:
    size: int = 3
    share: float = 0.5
    deep: bool = False
    name: str = "x"


def test_options_may_be_text_and_are_checked():
    made = SimpleNamespace(Options=Options)
    text = {"size": "7", "share": "0.25", "deep": "true", "name": "y"}
    assert make_options(made, text) == Options(7, 0.25, True, "y")
    assert make_options(made, {"deep": False}) == Options()
    with pytest.raises(LearningError, match="no option is named 'wide'; the options are: size, share, deep, name"):
        make_options(made, {"wide": 1})
    with pytest.raises(LearningError, match="option size is 'big'; it must be a int"):
        make_options(made, {"size": "big"})
    with pytest.raises(LearningError, match="option deep is 'maybe'"):
        make_options(made, {"deep": "maybe"})


def test_every_family_of_the_registry_is_one(new_run):
    for name in TASKS:
        made = find_task(name)
        assert made.__doc__ and isinstance(made.Options(), made.Options) and len(made.SHOWN)
    with pytest.raises(LearningError, match="no task is named 'gan'; the tasks are: autoencoder, sequence"):
        find_task("gan")


def test_scalings_are_those_of_the_training_samples(new_run):
    run = new_run("sequence")
    setting = Setting.of(run.dataset, run.database.translated)
    batch = run.dataset[run.dataset.samples("train")]
    assert np.allclose(setting.x_scaling.offset, batch.x.mean(axis=0), atol=1e-4)
    assert np.allclose(setting.y_scaling.offset, batch.y.mean(axis=0), atol=1e-4)
    bare = Setting.bare(run.dataset.x_spec, run.dataset.y_spec, 30.0, run.database.translated)
    assert bare.x_scaling.scale.shape == (run.dataset.x_spec.dim,)


def test_kept_random_state_leaves_the_generator_as_it_was():
    torch.manual_seed(1)
    before = torch.get_rng_state()
    with kept_random_state():
        torch.manual_seed(99)
        torch.rand(3)
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"size": "0"}, "size is 0; it must be at least 1"),
        ({"size": -3}, "at least 1"),
        ({"share": "nan"}, "finite"),
        ({"share": "inf"}, "finite"),
        ({"share": -0.1}, "not below 0"),
    ],
)
def test_options_that_no_network_can_have_are_one_line(given, said):
    with pytest.raises(LearningError, match=said):
        make_options(SimpleNamespace(Options=Options), given)
