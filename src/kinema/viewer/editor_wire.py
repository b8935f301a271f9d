"""What the editor and its page say to each other: how a clip stands, and the fields of an order."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.mocap.edits import ClipSession, EditError

WORST = 6
"""Pairs of joints in a mirror report."""


def clip_state(clip: ClipSession) -> dict[str, Any]:
    """The edits of a clip as the page draws them; contacts as flat lists `start, stop, start, ...`."""
    edits, history, spans = clip.edits, clip.history, clip.contacts()
    return {
        "frames": edits.frames,
        "fps": edits.fps,
        "whole": edits.whole,
        "kept": edits.kept,
        "pieces": [[piece.start, piece.stop, piece.name] for piece in edits.pieces],
        "labels": [[label.start, label.stop, label.tag, label.text] for label in edits.labels],
        "contacts": [[point, [frame for span in spans.get(point, ()) for frame in span]] for point in clip.feet.points],
        "painted": edits.contacts is not None,
        "mirror": edits.mirror,
        "partners": edits.partners,
        "undo": history.undo_name,
        "redo": history.redo_name,
    }


def curves(clip: ClipSession) -> dict[str, Any]:
    """Heights and speeds of the contact points, and what stands for the top of their lanes (metres, m/s)."""
    feet = clip.feet
    highest, fastest = _top(feet.heights, 0.15), _top(feet.speeds, 1.0)
    return {
        "points": feet.points,
        "highest": highest,
        "fastest": fastest,
        "heights": [_packed(column / highest) for column in feet.heights.T],
        "speeds": [_packed(column / fastest) for column in feet.speeds.T],
    }


def mirror_report(clip: ClipSession) -> dict[str, Any]:
    """How far the clip is from its mirror image, with the pairs of joints that differ most; metres."""
    found, names = clip.asymmetry(), clip.motion.skeleton.names
    rows = [
        {
            "joint": names[joint],
            "partner": names[int(found.partner[joint])],
            "place": float(found.place[joint]),
            "reach": float(found.reach[joint]),
            "bones": float(found.bones[joint]),
        }
        for joint in found.worst(WORST)
    ]
    return {"figure": found.figure, "rows": rows, "names": list(names)}


def _top(values: NDArray[np.float32], least: float) -> float:
    """Where a curve's lane ends: a little above nearly all values."""
    return max(least, 1.1 * float(np.percentile(values, 99.0)))


def _packed(values: NDArray[np.float32]) -> str:
    """Values of 0 to 1 as bytes in base64: curves of ten minutes in a tenth of a megabyte."""
    return base64.b64encode((np.clip(values, 0.0, 1.0) * 255).astype(np.uint8).tobytes()).decode("ascii")


def frame_of(order: Mapping[str, Any], key: str) -> int:
    """A frame in a field; EditError when it is none, as with all fields below."""
    value = order.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e9:
        raise EditError(f"{key} must be a frame, not {value!r:.40}")
    return round(value)


def span_of(order: Mapping[str, Any]) -> tuple[int, int]:
    """The fields `start` and `stop`."""
    return frame_of(order, "start"), frame_of(order, "stop")


def number_of(order: Mapping[str, Any], key: str, low: float, high: float) -> float:
    """A number within bounds."""
    value = order.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise EditError(f"{key} must be a number of {low:g} to {high:g}, not {value!r:.40}")
    return float(value)


def text_of(order: Mapping[str, Any], key: str) -> str:
    """Text without space around it; empty where there is none."""
    value = order.get(key) or ""
    if not isinstance(value, str):
        raise EditError(f"{key} must be text, not {value!r:.40}")
    return value.strip()


def old_of(order: Mapping[str, Any], texts: int) -> tuple[Any, ...]:
    """The mark as it was that an order changes: its frames and `texts` texts."""
    value = order.get("old")
    if not (isinstance(value, list) and len(value) == 2 + texts and all(isinstance(one, str) for one in value[2:])):
        raise EditError(f"old must be a mark as it was, not {value!r:.40}")
    return (frame_of({"start": value[0]}, "start"), frame_of({"stop": value[1]}, "stop"), *value[2:])
