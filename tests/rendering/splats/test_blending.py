from __future__ import annotations

import numpy as np

from kinema.rendering.splats import blending, seeing
from kinema.rendering.splats.kernels import ENOUGH, LEAST, MOST

HEIGHT, WIDTH = 11, 13


def rows(count: int) -> np.ndarray:
    """Round Gaussians anywhere in the picture, at depths with many equals."""
    rng = np.random.default_rng(0)
    seen = np.zeros((count, seeing.WIDTH), np.float32)
    seen[:, :2], seen[:, 2] = rng.uniform(-1, 14, (count, 2)), np.sort(rng.integers(4, 20, count))
    seen[:, 3:5], seen[:, 8] = rng.normal(0, 0.05, (count, 2)), rng.uniform(0.1, 0.999, count)
    spread = rng.uniform(0.6, 3, count)
    seen[:, 5] = seen[:, 7] = 1 / spread**2
    seen[:, 11] = np.log(seen[:, 8] / LEAST)
    seen[:, 9] = seen[:, 10] = spread * np.sqrt(2 * seen[:, 11])
    seen[:, 12:15] = rng.uniform(0, 1, (count, 3))
    return seen


def blend(seen: np.ndarray, parts: int, limit: np.ndarray, background: np.ndarray) -> list[np.ndarray]:
    """Every Gaussian is in the list of every tile; `parts` share them in turn."""
    lists, begins, ends = [], np.zeros((2, 2, parts), np.int64), np.zeros((2, 2, parts), np.int64)
    for row, column, part in np.ndindex(2, 2, parts):
        begins[row, column, part] = len(lists)
        lists += range(part * len(seen) // parts, (part + 1) * len(seen) // parts)
        ends[row, column, part] = len(lists)
    out = [np.full((HEIGHT, WIDTH, 4), 9, np.float32), np.full((HEIGHT, WIDTH), 9, np.float32)]
    out.append(np.full((HEIGHT, WIDTH), 9, np.int32))
    who = np.arange(len(seen), dtype=np.int32) + 100
    blending.blend(begins, ends, np.asarray(lists, np.int32), seen, who, 0, 4, False, limit, background, *out)
    return [out[0][..., :3], out[0][..., 3], *out[1:]]


def by_hand(seen: np.ndarray, limit: np.ndarray, background: np.ndarray) -> list[np.ndarray]:
    y, x = np.mgrid[:HEIGHT, :WIDTH] + 0.5
    light, far, clear = np.zeros((HEIGHT, WIDTH, 3)), np.zeros((HEIGHT, WIDTH)), np.ones((HEIGHT, WIDTH))
    most, owner = np.zeros((HEIGHT, WIDTH)), np.full((HEIGHT, WIDTH), -1)
    for n, row in enumerate(seen.astype(np.float64)):
        dx, dy = x - row[0], y - row[1]
        power = 0.5 * row[5] * (dx**2 + dy**2)
        z = row[2] / np.maximum(1 - (row[3] * dx + row[4] * dy) / row[2], 0.1)
        share = np.where(
            (power <= row[11]) & (z <= limit) & (clear >= ENOUGH), np.minimum(row[8] * np.exp(-power), MOST), 0
        )
        weight = clear * share
        light += weight[..., None] * row[12:15]
        far += weight * z
        owner, most = np.where(weight > most, n + 100, owner), np.maximum(most, weight)
        clear *= 1 - share
    with np.errstate(invalid="ignore"):
        depth = np.where(owner >= 0, far / (1 - clear), np.inf)
    return [light + clear[..., None] * background, 1 - clear, depth, owner]


def test_it_is_what_the_sums_say_with_a_limit_and_a_background() -> None:
    rng = np.random.default_rng(1)
    limit = rng.uniform(3, 25, (HEIGHT, WIDTH)).astype(np.float32)
    background = rng.uniform(0, 1, (HEIGHT, WIDTH, 3)).astype(np.float32)
    seen = rows(60)
    found, expected = blend(seen, 1, limit, background), by_hand(seen, limit, background)
    for mine, theirs in zip(found[:3], expected[:3], strict=True):
        np.testing.assert_allclose(mine, theirs, atol=2e-5, rtol=2e-5)
    assert (found[3] == expected[3]).mean() > 0.99 and (found[3] == -1).any() and (found[1] > 0.9).any()


def test_parts_are_merged_by_depth_and_equal_ones_stay_in_order() -> None:
    seen = rows(90)
    shuffled = np.concatenate([seen[0::3], seen[1::3], seen[2::3]])  # three parts, each sorted
    stable = shuffled[np.argsort(shuffled[:, 2], kind="stable")]
    everywhere, black = np.full((1, 1), np.inf, np.float32), np.zeros((1, 1, 3), np.float32)
    one, three = blend(stable, 1, everywhere, black), blend(shuffled, 3, everywhere, black)
    for mine, theirs in zip(one[:3], three[:3], strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_blending_ends_where_nothing_comes_through() -> None:
    seen = np.repeat(rows(1), 40, axis=0)
    seen[:, :2], seen[:, 5], seen[:, 7], seen[:, 8:12] = (6, 6), 1e-6, 1e-6, (0.999, 99, 99, np.log(0.999 / LEAST))
    seen[8:, 12:15] = 50.0  # behind what is opaque
    light, alpha, _, owner = blend(seen, 1, np.full((1, 1), np.inf, np.float32), np.zeros((1, 1, 3), np.float32))
    assert light.max() <= 1.0 and alpha.min() > 1 - 1.5 * ENOUGH and (owner == 100).all()
