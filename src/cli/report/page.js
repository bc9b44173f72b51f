/* The page of `sonde report`: figures of the results in #data, drawn by plotly.js. Texts of files are only ever set as
 * text, or escaped for plotly.js, which reads a few tags. */
const report = JSON.parse(document.getElementById("data").textContent);
const main = document.getElementById("main");
const root = document.documentElement;
const COLORS = ["#1f77b4", "#d95f02", "#1b9e77", "#9467bd", "#d62728", "#8c6d31", "#17a2b8", "#e377c2"];
const FROM = {x: 1.55, y: -1.66, z: 0.88}; /* the eye of views in space */
const MOST_ROWS = 200; /* of a table on the page; the CSV file has all */
const SEQUENTIAL = [[0, "#ffffff"], [0.2, "#fde725"], [0.4, "#5ec962"], [0.6, "#21918c"], [0.8, "#3b528b"], [1, "#440154"]];
const DIVERGING = [[0, "#3b4cc0"], [0.25, "#8db0fe"], [0.5, "#dddddd"], [0.75, "#f49a7b"], [1, "#b40426"]];

root.dataset.errors = "0";
window.addEventListener("error", () => { root.dataset.errors = String(Number(root.dataset.errors) + 1); });
window.addEventListener("unhandledrejection", () => { root.dataset.errors = String(Number(root.dataset.errors) + 1); });

/* Elements ------------------------------------------------------------------------------------ */

