"""Motion matching: the plan is the rest of the clip whose features best fit the desired trajectory and current pose.

After S. Clavet, "Motion Matching and the Road to Next-Gen Animation", GDC 2016, and D. Holden et al., "Learned Motion
Matching", SIGGRAPH 2020.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kinema import rotations, springs
from kinema.control import plan_kernels
from kinema.control.family import ALL, Cost, Moment, Rows
from kinema.control.membership import carried
from kinema.control.query import Query
from kinema.features.extract import extract
from kinema.features.index import BoxIndex, Index, valid_until_end
from kinema.features.presets import motion_matching
from kinema.features.spec import FeatureSpec, Normalizer
from kinema.features.statistics import Statistics
from kinema.mocap.contacts import relative_size, tempo
from kinema.mocap.database import MotionDatabase
from kinema.mocap.styles import NORMAL, main_style, root_rates, still_frame, style_numbers, style_of
from kinema.pose import Pose

_STILL = 0.1  # m/s or rad/s of an adult; slower bodies stand
_TURNED = 0.35  # rad; a body that is turned further from its command does not stand yet
_WHILE = 3.0  # s; whoever stands does so at least that long, where the data do
_GOING = 0.3  # m/s of an adult; slower bodies keep their own pace
_STOPPING = 0.06  # half-life with which the pace of an adult changes, seconds
_VARIED = 0.8  # metres by which trajectories of an adult vary, at most
_MANY = 16  # styles beyond which their distances are only about equal


@dataclass(frozen=True)
class MatchSettings:
    """Settings of the search.

    Attributes:
        stay: fraction by which another frame must be better than continuing. Keeps the number of transitions low.
        gain: cost by which it must be better at least.
        style, side: added to the cost of frames of another style, and of the mirror image; see
            `kinema.mocap.styles.style_of`.
        paces: slowest and fastest pace at which a clip is played to go as fast as the command, relative to its own.
        ending: seconds before a clip's end in which a new plan is forced.
        nearby: seconds around the current frame that do not count as an alternative to continuing.
        margin: seconds before a clip's end in which no plan begins.
    """

    stay: float = 0.5
    gain: float = 0.5
    style: float = 6.0
    side: float = 1.0
    paces: tuple[float, float] = (0.7, 1.2)
    ending: float = 0.2
    nearby: float = 0.3
    margin: float = 0.4


class MotionMatching:
    """The motion matching family. One instance serves one controller.

    A commanded style is a tag of clips, all of their tags that are no `PLAIN` words, or `NORMAL` for clips without any
    such. Only these clips are played then; of a mix the style with the largest share, since clips cannot be mixed. A
    word that is no style is ignored.

    Args:
        database: the clips.
        spec: features with joints and a planar trajectory (`trajectory.position`, `trajectory.direction`);
            default: `kinema.features.presets.motion_matching`.
        allowed: bool `[N]`, frames that may be played; default all.

    Raises:
        ControlError: no frame may be played.
    """

    def __init__(
        self,
        database: MotionDatabase,
        spec: FeatureSpec | None = None,
        settings: MatchSettings | None = None,
        allowed: NDArray[np.bool_] | None = None,
    ) -> None:
        self.database, self.settings = database, settings or MatchSettings()
        self.spec = spec = spec or motion_matching(database.skeleton)
        raw = extract(database, spec)
        statistics = Statistics.of(raw)
        self.normalizer = _normalizer(spec, statistics)
        self.features = self.normalizer.normalize(raw)
        lengths = [clip.frames for clip in database.clips]
        self.usable = valid_until_end(lengths, round(self.settings.margin * database.fps))
        if allowed is not None:
            self.usable = self.usable & allowed
        # Styles and sides are features of the search as well, so that it keeps to them.
        self._marks = _marks(database, self.settings)
        self._index: Index = BoxIndex.build(np.concatenate([self.features, self._marks], axis=1), self.usable)
        self.skeleton = database.skeleton
        self.translated = database.translated
        self.contact_joints = database.contact_joints
        self._position, self._direction = spec["trajectory.position"], spec["trajectory.direction"]
        self.times = next(f.times for f in spec.features if f.name == "trajectory.position")
        self._rotations = np.asarray(database.local_rotations)
        self._translations = np.asarray(database.local_translations).reshape(database.frames, -1)
        self._contacts = np.asarray(database.contacts)
        self._starts = np.asarray([clip.start for clip in database.clips])
        self._stops = np.asarray([clip.stop for clip in database.clips])
        self._root = root_rates(database)
        self._tempo = pace = tempo(database.skeleton)
        speed = np.linalg.norm(self._root[:, :3], axis=-1) / pace + np.abs(self._root[:, 3]) * pace
        left = _standing_time(database, speed)
        self._stands = left > 0
        self._rests = self.usable & (left >= min(_WHILE, 0.5 * float(left.max()))) & self._stands
        self._still_frame = still_frame(database, self.usable)
        tags = [frozenset((*clip.tags, style_of(clip) or NORMAL)) for clip in database.clips]
        self.styles = tuple(sorted(frozenset().union(*tags)))
        self._tags = tags
        self._of_style: dict[str, NDArray[np.bool_]] = {}
        self._to_stand: dict[str, NDArray[np.bool_] | None] = {}
        self._search_us = 0.0
        self._cost = 0.0
        self.reset(1)

    @property
    def cost(self) -> Cost:
        """Poses and features, which it needs at run time; the search's boxes are small."""
        held = (self._rotations, self._translations, self._contacts, self._root, self.features, self._marks)
        return Cost(sum(array.nbytes for array in held) / 1e6)

    def reset(self, count: int) -> None:
        """Restart with `count` characters at the stillest frame of the database."""
        self._cursor = np.full(count, float(self._still_frame))
        self._clip = np.full(count, int(np.searchsorted(self._starts, self._still_frame, side="right")) - 1)
        self._pace, self._stopping = np.ones(count, np.float32), np.zeros(count, np.bool_)

    def select(self, keep: NDArray[np.integer], added: int) -> None:
        """Keep the characters `keep`, in that order, and add `added` new ones at the stillest frame."""
        clip = int(np.searchsorted(self._starts, self._still_frame, side="right")) - 1
        self._cursor = carried(self._cursor, keep, added, float(self._still_frame))
        self._clip = carried(self._clip, keep, added, clip)
        self._pace = carried(self._pace, keep, added, 1)
        self._stopping = carried(self._stopping, keep, added, False)

    @property
    def frames(self) -> NDArray[np.int64]:
        """The database frame nearest to each character's place in its plan, `[n]`."""
        return np.rint(self._cursor).astype(np.int64)

    @property
    def diagnostics(self) -> Mapping[str, float]:
        return {"search_us": self._search_us, "cost": self._cost}

    def features_now(self) -> dict[str, NDArray[np.float32]]:
        """The features that the search compares, at the current moments of the plans; see `ShowsFeatures`."""
        base = self._cursor.astype(np.int64)
        after = np.minimum(base + 1, self._stops[self._clip] - 1)
        share = (self._cursor - base)[:, None].astype(np.float32)
        present = self.features[base] + share * (self.features[after] - self.features[base])
        return self.spec.split(self.normalizer.denormalize(present.astype(np.float32)))

    def query(
        self, frames: NDArray[np.int64], positions: NDArray[np.float32], directions: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Normalised queries `[n, D]`: features of `frames` `[n]` with the desired trajectories `[n, S, 3]`."""
        query = self.features[frames]
        for part, wanted in ((self._position, positions), (self._direction, directions)):
            flat = wanted[..., [0, 2]].reshape(len(wanted), -1)
            query[:, part] = (flat - self.normalizer.offset[part]) / self.normalizer.scale[part]
        return query

    def replan(self, query: Query) -> NDArray[np.bool_]:
        """Search for the characters that are due. Jump where another frame is better by the margin; see `Family`."""
        positions, directions = query.path(self.times)
        rows = np.flatnonzero(query.due)
        present = self.frames[rows]
        vectors = self.query(present, positions[rows], directions[rows])
        current_cost = ((self.features[present] - vectors) ** 2).sum(-1)
        fps = self.database.fps
        near_end = self._stops[self._clip[rows]] - 1 - self._cursor[rows] < self.settings.ending * fps
        styles = [main_style(query.commands.styles[row]) for row in rows]
        if any(styles):
            near_end |= [
                style in self.styles and not self._in_style(style)[at]
                for style, at in zip(styles, present, strict=True)
            ]
        still = _should_stand(query, self._tempo)[rows]
        least = np.maximum(current_cost * self.settings.stay, self.settings.gain)
        resting = np.array([self._frames_to_stand(style) is not None for style in styles])
        # Who should stand and goes on all the same comes to rest whatever it costs.
        gone = still & resting & (np.linalg.norm(self._root[present, :3], axis=-1) > self._tempo * _GOING)
        bound = np.where(near_end | gone, np.inf, current_cost - least).astype(np.float32)
        vectors = np.concatenate([vectors, self._marks[present]], axis=1)
        began = time.perf_counter()
        found, cost = self._search(vectors, bound, styles, still & resting)
        self._search_us = 1e6 * (time.perf_counter() - began) / len(rows)
        self._cost = float(cost.mean())
        nearby = (np.abs(found - present) < self.settings.nearby * fps) & ~near_end
        settled = still & (self._stands[present] | ~resting) & ~near_end
        better = (found >= 0) & ~nearby & ~settled
        switched = np.zeros(len(query.due), np.bool_)
        switched[rows[better]] = True
        self._cursor[rows[better]] = found[better]
        self._clip[rows[better]] = np.searchsorted(self._starts, found[better], side="right") - 1
        return switched

    def _search(
        self, vectors: NDArray[np.float32], bound: NDArray[np.float32], styles: list[str], standing: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The best frames `[n]` of the commanded styles, among frames that stand for those `standing`, and costs."""
        found, cost = np.full(len(vectors), -1), bound.copy()
        for style, stand in set(zip(styles, standing.tolist(), strict=True)):
            mine = np.array([other == style for other in styles]) & (standing == stand)
            allowed = self._in_style(style) if style in self.styles else None
            if stand:
                allowed = self._frames_to_stand(style)
            found[mine], cost[mine] = self._index.search(vectors[mine], bound=bound[mine], allowed=allowed)
        return found, cost

    def _frames_to_stand(self, style: str) -> NDArray[np.bool_] | None:
        """Which frames `[N]` somebody who should stand in a style may go to; None if the style never stands."""
        if style not in self._to_stand:
            frames = self._rests & self._in_style(style) if style in self.styles else self._rests
            self._to_stand[style] = frames if frames.any() else None
        return self._to_stand[style]

    def _in_style(self, style: str) -> NDArray[np.bool_]:
        """Which frames `[N]` belong to clips in this style."""
        if style not in self._of_style:
            lengths = [clip.frames for clip in self.database.clips]
            self._of_style[style] = np.repeat([style in tags for tags in self._tags], lengths)
        return self._of_style[style]

    def advance(self, query: Query, dt: float) -> None:
        """Advance along the clips by `dt` seconds, up to their last frames.

        Clips are played faster or slower to keep up with the command: a root that is pulled instead leaves its feet
        behind. When standing is commanded, a plan stops with all feet on the ground, or most of them where the data
        has no idling. Otherwise the search would play short stretches that lead nowhere, over and over.
        """
        around, weights = self._around(0.0)
        root = plan_kernels.sample_values(self._root, around, weights)
        speed = np.linalg.norm(root[:, :3], axis=-1) / self._tempo
        contacts = plan_kernels.sample_values(self._contacts, around, weights)
        supported = (contacts > 0.5).all(axis=-1) if self._rests.any() else _supported(contacts)
        self._stopping = _should_stand(query, self._tempo) & (speed > _STILL) & (supported | self._stopping)
        wanted = np.linalg.norm(query.trajectory.velocity, axis=-1) / self._tempo
        going = (speed > _GOING) & (wanted > _GOING)
        rate = np.where(going, np.clip(wanted / np.maximum(speed, _GOING), *self.settings.paces), 1.0)
        self._pace = springs.approach(
            self._pace, np.where(self._stopping, 0.0, rate), self._tempo * _STOPPING, dt
        ).astype(np.float32)
        self._cursor = np.minimum(self._cursor + dt * self._pace * self.database.fps, self._stops[self._clip] - 1)

    def sample(self, offset: float = 0.0, rows: Rows = ALL) -> Moment:
        """Catmull-Rom interpolation between the frames of the clips; see `Family`."""
        around, weights = self._around(offset, rows)
        moved = plan_kernels.sample_values(self._translations, around, weights).reshape(len(around), -1, 3)
        pose = Pose(
            self.skeleton,
            plan_kernels.sample_rotations(self._rotations, around, weights),
            self.skeleton.translations(self.translated, moved),
            contacts=plan_kernels.sample_values(self._contacts, around, weights).clip(0, 1),
        )
        root, pace = plan_kernels.sample_values(self._root, around, weights), self._pace[rows]
        return Moment(pose, root[:, :3] * pace[:, None], root[:, 3] * pace)

    def _around(self, offset: float, rows: Rows = ALL) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Frames `[n, 4]` around the moment `offset` seconds from now, and their weights."""
        clip, pace = self._clip[rows], self._pace[rows].astype(np.float64)
        places = self._cursor[rows] + offset * self.database.fps * pace
        return plan_kernels.stencils(places, self._starts[clip], self._stops[clip] - 1)


def _normalizer(spec: FeatureSpec, statistics: Statistics) -> Normalizer:
    """How features are compared: by how much they vary, but trajectories never by more than `_VARIED`.

    A body that also gallops would else be content to stand where it should walk.
    """
    usual = spec.normalizer(statistics.mean, statistics.std, allow_constant=True)
    scale = usual.scale.copy()
    for feature in spec.features:
        if feature.kind == "trajectory.position":
            most = _VARIED * relative_size(spec.skeleton) / feature.weight
            scale[spec[feature.name]] = np.minimum(scale[spec[feature.name]], most)
    return replace(usual, scale=scale)


def _should_stand(query: Query, tempo: float) -> NDArray[np.bool_]:
    """Who `[n]` should stand, and need not turn; see `kinema.mocap.contacts.tempo`."""
    trajectory = query.trajectory
    turns = rotations.wrap(trajectory.wanted_heading(query.commands) - query.root_headings)
    return (np.linalg.norm(trajectory.velocity, axis=-1) < tempo * _STILL) & (np.abs(turns) < _TURNED)


def _supported(contacts: NDArray[np.number]) -> NDArray[np.bool_]:
    """Where `[...]` most feet `[..., C]` are on the ground: both of two. Horses rest a leg while they stand."""
    return np.count_nonzero(np.greater(contacts, 0.5), axis=-1) > contacts.shape[-1] // 2


def _standing_time(database: MotionDatabase, speed: NDArray[np.float32]) -> NDArray[np.float64]:
    """Seconds `[N]` for which the body goes on standing on its feet, at most until its clip ends; 0 if it moves."""
    still = (speed < _STILL) & _supported(np.asarray(database.contacts))
    ends = np.array([clip.stop for clip in database.clips])
    stops = np.sort(np.concatenate([np.flatnonzero(~still), ends]))
    frames = np.arange(len(still))
    return np.where(still, stops[np.searchsorted(stops, frames, side="right")] - frames, 0) / database.fps


def _marks(database: MotionDatabase, settings: MatchSettings) -> NDArray[np.float32]:
    """Vectors `[N, M]` whose squared distance is the cost of a change of style or side."""
    clips = database.clips
    styles, count = style_numbers(clips), len({style_of(clip) for clip in clips})
    # Unit vectors at right angles to each other, or nearly so where there are many styles.
    axes = np.eye(count) if count <= _MANY else np.random.default_rng(0).normal(size=(count, _MANY))
    axes = axes / np.linalg.norm(axes, axis=1, keepdims=True) if count > 1 else np.zeros((1, 0))
    sides = np.array([[clip.mirrored] for clip in clips], np.float32)
    marks = np.concatenate([math.sqrt(0.5 * settings.style) * axes[styles], math.sqrt(settings.side) * sides], axis=1)
    return np.repeat(marks.astype(np.float32), [clip.frames for clip in clips], axis=0)
