// rowan itself: Context::multiply with the model in force, or with what the arguments say:
//   policy=NAME model=FILE force=NAME memory_limit=BYTES float reuse (Plan::execute: values only)
#include <optional>

#include "bench/peers/protocol.hpp"
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
    if (name == "memory_limit") o.memory_limit = std::stoll(value);
  }
  return o;
}

template <class T>
class Peer {
 public:
  Peer(const Matrix& a, const Matrix& b, int threads, const std::vector<std::string>& args)
      : a_(a), other_(&a == &b ? Matrix() : b), context_(options(threads, args)) {
    a_val_.assign(a_.val.begin(), a_.val.end()), b_val_.assign(other_.val.begin(), other_.val.end());
    a_.val = {}, other_.val = {};  // held once: memory is measured, too
    view_a_ = view(a_, a_val_), view_b_ = &a == &b ? view_a_ : view(other_, b_val_);
    if (std::find(args.begin(), args.end(), "reuse") == args.end()) return;
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
    double_.assign(c_.val().begin(), c_.val().end());
    return {c_.rows(), c_.cols(), nullptr, c_.row_ptr().data(), c_.col().data(), double_.data()};
  }
  void release() {
    if (!plan_) c_ = {};
    double_ = {};
  }
  /// Of the last multiplication.
  [[nodiscard]] std::string stages() const {
    std::string s = "{";
    const auto add = [&](const char* name, double seconds) {
      char text[64];
      std::snprintf(text, sizeof text, "%s\"%s\": %.9f", s.size() == 1 ? "" : ", ", name, seconds);
      s += text;
    };
    add("prepare", stats_.prepare), add("features", stats_.features), add("binning", stats_.binning);
    add("deciding", stats_.deciding), add("symbolic", stats_.symbolic), add("numeric", stats_.numeric);
    add("total", stats_.total);
    return s + "}";
  }

 private:
  static rowan::CsrView<T> view(const Matrix& m, const std::vector<T>& val) {
    return {m.rows, m.cols, std::span<const std::int32_t>(m.row_ptr), m.col, val};
  }

  Matrix a_, other_;
  std::vector<T> a_val_, b_val_;
  rowan::CsrView<T> view_a_ = {}, view_b_ = {};
  rowan::Context context_;
  std::optional<rowan::Plan> plan_;
  rowan::Csr<T> c_;
  rowan::Stats stats_;
  std::vector<double> double_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::vector<peer::Contestant> contestants{{"rowan"}, {"rowan numeric only", {"reuse"}, "reuse"}};
  const bool single = std::any_of(argv, argv + argc, [](const char* arg) { return std::strcmp(arg, "float") == 0; });
  return single ? peer::serve<Peer<float>>(contestants, argc, argv)
                : peer::serve<Peer<double>>(contestants, argc, argv);
}
