// Rows of C in typed arrays, and the table that shows them: only the lines that are seen exist.

/// {width, packed}: base64 of zlib of the bytes of numbers, the lowest bytes of all first; becomes a typed array.
async function unpacked({width, packed}, n) {
  const text = atob(packed), zipped = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) zipped[i] = text.charCodeAt(i);
  const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream("deflate"));
  const planes = new Uint8Array(await new Response(stream).arrayBuffer());
  const out = new {1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: Float64Array}[width](n);
  if (width === 1) return planes;
  for (let b = width - 1; b >= 0; b--)
    for (let i = 0, at = b * n; i < n; i++, at++) out[i] = out[i] * 256 + planes[at];
  return out;
}

/// Indices of rows that all words of a search let through; null for all rows. A number is a row, nprod>100 compares a
/// column, other words are looked for in what the bin is called and what it is chosen for it.
function found(text, first, n, columns, binWords) {
  const tests = [];
  for (const word of text.toLowerCase().match(/[a-z_0-9-]+\s*[<>]=?\s*[\d.,]+|[a-z_]\w*\s*=\s*[\d.,]+|\S+/g) || []) {
    const [, name, how, number] = word.match(/^([a-z_]\w*)\s*(<=|>=|<|>|=)\s*([\d.,]+)$/) || [];
    if (name && (columns[name] || name === "row")) {
      const limit = Number(number.replaceAll(",", "")), column = columns[name];
      const of = name === "row" ? (i) => first + i : (i) => column[i];
      tests.push({"<": (i) => of(i) < limit, ">": (i) => of(i) > limit, "<=": (i) => of(i) <= limit,
        ">=": (i) => of(i) >= limit, "=": (i) => of(i) === limit}[how]);
    } else if (/^[\d,]+$/.test(word)) {
      const row = Number(word.replaceAll(",", "")) - first;
      tests.push((i) => i === row);
    } else {
      const has = binWords.map((w) => w.includes(word));
      tests.push((i) => has[columns.bin[i]]);
    }
  }
  if (!tests.length) return null;
  const out = new Uint32Array(n);
  let k = 0;
  for (let i = 0; i < n; i++) if (tests.every((t) => t(i))) out[k++] = i;
  return out.slice(0, k);
}

/// 0, 1, ... n - 1; loops, because from() takes ten times as long for a million.
function upTo(n) {
  const out = new Uint32Array(n);
  for (let i = 0; i < n; i++) out[i] = i;
  return out;
}

/// Indices in the order of a column. A number and its index go into one double, which typed arrays sort quickly.
function sorted(indices, n, column, falling) {
  const all = indices || upTo(n), step = 2 ** Math.ceil(Math.log2(n + 1));
  let most = 0;
  for (let k = 0; k < all.length; k++) if (column[all[k]] > most) most = column[all[k]];
  let out;
  if (most * step < 2 ** 53) {
    const keys = new Float64Array(all.length);
    for (let k = 0; k < all.length; k++) keys[k] = (falling ? most - column[all[k]] : column[all[k]]) * step + all[k];
    keys.sort();
    out = new Uint32Array(all.length);
    for (let k = 0; k < all.length; k++) out[k] = keys[k] % step;
  } else {
    out = Uint32Array.from(all).sort((a, b) => (falling ? column[b] - column[a] : column[a] - column[b]) || a - b);
  }
  return out;
}

/// The table. fields: {name, title, about, word?, of(i): text, key: typed array}; `chosen(i)` is called for a click.
class RowTable {
  static kLine = 26;
  static kTallest = 8e6; // pixels: browsers stop at twice that and more; beyond, the bar's way stands for all rows

