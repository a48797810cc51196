// Examples on both sides of the cutoff.

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
function labelled(label, text, most) {
  const part = make("p", label + ": ");
  part.append(openable(text, most));
  return part;
}
function example(system, row) {
  const held = rows_of(system), item = item_of(held, row), entry = make("li");
  const head = make("p");
  head.append(link_to(item), held.repeat ? `, repeat ${run_at(place_of(held, row))} ` : " ", make("span", OUTCOMES[held.outcome[row]], "tag-" + held.outcome[row]), ` at ${confidence_of(system, row, short_number)}`);
  entry.append(head);
  const [input, reference] = texts_of_item(item), [response] = texts_of_row(system, row);
  for (const [label, text] of [["asked", input], ["answer", response], ["reference", reference]]) {
    if (text) entry.append(labelled(label, text, 300));
  }
  return entry;
}
let last_example = "";
function examples() {
  const cut = cut_of(state.focus, false), held = by_rank(state.focus);
  const key = [state.focus, cut, state.group].join(":");
  if (key === last_example) return;
  last_example = key;
  $("examples").hidden = !held.order || cut === null;
  if ($("examples").hidden) return;
  let wanted = () => true;
  if (state.group >= 0) {
    const group = data.groups[state.group], code = data.codes[group.column].indexOf(group.value);
    wanted = (row) => held.groups[group.column][row] === code;
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
