// GradScaler for Python, whose optimisers it knows by number.
#include "caster.h"

#include "taut/amp.h"

namespace taut::python {

namespace nb = nanobind;

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
  m.def("_autocast", [](const std::string& device, nb::handle dtype) {
    amp::autocast(Device(device).type(), to_dtype(dtype.ptr(), "dtype"));
  });
}

}  // namespace taut::python
