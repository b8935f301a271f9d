"""A node's matrix against the product it is defined by; scale handed down in three ways."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinema import rotations
from kinema.formats.fbx.transform import COMPENSATED, COMPONENTWISE, ORDERS, PARTS, PLAIN, euler_matrix, globally, local


def four(linear: np.ndarray | None = None, place: np.ndarray | None = None) -> np.ndarray:
    result = np.eye(4)
    if linear is not None:
        result[:3, :3] = linear
    if place is not None:
        result[:3, 3] = place
    return result


@pytest.mark.parametrize("order", range(6))
def test_rotation_orders_name_the_axis_that_turns_first(order: int):
    angles = np.array([[10.0, -40.0, 200.0], [0, 90, 5]])
    axes = [ORDERS[order].index(axis) for axis in "XYZ"]
    assert sorted(axes) == [0, 1, 2]
    letters = ORDERS[order][::-1]
    columns = ["XYZ".index(axis) for axis in letters]
    expected = rotations.to_matrix(rotations.from_euler(np.radians(angles)[:, columns], letters))
    np.testing.assert_allclose(euler_matrix(angles, order), expected, atol=1e-12)


@given(st.integers(0, 10_000))
def test_the_product_of_pivots_offsets_and_rotations(seed: int):
    rng = np.random.default_rng(seed)
    parts = {name: rng.normal(size=3) * (100 if name.endswith("Rotation") else 3) for name in PARTS}
    if seed % 3 == 0:  # parts that are left out have no effect
        for name in rng.choice(list(PARTS), 4, replace=False):
            parts[name] = np.full(3, PARTS[name])
    order = seed % 6
    spin, sp, rp = euler_matrix(parts["Lcl Rotation"], order), parts["ScalingPivot"], parts["RotationPivot"]
    before, after = euler_matrix(parts["PreRotation"]), euler_matrix(parts["PostRotation"])
    expected = (
        four(place=parts["Lcl Translation"])
        @ four(place=parts["RotationOffset"])
        @ four(place=rp)
        @ four(before)
        @ four(spin)
        @ np.linalg.inv(four(after))
        @ four(place=-rp)
        @ four(place=parts["ScalingOffset"])
        @ four(place=sp)
        @ four(np.diag(parts["Lcl Scaling"]))
        @ four(place=-sp)
    )
    given_parts = {name: value for name, value in parts.items() if (value != PARTS[name]).any()}
    np.testing.assert_allclose(local(given_parts, order).matrix(), expected, atol=1e-9)


def test_frames_are_one_call():
    rng = np.random.default_rng(2)
    moving = {"Lcl Rotation": rng.normal(size=(9, 3)) * 50, "ScalingPivot": np.ones(3), "Lcl Scaling": np.full(3, 2.0)}
    whole = local(moving, 3).matrix()
    for frame in range(9):
        one = local({**moving, "Lcl Rotation": moving["Lcl Rotation"][frame]}, 3).matrix()
        np.testing.assert_allclose(whole[frame], one, atol=1e-12)


def parent_and_child(inherit: int) -> tuple[np.ndarray, np.ndarray]:
    above = local({"Lcl Scaling": np.array([2.0, 1, 1]), "Lcl Translation": np.array([0, 5.0, 0])})
    parent = globally(above, None, PLAIN)
    own = local({"Lcl Rotation": np.array([0, 0, 90.0]), "Lcl Translation": np.array([1.0, 0, 0])})
    child = globally(own, parent, inherit)
    return child.linear, child.position


def test_inherited_scale():
    turned = euler_matrix(np.array([0, 0, 90.0]))
    for inherit, linear in (
        (PLAIN, np.diag([2.0, 1, 1]) @ turned),
        (COMPONENTWISE, turned @ np.diag([2.0, 1, 1])),
        (COMPENSATED, turned),
    ):
        found, position = parent_and_child(inherit)
        np.testing.assert_allclose(found, linear, atol=1e-12)
        np.testing.assert_allclose(position, [2, 5, 0], atol=1e-12)  # the origin goes with the parent's scale


def test_compensation_takes_off_the_parents_own_scale_only():
    top = globally(local({"Lcl Scaling": np.full(3, 3.0)}), None, PLAIN)
    middle = globally(local({"Lcl Scaling": np.full(3, 5.0)}), top, PLAIN)
    np.testing.assert_allclose(globally(local({}), middle, COMPENSATED).linear, np.eye(3) * 3)
    flat = globally(local({"Lcl Scaling": np.zeros(3)}), top, PLAIN)  # no division by a scale of zero
    np.testing.assert_allclose(globally(local({}), flat, COMPENSATED).linear, np.eye(3) * 3)
