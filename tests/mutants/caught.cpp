// Every mistake put into the real kernels is found, at waves of 32 and of 64.
#include <doctest/doctest.h>

#include "lib/core/prepared.hpp"
#include "lib/device/pipeline/host_product.hpp"
#include "models/embedded.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/mutants/mutant.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"

namespace rowan::test {
namespace {

struct Mutant {
  std::string name, report, force;
};
const std::vector<Mutant> kMutants{
#include "mutants.inc"
};

constexpr int kSchedules = 2;  // as many as tests/lib/device/pipeline/multiply.cpp runs

/// What the emulator says of a multiply, or where its result is wrong, or nothing.
std::string trouble(const Shape& shape, const std::string& force) {
  const Factors<double> f(shape, Values::integers);
  const Team team(1);
  const Prepared<double> a(f.a(), "A", true, team), b(f.b(), "B", true, team);
  try {
    const Policy* const named = embedded_policy(force);
    device::Engine engine(0, named != nullptr ? *named : *embedded_policy("device-rules"),
                          named != nullptr ? "" : force);
    Stats stats;
    const Csr<double> c = device::multiply_on_host({&engine}, a.operand(), b.operand(), false, Options{}, stats);
    return difference(c, textbook(f.a(), f.b()));
  } catch (const emulator::EmulatorFault& fault) {
    return fault.what();
  }
}

/// Shapes that are quick to emulate.
std::vector<const Shape*> quick_shapes() {
  constexpr std::int64_t kColumns = 1 << 18;
  std::vector<const Shape*> list;
  for (const Shape& shape : shapes())
    if (shape.right().cols < kColumns) list.push_back(&shape);
  return list;
}

/// Whether mutant `number` is found, in any shape and schedule, at waves of this width. Where it is found, nothing is
/// wrong without it.
bool found(int number, int wave, std::string& seen) {
  const Mutant& m = kMutants[static_cast<std::size_t>(number) - 1];
  for (int seed = 1; seed <= kSchedules; seed++) {
    emulator::EmulatorOptions options;
    options.wave = wave, options.seed = static_cast<std::uint64_t>(seed), options.preempt = seed == 1 ? 0 : 0.02;
    const Emulated emulated(options);
    for (const Shape* shape : quick_shapes()) {
      turn_on(number);
      const std::string report = trouble(*shape, m.force);
      turn_on(0);
      if (report.starts_with(m.report)) {
        CHECK_EQ(trouble(*shape, m.force), "");
        return true;
      }
      if (!report.empty()) seen += shape->name + ": " + report + "\n";
    }
  }
  return false;
}

}  // namespace

TEST_CASE("every mistake in a kernel is reported as what it is, and nothing without it") {
  CHECK_GE(kMutants.size(), 18U);
  for (std::size_t k = 0; k < kMutants.size(); k++) {
    const Mutant& m = kMutants[k];
    CAPTURE(m.name);
    for (const int wave : {32, 64}) {
      std::string seen;
      const bool caught = found(static_cast<int>(k) + 1, wave, seen);
      CHECK_MESSAGE(caught, "waves of ", wave, ", reported instead: ", seen);
    }
  }
}

// Accumulators that are forced: tests/lib/device/pipeline/multiply.cpp.
TEST_CASE("these policies' products of every shape have no mistake") {
  for (const char* policy : {"dcu-nsparse", "deltasparse"})
    for (const Shape* shape : quick_shapes()) CHECK_EQ(trouble(*shape, policy), "");
}

}  // namespace rowan::test
