"""What plans by blended experts share."""

from __future__ import annotations

import pytest
import torch


@pytest.mark.parametrize("name", ["mann", "pfnn", "local-phases", "deep-phase", "nsm"])
def test_activations_blend_the_experts(begin, name):
    """They sum to one, and an expert that counts alone speaks alone."""
    run, network = begin(name)
    seen = network.seen(run.data.batch(range(12)).x[:, 0])
    activations = network.activations(seen)
    assert activations.shape == (12, 4)
    torch.testing.assert_close(activations.sum(1), torch.ones(12))
    alone = torch.eye(4)[[2]].expand(12, -1)
    network.activations = lambda seen: alone
    before = network.numbers(seen)
    with torch.no_grad():
        for layer in (network.experts.first, network.experts.second, network.experts.third):
            layer.weight[:, [0, 1, 3]] = 7.0
            layer.bias[[0, 1, 3]] = 7.0
    torch.testing.assert_close(network.numbers(seen), before)
