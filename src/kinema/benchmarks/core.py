"""The suite `core`: reading, kinematics, features and memory, on one thread."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kinema import kinematics
from kinema.benchmarks import data
from kinema.benchmarks.measure import Row, best_seconds, kept_bytes
from kinema.features import presets
from kinema.features.extract import extract_all
from kinema.features.statistics import Statistics
from kinema.formats import bvh
from kinema.formats.sources import Source
from kinema.mocap.database import MotionDatabase

FRAMES = 20_000


def bvh_import() -> Row:
    """From the bytes of a BVH file to a motion with quaternions."""
    source = _bvh_file(FRAMES)
    text = source.read().decode()
    return Row(
        f"BVH import, {data.JOINTS} joints",
        FRAMES / best_seconds(lambda: bvh.read(source)),
        "frames/s",
        250_000,
        FRAMES / best_seconds(lambda: _plain_bvh(text), repeats=2),
        "str.split, NumPy and SciPy rotations",
    )


def forward_kinematics() -> Row:
    """Global rotations and positions of a clip, float32."""
    motion = data.wander(FRAMES)
    parents = motion.skeleton.parents.tolist()
    local, moved = motion.local_rotations, motion[:].local_translations
    joints = FRAMES * len(parents)
    return Row(
        "forward kinematics",
        joints / best_seconds(lambda: kinematics.forward(local, moved, parents)),
        "joints/s",
        30_000_000,
        joints / best_seconds(lambda: kinematics.forward_reference(local, moved, parents)),
        "NumPy, one joint after another over all frames",
    )


def locomotion_features() -> Row:
    """Network input and output of a locomotion model from a database, each frame once."""
    database = MotionDatabase.from_motions([data.wander(FRAMES // 4)], mirror=False)
    specs = presets.locomotion(database.skeleton)
    outs = [np.empty((database.frames, spec.dim), np.float32) for spec in specs]
    copies = [np.empty_like(out) for out in outs]

    def copy() -> None:
        for out, target in zip(outs, copies, strict=True):
            np.copyto(target, out)

    return Row(
        f"locomotion features, {specs[0].dim} in, 16x{specs[1].dim // 16} out",
        database.frames / best_seconds(lambda: extract_all(database, specs, outs=outs)),
        "samples/s",
        50_000,
        database.frames / best_seconds(copy),
        "copying the finished rows",
    )


def feature_statistics() -> Row:
    """Mean and standard deviation of every column, for rows as wide as the network input above."""
    rows = np.random.default_rng(3).standard_normal((50_000, 339), np.float32)
    return Row(
        "statistics, rows of 339",
        len(rows) / best_seconds(lambda: Statistics.of(rows)),
        "rows/s",
        5_000_000,
        len(rows) / best_seconds(lambda: (rows.mean(0, dtype=np.float64), rows.std(0, dtype=np.float64))),
        "NumPy mean and std in float64",
    )


def memory() -> Row:
    """Memory that a motion keeps after its file was read."""
    source = _bvh_file(FRAMES // 4)
    cells = FRAMES // 4 * data.JOINTS
    return Row(
        "memory of a motion",
        kept_bytes(lambda: bvh.read(source)) / cells,
        "bytes per frame and joint",
        28,
        kept_bytes(lambda: np.zeros((FRAMES // 4, data.JOINTS, 4, 4), np.float32)) / cells,
        "float32 matrices of 4x4",
        better="lower",
    )


def import_time() -> Row:
    """Processor time of `import kinema` in a fresh interpreter."""
    return Row(
        "import kinema",
        _import_seconds("kinema"),
        "s",
        0.3,
        _import_seconds("numpy"),
        "import numpy",
        better="lower",
    )


ROWS: tuple[Callable[[], Row], ...] = (
    bvh_import,
    forward_kinematics,
    locomotion_features,
    feature_statistics,
    memory,
    import_time,
)


def run() -> Iterator[Row]:
    """Measure all rows, one by one."""
    for row in ROWS:
        yield row()


def _bvh_file(frames: int) -> Source:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "bench.bvh")
        bvh.write(data.wander(frames), path)
        return Source.from_bytes(path.read_bytes(), "bench.bvh")


def _plain_bvh(text: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The straightforward importer: split the text, parse numbers, convert Euler angles to quaternions."""
    from scipy.spatial.transform import Rotation

    lines = text[text.index("Frame Time:") :].split("\n", 1)[1]
    rows = np.array(lines.split(), np.float64).reshape(-1, 3 + 3 * data.JOINTS)
    angles = rows[:, 3:].reshape(-1, 3)
    return rows[:, :3], Rotation.from_euler("ZXY", angles, degrees=True).as_quat().reshape(len(rows), -1, 4)


def _import_seconds(module: str) -> float:
    code = f"import time; began = time.process_time(); import {module}; print(time.process_time() - began)"
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
        for _ in range(5)
    ]
    return min(float(done.stdout) for done in runs)
