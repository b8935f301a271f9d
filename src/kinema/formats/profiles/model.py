"""The profiles, one entry a program."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from kinema.errors import KinemaError


class ProfileError(KinemaError):
    """There is no such profile, or it cannot be applied."""


@dataclass(frozen=True)
class Profile:
    """What one program expects.

    Attributes:
        name: as in `--for NAME`.
        reads: suffixes that the program reads without a plug-in, the best first.
        forbidden: characters of joint and clip names that the program changes or cannot handle; each becomes `_`.
        standard: the naming scheme that `names="standard"` gives (a key of `naming.SCHEMES`).
        root: the name of the joint that carries root motion where the program looks for one; None leaves the travel in
            the hips.
        z_up: whether that joint has Z up and -Y ahead, like the program's world; otherwise it has Y up.
        any_case: whether the program ignores case in names.
        options: options for the writers, by suffix.
    """

    name: str
    reads: tuple[str, ...]
    forbidden: re.Pattern[str]
    standard: str
    root: str | None = None
    z_up: bool = False
    any_case: bool = False
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def suffix(self) -> str:
        """The format that the program reads best."""
        return self.reads[0]


_GLTF = (".glb", ".gltf")
_USD = (".usd", ".usda", ".usdc", ".usdz")
_CENTIMETRES = MappingProxyType({".bvh": {"unit": "cm"}})
_METRES = MappingProxyType({".bvh": {"unit": "m"}})

PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        # Blender cuts names at 63 bytes but takes any character; its mirror tools pair names that end in .L and .R.
        Profile(
            "blender",
            (*_GLTF, ".fbx", ".bvh", *_USD),
            re.compile(r"[\x00-\x1f]"),
            "blender",
            z_up=True,
            options=_METRES,
        ),
        # Unreal turns other characters into underscores by itself, and takes root motion from the first joint only.
        Profile("unreal", (".fbx", *_GLTF, *_USD), re.compile(r"[^\w-]"), "unreal", "root", True, True, _CENTIMETRES),
        # Unity addresses joints by paths with slashes and takes root motion from the hips of a humanoid.
        Profile("unity", (".fbx",), re.compile(r"[\x00-\x1f/]"), "unity", options=_CENTIMETRES),
        # Godot's node paths reserve . : @ / " and %.
        Profile("godot", (*_GLTF, ".fbx"), re.compile(r"[\x00-\x1f.:@/\"%]"), "godot", "Root", options=_METRES),
        # Maya reads a colon as a namespace and takes letters, digits and underscores only, digits not first.
        Profile("maya", (".fbx", *_USD), re.compile(r"[^A-Za-z0-9_]|^(?=[0-9])"), "humanik", options=_CENTIMETRES),
        # three.js binds animation tracks by name and reserves [ ] . : / in it.
        Profile("three", (*_GLTF, ".fbx", ".bvh"), re.compile(r"[\x00-\x1f\s\[\].:/]"), "unity", options=_METRES),
        # MuJoCo takes any name but lists them in XML; its world has Z up, which the writer converts to.
        Profile("mujoco", (".xml", ".mjcf"), re.compile(r"[\x00-\x1f/]"), "unity", options=_METRES),
    )
}


def profile_for(name: str) -> Profile:
    """The profile of a program.

    Raises:
        ProfileError: there is none; lists those there are.
    """
    if name not in PROFILES:
        raise ProfileError(f"no export profile {name!r}; there are {', '.join(PROFILES)}")
    return PROFILES[name]
