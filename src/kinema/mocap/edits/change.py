"""Changes: each takes edits and gives new ones. Intervals are frames, `stop` not included, and are clamped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from kinema.mocap.edits.model import Contacts, EditError, Edits, Label, Piece, check_word
from kinema.mocap.edits.spans import Spans, union, without


def keep(edits: Edits, start: int, stop: int, name: str = "") -> Edits:
    """Make frames a piece. The first piece replaces the whole clip; a later one takes what it covers from others."""
    start, stop = edits.clamp(start, stop)
    others = () if edits.whole else _carved(edits.pieces, start, stop)
    return replace(edits, pieces=tuple(sorted((*others, Piece(start, stop, name)))))


def drop(edits: Edits, start: int, stop: int) -> Edits:
    """Remove frames from all pieces."""
    return replace(edits, pieces=_carved(edits.pieces, *edits.clamp(start, stop)))


def split(edits: Edits, frame: int) -> Edits:
    """Split the piece that contains a frame, before that frame; no change at a piece's first frame."""
    parts: list[Piece] = []
    for piece in edits.pieces:
        if piece.start < frame < piece.stop:
            parts += [replace(piece, stop=frame), replace(piece, start=frame)]
        else:
            parts.append(piece)
    return replace(edits, pieces=tuple(parts))


def reshape(edits: Edits, old: Piece, new: Piece) -> Edits:
    """Move the ends of a piece or rename it; it stops at its neighbours."""
    place = _place(edits.pieces, old, "piece")
    low = edits.pieces[place - 1].stop if place else 0
    high = edits.pieces[place + 1].start if place + 1 < len(edits.pieces) else edits.frames
    start = min(max(new.start, low), high - 1)
    kept = Piece(start, min(max(new.stop, start + 1), high), new.name)
    return replace(edits, pieces=(*edits.pieces[:place], kept, *edits.pieces[place + 1 :]))


def keep_all(edits: Edits) -> Edits:
    """One piece again: the whole clip."""
    return replace(edits, pieces=Edits.none(edits.frames, edits.fps).pieces)


def label(edits: Edits, start: int, stop: int, tag: str, text: str = "") -> Edits:
    """Label frames; equal labels that touch are merged."""
    start, stop = edits.clamp(start, stop)
    return _with_label(edits, edits.labels, Label(start, stop, check_word(tag), text.strip()))


def relabel(edits: Edits, old: Label, new: Label) -> Edits:
    """Change a label: its frames, its word, its text."""
    place = _place(edits.labels, old, "label")
    start, stop = edits.clamp(new.start, new.stop)
    others = (*edits.labels[:place], *edits.labels[place + 1 :])
    return _with_label(edits, others, Label(start, stop, check_word(new.tag), new.text.strip()))


def unlabel(edits: Edits, old: Label) -> Edits:
    """Remove a label."""
    place = _place(edits.labels, old, "label")
    return replace(edits, labels=(*edits.labels[:place], *edits.labels[place + 1 :]))


def paint(edits: Edits, point: str, start: int, stop: int, touching: bool, current: Mapping[str, Spans]) -> Edits:
    """Set or clear a contact in some frames.

    Args:
        current: contacts of all points, which are the start where none were edited yet.
    """
    start, stop = edits.clamp(start, stop)
    tracks = dict(current) if edits.contacts is None else {track.point: track.spans for track in edits.contacts}
    if point not in tracks:
        raise EditError(f"there is no contact point {point!r}; there are {', '.join(tracks) or 'none'}")
    rest = without(tracks[point], start, stop)
    tracks[point] = union((*rest, (start, stop))) if touching else rest
    return set_contacts(edits, tracks)


def set_contacts(edits: Edits, contacts: Mapping[str, Iterable[tuple[int, int]]] | None) -> Edits:
    """Replace the contacts of all points; None restores those of the file, or detection."""
    if contacts is None:
        return replace(edits, contacts=None)
    tracks = tuple(Contacts(point, union(contacts[point])) for point in sorted(contacts))
    return replace(edits, contacts=tracks)


def set_mirror(edits: Edits, allowed: bool) -> Edits:
    """Allow or forbid the mirror image in databases."""
    return replace(edits, mirror=allowed)


def set_partner(edits: Edits, joint: str, partner: str | None) -> Edits:
    """Override the mirror partner of a joint (itself, for one that stays in place); None removes the override."""
    gone = {joint} if partner is None else {joint, partner}
    kept = [pair for pair in edits.partners if not gone & set(pair)]
    if partner is not None:
        kept.append((min(joint, partner), max(joint, partner)))
    return replace(edits, partners=tuple(sorted(kept)))


def _carved(pieces: Iterable[Piece], start: int, stop: int) -> tuple[Piece, ...]:
    return tuple(
        replace(piece, start=a, stop=b)
        for piece in pieces
        for a, b in without([(piece.start, piece.stop)], start, stop)
    )


def _with_label(edits: Edits, others: Iterable[Label], new: Label) -> Edits:
    same = [one for one in others if (one.tag, one.text) == (new.tag, new.text)]
    different = [one for one in others if (one.tag, one.text) != (new.tag, new.text)]
    spans = union([(one.start, one.stop) for one in (*same, new)])
    merged = [Label(start, stop, new.tag, new.text) for start, stop in spans]
    return replace(edits, labels=tuple(sorted([*different, *merged])))


def _place(marks: tuple[Piece, ...] | tuple[Label, ...], old: Piece | Label, what: str) -> int:
    if old not in marks:
        raise EditError(f"the {what} of frames {old.start} to {old.stop} is not there any more")
    return marks.index(old)  # type: ignore[arg-type]
