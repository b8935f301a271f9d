"""Controllers measured on standard drives, compared with the ground truth and a baseline that only slides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from kinema import rotations
from kinema.control.command import Track
from kinema.control.controller import Controller
from kinema.control.drive import Drive, drive
from kinema.control.family import Cost, HasCost
from kinema.control.trajectory import Trajectory
from kinema.metrics import Reference, Rollout, evaluate, ground_truth_row
from kinema.metrics.evaluate import MetricsRow
from kinema.mocap.database import MotionDatabase
from kinema.motion import Motion
from kinema.terrain import Ground, Plane, is_void

FPS = 60.0
"""Frames per second of the drives and of the ground truth."""
REFERENCE_SECONDS = 3600.0
"""Largest part of the data that is used as ground truth."""


@dataclass(frozen=True)
class Evaluation:
    """The result of measuring a controller.

    Attributes:
        rows: ground truth first, then one row per name in `tracks`, then the sliding statue.
        drives: the drives by the names of `tracks`.
    """

    rows: list[MetricsRow]
    drives: dict[str, list[Drive]]


def evaluate_controller(
    controller: Controller,
    database: MotionDatabase,
    tracks: Mapping[str, Sequence[Track]],
    note: Callable[[str], None] = lambda line: None,
    progress: Callable[[int, int], None] | None = None,
) -> Evaluation:
    """`evaluate_controllers` of one controller, whose rows are named after the tracks alone."""
    return evaluate_controllers([("", controller)], database, tracks, note, progress)


def evaluate_controllers(
    controllers: Sequence[tuple[str, Controller]],
    database: MotionDatabase,
    tracks: Mapping[str, Sequence[Track]],
    note: Callable[[str], None] = lambda line: None,
    progress: Callable[[int, int], None] | None = None,
) -> Evaluation:
    """Drive controllers along tracks and measure what they do, over their ground or that of the track.

    Args:
        controllers: each with its name, which its rows begin with.
        database: the ground truth.
        tracks: tracks by the name of their row; the drives of one row are pooled.
        note: called with a line of text at each slow step.
        progress: called with the number of frames done and of all frames, over all tracks.

    Raises:
        KinemaError: there is too little data to measure with.
    """
    note("measuring the ground truth")
    reference = Reference.from_database(database, FPS, REFERENCE_SECONDS)
    rows = [ground_truth_row(reference)]  # before the drives, so that too little data fails at once
    total = len(controllers) * sum(round(track.seconds * FPS) for each in tracks.values() for track in each)
    before = 0
    drives: dict[str, list[Drive]] = {}
    costs: list[Cost] = []
    for called, controller in controllers:
        cost = controller.family.cost if isinstance(controller.family, HasCost) else Cost()
        for track_name, each in tracks.items():
            made: list[Drive] = []
            for track in each:
                done = before
                advance = None if progress is None else lambda frame, _, done=done: progress(done + frame, total)
                made.append(drive(controller, track, FPS, database.clearance, advance))
                before += round(track.seconds * FPS)
            drives[f"{called} {track_name}".strip()] = made
            costs.append(cost)
    note("measuring the drives")
    rows += [
        evaluate([one.rollout for one in made], reference, name, asdict(cost))
        for (name, made), cost in zip(drives.items(), costs, strict=True)
    ]
    statues = [sliding(database, track, controllers[0][1].ground) for each in tracks.values() for track in each]
    return Evaluation([*rows, evaluate(statues, reference, "sliding statue")], drives)


def sliding(database: MotionDatabase, track: Track, ground: Ground | None = None) -> Rollout:
    """The trivial baseline: one pose that moves exactly as commanded. It tracks perfectly but takes no steps.

    Args:
        ground: what it slides over where the track has no ground of its own; None is level ground.
    """
    frames = round(track.seconds * FPS)
    goal, steering, under = Trajectory.start(1), track.steering(), track.ground or ground or Plane()
    positions, headings = np.empty((frames, 3), np.float32), np.empty(frames, np.float32)
    commanded, goals, goal_facings = (np.empty((frames, 3), np.float32) for _ in range(3))
    for frame in range(frames):
        command = steering(frame / FPS, goal.position)
        goal.step(goal.steered(command), 1.0 / FPS)
        positions[frame], headings[frame], commanded[frame] = goal.position[0], goal.heading[0], command.velocity[0]
        goals[frame], goal_facings[frame] = command.goals[0], command.goal_facings[0]
    heights = under.height(positions)
    positions[:, 1] = np.where(is_void(heights), 0.0, heights)
    facings = rotations.from_yaw(headings)
    pose = database.pose(np.zeros(frames, np.int64)).replace(root_positions=positions, root_rotations=facings)
    return Rollout(
        motion=Motion.from_pose(pose, FPS, "statue"),
        root_positions=positions,
        root_rotations=facings,
        feet=database.contact_joints.tolist(),
        clearance=database.clearance,
        contacts=np.ones((frames, len(database.contact_joints)), np.float32),
        commanded_velocities=commanded,
        goals=goals,
        goal_facings=goal_facings,
        target_positions=positions,
        target_rotations=facings,
        path_distances=track.beside(positions),
        ground=under,
    )
