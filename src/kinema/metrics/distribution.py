"""Does the motion look like the data? Distances between distributions of poses, without a trained network.

None of these sees time: holding every second frame leaves them unchanged. Always read them beside jerk.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema import kinematics, rotations
from kinema.arrays import Floats, Reals, Singles
from kinema.errors import KinemaError
from kinema.metrics.rollout import Rollouts, each

MOST = 20_000
"""Frames in nearest-neighbour searches, spread evenly."""
PAIRS = 20_000
"""Pairs of frames of which `diversity` is the mean."""


def pose_vectors(rollouts: Rollouts) -> Singles:
    """Joint positions and velocities in the root frame [F, 6 J], m and m/s, of all rollouts one after the other."""
    rows = []
    for rollout in each(rollouts):
        turn = np.asarray(rollout.root_rotations)[:, None]
        local = rotations.inverse_rotate(turn, rollout.positions - rollout.root_positions[:, None])
        speed = rotations.inverse_rotate(turn, kinematics.velocities(rollout.positions, 1.0 / rollout.fps))
        rows.append(np.concatenate([local, speed], axis=1).reshape(rollout.frames, -1).astype(np.float32))
    return np.concatenate(rows)


@dataclass(frozen=True, eq=False)
class PoseSpace:
    """The principal components of standardised pose vectors of the ground truth.

    Attributes:
        mean, scale: mean and scale of the pose vectors [6 J]. basis: [6 J, K].
    """

    mean: Floats
    scale: Floats
    basis: Floats

    @staticmethod
    def fit(rollouts: Rollouts, components: int = 32) -> PoseSpace:
        """Fit to the ground truth; columns that never change carry nothing and are left out.

        Raises:
            KinemaError: fewer frames than components.
        """
        frames = sum(rollout.frames for rollout in each(rollouts))
        if frames <= components:
            raise KinemaError(f"{frames} frames of ground truth are too few for {components} components")
        total, products = 0.0, 0.0
        for rollout in each(rollouts):  # hours of wide vectors do not fit into memory at once
            vectors = pose_vectors(rollout).astype(np.float64)
            total, products = total + vectors.sum(axis=0), products + vectors.T @ vectors
        mean = np.asarray(total) / frames
        covariance = np.asarray(products) / frames - np.outer(mean, mean)
        std = np.sqrt(np.maximum(np.diagonal(covariance), 0.0))
        scale = np.where(std > 1e-4, std, np.inf)
        _, basis = np.linalg.eigh(covariance / np.outer(scale, scale))
        return PoseSpace(mean, scale, basis[:, ::-1][:, :components])

    def project(self, rollouts: Rollouts) -> Floats:
        """Coordinates `[F, K]` of all frames."""
        return np.concatenate([((pose_vectors(r) - self.mean) / self.scale) @ self.basis for r in each(rollouts)])


def frechet(a: Reals, b: Reals) -> float:
    """Fréchet distance between the normal distributions of samples `[N, K]` and `[M, K]` (Dowson and Landau 1982).

    |m_a - m_b|^2 + tr(S_a + S_b - 2 (S_a S_b)^(1/2)). Blind to time. Its floor is not zero: two halves of one
    ground truth, split by take, say what "alike" means.
    """
    mean = np.sum((a.mean(axis=0) - b.mean(axis=0)) ** 2)
    first, second = np.cov(a, rowvar=False, bias=True), np.cov(b, rowvar=False, bias=True)
    values, vectors = np.linalg.eigh(np.atleast_2d(first))
    root = vectors * np.sqrt(np.maximum(values, 0.0)) @ vectors.T
    # tr (S_a S_b)^(1/2) = tr (S_a^(1/2) S_b S_a^(1/2))^(1/2), which is symmetric: no complex square roots.
    cross = np.sqrt(np.maximum(np.linalg.eigvalsh(root @ np.atleast_2d(second) @ root), 0.0)).sum()
    return float(max(mean + np.trace(np.atleast_2d(first)) + np.trace(np.atleast_2d(second)) - 2.0 * cross, 0.0))


def spread_evenly(x: Reals, most: int = MOST) -> Reals:
    """At most `most` rows, evenly spaced."""
    return x if len(x) <= most else x[np.linspace(0, len(x) - 1, most).astype(np.int64)]


def nearest_distances(x: Reals, among: Reals) -> Floats:
    """Distance `[N]` from each row of x `[N, K]` to the nearest row of `among` `[M, K]`."""
    from scipy.spatial import KDTree  # only evaluation needs it

    return np.asarray(KDTree(spread_evenly(among)).query(spread_evenly(x))[0])


def coverage_radius(a: Reals, b: Reals) -> float:
    """Median nearest-neighbour distance between two disjoint halves of the ground truth, both ways."""
    return float(np.median(np.concatenate([nearest_distances(a, b), nearest_distances(b, a)])))


def coverage(real: Reals, generated: Reals, radius: float) -> float:
    """Share (0 to 1) of the ground truth that has a generated sample closer than `radius`."""
    return float((nearest_distances(real, generated) < radius).mean())


def diversity(x: Reals, seed: int = 0) -> float:
    """Mean distance between pairs of samples drawn at random from `[N, K]`."""
    first, second = np.random.default_rng(seed).integers(0, len(x), (2, PAIRS))
    return float(np.linalg.norm(x[first] - x[second], axis=1).mean())
