"""Motion matching features of every frame of a clip."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.errors import DatabaseError
from kinema.features.extract import extract
from kinema.features.presets import motion_matching
from kinema.features.spec import FeatureSpec
from kinema.mocap.database import MotionDatabase
from kinema.mocap.jumps import split_at_jumps
from kinema.motion import Motion
from kinema.roles import require_legs
from kinema.session.feature_marks import FeatureFrame


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """Features of all frames `F` of a motion.

    Attributes:
        piece: `[F]` continuous piece that a frame belongs to; -1 for frames that databases leave out.
        vectors: `[F, spec.dim]`, not normalised.
        root_positions, root_rotations: `[F, 3]` and `[F, 4]`, world.
    """

    spec: FeatureSpec
    piece: NDArray[np.int32]
    vectors: NDArray[np.float32]
    root_positions: NDArray[np.float32]
    root_rotations: NDArray[np.float32]

    def at(self, frame: float) -> FeatureFrame | None:
        """Features at a frame or between two; None if there are none."""
        frame = min(max(frame, 0.0), len(self.piece) - 1.0)
        first = int(frame)
        after = min(first + 1, len(self.piece) - 1)
        if self.piece[first] < 0:
            return None
        share = frame - first if self.piece[after] == self.piece[first] else 0.0

        def between(values: NDArray[np.float32]) -> NDArray[np.float32]:
            return values[first] + share * (values[after] - values[first])

        facing = rotations.slerp(self.root_rotations[first], self.root_rotations[after], share)
        return FeatureFrame(self.spec, self.spec.split(between(self.vectors)), between(self.root_positions), facing)


def tabulate(motion: Motion) -> FeatureTable:
    """Motion matching features at the frame rate of the motion.

    Raises:
        KinemaError: the skeleton has no legs, or the motion is too short or too slow in frames per second.
    """
    require_legs(motion.skeleton)
    # The label tells which frames remain after jumps are cut.
    numbered = motion.replace(labels={**motion.labels, _FRAME: np.arange(motion.frames)})
    pieces = _pieces(numbered)
    if not pieces:
        raise DatabaseError("the clip is too short")
    # One database per piece, so that pieces with different bones are accepted.
    databases = [MotionDatabase.from_motions([piece], motion.fps, mirror=False) for piece in pieces]
    spec = motion_matching(databases[0].skeleton)
    table = FeatureTable(
        spec,
        np.full(motion.frames, -1, np.int32),
        np.zeros((motion.frames, spec.dim), np.float32),
        np.zeros((motion.frames, 3), np.float32),
        np.tile(np.array([1, 0, 0, 0], np.float32), (motion.frames, 1)),
    )
    for number, (piece, database) in enumerate(zip(pieces, databases, strict=True)):
        frames = piece.labels[_FRAME]
        table.piece[frames] = number
        table.vectors[frames] = extract(database, spec)
        # Databases move clips to the ground; the clip is drawn where it is.
        table.root_positions[frames] = database.root_positions + np.array([0, database.clips[0].ground, 0], np.float32)
        table.root_rotations[frames] = database.root_rotations
    return table


_FRAME = "session.frame"


def _pieces(motion: Motion) -> list[Motion]:
    """Pieces of a motion without jumps."""
    pieces, _ = split_at_jumps(motion)
    if len(pieces) == 1 and pieces[0].frames == motion.frames:
        return pieces
    return [stretch for piece in pieces for stretch in _pieces(piece)]
