"""Encoders of groups."""

from __future__ import annotations

import torch

from kinema.learn.networks.groups import GroupEncoders


def test_each_group_is_encoded_by_itself():
    torch.manual_seed(0)
    encoders = GroupEncoders([3, 5, 2], [8, 4, 6]).eval()
    x = torch.randn(7, 10)
    before = encoders(x)
    assert before.shape == (7, 18)
    x[:, 3:8] += 1
    changed = (encoders(x) != before).any(0)
    assert changed[8:12].all() and not changed[:8].any() and not changed[12:].any()


def test_size_of_the_paper():
    with torch.device("meta"):
        encoders = GroupEncoders([419, 156, 2034, 2048], [512, 128, 512, 512])
    assert encoders(torch.zeros(1, 4657, device="meta")).shape == (1, 1664)


def test_outputs_are_activations():
    torch.manual_seed(0)
    y = GroupEncoders([3], [64])(torch.randn(50, 3) * 20)
    assert y.min() >= -1 and y.max() > 1
