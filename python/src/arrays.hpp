#pragma once
// numpy's arrays as rowan's, and back, without copies.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <rowan/rowan.hpp>

namespace pyrowan {

namespace py = pybind11;

[[noreturn]] inline void refuse(const std::string& what) {
  throw rowan::Error(rowan::ErrorCode::invalid_argument, what);
}

/// The elements of a one-dimensional contiguous array of V.
template <class V>
std::span<const V> elements(const py::array& array, const char* name) {
  if (!py::isinstance<py::array_t<V>>(array) || array.ndim() != 1 || (array.flags() & py::array::c_style) == 0)
    refuse(std::string(name) + " is not a contiguous array of one dimension and " +
           std::string(py::str(py::dtype::of<V>())));
  return {static_cast<const V*>(array.data()), static_cast<std::size_t>(array.size())};
}

inline rowan::RowPointers row_pointers(const py::array& indptr) {
  if (py::isinstance<py::array_t<std::int32_t>>(indptr)) return elements<std::int32_t>(indptr, "indptr");
  return elements<std::int64_t>(indptr, "indptr");
}

/// A matrix as Python hands it over: stored rows and columns, three arrays, and whether they are of the transpose.
struct Operand {
  std::int64_t rows, cols;
  py::array indptr, indices, data;
  bool transposed;

  [[nodiscard]] bool wide() const { return py::isinstance<py::array_t<std::int64_t>>(indices); }
  [[nodiscard]] bool single_precision() const { return py::isinstance<py::array_t<float>>(data); }

  template <class T>
  [[nodiscard]] rowan::CsrView<T> view() const {
    return {.rows = rows,
            .cols = cols,
            .row_ptr = row_pointers(indptr),
            .col = elements<rowan::Column>(indices, "indices"),
            .val = elements<T>(data, "data"),
            .transposed = transposed};
  }
  template <class T>
  [[nodiscard]] rowan::WideCsrView<T> wide_view() const {
    return {.rows = rows,
            .cols = cols,
            .row_ptr = row_pointers(indptr),
            .col = elements<std::int64_t>(indices, "indices"),
            .val = elements<T>(data, "data"),
            .transposed = transposed};
  }
  [[nodiscard]] rowan::PatternView pattern() const {
    return {.rows = rows,
            .cols = cols,
            .row_ptr = row_pointers(indptr),
            .col = elements<rowan::Column>(indices, "indices"),
            .transposed = transposed};
  }
};

/// An array of numpy's over rowan's memory, which lives as long as it.
template <class V>
py::array handed_over(rowan::Array<V> array) {
  auto owner = std::make_unique<rowan::Array<V>>(std::move(array));
  V* const data = owner->data();
  const auto n = static_cast<py::ssize_t>(owner->size());
  const py::capsule free(owner.release(), [](void* p) { delete static_cast<rowan::Array<V>*>(p); });
  return py::array_t<V>({n}, {static_cast<py::ssize_t>(sizeof(V))}, data, free);
}

/// Row pointers as scipy wants them: as wide as the columns, where they fit.
inline py::array row_pointers_for(rowan::Array<std::int64_t> row_ptr, std::int64_t nnz, bool wide) {
  if (wide || nnz > INT32_MAX) return handed_over(std::move(row_ptr));
  rowan::Array<std::int32_t> narrow(row_ptr.size());
  for (std::size_t i = 0; i < row_ptr.size(); i++) narrow[i] = static_cast<std::int32_t>(row_ptr[i]);
  return handed_over(std::move(narrow));
}

/// (indptr, indices, data, shape)
template <class T>
py::tuple to_python(rowan::Csr<T> c) {
  rowan::CsrArrays<T> arrays = c.release();
  const auto nnz = static_cast<std::int64_t>(arrays.col.size());
  return py::make_tuple(row_pointers_for(std::move(arrays.row_ptr), nnz, false), handed_over(std::move(arrays.col)),
                        handed_over(std::move(arrays.val)), py::make_tuple(arrays.rows, arrays.cols));
}
template <class T>
py::tuple to_python(rowan::WideCsr<T> c) {
  return py::make_tuple(row_pointers_for(std::move(c.row_ptr), c.nnz(), true), handed_over(std::move(c.col)),
                        handed_over(std::move(c.val)), py::make_tuple(c.rows, c.cols));
}

}  // namespace pyrowan
