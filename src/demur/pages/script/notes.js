// A reader's notes: one for an item, kept in this browser, written and read as files.

const notes = new Map();
const NOTES_KEY = "demur-notes-" + data.digest;
let storage_refused = false;
let note_seen = ""; // of the item that is shown: what this window last read or wrote

function tell(text) {
  $("notes-said").textContent = text;
}
function not_kept() {
  storage_refused = true;
  $("notes-kept").textContent = "This browser refuses to keep notes: save them as a file before you close the page.";
}
/** What this browser has kept, also what another window has written since. */
function load_notes() {
  if (storage_refused) return;
  try {
    const kept = JSON.parse(localStorage.getItem(NOTES_KEY) || "[]");
    notes.clear();
    for (const [item, note] of kept) notes.set(String(item), String(note));
  } catch { not_kept(); }
}
function keep_notes() {
  if (storage_refused) return;
  try {
    if (notes.size) localStorage.setItem(NOTES_KEY, JSON.stringify([...notes])); else localStorage.removeItem(NOTES_KEY);
  } catch { not_kept(); }
}
/** Of two notes on one item both stay. */
const both_notes = (here, other) => !here || other.includes(here) ? other : here.includes(other) ? here : `${here}\n${other}`;
/** What is typed; what another window has written meanwhile stays before it. */
function type_note() {
  const item = data.items[item_shown];
  load_notes();
  const here = notes.get(item) || "";
  if (here !== note_seen) $("note").value = both_notes(here, $("note").value);
  const text = $("note").value;
  if (text.trim()) notes.set(item, text); else notes.delete(item);
  note_seen = notes.get(item) || "";
  keep_notes();
}
function show_note() {
  note_seen = notes.get(data.items[item_shown]) || "";
  $("note").value = note_seen;
}
/** Both places in which notes are seen, after they have changed. */
function show_notes() {
  $("notes-name").textContent = notes.size ? `Notes (${notes.size.toLocaleString("en")})` : "Notes";
  if (item_shown >= 0 && (document.activeElement !== $("note") || !document.hasFocus())) show_note();
  select_items();
  show_items();
}

// -- as files ----------------------------------------------------------------------------

/** Notes in the order of the items. */
const listed_notes = () => data.items.filter((item) => notes.has(item)).map((item) => [item, notes.get(item)]);
const save_notes_csv = () => save_csv("notes", [["item", "note"], ...listed_notes()]);
const save_notes_json = () =>
  save("notes.json", JSON.stringify({ page: data.digest, notes: listed_notes().map(([item, note]) => ({ item, note })) }, null, 1) + "\n", "application/json");

/** Cells of delimited text, as spreadsheets write it: comma, semicolon or tab. */
function parsed_csv(text) {
  const delimiter = (/^"?item"?([,;\t])/i.exec(text) || [, ","])[1];
  const parsed = [[]];
  let cell = "", quoted = false;
  const finish = () => { parsed.at(-1).push(FORMULA.test(cell.slice(1)) && cell.startsWith("'") ? cell.slice(1) : cell); cell = ""; };
  for (let i = 0; i < text.length; i++) {
    const mark = text[i];
    if (quoted) {
      if (mark !== '"') cell += mark;
      else if (text[i + 1] === '"') { cell += mark; i++; }
      else quoted = false;
    } else if (mark === '"' && cell === "") quoted = true;
    else if (mark === delimiter) finish();
    else if (mark === "\n" || mark === "\r") {
      if (mark === "\r" && text[i + 1] === "\n") i++;
      finish();
      parsed.push([]);
    } else cell += mark;
  }
  if (cell || parsed.at(-1).length) finish();
  return parsed.filter((row) => row.some(Boolean));
}
/** Pairs of item and note in a file's text; an error says why there are none. */
function notes_in(text) {
  if (/^\s*[[{]/.test(text)) {
    let held;
    try { held = JSON.parse(text); } catch { throw new Error("it is no whole JSON"); }
    const records = Array.isArray(held) ? held : held.notes;
    if (!Array.isArray(records) || !records.every((record) => record && typeof record.item === "string" && typeof record.note === "string"))
      throw new Error("it has no list of notes, each with an item and a note as text");
    return records.map(({ item, note }) => [item, note]);
  }
  const [head, ...records] = parsed_csv(text);
  const [item, note] = ["item", "note"].map((name) => (head || []).findIndex((cell) => cell.trim().toLowerCase() === name));
  if (item < 0 || note < 0) throw new Error("its first line names no columns item and note");
  return records.map((record) => [record[item] || "", record[note] || ""]);
}
/** Notes of a file join those that are here. */
function take_notes(name, text) {
  let read;
  try { read = notes_in(text); } catch (why) { tell(`${name} is not read: ${why.message}.`); return; }
  load_notes();
  const known = new Set(data.items);
  let taken = 0, strange = 0;
  for (const [item, note] of read) {
    if (!note.trim()) continue;
    if (!known.has(item)) { strange++; continue; }
    notes.set(item, both_notes(notes.get(item) || "", note));
    taken++;
  }
  keep_notes();
  tell(`${name}: ${taken} ${taken === 1 ? "note" : "notes"} read${strange ? `, ${strange} left out, since their items are not on this page` : ""}.`);
  show_notes();
}
async function read_notes_file() {
  const [file] = $("notes-file").files;
  if (!file) return;
  const bytes = await file.arrayBuffer();
  let text;
  try { text = new TextDecoder("utf-8", { fatal: true }).decode(bytes); } catch { text = new TextDecoder("windows-1252").decode(bytes); }
  $("notes-file").value = "";
  take_notes(file.name, text);
}
