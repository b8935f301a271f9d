"""What is done: moments of motion on any body, with the floor under it and a label for each picture."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kinema
from kinema.errors import UsageError
from kinema.footage.cast import Actor, hire, recruit
from kinema.footage.takes import GENERATED, MotionSource, gather_motions, take


@pytest.fixture(scope="module")
def takes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("takes")
    long = kinema.perform(script=[kinema.Segment("walk", 3.0)], fps=30, name="stroll")
    kinema.save(long, folder / "stroll.bvh")
    kinema.save(long.cut(0, 12), folder / "short.bvh")
    (folder / "broken.bvh").write_text("HIERARCHY\nROOT")
    return folder


@pytest.fixture(scope="module")
def person() -> Actor:
    return hire(recruit(["people"], 1, 3)[0])


def generated(seconds: float) -> MotionSource:
    return gather_motions([GENERATED], seconds)[0][0]


def test_motions_of_a_folder_and_why_others_are_not_used(takes: Path) -> None:
    found, failed = gather_motions([takes], 1.0)
    assert [Path(source.path).name for source in found] == ["stroll.bvh"] and found[0].seconds == pytest.approx(3.0)
    assert {Path(path).name for path, _ in failed} == {"short.bvh", "broken.bvh"}
    assert "lasts 0.40 s" in dict((Path(path).name, reason) for path, reason in failed)["short.bvh"]
    with pytest.raises(UsageError, match=r"short\.bvh"):
        gather_motions([takes / "short.bvh"], 1.0)


def test_a_generated_take_has_a_label_for_each_picture(person: Actor) -> None:
    for seed in range(6):
        done = take(person, generated(1.0), 12, 12.0, np.random.default_rng(seed))
        assert done.motion.frames == len(done.actions) == 12 and done.motion.fps == 12.0
        assert person.lowest(done.motion[:]).min() > done.floor - 0.03  # nobody stands in the ground
    same = [take(person, generated(1.0), 12, 12.0, np.random.default_rng(9)) for _ in range(2)]
    np.testing.assert_array_equal(same[0].motion.local_rotations, same[1].motion.local_rotations)


def test_a_motion_of_a_file_is_retargeted_to_the_body(person: Actor, takes: Path) -> None:
    source = gather_motions([takes / "stroll.bvh"], 1.0, "nc")[0][0]
    done = take(person, source, 10, 10.0, np.random.default_rng(1))
    assert done.motion.skeleton.joint_count == person.skeleton.joint_count
    assert done.origin.licence_class == "nc" and done.words.startswith("moves: ")
    way = np.asarray(done.motion[:].global_positions)[:, 0]
    assert 0.6 < np.linalg.norm(way[-1] - way[0]) < 2.5  # it walks on for a second
    assert abs(float(person.lowest(done.motion[:]).min()) - done.floor) < 0.06


def test_a_creature_is_told_of_as_what_it_does() -> None:
    dog = hire(recruit(["dog"], 16, 0)[0])
    done = take(dog, generated(1.0), 8, 8.0, np.random.default_rng(2))
    assert done.told and len(done.actions) == 8 and done.action in done.actions
