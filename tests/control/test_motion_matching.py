"""The family of motion matching."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.control.command import Commands, harsh_track
from kinema.control.motion_matching import MatchSettings, MotionMatching
from kinema.errors import ControlError
from kinema.mocap.database import MotionDatabase
from kinema.mocap.procedural import locomotion_set
from kinema.mocap.styles import style_of

DT = 1 / 60


@pytest.fixture
def family(controller) -> MotionMatching:
    return controller.family


def asking(positions=None, directions=None, due=(True,), style="") -> Any:
    """A query for paths that are given, of characters that move."""
    path = positions, directions
    velocity = np.tile(np.float32([1, 0, 0]), (len(due), 1))
    ahead = np.zeros(len(due), np.float32)
    trajectory = SimpleNamespace(velocity=velocity, wanted_heading=lambda _: ahead)
    return SimpleNamespace(
        path=lambda _: path,
        due=np.asarray(due),
        trajectory=trajectory,
        commands=Commands.create(velocity, style=style),
        root_headings=ahead,
    )


def wanted(family: MotionMatching, frames: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The trajectories `[n, S, 3]` that frames themselves have."""
    raw = family.normalizer.denormalize(family.features[frames])
    flat = [raw[:, family.spec[f"trajectory.{name}"]] for name in ("position", "direction")]
    spread = [part.reshape(len(frames), -1, 2) for part in flat]
    return tuple(np.stack([p[..., 0], 0 * p[..., 0], p[..., 1]], -1).astype(np.float32) for p in spread)  # type: ignore


def test_a_frame_is_the_best_answer_to_its_own_question(family, database, rng):
    frames = rng.choice(np.flatnonzero(family.usable), 20)
    query = family.query(frames, *wanted(family, frames))
    np.testing.assert_allclose(query, family.features[frames], atol=1e-4)
    found, cost = family._index.search(np.concatenate([query, family._marks[frames]], axis=1))
    np.testing.assert_array_equal(found, frames)
    assert cost.max() < 1e-6


def test_a_plan_that_fits_is_kept(family, database):
    family.advance(asking(), 0.2)
    before = family.frames
    assert not family.replan(asking(*wanted(family, before))).any()
    np.testing.assert_array_equal(family.frames, before)


def test_only_those_due_plan_anew(family):
    family.reset(3)
    far = np.zeros((3, 3, 3), np.float32)
    far[..., 2] = np.float32([0.5, 1.2, 2.0])
    ahead = np.tile(np.float32([0, 0, 1]), (3, 3, 1))
    before = family.frames
    switched = family.replan(asking(far, ahead, (False, True, False)))
    assert switched.tolist() == [False, True, False]
    assert (family.frames != before).tolist() == [False, True, False]


def test_each_character_asks_its_own_question(fresh):
    """A crowd in which some are due plans as each of them would alone."""
    family = fresh().family
    rng = np.random.default_rng(1)
    frames = rng.choice(np.flatnonzero(family.usable), 4)
    positions, directions = wanted(family, rng.choice(np.flatnonzero(family.usable), 4))
    family.reset(4)
    family._cursor, family._clip = frames.astype(float), family.database.clip_of(frames)
    due = np.array([False, True, False, True])
    switched = family.replan(asking(positions, directions, due))
    for member in (1, 3):
        result = family.frames[member]
        alone = fresh().family
        alone._cursor, alone._clip = frames[[member]].astype(float), family.database.clip_of(frames[[member]])
        assert alone.replan(asking(positions[[member]], directions[[member]]))[0] == switched[member]
        assert alone.frames[0] == result


def test_no_plan_runs_past_the_end_of_its_clip(family, database, rng):
    for clip in database.clips:
        family._cursor, family._clip = np.array([clip.stop - 2.5]), database.clip_of([clip.start])
        for _ in range(3):
            family.advance(asking(), 1.0)
            assert family.frames[0] == clip.stop - 1
        for offset in (-100.0, 0.0, 100.0):
            sample = family.sample(offset)
            edge = clip.start if offset < 0 else clip.stop - 1
            turned = np.asarray(database.local_rotations[edge])
            np.testing.assert_allclose(np.abs((sample.pose.local_rotations[0] * turned).sum(-1)), 1, atol=1e-5)


