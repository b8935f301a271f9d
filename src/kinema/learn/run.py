"""A run: the folder of one training. It holds the model, the log, the checkpoint, and the data set as it is read.

`run.json` describes the run from the start, so that an interrupted run can always be resumed.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kinema.errors import LearningError
from kinema.formats.atomic import WriteError
from kinema.learn import checkpoint, journal, tensorboard
from kinema.learn.devices import open_accelerator
from kinema.learn.folder import SPEC, WEIGHTS, read_json, write_json
from kinema.learn.initial import InitialWeights
from kinema.learn.options import make_options
from kinema.learn.recipe import Recipe
from kinema.learn.task import Task, TrainingData
from kinema.learn.tasks import find_task, name_of_task

FILE, FORMAT, VERSION = "run.json", "kinema.run", 3
DATA = "dataset"


@dataclass(frozen=True, eq=False)
class Run:
    """A training: task, data, recipe and folder.

    Attributes:
        folder: folder of the run. name: name of the task. source: what the data were made of, such as a database.
        licence: licence of the data, in words; empty when it is not known.
        command: the command that began it; empty in a program.
        initial: trained weights that it starts from; None for new ones.
    """

    folder: Path
    name: str
    task: Task
    recipe: Recipe
    source: Any
    data: TrainingData
    licence: str
    command: str
    initial: InitialWeights | None = None

    @property
    def checkpoint(self) -> Path:
        return self.folder / checkpoint.FILE


def start_run(
    folder: str | Path,
    task: str | type[Task],
    source: Any,
    options: Mapping[str, Any],
    recipe: Recipe,
    licence: str = "",
    command: str = "",
    force: bool = False,
    start_from: str | Path | None = None,
) -> Run:
    """Make the folder of a new run and its data.

    Args:
        task: as in `kinema.learn.tasks.find_task`.
        source: what the data are made of: for most tasks a motion database.
        start_from: folder of a trained model whose weights to start from; None starts from new ones.

    Raises:
        LearningError: something is there, an option is unknown, the device is not there, there is too little data, or
            the weights to start from do not fit.
        UsageError: there is no such task.
        DatabaseError: a feature cannot be computed from this data.
        WriteError: the disk is full.
    """
    path, kind = Path(folder), find_task(task)
    made = kind(make_options(kind.Options, options))
    name = name_of_task(task)
    initial = None if start_from is None else InitialWeights.of(start_from, name, kind)
    document = {
        "format": FORMAT,
        "version": VERSION,
        "task": name,
        "options": asdict(made.options),
        "recipe": recipe.to_dict(),
        "source": made.fingerprint(source),
        "data": str(getattr(source, "path", None) or ""),
        "licence": licence,
        "command": command,
        "initial": None if initial is None else initial.to_dict(),
    }
    accelerator = open_accelerator(recipe)  # a device that is not there is reported before the folder is made
    with (
        accelerator.main_process_first(),
        _new_folder(path, document, force) if accelerator.is_main_process else nullcontext(),
    ):
        data = made.data(source, path / DATA, recipe)
        if initial is not None:
            initial.check(made, data.setting)
    return Run(path, name, made, recipe, source, data, licence, command, initial)


@contextmanager
def _new_folder(path: Path, document: Mapping[str, Any], force: bool) -> Iterator[None]:
    """Make the folder of a run, or leave nothing if the block fails."""
    _check_folder(path, force)
    existed = path.exists()
    try:
        path.mkdir(parents=True, exist_ok=True)
        _clear(path)
        write_json(path / FILE, document)
        yield
    except OSError as error:
        raise WriteError(f"{path}: cannot be written: {error.strerror or error}") from None
    except BaseException:
        _clear(path)
        if not existed:
            shutil.rmtree(path, ignore_errors=True)
        raise


def _check_folder(path: Path, force: bool) -> None:
    """LearningError if the folder holds something else, or a run and `force` is not set."""
    if (path / FILE).is_file():
        if not force:
            raise LearningError(f"{path}: a run is there already; resume it with --resume or replace it with --force")
    elif path.exists() and not (path.is_dir() and not any(path.iterdir())):
        raise LearningError(f"{path}: exists and is not a training run; choose another name")


def resume_run(
    folder: str | Path,
    task: str | type[Task],
    source: Any,
    options: Mapping[str, Any],
    recipe: Mapping[str, Any],
    start_from: str | Path | None = None,
) -> Run:
    """Open the folder of a run that was interrupted.

    Args:
        task, source: as in `start_run`.
        options, recipe, start_from: requested now; everything else stays as it was.

    Raises:
        LearningError: it is not a run, or one of another task, source, options, recipe or other weights to start from;
            the message says which.
    """
    path, name, kind = Path(folder), name_of_task(task), find_task(task)
    document = read_json(path / FILE, "no training run there; leave --resume out to start one")
    if (document.get("format"), document.get("version")) != (FORMAT, VERSION):
        raise LearningError(f"{path / FILE}: not a {FORMAT} of version {VERSION}; start over with --force")
    if document.get("task") != name:
        raise LearningError(f"{path}: a run of the task {document.get('task')!r}, not {name!r}")
    try:
        saved = Recipe.from_dict(document["recipe"])
        licence, command = str(document["licence"]), str(document["command"])
        chosen = make_options(kind.Options, document["options"])
        fingerprint = str(document["source"])
        begun = document.get("initial")
        initial = None if begun is None else InitialWeights.from_dict(begun)
    except (KeyError, TypeError, ValueError, LearningError) as error:
        raise LearningError(f"{path / FILE}: damaged ({error}); start over with --force") from None
    current = {**asdict(chosen), **saved.to_dict()}
    wanted = {**asdict(make_options(kind.Options, {**asdict(chosen), **options})), **{**saved.to_dict(), **recipe}}
    changed = [f"{key} was {current[key]!r}, not {wanted[key]!r}" for key in current if current[key] != wanted[key]]
    if changed:
        raise LearningError(f"{path}: another run: {', '.join(changed)}; a run is resumed with its own settings")
    if start_from is not None and (initial is None or InitialWeights.of(start_from, name, kind).hash != initial.hash):
        began = "new weights" if initial is None else initial.folder
        raise LearningError(f"{path}: another run: it started from {began}, not from {start_from}")
    made = kind(chosen)
    if made.fingerprint(source) != fingerprint:
        raise LearningError(f"{path}: a run on other data ({document.get('data')}), not {getattr(source, 'path', '')}")
    with open_accelerator(saved).main_process_first():
        return Run(path, name, made, saved, source, made.data(source, path / DATA, saved), licence, command, initial)


def _clear(path: Path) -> None:
    """Remove what a run wrote, and nothing else."""
    for name in (FILE, checkpoint.FILE, journal.FILE, WEIGHTS, SPEC, "loss.png"):
        (path / name).unlink(missing_ok=True)
    for name in (DATA, tensorboard.FOLDER):
        shutil.rmtree(path / name, ignore_errors=True)


def describe_data(run: Run) -> dict[str, Any]:
    """Where the weights come from, for the spec of the model."""
    return {**run.data.origin(), "licence": run.licence or "unknown"}
