"""Camera uniforms of shaders."""

from __future__ import annotations

from typing import Any

import numpy as np

from kinema.arrays import Floats, Singles
from kinema.rendering.camera import Camera


def lens_uniforms(camera: Camera, aspect: float) -> dict[str, Any]:
    """Uniforms of `lens.glsl`: eye, axes scaled to half the picture (one metre ahead), near and far."""
    half = camera.half_height
    flat = 0.0 if camera.height is None else 1.0
    return {
        "eye": tuple(np.asarray(camera.position, float).tolist()),
        "ahead": tuple(camera.ahead.tolist()),
        "span_right": tuple((-camera.left * half * aspect).tolist()),
        "span_up": tuple((camera.up * half).tolist()),
        "depths": (camera.near, camera.far, flat, 0.0),
        "orthographic": flat,
    }


def view_projection(camera: Camera, aspect: float) -> Floats:
    """`[4, 4]`, world to clip space."""
    return camera.projection_matrix(aspect) @ camera.view_matrix()


def metres(depth: Singles, camera: Camera) -> Singles:
    """Metres ahead from values of the depth buffer, any shape; inf at the far plane."""
    z = np.asarray(depth, np.float64)
    near, far = camera.near, camera.far
    ahead = near * far / (far - z * (far - near)) if camera.height is None else near + z * (far - near)
    return np.where(depth >= 1.0, np.inf, ahead).astype(np.float32)
