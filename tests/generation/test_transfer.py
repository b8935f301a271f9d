"""Retargeting measured: contacts, phases of legs, and the way back."""

import numpy as np
import pytest

from kinema.generation import transfer
from kinema.generation.channels import HEIGHT
from kinema.generation.takes import Takes


@pytest.fixture(scope="module")
def swings(walks):
    number = next(n for n, piece in enumerate(walks.pieces) if piece.actions[-1] == 1)
    return transfer.leg_swings(walks.takes, walks.feet.joints)[number, 40:]


def test_common_contacts_count(rng):
    source = rng.random((50, 2)) < 0.5
    assert transfer.contact_f1(source, source) == 1
    assert transfer.contact_f1(source, ~source) == 0
    assert transfer.contact_f1(np.asarray([[True, True]]), np.asarray([[True, False]])) == pytest.approx(2 / 3)
    assert transfer.contact_f1(np.zeros((3, 2), bool), np.zeros((3, 2), bool)) is None


def test_legs_in_phase_and_swapped(swings):
    assert transfer.phase_correlation(swings, swings) == pytest.approx(1.0)
    assert transfer.phase_correlation(swings, 0.3 * swings + 0.1) == pytest.approx(1.0, abs=1e-3)  # of shorter legs
    assert transfer.phase_correlation(swings, swings[:, ::-1]) < -0.5


def test_a_quarter_of_a_cycle_late_is_neither(swings):
    time = np.arange(120) / 30.0
    source = np.stack([np.sin(2 * np.pi * time), -np.sin(2 * np.pi * time)], axis=-1)
    late = np.stack([np.sin(2 * np.pi * time - np.pi / 2), -np.sin(2 * np.pi * time - np.pi / 2)], axis=-1)
    assert transfer.phase_correlation(source, late) == pytest.approx(0.0, abs=0.05)
    assert transfer.phase_correlation(np.zeros((9, 2)), source[:9]) is None


def test_what_the_way_back_changes_is_measured(walks):
    again = walks.takes.channels.copy()
    assert transfer.cycle_error(walks.takes, Takes(walks.rig, again)) == 0
    again[:, :, 0, HEIGHT.start] += 0.04
    assert transfer.cycle_error(walks.takes, Takes(walks.rig, again)) == pytest.approx(2.0, rel=1e-3)
