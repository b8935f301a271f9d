"""Godot 3 as a judge: what it makes of GLB files, without a window, many files to one start."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

SCRIPT = Path(__file__).with_name("godot") / "see.gd"
SETTINGS = """[remap]

importer="scene"
type="PackedScene"

[params]

animation/fps={fps}
animation/optimizer/enabled=false
"""  # Godot 3 takes 15 poses a second and leaves out some of them, if it is not told otherwise


@dataclass(frozen=True)
class Job:
    """A file for Godot to import at a rate, and seconds at which the bones of its first clip are asked for."""

    path: Path
    fps: float = 30.0
    times: tuple[float, ...] = (0.0,)


@dataclass(frozen=True, eq=False)
class Scene:
    """What Godot saw.

    Attributes:
        names: of the skeleton's bones.
        clips: names of the animations.
        tracks: paths of the first clip's tracks.
        positions: `[T, N, 3]`, metres; Godot has our axes.
    """

    names: tuple[str, ...]
    clips: tuple[str, ...]
    tracks: tuple[str, ...]
    positions: NDArray[np.float64]


def program() -> str:
    """The path of Godot 3 with editor; skips the test where there is none."""
    found = shutil.which(os.environ.get("KINEMA_GODOT", "godot3-server"))
    if found is None:
        pytest.skip("no Godot here: sudo apt-get install godot3-server, or set KINEMA_GODOT=/path")
    return found


def see(jobs: Sequence[Job], folder: Path, seconds: float = 60.0) -> list[Scene]:
    """Has Godot import all files into a project in `folder` and play them."""
    (folder / "project.godot").write_text("config_version=4\n")
    rows = []
    for number, job in enumerate(jobs):
        name = f"{number}_{job.path.name}"
        shutil.copy(job.path, folder / name)
        (folder / f"{name}.import").write_text(SETTINGS.format(fps=round(job.fps)))
        rows.append({"file": name, "times": list(job.times)})
    shutil.copy(SCRIPT, folder / "see.gd")
    (folder / "jobs.json").write_text(json.dumps(rows))
    _import(folder, len(rows), seconds)
    done = subprocess.run(
        [program(), "--path", str(folder), "-s", "see.gd"],
        capture_output=True,
        text=True,
        timeout=seconds,
        env=_at_home(folder),
    )
    if not (folder / "seen.json").is_file():
        raise AssertionError(f"Godot ended with {done.returncode}: {(done.stdout + done.stderr)[-3000:]}")
    return [
        Scene(tuple(row["names"]), tuple(row["clips"]), tuple(row["tracks"]), np.array(row["positions"], float))
        for row in json.loads((folder / "seen.json").read_text())
    ]


def _at_home(folder: Path) -> dict[str, str]:
    """Godot keeps settings of its editor in the home folder; here it has one of its own."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    (folder / "home" / ".gdignore").touch()  # no part of the project
    return {"HOME": str(home), "PATH": os.environ.get("PATH", "")}


def _import(folder: Path, count: int, seconds: float) -> None:
    """Has the editor import the files. It is ended from here: Debian's build does not come to its own end."""
    editor = subprocess.Popen(
        [program(), "--path", str(folder), "--editor", "--quit"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=_at_home(folder),
    )
    try:
        end = time.monotonic() + seconds
        while len(list((folder / ".import").glob("*.md5"))) < count:
            if editor.poll() is not None or time.monotonic() > end:
                raise AssertionError("Godot did not import all files")
            time.sleep(0.1)
    finally:
        editor.kill()
        editor.wait()
