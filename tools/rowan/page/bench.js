// rowan bench as a page.
const summary = data.summary, products = data.products, settings = data.settings, machine = data.machine;
const kNoisy = 0.2; // a spread above it says little
const timed = (r) => r && !r.error;
const resultOf = (p, name) => p.results.find((r) => r.name === name);
const namesOf = (kind) => data.contestants.filter((c) => c.kind === kind).map((c) => c.name);
/// Quartiles; reports of older versions have the spread alone.
const quartiles = (r) => r.quartiles || [r.median * (1 - r.spread / 2), r.median * (1 + r.spread / 2)];
const colours = new Map(), dashed = new Set();
for (const c of data.contestants) {
  if (colours.has(c.name)) continue;
  const k = colours.size;
  colours.set(c.name, k === 0 ? "--rowan" : kPalette[(k - 1) % kPalette.length]);
  if (k > kPalette.length) dashed.add(c.name);
}

page.append(el("h1", "rowan and its peers"),
  el("p.note", `${machine.processor}, ${plural(settings.threads, "thread")}, backend ${settings.backend || "host"}, rowan ${data.version}, ${data.date}. ` +
    "Minimum over rounds, with all phases, C's allocation and sorted columns; results compared."));

// what comes first
if (summary.compared) {
  const won = summary.compared - summary.slower.length;
  page.append(el("p.verdict", `rowan is ${times(summary.ratio_to_best_peer)} as fast as the best peer of each product (geometric mean of ${summary.compared}), ` +
    `at least ${times(summary.least_ratio_to_best_peer)}; fastest on ${won} of ${summary.compared}` +
    (summary.slower.length ? `, slower on ${summary.slower.join(", ")}` : "") + "."));
} else page.append(el("p.verdict", "No peer multiplied these products: there is nothing to compare with."));
const noisy = products.flatMap((p) => p.results.filter((r) => timed(r) && r.spread > kNoisy).map((r) => [p, r]));
if (noisy.length) {
  const worst = noisy.reduce((a, b) => (b[1].spread > a[1].spread ? b : a));
  page.append(el("p.verdict.warning", `${noisy.length} of ${products.reduce((s, p) => s + p.results.filter(timed).length, 0)} measurements ` +
    `spread by more than 20 % (interquartile range over median), ${worst[1].name} on ${worst[0].name} by ${percent(worst[1].spread, 0)}: ` +
    "other work ran on this machine, or the product is very short. Ratios near 1 say nothing there; --seconds and --rounds measure longer."));
}
page.append(el("div.figures",
  summary.compared && figure(times(summary.ratio_to_best_peer), "as fast as the best peer, geometric mean"),
  summary.compared && figure(times(summary.least_ratio_to_best_peer), "on the product where it is least"),
  figure(count(products.length), "products" + (data.failed.length ? `, ${data.failed.length} failed` : "")),
  summary.ratio_to_floor && figure(times(summary.ratio_to_floor), `the time to move A, B and C once at ${fixed(machine.copy_rate * 1e-9, 1)} GB/s`),
  summary.memory && figure(times(summary.memory), "peak memory over A, B and C"),
  summary.reuse && summary.reuse.ratio_to_best_peer && figure(times(summary.reuse.ratio_to_best_peer), "the best peer in numeric re-execution")));

/// Shares of products that each solves within a factor of the fastest (Dolan and Moré, 2002).
function profiles() {
  const kMost = 64, all = products.length;
  const names = [];
  for (const c of data.contestants)
    if (c.kind === "full" && c.sorted !== false && !(c.rowan && names.length && data.contestants.some((o) => o.rowan && names.includes(o.name)))) names.push(c.name);
  const best = products.map((p) => Math.min(...names.map((n) => resultOf(p, n)).filter(timed).map((r) => r.min)));
  return names.map((name) => {
    const ratios = products.map((p, i) => { const r = resultOf(p, name); return timed(r) ? r.min / best[i] : Infinity; })
      .filter((x) => x <= kMost).sort((a, b) => a - b);
    const points = [[1, 0]];
    ratios.forEach((x, i) => { const last = points[points.length - 1]; if (last[0] === x) last[1] = (i + 1) / all; else points.push([x, (i + 1) / all]); });
    points.push([kMost, ratios.length / all]);
    return {name, colour: colours.get(name), points, wide: name === names[0], dash: dashed.has(name) ? [6, 3] : undefined};
  });
}

