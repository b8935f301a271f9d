"""Messages for the user, one line each; repeated messages are counted."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from kinema.errors import one_line

Level = Literal["note", "warning", "error"]

KEPT = 200
"""Maximum number of lines that are kept."""


@dataclass
class Line:
    """A message, its last time (seconds of the screen's clock), and its repetitions."""

    text: str
    level: Level
    time: float
    count: int = 1

    def __str__(self) -> str:
        return self.text + (f"  ({self.count}\u00d7)" if self.count > 1 else "")


class Log:
    """The last messages.

    Args:
        echo: also called with each new warning and error, for the terminal.
    """

    def __init__(self, echo: Callable[[str], None] = lambda line: None) -> None:
        self.lines: deque[Line] = deque(maxlen=KEPT)
        self.now = 0.0
        self._echo = echo
        self.on_say: Callable[[Line], object] = lambda line: None
        """Called with every message; set by the screen."""

    def say(self, text: str, level: Level = "note") -> None:
        """Add a message; a repetition only increases the count."""
        text = one_line(text.strip().replace("\n", " "))
        if self.lines and self.lines[-1].text == text:
            self.lines[-1].count += 1
            self.lines[-1].time = self.now
        else:
            self.lines.append(Line(text, level, self.now))
            if level != "note":
                self._echo(text)
        self.on_say(self.lines[-1])

    def latest(self, seconds: float = 8.0) -> Line | None:
        """The last message while it is recent; errors stay until the next message."""
        line = self.lines[-1] if self.lines else None
        return line if line is not None and (line.level == "error" or self.now - line.time < seconds) else None
