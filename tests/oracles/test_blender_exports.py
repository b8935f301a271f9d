"""What we write stands in Blender where it stands here: joints of all kinds of bodies, and their skins, to 1 mm."""

from __future__ import annotations

from pathlib import Path

import pytest

from .blender import Job, Scene, program, see
from .exports import FILES, Case, check, written

SUFFIXES = (".glb", ".fbx", ".bvh")


@pytest.fixture(scope="module")
def seen(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], tuple[Case, Scene]]:
    program()
    folder = tmp_path_factory.mktemp("blender")
    cases = written(data_dir, SUFFIXES, folder)
    scenes = see([Job(made.path, made.fps, made.times, made.skin_times) for made in cases.values()], folder)
    return {key: (made, scene) for (key, made), scene in zip(cases.items(), scenes, strict=True)}


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("source", FILES)
def test_blender_sees_what_we_wrote(
    source: str, suffix: str, seen: dict[tuple[str, str], tuple[Case, Scene]]
) -> None:
    if (source, suffix) not in seen:
        pytest.skip(f"{source} has no place in {suffix}")
    made, scene = seen[source, suffix]
    assert not scene.error, scene.error
    said = check(made, scene.find(made.names), scene.positions, scene.vertices)
    print(f"{source} as {suffix}: {said}")
