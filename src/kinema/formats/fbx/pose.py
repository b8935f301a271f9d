"""Motions out of takes: curves at all frames at once, layers laid over each other, rigid poses of the skeleton."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.formats.budget import FRAMES_FLOOR, Budget
from kinema.formats.fbx.document import Document
from kinema.formats.fbx.nodes import FARTHEST, Nodes, rotation_active, world
from kinema.formats.fbx.notes import noted_labels, noted_rate, noted_tags
from kinema.formats.fbx.scene import Rig
from kinema.formats.fbx.settings import Settings
from kinema.formats.fbx.shapes import read_channels
from kinema.formats.fbx.takes import ADDITIVE, PASSTHROUGH, Channel, Layer, Take
from kinema.formats.fbx.transform import ORDERS, PARTS
from kinema.formats.rates import native_rate
from kinema.formats.rigid import rigid_locals
from kinema.motion import Motion

Array = NDArray[np.float64]

BLOCK = 2048 * 64  # poses of one joint evaluated at a time
MAX_FRAMES = 1_000_000  # two hours at 120 frames per second
STEPS_FLOOR = 16_000_000  # values of curves and joints that any file may have sampled; about ten seconds' worth
STEPS_PER_BYTE = 4  # and more, the larger the file
DENSER = 0.75  # keys nearer to each other than this share of a frame are of another rate than the file's clock
_OFF_GRID = 0.02  # frames


class Effort:
    """How much memory and time the takes of a file may cost: keys far apart make many frames of few bytes."""

    def __init__(self, document: Document) -> None:
        self._document, self._steps = document, 0
        self._limit = max(STEPS_FLOOR, STEPS_PER_BYTE * document.source.size)
        self._memory = Budget(document.source.path, document.source.size, FRAMES_FLOOR)

    def charge(self, frames: int, joints: int, curves: int, where: str) -> None:
        """Counts the frames of one take; FormatError when the file has asked for too much."""
        self._memory.charge(frames * joints * 28, where, "; try a lower fps")
        self._steps += frames * (2 * joints + curves)
        if self._steps > self._limit:
            raise self._document.error(
                f"makes {frames} frames of {joints} joints, more than a file of this size may; try a lower fps", where
            )


def moved_nodes(nodes: Nodes, takes: list[Take]) -> set[int]:
    """Nodes whose transform some take changes."""
    found = set()
    for take in takes:
        for layer in take.layers:
            for (id, name), channel in layer.channels.items():
                if id in nodes.index and _moves(nodes, nodes.index[id], name, channel):
                    found.add(nodes.index[id])
    return found


def read_motion(
    document: Document,
    settings: Settings,
    nodes: Nodes,
    rig: Rig,
    take: Take,
    effort: Effort,
    fps: float | None = None,
) -> Motion:
    """One take on the rig's skeleton, at a uniform rate; `effort` is shared by all takes of a file."""
    warnings: list[str] = []
    times, rate = frame_times(document, settings, take, fps, rig.skeleton.joint_count, warnings, effort)
    needed: set[int] = set()
    for node in rig.nodes:
        while node >= 0 and node not in needed:
            needed.add(node)
            node = nodes.parents[node]
    moving = _moving(nodes, needed, take, times)
    scaled = [node for node, parts in moving.items() if "Lcl Scaling" in parts and node in rig.joint_of]
    if scaled:
        first = rig.skeleton.names[rig.joint_of[scaled[0]]]
        warnings.append(f"scale moves at {len(scaled)} joints ({first!r} first); positions are kept, sizes are not")
    turned, every = _poses(document, f"take {take.name[:60]!r}", settings, nodes, rig, needed, moving, len(times))
    away = np.abs(every - rig.skeleton.rest_translations).max(axis=(0, 2)) > 1e-6
    translated = np.flatnonzero(away | (rig.skeleton.parents < 0)).astype(np.int32)
    labels = noted_labels(document, take, nodes.models[rig.nodes[0]].id, times) | _weights(document, take, times)
    return Motion.create(
        rig.skeleton,
        turned,
        every[:, translated],
        translated,
        rate,
        take.name,
        labels,
        noted_tags(document, take),
        warnings,
    )


