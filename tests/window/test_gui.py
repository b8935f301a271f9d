"""What happens to the window reaches imgui."""

from __future__ import annotations

from kinema.window.events import OUTSIDE, Button, Focus, Key, Pointer, Scroll, Text

from .conftest import Bench


def test_events_reach_widgets(bench: Bench):
    gui, imgui = bench.gui, bench.gui.imgui._imgui
    clicked, typed = [], [""]

    def picture() -> None:
        gui.begin((400, 300), 1.0, 1 / 60)
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size((400, 300))
        imgui.begin("w")
        imgui.set_cursor_screen_pos((50, 50))
        clicked.append(imgui.button("press", (100, 40)))
        imgui.set_cursor_screen_pos((50, 120))
        _, typed[0] = imgui.input_text("##t", typed[0])
        imgui.end()
        gui.end()

    def click(x: float, y: float) -> None:
        for events in ([Pointer(x, y)], [Button(0, True)], [Button(0, False)]):
            gui.feed(events, set())
            picture()

    picture()
    click(100, 70)
    assert any(clicked) and gui.wants_mouse
    click(80, 130)
    picture()
    assert gui.wants_text
    gui.feed([Key("KeyA", True), Text("ä"), Key("KeyA", False)], set())
    for _ in range(3):  # imgui takes in a key and a character one picture after the other
        picture()
    assert typed[0] == "ä"
    gui.feed([OUTSIDE, Scroll(0, 1), Focus(False), Button(7, True), Key("NumpadDivide", True)], set())
    picture()
    assert not gui.wants_mouse


def test_modifiers_are_known(bench: Bench):
    gui, imgui = bench.gui, bench.gui.imgui._imgui
    gui.feed([Key("ControlLeft", True), Key("KeyZ", True)], {"ControlLeft", "KeyZ"})
    gui.begin((400, 300), 1.0, 1 / 60)
    assert imgui.get_io().key_ctrl and imgui.is_key_down(imgui.Key.z)
    gui.end()


def test_text_grows_with_the_display(bench: Bench):
    sizes = []
    for zoom in (1.0, 2.0):
        bench.gui.zoom = zoom
        bench.gui.begin((400, 300), 1.0, 1 / 60)
        sizes.append(bench.gui.imgui.get_font_size())
        bench.gui.end()
    assert sizes[1] == 2 * sizes[0]
    bench.gui.close()
    bench.gui.close()
