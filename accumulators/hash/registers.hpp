#pragma once
// Counting by hash, products first shared out among lanes' registers (register-aware, section 3.3). It multiplies
// nothing: where a row's values are computed, plain hash stands in.
#include "accumulators/candidate.hpp"

namespace rowan::hash {

inline constexpr Candidate registers{
    .name = "hash-registers",
    .family = "hash",
    .shines = "counting rows of few products",
    .fallback = "hash",
    .max_nprod = 512,  // the paper's bins end there (section 3.4)
    .on_host = false,
    .counts_only = true,
    .short_rows = true,
};

}  // namespace rowan::hash
