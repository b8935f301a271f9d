"""The autoencoder."""

from __future__ import annotations

import torch

from kinema.learn.model import TrainingStep
from kinema.learn.tasks.autoencoder import AutoencoderTask, Options
from kinema.learn.vectors import Samples

STEP = TrainingStep(0, 1, "")


def test_all_of_it_is_between_input_and_output(new_run):
    run = new_run()
    torch.manual_seed(0)
    network = run.task.model(run.data.setting)
    batch = run.data.dataset[:16]
    samples = Samples(torch.from_numpy(batch.x), torch.from_numpy(batch.y))
    assert network.encode(samples.x).shape == (16, 6)
    assert torch.equal(network(samples.x), network.decode(network.encode(samples.x)))
    terms = network.loss(samples, STEP)
    assert set(terms) == {"positions", "rotations", "velocities", "assembled"}
    sum(terms.values()).backward()
    used = [name for name, p in network.named_parameters() if p.grad is not None and p.grad.abs().max() > 0]
    # The last layer beside the straight line starts at zero and keeps its gradient from what is before it.
    assert {"encoder.straight.weight", "decoder.straight.weight", "encoder.bent.2.weight"} <= set(used)


def test_windows_given_back_as_they_were_cost_nothing(new_run):
    run = new_run()
    network = run.task.model(run.data.setting)
    network.forward = lambda x: x
    x = torch.from_numpy(run.data.dataset[:16].x)
    terms = network.loss(Samples(x, x), STEP)
    assert all(float(term) < 1e-6 for term in terms.values())


def test_more_numbers_make_the_linear_baseline_better(new_run):
    run = new_run()
    x = torch.from_numpy(run.data.dataset[run.data.dataset.samples("train")].x)
    errors = []
    for latent in (2, 6, 12):
        (predict,) = AutoencoderTask(Options(latent=latent)).baselines(run.data.dataset).values()
        errors.append(float((predict(x) - x).square().mean()))
    assert errors[0] > errors[1] > errors[2]
