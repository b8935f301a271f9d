"""`kinema bench`."""

from __future__ import annotations

import json
import subprocess
import sys
from types import SimpleNamespace

import pytest

from kinema.benchmarks import measure
from kinema.cli.main import main

ROW = measure.Row("reading", 12.5, "MB/s", 10.0, 5.0, "plain Python")


@pytest.fixture
def suite(monkeypatch) -> None:
    for name in measure.THREAD_VARIABLES:
        monkeypatch.setenv(name, "1")
    monkeypatch.setitem(sys.modules, "kinema.benchmarks.core", SimpleNamespace(ROWS=(None,), run=lambda: iter([ROW])))


def test_json(suite, capsys) -> None:
    assert main(["bench", "core", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert (row["name"], row["value"], row["unit"], row["goal"]) == ("reading", 12.5, "MB/s", 10.0)
    assert (row["baseline"], row["ratio"]) == (5.0, 2.5)


def test_table(suite, capsys) -> None:
    assert main(["bench"]) == 0
    out = capsys.readouterr().out
    assert "reading" in out and "plain Python" in out and "yes" in out


def test_with_more_threads_it_measures_in_a_process_that_has_one(suite, monkeypatch, capsys) -> None:
    started = []

    def start(command, env, stdout):
        started.append((command, env))
        return SimpleNamespace(returncode=0, stdout=json.dumps({"rows": [ROW.to_dict()]}))

    monkeypatch.setenv("OMP_NUM_THREADS", "8")
    monkeypatch.setattr(subprocess, "run", start)
    assert main(["bench", "core"]) == 0
    assert "reading" in capsys.readouterr().out
    ((command, env),) = started
    assert command[1:] == ["-m", "kinema.cli.main", "bench", "core", "--json"]
    assert env["OMP_NUM_THREADS"] == "1"


def test_unknown_suite_is_wrong_usage() -> None:
    assert main(["bench", "nonsense"]) == 2
