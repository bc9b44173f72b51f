/* Results of sonde match and sonde refine: measured curves with what explains them, the structures and their weights,
 * what explains nearly as much, and what nothing explains. ------------------------------------------------------- */

const PARTS = COLORS.filter(color => color !== "#d62728"); /* of structures; the fit is red */
const MOST_PARTS = 12; /* contributions in a figure, the largest ones */
const MOST_SERIES = 40, MOST_SHOWN = 8; /* curves of a series, and those that are shown at first */

/* The column of a group as numbers, or null. Columns of one row are numbers alone on the page. */
function column(members, name) {
  const item = members.get(name);
  if (item && item.kind === "number") return Float64Array.of(item.value === null ? NaN : item.value);
  return item && item.kind === "numbers" && item.sizes ? numbers(item) : null;
}
const listOf = (members, name) => members.get(name) && members.get(name).kind === "text" ? members.get(name).texts : [];
const percent = values => values && values.map(v => 100 * v);

const membersIn = (file, path) => new Map(membersOf(file, path).map(i => [last(i.path), i]));

/* Candidates by their keys, since several may have the same name. */
const keysOf = members => listOf(members, "name").map((name, k) => listOf(members, "key")[k] || name);

/* The structures that have weights, and the colors of these and of all in a series, by keys or names, which are the
 * same in all figures of a file. */
function weighted(file) {
  const members = membersIn(file, "/match/weights"), series = membersIn(file, "/match/series");
  const both = list => [...list(members), ...list(series)], keys = both(keysOf);
  const names = both(each => listOf(each, "name")), order = [...new Set(keys)];
  const tint = text => {
    const at = keys.includes(text) ? keys.indexOf(text) : names.indexOf(text);
    return at < 0 ? null : PARTS[order.indexOf(keys[at]) % PARTS.length];
  };
  return {members, names: listOf(members, "name"), keys: keysOf(members), tint};
}

/* Measured curves ----------------------------------------------------------------------------- */

/* What random deviations do not explain: [{position, width, height, significance}], the most significant first. */
function unexplainedOf(file, path) {
  const members = membersIn(file, path + "/unexplained");
  const columns = ["position", "width", "height", "significance"].map(name => column(members, name));
  if (columns.some(c => !c)) return [];
  return Array.from(columns[0], (position, k) => ({position, width: columns[1][k], height: columns[2][k],
    significance: columns[3][k]}));
}

const kindOf = region => region.height > 0 ? "excess" : "deficit"; /* of what was measured */
const tintOf = region => region.height > 0 ? "#d95f02" : "#1f77b4";

/* The contributions of structures to a curve: [{name, color, y}], the largest weights first. */
function contributionsOf(file, members) {
  const item = members.get("contributions"), {names, keys, tint} = weighted(file);
  if (!item || !item.shape || item.shape.length !== 2 || item.shape[0] !== names.length
      || item.shape[0] !== item.sizes[0]) return [];
  const all = numbers(item), n = item.shape[1], labels = apartNames(names);
  return labels.map((name, k) => ({name, color: tint(keys[k]), item, y: all.subarray(k * n, (k + 1) * n)}));
}

function regionsTable(regions, x) {
  return element("div", {}, element("h4", {}, "Not explained"),
    table([withUnit("position", x.units), withUnit("width", x.units), "mean of the residual", "standard deviations"],
      regions.map(r => [show(r.position, 5), show(r.width, 3), `${show(r.height, 4)}, ${kindOf(r)}`,
        show(r.significance, 3)])),
    element("p", {className: "note"}, "Regions, shaded in the figure, in which the sum of the residual is that many "
      + "standard deviations away from 0."));
}

