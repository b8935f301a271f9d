"""Prepares clips for a database: cut, resampled, labelled, mirrored, relative to their root frame."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, Protocol

import numpy as np

from kinema import mirroring
from kinema.arrays import Bools, Indices
from kinema.errors import DatabaseError
from kinema.mocap import contacts, ground
from kinema.mocap.edits.cutting import TAG, marks_of
from kinema.mocap.in_place import move_with_feet
from kinema.mocap.jumps import SHORTEST_PIECE, split_at_jumps
from kinema.mocap.legs import LEG_KINDS
from kinema.mocap.loose_feet import attach_feet
from kinema.mocap.root import RootLayout, root_layout, to_root
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.rates import RATES, is_rate
from kinema.rootframe import root_frame
from kinema.skeleton import Skeleton
from kinema.subset import ALL, Joints, subset

SAME_RATE = 1e-3  # relative; file headers round frame times
STILL = 2e-5  # m; translations that move less are bone lengths

Fit = Callable[[Motion], tuple[Motion, Mapping[str, float | None] | None]]
"""Retargets a motion to a skeleton. Returns the motion with figures of the fit; None if it was on it already."""


InPlace = Literal["move", "keep"]
"""What to do with clips in place."""


class Gathers(Protocol):
    """Retargets motions of any skeleton to that of a database. It is pickled to the worker processes.

    Attributes:
        skeleton: that of the database.
        key: identifies what it does; the same key gives the same results.
    """

    @property
    def skeleton(self) -> Skeleton: ...

    @property
    def key(self) -> str: ...

    def fit(self, motions: Sequence[Motion]) -> Fit:
        """The function that retargets these motions of one file, or pieces of them."""
        ...


@dataclass(frozen=True, eq=False)
class ClipInfo:
    """What is known about a clip besides its frames.

    Attributes:
        name: name of the clip.
        frames: how many.
        mirrored: whether it is the mirror image of the take.
        tags: lower-case words about the clip.
        skeleton: the skeleton in root layout, see `kinema.mocap.root.root_layout`.
        translated: int32 `[T]`, ascending.
        contact_joints: int32 `[C]`.
        stance_height: metres, see `kinema.mocap.ground`.
        labels: what happens in frames `start` to `stop` (not included), in words.
        edits: checksum of the edits that were applied, 0 without any.
        warnings: what was cut or assumed.
        source, size, crc32: the file it came from, if any.
        fitted: how well it was brought to its skeleton from another one, by figure; None where it was on it.
    """

    name: str
    frames: int
    mirrored: bool
    tags: tuple[str, ...]
    skeleton: Skeleton
    translated: Indices
    contact_joints: Indices
    stance_height: float
    warnings: tuple[str, ...] = ()
    source: str = ""
    size: int = 0
    crc32: int = 0
    labels: tuple[tuple[int, int, str], ...] = ()
    edits: int = 0
    fitted: Mapping[str, float | None] | None = None


class IngestedClip(NamedTuple):
    """A clip that is ready for a database.

    Attributes:
        info: what is known about it.
        pose: its frames `[F]` in root layout, with contacts `[F, C]`.
    """

    info: ClipInfo
    pose: Pose


def ingest(
    motion: Motion,
    *,
    fps: float = 30.0,
    mirror: bool = True,
    pairs: Indices | None = None,
    fit: Fit | None = None,
    joints: Joints = ALL,
    in_place: InPlace = "move",
) -> list[IngestedClip]:
    """Make a motion ready for a database of `fps` frames per second.

    A take with jumps gives one clip for each piece between them that lasts at least `SHORTEST_PIECE` seconds; with
    `mirror` each clip is followed by its mirror image. Contacts are those of the labels `contact.left` and
    `contact.right` (or `contact.<joint>`) where the motion has them, otherwise they are detected. Words of the
    clip's name become tags, unless it has labels of its own (`tag.walk`).

    Args:
        pairs: mirror map `[J]`; the skeleton's own where None.
        fit: brings each piece to another skeleton, whose own mirror map is taken then.
        joints: which to keep, see `kinema.subset`; of the other skeleton, with `fit`.
        in_place: "move" gives clips in place the root motion of their standing feet, see `kinema.mocap.in_place`;
            "keep" leaves them where they are.

    Raises:
        DatabaseError: nothing long enough is left.
        SkeletonError: the skeleton does not have the joints to keep.
    """
    if fit is None:
        motion = attach_feet(motion)
        motion, pairs = _reduced(motion, pairs, joints)
    pieces, cut = split_at_jumps(motion)
    if not pieces:
        raise DatabaseError(
            f"{motion.name or 'the clip'}: no {SHORTEST_PIECE} s without a jump in its {motion.frames} frames at "
            f"{motion.fps:g} per second"
        )
    clips: list[IngestedClip] = []
    for number, piece in enumerate(pieces, start=1):
        name = motion.name if len(pieces) == 1 else f"{motion.name}.{number}"
        labelled = any(label.startswith(TAG) for label in motion.labels)
        words = tuple(dict.fromkeys((*piece.tags, *(() if labelled else words_of(motion.name)))))
        named = piece.replace(name=name, tags=words, warnings=(*motion.warnings, *cut))
        if in_place == "move":
            named = move_with_feet(named)
        fitted, own = None, pairs
        if fit is not None:
            named, fitted = fit(named)
            named, own = _reduced(named, pairs if fitted is None else None, joints)
        made = _ingest_piece(_fold_bone_lengths(at_rate(named, fps)), mirror, own)
        clips += [clip._replace(info=replace(clip.info, fitted=fitted)) for clip in made]
    return clips


def _reduced(motion: Motion, pairs: Indices | None, joints: Joints) -> tuple[Motion, Indices | None]:
    """The motion and its mirror map on the joints to keep."""
    part = subset(motion.skeleton, joints)
    if part is None:
        return motion, pairs
    return part.motion(motion), None if pairs is None else part.pairs(pairs)


def at_rate(motion: Motion, fps: float) -> Motion:
    """The motion at `fps`: frames are picked where the rates allow, else interpolated (cubic towards more frames)."""
    if not is_rate(fps):
        raise DatabaseError(f"{motion.name!r} cannot have {fps} frames per second; the rate must be {RATES}")
    ratio = motion.fps / fps
    whole = round(ratio)
    if whole >= 1 and abs(ratio / whole - 1.0) < SAME_RATE:
        return motion.cut(step=whole).replace(fps=float(fps))
    return motion.resample(fps, "cubic" if fps > motion.fps else "slerp")


def words_of(name: str) -> tuple[str, ...]:
    """Lower-case words of a file or clip name: `dash_WalkLeft-001` gives `dash`, `walk`, `left`."""
    runs = re.findall(r"[^\W\d_]+", name)
    parts = [part for run in runs for part in re.sub(r"(?<=[a-z])(?=[A-Z])", " ", run).split()]
    return tuple(dict.fromkeys(part.lower() for part in parts if len(part) > 1))


def _fold_bone_lengths(motion: Motion) -> Motion:
    """Moves constant translations into the rest pose: some files repeat a bone's length in every frame."""
    top = motion.skeleton.parents[motion.translated] < 0
    middle = np.median(motion.local_translations, axis=0)
    still = (np.abs(motion.local_translations - middle).max(axis=(0, 2), initial=0.0) < STILL) & ~top
    if not still.any():
        return motion
    skeleton, joints = motion.skeleton, motion.translated[still]
    rest = skeleton.rest_translations.copy()
    rest[joints] = middle[still]
    return motion.replace(
        skeleton=replace(skeleton, rest_translations=rest, hints={}, hinges=(), known_roles=None),
        translated=motion.translated[~still],
        local_translations=np.ascontiguousarray(motion.local_translations[:, ~still]),
    )


