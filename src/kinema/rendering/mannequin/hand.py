"""A hand: a palm with the fingers that the rig has, or a mitten with a thumb."""

from __future__ import annotations

import numpy as np

from kinema import naming
from kinema.arrays import Floats
from kinema.pose import Pose
from kinema.rendering.mannequin.pieces import Clay
from kinema.rendering.mannequin.tree import tip_positions
from kinema.roles import Arm
from kinema.rotations import normalize_vector

Chain = list[tuple[int, Floats, Floats]]
"""Bones of a finger, from the hand outward: the joint that moves it, its start and its end `[3]`."""

# Half widths and half depths along the bone, shares of the body's height.
_PALM_DEEP = (0.0140, 0.0135, 0.0125, 0.0115, 0.0100)
_MITTEN_WIDE, _MITTEN_DEEP = (0.0165, 0.0205, 0.0235, 0.0240, 0.0232), (0.0140, 0.0135, 0.0130, 0.0122, 0.0112)
_TIP_WIDE, _TIP_DEEP = (0.0232, 0.0228, 0.0215, 0.0195, 0.0160), (0.0112, 0.0108, 0.0102, 0.0094, 0.0084)
_THUMB = (0.0115, 0.0105, 0.0080)
_WRIST = 0.0165
_TIP_NAMES = {"end", "tip", "nub", "site"}


class HandModel:
    """Models the hand of an arm; the body is `clay.scale` metres tall and faces `front`, `sign` is 1 on the left."""

    def __init__(self, clay: Clay, pose: Pose, front: Floats, arm: Arm, sign: float) -> None:
        self.clay, self.skeleton, self.positions = clay, pose.skeleton, pose.global_positions
        self.size, self.front, self.arm, self.tint = clay.scale, front, arm, (1.0, 1.0, sign)
        self.wrist = self.positions[arm.hand]
        self.tips = tip_positions(pose)
        chains = [chain for child in self.skeleton.children[arm.hand] if (chain := self._finger_from(child))]
        self.thumbs = [chain for chain in chains if "thumb" in naming.words(self.skeleton.names[chain[-1][0]])]
        self.fingers = [chain for chain in chains if "thumb" not in naming.words(self.skeleton.names[chain[-1][0]])]

    def build(self, forearm: int) -> None:
        """Add the hand to the piece of the forearm."""
        way = self._direction()
        broad = self._breadth(way)
        if len(self.fingers) > 1:
            self._open_hand(forearm, way, broad)
        else:
            self._mitten(forearm, way, broad)

    def _direction(self) -> Floats:
        """From the wrist to the fingers, unit."""
        if self.fingers:
            ends = np.mean([chain[-1][1] for chain in self.fingers], axis=0) - self.wrist
            if np.linalg.norm(ends) > 0.02 * self.size:
                return normalize_vector(ends)
        return normalize_vector(self.wrist - self.positions[self.arm.lower])

    def _breadth(self, way: Floats) -> Floats:
        """Across the palm toward the thumb, unit."""
        broad = self.front
        if len(self.fingers) > 1:
            spread = self.fingers[0][0][2] - self.fingers[-1][0][2]
            broad = spread if np.linalg.norm(spread) > 0.01 * self.size else broad
            broad = broad * (1 if np.dot(broad, self.front) >= 0 else -1)
        elif self.thumbs:
            broad = self.thumbs[0][-1][1] - self.wrist
        return normalize_vector(broad - np.dot(broad, way) * way)

    def _open_hand(self, forearm: int, way: Floats, broad: Floats) -> None:
        size, clay, wrist = self.size, self.clay, self.wrist
        fingers = [self._beyond_palm(chain, 0.062) for chain in self.fingers]
        thumbs = [self._beyond_palm(chain, 0.022) for chain in self.thumbs]
        bases = np.array([chain[0][1] for chain in fingers])
        knuckles = wrist + max(float(np.dot(bases.mean(axis=0) - wrist, way)), 0.03 * size) * way
        half = 0.5 * float(np.ptp(bases @ broad)) / size + 0.0075
        middle = float(np.dot(bases - wrist, broad).mean()) / size
        wide, aside = np.interp(np.linspace(0, 1, 5), [0, 0.5, 1], [_WRIST, half, half]), (0.0, 0.8 * middle, middle)
        palm = clay.add(
            self.arm.hand, wrist, knuckles, wide, _PALM_DEEP, broad, forearm, 0.5, (1.0, 0.6), aside, tint=self.tint
        )
        apart = min(float(np.linalg.norm(np.diff(bases, axis=0), axis=1).min()) / size, 0.02)
        for chain in fingers:
            self._add_finger(chain, palm, 0.42 * apart)
        for chain in thumbs:
            self._add_finger(chain, palm, 0.0095)

    def _mitten(self, forearm: int, way: Floats, broad: Floats) -> None:
        """A hand of two halves, which move with the joints of the one finger where there is one, and a thumb."""
        size, clay, wrist, hand = self.size, self.clay, self.wrist, self.arm.hand
        joints = [joint for joint, _, _ in self.fingers[0]] if self.fingers else [hand]
        bend = wrist + 0.052 * size * way
        palm = clay.add(hand, wrist, bend, _MITTEN_WIDE, _MITTEN_DEEP, broad, forearm, 0.4, tint=self.tint)
        tip, joint = bend + 0.042 * size * way, joints[min(1, len(joints) - 1)]
        clay.add(joint, bend, tip, _TIP_WIDE, _TIP_DEEP, broad, palm, 0.3, tint=self.tint)
        root = wrist + 0.020 * size * way + 0.012 * size * broad
        end = root + 0.030 * size * way + 0.024 * size * broad
        thumb = self.thumbs[0][-1][0] if self.thumbs else hand
        clay.add(thumb, root, end, _THUMB, parent=palm, melts=0.8, tint=self.tint)

    def _add_finger(self, chain: Chain, palm: int, thick: float) -> None:
        parent = palm
        radii = np.linspace(thick, 0.72 * thick, len(chain) + 1)
        for index, (joint, start, end) in enumerate(chain):
            melts, limb, pair = 0.25 if index else 0.5, index == 0, radii[index : index + 2]
            parent = self.clay.add(
                joint, start, end, pair, parent=parent, melts=melts, fine=0.85, limb=limb, tint=self.tint
            )

    def _beyond_palm(self, chain: Chain, reach: float) -> Chain:
        """A finger without the first bones that end inside the palm."""
        first = 0
        while first + 1 < len(chain) and np.linalg.norm(chain[first][2] - self.wrist) < reach * self.size:
            first += 1
        return chain[first:]

    def _finger_from(self, joint: int) -> Chain:
        """The bones of a finger that begins with a joint; bones without length are left out."""
        chain: Chain = []
        least, start, owner = 0.004 * self.size, self.wrist, self.arm.hand
        below: tuple[int, ...] = (joint,)
        while below:
            joint = below[0]
            place = self.positions[joint]
            if np.linalg.norm(place - start) > least:
                chain.append((owner, start, place))
                start = place
            owner, below = joint, self.skeleton.children[joint]
        tip = self.tips.get(owner, [start])[-1]
        if np.linalg.norm(tip - start) > least:
            chain.append((owner, start, tip))
        elif chain and not _TIP_NAMES & set(naming.words(self.skeleton.names[owner])):
            _, a, b = chain[-1]
            chain.append((owner, b, b + 0.8 * (b - a)))
        return chain
