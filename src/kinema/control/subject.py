"""The motion to control with: a database, motion files, or motion generated for a skeleton."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kinema import unfinished
from kinema.control.paces import is_person
from kinema.errors import DatabaseError, UsageError
from kinema.mocap import store
from kinema.mocap.build import build
from kinema.mocap.creatures import CREATURES, PLANS, Creature, make_creature, steering_set
from kinema.mocap.database import MotionDatabase
from kinema.mocap.procedural import locomotion_set
from kinema.pose import Pose
from kinema.skeleton import Skeleton

GENERATED_MINUTES = 6.0
"""Minutes of generated motion. They cover everything a stick can command; mirror images double them."""

CREATURE_RATE = 60.0
"""Frames per second of generated motion of bodies that are no people: small ones step several times a second."""

_ON_FOOT = ("walk", "run")


@contextmanager
def open_subject(
    data: Sequence[str | os.PathLike[str]] = (),
    body: Creature | Skeleton | None = None,
    note: Callable[[str], None] = lambda line: None,
    reading: Mapping[str, Any] | None = None,
    own: Callable[[], MotionDatabase | None] = lambda: None,
    stance: Pose | None = None,
) -> Iterator[MotionDatabase]:
    """Open the motion to control with, as a database. Temporary files are removed when the block ends.

    Args:
        data: one database, or motion files, folders and archives; empty generates motion.
        body: the creature or skeleton to generate motion for; None for the default person.
        note: called with a line of text about slow steps and files that were skipped.
        reading: options for the readers of motion files, such as `{"up": "z"}`; each format takes those it knows.
        own: what the controller brings along in place of data, unless motion is to be generated for a creature; see
            `kinema.control.presets.ControllerMaker.subject`.
        stance: a pose of the skeleton in which it stands, should its rest pose not; see
            `kinema.mocap.creatures.perform`.

    Raises:
        UsageError: there are options for the readers but no motion files.
        KinemaError: the data cannot be used, or the skeleton has no legs.
    """
    is_database = len(data) == 1 and (Path(data[0]) / store.INDEX).is_file()
    stated = [name for name, value in (reading or {}).items() if value is not None]
    if stated and (is_database or not data):
        raise UsageError(f"{', '.join(stated)} can be stated of motion files; here no motion files are read")
    if not data and not isinstance(body, Creature) and (subject := own()) is not None:
        yield subject
    elif not data:
        yield generated(body, note, stance)
    elif is_database:
        yield MotionDatabase.open(data[0])
    else:
        note("reading motion (kinema build keeps the result for the next time)")
        with unfinished.temporary_folder() as folder:
            try:
                report = build([os.fspath(path) for path in data], Path(folder) / "subject", reading=reading)
            except DatabaseError as error:
                if folder not in str(error):
                    raise
                raise DatabaseError(
                    f"{tempfile.gettempdir()}: a temporary database cannot be written here; set TMPDIR to another "
                    "folder, or keep the database with kinema build DATA -o DB"
                ) from None
            for skipped in report.skipped:
                note(f"left out: {skipped.path}: {skipped.reason}")
            yield MotionDatabase.open(Path(folder) / "subject")


def generated(
    body: Creature | Skeleton | None = None,
    note: Callable[[str], None] = lambda line: None,
    stance: Pose | None = None,
    minutes: float | None = None,
) -> MotionDatabase:
    """A database in memory of motion that is generated for a body, and of its mirror image.

    Args:
        body: a creature, or a skeleton; None for the default person.
        note, stance: see `open_subject`.
        minutes: of motion; None takes `GENERATED_MINUTES`.

    Raises:
        SkeletonError: the body has no legs, or does not stand on them.
    """
    minutes = GENERATED_MINUTES if minutes is None else minutes
    if body is None or (isinstance(body, Skeleton) and is_person(body)):
        note(f"generating {minutes:g} minutes of motion")
        return MotionDatabase.from_motions(locomotion_set(body, minutes=minutes))
    name = body.name if isinstance(body, Creature) else body.roles.plan
    note(f"generating {minutes:g} minutes of motion of a {name}")
    clips = steering_set(body, minutes, CREATURE_RATE, travel=_ON_FOOT, stance=stance)
    return MotionDatabase.from_motions(clips, fps=CREATURE_RATE)


def walkers() -> list[str]:
    """Names of the creatures and body plans that walk on legs."""
    return [name for name in dict.fromkeys((*CREATURES, *PLANS)) if make_creature(name).anatomy.legs]
