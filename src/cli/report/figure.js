/* Theme and drawing --------------------------------------------------------------------------- */

const plots = [];
const dark = matchMedia("(prefers-color-scheme: dark)");

let onPaper = false; /* while the page is printed: light, and of the paper's width, whatever the screen is */
function theme() {
  const style = getComputedStyle(root), light = onPaper || !dark.matches;
  const text = light ? "#1c1f24" : style.getPropertyValue("--text").trim(), line = light ? "#d5d9e0" : "#3a414d";
  return {text, line, ground: light ? "#ffffff" : "#1d2128"};
}

function axis(title, colors, more) {
  return Object.assign({title: {text: plain(title), standoff: 8}, gridcolor: colors.line,
    zerolinecolor: colors.line, linecolor: colors.line,
    showline: true, mirror: true, ticks: "outside", exponentformat: "power", minexponent: 5, automargin: true}, more);
}

function layoutOf(colors, more) {
  return Object.assign({paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: colors.ground,
    font: {color: colors.text, size: 13}, margin: {l: 60, r: 20, t: 36, b: 48}, hovermode: "closest",
    legend: {orientation: "h", y: 1.02, yanchor: "bottom", x: 0}, hoverlabel: {namelength: -1},
    modebar: {bgcolor: "rgba(0,0,0,0)", color: colors.text, activecolor: "#c8642d"}}, more);
}

const CONFIG = {displaylogo: false, doubleClick: "autosize",
    modeBarButtonsToRemove: ["lasso2d", "select2d"], toImageButtonOptions: {format: "svg"}};

/* A figure with controls; `draw` returns traces and layout. It is drawn when it comes near the visible part of the
 * page. */
class Figure {
  constructor(title, kind) {
    this.caption = element("h3", {}, title);
    this.controls = element("div", {className: "controls"});
    this.plot = element("div", {className: "plot " + kind, tabIndex: 0, role: "img",
        "aria-label": `${title}. Keys: arrows move, + and - zoom, 0 resets.`});
    this.after = element("div", {});
    this.figure = element("figure", {}, element("figcaption", {}, this.caption), this.controls, this.plot, this.after);
    this.drawn = false;
    this.plot.addEventListener("keydown", event => this.key(event));
    plots.push(this);
    new ResizeObserver(() => {
      const size = this.size(), before = this.plot._fullLayout;
      if (!this.drawn || this.failed || onPaper || !before || !size.width) return;
      if (before.width !== size.width || before.height !== size.height) Plotly.relayout(this.plot, size);
    }).observe(this.plot);
  }
  check(label, checked) {
    const input = element("input", {type: "checkbox", checked});
    this.controls.append(element("label", {}, input, " " + label));
    input.addEventListener("change", () => this.update());
    return input;
  }
  choose(label, options, chosen) {
    const select = element("select", {}, ...options.map((text, k) =>
        element("option", {value: String(k), selected: k === chosen}, text)));
    this.controls.append(element("label", {}, label + " ", select));
    select.addEventListener("change", () => this.update());
    return select;
  }
  slide(label, most, text) {
    const output = element("output", {}), input = element("input",
        {type: "range", min: 0, max: most, value: most >> 1});
    const tell = () => { output.textContent = " " + text(Number(input.value)); };
    this.controls.append(element("label", {}, label + " ", input, output));
    input.addEventListener("input", () => { tell(); this.update(); });
    tell();
    return input;
  }
  /* The arrow keys up and down go from point to point of `readings`, which draw() sets: their texts are shown as under
   * the pointer, and read aloud by screen readers. */
  isRead() {
    this.spoken = element("p", {className: "note", "aria-live": "polite"});
    this.after.append(this.spoken);
    this.plot.setAttribute("aria-label", `${this.caption.textContent}. Keys: up and down go from row to row, left and `
      + "right move, + and - zoom, 0 resets.");
  }
  read(step) {
    const count = this.readings.length, at = this.reading === undefined ? (step > 0 ? 0 : count - 1)
        : Math.min(Math.max(this.reading + step, 0), count - 1);
    if (!count) return;
    this.reading = at;
    const {text, curve, point} = this.readings[at];
    this.spoken.textContent = text;
    Plotly.Fx.hover(this.plot, [{curveNumber: curve, pointNumber: point}]);
  }
  note(text) { this.after.append(element("p", {className: "note"}, text)); }
  /* Long titles in several lines, and less around the figure where there is little room. */
  fit(data, layout) {
    const width = this.plot.clientWidth || 1000, height = this.plot.clientHeight || 430, narrow = width < 500;
    if (narrow) {
      layout.font.size = 12;
      if (layout.xaxis) Object.assign(layout.margin, {l: 44, r: 34});
      if (layout.legend) Object.assign(layout.legend, {maxheight: 0.2, font: {size: 11}});
    }
    for (const [axis, room] of [[layout.xaxis, width - 100], [layout.yaxis, height - 110],
        ...data.map(d => [d.colorbar, height - 120])])
      if (axis && axis.title) axis.title.text = broken(axis.title.text, room / 7);
  }
  update(printing) {
    if ((!this.drawn && !printing) || this.failed) return;
    this.drawn = true;
    try {
      const {data, layout} = this.draw(theme());
      this.fit(data, layout);
      this.keepRanges(layout);
      Object.assign(layout, this.size());
      return Plotly.react(this.plot, data, layout, CONFIG).catch(failure => this.fail(failure));
    } catch (failure) {
      this.fail(failure);
    }
  }
  /* The place for the figure, nothing if it is not shown. */
  size() {
    const box = this.plot.getBoundingClientRect(), [width, height] = [Math.floor(box.width), Math.floor(box.height)];
    return width > 0 && height > 0 ? {width, height} : {};
  }
  /* What is zoomed stays so as long as an axis shows the same, which its `uirevision` states. */
  keepRanges(layout) {
    for (const name of ["xaxis", "yaxis", "yaxis2"]) {
      const before = this.plot._fullLayout && this.plot._fullLayout[name], now = layout[name];
      if (!before || !now || before.autorange || before.uirevision !== (now.uirevision || layout.uirevision)) continue;
      Object.assign(now, {range: [...before.range], autorange: false});
    }
  }
  show() { this.drawn = true; return this.update(); }
  /* Views in space are drawn when the browser draws its next picture, which is too late for paper: they are drawn at
   * once, and copied, since what WebGL draws is gone afterwards. */
  copyForPaper() {
    for (const copy of this.plot.querySelectorAll(".copy")) copy.remove();
    const scene = this.plot._fullLayout && this.plot._fullLayout.scene;
    const view = scene && scene._scene && scene._scene.glplot;
    if (!onPaper || !view) return;
    view.redraw();
    const from = view.gl.canvas, box = from.getBoundingClientRect(), outer = this.plot.getBoundingClientRect();
    const copy = element("canvas", {className: "copy", width: from.width, height: from.height});
    copy.getContext("2d").drawImage(from, 0, 0);
    Object.assign(copy.style, {left: `${box.left - outer.left}px`, top: `${box.top - outer.top}px`,
      width: `${box.width}px`, height: `${box.height}px`});
    this.plot.append(copy);
  }
  fail(failure) {
    if (this.failed) return;
    this.failed = true;
    this.after.prepend(element("p", {className: "problem"}, `This figure could not be drawn: ${failure.message}`));
  }
  key(event) {
    const layout = this.plot._fullLayout;
    if (!layout || event.ctrlKey || event.altKey || event.metaKey) return;
    const moves = {ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1]};
    const zoom = {"+": 0.8, "=": 0.8, "-": 1.25}[event.key], move = moves[event.key];
    if (event.key === "0" || event.key === "Escape") {
      event.preventDefault();
      if (layout.scene) Plotly.relayout(this.plot, {"scene.camera.eye": {...FROM},
          "scene.camera.center": {x: 0, y: 0, z: 0}});
      else Plotly.relayout(this.plot, {"xaxis.autorange": true, "yaxis.autorange": true,
          ...(layout.yaxis2 ? {"yaxis2.autorange": true} : {})});
      return;
    }
    if (this.readings && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      event.preventDefault();
      this.read(event.key === "ArrowDown" ? 1 : -1);
      return;
    }
    if (zoom === undefined && move === undefined) return;
    event.preventDefault();
    if (layout.scene) {
      const eye = layout.scene.camera.eye, flat = Math.hypot(eye.x, eye.y);
      const turn = Math.atan2(eye.y, eye.x) + (move ? move[0] * 2 : 0), scale = zoom || 1;
      Plotly.relayout(this.plot, {"scene.camera.eye": {x: scale * flat * Math.cos(turn),
          y: scale * flat * Math.sin(turn), z: scale * eye.z + (move ? move[1] * 4 : 0)}});
      return;
    }
    const change = {};
    for (const [k, name] of ["xaxis", "yaxis"].entries()) {
      const [low, high] = layout[name].range, half = 0.5 * (high - low) * (zoom || 1);
      const middle = 0.5 * (low + high) + (move ? move[k] * (high - low) : 0);
      change[name + ".range"] = [middle - half, middle + half];
    }
    Plotly.relayout(this.plot, change);
  }
}

