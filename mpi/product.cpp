// A product's five steps: who needs which rows, how long they are, the rows themselves, one local multiplication, and C
// in two pieces. Columns are renumbered without changing their order, so a row's entries stay in the order of the whole
// matrix: bits do not depend on the number of processes.
#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "mpi/divide.hpp"
#include "mpi/moves.hpp"
#include "mpi/numbering.hpp"
#include <rowan/error.hpp>
#include <rowan/operations.hpp>

namespace rowan::mpi {
namespace {

class Stopwatch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(since_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

void require(bool holds, const std::string& message) {
  if (!holds) throw Error(ErrorCode::invalid_argument, message);
}

template <class T>
void check(const RowsView<T>& m, const std::string& name, int rank, int ranks, bool entries) {
  require(m.rows.ranks() == ranks && m.cols.ranks() == ranks,
          name + ": its layouts are not of the communicator's " + std::to_string(ranks) + " processes");
  require(!m.own.transposed && !m.others.transposed, name + ": pieces of a row cannot be transposed");
  require(m.own.rows == m.rows.own(rank) && m.others.rows == m.rows.own(rank),
          name + ": its pieces have " + std::to_string(m.own.rows) + " and " + std::to_string(m.others.rows) +
              " rows, its layout gives rank " + std::to_string(rank) + " " + std::to_string(m.rows.own(rank)));
  require(m.own.cols == m.cols.own(rank), name + ": its own piece has " + std::to_string(m.own.cols) +
                                              " columns, its layout gives rank " + std::to_string(rank) + " " +
                                              std::to_string(m.cols.own(rank)));
  require(m.others.cols == static_cast<std::int64_t>(m.names.size()),
          name + ": the columns of its piece of others are not as many as their names");
  if (!entries) return;
  for (std::size_t k = 0; k < m.names.size(); k++) {
    const std::int64_t c = m.names[k];
    require(c >= 0 && c < m.cols.all() && (c < m.cols.begin(rank) || c >= m.cols.end(rank)),
            name + ": the name " + std::to_string(c) + " is no column of another process");
    require(k == 0 || c > m.names[k - 1], name + ": names of columns do not rise at " + std::to_string(c));
  }
  validate(m.own, (name + "'s own columns").c_str());
  validate(m.others, (name + "'s columns of other processes").c_str());
}

/// Rows of this process with rows of others around them: those of lower ranks first.
template <class T>
struct Assembled {
  std::int64_t cols = 0;
  bool in_place = false;  // the operand's own piece is all there is
  Array<std::int64_t> row_ptr = {};
  Array<Column> col = {};
  Array<T> val = {};
  std::int64_t own_at = 0, own_end = 0;  // the entries of own rows
  Peers below = {}, above = {};          // from whom entries come

  /// Memory and row pointers, from the lengths of the rows received.
  template <class Length>
  void reserve(std::int64_t own_rows, const Length& length, const Moves& moves,
               std::span<const std::int64_t> received) {
    row_ptr = Array<std::int64_t>::zeroed(own_rows + static_cast<std::int64_t>(received.size()) + 1);
    std::int64_t* next = row_ptr.data();
    const auto add = [&](std::int64_t n) { next[1] = next[0] + n, next++; };
    const auto first = static_cast<std::size_t>(moves.received_below);
    for (const std::int64_t n : received.first(first)) add(n);
    own_at = *next;
    for (std::int64_t r = 0; r < own_rows; r++) add(length(r));
    own_end = *next;
    for (const std::int64_t n : received.subspan(first)) add(n);
    col = Array<Column>(*next), val = Array<T>(*next);
  }
  /// Where the entries received from each process go.
  void place(const Parts& parts) {
    for (std::size_t k = 0; k < parts.from.count(); k++)
      (parts.from.begin[k] < own_at ? below : above)
          .add(parts.from.rank[k], parts.from.begin[k + 1] - parts.from.begin[k]);
  }
  void receive_columns(Messages& messages) {
    messages.receive(below, col.data());
    messages.receive(above, col.data() + own_end);
  }
  void receive_values(Messages& messages) {
    messages.receive(below, val.data());
    messages.receive(above, val.data() + own_end);
  }
  [[nodiscard]] CsrView<T> view(const CsrView<T>& operand) const {
    if (in_place) return operand;
    return {.rows = static_cast<std::int64_t>(row_ptr.size()) - 1,
            .cols = cols,
            .row_ptr = std::span<const std::int64_t>(row_ptr.span()),
            .col = col.span(),
            .val = val.span()};
  }
};

/// The entries of a row of `others` whose columns are those of one process: part of AᵀB's A.
template <class T, class F>
void for_part(const RowsView<T>& m, std::int64_t row, const Layout& cols, int rank, const F& f) {
  for (std::int64_t k = m.others.row_ptr[row]; k < m.others.row_ptr[row + 1]; k++) {
    const std::int64_t name = m.names[static_cast<std::size_t>(m.others.col[static_cast<std::size_t>(k)])];
    if (name >= cols.begin(rank) && name < cols.end(rank)) f(static_cast<Column>(name - cols.begin(rank)), k);
  }
}

/// Calls f(row, rank) for each row sent, in the order of sending.
template <class F>
void for_sent(const Moves& moves, const F& f) {
  for (std::size_t k = 0; k < moves.to.count(); k++)
    for (std::int64_t i = moves.to.begin[k]; i < moves.to.begin[k + 1]; i++)
      f(moves.sent[static_cast<std::size_t>(i)], moves.to.rank[k]);
}

Column narrow(std::int64_t n, const char* what) {
  if (n > std::numeric_limits<Column>::max())
    throw Error(ErrorCode::overflow, std::string("one process needs ") + std::to_string(n) + " " + what +
                                         ", more than 2^31 - 1: use more processes");
  return static_cast<Column>(n);
}

}  // namespace

template <class T>
struct Product<T>::State {
  State(const Context& context_of_caller, const Communicator& all, bool transposed_product)
      : context(context_of_caller), comm(all), transposed(transposed_product) {}

