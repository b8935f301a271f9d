"""Plans by a plain perceptron."""

from __future__ import annotations

import torch


def test_it_starts_as_a_linear_model(new_run):
    run = new_run("perceptron")
    network = run.task.model(run.data.setting)
    a, b = torch.randn(2, 5, network.inputs)
    middle = network.numbers(0.5 * (a + b))
    torch.testing.assert_close(middle, 0.5 * (network.numbers(a) + network.numbers(b)), atol=1e-5, rtol=1e-4)


def test_layers_are_counted(begin):
    run, network = begin("perceptron")
    linear = [part for part in network.modules() if isinstance(part, torch.nn.Linear)]
    assert len(linear) == run.task.options.layers + 2  # the last one, and the one beside them
