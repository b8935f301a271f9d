"""Which moments of a motion to show together, and from where."""

from __future__ import annotations

import numpy as np

from kinema import rotations
from kinema.arrays import Reals
from kinema.rendering.camera import Camera
from kinema.rendering.fitting import Margins, frame_points

MOST_FIGURES = 9
MARGINS = Margins(left=0.04, right=0.04, top=0.05, bottom=0.10)
"""Shares of the picture that stay free, so that figures keep clear of its faded borders."""

_ELEVATION, _FOV = 0.34, 0.55  # how far the camera looks down and its vertical angle of view, radians
_OLDEST = 0.45  # opacity of the first figure
_VIEWS = 32
_FACING = 0.7  # the best cosine between the figures' facing and the view: a three-quarter view


def moments(roots: Reals, camera: Camera, height: float, fps: float) -> list[tuple[int, float]]:
    """Frames whose figures stand well apart in a view, and the opacity of each; in order of time.

    The last frame is always chosen; then always the frame farthest from all chosen ones (Gonzalez 1985), while that
    leaves room for a body between them.

    Args:
        roots: `[F, 3]`, metres.
        height: height of the character, metres.
    """
    candidates = np.arange(len(roots) - 1, -1, -max(round(0.1 * fps), 1))
    ahead = camera.ahead * [1, 0, 1]
    seen = roots[candidates] @ np.stack([camera.left, 0.75 * ahead / np.linalg.norm(ahead)], axis=1)
    chosen, away = [0], np.linalg.norm(seen - seen[0], axis=1)
    while len(chosen) < MOST_FIGURES and away.max() > 0.5 * height:
        chosen.append(int(np.argmax(away)))
        away = np.minimum(away, np.linalg.norm(seen - seen[chosen[-1]], axis=1))
    frames = np.sort(candidates[chosen])
    opacities = np.linspace(_OLDEST, 1, len(frames)) if len(frames) > 1 else np.ones(1)
    return list(zip(frames.tolist(), opacities.tolist(), strict=True))


def frame(points: Reals, roots: Reals, headings: Reals, height: float, fps: float, aspect: float) -> Camera:
    """The view in which the figures are large, apart from each other, and show their faces.

    Args:
        points: `[..., 3]`: what must be visible, metres.
        roots: `[F, 3]`: the path on the ground. headings: `[F, 4]`.
        height: height of the character, metres.
        aspect: width over height of the picture.
    """
    points = points.reshape(-1, 3)
    rough = points[:: max(len(points) // 3000, 1)]
    facing = rotations.rotate(headings, np.array([0, 0, 1], np.float32))

    def view(points: Reals, azimuth: float) -> Camera:
        return frame_points(points, azimuth, _ELEVATION, _FOV, aspect, MARGINS)

    def quality(azimuth: float) -> float:
        camera = view(rough, azimuth)
        frames = [frame for frame, _ in moments(roots, camera, height, fps)]
        seen = camera.project(roots[frames], 1000, 1000)
        large = height / (2 * np.tan(_FOV / 2) * seen[:, 2])  # share of the picture's height
        gaps = np.hypot(seen[:, None, 0] - seen[:, 0], 0.5 * (seen[:, None, 1] - seen[:, 1])) + 1e6 * np.eye(len(seen))
        apart = np.minimum(gaps.min(axis=1) / (450 * large), 1)
        toward = -(facing[frames] @ (camera.ahead * [1, 0, 1])).mean()
        return float(np.sqrt(large.mean()) * apart.mean() * (1 - 0.25 * (toward - _FACING) ** 2))

    return view(points, float(max(np.arange(_VIEWS) * (2 * np.pi / _VIEWS), key=quality)))
