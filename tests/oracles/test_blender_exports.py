"""What we write stands in Blender where it stands here: joints of all kinds of bodies, and their skins, to 1 mm."""

from __future__ import annotations

from pathlib import Path

import pytest

from .blender import Job, program, see
from .exports import compare, written

SUFFIXES = (".glb", ".fbx", ".bvh")


@pytest.mark.slow
def test_blender_sees_what_we_wrote(data_dir: Path, tmp_path: Path) -> None:
    """One test for all files: Blender starts once."""
    program()
    cases = written(data_dir, SUFFIXES, tmp_path)
    scenes = see([Job(made.path, made.fps, made.times, made.skin_times) for made in cases.values()], tmp_path)
    wrong = []
    for (source, suffix), scene in zip(cases, scenes, strict=True):
        made = cases[source, suffix]
        said, problem = scene.error, scene.error
        if not problem:
            said, problem = compare(made, scene.find(made.names), scene.positions, scene.vertices)
        print(f"{source} as {suffix}: {said}")
        wrong += [f"{source} as {suffix}: {problem}"] if problem else []
    assert {suffix for _, suffix in cases} == set(SUFFIXES) and len(cases) > 50
    assert not wrong, "\n".join(wrong)
