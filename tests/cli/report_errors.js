/* The errors of the arrays of a report, as its script finds them:
 *     node report_errors.js REPORT.html
 * prints for each array of a figure its path, and its value and error in the middle, or "none". */
const {load} = require("./report_page.js");
const {report, membersOf, numbers, errorsOf, last} = load(process.argv[2],
    ["report", "membersOf", "numbers", "errorsOf", "last"]);

for (const file of report.files)
  for (const group of file.items.filter(i => i.kind === "group" && i.NX_class === "NXdata")) {
    const members = new Map(membersOf(file, group.path).map(i => [last(i.path), i]));
    for (const [name, item] of members) {
      if (item.kind !== "numbers" || /[_-]errors?$/.test(name) || (group.axes || []).includes(name)) continue;
      const errors = errorsOf(file, item, members, group, name), middle = numbers(item).length >> 1;
      console.log(item.path, errors ? `${numbers(item)[middle]} ${errors[middle]}` : "none");
    }
  }
