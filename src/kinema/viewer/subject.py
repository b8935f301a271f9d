"""Who is steered: a controller made of a database, of motion files, or of generated motion for a character."""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from kinema.control.controller import Controller
from kinema.control.presets import motion_matching_controller
from kinema.mocap.build import build
from kinema.mocap.database import MotionDatabase
from kinema.mocap.procedural import Segment, generate
from kinema.skeleton import Skeleton


@contextmanager
def controller(
    data: Sequence[str | os.PathLike[str]],
    skeleton: Skeleton | None = None,
    note: Callable[[str], None] = lambda line: None,
) -> Iterator[Controller]:
    """A motion-matching controller; what it needs on disk is removed when the block ends.

    Args:
        data: one database, or motion files, folders and archives; empty generates motion.
        skeleton: whom to generate motion for; None is a person.
        note: told what takes a while and what was left out.

    Raises:
        KinemaError: the data cannot be used, or the skeleton has no legs.
    """
    with database(data, skeleton, note) as opened:
        yield motion_matching_controller(opened)


@contextmanager
def database(
    data: Sequence[str | os.PathLike[str]], skeleton: Skeleton | None, note: Callable[[str], None]
) -> Iterator[MotionDatabase]:
    """The database behind :func:`controller`."""
    if not data:
        note("generating motion")
        motions = [generate(skeleton, script, seed=seed) for seed, script in enumerate(SCRIPTS)]
        yield MotionDatabase.from_motions(motions)
    elif len(data) == 1 and (Path(data[0]) / "index.json").is_file():
        yield MotionDatabase.open(data[0])
    else:
        note("reading motion (kinema build keeps the result for the next time)")
        with tempfile.TemporaryDirectory(prefix="kinema-") as folder:
            report = build([os.fspath(path) for path in data], Path(folder) / "play")
            for skipped in report.skipped:
                note(f"left out: {skipped.path}: {skipped.reason}")
            yield MotionDatabase.open(Path(folder) / "play")


def _drive(kind: str, speeds: Sequence[float | None]) -> list[Segment]:
    """Start, bend, turn and stop at each speed."""
    segments: list[Segment] = []
    for speed in speeds:
        segments.append(Segment("idle", 1.2))
        for turn, curve in ((0.0, 0.0), (0.8, 0.0), (0.0, 0.9), (1.6, 0.0), (0.0, 1.8), (2.6, 0.0), (0.0, 0.0)):
            segments.append(Segment(kind, 1.8, speed, turn=turn, curve=curve))
    return [*segments, Segment("idle", 1.5)]


def _aside(speed: float) -> list[Segment]:
    """Walk to all sides without turning, and turn on the spot."""
    segments: list[Segment] = []
    for step in range(8):
        angle = step * math.pi / 4
        segments += [Segment("idle", 0.8), Segment("walk", 1.8, speed, direction=angle)]
        segments += [Segment("walk", 1.4, speed, direction=angle + math.pi / 2)]
    for turn in (0.8, 1.6, 2.6):
        segments += [Segment("turn", 1.5, turn=turn), Segment("idle", 0.8)]
    return segments


SCRIPTS: tuple[list[Segment], ...] = (
    [Segment("idle", 6.0), Segment("walk", 1.0, 0.7), Segment("idle", 3.0)],
    _drive("walk", (0.7, None, 1.8)),
    _drive("jog", (None,)),
    _drive("run", (3.2, None)),
    _aside(1.0),
    [*(s for kind in ("walk", "run", "walk", "jog", "run", "jog") for s in (Segment(kind, 2.0), Segment("idle", 1.2)))],
)
"""What is generated: a few minutes of everything the keys can ask for; mirror images double it."""
