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


@pytest.mark.slow
def test_paths_and_terrain(capsys):
    asked = ["evaluate", "--seconds", "1", "--seeds", "1", "--tracks", "harsh", "path-1.4", "--terrain", "hills"]
    assert main([*asked, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert rows[1]["path_cm"] is None and 0 <= rows[2]["path_cm"] < 10
    assert main(["evaluate", "--seconds", "1", "--seeds", "1", "--tracks", "path-1.4"]) == 0
    out = capsys.readouterr().out
    assert "path_max_cm" in out and "sole_near_percent" in out and "speed_percent" in out
    assert main(["evaluate", "--seconds", "1", "--seeds", "1"]) == 0
    out = capsys.readouterr().out
    assert "path_cm" not in out and "goal_cm" not in out
    assert main(["evaluate", "--seconds", "1", "--seeds", "1", "--tracks", "goals"]) == 0
    assert "goal_cm" in (out := capsys.readouterr().out) and "goal_missed_percent" in out
    assert main(["evaluate", "--terrain-cell", "0.1"]) == 2
    assert main(["evaluate", "--terrain", "moon"]) == 2


def test_creatures_are_measured_beside_their_own_motion(capsys):
    assert main(["evaluate", "--creature", "eagle", "--seconds", "2", "--seeds", "1", "--json"]) == 0
    out, err = capsys.readouterr()
    rows = json.loads(out)["rows"]
    assert [row["name"] for row in rows] == ["ground truth", "harsh", "sliding statue"]
    assert rows[0]["skate_contact_cm_s"] < 0.5 and rows[1]["skate_contact_cm_s"] is not None
    assert "1 minutes of motion of a eagle" in err and "52% of their speeds" in err


def test_creatures_that_do_not_walk_are_refused_in_one_line(capsys):
    for name, words in (("fish", "a fish has no legs to walk on; there are: person"), ("unicorn", "unicorn")):
        assert main(["evaluate", "--creature", name]) in (1, 2)
        assert words in (line := capsys.readouterr().err) and "horse" in line and line.count("\n") == 1
    assert main(["evaluate", "--creature", "horse", "--data", "walk.db"]) == 2
    assert "give a creature or data" in capsys.readouterr().err


def test_unknown_tracks_are_named(capsys):
    assert main(["evaluate", "--tracks", "zigzag"]) == 2
    assert "zigzag" in (err := capsys.readouterr().err) and "figure-eights" in err
