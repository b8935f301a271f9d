"""What the numbers of a model mean: all that is needed, with its options, to make it again from a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kinema.arrays import Indices
from kinema.features import FeatureSpec
from kinema.mocap import MotionDatabase
from kinema.mocap.assemble import skeleton_from_json, skeleton_to_json
from kinema.pose import Pose
from kinema.skeleton import Skeleton

_PARTS = ("local_rotations", "local_translations", "contacts")


def _none() -> Indices:
    return np.zeros(0, np.int32)


@dataclass(frozen=True, eq=False)
class Setting:
    """What a model is made for; models without a body leave out what they do not need.

    Attributes:
        specs: features of its vectors, by a name of the task's choice, such as "x" and "y".
        skeleton: the body; None for models of other things.
        fps: frame rate of the motion.
        translated: int32 `[T]`: joints whose distance to their parent is not fixed.
        more: what else the task needs, as JSON values, such as sizes or the hash of a frozen base.
    """

    specs: Mapping[str, FeatureSpec] = field(default_factory=dict)
    skeleton: Skeleton | None = None
    fps: float = 0.0
    translated: Indices = field(default_factory=_none)
    more: Mapping[str, Any] = field(default_factory=dict)

    @staticmethod
    def of(database: MotionDatabase, specs: Mapping[str, FeatureSpec], **more: Any) -> Setting:
        """The setting of models for the body of a database."""
        return Setting(specs, database.skeleton, database.fps, database.translated, more)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "fps": self.fps,
            "skeleton": None if self.skeleton is None else skeleton_to_json(self.skeleton),
            "translated": self.translated.tolist(),
            "specs": {name: spec.to_dict() for name, spec in self.specs.items()},
            "more": dict(self.more),
        }

    @staticmethod
    def from_dict(values: Mapping[str, Any]) -> Setting:
        """The inverse of `to_dict`.

        Raises:
            DatabaseError, SkeletonError, KeyError, TypeError, ValueError: the values are damaged.
        """
        skeleton = None if values["skeleton"] is None else skeleton_from_json(values["skeleton"])
        specs: dict[str, FeatureSpec] = {}
        if skeleton is not None:
            specs = {name: FeatureSpec.from_dict(spec, skeleton) for name, spec in values["specs"].items()}
        return Setting(
            specs,
            skeleton,
            float(values["fps"]),
            np.asarray(values["translated"], np.int32),
            dict(values["more"]),
        )

    def difference(self, skeleton: Skeleton | None, specs: Mapping[str, FeatureSpec]) -> str | None:
        """What makes the model useless for a body or for features, in one line; None if nothing does.

        Args:
            skeleton: None does not compare it. specs: those to compare, by name.
        """
        if skeleton is not None:
            found = "it has no skeleton" if self.skeleton is None else difference_of_skeletons(self.skeleton, skeleton)
            if found:
                return found
        for name, spec in specs.items():
            found = self.specs[name].difference(spec) if name in self.specs else "it has no such features"
            if found:
                return f"features {name!r}: {found}"
        return None


def difference_of_skeletons(model: Skeleton, other: Skeleton) -> str | None:
    """What makes poses of a model's skeleton useless on another, in one line; None if nothing does."""
    if model.names != other.names:
        only = sorted(set(model.names) ^ set(other.names))[:6]
        if only:
            return f"joints {', '.join(only)} are not in both"
        at = next(i for i, names in enumerate(zip(model.names, other.names, strict=True)) if names[0] != names[1])
        return f"the order of joints differs: joint {at} is {model.names[at]!r} in the model, {other.names[at]!r} here"
    if not model.same_topology(other):
        at = int(np.flatnonzero(model.parents != other.parents)[0])
        return f"the parents of joints differ, first that of {model.names[at]!r}"
    apart = np.linalg.norm(model.rest_translations - other.rest_translations, axis=-1)
    size = max(float(np.abs(model.rest_translations).max()), 1e-6)
    worst = int(np.argmax(apart))
    if apart[worst] > 0.02 * size:
        return f"bone {model.names[worst]!r} differs by {100 * float(apart[worst]):.1f} cm"
    return None


def pose_to_json(pose: Pose) -> dict[str, Any]:
    """One pose, without its root, as JSON values for `Setting.more`."""
    return {name: np.asarray(getattr(pose, name), np.float64).round(6).tolist() for name in _PARTS}


def pose_from_json(skeleton: Skeleton, values: Mapping[str, Any]) -> Pose:
    """The inverse of `pose_to_json`.

    Raises:
        SkeletonError, KeyError, TypeError, ValueError: the values are damaged.
    """
    arrays = {
        name: np.asarray(values[name], np.float32) for name in ("local_rotations", "local_translations", "contacts")
    }
    if not all(np.isfinite(array).all() for array in arrays.values()):
        raise ValueError("a pose is not finite")
    return Pose(skeleton, **arrays)
