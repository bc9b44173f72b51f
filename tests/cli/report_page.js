/* The script of a report, run without a browser: what it needs of one is replaced by elements that only keep their
 * children. load() reads a page and returns the named functions and values of its script; plotly.js is not there, so
 * figures are what their draw() returns. */
const fs = require("fs"), vm = require("vm");

class Element {
  constructor(tag) {
    Object.assign(this, {tag, id: "", className: "", type: "", value: "", checked: false, selected: false, open: false,
      href: "", download: "", tabIndex: -1, title: "", min: 0, max: 0, clientWidth: 1000, clientHeight: 430,
      children: [], attributes: {}, listeners: {}, dataset: {}, style: {setProperty() {}}, classList: {toggle() {}}});
  }
  get textContent() { return this.children.map(c => typeof c === "string" ? c : c.textContent).join(""); }
  set textContent(text) { this.children = [String(text)]; }
  get childElementCount() { return this.children.filter(c => c instanceof Element).length; }
  append(...children) {
    for (const child of children) if (child instanceof Element) child.parentNode = this;
    this.children.push(...children);
    /* a list of choices has the value of the one that is selected */
    if (this.tag === "select") for (const child of children) if (child.selected) this.value = child.value;
  }
  prepend(...children) { this.children.unshift(...children); }
  remove() { this.parentNode.children.splice(this.parentNode.children.indexOf(this), 1); }
  setAttribute(name, value) { this.attributes[name] = value; }
  addEventListener(name, act) { this.listeners[name] = act; }
  closest() { return null; }
  /* All elements below with a tag, in the page's order. */
  all(tag) {
    return this.children.filter(c => c instanceof Element).flatMap(c => [...c.tag === tag ? [c] : [], ...c.all(tag)]);
  }
}

function load(path, names) {
  const page = fs.readFileSync(path, "utf8"), start = page.indexOf('id="data">') + 10;
  const main = new Element("main"), root = new Element("html"), data = new Element("script");
  data.textContent = page.slice(start, page.indexOf("</script>", start));
  const script = page.slice(page.indexOf("(() => {", page.lastIndexOf("<script>")) + 8, page.lastIndexOf("start();"));
  const document = {documentElement: root, getElementById: id => id === "main" ? main : data,
    createElement: tag => new Element(tag)};
  const style = {getPropertyValue: () => "#000000"};
  const context = {document, window: {addEventListener() {}}, atob, console,
    matchMedia: () => ({matches: false, addEventListener() {}}), getComputedStyle: () => style,
    ResizeObserver: class { observe() {} }};
  const found = vm.runInNewContext(`"use strict"; (() => {${script}; return {${names.join(", ")}}; })()`, context);
  return {...found, page, main};
}

module.exports = {load, Element};
