"""Muon and AdamW as one optimiser."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn

from kinema.learn.checkpoint import load_checkpoint, save_checkpoint
from kinema.learn.muon import MatrixOptimizer, orthogonal
from kinema.learn.recipe import Recipe


def network() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 3))


def optimizer_of(model: nn.Module) -> MatrixOptimizer:
    parameters = list(model.parameters())
    return MatrixOptimizer(
        [p for p in parameters if p.ndim == 2], [p for p in parameters if p.ndim < 2], Recipe(rate=0.01, decay=0.0)
    )


def steps(model: nn.Module, optimizer: MatrixOptimizer, first: int, last: int) -> None:
    for number in range(first, last):
        torch.manual_seed(number)
        x = torch.randn(32, 6)
        optimizer.zero_grad()
        (model(x) - x[:, :3].sin()).square().mean().backward()
        optimizer.step()


def test_steps_of_matrices_are_orthogonal_and_those_of_the_rest_are_of_adamw() -> None:
    model, other = network(), network()
    before = [p.detach().clone() for p in model.parameters()]
    steps(model, optimizer_of(model), 0, 1)
    change = model[0].weight.detach() - before[0]
    sizes = torch.linalg.svdvals(change)
    assert sizes.max() / sizes.min() < 2.5
    adamw = torch.optim.AdamW(other.parameters(), lr=0.01, weight_decay=0.0)
    torch.manual_seed(0)
    x = torch.randn(32, 6)
    (other(x) - x[:, :3].sin()).square().mean().backward()
    adamw.step()
    assert torch.allclose(model[0].bias, other[0].bias) and not torch.allclose(model[0].weight, other[0].weight)


def test_rates_of_both_follow_what_the_training_sets() -> None:
    model = network()
    optimizer = optimizer_of(model)
    before = [p.detach().clone() for p in model.parameters()]
    for group in optimizer.param_groups:
        group["lr"] = 0.0
    steps(model, optimizer, 0, 3)
    assert all(torch.equal(p, old) for p, old in zip(model.parameters(), before, strict=True))


def test_a_checkpoint_goes_on_with_the_same_numbers(tmp_path: Path) -> None:
    whole, first, second = network(), network(), network()
    steps(whole, optimizer_of(whole), 0, 6)
    optimizer = optimizer_of(first)
    steps(first, optimizer, 0, 3)
    save_checkpoint(tmp_path / "checkpoint.safetensors", first, {}, {"": optimizer}, {})
    again = optimizer_of(second)
    load_checkpoint(tmp_path / "checkpoint.safetensors", second, {}, {"": again})
    steps(second, again, 3, 6)
    for one, other in zip(whole.parameters(), second.parameters(), strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize("shape", [(8, 32), (32, 8), (16, 16)])
def test_updates_are_those_of_torch_but_for_its_half_precision(shape: tuple[int, int]) -> None:
    torch.manual_seed(0)
    start = torch.randn(3, *shape)
    ours, theirs = ([nn.Parameter(each.clone()) for each in start] for _ in range(2))
    recipe = Recipe(rate=0.01, decay=0.1)
    one = MatrixOptimizer(ours, [nn.Parameter(torch.zeros(1))], recipe)
    other = torch.optim.Muon(theirs, lr=0.03, weight_decay=0.1, adjust_lr_fn="match_rms_adamw")
    for _ in range(3):
        for mine, its in zip(ours, theirs, strict=True):
            mine.grad = torch.randn(shape)
            its.grad = mine.grad.clone()
        one.step(), other.step()
    moved = [(now - before).detach() for now, before in zip(ours, start, strict=True)]
    for mine, its, way in zip(ours, theirs, moved, strict=True):
        torch.testing.assert_close(mine, its, rtol=0, atol=0.02 * float(way.abs().max()))
    sizes = torch.linalg.svdvals(orthogonal(start))
    assert sizes.min() > 0.3 and sizes.max() < 1.3


def test_matrices_without_gradients_stay() -> None:
    model = network()
    optimizer = optimizer_of(model)
    before = model[2].weight.detach().clone()
    model[0](torch.randn(4, 6)).sum().backward()
    optimizer.step()
    assert torch.equal(model[2].weight, before) and "momentum_buffer" not in optimizer.state[model[2].weight]
