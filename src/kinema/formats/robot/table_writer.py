"""Robot motion as CSV, written: the base, the joints by name, and the time, under a header."""

from __future__ import annotations

import io
import os
import re

import numpy as np

from kinema import rotations
from kinema.character import Character
from kinema.errors import FormatError
from kinema.formats import Asset
from kinema.formats.atomic import atomic_write
from kinema.formats.checks import require
from kinema.formats.robot.frame import rotations_to_robot, vectors_to_robot
from kinema.formats.robot.hinges import hinge_angles
from kinema.formats.robot.table import ROOT, TIME
from kinema.motion import Motion

OFF_HINGE = (
    0.035  # radians, two degrees: poses that rotate more about axes other than those of their hinges are refused
)


def write_table(thing: Motion | Character | Asset, path: str | os.PathLike[str], *, nearest: bool = False) -> None:
    """Writes a robot's motion as a table with a header: the base, the joints by name, and the time in seconds.

    Args:
        thing: a motion on a skeleton with hinges, or an asset with one.
        path: a `.csv` file.
        nearest: write the nearest angles where joints rotate about axes other than those of their hinges. Without it,
            such poses are refused.

    Raises:
        FormatError: not a robot, or a pose that its hinges cannot reach.
    """
    require(not isinstance(thing, Character), "a table of joint angles holds one motion, not a Character")
    motion = thing.motion() if isinstance(thing, Asset) else thing
    if not isinstance(motion, Motion) or not motion.skeleton.hinges:
        raise FormatError(
            "a table of joint angles needs the motion of a robot, whose joints are hinges; write other "
            "motions as .bvh, .glb or .npz, or retarget to a robot first"
        )
    skeleton = motion.skeleton
    angles, beside = hinge_angles(motion)
    if not nearest and beside.size and beside.max() > OFF_HINGE:
        frame, hinge = np.unravel_index(beside.argmax(), beside.shape)
        name = skeleton.names[skeleton.hinges[int(hinge)].joint]
        raise FormatError(
            f"joint {name!r} turns {np.degrees(beside.max()):.1f} degrees beside its hinge in frame "
            f"{frame}: no motion of this robot; nearest=True writes the nearest"
        )
    place = vectors_to_robot(motion[:].local_translations[:, 0])
    turn = rotations_to_robot(rotations.unroll(motion.local_rotations[:, 0].astype(np.float64)))[:, [1, 2, 3, 0]]
    time = np.arange(motion.frames)[:, None] / motion.fps
    table = np.concatenate([place, turn, angles, time], axis=1)
    names = [re.sub(r'[",\s]', "_", skeleton.names[hinge.joint]) for hinge in skeleton.hinges]
    buffer = io.StringIO()
    buffer.write(",".join([*ROOT, *names, TIME]) + "\n")
    np.savetxt(buffer, table, fmt="%.7g", delimiter=",")
    atomic_write(path, buffer.getvalue().encode())
