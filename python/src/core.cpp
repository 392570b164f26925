// pyrowan._core: rowan's calls on numpy's arrays. What a user sees, on scipy's matrices, is pyrowan/__init__.py.
#include <pybind11/stl.h>

#include "settings.hpp"

namespace pyrowan {
namespace {

py::dict dict_of_bin(const rowan::BinReport& bin) {
  using namespace py::literals;
  py::list candidates;
  for (const rowan::CandidateReport& c : bin.candidates)
    candidates.append(
        py::dict("name"_a = c.name, "feasible"_a = c.feasible, "predicted"_a = c.predicted, "seconds"_a = c.seconds));
  return py::dict("label"_a = bin.label, "rows"_a = bin.rows, "nprod"_a = bin.nprod, "nnz"_a = bin.nnz,
                  "accumulator"_a = bin.accumulator, "candidate"_a = bin.candidate,
                  "symbolic_candidate"_a = bin.symbolic_candidate, "group_size"_a = bin.group_size,
                  "requested"_a = bin.requested, "why"_a = bin.why, "how"_a = bin.how, "candidates"_a = candidates,
                  "features"_a = std::map<std::string, float>(bin.features.begin(), bin.features.end()));
}

/// One number of every row.
template <class F>
py::array column(const rowan::Inspection& all, const F& of_row) {
  rowan::Array<std::int64_t> numbers(all.row.size());
  std::transform(all.row.begin(), all.row.end(), numbers.begin(),
                 [&](const rowan::RowReport& r) { return static_cast<std::int64_t>(of_row(r)); });
  return handed_over(std::move(numbers));
}

}  // namespace

py::dict dict_of(const rowan::Stats& s) {
  using namespace py::literals;
  py::list devices;
  for (const rowan::DeviceShare& share : s.devices)
    devices.append(py::dict("device"_a = share.device, "rows"_a = share.rows, "nprod"_a = share.nprod,
                            "nnz"_a = share.nnz, "seconds"_a = share.seconds));
  return py::dict(
      "prepare"_a = s.prepare, "features"_a = s.features, "binning"_a = s.binning, "deciding"_a = s.deciding,
      "symbolic"_a = s.symbolic, "numeric"_a = s.numeric, "transfer"_a = s.transfer, "total"_a = s.total,
      "policy"_a = s.policy, "device"_a = s.device, "place_reason"_a = s.place_reason,
      "method"_a = s.method == rowan::Method::one_phase ? "one_phase" : "two_phase", "sampled"_a = s.sampled,
      "small_product"_a = s.small_product, "threads"_a = s.threads, "nprod"_a = s.nprod, "nnz"_a = s.nnz,
      "bytes_c"_a = s.bytes_c, "bytes_temporary"_a = s.bytes_temporary, "devices"_a = devices);
}

py::dict dict_of(const rowan::Inspection& all) {
  using namespace py::literals;
  using Row = rowan::RowReport;
  py::list bins;
  for (const rowan::BinReport& bin : all.bins) bins.append(dict_of_bin(bin));
  const py::dict rows("row"_a = column(all, [](const Row& r) { return r.row; }),
                      "bin"_a = column(all, [](const Row& r) { return r.bin; }),
                      "a_nnz"_a = column(all, [](const Row& r) { return r.a_nnz; }),
                      "nprod"_a = column(all, [](const Row& r) { return r.nprod; }),
                      "nnz"_a = column(all, [](const Row& r) { return r.nnz; }),
                      "span"_a = column(all, [](const Row& r) { return r.span; }),
                      "b_row_max"_a = column(all, [](const Row& r) { return r.b_row_max; }),
                      "run"_a = column(all, [](const Row& r) { return r.run; }),
                      "shift"_a = column(all, [](const Row& r) { return r.shift; }));
  return py::dict("policy"_a = all.policy, "device"_a = all.device, "place_reason"_a = all.place_reason,
                  "policy_kind"_a = all.policy_kind, "binned"_a = all.binned,
                  "method"_a = all.method == rowan::Method::one_phase ? "one_phase" : "two_phase",
                  "method_reason"_a = all.method_reason, "sampled"_a = all.sampled,
                  "small_product"_a = all.small_product, "shape"_a = py::make_tuple(all.rows, all.cols),
                  "nprod"_a = all.nprod, "nnz"_a = all.nnz,
                  "features"_a = std::map<std::string, float>(all.features.begin(), all.features.end()),
                  "bins"_a = bins, "rows"_a = rows);
}

namespace {

rowan::Backend backend_named(const std::string& name) {
  if (name == "automatic") return rowan::Backend::automatic;
  if (name == "host") return rowan::Backend::host;
  if (name == "cuda") return rowan::Backend::cuda;
  if (name == "hip") return rowan::Backend::hip;
  if (name == "emulated") return rowan::Backend::emulated;
  refuse("there is no backend \"" + name + "\"; there are automatic, host, cuda, hip and emulated");
}

/// f(T{}) for the type of the values, which must be one.
template <class F>
auto for_type(const Operand& first, std::initializer_list<const Operand*> others, const F& f) {
  for (const Operand* other : others)
    if (other->single_precision() != first.single_precision()) refuse("the operands' values are of different types");
  return first.single_precision() ? f(float{}) : f(double{});
}

/// (indptr, indices, data, shape, stats)
py::tuple multiply(const Settings& settings, const Operand& a, const Operand& b) {
  const auto product = [&](const auto& left, const auto& right) {
    rowan::Stats stats;
    auto c = unlocked([&] { return settings.context().multiply(left, right, &stats); });
    return to_python(std::move(c)) + py::make_tuple(dict_of(stats));
  };
  return for_type(a, {&b}, [&]<class T>(T) -> py::tuple {
    if (a.wide() || b.wide()) return product(a.wide_view<T>(), b.wide_view<T>());
    return product(a.view<T>(), b.view<T>());
  });
}

py::tuple multiply_add(const Settings& settings, double alpha, const Operand& a, const Operand& b, double beta,
                       const Operand& e) {
  return for_type(a, {&b, &e}, [&]<class T>(T) -> py::tuple {
    const auto left = a.view<T>(), right = b.view<T>(), added = e.view<T>();
    return to_python(unlocked([&] {
      return settings.context().multiply_add(static_cast<T>(alpha), left, right, static_cast<T>(beta), added);
    }));
  });
}

py::tuple galerkin(const Settings& settings, const Operand& r, const Operand& a, const Operand& p) {
  return for_type(a, {&r, &p}, [&]<class T>(T) -> py::tuple {
    const auto left = r.view<T>(), middle = a.view<T>(), right = p.view<T>();
    return to_python(unlocked([&] { return settings.context().galerkin(left, middle, right); }));
  });
}

/// (indptr, nprod, bytes_c, bytes_temporary)
py::tuple symbolic(const Settings& settings, const Operand& a, const Operand& b) {
  return for_type(a, {&b}, [&]<class T>(T) -> py::tuple {
    const auto left = a.view<T>(), right = b.view<T>();
    rowan::Symbolic s = unlocked([&] { return settings.context().symbolic(left, right); });
    return py::make_tuple(handed_over(std::move(s.row_ptr)), s.nprod, s.bytes_c, s.bytes_temporary);
  });
}

/// (indptr, indices)
py::tuple pattern(const Settings& settings, const Operand& a, const Operand& b) {
  const auto left = a.pattern(), right = b.pattern();
  rowan::CsrPattern c = unlocked([&] { return settings.context().pattern(left, right); });
  const std::int64_t nnz = c.nnz();
  return py::make_tuple(row_pointers_for(std::move(c.row_ptr), nnz, false), handed_over(std::move(c.col)),
                        py::make_tuple(c.rows, c.cols));
}

/// A copy, which the caller may write to and which outlives the plan.
template <class V>
py::array copied(std::span<const V> from) {
  return py::array_t<V>(static_cast<py::ssize_t>(from.size()), from.data());
}

class Plan {
 public:
  Plan(const Settings& settings, const Operand& a, const Operand& b)
      : plan_(for_type(a, {&b}, [&]<class T>(T) {
          const auto left = a.view<T>(), right = b.view<T>();
          return unlocked([&] { return settings.context().plan(left, right); });
        })) {}

