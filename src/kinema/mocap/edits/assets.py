"""Edits applied to all that a file holds."""

from __future__ import annotations

import os
from dataclasses import replace

from kinema.formats import Asset
from kinema.formats.sources import Source
from kinema.mocap.edits.cutting import apply
from kinema.mocap.edits.files import FileEdits, Stamp, clip_keys, read_edits
from kinema.mocap.edits.model import EditError, Edits
from kinema.motion import Motion

CHANGED = "was changed after it was edited; look at it again with kinema view"


def edited_asset(asset: Asset, source: Source, folder: str | os.PathLike[str] | None = None) -> Asset:
    """What a file holds, with the edits beside it applied: each piece is a clip.

    Args:
        source: the file that the asset was read from.
        folder: where the edits are; beside the file where None.

    Raises:
        EditError: the edits cannot be used, or are of another version of the file.
    """
    found = read_edits(source, folder)
    if found is None:
        return asset
    motions = [
        piece
        for motion, edits in edits_of(found, asset, source)
        for piece in ([motion] if edits is None else apply(motion, edits))
    ]
    stale = () if found.source.sha256 == Stamp.of(source).sha256 else (CHANGED,)
    return replace(asset, motions=tuple(motions), warnings=(*asset.warnings, *stale))


def edits_of(found: FileEdits, asset: Asset, source: Source) -> list[tuple[Motion, Edits | None]]:
    """Each motion of a file with its edits.

    Raises:
        EditError: there are edits of a clip that the file does not hold.
    """
    keys = clip_keys(asset.motions)
    own, lost = found.matched(keys)
    if lost:
        raise EditError(
            f"{source.path}: its edits are of the clip {next(iter(lost))!r:.60}, and it holds "
            f"{', '.join(repr(key) for key in keys[:5]) or 'none'}"
        )
    return [(motion, own.get(key)) for key, motion in zip(keys, asset.motions, strict=True)]
