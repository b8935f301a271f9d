"""The log of a run."""

from __future__ import annotations

import errno

import pytest

from kinema.formats.atomic import WriteError
from kinema.learn import journal


def test_lines_are_appended_read_and_cut(tmp_path):
    for step in (50, 100, 150):
        journal.append(tmp_path, {"step": step, "loss": 1.0 / step})
    assert [entry["step"] for entry in journal.read(tmp_path)] == [50, 100, 150]
    journal.cut(tmp_path, 100)
    assert journal.read(tmp_path) == [{"step": 50, "loss": 0.02}, {"step": 100, "loss": 0.01}]


def test_a_line_cut_short_by_a_crash_is_left_out(tmp_path):
    journal.append(tmp_path, {"step": 1})
    with open(tmp_path / journal.FILE, "a") as stream:
        stream.write('{"step": 2, "lo')
    assert journal.read(tmp_path) == [{"step": 1}]


def test_no_log_is_an_empty_one(tmp_path):
    assert journal.read(tmp_path) == []
    journal.cut(tmp_path, 5)
    assert journal.read(tmp_path) == []


def test_a_full_disk_is_one_line(tmp_path, monkeypatch):
    def full(*_: object, **__: object):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("builtins.open", full)
    with pytest.raises(WriteError, match=r"log\.jsonl: cannot be written: No space left on device"):
        journal.append(tmp_path, {"step": 1})
