"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  document.documentElement.classList.add("scripted");

  // -- tables anywhere: each can be downloaded ---------------------------------------

  const cell = (text) => {
    // A spreadsheet would run what begins like a formula.
    const safe = /^[=+@\t\r]|^-(?![\d.])/.test(text) ? "'" + text : text;
    return /[",\n\r]/.test(safe) ? '"' + safe.replaceAll('"', '""') + '"' : safe;
  };
  function download(name, rows) {
    const text = "\ufeff" + rows.map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    link.download = name + ".csv";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
  for (const table of document.querySelectorAll("table:not(#list)")) {
    const button = make("button", "Download as CSV");
    button.type = "button";
    button.className = "csv";
    const caption = table.caption ? table.caption.textContent : table.parentElement.getAttribute("aria-label");
    button.setAttribute("aria-label", "Download as CSV: " + caption);
    button.addEventListener("click", () =>
      download(caption.slice(0, 60), [...table.rows].map((row) => [...row.cells].map((each) => each.textContent))));
    table.parentElement.after(button);
  }
  function make(tag, text, className) {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (className) element.className = className;
    return element;
  }
  const opened = [];
  addEventListener("beforeprint", () => {
    for (const each of document.querySelectorAll("details:not([open])")) { each.open = true; opened.push(each); }
  });
  addEventListener("afterprint", () => { for (const each of opened.splice(0)) each.open = false; });
  if (!data) return;

  // -- what the library computed, looked up ------------------------------------------

  function unpacked(held) {
    if (!held) return null;
    const text = atob(held.data), bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    const kinds = { Uint8: Uint8Array, Uint16: Uint16Array, Uint32: Uint32Array, Float64: Float64Array };
    return new kinds[held.type](bytes.buffer);
  }
  function opened_curve(curve) {
    if (!curve || curve.ready) return curve;
    curve.ready = true;
    if (!curve.vertices) return curve;
    curve.cutoffs = unpacked(curve.cutoffs);
    for (const name of Object.keys(curve.rates)) {
      const { same, over } = curve.rates[name];
      curve.rates[name] = same === undefined ? { held: unpacked(curve.rates[name]), over: over || 1 } : { same };
    }
    return curve;
  }
  const rate = (curve, name, vertex) => {
    const rates = curve.rates[name];
    return rates.held ? rates.held[vertex] / rates.over : rates.same;
  };
  const systems = data.systems, names = data.names;
  const curve_of = (system) =>
    opened_curve(state.group < 0 ? systems[system].curve : data.groups[state.group].curves[system]);

  /** The last vertex with no more nonreturn than wanted. */
  function at_most(curve, wanted) {
    let low = 0, high = curve.vertices - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (rate(curve, "nonreturn", middle) <= wanted + 1e-12) low = middle; else high = middle - 1;
    }
    return low;
  }
  /** The first listed cutoff that is not below a confidence; the last vertex is silence. */
  function first_at(curve, confidence) {
    // Confidences of single precision are compared in theirs, as the library does.
    const precise = curve.single ? Math.fround : (value) => value;
    const wanted = precise(confidence);
    let low = 0, high = curve.cutoffs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (precise(curve.cutoffs[middle]) < wanted) low = middle + 1; else high = middle;
    }
    return low;
  }
  const words_of_cutoff = (curve, vertex) =>
    vertex < curve.cutoffs.length ? String(curve.cutoffs[vertex]).replace("Infinity", "inf") : "never answer";
  const shown = (value) => (value === null || value === undefined ? "-" : value.toFixed(3));
  const percent = (value) => (100 * value).toFixed(1) + " %";

  // -- state -------------------------------------------------------------------------

  const with_curve = names.map((_, i) => i).filter((i) => systems[i].curve.vertices);
  const boxes = [...document.querySelectorAll("#systems input")];
  const on = new Set(boxes.filter((box) => box.checked).map((box) => Number(box.dataset.system)));
  const state = { focus: -1, vertex: 0, group: -1 };
  const start = data.order.find((system) => with_curve.includes(system));
  const now = $("now").tBodies[0];
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
      ? ["own decisions", own.nonreturn, own.error, own.right, own.missed, own.ungraded]
      : [words_of_cutoff(curve, vertex), ...["nonreturn", "error", "right", "missed", "ungraded"].map((name) => rate(curve, name, vertex))];
    values.forEach((value, i) => {
      const text = typeof value === "string" ? value : shown(value);
      if (cells[i + 1].textContent !== text) cells[i + 1].textContent = text;
      cells[i + 1].dataset.value = value;
    });
  }

  const SHARES = ["right", "error", "missed", "avoided", "correct_decline", "no_guess", "all_ungraded"];
  /** Whole numbers that add up to 1,000, as near to the shares as can be. */
  function of_thousand(shares) {
    const exact = shares.map((share) => 1000 * share), whole = exact.map((each) => Math.floor(each + 1e-9));
    const order = exact.map((each, i) => [each - whole[i], i]).sort((a, b) => b[0] - a[0] || a[1] - b[1]);
    let left = 1000 - whole.reduce((sum, each) => sum + each, 0);
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

  let waiting = 0, speaking = 0;
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
    const curve = curve_of(state.focus);
    const nonreturn = rate(curve, "nonreturn", state.vertex);
    for (const system of names.keys()) {
      const other = on.has(system) ? curve_of(system) : null;
      rows[system].hidden = !other;
      handles[system].setAttribute("visibility", other && other.vertices ? "visible" : "hidden");
      if (!other) continue;
      if (!other.vertices) { fill(system, other, -1); continue; }
      const vertex = system === state.focus ? state.vertex : at_most(other, nonreturn);
      fill(system, other, vertex);
      handles[system].setAttribute("cx", across(rate(other, "nonreturn", vertex)));
      handles[system].setAttribute("cy", down(rate(other, "error", vertex)));
    }
    line.setAttribute("x1", across(nonreturn));
    line.setAttribute("x2", across(nonreturn));
    bar(curve, state.vertex);
    examples(curve);
    const slider = $("slider");
    slider.max = curve.vertices - 1;
    slider.value = state.vertex;
    const cut = words_of_cutoff(curve, state.vertex);
    slider.setAttribute("aria-valuetext", `cutoff ${cut}: ${percent(nonreturn)} not answered, ${percent(rate(curve, "error", state.vertex))} wrong`);
    if (document.activeElement !== $("cutoff")) $("cutoff").value = state.vertex < curve.cutoffs.length ? cut : "";
    clearTimeout(speaking);
    speaking = setTimeout(() => speak(curve), 250);
  }
  function speak(curve) {
    const nonreturn = rate(curve, "nonreturn", state.vertex), wrong = rate(curve, "error", state.vertex);
    const cut = words_of_cutoff(curve, state.vertex);
    const how = state.vertex < curve.cutoffs.length ? `answers at a confidence of ${cut} or more` : "never answers";
    $("said").textContent = `${names[state.focus]} ${how}: ${percent(1 - nonreturn)} of the items are answered, ${percent(wrong)} of all items wrongly.`;
    remember(state.vertex < curve.cutoffs.length ? cut : "never");
  }
  function soon() {
    if (waiting) return;
    waiting = requestAnimationFrame(() => { waiting = 0; show(); });
  }
  function move(vertex) {
    const last = curve_of(state.focus).vertices - 1;
    state.vertex = Math.max(0, Math.min(last, vertex));
    soon();
  }
  function focus_on(system, nonreturn) {
    state.focus = system;
    $("focus").value = system;
    const curve = curve_of(system);
    if (curve && curve.vertices) move(at_most(curve, nonreturn));
  }
  const present = () => rate(curve_of(state.focus), "nonreturn", state.vertex);

  // -- examples on both sides of the cutoff ------------------------------------------

  const OUTCOMES = ["right", "wrong", "no guess", "ungraded"];
  function rows_of(system) {
    const held = systems[system];
    if (held.ready) return held;
    held.ready = true;
    for (const name of ["item", "outcome", "declined", "repeat", "rank"]) held[name] = unpacked(held[name]);
    for (const name of Object.keys(held.groups)) held.groups[name] = unpacked(held.groups[name]);
    return held;
  }
  function by_rank(system) {
    const held = rows_of(system);
    if (!held.order && held.rank) {
      held.order = new Uint32Array(held.rank.length).map((_, i) => i);
      const place = new Uint32Array(systems[system].curve.vertices + 2);
      for (const rank of held.rank) place[rank + 1]++;
      for (let i = 1; i < place.length; i++) place[i] += place[i - 1];
      held.starts = place.slice();
      held.rank.forEach((rank, row) => { held.order[place[rank]++] = row; });
    }
    return held;
  }
  const item_of = (held, row) => (held.item ? held.item[row] : row);
  // What is listed: an item, or each of its repeats if there are any.
  const runs = Math.max(data.repeats.length, 1);
  const place_of = (held, row) => item_of(held, row) * runs + (held.repeat ? held.repeat[row] : 0);
  const item_at = (place) => Math.floor(place / runs);
  const run_at = (place) => data.repeats[place % runs] || "";
  const hidden_marks = /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
  const visible = (text) => text.replace(hidden_marks, (mark) => `[U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);
  function words(text, className) {
    const element = make("span", visible(text), className || "words");
    element.dir = "auto";
    return element;
  }
  const texts_of_item = (item) => data.texts.items[item] || [null, null];
  const texts_of_row = (system, row) => data.texts.rows[`${system}:${row}`] || [null, null];
  function link_to(item) {
    const link = make("a");
    link.href = "#item=" + encodeURIComponent(data.items[item]);
    link.append(words(data.items[item], "id"));
    return link;
  }
  const confidence_of = (system, row) => {
    const held = rows_of(system), curve = opened_curve(systems[system].curve);
    if (!held.rank || !held.rank[row]) return "";
    return (curve.all ? "" : "at least ") + curve.cutoffs[held.rank[row] - 1];
  };
  function example(system, row) {
    const held = rows_of(system), item = item_of(held, row), entry = make("li");
    const head = make("p");
    head.append(link_to(item), held.repeat ? `, repeat ${run_at(place_of(held, row))} ` : " ", make("span", OUTCOMES[held.outcome[row]], "tag-" + held.outcome[row]), ` at ${confidence_of(system, row)}`);
    entry.append(head);
    const [input, reference] = texts_of_item(item), [response] = texts_of_row(system, row);
    for (const [label, text] of [["asked", input], ["answer", response], ["reference", reference]]) {
      if (!text) continue;
      const part = make("p", label + ": ");
      part.append(words(text));
      entry.append(part);
    }
    return entry;
  }
  let last_example = "";
  function examples(curve) {
    const key = [state.focus, state.vertex, state.group].join(":");
    if (key === last_example) return;
    last_example = key;
    const held = by_rank(state.focus);
    if (!held.order) { $("examples").hidden = true; return; }
    $("examples").hidden = false;
    let cut = state.vertex;
    let wanted = () => true;
    if (state.group >= 0) {
      const group = data.groups[state.group], whole = opened_curve(systems[state.focus].curve);
      const code = data.codes[group.column].indexOf(group.value);
      wanted = (row) => held.groups[group.column][row] === code;
      cut = state.vertex < curve.cutoffs.length ? first_at(whole, curve.cutoffs[state.vertex]) : whole.cutoffs.length;
    }
    const middle = held.starts[Math.min(cut + 1, held.starts.length - 1)], silent = held.starts[1];
    const kept = [], withheld = [];
    for (let i = middle; i < held.order.length && kept.length < 5; i++) if (wanted(held.order[i])) kept.push(held.order[i]);
    for (let i = middle - 1; i >= silent && withheld.length < 5; i--) if (wanted(held.order[i])) withheld.push(held.order[i]);
    for (const [id, listed, none] of [["kept", kept, "Nothing is answered."], ["held", withheld, "Every guess is answered."]]) {
      const entries = listed.map((row) => example(state.focus, row));
      $(id).replaceChildren(...(entries.length ? entries : [make("li", none)]));
    }
  }

  // -- items -------------------------------------------------------------------------

  function row_index(system) {
    const held = rows_of(system);
    if (!held.by_place) {
      held.by_place = new Int32Array(data.items.length * runs).fill(-1);
      for (let row = held.outcome.length - 1; row >= 0; row--) held.by_place[place_of(held, row)] = row;
    }
    return held.by_place;
  }
  const repeat_columns = data.repeats.length ? ["repeat"] : [];
  let listed = [], page = 0;
  const PAGE = 25;
  function select_items() {
    const first = Number($("first").value), second = Number($("second").value);
    const a = rows_of(first), b = rows_of(second), rows_a = row_index(first), rows_b = row_index(second);
    const wanted = $("outcome").value, needle = $("search").value.trim().toLowerCase();
    const filters = [...document.querySelectorAll("#columns select")].filter((each) => each.value !== "");
    listed = [];
    for (let place = 0; place < data.items.length * runs; place++) {
      const in_a = rows_a[place], in_b = rows_b[place];
      if (in_a < 0 && in_b < 0) continue;
      if ($("changed").checked && (in_a < 0 || in_b < 0 || a.outcome[in_a] === b.outcome[in_b])) continue;
      if (wanted !== "" && (in_a < 0 || a.outcome[in_a] !== Number(wanted))) continue;
      const [held, row] = in_a >= 0 ? [a, in_a] : [b, in_b];
      if (!filters.every((each) => held.groups[each.dataset.column][row] === Number(each.value))) continue;
      if (needle && !searched(item_at(place), first, in_a, second, in_b).includes(needle)) continue;
      listed.push(place);
    }
    const by = { first: [a, rows_a], second: [b, rows_b] }[$("sort").value];
    if (by && by[0].rank) {
      const rank = (place) => (by[1][place] < 0 ? -1 : by[0].rank[by[1][place]]);
      listed.sort((one, other) => rank(other) - rank(one) || one - other);
    }
    page = 0;
    show_items();
  }
  function searched(item, first, in_a, second, in_b) {
    const parts = [data.items[item], ...texts_of_item(item)];
    if (in_a >= 0) parts.push(...texts_of_row(first, in_a));
    if (in_b >= 0) parts.push(...texts_of_row(second, in_b));
    return parts.filter(Boolean).join("\n").toLowerCase();
  }
  function verdict(system, row) {
    const part = make("td");
    if (row < 0) { part.append("not asked"); return part; }
    const held = rows_of(system), outcome = held.outcome[row];
    const said = OUTCOMES[outcome] + (held.declined && held.declined[row] && outcome !== 2 ? ", declined" : "");
    part.append(make("span", said, "tag-" + outcome));
    const confidence = confidence_of(system, row), [response, reason] = texts_of_row(system, row);
    if (confidence) part.append(` at ${confidence}`);
    for (const text of [response, reason]) if (text) part.append(words(text));
    return part;
  }
  function show_items() {
    const first = Number($("first").value), second = Number($("second").value);
    const pair = first === second ? [first] : [first, second];
    const head = make("tr");
    for (const text of ["item", ...repeat_columns, "asked", "reference", ...pair.map((each) => names[each])]) {
      const one = make("th", text);
      one.scope = "col";
      head.append(one);
    }
    $("list").tHead.replaceChildren(head);
    const body = listed.slice(page * PAGE, (page + 1) * PAGE).map((place) => {
      const item = item_at(place);
      const row = make("tr"), label = make("th");
      label.scope = "row";
      label.append(link_to(item));
      row.append(label);
      for (const text of [...repeat_columns.map(() => run_at(place)), ...texts_of_item(item)]) {
        const part = make("td");
        if (text) part.append(words(text));
        row.append(part);
      }
      for (const system of pair) row.append(verdict(system, row_index(system)[place]));
      return row;
    });
    $("list").tBodies[0].replaceChildren(...body);
    const last = Math.min(listed.length, (page + 1) * PAGE);
    $("place").textContent = listed.length ? `${page * PAGE + 1} to ${last} of ${listed.length} ${runs > 1 ? "repeats of items" : "items"}` : "no item";
    $("back").disabled = page === 0;
    $("on").disabled = last >= listed.length;
  }
  function open_item(item) {
    const panel = $("item");
    panel.replaceChildren();
    const head = make("h3", "Item ");
    head.append(words(data.items[item], "id"));
    panel.append(head);
    const [input, reference] = texts_of_item(item);
    for (const [label, text] of [["asked", input], ["reference", reference]]) {
      if (!text) continue;
      const part = make("p", label + ": ");
      part.append(words(text));
      panel.append(part);
    }
    const table = make("table"), body = make("tbody");
    table.append(make("caption", "What each system made of it"), body);
    names.forEach((name, system) => {
      const held = rows_of(system), several = [];
      if (held.item) held.item.forEach((each, row) => { if (each === item) several.push(row); });
      else several.push(item);
      several.forEach((row) => {
        const entry = make("tr"), label = make("th");
        label.scope = "row";
        label.append(words(name, "id"));
        if (held.repeat) label.append(`, repeat ${run_at(place_of(held, row))}`);
        entry.append(label, verdict(system, row));
        body.append(entry);
      });
    });
    panel.append(table);
    panel.hidden = false;
    panel.focus();
    panel.scrollIntoView({ block: "start" });
  }
  function items_csv() {
    const first = Number($("first").value), second = Number($("second").value);
    const pair = first === second ? [first] : [first, second];
    // A system that decides by itself has one column more.
    const columns = (system) => ["outcome", ...(rows_of(system).declined ? ["declined"] : []), "confidence", "response", "reason"];
    const head = ["item", ...repeat_columns, "input", "reference", ...pair.flatMap((each) => columns(each).map((what) => `${names[each]}: ${what}`))];
    download("items", [head, ...listed.map((place) => [
      data.items[item_at(place)], ...repeat_columns.map(() => run_at(place)), ...texts_of_item(item_at(place)).map((text) => text || ""),
      ...pair.flatMap((system) => {
        const row = row_index(system)[place], held = rows_of(system);
        if (row < 0) return columns(system).map(() => "");
        const declined = held.declined ? [held.declined[row] ? "true" : "false"] : [];
        return [OUTCOMES[held.outcome[row]], ...declined, confidence_of(system, row), ...texts_of_row(system, row).map((text) => text || "")];
      }),
    ])]);
  }

  // -- links: one cutoff, or one item ------------------------------------------------

  function remember(cut) {
    const parts = [["system", names[state.focus]], ["cutoff", cut]];
    if (state.group >= 0) parts.push(["group", `${data.groups[state.group].column}=${data.groups[state.group].value}`]);
    const text = "#" + parts.map(([key, value]) => key + "=" + encodeURIComponent(value)).join("&");
    if (moved) try { history.replaceState(null, "", text); } catch { /* a page in a sandbox keeps its address */ }
  }
  let moved = false;
  function follow() {
    const parts = new Map(location.hash.slice(1).split("&").map((part) => {
      const [key, ...rest] = part.split("=");
      let value = rest.join("=");
      try { value = decodeURIComponent(value); } catch { /* as it stands */ }
      return [key, value];
    }));
    if (parts.has("item")) {
      const item = data.items.indexOf(parts.get("item"));
      if (item >= 0) open_item(item);
    }
    if (!parts.has("cutoff")) return;
    if (parts.has("group")) {
      const group = data.groups.findIndex((each) => `${each.column}=${each.value}` === parts.get("group"));
      if (group >= 0 && $("group")) { $("group").value = group; set_group(group); }
    }
    const system = names.indexOf(parts.get("system"));
    if (system >= 0 && systems[system].curve.vertices) switch_on(system), focus_on(system, 1);
    if (state.focus >= 0) move(typed(parts.get("cutoff")));
  }
  function typed(text) {
    const curve = curve_of(state.focus);
    const value = text === "inf" ? Infinity : text === "-inf" ? -Infinity : Number(text);
    if (text.trim() === "" || Number.isNaN(value)) return curve.vertices - 1;
    return first_at(curve, value);
  }

  // -- controls ----------------------------------------------------------------------

  function switch_on(system) {
    on.add(system);
    boxes[system].checked = true;
    paths(system, true);
  }
  function paths(system, visible_) {
    for (const each of plot.querySelectorAll(`[data-system="${system}"]`)) {
      const group = each.dataset.group === undefined ? -1 : Number(each.dataset.group);
      each.style.display = visible_ && group === state.group ? "inline" : "none";
    }
  }
  function set_group(group) {
    const before = state.focus >= 0 ? present() : data.at;
    state.group = group;
    names.forEach((_, system) => paths(system, on.has(system)));
    const here = curve_of(state.focus);
    if (here && here.vertices) { focus_on(state.focus, before); return; }
    const other = with_curve.find((i) => { const curve = curve_of(i); return curve && curve.vertices; });
    if (other !== undefined) { switch_on(other); focus_on(other, before); }
  }
  const option = (value, text) => { const one = make("option", text); one.value = value; return one; };
  for (const system of with_curve) $("focus").append(option(system, names[system]));
  boxes.forEach((each, system) => {
    each.disabled = false;
    each.addEventListener("change", () => {
      if (each.checked) on.add(system); else on.delete(system);
      paths(system, each.checked);
      if (!each.checked && system === state.focus) {
        const other = with_curve.find((i) => on.has(i));
        if (other !== undefined) { focus_on(other, present()); return; }
      }
      soon();
    });
    paths(system, each.checked);
  });
  now.replaceChildren(...data.order.map((system) => rows[system]));
  if (start !== undefined) plot.append(line, ...handles);
  $("cut-controls").hidden = start === undefined;
  show();
  if (start !== undefined) {
    focus_on(start, data.at);
    const touched = () => { moved = true; };
    for (const kind of ["pointerdown", "keydown", "change", "input"]) addEventListener(kind, touched, { capture: true });
    $("slider").addEventListener("input", () => move(Number($("slider").value)));
    $("focus").addEventListener("change", () => { switch_on(Number($("focus").value)); focus_on(Number($("focus").value), present()); });
    $("cutoff").addEventListener("change", () => { move(typed($("cutoff").value)); });
    $("cutoff").addEventListener("keydown", (event) => { if (event.key === "Enter") { move(typed($("cutoff").value)); } });
    $("cutoff").addEventListener("blur", soon);
    const drag = (event) => {
      const place = plot.getBoundingClientRect();
      const x = ((event.clientX - place.left) / place.width) * frame.width;
      move(at_most(curve_of(state.focus), Math.max(0, (x - box.left) / (frame.width - box.left - box.right))));
    };
    plot.addEventListener("pointerdown", (event) => { plot.setPointerCapture(event.pointerId); document.body.classList.add("moving"); drag(event); });
    plot.addEventListener("pointermove", (event) => { if (plot.hasPointerCapture(event.pointerId)) drag(event); });
    plot.addEventListener("pointerup", () => document.body.classList.remove("moving"));
  }
  if ($("group")) {
    $("group-controls").hidden = false;
    $("group").addEventListener("change", () => set_group(Number($("group").value)));
  }
  for (const id of ["first", "second"]) names.forEach((name, system) => $(id).append(option(system, name)));
  const pair = data.pairs[0] || [0, names.length > 1 ? 1 : 0];
  $("first").value = pair[0];
  $("second").value = pair[1];
  for (const column of Object.keys(data.codes)) {
    const select = make("select");
    select.dataset.column = column;
    select.setAttribute("aria-label", visible(column));
    select.append(option("", visible(column) + ": any"), ...data.codes[column].map((value, code) => option(code, visible(value))));
    $("columns").append(select, " ");
  }
  $("item-controls").hidden = false;
  for (const id of ["first", "second", "changed", "outcome", "sort"]) $(id).addEventListener("change", select_items);
  $("columns").addEventListener("change", select_items);
  $("search").addEventListener("input", select_items);
  $("back").addEventListener("click", () => { page--; show_items(); });
  $("on").addEventListener("click", () => { page++; show_items(); });
  $("items-csv").addEventListener("click", items_csv);
  select_items();
  addEventListener("hashchange", follow);
  follow();
})();
