"""Reads robot models and tables of joint angles, for which it finds the model."""

from __future__ import annotations

import os

from kinema.errors import FormatError
from kinema.formats import Asset
from kinema.formats.checks import naming
from kinema.formats.companions import beside, companion, only
from kinema.formats.robot.mjcf import read_mjcf
from kinema.formats.robot.model import Robot
from kinema.formats.robot.table import parse_table, read_motion
from kinema.formats.robot.tree import MOST_BYTES, parse
from kinema.formats.robot.urdf import read_urdf
from kinema.formats.sources import Source
from kinema.skeleton import Skeleton

MODELS = (".urdf", ".mjcf", ".xml")

_PEEK = 4096  # bytes in which an MJCF file has its root element


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
        FormatError: not a robot, a table without a model, or numbers that cannot be right.
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
    with naming(source.path):
        root = parse(source.read(), source.path)
        if root.tag == "robot":
            return read_urdf(source, root)
        if root.tag == "mujoco":
            return read_mjcf(source, root)
        shown = ascii(root.tag[:40])[1:-1]
        raise FormatError(
            f"is XML of another kind: its root is <{shown}>; robots are <robot> (URDF) or <mujoco> (MJCF)"
        )


def _model(source: Source, given: str | os.PathLike[str] | Source | None) -> tuple[Source, tuple[str, ...]]:
    """The model of a table, and a warning that says where it was found."""
    if given is not None:
        return companion(given), ()
    found = [other for other in beside(source, MODELS) if other.suffix != ".xml" or _is_mjcf(other)]
    chosen = only(found, "is a table of joint angles and needs its robot ({}): give --skeleton robot.urdf (skeleton=)")
    return chosen, (f"moves the robot next to it, {chosen.name}",)


def _is_mjcf(source: Source) -> bool:
    try:
        return source.size <= MOST_BYTES and b"<mujoco" in source.read()[:_PEEK]
    except FormatError:
        return False
