// What a chunk of rows of a thin plan follows: a position for each product, or a mask for each entry of A.
#include "lib/core/rises.hpp"
#include "lib/host/replay/masks.hpp"
#include "lib/host/replay/thin_kernels.hpp"

namespace rowan::replay {

namespace {

std::int64_t entries_of_c(const ThinRows& r, std::int64_t i) {
  return r.row_ptr[i + 1] - r.row_ptr[i];
}

void write_row_masks(const ThinRows& r, std::uint32_t* position, std::byte* out) {
  for (std::int64_t i = r.first; i < r.last; i++) {
    const std::int64_t begin = r.row_ptr[i], n = entries_of_c(r, i);
    for (std::int64_t k = 0; k < n; k++) position[r.col[begin + k]] = static_cast<std::uint32_t>(k);
    out = write_masks(r.a, r.b, i, n, position, out);
  }
}

void write_positions(const ThinRows& r, std::uint32_t* position, std::byte* out) {
  auto* next = reinterpret_cast<std::uint16_t*>(out);
  const std::int64_t begin = r.row_ptr[r.first];
  for (std::int64_t i = r.first; i < r.last; i++) {
    for (std::int64_t k = r.row_ptr[i]; k < r.row_ptr[i + 1]; k++)
      position[r.col[k]] = static_cast<std::uint32_t>(k - begin);
    for (std::int64_t e = r.a.ptr[i]; e < r.a.ptr[i + 1]; e++)
      for (std::int64_t k = r.b.ptr[r.a.col[e]]; k < r.b.ptr[r.a.col[e] + 1]; k++)
        *next++ = static_cast<std::uint16_t>(position[r.b.col[k]]);
  }
}

bool masked(const ThinRows& r, std::int64_t products) {
  if (!has_masks()) return false;
  std::int64_t vectors = 0;
  for (std::int64_t i = r.first; i < r.last; i++) {
    const std::int64_t n = entries_of_c(r, i);
    if (n > kMostMasked) return false;
    vectors += masked_vectors(r.a.length(i), n);
  }
  if (!masks_pay(vectors, products)) return false;
  for (std::int64_t e = r.a.ptr[r.first]; e < r.a.ptr[r.last]; e++) {
    const std::int64_t j = r.a.col[e];
    if (!rises(r.b.col + r.b.ptr[j], r.b.col + r.b.ptr[j + 1])) return false;
  }
  return true;
}

}  // namespace

ThinForm thin_form(const ThinRows& r, std::int64_t products) {
  if (masked(r, products)) return ThinForm::masks;
  return r.row_ptr[r.last] - r.row_ptr[r.first] <= kMostThinEntries ? ThinForm::positions : ThinForm::none;
}

std::int64_t thin_bytes(const ThinRows& r, ThinForm form, std::int64_t products) noexcept {
  if (form == ThinForm::positions) return products * static_cast<std::int64_t>(sizeof(std::uint16_t));
  if (form == ThinForm::none) return 0;
  std::int64_t bytes = kMaskSlack;
  for (std::int64_t i = r.first; i < r.last; i++) bytes += r.a.length(i) * mask_bytes(entries_of_c(r, i));
  return bytes;
}

void write_thin(const ThinRows& r, ThinForm form, std::uint32_t* position, std::byte* out) {
  if (form == ThinForm::positions) write_positions(r, position, out);
  if (form == ThinForm::masks) write_row_masks(r, position, out);
}

}  // namespace rowan::replay
