"""The picture of phases."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from kinema.errors import DatabaseError
from kinema.mocap import MotionDatabase
from kinema.mocap.procedural import Segment, generate
from kinema.rendering.sheet.charts import INK, LEFT, RIGHT
from kinema.rendering.sheet.phase_sheet import GROUPS, clearest, cycles, draw_phases, embed, save_phases, smooth


@pytest.fixture(scope="module")
def database() -> MotionDatabase:
    scripts = {"stroll": [Segment("walk", 4.0)], "sprint": [Segment("run", 3.0)], "wait": [Segment("idle", 2.0)]}
    return MotionDatabase.from_motions([generate(script=s, fps=30, name=name) for name, s in scripts.items()])


def test_the_plane_of_a_circle_is_found(rng: np.random.Generator) -> None:
    turn = np.linspace(0, 6 * np.pi, 200)
    plane = np.linalg.qr(rng.normal(size=(6, 2)))[0]
    vectors = (np.stack([np.cos(turn), np.sin(turn)], axis=1) @ plane.T).reshape(-1, 3, 2)
    axes, places, share = embed(vectors)
    np.testing.assert_allclose(np.linalg.norm(places, axis=1), 1.0, atol=1e-6)
    np.testing.assert_allclose(axes @ (axes.T @ plane), plane, atol=1e-6)
    assert share == pytest.approx(1.0)
    assert embed(np.zeros((5, 2, 2)))[2] == 0.0


def test_curves_pass_through_their_points(rng: np.random.Generator) -> None:
    points = rng.normal(size=(7, 2))
    found = smooth(points)
    assert len(found) == 25
    np.testing.assert_allclose(found[::4], points, atol=1e-9)


def test_cycles_end_where_the_phase_does() -> None:
    assert cycles(np.array([0.8, 0.95, 0.1, 0.5, 0.9, 0.05], np.float32)) == [(0, 2), (2, 5), (5, 6)]
    assert cycles(np.array([0.5], np.float32)) == [(0, 1)]


def test_the_clip_is_the_one_with_the_clearest_gait(database: MotionDatabase) -> None:
    start, stop = clearest(database)
    assert database.clips[int(database.clip_of(start))].name in ("stroll", "sprint")
    assert int(database.clip_of(stop - 1)) == int(database.clip_of(start))


def colors(image: Image.Image) -> set[tuple[int, ...]]:
    return {tuple(color) for _, color in image.getcolors(1 << 24)}  # type: ignore[misc]


def test_every_group_phase_and_foot_is_drawn(database: MotionDatabase, tmp_path: Path) -> None:
    path = save_phases(database, tmp_path / "phases.png")
    image = Image.open(path).convert("RGB")
    assert image.size == (1200, 1240)
    upper, lower = image.crop((0, 0, 880, 900)), image.crop((0, 930, 1200, 1240))
    assert {GROUPS[0], GROUPS[1]} <= colors(upper)
    assert {INK, LEFT, RIGHT} <= colors(lower)


def test_labels_that_cannot_be_drawn_are_refused(database: MotionDatabase) -> None:
    with pytest.raises(DatabaseError, match="no labels dance"):
        draw_phases(database, "dance")
    with pytest.raises(DatabaseError, match=r"phase vectors are \[N, K, 2\]"):
        draw_phases(database, "phase")
