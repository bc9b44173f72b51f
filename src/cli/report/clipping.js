/* Meshes where their bodies are, and the parts of them within a region. -------------------------- */

/* Turns about x, then y, then z, all of them fixed. */
function rotationOf(body) {
  const degrees = (body.rotation || "0,0,0").split(",").map(Number);
  return p => {
    const to = [...p];
    degrees.forEach((angle, about) => {
      const c = Math.cos(angle * Math.PI / 180), s = Math.sin(angle * Math.PI / 180), u = (about + 1) % 3,
          v = (about + 2) % 3, x = to[u], y = to[v];
      to[u] = c * x - s * y;
      to[v] = s * x + c * y;
    });
    return to;
  };
}

/* The area within closed lines, of segments in any order, as triangles: between the heights of all ends, from every
 * first to every second line. Of (u, v) pairs; counterclockwise ones if those around the area are. */
const MOST_STEPS = 2e7; /* sections of more lines stay open */
function sectionOf(closed, least) {
  const segments = closed.filter(([a, b]) => a[1] !== b[1]),
      heights = [...new Set(segments.flatMap(([a, b]) => [a[1], b[1]]))].sort((a, b) => a - b), found = [];
  const area = closed.reduce((sum, [a, b]) => sum + a[0] * b[1] - b[0] * a[1], 0);
  if (heights.length * segments.length > MOST_STEPS) return found;
  for (let n = 0; n + 1 < heights.length; ++n) {
    const [low, high] = [heights[n], heights[n + 1]];
    if (high - low < least) continue;
    const at = ([a, b], v) => a[0] + (b[0] - a[0]) * (v - a[1]) / (b[1] - a[1]);
    const lines = segments.filter(([a, b]) => Math.min(a[1], b[1]) <= low && Math.max(a[1], b[1]) >= high)
        .map(s => [at(s, low), at(s, high)]).sort((p, q) => p[0] + p[1] - q[0] - q[1]);
    for (let m = 0; m + 1 < lines.length; m += 2) {
      const corners = [[lines[m][0], low], [lines[m + 1][0], low], [lines[m + 1][1], high], [lines[m][1], high]];
      for (const [a, b, c] of area > 0 ? [[0, 1, 2], [0, 2, 3]] : [[0, 2, 1], [0, 3, 2]])
        found.push([corners[a], corners[b], corners[c]]);
    }
  }
  return found;
}

/* The part of a closed mesh on one side of a plane across an axis, closed again: up to `limit` for side 1, from it on
 * for side -1. */
function cutAt(mesh, axis, side, limit, least) {
  const NAMES = ["x", "y", "z"], cut = {x: [], y: [], z: [], i: [], j: [], k: []}, kept = new Map(), section = [],
      [u, v] = [NAMES[(axis + 1) % 3], NAMES[(axis + 2) % 3]];
  if (mesh.value) cut.value = [];
  const along = mesh[NAMES[axis]], isIn = n => side * (along[n] - limit) <= 0;
  const add = (p, value) => {
    NAMES.forEach((name, k) => cut[name].push(p[k]));
    if (cut.value) cut.value.push(value);
    return cut.x.length - 1;
  };
  const keep = n => {
    if (!kept.has(n)) kept.set(n, add([mesh.x[n], mesh.y[n], mesh.z[n]], mesh.value && mesh.value[n]));
    return kept.get(n);
  };
  const cross = (from, to) => {
    const [a, b] = from < to ? [from, to] : [to, from], key = `${a} ${b}`,
        t = (limit - along[a]) / (along[b] - along[a]);
    if (!kept.has(key)) kept.set(key, add(NAMES.map((name, k) => k === axis ? limit
        : mesh[name][a] + t * (mesh[name][b] - mesh[name][a])), mesh.value && mesh.value[isIn(a) ? a : b]));
    return kept.get(key);
  };
  mesh.i.forEach((first, n) => {
    const corners = [first, mesh.j[n], mesh.k[n]], polygon = [], ends = [];
    corners.forEach((from, m) => {
      const to = corners[(m + 1) % 3];
      if (isIn(from)) polygon.push(keep(from));
      if (isIn(from) !== isIn(to)) { ends[isIn(from) ? 1 : 0] = cross(from, to); polygon.push(cross(from, to)); }
    });
    for (let m = 1; m + 1 < polygon.length; ++m) {
      cut.i.push(polygon[0]); cut.j.push(polygon[m]); cut.k.push(polygon[m + 1]);
    }
    if (ends.length) section.push(ends.map(end => [cut[u][end], cut[v][end]]));
  });
  const value = cut.value && cut.value[cut.value.length - 1];
  for (const triangle of sectionOf(section, least)) {
    const [a, b, c] = triangle.map(([s, t]) => {
      const p = [0, 0, 0];
      p[axis] = limit; p[(axis + 1) % 3] = s; p[(axis + 2) % 3] = t;
      return add(p, value);
    });
    cut.i.push(a); cut.j.push(b); cut.k.push(c);
  }
  return cut;
}

/* The part of a closed mesh within a region, its lowest and its highest corner; null if there is none. */
function within(mesh, region) {
  const extent = values => values.reduce(([low, high], p) => [Math.min(low, p), Math.max(high, p)],
      [Infinity, -Infinity]), size = Math.max(...region[1].map((high, k) => high - region[0][k]));
  for (const [axis, name] of ["x", "y", "z"].entries())
    for (const side of [-1, 1]) {
      const [low, high] = extent(mesh[name]), limit = region[side > 0 ? 1 : 0][axis];
      if (!(low < region[1][axis] && high > region[0][axis])) return null;
      if (side > 0 ? high > limit : low < limit) mesh = cutAt(mesh, axis, side, limit, 1e-7 * size);
    }
  return mesh.i.length ? mesh : null;
}

/* A mesh where the body is, with its copies: [mesh, number of copies, how many of them are drawn]. Of each the part
 * within the region, if one is given. */
const MOST_COPIES = 400;
function placed(mesh, body, region) {
  const list = (name, otherwise) => (body[name] || otherwise).split(",").map(Number);
  const center = list("center", "0,0,0"), repeat = list("repeat", "1,1,1"), pitch = list("pitch", "0,0,0"),
      turn = mesh.turned ? p => p : rotationOf(body);
  const corners = mesh.x.map((x, n) => turn([x, mesh.y[n], mesh.z[n]])), copies = repeat[0] * repeat[1] * repeat[2];
  const whole = {x: [], y: [], z: [], i: [], j: [], k: [], value: []}, drawn = Math.min(copies, MOST_COPIES);
  for (let copy = 0; copy < drawn; ++copy) {
    const index = [copy % repeat[0], Math.floor(copy / repeat[0]) % repeat[1],
        Math.floor(copy / (repeat[0] * repeat[1]))];
    const at = center.map((c, u) => 1e9 * (c + (index[u] - (repeat[u] - 1) / 2) * pitch[u])), first = whole.x.length;
    const moved = {x: corners.map(p => p[0] + at[0]), y: corners.map(p => p[1] + at[1]),
        z: corners.map(p => p[2] + at[2]), i: mesh.i, j: mesh.j, k: mesh.k, value: mesh.value};
    const part = region ? within(moved, region) : moved;
    if (!part) continue;
    for (const name of mesh.value ? ["x", "y", "z", "value"] : ["x", "y", "z"])
      for (const n of part[name]) whole[name].push(n);
    for (const name of ["i", "j", "k"]) for (const n of part[name]) whole[name].push(first + n);
  }
  return [whole, copies, drawn];
}
