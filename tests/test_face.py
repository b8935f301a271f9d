"""The names of `import kinema`."""

from __future__ import annotations

import contextlib
import importlib
import pkgutil

import pytest

import kinema
from kinema.control.presets import motion_matching_controller
from kinema.errors import KinemaError
from kinema.mocap.database import MotionDatabase


@pytest.fixture(scope="module")
def take() -> kinema.Motion:
    script = [kinema.Segment("idle", 0.5), kinema.Segment("walk", 2.0), kinema.Segment("idle", 0.5)]
    return kinema.perform(script=script, fps=30.0, name="stroll")


def test_every_name_is_callable_after_all_rooms_are_imported():
    """Importing a package of the name of a function would replace the function."""
    for module in pkgutil.walk_packages(kinema.__path__, "kinema."):
        with contextlib.suppress(ModuleNotFoundError):  # a part of the machine that is not installed
            importlib.import_module(module.name)
    for name in kinema.__all__:
        assert name == "__version__" or callable(getattr(kinema, name)), name
    assert set(kinema.__all__) <= set(dir(kinema))


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="'kinema' has no attribute 'fly'"):
        _ = kinema.fly  # pyright: ignore[reportAttributeAccessIssue]


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


def test_lines_of_nouns_are_short(take):
    database = kinema.build(take, mirror=False)
    controller = motion_matching_controller(database)
    moved = kinema.retarget(take, take.skeleton)
    body = kinema.Character("person", take.skeleton)
    asset = kinema.Asset("walk.glb", "gltf", take.skeleton, (take,), body)
    nouns = (take, take.skeleton, body, take[:], take[0], asset, database, controller, moved, kinema.World())
    for thing in (*nouns, controller.step(kinema.Command((0, 0, 1.0)), 1 / 60)):
        text = repr(thing)
        assert "\n" not in text and 10 < len(text) < 160, text
    assert "'stroll'" in repr(take) and "3.0" in repr(take)
