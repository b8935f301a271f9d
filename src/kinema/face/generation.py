"""Motion for any skeleton: `kinema.generate`, `kinema.edit`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kinema.character import Character
from kinema.errors import FormatError, UsageError
from kinema.face.files import Progress
from kinema.formats import Asset, load
from kinema.motion import Motion
from kinema.rates import RATES, is_rate
from kinema.skeleton import Skeleton

if TYPE_CHECKING:
    from kinema.generation.gates import Verdict
    from kinema.generation.generator import Generator
    from kinema.generation.infill import Infill
    from kinema.generation.rig import AnyRig
    from kinema.generation.wishes import Wish
    from kinema.mocap.creatures import Abilities

PathLike = str | os.PathLike[str]
Body = PathLike | Skeleton | Character | Motion | Asset
"""A file, the name of a creature such as "horse", or what was loaded from a file."""

WEIGHTS = Path(__file__).parents[1] / "weights" / "any-skeleton" / "S"
"""The model that comes with Kinema."""

LONGEST = 600.0
"""Seconds of a clip that can be generated at once."""

MOST_FRAMES = 120_000
"""Frames of all clips that can be generated at once: over an hour at 30 a second."""


def generate(
    rig: Body,
    text: str = "",
    *,
    seconds: float = 6.0,
    count: int = 1,
    action: str | None = None,
    speed: float | None = None,
    turn: float | None = None,
    cadence: float | None = None,
    path: Sequence[Sequence[float]] | None = None,
    loop: bool = False,
    seed: int = 0,
    steps: int = 8,
    guidance: float = 2.0,
    fps: float = 30.0,
    plant: bool = True,
    model: PathLike | Generator | None = None,
    progress: Progress | None = None,
) -> list[Motion]:
    """New motion for any skeleton, from its rest pose alone.

    Args:
        rig: the skeleton.
        text: what it is to do, in English, such as "walks slowly, then jumps".
        seconds: duration of each clip. count: number of clips.
        action: one of `kinema.mocap.creatures.ACTIONS`; overrides the text.
        speed: metres a second. turn: radians a second, positive to the left.
        cadence: strides, waves or wing beats a second; None takes what is usual for the body.
        path: points on the ground `[N, 2]`, x and z in metres, spread evenly over the clip, which begins at the first,
            facing the second.
        loop: make the last frame lead to the first.
        seed: of the noise; clip `i` of a seed is the same however many are made.
        steps: of the flow; 4 for a preview, 16 for the last bit of quality.
        guidance: how much what is asked is overstated; 1 as in training.
        fps: rate of the result.
        plant: hold feet still that touch the ground.
        model: the folder of a trained model, or one that was loaded; None takes the one that comes with Kinema.
        progress: called with steps made and steps in all.

    Raises:
        UsageError: nothing in the text is known, or a number is out of range.
        SkeletonError, FormatError: the rig cannot be read.
    """
    from kinema.generation.channels import FPS, Start, decode
    from kinema.generation.planting import plant as planted
    from kinema.generation.sampling import SamplingSettings
    from kinema.generation.wishes import path_places

    _check_amount(seconds, count, fps)
    said = wishes_of(text, action, speed, turn, abilities_of(rig, text))
    wishes = [replace(each, cadence=cadence) for each in said]
    settings = SamplingSettings(steps, guidance)
    generator, body = load_generator(model), rig_of(rig)
    frames = max(round(seconds * FPS), 1)
    needed = len(wishes) * generator.patch / FPS
    if needed - 1 / FPS > seconds and len(wishes) > 1:
        raise UsageError(f"{len(wishes)} movements one after the other need {needed:.2g} s, not {seconds:g}")
    places, start = (None, Start()) if path is None else path_places(path, body, frames, generator.patch)
    made = generator.sample(
        body,
        frames,
        wishes,
        count=count,
        seed=seed,
        settings=settings,
        path=places,
        loop=loop,
        progress=progress,
    )
    name = "-".join(text.split()[:6]) or action or "generated"
    clips = [planted(body, channels) if plant else channels for channels in made]
    titles = [name if count == 1 else f"{name} {number + 1}" for number in range(count)]
    motions = [decode(body, channels, start, title) for channels, title in zip(clips, titles, strict=True)]
    return [motion.resample(fps) for motion in motions]


def edit(
    source: PathLike | Motion,
    *,
    between: tuple[float, float] | None = None,
    joints: Sequence[str] = (),
    more: float = 0.0,
    keys: Sequence[float] = (),
    text: str = "",
    action: str | None = None,
    speed: float | None = None,
    turn: float | None = None,
    count: int = 1,
    seed: int = 0,
    steps: int = 8,
    guidance: float = 2.0,
    clip: str | int | None = None,
    plant: bool = True,
    model: PathLike | Generator | None = None,
    progress: Progress | None = None,
) -> list[Motion]:
    """A motion with a part of it made anew; everything else stays exactly as it is.

    Args:
        source: a motion, or a file of one.
        between: times in seconds between which everything is new.
        joints: names or roles of joints that are new, with all that hangs on them.
        more: seconds to append.
        keys: times in seconds of poses that are kept, and nothing else.
        text, action, speed, turn: what the new part is to do, as for `generate`.
        count, seed, steps, guidance, plant, model, progress: as for `generate`.
        clip: which clip of a file.

    Raises:
        UsageError: it is not said what is to be new, a joint or a time is not there, or a number is out of range.
        FormatError: the file cannot be read.
    """
    from kinema.formats import load_motion
    from kinema.generation import edits
    from kinema.generation.filling import fill
    from kinema.generation.sampling import SamplingSettings

    if between is None and not joints and more <= 0 and not len(keys):
        raise UsageError("say what is to be new: between two times, joints, more seconds, or all but key poses")
    settings = SamplingSettings(steps, guidance)
    motion = source if isinstance(source, Motion) else load_motion(source, clip)
    wishes = wishes_of(text, action, speed, turn, abilities_of(motion, text))
    _check_amount(motion.seconds + more, count, motion.fps)
    body, generator = rig_of(motion), load_generator(model)
    kept = edits.whole(body, motion)
    kept = edits.only_at(kept, keys) if len(keys) else kept
    kept = edits.without(kept, *between) if between is not None else kept
    kept = edits.without_joints(kept, body, joints) if joints else kept
    kept = edits.longer(kept, more) if more > 0 else kept
    made = fill(generator, body, kept, wishes, count=count, seed=seed, settings=settings, progress=progress)
    return [edits.finished(body, channels, kept, motion, plant) for channels in made]


def _check_amount(seconds: float, count: int, fps: float) -> None:
    from kinema.generation.channels import FPS

    if not 0 < seconds <= LONGEST:
        raise UsageError(
            f"a clip lasts up to {LONGEST:g} s, not {seconds:g}; stream longer motion (kinema play --generate)"
        )
    if not is_rate(fps):
        raise UsageError(f"a motion has {RATES} frames a second, not {fps:g}")
    if count < 1:
        raise UsageError(f"the number of clips is 1 or more, not {count}")
    frames = count * seconds * max(fps, FPS)
    if frames > MOST_FRAMES:
        raise UsageError(
            f"{count} clips of {seconds:g} s are {frames:,.0f} frames; up to {MOST_FRAMES:,} are made at once"
        )


def infill(model: PathLike | None = None, seed: int = 0, steps: int = 8) -> Infill:
    """What `kinema.retarget` can be given as `fill`: a model moves joints that the source has nothing for.

    Args:
        model: folder of a trained model; None takes the one that comes with Kinema. seed: of the noise.
        steps: of the flow.

    Raises:
        LearningError: there is no such model.
    """
    from kinema.generation.infill import Infill

    folder = os.fspath(WEIGHTS if model is None else model)
    load_generator(folder)  # what is wrong with it is said before the first file
    return Infill(folder, seed, steps)


def benchmark(
    model: PathLike | None,
    data: PathLike,
    *,
    samples: int = 8,
    rigs: int = 1,
    seeds: Sequence[int] = (0, 1, 2),
    classifier: PathLike | None = None,
    texts: bool = False,
    progress: Progress | None = None,
) -> tuple[list[dict[str, Any]], list[Verdict]]:
    """Measure a model of any skeleton, the ground truth and frozen poses beside it, and judge it by the release gates.

    Args:
        model: its folder; None takes the one that comes with Kinema.
        data: a collection, some rigs of which are held out.
        samples: of each rig and seed. rigs: of each body plan, seen and held out each.
        seeds: of noise and choices.
        classifier: the folder of one that judges actions; None leaves that out.
        texts: ask in words alone; else by action, speed and yaw rate.
        progress: called with rigs done and in all.

    Returns:
        Rows, see `kinema.generation.benchmark.summary`, and verdicts.
    """
    from kinema.generation.benchmark import Benchmark, Protocol, chosen_rigs, summary
    from kinema.generation.classifier_task import load_classifier
    from kinema.generation.collection import MotionCollection
    from kinema.generation.gates import GATES, judge
    from kinema.generation.request import sampler

    generator, collection = load_generator(model), MotionCollection.open(data)
    judged_by = None if classifier is None else load_classifier(classifier)
    chosen = chosen_rigs(collection, rigs)
    protocol = Protocol(samples=samples, seeds=tuple(seeds), texts=texts)
    details: list[dict[str, Any]] = []
    for number, rig in enumerate(chosen):
        details += Benchmark(collection, (rig,), protocol, judged_by).details(sampler(generator))
        if progress is not None:
            progress(number + 1, len(chosen))
    rows = summary(details)
    size = str(generator.model.setting.more.get("size", "S"))
    return rows, judge(rows, size if size in GATES else "S")


def wishes_of(
    text: str = "",
    action: str | None = None,
    speed: float | None = None,
    turn: float | None = None,
    body: Abilities | None = None,
) -> list[Wish]:
    """What is asked, one wish for each phrase of a text.

    Args:
        text, action, speed, turn: see `generate`.
        body: what the body can do, see `kinema.mocap.creatures.Abilities`: fish swim where others walk. None takes the
            text at its word.

    Raises:
        UsageError: nothing in the text is known; the message says what would be.
    """
    from kinema.generation.captions.asking import read_caption
    from kinema.generation.wishes import Wish
    from kinema.mocap.creatures.acts import ACTIONS
    from kinema.mocap.creatures.words import concepts_of, explain_unknown, phrases

    if not text.strip():
        return [Wish("", action, speed, turn)]
    read = read_caption(text, body) if body is not None else []
    if read:
        return [Wish(phrase, action or found, speed, turn) for phrase, found in read]
    if not concepts_of(text):
        raise UsageError(explain_unknown(text))
    wishes = []
    for phrase in phrases(text):
        known = [concept for concept in concepts_of(phrase) if concept in ACTIONS]
        wishes.append(Wish(phrase, action or (known[0] if known else None), speed, turn))
    return wishes


def abilities_of(rig: Body, text: str = "") -> Abilities | None:
    """What a rig can do, which decides how texts are read; None if nothing in it is recognised that could move.

    Args:
        text: may name an animal, which decides for a skeleton whose limbs leave it open.

    Raises:
        FormatError: the rig has no skeleton.
    """
    from kinema.mocap.creatures import CREATURES, PLANS, Abilities, make_creature
    from kinema.mocap.creatures.words import creature_of

    if isinstance(rig, str) and (rig in CREATURES or rig in PLANS):
        return Abilities.of(make_creature(rig))
    return Abilities.of(skeleton_of(rig), creature_of(text) if text else None)


def skeleton_of(rig: Body) -> Skeleton:
    """The skeleton of a file, of a creature by name, or of what was loaded.

    Raises:
        FormatError: the file has none.
    """
    return asset_of(rig).skeleton or _without_skeleton(rig)


def rig_of(rig: Body) -> AnyRig:
    """The rig of what was given. Where the rest pose does not stand, a pose of its motions takes its place.

    Raises:
        FormatError: it has no skeleton.
    """
    from kinema.generation.rig import AnyRig
    from kinema.generation.stance import standing_pose

    asset = asset_of(rig)
    skeleton = skeleton_of(asset)
    return AnyRig.of(skeleton, stance=standing_pose(skeleton, asset.motions))


def asset_of(rig: Body) -> Asset:
    """What a rig was given as, as an asset: with meshes, if it has any."""
    from kinema.mocap.creatures import CREATURES, PLANS, make_creature

    if isinstance(rig, Asset):
        return rig
    if isinstance(rig, Skeleton):
        return Asset("", "", rig)
    if isinstance(rig, Character):
        return Asset("", "", rig.skeleton, (), rig)
    if isinstance(rig, Motion):
        return Asset("", "", rig.skeleton, (rig,))
    name = os.fspath(rig)
    if name in CREATURES or name in PLANS:
        return Asset(name, "", make_creature(name).skeleton)
    if not os.path.exists(name) and not Path(name).suffix:
        raise FormatError(f"no such file, and no creature; the creatures are: {', '.join(CREATURES)}", path=name)
    return load(name)


def _without_skeleton(rig: Any) -> Skeleton:
    raise FormatError("holds no skeleton; a rig needs joints", path=str(getattr(rig, "path", rig)))


def load_generator(model: PathLike | Generator | None) -> Generator:
    """A trained model, or the one that comes with Kinema; one that was loaded stays as it is.

    Raises:
        LearningError: there is none.
    """
    from kinema.generation.generator import Generator

    return model if isinstance(model, Generator) else Generator.load(WEIGHTS if model is None else model)


def onto(rig: Body, motions: Sequence[Motion]) -> Asset:
    """Motions of a rig with its meshes, to be written."""
    asset = asset_of(rig)
    return replace(asset, motions=tuple(motions), warnings=())
