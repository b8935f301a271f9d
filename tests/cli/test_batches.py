"""What `convert` and `retarget` say of many files."""

from __future__ import annotations

import argparse

import pytest

from kinema.cli import batches
from kinema.errors import KinemaError
from kinema.formats.batch import Outcome

DONE = Outcome("a.bvh", "written", ("a.glb",))
THERE = Outcome("b.bvh", "skipped", ("b.glb",))
FAILED = Outcome("c.bvh", "failed", reason="c.bvh, line 3: no joints", trace="Traceback\n")


def test_the_summary_names_every_file() -> None:
    assert batches.summary([DONE, THERE, FAILED]) == {
        "outputs": ["a.glb"],
        "skipped": ["b.bvh"],
        "failed": [{"path": "c.bvh", "reason": "c.bvh, line 3: no joints"}],
    }
    assert batches.reason_without_path(FAILED) == "line 3: no joints" and batches.reason_without_path(DONE) == ""


def test_totals(capsys) -> None:
    batches.print_totals([DONE, THERE, FAILED], "converted", single=False)
    out, err = capsys.readouterr()
    assert out == "1 converted, 1 skipped, 1 failed\n" and "--force" in err
    batches.print_totals([DONE], "converted", single=True)
    assert capsys.readouterr().out == "a.glb\n"


def test_a_single_file_that_fails_is_an_error(capsys) -> None:
    args = argparse.Namespace(debug=True, json=False)
    assert batches.failures(args, [DONE, FAILED], single=False) == [FAILED]
    assert capsys.readouterr().err == "Traceback\n"
    with pytest.raises(KinemaError, match="line 3"):
        batches.failures(args, [FAILED], single=True)
