"""Whose motion is used: a database, motion files, or motion generated for a skeleton."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from kinema.errors import DatabaseError
from kinema.mocap import store
from kinema.mocap.build import build
from kinema.mocap.database import MotionDatabase
from kinema.mocap.procedural import locomotion_set
from kinema.skeleton import Skeleton

GENERATED_MINUTES = 6.0
"""Minutes of generated motion: enough for everything a stick can ask for; mirror images double it."""


@contextmanager
def open_subject(
    data: Sequence[str | os.PathLike[str]] = (),
    skeleton: Skeleton | None = None,
    note: Callable[[str], None] = lambda line: None,
) -> Iterator[MotionDatabase]:
    """A database to control with; what it needs on disk is removed when the block ends.

    Args:
        data: one database, or motion files, folders and archives; empty generates motion.
        skeleton: whom to generate motion for; None is a person.
        note: told what takes a while and what was left out.

    Raises:
        KinemaError: the data cannot be used, or the skeleton has no legs.
    """
    if not data:
        note(f"generating {GENERATED_MINUTES:g} minutes of motion")
        yield MotionDatabase.from_motions(locomotion_set(skeleton, minutes=GENERATED_MINUTES))
    elif len(data) == 1 and (Path(data[0]) / store.INDEX).is_file():
        yield MotionDatabase.open(data[0])
    else:
        note("reading motion (kinema build keeps the result for the next time)")
        with tempfile.TemporaryDirectory(prefix="kinema-") as folder:
            try:
                report = build([os.fspath(path) for path in data], Path(folder) / "subject")
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
