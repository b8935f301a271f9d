"""The suite `networks`."""

from __future__ import annotations

import math

import pytest
import torch

from kinema.benchmarks import measure, networks
from kinema.control.presets import shipped


@pytest.mark.parametrize("make_row", [networks.pfnn, networks.mann, networks.codebook], ids=lambda row: row.__name__)
@pytest.mark.parametrize("batch", [1, 3])
def test_every_row_measures_ours_and_the_baseline(make_row, batch, monkeypatch) -> None:
    monkeypatch.setattr(networks, "best_seconds", lambda run: measure.best_seconds(run, seconds=0, repeats=1) or 1e-6)
    row = make_row(batch)
    assert math.isfinite(row.value) and row.value > 0
    assert math.isfinite(row.baseline) and row.baseline > 0
    assert row.goal > 0 and row.baseline_is
    assert row.name.endswith(("1 character", "3 characters"))


def test_all_batches_of_all_networks() -> None:
    *partials, streaming = networks.ROWS
    assert streaming is networks.streaming
    assert [(row.func, row.args) for row in partials] == [
        *(
            (network, (batch,))
            for network in (networks.pfnn, networks.mann, networks.codebook)
            for batch in (1, 16, 64, 256)
        ),
        *((networks.driven, (name, count)) for name in shipped() for count in (1, 64)),
        *((networks.slow_steps, (name, 256)) for name in shipped()),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("make_row", [networks.driven, networks.slow_steps], ids=lambda row: row.__name__)
def test_whole_steps_of_networks_and_of_motion_matching(make_row) -> None:
    row = make_row("pfnn", 2, seconds=1.0)
    assert 0 < row.value < 1e3 and 0 < row.baseline < 1e3 and row.name.startswith("pfnn, all stages, 2 characters")


def test_the_plain_form_is_the_same_network() -> None:
    network, *_ = networks._networks()
    x, coefficients = torch.randn(3, 342), torch.randn(3, 4)
    with torch.inference_mode():
        assert torch.allclose(networks._plain(network, x, coefficients), network(x, coefficients), atol=1e-4)


@pytest.mark.bench
def test_goals_are_met() -> None:
    missed = [f"{row.name}: {row.value:.4g} {row.unit}, goal {row.goal:g}" for row in networks.run() if not row.met]
    assert missed == []


def test_streaming_is_measured_beside_whole_clips(monkeypatch) -> None:
    monkeypatch.setattr(networks, "best_seconds", lambda run: measure.best_seconds(run, seconds=0, repeats=1) or 1e-6)
    row = networks.streaming()
    assert row.name.endswith("21 joints") and row.goal == 30
    assert row.value > 0 and row.baseline > 0
