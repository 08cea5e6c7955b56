// Files for TensorBoard, for torch.utils.tensorboard.
#include "caster.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "taut/event_writer.h"

namespace taut::python {

namespace nb = nanobind;

namespace {
nb::bytes bytes(const std::string& s) { return nb::bytes(s.data(), s.size()); }
std::string text(const nb::bytes& b) { return {b.c_str(), b.size()}; }
}  // namespace

void init_events(PyObject* module) {
  nb::module_ m = nb::borrow<nb::module_>(module);
  namespace s = report::summary;
  using report::EventWriter;
  nb::class_<EventWriter>(m, "_EventWriter")
      .def(nb::init<const std::string&, const std::string&, double>())
      .def_prop_ro("path", [](const EventWriter& w) { return w.path(); })
      .def("add_summary", [](EventWriter& w, const nb::bytes& b, std::optional<int64_t> step,
                             std::optional<double> wall_time) { w.add_summary(text(b), step, wall_time); })
      .def("add_event", [](EventWriter& w, int field, const nb::bytes& b, std::optional<int64_t> step,
                           std::optional<double> wall_time) { w.add_event(field, text(b), step, wall_time); })
      .def("flush", &EventWriter::flush, nb::call_guard<nb::gil_scoped_release>())
      .def("close", &EventWriter::close, nb::call_guard<nb::gil_scoped_release>());
  m.def("_summary_scalar", [](const std::string& tag, double value, bool precise, bool modern) {
    return bytes(s::scalar(tag, value, precise, modern));
  });
  m.def("_summary_histogram", [](const std::string& tag, const Tensor& values, const std::vector<double>& edges,
                                 int64_t max_bins) { return bytes(s::histogram(tag, values, edges, max_bins)); });
  m.def("_summary_histogram_raw",
        [](const std::string& tag, double min, double max, double num, double sum, double sum_squares,
           const std::vector<double>& limits, const std::vector<double>& counts) {
          return bytes(s::histogram_raw(tag, min, max, num, sum, sum_squares, limits, counts));
        });
  m.def("_summary_image", [](const std::string& tag, const Tensor& image, const std::string& layout) {
    return bytes(s::image(tag, image, layout));
  });
  m.def("_summary_pixels", &s::pixels);
  m.def("_summary_video",
        [](const std::string& tag, const Tensor& frames, double fps) { return bytes(s::video(tag, frames, fps)); });
  m.def("_summary_audio", [](const std::string& tag, const Tensor& samples, int64_t rate) {
    return bytes(s::audio(tag, samples, rate));
  });
  m.def("_summary_text", [](const std::string& tag, const std::string& words) { return bytes(s::text(tag, words)); });
  m.def(
      "_summary_pr_curve",
      [](const std::string& tag, const Tensor& labels, const Tensor& predictions, int64_t n,
         std::optional<Tensor> weights) {
        return bytes(s::pr_curve(tag, labels, predictions, n, weights.value_or(Tensor())));
      },
      nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none());
  m.def("_summary_pr_curve_raw",
        [](const std::string& tag, const Tensor& data) { return bytes(s::pr_curve_raw(tag, data)); });
  m.def(
      "_summary_mesh",
      [](const std::string& tag, const Tensor& vertices, std::optional<Tensor> colors, std::optional<Tensor> faces,
         const std::string& config) {
        return bytes(s::mesh(tag, vertices, colors.value_or(Tensor()), faces.value_or(Tensor()), config));
      },
      nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg());
  m.def("_summary_hparams",
        [](const std::vector<std::pair<std::string, s::Setting>>& settings, const std::vector<std::string>& metrics,
           const std::map<std::string, std::vector<s::Setting>>& discrete) {
          std::vector<nb::bytes> made;
          for (const std::string& one : s::hparams(settings, metrics, discrete)) made.push_back(bytes(one));
          return made;
        });
  m.def("_summary_layout", [](const s::Layout& charts) { return bytes(s::layout(charts)); });
  // A message from (field, kind, value): i integer, d double, f float, b bytes, I packed integers, D packed doubles.
  m.def("_proto", [](const nb::list& fields) {
    report::Proto p;
    for (const nb::handle item : fields) {
      const auto field = nb::cast<int>(item[0]);
      const nb::object value = item[2];
      switch (nb::cast<std::string>(item[1])[0]) {
        case 'i': p.integer(field, nb::cast<int64_t>(value)); break;
        case 'd': p.real(field, nb::cast<double>(value)); break;
        case 'f': p.single(field, nb::cast<float>(value)); break;
        case 'b':
          p.text(field,
                 nb::isinstance<nb::str>(value) ? nb::cast<std::string>(value) : text(nb::cast<nb::bytes>(value)));
          break;
        case 'I': p.integers(field, nb::cast<std::vector<int64_t>>(value)); break;
        case 'D': p.reals(field, nb::cast<std::vector<double>>(value)); break;
        default: throw ValueError("_proto: unknown kind of field");
      }
    }
    return bytes(p.bytes());
  });
}

}  // namespace taut::python
