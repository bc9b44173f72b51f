/* Groups of class NXdata: curves and maps. -------------------------------------------------------- */

/* The places along axis k of an array that may be reduced, as the array is: means, or one of so many. */
function placesAlong(axis, array, k) {
  const values = numbers(axis), n = array.shape[k];
  if (values.length === n || !axis.sizes || axis.sizes[0] !== array.sizes[k]
      || values.length !== axis.sizes[0]) return values;
  const each = Math.ceil(array.sizes[k] / n);
  return Float64Array.from({length: n}, (unused, m) => {
    const block = values.subarray(m * each, Math.min((m + 1) * each, values.length));
    return array.thinned ? block[0] : block.reduce((a, b) => a + b, 0) / block.length;
  });
}

/* A grid of sonde coulomb has steps in any direction: the places along its axis x, y, or z, or a, b, or c of oblique
 * grids, as items with name. */
function gridAxes(members, name, count) {
  const steps = members.get("steps"), origin = members.get("origin"), k = "xyzabc".indexOf(name) % 3;
  if (!steps || !origin || name.length !== 1 || k < 0 || numbers(steps).length !== 9) return null;
  const step = numbers(steps).slice(3 * k, 3 * k + 3), from = numbers(origin), length = Math.hypot(...step);
  const places = (first, each) => ({units: steps.units, sizes: [count],
      values: Float64Array.from({length: count}, (unused, n) => first + n * each)});
  const own = [0, 1, 2].filter(m => step[m] !== 0).map(m => ({path: "/" + "xyz"[m], ...places(from[m], step[m])}));
  return {own, along: {path: "/along", ...places(0, length)}, straight: own.length === 1 && step.some(v => v > 0)};
}

/* The places of points of a list: along a line, if they are on one in this order, else by number; and their
 * coordinates. */
function pointAxes(members, count) {
  const points = members.get("points");
  if (!points || points.kind !== "numbers" || !points.shape || String(points.shape) !== `${count},3`
      || points.sizes[0] !== count) return null;
  const all = numbers(points), at = n => [0, 1, 2].map(k => all[3 * n + k]), far = (a, b) => Math.hypot(...[0, 1, 2]
      .map(k => b[k] - a[k]));
  const places = Float64Array.from({length: count}, (unused, n) => far(at(0), at(n))), length = places[count - 1];
  const isLine = count > 2 && length > 0 && places.every((place, n) => (n === 0 || place > places[n - 1])
    && Math.abs(place + far(at(n), at(count - 1)) - length) < 1e-6 * length);
  const item = (name, values, units) => ({path: "/" + name, units, long_name: name, values});
  const own = ["x", "y", "z"].map((name, k) => item(name, all.filter((unused, n) => n % 3 === k), points.units));
  return [...(isLine ? [item("along the line", places, points.units)] : []),
    item("number", Float64Array.from({length: count}, (unused, n) => n + 1), ""),
    ...own.filter(x => x.values.some(v => v !== x.values[0]))];
}

/* The absolute value and the components of vectors, which have an axis of three more than the signal, in place of
 * them. */
function withComponents(members, group) {
  const signal = members.get(group.signal), axes = group.axes || [];
  if (!signal || signal.kind !== "numbers" || !signal.sizes) return {members, group};
  const rank = signal.sizes.length, ofVectors = axes.length === rank && axes[rank - 1] === "."
      && signal.sizes[rank - 1] === 3
    || (!axes.length && (rank === 2 || rank === 3) && signal.sizes[rank - 1] === 3 && group.signal === "field");
  const sizes = ofVectors ? signal.sizes.slice(0, -1) : signal.sizes, made = new Map();
  for (const [name, item] of members) {
    const vectors = name === "field" && item.kind === "numbers" && item.shape && item.sizes.length === sizes.length + 1
      && item.shape[sizes.length] === 3 && String(item.sizes.slice(0, -1)) === String(sizes);
    if (!vectors) { made.set(name, item); continue; }
    const all = numbers(item), count = all.length / 3, part = value =>
        Float64Array.from({length: count}, (unused, n) => value(n));
    const add = (key, label, values) => made.set(key, {...item, path: item.path + key.slice(name.length),
      long_name: label, sizes, shape: item.shape.slice(0, -1), values, data: null});
    add(name, "|E|", part(n => Math.hypot(all[3 * n], all[3 * n + 1], all[3 * n + 2])));
    for (const [c, letter] of ["x", "y", "z"].entries()) add(`${name}_${letter}`, `E${letter}`,
        part(n => all[3 * n + c]));
  }
  return {members: made, group: ofVectors ? {...group, axes: axes.slice(0, -1)} : group};
}

