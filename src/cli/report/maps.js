/* Maps ---------------------------------------------------------------------------------------- */

/* A map's trace and its bar of colors. */
function heatmap(quantity, x, y, z, texts, hover, [low, high], signed, log) {
  const ticks = log ? {tickvals: [], ticktext: []} : {};
  for (let n = Math.ceil(low); log && n <= high; ++n) {
    ticks.tickvals.push(n);
    ticks.ticktext.push("10" + raised(n));
  }
  return {type: "heatmap", hoverongaps: false, x, y, z, customdata: texts, zmin: low, zmax: high,
    colorscale: signed ? DIVERGING : SEQUENTIAL, hovertemplate: hover,
    colorbar: Object.assign({title: {text: plain(withUnit(quantity.name, quantity.unit)), side: "right"}, thickness: 16,
      exponentformat: "power"}, ticks)};
}

/* Texts under the pointer, row by row, with errors if there are any. */
const rowTexts = (rows, errors) => rows.map((row, j) => row.map((v, i) => v === null ? ""
  : errors ? withError(v, errors[j][i], 10) : show(v, 5)));

/* Circles of q as a picture: linear between the points of a circle, and between circles. */
function polarLayout(colors, quantity, q, phi, rows, errors, log) {
  const n = 360, most = q.values[q.values.length - 1], least = q.values[0];
  const places = Array.from({length: n}, (unused, k) => most * (2 * k / (n - 1) - 1));
  const turns = phi.values.length, circles = q.values.length;
  const picture = from => places.map(y => places.map(x => {
    const r = Math.hypot(x, y);
    if (r < least || r > most) return null;
    const k = circles > 1 ? (r - least) / (most - least) * (circles - 1) : 0, turn = Math.atan2(y, x) / (2 * Math.PI);
    const m = (turn < 0 ? turn + 1 : turn) * turns, k0 = Math.floor(k), k1 = Math.min(k0 + 1, circles - 1);
    const m0 = Math.floor(m) % turns, m1 = (m0 + 1) % turns, a = k - k0, b = m - Math.floor(m);
    return (1 - a) * ((1 - b) * from[k0][m0] + b * from[k0][m1]) + a * ((1 - b) * from[k1][m0] + b * from[k1][m1]);
  }));
  const values = picture(rows), z = log ? values.map(line => line.map(v => v > 0 ? Math.log10(v) : null)) : values;
  const range = rangeOf(z.flat()), unit = plain(prettyUnit(q.unit));
  if (log) range[0] = Math.max(range[0], range[1] - 6);
  const value = `%{customdata} ${plain(prettyUnit(quantity.unit))}<extra></extra>`;
  const hover = `q cos φ %{x:.5g} ${unit}<br>q sin φ %{y:.5g} ${unit}<br>${value}`;
  const texts = rowTexts(values, errors ? picture(errors) : null);
  return {data: [heatmap(quantity, places, places, z, texts, hover, range, false, log)],
    layout: layoutOf(colors, {uirevision: "polar",
      xaxis: axis(withUnit("q cos φ", q.unit), colors, {constrain: "domain"}),
      yaxis: axis(withUnit("q sin φ", q.unit), colors, {scaleanchor: "x", constrain: "domain"})})};
}

const FAR_STRONGER = 4;

/* quantities: [{name, unit, item, values, errors}]; axes: items in the order of the array, of which those with one
 * place are left out. */
