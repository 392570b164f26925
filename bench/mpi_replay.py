#!/usr/bin/env python3
"""What C = A·B takes on 2 to 4,096 processes of rowan::mpi, calculated for a network that is not there.

    export PYTHONPATH=build/release/python
    mpirun -n 3 build/release/bench/mpi --as 1,2,4,16,64,256 --rounds 40 --json samples.json A
    bench/mpi_replay.py A [B] --samples samples.json
    bench/mpi_replay.py A [B] --samples samples.json --check two.json four.json     # beside runs of bench/mpi
    bench/mpi_replay.py --samples samples.json --weak 1=SPEC 8=SPEC 64=SPEC

Rows, messages and bytes of every process are counted in the patterns of A and B: they are exact. What a process computes
is a sum of rates times counts, fitted to processes that bench/mpi measured one by one (--as). The network is a model:
--latency, --overhead of a message, --bandwidth of a node, which its --node processes share, divided by --contention.
Every step ends when its last process does, as in rowan::mpi. Messages and computing do not overlap in it. Several files
of the same measurement count as more rounds: the least time of each step is taken.
"""

import argparse
import dataclasses
import json
import math
import sys

import numpy as np
import scipy.optimize

COLUMN, WIDE, VALUE = 4, 8, 8  # bytes of a column, of a length or a column beyond 2^31, of a value
MEETINGS = 12  # allreduces of a product: where one process fails, all have to know
ENTRIES_TOGETHER = 2**24  # of A, counted in one piece
LEFT_OUT = 1.5  # 2-D and 3-D have to be so many times as fast: estimates of them leave out what blocks cost
STEPS = ("prepare", "assemble", "multiply")
PHASES = ("lists", "lengths", "rows")
# what the time of each step is fitted to
COUNTS = {
    "prepare": ("one", "rows_received", "entries_sent"),
    "assemble": ("one", "nnz_a", "nnz_b", "entries_received"),
    "multiply": ("one", "rows", "nnz_a", "products", "nnz_c", "nnz_c_divided"),
}


@dataclasses.dataclass
class Pattern:
    """Rows of a matrix without values, and of the product the entries of each row."""

    shape: tuple
    indptr: np.ndarray
    indices: np.ndarray

    @property
    def nnz(self):
        return int(self.indptr[-1])


@dataclasses.dataclass
class Product:
    a: Pattern
    b: Pattern
    c_indptr: np.ndarray


def load(name):
    import pyrowan

    m = pyrowan.generate(name[10:]) if name.startswith("generated:") else pyrowan.read(name)
    return m.tocsr()


def product(a_name, b_name=None):
    import pyrowan

    a = load(a_name)
    b = a if b_name in (None, a_name) else load(b_name)
    sizes = pyrowan.symbolic(a, b)
    rows = [Pattern(m.shape, m.indptr.astype(np.int64), m.indices) for m in ((a,) if b is a else (a, b))]
    return Product(rows[0], rows[-1], sizes.indptr)


def cuts(n, ranks):
    return n * np.arange(ranks + 1, dtype=np.int64) // ranks


def owners(cut):
    """Of each row, the process that has it."""
    return np.repeat(np.arange(len(cut) - 1, dtype=np.int32), np.diff(cut))


