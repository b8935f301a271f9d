"""What each video model wants: sizes, numbers of frames, maps and the names of their files; and whether a pack has it.

The figures are those of the models' public code and documentation. To add a target, copy an entry of `TARGETS`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kinema.errors import FormatError, UsageError
from kinema.rendering.conditions.pose_map import PoseStyle
from kinema.rendering.conditions.schemas import (
    CAMERA_SCHEMA,
    MANIFEST_SCHEMA,
    OF_TARGETS,
    POINTS_SCHEMA,
    found_faults,
)

MAPS = {
    "picture": "the shaded picture itself",
    "pose": "the skeleton in OpenPose's colours, hands and face as DWPose draws them",
    "cylinders": "the skeleton as round sticks in space, as SCAIL wants it",
    "depth": "inverse depth, near is white, the same range for the whole clip",
    "normals": "normals of the camera's space in the colours of normal-bae: red left, green up, blue to the viewer",
    "parts": "body parts in colours, left in blue and green, right in red and violet",
    "mask": "white where the character is seen",
    "edges": "edges of the shaded picture, white on black, by Canny's method",
    "blurred": "the shaded picture, strongly blurred",
    "background": "the picture without the character",
    "inpaint": "the background, grey where the character is",
    "body": "the shaded character on black",
    "face": "a square around the head, 512 pixels",
}
"""Names of all maps, and what they show."""

OF_PEOPLE = ("pose", "cylinders", "face")
"""Maps that only a person has."""

FACE_SIZE = 512
"""Width and height of the map `face`, pixels: what the face encoder of Wan-Animate takes."""

MANIFEST, FORMAT = "pack.json", "kinema control pack 1"
VIEWS = ("front", "back", "left", "right")
"""Sides from which the character is shown, its own left and right."""


@dataclass(frozen=True)
class Target:
    """A video model and what it is steered with.

    Attributes:
        about: the model in a few words.
        size: default width and height, pixels.
        multiple: of which width and height must be multiples.
        frames: default and usual number of frames.
        step: frames are 1 more than a multiple of it; 1 takes any number.
        fps: frames per second.
        maps: names of `MAPS` that are written as numbered pictures.
        videos: names of MP4 files, by map.
        style: how skeletons are drawn.
        reference: name of a file with the front view; "" for none.
    """

    about: str
    size: tuple[int, int]
    multiple: int
    frames: int
    fps: float
    maps: tuple[str, ...]
    step: int = 1
    videos: Mapping[str, str] = field(default_factory=dict)
    style: PoseStyle = field(default_factory=PoseStyle)
    reference: str = ""

    def check_size(self, width: int, height: int) -> None:
        """UsageError unless pictures may have this size; the message names the nearest that may."""
        nearest = tuple(max(round(side / self.multiple), 1) * self.multiple for side in (width, height))
        if (width, height) != nearest:
            raise UsageError(
                f"{width}x{height}: width and height must be multiples of {self.multiple}; {nearest[0]}x{nearest[1]} is"
            )

    def check_frames(self, frames: int) -> None:
        """UsageError unless a clip may have this many frames."""
        if frames < 1 or (frames - 1) % self.step:
            low = self.fitting(max(frames, 1))
            raise UsageError(
                f"{frames} frames: the number must be 1 more than a multiple of {self.step}, such as {low} or "
                f"{low + self.step}"
            )

    def fitting(self, frames: int) -> int:
        """The largest number of frames up to `frames` (at least 1) that a clip may have."""
        return frames - (frames - 1) % self.step


TARGETS: dict[str, Target] = {
    "wan-animate": Target(
        "Wan2.2-Animate 14B: a character moves like the skeleton and the face, or replaces another in a video",
        size=(832, 480),
        multiple=16,
        frames=77,
        step=4,
        fps=30.0,
        maps=("pose", "face", "background", "mask"),
        videos={
            "pose": "src_pose.mp4",
            "face": "src_face.mp4",
            "background": "src_bg.mp4",
            "mask": "src_mask.mp4",
        },
        style=PoseStyle(face=False, toes=True),
        reference="src_ref.png",
    ),
    "vace": Target(
        "Wan2.1-VACE 1.3B and 14B: a control video, a mask and reference pictures in one call",
        size=(832, 480),
        multiple=16,
        frames=81,
        step=4,
        fps=16.0,
        maps=("pose", "depth", "inpaint", "mask"),
        videos={
            "pose": "src_video_pose.mp4",
            "depth": "src_video_depth.mp4",
            "inpaint": "src_video_inpaint.mp4",
            "mask": "src_mask.mp4",
        },
    ),
    "scail": Target(
        "SCAIL 14B: a reference picture and a rendered skeleton in space",
        size=(512, 896),
        multiple=32,
        frames=81,
        step=4,
        fps=16.0,
        maps=("cylinders", "picture"),
        videos={"cylinders": "rendered.mp4", "picture": "driving.mp4"},
        reference="ref.png",
    ),
    "controlnet": Target(
        "ControlNet 1.1 for Stable Diffusion 1.5, picture by picture",
        size=(512, 768),
        multiple=8,
        frames=16,
        fps=8.0,
        maps=("pose", "depth", "normals", "edges", "parts", "mask"),
    ),
    "animatediff": Target(
        "AnimateDiff with ControlNets for Stable Diffusion 1.5; its motion module knows 16 frames, at most 32",
        size=(512, 512),
        multiple=8,
        frames=16,
        fps=8.0,
        maps=("pose", "depth", "edges"),
    ),
    "comfyui": Target(
        "any workflow of ComfyUI: all maps as numbered pictures, in a size and number that Wan nodes take, too",
        size=(832, 480),
        multiple=16,
        frames=81,
        step=4,
        fps=16.0,
        maps=tuple(MAPS),
    ),
}
"""The video models by name."""


def find_target(name: str) -> Target:
    """A target by name. UsageError for an unknown one."""
    if name not in TARGETS:
        raise UsageError(f"there is no target {name!r}; there are {', '.join(TARGETS)}")
    return TARGETS[name]


def check_pack(folder: str | os.PathLike[str]) -> list[str]:
    """What is wrong with a control pack, one line for each fault; nothing if it is what its target wants.

    Reads the manifest, counts the pictures and videos that it names, and compares sizes and numbers with the target.

    Raises:
        FormatError: there is no manifest, or it is not JSON.
    """
    place = Path(folder)
    manifest = read_manifest(place)
    if faults := found_faults(manifest, MANIFEST_SCHEMA, f"{MANIFEST}: "):
        return faults
    if manifest["format"] != FORMAT or manifest["target"] not in TARGETS:
        return [f"{MANIFEST}: is of format {manifest['format']!r} for {manifest['target']!r}, which are not known"]
    target, count = TARGETS[manifest["target"]], manifest["frames"]
    faults = found_faults(manifest, OF_TARGETS.get(manifest["target"], {}), f"{MANIFEST}: ")
    for check, values in (
        (target.check_size, (manifest["width"], manifest["height"])),
        (target.check_frames, (count,)),
    ):
        try:
            check(*values)
        except UsageError as error:
            faults.append(str(error))
    for name in manifest["maps"]:
        faults += _picture_faults(place / name, count, _size_of(name, manifest))
    files = [*manifest["videos"].values(), *(f"reference/{view}.png" for view in VIEWS), "camera.json", "caption.txt"]
    files += ["points.json"] if manifest["person"] else []
    files += [target.reference] if target.reference else []
    faults += [f"{name}: is missing" for name in files if not (place / name).is_file()]
    for name, schema in (("camera.json", CAMERA_SCHEMA), ("points.json", POINTS_SCHEMA)):
        if name in files and (place / name).is_file():
            faults += _list_faults(place / name, schema, count)
    return faults


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a pack. FormatError if it is missing or not JSON."""
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_bytes())
    except OSError as error:
        raise FormatError(error.strerror or "cannot be read", path=str(path)) from None
    except ValueError as error:
        raise FormatError(f"is not JSON: {error}", path=str(path)) from None
    if not isinstance(manifest, dict):
        raise FormatError("is not an object", path=str(path))
    return manifest


