"""Drives of a controller as data."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.control import augment
from kinema.control.augment import SHARES, driven_database
from kinema.control.command import Commands
from kinema.control.presets import controller_maker
from kinema.control.tracks import COMMANDED
from kinema.errors import UsageError
from kinema.mocap import MotionDatabase
from kinema.mocap.procedural import locomotion_set
from kinema.mocap.styles import fastest, styles_of
from kinema.terrain import COURSES, GRID


@pytest.fixture(scope="module")
def driven(database, tmp_path_factory) -> MotionDatabase:
    path = tmp_path_factory.mktemp("driven") / "driven.db"
    driven_database(database, controller_maker(), 3, seed=5).save(path)
    return MotionDatabase.open(path)


def test_shares_are_of_known_tracks_and_make_up_the_whole():
    assert set(SHARES) <= set(COMMANDED) and sum(SHARES.values()) == pytest.approx(1)


@pytest.mark.slow
def test_clips_are_minutes_on_tracks(driven, database):
    assert [clip.frames for clip in driven.clips] == [1800] * 3 and driven.fps == 30
    assert all(clip.tags[0] in SHARES and clip.name.startswith(clip.tags[0]) for clip in driven.clips)
    assert driven.skeleton.names == database.skeleton.names and set(driven.labels) >= {"phase", "local_phases", "goal"}
    driven.verify()


@pytest.mark.slow
def test_a_drive_is_what_the_controller_did(driven, database):
    """The first clip is the drive of a single character under the same commands."""
    rng = np.random.default_rng(5)
    names = rng.choice(list(SHARES), 3, p=list(SHARES.values())).tolist()
    track = augment._track(names[0], int(rng.integers(2**31)), 1.0)
    controller = controller_maker()(database)
    controller.reset(3)  # plans are spread over the frames of a crowd
    others = [augment._track(name, int(rng.integers(2**31)), 1.0) for name in names[1:]]
    steps = augment._commands([track, *others], [[]] * 3, {})
    for step in range(240):
        pose = controller.step(next(steps), 1 / 60)
        if step % 2 == 0:
            kept = driven.pose([step // 2])
            np.testing.assert_allclose(kept.local_rotations[0], pose.local_rotations[0], atol=1e-6)
            np.testing.assert_allclose(kept.root_positions[0], pose.root_positions[0], atol=1e-6)
            assert (driven.contacts[step // 2] == controller.locked[0]).all()


@pytest.fixture(scope="module")
def climbed(database) -> MotionDatabase:
    return driven_database(database, controller_maker(), 2, seed=8, terrain=["stairs", "slopes"])


@pytest.mark.slow
def test_courses_are_driven_over_by_turns(climbed, driven):
    assert [clip.tags[2] for clip in climbed.clips] == ["stairs", "slopes"]
    assert set(climbed.labels) >= {"height", "height_grid", "phase"}
    assert all(np.ptp(climbed.root_positions[clip.start : clip.stop, 1]) > 0.2 for clip in climbed.clips)
    assert not driven.root_positions[:, 1].any() and "height" not in driven.labels


@pytest.mark.slow
def test_labels_say_where_the_ground_is(climbed):
    """Across the root they are those of the course, and feet that are held stand there."""
    for at, clip in enumerate(climbed.clips):
        frames = slice(clip.start, clip.stop)
        course, pose = COURSES[clip.tags[2]](8 + at), climbed.pose(frames)
        height, grid = climbed.labels["height"][frames], climbed.labels["height_grid"][frames]
        np.testing.assert_allclose(height[:, 1], course.height(pose.root_positions), atol=1e-5)
        middle = grid.reshape(-1, *GRID)[:, 7:9, 7:9].mean(axis=(1, 2)) + pose.root_positions[:, 1]
        assert np.abs(middle - height[:, 1]).mean() < 0.05
        toes = pose.global_positions[:, climbed.contact_joints]
        off = toes[..., 1] - course.height(toes) - climbed.clearance
        assert np.mean(np.abs(off[climbed.contacts[frames] > 0]) < 0.02) > 0.95


def test_courses_that_nobody_knows(database):
    with pytest.raises(UsageError, match="no course is named 'moon'; there are flat, stairs, slopes, hills"):
        driven_database(database, controller_maker(), 1, terrain=["moon"])


def test_feet_in_contact_stay_where_they_are(driven):
    feet = driven.pose(slice(0, 1800)).global_positions[:, driven.contact_joints]
    held = driven.contacts[:1800].astype(bool)
    both = held[1:] & held[:-1]
    assert both.mean() > 0.2
    assert np.linalg.norm(np.diff(feet, axis=0), axis=-1)[both].mean() * 30 < 0.05


@pytest.mark.slow
def test_the_same_seed_commands_the_same_and_progress_ends_with_all(database, driven):
    seen: list[tuple[int, int]] = []
    again = driven_database(
        database, controller_maker(), 1, seed=5, progress=lambda done, total: seen.append((done, total))
    )
    assert seen[-1] == (60, 60) and [done for done, _ in seen] == sorted({done for done, _ in seen})
    other = driven_database(database, controller_maker(), 1, seed=6)
    assert again.clips[0].tags == driven.clips[0].tags
    assert not np.array_equal(again.root_positions, other.root_positions)
    turns = rotations.yaw(again.root_rotations)
    assert np.isfinite(turns).all() and np.ptp(np.unwrap(turns)) > 0.5


@pytest.mark.slow
def test_drives_change_between_styles(monkeypatch):
    """Labels say where; there the controller was told the style, and to go no faster than its data."""
    database = MotionDatabase.from_motions(locomotion_set(minutes=3, styles=("neutral", "old", "proud")), mirror=False)
    controller = controller_maker()(database)
    told: list[Commands] = []
    step = controller.step
    monkeypatch.setattr(controller, "step", lambda commands, dt: (told.append(commands), step(commands, dt))[1])
    driven = driven_database(database, lambda _: controller, 2, seed=3, styles=("normal", "old"))
    limit = fastest(database)["old"]
    seen = set()
    for row, clip in enumerate(driven.clips):
        stops = [0, *(stop for _, stop, _ in clip.labels)]
        assert stops == sorted(stops) and stops[-1] == clip.frames
        for start, stop, words in clip.labels:
            name = words.removeprefix("style ")
            seen.add(name)
            steps = told[2 * start : 2 * stop]
            assert {commands.styles[row] for commands in steps} == {name}
            speeds = [float(np.linalg.norm(commands.velocity[row])) for commands in steps]
            assert name != "old" or max(speeds) < limit * 1.001
    assert seen == {"normal", "old"}
    assert set(styles_of(driven.clips)) == seen


def test_styles_with_a_minute_of_data_are_driven():
    motions = locomotion_set(minutes=3, styles=("neutral", "old")) + locomotion_set(minutes=0.4, styles=("proud",))
    database = MotionDatabase.from_motions(motions, mirror=False)
    controller = controller_maker()(database)
    shares = augment._shares_of_styles(database, controller, ())
    assert set(shares) == {"normal", "old"} and sum(shares.values()) == pytest.approx(1)
    assert augment._shares_of_styles(database, controller, ("proud",)) == {"proud": 1}
    with pytest.raises(UsageError, match="no style is named 'sad'; there are"):
        augment._shares_of_styles(database, controller, ("sad",))


def test_of_one_style_whole_clips_are_labelled(driven):
    """Whoever learns from drives must not take the tracks, which are their tags, for styles."""
    assert all(clip.labels == ((0, clip.frames, "style normal"),) for clip in driven.clips)
    assert set(styles_of(driven.clips)) == {"normal"}


@pytest.mark.parametrize("minutes", [0.5, float("inf"), float("nan")])
def test_too_short_or_endless(database, minutes):
    with pytest.raises(UsageError, match="at least 1 minute"):
        driven_database(database, controller_maker(), minutes)