  void compute(const RowsView<T>& left, const RowsView<T>& right, bool validated) {
    Stopwatch watch;
    comm.together([&] {
      check(left, "A", comm.rank(), comm.size(), validated);
      check(right, "B", comm.rank(), comm.size(), validated);
      if (transposed)
        require(left.rows == right.rows, "A and B have different layouts of rows");
      else
        require(left.cols == right.rows, "A's layout of columns is not B's of rows");
      c_rows = transposed ? left.cols : left.rows, c_cols = right.cols;
    });
    moves = transposed ? push(comm, left) : pull(comm, right.rows, left.names);
    const Pieces<T> of_a(left, comm.rank()), of_b(right, comm.rank());
    send_lengths(left, of_b);
    stats.exchange += watch.lap();
    if (c_cols.all() <= std::numeric_limits<std::int32_t>::max())
      assemble<std::int32_t>(left, right, of_a, of_b, watch);
    else
      assemble<std::int64_t>(left, right, of_a, of_b, watch);
    comm.together([&] {
      const Column own = narrow(c_cols.own(comm.rank()), "own columns");
      DividedCsr<T> c =
          context.multiply_divided(a_of(left), b.view(right.own), {low, static_cast<Column>(low + own)}, &stats.local);
      watch.lap();
      pieces = divided(std::move(c), low, names);
      own_nnz = pieces.own.nnz(), others_nnz = pieces.others.nnz();
      stats.divide = watch.lap();
    });
    stats.rows_received = moves.received();
  }

  CsrView<T> a_of(const RowsView<T>& left) const {
    const CsrView<T> view = a.view(left.own);
    return transposed ? rowan::transposed(view) : view;
  }

  void send_lengths(const RowsView<T>& left, const Pieces<T>& of_b) {
    std::vector<std::int64_t> lengths_a, lengths_b;
    comm.together([&] {
      lengths_b.reserve(moves.sent.size());
      for_sent(moves, [&](Column r, int) { lengths_b.push_back(of_b.length(r)); });
      if (!transposed) return;
      lengths_a.reserve(moves.sent.size());
      for_sent(moves, [&](Column r, int rank) {
        std::int64_t n = 0;
        for_part(left, r, left.cols, rank, [&](Column, std::int64_t) { n++; });
        lengths_a.push_back(n);
      });
    });
    parts_b = parts_of(comm, moves, std::move(lengths_b));
    if (transposed) parts_a = parts_of(comm, moves, std::move(lengths_a));
  }