def test_a_plan_that_ends_makes_way(family, database):
    clip = database.clips[0]
    family._cursor, family._clip = np.array([clip.stop - 2.0]), np.array([0])
    there = family.frames
    assert family.replan(asking(*wanted(family, there))).all()
    margin = round(family.settings.margin * database.fps)
    stop = database.clips[int(family._clip[0])].stop
    assert family.frames[0] + margin < stop


def test_only_allowed_frames_are_played(fresh, database):
    originals = np.repeat([not clip.mirrored for clip in database.clips], [clip.frames for clip in database.clips])
    controller = fresh(allowed=originals)
    track = harsh_track(8, 2)
    for frame in range(480):
        controller.step(track.at(frame * DT), DT)
        assert originals[controller.family.frames].all()
    assert controller.transitions > 5


def test_nothing_allowed_is_refused(database):
    with pytest.raises(ControlError, match="frames can be searched"):
        MotionMatching(database, allowed=np.zeros(database.frames, bool))


def test_transitions_are_counted(controller, database):
    """Every jump of the cursor is a transition and nothing else is."""
    track, family = harsh_track(6, 3), controller.family
    jumps = 0
    place = family._cursor.copy()
    for frame in range(360):
        controller.step(track.at(frame * DT), DT)
        jumps += int(abs(family._cursor[0] - place[0]) > 2 * DT * database.fps)
        place = family._cursor.copy()
        assert database.clip_of(family.frames)[0] == family._clip[0]
    assert controller.transitions == jumps > 5


def test_staying_is_worth_a_share(database):
    """The more another frame must be better, the fewer transitions there are."""
    from kinema.control.controller import Controller

    counts = []
    for stay in (0.0, 0.8):
        controller = Controller(MotionMatching(database, settings=MatchSettings(stay=stay)))
        track = harsh_track(10, 3)
        for frame in range(600):
            controller.step(track.at(frame * DT), DT)
        counts.append(controller.transitions)
    assert counts[0] > 1.2 * counts[1]


def test_sampling_on_a_frame_is_that_frame(family, database):
    frame = database.clips[1].start + 40
    family._cursor, family._clip = np.array([float(frame)]), np.array([1])
    sample = family.sample()
    turned = np.asarray(database.local_rotations[frame])
    np.testing.assert_allclose(np.abs((sample.pose.local_rotations[0] * turned).sum(-1)), 1, atol=1e-5)
    np.testing.assert_allclose(
        sample.pose.local_translations[0, database.translated], database.local_translations[frame], atol=1e-5
    )
    np.testing.assert_allclose(sample.pose.contacts[0], database.contacts[frame], atol=1e-6)
    # Root rates are what carries one root frame to the next.
    moved = np.asarray(database.root_positions[frame + 1] - database.root_positions[frame - 1]) * database.fps / 2
    assert np.linalg.norm(sample.root_velocities[0]) == pytest.approx(np.linalg.norm(moved), abs=1e-4)


def gliding_person(skeleton: Skeleton, speed: float, turn: float, name: str) -> Motion:
    """Two seconds of a person in the rest pose, both feet down, who glides ahead in m/s and turns in rad/s."""
    t = np.arange(60) / 30.0
    local = np.tile(skeleton.rest_rotations, (60, 1, 1))
    local[:, 0] = rotations.from_yaw((turn * t).astype(np.float32))
    moved = np.tile(skeleton.rest_translations[:1], (60, 1, 1))
    moved[:, 0, 2] += speed * t
    labels = {f"contact.{side}": np.ones(60, bool) for side in ("left", "right")}
    return Motion.create(skeleton, local, moved, [0], 30.0, name, labels)


