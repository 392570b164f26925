#include "lib/c/inside.hpp"

namespace rowan::c {
namespace {

std::string said(const char* name, const char* what) {
  return std::string(name) + ": " + what;
}

RowPointers row_pointers_of(const rowan_view& v, const char* name) {
  if (v.rows < 0 || v.cols < 0 || v.nnz < 0) refuse(said(name, "rows, cols or nnz is negative"));
  if (v.row_ptr32 != nullptr && v.row_ptr64 != nullptr) refuse(said(name, "row_ptr32 and row_ptr64 are both set"));
  const std::size_t n = static_cast<std::size_t>(v.rows) + 1;
  if (v.row_ptr32 != nullptr) return std::span(v.row_ptr32, n);
  if (v.row_ptr64 != nullptr) return std::span(v.row_ptr64, n);
  if (v.rows != 0) refuse(said(name, "row_ptr32 and row_ptr64 are both NULL"));
  return std::span(&detail::kNoRows, 1);
}

template <class I>
std::span<const I> columns_of(const rowan_view& v, const I* col, const void* other, const char* name) {
  if (other != nullptr) refuse(said(name, "columns are not of the width that is asked for"));
  if (col == nullptr && v.nnz != 0) refuse(said(name, "col32 and col64 are both NULL"));
  return {col, static_cast<std::size_t>(v.nnz)};
}

template <class T>
std::span<const T> values_of(const rowan_view& v, const char* name) {
  if (v.val == nullptr && v.nnz != 0) refuse(said(name, "val is NULL"));
  return {static_cast<const T*>(v.val), static_cast<std::size_t>(v.nnz)};
}

}  // namespace

template <class T>
CsrView<T> view_of(const rowan_view& v, const char* name) {
  if (v.col64 != nullptr && v.col32 == nullptr)
    throw Error(ErrorCode::unsupported, said(name, "64-bit columns are taken by rowan_multiply only"));
  return {.rows = v.rows,
          .cols = v.cols,
          .row_ptr = row_pointers_of(v, name),
          .col = columns_of(v, v.col32, v.col64, name),
          .val = values_of<T>(v, name),
          .transposed = v.transposed != 0};
}
template CsrView<float> view_of(const rowan_view&, const char*);
template CsrView<double> view_of(const rowan_view&, const char*);

template <class T>
WideCsrView<T> wide_view_of(const rowan_view& v, const char* name) {
  return {.rows = v.rows,
          .cols = v.cols,
          .row_ptr = row_pointers_of(v, name),
          .col = columns_of(v, v.col64, v.col32, name),
          .val = values_of<T>(v, name),
          .transposed = v.transposed != 0};
}
template WideCsrView<float> wide_view_of(const rowan_view&, const char*);
template WideCsrView<double> wide_view_of(const rowan_view&, const char*);

PatternView pattern_of(const rowan_view& v, const char* name) {
  return {.rows = v.rows,
          .cols = v.cols,
          .row_ptr = row_pointers_of(v, name),
          .col = columns_of(v, v.col32, v.col64, name),
          .transposed = v.transposed != 0};
}

rowan_view pattern_with(std::int64_t rows, std::int64_t cols, std::int64_t nnz, const std::int64_t* row_ptr,
                        const Column* col) noexcept {
  return {.rows = rows,
          .cols = cols,
          .nnz = nnz,
          .row_ptr32 = nullptr,
          .row_ptr64 = row_ptr,
          .col32 = col,
          .col64 = nullptr,
          .val = nullptr,
          .type = ROWAN_FLOAT64,
          .transposed = 0};
}

namespace {

rowan_view view_of_one(const CsrPattern& m) {
  return pattern_with(m.rows, m.cols, m.nnz(), m.row_ptr.data(), m.col.data());
}

template <class T>
rowan_view with_values(rowan_view v, const T* val) {
  v.val = val;
  v.type = std::is_same_v<T, float> ? ROWAN_FLOAT32 : ROWAN_FLOAT64;
  return v;
}

template <class T>
rowan_view view_of_one(const Csr<T>& m) {
  return with_values(pattern_with(m.rows(), m.cols(), m.nnz(), m.row_ptr().data(), m.col().data()), m.val().data());
}

template <class T>
rowan_view view_of_one(const WideCsr<T>& m) {
  rowan_view v = pattern_with(m.rows, m.cols, m.nnz(), m.row_ptr.data(), nullptr);
  v.col64 = m.col.data();
  return with_values(v, static_cast<const T*>(m.val.data()));
}

void* values_of_one(CsrPattern&) {
  return nullptr;
}
template <class T>
void* values_of_one(Csr<T>& m) {
  return m.val().data();
}
template <class T>
void* values_of_one(WideCsr<T>& m) {
  return m.val.data();
}

}  // namespace
}  // namespace rowan::c

using rowan::c::emptied, rowan::c::guarded, rowan::c::required;

rowan_status rowan_read(const char* path, rowan_matrix** matrix) {
  return guarded([&] {
    rowan_matrix*& out = emptied(matrix, "matrix");
    out = new rowan_matrix{rowan::read_matrix(&required(path, "path"))};
  });
}

rowan_status rowan_write(const char* path, const rowan_view* matrix) {
  return guarded([&] {
    const rowan_view& view = required(matrix, "matrix");
    if (view.type != ROWAN_FLOAT64)
      throw rowan::Error(rowan::ErrorCode::unsupported, "only matrices of 64-bit values are written");
    rowan::write_matrix(&required(path, "path"), rowan::c::view_of<double>(view, "the matrix"));
  });
}

rowan_status rowan_generate(const char* spec, rowan_matrix** matrix) {
  return guarded([&] {
    rowan_matrix*& out = emptied(matrix, "matrix");
    out = new rowan_matrix{rowan::generate(&required(spec, "spec"))};
  });
}

rowan_status rowan_matrix_view(const rowan_matrix* matrix, rowan_view* view) {
  return guarded([&] {
    required(view, "view") =
        std::visit([](const auto& m) { return rowan::c::view_of_one(m); }, required(matrix, "matrix").of);
  });
}

void* rowan_matrix_values(rowan_matrix* matrix) {
  return matrix == nullptr ? nullptr : std::visit([](auto& m) { return rowan::c::values_of_one(m); }, matrix->of);
}

void rowan_matrix_free(rowan_matrix* matrix) {
  delete matrix;
}
