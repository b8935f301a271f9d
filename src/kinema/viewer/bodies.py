"""The bodies of a view as viser nodes.

A few bodies are skinned meshes, which send a message per bone and frame. All others are cut into rigid pieces that
follow one bone each and are drawn as instances: a crowd of any size sends two arrays per piece. Pieces overlap at the
joints. Bodies without a soft skin are always instances.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from kinema.character import Character
from kinema.pose import Pose
from kinema.rendering.view import Instances
from kinema.viewer.colors import LINEAR, tinted
from kinema.viewer.instances import AWAY, IDENTITY, padded
from kinema.viewer.parts import PartView
from kinema.viewer.skins import SkinPart, coarser, is_rigid, pieces, skin_parts

if TYPE_CHECKING:
    import viser

Floats = NDArray[np.float32]

SMOOTH = 3
"""Maximum number of bodies that are all skinned meshes; with more, only the entity with the lowest number is one."""

TRIANGLES = 150_000
"""Maximum number of triangles of all instances of a character together; larger crowds have coarser bodies."""


class SmoothBody:
    """A character as skinned meshes.

    Args:
        name: prefix of its nodes. A hidden body of another character may have had the same name.
    """

    def __init__(self, server: viser.ViserServer, name: str, character: Character, parts: Sequence[SkinPart]) -> None:
        self.name, self.character = name, character
        self._parts = [
            PartView(part, partial(_add_skinned, server, f"{name}-{index}", part)) for index, part in enumerate(parts)
        ]

    def update(self, pose: Pose, tint: Floats, now: float) -> None:
        """Show a pose and a linear tint `[4]`."""
        for part in self._parts:
            part.tint(tint)
            part.update(pose, now)

    @property
    def unfinished(self) -> bool:
        """Whether morph targets need further updates to be shown."""
        return any(part.unfinished for part in self._parts)

    def show(self, visible: bool) -> None:
        """Show or hide it. It is never removed: the page of viser 1.1 fails when a skinned mesh is removed, but not
        when it is replaced by one of the same name."""
        for part in self._parts:
            part.handle.visible = visible


def _add_skinned(server: viser.ViserServer, path: str, part: SkinPart, suffix: str) -> viser.MeshSkinnedHandle:
    return server.scene.add_mesh_skinned(
        path + suffix,
        part.vertices,
        part.faces,
        bone_wxyzs=part.bind_rotations,
        bone_positions=part.bind_positions,
        skin_weights=part.weights,
        color=part.color,
        opacity=part.opacity,
        side="double" if part.double_sided else "front",
    )


class InstancedBodies:
    """Instances of one character, as pieces that follow one bone each."""

    def __init__(self, server: viser.ViserServer, name: str, character: Character, parts: Sequence[SkinPart]) -> None:
        self._server, self._name, self._parts = server, name, parts
        self._parents = character.skeleton.parents
        self._pieces: list[tuple[SkinPart, int, Floats, NDArray[np.uint32]]] = []
        self._handles: list[viser.BatchedMeshHandle] = []
        self._room = self._clear = -1

    def update(self, pose: Pose, tints: Floats) -> None:
        """Show poses `[n]` and linear tints `[n, 4]`."""
        rotations, positions = pose.global_rotations, pose.global_positions
        count, clear = len(pose), int((tints[:, 3] < 1).any())
        if count > self._room or clear != self._clear:
            self._make(max(count, 2 * self._room), clear)
        for handle, (part, joint, _, _) in zip(self._handles, self._pieces, strict=True):
            still = np.zeros((count, 3), np.float32), np.tile(IDENTITY, (count, 1))
            places, wxyzs = (positions[:, joint], rotations[:, joint]) if joint >= 0 else still
            handle.batched_positions = padded(places, self._room, AWAY)
            handle.batched_wxyzs = padded(wxyzs, self._room, IDENTITY)
            handle.batched_colors = padded(LINEAR[tinted(part.color, tints)], self._room, 0)
            if clear:
                opacities = tints[:, 3] * (1.0 if part.opacity is None else part.opacity)
                handle.batched_opacities = padded(opacities, self._room, 1)

    def _make(self, room: int, clear: int) -> None:
        self.remove()
        self._room, self._clear = room, clear
        share = min(TRIANGLES / (room * max(sum(len(part.faces) for part in self._parts), 1)), 1.0)
        parts = [coarser(part, round(share * len(part.faces))) for part in self._parts]
        self._pieces = [(part, *piece) for part in parts for piece in pieces(part, self._parents)]
        self._handles = [
            self._server.scene.add_batched_meshes_simple(
                f"{self._name}-{index}",
                vertices,
                faces,
                np.tile(IDENTITY, (room, 1)),
                np.tile(AWAY, (room, 1)),
                batched_colors=np.zeros((room, 3), np.uint8),
                batched_opacities=np.ones(room, np.float32) if clear else None,
                opacity=None if clear else part.opacity,
                side="double" if part.double_sided else "front",
                lod="off",
            )
            for index, (part, _, vertices, faces) in enumerate(self._pieces)
        ]

    def remove(self) -> None:
        """Remove it from the scene."""
        for handle in self._handles:
            handle.remove()
        self._handles, self._room = [], -1


class Bodies:
    """All bodies of a scene, updated from the instances of each view."""

    def __init__(self, server: viser.ViserServer, name: str) -> None:
        self._server, self._name = server, name
        self._smooth: dict[int, SmoothBody] = {}
        self._hidden: list[SmoothBody] = []
        self._made = 0
        self._crowds: dict[int, tuple[Character, InstancedBodies]] = {}
        self._parts: WeakKeyDictionary[Character, list[SkinPart]] = WeakKeyDictionary()

    def show(self, instances: Sequence[Instances], now: float) -> None:
        """Show these instances and no others.

        Args:
            now: seconds of a monotonic clock.
        """
        smooth = self._chosen(instances)
        for entity in self._smooth.keys() - smooth:
            self._hide(entity)
        for one in instances:
            ids, tints = _entities(one), one.tints
            tints = np.ones((len(ids), 4), np.float32) if tints is None else tints
            chosen = np.isin(ids, list(smooth))
            for row in np.flatnonzero(chosen).tolist():
                self._body(int(ids[row]), one.character).update(one.pose[row], tints[row], now)
            self._crowd(one.character, one.pose[~chosen], tints[~chosen])
        shown = {id(one.character) for one in instances}
        for key in self._crowds.keys() - shown:
            self._crowds.pop(key)[1].remove()

    @property
    def unfinished(self) -> bool:
        """Whether morph targets need further calls of `show`."""
        return any(body.unfinished for body in self._smooth.values())

    def _parts_of(self, character: Character) -> list[SkinPart]:
        if character not in self._parts:
            self._parts[character] = skin_parts(character)
        return self._parts[character]

    def _chosen(self, instances: Sequence[Instances]) -> set[int]:
        """The entities that are drawn as skinned meshes."""
        soft = [_entities(one) for one in instances if not is_rigid(self._parts_of(one.character))]
        ids = np.sort(np.concatenate([np.zeros(0, np.int32), *soft])).tolist()
        return set(ids if len(ids) <= SMOOTH else ids[:1])

    def _body(self, entity: int, character: Character) -> SmoothBody:
        """The skinned body of an entity: its own, a hidden one of the same character, or a new one."""
        body = self._smooth.get(entity)
        if body is not None and body.character is character:
            return body
        if body is not None:
            self._hide(entity)
        body = next((one for one in self._hidden if one.character is character), None)
        if body is not None:
            self._hidden.remove(body)
        else:
            if self._hidden:
                name = self._hidden.pop(0).name
            else:
                name, self._made = f"{self._name}/smooth-{self._made}", self._made + 1
            body = SmoothBody(self._server, name, character, self._parts_of(character))
        self._smooth[entity] = body
        body.show(True)
        return body

    def _hide(self, entity: int) -> None:
        body = self._smooth.pop(entity)
        body.show(False)
        self._hidden.append(body)

    def _crowd(self, character: Character, pose: Pose, tints: Floats) -> None:
        if id(character) not in self._crowds:
            if not len(pose):
                return
            name = f"{self._name}/crowd-{id(character)}"
            made = InstancedBodies(self._server, name, character, self._parts_of(character))
            self._crowds[id(character)] = character, made
        self._crowds[id(character)][1].update(pose, tints)


def _entities(instances: Instances) -> NDArray[np.int32]:
    assert instances.entities is not None  # views of a world have them
    return instances.entities
