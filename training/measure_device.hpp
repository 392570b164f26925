#pragma once
// Measuring a product on a device: every candidate that takes a bin, walkers with every number of lanes, whole phases.
#include "lib/backends/devices.hpp"
#include "models/loaded.hpp"
#include "training/measure.hpp"

namespace rowan::training {

/// Ranks every candidate in every phase, so that an engine makes all bins and facts that any of them wants.
[[nodiscard]] LoadedPolicy every_candidate();

/// As measure_product, by an engine under every_candidate(): seconds from synchronised to synchronised, kernels alone.
/// `takes_all` and `deciding` stay empty: devices bin all rows anyway. Throws Error{out_of_memory} where A, B and C do
/// not fit the device.
void measure_on_device(const DeviceEngine& device, const CsrView<double>& a, const CsrView<double>& b,
                       const MeasureRules& rules, ProductSample& sample);

}  // namespace rowan::training
