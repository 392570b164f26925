// rowan inspect as a page: what was chosen for which rows, and why.
const why = data.inspection, bins = why.bins;
const colour = (name) => data.colours[name] || "#64748b";
const swatch = (name) => el("span.swatch", {style: `background:${colour(name)}`});
const named = (name) => el("span", swatch(name), name);
const sum = (list, of) => list.reduce((s, x) => s + of(x), 0);
const chosenIn = (bin) => bin.candidates.find((c) => c.name === bin.candidate) || {};
const measured = bins.some((b) => b.candidates.some((c) => c.seconds));
const predicted = bins.some((b) => b.candidates.some((c) => c.predicted));
const used = new Set(bins.filter((b) => b.nprod).map((b) => b.candidate)).size;
const fastest = (bin) => Math.min(...bin.candidates.filter((c) => c.seconds).map((c) => c.seconds));

document.title = `${data.name}: why`;
page.append(el("h1", `${data.name}: which accumulator, and why`),
  el("p.note", `Policy ${why.policy} (${why.policy_kind}); ` +
    (why.binned ? "rows in bins" : why.sampled ? "all rows alike, by a sample of them" : "all rows alike") +
    `; ${why.method === "one_phase" ? "one phase" : "two phases"}${why.method_reason ? ` (${why.method_reason})` : ""}` +
    `${why.device ? `; on the device ${why.device}` : ""}${why.place_reason ? `; ${why.place_reason}` : ""}.`));
if (why.small_product) page.append(el("p.verdict", "A product as small as this is multiplied without choosing: below is what the policy would choose."));
page.append(el("div.figures",
  figure(`${count(why.rows_total)} × ${count(why.cols)}`, "rows and columns of C"),
  figure(count(why.nnz), "entries of C"), figure(count(why.nprod), "products"),
  figure(why.nnz ? fixed(why.nprod / why.nnz) : "–", "products for each entry (compression ratio)"),
  figure(count(used), `accumulator${used === 1 ? "" : "s"} in ${plural(bins.length, "bin")}`),
  data.done && figure(seconds(data.done.seconds.total), `the product, ${plural(data.done.threads, "thread")}${data.done.device ? ", on the device" : ""}`),
  why.regret && figure(times(why.regret, 3), "regret: time with these choices over the best of each bin, measured")));

// pictures
const keys = el("ul.keys", {"aria-label": "accumulators"}), status = el("div.status"), pictures = el("div.pair");
section("Where A and C have entries", "Coloured by the accumulator that takes the row of C; darker where there are more. " +
  "Press a name to see it alone; press a picture to see that row.", keys, pictures, status);
const spies = [];
async function addSpy(name, shape) {
  const n = shape.cells_down * shape.cells_across;
  const [who, how] = await Promise.all([unpacked(shape.kinds, n), unpacked(shape.amounts, n)]);
  const spy = new Spy(name, shape, who, how, data.colours, {hover: (text) => (status.textContent = text), click: (row) => goTo(row - data.rows.first)});
  spies.push(spy);
  return spy.figure;
}
let alone = null;
for (const name of Object.keys(data.colours)) {
  const its = bins.filter((b) => b.candidate === name), rows = sum(its, (b) => b.rows);
  if (!rows) continue;
  const button = el("button", named(name), ` ${plural(rows, "row")}`, {type: "button", "aria-pressed": "false"});
  button.addEventListener("click", () => {
    const index = Object.keys(data.colours).indexOf(name);
    alone = alone === index ? null : index;
    for (const b of keys.querySelectorAll("button")) b.setAttribute("aria-pressed", String(b === button && alone !== null));
    spies.forEach((s) => s.draw(alone));
  });
  keys.append(el("li", button));
}

// bins
const all = {rows: why.rows_total || 1, nprod: why.nprod || 1, nnz: why.nnz || 1, seconds: sum(bins, (b) => chosenIn(b).seconds || 0)};
const binNames = bins.map((b, i) => `${i}  ${b.label}`);
const share = (b, key) => b[key] / all[key];
const binChart = el("div"), binTable = el("div");
section("Bins", "A bin is rows of C that are alike and share one decision. Press one for its reasons." +
  (predicted ? " Predicted time: of the chosen accumulator, over the one that is predicted fastest." : "") +
  (measured ? " Measured time: on one thread, as a part of the whole product." : ""), binChart, binTable);
