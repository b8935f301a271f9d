"""The look of the window: two themes, fonts, and sizes that follow the display."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

Color = tuple[float, float, float, float]
"""sRGB red, green, blue and opacity, 0 to 1."""


def rgb(code: str) -> Color:
    """An opaque colour from `rrggbb`."""
    red, green, blue = (value / 255 for value in bytes.fromhex(code))
    return red, green, blue, 1.0


@dataclass(frozen=True)
class Theme:
    """Colours by purpose. `left` and `right` are those of the limbs, as in all pictures of Kinema."""

    name: str
    canvas: Color
    panel: Color
    raised: Color
    hover: Color
    line: Color
    ink: Color
    muted: Color
    accent: Color
    on_accent: Color
    left: Color
    right: Color
    good: Color
    warn: Color
    bad: Color


DARK = Theme("dark", *map(rgb, (
    "16181c", "1d2026", "282c34", "343a45", "31363f", "dde1e8", "8d95a3", "5b8df5", "ffffff",
    "5fa8ee", "ef8354", "4cc38a", "e5b454", "f2555a",
)))  # fmt: skip
LIGHT = Theme("light", *map(rgb, (
    "e9ebee", "f7f8fa", "e7eaee", "d9dee6", "d6dae0", "22262d", "6d7582", "2f63d8", "ffffff",
    "2a75b8", "cf5b28", "22875b", "a66f00", "c92a35",
)))  # fmt: skip

TEXT_SIZE = 15.0
"""Points."""


@dataclass(frozen=True)
class Fonts:
    """Fonts of imgui, and whether the icon font is there."""

    text: Any
    strong: Any
    icons: bool


ICONS: dict[str, tuple[str, str]] = {
    "play": ("\uf04b", "Play"), "pause": ("\uf04c", "Pause"), "first": ("\uf048", "|<"), "last": ("\uf051", ">|"),
    "back": ("\uf053", "<"), "on": ("\uf054", ">"), "loop": ("\uf363", "Loop"), "record": ("\uf111", "Rec"),
    "stop": ("\uf04d", "Stop"), "camera": ("\uf030", "Shot"), "help": ("\uf059", "?"), "light": ("\uf185", "Light"),
    "dark": ("\uf186", "Dark"), "undo": ("\uf0e2", "Undo"), "redo": ("\uf01e", "Redo"), "save": ("\uf0c7", "Save"),
    "tag": ("\uf02b", "Label"), "close": ("\uf00d", "x"), "reset": ("\uf2f9", "Reset"), "lock": ("\uf023", "held"),
    "film": ("\uf008", "Video"), "file": ("\uf15b", "-"),
}  # fmt: skip
"""Each icon of the icon font, and the text in its place if that font is missing."""


def load_fonts(imgui: Any) -> Fonts:
    """The fonts that come with imgui-bundle, or else imgui's own."""
    import imgui_bundle

    folder = Path(imgui_bundle.__file__).parent / "assets" / "fonts"
    atlas = imgui.get_io().fonts
    regular, bold = folder / "Roboto" / "Roboto-Regular.ttf", folder / "Roboto" / "Roboto-Bold.ttf"
    symbols = folder / "Font_Awesome_6_Free-Solid-900.otf"
    if not regular.is_file():
        plain = atlas.add_font_default()
        return Fonts(plain, plain, False)
    text = atlas.add_font_from_file_ttf(str(regular), TEXT_SIZE)
    if symbols.is_file():
        merged = imgui.ImFontConfig()
        merged.merge_mode = True
        merged.pixel_snap_h = True
        merged.glyph_offset = imgui.ImVec2(0, 1)
        atlas.add_font_from_file_ttf(str(symbols), 0.85 * TEXT_SIZE, merged)
    strong = atlas.add_font_from_file_ttf(str(bold), TEXT_SIZE) if bold.is_file() else text
    return Fonts(text, strong, symbols.is_file())


