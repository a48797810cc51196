// What the library computed of curves, looked up: vertices, rates, cutoffs.

if (!data) return; // a page without outcomes has tables only

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
const whole_curve = (system) => opened_curve(systems[system].curve);
const curve_of = (system) =>
  state.group < 0 ? whole_curve(system) : opened_curve(data.groups[state.group].curves[system]);

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
/** The vertex of a cutoff; null is silence. */
const vertex_at = (curve, cutoff) => (cutoff === null ? curve.vertices - 1 : first_at(curve, cutoff));
const NEVER = "never answer";
const is_silent = (curve, vertex) => vertex >= curve.cutoffs.length;
const number_words = (value) => String(value).replace("Infinity", "inf");
/** A cutoff in the fewest digits that answer the same; in all, if not every cutoff is listed. */
function words_of_cutoff(curve, vertex) {
  if (is_silent(curve, vertex)) return NEVER;
  const cutoff = curve.cutoffs[vertex];
  for (let digits = 1; curve.all && Number.isFinite(cutoff) && digits < 17; digits++) {
    const short = Number(cutoff.toPrecision(digits));
    if (first_at(curve, short) === vertex) return number_words(short);
  }
  return number_words(cutoff);
}
/** A confidence to look at: four digits are enough to compare. */
const short_number = (value) => number_words(Number.isFinite(value) ? Number(value.toPrecision(4)) : value);
const shown = (value) => (value === null || value === undefined ? "-" : value.toFixed(3));
const percent = (value) => (100 * value).toFixed(1) + " %";

const NUMBER = /^([+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+))(e[+-]?\d+)?\s*(%?)$/;

/** What a typed cutoff says: a confidence (null is silence), or why it is refused. */
function read_cutoff(text, fractions) {
  const typed = text.normalize("NFKC").replaceAll("\u2212", "-").trim().toLowerCase();
  const quoted = `“${visible(text.trim())}”`;
  if (/^never( answer)?$/.test(typed)) return { value: null };
  const infinite = /^([+-]?)(?:inf|infinity|∞)$/.exec(typed);
  if (infinite) return { value: infinite[1] === "-" ? -Infinity : Infinity };
  const found = NUMBER.exec(typed);
  if (!typed) return { refused: "Nothing is typed: a confidence is needed, or the word never." };
  if (!found) return { refused: `${quoted} is no confidence: type a number${fractions ? " such as 0.7, 0,7 or 70%" : ""}, or the word never.` };
  const [, digits, power, sign] = found;
  if (/^[+-]?[1-9]\d{0,2},\d{3}$/.test(digits)) return { refused: `${quoted} has two readings: type ${digits.replace(",", "")} or ${digits.replace(",", ".")}.` };
  const number = digits.replace(",", ".");
  if (!sign) return { value: Number(number + (power || "")) };
  if (!fractions) return { refused: `${quoted} is a percentage, and the confidences of this system are not all from 0 to 1: type a plain number.` };
  return { value: power ? Number(number + power) / 100 : Number(number + "e-2") };
}
