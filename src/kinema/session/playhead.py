"""The playhead: a position in a clip that advances with real time."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Playhead:
    """A position in a clip of `frames` frames at `fps`.

    Attributes:
        time: seconds from the first frame.
        speed: playback speed, 1 is real time.
        playing, loop: whether it advances, and whether it restarts at the end.
        within: first frame and end of a range that is looped while the playhead is inside; None for all.
    """

    frames: int = 1
    fps: float = 30.0
    time: float = 0.0
    speed: float = 1.0
    playing: bool = True
    loop: bool = True
    within: tuple[int, int] | None = None

    @property
    def last(self) -> float:
        """Time of the last frame, seconds."""
        return max(self.frames - 1, 0) / self.fps

    @property
    def frame(self) -> int:
        """The nearest frame."""
        return min(int(self.time * self.fps + 0.5), max(self.frames - 1, 0))

    def advance(self, seconds: float) -> None:
        """Advance by real time."""
        if not self.playing or self.last == 0.0:
            return
        before = self.time
        self.time += seconds * self.speed
        if self.loop and self.within is not None:
            first, last = (self.within[0] / self.fps, (self.within[1] - 1) / self.fps)
            if first < last and first <= before <= last < self.time:
                self.time = first + (self.time - last) % (last - first)
                return
        if self.time > self.last:
            if self.loop:
                self.time %= self.last
            else:
                self.time, self.playing = self.last, False

    def seek(self, frame: float) -> None:
        """Go to a frame, clamped to the clip."""
        self.time = min(max(frame, 0.0) / self.fps, self.last)

    def toggle(self) -> None:
        """Play or pause; at the end of a clip that does not loop, play from the start."""
        if not self.playing and self.time >= self.last:
            self.time = 0.0
        self.playing = not self.playing
