/* Tables as text: their columns with names and units, and figures of them. ------------------------ */

const MOST_DRAWN = 100000, MOST_POINTS = 20000; /* of a curve, of separate points */

/* The number in a cell, NaN if there is none, or its text. */
function cellValue(cell) {
  const text = cell.trim();
  if (/^([-+]?nan|n\/?a|null|none|)$/i.test(text)) return NaN;
  const infinite = /^([-+]?)inf(inity)?$/i.exec(text);
  if (infinite) return infinite[1] === "-" ? -Infinity : Infinity;
  const value = Number(text);
  if (!Number.isNaN(value)) return value;
  return /^[-+]?[.\d]+d[-+]?\d+$/i.test(text) ? Number(text.replace(/d/i, "e")) : text;
}

/* The cells of a line between separators, but not those in quotes. */
function cellsBetween(line, separator) {
  if (!line.includes('"')) return line.split(separator);
  const cells = [];
  let cell = "", quoted = false;
  for (let k = 0; k < line.length; ++k) {
    const c = line[k];
    if (quoted && c === '"' && line[k + 1] === '"') { cell += c; ++k; }
    else if (c === '"') quoted = !quoted;
    else if (c === separator && !quoted) { cells.push(cell); cell = ""; }
    else cell += c;
  }
  cells.push(cell);
  return cells;
}

/* "1,5" with a decimal comma */
const DECIMAL = /^(\s*[-+]?\d*),(\d+([ed][-+]?\d+)?\s*)$/i;

/* Whether lines have semicolons between cells: the same number in each of them. Where the same is true of commas, these
 * must be decimal ones, except in the first line, which may have names. */
function haveSemicolons(lines) {
  const same = separator => {
    const width = lines.length ? cellsBetween(lines[0], separator).length : 1;
    return width > 1 && lines.every(line => cellsBetween(line, separator).length === width);
  };
  const decimal = line => cellsBetween(line, ";").every(cell => !cell.includes(",") || DECIMAL.test(cell));
  return same(";") && (!same(",") || (lines.length > 1 && lines.slice(1).every(decimal)));
}

/* The cells of a line, separated by semicolons, with decimal points or commas, or by commas, or by spaces and
 * semicolons. */
function cellsOf(line, bySemicolons) {
  if (bySemicolons) return cellsBetween(line, ";").map(cell => cell.replace(DECIMAL, "$1.$2"));
  if (line.includes(",")) return cellsBetween(line, ",");
  return line.trim().split(/[\s;]+/).map(c => c.replace(/^"(.*)"$/, "$1"));
}

/* "q [1/Angstrom]", "energy (eV)", "wavelength_m": name and unit. */
const UNITS_OF_NAMES = new RegExp("^(.*[^_])_(m|s|[nuµmc]m|[fpnuµm]s|[kMGT]?Hz|[kM]?eV|[mk]?V|J|K|Angstrom|deg|degrees?"
  + "|[A-Za-zµ]{1,2}( ?[A-Za-z]{1,2})?[/^]\\S+|[A-Za-z]{1,2} [A-Za-z]{1,2}/\\S+|1/\\S+)$");
function nameAndUnit(text) {
  const name = text.trim();
  const parts = /^(.*?)\s*\[([^[\]]*)\]$/.exec(name) || /^(.*\S)\s+\(([^()]*)\)$/.exec(name)
      || UNITS_OF_NAMES.exec(name);
  return parts && parts[1] ? {name: parts[1], unit: parts[2]} : {name, unit: ""};
}

/* The names in a comment above so many columns: "x y z [Angstrom]  potential [V]"; null if it has others. */
function namesInComment(text, width) {
  const groups = text.trim().split(/ {2,}|\t+/), commas = text.split(","), semicolons = text.split(";");
  if (width > 1 && semicolons.length === width) return semicolons.map(nameAndUnit);
  if (groups.length === width) return groups.map(nameAndUnit);
  const single = groups.flatMap(group => {
    const whole = nameAndUnit(group);
    return whole.name.split(/\s+/).map(name => ({name, unit: whole.unit}));
  });
  if (single.length === width) return single;
  const each = [];
  for (const word of text.match(/\[[^\]]*\]|\S+/g) || []) {
    if (word.startsWith("[") && each.length) each[each.length - 1].unit = word.slice(1, -1);
    else each.push({name: word, unit: ""});
  }
  if (each.length === width) return each;
  return commas.length === width && width > 1 ? commas.map(nameAndUnit) : null;
}

