from __future__ import annotations

import numpy as np

from kinema.generation.channels import Start, encode, ground_path
from kinema.generation.edits import whole, without
from kinema.generation.generator import Generator, Known
from kinema.generation.meeting import met
from kinema.generation.request import Request, sampler
from kinema.generation.rig import AnyRig
from kinema.generation.sampling import SamplingSettings
from kinema.motion import Motion


def test_travel_meets_the_other_side_of_a_gap(dog: AnyRig, turning: Motion) -> None:
    kept = without(whole(dog, turning), 1.0, 2.5)
    wrong = kept.channels.copy()
    wrong[29:75, 0, 10:] = 0.3
    made, start = met(dog, wrong, kept.root, ground_path(kept.channels, dog, kept.start), kept.start)
    path, heading = ground_path(made, dog, start)
    true_path, true_heading = ground_path(encode(dog, turning)[0], dog, kept.start)
    np.testing.assert_allclose(path[75:], true_path[75:], atol=1e-3)
    np.testing.assert_allclose(heading[75:], true_heading[75:], atol=1e-3)
    assert np.abs(path[50] - true_path[50]).max() > 0.01


def test_who_is_nowhere_known_begins_where_it_is_said(dog: AnyRig, turning: Motion) -> None:
    channels, _ = encode(dog, turning)
    nowhere = np.zeros(len(channels), np.bool_)
    places = (np.full((len(channels), 2), np.nan, np.float32), np.full(len(channels), np.nan, np.float32))
    made, start = met(dog, channels, nowhere, places, Start(1.0, 2.0, 0.5))
    assert start == Start(1.0, 2.0, 0.5)
    np.testing.assert_array_equal(made, channels)


def test_samples_that_are_measured_arrive_as_edits_do(generator: Generator, dog: AnyRig, turning: Motion) -> None:
    kept = without(whole(dog, turning), 1.0, 2.5)
    path, heading = ground_path(kept.channels, dog)
    way = np.where(kept.root[:, None], np.concatenate([path, heading[:, None]], axis=-1), np.nan)
    known = Known(kept.channels, kept.joints, kept.travel)
    made = sampler(generator, SamplingSettings(1))(Request(dog, len(way), (), 3, known=known, path=way))[0]
    arrived, faced = ground_path(made, dog)
    np.testing.assert_allclose(arrived[75:], path[75:], atol=1e-3)
    np.testing.assert_allclose(faced[75:], heading[75:], atol=1e-3)
