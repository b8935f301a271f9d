from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from kinema.errors import LearningError
from kinema.generation import conditions
from kinema.generation.channels import CONTACT
from kinema.generation.collection import MotionCollection, Stretch
from kinema.generation.rig import AnyRig
from kinema.generation.windows import WindowSource, draw_known
from kinema.mocap.creatures.acts import ACTIONS, LOCOMOTION


def test_the_same_seed_draws_the_same_windows(windows: WindowSource) -> None:
    one, other = (windows.draw(6, np.random.default_rng(4)) for _ in range(2))
    assert len(one) == len(other)
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(a.channels, b.channels)
        np.testing.assert_array_equal(a.known, b.known)
        assert a.texts == b.texts


def test_a_thousand_draws_change_neither_data_nor_encodings(
    collection: MotionCollection, windows: WindowSource
) -> None:
    bodies = [(rig, number) for rig in range(3) for number in (None, 0, 1)]
    before = [windows.body(*body)[1] for body in bodies]
    joints, relations = ([getattr(each, name).copy() for each in before] for name in ("joints", "relations"))
    rng = np.random.default_rng(0)
    for _ in range(60):
        for window in windows.draw(16, rng):
            window.static[:] += 1e-6
            window.channels[:] += 1e-6
    for number, body in enumerate(bodies):
        np.testing.assert_array_equal(windows.body(*body)[1].joints, joints[number])
        np.testing.assert_array_equal(windows.body(*body)[1].relations, relations[number])


def test_some_windows_are_of_bodies_with_other_joints(collection: MotionCollection, windows: WindowSource) -> None:
    counts = {collection.rig(rig).count for rig in range(3)}
    rng = np.random.default_rng(1)
    drawn = [window for _ in range(20) for window in windows.draw(8, rng)]
    assert 0.05 < np.mean([window.rig.count not in counts for window in drawn]) < 0.4
    assert all(window.channels.shape[1] == window.known.shape[1] == window.rig.count for window in drawn)


def test_windows_of_one_batch_are_of_one_length_and_similar_rigs(windows: WindowSource) -> None:
    for seed in range(10):
        drawn = windows.draw(8, np.random.default_rng(seed))
        assert len({len(window.channels) for window in drawn}) == 1
        counts = [window.rig.count for window in drawn]
        assert max(counts) <= 1.6 * min(counts)


def test_every_body_plan_is_drawn_as_often(windows: WindowSource) -> None:
    rng = np.random.default_rng(0)
    counts: Counter[int] = Counter()
    for _ in range(60):
        for window in windows.draw(1, rng, plain=True):
            counts[window.rig.count] += 1
    assert min(counts.values()) > 8


def test_short_acts_are_drawn_more_often_than_their_frames(windows: WindowSource) -> None:
    """Within a rig, an action with a quarter of the frames of another is drawn half as often as that one."""
    frames: dict[tuple[int, str], int] = {}
    shares: dict[tuple[int, str], float] = {}
    for (clip, part), weight in zip(windows._parts, windows._weights.tolist(), strict=True):
        key = (clip.rig, part.action)
        frames[key] = frames.get(key, 0) + part.stop - part.start
        shares[key] = shares.get(key, 0.0) + weight
    for rig in {rig for rig, _ in frames}:
        mine = [key for key in frames if key[0] == rig]
        assert len(mine) > 1
        ratios = [shares[key] / frames[key] ** 0.5 for key in mine]
        np.testing.assert_allclose(ratios, ratios[0])
    assert sum(shares.values()) == pytest.approx(1)


