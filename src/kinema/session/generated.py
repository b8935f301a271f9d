"""Steers a body whose motion is generated while it moves: what it does is chosen, typed and steered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from kinema.session.log import Log
from kinema.session.play import PlaySession
from kinema.session.playable import Playable, Say
from kinema.session.settings import SessionSetting, WordsSetting, text_choice

if TYPE_CHECKING:
    from kinema.control.generated import GeneratedController
    from kinema.generation.wishes import Wish

STEERED = "as steered"
"""The option of the list of actions that leaves them to the steering."""


class GeneratedSession(PlaySession):
    """One steered body with generated motion.

    Args:
        make: builds the controller and the playable that has it, on a separate thread.
        understand: wishes of a text; raises KinemaError if nothing in it is known.
        said: the text that the controller acts out from the beginning.

    Attributes:
        said: the text that is acted out; empty for none.
    """

    def __init__(
        self,
        make: Callable[[Say], tuple[GeneratedController, Playable]],
        understand: Callable[[str], Sequence[Wish]],
        log: Log | None = None,
        said: str = "",
    ) -> None:
        self.said = said
        self._understand = understand
        self._controller: GeneratedController | None = None

        def load(say: Say) -> Playable:
            self._controller, playable = make(say)
            return playable

        super().__init__(load, log)

    def say(self, text: str) -> None:
        """Act out a text, phrase by phrase; an empty one goes as steered.

        Raises:
            UsageError: nothing in it is known; what was said before goes on.
        """
        wishes = self._understand(text) if text else ()
        assert self._controller is not None  # there are no settings before
        self._controller.say(wishes)
        self.said = text

    def act(self, action: str) -> None:
        """Do one of the body's actions, or go as steered."""
        assert self._controller is not None
        self._controller.action = None if action == STEERED else action

    def settings(self) -> Sequence[SessionSetting]:
        controller = self._controller
        if self.playable is None or controller is None:
            return super().settings()
        options, hint = [STEERED, *controller.actions], "What it does, whatever it is steered to"
        return (
            text_choice("Drive", "action", hint, lambda: controller.action or STEERED, self.act, options),
            WordsSetting("Drive", "text", "", lambda: self.said, self.say, "walks slowly, then jumps"),
            *super().settings(),
        )