def frame_times(
    document: Document,
    settings: Settings,
    take: Take,
    fps: float | None,
    joints: int,
    warnings: list[str],
    effort: Effort,
) -> tuple[Array, float]:
    """Uniform times `[F]` in seconds over the take's span, and their rate.

    The span is what the take states, or that of its keys. The rate is `fps` if given, else that of the file's clock;
    where keys stand nearer to each other than its frames do, it is the rate of the keys.
    """
    where = f"take {take.name[:60]!r}"
    arrays = {id(curve.times): curve.times for curve in take.curves() if len(curve.times) > 1}
    keys = np.unique(np.concatenate(list(arrays.values()))) if arrays else np.zeros(0)
    start, stop = take.start, take.stop
    if start is None or stop is None or stop <= start:
        start, stop = (float(keys[0]), float(keys[-1])) if keys.size else (0.0, 0.0)
    noted = noted_rate(document, take)
    rate = fps or noted or settings.fps
    if fps is None and noted is None and (native := _denser_rate(take, start, rate)) is not None:
        rate = native
        warnings.append(f"keys stand at {rate:g} frames per second, the file's clock runs at {settings.fps:g}")
    if (stop - start) * rate >= MAX_FRAMES and keys.size and (keys[-1] - keys[0]) * rate < MAX_FRAMES:
        warnings.append(f"{where} lasts {stop - start:.4g} s, far longer than its keys; it was cut to them")
        start, stop = float(keys[0]), float(keys[-1])
    if not (stop - start) * rate < MAX_FRAMES:
        raise document.error(
            f"lasts {stop - start:.6g} s, too long at {rate:g} frames per second; try a lower fps", where
        )
    count = int(np.ceil((stop - start) * rate - _OFF_GRID)) + 1
    effort.charge(count, joints, sum(1 for _ in take.curves()), where)
    return start + np.arange(count) / rate, rate


def _denser_rate(take: Take, start: float, rate: float) -> float | None:
    """The rate of the keys where most stand nearer to each other than frames do; None where they do not."""
    every, dense = 0, []
    for curve in take.curves():
        if len(curve.times) > 2:
            every += len(curve.times)
            if float(np.median(np.diff(curve.times))) * rate < DENSER:
                dense.append(curve.times)
    if not dense or sum(map(len, dense)) * 2 <= every:
        return None
    keys = np.unique(np.concatenate(dense))
    frames = (keys - start) * rate
    return native_rate(keys) if (np.abs(frames - np.round(frames)) > _OFF_GRID).any() else None


def _moves(nodes: Nodes, node: int, name: str, channel: Channel) -> bool:
    if name not in PARTS or len(channel.curves) != 3:
        return False
    if name in ("PreRotation", "PostRotation") and not rotation_active(nodes.models[node]):
        return False
    return channel.strays(_own(nodes, node, name).tolist())


def _own(nodes: Nodes, node: int, name: str) -> Array:
    return nodes.parts[node].get(name, np.full(3, PARTS[name]))


def _moving(nodes: Nodes, needed: set[int], take: Take, times: Array) -> dict[int, dict[str, Array]]:
    """Properties `[F, 3]` of the needed nodes that a take moves, all layers laid over each other."""
    laid: dict[tuple[int, str], list[tuple[int, Channel]]] = {}
    for number, layer in enumerate(take.layers):
        for (id, name), channel in layer.channels.items():
            node = nodes.index.get(id, -1)
            if node in needed and name in PARTS and len(channel.curves) == 3:
                laid.setdefault((node, name), []).append((number, channel))
    found: dict[int, dict[str, Array]] = {}
    for (node, name), channels in laid.items():
        if not any(_moves(nodes, node, name, channel) for _, channel in channels):
            continue
        own = _own(nodes, node, name)
        value = np.broadcast_to(own, (len(times), 3))
        for number, channel in channels:
            given = channel.evaluate(times, own.tolist())
            layer = take.layers[number]
            value = _over(value, given, layer, name, nodes.rotation_orders[node], times) if number else given
        found.setdefault(node, {})[name] = value
    return found


