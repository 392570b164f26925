// Made by models/embed.sh from models/policies/*.json: do not edit.
#pragma once

#include "models/policy.hpp"

// clang-format off
namespace rowan::generated {

// from models/policies/host-rules.json
namespace host_rules {
inline constexpr Node use_binning_nodes[] = {
    {.feature = static_cast<std::uint8_t>(Feature::nprod), .nan_less = false, .threshold = 2048.0F, .less = 1, .other = 2},
    {.less = 0, .other = 1},
    {.less = 1, .other = 1},
};
inline constexpr std::uint8_t use_binning_ranked[] = {
    0,
    1,
};
inline constexpr Node method_nodes[] = {
    {.less = 0, .other = 1},
};
inline constexpr std::uint8_t method_ranked[] = {
    0,
};
inline constexpr Node symbolic_nodes[] = {
    {.feature = static_cast<std::uint8_t>(Feature::a_row_nnz_max), .nan_less = false, .threshold = 2.0F, .less = 1, .other = 2},
    {.less = 0, .other = 1},
    {.feature = static_cast<std::uint8_t>(Feature::shift_ratio), .nan_less = true, .threshold = 0.5F, .less = 4, .other = 3},
    {.less = 1, .other = 2},
    {.feature = static_cast<std::uint8_t>(Feature::run_ratio), .nan_less = true, .threshold = 0.5F, .less = 6, .other = 5},
    {.less = 3, .other = 2},
    {.feature = static_cast<std::uint8_t>(Feature::span_max), .nan_less = true, .threshold = 262144.0F, .less = 9, .other = 7},
    {.feature = static_cast<std::uint8_t>(Feature::span_density), .nan_less = false, .threshold = 0.002F, .less = 8, .other = 9},
    {.less = 5, .other = 1},
    {.less = 6, .other = 1},
};
inline constexpr std::uint8_t symbolic_ranked[] = {
    *candidate_named("direct"),
    *candidate_named("direct-shift"),
    *candidate_named("dense-window"),
    *candidate_named("dense-run"),
    *candidate_named("dense-window"),
    *candidate_named("hash"),
    *candidate_named("dense-window"),
};
inline constexpr Node numeric_nodes[] = {
    {.feature = static_cast<std::uint8_t>(Feature::a_row_nnz_max), .nan_less = false, .threshold = 2.0F, .less = 1, .other = 2},
    {.less = 0, .other = 1},
    {.feature = static_cast<std::uint8_t>(Feature::shift_ratio), .nan_less = true, .threshold = 0.5F, .less = 4, .other = 3},
    {.less = 1, .other = 3},
    {.feature = static_cast<std::uint8_t>(Feature::nprod_max), .nan_less = false, .threshold = 33.0F, .less = 5, .other = 6},
    {.less = 4, .other = 2},
    {.feature = static_cast<std::uint8_t>(Feature::run_ratio), .nan_less = true, .threshold = 0.5F, .less = 8, .other = 7},
    {.less = 6, .other = 2},
    {.feature = static_cast<std::uint8_t>(Feature::nprod_max), .nan_less = false, .threshold = 65.0F, .less = 9, .other = 10},
    {.less = 8, .other = 2},
    {.feature = static_cast<std::uint8_t>(Feature::nprod_max), .nan_less = false, .threshold = 129.0F, .less = 11, .other = 13},
    {.feature = static_cast<std::uint8_t>(Feature::columns), .nan_less = true, .threshold = 65536.0F, .less = 13, .other = 12},
    {.less = 10, .other = 2},
    {.feature = static_cast<std::uint8_t>(Feature::span_max), .nan_less = true, .threshold = 262144.0F, .less = 16, .other = 14},
    {.feature = static_cast<std::uint8_t>(Feature::span_density), .nan_less = false, .threshold = 0.002F, .less = 15, .other = 16},
    {.less = 12, .other = 1},
    {.less = 13, .other = 1},
};
inline constexpr std::uint8_t numeric_ranked[] = {
    *candidate_named("direct"),
    *candidate_named("direct-shift"),
    *candidate_named("sort"),
    *candidate_named("dense-window"),
    *candidate_named("sort"),
    *candidate_named("dense-window"),
    *candidate_named("dense-run"),
    *candidate_named("dense-window"),
    *candidate_named("sort"),
    *candidate_named("dense-window"),
    *candidate_named("sort"),
    *candidate_named("dense-window"),
    *candidate_named("hash"),
    *candidate_named("dense-window"),
};
inline constexpr Node group_nodes[] = {
    {.less = 0, .other = 1},
};
inline constexpr std::uint8_t group_ranked[] = {
    0,
};
inline constexpr Policy policy{
    .name = "host-rules",
    .kind = "rules",
    .about = "Hand rules for a host's cores, in force until a trained model replaces them.",
    .source = "written by hand from forced runs of every candidate (bench/host.sh)",
    .trees = {{
        {use_binning_nodes, use_binning_ranked},
        {method_nodes, method_ranked},
        {symbolic_nodes, symbolic_ranked},
        {numeric_nodes, numeric_ranked},
        {group_nodes, group_ranked},
    }},
};
}  // namespace host_rules

// from models/policies/dcu-nsparse.json
namespace dcu_nsparse {
inline constexpr Node use_binning_nodes[] = {
    {.less = 0, .other = 1},
};
inline constexpr std::uint8_t use_binning_ranked[] = {
    1,
};
inline constexpr Node method_nodes[] = {
    {.less = 0, .other = 1},
};
inline constexpr std::uint8_t method_ranked[] = {
    1,
};
inline constexpr Node symbolic_nodes[] = {
    {.less = 0, .other = 1},
};
inline constexpr std::uint8_t symbolic_ranked[] = {
    *candidate_named("hash"),
};
inline constexpr Node numeric_nodes[] = {
    {.feature = static_cast<std::uint8_t>(Feature::a_row_nnz_max), .nan_less = false, .threshold = 2.0F, .less = 1, .other = 2},
    {.less = 0, .other = 2},
    {.less = 2, .other = 1},
};
inline constexpr std::uint8_t numeric_ranked[] = {
    *candidate_named("direct"),
    *candidate_named("hash"),
    *candidate_named("hash"),
};
inline constexpr Node group_nodes[] = {
    {.feature = static_cast<std::uint8_t>(Feature::b_row_max), .nan_less = false, .threshold = 17.0F, .less = 1, .other = 2},
    {.less = 0, .other = 1},
    {.feature = static_cast<std::uint8_t>(Feature::b_row_max), .nan_less = false, .threshold = 33.0F, .less = 3, .other = 4},
    {.less = 1, .other = 1},
    {.feature = static_cast<std::uint8_t>(Feature::b_row_max), .nan_less = false, .threshold = 65.0F, .less = 5, .other = 6},
    {.less = 2, .other = 1},
    {.feature = static_cast<std::uint8_t>(Feature::b_row_max), .nan_less = false, .threshold = 129.0F, .less = 7, .other = 8},
    {.less = 3, .other = 1},
    {.feature = static_cast<std::uint8_t>(Feature::b_row_max), .nan_less = false, .threshold = 257.0F, .less = 9, .other = 10},
    {.less = 4, .other = 1},
    {.less = 5, .other = 1},
};
inline constexpr std::uint8_t group_ranked[] = {
    2,
    3,
    4,
    5,
    6,
    7,
};
inline constexpr Policy policy{
    .name = "dcu-nsparse",
    .kind = "rules",
    .about = "Rows of A with one entry directly, every other row by hash, in two phases; lanes to a row of B by the longest.",
    .source = "DCU-nsparse, section 5.3 (direct rows are a matter of the numeric phase), 5.1 (up to eight entries a lane)",
    .trees = {{
        {use_binning_nodes, use_binning_ranked},
        {method_nodes, method_ranked},
        {symbolic_nodes, symbolic_ranked},
        {numeric_nodes, numeric_ranked},
        {group_nodes, group_ranked},
    }},
};
}  // namespace dcu_nsparse

// from models/policies/deltasparse.json
namespace deltasparse {
inline constexpr Node use_binning_nodes[] = {
    {.feature = static_cast<std::uint8_t>(Feature::nprod), .nan_less = false, .threshold = 2048.0F, .less = 1, .other = 2},
    {.less = 0, .other = 1},
    {.less = 1, .other = 1},
};
inline constexpr std::uint8_t use_binning_ranked[] = {
    0,
    1,
};
inline constexpr Node method_nodes[] = {
    {.less = 0, .other = 1},
};
inline constexpr std::uint8_t method_ranked[] = {
    1,
};
inline constexpr Node symbolic_nodes[] = {
    {.feature = static_cast<std::uint8_t>(Feature::row_nnz_max), .nan_less = true, .threshold = 1025.0F, .less = 2, .other = 1},
    {.less = 0, .other = 2},
    {.feature = static_cast<std::uint8_t>(Feature::c_sparsity), .nan_less = true, .threshold = 0.076F, .less = 4, .other = 3},
    {.less = 2, .other = 2},
    {.less = 4, .other = 1},
};
inline constexpr std::uint8_t symbolic_ranked[] = {
    *candidate_named("dense-window"),
    *candidate_named("dense-rank"),
    *candidate_named("dense-window"),
    *candidate_named("dense-rank"),
    *candidate_named("hash"),
};
inline constexpr Node numeric_nodes[] = {
    {.feature = static_cast<std::uint8_t>(Feature::row_nnz_max), .nan_less = true, .threshold = 4097.0F, .less = 2, .other = 1},
    {.less = 0, .other = 2},
    {.feature = static_cast<std::uint8_t>(Feature::c_sparsity), .nan_less = true, .threshold = 0.076F, .less = 4, .other = 3},
    {.less = 2, .other = 2},
    {.less = 4, .other = 1},
};
inline constexpr std::uint8_t numeric_ranked[] = {
    *candidate_named("dense-window"),
    *candidate_named("dense-rank"),
    *candidate_named("dense-window"),
    *candidate_named("dense-rank"),
    *candidate_named("hash"),
};
inline constexpr Node group_nodes[] = {
    {.less = 0, .other = 1},
};
inline constexpr std::uint8_t group_ranked[] = {
    0,
};
inline constexpr Policy policy{
    .name = "deltasparse",
    .kind = "rules",
    .about = "Hash for small sparse rows, dense above 7.60 % density and for long rows, in two phases.",
    .source = "DeltaSPARSE, section III.A (density 7.60 %), III.B (dense from 1025 upper-bound entries in the symbolic phase, above 4096 in the numeric); its tree for use_binning is not printed: few rows or little work are taken to mean no; devices have no window, rank stands in",
    .trees = {{
        {use_binning_nodes, use_binning_ranked},
        {method_nodes, method_ranked},
        {symbolic_nodes, symbolic_ranked},
        {numeric_nodes, numeric_ranked},
        {group_nodes, group_ranked},
    }},
};
}  // namespace deltasparse

// from models/policies/device-rules.json
namespace device_rules {
inline constexpr Node use_binning_nodes[] = {
    {.less = 0, .other = 1},
};
inline constexpr std::uint8_t use_binning_ranked[] = {
    1,
};
inline constexpr Node method_nodes[] = {
    {.less = 0, .other = 1},
};
inline constexpr std::uint8_t method_ranked[] = {
    1,
};
inline constexpr Node symbolic_nodes[] = {
    {.feature = static_cast<std::uint8_t>(Feature::a_row_nnz_max), .nan_less = false, .threshold = 2.0F, .less = 1, .other = 2},
    {.less = 0, .other = 2},
    {.feature = static_cast<std::uint8_t>(Feature::nprod_max), .nan_less = false, .threshold = 129.0F, .less = 3, .other = 4},
    {.less = 2, .other = 2},
    {.feature = static_cast<std::uint8_t>(Feature::nprod_max), .nan_less = false, .threshold = 513.0F, .less = 5, .other = 7},
    {.feature = static_cast<std::uint8_t>(Feature::span_max), .nan_less = true, .threshold = 8193.0F, .less = 7, .other = 6},
    {.less = 4, .other = 2},
    {.feature = static_cast<std::uint8_t>(Feature::row_nnz_max), .nan_less = false, .threshold = 54.0F, .less = 8, .other = 9},
    {.less = 6, .other = 1},
    {.feature = static_cast<std::uint8_t>(Feature::span_max), .nan_less = false, .threshold = 8193.0F, .less = 10, .other = 11},
    {.less = 7, .other = 2},
    {.feature = static_cast<std::uint8_t>(Feature::row_nnz_max), .nan_less = true, .threshold = 6827.0F, .less = 13, .other = 12},
    {.less = 9, .other = 2},
    {.less = 11, .other = 1},
};
inline constexpr std::uint8_t symbolic_ranked[] = {
    *candidate_named("direct"),
    *candidate_named("hash"),
    *candidate_named("sort"),
    *candidate_named("hash"),
    *candidate_named("sort"),
    *candidate_named("hash"),
    *candidate_named("hash"),
    *candidate_named("dense-rank"),
    *candidate_named("hash"),
    *candidate_named("dense-rank"),
    *candidate_named("hash"),
    *candidate_named("hash"),
};
inline constexpr Node numeric_nodes[] = {
    {.feature = static_cast<std::uint8_t>(Feature::a_row_nnz_max), .nan_less = false, .threshold = 2.0F, .less = 1, .other = 2},
    {.less = 0, .other = 2},
    {.feature = static_cast<std::uint8_t>(Feature::nprod_max), .nan_less = false, .threshold = 129.0F, .less = 3, .other = 4},
    {.less = 2, .other = 2},
    {.feature = static_cast<std::uint8_t>(Feature::run_ratio), .nan_less = true, .threshold = 0.5F, .less = 9, .other = 5},
    {.feature = static_cast<std::uint8_t>(Feature::b_row_avg), .nan_less = true, .threshold = 12.0F, .less = 9, .other = 6},
    {.feature = static_cast<std::uint8_t>(Feature::span_max), .nan_less = false, .threshold = 65537.0F, .less = 7, .other = 9},
    {.feature = static_cast<std::uint8_t>(Feature::row_nnz_max), .nan_less = false, .threshold = 2049.0F, .less = 8, .other = 9},
    {.less = 4, .other = 3},
    {.feature = static_cast<std::uint8_t>(Feature::nprod_max), .nan_less = false, .threshold = 513.0F, .less = 10, .other = 12},
    {.feature = static_cast<std::uint8_t>(Feature::span_max), .nan_less = true, .threshold = 8193.0F, .less = 12, .other = 11},
    {.less = 7, .other = 2},
    {.feature = static_cast<std::uint8_t>(Feature::row_nnz_max), .nan_less = false, .threshold = 33.0F, .less = 13, .other = 14},
    {.less = 9, .other = 1},
    {.feature = static_cast<std::uint8_t>(Feature::span_max), .nan_less = false, .threshold = 8193.0F, .less = 15, .other = 16},
    {.less = 10, .other = 2},
    {.feature = static_cast<std::uint8_t>(Feature::row_nnz_max), .nan_less = true, .threshold = 1025.0F, .less = 18, .other = 17},
    {.less = 12, .other = 2},
    {.less = 14, .other = 1},
};
inline constexpr std::uint8_t numeric_ranked[] = {
    *candidate_named("direct"),
    *candidate_named("hash"),
    *candidate_named("sort"),
    *candidate_named("hash"),
    *candidate_named("dense-run"),
    *candidate_named("dense-rank"),
    *candidate_named("hash"),
    *candidate_named("sort"),
    *candidate_named("hash"),
    *candidate_named("hash"),
    *candidate_named("dense-rank"),
    *candidate_named("hash"),
    *candidate_named("dense-rank"),
    *candidate_named("hash"),
    *candidate_named("hash"),
};
inline constexpr Node group_nodes[] = {
    {.less = 0, .other = 1},
};
inline constexpr std::uint8_t group_ranked[] = {
    0,
};
inline constexpr Policy policy{
    .name = "device-rules",
    .kind = "rules",
    .about = "Hand rules for devices, in force there until a trained model replaces them.",
    .source = "written by hand from forced runs on one H200",
    .trees = {{
        {use_binning_nodes, use_binning_ranked},
        {method_nodes, method_ranked},
        {symbolic_nodes, symbolic_ranked},
        {numeric_nodes, numeric_ranked},
        {group_nodes, group_ranked},
    }},
};
}  // namespace device_rules

// from models/policies/nsparse.json
namespace nsparse {
inline constexpr Node use_binning_nodes[] = {
    {.less = 0, .other = 1},
};
inline constexpr std::uint8_t use_binning_ranked[] = {
    1,
};
inline constexpr Node method_nodes[] = {
    {.less = 0, .other = 1},
};
inline constexpr std::uint8_t method_ranked[] = {
    1,
};
inline constexpr Node symbolic_nodes[] = {
    {.less = 0, .other = 1},
};
inline constexpr std::uint8_t symbolic_ranked[] = {
    *candidate_named("hash"),
};
inline constexpr Node numeric_nodes[] = {
    {.less = 0, .other = 1},
};
inline constexpr std::uint8_t numeric_ranked[] = {
    *candidate_named("hash"),
};
inline constexpr Node group_nodes[] = {
    {.feature = static_cast<std::uint8_t>(Feature::row_nnz_max), .nan_less = false, .threshold = 27.0F, .less = 1, .other = 2},
    {.less = 0, .other = 1},
    {.less = 1, .other = 1},
};
inline constexpr std::uint8_t group_ranked[] = {
    1,
    6,
};
inline constexpr Policy policy{
    .name = "nsparse",
    .kind = "rules",
    .about = "Hash for every row, in two phases, rows grouped by products. On devices a lane an entry of A for short rows, else a wave.",
    .source = "nsparse (Nagasaka 2017), 'Proposed Algorithm', steps 1-7, 'Two-ways thread Assignment' (PWARP/ROW and TB/ROW)",
    .trees = {{
        {use_binning_nodes, use_binning_ranked},
        {method_nodes, method_ranked},
        {symbolic_nodes, symbolic_ranked},
        {numeric_nodes, numeric_ranked},
        {group_nodes, group_ranked},
    }},
};
}  // namespace nsparse

// from models/policies/opsparse.json
namespace opsparse {
inline constexpr Node use_binning_nodes[] = {
    {.less = 0, .other = 1},
};
inline constexpr std::uint8_t use_binning_ranked[] = {
    1,
};
inline constexpr Node method_nodes[] = {
    {.less = 0, .other = 1},
};
inline constexpr std::uint8_t method_ranked[] = {
    1,
};
inline constexpr Node symbolic_nodes[] = {
    {.less = 0, .other = 1},
};
inline constexpr std::uint8_t symbolic_ranked[] = {
    *candidate_named("hash"),
};
inline constexpr Node numeric_nodes[] = {
    {.less = 0, .other = 1},
};
inline constexpr std::uint8_t numeric_ranked[] = {
    *candidate_named("hash"),
};
inline constexpr Node group_nodes[] = {
    {.feature = static_cast<std::uint8_t>(Feature::row_nnz_max), .nan_less = false, .threshold = 27.0F, .less = 1, .other = 2},
    {.less = 0, .other = 1},
    {.less = 1, .other = 1},
};
inline constexpr std::uint8_t group_ranked[] = {
    1,
    6,
};
inline constexpr Policy policy{
    .name = "opsparse",
    .kind = "rules",
    .about = "Hash for every row, in two phases; its tables, single access and binning are what every hash on a device here has.",
    .source = "OpSparse, sections 5.1-5.7; rows of B are shared out as in nsparse, which it builds on",
    .trees = {{
        {use_binning_nodes, use_binning_ranked},
        {method_nodes, method_ranked},
        {symbolic_nodes, symbolic_ranked},
        {numeric_nodes, numeric_ranked},
        {group_nodes, group_ranked},
    }},
};
}  // namespace opsparse

// from models/policies/register-aware.json
namespace register_aware {
inline constexpr Node use_binning_nodes[] = {
    {.less = 0, .other = 1},
};
inline constexpr std::uint8_t use_binning_ranked[] = {
    1,
};
inline constexpr Node method_nodes[] = {
    {.less = 0, .other = 1},
};
inline constexpr std::uint8_t method_ranked[] = {
    1,
};
inline constexpr Node symbolic_nodes[] = {
    {.less = 0, .other = 1},
};
inline constexpr std::uint8_t symbolic_ranked[] = {
    *candidate_named("hash"),
};
inline constexpr Node numeric_nodes[] = {
    {.feature = static_cast<std::uint8_t>(Feature::nprod_max), .nan_less = false, .threshold = 513.0F, .less = 1, .other = 2},
    {.less = 0, .other = 2},
    {.less = 2, .other = 1},
};
inline constexpr std::uint8_t numeric_ranked[] = {
    *candidate_named("sort"),
    *candidate_named("hash"),
    *candidate_named("hash"),
};
inline constexpr Node group_nodes[] = {
    {.less = 0, .other = 1},
};
inline constexpr std::uint8_t group_ranked[] = {
    0,
};
inline constexpr Policy policy{
    .name = "register-aware",
    .kind = "rules",
    .about = "Rows of at most 512 products are sorted in registers, longer ones hashed, in two phases.",
    .source = "register-aware SpGEMM, sections 3.1 and 3.3; rows above 512 products go to the library below it (nsparse)",
    .trees = {{
        {use_binning_nodes, use_binning_ranked},
        {method_nodes, method_ranked},
        {symbolic_nodes, symbolic_ranked},
        {numeric_nodes, numeric_ranked},
        {group_nodes, group_ranked},
    }},
};
}  // namespace register_aware

inline constexpr Policy kPolicies[] = {host_rules::policy, dcu_nsparse::policy, deltasparse::policy, device_rules::policy, nsparse::policy, opsparse::policy, register_aware::policy};

}  // namespace rowan::generated
