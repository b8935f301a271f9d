"""`kinema evaluate`."""

from __future__ import annotations

import json

import pytest

from kinema.cli.main import main
from kinema.control import subject
from kinema.metrics import COLUMNS


@pytest.fixture(autouse=True)
def little(monkeypatch):
    monkeypatch.setattr(subject, "GENERATED_MINUTES", 1.0)


def test_json_is_one_object(capsys):
    assert main(["evaluate", "--seconds", "1", "--seeds", "1", "2", "--tracks", "harsh", "stops", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["name"] for row in rows] == ["ground truth", "harsh", "stops", "sliding statue"]
    assert all(tuple(row)[: len(COLUMNS)] == COLUMNS for row in rows)
    assert [row["seconds"] for row in rows[1:]] == [2.0, 2.0, 4.0]


def test_the_table_has_a_line_for_each_metric(capsys):
    assert main(["evaluate", "--seconds", "1", "--seeds", "1"]) == 0
    out = capsys.readouterr().out
    assert all(column in out for column in COLUMNS[1:])


def test_unknown_tracks_are_named(capsys):
    assert main(["evaluate", "--tracks", "zigzag"]) == 2
    assert "zigzag" in (err := capsys.readouterr().err) and "figure-eights" in err
