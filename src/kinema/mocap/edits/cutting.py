"""Applies edits: one motion becomes its pieces, with the tags and contacts of the edits."""

from __future__ import annotations

import numpy as np

from kinema.arrays import Indices
from kinema.mocap.contacts import contact_points, runs
from kinema.mocap.edits.model import EditError, Edits
from kinema.mocap.edits.spans import to_mask
from kinema.motion import Motion
from kinema.skeleton import Skeleton

TAG = "tag."
TEXT = "text."
"""Prefixes of the boolean labels `[F]` of a motion that say where a tag or a text holds: `tag.walk`."""

SAME_RATE = 1e-3


def apply(motion: Motion, edits: Edits) -> list[Motion]:
    """The pieces of a motion; they share its arrays, and only labels are new.

    Labels become boolean labels `tag.<word>` and `text.<text>` `[F]` and, for each piece that they touch, tags;
    contacts become `contact.<point>`. A piece is called as the motion, with its own name or number after a dot.

    Raises:
        EditError: the edits are of a clip with a different length, rate or contact points.
    """
    check(motion, edits)
    labels = dict(motion.labels)
    if edits.labels:
        labels = {name: values for name, values in labels.items() if not name.startswith((TAG, TEXT))}
    for label in edits.labels:
        for name in (TAG + label.tag, TEXT + label.text):
            if name != TEXT:
                mask = to_mask([(label.start, label.stop)], motion.frames)
                labels[name] = labels[name] | mask if name in labels else mask
    for track in edits.contacts or ():
        labels[f"contact.{track.point}"] = to_mask(track.spans, motion.frames)
    marked = motion.replace(labels=labels)
    names = _names(motion.name, edits)
    return [
        marked.cut(piece.start, piece.stop).replace(name=name, tags=_tags(motion, edits, piece.start, piece.stop))
        for piece, name in zip(edits.pieces, names, strict=True)
    ]


def marks_of(motion: Motion) -> tuple[tuple[int, int, str], ...]:
    """Where the tags and texts of a motion hold: frames `start` to `stop` (not included) and the words."""
    marks = [
        (start, stop, name.partition(".")[2])
        for name, values in motion.labels.items()
        if name.startswith((TAG, TEXT))
        for start, stop in runs(np.asarray(values, bool))
    ]
    return tuple(sorted(marks))


def check(motion: Motion, edits: Edits) -> None:
    """EditError where edits do not belong to a motion: the length, the rate or the contact points differ."""
    if motion.frames != edits.frames or abs(motion.fps / edits.fps - 1.0) > SAME_RATE:
        raise EditError(
            f"the edits are of {edits.frames} frames at {edits.fps:g} per second and {motion.name or 'the clip'} has "
            f"{motion.frames} at {motion.fps:g}: it was edited in another version of the file"
        )
    if edits.contacts is not None:
        has, wanted = {track.point for track in edits.contacts}, contact_points(motion.skeleton)
        if has != set(wanted):
            raise EditError(
                f"the edits have contacts of {', '.join(sorted(has)) or 'no point'}, and {motion.name or 'the clip'} "
                f"has the contact points {', '.join(wanted) or 'none'}: all of them are needed, also those without any"
            )


def mirror_pairs(skeleton: Skeleton, edits: Edits) -> Indices | None:
    """The mirror map `[J]` with the overrides of the edits; None where there are none.

    Raises:
        SkeletonError: the skeleton has no joint of such a name.
    """
    if not edits.partners:
        return None
    pairs = skeleton.mirror_map.astype(np.int32, copy=True)
    for first, second in edits.partners:
        a, b = skeleton.index(first), skeleton.index(second)
        for joint in (a, b):  # its former partner has none then
            pairs[pairs[joint]] = pairs[joint]
        pairs[a], pairs[b] = b, a
    return pairs


def _names(name: str, edits: Edits) -> list[str]:
    if len(edits.pieces) == 1 and not edits.pieces[0].name:
        return [name]
    names: list[str] = []
    for number, piece in enumerate(edits.pieces, start=1):
        wanted = ".".join(part for part in (name, piece.name or str(number)) if part)
        names.append(wanted if wanted not in names else f"{wanted}.{number}")
    return names


def _tags(motion: Motion, edits: Edits, start: int, stop: int) -> tuple[str, ...]:
    touching = [label.tag for label in edits.labels if label.start < stop and label.stop > start]
    return tuple(dict.fromkeys((*motion.tags, *touching)))
