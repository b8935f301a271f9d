from __future__ import annotations

import time

import numpy as np
import pytest

from kinema.errors import DatabaseError
from kinema.features import Feature, FeatureSpec, extract, extract_all, presets, valid_frames


@pytest.fixture
def spec(biped) -> FeatureSpec:
    return FeatureSpec(
        (
            Feature("p", "position", times=(-0.2, 0.0, 0.4)),
            Feature("v", "velocity", ("left_foot", "right_foot"), times=(0.1,), frame="root@t"),
            Feature("g", "guidance", ("left_hand", "right_hand"), times=(0.0, 0.5)),
            Feature("t", "trajectory.position", times=(0.5, 1.0)),
        ),
        biped,
    )


def test_any_order_and_repeats(source, spec):
    every = extract(source, spec)
    frames = np.array([150, 3, 3, 70, 0, 159, 88, 71])
    np.testing.assert_allclose(extract(source, spec, frames), every[frames], atol=1e-6)


def test_chunks_do_not_show(source, spec, monkeypatch):
    import sys

    every = extract(source, spec)
    monkeypatch.setattr(sys.modules["kinema.features.extract"], "CHUNK", 13)
    np.testing.assert_allclose(extract(source, spec), every, atol=1e-6)


def test_several_specs_at_once_equal_each_alone(source, biped, spec):
    given, wanted = presets.codebook(biped)
    together = extract_all(source, (given, spec, wanted))
    for one, found in zip((given, spec, wanted), together, strict=True):
        np.testing.assert_allclose(found, extract(source, one), atol=1e-6)


def test_times_beyond_a_clip_clamp_to_its_ends(source, biped):
    ahead = FeatureSpec((Feature("t", "trajectory.position", times=(0.0, 1.0), frame="world"),), biped)
    found = extract(source, ahead).reshape(-1, 2, 2)
    roots = source.root_positions[:, [0, 2]]
    np.testing.assert_allclose(found[60, 1], roots[69], atol=1e-6)
    np.testing.assert_allclose(found[70, 1], roots[70], atol=1e-6)
    np.testing.assert_allclose(found[71, 1], roots[101], atol=1e-6)


def test_valid_frames_have_all_their_times(source, spec):
    valid = valid_frames(source, spec)
    assert np.flatnonzero(valid).tolist() == [*range(6, 40), *range(77, 131)]


@pytest.mark.parametrize(
    ("time", "spans"), [(0.2, (range(0, 64), range(71, 155))), (-0.2, (range(6, 70), range(77, 161)))]
)
def test_valid_frames_of_times_on_one_side(source, biped, time, spans):
    aside = FeatureSpec((Feature("t", "trajectory.position", times=(time,)),), biped)
    assert np.flatnonzero(valid_frames(source, aside)).tolist() == [*spans[0], *spans[1]]


def test_output_arrays_are_used(source, spec, tmp_path):
    path = tmp_path / "x.npy"
    out = np.lib.format.open_memmap(path, "w+", np.float32, (161, spec.dim))
    assert extract(source, spec, out=out) is out
    out.flush()
    np.testing.assert_array_equal(np.load(path), extract(source, spec))
    strided = np.empty((161, spec.dim * 2), np.float32)[:, ::2]
    for bad in (np.empty((161, spec.dim)), np.empty((160, spec.dim), np.float32), strided):
        with pytest.raises(DatabaseError, match="out must be C-contiguous float32"):
            extract(source, spec, out=bad)


def test_no_frames_and_wrong_frames(source, spec):
    assert extract(source, spec, []).shape == (0, spec.dim)
    for bad in ([-1], [161]):
        with pytest.raises(DatabaseError, match="database of 161 frames"):
            extract(source, spec, bad)


def test_another_skeleton_is_refused(source, chain):
    with pytest.raises(DatabaseError, match="for different skeletons"):
        extract(source, presets.motion_matching(chain(12)))


def test_a_single_joint_is_enough(make_source):
    from kinema import Skeleton

    ball = Skeleton.create(["ball"], [-1], [(0, 1, 0)])
    source = make_source(ball, lengths=(5,))
    source.contact_joints, source.contacts = [0], source.contacts[:, :1]
    spec = FeatureSpec((Feature("p", "position"), Feature("v", "velocity")), ball)
    assert extract(source, spec).shape == (5, 6)


@pytest.mark.bench
def test_locomotion_features_at_50_000_samples_a_second(make_source, chain):
    skeleton = chain(27)
    source, specs = make_source(skeleton, lengths=(2000,) * 5), presets.locomotion(skeleton)
    outs = extract_all(source, specs)
    times = []
    for _ in range(5):
        begin = time.thread_time()
        extract_all(source, specs, outs=outs)
        times.append(time.thread_time() - begin)
    assert len(source.root_positions) / min(times) >= 50_000
