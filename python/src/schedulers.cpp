// The table of schedules and the averages of parameters, for taut/optim/lr_scheduler.py and swa_utils.py. Settings come
// as the dict of a Python scheduler, whose entries have PyTorch's names.
#include "caster.h"

#include <cmath>

#include "taut/optim/schedules.h"
#include "taut/optim/swa_utils.h"

namespace taut::python {
namespace {

namespace nb = nanobind;
using namespace optim::schedules;

// ---- From Python.

Rate to_rate(PyObject* o, const char* what) {
  if (is_tensor(o)) return tensor_of(o).clone();
  Rate rate = to_double(o, what);
  rate.is_int = PyLong_Check(o);
  return rate;
}
bool is_list(PyObject* o) { return PyList_Check(o) || PyTuple_Check(o); }
template <class F>
void for_each(PyObject* list, F f) {
  const Object items = Object::steal(checked(PySequence_Fast(list, "a list was expected")));
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.get()); ++i) {
    const Object item = Object::borrow(PySequence_Fast_GET_ITEM(items.get(), i));
    f(item.get());
  }
}
Rates to_rates(PyObject* list, const char* what) {
  Rates out;
  for_each(list, [&](PyObject* o) { out.push_back(to_rate(o, what)); });
  return out;
}
std::string to_text(PyObject* o) { return text_of(Object::steal(checked(PyObject_Str(o))).get()); }
Phase to_phase(PyObject* o) {
  const auto item = [&](const char* key) {
    const Object name = Object::steal(checked(PyUnicode_FromString(key)));
    return Object::steal(checked(PyObject_GetItem(o, name.get())));
  };
  const auto text = [&](const char* key) { return to_text(item(key).get()); };
  return {to_double(item("end_step").get(), "end_step"), text("start_lr"), text("end_lr"), text("start_momentum"),
          text("end_momentum")};
}

/// Python counts in ints: the function gets one where the number is whole.
PyObject* int_or_float(double v) {
  return std::floor(v) == v && std::abs(v) < 0x1p63 ? PyLong_FromDouble(v) : PyFloat_FromDouble(v);
}
std::function<double(double)> to_function(PyObject* o) {
  return [f = shared(o)](double x) {
    const Object argument = Object::steal(checked(int_or_float(x)));
    const Object result = Object::steal(checked(PyObject_CallOneArg(f.get(), argument.get())));
    return to_double(result.get(), "what scale_fn returns");
  };
}

struct Reader {
  PyObject* o;
  const Setting& setting;
  size_t groups;
  void operator()(double* v) const { *v = to_double(o, setting.argument); }
  void operator()(bool* v) const {
    const int truth = PyObject_IsTrue(o);
    checked(truth);
    *v = truth != 0;
  }
  void operator()(std::string* v) const { *v = to_text(o); }
  void operator()(std::vector<double>* v) const {
    v->clear();
    for_each(o, [&](PyObject* item) { v->push_back(to_double(item, setting.argument)); });
  }
  void operator()(Rates* v) const {
    *v = is_list(o) ? to_rates(o, setting.argument) : Rates(groups, to_rate(o, setting.argument));
  }
  void operator()(std::vector<Phase>* v) const {
    v->clear();
    for_each(o, [&](PyObject* item) { v->push_back(to_phase(item)); });
  }
  void operator()(std::function<double(double)>* v) const { *v = to_function(o); }
};

using Key = const char* Setting::*;
/// What the dict has, under the settings' names or those of constructors' arguments; None is as good as nothing.
void read(const Settings& settings, const nb::dict& from, Key key, size_t groups) {
  for (const Setting& s : settings) {
    const Object name = Object::steal(checked(PyUnicode_InternFromString(s.*key)));
    const Object o = Object::borrow(PyDict_GetItemWithError(from.ptr(), name.get()));
    if (!o && PyErr_Occurred()) throw PythonError();
    if (o && o.get() != Py_None) std::visit(Reader{o.get(), s, groups}, s.value);
  }
}
std::unique_ptr<Schedule> schedule_of(const std::string& name, const nb::dict& settings, Key key = &Setting::name,
                                      size_t groups = 0) {
  std::unique_ptr<Schedule> schedule = make(name);
  read(schedule->settings(), settings, key, groups);
  return schedule;
}

// ---- To Python.

