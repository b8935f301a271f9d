"""The mirror image on the stage."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install '.[view]'")

from kinema import Motion
from kinema.rendering.mannequin.build import build_mannequin
from kinema.viewer.ghost import Ghost
from kinema.viewer.page import open_viewer


def test_it_moves_beside_the_character_and_goes_away(biped, monkeypatch):
    placed: list[np.ndarray] = []
    moved = np.tile(biped.rest_translations, (10, 1, 1))
    moved[:, 0, 2] += np.arange(10)
    motion = Motion.create(biped, np.tile(biped.rest_rotations, (10, 1, 1)), moved, fps=10.0)
    with open_viewer(port=0) as viewer:
        ghost = Ghost(viewer.server)
        ghost.update(0.5)  # nothing to move yet
        character = build_mannequin(biped)
        ghost.show(motion, character, "beside", 2.0)
        view = ghost._view
        ghost.show(motion, character, "beside", 2.0)
        assert ghost._view is view, "another image of the same body needs no new one"
        monkeypatch.setattr(ghost._view, "update", lambda turned, positions: placed.append(positions))
        ghost.update(0.5)
        assert placed[0][0] == pytest.approx(motion[:].global_positions[5, 0] + [1.5, 0, 0], abs=1e-5)
        ghost.hide()
        ghost.update(0.7)
        assert len(placed) == 1
