// pyrowan._core on matrices in device memory: arrays of anybody's come in, and go out, without leaving the device.
#include <variant>

#include "dlpack.hpp"
#include "settings.hpp"

namespace pyrowan {
namespace {

/// One dimension of device memory that somebody owns.
class DeviceArray {
 public:
  /// Kinds are numpy's: 'i' and 'f'.
  DeviceArray(const void* data, std::int64_t n, char kind, int bits, std::shared_ptr<const void> owner)
      : data_(data), n_(n), kind_(kind), bits_(bits), owner_(std::move(owner)) {}

  [[nodiscard]] std::int64_t size() const noexcept { return n_; }
  [[nodiscard]] bool is(char kind, int bits) const noexcept { return kind_ == kind && bits_ == bits; }
  [[nodiscard]] std::string type() const { return std::string("<") + kind_ + std::to_string(bits_ / 8); }
  [[nodiscard]] std::uintptr_t address() const noexcept { return reinterpret_cast<std::uintptr_t>(data_); }
  template <class V>
  [[nodiscard]] const V* elements() const noexcept {
    return static_cast<const V*>(data_);
  }

  /// Where results are, and in which stream they are made.
  void place(rowan::Backend backend, int ordinal, std::uintptr_t stream) {
    backend_ = backend, ordinal_ = ordinal, stream_ = stream;
  }
  [[nodiscard]] std::uintptr_t stream() const noexcept { return stream_; }
  [[nodiscard]] py::tuple dlpack_device() const {
    const auto type = backend_ == rowan::Backend::cuda  ? dlpack::kCuda
                      : backend_ == rowan::Backend::hip ? dlpack::kRocm
                                                        : dlpack::kCpu;
    return py::make_tuple(static_cast<int>(type), ordinal_);
  }
  [[nodiscard]] py::dict cuda_array_interface() const;
  [[nodiscard]] py::capsule to_dlpack() const;
  static DeviceArray from_dlpack(const py::capsule& capsule);

 private:
  const void* data_;
  std::int64_t n_;
  char kind_;
  int bits_;
  std::shared_ptr<const void> owner_;
  rowan::Backend backend_ = rowan::Backend::automatic;
  int ordinal_ = 0;
  std::uintptr_t stream_ = 0;
};

py::dict DeviceArray::cuda_array_interface() const {
  using namespace py::literals;
  if (backend_ != rowan::Backend::cuda && backend_ != rowan::Backend::hip)
    throw py::attribute_error("the array is not in a GPU's memory");
  constexpr std::uintptr_t kDefaultStream = 1;  // 0 is not allowed, in version 3 of the interface
  return py::dict("shape"_a = py::make_tuple(n_), "typestr"_a = type(), "data"_a = py::make_tuple(address(), false),
                  "strides"_a = py::none(), "version"_a = 3, "stream"_a = stream_ == 0 ? kDefaultStream : stream_);
}

py::capsule DeviceArray::to_dlpack() const {
  struct Managed {
    dlpack::ManagedTensor tensor;
    std::int64_t shape;
    std::shared_ptr<const void> owner;
  };
  auto managed = std::make_unique<Managed>();
  managed->shape = n_, managed->owner = owner_;
  const py::tuple device = dlpack_device();
  managed->tensor = {
      .tensor = {.data = const_cast<void*>(data_),  // the consumer may write: results are its own
                 .device = {device[0].cast<std::int32_t>(), device[1].cast<std::int32_t>()},
                 .dimensions = 1,
                 .type = {kind_ == 'f' ? dlpack::kFloat : dlpack::kInt, static_cast<std::uint8_t>(bits_), 1},
                 .shape = &managed->shape,
                 .strides = nullptr,
                 .byte_offset = 0},
      .context = managed.get(),
      .deleter = [](dlpack::ManagedTensor* self) { delete static_cast<Managed*>(self->context); }};
  PyObject* const capsule = PyCapsule_New(&managed.release()->tensor, dlpack::kName, [](PyObject* unused) {
    if (PyCapsule_IsValid(unused, dlpack::kName) == 0) return;  // a consumer has it
    auto* const tensor = static_cast<dlpack::ManagedTensor*>(PyCapsule_GetPointer(unused, dlpack::kName));
    tensor->deleter(tensor);
  });
  if (capsule == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::capsule>(capsule);
}

DeviceArray DeviceArray::from_dlpack(const py::capsule& capsule) {
  if (PyCapsule_IsValid(capsule.ptr(), dlpack::kName) == 0) refuse("a DLPack capsule was used before, or is none");
  auto* const managed = static_cast<dlpack::ManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), dlpack::kName));
  const dlpack::Tensor& t = managed->tensor;
  const bool integer = t.type.code == dlpack::kInt, known = integer || t.type.code == dlpack::kFloat;
  if (t.dimensions != 1 || !known || t.type.lanes != 1 || (t.strides != nullptr && t.shape[0] > 1 && t.strides[0] != 1))
    refuse("an array is not a contiguous one of one dimension with numbers");
  PyCapsule_SetName(capsule.ptr(), dlpack::kUsedName);
  // freed by whoever is last, maybe without Python's lock, which producers may need
  std::shared_ptr<const void> owner(managed, [](const void* p) {
    const py::gil_scoped_acquire held;
    auto* const last = static_cast<dlpack::ManagedTensor*>(const_cast<void*>(p));
    if (last->deleter != nullptr) last->deleter(last);
  });
  return {static_cast<const char*>(t.data) + t.byte_offset, t.shape[0], integer ? 'i' : 'f', t.type.bits,
          std::move(owner)};
}

