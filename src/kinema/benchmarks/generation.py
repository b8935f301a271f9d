"""The suite `generation`: motion of any skeleton, made and taken apart on one thread.

Weights are random: time does not depend on them. Two yardsticks are measured in the same process: the same network that
encodes the skeleton anew in every step, and the operations of the published method. These are 100 steps over all frames
and 143 slots for joints, counted from its published layers (I. Gat et al., "AnyTop: Character Animation Diffusion with
Any Topology", 2025), at the rate at which this machine multiplies matrices of the size of its layers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial

import torch

from kinema.benchmarks.measure import Row, best_seconds
from kinema.generation.channels import FPS, decode, encode
from kinema.generation.generator import Generator
from kinema.generation.model import AnySkeletonModel
from kinema.generation.rig import AnyRig
from kinema.generation.sampling import SamplingSettings
from kinema.generation.stream import Stream
from kinema.generation.wishes import Wish
from kinema.learn.setting import Setting
from kinema.mocap.creatures import Act, make_creature, perform
from kinema.skeleton import Skeleton

SECONDS = 6.0
STEPS = 8
JOINTS = 40

_WIDTH, _WIDE, _LAYERS, _SLOTS, _RATE, _PUBLISHED_STEPS = 128, 1024, 4, 143, 20.0, 100


@cache
def _generator(size: str = "S") -> Generator:
    torch.manual_seed(0)
    return Generator(AnySkeletonModel(Setting(fps=FPS, more={"size": size}), size))


@cache
def _rig(joints: int) -> AnyRig:
    """A dog whose tail is as long as it takes to have so many joints."""
    dog = make_creature("dog").skeleton
    names, parents, offsets = list(dog.names), dog.parents.tolist(), dog.rest_translations.tolist()
    tip = max(joint for joint, name in enumerate(names) if "tail" in name)
    while len(names) < joints:
        parents.append(tip if len(names) == dog.joint_count else len(names) - 1)
        names.append(f"tail_more_{len(names)}")
        offsets.append(offsets[tip])
    turns = [*dog.rest_rotations.tolist(), *[[1.0, 0.0, 0.0, 0.0]] * (len(names) - dog.joint_count)]
    return AnyRig.of(Skeleton.create(names, parents, offsets, turns))


def published_operations(seconds: float) -> float:
    """Multiplications and additions of the published method for a clip, whatever the skeleton."""
    frames = seconds * _RATE + 1
    tokens = frames * _SLOTS
    layers = tokens * (2 * 4 * _WIDTH**2 + 2 * _WIDTH * _WIDE)  # two attentions, and the layer for each token
    attended = tokens * 2 * _WIDTH * (_SLOTS + frames)
    return _PUBLISHED_STEPS * _LAYERS * 2.0 * (layers + attended)


@cache
def _seconds_of_operation() -> float:
    """Seconds of one operation, in a product of the size of the widest published layer."""
    left, right = torch.randn(int(SECONDS * _RATE) * _SLOTS, _WIDTH), torch.randn(_WIDTH, _WIDE)
    return best_seconds(lambda: left @ right) / (2.0 * len(left) * _WIDTH * _WIDE)


def clip() -> Row:
    """A clip of 6 s of 40 joints by the network of size S, in 8 steps, guided: the goal is 5 s."""
    generator, rig = _generator(), _rig(JOINTS)
    settings, frames = SamplingSettings(STEPS), round(SECONDS * FPS)
    return Row(
        f"a clip of {SECONDS:g} s, {JOINTS} joints, {STEPS} steps, size S",
        best_seconds(lambda: generator.sample(rig, frames, [Wish("walks", "walk")], settings=settings)),
        "s",
        5.0,
        published_operations(SECONDS) * _seconds_of_operation(),
        "operations of the published method, 100 steps, at the rate of this machine's matrix products",
        better="lower",
    )


def cached_skeleton() -> Row:
    """The skeleton of 160 joints is encoded once for a second of motion; the yardstick encodes it in every step."""
    generator, rig = _generator(), _rig(160)
    settings = SamplingSettings(STEPS, 1.0)

    def sample() -> None:
        generator.sample(rig, round(FPS), settings=settings)

    def each_step() -> None:
        sample()
        for _ in range(STEPS - 1):
            generator.encode(rig)

    return Row(
        "a second of 160 joints, encoded once",
        best_seconds(sample),
        "s",
        1.0,
        best_seconds(each_step),
        "the same, with the skeleton encoded in every step",
        better="lower",
    )


def stream(joints: int, steps: int = 4) -> Row:
    """Endless motion, patch by patch; one evaluation of the network a patch."""
    generator, rig = _generator(), _rig(joints)
    made, wish = Stream(generator, rig, settings=SamplingSettings(steps, 1.5)), Wish(action="walk")
    patch = generator.patch / FPS
    frames = round(FPS)
    return Row(
        f"a second of a stream, {joints} joints",
        best_seconds(lambda: made.next(wish)) / patch,
        "s",
        1.0,
        best_seconds(lambda: generator.sample(rig, frames, [wish], settings=SamplingSettings(steps, 1.5))),
        f"clips of a second, each in {steps} steps, which do not go on from each other",
        better="lower",
    )


def preprocessing() -> Row:
    """Motion of 6 s into numbers; the yardstick is the way back, by forward kinematics."""
    motion = perform(make_creature("dog"), [Act("walk", SECONDS)])
    rig = AnyRig.of(motion.skeleton)
    channels, start = encode(rig, motion)
    return Row(
        f"a clip of {SECONDS:g} s taken apart",
        best_seconds(lambda: encode(rig, motion)),
        "s",
        0.1,
        best_seconds(lambda: decode(rig, channels, start)),
        "the way back, by forward kinematics",
        better="lower",
    )


ROWS: tuple[Callable[[], Row], ...] = (clip, cached_skeleton, partial(stream, 32), preprocessing)


def run() -> Iterator[Row]:
    """Measure all rows, one by one."""
    for row in ROWS:
        yield row()
