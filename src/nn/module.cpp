// Module: its tensors and submodules, conversion, state, printing and hooks.
#include "taut/nn/module.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <unordered_set>

#include "nn/cpp_text.h"
#include "taut/autograd.h"
#include "taut/core/style.h"
#include "taut/nn/any.h"
#include "taut/nn/cloneable.h"
#include "taut/random.h"

namespace taut {
template class OrderedDict<std::string, Tensor>;
template class OrderedDict<std::string, std::shared_ptr<nn::Module>>;
}  // namespace taut

namespace taut::nn {

namespace {

std::string join(const std::string& prefix, const std::string& name) {
  return prefix.empty() ? name : prefix + "." + name;
}

/// A class as the program calls it: in libtorch's style torch::nn::LinearImpl for taut::nn::LinearImpl.
std::string spelt(const std::type_info& type) {
  std::string name = detail::demangled(type);
  if (print_style() == PrintStyle::Cpp)
    for (const auto& [from, to] : {std::pair("taut::Tensor", "at::Tensor"), std::pair("taut::", "torch::")})
      for (size_t at = 0; (at = name.find(from, at)) != name.npos; at += std::strlen(to))
        name.replace(at, std::strlen(from), to);
  return name;
}

/// "Linear" for taut::nn::LinearImpl; template arguments stay. In libtorch's style with namespace and Impl.
std::string class_name(const std::type_info& type) {
  std::string name = spelt(type);
  if (as_libtorch()) return detail::cpp_name(name);
  const size_t arguments = name.find('<');
  const size_t colon = name.rfind(':', arguments);
  if (colon != std::string::npos) name.erase(0, colon + 1);
  if (name.size() > 4 && name.ends_with("Impl")) name.resize(name.size() - 4);
  return name;
}

/// Walks the tree without recursion: a module, then everything below its first child, then below its second.
template <class F>
void walk(const std::shared_ptr<Module>& root, const std::string& prefix, const F& f) {
  std::vector<std::pair<std::string, std::shared_ptr<Module>>> stack{{prefix, root}};
  while (!stack.empty()) {
    const auto [name, module] = std::move(stack.back());
    stack.pop_back();
    f(name, module);
    const auto children = module->named_children();
    for (size_t i = children.size(); i-- > 0;) stack.emplace_back(join(name, children[i].key()), children[i].value());
  }
}

/// Not owned: for walks that start at a module of the caller.
std::shared_ptr<Module> borrowed(const Module* m) {
  return std::shared_ptr<Module>(std::shared_ptr<void>(), const_cast<Module*>(m));
}

}  // namespace

namespace detail {

std::string demangled(const std::type_info& type) {
  int status = 0;
  char* text = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  std::string name = text ? text : type.name();
  std::free(text);
  return name;
}

std::shared_ptr<Module> owned(Module* module) { return std::shared_ptr<Module>(module); }

Tensor call_hooked(Module& module, Tensor input, Tensor (*forward)(Module&, Tensor&)) {
  std::vector<Tensor> inputs{std::move(input)};
  const std::shared_ptr<void> state = module.before_forward(inputs);
  Tensor given = inputs[0];  // forward may write to its argument
  std::vector<Tensor> outputs{forward(module, given)};
  module.after_forward(inputs, outputs, state);
  return std::move(outputs[0]);
}

void throw_empty_holder() {
  throw Error("Accessing empty ModuleHolder: assign it a module (or register_module's result) first");
}

void throw_wrong_value(const std::type_info& wanted, const std::type_info& given) {
  throw TypeError(str("Attempted to cast AnyValue to ", spelt(wanted), ", but its actual type is ", spelt(given)));
}
void throw_wrong_argument(size_t place, const std::type_info& wanted, const std::type_info& given) {
  throw TypeError(str("Expected argument #", place, " to be of type ", spelt(wanted), ", but received value of type ",
                      spelt(given)));
}
void throw_wrong_entry(const std::string& key, const std::type_info& wanted) {
  throw TypeError(str("Unable to cast module[", key, "] to ", spelt(wanted)));
}
void throw_wrong_result(const std::type_info& wanted, const std::type_info& given) {
  throw TypeError(str("The type of the return value is ", spelt(given), ", but you asked for type ", spelt(wanted),
                      ": name the type the last module returns, as in seq->forward<std::tuple<Tensor, Tensor>>(x)"));
}
void throw_wrong_cast(const std::type_info& wanted, const std::type_info& given) {
  throw TypeError(str("Attempted to cast module of type ", spelt(given), " to type ", spelt(wanted)));
}

void throw_empty_any_module(const char* method) {
  throw Error(str("Cannot call ", method, "() on an empty AnyModule: assign it a module first"));
}

unsigned int first_default(std::initializer_list<DefaultArgument> defaults) { return defaults.begin()->first; }

std::vector<AnyValue> with_defaults(std::vector<AnyValue>&& arguments,
                                    std::initializer_list<DefaultArgument> defaults) {
  std::vector<AnyValue> all = std::move(arguments);
  for (const auto& [place, value] : defaults)
    if (place >= all.size()) all.push_back(value);
  return all;
}

}  // namespace detail

AnyValues::AnyValues() = default;
AnyValues::AnyValues(AnyValues&&) noexcept = default;
AnyValues::~AnyValues() = default;
void AnyValues::add(AnyValue value) { list_.push_back(std::move(value)); }
AnyValue& AnyValues::operator[](size_t i) { return list_[i]; }
void AnyValues::complete(Module& m, size_t wanted) {
  const size_t given = list_.size();
  if (given == wanted) return;
  const size_t required = m._forward_has_default_args() ? m._forward_num_required_args() : wanted;
  if (given >= required && given < wanted) {
    list_ = m._forward_populate_default_args(std::move(list_));
    return;
  }
  const std::string& module = m.name();
  const std::string expected = required < wanted
                                   ? str("at least ", required, " argument(s) and at most ", wanted, " argument(s)")
                                   : str(wanted, " argument(s)");
  throw TypeError(str(module, "'s forward() method expects ", expected, ", but received ", given, ". If ", module,
                      "'s forward() method has default arguments, please make sure the forward() method is declared "
                      "with a corresponding `FORWARD_HAS_DEFAULT_ARGS` macro."));
}

namespace detail {

namespace {
/// Keeps the random stream as it was: a copy draws initial values only to overwrite them. In libtorch it goes on.
class KeepRandomState {
 public:
  KeepRandomState() {
    if (!as_libtorch()) state_ = default_generator().get_state();
  }
  ~KeepRandomState() {
    if (state_.defined()) default_generator().set_state(state_);
  }
  KeepRandomState(const KeepRandomState&) = delete;

