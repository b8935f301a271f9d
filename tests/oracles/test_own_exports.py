"""What we write we read again: joints and skins of many bodies, in every format that has a place for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinema import load
from kinema.pose import Pose

from .exports import Case, compare, written

SUFFIXES = (".glb", ".vrm", ".fbx", ".bvh", ".usda", ".usdc")


def again(made: Case, suffix: str) -> tuple[str, str]:
    """What we read of what we wrote, held against what it was."""
    asset = load(made.path, **({"unit": "m"} if suffix == ".bvh" else {}))
    assert asset.skeleton is not None
    turned, placed = (
        part[None] for part in (asset.skeleton.rest_pose.global_rotations, asset.skeleton.rest_pose.global_positions)
    )
    rows, labels = [0] * len(made.skin_times), None
    if asset.motions:
        motion = asset.motions[0]
        if motion.fps != pytest.approx(made.fps, rel=1e-3):
            return "", f"{motion.fps} frames per second became of {made.fps}"
        frames = np.round(np.array(made.times) * motion.fps).astype(int)
        pose = motion[frames]
        turned, placed = pose.global_rotations, pose.global_positions
        rows = [made.times.index(time) for time in made.skin_times]
        labels = {label: values[frames[rows]] for label, values in motion.labels.items()}
    vertices = np.zeros((len(rows), 0, 3))
    if made.vertices is not None and asset.character is not None:
        vertices = np.concatenate(
            asset.character.skin(Pose.from_model(asset.character.skeleton, turned[rows], placed[rows]), labels), axis=1
        )
    place = {name: row for row, name in enumerate(asset.skeleton.names)}
    return compare(made, [place.get(name, -1) for name in made.names], placed, vertices)


@pytest.mark.slow
def test_we_read_what_we_wrote(data_dir: Path, tmp_path: Path) -> None:
    cases = written(data_dir, SUFFIXES, tmp_path)
    wrong = []
    for (source, suffix), made in cases.items():
        said, problem = again(made, suffix)
        print(f"{source} as {suffix}: {said}")
        wrong += [f"{source} as {suffix}: {problem}"] if problem else []
    assert {suffix for _, suffix in cases} == set(SUFFIXES) and len(cases) > 90
    assert not wrong, "\n".join(wrong)
