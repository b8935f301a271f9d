"""The words of a text and how far they are read, and the classes of words that hold sentences together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from kinema.instructions.grammar.verbs import word_set
from kinema.instructions.programme import Thing

_Found = TypeVar("_Found")

RELATIONS: Mapping[str, str] = {
    "to": "to", "until": "to", "towards": "towards", "away-from": "away from", "around": "around", "round": "around",
    "past": "past", "behind": "behind", "in-front-of": "in front of", "beside": "beside", "by": "beside",
    "between": "between", "through": "through", "across": "across", "along": "along", "over": "over", "under": "under",
    "beneath": "under", "underneath": "under", "below": "under", "into": "into", "inside": "into",
    "in": "into", "out-of": "out of",
    "on": "on", "at": "at", "left-of": "left of", "right-of": "right of", "against": "beside", "from": "from",
}  # fmt: skip
SIDES = {
    "left": "left",
    "leftwards": "left",
    "leftward": "left",
    "right": "right",
    "rightwards": "right",
    "rightward": "right",
}
DIRECTIONS = SIDES | {
    "forward": "forward", "forwards": "forward", "ahead": "forward", "backward": "backward", "backwards": "backward",
    "back-and-forth": "back and forth", "in-a-circle": "in a circle", "front": "forward",
    "on-the-spot": "on the spot",
}  # fmt: skip
LEADING = ("over", "up", "on", "along", "out", "back", "off", "down", "in", "through", "around", "round", "across")
CONNECTIVES = word_set("and but or then while as before after once when until where who which so if unless "
"because first meanwhile throughout , ."
    )  # fmt: skip
"""Words that end a clause."""
ENDS = CONNECTIVES | set(RELATIONS) | set(DIRECTIONS) - {"front"} | set(LEADING) | word_set("about with "
"using of off for than that she he they we you i it is are was will would should can could must has have had do "
    "does did not let him them me us away only filmed seen viewed recorded camera closeup from-above from-below "
    "from-front "
    "from-behind static "
    "number no nearest closest farthest furthest without the a an")  # fmt: skip
"""Words that end a noun phrase."""


@dataclass
class Words:
    """The words of a text and how far they are read.

    `mentioned` is the thing that was named last, `named` the last one of each name.
    """

    words: list[str]
    at: int = 0
    mentioned: Thing | None = None
    named: dict[str, Thing] = field(default_factory=dict)

    def peek(self, ahead: int = 0) -> str:
        """A word that is not read yet; empty after the last one."""
        return self.words[self.at + ahead] if self.at + ahead < len(self.words) else ""

    def take(self, *options: str) -> str:
        """The next word, if it is one of the options; empty otherwise."""
        word = self.peek()
        if not word or word not in options:
            return ""
        self.at += 1
        return word

    def clause(self, start: int | None = None) -> list[str]:
        """The words from a place to the end of its clause, for messages."""
        begin = self.at if start is None else start
        end = begin + 1
        while end < len(self.words) and self.words[end] not in (".", ","):
            end += 1
        return self.words[begin:end]

    def sentence(self, start: int) -> list[str]:
        """The words of a sentence as far as they are read, for messages; the last ones, if they are many."""
        begin = max((at + 1 for at in range(start) if self.words[at] == "."), default=0)
        return self.words[max(begin, self.at - 8) : self.at]

    def attempt(self, read: Callable[[], _Found | None]) -> _Found | None:
        """What a function reads; without a result it has read nothing."""
        start = self.at
        found = read()
        if found is None:
            self.at = start
        return found
