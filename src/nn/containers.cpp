// Sequential, ModuleList, ModuleDict, ParameterList, ParameterDict, Functional.
#include "taut/nn/modules/container/functional.h"
#include "taut/nn/modules/container/moduledict.h"
#include "taut/nn/modules/container/modulelist.h"
#include "taut/nn/modules/container/parameterlist.h"
#include "taut/nn/modules/container/sequential.h"

namespace taut::nn {

// Here, so that no program compiles lists of modules anew.
template class Cloneable<SequentialImpl>;
SequentialImpl::SequentialImpl() = default;
SequentialImpl::SequentialImpl(const SequentialImpl&) = default;
SequentialImpl& SequentialImpl::operator=(const SequentialImpl&) = default;
SequentialImpl::~SequentialImpl() = default;

std::shared_ptr<Module> SequentialImpl::clone(const std::optional<Device>& device) const {
  auto copy = std::make_shared<SequentialImpl>();
  for (size_t i = 0; i < size(); ++i) copy->push_back(children_[i].key(), modules_[i].clone(device));
  copy->train(is_training());
  return copy;
}
void SequentialImpl::push_back(std::string name, AnyModule module) {
  register_module(std::move(name), module.ptr());
  modules_.push_back(std::move(module));
}
AnyValue SequentialImpl::boxed_forward(AnyValues&& arguments) {
  check(!is_empty(), "Cannot call forward() on an empty Sequential");
  AnyValue value = modules_.front().boxed_forward(std::move(arguments));
  for (size_t i = 1; i < modules_.size(); ++i) value = modules_[i].any_forward(std::move(value));
  return value;
}
const AnyModule& SequentialImpl::any(size_t index) const {
  check<IndexError>(index < size(), "Index out of range: ", index, " in a Sequential of ", size(), " modules");
  return modules_[index];
}
void SequentialImpl::pretty_print(std::ostream& stream) const {
  stream << (is_empty() ? "Sequential()" : "Sequential");
}

std::shared_ptr<Module> ModuleListImpl::clone(const std::optional<Device>& device) const {
  auto copy = std::make_shared<ModuleListImpl>();
  for (const auto& m : modules_) copy->push_back(m->clone(device));
  copy->train(is_training());
  return copy;
}
void ModuleListImpl::push_back(std::shared_ptr<Module> module) {
  register_module(std::to_string(size()), module);
  modules_.push_back(std::move(module));
}
void ModuleListImpl::insert(size_t index, std::shared_ptr<Module> module) {
  check<IndexError>(index <= size(), "Index out of range: ", index, " in a ModuleList of ", size(), " modules");
  modules_.insert(modules_.begin() + static_cast<std::ptrdiff_t>(index), std::move(module));
  children_.clear();
  for (size_t i = 0; i < modules_.size(); ++i) register_module(std::to_string(i), modules_[i]);
}
std::shared_ptr<Module> ModuleListImpl::ptr(size_t index) const {
  check<IndexError>(index < size(), "Index out of range: ", index, " in a ModuleList of ", size(), " modules");
  return modules_[index];
}
void ModuleListImpl::pretty_print(std::ostream& stream) const {
  stream << (is_empty() ? "ModuleList()" : "ModuleList");
}

std::shared_ptr<Module> ModuleDictImpl::clone(const std::optional<Device>& device) const {
  auto copy = std::make_shared<ModuleDictImpl>();
  for (const auto& m : children_) copy->insert(m.key(), m.value()->clone(device));
  copy->train(is_training());
  return copy;
}
void ModuleDictImpl::insert(const std::string& key, std::shared_ptr<Module> module) {
  if (contains(key)) replace_module(key, std::move(module));
  else register_module(key, std::move(module));
}
std::shared_ptr<Module> ModuleDictImpl::operator[](const std::string& key) const {
  check<IndexError>(contains(key), "Key '", key, "' is not defined");
  return children_[key];
}
std::shared_ptr<Module> ModuleDictImpl::pop(const std::string& key) {
  std::shared_ptr<Module> module = (*this)[key];
  unregister_module(key);
  return module;
}
void ModuleDictImpl::pretty_print(std::ostream& stream) const { stream << (empty() ? "ModuleDict()" : "ModuleDict"); }

namespace {
/// As PyTorch shows the parameters of a list: dtype and size, a line each.
void print_parameters(std::ostream& stream, const char* name, const OrderedDict<std::string, Tensor>& parameters) {
  stream << name << '(';
  for (const auto& p : parameters) {
    stream << "\n    (" << p.key() << "): Parameter containing: [" << p.value().scalar_type() << " of size ";
    for (int64_t d = 0; d < p.value().dim(); ++d) stream << (d ? "x" : "") << p.value().size(d);
    stream << ']';
  }
  stream << (parameters.is_empty() ? ")" : "\n)");
}
}  // namespace

std::shared_ptr<Module> ParameterListImpl::clone(const std::optional<Device>&) const {
  auto copy = std::make_shared<ParameterListImpl>();
  for (const auto& p : parameters_)
    copy->register_parameter(p.key(), p.value().detach().clone(), p.value().requires_grad());
  return copy;
}
Tensor& ParameterListImpl::at(size_t index) {
  check<IndexError>(index < size(), "Index out of range: ", index, " in a ParameterList of ", size(), " parameters");
  return parameters_[index].value();
}
void ParameterListImpl::append(Tensor parameter) {
  const bool requires_grad = parameter.requires_grad();
  register_parameter(std::to_string(size()), std::move(parameter), requires_grad);
}
void ParameterListImpl::pretty_print(std::ostream& stream) const {
  print_parameters(stream, "ParameterList", parameters_);
}

std::shared_ptr<Module> ParameterDictImpl::clone(const std::optional<Device>&) const {
  auto copy = std::make_shared<ParameterDictImpl>();
  for (const auto& p : parameters_)
    copy->register_parameter(p.key(), p.value().detach().clone(), p.value().requires_grad());
  return copy;
}
Tensor& ParameterDictImpl::insert(std::string key, Tensor parameter) {
  if (contains(key)) parameters_.erase(key);
  const bool requires_grad = parameter.requires_grad();
  return register_parameter(std::move(key), std::move(parameter), requires_grad);
}
Tensor ParameterDictImpl::pop(const std::string& key) {
  Tensor parameter = parameters_[key];
  parameters_.erase(key);
  return parameter;
}
void ParameterDictImpl::pretty_print(std::ostream& stream) const {
  print_parameters(stream, "ParameterDict", parameters_);
}

void FunctionalImpl::pretty_print(std::ostream& stream) const { stream << "Functional()"; }

}  // namespace taut::nn
