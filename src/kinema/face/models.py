"""From motions to databases, controllers and models: `kinema.build`, `label`, `augment`, `train`, `evaluate`."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kinema.errors import DatabaseError, KinemaError, LearningError, UsageError
from kinema.face.bodies import open_creature
from kinema.face.grounds import open_terrain
from kinema.mocap import MotionDatabase, labels, store
from kinema.mocap import build as build_files
from kinema.mocap.held_out import split
from kinema.motion import Motion

if TYPE_CHECKING:
    from kinema.control.controller import Controller
    from kinema.control.presets import FamilyMaker, SpecMaker
    from kinema.learn.task import Task
    from kinema.learn.training import Training, TrainingReport
    from kinema.metrics.evaluate import MetricsRow
    from kinema.mocap.creatures import Creature
    from kinema.terrain import Ground

PathLike = str | os.PathLike[str]

DEFAULT = "default"
"""In place of a folder: the weights that come with Kinema."""


def build(
    data: PathLike | Motion | Iterable[PathLike | Motion], output: PathLike | None = None, **options: Any
) -> MotionDatabase:
    """A motion database of files, folders, archives or motions.

    Args:
        output: the folder to write it to; None keeps a database of motions in memory and puts one of files into a
            temporary folder.
        options: those of `kinema.mocap.build.build` for files, of `MotionDatabase.from_motions` for motions.

    Raises:
        DatabaseError: nothing of the data can be used.
    """
    listed = [data] if isinstance(data, str | os.PathLike | Motion) else list(data)
    motions = [one for one in listed if isinstance(one, Motion)]
    if motions and len(motions) == len(listed):
        database = MotionDatabase.from_motions(motions, **options)
        if output is not None:
            database.save(output)
        return database
    if motions:
        raise KinemaError("a database is built of files or of motions, not of both; load the files first")
    folder = Path(tempfile.mkdtemp(prefix="kinema-")) / "data.db" if output is None else Path(output)
    build_files(listed, folder, **options)  # type: ignore[arg-type]
    return MotionDatabase.open(folder)


def label(
    data: PathLike | MotionDatabase,
    labellers: Sequence[str] = ("gait",),
    *,
    learned: PathLike | None = None,
    steps: int = 2000,
    note: Callable[[str], None] = lambda line: None,
    progress: Callable[[int, int], None] | None = None,
) -> MotionDatabase:
    """Compute labels of a database, such as the phase of the gait, and keep them beside it; see `kinema.mocap.labels`.

    Args:
        data: a database, or its folder. One that is only in memory gets the labels there.
        labellers: names of `kinema.mocap.labels.LABELLERS`, `FILE.py:NAME`, or of installed packages. Labels of other
            names stay.
        learned: folder of a run of the task "periodic", whose phases become the label `learned_phases`. A run that is
            over is used as it is, on any database of the same body; otherwise it is trained here, or continued.
        steps: of that training.
        note: called with a line on labels that were damaged.
        progress: called with labellers done and in all, then with steps of the training done and in all.

    Returns:
        The database with its labels.

    Raises:
        DatabaseError: there is no such database, a labeller's arrays do not fit it, or the disk is full.
        UsageError: there is no such labeller.
        LearningError: the training was interrupted, or `learned` is something else.
    """
    chosen = [labels.find_labeller(name) for name in labellers]
    database = data if isinstance(data, MotionDatabase) else _open_with_labels(data, note)
    made: labels.Labels = {}
    for number, labeller in enumerate(chosen):
        if progress is not None:
            progress(number, len(chosen))
        made |= labeller(database)
    if learned is not None:
        made |= _learned_phases(database, Path(learned), steps, progress)
    labels.check(made, database.frames)
    if database.path is None:
        database.labels.update(made)
        return database
    try:
        labels.write(database.path, made, database.labels)
    except OSError as error:
        raise store.describe(error, database.path / labels.FOLDER, kept=False) from None
    return MotionDatabase.open(database.path)


def _learned_phases(
    database: MotionDatabase, folder: Path, steps: int, progress: Callable[[int, int], None] | None
) -> labels.Labels:
    """Labels of the periodic autoencoder in a folder, which is trained unless it is."""
    from kinema.learn.folder import SPEC, load_model
    from kinema.learn.run import FILE
    from kinema.learn.tasks.periodic import PeriodicTask, learned_phases

    if not ((folder / SPEC).is_file() and "metrics" in load_model(folder).document):
        # Who interrupted it continues it by the same call.
        begun = (folder / FILE).is_file()
        recipe: dict[str, Any] = {} if begun else {"steps": steps, "batch": 64}
        training = start_training("periodic", database, folder, resume=begun, **recipe)
        report = training.go(progress=None if progress is None else lambda done, total, _: progress(done, total))
        if not report.finished:
            raise LearningError(f"{folder}: stopped and saved at step {report.steps}; the same command continues")
    trained = load_model(folder, skeleton=database.skeleton)
    if not isinstance(trained.task, PeriodicTask):
        raise LearningError(f"{folder}: a model of the task {trained.document['task']!r}, not of 'periodic'")
    return learned_phases(trained.model, database)


def augment(
    data: PathLike | MotionDatabase,
    output: PathLike | None = None,
    family: str | FamilyMaker = "motion-matching",
    features: str | SpecMaker | None = None,
    *,
    minutes: float = 60.0,
    seed: int = 0,
    styles: Sequence[str] = (),
    terrain: Sequence[str] = (),
    held_out: float = 0.0,
    force: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> MotionDatabase:
    """A database of what a controller does under balanced commands, to train networks on.

    Args:
        data: the database that the controller is made from, or its folder.
        output: the folder to write to; None keeps the drives in memory.
        family, features: as in `kinema.control.presets.controller_maker`.
        minutes: length of all drives together.
        seed: chooses the commands.
        styles: which to drive in, by turns; none: all that the database has at least a minute of.
        terrain: names in `kinema.terrain.COURSES`, taken in turn; none is level ground.
        held_out: share of the frames whose takes the controller does not know, to measure with; see `evaluate`.
        force: replace what is there.
        progress: called now and then with the seconds done and of all.

    Raises:
        DatabaseError: there is no such database, or something is at `output` already.
        UsageError: the minutes are too few, or there is no such family, style or course.
    """
    from kinema.control.augment import driven_database
    from kinema.control.presets import controller_maker

    make = controller_maker(family, features)
    database = data if isinstance(data, MotionDatabase) else MotionDatabase.open(data)
    if output is not None:
        store.check_target(Path(output), force)
    if held_out:
        database, _ = split(database, held_out)
    driven = driven_database(database, make, minutes, seed, styles, progress, terrain)
    driven.options |= {"held_out": held_out} if held_out else {}
    if output is None:
        return driven
    driven.save(output, force)
    return MotionDatabase.open(output)


def _open_with_labels(path: PathLike, note: Callable[[str], None]) -> MotionDatabase:
    """A database with the labels it has; without them where they are damaged."""
    database = MotionDatabase.open(path, labelled=False)
    try:
        return MotionDatabase.open(path)
    except DatabaseError as error:
        note(f"damaged labels are left out: {error}")
        return database


def perform(body: Any = None, script: Sequence[Any] = (), **options: Any) -> Motion:
    """A body that acts out a script, without any data.

    Args:
        body: a skeleton, or a creature or its name, such as "horse"; None is a person.
        script: of `Segment`s, see `kinema.mocap.procedural.generate.generate`; or of `kinema.mocap.creatures.Act`s, see
            `kinema.mocap.creatures.perform`; empty is the default of people.
        options: of these two functions.
    """
    from kinema.mocap import creatures, procedural

    if script and isinstance(script[0], creatures.Act):
        known = creatures.make_creature(body or "person") if body is None or isinstance(body, str) else body
        return creatures.perform(known, script, **options)
    return procedural.generate(body, **({"script": script} if script else {}), **options)


def start_training(
    task: str | type[Task],
    data: Any,
    output: PathLike,
    *,
    options: Mapping[str, Any] | None = None,
    start_from: PathLike | None = None,
    resume: bool = False,
    licence: str = "",
    command: str = "",
    force: bool = False,
    **recipe: Any,
) -> Training:
    """A training that is ready to `go`; see `train` for the arguments."""
    from kinema.learn.devices import launched
    from kinema.learn.options import make_options
    from kinema.learn.recipe import Recipe
    from kinema.learn.run import resume_run, start_run
    from kinema.learn.tasks import find_task, name_of_task
    from kinema.learn.training import Training

    if resume and force:
        raise UsageError("--resume keeps the run and --force replaces it: give one of them")
    kind = find_task(task)  # an unknown task or option is reported before the data are read
    chosen = kind(make_options(kind.Options, options or {}))
    source = chosen.open(data) if isinstance(data, str | os.PathLike) else data
    folder, wanted = os.fspath(output), {**launched(), **recipe}
    begin = shipped_weights(name_of_task(task)) if start_from == DEFAULT else start_from
    begin = None if begin is None else os.fspath(begin)
    if resume:
        return Training(resume_run(folder, task, source, options or {}, wanted, begin))
    return Training(start_run(folder, task, source, options or {}, Recipe(**wanted), licence, command, force, begin))


def shipped_weights(task: str) -> Path:
    """The folder of the weights of a task that come with Kinema.

    Raises:
        UsageError: there are none; the message lists the tasks that have some.
    """
    from kinema.control.presets import WEIGHTS
    from kinema.learn.folder import SPEC, read_json

    # Folders of a task and size are deeper than those of a task alone, which come last.
    specs = sorted(WEIGHTS.glob(f"**/{SPEC}"), key=lambda path: -len(path.parts))
    known = {str(read_json(path, "no weights")["task"]): path.parent for path in specs}
    if task not in known:
        raise UsageError(
            f"no weights of the task {task!r} come with Kinema, only those of {', '.join(sorted(known))}; give the "
            "folder of a run of your own"
        )
    return known[task]


def train(
    task: str | type[Task], data: Any, output: PathLike, *, tensorboard: bool = False, **options: Any
) -> TrainingReport:
    """Fit a model to a database; the run is a folder that can be resumed and evaluated.

    Args:
        task: a name of `kinema.learn.tasks.TASKS`, such as `"autoencoder"`, your own class, or a reference to it:
            `my_task.py:MyTask`.
        data: a database, or its folder; what the task takes, if it learns from something else.
        output: folder of the run.
        tensorboard: write the log for TensorBoard, too.
        options: fields of `kinema.learn.recipe.Recipe`, such as `steps=2000`; `options={"latent": 8}` for those of the
            task; `start_from="runs/one"` to start from the weights of another run of the task, or `"default"` from
            those that come with Kinema; `resume=True` to go on with an interrupted run; `licence="..."` of the data;
            `force=True` to replace a run.

    Raises:
        MissingError: a package is not installed.
        UsageError: there is no such task.
        LearningError: an option is unknown, or there is too little data.
    """
    return start_training(task, data, output, **options).go(tensorboard=tensorboard)


def controller(
    data: MotionDatabase,
    family: str | FamilyMaker = "motion-matching",
    features: str | SpecMaker | None = None,
    style: str | None = None,
) -> Controller:
    """A controller on a database: `step` it with a `Command` a character, and it gives poses.

    Args:
        family, features, style: as in `kinema.control.presets.controller_maker`.

    Raises:
        SkeletonError: the skeleton has no legs.
        UsageError: there is no such family or style.
    """
    from kinema.control.presets import controller_maker

    return controller_maker(family, features, style)(data)


def evaluate(
    data: PathLike | Sequence[PathLike] | MotionDatabase = (),
    family: str | FamilyMaker | Sequence[str | FamilyMaker] = "motion-matching",
    features: str | SpecMaker | None = None,
    *,
    bare: bool = False,
    tracks: Sequence[str] = ("harsh",),
    seconds: float = 60.0,
    seeds: Sequence[int] = (4, 5, 6),
    style: str | None = None,
    styles: Sequence[str] = (),
    held_out: float = 0.0,
    terrain: Ground | PathLike | None = None,
    creature: str | Creature | None = None,
    reading: Mapping[str, Any] | None = None,
    note: Callable[[str], None] = lambda line: None,
    progress: Callable[[int, int], None] | None = None,
) -> list[MetricsRow]:
    """Drive a character along standard, seeded tracks of commands and measure what came of it.

    Args:
        data: a database or motion files; nothing generates motion.
        family, features, style: as in `kinema.control.presets.controller_maker`. Rows of several families are named
            after them, too.
        bare: without the stages behind the family, such as the foot lock.
        tracks: names of `kinema.control.tracks.TRACKS` or of its `GROUPS`: `all` tracks of commands, `paths`, `climbs`;
            or `takes`, the ways of the takes themselves.
        seconds: length of a drive. seeds: one drive each.
        styles: at least two that drives change between every few seconds; none: no style is commanded.
        held_out: share of the frames whose takes families do not know: these are the ground truth then, and their ways
            those of the track `takes`. Networks do not know them if their drives were made with the same share, or if
            they were trained on the database with it (`held_out` of a recipe, with seed 0).
        terrain: what the drives go over: a ground, a name or a file; see `kinema.terrain.open_ground`. None is level
            ground. `climbs` bring their own.
        creature: one for which motion is generated, in place of data; see `kinema.mocap.creatures`.
        reading: options for the readers of motion files, such as `{"up": "z"}`; each format takes those it knows.
        note: called with a line on what takes a while.
        progress: called with frames driven and frames in all.

    Returns:
        Rows of figures by name: the ground truth, one for each track, and a statue that slides as commanded.

    Raises:
        UsageError: there is no such track, family, style, terrain or creature.
        KinemaError: the data cannot be used, or the terrain moves.
    """
    from contextlib import nullcontext

    from kinema.control.presets import check_styles, controller_maker
    from kinema.control.subject import open_subject
    from kinema.control.tracks import RETRACED, StyleChanges, make_track, share_of_speeds, track_names
    from kinema.evaluation import evaluate_controllers

    ground, animal = open_terrain(terrain), open_creature(creature, data)
    families = [family] if isinstance(family, str) or callable(family) else list(family)
    makers = [controller_maker(one, features, style, animal.name if animal else None) for one in families]
    names = track_names(tracks)
    files = [data] if isinstance(data, str | os.PathLike) else data
    known = isinstance(files, MotionDatabase)
    with nullcontext(files) if known else open_subject(files, animal, note, reading, makers[0].subject) as whole:
        database, truth = split(whole, held_out) if held_out else (whole, whole)
        driven = {name: [make_track(name, seconds, seed, truth) for seed in seeds] for name in names}
        if styles:
            driven = {
                name: [StyleChanges(track, tuple(styles), seed) for track, seed in zip(each, seeds, strict=True)]
                for name, each in driven.items()
            }
        share = share_of_speeds(database)
        if share != 1.0:
            note(f"tracks are driven at {100 * share:.0f}% of their speeds, as the body and its clips allow")
        tracks_of_body = {
            name: each if name == RETRACED else [track.scaled(share) for track in each] for name, each in driven.items()
        }
        controllers: list[tuple[str, Controller]] = []
        for name, make in zip(families, makers, strict=True):
            controller = make(database)
            check_styles(controller, styles)
            if bare:
                controller.stages.clear()
            if ground is not None:
                controller.ground = ground
            controllers.append((str(name) if len(families) > 1 else "", controller))
        return evaluate_controllers(controllers, truth, tracks_of_body, note, progress).rows