def _over(below: Array, given: Array, layer: Layer, name: str, order: int, times: Array) -> Array:
    """A layer's values `[F, 3]` laid over those of the layers below."""
    if layer.mode not in (ADDITIVE, PASSTHROUGH):
        return given
    weight = layer.weights(times)[:, None]
    additive = layer.mode == ADDITIVE
    if name == "Lcl Rotation" and layer.turns_together:
        first, second = _turn(below, order), _turn(given, order)
        start = np.broadcast_to([1.0, 0.0, 0.0, 0.0], second.shape) if additive else first
        part = rotations.slerp(start, second, weight[:, 0])
        whole = rotations.multiply(first, part) if additive else part
        return _by_axis(np.degrees(rotations.to_euler(whole, ORDERS[order][::-1])), order)
    if name == "Lcl Scaling" and layer.sizes_multiply:
        return (below if additive else _power(below, 1 - weight)) * _power(given, weight)
    return below + given * weight if additive else below * (1 - weight) + given * weight


def _turn(degrees: Array, order: int) -> Array:
    """Quaternions `[F, 4]` of Euler angles `[F, 3]` about X, Y, Z."""
    letters = ORDERS[order][::-1]  # the last to turn is the outermost
    return rotations.from_euler(np.radians(degrees)[:, ["XYZ".index(axis) for axis in letters]], letters)


def _by_axis(angles: Array, order: int) -> Array:
    """Angles `[F, 3]` in the order of turns, outermost first, as angles about X, Y, Z."""
    result = np.empty_like(angles)
    for column, axis in enumerate(ORDERS[order][::-1]):
        result[:, "XYZ".index(axis)] = angles[:, column]
    return result


def _power(base: Array, exponent: Array) -> Array:
    return np.sign(base) * np.abs(base) ** exponent


def _poses(
    document: Document,
    where: str,
    settings: Settings,
    nodes: Nodes,
    rig: Rig,
    needed: set[int],
    moving: dict[int, dict[str, Array]],
    frames: int,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Local rotations `[F, J, 4]` and translations `[F, J, 3]` of all joints."""
    order = [node for node in nodes.order if node in needed]
    parents = rig.skeleton.parents.tolist()
    turned = np.empty((frames, len(parents), 4), np.float32)
    moved = np.empty((frames, len(parents), 3), np.float32)
    length = max(BLOCK // len(parents), 1)
    for start in range(0, frames, length):
        block = slice(start, min(start + length, frames))
        cut = {node: {name: value[block] for name, value in parts.items()} for node, parts in moving.items()}
        globals_ = np.empty((block.stop - start, len(parents), 4, 4))
        with np.errstate(over="ignore", invalid="ignore"):
            found = world(nodes, order, cut)
            for joint, node in enumerate(rig.nodes):
                globals_[:, joint] = settings.conversion @ found[node].matrix()
        if not (np.abs(globals_) < FARTHEST).all():
            raise document.error("moves outside of any sensible range", where)
        turned[block], moved[block] = rigid_locals(globals_, parents)
    return turned, moved


def _weights(document: Document, take: Take, times: Array) -> dict[str, NDArray[np.float32]]:
    """Morph weights as labels `morph.<name>` `[F]`."""
    labels: dict[str, NDArray[np.float32]] = {}
    for shape in read_channels(document):
        value = None
        for number, layer in enumerate(take.layers):
            channel = layer.channels.get((shape.owner, shape.prop))
            if channel is None or len(channel.curves) != 1:
                continue
            given = channel.evaluate(times, [0.0])
            if value is None or number == 0:
                value = given
            else:
                value = _over(value, given, layer, shape.prop, 0, times)
        if value is not None:
            labels[f"morph.{shape.name}"] = (value[:, 0] / (shape.full or 100.0)).astype(np.float32)
    return labels