  /// C's values
  [[nodiscard]] py::array execute(const Operand& a, const Operand& b) const {
    return for_type(a, {&b}, [&]<class T>(T) -> py::array {
      const auto left = a.view<T>(), right = b.view<T>();
      rowan::Array<T> val(plan_.nnz());
      unlocked([&] { plan_.execute(left, right, val.span()); });
      return handed_over(std::move(val));
    });
  }
  /// (indptr, indices, shape)
  [[nodiscard]] py::tuple pattern() const {
    const auto row_ptr = plan_.row_ptr();
    rowan::Array<std::int64_t> pointers(row_ptr.size());
    std::copy(row_ptr.begin(), row_ptr.end(), pointers.begin());
    return py::make_tuple(row_pointers_for(std::move(pointers), plan_.nnz(), false), copied(plan_.col()),
                          py::make_tuple(plan_.rows(), plan_.cols()));
  }
  [[nodiscard]] std::int64_t nprod() const { return plan_.nprod(); }
  [[nodiscard]] std::int64_t bytes() const { return plan_.bytes(); }

 private:
  rowan::Plan plan_;
};

py::dict inspect(const Settings& settings, const Operand& a, const Operand& b, bool measure) {
  return for_type(a, {&b}, [&]<class T>(T) {
    const auto left = a.view<T>(), right = b.view<T>();
    return dict_of(unlocked([&] { return settings.context().inspect(left, right, measure); }));
  });
}

/// rowan's errors become Python's of the same name, which pyrowan/errors.py defines.
void translate(std::exception_ptr thrown) {  // NOLINT(performance-unnecessary-value-param): pybind11's signature
  try {
    std::rethrow_exception(thrown);
  } catch (const rowan::Error& e) {
    const py::object type =
        py::module_::import("pyrowan.errors").attr("BY_CODE")[py::str(std::string(rowan::name(e.code())))];
    PyErr_SetString(type.ptr(), e.what());
  }
}

}  // namespace
}  // namespace pyrowan

