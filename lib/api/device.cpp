#include "lib/api/state.hpp"
#include "lib/core/border.hpp"
#include "lib/core/prepared.hpp"
#include <rowan/device.hpp>
#include <rowan/error.hpp>

namespace rowan {

struct DeviceContext::State {
  Context::State common;
  std::shared_ptr<const DeviceEngine> engine;

  [[gnu::visibility("hidden")]] State(const Options& options, int ordinal, const DeviceAllocator& allocator)
      : common(options, Context::State::Opens::no_device),
        engine(open_device(common.policy, common.options, ordinal, allocator)) {}
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

void DeviceContext::trim() const {
  state().engine->trim();
}

namespace {

template <class T>
DeviceMatrix<T> sent(const DeviceContext::State& state, const CsrView<T>& matrix, const DeviceCall& call) {
  const Team team(state.common.options.threads);
  const Prepared<T> host(matrix, "the matrix", state.common.options.validate, team);
  return state.engine->on.of<T>().to_device(host.operand(), call);
}

}  // namespace

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
  DeviceMatrix<T> DeviceContext::to_device(const CsrView<T>& matrix, const DeviceCall& call) const try {               \
    return sent(state(), matrix, call);                                                                                \
  } catch (...) {                                                                                                      \
    rethrow_as_error();                                                                                                \
  }                                                                                                                    \
  Csr<T> DeviceContext::to_host(const DeviceView<T>& matrix, const DeviceCall& call) const try {                       \
    return state().engine->on.of<T>().to_host(matrix, call);                                                           \
  } catch (...) {                                                                                                      \
    rethrow_as_error();                                                                                                \
  }
ROWAN_FOR_EACH_VALUE(ROWAN_DEFINE)
#undef ROWAN_DEFINE

}  // namespace rowan
