// Which items are listed, and in which order: by outcome and decision of each of two
// systems, by words, by columns and notes.

const first_pair = data.pairs[0] || [0, names.length > 1 ? 1 : 0];
const any_end = () => ({ outcome: -1, decision: -1 });
const is_any = (filter) => filter.outcome < 0 && filter.decision < 0;
const filters = [any_end(), any_end()];
const sorting = { by: "no", down: false };
let listed = [];

/** The two systems that are compared; one, if it is compared with itself. */
const compared = () => {
  const chosen = [Number($("first").value), Number($("second").value)];
  return chosen[0] === chosen[1] ? [chosen[0]] : chosen;
};
const fits = ({ outcome, decision }, end) =>
  (outcome < 0 || (end >= 0 && end >> 2 === outcome)) && (decision < 0 || (end >= 0 && (end & 3) === decision));

/** Items that pass all filters are listed; beside each system is counted what its own would leave. */
function select_items() {
  const pair = compared(), indices = pair.map(row_index), ends = pair.map(ends_of);
  const counts = pair.map(() => new Uint32Array(16));
  const passes = [changed_filter(), column_filter(pair), note_filter(), word_filter(pair)].filter(Boolean);
  const place_rows = [-1, -1], place_ends = [-1, -1];
  listed = [];
  for (let place = 0; place < all_places; place++) {
    let fitting = 0, misfit = -1, known = false;
    for (let k = 0; k < pair.length; k++) {
      const row = indices[k][place];
      place_rows[k] = row;
      place_ends[k] = row < 0 ? -1 : ends[k][row];
      known = known || row >= 0;
      if (fits(filters[k], place_ends[k])) fitting++; else misfit = k;
    }
    if (!known || fitting < pair.length - 1 || !passes.every((pass) => pass(place, place_rows, place_ends))) continue;
    for (let k = 0; k < pair.length; k++) if (place_ends[k] >= 0 && (misfit < 0 || misfit === k)) counts[k][place_ends[k]]++;
    if (misfit < 0) listed.push(place);
  }
  show_counts(pair, counts);
  sort_listed();
}
function changed_filter() {
  const how = compared().length > 1 ? $("changed").value : "";
  if (how === "outcome") return (_, [a, b], ends) => a >= 0 && b >= 0 && ends[0] >> 2 !== ends[1] >> 2;
  if (how === "end") return (_, [a, b], ends) => a >= 0 && b >= 0 && ends[0] !== ends[1];
  return null;
}
function column_filter(pair) {
  const chosen = [...document.querySelectorAll("#columns select")].filter((select) => select.value !== "");
  if (!chosen.length) return null;
  const held = pair.map(rows_of);
  return (_, place_rows) => {
    const k = place_rows[0] >= 0 ? 0 : 1;
    return chosen.every((select) => held[k].groups[select.dataset.column][place_rows[k]] === Number(select.value));
  };
}
const note_filter = () => ($("noted").checked ? (place) => notes.has(data.items[item_at(place)]) : null);

// -- words -------------------------------------------------------------------------------

const LETTERS = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", ł: "l", ħ: "h", ı: "i", þ: "th" };
/** Text in which case and accents make no difference. */
function folded(text) {
  const small = text.toLowerCase();
  if (/^[\x00-\x7f]*$/.test(small)) return small;
  return small.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").normalize("NFC").replace(/[ßæœøđðłħıþ]/g, (letter) => LETTERS[letter]);
}
const folded_items = [], folded_rows = names.map(() => []);
const folded_item = (item) => (folded_items[item] ??= folded([data.items[item], ...texts_of_item(item)].filter(Boolean).join("\n")));
const folded_row = (system, row) =>
  row < 0 ? "" : (folded_rows[system][row] ??= folded(texts_of_row(system, row).filter(Boolean).join("\n")));

/** Folds all texts while the browser has nothing else to do, for the first word typed. */
function fold_ahead(item = 0) {
  requestIdleCallback((idle) => {
    for (; item < data.items.length && idle.timeRemaining() > 1; item++) {
      folded_item(item);
      for (const system of compared()) rows_of_item(system, item).forEach((row) => folded_row(system, row));
    }
    if (item < data.items.length) fold_ahead(item);
  });
}
function word_filter(pair) {
  const searched = folded($("search").value).split(/\s+/).filter(Boolean);
  if (!searched.length) return null;
  return (place, place_rows) => searched.every((word) =>
    folded_item(item_at(place)).includes(word) || pair.some((system, k) => folded_row(system, place_rows[k]).includes(word)));
}

// -- counts, each of which is a filter ---------------------------------------------------