byLabel(binChart, {label: "bins: shares of rows, products, entries" + (measured ? " and time" : ""), labels: binNames,
  series: [{name: "rows", colour: "#64748b", values: bins.map((b) => share(b, "rows"))},
    {name: "products", colour: "--rowan", values: bins.map((b) => share(b, "nprod"))},
    ...(measured ? [{name: "measured time", colour: "#2f6fde", values: bins.map((b) => (chosenIn(b).seconds || 0) / (all.seconds || 1))}] : [])],
  format: (x) => parseFloat((100 * x).toPrecision(3)) + " %", title: "share of the whole product", on: (i) => showBin(i)});
if (bins.some((b) => chosenIn(b).predicted))
  byLabel(binChart, {label: "bins: predicted time over the fastest's", labels: binNames,
    series: [{name: "predicted time of the chosen over the fastest's", colour: "#8b5cf6", values: bins.map((b) => chosenIn(b).predicted || null)}],
    format: (x) => parseFloat(x.toPrecision(3)) + "×", title: "predicted time over the fastest's", at: 1, on: (i) => showBin(i)});
function drawBins(picked) {
  binTable.replaceChildren(table([
    {title: "bin", word: true, of: (b) => `${b.index}  ${b.label}`}, {title: "accumulator", word: true, of: (b) => named(b.candidate)},
    {title: "rows", of: (b) => count(b.rows)}, {title: "products", of: (b) => count(b.nprod)}, {title: "entries", of: (b) => count(b.nnz)},
    bins.some((b) => b.requested !== b.candidate) && {title: "requested", word: true, of: (b) => (b.requested === b.candidate ? "" : b.requested)},
    why.device && {title: "lanes", about: "that walk one row of B", of: (b) => count(b.group_size)},
    predicted && {title: "predicted", of: (b) => times(chosenIn(b).predicted)},
    measured && {title: "measured", of: (b) => seconds(chosenIn(b).seconds)},
    measured && {title: "regret", name: (b) => (chosenIn(b).seconds > 1.05 * fastest(b) ? "bad" : ""),
      of: (b) => (chosenIn(b).seconds ? times(chosenIn(b).seconds / fastest(b)) : "–")},
    {title: "note", long: true, of: (b) => [...(b.requested !== b.candidate ? b.why.slice(-1) : b.nprod ? [] : b.why), ...(b.how || [])].join(", ")},
  ].filter(Boolean), bins, (b) => ({name: b.index === picked ? "pick" : "", on: () => showBin(b.index)})));
}

const featureTable = (features) => el("div.features", table([{title: "feature", word: true, of: ([k]) => k}, {title: "value", of: ([, v]) => number(v)},
  {title: "meaning", long: true, of: ([k]) => data.meanings[k] || ""}], Object.entries(features)));

// rows
const rowsBox = el("div"), search = el("input", {type: "search", placeholder: "row number, hash, nprod > 1000, wide …", "aria-label": "search rows"});
const matches = el("span.status");
section("Rows", data.rows.count < why.rows_total
  ? `Rows ${count(data.rows.first)} to ${count(data.rows.first + data.rows.count - 1)} of ${count(why.rows_total)}; --rows takes others.`
  : "Press a heading to sort, a row for its reasons. Searched for: a row's number, an accumulator, words of a bin, or a comparison such as nnz > 500.",
  el("div.tools", search, matches), rowsBox);

