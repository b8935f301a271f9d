"""three.js as a judge: what it makes of files, in Node, many files to one start."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

SCRIPT = Path(__file__).with_name("three") / "see.mjs"
INSTALLED = Path(__file__).parents[2] / ".venv" / "three"


@dataclass(frozen=True)
class Job:
    """A file for three.js to read: seconds at which joints and vertices are asked for, of one clip."""

    path: Path
    times: tuple[float, ...] = (0.0,)
    vertex_times: tuple[float, ...] = ()
    clip: int = 0


@dataclass(frozen=True, eq=False)
class Scene:
    """What three.js saw, in the units of the file.

    Attributes:
        names: of all nodes, as the file has them.
        clips: names of the animations.
        positions: `[T, N, 3]`.
        vertices: `[T, V, 3]` of all meshes.
        error: why it was not read.
    """

    names: tuple[str, ...]
    clips: tuple[str, ...]
    positions: NDArray[np.float64]
    vertices: NDArray[np.float64]
    error: str = ""

    def find(self, joints: Sequence[str]) -> list[int]:
        """The node of each joint; -1 where there is none of that name."""
        place = {name: row for row, name in reversed(list(enumerate(self.names)))}
        return [place.get(name, -1) for name in joints]


def program() -> str:
    """The path of Node; skips the test where it or three.js is missing."""
    found = shutil.which("node")
    if found is None or not (INSTALLED / "node_modules" / "three").is_dir():
        pytest.skip("no three.js here: scripts/three.sh installs it into .venv/three; it needs Node and npm")
    return found


def see(jobs: Sequence[Job], folder: Path, seconds: float = 150.0) -> list[Scene]:
    """Has three.js read all files in one start; `folder` takes what is passed to and fro."""
    rows = [
        {
            "path": str(job.path),
            "clip": job.clip,
            "times": job.times,
            "vertexTimes": job.vertex_times,
            "out": str(folder / f"three_{number}.json"),
        }
        for number, job in enumerate(jobs)
    ]
    (folder / "three_jobs.json").write_text(json.dumps(rows), encoding="utf-8")
    done = subprocess.run(
        [program(), str(SCRIPT), str(INSTALLED), str(folder / "three_jobs.json")],
        capture_output=True,
        text=True,
        timeout=seconds,
    )
    if done.returncode != 0:
        raise AssertionError(f"Node ended with {done.returncode}: {(done.stdout + done.stderr)[-3000:]}")
    return [scene(Path(str(row["out"]))) for row in rows]


def scene(path: Path) -> Scene:
    read = json.loads(path.read_text(encoding="utf-8"))

    def points(rows: list[str]) -> NDArray[np.float64]:
        return np.array([np.frombuffer(base64.b64decode(row), np.float64).reshape(-1, 3) for row in rows])

    return Scene(
        tuple(read["names"]),
        tuple(read["clips"]),
        points(read["positions"]),
        points(read["vertices"]),
        read.get("error", ""),
    )