/* Fields at a point: E is drawn first, and H has times of its own. */
function withFieldFirst(members, group) {
  const first = [...members.keys()].find(n => /^E[xyz](_real)?$/.test(n));
  return group.kind_of === "point" && first && members.has("time") ? {...group, signal: first, axes: ["time"]} : group;
}

/* The axis of curves, and others that they may be drawn against. */
function curveAxes(members, axes, names, signal, along) {
  const grid = gridAxes(members, names[along] || "", signal.sizes[along]), wavelength = members.get("wavelength"),
      count = signal.shape[along];
  const reduced = item => item.sizes ? {...item, values: placesAlong(item, signal, along)} : item;
  if (grid && names.filter((n, k) => n !== "." && signal.shape[k] > 1).length === 1)
    return {xs: [{...grid.along, long_name: "along the line"}, ...grid.own].map(reduced), chosen: 0};
  const points = axes[along] ? null : pointAxes(members, count);
  if (points) return {xs: points, chosen: 0};
  const xs = axes[along] ? [reduced(axes[along])] : [];
  if (xs.length && wavelength && wavelength !== axes[along] && wavelength.shape && wavelength.shape[0] === count) {
    xs.push(wavelength);
    return {xs, chosen: rangeOf(numbers(wavelength))[1] < 3e-5 ? 1 : 0};
  }
  const texts = members.get("name"), numbered = Float64Array.from({length: count}, (unused, k) => k + 1);
  if (!xs.length && texts && texts.kind === "text" && texts.texts.length === count)
    xs.push({path: "/name", long_name: "", values: numbered,
      names: texts.texts.map((text, k) => plain(texts.texts.indexOf(text) === k ? text : `${text} (${k + 1})`))});
  if (!xs.length) xs.push({path: "/number", long_name: "number", values: numbered});
  return {xs, chosen: 0};
}

/* An axis of a map. */
function mapAxis(members, item, name, array, k) {
  const n = array.shape[k], grid = gridAxes(members, name, array.sizes[k]);
  const from = grid ? (grid.straight ? grid.own[0] : grid.along) : item;
  const places = from && (grid || (from.kind === "numbers" && from.shape)) ? placesAlong(from, array, k) : [];
  const values = places.length === n ? places : Float64Array.from({length: n}, (unused, m) => m);
  const letter = grid ? (grid.straight ? last(from.path) : "abc"["xyzabc".indexOf(name) % 3]) : name;
  const title = grid ? (grid.straight ? letter : `along step ${letter}`) : item ? nameOf(item) : `index ${k + 1}`;
  return {name: letter || "", title, unit: from ? from.units : "", values,
    texts: item && item.kind === "text" ? item.texts : null};
}

