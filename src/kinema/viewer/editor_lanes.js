// The editor's timeline on a canvas: draws how things stand and turns drags into orders. See editor.js.
window.kinemaLanes = (canvas, act) => {
  "use strict";
  const marks = window.kinemaMarks, ink = "#2b3440", soft = "#7b8696";
  const CLOSEST = 8;  // frames in view, at least
  const FONT = '11px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif', BOLD = "600 " + FONT;
  let state = null, curves = null, moment = { frame: 0, playing: false, speed: 1, fps: 30 }, heard = 0;
  let view = [0, 1], clip = "", width = 0, lanes = [], drag = null, hover = null, chosen = null, wanted = false;
  const touches = new Map();
  let pinch = null, groups = 0, limits = null;

  const gutter = () => (width < 560 ? 54 : 84);
  const span = () => view[1] - view[0];
  const xOf = (frame) => gutter() + (frame - view[0]) / span() * (width - gutter() - 10);
  const placeAt = (x) => view[0] + (x - gutter()) / (width - gutter() - 10) * span();
  const frameAt = (x) => Math.min(state.frames - 1, Math.max(0, Math.floor(placeAt(x))));
  const borderAt = (x) => Math.min(state.frames, Math.max(0, Math.round(placeAt(x))));
  const laneAt = (y) => lanes.find((lane) => y >= lane.y - 3 && y < lane.y + lane.h + 3);
  const reach = (event) => (event.pointerType === "touch" ? 14 : 6) / (width - gutter() - 10) * span();
  const playhead = () => {
    const ahead = moment.playing ? (performance.now() - heard) / 1000 * moment.fps * moment.speed : 0;
    return Math.min(moment.frame + Math.min(ahead, 0.5 * moment.fps), state.frames - 1);
  };

  function setView(first, last) {
    const length = Math.min(Math.max(last - first, CLOSEST), state.frames);
    first = Math.min(Math.max(first, 0), state.frames - length);
    view = [first, first + length];
    redraw();
  }
  function zoom(wanted, around = playhead()) {
    if (!state || !state.clip) return;
    if (around < view[0] || around > view[1]) around = (view[0] + view[1]) / 2;
    const factor = Math.min(Math.max(span() * wanted, Math.min(CLOSEST, state.frames)), state.frames) / span();
    setView(around - (around - view[0]) * factor, around + (view[1] - around) * factor);
  }

  // ---- drawing ---------------------------------------------------------------------------------------------------
  function redraw() {
    if (!wanted) { wanted = true; requestAnimationFrame(() => { wanted = false; draw(); }); }
  }
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
    pen.fillText(text, Math.max(x0, gutter()) + 6, y);
    pen.restore();
  }

  function draw() {
    if (!state || !state.clip || !canvas.isConnected || !width) return;
    const ratio = window.devicePixelRatio || 1, made = marks.layout(state, window.innerHeight < 520);
    lanes = made.lanes;
    if (canvas.height !== Math.round(made.height * ratio) || canvas.width !== Math.round(width * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(made.height * ratio);
      canvas.style.height = `${made.height}px`;
      act.resized();
    }
    const pen = canvas.getContext("2d"), left = gutter(), right = width - 10;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, made.height);
    pen.textBaseline = "middle";
    const names = { pieces: "Pieces", labels: "Labels" };
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
    pen.rect(left, 0, right - left, made.height);
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
    }
    drawDropped(pen, lanes[1].y, body);
    drawRuler(pen, lanes[0], body);
    pen.restore();
    drawOverview(pen, lanes[lanes.length - 1], left, right);
    drawHint(pen, left, right);
    if (moment.playing && state.on) {
      // The view turns a page when the playhead leaves it, unless a hand is at work.
      const at = playhead();
      if (!drag && (at < view[0] || at > view[1] - 1) && span() < state.frames) setView(at - 0.08 * span(), at + 0.92 * span());
      redraw();
    }
  }

  function drawRuler(pen, lane, body) {
    const step = marks.tickStep(span() / (width - gutter() - 10), state.fps), seconds = step >= state.fps;
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
    const at = playhead(), x = xOf(at + 0.5), cell = (width - gutter()) / span();
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
      if (x1 < gutter() - 5 || x0 > width) continue;
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
      const x0 = Math.max(xOf(start), gutter()), x1 = Math.min(xOf(stop), width - 10);
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
      if (x1 < gutter() - 5 || x0 > width) continue;
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
      words(pen, "drag here to label what happens", gutter(), width, lane.y + lane.h / 2, "rgba(110, 122, 140, .8)", FONT);
    }
  }

  function drawFoot(pen, lane) {
    const spans = state.contacts[lane.index][1], color = marks.pointColor(lane.point, lane.index);
    const at = curves ? curves.points.indexOf(lane.point) : -1, top = lane.y + 2, h = lane.h - 4;
    for (let index = 0; index < spans.length; index += 2) {
      const x0 = xOf(spans[index]), x1 = xOf(spans[index + 1]);
      if (x1 < gutter() - 5 || x0 > width) continue;
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
      pen.moveTo(gutter(), top + h * (1 - limits.height / curves.highest));
      pen.lineTo(width, top + h * (1 - limits.height / curves.highest));
      pen.stroke();
      pen.setLineDash([]);
    }
    line(pen, curves.speeds[at], top, h, "rgba(43, 52, 64, .28)", 1);
    line(pen, curves.heights[at], top, h, "rgba(43, 52, 64, .78)", 1.4);
  }

  // One point a pixel: the highest of its frames, so that short steps do not vanish when zoomed out.
  function line(pen, values, top, h, color, thickness) {
    pen.strokeStyle = color;
    pen.lineWidth = thickness;
    pen.beginPath();
    const perPixel = span() / (width - gutter() - 10);
    if (perPixel < 1) {
      for (let frame = Math.max(Math.floor(view[0]) - 1, 0); frame < Math.min(view[1] + 2, values.length); frame++)
        pen.lineTo(xOf(frame + 0.5), top + h * (1 - values[frame] / 255));
    } else {
      for (let x = gutter(); x < width - 9; x++) {
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
    pen.fillRect(toX(playhead() + 0.5) - 0.75, lane.y, 1.5, lane.h);
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

  // ---- hands -----------------------------------------------------------------------------------------------------
  const same = (a, b) => Boolean(a && b) && a.every((value, index) => value === b[index]);
  const sorted = (a, b) => (a <= b ? [a, b] : [b, a]);
  function told(start, stop) {
    return `${start} – ${stop - 1}   ${stop - start} frames   ${((stop - start) / state.fps).toFixed(2)} s`;
  }
  let pending = null, timer = 0;
  function order(what, now) {
    pending = what;
    const flush = () => { timer = 0; if (pending) { act.send(pending); pending = null; } };
    if (now) { clearTimeout(timer); flush(); } else if (!timer) timer = setTimeout(flush, 40);
  }

  // What a press at a place takes hold of: a function of the pointer's x that gives an order and what to say.
  function grab(event, x, y) {
    const lane = laneAt(y), place = placeAt(x), near = reach(event);
    if (!lane) return null;
    const group = `drag-${Date.now().toString(36)}-${groups++}`;
    const select = (fixed) => (to) => {
      const [start, stop] = sorted(fixed, Math.abs(borderAt(to) - fixed) < 1 ? fixed + 1 : borderAt(to));
      return { order: { do: "select", start, stop }, said: told(start, stop) };
    };
    if (lane.kind === "ruler") {
      const flag = state.selection && marks.nearestEdge(state.selection, place, 1.8 * near);
      if (flag) return { lane, cursor: "ew-resize", move: select(state.selection[1 - flag.at]) };
      return { lane, cursor: "pointer", scrub: true, move: (to) => ({ order: { do: "seek", frame: frameAt(to) } }) };
    }
    if (lane.kind === "overview") {
      const half = span() / 2;
      const move = (to) => {
        const middle = (to - gutter()) / (width - gutter() - 10) * state.frames;
        setView(middle - half, middle + half);
        return null;
      };
      return { lane, cursor: "grab", scrub: true, move };
    }
    if (lane.kind === "pieces") {
      const edge = marks.nearestEdge(state.pieces.flatMap((piece) => piece.slice(0, 2)), place, near);
      if (edge) {
        const old = state.pieces[edge.at >> 1];
        const move = (to) => {
          let [start, stop] = old;
          if (edge.at % 2) stop = Math.max(borderAt(to), start + 1); else start = Math.min(borderAt(to), stop - 1);
          return { order: { do: "reshape", old, start, stop, name: old[2], group }, said: told(start, stop) };
        };
        return { lane, cursor: "ew-resize", move };
      }
      const piece = state.pieces.find(([start, stop]) => place >= start && place < stop);
      return { lane, cursor: "crosshair", move: select(borderAt(x)), piece };
    }
    if (lane.kind === "labels") {
      const row = Math.floor((y - lane.y) / 24);
      const here = state.labels.filter((_, index) => Math.min(lane.rows[index], 2) === row);
      const edge = marks.nearestEdge(here.flatMap((label) => label.slice(0, 2)), place, near);
      const held = edge ? here[edge.at >> 1] : here.find(([start, stop]) => place >= start && place < stop);
      if (held) {
        const from = borderAt(x);
        const move = (to) => {
          let [start, stop] = held;
          if (!edge) {
            const by = Math.min(Math.max(borderAt(to) - from, -start), state.frames - stop);
            [start, stop] = [start + by, stop + by];
          } else if (edge.at % 2) stop = Math.max(borderAt(to), start + 1);
          else start = Math.min(borderAt(to), stop - 1);
          chosen = [start, stop, held[2], held[3]];
          return { order: { do: "relabel", old: held, start, stop, tag: held[2], text: held[3], group }, said: told(start, stop) };
        };
        return { lane, cursor: edge ? "ew-resize" : "grab", move, label: held };
      }
      return { lane, cursor: "crosshair", move: select(borderAt(x)), ask: true };
    }
    const spans = state.contacts[lane.index][1], edge = marks.nearestEdge(spans, place, near);
    if (edge) {
      const move = (to) => {
        const border = borderAt(to), [start, stop] = sorted(edge.frame, border);
        const grows = edge.at % 2 ? border > edge.frame : border < edge.frame;
        return {
          order: { do: "paint", point: lane.point, start, stop, on: grows, group },
          said: `${lane.point} ${edge.at % 2 ? "lifts" : "lands"} at ${border}   ${(border / state.fps).toFixed(2)} s`,
        };
      };
      return { lane, cursor: "ew-resize", move };
    }
    // Like a pencil for steps: begun beside a contact it paints, begun in one it erases.
    const on = event.button !== 2 && !event.altKey && marks.within(spans, frameAt(x)) < 0, from = frameAt(x);
    const move = (to) => {
      const [first, last] = sorted(from, frameAt(to));
      return {
        order: { do: "paint", point: lane.point, start: first, stop: last + 1, on, group },
        said: `${on ? "paint" : "erase"} ${told(first, last + 1)}`,
      };
    };
    return { lane, cursor: on ? "crosshair" : "cell", move, foot: true };
  }

  function at(event) {
    const bounds = canvas.getBoundingClientRect();
    return [event.clientX - bounds.left, event.clientY - bounds.top];
  }
  canvas.addEventListener("pointerdown", (event) => {
    if (!state || !state.clip) return;
    const [x, y] = at(event);
    canvas.setPointerCapture(event.pointerId);
    event.preventDefault();
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    touches.set(event.pointerId, x);
    if (touches.size === 2) {  // two fingers zoom and pan; what the first began is taken back
      if (drag && drag.moved && drag.last && drag.last.group) act.send({ do: "undo" });
      drag = null;
      const [a, b] = [...touches.values()];
      pinch = { places: [placeAt(a), placeAt(b)] };
      return;
    }
    if (event.button === 1) { drag = { pan: x, view: [...view], lane: lanes[0] }; return; }
    drag = grab(event, x, y);
    if (!drag) return;
    drag.x0 = drag.x = x;
    if (drag.scrub) advance(x);
    redraw();
  });
  function advance(x) {
    drag.x = x;
    const made = drag.move(x);
    if (made) {
      drag.said = made.said;
      if (made.order.do === "select") state.selection = [made.order.start, made.order.stop];  // at once
      drag.last = made.order;
      order(made.order, false);
      if (made.order.do === "seek") { moment = { ...moment, frame: made.order.frame, playing: false }; heard = performance.now(); }
    }
    redraw();
  }
  canvas.addEventListener("pointermove", (event) => {
    if (!state || !state.clip) return;
    const [x, y] = at(event);
    if (touches.has(event.pointerId)) touches.set(event.pointerId, x);
    if (pinch && touches.size === 2) {
      const [a, b] = [...touches.values()], [p, q] = pinch.places, usable = width - gutter() - 10;
      if (Math.abs(a - b) > 20) {
        const length = Math.abs((q - p) / (b - a)) * usable;
        const first = p - (a - gutter()) / usable * length;
        setView(first, first + length);
      }
      return;
    }
    if (!drag) {
      const found = grab(event, x, y);
      canvas.style.cursor = found ? found.cursor : "default";
      return;
    }
    if (drag.pan !== undefined) {
      const by = (drag.pan - x) / (width - gutter() - 10) * (drag.view[1] - drag.view[0]);
      setView(drag.view[0] + by, drag.view[1] + by);
      return;
    }
    if (!drag.moved && !drag.scrub && Math.abs(x - drag.x0) < 4) return;
    drag.moved = true;
    advance(x);
  });
  function release(event) {
    touches.delete(event.pointerId);
    if (touches.size === 0) pinch = null;
    const done = drag;
    drag = null;
    if (!done || done.pan !== undefined || !done.move) return;
    const [x, y] = at(event);
    if (done.moved || done.scrub) {
      if (done.last) order(done.last, true);
      if (done.ask && done.last && event.type === "pointerup") act.askLabel(done.last.start, done.last.stop);
    } else if (event.type === "pointerup") click(done, x, y);
    redraw();
  }
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, release);
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());

  function click(what, x) {
    chosen = what.label || null;
    const wide = (width - gutter() - 10) / span() >= 6;
    if (what.foot && wide) order(what.move(x).order, true);  // one frame, where one can be seen
    else if (what.piece && !state.whole) order({ do: "select", start: what.piece[0], stop: what.piece[1] }, true);
    order({ do: "seek", frame: frameAt(x) }, true);
    act.chose();
  }
  canvas.addEventListener("dblclick", (event) => {
    const [x, y] = at(event), found = state && state.clip && grab(event, x, y);
    if (found && found.label) act.editLabel(found.label);
    else if (found && found.piece && !state.whole) act.namePiece(found.piece);
  });
  canvas.addEventListener("wheel", (event) => {
    if (!state || !state.clip) return;
    event.preventDefault();
    const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
    if (sideways) {
      const by = (event.deltaX || event.deltaY) / (width - gutter()) * span();
      setView(view[0] + by, view[1] + by);
    } else zoom(Math.exp(Math.min(Math.max(event.deltaY, -200), 200) * 0.0022), placeAt(at(event)[0]));
  }, { passive: false });

  return {
    redraw, zoom,
    fit: () => setView(...(state.selection ? [state.selection[0] - 2, state.selection[1] + 2] : [0, state.frames])),
    fitAll: () => setView(0, state.frames),
    frame: () => Math.round(playhead()),
    get chosen() { return chosen; },
    unchoose() { chosen = null; redraw(); },
    get view() { return [...view]; },
    xOf, lanes: () => lanes,
    setLimits(found) { limits = found; redraw(); },
    setCurves(found) {
      curves = { ...found, heights: found.heights.map(marks.unpack), speeds: found.speeds.map(marks.unpack) };
      redraw();
    },
    setTime(found) { moment = found; heard = performance.now(); redraw(); },
    setWidth(found) { width = found; redraw(); },
    setState(found) {
      const other = found.clip && (!state || !state.clip || `${found.title} ${found.frames}` !== clip);
      state = found;
      if (other) { clip = `${found.title} ${found.frames}`; chosen = null; view = [0, Math.max(found.frames, 1)]; }
      if (chosen && !drag && found.clip && !found.labels.some((label) => same(label, chosen))) chosen = null;
      redraw();
    },
  };
};
