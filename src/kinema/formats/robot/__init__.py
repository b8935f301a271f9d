"""Robots: models (URDF, MJCF) as skeletons with hinges, and tables of their joint angles (CSV)."""

from __future__ import annotations

import os
from typing import Any

from kinema.character import Character
from kinema.formats import Asset
from kinema.formats.robot.hinges import hinge_angles
from kinema.formats.robot.model import Robot
from kinema.formats.robot.reader import load_robot, read
from kinema.motion import Motion

__all__ = ["Robot", "hinge_angles", "load_robot", "read", "write"]


def write(thing: Motion | Character | Asset, path: str | os.PathLike[str], **options: Any) -> None:
    """Writes what moves as a MuJoCo model (`.mjcf`, `.xml`) or, of a robot, as a table of joint angles (`.csv`).

    Raises:
        FormatError: nothing that such a file can hold.
    """
    suffix = os.path.splitext(os.fspath(path))[1].lower()
    if suffix == ".csv":
        from kinema.formats.robot.table_writer import write_table

        write_table(thing, path, **options)
    else:
        from kinema.formats.robot.mjcf_writer import write_mjcf

        write_mjcf(thing, path, **options)
