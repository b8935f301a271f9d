"""Animations of a glTF file: channels with any keys and interpolation, and a common rate to sample them at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.arrays import Floats, Reals, Singles
from kinema.formats.gltf.buffers import Buffers
from kinema.formats.gltf.document import GltfDocument, Item, MissingDataError
from kinema.formats.gltf.scene import NodeTree
from kinema.formats.rates import native_rate
from kinema.rates import is_rate

MAX_FRAMES = 10_000_000  # files that we wrote may have as many keys
CHANNELS = "channels of animations"
_WIDTHS = {"translation": 3, "rotation": 4, "scale": 3}


@dataclass(frozen=True, eq=False)
class NodeChannel:
    """One animated property: `times` float64 `[K]` in seconds, `values` `[K, C]`, rotations wxyz.

    For CUBICSPLINE `values` is `[K, 3, C]`: in-tangent, value, out-tangent.
    """

    node: int
    path: str
    times: Floats
    values: Singles
    interpolation: str

    def sample(self, at: Floats, fps: float) -> Reals:
        """Values `[F, C]` at ascending times `[F]`, clamped to the keys."""
        keys, values, cubic = self.times, self.values, self.interpolation == "CUBICSPLINE"
        if len(keys) == 1:
            only = values[:, 1] if cubic else values
            return np.broadcast_to(only, (len(at), only.shape[1]))
        # Files hold times in single precision, which after an hour is a hundredth of a frame.
        rounding = min(1e-3 + np.finfo(np.float32).eps * fps * float(np.abs(at).max()), 0.1)
        if len(keys) == len(at) and not cubic and (np.abs(keys - at) * fps < rounding).all():
            return values  # one key for each frame
        # A frame that rounding puts just before its key must not show the previous key.
        near = np.searchsorted(keys, at + 1e-4 / fps, side="right") - 1
        if self.interpolation == "STEP":
            return values[np.clip(near, 0, len(keys) - 1)]
        first = np.clip(near, 0, len(keys) - 2)
        span = keys[first + 1] - keys[first]
        share = np.clip((at - keys[first]) / span, 0, 1)
        return self._cubic(first, share, span) if cubic else self._linear(first, share.astype(np.float32))

    def _linear(self, first: NDArray[np.intp], share: Singles) -> Reals:
        before, after = self.values[first], self.values[first + 1]
        if self.path == "rotation":
            return rotations.slerp(before, after, share)
        return before + (after - before) * share[:, None]

    def _cubic(self, first: NDArray[np.intp], share: Floats, span: Floats) -> Reals:
        """Hermite splines between the keys `first` and those after them."""
        s, d, values = share[:, None], span[:, None], self.values
        s2, s3 = s * s, s * s * s
        curve = (2 * s3 - 3 * s2 + 1) * values[first, 1] + d * (s3 - 2 * s2 + s) * values[first, 2]
        curve = curve + (3 * s2 - 2 * s3) * values[first + 1, 1] + d * (s3 - s2) * values[first + 1, 0]
        return (rotations.normalize(curve) if self.path == "rotation" else curve).astype(np.float32)

    def differs_from(self, rest: Floats, tolerance: float = 1e-6) -> bool:
        """Whether any key differs from the rest value `[C]`."""
        values, home = self.values, rest.astype(np.float32)
        if self.interpolation == "CUBICSPLINE":
            return bool((np.abs(values[:, 1] - home) > tolerance).any() or (np.abs(values[:, ::2]) > tolerance).any())
        if self.path == "rotation":
            # By distance: the cosine of a small angle is one to within rounding.
            home = np.where(values @ home < 0, np.float32(-1), np.float32(1))[:, None] * home
        return bool((np.abs(values - home) > tolerance).any())


@dataclass(eq=False)
class GltfAnimation:
    """One animation: its channels, and what our own writer noted about it."""

    name: str
    item: Item
    channels: list[NodeChannel]
    notes: dict[str, object]

    @property
    def span(self) -> tuple[float, float]:
        """First and last key time, seconds."""
        return min(c.times[0] for c in self.channels), max(c.times[-1] for c in self.channels)


def read_animations(document: GltfDocument, buffers: Buffers, nodes: NodeTree) -> list[GltfAnimation]:
    """All animations with at least one channel that moves a node."""
    found = []
    reader = _ChannelReader(buffers, nodes)
    for index, item in enumerate(document.all("animations")):
        channels = reader.channels(item)
        if channels:
            found.append(GltfAnimation(item.get("name") or f"animation_{index}", item, channels, item.notes))
        else:
            item.warn(f"{'lost its data' if document.lost(CHANNELS) else 'moves nothing'} and was left out")
    return merge_single_node_animations(document, found)


def animated_nodes(document: GltfDocument) -> set[int]:
    """All nodes that animations say they move, whether their data is there or not."""
    channels = [channel for item in document.all("animations") for channel in item.objects("channels")]
    return {node for channel in channels if (node := channel.object("target").index("node", "nodes")) is not None}


class _ChannelReader:
    """Reads the channels of animations; key times that several share are read once."""

    def __init__(self, buffers: Buffers, nodes: NodeTree) -> None:
        self._buffers, self._nodes = buffers, nodes
        self._times: dict[int, Floats] = {}

    def channels(self, animation: Item) -> list[NodeChannel]:
        """All channels of an animation that move nodes."""
        samplers = animation.objects("samplers")
        for sampler in samplers:
            for key in ("input", "output"):
                sampler.required_index(key, "accessors")
        items = animation.objects("channels")
        animation.require(items, "channels must not be empty")
        channels: list[NodeChannel] = []
        seen: dict[tuple[int, str], int] = {}
        for item in items:
            node, path, chosen = _target(item)
            item.require(chosen < len(samplers), f"refers to sampler {chosen} of {len(samplers)}")
            if node is None or path == "pointer":
                item.warn("moves something that is not a node and was left out")
            elif (node, path) not in seen:
                seen[node, path] = chosen
                channels += self._readable(item, samplers[chosen], node, path)
            elif seen[node, path] == chosen:
                animation.warn("holds channels twice; each was used once")
            else:
                raise item.error(f"moves the {path} of nodes[{node}] a second time, in another way")
        return channels

    def _readable(self, item: Item, sampler: Item, node: int, path: str) -> list[NodeChannel]:
        """A channel; none, with a warning, where it is of a kind that we do not know or has no data."""
        interpolation = sampler.text("interpolation", "LINEAR")
        if interpolation not in ("LINEAR", "STEP", "CUBICSPLINE"):
            item.warn(f"was left out: it has an unknown interpolation, {interpolation[:20]!r}")
        elif path not in (*_WIDTHS, "weights"):
            item.warn(f"was left out: it moves an unknown property, {path[:20]!r}")
        else:
            try:
                return [self._channel(item, sampler, node, path, interpolation)]
            except MissingDataError as error:
                item.document.lose(CHANNELS, error)
        return []

    def _channel(self, item: Item, sampler: Item, node: int, path: str, interpolation: str) -> NodeChannel:
        times, output = self._key_times(sampler.integer("input")), sampler.integer("output")
        cubic = interpolation == "CUBICSPLINE"
        item.require(not cubic or len(times) >= 2, "CUBICSPLINE needs at least two keys")
        values = self._values(item, output, path, node, len(times), cubic)
        if path == "rotation":
            values = _unit_rotations(self._buffers.accessors[output].item, values[..., [3, 0, 1, 2]], cubic)
        gaps = np.diff(times) > 0
        if not gaps.all():
            item.warn("has several keys at one time; the last of them was kept")
            keep = np.append(gaps, True)
            times, values = times[keep], values[keep]
            if cubic and len(times) < 2:
                values, interpolation = values[:, 1], "STEP"
        return NodeChannel(node, path, times, values, interpolation)

    def _key_times(self, index: int) -> Floats:
        if index not in self._times:
            accessor = self._buffers.accessors[index]
            if accessor.kind != "SCALAR" or accessor.dtype.kind != "f":
                raise accessor.item.error("must hold float SCALAR to be the times of an animation")
            times = self._buffers.floats(index)[:, 0].astype(np.float64)
            accessor.item.require(not (np.diff(times) < 0).any(), "holds key times that go backwards")
            self._times[index] = times
        return self._times[index]

    def _values(self, item: Item, output: int, path: str, node: int, keys: int, cubic: bool) -> Singles:
        """Numbers `[K, C]` of a sampler, `[K, 3, C]` of a cubic one, after a check of type and count."""
        accessor, target = self._buffers.accessors[output], self._nodes.items[node]
        if path == "weights":
            width = _target_count(item, target)
            count, kind = keys * width, "SCALAR"
        else:
            width = _WIDTHS[path]
            count, kind = keys, f"VEC{width}"
            if "matrix" in target:
                raise item.error(f"moves {target.where}, which has a matrix instead of translation, rotation, scale")
        count *= 3 if cubic else 1
        if accessor.kind != kind or accessor.count != count:
            raise accessor.item.error(f"must hold {count} {kind} for {item.where}")
        if not (accessor.dtype.kind == "f" or (accessor.normalized and path in ("rotation", "weights"))):
            raise accessor.item.error(f"has a number type that {path} of {item.where} must not have")
        self._buffers.budget.charge(accessor.count * accessor.width * 4, item.where)
        return self._buffers.floats(output).reshape((keys, 3, width) if cubic else (keys, width))


def _target(channel: Item) -> tuple[int | None, str, int]:
    """Node, property and sampler of a channel."""
    channel.require(isinstance(channel.get("target"), dict), "target is missing")
    target = channel.object("target")
    target.require("path" in target, "path is missing")
    return target.index("node", "nodes"), target.text("path"), channel.integer("sampler")


def _unit_rotations(accessor: Item, values: Singles, cubic: bool) -> Singles:
    keys = values[:, 1] if cubic else values
    lengths = np.sqrt(np.einsum("kc,kc->k", keys, keys))
    off = np.abs(lengths - 1)
    if (off > 0.1).any():
        bad = int(np.argmax(off))
        raise accessor.error(f"key {bad} is a rotation of length {lengths[bad]:.4g}, must be a unit quaternion")
    if (off > 1e-2).any():
        accessor.warn(f"holds rotations up to {off.max():.3f} off unit length; they were normalised")
    # A cubic curve is normalised after it is evaluated.
    return values if cubic else values / lengths[:, None]


def _target_count(channel: Item, node: Item) -> int:
    mesh = node.index("mesh", "meshes")
    primitives = [] if mesh is None else node.document.all("meshes")[mesh].objects("primitives")
    targets = primitives[0].objects("targets") if primitives else []
    channel.require(targets, f"moves morph weights of {node.where}, which has no morph targets")
    return len(targets)


def merge_single_node_animations(document: GltfDocument, animations: list[GltfAnimation]) -> list[GltfAnimation]:
    """Animations that each move one other node for the same time (within 1 %) are parts of one; joins them."""
    moved = [node for animation in animations for node in {channel.node for channel in animation.channels}]
    ends = [animation.span[1] for animation in animations]
    single = len(moved) == len(set(moved)) == len(animations)  # each moves one node, and none is moved twice
    if len(animations) < 2 or not single or max(ends) - min(ends) > 0.01 * max(ends):
        return animations
    document.warn(f"{len(animations)} animations of one node each were joined into one clip")
    channels = [channel for animation in animations for channel in animation.channels]
    return [GltfAnimation(animations[0].name, animations[0].item, channels, {})]


def frame_times(
    buffers: Buffers, animation: GltfAnimation, fps: float | None = None, joints: int = 1
) -> tuple[Floats, float]:
    """Uniform times `[F]` from the first key to the last, and their rate.

    The rate is `fps` if given, else what our own writer noted, else that of the keys: a common rate whose frames fall
    on all keys, or the rate of evenly spaced keys, or the common rate nearest to their median spacing.
    """
    (start, end), item, count = animation.span, animation.item, None
    noted = animation.notes.get("fps")
    if fps is None and isinstance(noted, int | float) and is_rate(noted):
        fps = float(noted)
        start, count = _noted_frames(animation, start, (end - start) * fps, fps)
    if fps is None:
        arrays = {id(channel.times): channel.times for channel in animation.channels}
        fps = native_rate(np.unique(np.concatenate(list(arrays.values()))))
    if count is None:
        length = (end - start) * fps
        item.require(length < MAX_FRAMES, f"lasts {end - start:.4g} s, too long at {fps:g} frames per second")
        count = int(np.ceil(length - 0.02)) + 1
    item.require(count <= MAX_FRAMES, f"has {count} frames, more than {MAX_FRAMES}; try a lower fps")
    buffers.frames.charge(count * joints * 28, item.where, "; try a lower fps")
    return start + np.arange(count) / fps, fps


def _noted_frames(animation: GltfAnimation, start: float, length: float, fps: float) -> tuple[float, int | None]:
    """Where a clip begins and how many frames it has according to our own writer, if that fits the keys."""
    frames = animation.notes.get("frames")
    if not isinstance(frames, int):
        return start, None
    if 0 <= frames - 1 - length < 1e6 and abs(start) * fps < 0.5:
        return 0.0, frames
    return start, frames if abs(frames - 1 - length) < 0.1 else None
