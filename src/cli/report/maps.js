/* Maps ---------------------------------------------------------------------------------------- */

/* Circles of q as a picture: linear between the points of a circle, and between circles. */
function polarLayout(colors, quantity, q, phi, rows, log) {
  const n = 360, most = q.values[q.values.length - 1], least = q.values[0], places = Array.from({length: n}, (unused, k) => most * (2 * k / (n - 1) - 1));
  const turns = phi.values.length, circles = q.values.length, z = [], values = [];
  for (const y of places) {
    const line = places.map(x => {
      const r = Math.hypot(x, y);
      if (r < least || r > most) return null;
      const k = circles > 1 ? (r - least) / (most - least) * (circles - 1) : 0, turn = Math.atan2(y, x) / (2 * Math.PI), m = (turn < 0 ? turn + 1 : turn) * turns;
      const k0 = Math.floor(k), k1 = Math.min(k0 + 1, circles - 1), m0 = Math.floor(m) % turns, m1 = (m0 + 1) % turns, a = k - k0, b = m - Math.floor(m);
      return (1 - a) * ((1 - b) * rows[k0][m0] + b * rows[k0][m1]) + a * ((1 - b) * rows[k1][m0] + b * rows[k1][m1]);
    });
    values.push(line);
    z.push(log ? line.map(v => v > 0 ? Math.log10(v) : null) : line);
  }
  let high = -Infinity, low = Infinity;
  for (const line of z) for (const v of line) if (v !== null) { high = Math.max(high, v); low = Math.min(low, v); }
  if (log) low = Math.max(low, high - 6);
  const ticks = log ? {tickvals: [], ticktext: []} : {};
  if (log) for (let k = Math.ceil(low); k <= high; ++k) { ticks.tickvals.push(k); ticks.ticktext.push("10" + raised(k)); }
  const unit = prettyUnit(q.unit);
  return {data: [{type: "heatmap", hoverongaps: false, x: places, y: places, z, customdata: values, zmin: low, zmax: high, colorscale: SEQUENTIAL,
    colorbar: Object.assign({title: {text: plain(withUnit(quantity.name, quantity.unit)), side: "right"}, thickness: 16, exponentformat: "power"}, ticks),
    hovertemplate: `q cos φ %{x:.5g} ${plain(unit)}<br>q sin φ %{y:.5g} ${plain(unit)}<br>%{customdata:.5g}<extra></extra>`}],
    layout: layoutOf(colors, {xaxis: axis(withUnit("q cos φ", q.unit), colors, {constrain: "domain"}), yaxis: axis(withUnit("q sin φ", q.unit), colors, {scaleanchor: "x", constrain: "domain"})})};
}

/* quantities: [{name, unit, item, values}]; axes: items in the order of the array, of which those with one place are left out. */
function mapFigure(title, quantities, axes) {
  const figure = new Figure(title, "map");
  const shape = quantities[0].shape, long = shape.map((n, k) => k).filter(k => shape[k] > 1);
  let [up, across] = long.slice(-2);
  const isPlace = k => /^[xyz]$/.test(axes[k].name);
  if (isPlace(up) && isPlace(across) && axes[up].name < axes[across].name) [up, across] = [across, up];
  const strides = shape.map((n, k) => shape.slice(k + 1).reduce((a, b) => a * b, 1));
  const choice = quantities.length > 1 ? figure.choose("Quantity", quantities.map(q => withUnit(q.name, q.unit)), 0) : null;
  const sliders = long.slice(0, -2).map(k => ({k, input: figure.slide(axes[k].title, shape[k] - 1, n => axes[k].texts ? axes[k].texts[n] : `${show(axes[k].values[n], 5)} ${prettyUnit(axes[k].unit)}`)}));
  const range = values => { let low = Infinity, high = -Infinity; for (const v of values) if (Number.isFinite(v)) { low = Math.min(low, v); high = Math.max(high, v); } return [low, high]; };
  const [low0, high0] = range(quantities[0].values);
  const polar = axes[up].name === "q" && axes[across].name === "phi" && !sliders.length ? figure.check("as a picture", true) : null;
  const log = figure.check("logarithmic colors", low0 >= 0 && high0 > 0 && /intensity|counts|electron units/i.test(quantities[0].name + quantities[0].unit));
  figure.draw = colors => {
    const quantity = quantities[choice ? Number(choice.value) : 0], values = quantity.values, z = [], text = [];
    const offset = sliders.reduce((sum, s) => sum + Number(s.input.value) * strides[s.k], 0);
    for (let j = 0; j < shape[up]; ++j) {
      const row = [];
      for (let i = 0; i < shape[across]; ++i) row.push(values[offset + j * strides[up] + i * strides[across]]);
      text.push(row);
      z.push(log.checked ? row.map(v => v > 0 ? Math.log10(v) : null) : row);
    }
    if (polar && polar.checked) return polarLayout(colors, quantity, axes[up], axes[across], text, log.checked);
    const flat = z.flat(), signed = flat.some(v => v < 0) && !log.checked, scale = k => scaleOf(axes[k].unit, axes[k].values);
    const sx = scale(across), sy = scale(up), along = (k, s) => axes[k].texts || Array.from(axes[k].values, v => v * s.factor);
    let [low, high] = range(flat);
    if (signed) { /* the strongest three percent, near charges, have the last colors */
      const sizes = flat.filter(Number.isFinite).map(Math.abs).sort((a, b) => a - b), most = sizes[Math.floor(0.97 * (sizes.length - 1))] || 1;
      [low, high] = [-most, most];
    } else if (log.checked) low = Math.max(low, high - 6);
    const equal = isPlace(across) && isPlace(up);
    const ticks = log.checked ? {tickvals: [], ticktext: []} : {};
    if (log.checked) for (let n = Math.ceil(low); n <= high; ++n) { ticks.tickvals.push(n); ticks.ticktext.push("10" + raised(n)); }
    return {data: [{type: "heatmap", hoverongaps: false, x: along(across, sx), y: along(up, sy), z, customdata: text, zmin: low, zmax: high, colorscale: signed ? DIVERGING : SEQUENTIAL,
      colorbar: Object.assign({title: {text: plain(withUnit(quantity.name, quantity.unit)), side: "right"}, thickness: 16, exponentformat: "power"}, ticks),
      hovertemplate: `${plain(axes[across].title)} %{x:.5g} ${plain(prettyUnit(sx.unit))}<br>${plain(axes[up].title)} %{y:.5g} ${plain(prettyUnit(sy.unit))}<br>%{customdata:.5g} ${plain(prettyUnit(quantity.unit))}<extra></extra>`}],
      layout: layoutOf(colors, {xaxis: axis(withUnit(axes[across].title, sx.unit), colors, {constrain: "domain"}),
        yaxis: axis(withUnit(axes[up].title, sy.unit), colors, equal ? {scaleanchor: "x", constrain: "domain"} : {})})};
  };
  noteReduced(figure, quantities[0].item);
  return figure;
}