PYBIND11_MODULE(_core, m) {
  using namespace pyrowan;
  m.doc() = "rowan on numpy's arrays; use pyrowan's own functions";
  py::register_exception_translator(translate);
  py::class_<Operand>(m, "Operand")
      .def(py::init([](std::int64_t rows, std::int64_t cols, py::array indptr, py::array indices, py::array data,
                       bool transposed) {
        return Operand{rows, cols, std::move(indptr), std::move(indices), std::move(data), transposed};
      }));
  py::class_<Settings>(m, "Settings")
      .def(py::init([](const std::string& backend, int threads, const std::string& policy, const std::string& model,
                       const std::string& force, bool deterministic, bool unsorted, std::int64_t memory_limit,
                       bool validate, const std::vector<int>& devices) {
             return Settings({.backend = backend_named(backend),
                              .devices = devices,
                              .threads = threads,
                              .policy = policy,
                              .model = model,
                              .force = force,
                              .deterministic = deterministic,
                              .unsorted = unsorted,
                              .memory_limit = memory_limit,
                              .validate = validate});
           }),
           py::arg("backend"), py::arg("threads"), py::arg("policy"), py::arg("model"), py::arg("force"),
           py::arg("deterministic"), py::arg("unsorted"), py::arg("memory_limit"), py::arg("validate"),
           py::arg("devices"));
  py::class_<Plan>(m, "Plan")
      .def(py::init<const Settings&, const Operand&, const Operand&>())
      .def("execute", &Plan::execute)
      .def("pattern", &Plan::pattern)
      .def_property_readonly("nprod", &Plan::nprod)
      .def_property_readonly("bytes", &Plan::bytes);
  m.def("multiply", multiply);
  m.def("multiply_add", multiply_add);
  m.def("galerkin", galerkin);
  m.def("symbolic", symbolic);
  m.def("pattern", pattern);
  m.def("inspect", inspect);
  m.def("generate", [](const std::string& spec) { return to_python(unlocked([&] { return rowan::generate(spec); })); });
  m.def("read", [](const std::string& path) {
    return to_python(unlocked([&] { return rowan::read_matrix(path, Interruptible::look); }));
  });
  m.def("write", [](const std::string& path, const Operand& a) {
    const auto view = a.view<double>();
    unlocked([&] { rowan::write_matrix(path, view, rowan::Format::automatic, Interruptible::look); });
  });
  define_device(m);
  m.def("release_memory", rowan::release_memory);
  m.def("version", [] { return std::string(rowan::version()); });
}
