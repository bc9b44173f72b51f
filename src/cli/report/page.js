"use strict";
/* The page of `sonde report`: figures of the results in #data, drawn by plotly.js. Texts of files are only ever set as
 * text, or escaped for plotly.js, which reads a few tags. */
(() => {
const report = JSON.parse(document.getElementById("data").textContent);
const main = document.getElementById("main");
const root = document.documentElement;
const COLORS = ["#1f77b4", "#d95f02", "#1b9e77", "#9467bd", "#d62728", "#8c6d31", "#17a2b8", "#e377c2"];
const DASHES = ["solid", "dash", "dot", "dashdot", "longdash"];
const FROM = {x: 1.4, y: -1.5, z: 0.8}; /* the eye of views in space */
const MOST_ROWS = 200; /* of a table on the page; the CSV file has all */
const SEQUENTIAL = [[0, "#ffffff"], [0.2, "#fde725"], [0.4, "#5ec962"], [0.6, "#21918c"], [0.8, "#3b528b"], [1, "#440154"]];
const DIVERGING = [[0, "#3b4cc0"], [0.25, "#8db0fe"], [0.5, "#dddddd"], [0.75, "#f49a7b"], [1, "#b40426"]];

root.dataset.errors = "0";
window.addEventListener("error", () => { root.dataset.errors = String(Number(root.dataset.errors) + 1); });
window.addEventListener("unhandledrejection", () => { root.dataset.errors = String(Number(root.dataset.errors) + 1); });

/* Elements ------------------------------------------------------------------------------------ */

function element(tag, properties, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (name in made && name !== "list") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

function download(name, text) {
  const link = element("a", {href: URL.createObjectURL(new Blob([text], {type: "text/plain"})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function copyButton(text) {
  const button = element("button", {type: "button"}, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch (failure) { /* pages from files are not always allowed to */
      const area = element("textarea", {value: text});
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  return button;
}

function table(head, rows) {
  return element("div", {className: "wide"}, element("table", {},
    element("thead", {}, element("tr", {}, ...head.map(text => element("th", {scope: "col"}, text)))),
    element("tbody", {}, ...rows.map(row => element("tr", {}, ...row.map(cell =>
      element("td", {className: typeof cell === "number" || /^[−-]?[0-9][^a-z]{0,40}$/i.test(cell) ? "number" : ""}, String(cell))))))));
}

/* Numbers and units --------------------------------------------------------------------------- */

const RAISED = {"0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴", "5": "⁵", "6": "⁶", "7": "⁷", "8": "⁸", "9": "⁹", "-": "⁻"};
const raised = text => [...String(text)].map(c => RAISED[c] || c).join("");

function show(value, digits = 6) {
  if (value === null || !Number.isFinite(value)) return "–";
  const text = String(Number(value.toPrecision(digits)));
  const parts = text.split("e");
  return (parts.length === 1 ? text : `${parts[0]}×10${raised(parts[1].replace("+", ""))}`).replace(/^-/, "−");
}

/* As many digits as the error, of which two are given. */
function withError(value, error) {
  const digits = error > 0 && Number.isFinite(value) && value !== 0 ? Math.min(17, Math.max(2, Math.floor(Math.log10(Math.abs(value))) - Math.floor(Math.log10(error)) + 2)) : 8;
  return `${show(value, digits)} ± ${show(error, 2)}`;
}

function prettyUnit(unit) {
  if (!unit || unit === "1") return "";
  return unit.replace(/angstrom/gi, "Å").replace(/^degrees?$/, "°").replace(/\^(-?\d+)/g, (all, n) => raised(n))
    .replace(/^1\/(\S+?)([²³⁰-⁹]*)$/, (all, base, power) => base.includes("/") ? all : `${base}${raised("-" + (power ? {"²": 2, "³": 3, "⁴": 4}[power] : 1))}`);
}

/* SI units of large ranges, so that numbers are readable. */
const SCALES = {
  m: [[0, 1e9, "nm"], [3e-6, 1e6, "µm"], [3e-3, 1e3, "mm"], [3, 1, "m"]],
  "m^2": [[0, 1e18, "nm^2"], [1e-14, 1e12, "um^2"], [1e-8, 1e6, "mm^2"], [1e-2, 1, "m^2"]],
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

/* For plotly.js, which takes some tags in texts. */
const plain = text => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
/* A text for plotly.js in lines of about so many characters. */
function broken(text, most) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines[lines.length - 1];
    if (line && line.length + word.length + 1 > most) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines.join("<br>");
}
const withUnit = (name, unit) => prettyUnit(unit) ? `${name} (${prettyUnit(unit)})` : name;
const last = path => path.slice(path.lastIndexOf("/") + 1);
const words = name => name.replace(/_/g, " ");

function numbers(item) {
  if (item.values) return item.values;
  if (!item.data) return item.values = new Float64Array(0);
  const text = atob(item.data), bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; ++k) bytes[k] = text.charCodeAt(k);
  item.values = item.type === "f4" ? Float64Array.from(new Float32Array(bytes.buffer)) : new Float64Array(bytes.buffer);
  item.data = null;
  return item.values;
}

/* Long names of sonde have the unit of axes in parentheses. */
function nameOf(item) {
  const name = item.long_name || words(last(item.path));
  return name.replace(/ \((1\/)?(Angstrom|eV|degrees?)(\^\d)?\)$/i, "").replace(/ \(per ion and Angstrom of depth\)/, ", per ion").replace(/\^([0-9])/g, (all, n) => raised(n));
}

/* Theme and drawing --------------------------------------------------------------------------- */

const plots = [];
const dark = matchMedia("(prefers-color-scheme: dark)");

let onPaper = false; /* while the page is printed: light, whatever the screen is */
function theme() {
  const style = getComputedStyle(root), light = onPaper || !dark.matches;
  const text = light ? "#1c1f24" : style.getPropertyValue("--text").trim(), line = light ? "#d5d9e0" : "#3a414d";
  return {text, line, ground: light ? "#ffffff" : "#1d2128"};
}

function axis(title, colors, more) {
  return Object.assign({title: {text: plain(title), standoff: 8}, gridcolor: colors.line, zerolinecolor: colors.line, linecolor: colors.line,
    showline: true, mirror: true, ticks: "outside", exponentformat: "power", minexponent: 5, automargin: true}, more);
}

function layoutOf(colors, more) {
  return Object.assign({paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: colors.ground, font: {color: colors.text, size: 13},
    margin: {l: 60, r: 20, t: 36, b: 48}, hovermode: "closest", legend: {orientation: "h", y: 1.02, yanchor: "bottom", x: 0},
    hoverlabel: {namelength: -1}, modebar: {bgcolor: "rgba(0,0,0,0)", color: colors.text, activecolor: "#c8642d"}}, more);
}

const CONFIG = {responsive: true, displaylogo: false, modeBarButtonsToRemove: ["lasso2d", "select2d"], toImageButtonOptions: {format: "svg"}};

/* A figure with controls; `draw` returns traces and layout. It is drawn when it comes near the visible part of the page. */
class Figure {
  constructor(title, kind) {
    this.caption = element("h3", {}, title);
    this.controls = element("div", {className: "controls"});
    this.plot = element("div", {className: "plot " + kind, tabIndex: 0, role: "img", "aria-label": `${title}. Keys: arrows move, + and - zoom, 0 resets.`});
    this.after = element("div", {});
    this.figure = element("figure", {}, element("figcaption", {}, this.caption), this.controls, this.plot, this.after);
    this.drawn = false;
    this.plot.addEventListener("keydown", event => this.key(event));
    plots.push(this);
    this.width = 0;
    new ResizeObserver(() => {
      if (!this.drawn || this.width === this.plot.clientWidth || !this.plot.clientWidth) return;
      this.width = this.plot.clientWidth;
      Plotly.Plots.resize(this.plot);
    }).observe(this.plot);
  }
  check(label, checked) {
    const input = element("input", {type: "checkbox", checked});
    this.controls.append(element("label", {}, input, " " + label));
    input.addEventListener("change", () => this.update());
    return input;
  }
  choose(label, options, chosen) {
    const select = element("select", {}, ...options.map((text, k) => element("option", {value: String(k), selected: k === chosen}, text)));
    this.controls.append(element("label", {}, label + " ", select));
    select.addEventListener("change", () => this.update());
    return select;
  }
  slide(label, most, text) {
    const output = element("output", {}), input = element("input", {type: "range", min: 0, max: most, value: most >> 1});
    const tell = () => { output.textContent = " " + text(Number(input.value)); };
    this.controls.append(element("label", {}, label + " ", input, output));
    input.addEventListener("input", () => { tell(); this.update(); });
    tell();
    return input;
  }
  note(text) { this.after.append(element("p", {className: "note"}, text)); }
  /* Long titles in several lines, and less around the figure where there is little room. */
  fit(data, layout) {
    const width = this.plot.clientWidth || 1000, height = this.plot.clientHeight || 430, narrow = width < 500;
    if (narrow) {
      layout.font.size = 12;
      if (layout.xaxis) Object.assign(layout.margin, {l: 44, r: 34});
      if (layout.legend) Object.assign(layout.legend, {maxheight: 0.2, font: {size: 11}});
    }
    for (const [axis, room] of [[layout.xaxis, width - 100], [layout.yaxis, height - 110], ...data.map(d => [d.colorbar, height - 120])])
      if (axis && axis.title) axis.title.text = broken(axis.title.text, room / 7);
  }
  update(printing) {
    if (!this.drawn && !printing) return;
    this.drawn = true;
    const {data, layout} = this.draw(theme());
    this.fit(data, layout);
    return Plotly.react(this.plot, data, layout, CONFIG);
  }
  show() { this.drawn = true; return this.update(); }
  key(event) {
    const layout = this.plot._fullLayout;
    if (!layout || event.ctrlKey || event.altKey || event.metaKey) return;
    const moves = {ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1]};
    const zoom = {"+": 0.8, "=": 0.8, "-": 1.25}[event.key], move = moves[event.key];
    if (event.key === "0" || event.key === "Escape") {
      event.preventDefault();
      if (layout.scene) Plotly.relayout(this.plot, {"scene.camera.eye": {...FROM}, "scene.camera.center": {x: 0, y: 0, z: 0}});
      else Plotly.relayout(this.plot, {"xaxis.autorange": true, "yaxis.autorange": true});
      return;
    }
    if (zoom === undefined && move === undefined) return;
    event.preventDefault();
    if (layout.scene) {
      const eye = layout.scene.camera.eye, flat = Math.hypot(eye.x, eye.y);
      const turn = Math.atan2(eye.y, eye.x) + (move ? move[0] * 2 : 0), scale = zoom || 1;
      Plotly.relayout(this.plot, {"scene.camera.eye": {x: scale * flat * Math.cos(turn), y: scale * flat * Math.sin(turn), z: scale * eye.z + (move ? move[1] * 4 : 0)}});
      return;
    }
    const change = {};
    for (const [k, name] of ["xaxis", "yaxis"].entries()) {
      const [low, high] = layout[name].range, half = 0.5 * (high - low) * (zoom || 1), middle = 0.5 * (low + high) + (move ? move[k] * (high - low) : 0);
      change[name + ".range"] = [middle - half, middle + half];
    }
    Plotly.relayout(this.plot, change);
  }
}

function valuesDetails(figure, name, columns) {
  const details = element("details", {}, element("summary", {}, "Values"));
  const count = Math.max(...columns.map(c => c.values.length)), head = columns.map(c => withUnit(c.name, c.unit));
  const quote = text => /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  details.addEventListener("toggle", () => {
    if (!details.open || details.childElementCount > 1) return;
    const rows = [];
    for (let k = 0; k < Math.min(count, MOST_ROWS); ++k) rows.push(columns.map(c => typeof c.values[k] === "string" ? c.values[k] : show(c.values[k], 8)));
    const button = element("button", {type: "button"}, "Save as CSV");
    button.addEventListener("click", () => {
      const lines = [head.map(quote).join(",")];
      for (let k = 0; k < count; ++k) lines.push(columns.map(c => typeof c.values[k] === "string" ? quote(c.values[k]) : String(c.values[k])).join(","));
      download(name + ".csv", lines.join("\n") + "\n");
    });
    details.append(button, table(head, rows));
    if (count > MOST_ROWS) details.append(element("p", {className: "note"}, `The first ${MOST_ROWS} of ${count} rows; the CSV file has all.`));
  });
  figure.after.append(details);
}

function noteReduced(figure, item, averaged = true) {
  if (!item.shape || String(item.shape) === String(item.sizes)) return;
  const each = item.sizes.map((n, k) => Math.ceil(n / item.shape[k])), from = item.sizes.join(" × "), to = item.shape.join(" × ");
  if (item.cut) figure.note(`The first ${item.shape[0]} of ${item.sizes[0]} rows.`);
  else figure.note(item.thinned || !averaged ? `Reduced from ${from} to ${to} numbers: one of every ${each.join(" × ")}.`
    : `Reduced from ${from} to ${to} numbers: means of ${each.join(" × ")} neighbors.`);
}

/* Curves -------------------------------------------------------------------------------------- */

const isWide = curves => {
  let low = Infinity, high = 0;
  for (const curve of curves) for (const value of curve.y) if (Number.isFinite(value)) { low = Math.min(low, value); high = Math.max(high, value); }
  return low > 0 && high > 100 * low;
};

/* Numbers at powers of ten alone, if there are several. */
function logTicks(curves) {
  let low = Infinity, high = 0;
  for (const values of curves) for (const value of values) if (value > 0 && Number.isFinite(value)) { low = Math.min(low, value); high = Math.max(high, value); }
  const decades = Math.log10(high / low);
  return decades > 2 ? {type: "log", dtick: Math.ceil(decades / 10)} : {type: "log"};
}

/* curves: {name, unit, x: {name, unit, values}, others: [x], y, errors, shown, file} */
function curveFigure(title, curves, name) {
  const figure = new Figure(title, "curve");
  const units = [...new Set(curves.map(c => c.unit || ""))], files = [...new Set(curves.map(c => c.file))];
  const first = curves.find(c => c.shown) || curves[0];
  const label = unit => {
    const names = [...new Set(curves.filter(c => (c.unit || "") === unit).map(c => c.name))];
    return withUnit(names.slice(0, 2).join(", ") + (names.length > 2 ? ", …" : ""), unit);
  };
  const unitChoice = units.length > 1 ? figure.choose("Quantity", units.map(label), units.indexOf(first.unit || "")) : null;
  const axes = first.xs, xChoice = axes.length > 1 ? figure.choose("Against", axes.map(x => nameOf(x)), first.chosen || 0) : null;
  const group = unit => curves.filter(c => (c.unit || "") === unit);
  /* steps that grow are those of a logarithmic axis */
  const axis0 = numbers(axes[first.chosen || 0]), count = axis0.length;
  const growing = count > 4 && axis0[0] > 0 && axis0[count - 1] - axis0[count - 2] > 20 * (axis0[1] - axis0[0]) && axis0[1] > axis0[0];
  const logX = figure.check("log x", growing), logY = figure.check("log y", isWide(curves.filter(c => c.name === first.name && (c.unit || "") === (first.unit || ""))));
  const band = curves.some(c => c.errors) ? figure.check("errors", true) : null;
  figure.draw = colors => {
    const unit = unitChoice ? units[Number(unitChoice.value)] : units[0], members = group(unit);
    const some = members.some(c => c.shown), names = [...new Set(members.map(c => c.name))], data = [];
    const xs = members.map(c => c.xs[xChoice ? Math.min(Number(xChoice.value), c.xs.length - 1) : 0]);
    const xScale = scaleOf(xs[0].units, numbers(xs[0])), yScale = scaleOf(unit, members.flatMap(c => Array.from(c.y.slice(0, 4000))));
    members.forEach((curve, k) => {
      const color = COLORS[(files.length > 1 ? files.indexOf(curve.file) : names.indexOf(curve.name)) % COLORS.length];
      const shownName = files.length > 1 ? (names.length > 1 ? `${curve.file}: ${curve.name}` : curve.file) : curve.name;
      const visible = curve.shown || (!some && k === 0) ? true : "legendonly";
      const named = Boolean(xs[k].names), x = named ? xs[k].names : Array.from(numbers(xs[k]), v => v * xScale.factor), y = Array.from(curve.y, v => v * yScale.factor), key = `${curve.file}/${curve.name}/${k}`;
      const errors = curve.errors ? Array.from(curve.errors, v => v * yScale.factor) : null;
      if (errors && band.checked && x.length > 1 && !named && !curve.points)
        for (const sign of [-1, 1])
          data.push({type: "scatter", mode: "lines", x, y: y.map((v, n) => logY.checked ? Math.max(v + sign * errors[n], 1e-3 * v) : v + sign * errors[n]),
            line: {width: 0, color}, fill: sign > 0 ? "tonexty" : undefined, fillcolor: color + "38", hoverinfo: "skip", showlegend: false, legendgroup: key, visible});
      const unitText = plain(prettyUnit(yScale.unit));
      data.push({type: "scatter", mode: named || curve.points ? "markers" : x.length > 60 ? "lines" : "lines+markers", x, y,
        error_y: errors && (named || curve.points) && band.checked ? {type: "data", array: errors, visible: true, color, thickness: 1.2} : undefined, name: plain(shownName), legendgroup: key, visible,
        line: {color, width: 1.8, dash: files.length > 1 ? DASHES[names.indexOf(curve.name) % DASHES.length] : "solid"}, marker: {size: named ? 9 : 5},
        customdata: errors ? errors.map(e => show(e, 3)) : undefined,
        hovertemplate: `%{x${named ? "" : ":.6g"}} ${plain(prettyUnit(xScale.unit))}<br>%{y:.6g}${errors ? " ± %{customdata}" : ""} ${unitText}`});
    });
    const shownNames = [...new Set(members.filter(c => c.shown || !some).map(c => c.name))];
    return {data, layout: layoutOf(colors, {
      xaxis: axis(withUnit(nameOf(xs[0]), xScale.unit), colors, logX.checked ? logTicks([numbers(xs[0])]) : {}),
      yaxis: axis(shownNames.length === 1 ? withUnit(shownNames[0], yScale.unit) : prettyUnit(yScale.unit), colors, logY.checked ? logTicks(members.filter(c => c.shown).map(c => c.y)) : {}),
      margin: {l: 60, r: 48, t: 12, b: 48}, modebar: {orientation: "v", bgcolor: "rgba(0,0,0,0)", color: colors.text, activecolor: "#c8642d"},
      showlegend: members.length > 1})};
  };
  for (const curve of curves) if (curve.item) { noteReduced(figure, curve.item); break; }
  const columns = [];
  for (const file of files) {
    const mine = curves.filter(c => c.file === file), prefix = files.length > 1 ? file + ": " : "";
    let xs = null;
    for (const curve of mine) {
      if (curve.xs !== xs) for (const x of curve.xs) columns.push({name: prefix + nameOf(x), unit: x.units, values: x.names || numbers(x)});
      xs = curve.xs;
      columns.push({name: prefix + curve.name, unit: curve.unit, values: curve.y});
      if (curve.errors) columns.push({name: `${prefix}error of ${curve.name}`, unit: curve.unit, values: curve.errors});
    }
  }
  valuesDetails(figure, name, columns);
  return figure;
}

/* Maps ---------------------------------------------------------------------------------------- */

/* Circles of q as a picture: linear between the points of a circle, and between circles. */
function polarLayout(colors, quantity, q, phi, rows, log) {
  const n = 360, most = q.values[q.values.length - 1], least = q.values[0], places = Array.from({length: n}, (unused, k) => most * (2 * k / (n - 1) - 1));
  const turns = phi.values.length, circles = q.values.length, z = [], values = [];
  for (const y of places) {
    const line = places.map(x => {
      const r = Math.hypot(x, y);
      if (r < least || r > most) return null;
      const k = circles > 1 ? (r - least) / (most - least) * (circles - 1) : 0, turn = Math.atan2(y, x) / (2 * Math.PI), m = (turn < 0 ? turn + 1 : turn) * turns;
      const k0 = Math.floor(k), k1 = Math.min(k0 + 1, circles - 1), m0 = Math.floor(m) % turns, m1 = (m0 + 1) % turns, a = k - k0, b = m - Math.floor(m);
      return (1 - a) * ((1 - b) * rows[k0][m0] + b * rows[k0][m1]) + a * ((1 - b) * rows[k1][m0] + b * rows[k1][m1]);
    });
    values.push(line);
    z.push(log ? line.map(v => v > 0 ? Math.log10(v) : null) : line);
  }
  let high = -Infinity, low = Infinity;
  for (const line of z) for (const v of line) if (v !== null) { high = Math.max(high, v); low = Math.min(low, v); }
  if (log) low = Math.max(low, high - 6);
  const ticks = log ? {tickvals: [], ticktext: []} : {};
  if (log) for (let k = Math.ceil(low); k <= high; ++k) { ticks.tickvals.push(k); ticks.ticktext.push("10" + raised(k)); }
  const unit = prettyUnit(q.unit);
  return {data: [{type: "heatmap", hoverongaps: false, x: places, y: places, z, customdata: values, zmin: low, zmax: high, colorscale: SEQUENTIAL,
    colorbar: Object.assign({title: {text: plain(withUnit(quantity.name, quantity.unit)), side: "right"}, thickness: 16, exponentformat: "power"}, ticks),
    hovertemplate: `q cos φ %{x:.5g} ${plain(unit)}<br>q sin φ %{y:.5g} ${plain(unit)}<br>%{customdata:.5g}<extra></extra>`}],
    layout: layoutOf(colors, {xaxis: axis(withUnit("q cos φ", q.unit), colors, {constrain: "domain"}), yaxis: axis(withUnit("q sin φ", q.unit), colors, {scaleanchor: "x", constrain: "domain"})})};
}

/* quantities: [{name, unit, item, values}]; axes: items in the order of the array, of which those with one place are left out. */
function mapFigure(title, quantities, axes) {
  const figure = new Figure(title, "map");
  const shape = quantities[0].shape, long = shape.map((n, k) => k).filter(k => shape[k] > 1);
  let [up, across] = long.slice(-2);
  const isPlace = k => /^[xyz]$/.test(axes[k].name);
  if (isPlace(up) && isPlace(across) && axes[up].name < axes[across].name) [up, across] = [across, up];
  const strides = shape.map((n, k) => shape.slice(k + 1).reduce((a, b) => a * b, 1));
  const choice = quantities.length > 1 ? figure.choose("Quantity", quantities.map(q => withUnit(q.name, q.unit)), 0) : null;
  const sliders = long.slice(0, -2).map(k => ({k, input: figure.slide(axes[k].title, shape[k] - 1, n => axes[k].texts ? axes[k].texts[n] : `${show(axes[k].values[n], 5)} ${prettyUnit(axes[k].unit)}`)}));
  const range = values => { let low = Infinity, high = -Infinity; for (const v of values) if (Number.isFinite(v)) { low = Math.min(low, v); high = Math.max(high, v); } return [low, high]; };
  const [low0, high0] = range(quantities[0].values);
  const polar = axes[up].name === "q" && axes[across].name === "phi" && !sliders.length ? figure.check("as a picture", true) : null;
  const log = figure.check("logarithmic colors", low0 >= 0 && high0 > 0 && /intensity|counts|electron units/i.test(quantities[0].name + quantities[0].unit));
  figure.draw = colors => {
    const quantity = quantities[choice ? Number(choice.value) : 0], values = quantity.values, z = [], text = [];
    const offset = sliders.reduce((sum, s) => sum + Number(s.input.value) * strides[s.k], 0);
    for (let j = 0; j < shape[up]; ++j) {
      const row = [];
      for (let i = 0; i < shape[across]; ++i) row.push(values[offset + j * strides[up] + i * strides[across]]);
      text.push(row);
      z.push(log.checked ? row.map(v => v > 0 ? Math.log10(v) : null) : row);
    }
    if (polar && polar.checked) return polarLayout(colors, quantity, axes[up], axes[across], text, log.checked);
    const flat = z.flat(), signed = flat.some(v => v < 0) && !log.checked, scale = k => scaleOf(axes[k].unit, axes[k].values);
    const sx = scale(across), sy = scale(up), along = (k, s) => axes[k].texts || Array.from(axes[k].values, v => v * s.factor);
    let [low, high] = range(flat);
    if (signed) { /* the strongest three percent, near charges, have the last colors */
      const sizes = flat.filter(Number.isFinite).map(Math.abs).sort((a, b) => a - b), most = sizes[Math.floor(0.97 * (sizes.length - 1))] || 1;
      [low, high] = [-most, most];
    } else if (log.checked) low = Math.max(low, high - 6);
    const equal = isPlace(across) && isPlace(up);
    const ticks = log.checked ? {tickvals: [], ticktext: []} : {};
    if (log.checked) for (let n = Math.ceil(low); n <= high; ++n) { ticks.tickvals.push(n); ticks.ticktext.push("10" + raised(n)); }
    return {data: [{type: "heatmap", hoverongaps: false, x: along(across, sx), y: along(up, sy), z, customdata: text, zmin: low, zmax: high, colorscale: signed ? DIVERGING : SEQUENTIAL,
      colorbar: Object.assign({title: {text: plain(withUnit(quantity.name, quantity.unit)), side: "right"}, thickness: 16, exponentformat: "power"}, ticks),
      hovertemplate: `${plain(axes[across].title)} %{x:.5g} ${plain(prettyUnit(sx.unit))}<br>${plain(axes[up].title)} %{y:.5g} ${plain(prettyUnit(sy.unit))}<br>%{customdata:.5g} ${plain(prettyUnit(quantity.unit))}<extra></extra>`}],
      layout: layoutOf(colors, {xaxis: axis(withUnit(axes[across].title, sx.unit), colors, {constrain: "domain"}),
        yaxis: axis(withUnit(axes[up].title, sy.unit), colors, equal ? {scaleanchor: "x", constrain: "domain"} : {})})};
  };
  noteReduced(figure, quantities[0].item);
  return figure;
}

/* Views in space ------------------------------------------------------------------------------ */

/* `shown`: the lowest and the highest corner of the axes; by default they show all, and if the box `beyond` is checked. */
function spaceFigure(title, data, unit, notes, shown, beyond) {
  const figure = new Figure(title, "space"), all = beyond ? figure.check(beyond, false) : null;
  figure.draw = colors => {
    const region = all && all.checked ? null : shown;
    const range = k => region ? {range: [region[0][k], region[1][k]], autorange: false} : {autorange: true};
    const one = (name, k) => Object.assign({title: {text: plain(withUnit(name, unit))}, gridcolor: colors.line, zerolinecolor: colors.line, color: colors.text, showbackground: false}, range(k));
    const spans = region && region[1].map((high, k) => high - region[0][k]), [a, b, c] = spans ? spans.map(v => 1.2 * v / Math.max(...spans)) : [1, 1, 1];
    const aspect = region ? {aspectmode: "manual", aspectratio: {x: a, y: b, z: c}} : {aspectmode: "data"}; /* "data" would leave long regions no room */
    return {data, layout: layoutOf(colors, {scene: {xaxis: one("x", 0), yaxis: one("y", 1), zaxis: one("z", 2), ...aspect, camera: {eye: {...FROM}}},
      margin: {l: 0, r: 0, t: 10, b: 0}, uirevision: "camera"})};
  };
  for (const text of notes || []) figure.note(text);
  return figure;
}

function segments(pairs) {
  const line = {x: [], y: [], z: []};
  for (const [a, b] of pairs) for (const p of [a, b, [null, null, null]]) { line.x.push(p[0]); line.y.push(p[1]); line.z.push(p[2]); }
  return line;
}

/* The twelve edges of the cell of three vectors from a corner. */
function edges(corner, vectors) {
  const pairs = [];
  for (let k = 0; k < 3; ++k) for (const s of [0, 1]) for (const t of [0, 1]) {
    const a = vectors[(k + 1) % 3], b = vectors[(k + 2) % 3], from = corner.map((c, m) => c + s * a[m] + t * b[m]);
    pairs.push([from, from.map((c, m) => c + vectors[k][m])]);
  }
  return segments(pairs);
}

function atomsFigure(file, item) {
  const data = item.species.map((kind, s) => {
    const x = [], y = [], z = [];
    item.of.forEach((of, n) => { if (of === s) { x.push(item.positions[3 * n]); y.push(item.positions[3 * n + 1]); z.push(item.positions[3 * n + 2]); } });
    const size = Math.min(22, Math.max(2.5, 55 * kind.radius / Math.cbrt(item.of.length + 8) / 2));
    return {type: "scatter3d", mode: "markers", x, y, z, name: plain(`${kind.label}: ${kind.count}`), marker: {size, color: kind.color, line: {width: 0.5, color: "#555555"}},
      hovertemplate: `${plain(kind.label)}<br>%{x:.4f}, %{y:.4f}, %{z:.4f} Å<extra></extra>`};
  });
  if (item.cell) {
    const c = item.cell;
    data.push(Object.assign({type: "scatter3d", mode: "lines", name: "cell", line: {color: "#888888", width: 2}, hoverinfo: "skip"},
      edges([0, 0, 0], [c.slice(0, 3), c.slice(3, 6), c.slice(6, 9)])));
  }
  return spaceFigure(`${file.name}: ${item.count} atoms`, data, "Å", item.each > 1 ? [`One of every ${item.each} atoms is shown.`] : []);
}

/* Bodies of a job of sonde fdtd, whose text has lists of "name: value". */
function readJob(text) {
  const lists = {};
  let item = null;
  for (const line of text.split("\n")) {
    const head = /^(\w[\w-]*) \d+:$/.exec(line), member = /^ {2}([\w-]+): ?(.*)$/.exec(line), option = /^([\w-]+): ?(.*)$/.exec(line);
    if (head) (lists[head[1]] = lists[head[1]] || []).push(item = {});
    else if (member && item) item[member[1]] = member[2];
    else if (option) lists["$" + option[1]] = option[2];
  }
  return lists;
}

function surface(center, map, rows, columns) {
  const mesh = {x: [], y: [], z: [], i: [], j: [], k: []};
  for (let u = 0; u <= rows; ++u) for (let v = 0; v < columns; ++v) {
    const p = map(u / rows, 2 * Math.PI * v / columns);
    mesh.x.push(center[0] + p[0]); mesh.y.push(center[1] + p[1]); mesh.z.push(center[2] + p[2]);
    if (u === rows) continue;
    const a = u * columns + v, b = u * columns + (v + 1) % columns;
    mesh.i.push(a, b); mesh.j.push(b, b + columns); mesh.k.push(a + columns, a + columns);
  }
  return mesh;
}

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const signs = n => [[1, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1], [-1, 1, 1], [-1, 1, -1], [-1, -1, 1], [-1, -1, -1]].slice(0, n);

/* Planes of polyhedra, as in src/matter/shape/polyhedron.c: normals, and distances from the center. */
const cubePlanes = d => [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]].map(n => [n, d]);
const octahedronPlanes = d => signs(8).map(n => [n, d]);
const GOLDEN = 0.5 + Math.sqrt(1.25);
const cyclic = (numbers, d) => [0, 1, 2].flatMap(k => signs(8).filter(s => numbers.every((v, m) => v !== 0 || s[m] > 0))
  .map(s => { const n = [0, 0, 0]; numbers.forEach((v, m) => { n[(k + m) % 3] = v * s[m]; }); return [n, d]; }));
const POLYHEDRA = {
  octahedron: e => octahedronPlanes(e / Math.sqrt(6)),
  cuboctahedron: e => [...cubePlanes(e * Math.sqrt(0.5)), ...octahedronPlanes(e * Math.sqrt(2 / 3))],
  "truncated-octahedron": e => [...cubePlanes(e * Math.sqrt(2)), ...octahedronPlanes(e * Math.sqrt(1.5))],
  tetrahedron: e => [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]].map(n => [n, e * Math.sqrt(6) / 12]),
  "rhombic-dodecahedron": e => cyclic([1, 1, 0], e * Math.sqrt(2 / 3)),
  "truncated-cube": e => [...cubePlanes(e * 0.5 * (1 + Math.sqrt(2))), ...octahedronPlanes(e * (3 + 2 * Math.sqrt(2)) / Math.sqrt(12))],
  icosahedron: e => { const d = e * GOLDEN * GOLDEN / Math.sqrt(12); return [...octahedronPlanes(d), ...cyclic([1 / GOLDEN, 0, GOLDEN], d)]; },
};

function decahedronPlanes(radius, height) {
  const inner = radius * Math.cos(Math.PI / 5), drop = radius / Math.sqrt(3), top = height / 2 + drop, planes = [];
  for (let k = 0; k < 5; ++k) {
    const angle = (2 * k + 1) * Math.PI / 5, x = Math.cos(angle), y = Math.sin(angle);
    if (height > 0) planes.push([[x, y, 0], inner]);
    for (const side of [-1, 1]) planes.push([[drop * x, drop * y, side * inner], top * inner / Math.hypot(drop, inner)]);
  }
  return planes;
}

/* The convex body that is below all planes: the corners of each face in their order about its normal. */
function polyhedron(planes) {
  const unit = planes.map(([n, d]) => { const length = Math.hypot(...n); return [n.map(v => v / length), d]; });
  const size = Math.max(...unit.map(p => p[1])), mesh = {x: [], y: [], z: [], i: [], j: [], k: [], flat: true};
  const meet = (p, q, r) => {
    const qr = cross(q[0], r[0]), rp = cross(r[0], p[0]), pq = cross(p[0], q[0]), volume = dot(p[0], qr);
    return Math.abs(volume) < 1e-9 ? null : [0, 1, 2].map(k => (p[1] * qr[k] + q[1] * rp[k] + r[1] * pq[k]) / volume);
  };
  unit.forEach((face, f) => {
    const corners = [];
    for (let a = 0; a < unit.length; ++a) for (let b = a + 1; b < unit.length; ++b) {
      const corner = a !== f && b !== f && meet(face, unit[a], unit[b]);
      if (corner && unit.every(([n, d]) => dot(n, corner) <= d + 1e-9 * size) && !corners.some(c => Math.hypot(...c.map((v, k) => v - corner[k])) < 1e-7 * size)) corners.push(corner);
    }
    if (corners.length < 3) return;
    const middle = [0, 1, 2].map(k => corners.reduce((sum, c) => sum + c[k], 0) / corners.length);
    const u = corners[0].map((v, k) => v - middle[k]), w = cross(face[0], u);
    const angle = c => { const d = c.map((v, k) => v - middle[k]); return Math.atan2(dot(d, w), dot(d, u)); };
    corners.sort((c, d) => angle(c) - angle(d));
    const first = mesh.x.length;
    for (const c of corners) { mesh.x.push(c[0]); mesh.y.push(c[1]); mesh.z.push(c[2]); }
    for (let n = 1; n + 1 < corners.length; ++n) { mesh.i.push(first); mesh.j.push(first + n); mesh.k.push(first + n + 1); }
  });
  return mesh;
}

/* Triangles of a polygon of any form, by cutting off ears: numbers of corners. */
function triangulate(polygon) {
  const turn = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  const area = polygon.reduce((sum, p, n) => { const q = polygon[(n + 1) % polygon.length]; return sum + p[0] * q[1] - p[1] * q[0]; }, 0);
  const left = polygon.map((_, n) => n), found = [];
  if (area < 0) left.reverse();
  for (let tries = 0; left.length > 2 && tries < left.length;) {
    const [a, b, c] = [0, 1, 2].map(n => left[(tries + n) % left.length]), [p, q, r] = [a, b, c].map(n => polygon[n]);
    const ear = turn(p, q, r) > 0 && left.every(n => n === a || n === b || n === c || turn(p, q, polygon[n]) < 0 || turn(q, r, polygon[n]) < 0 || turn(r, p, polygon[n]) < 0);
    if (ear) { found.push([a, b, c]); left.splice((tries + 1) % left.length, 1); tries = 0; } else ++tries;
  }
  return found;
}

/* A prism along x, y, or z, whose corners are (y, z), (z, x), or (x, y). */
function prism(polygon, axis, height) {
  const n = polygon.length, along = axis.findIndex(v => v !== 0), mesh = {x: [], y: [], z: [], i: [], j: [], k: [], flat: true};
  const add = (a, b, c) => { mesh.i.push(a); mesh.j.push(b); mesh.k.push(c); };
  for (const end of [-0.5, 0.5]) for (const [u, v] of polygon) {
    const p = [0, 0, 0];
    p[along] = end * height; p[(along + 1) % 3] = u; p[(along + 2) % 3] = v;
    mesh.x.push(p[0]); mesh.y.push(p[1]); mesh.z.push(p[2]);
  }
  for (let k = 0; k < n; ++k) { const next = (k + 1) % n; add(k, next, n + next); add(k, n + next, n + k); }
  for (const [a, b, c] of triangulate(polygon)) { add(a, c, b); add(n + a, n + b, n + c); }
  return mesh;
}

/* A body of revolution about an axis: pairs of radius and height, from one end to the other. */
function turned(profile, axis, columns) {
  const n = Math.hypot(...axis), w = axis.map(v => v / n), across = cross(w, Math.abs(w[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0]);
  const e1 = across.map(v => v / Math.hypot(...across)), e2 = cross(w, e1);
  return surface([0, 0, 0], (u, v) => {
    const [r, h] = profile[Math.round(u * (profile.length - 1))];
    return [0, 1, 2].map(m => r * (Math.cos(v) * e1[m] + Math.sin(v) * e2[m]) + h * w[m]);
  }, profile.length - 1, columns);
}

/* Lists keep the units with which they were written; a number alone is in meters. */
const LENGTHS = {"": 1e9, m: 1e9, cm: 1e7, mm: 1e6, um: 1e3, "µm": 1e3, "μm": 1e3, nm: 1, A: 0.1, Angstrom: 0.1, angstrom: 0.1, "Å": 0.1, pm: 1e-3};
function nanometers(text) {
  const parts = /^\s*([-+0-9.eE]+)\s*(\S*)\s*$/.exec(text);
  return parts && parts[2] in LENGTHS ? Number(parts[1]) * LENGTHS[parts[2]] : NaN;
}

/* The surface of a body about the origin, before its rotation, or null for shapes that are not drawn. */
function meshOf(body) {
  const list = name => (body[name] || "0").split(",").map(v => Number(v) * 1e9), number = name => Number(body[name] || 0) * 1e9;
  const axis = (body.axis || "0,0,1").split(",").map(Number), edge = number("edge"), h = number("height"), r = number("radius");
  const points = name => { const found = (body[name] || "").split(";").map(p => p.split(",").map(nanometers)); return found.flat().some(Number.isNaN) ? null : found; };
  if (POLYHEDRA[body.shape]) return polyhedron(POLYHEDRA[body.shape](edge));
  switch (body.shape) {
  case "sphere":
  case "ellipsoid": {
    const radii = list("radii").some(v => v > 0) ? list("radii") : [r, r, r];
    return surface([0, 0, 0], (u, v) => [radii[0] * Math.sin(Math.PI * u) * Math.cos(v), radii[1] * Math.sin(Math.PI * u) * Math.sin(v), -radii[2] * Math.cos(Math.PI * u)], 16, 28);
  }
  case "box": {
    const [x, y, z] = list("size").map(v => v / 2);
    return prism([[-x, -y], [x, -y], [x, y], [-x, y]], [0, 0, 1], 2 * z);
  }
  case "cylinder": {
    const inner = number("inner-radius");
    return turned(inner > 0 ? [[inner, -h / 2], [r, -h / 2], [r, h / 2], [inner, h / 2], [inner, -h / 2]] : [[0, -h / 2], [r, -h / 2], [r, h / 2], [0, h / 2]], axis, 32);
  }
  case "cone": {
    const top = number("radius-top");
    return turned([[0, -h / 2], [r, -h / 2], [top, h / 2], [0, h / 2]], axis, 32);
  }
  case "prism": {
    const corners = points("vertices");
    return corners && corners.length > 2 && axis.filter(v => v !== 0).length === 1 ? prism(corners, axis, h) : null;
  }
  case "hexagonal-prism":
    return prism([0, 1, 2, 3, 4, 5].map(k => [edge * Math.cos(k * Math.PI / 3), edge * Math.sin(k * Math.PI / 3)]), [0, 0, 1], h);
  case "decahedron":
    return polyhedron(decahedronPlanes(r, h));
  case "parallelepiped": {
    const e = points("edges");
    if (!e || e.length !== 3) return null;
    return polyhedron([0, 1, 2].flatMap(k => { const n = cross(e[(k + 1) % 3], e[(k + 2) % 3]), d = Math.abs(dot(n, e[k])) / Math.hypot(...n) / 2; return [[n, d], [n.map(v => -v), d]]; }));
  }
  default:
    return null;
  }
}

/* A surface that the page has, about the origin and turned already. */
function surfaceOf(item) {
  const mesh = {x: [], y: [], z: [], i: [], j: [], k: [], flat: true, turned: true}, corner = numbers({data: item.corners, type: "f4"}), of = numbers({data: item.triangles, type: "f4"});
  for (let n = 0; n < corner.length; n += 3) { mesh.x.push(corner[n]); mesh.y.push(corner[n + 1]); mesh.z.push(corner[n + 2]); }
  for (let n = 0; n < of.length; n += 3) { mesh.i.push(of[n]); mesh.j.push(of[n + 1]); mesh.k.push(of[n + 2]); }
  return mesh;
}

/* The sides between voxels of one kind and others, for each kind: [name, mesh]. Permittivities are of one kind, their colors differ. */
function voxelMeshes(item, body, background) {
  const axes = [item.x, item.y, item.z], [nx, ny, nz] = axes.map(a => a[1]), values = numbers({data: item.values, type: "f4"}), kinds = new Map();
  const names = (body.materials || "").split(/[,;]/).map(name => name.trim());
  const kindOf = value => item.permittivities ? (Math.abs(value - background) > 1e-6 ? "permittivity" : "none") : names[value] || `number ${value}`;
  const at = (x, y, z) => x < 0 || y < 0 || z < 0 || x >= nx || y >= ny || z >= nz ? "none" : kindOf(values[(z * ny + y) * nx + x]);
  for (let z = 0; z < nz; ++z) for (let y = 0; y < ny; ++y) for (let x = 0; x < nx; ++x) {
    const kind = at(x, y, z), cell = [x, y, z];
    if (kind === "none") continue;
    if (!kinds.has(kind)) kinds.set(kind, {x: [], y: [], z: [], i: [], j: [], k: [], value: [], flat: true, turned: true});
    const mesh = kinds.get(kind);
    for (let u = 0; u < 3; ++u) for (const side of [0, 1]) {
      const next = [...cell], first = mesh.x.length;
      next[u] += 2 * side - 1;
      if (at(...next) === kind) continue;
      for (const [s, t] of side ? [[0, 0], [1, 0], [1, 1], [0, 1]] : [[0, 0], [0, 1], [1, 1], [1, 0]]) {
        const p = [...cell];
        p[u] += side; p[(u + 1) % 3] += s; p[(u + 2) % 3] += t;
        ["x", "y", "z"].forEach((name, k) => mesh[name].push(axes[k][2] + p[k] * axes[k][3]));
        mesh.value.push(values[(z * ny + y) * nx + x]);
      }
      mesh.i.push(first, first); mesh.j.push(first + 1, first + 2); mesh.k.push(first + 2, first + 3);
    }
  }
  return [...kinds];
}

/* Turns about x, then y, then z, all of them fixed. */
function rotationOf(body) {
  const degrees = (body.rotation || "0,0,0").split(",").map(Number);
  return p => {
    const to = [...p];
    degrees.forEach((angle, about) => {
      const c = Math.cos(angle * Math.PI / 180), s = Math.sin(angle * Math.PI / 180), u = (about + 1) % 3, v = (about + 2) % 3, x = to[u], y = to[v];
      to[u] = c * x - s * y;
      to[v] = s * x + c * y;
    });
    return to;
  };
}

/* The area within closed lines, of segments in any order, as triangles: between the heights of all ends, from every first to every second
 * line. Of (u, v) pairs; counterclockwise ones if those around the area are. */
const MOST_STEPS = 2e7; /* sections of more lines stay open */
function sectionOf(closed, least) {
  const segments = closed.filter(([a, b]) => a[1] !== b[1]), heights = [...new Set(segments.flatMap(([a, b]) => [a[1], b[1]]))].sort((a, b) => a - b), found = [];
  const area = closed.reduce((sum, [a, b]) => sum + a[0] * b[1] - b[0] * a[1], 0);
  if (heights.length * segments.length > MOST_STEPS) return found;
  for (let n = 0; n + 1 < heights.length; ++n) {
    const [low, high] = [heights[n], heights[n + 1]];
    if (high - low < least) continue;
    const at = ([a, b], v) => a[0] + (b[0] - a[0]) * (v - a[1]) / (b[1] - a[1]);
    const lines = segments.filter(([a, b]) => Math.min(a[1], b[1]) <= low && Math.max(a[1], b[1]) >= high).map(s => [at(s, low), at(s, high)]).sort((p, q) => p[0] + p[1] - q[0] - q[1]);
    for (let m = 0; m + 1 < lines.length; m += 2) {
      const corners = [[lines[m][0], low], [lines[m + 1][0], low], [lines[m + 1][1], high], [lines[m][1], high]];
      for (const [a, b, c] of [[0, 1, 2], [0, 2, 3]]) found.push(area > 0 ? [corners[a], corners[b], corners[c]] : [corners[a], corners[c], corners[b]]);
    }
  }
  return found;
}

/* The part of a closed mesh on one side of a plane across an axis, closed again: up to `limit` for side 1, from it on for side -1. */
function cutAt(mesh, axis, side, limit, least) {
  const NAMES = ["x", "y", "z"], cut = {x: [], y: [], z: [], i: [], j: [], k: []}, kept = new Map(), section = [], [u, v] = [NAMES[(axis + 1) % 3], NAMES[(axis + 2) % 3]];
  if (mesh.value) cut.value = [];
  const along = mesh[NAMES[axis]], isIn = n => side * (along[n] - limit) <= 0;
  const add = (p, value) => { NAMES.forEach((name, k) => cut[name].push(p[k])); if (cut.value) cut.value.push(value); return cut.x.length - 1; };
  const keep = n => { if (!kept.has(n)) kept.set(n, add([mesh.x[n], mesh.y[n], mesh.z[n]], mesh.value && mesh.value[n])); return kept.get(n); };
  const cross = (from, to) => {
    const [a, b] = from < to ? [from, to] : [to, from], key = `${a} ${b}`, t = (limit - along[a]) / (along[b] - along[a]);
    if (!kept.has(key)) kept.set(key, add(NAMES.map((name, k) => k === axis ? limit : mesh[name][a] + t * (mesh[name][b] - mesh[name][a])), mesh.value && mesh.value[isIn(a) ? a : b]));
    return kept.get(key);
  };
  mesh.i.forEach((first, n) => {
    const corners = [first, mesh.j[n], mesh.k[n]], polygon = [], ends = [];
    corners.forEach((from, m) => {
      const to = corners[(m + 1) % 3];
      if (isIn(from)) polygon.push(keep(from));
      if (isIn(from) !== isIn(to)) { ends[isIn(from) ? 1 : 0] = cross(from, to); polygon.push(cross(from, to)); }
    });
    for (let m = 1; m + 1 < polygon.length; ++m) { cut.i.push(polygon[0]); cut.j.push(polygon[m]); cut.k.push(polygon[m + 1]); }
    if (ends.length) section.push(ends.map(end => [cut[u][end], cut[v][end]]));
  });
  const value = cut.value && cut.value[cut.value.length - 1];
  for (const triangle of sectionOf(section, least)) {
    const [a, b, c] = triangle.map(([s, t]) => { const p = [0, 0, 0]; p[axis] = limit; p[(axis + 1) % 3] = s; p[(axis + 2) % 3] = t; return add(p, value); });
    cut.i.push(a); cut.j.push(b); cut.k.push(c);
  }
  return cut;
}

/* The part of a closed mesh within a region, its lowest and its highest corner; null if there is none. */
function within(mesh, region) {
  const extent = values => values.reduce(([low, high], p) => [Math.min(low, p), Math.max(high, p)], [Infinity, -Infinity]), size = Math.max(...region[1].map((high, k) => high - region[0][k]));
  for (const [axis, name] of ["x", "y", "z"].entries())
    for (const side of [-1, 1]) {
      const [low, high] = extent(mesh[name]), limit = region[side > 0 ? 1 : 0][axis];
      if (!(low < region[1][axis] && high > region[0][axis])) return null;
      if (side > 0 ? high > limit : low < limit) mesh = cutAt(mesh, axis, side, limit, 1e-7 * size);
    }
  return mesh.i.length ? mesh : null;
}

/* A mesh where the body is, with its copies: [mesh, number of copies, how many of them are drawn]. Of each the part within the region, if one
 * is given. */
const MOST_COPIES = 400;
function placed(mesh, body, region) {
  const list = (name, otherwise) => (body[name] || otherwise).split(",").map(Number);
  const center = list("center", "0,0,0"), repeat = list("repeat", "1,1,1"), pitch = list("pitch", "0,0,0"), turn = mesh.turned ? p => p : rotationOf(body);
  const corners = mesh.x.map((x, n) => turn([x, mesh.y[n], mesh.z[n]])), copies = repeat[0] * repeat[1] * repeat[2];
  const whole = {x: [], y: [], z: [], i: [], j: [], k: [], value: []}, drawn = Math.min(copies, MOST_COPIES);
  for (let copy = 0; copy < drawn; ++copy) {
    const index = [copy % repeat[0], Math.floor(copy / repeat[0]) % repeat[1], Math.floor(copy / (repeat[0] * repeat[1]))];
    const at = center.map((c, u) => 1e9 * (c + (index[u] - (repeat[u] - 1) / 2) * pitch[u])), first = whole.x.length;
    const moved = {x: corners.map(p => p[0] + at[0]), y: corners.map(p => p[1] + at[1]), z: corners.map(p => p[2] + at[2]), i: mesh.i, j: mesh.j, k: mesh.k, value: mesh.value};
    const part = region ? within(moved, region) : moved;
    if (!part) continue;
    for (const name of mesh.value ? ["x", "y", "z", "value"] : ["x", "y", "z"]) for (const n of part[name]) whole[name].push(n);
    for (const name of ["i", "j", "k"]) for (const n of part[name]) whole[name].push(first + n);
  }
  return [whole, copies, drawn];
}

/* Meshes of a body: [material, mesh], none for shapes that are not drawn; `item` is what the page has of it beside the text. */
function meshesOf(body, item, background) {
  if (item && item.values) return voxelMeshes(item, body, background);
  const mesh = item ? surfaceOf(item) : meshOf(body);
  return mesh ? [[body.material, mesh]] : [];
}

/* The region within the absorbing layers in nm, its lowest and highest corner: about the origin. Directions in which the job has no extent
 * have one here for the eye; `flat` are these. */
function regionOf(job) {
  const size = (job.$size || "").split(",").map(v => Number(v) * 1e9);
  if (size.length !== 3 || !size.every(v => v >= 0) || !size.some(v => v > 0)) return null;
  const flat = [0, 1, 2].filter(k => size[k] === 0), seen = (flat.length === 2 ? 0.3 : 0.1) * Math.max(...size);
  const half = size.map(v => (v || seen) / 2);
  return {flat, corners: [half.map(v => -v), half]};
}

/* A region with some room around it. */
function widened([low, high]) {
  const room = 0.04 * Math.max(...high.map((v, k) => v - low[k]));
  return [low.map(v => v - room), high.map(v => v + room)];
}

/* Traces of bodies, in nanometers times `scale`, with notes on them. */
function bodyTraces(bodies, items, background, region, notes, {scale = 1, unit = "nm", opacity = 0.75, first = 0} = {}) {
  const data = [], missing = [], outside = [], colors = new Map();
  for (const [number, body] of bodies.entries()) {
    const item = items.find(i => i.number === number), meshes = meshesOf(body, item, background), called = `${body.material || body.file || ""} (${body.shape})`;
    if (!meshes.length) missing.push(called);
    if (item && item.file) notes.push(`${item.file} is drawn as the file was when the report was made.`);
    if (item && item.all > item.kept) notes.push(`${item.file}: ${item.all} triangles are simplified to ${item.kept}.`);
    if (item && item.x && [item.x, item.y, item.z].some(a => a[0] > a[1])) notes.push(`${item.file}: ${[item.x, item.y, item.z].map(a => a[0]).join(" × ")} voxels are reduced to ${[item.x, item.y, item.z].map(a => a[1]).join(" × ")}.`);
    let seen = 0;
    for (const [material, own] of meshes) {
      const [mesh, copies, drawn] = placed(own, body, region), name = plain(material), {x, y, z, i, j, k, value} = mesh;
      seen += i.length;
      if (!i.length) continue;
      if (drawn < copies) notes.push(`${drawn} of ${copies} copies of ${material} (${body.shape}) are drawn.`);
      if (!colors.has(name)) colors.set(name, COLORS[(first + colors.size) % COLORS.length]);
      const [px, py, pz] = [x, y, z].map(places => places.map(v => v * scale));
      data.push(Object.assign({type: "mesh3d", name, color: colors.get(name), opacity, flatshading: Boolean(own.flat), x: px, y: py, z: pz, i, j, k,
        showlegend: !data.some(d => d.name === name), legendgroup: name, hovertemplate: `${name}<br>%{x:.5g}, %{y:.5g}, %{z:.5g} ${unit}<extra></extra>`},
      item && item.permittivities ? {intensity: value, colorscale: SEQUENTIAL, showscale: true, colorbar: {title: {text: "permittivity", side: "right"}, thickness: 16}} : {}));
    }
    if (meshes.length && !seen) outside.push(called);
  }
  if (outside.length) notes.unshift(`Outside of the region that is shown: ${outside.join(", ")}.`);
  if (missing.length) notes.unshift(`Not drawn: ${missing.join(", ")}.`);
  return data;
}

/* A body of a job of sonde ions, whose lengths are in Angstrom, as one of sonde fdtd. */
function inMeters(body) {
  const lengths = ["center", "size", "radius", "radius-top", "radii", "height", "edge", "inner-radius", "pitch"], made = {...body};
  for (const name of lengths) if (body[name]) made[name] = body[name].split(",").map(v => 1e-10 * Number(v)).join(",");
  for (const name of ["vertices", "edges"]) if (body[name]) made[name] = body[name].replace(/(^|[,;])\s*([-+0-9.eE]+)\s*(?=[,;]|$)/g, "$1$2 A");
  return made;
}

/* Lines of ions and recoils, or null. */
function pathTraces(get) {
  const position = get("position"), of = get("ion"), atom = get("atom"), kind = get("kind"), energy = get("energy");
  if (!position || !of || !atom || !kind || !position.shape || position.shape[1] !== 3) return null;
  const p = numbers(position), ion = numbers(of), a = numbers(atom), k = numbers(kind), e = energy ? numbers(energy) : [];
  const data = [["ions", "#1f77b4", 3], ["recoils", "#e08050", 1.5]].map(([name, color, width]) => ({type: "scatter3d", mode: "lines", name, x: [], y: [], z: [], customdata: [], line: {color, width},
    hovertemplate: "%{x:.5g}, %{y:.5g}, %{z:.5g} Å<br>%{customdata} eV<extra></extra>"}));
  const rows = Math.min(position.shape[0], ion.length, a.length, k.length);
  for (let n = 0; n < rows; ++n) {
    const line = data[k[n] === 0 ? 0 : 1];
    if (n > 0 && (ion[n] !== ion[n - 1] || a[n] !== a[n - 1])) { line.x.push(null); line.y.push(null); line.z.push(null); line.customdata.push(""); }
    line.x.push(p[3 * n]); line.y.push(p[3 * n + 1]); line.z.push(p[3 * n + 2]); line.customdata.push(show(e[n], 4));
  }
  return data;
}

/* Where the target is, in Angstrom: the depths that paths reach in it, and across all of its bodies, or nearly all of the paths in it. Atoms that
 * leave fly on, far beyond. */
function targetOf(file, bodies, paths) {
  const find = path => file.items.find(i => i.path === path && i.kind === "numbers"), values = path => find(path) ? [...numbers(find(path))].filter(Number.isFinite) : [];
  const ends = values("/ions/layers/end").filter(v => v < 1e12), depths = values("/ions/profiles/x"), width = values("/ions/profiles/cell_width")[0] || 0;
  const binned = depths.length ? depths[depths.length - 1] + width / 2 : 0, thick = Math.max(0, ...ends) || binned || Infinity;
  const points = paths ? paths.flatMap(t => t.x.map((x, n) => [x, t.y[n], t.z[n]])).filter(p => p[0] !== null && p[0] >= 0 && p[0] <= thick) : [];
  const deepest = points.reduce((most, p) => Math.max(most, p[0]), 0), low = [0, 0, 0], high = [bodies.length || !points.length ? thick : Math.min(thick, 1.3 * deepest), 0, 0];
  if (!Number.isFinite(high[0]) || high[0] === 0) high[0] = deepest || binned || 1;
  for (const k of [1, 2]) {
    const across = points.map(p => p[k]).sort((a, b) => a - b), part = f => across.length ? across[Math.floor(f * (across.length - 1))] : 0;
    const most = 3 * Math.max(high[0], part(0.9) - part(0.1));
    const extents = bodies.flatMap(body => meshesOf(body, null, 1).map(([, own]) => placed(own, body)[0]["xyz"[k]])).flat();
    [low[k], high[k]] = extents.length ? extents.reduce(([a, b], v) => [Math.min(a, 10 * v), Math.max(b, 10 * v)], [0, 0]) : [part(0.01), part(0.99)];
    if (!(high[k] - low[k] > 0)) [low[k], high[k]] = [-high[0] / 2, high[0] / 2];
    [low[k], high[k]] = [Math.max(low[k], -most), Math.min(high[k], most)];
  }
  return [low, high];
}

/* Paths of ions and recoils, layers, and bodies of a result of sonde ions. */
function targetFigure(file, label) {
  const members = new Map(membersOf(file, "/ions/trajectories").map(i => [last(i.path), i])), paths = pathTraces(name => members.get(name));
  const item = path => file.items.find(i => i.path === path), job = item("/ions/job"), bodies = job && job.kind === "text" ? (readJob(job.texts[0]).bodies || []).map(inMeters) : [];
  if (!paths && !bodies.length) return null;
  const region = targetOf(file, bodies, paths), notes = [], [low, high] = region, data = paths || [];
  data.push(...bodyTraces(bodies, [], 1, region.map(corner => corner.map(v => v / 10)), notes, {scale: 10, unit: "Å", opacity: paths ? 0.3 : 0.75, first: 2}));
  const [begin, end, text] = ["/ions/layers/begin", "/ions/layers/end", "/ions/process/target"].map(item);
  if (begin && end && text && begin.kind === "numbers" && end.kind === "numbers" && text.kind === "text") {
    const count = (text.texts[0].match(/^layer \d+:/gm) || []).length, outlines = {x: [], y: [], z: []};
    for (let n = 0; n < Math.min(count, numbers(begin).length); ++n) {
      const [from, to] = [numbers(begin)[n], numbers(end)[n]].map(v => Math.min(Math.max(Number.isNaN(v) ? Infinity : v, low[0]), high[0]));
      if (to > from) for (const [name, line] of Object.entries(edges([from, low[1], low[2]], [[to - from, 0, 0], [0, high[1] - low[1], 0], [0, 0, high[2] - low[2]]]))) outlines[name].push(...line);
    }
    if (outlines.x.length) data.push(Object.assign({type: "scatter3d", mode: "lines", name: count > 1 ? "layers" : "layer", line: {color: "#999999", width: 2}, hoverinfo: "skip"}, outlines));
  }
  if (/^\/ions\/process\/options\/(bodies|voxels)$/m.test(file.items.filter(i => i.kind === "text" && i.texts[0]).map(i => i.path).join("\n"))) notes.unshift("Not drawn: what the options bodies and voxels name.");
  const figure = spaceFigure(label(paths ? "Trajectories" : "Bodies"), data, "Å", notes, widened(region), paths ? "beyond the target" : "");
  if (paths) noteReduced(figure, members.get("position"), false);
  return figure;
}

function bodiesFigure(label, text, items) {
  const job = readJob(text), notes = [], region = regionOf(job), data = bodyTraces(job.bodies || [], items, Number(job.$background || 1), region && region.corners, notes);
  /* what has no extent where the job has none reaches across what is drawn there */
  const box = (item, name, color, across) => {
    const size = (item.size || "0,0,0").split(",").map(v => Number(v) * 1e9), center = (item.center || "0,0,0").split(",").map(v => Number(v) * 1e9);
    if (size.length !== 3 || size.some(v => !Number.isFinite(v))) return;
    const low = center.map((c, k) => c - size[k] / 2), high = center.map((c, k) => c + size[k] / 2);
    if (region) for (const k of [0, 1, 2]) {
      const limits = [region.corners[0][k], region.corners[1][k]];
      if (across && region.flat.includes(k)) [low[k], high[k]] = limits;
      else if (high[k] > low[k]) [low[k], high[k]] = [low[k], high[k]].map(v => Math.min(Math.max(v, limits[0]), limits[1]));
    }
    const edge = low.map((v, k) => high[k] - v), point = edge.every(v => v === 0);
    data.push(Object.assign({type: "scatter3d", mode: point ? "markers" : "lines", name: plain(name), line: {color, width: 3}, marker: {color, size: 5}, hovertemplate: plain(name) + "<extra></extra>"},
      point ? {x: [low[0]], y: [low[1]], z: [low[2]]} : edges(low, [[edge[0], 0, 0], [0, edge[1], 0], [0, 0, edge[2]]])));
  };
  const isPoint = kind => /^(point|resonances|(magnetic-)?dipole)$/.test(kind), isWhole = item => !/^(point|resonances|flux|fields|snapshot)$/.test(item.kind) && (item.size || "0,0,0") === "0,0,0";
  for (const [k, source] of (job.sources || []).entries()) if (source.kind !== "plane-wave") box(source, `source ${k + 1}: ${source.kind}`, "#d62728", !isPoint(source.kind));
  for (const monitor of job.monitors || []) if (!isWhole(monitor)) box(monitor, `monitor ${monitor.name || monitor.kind}`, "#1f77b4", !isPoint(monitor.kind));
  if (region) box({size: job.$size}, "inside of the absorbing layers", "#999999", true);
  if (region && region.flat.length) notes.push(`The job has no extent along ${region.flat.map(k => "xyz"[k]).join(" and ")}; what is drawn there is for the eye.`);
  return data.length ? spaceFigure(label, data, "nm", notes, region && widened(region.corners)) : null;
}

/* Reading files ------------------------------------------------------------------------------- */

function membersOf(file, path) {
  return file.items.filter(item => item.path.startsWith(path + "/") && !item.path.slice(path.length + 1).includes("/"));
}

/* A table: the columns are curves against one of them. */
function tableFigure(label, columns, name) {
  const plainNumbers = columns.filter(c => c.values.length && c.values.every(v => typeof v === "number"));
  if (plainNumbers.length < 2) return null;
  const errorOf = c => plainNumbers.find(e => e !== c && (e.name === c.name + "_error" || e.name === c.name + "_errors" || e.name === "error of " + c.name));
  const errors = new Set(plainNumbers.map(errorOf).filter(Boolean));
  const varied = plainNumbers.filter(c => !errors.has(c) && new Set(c.values).size > 1), x = varied[0] || plainNumbers[0];
  /* rows that differ in words belong to different curves, if there are few */
  const keys = columns.filter(c => !/^(job|state)$/.test(c.name) && c.values.some(v => typeof v === "string") && new Set(c.values).size <= 12);
  const series = new Map();
  x.values.forEach((unused, n) => {
    const key = keys.map(c => `${c.name} ${c.values[n]}`).join(", ");
    if (!series.has(key)) series.set(key, []);
    series.get(key).push(n);
  });
  for (const rows of series.values()) rows.sort((a, b) => x.values[a] - x.values[b]);
  const pick = (column, rows) => rows.map(n => column.values[n]), curves = [];
  const quantities = plainNumbers.filter(c => c !== x && !errors.has(c));
  for (const [k, c] of quantities.entries())
    for (const [key, rows] of series) {
      const xs = [x, ...varied.filter(v => v !== x)].slice(0, 6).map(v => ({path: "/" + v.name, long_name: words(v.name), units: v.unit, values: Float64Array.from(pick(v, rows))}));
      const error = errorOf(c);
      curves.push({name: words(c.name) + (key ? `, ${key}` : ""), unit: c.unit, xs, y: pick(c, rows), errors: error ? pick(error, rows) : null, shown: k === 0,
        points: new Set(xs[0].values).size < rows.length, file: name});
    }
  return curves.length ? curveFigure(label, curves, name) : null;
}

function readTable(text) {
  const comments = [], rows = [];
  let names = null;
  for (const line of text.split("\n")) {
    if (line.startsWith("#")) { comments.push(line.replace(/^#+ ?/, "")); continue; }
    if (!line.trim()) continue;
    const cells = line.includes(",") ? line.match(/("([^"]|"")*"|[^,]*)(,|$)/g).slice(0, -1).map(c => c.replace(/,$/, "").replace(/^"|"$/g, "").replace(/""/g, '"')) : line.trim().split(/[\s;]+/);
    if (line.includes(",") && !line.endsWith(",") && cells.length < line.split(",").length) cells.push("");
    if (!names && !/^[-+.0-9]/.test(cells[0].trim())) { names = cells; continue; }
    rows.push(cells);
  }
  const width = Math.max(0, ...rows.map(r => r.length));
  if (!names) {
    const spaced = comments.length ? comments[comments.length - 1].trim().split(/\s+/) : [];
    names = spaced.length === width ? spaced : Array.from({length: width}, (unused, k) => `column ${k + 1}`);
  }
  const columns = names.map((name, k) => {
    const cells = rows.map(r => (r[k] || "").trim()), numeric = cells.every(c => c === "" || c === "nan" || Number.isFinite(Number(c)));
    const unit = /^(.*?) ?\(([^()]*)\)$/.exec(name);
    return {name: unit ? unit[1] : name, unit: unit ? unit[2] : "", values: numeric ? cells.map(c => c === "" || c === "nan" ? NaN : Number(c)) : cells};
  });
  return {comments, columns};
}

/* The places along axis k of an array that may be reduced, as the array is: means, or one of so many. */
function placesAlong(axis, array, k) {
  const values = numbers(axis), n = array.shape[k];
  if (values.length === n || !axis.sizes || axis.sizes[0] !== array.sizes[k] || values.length !== axis.sizes[0]) return values;
  const each = Math.ceil(array.sizes[k] / n);
  return Float64Array.from({length: n}, (unused, m) => {
    const block = values.subarray(m * each, Math.min((m + 1) * each, values.length));
    return array.thinned ? block[0] : block.reduce((a, b) => a + b, 0) / block.length;
  });
}

/* One group of class NXdata in some of the files. */
function dataFigures(path, groups) {
  const title = g => {
    const item = g.members.get("title"), entry = g.file.items.find(i => i.path === path.slice(0, path.lastIndexOf("/")) + "/title");
    if (!item && !g.group.kind_of && entry && entry.texts && entry.texts[0]) return `${entry.texts[0]}: ${words(last(path))}`;
    return item ? item.texts[0] : words(last(path)) + (g.group.kind_of ? ": " + words(g.group.kind_of) : "");
  };
  const curves = [], figures = [], label = title(groups[0]);
  for (const {file, group, members} of groups) {
    const signal = members.get(group.signal);
    if (!signal || signal.kind !== "numbers" || !signal.shape) continue;
    const names = group.axes || [], axes = names.map(n => members.get(n)), shape = signal.shape;
    const same = item => item.kind === "numbers" && item.shape && String(item.sizes) === String(signal.sizes);
    const isHelp = n => /_(errors|bound)$/.test(n) || names.includes(n) || (shape.length === 1 && n === "wavelength");
    const quantities = [...members.entries()].filter(([n, item]) => same(item) && !isHelp(n));
    quantities.sort((a, b) => (b[0] === group.signal) - (a[0] === group.signal));
    const long = shape.map((n, k) => k).filter(k => shape[k] > 1);
    const rows = shape.length === 2 && axes[0] && (axes[0].kind === "text" || shape[0] <= 6) && shape[0] <= 24 && shape[1] > 1;
    if (long.length <= 1 || rows) {
      const along = rows ? 1 : long.length ? long[0] : shape.length - 1, xs = axes[along] ? [axes[along].sizes ? Object.assign({}, axes[along], {values: placesAlong(axes[along], signal, along)}) : axes[along]] : [];
      const wavelength = members.get("wavelength");
      let chosen = 0;
      if (xs.length && wavelength && wavelength !== xs[0] && wavelength.shape && wavelength.shape[0] === shape[along]) {
        xs.push(wavelength);
        chosen = Math.max(...numbers(wavelength)) < 3e-5 ? 1 : 0;
      }
      const names = members.get("name");
      if (!xs.length && names && names.kind === "text" && names.texts.length === shape[along])
        xs.push({path: "/name", long_name: "", values: Float64Array.from({length: shape[along]}, (unused, k) => k + 1), names: names.texts.map((text, k) => names.texts.indexOf(text) === k ? plain(text) : plain(`${text} (${k + 1})`))});
      if (!xs.length) xs.push({path: "/number", long_name: "number", values: Float64Array.from({length: shape[along]}, (unused, k) => k + 1)});
      for (const [name, item] of quantities) {
        const values = numbers(item), errors = members.get(name + "_errors"), e = errors && errors.shape ? numbers(errors) : null;
        const alike = quantities.filter(q => (q[1].units || "") === (signal.units || ""));
        const shown = name === group.signal || (groups.length === 1 && (group.auxiliary_signals || []).includes(name)) || (groups.length === 1 && !xs[0].names && alike.length <= 3 && alike.some(q => q[0] === name));
        for (let r = 0; r < (rows ? shape[0] : 1); ++r) {
          const n = shape[along], part = v => rows ? v.subarray(r * n, (r + 1) * n) : v;
          const rowName = rows ? (axes[0].kind === "text" ? axes[0].texts[r] : show(numbers(axes[0])[r])) : "";
          curves.push({name: rows ? `${nameOf(item)}, ${rowName}` : nameOf(item), unit: item.units, xs, chosen, y: part(values), errors: e ? part(e) : null, shown, file: file.name, item});
        }
      }
      continue;
    }
    const axisOf = k => {
      const item = axes[k], n = shape[k];
      const places = item && item.kind === "numbers" && item.shape ? placesAlong(item, signal, k) : [];
      const values = places.length === n ? places : Float64Array.from({length: n}, (unused, m) => m);
      return {name: names[k] || "", title: item ? nameOf(item) : `index ${k + 1}`, unit: item ? item.units : "", values, texts: item && item.kind === "text" ? item.texts : null};
    };
    const maps = [];
    const absolute = new Map();
    for (const [name, item] of quantities) {
      const real = /^(.*)_real$/.exec(name), other = real ? members.get(real[1] + "_imag") : null;
      if (other && same(other)) {
        const a = numbers(item), b = numbers(other), values = a.map((v, n) => Math.hypot(v, b[n]));
        absolute.set(real[1], {values, item});
        maps.push({name: `|${real[1]}|`, unit: item.units, item, shape, values});
      }
    }
    for (const field of ["E", "H"]) {
      const parts = ["x", "y", "z"].map(c => absolute.get(field + c)).filter(Boolean);
      if (parts.length > 1) maps.unshift({name: `|${field}|`, unit: parts[0].item.units, item: parts[0].item, shape, values: parts[0].values.map((v, n) => Math.hypot(...parts.map(p => p.values[n])))});
    }
    const order = [...quantities].sort((a, b) => /_(real|imag)$/.test(a[0]) - /_(real|imag)$/.test(b[0]));
    const simple = order.filter(q => !/_(real|imag)$/.test(q[0])).length;
    for (const [k, [name, item]] of order.entries()) maps.splice(k < simple && name === group.signal ? 0 : maps.length, 0, {name: (item.absolute ? `|${nameOf(item)}|` : nameOf(item)), unit: item.units, item, shape, values: numbers(item)});
    if (maps.some(m => m.values.length)) figures.push(mapFigure(groups.length > 1 ? `${label}: ${file.name}` : label, maps, shape.map((n, k) => axisOf(k))));
  }
  if (curves.length) figures.unshift(curveFigure(label, curves, last(path)));
  return figures;
}

/* Spectra of energies and cosines of the atoms that leave, one for each kind and side. */
function leavingFigures(file) {
  const find = name => file.items.find(i => i.path === name && i.kind !== "group"), get = name => find("/ions/leaving/" + name), labels = find("/ions/kinds/label");
  const kind = get("kind"), fate = get("fate"), figures = [];
  if (!kind || !fate || kind.kind !== "numbers" || fate.kind !== "numbers") return figures;
  for (const [name, title] of [["energies", "Energies of leaving atoms"], ["cosines", "Cosines of leaving atoms with the normal"]]) {
    const item = get(name), errors = get(name + "_errors"), edge = get("energy_edges");
    if (!item || item.kind !== "numbers" || !item.shape || item.shape.length !== 2 || (name === "energies" && !(edge && edge.shape))) continue;
    const [rows, n] = item.shape, ends = name === "energies" ? numbers(edge) : Float64Array.from({length: n + 1}, (unused, k) => k / n), y = numbers(item), e = errors && errors.shape ? numbers(errors) : null;
    const x = {path: "/x", long_name: name === "energies" ? "energy" : "cosine", units: name === "energies" ? "eV" : "", values: Float64Array.from({length: n}, (unused, k) => ends[k] > 0 && name === "energies" ? Math.sqrt(ends[k] * ends[k + 1]) : (ends[k] + ends[k + 1]) / 2)};
    const curves = [];
    for (let r = 0; r < Math.min(rows, numbers(kind).length, numbers(fate).length); ++r) {
      const part = v => v.subarray(r * n, (r + 1) * n), of = labels && labels.texts && labels.texts[numbers(kind)[r]] || `kind ${numbers(kind)[r]}`;
      if (part(y).some(v => v > 0)) curves.push({name: `${of}, ${numbers(fate)[r] === 1 ? "through x = 0" : "at the other end"}`, unit: "1", xs: [x], y: part(y), errors: e && part(e), shown: true, file: file.name});
    }
    if (curves.length) figures.push(curveFigure(report.files.length > 1 ? `${title}: ${file.name}` : title, curves, "leaving_" + name));
  }
  return figures;
}

/* Lists of a result that are neither curves nor maps, as tables: those of a group that have the same length, and matrices of correlations. */
const MOST_LISTED = 100, MOST_MATRIX = 30;
function listedTables(file) {
  const made = [], text = (item, k) => item.kind === "text" ? item.texts[k] : show(numbers(item)[k], 6);
  for (const group of file.items.filter(i => i.kind === "group" && /^NX(collection|data)$/.test(i.NX_class) && /^\/(ions|refine|match)\//.test(i.path) && !/\/(sums|exits|trajectories)$/.test(i.path))) {
    const members = membersOf(file, group.path), lists = new Map();
    for (const item of members) {
      const length = group.NX_class === "NXdata" ? 0 : item.kind === "text" ? item.texts.length : item.kind === "numbers" && item.sizes.length === 1 ? item.sizes[0] : 0;
      if (length > 1 && length <= MOST_LISTED) lists.set(length, [...(lists.get(length) || []), item]);
      if (item.kind === "numbers" && item.sizes.length === 2 && last(item.path) === "correlations" && item.sizes.every(n => n > 0 && n <= MOST_MATRIX)) {
        const names = members.find(i => i.kind === "text" && i.texts.length === item.sizes[0]), [rows, columns] = item.sizes;
        const heads = Array.from({length: columns}, (unused, k) => names && rows === columns ? names.texts[k] : String(k + 1));
        made.push([`${words(last(group.path))}: ${words(last(item.path))}`, table(["", ...heads], Array.from({length: rows}, (unused, r) => [names ? names.texts[r] : String(r + 1), ...Array.from({length: columns}, (none, k) => show(numbers(item)[r * columns + k], 4))]))]);
      }
    }
    for (const [length, items] of lists) {
      items.sort((a, b) => (b.kind === "text") - (a.kind === "text"));
      made.push([words(last(group.path)), table(items.map(i => withUnit(words(last(i.path)), i.units)), Array.from({length}, (unused, k) => items.map(i => text(i, k))))]);
    }
  }
  return made.map(([title, body]) => element("details", {}, element("summary", {}, title), body));
}

/* The page ------------------------------------------------------------------------------------ */

const sections = [];
function section(title, ...children) {
  const id = `section-${sections.length + 1}`, made = element("section", {id}, element("h2", {}, title), ...children);
  sections.push({id, title});
  main.append(made);
  return made;
}

function provenance(file) {
  const parts = [], entry = file.items.find(i => i.kind === "group" && i.NX_class === "NXentry");
  const top = entry ? entry.path : "", rows = [["file", file.name], ["SHA-256", file.sha256]], options = [], long = [], figures = [];
  const text = item => item.kind === "text" ? item.texts.join(", ") : `${show(item.value, 8)} ${prettyUnit(item.units)}`.trim();
  for (const item of file.items) {
    if (item.kind !== "text" && item.kind !== "number") continue;
    const name = item.path.slice(top.length + 1), value = text(item);
    if (value === "") continue;
    if (name.includes("/options/")) options.push([last(name), `${value} ${item.kind === "text" ? prettyUnit(item.units) : ""}`.trim()]);
    else if (item.kind === "text" && (value.length > 200 || value.includes("\n"))) long.push([name, value]);
    else if (/^(process|sample)\//.test(name) || !name.includes("/")) rows.push([words(name.replace(/^process\//, "").replace("/", ": ")), value]);
    else if (item.kind === "number" && !/_errors$/.test(name)) {
      const error = file.items.find(i => i.path === item.path + "_errors" && i.kind === "number");
      figures.push([words(last(name)), error ? withError(item.value, error.value) : show(item.value, 8), prettyUnit(item.units), item.long_name || ""]);
    }
  }
  parts.push(table(["", ""], rows));
  if (figures.length) parts.unshift(element("details", {open: figures.length < 60}, element("summary", {}, "Numbers"), table(["", "value", "unit", "meaning"], figures)));
  parts.push(...listedTables(file));
  if (options.length) parts.push(element("details", {}, element("summary", {}, `Options (${options.length})`), table(["option", "value"], options)));
  for (const [name, value] of long) {
    const job = /job_file$/.test(name), save = element("button", {type: "button"}, "Save");
    save.addEventListener("click", () => download(job ? "job.yaml" : last(name) + ".txt", value));
    parts.push(element("details", {open: job}, element("summary", {}, job ? "Job file" : words(name)), copyButton(value), " ", save, element("pre", {tabIndex: 0}, value)));
  }
  const command = file.items.find(i => i.kind === "text" && /\/command$/.test(i.path));
  if (command && command.texts[0]) parts.unshift(element("p", {}, "Command: ", element("code", {}, command.texts[0]), " ", copyButton(command.texts[0])));
  return parts;
}

function build() {
  const engines = new Set();
  for (const file of report.files) for (const item of file.items) if (item.NX_class === "NXentry") engines.add(last(item.path));
  main.append(element("p", {className: "note"}, `${report.files.map(f => f.name).join(", ")} · made by sonde ${report.version}`));
  const nav = element("nav", {"aria-label": "Contents"});
  main.append(nav);

  const problems = [];
  for (const file of report.files) {
    const value = name => { const item = file.items.find(i => i.path.endsWith("/process/" + name)); return item ? item.value : undefined; };
    if (value("until_missed")) problems.push(`${file.name}: the run ended before the fields had decayed to the requested fraction.`);
    for (const item of file.items) {
      if (item.kind === "text" && /\/(warnings|notes)$/.test(item.path)) problems.push(...item.texts.join("\n").split("\n").filter(Boolean).map(t => `${file.name}: ${t}`));
      if (item.kind === "unreadable") problems.push(`${file.name}: ${item.path} cannot be read.`);
    }
  }
  if (problems.length) section("Warnings", ...problems.map(text => element("p", {className: "problem"}, text)));

  /* views in space */
  const views = [];
  for (const file of report.files)
    for (const item of file.items) {
      if (item.kind === "atoms") views.push(atomsFigure(file, item));
      if (item.kind === "group" && item.path === "/ions") {
        const figure = targetFigure(file, name => report.files.length > 1 ? `${name}: ${file.name}` : name);
        if (figure) views.push(figure);
      }
      if (item.kind === "text" && item.path === "/fdtd/process/job") {
        const figure = bodiesFigure(report.files.length > 1 ? `Bodies and monitors: ${file.name}` : "Bodies and monitors", item.texts[0], file.items.filter(i => i.kind === "body"));
        if (figure) views.push(figure);
      }
    }

  /* groups of numbers with axes, the default ones first */
  const groups = new Map();
  for (const file of report.files)
    for (const group of file.items)
      if (group.kind === "group" && group.NX_class === "NXdata" && group.signal && group.path !== "/campaign/table") {
        const members = new Map(membersOf(file, group.path).map(i => [last(i.path), i]));
        if (!groups.has(group.path)) groups.set(group.path, []);
        groups.get(group.path).push({file, group, members});
      }
  const defaults = new Set();
  for (const file of report.files) for (const item of file.items) if (item.NX_class === "NXentry" && item.default) defaults.add(`${item.path}/${item.default}`);
  const order = [...groups.keys()].sort((a, b) => defaults.has(b) - defaults.has(a));
  const results = [], deeper = [];
  for (const path of order) (path.split("/").length > 3 ? deeper : results).push(...dataFigures(path, groups.get(path)));
  for (const file of report.files) results.push(...leavingFigures(file));
  for (const file of report.files)
    for (const item of file.items) {
      if (item.kind === "table") {
        const read = readTable(item.text), figure = tableFigure(file.name, read.columns, file.name.replace(/\.[^.]*$/, ""));
        if (figure) results.push(figure);
        if (read.comments.length) file.comments = read.comments;
      }
      if (item.kind === "group" && item.path === "/campaign/table") {
        const columns = membersOf(file, item.path).filter(i => (i.kind === "numbers" && i.shape.length === 1) || i.kind === "text")
          .map(i => ({name: last(i.path), unit: i.units, values: i.kind === "text" ? i.texts.map(t => t !== "" && Number.isFinite(Number(t)) ? Number(t) : t) : Array.from(numbers(i))}));
        const figure = tableFigure(`Campaign: ${file.name}`, columns, "campaign");
        if (figure) results.push(figure);
      }
    }
  if (results.length) section("Results", ...results.map(f => f.figure));
  if (views.length) section("Views in space", ...views.map(f => f.figure));
  if (deeper.length) section("By kind", element("details", {}, element("summary", {}, `${deeper.length} more figures`), ...deeper.map(f => f.figure)));
  if (!results.length && !views.length && !deeper.length) section("Results", element("p", {}, "These files contain no curves or maps that can be drawn."));

  for (const file of report.files) {
    const parts = file.items.some(i => i.kind === "atoms" || i.kind === "table")
      ? [table(["", ""], [["file", file.name], ["SHA-256", file.sha256]]), ...(file.comments ? [element("pre", {tabIndex: 0}, file.comments.join("\n"))] : [])] : provenance(file);
    section(report.files.length > 1 ? `Origin of ${file.name}` : "Origin", ...parts);
  }
  section("This page", element("p", {className: "note"}, "Drag over a figure to zoom, double-click to reset, turn views in space by dragging; a click in the legend hides a curve. With the keyboard: Tab to a figure, arrows to move or turn, + and - to zoom, 0 to reset. ",
    "Made by ", element("code", {}, report.command), ". Drawn by plotly.js 4.1.1 (MIT License, © Plotly, Inc.), which is part of this page; nothing is fetched from a network."));
  nav.append(element("ul", {}, ...sections.map(s => element("li", {}, element("a", {href: "#" + s.id}, s.title)))));
}

async function loadPlotly() {
  const holder = document.getElementById("plotly"), text = atob(holder.textContent), bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; ++k) bytes[k] = text.charCodeAt(k);
  holder.remove();
  const code = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  document.head.append(element("script", {textContent: code}));
}

async function start() {
  build();
  if (typeof DecompressionStream === "undefined") {
    main.prepend(element("p", {className: "problem"}, "This browser is too old to draw the figures: it needs DecompressionStream (Chrome 80, Firefox 113, Safari 16.4, or later). The tables below are complete."));
    return;
  }
  await loadPlotly();
  const seen = new IntersectionObserver(entries => {
    for (const entry of entries) if (entry.isIntersecting) {
      seen.unobserve(entry.target);
      plots.find(p => p.plot === entry.target).show();
    }
  }, {rootMargin: "600px"});
  const first = plots.filter(p => !p.plot.closest("details")).slice(0, 4);
  for (const plot of first) await plot.show();
  for (const plot of plots) if (!first.includes(plot)) seen.observe(plot.plot);
  dark.addEventListener("change", () => { for (const plot of plots) plot.update(); });
  addEventListener("beforeprint", () => { onPaper = true; for (const plot of plots) if (!plot.plot.closest("details:not([open])")) plot.update(true); });
  addEventListener("afterprint", () => { onPaper = false; for (const plot of plots) plot.update(); });
  root.dataset.ready = String(first.length);
}
start();
})();
