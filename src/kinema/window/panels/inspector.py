"""Looking into the controller: its plan, its costs, what its family shows."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from kinema.session import diagnostics
from kinema.session.play import PlaySession
from kinema.session.session import Session
from kinema.window.desk import Desk
from kinema.window.panels.panel import Panel


class InspectorPanel(Panel):
    """Of the character that obeys."""

    title = "Controller"
    sessions = frozenset({"play"})

    def draw(self, desk: Desk, session: Session) -> None:
        """Plan, costs, figures, weights and phases, as far as the family has them."""
        assert isinstance(session, PlaySession)
        if session.playable is None or session.control is None:
            desk.muted("nobody is here yet")
            return
        controller, row = session.playable.inner, session.row
        self._plan(desk, diagnostics.plan_position(controller, row))
        costs = diagnostics.costs(controller, session.playable.to_inner_command(session.control), row)
        if costs:
            desk.imgui.dummy(desk.imgui.ImVec2(0, 2))
            desk.muted("cost of going on, by feature")
            most = max(*costs.values(), 1.0)
            for name, cost in costs.items():
                self._bar(desk, name, cost, most)
        numbers, arrays = diagnostics.figures(session.diagnostics, row)
        desk.imgui.dummy(desk.imgui.ImVec2(0, 2))
        for name, value in numbers.items():
            desk.fact(*diagnostics.written(name, value))
        for name, values in arrays.items():
            desk.muted(name.replace("_", " "))
            if "phase" in name:
                self._dials(desk, values)
            else:
                self._weights(desk, values)
        self._feet(desk, session)

    def _plan(self, desk: Desk, plan: diagnostics.PlanPosition) -> None:
        if plan.clip:
            desk.fact("clip", plan.clip if len(plan.clip) < 28 else f"\u2026{plan.clip[-27:]}")
            desk.fact("frame", f"{plan.frame + 1} / {plan.frames}")
            self._line(desk, plan.frame / max(plan.frames - 1, 1), desk.look.accent)
        if math.isfinite(plan.wait):
            desk.fact("next search in", f"{1e3 * plan.wait:.0f} ms")

    def _line(self, desk: Desk, share: float, color: tuple[float, float, float, float]) -> None:
        """A thin line that is filled from the left."""
        imgui = desk.imgui
        corner, width, height = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x, 4 * desk.scale
        painter = imgui.get_window_draw_list()
        painter.add_rect_filled(corner, (corner.x + width, corner.y + height), desk.color(desk.look.raised), height)
        filled = corner.x + width * min(max(share, 0.0), 1.0)
        painter.add_rect_filled(corner, (filled, corner.y + height), desk.color(color), height)
        imgui.dummy(imgui.ImVec2(width, height))

    def _bar(self, desk: Desk, name: str, value: float, most: float) -> None:
        desk.fact(name, f"{value:.2f}")
        self._line(desk, value / most, desk.look.right if value == most else desk.look.accent)

    def _weights(self, desk: Desk, values: NDArray[np.floating]) -> None:
        """Columns side by side, such as the weights of experts; those below zero hang."""
        imgui = desk.imgui
        corner, width, height = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x, 46 * desk.scale
        painter = imgui.get_window_draw_list()
        painter.add_rect_filled(corner, (corner.x + width, corner.y + height), desk.color(desk.look.raised, 0.6), 4)
        scale = max(float(np.nanmax(np.abs(values), initial=0.0)), 1e-6)
        low = min(float(np.nanmin(values, initial=0.0)), 0.0) / scale
        base = corner.y + height * (1.0 / (1.0 - low))
        step = width / len(values)
        for index, value in enumerate(np.nan_to_num(values).tolist()):
            left = corner.x + index * step
            top = base - value / scale * (base - corner.y)
            painter.add_rect_filled(
                (left + 1, min(top, base)), (left + max(step - 1, 1.5), max(top, base)), desk.color(desk.look.accent), 2
            )
        imgui.dummy(imgui.ImVec2(width, height))
        desk.hint(", ".join(f"{value:.2f}" for value in values[:32].tolist()))

    def _dials(self, desk: Desk, values: NDArray[np.floating]) -> None:
        """Phases from 0 to 1, as hands of clocks."""
        imgui, radius = desk.imgui, 13 * desk.scale
        corner = imgui.get_cursor_screen_pos()
        painter = imgui.get_window_draw_list()
        across = max(int(imgui.get_content_region_avail().x // (2.4 * radius)), 1)
        for index, value in enumerate(values.tolist()):
            x = corner.x + radius + (index % across) * 2.4 * radius
            y = corner.y + radius + (index // across) * 2.4 * radius
            angle = 2 * math.pi * value
            tip = (x + 0.85 * radius * math.sin(angle), y - 0.85 * radius * math.cos(angle))
            painter.add_circle_filled((x, y), radius, desk.color(desk.look.raised))
            if math.isfinite(value):
                painter.add_line((x, y), tip, desk.color(desk.look.accent), 2 * desk.scale)
        lines = -(-len(values) // across)
        imgui.dummy(imgui.ImVec2(across * 2.4 * radius, lines * 2.4 * radius))

    def _feet(self, desk: Desk, session: PlaySession) -> None:
        """A lamp for each foot: bright while it touches, with a lock while it is held."""
        group, row = session.group, session.row
        if group is None or group.pose is None:
            return
        locked = getattr(group.controller, "locked", None)
        contacts = group.pose.contacts[row].tolist()
        for index, (side, value) in enumerate(zip(("left", "right"), contacts, strict=False)):
            held = locked is not None and row < len(locked) and bool(locked[row, index])
            said = ("held" if held else "touches") if value > 0.5 else "lifted"
            tone = getattr(desk.look, side) if value > 0.5 else desk.look.muted
            desk.fact(f"{side} foot", f"{desk.gui.icon('lock')}  {said}" if held else said, tone)
