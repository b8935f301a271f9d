"""Generated creatures as a collection: bodies of every plan, with clips of all that they can do, and captions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from kinema.arrays import Singles
from kinema.errors import ControlError
from kinema.generation.acceptance import refusal
from kinema.generation.channels import FPS, encode
from kinema.generation.collection import CollectionWriter, Stretch
from kinema.generation.rig import AnyRig
from kinema.mocap.creatures import PLANS, Act, creature_set
from kinema.mocap.creatures.captions import caption
from kinema.skeleton import Skeleton
from kinema.workers import open_pool, worth_using

CAPTIONS = 4
"""Captions of each act."""

HELD_CLIPS = 12
"""One of so many clips of a body is held out."""

_HELD_RIGS = 10  # one of so many bodies of a plan, with all its clips
_TIMELESS = frozenset(("idle", "look", "eat", "die"))  # acts of which nobody says how fast they are
_CHUNK = 60  # clips a worker makes at once
_BYTES = 200_000  # of a clip, roughly, to decide whether workers pay


@dataclass(frozen=True, eq=False)
class CreatureClip:
    """One clip as a worker hands it over."""

    name: str
    creature: str
    plan: str
    skeleton: Skeleton
    channels: Singles
    stretches: tuple[Stretch, ...]


def add_creatures(
    writer: CollectionWriter,
    count: int = 10_000,
    seed: int = 0,
    plans: Sequence[str] | None = None,
    rigs_per_plan: int = 40,
    seconds: tuple[float, float] = (3.5, 6.0),
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Add generated creatures to a collection.

    Args:
        count, seed, plans, rigs_per_plan, seconds: see `kinema.mocap.creatures.creature_set`. One of ten bodies of a
            plan is held out, and one of twelve clips of the other bodies.
        workers: processes; None one a core.
        progress: called with clips done and in all.

    Returns:
        What to say of the origin of the clips.

    Raises:
        ControlError: a plan is not known, or a number is out of range.
    """
    if count < 1:
        raise ControlError(f"creatures need at least one clip, not {count}")
    plans = PLANS if plans is None else tuple(plans)
    jobs = [
        (start, min(_CHUNK, count - start), seed, plans, rigs_per_plan, seconds) for start in range(0, count, _CHUNK)
    ]
    number_of = worth_using(workers, count * _BYTES)
    pool = open_pool(number_of) if number_of > 1 else nullcontext()
    known: dict[str, int] = {}
    clips_of: Counter[int] = Counter()
    with pool as processes:
        for number, clip in enumerate(_made(jobs, processes)):
            rig = _rig(writer, known, clip, rigs_per_plan)
            held = clips_of[rig] % HELD_CLIPS == HELD_CLIPS - 1
            clips_of[rig] += 1
            writer.add_channels(rig, clip.name, clip.channels, clip.stretches, held)
            if progress is not None:
                progress(number + 1, count)
    return {"clips": count, "seed": seed, "plans": list(plans), "rigs_per_plan": rigs_per_plan}


def _made(jobs: Sequence[tuple], processes: ProcessPoolExecutor | None) -> Iterator[CreatureClip]:
    if processes is None:
        return chain.from_iterable(map(_chunk, jobs))
    return chain.from_iterable(processes.map(_chunk, jobs))


def _rig(writer: CollectionWriter, known: dict[str, int], clip: CreatureClip, rigs_per_plan: int) -> int:
    """The index of a clip's body, which is added when it is new."""
    if clip.creature not in known:
        of_plan = sum(rig.plan == clip.plan for rig in writer.rigs)
        held = of_plan % _HELD_RIGS == min(_HELD_RIGS, rigs_per_plan) - 1 and rigs_per_plan > 1
        known[clip.creature] = writer.add_rig(clip.skeleton, clip.creature, clip.plan, held)
    return known[clip.creature]


def _chunk(job: tuple[int, int, int, Sequence[str], int, tuple[float, float]]) -> list[CreatureClip]:
    """Clips of a set, in a worker."""
    start, count, seed, plans, rigs_per_plan, seconds = job
    rigs: dict[str, AnyRig] = {}
    made = []
    for number, (creature, script, motion) in enumerate(
        creature_set(count, seed, plans, rigs_per_plan, seconds, FPS, start)
    ):
        rig = rigs.setdefault(creature.name, AnyRig.of(creature.skeleton))
        channels, begin = encode(rig, motion)
        if refusal(rig, motion, channels, begin) is not None:
            continue
        rng = np.random.default_rng((seed, start + number, 1))
        names = (creature.name.split("-")[0], "creature", "animal")
        made.append(
            CreatureClip(
                motion.name,
                creature.name,
                creature.plan,
                creature.skeleton,
                channels.astype(np.float16).astype(np.float32),
                stretches(names, creature.plan, script, len(channels), rng),
            )
        )
    return made


def stretches(
    names: Sequence[str], plan: str, script: Sequence[Act], frames: int, rng: np.random.Generator
) -> tuple[Stretch, ...]:
    """What is done in a clip of so many frames that acts out a script, with captions.

    Args:
        names: of the body, from the most telling one on. plan: of the body.
    """
    ends = np.minimum(np.round(np.cumsum([act.seconds for act in script]) * FPS), frames).astype(int).tolist()
    ends[-1] = frames
    told = [replace(act, pace=0.0) if act.kind in _TIMELESS else act for act in script]
    return tuple(
        Stretch(start, end, act.kind, tuple(caption(names, [act], rng, plan) for _ in range(CAPTIONS)))
        for act, start, end in zip(told, [0, *ends], ends, strict=False)
    )