/// A matrix whose arrays are in device memory.
struct DeviceOperand {
  std::int64_t rows, cols;
  DeviceArray indptr, indices, data;

  [[nodiscard]] bool single_precision() const { return data.is('f', 32); }
  template <class T>
  [[nodiscard]] rowan::DeviceView<T> view() const {
    const auto chosen = [](const DeviceArray& array, auto* as) -> decltype(as) {
      return array.is('i', 8 * sizeof *as) ? array.elements<std::remove_pointer_t<decltype(as)>>() : nullptr;
    };
    return {.rows = rows,
            .cols = cols,
            .nnz = data.size(),
            .row_ptr64 = chosen(indptr, static_cast<const std::int64_t*>(nullptr)),
            .row_ptr32 = chosen(indptr, static_cast<const std::int32_t*>(nullptr)),
            .col32 = chosen(indices, static_cast<const std::int32_t*>(nullptr)),
            .col64 = chosen(indices, static_cast<const std::int64_t*>(nullptr)),
            .val = data.elements<T>()};
  }
};

void check(const DeviceOperand& m) {
  const auto integer = [](const DeviceArray& array) { return array.is('i', 32) || array.is('i', 64); };
  if (!integer(m.indptr) || !integer(m.indices)) refuse("indptr and indices must be of int32 or int64");
  if (!m.data.is('f', 32) && !m.data.is('f', 64)) refuse("data must be of float32 or float64");
  if (m.indptr.size() != m.rows + 1)
    refuse("indptr has " + std::to_string(m.indptr.size()) + " elements, not rows + 1");
  if (m.indices.size() != m.data.size())
    refuse("indices has " + std::to_string(m.indices.size()) + " elements, but data has " +
           std::to_string(m.data.size()));
}

/// Where a call goes, and what keeps its stream.
struct Where {
  int ordinal;
  std::uintptr_t stream;
  py::object stream_owner;
  bool row_ptr32, col64;

  [[nodiscard]] rowan::DeviceCall call() const {
    return {.stream = reinterpret_cast<void*>(stream),  // NOLINT(performance-no-int-to-ptr): as Python has it
            .row_ptr32 = row_ptr32,
            .col64 = col64};
  }
};

/// f(T{}) for the type of both operands' values.
template <class F>
auto for_pair(const DeviceOperand& a, const DeviceOperand& b, const F& f) {
  if (a.single_precision() != b.single_precision()) refuse("the operands' values are of different types");
  return a.single_precision() ? f(float{}) : f(double{});
}

