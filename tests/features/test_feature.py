from __future__ import annotations

import json

import numpy as np
import pytest

from kinema import Skeleton, rotations
from kinema.errors import DatabaseError, SkeletonError
from kinema.features import Feature, FeatureSpec, extract
from kinema.features.feature import find_joint

TIMES = (0.0, 0.1, 0.3)
OWN = {"times": TIMES, "frame": "root@t"}
FEATURES = [
    Feature("x", "position", times=TIMES),
    Feature("x", "position", ("left_foot", "right_foot", "hips"), times=TIMES),
    Feature("x", "position", frame="world"),
    Feature("x", "velocity", **OWN),
    Feature("x", "axes", times=TIMES),
    Feature("x", "rotation6d", **OWN),
    Feature("x", "rotation_log", **OWN),
    Feature("x", "guidance", times=(0.0, 1.0)),
    Feature("x", "trajectory.position", times=TIMES),
    Feature("x", "trajectory.position", times=TIMES, frame="world"),
    Feature("x", "trajectory.direction", times=TIMES),
    Feature("x", "trajectory.velocity", times=TIMES),
    Feature("x", "trajectory.speed", times=TIMES),
    Feature("x", "root_delta", times=TIMES),
    Feature("x", "contact", ("left_foot", "right_foot"), times=TIMES),
    Feature("x", "phase", times=TIMES),
    Feature("x", "phase_delta"),
    Feature("x", "local_phase", ("left_foot", "right_foot"), times=TIMES),
    Feature("x", "goal.position"),
    Feature("x", "goal.direction"),
    Feature("x", "height", times=TIMES),
    Feature("x", "label", labels=("walk", "old")),
]


@pytest.mark.parametrize("feature", FEATURES, ids=lambda f: f"{f.kind}-{f.frame}")
def test_mirroring_vectors_equals_mirroring_motion(feature, source):
    spec = FeatureSpec((feature,), source.skeleton)
    np.testing.assert_allclose(spec.mirror(extract(source, spec)), extract(source.mirror(), spec), atol=2e-3)
    np.testing.assert_array_equal(spec.mirror(spec.mirror(extract(source, spec))), extract(source, spec))


def test_mirroring_a_rig_whose_sides_have_turned_axes(make_source, biped):
    """Right joints turned by 180 degrees about their own X: as many rigs have it."""
    half = np.float32([0, 1, 0, 0])
    right = [name.startswith("Right") for name in biped.names]
    above = [parent >= 0 and right[parent] for parent in biped.parents]
    own = np.where(np.array(right)[:, None], half, np.float32([1, 0, 0, 0]))
    parent = np.where(np.array(above)[:, None], half, np.float32([1, 0, 0, 0]))
    rest = rotations.inverse_rotate(parent, biped.rest_translations)
    rig = Skeleton.create(biped.names, biped.parents, rest, rotations.multiply(rotations.inverse(parent), own))
    source = make_source(rig)
    spec = FeatureSpec((Feature("x", "axes"), Feature("y", "rotation6d")), rig)
    np.testing.assert_allclose(spec.mirror(extract(source, spec)), extract(source.mirror(), spec), atol=1e-4)


@pytest.mark.parametrize("kind", ["axes", "rotation6d", "rotation_log"])
def test_rotations_survive_a_round_trip(kind, source):
    feature = Feature("x", kind, **OWN)
    spec = FeatureSpec((feature,), source.skeleton)
    decoded = spec.decode(extract(source, spec, [20]))["x"]
    from kinema import kinematics

    turned, _ = kinematics.forward(source.local_rotations, source.local_translations, source.skeleton.parents)
    expected = turned[[20, 23, 29]]
    assert decoded.shape == (1, 3, source.skeleton.joint_count, 4)
    assert float(np.max(rotations.angle(rotations.relative(decoded[0], expected)))) < 3e-3


def test_axes_of_any_numbers_decode_to_rotations(rng, biped):
    feature = Feature("x", "axes")
    decoded = feature.decode(rng.normal(size=(5, feature.dim(biped))).astype(np.float32), biped)
    np.testing.assert_allclose(np.linalg.norm(decoded, axis=-1), 1, atol=1e-5)


