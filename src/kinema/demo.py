"""The main job end to end, unattended: motion, database, controller, commands, files, metrics."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kinema import formats, kinematics, rotations
from kinema.character import Character
from kinema.control.command import CommandTrack, harsh_track
from kinema.control.drive import Drive, drive
from kinema.control.presets import motion_matching_controller
from kinema.control.subject import open_subject
from kinema.control.trajectory import Trajectory
from kinema.errors import KinemaError, MissingError, SkeletonError
from kinema.formats.atomic import atomic_write
from kinema.metrics import Reference, Rollout, evaluate, ground_truth_row
from kinema.mocap.database import MotionDatabase
from kinema.motion import Motion
from kinema.roles import require_biped
from kinema.skeleton import Skeleton

FPS = 60.0
VIDEO = "demo.mp4"
FILES = ("demo.glb", "demo.bvh", "sheet.png", "metrics.json", VIDEO)
"""What :func:`run_demo` writes."""

_VIDEO_SIZE, _VIDEO_RATE = (576, 324), 24.0  # small enough to be drawn without a graphics card while one waits


@dataclass(frozen=True)
class DemoReport:
    """What a demo made.

    Attributes:
        rows: of metrics, ground truth first, a sliding statue last.
        outputs: files written.
        left_out: file and reason of what could not be made on this machine.
    """

    rows: list[dict[str, Any]]
    outputs: list[str]
    left_out: tuple[tuple[str, str], ...] = ()


def run_demo(
    out: str | os.PathLike[str],
    data: Sequence[str | os.PathLike[str]] = (),
    character: Character | None = None,
    seconds: float = 20.0,
    seed: int = 1,
    note: Callable[[str], None] = lambda line: None,
    progress: Callable[[int, int, str], None] | None = None,
    video: bool = True,
) -> DemoReport:
    """Drive a character through the standard test drive and write what came of it into the folder ``out``.

    Args:
        data: a database, or motion files; empty generates motion.
        character: whom motion is generated for, and who is written to the GLB file; where its joints are not the
            data's, the drive is retargeted to it.
        seconds: length of the drive. seed: of its commands.
        progress: called with steps done, steps in all, and what is being done.
        video: film the drive; where that needs something that is missing, it is left out and the report says why.

    Raises:
        KinemaError: the data cannot be used, the skeleton has no legs, or a file cannot be written.
    """
    folder = Path(out)
    _check_folder(folder)
    missing = _why_no_video() if video else None
    if missing:
        note(f"{VIDEO} is left out: {missing}")
    track = harsh_track(seconds, seed)
    with open_subject(data, None if character is None else character.skeleton, note) as database:
        require_biped(database.skeleton)
        note(f"{database.seconds / 60:.1f} minutes of motion, {database.skeleton.joint_count} joints")
        reference = Reference.from_database(database, FPS, seconds=3600.0)
        truth = ground_truth_row(reference)  # first: too little data is said before the drive
        controller = motion_matching_controller(database)
        driving = None if progress is None else lambda done, total: progress(done, total, "driving")
        driven = drive(controller, track, FPS, database.clearance, driving)
        note("measuring")
        rows = [
            truth,
            evaluate(driven.rollout, reference, "motion matching"),
            evaluate(sliding(database, track), reference, "sliding statue"),
        ]
    from kinema.render.bodies import body_for

    worn = character if character and wears(character.skeleton, driven.motion.skeleton) else None
    shown, acted = worn, driven.motion
    if character and not worn:
        shown, acted = _on(character, driven.motion, note)
    body = body_for(driven.motion.skeleton, driven.motion, worn)
    outputs = _write(folder, driven, formats.Asset("", "gltf", acted.skeleton, (acted,), shown), body, rows, seed)
    if video and not missing:
        note("filming")
        outputs.append(_film(folder / VIDEO, driven, body, progress))
    return DemoReport(rows, outputs, ((str(folder / VIDEO), missing),) if missing else ())


def _on(character: Character, motion: Motion, note: Callable[[str], None]) -> tuple[Character | None, Motion]:
    """The drive on a character with other joints; without the character where nothing of it matches."""
    from kinema.retarget import retarget

    try:
        moved = retarget(motion, character).motion
    except SkeletonError as error:
        note(f"the character's mesh is left out: {error}")
        return None, motion
    note("the character's joints are not those of the data: demo.glb has the drive retargeted to it")
    return character, moved


def _why_no_video() -> str | None:
    """What is missing for a film, and how to get it; None if nothing is."""
    from kinema.render.context import probe
    from kinema.render.film.writers import need_av

    try:
        need_av()
        probe()
    except MissingError as error:
        return str(error)
    return None


def _film(
    path: Path, driven: Drive, body: Character, progress: Callable[[int, int, str], None] | None
) -> str:
    """The drive as a film: the body, the way it was told to go in green, its own in dark, and its feet that stand."""
    from kinema.render.film.camera_work import CameraWork
    from kinema.render.film.demo_marks import path_marks
    from kinema.render.film.film import Settings
    from kinema.render.film.performance import Take
    from kinema.render.film.shoot import Order, shoot

    rollout = driven.rollout
    told = rollout.root_positions if rollout.target_positions is None else rollout.target_positions
    marks = path_marks(rollout.root_positions, told, FPS)
    take = Take("Kinema demo", driven.motion.skeleton, driven.motion, body, marks)
    settings = Settings(*_VIDEO_SIZE, _VIDEO_RATE, camera=CameraWork("follow", elevation=0.3), show=("contacts",))
    filming = None if progress is None else lambda done, total: progress(done, total, "filming")
    return shoot([take], path, settings, Order("draft"), filming).outputs[0]


def _check_folder(folder: Path) -> None:
    """Says before the work, not after it, that its results could not be written."""
    above = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not above.is_dir():
        raise KinemaError(f"{folder}: cannot be made a folder, {above} is a file")
    if not os.access(above, os.W_OK):
        raise KinemaError(f"{folder}: cannot be written to, no permission")


def wears(character: Skeleton, moved: Skeleton) -> bool:
    """Whether motion on one skeleton fits the mesh of another: same joints, lengths and rest orientations.

    The hips and what is above them may differ: a database places them anew.
    """
    if not character.same_topology(moved):
        return False
    below = np.asarray([moved.roles.hips in moved.ancestors(joint) for joint in range(moved.joint_count)])
    lengths = np.allclose(character.rest_translations[below], moved.rest_translations[below], atol=0.01)
    turned = rotations.angle(rotations.relative(character.rest_rotations[below], moved.rest_rotations[below]))
    return lengths and bool((turned < 0.02).all())


def sliding(database: MotionDatabase, track: CommandTrack) -> Rollout:
    """The trivial baseline: one pose, moved exactly as commanded. Perfect obedience, no steps."""
    frames, skeleton = round(track.seconds * FPS), database.skeleton
    goal = Trajectory.start(1)
    positions, headings = np.empty((frames, 3), np.float32), np.empty(frames, np.float32)
    for frame in range(frames):
        goal.step(track.at(frame / FPS), 1.0 / FPS)
        positions[frame], headings[frame] = goal.position[0], goal.heading[0]
    pose = database.frame_arrays(slice(0, 1))
    local = kinematics.forward(pose.local_rotations, pose.local_translations, skeleton.parents.tolist())[1]
    turned = rotations.from_yaw(headings)
    return Rollout(
        fps=FPS,
        positions=rotations.rotate(turned[:, None], local) + positions[:, None],
        root_positions=positions,
        root_rotations=turned,
        hips=skeleton.roles.hips,
        feet=database.contact_joints.tolist(),
        clearance=database.clearance,
        contacts=np.ones((frames, len(database.contact_joints)), np.float32),
        commanded_velocities=track.sampled(FPS)[:frames],
        target_positions=positions,
        target_rotations=turned,
    )


def _write(
    folder: Path, driven: Drive, asset: formats.Asset, body: Character, rows: list[dict[str, Any]], seed: int
) -> list[str]:
    """All but the film; ``asset`` goes into the GLB file, ``body`` is what pictures show."""
    from kinema.render.sheet.motion_sheet import motion_sheet

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise KinemaError(f"{folder}: cannot make this folder ({error.strerror})") from None
    glb, bvh, sheet, metrics = (folder / name for name in FILES[:4])
    motion, rollout = driven.motion, driven.rollout
    formats.save(asset, glb)
    formats.save(motion, bvh)
    picture = motion_sheet(
        motion, body, target_positions=rollout.target_positions,
        commanded_velocities=rollout.commanded_velocities, title="Kinema demo",
    )  # fmt: skip
    encoded = io.BytesIO()
    picture.save(encoded, "PNG")
    atomic_write(sheet, encoded.getvalue())
    document = {"seconds": motion.seconds, "fps": FPS, "seed": seed, "rows": [_plain(row) for row in rows]}
    atomic_write(metrics, (json.dumps(document, indent=2) + "\n").encode())
    return [str(path) for path in (glb, bvh, sheet, metrics)]


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """A row with numbers that JSON has."""
    return {key: value if isinstance(value, str) or value is None or np.isfinite(value) else None
            for key, value in row.items()}  # fmt: skip