const byRatio = products.filter((p) => p.ratio_to_best_peer).sort((a, b) => b.ratio_to_best_peer - a.ratio_to_best_peer);
if (byRatio.length) {
  const box = el("div");
  section("Times as fast as the best peer", "Whiskers: from the quartiles of both. Left of the line the peer is faster.", box);
  byLabel(box, {label: "ratio to the best peer of each product", labels: byRatio.map((p) => p.name), at: 1, format: (x) => parseFloat(x.toPrecision(3)) + "×",
    title: "time of the best peer over rowan's",
    series: [{name: "ratio", colour: "--rowan", values: byRatio.map((p) => p.ratio_to_best_peer),
      range: byRatio.map((p) => { const own = quartiles(p.results.find((r) => r.rowan && timed(r))), peer = quartiles(resultOf(p, p.best_peer)); return [peer[0] / own[1], peer[1] / own[0]]; }),
      tip: (i) => ` over ${byRatio[i].best_peer}`}]});
}
if (summary.compared > 1) {
  const box = el("div");
  section("Performance profile", "On what share of the products (up) each is within a factor of the fastest (right).", box);
  overNumbers(box, {label: "performance profile", kind: "step", series: profiles(), x: {title: "within this factor of the fastest", log: true, range: [1, 64], format: (x) => short(x) + "×"},
    y: {title: "share of products", range: [0, 1.02], format: (x) => Math.round(100 * x) + " %"}});
}

/// Dots a contestant, a line a product; and the table.
function timesOf(kind, title) {
  const names = namesOf(kind);
  if (!names.length || !products.some((p) => p.results.some((r) => r.kind === kind))) return;
  const box = el("div"), of = (p, n) => p.results.find((r) => r.name === n && r.kind === kind);
  section(title, "Minimum over rounds; whiskers and ± are the quartiles of all runs. Bold: the fastest. Red: spread above 20 %, or failed.", box);
  byLabel(box, {label: title, labels: products.map((p) => p.name), log: true, together: true, format: seconds, title: "time",
    series: names.map((n) => ({name: n, colour: colours.get(n), values: products.map((p) => (timed(of(p, n)) ? of(p, n).min : null)),
      range: products.map((p) => (timed(of(p, n)) ? [Math.min(of(p, n).min, quartiles(of(p, n))[0]), quartiles(of(p, n))[1]] : null))}))});
  const fastest = (p) => Math.min(...names.map((n) => of(p, n)).filter(timed).map((r) => r.min));
  box.append(table([{title: "product", word: true, of: (p) => p.name}, {title: "products", of: (p) => count(p.nprod)}, {title: "entries of C", of: (p) => count(p.nnz_c)},
    ...names.map((n) => ({title: n, name: (p) => { const r = of(p, n); return !r ? "" : r.error || r.spread > kNoisy ? "bad" : r.min <= fastest(p) ? "best" : ""; },
      tip: (p) => { const r = of(p, n); return !r ? "not measured" : r.error || `median ${seconds(r.median)}, ${plural(r.runs, "run")}`; },
      of: (p) => { const r = of(p, n); return !r ? "–" : r.error ? "failed" : `${seconds(r.min)} ± ${percent(r.spread / 2, 0)}`; }}))], products));
}
timesOf("full", "Times");
timesOf("reuse", "Numeric re-execution (known pattern)");

