"""A run of consecutive frames of a database, with the arrays that features are computed from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Bytes, Indices, Ints, Singles
from kinema.errors import DatabaseError
from kinema.features import kernels
from kinema.features.feature import Feature
from kinema.pose import Pose
from kinema.skeleton import Skeleton

if TYPE_CHECKING:
    from kinema.mocap.database import Clip


class FeatureSource(Protocol):
    """What features are computed from; `kinema.mocap.MotionDatabase` is one.

    Top joints of its poses are relative to the root frame, which has a yaw rotation and a position on the ground. A
    source may also have `labels`: a mapping from names to arrays `[N, ...]`.
    """

    @property
    def skeleton(self) -> Skeleton: ...
    @property
    def fps(self) -> float: ...
    @property
    def clips(self) -> Sequence[Clip]: ...
    @property
    def contact_joints(self) -> Sequence[int] | Indices: ...
    @property
    def root_positions(self) -> Singles: ...
    @property
    def root_rotations(self) -> Singles: ...
    @property
    def contacts(self) -> Bytes: ...
    def pose(self, frames: Any) -> Pose: ...


def clip_limits(source: FeatureSource) -> tuple[Ints, Ints]:
    """For each frame `[N]`, the first and last frame (inclusive) of its clip.

    Raises:
        DatabaseError: the clips do not cover all frames in order, without gaps.
    """
    starts = np.array([clip.start for clip in source.clips], np.int64)
    stops = np.array([clip.stop for clip in source.clips], np.int64)
    count = len(source.root_positions)
    gapless = len(starts) and starts[0] == 0 and stops[-1] == count and (starts[1:] == stops[:-1]).all()
    if not gapless or (stops <= starts).any():
        raise DatabaseError(f"the clips must cover frames 0 to {count} in order, without gaps and none empty")
    return np.repeat(starts, stops - starts), np.repeat(stops - 1, stops - starts)


class Frames:
    """Frames `first` to `last` (exclusive) of a source. Arrays are relative to the root frame of each unless stated."""

    def __init__(self, source: FeatureSource, first: int, last: int, low: Ints, high: Ints) -> None:
        """`low` and `high` are those of `clip_limits`, for the whole source."""
        self.source, self.first, self.last = source, first, last
        self.count = last - first
        self.dt = 1.0 / source.fps
        # Clips cut by the run's ends: there, times clamp to the run; callers pad the run so that it does not matter.
        self.low = np.maximum(low[first:last] - first, 0)
        self.high = np.minimum(high[first:last] - first, self.count - 1)

    @cached_property
    def roots(self) -> Singles:
        """Root frames in the world [n, 5]: x, y, z, m, and the facing direction (x, z) = (sin, cos) of the yaw."""
        roots = np.empty((self.count, 5), np.float32)
        roots[:, :3] = self.source.root_positions[self.first : self.last]
        w, _, y, _ = np.asarray(self.source.root_rotations[self.first : self.last]).T
        roots[:, 3], roots[:, 4] = 2.0 * w * y, w * w - y * y
        return roots

    @cached_property
    def pose(self) -> Pose:
        """Poses [n]."""
        return self.source.pose(slice(self.first, self.last))

    @cached_property
    def planar_velocities(self) -> Singles:
        """Root velocities in the world `[n, 2]` (x, z), m/s."""
        return kernels.planar_velocities(self.roots, self.low, self.high, self.dt)

    @property
    def contacts(self) -> Bytes:
        """Contact labels `[n, C]`."""
        return np.asarray(self.source.contacts[self.first : self.last])

    def joints(self, feature: Feature) -> Indices:
        """Joint indices of a feature."""
        return feature.joint_indices(self.source.skeleton)

    def offsets(self, feature: Feature) -> Ints:
        """A feature's times in frames."""
        return feature.offsets(self.source.fps)

    def contact_columns(self, feature: Feature) -> list[int]:
        """For each joint of a contact feature, the column of `contacts`: its own, or that of its leg.

        Raises:
            DatabaseError: a joint belongs to no leg with contacts.
        """
        labelled = [int(joint) for joint in self.source.contact_joints]
        columns = [_contact_column(self.source.skeleton, labelled, joint) for joint in self.joints(feature).tolist()]
        if None in columns:
            names = self.source.skeleton.names
            joint = names[self.joints(feature)[columns.index(None)]]
            known = ", ".join(names[own] for own in labelled)
            raise DatabaseError(f"no contacts are known for joint {joint!r}; they are for: {known}")
        return [column for column in columns if column is not None]

    def optional_label(self, name: str) -> NDArray[Any] | None:
        """Label `[n, ...]`, or None if the source has no label of that name."""
        values = getattr(self.source, "labels", {}).get(name)
        return None if values is None else np.asarray(values[self.first : self.last])

    def label(self, name: str) -> NDArray[Any]:
        """Label `[n, ...]`.

        Raises:
            DatabaseError: the source has no such label.
        """
        values = self.optional_label(name)
        if values is None:
            known = ", ".join(sorted(getattr(self.source, "labels", {}))) or "none"
            raise DatabaseError(
                f"the database has no label {name!r}; its labels: {known} (phases come from `kinema label`)"
            )
        return values

    def label_or_tag(self, name: str) -> Singles:
        """Label `[n]` as a number. Without such a label: 1 in frames labelled with the tag and in clips with it."""
        values = self.optional_label(name)
        if values is not None:
            return np.asarray(values, np.float32).reshape(self.count)
        clips = self.source.clips
        # A tag that labels some frames of a clip holds in these only.
        spans = [[(start, stop) for start, stop, words in clip.labels if words == name] for clip in clips]
        tagged = [name in clip.tags and not some for clip, some in zip(clips, spans, strict=True)]
        if not any(tagged) and not any(spans):
            known = ", ".join(sorted({tag for clip in clips for tag in clip.tags})) or "none"
            raise DatabaseError(f"no label and no tag is named {name!r}; the tags: {known}")
        stops = np.array([clip.stop for clip in clips], np.int64)
        held = np.array(tagged, np.float32)[np.searchsorted(stops, np.arange(self.first, self.last), side="right")]
        for clip, some in zip(clips, spans, strict=True):
            for start, stop in some:
                held[max(clip.start + start - self.first, 0) : max(clip.start + stop - self.first, 0)] = 1.0
        return held


def _contact_column(skeleton: Skeleton, labelled: list[int], joint: int) -> int | None:
    """The column of a joint's own contacts or, without these, of the only labelled joint above or below it."""
    if joint in labelled:
        return labelled.index(joint)
    above = set(skeleton.ancestors(joint))
    near = [c for c, own in enumerate(labelled) if own in above or joint in skeleton.ancestors(own)]
    return near[0] if len(near) == 1 else None
