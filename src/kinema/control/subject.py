"""The motion to control with: a database, motion files, or motion generated for a skeleton."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kinema import unfinished
from kinema.errors import DatabaseError, UsageError
from kinema.mocap import store
from kinema.mocap.build import build
from kinema.mocap.database import MotionDatabase
from kinema.mocap.procedural import locomotion_set
from kinema.skeleton import Skeleton

GENERATED_MINUTES = 6.0
"""Minutes of generated motion. They cover everything a stick can command; mirror images double them."""


@contextmanager
def open_subject(
    data: Sequence[str | os.PathLike[str]] = (),
    skeleton: Skeleton | None = None,
    note: Callable[[str], None] = lambda line: None,
    reading: Mapping[str, Any] | None = None,
    own: Callable[[], MotionDatabase | None] = lambda: None,
) -> Iterator[MotionDatabase]:
    """Open the motion to control with, as a database. Temporary files are removed when the block ends.

    Args:
        data: one database, or motion files, folders and archives; empty generates motion.
        skeleton: the skeleton to generate motion for; None for the default person.
        note: called with a line of text about slow steps and files that were skipped.
        reading: options for the readers of motion files, such as `{"up": "z"}`; each format takes those it knows.
        own: what the controller brings along in place of data; see `kinema.control.presets.ControllerMaker.subject`.

    Raises:
        UsageError: there are options for the readers but no motion files.
        KinemaError: the data cannot be used, or the skeleton has no legs.
    """
    is_database = len(data) == 1 and (Path(data[0]) / store.INDEX).is_file()
    stated = [name for name, value in (reading or {}).items() if value is not None]
    if stated and (is_database or not data):
        raise UsageError(f"{', '.join(stated)} can be stated of motion files; here no motion files are read")
    if not data and (subject := own()) is not None:
        yield subject
    elif not data:
        note(f"generating {GENERATED_MINUTES:g} minutes of motion")
        yield MotionDatabase.from_motions(locomotion_set(skeleton, minutes=GENERATED_MINUTES))
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
