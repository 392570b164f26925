#include <algorithm>
#include <cstring>

#include "lib/c/inside.hpp"

using rowan::c::emptied, rowan::c::for_type, rowan::c::guarded, rowan::c::refuse, rowan::c::required;

namespace {

rowan::DeviceCall call_of(const rowan_device_call* given) {
  rowan_device_call call{.size = sizeof call, .stream = nullptr, .row_ptr32 = 0, .col64 = 0};
  if (given != nullptr) {
    if (given->size < sizeof(std::size_t) || given->size > 16 * sizeof call)
      refuse("call.size is " + std::to_string(given->size) + ": set it to sizeof(rowan_device_call)");
    std::memcpy(&call, given, std::min(given->size, sizeof call));
  }
  return {.stream = call.stream, .row_ptr32 = call.row_ptr32 != 0, .col64 = call.col64 != 0};
}

template <class T>
rowan::DeviceView<T> there(const rowan_view& v, const char* name) {
  if (v.transposed != 0)
    throw rowan::Error(rowan::ErrorCode::unsupported,
                       std::string(name) + ": transposed matrices are not multiplied in device memory");
  return {.rows = v.rows,
          .cols = v.cols,
          .nnz = v.nnz,
          .row_ptr64 = v.row_ptr64,
          .row_ptr32 = v.row_ptr32,
          .col32 = v.col32,
          .col64 = v.col64,
          .val = static_cast<const T*>(v.val)};
}

template <class T>
rowan_view told(const rowan::DeviceView<T>& v) {
  return {.rows = v.rows,
          .cols = v.cols,
          .nnz = v.nnz,
          .row_ptr32 = v.row_ptr32,
          .row_ptr64 = v.row_ptr64,
          .col32 = v.col32,
          .col64 = v.col64,
          .val = v.val,
          .type = std::is_same_v<T, float> ? ROWAN_FLOAT32 : ROWAN_FLOAT64,
          .transposed = 0};
}

rowan::DeviceAllocator allocator_of(const rowan_device_allocator* given) {
  if (given == nullptr) return {};
  if (given->allocate == nullptr || given->free == nullptr) refuse("allocator.allocate or allocator.free is NULL");
  return {
      .allocate = [a = *given](std::size_t bytes, void* stream) { return a.allocate(bytes, stream, a.user); },
      .free = [a = *given](void* memory, std::size_t bytes, void* stream) { a.free(memory, bytes, stream, a.user); }};
}

const rowan::DeviceContext& device_of(const rowan_device* device) {
  return required(device, "device").of;
}

/// f(A, B) for the type that both have.
template <class F>
void for_pair(const rowan_view* a, const rowan_view* b, const F& f) {
  const rowan_view &left = required(a, "a"), &right = required(b, "b");
  for_type([&]<class T>(T) { f(there<T>(left, "A"), there<T>(right, "B")); }, left, {&right});
}

/// The plan for values of type T.
template <class T>
const rowan::DevicePlan<T>& plan_for(const rowan_device_plan* plan) {
  const auto* const found = std::get_if<rowan::DevicePlan<T>>(&required(plan, "plan").of);
  if (found == nullptr) refuse("the plan was made for values of another type");
  return *found;
}

}  // namespace

rowan_status rowan_device_create(const rowan_options* options, int ordinal, const rowan_device_allocator* allocator,
                                 rowan_device** device) {
  return guarded([&] {
    rowan_device*& out = emptied(device, "device");
    const auto never = std::make_shared<const std::atomic<bool>>(false);
    out = new rowan_device{rowan::DeviceContext(rowan::c::options_of(rowan::c::complete(options), never), ordinal,
                                                allocator_of(allocator))};
  });
}

void rowan_device_free(rowan_device* device) {
  delete device;
}

rowan_status rowan_device_wait(const rowan_device* device, void* stream) {
  return guarded([&] { device_of(device).wait(stream); });
}

int64_t rowan_device_bytes_in_use(const rowan_device* device) {
  return device == nullptr ? 0 : device->of.bytes_in_use();
}

rowan_status rowan_device_trim(const rowan_device* device) {
  return guarded([&] { device_of(device).trim(); });
}

rowan_status rowan_device_matrix_view(const rowan_device_matrix* matrix, rowan_view* view) {
  return guarded([&] {
    required(view, "view") = std::visit([](const auto& m) { return told(m.view()); }, required(matrix, "matrix").of);
  });
}

void rowan_device_matrix_free(rowan_device_matrix* matrix) {
  delete matrix;
}

