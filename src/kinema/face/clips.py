"""Training clips for image and video models: `kinema.clips`, `kinema.read_clips` and `kinema.convert_clips`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kinema.face.files import Progress

if TYPE_CHECKING:
    from kinema.footage.making import ClipsReport
    from kinema.footage.reading import ClipFolder
    from kinema.footage.transfer import TransferReport

PathLike = str | os.PathLike[str]


def clips(
    output: PathLike,
    *,
    count: int = 64,
    frames: int = 16,
    size: int = 64,
    fps: float = 12.0,
    seed: int = 0,
    maps: Sequence[str] | None = None,
    characters: Sequence[PathLike] = (),
    identities: int = 256,
    motions: Sequence[PathLike] = (),
    scenes: Sequence[PathLike] | None = None,
    scene_share: float = 0.6,
    licence: str = "",
    workers: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> ClipsReport:
    """Clips of characters in scenes, with every map, key points, cameras, labels and captions, in a folder.

    A clip depends on these arguments and its number alone, and not on `count` or `workers`. What was interrupted is
    continued, and a larger `count` adds clips.

    Args:
        output: the folder.
        count: clips. frames: pictures of each. size: pixels to each side. fps: pictures per second.
        seed: of all choices.
        maps: some of `kinema.rendering.conditions.targets.MAPS`; None takes all but `inpaint` and `face`.
        characters: files, folders and archives with bodies, names of creatures, such as "horse", and "people", who are
            generated; empty is people.
        identities: people that differ; there is a body of each creature for 16 of them.
        motions: files, folders and archives with motion, "generated", and "steered" for what a controller does under
            commands that change; empty is generated motion.
        scenes: files and folders of captured scenes, kinds of made worlds, and "made" for all of these; None is "made".
        scene_share: share of clips in a scene; the others have plain or graded backgrounds.
        licence: class of files that no list of licences names; see `kinema.footage.licences`.
        workers: processes; None is one a core.
        force: begin again, in place of what is there.
        progress: called with the number of clips done and of all clips.

    Raises:
        UsageError: a number is out of range, or a name is unknown.
        FormatError: a file that was named cannot be read.
        KinemaError: the folder holds something else.
        MissingError: no renderer on this machine.
    """
    from kinema.footage.making import make_clips
    from kinema.footage.plan import plan_clips

    plan = plan_clips(
        frames=frames,
        size=size,
        fps=fps,
        seed=seed,
        maps=maps,
        characters=characters,
        identities=identities,
        motions=motions,
        scenes=scenes,
        scene_share=scene_share,
        licence=licence,
    )
    return make_clips(plan, output, count, workers, force, progress)


def read_clips(folder: PathLike) -> ClipFolder:
    """The clips of a folder, any of them at any time; maps are read when they are asked for.

    Raises:
        FormatError: it is no folder of clips, or making it was interrupted.
    """
    from kinema.footage.reading import ClipFolder

    return ClipFolder(folder)


def convert_clips(
    source: PathLike, output: PathLike, *, form: str, force: bool = False, progress: Progress | None = None
) -> TransferReport:
    """Clips in another form.

    Args:
        source: a folder of clips; for the form "clips", one with Meta-Animator's `json_files/prompt_<task>.json`.
        form: "webdataset" writes tar archives, "prompts" Meta-Animator's layout, "clips" a folder of clips.
        progress: called with the number of clips done and of all clips.

    Raises:
        UsageError: there is no such form.
        FormatError: the source is damaged, or no such folder.
        KinemaError: the output exists.
    """
    from kinema.footage.transfer import transfer

    return transfer(source, output, form, force, progress)
