"""Which moment of one motion is which of another, on two rigs whose joints are matched.

Each coordinate of a joint that both have swings about its mean. The analytic signals (D. Gabor, "Theory of
Communication", 1946) of all of them say in what part of their cycles the limbs are, however large the body and however
fast the gait. Two moments are the same if the limbs are in the same parts of their cycles; of several, the one that is
nearest in time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Ints, Singles
from kinema.generation.channels import FPS, encode
from kinema.generation.correspondence import JointCorrespondence
from kinema.generation.rig import AnyRig
from kinema.generation.takes import Takes
from kinema.motion import Motion

_LATE = 0.05
"""How much less alike, of 2, moments have to be for another that is a second nearer in time to be preferred."""

_STILL = 1e-6


def correspond_moments(joints: JointCorrespondence, first: Motion, second: Motion) -> Ints:
    """The frame of the second motion for each frame of the first, int64 `[F1]`.

    Args:
        joints: of the rigs of both motions.

    Raises:
        SkeletonError: a motion is of another skeleton, or has no frames.
    """
    mine = np.flatnonzero(joints.second_of > 0)
    mine = mine[mine > 0]
    theirs = joints.second_of[mine]
    one, two = (
        _cycles(_places(rig, motion)[:, chosen])
        for rig, motion, chosen in ((joints.first, first, mine), (joints.second, second, theirs))
    )
    times = [np.arange(len(each)) / FPS for each in (one, two)]
    alike = (one @ two.conj().T).real - _LATE * np.abs(times[0][:, None] - times[1][None])
    found = times[1][alike.argmax(axis=1)]
    own = np.arange(first.frames) / first.fps
    nearest = np.clip(np.rint(own * FPS), 0, len(found) - 1).astype(np.int64)
    return np.clip(np.rint(found[nearest] * second.fps), 0, second.frames - 1).astype(np.int64)


def _places(rig: AnyRig, motion: Motion) -> Singles:
    """Positions `[F, K, 3]` relative to the root in the heading frame, units, at `FPS`."""
    channels, _ = encode(rig, motion)
    positions = Takes(rig, channels[None]).model_positions[0]
    return positions - positions[:, :1]


def _cycles(places: Singles) -> NDArray[np.complex128]:
    """Analytic signals `[F, 3 J]` of positions `[F, J, 3]` about their means, of unit length in each frame."""
    from scipy.signal import hilbert  # slow to import

    swings = np.asarray(hilbert((places - places.mean(axis=0)).reshape(len(places), -1), axis=0))
    return swings / np.maximum(np.linalg.norm(swings, axis=-1, keepdims=True), _STILL)
