/* Surfaces of bodies about the origin, as meshes of triangles. ------------------------------------ */

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
const signs = n => [[1, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1], [-1, 1, 1], [-1, 1, -1], [-1, -1, 1],
    [-1, -1, -1]].slice(0, n);

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
  "truncated-cube": e => [...cubePlanes(e * 0.5 * (1 + Math.sqrt(2))),
      ...octahedronPlanes(e * (3 + 2 * Math.sqrt(2)) / Math.sqrt(12))],
  icosahedron: e => {
    const d = e * GOLDEN * GOLDEN / Math.sqrt(12);
    return [...octahedronPlanes(d), ...cyclic([1 / GOLDEN, 0, GOLDEN], d)];
  },
};

function decahedronPlanes(radius, height) {
  const inner = radius * Math.cos(Math.PI / 5), drop = radius / Math.sqrt(3), top = height / 2 + drop, planes = [];
  for (let k = 0; k < 5; ++k) {
    const angle = (2 * k + 1) * Math.PI / 5, x = Math.cos(angle), y = Math.sin(angle);
    if (height > 0) planes.push([[x, y, 0], inner]);
    for (const side of [-1, 1]) planes.push([[drop * x, drop * y, side * inner],
        top * inner / Math.hypot(drop, inner)]);
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
      if (corner && unit.every(([n, d]) => dot(n, corner) <= d + 1e-9 * size)
          && !corners.some(c => Math.hypot(...c.map((v, k) => v - corner[k])) < 1e-7 * size)) corners.push(corner);
    }
    if (corners.length < 3) return;
    const middle = [0, 1, 2].map(k => corners.reduce((sum, c) => sum + c[k], 0) / corners.length);
    const u = corners[0].map((v, k) => v - middle[k]), w = cross(face[0], u);
    const angle = c => { const d = c.map((v, k) => v - middle[k]); return Math.atan2(dot(d, w), dot(d, u)); };
    corners.sort((c, d) => angle(c) - angle(d));
    const first = mesh.x.length;
    for (const c of corners) { mesh.x.push(c[0]); mesh.y.push(c[1]); mesh.z.push(c[2]); }
    for (let n = 1; n + 1 < corners.length; ++n) {
      mesh.i.push(first); mesh.j.push(first + n); mesh.k.push(first + n + 1);
    }
  });
  return mesh;
}

/* Triangles of a polygon of any form, by cutting off ears: numbers of corners. */
function triangulate(polygon) {
  const turn = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  const area = polygon.reduce((sum, p, n) => {
    const q = polygon[(n + 1) % polygon.length];
    return sum + p[0] * q[1] - p[1] * q[0];
  }, 0);
  const left = polygon.map((_, n) => n), found = [];
  if (area < 0) left.reverse();
  for (let tries = 0; left.length > 2 && tries < left.length;) {
    const [a, b, c] = [0, 1, 2].map(n => left[(tries + n) % left.length]), [p, q, r] = [a, b, c].map(n => polygon[n]);
    const ear = turn(p, q, r) > 0 && left.every(n => n === a || n === b || n === c || turn(p, q, polygon[n]) < 0
        || turn(q, r, polygon[n]) < 0 || turn(r, p, polygon[n]) < 0);
    if (ear) { found.push([a, b, c]); left.splice((tries + 1) % left.length, 1); tries = 0; } else ++tries;
  }
  return found;
}