def turning_and_strolling(skeleton: Skeleton, speed: float) -> MotionDatabase:
    clips = [gliding_person(skeleton, 0.0, 2.0, "turning"), gliding_person(skeleton, speed, 0.0, "strolling")]
    return MotionDatabase.from_motions(clips, fps=30.0, mirror=False)


def test_characters_begin_where_the_body_neither_moves_nor_turns(biped):
    database = turning_and_strolling(biped, 0.3)
    family = MotionMatching(database)
    assert database.clip_of(family.frames)[0] == 1, "0.3 m/s are less than 2 rad/s"
    joined = family.frames[0]
    family.select(np.array([0]), 2)
    assert family.frames.tolist() == [joined] * 3
    assert family.sample().root_velocities[:, 2] == pytest.approx([0.3] * 3, abs=0.02)


def test_turning_on_the_spot_goes_on_where_standing_is_commanded(biped):
    """A plan that travels slowly in double support stops; one that only turns plays to its end."""
    family = MotionMatching(turning_and_strolling(biped, 0.5))
    family.reset(2)
    family._cursor, family._clip = np.array([5.0, 65.0]), np.array([0, 1])
    still = asking(due=(True, True))
    still.trajectory.velocity[:] = 0
    for _ in range(40):
        family.advance(still, DT)
    assert family.frames[0] == pytest.approx(5 + 20, abs=1) and family.frames[1] < 65 + 10
    turns = family.sample()
    assert turns.root_turns[0] == pytest.approx(2.0, abs=0.05)
    assert np.abs(turns.root_velocities[1]).max() < 0.05


def test_playing_a_clip_through_its_rates_follows_its_path(database):
    """Integrating root velocity and turning from the start of a clip stays near where the clip's root goes."""
    family = MotionMatching(database, settings=MatchSettings(paces=(1.0, 1.0)))
    clip = database.clips[0]
    family._cursor, family._clip = np.array([float(clip.start)]), np.array([0])
    position, heading = np.asarray(database.root_positions[clip.start], np.float64), 0.0
    heading = float(rotations.yaw(np.asarray(database.root_rotations[clip.start])))
    frames = 300
    for _ in range(2 * frames):
        sample = family.sample(0.5 * DT)
        half = rotations.from_yaw(np.float32(heading + 0.5 * DT * sample.root_turns[0]))
        position = position + DT * rotations.rotate(half, sample.root_velocities[0])
        heading += DT * float(sample.root_turns[0])
        family.advance(asking(), DT)
    end = clip.start + frames
    assert np.linalg.norm(position - database.root_positions[end]) < 0.15
    off = heading - float(rotations.yaw(np.asarray(database.root_rotations[end])))
    assert abs(np.sin(0.5 * off)) < 0.03


def test_a_commanded_style_plays_only_its_clips(database, rng):
    """Whatever is wanted, frames come from clips with the tag; an unknown word changes nothing."""
    family = MotionMatching(database)
    tagged = sorted({tag for clip in database.clips for tag in clip.tags})
    assert family.styles == tuple(sorted({*tagged, "normal"})) and len(tagged) > 1
    style = next(tag for tag in tagged if not all(tag in clip.tags for clip in database.clips))
    family.reset(2)
    frames = rng.choice(np.flatnonzero(family.usable), 2)
    for word, only in ((style, True), ("nothing like it", False)):
        family.replan(asking(*wanted(family, frames), due=(True, True), style=("", word)))
        clips = [database.clips[clip] for clip in database.clip_of(family.frames)]
        assert style in clips[1].tags or not only
        assert family.replan(asking(*wanted(family, family.frames), due=(True, True), style=("", word))).sum() == 0


def test_of_a_mix_the_main_style_is_played(rng):
    """Clips cannot be mixed. Those without a style are the style "normal", and what a mix leaves is theirs."""
    motions = locomotion_set(minutes=2, styles=("neutral", "old", "proud"))
    database = MotionDatabase.from_motions(motions, mirror=False)
    family = MotionMatching(database)
    assert {"normal", "old", "proud"} <= set(family.styles)
    frames = rng.choice(np.flatnonzero(family.usable), 1)
    for words, style in (("old:0.3+proud:0.7", "proud"), ("old:0.6+proud:0.4", "old"), ("normal", "")):
        family.replan(asking(*wanted(family, frames), due=(True,), style=(words,)))
        assert style_of(database.clips[int(database.clip_of(family.frames)[0])]) == style


