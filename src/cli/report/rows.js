/* Points with errors one below the other, each with a name on the left. -------------------------- */

const ROW = 30; /* pixels for each row */

/* A text of at most so many characters. Of paths the end is kept, of other texts the beginning. */
function shortened(text, most) {
  if (text.length <= most) return text;
  return text.includes("/") ? "…" + text.slice(text.length - most + 1) : text.slice(0, most - 1) + "…";
}

/* Names as they are, with numbers where they would not tell rows apart. */
const apartNames = names => names.map((name, k) => names.indexOf(name) === k ? name : `${name} (${k + 1})`);

/* A value with its error, the ends of its interval, and its unit, of row n of a quantity. */
function valueText(quantity, n) {
  const {values, errors, ends, held} = quantity, unit = prettyUnit(quantity.unit);
  const value = errors && errors[n] > 0 ? withError(values[n], errors[n], 10) : show(values[n], quantity.digits || 6);
  const interval = ends && ends[0][n] < ends[1][n] ? `, 95 %: ${show(ends[0][n], 4)} to ${show(ends[1][n], 4)}` : "";
  return `${quantity.name} ${value}${unit ? " " + unit : ""}${interval}${held && held[n] ? ", at its bound" : ""}`;
}

/* rows: [{name, color, open, details}], where open are circles for what is not part of something.
 * quantities: [{name, unit, digits, values, errors, ends: [low, high], held, wide, fromZero, mark: {value, name}}], by
 * rows, NaN where a row does not have it; `held` are at a bound, `wide` ones have a logarithmic axis at first, `mark`
 * is a line across all rows. */
function rowsFigure(title, rows, quantities, name) {
  const figure = new Figure(title, "rows"), names = apartNames(rows.map(row => row.name));
  const choice = quantities.length > 1
      ? figure.choose("Quantity", quantities.map(q => withUnit(q.name, q.unit)), 0) : null;
  const bars = [];
  if (quantities.some(q => q.errors)) bars.push("standard errors");
  if (quantities.some(q => q.ends)) bars.push("95 % intervals");
  const barChoice = bars.length ? figure.choose("Bars", [...bars, "none"], 0) : null;
  const log = figure.check("log x", Boolean(quantities[0].wide));
  const reading = n => [names[n], ...quantities.filter(q => !Number.isNaN(q.values[n])).map(q => valueText(q, n)),
    ...(rows[n].details || [])];
  const most = Math.max(...quantities.map(q => rows.filter((row, n) => !Number.isNaN(q.values[n])).length));
  figure.plot.style.setProperty("--height", `${ROW * Math.max(3, most) + 110}px`);
  figure.draw = colors => {
    const quantity = quantities[choice ? Number(choice.value) : 0], {values, errors, ends, mark} = quantity;
    const shown = rows.map((row, n) => n).filter(n => !Number.isNaN(values[n]));
    const bar = barChoice ? bars[Number(barChoice.value)] : "", room = (figure.plot.clientWidth || 1000) / 3 / 7.5;
    const reach = bar === "95 % intervals" && ends ? [n => values[n] - ends[0][n], n => ends[1][n] - values[n]]
      : bar === "standard errors" && errors ? [n => errors[n], n => errors[n]] : null;
    const places = shown.map((unused, k) => -k), tint = n => rows[n].color || colors.text;
    const error = reach && {type: "data", symmetric: false, arrayminus: shown.map(reach[0]), array: shown.map(reach[1]),
      visible: true, color: colors.text, thickness: 1.4, width: 4};
    figure.readings = shown.map((n, k) => ({text: reading(n).join("; "), curve: 0, point: k}));
    return {data: [{type: "scatter", uid: "rows", mode: "markers", x: shown.map(n => values[n]), y: places,
        error_x: error || undefined, showlegend: false, customdata: shown.map(n => reading(n).map(plain).join("<br>")),
        hovertemplate: "%{customdata}<extra></extra>",
        marker: {size: 10, color: shown.map(tint), symbol: shown.map(n => rows[n].open ? "circle-open" : "circle"),
          line: {width: 2, color: shown.map(tint)}}}],
      layout: layoutOf(colors, {showlegend: false, uirevision: `rows ${quantities.indexOf(quantity)}`,
        xaxis: axis(withUnit(quantity.name, quantity.unit), colors,
          {uirevision: `${quantities.indexOf(quantity)} ${log.checked}`,
            rangemode: quantity.fromZero ? "tozero" : "normal",
            ...(log.checked ? logTicks([shown.map(n => values[n])]) : {})}),
        yaxis: axis("", colors, {tickvals: places, ticktext: shown.map(n => plain(shortened(names[n], room))),
          ticks: "", zeroline: false}),
        shapes: mark ? [{type: "line", x0: mark.value, x1: mark.value, y0: 0, y1: 1, yref: "paper",
          line: {color: colors.text, width: 1.2, dash: "dash"}}] : [],
        annotations: mark ? [{x: log.checked ? Math.log10(mark.value) : mark.value, y: 1, yref: "paper",
          yanchor: "bottom", text: plain(mark.name), showarrow: false, font: {size: 12}}] : [],
        margin: {l: 60, r: 48, t: mark ? 26 : 12, b: 48},
        modebar: {orientation: "v", bgcolor: "rgba(0,0,0,0)", color: colors.text, activecolor: "#c8642d"}})};
  };
  figure.isRead();
  valuesDetails(figure, name, [{name: "name", values: rows.map(row => row.name)},
    ...quantities.flatMap(q => [{name: q.name, unit: q.unit, values: q.values},
      ...(q.errors ? [{name: `error of ${q.name}`, unit: q.unit, values: q.errors}] : []),
      ...(q.ends ? [{name: `lower end of ${q.name}`, unit: q.unit, values: q.ends[0]},
        {name: `upper end of ${q.name}`, unit: q.unit, values: q.ends[1]}] : [])]),
    ...(rows.some(row => row.details && row.details.length)
      ? [{name: "remarks", values: rows.map(row => (row.details || []).join("; "))}] : [])]);
  return figure;
}