function mapFigure(title, quantities, axes) {
  const figure = new Figure(title, "map");
  const shape = quantities[0].shape, long = shape.map((n, k) => k).filter(k => shape[k] > 1);
  let [up, across] = long.slice(-2);
  const isPlace = k => /^[xyzabc]$/.test(axes[k].name);
  if (isPlace(up) && isPlace(across) && axes[up].name < axes[across].name) [up, across] = [across, up];
  const strides = shape.map((n, k) => shape.slice(k + 1).reduce((a, b) => a * b, 1));
  const scale = k => scaleOf(axes[k].unit, axes[k].values);
  const choice = quantities.length > 1 ? figure.choose("Quantity", quantities.map(q => withUnit(q.name, q.unit)), 0)
      : null;
  const sliders = long.slice(0, -2).map(k => {
    const {factor, unit} = scale(k), text = n => axes[k].texts ? axes[k].texts[n]
        : `${show(axes[k].values[n] * factor, 5)} ${prettyUnit(unit)}`;
    return {k, input: figure.slide(axes[k].title, shape[k] - 1, text)};
  });
  const [low0, high0] = rangeOf(quantities[0].values);
  const polar = axes[up].name === "q" && axes[across].name === "phi" && !sliders.length
      ? figure.check("as a picture", true) : null;
  const log = figure.check("logarithmic colors",
    low0 >= 0 && high0 > 0 && /intensity|counts|electron units/i.test(quantities[0].name + quantities[0].unit));
  figure.draw = colors => {
    const quantity = quantities[choice ? Number(choice.value) : 0];
    const offset = sliders.reduce((sum, s) => sum + Number(s.input.value) * strides[s.k], 0);
    const layer = all => Array.from({length: shape[up]}, (unused, j) =>
      Array.from({length: shape[across]}, (unused2, i) => all[offset + j * strides[up] + i * strides[across]]));
    const rows = layer(quantity.values), errors = quantity.errors ? layer(quantity.errors) : null;
    if (polar && polar.checked) return polarLayout(colors, quantity, axes[up], axes[across], rows, errors, log.checked);
    const z = log.checked ? rows.map(row => row.map(v => v > 0 ? Math.log10(v) : null)) : rows;
    const all = z.flat(), signed = all.some(v => v < 0) && !log.checked;
    const sx = scale(across), sy = scale(up);
    const along = (k, s) => axes[k].texts || Array.from(axes[k].values, v => v * s.factor);
    let [low, high] = rangeOf(all);
    let beyond = "";
    if (signed) { /* the strongest three percent, near charges, have the last colors if they are far stronger */
      const sizes = all.filter(Number.isFinite).map(Math.abs).sort((a, b) => a - b);
      const most = sizes[sizes.length - 1] || 1;
      const usual = sizes[Math.floor(0.97 * (sizes.length - 1))] || most, isCut = most > FAR_STRONGER * usual;
      high = isCut ? usual : most;
      low = -high;
      beyond = isCut ? `, colors end at ±${show(usual, 3)}, values at ±${show(most, 3)}` : "";
    } else if (log.checked) low = Math.max(low, high - 6);
    const line = (k, s, variable) =>
        `${plain(axes[k].title)} %{${variable}${axes[k].texts ? "" : ":.5g"}} ${plain(prettyUnit(s.unit))}<br>`;
    const value = `%{customdata} ${plain(prettyUnit(quantity.unit))}<extra></extra>`;
    const hover = line(across, sx, "x") + line(up, sy, "y") + value;
    const equal = isPlace(across) && isPlace(up);
    const [x, y, texts] = [along(across, sx), along(up, sy), rowTexts(rows, errors)];
    return {data: [heatmap({...quantity, name: quantity.name + beyond}, x, y, z, texts, hover, [low, high], signed,
        log.checked)],
      layout: layoutOf(colors, {uirevision: "map",
        xaxis: axis(withUnit(axes[across].title, sx.unit), colors, {constrain: "domain"}),
        yaxis: axis(withUnit(axes[up].title, sy.unit), colors, equal ? {scaleanchor: "x", constrain: "domain"} : {})})};
  };
  noteReduced(figure, quantities[0].item);
  const {item} = quantities[0];
  if (quantities.some(q => q.errors) && !item.thinned && String(item.shape) !== String(item.sizes))
    figure.note("Errors are means of those of the neighbors.");
  return figure;
}