def test_frames_near_the_present_one_are_no_alternative(family, database):
    """Questions that a frame of the same clip answers exactly: within 0.3 s the plan goes on."""
    near, far = round(0.28 * database.fps), round(0.34 * database.fps)
    assert near / database.fps < family.settings.nearby < far / database.fps
    clip, asked = database.clips[0], []
    for frame in range(clip.start + far, clip.stop - far - round(0.5 * database.fps), 7):
        for ahead in (near, -near, far, -far):
            family._cursor, family._clip = np.array([float(frame)]), np.array([0])
            path = wanted(family, np.array([frame + ahead]))
            query = family.query(np.array([frame]), *path)
            found, cost = family._index.search(np.concatenate([query, family._marks[[frame]]], axis=1))
            if found[0] == frame + ahead and cost[0] < 0.4 * ((family.features[[frame]] - query) ** 2).sum():
                assert family.replan(asking(*path))[0] == (abs(ahead) == far)
                asked.append(ahead)
    assert set(asked) == {near, -near, far, -far}, "each was asked at least once"


def test_features_between_two_frames_are_between_theirs(family, database):
    clip = database.clips[1]
    for place, frames in ((10.25, (10, 11)), (clip.frames - 1.0, (clip.frames - 1, clip.frames - 1))):
        family._cursor, family._clip = np.array([clip.start + place]), np.array([1])
        raw = family.normalizer.denormalize(family.features[[clip.start + frame for frame in frames]])
        share = place % 1
        expected = family.spec.split(((1 - share) * raw[:1] + share * raw[1:]).astype(np.float32))
        for name, values in family.features_now().items():
            np.testing.assert_allclose(values, expected[name], atol=1e-4, err_msg=name)


def strolling(skeleton: Skeleton, tags: list[str], speeds: list[float], mirror: bool = False) -> MotionDatabase:
    """Clips of people who glide ahead, one for each tag and speed."""
    clips = [gliding_person(skeleton, speed, 0.0, tag) for tag, speed in zip(tags, speeds, strict=True)]
    return MotionDatabase.from_motions(clips, fps=30.0, mirror=mirror)


def marked(family: MotionMatching, clip: int) -> np.ndarray:
    return family._marks[family.database.clips[clip].start]


def test_another_style_costs_what_is_set(biped):
    """Two styles and clips without one: every change costs the same, and staying nothing."""
    database = strolling(biped, ["sad", "walk", "old", "run"], [0.3, 0.5, 0.7, 2.0])
    family = MotionMatching(database, settings=MatchSettings(style=3.0, side=0.0))
    for one, other, cost in ((0, 1, 3.0), (0, 2, 3.0), (1, 2, 3.0), (1, 3, 0.0)):
        assert ((marked(family, one) - marked(family, other)) ** 2).sum() == pytest.approx(cost, abs=1e-5)


def test_the_other_side_costs_what_is_set(biped):
    database = strolling(biped, ["walk", "sad"], [0.3, 0.5], mirror=True)
    family = MotionMatching(database, settings=MatchSettings(style=3.0, side=1.5))
    sides = {(clip.tags, clip.mirrored): marked(family, at) for at, clip in enumerate(database.clips)}
    assert ((sides[("walk",), False] - sides[("walk",), True]) ** 2).sum() == pytest.approx(1.5, abs=1e-5)
    assert ((sides[("walk",), False] - sides[("sad",), True]) ** 2).sum() == pytest.approx(4.5, abs=1e-5)


