#pragma once
// Engines of several devices.
#include <algorithm>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include "lib/device/pipeline/engine.hpp"
#include "models/embedded.hpp"

namespace rowan::test {

/// Engines of the first devices, as many as there are, whose sums are the textbook's; no memory is left behind.
struct Machine {
  explicit Machine(int devices) {
    for (int k = 0; k < std::min(devices, device::count()); k++) {
      const device::CurrentDevice chosen(k);
      owned.push_back(std::make_shared<device::Engine>(k, *embedded_policy("device-rules"), "", true));
      engines.push_back(owned.back().get());
    }
  }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  ~Machine() {
    for (const auto& engine : owned) CHECK_EQ(engine->pool().in_use(), 0);
  }
  device::SharedEngines owned = {};
  device::Engines engines = {};
};

}  // namespace rowan::test
