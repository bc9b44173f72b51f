/* The places along axis k of an array that may be reduced, as the array is: means, or one of so many. */
function placesAlong(axis, array, k) {
  const values = numbers(axis), n = array.shape[k];
  if (values.length === n || !axis.sizes || axis.sizes[0] !== array.sizes[k] || values.length !== axis.sizes[0]) return values;
  const each = Math.ceil(array.sizes[k] / n);
  return Float64Array.from({length: n}, (unused, m) => {
    const block = values.subarray(m * each, Math.min((m + 1) * each, values.length));
    return array.thinned ? block[0] : block.reduce((a, b) => a + b, 0) / block.length;
  });
}

/* One group of class NXdata in some of the files. */
function dataFigures(path, groups) {
  const title = g => {
    const item = g.members.get("title"), entry = g.file.items.find(i => i.path === path.slice(0, path.lastIndexOf("/")) + "/title");
    if (!item && !g.group.kind_of && entry && entry.texts && entry.texts[0]) return `${entry.texts[0]}: ${words(last(path))}`;
    return item ? item.texts[0] : words(last(path)) + (g.group.kind_of ? ": " + words(g.group.kind_of) : "");
  };
  const curves = [], figures = [], label = title(groups[0]);
  for (const {file, group, members} of groups) {
    const signal = members.get(group.signal);
    if (!signal || signal.kind !== "numbers" || !signal.shape) continue;
    const names = group.axes || [], axes = names.map(n => members.get(n)), shape = signal.shape;
    const same = item => item.kind === "numbers" && item.shape && String(item.sizes) === String(signal.sizes);
    const isHelp = n => /_(errors|bound)$/.test(n) || names.includes(n) || (shape.length === 1 && n === "wavelength");
    const quantities = [...members.entries()].filter(([n, item]) => same(item) && !isHelp(n));
    quantities.sort((a, b) => (b[0] === group.signal) - (a[0] === group.signal));
    const long = shape.map((n, k) => k).filter(k => shape[k] > 1);
    const rows = shape.length === 2 && axes[0] && (axes[0].kind === "text" || shape[0] <= 6) && shape[0] <= 24 && shape[1] > 1;
    if (long.length <= 1 || rows) {
      const along = rows ? 1 : long.length ? long[0] : shape.length - 1, xs = axes[along] ? [axes[along].sizes ? Object.assign({}, axes[along], {values: placesAlong(axes[along], signal, along)}) : axes[along]] : [];
      const wavelength = members.get("wavelength");
      let chosen = 0;
      if (xs.length && wavelength && wavelength !== xs[0] && wavelength.shape && wavelength.shape[0] === shape[along]) {
        xs.push(wavelength);
        chosen = Math.max(...numbers(wavelength)) < 3e-5 ? 1 : 0;
      }
      const names = members.get("name");
      if (!xs.length && names && names.kind === "text" && names.texts.length === shape[along])
        xs.push({path: "/name", long_name: "", values: Float64Array.from({length: shape[along]}, (unused, k) => k + 1), names: names.texts.map((text, k) => names.texts.indexOf(text) === k ? plain(text) : plain(`${text} (${k + 1})`))});
      if (!xs.length) xs.push({path: "/number", long_name: "number", values: Float64Array.from({length: shape[along]}, (unused, k) => k + 1)});
      for (const [name, item] of quantities) {
        const values = numbers(item), errors = members.get(name + "_errors"), e = errors && errors.shape ? numbers(errors) : null;
        const alike = quantities.filter(q => (q[1].units || "") === (signal.units || ""));
        const shown = name === group.signal || (groups.length === 1 && (group.auxiliary_signals || []).includes(name)) || (groups.length === 1 && !xs[0].names && alike.length <= 3 && alike.some(q => q[0] === name));
        for (let r = 0; r < (rows ? shape[0] : 1); ++r) {
          const n = shape[along], part = v => rows ? v.subarray(r * n, (r + 1) * n) : v;
          const rowName = rows ? (axes[0].kind === "text" ? axes[0].texts[r] : show(numbers(axes[0])[r])) : "";
          curves.push({name: rows ? `${nameOf(item)}, ${rowName}` : nameOf(item), unit: item.units, xs, chosen, y: part(values), errors: e ? part(e) : null, shown, file: file.name, item});
        }
      }
      continue;
    }
    const axisOf = k => {
      const item = axes[k], n = shape[k];
      const places = item && item.kind === "numbers" && item.shape ? placesAlong(item, signal, k) : [];
      const values = places.length === n ? places : Float64Array.from({length: n}, (unused, m) => m);
      return {name: names[k] || "", title: item ? nameOf(item) : `index ${k + 1}`, unit: item ? item.units : "", values, texts: item && item.kind === "text" ? item.texts : null};
    };
    const maps = [];
    const absolute = new Map();
    for (const [name, item] of quantities) {
      const real = /^(.*)_real$/.exec(name), other = real ? members.get(real[1] + "_imag") : null;
      if (other && same(other)) {
        const a = numbers(item), b = numbers(other), values = a.map((v, n) => Math.hypot(v, b[n]));
        absolute.set(real[1], {values, item});
        maps.push({name: `|${real[1]}|`, unit: item.units, item, shape, values});
      }
    }
    for (const field of ["E", "H"]) {
      const parts = ["x", "y", "z"].map(c => absolute.get(field + c)).filter(Boolean);
      if (parts.length > 1) maps.unshift({name: `|${field}|`, unit: parts[0].item.units, item: parts[0].item, shape, values: parts[0].values.map((v, n) => Math.hypot(...parts.map(p => p.values[n])))});
    }
    const order = [...quantities].sort((a, b) => /_(real|imag)$/.test(a[0]) - /_(real|imag)$/.test(b[0]));
    const simple = order.filter(q => !/_(real|imag)$/.test(q[0])).length;
    for (const [k, [name, item]] of order.entries()) maps.splice(k < simple && name === group.signal ? 0 : maps.length, 0, {name: (item.absolute ? `|${nameOf(item)}|` : nameOf(item)), unit: item.units, item, shape, values: numbers(item)});
    if (maps.some(m => m.values.length)) figures.push(mapFigure(groups.length > 1 ? `${label}: ${file.name}` : label, maps, shape.map((n, k) => axisOf(k))));
  }
  if (curves.length) figures.unshift(curveFigure(label, curves, last(path)));
  return figures;
}
