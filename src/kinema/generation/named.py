"""How alike joints of two rigs are by what they are called, and rigs that tell nothing by names."""

from __future__ import annotations

from dataclasses import replace

from kinema.arrays import Floats
from kinema.generation.encoding import NAMED, ROLED, encode_rig
from kinema.generation.rig import AnyRig
from kinema.skeleton import Skeleton


def named_evidence(first: AnyRig, second: AnyRig) -> Floats:
    """How unlike joints are `[K1, K2]`, from 0 to 2: 1 for other roles where both are known, 1 for other names."""
    one, two = (encode_rig(rig).joints.astype(float) for rig in (first, second))
    roles, others = one[:, ROLED], two[:, ROLED]
    known = roles[:, :-1].sum(axis=-1)[:, None] * others[:, :-1].sum(axis=-1)[None]
    return known * (1.0 - roles @ others.T) + 1.0 - one[:, NAMED] @ two[:, NAMED].T


def without_names(skeleton: Skeleton) -> AnyRig:
    """The rig of a skeleton whose names are withheld: hips, and where its front is, are told by shape."""
    names = [f"j{number}" for number in range(skeleton.joint_count)]
    tips = list(zip(skeleton.tip_joints.tolist(), skeleton.tip_offsets, strict=True))
    renamed = Skeleton.create(names, skeleton.parents, skeleton.rest_translations, skeleton.rest_rotations, tips)
    return replace(AnyRig.of(renamed), skeleton=skeleton)
