"""The suite `retarget`: motion of a captured person onto a character rig, on one thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from kinema import kinematics
from kinema.benchmarks import data
from kinema.benchmarks.measure import Row, best_seconds
from kinema.motion import Motion
from kinema.retargeting import Retargeter
from kinema.retargeting.transfer import transfer_reference

FRAMES = 20_000
FEW = 60  # frames for the baseline that solves them one by one


@cache
def _pair() -> tuple[Retargeter, Motion]:
    motion = Motion.concatenate(data.locomotion(FRAMES, fps=60.0)).cut(0, FRAMES)
    return Retargeter(motion.skeleton, data.rig()), motion


def closed_form() -> Row:
    """All but contacts: source kinematics, rotation transfer, hips, the new motion."""
    setup, motion = _pair()

    def plain() -> None:
        parents = motion.skeleton.parents.tolist()
        source, _ = kinematics.forward_reference(motion.local_rotations, motion[:].local_translations, parents)
        transfer_reference(setup.transfer, source)

    return Row(
        f"closed form, {motion.skeleton.joint_count} to {setup.target.joint_count} joints",
        motion.frames / best_seconds(lambda: setup(motion, contacts=False, measured=False)),
        "frames/s",
        100_000,
        motion.frames / best_seconds(plain, repeats=2),
        "the same rotations in NumPy, joint by joint",
    )


def with_contacts() -> Row:
    """The whole retargeting with foot contacts, from motion to motion."""
    setup, motion = _pair()

    def one_by_one() -> None:
        for frame in range(FEW):
            setup(motion.cut(frame, frame + 1), measured=False)

    return Row(
        f"with contacts, {motion.skeleton.joint_count} to {setup.target.joint_count} joints",
        motion.frames / best_seconds(lambda: setup(motion, measured=False)),
        "frames/s",
        5_000,
        FEW / best_seconds(one_by_one, repeats=2),
        "frame by frame, as in tools that solve one pose at a time",
    )


ROWS: tuple[Callable[[], Row], ...] = (closed_form, with_contacts)


def run() -> Iterator[Row]:
    """Measure all rows, one by one."""
    for row in ROWS:
        yield row()
