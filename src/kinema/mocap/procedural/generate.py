"""Generate labelled locomotion for any skeleton with two legs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kinema.errors import ControlError
from kinema.mocap.procedural.bipeds import humanoid
from kinema.mocap.procedural.body import compose_body
from kinema.mocap.procedural.feet import track_foot
from kinema.mocap.procedural.gait import plan_gait
from kinema.mocap.procedural.plan import plan_steps
from kinema.mocap.procedural.pose import pose_skeleton
from kinema.mocap.procedural.script import GAITS, Segment, plan_path
from kinema.mocap.procedural.stance import find_stance
from kinema.mocap.procedural.styles import Style, style_of
from kinema.motion import Motion
from kinema.rates import HIGHEST_RATE, MOST_FRAMES, is_length
from kinema.skeleton import Skeleton

_MARGIN = 2.0  # seconds planned beyond both ends, for the steps that reach across them


def generate(
    skeleton: Skeleton | None = None,
    script: Sequence[Segment] = (Segment("idle"), Segment("walk", 4.0), Segment("idle")),
    style: str | Style = "neutral",
    fps: float = 60.0,
    seed: int = 0,
    name: str = "",
) -> Motion:
    """One clip that acts out a script; the same arguments give the same bytes.

    Args:
        skeleton: any with two legs that its roles find; None is `humanoid`.
        script: segments of steady command, in order.
        style: a preset's name or a `Style`.
        fps: frames per second.
        seed: seed of the small irregularities of steps and of standing.
        name: name of the clip; empty takes the kinds of its segments.

    Returns:
        A motion in the world: ground at y = 0, travel along +Z at the start, hips over x = z = 0. Labels:
        `contact.left` and `contact.right` (bool: the ball of the foot, or the ankle of a foot without toes, is
        pinned), `phase` (0 at a left strike, 0.5 at a right one), `speed` (planned, m/s),
        `gait` (int8, index into `GAITS`).

    Raises:
        SkeletonError: the skeleton has no two legs.
        ControlError: the script is empty, the rate is below 10 or there are too many frames, the seed is
            negative, or no steps can be made with the
            numbers of the style.
    """
    style = style_of(style)
    if not 10 <= fps <= HIGHEST_RATE:
        raise ControlError(f"the generator needs 10 to {HIGHEST_RATE:g} frames per second, not {fps}")
    if not is_length(seconds := sum(segment.seconds for segment in script), fps):
        raise ControlError(f"{seconds:g} s at {fps:g} frames per second are more than {MOST_FRAMES:,} frames")
    if seed < 0:
        raise ControlError(f"a seed must be a non-negative integer, not {seed}")
    skeleton = humanoid() if skeleton is None else skeleton
    stance = find_stance(skeleton)
    rng = np.random.default_rng(seed)
    path = plan_path(script, fps, stance.leg, style.max_speed, _MARGIN * float(np.sqrt(max(stance.leg / 0.9, 1))))
    gait = plan_gait(path, stance, style, right_first=bool(rng.integers(2)))
    left, right = plan_steps(path, gait, stance, style, rng)
    tracks = (
        track_foot(path.times, left, stance.feet[0], stance.leg, style),
        track_foot(path.times, right, stance.feet[1], stance.leg, style),
    )
    body, tracks = compose_body(path, gait, tracks, stance, style, rng)
    pose = pose_skeleton(stance, body, tracks, fps)
    first = int(np.searchsorted(path.times, -0.5 / fps))
    inside = slice(first, first + max(round(sum(segment.seconds for segment in script) * fps), 1))
    labels = {
        "contact.left": tracks[0].contact[inside].copy(),
        "contact.right": tracks[1].contact[inside].copy(),
        "phase": np.asarray(gait.cycles[inside] % 1.0, np.float32) % np.float32(1),
        "speed": np.linalg.norm(path.velocity[inside], axis=-1).astype(np.float32),
        "gait": path.gait[inside].copy(),
    }
    kinds = [GAITS[kind] for kind in np.unique(labels["gait"])]
    top = np.asarray([stance.carrier], np.int32)
    return Motion.create(
        skeleton,
        pose.local_rotations[inside],
        pose.local_translations[inside, top],
        top,
        fps=fps,
        name=name or "-".join(dict.fromkeys(segment.kind for segment in script)),
        labels=labels,
        tags=(*kinds, style.name),
    )
