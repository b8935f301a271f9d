"""SMPL poses in all the layouts that they come in."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import kinema
from kinema.errors import FormatError, KinemaError
from kinema.formats import Source
from kinema.formats.smpl import LAYOUTS

FRAMES = 12


def packed(**arrays: Any) -> Source:
    held = io.BytesIO()
    np.savez(held, **arrays)
    return Source.from_bytes(held.getvalue(), "walk.npz")


def standing(count: int, rng: np.random.Generator, up: str) -> tuple[np.ndarray, np.ndarray]:
    """Poses `[F, 3 J]` of somebody who stands with restless limbs and turns, and places."""
    poses = rng.normal(0, 0.2, (FRAMES, count, 3))
    turning = Rotation.from_rotvec(np.linspace(0, 2, FRAMES)[:, None] * (0, 1, 0))
    if up == "z":
        turning = Rotation.from_euler("x", np.pi / 2) * turning
    poses[:, 0] = turning.as_rotvec()
    trans = rng.normal(0, 0.3, (FRAMES, 3))
    return poses.reshape(FRAMES, -1), trans


@pytest.mark.parametrize("count", [22, 24, 52, 55])
@pytest.mark.parametrize("up", ["y", "z"])
def test_every_layout_in_both_worlds_against_matrices(rng, count: int, up: str):
    poses, trans = standing(count, rng, up)
    asset = kinema.load(packed(poses=poses, trans=trans, mocap_framerate=np.float64(120.0), betas=np.zeros(16)))
    motion = asset.motion()
    skeleton = motion.skeleton
    assert skeleton.names == LAYOUTS[count] and motion.fps == 120
    assert (len([line for line in asset.warnings if "converted to Y up" in line]) == 1) == (up == "z")
    # Rotations and places by hand, in the file's own world, then turned.
    turn = Rotation.from_euler("x", -90, degrees=True).as_matrix() if up == "z" else np.eye(3)
    local = Rotation.from_rotvec(poses.reshape(-1, 3)).as_matrix().reshape(FRAMES, count, 3, 3)
    down = {22: 0.22, 24: 0.22, 52: 0.22, 55: 0.35}[count]
    turned, placed = [turn @ local[:, 0]], [(trans - (0, down, 0)) @ turn.T]
    for joint in range(1, count):
        parent = int(skeleton.parents[joint])
        turned.append(turned[parent] @ local[:, joint])
        placed.append(placed[parent] + turned[parent] @ skeleton.rest_translations[joint].astype(np.float64))
    assert np.abs(motion[:].global_positions - np.stack(placed, axis=1)).max() < 1e-5


def test_our_person_stands_and_is_symmetric(rng):
    poses, trans = standing(55, rng, "y")
    skeleton = kinema.load(packed(poses=poses, trans=trans, fps=30)).skeleton
    placed = skeleton.rest_pose.global_positions
    assert 1.6 < skeleton.height < 1.75 and placed[:, 1].min() >= 0
    for joint, name in enumerate(skeleton.names):
        if name.startswith("left_"):
            other = placed[skeleton.index(name.replace("left_", "right_"))]
            assert np.allclose(placed[joint] * (-1, 1, 1), other, atol=1e-6) and placed[joint, 0] > 0
    toes, ankle = skeleton.index("left_foot"), skeleton.index("left_ankle")
    assert placed[toes, 2] > placed[ankle, 2] + 0.05  # faces +Z
    assert skeleton.names[skeleton.parents[skeleton.index("left_index1")]] == "left_wrist"
    assert skeleton.names[skeleton.parents[skeleton.index("right_thumb3")]] == "right_thumb2"
    roles = skeleton.roles
    assert roles.hips == 0 and skeleton.names[roles.head] == "head" and len(roles.legs) == len(roles.arms) == 2


def test_parts_of_smpl_x_are_the_whole(rng):
    poses, trans = standing(55, rng, "y")
    cut = np.split(poses, [3, 66, 69, 75], axis=1)
    parts = dict(zip(("root_orient", "pose_body", "pose_jaw", "pose_eye", "pose_hand"), cut, strict=True))
    whole = kinema.load(packed(poses=poses, trans=trans, mocap_frame_rate=60)).motion()
    for given_parts in (parts, {**parts, "pose_body": parts["pose_body"].reshape(FRAMES, 21, 3)}):
        motion = kinema.load(packed(**given_parts, trans=trans, mocap_frame_rate=60)).motion()
        assert np.array_equal(motion.local_rotations, whole.local_rotations)
    body = kinema.load(packed(root_orient=cut[0], pose_body=cut[1], trans=trans, mocap_frame_rate=60)).motion()
    assert body.skeleton.joint_count == 22
    assert np.array_equal(body.local_rotations, whole.local_rotations[:, :22])


def test_aist_scales_its_places(rng):
    poses, trans = standing(24, rng, "y")
    motion = kinema.load(
        packed(smpl_poses=poses, smpl_trans=90 * trans, smpl_scaling=np.array([90.0])), fps=60
    ).motion()
    assert np.allclose(motion[:].global_positions[:, 0], trans - (0, 0.22, 0), atol=1e-5) and motion.fps == 60


def test_what_is_assumed_is_said(rng):
    poses, _ = standing(24, rng, "y")
    asset = kinema.load(packed(poses=poses.astype(np.float32)))
    said = "; ".join(asset.warnings)
    assert "of our own" in said and "no positions of the root" in said and "took 30 frames" in said


def test_a_model_gives_exact_joints(rng):
    poses, trans = standing(24, rng, "y")
    vertices, count = 60, 24
    regressor = rng.uniform(size=(count, vertices))
    regressor /= regressor.sum(axis=1, keepdims=True)
    template, shapes, betas = rng.normal(size=(vertices, 3)), rng.normal(size=(vertices, 3, 10)), rng.normal(size=10)
    model = packed(J_regressor=regressor, v_template=template, shapedirs=shapes)
    asset = kinema.load(packed(poses=poses, trans=trans, betas=betas, fps=60), skeleton=model, up="y")
    joints = regressor @ (template + shapes @ betas)
    assert not asset.warnings
    parents = asset.skeleton.parents
    assert np.allclose(asset.skeleton.rest_translations[1:], (joints - joints[parents])[1:], atol=1e-5)
    assert np.allclose(asset.motion()[:].global_positions[:, 0], trans + joints[0], atol=1e-5)
    with pytest.raises(FormatError, match="J_regressor: is of 72 joints, the poses are of 52"):
        other = packed(J_regressor=np.concatenate([regressor] * 3), v_template=template)
        kinema.load(packed(poses=np.zeros((2, 156))), skeleton=other)


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"poses": np.zeros((4, 60))}, "poses: has 20 joints a frame; known are 22"),
        ({"poses": np.zeros((4, 71))}, r"expected rotation vectors \[frames, 3 x joints\]"),
        ({"poses": np.zeros((0, 72))}, "expected rotation vectors"),
        ({"poses": np.full((4, 72), np.nan)}, "not finite"),
        ({"poses": np.full((4, 72), 1e5)}, "beyond 1000 radians"),
        ({"poses": np.zeros((4, 72)), "trans": np.zeros((5, 3))}, r"trans: has shape \[5, 3\], expected \[4, 3\]"),
        ({"poses": np.zeros((4, 72)), "trans": np.full((4, 3), 1e9)}, "farther than"),
        ({"poses": np.zeros((4, 72)), "fps": np.zeros(1)}, "fps: should be one number"),
        ({"pose_body": np.zeros((4, 60))}, "pose_body: has 20 joints"),
        ({"pose_body": np.zeros((4, 63)), "root_orient": np.zeros((5, 3))}, "the other parts"),
        (
            {"posed_joints": np.zeros((2, 3, 3)), "global_rot_mats": np.zeros((2, 3, 3, 3))},
            "without their names, parents",
        ),
    ],
)
def test_refusals(arrays: dict[str, np.ndarray], said: str):
    with pytest.raises(FormatError, match=said):
        kinema.load(packed(**arrays))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 80), min_size=1, max_size=3), st.lists(st.integers(0, 5), max_size=2))
def test_shapes_of_all_sorts_are_read_or_refused(shape: list[int], other: list[int]):
    try:
        kinema.load(packed(poses=np.zeros(shape), trans=np.zeros(other), fps=np.ones(other)))
    except KinemaError as error:
        assert "\n" not in str(error)