/// (indptr, indices, data, shape)
template <class T>
py::tuple handed_over(const rowan::DeviceMatrix<T>& m, const Settings& settings, const Where& where) {
  struct Kept {
    py::object stream;  // memory goes back in its order
    std::shared_ptr<const void> memory;
  };
  const std::shared_ptr<const void> kept(new Kept{where.stream_owner, m.memory()}, [](const void* p) {
    const py::gil_scoped_acquire held;
    delete static_cast<const Kept*>(p);
  });
  const rowan::DeviceView<T>& v = m.view();
  const auto array = [&](const void* data, std::int64_t n, char kind, int bits) {
    DeviceArray one(data, n, kind, bits, kept);
    one.place(settings.device_backend(), where.ordinal, where.stream);
    return one;
  };
  return py::make_tuple(
      v.row_ptr32 != nullptr ? array(v.row_ptr32, v.rows + 1, 'i', 32) : array(v.row_ptr64, v.rows + 1, 'i', 64),
      where.col64 ? array(v.col64, v.nnz, 'i', 64) : array(v.col32, v.nnz, 'i', 32),
      array(v.val, v.nnz, 'f', 8 * static_cast<int>(sizeof(T))), py::make_tuple(v.rows, v.cols));
}

/// (indptr, indices, data, shape, stats); stats is None unless they are wanted, which makes the call wait.
py::tuple multiply(const Settings& settings, const Where& where, const DeviceOperand& a, const DeviceOperand& b,
                   bool wants_stats) {
  return for_pair(a, b, [&]<class T>(T) -> py::tuple {
    rowan::Stats stats;
    rowan::DeviceCall call = where.call();
    if (wants_stats) call.stats = &stats;
    const auto c = unlocked([&] { return settings.device(where.ordinal).multiply(a.view<T>(), b.view<T>(), call); });
    return handed_over(c, settings, where) + py::make_tuple(wants_stats ? py::object(dict_of(stats)) : py::none());
  });
}

/// (indptr, nprod, bytes_c, bytes_temporary), indptr of numpy's
py::tuple symbolic(const Settings& settings, const Where& where, const DeviceOperand& a, const DeviceOperand& b) {
  return for_pair(a, b, [&]<class T>(T) -> py::tuple {
    rowan::Symbolic s =
        unlocked([&] { return settings.device(where.ordinal).symbolic(a.view<T>(), b.view<T>(), where.call()); });
    return py::make_tuple(pyrowan::handed_over(std::move(s.row_ptr)), s.nprod, s.bytes_c, s.bytes_temporary);
  });
}

py::dict inspect(const Settings& settings, const Where& where, const DeviceOperand& a, const DeviceOperand& b) {
  return for_pair(a, b, [&]<class T>(T) {
    return dict_of(
        unlocked([&] { return settings.device(where.ordinal).inspect(a.view<T>(), b.view<T>(), where.call()); }));
  });
}

py::tuple send(const Settings& settings, const Where& where, const Operand& host) {
  const auto sent = [&]<class T>(T) -> py::tuple {
    const auto view = host.view<T>();
    return handed_over(unlocked([&] { return settings.device(where.ordinal).to_device(view, where.call()); }), settings,
                       where);
  };
  return host.single_precision() ? sent(float{}) : sent(double{});
}

py::tuple fetch(const Settings& settings, const Where& where, const DeviceOperand& there) {
  const auto fetched = [&]<class T>(T) -> py::tuple {
    return to_python(unlocked([&] { return settings.device(where.ordinal).to_host(there.view<T>(), where.call()); }));
  };
  return there.single_precision() ? fetched(float{}) : fetched(double{});
}

