// Tables anywhere on the page: each can be downloaded. The parts of the script share one
// scope; reporting.py joins them in the order of SCRIPT_PARTS.

const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
document.documentElement.classList.add("scripted");

function make(tag, text, className) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  return element;
}
function make_button(text, pressed, className) {
  const button = make("button", text, className);
  button.type = "button";
  button.addEventListener("click", pressed);
  return button;
}

// A spreadsheet would run what begins like a formula; an apostrophe keeps it from that.
const FORMULA = /^'*(?:[=+@\t\r]|-(?![\d.]))/;
const csv_cell = (text) => {
  const safe = FORMULA.test(text) ? "'" + text : text;
  return /[",;\n\r\t]/.test(safe) ? '"' + safe.replaceAll('"', '""') + '"' : safe;
};
const csv_text = (rows) => "\ufeff" + rows.map((row) => row.map(csv_cell).join(",")).join("\r\n") + "\r\n";

function save(name, text, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
const save_csv = (name, rows) => save(name + ".csv", csv_text(rows), "text/csv");

for (const table of document.querySelectorAll("table:not(#list)")) {
  const caption = table.caption ? table.caption.textContent : table.parentElement.getAttribute("aria-label");
  const button = make_button("Download as CSV", () =>
    save_csv(caption.slice(0, 60), [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent))), "csv");
  button.setAttribute("aria-label", "Download as CSV: " + caption);
  table.parentElement.after(button);
}

const opened = [];
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details:not([open], .long)")) { details.open = true; opened.push(details); }
});
addEventListener("afterprint", () => { for (const details of opened.splice(0)) details.open = false; });