  /// A and B of the local multiplication. `Wire` is the type of columns in messages.
  template <class Wire>
  void assemble(const RowsView<T>& left, const RowsView<T>& right, const Pieces<T>& of_a, const Pieces<T>& of_b,
                Stopwatch& watch) {
    std::vector<Wire> sent, received;
    std::vector<Column> sent_a;
    Messages messages(comm);
    comm.together([&] {
      messages.reserve({&parts_b.from, &parts_b.from, &parts_a.from, &parts_a.from, &parts_b.to, &parts_b.to,
                        &parts_a.to, &parts_a.to});
      prepare_a(left, of_a, right.rows.own(comm.rank()));
      b.in_place = moves.received() == 0 && right.names.empty();
      if (!b.in_place)
        b.reserve(
            of_b.rows(), [&](std::int64_t r) { return of_b.length(r); }, moves, parts_b.lengths);
      b.place(parts_b);
      sent.resize(static_cast<std::size_t>(parts_b.to.all()));
      received.resize(static_cast<std::size_t>(parts_b.from.all()));
      Wire* to = sent.data();
      const Wire first = static_cast<Wire>(c_cols.begin(comm.rank()));
      for_sent(moves, [&](Column r, int) { to = of_b.columns(r, first, right.names, to); });
      if (transposed)
        for_sent(moves, [&](Column r, int rank) {
          for_part(left, r, left.cols, rank, [&](Column c, std::int64_t) { sent_a.push_back(c); });
        });
      pack_values(left, of_b);
    });
    stats.assemble += watch.lap();
    // received in the order in which they are sent
    messages.receive(parts_b.from, received.data());
    if (transposed && !a.in_place) a.receive_columns(messages);
    receive_values(messages);
    messages.send(parts_b.to, sent.data());
    messages.send(parts_a.to, sent_a.data());
    send_values(messages);
    stats.exchange += watch.lap();
    own_a(left, of_a);  // while the others' rows travel
    own_b_values(of_b);
    stats.assemble += watch.lap();
    stats.bytes_received = messages.bytes_received(), stats.bytes_sent = messages.bytes_sent();
    messages.wait();
    stats.exchange += watch.lap();
    comm.together([&] { number_columns(right, of_b, received); });
    stats.assemble += watch.lap();
  }

  void prepare_a(const RowsView<T>& left, const Pieces<T>& of_a, std::int64_t b_rows) {
    if (transposed) {
      a.in_place = moves.received() == 0;
      a.cols = narrow(left.cols.own(comm.rank()), "rows of C");
      if (!a.in_place)
        a.reserve(
            left.own.rows, [&](std::int64_t r) { return left.own.row_ptr[r + 1] - left.own.row_ptr[r]; }, moves,
            parts_a.lengths);
      a.place(parts_a);
      return;
    }
    a.in_place = left.names.empty();
    a.cols = narrow(b_rows + static_cast<std::int64_t>(left.names.size()), "rows of B");
    if (!a.in_place) a.reserve(of_a.rows(), [&](std::int64_t r) { return of_a.length(r); }, Moves{}, {});
    // rows of B are numbered as they are assembled: lower ranks', own, higher ranks'
    row_numbers.resize(left.names.size());
    for (Column k = 0; k < std::ssize(row_numbers); k++)
      row_numbers[static_cast<std::size_t>(k)] = k < of_a.low() ? k : k + static_cast<Column>(b_rows);
  }

