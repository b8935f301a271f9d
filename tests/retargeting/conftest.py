"""Bodies for retargeting: the same person with other joint frames, poses, sizes and facings."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.benchmarks import data
from kinema.ik.task_kernels import closest
from kinema.mocap.procedural import Segment, generate, humanoid

TURN, SHIFT = np.float32(2.2), np.array([3.0, 0.0, -2.0], np.float32)

Rebase = Callable[[Skeleton, int], Skeleton]


@pytest.fixture(scope="session")
def walk() -> Motion:
    """A person who stands, walks a curve, jogs and stands, 60 frames per second."""
    script = [Segment("idle", 0.6), Segment("walk", 2.0, curve=0.4), Segment("jog", 1.0), Segment("idle", 0.6)]
    return generate(script=script, fps=60.0, seed=5)


@pytest.fixture(scope="session")
def rig() -> Skeleton:
    """A character of 65 joints in another size, arms slanted, with twist joints and fingers."""
    return data.rig()


@pytest.fixture(scope="session")
def small() -> Skeleton:
    """The person of `walk` at two thirds of the size, arms slanted."""
    return humanoid(1.15, arms_down=0.8)


@pytest.fixture(scope="session")
def dog() -> Skeleton:
    """A body on four straight legs of two bones, facing +Z."""
    names, parents, places = (
        ["Hips", "Spine", "Neck", "Head"],
        [-1, 0, 1, 2],
        [[0, 1, -0.6], [0, 1, 0], [0, 1.2, 0.6], [0, 1.5, 0.8]],
    )
    for part, parent, z in (("Thigh Shin Foot", 0, -0.6), ("Arm ForeArm Hand", 1, 0.5)):
        for side, x in (("L", 0.15), ("R", -0.15)):
            for index, name in enumerate(part.split()):
                parents.append(parent if index == 0 else len(names) - 1)
                names.append(f"{name}.{side}")
                places.append([x, 0.9 - 0.45 * index, z + 0.05 * index])
    names, parents, places = [*names, "Tail"], [*parents, 0], [*places, [0, 0.9, -1.0]]
    at = np.array(places)
    return Skeleton.create(names, parents, at - np.where(np.array(parents)[:, None] < 0, 0, at[np.maximum(parents, 0)]))


@pytest.fixture(scope="session")
def loose() -> Skeleton:
    """A person whose feet and pole targets are children of the root."""
    person = humanoid(1.4)
    names, parents = ["Root", *person.names], [-1, *(int(p) + 1 for p in person.parents)]
    places = person.rest_pose.global_positions
    offsets = [[0.0, 0.0, 0.0], *person.rest_translations.tolist()]
    for side in ("Left", "Right"):
        shin = person.names.index(f"{side}Leg")
        names += [f"IK{side}Foot", f"PoleTarget{side}"]
        parents += [0, 0]
        offsets += [places[person.names.index(f"{side}Foot")].tolist(), (places[shin] + [0, 0, 0.6]).tolist()]
    kept = [n for n in range(len(names)) if names[n] not in ("LeftFoot", "RightFoot", "LeftToeBase", "RightToeBase")]
    new = {old: index for index, old in enumerate(kept)}
    return Skeleton.create(
        [names[n] for n in kept], [new[parents[n]] if parents[n] >= 0 else -1 for n in kept], [offsets[n] for n in kept]
    )


@pytest.fixture(scope="session")
def rebased() -> Rebase:
    """The same skeleton with every joint's frame turned at random: bones lie where they lay."""

    def turned(skeleton: Skeleton, seed: int) -> Skeleton:
        rng = np.random.default_rng(seed)
        turns = rotations.normalize(rng.standard_normal((skeleton.joint_count, 4))).astype(np.float32)
        parents = np.maximum(skeleton.parents, 0)
        is_root = (skeleton.parents < 0)[:, None]
        above = np.where(is_root, np.array([1, 0, 0, 0], np.float32), turns[parents])
        local = rotations.multiply(rotations.multiply(rotations.inverse(above), skeleton.rest_rotations), turns)
        moved = rotations.inverse_rotate(above, skeleton.rest_translations)
        tips = [
            (int(joint), rotations.inverse_rotate(turns[joint], offset))
            for joint, offset in zip(skeleton.tip_joints, skeleton.tip_offsets, strict=True)
        ]
        return Skeleton.create(skeleton.names, skeleton.parents, moved, local.astype(np.float32), tips)

    return turned