/* A measured curve, the fit and its parts, and below it the residual with the regions that are not explained. */
function fitFigure(file, group, members) {
  const x = members.get(group.axes && group.axes[0]), get = name => column(members, name), measured = get("measured");
  if (!x || !measured || !get("fit") || !get("residual")) return null;
  const of = listOf(members, "file")[0] || "", title = `Fit of ${of ? last(of) : words(last(group.path))}`;
  const figure = new Figure(report.files.length > 1 ? `${title}: ${file.name}` : title, "fit");
  const regions = unexplainedOf(file, group.path), parts = contributionsOf(file, members);
  const sigma = get("measured_errors"), drawn = parts.slice(0, MOST_PARTS), background = get("background");
  const partBox = parts.length ? figure.check("contributions", true) : null;
  const errorBox = sigma ? figure.check("errors", true) : null;
  const logX = figure.check("log x", false), logY = figure.check("log y", false);
  figure.draw = colors => {
    const places = item => Array.from(placesAlong(x, item, item.shape.length - 1)), signal = members.get("measured");
    const at = places(signal), unit = plain(prettyUnit(x.units)), hover = name =>
        `${plain(name)}<br>%{x:.6g} ${unit}<br>%{customdata}<extra></extra>`;
    const line = (name, y, color, more) => ({type: "scatter", uid: name, mode: "lines", x: at, y: Array.from(y),
      name: plain(shortened(name, 44)), line: {color, width: 1.6}, customdata: Array.from(y, v => show(v)),
      hovertemplate: hover(name), ...more});
    const data = [];
    if (sigma && errorBox.checked)
      data.push(...bandOf({uid: "measured", legendgroup: "measured"}, at, Array.from(measured), sigma, "#808080",
          logY.checked));
    data.push(line("measured", measured, colors.text, {mode: "markers", marker: {size: 3.5, color: colors.text},
      legendgroup: "measured", customdata: sigma ? Array.from(measured, (v, n) => withError(v, sigma[n], 10))
        : Array.from(measured, v => show(v))}));
    if (background) data.push(line("background", background, "#8a8f98", {line: {color: "#8a8f98", width: 1.4,
      dash: "dash"}}));
    for (const part of partBox && partBox.checked ? drawn : [])
      data.push(line(part.name, part.y, part.color, {x: places(part.item)}));
    data.push(line("fit", get("fit"), "#d62728"));
    if (sigma && errorBox.checked)
      data.push(...bandOf({uid: "deviations", yaxis: "y2"}, at, at.map(() => 0), sigma, "#808080", false));
    data.push(line("residual", get("residual"), colors.text, {yaxis: "y2", line: {color: colors.text, width: 1.2},
      name: "measured − fit"}));
    if (regions.length)
      data.push({type: "scatter", uid: "regions", mode: "markers", yaxis: "y2", name: "not explained",
        x: regions.map(r => r.position), y: regions.map(r => r.height),
        error_x: {type: "data", array: regions.map(r => r.width / 2), color: colors.text, thickness: 1.4, width: 5},
        marker: {size: 9, color: regions.map(tintOf), line: {width: 1, color: colors.text},
          symbol: regions.map(r => r.height > 0 ? "triangle-up" : "triangle-down")},
        customdata: regions.map(r => `${kindOf(r)}, ${show(r.significance, 3)} standard deviations<br>at `
          + `${show(r.position, 5)}, width ${show(r.width, 3)} ${unit}<br>mean of the residual ${show(r.height, 4)}`),
        hovertemplate: "%{customdata}<extra></extra>"});
    const shaded = ["y domain", "y2 domain"].flatMap(yref => regions.map(r => ({type: "rect", layer: "below", yref,
      x0: r.position - r.width / 2, x1: r.position + r.width / 2, y0: 0, y1: 1, line: {width: 0}, fillcolor: tintOf(r),
      opacity: yref === "y domain" ? 0.12 : 0.3})));
    return {data, layout: layoutOf(colors, {uirevision: "fit", shapes: shaded,
      xaxis: axis(withUnit(nameOf(x), x.units), colors, {anchor: "y2", mirror: "all",
        uirevision: `x ${logX.checked}`, ...(logX.checked ? logTicks([numbers(x)]) : {})}),
      yaxis: axis(listOf(members, "kind").map(words)[0] || "", colors, {domain: [0.32, 1],
        uirevision: `y ${logY.checked}`, ...(logY.checked ? logTicks([measured]) : {})}),
      yaxis2: axis("residual", colors, {domain: [0, 0.26], anchor: "x", uirevision: "residual", nticks: 4}),
      margin: {l: 60, r: 48, t: 12, b: 48}, showlegend: true,
      modebar: {orientation: "v", bgcolor: "rgba(0,0,0,0)", color: colors.text, activecolor: "#c8642d"}})};
  };
  const number = name => members.get(name) && members.get(name).kind === "number" ? members.get(name).value : NaN;
  const facts = [["Rwp", 100 * number("Rwp"), " %"], ["expected", 100 * number("Rexp"), " %"],
    ["χ²", number("chi_square"), ""]].filter(f => Number.isFinite(f[1]));
  if (facts.length)
    figure.note(facts.map(([name, value, unit]) => `${name} ${show(value, 4)}${unit}`).join(", ") + ".");
  if (parts.length > drawn.length)
    figure.note(`The ${drawn.length} largest of ${parts.length} contributions are drawn; "Values" has all.`);
  if (parts.some(part => part.y.length !== measured.length))
    figure.note("Contributions are reduced to means of neighbors.");
  noteReduced(figure, members.get("measured"));
  if (regions.length) figure.after.append(regionsTable(regions, x));
  const same = parts.filter(part => part.y.length === measured.length);
  valuesDetails(figure, last(group.path), [{name: nameOf(x), unit: x.units, values: numbers(x)},
    ...["measured", "measured_errors", "fit", "background", "residual"].filter(get).map(name =>
        ({name: words(name), values: get(name)})),
    ...same.map(part => ({name: `contribution of ${part.name}`, values: part.y}))]);
  return figure;
}

