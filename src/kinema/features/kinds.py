"""The registry of feature kinds: to add a kind, add one decorated function to this file or to your own.

A kind says three things: what one frame holds (the function: a block of numbers per frame, computed once per frame),
how these numbers are carried to the sample's root frame (`carry`), and what mirroring does to them (`signs`, `swap`).
Windows over time, clamping at clip ends, weights, names and slices are the same for every kind.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from kinema import plugins, rotations
from kinema.arrays import Singles
from kinema.errors import DatabaseError
from kinema.features import kernels
from kinema.mocap.styles import style_shares
from kinema.terrain.around import GRID

if TYPE_CHECKING:
    from kinema.features.feature import Feature
    from kinema.features.frames import Frames

Block = Singles
Carry = Literal["none", "point", "vector", "planar point", "planar vector", "step", "height"]


@dataclass(frozen=True)
class FeatureKind:
    """How one kind of feature is computed, transformed between root frames, mirrored and decoded.

    `rows(frames, feature)` returns `[n, entries * components]` for n consecutive frames: joint quantities relative to
    the root frame of each frame, planar quantities in the world. `signs` has one number per component of an entry, 0
    where the mirror image does not follow from the numbers; `swap` permutes these components when mirroring. `decode`
    converts `[..., T, entries, components]` into arrays
    (None: no conversion).
    """

    name: str
    rows: Callable[[Frames, Feature], Block]
    carry: Carry
    signs: tuple[float, ...]
    per: Literal["joint", "frame", "label"]
    swap: tuple[int, ...] | None = None
    windowed: bool = False
    decode: Callable[[NDArray], object] | None = None

    @property
    def components(self) -> int:
        """Numbers per entry (a joint, a label, or the frame itself)."""
        return len(self.signs)

    @property
    def columns(self) -> int:
        """Numbers per frame and entry which are kept in the rows: steps and root points need the root frames only."""
        return 0 if self.carry in ("step", "planar point") else self.components


KINDS: dict[str, FeatureKind] = {}

VECTOR = (-1.0, 1.0, 1.0)
PLANAR = (-1.0, 1.0)
CARRIED = ("phase", "local_phase", "learned_phase")
"""Kinds that no pose and no command tells: a controller says how they go on, and is asked with what it said."""

GOAL_REACH = 3.0
"""How far away a goal is seen, metres: farther ones are seen there, in their direction."""

LEARNED_PHASES = "learned_phases"
"""The label that `learned_phase` reads."""


def find_kind(name: str) -> FeatureKind | None:
    """The kind of a name, if need be from the installed package that declares it in the group `kinema.features`."""
    if name not in KINDS and name in (entries := plugins.installed("kinema.features")):
        plugins.load(entries[name].value)  # its decorator registers it
    return KINDS.get(name)


def kind(name: str, carry: Carry, signs: tuple[float, ...], per: Literal["joint", "frame", "label"], **options):
    """Register the decorated row function under `name`."""

    def register(rows: Callable[[Frames, Feature], Block]) -> Callable[[Frames, Feature], Block]:
        KINDS[name] = FeatureKind(name, rows, carry, signs, per, **options)
        return rows

    return register


def _flat(values: NDArray) -> Block:
    return np.ascontiguousarray(values, np.float32).reshape(len(values), -1)


def _decode_axes(values: NDArray) -> NDArray:
    """[..., 6] = Z axis, Y axis -> unit quaternions, by Gram-Schmidt with Z kept."""
    # from_6d calls its first axis X: a quarter turn about Y brings the joint's Z axis there.
    return rotations.multiply(rotations.from_6d(values), _QUARTER_TURN.astype(values.dtype))


_QUARTER_TURN = np.array([np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0])


def _decode_steps(values: NDArray) -> tuple[NDArray, NDArray]:
    """Root positions `[..., T, 3]` and rotations `[..., T, 4]`, from steps (dx, dtheta, dz) `[..., T, 1, 3]`."""
    steps = values[..., 0, :]
    angles = np.cumsum(steps[..., 1], axis=-1)
    before = angles - steps[..., 1]  # a step is measured in the frame it starts from
    sine, cosine = np.sin(before), np.cos(before)
    x = np.cumsum(cosine * steps[..., 0] + sine * steps[..., 2], axis=-1)
    z = np.cumsum(cosine * steps[..., 2] - sine * steps[..., 0], axis=-1)
    return np.stack([x, np.zeros_like(x), z], axis=-1), rotations.from_yaw(angles)


def _decode_single(values: NDArray) -> NDArray:
    return values[..., 0, :]


@kind("position", "point", VECTOR, "joint")
def position(frames: Frames, feature: Feature) -> Block:
    """Joint positions, m."""
    return _flat(frames.pose.model_positions[:, frames.joints(feature)])


@kind("velocity", "vector", VECTOR, "joint")
def velocity(frames: Frames, feature: Feature) -> Block:
    """Joint velocities relative to the world, expressed in the root frame, m/s."""
    joints = frames.joints(feature)
    chosen = np.ascontiguousarray(frames.pose.model_positions[:, joints])
    return _flat(kernels.root_velocities(chosen, frames.roots, frames.low, frames.high, frames.dt))


@kind("level_velocity", "vector", VECTOR, "joint")
def level_velocity(frames: Frames, feature: Feature) -> Block:
    """Joint velocities relative to the world as if the root stayed at one height, expressed in the root frame, m/s."""
    joints, roots = frames.joints(feature), frames.roots * np.array([1, 0, 1, 1, 1], np.float32)
    chosen = np.ascontiguousarray(frames.pose.model_positions[:, joints])
    return _flat(kernels.root_velocities(chosen, roots, frames.low, frames.high, frames.dt))


@kind("axes", "vector", VECTOR + VECTOR, "joint", decode=_decode_axes)
def axes(frames: Frames, feature: Feature) -> Block:
    """Z axis then Y axis of each joint (unit vectors)."""
    return _flat(kernels.axes(frames.pose.model_rotations, frames.joints(feature), 2, 1))


@kind("rotation6d", "vector", (1.0, -1.0, -1.0, *VECTOR), "joint", decode=rotations.from_6d)
def rotation6d(frames: Frames, feature: Feature) -> Block:
    """First two matrix columns (X axis, Y axis) of each joint."""
    return _flat(kernels.axes(frames.pose.model_rotations, frames.joints(feature), 0, 1))


@kind("rotation_log", "none", (1.0, -1.0, -1.0), "joint", decode=rotations.exp)
def rotation_log(frames: Frames, feature: Feature) -> Block:
    """Rotation vectors of the joints in their own root frame, rad (PFNN's output)."""
    return _flat(rotations.log(np.ascontiguousarray(frames.pose.model_rotations[:, frames.joints(feature)])))


@kind("guidance", "none", VECTOR, "joint", windowed=True)
def guidance(frames: Frames, feature: Feature) -> Block:
    """Joint positions, each in its own root frame, averaged over times[0] to times[1]: a pose for a style."""
    first, last = frames.offsets(feature)
    chosen = np.ascontiguousarray(frames.pose.model_positions[:, frames.joints(feature)])
    return _flat(kernels.window_mean(chosen, frames.low, frames.high, int(first), int(last)))


@kind("trajectory.position", "planar point", PLANAR, "frame", decode=_decode_single)
def trajectory_position(frames: Frames, feature: Feature) -> Block:
    """Root position (x, z), m; read from the root frames, so nothing is kept in the rows."""
    return np.zeros((frames.count, 0), np.float32)


@kind("trajectory.direction", "planar vector", PLANAR, "frame", decode=_decode_single)
def trajectory_direction(frames: Frames, feature: Feature) -> Block:
    """Unit facing direction of the root (x, z)."""
    return np.ascontiguousarray(frames.roots[:, 3:5])


@kind("trajectory.velocity", "planar vector", PLANAR, "frame", decode=_decode_single)
def trajectory_velocity(frames: Frames, feature: Feature) -> Block:
    """Root velocity (x, z), m/s."""
    return frames.planar_velocities


@kind("trajectory.speed", "none", (1.0,), "frame", decode=_decode_single)
def trajectory_speed(frames: Frames, feature: Feature) -> Block:
    """Planar root speed, m/s."""
    return np.linalg.norm(frames.planar_velocities, axis=1, keepdims=True).astype(np.float32)


@kind("root_delta", "step", (-1.0, -1.0, 1.0), "frame", decode=_decode_steps)
def root_delta(frames: Frames, feature: Feature) -> Block:
    """Root step (dx m, dtheta rad, dz m) from the sample before, in its frame; the first step starts at the sample."""
    return np.zeros((frames.count, 0), np.float32)


@kind("contact", "none", (1.0,), "joint", decode=lambda values: np.clip(values[..., 0], 0.0, 1.0))
def contact(frames: Frames, feature: Feature) -> Block:
    """1 where the joint's foot touches the ground; a joint without its own label uses that of its leg."""
    return np.ascontiguousarray(frames.contacts[:, frames.contact_columns(feature)], np.float32)


@kind("phase", "none", (-1.0, -1.0), "frame", decode=lambda v: np.arctan2(v[..., 0, 0], v[..., 0, 1]) / (2 * np.pi) % 1)
def phase(frames: Frames, feature: Feature) -> Block:
    """(sin, cos) of the gait phase; mirroring moves the phase by half a cycle."""
    angle = 2.0 * np.pi * frames.label("phase")
    return np.stack([np.sin(angle), np.cos(angle)], axis=1).astype(np.float32)


@kind("phase_delta", "none", (1.0,), "frame", decode=_decode_single)
def phase_delta(frames: Frames, feature: Feature) -> Block:
    """Change of the gait phase to the next frame, in cycles (-0.5 to 0.5)."""
    values = frames.label("phase")
    following = values[np.minimum(np.arange(frames.count) + 1, frames.high)]
    return ((following - values + 0.5) % 1.0 - 0.5).astype(np.float32)[:, None]


@kind("local_phase", "none", (1.0, 1.0), "joint")
def local_phase(frames: Frames, feature: Feature) -> Block:
    """Phase vector of the joint's leg: speed of its foot in the band of steps, m/s, times (sin, cos) of its phase."""
    return _flat(frames.label("local_phases")[:, frames.contact_columns(feature)])


@kind("learned_phase", "none", (0.0, 0.0), "label")
def learned_phase(frames: Frames, feature: Feature) -> Block:
    """Phase vectors of a periodic autoencoder: for each wave, named by its number, amplitude times (sin, cos)."""
    vectors = frames.label(LEARNED_PHASES)
    wanted = [int(name) for name in feature.labels]
    if vectors.ndim != 3 or vectors.shape[2] != 2 or max(wanted) >= vectors.shape[1]:
        raise DatabaseError(f"label {LEARNED_PHASES!r} has shape {list(vectors.shape)}: it needs [N, waves, 2]")
    return _flat(vectors[:, wanted])


@kind("goal.position", "none", PLANAR, "frame", decode=_decode_single)
def goal_position(frames: Frames, feature: Feature) -> Block:
    """Position (x, z) of the goal in the root frame, m, at most `GOAL_REACH` away; zero without a goal."""
    return within_reach(_goals(frames)[0])


@kind("goal.direction", "none", PLANAR, "frame", decode=_decode_single)
def goal_direction(frames: Frames, feature: Feature) -> Block:
    """Unit facing direction (x, z) of the root at the goal; zero without a goal, which tells that there is none."""
    return _goals(frames)[1]


def within_reach(positions: Singles) -> Singles:
    """Positions `[..., 2]` of goals as they are seen, at most `GOAL_REACH` away."""
    away = np.linalg.norm(positions, axis=-1, keepdims=True)
    return (positions * np.minimum(1.0, GOAL_REACH / np.maximum(away, 1e-6))).astype(np.float32)


def _goals(frames: Frames) -> tuple[Singles, Singles]:
    """Positions and facings of the goals in the root frames, `[n, 2]` each."""
    ahead, now = frames.label("goal"), slice(frames.first, frames.last)
    there = np.arange(frames.first, frames.last) + np.maximum(ahead, 0)
    places, turns = frames.source.root_positions, frames.source.root_rotations
    back, known = rotations.inverse(np.asarray(turns[now])), (ahead >= 0)[:, None]
    way = rotations.rotate(back, places[there] - places[now])
    facing = rotations.rotate(rotations.multiply(back, turns[there]), np.array([0, 0, 1], np.float32))
    planar = np.where(known[:, None], np.stack([way, facing], axis=1)[..., [0, 2]], 0).astype(np.float32)
    return planar[:, 0], planar[:, 1]


@kind("height", "height", (1.0, 1.0, 1.0), "frame", swap=(2, 1, 0), decode=_decode_single)
def height(frames: Frames, feature: Feature) -> Block:
    """Ground height left of, under and right of the root, m, above the root of the sample; flat where none is known."""
    heights = frames.optional_label("height")
    if heights is None:
        return np.repeat(frames.roots[:, 1:2], 3, axis=1)
    if heights.shape[1:] != (3,):
        raise DatabaseError(f"label 'height' has shape {list(heights.shape)}: it needs [N, 3] (left, centre, right)")
    return np.ascontiguousarray(heights, np.float32)


_GRID = np.arange(GRID[0] * GRID[1]).reshape(GRID)


@kind("height_grid", "none", (1.0,) * _GRID.size, "frame", swap=tuple(_GRID[:, ::-1].reshape(-1).tolist()))
def height_grid(frames: Frames, feature: Feature) -> Block:
    """Ground heights on a grid around the root (`kinema.terrain.heights_around`), m above it; flat if none is known."""
    heights = frames.optional_label("height_grid")
    if heights is None:
        return np.zeros((frames.count, _GRID.size), np.float32)
    if heights.shape[1:] != (_GRID.size,):
        raise DatabaseError(f"label 'height_grid' has shape {list(heights.shape)}: it needs [N, {_GRID.size}]")
    return np.ascontiguousarray(heights, np.float32)


@kind("label", "none", (1.0,), "label", decode=lambda values: values[..., 0])
def label(frames: Frames, feature: Feature) -> Block:
    """One number per name in `labels`: that label of the frame or, if there is none, whether the clip has the tag."""
    return np.stack([frames.label_or_tag(name) for name in feature.labels], axis=1).astype(np.float32)


@kind("style", "none", (1.0,), "label", decode=lambda values: values[..., 0])
def style(frames: Frames, feature: Feature) -> Block:
    """Share of each style named in `labels`; see `kinema.mocap.styles`."""
    return style_shares(frames.source.clips, feature.labels, frames.first, frames.last)
