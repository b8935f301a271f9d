"""Weights on their way to a watcher."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
import torch
from torch import nn

from kinema.learn import link as room
from kinema.learn.link import WeightsLink


def made(seed: int) -> nn.Module:
    torch.manual_seed(seed)
    return nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))


@pytest.fixture
def training():
    network = made(1)

    @contextmanager
    def kept_weights():
        yield

    return SimpleNamespace(model=network, step=7, kept_weights=kept_weights)


def test_what_arrives_is_what_was_handed_out(training):
    link, other = WeightsLink(training.model), made(2)
    assert link.step == -1
    link.publish(training)
    assert link.take(other) == 7 == link.step
    x = torch.randn(5, 3)
    assert torch.equal(other.eval()(x), training.model.eval()(x))


def test_nothing_is_copied_unless_it_was_asked_for_and_not_too_often(training, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(room, "time", SimpleNamespace(monotonic=lambda: now[0]))
    link = WeightsLink(training.model)
    link.after_step(training)
    assert link.step == -1, "nobody asked"
    link.ask()
    link.after_step(training)
    assert link.step == 7
    training.step = 8
    link.ask()
    link.after_step(training)
    assert link.step == 7, "half a second has not gone by"
    now[0] += room.SECONDS
    link.after_step(training)
    assert link.step == 8
    now[0] += room.SECONDS
    training.step = 9
    link.after_step(training)
    assert link.step == 8, "asking once brings one answer"


def test_a_watcher_that_died_with_the_lock_does_not_hold_the_training_up(training):
    link = WeightsLink(training.model)
    link.ask()
    link._lock.acquire()
    link.after_step(training)
    assert link.step == -1
    link._lock.release()
    link.publish(training)
    assert link.step == 7


def test_the_last_weights_wait_until_those_before_are_taken(training):
    link = WeightsLink(training.model)
    link._lock.acquire()
    threading.Timer(0.2, link._lock.release).start()
    link.publish(training, patience=5.0)
    assert link.step == 7
