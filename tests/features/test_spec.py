from __future__ import annotations

import json

import numpy as np
import pytest

from kinema import Skeleton
from kinema.errors import DatabaseError
from kinema.features import Feature, FeatureSpec, extract, presets


@pytest.fixture
def spec(biped: Skeleton) -> FeatureSpec:
    return presets.motion_matching(biped)


def test_slices_tile_the_vector(spec):
    places = [spec[name] for name in spec.names]
    assert [p.start for p in places] == [0, *(p.stop for p in places[:-1])]
    assert places[-1].stop == spec.dim == 27
    with pytest.raises(DatabaseError, match="no feature is named 'knee'; the features are: foot"):
        spec["knee"]


def test_describe_names_all_features(spec):
    text = spec.describe()
    assert all(name in text for name in spec.names)
    assert text.endswith("27 numbers")


def test_split_and_join_are_inverse(spec, rng):
    x = rng.normal(size=(3, 2, 27)).astype(np.float32)
    np.testing.assert_array_equal(spec.join(spec.split(x)), x)
    parts = spec.split(x) | {"foot.position": x[..., :6].reshape(3, 2, 1, 2, 3)}
    np.testing.assert_array_equal(spec.join(parts), x)
    with pytest.raises(DatabaseError, match=r"'hips.velocity' is missing"):
        spec.join({name: part for name, part in spec.split(x).items() if name != "hips.velocity"})
    with pytest.raises(DatabaseError, match="has 6 numbers"):
        spec.join(spec.split(x) | {"foot.position": x[..., :5]})


def test_a_mirrored_vector_has_the_mirrored_features(spec, source):
    """Each feature by itself; twice changes nothing."""
    x = extract(source, spec)
    mirrored = spec.mirror(x)
    for feature in spec.features:
        permutation, signs = feature.mirror(source.skeleton)
        place = spec[feature.name]
        np.testing.assert_array_equal(mirrored[:, place], x[:, place][:, permutation] * signs)
    assert not np.array_equal(mirrored, x)
    np.testing.assert_array_equal(spec.mirror(mirrored), x)


def test_one_scale_per_feature_over_its_weight(spec, source):
    x = extract(source, spec)
    normalizer = spec.normalizer(x.mean(0), x.std(0))
    scaled = normalizer.normalize(x)
    for feature in spec.features:
        place = spec[feature.name]
        assert len(set(normalizer.scale[place].tolist())) == 1
        assert scaled[:, place].std(axis=0).mean() == pytest.approx(feature.weight, rel=1e-4)
    np.testing.assert_allclose(normalizer.denormalize(scaled), x, atol=1e-5)


def test_a_constant_feature_is_an_error_that_names_it(spec):
    std = np.ones(27)
    std[spec["hips.velocity"]] = 0
    with pytest.raises(DatabaseError, match=r"'hips\.velocity' has standard deviation 0"):
        spec.normalizer(np.zeros(27), std)
    assert spec.normalizer(np.zeros(27), std, allow_constant=True).scale[spec["hips.velocity"]].tolist() == [1, 1, 1]
    std[spec["hips.velocity"]] = np.nan
    with pytest.raises(DatabaseError, match=r"hips\.velocity"):
        spec.normalizer(np.zeros(27), std, allow_constant=True)


def test_hash_is_stable_and_tells_specs_apart(biped, spec, chain):
    assert spec.hash == presets.motion_matching(biped).hash
    feature = spec.features[0]
    others = [
        FeatureSpec(spec.features[::-1], biped),
        FeatureSpec(spec.features[1:], biped),
        FeatureSpec((Feature(feature.name, feature.kind, feature.joints, weight=0.5), *spec.features[1:]), biped),
        presets.motion_matching(chain(12)),
    ]
    assert len({spec.hash, *(other.hash for other in others)}) == 5
    fixed = FeatureSpec((Feature("p", "position"),), Skeleton.create(["a", "b"], [-1, 0], np.zeros((2, 3))))
    assert fixed.hash == "155739a1b81020a3"


def test_difference_says_what(biped, spec, chain):
    first = spec.features[0]
    lighter = Feature(first.name, first.kind, first.joints, weight=2.0)
    assert spec.difference(presets.motion_matching(biped)) is None
    assert spec.difference(FeatureSpec((lighter, *spec.features[1:]), biped)) == "'foot.position' has another weight"
    assert spec.difference(FeatureSpec(spec.features[1:], biped)) == "extra 'foot.position'"
    assert FeatureSpec(spec.features[1:], biped).difference(spec) == "no 'foot.position'"
    assert spec.difference(FeatureSpec(spec.features[::-1], biped)) == "the order of features differs"
    assert spec.difference(presets.motion_matching(chain(12))) == "the skeletons differ"


def test_json_round_trip(spec, biped, chain):
    values = json.loads(json.dumps(spec.to_dict()))
    assert FeatureSpec.from_dict(values, biped).hash == spec.hash
    with pytest.raises(DatabaseError, match="another skeleton: joints") as caught:
        FeatureSpec.from_dict(values, chain(12))
    assert "Chest" in str(caught.value) and "Hips" not in str(caught.value)
    with pytest.raises(DatabaseError, match="another skeleton: order or parents of joints differ"):
        FeatureSpec.from_dict(values | {"parents": [-1] * biped.joint_count}, biped)
    with pytest.raises(DatabaseError, match="has version 9"):
        FeatureSpec.from_dict(values | {"version": 9}, biped)
    values["features"][0]["weight"] = 3.0
    with pytest.raises(DatabaseError, match="says hash"):
        FeatureSpec.from_dict(values, biped)


def test_names_are_unique_and_there_is_at_least_one(biped):
    with pytest.raises(DatabaseError, match="repeats a"):
        FeatureSpec((Feature("a", "position"), Feature("a", "velocity")), biped)
    with pytest.raises(DatabaseError, match="is empty"):
        FeatureSpec((), biped)
