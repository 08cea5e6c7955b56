// What the layers of taut/nn need beside ops: first values of parameters, gradients kept small, spectral norms.
#include "caster.h"

#include <nanobind/stl/tuple.h>

#include "taut/nn/init.h"
#include "taut/nn/utils/clip_grad.h"
#include "taut/nn/utils/convert_parameters.h"
#include "taut/nn/utils/spectral_norm.h"

namespace taut::python {
namespace {

namespace nb = nanobind;
namespace init = nn::init;

std::optional<Generator> generator_of(nb::handle o) { return o.is_none() ? std::nullopt : to_generator(o.ptr()); }
/// Drawing many numbers lets other threads run.
template <class F>
Tensor fill(const Tensor& t, F f) {
  constexpr int64_t kLarge = 4096;
  const WithoutGil without(t.defined() && t.numel() > kLarge);
  return f();
}
template <Tensor (*F)(Tensor, double, double, std::optional<Generator>)>
Tensor two(const Tensor& t, double a, double b, nb::handle generator) {
  return fill(t, [&, own = generator_of(generator)] { return F(t, a, b, own); });
}
template <Tensor (*F)(Tensor, double, std::optional<Generator>)>
Tensor one(const Tensor& t, double gain, nb::handle generator) {
  return fill(t, [&, own = generator_of(generator)] { return F(t, gain, own); });
}
template <Tensor (*F)(Tensor, double, init::FanModeType, init::NonlinearityType, std::optional<Generator>)>
Tensor kaiming(const Tensor& t, double a, const std::string& mode, const std::string& nonlinearity,
               nb::handle generator) {
  return fill(t, [&, own = generator_of(generator)] { return F(t, a, Keyword(mode), Keyword(nonlinearity), own); });
}

Tensor trunc_normal(const Tensor& t, double mean, double std, double a, double b, nb::handle generator) {
  return fill(t, [&, own = generator_of(generator)] { return init::trunc_normal_(t, mean, std, a, b, own); });
}

}  // namespace

void init_nn(PyObject* object) {
  nb::module_ module = nb::borrow<nb::module_>(object);
  const nb::call_guard<nb::gil_scoped_release> release;
  const nb::arg t("tensor"), a("a"), b("b"), c("c"), d("d");
  const auto generator = nb::arg("generator").none();
  module.def("_init_gain",
             [](const std::string& name, double param) { return init::calculate_gain(Keyword(name), param); });
  module.def("_init_fans", &init::_calculate_fan_in_and_fan_out);
  module.def("_init_uniform_", two<init::uniform_>, t, a, b, generator);
  module.def("_init_normal_", two<init::normal_>, t, a, b, generator);
  module.def("_init_sparse_", two<init::sparse_>, t, a, b, generator);
  module.def("_init_trunc_normal_", trunc_normal, t, a, b, c, d, generator);
  module.def("_init_eye_", [](const Tensor& t) { return init::eye_(t); });
  module.def("_init_dirac_", [](const Tensor& t, int64_t groups) { return init::dirac_(t, groups); });
  module.def("_init_xavier_uniform_", one<init::xavier_uniform_>, t, a, generator);
  module.def("_init_xavier_normal_", one<init::xavier_normal_>, t, a, generator);
  module.def("_init_orthogonal_", one<init::orthogonal_>, t, a, generator);
  module.def("_init_kaiming_uniform_", kaiming<init::kaiming_uniform_>, t, a, b, c, generator);
  module.def("_init_kaiming_normal_", kaiming<init::kaiming_normal_>, t, a, b, c, generator);
  module.def("_get_total_norm", &nn::utils::get_total_norm, release);
  module.def("_clip_grads_with_norm_", &nn::utils::clip_grads_with_norm_, release);
  module.def("_clip_grad_value_",
             static_cast<void (*)(const std::vector<Tensor>&, double)>(&nn::utils::clip_grad_value_), release);
  module.def("_parameters_to_vector", &nn::utils::parameters_to_vector, release);
  module.def("_vector_to_parameters", &nn::utils::vector_to_parameters, release);
  module.def("_spectral_weight", &nn::utils::detail::spectral_weight, release);
  module.def("_spectral_vectors", &nn::utils::detail::spectral_vectors, release);
}

}  // namespace taut::python
