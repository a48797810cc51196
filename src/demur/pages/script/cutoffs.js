// The first screen: which systems are seen, and the cutoff that is moved.

const with_curve = names.map((_, i) => i).filter((i) => systems[i].curve.vertices);
const boxes = [...document.querySelectorAll("#systems input")];
const on = new Set(boxes.filter((box) => box.checked).map((box) => Number(box.dataset.system)));
// Of each system the vertex of the curve that is seen: of all items, or of one group.
const state = { focus: -1, vertices: names.map(() => 0), group: -1, own: false };
// Of each system the cutoff itself (null is silence), and whether a reader typed it: both
// stay when the curve of another group is seen.
const standing = names.map((_, system) => {
  const { vertices, cutoffs } = whole_curve(system);
  return { cutoff: vertices > 1 ? cutoffs[0] : null, typed: false };
});
const start = data.order.find((system) => with_curve.includes(system));
const now = $("now").tBodies[0], caption_of_now = $("now-caption").textContent;
const plot = $("explore-plot");
const frame = plot.viewBox.baseVal;
const box = { left: 64, right: 14, top: 12, bottom: 48 };
const across = (x) => box.left + x * (frame.width - box.left - box.right);
const highest = Number(plot.dataset.highest);
const down = (y) => box.top + (1 - y / highest) * (frame.height - box.top - box.bottom);
const SVG = "http://www.w3.org/2000/svg";
const line = document.createElementNS(SVG, "line");
line.setAttribute("class", "cut");
line.setAttribute("y1", box.top);
line.setAttribute("y2", frame.height - box.bottom);
const handles = names.map(() => {
  const handle = document.createElementNS(SVG, "circle");
  handle.setAttribute("class", "handle");
  handle.setAttribute("r", "5");
  return handle;
});

const rows = names.map((name, system) => {
  const row = make("tr"), head = make("th");
  head.scope = "row";
  head.append(make("bdi", name));
  row.append(head);
  for (let i = 0; i < 6; i++) row.append(make("td"));
  row.dataset.system = system;
  return row;
});

function fill(system, curve, vertex) {
  const cells = rows[system].cells;
  const own = curve.own;
  const values = vertex < 0
    ? [own.failed ? "failed" : "own decisions", own.nonreturn, own.error, own.right, own.missed, own.ungraded]
    : [words_of_standing(system), ...["nonreturn", "error", "right", "missed", "ungraded"].map((name) => rate(curve, name, vertex))];
  values.forEach((value, i) => {
    const text = typeof value === "string" ? value : shown(value);
    if (cells[i + 1].textContent !== text) cells[i + 1].textContent = text;
    cells[i + 1].dataset.value = value;
  });
  const { cutoff } = standing[system];
  if (vertex >= 0 && cutoff !== null) cells[1].dataset.value = number_words(cutoff);
}

const SHARES = ["right", "error", "missed", "avoided", "correct_decline", "no_guess", "all_ungraded"];
/** Whole numbers that add up to 1,000, as near to the shares as can be. */
function of_thousand(shares) {
  const exact = shares.map((share) => 1000 * share), whole = exact.map((part) => Math.floor(part + 1e-9));
  const order = exact.map((part, i) => [part - whole[i], i]).sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  let left = 1000 - whole.reduce((sum, part) => sum + part, 0);
  for (const [, i] of order) { if (left-- > 0) whole[i]++; }
  return whole;
}
function bar(curve, vertex) {
  const shares = SHARES.map((name) => rate(curve, name, vertex)), counts = of_thousand(shares);
  const rects = $("bar").querySelectorAll("rect");
  let at = 0;
  shares.forEach((share, i) => {
    rects[i].setAttribute("x", 1000 * at);
    rects[i].setAttribute("width", 1000 * share);
    at += share;
    const name = SHARES[i].replace("all_", "");
    const count = document.querySelector(`[data-share="${name}"]`);
    count.textContent = counts[i].toLocaleString("en");
    count.dataset.value = share;
    count.parentElement.hidden = !share;
  });
  $("thousand-of").textContent = ": " + names[state.focus];
}

