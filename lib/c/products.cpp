#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>

#include "lib/c/inside.hpp"

namespace rowan::c {
namespace {

/// The caller's three arrays, freed unless all of a call succeeds.
class CallersArrays {
 public:
  explicit CallersArrays(const rowan_allocator& allocator) : allocator_(allocator) {}
  CallersArrays(const CallersArrays&) = delete;
  CallersArrays& operator=(const CallersArrays&) = delete;
  ~CallersArrays() {
    for (void* array : arrays_)
      if (array != nullptr && allocator_.free != nullptr) allocator_.free(array, allocator_.user);
  }
  void* make(std::size_t which, std::int64_t elements, std::size_t bytes_each) {
    const std::size_t bytes = std::max<std::size_t>(1, static_cast<std::size_t>(elements) * bytes_each);
    arrays_[which] = allocator_.allocate(bytes, allocator_.user);
    if (arrays_[which] == nullptr)
      throw Error(ErrorCode::out_of_memory, "the caller's allocator has no " + std::to_string(bytes) + " bytes");
    return arrays_[which];
  }
  void keep() noexcept { std::fill_n(arrays_, 3, nullptr); }

 private:
  const rowan_allocator& allocator_;
  void* arrays_[3] = {};
};

template <class P>
void copy_row_pointers(const Symbolic& sizes, void* to) {
  std::transform(sizes.row_ptr.begin(), sizes.row_ptr.end(), static_cast<P*>(to),
                 [](std::int64_t p) { return static_cast<P>(p); });
}

}  // namespace

rowan_options complete(const rowan_options* given) {
  rowan_options all;
  rowan_options_init(&all);
  if (given == nullptr) return all;
  if (given->size < sizeof(std::size_t) || given->size > 16 * sizeof all)
    refuse("options.size is " + std::to_string(given->size) + ": call rowan_options_init first");
  std::memcpy(&all, given, std::min(given->size, sizeof all));
  return all;
}

Options options_of(const rowan_options& given, const std::shared_ptr<const std::atomic<bool>>& cancelled) {
  const auto text = [](const char* t) { return t == nullptr ? std::string() : std::string(t); };
  if (given.backend < ROWAN_BACKEND_AUTOMATIC || given.backend > ROWAN_BACKEND_EMULATED)
    refuse("there is no backend " + std::to_string(static_cast<int>(given.backend)));
  if (given.device_count != 0 && given.devices == nullptr) refuse("options.devices is null, device_count is not 0");
  return {.backend = static_cast<Backend>(given.backend),
          .devices = {given.devices, given.devices + given.device_count},
          .threads = given.threads,
          .policy = text(given.policy),
          .model = text(given.model),
          .force = text(given.force),
          .deterministic = given.deterministic != 0,
          .unsorted = given.unsorted != 0,
          .memory_limit = given.memory_limit,
          .validate = given.validate != 0,
          .progress = [cancelled, call = given.progress, user = given.user](double done) {
            if (*cancelled || (call != nullptr && call(done, user) != 0))
              throw Error(ErrorCode::cancelled, "the call was cancelled");
          }};
}

const Context& context_of(const rowan_context* context) {
  const rowan_context& c = required(context, "context");
  if (*c.cancelled) throw Error(ErrorCode::cancelled, "the context was cancelled");
  return c.context;
}

void tell(const Stats& stats, rowan_stats* to) {
  if (to == nullptr) return;
  const auto flag = [](bool b) { return b ? 1 : 0; };
  rowan_stats all{.size = to->size,
                  .prepare = stats.prepare,
                  .features = stats.features,
                  .binning = stats.binning,
                  .deciding = stats.deciding,
                  .symbolic = stats.symbolic,
                  .numeric = stats.numeric,
                  .transfer = stats.transfer,
                  .total = stats.total,
                  .two_phase = flag(stats.method == Method::two_phase),
                  .sampled = flag(stats.sampled),
                  .small_product = flag(stats.small_product),
                  .threads = stats.threads,
                  .nprod = stats.nprod,
                  .nnz = stats.nnz,
                  .bytes_c = stats.bytes_c,
                  .bytes_temporary = stats.bytes_temporary,
                  .policy = {},
                  .device = {}};
  stats.policy.copy(all.policy, sizeof all.policy - 1);
  stats.device.copy(all.device, sizeof all.device - 1);
  std::memcpy(to, &all, std::min(to->size, sizeof all));
}

}  // namespace rowan::c

using rowan::c::context_of, rowan::c::emptied, rowan::c::for_type, rowan::c::guarded, rowan::c::refuse,
    rowan::c::required, rowan::c::view_of;

rowan_context::rowan_context(const rowan_options& options) : context(rowan::c::options_of(options, cancelled)) {}

void rowan_options_init(rowan_options* options) {
  if (options == nullptr) return;
  *options = {.size = sizeof(rowan_options),
              .backend = ROWAN_BACKEND_AUTOMATIC,
              .threads = 0,
              .policy = nullptr,
              .model = nullptr,
              .force = nullptr,
              .deterministic = 0,
              .memory_limit = 0,
              .validate = 1,
              .progress = nullptr,
              .user = nullptr,
              .devices = nullptr,
              .device_count = 0,
              .unsorted = 0};
}

