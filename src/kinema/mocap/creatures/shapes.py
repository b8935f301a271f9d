"""Parts that body plans share: lines of joints, trunks, heads, tails, legs of mammals and of arthropods."""

from __future__ import annotations

import numpy as np

from kinema.arrays import Floats
from kinema.mocap.creatures.dice import Dice
from kinema.mocap.creatures.names import JointKey
from kinema.mocap.creatures.rig import RigDraft


def vec(x: float, y: float, z: float) -> Floats:
    return np.asarray([x, y, z], np.float64)


def line(start: Floats, end: Floats, count: int) -> Floats:
    """Places `[count + 1, 3]` evenly from `start` to `end`."""
    return start + (end - start) * np.linspace(0, 1, count + 1)[:, None]


def arc(start: Floats, length: float, pitch: float, bend: float, count: int, back: bool = False) -> Floats:
    """Places `[count + 1, 3]` along a curve in the middle plane.

    Args:
        start: first place.
        length: of the curve, metres.
        pitch: rise at the start, radians.
        bend: change of pitch to the end, radians.
        count: number of bones.
        back: whether the curve leads backward.
    """
    angles = pitch + bend * (np.arange(count) + 0.5) / count
    steps = np.stack([0 * angles, np.sin(angles), (-1 if back else 1) * np.cos(angles)], axis=-1) * (length / count)
    return np.concatenate([start[None], start + np.cumsum(steps, axis=0)])


def root(rig: RigDraft, dice: Dice, place: Floats) -> int:
    """The hips, sometimes below an extra root on the ground."""
    above = rig.add(JointKey("root"), -1, vec(0, 0, 0)) if dice.has("root", False, 0.3) else -1
    hips = rig.add(JointKey("hips"), above, place)
    rig.groups.append(("root", 0, 0, (hips,)))
    return hips


def head(
    rig: RigDraft, dice: Dice, parent: int, place: Floats, size: float, pitch: float = -0.25, ears: float = 0.0
) -> int:
    """A head that looks ahead, with jaw and ears.

    Args:
        size: length of the head, metres.
        pitch: slope of the snout, radians.
        ears: length of the ears relative to the head; 0 has none.
    """
    ahead = vec(0, np.sin(pitch), np.cos(pitch))
    joint = rig.chain("head", ["head"], parent, [place, place + size * ahead])[0]
    if dice.has("jaw", True, 0.7):
        hinge = place + vec(0, -0.15, 0.12) * size
        rig.chain("jaw", ["jaw"], joint, [hinge, hinge + 0.75 * size * ahead + vec(0, -0.12, 0) * size])
    if ears > 0 and dice.has("ears", True, 0.7):
        count = dice.count("ear_joints", 1, 1, 3)
        base = place + vec(0.22, 0.28, 0.05) * size
        rig.pair("ear", ["ear"] * count, joint, line(base, base + vec(0.12, 1.0, -0.1) * ears * size, count))
    return joint


def tail(
    rig: RigDraft, dice: Dice, parent: int, place: Floats, length: float, pitch: float, bend: float, usual: int
) -> None:
    """A tail of several joints; very short ones are left out."""
    count = dice.count("tail_joints", usual, max(2, usual - 2), usual + 3)
    if length > 0 and count:
        rig.chain("tail", ["tail"] * count, parent, arc(place, length, pitch, bend, count, back=True))


def limb(
    rig: RigDraft, dice: Dice, kind: str, parts: list[str], parent: int, places: list[Floats], order: int = 0
) -> None:
    """A pair of limbs, sometimes with twist joints in their long bones and with extra toes."""
    points, names = list(places), list(parts)
    if dice.has("twists", False, 0.15):
        at = next((i for i, part in enumerate(names) if part in ("thigh", "upper_arm")), None)
        if at is not None:
            points.insert(at + 1, 0.5 * (points[at] + points[at + 1]))
            names.insert(at + 1, f"{names[at]}_twist")
    pair = rig.pair(kind, names, parent, points, order)
    if kind in ("leg", "front_leg") and dice.has("digits", False, 0.2) and len(points) > len(names):
        _digits(rig, pair, points)


def _digits(rig: RigDraft, pair: tuple[list[int], list[int]], points: list[Floats]) -> None:
    """Two more toes beside the last joint."""
    ahead = points[-1] - points[-2]
    for sign, joints in zip((1.0, -1.0), pair, strict=True):
        for number, aside in enumerate((0.35, -0.35)):
            base = points[-2] + 0.3 * ahead + vec(aside * float(np.linalg.norm(ahead)), 0, 0)
            end = base + 0.6 * ahead
            mirror = vec(sign, 1, 1)
            toe = rig.add(JointKey("digit", int(sign), number, 0, "leg"), joints[-1], base * mirror)
            rig.tips.append((toe, end * mirror))


def arthropod_legs(
    rig: RigDraft, dice: Dice, parents: list[int], hips: Floats, reach: float, fans: Floats, knee: float
) -> None:
    """Legs of coxa, femur, tibia and tarsus on both sides, that rise to a knee and go down to the ground.

    Args:
        parents: the joint that carries each pair of legs.
        hips: `[P, 3]` places of the left coxae.
        reach: distance of the feet from the coxae on the ground, metres.
        fans: `[P]` direction of each left leg, radians from straight ahead.
        knee: height of the knees above the coxae, metres.
    """
    tarsus = dice.has("tarsus", True, 0.6)
    for order, (parent, hip, fan) in enumerate(zip(parents, hips, fans, strict=True)):
        out = vec(np.sin(fan), 0, np.cos(fan))
        coxa_end = hip + 0.12 * reach * out
        top = coxa_end + 0.33 * reach * out + vec(0, knee, 0)
        ankle = hip + 0.86 * reach * out + vec(0, 0.22 * (hip[1] + knee) - hip[1], 0)
        foot = hip + reach * out + vec(0, 0.012 * reach - hip[1], 0)
        tip = foot + 0.03 * reach * out - vec(0, 0.012 * reach, 0)
        parts = ["coxa", "femur", "tibia", *(["tarsus"] if tarsus else []), "claw"]
        limb(rig, dice, "leg", parts, parent, [hip, coxa_end, top, *([ankle] if tarsus else []), foot, tip], order)


def wings(rig: RigDraft, dice: Dice, parent: int, shoulder: Floats, span: float) -> None:
    """A pair of wings, spread or half folded at rest, with feathers or fingers beyond the arm."""
    spread = dice.angle("wing_spread", 1.0, 0.0) if dice.has("spread", True, 0.7) else 0.45
    back, forth = 0.9 * (1 - spread), 1.1 * (1 - spread)
    upper = shoulder + 0.3 * span * vec(np.cos(back), 0.05, -np.sin(back))
    lower = upper + 0.35 * span * vec(np.cos(forth), 0.05, np.sin(forth))
    ways = [shoulder, upper, lower]
    end = lower + 0.35 * span * vec(np.cos(2 * back), 0.0, -np.sin(2 * back) - 0.15)
    feathers = dice.count("feathers", 1, 0, 2)
    parts = ["upper_arm", "forearm", "hand", *["membrane"] * feathers]
    limb(rig, dice, "wing", parts, parent, [*ways[:2], *line(lower, end, feathers + 1)])
