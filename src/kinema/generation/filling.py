"""The new parts of an edit, made one by one with what is around them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kinema.arrays import Singles
from kinema.generation.edits import Kept, stretches
from kinema.generation.generator import Generator, Known
from kinema.generation.rig import AnyRig
from kinema.generation.sampling import Progress, SamplingSettings
from kinema.generation.wishes import Wish


def fill(
    generator: Generator,
    rig: AnyRig,
    kept: Kept,
    wishes: Sequence[Wish] = (),
    *,
    count: int = 1,
    seed: int = 0,
    settings: SamplingSettings | None = None,
    progress: Progress | None = None,
) -> Singles:
    """Channels `[count, F, K, CHANNELS]` in which what is not kept is new.

    A gap costs as much in a long clip as in a short one, and is seen from near: places on the way of the root count
    from where its surroundings begin.

    Args:
        wishes, count, seed, settings, progress: as for `Generator.sample`; each part does what is wished.
    """
    made = np.repeat(kept.channels[None], count, axis=0)
    for frames in stretches(kept, generator.patch):
        part = kept.part(frames)
        made[:, frames] = generator.sample(
            rig,
            len(part.root),
            wishes,
            count=count,
            seed=seed,
            settings=settings,
            path=part.path(rig, generator.patch),
            known=Known(part.channels, part.joints, part.travel),
            progress=progress,
        )
    return made
