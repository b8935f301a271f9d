"""VRM animations (.vrma), read: the bones of a humanoid, and nodes that animate expressions and gaze."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.arrays import Floats
from kinema.formats.gltf.animation import GltfAnimation
from kinema.formats.gltf.document import GltfDocument
from kinema.formats.gltf.vrm_humanoid import read_bones


@dataclass(eq=False)
class Vrma:
    """What VRMC_vrm_animation states.

    Attributes:
        bones: node of each bone, by its name in VRM 1.0.
        faces: node whose X is the weight of each expression, by name.
        gaze: node whose rotation is where the eyes look, relative to the head.
    """

    bones: dict[str, int]
    faces: dict[str, int] = field(default_factory=dict)
    gaze: int | None = None

    @property
    def nodes(self) -> set[int]:
        """Nodes that are not joints."""
        return set(self.faces.values()) | ({self.gaze} if self.gaze is not None else set())


def read_vrma(document: GltfDocument) -> Vrma | None:
    """What a VRM animation states; None for other files."""
    owner = document.extension("VRMC_vrm_animation")
    if owner is None:
        return None
    bones = read_bones(owner) if "humanoid" in owner else {}
    faces: dict[str, int] = {}
    for group in ("preset", "custom"):
        entries = owner.object("expressions").object(group)
        for name in entries.values:
            node = entries.object(name).index("node", "nodes")
            if node is not None and node not in bones.values():
                faces.setdefault(name, node)
    gaze = owner.object("lookAt").index("node", "nodes")
    return Vrma(bones, faces, gaze if gaze not in bones.values() else None)


def take_labels(vrma: Vrma, animation: GltfAnimation, times: Floats, rate: float) -> dict[str, NDArray[Any]]:
    """Labels `expression.<name>` `[F]` and `gaze.yaw`, `gaze.pitch` `[F]` (radians, to the left and up)."""
    labels: dict[str, NDArray[Any]] = {}
    tracks = {(channel.node, channel.path): channel for channel in animation.channels}
    for name, node in vrma.faces.items():
        if (node, "translation") in tracks:
            labels[f"expression.{name}"] = np.array(tracks[node, "translation"].sample(times, rate)[:, 0], np.float32)
    if vrma.gaze is not None and (vrma.gaze, "rotation") in tracks:
        gaze = tracks[vrma.gaze, "rotation"].sample(times, rate)
        ahead = rotations.rotate(gaze, np.broadcast_to(np.array([0, 0, 1], np.float32), (len(times), 3)))
        labels["gaze.yaw"] = np.arctan2(ahead[:, 0], ahead[:, 2]).astype(np.float32)
        labels["gaze.pitch"] = np.arcsin(np.clip(ahead[:, 1], -1, 1)).astype(np.float32)
    return labels
