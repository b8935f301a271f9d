"""The panel beside the clips: lists, timeline and switches."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Protocol

import viser

from kinema.errors import one_line
from kinema.motion import Motion
from kinema.session.library import Clip, matching
from kinema.session.playhead import Playhead
from kinema.viewer.page import style

MAX_LISTED = 300
"""Entries of a list at a time; a search narrows it down."""

_NOTHING: list[str] = ["-"]


class Commands(Protocol):
    """What the panel asks for; see `kinema.viewer.timeline.ClipViewer`."""

    playhead: Playhead

    def open_document(self, title: str) -> None: ...

    def choose(self, title: str) -> None: ...

    def seek(self, frame: float) -> None: ...

    def toggle_play(self) -> None: ...

    def set_mirrored(self, value: bool) -> None: ...

    def show(self, label: str, value: bool) -> None: ...


class ClipPanel:
    """The panel at the right. Its handlers queue what they ask for through `later`."""

    def __init__(
        self,
        server: viser.ViserServer,
        toggles: dict[str, bool],
        later: Callable[[Callable[[], None]], None],
        owner: Commands,
    ) -> None:
        gui = server.gui
        style(server)
        self._titles: list[str] = []
        with gui.add_folder("Clip"):
            self._search = gui.add_text("Search", "")
            self._document = gui.add_dropdown("File", _NOTHING)
            self._clip = gui.add_dropdown("Clip", _NOTHING)
            self._about = gui.add_markdown("")
        with gui.add_folder("Time"):
            self._play = gui.add_button("Pause")
            self._frame = gui.add_slider("Frame", 0, 1, 1, 0)
            self._speed = gui.add_slider("Speed", 0.1, 2.0, 0.1, 1.0)
            self._loop = gui.add_checkbox("Loop", True)
            self._mirror = gui.add_checkbox("Mirror", False)
            self._follow = gui.add_checkbox("Follow", True)
        with gui.add_folder("Show", expand_by_default=False):
            for label, value in toggles.items():
                box = gui.add_checkbox(label, value)
                box.on_update(lambda event, label=label: later(lambda: owner.show(label, bool(event.target.value))))
        head = owner.playhead
        self._search.on_update(lambda _: later(self._filter))
        self._document.on_update(lambda _: later(lambda: owner.open_document(self.document)))
        # A change that comes from us has no client; only a person's hand may lead the playhead.
        self._clip.on_update(_by_hand(lambda: later(lambda: owner.choose(self._clip.value))))
        self._frame.on_update(_by_hand(lambda: later(lambda: owner.seek(float(self._frame.value)))))
        self._play.on_click(lambda _: later(owner.toggle_play))
        self._speed.on_update(lambda _: setattr(head, "speed", float(self._speed.value)))
        self._loop.on_update(lambda _: setattr(head, "loop", bool(self._loop.value)))
        self._mirror.on_update(lambda _: later(lambda: owner.set_mirrored(bool(self._mirror.value))))

    @property
    def document(self) -> str:
        return self._document.value

    @property
    def follow(self) -> bool:
        return bool(self._follow.value)

    def list_documents(self, titles: list[str], chosen: str) -> None:
        """Fill the list of files; hidden where there is nothing to choose."""
        self._titles = titles
        self._search.visible = len(titles) > 8
        self._document.visible = len(titles) > 1
        self._document.options = _listed(titles, chosen)
        if self._document.value != chosen:
            self._document.value = chosen

    def select_document(self, title: str) -> None:
        """Choose a file as if by hand."""
        self._document.options = _listed(self._titles, title)
        self._document.value = title

    def _filter(self) -> None:
        found = matching(self._titles, self._search.value)
        if found:
            chosen = self.document if self.document in found else found[0]
            self._document.options = _listed(found, chosen)
            if self.document != chosen:
                self._document.value = chosen

    def show_clip(self, titles: list[str], clip: Clip, motion: Motion | None, size: float, edits: str = "") -> None:
        """Fill in what the panel says about a clip, and about its edits."""
        self._clip.options = _listed(titles, clip.title)
        self._clip.visible = len(titles) > 1
        if self._clip.value != clip.title:
            self._clip.value = clip.title
        self._frame.value = 0
        self._frame.max = max((motion.frames if motion else 1) - 1, 1)
        self._frame.disabled = motion is None or motion.frames < 2
        lines = [f"{clip.skeleton.joint_count} joints, {size:.2f} m"]
        if motion is not None:
            lines.append(f"{motion.frames} frames, {motion.fps:g} fps, {motion.seconds:.1f} s")
        if clip.character is not None and clip.character.meshes:
            lines.append(f"{clip.character.vertex_count} vertices")
        if edits:
            lines.append(f"edited: {plain(edits)}")
        warnings = motion.warnings if motion else clip.character.warnings if clip.character else ()
        lines += [f"*{plain(warning)}*" for warning in warnings[:3]]
        self._about.content = "<br>".join(lines)

    def show_time(self, head: Playhead) -> None:
        """Move the slider to where the clip is."""
        if head.playing:
            self.show_frame(head.frame)

    def show_frame(self, frame: int) -> None:
        """Move the slider to a frame."""
        if int(self._frame.value) != frame:
            self._frame.value = frame

    def show_playing(self, playing: bool) -> None:
        """Name the button after what it does next."""
        self._play.label = "Pause" if playing else "Play"

    def flip_mirror(self) -> None:
        """As if the box was clicked."""
        self._mirror.value = not self._mirror.value


def plain(text: str) -> str:
    """Text as Markdown that shows it as it is: a name out of a file must not become markup in the browser."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", one_line(text))


def _by_hand(act: Callable[[], None]) -> Callable[[viser.GuiEvent[Any]], None]:
    def handle(event: viser.GuiEvent[Any]) -> None:
        if event.client is not None:
            act()

    return handle


def _listed(titles: list[str], chosen: str) -> tuple[str, ...]:
    """At most `MAX_LISTED` titles, the chosen one among them."""
    listed = titles[:MAX_LISTED]
    return tuple(listed if chosen in listed else [chosen, *listed])
