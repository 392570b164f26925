// The charts of all pages, on uPlot. A series is {name, colour, ...}; colours may be names of page.css ("--rowan").
const kPalette = ["#2f6fde", "#0d9488", "#8b5cf6", "#ca8a04", "#db2777", "#64748b", "#65a30d", "#0891b2", "#b45309", "#e11d48"];
const colourOf = (c) => (c.startsWith("--") ? css(c) : c);
const kFont = "12px system-ui, sans-serif";
const penOf = document.createElement("canvas").getContext("2d");
function textWidth(text) {
  penOf.font = kFont;
  return penOf.measureText(text).width;
}
function cut(text, width) {
  if (textWidth(text) <= width) return text;
  while (text.length > 1 && textWidth(text + "…") > width) text = text.slice(0, -1);
  return text + "…";
}

/// All points of all series in one table, as uPlot wants them: a line a point, by x; `missing` where a series has none.
function aligned(series, missing) {
  const all = series.flatMap((s, k) => s.points.map(([x, y]) => [x, k, y])).sort((a, b) => a[0] - b[0]);
  const columns = [all.map((p) => p[0]), ...series.map(() => new Array(all.length).fill(missing))];
  all.forEach(([, k, y], i) => (columns[k + 1][i] = y));
  return columns;
}

const axis = (more) => ({stroke: () => css("--soft"), font: kFont, labelFont: kFont, gap: 4, labelSize: 18, labelGap: 0,
  grid: {stroke: () => css("--line"), width: 1}, ticks: {show: false}, ...more});

/// Labels of a logarithmic axis: powers of ten, 2 and 5 where there are few of them, other digits where there is room.
function logLabels(format) {
  return (u, splits, axisIndex) => {
    const scale = u.scales[u.axes[axisIndex].scale], range = Math.log10(scale.max / scale.min);
    return splits.map((v) => {
      const head = v / 10 ** Math.floor(Math.log10(v) + 1e-9), digit = Math.round(head);
      if (Math.abs(head - digit) > 1e-6) return null; // an end of the range
      const wide = (u.axes[axisIndex].side % 2 === 0 ? u.width : u.height) / range; // pixels for a factor of ten
      const room = wide * Math.log10((digit + 1) / digit); // pixels to the next digit
      return digit === 1 || (wide > 150 && (digit === 2 || digit === 5)) || (room > 48 && digit < 10) ? format(v) : null;
    });
  };
}

/// `tip(u, index)`: the words beside the pointer.
function chart(host, height, label, options, columns, tip) {
  const box = el("div.chart", {role: "img", "aria-label": label}), words = el("div.tip", {hidden: ""});
  host.append(box);
  const width = () => Math.max(240, box.clientWidth);
  function moved(u) {
    const {left, top, idx} = u.cursor, text = left >= 0 && idx !== null && idx !== undefined ? tip(u, idx) : "";
    words.hidden = !text;
    if (!text) return;
    words.textContent = text;
    const right = left + words.offsetWidth + 16 < u.over.clientWidth;
    words.style.left = (right ? left + 12 : Math.max(0, left - words.offsetWidth - 12)) + "px";
    words.style.top = Math.max(0, Math.min(top, u.over.clientHeight - words.offsetHeight)) + "px";
  }
  const inLegend = (u, k) => colourOf(options.series[k].colour || "--ink");
  const u = new uPlot({width: width(), height, legend: {live: false, show: options.series.length > 2, markers: {width: 0, fill: inLegend}},
    cursor: {drag: {x: false, y: false}, points: {show: false}, ...options.cursor}, padding: [8, 16, 0, 4], ...options,
    hooks: {...options.hooks, setCursor: [moved]}}, columns, box);
  u.over.append(words);
  u.over.addEventListener("mouseleave", () => (words.hidden = true));
  let last = width();
  new ResizeObserver(() => {
    if (width() === last) return;
    last = width();
    u.setSize({width: last, height});
  }).observe(box);
  window.addEventListener("theme", () => {
    u.redraw(true, true);
    box.querySelectorAll(".u-marker").forEach((m, k) => (m.style.background = inLegend(u, k + 1)));
  });
  return u;
}

