"""What we write stands in three.js where it stands here: joints and skins, to 1 mm."""

from __future__ import annotations

from pathlib import Path

from .exports import compare, written
from .threejs import Job, program, see

SCALES = {".glb": 1.0, ".vrm": 1.0, ".fbx": 0.01}  # its FBX loader keeps the units of the file, ours are centimetres


def test_three_sees_what_we_wrote(data_dir: Path, tmp_path: Path) -> None:
    """One test for all files: three.js is loaded once."""
    program()
    cases = written(data_dir, tuple(SCALES), tmp_path)
    scenes = see([Job(made.path, made.times, made.skin_times) for made in cases.values()], tmp_path)
    wrong = []
    for (source, suffix), scene in zip(cases, scenes, strict=True):
        made = cases[source, suffix]
        said, problem = scene.error, scene.error
        if not problem:
            said, problem = compare(made, scene.find(made.names), scene.positions, scene.vertices, SCALES[suffix])
        print(f"{source} as {suffix}: {said}")
        wrong += [f"{source} as {suffix}: {problem}"] if problem else []
    assert {suffix for _, suffix in cases} == set(SCALES) and len(cases) > 35
    assert not wrong, "\n".join(wrong)
