"""How well motion goes from one rig to another: plain retargeting, and with a model that moves what the source lacks.

    .venv/bin/python scripts/score_retargeting.py [--model RUN] [--files FOLDER] [--seconds N]

Pairs of generated creatures, and with FOLDER pairs of files in it. Of each: the correlation of the phases of legs, the
F1 score of contacts, found in the same way in both motions, and how far joints are off after the way back, in percent
of the diameter, in the world and in the heading frame. Of the joints that the source has nothing for: how many there
are, and how fast they turn, beside what they do when the target itself does the same.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kinema import rotations
from kinema.arrays import Bools, Indices
from kinema.errors import SkeletonError
from kinema.face.generation import infill
from kinema.formats import Asset, load
from kinema.generation.channels import FPS, encode
from kinema.generation.infill import loose_joints
from kinema.generation.rig import AnyRig
from kinema.generation.takes import Takes
from kinema.generation.transfer import contact_f1, cycle_error, leg_swings, phase_correlation
from kinema.mocap.contacts import detect, relative_size
from kinema.mocap.creatures import Act, make_creature, perform
from kinema.mocap.ground import stance_height
from kinema.mocap.in_place import move_with_feet
from kinema.motion import Motion
from kinema.retargeting.chains import LEGS
from kinema.retargeting.retargeter import Fill, Retargeter
from kinema.retargeting.transfer import KEEP

CREATURES = (
    ("person", "trex"),
    ("trex", "person"),
    ("dog", "horse"),
    ("lizard", "dog"),
    ("spider", "ant"),
    ("person", "dog"),
    ("person", "eagle"),
    ("dragon", "dog"),
)
FILES = (
    ("quaternius/Fox.glb", "AnimalArmature|Walk", "quaternius/Husky.glb"),
    ("mesh2motion/fox-animations.glb", "Walk", "quaternius/Husky.glb"),
    ("khronos/Fox.glb", "Walk", "quaternius/Horse.glb"),
)
COLUMNS = "legs  phase     F1  cycle %   pose %  free  deg/s  own deg/s"


class Pair(NamedTuple):
    """A motion, a target, and the target's own motion of the same kind, if there is one."""

    name: str
    motion: Motion
    target: Asset
    own: Motion | None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--files", type=Path)
    parser.add_argument("--seconds", type=float, default=4.0)
    options = parser.parse_args()
    fill = infill(options.model)
    print(f"{'':44} {COLUMNS}")
    for pair in (*creatures(options.seconds), *files(options.files)):
        for name, how in (("plain", None), ("with a model", fill)):
            print(f"{pair.name:30} {name:13} {row(pair, how)}", flush=True)


def creatures(seconds: float) -> Iterator[Pair]:
    script = [Act("walk", seconds, curve=0.2)]
    for source, target in CREATURES:
        other = make_creature(target)
        motion, own = (perform(make_creature(name), script, seed=3) for name in (source, target))
        yield Pair(f"{source} to {target}", motion.replace(labels={}), Asset("", "", other.skeleton, (own,)), own)


def files(folder: Path | None) -> Iterator[Pair]:
    for source, clip, target in FILES if folder is not None else ():
        assert folder is not None
        motion = load(folder / source).motion(clip)
        yield Pair(f"{Path(source).stem} to {Path(target).stem}", move_with_feet(motion), load(folder / target), None)


def row(pair: Pair, fill: Fill | None) -> str:
    there, setup = carried(pair.motion, pair.target, fill)
    back, _ = carried(there, Asset("", "", pair.motion.skeleton, (pair.motion,)), fill)
    source, target, again = (takes(motion) for motion in (pair.motion, there, back))
    feet = legs(setup, source.rig, target.rig)
    count = min(source.frames, target.frames)
    swings = [leg_swings(each, joints)[0, :count] for each, joints in zip((source, target), feet, strict=True)]
    stands = [standing(each, joints)[:count] for each, joints in zip((source, target), feet, strict=True)]
    free = loose_joints(target.rig, setup.transfer.ops != KEEP)
    figures = (
        ("5d", len(feet[0])),
        ("7.2f", phase_correlation(*swings)),
        ("7.2f", contact_f1(*stands)),
        ("9.2f", cycle_error(source, again)),
        ("9.2f", 50.0 * float(np.linalg.norm(source.model_positions - again.model_positions, axis=-1).mean())),
        ("6d", int(free.sum())),
        ("7.1f", liveliness(target, free)),
        ("11.1f", None if pair.own is None else liveliness(takes(pair.own), free)),
    )
    return "".join(
        f"{'-' if value is None else format(value, form):>{int(form.split('.')[0].rstrip('df'))}}"
        for form, value in figures
    )


def carried(motion: Motion, target: Asset, fill: Fill | None) -> tuple[Motion, Retargeter]:
    """The motion on the target, and the set-up of the pair."""
    try:
        setup = Retargeter(motion.skeleton, target.skeleton or target, motions=(motion,))
    except SkeletonError:  # its rest pose does not stand: motion of its own shows how it does
        setup = Retargeter(motion.skeleton, target, motions=(motion,))
    result = setup(motion)
    return (result if fill is None else fill(setup, result)).motion, setup


def takes(motion: Motion) -> Takes:
    body = AnyRig.of(motion.skeleton)
    return Takes(body, encode(body, motion)[0][None])


def legs(setup: Retargeter, source: AnyRig, target: AnyRig) -> tuple[Indices, Indices]:
    """The ends of legs that belong together, as joints of both rigs."""
    theirs, ours = ({c.name: c for c in body.skeleton.roles.chains} for body in setup.bodies)
    named = [(theirs[b], ours[a]) for a, b in setup.match.chains.items()]
    pairs = [pair for pair in named if all(chain.kind in LEGS for chain in pair)]
    first, second = (
        [lowest(rig, int(rig.followed[pair[side].joints[-1]])) for pair in pairs]
        for side, rig in enumerate((source, target))
    )
    return np.asarray(first, np.int32), np.asarray(second, np.int32)


def lowest(rig: AnyRig, top: int) -> int:
    """The lowest joint at rest of a joint and all that hang on it."""
    below = [top]
    for joint in range(top + 1, rig.count):
        if rig.parents[joint] in below:
            below.append(joint)
    return min(below, key=lambda joint: float(rig.rest_positions[joint, 1]))


def standing(made: Takes, feet: Indices) -> Bools:
    """Whether each leg stands, `[F, L]`: its end is slow, and as low as it stands."""
    rig = made.rig
    positions = made.global_positions[0][:, feet] * np.float32(rig.unit)
    size = relative_size(rig.skeleton)
    heights = [stance_height(positions[:, [foot]], FPS, size) for foot in range(len(feet))]
    return detect(positions, FPS, np.asarray(heights, np.float32), size)


def liveliness(made: Takes, joints: np.ndarray) -> float | None:
    """Mean speed of joints against their parents, degrees a second."""
    if not joints.any():
        return None
    turns = made.local_turns[0][:, joints]
    return float(np.degrees(rotations.angle(rotations.relative(turns[:-1], turns[1:])).mean())) * FPS


if __name__ == "__main__":
    main()