/// Its settings are Python's to keep.
class DevicePlan {
 public:
  DevicePlan(const Settings& settings, const Where& where, const DeviceOperand& a, const DeviceOperand& b)
      : settings_(settings), where_(where) {
    for_pair(a, b, [&]<class T>(T) {
      plan_ = unlocked([&] { return settings.device(where.ordinal).plan(a.view<T>(), b.view<T>(), where.call()); });
    });
  }
  /// (indptr, indices, data, shape)
  [[nodiscard]] py::tuple execute(const Where& where, const DeviceOperand& a, const DeviceOperand& b) const {
    return for_pair(a, b, [&]<class T>(T) -> py::tuple {
      const auto* const plan = std::get_if<rowan::DevicePlan<T>>(&plan_);
      if (plan == nullptr) refuse("the plan was made for values of another type");
      Where now = where;
      now.col64 = where_.col64;
      return handed_over(unlocked([&] { return plan->execute(a.view<T>(), b.view<T>(), where.call()); }), settings_,
                         now);
    });
  }
  [[nodiscard]] std::int64_t nnz() const {
    return std::visit([](const auto& p) { return p.nnz(); }, plan_);
  }
  [[nodiscard]] std::int64_t nprod() const {
    return std::visit([](const auto& p) { return p.nprod(); }, plan_);
  }
  [[nodiscard]] std::int64_t bytes() const {
    return std::visit([](const auto& p) { return p.bytes(); }, plan_);
  }

 private:
  const Settings& settings_;
  Where where_;
  std::variant<rowan::DevicePlan<double>, rowan::DevicePlan<float>> plan_;
};

}  // namespace

void define_device(py::module_& m) {
  py::class_<DeviceArray>(m, "DeviceArray")
      .def(py::init([](std::uintptr_t address, std::int64_t n, const std::string& type, py::object owner) {
        if (type.size() != 3 || (type[0] != '<' && type[0] != '|') || (type[1] != 'i' && type[1] != 'f') ||
            (type[2] != '4' && type[2] != '8'))
          refuse("an array has elements of type " + type + "; they must be int32, int64, float32 or float64");
        std::shared_ptr<const void> kept(new py::object(std::move(owner)), [](const void* p) {
          const py::gil_scoped_acquire held;
          delete static_cast<const py::object*>(p);
        });
        return DeviceArray(reinterpret_cast<const void*>(address), n, type[1],  // NOLINT(performance-no-int-to-ptr)
                           8 * (type[2] - '0'), std::move(kept));
      }))
      .def_static("from_dlpack", &DeviceArray::from_dlpack)
      .def("__dlpack__", [](const DeviceArray& self, const py::kwargs&) { return self.to_dlpack(); })
      .def("__dlpack_device__", &DeviceArray::dlpack_device)
      .def_property_readonly("__cuda_array_interface__", &DeviceArray::cuda_array_interface)
      .def_property_readonly("address", &DeviceArray::address)
      .def_property_readonly("stream", &DeviceArray::stream)
      .def_property_readonly("size", &DeviceArray::size)
      .def_property_readonly("typestr", &DeviceArray::type)
      .def("__len__", &DeviceArray::size);
  py::class_<DeviceOperand>(m, "DeviceOperand")
      .def(py::init([](std::int64_t rows, std::int64_t cols, const DeviceArray& indptr, const DeviceArray& indices,
                       const DeviceArray& data) {
        DeviceOperand made{rows, cols, indptr, indices, data};
        check(made);
        return made;
      }));
  py::class_<Where>(m, "Where")
      .def(py::init([](int ordinal, std::uintptr_t stream, py::object stream_owner, bool row_ptr32, bool col64) {
             return Where{ordinal, stream, std::move(stream_owner), row_ptr32, col64};
           }),
           py::arg("ordinal"), py::arg("stream"), py::arg("stream_owner"), py::arg("row_ptr32"), py::arg("col64"));
  py::class_<DevicePlan>(m, "DevicePlan")
      .def(py::init<const Settings&, const Where&, const DeviceOperand&, const DeviceOperand&>(),
           py::keep_alive<1, 2>())
      .def("execute", &DevicePlan::execute)
      .def_property_readonly("nnz", &DevicePlan::nnz)
      .def_property_readonly("nprod", &DevicePlan::nprod)
      .def_property_readonly("bytes", &DevicePlan::bytes);
  m.def("device_multiply", multiply);
  m.def("device_symbolic", symbolic);
  m.def("device_inspect", inspect);
  m.def("device_send", send);
  m.def("device_fetch", fetch);
  m.def("device_wait", [](const Settings& settings, int ordinal, std::uintptr_t stream) {
    const Where where{ordinal, stream, py::none(), false, false};
    unlocked([&] { settings.device(ordinal).wait(where.call().stream); });
  });
}

}  // namespace pyrowan
