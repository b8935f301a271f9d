"""Real files onto real characters: directions, feet, height, smoothness."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, formats, rotations
from kinema.retargeting import Retargeted, Retargeter

LONG = 600  # frames


def moved(data_dir: Path, source: str, target: str, clip: int = 0) -> tuple[Retargeter, Retargeted]:
    motion = formats.load(data_dir / source).motions[clip].cut(0, LONG)
    setup = Retargeter(motion.skeleton, formats.load(data_dir / target), motions=[motion])
    return setup, setup(motion)


HUMAN_PAIRS = {
    "CMU to Bandai's skeleton": ("human_mocap/cmu21/walk.bvh", "human_mocap/bandai1_nc/dataset-1_walk_normal_001.bvh"),
    "CMU to a clothed mesh": ("human_mocap/cmu21/walk.bvh", "characters/quaternius/modular_men_Casual.glb"),
    "CMU to VRM": ("human_mocap/cmu21/dance.bvh", "characters/vrm_tests/mtoon1_2_20_54.vrm"),
    "CMU to a game's mesh": ("human_mocap/cmu_bvh/01_01.bvh", "characters/mesh2motion/human-zombie.glb"),
    "CMU to Mixamo": ("human_mocap/cmu21/kick.bvh", "characters/mesh2motion_tests/mixamo-original-rig.fbx"),
    "Bandai to CMU": ("human_mocap/bandai1_nc/dataset-1_walk_normal_001.bvh", "human_mocap/cmu_bvh/01_01.bvh"),
    "LAFAN to FBX": ("human_mocap/lafan1_60fps_ncnd/fight1_subject2_backward_filtered.bvh",
                     "characters/geno_nc/Geno.fbx"),
    "101 joints to 21": ("human_mocap/cmu_iclone_bvh/007_01.bvh", "human_mocap/cmu21/walk.bvh"),
    "21 joints to 101": ("human_mocap/cmu21/walk.bvh", "human_mocap/cmu_iclone_bvh/007_01.bvh"),
}  # fmt: skip


@pytest.mark.parametrize("pair", HUMAN_PAIRS.values(), ids=HUMAN_PAIRS)
def test_people(data_dir: Path, pair: tuple[str, str]) -> None:
    setup, result = moved(data_dir, *pair)
    report = result.report
    assert report.direction_error_deg is not None and report.direction_error_deg < 2.0
    assert report.direction_error_p95_deg is not None and report.direction_error_p95_deg < 25.0
    assert report.position_error_limbs is not None and report.position_error_limbs < 0.12
    if report.skate_before_cm_s is not None:
        assert report.skate_after_cm_s is not None and report.skate_after_cm_s <= report.skate_before_cm_s
    assert report.penetration_after_percent is not None and report.penetration_before_percent is not None
    assert report.penetration_after_percent <= report.penetration_before_percent + 1.0
    after = result.motion[:]
    for leg in setup.legs:
        assert leg.target.path(after)[:, 1].min() > leg.clearance - 0.1 * leg.target.top
    assert report.jerk_ratio is not None and report.jerk_ratio <= 1.12


def fastest_turn(motion: Motion) -> float:
    """The largest rotation of a joint relative to its parent within 1/30 s, radians."""
    step = max(round(motion.fps / 30), 1)
    local = motion.local_rotations
    return float(rotations.angle(rotations.relative(local[:-step], local[step:])).max())


@pytest.mark.parametrize("pair", HUMAN_PAIRS.values(), ids=HUMAN_PAIRS)
def test_no_joint_turns_much_faster_than_in_the_source(data_dir: Path, pair: tuple[str, str]) -> None:
    _, result = moved(data_dir, *pair)
    source = formats.load(data_dir / pair[0]).motions[0].cut(0, LONG)
    assert fastest_turn(result.motion) <= max(np.radians(20), 1.5 * fastest_turn(source))


@pytest.mark.parametrize("pair", list(HUMAN_PAIRS.values())[:8], ids=list(HUMAN_PAIRS)[:8])
def test_toes_point_ahead_and_knees_bend_forward(data_dir: Path, pair: tuple[str, str]) -> None:
    """In the target as in the source: the way from ankle to toe, and from the leg's line to the knee."""
    setup, result = moved(data_dir, *pair)
    a, b = setup.source.roles, setup.target.roles
    motion = formats.load(data_dir / pair[0]).motions[0].cut(0, LONG)
    before, after = motion[:].global_positions, result.motion[:].global_positions
    for side in ("left", "right"):
        one, other = a.leg(side), b.leg(side)  # type: ignore[arg-type]
        if one.toe is not None and other.toe is not None:
            ways = [p[:, leg.toe] - p[:, leg.foot] for p, leg in ((before, one), (after, other))]
            ways = [way[:, [0, 2]] for way in ways]
            ways = [way / np.linalg.norm(way, axis=-1, keepdims=True) for way in ways]
            assert np.median((ways[0] * ways[1]).sum(-1)) > 0.85
        knees = []
        for places, leg in ((before, one), (after, other)):
            hip, knee, foot = places[:, leg.upper], places[:, leg.lower], places[:, leg.foot]
            line = rotations.normalize_vector(foot - hip)
            out = knee - hip - ((knee - hip) * line).sum(-1, keepdims=True) * line
            knees.append(out)
        bent = np.linalg.norm(knees[0], axis=-1) > 0.08
        if bent.any():
            ways = [rotations.normalize_vector(knee[bent]) for knee in knees]
            assert np.median((ways[0] * ways[1]).sum(-1)) > 0.9


