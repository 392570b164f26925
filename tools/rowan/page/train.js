// rowan train as a page.
const phases = data.phases, judged = data.splits !== 0;
const three = (x) => fixed(x, 3);
page.append(el("h1", `${data.name}: a model and how good it is`),
  el("p.note", `${data.machine}, ${data.date}. ` + (judged ? `Judged on families that the fit did not see, in ${plural(data.splits, "split")}.`
    : "All products are of one family: the model could not be judged on a held-out family.")));
if (data.verdict) page.append(el("p.verdict", data.verdict.words));
const model = phases.numeric.policies.find((p) => p.kind === "model");
page.append(el("div.figures",
  model && figure(times(model.geomean, 3), "the best known time on families held out, geometric mean"),
  model && figure(times(model.p95, 3), "95 of 100 products are within"), model && figure(times(model.worst, 3), "at worst"),
  figure(count(data.products), `products of ${plural(data.families, "family", "families")}`)));

const curves = [["model", "model, held out", "--rowan"], ["in_force", `in force: ${data.verdict ? data.verdict.in_force : ""}`, "#2f6fde"], ["rules", "hand rules", "#64748b"]]
  .map(([key, name, colour]) => ({name, colour, wide: key === "model", ratios: data.by_product.map((p) => p[key]).filter((x) => x > 0).sort((a, b) => a - b)}))
  .filter((c) => c.ratios.length);
const regretBox = el("div");
section("Time over the best known", "On what share of the products (up) the time is within a factor of the best known (right).", regretBox);
overNumbers(regretBox, {label: "regret", kind: "step", x: {title: "time over the best known", range: [1, 2], format: (x) => short(x) + "×"},
  y: {title: "share of products", range: [0, 1.02], format: (x) => Math.round(100 * x) + " %"},
  series: curves.map((c) => {
    const points = [[1, 0]];
    c.ratios.forEach((x, i) => { if (x <= 2) points.push([Math.max(1, x), (i + 1) / c.ratios.length]); });
    points.push([2, points[points.length - 1][1]]);
    return {...c, points};
  })});

if (data.by_family) {
  const box = el("div"), families = data.by_family;
  section("Families, each held out", "Numeric phase, time over the best known, geometric mean of each family." +
    (data.verdict && data.verdict.seen ? ` The policy in force was fitted to ${data.verdict.seen} of these products: there it is not held out, and looks better than it would.` : ""), box);
  byLabel(box, {label: "families", labels: families.map((f) => f.family), at: 1, log: true, format: (x) => parseFloat(x.toPrecision(4)) + "×", title: "time over the best known",
    series: [{name: "model, held out", colour: "--rowan", values: families.map((f) => f.geomean)},
      families[0].in_force_geomean && {name: "in force", colour: "#2f6fde", values: families.map((f) => f.in_force_geomean)},
      {name: "hand rules", colour: "#64748b", values: families.map((f) => f.rules_geomean)}].filter(Boolean)});
  box.append(table([{title: "family", word: true, of: (f) => f.family}, {title: "products", of: (f) => count(f.products)}, {title: "model", of: (f) => three(f.geomean)},
    {title: "worst", of: (f) => three(f.worst)}, families[0].in_force_geomean && {title: "in force", of: (f) => three(f.in_force_geomean)},
    {title: "hand rules", of: (f) => three(f.rules_geomean)}, {title: "worst", of: (f) => three(f.rules_worst)}].filter(Boolean), families));
}
const policyTable = (phase) => table([{title: "choices", word: true, of: (p) => p.name}, {title: "products", of: (p) => count(p.products)}, {title: "geomean", of: (p) => three(p.geomean)},
  {title: "p95", of: (p) => three(p.p95)}, {title: "worst", of: (p) => three(p.worst)}, {title: "total", of: (p) => three(p.total)}, {title: "worst on", word: true, of: (p) => p.worst_product},
  phase.policies.some((p) => p.note) && {title: "note", long: true, of: (p) => p.note || ""}].filter(Boolean), phase.policies.filter((p) => p.products),
  (p) => ({name: p.kind === "model" ? "best" : ""}));
