"""A long stream, measured; the slow test streams for ten minutes."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import UsageError
from kinema.generation.channels import CHANNELS, TURN
from kinema.generation.endurance import endure, limb_error
from kinema.generation.generator import Generator
from kinema.generation.planted_stream import PlantedStream
from kinema.generation.rig import AnyRig
from kinema.generation.rig_truth import RigTruth
from kinema.generation.sampling import SamplingSettings
from kinema.generation.stream import Stream
from kinema.generation.wishes import Wish

WISHES = [Wish(action="walk", seconds=2.0), Wish(action="idle", seconds=1.0)]


class Replaying:
    """Hands out a clip again and again, a little louder each time."""

    def __init__(self, clip: np.ndarray, growth: float) -> None:
        self.clip, self.growth, self.made = clip, growth, 0
        self.wishes: list[Wish] = []

    def __call__(self, wish: Wish) -> np.ndarray:
        self.wishes.append(wish)
        rows = np.arange(self.made, self.made + 8) % len(self.clip)
        self.made += 8
        loud = self.clip[rows].copy()
        loud[..., TURN] *= 1.0 + self.growth * self.made
        return loud


def test_what_grows_is_found_and_wishes_follow_each_other(walks: RigTruth) -> None:
    walk = next(piece.channels for piece in walks.pieces if piece.actions[-1] == 1)[30:]
    steady, growing = (Replaying(walk, growth) for growth in (0.0, 5e-4))
    calm = endure(steady, walks.rig, WISHES, 60.0, walks.feet)
    assert not any(trend.drifts for trend in calm.trends.values())
    assert [wish.action for wish in steady.wishes[:12]] == ["walk"] * 8 + ["idle"] * 4
    assert calm.frames == 1800
    assert calm.frames_per_second > 0
    assert endure(growing, walks.rig, WISHES, 60.0, walks.feet).trends["jerk"].drifts
    with pytest.raises(UsageError, match="30 seconds"):
        endure(Replaying(walk, 0.0), walks.rig, WISHES, 20.0)


def test_limbs_keep_their_length_whatever_the_channels_say(dog: AnyRig) -> None:
    wild = np.random.default_rng(0).normal(0, 2, (50, dog.count, CHANNELS)).astype(np.float32)
    assert limb_error(dog, wild) < 1e-4


@pytest.mark.slow
def test_ten_minutes_of_streaming_do_not_get_worse(generator: Generator, dog: AnyRig) -> None:
    """The network has not learned, so its motion is noise: but noise that stays as it is."""
    stream = PlantedStream(Stream(generator, dog, settings=SamplingSettings(steps=2, guidance=1.0)))
    found = endure(stream.next, dog, WISHES, 600.0)
    assert found.limb_error < 1e-4
    assert not found.trends["jerk"].drifts
    assert found.trends["limbs"].blocks.max() < 1e-2
