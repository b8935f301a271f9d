"""Captured scenes as 3D Gaussian splats."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from kinema import rotations
from kinema.arrays import Bools, Ints, Singles
from kinema.errors import SceneError
from kinema.worlds import harmonics
from kinema.worlds.obstacles import Obstacle


@dataclass(frozen=True, eq=False)
class GaussianScene:
    """A scene of `N` Gaussians: Y is up, lengths are metres, as everywhere.

    Numbers are kept as training has them, so that files come back as they were.

    Attributes:
        means: float32 `[N, 3]`: centres.
        quaternions: float32 `[N, 4]`, wxyz, of any length but 0: from the axes of each Gaussian to those of the world.
        log_scales: float32 `[N, 3]`: logarithms of standard deviations along its axes, metres.
        logits: float32 `[N]`: opacities before the logistic function.
        harmonics: float32 `[N, K, 3]`: colour, red, green and blue; `K` is 1, 4, 9 or 16; see
            `kinema.worlds.harmonics`.
        name: for people.
        notes: what was left out when it was read, a sentence each.
        things: what stands in it and has a name.

    Raises:
        SceneError: shapes do not fit together.
    """

    means: Singles
    quaternions: Singles
    log_scales: Singles
    logits: Singles
    harmonics: Singles
    name: str = ""
    notes: tuple[str, ...] = ()
    things: tuple[Obstacle, ...] = ()

    def __post_init__(self) -> None:
        count = len(self.means)
        shapes = {
            "means": (count, 3),
            "quaternions": (count, 4),
            "log_scales": (count, 3),
            "logits": (count,),
            "harmonics": (count, self.harmonics.shape[1] if self.harmonics.ndim == 3 else -1, 3),
        }
        for attribute, shape in shapes.items():
            if getattr(self, attribute).shape != shape:
                raise SceneError(f"{attribute} of a scene have the shape {getattr(self, attribute).shape}, not {shape}")
        if self.harmonics.shape[1] not in harmonics.DEGREES:
            raise SceneError(f"a colour has 1, 4, 9 or 16 coefficients, not {self.harmonics.shape[1]}")

    def __len__(self) -> int:
        return len(self.means)

    def __repr__(self) -> str:
        return f"<GaussianScene {self.name or 'without a name'}: {len(self):,} splats, degree {self.degree}>"

    @property
    def degree(self) -> int:
        """Degree of the spherical harmonics, 0 to 3."""
        return harmonics.DEGREES[self.harmonics.shape[1]]

    @property
    def opacities(self) -> Singles:
        """float32 `[N]`, 0 to 1."""
        return (1.0 / (1.0 + np.exp(-self.logits.astype(np.float64)))).astype(np.float32)

    @property
    def scales(self) -> Singles:
        """float32 `[N, 3]`: standard deviations, metres."""
        return np.exp(self.log_scales)

    @property
    def rotations(self) -> Singles:
        """float32 `[N, 4]`: unit quaternions, wxyz."""
        return self.quaternions / np.linalg.norm(self.quaternions, axis=-1, keepdims=True)

    @property
    def colours(self) -> Singles:
        """float32 `[N, 3]`: mean colours over all directions, about 0 to 1, sRGB."""
        return np.float32(0.5) + np.float32(harmonics.MEAN) * self.harmonics[:, 0]

    def covariances(self) -> Singles:
        """float32 `[N, 3, 3]`, square metres."""
        axes = rotations.to_matrix(self.rotations) * self.scales[:, None]
        return axes @ axes.transpose(0, 2, 1)

    def taken(self, which: Bools | Ints) -> GaussianScene:
        """Some of the Gaussians: a mask `[N]`, or indices."""
        parts = {name: getattr(self, name)[which] for name in _ARRAYS}
        return replace(self, **parts)

    def joined(self, other: GaussianScene) -> GaussianScene:
        """Both scenes; the degree of the colours is the higher one of both."""
        count = max(self.harmonics.shape[1], other.harmonics.shape[1])
        scenes = [scene.with_coefficients(count) for scene in (self, other)]
        parts = {name: np.concatenate([getattr(scene, name) for scene in scenes]) for name in _ARRAYS}
        return replace(self, **parts, things=self.things + other.things)

    def with_coefficients(self, count: int) -> GaussianScene:
        """The same with colours of `count` coefficients: those that are missing are 0, those beyond are left out."""
        kept = self.harmonics[:, :count]
        padding = np.zeros((len(self), count - kept.shape[1], 3), np.float32)
        return replace(self, harmonics=np.concatenate([kept, padding], axis=1))

    def moved(
        self, rotation: ArrayLike = (1.0, 0.0, 0.0, 0.0), translation: ArrayLike = (0.0, 0.0, 0.0), scale: float = 1.0
    ) -> GaussianScene:
        """The scene scaled about the origin, then turned, then moved.

        Args:
            rotation: quaternion, wxyz. translation: metres. scale: factor.

        Raises:
            SceneError: the factor is not positive.
        """
        if not 0 < scale < np.inf:
            raise SceneError(f"a scene is scaled by a positive number, not {scale}")
        turn = np.asarray(rotation, np.float64)
        turn = (turn / np.linalg.norm(turn)).astype(np.float32)
        matrix = harmonics.rotation(rotations.to_matrix(turn), self.harmonics.shape[1])
        return replace(
            self,
            means=(rotations.rotate(turn, self.means * np.float32(scale)) + np.asarray(translation, np.float32)).astype(
                np.float32
            ),
            quaternions=rotations.multiply(turn[None], self.quaternions).astype(np.float32),
            log_scales=self.log_scales + np.float32(np.log(scale)),
            harmonics=np.einsum("kl,nlc->nkc", matrix, self.harmonics).astype(np.float32),
            things=tuple(thing.moved(turn, translation, scale) for thing in self.things),
        )

    def half_turned(self, axis: str, back: bool = False) -> GaussianScene:
        """The scene turned by half a turn about "x", "y" or "z". Only signs change, so nothing is lost.

        Args:
            back: undo that: quaternions become what they were, too.
        """
        others = "xyz".replace(axis, "")
        signs = np.asarray([-1.0 if name in others else 1.0 for name in "xyz"], np.float32)
        return replace(
            self,
            means=self.means * signs,
            quaternions=_half_turned(self.quaternions, "xyz".index(axis)) * np.float32(-1.0 if back else 1.0),
            harmonics=self.harmonics * harmonics.flips(others, self.harmonics.shape[1])[:, None],
        )


_ARRAYS = ("means", "quaternions", "log_scales", "logits", "harmonics")


def _half_turned(quaternions: Singles, axis: int) -> Singles:
    """Quaternions `[N, 4]` after half a turn about an axis."""
    w, parts = quaternions[:, 0], quaternions[:, 1:]
    after, before = (axis + 1) % 3, (axis + 2) % 3
    out = np.empty_like(quaternions)
    out[:, 0] = -parts[:, axis]
    out[:, 1 + axis] = w
    out[:, 1 + after] = -parts[:, before]
    out[:, 1 + before] = parts[:, after]
    return out
