"""A demonstration of the whole pipeline: motion, database, controller, commands, files, metrics."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kinema import formats
from kinema.arrays import Singles
from kinema.character import Character
from kinema.control.command import harsh_track
from kinema.control.drive import Drive
from kinema.control.presets import controller_maker
from kinema.control.retargeted import fits, retargeter_for, source_skeleton
from kinema.control.subject import open_subject
from kinema.control.tracks import share_of_speeds
from kinema.errors import KinemaError, MissingError
from kinema.evaluation import FPS, evaluate_controller
from kinema.formats.atomic import atomic_write
from kinema.mocap.database import MotionDatabase
from kinema.motion import Motion
from kinema.retargeting.retargeter import Retargeter, target_skeleton
from kinema.roles import require_legs
from kinema.terrain import Ground, Scaled

SHEET, VIDEO = "sheet.png", "demo.mp4"
FILES = ("demo.glb", "demo.bvh", SHEET, "metrics.json", VIDEO)
"""The files that `run_demo` writes."""

_VIDEO_SIZE, _VIDEO_RATE = (576, 324), 24.0  # small enough to render quickly without a graphics card


@dataclass(frozen=True)
class DemoReport:
    """The result of a demo.

    Attributes:
        rows: rows of metrics: ground truth first, the sliding statue last.
        outputs: files that were written.
        left_out: file names and reasons of files that could not be made on this machine.
    """

    rows: list[dict[str, Any]]
    outputs: list[str]
    left_out: tuple[tuple[str, str], ...] = ()


def run_demo(
    out: str | os.PathLike[str],
    data: Sequence[str | os.PathLike[str]] = (),
    character: Character | formats.Asset | None = None,
    seconds: float = 20.0,
    seed: int = 1,
    note: Callable[[str], None] = lambda line: None,
    progress: Callable[[int, int, str], None] | None = None,
    video: bool = True,
    reading: Mapping[str, Any] | None = None,
    ground: Ground | None = None,
    style: str | None = None,
    family: str = "motion-matching",
    features: str | None = None,
) -> DemoReport:
    """Drive a character through the standard test drive and write the results to the folder `out`.

    Args:
        data: a database, or motion files; empty generates motion.
        character: the character to drive and show, or the file that holds it. If its joints differ from those of the
            data, the drive is retargeted to it. The metrics are those of the drive on the data's joints.
        seconds: length of the drive. seed: seed of its commands.
        progress: called with the number of steps done, the number of all steps, and the current task.
        video: make a film of the drive. Pictures that need a missing package are left out; the report has the reason.
        reading: options for the readers of motion files, such as `{"up": "z"}`; each format takes those it knows.
        ground: what the character walks on; None is level ground. The sheet does not show it.
        style: how it moves: a tag of clips of the data.
        family, features: what drives it; see `kinema.control.presets.controller_maker`.

    Raises:
        KinemaError: the data cannot be used, the skeleton has no legs, the data cannot move the character, or a file
            cannot be written.
    """
    folder = Path(out)
    _check_folder(folder)
    missing = missing_pictures(video)
    for reason in dict.fromkeys(missing.values()):
        names = [name for name in missing if missing[name] == reason]
        note(f"{' and '.join(names)} {'are' if len(names) > 1 else 'is'} left out: {reason}")
    track = harsh_track(seconds, seed)
    skeleton = None if character is None else target_skeleton(character)
    make, name = controller_maker(family, features, style), Path(family).name.replace("-", " ")
    source = None if skeleton is None else source_skeleton(skeleton)
    with open_subject(data, source, note, reading, make.subject) as database:
        require_legs(database.skeleton)
        # Set up the retargeting first, so that a character that cannot follow is reported before the drive.
        stage = None if character is None else _stage(character, database, note)
        note(f"{database.seconds / 60:.1f} minutes of motion, {database.skeleton.joint_count} joints")
        driving = None if progress is None else lambda done, total: progress(done, total, "driving")
        controller = make(database)
        if ground is not None:
            controller.ground = ground if stage is None else Scaled(ground, 1 / stage.scale)
        track = track.scaled(share_of_speeds(database))
        measured = evaluate_controller(controller, database, {name: [track]}, note, driving)
    rows, driven = measured.rows, measured.drives[name][0]
    shown = _shown(driven, character, stage)
    _make_folder(folder)
    films: list[str] = []
    if video and VIDEO not in missing:  # first, so that nothing is in the way of a second try if it fails
        note("filming")
        films.append(_film(folder / VIDEO, shown, ground, progress))
    outputs = [*_write(folder, driven, shown, rows, seed, SHEET not in missing, note), *films]
    return DemoReport(rows, outputs, tuple((str(folder / name), reason) for name, reason in missing.items()))


@dataclass(frozen=True, eq=False)
class _Shown:
    """The part of a drive that pictures and files show, in the scale of the character.

    Attributes:
        motion: motion on the joints of `body`. body: character with meshes. asset: the character to write.
        roots, targets: `[F, 3]`, metres: positions of the character and of its commands.
        velocities: `[F, 3]`, m/s: commanded velocities.
    """

    motion: Motion
    body: Character
    asset: formats.Asset
    roots: Singles
    targets: Singles
    velocities: Singles


def _stage(
    character: Character | formats.Asset, database: MotionDatabase, note: Callable[[str], None]
) -> Retargeter | None:
    """The retargeter from the drive to the character, or None if the character fits the data."""
    skeleton = target_skeleton(character)
    if fits(skeleton, database.skeleton):
        return None
    note("the character's joints differ from those of the data; the drive is retargeted to it")
    return retargeter_for(database, character)


def _shown(driven: Drive, character: Character | formats.Asset | None, stage: Retargeter | None) -> _Shown:
    from kinema.rendering.bodies import body_for

    rollout, motion = driven.rollout, driven.motion
    scale = np.float32(1.0 if stage is None else stage.scale)
    if stage is not None:
        motion = stage(motion, measured=False).motion
    chosen = character.character if isinstance(character, formats.Asset) else character
    body = body_for(motion.skeleton, motion, chosen)
    targets = rollout.root_positions if rollout.target_positions is None else rollout.target_positions
    velocities = np.zeros_like(targets) if rollout.commanded_velocities is None else rollout.commanded_velocities
    asset = formats.Asset("", "gltf", motion.skeleton, (motion,), chosen)
    return _Shown(motion, body, asset, scale * rollout.root_positions, scale * targets, scale * velocities)


def missing_pictures(video: bool) -> dict[str, str]:
    """The pictures that cannot be made on this machine, with the reason and what to install."""
    from kinema.rendering.context import probe
    from kinema.rendering.film.output import need_av

    found: dict[str, str] = {}
    for check, names in ((probe, (SHEET, VIDEO)), (need_av, (VIDEO,))):
        try:
            check()
        except MissingError as error:
            found |= {name: str(error) for name in names if name not in found and (video or name != VIDEO)}
    return found


def _film(path: Path, shown: _Shown, ground: Ground | None, progress: Callable[[int, int, str], None] | None) -> str:
    """Film the drive: the body, the commanded path in green, its own path in a dark colour, and foot contacts."""
    from kinema.rendering.film.camera_work import CameraWork
    from kinema.rendering.film.demo_marks import path_marks
    from kinema.rendering.film.film import FilmSettings
    from kinema.rendering.film.performance import Shot
    from kinema.rendering.film.shoot import RenderOptions, shoot

    marks = path_marks(shown.roots, shown.targets, FPS, ground)
    shot = Shot("Kinema demo", shown.motion.skeleton, shown.motion, shown.body, marks, ground)
    settings = FilmSettings(*_VIDEO_SIZE, _VIDEO_RATE, camera=CameraWork("follow", elevation=0.3), show=("contacts",))
    filming = None if progress is None else lambda done, total: progress(done, total, "filming")
    return shoot([shot], path, settings, RenderOptions("draft"), filming).outputs[0]


def _check_folder(folder: Path) -> None:
    """Fail before the work, not after it, if the results cannot be written."""
    above = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not above.is_dir():
        raise KinemaError(f"{folder}: cannot create this folder, {above} is a file")
    if not os.access(above, os.W_OK):
        raise KinemaError(f"{folder}: cannot write to this folder, permission denied")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise KinemaError(f"{folder}: cannot create this folder ({error.strerror})") from None


def _write(
    folder: Path,
    driven: Drive,
    shown: _Shown,
    rows: list[dict[str, Any]],
    seed: int,
    sheet: bool,
    note: Callable[[str], None],
) -> list[str]:
    """Write all files except the film. The BVH file has the drive on the joints of the data, as do the metrics."""
    paths = [folder / name for name in FILES[:4] if sheet or name != SHEET]
    motion = driven.motion
    if sheet:
        _draw_sheet(folder / SHEET, shown)
    for thing, name in ((shown.asset, FILES[0]), (motion, FILES[1])):
        for line in formats.save(thing, folder / name):
            note(f"{name}: {line}")
    document = {"seconds": motion.seconds, "fps": FPS, "seed": seed, "rows": [_plain(row) for row in rows]}
    atomic_write(folder / FILES[3], (json.dumps(document, indent=2) + "\n").encode())
    return [str(path) for path in paths]


def _draw_sheet(path: Path, shown: _Shown) -> None:
    from kinema.rendering.sheet.motion_sheet import motion_sheet

    picture = motion_sheet(
        shown.motion,
        shown.body,
        target_positions=shown.targets,
        commanded_velocities=shown.velocities,
        title="Kinema demo",
    )
    encoded = io.BytesIO()
    picture.save(encoded, "PNG")
    atomic_write(path, encoded.getvalue())


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """A row with the numbers that JSON supports."""
    return {
        key: value if isinstance(value, str) or value is None or np.isfinite(value) else None
        for key, value in row.items()
    }
