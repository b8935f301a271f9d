"""Cameras in a `transforms.json` of nerfstudio, instant-ngp or NeRF's own data: Z is up, and cameras look along -Z.

T. Müller et al., "Instant Neural Graphics Primitives", 2022; M. Tancik et al., "Nerfstudio", 2023.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from kinema.arrays import Floats
from kinema.errors import FormatError, one_line
from kinema.formats.checks import require
from kinema.rendering.reconstruction.shots import CameraModel, PosedPicture, placed

TO_Y_UP = np.asarray([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
"""From axes with Z up to Kinema's, for column vectors."""

_MODELS = ("PINHOLE", "SIMPLE_PINHOLE", "SIMPLE_RADIAL", "RADIAL", "OPENCV")
_MOST = 100_000


@dataclass(frozen=True, eq=False)
class Transforms:
    """What a file says: shots, and the name of a PLY file of points, or None."""

    shots: list[PosedPicture]
    points: str | None


def read(data: bytes) -> Transforms:
    """The cameras of a file.

    Raises:
        FormatError: it is no JSON, has no frames, or a camera that is not read.
    """
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError):
        raise FormatError("is no JSON, or was cut") from None
    frames = whole.get("frames") if isinstance(whole, dict) else None
    if not isinstance(frames, list) or not 0 < len(frames) <= _MOST:
        raise FormatError("has no list of 'frames', each with a 'file_path' and a 'transform_matrix'")
    shots = [_shot(whole, frame, f"frames[{number}]") for number, frame in enumerate(frames)]
    points = whole.get("ply_file_path")
    return Transforms(shots, points if isinstance(points, str) else None)


def _shot(whole: Mapping[str, Any], frame: Any, node: str) -> PosedPicture:
    require(isinstance(frame, dict) and isinstance(frame.get("file_path"), str), "has no 'file_path'", node=node)
    try:
        matrix = np.asarray(frame.get("transform_matrix"), np.float64)
    except (ValueError, TypeError, OverflowError):
        matrix = np.zeros(0)
    require(matrix.shape in ((4, 4), (3, 4)), "has a 'transform_matrix' that is not four by four numbers", node=node)
    model = _model({**whole, **frame}, node)
    right, up, back = matrix[:3, :3].T
    axes: Floats = np.stack([right, -up, -back]) @ TO_Y_UP.T
    return placed(frame["file_path"], model, TO_Y_UP @ matrix[:3, 3], axes, node)


def _model(said: Mapping[str, Any], node: str) -> CameraModel:
    name = said.get("camera_model", "OPENCV")
    if name not in _MODELS or said.get("is_fisheye") is True:
        raise FormatError(
            f"has a lens of the model {one_line(str(name))[:40]!r}; {', '.join(_MODELS)} are read", node=node
        )
    require(not any(_number(said, key, node) for key in ("k3", "k4")), "has a distortion k3 or k4", node=node)
    width, height = _number(said, "w", node), _number(said, "h", node)
    across = _number(said, "fl_x", node)
    down = _number(said, "fl_y", node) or across
    middle = (_number(said, "cx", node), _number(said, "cy", node))
    k1, k2, p1, p2 = (_number(said, key, node) for key in ("k1", "k2", "p1", "p2"))
    model = CameraModel(
        (round(width), round(height)) if width and height else None,
        (across, down) if across else None,
        middle if any(middle) else None,
        (k1, k2, p1, p2),
        _number(said, "camera_angle_x", node),
    )
    model.check(node)
    return model


def _number(said: Mapping[str, Any], key: str, node: str) -> float:
    """A number; 0 if it is not there."""
    value = said.get(key, 0.0)
    good = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9
    require(good, f"has a {key!r} that is no number", node=node)
    return float(value)