 private:
  Tensor state_;
};
}  // namespace

std::shared_ptr<Module> CloneableBase::clone(const std::optional<Device>& device) const {
  const KeepRandomState keep;
  const std::shared_ptr<CloneableBase> copy(shallow_copy());
  copy->parameters_.clear();
  copy->buffers_.clear();
  copy->children_.clear();
  copy->reset();
  const auto same = [&](const auto& mine, const auto& theirs, const char* what) {
    check(mine.size() == theirs.size(), "The cloned module does not have the same number of ", what,
          "s as the original module after calling reset(). Are you sure you called register_", what,
          "() inside reset() and not the constructor?");
  };
  same(copy->parameters_, parameters_, "parameter");
  same(copy->buffers_, buffers_, "buffer");
  same(copy->children_, children_, "module");
  copy->copy_tensors(*this);
  for (const auto& child : children_) copy->children_[child.key()]->clone_(*child.value(), device);
  return copy;
}

void CloneableBase::clone_(Module& other, const std::optional<Device>& device) {
  check(assign(*other.clone(device)),
        "Attempted to clone submodule, but it is of a different type than the submodule it was to be cloned into");
}

}  // namespace detail

AnyModule AnyModule::clone(const std::optional<Device>& device) const {
  AnyModule copy = *this;
  if (is_empty()) return copy;
  copy.content_.module = content_.module->clone(device);
  const Module &from = *content_.module, &to = *copy.content_.module;
  check<TypeError>(typeid(to) == typeid(from), "AnyModule: clone() of ", spelt(typeid(from)), " returned ",
                   spelt(typeid(to)), ". Derive it from taut::nn::Cloneable of its own class");
  return copy;
}

Module::Module() = default;
Module::Module(std::string name) : name_(std::move(name)) {}
Module::~Module() = default;
Module::Module(const Module&) = default;
Module& Module::operator=(const Module&) = default;

const std::string& Module::name() const {
  // A base class may ask in its constructor, where the module is not yet of its final class.
  // Names that layers of the library were given are Python's.
  const bool pythons = !named_ && as_libtorch() && detail::is_own(typeid(*this));
  if (name_.empty() || pythons || (named_ && *named_ != typeid(*this))) name_ = class_name(*(named_ = &typeid(*this)));
  return name_;
}

namespace {
[[noreturn]] void throw_no_clone(const std::string& name) {
  const char* space = print_style() == PrintStyle::Cpp ? "torch" : "taut";
  throw NotImplementedError(str("clone() has not been implemented for ", name, ". Subclass ", space, "::nn::Cloneable<",
                                name, "> instead of ", space, "::nn::Module to inherit the ability to clone."));
}
}  // namespace

std::shared_ptr<Module> Module::clone(const std::optional<Device>&) const { throw_no_clone(name()); }
void Module::clone_(Module&, const std::optional<Device>&) { throw_no_clone(name()); }

void Module::copy_tensors(const Module& from) {
  const NoGradGuard no_grad;
  const auto copy = [](OrderedDict<std::string, Tensor>& mine, const OrderedDict<std::string, Tensor>& theirs) {
    for (const auto& item : theirs) {
      Tensor& t = mine[item.key()];
      if (!item.value().defined()) {
        t.reset();
      } else {
        if (!t.defined()) t = item.value().detach().clone();
        else t.set_data(item.value().detach().clone());
        if (item.value().is_floating_point()) t.requires_grad_(item.value().requires_grad());
      }
    }
  };
  copy(parameters_, from.parameters_);
  copy(buffers_, from.buffers_);
}

std::shared_ptr<Module> Module::self() const {
  std::shared_ptr<const Module> shared = weak_from_this().lock();
  check(
      shared != nullptr,
      "It looks like you attempted to retrieve your top-level module as a shared_ptr, but it is not stored in a "
      "shared_ptr. Use std::make_shared<",
      name(),
      "> instead of creating your module on the stack, or alternatively do not try to access your top-level module at "
      "all by passing /*include_self=*/false to modules() or named_modules()");
  return std::const_pointer_cast<Module>(shared);
}

void Module::apply(const ModuleApplyFunction& function) {
  walk(borrowed(this), {}, [&](const std::string&, const std::shared_ptr<Module>& m) { function(*m); });
}
void Module::apply(const ConstModuleApplyFunction& function) const {
  walk(borrowed(this), {}, [&](const std::string&, const std::shared_ptr<Module>& m) { function(*m); });
}
void Module::apply(const NamedModuleApplyFunction& function, const std::string& name_prefix) {
  walk(borrowed(this), name_prefix,
       [&](const std::string& name, const std::shared_ptr<Module>& m) { function(name, *m); });
}
void Module::apply(const ConstNamedModuleApplyFunction& function, const std::string& name_prefix) const {
  walk(borrowed(this), name_prefix,
       [&](const std::string& name, const std::shared_ptr<Module>& m) { function(name, *m); });
}
void Module::apply(const ModulePointerApplyFunction& function) const {
  walk(self(), {}, [&](const std::string&, const std::shared_ptr<Module>& m) { function(m); });
}
void Module::apply(const NamedModulePointerApplyFunction& function, const std::string& name_prefix) const {
  walk(self(), name_prefix, function);
}

namespace {
/// The tensors `of(module)` of a module and, if wanted, of all below it, each once.
template <class Of>
OrderedDict<std::string, Tensor> collect(const Module& root, bool recurse, const Of& of, const char* what) {
  OrderedDict<std::string, Tensor> all(what);
  std::unordered_set<const void*> seen;
  const auto add = [&](const std::string& prefix, const Module& m) {
    for (const auto& item : of(m))
      if (item.value().defined() && seen.insert(item.value().impl()).second)
        all.insert(join(prefix, item.key()), item.value());
  };
  if (recurse) root.apply(Module::ConstNamedModuleApplyFunction(add));
  else add({}, root);
  return all;
}
}  // namespace

OrderedDict<std::string, Tensor> Module::named_parameters(bool recurse) const {
  return collect(
      *this, recurse, [](const Module& m) -> auto& { return m.parameters_; }, "Parameter");
}
OrderedDict<std::string, Tensor> Module::named_buffers(bool recurse) const {
  return collect(
      *this, recurse, [](const Module& m) -> auto& { return m.buffers_; }, "Buffer");
}
std::vector<Tensor> Module::parameters(bool recurse) const { return named_parameters(recurse).values(); }
std::vector<Tensor> Module::buffers(bool recurse) const { return named_buffers(recurse).values(); }

OrderedDict<std::string, std::shared_ptr<Module>> Module::named_modules(const std::string& name_prefix,
                                                                        bool include_self) const {
  OrderedDict<std::string, std::shared_ptr<Module>> all("Module");
  const std::shared_ptr<Module> root = include_self ? self() : borrowed(this);
  std::unordered_set<const Module*> seen;
  walk(root, name_prefix, [&](const std::string& name, const std::shared_ptr<Module>& m) {
    if ((m.get() != this || include_self) && seen.insert(m.get()).second) all.insert(name, m);
  });
  return all;
}
std::vector<std::shared_ptr<Module>> Module::modules(bool include_self) const {
  return named_modules({}, include_self).values();
}
std::vector<std::shared_ptr<Module>> Module::children() const { return children_.values(); }
OrderedDict<std::string, std::shared_ptr<Module>> Module::named_children() const { return children_; }

void Module::train(bool on) {
  for (auto& child : children_) child.value()->train(on);
  training_ = on;
}

void Module::convert(const std::function<Tensor(const Tensor&)>& f) {
  const NoGradGuard no_grad;
  apply(ModuleApplyFunction([&](Module& m) {
    for (auto* tensors : {&m.parameters_, &m.buffers_})
      for (auto& item : *tensors)
        if (item.value().defined()) item.value().set_data(f(item.value().detach()));
  }));
}
static void check_dtype(const std::string& name, Dtype dtype) {
  check<TypeError>(is_floating_point(dtype), name, ": to() takes only floating point dtypes, but got ", dtype,
                   "; whole-number parameters would have no gradient");
}
void Module::to(Device device, Dtype dtype, bool) {
  device.require();
  check_dtype(name(), dtype);
  convert([&](const Tensor& t) { return t.to(device, t.is_floating_point() ? dtype : t.scalar_type()); });
}
void Module::to(Dtype dtype, bool) {
  check_dtype(name(), dtype);
  convert([&](const Tensor& t) { return t.is_floating_point() ? t.to(dtype) : t; });
}
void Module::to(Device device, bool) {
  device.require();
  const auto elsewhere = [&](const Tensor& t) { return t.device().type() != device.type(); };
  const std::vector<Tensor> own = parameters(), kept = buffers();
  if (std::any_of(own.begin(), own.end(), elsewhere) || std::any_of(kept.begin(), kept.end(), elsewhere))
    convert([&](const Tensor& t) { return t.to(device); });
}

void Module::zero_grad(bool set_to_none) {
  for (Tensor& p : parameters()) {
    if (!p.grad().defined()) continue;
    if (set_to_none) {
      p.mutable_grad().reset();
    } else {
      p.mutable_grad() = p.grad().detach();
      const NoGradGuard no_grad;
      p.mutable_grad().zero_();
    }
  }
}

Module& Module::requires_grad_(bool requires_grad) {
  for (const Tensor& p : parameters()) p.requires_grad_(requires_grad);
  return *this;
}

Tensor& Module::register_parameter(std::string name, Tensor tensor, bool requires_grad) {
  check<ValueError>(!name.empty(), "Parameter name must not be empty, in ", this->name());
  check<ValueError>(name.find('.') == std::string::npos, "Parameter name must not contain a dot (got '", name, "')");
  if (!tensor.defined()) return parameters_.insert(std::move(name), {});
  if (tensor.is_floating_point()) {
    check<ValueError>(tensor.is_leaf(), this->name(), ": cannot register '", name,
                      "' as a parameter: it is the result of an op. Model parameters must be created explicitly; to "
                      "express it as a function of another tensor, compute it in forward()");
    tensor.requires_grad_(requires_grad);
  } else {
    check<TypeError>(
        !requires_grad, this->name(), ": parameter '", name, "' has dtype ", tensor.scalar_type(),
        "; only floating point tensors can require gradients. Pass requires_grad=false, or register a buffer");
  }
  return parameters_.insert(std::move(name), std::move(tensor));
}

Tensor& Module::register_buffer(std::string name, Tensor tensor, bool persistent) {
  check<ValueError>(!name.empty(), "Buffer name must not be empty, in ", this->name());
  check<ValueError>(name.find('.') == std::string::npos, "Buffer name must not contain a dot (got '", name, "')");
  if (!persistent) not_persistent_.push_back(name);
  return buffers_.insert(std::move(name), std::move(tensor));
}

void Module::add_child(std::string name, std::shared_ptr<Module> module) {
  check<ValueError>(!name.empty(), "Submodule name must not be empty, in ", this->name());
  check<ValueError>(name.find('.') == std::string::npos, "Submodule name must not contain a dot (got '", name, "')");
  check<ValueError>(module != nullptr, this->name(), ": submodule '", name, "' is empty");
  children_.insert(std::move(name), std::move(module));
}

bool Module::is_persistent(const std::string& buffer) const {
  return std::find(not_persistent_.begin(), not_persistent_.end(), buffer) == not_persistent_.end();
}

OrderedDict<std::string, Tensor> Module::state_dict(const std::string& prefix) const {
  OrderedDict<std::string, Tensor> state("Key");
  apply(ConstNamedModuleApplyFunction([&](const std::string& name, const Module& m) {
          for (const auto& p : m.parameters_)
            if (p.value().defined()) state.insert(join(name, p.key()), p.value().detach());
          for (const auto& b : m.buffers_)
            if (b.value().defined() && m.is_persistent(b.key())) state.insert(join(name, b.key()), b.value().detach());
        }),
        prefix);
  return state;
}

IncompatibleKeys Module::load_state_dict(const OrderedDict<std::string, Tensor>& state, bool strict) {
  OrderedDict<std::string, Tensor> own = state_dict();
  IncompatibleKeys keys;
  std::string mismatches;
  for (const auto& item : own) {
    const Tensor* given = state.find(item.key());
    if (!given || !given->defined()) keys.missing_keys.push_back(item.key());
    else if (given->sizes() != item.value().sizes())
      mismatches += str("\n\tsize mismatch for ", item.key(), ": copying a param with shape ", given->sizes(),
                        " from checkpoint, the shape in current model is ", item.value().sizes(), ".");
  }
  for (const auto& item : state)
    if (!own.contains(item.key())) keys.unexpected_keys.push_back(item.key());
  const auto list = [](const char* what, const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& n : names) text += (text.empty() ? "\"" : ", \"") + n + "\"";
    return names.empty() ? text : str("\n\t", what, " key(s) in state_dict: ", text, ". ");
  };
  std::string problems;
  if (strict) problems = list("Missing", keys.missing_keys) + list("Unexpected", keys.unexpected_keys);
  problems += mismatches;
  check(problems.empty(), "Error(s) in loading state_dict for ", name(), ":", problems);
  const NoGradGuard no_grad;
  for (auto& item : own)
    if (const Tensor* given = state.find(item.key()); given && given->defined()) item.value().copy_(*given);
  return keys;
}

