"""An ordered list of features on a skeleton, with named slices, normalisation by group, mirroring and a stable hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Ints, Reals, Singles
from kinema.errors import DatabaseError
from kinema.features.feature import Feature
from kinema.skeleton import Skeleton

VERSION = 1


@dataclass(frozen=True, eq=False)
class Normalizer:
    """An affine scaling of feature vectors. The numbers of one feature share a scale, so they stay comparable.

    Attributes:
        offset: mean `[D]`. scale: `[D]`, the same for all numbers of a feature; positive.
    """

    offset: Singles
    scale: Singles

    def normalize(self, x: Singles) -> Singles:
        """Vectors `[..., D]` to normalised ones."""
        return (x - self.offset) / self.scale

    def denormalize(self, x: Singles) -> Singles:
        """The inverse of `normalize`."""
        return x * self.scale + self.offset


@dataclass(frozen=True, eq=False)
class FeatureSpec:
    """The meaning of a vector: features in order, on a skeleton. `spec["trajectory.position"]` is a feature's slice.

    A feature's numbers are ordered by time, then joint, then component.
    """

    features: tuple[Feature, ...]
    skeleton: Skeleton

    def __post_init__(self) -> None:
        object.__setattr__(self, "features", tuple(self.features))
        repeated = {name for name in self.names if self.names.count(name) > 1}
        if repeated or not self.features:
            what = f"repeats {', '.join(sorted(repeated))}" if repeated else "is empty"
            raise DatabaseError(f"a feature spec {what}; it needs features with different names")

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the features, in order."""
        return tuple(feature.name for feature in self.features)

    @cached_property
    def slices(self) -> dict[str, slice]:
        """Where each feature is in the vector."""
        ends = np.cumsum([feature.dim(self.skeleton) for feature in self.features]).tolist()
        return {f.name: slice(a, b) for f, a, b in zip(self.features, [0, *ends[:-1]], ends, strict=True)}

    def __getitem__(self, name: str) -> slice:
        if name not in self.slices:
            raise DatabaseError(f"no feature is named {name!r}; the features are: {', '.join(self.names)}")
        return self.slices[name]

    @cached_property
    def dim(self) -> int:
        """Length of the vector."""
        return sum(feature.dim(self.skeleton) for feature in self.features)

    def describe(self) -> str:
        """A plain table: slice, name, kind, shape (times x entries x components), frame, weight."""
        rows = [("columns", "name", "kind", "shape", "frame", "weight")]
        for feature in self.features:
            place = self.slices[feature.name]
            shape = " x ".join(map(str, feature.shape(self.skeleton)))
            columns = f"{place.start}-{place.stop - 1}"
            rows.append((columns, feature.name, feature.kind, shape, feature.frame, f"{feature.weight:g}"))
        widths = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        return "\n".join([*lines, f"{self.dim} numbers"])

    def split(self, x: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Views `[..., dim of feature]` of vectors `[..., D]`, by name."""
        return {name: x[..., place] for name, place in self.slices.items()}

    def join(self, parts: Mapping[str, NDArray[Any]]) -> Singles:
        """The inverse of `split`; parts may also have the shape `[..., T, entries, components]`.

        Raises:
            DatabaseError: a feature is missing, or its part has the wrong size.
        """
        vectors = []
        for feature in self.features:
            if feature.name not in parts:
                raise DatabaseError(f"feature {feature.name!r} is missing; given: {', '.join(sorted(parts))}")
            part, dim = np.asarray(parts[feature.name], np.float32), feature.dim(self.skeleton)
            if part.shape[-1] != dim:
                shape = feature.shape(self.skeleton)
                if part.shape[-3:] != shape:
                    raise DatabaseError(f"feature {feature.name!r} has {dim} numbers {shape}, not {list(part.shape)}")
                part = part.reshape(*part.shape[:-3], dim)
            vectors.append(part)
        return np.concatenate(vectors, axis=-1)

    def decode(self, y: Singles, only: Container[str] | None = None) -> dict[str, Any]:
        """Decoded vectors `[..., D]`, by name, of all features or of some; see `Feature.decode`."""
        wanted = [f for f in self.features if only is None or f.name in only]
        return {f.name: f.decode(y[..., self.slices[f.name]], self.skeleton) for f in wanted}

    @cached_property
    def mirror_map(self) -> tuple[Ints, Singles]:
        """Permutation `[D]` and signs `[D]` of `mirror`."""
        parts = [feature.mirror(self.skeleton) for feature in self.features]
        starts = [place.start for place in self.slices.values()]
        permutation = np.concatenate([start + part[0] for start, part in zip(starts, parts, strict=True)])
        return permutation, np.concatenate([part[1] for part in parts])

    def mirror(self, x: Singles) -> Singles:
        """Vectors `[..., D]` of the mirrored motion.

        Raises:
            SkeletonError: see `Feature.mirror`.
        """
        permutation, signs = self.mirror_map
        return x[..., permutation] * signs

    def group_std(self, std: Reals) -> Singles:
        """Mean standard deviation of each feature [len(features)] from those of all columns `[D]`."""
        return np.array([np.mean(std[place]) for place in self.slices.values()], np.float32)

    def normalizer(self, mean: Reals, std: Reals, *, allow_constant: bool = False) -> Normalizer:
        """Scale each feature by the mean of its standard deviations over its weight.

        One scale per feature, as in D. Holden's motion matching: weights have equal effect in search and training.

        Args:
            mean, std: mean and standard deviation of each column, `[D]`.
            allow_constant: leave features that never change unscaled instead of refusing them.

        Raises:
            DatabaseError: a feature never changes (nearly always a mistake in the data or in the feature).
        """
        scale = np.ones(self.dim, np.float32)
        for feature, group in zip(self.features, self.group_std(std), strict=True):
            if not np.isfinite(group) or (group <= 1e-8 and not allow_constant):
                raise DatabaseError(f"feature {feature.name!r} has standard deviation {group:g} here: remove it")
            scale[self.slices[feature.name]] = (group if group > 1e-8 else 1.0) / feature.weight
        return Normalizer(np.asarray(mean, np.float32), scale)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON: features and the joints they are about."""
        return {
            "version": VERSION,
            "features": [feature.to_dict() for feature in self.features],
            "joints": list(self.skeleton.names),
            "parents": self.skeleton.parents.tolist(),
            "hash": self.hash,
        }

    @staticmethod
    def from_dict(values: Mapping[str, Any], skeleton: Skeleton) -> FeatureSpec:
        """The inverse of `to_dict`.

        Raises:
            DatabaseError: version, skeleton or hash differ; the message says how.
        """
        if values.get("version") != VERSION:
            raise DatabaseError(f"the feature spec has version {values.get('version')!r}, not {VERSION}")
        joints, parents = list(values.get("joints", ())), list(values.get("parents", ()))
        if joints != list(skeleton.names) or parents != skeleton.parents.tolist():
            other = sorted(set(joints) ^ set(skeleton.names))
            what = f"joints {', '.join(other[:8])} are not in both" if other else "order or parents of joints differ"
            raise DatabaseError(f"the feature spec is for another skeleton: {what}")
        spec = FeatureSpec(tuple(Feature.from_dict(feature) for feature in values.get("features", ())), skeleton)
        if values.get("hash") not in (None, spec.hash):
            raise DatabaseError(f"the feature spec says hash {values['hash']} but its features have {spec.hash}")
        return spec

    @cached_property
    def hash(self) -> str:
        """16 hexadecimal digits; equal if and only if features, joint names and parents are."""
        content = [[f.to_dict() for f in self.features], list(self.skeleton.names), self.skeleton.parents.tolist()]
        text = json.dumps([VERSION, *content], sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def difference(self, other: FeatureSpec) -> str | None:
        """The first difference from another spec, in one line; None if there is none."""
        if self.hash == other.hash:
            return None
        if not self.skeleton.same_topology(other.skeleton):
            return "the skeletons differ"
        mine, theirs = ({f.name: f.to_dict() for f in spec.features} for spec in (self, other))
        missing = [f"no {name!r}" for name in theirs if name not in mine]
        extra = [f"extra {name!r}" for name in mine if name not in theirs]
        shared = sorted(mine.keys() & theirs.keys())
        changed = [f"{n!r} has another {key}" for n in shared for key in mine[n] if mine[n][key] != theirs[n][key]]
        return ", ".join([*missing, *extra, *sorted(changed)]) or "the order of features differs"


Specs = tuple[FeatureSpec, FeatureSpec]
"""Features of the input and of the output of a network."""
