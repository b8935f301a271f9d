"""Motions as curves: which there are, when their keys stand, and what they hold."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, load, rotations, save
from kinema.character import Character, Mesh, Morph
from kinema.formats import Asset
from kinema.formats.fbx.objects import open_document
from kinema.formats.fbx.out_scene import TICKS
from kinema.formats.sources import open_source


@pytest.fixture
def motion(biped, rng) -> Motion:
    frames = 40
    turned = rotations.exp(np.cumsum(rng.normal(0, 0.2, (frames, biped.joint_count, 3)), axis=0))
    turned[:, 3] = [1, 0, 0, 0]
    turned[:, 4] = rotations.from_yaw(np.array(0.3))
    moved = np.tile(biped.rest_translations, (frames, 1, 1))
    moved[:, 0] += np.cumsum(rng.normal(0, 0.02, (frames, 3)), axis=0)
    moved[:, 7] += np.linspace(0, 0.1, frames)[:, None]
    return Motion.create(biped, turned, moved, fps=29.97, name="walk")


def curves(path):
    """Number of keys by joint and property."""
    document = open_document(open_source(path))
    found = {}
    for node in document.all("AnimationCurveNode"):
        for link in document.connections_above(node.id):
            if link.parent_property is not None:
                below = [document.objects[curve.child].record for curve in document.connections_below(node.id)]
                found[document.objects[link.parent].name, link.parent_property] = [
                    record.array("KeyTime") for record in below
                ]
    return found


def test_poses_come_back(tmp_path, motion) -> None:
    save(motion, tmp_path / "a.fbx")
    (again,) = load(tmp_path / "a.fbx").motions
    assert (again.name, again.fps, again.frames) == ("walk", 29.97, 40)
    np.testing.assert_array_equal(again.translated, motion.translated)
    np.testing.assert_allclose(again[:].global_positions, motion[:].global_positions, atol=1e-5)
    apart = rotations.angle(rotations.relative(again.local_rotations, motion.local_rotations))
    assert apart.max() < 2e-3  # of float32 quaternions near the identity


def test_only_what_moves_has_curves(tmp_path, motion, biped) -> None:
    save(motion, tmp_path / "a.fbx")
    found = {key: [len(keys) for keys in rows] for key, rows in curves(tmp_path / "a.fbx").items()}
    assert (biped.names[3], "Lcl Rotation") not in found
    assert found[biped.names[4], "Lcl Rotation"] == [1, 1, 1]
    assert found[biped.names[5], "Lcl Rotation"] == [40, 40, 40]
    places = [name for name, prop in found if prop == "Lcl Translation"]
    assert places == [biped.names[0], biped.names[7]]


@pytest.mark.parametrize("fps", [7.3, 24000 / 1001, 30.0, 119.88, 1000.0])
@pytest.mark.parametrize("frames", [1, 2, 300])
def test_rate_and_frames_are_kept(tmp_path, biped, fps: float, frames: int) -> None:
    still = Motion.create(biped, np.tile(biped.rest_rotations, (frames, 1, 1)), fps=fps)
    save(still, tmp_path / "a.fbx")
    (again,) = load(tmp_path / "a.fbx").motions
    assert (again.frames, again.fps) == (frames, fps)
    times = curves(tmp_path / "a.fbx")[biped.names[0], "Lcl Rotation"][0]
    np.testing.assert_allclose(times, np.arange(frames) * TICKS / fps, rtol=0, atol=1)


def test_names_of_takes_differ(tmp_path, biped) -> None:
    motions = [Motion.create(biped, biped.rest_rotations[None], name=name) for name in ("a", "", "a", "a 2")]
    save(Asset("a", "fbx", skeleton=biped, motions=tuple(motions)), tmp_path / "a.fbx")
    assert [motion.name for motion in load(tmp_path / "a.fbx").motions] == ["a", "Take 2", "a 3", "a 2"]


def test_morph_weights_move_all_targets_of_a_name(tmp_path, biped) -> None:
    def mesh(name: str) -> Mesh:
        morph = Morph("smile", np.eye(3, dtype=np.float32), weight=0.5)
        return Mesh(
            name,
            np.eye(3, dtype=np.float32),
            np.tile(np.float32([0, 0, 1]), (3, 1)),
            np.array([[0, 1, 2]], np.uint32),
            joint=0,
            morphs=(morph,),
        )

    weights = np.linspace(0, 1, 9, dtype=np.float32)
    motion = Motion.create(
        biped, np.tile(biped.rest_rotations, (9, 1, 1)), labels={"morph.smile": weights, "morph.other": weights}
    )
    save(Asset("", "fbx", biped, (motion,), Character("c", biped, (mesh("a"), mesh("b")))), tmp_path / "a.fbx")
    again = load(tmp_path / "a.fbx")
    assert again.character is not None
    assert [mesh.morphs[0].weight for mesh in again.character.meshes] == [0.5, 0.5]
    for name in ("morph.smile", "morph.other"):
        np.testing.assert_allclose(again.motions[0].labels[name], weights, atol=1e-6)
    document = open_document(open_source(tmp_path / "a.fbx"))
    assert sum(node.name == "DeformPercent" for node in document.all("AnimationCurveNode")) == 2