/* Maps of the quantities of a group that have the same shape; complex ones by their absolute values first. */
function mapsOf(file, quantities, members, group) {
  const maps = [], absolute = new Map(), errors = (name, item) => errorsOf(file, item, members, group, name);
  for (const [name, item] of quantities) {
    const other = /_real$/.test(name) ? otherPart(members, name, item) : null, field = name.replace(/_real$/, "");
    if (other) {
      const a = numbers(item), b = numbers(other), map = {name: `|${field}|`, unit: item.units, item, shape: item.shape,
        values: a.map((v, n) => Math.hypot(v, b[n])), errors: errors(name, item)};
      absolute.set(field, map);
      maps.push(map);
    }
  }
  for (const field of ["E", "H"]) {
    const parts = ["x", "y", "z"].map(c => absolute.get(field + c)).filter(Boolean);
    const length = of => parts[0].values.map((v, n) => Math.hypot(...parts.map(p => of(p)[n])));
    if (parts.length > 1) maps.unshift({...parts[0], name: `|${field}|`, values: length(p => p.values),
        errors: parts.every(p => p.errors) ? length(p => p.errors) : null});
  }
  const order = [...quantities].sort((a, b) => /_(real|imag)$/.test(a[0]) - /_(real|imag)$/.test(b[0]));
  const simple = order.filter(q => !/_(real|imag)$/.test(q[0])).length;
  for (const [k, [name, item]] of order.entries())
    maps.splice(k < simple && name === group.signal ? 0 : maps.length, 0, {
      name: item.absolute ? `|${nameOf(item)}|` : nameOf(item), unit: item.units, item, shape: item.shape,
      values: numbers(item), errors: errors(name, item)});
  return maps;
}

/* Names of sets of charges, with their sums if the file has them, if each of these has curves of its own: on a line, or
 * at points of a list; else null. */
const MOST_SETS = 24;
function setNames(file, members, axes, shape) {
  const long = shape.map((n, k) => k).filter(k => shape[k] > 1), count = shape[0];
  const isLine = members.has("steps") && axes[0] === ".", isList = members.has("points") && shape.length === 2;
  if (!(isLine || isList) || long.length !== 2 || long[0] !== 0 || count > MOST_SETS) return null;
  const sums = file.items.find(i => i.path === "/coulomb/sample/total_charges" && i.kind === "numbers");
  const sum = k => sums && numbers(sums).length === count ? ` (${show(numbers(sums)[k], 6)} e)` : "";
  return Array.from({length: count}, (unused, k) => `set ${k + 1}${sum(k)}`);
}

/* Adds curves and maps of a group in one file. */
function addGroup(label, single, given, curves, figures) {
  const {file} = given, {members, group} = withComponents(given.members, withFieldFirst(given.members, given.group)),
      signal = members.get(group.signal);
  if (!signal || signal.kind !== "numbers" || !signal.shape) return;
  const names = group.axes || [], axes = names.map(n => members.get(n)), shape = signal.shape;
  const same = item => item.kind === "numbers" && item.shape && String(item.sizes) === String(signal.sizes);
  const isHelp = n => /(_errors|-error|_bound|^time(-of-H)?)$/.test(n) || names.includes(n)
    || (shape.length === 1 && n === "wavelength");
  const quantities = [...members.entries()].filter(([n, item]) => same(item) && !isHelp(n));
  quantities.sort((a, b) => (b[0] === group.signal) - (a[0] === group.signal));
  const long = shape.map((n, k) => k).filter(k => shape[k] > 1);
  const sets = setNames(file, members, names, shape);
  const rows = sets || (shape.length === 2 && axes[0] && (axes[0].kind === "text" || shape[0] <= 6) && shape[0] <= 24
      && shape[1] > 1);
  if (long.length > 1 && !rows) {
    /* reduced in other ways, they do not share a figure */
    const shapes = [...new Set(quantities.map(q => String(q[1].shape)))];
    for (const one of shapes) {
      const alike = quantities.filter(q => String(q[1].shape) === one);
      const maps = mapsOf(file, alike, members, group), array = maps[0].item;
      const title = shapes.length > 1 && one !== shapes[0] ? `${label}, ${maps[0].name}` : label;
      if (maps.some(m => m.values.length))
        figures.push(mapFigure(single ? title : `${title}: ${file.name}`, maps,
            one.split(",").map((n, k) => mapAxis(members, axes[k], names[k] || "", array, k))));
    }
    return;
  }
  const along = sets ? long[1] : rows ? 1 : long.length ? long[0] : shape.length - 1;
  for (const [name, item] of quantities) {
    const own = /^H[xyz]/.test(name) && names[0] === "time" ? [members.get("time-of-H") || axes[0]] : axes;
    const {xs, chosen} = curveAxes(members, own, names, item, along), n = item.shape[along], values = numbers(item);
    if (!values.length) continue;
    const e = errorsOf(file, item, members, group, name);
    const alike = quantities.filter(q => (q[1].units || "") === (signal.units || ""));
    const shown = name === group.signal || (single && (group.auxiliary_signals || []).includes(name))
      || (single && !xs[0].names && alike.length <= 3 && alike.some(q => q[0] === name));
    for (let r = 0; r < (rows ? shape[0] : 1); ++r) {
      const part = v => rows ? v.subarray(r * n, (r + 1) * n) : v;
      const rowName = sets ? sets[r] : !rows ? "" : axes[0].kind === "text" ? axes[0].texts[r]
          : show(numbers(axes[0])[r]);
      curves.push({name: rows ? `${nameOf(item)}, ${rowName}` : nameOf(item), quantity: nameOf(item), xs, chosen,
        unit: item.units, y: part(values),
        errors: e ? part(e) : null, shown, points: group.kind_of === "resonances", file: file.name, item});
    }
  }
}