void Module::pretty_print(std::ostream& stream) const {
  stream << name() << (children_.is_empty() && print_style() == PrintStyle::Python ? "()" : "");
}

void Module::print(std::ostream& stream, const std::string& indent) const {
  const bool cpp = as_libtorch();
  const bool has_children = !children_.is_empty();
  if (cpp && detail::is_own(typeid(*this))) {
    std::ostringstream text;
    pretty_print(text);
    stream << detail::cpp_text(*this, text.str(), has_children);
  } else {
    pretty_print(stream);
  }
  if (!has_children) return;
  const std::string inner = indent + "  ";
  const auto text_of = [&](size_t i) {
    std::ostringstream text;
    children_[i].value()->print(text, inner);
    return text.str();
  };
  stream << "(\n";
  for (size_t i = 0; i < children_.size();) {
    const std::string text = text_of(i);
    size_t end = i + 1;
    if (prints_repeats_once() && !cpp)
      while (end < children_.size() && text_of(end) == text) ++end;
    stream << inner << '(' << children_[i].key();
    if (end > i + 1) stream << '-' << children_[end - 1].key() << "): " << end - i << " x ";
    else stream << "): ";
    stream << text << '\n';
    i = end;
  }
  stream << indent << ')';
}

std::ostream& operator<<(std::ostream& stream, const Module& module) {
  module.print(stream, {});
  if (!as_libtorch()) return stream;
  // What libtorch's layers tell the stream holds for whatever the program prints next.
  std::vector<const Module*> stack{&module};
  while (!stack.empty()) {
    const Module& m = *stack.back();
    stack.pop_back();
    if (detail::is_own(typeid(m)) && detail::sets_boolalpha(m.name())) stream.setf(std::ios_base::boolalpha);
    for (const auto& child : m.children_) stack.push_back(child.value().get());
  }
  return stream;
}