rowan_status rowan_context_create(const rowan_options* options, rowan_context** context) {
  return guarded([&] {
    rowan_context*& out = emptied(context, "context");
    out = new rowan_context(rowan::c::complete(options));
  });
}

void rowan_context_cancel(rowan_context* context) {
  if (context != nullptr) *context->cancelled = true;
}

void rowan_context_free(rowan_context* context) {
  delete context;
}

rowan_status rowan_multiply(const rowan_context* context, const rowan_view* a, const rowan_view* b, rowan_matrix** c,
                            rowan_stats* stats) {
  return guarded([&] {
    rowan_matrix*& out = emptied(c, "c");
    const rowan_view &left = required(a, "a"), &right = required(b, "b");
    const rowan::Context& in = context_of(context);
    rowan::Stats mine;
    for_type(
        [&]<class T>(T) {
          if (left.col64 != nullptr || right.col64 != nullptr)
            out = new rowan_matrix{
                in.multiply(rowan::c::wide_view_of<T>(left, "A"), rowan::c::wide_view_of<T>(right, "B"), &mine)};
          else
            out = new rowan_matrix{in.multiply(view_of<T>(left, "A"), view_of<T>(right, "B"), &mine)};
        },
        left, {&right});
    rowan::c::tell(mine, stats);
  });
}

rowan_status rowan_multiply_add(const rowan_context* context, double alpha, const rowan_view* a, const rowan_view* b,
                                double beta, const rowan_view* e, rowan_matrix** c, rowan_stats* stats) {
  return guarded([&] {
    rowan_matrix*& out = emptied(c, "c");
    const rowan_view &left = required(a, "a"), &right = required(b, "b"), &added = required(e, "e");
    rowan::Stats mine;
    for_type(
        [&]<class T>(T) {
          out = new rowan_matrix{context_of(context).multiply_add(static_cast<T>(alpha), view_of<T>(left, "A"),
                                                                  view_of<T>(right, "B"), static_cast<T>(beta),
                                                                  view_of<T>(added, "E"), &mine)};
        },
        left, {&right, &added});
    rowan::c::tell(mine, stats);
  });
}

rowan_status rowan_galerkin(const rowan_context* context, const rowan_view* r, const rowan_view* a, const rowan_view* p,
                            rowan_matrix** c) {
  return guarded([&] {
    rowan_matrix*& out = emptied(c, "c");
    const rowan_view &middle = required(a, "a"), &right = required(p, "p"), &left = r == nullptr ? right : *r;
    const rowan::Context& in = context_of(context);
    for_type(
        [&]<class T>(T) {
          const rowan::CsrView<T> of_a = view_of<T>(middle, "A"), of_p = view_of<T>(right, "P");
          out =
              new rowan_matrix{r == nullptr ? in.galerkin(of_a, of_p) : in.galerkin(view_of<T>(left, "R"), of_a, of_p)};
        },
        middle, {&left, &right});
  });
}

rowan_status rowan_pattern(const rowan_context* context, const rowan_view* a, const rowan_view* b, rowan_matrix** c) {
  return guarded([&] {
    rowan_matrix*& out = emptied(c, "c");
    out = new rowan_matrix{context_of(context).pattern(rowan::c::pattern_of(required(a, "a"), "A"),
                                                       rowan::c::pattern_of(required(b, "b"), "B"))};
  });
}

rowan_status rowan_symbolic(const rowan_context* context, const rowan_view* a, const rowan_view* b,
                            rowan_sizes** sizes) {
  return guarded([&] {
    rowan_sizes*& out = emptied(sizes, "sizes");
    const rowan_view &left = required(a, "a"), &right = required(b, "b");
    for_type(
        [&]<class T>(T) {
          out = new rowan_sizes{context_of(context).symbolic(view_of<T>(left, "A"), view_of<T>(right, "B"))};
        },
        left, {&right});
  });
}

int64_t rowan_sizes_rows(const rowan_sizes* sizes) {
  return sizes == nullptr ? 0 : static_cast<int64_t>(sizes->of.row_ptr.size()) - 1;
}
int64_t rowan_sizes_nnz(const rowan_sizes* sizes) {
  return sizes == nullptr ? 0 : sizes->of.nnz;
}
int64_t rowan_sizes_nprod(const rowan_sizes* sizes) {
  return sizes == nullptr ? 0 : sizes->of.nprod;
}
const int64_t* rowan_sizes_row_ptr(const rowan_sizes* sizes) {
  return sizes == nullptr ? nullptr : sizes->of.row_ptr.data();
}
void rowan_sizes_free(rowan_sizes* sizes) {
  delete sizes;
}

