from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import ControlError
from kinema.features.index import BoxIndex, GemmIndex, valid_until_end

BACK_ENDS = [BoxIndex, GemmIndex]


def motion_like(frames: int, dim: int = 27, seed: int = 0) -> np.ndarray:
    """Gaits of random rates and amplitudes on slowly wandering means, in clips of 800 frames at 60 Hz, normalised."""
    rng = np.random.default_rng(seed)
    clips = []
    t = np.arange(800)[:, None] / 60
    for _ in range(-(-frames // 800)):
        cycle = 2 * np.pi * (rng.uniform(0.8, 1.6) * t + 0.5 * rng.random((1, dim)))
        amplitude = rng.uniform(0.2, 1.0, (1, dim))
        drift = 0.25 * np.cumsum(rng.normal(size=(800, 6)), 0) / 60**0.5 @ rng.normal(size=(6, dim))
        clips.append(0.7 * rng.normal(size=(1, dim)) + amplitude * (np.sin(cycle) + 0.4 * np.sin(2 * cycle)) + drift)
    x = np.concatenate(clips)[:frames]
    return (x / x.std(axis=0).mean()).astype(np.float32)


@pytest.fixture(scope="module")
def features() -> np.ndarray:
    return motion_like(5000)


@pytest.fixture(scope="module")
def queries(features) -> np.ndarray:
    rng = np.random.default_rng(1)
    near = features[rng.integers(0, len(features), 60)] + 0.3 * rng.normal(size=(60, 27))
    return np.concatenate([near, 3 * rng.normal(size=(4, 27)), features[100:104]]).astype(np.float32)


def costs_of(features, query) -> np.ndarray:
    return ((features.astype(np.float64) - query) ** 2).sum(axis=1)


@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_all_back_ends_find_the_nearest_valid_frame(back_end, features, queries):
    valid = valid_until_end([800] * 6 + [200], 60)
    frames, costs = back_end.build(features, valid).search(queries)
    for query, frame, cost in zip(queries, frames, costs, strict=True):
        exact = np.where(valid, costs_of(features, query), np.inf)
        assert valid[frame]
        # Equal up to rounding of float32 scores: two frames may be equally near.
        assert exact[frame] == pytest.approx(exact.min(), rel=1e-4, abs=2e-4)
        assert cost == pytest.approx(exact[frame], rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_one_query_and_batches_agree(back_end, features, queries):
    index = back_end.build(features)
    frames, costs = index.search(queries)
    frame, cost = index.search(queries[7])
    assert np.shape(frame) == np.shape(cost) == ()
    assert frame == frames[7]
    assert cost == pytest.approx(costs[7], rel=1e-4)
    assert [part.shape for part in index.search(queries[:0])] == [(0,), (0,)]


@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_bounds(back_end, features, queries):
    index = back_end.build(features)
    _, costs = index.search(queries[:3])
    frames, limited = index.search(queries[:3], bound=np.float32([costs[0] * 0.5, costs[1] * 1.5, np.inf]))
    assert frames[0] == -1
    assert limited[0] == pytest.approx(costs[0] * 0.5)
    np.testing.assert_allclose(limited[1:], costs[1:], rtol=1e-4)
    assert index.search(queries[0], bound=0.0)[0] == -1


@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_penalties_and_masks(back_end, features, queries, rng):
    valid = rng.random(len(features)) < 0.9
    index = back_end.build(features, valid)
    penalty = rng.exponential(5.0, len(features)).astype(np.float32)
    allowed = rng.random(len(features)) < 0.3
    for options in ({"penalty": penalty}, {"allowed": allowed}, {"penalty": penalty, "allowed": allowed}):
        frames, costs = index.search(queries, **options)
        for query, frame, cost in zip(queries, frames, costs, strict=True):
            total = costs_of(features, query) + options.get("penalty", 0)
            total = np.where(valid & options.get("allowed", True), total, np.inf)
            assert total[frame] == pytest.approx(total.min(), rel=1e-4, abs=2e-4)
            assert cost == pytest.approx(total[frame], rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_nothing_allowed_finds_nothing(back_end, features, queries):
    frames, costs = back_end.build(features).search(queries[:2], allowed=np.zeros(len(features), bool))
    assert frames.tolist() == [-1, -1]
    assert np.isinf(costs).all()


@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_wrong_use_is_one_clear_line(back_end, features):
    with pytest.raises(ControlError, match="none of 5000 frames can be searched"):
        back_end.build(features, np.zeros(len(features), bool))
    with pytest.raises(ControlError, match=r"valid needs one value for each of 5000 frames, not \[3\]"):
        back_end.build(features, np.ones(3, bool))
    with pytest.raises(ControlError, match=r"vectors \[N, D\]"):
        back_end.build(features[0])
    with pytest.raises(ControlError, match="a query must have 27 numbers"):
        back_end.build(features).search(np.zeros(26, np.float32))


@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_wrong_options_are_refused(back_end, features, queries):
    index = back_end.build(features)
    with pytest.raises(ControlError, match="allowed needs one value for each of 5000 frames"):
        index.search(queries, allowed=np.ones(3, bool))
    with pytest.raises(ControlError, match="must not be negative"):
        index.search(queries, penalty=np.full(5000, -1, np.float32))


def test_torch_tensors(features, queries):
    torch = pytest.importorskip("torch")
    expected = GemmIndex.build(features).search(queries)
    index = GemmIndex.build(torch.from_numpy(features))
    allowed = np.ones(len(features), bool)
    for found in (index.search(torch.from_numpy(queries)), index.search(torch.from_numpy(queries), allowed=allowed)):
        np.testing.assert_array_equal(found[0], expected[0])
        np.testing.assert_allclose(found[1], expected[1], rtol=1e-4, atol=1e-6)


def test_frames_near_clip_ends_are_marked():
    assert valid_until_end([3, 1, 4], 2).tolist() == [True, False, False, False, True, True, False, False]
    assert valid_until_end([3, 1], 0).all()