let counters = [], counters_of = "";
/** The decisions and outcomes of a system that can be: columns and rows of its counts. */
function kinds_of(system) {
  const held = rows_of(system), cut = cut_of(system) !== null;
  const silent = held.outcome.includes(UNANSWERED), failed = Boolean(held.failed);
  const declined = silent || (!cut && Boolean(held.declined));
  return {
    decisions: [ANSWERED, ...(cut ? [WITHHELD] : []), ...(declined ? [DECLINED] : []), ...(failed ? [FAILED] : [])],
    outcomes: [0, 1, ...(held.outcome.includes(3) ? [3] : []), ...(silent ? [UNANSWERED] : [])],
    can: (outcome, decision) => (outcome === UNANSWERED ? decision >= DECLINED : decision !== FAILED && (decision !== DECLINED || !cut)),
  };
}
const named_end = ({ outcome, decision }) =>
  [outcome < 0 ? "" : OUTCOMES[outcome], decision < 0 ? "" : DECISIONS[decision]].filter(Boolean).join(" and ") || "all";

/** A table of buttons for one system; each has the filter that it stands for. */
function counter(system, k) {
  const { decisions, outcomes, can } = kinds_of(system), buttons = [];
  const table = make("table", undefined, "counts"), caption = make("caption"), at = make("span");
  const sign = boxes[system].parentElement.querySelector(".key").cloneNode(true);
  caption.append(sign, " ", make("bdi", visible(names[system])), at);
  const button = (filter, name) => {
    const pressed = () => { filters[k] = is_any(filter) || same_end(filters[k], filter) ? any_end() : { ...filter }; list_anew(); };
    const element = make_button("", pressed), count = make("b");
    if (name) element.append(name + " ");
    element.append(count);
    buttons.push({ filter, element, count });
    return element;
  };
  const cell = (tag, scope, content) => {
    const element = make(tag);
    if (scope) element.scope = scope;
    if (content) element.append(content);
    return element;
  };
  const head = make("tr"), body = make("tbody");
  head.append(cell("th", "col", button(any_end(), "all")), ...decisions.map((decision) => cell("th", "col", button({ outcome: -1, decision }, DECISIONS[decision]))));
  for (const outcome of outcomes) {
    const row = make("tr");
    row.append(cell("th", "row", button({ outcome, decision: -1 }, OUTCOMES[outcome])),
      ...decisions.map((decision) => cell("td", "", can(outcome, decision) ? button({ outcome, decision }) : null)));
    body.append(row);
  }
  table.append(caption, make("thead"), body);
  table.tHead.append(head);
  return { system, table, at, buttons };
}
const same_end = (one, other) => one.outcome === other.outcome && one.decision === other.decision;

function show_counts(pair, counts) {
  const key = JSON.stringify([pair, pair.map((system) => cut_of(system) === null)]);
  if (key !== counters_of) {
    counters_of = key;
    counters = pair.map(counter);
    $("counts").replaceChildren(...counters.map(({ table }) => table));
    paint();
  }
  counters.forEach(({ system, at, buttons }, k) => {
    const cut = cut_of(system);
    at.textContent = cut === null ? ", by its own decisions" : `, cutoff ${words_of_standing(system)}`;
    for (const { filter, element, count } of buttons) {
      let n = 0;
      for (let end = 0; end < 16; end++) if (fits(filter, end)) n += counts[k][end];
      const pressed = same_end(filters[k], filter);
      count.textContent = n.toLocaleString("en");
      element.dataset.filter = named_end(filter);
      element.setAttribute("aria-label", `${named_end(filter)}: ${n}`);
      element.setAttribute("aria-pressed", pressed);
      element.disabled = n === 0 && !pressed && !is_any(filter);
    }
  });
}

// -- order -------------------------------------------------------------------------------

const collator = new Intl.Collator(undefined, { numeric: true });
const text_places = new Map();
/** Numbers that sort places as their texts do; numbers are sorted as numbers. */
function text_order(name, text_at) {
  if (text_places.has(name)) return text_places.get(name);
  const texts = Array.from({ length: all_places }, (_, place) => (text_at(place) || "").slice(0, 200));
  const order = new Float64Array(all_places).fill(NaN);
  const known = [...new Set(texts)].filter(Boolean);
  const numeric = known.every((text) => text.trim() && Number.isFinite(Number(text)));
  const number = new Map(known.sort(numeric ? (a, b) => a - b : collator.compare).map((text, at) => [text, numeric ? Number(text) : at]));
  texts.forEach((text, place) => { if (text) order[place] = number.get(text); });
  text_places.set(name, order);
  return order;
}
/** Listed places by the chosen column; those without a value stay last. */
function sort_listed() {
  const column = columns().find(({ id }) => id === sorting.by) || columns()[0];
  const order = column.order(), sign = sorting.down ? -1 : 1;
  listed.sort((one, other) => {
    const a = order[one], b = order[other];
    if (a === b || (a !== a && b !== b)) return one - other;
    if (a !== a || b !== b) return a !== a ? 1 : -1;
    return sign * (a - b);
  });
}