ANIMAL_PAIRS = {
    "dog to fox": ("any_topology/dog_mocap_nc/D1_009_KAN01_001.bvh", "any_topology/quaternius/Fox.glb", 0),
    "dog to horse": ("any_topology/dog_mocap_nc/D1_007_KAN01_001.bvh", "any_topology/quaternius/Horse.glb", 0),
    "horse to dog": ("any_topology/quaternius/Horse.glb", "any_topology/dog_mocap_nc/D1_009_KAN01_001.bvh", 12),
    "horse to husky": ("any_topology/quaternius/Horse.glb", "any_topology/quaternius/Husky.glb", 12),
    "fox to horse": ("any_topology/quaternius/Fox.glb", "any_topology/quaternius/Horse.glb", 11),
    "person to horse": ("human_mocap/cmu21/walk.bvh", "any_topology/quaternius/Horse.glb", 0),
}

OFTEN = {"dog to horse", "person to horse"}

for_animals = pytest.mark.parametrize(
    "pair",
    [
        pytest.param(pair, marks=() if name in OFTEN else pytest.mark.slow, id=name)
        for name, pair in ANIMAL_PAIRS.items()
    ],
)


@for_animals
def test_animals(data_dir: Path, pair: tuple[str, str, int]) -> None:
    setup, result = moved(data_dir, *pair)
    assert len(setup.legs) == 4
    report = result.report
    if report.skate_before_legs_s is not None:
        assert report.skate_after_legs_s is not None and report.skate_after_legs_s < report.skate_before_legs_s
    pose, clearances = result.motion[:], {pair.target.chain: pair.clearance for pair in setup.legs}
    for leg in (pair.target for pair in setup.legs):
        heights = leg.path(pose)[:, 1] - clearances[leg.chain]
        assert heights.min() > -0.05 * leg.top
        assert np.median(heights) < 0.12 * leg.top  # feet walk near the ground
        assert np.quantile(heights, 0.1) < 0.03 * leg.top  # and on it
    assert report.jerk_ratio is not None and report.jerk_ratio <= 1.1
    hips = pose.global_positions[:, setup.target.roles.hips, 1]
    assert (hips > 0.25 * setup.legs[0].target.top).mean() > 0.8  # it sits for a while


@for_animals
def test_no_joint_of_an_animal_turns_much_faster(data_dir: Path, pair: tuple[str, str, int]) -> None:
    _, result = moved(data_dir, *pair)
    source = formats.load(data_dir / pair[0]).motions[pair[2]].cut(0, LONG)
    assert fastest_turn(result.motion) <= max(np.radians(20), 1.5 * fastest_turn(source))


def test_a_person_on_a_horse_keeps_the_gaits_phase(data_dir: Path) -> None:
    """Hind legs swing with the person's legs, front legs with those of the other side."""
    setup, result = moved(data_dir, *ANIMAL_PAIRS["person to horse"])
    source = formats.load(data_dir / "human_mocap/cmu21/walk.bvh").motions[0]
    before, after = source[:], result.motion[:]

    def swing(leg, pose) -> np.ndarray:
        tops = pose.global_positions[:, leg.upper]
        travel = tops[-1] - tops[0]
        travel[1] = 0
        return (leg.path(pose) - tops) @ (travel / np.linalg.norm(travel))

    for leg in setup.legs:
        assert np.corrcoef(swing(leg.source, before), swing(leg.target, after))[0, 1] > 0.9
    assert {leg.target.chain: leg.source.chain for leg in setup.legs} == {
        "left_leg": "left_leg",
        "right_leg": "right_leg",
        "left_front_leg": "right_leg",
        "right_front_leg": "left_leg",
    }
