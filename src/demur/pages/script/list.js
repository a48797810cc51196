// The list of items, and one item with all that is known of it.

const PAGE = 25, SHORT = 300, WHOLE = 20000;
let page = 0;
const held_texts = [0, 1].map((field) => Object.values(data.texts.items).some((texts) => texts[field]));
const row_at = (system, place) => row_index(system)[place];
const by_place = (value) => Float64Array.from({ length: all_places }, (_, place) => value(place));
const order_of_places = by_place((place) => place);

/** The columns of the list: how each is named, sorted and filled. */
function columns() {
  const listed_columns = [
    { id: "no", name: "no.", unbroken: true, order: () => order_of_places, cell: (place) => [String(item_at(place) + 1)] },
    { id: "item", name: "item", order: () => text_order("item", (place) => data.items[item_at(place)]), cell: (place) => [link_to(item_at(place))] },
  ];
  if (data.repeats.length) listed_columns.push({ id: "repeat", name: "repeat", order: () => by_place((place) => place % runs), cell: (place) => [run_at(place)] });
  ["asked", "reference"].forEach((name, field) => {
    const text_at = (place) => texts_of_item(item_at(place))[field];
    if (held_texts[field]) listed_columns.push({ id: name, name, order: () => text_order(name, text_at), cell: (place) => texts_in([text_at(place)]) });
  });
  compared().forEach((system, k) => listed_columns.push(...columns_of(system, k)));
  if (notes.size) {
    const note_at = (place) => notes.get(data.items[item_at(place)]) || "";
    listed_columns.push({ id: "note", name: "note", order: () => { text_places.delete("note"); return text_order("note", note_at); }, cell: (place) => texts_in([note_at(place)]) });
  }
  return listed_columns;
}
function columns_of(system, k) {
  const held = rows_of(system), ends = ends_of(system);
  const or_none = (value) => by_place((place) => (row_at(system, place) < 0 ? NaN : value(row_at(system, place))));
  const of_system = [{ id: `outcome-${k}`, name: "outcome", system, unbroken: true, order: () => or_none((row) => ends[row]), cell: (place) => end_in(system, row_at(system, place)) }];
  if (held.rank) of_system.push({ id: `confidence-${k}`, name: "confidence", system, unbroken: true, from_high: true, order: () => or_none((row) => held.rank[row] || NaN), cell: (place) => (row_at(system, place) < 0 ? [] : [confidence_of(system, row_at(system, place), short_number)]) });
  if (has_responses(system)) of_system.push({ id: `response-${k}`, name: "response", system, order: () => text_order(`response ${system}`, (place) => texts_of_row(system, row_at(system, place))[0]), cell: (place) => texts_in(texts_of_row(system, row_at(system, place))) });
  return of_system;
}
const with_responses = new Set(Object.keys(data.texts.rows).map((key) => Number(key.split(":")[0])));
const has_responses = (system) => with_responses.has(system);
const texts_in = (texts) => texts.filter(Boolean).map((text) => openable(text, SHORT));
function end_in(system, row) {
  if (row < 0) return ["not asked"];
  const held = rows_of(system), outcome = held.outcome[row];
  const end = make("span", words_of_end(ends_of(system)[row]), "tag-" + outcome);
  const own = held.declined && held.declined[row] && outcome !== UNANSWERED && cut_of(system) !== null;
  return own ? [end, make("span", "declined by itself", "aside")] : [end];
}

// -- the list ----------------------------------------------------------------------------

let head_of = "";
/** Headers that sort; they stay while their columns do, so that a key press keeps its place. */
function show_head(listed_columns) {
  const key = JSON.stringify(listed_columns.map(({ id, system }) => [id, system]));
  if (key !== head_of) {
    head_of = key;
    const above = make("tr"), below = make("tr");
    for (const column of listed_columns) {
      const { id, name, system } = column, head = make("th");
      head.scope = "col";
      head.dataset.column = id;
      const button = make_button(name, () => sort_by(column), "sort");
      button.setAttribute("aria-label", system === undefined ? name : `${name} of ${visible(names[system])}`);
      head.append(button);
      if (system === undefined) { head.rowSpan = 2; above.append(head); continue; }
      below.append(head);
      if (!id.startsWith("outcome")) continue;
      const over = make("th");
      over.append(make("bdi", visible(names[system])));
      over.scope = "colgroup";
      over.colSpan = listed_columns.filter((other) => other.system === system).length;
      above.append(over);
    }
    $("list").tHead.replaceChildren(above, below);
  }
  for (const head of $("list").tHead.querySelectorAll("[data-column]")) {
    const sorted = head.dataset.column === sorting.by;
    if (sorted) head.setAttribute("aria-sort", sorting.down ? "descending" : "ascending"); else head.removeAttribute("aria-sort");
  }
}
function sort_by({ id, from_high }) {
  sorting.down = sorting.by === id ? !sorting.down : Boolean(from_high);
  sorting.by = id;
  sort_listed();
  page = 0;
  show_items();
}
function show_items() {
  const listed_columns = columns();
  page = Math.max(0, Math.min(page, Math.ceil(listed.length / PAGE) - 1));
  show_head(listed_columns);
  $("list").tBodies[0].replaceChildren(...listed.slice(page * PAGE, (page + 1) * PAGE).map((place) => {
    const row = make("tr");
    for (const { id, cell, unbroken } of listed_columns) {
      const part = make(id === "item" ? "th" : "td", undefined, unbroken ? "unbroken" : "");
      if (id === "item") part.scope = "row";
      part.append(...cell(place));
      row.append(part);
    }
    return row;
  }));
  const last = Math.min(listed.length, (page + 1) * PAGE);
  $("place").textContent = listed.length ? `${page * PAGE + 1} to ${last} of ${listed.length} ${runs > 1 ? "repeats of items" : "items"}` : "no item";
  $("back").disabled = page === 0;
  $("on").disabled = last >= listed.length;
  remember();
}
/** After a filter: from the first page. After a cutoff has moved: where the reader is. */
function list_anew() {
  page = 0;
  select_items();
  show_items();
}
let listed_at = "";
function items_later() {
  const key = JSON.stringify(compared().map((system) => cut_of(system)));
  if (key === listed_at) return;
  listed_at = key;
  later("items", 120, () => { select_items(); show_items(); show_item(); });
}
function items_csv() {
  const pair = compared(), repeated = data.repeats.length ? ["repeat"] : [];
  // A system that decides by itself has one column more.
  const of_system = (system) => ["outcome", "decision", ...(rows_of(system).declined ? ["declined"] : []), "confidence", "response", "reason"];
  const head = ["item", ...repeated, "input", "reference", ...pair.flatMap((system) => of_system(system).map((what) => `${names[system]}: ${what}`)), "note"];
  save_csv("items", [head, ...listed.map((place) => [
    data.items[item_at(place)], ...repeated.map(() => run_at(place)), ...texts_of_item(item_at(place)).map((text) => text || ""),
    ...pair.flatMap((system) => {
      const row = row_at(system, place), held = rows_of(system);
      if (row < 0) return of_system(system).map(() => "");
      const declined = held.declined ? [held.declined[row] ? "true" : "false"] : [];
      return [OUTCOMES[held.outcome[row]], DECISIONS[ends_of(system)[row] & 3], ...declined, confidence_of(system, row), ...texts_of_row(system, row).map((text) => text || "")];
    }),
    notes.get(data.items[item_at(place)]) || "",
  ])]);
}

