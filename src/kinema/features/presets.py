"""Feature specs of published methods. Each function returns specs for a skeleton; copy one to make your own."""

from __future__ import annotations

import numpy as np

from kinema.features.feature import Feature
from kinema.features.spec import FeatureSpec, Specs
from kinema.mocap.contacts import contact_joints
from kinema.skeleton import Skeleton

FEET = ("left_foot", "right_foot")
GAITS = ("stand", "walk", "jog", "crouch", "jump", "bump")


def _spread(first: float, last: float, count: int) -> tuple[float, ...]:
    return tuple(np.linspace(first, last, count).round(9).tolist())


def motion_matching(skeleton: Skeleton, times: tuple[float, ...] = (1 / 3, 2 / 3, 1.0)) -> FeatureSpec:
    """The 27 numbers of D. Holden's motion matching: feet, hips, and the trajectory at three future times in seconds.

    Feet have more weight than his 0.75 and 1, which gives fewer and smoother transitions under harsh steering. A body
    on more than two legs has the features of all its feet.
    """
    feet = FEET
    if not skeleton.roles.legs:
        feet = tuple(skeleton.names[joint] for joint in contact_joints(skeleton))
    return FeatureSpec(
        (
            Feature("foot.position", "position", feet),
            Feature("foot.velocity", "velocity", feet, weight=1.3),
            Feature("hips.velocity", "velocity", ("hips",)),
            Feature("trajectory.position", "trajectory.position", times=times, weight=1.3),
            Feature("trajectory.direction", "trajectory.direction", times=times, weight=1.5),
        ),
        skeleton,
    )


def pfnn(skeleton: Skeleton, fps: float = 60.0, gaits: tuple[str, ...] = GAITS) -> Specs:
    """Input and output of Phase-Functioned Neural Networks (Holden et al. 2017): 342 and 311 for 31 joints.

    The trajectory has 12 times from -1 s on, one sixth of a second apart. `gaits` are labels or tags of the database.
    """
    times = tuple(round(step / 6, 9) for step in range(-6, 6))
    ahead = tuple(time for time in times if time >= 0)
    before, after = (-1.0 / fps,), (1.0 / fps,)
    feet = ("left_foot", "left_toe", "right_foot", "right_toe")
    given = (
        Feature("trajectory.position", "trajectory.position", times=times),
        Feature("trajectory.direction", "trajectory.direction", times=times),
        Feature("gait", "label", times=times, labels=gaits),
        Feature("positions", "position", times=before, frame="root@t"),
        Feature("velocities", "velocity", times=before, frame="root@t"),
        Feature("height", "height", times=times),
    )
    wanted = (
        Feature("root", "root_delta", times=after),
        Feature("phase", "phase_delta"),
        Feature("contact", "contact", feet),
        Feature("trajectory.position", "trajectory.position", times=ahead),
        Feature("trajectory.direction", "trajectory.direction", times=ahead),
        Feature("positions", "position"),
        Feature("velocities", "velocity"),
        Feature("rotations", "rotation_log", frame="root@t"),
    )
    return FeatureSpec(given, skeleton), FeatureSpec(wanted, skeleton)


def phase(skeleton: Skeleton) -> FeatureSpec:
    """What the gate of a Phase-Functioned Neural Network sees: sine and cosine of the gait phase."""
    return FeatureSpec((Feature("phase", "phase"),), skeleton)


def local_phases(skeleton: Skeleton, seconds: float = 1.0) -> FeatureSpec:
    """What the gate on Local Motion Phases (Starke et al. 2020) sees: phase vectors of the feet at 13 times.

    104 numbers for four feet. The times go from `seconds` before the frame to `seconds` after it.
    """
    feet = tuple(skeleton.names[joint] for joint in contact_joints(skeleton))
    return FeatureSpec((Feature("local_phases", "local_phase", feet, _spread(-seconds, seconds, 13)),), skeleton)


def _sequence(skeleton: Skeleton, state: tuple[Feature, ...], seconds: float) -> Specs:
    times = _spread(0.0, seconds, 16)
    given = (
        *state,
        Feature("trajectory.position", "trajectory.position", times=times),
        Feature("trajectory.direction", "trajectory.direction", times=times),
        Feature("trajectory.velocity", "trajectory.velocity", times=times),
        Feature("guidance", "guidance", times=(0.0, 1.0)),
    )
    wanted = (
        Feature("root", "root_delta", times=times),
        Feature("positions", "position", times=times, frame="root@t"),
        Feature("axes", "axes", times=times, frame="root@t"),
        Feature("velocities", "velocity", times=times, frame="root@t"),
    )
    return FeatureSpec(given, skeleton), FeatureSpec(wanted, skeleton)


def locomotion(skeleton: Skeleton, seconds: float = 0.5) -> Specs:
    """State, trajectory and guidance in, 16 poses over `seconds` out: 339 and 16 x 327 for 27 joints."""
    state = (Feature("positions", "position"), Feature("velocities", "velocity"))
    return _sequence(skeleton, state, seconds)


def codebook(skeleton: Skeleton, seconds: float = 0.5) -> Specs:
    """Features of Codebook Matching (Starke et al. 2024): 441 and 16 x 279 for 23 joints."""
    state = (Feature("positions", "position"), Feature("axes", "axes"), Feature("velocities", "velocity"))
    return _sequence(skeleton, state, seconds)
