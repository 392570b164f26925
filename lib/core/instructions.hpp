#pragma once
// Which vector instructions kernels use: the best that the processor has, or no better than those that are named.
#include <string>
#include <string_view>
#include <vector>

namespace rowan {

/// Instruction sets that this build and this processor have and that may be used, by Highway's names, the best first:
/// it is used where a kernel is compiled for it, else the next.
[[nodiscard]] std::vector<std::string> instruction_sets();

/// None better than `name` from now on; all again where it is empty. Not while anything multiplies. Throws
/// Error(invalid_argument) where this build and this processor have no such instruction set; nothing is changed then.
void limit_instructions(std::string_view name);

/// The limit that the environment variable ROWAN_INSTRUCTIONS asks for, on the first call. Throws as above.
void limit_instructions_as_asked();

}  // namespace rowan
