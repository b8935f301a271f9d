// The timeline of the editor on a canvas: draws the state and turns drags into orders. See editor.js.
window.kinemaLanes = (canvas, act) => {
  "use strict";
  const marks = window.kinemaMarks, paint = window.kinemaPaint;
  const CLOSEST = 8;  // frames in view, at least
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
  function draw() {
    if (!state || !state.clip || !canvas.isConnected || !width) return;
    const ratio = window.devicePixelRatio || 1, made = marks.layout(state, Boolean(curves && curves.gait), window.innerHeight < 520);
    lanes = made.lanes;
    if (canvas.height !== Math.round(made.height * ratio) || canvas.width !== Math.round(width * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(made.height * ratio);
      canvas.style.height = `${made.height}px`;
      act.resized();
    }
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint(pen, { state, curves, lanes, width, height: made.height, drag, chosen, limits, gutter: gutter(), span: span(), view,
      playhead: playhead(), xOf, placeAt });
    if (moment.playing && state.on) {
      // Scrolls by a page when the playhead leaves the view, except during a drag.
      const at = playhead();
      if (!drag && (at < view[0] || at > view[1] - 1) && span() < state.frames) setView(at - 0.08 * span(), at + 0.92 * span());
      redraw();
    }
  }

  // ---- the pointer -----------------------------------------------------------------------------------------------
  const same = marks.same;
  const sorted = (a, b) => (a <= b ? [a, b] : [b, a]);
  function described(start, stop) {
    return `${start} – ${stop - 1}   ${stop - start} frames   ${((stop - start) / state.fps).toFixed(2)} s`;
  }
  let pending = null, timer = 0;
  function order(what, now) {
    pending = what;
    const flush = () => { timer = 0; if (pending) { act.send(pending); pending = null; } };
    if (now) { clearTimeout(timer); flush(); } else if (!timer) timer = setTimeout(flush, 40);
  }

  // What a press starts: a function from the pointer's x to an order and a text for the status line.
  function grab(event, x, y) {
    const lane = laneAt(y), place = placeAt(x), near = reach(event);
    if (!lane) return null;
    const group = `drag-${Date.now().toString(36)}-${groups++}`;
    const select = (fixed) => (to) => {
      const [start, stop] = sorted(fixed, Math.abs(borderAt(to) - fixed) < 1 ? fixed + 1 : borderAt(to));
      return { order: { do: "select", start, stop }, said: described(start, stop) };
    };
    if (lane.kind === "ruler") {
      const flag = state.selection && marks.nearestEdge(state.selection, place, 1.8 * near);
      if (flag) return { lane, cursor: "ew-resize", move: select(state.selection[1 - flag.at]) };
      return { lane, cursor: "pointer", scrub: true, move: (to) => ({ order: { do: "seek", frame: frameAt(to) } }) };
    }
    if (lane.kind === "gait") return { lane, cursor: "pointer", scrub: true, move: (to) => ({ order: { do: "seek", frame: frameAt(to) } }) };
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
          return { order: { do: "reshape", old, start, stop, name: old[2], group }, said: described(start, stop) };
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
          return { order: { do: "relabel", old: held, start, stop, tag: held[2], text: held[3], group }, said: described(start, stop) };
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
    // A drag that starts outside of a contact paints; one that starts inside erases.
    const on = event.button !== 2 && !event.altKey && marks.within(spans, frameAt(x)) < 0, from = frameAt(x);
    const move = (to) => {
      const [first, last] = sorted(from, frameAt(to));
      return {
        order: { do: "paint", point: lane.point, start: first, stop: last + 1, on, group },
        said: `${on ? "paint" : "erase"} ${described(first, last + 1)}`,
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
      const gait = found.gait && { phase: marks.unpack(found.gait.phase), sure: marks.unpack(found.gait.sure) };
      curves = { ...found, heights: found.heights.map(marks.unpack), speeds: found.speeds.map(marks.unpack), gait };
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
