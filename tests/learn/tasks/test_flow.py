"""Plans by flow matching."""

from __future__ import annotations

import torch


def test_a_plan_is_the_same_again(begin):
    run, network = begin("flow")
    seen = network.seen(run.data.batch(range(6)).x[:, 0])
    said = network.numbers(seen)
    assert torch.equal(said, network.numbers(seen))
    assert torch.equal(network.again(seen, said), said.detach())


def test_the_path_is_the_condition_and_all_is_remembered(begin):
    """Without the memory of the pose, the path alone changes a plan."""
    run, network = begin("flow")
    seen = network.seen(run.data.batch(range(6)).x[:, 0])
    network.net.memory = lambda past, known: torch.zeros(len(past), run.task.options.hidden)
    said = network.numbers(seen)
    for name, place in run.data.setting.specs["x"].slices.items():
        changed = seen.clone()
        changed[:, place] += 0.5
        assert torch.equal(network.numbers(changed), said) != name.startswith("trajectory"), name


def test_it_is_taught_from_where_the_flow_is(begin):
    """A network that knows the way says the plan itself, wherever it starts from."""
    _, network = begin("flow")
    wanted = torch.randn(5, network.outputs)
    network.net.forward = lambda x, time, memory, condition: (wanted[:, None] - x) / (1 - time)[:, None, None]
    said, terms = network.taught(torch.randn(5, network.inputs), wanted)
    torch.testing.assert_close(said, wanted, atol=1e-3, rtol=1e-3)
    assert float(terms["flow"]) < 1e-4
