"""In-between shapes as morphs with hat functions for weights."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.formats.usd import morphs
from kinema.formats.usd.morphs import MorphTable

RNG = np.random.default_rng(0)


def _shape(*weights: float) -> dict:
    keys = [
        {
            "weight": w,
            "name": f"k{w}",
            "rest": 0.0,
            "normals": RNG.standard_normal((3, 3)),
            "offsets": RNG.standard_normal((3, 3)),
        }
        for w in weights
    ]
    return {"name": "s", "keys": keys}


def _sum(table: MorphTable, shape: dict, weights: np.ndarray, what: str) -> np.ndarray:
    labels = table.labels("s", weights)
    morphs = table.morphs(shape, np.eye(3), np.eye(3))
    return sum(labels[f"morph.{morph.name}"][:, None, None] * getattr(morph, what) for morph in morphs)


def test_the_sum_is_piecewise_linear_through_all_keys_and_goes_on_beyond():
    shape = _shape(1.0, 0.25, 0.6, -0.5)
    table = MorphTable([{"shapes": [shape]}])
    assert table.between == 3
    weights = np.array([-1.0, -0.5, -0.25, 0.0, 0.25, 0.425, 0.6, 1.0, 1.4])
    for what, key in (("positions", "offsets"), ("normals", "normals")):
        at = {0.0: np.zeros((3, 3)), **{k["weight"]: k[key] for k in shape["keys"]}}
        expected = [
            2 * at[-0.5],
            at[-0.5],
            at[-0.5] / 2,
            at[0.0],
            at[0.25],
            (at[0.25] + at[0.6]) / 2,
            at[0.6],
            at[1.0],
            2 * at[1.0] - at[0.6],
        ]
        assert np.allclose(_sum(table, shape, weights, what), expected, atol=1e-5)


def test_a_mesh_without_the_in_betweens_of_another_stays_linear():
    rich, plain = _shape(1.0, 0.3), _shape(1.0)
    table = MorphTable([{"shapes": [rich]}, {"shapes": [plain]}])
    weights = np.linspace(-0.5, 1.5, 9)
    expected = weights[:, None, None] * plain["keys"][0]["offsets"]
    assert np.allclose(_sum(table, plain, weights, "positions"), expected, atol=1e-5)


def test_in_betweens_of_a_small_mesh_do_not_multiply_a_large_one(monkeypatch):
    monkeypatch.setattr(morphs, "MAX_VALUES", 9 * 40)
    rich, plain = _shape(*np.linspace(0.01, 1, 50)), _shape(1.0)
    table = MorphTable([{"shapes": [rich]}, {"shapes": [plain]}])
    with pytest.raises(FormatError, match="blend shape 's' of 3 points has 49 in-betweens, too many"):
        table.morphs(plain, np.eye(3), np.eye(3))
