#pragma once
// Kernels that are compiled for every instruction set (hwy/foreach_target.h) and for every type of values.
#include <hwy/highway.h>

#include "lib/core/values.hpp"

/// Inside an instruction set's namespace: Entry_T(task) for each type T of values, which calls the template `kernel`.
#define ROWAN_KERNELS(Entry, kernel, Task) ROWAN_FOR_EACH_VALUE(ROWAN_KERNEL_OF, Entry, kernel, Task)
#define ROWAN_KERNEL_OF(T, Entry, kernel, Task) \
  auto Entry##_##T(const Task<T>& task) {       \
    return kernel(task);                        \
  }

/// Outside, once: name(task) for each type of values, which calls the entry of the processor's best instruction set.
#define ROWAN_DISPATCH(Result, name, Entry, Task) ROWAN_FOR_EACH_VALUE(ROWAN_DISPATCH_OF, Result, name, Entry, Task)
#define ROWAN_DISPATCH_OF(T, Result, name, Entry, Task) \
  HWY_EXPORT(Entry##_##T);                              \
  Result name(const Task<T>& task) {                    \
    return HWY_DYNAMIC_DISPATCH(Entry##_##T)(task);     \
  }
