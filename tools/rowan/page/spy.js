// Where a matrix has entries, coloured by what takes their rows: cells of several rows and columns where it is large.
class Spy {
  /// {cells_down, cells_across, rows, cols}; who: index of a candidate by cell, 255 where it is empty; how: 1 to 255.
  constructor(name, shape, who, how, colours, {hover, click}) {
    Object.assign(this, {shape, who, how, colours});
    this.canvas = el("canvas", {width: shape.cells_across, height: shape.cells_down, role: "img",
      "aria-label": `where ${name} has entries, by accumulator`});
    const wide = Math.min(4, Math.max(0.25, shape.cols / Math.max(1, shape.rows)));
    this.canvas.style.aspectRatio = String(wide);
    this.canvas.style.maxWidth = `${520 * wide}px`; // by the width: a limit of the height would stretch it
    const per = Math.ceil(shape.rows / Math.max(1, shape.cells_down));
    this.figure = el("figure.spy", this.canvas, el("figcaption", `${name}: ${count(shape.rows)} × ${count(shape.cols)}, ` +
      `${plural(shape.nnz, "entry", "entries")}` + (per > 1 ? `; a cell is about ${count(shape.rows / shape.cells_down)} × ` +
      `${count(shape.cols / shape.cells_across)}` : "")));
    const cell = (e) => {
      const box = this.canvas.getBoundingClientRect();
      const down = Math.floor(((e.clientY - box.top) / box.height) * shape.cells_down);
      const across = Math.floor(((e.clientX - box.left) / box.width) * shape.cells_across);
      return [Math.min(Math.max(0, down), shape.cells_down - 1), Math.min(Math.max(0, across), shape.cells_across - 1)];
    };
    const range = (k, cells, all) => [Math.ceil((k * all) / cells), Math.ceil(((k + 1) * all) / cells) - 1];
    this.canvas.addEventListener("mousemove", (e) => {
      const [down, across] = cell(e), rows = range(down, shape.cells_down, shape.rows), cols = range(across, shape.cells_across, shape.cols);
      const of = this.who[down * shape.cells_across + across];
      const words = ([a, b]) => (a >= b ? count(a) : `${count(a)} to ${count(b)}`);
      hover(`${name}: rows ${words(rows)}, columns ${words(cols)}` + (of === 255 ? ", empty" : ", mostly " + Object.keys(colours)[of]));
    });
    this.canvas.addEventListener("mouseleave", () => hover(""));
    this.canvas.addEventListener("click", (e) => click(range(cell(e)[0], shape.cells_down, shape.rows)[0]));
    this.draw(null);
  }
  draw(only) {
    const {cells_across: w, cells_down: h} = this.shape;
    if (!w || !h) return;
    const pen = this.canvas.getContext("2d"), image = pen.createImageData(w, h);
    const rgb = Object.values(this.colours).map((c) => [1, 3, 5].map((k) => parseInt(c.slice(k, k + 2), 16)));
    for (let i = 0; i < w * h; i++) {
      const who = this.who[i];
      if (who === 255) continue;
      image.data.set(rgb[who], 4 * i);
      image.data[4 * i + 3] = (only === null || only === who ? 1 : 0.1) * (95 + (160 * this.how[i]) / 255);
    }
    pen.putImageData(image, 0, 0);
  }
}