def test_root_deltas_lead_back_to_the_root_path(source):
    times = tuple(np.arange(16) / 30)
    spec = FeatureSpec((Feature("x", "root_delta", times=times),), source.skeleton)
    positions, turns = spec.decode(extract(source, spec, [10]))["x"]
    here, there = source.root_rotations[10], slice(10, 26)
    level = (source.root_positions[there] - source.root_positions[10]) * np.float32([1, 0, 1])
    np.testing.assert_allclose(positions[0], rotations.inverse_rotate(here, level), atol=1e-4)
    expected = rotations.relative(here, source.root_rotations[there])
    np.testing.assert_allclose(rotations.yaw(turns[0]), rotations.yaw(expected), atol=1e-4)


def test_phase_and_contact_decode(source):
    spec = FeatureSpec((Feature("p", "phase"), Feature("c", "contact", ("left_foot", "right_foot"))), source.skeleton)
    decoded = spec.decode(extract(source, spec))
    np.testing.assert_allclose(decoded["p"][:, 0], source.labels["phase"], atol=1e-5)
    np.testing.assert_array_equal(decoded["c"][:, 0], source.contacts)
    assert Feature("c", "contact", ("left_foot",)).decode(np.float32([1.7]), source.skeleton) == 1.0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"kind": "smell"}, "has kind 'smell'; the kinds are: axes, contact"),
        ({"kind": "position", "frame": "root@0"}, "the frames are: root, root@t, world"),
        ({"kind": "position", "times": ()}, "at least one time"),
        ({"kind": "position", "times": (0.2, 0.1)}, "ascending"),
        ({"kind": "position", "times": (float("nan"),)}, "at least one time"),
        ({"kind": "position", "weight": 0.0}, "weights are positive"),
        ({"kind": "guidance"}, "two times"),
        ({"kind": "label"}, "names of its labels"),
        ({"kind": "root_delta", "frame": "root@t"}, "use frame"),
        ({"kind": "root_delta", "frame": "world"}, "use frame"),
        ({"kind": "rotation_log", "times": (0.0, 0.1)}, "root@t"),
    ],
)
def test_impossible_features_are_refused(options, words):
    with pytest.raises(DatabaseError, match=words) as caught:
        Feature("x", **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("times", [(0.01,), (0.0334, 0.04)])
def test_times_that_fall_on_the_present_or_on_each_other_are_refused(times):
    with pytest.raises(DatabaseError, match="less than a frame apart"):
        Feature("x", "position", times=times).offsets(30.0)


def test_times_that_fall_on_one_frame_are_refused():
    feature = Feature("x", "position", times=(0.0, 1 / 60))
    assert feature.offsets(60.0).tolist() == [0, 1]
    for fps in (30.0, 20.0):
        with pytest.raises(DatabaseError, match="less than a frame apart"):
            feature.offsets(fps)


def test_a_side_without_the_other_cannot_be_mirrored(biped):
    with pytest.raises(SkeletonError, match="'LeftFoot' without its mirror 'RightFoot'"):
        Feature("x", "position", ("left_foot",)).mirror(biped)


def test_roles_and_names(biped):
    for role, name in {
        "hips": "Hips",
        "left_foot": "LeftFoot",
        "right_toe": "RightToeBase",
        "left_upper_leg": "LeftUpLeg",
        "right_lower_arm": "RightForeArm",
        "left_hand": "LeftHand",
        "head": "Head",
        "Chest": "Chest",
    }.items():
        assert find_joint(biped, role) == biped.index(name)
    with pytest.raises(SkeletonError, match="wing"):
        find_joint(biped, "left_wing")


@pytest.mark.parametrize("feature", FEATURES, ids=lambda f: f.kind)
def test_json_round_trip(feature):
    assert Feature.from_dict(json.loads(json.dumps(feature.to_dict()))) == feature


def test_unknown_keys_are_refused():
    with pytest.raises(DatabaseError, match="colour"):
        Feature.from_dict({"name": "x", "kind": "position", "colour": 1})
