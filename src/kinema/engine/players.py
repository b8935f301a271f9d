"""Clip players: the clips of all figures of one character are sampled in one batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinema.character import Character
from kinema.control import plan_kernels
from kinema.engine.components import Figure, Playing, Tint, Transform
from kinema.engine.poses import Figures, Poses
from kinema.engine.systems import system
from kinema.errors import WorldError
from kinema.motion import Motion
from kinema.pose import Pose

if TYPE_CHECKING:
    from kinema.engine.world import World


class ClipBank:
    """The clips that figures of one character play, concatenated in shared arrays.

    Attributes:
        rotations, translations: `[N, J, 4]`, `[N, 3 T]`.
        morphs: `[N, M]`, weights of the character's morph targets; None if no clip has any.
    """

    def __init__(self, character: Character | None = None) -> None:
        self._character = character
        self.morphs: NDArray[np.float32] | None = None
        self._motions: dict[int, tuple[Motion, int]] = {}  # by identity: the clip and its first frame
        self.rotations = np.zeros((0, 0, 4), np.float32)
        self.translations = np.zeros((0, 0), np.float32)

    def starts(self, motions: list[Motion]) -> NDArray[np.int64]:
        """First frames `[n]` of the clips. Clips that are no longer played are removed when a new one is added."""
        if any(id(motion) not in self._motions for motion in motions):
            wanted = {id(motion): motion for motion in motions}
            at = np.cumsum([0, *(motion.frames for motion in wanted.values())])
            self._motions = {
                key: (motion, int(start)) for (key, motion), start in zip(wanted.items(), at, strict=False)
            }
            self.rotations = np.concatenate([motion.local_rotations for motion in wanted.values()])
            moved = [motion[:].local_translations.reshape(motion.frames, -1) for motion in wanted.values()]
            self.translations = np.concatenate(moved)
            self.morphs = self._faces(list(wanted.values()))
        return np.asarray([self._motions[id(motion)][1] for motion in motions], np.int64)

    def _faces(self, motions: list[Motion]) -> NDArray[np.float32] | None:
        who = self._character
        if who is None or not len(who.rest_weights):
            return None
        rows, moving = [], False
        for motion in motions:
            labels = {name: values for name, values in motion.labels.items() if values.ndim == 1}
            weights = who.morph_weights(labels)
            moving |= weights.ndim > 1
            rows.append(np.broadcast_to(weights, (motion.frames, len(who.rest_weights))))
        return np.concatenate(rows) if moving else None


class Players:
    """The clip banks of one world; a resource of `play_clips`."""

    def __init__(self) -> None:
        self._banks: dict[int, tuple[Character, ClipBank]] = {}

    def bank(self, character: Character) -> ClipBank:
        """The clip bank of a character."""
        return self._banks.setdefault(id(character), (character, ClipBank(character)))[1]

    def keep_only(self, characters: Sequence[Character]) -> None:
        """Remove the clip banks of all other characters."""
        for key in self._banks.keys() - {id(character) for character in characters}:
            del self._banks[key]


@system(phase="animate", reads=(Figure, Tint, Transform), writes=(Playing, Poses, Players))
def play_clips(world: World, dt: float) -> None:
    """Advance all clip players by `dt` seconds and pose their figures."""
    world.regroup_figures()
    world.resources[Players].keep_only([batch.character for batch in world.poses.batches])
    for batch in world.poses.batches:
        rows = [row for row, entity in enumerate(batch.ids.tolist()) if world.find(entity, Playing) is not None]
        if rows:
            _play(world, batch, np.asarray(rows), dt)


def _play(world: World, batch: Figures, rows: NDArray[np.int64], dt: float) -> None:
    skeleton = batch.character.skeleton
    players = [world.get(int(entity), Playing) for entity in batch.ids[rows]]
    for entity, player in zip(batch.ids[rows].tolist(), players, strict=True):
        motion = player.motion
        if motion.frames == 0 or (motion.skeleton is not skeleton and not motion.skeleton.same_topology(skeleton)):
            why = "has no frames" if motion.frames == 0 else "does not have the joints of"
            raise WorldError(f"the clip {motion.name!r} of entity {entity} {why} {batch.character.name!r}")
        if _advance(player, dt):
            batch.cut[np.searchsorted(batch.ids, entity)] = True
    bank = world.resources[Players].bank(batch.character)
    first = bank.starts([player.motion for player in players])
    last = first + [player.motion.frames - 1 for player in players]
    times = np.array([player.time for player in players])
    if not np.isfinite(times).all():
        entity = int(batch.ids[rows][~np.isfinite(times)][0])
        raise WorldError(f"the clip player of entity {entity} has a time that is not finite; check its time and speed")
    places = first + times * [player.motion.fps for player in players]
    around, weights = plan_kernels.stencils(places, first, last)
    local_rotations = plan_kernels.sample_rotations(bank.rotations, around, weights)
    local_translations = plan_kernels.sample_values(bank.translations, around, weights).reshape(len(rows), -1, 3)
    faces = None
    if bank.morphs is not None:
        before, after = bank.morphs[around[:, 1]], bank.morphs[around[:, 2]]
        share = np.clip(places, first, last) - around[:, 1]
        faces = (before + share[:, None] * (after - before)).astype(np.float32)
    batch.write(rows, Pose(skeleton, local_rotations, local_translations, morph_weights=faces))


def _advance(player: Playing, dt: float) -> bool:
    """Advance the time. Returns whether the clip started again."""
    end = max(player.motion.frames - 1, 0) / player.motion.fps
    time = player.time + dt * player.speed
    again = player.loop and not 0.0 <= time <= end
    player.time = time % end if again and end else min(max(time, 0.0), end)
    return again