def test_a_window_about_a_frame_has_it(windows: WindowSource) -> None:
    clip = max(windows.clips, key=lambda each: each.frames)
    rng = np.random.default_rng(1)
    for about in (0, clip.frames // 2, clip.frames - 1):
        asked = windows.window(clip, 6, rng, plain=True, about=about)
        every = windows.collection.channels(clip)
        starts = [at for at in range(clip.frames - 47) if np.array_equal(every[at : at + 48], asked.channels)]
        assert any(start <= about <= start + 48 for start in starts)


def test_a_plain_window_asks_for_what_is_done(collection: MotionCollection, windows: WindowSource) -> None:
    clip = collection.clips[0]
    window = windows.window(clip, 12, np.random.default_rng(0), plain=True)
    middle_of_walk = window.asked[-1]
    assert ACTIONS[int(middle_of_walk[: len(ACTIONS)].argmax())] == "walk"
    speed, turn = conditions.measured(window.channels, 8)
    assert middle_of_walk[len(ACTIONS)] ** 2 == pytest.approx(speed[-1], rel=1e-4)
    assert middle_of_walk[len(ACTIONS) + 2] == pytest.approx(turn[-1], abs=1e-4)
    assert not window.known.any()
    assert window.texts[0] and window.texts[1]


def test_times_are_those_since_an_act_began_and_until_it_ends(
    collection: MotionCollection, windows: WindowSource
) -> None:
    clip = replace(collection.clips[0], stretches=(Stretch(0, 40, "idle"), Stretch(40, 120, "walk", whole=False)))
    window = windows.window(clip, 8, np.random.default_rng(0), plain=True, about=0)
    times = window.asked[:, conditions.TIMES :]
    whole = collection.channels(clip)
    first = next(at for at in range(57) if np.array_equal(whole[at : at + 64], window.channels))
    middles = first + 8 * (np.arange(8) + 0.5)
    idle = middles < 40
    unknown = np.full(8, np.nan)
    expected = conditions.asked(unknown - 1, unknown, unknown, unknown, unknown, middles / 30, (40 - middles) / 30)
    np.testing.assert_allclose(times[idle], expected[idle, conditions.TIMES :], atol=1e-5)
    assert idle.any() and not idle.all()
    assert not times[~idle].any()  # nobody knows where a piece of a longer take began


def test_times_are_left_open_sometimes(windows: WindowSource) -> None:
    rng = np.random.default_rng(3)
    drawn = np.stack([window.asked[0, conditions.TIMES :] for _ in range(60) for window in windows.draw(8, rng, 6)])
    since, until = drawn[:, : conditions.WAVES].any(axis=1), drawn[:, conditions.WAVES :].any(axis=1)
    assert 0.55 < since.mean() < 0.8 and 0.4 < until.mean() < 0.68
    assert (since & ~until).any() and (until & ~since).any()


def test_the_cadence_is_told_of_what_gets_on_and_follows_the_rate(windows: WindowSource) -> None:
    rng = np.random.default_rng(5)
    told = slice(conditions.CADENCE, conditions.CADENCE + 2)
    for clip in windows.clips:
        known = np.isfinite(windows.beats(clip)[0])
        moves = np.asarray([part.action in LOCOMOTION for part in clip.stretches])
        assert not (known & ~moves).any()
        asked = windows.window(clip, 6, rng, plain=True).asked[:, told]
        given = np.log2(windows.beats(clip)[0][known])
        assert np.isin(asked[asked[:, 1] > 0, 0].round(3), given.astype(np.float32).round(3)).all()
    assert any(np.isfinite(windows.beats(clip)[0]).any() for clip in windows.clips)
    drawn = np.stack([window.asked[:, told] for _ in range(40) for window in windows.draw(8, rng, 6)])
    numbers = drawn[..., 0][drawn[..., 1] > 0].round(3)
    assert len(np.unique(numbers)) > 2 * sum(len(clip.stretches) for clip in windows.clips)  # played faster and slower


def test_the_clock_is_that_of_the_clip_at_the_middle_of_patches(windows: WindowSource) -> None:
    clip = next(clip for clip in windows.clips if np.isfinite(windows.beats(clip)[1]).any())
    window = windows.window(clip, 8, np.random.default_rng(0), plain=True)
    whole = windows.collection.channels(clip)
    first = next(at for at in range(clip.frames - 63) if np.array_equal(whole[at : at + 64], window.channels))
    phase = windows.beats(clip)[1][first + 4 :: 8][:8]
    known = np.isfinite(phase)
    clock = window.asked[:, conditions.CLOCK : conditions.CLOCK + 2]
    assert known.any() and not clock[~known].any()
    angle = np.arctan2(clock[known, 1], clock[known, 0]) / (2 * np.pi)
    np.testing.assert_allclose((angle - phase[known] + 0.5) % 1.0, 0.5, atol=1e-4)


def test_the_size_is_told_roughly_and_as_it_is_to_plain_windows(windows: WindowSource) -> None:
    rng = np.random.default_rng(6)
    off = [window.size - window.encoding.size for _ in range(40) for window in windows.draw(8, rng, 6)]
    assert 0.4 < np.std(off) < 0.6 and abs(np.mean(off)) < 0.1
    assert all(window.size == window.encoding.size for window in windows.draw(8, rng, 6, plain=True))


def test_everything_is_left_open_sometimes(windows: WindowSource) -> None:
    rng = np.random.default_rng(1)
    drawn = [window for _ in range(40) for window in windows.draw(4, rng)]
    assert 0.02 < np.mean([not window.asked.any() and not any(window.texts) for window in drawn]) < 0.4
    assert 0.3 < np.mean([window.known.any() for window in drawn]) < 0.8
    assert 0.05 < np.mean([window.path.any() for window in drawn]) < 0.8


def test_windows_that_are_told_know_what_is_asked_and_nothing_else(
    collection: MotionCollection, windows: WindowSource
) -> None:
    rng = np.random.default_rng(8)
    told = WindowSource(collection, windows.clips, 8, told=1.0)
    for window in (each for _ in range(20) for each in told.draw(4, rng)):
        assert window.told and not window.known.any() and not window.known_root.any() and not window.path.any()
        assert window.asked[:, conditions.SPEED + 1].all() and window.asked[:, conditions.TURNING + 1].all()
        assert window.asked[:, : len(ACTIONS)].any(axis=1).all() and all(window.texts)
    some = WindowSource(collection, windows.clips, 8, told=0.25)
    assert 0.1 < np.mean([each.told for _ in range(60) for each in some.draw(4, rng)]) < 0.4
    assert not any(each.told for each in told.draw(4, rng, plain=True))


def test_windows_are_about_chosen_actions(collection: MotionCollection, windows: WindowSource) -> None:
    rng = np.random.default_rng(9)
    chosen = WindowSource(collection, windows.clips, 8, actions=["walk"])
    walking = ACTIONS.index("walk")
    assert all(each.asked[:, walking].any() for _ in range(20) for each in chosen.draw(4, rng, 6, plain=True))
    with pytest.raises(LearningError, match="no clip has one of the actions fly, glide"):
        WindowSource(collection, windows.clips, 8, actions=["fly", "glide"])


def test_time_may_run_faster_and_contacts_stay_whole(windows: WindowSource) -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        for window in windows.draw(4, rng):
            assert set(np.unique(window.channels[..., CONTACT])) <= {0.0, 1.0}


def test_travel_is_known_only_between_known_frames(dog: AnyRig) -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        known, root = draw_known(dog, 64, rng)
        if known.all(axis=1).any() and not known.all():
            whole = known.all(axis=1)
            assert (root[:-1] <= whole[1:] | ~known.any(axis=1)[1:] | root[1:]).all()


def test_clips_that_are_too_short_are_refused(collection: MotionCollection) -> None:
    with pytest.raises(LearningError, match="no clip of"):
        WindowSource(collection, [], 8)
