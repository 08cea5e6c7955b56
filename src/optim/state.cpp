// Named values to tensors and back.
#include "taut/optim/state.h"

#include <algorithm>
#include <cmath>

#include "taut/autograd.h"
#include "taut/factories.h"

namespace taut::optim {
namespace {

template <class... F>
struct Overload : F... {
  using F::operator()...;
};
template <class... F>
Overload(F...) -> Overload<F...>;

Tensor number(double v) { return scalar_tensor(v, kDouble); }
template <class T>
Tensor list(const std::vector<T>& v) {
  Tensor t = empty({static_cast<int64_t>(v.size())}, dtype_of<T>);
  std::copy(v.begin(), v.end(), t.data_ptr<T>());
  return t;
}
template <class T>
std::vector<T> read_list(const std::string& key, const Tensor& t, int64_t n = -1) {
  check<ValueError>(t.dim() == 1 && (n < 0 || t.numel() == n), "load_state_dict: '", key, "' should be a list",
                    n < 0 ? str("") : str(" of ", n), " of numbers, got shape ", t.sizes());
  const Tensor c = t.detach().to(dtype_of<T>).contiguous();
  const T* p = c.data_ptr<T>();
  return {p, p + c.numel()};
}
Scalar read_number(const std::string& key, const Tensor& t) {
  check<ValueError>(t.numel() == 1, "load_state_dict: '", key, "' should be one number, got shape ", t.sizes());
  return t.item();
}
int64_t read_int(const std::string& key, const Tensor& t) {
  const double v = read_number(key, t).toDouble();
  check<ValueError>(std::floor(v) == v && std::abs(v) < 0x1p53, "load_state_dict: '", key,
                    "' should be a whole number, got ", v);
  return static_cast<int64_t>(v);
}
Tensor read_tensor(const std::string& key, const Tensor& t) {
  check<ValueError>(t.defined(), "load_state_dict: '", key, "' is an undefined tensor");
  return t.detach().clone();
}

}  // namespace

void save_fields(const std::string& prefix, const Fields& fields, StateDict& dict) {
  for (const Field& f : fields) {
    if (!f.saved) continue;
    const std::string key = prefix + f.name;
    std::visit(Overload{
                   [&](double* v) { dict.insert(key, number(*v)); },
                   [&](bool* v) { dict.insert(key, scalar_tensor(*v, kBool)); },
                   [&](int64_t* v) { dict.insert(key, scalar_tensor(*v, kLong)); },
                   [&](std::optional<int64_t>* v) {
                     if (*v) dict.insert(key, scalar_tensor(**v, kLong));
                   },
                   [&](std::optional<std::string>* v) {
                     if (*v) dict.insert(key, list(std::vector<uint8_t>((*v)->begin(), (*v)->end())));
                   },
                   [&](std::tuple<double, double>* v) {
                     dict.insert(key, list(std::vector<double>{std::get<0>(*v), std::get<1>(*v)}));
                   },
                   [&](std::tuple<double, double, double>* v) {
                     dict.insert(key, list(std::vector<double>{std::get<0>(*v), std::get<1>(*v), std::get<2>(*v)}));
                   },
                   [&](std::vector<double>* v) { dict.insert(key, list(*v)); },
                   [&](std::vector<int64_t>* v) { dict.insert(key, list(*v)); },
                   [&](Tensor* v) {
                     if (v->defined()) dict.insert(key, *v);
                   },
                   [&](std::deque<Tensor>* v) {
                     for (size_t i = 0; i < v->size(); ++i) dict.insert(str(key, ".", i), (*v)[i]);
                   },
               },
               f.value);
  }
}

void load_fields(const std::string& prefix, const Fields& fields, const StateDict& dict,
                 std::vector<std::string>& used) {
  NoGradGuard no_grad;
  for (const Field& f : fields) {
    if (!f.saved) continue;
    const std::string key = prefix + f.name;
    const Tensor* t = dict.find(key);
    if (t) used.push_back(key);
    const auto need = [&]() -> const Tensor& {
      check<ValueError>(t && t->defined(), "load_state_dict: '", key, "' is missing");
      return *t;
    };
    std::visit(Overload{
                   [&](double* v) { *v = read_number(key, need()).toDouble(); },
                   [&](bool* v) { *v = read_number(key, need()).toDouble() != 0; },
                   [&](int64_t* v) { *v = read_int(key, need()); },
                   [&](std::optional<int64_t>* v) {
                     if (t) *v = read_int(key, need());
                     else v->reset();
                   },
                   [&](std::optional<std::string>* v) {
                     v->reset();
                     if (!t) return;
                     const auto bytes = read_list<uint8_t>(key, need());
                     *v = std::string(bytes.begin(), bytes.end());
                   },
                   [&](std::tuple<double, double>* v) {
                     const auto x = read_list<double>(key, need(), 2);
                     *v = {x[0], x[1]};
                   },
                   [&](std::tuple<double, double, double>* v) {
                     const auto x = read_list<double>(key, need(), 3);
                     *v = {x[0], x[1], x[2]};
                   },
                   [&](std::vector<double>* v) { *v = read_list<double>(key, need()); },
                   [&](std::vector<int64_t>* v) { *v = read_list<int64_t>(key, need()); },
                   [&](Tensor* v) {
                     if (t || f.required) *v = read_tensor(key, need());
                     else v->reset();
                   },
                   [&](std::deque<Tensor>* v) {
                     v->clear();
                     for (const Tensor* item; (item = dict.find(str(key, ".", v->size())));) {
                       used.push_back(str(key, ".", v->size()));
                       v->push_back(read_tensor(used.back(), *item));
                     }
                   },
               },
               f.value);
  }
}

void check_all_used(const std::string& prefix, const StateDict& dict, std::vector<std::string> used, const char* who) {
  std::sort(used.begin(), used.end());
  for (const auto& item : dict)
    check<ValueError>(!item.key().starts_with(prefix) || std::binary_search(used.begin(), used.end(), item.key()),
                      "load_state_dict: unexpected key '", item.key(), "': ", who, " has no such value");
}

}  // namespace taut::optim
