// GradScaler for Python, whose optimisers it knows by number.
#include "caster.h"

#include "taut/amp.h"

namespace taut::python {

namespace nb = nanobind;
using namespace nb::literals;

void init_amp(PyObject* module) {
  nb::module_ m = nb::borrow<nb::module_>(module);
  using amp::GradScaler;
  nb::class_<GradScaler>(m, "_GradScaler")
      .def("__init__",
           [](GradScaler* self, double init_scale, double growth_factor, double backoff_factor, int64_t growth_interval,
              bool enabled) {
             new (self) GradScaler(amp::GradScalerOptions()
                                       .init_scale(init_scale)
                                       .growth_factor(growth_factor)
                                       .backoff_factor(backoff_factor)
                                       .growth_interval(growth_interval)
                                       .enabled(enabled));
           })
      .def("scale", [](GradScaler& self, const Tensor& outputs) { return self.scale(outputs); })
      .def("unscale_", [](GradScaler& self, uintptr_t key, const std::vector<Tensor>& g) { self.unscale_(key, g); })
      .def("begin_step", &GradScaler::begin_step)
      .def("update", [](GradScaler& self) { self.update(); })
      .def("update", [](GradScaler& self, double new_scale) { self.update(new_scale); })
      .def("load", &GradScaler::load)
      .def_prop_ro("scale_value", &GradScaler::get_scale)
      .def_prop_ro("is_between_steps", &GradScaler::is_between_steps)
      .def_prop_ro("growth_tracker", &GradScaler::get_growth_tracker)
      .def_prop_rw("growth_factor", &GradScaler::get_growth_factor, &GradScaler::set_growth_factor)
      .def_prop_rw("backoff_factor", &GradScaler::get_backoff_factor, &GradScaler::set_backoff_factor)
      .def_prop_rw("growth_interval", &GradScaler::get_growth_interval, &GradScaler::set_growth_interval);
  const auto type = [](const std::string& device) { return device == "cpu" ? kCPU : kCUDA; };  // the others are alike
  m.def(
      "is_autocast_enabled", [=](const std::string& device) { return amp::is_autocast_enabled(type(device)); },
      "device_type"_a = "cuda");
  m.def("set_autocast_enabled",
        [=](const std::string& device, bool on) { amp::set_autocast_enabled(type(device), on); });
  m.def("set_autocast_enabled", [=](bool on) { amp::set_autocast_enabled(kCUDA, on); });
  m.def(
      "get_autocast_dtype", [=](const std::string& device) { return amp::get_autocast_dtype(type(device)); },
      "device_type"_a);
  m.def("set_autocast_dtype", [=](const std::string& device, nb::handle dtype) {
    amp::set_autocast_dtype(type(device), to_dtype(dtype.ptr(), "dtype"));
  });
  m.def("is_autocast_cache_enabled", &amp::is_autocast_cache_enabled);
  m.def("set_autocast_cache_enabled", &amp::set_autocast_cache_enabled);
  m.def("clear_autocast_cache", &amp::clear_autocast_cache);
  m.def("autocast_increment_nesting", &amp::autocast_increment_nesting);
  m.def("autocast_decrement_nesting", &amp::autocast_decrement_nesting);
}

}  // namespace taut::python
