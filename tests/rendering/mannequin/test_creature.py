"""Flesh for creatures."""

import numpy as np
import pytest

from kinema import Skeleton
from kinema.rendering.mannequin import creature
from kinema.rendering.mannequin.pieces import Clay
from kinema.rendering.mannequin.tree import flesh


def modelled(skeleton: Skeleton) -> tuple[Clay, np.ndarray]:
    clay = Clay()
    creature.model(clay, skeleton, flesh(skeleton.rest_pose))
    return clay, np.array(clay.rows)


def test_a_snake_is_thick_in_its_middle_and_ends_in_a_point():
    count = 30
    snake = Skeleton.create([f"s{k}" for k in range(count)], [*range(-1, count - 1)], [[0, 0, -0.05]] * count)
    _, rows = modelled(snake)
    thick = rows[:, 15:20].mean(axis=1)[np.argsort(rows[:, 2])]  # from the tail forward
    middle = thick[len(thick) // 2]
    assert thick[0] < 0.3 * middle and 0.4 * middle < thick[-1] < 0.95 * middle
    assert 0.01 < middle < 0.08
    assert rows[:, 15:20] == pytest.approx(rows[:, 20:25])


def test_wings_are_flat_and_legs_are_not():
    rows = [("hips", None, (0, 0.5, 0)), ("spine", "hips", (0, 0, 0.2)), ("head", "spine", (0, 0.1, 0.1))]
    for side, sign in (("L", 1), ("R", -1)):
        rows += [
            (f"wing1_{side}", "spine", (0.08 * sign, 0, 0)),
            (f"wing2_{side}", f"wing1_{side}", (0.4 * sign, 0, 0)),
            (f"leg1_{side}", "hips", (0.07 * sign, 0, 0)),
            (f"leg2_{side}", f"leg1_{side}", (0, -0.4, 0)),
        ]
    names = [name for name, _, _ in rows]
    bird = Skeleton.create(names, [-1 if p is None else names.index(p) for _, p, _ in rows], [o for _, _, o in rows])
    clay, pieces = modelled(bird)
    for piece, joint in enumerate(clay.joints):
        flat = pieces[piece, 15:20].mean() / pieces[piece, 20:25].mean()
        if bird.names[joint].startswith("wing1"):
            assert flat > 2.5
            assert abs(pieces[piece, 5]) > 0.9  # broad from front to back
        if bird.names[joint].startswith("leg1"):
            assert flat < 1.6


def test_limbs_side_by_side_are_thinner_than_half_their_distance():
    count, names, parents, offsets = 6, ["palm"], [-1], [[0.0, 0, 0]]
    for k in range(count):
        names += [f"f{k}a", f"f{k}b"]
        parents += [0, 1 + 2 * k]
        offsets += [[0.05 * k, 0, 0.3], [0, 0, 0.6]]
    comb = Skeleton.create(names, parents, offsets)
    clay, rows = modelled(comb)
    far = [k for k, joint in enumerate(clay.joints) if comb.names[joint].endswith("a")]
    assert max(float(rows[k, 15:20].max()) for k in far) < 0.06
