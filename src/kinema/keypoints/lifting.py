"""Flat points of a person as points in space: lengths stay, movement is smooth, and what is seen is met.

All pictures of a clip are solved at once, by least squares (Gauss-Newton on a banded matrix).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.linalg import solveh_banded

from kinema.arrays import Floats, Ints, Reals
from kinema.keypoints.depth import towards
from kinema.keypoints.proportions import HEAD, LIMBS, NAMES, USUAL, Proportions, index, limb_ends, limb_parts

_SEEN, _LENGTH, _RIGID = 0.012, 0.004, 0.05  # metres of spread: of what is seen, of lengths, of a trunk that bends
_PULL = 12.0  # m/s2 of usual accelerations
_GUESS = 0.25  # spread of how far limbs point towards the viewer, shares of their lengths
_BENT = 0.02  # metres of spread of a knee that bends backward
_ROUNDS, _DONE = 12, 2e-4  # rounds at most, and metres of the last one
_WINDOW, _OVERLAP = 480, 24  # frames that are solved together, and that two solutions have in common
_COUNT = 3 * len(NAMES)


def lift(points: Reals, known: Reals, body: Proportions, fps: float) -> Floats:
    """Points in space.

    Args:
        points: `[N, 21, 2]`, pixels, of `kinema.keypoints.proportions.NAMES`.
        known: `[N, 21]`, how far they are known, 0 to 1.
        body: whose lengths and scale are used.
        fps: frames per second.

    Returns:
        `[N, 21, 3]`, metres from the middle of the hips: right in the picture, up, towards the viewer.
    """
    flat = (points - points[:, index("mid_hip"), None]) * np.array([1.0, -1.0]) / body.scale[:, None, None]
    deep = towards(flat, body.lengths, fps)
    start = _begin(flat, deep, body)
    found = np.empty_like(start)
    for first in range(0, len(start), _WINDOW):
        low, high = max(first - _OVERLAP, 0), min(first + _WINDOW + _OVERLAP, len(start))
        part = _Fit(flat[low:high], known[low:high], deep[low:high], body, fps)(start[low:high])
        last = min(first + _WINDOW, len(start))
        found[first:last] = part[first - low : last - low]
    return found


def _begin(flat: Floats, deep: Floats, body: Proportions) -> Floats:
    """Points in space as each limb alone says: `LIMBS` begin at the hips and go outward."""
    found = np.concatenate([flat, np.zeros((*flat.shape[:2], 1))], axis=-1)
    for limb, (part, one, other) in enumerate(LIMBS):
        found[:, index(other), 2] = found[:, index(one), 2] + body.length(part) * deep[:, limb]
    neck = found[:, index("neck"), 2]
    ahead, left = deep[:, -2] * body.length("head"), deep[:, -1] * body.length("head")
    for name, (out, _, front) in HEAD.items():
        share = out / (HEAD["left_ear"][0] - HEAD["right_ear"][0])
        found[:, index(name), 2] = neck + deep[:, -3] * body.length("head") + share * left
        found[:, index(name), 2] += (front - HEAD["left_ear"][2]) / (HEAD["nose"][2] - HEAD["left_ear"][2]) * ahead
    return found


def _head_scale(body: Proportions) -> float:
    return body.length("head") / USUAL[-1]


def _rods(body: Proportions) -> tuple[Ints, Floats, Floats]:
    """Pairs of points `[R, 2]` that stay as far apart, metres `[R]`, and the spread of that `[R]`."""
    rods = [(index(one), index(other), body.length(part), _LENGTH) for part, one, other in LIMBS]
    trunk, wide, hip = body.length("trunk"), body.length("shoulder"), body.length("hip")
    rods += [(index("left_shoulder"), index("right_shoulder"), 2 * wide, 2 * _LENGTH)]
    rods += [(index("left_hip"), index("right_hip"), 2 * hip, _LENGTH)]
    for side in ("left", "right"):
        rods += [(index("mid_hip"), index(f"{side}_shoulder"), float(np.hypot(trunk, wide)), _RIGID)]
        rods += [(index("neck"), index(f"{side}_hip"), float(np.hypot(trunk, hip)), _RIGID)]
    head = {"neck": np.zeros(3)} | {name: np.array(place) * _head_scale(body) for name, place in HEAD.items()}
    for one, other in combinations(head, 2):
        rods += [(index(one), index(other), float(np.linalg.norm(head[one] - head[other])), 2 * _LENGTH)]
    table = np.array(rods)
    return table[:, :2].astype(np.int64), table[:, 2], table[:, 3]


class _Fit:
    """The least squares problem of a window of frames."""

    def __init__(self, flat: Floats, known: Reals, deep: Floats, body: Proportions, fps: float) -> None:
        self._flat, self._frames = flat, len(flat)
        self._seen = np.asarray(known, np.float64) / _SEEN**2
        self._seen[:, index("mid_hip")] = 0.0
        self._ends, self._lengths, self._spreads = _rods(body)
        self._limbs, self._deep = limb_ends(), deep[:, : len(LIMBS)] * body.lengths[limb_parts()]
        self._trust = 1.0 / (_GUESS * body.lengths[limb_parts()]) ** 2
        across = flat[:, index("left_hip")] - flat[:, index("right_hip")]
        left, right = (self._deep[:, LIMBS.index(("hip", "mid_hip", f"{side}_hip"))] for side in ("left", "right"))
        self._ahead = np.stack([right - left, 0 * left, across[:, 0]], axis=-1)
        self._ahead /= np.maximum(np.linalg.norm(self._ahead, axis=-1, keepdims=True), 1e-6)
        self._smooth = (fps**2 / _PULL) ** 2
        self._knees = [[index(f"{side}_{name}") for name in ("hip", "knee", "ankle")] for side in ("left", "right")]

    def __call__(self, start: Floats) -> Floats:
        found = start
        for _ in range(_ROUNDS):
            step = self._step(found)
            found = found + step
            if float(np.abs(step).max()) < _DONE:
                break
        return found

    def _step(self, found: Floats) -> Floats:
        """The change that Gauss and Newton take."""
        square = np.zeros((self._frames, _COUNT, _COUNT))
        right = np.zeros((self._frames, _COUNT))
        self._add_rods(found, square, right)
        self._add_places(found, square, right)
        self._add_guesses(found, square, right)
        self._add_knees(found, square, right)
        bands = np.zeros((2 * _COUNT + 1, self._frames * _COUNT))
        for below in range(_COUNT):
            diagonal = np.diagonal(square, -below, axis1=1, axis2=2)
            bands[below].reshape(self._frames, _COUNT)[:, : _COUNT - below] = diagonal
        self._add_smoothness(found, bands, right)
        bands[0] += 1e-3 / _RIGID**2
        solved = solveh_banded(bands, right.reshape(-1), overwrite_ab=True, lower=True, check_finite=False)
        return np.clip(solved.reshape(found.shape), -0.2, 0.2)

    def _add_rods(self, found: Floats, square: Floats, right: Floats) -> None:
        across = found[:, self._ends[:, 1]] - found[:, self._ends[:, 0]]
        long = np.maximum(np.linalg.norm(across, axis=-1), 1e-9)
        along = across / long[..., None]
        weights = 1.0 / self._spreads**2
        miss = (self._lengths - long) * weights
        outer = along[..., :, None] * along[..., None, :] * weights[:, None, None]
        for rod, (one, other) in enumerate(self._ends.tolist()):
            a, b = slice(3 * one, 3 * one + 3), slice(3 * other, 3 * other + 3)
            square[:, a, a] += outer[:, rod]
            square[:, b, b] += outer[:, rod]
            square[:, a, b] -= outer[:, rod]
            square[:, b, a] -= outer[:, rod]
            pull = miss[:, rod, None] * along[:, rod]
            right[:, a] -= pull
            right[:, b] += pull

    def _add_places(self, found: Floats, square: Floats, right: Floats) -> None:
        diagonal = np.einsum("nii->ni", square).reshape(self._frames, len(NAMES), 3)
        gradient = right.reshape(self._frames, len(NAMES), 3)
        diagonal[..., :2] += self._seen[..., None]
        gradient[..., :2] += self._seen[..., None] * (self._flat - found[..., :2])
        middle, heavy = index("mid_hip"), 1.0 / _LENGTH**2
        diagonal[:, middle] += heavy
        gradient[:, middle] -= heavy * found[:, middle]

    def _add_guesses(self, found: Floats, square: Floats, right: Floats) -> None:
        """Limbs point towards the viewer about as far as the network says."""
        miss = self._deep - (found[:, self._limbs[:, 1], 2] - found[:, self._limbs[:, 0], 2])
        for limb, (one, other) in enumerate((3 * self._limbs + 2).tolist()):
            trust = self._trust[limb]
            square[:, one, one] += trust
            square[:, other, other] += trust
            square[:, one, other] -= trust
            square[:, other, one] -= trust
            right[:, one] -= trust * miss[:, limb]
            right[:, other] += trust * miss[:, limb]

    def _add_knees(self, found: Floats, square: Floats, right: Floats) -> None:
        """Knees that bend backward are pushed ahead."""
        shares = np.array([-0.5, 1.0, -0.5])
        for points in self._knees:
            bend = np.einsum("p,npa,na->n", shares, found[:, points], self._ahead)
            active = (bend < 0.0) / _BENT**2
            slope = (shares[:, None] * self._ahead[:, None]).reshape(self._frames, 9)
            columns = (3 * np.array(points)[:, None] + np.arange(3)).ravel()
            square[:, columns[:, None], columns] += active[:, None, None] * slope[:, :, None] * slope[:, None]
            right[:, columns] -= (active * bend)[:, None] * slope

    def _add_smoothness(self, found: Floats, bands: Floats, right: Floats) -> None:
        count = self._frames - 2
        if count < 1:
            return
        row, flat = (1.0, -2.0, 1.0), found.reshape(self._frames, _COUNT)
        turn = flat[:-2] - 2 * flat[1:-1] + flat[2:]
        for one, first in enumerate(row):
            right[one : one + count] -= self._smooth * first * turn
            for other in range(one + 1):
                band = bands[(one - other) * _COUNT].reshape(self._frames, _COUNT)
                band[other : other + count] += self._smooth * first * row[other]
