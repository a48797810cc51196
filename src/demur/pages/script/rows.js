// Rows of systems: what came of each, its texts, and whether a cutoff answers it.

const OUTCOMES = ["right", "wrong", "unanswered", "ungraded"];
const UNANSWERED = 2;
const DECISIONS = ["answered", "withheld", "declined", "failed"];
const [ANSWERED, WITHHELD, DECLINED, FAILED] = DECISIONS.keys();

function rows_of(system) {
  const held = systems[system];
  if (held.ready) return held;
  held.ready = true;
  for (const name of ["item", "outcome", "declined", "failed", "repeat", "rank"]) held[name] = unpacked(held[name]);
  for (const name of Object.keys(held.groups)) held.groups[name] = unpacked(held.groups[name]);
  return held;
}
const item_of = (held, row) => (held.item ? held.item[row] : row);
// What is listed: an item, or each of its repeats if there are any.
const runs = Math.max(data.repeats.length, 1);
const place_of = (held, row) => item_of(held, row) * runs + (held.repeat ? held.repeat[row] : 0);
const item_at = (place) => Math.floor(place / runs);
const run_at = (place) => data.repeats[place % runs] || "";
const all_places = data.items.length * runs;

/** The row of a system at each place, or -1. */
function row_index(system) {
  const held = rows_of(system);
  if (!held.by_place) {
    held.by_place = new Int32Array(all_places).fill(-1);
    for (let row = held.outcome.length - 1; row >= 0; row--) held.by_place[place_of(held, row)] = row;
  }
  return held.by_place;
}
/** The rows of an item, one for each repeat. */
const rows_of_item = (system, item) =>
  Array.from(row_index(system).subarray(item * runs, (item + 1) * runs)).filter((row) => row >= 0);

/** What each row ended with: four times its outcome, and its decision. */
function ends_of(system) {
  const held = rows_of(system), cut = cut_of(system), key = `${cut}`;
  if (held.ends_at === key) return held.ends;
  held.ends_at = key;
  held.ends = held.outcome.map((outcome, row) => {
    let decision = ANSWERED;
    if (outcome === UNANSWERED) decision = held.failed && held.failed[row] ? FAILED : DECLINED;
    else if (cut === null) decision = held.declined && held.declined[row] ? DECLINED : ANSWERED;
    else if (held.rank[row] <= cut) decision = WITHHELD;
    return 4 * outcome + decision;
  });
  return held.ends;
}
/** What came of a row, in the words of demur items. */
const words_of_end = (end) => `${OUTCOMES[end >> 2]}, ${DECISIONS[end & 3]}`;

function confidence_of(system, row, written = number_words) {
  const held = rows_of(system), curve = whole_curve(system);
  if (!held.rank || !held.rank[row]) return "";
  return (curve.all ? "" : "at least ") + written(curve.cutoffs[held.rank[row] - 1]);
}

// -- texts -------------------------------------------------------------------------------

const texts_of_item = (item) => data.texts.items[item] || [null, null];
const texts_of_row = (system, row) => (row < 0 ? null : data.texts.rows[`${system}:${row}`]) || [null, null];
const hidden_marks = /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
const visible = (text) => text.replace(hidden_marks, (mark) => `[U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);
function words(text, className) {
  const element = make("span", visible(text), className || "words");
  element.dir = "auto";
  return element;
}
/** A text; of one with more than so many characters the beginning, which opens all. */
function openable(text, most) {
  if (text.length <= most) return words(text);
  const details = make("details", undefined, "long"), summary = make("summary");
  const beginning = text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  summary.append(words(beginning + "…", "start"), make("span", `all ${text.length.toLocaleString("en")} characters`, "more"));
  details.append(summary);
  details.addEventListener("toggle", () => {
    // The whole text may be long: it is in the page only while it is open.
    details.querySelector(".words")?.remove();
    if (!details.open) return;
    const whole = words(text);
    whole.tabIndex = 0; // it may scroll
    details.append(whole);
  });
  return details;
}
function link_to(item) {
  const link = make("a");
  link.href = "#item=" + encodeURIComponent(data.items[item]);
  link.append(words(data.items[item], "id"));
  return link;
}
