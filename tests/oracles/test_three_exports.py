"""What we write stands in three.js where it stands here: joints and skins, to 1 mm."""

from __future__ import annotations

from pathlib import Path

import pytest

from .exports import FILES, Case, check, written
from .threejs import Job, Scene, program, see

SCALES = {".glb": 1.0, ".vrm": 1.0, ".fbx": 0.01}  # its FBX loader keeps the units of the file, and ours are centimetres


@pytest.fixture(scope="module")
def seen(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], tuple[Case, Scene]]:
    program()
    folder = tmp_path_factory.mktemp("three")
    cases = written(data_dir, tuple(SCALES), folder)
    scenes = see([Job(made.path, made.times, made.skin_times) for made in cases.values()], folder)
    return {key: (made, scene) for (key, made), scene in zip(cases.items(), scenes, strict=True)}


@pytest.mark.parametrize("suffix", SCALES)
@pytest.mark.parametrize("source", FILES)
def test_three_sees_what_we_wrote(source: str, suffix: str, seen: dict[tuple[str, str], tuple[Case, Scene]]) -> None:
    if (source, suffix) not in seen:
        pytest.skip(f"{source} has no place in {suffix}")
    made, scene = seen[source, suffix]
    assert not scene.error, scene.error
    said = check(made, scene.find(made.names), scene.positions, scene.vertices, SCALES[suffix])
    print(f"{source} as {suffix}: {said}")
