"""The content of motion and character files: the facts that `kinema info` prints."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from kinema.character import Character
from kinema.errors import FormatError, KinemaError, reason
from kinema.formats import Asset, Source, accepted, gathered_suffixes, iterate, load
from kinema.formats.units import ROLE_JOINTS
from kinema.mocap import MotionDatabase
from kinema.mocap.edits import edits_path, read_edits
from kinema.mocap.edits.files import Stamp
from kinema.mocap.ground import contact_doubts, standing_of
from kinema.mocap.store import INDEX
from kinema.motion import Motion
from kinema.roles import RestPose, Roles, find_roles, rest_pose
from kinema.roles.overrides import RoleOverrides, asset_with, beside
from kinema.roles.overrides import read as read_overrides
from kinema.skeleton import Skeleton

PathLike = str | os.PathLike[str]


@dataclass(frozen=True, eq=False)
class Inspected:
    """One file, or one database.

    Attributes:
        row: the facts that `kinema info --json` prints; `path` and `error` for a file that cannot be read.
        asset: the content; None for a database or a file that cannot be read.
        overrides: the roles file, if there is one.
        error: the reason why it cannot be read.
    """

    row: dict[str, Any]
    asset: Asset | None = None
    overrides: RoleOverrides | None = None
    error: KinemaError | None = None

    @property
    def skeleton(self) -> Skeleton:
        """The skeleton of the file. FormatError if there is none."""
        if self.asset is None or self.asset.skeleton is None:
            raise FormatError("holds no skeleton", path=self.row["path"])
        return self.asset.skeleton

    @property
    def motion(self) -> Motion | None:
        """The first motion with frames, or None."""
        motions = () if self.asset is None else self.asset.motions
        return next((motion for motion in motions if motion.frames), None)

    @cached_property
    def roles(self) -> Roles:
        """The roles of the joints, recognised with the help of the motion if there is one."""
        return find_roles(self.skeleton, self.motion)

    @cached_property
    def rest(self) -> RestPose:
        """The rest pose of the skeleton."""
        found = rest_pose(self.skeleton, roles=self.roles)
        return found if self.overrides is None else self.overrides.stood(found)


def find_all(paths: Sequence[PathLike]) -> list[str | Source]:
    """Databases, as paths, and files of supported formats in files, folders and zip archives.

    Raises:
        FormatError: there are none.
    """
    databases = [os.fspath(path) for path in paths if is_database(path)]
    sources = iterate([path for path in paths if not is_database(path)], gathered_suffixes())
    if found := [*databases, *sources]:
        return found
    listed, known = ", ".join(os.fspath(path) for path in paths), " ".join(sorted(gathered_suffixes()))
    raise FormatError(f"no supported files in {listed}; supported are {known}")


def inspect(
    place: str | Source,
    reading: Mapping[str, Any] | None = None,
    roles: bool = False,
    roles_file: PathLike | None = None,
    edits_folder: PathLike | None = None,
) -> Inspected:
    """Inspect a database or a file. A file that cannot be read gives a row with the reason.

    Args:
        place: an item that `find_all` returned.
        reading: options for the readers. Each format takes those that it supports.
        roles: add the role of every joint, the chains and the rest pose to the row.
        roles_file: a roles file; None uses the one beside the file.
        edits_folder: the folder with edits; None uses those beside the file.
    """
    path = place if isinstance(place, str) else place.path
    try:
        if isinstance(place, str):
            return Inspected(_describe_database(place))
        overrides = read_overrides(os.fspath(roles_file)) if roles_file else beside(place)
        asset = asset_with(load(place, **accepted(path, reading or {})), overrides)
        found = Inspected({**describe(asset), **_describe_edits(place, edits_folder)}, asset, overrides)
        if roles and asset.skeleton is not None:
            found.row["roles"].update(_describe_roles(found))
        return found
    except Exception as error:  # no error of one file may end the list of all
        failure = error if isinstance(error, KinemaError) else KinemaError(reason(error, path))
        failure.__cause__ = error.__cause__ if failure is error else error  # for --debug
        return Inspected({"path": path, "error": str(failure)}, error=failure)


def is_database(path: str | os.PathLike[str]) -> bool:
    """Whether a path is the folder of a motion database."""
    return os.path.isfile(Path(path) / INDEX)


def _describe_database(path: str) -> dict[str, Any]:
    database = MotionDatabase.open(path)
    skeleton = database.skeleton
    return {
        "path": path,
        "kind": "database",
        "joints": skeleton.joint_count,
        "frames": database.frames,
        "fps": database.fps,
        "seconds": database.seconds,
        "height_m": skeleton.extent(database.pose(0)),
        "roles": _role_names(skeleton.roles, skeleton.names),
        "warnings": list(dict.fromkeys(warning for clip in database.clips for warning in clip.warnings)),
        "takes": len(database.clips),
    }


def describe(asset: Asset) -> dict[str, Any]:
    """The facts about one file under the keys of `kinema info --json`. Lengths in metres, times in seconds."""
    motions, skeleton, character = asset.motions, asset.skeleton, asset.character
    clips = [{name: getattr(motion, name) for name in ("name", "frames", "fps", "seconds")} for motion in motions]
    rates = {motion.fps for motion in motions}
    row: dict[str, Any] = {
        "path": asset.path,
        "kind": asset.kind,
        "joints": skeleton.joint_count if skeleton else 0,
        "frames": sum(clip["frames"] for clip in clips),
        "fps": rates.pop() if len(rates) == 1 else None,
        "seconds": sum(clip["seconds"] for clip in clips),
        "height_m": _height(asset),
        "roles": _role_names(skeleton.roles, skeleton.names) if skeleton else None,
        "warnings": [*asset.warnings, *_contact_doubts(asset)],
    }
    if len(clips) > 1:
        row["clips"] = clips
    return row if character is None else row | _describe_character(character)


def _contact_doubts(asset: Asset) -> list[str]:
    """A line for each clip in which no foot touches the ground."""
    skeleton = asset.skeleton
    if skeleton is None or skeleton.joint_count > ROLE_JOINTS or asset.kind == "c3d":  # markers have no legs
        return []
    found = []
    for motion in asset.motions:
        if motion.frames:
            standing, _ = standing_of(motion, motion[:])
            found += [f"{motion.name}: {line}" for line in contact_doubts(motion.skeleton, standing)]
    return found


def _describe_character(character: Character) -> dict[str, Any]:
    """Numbers of meshes, vertices and materials, and optional parts of a character."""
    some = {
        "morphs": sum(len(mesh.morphs) for mesh in character.meshes),
        "faces": len(character.expressions),
        "springs": len(character.springs),
    }
    row: dict[str, Any] = {
        "meshes": len(character.meshes),
        "vertices": character.vertex_count,
        "materials": len(character.materials),
        **{key: count for key, count in some.items() if count},
    }
    if character.meta is not None:
        row["title"] = character.meta.title
        row["authors"] = ", ".join(character.meta.authors)
        row["licence"] = character.meta.licence
    return row


def _height(asset: Asset) -> float | None:
    """Metres from the lowest to the highest vertex, or joint and tip without a mesh. None without a skeleton.

    The rest pose of motion capture is often not a stance (all bones along one axis), so a motion without a mesh is
    measured in its first frame. A character is measured in its rest pose, the pose in which its mesh was made.
    """
    if asset.skeleton is None:
        return None
    if asset.character is not None and asset.character.vertex_count:
        skinned = asset.character.skin(asset.skeleton.rest_pose)
        return float(np.ptp(np.concatenate([vertices[:, 1] for vertices in skinned])))
    moving = [motion for motion in asset.motions if motion.frames]
    return asset.skeleton.extent(moving[0][0]) if moving else asset.skeleton.height


def _role_names(roles: Roles, names: tuple[str, ...]) -> dict[str, Any]:
    """Roles with joint names instead of indices: `{"hips": "Pelvis", "left_leg": ["Hip.L", ...], ...}`."""

    def name(joint: int | None) -> str | None:
        return None if joint is None else names[joint]

    named: dict[str, Any] = {
        "hips": name(roles.hips),
        "spine": [name(joint) for joint in roles.spine],
        "neck": name(roles.neck),
        "head": name(roles.head),
    }
    for leg in roles.legs:
        named[f"{leg.side}_leg"] = [name(joint) for joint in (leg.upper, leg.lower, leg.foot, leg.toe)]
    for arm in roles.arms:
        named[f"{arm.side}_arm"] = [name(joint) for joint in (arm.shoulder, arm.upper, arm.lower, arm.hand)]
    return named


def _describe_roles(found: Inspected) -> dict[str, Any]:
    """Body plan, rest pose, chains and joints by name. Lengths in metres."""
    names, roles, rest = found.skeleton.names, found.roles, found.rest
    return {
        "plan": roles.plan,
        "found_by": roles.found_by,
        "rest_pose": {
            "kind": rest.kind,
            "up": rest.up,
            "forward": rest.forward,
            "leg_length_m": rest.leg_length,
            "height_m": rest.height,
        },
        "chains": {chain.name: [names[joint] for joint in chain.joints] for chain in roles.chains},
        "joints": {
            name: {
                "role": roles.role(joint),
                "part": roles.parts[joint],
                "side": roles.sides[joint],
                "partner": names[int(roles.partners[joint])] if roles.partners[joint] != joint else None,
                "confidence": round(float(roles.confidence[joint]), 2),
            }
            for joint, name in enumerate(names)
        },
    }


def _describe_edits(source: Source, folder: str | os.PathLike[str] | None) -> dict[str, Any]:
    """The edits beside a file under the key `edits`, if there are any."""
    found = read_edits(source, folder)
    if found is None:
        return {}
    clips = [
        {
            "clip": key,
            "summary": edits.summary,
            "pieces": len(edits.pieces),
            "frames_kept": edits.kept,
            "frames": edits.frames,
            "tags": edits.tags,
            "labels": len(edits.labels),
            "contacts": edits.contacts is not None,
            "mirror": edits.mirror,
        }
        for key, edits in found.clips.items()
    ]
    current = found.source.sha256 == Stamp.of(source).sha256
    return {"edits": {"path": str(edits_path(source, folder)), "source_changed": not current, "clips": clips}}
