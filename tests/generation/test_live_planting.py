from __future__ import annotations

import numpy as np
import pytest

from kinema.generation.channels import CONTACT, PLACE, TRAVEL, TURN, decode, encode
from kinema.generation.live_planting import LivePlanting
from kinema.generation.planting import plant
from kinema.generation.rig import AnyRig
from kinema.motion import Motion

from .test_clearing import pointing, world
from .test_planting import standing_speed

PIECE = 8


def by_pieces(rig: AnyRig, channels: np.ndarray, foreseen: int = 16) -> np.ndarray:
    planting = LivePlanting(rig)
    return np.concatenate(
        [
            planting.next(channels[at : at + PIECE], channels[at + PIECE : at + PIECE + foreseen])
            for at in range(0, len(channels) // PIECE * PIECE, PIECE)
        ]
    )


@pytest.fixture
def loose(dog: AnyRig, turning: Motion) -> np.ndarray:
    """A walk whose feet slide."""
    channels, _ = encode(dog, turning)
    wobble = np.cumsum(np.random.default_rng(0).normal(0, 0.01, (len(channels), dog.count, 6)), axis=0)
    channels[:, 1:, TURN] += (wobble - wobble.mean(axis=0))[:, 1:].astype(np.float32)
    return channels[: len(channels) // PIECE * PIECE]


def accelerations(rig: AnyRig, channels: np.ndarray) -> np.ndarray:
    """Largest acceleration `[F - 2]` of a joint, units a frame squared."""
    places = decode(rig, channels)[:].global_positions[:, rig.joints] / rig.unit
    return np.linalg.norm(np.diff(places, 2, axis=0), axis=-1).max(axis=-1)


def test_feet_that_slide_stand_still_piece_by_piece(dog: AnyRig, loose: np.ndarray) -> None:
    before, live, whole = (standing_speed(dog, each) for each in (loose, by_pieces(dog, loose), plant(dog, loose)))
    assert before > 0.2
    assert live < 0.1 * before
    assert live < 1.5 * whole


def test_no_foot_jumps_where_pieces_meet(dog: AnyRig, loose: np.ndarray) -> None:
    found = accelerations(dog, by_pieces(dog, loose))
    inside = np.delete(found, np.concatenate([np.arange(PIECE - 2, len(found), PIECE) + side for side in (0, 1)]))
    assert found.max() < 1.2 * inside.max()


def test_what_was_expected_and_comes_otherwise_fades_out(dog: AnyRig, loose: np.ndarray) -> None:
    """Contacts are foreseen too early or too late, as the first look at a piece may have them."""
    for late in (-3, 3):
        planting = LivePlanting(dog)
        wrong = loose.copy()
        wrong[..., CONTACT] = np.roll(loose[..., CONTACT], late, axis=0)
        made = np.concatenate(
            [
                planting.next(loose[at : at + PIECE], wrong[at + PIECE : at + PIECE + 16])
                for at in range(0, len(loose), PIECE)
            ]
        )
        assert standing_speed(dog, made) < 0.3 * standing_speed(dog, loose)
        assert accelerations(dog, made).max() < 2.0 * accelerations(dog, loose).max()


def test_without_foresight_feet_stand_still_too(dog: AnyRig, loose: np.ndarray) -> None:
    assert standing_speed(dog, by_pieces(dog, loose, foreseen=0)) < 0.5 * standing_speed(dog, loose)


def test_a_body_that_glides_on_standing_feet_takes_steps(dog: AnyRig, loose: np.ndarray) -> None:
    """No foot is left behind farther than its limb reaches, however long it is called planted."""
    gliding = np.repeat(loose[:1], 200, axis=0)
    gliding[..., CONTACT] = 0.0
    foot = int(np.flatnonzero((dog.rest_positions[:, 1] < 0.06) & ~np.isin(np.arange(dog.count), dog.parents))[0])
    gliding[:, foot, CONTACT] = 1.0
    gliding[:, 0, TRAVEL] = (0.0, 0.3, 0.0)
    made = by_pieces(dog, gliding)
    places = decode(dog, made)[:].global_positions[:, dog.joints] / dog.unit
    off = np.linalg.norm(made[:, foot, PLACE] - gliding[:, foot, PLACE], axis=-1)
    assert 0.05 < off.max() < 0.65
    speed = np.linalg.norm(np.diff(places[:, foot], axis=0), axis=-1)
    assert (speed < 1e-3).mean() > 0.3


def test_a_fork_goes_on_by_itself(dog: AnyRig, loose: np.ndarray) -> None:
    planting = LivePlanting(dog)
    planting.next(loose[:8], loose[8:24])
    other = planting.fork()
    one = planting.next(loose[8:16], loose[16:32])
    planting.next(loose[16:24], loose[24:40])
    np.testing.assert_array_equal(other.next(loose[8:16], loose[16:32]), one)


def test_motion_without_contacts_stays_as_it_is(dog: AnyRig, loose: np.ndarray) -> None:
    loose[..., CONTACT] = 0
    np.testing.assert_array_equal(by_pieces(dog, loose), loose)


def test_feet_stay_above_the_ground_piece_by_piece(toed: AnyRig) -> None:
    channels = pointing(toed)[:56]
    made = by_pieces(toed, channels)
    assert world(toed, channels)[..., 1].min() < -0.03
    assert world(toed, made)[..., 1].min() > -0.01
    assert accelerations(toed, made).max() < 0.02


def test_a_foot_that_is_raised_does_not_jump_when_more_is_seen(toed: AnyRig) -> None:
    """The foot lowers its toes sooner than was foreseen."""
    channels, planting = pointing(toed), LivePlanting(toed)
    channels[..., CONTACT] = 0.0
    channels[:2, ..., CONTACT], still = 1.0, np.zeros_like(channels[:16])
    made = np.concatenate([planting.next(channels[at : at + PIECE], still) for at in range(0, 56, PIECE)])
    assert world(toed, made)[..., 1].min() > -0.01
    assert accelerations(toed, made).max() < 0.02
