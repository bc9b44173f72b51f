/* Where a file comes from: the command, options, the job file, and all numbers alone. ------------- */

function provenance(file) {
  const parts = [], entry = file.items.find(i => i.kind === "group" && i.NX_class === "NXentry");
  const top = entry ? entry.path : "", rows = [["file", file.name], ["SHA-256", file.sha256]], options = [], long = [],
      figures = [];
  const text = item => item.kind === "text" ? item.texts.join(", ")
      : `${show(item.value, 8)} ${prettyUnit(item.units)}`.trim();
  for (const item of file.items) {
    if (item.kind !== "text" && item.kind !== "number") continue;
    const name = item.path.slice(top.length + 1), value = text(item);
    if (value === "" || (item.value === 0 && /(^|\/)peak_memory$/.test(name))) continue;
    if (name.includes("/options/")) options.push([last(name),
        `${value} ${item.kind === "text" ? prettyUnit(item.units) : ""}`.trim()]);
    else if (item.kind === "text" && item.texts.length > 1 && !/^process\//.test(name))
      continue; /* a column of a table */
    else if (item.kind === "text" && (value.length > 200 || value.includes("\n"))) long.push([name, value]);
    else if (/^(process|sample)\//.test(name) || !name.includes("/"))
      rows.push([words(name.replace(/^process\//, "").replace("/", ": ")), value]);
    else if (item.kind === "number" && !/_errors$/.test(name)) {
      const error = file.items.find(i => i.path === item.path + "_errors" && i.kind === "number");
      figures.push([name, error ? withError(item.value, error.value) : show(item.value, 8), prettyUnit(item.units),
          item.long_name || ""]);
    }
  }
  parts.push(table(["", ""], rows));
  /* with the groups that they are in where names alone would not tell them apart */
  const apart = new Set(figures.map(f => last(f[0]))).size === figures.length;
  for (const row of figures) row[0] = words(apart ? last(row[0]) : row[0].replace(/\//g, ": "));
  const head = ["", "value", "unit", "meaning"], filled = head.map((unused, k) => k < 2 || figures.some(f => f[k]));
  if (figures.length) parts.unshift(element("details", {open: figures.length < 60}, element("summary", {}, "Numbers"),
      table(head.filter((unused, k) => filled[k]), figures.map(f => f.filter((unused, k) => filled[k])))));
  parts.push(...listedTables(file));
  if (options.length) parts.push(element("details", {}, element("summary", {}, `Options (${options.length})`),
      table(["option", "value"], options)));
  for (const [name, value] of long) {
    const job = /job_file$/.test(name), save = element("button", {type: "button"}, "Save");
    save.addEventListener("click", () => download(job ? "job.yaml" : last(name) + ".txt", value));
    parts.push(element("details", {open: job}, element("summary", {}, job ? "Job file" : words(name)),
        copyButton(value), " ", save, element("pre", {tabIndex: 0}, value)));
  }
  const command = file.items.find(i => i.kind === "text" && /\/command$/.test(i.path));
  if (command && command.texts[0]) parts.unshift(element("p", {}, "Command: ", element("code", {}, command.texts[0]),
      " ", copyButton(command.texts[0])));
  return parts;
}
