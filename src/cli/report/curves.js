/* Curves -------------------------------------------------------------------------------------- */

/* The range of the numbers above zero. */
const positive = lists => {
  let low = Infinity, high = 0;
  for (const values of lists)
    for (const v of values)
      if (v > 0 && Number.isFinite(v)) { low = Math.min(low, v); high = Math.max(high, v); }
  return [low, high];
};

/* Whether curves are above zero, by far more at some places than at others. */
const isWide = curves => {
  const [low, high] = positive(curves.map(c => c.y));
  return high > 100 * low && !curves.some(c => c.y.some(v => v <= 0));
};

/* Numbers at powers of ten alone, if there are several. */
function logTicks(lists) {
  const [low, high] = positive(lists), decades = Math.log10(high / low);
  return decades > 2 ? {type: "log", dtick: Math.ceil(decades / 10)} : {type: "log"};
}

/* Colors for files or names, and other lines when these are used up. */
const DASHES = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "8px,2px,2px,2px,2px,2px",
  "14px,3px,5px,3px"];
function lineOf(curve, files, names) {
  if (curve.line) return curve.line;
  const file = files.indexOf(curve.file), name = names.indexOf(curve.name);
  const rounds = Math.ceil(files.length / COLORS.length);
  const [color, dash] = files.length === 1 ? [name, Math.floor(name / COLORS.length)]
    : [file, name * rounds + Math.floor(file / COLORS.length)];
  return {color: COLORS[color % COLORS.length], dash: DASHES[dash % DASHES.length]};
}

/* The band of errors of a curve, or between the ends of its intervals: two lines, the second filled down to the first.
 */
function bandOf(curve, x, y, errors, color, logarithmic, ends) {
  const edge = (v, other) => logarithmic ? Math.max(other, 1e-3 * v) : other;
  return [-1, 1].map(sign => ({...curve, uid: curve.uid + (sign > 0 ? "above" : "below"), type: "scatter",
    mode: "lines", x, y: y.map((v, n) => edge(v, ends ? ends[sign > 0 ? 1 : 0][n] : v + sign * errors[n])),
    line: {width: 0, color},
    fill: sign > 0 ? "tonexty" : undefined, fillcolor: color + "38", hoverinfo: "skip", showlegend: false}));
}

/* Error bars of separate points. */
function barsOf(y, errors, ends, color) {
  const sides = ends ? {symmetric: false, array: y.map((v, n) => ends[1][n] - v),
    arrayminus: y.map((v, n) => v - ends[0][n])} : {array: errors};
  return {type: "data", visible: true, color, thickness: 1.2, ...sides};
}

/* curves: {name, unit, xs: [{name, unit, values}], chosen, y, errors, ends, shown, points, file, line, quantity};
 * `ends` are those of intervals, which are drawn in place of the errors, `line` a color and dashes in place of those by
 * file and name, `quantity` the name of what several curves show. */
