"""Animated properties of a take at all frames, its layers blended with each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.formats.fbx.takes import ADDITIVE, PASSTHROUGH, AnimatedProperty, AnimationLayer
from kinema.formats.fbx.transform import ORDERS

Array = NDArray[np.float64]


def blend(
    layers: list[tuple[AnimationLayer, AnimatedProperty]],
    base: AnimationLayer,
    name: str,
    own: list[float],
    times: Array,
    order: int = 0,
) -> Array:
    """Values `[F, C]` of a property in all layers that animate it.

    Args:
        base: the first layer of the take, which has nothing below it.
        own: `C` numbers, the object's own.
        order: rotation order of the object.
    """
    value = np.broadcast_to(np.asarray(own, dtype=np.float64), (len(times), len(own)))
    for layer, animated in layers:
        given = animated.evaluate(times, own)
        value = given if layer is base else _over(value, given, layer, name, order, times)
    return value


def _over(below: Array, given: Array, layer: AnimationLayer, name: str, order: int, times: Array) -> Array:
    """A layer's values `[F, C]` over those of the layers below."""
    if layer.mode not in (ADDITIVE, PASSTHROUGH):
        return given
    weight = layer.weights(times)[:, None]
    additive = layer.mode == ADDITIVE
    if name == "Lcl Rotation" and layer.blends_rotations:
        return _rotation_over(below, given, weight[:, 0], additive, order)
    if name == "Lcl Scaling" and layer.multiplies_scales:
        return (below if additive else _power(below, 1 - weight)) * _power(given, weight)
    return below + given * weight if additive else below * (1 - weight) + given * weight


def _rotation_over(below: Array, given: Array, weight: Array, additive: bool, order: int) -> Array:
    """The same for Euler angles `[F, 3]` in degrees, blended as rotations."""
    letters = ORDERS[order][::-1]  # the last to rotate is the outermost
    columns = ["XYZ".index(axis) for axis in letters]
    first, second = (rotations.from_euler(np.radians(degrees)[:, columns], letters) for degrees in (below, given))
    start = np.broadcast_to([1.0, 0.0, 0.0, 0.0], second.shape) if additive else first
    part = rotations.slerp(start, second, weight)
    whole = rotations.multiply(first, part) if additive else part
    return np.degrees(rotations.to_euler(whole, letters))[:, np.argsort(columns)]


def _power(base: Array, exponent: Array) -> Array:
    return np.sign(base) * np.abs(base) ** exponent
