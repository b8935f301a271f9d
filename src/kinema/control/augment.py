"""Trajectory augmentation: a database of what a controller does under balanced commands.

Captured takes hold few sharp turns, stops or side steps; a network that has only seen them does not know how to obey.
A controller that searches the takes finds something for every command. Its drives are recorded here, with the feet as
its stages hold them: they are data like others, for any training (TrajAug, 2024).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.arrays import Singles
from kinema.control.command import Commands, CommandTrack
from kinema.control.controller import Controller
from kinema.control.paces import paces_of
from kinema.control.tracks import COMMANDED
from kinema.errors import UsageError
from kinema.mocap import labels
from kinema.mocap.assemble import DatabaseLayout
from kinema.mocap.contacts import leg_length
from kinema.mocap.database import Clip, MotionDatabase
from kinema.mocap.styles import SPAN, fastest, styles_of
from kinema.pose import Pose
from kinema.terrain import COURSES, Ground, Plane, heights_across, heights_around

if TYPE_CHECKING:
    from kinema.control.networks import NetworkFamily

SHARES: Mapping[str, float] = {
    "harsh": 0.4,
    "figure-eights": 0.1,
    "reversals": 0.1,
    "strafes": 0.15,
    "stops": 0.1,
    "slow": 0.1,
    "standing": 0.05,
}
"""How much of the time is spent on each track."""

TOGETHER = 64
"""Characters that are driven at once."""

LENGTH = 60.0
"""Seconds of a drive."""

RATE = 60.0
"""Steps per second."""

LEAST = 1.0
"""Minutes of a style in the data from which it is driven, if no styles are named."""

IN_A_STYLE = (2.0, 8.0)
"""Shortest and longest time, seconds, until a drive goes on in another style."""

Span = tuple[int, int, str]
"""Frames of a drive from the first up to the last, which is not included, and the name of their style."""


HEIGHTS = {"height": np.float32, "height_grid": np.float16}
"""Labels of drives over terrain: heights left of, under and right of the root, and on a grid around it."""


def driven_database(
    database: MotionDatabase,
    make: Callable[[MotionDatabase], Controller],
    minutes: float,
    seed: int = 0,
    styles: Sequence[str] = (),
    progress: Callable[[int, int], None] | None = None,
    terrain: Sequence[str] = (),
) -> MotionDatabase:
    """A database of drives by a controller, in memory, at 30 frames per second.

    A clip is one minute on one track; its tag is the name of the track. A foot is in contact while the foot lock holds
    it. Roots are at the height of the ground as the controller follows it. With several styles, drives change between
    them, and the clips' labels say which frames are in which; commands are no faster than the data of the style.

    Args:
        database: what the controller is made from.
        make: makes the controller; see `kinema.control.presets.controller_maker`.
        minutes: length of all drives together, at least 1.
        seed: chooses the commands.
        styles: which to drive in; none: all that the database has at least a minute of. Their time grows with the
            square root of what the database has, so that rare ones are seen as well.
        progress: called now and then with the seconds done and of all.
        terrain: names in `kinema.terrain.COURSES`, taken in turn; none is level ground. With them come the labels
            `height` and `height_grid` of the ground, which features read.

    Raises:
        UsageError: the minutes are less than one or not finite, the controller does not have a style, or there is no
            such course.
    """
    if not 1 <= minutes < math.inf:
        raise UsageError(f"the drives must take at least 1 minute, not {minutes:g}")
    for name in terrain:
        if name not in COURSES:
            raise UsageError(f"no course is named {name!r}; there are {', '.join(COURSES)}")
    controller, rng = make(database), np.random.default_rng(seed)
    paces, clips = paces_of(database), round(60 * minutes / LENGTH)
    names = rng.choice(list(SHARES), clips, p=list(SHARES.values())).tolist()
    # By turns as fast as standard tracks and up to a gallop; people have one share.
    shares_of_speeds = [paces.share + (at % 4) / 3 * (paces.top_share - paces.share) for at in range(clips)]
    tracks = [
        _track(name, int(rng.integers(2**31)), share) for name, share in zip(names, shares_of_speeds, strict=True)
    ]
    shares = _shares_of_styles(database, controller, styles)
    spans = [_spans(shares, rng) for _ in names]
    limits = fastest(database) if len(shares) > 1 else {}
    groups = _groups(clips, terrain)
    arrays: dict[str, list[NDArray[Any]]] = {}
    entries: list[Clip] = []
    total, frames = len(groups) * int(LENGTH), round(LENGTH * RATE / 2)
    for done, (course, chosen) in enumerate(groups):
        advance = None if progress is None else lambda second, at=done: progress(at * int(LENGTH) + second, total)
        controller.ground = COURSES[course](seed + done) if course else Plane()
        commands = _commands([tracks[at] for at in chosen], [spans[at] for at in chosen], limits)
        columns = _columns(controller, commands, len(chosen), advance)
        if course:
            columns |= _heights(controller.ground, columns)
        for name, array in columns.items():
            arrays.setdefault(name, []).append(array)
        for at in chosen:
            start = len(entries) * frames
            styled = tuple((first, last, SPAN + style) for first, last, style in spans[at])
            tags = (names[at], "driven", *([course] if course else []))
            entries.append(Clip(f"{names[at]} {at}", "", start, start + frames, tags=tags, labels=styled))
    whole = {name: np.concatenate(parts) for name, parts in arrays.items()}
    seen = {name: whole.pop(name) for name in HEIGHTS if name in whole}
    driven = MotionDatabase(database.layout, RATE / 2, entries, whole, {"driven": minutes, "seed": seed})
    driven.labels.update(labels.gait(driven) | labels.goals(driven) | seen)
    return driven


def _groups(clips: int, terrain: Sequence[str]) -> list[tuple[str, list[int]]]:
    """The clips that are driven at once, each with the name of their course; empty for level ground."""
    courses = tuple(dict.fromkeys(terrain)) or ("",)
    each = [(course, list(range(at, clips, len(courses)))) for at, course in enumerate(courses)]
    return [(course, own[first : first + TOGETHER]) for course, own in each for first in range(0, len(own), TOGETHER)]


def _heights(ground: Ground, columns: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The labels `HEIGHTS` of frames over a ground."""
    positions, headings = columns["root_positions"], rotations.yaw(columns["root_rotations"])
    values = heights_across(ground, positions, headings), heights_around(ground, positions, headings)
    return {
        name: array.reshape(len(positions), -1).astype(dtype)
        for (name, dtype), array in zip(HEIGHTS.items(), values, strict=True)
    }


