#pragma once
// What C's handles are inside, and how C's views and errors become C++'s and back. Nothing here but the public
// interface of C++ is used.
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <rowan/rowan.h>
#include <rowan/rowan.hpp>

struct rowan_matrix {
  std::variant<rowan::Csr<double>, rowan::Csr<float>, rowan::WideCsr<double>, rowan::WideCsr<float>, rowan::CsrPattern>
      of;
};

struct rowan_context {
  // the progress of the context looks at it, and plans keep that when the context is freed
  std::shared_ptr<std::atomic<bool>> cancelled = std::make_shared<std::atomic<bool>>(false);
  rowan::Context context;

  explicit rowan_context(const rowan_options& options);
};

struct rowan_sizes {
  rowan::Symbolic of;
};

struct rowan_plan {
  rowan::Plan of;
};

struct rowan_inspection {
  rowan::Inspection of;
  std::vector<std::string> why;  // of each bin, in one text
};

struct rowan_device {
  rowan::DeviceContext of;
};

struct rowan_device_matrix {
  std::variant<rowan::DeviceMatrix<double>, rowan::DeviceMatrix<float>> of;
};

struct rowan_device_plan {
  std::variant<rowan::DevicePlan<double>, rowan::DevicePlan<float>> of;
};

namespace rowan::c {

[[noreturn]] inline void refuse(const std::string& what) {
  throw Error(ErrorCode::invalid_argument, what);
}

/// Remembers what the thread's last call ran into.
rowan_status failed(rowan_status status, const char* message) noexcept;
/// The status of the exception that is being handled.
rowan_status handled() noexcept;

/// Every call's body: no exception leaves it.
template <class F>
rowan_status guarded(const F& f) noexcept {
  try {
    f();
    return ROWAN_OK;
  } catch (...) {
    return handled();
  }
}

template <class P>
P& required(P* pointer, const char* name) {
  if (pointer == nullptr) refuse(std::string(name) + " is NULL");
  return *pointer;
}

/// A result's place, which is NULL until there is one.
template <class H>
H*& emptied(H** place, const char* name) {
  required(place, name) = nullptr;
  return *place;
}

/// The caller's view; throws where it contradicts itself.
template <class T>
[[nodiscard]] CsrView<T> view_of(const rowan_view& v, const char* name);
template <class T>
[[nodiscard]] WideCsrView<T> wide_view_of(const rowan_view& v, const char* name);
[[nodiscard]] PatternView pattern_of(const rowan_view& v, const char* name);

/// A view of rowan's own arrays, without values.
[[nodiscard]] rowan_view pattern_with(std::int64_t rows, std::int64_t cols, std::int64_t nnz,
                                      const std::int64_t* row_ptr, const Column* col) noexcept;

/// f(T{}) for the type that all have; throws where they differ.
template <class F>
void for_type(const F& f, const rowan_view& first, std::initializer_list<const rowan_view*> others) {
  for (const rowan_view* other : others)
    if (other->type != first.type) refuse("A and another operand have values of different types");
  if (first.type == ROWAN_FLOAT64)
    f(double{});
  else if (first.type == ROWAN_FLOAT32)
    f(float{});
  else
    refuse("there is no type " + std::to_string(static_cast<int>(first.type)));
}

/// The caller's options; what an older caller's struct does not have is as rowan_options_init sets it.
[[nodiscard]] rowan_options complete(const rowan_options* given);
[[nodiscard]] Options options_of(const rowan_options& given, const std::shared_ptr<const std::atomic<bool>>& cancelled);

/// What a handle holds; throws where it is NULL, or was cancelled.
[[nodiscard]] const Context& context_of(const rowan_context* context);

/// An inspection, its reasons as texts.
[[nodiscard]] rowan_inspection* inspection_of(Inspection all);

/// Copies what fits into a struct of the caller's version.
void tell(const Stats& stats, rowan_stats* to);

}  // namespace rowan::c
