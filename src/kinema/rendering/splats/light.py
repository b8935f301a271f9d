"""The light of a captured scene, as pictures take it."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from kinema.arrays import Floats
from kinema.rendering.view import Color, Sky, Sun
from kinema.worlds.gaussians import GaussianScene
from kinema.worlds.lighting import estimate_light

_UP, _LUMINANCE = np.asarray([[0.0, 1.0, 0.0]]), np.asarray([0.2126, 0.7152, 0.0722])

_FOUND: WeakKeyDictionary[GaussianScene, tuple[Sun, Sky]] = WeakKeyDictionary()


def light_of(scene: GaussianScene) -> tuple[Sun, Sky]:
    """A sun and a sky that light bodies as the scene was lit; it is worked out once.

    How bright that was cannot be told from how dark the scene is. Captures are exposed so that a white surface in the
    open is just white, so that is what it is here. Where nothing can be told, sun and sky are the usual ones.
    """
    found = _FOUND.get(scene)
    if found is None:
        light = estimate_light(scene)
        white = float(light.irradiance(_UP)[0] @ _LUMINANCE)
        if white > 0:
            # A surface of albedo 1 sends a share of 1 / pi of the light that falls on it toward the eye.
            sun = Sun(_color(light.toward), _color(light.sun), float(np.pi) / white, shadows=light.sun_share > 0)
            found = sun, Sky(_color(light.above), _color(light.side), _color(light.below), 1.0 / white)
        else:
            found = Sun(), Sky()
        _FOUND[scene] = found
    return found


def _color(values: Floats) -> Color:
    red, green, blue = (float(value) for value in values)
    return red, green, blue