function curveFigure(title, curves, name) {
  const figure = new Figure(title, "curve");
  const units = [...new Set(curves.map(c => c.unit || ""))], files = [...new Set(curves.map(c => c.file))];
  const first = curves.find(c => c.shown) || curves[0], quantityOf = c => c.quantity || c.name;
  const label = unit => {
    const names = [...new Set(curves.filter(c => (c.unit || "") === unit).map(quantityOf))];
    return withUnit(names.slice(0, 2).join(", ") + (names.length > 2 ? ", …" : ""), unit);
  };
  const unitChoice = units.length > 1 ? figure.choose("Quantity", units.map(label), units.indexOf(first.unit || ""))
      : null;
  const axes = first.xs, firstAxis = first.chosen || 0;
  const xChoice = axes.length > 1 ? figure.choose("Against", axes.map(x => nameOf(x)), firstAxis) : null;
  const group = unit => curves.filter(c => (c.unit || "") === unit);
  /* steps that grow are those of a logarithmic axis */
  const axis0 = numbers(axes[firstAxis]), count = axis0.length;
  const growing = count > 4 && axis0[0] > 0 && axis0[count - 1] - axis0[count - 2] > 20 * (axis0[1] - axis0[0])
      && axis0[1] > axis0[0];
  const logX = figure.check("log x", growing);
  const logY = figure.check("log y", isWide(curves.filter(c => c.name === first.name
      && (c.unit || "") === (first.unit || ""))));
  const band = curves.some(c => c.errors || c.ends) ? figure.check("errors", true) : null;
  figure.draw = colors => {
    const chosenUnit = unitChoice ? Number(unitChoice.value) : 0, unit = units[chosenUnit], members = group(unit);
    const some = members.some(c => c.shown), names = [...new Set(members.map(c => c.name))], data = [];
    const xs = members.map(c => c.xs[xChoice ? Math.min(Number(xChoice.value), c.xs.length - 1) : 0]);
    const xScale = scaleOf(xs[0].units, numbers(xs[0]));
    const yScale = scaleOf(unit, members.flatMap(c => Array.from(c.y.slice(0, 4000))));
    const xUnit = plain(prettyUnit(xScale.unit)), yUnit = plain(prettyUnit(yScale.unit));
    members.forEach((curve, k) => {
      const {color, dash} = lineOf(curve, files, names);
      const shownName = files.length > 1 ? (names.length > 1 ? `${curve.file}: ${curve.name}` : curve.file)
          : curve.name;
      const isFirst = k === 0 || (curve.item && curve.item === members[0].item); /* all rows of an array */
      const visible = curve.shown || (!some && isFirst) ? true : "legendonly", named = Boolean(xs[k].names);
      const x = named ? xs[k].names : Array.from(numbers(xs[k]), v => v * xScale.factor);
      const y = Array.from(curve.y, v => v * yScale.factor);
      const errors = curve.errors ? Array.from(curve.errors, v => v * yScale.factor) : null;
      const ends = curve.ends ? curve.ends.map(values => Array.from(values, v => v * yScale.factor)) : null;
      const isBanded = (errors || ends) && band.checked;
      const key = `curve${curves.indexOf(curve)}`;
      const apart = named || curve.points;
      if (isBanded && x.length > 1 && !apart)
        data.push(...bandOf({uid: key, legendgroup: key, visible}, x, y, errors, color, logY.checked, ends));
      const xTexts = named ? null : hoverTexts(x, null), alone = hoverTexts(y, errors);
      const yTexts = !ends ? alone : y.map((v, n) => `${alone ? alone[n] : show(v)}, 95 %: ${show(ends[0][n], 4)} to `
        + show(ends[1][n], 4));
      data.push({type: "scatter", uid: key, mode: apart ? "markers" : x.length > 60 ? "lines" : "lines+markers", x, y,
        error_y: isBanded && apart ? barsOf(y, errors, ends, color) : undefined,
        name: plain(shownName), legendgroup: key, visible, line: {color, width: 1.8, dash},
        marker: {size: named || (apart && x.length <= 60) ? 9 : 5, color},
        customdata: xTexts || yTexts ? y.map((unused, n) => [xTexts ? xTexts[n] : "", yTexts ? yTexts[n] : ""])
            : undefined,
        hovertemplate: `%{${xTexts ? "customdata[0]" : named ? "x" : "x:.6g"}} ${xUnit}<br>`
          + `%{${yTexts ? "customdata[1]" : "y:.6g"}} ${yUnit}`});
    });
    const shownNames = [...new Set(members.filter(c => c.shown || !some).map(quantityOf))];
    const xRevision = `${xChoice ? xChoice.value : 0} ${logX.checked}`, yRevision = `${chosenUnit} ${logY.checked}`;
    return {data, layout: layoutOf(colors, {
      uirevision: `curves ${chosenUnit}`,
      xaxis: axis(withUnit(nameOf(xs[0]), xScale.unit), colors,
          {uirevision: xRevision, ...(logX.checked ? logTicks([numbers(xs[0])]) : {})}),
      yaxis: axis(shownNames.length === 1 ? withUnit(shownNames[0], yScale.unit) : prettyUnit(yScale.unit), colors,
        {uirevision: yRevision, ...(logY.checked ? logTicks(members.filter(c => c.shown).map(c => c.y)) : {})}),
      margin: {l: 60, r: 48, t: 12, b: 48},
      modebar: {orientation: "v", bgcolor: "rgba(0,0,0,0)", color: colors.text, activecolor: "#c8642d"},
      showlegend: members.length > 1})};
  };
  for (const curve of curves) if (curve.item) { noteReduced(figure, curve.item); break; }
  const columns = [];
  for (const file of files) {
    const mine = curves.filter(c => c.file === file), prefix = files.length > 1 ? file + ": " : "";
    let xs = null;
    for (const curve of mine) {
      if (curve.xs !== xs) for (const x of curve.xs) columns.push({name: prefix + nameOf(x), unit: x.units,
          values: x.names || numbers(x)});
      xs = curve.xs;
      columns.push({name: prefix + curve.name, unit: curve.unit, values: curve.y});
      if (curve.errors) columns.push({name: `${prefix}error of ${curve.name}`, unit: curve.unit, values: curve.errors});
      for (const [k, end] of curve.ends ? ["lower", "upper"].entries() : [])
        columns.push({name: `${prefix}${end} end of ${curve.name}`, unit: curve.unit, values: curve.ends[k]});
    }
  }
  valuesDetails(figure, name, columns);
  return figure;
}
