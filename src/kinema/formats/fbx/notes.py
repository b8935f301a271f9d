"""What our own files say where FBX has no place for it, and how the reader finds it again.

Rate, tags and the names of labels that are yes or no stand on the stack of a motion; labels are properties of the first
root joint that move, which engines show as curves of the animation.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.formats.fbx.document import Document, Id, Object
from kinema.formats.fbx.takes import Take
from kinema.formats.fbx.transform import PARTS

CREATOR = "Kinema"
RATE, TAGS, FLAGS = "KinemaRate", "KinemaTags", "KinemaFlags"
BETWEEN = "\n"  # names and tags in one text


def is_ours(document: Document) -> bool:
    """Whether our writer made the file."""
    return document.root.value("Creator") == CREATOR


def noted_rate(document: Document, take: Take) -> float | None:
    """Frames per second that the motion was written with."""
    stack = _stack(document, take)
    rate = stack.number(RATE, 0.0) if stack is not None else 0.0
    return rate if 1e-3 <= rate <= 1e5 else None


def noted_tags(document: Document, take: Take) -> tuple[str, ...]:
    """Tags of the motion."""
    return _words(_stack(document, take), TAGS)


def noted_labels(document: Document, take: Take, root: Id, times: NDArray[np.float64]) -> dict[str, NDArray[Any]]:
    """Labels `[F]` of the motion by name, at times `[F]` in seconds.

    Args:
        root: id of the first joint's model.
    """
    stack = _stack(document, take)
    if stack is None or not is_ours(document):
        return {}
    flags = set(_words(stack, FLAGS))
    labels: dict[str, NDArray[Any]] = {}
    for layer in take.layers:
        for (owner, name), channel in layer.channels.items():
            if owner == root and name not in PARTS and len(channel.curves) == 1:
                values = channel.evaluate(times, [0.0])[:, 0]
                labels[name] = values > 0.5 if name in flags else values.astype(np.float32)
    return labels


def _stack(document: Document, take: Take) -> Object | None:
    return None if take.id is None else document.objects.get(take.id)


def _words(stack: Object | None, name: str) -> tuple[str, ...]:
    text = stack.text(name) if stack is not None else ""
    return tuple(text.split(BETWEEN)) if text else ()
