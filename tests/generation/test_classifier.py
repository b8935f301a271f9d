"""The classifier of actions sees motion and body, and nothing else."""

import numpy as np
import torch

from kinema.generation.classifier import FRAMES, ActionModel, judged, seen_motion, shape_of, to_sight
from kinema.generation.takes import Takes
from kinema.learn.setting import Setting


def model():
    torch.manual_seed(0)
    return ActionModel(Setting(fps=30.0)).eval()


def windows(reference, count):
    takes = Takes(reference.rig, reference.takes.channels[:count, :FRAMES])
    return [(reference.rig, shape_of(reference.rig), seen) for seen in seen_motion(takes)]


def test_it_is_small():
    assert 0.2e6 < sum(weights.numel() for weights in model().parameters()) < 0.5e6


def test_what_a_window_is_batched_with_does_not_change_its_verdict(truth):
    network = model()
    mine, larger = windows(truth, 2), windows(truth, 1)
    rig, shape, seen = larger[0]
    bigger = to_sight([*mine, (rig, shape, 3 * seen)], [0, 0, 0])
    padded = bigger._replace(
        motion=torch.nn.functional.pad(bigger.motion, (0, 0, 0, 4), value=7.0),
        shape=torch.nn.functional.pad(bigger.shape, (0, 0, 0, 4), value=7.0),
        above=torch.nn.functional.pad(bigger.above, (0, 4, 0, 4)),
        valid=torch.nn.functional.pad(bigger.valid, (0, 4)),
    )
    with torch.no_grad():
        alone, beside = network(to_sight(mine, [0, 0])), network(padded)[:2]
    torch.testing.assert_close(alone, beside, atol=1e-4, rtol=1e-4)


def test_verdicts_are_probabilities(truth):
    found = judged(model(), Takes(truth.rig, truth.takes.channels[:3, :FRAMES]))
    np.testing.assert_allclose(found.sum(-1), 1.0, rtol=1e-5)


def test_stated_positions_and_contacts_do_not_sway_it(truth):
    channels = truth.takes.channels[:2, :FRAMES].copy()
    before = judged(model(), Takes(truth.rig, channels))
    channels[:, :, 1:, 6:10] = 5.0
    np.testing.assert_allclose(judged(model(), Takes(truth.rig, channels)), before, atol=1e-6)
