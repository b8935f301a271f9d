"""The suite `networks`: one step of the networks of controllers, alone and with all stages, on one thread.

Alone, weights are random: time does not depend on them. With all stages, those that come with Kinema are driven along
harsh tracks.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from functools import cache, partial

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from kinema.benchmarks.measure import Row, best_seconds
from kinema.control.command import Commands, harsh_track
from kinema.control.presets import controller_maker, shipped
from kinema.generation.channels import FPS
from kinema.generation.generator import Generator
from kinema.generation.model import AnySkeletonModel
from kinema.generation.planted_stream import PlantedStream
from kinema.generation.rig import AnyRig
from kinema.generation.stream import Stream
from kinema.generation.wishes import Wish
from kinema.learn.networks.codebook import CodebookMatching, hard_codes
from kinema.learn.networks.experts import BlendedExperts
from kinema.learn.networks.gates import PhaseGate, SoftmaxGate
from kinema.learn.setting import Setting
from kinema.mocap.creatures import make_creature
from kinema.mocap.database import MotionDatabase

RATE = 60.0  # steps per second
SECONDS = 10.0
WARM_UP = 30  # steps that compile code and fill caches

BATCHES = (1, 16, 64, 256)
GOALS = {"PFNN": 0.8, "MANN": 1.5, "codebook prediction": 1.4}
"""Milliseconds of a step of one character, stages included."""

CROWD_GOALS = {"PFNN": 0.25, "MANN": 0.25, "codebook prediction": 6 * 0.25}
"""The same by character in a crowd. Of 60 steps a second, one in six predicts, and not all characters in the same."""


@cache
def _networks() -> tuple[BlendedExperts, BlendedExperts, SoftmaxGate, CodebookMatching]:
    torch.manual_seed(0)
    return (
        BlendedExperts(342, 311, 4).eval(),
        BlendedExperts(480, 363, 8).eval(),
        SoftmaxGate(range(19)).eval(),
        CodebookMatching(441, 279).eval(),
    )


def pfnn(batch: int) -> Row:
    """342 to 311 numbers, 4 control points, 512 wide."""
    network, *_ = _networks()
    gate, x, phase = PhaseGate(), torch.randn(batch, 342), torch.rand(batch) * math.tau
    return _row("PFNN", batch, lambda: network(x, gate(phase)), lambda: _plain(network, x, gate(phase)), EINSUM)


def mann(batch: int) -> Row:
    """480 to 363 numbers, 8 experts, 512 wide."""
    _, network, gate, _ = _networks()
    x = torch.randn(batch, 480)
    return _row("MANN", batch, lambda: network(x, gate(x)), lambda: _plain(network, x, gate(x)), EINSUM)


def codebook(batch: int) -> Row:
    """441 numbers to 16 frames of 279, 64 x 8 codes, 512 wide, 3 refinements. It is asked every 0.1 s."""
    *_, network = _networks()
    x = torch.randn(batch, 441)

    def frame_by_frame() -> None:
        logits = network.estimate(x)
        for _ in range(network.refinements):
            logits = network.refine(logits.softmax(-1), x)
        codes = hard_codes(logits).flatten(1)
        for at in network.times:
            network.decoder(codes, at)

    return _row("codebook prediction", batch, lambda: network(x), frame_by_frame, "the same, decoding frame by frame")


EINSUM = "weights blended for each character by einsum"


def _plain(network: BlendedExperts, x: Tensor, coefficients: Tensor) -> Tensor:
    """The network as the papers write it."""
    x = functional.elu(network.first.blend_weights(x, coefficients))
    x = functional.elu(network.second.blend_weights(x, coefficients))
    return network.third.blend_weights(x, coefficients)


def _row(name: str, batch: int, ours: Callable[[], object], plain: Callable[[], object], baseline_is: str) -> Row:
    with torch.inference_mode():
        return Row(
            f"{name}, {batch} character{'s' if batch > 1 else ''}",
            1e3 * best_seconds(ours) / batch,
            "ms by character",
            (GOALS if batch == 1 else CROWD_GOALS)[name],
            1e3 * best_seconds(plain) / batch,
            baseline_is,
            better="lower",
        )


@cache
def _steps(name: str, family: str, count: int, seconds: float) -> NDArray[np.float64]:
    """Processor seconds of the steps of a family that drives the body of a network."""
    subject = _subject(name)
    controller = controller_maker(family)(subject)
    tracks = [harsh_track(seconds, seed) for seed in range(1, count + 1)]
    velocities = np.stack([track.sampled(RATE) for track in tracks], axis=1)
    controller.reset(count)
    spent = np.zeros(len(velocities))
    for step, velocity in enumerate(velocities):
        commands, began = Commands.create(velocity), time.process_time_ns()
        controller.step(commands, 1 / RATE)
        spent[step] = (time.process_time_ns() - began) * 1e-9
    return spent[WARM_UP:]


@cache
def _subject(name: str) -> MotionDatabase:
    subject = controller_maker(name).subject()
    assert subject is not None
    return subject


def driven(name: str, count: int, seconds: float = SECONDS) -> Row:
    """Command to pose with all stages, 60 steps per second, a plan every 0.1 s and after each jump of the command."""
    ours, other = (_steps(name, family, count, seconds) for family in (name, "motion-matching"))
    goal = GOALS.get(name.upper(), GOALS["PFNN"]) if count == 1 else CROWD_GOALS["PFNN"]
    return Row(
        f"{name}, all stages, {count} character{'s' * (count > 1)}",
        1e3 * float(ours.mean()) / count,
        "ms each, mean",
        goal,
        1e3 * float(other.mean()) / count,
        "motion matching on two minutes of the same body",
        better="lower",
    )


def slow_steps(name: str, count: int, seconds: float = SECONDS) -> Row:
    """The 99th of 100 such steps. 60 pictures per second leave 16.7 ms."""
    ours, other = (_steps(name, family, count, seconds) for family in (name, "motion-matching"))
    return Row(
        f"{name}, all stages, {count} characters, slow steps",
        1e3 * float(np.percentile(ours, 99)),
        "ms, 99th percentile",
        16.7,
        1e3 * float(np.percentile(other, 99)),
        "motion matching on two minutes of the same body",
        better="lower",
    )


STREAMED = "ostrich"
"""A body of 21 joints."""


def streaming() -> Row:
    """Frames of motion for any skeleton, patch by patch with planted feet, in a processor second. 30 are real time."""
    torch.manual_seed(0)
    rig = AnyRig.of(make_creature(STREAMED).skeleton)
    generator = Generator(AnySkeletonModel(Setting(more={"size": "S"}), "S"))
    stream, wish = PlantedStream(Stream(generator, rig)), Wish(action="walk")
    clip = 8 * generator.patch
    return Row(
        f"streaming of any skeleton, size S, {rig.count} joints",
        generator.patch / best_seconds(lambda: stream.next(wish)),
        "frames/s",
        FPS,
        clip / best_seconds(lambda: generator.sample(rig, clip, (wish,))),
        "whole clips of 8 patches in 8 steps",
    )


ROWS: tuple[Callable[[], Row], ...] = (
    *(partial(network, batch) for network in (pfnn, mann, codebook) for batch in BATCHES),
    *(partial(driven, name, count) for name in shipped() for count in (1, 64)),
    *(partial(slow_steps, name, 256) for name in shipped()),
    streaming,
)


def run() -> Iterator[Row]:
    """Measure all rows, one by one."""
    for row in ROWS:
        yield row()