/* Structures and their weights ---------------------------------------------------------------- */

/* What is known of a candidate beside its name. */
function candidateTexts(members, k) {
  const size = column(members, "size"), atoms = column(members, "atoms"), texts = [];
  for (const name of ["family", "parameters", "composition"])
    if (listOf(members, name)[k]) texts.push(`${name} ${listOf(members, name)[k]}`);
  if (size && size[k] > 0) texts.push(`size ${show(size[k], 4)} Å`);
  if (atoms && atoms[k] > 0) texts.push(`${show(atoms[k], 9)} atoms`);
  return texts;
}

/* For each structure with a weight, the names of those that are as good in its place, and how many there are. */
function alternativesOf(members) {
  const counts = column(members, "alternative_count") || [], all = listOf(members, "alternatives");
  const each = counts.length ? all.length / counts.length : 0;
  return Array.from(counts, (count, k) => ({count, names: all.slice(k * each, (k + 1) * each).filter(Boolean)}));
}

/* The ends of intervals as two columns, or null. */
const endsOf = (members, low, high) => column(members, low) && column(members, high)
    ? [column(members, low), column(members, high)] : null;

function weightsFigure(file, members, title) {
  const {names, keys, tint} = weighted(file), weight = column(members, "weight");
  const fraction = percent(column(members, "fraction"));
  if (!weight || weight.length !== names.length) return null;
  const alternatives = alternativesOf(members), inflation = column(members, "inflation");
  const more = a => a.count > a.names.length ? ` and ${a.count - a.names.length} more` : "";
  const rows = names.map((name, k) => ({name, color: tint(keys[k]), details: [...candidateTexts(members, k),
    ...(inflation && inflation[k] > 1.05 ? [`variance ${show(inflation[k], 3)} times as large due to the other structures`] : []),
    ...(alternatives[k] && alternatives[k].count
      ? [`as good in its place: ${alternatives[k].names.join(", ")}${more(alternatives[k])}`] : [])]}));
  const quantities = [{name: "weight", unit: members.get("weight").units, values: weight, fromZero: true,
    errors: column(members, "weight_errors"), ends: endsOf(members, "low", "high")}];
  if (fraction) quantities.push({name: "fraction", unit: "%", digits: 4, values: fraction, fromZero: true});
  const figure = rowsFigure(title("Weights of the structures"), rows, quantities, "weights");
  if (alternatives.some(a => a.count)) figure.after.append(alternativesTable(file, names, alternatives, more));
  return figure;
}

/* Structures that explain the curves as well in the place of others, with their agreement alone, the best first. */
function alternativesTable(file, names, alternatives, more) {
  const ranks = membersIn(file, "/match/ranking");
  const ranked = listOf(ranks, "name"), rwp = column(ranks, "Rwp");
  const place = name => ranked.includes(name) ? ranked.indexOf(name) : Infinity;
  const alone = name => rwp && place(name) < Infinity ? ` (${show(100 * rwp[place(name)], 4)} %)` : "";
  const rows = names.map((name, k) => [name, alternatives[k]]).filter(([, a]) => a.count).map(([name, a]) =>
    [name + alone(name), [...a.names].sort((b, c) => place(b) - place(c)).map(n => n + alone(n)).join(", ") + more(a)]);
  return element("div", {}, element("h4", {}, "Alternatives"), table(["structure", "as good in its place"], rows),
    element("p", {className: "note"}, "Structures that can take the place of another one while χ² grows by less than 4"
      + `${rwp ? "; Rwp of each one alone in parentheses" : ""}. Of such structures only the sum of the weights is `
      + "known."));
}

