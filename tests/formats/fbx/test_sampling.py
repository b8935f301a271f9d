"""Rates and spans of takes, and how many frames a file may make."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import FormatError

from .conftest import moving


def test_another_rate_and_a_span_that_begins_later(fbx_text):
    file = moving(fbx_text, [[(0, 0), (1, 30)], None, None], take=(0.5, 1.0))
    (motion,) = file.read(fps=10).motions
    assert motion.frames == 6
    np.testing.assert_allclose(motion[:].global_positions[[0, -1], 0, 0], [0.15, 0.3], atol=1e-6)
    with pytest.raises(FormatError, match="cannot be sampled at 0"):
        file.read(fps=0)


def test_spans_that_are_missing_are_those_of_the_keys(fbx_text):
    (motion,) = moving(fbx_text, [[(0.2, 0), (0.6, 30)], None, None], take=(0.0, 0.0)).read().motions
    assert motion.frames == 13 and motion[:].global_positions[-1, 0, 0] == pytest.approx(0.3)


def test_keys_denser_than_the_clock_have_their_own_rate(fbx_text):
    keys = [(frame / 120, frame) for frame in range(121)]
    (motion,) = moving(fbx_text, [keys, None, None]).read().motions
    assert motion.fps == 120 and "120 frames per second" in motion.warnings[0]
    assert motion.frames == 121


def test_spans_far_beyond_the_keys_are_cut_and_endless_keys_refused(fbx_text):
    (motion,) = moving(fbx_text, [[(0, 0), (1, 30)], None, None], take=(0, 1e6)).read().motions
    assert motion.frames == 31 and "cut to them" in motion.warnings[0]
    file = moving(fbx_text, [[(0, 0), (1e6, 30)], None, None], take=(0, 1e6))
    with pytest.raises(FormatError, match=r"take 'Take 001': lasts 1e\+06 s, too long at 30 .* lower fps"):
        file.read()
    assert file.read(fps=0.01).motions[0].frames == 10_001


@pytest.mark.parametrize(("seconds", "message"), [(30_000, "bytes of memory"), (3_000, "90001 frames of 199 joints")])
def test_many_frames_of_a_small_file_are_refused(fbx_text, seconds: int, message: str):
    file = fbx_text(TimeMode=6)
    for id in range(1, 200):
        file.model(id, f"n{id}", id - 1)
    file.take(1000, stop=seconds)
    file.animate(1001, 1, "Lcl Translation", [[(0, 0), (seconds, 1)], None, None])
    with pytest.raises(FormatError, match=f"{message}.*try a lower fps"):
        file.read()
    assert file.read(fps=1).motions[0].frames == seconds + 1