function valuesDetails(figure, name, columns) {
  const details = element("details", {}, element("summary", {}, "Values"));
  const count = columns.reduce((most, c) => Math.max(most, c.values.length), 0),
      head = columns.map(c => withUnit(c.name, c.unit));
  const quote = text => /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  details.addEventListener("toggle", () => {
    if (!details.open || details.childElementCount > 1) return;
    const rows = [];
    for (let k = 0; k < Math.min(count, MOST_ROWS); ++k)
      rows.push(columns.map(c => typeof c.values[k] === "string" ? c.values[k] : show(c.values[k], c.digits || 8)));
    const button = element("button", {type: "button"}, "Save as CSV");
    button.addEventListener("click", () => {
      const lines = [head.map(quote).join(",")];
      const cell = value => typeof value === "string" ? quote(value) : String(value);
      for (let k = 0; k < count; ++k) lines.push(columns.map(c => cell(c.values[k])).join(","));
      download(name + ".csv", lines.join("\n") + "\n");
    });
    details.append(button, table(head, rows));
    if (count > MOST_ROWS) details.append(element("p", {className: "note"},
        `The first ${MOST_ROWS} of ${count} rows; the CSV file has all.`));
  });
  figure.after.append(details);
}

function noteReduced(figure, item, averaged = true) {
  if (!item.shape || String(item.shape) === String(item.sizes)) return;
  const each = item.sizes.map((n, k) => Math.ceil(n / item.shape[k])), from = item.sizes.join(" × "),
      to = item.shape.join(" × ");
  if (item.cut) figure.note(`The first ${item.shape[0]} of ${item.sizes[0]} rows.`);
  else figure.note(item.thinned || !averaged
      ? `Reduced from ${from} to ${to} numbers: one of every ${each.join(" × ")}.`
    : `Reduced from ${from} to ${to} numbers: means of ${each.join(" × ")} neighbors.`);
}
