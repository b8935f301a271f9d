"""Checkpoints: everything comes back, and nothing else is taken for one."""

from __future__ import annotations

import pytest
import torch
from safetensors import safe_open
from torch import nn

from kinema.errors import LearningError
from kinema.learn.checkpoint import load_checkpoint, save_checkpoint
from kinema.learn.model import adamw, freeze
from kinema.learn.recipe import Recipe


def trained(seed: int, steps: int = 3) -> tuple[nn.Module, dict, torch.optim.Optimizer]:
    torch.manual_seed(seed)
    network = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
    optimizer = torch.optim.AdamW(network.parameters(), 0.01, fused=True)
    for _ in range(steps):
        optimizer.zero_grad()
        network(torch.randn(8, 3)).square().mean().backward()
        optimizer.step()
    return network, {name: p.detach().clone() for name, p in network.named_parameters()}, optimizer


def test_everything_comes_back(tmp_path):
    path = tmp_path / "c.safetensors"
    network, mean, optimizer = trained(1)
    save_checkpoint(path, network, mean, {"": optimizer}, {"step": 3, "best": 0.25})
    other, other_mean, fresh = trained(2, steps=0)
    assert load_checkpoint(path, other, other_mean, {"": fresh}) == {"step": 3, "best": 0.25}
    for name, tensor in network.state_dict().items():
        assert torch.equal(tensor, other.state_dict()[name])
    assert all(torch.equal(mean[name], other_mean[name]) for name in mean)
    x = torch.randn(8, 3)
    for net, opt in ((network, optimizer), (other, fresh)):
        opt.zero_grad()
        net(x).square().mean().backward()
        opt.step()
    assert all(torch.equal(a, b) for a, b in zip(network.parameters(), other.parameters(), strict=True))


def test_another_network_and_damaged_files_are_one_line(tmp_path):
    path = tmp_path / "c.safetensors"
    network, mean, optimizer = trained(1)
    save_checkpoint(path, network, mean, {"": optimizer}, {"step": 3})
    small = nn.Linear(3, 4)
    with pytest.raises(LearningError, match="a checkpoint of another model"):
        load_checkpoint(path, small, {}, {"": torch.optim.AdamW(small.parameters())})
    content = path.read_bytes()
    for damaged in (b"", content[:40], content[:-8], b"\x80\x04nonsense"):
        path.write_bytes(damaged)
        with pytest.raises(LearningError, match=r"damaged .*; start over with --force") as caught:
            load_checkpoint(path, network, mean, {"": optimizer})
        assert "\n" not in str(caught.value)


def test_each_optimizer_gets_its_own_state_back_and_frozen_parts_are_left_out(tmp_path):
    path = tmp_path / "c.safetensors"

    def made(seed: int) -> tuple[nn.Module, dict[str, torch.optim.Optimizer]]:
        torch.manual_seed(seed)
        network = nn.ModuleDict({"base": freeze(nn.Linear(3, 3)), "a": nn.Linear(3, 2), "b": nn.Linear(3, 2)})
        sgd = torch.optim.SGD(network["b"].parameters(), 0.1, momentum=0.9)
        return network, {"first": adamw(network["a"].parameters(), Recipe()), "second": sgd}

    def train(network: nn.Module, optimizers: dict[str, torch.optim.Optimizer]) -> None:
        x = network["base"](torch.ones(4, 3))
        (network["a"](x) * network["b"](x)).sum().backward()
        for optimizer in optimizers.values():
            optimizer.step()
            optimizer.zero_grad()

    network, optimizers = made(1)
    train(network, optimizers)
    save_checkpoint(path, network, {}, optimizers, {})
    with safe_open(path, "pt") as file:
        names = set(file.keys())
    assert not [name for name in names if "base" in name]
    assert {"optimizer.first/a.weight/exp_avg", "optimizer.second/b.weight/momentum_buffer"} <= names
    other, fresh = made(2)
    load_checkpoint(path, other, {}, fresh)
    other["base"].load_state_dict(network["base"].state_dict())
    for each in ((network, optimizers), (other, fresh)):
        train(*each)
    assert all(torch.equal(a, b) for a, b in zip(network.parameters(), other.parameters(), strict=True))