def named_rows(p, rows, inner, owner_of_row, length):
    """(process * columns of A + row of B), rising, for each row that a process names and has not; and products of each.
    Some processes after another, for the memory."""
    ranks, k = len(rows) - 1, np.int64(p.a.shape[1])
    together = max(1, ranks * ENTRIES_TOGETHER // max(1, p.a.nnz))
    named, products = [], []
    for first in range(0, ranks, together):
        cut = p.a.indptr[rows[first:first + together + 1]]
        indices = p.a.indices[cut[0]:cut[-1]]
        reader = np.repeat(np.arange(first, first + len(cut) - 1, dtype=np.int32), np.diff(cut))
        foreign = owner_of_row[indices] != reader
        named.append(np.unique(k * reader[foreign] + indices[foreign]))
        products.append(np.diff(np.concatenate(([0], np.cumsum(length[indices])))[cut - cut[0]]))
    return np.concatenate(named), np.concatenate(products)


def counted(p, ranks):
    """What every process has, sends and receives: arrays with an element for each; messages and bytes also with one for
    each phase. `pairs` are (from, to, bytes of each phase)."""
    rows, inner = cuts(p.a.shape[0], ranks), cuts(p.a.shape[1], ranks)
    length = np.diff(p.b.indptr)
    owner_of_row = owners(inner)
    named, products = named_rows(p, rows, inner, owner_of_row, length)
    to, row = named // max(1, p.a.shape[1]), named % max(1, p.a.shape[1])
    pair, at = np.unique(np.int64(ranks) * owner_of_row[row] + to, return_inverse=True)
    pair_rows = np.bincount(at, minlength=len(pair)).astype(np.int64)
    pair_entries = np.bincount(at, weights=length[row], minlength=len(pair)).astype(np.int64)
    sender, receiver = pair // ranks, pair % ranks
    wire = COLUMN if p.b.shape[1] <= np.iinfo(np.int32).max else WIDE

    def total(of, what):
        return np.bincount(of, weights=what, minlength=ranks).astype(np.int64)

    some = (pair_entries > 0).astype(np.int64)
    one = np.ones(len(pair), np.int64)
    # lists go to those who have the rows
    flows = [(receiver, sender, one, COLUMN * pair_rows), (sender, receiver, one, WIDE * pair_rows),
             (sender, receiver, 2 * some, (wire + VALUE) * pair_entries)]
    found = {
        "one": np.ones(ranks), "rows": np.diff(rows), "nnz_a": np.diff(p.a.indptr[rows]),
        "nnz_b": np.diff(p.b.indptr[inner]), "nnz_c": np.diff(p.c_indptr[rows]),
        "products": products,
        "rows_received": total(receiver, pair_rows), "entries_received": total(receiver, pair_entries),
        "entries_sent": total(sender, pair_entries),
        "messages_sent": np.stack([total(s, n) for s, _, n, _ in flows], 1),
        "messages_received": np.stack([total(r, n) for _, r, n, _ in flows], 1),
        "bytes_sent": np.stack([total(s, n) for s, _, _, n in flows], 1),
        "bytes_received": np.stack([total(r, n) for _, r, _, n in flows], 1),
        "flows": flows,
    }
    return {**found, "nnz_c_divided": divided(found)}


def divided(counts):
    """The entries of C that are put into two pieces: all where rows of others came, else none."""
    return counts["nnz_c"] * (counts["rows_received"] > 0)


# What processes compute.


def of_sample(process):
    """The counts of a process that bench/mpi measured."""
    wide = COLUMN + VALUE
    return {**process, "one": 1, "entries_received": process["bytes_received"][2] // wide,
            "entries_sent": process["bytes_sent"][2] // wide, "nnz_c_divided": divided(process)}


def least(processes):
    """Each process once, with the least time of each step."""
    once = {}
    for process in processes:
        kept = once.setdefault((process["rank"], process["of"], process["rows"], process["nnz_a"]), dict(process))
        kept.update({step: min(kept[step], process[step]) for step in STEPS})
    return list(once.values())


def least_runs(runs):
    """A run for each number of processes, with the least of each time."""
    once = {}
    for run in runs:
        if run["ranks"] not in once:
            once[run["ranks"]] = run
            continue
        kept = once[run["ranks"]]
        kept["processes"] = least(kept["processes"] + run["processes"])
        kept["wall"] = min(kept["wall"], run["wall"])
        for a, b in ((kept["meetings"], run["meetings"]), (kept["link"]["exchange"], run["link"]["exchange"]),
                     (kept["link"]["allreduce"], run["link"]["allreduce"])):
            for kind in ("elapsed", "work"):
                a[kind] = [min(pair) for pair in zip(a[kind], b[kind])]
    return [once[ranks] for ranks in sorted(once)]


def fit(samples):
    """Seconds for one of each count, by step: the least squares of relative errors, none below 0."""
    rates = {}
    for step in STEPS:
        some = [of_sample(s) for s in samples if s[step] > 0]
        if not some:
            raise SystemExit(f"mpi_replay: no sample has a time for {step!r}: measure more processes (bench/mpi --as)")
        table = np.array([[s[name] / s[step] for name in COUNTS[step]] for s in some])
        rates[step] = dict(zip(COUNTS[step], scipy.optimize.nnls(table, np.ones(len(some)))[0]))
    return rates


def computed(rates, counts, step):
    return sum(rate * np.asarray(counts[name], float) for name, rate in rates[step].items())


# The network.


@dataclasses.dataclass
class Network:
    """Seconds and bytes a second. Inside a node messages are copied, by all its processes together at `copies`."""

    latency: float = 2e-6
    overhead: float = 0.5e-6
    bandwidth: float = 12.5e9
    node: int = 16
    contention: float = 1.0
    inside_latency: float = 0.5e-6
    copies: float = 20e9

    def far(self, ranks):
        return self.latency if ranks > self.node else self.inside_latency

    def meeting(self, ranks):
        """An allreduce of some bytes."""
        return math.ceil(math.log2(ranks)) * (self.far(ranks) + self.overhead) if ranks > 1 else 0.0

    def all_to_all(self, ranks, each):
        """Of a number to each process, by doubling distances."""
        if ranks == 1:
            return 0.0
        rate = self.bandwidth / self.contention if ranks > self.node else self.copies
        size = min(self.node, ranks) * each * ranks / 2
        return math.ceil(math.log2(ranks)) * (self.far(ranks) + self.overhead + size / rate)

    def exchange(self, ranks, flow):
        """Of messages from process to process: until the last node is done."""
        sender, receiver, messages, size = flow
        if len(sender) == 0:
            return 0.0
        nodes = -(-ranks // self.node)
        away = sender // self.node != receiver // self.node

        def most(of, what, count):
            return float(np.bincount(of, weights=what, minlength=count).max()) if len(of) else 0.0

        between = max(most(end[away] // self.node, size[away], nodes) for end in (sender, receiver))
        within = most(sender[~away] // self.node, size[~away], nodes)
        posted = max(most(sender, messages, ranks), most(receiver, messages, ranks))
        first = self.latency if away.any() else self.inside_latency
        return first + posted * self.overhead + max(between * self.contention / self.bandwidth, within / self.copies)


# Predictions.


def predict(p, ranks, rates, network):
    counts = counted(p, ranks)
    steps = {step: float(computed(rates, counts, step).max()) for step in STEPS}
    if ranks == 1:
        steps["prepare"] = steps["assemble"] = 0.0
    traffic = sum(network.exchange(ranks, flow) for flow in counts["flows"])
    meetings = MEETINGS * network.meeting(ranks) + network.all_to_all(ranks, 8) if ranks > 1 else 0.0
    multiply = computed(rates, counts, "multiply")
    return {
        "ranks": ranks, **steps, "traffic": traffic, "meetings": meetings,
        "seconds": sum(steps.values()) + traffic + meetings,
        "products": float(counts["products"].sum()),
        "imbalance": float(multiply.max() / multiply.mean()),
        "bytes": int(counts["bytes_received"].sum()), "most_bytes": int(counts["bytes_received"].sum(1).max()),
        "neighbours": int(counts["messages_received"][:, 1].max()),
        "ghost_share": float(counts["entries_received"].sum() / max(1, counts["nnz_b"].sum())),
    }


def by_blocks(p, products, ranks, rates, network, layers=1):
    """The same in two dimensions, or three with `layers`: blocks of A and B are broadcast along rows and columns of a grid
    of processes, and layers' parts of C are added up. An estimate in its favour: shares are even (rows and columns are
    permuted at random), blocks' patterns cost nothing, nor does bringing parts of C together within a layer."""
    side = math.sqrt(ranks / layers)
    nnz_c = float(p.c_indptr[-1])
    share = {"one": 1, "rows": p.a.shape[0] / ranks, "nnz_a": p.a.nnz / ranks, "products": products / ranks,
             "nnz_c": min(products, nnz_c * layers) / ranks, "nnz_c_divided": 0}
    work = float(computed(rates, share, "multiply"))
    entries = (p.a.nnz + p.b.nnz) / (side * layers) + (share["nnz_c"] if layers > 1 else 0)
    size = (COLUMN + VALUE) * entries * min(network.node, ranks)
    traffic = size * network.contention / network.bandwidth if ranks > network.node else size / network.copies
    rounds = 2 * math.ceil(side) * max(1, math.ceil(math.log2(max(2, side))))
    return work + traffic + rounds * (network.far(ranks) + network.overhead) + MEETINGS * network.meeting(ranks)


def alternatives(p, products, ranks, rates, network):
    """Seconds in two dimensions, and in three with the best number of layers."""
    if ranks < 4:
        return math.inf, math.inf
    layers = [2**k for k in range(1, 12) if 2**(3 * k) <= ranks]
    return by_blocks(p, products, ranks, rates, network), min(
        (by_blocks(p, products, ranks, rates, network, n) for n in layers), default=math.inf)


# Beside real runs.


def shared_memory(run, kind):
    """Of a run's own exchanges: seconds of a message of so many bytes to each other process."""
    link, others = run["link"], run["ranks"] - 1
    sizes, seconds = np.log(link["bytes"]), np.array(link["exchange"][kind])

    def exchange(messages, size):
        if messages == 0:
            return 0.0
        each = math.log(max(1.0, size / messages))
        longest = math.exp(sizes[-1])
        if each > sizes[-1]:  # in proportion beyond the longest
            return messages / others * float(seconds[-1]) * math.exp(each) / longest
        return messages / others * float(np.interp(each, sizes, seconds))

    return exchange


def check(p, run, rates):
    """Predicted and measured: bytes, and seconds of work (of the process that is last in every step)."""
    ranks = run["ranks"]
    counts = counted(p, ranks)
    found = {"ranks": ranks, "bytes": int(counts["bytes_received"].sum()),
             "bytes_measured": sum(sum(q["bytes_received"]) for q in run["processes"])}
    for name in ("messages_sent", "messages_received", "bytes_sent", "bytes_received"):
        measured = np.array([q[name] for q in run["processes"]])
        found["exact"] = found.get("exact", True) and bool((measured == counts[name]).all())
    found["exact"] &= ranks == 1 or len(run["meetings"]["work"]) == MEETINGS + 1 + len(PHASES)
    steps = STEPS if ranks > 1 else STEPS[2:]
    found["work"] = sum(float(computed(rates, counts, step).max()) for step in steps)
    found["work_measured"] = sum(max(q[step] for q in run["processes"]) for step in steps)
    found["traffic"] = found["traffic_measured"] = found["elapsed_measured"] = 0.0
    if ranks > 1:
        exchange = shared_memory(run, "work")
        both = [np.maximum(counts[f"{what}_sent"], counts[f"{what}_received"]).max(0) for what in ("messages", "bytes")]
        found["traffic"] = (sum(exchange(n, size) for n, size in zip(*both))
                            + (MEETINGS + 1) * run["link"]["allreduce"]["work"][0])
        found["traffic_measured"] = sum(run["meetings"]["work"])
        found["elapsed_measured"] = sum(run["meetings"]["elapsed"])
    found["seconds"] = found["work"] + found["traffic"]
    found["seconds_measured"] = found["work_measured"] + found["traffic_measured"]
    found["wall_measured"] = run["wall"]
    return found


# The program.


def table(head, lines):
    print("| " + " | ".join(head) + " |")
    print("|" + "--:|" * len(head))
    for line in lines:
        print("| " + " | ".join(line) + " |")


def amount(n):
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if n >= size:
            return f"{n / size:.3g} {unit}"
    return f"{n} B"


def milliseconds(t):
    return "-" if math.isinf(t) else f"{1e3 * t:.3g}"


def show_scaling(lines, weak):
    first = lines[0]
    table(("processes", "ms", "efficiency", "compute", "traffic", "meetings", "slowest / mean", "neighbours",
           "received in all", "the most", "share of B", "2-D ms", "3-D ms"),
          [(f"{x['ranks']:,}", milliseconds(x["seconds"]),
            f"{first['seconds'] * first['ranks'] / x['seconds'] / (first['ranks'] if weak else x['ranks']):.0%}",
            *(f"{x[part] / x['seconds']:.0%}" if part != "compute" else f"{sum(x[s] for s in STEPS) / x['seconds']:.0%}"
              for part in ("compute", "traffic", "meetings")),
            f"{x['imbalance']:.2f}", str(x["neighbours"]), amount(x["bytes"]), amount(x["most_bytes"]),
            f"{x['ghost_share']:.3g}", milliseconds(x["two"]), milliseconds(x["three"])) for x in lines])


def ends(lines):
    """Where one dimension ends, in words."""
    fastest = min(lines, key=lambda x: x["seconds"])
    said = [f"fastest on {fastest['ranks']:,} processes, {lines[0]['seconds'] / fastest['seconds']:.1f} times as fast as on "
            f"{lines[0]['ranks']:,}"]
    half = [x["ranks"] for x in lines if lines[0]["seconds"] * lines[0]["ranks"] < 0.5 * x["seconds"] * x["ranks"]]
    said.append(f"below half efficiency from {half[0]:,} on" if half else "never below half efficiency")
    over = [x for x in lines if min(x["two"], x["three"]) * LEFT_OUT < x["seconds"]]
    if over:
        best = "2-D" if over[0]["two"] <= over[0]["three"] else "3-D"
        most = max(over, key=lambda x: x["seconds"] / min(x["two"], x["three"]))
        said.append(f"{best} may be faster from {over[0]['ranks']:,} on, at most "
                    f"{most['seconds'] / min(most['two'], most['three']):.1f} times, on {most['ranks']:,}")
    else:
        said.append("2-D and 3-D are nowhere clearly faster")
    return "; ".join(said)


def scaling(p, ranks, rates, network):
    line = predict(p, ranks, rates, network)
    line["two"], line["three"] = alternatives(p, line["products"], ranks, rates, network)
    return line


def number(text):
    try:
        n = float(text)
    except ValueError:
        n = 0.0
    if not 0 < n < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return n


def count(text):
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of processes")
    return int(text)


def counts_of(text):
    return [count(word) for word in text.split(",")]


def read_json(path):
    try:
        with open(path) as file:
            return json.load(file)
    except (OSError, ValueError) as e:
        raise SystemExit(f"mpi_replay: {path}: {e}") from e


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("matrices", nargs="*", metavar="MATRIX", help="A, or A and B; generated:SPEC or files")
    parser.add_argument("--samples", nargs="+", required=True, help="files of bench/mpi --as")
    parser.add_argument("--ranks", type=counts_of, default=[2**k for k in range(13)], help="1,2,4,...,4096")
    parser.add_argument("--check", nargs="+", default=[], metavar="FILE", help="runs of bench/mpi with A and B")
    parser.add_argument("--weak", nargs="+", default=[], metavar="N=MATRIX", help="A for N processes, and B = A")
    parser.add_argument("--json", help="also as JSON")
    for field, unit, what in (("latency", 1e-6, "us between nodes"), ("overhead", 1e-6, "us a message"),
                              ("bandwidth", 1e9, "GB/s of a node"), ("contention", 1, "times slower when all send"),
                              ("inside_latency", 1e-6, "us inside a node"), ("copies", 1e9, "GB/s inside a node")):
        parser.add_argument("--" + field.replace("_", "-"), type=number, help=f"{what} (%(default)g)",
                            default=getattr(Network, field) / unit, metavar="X")
    parser.add_argument("--node", type=count, default=Network.node, help="processes of a node (%(default)s)")
    arguments = parser.parse_args()
    if len(arguments.matrices) > 2 or bool(arguments.matrices) == bool(arguments.weak):
        parser.error("it takes A, or A and B, or --weak")
    return arguments


def main():
    arguments = parse()
    network = Network(arguments.latency * 1e-6, arguments.overhead * 1e-6, arguments.bandwidth * 1e9, arguments.node,
                      arguments.contention, arguments.inside_latency * 1e-6, arguments.copies * 1e9)
    samples = least([s for path in arguments.samples for s in read_json(path)["processes"]])
    rates = fit(samples)
    total = {step: [float(computed(rates, of_sample(s), step)) for s in samples] for step in STEPS}
    errors = [sum(total[step][k] for step in STEPS) / sum(s[step] for step in STEPS) - 1 for k, s in enumerate(samples)]
    print(f"fit of {len(samples)} processes: median error {np.median(np.abs(errors)):.0%}, largest {max(np.abs(errors)):.0%}\n")
    result = {"rates": rates, "network": dataclasses.asdict(network), "fit_errors": errors}
    if arguments.weak:
        lines = []
        for word in arguments.weak:
            ranks, _, name = word.partition("=")
            if not ranks.isdecimal() or not name:
                raise SystemExit(f"mpi_replay: --weak: {word!r} is not N=MATRIX")
            lines.append(scaling(product(name), int(ranks), rates, network))
        show_scaling(lines, True)
        result["weak"] = lines
    else:
        p = product(*arguments.matrices)
        if arguments.check:
            result["check"] = [check(p, run, rates) for run in least_runs(map(read_json, arguments.check))]
            table(("processes", "bytes", "measured", "each exact", "work ms", "measured", "traffic ms", "measured",
                   "time predicted / measured", "wall ms"),
                  [(str(c["ranks"]), amount(c["bytes"]), amount(c["bytes_measured"]), "yes" if c["exact"] else "NO",
                    milliseconds(c["work"]), milliseconds(c["work_measured"]), milliseconds(c["traffic"]),
                    milliseconds(c["traffic_measured"]), f"{c['seconds'] / c['seconds_measured']:.2f}",
                    milliseconds(c["wall_measured"])) for c in result["check"]])
        else:
            result["strong"] = [scaling(p, n, rates, network) for n in arguments.ranks]
            show_scaling(result["strong"], False)
            print("\n" + ends(result["strong"]))
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(result, file, indent=1)


if __name__ == "__main__":
    sys.exit(main())