// one row
const whyTitle = el("h3"), costs = el("div"), treeBox = el("div"), facts = el("div");
section("Why", null, whyTitle, facts, el("div.pair", costs, treeBox));
let rowTable = null, columns = {};
function showBin(index, row) {
  const bin = bins[index];
  drawBins(index);
  whyTitle.replaceChildren(row === undefined ? `Bin ${index}, ${bin.label}: ` : `Row ${count(row)}, in bin ${index}, ${bin.label}: `, named(bin.candidate));
  const compared = bin.why.filter((w) => / (<|>=) /.test(w)), scores = bin.why.filter((w) => / -?[\d.e+-]+$/.test(w) && !compared.includes(w));
  const words = [...bin.why.filter((w) => !compared.includes(w) && !scores.includes(w)), ...(bin.how || [])];
  const line = (title, list) => list.length > 0 && el("p", title && el("b", title), list.join(", ") + ".");
  facts.replaceChildren(...[line("The best scores, the least is chosen: ", scores),
    line("The features that led there: ", compared.map((w) => w.replace(/-?\d[\d.e+-]*/g, (x) => number(parseFloat(x))).replace(">=", "≥"))),
    line("Note: ", words), line("Requested: ", bin.requested !== bin.candidate ? [bin.requested] : []),
    why.sampled && line("", ["Features are of a sample of rows, and nprod_max is an upper bound"])].filter(Boolean));
  showCosts(bin, bin.candidate);
  showTree(bin, bin.candidate);
}
function showCosts(bin, picked) {
  const d = data.decision, has = (c) => c.feasible || c.name === picked || (d && scoreOf(d, c.name, bin.features));
  const least = fastest(bin);
  costs.replaceChildren(el("h3", "What each accumulator would cost"));
  if (bin.candidates.some((c) => c.predicted || c.seconds)) {
    const some = bin.candidates.filter((c) => c.predicted || c.seconds);
    byLabel(costs, {label: "predicted and measured cost of each accumulator", labels: some.map((c) => c.name), log: true, at: 1,
      series: [some.some((c) => c.predicted) && {name: "predicted", colour: "#8b5cf6", values: some.map((c) => c.predicted)},
        some.some((c) => c.seconds) && {name: "measured", colour: "#2f6fde", values: some.map((c) => (c.seconds ? c.seconds / least : null))}].filter(Boolean),
      format: (x) => parseFloat(x.toPrecision(3)) + "×", title: "time over the fastest's"});
  }
  costs.append(table([
    {title: "accumulator", word: true, of: (c) => named(c.name)},
    {title: "", word: true, of: (c) => (c.name === bin.candidate ? "chosen" : c.feasible ? "" : "cannot take them")},
    d && d.scored && {title: "score", about: "the least is chosen", of: (c) => { const s = scoreOf(d, c.name, bin.features); return s === null ? "–" : fixed(s, 3); }},
    predicted && {title: "predicted", of: (c) => times(c.predicted)},
    measured && {title: "measured", of: (c) => seconds(c.seconds)},
  ].filter(Boolean), bin.candidates.filter(has), (c) => ({name: c.name === picked ? "pick" : "", on: () => { showCosts(bin, c.name); showTree(bin, c.name); }})));
}
function showTree(bin, name) {
  const d = data.decision;
  treeBox.replaceChildren(el("h3", d && d.scored ? `The tree of ${name}, decision ${d.name}` : "The way through the policy"));
  if (!d) treeBox.append(el("p.note", data.decision_missing));
  else {
    if (d.scored) treeBox.append(el("p.note", "Leaves are scores; of all accumulators that can take the rows the least score is chosen. Press another accumulator for its tree."));
    treeBox.append(...drawTrees(d, name, bin.features));
  }
  treeBox.append(el("details", el("summary", "features of the bin"), featureTable(bin.features)));
}
function goTo(index) {
  if (!rowTable || index < 0 || index >= data.rows.count) return;
  if (rowTable.filter && rowTable.placeOf(index) < 0) { search.value = ""; rowTable.search(null); matches.textContent = ""; }
  rowTable.pick(index);
  chooseRow(index);
}
const chooseRow = (i) => showBin(columns.bin[i], data.rows.first + i);

