"""What is read of real files makes sense, and goes through other formats unharmed; refusals: `test_every_file`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, load, save
from kinema.errors import FormatError
from kinema.formats import gathered_suffixes
from kinema.inspection import describe

FOLDERS = (
    "human_mocap",
    "any_topology",
    "characters",
    "importers/bvh_derived",
    "importers/bvh_real",
    "importers/gltf_*",
)

# glTF is in metres by definition; these were made in units of their maker and are read as what they say they are.
OTHER_UNITS = {
    "Fox.glb", "Trex.glb", "Monster.glb", "Flamingo.glb", "Parrot.glb", "platformer_game_pack_Character.glb",
    "platformer_game_pack_Character_HumanoidRig.glb", "single_knight_pack_KnightCharacter.glb", "RobotExpressive.glb",
    "SimpleSkinning.gltf", "material.vrm", "spider.fbx",
}  # fmt: skip
SMALL = {"robot.fbx", "OculusHand_L_low.fbx"}  # a gripper and a hand


def files(data_dir: Path) -> list[Path]:
    found = [path for pattern in FOLDERS for folder in data_dir.glob(pattern) for path in folder.rglob("*")]
    return sorted(path for path in found if path.suffix.lower() in gathered_suffixes() and path.is_file())


def test_what_is_read_makes_sense(data_dir: Path) -> None:
    wrong: list[str] = []
    paths = files(data_dir)
    read = 0
    for path in paths:
        name = path.relative_to(data_dir).as_posix()
        try:
            asset = load(path)
        except FormatError:
            continue
        read += 1
        wrong += [f"{name}: {problem}" for problem in suspicions(name, asset.motions, describe(asset))]
    assert read > 0.7 * len(paths) > 280
    assert not wrong, "\n".join(wrong)


def suspicions(name: str, motions: tuple[Motion, ...], row: dict) -> list[str]:
    """What no file that was read right would show."""
    found = [
        f"{motion.name} has poses that are no numbers"
        for motion in motions
        if not np.isfinite(motion[slice(0, 50)].global_positions).all()
    ]
    if name.startswith("importers/"):
        return found  # made to be odd
    if not row["joints"]:
        found.append("has no joints")
    if any(not 10 <= motion.fps <= 250 for motion in motions):
        found.append(f"has {[motion.fps for motion in motions]} frames per second")
    low, high = (0.4, 3.0) if name.startswith("characters/") else (0.05, 10.0)
    if name.startswith("human_mocap/"):
        low, high = (0.5, 2.6)  # somebody who lies or sits, to somebody with the arms up
    if not low <= row["height_m"] <= high and Path(name).name not in OTHER_UNITS | SMALL:
        found.append(f"is {row['height_m']:.3f} m high")
    return found


ROUND_TRIPS = [
    "human_mocap/cmu_bvh/01_01.bvh", "human_mocap/makehuman/walk1.bvh", "human_mocap/misc_bvh/jumping.bvh",
    "any_topology/dog_mocap_nc/D1_007_KAN01_001.bvh", "human_mocap/style21_unclear", "human_mocap/lafan1_60fps_ncnd",
    "any_topology/truebones", "human_mocap/cmu_bvh_daz", "human_mocap/bandai2_nc", "human_mocap/pfnn_nc",
    "importers/bvh_real",
]  # fmt: skip


@pytest.mark.parametrize("name", ROUND_TRIPS)
def test_bvh_to_glb_to_bvh_keeps_positions(name: str, data_dir: Path, tmp_path: Path) -> None:
    path = data_dir / name
    if path.is_dir():
        path = min(path.rglob("*.bvh"), key=lambda file: (file.stat().st_size, file.name))
    motion = load(path).motion()
    save(motion, tmp_path / "a.glb")
    save(load(tmp_path / "a.glb").motion(), tmp_path / "b.bvh")
    again = load(tmp_path / "b.bvh").motion()
    assert again.frames == motion.frames and again.fps == pytest.approx(motion.fps, rel=1e-4)
    order = [again.skeleton.index(joint) for joint in motion.skeleton.names]
    error = np.abs(again[:].global_positions[:, order] - motion[:].global_positions).max()
    assert error < 1e-4
