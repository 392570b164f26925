"use strict";
// What all pages share: elements, numbers with their units, light and dark.
const data = JSON.parse(document.getElementById("data").textContent);
const page = document.getElementById("page");
page.replaceChildren();

/// el("p.note", "text", child, {title: "..."}): an element with classes; text is text, never markup.
function el(what, ...parts) {
  const [tag, ...classes] = what.split(".");
  const e = document.createElement(tag);
  if (classes.length) e.className = classes.join(" ");
  for (const part of parts.flat()) {
    if (part === null || part === undefined || part === false) continue;
    if (typeof part === "object" && !(part instanceof Node)) {
      for (const [key, value] of Object.entries(part)) {
        if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
        else if (key === "style") e.style.cssText = value;
        else e.setAttribute(key, value);
      }
    } else e.append(part);
  }
  return e;
}

/// A heading, words about it, and what follows, at the end of the page.
function section(title, about, ...parts) {
  const s = el("section", el("h2", title), about && el("p.note", about), ...parts);
  page.append(s);
  return s;
}

const figure = (number, what) => el("div.figure", el("b", number), el("span", what));

// numbers
const count = (n) => (n === null || n === undefined ? "–" : Math.round(n).toLocaleString("en-US"));
const fixed = (x, digits = 2) => (x === null || x === undefined ? "–"
  : x.toLocaleString("en-US", {minimumFractionDigits: digits, maximumFractionDigits: digits}));
const times = (x, digits = 2) => (x === null || x === undefined ? "–" : fixed(x, digits) + "×");
const percent = (share, digits = 1) => fixed(100 * share, digits) + " %";
function short(x) { // an axis' label
  if (x === 0) return "0";
  const size = Math.abs(x);
  for (const [unit, letter] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e4, "k"]])
    if (size >= unit) return parseFloat((x / (unit === 1e4 ? 1e3 : unit)).toPrecision(3)) + " " + letter;
  return String(parseFloat(x.toPrecision(3)));
}
function seconds(s) {
  if (s === null || s === undefined) return "–";
  if (s < 1e-3) return parseFloat((s * 1e6).toPrecision(3)) + " µs";
  if (s < 1) return parseFloat((s * 1e3).toPrecision(3)) + " ms";
  return (s < 100 ? parseFloat(s.toPrecision(3)) : count(s)) + " s";
}
const plural = (n, one, many) => count(n) + " " + (n === 1 ? one : many || one + "s");

/// columns: {title, of(row), word?, long?, class?(row)}; row: {pick?, class?, on?}.
function table(columns, rows, rowOf = () => ({})) {
  const kind = (c) => (c.long ? ".long" : c.word ? ".word" : "");
  const head = el("tr", columns.map((c) => el("th" + kind(c), c.title, {scope: "col", ...(c.about && {title: c.about})})));
  const body = rows.map((r) => {
    const {name, on, title} = rowOf(r);
    const tr = el("tr" + (name ? "." + name : ""), title && {title});
    for (const c of columns) {
      const more = c.name && c.name(r);
      tr.append(el("td" + kind(c) + (more ? "." + more : ""), c.of(r) ?? "–", c.tip && c.tip(r) && {title: c.tip(r)}));
    }
    if (on) {
      tr.tabIndex = 0;
      tr.addEventListener("click", on);
      tr.addEventListener("keydown", (e) => { if (e.key === "Enter") on(e); });
    }
    return tr;
  });
  return el("div.scroll", el("table.data", el("thead", head), el("tbody", body)));
}

// light and dark: as the system has it, until the button is pressed
const root = document.documentElement;
const isDark = () => root.dataset.theme === "dark" ||
  (!root.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
const css = (name) => getComputedStyle(root).getPropertyValue(name).trim();
function changed() { window.dispatchEvent(new Event("theme")); }
document.getElementById("theme").addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  changed();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