/* One group of class NXdata in some of the files. */
function dataFigures(path, groups) {
  const title = g => {
    const item = g.members.get("title"), entry = g.file.items.find(i =>
        i.path === path.slice(0, path.lastIndexOf("/")) + "/title");
    if (!item && !g.group.kind_of && entry && entry.texts
        && entry.texts[0]) return `${entry.texts[0]}: ${words(last(path))}`;
    return item ? item.texts[0] : words(last(path)) + (g.group.kind_of ? ": " + words(g.group.kind_of) : "");
  };
  const curves = [], figures = [], label = title(groups[0]);
  for (const given of groups)
    attempt(given.file, path, () => {
      const own = [], drawn = [];
      addGroup(label, groups.length === 1, given, own, drawn);
      if (own.length || drawn.length) given.file.drawn = true;
      curves.push(...own);
      figures.push(...drawn);
    });
  if (curves.length) attempt(groups[0].file, path, () => figures.unshift(curveFigure(label, curves, last(path))));
  return figures;
}

/* Forces on charges as a table. */
function forcesTable(file) {
  const item = name => file.items.find(i => i.path === "/coulomb/charges/" + name && i.shape);
  const forces = item("forces"), charges = item("charges");
  if (!forces || !charges) return null;
  const f = numbers(forces), c = numbers(charges), width = charges.shape[1], after = element("div", {});
  const count = Math.min(forces.shape[forces.shape.length - 2], charges.shape[0]);
  if (!f.length || !c.length) return null;
  const digits = forces.type === "f4" ? 6 : 8; /* of single precision */
  const column = (name, unit, value) => ({name, unit, digits,
    values: Float64Array.from({length: count}, (unused, n) => value(n))});
  const columns = [...["x", "y", "z"].map((name, k) => column(name, "angstrom", n => c[width * n + k])),
    column("charge", "e", n => c[width * n + 3]),
    ...["x", "y", "z"].map((name, k) => column("F" + name, forces.units, n => f[3 * n + k])),
    column("|F|", forces.units, n => Math.hypot(f[3 * n], f[3 * n + 1], f[3 * n + 2]))];
  const note = text => after.append(element("p", {className: "note"}, text));
  if (forces.sizes.length > 2) note(`Of the first of ${forces.sizes[0]} sets of charges.`);
  if (count < charges.sizes[0]) note(`The first ${count} of ${charges.sizes[0]} charges.`);
  valuesDetails({after}, "forces", columns);
  file.drawn = true;
  const title = report.files.length > 1 ? `Forces on the charges: ${file.name}` : "Forces on the charges";
  return element("div", {}, element("h3", {}, title), after);
}
