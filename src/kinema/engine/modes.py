"""Two ways to run a world: headless until a given end, or in a window until it is closed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from kinema.engine.clock import FixedClock
from kinema.engine.world import World
from kinema.errors import WorldError

LONGEST = 3600.0
"""Seconds of world time after which a run gives up if only a condition could end it."""

Ending = Literal["seconds", "frames", "condition", "closed"]


@dataclass(frozen=True)
class RunReport:
    """A summary of a run.

    Attributes:
        steps: fixed steps made.
        seconds: world time.
        wall_seconds: real time.
        frames: pictures presented.
        dropped_seconds: real time that was dropped because the world could not keep up.
        ended_by: the reason why it ended.
    """

    steps: int
    seconds: float
    wall_seconds: float
    frames: int
    dropped_seconds: float
    ended_by: Ending

    @property
    def steps_per_second(self) -> float:
        return self.steps / self.wall_seconds if self.wall_seconds > 0 else float("inf")


class Surface(Protocol):
    """Something that displays a world, such as a window or a recorder."""

    def poll(self) -> bool:
        """Process the user's input since the last call. Returns False when the surface was closed."""
        ...

    def present(self, world: World) -> None:
        """Draw the world at `world.alpha` and show it. May wait for the display."""
        ...

    def wait(self, seconds: float) -> None:
        """Called after each picture with the real time until the next step is due.

        Sleep no longer than that. A surface whose `present` waits for the display returns at once.
        """
        ...


def run_headless(
    world: World,
    seconds: float | None = None,
    frames: int | None = None,
    until: Callable[[World], bool] | None = None,
    real_time: bool = False,
    on_frame: Callable[[World], object] | None = None,
    *,
    clock: Callable[[], float] = time.perf_counter,
    sleep: Callable[[float], object] = time.sleep,
) -> RunReport:
    """Run without a window, as fast as possible or in real time. The first limit that is reached ends the run.

    The same world gives the same bytes, also in real time: real time decides when steps are made, not how long they
    are.

    Args:
        seconds: world time from now on.
        frames: fixed steps.
        until: checked after each step. Without another limit it may take an hour of world time.
        real_time: make each step when it is due. Time that cannot be caught up is dropped.
        on_frame: called after each step, before `until`.

    Raises:
        WorldError: no limit was given, a limit is invalid, or `until` alone did not become true in time.
    """
    if seconds is None and frames is None and until is None:
        raise WorldError("a headless run needs an end: give seconds, frames or until")
    most, ending = _limit(world, seconds, frames)
    ticks, began, first = FixedClock(world.step_seconds), clock(), world.steps
    ended: Ending = ending
    while world.steps - first < most:
        due = ticks.due(clock()) if real_time else 1
        if not due:
            sleep(ticks.wait(clock()))
        for _ in range(min(due, most - (world.steps - first))):
            world.step()
            if on_frame is not None:
                on_frame(world)
            if until is not None and until(world):
                ended, most = "condition", 0
                break
    made = world.steps - first
    if ended != "condition" and seconds is None and frames is None:
        raise WorldError(f"the condition did not come true in {LONGEST:g} s of world time; give seconds as well")
    return RunReport(made, made * world.step_seconds, clock() - began, made, ticks.dropped, ended)


def _limit(world: World, seconds: float | None, frames: int | None) -> tuple[int, Ending]:
    """The largest number of steps, and the reason for the end when it is reached."""
    if seconds is not None and not (np.isfinite(seconds) and seconds >= 0):
        raise WorldError(f"seconds must be at least 0 and finite, not {seconds}")
    if frames is not None and frames < 0:
        raise WorldError(f"frames must be at least 0, not {frames}")
    if seconds is None and frames is None:
        return round(LONGEST / world.step_seconds), "seconds"
    steps = None if seconds is None else round(seconds / world.step_seconds)
    if frames is not None and (steps is None or frames <= steps):
        return frames, "frames"
    return steps or 0, "seconds"


def run_standalone(
    world: World,
    surface: Surface,
    seconds: float | None = None,
    *,
    clock: Callable[[], float] = time.perf_counter,
    most_steps: int = 4,
) -> RunReport:
    """Run in real time on a surface until it is closed, or until `seconds` of real time have passed.

    Each picture shows a moment between the last two fixed steps (`world.alpha`), so motion is smooth at any display
    rate. After a stall at most `most_steps` steps are made; the rest of the time is dropped.
    """
    ticks, began, first = FixedClock(world.step_seconds, most_steps), clock(), world.steps
    frames, last = 0, began
    ended: Ending = "closed"
    while surface.poll():
        now = clock()
        if seconds is not None and now - began >= seconds:
            ended = "seconds"
            break
        due = ticks.due(now)
        world.advance(due, ticks.alpha)
        world.run_present(now - last)
        surface.present(world)
        frames, last = frames + 1, now
        surface.wait(ticks.wait(clock()))
    made = world.steps - first
    return RunReport(made, made * world.step_seconds, clock() - began, frames, ticks.dropped, ended)