// -- one item ----------------------------------------------------------------------------

let item_shown = -1, opener = null;
function open_item(item) {
  if (!$("item").contains(document.activeElement)) opener = document.activeElement;
  item_shown = item;
  $("item").hidden = false;
  show_note();
  show_item();
  $("item").focus();
  $("item").scrollIntoView({ block: "start" });
  remember();
}
function close_item() {
  item_shown = -1;
  $("item").hidden = true;
  if (opener && opener.isConnected) opener.focus();
  remember();
}
/** What is known of the open item, at the cutoffs of now. */
function show_item() {
  const item = item_shown, body = make("tbody"), table = make("table");
  if (item < 0) return;
  $("item-name").replaceChildren("Item ", words(data.items[item], "id"));
  const texts = texts_of_item(item);
  $("item-texts").replaceChildren(...["asked", "reference"].map((label, field) => [label, texts[field]])
    .filter(([, text]) => text).map(([label, text]) => labelled(label, text, WHOLE)));
  table.append(make("caption", "What each system made of it"), body);
  for (const system of names.keys()) {
    for (const row of rows_of_item(system, item)) {
      const entry = make("tr"), label = make("th"), end = make("td"), said = make("td");
      label.scope = "row";
      label.append(words(names[system], "id"));
      if (rows_of(system).repeat) label.append(`, repeat ${run_at(place_of(rows_of(system), row))}`);
      const confidence = confidence_of(system, row);
      end.append(...end_in(system, row), confidence ? ` at ${confidence}` : "");
      said.append(...texts_of_row(system, row).filter(Boolean).map((text) => openable(text, WHOLE)));
      entry.append(label, end, said);
      body.append(entry);
    }
  }
  $("item-rows").replaceChildren(table);
  show_cluster(item);
  const place = listed.findIndex((listed_place) => item_at(listed_place) === item);
  $("item-back").disabled = !(place > 0);
  $("item-on").disabled = item_beside(1) < 0;
}
/** The item before or after the open one in the list; -1 if there is none. */
function item_beside(step) {
  let at = listed.findIndex((place) => item_at(place) === item_shown);
  if (at < 0) return -1;
  while (at >= 0 && at < listed.length && item_at(listed[at]) === item_shown) at += step;
  return at >= 0 && at < listed.length ? item_at(listed[at]) : -1;
}

const MOST_OF_CLUSTER = 500;
/** The items that belong together with one, such as the turns of its dialogue. */
function show_cluster(item) {
  const details = $("cluster"), code = data.clusters ? cluster_codes()[item] : -1;
  details.hidden = code < 0 || code >= data.clusters.names.length;
  details.open = false;
  if (details.hidden) return;
  const members = [];
  cluster_codes().forEach((other, at) => { if (other === code) members.push(at); });
  details.hidden = members.length < 2;
  const first_of = members.length > MOST_OF_CLUSTER ? `, the first ${MOST_OF_CLUSTER} of them` : "";
  $("cluster-name").textContent = `All ${members.length.toLocaleString("en")} items of ${visible(data.clusters.names[code])}, in order${first_of}`;
  $("cluster-items").replaceChildren();
  details.ontoggle = () => $("cluster-items").replaceChildren(...(details.open ? members.slice(0, MOST_OF_CLUSTER).map(member) : []));
}
const cluster_codes = () => (data.clusters.codes ??= unpacked(data.clusters.of));
function member(item) {
  const entry = make("li"), [input] = texts_of_item(item);
  entry.append(link_to(item));
  if (input) entry.append(labelled("asked", input, WHOLE));
  for (const system of compared()) {
    for (const row of rows_of_item(system, item)) {
      const part = make("p"), [response] = texts_of_row(system, row);
      part.append(visible(names[system]), ": ", ...end_in(system, row));
      if (response) part.append(" ", openable(response, WHOLE));
      entry.append(part);
    }
  }
  return entry;
}