  constructor(n, fields, chosen) {
    Object.assign(this, {n, fields, chosen, order: null, filter: null, top: 0, lines: [], picked: -1, by: null, falling: false});
    this.head = el("div.head", fields.map((f) => el("button" + (f.word ? ".word" : ""), f.title,
      {type: "button", title: f.about, onclick: () => this.sortBy(f)})));
    this.pane = el("div.pane");
    this.space = el("div");
    this.box = el("div.rows", {tabindex: "0", role: "grid", "aria-label": "rows of C", "aria-rowcount": String(n)},
      this.head, this.pane, this.space);
    this.box.addEventListener("scroll", () => this.scrolled());
    this.box.addEventListener("wheel", (e) => this.wheeled(e), {passive: false});
    this.box.addEventListener("keydown", (e) => this.key(e));
    new ResizeObserver(() => this.draw()).observe(this.box);
  }
  get size() { return this.order ? this.order.length : this.n; }
  get seen() { return Math.max(1, (this.box.clientHeight - 31) / RowTable.kLine); }
  get most() { return Math.max(0, this.size - this.seen); }
  at(place) { return this.order ? this.order[place] : place; }

  show() { // after another order or search
    this.space.style.height = Math.min(this.size * RowTable.kLine, RowTable.kTallest) + "px";
    this.go(0);
  }
  /// Place `place` becomes the first line.
  go(place) {
    this.top = Math.min(Math.max(0, place), this.most);
    const way = this.box.scrollHeight - this.box.clientHeight;
    this.box.scrollTop = this.most ? (this.top / this.most) * way : 0;
    this.set = this.box.scrollTop;
    this.draw();
  }
  scrolled() {
    if (Math.abs(this.box.scrollTop - this.set) < 1) return; // by go()
    const way = this.box.scrollHeight - this.box.clientHeight;
    this.set = this.box.scrollTop;
    this.top = way > 0 ? (this.box.scrollTop / way) * this.most : 0;
    this.draw();
  }
  wheeled(e) {
    if (this.size * RowTable.kLine <= RowTable.kTallest || Math.abs(e.deltaX) > Math.abs(e.deltaY)) return;
    e.preventDefault();
    this.go(this.top + (e.deltaMode === 1 ? e.deltaY : e.deltaY / RowTable.kLine));
  }
  key(e) {
    const by = {ArrowDown: 1, ArrowUp: -1, PageDown: Math.floor(this.seen), PageUp: -Math.floor(this.seen)}[e.key];
    if (!by || e.target !== this.box) return;
    e.preventDefault();
    if (Math.abs(by) > 1) return this.go(this.top + by);
    const place = Math.min(Math.max(0, this.placeOf(this.picked) + by), this.size - 1);
    this.pick(this.at(place));
    this.chosen(this.picked);
  }
  placeOf(i) { return this.order ? this.order.indexOf(i) : i; }
  pick(i) {
    this.picked = i;
    const place = this.placeOf(i);
    if (place >= 0 && (place < this.top || place > this.top + this.seen - 2)) this.go(place - Math.floor(this.seen / 2));
    else this.draw();
  }
  sortBy(field) { // rising, falling, as the rows are
    if (this.by !== field) Object.assign(this, {by: field, falling: false});
    else if (!this.falling) this.falling = true;
    else Object.assign(this, {by: null, falling: false});
    this.arrange();
  }
  search(filter) {
    this.filter = filter;
    this.arrange();
  }
  arrange() {
    this.order = this.by ? sorted(this.filter, this.n, this.by.key, this.falling) : this.filter;
    this.fields.forEach((f, k) => {
      const button = this.head.children[k], on = f === this.by;
      button.textContent = f.title + (on ? (this.falling ? " ▼" : " ▲") : "");
      button.setAttribute("aria-sort", on ? (this.falling ? "descending" : "ascending") : "none");
    });
    this.show();
  }
  draw() {
    const first = Math.floor(this.top), need = Math.min(Math.ceil(this.seen) + 1, this.size - first);
    while (this.lines.length < need) {
      const line = el("div.line", {role: "row"}, this.fields.map((f) => el("div" + (f.word ? ".word" : ""))));
      line.addEventListener("click", () => { this.pick(line.index); this.chosen(line.index); });
      this.lines.push(line);
      this.pane.append(line);
    }
    this.lines.forEach((line, k) => {
      line.hidden = k >= need;
      line.style.display = line.hidden ? "none" : "";
      if (line.hidden) return;
      const i = (line.index = this.at(first + k));
      line.classList.toggle("pick", i === this.picked);
      this.fields.forEach((f, c) => { line.children[c].replaceChildren(f.of(i)); });
    });
    this.pane.style.transform = `translateY(${-(this.top - first) * RowTable.kLine}px)`;
  }
}
