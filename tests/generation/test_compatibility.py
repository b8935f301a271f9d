"""The published figures, with their quirks."""

import numpy as np
import pytest

from kinema.errors import UsageError
from kinema.generation import compatibility
from kinema.generation.takes import mean_pose


def test_a_frozen_mean_pose_covers_everything(walks):
    frozen = np.repeat(mean_pose(walks.channels, 60)[None], 6, axis=0)
    figures = compatibility.compatibility(walks.rig, walks.channels, frozen)
    assert figures["coverage"] > 0.95
    assert figures["inter diversity"] == 0


def test_copies_have_no_local_nor_global_diversity(walks):
    figures = compatibility.compatibility(walks.rig, walks.channels, walks.takes.channels)
    assert figures["coverage"] == 1
    assert figures["local diversity"] < 1e-6 and figures["global diversity"] < 1e-6


def test_noise_is_the_most_diverse(walks, rng):
    noisy = walks.takes.channels + 0.2 * rng.standard_normal(walks.takes.channels.shape).astype(np.float32)
    figures = compatibility.compatibility(walks.rig, walks.channels, noisy)
    usual = compatibility.compatibility(walks.rig, walks.channels, walks.takes.channels)
    for name in ("local diversity", "global diversity", "inter diversity"):
        assert figures[name] > 1.5 * usual[name]


def test_the_mean_bone_has_the_length_of_the_published_scale(walks):
    scaled = compatibility.positions(walks.rig, np.zeros_like(walks.channels[0]))[0]
    whole = np.concatenate([np.zeros((1, 3)), scaled])
    bones = np.linalg.norm(whole[1:] - whole[walks.rig.parents[1:]], axis=-1)
    assert bones.mean() == pytest.approx(compatibility.BONE, rel=1e-3)


def test_pieces_are_matched_as_well_as_by_trying_all(rng):
    costs = rng.random((70, 2, 95))
    found = compatibility.patched_costs(costs)
    for number in range(2):
        mine = costs[:, number]

        def piece(start, stop, mine=mine):
            width = stop - start
            steps = np.arange(width)
            return min(mine[row + steps, start + steps].sum() for row in range(len(mine) - width + 1))

        cuts = [(0, 95)] if len(mine) >= 95 else []
        ways = [piece(*cuts[0])] if cuts else []
        ways += [piece(0, at) + piece(at, 95) for at in range(30, 66)]
        ways += [piece(0, a) + piece(a, b) + piece(b, 95) for a in range(30, 36) for b in range(a + 30, 66)]
        assert found[number] == pytest.approx(min(ways) / 95)


def test_short_clips_are_refused(walks):
    with pytest.raises(UsageError, match="30 frames"):
        compatibility.compatibility(walks.rig, [walks.channels[0][:20]], walks.takes.channels)
