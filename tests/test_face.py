"""The functions of `import kinema`."""

from __future__ import annotations

import importlib
import pkgutil

import numpy as np
import pytest

import kinema
from kinema import face
from kinema.errors import KinemaError
from kinema.mocap.database import MotionDatabase
from kinema.mocap.procedural import Segment, generate

SCRIPT = (Segment("idle", 0.5), Segment("walk", 2.0), Segment("idle", 0.5))


@pytest.fixture(scope="module")
def take() -> kinema.Motion:
    return generate(script=SCRIPT, fps=30.0, name="stroll")


def test_every_name_is_callable_after_all_rooms_are_imported():
    """Importing a package of the name of a function would replace the function."""
    for module in pkgutil.walk_packages(kinema.__path__, "kinema."):
        if module.name.split(".")[1] in ("window", "viewer", "learn", "cli") or ".robots" in module.name:
            continue
        importlib.import_module(module.name)
    for name in kinema.__all__:
        assert name == "__version__" or callable(getattr(kinema, name)), name
    assert set(kinema.__all__) <= set(dir(kinema))


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="'kinema' has no attribute 'walk'"):
        _ = kinema.walk  # pyright: ignore[reportAttributeAccessIssue]


def test_load_retarget_build_in_a_few_lines(take, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kinema.save(take, "walk.bvh")
    motion = kinema.load_motion("walk.bvh")
    small = kinema.Skeleton.create(
        motion.skeleton.names, motion.skeleton.parents, 0.5 * motion.skeleton.rest_translations
    )
    moved = motion.retarget(small)
    assert moved.skeleton.same_topology(small) and len(moved) == len(motion)
    hips = moved.skeleton.roles.hips
    ratio = moved[:].global_positions[:, hips, 1].mean() / motion[:].global_positions[:, hips, 1].mean()
    assert ratio == pytest.approx(0.5, abs=0.03)
    assert kinema.retarget("walk.bvh", small).report.frames == len(motion)
    built = kinema.build("walk.bvh", "walk.db", workers=1)
    assert isinstance(built, MotionDatabase) and (tmp_path / "walk.db" / "index.json").exists()
    assert kinema.build(motion, mirror=False).frames == pytest.approx(len(motion), abs=2)
    with pytest.raises(KinemaError, match="of files or of motions, not of both"):
        kinema.build(["walk.bvh", motion])


def test_what_is_played_and_viewed_is_a_session(take, monkeypatch):
    shown = []
    monkeypatch.setattr(face, "_show", lambda session, *rest: shown.append((session, rest)))
    kinema.view(take, take.skeleton and kinema.Character("bare", take.skeleton), port=0, seconds=1.0)
    spawned = []
    kinema.play(kinema.build(take, mirror=False), setup=spawned.append, seconds=2.0)
    assert [session.name for session, _ in shown] == ["view", "play"]
    assert [rest for _, rest in shown] == [(False, 0, 1.0, "Kinema view"), (False, 8080, 2.0, "Kinema play")]
    assert spawned == [shown[1][0].world]


def test_lines_of_nouns_are_short(take):
    for thing in (take, take.skeleton, kinema.Character("person", take.skeleton), take[:], take[0]):
        text = repr(thing)
        assert "\n" not in text and 10 < len(text) < 120, text
    assert "'stroll'" in repr(take) and "3.0" in repr(take)


def test_a_notebook_shows_pictures(take):
    pytest.importorskip("moderngl")
    html = take._repr_html_()
    assert "<img" in html and "stroll" in html
    empty = take.cut(0, 0)._repr_html_()
    assert "<img" not in empty


def test_a_motion_is_rendered_to_a_file(take, tmp_path):
    pytest.importorskip("moderngl")
    from PIL import Image

    kinema.render(take, tmp_path / "walk.png", size=(64, 48), still=1.0, quality="draft")
    with Image.open(tmp_path / "walk.png") as image:
        assert image.size == (64, 48) and np.ptp(np.asarray(image.convert("L"))) > 40
