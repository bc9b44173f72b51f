/* The views in space of a report, as its script makes them:
 *     node report_views.js REPORT.html
 * prints the axes' ranges of each view, and the name and the box of each thing in it, and before them the spectra of
 * atoms that leave, with their sums, and lists that are tables, with the table of all numbers. */
const {load} = require("./report_page.js");
const {report, bodiesFigure, targetFigure, leavingFigures, provenance} = load(process.argv[2],
    ["report", "bodiesFigure", "targetFigure", "leavingFigures", "provenance"]);
const colors = {text: "#000", line: "#000", ground: "#fff"}, views = [];

function extent(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const v of values) if (v !== null) { low = Math.min(low, v); high = Math.max(high, v); }
  return `${low.toFixed(0)}:${high.toFixed(0)}`;
}
const titleOf = figure => figure.caption.textContent;
const notesOf = figure => figure.after.children.filter(c => c.className === "note").map(c => c.textContent);

for (const file of report.files) {
  const job = file.items.find(i => i.path === "/fdtd/process/job" && i.kind === "text");
  if (job) views.push(bodiesFigure("Bodies", job.texts[0], file.items.filter(i => /^(body|wave)$/.test(i.kind))));
  views.push(targetFigure(file, name => name));
  for (const figure of leavingFigures(file)) {
    const {data, layout} = figure.draw(colors);
    for (const {name, x, y} of data.filter(trace => trace.name))
      console.log(`= ${titleOf(figure)}: ${name}: ${x.length} of ${layout.xaxis.title.text.replace(/ \(.*/, "")}, `
        + y.reduce((a, b) => a + b, 0).toFixed(3));
  }
  for (const details of provenance(file).filter(part => part.tag === "details" && part.all("th").length)) {
    const heads = details.all("th").map(e => e.textContent), rows = details.all("tr").length - 1;
    console.log(`| ${details.all("summary")[0].textContent} ${heads.join(",")} (${rows})`);
  }
}
for (const view of views.filter(Boolean)) {
  const {data, layout: {scene}} = view.draw(colors), axes = [scene.xaxis, scene.yaxis, scene.zaxis];
  const unit = /\((.*)\)$/.exec(axes[0].title.text)[1];
  const ranges = axes[0].range ? axes.map(a => a.range.map(v => v.toFixed(0)).join(":")) : ["all"];
  console.log(titleOf(view), ...ranges, unit);
  for (const thing of data) console.log(`- ${thing.name}:`, extent(thing.x), extent(thing.y), extent(thing.z));
  for (const note of notesOf(view)) console.log(`  ${note}`);
}
