// What a chunk of rows of a thin plan follows: a position for each product, or a mask for each entry of A.
#include <algorithm>
#include <cstring>

#include "lib/host/replay/thin_kernels.hpp"

namespace rowan::replay {

namespace {

/// Bytes of a form: of a product's position, or of the mask of an entry of A.
constexpr std::int64_t width(ThinForm form) noexcept {
  return form == ThinForm::none ? 0 : form == ThinForm::masks8 ? 1 : form == ThinForm::masks32 ? 4 : 2;
}

bool rises(const Pattern& b, std::int64_t j) {
  for (std::int64_t k = b.ptr[j] + 1; k < b.ptr[j + 1]; k++)
    if (b.col[k] <= b.col[k - 1]) return false;
  return true;
}

/// f(row of C, entry of A, row of B) for all entries of A, after `position` holds where C's columns are, counted from
/// `base(row)`.
template <class Base, class F>
void for_entries(const ThinRows& r, std::uint32_t* position, const Base& base, const F& f) {
  for (std::int64_t i = r.first; i < r.last; i++) {
    for (std::int64_t k = r.row_ptr[i]; k < r.row_ptr[i + 1]; k++)
      position[r.col[k]] = static_cast<std::uint32_t>(k - base(i));
    for (std::int64_t e = r.a.ptr[i]; e < r.a.ptr[i + 1]; e++) f(e, std::int64_t{r.a.col[e]});
  }
}

template <class Mask>
void write_masks(const ThinRows& r, std::uint32_t* position, std::byte* out) {
  auto* next = reinterpret_cast<Mask*>(out);
  for_entries(
      r, position, [&](std::int64_t i) { return r.row_ptr[i]; },
      [&](std::int64_t, std::int64_t j) {
        std::uint32_t mask = 0;
        for (std::int64_t k = r.b.ptr[j]; k < r.b.ptr[j + 1]; k++) mask |= std::uint32_t{1} << position[r.b.col[k]];
        *next++ = static_cast<Mask>(mask);
      });
}

void write_positions(const ThinRows& r, std::uint32_t* position, std::byte* out) {
  auto* next = reinterpret_cast<std::uint16_t*>(out);
  const std::int64_t begin = r.row_ptr[r.first];
  for_entries(
      r, position, [&](std::int64_t) { return begin; },
      [&](std::int64_t, std::int64_t j) {
        for (std::int64_t k = r.b.ptr[j]; k < r.b.ptr[j + 1]; k++)
          *next++ = static_cast<std::uint16_t>(position[r.b.col[k]]);
      });
}

}  // namespace

ThinForm thin_form(const ThinRows& r) {
  std::int64_t longest = 0;
  for (std::int64_t i = r.first; i < r.last; i++) longest = std::max(longest, r.row_ptr[i + 1] - r.row_ptr[i]);
  if (longest <= 32 && thin_has_masks()) {
    bool sorted = true;
    for (std::int64_t e = r.a.ptr[r.first]; sorted && e < r.a.ptr[r.last]; e++) sorted = rises(r.b, r.a.col[e]);
    if (sorted) return longest <= 8 ? ThinForm::masks8 : longest <= 16 ? ThinForm::masks16 : ThinForm::masks32;
  }
  return r.row_ptr[r.last] - r.row_ptr[r.first] <= kMostThinEntries ? ThinForm::positions : ThinForm::none;
}

std::int64_t thin_bytes(const ThinRows& r, ThinForm form, std::int64_t products) noexcept {
  return (form == ThinForm::positions ? products : r.a.ptr[r.last] - r.a.ptr[r.first]) * width(form);
}

void write_thin(const ThinRows& r, ThinForm form, std::uint32_t* position, std::byte* out) {
  if (form == ThinForm::positions) write_positions(r, position, out);
  if (form == ThinForm::masks8) write_masks<std::uint8_t>(r, position, out);
  if (form == ThinForm::masks16) write_masks<std::uint16_t>(r, position, out);
  if (form == ThinForm::masks32) write_masks<std::uint32_t>(r, position, out);
}

}  // namespace rowan::replay
