#pragma once
// Exceptions that leave the library.

namespace rowan {

/// To be called where an exception is handled: throws Error{out_of_memory} instead of what the standard library throws
/// when memory runs out (std::bad_alloc, and std::length_error for a size that no memory has), anything else as it is.
/// Every public function that allocates is `try { ... } catch (...) { rethrow_as_error(); }`. Needs no memory itself.
[[noreturn]] void rethrow_as_error();

}  // namespace rowan
