from __future__ import annotations

import numpy as np

from kinema.generation.generator import Generator
from kinema.generation.joint_features import joint_features, network_evidence
from kinema.generation.rig import AnyRig


def test_features_of_a_network_tell_joints_apart(generator: Generator, dog: AnyRig, spider: AnyRig) -> None:
    features = joint_features(generator, dog)
    assert features.shape == (dog.count, generator.model.network.shape.width)
    np.testing.assert_allclose(features.mean(axis=0), 0.0, atol=1e-4)
    np.testing.assert_array_equal(features, joint_features(generator, dog))
    assert np.abs(features - joint_features(generator, dog, nameless=False)).max() > 1e-4
    own, other = network_evidence(generator, dog, dog), network_evidence(generator, dog, spider)
    np.testing.assert_allclose(np.diag(own), 0.0, atol=1e-6)
    assert other.shape == (dog.count, spider.count)
    assert other.min() >= -1e-6 and other.max() <= 2.0 + 1e-6
