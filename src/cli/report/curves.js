/* Curves -------------------------------------------------------------------------------------- */

const isWide = curves => {
  let low = Infinity, high = 0;
  for (const curve of curves) for (const value of curve.y) if (Number.isFinite(value)) { low = Math.min(low, value); high = Math.max(high, value); }
  return low > 0 && high > 100 * low;
};

/* Numbers at powers of ten alone, if there are several. */
function logTicks(curves) {
  let low = Infinity, high = 0;
  for (const values of curves) for (const value of values) if (value > 0 && Number.isFinite(value)) { low = Math.min(low, value); high = Math.max(high, value); }
  const decades = Math.log10(high / low);
  return decades > 2 ? {type: "log", dtick: Math.ceil(decades / 10)} : {type: "log"};
}

/* curves: {name, unit, x: {name, unit, values}, others: [x], y, errors, shown, file} */
function curveFigure(title, curves, name) {
  const figure = new Figure(title, "curve");
  const units = [...new Set(curves.map(c => c.unit || ""))], files = [...new Set(curves.map(c => c.file))];
  const first = curves.find(c => c.shown) || curves[0];
  const label = unit => {
    const names = [...new Set(curves.filter(c => (c.unit || "") === unit).map(c => c.name))];
    return withUnit(names.slice(0, 2).join(", ") + (names.length > 2 ? ", …" : ""), unit);
  };
  const unitChoice = units.length > 1 ? figure.choose("Quantity", units.map(label), units.indexOf(first.unit || "")) : null;
  const axes = first.xs, xChoice = axes.length > 1 ? figure.choose("Against", axes.map(x => nameOf(x)), first.chosen || 0) : null;
  const group = unit => curves.filter(c => (c.unit || "") === unit);
  /* steps that grow are those of a logarithmic axis */
  const axis0 = numbers(axes[first.chosen || 0]), count = axis0.length;
  const growing = count > 4 && axis0[0] > 0 && axis0[count - 1] - axis0[count - 2] > 20 * (axis0[1] - axis0[0]) && axis0[1] > axis0[0];
  const logX = figure.check("log x", growing), logY = figure.check("log y", isWide(curves.filter(c => c.name === first.name && (c.unit || "") === (first.unit || ""))));
  const band = curves.some(c => c.errors) ? figure.check("errors", true) : null;
  figure.draw = colors => {
    const unit = unitChoice ? units[Number(unitChoice.value)] : units[0], members = group(unit);
    const some = members.some(c => c.shown), names = [...new Set(members.map(c => c.name))], data = [];
    const xs = members.map(c => c.xs[xChoice ? Math.min(Number(xChoice.value), c.xs.length - 1) : 0]);
    const xScale = scaleOf(xs[0].units, numbers(xs[0])), yScale = scaleOf(unit, members.flatMap(c => Array.from(c.y.slice(0, 4000))));
    members.forEach((curve, k) => {
      const color = COLORS[(files.length > 1 ? files.indexOf(curve.file) : names.indexOf(curve.name)) % COLORS.length];
      const shownName = files.length > 1 ? (names.length > 1 ? `${curve.file}: ${curve.name}` : curve.file) : curve.name;
      const visible = curve.shown || (!some && k === 0) ? true : "legendonly";
      const named = Boolean(xs[k].names), x = named ? xs[k].names : Array.from(numbers(xs[k]), v => v * xScale.factor), y = Array.from(curve.y, v => v * yScale.factor), key = `${curve.file}/${curve.name}/${k}`;
      const errors = curve.errors ? Array.from(curve.errors, v => v * yScale.factor) : null;
      if (errors && band.checked && x.length > 1 && !named && !curve.points)
        for (const sign of [-1, 1])
          data.push({type: "scatter", mode: "lines", x, y: y.map((v, n) => logY.checked ? Math.max(v + sign * errors[n], 1e-3 * v) : v + sign * errors[n]),
            line: {width: 0, color}, fill: sign > 0 ? "tonexty" : undefined, fillcolor: color + "38", hoverinfo: "skip", showlegend: false, legendgroup: key, visible});
      const unitText = plain(prettyUnit(yScale.unit));
      data.push({type: "scatter", mode: named || curve.points ? "markers" : x.length > 60 ? "lines" : "lines+markers", x, y,
        error_y: errors && (named || curve.points) && band.checked ? {type: "data", array: errors, visible: true, color, thickness: 1.2} : undefined, name: plain(shownName), legendgroup: key, visible,
        line: {color, width: 1.8, dash: files.length > 1 ? DASHES[names.indexOf(curve.name) % DASHES.length] : "solid"}, marker: {size: named ? 9 : 5},
        customdata: errors ? errors.map(e => show(e, 3)) : undefined,
        hovertemplate: `%{x${named ? "" : ":.6g"}} ${plain(prettyUnit(xScale.unit))}<br>%{y:.6g}${errors ? " ± %{customdata}" : ""} ${unitText}`});
    });
    const shownNames = [...new Set(members.filter(c => c.shown || !some).map(c => c.name))];
    return {data, layout: layoutOf(colors, {
      xaxis: axis(withUnit(nameOf(xs[0]), xScale.unit), colors, logX.checked ? logTicks([numbers(xs[0])]) : {}),
      yaxis: axis(shownNames.length === 1 ? withUnit(shownNames[0], yScale.unit) : prettyUnit(yScale.unit), colors, logY.checked ? logTicks(members.filter(c => c.shown).map(c => c.y)) : {}),
      margin: {l: 60, r: 48, t: 12, b: 48}, modebar: {orientation: "v", bgcolor: "rgba(0,0,0,0)", color: colors.text, activecolor: "#c8642d"},
      showlegend: members.length > 1})};
  };
  for (const curve of curves) if (curve.item) { noteReduced(figure, curve.item); break; }
  const columns = [];
  for (const file of files) {
    const mine = curves.filter(c => c.file === file), prefix = files.length > 1 ? file + ": " : "";
    let xs = null;
    for (const curve of mine) {
      if (curve.xs !== xs) for (const x of curve.xs) columns.push({name: prefix + nameOf(x), unit: x.units, values: x.names || numbers(x)});
      xs = curve.xs;
      columns.push({name: prefix + curve.name, unit: curve.unit, values: curve.y});
      if (curve.errors) columns.push({name: `${prefix}error of ${curve.name}`, unit: curve.unit, values: curve.errors});
    }
  }
  valuesDetails(figure, name, columns);
  return figure;
}
