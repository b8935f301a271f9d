"""Animations of a glTF file: channels with any keys and interpolation, and a common rate to sample them at."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.formats.gltf.buffers import Buffers
from kinema.formats.gltf.document import Document
from kinema.formats.gltf.scene import Nodes
from kinema.formats.rates import native_rate

MAX_FRAMES = 10_000_000
_PATHS = {"translation": 3, "rotation": 4, "scale": 3}


@dataclass(frozen=True, eq=False)
class Channel:
    """One animated property: `times` float64 `[K]` in seconds, `values` `[K, C]`, rotations wxyz.

    For CUBICSPLINE `values` is `[K, 3, C]`: in-tangent, value, out-tangent.
    """

    node: int
    path: str
    times: NDArray[np.float64]
    values: NDArray[np.float32]
    interpolation: str

    def sample(self, at: NDArray[np.float64], fps: float) -> NDArray[np.floating]:
        """Values `[F, C]` at ascending times `[F]`, clamped to the keys."""
        keys, values = self.times, self.values
        if len(keys) == 1:
            only = values[:, 1] if self.interpolation == "CUBICSPLINE" else values
            return np.broadcast_to(only, (len(at), only.shape[1]))
        # Files hold times in single precision, which after an hour is a hundredth of a frame.
        rounding = min(1e-3 + np.finfo(np.float32).eps * fps * float(np.abs(at).max()), 0.1)
        if len(keys) == len(at) and self.interpolation != "CUBICSPLINE" and (np.abs(keys - at) * fps < rounding).all():
            return values  # one key for each frame
        # A frame that rounding puts just before its key must not show the key before it.
        near = np.searchsorted(keys, at + 1e-4 / fps, side="right") - 1
        first = np.clip(near, 0, len(keys) - (1 if self.interpolation == "STEP" else 2))
        if self.interpolation == "STEP":
            return values[first]
        span = keys[first + 1] - keys[first]
        share = np.clip((at - keys[first]) / span, 0, 1)
        if self.interpolation == "LINEAR":
            blend = share.astype(np.float32)
            if self.path == "rotation":
                return rotations.slerp(values[first], values[first + 1], blend)
            return values[first] + (values[first + 1] - values[first]) * blend[:, None]
        s, d = share[:, None], span[:, None]
        s2, s3 = s * s, s * s * s
        curve = (2 * s3 - 3 * s2 + 1) * values[first, 1] + d * (s3 - 2 * s2 + s) * values[first, 2]
        curve = curve + (3 * s2 - 2 * s3) * values[first + 1, 1] + d * (s3 - s2) * values[first + 1, 0]
        return (rotations.normalize(curve) if self.path == "rotation" else curve).astype(np.float32)

    def strays(self, rest: NDArray[np.float64], tolerance: float = 1e-6) -> bool:
        """Whether any key differs from the rest value `[C]`."""
        values, home = self.values, rest.astype(np.float32)
        if self.interpolation == "CUBICSPLINE":
            return bool((np.abs(values[:, 1] - home) > tolerance).any() or (np.abs(values[:, ::2]) > tolerance).any())
        if self.path == "rotation":
            # By distance: the cosine of a small angle is one to within rounding.
            signs = np.where(values @ home < 0, np.float32(-1), np.float32(1))[:, None]
            return bool((np.abs(values - signs * home) > tolerance).any())
        return bool((np.abs(values - home) > tolerance).any())


@dataclass(eq=False)
class Clip:
    """One animation: its channels, and what our writer noted beside them."""

    name: str
    where: str
    channels: list[Channel]
    notes: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    @property
    def span(self) -> tuple[float, float]:
        """First and last key time, seconds."""
        return min(c.times[0] for c in self.channels), max(c.times[-1] for c in self.channels)


def read_clips(document: Document, buffers: Buffers, nodes: Nodes) -> list[Clip]:
    """All animations with at least one channel that moves a node."""
    clips = []
    times: dict[int, NDArray[np.float64]] = {}
    for index, item in enumerate(document.all("animations")):
        where = f"animations[{index}]"
        samplers = document.objects(item, "samplers", where)
        for number, sampler in enumerate(samplers):
            for key in ("input", "output"):
                if document.index(sampler, key, "accessors", f"{where}.samplers[{number}]") is None:
                    raise document.error(f"{key} is missing", f"{where}.samplers[{number}]")
        channels: list[Channel] = []
        seen: dict[tuple[int, str], int] = {}
        items = document.objects(item, "channels", where)
        if not items:
            raise document.error("channels must not be empty", where)
        for number, channel in enumerate(items):
            place = f"{where}.channels[{number}]"
            if not isinstance(channel.get("target"), dict):
                raise document.error("target is missing", place)
            target = channel["target"]
            path = document.text(target, "path", place) if "path" in target else None
            if path is None:
                raise document.error("path is missing", f"{place}.target")
            node = document.index(target, "node", "nodes", place)
            chosen = document.integer(channel, "sampler", place)
            if chosen >= len(samplers):
                raise document.error(f"refers to sampler {chosen} of {len(samplers)}", place)
            if node is None or path == "pointer":
                document.warn(f"{place} moves something that is not a node and was left out")
                continue
            if (node, path) in seen:
                if seen[node, path] != chosen:
                    raise document.error(f"moves the {path} of nodes[{node}] a second time, in another way", place)
                document.warn(f"{where} holds channels twice; each was used once")
                continue
            seen[node, path] = chosen
            channels.append(_channel(document, buffers, nodes, samplers[chosen], node, path, place, times))
        if not channels:
            document.warn(f"{where} moves nothing and was left out")
            continue
        extras = item.get("extras")
        notes = extras.get("kinema") if isinstance(extras, dict) else None
        name = item.get("name") or f"animation_{index}"
        clips.append(Clip(name, where, channels, notes if isinstance(notes, dict) else {}))
    return merge_single_joint_clips(document, clips)


def _channel(
    document: Document,
    buffers: Buffers,
    nodes: Nodes,
    sampler: dict[str, Any],
    node: int,
    path: str,
    place: str,
    known_times: dict[int, NDArray[np.float64]],
) -> Channel:
    inputs, outputs = int(sampler["input"]), int(sampler["output"])
    interpolation = document.text(sampler, "interpolation", place, "LINEAR")
    if interpolation not in ("LINEAR", "STEP", "CUBICSPLINE"):
        raise document.error(f"unknown interpolation {interpolation[:20]!r}", place)
    if path not in (*_PATHS, "weights"):
        raise document.error(f"unknown path {path[:20]!r}", place)
    if inputs not in known_times:
        accessor = buffers.accessors[inputs]
        if accessor.kind != "SCALAR" or accessor.dtype.kind != "f":
            raise document.error("must hold float SCALAR to be times of an animation", accessor.where)
        known_times[inputs] = buffers.floats(inputs)[:, 0].astype(np.float64)
        if (np.diff(known_times[inputs]) < 0).any():
            raise document.error("holds key times that go backwards", accessor.where)
    times, accessor = known_times[inputs], buffers.accessors[outputs]
    cubic = interpolation == "CUBICSPLINE"
    if cubic and len(times) < 2:
        raise document.error("CUBICSPLINE needs at least two keys", place)
    targets = 1
    if path == "weights":
        targets = _target_count(document, node, place)
    per_key = (3 if cubic else 1) * targets
    kind = "SCALAR" if path == "weights" else f"VEC{_PATHS[path]}"
    if accessor.kind != kind or accessor.count != len(times) * per_key:
        raise document.error(f"must hold {len(times) * per_key} {kind} for {place}", accessor.where)
    if not (accessor.dtype.kind == "f" or (accessor.normalized and path in ("rotation", "weights"))):
        raise document.error(f"has a number type that {path} of {place} must not have", accessor.where)
    if path in _PATHS and nodes.has_matrix[node]:
        raise document.error(f"moves nodes[{node}], which has a matrix instead of translation, rotation, scale", place)
    buffers.budget.charge(accessor.count * accessor.width * 4, place)
    width = targets if path == "weights" else _PATHS[path]
    values = buffers.floats(outputs).reshape((len(times), 3, width) if cubic else (len(times), width))
    if path == "rotation":
        values = values[..., [3, 0, 1, 2]]
        values = _unit_rotations(document, values, accessor.where, cubic)
    gaps = np.diff(times) > 0
    if not gaps.all():
        document.warn(f"{place} has several keys at one time; the last of them was kept")
        keep = np.append(gaps, True)
        times, values = times[keep], values[keep]
        if cubic and len(times) < 2:
            values, interpolation = values[:, 1], "STEP"
    return Channel(node, path, times, values, interpolation)


def _unit_rotations(document: Document, values: NDArray[np.float32], where: str, cubic: bool) -> NDArray[np.float32]:
    keys = values[:, 1] if cubic else values
    lengths = np.sqrt(np.einsum("kc,kc->k", keys, keys))
    off = np.abs(lengths - 1)
    if (off > 0.1).any():
        bad = int(np.argmax(off))
        raise document.error(f"key {bad} is a rotation of length {lengths[bad]:.4g}, must be a unit quaternion", where)
    if (off > 1e-2).any():
        document.warn(f"{where} holds rotations up to {off.max():.3f} off unit length; they were normalised")
    if cubic:
        return values  # the curve is normalised after it is evaluated
    return values / lengths[:, None]


def _target_count(document: Document, node: int, place: str) -> int:
    mesh = document.index(document.all("nodes")[node], "mesh", "meshes", f"nodes[{node}]")
    meshes = [] if mesh is None else [document.all("meshes")[mesh]]
    primitives = [item for owner in meshes for item in document.objects(owner, "primitives", f"meshes[{mesh}]")]
    targets = document.objects(primitives[0], "targets", f"meshes[{mesh}]") if primitives else []
    if not targets:
        raise document.error(f"moves morph weights of nodes[{node}], which has no morph targets", place)
    return len(targets)


def merge_single_joint_clips(document: Document, clips: list[Clip]) -> list[Clip]:
    """Animations that each move other nodes for the same time (within 1 %) are parts of one; joins them."""
    if len(clips) < 2:
        return clips
    moved = [{channel.node for channel in clip.channels} for clip in clips]
    disjoint = sum(map(len, moved)) == len(set().union(*moved))
    ends = [clip.span[1] for clip in clips]
    if not disjoint or max(map(len, moved)) > 1 or max(ends) - min(ends) > 0.01 * max(ends):
        return clips
    document.warn(f"{len(clips)} animations of one node each were joined into one clip")
    return [Clip(clips[0].name, clips[0].where, [c for clip in clips for c in clip.channels], {}, [])]


def frame_times(
    document: Document, buffers: Buffers, clip: Clip, fps: float | None = None, joints: int = 1
) -> tuple[NDArray[np.float64], float]:
    """Uniform times `[F]` from the first key to the last, and their rate.

    The rate is `fps` if given, else what our writer noted, else the keys' own: a common rate on whose grid all keys
    lie, or the rate of keys that are evenly spaced, or the common rate nearest to their median spacing.
    """
    start, end = clip.span
    noted, count = clip.notes.get("fps"), None
    if fps is None and isinstance(noted, int | float) and 1e-3 <= noted <= 1e5:
        fps = float(noted)
        frames = clip.notes.get("frames")
        if isinstance(frames, int) and 0 <= frames - 1 - (end - start) * fps < 1e6 and abs(start) * fps < 0.5:
            count, start = frames, 0.0
        elif isinstance(frames, int) and abs(frames - 1 - (end - start) * fps) < 0.1:
            count = frames
    if fps is None:
        arrays = {id(channel.times): channel.times for channel in clip.channels}
        fps = native_rate(np.unique(np.concatenate(list(arrays.values()))))
    if count is None:
        length = (end - start) * fps
        if not length < MAX_FRAMES:
            raise document.error(f"lasts {end - start:.4g} s, too long at {fps:g} frames per second", clip.where)
        count = int(np.ceil(length - 0.02)) + 1
    if count > MAX_FRAMES:
        raise document.error(f"has {count} frames, more than {MAX_FRAMES}; try a lower fps", clip.where)
    buffers.frames.charge(count * joints * 28, clip.where, "; try a lower fps")
    return start + np.arange(count) / fps, fps
