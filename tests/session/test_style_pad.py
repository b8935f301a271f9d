"""A map of styles."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.mocap.styles import mix_of
from kinema.session.style_pad import StylePad

NAMES = ("normal", "old", "proud", "tired", "stealth")


@pytest.fixture
def pad() -> StylePad:
    return StylePad(NAMES, np.random.default_rng(1).normal(size=(5, 4)))


def test_a_style_is_alone_at_its_place(pad: StylePad):
    for name, place in pad.places.items():
        pad.point = place
        assert mix_of(pad.words()) == {name: 1.0}


def test_shares_change_steadily_between_two_styles(pad: StylePad):
    start, end = (np.array(pad.places[name]) for name in ("old", "proud"))
    mixes = []
    for share in np.linspace(0, 1, 41):
        pad.point = tuple((start + share * (end - start)).tolist())
        mixes.append(mix_of(pad.words()))
        assert sum(mixes[-1].values()) == pytest.approx(1, abs=0.003)
    for name, sign in (("old", -1), ("proud", 1)):
        shares = np.array([mix.get(name, 0.0) for mix in mixes])
        assert (sign * np.diff(shares) > -0.002).all() and np.abs(np.diff(shares)).max() < 0.2
        assert np.ptp(shares) == pytest.approx(1)


def test_what_looks_alike_is_near_each_other():
    latents = np.array([[0, 0, 0, 0], [0.3, 0, 0, 0.1], [4, 0, 0, 0], [0, 5, 0, 0], [4.2, 5, 0, 0]])
    places = StylePad(NAMES, latents).places
    away = {
        name: np.subtract(places["normal"], place) @ np.subtract(places["normal"], place)
        for name, place in places.items()
    }
    assert min((name for name in away if name != "normal"), key=away.__getitem__) == "old"


@pytest.mark.parametrize("count", [2, 3, 13, 60])
def test_no_style_hides_another(count: int):
    """Not even styles that are the same to the network."""
    latents = np.random.default_rng(0).normal(size=(count, 4))
    latents[1:] = latents[1] if count > 2 else latents[1:]
    places = np.array(list(StylePad([str(number) for number in range(count)], latents).places.values()))
    assert (places >= 0.1).all() and (places <= 0.9).all()
    away = np.linalg.norm(places[:, None] - places[None], axis=-1) + 9 * np.eye(count)
    assert away.min() > 0.4 / np.sqrt(count)
