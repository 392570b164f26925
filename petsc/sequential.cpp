// Products of SeqAIJ matrices: AB, AtB, ABt by multiply, PtAP, RARt and ABC by galerkin; values again by a plan. C is
// rowan's memory, not a copy.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "petsc/hooks.hpp"
#include "petsc/settings.hpp"
#include <rowan/operations.hpp>

namespace rowan::petsc {

Hook sequential_before = nullptr;

namespace {

using View = CsrView<PetscScalar>;

/// first · second, or first · second · third.
struct Factors {
  std::array<Operand, 3> kept = {};  // what views may point into
  View first = {}, second = {}, third = {};
  bool three = false;
};

Factors factors_of(MatProductType type, Mat a, Mat b, Mat c) {
  Factors f{.kept = {Operand(a), Operand(b)}};
  if (c != nullptr) f.kept[2] = Operand(c);
  const View &va = f.kept[0].view(), &vb = f.kept[1].view(), &vc = f.kept[2].view();
  switch (type) {
    case MATPRODUCT_AB:
      f.first = va, f.second = vb;
      break;
    case MATPRODUCT_AtB:
      f.first = transposed(va), f.second = vb;
      break;
    case MATPRODUCT_ABt:
      f.first = va, f.second = transposed(vb);
      break;
    case MATPRODUCT_PtAP:
      f.first = transposed(vb), f.second = va, f.third = vb, f.three = true;
      break;
    case MATPRODUCT_RARt:
      f.first = vb, f.second = va, f.third = transposed(vb), f.three = true;
      break;
    default:
      f.first = va, f.second = vb, f.third = vc, f.three = true;
      break;
  }
  return f;
}

bool known(MatProductType type) {
  switch (type) {
    case MATPRODUCT_AB:
    case MATPRODUCT_AtB:
    case MATPRODUCT_ABt:
    case MATPRODUCT_PtAP:
    case MATPRODUCT_RARt:
    case MATPRODUCT_ABC:
      return true;
    default:
      return false;
  }
}

/// Products of A·B, or an estimate where an operand is transposed; O(nnz(A)).
std::int64_t products_of(const View& a, const View& b) {
  const auto average = [](const View& m) {
    const std::int64_t rows = m.transposed ? m.cols : m.rows;
    return rows == 0 ? 0.0 : static_cast<double>(m.nnz()) / static_cast<double>(rows);
  };
  if (a.transposed || b.transposed) return static_cast<std::int64_t>(static_cast<double>(a.nnz()) * average(b));
  std::int64_t n = 0;
  for (const Column c : a.col) n += b.row_ptr[c + 1] - b.row_ptr[c];
  return n;
}

/// Whose rows and columns C's are, for block sizes.
std::pair<PetscInt, PetscInt> block_sizes(const Mat_Product& p) {
  switch (p.type) {
    case MATPRODUCT_AB:
      return {p.A->rmap->bs, p.B->cmap->bs};
    case MATPRODUCT_AtB:
      return {p.A->cmap->bs, p.B->cmap->bs};
    case MATPRODUCT_ABt:
      return {p.A->rmap->bs, p.B->rmap->bs};
    case MATPRODUCT_PtAP:
      return {p.B->cmap->bs, p.B->cmap->bs};
    case MATPRODUCT_RARt:
      return {p.B->rmap->bs, p.B->rmap->bs};
    default:
      return {p.A->rmap->bs, p.C->cmap->bs};
  }
}

/// What C remembers between its phases.
struct Sequential {
  std::shared_ptr<Piece> c = {};
  std::optional<Plan> plan = {};
  std::optional<GalerkinPlan> galerkin_plan = {};
  bool has_values = false;  // C has the product of operands in these states
  States states = {};