/* Units of sonde's own columns that have none in the file. */
function unitBySonde(name, comments) {
  const origin = /^sonde \S+, (\w+)/.exec(comments[0] || ""), engine = origin ? origin[1] : "";
  const own = (/^unit: ([^;\s]+)/.exec(comments.find(c => c.startsWith("unit: ")) || "") || [])[1] || "";
  const xray = comments.some(c => c.startsWith("X-ray form factors"));
  if (engine === "debye") {
    if (/^I(_|$| per atom)/.test(name)) return xray ? "electron^2" : "";
    return {q: "1/Angstrom", r: "Angstrom", G: "1/Angstrom^2", F: "1/Angstrom"}[name] || "";
  }
  if (engine === "stopping") {
    const sentence = /energy in (.*), stopping in (.*), lengths in (.*), straggling in (.*)$/;
    const units = comments.map(c => sentence.exec(c)).find(Boolean);
    const kinds = {energy: 1, electronic: 2, nuclear: 2, straggling: 4}, isLength = /range|lateral|path/.test(name);
    const kind = kinds[name] || (isLength ? 3 : 0);
    return units && kind ? units[kind].replace(" / ", "/") : "";
  }
  if (engine === "pattern") return name === "q" ? "1/Angstrom" : "";
  if (engine !== "coulomb") return "";
  if (/^[xyz]$/.test(name)) return "Angstrom";
  return /^potential/.test(name) ? own : /^E[xyz]/.test(name) && own ? own + "/Angstrom" : "";
}

function columnsOf(block, comments) {
  let width = 0;
  for (const row of block.rows) width = Math.max(width, row.length);
  const above = block.comments[block.comments.length - 1];
  const names = block.head ? block.head.map(nameAndUnit) : (above !== undefined && namesInComment(above, width)) || [];
  const line = [...block.comments].reverse().find(c => c.startsWith("units: "));
  const units = line ? line.slice(7).split(",").map(u => u.trim()) : [];
  return Array.from({length: width}, (unused, k) => {
    const {name, unit} = names[k] || {name: `column ${k + 1}`, unit: ""}, values = [];
    let numeric = true;
    for (const row of block.rows) {
      const value = row[k] === undefined ? NaN : cellValue(row[k]);
      numeric = numeric && typeof value === "number";
      values.push(value);
    }
    const given = units.length === width ? units[k] : unit || unitBySonde(name, comments);
    return {name: name || `column ${k + 1}`, unit: given === "1" ? "" : given,
      values: numeric ? values : block.rows.map(row => (row[k] || "").trim())};
  });
}

