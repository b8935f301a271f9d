"""Feet that do not hang on legs are attached to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

import kinema
from kinema import Motion
from kinema.mocap.contacts import contact_joints
from kinema.mocap.legs import find_legs
from kinema.mocap.loose_feet import attach_feet

Crawler = Callable[..., Motion]


def test_feet_on_the_root_are_attached_without_moving(crawler: Crawler) -> None:
    whole = crawler(2, cycles=1)
    skeleton = whole.skeleton
    toes = contact_joints(skeleton)
    parents = skeleton.parents.copy()
    parents[toes] = 0
    places = skeleton.rest_pose.global_positions
    rest = skeleton.rest_translations.copy()
    rest[toes] = places[toes] - places[0]
    loose = replace(skeleton, parents=parents, rest_translations=rest, known_roles=None)
    pose = whole[:]
    translations = pose.local_translations.copy()
    translations[:, toes] = pose.global_positions[:, toes] - pose.global_positions[:, :1]
    motion = Motion.create(loose, pose.local_rotations, translations, fps=whole.fps)
    attached = attach_feet(motion)
    np.testing.assert_array_equal(attached.skeleton.parents, skeleton.parents)
    np.testing.assert_allclose(attached[:].global_positions, pose.global_positions, atol=1e-5)
    assert attach_feet(whole) is whole


def test_the_feet_of_a_horse_hang_on_its_legs(data_dir: Path) -> None:
    motion = kinema.load(data_dir / "any_topology/quaternius/Horse.glb").motions[-1]
    attached = attach_feet(motion)
    skeleton = attached.skeleton
    np.testing.assert_allclose(attached[:].global_positions, motion[:].global_positions, atol=1e-4)
    for upper, _, _, toe in find_legs(skeleton, contact_joints(skeleton)).tolist():
        assert upper in skeleton.ancestors(toe)
    assert skeleton.roles.plan == "quadruped"
