from __future__ import annotations

import numpy as np
import pytest
import torch

from kinema.generation import conditions
from kinema.generation.batch import to_batch
from kinema.generation.channels import CHANNELS, CONTACT, HEIGHT, PLACE, TRAVEL
from kinema.generation.model import AnySkeletonModel, _times, given, slide
from kinema.generation.rig import AnyRig
from kinema.generation.windows import WindowSource
from kinema.learn.model import TrainingStep


def cleaned(model: AnySkeletonModel, windows: list) -> torch.Tensor:
    batch = to_batch(windows)
    time = torch.full((len(windows), batch.channels.shape[1] // model.patch), 0.4)
    with torch.no_grad():
        return model.clean(
            batch.channels,
            batch.known,
            batch.known_root,
            batch.path,
            time,
            model.condition(batch.asked, batch.texts, batch.sentences, batch.stretch),
            model.network.encode(batch.bodies),
        )


def windows_of(windows: WindowSource, rig: int, seed: int, length: int = 6) -> object:
    clip = next(clip for clip in windows.clips if clip.rig == rig)
    return windows.window(clip, length, np.random.default_rng(seed))


def test_a_result_does_not_depend_on_the_rest_of_the_batch(model: AnySkeletonModel, windows: WindowSource) -> None:
    dog, spider, person = (windows_of(windows, rig, 3) for rig in range(3))
    alone = cleaned(model, [dog])[0]
    mixed = cleaned(model, [person, dog, spider])[1]
    assert float(alone.std()) > 1e-3
    np.testing.assert_allclose(mixed[:, : alone.shape[1]], alone, atol=2e-5)


def test_where_a_clip_was_cut_does_not_matter_to_others(model: AnySkeletonModel, windows: WindowSource) -> None:
    one, other = windows_of(windows, 0, 1), windows_of(windows, 0, 2)
    again = windows_of(windows, 0, 5)
    first = cleaned(model, [one, other])
    second = cleaned(model, [again, other])
    np.testing.assert_allclose(first[1], second[1], atol=2e-5)
    assert float((first[0] - second[0]).abs().max()) > 1e-4


@pytest.mark.parametrize("what", ["asked", "path", "texts", "static", "known"])
def test_everything_that_is_said_matters(model: AnySkeletonModel, windows: WindowSource, what: str) -> None:
    window = windows.window(windows.clips[0], 6, np.random.default_rng(0), plain=True)
    before = cleaned(model, [window])
    if what == "texts":
        window.texts[:] = [[5, 9] for _ in window.texts]
    else:
        getattr(window, what)[:] = 1
    assert float((cleaned(model, [window]) - before).abs().max()) > 1e-5


def test_what_is_normalised_is_restored_whatever_its_speed(model: AnySkeletonModel, windows: WindowSource) -> None:
    batch = to_batch(windows.draw(4, np.random.default_rng(0), plain=True))
    channels = batch.channels.clone()
    channels[:, :, 0, TRAVEL] *= torch.logspace(-3, 1, channels.shape[1])[:, None]
    np.testing.assert_allclose(model.scales.restored(model.scales.normalised(channels)), channels, rtol=1e-5, atol=1e-6)


def test_an_error_of_speed_counts_as_its_share_for_slow_and_for_fast(model: AnySkeletonModel) -> None:
    speeds = torch.zeros(3, 1, CHANNELS)
    speeds[:, 0, TRAVEL.start] = torch.tensor([1.0, 4.0, 16.0])
    wrong = (model.scales.normalised(1.2 * speeds) - model.scales.normalised(speeds))[:, 0, TRAVEL.start]
    np.testing.assert_allclose(wrong, wrong[2].repeat(3), rtol=0.05)


def test_the_truth_has_no_loss_but_for_what_is_predicted(model: AnySkeletonModel, windows: WindowSource) -> None:
    batch = to_batch(windows.draw(4, np.random.default_rng(0), plain=True))
    truth = model.scales.normalised(batch.channels)
    known = given(batch.known, batch.known_root)
    time = torch.full(truth.shape[:2], 0.5)
    terms = model._terms(truth, truth, known, time, batch)
    for name, value in terms.items():
        assert float(value) < 1e-2, name


def test_a_wrong_hip_is_seen_by_what_is_drawn(model: AnySkeletonModel, windows: WindowSource) -> None:
    batch = to_batch(windows.draw(4, np.random.default_rng(0), plain=True))
    truth = model.scales.normalised(batch.channels)
    wrong = truth.clone()
    wrong[..., 1:3] += 1.0
    terms = model._terms(wrong, truth, given(batch.known, batch.known_root), torch.full(truth.shape[:2], 0.5), batch)
    assert float(terms["drawn"]) > 0.01
    assert float(terms["agreement"]) > 0.01


def test_feet_that_stand_do_not_slide_in_the_data(model: AnySkeletonModel, windows: WindowSource) -> None:
    batch = to_batch(windows.draw(6, np.random.default_rng(0), plain=True))
    positions = batch.channels[..., PLACE] + batch.rest[:, None]
    positions[..., 1] += batch.channels[:, :, :1, HEIGHT.start]
    speed = slide(positions, batch.channels).norm(dim=-1)
    standing = batch.channels[:, 1:, :, CONTACT.start] * batch.channels[:, :-1, :, CONTACT.start] > 0.5
    assert bool(standing.any())
    assert float(speed[standing].quantile(0.9)) < 0.1
    assert float(speed[~standing & batch.valid[:, None]].mean()) > 0.15


@pytest.mark.slow
def test_training_lowers_the_loss(windows: WindowSource) -> None:
    from kinema.learn.setting import Setting

    torch.manual_seed(0)
    model = AnySkeletonModel(Setting(more={"size": "XS"}), "XS")
    model.scales.take(windows.draw(8, np.random.default_rng(0), plain=True))
    batch = to_batch(windows.draw(4, np.random.default_rng(0), plain=True))
    optimizer = torch.optim.AdamW(model.parameters(), 2e-3)
    losses = []
    for _ in range(25):
        torch.manual_seed(1)  # the same times and noise
        loss = torch.stack(list(model.loss(batch, TrainingStep(0, 1, "")).values())).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    assert np.mean(losses[-5:]) < 0.7 * np.mean(losses[:3])


def test_padding_is_not_a_joint(model: AnySkeletonModel, windows: WindowSource, dog: AnyRig) -> None:
    batch = to_batch([windows_of(windows, 0, 1), windows_of(windows, 1, 1)])
    assert batch.valid.sum(1).tolist() == [
        window.rig.count for window in (windows_of(windows, 0, 1), windows_of(windows, 1, 1))
    ]


@pytest.mark.parametrize("last", [conditions.TIMES, conditions.TIMES + 2 * conditions.WAVES], ids=["cadence", "times"])
def test_weights_that_know_no_cadence_and_no_times_are_read_as_they_were(model: AnySkeletonModel, last: int) -> None:
    name = "network.condition.0.weight"
    times = slice(conditions.CADENCE, last)
    before = dict(model.state_dict())
    kept = [at for at in range(before[name].shape[1]) if not times.start <= at < times.stop]
    before[name] = before[name][:, kept]
    for each in [each for each in before if each.startswith(("network.clock", "network.beat", "network.strike"))]:
        del before[each]
    after = model.upgraded(before)
    assert not after[name][:, times].any()
    torch.testing.assert_close(after[name][:, kept], before[name])
    assert after.keys() == model.state_dict().keys()
    assert model.upgraded(after) is after


def test_what_is_told_all_that_is_asked_begins_at_noise() -> None:
    times = _times(torch.tensor([True, False]).repeat(200), 6)
    assert times.shape == (400, 6)
    assert float(times[::2].max()) < 0.1 and (times[::2] == times[::2, :1]).all()
    assert float(times[1::2].max()) > 0.8
