// Keys held, on-screen sticks and gamepads for Kinema; added to viser's page (see page.py). No other file is loaded.
(() => {
  "use strict";
  const mode = document.currentScript.dataset.mode;
  const title = document.currentScript.dataset.title;
  const moveKeys = ["KeyW", "KeyA", "KeyS", "KeyD", "KeyQ", "KeyE", "KeyC", "KeyR", "Space", "ArrowUp", "ArrowDown",
    "ArrowLeft", "ArrowRight", "ShiftLeft", "ShiftRight", "AltLeft", "AltRight"];
  const viewKeys = ["Space", "ArrowLeft", "ArrowRight", "Home", "End", "KeyM", "KeyN", "KeyP"];
  const ours = new Set({ play: moveKeys, world: [] }[mode] || viewKeys);

  const held = new Set(), padHeld = new Set();
  const stick = { left: [0, 0], right: [0, 0] };
  let pad = { left: [0, 0], right: [0, 0] };
  let socket = null, last = "", lastTime = 0, client = null;

  // ---- the panel -------------------------------------------------------------------------------------------------
  const root = document.createElement("div");
  root.id = "kinema";
  const hints = mode === "play"
    ? "<kbd>W</kbd> <kbd>A</kbd> <kbd>S</kbd> <kbd>D</kbd> move &nbsp; <kbd>Shift</kbd> run &nbsp; <kbd>Alt</kbd> slow"
      + "<br><kbd>Q</kbd> <kbd>E</kbd> face &nbsp; <kbd>Space</kbd> brake &nbsp; <kbd>R</kbd> reset"
    : mode === "world" ? "drag turns the camera"
    : "<kbd>Space</kbd> play &nbsp; <kbd>←</kbd> <kbd>→</kbd> step &nbsp; <kbd>P</kbd> <kbd>N</kbd> "
      + (mode === "samples" ? "seed" : "clip")
      + (mode === "view" ? " &nbsp; <kbd>M</kbd> mirror" : "");
  root.innerHTML = `<div class="${mode}"><div class="card figures"><b></b><table></table></div>`
    + `<div class="card keys">${hints}</div>`
    + (mode === "play" ? '<div class="stick left" title="drag to walk"><i></i></div>'
      + '<div class="stick right" title="drag to face"><i></i></div>' : "")
    + '<div class="toast" role="status"></div><div class="card gone">The program has ended or cannot be reached.</div></div>';
  document.body.append(root);
  root.querySelector("b").textContent = title;
  const table = root.querySelector("table");

  function showFigures(rows) {
    while (table.rows.length > rows.length) table.deleteRow(-1);
    rows.forEach(([name, value], index) => {
      const row = table.rows[index] || table.insertRow();
      while (row.cells.length < 2) row.insertCell();
      if (row.cells[0].textContent !== name) row.cells[0].textContent = name;
      if (row.cells[1].textContent !== value) row.cells[1].textContent = value;
    });
  }

  const toast = root.querySelector(".toast");
  function say(text, kind) {
    toast.textContent = text;
    toast.className = `toast ${kind} shown`;
    clearTimeout(say.timer);
    say.timer = setTimeout(() => toast.classList.remove("shown"), kind === "bad" ? 6000 : 2600);
  }

  // ---- the sticks ------------------------------------------------------------------------------------------------
  for (const side of ["left", "right"]) {
    const pit = root.querySelector(`.stick.${side}`);
    if (!pit) continue;
    const knob = pit.firstChild;
    const place = (x, y) => {
      stick[side] = [x, y];
      knob.style.transform = `translate(${x * 40}px, ${-y * 40}px)`;
      send();
    };
    const drag = (event) => {
      const box = pit.getBoundingClientRect();
      let x = (event.clientX - box.left - box.width / 2) / 44, y = -(event.clientY - box.top - box.height / 2) / 44;
      const length = Math.max(1, Math.hypot(x, y));
      place(x / length, y / length);
    };
    const release = () => { pit.classList.remove("held"); place(0, 0); };
    pit.addEventListener("pointerdown", (event) => {
      pit.setPointerCapture(event.pointerId);
      pit.classList.add("held");
      event.preventDefault();
      drag(event);
    });
    pit.addEventListener("pointermove", (event) => { if (pit.hasPointerCapture(event.pointerId)) drag(event); });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) pit.addEventListener(end, release);
  }

  // ---- pads of the panel ------------------------------------------------------------------------------------------
  // Their markup is replaced while they are dragged, so that the window listens and looks for the pad each time.
  let dragged = null;
  function dragPad(event) {
    const pad = [...document.querySelectorAll(".kinema-pad")]
      .find((one) => one.dataset.group === dragged.group && one.dataset.label === dragged.label);
    if (!pad) return;
    const box = pad.querySelector("svg").getBoundingClientRect();
    const share = (value) => Math.min(1, Math.max(0, value));
    const value = [share((event.clientX - box.left) / box.width), share(1 - (event.clientY - box.top) / box.height)];
    if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ put: { ...dragged, value } }));
  }
  window.addEventListener("pointerdown", (event) => {
    const pad = event.target instanceof Element && event.target.closest(".kinema-pad svg");
    if (!pad) return;
    const { group, label } = pad.parentElement.dataset;
    dragged = { group, label };
    event.preventDefault();
    event.stopPropagation();
    dragPad(event);
  }, true);
  window.addEventListener("pointermove", (event) => { if (dragged) dragPad(event); }, true);
  for (const end of ["pointerup", "pointercancel", "blur"]) window.addEventListener(end, () => { dragged = null; }, true);

  // ---- keys ------------------------------------------------------------------------------------------------------
  // On window and in the capture phase, so that viser's camera keys do not react to keys that steer the character.
  const typing = (target) => target instanceof Element && target.closest("input, textarea, select, [contenteditable]")
    && !["checkbox", "radio", "range", "button"].includes(target.type);
  function onKey(event) {
    if (!ours.has(event.code) || typing(event.target) || (mode !== "play" && (event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.repeat && mode === "play") return;
    if (event.type === "keydown" && event.repeat) { held.delete(event.code); send(); }
    if (event.type === "keydown") held.add(event.code); else held.delete(event.code);
    send();
  }
  window.addEventListener("keydown", onKey, true);
  window.addEventListener("keyup", onKey, true);
  const releaseAll = () => { held.clear(); send(); };
  window.addEventListener("blur", releaseAll);
  document.addEventListener("visibilitychange", () => { if (document.hidden) releaseAll(); });

  // ---- gamepads --------------------------------------------------------------------------------------------------
  const buttons = { PadBrake: [0], PadRun: [5, 7], PadSlow: [4, 6] };
  function readPads() {
    const found = [...navigator.getGamepads()].find((one) => one && one.connected);
    const soften = (x, y) => {
      const length = Math.hypot(x, y), beyond = Math.min(1, Math.max(0, (length - 0.15) / 0.8));
      return length > 0.15 ? [x / length * beyond, -y / length * beyond] : [0, 0];
    };
    padHeld.clear();
    if (!found) { pad = { left: [0, 0], right: [0, 0] }; send(); return; }
    const axis = (index) => found.axes[index] || 0;
    pad = { left: soften(axis(0), axis(1)), right: soften(axis(2), axis(3)) };
    for (const [name, indices] of Object.entries(buttons))
      if (indices.some((index) => found.buttons[index] && found.buttons[index].pressed)) padHeld.add(name);
    send();
    requestAnimationFrame(readPads);
  }
  window.addEventListener("gamepadconnected", () => requestAnimationFrame(readPads));

  // ---- messages --------------------------------------------------------------------------------------------------
  const round = (pair) => pair.map((value) => Math.round(value * 1000) / 1000);
  const larger = (a, b) => round(Math.hypot(...a) >= Math.hypot(...b) ? a : b);
  function send() {
    if (!socket || socket.readyState !== WebSocket.OPEN) return;
    const keys = [...held, ...padHeld].sort();
    const move = larger(stick.left, pad.left), look = larger(stick.right, pad.right);
    const text = JSON.stringify({ keys, move, look, client });
    const idle = !keys.length && !move[0] && !move[1] && !look[0] && !look[1];
    const now = performance.now();
    // Repeated while something is held, because the program releases input that is not repeated.
    if (text === last && (idle || now - lastTime < 95)) return;
    last = text;
    lastTime = now;
    socket.send(text);
  }
  setInterval(() => {
    // An invisible element contains the number of this client; its camera defines "forward".
    const mark = document.querySelector("[data-kinema-client]");
    if (mark) client = Number(mark.dataset.kinemaClient);
    send();
  }, 100);

  function connect() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    socket = new WebSocket(`${scheme}//${location.host}/kinema`);
    socket.onopen = () => { root.classList.remove("lost"); last = ""; send(); };
    socket.onclose = () => { root.classList.add("lost"); setTimeout(connect, 1000); };
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.figures) showFigures(message.figures);
      if (message.say) say(message.say.text, message.say.kind);
      window.dispatchEvent(new CustomEvent("kinema-message", { detail: message }));
    };
  }
  window.addEventListener("kinema-say", (event) => say(...event.detail));
  window.addEventListener("kinema-send", (event) => {
    if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(event.detail));
  });
  connect();
})();
