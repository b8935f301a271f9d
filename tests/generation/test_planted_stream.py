from __future__ import annotations

import numpy as np
import pytest

from kinema.face.generation import WEIGHTS
from kinema.generation.channels import CONTACT, FPS
from kinema.generation.channels import decode as decode_channels
from kinema.generation.generator import Generator
from kinema.generation.planted_stream import PlantedStream
from kinema.generation.rig import AnyRig
from kinema.generation.sampling import SamplingSettings
from kinema.generation.stream import Stream
from kinema.generation.wishes import Wish

QUICK = SamplingSettings(steps=2, guidance=1.0)
WALK = Wish(action="walk")


@pytest.fixture(scope="module")
def generator() -> Generator:
    """That which comes with Kinema: the motion of one that has not learned has no feet that stand."""
    return Generator.load(WEIGHTS)


@pytest.fixture
def planted(generator: Generator, dog: AnyRig) -> PlantedStream:
    return PlantedStream(Stream(generator, dog, seed=3, settings=QUICK))


def standing_speed(rig: AnyRig, channels: np.ndarray) -> float:
    """Mean speed, units a second, of joints that stand in a frame and in the next."""
    places = decode_channels(rig, channels)[:].global_positions[:, rig.joints] / rig.unit
    stands = channels[..., CONTACT][..., 0] > 0.5
    speeds = np.linalg.norm(np.diff(places, axis=0), axis=-1) * FPS
    return float(speeds[stands[1:] & stands[:-1]].mean())


def test_feet_stand_in_what_is_handed_out_and_the_network_goes_on_from_its_own(
    generator: Generator, dog: AnyRig, planted: PlantedStream
) -> None:
    bare = Stream(generator, dog, seed=3, settings=QUICK)
    made, own = (np.concatenate([each.next(WALK) for _ in range(8)]) for each in (planted, bare))
    assert standing_speed(dog, made) < 0.7 * standing_speed(dog, own)
    np.testing.assert_array_equal(planted.stream.next(WALK), bare.next(WALK))


def test_a_fork_goes_on_by_itself(planted: PlantedStream) -> None:
    for _ in range(3):
        planted.next(WALK)
    fork = planted.fork()
    ahead = [fork.next(WALK) for _ in range(3)]
    np.testing.assert_array_equal(np.concatenate(ahead), np.concatenate([planted.next(WALK) for _ in range(3)]))
