"""A stream whose feet are planted."""

from __future__ import annotations

from copy import copy

from kinema.arrays import Singles
from kinema.generation.live_planting import LivePlanting
from kinema.generation.stream import Stream
from kinema.generation.wishes import Wish


class PlantedStream:
    """Plants the feet of a stream. The network sees its own motion, as it was before."""

    def __init__(self, stream: Stream) -> None:
        self.stream, self._planting = stream, LivePlanting(stream.rig)

    def fork(self) -> PlantedStream:
        """One that goes on from here by itself."""
        other = copy(self)
        other.stream, other._planting = self.stream.fork(), self._planting.fork()
        return other

    def next(self, wish: Wish) -> Singles:
        """The channels `[F, K, CHANNELS]` of the next patch; see `Stream.next`."""
        piece = self.stream.next(wish)
        return self._planting.next(piece, self.stream.expected)
