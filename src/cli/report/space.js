/* Views in space: samples, bodies of fdtd and ions, trajectories. ---------------------------------- */

/* `shown`: the lowest and the highest corner of the axes; by default they show all, and if the box `beyond` is
 * checked. */
function spaceFigure(title, data, unit, notes, shown, beyond) {
  const figure = new Figure(title, "space"), all = beyond ? figure.check(beyond, false) : null;
  figure.draw = colors => {
    const region = all && all.checked ? null : shown;
    const range = k => region ? {range: [region[0][k], region[1][k]], autorange: false} : {autorange: true};
    const one = (name, k) => Object.assign({title: {text: plain(withUnit(name, unit))}, gridcolor: colors.line,
        zerolinecolor: colors.line, color: colors.text, showbackground: false}, range(k));
    const spans = region && region[1].map((high, k) => high - region[0][k]), [a, b, c] = spans
        ? spans.map(v => 1.2 * v / Math.max(...spans)) : [1, 1, 1];
    /* "data" would leave long regions no room */
    const aspect = region ? {aspectmode: "manual", aspectratio: {x: a, y: b, z: c}} : {aspectmode: "data"};
    return {data, layout: layoutOf(colors, {scene: {xaxis: one("x", 0), yaxis: one("y", 1), zaxis: one("z", 2),
        ...aspect, camera: {eye: {...FROM}}},
      margin: {l: 0, r: 0, t: 10, b: 0}, uirevision: "camera"})};
  };
  for (const text of notes || []) figure.note(text);
  return figure;
}

function segments(pairs) {
  const line = {x: [], y: [], z: []};
  for (const [a, b] of pairs) for (const p of [a, b, [null, null, null]]) {
    line.x.push(p[0]); line.y.push(p[1]); line.z.push(p[2]);
  }
  return line;
}

/* The twelve edges of the cell of three vectors from a corner. */
function edges(corner, vectors) {
  const pairs = [];
  for (let k = 0; k < 3; ++k) for (const s of [0, 1]) for (const t of [0, 1]) {
    const a = vectors[(k + 1) % 3], b = vectors[(k + 2) % 3], from = corner.map((c, m) => c + s * a[m] + t * b[m]);
    pairs.push([from, from.map((c, m) => c + vectors[k][m])]);
  }
  return segments(pairs);
}

