from __future__ import annotations

import numpy as np
import pytest

from kinema.features import extract, presets


def test_motion_matching_is_27(chain, source):
    spec = presets.motion_matching(chain(10))
    assert spec.dim == 27
    assert [spec[name].stop - spec[name].start for name in spec.names] == [6, 6, 3, 6, 6]
    assert [feature.weight for feature in spec.features] == [1, 1.3, 1, 1.3, 1.5]


def test_motion_matching_looks_ahead_by_thirds_of_a_second(chain):
    times = {feature.name: feature.times for feature in presets.motion_matching(chain(10)).features}
    assert times["trajectory.position"] == times["trajectory.direction"] == pytest.approx((1 / 3, 2 / 3, 1))
    assert times["foot.position"] == times["hips.velocity"] == (0.0,)


def test_pfnn_is_342_in_311_out(chain):
    given, wanted = presets.pfnn(chain(31))
    assert (given.dim, wanted.dim) == (342, 311)


def test_gates_see_phases(crawler, source):
    assert presets.phase(source.skeleton).dim == 2
    assert presets.local_phases(crawler(2).skeleton).dim == 104  # 13 times, 4 feet, 2 numbers
    spec = presets.local_phases(source.skeleton)
    found = extract(source, spec)[35].reshape(13, 2, 2)
    np.testing.assert_array_equal(found, source.labels["local_phases"][5:66:5])  # a second before to a second after


def test_locomotion_is_339_in_16_times_327_out(chain):
    given, wanted = presets.locomotion(chain(27))
    assert (given.dim, wanted.dim) == (339, 16 * 327)
    sizes = {name: place.stop - place.start for name, place in given.slices.items()}
    assert (sizes["positions"], sizes["velocities"], sizes["guidance"]) == (81, 81, 81)
    assert sum(size for name, size in sizes.items() if name.startswith("trajectory")) == 96


def test_codebook_is_441_in_4464_out(chain):
    given, wanted = presets.codebook(chain(23))
    assert (given.dim, wanted.dim) == (441, 16 * 279)


@pytest.mark.parametrize("preset", [presets.locomotion, presets.codebook])
def test_sequences_can_be_extracted(preset, source):
    for spec in preset(source.skeleton):
        values = extract(source, spec)
        assert values.shape == (len(source.root_positions), spec.dim)
        assert np.isfinite(values).all()


def test_pfnn_can_be_extracted_with_tags_as_gaits(source):
    given, wanted = presets.pfnn(source.skeleton, fps=30.0, gaits=("walk", "run"))
    gait = extract(source, given)[:, given["gait"]].reshape(-1, 12, 2)
    np.testing.assert_array_equal(gait[0], [[1, 0]] * 12)
    np.testing.assert_array_equal(gait[70], [[0, 1]] * 12)
    assert np.isfinite(extract(source, wanted)).all()


@pytest.mark.parametrize("fps", [30.0, 120.0])
def test_pfnn_goes_from_the_frame_before_to_the_one_after(chain, fps):
    given, wanted = presets.pfnn(chain(31), fps)
    times = {feature.name: feature.times for spec in (given, wanted) for feature in spec.features}
    assert times["root"] == (1 / fps,)
    before = {feature.name: feature.times for feature in given.features}
    assert before["positions"] == before["velocities"] == (-1 / fps,)


def test_motion_matching_has_the_features_of_all_feet():
    from kinema import Skeleton

    tail = Skeleton.create(["a", "b"], [-1, 0], [(0, 1, 0), (0, 1, 0)])
    assert presets.motion_matching(tail).dim == 27 - 6  # one foot instead of two
