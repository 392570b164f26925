// rowan itself: Context::multiply with the model in force, or with what the arguments say:
//   policy=NAME model=FILE force=NAME deterministic memory_limit=BYTES float reuse (Plan::execute: values only)
//   backend=NAME (A, B and C in the device's memory; reuse: the numeric phase again)
#include <optional>

#include "bench/peers/protocol.hpp"
#include "lib/api/on_device.hpp"
#include "lib/host/timer.hpp"
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
      : context_(options(threads, args)), reuse_(has(args, "reuse")) {
    const std::vector<T> a_val(a.val.begin(), a.val.end()), b_val(b.val.begin(), b.val.end());
    const auto left = view(a, a_val), right = &a == &b ? left : view(b, b_val);
    work_ =
        on_device(context_, left, right, [](const auto& calls, const auto&... in) { return calls.resident(in...); });
    if (reuse_) work_.multiply(nullptr);
  }

  void multiply() const {
    if (reuse_)
      work_.again();
    else
      work_.multiply(nullptr);
  }
  [[nodiscard]] peer::Result result() {
    c_ = work_.fetch();
    double_.assign(c_.val().begin(), c_.val().end());
    return {c_.rows(), c_.cols(), nullptr, c_.row_ptr().data(), c_.col().data(), double_.data()};
  }
  void release() {
    if (!reuse_) work_.release();
    c_ = {}, double_ = {};
  }
  void rest() const { work_.trim(); }
  [[nodiscard]] std::int64_t device_bytes() const { return reuse_ ? 0 : work_.bytes_peak(); }
  /// Of one more multiplication: the device's clock makes it wait between stages.
  [[nodiscard]] std::string stages() const {
    rowan::Stats stats;
    if (!reuse_) {
      const rowan::Timer timer(stats.total);
      work_.multiply(&stats);
      work_.release();
    }
    return json(stats);
  }

 private:
  rowan::Context::State context_;
  bool reuse_;
  rowan::DeviceResident<T> work_;
  rowan::Csr<T> c_;
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
