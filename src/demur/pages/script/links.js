// Links: the address holds the cutoffs, the filters and the open item.

let moved = false; // until a reader has touched something the address stays as it is

/** The address of what is seen: what is as the page opens is left out. */
function fragment() {
  const parts = [];
  if (item_shown >= 0) parts.push(["item", data.items[item_shown]]);
  if (state.focus >= 0) {
    const seen = new Set([...on, ...compared()]);
    const others = following() ? [] : with_curve.filter((system) => system !== state.focus && seen.has(system));
    for (const system of [...others, state.focus]) {
      const curve = curve_of(system);
      if (curve && curve.vertices) parts.push(["system", names[system]], ["cutoff", words_of_standing(system).replace(NEVER, "never")]);
    }
    if (!following()) parts.push(["follow", "no"]);
    if (state.group >= 0) parts.push(["group", `${data.groups[state.group].column}=${data.groups[state.group].value}`]);
  }
  parts.push(...filter_parts());
  return "#" + parts.map(([key, value]) => key + "=" + encodeURIComponent(value)).join("&");
}
function filter_parts() {
  const parts = [], pair = ["first", "second"].map((id) => Number($(id).value));
  if (pair.join() !== first_pair.join()) parts.push(["first", names[pair[0]]], ["second", names[pair[1]]]);
  if (state.own) parts.push(["decisions", "own"]);
  filters.forEach((filter, k) => {
    if (filter.outcome >= 0) parts.push([`outcome-${k + 1}`, OUTCOMES[filter.outcome]]);
    if (filter.decision >= 0) parts.push([`decision-${k + 1}`, DECISIONS[filter.decision]]);
  });
  if ($("changed").value) parts.push(["differ", $("changed").value]);
  if ($("noted").checked) parts.push(["noted", "yes"]);
  if ($("search").value.trim()) parts.push(["search", $("search").value.trim()]);
  for (const select of document.querySelectorAll("#columns select")) {
    if (select.value !== "") parts.push(["where", `${select.dataset.column}=${data.codes[select.dataset.column][select.value]}`]);
  }
  if (sorting.by !== "no" || sorting.down) parts.push(["sort", (sorting.down ? "-" : "") + sorting.by]);
  return parts;
}
function remember() {
  if (!moved) return;
  later("address", 200, () => {
    try { history.replaceState(null, "", fragment()); } catch { /* a page in a sandbox keeps its address */ }
  });
}

// -- a link that is followed -------------------------------------------------------------

function parts_of(hash) {
  return hash.slice(1).split("&").map((part) => {
    const [key, ...rest] = part.split("=");
    let value = rest.join("=");
    try { value = decodeURIComponent(value); } catch { /* as it stands */ }
    return [key, value];
  });
}
const OF_FILTERS = ["first", "second", "decisions", "outcome-1", "outcome-2", "decision-1", "decision-2", "differ", "noted", "search", "where", "sort"];
/** What a link names and the page does not have. */
function unknown_parts(parts) {
  const where = (value) => Object.entries(data.codes).some(([column, values]) => values.some((one) => `${column}=${one}` === value));
  const known = {
    system: (value) => names.includes(value),
    first: (value) => names.includes(value),
    second: (value) => names.includes(value),
    item: (value) => data.items.includes(value),
    group: (value) => data.groups.some((group) => `${group.column}=${group.value}` === value),
    where,
    cutoff: (value) => !read_cutoff(value, true).refused,
  };
  return parts.filter(([key, value]) => known[key] && !known[key](value)).map(([key, value]) => `${key} “${visible(value)}”`);
}
function follow(change) {
  // The address may have been written anew since the link was followed.
  const hash = change ? new URL(change.newURL).hash : location.hash;
  const parts = parts_of(hash), all = new Map(parts), unknown = unknown_parts(parts);
  if (unknown.length) $("link-said").textContent = `The link names what this page does not have: ${unknown.join(", ")}.`;
  if (all.has("cutoff")) follow_cutoffs(parts, all);
  if (OF_FILTERS.some((key) => all.has(key))) { set_filters(parts, all); list_anew(); }
  const item = all.has("item") ? data.items.indexOf(all.get("item")) : -1;
  if (item >= 0) open_item(item);
}
function follow_cutoffs(parts, all) {
  if (all.has("group") && $("group")) {
    const group = data.groups.findIndex(({ column, value }) => `${column}=${value}` === all.get("group"));
    if (group >= 0) { $("group").value = group; set_group(group); }
  }
  $("follow").checked = all.get("follow") !== "no";
  let system = state.focus;
  for (const [key, value] of parts) {
    if (key === "system") system = with_curve.includes(names.indexOf(value)) ? names.indexOf(value) : state.focus;
    if (key !== "cutoff" || system < 0) continue;
    const { value: typed, refused } = read_cutoff(value, systems[system].fractions), curve = curve_of(system);
    if (refused || !curve || !curve.vertices) continue;
    switch_on(system);
    focus_on(system, 1);
    move(vertex_at(curve, typed), typed);
  }
}
/** Filters as a link has them; what it does not name is as the page opens. */
function set_filters(parts, all) {
  const system_of = (key, usual) => { const at = names.indexOf(all.get(key)); return at < 0 ? usual : at; };
  $("first").value = system_of("first", first_pair[0]);
  $("second").value = system_of("second", first_pair[1]);
  state.own = all.get("decisions") === "own";
  $("own").checked = state.own;
  for (const k of [0, 1]) filters[k] = { outcome: OUTCOMES.indexOf(all.get(`outcome-${k + 1}`)), decision: DECISIONS.indexOf(all.get(`decision-${k + 1}`)) };
  $("changed").value = ["outcome", "end"].includes(all.get("differ")) ? all.get("differ") : "";
  $("noted").checked = all.get("noted") === "yes";
  $("search").value = all.get("search") || "";
  const wanted = parts.filter(([key]) => key === "where").map(([, value]) => value);
  for (const select of document.querySelectorAll("#columns select")) {
    const { column } = select.dataset, code = data.codes[column].findIndex((value) => wanted.includes(`${column}=${value}`));
    select.value = code < 0 ? "" : code;
  }
  const sort = all.get("sort") || "no";
  sorting.down = sort.startsWith("-");
  sorting.by = sort.replace(/^-/, "");
  paint();
}
/** Puts a link to what is seen on the clipboard; where that is refused, in a field to copy. */
async function copy_link({ currentTarget: button }) {
  const text = location.href.split("#")[0] + fragment();
  try {
    await navigator.clipboard.writeText(text);
    $("link-said").textContent = "The link is copied.";
    $("link").hidden = true;
    const usual = button.dataset.usual ??= button.textContent;
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = usual; }, 2000);
  } catch {
    $("link-said").textContent = "Copy the link from here:";
    $("link").hidden = false;
    $("link").value = text;
    $("link").focus();
    $("link").select();
  }
}
