// The motion editor of `kinema view`: tools, cards and keys around the timeline (editor_lanes.js). The program holds the
// edits (editor.py); this page shows them and sends orders.
(() => {
  "use strict";
  const root = document.getElementById("kinema");
  if (!root) return;
  let state = { on: false, clip: false }, mirror = null, card = null, recent = [];
  const COMMON = ["walk", "run", "idle", "turn", "jump", "start", "stop", "sit"];
  const send = (order) => window.dispatchEvent(new CustomEvent("kinema-send", { detail: { edit: order } }));

  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children);
    return element;
  }
  const tool = (name, label, key, title, act) => make("button", {
    type: "button", "data-tool": name, title: key ? `${title} (${key})` : title, onclick: act,
  }, label, ...(key ? [make("kbd", {}, key)] : []));

  // ---- the dock --------------------------------------------------------------------------------------------------
  const canvas = make("canvas", { class: "lanes", tabindex: "-1" });
  const lanes = window.kinemaLanes(canvas, {
    send,
    askLabel: (start, stop) => askLabel([start, stop]),
    editLabel: (label) => askLabel([label[0], label[1]], label),
    namePiece: (piece) => askName(piece),
    chose: () => update(),
    resized: () => fitPage(),
  });
  const playButton = tool("play", "", "", "Play or pause (Space)", () => send({ do: "play" }));
  const clockText = make("output", { class: "clock" });
  const status = make("span", { class: "status" });
  const saveButton = tool("save", "Save", "Ctrl S", "Save the edits beside the clip", () => send({ do: "save" }));
  const undoButton = tool("undo", "↶", "", "Undo", () => send({ do: "undo" }));
  const redoButton = tool("redo", "↷", "", "Redo", () => send({ do: "redo" }));
  const group = (...tools) => make("span", { class: "group" }, ...tools);
  const commands = {
    inPoint: () => send({ do: "mark", frame: lanes.frame(), end: 0 }), outPoint: () => send({ do: "mark", frame: lanes.frame(), end: 1 }),
    keep: () => send({ do: "keep" }), cut: () => send({ do: "drop" }),
    split: () => send({ do: "split", frame: lanes.frame() }),
    label: () => {
      if (lanes.chosen) askLabel(lanes.chosen.slice(0, 2), lanes.chosen);
      else if (state.selection) askLabel(state.selection);
      else say("Set a range first: I at its first frame, O at its last, or drag over the labels", "bad");
    },
    mirror: () => send({ do: "ghost", mode: { off: "over", over: "beside", beside: "off" }[state.ghost] }),
    contacts: () => openCard(card === "contacts" ? null : "contacts"),
    remove: () => {
      if (!lanes.chosen) return false;
      send({ do: "unlabel", old: lanes.chosen });
      lanes.unchoose();
      return true;
    },
  };
  const bar = make("div", { class: "bar" },
    playButton, clockText,
    group(tool("in", "In", "I", "The range begins at this frame", commands.inPoint),
      tool("out", "Out", "O", "The range ends with this frame", commands.outPoint)),
    group(tool("keep", "Keep", "K", "Make the range a piece: a clip of its own", commands.keep),
      tool("cut", "Cut", "X", "Leave the range out", commands.cut),
      tool("split", "Split", "S", "Part the piece in front of this frame", commands.split)),
    group(tool("label", "Label", "L", "Say what happens in the range", commands.label),
      tool("contacts", "Contacts", "C", "Find contacts again with other limits", commands.contacts),
      tool("mirror", "Mirror", "M", "Compare with the mirror image: over, beside, off", commands.mirror)),
    group(undoButton, redoButton),
    group(tool("less", "−", "", "Zoom out (-)", () => lanes.zoom(1.6)), tool("more", "+", "", "Zoom in (+)", () => lanes.zoom(0.625)),
      tool("fit", "Fit", "F", "Show the range, or all", () => lanes.fit())),
    status, saveButton,
    tool("close", "✕", "", "Close the editor (E)", () => send({ do: "edit", on: false })));
  const cards = make("div", { class: "cards" });
  const dock = make("div", { class: "dock" }, bar, canvas);
  const pill = make("button", { type: "button", class: "pill", "data-tool": "edit", title: "Cut, label, correct contacts (E)",
    onclick: () => send({ do: "edit", on: true }) }, "Edit", make("kbd", {}, "E"));
  const shell = make("div", { class: "editor" }, pill, cards, dock);
  root.append(shell);
  new ResizeObserver(() => { lanes.setWidth(canvas.clientWidth); fitPage(); }).observe(dock);
  window.addEventListener("resize", () => lanes.redraw());

  // Shrinks viser's page, so that the dock does not hide the scene.
  function fitPage() {
    const page = document.getElementById("root");
    const height = state.on && state.clip ? dock.offsetHeight : 0;
    root.style.setProperty("--dock", `${height}px`);
    if (page) page.style.height = height ? `calc(100% - ${height}px)` : "";
    document.body.classList.toggle("kinema-editing", Boolean(height));
  }

  // ---- orders ----------------------------------------------------------------------------------------------------
  const say = (text, kind) => window.dispatchEvent(new CustomEvent("kinema-say", { detail: [text, kind] }));

  // ---- cards -----------------------------------------------------------------------------------------------------
  function openCard(name, content) {
    card = name;
    lanes.setLimits(null);
    cards.replaceChildren(...(content ? [content] : []));
    if (name === "contacts") cards.replaceChildren(contactsCard());
    update();
  }
  const sheet = (title, ...children) => make("form", { class: "card sheet", onsubmit: (event) => event.preventDefault() },
    make("b", {}, title), ...children);

  function askLabel(found, old) {
    const tag = make("input", { name: "tag", placeholder: "walk", maxlength: 40, autocapitalize: "off", autocomplete: "off", value: old ? old[2] : "" });
    const text = make("input", { name: "text", placeholder: "anything to add", maxlength: 400, autocomplete: "off", value: old ? old[3] : "" });
    const put = () => {
      if (!tag.value.trim()) { tag.focus(); return; }
      const [start, stop] = found, word = tag.value.trim().toLowerCase();
      recent = [word, ...recent.filter((one) => one !== word)];
      send(old ? { do: "relabel", old, start, stop, tag: word, text: text.value } : { do: "label", start, stop, tag: word, text: text.value });
      openCard(null);
      lanes.unchoose();
    };
    const used = [...new Set([...recent, ...state.labels.map((label) => label[2]), ...COMMON])].slice(0, 10);
    const chips = make("div", { class: "chips" }, ...used.map((word) => make("button", {
      type: "button", style: `--tag: ${window.kinemaMarks.tagColor(word)}`, onclick: () => { tag.value = word; put(); } }, word)));
    const form = sheet(old ? "Change the label" : "What happens here?", chips, make("label", {}, "Tag", tag), make("label", {}, "Text", text),
      make("div", { class: "row" }, make("button", { type: "button", class: "main", onclick: put }, old ? "Change" : "Label"),
        make("button", { type: "button", onclick: () => openCard(null) }, "Cancel"),
        ...(old ? [make("button", { type: "button", class: "warn", onclick: () => { send({ do: "unlabel", old }); lanes.unchoose(); openCard(null); } }, "Remove")] : [])));
    form.addEventListener("submit", put);
    form.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); put(); } });
    openCard("label", form);
    if (!matchMedia("(pointer: coarse)").matches) { tag.focus(); tag.select(); }
  }

  function askName(piece) {
    const name = make("input", { name: "name", placeholder: "number", maxlength: 40, autocomplete: "off", value: piece[2] });
    const put = () => {
      send({ do: "reshape", old: piece, start: piece[0], stop: piece[1], name: name.value });
      openCard(null);
    };
    const form = sheet("Name of the piece", make("label", {}, "Name", name), make("div", { class: "row" },
      make("button", { type: "button", class: "main", onclick: put }, "Name"),
      make("button", { type: "button", onclick: () => openCard(null) }, "Cancel"),
      make("button", { type: "button", class: "warn", onclick: () => { send({ do: "drop", start: piece[0], stop: piece[1] }); openCard(null); } }, "Leave out")));
    form.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); put(); } });
    openCard("name", form);
    name.focus();
    name.select();
  }

  const limits = { speed: 0.2, height: 0.05, shortest: 0.05 };
  function contactsCard() {
    let group = "";
    const rows = [["speed", "slower than", 0.05, 1, 0.01, (v) => `${v.toFixed(2)} m/s`], ["height", "lower than", 0.01, 0.25, 0.005, (v) => `${(100 * v).toFixed(1)} cm`],
      ["shortest", "at least", 0, 0.3, 0.01, (v) => `${Math.round(1000 * v)} ms`]].map(([key, label, low, high, step, write]) => {
      const shown = make("output", {}, write(limits[key]));
      const slider = make("input", { type: "range", name: key, min: low, max: high, step, value: limits[key] });
      slider.addEventListener("input", () => {
        limits[key] = Number(slider.value);
        shown.textContent = write(limits[key]);
        group = group || `detect-${Date.now().toString(36)}`;
        lanes.setLimits(limits);
        clearTimeout(slider.timer);
        slider.timer = setTimeout(() => send({ do: "detect", ...limits, group }), 60);
      });
      slider.addEventListener("change", () => { setTimeout(() => { group = ""; }, 120); });
      return make("label", { class: "slide" }, label, slider, shown);
    });
    lanes.setLimits(limits);
    return sheet("Contacts", make("p", {}, "Drag in a foot's lane to paint, begin inside a contact to erase, pull its ends. "
      + "Dark line: height; pale line: speed."), ...rows, make("div", { class: "row" },
      make("button", { type: "button", class: "main", "data-tool": "detect", onclick: () => send({ do: "detect", ...limits }) }, "Find again"),
      make("button", { type: "button", "data-tool": "auto", onclick: () => send({ do: "auto" }) }, "As before any edit"),
      make("button", { type: "button", onclick: () => openCard(null) }, "Close")));
  }

  function mirrorCard() {
    const views = make("div", { class: "segments" }, ...[["over", "Over"], ["beside", "Beside"], ["off", "Off"]].map(([mode, label]) =>
      make("button", { type: "button", class: state.ghost === mode ? "on" : "", onclick: () => send({ do: "ghost", mode }) }, label)));
    const allowed = make("input", { type: "checkbox", name: "mirrored", onchange: (event) => send({ do: "mirror", on: event.target.checked }) });
    allowed.checked = state.mirror;
    const most = Math.max(0.05, ...mirror.rows.map((row) => row.place));
    const edited = new Set(state.partners.flat());
    const table = make("div", { class: "bars" }, ...mirror.rows.map((row) => {
      const choice = make("select", { title: "mirror partner", onchange: (event) => send({ do: "partner", joint: row.joint, partner: event.target.value }) },
        ...mirror.names.map((name) => make("option", { value: name }, name)),
        ...(edited.has(row.joint) ? [make("option", { value: "" }, "(as found)")] : []));
      choice.value = row.partner;
      choice.className = edited.has(row.joint) ? "edited" : "";
      const bones = row.bones > 0.01 ? ` · bone ${(100 * row.bones).toFixed(1)} cm` : "";
      return make("div", { class: "bar-row", title: `place ${(100 * row.place).toFixed(1)} cm, reach ${(100 * row.reach).toFixed(1)} cm, bone ${(100 * row.bones).toFixed(1)} cm` },
        make("span", {}, row.joint), choice, make("i", {}, make("u", { style: `width: ${100 * row.place / most}%` })),
        make("em", {}, `${(100 * row.place).toFixed(1)} cm${bones}`));
    }));
    return sheet("Mirror check", views, make("p", { class: "figure" }, make("strong", {}, `${(100 * mirror.figure).toFixed(1)} cm`),
      " from its mirror image, on average over joints. Worst pairs:"), table,
    make("label", { class: "check" }, allowed, "The mirror image may enter databases"));
  }

  // ---- state -----------------------------------------------------------------------------------------------------
  const text = (element, value) => { if (element.firstChild ? element.firstChild.nodeValue !== value : value) element.replaceChildren(value); };
  function update() {
    const open = Boolean(state.on && state.clip);
    shell.classList.toggle("open", open);
    pill.hidden = open;
    if (!open) { fitPage(); return; }
    if (mirror && state.ghost !== "off" && card !== "label" && card !== "name") {
      card = "mirror";
      // Rebuilt only when its content changes, so that an open list or a pressed button keeps its element.
      const shown = JSON.stringify([mirror, state.ghost, state.mirror, state.partners]);
      if (!cards.firstChild || cards.firstChild.dataset.shown !== shown) {
        cards.replaceChildren(mirrorCard());
        cards.firstChild.dataset.shown = shown;
      }
    } else if (card === "mirror") openCard(null);
    for (const [button, name, verb] of [[undoButton, state.undo, "Undo"], [redoButton, state.redo, "Redo"]]) {
      button.disabled = !name;
      button.title = `${verb}${name ? `: ${name}` : ""} (${verb === "Undo" ? "Ctrl Z" : "Ctrl Shift Z"})`;
    }
    saveButton.classList.toggle("unsaved", state.dirty);
    saveButton.disabled = !state.dirty;
    for (const name of ["keep", "cut"]) bar.querySelector(`[data-tool=${name}]`).classList.toggle("ready", Boolean(state.selection));
    for (const [name, on] of [["contacts", card === "contacts"], ["mirror", state.ghost !== "off"]])
      bar.querySelector(`[data-tool=${name}]`).classList.toggle("on", on);
    const parts = [];
    if (state.lost.length) parts.push(`earlier edits do not fit this file any more`);
    else if (state.changed) parts.push("the file changed since it was edited");
    if (!state.whole) parts.push(`${state.pieces.length} piece${state.pieces.length === 1 ? "" : "s"}, ${Math.round(100 * state.kept / state.frames)} % kept`);
    parts.push(state.dirty ? "not saved" : state.undo || !state.whole || state.labels.length || state.painted ? "saved" : "no edits");
    text(status, parts.join(" · "));
    status.title = `Edits are in ${state.path}`;
    status.classList.toggle("unsaved", state.dirty);
    if (document.title.startsWith("● ") !== state.dirty) document.title = (state.dirty ? "● " : "") + document.title.replace(/^● /, "");
    fitPage();
  }
  window.addEventListener("beforeunload", (event) => {
    if (!state.dirty) return;
    event.preventDefault();
    event.returnValue = "unsaved";
  });
  setInterval(() => {
    if (!state.on || !state.clip) return;
    const frame = lanes.frame();
    text(clockText, `${window.kinemaMarks.clock(frame / state.fps, 2)}  ${frame}`);
  }, 50);

  window.addEventListener("kinema-message", ({ detail: message }) => {
    if (message.time) { lanes.setTime(message.time); text(playButton, message.time.playing ? "❚❚" : "▶"); }
    if (message.curves) lanes.setCurves(message.curves);
    if ("mirror" in message) { mirror = message.mirror; update(); }
    if (message.state) {
      if (message.state.title !== state.title) openCard(null);
      state = message.state;
      lanes.setState(state);
      lanes.setWidth(canvas.clientWidth);
      update();
      lanes.setWidth(canvas.clientWidth);
    }
  });

  // ---- keys ------------------------------------------------------------------------------------------------------
  const keys = {
    KeyI: commands.inPoint, KeyO: commands.outPoint, KeyK: commands.keep, KeyX: commands.cut, KeyS: commands.split,
    KeyL: commands.label, KeyC: commands.contacts, KeyF: () => lanes.fit(), Equal: () => lanes.zoom(0.625), NumpadAdd: () => lanes.zoom(0.625),
    Minus: () => lanes.zoom(1.6), NumpadSubtract: () => lanes.zoom(1.6),
    Delete: () => commands.remove() || commands.cut(), Backspace: () => commands.remove() || commands.cut(),
    Escape: () => { if (card && card !== "mirror") openCard(null); else { lanes.unchoose(); send({ do: "select" }); } },
  };
  const typing = (target) => target instanceof Element && target.closest("input, textarea, select, [contenteditable]")
    && !["checkbox", "range", "button"].includes(target.type);
  window.addEventListener("keydown", (event) => {
    const control = event.ctrlKey || event.metaKey;
    let act = null;
    if (typing(event.target)) { if (event.code === "Escape" && card) act = () => openCard(null); }
    else if (event.code === "KeyE" && !control && !event.altKey) act = () => send({ do: "edit", on: !(state.on && state.clip) });
    else if (state.on && state.clip && control) {
      if (event.code === "KeyZ") act = () => send({ do: event.shiftKey ? "redo" : "undo" });
      if (event.code === "KeyY") act = () => send({ do: "redo" });
    } else if (state.on && state.clip && !event.altKey) act = keys[event.code];
    // Saving also works while a label is typed, instead of the browser's own dialog.
    if (state.on && state.clip && control && event.code === "KeyS") act = () => send({ do: "save" });
    if (!act) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    act();
  }, true);
})();
