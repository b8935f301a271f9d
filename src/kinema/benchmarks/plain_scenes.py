"""Pictures of Gaussian scenes and samples of them in plain NumPy: yardsticks of the suite `scenes`."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from kinema.arrays import Floats, Ints, Singles
from kinema.rendering.camera import Camera
from kinema.rendering.splats.kernels import ENOUGH, LEAST, LOW_PASS, MOST
from kinema.worlds.gaussians import GaussianScene
from kinema.worlds.sampling import STEPS


def picture(scene: GaussianScene, camera: Camera, width: int, height: int) -> Singles:
    """Colours `[H, W, 3]` over black of a perspective picture: all are projected at once and blended one by one."""
    axes = np.stack([-camera.left, -camera.up, camera.ahead])
    seen = (scene.means - camera.position) @ axes.T
    kept = np.flatnonzero((seen[:, 2] >= camera.near) & (scene.opacities >= LEAST))
    seen, scene = seen[kept], scene.taken(kept)
    scale, half = height / 2.0 / camera.half_height, np.asarray([width, height]) / 2.0
    lean = np.clip(seen[:, :2] / seen[:, 2:], -1.3 * half / scale, 1.3 * half / scale)
    jacobian = scale / seen[:, 2, None, None] * (axes[None, :2] - lean[..., None] * axes[2])
    spread = jacobian @ scene.covariances() @ jacobian.transpose(0, 2, 1) + LOW_PASS * np.eye(2)
    pixel = half + scale * seen[:, :2] / seen[:, 2:]
    opacity, inverse, colour = scene.opacities, np.linalg.inv(spread), scene.colours.clip(0.0)
    reach = np.sqrt(2.0 * np.log(opacity / LEAST))[:, None] * np.sqrt(spread[:, [0, 1], [0, 1]])
    low = np.clip(np.ceil(pixel - reach - 0.5), 0, (width, height)).astype(int)
    high = np.clip(np.floor(pixel + reach - 0.5) + 1, 0, (width, height)).astype(int)
    light, clear = np.zeros((height, width, 3), np.float32), np.ones((height, width), np.float32)
    inside = np.flatnonzero((low < high).all(axis=1))
    for n in inside[np.argsort(seen[inside, 2], kind="stable")]:
        (left, top), (right, bottom) = low[n], high[n]
        here = clear[top:bottom, left:right]
        if here.max() < ENOUGH:
            continue
        dx = np.arange(left, right) + 0.5 - pixel[n, 0]
        dy = (np.arange(top, bottom) + 0.5 - pixel[n, 1])[:, None]
        (a, b), (_, c) = inverse[n]
        share = np.minimum(opacity[n] * np.exp(-0.5 * (a * dx * dx + 2.0 * b * dx * dy + c * dy * dy)), MOST)
        share = np.where((share >= LEAST) & (here >= ENOUGH), share, 0.0)
        light[top:bottom, left:right] += (here * share)[..., None] * colour[n]
        here *= 1.0 - share
    return light


def samples(means: Floats, axes: Floats, counts: Ints, shift: Floats) -> tuple[Ints, Floats]:
    """The Gaussian `[S]` and the place `[S, 3]` of all samples; see `kinema.worlds.sampling.sample`."""
    of = np.repeat(np.arange(len(means)), counts)
    turn = np.arange(len(of)) - np.repeat(np.cumsum(counts) - counts, counts)
    away = ndtri(0.01 + 0.98 * ((turn[:, None] * STEPS + shift[of]) % 1.0))
    return of, means[of] + np.einsum("nij,nj->ni", axes[of], away)


def in_voxels(numbers: Ints, weights: list[Floats]) -> tuple[Ints, Floats]:
    """Sorted numbers of voxels `[V]` and sums of each weight in them `[V, W]`, from numbers and weights of samples."""
    found, at = np.unique(numbers, return_inverse=True)
    sums = [np.bincount(at, each, len(found)).astype(np.float64) for each in weights]
    return found, np.stack(sums, axis=-1)