  [[nodiscard]] bool planned() const { return plan || galerkin_plan; }
  void make_plan(const Factors& f) {
    if (f.three)
      galerkin_plan = context().plan_galerkin(f.first, f.second, f.third);
    else
      plan = context().plan(pattern_view(f.first), pattern_view(f.second));
  }
  /// The plan and its first product: together little more than a multiplication.
  [[nodiscard]] Csr<PetscScalar> plan_and_multiply(const Factors& f) {
    Csr<PetscScalar> product;
    if (f.three)
      galerkin_plan = context().plan_galerkin(f.first, f.second, f.third, &product);
    else
      plan = context().plan(f.first, f.second, product);
    return product;
  }
  void execute(const Factors& f, std::span<PetscScalar> val) const {
    if (f.three)
      galerkin_plan->execute(f.first, f.second, f.third, val);
    else
      plan->execute(f.first, f.second, val);
  }
};

void multiply(const Factors& f, const Mat_Product& product, Sequential& to, Done& done) {
  Csr<PetscScalar> c;
  std::int64_t nprod = 0;
  {
    const Timed timed(settings().multiply, done.multiply);
    if (f.three) {
      GalerkinStats stats;
      c = context().galerkin(f.first, f.second, f.third, &stats);
      nprod = stats.nprod_ap + stats.nprod_rap;
      if (settings().view)
        say(PETSC_COMM_SELF, std::string(MatProductTypes[product.type]) + ": " + std::to_string(nprod) + " products, " +
                                 (stats.fused ? "fused" : "two products") + ": " + stats.reason);
    } else {
      Stats stats;
      c = context().multiply(f.first, f.second, &stats);
      nprod = stats.nprod;
    }
    check(PetscLogFlops(2 * static_cast<PetscLogDouble>(nprod)));
  }
  if (settings().view && !f.three)
    say(PETSC_COMM_SELF, std::string(MatProductTypes[product.type]) + ": " + described(f.first, f.second));
  to.c = std::make_shared<Piece>(piece_of(std::move(c)));
}

/// Values in the order of what the product made, into C, to which entries may have been added since.
void put(std::span<const PetscScalar> values, Mat c, const Piece& made) {
  if (points_into(c, made)) {
    const Writing writing(c);
    std::ranges::copy(values, writing.get());
  } else {
    scatter(made, nullptr, values.data(), c, nullptr);
  }
}

void again(Mat c, const Factors& f, Sequential& s, Done& done) {
  done.again++;
  if (!s.planned()) {
    const Timed timed(settings().plan, done.plan);
    const Csr<PetscScalar> product = s.plan_and_multiply(f);
    put(product.val(), c, *s.c);
    return;
  }
  const Timed timed(settings().values, done.values);
  if (points_into(c, *s.c)) {
    const Writing writing(c);
    s.execute(f, {writing.get(), s.c->val.size()});
  } else {
    std::vector<PetscScalar> values(s.c->val.size());
    s.execute(f, values);
    put(values, c, *s.c);
  }
}

PetscErrorCode numeric(Mat c) {
  return guarded(c, [&] {
    Mat_Product& product = *c->product;
    auto& s = *static_cast<Sequential*>(product.data);
    const States now(product);
    if (std::exchange(s.has_values, false) && now == s.states) return;
    again(c, factors_of(product.type, product.A, product.B, product.C), s, settings().done[0][product.type]);
  });
}

/// Entries of PETSc's tables that take operands besides C: products of other kinds call them.
template <MatProductType type>
PetscErrorCode numeric_of(Mat a, Mat b, Mat c) {
  return guarded(c, [&] {
    auto& s = *static_cast<Sequential*>(c->product->data);
    s.has_values = false;
    again(c, factors_of(type, a, b, nullptr), s, settings().done[0][type]);
  });
}

PetscErrorCode symbolic(Mat c) {
  return guarded(c, [&] {
    Mat_Product& product = *c->product;
    Done& done = settings().done[0][product.type];
    const Factors f = factors_of(product.type, product.A, product.B, product.C);
    const std::int64_t least = settings().least_products;
    if (wants_diagonal(c) ||
        (least > 0 && products_of(f.first, f.second) + (f.three ? products_of(f.second, f.third) : 0) < least)) {
      done.left++;
      leave(c, sequential_before);
      return;
    }
    auto s = std::make_unique<Sequential>();
    if (product.api_user) {  // operands have their values already
      multiply(f, product, *s, done);
      s->has_values = true, s->states = States(product);
    } else {
      const Timed timed(settings().plan, done.plan);
      s->make_plan(f);
      s->c = std::make_shared<Piece>(f.three ? piece_of(s->galerkin_plan->row_ptr(), s->galerkin_plan->col())
                                             : piece_of(s->plan->row_ptr(), s->plan->col()));
    }
    const View &left = f.first, &right = f.three ? f.third : f.second;
    Mat d = nullptr;
    check(MatCreateSeqAIJWithArrays(PetscObjectComm(reinterpret_cast<PetscObject>(c)),
                                    static_cast<PetscInt>(left.transposed ? left.cols : left.rows),
                                    static_cast<PetscInt>(right.transposed ? right.rows : right.cols),
                                    s->c->row_ptr.data(), s->c->col.data(), s->c->val.data(), &d));
    keep(d, s->c);
    const auto [rows, cols] = block_sizes(product);
    check(MatSetBlockSizes(d, rows, cols));
    become(c, d);
    install(c, symbolic, numeric, std::move(s));
    // a fresh table's matmultnumeric calls itself through the table
    switch (product.type) {
      case MATPRODUCT_AB:
        c->ops->matmultnumeric = numeric_of<MATPRODUCT_AB>;
        break;
      case MATPRODUCT_AtB:
        c->ops->transposematmultnumeric = numeric_of<MATPRODUCT_AtB>;
        break;
      case MATPRODUCT_ABt:
        c->ops->mattransposemultnumeric = numeric_of<MATPRODUCT_ABt>;
        break;
      case MATPRODUCT_PtAP:
        c->ops->ptapnumeric = numeric_of<MATPRODUCT_PtAP>;
        break;
      case MATPRODUCT_RARt:
        c->ops->rartnumeric = numeric_of<MATPRODUCT_RARt>;
        break;
      default:
        break;
    }
    done.products++;
  });
}

}  // namespace

PetscErrorCode sequential_hook(Mat c) {
  PetscFunctionBegin;
  const Mat_Product& product = *c->product;
  bool ours = settings().sequential && known(product.type);
  PetscCall(guarded(c, [&] {
    ours = ours && all_of_type(product, MATSEQAIJ) && fits(product.A) && fits(product.B) &&
           (product.C == nullptr || fits(product.C)) && !names_algorithm(c);
  }));
  PetscCall(take_or_leave(c, ours, symbolic, sequential_before));
  PetscFunctionReturn(no_error);
}

}  // namespace rowan::petsc
