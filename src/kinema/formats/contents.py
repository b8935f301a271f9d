"""The skeleton, the character and the motions of what was given to a writer."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from kinema.character import Character
from kinema.errors import FormatError
from kinema.formats import FORMATS, Asset
from kinema.formats.checks import require
from kinema.formats.losses import refuse_nothing_kept
from kinema.motion import Motion
from kinema.skeleton import Skeleton

FARTHEST = 1e12  # metres; nothing lies beyond


def check(thing: object, path: str) -> Asset:
    """What is to be written, as an asset.

    Args:
        path: where it will be written, for messages.

    Raises:
        FormatError: something no format can hold: things that are not ours, poses that are not finite, and, in formats
            that keep labels, labels that are not numbers; or the format would hold nothing of it.
    """
    if isinstance(thing, Motion):
        asset = Asset(path, "", thing.skeleton, (thing,))
    elif isinstance(thing, Character):
        asset = Asset(path, "", thing.skeleton, (), thing)
    elif isinstance(thing, Asset):
        asset = thing
    else:
        raise FormatError(f"expected a Motion, a Character or an Asset, not a {type(thing).__name__}")
    suffix = PurePath(path).suffix.lower()
    refuse_nothing_kept(asset, suffix)
    for motion in asset.motions:
        _check_motion(motion, "labels" in FORMATS[suffix].keeps)
    check_range(asset)
    return asset


def check_range(asset: Asset) -> None:
    """FormatError for positions so large that lengths, and sums of them, could exceed single precision."""
    skeletons = [asset.skeleton] if asset.skeleton is not None else []
    character = asset.character
    for skeleton in (*skeletons, *([character.skeleton] if character is not None else [])):
        if (far := ~(np.abs(skeleton.rest_translations) < FARTHEST).all(axis=1)).any():
            _refuse_far(f"joint {skeleton.names[int(far.argmax())]!r}")
    for mesh in character.meshes if character is not None else ():
        parts = (mesh.positions, mesh.inverse_bind, *(morph.positions for morph in mesh.morphs))
        if not all((np.abs(part) < FARTHEST).all() for part in parts if part is not None):
            _refuse_far(f"mesh {mesh.name!r}")
    for motion in asset.motions:
        if not (np.abs(motion.local_translations) < FARTHEST).all():
            _refuse_far(f"motion {motion.name!r}")


def _refuse_far(node: str) -> NoReturn:
    raise FormatError(f"lies outside of any sensible range ({FARTHEST:g} m)", node=node)


def _check_motion(motion: Motion, with_labels: bool) -> None:
    if not (np.isfinite(motion.local_rotations).all() and np.isfinite(motion.local_translations).all()):
        raise FormatError(f"motion {motion.name!r} holds a pose that is not finite")
    for label, values in motion.labels.items() if with_labels else ():
        check_label(label, values)


def check_label(label: str, values: NDArray[Any]) -> None:
    """FormatError for a label that holds no numbers."""
    dtype = np.asarray(values).dtype
    require(dtype.kind in "biuf", f"label {label!r} is of {dtype}; only numbers are saved")


def contents(thing: Motion | Character | Asset) -> tuple[Skeleton, Character | None, tuple[Motion, ...]]:
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
        raise FormatError("there is no skeleton, motion or character to write")
    for motion in thing.motions:
        if not motion.skeleton.same_topology(skeleton):
            raise FormatError(f"motion {motion.name!r} has different joints from the asset; write it to its own file")
    return skeleton, thing.character, thing.motions


def finite(values: NDArray[Any]) -> NDArray[Any]:
    """Values of a label with 0 in place of those that are not finite, which keys of animations cannot hold."""
    return np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0)
