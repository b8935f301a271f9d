"""The faces of a motion: weights of a character's morph targets at any time of a clip."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinema.character import Character
from kinema.motion import Motion


def weights_at(character: Character, motion: Motion, times: ArrayLike) -> NDArray[np.float32] | None:
    """Weights `[..., M]` of the morph targets at times `[...]` in seconds, blended between frames.

    See `Character.morph_weights` for the labels that move faces. None where the motion moves none.
    """
    if not len(character.rest_weights) or not motion.frames:
        return None
    position = np.clip(np.asarray(times, np.float64) * motion.fps, 0.0, motion.frames - 1)
    first = np.minimum(position.astype(np.int64), max(motion.frames - 2, 0))
    second, share = np.minimum(first + 1, motion.frames - 1), position - first
    tracks = {
        name: ((1 - share) * values[first] + share * values[second]).astype(np.float32)
        for name, values in motion.labels.items()
        if name.startswith(("morph.", "expression.")) and values.ndim == 1
    }
    weights = character.morph_weights(tracks) if tracks else None
    return None if weights is None or (weights == character.rest_weights).all() else weights
