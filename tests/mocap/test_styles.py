"""Styles of clips."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.mocap import MotionDatabase
from kinema.mocap.database import Clip
from kinema.mocap.procedural import locomotion_set
from kinema.mocap.styles import (
    clip_styles,
    fastest,
    main_style,
    mean_pose,
    mean_poses,
    mix_of,
    mix_words,
    shares_of,
    style_numbers,
    style_of,
    style_shares,
    styles_of,
)


def clip(words: str) -> Clip:
    return Clip("clip", "", 0, 10, tags=tuple(words.split()))


@pytest.mark.parametrize(
    ("words", "style"),
    [
        ("walk", ""),
        ("dataset walk turn left normal", ""),
        ("dataset walk turn left youthful", "youthful"),
        ("run youthful", "youthful"),
        ("walk not confident", "confident not"),
        ("walk confident not", "confident not"),
        ("", ""),
    ],
)
def test_a_style_is_how_and_not_where_or_how_fast(words, style):
    assert style_of(clip(words)) == style


def test_clips_of_one_style_have_one_number():
    clips = [clip(words) for words in ("walk sad", "run", "dash sad", "walk", "old")]
    assert style_numbers(clips).tolist() == [0, 1, 0, 1, 2]
    assert style_numbers([]).tolist() == []


def changing() -> Clip:
    """A clip of which a stretch is old, one has no style, and one is labelled with what is done."""
    labels = ((0, 4, "style old"), (6, 10, "style normal"), (2, 5, "waves"))
    return Clip("clip", "", 10, 20, tags=("proud",), labels=labels)


def test_labels_say_the_styles_of_stretches():
    assert clip_styles(changing()) == [(0, 4, "old"), (6, 10, "normal")]
    assert clip_styles(clip("walk sad")) == [(0, 10, "sad")]
    assert clip_styles(clip("walk")) == [(0, 10, "normal")]


def test_the_default_style_comes_first():
    clips = [clip("walk sad"), changing(), clip("run")]
    assert list(styles_of(clips).items()) == [("normal", 14), ("old", 4), ("sad", 10)]
    assert list(styles_of([clip("sad"), clip("old"), clip("sad")])) == ["sad", "old"]


def test_every_frame_has_the_share_of_its_style():
    shares = style_shares([clip("walk sad"), changing()], ("normal", "old", "sad"), 8, 18)
    expected = ["sad"] * 2 + ["old"] * 4 + [""] * 2 + ["normal"] * 2
    np.testing.assert_array_equal(shares, [[name == style for name in ("normal", "old", "sad")] for style in expected])


@pytest.mark.parametrize(
    ("words", "mix"),
    [
        ("", {}),
        ("old", {"old": 1}),
        ("confident not", {"confident not": 1}),
        ("old:0.3+proud:.7", {"old": 0.3, "proud": 0.7}),
        ("old:0.3", {"old": 0.3}),
        ("old+proud", {"old": 0.5, "proud": 0.5}),
        ("old:3+proud:1", {"old": 0.75, "proud": 0.25}),
        ("old:0.2+old:0.2", {"old": 0.4}),
        ("old:0", {}),
        ("old:-1", {"old:-1": 1}),
        ("a:b:0.5+", {"a:b": 0.5}),
    ],
)
def test_words_of_a_mix(words, mix):
    assert mix_of(words) == pytest.approx(mix)
    assert mix_of(mix_words(mix_of(words))) == pytest.approx(mix, abs=1e-3)


def test_what_a_mix_leaves_is_of_the_default_style():
    shares = shares_of(
        ["", "old:0.3", "old:0.3+proud:0.7", "unknown", "old", "unknown:0.5+old:0.5"], ("normal", "old", "proud")
    )
    expected = [[1, 0, 0], [0.7, 0.3, 0], [0, 0.3, 0.7], [1, 0, 0], [0, 1, 0], [0.5, 0.5, 0]]
    np.testing.assert_allclose(shares, expected, atol=1e-6)


@pytest.mark.parametrize(("words", "main"), [("", ""), ("old", "old"), ("old:0.4", ""), ("old:0.3+proud:0.4", "proud")])
def test_the_main_style_has_the_largest_share(words, main):
    assert main_style(words) == main


def test_styles_reach_speeds_of_their_own():
    motions = locomotion_set(minutes=2, styles=("old", "proud"))
    reached = fastest(MotionDatabase.from_motions(motions, mirror=False))
    assert set(reached) == {"old", "proud"} and 1 < reached["old"] < 0.7 * reached["proud"]


def test_the_mean_pose_of_a_style_is_that_of_its_frames():
    database = MotionDatabase.from_motions(locomotion_set(minutes=0.5, styles=("neutral", "old")), mirror=False)
    poses = mean_poses(database)
    assert list(poses) == list(styles_of(database.clips)) == ["normal", "old"]
    frames = np.flatnonzero(style_shares(database.clips, ["old"], 0, database.frames)[:, 0])
    positions = database.pose(frames).model_positions
    np.testing.assert_allclose(poses["old"], positions.mean(axis=0), atol=1e-5)
    np.testing.assert_array_equal(poses["old"], mean_pose(database.pose(frames)))
    head = database.skeleton.roles.head
    assert poses["old"][head, 1] < poses["normal"][head, 1] - 0.01, "old people are bent"
