"""A small database in memory: smooth random motion of a biped in three clips."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest

from kinema import Skeleton, mirroring, rotations
from kinema.mocap.database import Clip
from kinema.pose import Pose
from kinema.terrain import GRID


@dataclass
class FakeSource:
    skeleton: Skeleton
    fps: float
    clips: list[Clip]
    contact_joints: list[int]
    root_positions: np.ndarray
    root_rotations: np.ndarray
    local_rotations: np.ndarray
    local_translations: np.ndarray
    contacts: np.ndarray
    labels: dict[str, np.ndarray] = field(default_factory=dict)

    def pose(self, frames=slice(None)) -> Pose:
        return Pose(
            self.skeleton,
            self.local_rotations[frames],
            self.local_translations[frames],
            root_positions=self.root_positions[frames],
            root_rotations=self.root_rotations[frames],
        )

    def mirror(self) -> FakeSource:
        seen = mirroring.mirror_pose(Pose(self.skeleton, self.local_rotations, self.local_translations))
        labels = {
            "phase": (self.labels["phase"] + 0.5) % 1,
            "height": np.ascontiguousarray(self.labels["height"][:, ::-1]),
            "height_grid": self.labels["height_grid"].reshape(-1, *GRID)[..., ::-1].reshape(len(self.contacts), -1),
            "local_phases": np.ascontiguousarray(self.labels["local_phases"][:, ::-1]),
            "goal": self.labels["goal"],
        }
        return FakeSource(
            self.skeleton,
            self.fps,
            self.clips,
            self.contact_joints,
            self.root_positions * np.float32([-1, 1, 1]),
            mirroring.reflect_rotation(self.root_rotations),
            seen.local_rotations,
            seen.local_translations,
            np.ascontiguousarray(self.contacts[:, ::-1]),
            labels,
        )


def smooth(rng: np.random.Generator, frames: int, *shape: int) -> np.ndarray:
    """Sums of slow sines [frames, ...], about -1 to 1."""
    t = np.arange(frames).reshape(-1, *[1] * len(shape)) / 30.0
    total = np.zeros((frames, *shape))
    for rate in (0.3, 0.8, 1.7):
        total += np.sin(2 * np.pi * (rate * t + rng.uniform(size=shape))) / 3
    return total


@pytest.fixture(scope="session")
def make_source() -> Callable[..., FakeSource]:
    def make(skeleton: Skeleton, lengths=(70, 1, 90), fps: float = 30.0, seed: int = 3) -> FakeSource:
        rng = np.random.default_rng(seed)
        frames, joints = sum(lengths), skeleton.joint_count
        names = ["LeftToeBase", "RightToeBase"]
        feet = [skeleton.index(n) for n in names] if all(n in skeleton.names for n in names) else [0, 1]
        stops = np.cumsum(lengths).tolist()
        tags = [("walk",), ("run", "old"), ("walk", "old")]
        clips = [
            Clip(f"clip{i}", f"clip{i}.bvh", a, b, tags=tags[i % 3])
            for i, (a, b) in enumerate(zip([0, *stops], stops, strict=False))
        ]
        translations = np.tile(skeleton.rest_translations, (frames, 1, 1)) + 0.02 * smooth(rng, frames, joints, 3)
        roots = 3.0 * smooth(rng, frames, 3)
        roots[:, 1] *= 0.05
        return FakeSource(
            skeleton,
            fps,
            clips,
            feet,
            roots.astype(np.float32),
            rotations.from_yaw(4.0 * smooth(rng, frames)).astype(np.float32),
            rotations.exp(0.6 * smooth(rng, frames, joints, 3)).astype(np.float32),
            translations.astype(np.float32),
            (smooth(rng, frames, 2) > 0).astype(np.uint8),
            {
                "phase": (np.arange(frames) * 0.03 % 1).astype(np.float32),
                "height": smooth(rng, frames, 3).astype(np.float32),
                "height_grid": smooth(rng, frames, GRID[0] * GRID[1]).astype(np.float16),
                "local_phases": smooth(rng, frames, 2, 2).astype(np.float32),
                "goal": np.where(np.arange(frames) < 30, 40, -1).astype(np.int32),
                "learned_phases": smooth(rng, frames, 3, 2).astype(np.float32),
            },
        )

    return make


@pytest.fixture(scope="session")
def source(biped: Skeleton, make_source: Callable[..., FakeSource]) -> FakeSource:
    return make_source(biped)


@pytest.fixture(scope="session")
def chain() -> Callable[[int], Skeleton]:
    """A biped padded with extra joints on its spine up to a wanted count (the dims of published methods)."""

    def make(count: int) -> Skeleton:
        names = ["Hips", "Spine"]
        parents, rest = [-1, 0], [(0, 0.9, 0), (0, 0.1, 0)]
        for side, sign in (("Left", 1), ("Right", -1)):
            for name, offset in (
                ("UpLeg", (sign * 0.1, 0, 0)),
                ("Leg", (0, -0.4, 0)),
                ("Foot", (0, -0.4, 0)),
                ("ToeBase", (0, -0.05, 0.12)),
            ):
                parents.append(0 if name == "UpLeg" else len(names) - 1)
                names.append(side + name)
                rest.append(offset)
        while len(names) < count:
            parents.append(len(names) - 1 if names[-1].startswith("Tail") else 1)
            names.append(f"Tail{len(names)}")
            rest.append((0, 0.05, 0.05))
        return Skeleton.create(names, parents, rest)

    return make
