"""The faces that a motion makes: weights of a character's morph targets at any time of a clip."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinema.character import Character
from kinema.motion import Motion


def labels_at(motion: Motion, times: ArrayLike) -> dict[str, NDArray[np.float32]]:
    """The labels that move faces, `[...]` at times `[...]` in seconds, blended between frames.

    See `Character.morph_weights` for which those are.
    """
    position = np.clip(np.asarray(times, np.float64) * motion.fps, 0.0, max(motion.frames - 1, 0))
    first = np.minimum(position.astype(np.int64), max(motion.frames - 2, 0))
    second, share = np.minimum(first + 1, max(motion.frames - 1, 0)), position - first
    return {
        name: ((1 - share) * values[first] + share * values[second]).astype(np.float32)
        for name, values in motion.labels.items()
        if name.startswith(("morph.", "expression.")) and values.ndim == 1 and motion.frames
    }


def weights_at(character: Character, motion: Motion, time: float) -> NDArray[np.float32] | None:
    """Weights `[M]` of the morph targets at a time in seconds; None where they are those at rest."""
    tracks = labels_at(motion, time) if len(character.rest_weights) else {}
    if not tracks:
        return None
    weights = character.morph_weights(tracks)
    return None if np.array_equal(weights, character.rest_weights) else weights
