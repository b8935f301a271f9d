"""The process that usd-core runs in: crashes, hangs and mistakes there are errors here."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from kinema.errors import FormatError, MissingError
from kinema.formats.usd import sandbox


@pytest.fixture
def empty(tmp_path):
    (tmp_path / "a.usda").write_text("#usda 1.0\n")
    return {"do": "dependencies", "folder": str(tmp_path), "layer": "a.usda"}


def _pid() -> int:
    return sandbox._running[os.getpid()].pid


def test_one_process_serves_many_files(empty):
    assert sandbox.ask(empty, "a", 1)["paths"] == []
    first = _pid()
    sandbox.ask(empty, "a", 1)
    assert _pid() == first


def test_a_crash_is_one_line_and_the_next_file_is_read(empty, monkeypatch):
    sandbox.ask(empty, "a", 1)
    real = sandbox.pack

    def crashing(request):
        os.kill(_pid(), signal.SIGSEGV)
        return real(request)

    monkeypatch.setattr(sandbox, "pack", crashing)
    with pytest.raises(FormatError, match=r"^a: cannot be read: usd-core crashed on it \(signal 11\), it is damaged$"):
        sandbox.ask(empty, "a", 1)
    monkeypatch.setattr(sandbox, "pack", real)
    assert sandbox.ask(empty, "a", 1)["paths"] == []


def test_a_hang_is_ended(empty, monkeypatch):
    sandbox.ask(empty, "a", 1)
    os.kill(_pid(), signal.SIGSTOP)
    monkeypatch.setattr(sandbox, "SECONDS", 0.3)
    with pytest.raises(FormatError, match="takes longer than 0 s to open"):
        sandbox.ask(empty, "a", 1)
    monkeypatch.undo()
    assert sandbox.ask(empty, "a", 1)["paths"] == []


def test_mistakes_of_ours_are_no_refusals(empty):
    with pytest.raises(RuntimeError, match="KeyError: 'fps'"):
        sandbox.ask({**empty, "do": "read"}, "a", 1)
    assert sandbox.ask(empty, "a", 1)["paths"] == []


def test_a_library_that_does_not_start_is_told_from_a_damaged_file(empty, monkeypatch):
    sandbox.ask(empty, "a", 1)
    sandbox._forget(sandbox._running[os.getpid()])
    monkeypatch.setattr(sandbox.sys, "executable", "/bin/false")
    with pytest.raises(MissingError, match=r"usd-core does not start here \(exit 1\)"):
        sandbox.ask(empty, "a", 1)
    monkeypatch.undo()
    assert sandbox.ask(empty, "a", 1)["paths"] == []


def test_without_usd_core_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(sandbox.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingError, match=r"pip install 'kinema\[formats\]'"):
        sandbox.ask({}, "a", 1)


def test_it_ends_with_the_process_that_started_it_and_is_safe_from_its_folder(tmp_path):
    """A module in the working folder must not be imported by the process, and a script needs no main guard."""
    (tmp_path / "numpy.py").write_text("open('was_imported', 'w')\n")
    (tmp_path / "a.usda").write_text('#usda 1.0\ndef Xform "a" {\ndef Xform "b" {}\n}\n')
    script = (
        "import kinema, kinema.formats.usd.sandbox as s\nprint(kinema.load('a.usda').skeleton.names)\n"
        "print(next(iter(s._running.values())).pid)"
    )
    command = [sys.executable, "-P", "-c", script]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    names, pid = done.stdout.split("\n")[:2]
    assert names == "('a', 'b')" and not done.stderr
    assert not (tmp_path / "was_imported").exists()
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid), 0)
