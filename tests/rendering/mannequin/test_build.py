"""Bodies for any skeleton: closed, smooth, moving well, and the same every time."""

from __future__ import annotations

import math
import time
from pathlib import Path

import numpy as np
import pytest

import kinema
from kinema import Skeleton, kinematics, rotations
from kinema.character import Character
from kinema.formats import Asset
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.rendering.mannequin.build import build_mannequin, dressed
from kinema.rendering.mannequin.modelling_pose import modelling_pose


def rig(rows: list[tuple[str, str | None, tuple[float, float, float]]]) -> Skeleton:
    names = [name for name, _, _ in rows]
    parents = [-1 if parent is None else names.index(parent) for _, parent, _ in rows]
    return Skeleton.create(names, parents, [offset for _, _, offset in rows])


def chain(name: str, parent: str | None, *offsets: tuple[float, float, float]) -> list:
    rows = []
    for index, offset in enumerate(offsets):
        rows.append((f"{name}{index}", parent if index == 0 else f"{name}{index - 1}", offset))
    return rows


def snake() -> Skeleton:
    return rig(chain("s", None, (0, 0.1, 0), *[(0, 0, -0.06)] * 24))


def spider() -> Skeleton:
    rows = [("body", None, (0, 0.3, 0)), ("head", "body", (0, 0, 0.2)), ("rear", "body", (0, 0, -0.5))]
    for side, sign in (("L", 1), ("R", -1)):
        for k, angle in enumerate((0.9, 0.3, -0.3, -0.9)):
            x, z = sign * math.cos(angle), math.sin(angle)
            rows += chain(
                f"leg{k}{side}_",
                "body",
                (0.15 * x, 0, 0.15 * z),
                (0.4 * x, 0.3, 0.4 * z),
                (0.4 * x, -0.2, 0.4 * z),
                (0.2 * x, -0.4, 0.2 * z),
            )
    return rig(rows)


def horse() -> Skeleton:
    rows = [
        ("pelvis", None, (0, 1.4, 0)),
        *chain("back", "pelvis", (0, 0, 0.4), (0, 0, 0.4), (0, 0.05, 0.3)),
        *chain("neck", "back2", (0, 0.25, 0.2), (0, 0.3, 0.15)),
        ("Head", "neck1", (0, 0.1, 0.1)),
        *chain("tail", "pelvis", (0, 0.05, -0.25), (0, -0.2, -0.1), (0, -0.3, 0)),
    ]
    for side, sign in (("L", 1), ("R", -1)):
        for name, parent in (("fore", "back2"), ("hind", "pelvis")):
            rows += chain(
                f"{name}{side}_",
                parent,
                (0.18 * sign, -0.1, 0),
                (0, -0.5, 0.05),
                (0, -0.45, -0.1),
                (0, -0.3, 0.05),
                (0, 0, 0.1),
            )
    return rig(rows)


def bird() -> Skeleton:
    rows = [
        ("hips", None, (0, 0.5, 0)),
        *chain("spine", "hips", (0, 0.02, 0.15), (0, 0.03, 0.15)),
        ("head", "spine1", (0, 0.1, 0.12)),
        ("tail", "hips", (0, 0, -0.25)),
    ]
    for side, sign in (("L", 1), ("R", -1)):
        rows += chain(f"wing_{side}_", "spine1", (0.08 * sign, 0.05, 0), (0.35 * sign, 0, 0), (0.4 * sign, 0, -0.1))
        rows += chain(f"leg_{side}_", "hips", (0.06 * sign, -0.05, 0), (0, -0.2, 0.05), (0, -0.2, -0.05), (0, 0, 0.1))
    return rig(rows)


def arm() -> Skeleton:
    return rig(chain("link", None, (0, 0, 0), (0, 0.2, 0), (0, 0.5, 0), (0.4, 0.1, 0), (0.1, 0, 0), (0.05, -0.1, 0)))


def fingers() -> Skeleton:
    rows = [("hand", None, (0, 1, 0))]
    for k in range(5):
        rows += chain(f"f{k}_", "hand", (0.09, 0, 0.022 * (k - 2)), (0.035, 0, 0), (0.025, 0, 0), (0.02, 0, 0))
    return rig(rows)


def stacked() -> Skeleton:
    return rig(
        [
            ("a", None, (0, 0, 0)),
            ("b", "a", (0, 0, 0)),
            ("c", "b", (0, 0, 0.3)),
            ("d", "c", (0, 0, 0)),
            ("e", "d", (0, 0.2, 0)),
            ("f", "d", (0, 0, 0)),
        ]
    )


def islands() -> Skeleton:
    return rig(
        [
            *chain("one", None, (0, 0, 0), (0, 0.4, 0), (0, 0.4, 0)),
            *chain("two", None, (3, 0, 0), (0, 0.4, 0), (0, 0.4, 0)),
        ]
    )


