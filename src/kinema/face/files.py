"""Files in, files out: `kinema.info`, `kinema.convert`, `kinema.retarget`."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from kinema.character import Character
from kinema.errors import KinemaError, UsageError
from kinema.formats import FORMATS, Asset, accepted, batch, load_motion, open_source, written_suffixes
from kinema.formats.batch import Job, Outcome
from kinema.formats.profiles import PROFILES, prepare
from kinema.formats.profiles.prepare import Names
from kinema.formats.units import UnitError, metres_per
from kinema.motion import Motion
from kinema.retargeting import Retargeted
from kinema.retargeting import retarget as retarget_motion
from kinema.retargeting.files import RetargetedFile, RetargetOptions, load_target, retarget_all
from kinema.skeleton import Skeleton

PathLike = str | os.PathLike[str]
Progress = Callable[[int, int], None]
"""Called with the number of things done and of all things."""

Note = Callable[[str], None]
"""Called with a line on what is worth knowing."""

T = TypeVar("T")

_MESHLESS = (".bvh", ".npz", ".csv", ".xml", ".mjcf", ".vrma")


def ignore(line: str) -> None:
    """A `Note` that nobody reads."""


def info(*paths: PathLike, roles: bool = False, roles_file: PathLike | None = None, **reading: Any) -> list[Any]:
    """What is in files, folders, zip archives and databases: one row for each, as `kinema info --json` prints them.

    Args:
        roles: add the role of every joint, the chains and the rest pose.
        roles_file: a roles file for all files; None takes the one beside each file.
        reading: options for the readers, such as `skeleton="robot.urdf"` or `fps=30`.

    Returns:
        Dictionaries with path, kind, joints, frames, fps, seconds, height_m, roles and warnings; with path and error
        for a file that cannot be read.

    Raises:
        FormatError: there is no supported file.
    """
    from kinema.inspection import find_all, inspect

    return [inspect(place, reading, roles, roles_file).row for place in find_all(paths)]


@dataclass(frozen=True)
class WriteJobs:
    """Files to write.

    Attributes:
        jobs: one for each file that is read.
        single: whether one file is written, rather than a folder of files.
        suffix: suffix of the files to write.
    """

    jobs: list[Job]
    single: bool
    suffix: str


def plan(
    inputs: Sequence[PathLike],
    output: PathLike,
    to: str | None = None,
    program: str | None = None,
    force: bool = False,
    option: str = "--to",
    note: Note = ignore,
) -> WriteJobs:
    """Which file of `inputs` goes to which output.

    Args:
        to: format of the files in a folder.
        program: its format, where `to` is None; see `kinema.formats.profiles.PROFILES`.
        option: what messages call `to`.
        note: called with a line if the program does not read the format.

    Raises:
        KinemaError: the output has a suffix that cannot be written, or exists already.
        UsageError: no format is named, or two are.
    """
    paths, shown = [os.fspath(path) for path in inputs], os.fspath(output)
    single = writes_one_file(paths, shown, to, option)
    suffix = Path(shown).suffix.lower() if single else _stated_suffix(to, program, option)
    if suffix is None:
        raise UsageError(
            f"{shown} names no format: end it in .glb, .fbx, .bvh, ... for one file, or give {option} FORMAT or "
            "--for PROGRAM for a folder"
        )
    if program is not None and suffix not in PROFILES[program].reads:
        note(f"{program} reads no {suffix} files without a plug-in; it reads {' '.join(PROFILES[program].reads)}")
    if not single:
        return WriteJobs(batch.plan(paths, shown, suffix), False, suffix)
    if not force and os.path.lexists(shown):
        raise KinemaError(f"{shown} exists; give --force to overwrite it")
    return WriteJobs([Job(open_source(paths[0]), Path(shown))], True, suffix)


def writes_one_file(inputs: Sequence[str], output: str, to: str | None, option: str = "--to") -> bool:
    """Whether one file is written; otherwise a folder of files is."""
    suffix = Path(output).suffix.lower()
    if not suffix or Path(output).is_dir() or not _is_one_file(inputs):
        return False
    if to is not None and suffix not in FORMATS:
        return False
    if suffix not in written_suffixes():
        known = " ".join(sorted(written_suffixes()))
        raise KinemaError(f"{output}: cannot write {suffix} files; there are {known}")
    if to is not None and suffix != _suffix(to):
        raise UsageError(f"{option} {to} and {output} name different formats")
    return True


def _is_one_file(inputs: Sequence[str]) -> bool:
    return len(inputs) == 1 and not Path(inputs[0]).is_dir() and not inputs[0].lower().endswith(".zip")


def _stated_suffix(to: str | None, program: str | None, option: str) -> str | None:
    """The suffix of a format that was named, else of the format for a program."""
    if to is None:
        return None if program is None else PROFILES[program].suffix
    if _suffix(to) not in written_suffixes():
        known = " ".join(suffix.removeprefix(".") for suffix in sorted(written_suffixes()))
        raise UsageError(f"{option} {to}: cannot be written; there are {known}")
    return _suffix(to)


def _suffix(format_name: str) -> str:
    return "." + format_name.lower().removeprefix(".")


@dataclass(frozen=True)
class ProfileChoice:
    """For which program files are written.

    Attributes:
        program: one of `kinema.formats.profiles.PROFILES`; None for none.
        names: "keep" joint names, or give those of the program's own humanoid: "standard".
        root_motion: put the travel into a joint on the ground; None where the program expects one.

    Raises:
        UsageError: there is no such program, or options for one without a program.
    """

    program: str | None = None
    names: Names | None = None
    root_motion: bool | None = None

    def __post_init__(self) -> None:
        if self.program is None and (self.names or self.root_motion is not None):
            raise UsageError("--names and --root-motion belong to --for PROGRAM")
        if self.program is not None and self.program not in PROFILES:
            raise UsageError(f"no program is named {self.program!r}; there are {', '.join(PROFILES)}")

    @property
    def change(self) -> Callable[[Asset], Asset] | None:
        """What is done to each file before it is written."""
        if self.program is None:
            return None
        names = self.names or "keep"
        return functools.partial(prepare, profile=self.program, names=names, root_motion=self.root_motion)

    @property
    def writing(self) -> Mapping[str, Mapping[str, Any]]:
        """Options of the writers by suffix."""
        return {} if self.program is None else PROFILES[self.program].options


def convert(
    inputs: PathLike | Sequence[PathLike],
    output: PathLike,
    *,
    to: str | None = None,
    profile: ProfileChoice | None = None,
    fps: float | None = None,
    unit: str | float | None = None,
    mannequin: bool = False,
    edits: bool = False,
    edits_folder: PathLike | None = None,
    reading: Mapping[str, Any] | None = None,
    workers: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
    note: Note = ignore,
) -> list[Outcome]:
    """Convert files: one file to one file; several, a folder or a zip archive into a folder.

    Args:
        output: a file for one input file, otherwise a folder.
        to: format of the files in a folder, such as `"glb"`.
        profile: what a program expects.
        fps: resample to this frame rate.
        unit: length unit of BVH files if the guess is wrong: m, cm, mm, in, cmu, or metres per unit.
        mannequin: replace the meshes of every skeleton by a smooth skinned body.
        edits: apply the edits made in `kinema view`, kept in `edits_folder` or beside each file.
        reading: options for the readers, such as `{"skeleton": "robot.urdf"}`; each format takes those it knows.
        workers: processes; None for one each core, or this one alone for little work.
        force: overwrite outputs that exist; they are skipped otherwise.
        progress: called with the number of files done and of all files.

    Returns:
        What became of each file. A file that cannot be read or written does not stop the others.

    Raises:
        UsageError: the arguments do not fit together.
        FormatError: there is nothing to convert.
    """
    profile, edit = profile or ProfileChoice(), editing(edits, edits_folder)
    planned = plan(listed(inputs), output, to, profile.program, force, note=note)
    changes = [*([_dressed(planned.suffix)] if mannequin else []), *([profile.change] if profile.change else [])]
    options = batch.ConvertOptions(
        fps=fps,
        unit=checked_unit(unit),
        force=force,
        change=functools.partial(_apply_all, changes) if changes else None,
        edit=edit,
        writing=profile.writing,
        reading={suffix: accepted(f"x{suffix}", reading or {}) for suffix in FORMATS},
    )
    return _counted(batch.convert_all(planned.jobs, options, workers), len(planned.jobs), progress)


def listed(paths: PathLike | Sequence[PathLike]) -> list[PathLike]:
    """One path or several as a list."""
    return [paths] if isinstance(paths, str | os.PathLike) else list(paths)


def _counted(outcomes: Iterable[T], total: int, progress: Progress | None) -> list[T]:
    done: list[T] = []
    for outcome in outcomes:
        done.append(outcome)
        if progress is not None:
            progress(len(done), total)
    return done


def _dressed(suffix: str) -> Callable[[Asset], Asset]:
    from kinema.rendering.mannequin.build import dressed

    if suffix in _MESHLESS:
        raise UsageError(f"--mannequin adds a mesh, which {suffix} files cannot hold: write a .glb or .fbx")
    return dressed


def editing(edits: bool, folder: PathLike | None) -> Callable[..., Asset] | None:
    """What applies the edits of files, if they are to be applied. UsageError for a folder of edits without them."""
    from kinema.mocap.edits import edited_asset

    if folder is not None and not edits:
        raise UsageError("--edits-folder needs --edits, which applies the edits")
    return functools.partial(edited_asset, folder=folder) if edits else None


def _apply_all(changes: Sequence[Callable[[Asset], Asset]], asset: Asset) -> Asset:
    """One change after the other; a function of a module, so that it can be sent to other processes."""
    for change in changes:
        asset = change(asset)
    return asset


def checked_unit(unit: str | float | None) -> str | float | None:
    """A unit by name or in metres, as readers take it. UsageError for anything else."""
    if unit is None or unit == "auto":
        return unit
    try:
        if isinstance(unit, str) and (unit[0].isdigit() or unit[0] == "."):
            unit = float(unit)
        metres_per(unit)
    except (UnitError, ValueError, IndexError) as error:
        raise UsageError(f"--unit: {error}") from None
    return unit


def retarget(source: PathLike | Motion, to: PathLike | Skeleton | Character | Asset, **options: Any) -> Retargeted:
    """A motion on another skeleton: `.motion`, and the `.report` of how well it fits.

    Args:
        source: a motion, or a file with one.
        to: a skeleton, a character, or a file with one.
        options: those of `kinema.retargeting.retarget`.

    Raises:
        SkeletonError: nothing of the two bodies matches.
    """
    motion = source if isinstance(source, Motion) else load_motion(source)
    target = load_target(os.fspath(to)) if isinstance(to, str | os.PathLike) else to
    return retarget_motion(motion, target, **options)


def retarget_files(
    sources: PathLike | Sequence[PathLike],
    to: PathLike | RetargetOptions,
    output: PathLike,
    *,
    to_format: str | None = None,
    program: str | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    note: Note = ignore,
) -> list[RetargetedFile]:
    """Retarget files and write the results: one file to one file; several, a folder or a zip archive into a folder.

    Args:
        to: file of the target character or skeleton, or `RetargetOptions` with it.
        to_format: format of the files in a folder.
        program: its format, where `to_format` is None.
        workers: processes; None for one each core, or this one alone for little work.
        progress: called with the number of files done and of all files.

    Returns:
        What became of each file, with the reports of its clips.

    Raises:
        UsageError: the arguments do not fit together.
        FormatError: the target cannot be read, or there is nothing to retarget.
    """
    options = to if isinstance(to, RetargetOptions) else RetargetOptions(os.fspath(to))
    load_target(options.target, options.roles)  # so that an error in it is reported once, not for each source
    planned = plan(listed(sources), output, to_format, program, options.force, "--to-format", note)
    return _counted(retarget_all(planned.jobs, options, workers), len(planned.jobs), progress)
