/* The views in space of a report, as its script makes them:
 *     node report_views.js PAGE.js REPORT.html
 * prints the axes' ranges of each view, and the name and the box of each thing in it, and before them the spectra of atoms
 * that leave, with their sums, and lists that are tables. */
const fs = require("fs"), vm = require("vm");
const [path, report] = process.argv.slice(2), read = name => fs.readFileSync(name, "utf8");
const script = read(path), page = read(report), numbersAndUnits = read(path.replace("page.js", "numbers.js"));
const part = (from, to) => script.slice(script.indexOf(from), script.indexOf(to));
const code = part("const COLORS", "root.dataset.errors") + numbersAndUnits + part("/* For plotly.js", "/* Views in space") +
  part("function segments(", "/* The page ---") + read(path.replace("page.js", "lists.js"));
const views = [], range = values => { let [low, high] = [Infinity, -Infinity]; for (const v of values) if (v !== null) { low = Math.min(low, v); high = Math.max(high, v); } return `${low.toFixed(0)}:${high.toFixed(0)}`; };
const spaceFigure = (title, data, unit, notes, shown) => { views.push({title, data, unit, notes, shown}); };
const curveFigure = (title, curves) => ({title, curves}), element = (tag, properties, ...children) => children.join(""), table = (head, rows) => ` ${head.join(",")} (${rows.length})`;
const [bodiesFigure, targetFigure, leavingFigures, listedTables] = vm.runInNewContext(code + "; [bodiesFigure, targetFigure, leavingFigures, listedTables]",
  {atob, spaceFigure, noteReduced: () => {}, curveFigure, element, table, report: {files: [0]}});
const start = page.indexOf('id="data">') + 10;

for (const file of JSON.parse(page.slice(start, page.indexOf("</script>", start))).files) {
  const job = file.items.find(i => i.path === "/fdtd/process/job" && i.kind === "text");
  if (job) bodiesFigure("Bodies", job.texts[0], file.items.filter(i => i.kind === "body"));
  targetFigure(file, name => name);
  for (const {title, curves} of leavingFigures(file))
    for (const curve of curves) console.log(`= ${title}: ${curve.name}: ${curve.y.length} of ${curve.xs[0].long_name}, ${curve.y.reduce((a, b) => a + b, 0).toFixed(3)}`);
  for (const text of listedTables(file)) console.log(`| ${text}`);
}
for (const view of views) {
  console.log(view.title, ...(view.shown ? view.shown[0].map((low, k) => `${low.toFixed(0)}:${view.shown[1][k].toFixed(0)}`) : ["all"]), view.unit);
  for (const thing of view.data) console.log(`- ${thing.name}:`, range(thing.x), range(thing.y), range(thing.z));
  for (const note of view.notes) console.log(`  ${note}`);
}