@pytest.fixture(scope="session")
def facing_away() -> Callable[[Skeleton], Skeleton]:
    """The same skeleton whose rest pose faces -Z."""

    def away(skeleton: Skeleton) -> Skeleton:
        half = rotations.from_yaw(np.array([np.pi], np.float32))
        roots = skeleton.parents < 0
        turned, moved = skeleton.rest_rotations.copy(), skeleton.rest_translations.copy()
        turned[roots] = rotations.multiply(half, turned[roots])
        moved[roots] = rotations.rotate(half, moved[roots])
        return Skeleton.create(
            skeleton.names,
            skeleton.parents,
            moved,
            turned,
            list(zip(skeleton.tip_joints.tolist(), skeleton.tip_offsets, strict=True)),
        )

    return away


@pytest.fixture(scope="session")
def scaled() -> Callable[[Motion, float], Motion]:
    """The same motion of a body of another size."""

    def larger(motion: Motion, factor: float) -> Motion:
        skeleton = motion.skeleton
        tips = list(zip(skeleton.tip_joints.tolist(), factor * skeleton.tip_offsets, strict=True))
        other = Skeleton.create(
            skeleton.names, skeleton.parents, factor * skeleton.rest_translations, skeleton.rest_rotations, tips
        )
        moved = (factor * motion.local_translations).astype(np.float32)
        return Motion.create(other, motion.local_rotations, moved, motion.translated, motion.fps, motion.name)

    return larger


@pytest.fixture(scope="session")
def elsewhere() -> Callable[[Motion], Motion]:
    """The same motion from another place in another direction, by `TURN` about +Y and then by `SHIFT`."""

    def turned(motion: Motion) -> Motion:
        turn, local, moved = rotations.from_yaw(TURN), motion.local_rotations.copy(), motion.local_translations.copy()
        for root in np.flatnonzero(motion.skeleton.parents < 0).tolist():
            local[:, root] = rotations.multiply(turn, local[:, root])
            column = motion.translated.tolist().index(root)
            moved[:, column] = rotations.rotate(turn, moved[:, column]) + SHIFT
        return motion.replace(local_rotations=local, local_translations=moved)

    return turned


@pytest.fixture(scope="session")
def laid_out() -> Callable[[Motion], Motion]:
    """The same poses on a skeleton whose rest pose has all bones along +X, as in some captured files."""
    return _laid_out


def _laid_out(motion: Motion) -> Motion:
    """The same poses on a skeleton whose rest pose has all bones along +X, as in some captured files."""
    skeleton = motion.skeleton
    world = motion[:]
    turned, placed = world.global_rotations, world.global_positions
    aims = np.zeros((skeleton.joint_count, 4), np.float32)
    for joint in range(skeleton.joint_count):
        first = skeleton.children[joint][0] if skeleton.children[joint] else None
        offset = skeleton.rest_translations[first] if first is not None else np.array([0, -1, 0], np.float32)
        aims[joint] = rotations.between(np.array([1, 0, 0], np.float32), offset)
    flat_turned = rotations.multiply(turned, aims)
    parents = np.maximum(skeleton.parents, 0)
    above = np.where((skeleton.parents < 0)[:, None], np.array([1, 0, 0, 0], np.float32), aims[parents])
    offsets = rotations.inverse_rotate(above, skeleton.rest_translations).astype(np.float32)
    flat = Skeleton.create(skeleton.names, skeleton.parents, offsets)
    inner = rotations.relative(flat_turned[:, parents], flat_turned)
    local = np.where((skeleton.parents < 0)[:, None], flat_turned, inner)
    return Motion.create(flat, local, placed[:, :1], [0], motion.fps, "flat")


def depth_inside(capsules, skeleton: Skeleton, local: np.ndarray) -> np.ndarray:
    """How deep each pair is in each other, metres, beyond what it may."""
    from kinema import kinematics

    turned, placed = kinematics.forward(local, skeleton.rest_translations, skeleton.parents.tolist())
    ends = [
        placed[j] + rotations.rotate(turned[j][None], e.astype(np.float32))
        for j, e in zip(capsules.joints, capsules.ends, strict=True)
    ]
    found = []
    for (a, b), slack in zip(capsules.pairs, capsules.slack, strict=True):
        one, other = ends[a].astype(float), ends[b].astype(float)
        s, t = closest(one[0], one[1], other[0], other[1])
        gap = np.linalg.norm(one[0] + s * (one[1] - one[0]) - other[0] - t * (other[1] - other[0]))
        found.append(capsules.radii[a] + capsules.radii[b] - slack - gap)
    return np.array(found)


@pytest.fixture
def depth():
    """A function that says how deep each pair of capsules is in each other."""
    return depth_inside
