"""The vector quantizer."""

from __future__ import annotations

import torch

from kinema.learn.networks.quantizer import VectorQuantizer


def test_the_nearest_code_is_chosen():
    torch.manual_seed(0)
    quantizer = VectorQuantizer(20, 3).eval()
    x = torch.randn(4, 5, 3)
    codes, chosen, commitment = quantizer(x)
    distances = (x[..., None, :] - quantizer.table).square().sum(-1)
    assert torch.equal(chosen, distances.argmin(-1))
    assert torch.allclose(codes, quantizer.table[chosen])
    assert torch.allclose(commitment, distances.min(-1).values.mean() / 3)


def test_gradients_pass_as_if_nothing_was_replaced():
    torch.manual_seed(0)
    quantizer = VectorQuantizer(20, 3).eval()
    x = torch.randn(5, 3, requires_grad=True)
    codes, _, commitment = quantizer(x)
    factor = torch.randn(5, 3)
    (gradient,) = torch.autograd.grad((codes * factor).sum(), x)
    assert torch.allclose(gradient, factor)
    (pull,) = torch.autograd.grad(commitment, x)
    assert torch.allclose(pull, 2 * (x - codes) / 15)
    assert not list(quantizer.parameters())


def test_codes_go_to_the_means_of_what_chooses_them():
    torch.manual_seed(0)
    centres = torch.tensor([[5.0, 0.0], [-5.0, 0.0], [0.0, 5.0]])
    quantizer = VectorQuantizer(3, 2, decay=0.8)
    quantizer.table[:] = quantizer.sums[:] = centres * 0.2
    for _ in range(60):
        quantizer(centres.repeat(20, 1) + 0.1 * torch.randn(60, 2))
    assert torch.allclose(quantizer.table, centres, atol=0.1)
    before = quantizer.table.clone()
    quantizer.eval()(torch.randn(50, 2))
    assert torch.equal(quantizer.table, before)


def test_running_means_of_a_batch():
    quantizer = VectorQuantizer(3, 1, decay=0.75, dead=0.6)
    quantizer.table[:] = quantizer.sums[:] = torch.tensor([[0.0], [10.0], [1000.0]])
    quantizer.counts[2] = 0.0
    quantizer(torch.tensor([[1.0], [1.0], [12.0]]))
    assert torch.allclose(quantizer.counts, torch.tensor([0.75 + 0.25 * 2, 1.0, 1.0]))  # the third is moved
    assert torch.allclose(quantizer.table[:2], torch.tensor([[0.25 * 2 / 1.25], [0.75 * 10 + 0.25 * 12]]))
    assert quantizer.table[2] in (1.0, 12.0)


def test_codes_that_nobody_chooses_are_used_again():
    torch.manual_seed(0)
    quantizer = VectorQuantizer(16, 2, decay=0.9)
    quantizer.table[1:] += 1000.0  # out of reach
    quantizer.sums.copy_(quantizer.table)
    x = torch.randn(200, 2)
    start = quantizer.eval()(x)
    assert len(start[1].unique()) == 1
    quantizer.train()
    for _ in range(100):
        quantizer(x)
    _, chosen, commitment = quantizer.eval()(x)
    assert len(chosen.unique()) > 12
    assert commitment < 0.2 * start[2]


def test_the_seed_decides_which_vectors_replace_dead_codes():
    tables = []
    for _ in range(2):
        torch.manual_seed(3)
        quantizer = VectorQuantizer(16, 2, decay=0.5)
        x = torch.randn(40, 2)
        for _ in range(20):
            quantizer(x)
        tables.append(quantizer.table)
    assert torch.equal(*tables)