  /// The own rows of A's columns and values.
  void own_a(const RowsView<T>& left, const Pieces<T>& of_a) {
    if (a.in_place) return;
    Column* to = a.col.data() + a.own_at;
    if (transposed)
      std::ranges::copy(left.own.col, to);
    else
      of_a.all_columns(of_a.low(), std::span<const Column>(row_numbers), to);
    own_a_values(left, of_a);
  }
  void own_a_values(const RowsView<T>& left, const Pieces<T>& of_a) {
    if (a.in_place) return;
    T* to = a.val.data() + a.own_at;
    if (transposed)
      std::ranges::copy(left.own.val, to);
    else
      of_a.all_values(to);
  }
  void own_b_values(const Pieces<T>& of_b) {
    if (b.in_place) return;
    of_b.all_values(b.val.data() + b.own_at);
  }

  void pack_values(const RowsView<T>& left, const Pieces<T>& of_b) {
    packed.resize(static_cast<std::size_t>(parts_b.to.all() + parts_a.to.all()));
    T* to = packed.data();
    for_sent(moves, [&](Column r, int) { to = of_b.values(r, to); });
    if (!transposed) return;
    for_sent(moves, [&](Column r, int rank) {
      for_part(left, r, left.cols, rank,
               [&](Column, std::int64_t k) { *to++ = left.others.val[static_cast<std::size_t>(k)]; });
    });
  }
  void receive_values(Messages& messages) {
    if (!b.in_place) b.receive_values(messages);
    if (transposed && !a.in_place) a.receive_values(messages);
  }
  void send_values(Messages& messages) {
    messages.send(parts_b.to, packed.data());
    messages.send(parts_a.to, packed.data() + parts_b.to.all());
  }

  /// B's columns: those of lower ranks, own ones, those of higher ranks, in their order.
  template <class Wire>
  void number_columns(const RowsView<T>& right, const Pieces<T>& of_b, const std::vector<Wire>& received) {
    const ColumnNames numbering(std::span<const Wire>(received), right.names, c_cols.begin(comm.rank()),
                                c_cols.end(comm.rank()), c_cols.all());
    names = numbering.names();
    b.cols = narrow(c_cols.own(comm.rank()) + static_cast<std::int64_t>(names.size()), "columns of B");
    low = static_cast<Column>(numbering.low());
    if (b.in_place) return;
    std::vector<Column> numbers;
    numbers.reserve(right.names.size());
    for (const std::int64_t name : right.names) numbers.push_back(numbering(name));
    of_b.all_columns(low, std::span<const Column>(numbers), b.col.data() + b.own_at);
    const std::span<const Wire> below(received.data(), static_cast<std::size_t>(b.own_at));
    const std::span<const Wire> above = std::span<const Wire>(received).subspan(below.size());
    std::ranges::transform(below, b.col.data(), std::cref(numbering));
    std::ranges::transform(above, b.col.data() + b.own_end, std::cref(numbering));
  }

  void execute(const RowsView<T>& left, const RowsView<T>& right, std::span<T> own, std::span<T> others) {
    const Pieces<T> of_a(left, comm.rank()), of_b(right, comm.rank());
    Messages messages(comm);
    comm.together([&] {
      messages.reserve({&parts_b.from, &parts_a.from, &parts_b.to, &parts_a.to});
      require(
          static_cast<std::int64_t>(own.size()) == own_nnz && static_cast<std::int64_t>(others.size()) == others_nnz,
          "C's values are not as many as the product has");
      pack_values(left, of_b);
    });
    receive_values(messages);
    send_values(messages);
    own_a_values(left, of_a);
    own_b_values(of_b);
    messages.wait();
    comm.together([&] {
      const CsrView<T> va = a_of(left), vb = b.view(right.own);
      if (!plan) plan = context.plan(pattern_view(va), pattern_view(vb));
      if (pieces.low.empty()) {
        plan->execute(va, vb, own);
      } else {
        scratch.resize(static_cast<std::size_t>(plan->nnz()));
        plan->execute(va, vb, std::span<T>(scratch));
        divide_values(plan->row_ptr(), scratch.data(), pieces, own.data(), others.data());
      }
    });
  }