/// What no series draws: spreads as whiskers, a line where a value is, or from corner to corner.
function extras(series, columns, {at, diagonal}) {
  return (u) => {
    const pen = u.ctx, up = u.scales.x.ori === 0;
    const place = (x, y) => (up ? [u.valToPos(x, "x", true), u.valToPos(y, "y", true)]
      : [u.valToPos(y, "y", true), u.valToPos(x, "x", true)]);
    const line = (from, to) => { pen.beginPath(); pen.moveTo(...from); pen.lineTo(...to); pen.stroke(); };
    pen.save();
    pen.beginPath();
    pen.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    pen.clip();
    pen.strokeStyle = css("--ink");
    pen.lineWidth = devicePixelRatio;
    const {x, y} = u.scales;
    if (diagonal) line(place(Math.max(x.min, y.min), Math.max(x.min, y.min)), place(Math.min(x.max, y.max), Math.min(x.max, y.max)));
    if (at !== undefined) {
      pen.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
      line(place(x.min, at), place(x.max, at));
      pen.setLineDash([]);
    }
    series.forEach((s, k) => {
      if (!s.range || !u.series[k + 1].show) return;
      columns[0].forEach((where, i) => {
        const r = columns[k + 1][i] === undefined ? null : s.range[Math.round(where)];
        if (!r) return;
        const a = place(where, r[0]), b = place(where, r[1]), cap = 3 * devicePixelRatio;
        line(a, b);
        for (const end of [a, b]) up ? line([end[0] - cap, end[1]], [end[0] + cap, end[1]]) : line([end[0], end[1] - cap], [end[0], end[1] + cap]);
      });
    });
    pen.restore();
  };
}

/// The largest number of one digit that is not above x. uPlot steps through a logarithmic axis from its lower end by powers of
/// ten, rounded to their digits: from 0.0976 it would pass 0.1 by, and never end.
function oneDigit(x) {
  const power = Math.floor(Math.log10(x));
  return Number(`${Math.max(1, Math.floor(Number((x / 10 ** power).toPrecision(12))))}e${power}`);
}

