"""Worker processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from kinema import unfinished
from kinema.workers import available_cores, open_pool, worth_using


def test_cores() -> None:
    assert 1 <= available_cores() <= (os.cpu_count() or 1)


def test_work_is_done_elsewhere() -> None:
    with open_pool(1) as pool:
        assert pool.submit(os.getpid).result() != os.getpid()


START = """
import multiprocessing, os, signal, time
from kinema.workers import open_pool
if __name__ == "__main__":
    with open_pool(1) as pool:
        answer = pool.submit(os.getpid)
        while not answer.done():
            for child in multiprocessing.active_children():
                os.kill(child.pid, signal.SIGINT)
            time.sleep(0.01)
        assert answer.result() != os.getpid()
    print("done")
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a system with signals")
def test_workers_leave_ctrl_c_to_their_parent_also_while_they_start(tmp_path: Path) -> None:
    script = tmp_path / "start.py"
    script.write_text(START)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a system with signals")
def test_workers_leave_ctrl_c_to_their_parent() -> None:
    with open_pool(1) as pool:
        worker = pool.submit(os.getpid).result()
        os.kill(worker, signal.SIGINT)
        assert pool.submit(os.getpid).result() == worker


ORPHAN = """
import os, sys, time
from kinema.workers import open_pool
if __name__ == "__main__":
    executor = open_pool(1)
    print(executor.submit(os.getpid).result(), executor._journal, flush=True)
    time.sleep(60)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a system with SIGKILL")
def test_workers_end_with_a_killed_parent(tmp_path: Path) -> None:
    script = tmp_path / "orphan.py"
    script.write_text(ORPHAN)
    parent = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    number, journal = parent.stdout.readline().split()
    worker = int(number)
    assert Path(journal).exists()
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and _alive(worker):
        time.sleep(0.05)
    parent.stdout.close()
    assert not _alive(worker) and not Path(journal).exists()


@pytest.mark.parametrize("stop", [KeyboardInterrupt, ValueError])
def test_an_exception_ends_workers_in_the_middle_of_their_work(stop: type[BaseException], tmp_path: Path) -> None:
    with pytest.raises(stop), open_pool(1) as pool:
        worker = pool.submit(os.getpid).result()
        pool.submit(_write_forever, tmp_path / "half")
        while not (tmp_path / "half").exists():
            time.sleep(0.01)
        raise stop
    assert not _alive(worker) and [path.name for path in tmp_path.iterdir()] == ["complete"]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a system with SIGKILL")
def test_nothing_stays_of_a_worker_that_was_killed(tmp_path: Path) -> None:
    with pytest.raises(BrokenProcessPool), open_pool(1) as pool:
        worker = pool.submit(os.getpid).result()
        answer = pool.submit(_write_forever, tmp_path / "half")
        while not (tmp_path / "half").exists():
            time.sleep(0.01)
        os.kill(worker, signal.SIGKILL)
        answer.result()
    assert [path.name for path in tmp_path.iterdir()] == ["complete"]


def _write_forever(path: Path) -> None:
    complete = path.with_name("complete")
    unfinished.begin(complete)
    complete.touch()
    unfinished.done(complete)
    unfinished.begin(path)
    path.touch()
    time.sleep(120)


def _alive(process: int) -> bool:
    """Whether a process runs; one that has ended but was not collected by its new parent does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_little_work_is_done_by_one() -> None:
    assert worth_using(None, 1000) == 1
    assert worth_using(None, 10**9) == available_cores()
    assert worth_using(3, 1000) == 3