rowan_status rowan_multiply_into(const rowan_context* context, const rowan_view* a, const rowan_view* b,
                                 const rowan_sizes* sizes, int32_t* col, void* val, rowan_stats* stats) {
  return guarded([&] {
    const rowan_view &left = required(a, "a"), &right = required(b, "b");
    const rowan::Symbolic& known = required(sizes, "sizes").of;
    const auto nnz = static_cast<std::size_t>(known.nnz);
    if (nnz != 0 && (col == nullptr || val == nullptr)) refuse("col or val is NULL");
    rowan::Stats mine;
    for_type(
        [&]<class T>(T) {
          context_of(context).multiply_into(view_of<T>(left, "A"), view_of<T>(right, "B"), known, {col, nnz},
                                            {static_cast<T*>(val), nnz}, &mine);
        },
        left, {&right});
    rowan::c::tell(mine, stats);
  });
}

rowan_status rowan_multiply_with(const rowan_context* context, const rowan_view* a, const rowan_view* b,
                                 const rowan_allocator* allocator, int row_ptr_bits, rowan_arrays* c,
                                 rowan_stats* stats) {
  return guarded([&] {
    required(c, "c") = {.rows = 0, .cols = 0, .nnz = 0, .row_ptr = nullptr, .col = nullptr, .val = nullptr};
    const rowan_view &left = required(a, "a"), &right = required(b, "b");
    if (required(allocator, "allocator").allocate == nullptr) refuse("allocator.allocate is NULL");
    if (row_ptr_bits != 32 && row_ptr_bits != 64)
      refuse("row_ptr_bits is " + std::to_string(row_ptr_bits) + ", it must be 32 or 64");
    const rowan::Context& in = context_of(context);
    rowan::Stats mine;
    for_type(
        [&]<class T>(T) {
          const rowan::CsrView<T> of_a = view_of<T>(left, "A"), of_b = view_of<T>(right, "B");
          const rowan::Symbolic sizes = in.symbolic(of_a, of_b);
          const auto rows = static_cast<std::int64_t>(sizes.row_ptr.size()) - 1;
          if (row_ptr_bits == 32 && sizes.nnz > std::numeric_limits<std::int32_t>::max())
            throw rowan::Error(rowan::ErrorCode::overflow,
                               std::to_string(sizes.nnz) + " entries of C do not fit 32-bit row pointers");
          rowan::c::CallersArrays arrays(*allocator);
          void* const row_ptr = arrays.make(0, rows + 1, row_ptr_bits == 32 ? 4 : 8);
          auto* const col = static_cast<std::int32_t*>(arrays.make(1, sizes.nnz, sizeof(std::int32_t)));
          auto* const val = static_cast<T*>(arrays.make(2, sizes.nnz, sizeof(T)));
          if (row_ptr_bits == 32)
            rowan::c::copy_row_pointers<std::int32_t>(sizes, row_ptr);
          else
            rowan::c::copy_row_pointers<std::int64_t>(sizes, row_ptr);
          const auto nnz = static_cast<std::size_t>(sizes.nnz);
          in.multiply_into(of_a, of_b, sizes, {col, nnz}, {val, nnz}, &mine);
          arrays.keep();
          *c = {.rows = rows,
                .cols = of_b.transposed ? of_b.rows : of_b.cols,
                .nnz = sizes.nnz,
                .row_ptr = row_ptr,
                .col = col,
                .val = val};
        },
        left, {&right});
    rowan::c::tell(mine, stats);
  });
}

rowan_status rowan_plan_create(const rowan_context* context, const rowan_view* a, const rowan_view* b,
                               rowan_plan** plan, rowan_matrix** c) {
  return guarded([&] {
    rowan_plan*& out = emptied(plan, "plan");
    if (c != nullptr) *c = nullptr;
    const rowan_view &left = required(a, "a"), &right = required(b, "b");
    const rowan::Context& in = context_of(context);
    for_type(
        [&]<class T>(T) {
          const rowan::CsrView<T> of_a = view_of<T>(left, "A"), of_b = view_of<T>(right, "B");
          if (c == nullptr) {
            out = new rowan_plan{in.plan(of_a, of_b)};
            return;
          }
          rowan::Csr<T> first;
          std::unique_ptr<rowan_plan> made(new rowan_plan{in.plan(of_a, of_b, first)});
          *c = new rowan_matrix{std::move(first)};
          out = made.release();
        },
        left, {&right});
  });
}

rowan_status rowan_plan_execute(const rowan_plan* plan, const rowan_view* a, const rowan_view* b, void* val,
                                int64_t nnz) {
  return guarded([&] {
    const rowan_view &left = required(a, "a"), &right = required(b, "b");
    const rowan::Plan& known = required(plan, "plan").of;
    if (nnz < 0 || (nnz != 0 && val == nullptr)) refuse("val is NULL, or nnz is negative");
    for_type(
        [&]<class T>(T) {
          known.execute(view_of<T>(left, "A"), view_of<T>(right, "B"),
                        std::span<T>(static_cast<T*>(val), static_cast<std::size_t>(nnz)));
        },
        left, {&right});
  });
}

rowan_status rowan_plan_view(const rowan_plan* plan, rowan_view* view) {
  return guarded([&] {
    const rowan::Plan& known = required(plan, "plan").of;
    required(view, "view") =
        rowan::c::pattern_with(known.rows(), known.cols(), known.nnz(), known.row_ptr().data(), known.col().data());
  });
}

void rowan_plan_free(rowan_plan* plan) {
  delete plan;
}