section("Numeric phase", "Time over the best known.", policyTable(phases.numeric));
section("Symbolic phase", "Time over the best known.", policyTable(phases.symbolic));

if (data.map && data.map.points.length) {
  const kinds = new Map(), names = [...new Set(data.map.points.flatMap((p) => [p[2], p[3]]))];
  const colour = (n) => kPalette[names.indexOf(n) % kPalette.length], box = el("div");
  for (const [x, y, best, chosen] of data.map.points) {
    if (!(x > 0 && y > 0)) continue;
    const key = best === chosen ? best : `${best}, chosen ${chosen}`;
    if (!kinds.has(key)) kinds.set(key, {name: key, colour: colour(best), edge: colour(chosen), points: []});
    kinds.get(key).points.push([x, y]);
  }
  section("Choice map", "Bins over the two features that choices use most. Inside: the fastest; around it: the model's choice.", box);
  if (kinds.size) overNumbers(box, {label: "choice map", kind: "point", series: [...kinds.values()], x: {title: data.map.x, log: true, format: short}, y: {title: data.map.y, log: true, format: short}, height: 420});
}
if (data.predictions && data.predictions.length) {
  const box = el("div"), step = Math.ceil(data.predictions.length / 3000), inside = ([x, y]) => x >= 0.1 && x <= 10 && y >= 0.1 && y <= 10;
  section("Predicted against measured", "Times of accumulators over the safest's, in bins of families held out.", box);
  const axisOf = (title) => ({title, log: true, range: [0.1, 10], format: (x) => short(x) + "×"});
  overNumbers(box, {label: "predicted against measured", kind: "point", diagonal: true, x: axisOf("predicted"), y: axisOf("measured"),
    series: [{name: "bins", colour: "--rowan", points: data.predictions.filter((_, i) => i % step === 0).filter(inside)}]});
}
if (data.learning_curve) {
  const box = el("div");
  section("Learning curve", "What more products bring.", box);
  overNumbers(box, {label: "learning curve", kind: "line", x: {title: "products fitted to", format: (x) => count(x)}, y: {title: "time over the best known", format: three},
    series: [{name: "model, held out", colour: "--rowan", points: data.learning_curve.map((p) => [p.products, p.geomean])}]});
}
if (data.ways.length) {
  const way = (phase) => [{title: phase, of: (w) => three(w[phase].geomean) + (w[phase].kept ? " (kept)" : "")}, {title: "p95", of: (w) => three(w[phase].p95)}, {title: "worst", of: (w) => three(w[phase].worst)}];
  section("Ways of fitting", "Families held out.", table([{title: "way", word: true, of: (w) => w.name}, ...way("symbolic"), ...way("numeric"), {title: "", long: true, of: (w) => w.about}], data.ways));
}
if (data.features)
  section("Features", `Numeric phase, families held out: with the original four alone ${three(data.features.four)}; without one of the others:`,
    table([{title: "left out", word: true, of: ([n]) => n}, {title: "geomean", of: ([, x]) => three(x)}], Object.entries(data.features.without)));
if (data.group)
  section("Lanes that walk a row of B", `Numeric phase held out: fitted ${three(data.group.fitted)}, by the average row ${three(data.group.by_average)}; ${data.group.kept ? "the fit is" : "the average is"} kept.`);
if (data.sampled) {
  const s = data.sampled, rows = [{family: "all", fitted: s.fitted, "hand rules": s["hand rules"], measure: s.always.measure}, ...s.by_family];
  section("Measuring rows or not", `Whole products, time over the best, families held out; ${s.kept === "fitted" ? "the fit is" : "the hand rules are"} kept.`,
    table([{title: "family", word: true, of: (f) => f.family}, {title: "products", of: (f) => f.products && count(f.products)}, {title: "fitted", of: (f) => three(f.fitted)},
      {title: "hand rules", of: (f) => three(f["hand rules"])}, {title: "always measure", of: (f) => three(f.measure)}], rows));
}
root.dataset.ready = "yes";
