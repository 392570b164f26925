#include <algorithm>
#include <cstdlib>
#include <string>

#include "lib/api/on_device.hpp"
#include "lib/core/border.hpp"
#include "lib/core/instructions.hpp"
#include "lib/core/too_large.hpp"
#include "lib/host/in_blocks.hpp"
#include "lib/host/multiply.hpp"
#include "lib/host/rows_in_place.hpp"
#include "lib/host/sized_product.hpp"
#include "lib/host/timer.hpp"
#include "models/embedded.hpp"
#include <rowan/error.hpp>

namespace rowan {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::invalid_argument, what);
}

template <class Names>
std::string listed(const Names& all) {
  std::string text;
  for (const auto& one : all) text += (text.empty() ? "" : ", ") + std::string(one.name);
  return text;
}

bool wants_device(const Options& options) {
  return options.backend != Backend::automatic && options.backend != Backend::host;
}

void check(const Options& options) {
  if (options.threads < 0) refuse("threads is " + std::to_string(options.threads) + ", it must be 0 or more");
  if (!options.devices.empty() && !wants_device(options))
    refuse("devices were named, but backend is " +
           std::string(options.backend == Backend::host ? "the host" : "automatic, which takes all that there are"));
  if (options.memory_limit < 0)
    refuse("memory_limit is " + std::to_string(options.memory_limit) + ", it must be 0 or more");
  // a device's may end in how many lanes walk a row of B, which it checks itself, as whether it has the accumulator
  const std::string_view force = options.force;
  const auto has = [&](CandidateId id) { return wants_device(options) || kCandidates[id].on_host; };
  if (!force.empty() && !candidate_named(wants_device(options) ? force.substr(0, force.find(':')) : force, has))
    refuse("there is no accumulator \"" + options.force + "\"; there are " + listed(kCandidates));
  if (!options.policy.empty() && !options.model.empty()) refuse("policy and model were both given; give one");
}

/// The policy file in force, if any: the caller's, or its text, else the environment's. A named policy goes before the
/// environment.
std::optional<LoadedPolicy> model_in_force(const Options& options) {
  if (options.model.starts_with('{')) return LoadedPolicy::from_text(options.model, "Options::model");
  if (!options.model.empty()) return LoadedPolicy::from_file(options.model);
  if (!options.policy.empty()) return std::nullopt;
  const char* from_environment = std::getenv("ROWAN_MODEL");  // NOLINT(concurrency-mt-unsafe): only read
  if (from_environment == nullptr || *from_environment == '\0') return std::nullopt;
  try {
    return LoadedPolicy::from_file(from_environment);
  } catch (const Error& e) {  // whoever did not name the file has to know where it comes from
    throw Error(e.code(), std::string("ROWAN_MODEL: ") + e.what());
  }
}

}  // namespace

Context::State::State(Options given, Opens opens) : options(std::move(given)) {
  check(options);
  limit_instructions_as_asked();
  loaded = model_in_force(options);
  if (loaded) {
    loaded->resolve([&](CandidateId id) { return has_candidate(options.backend, id); });
    policy = loaded->view();
  } else if (options.policy.empty()) {
    policy = wants_device(options) ? default_policy(options.backend) : embedded_policies().front();
  } else {
    const Policy* found = embedded_policy(options.policy);
    if (found == nullptr)
      refuse("there is no policy \"" + options.policy + "\"; there are " + listed(embedded_policies()));
    policy = *found;
  }
  if (opens == Opens::no_device) return;
  if (wants_device(options)) device = open_devices(policy, options);
  placing = placing_for(options, nothing_named());
}

Context::Context(Options options) try : state_(std::make_shared<const State>(std::move(options))) {
} catch (...) {
  rethrow_as_error();
}

const std::shared_ptr<const Context::State>& Context::state() const {
  if (!state_) refuse("the context was moved from: it is empty, assign another to it");
  return state_;
}