let waiting = 0;
const pending = new Map(), rest = () => { document.body.dataset.pending = pending.size; };
/** Done once nothing has asked for it anew for so many milliseconds; until then the page says that it is pending. */
function later(name, wait, work) {
  clearTimeout(pending.get(name));
  pending.set(name, setTimeout(() => { pending.delete(name); work(); rest(); }, wait));
  rest();
}
function show() {
  $("on-now").hidden = on.size === names.length;
  $("on-now").textContent = `${on.size} of ${names.length} systems are shown; tick the others to see them.`;
  if (state.focus < 0) {
    for (const system of names.keys()) {
      rows[system].hidden = !on.has(system);
      fill(system, systems[system].curve, -1);
    }
    return;
  }
  for (const system of names.keys()) {
    const curve = on.has(system) ? curve_of(system) : null, vertex = state.vertices[system];
    rows[system].hidden = !curve;
    handles[system].setAttribute("visibility", curve && curve.vertices ? "visible" : "hidden");
    if (!curve) continue;
    fill(system, curve, curve.vertices ? vertex : -1);
    if (!curve.vertices) continue;
    handles[system].setAttribute("cx", across(rate(curve, "nonreturn", vertex)));
    handles[system].setAttribute("cy", down(rate(curve, "error", vertex)));
  }
  $("now-caption").textContent = following() ? caption_of_now : "Each system at its own cutoff";
  const curve = curve_of(state.focus), vertex = state.vertices[state.focus];
  const nonreturn = rate(curve, "nonreturn", vertex);
  line.setAttribute("x1", across(nonreturn));
  line.setAttribute("x2", across(nonreturn));
  bar(curve, vertex);
  examples(curve);
  const slider = $("slider");
  slider.max = curve.vertices - 1;
  slider.value = vertex;
  const cut = words_of_standing(state.focus);
  slider.setAttribute("aria-valuetext", `cutoff ${cut}: ${percent(nonreturn)} not answered, ${percent(rate(curve, "error", vertex))} wrong`);
  const field = $("cutoff");
  if (document.activeElement !== field && !field.hasAttribute("aria-invalid")) field.value = cut === NEVER ? "never" : cut;
  later("words", 250, () => speak(curve));
  items_later();
}
function speak(curve) {
  const vertex = state.vertices[state.focus];
  const how = is_silent(curve, vertex) ? "never answers" : `answers at a confidence of ${words_of_standing(state.focus)} or more`;
  const name = names[state.focus].replace(/^the system$/, "The system");
  $("said").textContent = `${name} ${how}: ${percent(1 - rate(curve, "nonreturn", vertex))} of the items are answered, ${percent(rate(curve, "error", vertex))} of all items wrongly.`;
  remember();
}
function soon() {
  if (waiting) return;
  waiting = requestAnimationFrame(() => { waiting = 0; show(); });
}
const following = () => $("follow").checked;
/** A system stands at a vertex: at its cutoff, or at a typed one for which it is the first. */
function stand(system, vertex, typed) {
  const curve = curve_of(system);
  state.vertices[system] = Math.max(0, Math.min(curve.vertices - 1, vertex));
  const cutoff = is_silent(curve, state.vertices[system]) ? null : curve.cutoffs[state.vertices[system]];
  standing[system] = typed === undefined ? { cutoff, typed: false } : { cutoff: typed, typed: true };
}
function words_of_standing(system) {
  const { cutoff, typed } = standing[system], curve = curve_of(system), vertex = state.vertices[system];
  if (cutoff === null) return NEVER;
  const listed = !typed && curve && curve.vertices && curve.cutoffs[vertex] === cutoff;
  return listed ? words_of_cutoff(curve, vertex) : number_words(cutoff);
}
/** Other systems stand at the last cutoff that declines no more, if they follow. */
function move(vertex, typed) {
  stand(state.focus, vertex, typed);
  stay();
}
function stay() {
  refuse("");
  if (following()) follow_focus();
  soon();
}
function follow_focus() {
  const nonreturn = present();
  for (const system of with_curve) {
    const curve = curve_of(system);
    if (system !== state.focus && curve && curve.vertices) stand(system, at_most(curve, nonreturn));
  }
}
function focus_on(system, nonreturn) {
  state.focus = system;
  $("focus").value = system;
  const curve = curve_of(system);
  if (!curve || !curve.vertices) return;
  if (following()) move(at_most(curve, nonreturn)); else stay();
}
const present = () => rate(curve_of(state.focus), "nonreturn", state.vertices[state.focus]);

