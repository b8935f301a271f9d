"""Bodies of people in any proportions and clothes: one mannequin, stretched bone by bone and coloured point by point.

The mannequin is modelled once. A body is made of it in milliseconds: each point goes with its bones, which are longer
and thicker or shorter and thinner, see `kinema.footage.looks.BodyShape`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from kinema import rotations
from kinema.arrays import Bools, Floats, Indices, Singles
from kinema.character import Character, Material, Mesh
from kinema.footage.looks import BodyShape, Colour, Garment, Look
from kinema.mocap.procedural.bipeds import humanoid
from kinema.pose import Pose
from kinema.rendering.bodies import owners
from kinema.rendering.mannequin import smooth
from kinema.rendering.mannequin.build import build_mannequin
from kinema.rendering.mannequin.modelling_pose import modelling_pose
from kinema.rendering.parts import PARTS, joint_parts
from kinema.skeleton import Skeleton

_CLOTH = Material("cloth", (1.0, 1.0, 1.0, 1.0), 0.0, 0.75)
_CROWN = 0.178  # metres from the head's joint to the crown of the mannequin
_TRUNK = ("pelvis", "torso", "left_shoulder", "right_shoulder")
_EYE = (0.028, 0.072, 0.016)  # metres: half the distance of the eyes, their height above the head's joint, radius


@dataclass(frozen=True, eq=False)
class Mannequin:
    """The usual person, and what each point of its surface is.

    Attributes:
        mesh: in the modelling pose.
        pose: the modelling pose.
        parts: `[V]`: index into `kinema.rendering.parts.PARTS`.
        along: `[V]`: share of the way from the joint that moves a point to the next one, 0 to 1.
        places: `[V, 3]`, metres, in the frame of the joint that moves it.
    """

    mesh: Mesh
    pose: Pose
    parts: Indices
    along: Floats
    places: Floats

    @property
    def skeleton(self) -> Skeleton:
        return self.pose.skeleton

    def of(self, *names: str) -> Bools:
        """Which points `[V]` belong to parts, on both sides: "thigh" is that of the left and of the right leg."""
        wanted = [number for number, part in enumerate(PARTS) if any(part.endswith(name) for name in names)]
        return np.isin(self.parts, wanted)


@cache
def mannequin() -> Mannequin:
    """The person that all bodies are made of."""
    skeleton = humanoid()
    pose = modelling_pose(skeleton)
    mesh = build_mannequin(skeleton, sides=False).meshes[0]
    owner = owners(mesh)
    turns, joints = np.asarray(pose.global_rotations), np.asarray(pose.global_positions)
    places = rotations.inverse_rotate(turns[owner], mesh.positions - joints[owner])
    bones = _bones(skeleton)[owner]
    along = (places * bones).sum(axis=-1) / np.maximum((bones * bones).sum(axis=-1), 1e-9)
    return Mannequin(mesh, pose, joint_parts(skeleton)[owner], np.clip(along, 0.0, 1.0), places)


def dress(look: Look, name: str = "person") -> Character:
    """A person's body: its skeleton, its mesh and its clothes."""
    base = mannequin()
    skeleton = proportioned(look.proportions)
    pose = Pose(skeleton, base.pose.local_rotations, _translations(base, skeleton))
    vertices = _stretched(base, skeleton, pose, look.proportions)
    faces = base.mesh.indices.astype(np.int64)
    mesh = replace(
        base.mesh,
        name=name,
        positions=vertices.astype(np.float32),
        normals=smooth.normals(vertices, faces).astype(np.float32),
        colors=_colours(base, look),
        inverse_bind=_inverse_bind(pose),
    )
    return Character(name, skeleton, (mesh,), (_CLOTH,))