rowan_status rowan_device_send(const rowan_device* device, const rowan_view* matrix, const rowan_device_call* call,
                               rowan_device_matrix** out) {
  return guarded([&] {
    rowan_device_matrix*& sent = emptied(out, "there");
    const rowan_view& host = required(matrix, "matrix");
    const rowan::DeviceContext& on = device_of(device);
    for_type(
        [&]<class T>(T) {
          sent = new rowan_device_matrix{on.to_device(rowan::c::view_of<T>(host, "the matrix"), call_of(call))};
        },
        host, {});
  });
}

rowan_status rowan_device_fetch(const rowan_device* device, const rowan_view* from, const rowan_device_call* call,
                                rowan_matrix** matrix) {
  return guarded([&] {
    rowan_matrix*& out = emptied(matrix, "matrix");
    const rowan_view& view = required(from, "there");
    const rowan::DeviceContext& on = device_of(device);
    for_type([&]<class T>(T) { out = new rowan_matrix{on.to_host(there<T>(view, "the matrix"), call_of(call))}; }, view,
             {});
  });
}

rowan_status rowan_device_multiply(const rowan_device* device, const rowan_view* a, const rowan_view* b,
                                   const rowan_device_call* call, rowan_device_matrix** c, rowan_stats* stats) {
  return guarded([&] {
    rowan_device_matrix*& out = emptied(c, "c");
    const rowan::DeviceContext& on = device_of(device);
    rowan::DeviceCall how = call_of(call);
    rowan::Stats mine;
    if (stats != nullptr) how.stats = &mine;
    for_pair(a, b, [&](const auto& left, const auto& right) {
      out = new rowan_device_matrix{on.multiply(left, right, how)};
    });
    rowan::c::tell(mine, stats);
  });
}

rowan_status rowan_device_symbolic(const rowan_device* device, const rowan_view* a, const rowan_view* b,
                                   const rowan_device_call* call, rowan_sizes** sizes) {
  return guarded([&] {
    rowan_sizes*& out = emptied(sizes, "sizes");
    const rowan::DeviceContext& on = device_of(device);
    for_pair(a, b, [&](const auto& left, const auto& right) {
      out = new rowan_sizes{on.symbolic(left, right, call_of(call))};
    });
  });
}

rowan_status rowan_device_inspect(const rowan_device* device, const rowan_view* a, const rowan_view* b,
                                  const rowan_device_call* call, rowan_inspection** inspection) {
  return guarded([&] {
    rowan_inspection*& out = emptied(inspection, "inspection");
    const rowan::DeviceContext& on = device_of(device);
    for_pair(a, b, [&](const auto& left, const auto& right) {
      out = rowan::c::inspection_of(on.inspect(left, right, call_of(call)));
    });
  });
}

rowan_status rowan_device_plan_create(const rowan_device* device, const rowan_view* a, const rowan_view* b,
                                      const rowan_device_call* call, rowan_device_plan** plan) {
  return guarded([&] {
    rowan_device_plan*& out = emptied(plan, "plan");
    const rowan::DeviceContext& on = device_of(device);
    for_pair(a, b, [&](const auto& left, const auto& right) {
      out = new rowan_device_plan{on.plan(left, right, call_of(call))};
    });
  });
}

rowan_status rowan_device_plan_execute(const rowan_device_plan* plan, const rowan_view* a, const rowan_view* b,
                                       const rowan_device_call* call, rowan_device_matrix** c) {
  return guarded([&] {
    rowan_device_matrix*& out = emptied(c, "c");
    for_pair(a, b, [&]<class T>(const rowan::DeviceView<T>& left, const rowan::DeviceView<T>& right) {
      out = new rowan_device_matrix{plan_for<T>(plan).execute(left, right, call_of(call))};
    });
  });
}

rowan_status rowan_device_plan_execute_into(const rowan_device_plan* plan, const rowan_view* a, const rowan_view* b,
                                            const rowan_device_call* call, void* val, int64_t nnz) {
  return guarded([&] {
    for_pair(a, b, [&]<class T>(const rowan::DeviceView<T>& left, const rowan::DeviceView<T>& right) {
      const rowan::DevicePlan<T>& of = plan_for<T>(plan);
      if (nnz != of.nnz())
        refuse("val has " + std::to_string(nnz) + " elements, but C has " + std::to_string(of.nnz()) + " entries");
      of.execute(left, right, static_cast<T*>(val), call_of(call));
    });
  });
}

rowan_status rowan_device_plan_view(const rowan_device_plan* plan, rowan_view* view) {
  return guarded([&] {
    required(view, "view") = std::visit([](const auto& p) { return told(p.pattern()); }, required(plan, "plan").of);
  });
}

void rowan_device_plan_free(rowan_device_plan* plan) {
  delete plan;
}