/* The tables in a file: several where names or comments with names stand between rows. */
function readTables(text) {
  const comments = [], blocks = [];
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  const bySemicolons = haveSemicolons(lines.filter(line => line.trim() && !line.startsWith("#")));
  let block = null, fresh = [], gap = false;
  const begin = head => { block = {head, comments: fresh, rows: []}; blocks.push(block); };
  for (const line of lines) {
    if (line.startsWith("#")) {
      const comment = line.replace(/^#+ ?/, "");
      comments.push(comment);
      fresh.push(comment);
      continue;
    }
    if (!line.trim()) { gap = true; continue; }
    const cells = cellsOf(line, bySemicolons), isText = c => typeof cellValue(c) === "string";
    const numbersAbove = block && block.rows.length > 0 && !block.rows[block.rows.length - 1].some(isText);
    if (block ? (gap || fresh.length || numbersAbove) && cells.every(isText) : isText(cells[0])) {
      begin(cells);
      fresh = [];
    } else {
      const anew = block && fresh.length && !block.head && namesInComment(fresh[fresh.length - 1], cells.length);
      if (!block || anew) begin(null);
      block.rows.push(cells);
      fresh = [];
    }
    gap = false;
  }
  const tables = blocks.map(b => {
    const monitor = b.comments.map(c => /^monitor (.*)$/.exec(c)).find(Boolean);
    return {title: monitor ? words(monitor[1]) : "", columns: columnsOf(b, comments)};
  });
  return {comments, tables};
}

/* The middles of bins in place of their ends. */
function withMiddles(columns) {
  const all = [];
  for (const column of columns) {
    const of = /^(.*)[_ ](begin|end)$/.exec(column.name);
    const opposite = of && column.name.replace(/(begin|end)$/, of[2] === "end" ? "begin" : "end");
    const other = of && columns.find(c => c.name === opposite);
    if (!other || typeof column.values[0] === "string") all.push(column);
    else if (of[2] === "begin")
      all.push({name: of[1], unit: column.unit, values: column.values.map((v, n) => 0.5 * (v + other.values[n]))});
  }
  return all;
}

const isAxis = name => /^(frequency|wavelength|period|photon[_ ]energy|q|s|d|(two|2)[-_ ]?theta)$/i.test(name);
const isPosition = name => /^[xyzhkl]$/.test(name);
const varies = values => values.some(v => v !== values[0] && Number.isFinite(v));

/* A table: the columns are curves against one of them. {figure}, or {reason} where there is none. */
function tableFigure(label, allColumns, name, own = name) {
  const columns = withMiddles(allColumns);
  const plainNumbers = columns.filter(c => c.values.length && c.values.every(v => typeof v === "number"));
  if (!columns.length) return {reason: "it has no rows of numbers"};
  if (plainNumbers.length < 2)
    return {reason: plainNumbers.length ? `only its column "${plainNumbers[0].name}" has numbers alone`
        : "no column has numbers alone"};
  const errorNames = n => [n + "_error", n + "_errors", n + " error", "error of " + n, "error estimate of " + n];
  const errorOf = c => plainNumbers.find(e => e !== c && errorNames(c.name).includes(e.name));
  const errors = new Set(plainNumbers.map(errorOf).filter(Boolean));
  const varied = plainNumbers.filter(c => !errors.has(c) && varies(c.values)), x = varied[0] || plainNumbers[0];
  /* rows that differ in words belong to different curves, if there are few */
  const keys = columns.filter(c => !/^(job|state)$/.test(c.name) && c.values.some(v => typeof v === "string")
    && new Set(c.values).size <= 12);
  const series = new Map();
  x.values.forEach((place, n) => {
    if (!Number.isFinite(place)) return;
    const key = keys.map(c => `${c.name} ${c.values[n]}`).join(", ");
    if (!series.has(key)) series.set(key, []);
    series.get(key).push(n);
  });
  let most = 0;
  for (const [key, rows] of series) {
    rows.sort((a, b) => x.values[a] - x.values[b]);
    const repeats = rows.some((n, k) => k > 0 && x.values[n] === x.values[rows[k - 1]]);
    const each = Math.ceil(rows.length / (repeats ? MOST_POINTS : MOST_DRAWN));
    most = Math.max(most, each);
    series.set(key, {rows: each > 1 ? rows.filter((unused, k) => k % each === 0) : rows, repeats});
  }
  const second = varied.filter(c => c !== x && isAxis(x.name) && isAxis(c.name));
  const others = plainNumbers.filter(c => c !== x && !errors.has(c) && !second.includes(c));
  if (!others.length) return {reason: "it has axes alone"};
  const rank = c => isPosition(c.name) ? 2 : varies(c.values) ? 0 : 1;
  const quantities = [0, 1, 2].flatMap(r => others.filter(c => rank(c) === r)), first = quantities[0];
  const alike = quantities.filter(c => rank(c) === 0 && c.unit && c.unit === first.unit);
  const isShown = c => c === first || (alike.length <= 3 && series.size === 1 && alike.includes(c));
  const pick = (column, rows) => rows.map(n => column.values[n]), curves = [];
  const against = [x, ...second, ...varied.filter(v => v !== x && !second.includes(v))].slice(0, 6);
  const short = second.find(c => c.name === "wavelength" && c.unit === "m" && c.values.every(v => !(v >= 3e-5)));
  for (const [key, {rows, repeats}] of series) {
    const xs = against.map(v => ({path: "/" + v.name, long_name: words(v.name), units: v.unit,
        values: Float64Array.from(pick(v, rows))}));
    for (const c of quantities) {
      const error = errorOf(c);
      curves.push({name: words(c.name) + (key ? `, ${key}` : ""), unit: c.unit, xs,
        chosen: short ? against.indexOf(short) : 0,
        y: pick(c, rows), errors: error ? pick(error, rows) : null, shown: isShown(c), points: repeats, file: name});
    }
  }
  if (!curves.length) return {reason: `its column "${x.name}" has no finite numbers`};
  /* the curves of a quantity one after the other */
  curves.sort((a, b) => b.shown - a.shown);
  const figure = curveFigure(label, curves, own);
  if (most > 1) figure.note(`Too many rows to draw all of them: one of every ${most} is shown.`);
  return {figure};
}

/* Figures of tables as text, and what is left out of them. */
function tableFigures(file, item, figures) {
  const {comments, tables} = readTables(item.text), name = last(file.name).replace(/\.[^.]*$/, "");
  file.comments = comments;
  for (const [k, one] of tables.entries()) {
    const title = one.title || (tables.length > 1 ? `table ${k + 1}` : "");
    const {figure, reason} = tableFigure(title ? `${file.name}: ${title}` : file.name, one.columns, file.name, name);
    if (figure) figures.push(figure);
    else if (tables.length === 1 || one.columns.length > 1)
      problems.push(`${file.name}: no figure${title ? ` of ${title}` : ""}: ${reason}.`);
  }
  if (item.cut) problems.push(`${file.name}: longer than 8 MB: only the rows before are in this page.`);
  if (!tables.length) problems.push(`${file.name}: no figure: it has no rows of numbers.`);
  file.drawn = true;
}