def proportioned(proportions: BodyShape) -> Skeleton:
    """The skeleton of a person in these proportions, standing on the ground in its rest pose."""
    usual = mannequin().skeleton
    offsets = usual.rest_translations.astype(np.float64)
    names = usual.names
    for joint, joint_name in enumerate(names):
        offsets[joint] *= _stretch(joint_name, proportions)
    tips = usual.tip_offsets * np.asarray([[_tip_stretch(names[joint], proportions)] for joint in usual.tip_joints])
    leg = [names.index(f"Left{part}") for part in ("UpLeg", "Leg", "Foot", "ToeBase")]
    offsets[0, 1] += (usual.rest_translations[leg, 1] - offsets[leg, 1]).sum()
    crown = sum(offsets[names.index(part), 1] for part in ("Hips", "Spine", "Spine1", "Spine2", "Neck", "Head"))
    scale = proportions.height / (crown + proportions.head * _CROWN)
    ends = [(int(joint), scale * tip) for joint, tip in zip(usual.tip_joints, tips, strict=True)]
    return Skeleton.create(names, usual.parents, scale * offsets, tips=ends).with_roles(usual.roles)


def _stretch(name: str, proportions: BodyShape) -> Floats:
    """How much longer the offset of a joint is, on each axis."""
    side = name.removeprefix("Left").removeprefix("Right")
    if side in ("Leg", "Foot"):
        return np.full(3, proportions.legs)
    if side in ("ForeArm", "Hand"):
        return np.full(3, proportions.arms)
    if side == "Arm":
        return np.asarray([proportions.shoulders, 1.0, 1.0])
    if side == "UpLeg":
        return np.asarray([proportions.hips, 1.0, 1.0])
    return np.full(3, proportions.trunk if side in ("Spine", "Spine1", "Spine2", "Neck") else 1.0)


def _tip_stretch(name: str, proportions: BodyShape) -> float:
    return proportions.head if name == "Head" else 1.0


def _bones(skeleton: Skeleton) -> Floats:
    """From each joint to its first child, or to its tip, `[J, 3]`, in the joint's own frame."""
    bones = np.zeros((skeleton.joint_count, 3))
    for joint, offset in zip(skeleton.tip_joints, skeleton.tip_offsets, strict=True):
        bones[joint] = offset
    for joint in range(skeleton.joint_count - 1, 0, -1):
        bones[skeleton.parents[joint]] = skeleton.rest_translations[joint]
    return bones


def _translations(base: Mannequin, skeleton: Skeleton) -> Floats:
    """Local translations of the modelling pose with other bones."""
    moved = np.asarray(base.pose.local_translations, np.float64) - base.skeleton.rest_translations
    return skeleton.rest_translations.astype(np.float64) + moved


def _stretched(base: Mannequin, skeleton: Skeleton, pose: Pose, proportions: BodyShape) -> Floats:
    """The surface `[V, 3]`: each point moves with its joints, whose surroundings are longer and thicker."""
    mesh = base.mesh
    assert mesh.joints is not None and mesh.weights is not None
    scales = _scales(base.skeleton, skeleton, proportions)
    before, turns = np.asarray(base.pose.global_positions), np.asarray(base.pose.global_rotations)
    after = np.asarray(pose.global_positions)
    joints, weights = mesh.joints, mesh.weights.astype(np.float64)
    local = rotations.inverse_rotate(turns[joints], mesh.positions[:, None] - before[joints])
    moved = after[joints] + rotations.rotate(turns[joints], local * scales[joints])
    return (weights[..., None] * moved).sum(axis=1)


def _scales(usual: Skeleton, skeleton: Skeleton, proportions: BodyShape) -> Floats:
    """By how much what surrounds each joint is stretched on each axis of the joint, `[J, 3]`."""
    old, new = _bones(usual), _bones(skeleton)
    lengths = np.linalg.norm(new, axis=-1) / np.maximum(np.linalg.norm(old, axis=-1), 1e-9)
    size = float(new[usual.names.index("LeftFoot")][2] / old[usual.names.index("LeftFoot")][2])
    scales = np.empty((skeleton.joint_count, 3))
    for joint, number in enumerate(joint_parts(skeleton)):
        part = PARTS[number]
        thick = proportions.girth if part in _TRUNK else proportions.limbs
        if part == "head":
            thick = proportions.head
        if part.endswith(("hand", "foot")):
            thick = 1.0
        if part == "neck":
            thick = 0.5 + 0.5 * proportions.limbs
        scales[joint] = size * thick
        scales[joint, int(np.abs(old[joint]).argmax())] = lengths[joint]
        if part in ("pelvis", "torso"):
            wide = proportions.hips if part == "pelvis" else proportions.shoulders
            scales[joint, 0] = size * 0.5 * (thick + thick * wide)
    return scales