nb::object wrapped(PyObject* o) { return nb::steal(checked(o)); }
nb::object to_object(const Rate& r) {
  if (r.tensor.defined()) return wrapped(wrap(r.tensor));
  return wrapped(r.is_int ? PyLong_FromDouble(r.value) : PyFloat_FromDouble(r.value));
}
nb::list to_list(const Rates& rates) {
  nb::list out;
  for (const Rate& r : rates) out.append(to_object(r));
  return out;
}
struct Writer {
  const Setting& setting;
  nb::object operator()(const double* v) const {
    if (std::isnan(*v)) return nb::none();
    return setting.flags & Setting::kWhole ? wrapped(int_or_float(*v)) : nb::object(nb::float_(*v));
  }
  nb::object operator()(const bool* v) const { return nb::bool_(*v); }
  nb::object operator()(const std::string* v) const { return nb::str(v->c_str()); }
  nb::object operator()(const std::vector<double>* v) const {
    nb::list out;
    for (double x : *v) out.append(wrapped(int_or_float(x)));
    return out;
  }
  nb::object operator()(const Rates* v) const { return to_list(*v); }
  nb::object operator()(const std::vector<Phase>* v) const {
    nb::list out;
    for (const Phase& p : *v) {
      nb::dict d;
      d["end_step"] = &p == &v->back() ? wrapped(int_or_float(p.end_step)) : nb::object(nb::float_(p.end_step));
      d["start_lr"] = p.start_lr.c_str(), d["end_lr"] = p.end_lr.c_str();
      d["start_momentum"] = p.start_momentum.c_str(), d["end_momentum"] = p.end_momentum.c_str();
      out.append(d);
    }
    return out;
  }
  nb::object operator()(const std::function<double(double)>*) const { return nb::none(); }
};
nb::object value_of(const Setting& s) {
  return std::visit([&](auto* v) { return Writer{s}(v); }, s.value);
}

// ---- What Python calls.

/// The arguments that have defaults.
nb::dict defaults(const std::string& name) {
  const std::unique_ptr<Schedule> schedule = make(name);
  nb::dict out;
  for (const Setting& s : schedule->settings()) {
    if (s.flags & (Setting::kDerived | Setting::kState)) continue;
    const auto* rates = std::get_if<Rates*>(&s.value);
    nb::object value = rates ? (**rates).empty() ? nb::none() : to_object((**rates)[0]) : value_of(s);
    if (!value.is_none()) out[s.argument] = value;
  }
  return out;
}
nb::dict prepare(const std::string& name, const nb::dict& arguments, size_t groups) {
  const std::unique_ptr<Schedule> schedule = schedule_of(name, arguments, &Setting::argument, groups);
  schedule->prepare(groups);
  nb::dict out;
  for (const Setting& s : schedule->settings()) out[s.name] = value_of(s);
  return out;
}
nb::tuple rates(const std::string& name, const nb::dict& settings, double epoch, int64_t steps, bool initial,
                const nb::list& base, const nb::list& last, bool closed_form) {
  const std::unique_ptr<Schedule> schedule = schedule_of(name, settings);
  const Moment m{epoch, static_cast<double>(steps), initial, to_rates(base.ptr(), "a learning rate"),
                 to_rates(last.ptr(), "a learning rate")};
  const Rates found = closed_form ? schedule->closed_form(m) : schedule->rates(m);
  return nb::make_tuple(to_list(found), to_list(schedule->momentums(m)));
}
/// The state after an epoch or a metric. A number that was an int stays one while it is whole.
nb::dict next(const std::string& name, const nb::dict& settings, std::optional<double> input) {
  const std::unique_ptr<Schedule> schedule = schedule_of(name, settings);
  schedule->next(input);
  nb::dict out;
  for (Setting s : schedule->settings()) {
    if (!(s.flags & Setting::kState)) continue;
    if (settings.contains(s.name) && PyLong_Check(nb::object(settings[s.name]).ptr())) s.flags |= Setting::kWhole;
    out[s.name] = value_of(s);
  }
  return out;
}
double cyclic_scale(const nb::dict& settings, double x) {
  CyclicLR schedule;
  read(schedule.settings(), settings, &Setting::name, 0);
  return schedule.scale(x);
}

void average(const optim::swa_utils::MultiAvgFn& update, const std::vector<Tensor>& averaged,
             const std::vector<Tensor>& current, int64_t num_averaged) {
  check<ValueError>(averaged.size() == current.size(), "an average of ", averaged.size(), " tensors, got ",
                    current.size());
  const WithoutGil without;
  update(averaged, current, num_averaged);
}

}  // namespace

void init_schedulers(PyObject* module) {
  nb::module_ m = nb::borrow<nb::module_>(module);
  m.def("_schedule_names", &names);
  m.def("_schedule_defaults", &defaults);
  m.def("_schedule_prepare", &prepare);
  m.def("_schedule_rates", &rates);
  m.def("_schedule_next", &next, nb::arg(), nb::arg(), nb::arg().none());
  m.def("_cyclic_scale", &cyclic_scale);

  using namespace optim::swa_utils;
  m.attr("_ema_decay") = kDecay;
  m.def("_check_decay", [](double decay) { get_ema_multi_avg_fn(decay); });
  m.def("_ema_update", [](const std::vector<Tensor>& averaged, const std::vector<Tensor>& current, double decay) {
    average(get_ema_multi_avg_fn(decay), averaged, current, 0);
  });
  m.def("_swa_update", [](const std::vector<Tensor>& averaged, const std::vector<Tensor>& current, int64_t n) {
    average(get_swa_multi_avg_fn(), averaged, current, n);
  });
}

}  // namespace taut::python
