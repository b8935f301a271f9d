"""Which of the robot formats a file is, and the model that a table of joint angles needs."""

from __future__ import annotations

import os

from kinema.errors import FormatError
from kinema.formats import Asset
from kinema.formats.companions import beside, companion
from kinema.formats.robot.mjcf import read_mjcf
from kinema.formats.robot.model import Robot
from kinema.formats.robot.table import parse_table, read_motion
from kinema.formats.robot.tree import MOST_BYTES, parse
from kinema.formats.robot.urdf import read_urdf
from kinema.formats.sources import Source
from kinema.skeleton import Skeleton

MODELS = (".urdf", ".mjcf", ".xml")

_PEEK = 4096  # bytes in which an MJCF file calls itself one


def read(
    source: Source, *, skeleton: str | os.PathLike[str] | Source | Skeleton | None = None, fps: float | None = None
) -> Asset:
    """Reads a robot's model (URDF, MJCF), or its motion as a table of joint angles (CSV).

    Args:
        source: the file.
        skeleton: for a table, the robot it moves: a model file, or a skeleton with hinges. Left out, the only model
            beside the table is taken.
        fps: for a table without a column of times, its frames per second.

    Raises:
        FormatError: no robot, a table without a model, or numbers that cannot be right.
    """
    if source.suffix != ".csv":
        robot = load_robot(source)
        return Asset(
            source.path, source.suffix[1:].replace("xml", "mjcf"), robot.skeleton, (), robot.character, robot.warnings
        )
    table = parse_table(source)
    if isinstance(skeleton, Skeleton):
        motion = read_motion(table, skeleton, source, fps)
        return Asset(source.path, "csv", skeleton, (motion,), None, motion.warnings)
    model, line = _model(source, skeleton)
    robot = load_robot(model)
    motion = read_motion(table, robot.skeleton, source, fps, (*line, *robot.warnings))
    return Asset(source.path, "csv", robot.skeleton, (motion,), robot.character, motion.warnings)


def load_robot(source: Source) -> Robot:
    """The robot of a URDF or MJCF file.

    Raises:
        FormatError: another kind of XML, or as `read`.
    """
    root = parse(source.read(), source.path)
    if root.tag == "robot":
        return read_urdf(source, root)
    if root.tag == "mujoco":
        return read_mjcf(source, root)
    raise FormatError(
        f"is XML of another kind: its root is <{ascii(root.tag[:40])[1:-1]}>; robots are <robot> (URDF) "
        "or <mujoco> (MJCF)",
        path=source.path,
    )


def _model(source: Source, given: str | os.PathLike[str] | Source | None) -> tuple[Source, tuple[str, ...]]:
    """The model of a table, and a line about where it comes from."""
    if given is not None:
        return companion(given), ()
    found = [other for other in beside(source, MODELS) if other.suffix != ".xml" or _is_mjcf(other)]
    if len(found) == 1:
        return found[0], (f"moves the robot beside it, {found[0].name}",)
    listed = ", ".join(other.name for other in found[:5])
    said = f"which of the {len(found)} beside it: {listed}?" if found else "there is none beside it"
    raise FormatError(
        f"is a table of joint angles and needs the robot it moves ({said}): give --skeleton robot.urdf (skeleton=)",
        path=source.path,
    )


def _is_mjcf(source: Source) -> bool:
    try:
        return source.size <= MOST_BYTES and b"<mujoco" in source.read()[:_PEEK]
    except FormatError:
        return False
