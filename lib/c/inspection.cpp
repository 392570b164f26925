#include "lib/c/inside.hpp"

using rowan::c::context_of, rowan::c::emptied, rowan::c::for_type, rowan::c::guarded, rowan::c::refuse,
    rowan::c::required, rowan::c::view_of;

namespace {

template <class List>
const auto& element(const List& list, int64_t index, const char* what) {
  if (index < 0 || static_cast<std::size_t>(index) >= list.size())
    refuse("there is no " + std::string(what) + " " + std::to_string(index) + ", there are " +
           std::to_string(list.size()));
  return list.data()[index];
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
  return text;
}

}  // namespace

rowan_inspection* rowan::c::inspection_of(Inspection all) {
  std::vector<std::string> why;
  for (const BinReport& bin : all.bins) why.push_back(joined(bin.why));
  return new rowan_inspection{std::move(all), std::move(why)};
}

rowan_status rowan_inspect(const rowan_context* context, const rowan_view* a, const rowan_view* b, int measure,
                           rowan_inspection** inspection) {
  return guarded([&] {
    rowan_inspection*& out = emptied(inspection, "inspection");
    const rowan_view &left = required(a, "a"), &right = required(b, "b");
    const rowan::Context& in = context_of(context);
    for_type(
        [&]<class T>(T) {
          out = rowan::c::inspection_of(in.inspect(view_of<T>(left, "A"), view_of<T>(right, "B"), measure != 0));
        },
        left, {&right});
  });
}

const char* rowan_inspection_policy(const rowan_inspection* inspection) {
  return inspection == nullptr ? "" : inspection->of.policy.c_str();
}
const char* rowan_inspection_device(const rowan_inspection* inspection) {
  return inspection == nullptr ? "" : inspection->of.device.c_str();
}
const char* rowan_inspection_place_reason(const rowan_inspection* inspection) {
  return inspection == nullptr ? "" : inspection->of.place_reason.c_str();
}
int64_t rowan_inspection_rows(const rowan_inspection* inspection) {
  return inspection == nullptr ? 0 : static_cast<int64_t>(inspection->of.row.size());
}
int64_t rowan_inspection_bins(const rowan_inspection* inspection) {
  return inspection == nullptr ? 0 : static_cast<int64_t>(inspection->of.bins.size());
}

rowan_status rowan_inspection_row(const rowan_inspection* inspection, int64_t index, rowan_row* row) {
  return guarded([&] {
    const rowan::RowReport& r = element(required(inspection, "inspection").of.row, index, "row");
    required(row, "row") = {.row = r.row,
                            .bin = r.bin,
                            .a_nnz = r.a_nnz,
                            .nprod = r.nprod,
                            .nnz = r.nnz,
                            .span = r.span,
                            .b_row_max = r.b_row_max};
  });
}

rowan_status rowan_inspection_bin(const rowan_inspection* inspection, int64_t index, rowan_bin* bin) {
  return guarded([&] {
    const rowan_inspection& all = required(inspection, "inspection");
    const rowan::BinReport& b = element(all.of.bins, index, "bin");
    required(bin, "bin") = {.label = b.label.c_str(),
                            .accumulator = b.accumulator.c_str(),
                            .candidate = b.candidate.c_str(),
                            .requested = b.requested.c_str(),
                            .why = all.why[static_cast<std::size_t>(index)].c_str(),
                            .rows = b.rows,
                            .nprod = b.nprod,
                            .nnz = b.nnz};
  });
}

void rowan_inspection_free(rowan_inspection* inspection) {
  delete inspection;
}