def test_many_styles_are_about_as_far_from_each_other(biped):
    database = strolling(biped, [f"style{chr(97 + at)}" for at in range(20)], [0.1 * at for at in range(20)])
    family = MotionMatching(database, settings=MatchSettings(style=8.0, side=0.0))
    marks = np.stack([marked(family, at) for at in range(20)])
    apart = ((marks[:, None] - marks[None]) ** 2).sum(-1)[~np.eye(20, dtype=bool)]
    assert marks.shape[1] < 20
    assert apart.min() > 2.0 and apart.mean() == pytest.approx(8.0, rel=0.1)


def test_a_better_frame_of_another_style_is_left_where_it_is(biped):
    """A sad person is asked to go as fast as possible: there is an old one at 0.7 m/s, and a sad one at 0.5 m/s."""
    database = strolling(biped, ["sad", "sad", "old"], [0.3, 0.5, 0.7])
    for style, clip in ((1e4, 1), (0.0, 2)):
        family = MotionMatching(database, settings=MatchSettings(style=style, stay=0.0, gain=0.0))
        positions, directions = wanted(family, np.array([database.clips[2].start + 10]))
        assert family.replan(asking(3 * positions, directions)).all()
        assert database.clip_of(family.frames)[0] == clip


def test_a_small_gain_is_no_reason_to_jump(biped):
    """Costs near zero differ by noise: a jump needs a gain of its own, not a share of nearly nothing."""
    database = strolling(biped, ["walk", "run"], [0.3, 0.4])
    for gain, jumps in ((0.0, True), (1000.0, False)):
        family = MotionMatching(database, settings=MatchSettings(stay=0.0, gain=gain))
        assert family.replan(asking(*wanted(family, np.array([database.clips[1].start + 10])))).any() == jumps


def test_characters_begin_without_a_style_or_in_the_most_common_one(biped):
    database = strolling(biped, ["sad", "walk"], [0.1, 0.5])
    assert database.clip_of(MotionMatching(database).frames)[0] == 1
    database = strolling(biped, ["sad", "old", "old"], [0.1, 0.5, 0.7])
    assert database.clip_of(MotionMatching(database).frames)[0] == 1


def test_a_clip_is_played_as_fast_as_is_commanded(biped):
    """A person glides at 1 m/s: commands of 1.1 and 0.8 m/s are met, others as far as the paces allow."""
    family = MotionMatching(strolling(biped, ["walk"], [1.0]), settings=MatchSettings(paces=(0.7, 1.2)))
    for commanded, expected in ((1.1, 1.1), (0.8, 0.8), (0.5, 0.7), (3.0, 1.2), (0.1, 1.0)):
        family.reset(1)
        query = asking()
        query.trajectory.velocity[:] = [0, 0, commanded]
        for _ in range(60):
            family.advance(query, 0.5 * DT)
        assert np.linalg.norm(family.sample().root_velocities[0]) == pytest.approx(expected, rel=0.01)
        assert family._pace == pytest.approx(expected, rel=0.01)


def test_who_goes_slowly_stops_in_double_support_only(biped):
    """The feet of this person are never down together: played slowly, the clip goes on after a command to stand."""
    walker = gliding_person(biped, 1.0, 0.0, "walk")
    labels = {"contact.left": np.arange(60) % 20 < 10, "contact.right": np.arange(60) % 20 >= 10}
    family = MotionMatching(MotionDatabase.from_motions([walker.replace(labels=labels)], fps=30.0, mirror=False))
    query = asking()
    query.trajectory.velocity[:] = [0, 0, 0.7]
    for _ in range(20):
        family.advance(query, DT)
    query.trajectory.velocity[:] = 0
    before = family._cursor.copy()
    for _ in range(20):
        family.advance(query, DT)
    assert family._cursor - before > 0.6 * 20 * DT * 30


def standing_still(facing: float = 0.0) -> Any:
    """A query of somebody who should stand, and turn to `facing` radians first."""
    query = asking(np.zeros((1, 3, 3), np.float32), np.tile(np.float32([0, 0, 1]), (1, 3, 1)))
    query.trajectory.velocity[:] = 0
    query.trajectory.wanted_heading = lambda _: np.full(1, facing, np.float32)
    return query