def single() -> Skeleton:
    return rig([("only", None, (0, 1, 0))])


RIGS = {make.__name__: make for make in (snake, spider, horse, bird, arm, fingers, stacked, islands, single)}


def edges(character: Character) -> np.ndarray:
    faces = character.meshes[0].indices.astype(np.int64)
    return np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])


def volume(vertices: np.ndarray, character: Character) -> float:
    corners = vertices[character.meshes[0].indices.astype(np.int64)]
    return float(np.einsum("kc,kc->k", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6)


def pieces(character: Character) -> int:
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    links, count = edges(character), len(character.meshes[0].positions)
    return connected_components(coo_matrix((np.ones(len(links)), links.T), shape=(count, count)), directed=False)[0]


def dense(character: Character) -> np.ndarray:
    mesh = character.meshes[0]
    assert mesh.joints is not None and mesh.weights is not None
    weights = np.zeros((len(mesh.positions), character.skeleton.joint_count))
    np.add.at(weights, (np.arange(len(weights))[:, None], mesh.joints), mesh.weights)
    return weights


def check(character: Character) -> None:
    """All that must hold for every mannequin."""
    mesh = character.meshes[0]
    directed = edges(character)
    keys = directed[:, 0] * len(mesh.positions) + directed[:, 1]
    assert len(np.unique(keys)) == len(keys), "an edge runs twice the same way"
    assert np.array_equal(np.sort(keys), np.sort(directed[:, 1] * len(mesh.positions) + directed[:, 0])), "a hole"
    assert volume(mesh.positions, character) > 0
    assert np.isfinite(mesh.positions).all() and np.linalg.norm(mesh.normals, axis=1) == pytest.approx(1, abs=1e-4)
    weights = dense(character)
    assert weights.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert np.abs(weights[directed[:, 0]] - weights[directed[:, 1]]).max() < 0.7
    assert pieces(character) <= max(int((character.skeleton.parents < 0).sum()), 1)


@pytest.mark.parametrize("name", RIGS)
def test_every_skeleton_gets_a_closed_smooth_body(name: str):
    skeleton = RIGS[name]()
    body = build_mannequin(skeleton)
    check(body)
    placed = skeleton.rest_pose.global_positions
    extent = float(np.linalg.norm(np.ptp(placed, axis=0))) or 0.3
    away = np.linalg.norm(body.meshes[0].positions[:, None] - placed, axis=2).min(axis=1)
    assert away.max() < 0.75 * extent


@pytest.mark.parametrize("scale", [0.001, 100.0])
def test_the_size_does_not_matter(biped: Skeleton, scale: float):
    grown = Skeleton.create(
        biped.names,
        biped.parents,
        biped.rest_translations * np.float32(scale),
        biped.rest_rotations,
        [(int(joint), offset * scale) for joint, offset in zip(biped.tip_joints, biped.tip_offsets, strict=True)],
    )
    body, usual = build_mannequin(grown), build_mannequin(biped)
    check(body)
    wanted = volume(usual.meshes[0].positions, usual)
    assert volume(body.meshes[0].positions / scale, body) == pytest.approx(wanted, rel=0.02)


@pytest.fixture(scope="module")
def person(biped: Skeleton) -> Character:
    return build_mannequin(biped)


def posed(character: Character, turns: dict[str, tuple[tuple[float, float, float], float]]) -> np.ndarray:
    skeleton = character.skeleton
    local = skeleton.rest_rotations.copy()
    for name, (axis, degrees) in turns.items():
        turn = rotations.from_axis_angle(np.array(axis, np.float32), np.float32(math.radians(degrees)))
        local[skeleton.index(name)] = turn
    return character.skin(
        Pose.from_model(
            character.skeleton, *kinematics.forward(local, skeleton.rest_translations, skeleton.parents.tolist())
        )
    )[0]


def test_a_person_has_the_measures_of_one(person: Character):
    check(person)
    places = person.meshes[0].positions
    assert 3000 < len(person.meshes[0].indices) < 20000
    assert 1.55 < np.ptp(places[:, 1]) < 1.85
    assert -0.06 < places[:, 1].min() < 0.02
    assert 0.04 < volume(places, person) < 0.09  # cubic metres: 40 to 90 kg
    forward = places[places[:, 1] < 0.05][:, 2]
    assert forward.max() > 0.15 and forward.min() < -0.02  # toes ahead, heels behind


def test_sides_are_coloured_on_their_sides(person: Character, biped: Skeleton):
    mesh = person.meshes[0]
    assert mesh.colors is not None
    blue, red = (mesh.colors[:, 2] > 1.5 * mesh.colors[:, 0]), (mesh.colors[:, 0] > 3 * mesh.colors[:, 2])
    dark = mesh.colors[:, :3].max(axis=1) < 0.1
    assert mesh.positions[blue & ~dark][:, 0].min() > 0 > mesh.positions[red][:, 0].max()
    assert mesh.positions[dark][:, 2].min() > 0 and mesh.positions[dark][:, 1].min() > 1.4  # the visor looks along +Z
    plain = build_mannequin(biped, sides=False)
    assert plain.meshes[0].colors is None
    assert np.array_equal(plain.meshes[0].indices.shape, mesh.indices.shape)


@pytest.mark.parametrize(
    ("joint", "axis", "degrees", "flesh"),
    # flesh: share of the body's volume in the two parts that meet at the joint
    [
        ("LeftForeArm", (0, 1, 0), -90, 0.05),
        ("LeftForeArm", (0, 1, 0), -120, 0.05),
        ("LeftLeg", (1, 0, 0), 90, 0.14),
        ("LeftLeg", (1, 0, 0), 120, 0.14),
        ("LeftUpLeg", (1, 0, 0), -90, 0.30),
        ("LeftArm", (0, 0, 1), -80, 0.30),
    ],
)
def test_bends_keep_the_volume(
    person: Character, joint: str, axis: tuple[float, float, float], degrees: float, flesh: float
):
    rest = volume(person.meshes[0].positions, person)
    lost = 1 - volume(posed(person, {joint: (axis, degrees)}), person) / rest
    assert abs(lost) < 0.2 * flesh


def test_the_elbow_does_not_collapse_when_it_is_bent_and_twisted(person: Character):
    skeleton, rest = person.skeleton, person.meshes[0].positions
    turn = rotations.multiply(
        rotations.from_axis_angle(np.array([0, 1, 0.0]), np.array(math.radians(-90))),
        rotations.from_axis_angle(np.array([1, 0, 0.0]), np.array(math.radians(90))),
    )
    local = skeleton.rest_rotations.copy()
    local[skeleton.index("LeftForeArm")] = turn
    turned, placed = kinematics.forward(local, skeleton.rest_translations, skeleton.parents.tolist())
    moved = person.skin(Pose.from_model(person.skeleton, turned, placed))[0]
    elbow = skeleton.rest_pose.global_positions[skeleton.index("LeftForeArm")]
    ring = np.abs(rest[:, 0] - elbow[0]) < 0.012
    ring &= (np.abs(rest[:, 1] - elbow[1]) < 0.1) & (rest[:, 0] > 0.3)
    before = np.linalg.norm(rest[ring] - rest[ring].mean(axis=0), axis=1).mean()
    after = np.linalg.norm(moved[ring] - moved[ring].mean(axis=0), axis=1).mean()
    assert after > 0.6 * before


def test_weights_are_mirror_images(person: Character):
    from scipy.spatial import cKDTree

    mesh, weights = person.meshes[0], dense(person)
    away, other = cKDTree(mesh.positions * [-1, 1, 1]).query(mesh.positions)
    pairs = person.skeleton.mirror_map
    close = away < 0.004
    assert close.mean() > 0.95
    assert np.abs(weights[close] - weights[other[close]][:, pairs]).mean() < 2e-3
    assert np.abs(weights[close] - weights[other[close]][:, pairs]).max() < 0.15


def test_nothing_grows_together_that_only_lies_near(biped: Skeleton):
    """Arms along the ribs and legs side by side stay limbs: raising an arm takes no skin of the trunk along."""
    hanging = biped.rest_rotations.copy()
    for side, sign in (("Left", -1), ("Right", 1)):
        turn = rotations.from_axis_angle(np.array([0, 0, 1.0]), np.array(sign * math.radians(88)))
        hanging[biped.index(f"{side}Arm")] = turn
    down = Skeleton.create(biped.names, biped.parents, biped.rest_translations, hanging)
    body = build_mannequin(down)
    check(body)
    weights = dense(body)
    mixed = weights[:, down.index("LeftForeArm")] * weights[:, down.index("Spine")]
    assert mixed.max() < 1e-3


def test_a_rest_pose_that_is_none_gives_way_to_the_motion(biped: Skeleton):
    """All bones along +X at rest, as in some files; the motion stands upright."""
    turned = biped.rest_rotations.copy()
    for name, axis, degrees in (
        ("Spine", (0, 0, 1), -90),
        ("LeftUpLeg", (0, 0, 1), 90),
        ("RightUpLeg", (0, 0, 1), 90),
        ("LeftArm", (0, 0, 1), 90),
        ("RightArm", (0, 0, 1), -90),
    ):
        turn = rotations.from_axis_angle(np.array(axis, np.float32), np.float32(math.radians(degrees)))
        turned[biped.index(name)] = turn
    tangled = Skeleton.create(biped.names, biped.parents, biped.rest_translations, turned)
    motion = Motion.create(tangled, np.tile(biped.rest_rotations, (4, 1, 1)))
    body = build_mannequin(tangled, motion=motion)
    check(body)
    standing = body.skin(motion[0])[0]
    assert np.ptp(standing[:, 1]) > 1.5
    upright = build_mannequin(biped)
    assert volume(standing, body) == pytest.approx(volume(upright.meshes[0].positions, upright), rel=0.12)


def test_the_same_bytes_every_time(biped: Skeleton):
    one, two = build_mannequin(biped).meshes[0], build_mannequin(biped).meshes[0]
    for field in ("positions", "normals", "indices", "colors", "joints", "weights", "inverse_bind"):
        assert np.array_equal(getattr(one, field), getattr(two, field)), field


def test_it_goes_into_a_glb_and_back(tmp_path: Path, biped: Skeleton):
    asset = dressed(Asset("x", "bvh", biped))
    kinema.save(asset, tmp_path / "body.glb")
    again = kinema.load_character(tmp_path / "body.glb")
    assert asset.character is not None
    assert again.meshes[0].positions == pytest.approx(asset.character.meshes[0].positions, abs=1e-6)
    assert dense(again) == pytest.approx(dense(asset.character), abs=1e-5)


def test_sixty_joints_take_under_a_second_and_a_half(biped: Skeleton):
    rows = [
        (name, None if p < 0 else biped.names[p], tuple(biped.rest_translations[j].tolist()))
        for j, (name, p) in enumerate(zip(biped.names, biped.parents.tolist(), strict=True))
    ]
    for side, sign in (("Left", 1), ("Right", -1)):
        for k in range(5):
            rows += chain(
                f"{side}Finger{k}_",
                f"{side}Hand",
                (0.09 * sign, 0, 0.021 * (k - 2)),
                (0.035 * sign, 0, 0),
                (0.025 * sign, 0, 0),
                (0.02 * sign, 0, 0),
            )
    handed = rig(rows)
    body = build_mannequin(handed)
    check(body)
    start = time.process_time()
    build_mannequin(handed)
    assert time.process_time() - start < 4.0  # 1.5 on an idle core
    fingertip = handed.rest_pose.global_positions[handed.index("LeftFinger2_3")]
    assert np.linalg.norm(body.meshes[0].positions - fingertip, axis=1).min() < 0.02


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [
        "human_mocap/cmu_bvh/01_01.bvh",
        "any_topology/truebones/Chicken_Walk.bvh",
        "any_topology/khronos/Fox.glb",
        "any_topology/mesh2motion/spider-animations.glb",
        "any_topology/mesh2motion/bird-animations.glb",
        "any_topology/quaternius/Horse.glb",
        "any_topology/dog_mocap_nc/D1_007_KAN01_001.bvh",
        "human_mocap/bandai1_nc/dataset-1_walk_normal_001.bvh",
    ],
)
def test_real_skeletons(data_dir: Path, path: str):
    body = dressed(kinema.load(data_dir / path)).character
    assert body is not None
    check(body)


