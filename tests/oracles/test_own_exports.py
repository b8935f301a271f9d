"""What we write we read again: joints and skins of many bodies, in every format that has a place for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinema import load

from .exports import FILES, Case, check, written

SUFFIXES = (".glb", ".fbx", ".bvh", ".usda", ".usdc")


@pytest.fixture(scope="module")
def cases(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Case]:
    return written(data_dir, SUFFIXES, tmp_path_factory.mktemp("own"))


@pytest.mark.parametrize("source", FILES)
def test_we_read_what_we_wrote(source: str, cases: dict[tuple[str, str], Case]) -> None:
    tried = 0
    for suffix in SUFFIXES:
        if (source, suffix) not in cases:
            continue
        made = cases[source, suffix]
        asset = load(made.path, **({"unit": "m"} if suffix == ".bvh" else {}))
        assert asset.skeleton is not None
        turned, placed = (part[None] for part in asset.skeleton.rest_globals())
        rows, labels = [0] * len(made.skin_times), None
        if asset.motions:
            motion = asset.motions[0]
            assert motion.fps == pytest.approx(made.fps, rel=1e-3)
            frames = np.round(np.array(made.times) * motion.fps).astype(int)
            turned, placed = motion.globals(frames)
            rows = [made.times.index(time) for time in made.skin_times]
            labels = {label: values[frames[rows]] for label, values in motion.labels.items()}
        vertices = np.zeros((len(rows), 0, 3))
        if made.vertices is not None:
            assert asset.character is not None
            vertices = np.concatenate(asset.character.skin(turned[rows], placed[rows], labels), axis=1)
        place = {name: row for row, name in enumerate(asset.skeleton.names)}
        said = check(made, [place.get(name, -1) for name in made.names], placed, vertices)
        print(f"{source} as {suffix}: {said}")
        tried += 1
    assert tried >= 2
