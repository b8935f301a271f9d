"""How much memory a file may make us allocate: a few bytes can declare terabytes."""

from __future__ import annotations

from kinema.errors import FormatError

MEMORY_FLOOR = 64 * 1024**2  # bytes that any file may need, however small it is
FRAMES_FLOOR = 512 * 1024**2  # the same for sampled animations: two keys far apart make many frames
MEMORY_RATIO = 64  # times its own size
CEILING = 1536 * 1024**2  # bytes; beyond them only a few times its own size
CEILING_RATIO = 4


class Budget:
    """Counts the memory that a file needs, and refuses what no honest file of its size does."""

    def __init__(self, size: int, floor: int = MEMORY_FLOOR) -> None:
        self._size, self._floor, self._used = size, floor, 0

    def grow(self, size: int) -> None:
        """More bytes were read (a file beside it), so more may be allocated."""
        self._size += size

    def charge(self, size: int, where: str | None, remedy: str = "") -> None:
        """Counts `size` bytes; FormatError when the file needs too much."""
        self._used += size
        limit = min(max(self._floor, MEMORY_RATIO * self._size), max(CEILING, CEILING_RATIO * self._size))
        if self._used > limit:
            raise FormatError(
                f"asks for {self._used} bytes of memory, more than the {limit} a file of this size may{remedy}",
                node=where,
            )
