"""Transforms as columns."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.engine.components import Transform
from kinema.engine.transform_view import unit
from kinema.engine.transforms import TransformColumns, relative_to
from kinema.errors import WorldError

LEFT = tuple(rotations.from_yaw(np.float32(np.pi / 2)).tolist())


def test_rows_stay_in_order_of_ids_whatever_the_order_of_arrival(rng):
    columns, positions = TransformColumns(), {}
    for entity in rng.permutation(np.arange(1, 60)).tolist():
        positions[entity] = rng.standard_normal(3).astype(np.float32)
        columns.insert(entity, Transform(positions[entity]))
    gone = rng.choice(np.arange(1, 60), 20, replace=False).tolist()
    columns.delete(gone)
    assert columns.ids.tolist() == sorted(set(positions) - set(gone)) and len(columns) == 39
    for entity in columns.ids.tolist():
        np.testing.assert_array_equal(columns.positions[columns.row(entity)], positions[entity])
    np.testing.assert_array_equal(columns.rows(columns.ids[[3, 1]]), [3, 1])
    for lost in (gone[0], 99):
        with pytest.raises(WorldError, match=f"entity {lost} has no Transform"):
            columns.rows(np.array([lost]))
    with pytest.raises(WorldError, match="entity 4 has no Transform"):
        TransformColumns().rows(np.array([4]))


def test_children_follow_through_any_order_of_ids():
    columns = TransformColumns()
    columns.insert(7, Transform((0, 0, 1), LEFT, 2.0))
    columns.insert(3, Transform((0, 0, 1), parent=7))
    columns.insert(5, Transform((1, 0, 0), parent=3))
    columns.propagate()
    np.testing.assert_allclose(columns.global_positions[columns.row(3)], [2, 0, 1], atol=1e-6)
    np.testing.assert_allclose(columns.global_positions[columns.row(5)], [2, 0, -1], atol=1e-6)
    for entity in (3, 5, 7):
        position, rotation, scale = columns.global_of(entity)
        row = columns.row(entity)
        np.testing.assert_allclose(columns.global_positions[row], position, atol=1e-6)
        np.testing.assert_allclose(columns.global_rotations[row], rotation, atol=1e-6)
        assert columns.global_scales[row] == pytest.approx(scale)
    assert columns.children(7) == (3,) and columns.below([3]).tolist() == [3, 5]
    assert columns.below([]).tolist() == []


def test_what_is_new_has_no_past_and_the_rest_has():
    columns = TransformColumns()
    columns.insert(1, Transform((1, 0, 0)))
    columns.propagate()
    columns.positions[0] = 2, 0, 0
    columns.insert(2, Transform((5, 0, 0), parent=1))
    columns.propagate()
    np.testing.assert_allclose(columns.previous_positions, [[1, 0, 0], [7, 0, 0]])
    np.testing.assert_allclose(columns.global_positions, [[2, 0, 0], [7, 0, 0]])


def test_cycles_and_strangers_are_refused_and_change_nothing():
    columns = TransformColumns()
    columns.insert(1, Transform())
    columns.insert(2, Transform(parent=1))
    columns.insert(3, Transform(parent=2))
    for entity, parent, said in (
        (1, 3, "would form a cycle"),
        (2, 2, "would form a cycle"),
        (3, 9, "has no Transform"),
    ):
        with pytest.raises(WorldError, match=said):
            columns.reparent(entity, parent)
    assert columns.parents.tolist() == [0, 1, 2]
    with pytest.raises(WorldError, match="cannot be a child of 9"):
        columns.insert(4, Transform(parent=9))
    assert len(columns) == 3


def test_values_that_are_no_transform_are_refused():
    columns = TransformColumns()
    for wrong in (
        Transform((0, 0)),
        Transform((0, np.inf, 0)),
        Transform(rotation=(0, 0, 0, 0)),
        Transform(scale=0),
        Transform(scale=float("nan")),
        Transform(rotation="up"),
    ):
        with pytest.raises(WorldError, match=r"numbers|quaternion|greater than zero"):
            columns.insert(1, wrong)
    assert len(columns) == 0


def test_unit_quaternions_are_kept_bit_for_bit(rng):
    for _ in range(50):
        q = rotations.normalize(rng.standard_normal(4).astype(np.float32))
        np.testing.assert_array_equal(unit(q), q)
        np.testing.assert_allclose(unit(3 * q), q, atol=1e-6)


def test_relative_places(rng):
    place = rng.standard_normal(3).astype(np.float32)
    turn = rotations.normalize(rng.standard_normal(4)).astype(np.float32)
    columns = TransformColumns()
    columns.insert(1, Transform((1, 2, 3), LEFT, 2.0))
    columns.insert(2, relative_to(columns.global_of(1), place, turn, 3.0, 1))
    position, rotation, scale = columns.global_of(2)
    np.testing.assert_allclose(position, place, atol=1e-5)
    np.testing.assert_allclose(rotation, turn, atol=1e-5)
    assert scale == pytest.approx(3.0)
