"""Tasks of vectors: scalings, and what is shown."""

from __future__ import annotations

import numpy as np

from kinema.learn.shown import shown_motion


def test_scalings_are_those_of_the_training_samples(new_run):
    run = new_run("sequence")
    model = run.task.model(run.data.setting)
    run.task.start(model, run.data)
    batch = run.data.dataset[run.data.train]
    assert np.allclose(model.x_scaling.offset, batch.x.mean(axis=0), atol=1e-4)
    assert np.allclose(model.y_scaling.offset, batch.y.mean(axis=0), atol=1e-4)
    assert np.allclose(model.y_scaling.scale, run.data.dataset.normalizers()[1].scale)


def test_the_model_shows_its_motion_of_a_clip(new_run):
    run = new_run()
    model = run.task.model(run.data.setting).eval()
    shown = run.task.show(model, run.source, 1)
    motion = shown_motion(run.task.shown, model, run.data.setting, run.source, 1)
    assert shown.frames == run.source.clip_motion(1).frames
    assert np.array_equal(shown[:].global_positions, motion[:].global_positions)
