"""The new parts of an edit, made one by one with what is around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kinema.arrays import Singles
from kinema.generation.channels import FPS
from kinema.generation.conditions import patch_seconds
from kinema.generation.edits import Kept, stretches
from kinema.generation.generator import Generator, Known
from kinema.generation.rig import AnyRig
from kinema.generation.said_turns import with_turns
from kinema.generation.sampling import Progress, SamplingSettings
from kinema.generation.wishes import Wish, shared


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
        wishes, count, seed, settings, progress: as for `Generator.sample`; each part does what is wished, from where
            it is new on.
    """
    made = np.repeat(kept.channels[None], count, axis=0)
    for frames in stretches(kept, generator.patch):
        part = kept.part(frames)
        made[:, frames] = generator.sample(
            rig,
            len(part.root),
            timed(wishes, rig, part, generator.patch),
            count=count,
            seed=seed,
            settings=settings,
            path=part.path(rig, generator.patch),
            known=Known(part.channels, part.joints, part.travel),
            progress=progress,
        )
    return made


def timed(wishes: Sequence[Wish], rig: AnyRig, part: Kept, patch: int) -> list[Wish]:
    """Wishes with their durations, and the turns that their words say, in a part of a clip.

    They share what is new; what is kept before is the first one's, what is kept behind the last one's. A root that is
    kept farther on decides how the body turns.
    """
    if not wishes:
        return []
    new = np.flatnonzero(part.new)
    before, behind = new[0] / FPS, (len(part.new) - 1 - new[-1]) / FPS
    seconds = shared([each.seconds for each in wishes], len(part.new) / FPS - before - behind, patch_seconds(patch))
    leads_somewhere = part.root[new[0] :].any()
    found = wishes if leads_somewhere else with_turns(wishes, rig, seconds)
    seconds[0] += before
    seconds[-1] += behind
    return [replace(each, seconds=float(time)) for each, time in zip(found, seconds, strict=True)]
