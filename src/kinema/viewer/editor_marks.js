// The contents of the timeline without drawing: rows, colours, hits, curves. See editor_lanes.js.
window.kinemaMarks = (() => {
  "use strict";
  const SIDES = { left: "#3f6fd8", right: "#e0582f" };
  const OTHERS = ["#2f9e77", "#b0549e", "#a8791c", "#4f86a6", "#8a6bd1", "#c2504d"];
  const TAGS = ["#5b7fd0", "#2f9e8f", "#b26fc4", "#c98a2b", "#cf5f7b", "#6a9a3f", "#7a74c9", "#4b93b8"];
  const GAP = 6, RULER = 24, PIECES = 26, ROW = 24, FOOT = 38, GAIT = 26, OVERVIEW = 16;

  const same = (a, b) => Boolean(a && b) && a.every((value, index) => value === b[index]);
  const pointColor = (point, index) => SIDES[point] || OTHERS[index % OTHERS.length];
  function tagColor(tag) {
    let hash = 2;  // with these numbers the tags that the label card offers differ in colour
    for (const letter of tag) hash = (hash * 9 + letter.codePointAt(0)) % 9973;
    return TAGS[hash % TAGS.length];
  }

  // Labels that overlap in time get separate rows.
  function stack(labels) {
    const ends = [];
    return labels.map((label) => {
      let row = ends.findIndex((end) => end <= label[0]);
      if (row < 0) row = ends.length;
      ends[row] = label[1];
      return row;
    });
  }

  // Lanes from top to bottom: {kind, y, h, point, index}; `short` is a low window, `gait` whether there is a gait phase.
  function layout(state, gait, short) {
    const lanes = [];
    let y = 0;
    const add = (kind, h, more) => { lanes.push({ kind, y, h, ...more }); y += h + GAP; };
    add("ruler", RULER);
    add("pieces", PIECES);
    const rows = stack(state.labels);
    add("labels", ROW * Math.min(3, Math.max(1, ...rows.map((row) => row + 1))), { rows });
    state.contacts.forEach(([point], index) => add("foot", state.contacts.length > 4 ? 20 : short ? 26 : FOOT, { point, index }));
    if (gait) add("gait", short ? 18 : GAIT);
    add("overview", OVERVIEW);
    return { lanes, height: y - GAP };
  }

  // Index of the start of the interval that contains a frame, or -1. Intervals are a flat list: start, stop, ...
  function within(spans, frame) {
    let low = 0, high = spans.length / 2 - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (frame < spans[2 * middle]) high = middle - 1;
      else if (frame >= spans[2 * middle + 1]) low = middle + 1;
      else return 2 * middle;
    }
    return -1;
  }

  // The nearest border of an interval within reach: {at: index in the flat list, frame}.
  function nearestEdge(spans, place, reach) {
    let best = null;
    for (let at = 0; at < spans.length; at++) {
      const away = Math.abs(spans[at] - place);
      if (away <= reach && (!best || away < best.away)) best = { at, frame: spans[at], away };
    }
    return best;
  }

  function unpack(text) {
    const raw = atob(text), values = new Uint8Array(raw.length);
    for (let at = 0; at < raw.length; at++) values[at] = raw.charCodeAt(at);
    return values;
  }

  // A round number of frames between ticks, about 90 pixels apart: whole seconds if they fit, otherwise frames.
  function tickStep(framesPerPixel, fps) {
    const wanted = 90 * framesPerPixel;
    if (wanted < fps) return [1, 2, 5, 10, 20, 50].find((step) => step >= wanted) || Math.max(1, Math.round(fps));
    const seconds = wanted / fps;
    return fps * ([1, 2, 5, 10, 15, 30, 60, 120, 300, 600].find((step) => step >= seconds) || 1800);
  }
  function clock(seconds, digits) {
    const minutes = Math.floor(seconds / 60), rest = seconds - 60 * minutes;
    return `${minutes}:${rest.toFixed(digits).padStart(digits ? 3 + digits : 2, "0")}`;
  }

  return { same, pointColor, tagColor, stack, layout, within, nearestEdge, unpack, tickStep, clock };
})();