/* An arrow from a place along a direction of length 1. */
function arrow(from, along, length) {
  const tip = from.map((v, k) => v + length * along[k]), pairs = [[from, tip]];
  const normal = cross(along, Math.abs(along[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0]), size = Math.hypot(...normal),
      across = normal.map(v => v / size);
  for (const side of [across, cross(along, across)]) for (const sign of [-1, 1])
    pairs.push([tip, tip.map((v, k) => v + length * (0.12 * sign * side[k] - 0.3 * along[k]))]);
  return segments(pairs);
}

function atomsFigure(file, item) {
  const data = item.species.map((kind, s) => {
    const x = [], y = [], z = [];
    item.of.forEach((of, n) => {
      if (of !== s) return;
      x.push(item.positions[3 * n]); y.push(item.positions[3 * n + 1]); z.push(item.positions[3 * n + 2]);
    });
    const size = Math.min(22, Math.max(2.5, 55 * kind.radius / Math.cbrt(item.of.length + 8) / 2));
    return {type: "scatter3d", mode: "markers", x, y, z, name: plain(`${kind.label}: ${kind.count}`),
        marker: {size, color: kind.color, line: {width: 0.5, color: "#555555"}},
      hovertemplate: `${plain(kind.label)}<br>%{x:.4f}, %{y:.4f}, %{z:.4f} Å<extra></extra>`};
  });
  if (item.cell) {
    const c = item.cell;
    data.push(Object.assign({type: "scatter3d", mode: "lines", name: "cell", line: {color: "#888888", width: 2},
        hoverinfo: "skip"},
      edges([0, 0, 0], [c.slice(0, 3), c.slice(3, 6), c.slice(6, 9)])));
  }
  return spaceFigure(`${file.name}: ${item.count} atoms`, data, "Å", item.each > 1
      ? [`One of every ${item.each} atoms is shown.`] : []);
}

/* Bodies of a job of sonde fdtd, whose text has lists of "name: value". */
function readJob(text) {
  const lists = {};
  let item = null;
  for (const line of text.split("\n")) {
    const head = /^(\w[\w-]*) \d+:$/.exec(line), member = /^ {2}([\w-]+): ?(.*)$/.exec(line),
        option = /^([\w-]+): ?(.*)$/.exec(line);
    if (head) (lists[head[1]] = lists[head[1]] || []).push(item = {});
    else if (member && item) item[member[1]] = member[2];
    else if (option) lists["$" + option[1]] = option[2];
  }
  return lists;
}

/* The region within the absorbing layers in nm, its lowest and highest corner: about the origin. Directions in which
 * the job has no extent have one here for the eye; `flat` are these. */
function regionOf(job) {
  const size = (job.$size || "").split(",").map(v => Number(v) * 1e9);
  if (size.length !== 3 || !size.every(v => v >= 0) || !size.some(v => v > 0)) return null;
  const flat = [0, 1, 2].filter(k => size[k] === 0), seen = (flat.length === 2 ? 0.3 : 0.1) * Math.max(...size);
  const half = size.map(v => (v || seen) / 2);
  return {flat, corners: [half.map(v => -v), half]};
}

/* A body as it is drawn: boxes without an extent, and cylinders and prisms without a height, where the job has none, reach across
 * what is drawn there. */
function acrossFlat(body, region) {
  const seen = region ? region.flat.map(k => [k, 1e-9 * (region.corners[1][k] - region.corners[0][k])]) : [];
  const size = (body.size || "").split(",").map(Number);
  if (!seen.length) return body;
  if (body.shape === "box" && size.length === 3) {
    for (const [k, length] of seen) size[k] = size[k] || length;
    return {...body, size: size.join(",")};
  }
  return /^(cylinder|prism)$/.test(body.shape) && !Number(body.height) ? {...body, height: String(seen[0][1])} : body;
}

/* A region with some room around it. */
function widened([low, high]) {
  const room = 0.04 * Math.max(...high.map((v, k) => v - low[k]));
  return [low.map(v => v - room), high.map(v => v + room)];
}

/* Traces of bodies, in nanometers times `scale`, with notes on them. */
function bodyTraces(bodies, items, background, region, notes,
    {scale = 1, unit = "nm", opacity = 0.75, first = 0} = {}) {
  const data = [], missing = [], outside = [], colors = new Map();
  for (const [number, body] of bodies.entries()) {
    const item = items.find(i => i.number === number), meshes = meshesOf(body, item, background),
        called = `${body.material || body.file || ""} (${body.shape})`;
    if (!meshes.length) missing.push(called);
    if (item && item.file) notes.push(`${item.file} is drawn as the file was when the report was made.`);
    if (item && item.all > item.kept) notes.push(`${item.file}: ${item.all} triangles are simplified to ${item.kept}.`);
    const counts = item && item.x ? [item.x, item.y, item.z] : [], listed = k => counts.map(a => a[k]).join(" × ");
    if (counts.some(a => a[0] > a[1]))
      notes.push(`${item.file}: ${listed(0)} voxels are reduced to ${listed(1)}.`);
    let seen = 0;
    for (const [material, own] of meshes) {
      const [mesh, copies, drawn] = placed(own, body, region), name = plain(material), {x, y, z, i, j, k, value} = mesh;
      seen += i.length;
      if (!i.length) continue;
      if (drawn < copies) notes.push(`${drawn} of ${copies} copies of ${material} (${body.shape}) are drawn.`);
      if (!colors.has(name)) colors.set(name, COLORS[(first + colors.size) % COLORS.length]);
      const [px, py, pz] = [x, y, z].map(places => places.map(v => v * scale));
      data.push(Object.assign({type: "mesh3d", name, color: colors.get(name), opacity, flatshading: Boolean(own.flat),
          x: px, y: py, z: pz, i, j, k,
        showlegend: !data.some(d => d.name === name), legendgroup: name,
            hovertemplate: `${name}<br>%{x:.5g}, %{y:.5g}, %{z:.5g} ${unit}<extra></extra>`},
      item && item.permittivities ? {intensity: value, colorscale: SEQUENTIAL, showscale: true,
          colorbar: {title: {text: "permittivity", side: "right"}, thickness: 16}} : {}));
    }
    if (meshes.length && !seen) outside.push(called);
  }
  if (outside.length) notes.unshift(`Outside of the region that is shown: ${outside.join(", ")}.`);
  if (missing.length) notes.unshift(`Not drawn: ${missing.join(", ")}.`);
  return data;
}

/* A body of a job of sonde ions, whose lengths are in Angstrom, as one of sonde fdtd. */
function inMeters(body) {
  const lengths = ["center", "size", "radius", "radius-top", "radii", "height", "edge", "inner-radius", "pitch"],
      made = {...body};
  for (const name of lengths) if (body[name]) made[name] = body[name].split(",").map(v => 1e-10 * Number(v)).join(",");
  for (const name of ["vertices", "edges"])
    if (body[name]) made[name] = body[name].replace(/(^|[,;])\s*([-+0-9.eE]+)\s*(?=[,;]|$)/g, "$1$2 A");
  return made;
}

/* Lines of ions and recoils, or null. */
function pathTraces(get) {
  const position = get("position"), of = get("ion"), atom = get("atom"), kind = get("kind"), energy = get("energy");
  if (!position || !of || !atom || !kind || !position.shape || position.shape[1] !== 3) return null;
  const p = numbers(position), ion = numbers(of), a = numbers(atom), k = numbers(kind), e = energy ? numbers(energy)
      : [];
  const data = [["ions", "#1f77b4", 3], ["recoils", "#e08050", 1.5]].map(([name, color, width]) =>
      ({type: "scatter3d", mode: "lines", name, x: [], y: [], z: [], customdata: [], line: {color, width},
    hovertemplate: "%{x:.5g}, %{y:.5g}, %{z:.5g} Å<br>%{customdata} eV<extra></extra>"}));
  const rows = Math.min(position.shape[0], ion.length, a.length, k.length);
  for (let n = 0; n < rows; ++n) {
    const line = data[k[n] === 0 ? 0 : 1];
    if (n > 0 && (ion[n] !== ion[n - 1] || a[n] !== a[n - 1])) {
      line.x.push(null); line.y.push(null); line.z.push(null); line.customdata.push("");
    }
    line.x.push(p[3 * n]); line.y.push(p[3 * n + 1]); line.z.push(p[3 * n + 2]); line.customdata.push(show(e[n], 4));
  }
  return data;
}

/* Where the target is, in Angstrom: the depths that paths reach in it, and across all of its bodies, or nearly all of
 * the paths in it. Atoms that leave fly on, far beyond. */
function targetOf(file, bodies, paths) {
  const find = path => file.items.find(i => i.path === path && i.kind === "numbers"), values = path => find(path)
      ? [...numbers(find(path))].filter(Number.isFinite) : [];
  const ends = values("/ions/layers/end").filter(v => v < 1e12), depths = values("/ions/profiles/x"),
      width = values("/ions/profiles/cell_width")[0] || 0;
  const binned = depths.length ? depths[depths.length - 1] + width / 2 : 0, thick = Math.max(0, ...ends) || binned
      || Infinity;
  const points = paths ? paths.flatMap(t => t.x.map((x, n) => [x, t.y[n], t.z[n]]))
      .filter(p => p[0] !== null && p[0] >= 0 && p[0] <= thick) : [];
  const deepest = points.reduce((most, p) => Math.max(most, p[0]), 0), low = [0, 0, 0],
      high = [bodies.length || !points.length ? thick : Math.min(thick, 1.3 * deepest), 0, 0];
  if (!Number.isFinite(high[0]) || high[0] === 0) high[0] = deepest || binned || 1;
  for (const k of [1, 2]) {
    const across = points.map(p => p[k]).sort((a, b) => a - b), part = f => across.length
        ? across[Math.floor(f * (across.length - 1))] : 0;
    const most = 3 * Math.max(high[0], part(0.9) - part(0.1));
    const extents = bodies.flatMap(body => meshesOf(body, null, 1).map(([, own]) => placed(own, body)[0]["xyz"[k]]))
        .flat();
    [low[k], high[k]] = extents.length ? extents.reduce(([a, b], v) => [Math.min(a, 10 * v), Math.max(b, 10 * v)],
        [0, 0]) : [part(0.01), part(0.99)];
    if (!(high[k] - low[k] > 0)) [low[k], high[k]] = [-high[0] / 2, high[0] / 2];
    [low[k], high[k]] = [Math.max(low[k], -most), Math.min(high[k], most)];
  }
  return [low, high];
}

/* Paths of ions and recoils, layers, and bodies of a result of sonde ions. */
function targetFigure(file, label) {
  const members = new Map(membersOf(file, "/ions/trajectories").map(i => [last(i.path), i])),
      paths = pathTraces(name => members.get(name));
  const item = path => file.items.find(i => i.path === path), job = item("/ions/job"), bodies = job
      && job.kind === "text" ? (readJob(job.texts[0]).bodies || []).map(inMeters) : [];
  if (!paths && !bodies.length) return null;
  const region = targetOf(file, bodies, paths), notes = [], [low, high] = region, data = paths || [];
  data.push(...bodyTraces(bodies, [], 1, region.map(corner => corner.map(v => v / 10)), notes,
      {scale: 10, unit: "Å", opacity: paths ? 0.3 : 0.75, first: 2}));
  const [begin, end, text] = ["/ions/layers/begin", "/ions/layers/end", "/ions/process/target"].map(item);
  if (begin && end && text && begin.kind === "numbers" && end.kind === "numbers" && text.kind === "text") {
    const count = (text.texts[0].match(/^layer \d+:/gm) || []).length, outlines = {x: [], y: [], z: []};
    for (let n = 0; n < Math.min(count, numbers(begin).length); ++n) {
      const [from, to] = [numbers(begin)[n], numbers(end)[n]].map(v =>
          Math.min(Math.max(Number.isNaN(v) ? Infinity : v, low[0]), high[0]));
      if (to > from) for (const [name, line] of Object.entries(edges([from, low[1], low[2]],
          [[to - from, 0, 0], [0, high[1] - low[1], 0], [0, 0, high[2] - low[2]]]))) outlines[name].push(...line);
    }
    if (outlines.x.length) data.push(Object.assign({type: "scatter3d", mode: "lines", name: count > 1 ? "layers"
        : "layer", line: {color: "#999999", width: 2}, hoverinfo: "skip"}, outlines));
  }
  if (/^\/ions\/process\/options\/(bodies|voxels)$/m.test(file.items.filter(i => i.kind === "text" && i.texts[0])
      .map(i => i.path).join("\n"))) notes.unshift("Not drawn: what the options bodies and voxels name.");
  const figure = spaceFigure(label(paths ? "Trajectories" : "Bodies"), data, "Å", notes, widened(region), paths
      ? "beyond the target" : "");
  if (paths) noteReduced(figure, members.get("position"), false);
  return figure;
}

function bodiesFigure(label, text, items) {
  const job = readJob(text), notes = [], region = regionOf(job),
      bodies = (job.bodies || []).map(body => acrossFlat(body, region)),
      data = bodyTraces(bodies, items, Number(job.$background || 1), region && region.corners, notes);
  const triple = text => (text || "0,0,0").split(",").map(Number), line = (name, color, of) => data.push(Object.assign(
      {type: "scatter3d", mode: "lines", name: plain(name), line: {color, width: 3}, marker: {color, size: 5},
        hovertemplate: plain(name) + "<extra></extra>"}, of));
  const cornersOf = item => [-0.5, 0.5].map(side => {
    const size = triple(item.size), center = triple(item.center);
    return center.map((c, k) => 1e9 * (c + side * size[k]));
  });
  /* what has no extent where the job has none reaches across what is drawn there */
  const box = (corners, name, color, across) => {
    const [low, high] = corners.map(c => [...c]);
    if (![...low, ...high].every(Number.isFinite) || low.length !== 3) return null;
    if (region) for (const k of [0, 1, 2]) {
      const limits = [region.corners[0][k], region.corners[1][k]];
      if (across && region.flat.includes(k)) [low[k], high[k]] = limits;
      else if (high[k] > low[k])
        [low[k], high[k]] = [low[k], high[k]].map(v => Math.min(Math.max(v, limits[0]), limits[1]));
    }
    const edge = low.map((v, k) => high[k] - v);
    line(name, color, edge.every(v => v === 0) ? {mode: "markers", x: [low[0]], y: [low[1]], z: [low[2]]}
        : edges(low, [[edge[0], 0, 0], [0, edge[1], 0], [0, 0, edge[2]]]));
    return [low, high];
  };
  /* the box of a plane wave, and an arrow from where its middle enters */
  const wave = items.find(i => i.kind === "wave");
  const waveBox = (source, name, color) => {
    const corners = box(wave.box, name, color, true), given = triple(source.direction), length = Math.hypot(...given);
    const along = given.map(v => v / length), half = corners[0].map((v, k) => (corners[1][k] - v) / 2);
    const reach = Math.min(...half.map((h, k) => Math.abs(along[k]) > 1e-9 ? h / Math.abs(along[k]) : Infinity));
    const from = corners[0].map((v, k) => v + half[k] - reach * along[k]);
    line(`${name}, direction`, color, {showlegend: false, ...arrow(from, along, 0.5 * reach)});
  };
  const isPoint = kind => /^(point|resonances|(magnetic-)?dipole)$/.test(kind),
      isWhole = item => !/^(point|resonances|flux|fields|snapshot)$/.test(item.kind)
      && (item.size || "0,0,0") === "0,0,0";
  for (const [k, source] of (job.sources || []).entries()) {
    const name = `source ${k + 1}: ${source.kind}`;
    if (source.kind !== "plane-wave") box(cornersOf(source), name, "#d62728", !isPoint(source.kind));
    else if (wave) waveBox(source, name, "#d62728");
    else notes.push(`Not drawn: ${name}, which could not be prepared anew.`);
  }
  for (const monitor of job.monitors || []) {
    const corners = monitor.kind === "cross-section" ? wave && wave.around
      : isWhole(monitor) ? null : cornersOf(monitor);
    if (corners) box(corners, `monitor ${monitor.name || monitor.kind}`, "#1f77b4", !isPoint(monitor.kind));
  }
  if (region) box(region.corners, "inside of the absorbing layers", "#999999", true);
  const missing = region ? region.flat.map(k => "xyz"[k]).join(" and ") : "";
  if (missing) notes.push(`The job has no extent along ${missing}; what is drawn there is for the eye.`);
  return data.length ? spaceFigure(label, data, "nm", notes, region && widened(region.corners)) : null;
}
