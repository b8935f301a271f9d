"""An asset as a program wants it."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from kinema.formats import Asset
from kinema.formats.profiles.model import Profile, profile_for
from kinema.formats.profiles.naming import cleaned, standard_names
from kinema.formats.profiles.root import with_root
from kinema.skeleton import Skeleton

Names = Literal["keep", "standard"]


def prepare(
    asset: Asset, profile: Profile | str, *, names: Names = "keep", root_motion: bool | None = None
) -> Asset:
    """The asset with names and root motion as the program wants them; positions and poses stay.

    Args:
        asset: what is exported.
        profile: the program, or its name.
        names: "keep" only replaces characters that the program cannot hold; "standard" gives joints whose role is known
            the names of the program's own humanoid.
        root_motion: whether the travel goes into a root joint on the ground; None for what the program expects.

    Raises:
        ProfileError: no such profile.
    """
    if isinstance(profile, str):
        profile = profile_for(profile)
    if asset.skeleton is None:
        return asset
    if root_motion or (root_motion is None and profile.root is not None):
        asset = with_root(asset, profile.root or "root")
    skeleton = asset.skeleton
    assert skeleton is not None
    new = standard_names(skeleton, profile.standard) if names == "standard" else {}
    plain = cleaned(tuple(name for name in skeleton.names if name not in new), profile.forbidden, set(new.values()))
    renamed = _renamed(skeleton, {**plain, **new})
    clips = cleaned(tuple(dict.fromkeys(motion.name for motion in asset.motions)), profile.forbidden)
    motions = tuple(motion.replace(skeleton=renamed, name=clips[motion.name]) for motion in asset.motions)
    character = None if asset.character is None else replace(asset.character, skeleton=renamed)
    return replace(asset, skeleton=renamed, motions=motions, character=character)


def _renamed(skeleton: Skeleton, names: dict[str, str]) -> Skeleton:
    roles = skeleton.roles
    hints = {names[name]: roles.role(joint) for joint, name in enumerate(skeleton.names) if roles.role(joint)}
    return replace(skeleton, names=tuple(names[name] for name in skeleton.names), hints=hints)
