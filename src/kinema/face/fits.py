"""Scenes from pictures, and scenes to look at: `kinema.fit_scene` and `kinema.view_scene`."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kinema.errors import SceneError, UsageError
from kinema.face.files import Note, ignore
from kinema.face.scenes import SceneSource, scene
from kinema.face.screens import Screen, Shown, show_session
from kinema.interruption import asked_to_stop
from kinema.worlds.files import check_written, write_scene
from kinema.worlds.gaussians import GaussianScene

if TYPE_CHECKING:
    from kinema.rendering.reconstruction.fit import Fit
    from kinema.rendering.reconstruction.photos import Capture

PathLike = str | os.PathLike[str]
Told = Callable[..., None]
"""Called with what is done, all there is, and a few words."""

_SIZE = 256


@dataclass(frozen=True)
class SceneFit:
    """What became of a capture.

    Attributes:
        scene: that was fitted.
        splats: their number. degree: of the harmonics of colours.
        steps: that were taken. stopped: whether a signal ended it early.
        pictures: that it was fitted to. held_out: that were kept back to measure.
        points: known places that it began with.
        seen_db: mean peak signal-to-noise ratio of up to 24 of the pictures that it was fitted to.
        unseen_db: of those kept back; None if none were. baseline_db: of the mean colour in place of these.
        cpu_seconds, wall_seconds: of the fit. outputs: files written. notes: on what was left out.
    """

    scene: GaussianScene
    splats: int
    degree: int
    steps: int
    stopped: bool
    pictures: int
    held_out: int
    points: int
    seen_db: float
    unseen_db: float | None
    baseline_db: float | None
    cpu_seconds: float
    wall_seconds: float
    outputs: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def row(self) -> dict[str, Any]:
        """As `kinema scene fit --json` prints it."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name != "scene"}


def fit_scene(
    folder: PathLike,
    output: PathLike | None = None,
    *,
    steps: int = 3000,
    size: int = _SIZE,
    splats: int = 30_000,
    degree: int = 0,
    holdout: int = 0,
    seed: int = 0,
    resume: bool = False,
    progress: Told | None = None,
    note: Note = ignore,
) -> SceneFit:
    """Fit a scene to the pictures of a folder, whose cameras COLMAP or a `transforms.json` gives, on the processor.

    The first Ctrl+C ends it early: what has been fitted until then is written and returned. Where it stands is kept
    beside the output, each minute and then (`garden.ply.partial`), until the fit is done.

    Args:
        folder: see `kinema.rendering.reconstruction.folder.read_capture`.
        output: `.ply`, `.compressed.ply`, `.splat` or `.spz`; overwritten if it exists. None writes nothing.
        steps: pictures that are compared, one after the other.
        size: pixels to the longer side of pictures, which are made smaller.
        splats: at most. degree: 0 to 3, of the spherical harmonics of colours: above 0, colours depend on the view.
        holdout: keep back every such picture to measure; 0 keeps none.
        seed: of everything random.
        resume: go on with a fit of the same pictures, options and output that was interrupted; the scene becomes what
            it would have become without that.
        progress: called with steps done, all steps and the loss.
        note: called with a line on what was read.

    Raises:
        FormatError: a file is not there or damaged, or there are no cameras.
        SceneError: there are fewer than two pictures, or they were taken from one place.
        UsageError: a number is out of range, no format that is written has this suffix, or there is nothing to resume.
        WriteError: the file cannot be written.
    """
    from kinema.rendering.reconstruction.fit import FitRecipe, fitted
    from kinema.rendering.reconstruction.folder import read_capture
    from kinema.rendering.reconstruction.keeping import FitFile

    recipe = FitRecipe(steps=steps, splats=splats, degree=degree, seed=seed)
    if size < 16 or holdout < 0 or holdout == 1:
        raise UsageError("pictures have 16 pixels or more, and every second one can be held back at most")
    if output is not None:
        check_written(output)
    elif resume:
        raise UsageError("a fit is resumed beside its output; say where that is")
    whole = read_capture(folder, size)
    kept, held = whole.parted(holdout)
    for line in whole.notes:
        note(line)
    note(f"{len(kept.photos)} pictures to fit, {len(held.photos)} held back, {len(whole.points):,} points")
    file = None if output is None else FitFile.beside(output, kept, recipe)
    begin = file.read() if file and resume else None
    if begin is not None:
        note(f"goes on after {begin.steps:,} steps")
    cpu, wall = time.process_time(), time.perf_counter()
    with asked_to_stop() as request:

        def step(done: int, loss: float) -> bool:
            if progress is not None:
                progress(done, steps, f"loss {loss:.4f}")
            return not request()

        fit = fitted(kept, recipe, step, keep=file.write if file else None, begin=begin)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        if not len(fit.scene):
            raise SceneError("nothing is left of the scene: the cameras may not fit the pictures")
        found = replace(fit.scene, name=Path(folder).resolve().name)
        if output is not None:
            write_scene(found, output)
        if file and fit.steps == steps:
            file.remove()
    return SceneFit(
        found,
        len(found),
        found.degree,
        fit.steps,
        fit.steps < steps,
        len(kept.photos),
        len(held.photos),
        len(whole.points),
        *_measured(fit, kept, held),
        round(cpu, 2),
        round(wall, 2),
        () if output is None else (os.fspath(output),),
        whole.notes,
    )


def _measured(fit: Fit, kept: Capture, held: Capture) -> tuple[float, float | None, float | None]:
    """Decibels of pictures that were seen, of those that were not, and of the mean colour in place of these."""
    from kinema.rendering.reconstruction.fit import decibels_of
    from kinema.rendering.reconstruction.similarity import decibels

    seen = decibels_of(fit, kept.photos[:: math.ceil(len(kept.photos) / 24)])
    if not held.photos:
        return round(seen, 2), None, None
    mean = np.mean([photo.picture.mean(axis=(0, 1)) for photo in kept.photos], axis=0) / 255.0
    flat = [decibels(np.broadcast_to(mean, photo.picture.shape), photo.picture / 255.0) for photo in held.photos]
    return round(seen, 2), round(decibels_of(fit, held.photos), 2), round(float(np.mean(flat)), 2)


def view_scene(*sources: SceneSource, **screen: Any) -> Shown:
    """Fly around in scenes, in the browser or in a window, until it is closed or Ctrl+C is pressed.

    Args:
        sources: see `kinema.scene`; the first is shown first.
        screen: attributes of `kinema.face.screens.Screen`, such as `window=True` or `seconds=10`.

    Raises:
        FormatError: the first cannot be read.
        MissingError: the viewer or the window is not installed.
        UsageError: there are none.
    """
    from kinema.session.scenes import SceneSession

    if not sources:
        raise UsageError("give a scene to look at: a file, the name of a made world, or a file with meshes")
    names = [_named(source, number) for number, source in enumerate(sources)]
    names = [name if names.count(name) == 1 else f"{name} ({number + 1})" for number, name in enumerate(names)]
    report = show_session(
        lambda log: SceneSession(names, lambda number: scene(sources[number]), log), "Kinema scene", Screen(**screen)
    )
    return replace(report, files=len(sources))


def _named(source: SceneSource, number: int) -> str:
    if isinstance(source, str | os.PathLike):
        return Path(source).name
    return getattr(source, "name", "") or f"scene {number + 1}"
