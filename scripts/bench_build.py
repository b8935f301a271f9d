"""How long `kinema build` takes for a zip archive of FBX takes, and for several copies of it.

    .venv/bin/python scripts/bench_build.py TAKES.zip [--sizes 1 3 9] [--joints body] [--fps 60] [--task TASK]

Each copy has slightly different values, so no file is left out as a duplicate. A line is fitted through the sizes and
gives the time for 20 hours. CPU seconds are those of the program and all its workers, start and reading included. With
a task, such as perceptron, what is built is made its training data as well.
"""

from __future__ import annotations

import argparse
import resource
import struct
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib
from pathlib import Path

import numpy as np

from kinema.formats import FORMATS, iterate, load_motions
from kinema.formats.fbx.binary import HEADER
from kinema.formats.fbx.records import MAX_DEPTH
from kinema.formats.fbx.scan_kernels import NAME, START, scan

HOURS = 20.0

PREPARE = """
import sys
from kinema import MotionDatabase
from kinema.learn.recipe import Recipe
from kinema.learn.run import start_run
start_run(sys.argv[2], sys.argv[3], MotionDatabase.open(sys.argv[1]), {}, Recipe(), force=True)
"""
"""Makes the training data of a task from a database, as `kinema train` does before its first step."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("takes", help="zip archive of binary FBX files")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 3, 9], help="numbers of copies")
    parser.add_argument("--joints", default="body", help="as for kinema build")
    parser.add_argument("--fps", default="60", help="as for kinema build")
    parser.add_argument("--workers", default="2", help="as for kinema build")
    parser.add_argument("--task", help="make the training data of this task as well, as kinema train does")
    args = parser.parse_args()
    motions = [motion for source in iterate(args.takes, FORMATS) for motion in load_motions(source).motions]
    frames, seconds = sum(motion.frames for motion in motions), sum(motion.seconds for motion in motions)
    print(
        f"{len(motions)} takes, {frames:,} frames, {seconds / 60:.1f} minutes, {motions[0].skeleton.joint_count} joints"
    )
    print("copies   frames    CPU s  frames/CPU s   wall s")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for size in args.sizes:
            archive = Path(folder, f"takes{size}.zip")
            copy(args.takes, archive, size)
            options = ["--joints", args.joints, "--fps", args.fps, "--workers", args.workers, "--force"]
            database, build = str(Path(folder, "db")), [sys.executable, "-m", "kinema.cli.main", "build", str(archive)]
            cpu, wall = measure([*build, "-o", database, *options])
            if args.task:
                prepare = measure([sys.executable, "-c", PREPARE, database, str(Path(folder, "run")), args.task])
                print(f"{args.task}: {prepare[0]:.2f} CPU s, {prepare[1]:.2f} s more")
                cpu, wall = cpu + prepare[0], wall + prepare[1]
            rows.append((size * frames, cpu, wall))
            print(f"{size:6} {size * frames:8,} {cpu:8.2f} {size * frames / cpu:13,.0f} {wall:8.2f}")
            archive.unlink()
    counts, *times = np.array(rows).T
    if len(rows) > 1:
        whole = HOURS * 3600 * frames / seconds
        cpu, wall = (np.polyval(np.polyfit(counts, column, 1), whole) for column in times)
        print(f"{HOURS:g} hours, {whole:,.0f} frames: {cpu:.0f} CPU s, {wall:.0f} s with {args.workers} workers")


def copy(takes: str, archive: Path, size: int) -> None:
    """An archive of `size` copies of the takes."""
    with zipfile.ZipFile(takes) as source, zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            data = source.read(name)
            for number in range(size):
                target.writestr(f"{number}/{name}", altered(data, 1 + 1e-6 * number))


def altered(data: bytes, factor: float) -> bytes:
    """A binary FBX file with all keys multiplied by a factor, except scales of 1.

    Packed arrays that would take more bytes stay as they are.
    """
    result = bytearray(data)
    width = 8 if struct.unpack_from("<I", data, HEADER - 4)[0] >= 7500 else 4
    for row in scan(np.frombuffer(data, np.uint8), HEADER, width, False, MAX_DEPTH)[0].tolist():
        start = row[START]
        if data[row[NAME] : start] != b"KeyValueFloat":
            continue
        _, packed, size = struct.unpack_from("<III", data, start + 1)
        raw = data[start + 13 : start + 13 + size]
        values = np.frombuffer(zlib.decompress(raw) if packed else raw, "<f4")
        values = np.where(values == 1, values, values * np.float32(factor))
        made = zlib.compress(values.tobytes(), 9) if packed else values.tobytes()
        if len(made) <= size:
            result[start + 13 : start + 13 + len(made)] = made
    return bytes(result)


def measure(command: list[str]) -> tuple[float, float]:
    """CPU and wall seconds of a program and its workers."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - began
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


if __name__ == "__main__":
    main()