def subject_of(family: NetworkFamily) -> MotionDatabase:
    """Poses that a network makes by itself, as a database in memory: what its body is like, for whoever has no data."""
    skeleton = family.skeleton
    layout = DatabaseLayout(skeleton, family.translated, family.contact_joints, family.clearance, leg_length(skeleton))
    tracks = [_track(name, seed, 1.0, seconds=10.0) for seed in range(2) for name in SHARES]
    spans: list[list[Span]] = [[] for _ in tracks]
    arrays = _columns(Controller(family), _commands(tracks, spans, {}), len(tracks), None)
    frames = len(arrays["contacts"]) // len(tracks)
    clips = [Clip(f"drive {at}", "", at * frames, (at + 1) * frames) for at in range(len(tracks))]
    return MotionDatabase(layout, RATE / 2, clips, arrays, {"driven": frames / RATE})


def _track(name: str, seed: int, share: float, seconds: float = LENGTH) -> CommandTrack:
    """A track, at a pace of its own, so that all speeds occur."""
    track = COMMANDED[name](seconds, seed).scaled(share * np.random.default_rng(seed).uniform(0.7, 1.15))
    assert isinstance(track, CommandTrack)
    return track


def _shares_of_styles(database: MotionDatabase, controller: Controller, styles: Sequence[str]) -> dict[str, float]:
    """Styles to drive in, and the shares of the time that they get."""
    there, known = styles_of(database.clips), getattr(controller.family, "styles", ())
    usable = [name for name in there if name in known]
    for name in styles:
        if name not in usable:
            raise UsageError(f"no style is named {name!r}; there are {', '.join(usable) or 'none'}")
    least = 60 * LEAST * database.fps
    chosen = styles or [name for name in usable if there[name] >= least] or list(there)[:1]
    roots = {name: math.sqrt(there[name]) for name in chosen}
    return {name: root / sum(roots.values()) for name, root in roots.items()}


def _spans(shares: Mapping[str, float], rng: np.random.Generator) -> list[Span]:
    """The styles of one drive, at random."""
    frames, spans, start = round(LENGTH * RATE / 2), [], 0
    while start < frames:
        stop = min(start + round(rng.uniform(*IN_A_STYLE) * RATE / 2), frames) if len(shares) > 1 else frames
        spans.append((start, stop, str(rng.choice(list(shares), p=list(shares.values())))))
        start = stop
    return spans


def _columns(
    controller: Controller, drive: Iterator[Commands], count: int, progress: Callable[[int], None] | None
) -> dict[str, NDArray[Any]]:
    """The arrays of a database for `count` drives under these commands, one drive after the other."""
    controller.reset(count)
    kept: list[tuple[Pose, NDArray[np.bool_]]] = []
    for step, commands in enumerate(drive):
        pose = controller.step(commands, 1.0 / RATE)
        if step % 2 == 0:
            held = controller.locked.copy() if controller.foot_lock else pose.contacts > 0.5
            kept.append((pose, held))
        if progress is not None and step % int(RATE) == 0:
            progress(step // int(RATE) + 1)

    def columns(values: Sequence[NDArray[Any]]) -> NDArray[Any]:
        stacked = np.stack(values, axis=1)
        return stacked.reshape(-1, *stacked.shape[2:])

    return {
        "root_positions": columns([pose.root_positions for pose, _ in kept]),
        "root_rotations": columns([pose.root_rotations for pose, _ in kept]),
        "local_rotations": columns([pose.local_rotations for pose, _ in kept]),
        "local_translations": columns([pose.local_translations[:, controller.family.translated] for pose, _ in kept]),
        "contacts": columns([locked.astype(np.uint8) for _, locked in kept]),
    }


def _commands(
    tracks: Sequence[CommandTrack], spans: Sequence[Sequence[Span]], limits: Mapping[str, float]
) -> Iterator[Commands]:
    """The commands of all tracks, step by step, in the styles of their spans, with the highest speeds of styles."""

    def sampled(values: Callable[[CommandTrack], Singles]) -> Singles:
        return np.stack([replace(track, velocities=values(track)).sampled(RATE) for track in tracks], axis=1)

    velocities, facings = sampled(lambda track: track.velocities), sampled(lambda track: track.facings)
    for step, (velocity, facing) in enumerate(zip(velocities, facings, strict=True)):
        words = [next((style for start, stop, style in own if start <= step // 2 < stop), "") for own in spans]
        yield Commands.create(velocity, facing, words).slowed([limits.get(word, math.inf) for word in words])
