"""VRM animations written: what bones do comes back, even what joints that are no bones did for them."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.errors import FormatError
from kinema.formats import Asset, load, save
from kinema.formats.gltf.vrm_humanoid import ROLES
from kinema.formats.gltf.vrma_writer import humanoid_only

from .vrm_files import REQUIRED


@pytest.fixture
def dance(rng: np.random.Generator) -> Motion:
    """Fifteen bones, with a joint above the hips and one between spine and head, all of which move."""
    names, parents, places = ["world"], [-1], [(0, 0, 0)]
    for name, (parent, place) in REQUIRED.items():
        if name == "head":
            names, parents, places = [*names, "twist"], [*parents, names.index("spine")], [*places, (0, 0.2, 0)]
            parent = "twist"
        names.append(name)
        parents.append(names.index(parent) if parent else 0)
        places.append(place)
    turned = rotations.normalize(rng.normal(size=(len(names), 4)))
    hints = {name: ROLES[name] for name in REQUIRED}
    skeleton = Skeleton.create(names, parents, places, turned.astype(np.float32), hints=hints)
    local = rotations.normalize(rng.normal(size=(20, len(names), 4))).astype(np.float32)
    moved = rng.normal(size=(20, 2, 3)).astype(np.float32)
    labels = {
        "expression.happy": np.linspace(0, 1, 20, dtype=np.float32),
        "expression.own": np.zeros(20, np.float32),
        "gaze.yaw": np.linspace(-1, 1, 20, dtype=np.float32),
        "gaze.pitch": np.linspace(-0.5, 0.5, 20, dtype=np.float32),
        "contact.left": np.arange(20) > 10,
    }
    return Motion.create(skeleton, local, moved, [0, 1], 24, "dance", labels)


def test_bones_stand_where_they_stood(dance):
    bones = {name: dance.skeleton.index(name) for name in REQUIRED}
    alone = humanoid_only(dance, bones)
    rows = list(bones.values())
    pose = dance[:]
    turned, placed = pose.global_rotations, pose.global_positions
    world = alone[:]
    now, stands = world.global_rotations, world.global_positions
    same = np.abs((turned * now)[:, rows].sum(-1))
    np.testing.assert_allclose(same, 1, atol=1e-5)
    # Positions hang on joints between bones, which rest now; the hips do not.
    np.testing.assert_allclose(stands[:, bones["hips"]], placed[:, bones["hips"]], atol=1e-5)
    assert alone.translated.tolist() == [bones["hips"]]
    for joint in (dance.skeleton.index("world"), dance.skeleton.index("twist")):
        np.testing.assert_array_equal(
            alone.local_rotations[:, joint], np.tile(dance.skeleton.rest_rotations[joint], (20, 1))
        )


def test_it_comes_back(tmp_path, dance):
    save(dance, tmp_path / "a.vrma")
    asset = load(tmp_path / "a.vrma")
    [again] = asset.motions
    assert asset.skeleton.hints == dance.skeleton.hints and asset.character is None
    assert again.skeleton.same_topology(dance.skeleton)
    for name, values in dance.labels.items():
        np.testing.assert_allclose(again.labels[name], values, atol=1e-5)
    rows = dance.skeleton.indices(REQUIRED)
    same = np.abs((again[:].global_rotations * dance[:].global_rotations)[:, rows].sum(-1))
    np.testing.assert_allclose(same, 1, atol=1e-5)
    assert again.fps == 24 and again.frames == 20


def test_gaze_and_faces_are_nodes_of_their_own_even_for_strangers(tmp_path, dance):
    """Without our notes, the nodes alone must tell the same."""
    save(dance, tmp_path / "a.vrma")
    data = (tmp_path / "a.vrma").read_bytes().replace(b'"kinema"', b'"nobody"')
    (tmp_path / "b.vrma").write_bytes(data)
    [again] = load(tmp_path / "b.vrma", fps=24).motions
    for name in ("expression.happy", "expression.own", "gaze.yaw", "gaze.pitch"):
        np.testing.assert_allclose(again.labels[name], dance.labels[name], atol=1e-5)


def test_refusals(tmp_path, dance, biped):
    with pytest.raises(FormatError, match="one motion, not 2"):
        save(Asset("", "gltf", dance.skeleton, (dance, dance)), tmp_path / "a.vrma")
    stone = Skeleton.create(["x"], [-1], [[0, 0, 0]])
    with pytest.raises(FormatError, match="VRM needs a humanoid"):
        save(Motion.create(stone, np.tile(stone.rest_rotations, (2, 1, 1))), tmp_path / "a.vrma")


def test_people_without_hints_are_known_by_their_roles(tmp_path, biped):
    save(Motion.create(biped, np.tile(biped.rest_rotations, (2, 1, 1))), tmp_path / "a.vrma")
    hints = load(tmp_path / "a.vrma").skeleton.hints
    assert hints["LeftUpLeg"] == "left_thigh" and hints["Hips"] == "hips"
