"""Creatures: body plans, presets, and random bodies of a plan."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from kinema.errors import ControlError
from kinema.mocap.creatures import mammals, others
from kinema.mocap.creatures.anatomy import CreatureAnatomy, CreatureLimb
from kinema.mocap.creatures.dice import Dice
from kinema.mocap.creatures.names import SCHEMES
from kinema.mocap.creatures.rig import ROLLS, RigDraft
from kinema.skeleton import Skeleton

_PLANS: dict[str, Callable[[RigDraft, Dice], object]] = {
    "biped": mammals.biped,
    "theropod": mammals.theropod,
    "bird": mammals.bird,
    "digitigrade": partial(mammals.quadruped, posture="digitigrade"),
    "unguligrade": partial(mammals.quadruped, posture="unguligrade"),
    "plantigrade": partial(mammals.quadruped, posture="plantigrade"),
    "lizard": others.lizard,
    "hexapod": others.hexapod,
    "spider": others.spider,
    "crab": others.crab,
    "centipede": others.centipede,
    "snake": others.snake,
    "fish": others.fish,
    "winged": mammals.winged,
    "tentacled": others.tentacled,
}
PLANS = tuple(_PLANS)
"""Body plans."""

CREATURES: dict[str, tuple[str, dict[str, float]]] = {
    "person": ("biped", {}),
    "ogre": ("biped", {"leg": 1.1, "width": 0.2, "trunk": 0.85, "upper_arm": 0.45, "forearm": 0.45, "head": 0.3}),
    "trex": ("theropod", {"height": 2.8, "head": 0.45, "tail": 1.4, "arm": 0.16, "width": 0.14}),
    "raptor": ("theropod", {"height": 0.9, "neck": 0.5, "head": 0.32, "tail": 1.5, "arm": 0.4}),
    "ostrich": ("theropod", {"height": 1.15, "trunk": 0.65, "neck": 0.9, "neck_pitch": 1.3, "neck_joints": 5,
                             "head": 0.16, "tail": 0.3, "tail_joints": 2, "arms": 0}),
    "sparrow": ("bird", {"leg": 0.1, "body": 0.16, "neck": 0.25, "neck_joints": 2}),
    "pigeon": ("bird", {"leg": 0.16, "body": 0.24}),
    "crane": ("bird", {"leg": 0.6, "body": 0.4, "neck": 1.1, "neck_joints": 5, "head": 0.25}),
    "eagle": ("bird", {"leg": 0.26, "body": 0.42, "wing": 2.2}),
    "dog": ("digitigrade", {}),
    "wolf": ("digitigrade", {"height": 0.8, "neck": 0.45, "neck_pitch": 0.4, "tail": 0.6}),
    "cat": ("digitigrade", {"height": 0.3, "trunk": 1.15, "neck": 0.3, "head": 0.3, "tail": 1.0, "tail_joints": 6,
                            "tail_pitch": -0.3}),
    "lion": ("digitigrade", {"height": 1.0, "trunk": 1.2, "neck": 0.38, "tail": 0.9, "tail_joints": 6, "mane": 1}),
    "horse": ("unguligrade", {"height": 1.5, "trunk": 0.95, "neck": 0.6, "neck_pitch": 0.75, "neck_joints": 3,
                              "head": 0.38, "ears": 0.25, "tail": 0.55, "tail_pitch": -1.1}),
    "deer": ("unguligrade", {"height": 1.0, "trunk": 0.85, "neck": 0.55, "neck_pitch": 0.95, "head": 0.28,
                             "tail": 0.15, "tail_joints": 2, "ears": 0.5}),
    "cow": ("unguligrade", {"height": 1.35, "trunk": 1.2, "width": 0.2, "neck": 0.35, "neck_pitch": 0.25, "tail": 0.7}),
    "bear": ("plantigrade", {"height": 1.0, "trunk": 1.15, "width": 0.22, "neck": 0.32, "neck_pitch": 0.2,
                             "head": 0.4, "tail": 0.1, "tail_joints": 2, "ears": 0.25}),
    "lizard": ("lizard", {}),
    "crocodile": ("lizard", {"length": 1.6, "height": 0.17, "head": 0.45, "tail": 1.1}),
    "ant": ("hexapod", {}),
    "wasp": ("hexapod", {"wings": 1, "leg": 0.3, "body": 1.5, "abdomen": 0.75, "abdomen_joints": 3, "feathers": 0}),
    "hornet": ("hexapod", {"aloft": 1, "wings": 1, "stiff_wings": 1, "leg": 0.3, "body": 1.5, "abdomen_joints": 3}),
    "beetle": ("hexapod", {"body": 1.2, "height": 0.3, "abdomen": 0.7, "abdomen_joints": 1, "knee": 0.18}),
    "spider": ("spider", {}),
    "tarantula": ("spider", {"body": 0.6, "height": 0.28, "knee": 0.28}),
    "crab": ("crab", {}),
    "centipede": ("centipede", {}),
    "snake": ("snake", {}),
    "eel": ("fish", {"length": 1.5, "depth": 0.07, "tail_joints": 9, "fin": 0.6, "pelvic": 0}),
    "fish": ("fish", {}),
    "shark": ("fish", {"length": 3.0, "depth": 0.13, "fin": 1.5, "tail_joints": 6}),
    "dolphin": ("fish", {"length": 2.2, "depth": 0.13, "fin": 1.2, "tail_joints": 6, "level": 1}),
    "whale": ("fish", {"length": 12.0, "depth": 0.17, "fin": 1.4, "tail_joints": 5, "level": 1, "dorsal": 0}),
    "dragon": ("winged", {"height": 1.8, "neck": 0.7, "neck_joints": 4, "tail": 1.5, "tail_joints": 7, "ears": 0.3}),
    "griffin": ("winged", {"height": 1.2, "neck": 0.4, "tail": 0.8, "wing": 1.7}),
    "octopus": ("tentacled", {}),
}  # fmt: skip
"""Presets: body plan, and numbers of the plan that differ from the usual ones."""

_SIZES = 0.3, 3.0


@dataclass(frozen=True, eq=False)
class Creature:
    """A body that can be animated.

    Attributes:
        name: the preset or plan, with the seed.
        plan: one of `PLANS`.
        skeleton: the joints.
        anatomy: which joints are which part.
    """

    name: str
    plan: str
    skeleton: Skeleton
    anatomy: CreatureAnatomy


def make_creature(name: str, seed: int | None = None) -> Creature:
    """A preset, or a random body of its plan.

    Args:
        name: one of `CREATURES` or `PLANS`.
        seed: None is the preset itself; a number varies proportions, size, numbers of joints, extras, names of
            joints and rest rotations.

    Raises:
        ControlError: there is no such creature, or the seed is negative.
    """
    plan, preset = CREATURES.get(name, (name, {}))
    if plan not in _PLANS:
        raise ControlError(f"no creature or body plan is named {name!r}; there are: {', '.join([*CREATURES, *PLANS])}")
    if seed is not None and seed < 0:
        raise ControlError(f"a seed must be a non-negative integer, not {seed}")
    rng = np.random.default_rng((zlib.crc32(name.encode()), 0 if seed is None else seed + 1))
    rig = RigDraft()
    _PLANS[plan](rig, Dice(None if seed is None else rng, preset))
    scale, scheme, roll = 1.0, SCHEMES[0], ROLLS[0]
    if seed is not None:
        scale = float(np.exp(rng.uniform(*np.log(_SIZES))))
        scheme = SCHEMES[int(rng.integers(len(SCHEMES)))]
        roll = ROLLS[int(rng.choice(len(ROLLS), p=(0.5, 0.25, 0.25)))]
    skeleton = rig.skeleton(scale, scheme, roll, rng)
    return Creature(name if seed is None else f"{name}-{seed}", plan, skeleton, _anatomy(rig))


def _anatomy(rig: RigDraft) -> CreatureAnatomy:
    """The anatomy of a rig, known from its groups."""

    def limbs(*kinds: str) -> tuple[CreatureLimb, ...]:
        found = [(order, -side, joints) for kind, side, order, joints in rig.groups if kind in kinds]
        return tuple(CreatureLimb(joints, -side, order) for order, side, joints in sorted(found))

    def joints(kind: str) -> tuple[int, ...]:
        return tuple(joint for group, _, _, row in rig.groups if group == kind for joint in row)

    front, legs = limbs("front_leg"), limbs("leg")
    behind = 1 if front else 0
    ordered = (*front, *(CreatureLimb(leg.joints, leg.side, leg.order + behind) for leg in legs))
    heads = joints("head")
    return CreatureAnatomy(
        root=joints("root")[0],
        trunk=joints("trunk"),
        neck=joints("neck"),
        head=heads[0] if heads else None,
        jaws=joints("jaw"),
        tails=tuple(row for kind, _, _, row in rig.groups if kind == "tail"),
        legs=ordered,
        arms=limbs("arm", "claw"),
        wings=limbs("wing"),
        fins=limbs("fin"),
        tentacles=limbs("tentacle"),
        soft=limbs("ear", "antenna", "mane", "fluke", "crest", "mantle"),
    )
