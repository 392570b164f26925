// rowan itself: Context::multiply with the model in force, or with what the arguments say:
//   policy=NAME model=FILE force=NAME deterministic unsorted memory_limit=BYTES float reuse (Plan::execute: values
//   only) backend=NAME (A, B and C in the device's memory; reuse: the numeric phase again)
#include <optional>

#include "bench/peers/protocol.hpp"
#include "lib/backends/devices.hpp"
#include <rowan/rowan.hpp>

namespace {

using peer::Matrix;

rowan::Options options(int threads, const std::vector<std::string>& args) {
  rowan::Options o{.threads = threads};
  for (const std::string& arg : args) {
    const std::size_t equals = arg.find('=');
    const std::string name = arg.substr(0, equals), value = equals == arg.npos ? "" : arg.substr(equals + 1);
    if (name == "policy") o.policy = value;
    if (name == "model") o.model = value;
    if (name == "force") o.force = value;
    if (name == "deterministic") o.deterministic = true;
    if (name == "unsorted") o.unsorted = true;
    if (name == "memory_limit") o.memory_limit = std::stoll(value);
    if (name == "backend")
      o.backend = value == "cuda"  ? rowan::Backend::cuda
                  : value == "hip" ? rowan::Backend::hip
                                   : rowan::Backend::emulated;
  }
  return o;
}

bool has(const std::vector<std::string>& args, const char* word) {
  return std::find(args.begin(), args.end(), word) != args.end();
}

template <class T>
rowan::CsrView<T> view(const Matrix& m, const std::vector<T>& val) {
  return {m.rows, m.cols, std::span<const std::int32_t>(m.row_ptr), m.col, val};
}

std::string json(const rowan::Stats& stats) {
  std::string s = "{";
  const auto add = [&](const char* name, double seconds) {
    char text[64];
    std::snprintf(text, sizeof text, "%s\"%s\": %.9f", s.size() == 1 ? "" : ", ", name, seconds);
    s += text;
  };
  add("prepare", stats.prepare), add("features", stats.features), add("binning", stats.binning);
  add("deciding", stats.deciding), add("symbolic", stats.symbolic), add("numeric", stats.numeric);
  add("total", stats.total);
  return s + "}";
}

template <class T>
class Peer {
 public:
  Peer(const Matrix& a, const Matrix& b, int threads, const std::vector<std::string>& args)
      : a_(a), other_(&a == &b ? Matrix() : b), context_(options(threads, args)) {
    a_val_.assign(a_.val.begin(), a_.val.end()), b_val_.assign(other_.val.begin(), other_.val.end());
    a_.val = {}, other_.val = {};  // held once: memory is measured, too
    view_a_ = view(a_, a_val_), view_b_ = &a == &b ? view_a_ : view(other_, b_val_);
    if (!has(args, "reuse")) return;
    plan_.emplace(context_.plan(view_a_, view_b_));
    plan_->execute(view_a_, view_b_, c_);
  }

  void multiply() {
    if (plan_)
      plan_->execute(view_a_, view_b_, c_);
    else
      c_ = context_.multiply(view_a_, view_b_, &stats_);
  }
  [[nodiscard]] peer::Result result() {
    const double* val = nullptr;
    if constexpr (std::is_same_v<T, double>)
      val = c_.val().data();  // no copy: memory is measured, too
    else
      double_.assign(c_.val().begin(), c_.val().end()), val = double_.data();
    return {c_.rows(), c_.cols(), nullptr, c_.row_ptr().data(), c_.col().data(), val};
  }
  void release() {
    if (!plan_) c_ = {};
    double_ = {};
  }
  /// Of the last multiplication.
  [[nodiscard]] std::string stages() const { return json(stats_); }

 private:
  Matrix a_, other_;
  std::vector<T> a_val_, b_val_;
  rowan::CsrView<T> view_a_ = {}, view_b_ = {};
  rowan::Context context_;
  std::optional<rowan::Plan> plan_;
  rowan::Csr<T> c_;
  rowan::Stats stats_;
  std::vector<double> double_;
};

/// All matrices in the device's memory.
template <class T>
class PeerOnDevice {
 public:
  PeerOnDevice(const Matrix& a, const Matrix& b, int threads, const std::vector<std::string>& args)
      : device_(unchecked(options(threads, args))) {
    const std::vector<T> a_val(a.val.begin(), a.val.end());
    a_ = b_ = device_.to_device(view(a, a_val));
    if (&a != &b) b_ = device_.to_device(view(b, std::vector<T>(b.val.begin(), b.val.end())));
    if (has(args, "reuse")) plan_.emplace(device_.plan(a_, b_));
  }

  void multiply() {
    if (plan_) {
      c_ = plan_->execute(a_, b_);
      device_.wait();
      return;
    }
    c_ = {};
    device_.restart_peak();
    const std::int64_t before = device_.bytes_in_use();
    c_ = device_.multiply(a_, b_);
    device_.wait();
    bytes_peak_ = device_.bytes_peak() - before;
  }
  [[nodiscard]] peer::Result result() {
    home_ = device_.to_host(c_);
    double_.assign(home_.val().begin(), home_.val().end());
    return {home_.rows(), home_.cols(), nullptr, home_.row_ptr().data(), home_.col().data(), double_.data()};
  }
  void release() { c_ = {}, home_ = {}, double_ = {}; }
  void rest() const { device_.trim(); }
  [[nodiscard]] std::int64_t device_bytes() const { return bytes_peak_; }
  /// Of one more multiplication: the device's clock makes it wait between stages.
  [[nodiscard]] std::string stages() const {
    rowan::Stats stats;
    if (!plan_) static_cast<void>(device_.multiply(a_, b_, {.stats = &stats}));
    return json(stats);
  }

 private:
  /// As device programs are measured: none of the others looks for faults.
  static rowan::Options unchecked(rowan::Options o) {
    o.validate = false;
    return o;
  }

  rowan::DeviceContext device_;
  rowan::DeviceMatrix<T> a_, b_, c_;
  std::optional<rowan::DevicePlan<T>> plan_;  // numeric re-execution
  std::int64_t bytes_peak_ = 0;
  rowan::Csr<T> home_;
  std::vector<double> double_;
};

template <template <class> class P>
int serve(const std::vector<peer::Contestant>& contestants, bool single, int argc, char** argv) {
  return single ? peer::serve<P<float>>(contestants, argc, argv) : peer::serve<P<double>>(contestants, argc, argv);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<peer::Contestant> contestants{{"rowan"}, {"rowan numeric only", {"reuse"}, "reuse"}};
  const std::vector<std::string> args(argv, argv + argc);
  if (has(args, "--contestants"))
    for (const rowan::DeviceReport& d : rowan::devices()) {
      if (d.ordinal != 0) continue;
      const std::string backend = "backend=" + d.backend;
      contestants.push_back({"rowan", {backend}, "full", d.backend});
      contestants.push_back({"rowan numeric only", {backend, "reuse"}, "reuse", d.backend});
    }
  const bool there = std::any_of(args.begin(), args.end(), [](const auto& arg) { return arg.starts_with("backend="); });
  return there ? serve<PeerOnDevice>(contestants, has(args, "float"), argc, argv)
               : serve<Peer>(contestants, has(args, "float"), argc, argv);
}
