"""Errors on held-out clips."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from kinema.features import extract, extract_all
from kinema.learn import evaluate as room
from kinema.learn.evaluate import MOTION, evaluate


class Given(torch.nn.Module):
    """Says what it was told to."""

    def __init__(self, predict) -> None:
        super().__init__()
        self.predict = predict

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.predict(x)


def rows(run, predict, monkeypatch, shown=(1,)) -> dict[str, dict]:
    monkeypatch.setattr(room, "CHUNK", 37)
    found = evaluate(Given(predict), run.data, shown, {})
    return {row.pop("name"): row for row in found}


def test_what_was_given_back_as_it_was_has_no_error(new_run, monkeypatch):
    found = rows(new_run(), lambda x: x, monkeypatch)
    assert found["model"]["position_cm"] < 1e-3 and found["model"]["rotation_deg"] < 0.1
    assert found["mean pose"]["position_cm"] > 2 and found["mean pose"]["rotation_deg"] > 2


def test_moved_hips_are_measured_in_centimetres(new_run, monkeypatch):
    run = new_run()
    place = run.data.dataset.x_spec["positions"]

    def shifted(x):
        y = x.clone()
        y[:, place] += torch.tensor([0.0, 0.03, 0.0]).repeat((place.stop - place.start) // 3)
        return y

    found = rows(run, shifted, monkeypatch)["model"]
    assert found["position_cm"] == pytest.approx(3.0, abs=0.01) == found["position_p95_cm"]
    assert found["rotation_deg"] < 0.1 and "root_cm" not in found


def test_only_held_out_samples_are_measured(new_run, monkeypatch):
    run = new_run()
    seen = []
    rows(run, lambda x: (seen.append(x), x)[1], monkeypatch)
    held = run.data.dataset[run.data.dataset.samples("validation")]
    count = len(held.x)
    assert np.array_equal(torch.cat(seen)[:count].numpy(), held.x)
    # what follows are whole held-out clips, to see how their motions move
    clips = [run.data.database.clips[index] for index in np.unique(held.clip)]
    frames = np.concatenate([np.arange(clip.start, clip.stop) for clip in clips])
    assert np.array_equal(torch.cat(seen)[count:].numpy(), extract(run.data.database, run.data.dataset.x_spec, frames))


def test_motions_are_measured_beside_the_ground_truth(new_run, monkeypatch):
    """A model that shakes every second frame by a centimetre is right on average, and its motion shows it."""
    run = new_run()
    place = run.data.dataset.x_spec["positions"]
    count = (place.stop - place.start) // 3

    def shaken(x):
        y = x.clone()
        y[::2, place] += torch.tensor([0.0, 0.01, 0.0]).repeat(count)
        return y

    found, still = rows(run, shaken, monkeypatch), rows(run, lambda x: x, monkeypatch)["model"]
    truth, model, mean = found["ground truth"], found["model"], found["mean pose"]
    assert list(found) == ["model", "mean pose", "ground truth"] and set(truth) == set(model)
    assert truth["position_cm"] is None and truth["jerk_m_s3"] > 0
    for key in MOTION:
        assert still[key] == pytest.approx(truth[key], rel=2e-3, abs=2e-3), key
    assert model["jerk_m_s3"] > 2 * truth["jerk_m_s3"] and model["position_cm"] < 1
    assert mean["joint_turn_p999_deg"] < 10 and mean["skate_near_cm_s"] > truth["skate_near_cm_s"]


def test_no_more_than_a_minute_of_clips_is_measured(new_run, monkeypatch):
    run = new_run()
    lengths = [clip.frames / run.data.database.fps for clip in run.data.database.clips]
    monkeypatch.setattr(room, "SECONDS", lengths[0] + lengths[1] + 0.1)
    assert room._clips(run.data.database, np.arange(5)) == [0, 1]
    monkeypatch.setattr(room, "SECONDS", 0.1)
    assert room._clips(run.data.database, np.arange(3, 5)) == [3]


def test_a_predicted_path_is_measured_at_its_end(new_run, monkeypatch):
    run = new_run("sequence")
    vectors = extract_all(run.data.database, (run.data.dataset.x_spec, run.data.dataset.y_spec))
    truth = {x.tobytes(): y for x, y in zip(*vectors, strict=True)}
    place = run.data.dataset.y_spec["root"]

    def ahead(x):
        y = torch.from_numpy(np.stack([truth[row.tobytes()] for row in x.numpy()])).clone()
        y[:, place.start + 2] += 0.05  # the first step is five centimetres longer
        return y

    found = rows(run, ahead, monkeypatch, tuple(range(15)))["model"]
    assert found["root_cm"] == pytest.approx(5.0, abs=0.01) and found["root_deg"] < 0.1
    assert found["position_cm"] < 1e-3
