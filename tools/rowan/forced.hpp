#pragma once
// --force takes rows only where the accumulator can take them; a warning says when it took none.
#include <string>

#include "tools/rowan/common.hpp"
#include <rowan/inspection.hpp>

namespace rowan::tool {

/// Says so, on standard error, where `force` (empty: none) got no row with products: of no bin could it take all rows.
void tell_unused_force(const Inspection& inspection, const std::string& force);

/// The same for a multiplication. Inspects it, unless the accumulator can take all rows anyway.
void tell_unused_force(const Context& context, const Operands& in, const std::string& force);

}  // namespace rowan::tool