unsigned int Module::_forward_num_required_args() {
  throw TypeError(str(name(), " has no default arguments: FORWARD_HAS_DEFAULT_ARGS would name them"));
}
std::vector<AnyValue> Module::_forward_populate_default_args(std::vector<AnyValue>&&) {
  throw TypeError(str(name(), " has no default arguments: FORWARD_HAS_DEFAULT_ARGS would name them"));
}

void Module::remove_hook(unsigned handle) {
  const auto remove = [&](auto& list) { std::erase_if(list, [&](const auto& h) { return h.first == handle; }); };
  remove(forward_pre_hooks_);
  remove(forward_hooks_);
  remove(backward_pre_hooks_);
  remove(backward_hooks_);
}

namespace {

/// What the backward hooks of one call of a module share.
struct BackwardCall {
  Module* module;
  std::shared_ptr<Module> keep;  // the module may be gone by the time of backward
  std::vector<std::pair<unsigned, Module::BackwardPreHook>> pre_hooks;
  std::vector<std::pair<unsigned, Module::BackwardHook>> hooks;
  size_t inputs = 0;
  bool inputs_follow = false;  // some input has a gradient: the hooks run when it is known
  std::vector<Tensor> grad_outputs;

  std::vector<Tensor> run_hooks(std::vector<Tensor> grad_inputs) const {
    for (const auto& h : hooks) {
      std::vector<Tensor> other = h.second(*module, grad_inputs, grad_outputs);
      if (other.empty()) continue;
      check(other.size() == grad_inputs.size(), "Backward hook returned an invalid number of grad_input: got ",
            other.size(), ", but expected ", grad_inputs.size());
      grad_inputs = std::move(other);
    }
    return grad_inputs;
  }
};

/// The identity: its backward sees all gradients of a module's inputs, or outputs, at once.
template <bool kInputs>
struct Watch : autograd::Function<Watch<kInputs>> {
  static autograd::variable_list forward(autograd::AutogradContext* ctx, autograd::variable_list x,
                                         std::shared_ptr<BackwardCall> call) {
    ctx->set_materialize_grads(false);
    ctx->saved_data["call"] = std::move(call);
    return x;
  }
  static autograd::variable_list backward(autograd::AutogradContext* ctx, autograd::variable_list grads) {
    const auto call = ctx->saved_data["call"].to<std::shared_ptr<BackwardCall>>();
    if constexpr (kInputs) {
      // In double backward gradients come to the inputs past the outputs; the hooks have nothing to see then.
      if (!call->grad_outputs.empty()) grads = call->run_hooks(std::move(grads));
      call->grad_outputs.clear();
    } else {
      for (const auto& h : call->pre_hooks) {
        std::vector<Tensor> other = h.second(*call->module, grads);
        if (other.empty()) continue;
        check(other.size() == grads.size(), "Backward pre hook returned an invalid number of grad_output: got ",
              other.size(), ", but expected ", grads.size());
        grads = std::move(other);
      }
      call->grad_outputs = grads;
      if (!call->inputs_follow) call->run_hooks(std::vector<Tensor>(call->inputs));
    }
    grads.emplace_back();  // for the call itself
    return grads;
  }
};

bool any_requires_grad(const std::vector<Tensor>& list) {
  return std::any_of(list.begin(), list.end(), [](const Tensor& t) { return t.defined() && t.requires_grad(); });
}

}  // namespace

