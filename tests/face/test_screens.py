"""`kinema.play` and `kinema.view`."""

from __future__ import annotations

import pytest

import kinema
from kinema.errors import KinemaError
from kinema.face import screens
from kinema.session.log import Log


def test_what_is_played_and_viewed_is_a_session(take, monkeypatch):
    shown = []

    def show(make, title, screen):
        shown.append((make(Log()), title, screen))
        return screens.Shown()

    monkeypatch.setattr(screens, "show_session", show)
    report = kinema.view(take, kinema.Character("bare", take.skeleton), port=0, seconds=1.0)
    spawned = []
    kinema.play(kinema.build(take, mirror=False), setup=spawned.append, seconds=2.0)
    world = kinema.World()
    kinema.view(world, window=True)
    assert (shown[2][0].world, shown[2][0].name, shown[2][2].window) == (world, "world", True)
    assert [session.name for session, _, _ in shown[:2]] == ["view", "play"] and report.files == 2
    assert [(title, screen.port, screen.seconds) for _, title, screen in shown] == [
        ("Kinema view", 0, 1.0),
        ("Kinema play", 8080, 2.0),
        ("Kinema view", 8080, None),
    ]
    assert spawned == [shown[1][0].world]
    with pytest.raises(KinemaError, match="a world is shown alone"):
        kinema.view(kinema.World(), take)


def test_a_bad_file_is_left_out_and_named(take, tmp_path, monkeypatch):
    monkeypatch.setattr(screens, "show_session", lambda make, title, screen: screens.Shown())
    kinema.save(take, tmp_path / "walk.bvh")
    (tmp_path / "bad.bvh").write_text("nonsense")
    notes = []
    report = kinema.view(tmp_path, note=notes.append)
    assert (report.files, report.left_out, len(report.problems)) == (1, 1, 1) and "bad.bvh" in notes[0]
    with pytest.raises(KinemaError, match=r"bad\.bvh"):
        kinema.view(tmp_path / "bad.bvh")
    monkeypatch.setattr("kinema.formats.bvh.read", lambda source: {}["faces"])
    with pytest.raises(KinemaError, match=r"walk\.bvh: KeyError: 'faces'"):
        kinema.view(tmp_path / "walk.bvh")
