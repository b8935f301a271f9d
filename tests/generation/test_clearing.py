from __future__ import annotations

import numpy as np
import pytest

from kinema.generation.channels import CHANNELS, CONTACT, PLACE, TRAVEL, TURN, Start
from kinema.generation.clearing import clear
from kinema.generation.planting import plant
from kinema.generation.reaching import posed
from kinema.generation.rig import AnyRig
from kinema.generation.soles import RigidFoot, find_feet

FRAMES = 60


def toes_of(rig: AnyRig, side: str) -> list[int]:
    names = [rig.skeleton.names[joint] for joint in rig.joints]
    return [names.index(f"{side}_toe_{toe}_end") for toe in range(3)]


def world(rig: AnyRig, channels: np.ndarray) -> np.ndarray:
    """Positions `[F, K, 3]`, units."""
    return rig.forward(*posed(rig, channels, Start()))[1].astype(np.float64)


def pointing(rig: AnyRig) -> np.ndarray:
    """Channels of a body that stands, whose left foot points its toes into the ground for a while."""
    channels = np.zeros((FRAMES, rig.count, CHANNELS), np.float32)
    ankle = int(rig.parents[rig.parents[toes_of(rig, "left")[0]]])
    down = 0.6 * np.exp(-(((np.arange(FRAMES) - 30.0) / 8.0) ** 2))
    channels[:, ankle, TURN] = np.stack(
        [0 * down, 0 * down, 0 * down, 0 * down, np.cos(down) - 1.0, np.sin(down)], axis=-1
    )
    channels[:, toes_of(rig, "left") + toes_of(rig, "right"), CONTACT] = 1.0
    return channels


@pytest.fixture
def sinking(toed: AnyRig) -> np.ndarray:
    return pointing(toed)


@pytest.fixture
def feet(toed: AnyRig) -> list[RigidFoot]:
    return find_feet(toed, toes_of(toed, "left") + toes_of(toed, "right"))


def test_toes_come_out_of_the_ground(toed: AnyRig, feet: list[RigidFoot], sinking: np.ndarray) -> None:
    before = world(toed, sinking)[..., 1]
    made, rises = clear(toed, sinking, feet)
    after = world(toed, made)[..., 1]
    assert before.min() < -0.03
    assert after.min() > -1e-3
    assert max(rise.max() for rise in rises.values()) > 0.03


def test_what_can_stand_stays_where_it_was(toed: AnyRig, sinking: np.ndarray) -> None:
    """A heel sinks, and the toe in front, which alone can be planted, does not."""
    (foot,) = find_feet(toed, toes_of(toed, "left")[:1])
    heel = toes_of(toed, "left")[2]
    sinking[:, foot.limb.end, TURN][:, 5] *= -1.0
    made, rises = clear(toed, sinking, [foot])
    before, after = world(toed, sinking), world(toed, made)
    assert before[:, heel, 1].min() < -0.02
    assert after[:, foot.joints, 1].min() > -1e-3
    assert rises[foot.limb.end].max() > 0.02
    off = np.linalg.norm(after[:, foot.limb.foot] - before[:, foot.limb.foot], axis=-1).max()
    assert off < 0.3 * rises[foot.limb.end].max()


def test_only_the_leg_that_sinks_moves(toed: AnyRig, feet: list[RigidFoot], sinking: np.ndarray) -> None:
    made, _ = clear(toed, sinking, feet)
    names = [toed.skeleton.names[joint] for joint in toed.joints]
    others = [number for number, name in enumerate(names) if not name.startswith("left")]
    np.testing.assert_allclose(world(toed, made)[:, others], world(toed, sinking)[:, others], atol=1e-5)


def test_a_foot_is_raised_smoothly(toed: AnyRig, feet: list[RigidFoot], sinking: np.ndarray) -> None:
    _, rises = clear(toed, sinking, feet)
    rise = rises[feet[0].limb.end]
    assert np.abs(np.diff(rise, 2)).max() < 0.1 * rise.max()


def test_feet_above_the_ground_stay_as_they_are(toed: AnyRig, feet: list[RigidFoot]) -> None:
    channels = np.zeros((FRAMES, toed.count, CHANNELS), np.float32)
    made, rises = clear(toed, channels, feet)
    assert made is channels
    assert not any(rise.any() for rise in rises.values())


def test_it_goes_on_from_how_far_a_foot_was_raised(toed: AnyRig, feet: list[RigidFoot], sinking: np.ndarray) -> None:
    whole = clear(toed, sinking, feet)[1][feet[0].limb.end]
    shown = whole[34] + 0.01
    rise = clear(toed, sinking[34:], feet, before={feet[0].limb.end: float(shown)})[1][feet[0].limb.end]
    assert rise[0] == pytest.approx(shown)
    assert np.abs(np.diff(rise)).max() < 0.01
    assert rise[-1] < 1e-3 * shown


def test_toes_side_by_side_stand_together(toed: AnyRig, sinking: np.ndarray) -> None:
    """The body moves on above feet that are called planted: the leg follows, and the foot is flat."""
    sinking[:, 0, TRAVEL] = (0.0, 0.2, 0.0)
    made = plant(toed, sinking)
    toes = toes_of(toed, "left")
    places, planted = world(toed, made)[:, toes], made[:, toes, CONTACT][..., 0] > 0.5
    steps = np.linalg.norm(np.diff(places, axis=0), axis=-1)
    assert planted.mean() > 0.5
    standing = steps[planted[1:] & planted[:-1]]
    assert np.median(standing) < 1e-4
    assert standing.max() < 5e-3  # where the leg is stretched; the body goes 7e-3 a frame
    assert np.ptp(places[planted.all(axis=1)][..., 1], axis=1).max() < 0.04


def test_positions_are_those_of_the_new_rotations(toed: AnyRig, feet: list[RigidFoot], sinking: np.ndarray) -> None:
    made, _ = clear(toed, sinking, feet)
    around = world(toed, made) - world(toed, made)[:, :1] + toed.rest_positions[0] - toed.rest_positions
    np.testing.assert_allclose(made[..., PLACE], around, atol=1e-4)
