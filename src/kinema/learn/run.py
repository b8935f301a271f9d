"""A run: the folder of one training. It holds the model, the log, the checkpoint, and the data set as it is read.

`run.json` describes the run from the start, so that an interrupted run can always be resumed.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kinema.errors import DatabaseError, LearningError
from kinema.features import Dataset, valid_frames
from kinema.features.dataset_write import fingerprint
from kinema.features.spec import Specs
from kinema.formats.atomic import WriteError
from kinema.learn import checkpoint, journal
from kinema.learn.folder import SPEC, WEIGHTS, read_json, write_json
from kinema.learn.model import Task, find_device, make_options
from kinema.learn.recipe import Recipe
from kinema.learn.tasks import find_task
from kinema.mocap import MotionDatabase

FILE, FORMAT, VERSION = "run.json", "kinema.run", 2
DATASET = "dataset"


@dataclass(frozen=True, eq=False)
class Run:
    """A training: task, data, recipe and folder.

    Attributes:
        folder: folder of the run. name: name of the task.
        licence: licence of the data, in words; empty when it is not known.
        command: the command that began it; empty in a program.
    """

    folder: Path
    name: str
    task: Task
    options: Any
    recipe: Recipe
    database: MotionDatabase
    dataset: Dataset
    licence: str
    command: str

    @property
    def checkpoint(self) -> Path:
        return self.folder / checkpoint.FILE


def start_run(
    folder: str | Path,
    name: str,
    database: MotionDatabase,
    options: Mapping[str, Any],
    recipe: Recipe,
    licence: str = "",
    command: str = "",
    force: bool = False,
) -> Run:
    """Make the folder of a new run and its data set.

    Raises:
        LearningError: something is there, the task or an option is unknown, or there is too little data.
        DatabaseError: a feature cannot be computed from this data.
        WriteError: the disk is full.
    """
    path, task = Path(folder), find_task(name)
    chosen = make_options(task, options)
    _check_folder(path, force)
    find_device(recipe.device)
    specs = task.specs(database.skeleton, chosen)
    frames = _usable(database, specs)
    made = not path.exists()
    document = {
        "format": FORMAT,
        "version": VERSION,
        "task": name,
        "options": asdict(chosen),
        "recipe": recipe.to_dict(),
        "database": fingerprint(database),
        "data": str(database.path or ""),
        "licence": licence,
        "command": command,
    }
    try:
        path.mkdir(parents=True, exist_ok=True)
        _clear(path)
        write_json(path / FILE, document)
        dataset = _build(path, database, specs, frames, recipe)
        _check_size(database, dataset, recipe)
        dataset.normalizers()  # reports a feature that never changes
    except OSError as error:
        raise WriteError(f"{path}: cannot be written: {error.strerror or error}") from None
    except BaseException:
        _clear(path)
        if made:
            shutil.rmtree(path, ignore_errors=True)
        raise
    return Run(path, name, task, chosen, recipe, database, dataset, licence, command)


def _check_folder(path: Path, force: bool) -> None:
    """LearningError if the folder holds something else, or a run and `force` is not set."""
    if (path / FILE).is_file():
        if not force:
            raise LearningError(f"{path}: a run is there already; resume it with --resume or replace it with --force")
    elif path.exists() and not (path.is_dir() and not any(path.iterdir())):
        raise LearningError(f"{path}: exists and is not a training run; choose another name")


def resume_run(
    folder: str | Path, name: str, database: MotionDatabase, options: Mapping[str, Any], recipe: Mapping[str, Any]
) -> Run:
    """Open the folder of a run that was interrupted.

    Args:
        options, recipe: requested now; everything else stays as it was.

    Raises:
        LearningError: it is not a run, or one of another task, database, options or recipe; the message says which.
    """
    path = Path(folder)
    document = read_json(path / FILE, "no training run there; leave --resume out to start one")
    if (document.get("format"), document.get("version")) != (FORMAT, VERSION):
        raise LearningError(f"{path / FILE}: not a {FORMAT} of version {VERSION}; start over with --force")
    try:
        before, saved = document["task"], Recipe.from_dict(document["recipe"])
        licence, command = str(document["licence"]), str(document["command"])
        task = find_task(before)
        chosen = make_options(task, document["options"])
        print_of_data = str(document["database"])
    except (KeyError, TypeError, ValueError, LearningError) as error:
        raise LearningError(f"{path / FILE}: damaged ({error}); start over with --force") from None
    if before != name:
        raise LearningError(f"{path}: a run of the task {before!r}, not {name!r}")
    current = {**asdict(chosen), **saved.to_dict()}
    wanted = {**asdict(make_options(task, {**asdict(chosen), **options})), **{**saved.to_dict(), **recipe}}
    changed = [f"{key} was {current[key]!r}, not {wanted[key]!r}" for key in current if current[key] != wanted[key]]
    if changed:
        raise LearningError(f"{path}: another run: {', '.join(changed)}; a run is resumed with its own settings")
    if fingerprint(database) != print_of_data:
        raise LearningError(f"{path}: a run on other data ({document.get('data')}), not {database.path}")
    specs = task.specs(database.skeleton, chosen)
    try:
        dataset = Dataset.open(path / DATASET, x_spec=specs[0], y_spec=specs[1], source=database)
    except DatabaseError:
        # Killed while it was made, or thrown away to save room: it follows from the database.
        shutil.rmtree(path / DATASET, ignore_errors=True)
        dataset = _build(path, database, specs, _usable(database, specs), saved)
    return Run(path, name, task, chosen, saved, database, dataset, licence, command)


def _usable(database: MotionDatabase, specs: Specs) -> np.ndarray:
    inside = valid_frames(database, specs[0]) & valid_frames(database, specs[1])
    frames = np.flatnonzero(inside)
    takes = {clip.take for clip in database.clips}
    if len(takes) < 2:
        raise LearningError(
            f"{_named(database)}: holds one take; training keeps whole takes for validation and needs at least two"
        )
    if not len(frames):
        raise LearningError(f"{_named(database)}: every clip is shorter than the window of this task")
    return frames


def _build(path: Path, database: MotionDatabase, specs: Specs, frames: np.ndarray, recipe: Recipe) -> Dataset:
    return Dataset.build(
        database, *specs, path / DATASET, frames=frames, validation=recipe.held_out, seed=recipe.seed, force=True
    )


def _check_size(database: MotionDatabase, dataset: Dataset, recipe: Recipe) -> None:
    training, held = len(dataset.samples("train")), len(dataset.samples("validation"))
    if training < recipe.batch:
        raise LearningError(
            f"{_named(database)}: {training} samples to train on are less than a batch of {recipe.batch}; add motion "
            f"or use --batch {max(training // 4, 1)}"
        )
    if not held:
        raise LearningError(f"{_named(database)}: no sample is left for validation; add takes that are long enough")


def _named(database: MotionDatabase) -> str:
    return str(database.path or "the database")


def _clear(path: Path) -> None:
    """Remove what a run wrote, and nothing else."""
    for name in (FILE, checkpoint.FILE, journal.FILE, WEIGHTS, SPEC, "loss.png"):
        (path / name).unlink(missing_ok=True)
    shutil.rmtree(path / DATASET, ignore_errors=True)


def describe_data(run: Run) -> dict[str, Any]:
    """Where the weights come from, for the spec of the model."""
    clips = run.database.clips
    held = np.unique(run.dataset.clip[run.dataset.samples("validation")])
    return {
        "database": run.dataset.index["database"],
        "clips": len(clips),
        "minutes": round(run.database.seconds / 60, 2),
        "held_out": [clips[index].name + ("_mirrored" if clips[index].mirrored else "") for index in held.tolist()],
        "licence": run.licence or "unknown",
    }