std::shared_ptr<void> Module::before_forward(Tensors& inputs) {
  for (const auto& h : forward_pre_hooks_) {
    Tensors other = h.second(*this, inputs);
    if (other.empty()) continue;
    check(other.size() == inputs.size(), name(), ": a forward pre-hook returned ", other.size(),
          " tensors in place of ", inputs.size());
    inputs = std::move(other);
  }
  if ((backward_hooks_.empty() && backward_pre_hooks_.empty()) || !GradMode::is_enabled()) return nullptr;
  auto call = std::make_shared<BackwardCall>();
  call->module = this;
  call->keep = weak_from_this().lock();
  call->pre_hooks = backward_pre_hooks_;
  call->hooks = backward_hooks_;
  call->inputs = inputs.size();
  call->inputs_follow = any_requires_grad(inputs);
  if (call->inputs_follow) inputs = Watch<true>::apply(inputs, call);
  return call;
}

void Module::after_forward(const Tensors& inputs, Tensors& outputs, const std::shared_ptr<void>& state) {
  for (const auto& h : forward_hooks_) {
    Tensors other = h.second(*this, inputs, outputs);
    if (other.empty()) continue;
    check(other.size() == outputs.size(), name(), ": a forward hook returned ", other.size(), " tensors in place of ",
          outputs.size());
    outputs = std::move(other);
  }
  if (state && any_requires_grad(outputs))
    outputs = Watch<false>::apply(outputs, std::static_pointer_cast<BackwardCall>(state));
}

}  // namespace taut::nn
