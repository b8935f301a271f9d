"""One clip of a file made ready for a database: cut, resampled, labelled, mirrored, relative to its root frame."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from kinema import mirroring, rotations
from kinema.errors import DatabaseError
from kinema.mocap import contacts, ground
from kinema.mocap.edits.cutting import TAG, marks_of
from kinema.mocap.root import RootLayout, root_layout, to_root
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.skeleton import Skeleton

JUMP_DISTANCE = 1.0  # m between two frames
JUMP_SPEED = 12.0  # m/s; faster than people run
SNAP_SPEED = 15.0  # rad/s of the median joint, and
SNAP_RATIO = 4.0  # times that of the neighbouring frames
MOST_SNAPS = 2  # more are a style: animation in held poses
SHORTEST_PIECE = 0.5  # s
SAME_RATE = 1e-3  # relative; file headers round frame times
STILL = 2e-5  # m; translations that move less are bone lengths

Fit = Callable[[Motion], tuple[Motion, Mapping[str, float | None] | None]]
"""Retargets a motion to a skeleton. Returns the motion with figures of the fit; None if it was on it already."""


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
        name: of the clip.
        frames: how many.
        mirrored: whether it is the mirror image of the take.
        tags: lower-case words about the clip.
        skeleton: in root layout, see `kinema.mocap.root.root_layout`.
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
    translated: NDArray[np.int32]
    contact_joints: NDArray[np.int32]
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
    pairs: NDArray[np.int32] | None = None,
    fit: Fit | None = None,
) -> list[IngestedClip]:
    """Make a motion ready for a database of `fps` frames per second.

    A take with jumps gives one clip for each piece between them that lasts at least `SHORTEST_PIECE` seconds; with
    `mirror` each clip is followed by its mirror image. Contacts are those of the labels `contact.left` and
    `contact.right` (or `contact.<joint>`) where the motion has them, otherwise they are detected. Words of the
    clip's name become tags, unless it has labels of its own (`tag.walk`).

    Args:
        pairs: mirror map `[J]`; the skeleton's own where None.
        fit: brings each piece to another skeleton, whose own mirror map is taken then.

    Raises:
        DatabaseError: nothing long enough is left.
    """
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
        fitted = None
        if fit is not None:
            named, fitted = fit(named)
        made = _ingest_piece(_fold_bone_lengths(at_rate(named, fps)), mirror, pairs if fitted is None else None)
        clips += [clip._replace(info=replace(clip.info, fitted=fitted)) for clip in made]
    return clips


def split_at_jumps(motion: Motion) -> tuple[list[Motion], tuple[str, ...]]:
    """The pieces of a take between teleports, and warnings that say what was cut.

    Some takes begin (or end) with a calibration pose, then jump metres away or snap into the movement.
    """
    if motion.frames < 2:
        return [], ()
    pose = motion[:]
    steps = np.linalg.norm(np.diff(pose.global_positions[:, motion.skeleton.roles.hips], axis=0), axis=-1)
    size = max(1.0, motion.skeleton.height / 1.8)  # giants may stride further
    jumps = (steps > JUMP_DISTANCE * size) | (steps * motion.fps > JUMP_SPEED * size)
    jumps |= _snaps(pose, motion.fps)
    bounds = [0, *(np.flatnonzero(jumps) + 1).tolist(), motion.frames]
    pieces, dropped = [], 0
    for start, stop in itertools.pairwise(bounds):
        if (stop - start - 1) / motion.fps >= SHORTEST_PIECE - 1e-6 and stop - start >= 2:
            pieces.append(motion.cut(start, stop))
        else:
            dropped += stop - start
    if len(bounds) == 2:
        return pieces, ()
    where = ", ".join(str(frame) for frame in bounds[1:-1][:5]) + (", ..." if len(bounds) > 7 else "")
    return pieces, (f"jumps at frame {where}: cut there, {dropped} frames in short pieces dropped",)


def _snaps(pose: Pose, fps: float) -> NDArray[np.bool_]:
    """Steps `[F - 1]` in which half of the joints rotate faster than a body can, for one frame."""
    turned = pose.global_rotations
    turns = np.median(rotations.angle(rotations.relative(turned[:-1], turned[1:])), axis=1)
    padded = np.pad(turns, 1)
    snaps = (turns * fps > SNAP_SPEED) & (turns > SNAP_RATIO * np.maximum(padded[:-2], padded[2:]))
    return snaps & (np.count_nonzero(snaps) <= MOST_SNAPS)


def at_rate(motion: Motion, fps: float) -> Motion:
    """The motion at `fps`: frames are picked where the rates allow, else interpolated (cubic towards more frames)."""
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
    tips = list(zip(skeleton.tip_joints.tolist(), skeleton.tip_offsets, strict=True))
    folded = Skeleton.create(skeleton.names, skeleton.parents, rest, skeleton.rest_rotations, tips)
    return motion.replace(
        skeleton=folded,
        translated=motion.translated[~still],
        local_translations=np.ascontiguousarray(motion.local_translations[:, ~still]),
    )


def _ingest_piece(motion: Motion, mirror: bool, pairs: NDArray[np.int32] | None) -> list[IngestedClip]:
    skeleton, warnings = motion.skeleton, list(motion.warnings)
    joints = contacts.contact_joints(skeleton)
    if not skeleton.roles.is_biped:
        listed = ", ".join(skeleton.names[joint] for joint in joints)
        warnings.append(
            f"no pair of legs was found: the root is {skeleton.names[skeleton.roles.hips]!r} and contacts "
            f"are those of its lowest leaf joints {listed}"
        )
    pose = motion[:]
    positions = pose.global_positions[:, joints]
    scale = contacts.leg_length(skeleton) / contacts.REFERENCE_LEG
    stance = ground.stance_height(positions, motion.fps, scale)
    labelled = [motion.labels.get(f"contact.{point}") for point in contacts.contact_points(skeleton)]
    if all(label is not None for label in labelled):
        standing = np.stack([np.asarray(label) > 0.5 for label in labelled], axis=1)
    else:
        standing = contacts.detect(positions, motion.fps, stance, scale)

    root_positions, root_rotations = motion.root_frame()
    layout = root_layout(skeleton)
    clip = _clip(motion, to_root(layout, pose, root_positions, root_rotations), standing, layout, stance, warnings)
    if not mirror:
        return [clip]
    # Root frames and contacts are mirrored, not estimated again: the image must agree with the take exactly.
    image = mirroring.mirror_motion(motion, pairs)
    root = mirroring.reflect_vector(root_positions), mirroring.reflect_rotation(root_rotations)
    standing = standing[:, _swap(skeleton, joints, pairs)]
    reflected = _clip(image, to_root(layout, image[:], *root), standing, layout, stance, warnings)
    return [clip, reflected._replace(info=replace(reflected.info, mirrored=True))]


def _swap(skeleton: Skeleton, joints: NDArray[np.int32], pairs: NDArray[np.int32] | None) -> list[int]:
    """For each contact column, the column of the mirror partner."""
    columns = {int(joint): column for column, joint in enumerate(joints)}
    if skeleton.roles.is_biped:
        return [1, 0]
    pairs = mirroring.partners(skeleton, pairs)
    return [columns.get(int(pairs[joint]), column) for joint, column in columns.items()]


def _clip(
    motion: Motion,
    pose: Pose,
    standing: NDArray[np.bool_],
    layout: RootLayout,
    stance: float,
    warnings: Iterable[str],
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