/* Structures alone, the best first; those of the mixture in their colors. */
function rankingFigure(file, members, title, name) {
  const {members: weights, names: mixed, keys, tint} = weighted(file), names = listOf(members, "name");
  const weight = column(weights, "weight"), errors = column(weights, "weight_errors"), places = alternativesOf(weights);
  if (!names.length || !column(members, "Rwp")) return null;
  const rows = names.map((each, k) => {
    const key = keysOf(members)[k], at = keys.indexOf(key);
    const instead = mixed.filter((unused, m) => places[m] && places[m].names.includes(each));
    return {name: each, color: tint(key), open: at < 0, details: [...candidateTexts(members, k),
      ...(at >= 0 && weight ? [`in the mixture: weight ${errors ? withError(weight[at], errors[at], 10)
        : show(weight[at])}`] : []),
      ...(instead.length ? [`as good in the place of ${instead.join(", ")}`] : [])]};
  });
  const summary = figure => {
    const item = file.items.find(i => i.path === "/match/summary/" + figure && i.kind === "number");
    return item ? item.value : null;
  };
  const wide = values => isWide([{y: Array.from(values)}]), mixture = (value, factor) =>
      value > 0 ? {value: factor * value, name: "mixture"} : undefined;
  const quantities = [{name: "Rwp", unit: "%", digits: 4, values: percent(column(members, "Rwp")),
    mark: mixture(summary("Rwp"), 100)}];
  const chi = column(members, "chi_square"), probability = column(members, "probability");
  if (chi) quantities.push({name: "χ²", values: chi, wide: wide(chi), mark: mixture(summary("chi_square"), 1)});
  if (probability && probability.some(v => !Number.isNaN(v)))
    quantities.push({name: "probability, if exactly one is right", values: probability});
  for (const own of ["scale", "strain", "B", "qdamp", "qbroad", "mean_size", "width"]) {
    const values = column(members, own);
    if (values && values.some(v => !Number.isNaN(v)))
      quantities.push({name: words(own), unit: members.get(own).units, values});
  }
  const figure = rowsFigure(title, rows, quantities, name);
  figure.note("Each structure alone, the best first. Those with a weight in the mixture are filled.");
  return figure;
}

/* Refined parameters, those of a kind in a figure. */
function parametersFigure(file, members, title) {
  const {tint} = weighted(file);
  const kinds = listOf(members, "name"), of = listOf(members, "of"), units = listOf(members, "unit");
  const value = column(members, "value"), errors = column(members, "value_errors"), bound = column(members, "at_bound");
  const low = column(members, "low"), high = column(members, "high");
  const ends = endsOf(members, "interval_low", "interval_high");
  if (!kinds.length || !value || value.length !== kinds.length) return null;
  const rows = kinds.map((kind, k) => ({name: of[k] || "all structures", color: tint(of[k]),
    details: low && high ? [`bounds ${show(low[k], 4)} to ${show(high[k], 4)}`] : []}));
  const quantities = [...new Set(kinds)].map(kind => {
    const only = values => values && Float64Array.from(values, (v, k) => kinds[k] === kind ? v : NaN);
    return {name: words(kind), unit: units[kinds.indexOf(kind)], values: only(value), errors: only(errors),
      ends: ends && ends.map(only), held: bound};
  });
  return rowsFigure(title, rows, quantities, "parameters");
}

/* Series -------------------------------------------------------------------------------------- */

/* Columns of a table over the rows of a series as curves, those that are largest, and how many are left out. */
function seriesCurves(file, x, columns) {
  const largest = c => c.y.reduce((most, v) => Number.isNaN(v) ? most : Math.max(most, Math.abs(v)), 0);
  const found = columns.filter(c => largest(c) > 0), sorted = [...found].sort((a, b) => largest(b) - largest(a));
  const kept = found.filter(c => sorted.indexOf(c) < MOST_SERIES);
  return {left: columns.length - kept.length, curves: kept.map(c => ({...c, xs: x, file: file.name,
    shown: sorted.indexOf(c) < MOST_SHOWN}))};
}

/* Columns of the arrays NAME, NAME_errors and those of the ends of intervals in a group. */
function seriesColumns(members, name, ends, names, units, lines, kinds) {
  const item = members.get(name), count = item.shape[1];
  const part = (array, k) => Float64Array.from({length: item.shape[0]}, (unused, row) => array[row * count + k]);
  const same = other => members.get(other) && String(members.get(other).shape) === String(item.shape)
      ? numbers(members.get(other)) : null;
  const [errors, low, high] = [name + "_errors", ...ends].map(same);
  return names.map((each, k) => ({name: each, unit: units[k] || item.units, y: part(numbers(item), k), item,
    line: lines[k], quantity: kinds[k], errors: errors && part(errors, k),
    ends: low && high ? [part(low, k), part(high, k)] : null}));
}

