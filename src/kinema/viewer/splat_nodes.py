"""A captured scene as a viser node: the browser draws its splats around the bodies. It is sent once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kinema.worlds.gaussians import GaussianScene

if TYPE_CHECKING:
    import viser

MOST = 600_000
"""Splats that are sent to a browser at most; of larger scenes the ones that are seen most."""


class SplatNodes:
    """Shows one scene.

    Args:
        name: of the node.
    """

    def __init__(self, server: viser.ViserServer, name: str) -> None:
        self._server, self._name = server, name
        self._shown: GaussianScene | None = None
        self._node: Any = None

    def show(self, scene: GaussianScene | None) -> None:
        """Show a scene and no other."""
        if scene is self._shown:
            return
        if self._node is not None:
            self._node.remove()
            self._node = None
        self._shown = scene
        if scene is not None:
            sent = thinned(scene)
            self._node = self._server.scene.add_gaussian_splats(
                self._name,
                centers=sent.means,
                covariances=sent.covariances(),
                rgbs=np.clip(sent.colours, 0.0, 1.0),
                opacities=sent.opacities[:, None],
            )


def thinned(scene: GaussianScene, most: int = MOST) -> GaussianScene:
    """At most so many of the Gaussians of a scene: those with the largest opaque area."""
    if len(scene) <= most:
        return scene
    sizes = np.sort(scene.log_scales, axis=-1)[:, 1:].sum(axis=-1)
    seen = np.log(scene.opacities) + sizes
    return scene.taken(np.sort(np.argpartition(-seen, most)[:most]))