def _ingest_piece(motion: Motion, mirror: bool, pairs: Indices | None) -> list[IngestedClip]:
    skeleton, warnings = motion.skeleton, list(motion.warnings)
    joints = contacts.contact_joints(skeleton)
    if not any(chain.kind in LEG_KINDS for chain in skeleton.roles.chains):
        listed = ", ".join(skeleton.names[joint] for joint in joints)
        warnings.append(
            f"no pair of legs was found: the root is {skeleton.names[skeleton.roles.hips]!r} and contacts "
            f"are those of its lowest leaf joints {listed}"
        )
    pose = motion[:]
    standing, stance = ground.standing_of(motion, pose)
    warnings += ground.contact_doubts(skeleton, standing)

    root = root_frame(pose, motion.fps)
    layout = root_layout(skeleton)
    clip = _clip(motion, to_root(layout, pose, *root), standing, layout, stance, warnings)
    if not mirror:
        return [clip]
    # Root frames and contacts are mirrored, not estimated again: the image must agree with the take exactly.
    image = mirroring.mirror_motion(motion, pairs)
    root = mirroring.reflect_vector(root[0]), mirroring.reflect_rotation(root[1])
    standing = standing[:, _swap(skeleton, joints, pairs)]
    reflected = _clip(image, to_root(layout, image[:], *root), standing, layout, stance, warnings)
    return [clip, reflected._replace(info=replace(reflected.info, mirrored=True))]


def _swap(skeleton: Skeleton, joints: Indices, pairs: Indices | None) -> list[int]:
    """For each contact column, the column of the mirror partner."""
    columns = {int(joint): column for column, joint in enumerate(joints)}
    if skeleton.roles.legs:
        return [1, 0]
    pairs = mirroring.partners(skeleton, pairs)
    return [columns.get(int(pairs[joint]), column) for joint, column in columns.items()]


def _clip(
    motion: Motion, pose: Pose, standing: Bools, layout: RootLayout, stance: float, warnings: Iterable[str]
) -> IngestedClip:
    translated = np.union1d(np.setdiff1d(motion.translated, layout.carriers), layout.tops).astype(np.int32)
    info = ClipInfo(
        motion.name,
        motion.frames,
        False,
        motion.tags,
        layout.skeleton,
        translated,
        contacts.contact_joints(motion.skeleton),
        stance,
        tuple(warnings),
        labels=marks_of(motion),
    )
    return IngestedClip(info, pose.replace(contacts=standing.astype(np.float32)))
