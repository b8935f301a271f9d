"""Whole runs and checks of this installation: `kinema.demo`, `kinema.bench`, `kinema.doctor`."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kinema.errors import KinemaError, UsageError
from kinema.face.files import Progress
from kinema.face.grounds import open_terrain

if TYPE_CHECKING:
    from kinema.demonstration import DemoReport
    from kinema.machine import Check
    from kinema.terrain import Ground

PathLike = str | os.PathLike[str]

SUITES = ("core", "control", "engine", "generation", "ik", "networks", "render", "retarget", "scenes")
"""What `bench` can measure."""


def demo(
    output: PathLike = "kinema-demo",
    data: PathLike | Sequence[PathLike] = (),
    character: PathLike | None = None,
    terrain: Ground | PathLike | None = None,
    **options: Any,
) -> DemoReport:
    """The whole pipeline unattended: drive a character along a harsh track; write files, pictures, metrics and a film.

    Args:
        output: folder of the results.
        data: a database or motion files; nothing generates motion.
        character: a file with the body to drive; None shows a mannequin.
        terrain: what it walks on: a ground, a name or a file; see `kinema.terrain.open_ground`.
        options: those of `kinema.demonstration.run_demo`.

    Raises:
        KinemaError: the data cannot be used, or the character cannot follow them.
    """
    from kinema.control.retargeted import read_character
    from kinema.demonstration import run_demo

    files = [data] if isinstance(data, str | os.PathLike) else data
    ground = open_terrain(terrain)  # first, because it is the quickest to be wrong
    return run_demo(output, files, None if character is None else read_character(character), ground=ground, **options)


def bench(suite: str = "core", progress: Progress | None = None, data: PathLike | None = None) -> list[dict[str, Any]]:
    """Measure this installation: one row for each figure, with our goal and a baseline run in the same process.

    Args:
        suite: one of `SUITES`.
        progress: called with the number of figures measured and of all figures.
        data: a database for the suite `control`; default: generated motion.

    Raises:
        KinemaError: measuring failed, or the database cannot be used.
        UsageError: the suite takes no database.
    """
    if data is not None and suite != "control":
        raise UsageError(f"the suite {suite} measures generated data; only control takes a database")
    from kinema.benchmarks import measure

    if not measure.is_single_threaded():
        # Thread counts are read when the numerical libraries load, which has happened here: measure in a new process.
        command = [sys.executable, "-m", "kinema.cli.main", "bench", suite, "--json"]
        command += [] if data is None else ["--data", os.fspath(data)]
        done = subprocess.run(command, env=measure.single_threaded_environment(), stdout=subprocess.PIPE)
        if done.returncode:
            raise KinemaError(f"the process that measures ended with exit code {done.returncode}")
        return json.loads(done.stdout)["rows"]
    module = importlib.import_module(f"kinema.benchmarks.{suite}")
    rows: list[dict[str, Any]] = []
    for row in module.run() if data is None else module.run(data):
        rows.append(row.to_dict())
        if progress is not None:
            progress(len(rows), len(module.ROWS))
    return rows


def doctor() -> list[Check]:
    """What this machine has, what each missing part costs you, and the command that installs it."""
    from kinema.machine import check_machine

    return check_machine()