async function start() {
  pictures.append(await addSpy("A", data.spy.a));
  if (data.spy.c) pictures.append(await addSpy("C", data.spy.c));
  else pictures.append(el("p.note", data.done_missing));
  const n = data.rows.count;
  for (const c of data.rows.columns) columns[c.name] = await unpacked(c, n);
  const byName = (list) => { // places of bins when their names are sorted, by row
    const order = [...new Set(list)].sort(), at = list.map((x) => order.indexOf(x));
    return Uint32Array.from(columns.bin, (b) => at[b]);
  };
  const field = (name, title, about) => ({name, title, about, key: columns[name], of: (i) => count(columns[name][i])});
  const fields = [
    {name: "row", title: "row", about: "of C, and of A", get key() { return upTo(n); }, of: (i) => count(data.rows.first + i)},
    {name: "candidate", title: "accumulator", about: "what takes the row", word: true, get key() { return byName(bins.map((b) => b.candidate)); },
      of: (i) => named(bins[columns.bin[i]].candidate)},
    {name: "bin", title: "bin", about: "its number", key: columns.bin, of: (i) => String(columns.bin[i])},
    {name: "label", title: "of the bin", about: "which rows are in it", word: true, get key() { return byName(bins.map((b) => b.label)); },
      of: (i) => bins[columns.bin[i]].label},
    field("a_nnz", "A's nnz", "entries of A's row"), field("nprod", "products", "of the row: nprod"),
    field("nnz", "entries", "of C's row: nnz"), field("span", "span", "columns from the first to the last"),
    field("b_row_max", "B's most", "entries of the longest row of B that it meets: b_row_max"),
    field("run", "run", "rows from here on with the same pattern"), field("shift", "shift", "rows from here on, each the one before moved by one column")];
  rowTable = new RowTable(n, fields, chooseRow);
  rowsBox.append(rowTable.box);
  rowTable.show();
  const words = bins.map((b) => `${b.accumulator} ${b.candidate} ${b.label}`.toLowerCase());
  let waiting = 0;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      const filter = found(search.value, data.rows.first, n, columns, words);
      rowTable.search(filter);
      matches.textContent = filter ? plural(filter.length, "row") : "";
    }, 120);
  });
  let heaviest = 0;
  for (let i = 0; i < n; i++) if (columns.nprod[i] > columns.nprod[heaviest]) heaviest = i;
  if (n) goTo(heaviest);
  root.dataset.ready = "yes";
}
drawBins(-1);

// several devices
if (why.shares) {
  const box = el("div"), labels = why.shares.map((s) => `device ${s.device}`);
  section("Devices", "Rows of A, B and C in the devices' memory, cut as DeviceGroup::distribute cuts them. Predicted by products and entries of C, " +
    "without the rows of B that come from others; measured with them.", table([
    {title: "device", of: (s) => count(s.device)}, {title: "rows", of: (s) => count(s.rows)}, {title: "products", of: (s) => count(s.nprod)},
    {title: "entries", of: (s) => count(s.nnz)}, {title: "B from others, bytes", of: (s) => count(s.bytes_from_others)},
    {title: "predicted", of: (s) => seconds(s.predicted)}, {title: "measured", of: (s) => seconds(s.seconds)}], why.shares), box);
  byLabel(box, {label: "time of each device", labels, format: seconds, title: "time", series: [
    {name: "predicted", colour: "#2f6fde", values: why.shares.map((s) => s.predicted)},
    {name: "measured", colour: "--rowan", values: why.shares.map((s) => s.seconds)}]});
}

// stages
if (data.done) {
  const stages = Object.entries(data.done.seconds).filter(([name, s]) => !["total", "read", "write"].includes(name) && s > 0);
  const total = data.done.seconds.total;
  const box = el("div");
  section("Time by stage", `${data.times > 1 ? `The fastest of ${data.times} multiplications` : "One multiplication"}, ${plural(data.done.threads, "thread")}, with all that it takes: ${seconds(total)}, ` +
    `${fixed(data.done.gflops)} GFLOPS (two operations a product). Choosing (features, binning, deciding) took ${fixed(data.done.choosing.percent, 1)} %.`, box);
  byLabel(box, {label: "time by stage", labels: stages.map(([name]) => name), format: seconds, title: "time",
    series: [{name: "time", colour: "--rowan", values: stages.map(([, s]) => s), tip: (i) => ` (${percent(stages[i][1] / total)})`}]});
} else section("Time by stage", data.done_missing);
if (why.forced && why.forced.length) {
  const box = el("div"), some = why.forced.filter((c) => c.seconds);
  section("One accumulator for all rows", "The numeric phase with one accumulator for all rows that it can take, its fallbacks for others, on one thread. " +
    `The choices above: ${seconds(all.seconds)}.`, box);
  byLabel(box, {label: "time of each accumulator for all rows", labels: some.map((c) => c.name), format: seconds, title: "time", at: all.seconds,
    series: [{name: "time", colour: "#2f6fde", values: some.map((c) => c.seconds)}]});
}
section("Features of the product", "What is known before C is computed; all rows together.", featureTable(why.features));
start();