/// A line a label, downwards: bars, or dots where `log`. Series: {name, colour, values, range?: [low, high] by label};
/// `at`: a value with a line through all labels; `stacked`: each bar goes on where the one before ends; `together`: the dots of a label in one line.
function byLabel(host, {label, labels, series, log, stacked, together, format, title, at, on}) {
  const n = labels.length, m = stacked || together ? 1 : series.length, thick = 0.78 / m;
  let below = new Array(n).fill(0);
  const shown = series.map((s) => stacked ? {...s, values: (below = s.values.map((v, i) => below[i] + (v || 0)))} : s);
  if (stacked) shown.reverse(); // the longest is drawn first
  const points = shown.map((s, k) => ({points: s.values.flatMap((v, i) =>
    (v === null || v === undefined || (log && v <= 0) ? [] : [[i + (stacked || together ? 0 : (k - (m - 1) / 2) * thick), v]]))}));
  const columns = aligned(points, undefined);
  const known = shown.flatMap((s) => [...s.values, ...(s.range || []).flatMap((r) => r || [])]).filter((v) => v > 0 && Number.isFinite(v)); // a time of 0 makes ratios infinite
  const most = known.length ? Math.max(...known, at || 0) : 1, least = known.length ? Math.min(...known, at || Infinity) : 1;
  const range = log ? [oneDigit(least / 1.3), most * 1.3] : [0, most * 1.06];
  const size = (u) => Math.min(Math.max(...labels.map(textWidth)) + 12, u.width * 0.42);
  const dot = (s) => ({paths: () => null, points: {show: true, size: 9, width: 0, fill: () => colourOf(s.colour)}});
  const bar = (s) => ({paths: uPlot.paths.bars({size: [stacked ? 0.7 : thick * 0.9, 26]}), points: {show: false}, width: 0,
    fill: () => colourOf(s.colour)});
  const options = {
    scales: {x: {time: false, ori: 1, dir: -1, range: [-0.6, n - 0.4]}, y: {ori: 0, dir: 1, range, distr: log ? 3 : 1}},
    axes: [axis({scale: "x", side: 3, size, splits: () => labels.map((_, i) => i), grid: {show: false}, stroke: () => css("--ink"),
      values: (u) => labels.map((text) => cut(text, size(u) - 10))}),
      axis({scale: "y", side: 2, label: title, space: 56, size: 24, filter: (u, splits) => splits, values: log ? logLabels(format) : (u, splits) => splits.map(format)})],
    series: [{}, ...shown.map((s) => ({label: s.name, colour: s.colour, stroke: () => colourOf(s.colour), ...(log ? dot(s) : bar(s))}))],
    hooks: {draw: [extras(shown, columns, {at})]},
  };
  const line = (i) => series.map((s) => (s.values[i] === null || s.values[i] === undefined ? ""
    : "\n" + s.name + ": " + format(s.values[i]) + (s.range && s.range[i] ? " (" + s.range[i].map(format).join(" to ") + ")" : "") +
      (s.tip ? s.tip(i) : ""))).join("");
  const u = chart(host, Math.max(90, n * Math.max(22, m * 10 + 10)) + 52, label, options, columns,
    (at, idx) => { const i = Math.round(columns[0][idx]); return labels[i] + line(i); });
  if (on) u.over.addEventListener("click", () => u.cursor.idx !== null && on(Math.round(columns[0][u.cursor.idx])));
  return u;
}

/// Lines, steps or points over two numbers. Series: {name, colour, points: [[x, y], ...], wide?, dash?, edge?};
/// x and y: {title, format, log?, range?}.
function overNumbers(host, {label, series, x, y, kind, diagonal, height = 340}) {
  const columns = aligned(series, null);
  const place = {step: uPlot.paths.stepped({align: 1}), line: uPlot.paths.linear(), point: () => null}[kind];
  const scale = (s) => ({time: false, distr: s.log ? 3 : 1, ...(s.range && {range: s.range})});
  const labels = (s) => (s.log ? logLabels(s.format) : (u, splits) => splits.map(s.format));
  const options = {
    scales: {x: scale(x), y: scale(y)},
    axes: [axis({label: x.title, values: labels(x), space: 48, size: 24, filter: (u, splits) => splits}),
      axis({label: y.title, values: labels(y), size: 58, filter: (u, splits) => splits})],
    series: [{}, ...series.map((s) => ({label: s.name, colour: s.colour, stroke: () => colourOf(s.edge || s.colour), width: s.wide ? 3 : 1.8, dash: s.dash,
      spanGaps: true, paths: place, points: {show: kind === "point" || (kind === "line" && s.points.length < 40), size: kind === "point" ? 7 : 6,
        width: s.edge ? 2 : 0, stroke: () => colourOf(s.edge || s.colour), fill: () => colourOf(s.colour)}}))],
    hooks: {draw: [extras([], columns, {diagonal})]},
  };
  return chart(host, height, label, options, columns, (u, idx) => {
    const here = columns[0][idx], of = (k) => { // at the pointer, or where a step comes from
      for (let i = idx; i >= 0; i--) if (columns[k + 1][i] !== null) return columns[k + 1][i];
      return null;
    };
    const lines = series.map((s, k) => [s, kind === "step" ? of(k) : columns[k + 1][idx]]).filter(([, v]) => v !== null);
    return x.title + ": " + x.format(here) + lines.map(([s, v]) => "\n" + s.name + ": " + y.format(v)).join("");
  });
}