def test_limbs_that_gaps_cut_off_are_kept(data_dir: Path) -> None:
    """At rest all bones of this dog lie along +X, within each other; without its motion there is no other pose."""
    motion = kinema.load_motion(data_dir / "any_topology/dog_mocap_nc/D1_049_KAN01_001.bvh")
    mesh = build_mannequin(motion.skeleton).meshes[0]
    assert mesh.joints is not None and mesh.weights is not None
    moved = np.bincount(mesh.joints.ravel(), mesh.weights.ravel(), motion.skeleton.joint_count)
    for joint in ("LeftLeg", "RightLeg", "LeftForeArm", "RightForeArm", "Head", "Spine"):
        assert moved[motion.skeleton.index(joint)] > 20, joint


def test_a_rest_pose_that_is_none_is_given_up_for_the_motion(data_dir: Path) -> None:
    """A dog that sits or crouches comes nearer to bones along +X than most; it is modelled on its legs all the same."""
    motion = kinema.load_motion(data_dir / "any_topology/dog_mocap_nc/D1_ex01_KAN01_001.bvh")
    placed = modelling_pose(motion.skeleton, motion).global_positions
    at = {name: placed[motion.skeleton.index(name)] for name in ("Hips", "Neck", "LeftFoot", "LeftHand")}
    assert at["Neck"][2] - at["Hips"][2] > 0.2
    assert at["Hips"][1] - at["LeftFoot"][1] > 0.15 and at["Neck"][1] - at["LeftHand"][1] > 0.15
