"""Rates and lengths that cannot be, at every door."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import kinema
from kinema import Motion, Skeleton
from kinema.cli.main import main
from kinema.control.command import harsh_track
from kinema.control.tracks import TRACKS
from kinema.errors import KinemaError
from kinema.formats import load, save
from kinema.mocap import MotionDatabase
from kinema.mocap.procedural import Segment, generate
from kinema.rates import MOST_FRAMES, is_length, is_rate
from kinema.rendering.film.film import Film, FilmSettings
from kinema.rendering.film.performance import Shot
from kinema.rendering.film.writers import open_writer

IMPOSSIBLE = (0.0, -30.0, 1e-9, 1e9, math.inf, math.nan)


@pytest.fixture
def walk(biped: Skeleton) -> Motion:
    return Motion.create(biped, np.tile(np.array([1.0, 0, 0, 0]), (60, biped.joint_count, 1)), fps=30, name="walk")


def test_bounds() -> None:
    assert [is_rate(fps) for fps in (1e-3, 30.0, 1e5, *IMPOSSIBLE)] == [True] * 3 + [False] * len(IMPOSSIBLE)
    assert is_length(MOST_FRAMES / 50, 50.0) and is_length(0.0, 30.0)
    assert not any(is_length(seconds, 60.0) for seconds in (MOST_FRAMES, -1.0, math.inf, math.nan))


RATED: dict[str, Callable[[Motion, float, Path], object]] = {
    "create": lambda walk, fps, _: Motion.create(walk.skeleton, walk.local_rotations, fps=fps),
    "resample": lambda walk, fps, _: walk.resample(fps),
    "generate": lambda _, fps, __: generate(fps=fps),
    "database": lambda walk, fps, _: MotionDatabase.from_motions([walk], fps=fps),
    "build": lambda _, fps, folder: kinema.build(folder / "walk.bvh", folder / "db", fps=fps),
    "film": lambda walk, fps, _: Film(Shot("walk", walk.skeleton, walk), FilmSettings(64, 36, fps)),
    "writer": lambda _, fps, folder: open_writer(folder / "walk.png", 64, 36, fps),
    **{
        suffix: lambda _, fps, folder, suffix=suffix: load(folder / f"walk{suffix}", fps=fps)
        for suffix in (".glb", ".fbx", ".usda")
    },
}


@pytest.mark.parametrize("door", RATED)
def test_impossible_rates_are_refused(door: str, walk: Motion, tmp_path: Path) -> None:
    for suffix in (".bvh", ".glb", ".fbx", ".usda"):
        if door in (suffix, "build"):
            save(walk, tmp_path / f"walk{suffix}")
    for fps in IMPOSSIBLE:
        with pytest.raises(KinemaError, match=r"frames per second"):
            RATED[door](walk, fps, tmp_path)


@pytest.mark.parametrize("option", ["convert a b --fps", "build a -o b --fps", "render a -o b --fps", "info a --rate"])
def test_options_refuse_them_too(option: str, capsys) -> None:
    for fps in IMPOSSIBLE:
        assert main([*option.split()[:-1], f"{option.split()[-1]}={fps}"]) == 2
        assert "is not a number of frames per second, 0.001 to 100000" in capsys.readouterr().err


LONG: dict[str, Callable[[Motion, float], object]] = {
    "generate": lambda _, seconds: generate(script=(Segment("walk", seconds),)),
    "resample": lambda walk, seconds: walk.replace(fps=walk.frames / seconds).resample(60.0),
    "film": lambda walk, seconds: Film(Shot("rest", walk.skeleton, None), FilmSettings(64, 36, 60.0, stop=seconds)),
    "harsh": lambda _, seconds: harsh_track(seconds, 1),
    **{name: lambda _, seconds, name=name: TRACKS[name](seconds, 1) for name in TRACKS},
}


@pytest.mark.parametrize("door", LONG)
def test_what_would_be_too_many_frames_is_refused(door: str, walk: Motion) -> None:
    for seconds in (20_000.0, 59_000.0) if door == "resample" else (20_000.0, 1e9, 1e300):
        with pytest.raises(KinemaError):
            LONG[door](walk, seconds)
