"""Blender as a judge: what it makes of files, without a window, many files to one start."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

SCRIPT = Path(__file__).with_name("blender_script.py")


@dataclass(frozen=True)
class Job:
    """A file for Blender to read.

    Attributes:
        path: the file.
        fps: rate at which Blender counts; keys of glTF fall on whole frames when it is that of the motion.
        times: seconds at which joints are asked for.
        vertex_times: seconds at which vertices are.
        unit: metres of one unit, for BVH.
        exports: files to write again from what was read: .bvh, .fbx, .glb.
    """

    path: Path
    fps: float = 30.0
    times: tuple[float, ...] = (0.0,)
    vertex_times: tuple[float, ...] = ()
    unit: float = 1.0
    exports: tuple[Path, ...] = field(default_factory=tuple)


@dataclass(frozen=True, eq=False)
class Scene:
    """What Blender saw, in our axes and metres.

    Attributes:
        names: of joints and objects.
        positions: `[T, N, 3]`.
        vertices: `[T, V, 3]` of all meshes, by object name.
        error: why it was not read.
    """

    names: tuple[str, ...]
    positions: NDArray[np.float64]
    vertices: NDArray[np.float64]
    error: str = ""

    def find(self, joints: Sequence[str]) -> list[int]:
        """Index of each joint; -1 where Blender has none of that name.

        Blender cuts names off after 63 bytes and, in BVH files, writes underscores for spaces.
        """
        place = {name: row for row, name in reversed(list(enumerate(self.names)))}
        cut = [name.encode()[:63].decode(errors="ignore") for name in joints]
        return [place.get(name, place.get(name.replace(" ", "_"), -1)) for name in cut]


def program() -> str:
    """The path of Blender; skips the test where there is none."""
    named = os.environ.get("KINEMA_BLENDER", "blender")
    found = shutil.which(named)
    if found is None:
        pytest.skip("no Blender here: sudo apt-get install blender python3-numpy, or set KINEMA_BLENDER=/path")
    return found


def surroundings() -> dict[str, str]:
    """Environment for Blender: that of a system takes its packages from the Python that comes first in the path."""
    return {**os.environ, "PATH": os.pathsep.join([os.path.dirname(program()), os.environ["PATH"]])}


def see(jobs: Sequence[Job], folder: Path, seconds: float = 150.0) -> list[Scene]:
    """Has Blender read all files in one start.

    Args:
        jobs: what to read.
        folder: for what is passed to and fro.
        seconds: limit for all.
    """
    rows = [
        {
            "path": str(job.path),
            "fps": job.fps,
            "times": list(job.times),
            "vertex_times": list(job.vertex_times),
            "unit": job.unit,
            "exports": [str(path) for path in job.exports],
            "out": str(folder / f"seen_{number}.npz"),
        }
        for number, job in enumerate(jobs)
    ]
    (folder / "jobs.json").write_text(json.dumps(rows), encoding="utf-8")
    done = subprocess.run(
        [
            program(),
            "-b",
            "--factory-startup",
            "--python-exit-code",
            "1",
            "--python",
            str(SCRIPT),
            "--",
            str(folder / "jobs.json"),
        ],
        env=surroundings(),
        capture_output=True,
        text=True,
        timeout=seconds,
    )
    if done.returncode != 0:
        raise AssertionError(f"Blender ended with {done.returncode}: {(done.stdout + done.stderr)[-3000:]}")
    return [scene(Path(str(row["out"]))) for row in rows]


def scene(path: Path) -> Scene:
    failed = path.with_suffix(".txt")
    if not path.is_file():
        error = failed.read_text() if failed.is_file() else "nothing was written"
        return Scene((), np.zeros((0, 0, 3)), np.zeros((0, 0, 3)), error)
    with np.load(path, allow_pickle=False) as read:
        error = failed.read_text() if failed.is_file() else ""
        return Scene(tuple(read["names"].tolist()), read["positions"], read["vertices"], error)
