/* Numbers and units --------------------------------------------------------------------------- */

const RAISED = {"0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴", "5": "⁵", "6": "⁶", "7": "⁷", "8": "⁸", "9": "⁹",
    "-": "⁻"};
const raised = text => [...String(text)].map(c => RAISED[c] || c).join("");
const times = exponent => `×10${raised(exponent)}`;

/* The power of ten that stands apart for numbers of so many digits, 0 for none. */
function powerOf(value, digits) {
  if (!Number.isFinite(value) || value === 0) return 0;
  const power = Number(value.toExponential(Math.min(20, digits - 1)).split("e")[1]);
  return power >= Math.max(digits, 6) || power < -4 ? power : 0;
}

/* Digits without an exponent. */
const flat = (value, digits) => String(Number(value.toPrecision(digits))).replace("-", "−");

function show(value, digits = 6) {
  if (value === Infinity || value === -Infinity) return value > 0 ? "∞" : "−∞";
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const power = powerOf(value, digits);
  if (power === 0) return flat(value, digits);
  const mantissa = value.toExponential(digits - 1).split("e")[0];
  return flat(Number(mantissa), digits) + times(power);
}

/* As many digits as the error, of which two are given; one power of ten for both. */
function withError(value, error, most = 17) {
  const lead = v => Math.floor(Math.log10(Math.abs(v)));
  const size = Number.isFinite(value) && error > 0 && Number.isFinite(error)
      ? Math.max(lead(error), value === 0 ? -Infinity : lead(value)) : 0;
  const power = size >= 6 || (size < -4 && size > -300) ? size : 0, unit = 10 ** power;
  const digits = size - lead(error) + 2, places = digits - 1 - (size - power);
  if (!(digits <= most) || !(error > 0)) return `${show(value, Math.min(8, most))} ± ${show(error, 2)}`;
  const step = 10 ** Math.max(0, -places), part = v => (Math.round(v / unit / step) * step).toFixed(0);
  const text = v => (places > 0 ? (v / unit).toFixed(places) : part(v)).replace("-", "−").replace(/^−(0[.0]*)$/, "$1");
  const pair = `${text(value)} ± ${powerOf(error / unit, 2) === 0 || power !== 0 ? text(error) : show(error, 2)}`;
  return power === 0 ? pair : `(${pair})${times(power)}`;
}

function prettyUnit(unit) {
  if (!unit || unit === "1") return "";
  return unit.replace(/angstrom/gi, "Å").replace(/^degrees?$/, "°").replace(/^um\b/, "µm").replace(/\^(-?\d+)/g,
      (all, n) => raised(n))
    .replace(/^1\/(\S+?)([²³⁰-⁹]*)$/, (all, base, power) => base.includes("/") ? all
      : `${base}${raised("-" + (power ? {"²": 2, "³": 3, "⁴": 4}[power] : 1))}`);
}

/* SI units of large ranges, so that numbers are readable. */
const SCALES = {
  m: [[0, 1e9, "nm"], [3e-6, 1e6, "µm"], [3e-3, 1e3, "mm"], [3, 1, "m"]],
  "m^2": [[0, 1e18, "nm^2"], [1e-14, 1e12, "µm^2"], [1e-8, 1e6, "mm^2"], [1e-2, 1, "m^2"]],
  s: [[0, 1e15, "fs"], [3e-12, 1e12, "ps"], [3e-9, 1e9, "ns"], [3e-6, 1e6, "µs"], [3e-3, 1, "s"]],
  Hz: [[0, 1, "Hz"], [1e5, 1e-6, "MHz"], [1e9, 1e-9, "GHz"], [1e12, 1e-12, "THz"]]
};
function scaleOf(unit, values) {
  const steps = SCALES[unit];
  let most = 0;
  if (!steps) return {factor: 1, unit: unit || ""};
  for (const value of values) if (Number.isFinite(value)) most = Math.max(most, Math.abs(value));
  const step = steps.filter(s => most >= s[0]).pop();
  return {factor: step[1], unit: step[2]};
}

/* The finite numbers' range. */
function rangeOf(values) {
  let low = Infinity, high = -Infinity;
  for (const v of values) if (Number.isFinite(v)) { low = Math.min(low, v); high = Math.max(high, v); }
  return [low, high];
}

/* Texts under the pointer: numbers with errors, and those that take powers of ten; null for others, which plotly.js
 * writes. */
function hoverTexts(values, errors, digits = 6) {
  if (errors) return Array.from(values, (v, n) => withError(v, errors[n], 10));
  for (const v of values) if (powerOf(v, digits) !== 0) return Array.from(values, w => show(w, digits));
  return null;
}

