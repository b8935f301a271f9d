"""The suite `ik`: limbs, chains and whole bodies that reach, on one thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from kinema import ik, rotations
from kinema.arrays import Floats, Reals, Singles
from kinema.benchmarks import data
from kinema.benchmarks.measure import Row, best_seconds
from kinema.ik.two_bone import two_bone_reference
from kinema.pose import Pose
from kinema.skeleton import Skeleton

BATCH = 100_000  # chains in one call
SINGLE = 2000  # calls with one chain each
POSES = 64  # whole bodies in one call
FEW = 100  # chains for the baseline in plain Python
PASSES = 10  # most passes of the baseline, as is usual
TOLERANCE = 1e-3  # metres

_EYES = (0.0, 0.08, 0.1)


def two_bone_batch() -> Row:
    """Legs or arms in one call, with poles, float32."""
    given = _limbs(BATCH)
    return Row(
        f"two bones, {BATCH:,} at once",
        BATCH / best_seconds(lambda: ik.two_bone(*given)),
        "solves/s",
        1_000_000,
        BATCH / best_seconds(lambda: two_bone_reference(*given), repeats=1),
        "the same formulas in NumPy",
    )


def two_bone_single() -> Row:
    """One leg a call, as in a controller of one character."""
    calls = list(zip(*_limbs(SINGLE), strict=True))
    few = calls[: max(SINGLE // 20, 1)]
    return Row(
        "two bones, one by one",
        len(calls) / best_seconds(lambda: [ik.two_bone(*call) for call in calls]),
        "solves/s",
        50_000,
        len(few) / best_seconds(lambda: [two_bone_reference(*call) for call in few], repeats=1),
        "the same formulas in NumPy",
    )


def fabrik_single() -> Row:
    """A chain of three bones with a pole a call."""
    points, targets, poles = _chains(SINGLE, 3)
    calls = list(zip(points, targets, poles, strict=True))
    return Row(
        "FABRIK, 3 bones with a pole, one by one",
        len(calls) / best_seconds(lambda: [ik.fabrik_positions(*call) for call in calls]),
        "solves/s",
        31_000,
        FEW / best_seconds(lambda: [plain_fabrik(*call) for call in calls[:FEW]], repeats=1),
        "plain FABRIK in NumPy, bone by bone",
    )


def fabrik_batch() -> Row:
    """Chains of nine bones with poles in one call."""
    points, targets, poles = _chains(BATCH // 10, 9)
    calls = list(zip(points, targets, poles, strict=True))
    return Row(
        f"FABRIK, 9 bones with a pole, {BATCH // 10:,} at once",
        len(points) / best_seconds(lambda: ik.fabrik_positions(points, targets, poles)),
        "solves/s",
        50_000,
        FEW / best_seconds(lambda: [plain_fabrik(*call) for call in calls[:FEW]], repeats=1),
        "plain FABRIK in NumPy, bone by bone",
    )


def fabrik_success() -> Row:
    """Share of targets in reach that stretched chains of nine bones with poles meet within a millimetre."""
    points, targets, poles = _chains(max(BATCH // 10, FEW), 9)
    rng = np.random.default_rng(4)
    points = rotations.normalize_vector(points[:, 1:2]) * np.linspace(0, 1, 10)[:, None]
    targets = rotations.normalize_vector(targets) * rng.uniform(0.01, 0.999, size=(len(targets), 1))
    ours = ik.fabrik_positions(points, targets, poles)
    plain = np.stack([plain_fabrik(*call) for call in zip(points[:FEW], targets[:FEW], poles[:FEW], strict=True)])
    return Row(
        "FABRIK, 9 bones in one line, a pole, met within 1 mm",
        100.0 * float((np.linalg.norm(ours[:, -1] - targets, axis=-1) < TOLERANCE).mean()),
        "%",
        100,
        100.0 * float((np.linalg.norm(plain[:, -1] - targets[:FEW], axis=-1) < TOLERANCE).mean()),
        f"plain FABRIK, {PASSES} passes, each with the pole",
    )


def limited_chains() -> Row:
    """Chains of six bones with cones at every joint that reach what their limits allow, by FABRIK and least squares."""
    count = max(BATCH // 200, 1)
    names = [f"j{i}" for i in range(7)]
    body = Skeleton.create(names, range(-1, 6), [[0, 0, 0], *([[0, 0.2, 0]] * 6)])
    limits = [ik.Cone(joint, 0.8, (-0.5, 0.5)) for joint in range(6)]
    rng = np.random.default_rng(5)
    free = Pose(body, rotations.exp(rng.normal(scale=0.8, size=(count, 7, 3))))
    targets = ik.solve(free, [], limits, moving=names).global_positions[:, 6]
    rest = Pose(body, np.tile(body.rest_rotations.astype(np.float64), (count, 1, 1)))
    task = [ik.Reach("j6", targets)]
    return Row(
        "FABRIK, 6 bones with cones",
        count / best_seconds(lambda: ik.fabrik(rest, task, limits, root="j0")),
        "solves/s",
        3_000,
        count / best_seconds(lambda: ik.solve(rest, task, limits, restarts=8)),
        "least squares alone",
    )


def whole_bodies() -> Row:
    """A person that stands, reaches, looks and balances: poses a second, from all joints and the place of the hips."""
    start, tasks = _people(POSES)

    def one_by_one() -> None:
        for pose in range(POSES):
            own = [_of_pose(task, pose) for task in tasks]
            ik.solve(start[pose], own, sliding=["Hips"])

    return Row(
        f"whole body, {start.skeleton.joint_count} joints, {len(tasks)} tasks, {POSES} at once",
        POSES / best_seconds(lambda: ik.solve(start, tasks, sliding=["Hips"])),
        "poses/s",
        100,
        POSES / best_seconds(one_by_one, repeats=1),
        "one pose a call",
    )


def looking() -> Row:
    """Heads that turn to points with spine and neck, in closed form."""
    start, tasks = _people(POSES * 16)
    look = next(task for task in tasks if isinstance(task, ik.LookAt))
    chain = ["Spine1", "Spine2", "Neck", "Head"]
    target = np.asarray(look.target)
    return Row(
        f"looking with {len(chain)} joints, {POSES * 16} at once",
        POSES * 16 / best_seconds(lambda: ik.look_at(start, chain, target, offset=_EYES)),
        "poses/s",
        50_000,
        POSES * 16 / best_seconds(lambda: ik.solve(start, [look], moving=chain), repeats=1),
        "least squares",
    )


ROWS: tuple[Callable[[], Row], ...] = (
    two_bone_batch,
    two_bone_single,
    fabrik_single,
    fabrik_batch,
    fabrik_success,
    limited_chains,
    whole_bodies,
    looking,
)


def run() -> Iterator[Row]:
    """Measure all rows, one by one."""
    for row in ROWS:
        yield row()


def _limbs(count: int) -> tuple[Singles, Singles, Singles, Singles, Singles, Singles, Singles]:
    """Rotations of root and mid, their places and those of the ends, targets in reach, and poles; float32."""
    rng = np.random.default_rng(1)
    turned = rotations.normalize(rng.standard_normal((2, count, 4)))
    points, targets, poles = _chains(count, 2)
    upper, lower = turned.astype(np.float32)
    root, mid, end = np.moveaxis(points, 1, 0).astype(np.float32)
    return upper, lower, root, mid, end, targets.astype(np.float32), poles.astype(np.float32)


def _chains(count: int, bones: int) -> tuple[Floats, Floats, Floats]:
    """Random chains `[count, bones + 1, 3]` one metre long, targets in their reach, and poles."""
    rng = np.random.default_rng(2)
    along = rotations.normalize_vector(rng.normal(size=(2, count, bones, 3))) / bones
    points = np.concatenate([np.zeros((count, 1, 3)), np.cumsum(along[0], axis=1)], axis=1)
    return points, along[1].sum(1), rng.normal(size=(count, 3))


def _people(count: int) -> tuple[Pose, list[ik.Reach | ik.Orient | ik.LookAt | ik.Balance]]:
    """People near their rest pose, and what each is to do."""
    body, rng = data.body(), np.random.default_rng(3)
    turned = rotations.exp(rng.normal(scale=0.05, size=(count, body.joint_count, 3)))
    start = Pose(body, rotations.multiply(body.rest_rotations.astype(np.float64), turned))
    feet = [leg.foot for leg in body.roles.legs]
    hand, places = body.roles.arms[0], start.global_positions
    target = places[:, hand.upper] + rng.normal(scale=0.12, size=(count, 3)) + np.array([0.0, 0.0, 0.35])
    sight = places[:, body.index("Head")] + np.array([0.0, 0.0, 3.0]) + rng.normal(size=(count, 3))
    tasks: list[ik.Reach | ik.Orient | ik.LookAt | ik.Balance] = [
        ik.Reach(hand.hand, target),
        ik.LookAt("Head", sight, offset=_EYES),
    ]
    tasks += [ik.Reach(foot, places[:, foot]) for foot in feet]
    tasks += [ik.Orient(foot, start.global_rotations[:, foot]) for foot in feet]
    return start, [*tasks, ik.Balance(places[:, feet].mean(1))]


def _of_pose(task: ik.Reach | ik.Orient | ik.LookAt | ik.Balance, pose: int) -> ik.Task:
    """The task of one pose of a batch."""
    return replace(task, target=np.asarray(task.target)[pose])


def plain_fabrik(points: Reals, target: Reals, pole: Reals | None = None) -> Reals:
    """FABRIK as it is usually written: passes bone by bone, each of which turns every inner joint to the pole."""
    points = points.copy()
    root = points[0].copy()
    lengths = [float(np.linalg.norm(points[i + 1] - points[i])) for i in range(len(points) - 1)]
    for _ in range(PASSES):
        if np.linalg.norm(points[-1] - target) < TOLERANCE:
            break
        points[-1] = target
        for i in range(len(lengths) - 1, -1, -1):
            bone = points[i] - points[i + 1]
            points[i] = points[i + 1] + bone * (lengths[i] / np.linalg.norm(bone))
        points[0] = root
        for i in range(len(lengths)):
            bone = points[i + 1] - points[i]
            points[i + 1] = points[i] + bone * (lengths[i] / np.linalg.norm(bone))
        if pole is not None:
            _to_pole(points, pole)
    return points


def _to_pole(points: Reals, pole: Reals) -> None:
    """Turn each inner joint about the line between its neighbours to the side of the pole."""
    for i in range(1, len(points) - 1):
        line = points[i + 1] - points[i - 1]
        line = line / np.linalg.norm(line)
        offset = points[i] - points[i - 1]
        along = (offset @ line) * line
        side = pole - (pole @ line) * line
        points[i] = points[i - 1] + along + side * (np.linalg.norm(offset - along) / np.linalg.norm(side))