/** Where a system cuts among all its listed cutoffs; null where it decides by itself. */
function cut_of(system, own = state.own) {
  const whole = whole_curve(system), curve = curve_of(system);
  if (own || !whole.vertices) return null;
  if (state.group < 0 || !curve || !curve.vertices) return state.vertices[system];
  return vertex_at(whole, standing[system].cutoff);
}

// -- a cutoff that is typed --------------------------------------------------------------

function refuse(why) {
  $("cutoff-refused").textContent = why;
  $("cutoff").toggleAttribute("aria-invalid", Boolean(why));
  if (why) $("cutoff").setAttribute("aria-invalid", "true");
}
/** Understood, or refused beside the field; then the cutoff stays. */
function type_cutoff() {
  const curve = curve_of(state.focus), held = systems[state.focus];
  const { value, refused } = read_cutoff($("cutoff").value, held.fractions);
  if (refused) { refuse(`${refused} The cutoff stays: ${words_of_standing(state.focus)}.`); return; }
  move(vertex_at(curve, value), value);
  if (held.fractions && value > 1 && Number.isFinite(value)) $("cutoff-refused").textContent = `No confidence is above 1, so nothing is answered at ${value}.`;
}

// -- which systems are seen, and in which colours ----------------------------------------

function paths(system, visible_) {
  for (const path of plot.querySelectorAll(`[data-system="${system}"]`)) {
    const group = path.dataset.group === undefined ? -1 : Number(path.dataset.group);
    path.style.display = visible_ && group === state.group ? "inline" : "none";
  }
}
function switch_on(system) {
  on.add(system);
  boxes[system].checked = true;
  paths(system, true);
  paint();
}
/** The compared pair, and up to as many systems as there are colours, never share one. */
function paint() {
  const listed = [...new Set([...compared(), ...on])], taken = new Set();
  listed.forEach((system, place) => {
    let colour = system % data.colours;
    if (place < 2 || listed.length <= data.colours) while (taken.has(colour)) colour = (colour + 1) % data.colours;
    taken.add(colour);
    const marks = [...plot.querySelectorAll(`[data-system="${system}"]`), ...boxes[system].parentElement.querySelectorAll(".key *")];
    for (const mark of marks) mark.setAttribute("class", mark.getAttribute("class").replace(/\bc\d+\b/, "c" + colour));
  });
}
function set_group(group) {
  const seen = state.focus < 0 ? null : curve_of(state.focus), before = seen && seen.vertices ? present() : data.at;
  state.group = group;
  names.forEach((_, system) => {
    const curve = curve_of(system);
    paths(system, on.has(system));
    if (curve && curve.vertices) state.vertices[system] = vertex_at(curve, standing[system].cutoff);
  });
  show_group(group);
  if (state.focus < 0) { soon(); return; }
  const here = curve_of(state.focus);
  if (here && here.vertices) { stay(); return; }
  const other = with_curve.find((i) => { const curve = curve_of(i); return curve && curve.vertices; });
  if (other !== undefined) { switch_on(other); focus_on(other, before); }
}
