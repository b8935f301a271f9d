"""Loads files in processes of their own, many to a process, with a limit of time and memory for each.

Run as a program it is such a process: it reads one path a line from stdin, loads the file and writes one line of JSON.
"""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, cast

SECONDS = 10.0  # of processor time
HUNG = 300.0  # seconds after which a process that says nothing is taken to hang
MEGABYTES = 2000.0


@dataclass(frozen=True)
class Outcome:
    """What became of one file.

    Attributes:
        path: as it was asked for.
        said: "read"; "refused" with a `KinemaError`; "crashed" with any other exception or a dead process; "late".
        joints: of its skeleton; 0 without one.
        frames: of its longest motion; 0 without one.
        motions: how many.
        duration: of all of them together from first frame to last, seconds.
        vertices: of all meshes.
        seconds: for loading it.
        megabytes: peak of resident memory while it was loaded above what the process had before.
        warnings: lines of warning.
        reason: the error, or the first warning.
    """

    path: str
    said: str
    joints: int = 0
    frames: int = 0
    motions: int = 0
    duration: float = 0.0
    vertices: int = 0
    seconds: float = 0.0
    megabytes: float = 0.0
    warnings: int = 0
    reason: str = ""


def load_all(paths: Sequence[Path]) -> Iterator[Outcome]:
    """What becomes of each file, in order. A process that dies or is late is replaced."""
    worker: subprocess.Popen[str] | None = None
    for path in paths:
        if worker is None:
            worker = start()
        sent, received = cast(IO[str], worker.stdin), cast(IO[str], worker.stdout)
        sent.write(f"{path}\n")
        sent.flush()
        ready, _, _ = select.select([received], [], [], HUNG)
        line = received.readline() if ready else ""
        if line:
            yield Outcome(**json.loads(line))
            continue
        worker.kill()
        code = worker.wait()
        worker = None
        said = "crashed" if ready else "late"
        yield Outcome(str(path), said, reason=f"the process ended with {code}" if ready else f"more than {HUNG} s")
    if worker is not None:
        cast(IO[str], worker.stdin).close()
        worker.wait()


def start() -> subprocess.Popen[str]:
    limited = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")}
    return subprocess.Popen(
        [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ | limited
    )


def load_one(path: str) -> Outcome:
    """Loads one file in this process."""
    from kinema import load
    from kinema.errors import KinemaError

    before = reset_peak()
    started = time.process_time()
    try:
        asset = load(path)
    except KinemaError as error:
        spent = time.process_time() - started
        return Outcome(path, "refused", seconds=spent, megabytes=peak() - before, reason=str(error))
    except Exception as error:  # whatever else it may be is what this looks for
        spent = time.process_time() - started
        return Outcome(path, "crashed", seconds=spent, megabytes=peak() - before, reason=repr(error))
    spent = time.process_time() - started
    meshes = asset.character.meshes if asset.character else ()
    return Outcome(
        path,
        "read",
        joints=asset.skeleton.joint_count if asset.skeleton else 0,
        frames=max((motion.frames for motion in asset.motions), default=0),
        motions=len(asset.motions),
        duration=sum((motion.frames - 1) / motion.fps for motion in asset.motions),
        vertices=sum(len(mesh.positions) for mesh in meshes),
        seconds=spent,
        megabytes=peak() - before,
        warnings=len(asset.warnings),
        reason=asset.warnings[0] if asset.warnings else "",
    )


def status(key: str) -> float:
    """A figure of this process in MB, such as `VmHWM`, the peak of resident memory."""
    found = re.search(rf"^{key}:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE)
    return int(found[1]) / 1000 if found else 0.0


def peak() -> float:
    return status("VmHWM")


def reset_peak() -> float:
    """Forgets the peak of resident memory so far and says what is resident now, MB."""
    Path("/proc/self/clear_refs").write_text("5")
    return status("VmRSS")


def work() -> None:
    import resource

    import kinema  # noqa: F401  before the limit is set: what it maps is not the files' fault

    most = int((status("VmSize") + MEGABYTES) * 1e6)
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))  # readers' own processes set their own
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print is no answer
    for line in sys.stdin:
        answers.write(json.dumps(asdict(load_one(line.rstrip("\n")))) + "\n")
        answers.flush()


if __name__ == "__main__":
    work()
