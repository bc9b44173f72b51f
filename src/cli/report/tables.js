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