_PADDINGS = {
    "window_padding": (12, 12),
    "frame_padding": (8, 4),
    "item_spacing": (8, 7),
    "item_inner_spacing": (7, 4),
    "cell_padding": (6, 3),
}
_PLOT_PADDINGS = {
    "plot_padding": (0, 4),
    "label_padding": (4, 3),
    "legend_padding": (4, 2),
    "legend_inner_padding": (4, 2),
    "legend_spacing": (8, 0),
    "plot_min_size": (40, 30),
}
_SIZES = {
    0: ("window_rounding", "window_border_size", "child_border_size", "frame_border_size"),
    5: ("frame_rounding", "grab_rounding", "tab_rounding"),
    6: ("child_rounding",),
    8: ("popup_rounding", "scrollbar_rounding"),
    11: ("scrollbar_size",),
    12: ("grab_min_size",),
    14: ("indent_spacing",),
}
"""Points at scale 1."""


def apply(imgui: Any, implot: Any, theme: Theme, scale: float) -> None:
    """Set colours and sizes of imgui and implot; `scale` is 1 on an ordinary display."""
    style = imgui.get_style()
    style.font_size_base, style.font_scale_dpi = TEXT_SIZE, scale
    _pad(imgui, style, scale, _PADDINGS)
    for value, names in _SIZES.items():
        for name in names:
            setattr(style, name, float(scale * value))
    (imgui.style_colors_light if theme is LIGHT else imgui.style_colors_dark)()
    faint, clear = (*theme.accent[:3], 0.35), (0.0, 0.0, 0.0, 0.0)
    colors: dict[Color, tuple[str, ...]] = {
        theme.ink: ("text", "input_text_cursor"),
        theme.muted: ("text_disabled", "scrollbar_grab_hovered", "scrollbar_grab_active"),
        theme.panel: ("window_bg", "popup_bg"),
        theme.raised: ("frame_bg", "button", "header", "tab_selected", "table_header_bg", "checkbox_selected_bg"),
        theme.hover: ("frame_bg_hovered", "frame_bg_active", "button_hovered", "header_hovered", "scrollbar_grab"),
        theme.line: ("border", "separator", "table_border_strong", "table_border_light"),
        theme.accent: ("check_mark", "slider_grab", "slider_grab_active", "nav_cursor", "plot_lines"),
        faint: ("button_active", "header_active", "text_selected_bg"),
        clear: ("child_bg", "scrollbar_bg", "resize_grip", "table_row_bg"),
    }
    _colour(imgui, style, imgui.Col_, colors)
    _plots(imgui, implot, theme, scale)


def _pad(imgui: Any, style: Any, scale: float, paddings: dict[str, tuple[int, int]]) -> None:
    for name, (x, y) in paddings.items():
        setattr(style, name, imgui.ImVec2(scale * x, scale * y))


def _colour(imgui: Any, style: Any, kinds: Any, colors: dict[Color, tuple[str, ...]]) -> None:
    """Set the colours of a style by the names of their kinds."""
    for color, names in colors.items():
        for name in names:
            style.set_color_(getattr(kinds, name), imgui.ImVec4(*color))


def _plots(imgui: Any, implot: Any, theme: Theme, scale: float) -> None:
    style, clear = implot.get_style(), (0.0, 0.0, 0.0, 0.0)
    implot.style_colors_auto()
    colors: dict[Color, tuple[str, ...]] = {
        clear: ("frame_bg", "plot_bg", "plot_border", "legend_border", "axis_tick", "axis_bg"),
        theme.ink: ("legend_text", "title_text"),
        theme.muted: ("axis_text",),
        (*theme.muted[:3], 0.30): ("axis_grid",),
        (*theme.panel[:3], 0.75): ("legend_bg",),
    }
    _colour(imgui, style, implot.Col_, colors)
    _pad(imgui, style, scale, _PLOT_PADDINGS)
    style.plot_border_size = 0.0
