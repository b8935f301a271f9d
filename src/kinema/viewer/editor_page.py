"""The motion editor of the page: passes its orders to the session's editor and sends it the state.

A page sends *orders*, one small JSON object each, and draws the state it receives, so all browsers show the same.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.mocap.edits import EditedClip, EditError, Label, Piece
from kinema.session.clips import ClipSession
from kinema.session.editor import Span
from kinema.viewer.channel import Channel

WORST = 6
"""Number of joint pairs in a mirror report."""

Order = Mapping[str, Any]


class EditorPage:
    """Connects the editor of a session with the pages."""

    def __init__(self, session: ClipSession, channel: Channel) -> None:
        self._session, self._channel = session, channel
        self._sent: tuple[int, EditedClip | None, bool] = -1, None, False
        self._curves: EditedClip | None = None

    def obey(self, order: Order) -> None:
        """Carry out an order.

        Raises:
            EditError: the order is unknown, or one of its fields is invalid.
        """
        act = ORDERS.get(order["do"])
        if act is None:
            raise EditError(f"there is no order {order['do']!r:.40}")
        act(self._session, order)

    def send(self) -> None:
        """Send the playhead, and the state if it changed."""
        session, editor, head = self._session, self._session.editor, self._session.playhead
        moment = {"frame": head.time * head.fps, "playing": head.playing, "speed": head.speed, "fps": head.fps}
        self._channel.send({"time": moment})
        now = editor.version, editor.clip, editor.on
        if now == self._sent:
            return
        self._sent = now
        if editor.on and editor.clip is not None and editor.clip is not self._curves:
            self._curves = editor.clip
            self._channel.publish("curves", {"curves": curves(editor.clip)})
        compared = editor.on and editor.ghost != "off" and editor.clip is not None
        self._channel.publish("mirror", {"mirror": mirror_report(editor.clip) if compared and editor.clip else None})
        self._channel.publish("state", {"state": state(session)})


ORDERS: dict[str, Callable[[ClipSession, Order], object]] = {
    "edit": lambda session, order: session.set_editing(bool(order.get("on", not session.editor.on))),
    "seek": lambda session, order: session.seek(frame_of(order, "frame")),
    "play": lambda session, order: session.toggle_play(),
    "select": lambda session, order: session.editor.select(None if order.get("start") is None else span_of(order)),
    "mark": lambda session, order: session.editor.mark(frame_of(order, "frame"), bool(order.get("end"))),
    "keep": lambda session, order: session.editor.keep(_given(order), text_of(order, "name")),
    "drop": lambda session, order: session.editor.drop(_given(order)),
    "split": lambda session, order: session.editor.split(frame_of(order, "frame")),
    "keep_all": lambda session, order: session.editor.keep_all(),
    "reshape": lambda session, order: session.editor.reshape(
        Piece(*old_of(order, 1)), Piece(*span_of(order), text_of(order, "name")), group_of(order)
    ),
    "label": lambda session, order: session.editor.label(span_of(order), text_of(order, "tag"), text_of(order, "text")),
    "relabel": lambda session, order: session.editor.relabel(
        Label(*old_of(order, 2)), Label(*span_of(order), text_of(order, "tag"), text_of(order, "text")), group_of(order)
    ),
    "unlabel": lambda session, order: session.editor.unlabel(Label(*old_of(order, 2))),
    "paint": lambda session, order: session.editor.paint(
        text_of(order, "point"), span_of(order), bool(order.get("on", True)), group_of(order)
    ),
    "detect": lambda session, order: session.editor.detect(
        number_of(order, "speed", 0.01, 5.0),
        number_of(order, "height", 0.001, 1.0),
        number_of(order, "shortest", 0.0, 2.0),
        group_of(order),
    ),
    "auto": lambda session, order: session.editor.forget_contacts(),
    "mirror": lambda session, order: session.editor.set_mirror(bool(order.get("on"))),
    "partner": lambda session, order: session.editor.set_partner(text_of(order, "joint"), text_of(order, "partner")),
    "ghost": lambda session, order: session.editor.show_ghost(text_of(order, "mode")),
    "undo": lambda session, order: session.editor.undo(),
    "redo": lambda session, order: session.editor.redo(),
    "save": lambda session, order: session.editor.save(),
}
"""Orders by the field `do`."""


def state(session: ClipSession) -> dict[str, Any]:
    """The state for the page; contacts are flat lists `start, stop, start, ...`."""
    editor = session.editor
    title = "" if session.shown is None else session.shown.clip.title
    found: dict[str, Any] = {"on": editor.on, "title": title, "reason": editor.reason, "clip": False}
    clip, file = editor.clip, editor.file
    if clip is None or file is None:
        return found
    edits, spans = clip.edits, clip.contacts()
    return found | {
        "clip": True,
        "selection": editor.selection,
        "ghost": editor.ghost,
        "dirty": file.dirty,
        "path": str(file.path or ""),
        "changed": file.changed,
        "lost": list(file.lost),
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
        "undo": clip.history.undo_name,
        "redo": clip.history.redo_name,
    }


def curves(clip: EditedClip) -> dict[str, Any]:
    """Heights and speeds of the contact points, the top values of their lanes (metres, m/s), and the gait phase.

    The phase comes with its confidence; it is null for a body without a left and a right foot.
    """
    feet = clip.feet
    gait = None if feet.sides is None else {"phase": _packed(feet.phases.gait), "sure": _packed(feet.phases.confidence)}
    highest, fastest = _top(feet.heights, 0.15), _top(feet.speeds, 1.0)
    return {
        "points": feet.points,
        "highest": highest,
        "fastest": fastest,
        "heights": [_packed(column / highest) for column in feet.heights.T],
        "speeds": [_packed(column / fastest) for column in feet.speeds.T],
        "gait": gait,
    }


def mirror_report(clip: EditedClip) -> dict[str, Any]:
    """Distance of the clip from its mirror image, and the joint pairs that differ most; metres."""
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
    """The top value of a lane: above nearly all values."""
    return max(least, 1.1 * float(np.percentile(values, 99.0)))


def _packed(values: NDArray[np.float32]) -> str:
    """Values from 0 to 1 as bytes in base64."""
    return base64.b64encode((np.clip(values, 0.0, 1.0) * 255).astype(np.uint8).tobytes()).decode("ascii")


def frame_of(order: Order, key: str) -> int:
    """The frame in a field. Like all functions below, raises EditError for other values."""
    value = order.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e9:
        raise EditError(f"{key} must be a frame, not {value!r:.40}")
    return round(value)


def span_of(order: Order) -> Span:
    """The fields `start` and `stop`."""
    return frame_of(order, "start"), frame_of(order, "stop")


def _given(order: Order) -> Span | None:
    """The span of an order; None if it has none."""
    return span_of(order) if "start" in order else None


def group_of(order: Order) -> str | None:
    """The drag that an order belongs to."""
    return text_of(order, "group") or None


def number_of(order: Order, key: str, low: float, high: float) -> float:
    """A number in a range."""
    value = order.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise EditError(f"{key} must be a number of {low:g} to {high:g}, not {value!r:.40}")
    return float(value)


def text_of(order: Order, key: str) -> str:
    """Text without surrounding space; empty if there is none."""
    value = order.get(key) or ""
    if not isinstance(value, str):
        raise EditError(f"{key} must be text, not {value!r:.40}")
    return value.strip()


def old_of(order: Order, texts: int) -> tuple[Any, ...]:
    """The old value of the mark that an order changes: its frames and `texts` texts."""
    value = order.get("old")
    if not (isinstance(value, list) and len(value) == 2 + texts and all(isinstance(one, str) for one in value[2:])):
        raise EditError(f"old must be the old value of a mark, not {value!r:.40}")
    return (frame_of({"start": value[0]}, "start"), frame_of({"stop": value[1]}, "stop"), *value[2:])