def _inverse_bind(pose: Pose) -> Singles:
    turns, places = np.asarray(pose.global_rotations), np.asarray(pose.global_positions)
    matrices = np.tile(np.eye(4), (pose.skeleton.joint_count, 1, 1))
    matrices[:, :3, :3] = np.swapaxes(rotations.to_matrix(turns), -1, -2)
    matrices[:, :3, 3] = -rotations.inverse_rotate(turns, places)
    return matrices.astype(np.float32)


# ---- clothes ---------------------------------------------------------------------------------------------------------


def _colours(base: Mannequin, look: Look) -> Singles:
    """Linear colours `[V, 4]`."""
    colours = np.tile(np.asarray(look.skin), (len(base.parts), 1))
    place = base.mesh.positions.astype(np.float64)
    body = base.of("pelvis", "torso", "shoulder")
    sleeve = np.where(base.of("upper_arm"), 0.5 * base.along, 0.5 + 0.5 * base.along)
    topped = body | (base.of("upper_arm", "forearm") & (sleeve <= look.top.length))
    _paint(colours, topped, look.top, np.abs(place[:, 0]), place[:, 1], place)
    leg = np.where(base.of("thigh"), 0.5 * base.along, 0.5 + 0.5 * base.along)
    below = base.of("pelvis") & (base.places[:, 1] < 0.05) | (base.of("thigh", "shin") & (leg <= look.trousers.length))
    _paint(colours, below, look.trousers, np.abs(place[:, 0]), place[:, 1], place)
    colours[base.of("foot")] = look.shoes
    _paint_head(colours, base, look)
    linear = np.power(np.clip(colours, 0.0, 1.0), 2.2)
    return np.column_stack([linear, np.ones(len(linear))]).astype(np.float32)


def _paint(colours: Floats, where: Bools, garment: Garment, aside: Floats, up: Floats, place: Floats) -> None:
    """A garment with its pattern; patterns of sleeves run along the arms, which are stretched out to the sides."""
    colours[where] = garment.colour
    step = garment.scale
    arm = aside > 0.2
    level = np.where(arm, aside, up)
    across = np.where(arm, up, place[:, 0])
    turns = np.arctan2(place[:, 2], across) / (2.0 * np.pi) * 0.9
    if garment.pattern == "shaded":
        share = np.clip((level - level[where].min()) / max(float(np.ptp(level[where])), 1e-6), 0.0, 1.0)[:, None]
        mixed = (1.0 - share) * np.asarray(garment.second) + share * np.asarray(garment.colour)
        colours[where] = mixed[where]
        return
    odd = {
        "plain": np.zeros(len(up), np.bool_),
        "striped": np.floor(level / (0.5 * step)) % 2 == 1,
        "pinstriped": np.floor(turns / (0.4 * step)) % 2 == 1,
        "checked": (np.floor(level / step) + np.floor(turns / step)) % 2 == 1,
        "dotted": np.hypot(level % step - 0.5 * step, turns % step - 0.5 * step) < 0.34 * step,
        "two-coloured": place[:, 0] > 0.0,
        "banded": np.abs(up - np.quantile(up[where], 0.6)) < 0.7 * step,
    }[garment.pattern]
    colours[where & odd] = garment.second


def _paint_head(colours: Floats, base: Mannequin, look: Look) -> None:
    head, place = base.of("head"), base.places
    up, ahead, aside = place[:, 1], place[:, 2], np.abs(place[:, 0])
    lowest = {"short": 0.055, "long": -0.10, "cap": 0.10, "bald": np.inf}[look.hair]
    brow = 0.105 if look.hair != "cap" else 0.1
    hair = (up > lowest) & ((ahead < 0.012) | (up > brow))
    scalp = hair & (head | (base.of("neck") & (look.hair == "long") & (ahead < 0.0)))
    colours[scalp] = look.hair_colour
    eyes = head & (np.hypot(aside - _EYE[0], up - _EYE[1]) < _EYE[2]) & (ahead > 0.0)
    colours[eyes] = _dark(look.skin)


def _dark(colour: Colour) -> Floats:
    return 0.15 * np.asarray(colour)
