"""A hand: a palm with the fingers that the rig has, or a mitten with a thumb."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema import naming, rotations
from kinema.rendering.mannequin.pieces import Clay
from kinema.roles import Arm
from kinema.skeleton import Skeleton

Floats = NDArray[np.float64]
Chain = list[tuple[int, Floats, Floats]]
"""Bones of a finger, from the hand outward: the joint that moves it, its start and its end `[3]`."""


def _unit(way: Floats) -> Floats:
    return way / max(float(np.linalg.norm(way)), 1e-12)


class HandModel:
    """The hand of an arm in a pose `[J, 4]`, `[J, 3]` of a person `size` metres tall who faces `front`."""

    def __init__(
        self, clay: Clay, skeleton: Skeleton, turned: Floats, placed: Floats, size: float, front: Floats, arm: Arm
    ) -> None:
        self.clay, self.skeleton, self.turned, self.placed = clay, skeleton, turned, placed
        self.size, self.front, self.arm = size, front, arm

    def model(self, lower: int, sign: float) -> None:
        """Add the hand to the piece `lower` of the forearm; `sign` is 1 on the left."""
        arm, size, wrist, tint = self.arm, self.size, self.placed[self.arm.hand], (1.0, 1.0, sign)
        chains = self._fingers(arm.hand)
        are_thumbs = ["thumb" in naming.words(self.skeleton.names[chain[-1][0]]) for chain in chains]
        thumbs = [chain for chain, thumb in zip(chains, are_thumbs, strict=True) if thumb]
        fingers = [chain for chain, thumb in zip(chains, are_thumbs, strict=True) if not thumb]
        way = _unit(wrist - self.placed[arm.lower])
        if fingers:
            ends = np.mean([chain[-1][1] for chain in fingers], axis=0) - wrist
            way = _unit(ends) if np.linalg.norm(ends) > 0.02 * size else way
        broad = self.front
        if len(fingers) > 1:
            spread = fingers[0][0][2] - fingers[-1][0][2]
            broad = spread if np.linalg.norm(spread) > 0.01 * size else broad
            broad = broad * (1 if np.dot(broad, self.front) >= 0 else -1)
        elif thumbs:
            broad = thumbs[0][-1][1] - wrist
        broad = _unit(broad - np.dot(broad, way) * way)
        if len(fingers) > 1:
            fingers = [self._beyond_palm(chain, wrist, 0.062) for chain in fingers]
            thumbs = [self._beyond_palm(chain, wrist, 0.022) for chain in thumbs]
            bases = np.array([chain[0][1] for chain in fingers])
            knuckles = wrist + max(float(np.dot(bases.mean(axis=0) - wrist, way)), 0.03 * size) * way
            half = 0.5 * float(np.ptp(bases @ broad)) + 0.0075 * size
            middle = float(np.dot(bases - wrist, broad).mean())
            palm = self.clay.add(
                arm.hand,
                wrist,
                knuckles,
                np.interp(np.linspace(0, 1, 5), [0, 0.5, 1], [0.0165 * size, half, half]),
                np.array([0.0140, 0.0135, 0.0125, 0.0115, 0.0100]) * size,
                broad,
                lower,
                0.5,
                (1.0, 0.6),
                aside=(0.0, 0.8 * middle, middle),
                tint=tint,
            )
            apart = min(np.linalg.norm(np.diff(bases, axis=0), axis=1).min(), 0.02 * size)
            for chain in fingers:
                self._finger(chain, palm, 0.42 * float(apart), tint)
            for chain in thumbs:
                self._finger(chain, palm, 0.0095 * size, tint)
            return
        # A mitten: its two halves move with the joints of the one finger, where there are any.
        joints = [joint for joint, _, _ in fingers[0]] if fingers else [arm.hand]
        bend = wrist + 0.052 * size * way
        palm = self.clay.add(
            arm.hand,
            wrist,
            bend,
            np.array([0.0165, 0.0205, 0.0235, 0.0240, 0.0232]) * size,
            np.array([0.0140, 0.0135, 0.0130, 0.0122, 0.0112]) * size,
            broad,
            lower,
            0.4,
            tint=tint,
        )
        tip = bend + 0.042 * size * way
        self.clay.add(
            joints[min(1, len(joints) - 1)],
            bend,
            tip,
            np.array([0.0232, 0.0228, 0.0215, 0.0195, 0.0160]) * size,
            np.array([0.0112, 0.0108, 0.0102, 0.0094, 0.0084]) * size,
            broad,
            palm,
            0.3,
            tint=tint,
        )
        root = wrist + 0.020 * size * way + 0.012 * size * broad
        end = root + 0.030 * size * way + 0.024 * size * broad
        thumb = thumbs[0][-1][0] if thumbs else arm.hand
        self.clay.add(thumb, root, end, np.array([0.0115, 0.0105, 0.0080]) * size, parent=palm, melts=0.8, tint=tint)

    def _finger(self, chain: Chain, palm: int, thick: float, tint: tuple[float, float, float]) -> None:
        parent = palm
        radii = np.linspace(thick, 0.72 * thick, len(chain) + 1)
        for index, (joint, start, end) in enumerate(chain):
            parent = self.clay.add(
                joint,
                start,
                end,
                radii[index : index + 2],
                parent=parent,
                melts=0.25 if index else 0.5,
                fine=0.85,
                limb=index == 0,
                tint=tint,
            )

    def _beyond_palm(self, chain: Chain, wrist: Floats, reach: float) -> Chain:
        """A finger without the first bones that end inside the palm."""
        first = 0
        while first + 1 < len(chain) and np.linalg.norm(chain[first][2] - wrist) < reach * self.size:
            first += 1
        return chain[first:]

    def _fingers(self, hand: int) -> list[Chain]:
        """Chains of `(joint, start, end)` from the hand outward, one a finger; bones without length left out."""
        found: list[Chain] = []
        least = 0.004 * self.size
        tips: dict[int, Floats] = {
            joint: self.placed[joint] + rotations.rotate(self.turned[joint], offset.astype(np.float64))
            for joint, offset in zip(self.skeleton.tip_joints.tolist(), self.skeleton.tip_offsets, strict=True)
        }
        for child in self.skeleton.children[hand]:
            chain: Chain = []
            start, joint = self.placed[hand], child
            owner = hand
            while True:
                place = self.placed[joint]
                if np.linalg.norm(place - start) > least:
                    chain.append((owner, start, place))
                    start = place
                owner = joint
                below = self.skeleton.children[joint]
                if not below:
                    break
                joint = below[0]
            if owner in tips and np.linalg.norm(tips[owner] - start) > least:
                chain.append((owner, start, tips[owner]))
            elif chain and not {"end", "tip", "nub", "site"} & set(naming.words(self.skeleton.names[owner])):
                joint, a, b = chain[-1]
                chain.append((owner, b, b + 0.8 * (b - a)))
            if chain:
                found.append(chain)
        return found
