"""What is to be written: the skeleton, the character and the motions of whatever was given to a writer."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.character import Character
from kinema.errors import FormatError
from kinema.formats import FORMATS, Asset
from kinema.formats.losses import refuse_without_clips
from kinema.motion import Motion
from kinema.skeleton import Skeleton


def check(thing: object, path: str) -> Asset:
    """What is to be written, as an asset.

    Args:
        path: where it will be written, for messages.

    Raises:
        FormatError: something no format can hold: other things than ours, poses that are not finite, and, in formats
            that keep labels, labels that are no numbers; or motions alone in a format that holds none.
    """
    if isinstance(thing, Motion):
        asset = Asset(path, "", thing.skeleton, (thing,))
    elif isinstance(thing, Character):
        asset = Asset(path, "", thing.skeleton, (), thing)
    elif isinstance(thing, Asset):
        asset = thing
    else:
        raise FormatError(f"expected a Motion, a Character or an Asset, not a {type(thing).__name__}", path=path)
    suffix = PurePath(path).suffix.lower()
    if asset.motions and asset.character is None:
        refuse_without_clips(suffix, path)
    for motion in asset.motions:
        _check_motion(motion, "labels" in FORMATS[suffix].keeps, path)
    return asset


def _check_motion(motion: Motion, with_labels: bool, path: str) -> None:
    if not (np.isfinite(motion.local_rotations).all() and np.isfinite(motion.local_translations).all()):
        raise FormatError(f"motion {motion.name!r} holds a pose that is not finite", path=path)
    for label, values in motion.labels.items() if with_labels else ():
        kind = np.asarray(values).dtype
        if kind.kind not in "biuf":
            raise FormatError(f"label {label!r} is of {kind}; only numbers are saved", path=path)


def contents(thing: Motion | Character | Asset, path: str) -> tuple[Skeleton, Character | None, tuple[Motion, ...]]:
    """Skeleton, character if there is one, and motions that all move that skeleton.

    Args:
        path: where it will be written, for messages.

    Raises:
        FormatError: there is nothing to write, or a motion has other joints.
    """
    if isinstance(thing, Motion):
        return thing.skeleton, None, (thing,)
    if isinstance(thing, Character):
        return thing.skeleton, thing, ()
    skeleton = thing.character.skeleton if thing.character is not None else thing.skeleton
    if skeleton is None:
        raise FormatError("there is no skeleton, motion or character to write", path=path)
    for motion in thing.motions:
        if not motion.skeleton.same_topology(skeleton):
            raise FormatError(
                f"motion {motion.name!r} has other joints than the asset; write it to its own file", path=path
            )
    return skeleton, thing.character, thing.motions


def finite(values: NDArray[Any]) -> NDArray[Any]:
    """Values of a label with 0 in place of those that are not finite, which keys of animations cannot hold."""
    return np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0)
