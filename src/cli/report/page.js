/* The page ------------------------------------------------------------------------------------ */

/* What is wrong with the files, and what could not be drawn of them, which must not stop the rest. */
const problems = [];
function attempt(file, what, make) {
  const before = plots.length;
  try {
    return make();
  } catch (failure) {
    problems.push(`${file.name}: ${what} could not be drawn: ${failure.message}`);
    plots.length = before;
    file.drawn = true;
    return null;
  }
}

const sections = [];
function section(title, ...children) {
  const id = `section-${sections.length + 1}`, made = element("section", {id}, element("h2", {}, title), ...children);
  sections.push({id, title});
  main.append(made);
  return made;
}
function dropSection(made) {
  sections.splice(sections.findIndex(s => s.id === made.id), 1);
  made.remove();
}

function build() {
  main.append(element("p", {className: "note"},
      `${report.files.map(f => f.name).join(", ")} · made by sonde ${report.version}`));
  const nav = element("nav", {"aria-label": "Contents"});
  main.append(nav);

  const warnings = section("Warnings");
  for (const file of report.files) {
    const value = name => (file.items.find(i => i.path.endsWith("/process/" + name)) || {}).value;
    if (value("until_missed"))
      problems.push(`${file.name}: the run ended before the fields had decayed to the requested fraction.`);
    for (const item of file.items) {
      if (item.kind === "text" && /\/(warnings|notes)$/.test(item.path))
        for (const line of item.texts.join("\n").split("\n").filter(Boolean)) problems.push(`${file.name}: ${line}`);
      if (item.kind === "unreadable") problems.push(`${file.name}: ${item.path} cannot be read.`);
      if (item.kind === "numbers" && item.data === null)
        problems.push(`${file.name}: ${item.path} is left out, since the page would exceed 48 MB.`);
    }
  }

  /* views in space */
  const views = [];
  const view = (file, what, make) => {
    const figure = attempt(file, what, make);
    if (figure) views.push(figure);
    if (figure) file.drawn = true;
  };
  const titled = (label, file) => report.files.length > 1 ? `${label}: ${file.name}` : label;
  for (const file of report.files)
    for (const item of file.items) {
      if (item.kind === "atoms") view(file, "the atoms", () => atomsFigure(file, item));
      if (item.kind === "group" && item.path === "/ions")
        view(file, "the target", () => targetFigure(file, name => titled(name, file)));
      if (item.kind === "text" && item.path === "/fdtd/process/job")
        view(file, "the bodies", () => bodiesFigure(titled("Bodies and monitors", file), item.texts[0],
          file.items.filter(i => /^(body|wave)$/.test(i.kind))));
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
  for (const file of report.files) for (const item of file.items)
    if (item.NX_class === "NXentry" && item.default) defaults.add(`${item.path}/${item.default}`);
  const order = [...groups.keys()].sort((a, b) => defaults.has(b) - defaults.has(a) || fitPlace(a) - fitPlace(b));
  const results = [], deeper = [];
  for (const path of order) (path.split("/").length > 3 ? deeper : results)
      .push(...(fitFigures(path, groups.get(path)) || dataFigures(path, groups.get(path))));
  for (const file of report.files) results.push(...(attempt(file, "the spectra of leaving atoms",
      () => leavingFigures(file)) || []));
  for (const file of report.files)
    for (const item of file.items) {
      if (item.kind === "table") attempt(file, "the table", () => tableFigures(file, item, results));
      if (item.kind === "group" && item.path === "/campaign/table")
        attempt(file, "the table", () => {
          const isColumn = i => (i.kind === "numbers" && i.shape.length === 1) || i.kind === "text";
          const cell = text => text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
          const columns = membersOf(file, item.path).filter(isColumn).map(i => ({name: last(i.path), unit: i.units,
            values: i.kind === "text" ? i.texts.map(cell) : Array.from(numbers(i))}));
          const {figure, reason} = tableFigure(`Campaign: ${file.name}`, columns, "campaign");
          if (figure) results.push(figure);
          else problems.push(`${file.name}: no figure: ${reason}.`);
          file.drawn = true;
        });
    }
  const forces = report.files.map(file => attempt(file, "the forces", () => forcesTable(file))).filter(Boolean);
  for (const file of report.files)
    if (!file.drawn) problems.push(`${file.name}: no figure: it has no curves, maps, or atoms.`);
  if (problems.length) warnings.append(...problems.map(text => element("p", {className: "problem"}, text)));
  else dropSection(warnings);
  if (results.length || forces.length) section("Results", ...results.map(f => f.figure), ...forces);
  if (views.length) section("Views in space", ...views.map(f => f.figure));
  if (deeper.length) section("By kind", element("details", {}, element("summary", {}, `${deeper.length} more figures`),
      ...deeper.map(f => f.figure)));
  if (!results.length && !forces.length && !views.length && !deeper.length)
    section("Results", element("p", {}, "These files contain no curves or maps that can be drawn."));

  for (const file of report.files) {
    const parts = file.items.some(i => i.kind === "atoms" || i.kind === "table")
      ? [table(["", ""], [["file", file.name], ["SHA-256", file.sha256]]),
          ...(file.comments ? [element("pre", {tabIndex: 0}, file.comments.join("\n"))] : [])] : provenance(file);
    section(report.files.length > 1 ? `Origin of ${file.name}` : "Origin", ...parts);
  }
  section("This page", element("p", {className: "note"},
      "Drag over a figure to zoom, double-click to reset, turn views in space by dragging; a click in the legend "
      + "hides a curve. With the keyboard: Tab to a figure, arrows to move or turn, + and - to zoom, 0 to reset. ",
      "Made by ", element("code", {}, report.command),
      ". Drawn by plotly.js 4.1.1 (MIT License, © Plotly, Inc.), which is part of this page; nothing is fetched from "
      + "a network."));
  nav.append(element("ul", {}, ...sections.map(s => element("li", {}, element("a", {href: "#" + s.id}, s.title)))));
}

async function loadPlotly() {
  const holder = document.getElementById("plotly"), text = atob(holder.textContent),
      bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; ++k) bytes[k] = text.charCodeAt(k);
  holder.remove();
  const code = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  document.head.append(element("script", {textContent: code}));
}

/* Figures are drawn for the width of paper before the page is printed (page.css), and for the window's afterwards. */
function forPaper(begins) {
  if (onPaper === begins) return;
  onPaper = begins;
  root.classList.toggle("paper", begins);
  for (const plot of plots) {
    if (!plot.plot.closest("details:not([open])")) plot.update(begins);
    attempt({name: "paper"}, "a view in space", () => plot.copyForPaper());
  }
}

async function start() {
  build();
  if (typeof DecompressionStream === "undefined") {
    main.prepend(element("p", {className: "problem"},
        "This browser is too old to draw the figures: it needs DecompressionStream (Chrome 80, Firefox 113, Safari "
        + "16.4, or later). The tables below are complete."));
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
  addEventListener("beforeprint", () => forPaper(true));
  addEventListener("afterprint", () => forPaper(false));
  matchMedia("print").addEventListener("change", event => forPaper(event.matches));
  root.dataset.ready = String(first.length);
}
start();