def _size_of(name: str, manifest: Mapping[str, Any]) -> tuple[int, int]:
    return (FACE_SIZE, FACE_SIZE) if name == "face" else (manifest["width"], manifest["height"])


def _picture_faults(folder: Path, count: int, size: tuple[int, int]) -> list[str]:
    from PIL import Image

    found = sorted(path.name for path in folder.glob("*.png")) if folder.is_dir() else []
    if found != [f"{number:05d}.png" for number in range(count)]:
        return [f"{folder.name}: holds {len(found)} pictures, not 00000.png to {count - 1:05d}.png"]
    faults = []
    for name in found:
        with Image.open(folder / name) as picture:
            if picture.size != size or picture.mode != "RGB":
                faults.append(f"{folder.name}/{name}: is {picture.mode} {picture.size}, not RGB {size}")
    return faults


def _list_faults(path: Path, schema: Mapping[str, Any], count: int) -> list[str]:
    """Faults of a file that has an entry for every picture."""
    try:
        document = json.loads(path.read_bytes())
    except ValueError:
        return [f"{path.name}: is not JSON"]
    entries = document.get("frames") if isinstance(document, dict) else document
    length = len(entries) if isinstance(entries, list) else 0
    if length != count:
        return [f"{path.name}: has {length} entries for {count} pictures"]
    return found_faults(document, schema, f"{path.name}: ")
