/* The bodies of a report in space: the volumes and the middles of the meshes that its script makes of a job's text, and
 * of surfaces and voxels in the page, each the part of it within the computed region.
 *     node report_bodies.js REPORT.html
 * prints a line for each body: shape, volume in nm^3, and the box around it in nm. */
const {load} = require("./report_page.js");
const {report, readJob, meshesOf, placed, regionOf} = load(process.argv[2],
    ["report", "readJob", "meshesOf", "placed", "regionOf"]);
const {items} = report.files[0], bodies = items.filter(item => item.kind === "body");

const job = readJob(items.find(item => item.path === "/fdtd/process/job" && item.kind === "text").texts[0]);
const region = regionOf(job);
job.bodies.forEach((body, number) => {
  const meshes = meshesOf(body, bodies.find(item => item.number === number), 1);
  if (!meshes.length) console.log(body.shape, "none");
  for (const [material, own] of meshes) {
    const [mesh, copies, drawn] = placed(own, body, region && region.corners);
    const corner = n => [mesh.x[n], mesh.y[n], mesh.z[n]];
    let volume = 0;
    mesh.i.forEach((i, n) => {
      const [a, b, c] = [i, mesh.j[n], mesh.k[n]].map(corner);
      volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6;
    });
    const box = [mesh.x, mesh.y, mesh.z].map(v => `${Math.min(...v).toFixed(3)}:${Math.max(...v).toFixed(3)}`);
    console.log(body.shape, material, Math.abs(volume).toFixed(1), ...box, `${drawn}/${copies}`);
  }
});
