"""Which moments of a motion to show together, and from where."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.rendering.sheet.raster import Camera, view_axes

MOST_FIGURES = 9
ELEVATION, FOV = 0.34, 0.55
"""How far the camera looks down and its vertical angle of view, radians."""

_FADED = 0.55  # of the oldest figure
_VIEWS = 32
_TURNED = 0.7  # how far figures best face the camera: 1 straight, 0 across; this is a three-quarter view


def moments(
    roots: NDArray[np.floating], axes: NDArray[np.floating], tall: float, fps: float
) -> list[tuple[int, float]]:
    """Frames whose figures stand well apart in a view, and how far each has faded; in order of time.

    The last frame is always there; then always the frame farthest from all chosen (Gonzalez 1985), while that leaves
    room for a body between them.

    Args:
        roots: `[F, 3]`, metres.
        axes: `[3, 3]` of the view; see `kinema.rendering.sheet.raster.view_axes`.
        tall: height of the character, metres.
    """
    candidates = np.arange(len(roots) - 1, -1, -max(round(0.1 * fps), 1))
    ahead = axes[2] * np.array([1, 0, 1])
    seen = roots[candidates] @ np.stack([axes[0], 0.75 * ahead / np.linalg.norm(ahead)], axis=1)
    chosen, away = [0], np.linalg.norm(seen - seen[0], axis=1)
    while len(chosen) < MOST_FIGURES and away.max() > 0.5 * tall:
        chosen.append(int(np.argmax(away)))
        away = np.minimum(away, np.linalg.norm(seen - seen[chosen[-1]], axis=1))
    frames = np.sort(candidates[chosen])
    fades = np.linspace(_FADED, 0, len(frames)) if len(frames) > 1 else np.zeros(1)
    return list(zip(frames.tolist(), fades.tolist(), strict=True))


def frame(
    bodies: NDArray[np.floating],
    roots: NDArray[np.floating],
    targets: NDArray[np.floating] | None,
    headings: NDArray[np.floating],
    tall: float,
    fps: float,
    aspect: float,
) -> Camera:
    """The view in which the figures are large, apart from each other, and show their faces.

    Args:
        bodies: `[N, P, 3]`: some points of the surface in some frames, metres.
        roots, targets: `[F, 3]`: paths on the ground.
        headings: `[F, 4]`.
        tall: height of the character, metres.
        aspect: width over height of the picture.
    """
    every = bodies.reshape(-1, 3)
    every = np.concatenate([every, roots] if targets is None else [every, roots, targets])
    rough = every[:: max(len(every) // 3000, 1)]
    facing = rotations.rotate(headings, np.array([0, 0, 1], np.float32))

    def fit(points: NDArray[np.floating], azimuth: float) -> Camera:
        axes = view_axes(azimuth, ELEVATION)
        room = [axes[0] * 0.22, -axes[0] * 0.22, axes[1] * 0.10, -axes[1] * 0.14]
        return Camera.fit(
            np.concatenate([points + np.float32(tall) * way for way in room]), azimuth, ELEVATION, FOV, aspect
        )

    def quality(azimuth: float) -> float:
        camera = fit(rough, azimuth)
        frames = [at for at, _ in moments(roots, camera.axes, tall, fps)]
        seen = camera.see(roots[frames], 1000, 1000)
        large = tall / (2 * np.tan(FOV / 2) * seen[:, 2])  # share of the picture's height
        gaps = np.hypot(seen[:, None, 0] - seen[:, 0], 0.5 * (seen[:, None, 1] - seen[:, 1])) + 1e6 * np.eye(len(seen))
        apart = np.minimum(gaps.min(axis=1) / (450 * large), 1)
        toward = -(facing[frames] @ (camera.axes[2] * np.array([1, 0, 1]))).mean()
        return float(np.sqrt(large.mean()) * apart.mean() * (1 - 0.25 * (toward - _TURNED) ** 2))

    views = np.arange(_VIEWS) * (2 * np.pi / _VIEWS)
    return fit(every, float(max(views, key=quality)))
