/* The figures of a report, as its script draws them at first:
 *     node report_figures.js REPORT.html
 * prints for each figure its title and the title of x, then a line for each trace with a name or with points in rows, for
 * each shaded region, each row of its tables, and each text that is read by keys; of maps the colors and the text under
 * the pointer in the middle. */
const {load} = require("./report_page.js");
const {build, plots, report} = load(process.argv[2], ["build", "plots", "report"]);
const colors = {text: "#000", line: "#000", ground: "#fff"}, plain = value => String(Number(Number(value).toPrecision(4)));
const ends = values => `${values.length}: ${[values[0], values[values.length - 1]].map(v => typeof v === "string" ? v
    : plain(v)).join(" to ")}`;

/* The error bars of the first point. */
function barsOf(trace) {
  const bars = trace.error_x || trace.error_y;
  return bars ? ` -${plain((bars.arrayminus || bars.array)[0])} +${plain(bars.array[0])}` : "";
}

function tell(figure) {
  const {data, layout} = figure.draw(colors), {xaxis} = layout;
  console.log(`= ${figure.caption.textContent} | ${xaxis ? xaxis.title.text : ""}`);
  if (data[0].type === "heatmap") {
    const {zmin, zmax, colorbar, customdata} = data[0], row = customdata[customdata.length >> 1];
    console.log(`  a map: ${colorbar.title.text} | ${plain(zmin)} to ${plain(zmax)} | ${row[row.length >> 1]}`);
  }
  for (const trace of data.filter(t => t.type === "scatter" && (t.name || t.uid === "rows")))
    console.log(`  ${trace.name || trace.uid}${trace.visible === "legendonly" ? " (hidden)" : ""} ${ends(trace.x)} | `
      + ends(trace.y) + barsOf(trace));
  for (const {name} of data.filter(t => t.type === "scatter" && t.name && t.mode === "markers"))
    console.log(`  points: ${name}`);
  for (const trace of data.filter(t => t.fill === "tonexty" && t.visible !== "legendonly"))
    console.log(`  band ${trace.uid} up to ${plain(trace.y[0])}`);
  for (const {type, x0, x1, yref} of layout.shapes || []) console.log(`  ${type} ${plain(x0)} ${plain(x1)} ${yref}`);
  for (const {text} of figure.readings || []) console.log(`  > ${text}`);
}

build();
for (const figure of plots) {
  tell(figure);
  for (const each of figure.after.children.filter(c => c.tag === "div"))
    for (const row of each.all("tr")) console.log(`  | ${row.children.map(cell => cell.textContent).join(" | ")}`);
  /* once more with the choices at their second values: intervals in place of errors, another quantity or axis */
  const selects = figure.controls.all("select").filter(s => s.children.length > 1);
  for (const select of selects) select.value = "1";
  if (selects.length) tell(figure);
}
for (const file of report.files) if (!file.drawn) console.log(`${file.name}: nothing`);
