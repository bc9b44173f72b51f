/* What is neither a curve of class NXdata nor a map: spectra of atoms that leave, and lists, which are tables. ---- */

/* Spectra of energies and cosines of the atoms that leave, one for each kind and side. */
const LEAVING = [["energies", "Energies of leaving atoms", "energy", "eV"],
                 ["cosines", "Cosines of leaving atoms with the normal", "cosine", ""]];
function leavingFigures(file) {
  const find = path => file.items.find(i => i.path === path && i.kind !== "group");
  const array = name => {
    const item = find("/ions/leaving/" + name);
    return item && item.kind === "numbers" && item.shape ? item : null;
  };
  const kinds = array("kind"), fates = array("fate"), labels = find("/ions/kinds/label"), edges = array("energy_edges");
  if (!kinds || !fates) return [];
  const kind = numbers(kinds), fate = numbers(fates), figures = [];
  const nameOfKind = r => labels && labels.texts && labels.texts[kind[r]] || `kind ${kind[r]}`;
  for (const [name, title, quantity, units] of LEAVING) {
    const item = array(name), errors = array(name + "_errors"), hasEnergies = name === "energies";
    if (!item || item.shape.length !== 2 || (hasEnergies && !edges)) continue;
    const [rows, n] = item.shape, y = numbers(item), e = errors ? numbers(errors) : null;
    const ends = hasEnergies ? numbers(edges) : Float64Array.from({length: n + 1}, (unused, k) => k / n);
    /* bins of energy are logarithmic, but for the first one, which begins at 0 */
    const middle = k => hasEnergies && ends[k] > 0 ? Math.sqrt(ends[k] * ends[k + 1]) : (ends[k] + ends[k + 1]) / 2;
    const x = {path: "/x", long_name: quantity, units,
        values: Float64Array.from({length: n}, (unused, k) => middle(k))};
    const curves = [];
    for (let r = 0; r < Math.min(rows, kind.length, fate.length); ++r) {
      const part = values => values.subarray(r * n, (r + 1) * n), side = fate[r] === 1 ? "through x = 0"
          : "at the other end";
      if (part(y).some(v => v > 0))
        curves.push({name: `${nameOfKind(r)}, ${side}`, unit: "1", xs: [x], y: part(y), errors: e && part(e),
            shown: true, file: file.name});
    }
    if (curves.length) figures.push(curveFigure(report.files.length > 1 ? `${title}: ${file.name}` : title, curves,
        "leaving_" + name));
  }
  return figures;
}

/* Lists of a group that have the same length are columns of one table, and matrices of correlations tables of their
 * own. */
const MOST_LISTED = 100, MOST_MATRIX = 30;
function listedTables(file) {
  const made = [], text = (item, k) => item.kind === "text" ? item.texts[k] : show(numbers(item)[k], 6);
  const isListed = group => group.kind === "group" && /^NX(collection|data)$/.test(group.NX_class) &&
    /^\/(ions|refine|match)\//.test(group.path) && !/\/(sums|exits|trajectories|unexplained)$/.test(group.path);
  const isMatrix = item => item.kind === "numbers" && item.sizes.length === 2 && last(item.path) === "correlations" &&
    item.sizes.every(n => n > 0 && n <= MOST_MATRIX);
  const lengthOf = item => item.kind === "text" ? item.texts.length : item.kind === "numbers" && item.sizes.length === 1
      ? item.sizes[0] : 0;
  for (const group of file.items.filter(isListed)) {
    const members = membersOf(file, group.path), lists = new Map();
    for (const item of members) {
      const length = group.NX_class === "NXdata" ? 0 : lengthOf(item);
      if (length > 1 && length <= MOST_LISTED) lists.set(length, [...(lists.get(length) || []), item]);
      if (isMatrix(item)) made.push([`${words(last(group.path))}: ${words(last(item.path))}`,
          matrixTable(item, members)]);
    }
    for (const [length, items] of lists) {
      items.sort((a, b) => (b.kind === "text") - (a.kind === "text"));
      const rows = Array.from({length}, (unused, k) => items.map(i => text(i, k)));
      made.push([words(last(group.path)), table(items.map(i => withUnit(words(last(i.path)), i.units)), rows)]);
    }
  }
  return made.map(([title, body]) => element("details", {}, element("summary", {}, title), body));
}

/* Rows and columns have the names of the group's list of texts, if there is one. */
function matrixTable(item, members) {
  const [rows, columns] = item.sizes, values = numbers(item);
  const names = members.find(i => i.kind === "text" && i.texts.length === rows), name = k => names ? names.texts[k]
      : String(k + 1);
  const heads = Array.from({length: columns}, (unused, k) => rows === columns ? name(k) : String(k + 1));
  const row = r => [name(r), ...Array.from({length: columns}, (unused, k) => show(values[r * columns + k], 4))];
  return table(["", ...heads], Array.from({length: rows}, (unused, r) => row(r)));
}
