// What readers touch, and the state in which the page opens.

const option = (value, text) => { const one = make("option", text); one.value = value; return one; };
for (const system of with_curve) $("focus").append(option(system, names[system]));
for (const id of ["first", "second"]) names.forEach((name, system) => $(id).append(option(system, visible(name))));
$("first").value = first_pair[0];
$("second").value = first_pair[1];
for (const column of Object.keys(data.codes)) {
  const select = make("select");
  select.dataset.column = column;
  select.setAttribute("aria-label", visible(column));
  select.append(option("", visible(column) + ": any"), ...data.codes[column].map((value, code) => option(code, visible(value))));
  $("columns").append(select, " ");
}
/** The list is narrowed to the group whose curves are seen. */
function show_group(group) {
  for (const select of document.querySelectorAll("#columns select")) {
    const { column, value } = data.groups[group] || {};
    select.value = select.dataset.column === column ? data.codes[column].indexOf(value) : "";
  }
  list_anew();
}

boxes.forEach((check, system) => {
  check.disabled = false;
  check.addEventListener("change", () => {
    if (check.checked) on.add(system); else on.delete(system);
    paths(system, check.checked);
    paint();
    if (!check.checked && system === state.focus) {
      const other = with_curve.find((i) => on.has(i));
      if (other !== undefined) { focus_on(other, present()); return; }
    }
    soon();
  });
  paths(system, check.checked);
});
now.replaceChildren(...data.order.map((system) => rows[system]));
if (start !== undefined) plot.append(line, ...handles);
$("cut-controls").hidden = start === undefined;
$("follow").parentElement.hidden = with_curve.length < 2;
for (const kind of ["pointerdown", "keydown", "change", "input"]) addEventListener(kind, () => { moved = true; }, { capture: true });
load_notes();
show();
if (start !== undefined) {
  focus_on(start, data.at);
  $("slider").addEventListener("input", () => move(Number($("slider").value)));
  $("focus").addEventListener("change", () => { switch_on(Number($("focus").value)); focus_on(Number($("focus").value), present()); });
  $("follow").addEventListener("change", stay);
  $("cutoff").addEventListener("change", type_cutoff);
  $("cutoff").addEventListener("keydown", (event) => { if (event.key === "Enter") type_cutoff(); });
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

$("item-controls").hidden = false;
// At a cutoff a system's own decisions count for nothing; where there are none it has no other.
$("own").parentElement.hidden = !with_curve.some((system) => systems[system].declined);
for (const id of ["first", "second"]) $(id).addEventListener("change", () => { paint(); list_anew(); show_item(); });
for (const id of ["changed", "noted"]) $(id).addEventListener("change", list_anew);
$("own").addEventListener("change", () => { state.own = $("own").checked; list_anew(); show_item(); });
$("columns").addEventListener("change", list_anew);
$("search").addEventListener("input", list_anew);
if (window.requestIdleCallback) $("search").addEventListener("focus", () => fold_ahead(), { once: true });
$("all").addEventListener("click", () => { set_filters([], new Map([["first", names[$("first").value]], ["second", names[$("second").value]]])); list_anew(); });
$("back").addEventListener("click", () => { page--; show_items(); });
$("on").addEventListener("click", () => { page++; show_items(); });
$("items-csv").addEventListener("click", items_csv);
for (const button of document.querySelectorAll(".copy-link")) button.addEventListener("click", copy_link);

$("item-close").addEventListener("click", close_item);
$("item-back").addEventListener("click", () => open_item(item_beside(-1)));
$("item-on").addEventListener("click", () => open_item(item_beside(1)));
$("note").addEventListener("input", () => { type_note(); show_notes(); });
$("notes-csv").addEventListener("click", save_notes_csv);
$("notes-json").addEventListener("click", save_notes_json);
$("notes-file").addEventListener("change", read_notes_file);
addEventListener("storage", (event) => { if (event.key === NOTES_KEY) { load_notes(); show_notes(); } });

show_notes();
paint();
addEventListener("hashchange", follow);
follow();
