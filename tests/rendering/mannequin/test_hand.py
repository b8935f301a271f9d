"""Hands with the fingers that a rig has."""

from pathlib import Path

import numpy as np
import pytest

import kinema
from kinema import Skeleton
from kinema.formats import smpl
from kinema.rendering.mannequin.build import build_mannequin
from kinema.rendering.mannequin.hand import HandModel
from kinema.rendering.mannequin.pieces import Clay


def hand(biped: Skeleton, fingers: int) -> tuple[Clay, Skeleton]:
    names, parents = list(biped.names), biped.parents.tolist()
    offsets = biped.rest_translations.tolist()
    for k in range(fingers):
        above = biped.index("LeftHand")
        for bone, step in enumerate((0.09, 0.035, 0.025)):
            names.append(f"LeftFinger{k}_{bone}")
            parents.append(above)
            offsets.append([step, 0, 0.021 * (k - 1.5) if bone == 0 else 0])
            above = len(names) - 1
    rig = Skeleton.create(names, parents, offsets)
    placed = rig.rest_pose.global_positions.astype(np.float64)
    clay = Clay(scale=1.7)
    arm = rig.roles.arms[0]
    lower = clay.add(arm.lower, placed[arm.lower], placed[arm.hand], 0.018)
    HandModel(clay, rig.rest_pose, np.array([0, 0, 1.0]), arm, 1.0).build(lower)
    return clay, rig


def test_a_hand_without_fingers_is_a_mitten_with_a_thumb(biped: Skeleton):
    clay, rig = hand(biped, 0)
    assert len(clay.rows) == 4 and set(clay.joints[1:]) == {rig.index("LeftHand")}
    thumb = clay.rows[-1]
    assert thumb[2] + thumb[11] * thumb[12] > 0.05  # it points to the front


def test_fingers_are_limbs_of_their_own_with_air_between(biped: Skeleton):
    clay, rig = hand(biped, 4)
    moved = {rig.names[joint] for joint in clay.joints}
    assert {f"LeftFinger{k}_{bone}" for k in range(4) for bone in (0, 1, 2)} <= moved
    roots = [k for k, joint in enumerate(clay.joints) if rig.names[joint].endswith("_0")]
    assert len({clay.limbs[k] for k in roots}) == 4
    assert max(float(clay.rows[k][15:20].max()) for k in roots) < 0.0105
    assert clay.rows[1][15:20].max() == pytest.approx(0.5 * 0.063 + 0.0075 * 1.7, abs=1e-3)  # the palm spans them


def test_thumbs_are_known_where_their_first_bone_starts_at_the_wrist(tmp_path: Path):
    """As on bodies of SMPL, whose hands have no joint between wrist and thumb."""
    np.savez(tmp_path / "rest.npz", poses=np.zeros((2, 165)), trans=np.zeros((2, 3)), mocap_frame_rate=30.0)
    skeleton = kinema.load(tmp_path / "rest.npz").motions[0].skeleton
    mesh = build_mannequin(skeleton).meshes[0]
    owners = np.take_along_axis(mesh.joints, mesh.weights.argmax(axis=1)[:, None], axis=1)
    owned = {skeleton.names[joint] for joint in owners.ravel().tolist()}
    assert {name for name in smpl.FINGERS if not name.endswith("1")} <= owned