/* A prism along x, y, or z, whose corners are (y, z), (z, x), or (x, y). */
function prism(polygon, axis, height) {
  const n = polygon.length, along = axis.findIndex(v => v !== 0),
      mesh = {x: [], y: [], z: [], i: [], j: [], k: [], flat: true};
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
  const n = Math.hypot(...axis), w = axis.map(v => v / n),
      across = cross(w, Math.abs(w[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0]);
  const e1 = across.map(v => v / Math.hypot(...across)), e2 = cross(w, e1);
  return surface([0, 0, 0], (u, v) => {
    const [r, h] = profile[Math.round(u * (profile.length - 1))];
    return [0, 1, 2].map(m => r * (Math.cos(v) * e1[m] + Math.sin(v) * e2[m]) + h * w[m]);
  }, profile.length - 1, columns);
}

/* Lists keep the units with which they were written; a number alone is in meters. */
const LENGTHS = {"": 1e9, m: 1e9, cm: 1e7, mm: 1e6, um: 1e3, "µm": 1e3, "μm": 1e3, nm: 1, A: 0.1, Angstrom: 0.1,
    angstrom: 0.1, "Å": 0.1, pm: 1e-3};
function nanometers(text) {
  const parts = /^\s*([-+0-9.eE]+)\s*(\S*)\s*$/.exec(text);
  return parts && parts[2] in LENGTHS ? Number(parts[1]) * LENGTHS[parts[2]] : NaN;
}

/* The surface of a body about the origin, before its rotation, or null for shapes that are not drawn. */
function meshOf(body) {
  const list = name => (body[name] || "0").split(",").map(v => Number(v) * 1e9),
      number = name => Number(body[name] || 0) * 1e9;
  const axis = (body.axis || "0,0,1").split(",").map(Number), edge = number("edge"), h = number("height"),
      r = number("radius");
  const points = name => {
    const found = (body[name] || "").split(";").map(p => p.split(",").map(nanometers));
    return found.flat().some(Number.isNaN) ? null : found;
  };
  if (POLYHEDRA[body.shape]) return polyhedron(POLYHEDRA[body.shape](edge));
  switch (body.shape) {
  case "sphere":
  case "ellipsoid": {
    const radii = list("radii").some(v => v > 0) ? list("radii") : [r, r, r];
    return surface([0, 0, 0], (u, v) => [radii[0] * Math.sin(Math.PI * u) * Math.cos(v),
        radii[1] * Math.sin(Math.PI * u) * Math.sin(v), -radii[2] * Math.cos(Math.PI * u)], 16, 28);
  }
  case "box": {
    const [x, y, z] = list("size").map(v => v / 2);
    return prism([[-x, -y], [x, -y], [x, y], [-x, y]], [0, 0, 1], 2 * z);
  }
  case "cylinder": {
    const inner = number("inner-radius");
    return turned(inner > 0 ? [[inner, -h / 2], [r, -h / 2], [r, h / 2], [inner, h / 2], [inner, -h / 2]]
        : [[0, -h / 2], [r, -h / 2], [r, h / 2], [0, h / 2]], axis, 32);
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
    return prism([0, 1, 2, 3, 4, 5].map(k => [edge * Math.cos(k * Math.PI / 3), edge * Math.sin(k * Math.PI / 3)]),
        [0, 0, 1], h);
  case "decahedron":
    return polyhedron(decahedronPlanes(r, h));
  case "parallelepiped": {
    const e = points("edges");
    if (!e || e.length !== 3) return null;
    return polyhedron([0, 1, 2].flatMap(k => {
      const n = cross(e[(k + 1) % 3], e[(k + 2) % 3]), d = Math.abs(dot(n, e[k])) / Math.hypot(...n) / 2;
      return [[n, d], [n.map(v => -v), d]];
    }));
  }
  default:
    return null;
  }
}

/* A surface that the page has, about the origin and turned already. */
function surfaceOf(item) {
  const mesh = {x: [], y: [], z: [], i: [], j: [], k: [], flat: true, turned: true},
      corner = numbers({data: item.corners, type: "f4"}), of = numbers({data: item.triangles, type: "f4"});
  for (let n = 0; n < corner.length; n += 3) {
    mesh.x.push(corner[n]); mesh.y.push(corner[n + 1]); mesh.z.push(corner[n + 2]);
  }
  for (let n = 0; n < of.length; n += 3) { mesh.i.push(of[n]); mesh.j.push(of[n + 1]); mesh.k.push(of[n + 2]); }
  return mesh;
}

/* The sides between voxels of one kind and others, for each kind: [name, mesh]. Permittivities are of one kind, their
 * colors differ. */
function voxelMeshes(item, body, background) {
  const axes = [item.x, item.y, item.z], [nx, ny, nz] = axes.map(a => a[1]),
      values = numbers({data: item.values, type: "f4"}), kinds = new Map();
  const names = (body.materials || "").split(/[,;]/).map(name => name.trim());
  const kindOf = value => item.permittivities ? (Math.abs(value - background) > 1e-6 ? "permittivity" : "none")
      : names[value] || `number ${value}`;
  const at = (x, y, z) => x < 0 || y < 0 || z < 0 || x >= nx || y >= ny || z >= nz ? "none"
      : kindOf(values[(z * ny + y) * nx + x]);
  for (let z = 0; z < nz; ++z) for (let y = 0; y < ny; ++y) for (let x = 0; x < nx; ++x) {
    const kind = at(x, y, z), cell = [x, y, z];
    if (kind === "none") continue;
    if (!kinds.has(kind)) kinds.set(kind, {x: [], y: [], z: [], i: [], j: [], k: [], value: [], flat: true,
        turned: true});
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

/* Meshes of a body: [material, mesh], none for shapes that are not drawn; `item` is what the page has of it beside the
 * text. */
function meshesOf(body, item, background) {
  if (item && item.values) return voxelMeshes(item, body, background);
  const mesh = item ? surfaceOf(item) : meshOf(body);
  return mesh ? [[body.material, mesh]] : [];
}
