"""What a program that ends early leaves behind: nothing."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from kinema import unfinished

ENDING = """
import subprocess, sys
from pathlib import Path
from kinema import unfinished

for name in ("complete", "half", "folder", "never"):
    unfinished.begin(name)
Path("complete").touch()
unfinished.done("complete")
Path("half").touch()
Path("folder").mkdir()
Path("folder", "file").touch()
child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
unfinished.started(child)
with unfinished.temporary_folder() as kept:
    print(kept, child.pid, flush=True)
    unfinished.end_now(7)
"""


def running(process: str) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_what_is_unfinished_goes_and_what_is_complete_stays(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", ENDING], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 7 and done.stderr == ""
    temporary, child = done.stdout.split()
    assert [path.name for path in tmp_path.iterdir()] == ["complete"]
    assert not Path(temporary).exists() and Path(temporary).name.startswith("kinema-")
    deadline = time.monotonic() + 60  # a process that was killed takes a moment to go
    while running(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not running(child)


def test_temporary_folders_go_at_the_end_of_their_block() -> None:
    with unfinished.temporary_folder() as folder:
        assert Path(folder).is_dir()
    assert not Path(folder).exists()


def test_what_is_not_there_is_no_trouble_to_remove(tmp_path: Path) -> None:
    unfinished.remove(tmp_path / "gone" / "file")
    (tmp_path / "link").symlink_to(tmp_path)
    unfinished.remove(tmp_path / "link")
    assert list(tmp_path.iterdir()) == []