function element(tag, properties, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (name in made && name !== "list") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

function download(name, text) {
  const link = element("a", {href: URL.createObjectURL(new Blob([text], {type: "text/plain"})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function copyButton(text) {
  const button = element("button", {type: "button"}, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch (failure) { /* pages from files are not always allowed to */
      const area = element("textarea", {value: text});
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  return button;
}

function table(head, rows) {
  return element("div", {className: "wide"}, element("table", {},
    element("thead", {}, element("tr", {}, ...head.map(text => element("th", {scope: "col"}, text)))),
    element("tbody", {}, ...rows.map(row => element("tr", {}, ...row.map(cell =>
      element("td", {className: typeof cell === "number" || /^\(?[−-]?[0-9][^a-z]{0,40}$/i.test(cell) ? "number" : ""}, String(cell))))))));
}

/* For plotly.js, which takes some tags in texts. */
const plain = text => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
/* A text for plotly.js in lines of about so many characters. */
function broken(text, most) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines[lines.length - 1];
    if (line && line.length + word.length + 1 > most) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines.join("<br>");
}
const withUnit = (name, unit) => prettyUnit(unit) ? `${name} (${prettyUnit(unit)})` : name;
const last = path => path.slice(path.lastIndexOf("/") + 1);
const words = name => name.replace(/_/g, " ");

function numbers(item) {
  if (item.values) return item.values;
  if (!item.data) return item.values = new Float64Array(0);
  const text = atob(item.data), bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; ++k) bytes[k] = text.charCodeAt(k);
  item.values = item.type === "f4" ? Float64Array.from(new Float32Array(bytes.buffer)) : new Float64Array(bytes.buffer);
  item.data = null;
  return item.values;
}

/* Long names of sonde have the unit of axes in parentheses. */
function nameOf(item) {
  const name = item.long_name || words(last(item.path));
  return name.replace(/ \((1\/)?(Angstrom|eV|degrees?)(\^\d)?\)$/i, "").replace(/ \(per ion and Angstrom of depth\)/, ", per ion").replace(/\^([0-9])/g, (all, n) => raised(n));
}

/* Views in space ------------------------------------------------------------------------------ */

/* `shown`: the lowest and the highest corner of the axes; by default they show all, and if the box `beyond` is checked. */
function spaceFigure(title, data, unit, notes, shown, beyond) {
  const figure = new Figure(title, "space"), all = beyond ? figure.check(beyond, false) : null;
  figure.draw = colors => {
    const region = all && all.checked ? null : shown;
    const range = k => region ? {range: [region[0][k], region[1][k]], autorange: false} : {autorange: true};
    const one = (name, k) => Object.assign({title: {text: plain(withUnit(name, unit))}, gridcolor: colors.line, zerolinecolor: colors.line, color: colors.text, showbackground: false}, range(k));
    const spans = region && region[1].map((high, k) => high - region[0][k]), [a, b, c] = spans ? spans.map(v => 1.2 * v / Math.max(...spans)) : [1, 1, 1];
    const aspect = region ? {aspectmode: "manual", aspectratio: {x: a, y: b, z: c}} : {aspectmode: "data"}; /* "data" would leave long regions no room */
    return {data, layout: layoutOf(colors, {scene: {xaxis: one("x", 0), yaxis: one("y", 1), zaxis: one("z", 2), ...aspect, camera: {eye: {...FROM}}},
      margin: {l: 0, r: 0, t: 10, b: 0}, uirevision: "camera"})};
  };
  for (const text of notes || []) figure.note(text);
  return figure;
}

function segments(pairs) {
  const line = {x: [], y: [], z: []};
  for (const [a, b] of pairs) for (const p of [a, b, [null, null, null]]) { line.x.push(p[0]); line.y.push(p[1]); line.z.push(p[2]); }
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

function atomsFigure(file, item) {
  const data = item.species.map((kind, s) => {
    const x = [], y = [], z = [];
    item.of.forEach((of, n) => { if (of === s) { x.push(item.positions[3 * n]); y.push(item.positions[3 * n + 1]); z.push(item.positions[3 * n + 2]); } });
    const size = Math.min(22, Math.max(2.5, 55 * kind.radius / Math.cbrt(item.of.length + 8) / 2));
    return {type: "scatter3d", mode: "markers", x, y, z, name: plain(`${kind.label}: ${kind.count}`), marker: {size, color: kind.color, line: {width: 0.5, color: "#555555"}},
      hovertemplate: `${plain(kind.label)}<br>%{x:.4f}, %{y:.4f}, %{z:.4f} Å<extra></extra>`};
  });
  if (item.cell) {
    const c = item.cell;
    data.push(Object.assign({type: "scatter3d", mode: "lines", name: "cell", line: {color: "#888888", width: 2}, hoverinfo: "skip"},
      edges([0, 0, 0], [c.slice(0, 3), c.slice(3, 6), c.slice(6, 9)])));
  }
  return spaceFigure(`${file.name}: ${item.count} atoms`, data, "Å", item.each > 1 ? [`One of every ${item.each} atoms is shown.`] : []);
}

/* Bodies of a job of sonde fdtd, whose text has lists of "name: value". */
function readJob(text) {
  const lists = {};
  let item = null;
  for (const line of text.split("\n")) {
    const head = /^(\w[\w-]*) \d+:$/.exec(line), member = /^ {2}([\w-]+): ?(.*)$/.exec(line), option = /^([\w-]+): ?(.*)$/.exec(line);
    if (head) (lists[head[1]] = lists[head[1]] || []).push(item = {});
    else if (member && item) item[member[1]] = member[2];
    else if (option) lists["$" + option[1]] = option[2];
  }
  return lists;
}

function surface(center, map, rows, columns) {
  const mesh = {x: [], y: [], z: [], i: [], j: [], k: []};
  for (let u = 0; u <= rows; ++u) for (let v = 0; v < columns; ++v) {
    const p = map(u / rows, 2 * Math.PI * v / columns);
    mesh.x.push(center[0] + p[0]); mesh.y.push(center[1] + p[1]); mesh.z.push(center[2] + p[2]);
    if (u === rows) continue;
    const a = u * columns + v, b = u * columns + (v + 1) % columns;
    mesh.i.push(a, b); mesh.j.push(b, b + columns); mesh.k.push(a + columns, a + columns);
  }
  return mesh;
}

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const signs = n => [[1, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1], [-1, 1, 1], [-1, 1, -1], [-1, -1, 1], [-1, -1, -1]].slice(0, n);

/* Planes of polyhedra, as in src/matter/shape/polyhedron.c: normals, and distances from the center. */
const cubePlanes = d => [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]].map(n => [n, d]);
const octahedronPlanes = d => signs(8).map(n => [n, d]);
const GOLDEN = 0.5 + Math.sqrt(1.25);
const cyclic = (numbers, d) => [0, 1, 2].flatMap(k => signs(8).filter(s => numbers.every((v, m) => v !== 0 || s[m] > 0))
  .map(s => { const n = [0, 0, 0]; numbers.forEach((v, m) => { n[(k + m) % 3] = v * s[m]; }); return [n, d]; }));
const POLYHEDRA = {
  octahedron: e => octahedronPlanes(e / Math.sqrt(6)),
  cuboctahedron: e => [...cubePlanes(e * Math.sqrt(0.5)), ...octahedronPlanes(e * Math.sqrt(2 / 3))],
  "truncated-octahedron": e => [...cubePlanes(e * Math.sqrt(2)), ...octahedronPlanes(e * Math.sqrt(1.5))],
  tetrahedron: e => [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]].map(n => [n, e * Math.sqrt(6) / 12]),
  "rhombic-dodecahedron": e => cyclic([1, 1, 0], e * Math.sqrt(2 / 3)),
  "truncated-cube": e => [...cubePlanes(e * 0.5 * (1 + Math.sqrt(2))), ...octahedronPlanes(e * (3 + 2 * Math.sqrt(2)) / Math.sqrt(12))],
  icosahedron: e => { const d = e * GOLDEN * GOLDEN / Math.sqrt(12); return [...octahedronPlanes(d), ...cyclic([1 / GOLDEN, 0, GOLDEN], d)]; },
};

function decahedronPlanes(radius, height) {
  const inner = radius * Math.cos(Math.PI / 5), drop = radius / Math.sqrt(3), top = height / 2 + drop, planes = [];
  for (let k = 0; k < 5; ++k) {
    const angle = (2 * k + 1) * Math.PI / 5, x = Math.cos(angle), y = Math.sin(angle);
    if (height > 0) planes.push([[x, y, 0], inner]);
    for (const side of [-1, 1]) planes.push([[drop * x, drop * y, side * inner], top * inner / Math.hypot(drop, inner)]);
  }
  return planes;
}

/* The convex body that is below all planes: the corners of each face in their order about its normal. */
function polyhedron(planes) {
  const unit = planes.map(([n, d]) => { const length = Math.hypot(...n); return [n.map(v => v / length), d]; });
  const size = Math.max(...unit.map(p => p[1])), mesh = {x: [], y: [], z: [], i: [], j: [], k: [], flat: true};
  const meet = (p, q, r) => {
    const qr = cross(q[0], r[0]), rp = cross(r[0], p[0]), pq = cross(p[0], q[0]), volume = dot(p[0], qr);
    return Math.abs(volume) < 1e-9 ? null : [0, 1, 2].map(k => (p[1] * qr[k] + q[1] * rp[k] + r[1] * pq[k]) / volume);
  };
  unit.forEach((face, f) => {
    const corners = [];
    for (let a = 0; a < unit.length; ++a) for (let b = a + 1; b < unit.length; ++b) {
      const corner = a !== f && b !== f && meet(face, unit[a], unit[b]);
      if (corner && unit.every(([n, d]) => dot(n, corner) <= d + 1e-9 * size) && !corners.some(c => Math.hypot(...c.map((v, k) => v - corner[k])) < 1e-7 * size)) corners.push(corner);
    }
    if (corners.length < 3) return;
    const middle = [0, 1, 2].map(k => corners.reduce((sum, c) => sum + c[k], 0) / corners.length);
    const u = corners[0].map((v, k) => v - middle[k]), w = cross(face[0], u);
    const angle = c => { const d = c.map((v, k) => v - middle[k]); return Math.atan2(dot(d, w), dot(d, u)); };
    corners.sort((c, d) => angle(c) - angle(d));
    const first = mesh.x.length;
    for (const c of corners) { mesh.x.push(c[0]); mesh.y.push(c[1]); mesh.z.push(c[2]); }
    for (let n = 1; n + 1 < corners.length; ++n) { mesh.i.push(first); mesh.j.push(first + n); mesh.k.push(first + n + 1); }
  });
  return mesh;
}

/* Triangles of a polygon of any form, by cutting off ears: numbers of corners. */
function triangulate(polygon) {
  const turn = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  const area = polygon.reduce((sum, p, n) => { const q = polygon[(n + 1) % polygon.length]; return sum + p[0] * q[1] - p[1] * q[0]; }, 0);
  const left = polygon.map((_, n) => n), found = [];
  if (area < 0) left.reverse();
  for (let tries = 0; left.length > 2 && tries < left.length;) {
    const [a, b, c] = [0, 1, 2].map(n => left[(tries + n) % left.length]), [p, q, r] = [a, b, c].map(n => polygon[n]);
    const ear = turn(p, q, r) > 0 && left.every(n => n === a || n === b || n === c || turn(p, q, polygon[n]) < 0 || turn(q, r, polygon[n]) < 0 || turn(r, p, polygon[n]) < 0);
    if (ear) { found.push([a, b, c]); left.splice((tries + 1) % left.length, 1); tries = 0; } else ++tries;
  }
  return found;
}

/* A prism along x, y, or z, whose corners are (y, z), (z, x), or (x, y). */
function prism(polygon, axis, height) {
  const n = polygon.length, along = axis.findIndex(v => v !== 0), mesh = {x: [], y: [], z: [], i: [], j: [], k: [], flat: true};
  const add = (a, b, c) => { mesh.i.push(a); mesh.j.push(b); mesh.k.push(c); };
  for (const end of [-0.5, 0.5]) for (const [u, v] of polygon) {
    const p = [0, 0, 0];
    p[along] = end * height; p[(along + 1) % 3] = u; p[(along + 2) % 3] = v;
    mesh.x.push(p[0]); mesh.y.push(p[1]); mesh.z.push(p[2]);
  }
  for (let k = 0; k < n; ++k) { const next = (k + 1) % n; add(k, next, n + next); add(k, n + next, n + k); }
  for (const [a, b, c] of triangulate(polygon)) { add(a, c, b); add(n + a, n + b, n + c); }
  return mesh;
}

/* A body of revolution about an axis: pairs of radius and height, from one end to the other. */
function turned(profile, axis, columns) {
  const n = Math.hypot(...axis), w = axis.map(v => v / n), across = cross(w, Math.abs(w[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0]);
  const e1 = across.map(v => v / Math.hypot(...across)), e2 = cross(w, e1);
  return surface([0, 0, 0], (u, v) => {
    const [r, h] = profile[Math.round(u * (profile.length - 1))];
    return [0, 1, 2].map(m => r * (Math.cos(v) * e1[m] + Math.sin(v) * e2[m]) + h * w[m]);
  }, profile.length - 1, columns);
}

/* Lists keep the units with which they were written; a number alone is in meters. */
const LENGTHS = {"": 1e9, m: 1e9, cm: 1e7, mm: 1e6, um: 1e3, "µm": 1e3, "μm": 1e3, nm: 1, A: 0.1, Angstrom: 0.1, angstrom: 0.1, "Å": 0.1, pm: 1e-3};
function nanometers(text) {
  const parts = /^\s*([-+0-9.eE]+)\s*(\S*)\s*$/.exec(text);
  return parts && parts[2] in LENGTHS ? Number(parts[1]) * LENGTHS[parts[2]] : NaN;
}

/* The surface of a body about the origin, before its rotation, or null for shapes that are not drawn. */
function meshOf(body) {
  const list = name => (body[name] || "0").split(",").map(v => Number(v) * 1e9), number = name => Number(body[name] || 0) * 1e9;
  const axis = (body.axis || "0,0,1").split(",").map(Number), edge = number("edge"), h = number("height"), r = number("radius");
  const points = name => { const found = (body[name] || "").split(";").map(p => p.split(",").map(nanometers)); return found.flat().some(Number.isNaN) ? null : found; };
  if (POLYHEDRA[body.shape]) return polyhedron(POLYHEDRA[body.shape](edge));
  switch (body.shape) {
  case "sphere":
  case "ellipsoid": {
    const radii = list("radii").some(v => v > 0) ? list("radii") : [r, r, r];
    return surface([0, 0, 0], (u, v) => [radii[0] * Math.sin(Math.PI * u) * Math.cos(v), radii[1] * Math.sin(Math.PI * u) * Math.sin(v), -radii[2] * Math.cos(Math.PI * u)], 16, 28);
  }
  case "box": {
    const [x, y, z] = list("size").map(v => v / 2);
    return prism([[-x, -y], [x, -y], [x, y], [-x, y]], [0, 0, 1], 2 * z);
  }
  case "cylinder": {
    const inner = number("inner-radius");
    return turned(inner > 0 ? [[inner, -h / 2], [r, -h / 2], [r, h / 2], [inner, h / 2], [inner, -h / 2]] : [[0, -h / 2], [r, -h / 2], [r, h / 2], [0, h / 2]], axis, 32);
  }
  case "cone": {
    const top = number("radius-top");
    return turned([[0, -h / 2], [r, -h / 2], [top, h / 2], [0, h / 2]], axis, 32);
  }
  case "prism": {
    const corners = points("vertices");
    return corners && corners.length > 2 && axis.filter(v => v !== 0).length === 1 ? prism(corners, axis, h) : null;
  }
  case "hexagonal-prism":
    return prism([0, 1, 2, 3, 4, 5].map(k => [edge * Math.cos(k * Math.PI / 3), edge * Math.sin(k * Math.PI / 3)]), [0, 0, 1], h);
  case "decahedron":
    return polyhedron(decahedronPlanes(r, h));
  case "parallelepiped": {
    const e = points("edges");
    if (!e || e.length !== 3) return null;
    return polyhedron([0, 1, 2].flatMap(k => { const n = cross(e[(k + 1) % 3], e[(k + 2) % 3]), d = Math.abs(dot(n, e[k])) / Math.hypot(...n) / 2; return [[n, d], [n.map(v => -v), d]]; }));
  }
  default:
    return null;
  }
}

/* A surface that the page has, about the origin and turned already. */
function surfaceOf(item) {
  const mesh = {x: [], y: [], z: [], i: [], j: [], k: [], flat: true, turned: true}, corner = numbers({data: item.corners, type: "f4"}), of = numbers({data: item.triangles, type: "f4"});
  for (let n = 0; n < corner.length; n += 3) { mesh.x.push(corner[n]); mesh.y.push(corner[n + 1]); mesh.z.push(corner[n + 2]); }
  for (let n = 0; n < of.length; n += 3) { mesh.i.push(of[n]); mesh.j.push(of[n + 1]); mesh.k.push(of[n + 2]); }
  return mesh;
}

/* The sides between voxels of one kind and others, for each kind: [name, mesh]. Permittivities are of one kind, their colors differ. */
function voxelMeshes(item, body, background) {
  const axes = [item.x, item.y, item.z], [nx, ny, nz] = axes.map(a => a[1]), values = numbers({data: item.values, type: "f4"}), kinds = new Map();
  const names = (body.materials || "").split(/[,;]/).map(name => name.trim());
  const kindOf = value => item.permittivities ? (Math.abs(value - background) > 1e-6 ? "permittivity" : "none") : names[value] || `number ${value}`;
  const at = (x, y, z) => x < 0 || y < 0 || z < 0 || x >= nx || y >= ny || z >= nz ? "none" : kindOf(values[(z * ny + y) * nx + x]);
  for (let z = 0; z < nz; ++z) for (let y = 0; y < ny; ++y) for (let x = 0; x < nx; ++x) {
    const kind = at(x, y, z), cell = [x, y, z];
    if (kind === "none") continue;
    if (!kinds.has(kind)) kinds.set(kind, {x: [], y: [], z: [], i: [], j: [], k: [], value: [], flat: true, turned: true});
    const mesh = kinds.get(kind);
    for (let u = 0; u < 3; ++u) for (const side of [0, 1]) {
      const next = [...cell], first = mesh.x.length;
      next[u] += 2 * side - 1;
      if (at(...next) === kind) continue;
      for (const [s, t] of side ? [[0, 0], [1, 0], [1, 1], [0, 1]] : [[0, 0], [0, 1], [1, 1], [1, 0]]) {
        const p = [...cell];
        p[u] += side; p[(u + 1) % 3] += s; p[(u + 2) % 3] += t;
        ["x", "y", "z"].forEach((name, k) => mesh[name].push(axes[k][2] + p[k] * axes[k][3]));
        mesh.value.push(values[(z * ny + y) * nx + x]);
      }
      mesh.i.push(first, first); mesh.j.push(first + 1, first + 2); mesh.k.push(first + 2, first + 3);
    }
  }
  return [...kinds];
}

/* Turns about x, then y, then z, all of them fixed. */
function rotationOf(body) {
  const degrees = (body.rotation || "0,0,0").split(",").map(Number);
  return p => {
    const to = [...p];
    degrees.forEach((angle, about) => {
      const c = Math.cos(angle * Math.PI / 180), s = Math.sin(angle * Math.PI / 180), u = (about + 1) % 3, v = (about + 2) % 3, x = to[u], y = to[v];
      to[u] = c * x - s * y;
      to[v] = s * x + c * y;
    });
    return to;
  };
}

/* The area within closed lines, of segments in any order, as triangles: between the heights of all ends, from every first to every second
 * line. Of (u, v) pairs; counterclockwise ones if those around the area are. */
const MOST_STEPS = 2e7; /* sections of more lines stay open */
function sectionOf(closed, least) {
  const segments = closed.filter(([a, b]) => a[1] !== b[1]), heights = [...new Set(segments.flatMap(([a, b]) => [a[1], b[1]]))].sort((a, b) => a - b), found = [];
  const area = closed.reduce((sum, [a, b]) => sum + a[0] * b[1] - b[0] * a[1], 0);
  if (heights.length * segments.length > MOST_STEPS) return found;
  for (let n = 0; n + 1 < heights.length; ++n) {
    const [low, high] = [heights[n], heights[n + 1]];
    if (high - low < least) continue;
    const at = ([a, b], v) => a[0] + (b[0] - a[0]) * (v - a[1]) / (b[1] - a[1]);
    const lines = segments.filter(([a, b]) => Math.min(a[1], b[1]) <= low && Math.max(a[1], b[1]) >= high).map(s => [at(s, low), at(s, high)]).sort((p, q) => p[0] + p[1] - q[0] - q[1]);
    for (let m = 0; m + 1 < lines.length; m += 2) {
      const corners = [[lines[m][0], low], [lines[m + 1][0], low], [lines[m + 1][1], high], [lines[m][1], high]];
      for (const [a, b, c] of [[0, 1, 2], [0, 2, 3]]) found.push(area > 0 ? [corners[a], corners[b], corners[c]] : [corners[a], corners[c], corners[b]]);
    }
  }
  return found;
}

/* The part of a closed mesh on one side of a plane across an axis, closed again: up to `limit` for side 1, from it on for side -1. */
function cutAt(mesh, axis, side, limit, least) {
  const NAMES = ["x", "y", "z"], cut = {x: [], y: [], z: [], i: [], j: [], k: []}, kept = new Map(), section = [], [u, v] = [NAMES[(axis + 1) % 3], NAMES[(axis + 2) % 3]];
  if (mesh.value) cut.value = [];
  const along = mesh[NAMES[axis]], isIn = n => side * (along[n] - limit) <= 0;
  const add = (p, value) => { NAMES.forEach((name, k) => cut[name].push(p[k])); if (cut.value) cut.value.push(value); return cut.x.length - 1; };
  const keep = n => { if (!kept.has(n)) kept.set(n, add([mesh.x[n], mesh.y[n], mesh.z[n]], mesh.value && mesh.value[n])); return kept.get(n); };
  const cross = (from, to) => {
    const [a, b] = from < to ? [from, to] : [to, from], key = `${a} ${b}`, t = (limit - along[a]) / (along[b] - along[a]);
    if (!kept.has(key)) kept.set(key, add(NAMES.map((name, k) => k === axis ? limit : mesh[name][a] + t * (mesh[name][b] - mesh[name][a])), mesh.value && mesh.value[isIn(a) ? a : b]));
    return kept.get(key);
  };
  mesh.i.forEach((first, n) => {
    const corners = [first, mesh.j[n], mesh.k[n]], polygon = [], ends = [];
    corners.forEach((from, m) => {
      const to = corners[(m + 1) % 3];
      if (isIn(from)) polygon.push(keep(from));
      if (isIn(from) !== isIn(to)) { ends[isIn(from) ? 1 : 0] = cross(from, to); polygon.push(cross(from, to)); }
    });
    for (let m = 1; m + 1 < polygon.length; ++m) { cut.i.push(polygon[0]); cut.j.push(polygon[m]); cut.k.push(polygon[m + 1]); }
    if (ends.length) section.push(ends.map(end => [cut[u][end], cut[v][end]]));
  });
  const value = cut.value && cut.value[cut.value.length - 1];
  for (const triangle of sectionOf(section, least)) {
    const [a, b, c] = triangle.map(([s, t]) => { const p = [0, 0, 0]; p[axis] = limit; p[(axis + 1) % 3] = s; p[(axis + 2) % 3] = t; return add(p, value); });
    cut.i.push(a); cut.j.push(b); cut.k.push(c);
  }
  return cut;
}

/* The part of a closed mesh within a region, its lowest and its highest corner; null if there is none. */
function within(mesh, region) {
  const extent = values => values.reduce(([low, high], p) => [Math.min(low, p), Math.max(high, p)], [Infinity, -Infinity]), size = Math.max(...region[1].map((high, k) => high - region[0][k]));
  for (const [axis, name] of ["x", "y", "z"].entries())
    for (const side of [-1, 1]) {
      const [low, high] = extent(mesh[name]), limit = region[side > 0 ? 1 : 0][axis];
      if (!(low < region[1][axis] && high > region[0][axis])) return null;
      if (side > 0 ? high > limit : low < limit) mesh = cutAt(mesh, axis, side, limit, 1e-7 * size);
    }
  return mesh.i.length ? mesh : null;
}

/* A mesh where the body is, with its copies: [mesh, number of copies, how many of them are drawn]. Of each the part within the region, if one
 * is given. */
const MOST_COPIES = 400;
function placed(mesh, body, region) {
  const list = (name, otherwise) => (body[name] || otherwise).split(",").map(Number);
  const center = list("center", "0,0,0"), repeat = list("repeat", "1,1,1"), pitch = list("pitch", "0,0,0"), turn = mesh.turned ? p => p : rotationOf(body);
  const corners = mesh.x.map((x, n) => turn([x, mesh.y[n], mesh.z[n]])), copies = repeat[0] * repeat[1] * repeat[2];
  const whole = {x: [], y: [], z: [], i: [], j: [], k: [], value: []}, drawn = Math.min(copies, MOST_COPIES);
  for (let copy = 0; copy < drawn; ++copy) {
    const index = [copy % repeat[0], Math.floor(copy / repeat[0]) % repeat[1], Math.floor(copy / (repeat[0] * repeat[1]))];
    const at = center.map((c, u) => 1e9 * (c + (index[u] - (repeat[u] - 1) / 2) * pitch[u])), first = whole.x.length;
    const moved = {x: corners.map(p => p[0] + at[0]), y: corners.map(p => p[1] + at[1]), z: corners.map(p => p[2] + at[2]), i: mesh.i, j: mesh.j, k: mesh.k, value: mesh.value};
    const part = region ? within(moved, region) : moved;
    if (!part) continue;
    for (const name of mesh.value ? ["x", "y", "z", "value"] : ["x", "y", "z"]) for (const n of part[name]) whole[name].push(n);
    for (const name of ["i", "j", "k"]) for (const n of part[name]) whole[name].push(first + n);
  }
  return [whole, copies, drawn];
}

/* Meshes of a body: [material, mesh], none for shapes that are not drawn; `item` is what the page has of it beside the text. */
function meshesOf(body, item, background) {
  if (item && item.values) return voxelMeshes(item, body, background);
  const mesh = item ? surfaceOf(item) : meshOf(body);
  return mesh ? [[body.material, mesh]] : [];
}

/* The region within the absorbing layers in nm, its lowest and highest corner: about the origin. Directions in which the job has no extent
 * have one here for the eye; `flat` are these. */
function regionOf(job) {
  const size = (job.$size || "").split(",").map(v => Number(v) * 1e9);
  if (size.length !== 3 || !size.every(v => v >= 0) || !size.some(v => v > 0)) return null;
  const flat = [0, 1, 2].filter(k => size[k] === 0), seen = (flat.length === 2 ? 0.3 : 0.1) * Math.max(...size);
  const half = size.map(v => (v || seen) / 2);
  return {flat, corners: [half.map(v => -v), half]};
}

/* A region with some room around it. */
function widened([low, high]) {
  const room = 0.04 * Math.max(...high.map((v, k) => v - low[k]));
  return [low.map(v => v - room), high.map(v => v + room)];
}

/* Traces of bodies, in nanometers times `scale`, with notes on them. */
function bodyTraces(bodies, items, background, region, notes, {scale = 1, unit = "nm", opacity = 0.75, first = 0} = {}) {
  const data = [], missing = [], outside = [], colors = new Map();
  for (const [number, body] of bodies.entries()) {
    const item = items.find(i => i.number === number), meshes = meshesOf(body, item, background), called = `${body.material || body.file || ""} (${body.shape})`;
    if (!meshes.length) missing.push(called);
    if (item && item.file) notes.push(`${item.file} is drawn as the file was when the report was made.`);
    if (item && item.all > item.kept) notes.push(`${item.file}: ${item.all} triangles are simplified to ${item.kept}.`);
    if (item && item.x && [item.x, item.y, item.z].some(a => a[0] > a[1])) notes.push(`${item.file}: ${[item.x, item.y, item.z].map(a => a[0]).join(" × ")} voxels are reduced to ${[item.x, item.y, item.z].map(a => a[1]).join(" × ")}.`);
    let seen = 0;
    for (const [material, own] of meshes) {
      const [mesh, copies, drawn] = placed(own, body, region), name = plain(material), {x, y, z, i, j, k, value} = mesh;
      seen += i.length;
      if (!i.length) continue;
      if (drawn < copies) notes.push(`${drawn} of ${copies} copies of ${material} (${body.shape}) are drawn.`);
      if (!colors.has(name)) colors.set(name, COLORS[(first + colors.size) % COLORS.length]);
      const [px, py, pz] = [x, y, z].map(places => places.map(v => v * scale));
      data.push(Object.assign({type: "mesh3d", name, color: colors.get(name), opacity, flatshading: Boolean(own.flat), x: px, y: py, z: pz, i, j, k,
        showlegend: !data.some(d => d.name === name), legendgroup: name, hovertemplate: `${name}<br>%{x:.5g}, %{y:.5g}, %{z:.5g} ${unit}<extra></extra>`},
      item && item.permittivities ? {intensity: value, colorscale: SEQUENTIAL, showscale: true, colorbar: {title: {text: "permittivity", side: "right"}, thickness: 16}} : {}));
    }
    if (meshes.length && !seen) outside.push(called);
  }
  if (outside.length) notes.unshift(`Outside of the region that is shown: ${outside.join(", ")}.`);
  if (missing.length) notes.unshift(`Not drawn: ${missing.join(", ")}.`);
  return data;
}

/* A body of a job of sonde ions, whose lengths are in Angstrom, as one of sonde fdtd. */
function inMeters(body) {
  const lengths = ["center", "size", "radius", "radius-top", "radii", "height", "edge", "inner-radius", "pitch"], made = {...body};
  for (const name of lengths) if (body[name]) made[name] = body[name].split(",").map(v => 1e-10 * Number(v)).join(",");
  for (const name of ["vertices", "edges"]) if (body[name]) made[name] = body[name].replace(/(^|[,;])\s*([-+0-9.eE]+)\s*(?=[,;]|$)/g, "$1$2 A");
  return made;
}

/* Lines of ions and recoils, or null. */
function pathTraces(get) {
  const position = get("position"), of = get("ion"), atom = get("atom"), kind = get("kind"), energy = get("energy");
  if (!position || !of || !atom || !kind || !position.shape || position.shape[1] !== 3) return null;
  const p = numbers(position), ion = numbers(of), a = numbers(atom), k = numbers(kind), e = energy ? numbers(energy) : [];
  const data = [["ions", "#1f77b4", 3], ["recoils", "#e08050", 1.5]].map(([name, color, width]) => ({type: "scatter3d", mode: "lines", name, x: [], y: [], z: [], customdata: [], line: {color, width},
    hovertemplate: "%{x:.5g}, %{y:.5g}, %{z:.5g} Å<br>%{customdata} eV<extra></extra>"}));
  const rows = Math.min(position.shape[0], ion.length, a.length, k.length);
  for (let n = 0; n < rows; ++n) {
    const line = data[k[n] === 0 ? 0 : 1];
    if (n > 0 && (ion[n] !== ion[n - 1] || a[n] !== a[n - 1])) { line.x.push(null); line.y.push(null); line.z.push(null); line.customdata.push(""); }
    line.x.push(p[3 * n]); line.y.push(p[3 * n + 1]); line.z.push(p[3 * n + 2]); line.customdata.push(show(e[n], 4));
  }
  return data;
}

/* Where the target is, in Angstrom: the depths that paths reach in it, and across all of its bodies, or nearly all of the paths in it. Atoms that
 * leave fly on, far beyond. */
function targetOf(file, bodies, paths) {
  const find = path => file.items.find(i => i.path === path && i.kind === "numbers"), values = path => find(path) ? [...numbers(find(path))].filter(Number.isFinite) : [];
  const ends = values("/ions/layers/end").filter(v => v < 1e12), depths = values("/ions/profiles/x"), width = values("/ions/profiles/cell_width")[0] || 0;
  const binned = depths.length ? depths[depths.length - 1] + width / 2 : 0, thick = Math.max(0, ...ends) || binned || Infinity;
  const points = paths ? paths.flatMap(t => t.x.map((x, n) => [x, t.y[n], t.z[n]])).filter(p => p[0] !== null && p[0] >= 0 && p[0] <= thick) : [];
  const deepest = points.reduce((most, p) => Math.max(most, p[0]), 0), low = [0, 0, 0], high = [bodies.length || !points.length ? thick : Math.min(thick, 1.3 * deepest), 0, 0];
  if (!Number.isFinite(high[0]) || high[0] === 0) high[0] = deepest || binned || 1;
  for (const k of [1, 2]) {
    const across = points.map(p => p[k]).sort((a, b) => a - b), part = f => across.length ? across[Math.floor(f * (across.length - 1))] : 0;
    const most = 3 * Math.max(high[0], part(0.9) - part(0.1));
    const extents = bodies.flatMap(body => meshesOf(body, null, 1).map(([, own]) => placed(own, body)[0]["xyz"[k]])).flat();
    [low[k], high[k]] = extents.length ? extents.reduce(([a, b], v) => [Math.min(a, 10 * v), Math.max(b, 10 * v)], [0, 0]) : [part(0.01), part(0.99)];
    if (!(high[k] - low[k] > 0)) [low[k], high[k]] = [-high[0] / 2, high[0] / 2];
    [low[k], high[k]] = [Math.max(low[k], -most), Math.min(high[k], most)];
  }
  return [low, high];
}

/* Paths of ions and recoils, layers, and bodies of a result of sonde ions. */
function targetFigure(file, label) {
  const members = new Map(membersOf(file, "/ions/trajectories").map(i => [last(i.path), i])), paths = pathTraces(name => members.get(name));
  const item = path => file.items.find(i => i.path === path), job = item("/ions/job"), bodies = job && job.kind === "text" ? (readJob(job.texts[0]).bodies || []).map(inMeters) : [];
  if (!paths && !bodies.length) return null;
  const region = targetOf(file, bodies, paths), notes = [], [low, high] = region, data = paths || [];
  data.push(...bodyTraces(bodies, [], 1, region.map(corner => corner.map(v => v / 10)), notes, {scale: 10, unit: "Å", opacity: paths ? 0.3 : 0.75, first: 2}));
  const [begin, end, text] = ["/ions/layers/begin", "/ions/layers/end", "/ions/process/target"].map(item);
  if (begin && end && text && begin.kind === "numbers" && end.kind === "numbers" && text.kind === "text") {
    const count = (text.texts[0].match(/^layer \d+:/gm) || []).length, outlines = {x: [], y: [], z: []};
    for (let n = 0; n < Math.min(count, numbers(begin).length); ++n) {
      const [from, to] = [numbers(begin)[n], numbers(end)[n]].map(v => Math.min(Math.max(Number.isNaN(v) ? Infinity : v, low[0]), high[0]));
      if (to > from) for (const [name, line] of Object.entries(edges([from, low[1], low[2]], [[to - from, 0, 0], [0, high[1] - low[1], 0], [0, 0, high[2] - low[2]]]))) outlines[name].push(...line);
    }
    if (outlines.x.length) data.push(Object.assign({type: "scatter3d", mode: "lines", name: count > 1 ? "layers" : "layer", line: {color: "#999999", width: 2}, hoverinfo: "skip"}, outlines));
  }
  if (/^\/ions\/process\/options\/(bodies|voxels)$/m.test(file.items.filter(i => i.kind === "text" && i.texts[0]).map(i => i.path).join("\n"))) notes.unshift("Not drawn: what the options bodies and voxels name.");
  const figure = spaceFigure(label(paths ? "Trajectories" : "Bodies"), data, "Å", notes, widened(region), paths ? "beyond the target" : "");
  if (paths) noteReduced(figure, members.get("position"), false);
  return figure;
}

function bodiesFigure(label, text, items) {
  const job = readJob(text), notes = [], region = regionOf(job), data = bodyTraces(job.bodies || [], items, Number(job.$background || 1), region && region.corners, notes);
  /* what has no extent where the job has none reaches across what is drawn there */
  const box = (item, name, color, across) => {
    const size = (item.size || "0,0,0").split(",").map(v => Number(v) * 1e9), center = (item.center || "0,0,0").split(",").map(v => Number(v) * 1e9);
    if (size.length !== 3 || size.some(v => !Number.isFinite(v))) return;
    const low = center.map((c, k) => c - size[k] / 2), high = center.map((c, k) => c + size[k] / 2);
    if (region) for (const k of [0, 1, 2]) {
      const limits = [region.corners[0][k], region.corners[1][k]];
      if (across && region.flat.includes(k)) [low[k], high[k]] = limits;
      else if (high[k] > low[k]) [low[k], high[k]] = [low[k], high[k]].map(v => Math.min(Math.max(v, limits[0]), limits[1]));
    }
    const edge = low.map((v, k) => high[k] - v), point = edge.every(v => v === 0);
    data.push(Object.assign({type: "scatter3d", mode: point ? "markers" : "lines", name: plain(name), line: {color, width: 3}, marker: {color, size: 5}, hovertemplate: plain(name) + "<extra></extra>"},
      point ? {x: [low[0]], y: [low[1]], z: [low[2]]} : edges(low, [[edge[0], 0, 0], [0, edge[1], 0], [0, 0, edge[2]]])));
  };
  const isPoint = kind => /^(point|resonances|(magnetic-)?dipole)$/.test(kind), isWhole = item => !/^(point|resonances|flux|fields|snapshot)$/.test(item.kind) && (item.size || "0,0,0") === "0,0,0";
  for (const [k, source] of (job.sources || []).entries()) if (source.kind !== "plane-wave") box(source, `source ${k + 1}: ${source.kind}`, "#d62728", !isPoint(source.kind));
  for (const monitor of job.monitors || []) if (!isWhole(monitor)) box(monitor, `monitor ${monitor.name || monitor.kind}`, "#1f77b4", !isPoint(monitor.kind));
  if (region) box({size: job.$size}, "inside of the absorbing layers", "#999999", true);
  if (region && region.flat.length) notes.push(`The job has no extent along ${region.flat.map(k => "xyz"[k]).join(" and ")}; what is drawn there is for the eye.`);
  return data.length ? spaceFigure(label, data, "nm", notes, region && widened(region.corners)) : null;
}

/* Reading files ------------------------------------------------------------------------------- */

function membersOf(file, path) {
  return file.items.filter(item => item.path.startsWith(path + "/") && !item.path.slice(path.length + 1).includes("/"));
}

/* The page ------------------------------------------------------------------------------------ */

/* What is wrong with the files, and what could not be drawn of them, which must not stop the rest. */
const problems = [];
function attempt(file, what, make) {
  const before = plots.length;
  try {
    return make();
  } catch (failure) {
    problems.push(`${file.name}: ${what} could not be drawn: ${failure.message}`);
    plots.length = before;
    file.drawn = true;
    return null;
  }
}

const sections = [];
function section(title, ...children) {
  const id = `section-${sections.length + 1}`, made = element("section", {id}, element("h2", {}, title), ...children);
  sections.push({id, title});
  main.append(made);
  return made;
}
function dropSection(made) {
  sections.splice(sections.findIndex(s => s.id === made.id), 1);
  made.remove();
}

function provenance(file) {
  const parts = [], entry = file.items.find(i => i.kind === "group" && i.NX_class === "NXentry");
  const top = entry ? entry.path : "", rows = [["file", file.name], ["SHA-256", file.sha256]], options = [], long = [], figures = [];
  const text = item => item.kind === "text" ? item.texts.join(", ") : `${show(item.value, 8)} ${prettyUnit(item.units)}`.trim();
  for (const item of file.items) {
    if (item.kind !== "text" && item.kind !== "number") continue;
    const name = item.path.slice(top.length + 1), value = text(item);
    if (value === "" || (item.value === 0 && /(^|\/)peak_memory$/.test(name))) continue;
    if (name.includes("/options/")) options.push([last(name), `${value} ${item.kind === "text" ? prettyUnit(item.units) : ""}`.trim()]);
    else if (item.kind === "text" && (value.length > 200 || value.includes("\n"))) long.push([name, value]);
    else if (/^(process|sample)\//.test(name) || !name.includes("/")) rows.push([words(name.replace(/^process\//, "").replace("/", ": ")), value]);
    else if (item.kind === "number" && !/_errors$/.test(name)) {
      const error = file.items.find(i => i.path === item.path + "_errors" && i.kind === "number");
      figures.push([name, error ? withError(item.value, error.value) : show(item.value, 8), prettyUnit(item.units), item.long_name || ""]);
    }
  }
  parts.push(table(["", ""], rows));
  /* with the groups that they are in where names alone would not tell them apart */
  const apart = new Set(figures.map(f => last(f[0]))).size === figures.length;
  for (const row of figures) row[0] = words(apart ? last(row[0]) : row[0].replace(/\//g, ": "));
  if (figures.length) parts.unshift(element("details", {open: figures.length < 60}, element("summary", {}, "Numbers"), table(["", "value", "unit", "meaning"], figures)));
  parts.push(...listedTables(file));
  if (options.length) parts.push(element("details", {}, element("summary", {}, `Options (${options.length})`), table(["option", "value"], options)));
  for (const [name, value] of long) {
    const job = /job_file$/.test(name), save = element("button", {type: "button"}, "Save");
    save.addEventListener("click", () => download(job ? "job.yaml" : last(name) + ".txt", value));
    parts.push(element("details", {open: job}, element("summary", {}, job ? "Job file" : words(name)), copyButton(value), " ", save, element("pre", {tabIndex: 0}, value)));
  }
  const command = file.items.find(i => i.kind === "text" && /\/command$/.test(i.path));
  if (command && command.texts[0]) parts.unshift(element("p", {}, "Command: ", element("code", {}, command.texts[0]), " ", copyButton(command.texts[0])));
  return parts;
}

function build() {
  main.append(element("p", {className: "note"}, `${report.files.map(f => f.name).join(", ")} · made by sonde ${report.version}`));
  const nav = element("nav", {"aria-label": "Contents"});
  main.append(nav);

  const warnings = section("Warnings");
  for (const file of report.files) {
    const value = name => (file.items.find(i => i.path.endsWith("/process/" + name)) || {}).value;
    if (value("until_missed"))
      problems.push(`${file.name}: the run ended before the fields had decayed to the requested fraction.`);
    for (const item of file.items) {
      if (item.kind === "text" && /\/(warnings|notes)$/.test(item.path))
        for (const line of item.texts.join("\n").split("\n").filter(Boolean)) problems.push(`${file.name}: ${line}`);
      if (item.kind === "unreadable") problems.push(`${file.name}: ${item.path} cannot be read.`);
      if (item.kind === "numbers" && item.data === null)
        problems.push(`${file.name}: ${item.path} is left out, since the page would exceed 48 MB.`);
    }
  }

  /* views in space */
  const views = [];
  const view = (file, what, make) => {
    const figure = attempt(file, what, make);
    if (figure) views.push(figure);
    if (figure) file.drawn = true;
  };
  const titled = (label, file) => report.files.length > 1 ? `${label}: ${file.name}` : label;
  for (const file of report.files)
    for (const item of file.items) {
      if (item.kind === "atoms") view(file, "the atoms", () => atomsFigure(file, item));
      if (item.kind === "group" && item.path === "/ions")
        view(file, "the target", () => targetFigure(file, name => titled(name, file)));
      if (item.kind === "text" && item.path === "/fdtd/process/job")
        view(file, "the bodies", () => bodiesFigure(titled("Bodies and monitors", file), item.texts[0],
          file.items.filter(i => i.kind === "body")));
    }

  /* groups of numbers with axes, the default ones first */
  const groups = new Map();
  for (const file of report.files)
    for (const group of file.items)
      if (group.kind === "group" && group.NX_class === "NXdata" && group.signal && group.path !== "/campaign/table") {
        const members = new Map(membersOf(file, group.path).map(i => [last(i.path), i]));
        if (!groups.has(group.path)) groups.set(group.path, []);
        groups.get(group.path).push({file, group, members});
      }
  const defaults = new Set();
  for (const file of report.files) for (const item of file.items) if (item.NX_class === "NXentry" && item.default) defaults.add(`${item.path}/${item.default}`);
  const order = [...groups.keys()].sort((a, b) => defaults.has(b) - defaults.has(a));
  const results = [], deeper = [];
  for (const path of order) (path.split("/").length > 3 ? deeper : results).push(...dataFigures(path, groups.get(path)));
  for (const file of report.files) results.push(...(attempt(file, "the spectra of leaving atoms", () => leavingFigures(file)) || []));
  for (const file of report.files)
    for (const item of file.items) {
      if (item.kind === "table") attempt(file, "the table", () => tableFigures(file, item, results));
      if (item.kind === "group" && item.path === "/campaign/table")
        attempt(file, "the table", () => {
          const isColumn = i => (i.kind === "numbers" && i.shape.length === 1) || i.kind === "text";
          const cell = text => text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
          const columns = membersOf(file, item.path).filter(isColumn).map(i => ({name: last(i.path), unit: i.units,
            values: i.kind === "text" ? i.texts.map(cell) : Array.from(numbers(i))}));
          const {figure, reason} = tableFigure(`Campaign: ${file.name}`, columns, "campaign");
          if (figure) results.push(figure);
          else problems.push(`${file.name}: no figure: ${reason}.`);
          file.drawn = true;
        });
    }
  const forces = report.files.map(file => attempt(file, "the forces", () => forcesTable(file))).filter(Boolean);
  for (const file of report.files) if (!file.drawn) problems.push(`${file.name}: no figure: it has no curves, maps, or atoms.`);
  if (problems.length) warnings.append(...problems.map(text => element("p", {className: "problem"}, text)));
  else dropSection(warnings);
  if (results.length || forces.length) section("Results", ...results.map(f => f.figure), ...forces);
  if (views.length) section("Views in space", ...views.map(f => f.figure));
  if (deeper.length) section("By kind", element("details", {}, element("summary", {}, `${deeper.length} more figures`), ...deeper.map(f => f.figure)));
  if (!results.length && !forces.length && !views.length && !deeper.length)
    section("Results", element("p", {}, "These files contain no curves or maps that can be drawn."));

  for (const file of report.files) {
    const parts = file.items.some(i => i.kind === "atoms" || i.kind === "table")
      ? [table(["", ""], [["file", file.name], ["SHA-256", file.sha256]]), ...(file.comments ? [element("pre", {tabIndex: 0}, file.comments.join("\n"))] : [])] : provenance(file);
    section(report.files.length > 1 ? `Origin of ${file.name}` : "Origin", ...parts);
  }
  section("This page", element("p", {className: "note"}, "Drag over a figure to zoom, double-click to reset, turn views in space by dragging; a click in the legend hides a curve. With the keyboard: Tab to a figure, arrows to move or turn, + and - to zoom, 0 to reset. ",
    "Made by ", element("code", {}, report.command), ". Drawn by plotly.js 4.1.1 (MIT License, © Plotly, Inc.), which is part of this page; nothing is fetched from a network."));
  nav.append(element("ul", {}, ...sections.map(s => element("li", {}, element("a", {href: "#" + s.id}, s.title)))));
}

async function loadPlotly() {
  const holder = document.getElementById("plotly"), text = atob(holder.textContent), bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; ++k) bytes[k] = text.charCodeAt(k);
  holder.remove();
  const code = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  document.head.append(element("script", {textContent: code}));
}

/* Figures are drawn for the width of paper before the page is printed (page.css), and for the window's afterwards. */
function forPaper(begins) {
  if (onPaper === begins) return;
  onPaper = begins;
  root.classList.toggle("paper", begins);
  for (const plot of plots) {
    if (!plot.plot.closest("details:not([open])")) plot.update(begins);
    attempt({name: "paper"}, "a view in space", () => plot.copyForPaper());
  }
}

async function start() {
  build();
  if (typeof DecompressionStream === "undefined") {
    main.prepend(element("p", {className: "problem"}, "This browser is too old to draw the figures: it needs DecompressionStream (Chrome 80, Firefox 113, Safari 16.4, or later). The tables below are complete."));
    return;
  }
  await loadPlotly();
  const seen = new IntersectionObserver(entries => {
    for (const entry of entries) if (entry.isIntersecting) {
      seen.unobserve(entry.target);
      plots.find(p => p.plot === entry.target).show();
    }
  }, {rootMargin: "600px"});
  const first = plots.filter(p => !p.plot.closest("details")).slice(0, 4);
  for (const plot of first) await plot.show();
  for (const plot of plots) if (!first.includes(plot)) seen.observe(plot.plot);
  dark.addEventListener("change", () => { for (const plot of plots) plot.update(); });
  addEventListener("beforeprint", () => forPaper(true));
  addEventListener("afterprint", () => forPaper(false));
  matchMedia("print").addEventListener("change", event => forPaper(event.matches));
  root.dataset.ready = String(first.length);
}
start();