const own = (p) => p.results.find((r) => r.rowan && r.kind === "full" && timed(r));
section("rowan, product by product", "Of floor: time over that of moving A, B and C once. Memory: peak over A, B and C.",
  table([{title: "product", word: true, of: (p) => p.name}, {title: "rows", of: (p) => count(p.rows)}, {title: "A's nnz", of: (p) => count(p.nnz_a)},
    {title: "products", of: (p) => count(p.nprod)}, {title: "entries of C", of: (p) => count(p.nnz_c)}, {title: "time", of: (p) => own(p) && seconds(own(p).min)},
    {title: "spread", name: (p) => (own(p) && own(p).spread > kNoisy ? "bad" : ""), of: (p) => own(p) && percent(own(p).spread, 0)},
    {title: "GFLOPS", of: (p) => own(p) && fixed(own(p).gflops)}, {title: "of floor", of: (p) => times(p.ratio_to_floor)}, {title: "memory", of: (p) => times(p.memory)},
    {title: "best peer", word: true, of: (p) => p.best_peer}, {title: "its time", of: (p) => seconds(p.best_peer_seconds)},
    {title: "ratio", name: (p) => (p.ratio_to_best_peer < 1 ? "bad" : ""), of: (p) => times(p.ratio_to_best_peer)},
    products.some((p) => p.published) && {title: "published counts", word: true, of: (p) => p.published}].filter(Boolean), products));

const staged = products.filter((p) => own(p) && own(p).stages);
if (staged.length) {
  const names = ["prepare", "features", "binning", "deciding", "symbolic", "numeric"], box = el("div");
  const of = (p, n) => own(p).stages[n] || 0, total = (p) => own(p).stages.total || names.reduce((s, n) => s + of(p, n), 0);
  section("Stages of rowan", "Of its fastest run. Choosing: features, binning and deciding.", box);
  byLabel(box, {label: "share of each stage", labels: staged.map((p) => p.name), stacked: true, format: (x) => Math.round(100 * x) + " %", title: "share of the time",
    series: names.map((n, k) => ({name: n, colour: ["#94a3b8", "#2f6fde", "#7aa5f5", "#8b5cf6", "#e0a04a", "--rowan"][k], values: staged.map((p) => of(p, n) / total(p))}))});
  box.append(table([{title: "product", word: true, of: (p) => p.name}, ...names.map((n) => ({title: n, of: (p) => seconds(of(p, n))})),
    {title: "choosing", of: (p) => percent((of(p, "features") + of(p, "binning") + of(p, "deciding")) / total(p))}], staged));
} else if (products.length) section("Stages of rowan", "Not measured: give --stages.");

// who took part
const others = Object.entries(summary.slower_than_rowan || {});
const missing = data.not_found || [];
section("Contestants", "Every peer that was looked for. Times are over rowan's, on the products that both got right.",
  table([{title: "contestant", word: true, of: ([n]) => n}, {title: "", word: true, of: ([, , what]) => what},
    {title: "times slower than rowan", of: ([, o]) => o && times(o.geomean)}, {title: "on products", of: ([, o]) => o && count(o.products)},
    {title: "memory over rowan's", of: ([, o]) => o && times(o.memory)}],
  [...data.contestants.map((c) => [c.name, (others.find(([n]) => n === c.name) || [])[1], c.kind === "reuse" ? "known pattern" : c.sorted === false ? "unsorted columns" : ""]),
    ...missing.map((m) => [m.name, null, "not found: " + m.why])]));
const faults = [...products.flatMap((p) => p.results.filter((r) => r.error).map((r) => [p.name, r.name, r.error])), ...data.failed.map((f) => [f.product, "", f.error])];
if (faults.length) section("What failed", null, table([{title: "product", word: true, of: (f) => f[0]}, {title: "contestant", word: true, of: (f) => f[1]}, {title: "why", long: true, of: (f) => f[2]}], faults));
const apart = products.filter((p) => p.interleaved === false || p.by_turns === false);
if (apart.length) section("Not interleaved", `One contestant after another, because memory does not hold all of them: ${apart.map((p) => p.name).join(", ")}.`);
root.dataset.ready = "yes";
