"""What our own files say where FBX has no place for it: names of properties, and how the reader finds them again.

Rate, tags and the names of labels that are booleans are properties of the stack of a motion; labels are animated
properties of the first root joint, which engines show as curves of the animation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Floats
from kinema.formats.fbx.transform import PARTS
from kinema.rates import is_rate

if TYPE_CHECKING:
    from kinema.formats.fbx.document import FbxDocument, Id, Object
    from kinema.formats.fbx.takes import FbxTake

CREATOR = "Kinema"
RATE, TAGS, FLAGS = "KinemaRate", "KinemaTags", "KinemaFlags"
BETWEEN = "\n"  # names and tags in one text
TIP, ROLE = "KinemaTip", "KinemaRole"  # of joints
ALPHA_MODE, ALPHA_CUTOFF = "KinemaAlphaMode", "KinemaAlphaCutoff"  # of materials
PACKED, OCCLUSION = "KinemaMetallicRoughness", "KinemaOcclusion"  # textures of materials


def is_ours(document: FbxDocument) -> bool:
    """Whether our writer made the file."""
    return document.root.value("Creator") == CREATOR


def noted_rate(document: FbxDocument, take: FbxTake) -> float | None:
    """Frames per second that the motion was written with."""
    stack = _stack(document, take)
    rate = stack.number(RATE, 0.0) if stack is not None else 0.0
    return rate if is_rate(rate) else None


def noted_tags(document: FbxDocument, take: FbxTake) -> tuple[str, ...]:
    """Tags of the motion."""
    return _words(_stack(document, take), TAGS)


def noted_labels(document: FbxDocument, take: FbxTake, root: Id, times: Floats) -> dict[str, NDArray[Any]]:
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
        for (owner, name), animated in layer.properties.items():
            if owner == root and name not in PARTS and len(animated.curves) == 1:
                values = animated.evaluate(times, [0.0])[:, 0]
                labels[name] = values > 0.5 if name in flags else values.astype(np.float32)
    return labels


def _stack(document: FbxDocument, take: FbxTake) -> Object | None:
    return None if take.id is None else document.objects.get(take.id)


def _words(stack: Object | None, name: str) -> tuple[str, ...]:
    text = stack.text(name) if stack is not None else ""
    return tuple(text.split(BETWEEN)) if text else ()