namespace {

/// `cores`: what the host's cores multiply, where they share the rows.
template <class T>
Csr<T> multiply_there(const DeviceEngine& device, const Settings& settings, const CsrView<T>& a, const CsrView<T>& b,
                      Stats& stats, const CoresShare& cores = {}) {
  const Options& options = settings.options;
  const Timer timer(stats.total);
  std::optional<Timer> preparing(std::in_place, stats.prepare);
  HostWork<T> meanwhile;
  if (options.validate && is_operand(a) && is_operand(b)) {  // the rest of the check goes on while they travel
    validate_sizes(a, "A"), validate_sizes(b, "B");
    meanwhile.check = [&] { validate_both(a, b, Team(options.threads)); };
  }
  const Inputs<T> in(a, b, options.validate && !meanwhile.check, Team(options.threads));
  std::optional<RowsInPlace<T>> rows;
  if (cores.speed > 0) {
    rows.emplace(in.a(), in.b(), settings, cores.threads);
    meanwhile.speed = cores.speed;
    meanwhile.fill = [&](std::int64_t first, std::span<const std::int64_t> row_ptr, Column* col, T* val) {
      rows->fill(first, {row_ptr, col, val});
    };
  }
  preparing.reset();
  return device.on.of<T>().multiply(in.a(), in.b(), &in.a() == &in.b(), meanwhile, options, stats);
}

/// What is not the caller's doing: then the host multiplies.
bool of_the_device(const Error& e) {
  return e.code() == ErrorCode::device || e.code() == ErrorCode::out_of_memory || e.code() == ErrorCode::unsupported;
}

/// Where rowan chooses the place.
template <class T>
Csr<T> multiply_anywhere(const Context::State& state, const CsrView<T>& a, const CsrView<T>& b, Stats& stats) {
  Placement place = state.placing->place(a, b, state.options);
  if (place.device != nullptr) try {
      Csr<T> c = multiply_there(*place.device, state.settings(), a, b, stats, place.cores);
      stats.place_reason = std::move(place.reason);
      return c;
    } catch (const Error& e) {
      if (!of_the_device(e)) throw;
      place.reason = Placing::after_failure(e.what());
      stats = {};
    }
  Csr<T> c = multiply(a, b, state.settings_of_multiply(), stats);
  stats.place_reason = std::move(place.reason);
  return c;
}

template <class T>
Csr<T> multiply_with(const Context::State& state, const CsrView<T>& a, const CsrView<T>& b, Stats* stats) {
  Stats mine;
  Csr<T> c = state.device    ? multiply_there(*state.device, state.settings(), a, b, mine)
             : state.placing ? multiply_anywhere(state, a, b, mine)
                             : multiply(a, b, state.settings_of_multiply(), mine);
  if (stats != nullptr) *stats = std::move(mine);
  return c;
}

template <class T>
Symbolic size_of_whole(const CsrView<T>& a, const CsrView<T>& b, const Settings& settings) {
  SizedProduct<T> sized(a, b, settings, Team(settings.options.threads), EmptyRows::drop_many);
  const std::int64_t bytes_c = sized.bytes_c();  // before the row pointers move out
  return {.row_ptr = sized.in.row_pointers(std::move(sized.row_ptr)),
          .nprod = sized.stats.nprod,
          .nnz = sized.stats.nnz,
          .bytes_c = bytes_c,
          .bytes_temporary = sized.stats.bytes_temporary};
}

template <class T>
Symbolic count_only(const Context::State& state, const CsrView<T>& a, const CsrView<T>& b) {
  if (state.device)
    return on_device(state, a, b, [&](const auto& calls, const auto&... operands) {
      return calls.symbolic(operands..., state.options);
    });
  try {
    return size_of_whole(a, b, state.settings());
  } catch (const Error& e) {
    if (!too_large(e)) throw;
  }
  return count_in_blocks(a, b, state.settings());
}

/// A device's product is made there and copied, once it is known to be of these sizes.
template <class T>
void multiply_there_into(const Context::State& state, const CsrView<T>& a, const CsrView<T>& b, const Symbolic& sizes,
                         std::span<Column> col, std::span<T> val, Stats& stats) {
  const Csr<T> c = multiply_there(*state.device, state.settings(), a, b, stats);
  if (!std::ranges::equal(c.row_ptr(), sizes.row_ptr.span())) refuse("the sizes are of another product");
  std::ranges::copy(c.col(), col.begin());
  std::ranges::copy(c.val(), val.begin());
}

template <class T>
void fill(const Context::State& state, const CsrView<T>& a, const CsrView<T>& b, const Symbolic& sizes,
          std::span<Column> col, std::span<T> val, Stats* stats) {
  const auto elements = [&](const char* what, std::size_t n) {
    if (n != static_cast<std::size_t>(sizes.nnz))
      refuse(std::string(what) + " has " + std::to_string(n) + " elements, but C has " + std::to_string(sizes.nnz) +
             " entries");
  };
  elements("col", col.size()), elements("val", val.size());
  if (sizes.row_ptr.size() == 0 || sizes.row_ptr[sizes.row_ptr.size() - 1] != sizes.nnz)
    refuse("the sizes are of no product: their row pointers do not end at " + std::to_string(sizes.nnz));
  Stats mine;
  if (state.device)
    multiply_there_into(state, a, b, sizes, col, val, mine);
  else
    multiply_into<T>(a, b, {sizes.row_ptr.span(), col.data(), val.data()}, state.settings(), mine);
  mine.nprod = sizes.nprod;
  if (stats != nullptr) *stats = std::move(mine);
}

}  // namespace

Csr<float> Context::multiply(const CsrView<float>& a, const CsrView<float>& b, Stats* stats) const try {
  return multiply_with(*state(), a, b, stats);
} catch (...) {
  rethrow_as_error();
}
Csr<double> Context::multiply(const CsrView<double>& a, const CsrView<double>& b, Stats* stats) const try {
  return multiply_with(*state(), a, b, stats);
} catch (...) {
  rethrow_as_error();
}
Symbolic Context::symbolic(const CsrView<float>& a, const CsrView<float>& b) const try {
  return count_only(*state(), a, b);
} catch (...) {
  rethrow_as_error();
}
Symbolic Context::symbolic(const CsrView<double>& a, const CsrView<double>& b) const try {
  return count_only(*state(), a, b);
} catch (...) {
  rethrow_as_error();
}

void Context::multiply_into(const CsrView<float>& a, const CsrView<float>& b, const Symbolic& sizes,
                            std::span<Column> col, std::span<float> val, Stats* stats) const try {
  fill(*state(), a, b, sizes, col, val, stats);
} catch (...) {
  rethrow_as_error();
}
void Context::multiply_into(const CsrView<double>& a, const CsrView<double>& b, const Symbolic& sizes,
                            std::span<Column> col, std::span<double> val, Stats* stats) const try {
  fill(*state(), a, b, sizes, col, val, stats);
} catch (...) {
  rethrow_as_error();
}

Csr<float> multiply(const CsrView<float>& a, const CsrView<float>& b, const Options& options) try {
  return Context(options).multiply(a, b);
} catch (...) {
  rethrow_as_error();
}
Csr<double> multiply(const CsrView<double>& a, const CsrView<double>& b, const Options& options) try {
  return Context(options).multiply(a, b);
} catch (...) {
  rethrow_as_error();
}

}  // namespace rowan
