"""Who acts in training clips: people of every look, creatures, and the bodies of files."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from kinema.arrays import Singles
from kinema.character import Character
from kinema.errors import FormatError, KinemaError, UsageError
from kinema.footage.bodies import dress
from kinema.footage.licences import Provenance, provenance
from kinema.footage.looks import draw_look
from kinema.formats import FORMATS, load
from kinema.formats.sources import iterate
from kinema.mocap.contacts import contact_joints
from kinema.mocap.creatures import CREATURES, PLANS, Creature, make_creature
from kinema.pose import Pose
from kinema.rendering.bodies import body_for, outline, owners, thinned
from kinema.rendering.conditions.body_points import PointRig, is_person
from kinema.skeleton import Skeleton

PEOPLE = "people"
"""The word for people of every look."""

_POINTS = 260  # of a surface that stand for it
_LOW_POINTS = 160  # of its feet


@dataclass(frozen=True)
class Member:
    """Somebody who can act: how the body is made.

    Attributes:
        kind: "person", "creature" or "file". name: of the creature, or path of the file. seed: of a person or creature.
        origin: where it comes from.
    """

    kind: str
    name: str
    seed: int
    origin: Provenance


@dataclass(frozen=True, eq=False)
class Actor:
    """A body that can be filmed.

    Attributes:
        name: of the body. character: with meshes. words: for captions. origin: where it comes from.
        creature: of the generator, with its plan; None for people and bodies of files.
    """

    name: str
    character: Character
    words: str
    origin: Provenance
    creature: Creature | None = None

    @property
    def skeleton(self) -> Skeleton:
        return self.character.skeleton

    @cached_property
    def person(self) -> bool:
        """Whether it has key points of people."""
        return is_person(self.skeleton)

    @cached_property
    def rig(self) -> PointRig | None:
        """Finds its key points; None for a body that is no person."""
        return PointRig(self.character) if self.person else None

    @cached_property
    def _thin(self) -> Character:
        return thinned(self.character, _POINTS)

    @cached_property
    def _soles(self) -> Character:
        """Points of the feet; of all of the body if they are not known."""
        below = self.skeleton.below(contact_joints(self.skeleton).tolist())
        feet = [below[owners(mesh)] for mesh in self.character.meshes]
        if not any(one.any() for one in feet):
            return thinned(self.character, _LOW_POINTS)
        kept = [np.flatnonzero(one)[:: max(int(one.sum()) // _LOW_POINTS, 1)] for one in feet]
        return _with_vertices(self.character, kept)

    def surface(self, pose: Pose) -> Singles:
        """Some points `[F, P, 3]` of its surface in poses `[F]`, world."""
        return outline(self._thin, pose)

    def lowest(self, pose: Pose) -> Singles:
        """Height `[F]` of its lowest foot in poses `[F]`, metres."""
        return outline(self._soles, pose)[..., 1].min(axis=-1)


def recruit(
    characters: Sequence[str | os.PathLike[str]], identities: int, seed: int, licence: str = ""
) -> list[Member]:
    """Everybody who may act.

    Args:
        characters: files, folders and archives of bodies, names of creatures and plans, and `PEOPLE`.
        identities: people, and bodies of each creature, that differ.
        licence: class of files that no list of licences names.

    Raises:
        UsageError: a name is neither a file nor a creature, or a folder has no bodies.
        FormatError: a file that was named cannot be read.
    """
    cast: list[Member] = []
    for given in characters or (PEOPLE,):
        text = os.fspath(given)
        if text == PEOPLE:
            cast += [
                Member("person", PEOPLE, _drawn(seed, 1, k), Provenance("kinema people")) for k in range(identities)
            ]
        elif text in CREATURES or text in PLANS:
            origin = Provenance(f"kinema {text}")
            cast += [Member("creature", text, _drawn(seed, 2, k), origin) for k in range(max(identities // 16, 1))]
        elif os.path.lexists(text) or any(mark in text for mark in "/."):
            cast += _from_files(text, licence)
        else:
            known = ", ".join((PEOPLE, *CREATURES))
            raise UsageError(f"no file and no creature is named {text!r}; there are {known}")
    return cast


def _drawn(seed: int, kind: int, number: int) -> int:
    """A seed of its own for each body."""
    return int(np.random.default_rng([seed, kind, number]).integers(1 << 31))


def _from_files(path: str, licence: str) -> list[Member]:
    found: list[Member] = []
    only = os.path.isfile(path) and not path.lower().endswith(".zip")
    for source in iterate(path, FORMATS):
        try:
            asset = load(source)
        except FormatError:
            if only or not os.path.exists(path):
                raise
            continue
        if (asset.character is not None and asset.character.meshes) or (only and asset.skeleton is not None):
            found.append(Member("file", source.path, 0, provenance(source.path, licence)))
        elif only:
            raise FormatError("holds neither a character nor a skeleton", path=path)
    if not found:
        raise UsageError(f"{path}: no file in it has a character with a mesh")
    return found


def hire(member: Member) -> Actor:
    """The body of a member of the cast.

    Raises:
        KinemaError: the file cannot be read, or its body cannot be shown.
    """
    return _HIRED[member.kind](member)


def _person(member: Member) -> Actor:
    look = draw_look(np.random.default_rng(member.seed))
    name = f"person-{member.seed}"
    return Actor(name, dress(look, name), look.words, member.origin)


def _creature(member: Member) -> Actor:
    creature = make_creature(member.name, member.seed)
    rng = np.random.default_rng([member.seed, 1])
    return Actor(creature.name, _tinted(body_for(creature.skeleton), rng), f"a {member.name}", member.origin, creature)


def _of_file(member: Member) -> Actor:
    asset = load(member.name)
    skeleton = asset.skeleton
    if skeleton is None:
        raise FormatError("holds neither a character nor a skeleton", path=member.name)
    stem = os.path.splitext(os.path.basename(member.name))[0]
    character = body_for(skeleton, asset.motions[0] if asset.motions else None, asset.character)
    if not character.vertex_count:
        raise KinemaError(f"{member.name}: its body has no surface")
    return Actor(stem, character, "a person" if is_person(skeleton) else f"a character named {stem}", member.origin)


_HIRED: dict[str, Callable[[Member], Actor]] = {"person": _person, "creature": _creature, "file": _of_file}


def _tinted(character: Character, rng: np.random.Generator) -> Character:
    """A mannequin in one colour of its own."""
    colour = np.clip(rng.uniform(0.15, 0.7, 3), 0, 1) ** 1.5
    meshes = []
    for mesh in character.meshes:
        shade = rng.uniform(0.5, 1.2) if mesh.colors is None else 1.0
        belly = np.where(mesh.normals[:, 1:2] < -0.3, 1.5, 1.0)
        tones = np.clip(colour * shade * belly, 0.0, 1.0)
        tones = np.broadcast_to(tones, (len(mesh.positions), 3))
        meshes.append(replace(mesh, colors=np.column_stack([tones, np.ones(len(tones))]).astype(np.float32)))
    return replace(character, meshes=tuple(meshes))


def _with_vertices(character: Character, kept: Sequence[np.ndarray]) -> Character:
    """The character with some vertices of each mesh and no triangles."""
    meshes = [
        replace(
            mesh,
            positions=mesh.positions[which],
            normals=mesh.normals[which],
            indices=np.zeros((0, 3), np.uint32),
            joints=None if mesh.joints is None else mesh.joints[which],
            weights=None if mesh.weights is None else mesh.weights[which],
            morphs=tuple(replace(one, positions=one.positions[which], normals=None) for one in mesh.morphs),
        )
        for mesh, which in zip(character.meshes, kept, strict=True)
    ]
    return replace(character, meshes=tuple(meshes))
