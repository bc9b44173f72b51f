/* Tables as the scripts of a report read them, and numbers as they write them.
 *     node report_tables.js SOURCE_FOLDER TABLES...
 * prints a line for each table: its title, and names, units, and first values of its columns; then a few numbers. */
const fs = require("fs"), vm = require("vm");
const [folder, ...files] = process.argv.slice(2);
const read = path => fs.readFileSync(path, "utf8");
const script = ["numbers", "curves", "maps", "tables", "groups"].map(name => read(`${folder}/${name}.js`)).join("");
const page = 'const words = name => name.replace(/_/g, " "), COLORS = ["a", "b", "c", "d", "e", "f", "g", "h"];'
  + "const numbers = item => item.values;";
const [readTables, withMiddles, show, withError, rowTexts, lineOf, gridAxes] =
  vm.runInNewContext(`${page}${script}; [readTables, withMiddles, show, withError, rowTexts, lineOf, gridAxes]`, {});

for (const file of files)
  for (const table of readTables(read(file)).tables)
    console.log([table.title || "table", ...withMiddles(table.columns).map(c =>
        `${c.name}[${c.unit}]=${c.values[0]}`)].join(" | "));
/* as many rows as do not fit on the stack of calls */
console.log(readTables("x,y\n" + "1,2\n".repeat(200000)).tables[0].columns[1].values.length, "rows");
console.log([show(1234567), show(0.00001234), show(123456), show(-Infinity), withError(9.83607e19, 3.8e17),
    withError(1.23456, 0.0123),
  withError(-12345, 1234), withError(0, 0.5), ...rowTexts([[1.5, null]], [[0.25, null]])[0]].join("; "));
/* curves of many files, of which none looks like another */
const many = Array.from({length: 30}, (unused, k) => ({file: `file ${k}`, name: "I"}));
const lines = many.map(curve => JSON.stringify(lineOf(curve, many.map(c => c.file), ["I"])));
console.log(new Set(lines).size, "lines");
/* axes of an oblique grid: x, y, z in files of earlier versions, a, b, c in others */
const item = values => ({kind: "numbers", units: "angstrom", values: Float64Array.from(values)});
const members = new Map([["origin", item([1, 2, 3])], ["steps", item([0, 3, 4, 0, 0, 2, 5, 0, 0])]]);
for (const name of ["x", "a", "b", "."]) {
  const axes = gridAxes(members, name, 2);
  console.log("axis", name, axes ? [...axes.along.values, ...axes.own.map(o => o.path + o.values[1]), axes.straight].join(" ") : "none");
}
