from __future__ import annotations

import numpy as np
import pytest
import torch

from kinema.errors import UsageError
from kinema.generation.channels import CHANNELS, HEIGHT, ROOT
from kinema.generation.sampling import SamplingSettings, flow, guided, looped, mended, onward, shifted


def test_a_perfect_network_leads_to_the_data_in_any_number_of_steps() -> None:
    data = torch.randn(2, 16, 3, 4)
    for steps in (1, 4, 9):
        made = flow(
            lambda x, time, heed: data,
            lambda: torch.randn_like(data),
            torch.zeros_like(data),
            data,
            2,
            SamplingSettings(steps, 1.0),
        )
        np.testing.assert_allclose(made, data, atol=1e-5)


def test_what_is_known_is_exact_and_seen_at_every_step() -> None:
    data, known = torch.randn(1, 8, 2, 3), torch.zeros(1, 8, 2, 3)
    known[:, :3] = 1
    seen = []

    def clean(x: torch.Tensor, time: torch.Tensor, heed: bool) -> torch.Tensor:
        seen.append(x[:, :3].clone())
        return torch.zeros_like(x)

    made = flow(clean, lambda: torch.randn_like(data), known, data, 1, SamplingSettings(4, 1.0))
    np.testing.assert_array_equal(made[:, :3], data[:, :3])
    assert all(torch.equal(each, data[:, :3]) for each in seen)
    np.testing.assert_allclose(made, mended(torch.zeros_like(data), known > 0, data), atol=1e-6)


def test_guidance_overstates_the_difference_that_asking_makes() -> None:
    x, time = torch.zeros(1, 8, 1, 1), torch.zeros(1, 1)
    made = guided(lambda x, time, heed: torch.full_like(x, 3.0 if heed else 1.0), x, time, 2.0)
    assert float(made.mean()) == pytest.approx(5.0)


def test_what_is_made_joins_what_is_known() -> None:
    truth = torch.linspace(0.0, 6.0, 80)[None, :, None, None].sin().expand(1, 80, 2, 1)
    known = torch.zeros(1, 80, 2, 1, dtype=torch.bool)
    known[:, :30, 0] = known[:, 50:, 0] = True
    off = truth + 0.5
    made = mended(off, known, truth)
    np.testing.assert_allclose(made[known], truth[known], atol=1e-6)
    assert torch.equal(made[:, :, 1], off[:, :, 1]), "nothing is known of this joint"
    wrong = (made - truth)[0, 30:50, 0, 0]
    assert float(wrong[0]) < 0.05
    assert float(wrong[-1]) < 0.05
    assert 0.1 < float(wrong.max()) < 0.5
    begin = torch.zeros_like(known)
    begin[:, :30] = True
    wrong = (mended(off, begin, truth) - truth)[0, 30:, 0, 0]
    assert bool((wrong.diff() > 0).all())
    assert float(wrong[-1]) > 0.45
    assert torch.equal(mended(off, torch.zeros_like(known), truth), off)


def test_height_between_two_known_places_is_as_wrong_as_at_neither() -> None:
    truth, known = torch.zeros(1, 200, 1, CHANNELS), torch.zeros(1, 200, 1, CHANNELS, dtype=torch.bool)
    known[:, :10] = known[:, 190:] = True
    made = mended(truth + 0.5, known, truth)
    np.testing.assert_allclose(made[..., HEIGHT], 0.0, atol=1e-6)
    assert float(made[0, 100, 0, 0]) > 0.4, "rotations are no places"
    known[:, 190:] = False
    assert float(mended(truth + 0.5, known, truth)[0, 199, 0, HEIGHT]) > 0.45, "nothing is known beyond"


def test_what_the_noise_begins_with_is_not_averaged_away() -> None:
    """Of two motions that are as likely, each is made about as often, and nothing in between."""

    def clean(x: torch.Tensor, time: torch.Tensor, heed: bool) -> torch.Tensor:
        share = time[:, :, None, None]  # of one patch
        evidence = (share * x / (1.0 - share).square()).sum((1, 2, 3), keepdim=True)
        return torch.tanh(evidence).expand_as(x)  # the mean of all ones and its opposite, given either with noise

    zeros = torch.zeros(2000, 8, 4, 1)
    chance = torch.Generator().manual_seed(0)
    noise = lambda: torch.randn(2000, 8, 4, 1, generator=chance)  # noqa: E731
    made = flow(clean, noise, zeros, zeros, 1, SamplingSettings(8, 1.0)).mean((1, 2, 3))
    assert float((made.abs() > 0.9).double().mean()) > 0.9
    assert abs(float(made.mean())) < 0.1


def test_most_of_the_noise_stays_and_some_is_fresh() -> None:
    noise, fresh, data = torch.randn(3, 40_000, generator=torch.Generator().manual_seed(0))
    now = torch.lerp(noise, data, 0.3)
    later = onward(now, data, 0.3, 0.7, fresh)
    left = (later - 0.7 * data) / 0.3
    assert float(left.std()) == pytest.approx(1.0, abs=0.02)
    assert float((left * noise).mean()) == pytest.approx(0.8, abs=0.02)
    assert float((left * fresh).mean()) == pytest.approx(0.6, abs=0.02)
    np.testing.assert_allclose(onward(now, data, 0.3, 1.0, fresh), data, atol=1e-5)


def test_guidance_ends_when_the_motion_is_decided() -> None:
    calls = []

    def clean(x: torch.Tensor, time: torch.Tensor, heed: bool) -> torch.Tensor:
        calls.append(heed)
        return torch.full_like(x, 3.0 if heed else 1.0)

    x = torch.zeros(1, 8, 1, 1)
    made = guided(clean, x, torch.tensor([[0.1, 0.9]]), 2.0)
    assert made[0, :, 0, 0].tolist() == [5.0] * 4 + [3.0] * 4
    assert calls == [True, False]
    assert float(guided(clean, x, torch.full((1, 2), 0.9), 2.0).mean()) == pytest.approx(3.0)
    assert calls[2:] == [True]


def test_travel_is_as_asked_not_overstated() -> None:
    x, time = torch.zeros(1, 8, 2, CHANNELS), torch.zeros(1, 1)
    made = guided(lambda x, time, heed: torch.full_like(x, 3.0 if heed else 1.0), x, time, 2.0)
    assert float(made[..., ROOT].max()) == pytest.approx(3.0)
    assert float(made[..., : ROOT.start].min()) == pytest.approx(5.0)


def test_a_loop_is_seen_without_a_seam() -> None:
    seen = []

    def clean(x: torch.Tensor, time: torch.Tensor, heed: bool) -> torch.Tensor:
        seen.append((x.clone(), time.clone()))
        return x

    x = torch.arange(12.0).reshape(1, 12, 1, 1)
    made = looped(clean, 4, 2)(x, torch.zeros(1, 3), True)
    assert torch.equal(made, x)
    assert seen[0][0].flatten().tolist()[:8] == [4, 5, 6, 7, 8, 9, 10, 11]
    assert seen[0][0].flatten().tolist()[-8:] == [0, 1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize("bad", [{"steps": 0}, {"steps": 10**6}, {"guidance": -1.0}, {"guidance": float("nan")}])
def test_settings_out_of_range_are_refused(bad: dict) -> None:
    with pytest.raises(UsageError, match=r"usual"):
        SamplingSettings(**bad)


def test_most_steps_are_taken_near_noise() -> None:
    times = shifted(torch.linspace(0.0, 1.0, 9))
    assert (float(times[0]), float(times[-1])) == (0.0, 1.0)
    assert bool((times.diff() > 0).all())
    assert float(times[4]) < 0.2
