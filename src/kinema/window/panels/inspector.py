"""The inside of the controller: its plan, its costs, its figures."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from kinema.mocap.contacts import contact_points
from kinema.session import diagnostics
from kinema.session.play import PlaySession
from kinema.window.panels.panel import Panel
from kinema.window.widgets import Widgets


class InspectorPanel(Panel[PlaySession]):
    """Shows the controller for the steered character."""

    title = "Controller"
    kind = PlaySession

    def draw(self, ui: Widgets, session: PlaySession) -> None:
        """Plan, costs, figures, weights and phases, if the family has them."""
        if session.playable is None or session.control is None:
            ui.muted("nothing is steered yet")
            return
        controller, row = session.playable.inner, session.row
        self._plan(ui, diagnostics.plan_position(controller, row))
        costs = diagnostics.costs(controller, session.playable.to_inner_commands(session.control), row)
        if costs:
            ui.imgui.dummy(ui.imgui.ImVec2(0, 2))
            ui.muted("cost of continuing, by feature")
            most = max(*costs.values(), 1.0)
            for name, cost in costs.items():
                ui.fact(name, f"{cost:.2f}")
                self._line(ui, cost / most, ui.look.right if cost == most else ui.look.accent)
        numbers, arrays = diagnostics.figures(session.diagnostics, row)
        ui.imgui.dummy(ui.imgui.ImVec2(0, 2))
        for name, value in numbers.items():
            ui.fact(*diagnostics.written(name, value))
        for name, values in arrays.items():
            ui.muted(name.replace("_", " "))
            if "phase" in name:
                self._dials(ui, values)
            else:
                self._weights(ui, values)
        self._feet(ui, session)

    def _plan(self, ui: Widgets, plan: diagnostics.PlanPosition) -> None:
        if plan.clip:
            ui.fact("clip", plan.clip if len(plan.clip) < 28 else f"\u2026{plan.clip[-27:]}")
            ui.fact("frame", f"{plan.frame + 1} / {plan.frames}")
            self._line(ui, plan.frame / max(plan.frames - 1, 1), ui.look.accent)
        if math.isfinite(plan.wait):
            ui.fact("next plan in", f"{1e3 * plan.wait:.0f} ms")

    def _line(self, ui: Widgets, share: float, color: tuple[float, float, float, float]) -> None:
        """A thin bar, filled from the left."""
        imgui = ui.imgui
        corner, width, height = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x, 4 * ui.scale
        painter = imgui.get_window_draw_list()
        painter.add_rect_filled(corner, (corner.x + width, corner.y + height), ui.color(ui.look.raised), height)
        filled = corner.x + width * min(max(share, 0.0), 1.0)
        painter.add_rect_filled(corner, (filled, corner.y + height), ui.color(color), height)
        imgui.dummy(imgui.ImVec2(width, height))

    def _weights(self, ui: Widgets, values: NDArray[np.floating]) -> None:
        """A bar chart, for instance of the weights of experts."""
        imgui = ui.imgui
        corner, width, height = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x, 46 * ui.scale
        painter = imgui.get_window_draw_list()
        painter.add_rect_filled(corner, (corner.x + width, corner.y + height), ui.color(ui.look.raised, 0.6), 4)
        scale = max(float(np.nanmax(np.abs(values), initial=0.0)), 1e-6)
        low = min(float(np.nanmin(values, initial=0.0)), 0.0) / scale
        base = corner.y + height * (1.0 / (1.0 - low))
        step = width / len(values)
        for index, value in enumerate(np.nan_to_num(values).tolist()):
            left = corner.x + index * step
            top = base - value / scale * (base - corner.y)
            painter.add_rect_filled(
                (left + 1, min(top, base)), (left + max(step - 1, 1.5), max(top, base)), ui.color(ui.look.accent), 2
            )
        imgui.dummy(imgui.ImVec2(width, height))
        ui.hint(", ".join(f"{value:.2f}" for value in values[:32].tolist()))

    def _dials(self, ui: Widgets, values: NDArray[np.floating]) -> None:
        """Phases from 0 to 1 as dials."""
        imgui, radius = ui.imgui, 13 * ui.scale
        corner = imgui.get_cursor_screen_pos()
        painter = imgui.get_window_draw_list()
        across = max(int(imgui.get_content_region_avail().x // (2.4 * radius)), 1)
        for index, value in enumerate(values.tolist()):
            x = corner.x + radius + (index % across) * 2.4 * radius
            y = corner.y + radius + (index // across) * 2.4 * radius
            angle = 2 * math.pi * value
            tip = (x + 0.85 * radius * math.sin(angle), y - 0.85 * radius * math.cos(angle))
            painter.add_circle_filled((x, y), radius, ui.color(ui.look.raised))
            if math.isfinite(value):
                painter.add_line((x, y), tip, ui.color(ui.look.accent), 2 * ui.scale)
        lines = -(-len(values) // across)
        imgui.dummy(imgui.ImVec2(across * 2.4 * radius, lines * 2.4 * radius))

    def _feet(self, ui: Widgets, session: PlaySession) -> None:
        """The state of each foot: in contact, locked or lifted."""
        group, row = session.group, session.row
        if group is None or group.pose is None:
            return
        locked = getattr(group.controller, "locked", None)
        contacts = group.pose.contacts[row].tolist()
        points = contact_points(group.pose.skeleton)
        for index, (point, value) in enumerate(zip(points, contacts, strict=False)):
            side = ("left", "right")[index % 2]
            held = locked is not None and row < len(locked) and bool(locked[row, index])
            said = ("held" if held else "touches") if value > 0.5 else "lifted"
            tone = getattr(ui.look, side) if value > 0.5 else ui.look.muted
            ui.fact(
                f"{point} foot" if len(points) == 2 else point, f"{ui.gui.icon('lock')}  {said}" if held else said, tone
            )
