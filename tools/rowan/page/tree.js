// A policy's trees, and the path of a bin's features through them, compared in float32 as the library does it.
const number = (x) => (!Number.isFinite(x) ? "not a number"
  : Number.isInteger(x) || Math.abs(x) >= 1000 ? count(x) : String(parseFloat(x.toPrecision(4))));
const valueOf = (features, name) => (typeof features[name] === "number" ? features[name] : NaN);
const isLeaf = (node) => node.length === 1;
function goesLess([name, threshold, , , nanLess], features) {
  const value = Math.fround(valueOf(features, name));
  return value < Math.fround(threshold) || (nanLess && Number.isNaN(value));
}
function leafOf(decision, at, features) {
  let node = decision.nodes[at];
  while (!isLeaf(node)) node = decision.nodes[goesLess(node, features) ? node[2] : node[3]];
  return node[0];
}
/// A candidate's score, the sum of its trees; null where the decision has none for it.
function scoreOf(decision, name, features) {
  if (!decision.scored) return null;
  const roots = decision.roots.filter((r) => r.of === name);
  if (!roots.length) return name === decision.relative_to ? 0 : null;
  return roots.reduce((sum, r) => Math.fround(sum + Math.fround(leafOf(decision, r.node, features))), 0);
}
function leaves(decision, at) {
  const node = decision.nodes[at];
  return isLeaf(node) ? 1 : leaves(decision, node[2]) + leaves(decision, node[3]);
}
const leafWords = (decision, [value]) => (decision.scored ? (value > 0 ? "+" : "") + number(value) : value.join(", else "));

/// The tree from a node on: the side that is taken is open, the others can be opened.
function branch(decision, at, features, taken) {
  const node = decision.nodes[at];
  if (isLeaf(node)) return [el("span.node", leafWords(decision, node))];
  const [name, threshold, less, other] = node, goes = goesLess(node, features);
  const side = (next, words, on) => {
    const inside = branch(decision, next, features, on);
    if (on || isLeaf(decision.nodes[next])) return el("li" + (on ? ".taken" : ""), el("span.side", words), ...inside);
    return el("li", el("span.side", words), el("details", el("summary", plural(leaves(decision, next), "leaf", "leaves")), ...inside));
  };
  return [el("span.node", `${name} < ${number(threshold)}?`),
    taken && el("span.has", ` it is ${number(valueOf(features, name))}`),
    el("ul", side(less, "yes", taken && goes), side(other, "no", taken && !goes))];
}

/// All trees of an outcome, or the one of a decision that ranks.
function drawTrees(decision, name, features) {
  const roots = decision.scored ? decision.roots.filter((r) => r.of === name) : [{node: 0}];
  if (!roots.length)
    return [el("p.note", name === decision.relative_to ? `${name} has no tree: the scores of the others are relative to it.`
      : `The policy has no tree for ${name}.`)];
  return roots.map((r, k) => el("div.tree", roots.length > 1 && el("h3", `tree ${k + 1} of ${roots.length}, to be added`),
    branch(decision, r.node, features, true)));
}
