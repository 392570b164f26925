#include "lib/api/state.hpp"
#include "lib/core/border.hpp"
#include "lib/core/prepared.hpp"
#include <rowan/device.hpp>
#include <rowan/error.hpp>

namespace rowan {

int device_count(Backend backend) {
  return static_cast<int>(all_devices(backend).size());
}

struct DeviceContext::State {
  Context::State common;
  std::shared_ptr<const DeviceEngine> engine;

  [[gnu::visibility("hidden")]] State(const Options& options, int ordinal, const DeviceAllocator& allocator)
      : common(options, Context::State::Opens::no_device),
        engine(open_devices(common.policy, common.options, {&ordinal, 1}, allocator)) {}
};

DeviceContext::DeviceContext(const Options& options, int ordinal, const DeviceAllocator& allocator) try
    : state_(std::make_shared<const State>(options, ordinal, allocator)) {
} catch (...) {
  rethrow_as_error();
}

const DeviceContext::State& DeviceContext::state() const {
  if (!state_) throw Error(ErrorCode::invalid_argument, "the device context was moved from: it is empty");
  return *state_;
}

std::int64_t DeviceContext::bytes_in_use() const {
  return state().engine->bytes_in_use();
}

std::int64_t DeviceContext::bytes_peak() const {
  return state().engine->bytes_peak();
}

void DeviceContext::restart_peak() const {
  state().engine->restart_peak();
}

void DeviceContext::wait(void* stream) const try { state().engine->wait(stream); } catch (...) {
  rethrow_as_error();
}

void DeviceContext::trim() const {
  state().engine->trim();
}

namespace {

template <class T>
DeviceMatrix<T> sent(const DeviceContext::State& state, const CsrView<T>& matrix, const DeviceCall& call) {
  const Team team(state.common.options.threads);
  const Prepared<T> host(matrix, "the matrix", state.common.options.validate, team);
  return state.engine->on.of<T>().to_device(host.operand(), state.common.options, call);
}

/// A plan's work; throws where it is empty.
template <class W>
const W& planned(const std::shared_ptr<const W>& work) {
  if (!work) throw Error(ErrorCode::invalid_argument, "the plan is empty: make one with DeviceContext::plan");
  return *work;
}

}  // namespace

template <class T>
DeviceMatrix<T> DevicePlan<T>::execute(const DeviceView<T>& a, const DeviceView<T>& b, const DeviceCall& call) const
    try {
  return planned(work_).execute(a, b, call);
} catch (...) {
  rethrow_as_error();
}

template <class T>
void DevicePlan<T>::execute(const DeviceView<T>& a, const DeviceView<T>& b, T* val, const DeviceCall& call) const try {
  const Work& work = planned(work_);
  if (val == nullptr && work.pattern.nnz() != 0) throw Error(ErrorCode::invalid_argument, "val is null");
  work.execute_into(a, b, val, call);
} catch (...) {
  rethrow_as_error();
}

template <class T>
DeviceView<T> DevicePlan<T>::pattern() const noexcept {
  return work_ ? work_->pattern.view() : DeviceView<T>();
}
template <class T>
std::int64_t DevicePlan<T>::rows() const noexcept {
  return pattern().rows;
}
template <class T>
std::int64_t DevicePlan<T>::cols() const noexcept {
  return pattern().cols;
}
template <class T>
std::int64_t DevicePlan<T>::nnz() const noexcept {
  return pattern().nnz;
}
template <class T>
std::int64_t DevicePlan<T>::nprod() const noexcept {
  return work_ ? work_->nprod : 0;
}
template <class T>
std::int64_t DevicePlan<T>::bytes() const noexcept {
  return work_ ? work_->bytes : 0;
}

#define ROWAN_DEFINE(T)                                                                                                \
  DeviceMatrix<T> DeviceContext::multiply(const DeviceView<T>& a, const DeviceView<T>& b, const DeviceCall& call)      \
      const try {                                                                                                      \
    return state().engine->on.of<T>().multiply_there(a, b, state().common.options, call);                              \
  } catch (...) {                                                                                                      \
    rethrow_as_error();                                                                                                \
  }                                                                                                                    \
  Symbolic DeviceContext::symbolic(const DeviceView<T>& a, const DeviceView<T>& b, const DeviceCall& call) const try { \
    return state().engine->on.of<T>().symbolic_there(a, b, state().common.options, call);                              \
  } catch (...) {                                                                                                      \
    rethrow_as_error();                                                                                                \
  }                                                                                                                    \
  DevicePlan<T> DeviceContext::plan(const DeviceView<T>& a, const DeviceView<T>& b, const DeviceCall& call)            \
      const try {                                                                                                      \
    return state().engine->on.of<T>().plan_there(a, b, state().common.options, call);                                  \
  } catch (...) {                                                                                                      \
    rethrow_as_error();                                                                                                \
  }                                                                                                                    \
  Inspection DeviceContext::inspect(const DeviceView<T>& a, const DeviceView<T>& b, const DeviceCall& call)            \
      const try {                                                                                                      \
    return state().engine->on.of<T>().inspect_there(a, b, state().common.options, call);                               \
  } catch (...) {                                                                                                      \
    rethrow_as_error();                                                                                                \
  }                                                                                                                    \
  template class DevicePlan<T>;                                                                                        \
  DeviceMatrix<T> DeviceContext::to_device(const CsrView<T>& matrix, const DeviceCall& call) const try {               \
    return sent(state(), matrix, call);                                                                                \
  } catch (...) {                                                                                                      \
    rethrow_as_error();                                                                                                \
  }                                                                                                                    \
  Csr<T> DeviceContext::to_host(const DeviceView<T>& matrix, const DeviceCall& call) const try {                       \
    return state().engine->on.of<T>().to_host(matrix, state().common.options, call);                                   \
  } catch (...) {                                                                                                      \
    rethrow_as_error();                                                                                                \
  }
ROWAN_FOR_EACH_VALUE(ROWAN_DEFINE)
#undef ROWAN_DEFINE

}  // namespace rowan
