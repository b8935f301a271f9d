"""Blend shapes as morph targets. Each in-between shape becomes a target of its own, since ours are linear.

A blend shape with in-betweens passes through each of them as its weight grows and is linear between two. With one morph
target for every shape, that is a sum whose weights are hat functions of the weight in the file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kinema.arrays import Floats, Reals, Singles
from kinema.character import Morph
from kinema.errors import FormatError

MAX_VALUES = 64 * 1024**2  # numbers in the offsets of all morphs of a file


class MorphTable:
    """The shapes of all meshes by name: at which weights they have keys, and what those keys are called."""

    def __init__(self, meshes: list[dict[str, Any]]) -> None:
        self._left = MAX_VALUES
        self._keys: dict[str, dict[float, str]] = {}
        for mesh in meshes:
            for shape in mesh["shapes"]:
                known = self._keys.setdefault(shape["name"], {1.0: shape["name"]})
                for key in shape["keys"]:
                    name = f"{shape['name']}.{key.get('name', '')}"
                    while key["weight"] not in known and name in known.values():
                        name += "_"
                    known.setdefault(key["weight"], name)

    @property
    def between(self) -> int:
        """How many in-between shapes there are."""
        return sum(len(keys) - 1 for keys in self._keys.values())

    def labels(self, name: str, weights: Reals) -> dict[str, Singles]:
        """Labels `morph.<name>` `[F]` for weights `[F]` of a blend shape."""
        keys = self._keys.get(name, {1.0: name})
        places = np.array(sorted({0.0, *keys}))
        segment = np.clip(np.searchsorted(places, weights, side="right") - 1, 0, len(places) - 2)
        along = (weights - places[segment]) / (places[segment + 1] - places[segment])
        result = {}
        for weight, label in keys.items():
            place = int(np.searchsorted(places, weight))
            share = np.where(segment == place, 1 - along, 0) + np.where(segment + 1 == place, along, 0)
            result[f"morph.{label}"] = share.astype(np.float32)
        return result

    def morphs(self, shape: dict[str, Any], linear: Floats, normal: Floats) -> list[Morph]:
        """Morphs of one mesh's shape, by points.

        Args:
            linear: `[3, 3]` that turns offsets of points into ours.
            normal: the same for normals.

        Raises:
            FormatError: a shape has so many in-betweens, in any mesh, that it would exhaust the memory.
        """
        count = len(shape["keys"][0]["offsets"])
        between = len(self._keys[shape["name"]]) - 1
        self._left -= 3 * count * (between + 1)
        if self._left < 0:
            raise FormatError(f"blend shape {shape['name']!r} of {count} points has {between} in-betweens, too many")
        own = {0.0: None, **{key["weight"]: key for key in shape["keys"]}}
        places = sorted(own)
        with_normals = any(key["normals"] is not None for key in shape["keys"])
        result = []
        for weight, label in self._keys[shape["name"]].items():
            # Another mesh may have an in-between that this one lacks: interpolate between its own.
            segment = min(max(int(np.searchsorted(places, weight, side="right")) - 1, 0), len(places) - 2)
            low, high = places[segment], places[segment + 1]
            share = (weight - low) / (high - low)
            offsets, turns = np.zeros((1, 3)), np.zeros((1, 3))
            for key, part in ((own[low], 1 - share), (own[high], share)):
                if key is not None and part:
                    offsets = offsets + part * key["offsets"].astype(np.float64)
                    turns = turns if key["normals"] is None else turns + part * key["normals"].astype(np.float64)
            normals = np.broadcast_to(turns @ normal.T, (count, 3)).astype(np.float32) if with_normals else None
            moved = np.broadcast_to(offsets @ linear.T, (count, 3)).astype(np.float32)
            result.append(Morph(label, moved, normals, shape["keys"][0]["rest"] if weight == 1.0 else 0.0))
        return result