def test_who_should_stand_goes_to_frames_that_stand_for_long(biped):
    """Of a stand of 2 s, the first second is where plans begin; a stroll at 0.2 m/s fits as well and is not taken."""
    database = strolling(biped, ["walk", "idle", "stroll"], [1.0, 0.0, 0.2])
    family, idle = MotionMatching(database), database.clips[1]
    assert not family._stands[: idle.start].any() and family._stands[idle.start : idle.stop].all()
    rests = np.flatnonzero(family._rests)
    assert rests.min() == idle.start and rests.max() == pytest.approx(idle.start + 30, abs=1)
    family._cursor, family._clip = np.array([58.0]), np.array([0])  # the walk ends
    assert family.replan(standing_still())[0] and family._rests[family.frames[0]]


def test_a_style_that_never_stands_is_taken_by_who_stands_all_the_same(biped):
    """Its clip is the place to stop; there the plan stays. A style that stands is found among its frames that do."""
    database = strolling(biped, ["walk_proud", "idle", "idle_proud"], [1.0, 0.0, 0.0])
    for clips, stands in ((database.clips, True), (database.clips[:2], False)):
        family = MotionMatching(database, allowed=np.arange(database.frames) < clips[-1].stop)
        family._cursor, family._clip = np.array([float(database.clips[1].start + 10)]), np.array([1])
        query = standing_still()
        query.commands = Commands.create(np.zeros((1, 3), np.float32), style=("proud",))
        assert family.replan(query)[0] and family._clip[0] == (2 if stands else 0)
        assert not family.replan(query)[0]


def test_who_should_turn_does_not_stand_yet(biped):
    """In the middle of a stand, a walk is begun by somebody who should face elsewhere."""
    database = strolling(biped, ["walk", "idle"], [1.0, 0.0])
    path = wanted(MotionMatching(database), np.array([10]))
    for facing, jumps in ((0.0, False), (0.3, False), (1.5, True), (-1.5, True)):
        family = MotionMatching(database, settings=MatchSettings(stay=0.0, gain=0.0))
        family._cursor, family._clip = np.array([float(database.clips[1].start + 20)]), np.array([1])
        query = standing_still(facing)
        query.path = lambda _: (5 * path[0], path[1])
        assert family.replan(query)[0] == jumps


def test_who_stands_stays(biped):
    """Nothing is better than standing, until the stand ends."""
    database = strolling(biped, ["walk", "idle"], [1.0, 0.0])
    family = MotionMatching(database, settings=MatchSettings(stay=0.0, gain=0.0))
    idle = database.clips[1]
    for frame, jumps in ((idle.start + 20, False), (idle.stop - 3, True)):
        family._cursor, family._clip = np.array([float(frame)]), np.array([1])
        assert family.replan(standing_still())[0] == jumps
        assert family._clip[0] == 1


def test_where_nothing_stands_the_plan_goes_on(biped):
    """There is no jump after a command to stand, but the plan is stopped in double support."""
    family = MotionMatching(strolling(biped, ["walk", "run"], [1.0, 2.0]), settings=MatchSettings(stay=0.0, gain=0.0))
    family._cursor, family._clip = np.array([10.0]), np.array([0])
    assert not family._rests.any() and not family.replan(standing_still()).any()
    for _ in range(60):
        family.advance(standing_still(), DT)
    assert family._pace[0] < 0.01


def test_a_short_double_support_is_enough_to_stop(biped):
    """Both feet are down for one frame only: the plan that began to stop there stops."""
    labels = {"contact.left": np.ones(60, bool), "contact.right": np.arange(60) == 20}
    walker = gliding_person(biped, 1.0, 0.0, "walk").replace(labels=labels)
    family = MotionMatching(MotionDatabase.from_motions([walker], fps=30.0, mirror=False))
    family._cursor, family._clip = np.array([15.0]), np.array([0])
    for _ in range(80):
        family.advance(standing_still(), DT)
    assert family._pace[0] < 0.01 and 20 < family._cursor[0] < 24
