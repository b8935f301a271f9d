"""`kinema demo`."""

from __future__ import annotations

import json

import numpy as np
import pytest

from kinema import Motion, Skeleton, formats
from kinema.cli.main import main
from kinema.control import subject
from kinema.demonstration import FILES
from kinema.errors import MissingError
from kinema.metrics import COLUMNS


@pytest.fixture(autouse=True)
def little(monkeypatch):
    monkeypatch.setattr(subject, "GENERATED_MINUTES", 1.0)


SILENT = FILES[:-1]
"""All but the film."""


def run(*arguments: object) -> int:
    return main(["demo", "--seconds", "1", "--no-video", *map(str, arguments)])


@pytest.mark.slow
def test_json_is_one_object(tmp_path, capsys):
    assert run("-o", tmp_path / "out", "--json") == 0
    out, err = capsys.readouterr()
    result = json.loads(out)
    assert set(result) == {"rows", "outputs", "failed"} and result["failed"] == []
    assert result["outputs"] == [str(tmp_path / "out" / name) for name in SILENT]
    assert all(set(COLUMNS) <= set(row) for row in result["rows"])
    assert result["rows"][0]["name"] == "ground truth"
    assert "generating" in err


@pytest.mark.slow
def test_a_table_and_the_files(tmp_path, capsys):
    assert run("-o", tmp_path) == 0
    out = capsys.readouterr().out
    for word in ("ground truth", "motion matching", "sliding statue", *COLUMNS[1:]):
        assert word in out
    assert out.splitlines()[-len(SILENT) :] == [str(tmp_path / name) for name in SILENT]


@pytest.mark.slow
def test_a_film_that_cannot_be_made_is_an_error_before_the_work(tmp_path, capsys, monkeypatch):
    def missing() -> None:
        raise MissingError("films need the package av: pip install it")

    monkeypatch.setattr("kinema.rendering.film.output.need_av", missing)
    assert main(["demo", "--seconds", "1", "-o", str(tmp_path), "--json"]) == 1
    out, err = capsys.readouterr()
    assert out == "" and list(tmp_path.iterdir()) == []
    reason = "films need the package av: pip install it; --no-video makes everything else"
    assert err == f"kinema: error: no film can be made: {reason}\n"
    assert run("-o", tmp_path, "--json") == 0, "as the message says"
    assert json.loads(capsys.readouterr().out)["outputs"] == [str(tmp_path / name) for name in SILENT]


@pytest.mark.parametrize("name", FILES)
def test_nothing_is_overwritten_unasked(tmp_path, capsys, name):
    (tmp_path / name).write_text("mine")
    assert main(["demo", "--seconds", "1", "-o", str(tmp_path)]) == 1
    err = capsys.readouterr().err
    assert err == f"kinema: error: {tmp_path / name} exists; give --force to overwrite it\n"
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "mine"


@pytest.mark.slow
def test_force_overwrites(tmp_path, capsys):
    (tmp_path / FILES[0]).write_text("old")
    assert run("-o", tmp_path, "--force") == 0
    assert (tmp_path / FILES[0]).read_bytes()[:4] == b"glTF"


def test_what_cannot_be_used_is_one_line(tmp_path, capsys):
    snake = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 0, 1]])
    formats.save(Motion.create(snake, np.tile(snake.rest_rotations, (90, 1, 1)), fps=30.0), tmp_path / "snake.bvh")
    (tmp_path / "empty").mkdir()
    for arguments, word in (
        (["--data", tmp_path / "snake.bvh"], "legs"),
        (["--data", tmp_path / "empty"], "empty"),
        (["--data", tmp_path / "gone.bvh"], "gone.bvh"),
        (["--character", tmp_path / "gone.glb"], "gone.glb"),
    ):
        assert run("-o", tmp_path / "out", *arguments) == 1
        out, err = capsys.readouterr()
        assert out == ""
        last = err.splitlines()[-1]
        assert last.startswith("kinema: error: ") and word in last and "Traceback" not in err


@pytest.mark.parametrize("seconds", ["0", "-1", "x", "inf"])
def test_lengths_that_are_none_are_refused(capsys, seconds):
    assert main(["demo", "--seconds", seconds]) == 2
    assert "is not a number above 0" in capsys.readouterr().err