  Context context;
  Communicator comm;
  bool transposed;
  Layout c_rows = {}, c_cols = {};
  Moves moves = {};
  Parts parts_a = {}, parts_b = {};
  Assembled<T> a = {}, b = {};
  std::vector<Column> row_numbers = {};
  std::vector<T> packed = {}, scratch = {};
  std::vector<std::int64_t> names = {};  // of B's columns that are other processes'
  Column low = 0;                        // of which lie below the own ones
  Divided<T> pieces = {};
  std::int64_t own_nnz = 0, others_nnz = 0;
  std::optional<Plan> plan = {};
  ProductStats stats = {};
};

template <class T>
static std::unique_ptr<typename Product<T>::State> computed(const Context& context, MPI_Comm caller, bool transposed,
                                                            const RowsView<T>& a, const RowsView<T>& b, bool validate) {
  const Communicator comm(caller);
  std::unique_ptr<typename Product<T>::State> state;
  comm.together([&] { state = std::make_unique<typename Product<T>::State>(context, comm, transposed); });
  state->compute(a, b, validate);
  return state;
}

template <class T>
Product<T> Product<T>::multiply(const Context& context, MPI_Comm comm, const RowsView<T>& a, const RowsView<T>& b,
                                bool validate) {
  return Product(computed(context, comm, false, a, b, validate));
}
template <class T>
Product<T> Product<T>::transposed_multiply(const Context& context, MPI_Comm comm, const RowsView<T>& a,
                                           const RowsView<T>& b, bool validate) {
  return Product(computed(context, comm, true, a, b, validate));
}
template <class T>
Product<T>::Product(std::unique_ptr<State> state) : state_(std::move(state)) {}
template <class T>
Product<T>::Product(Product&&) noexcept = default;
template <class T>
Product<T>& Product<T>::operator=(Product&&) noexcept = default;
template <class T>
Product<T>::~Product() = default;

template <class T>
Rows<T> Product<T>::take() {
  State& s = *state_;
  return {.rows = s.c_rows,
          .cols = s.c_cols,
          .own = std::move(s.pieces.own),
          .others = std::move(s.pieces.others),
          .names = std::move(s.pieces.names)};
}
template <class T>
void Product<T>::execute(const RowsView<T>& a, const RowsView<T>& b, std::span<T> own, std::span<T> others) {
  state_->execute(a, b, own, others);
}
template <class T>
const ProductStats& Product<T>::stats() const noexcept {
  return state_->stats;
}

template <class T>
struct GalerkinProduct<T>::State {
  std::optional<Product<T>> ap = {};
  Rows<T> middle = {};
  RowsView<T> view = {};  // of it
  std::optional<Product<T>> rap = {};
};

template <class T>
GalerkinProduct<T>::GalerkinProduct(const Context& context, MPI_Comm comm, const RowsView<T>& a, const RowsView<T>& p,
                                    bool validate) {
  const Communicator all(comm);
  all.together([&] { state_ = std::make_unique<State>(); });
  State& s = *state_;
  s.ap = Product<T>::multiply(context, comm, a, p, validate);
  all.together([&] { s.middle = s.ap->take(), s.view = s.middle; });
  s.rap = Product<T>::transposed_multiply(context, comm, p, s.view, false);
}
template <class T>
GalerkinProduct<T>::GalerkinProduct(GalerkinProduct&&) noexcept = default;
template <class T>
GalerkinProduct<T>& GalerkinProduct<T>::operator=(GalerkinProduct&&) noexcept = default;
template <class T>
GalerkinProduct<T>::~GalerkinProduct() = default;

template <class T>
Rows<T> GalerkinProduct<T>::take() {
  return state_->rap->take();
}
template <class T>
void GalerkinProduct<T>::execute(const RowsView<T>& a, const RowsView<T>& p, std::span<T> own, std::span<T> others) {
  State& s = *state_;
  s.ap->execute(a, p, s.middle.own.val(), s.middle.others.val());
  s.rap->execute(p, s.view, own, others);
}
template <class T>
const ProductStats& GalerkinProduct<T>::first() const noexcept {
  return state_->ap->stats();
}
template <class T>
const ProductStats& GalerkinProduct<T>::second() const noexcept {
  return state_->rap->stats();
}

template class Product<float>;
template class Product<double>;
template class GalerkinProduct<float>;
template class GalerkinProduct<double>;

}  // namespace rowan::mpi
