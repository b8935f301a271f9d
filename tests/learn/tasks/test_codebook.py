"""Plans by codebook matching."""

from __future__ import annotations

import torch


def test_plans_are_made_of_codes_and_the_same_again(begin):
    run, network = begin("codebook")
    seen = network.seen(run.data.batch(range(200)).x[:, 0])
    with torch.no_grad():
        said = network.numbers(seen)
        assert torch.equal(said, network.numbers(seen))
    assert len(torch.unique(said, dim=0)) <= 4**6  # categories to the power of channels


def test_it_is_taught_with_the_code_of_what_followed_and_goes_on_with_its_guess(begin):
    run, network = begin("codebook")
    batch = run.data.batch(range(20))
    seen = network.seen(batch.x[:, 0])
    wanted = ((network.coefficients(batch.y[:, 0]) - network.mean) / network.spread).flatten(1)
    decoded, terms = network.taught(seen, wanted)
    elsewhere, _ = network.taught(seen.flip(0), wanted)
    assert set(terms) == {"matching", "refinement"} and decoded.shape == wanted.shape
    target = network.net.encode(wanted.unflatten(1, network.shape))
    sure = 1e4 * torch.nn.functional.one_hot(target.argmax(-1), 4).float()
    network.net.encode = lambda y: sure
    torch.testing.assert_close(network.taught(seen, wanted)[0], network.taught(seen.flip(0), wanted)[0])
    assert elsewhere.shape == decoded.shape
    went = network.again(seen, decoded)
    assert not went.requires_grad and torch.equal(went, network.numbers(seen))
