"""Key points of people in pictures: their names and their arrays, in the convention of OpenPose and DWPose.

A body has 18 points, a hand 21, a face 70. Left and right are the person's own.
"""

from __future__ import annotations

from dataclasses import dataclass

from kinema.arrays import Singles

BODY = (
    "nose", "neck",
    "right_shoulder", "right_elbow", "right_wrist", "left_shoulder", "left_elbow", "left_wrist",
    "right_hip", "right_knee", "right_ankle", "left_hip", "left_knee", "left_ankle",
    "right_eye", "left_eye", "right_ear", "left_ear",
)  # fmt: skip
"""Names of the 18 points of a body, in OpenPose's order (COCO with a neck)."""

TOES = ("left_toe", "right_toe")
"""Points that Wan-Animate draws beside the 18."""

FINGERS = ("thumb", "index", "middle", "ring", "little")
"""Order of the fingers of a hand: point 0 is the wrist, then four of each finger from its base to its tip."""

BODY_COUNT, HAND_COUNT, FACE_COUNT = len(BODY), 21, 70
RIGHT_PUPIL, LEFT_PUPIL = 68, 69
"""Points of a face that rigs have joints for."""

LIMIT = 0.3
"""Confidence from which detectors' points are drawn."""

SEEN, BEHIND_BODY, HIDDEN = 1.0, 0.5, 0.2
"""Confidence of a point that is seen, that is behind another part of the body, and that no detector would find."""


@dataclass(frozen=True, eq=False)
class BodyPoints:
    """Key points of `N` pictures; absent ones are 0 with confidence 0.

    Arrays `[N, K, 4]` hold x, y, z and confidence (metres, world) before a camera sees them, and `[N, K, 3]` hold x, y
    (pixels, continuous: the middle of the first pixel is 0.5) and confidence after it.

    Attributes:
        body: `K` = 18, see `BODY`.
        left_hand, right_hand: `K` = 21.
        face: `K` = 70.
        toes: `K` = 2, see `TOES`.
    """

    body: Singles
    left_hand: Singles
    right_hand: Singles
    face: Singles
    toes: Singles

    def __getitem__(self, number: int | slice | None) -> BodyPoints:
        """The points of one picture, or of several; `[None]` makes one of them `N` = 1 again."""
        return BodyPoints(*(array[number] for array in self.arrays))

    @property
    def arrays(self) -> tuple[Singles, ...]:
        return self.body, self.left_hand, self.right_hand, self.face, self.toes
