"""Likeness: the ground truth is like itself, frozen poses and noise are not, and copies are found."""

import numpy as np
import pytest

from kinema.generation import likeness
from kinema.generation.channels import TRAVEL
from kinema.generation.takes import Takes, mean_pose, rest_pose


def features(rig, channels):
    return list(likeness.frame_features(Takes(rig, channels)))


@pytest.fixture(scope="module")
def noisy(walks):
    rng = np.random.default_rng(0)
    channels = walks.takes.channels + 0.1 * rng.standard_normal(walks.takes.channels.shape).astype(np.float32)
    return features(walks.rig, channels)


def test_distances_of_windows_are_those_of_their_definition(walks):
    a, b = walks.features[1], walks.features[2]
    apart = likeness.window_distances(a, b)
    windows = a[7 : 7 + likeness.WINDOW], b[20 : 20 + likeness.WINDOW]
    each = np.square(windows[0] - windows[1]).reshape(likeness.WINDOW, walks.rig.count, 6).sum(-1)
    assert apart[7, 20] == pytest.approx(np.sqrt(each.sum(-1).mean()), rel=1e-3)


def test_windows_do_not_lie_across_two_clips(walks):
    clip = walks.features[1]
    (whole,) = likeness.nearest([clip[60:80]], [clip[50:90]])
    (both,) = likeness.nearest([clip[60:80]], [clip[50:70], clip[70:90]])
    assert whole.max() < 5e-3
    assert both[0] > 2e-2  # frames 60 to 75 are there, but not in one clip


def test_the_ground_truth_covers_itself(walks):
    assert likeness.coverage(walks.features, walks.still, walks.features) == 1


def test_one_half_of_the_ground_truth_covers_the_other(walks):
    first, second = walks.halves(0)
    pick = lambda every, half: [every[at] for at in half]  # noqa: E731
    covered = likeness.coverage(pick(walks.features, first), pick(walks.still, first), pick(walks.features, second))
    assert covered > 0.9


def test_frozen_poses_cover_next_to_nothing(walks):
    for pose in (mean_pose(walks.channels, 60), rest_pose(walks.rig, 60)):
        assert likeness.coverage(walks.features, walks.still, features(walks.rig, pose[None])) < 0.05


def test_right_poses_at_the_wrong_speed_cover_nothing(walks):
    channels = np.stack(walks.channels)
    channels[:, :, 0, TRAVEL] = 0.0
    assert likeness.coverage(walks.features, walks.still, features(walks.rig, channels)) < 0.2


def test_noise_covers_nothing(walks, noisy):
    assert likeness.coverage(walks.features, walks.still, noisy) < 0.2


def test_copies_are_below_and_noise_is_above_what_is_usual(walks, noisy):
    usual = walks.usual_distance(0)
    first, second = ([walks.features[at] for at in half] for half in walks.halves(0))
    assert likeness.off_manifold(walks.features[:3], walks.features, usual) < 0.8
    assert 0.8 < likeness.off_manifold(second, first, usual) < 1.8
    assert likeness.off_manifold(noisy, walks.features, usual) > 1.8


def test_halves_do_the_same_things():
    kinds = ["walk"] * 6 + ["run"] * 4
    halves = likeness.split_clips(kinds, 5)
    assert sorted(np.concatenate(halves)) == list(range(10))
    assert [sum(kinds[at] == "run" for at in half) for half in halves] == [2, 2]
    assert not np.array_equal(halves[0], likeness.split_clips(kinds, 6)[0])


def test_diversity_within_and_between_clips(walks):
    inter, intra = likeness.diversity(walks.features)
    same_inter, same_intra = likeness.diversity([walks.features[1]] * 4)
    assert same_inter == pytest.approx(same_intra, rel=0.15)  # all clips are one
    still = features(walks.rig, np.stack([mean_pose(walks.channels, 60), rest_pose(walks.rig, 60)]))
    between, within = likeness.diversity(still)
    assert within < 1e-2 < between
    assert inter > 0.05 and intra > 0.05
