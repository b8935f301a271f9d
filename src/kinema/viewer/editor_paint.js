// Paints the timeline of the editor; editor_lanes.js defines the layout.
window.kinemaPaint = (() => {
  "use strict";
  const marks = window.kinemaMarks, same = marks.same, ink = "#2b3440", soft = "#7b8696";
  const FONT = '11px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif', BOLD = "600 " + FONT;
  let state, curves, lanes, width, height, drag, chosen, limits, gutter, span, view, playhead, xOf, placeAt;

  function box(pen, x0, x1, y, h, color, radius = 4) {
    pen.fillStyle = color;
    pen.beginPath();
    pen.roundRect(x0, y, Math.max(x1 - x0, 1.5), h, Math.min(radius, Math.max(x1 - x0, 1.5) / 2));
    pen.fill();
  }
  function words(pen, text, x0, x1, y, color, font = BOLD) {
    if (x1 - x0 < 16) return;
    pen.save();
    pen.beginPath();
    pen.rect(x0, y - 10, x1 - x0, 20);
    pen.clip();
    pen.font = font;
    pen.fillStyle = color;
    pen.fillText(text, Math.max(x0, gutter) + 6, y);
    pen.restore();
  }

  function paint(pen, scene) {
    ({ state, curves, lanes, width, height, drag, chosen, limits, gutter, span, view, playhead, xOf, placeAt } = scene);
    const left = gutter, right = width - 10;
    pen.clearRect(0, 0, width, height);
    pen.textBaseline = "middle";
    const names = { pieces: "Pieces", labels: "Labels", gait: "Gait phase" };
    for (const lane of lanes) {
      if (lane.kind === "ruler" || lane.kind === "overview") continue;
      box(pen, left, right, lane.y, lane.h, "rgba(120, 134, 154, .10)", 5);
      pen.font = FONT;
      pen.fillStyle = lane.kind === "foot" ? marks.pointColor(lane.point, lane.index) : soft;
      pen.textAlign = "right";
      const said = lane.kind !== "foot" ? names[lane.kind] : width < 560 || state.contacts.length > 2 ? lane.point
        : `${lane.point} foot`;
      pen.fillText(said[0].toUpperCase() + said.slice(1), left - 8, lane.y + lane.h / 2, left - 10);
      pen.textAlign = "left";
    }
    pen.save();
    pen.beginPath();
    pen.rect(left, 0, right - left, height);
    pen.clip();
    const body = lanes[lanes.length - 1].y - 4;
    if (state.selection) {
      pen.fillStyle = "rgba(240, 174, 36, .20)";
      pen.fillRect(xOf(state.selection[0]), 0, xOf(state.selection[1]) - xOf(state.selection[0]), body);
    }
    for (const lane of lanes) {
      if (lane.kind === "pieces") drawPieces(pen, lane);
      if (lane.kind === "labels") drawLabels(pen, lane);
      if (lane.kind === "foot") drawFoot(pen, lane);
      if (lane.kind === "gait") drawGait(pen, lane, curves.gait);
    }
    drawDropped(pen, lanes[1].y, body);
    drawRuler(pen, lanes[0], body);
    pen.restore();
    drawOverview(pen, lanes[lanes.length - 1], left, right);
    drawHint(pen, left, right);
  }

  function drawRuler(pen, lane, body) {
    const step = marks.tickStep(span / (width - gutter - 10), state.fps), seconds = step >= state.fps;
    pen.font = FONT;
    for (let tick = Math.floor(view[0] / step) * step; tick <= view[1]; tick += step) {
      const x = xOf(tick);
      pen.fillStyle = "rgba(110, 124, 144, .22)";
      pen.fillRect(x, lane.y + lane.h - 6, 1, body - lane.h + 6);
      pen.fillStyle = soft;
      pen.fillText(seconds ? marks.clock(tick / state.fps, step / state.fps < 1 ? 1 : 0) : `${Math.round(tick)}`, x + 4, lane.y + 11);
    }
    if (state.selection) {
      for (const [which, frame] of state.selection.entries()) {
        const x = xOf(frame), side = which ? -1 : 1;
        pen.fillStyle = "#d9930d";
        pen.fillRect(x - (which ? 2 : 0), lane.y + 2, 2, body - 2);
        pen.beginPath();
        pen.moveTo(x, lane.y + 2);
        pen.lineTo(x + 9 * side, lane.y + 2);
        pen.lineTo(x + 9 * side, lane.y + 12);
        pen.lineTo(x, lane.y + 20);
        pen.fill();
      }
    }
    const at = playhead, x = xOf(at + 0.5), cell = (width - gutter) / span;
    if (cell > 5) {
      pen.fillStyle = "rgba(29, 39, 51, .10)";
      pen.fillRect(xOf(Math.round(at)), lane.h, cell, body - lane.h);
    }
    pen.fillStyle = "#1d2733";
    pen.fillRect(x - 0.75, lane.y + 6, 1.5, body - 6);
    pen.beginPath();
    pen.roundRect(x - 6, lane.y + 2, 12, 10, 3);
    pen.fill();
    pen.beginPath();
    pen.moveTo(x - 6, lane.y + 10);
    pen.lineTo(x + 6, lane.y + 10);
    pen.lineTo(x, lane.y + 17);
    pen.fill();
  }

  function drawPieces(pen, lane) {
    for (const [number, [start, stop, name]] of state.pieces.entries()) {
      const x0 = xOf(start), x1 = xOf(stop);
      if (x1 < gutter - 5 || x0 > width) continue;
      const alone = state.whole;
      box(pen, x0 + 0.5, x1 - 0.5, lane.y + 2, lane.h - 4, alone ? "rgba(91, 111, 143, .22)" : "#4d6b9e", 5);
      words(pen, alone ? "whole clip" : name || `${number + 1}`, x0, x1, lane.y + lane.h / 2, alone ? soft : "#fff");
    }
    if (!state.pieces.length) words(pen, "nothing is kept", xOf(0), xOf(state.frames), lane.y + lane.h / 2, soft);
  }

  function drawDropped(pen, top, bottom) {
    let from = 0;
    const gaps = [];
    for (const [start, stop] of state.pieces) { if (start > from) gaps.push([from, start]); from = stop; }
    if (from < state.frames) gaps.push([from, state.frames]);
    for (const [start, stop] of gaps) {
      const x0 = Math.max(xOf(start), gutter), x1 = Math.min(xOf(stop), width - 10);
      if (x1 <= x0) continue;
      pen.save();
      pen.beginPath();
      pen.rect(x0, top, x1 - x0, bottom - top);
      pen.clip();
      pen.fillStyle = "rgba(236, 239, 244, .66)";
      pen.fillRect(x0, top, x1 - x0, bottom - top);
      pen.strokeStyle = "rgba(120, 134, 154, .34)";
      pen.lineWidth = 1;
      pen.beginPath();
      for (let x = Math.floor((x0 - (bottom - top)) / 9) * 9; x < x1; x += 9) {
        pen.moveTo(x, bottom);
        pen.lineTo(x + bottom - top, top);
      }
      pen.stroke();
      pen.restore();
    }
  }

  function drawLabels(pen, lane) {
    const h = 24;
    for (const [index, label] of state.labels.entries()) {
      const x0 = xOf(label[0]), x1 = xOf(label[1]), y = lane.y + Math.min(lane.rows[index], 2) * h;
      if (x1 < gutter - 5 || x0 > width) continue;
      box(pen, x0 + 0.5, x1 - 0.5, y + 2, h - 4, marks.tagColor(label[2]), 5);
      if (same(label, chosen)) {
        pen.strokeStyle = ink;
        pen.lineWidth = 2;
        pen.beginPath();
        pen.roundRect(x0 + 1, y + 2, Math.max(x1 - x0 - 2, 2), h - 4, 5);
        pen.stroke();
      }
      words(pen, label[2] + (label[3] ? `  ·  ${label[3]}` : ""), x0, x1, y + h / 2, "#fff");
    }
    if (!state.labels.length && !drag) {
      words(pen, "drag here to label what happens", gutter, width, lane.y + lane.h / 2, "rgba(110, 122, 140, .8)", FONT);
    }
  }

  function drawFoot(pen, lane) {
    const spans = state.contacts[lane.index][1], color = marks.pointColor(lane.point, lane.index);
    const at = curves ? curves.points.indexOf(lane.point) : -1, top = lane.y + 2, h = lane.h - 4;
    for (let index = 0; index < spans.length; index += 2) {
      const x0 = xOf(spans[index]), x1 = xOf(spans[index + 1]);
      if (x1 < gutter - 5 || x0 > width) continue;
      pen.globalAlpha = 0.3;
      box(pen, x0, x1, top, h, color, 4);
      pen.globalAlpha = 1;
      box(pen, x0, x1, top + h - 5, 5, color, 2.5);
    }
    if (at < 0) return;
    if (limits) {
      pen.strokeStyle = "rgba(29, 39, 51, .5)";
      pen.lineWidth = 1;
      pen.setLineDash([4, 3]);
      pen.beginPath();
      pen.moveTo(gutter, top + h * (1 - limits.height / curves.highest));
      pen.lineTo(width, top + h * (1 - limits.height / curves.highest));
      pen.stroke();
      pen.setLineDash([]);
    }
    line(pen, curves.speeds[at], top, h, "rgba(43, 52, 64, .28)", 1);
    line(pen, curves.heights[at], top, h, "rgba(43, 52, 64, .78)", 1.4);
  }

  // The phase goes from the bottom to the top of the lane once a cycle; pale where it is not certain.
  function drawGait(pen, lane, gait) {
    const top = lane.y + 2, h = lane.h - 4, step = Math.max(Math.floor(span / (width - gutter - 10)), 1);
    const first = Math.max(Math.floor(view[0]) - step, 0), last = Math.min(view[1] + step + 1, gait.phase.length);
    pen.strokeStyle = "#7a4fb8";
    pen.lineWidth = 1.6;
    for (const certain of [false, true]) {
      pen.globalAlpha = certain ? 1 : 0.22;
      pen.beginPath();
      let going = false;
      for (let frame = first; frame < last; frame += step) {
        const x = xOf(frame + 0.5), y = top + h * (1 - gait.phase[frame] / 255);
        const wraps = frame >= step && Math.abs(gait.phase[frame] - gait.phase[frame - step]) > 127;
        if (gait.sure[frame] > 127 !== certain) { going = false; continue; }
        if (going && !wraps) pen.lineTo(x, y); else pen.moveTo(x, y);
        going = true;
      }
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }

  // One point per pixel: the maximum of its frames, so that short peaks stay visible when zoomed out.
  function line(pen, values, top, h, color, thickness) {
    pen.strokeStyle = color;
    pen.lineWidth = thickness;
    pen.beginPath();
    const perPixel = span / (width - gutter - 10);
    if (perPixel < 1) {
      for (let frame = Math.max(Math.floor(view[0]) - 1, 0); frame < Math.min(view[1] + 2, values.length); frame++)
        pen.lineTo(xOf(frame + 0.5), top + h * (1 - values[frame] / 255));
    } else {
      for (let x = gutter; x < width - 9; x++) {
        const first = Math.max(Math.floor(placeAt(x)), 0), last = Math.min(Math.ceil(first + perPixel), values.length);
        let most = 0;
        for (let frame = first; frame < last; frame++) if (values[frame] > most) most = values[frame];
        pen.lineTo(x, top + h * (1 - most / 255));
      }
    }
    pen.stroke();
  }

  function drawOverview(pen, lane, left, right) {
    const toX = (frame) => left + frame / state.frames * (right - left);
    box(pen, left, right, lane.y, lane.h, "rgba(120, 134, 154, .14)", 5);
    for (const [start, stop] of state.pieces) box(pen, toX(start), toX(stop), lane.y + 3, 4, "rgba(77, 107, 158, .55)", 2);
    for (const label of state.labels) box(pen, toX(label[0]), toX(label[1]), lane.y + 9, 4, marks.tagColor(label[2]), 2);
    box(pen, toX(view[0]), Math.max(toX(view[1]), toX(view[0]) + 12), lane.y, lane.h, "rgba(63, 111, 216, .22)", 5);
    pen.strokeStyle = "rgba(63, 111, 216, .8)";
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.roundRect(toX(view[0]) + 0.75, lane.y + 0.75, Math.max(toX(view[1]) - toX(view[0]), 12) - 1.5, lane.h - 1.5, 5);
    pen.stroke();
    pen.fillStyle = "#1d2733";
    pen.fillRect(toX(playhead + 0.5) - 0.75, lane.y, 1.5, lane.h);
  }

  function drawHint(pen, left, right) {
    if (!drag || !drag.said) return;
    pen.font = BOLD;
    const text = drag.said, w = pen.measureText(text).width + 16;
    const x = Math.min(Math.max(drag.x - w / 2, left), right - w), y = Math.max(drag.lane.y - 2, 2);
    box(pen, x, x + w, y, 20, "rgba(29, 39, 51, .92)", 5);
    pen.fillStyle = "#fff";
    pen.fillText(text, x + 8, y + 10);
  }

  return paint;
})();
