"""A perfect model is shown as the truth itself."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from kinema.features import extract_all
from kinema.learn.shown import _anchors, shown_motion, shown_poses


def perfect(run):
    """Knows the output of every input of the database."""
    x, y = extract_all(run.data.database, (run.data.dataset.x_spec, run.data.dataset.y_spec))
    known = {row.tobytes(): out for row, out in zip(x, y, strict=True)}
    return lambda given: torch.from_numpy(np.stack([known[row.tobytes()] for row in given.numpy()]))


@pytest.mark.parametrize("task", ["autoencoder", "sequence"])
def test_a_perfect_model_moves_like_the_truth(task, new_run, database):
    run = new_run(task)
    setting = run.data.setting
    clip = 2
    truth = database.clip_motion(clip)
    model = shown_motion(run.task.shown, perfect(run), setting, database, clip)
    assert model.frames == truth.frames and model.fps == truth.fps
    apart = np.linalg.norm(model[:].global_positions - truth[:].global_positions, axis=-1)
    # The first frame and those after the clip's end have no half second before or after them.
    assert apart[1:-15].max() < 2e-3
    poses = shown_poses(run.task.shown, perfect(run), setting, database, clip)
    assert poses.local_rotations.shape == (truth.frames, database.skeleton.joint_count, 4)


def test_stretches_of_a_sequence_begin_where_the_last_one_ended(new_run):
    run = new_run("sequence")
    spec = run.data.setting.specs["y"]
    anchors, slots = _anchors(np.arange(100, 140), run.task.shown, spec, run.data.setting.fps)
    assert anchors[:17].tolist() == [100] * 16 + [115]
    assert slots[:17].tolist() == [0, *range(15), 0]
