"""Controllers ready to use."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import kinema
from kinema import Motion, Skeleton
from kinema.control.command import Commands
from kinema.control.networks import load_family
from kinema.control.presets import controller_maker, foot_lock, motion_matching_controller, with_stages
from kinema.control.subject import open_subject
from kinema.errors import LearningError, SkeletonError, UsageError
from kinema.mocap.database import MotionDatabase
from kinema.mocap.styles import mean_pose


def test_the_foot_lock_knows_the_skeleton_of_the_database(database):
    lock = foot_lock(database)
    np.testing.assert_array_equal(lock.legs[:, 3], database.contact_joints)
    np.testing.assert_allclose(lock.heights, database.clearance)
    # Knees of a person who faces +Z bend about the axis across the body.
    assert lock.hinges.shape == (2, 3)
    assert np.abs(lock.hinges[:, 0]).min() > 0.95
    assert (lock.hinges[0] @ lock.hinges[1]) > 0.9


def test_frames_may_be_chosen(database):
    allowed = np.arange(database.frames) < database.clips[0].stop
    controller = motion_matching_controller(database, allowed=allowed)
    assert controller.foot_lock is not None and controller.adjustment is not None
    assert controller.family.frames[0] < database.clips[0].stop


def test_a_skeleton_without_legs_is_one_line():
    snake = Skeleton.create(["a", "b", "c"], [-1, 0, 1], [[0, 0, 0], [0, 0, 1], [0, 0, 1]])
    motion = Motion.create(snake, np.tile(snake.rest_rotations, (120, 1, 1)), fps=30.0)
    with pytest.raises(SkeletonError, match="legs") as caught:
        motion_matching_controller(MotionDatabase.from_motions([motion], mirror=False))
    assert "\n" not in str(caught.value)


def test_what_is_no_family_is_named_with_all_that_it_lacks(database):
    class Half:
        skeleton, translated = database.skeleton, database.translated

        def __init__(self, database) -> None:
            self.reset = self.sample = self.advance = None

    with pytest.raises(UsageError, match="makes a Half, not a controller family: no ") as caught:
        controller_maker(Half)(database)
    missing = str(caught.value).split(": no ")[1].split(", ")
    assert set(missing) == {"contact_joints", "select", "replan", "diagnostics"}
    with pytest.raises(UsageError, match="not a class or a function"):
        controller_maker(3)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="not a class or a function"):
        controller_maker(Half, features=3)  # type: ignore[arg-type]


def test_a_family_of_ones_own_gets_the_stages_and_what_is_ready_stays(database, shared):
    made = controller_maker(lambda database: shared.family)(database)
    assert made.family is shared.family and made.foot_lock is not None and made.adjustment is not None
    assert made.adjustment.trajectory is made.trajectory, "it pulls towards the controller's own objects"
    assert controller_maker(lambda database: shared)(database) is shared
    specs = []
    controller_maker(lambda database, spec: specs.append(spec) or shared, features=lambda skeleton: skeleton.names)(
        database
    )
    assert specs == [database.skeleton.names]


def test_feet_about_to_land_are_those_of_the_plan(database, gliding):
    lock = with_stages(gliding.family, database).foot_lock
    assert lock is not None and lock.ahead is not None
    np.testing.assert_array_equal(lock.ahead(0.1).pose.contacts, gliding.family.sample(0.1).pose.contacts)
    assert foot_lock(database).ahead is None


@pytest.mark.slow
def test_a_file_is_a_style_for_networks_that_are_guided_by_poses(database, tmp_path):
    pytest.importorskip("torch", reason="torch is not installed: pip install 'kinema[learn]'")
    pytest.importorskip("accelerate", reason="accelerate is not installed: pip install 'kinema[learn]'")
    options = {"hidden": 16, "chain": 1, "guided": True}
    kinema.train("perceptron", database, tmp_path / "run", options=options, steps=2, batch=256)
    motion = kinema.perform(script=[kinema.Segment("walk", 3.0)], style="old", fps=30)
    kinema.save(motion, tmp_path / "bent.bvh")
    made = controller_maker(str(tmp_path / "run"), style=str(tmp_path / "bent.bvh"))(database)
    assert made.style == "bent" and made.family.styles[-1] == "bent"
    bent = MotionDatabase.from_motions([motion], mirror=False)
    wanted = mean_pose(bent.pose(slice(0, bent.frames)))
    np.testing.assert_allclose(made.family.latents[-1].reshape(-1, 3), wanted, atol=2e-3)
    assert np.isfinite(made.step(kinema.Command((0, 0, 1.0)), 1 / 60).global_positions).all()
    with pytest.raises(UsageError, match="only networks that are guided by poses"):
        controller_maker(style=str(tmp_path / "bent.bvh"))(database)


def test_a_style_is_checked_and_becomes_that_of_all_commands(database, shared):
    word = shared.family.styles[0]
    assert controller_maker(style=word)(database).style == word
    with pytest.raises(UsageError, match=f"no style is named 'proudly'; there are {word}"):
        controller_maker(style="proudly")(database)


@pytest.mark.parametrize("frames", [2, 500, 100_000])
def test_knees_are_looked_for_in_frames_from_the_first_to_the_last(database, frames):
    asked = []
    shown = SimpleNamespace(
        skeleton=database.skeleton,
        contact_joints=database.contact_joints,
        clearance=0.02,
        frames=frames,
        clips=(),
        fps=30.0,
    )
    shown.pose = lambda rows: asked.append(rows) or database.pose(np.arange(50))
    foot_lock(shown)  # type: ignore[arg-type]
    (rows,) = asked
    assert rows[0] == 0 and rows[-1] == frames - 1
    assert np.ptp(np.diff(rows)) <= 1, "evenly"


def test_bodies_whose_legs_reach_sideways_sink_by_a_share_of_their_height(database, menagerie):
    """A leg that stretches far to the side would else pull the belly of a spider to the ground."""
    assert foot_lock(database).hips.most == pytest.approx(0.2), "people sink as ever"
    spider = menagerie("spider")
    lock = foot_lock(spider)
    rest = spider.skeleton.rest_pose.global_positions
    height = float((rest[lock.legs[:, 0], 1] - rest[lock.legs[:, 3], 1]).mean())
    assert 0.1 * height < lock.hips.most * lock.size < 0.3 * height


@pytest.mark.parametrize(
    "task",
    [
        *("perceptron", "learned-matching"),
        *(pytest.param(task, marks=pytest.mark.slow) for task in ("mann", "pfnn", "local-phases", "deep-phase", "nsm")),
    ],
)
def test_a_folder_of_a_network_is_a_family_with_all_stages(database, network, task):
    """It goes where it is told even after a moment of training, since the adjustment pulls it there."""
    maker = controller_maker(str(network(task)))
    controller = maker(database)
    assert controller.foot_lock is not None and controller.adjustment is not None
    controller.reset(2)
    commands = Commands.create([[0, 0, 1.0], [0, 0, 0.0]])
    for _ in range(120):
        pose = controller.step(commands, 1 / 60)
    assert pose.root_positions[0, 2] > 1.0 > abs(pose.root_positions[1, 2])
    shown = controller.diagnostics
    assert ("experts" in shown) == (task not in ("perceptron", "learned-matching"))
    if "experts" in shown:
        assert shown["experts"].shape == (2, 4)
        np.testing.assert_allclose(shown["experts"].sum(axis=1), 1, atol=1e-5)
    own = {"pfnn": "phase", "nsm": "phase", "local-phases": "local phases", "deep-phase": "learned phases"}
    assert [name for name in shown if "phase" in name] == ([own[task]] if task in own else [])
    controller.select([1], 1)
    assert np.isfinite(controller.step(commands, 1 / 60).global_positions).all()


def test_features_cannot_be_chosen_for_a_network(network):
    with pytest.raises(UsageError, match="it sees the features that it was trained with, not motion-matching"):
        controller_maker(str(network("perceptron")), "motion-matching")


def test_a_folder_with_the_name_of_a_family_is_not_taken_for_a_network(tmp_path, monkeypatch):
    (tmp_path / "motion-matching").mkdir()
    monkeypatch.chdir(tmp_path)
    assert controller_maker().weights is None and controller_maker().subject() is None


def test_a_network_brings_poses_of_its_body_along(network, database):
    subject = controller_maker(str(network("perceptron"))).subject()
    assert subject is not None and subject.seconds > 60 and subject.clearance == pytest.approx(database.clearance)
    assert subject.skeleton.names == database.skeleton.names
    assert np.isfinite(subject.pose(slice(0, None, 50)).global_positions).all()
    with open_subject(own=lambda: subject) as opened:
        assert opened is subject
    assert controller_maker().subject() is None


def test_a_network_for_another_body_is_refused(network, biped):
    """The message says what differs: names, their order, or a bone."""
    folder = network("perceptron")
    own = load_family(folder).skeleton
    names = list(own.names)
    names[3], names[4] = names[4], names[3]
    swapped = Skeleton.create(names, own.parents, own.rest_translations)
    longer = Skeleton.create(own.names, own.parents, own.rest_translations * 1.2)
    for other, said in ((biped, "are not in both"), (swapped, "order of joints differs"), (longer, r"differs by \d")):
        with pytest.raises(LearningError, match=said):
            load_family(folder, other)
