"""Prepares an asset for a program."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from kinema.character import Character, Mesh
from kinema.formats import Asset
from kinema.formats.profiles.model import Profile, ProfileError, profile_for
from kinema.formats.profiles.naming import FOR_ANY_BODY, cleaned, standard_names
from kinema.formats.profiles.root import LEVEL, Z_UP, is_body, with_root
from kinema.motion import Motion
from kinema.roles import find_roles
from kinema.skeleton import Skeleton

Names = Literal["keep", "standard"]


def prepare(asset: Asset, profile: Profile | str, *, names: Names = "keep", root_motion: bool | None = None) -> Asset:
    """The asset with names and root motion as the program expects them; positions and poses stay.

    Expressions that a motion makes become weights of the morph targets that they move: only VRM knows expressions.

    Args:
        asset: what is exported.
        profile: the program, or its name.
        names: "keep" only replaces characters that the program cannot hold; "standard" gives joints whose role is known
            the names of the program's own humanoid.
        root_motion: whether a root joint on the ground carries the travel; None for what the program expects.

    Raises:
        ProfileError: no such profile, or a motion has different joints from the asset.
    """
    if isinstance(profile, str):
        profile = profile_for(profile)
    if asset.skeleton is None:
        return asset
    odd = [motion.name for motion in asset.motions if not motion.skeleton.same_topology(asset.skeleton)]
    if odd:
        raise ProfileError(
            f"{asset.path}: motion {odd[0]!r} has different joints from the file's skeleton; export it by itself"
        )
    asset = _with_morph_labels(_recognised(asset))
    if root_motion or (root_motion is None and profile.root is not None):
        asset = _with_root_motion(asset, profile)
    skeleton = asset.skeleton
    assert skeleton is not None
    standard: dict[str, str] = {}
    if names == "standard":
        if skeleton.roles.plan == "biped" or profile.standard in FOR_ANY_BODY:
            standard = standard_names(skeleton, profile.standard)
        else:
            line = f"not a biped: joints keep their names, those of {profile.name} are a humanoid's"
            asset = replace(asset, warnings=(*asset.warnings, line))
    return _renamed(asset, skeleton, profile, standard)


def _with_root_motion(asset: Asset, profile: Profile) -> Asset:
    moving = with_root(asset, profile.root or "root", Z_UP if profile.z_up else LEVEL)
    if asset.skeleton is None or is_body(asset.skeleton):
        return moving
    line = "no body was recognised, so the root joint does not move; a roles file can help"
    return replace(moving, warnings=(*moving.warnings, line))


def _renamed(asset: Asset, skeleton: Skeleton, profile: Profile, standard: dict[str, str]) -> Asset:
    """The asset with names that a program can hold.

    Args:
        standard: new names of some joints, by old ones.
    """
    kept = [name for name in skeleton.names if name not in standard]
    joints = {**cleaned(kept, profile.forbidden, standard.values(), profile.any_case), **standard}
    skeleton = _with_joint_names(skeleton, joints)
    clips = cleaned(dict.fromkeys(motion.name for motion in asset.motions), profile.forbidden)
    character, labels = asset.character, {}
    if character is not None:
        character, labels = _cleaned(replace(character, skeleton=skeleton), profile)
    motions = tuple(
        motion.replace(
            skeleton=skeleton,
            name=clips[motion.name],
            labels={labels.get(label, label): values for label, values in motion.labels.items()},
        )
        for motion in asset.motions
    )
    return replace(asset, skeleton=skeleton, motions=motions, character=character)


def _recognised(asset: Asset) -> Asset:
    """The asset with its roles stated, found by a motion if the names of joints do not tell them."""
    skeleton = asset.skeleton
    if skeleton is None or not asset.motions or skeleton.roles.found_by != "shape":
        return asset
    roles = find_roles(skeleton, asset.motions[0])
    skeleton = skeleton.with_hints({name: roles.role(n) for n, name in enumerate(skeleton.names) if roles.role(n)})
    motions = tuple(motion.replace(skeleton=skeleton) for motion in asset.motions)
    character = None if asset.character is None else replace(asset.character, skeleton=skeleton)
    return replace(asset, skeleton=skeleton, motions=motions, character=character)


def _with_joint_names(skeleton: Skeleton, names: dict[str, str]) -> Skeleton:
    """The skeleton with other names; roles are stated, since the names may no longer tell them."""
    roles = skeleton.roles
    hints = {names[name]: roles.role(joint) for joint, name in enumerate(skeleton.names) if roles.role(joint)}
    return replace(skeleton, names=tuple(names[name] for name in skeleton.names), hints=hints)


def _cleaned(character: Character, profile: Profile) -> tuple[Character, dict[str, str]]:
    """The character with names of meshes, materials and morph targets cleaned; new labels by old ones.

    Meshes never share a name with a joint: Unreal and three.js would rename one of the two, perhaps the joint.
    """

    def table(names: list[str], taken: Iterable[str] = ()) -> dict[str, str]:
        found = cleaned(dict.fromkeys(names), profile.forbidden, taken, profile.any_case)
        return {name: new if name else "" for name, new in found.items()}

    meshes = table([mesh.name for mesh in character.meshes], character.skeleton.names)
    morphs = table([morph.name for mesh in character.meshes for morph in mesh.morphs])
    materials = table([material.name for material in character.materials])

    def renamed(mesh: Mesh) -> Mesh:
        targets = tuple(replace(morph, name=morphs[morph.name]) for morph in mesh.morphs)
        return replace(mesh, name=meshes[mesh.name], morphs=targets)

    character = replace(
        character,
        meshes=tuple(renamed(mesh) for mesh in character.meshes),
        materials=tuple(replace(item, name=materials[item.name]) for item in character.materials),
    )
    return character, {f"morph.{old}": f"morph.{new}" for old, new in morphs.items()}


def _with_morph_labels(asset: Asset) -> Asset:
    """The asset with labels of expressions, which only VRM knows, turned into those of morph targets."""
    character = asset.character
    if character is None or not any(expression.morphs for expression in character.expressions):
        return asset
    return replace(asset, motions=tuple(_baked(motion, character) for motion in asset.motions))


def _baked(motion: Motion, character: Character) -> Motion:
    """Targets of one name have one label; where an expression moves them differently, the strongest counts."""
    labels = {name: values for name, values in motion.labels.items() if not name.startswith("expression.")}
    if len(labels) == len(motion.labels):
        return motion
    weights = character.morph_weights(motion.labels)
    targets = [morph.name for mesh in character.meshes for morph in mesh.morphs]
    shown = [one for one in character.expressions if f"expression.{one.name}" in motion.labels]
    moved = {character.meshes[bind.mesh].morphs[bind.morph].name for one in shown for bind in one.morphs}
    for target in sorted(moved):
        same = [number for number, name in enumerate(targets) if name == target]
        labels[f"morph.{target}"] = weights[:, same].max(axis=1)
    return motion.replace(labels=labels)
