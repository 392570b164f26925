#pragma once
// Options as Python gave them, and the contexts that are made of them once.
#include <map>
#include <memory>
#include <mutex>

#include "arrays.hpp"

namespace pyrowan {

/// f() without Python's lock; Ctrl-C ends it where rowan looks.
template <class F>
auto unlocked(const F& f);

class Settings {
 public:
  explicit Settings(rowan::Options options);

  [[nodiscard]] const rowan::Context& context() const noexcept { return context_; }
  /// The context of a device: of the backend that was named, or of the one that this build has.
  [[nodiscard]] const rowan::DeviceContext& device(int ordinal) const;
  /// "cuda", "hip" or "emulated": whose device() it is.
  [[nodiscard]] rowan::Backend device_backend() const;

 private:
  struct Devices {
    std::mutex lock;  // of all
    std::map<int, std::unique_ptr<const rowan::DeviceContext>> by_ordinal;
    rowan::Backend backend = rowan::Backend::automatic;  // until the first was opened
  };
  rowan::Options options_;
  rowan::Context context_;
  std::unique_ptr<Devices> devices_ = std::make_unique<Devices>();
};

/// Lets Ctrl-C end the call that the thread is in for as long as it lives: Python looks at its signals in the main
/// thread alone, which waits for rowan meanwhile.
class Interruptible {
 public:
  Interruptible() noexcept;
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;
  /// What rowan calls with the share of the work done, from any thread.
  static void look(double);

 private:
  bool outer_;
};

template <class F>
auto unlocked(const F& f) {
  const py::gil_scoped_release released;
  const Interruptible call;
  return f();
}

/// Makes the functions on matrices in device memory (device.cpp).
void define_device(py::module_& m);

py::dict dict_of(const rowan::Stats& stats);
py::dict dict_of(const rowan::Inspection& inspection);

}  // namespace pyrowan
