"""Every real file is read or refused with one clear line; the table of what became of them is printed (`-rP`)."""

from __future__ import annotations

import re
import time
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, load, save
from kinema.cli.info import describe
from kinema.errors import FormatError
from kinema.formats import FORMATS

FOLDERS = (
    "human_mocap",
    "any_topology",
    "characters",
    "importers/bvh_derived",
    "importers/bvh_real",
    "importers/gltf_*",
)
SECONDS = 10.0  # for one file; the largest takes a tenth of it

# Refused for what they lack or need, not for what is broken in them.
REFUSED = {
    "characters/threejs/CesiumMan_draco": "KHR_draco_mesh_compression",
    "characters/quaternius/ultimate_space_pack_Astronaut_FinnTheFrog": "KHR_draco_mesh_compression",
    "human_mocap/kimodo_generated": "is no motion: it holds",
}

# glTF is in metres by definition; these were made in units of their maker and are read as what they say they are.
OTHER_UNITS = {
    "Fox.glb", "Trex.glb", "Monster.glb", "Flamingo.glb", "Parrot.glb", "platformer_game_pack_Character.glb",
    "platformer_game_pack_Character_HumanoidRig.glb", "single_knight_pack_KnightCharacter.glb", "RobotExpressive.glb",
    "SimpleSkinning.gltf", "material.vrm",
}  # fmt: skip


def files(data_dir: Path) -> list[Path]:
    found = [path for pattern in FOLDERS for folder in data_dir.glob(pattern) for path in folder.rglob("*")]
    return sorted(path for path in found if path.suffix.lower() in FORMATS and path.is_file())


def kind_of_refusal(error: FormatError) -> str:
    """The message without file names and numbers, so that alike ones are counted together."""
    return re.sub(r"'[^']*'|\S*/\S+|[\d.+e-]*\d", "#", error.message)[:60]


def test_every_file_is_read_or_refused_with_one_line(data_dir: Path) -> None:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    reasons: Counter[str] = Counter()
    wrong: list[str] = []
    paths = files(data_dir)
    for path in paths:
        name = path.relative_to(data_dir).as_posix()
        group = counts["/".join(name.split("/")[:2])]
        started = time.perf_counter()
        try:
            asset = load(path)
            row = describe(asset)
        except FormatError as error:
            group[f"refused {path.suffix}"] += 1
            reasons[kind_of_refusal(error)] += 1
            if "\n" in str(error) or str(path) not in str(error) or len(str(error)) > 600:
                wrong.append(f"{name}: refused unclearly: {error}")
            if not name.startswith("importers/") and not any(
                name.startswith(start) and why in str(error) for start, why in REFUSED.items()
            ):
                wrong.append(f"{name}: refused: {error}")
        else:
            group[f"read {path.suffix}"] += 1
            wrong += [f"{name}: {problem}" for problem in suspicions(name, asset.motions, row)]
        if time.perf_counter() - started > SECONDS:
            wrong.append(f"{name}: took {time.perf_counter() - started:.1f} s")
    print(table(counts, reasons))
    assert len(paths) > 400
    assert not wrong, "\n".join(wrong)


def suspicions(name: str, motions: tuple[Motion, ...], row: dict) -> list[str]:
    """What no file that was read right would show."""
    found = [f"{motion.name} has poses that are no numbers" for motion in motions
             if not np.isfinite(motion.global_positions(slice(0, 50))).all()]  # fmt: skip
    if name.startswith("importers/"):
        return found  # made to be odd
    if not row["joints"]:
        found.append("has no joints")
    if any(not 10 <= motion.fps <= 250 for motion in motions):
        found.append(f"has {[motion.fps for motion in motions]} frames per second")
    low, high = (0.4, 3.0) if name.startswith("characters/") else (0.05, 10.0)
    if name.startswith("human_mocap/"):
        low, high = (0.5, 2.6)  # somebody who lies or sits, to somebody with the arms up
    if not low <= row["height_m"] <= high and Path(name).name not in OTHER_UNITS:
        found.append(f"is {row['height_m']:.3f} m high")
    return found


def table(counts: dict[str, Counter[str]], reasons: Counter[str]) -> str:
    rows = [f"{group:<34}" + ", ".join(f"{n} {what}" for what, n in sorted(c.items())) for group, c in counts.items()]
    return "\n".join([*rows, "", "refused because:", *(f"{n:4d}  {reason}" for reason, n in reasons.most_common())])


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
    error = np.abs(again.global_positions()[:, order] - motion.global_positions()).max()
    assert error < 1e-4