/* The rows of a series: their numbers, and their files. */
function seriesPlaces(file, item) {
  const members = membersIn(file, "/match/series"), files = listOf(members, "file");
  const number = members.get("number"), all = number ? {...number, values: placesAlong(number, item, 0)}
    : {path: "/number", long_name: "number", values: Float64Array.from({length: item.shape[0]}, (unused, k) => k + 1)};
  return files.length === item.shape[0] ? [all, {path: "/file", long_name: "file", values: all.values,
    names: apartNames(files.map(last)).map(plain)}] : [all];
}

function seriesFigure(file, group, members, title) {
  const isWeights = group.signal === "weights", item = members.get(group.signal);
  if (!item || item.kind !== "numbers" || !item.shape || item.shape.length !== 2) return null;
  if (item.shape[1] !== item.sizes[1]) throw new Error("it has too many columns");
  const texts = listOf(members, "name"), of = listOf(members, "of");
  const names = apartNames(isWeights ? texts : texts.map((name, k) => words(name) + (of[k] ? ` of ${of[k]}` : "")));
  if (names.length !== item.shape[1]) return null;
  /* structures have the colors of the other figures, kinds of parameters the dashes */
  const {tint} = weighted(file), kinds = [...new Set(isWeights ? [] : texts)];
  const round = k => Math.floor(k / PARTS.length), keys = keysOf(members);
  const lines = texts.map((text, k) => ({color: tint(isWeights ? keys[k] : of[k]) || PARTS[k % PARTS.length],
    dash: DASHES[(isWeights ? round(k) : kinds.indexOf(text)) % DASHES.length]}));
  const columns = seriesColumns(members, group.signal, isWeights ? ["weights_low", "weights_high"]
    : ["interval_low", "interval_high"], names, listOf(members, "unit"), lines,
    texts.map(text => isWeights ? "weight" : words(text)));
  const x = seriesPlaces(file, item), {curves, left} = seriesCurves(file, x, columns);
  for (const [name, label] of isWeights ? [["chi_square", "χ²"], ["Rwp", "Rwp"]] : []) {
    const values = column(members, name);
    if (values && values.length === item.shape[0])
      curves.push({name: label, unit: name === "Rwp" ? "%" : "1", y: name === "Rwp" ? percent(values) : values, xs: x,
        shown: true, file: file.name, line: {color: COLORS[name === "Rwp" ? 0 : 1], dash: "solid"}});
  }
  if (!curves.length) return null;
  const figure = curveFigure(title, curves, last(group.path));
  if (columns.some(c => c.ends)) figure.note("Bands and bars are 95 % intervals, by the bootstrap.");
  if (left) figure.note(`Not drawn: ${left} of ${columns.length}, which are 0 or missing in all curves of the series`
    + `${left > columns.length - MOST_SERIES ? "" : " or smaller than these"}.`);
  return figure;
}

/* The place of a group of a result of sonde match, or of a measured curve of sonde refine, among its figures: those
 * that a reader asks for first come first, the fit, its structures, and what else would do. -1 for other groups. */
const FIT_GROUPS = ["series", "series_parameters", "curve", "weights", "parameters", "refined_ranking", "ranking"];
function fitPlace(path) {
  const [, root, group] = path.split("/"), name = (group || "").replace(/^curve_\d+$/, "curve");
  return root === "match" || (root === "refine" && name === "curve") ? FIT_GROUPS.indexOf(name) : -1;
}

/* Figures of such a group in some of the files; null if there are none. */
function fitFigures(path, groups) {
  if (fitPlace(path) < 0) return null;
  const name = last(path).replace(/^curve_\d+$/, "curve"), figures = [];
  for (const {file, group, members} of groups)
    attempt(file, path, () => {
      const title = text => report.files.length > 1 ? `${text}: ${file.name}` : text;
      const made = name === "curve" ? fitFigure(file, group, members)
        : name === "weights" ? weightsFigure(file, members, title)
        : name === "ranking" ? rankingFigure(file, members, title("Structures alone"), "ranking")
        : name === "refined_ranking" ? rankingFigure(file, members, title("Structures alone, refined"), name)
        : name === "parameters" ? parametersFigure(file, members, title("Refined parameters"))
        : seriesFigure(file, group, members, title(name === "series" ? "Weights in the series"
          : "Refined parameters in the series"));
      if (!made) return;
      figures.push(made);
      file.drawn = true;
    });
  return figures.length ? figures : null;
}
