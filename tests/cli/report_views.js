/* The views in space of a report, as its script makes them:
 *     node report_views.js PAGE.js REPORT.html
 * prints the axes' ranges of each view, and the name and the box of each thing in it. */
const fs = require("fs"), vm = require("vm");
const [path, report] = process.argv.slice(2), read = name => fs.readFileSync(name, "utf8");
const script = read(path), page = read(report), numbersAndUnits = read(path.replace("page.js", "numbers.js"));
const part = (from, to) => script.slice(script.indexOf(from), script.indexOf(to));
const code = part("const COLORS", "root.dataset.errors") + numbersAndUnits + part("/* For plotly.js", "/* Views in space") + part("function segments(", "/* The page ---");
const views = [], range = values => { let [low, high] = [Infinity, -Infinity]; for (const v of values) if (v !== null) { low = Math.min(low, v); high = Math.max(high, v); } return `${low.toFixed(0)}:${high.toFixed(0)}`; };
const spaceFigure = (title, data, unit, notes, shown) => { views.push({title, data, unit, notes, shown}); };
const [bodiesFigure, targetFigure] = vm.runInNewContext(code + "; [bodiesFigure, targetFigure]", {atob, spaceFigure, noteReduced: () => {}});
const start = page.indexOf('id="data">') + 10;

for (const file of JSON.parse(page.slice(start, page.indexOf("</script>", start))).files) {
  const job = file.items.find(i => i.path === "/fdtd/process/job" && i.kind === "text");
  if (job) bodiesFigure("Bodies", job.texts[0], file.items.filter(i => i.kind === "body"));
  targetFigure(file, name => name);
}
for (const view of views) {
  console.log(view.title, ...(view.shown ? view.shown[0].map((low, k) => `${low.toFixed(0)}:${view.shown[1][k].toFixed(0)}`) : ["all"]), view.unit);
  for (const thing of view.data) console.log(`- ${thing.name}:`, range(thing.x), range(thing.y), range(thing.z));
  for (const note of view.notes) console.log(`  ${note}`);
}
