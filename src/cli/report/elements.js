/* The page of `sonde report`: figures of the results in #data, drawn by plotly.js. Texts of files are only ever set as
 * text, or escaped for plotly.js, which reads a few tags. */
const report = JSON.parse(document.getElementById("data").textContent);
const main = document.getElementById("main");
const root = document.documentElement;
const COLORS = ["#1f77b4", "#d95f02", "#1b9e77", "#9467bd", "#d62728", "#8c6d31", "#17a2b8", "#e377c2"];
const FROM = {x: 1.55, y: -1.66, z: 0.88}; /* the eye of views in space */
const MOST_ROWS = 200; /* of a table on the page; the CSV file has all */
const SEQUENTIAL = [[0, "#ffffff"], [0.2, "#fde725"], [0.4, "#5ec962"], [0.6, "#21918c"], [0.8, "#3b528b"],
    [1, "#440154"]];
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
      element("td", {className: typeof cell === "number" || /^\(?[−-]?[0-9][^a-z]{0,40}$/i.test(cell) ? "number" : ""},
          String(cell))))))));
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
  return name.replace(/^time[- ]of[- ]H$/, "time").replace(/ \((1\/)?(Angstrom|eV|degrees?)(\^\d)?\)$/i, "")
      .replace(/ \(per ion and Angstrom of depth\)/, ", per ion").replace(/\^([0-9])/g, (all, n) => raised(n));
}

/* Reading files ------------------------------------------------------------------------------- */

/* Members of a group in the order of the file, but imaginary parts after the real ones. */
function membersOf(file, path) {
  const members = file.items.filter(item => item.path.startsWith(path + "/")
      && !item.path.slice(path.length + 1).includes("/")), called = name => members.find(i => i.path === name);
  return members.flatMap(item => {
    const imaginary = /_real$/.test(item.path) ? called(item.path.replace(/_real$/, "_imag")) : null;
    const isAfter = /_imag$/.test(item.path) && called(item.path.replace(/_imag$/, "_real"));
    return isAfter ? [] : imaginary ? [item, imaginary] : [item];
  });
}
