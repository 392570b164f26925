#include <cstdint>
#include <cstdio>

#include <dlfcn.h>

int main() {
  void* const module = dlopen(PRODUCT_PATH, RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) return std::fprintf(stderr, "%s\n", dlerror()), 1;
  using Function = std::int64_t (*)();
  const auto function = reinterpret_cast<Function>(dlsym(module, "entries_of_product"));
  if (function == nullptr) return std::fprintf(stderr, "%s\n", dlerror()), 1;
  const std::int64_t entries = function();
  std::printf("a product of %lld entries from a shared object\n", static_cast<long long>(entries));
  return entries > 0 ? 0 : 1;
}
