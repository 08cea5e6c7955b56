// Groups, state, saving and loading: what all optimisers have in common.
#include "taut/optim/optimizer.h"

#include <cxxabi.h>

#include <charconv>
#include <cstdlib>
#include <typeinfo>
#include <unordered_set>

#include "taut/autograd.h"
#include "taut/core/runtime.h"
#include "taut/factories.h"
#include "taut/fingerprint.h"
#include "taut/serialize/archive.h"

namespace taut::optim {
namespace {

/// Two values of the same field of two objects.
bool same(const Field& a, const Field& b) {
  return std::visit(
      [&](auto* x) {
        using T = std::remove_pointer_t<decltype(x)>;
        const T& y = *std::get<T*>(b.value);
        if constexpr (std::is_same_v<T, Tensor> || std::is_same_v<T, std::deque<Tensor>>) return x == &y;
        else return *x == y;
      },
      a.value);
}
void assign(const Field& to, const Field& from) {
  std::visit([&](auto* x) { *x = *std::get<decltype(x)>(from.value); }, to.value);
}
Fields fields_of(const OptimizerOptions& o) { return const_cast<OptimizerOptions&>(o).fields(); }

/// What a group left as it was made is the default.
void inherit(OptimizerOptions& options, const OptimizerOptions& defaults) {
  const auto fresh = options.fresh();
  if (!fresh) return;
  const Fields own = options.fields(), made = fresh->fields(), from = fields_of(defaults);
  for (size_t i = 0; i < own.size(); ++i)
    if (same(own[i], made[i])) assign(own[i], from[i]);
}

void check_params(const std::vector<Tensor>& params, bool records) {
  std::unordered_set<const void*> seen;
  for (const Tensor& p : params) {
    check<TypeError>(p.defined(), "optimizer can only optimize Tensors, but one of the params is undefined");
    check<ValueError>(records || p.is_leaf() || p.retains_grad(), "can't optimize a non-leaf Tensor: one of shape ",
                      p.sizes(), " is the result of an op. Pass the leaf it was computed from, or detach() it");
    check<ValueError>(seen.insert(p.impl()).second,
                      "optimizer contains a parameter group with duplicate parameters: one of shape ", p.sizes());
  }
}

}  // namespace

bool operator==(const OptimizerOptions& a, const OptimizerOptions& b) {
  if (typeid(a) != typeid(b)) return false;
  const Fields x = fields_of(a), y = fields_of(b);
  for (size_t i = 0; i < x.size(); ++i)
    if (!same(x[i], y[i])) return false;
  return true;
}

bool operator==(const OptimizerParamState& a, const OptimizerParamState& b) {
  if (typeid(a) != typeid(b)) return false;
  StateDict x, y;
  save_fields("", const_cast<OptimizerParamState&>(a).fields(), x);
  save_fields("", const_cast<OptimizerParamState&>(b).fields(), y);
  if (x.size() != y.size()) return false;
  for (const auto& item : x) {
    const Tensor* other = y.find(item.key());
    if (!other || !item.value().equal(*other)) return false;
  }
  return true;
}

std::unique_ptr<OptimizerParamState> OptimizerParamState::clone() const {
  throw NotImplementedError(
      "clone() has not been implemented for this OptimizerParamState. Subclass "
      "OptimizerCloneableParamState<YourParamState> instead of OptimizerParamState");
}
std::unique_ptr<OptimizerOptions> OptimizerOptions::clone() const {
  throw NotImplementedError(
      "clone() has not been implemented for these OptimizerOptions. Subclass OptimizerCloneableOptions<YourOptions> "
      "instead of OptimizerOptions");
}
double OptimizerOptions::get_lr() const {
  throw NotImplementedError(
      "double get_lr() has not been overridden and implemented in subclass of torch::optim::OptimizerOptions, you must "
      "override it in your subclass.");
}
void OptimizerOptions::set_lr(const double) {
  throw NotImplementedError(
      "double set_lr() has not been overridden and implemented in subclass of torch::optim::OptimizerOptions, you must "
      "override it in your subclass.");
}

namespace {
void save_to(serialize::OutputArchive& archive, const Fields& fields, const char* who) {
  check<NotImplementedError>(!fields.empty(),
                             "void serialize(torch::serialize::OutputArchive& archive) has not been implemented for ",
                             who, ". You must override it in your subclass of ", who);
  StateDict dict;
  save_fields("", fields, dict);
  for (const auto& item : dict) archive.write(item.key(), item.value());
}
void load_from(serialize::InputArchive& archive, const Fields& fields, const char* who) {
  check<NotImplementedError>(!fields.empty(),
                             "void serialize(torch::serialize::InputArchive& archive) has not been implemented for ",
                             who, ". You must override it in your subclass of ", who);
  std::vector<std::string> used;
  load_fields("", fields, archive.tensors(), used);
}
}  // namespace

void OptimizerParamState::serialize(serialize::OutputArchive& archive) const {
  save_to(archive, const_cast<OptimizerParamState*>(this)->fields(), "torch::optim::OptimizerParamState");
}
void OptimizerParamState::serialize(serialize::InputArchive& archive) {
  load_from(archive, fields(), "torch::optim::OptimizerParamState");
}
void OptimizerOptions::serialize(serialize::OutputArchive& archive) const {
  save_to(archive, fields_of(*this), "torch::optim::OptimizerOptions");
}
void OptimizerOptions::serialize(serialize::InputArchive& archive) {
  load_from(archive, fields(), "torch::optim::OptimizerOptions");
}

// Here, so that no program compiles lists of groups and states anew.
OptimizerParamGroup::OptimizerParamGroup(const OptimizerParamGroup& other)
    : params_(other.params_),
      options_(other.options_ ? other.options_->clone() : nullptr),
      initial_lr_(other.initial_lr_) {}
OptimizerParamGroup::OptimizerParamGroup(OptimizerParamGroup&&) noexcept = default;
OptimizerParamGroup::OptimizerParamGroup(std::vector<Tensor> params) : params_(std::move(params)) {}
OptimizerParamGroup::OptimizerParamGroup(std::vector<Tensor> params, std::unique_ptr<OptimizerOptions> options)
    : params_(std::move(params)), options_(std::move(options)) {}
OptimizerParamGroup::~OptimizerParamGroup() = default;
OptimizerParamGroup& OptimizerParamGroup::operator=(OptimizerParamGroup&&) noexcept = default;

OptimizerOptions& OptimizerParamGroup::options() {
  check(options_ != nullptr, "this parameter group has no options; an optimizer gives them to it");
  return *options_;
}
const OptimizerOptions& OptimizerParamGroup::options() const {
  return const_cast<OptimizerParamGroup*>(this)->options();
}

Optimizer::Optimizer(Optimizer&&) noexcept = default;
Optimizer& Optimizer::operator=(Optimizer&&) noexcept = default;
Optimizer::~Optimizer() = default;

Optimizer::Optimizer(const std::vector<OptimizerParamGroup>& param_groups, std::unique_ptr<OptimizerOptions> defaults)
    : defaults_(std::move(defaults)) {
  check<ValueError>(defaults_ != nullptr, "optimizer got no default options");
  defaults_->check();
  for (const OptimizerParamGroup& group : param_groups) add_param_group(group);
}
Optimizer::Optimizer(std::vector<Tensor> parameters, std::unique_ptr<OptimizerOptions> defaults)
    : Optimizer(std::vector<OptimizerParamGroup>(1, OptimizerParamGroup(std::move(parameters))), std::move(defaults)) {}

void Optimizer::add_param_group(const OptimizerParamGroup& param_group) {
  OptimizerParamGroup group = param_group;
  if (!group.has_options()) {
    group.set_options(defaults_->clone());
  } else {
    const OptimizerOptions &own = group.options(), &usual = *defaults_;
    check<TypeError>(typeid(own) == typeid(usual), "a parameter group has the options of another optimizer");
    inherit(group.options(), *defaults_);
  }
  group.options().check();
  optim::check_params(group.params(), group.options().records());
  group.options().check_params(group.params());
  std::unordered_set<const void*> known;
  for (const OptimizerParamGroup& g : param_groups_)
    for (const Tensor& p : g.params()) known.insert(p.impl());
  for (const Tensor& p : group.params())
    check<ValueError>(!known.count(p.impl()), "some parameters appear in more than one parameter group: one of shape ",
                      p.sizes());
  param_groups_.push_back(std::move(group));
}

void Optimizer::add_parameters(const std::vector<Tensor>& parameters) {
  check<ValueError>(!param_groups_.empty(), "add_parameters: the optimizer has no parameter group");
  std::vector<Tensor> all = param_groups_[0].params();
  all.insert(all.end(), parameters.begin(), parameters.end());
  optim::check_params(all, param_groups_[0].options().records());
  param_groups_[0].options().check_params(all);
  param_groups_[0].params() = std::move(all);
}

size_t Optimizer::size() const {
  size_t n = 0;
  for (const OptimizerParamGroup& g : param_groups_) n += g.params().size();
  return n;
}

void Optimizer::zero_grad(bool set_to_none) {
  for (const OptimizerParamGroup& group : param_groups_) {
    for (const Tensor& p : group.params()) {
      if (!p.grad().defined()) continue;
      Tensor& g = p.mutable_grad();
      if (set_to_none) {
        g.reset();
      } else {
        NoGradGuard no_grad;
        if (g.grad_fn()) g = g.detach();
        g.zero_();
      }
    }
  }
}

Tensor Optimizer::evaluate(const LossClosure& closure) {
  stepped_ = true;
  if (!closure) return {};
  EnableGradGuard grad;
  return closure();
}

std::unique_ptr<OptimizerParamState> Optimizer::new_state() const {
  throw NotImplementedError("load_state_dict: this optimizer does not say what its state is; override new_state()");
}

namespace {
void save_states(const std::vector<OptimizerParamGroup>& groups, const Optimizer::State& state, StateDict& dict) {
  int64_t index = 0;
  for (const OptimizerParamGroup& group : groups) {
    for (const Tensor& p : group.params()) {
      const auto s = state.find(p.impl());
      if (s != state.end() && s->second) save_fields(str("state.", index, "."), s->second->fields(), dict);
      ++index;
    }
  }
}
/// "Adam" for taut::optim::Adam.
std::string name_of(const Optimizer& optimizer) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> demangled(
      abi::__cxa_demangle(typeid(optimizer).name(), nullptr, nullptr, &status), std::free);
  const std::string name = demangled ? demangled.get() : typeid(optimizer).name();
  return name.substr(name.rfind(':') + 1);
}
}  // namespace

void Optimizer::end_step() {
  if (!logs_steps()) return;
  std::vector<Tensor> params;
  for (const OptimizerParamGroup& group : param_groups_)
    params.insert(params.end(), group.params().begin(), group.params().end());
  log_step(name_of(*this), ++logged_steps_, params);
}

StateDict Optimizer::parameters_and_state() const {
  StateDict dict;
  save_states(param_groups_, state_, dict);
  for (auto& item : dict)
    if (item->dim() == 0) *item = item->to(kDouble);
  int64_t index = 0;
  for (const OptimizerParamGroup& group : param_groups_)
    for (const Tensor& p : group.params()) dict.insert(str("params.", index++), p);
  return dict;
}

StateDict Optimizer::state_dict() const {
  StateDict dict;
  save_states(param_groups_, state_, dict);
  int64_t index = 0;
  for (size_t g = 0; g < param_groups_.size(); ++g) {
    const OptimizerParamGroup& group = param_groups_[g];
    const std::string prefix = str("param_groups.", g, ".");
    save_fields(prefix, fields_of(group.options()), dict);
    if (group.initial_lr()) dict.insert(prefix + "initial_lr", scalar_tensor(*group.initial_lr(), kDouble));
    const auto n = static_cast<int64_t>(group.params().size());
    dict.insert(prefix + "params", arange(index, index + n, kLong));
    index += n;
  }
  return dict;
}

namespace {

constexpr std::string_view kState = "state.", kGroups = "param_groups.";

/// Which parameters have a state, and how many groups there are, by the keys of a state dict.
struct Contents {
  size_t groups = 0;
  std::unordered_set<int64_t> stateful;
};
/// The number that stands in a key behind its prefix.
template <class T>
std::optional<T> number_behind(std::string_view prefix, const std::string& key) {
  T number = 0;
  if (!key.starts_with(prefix)) return std::nullopt;
  const auto parsed = std::from_chars(key.data() + prefix.size(), key.data() + key.size(), number);
  return parsed.ec == std::errc() ? std::optional<T>(number) : std::nullopt;
}
Contents contents_of(const StateDict& dict) {
  Contents contents;
  for (const auto& item : dict) {
    const std::string& key = item.key();
    check<ValueError>(key.starts_with(kState) || key.starts_with(kGroups), "load_state_dict: unexpected key '", key,
                      "': keys are 'state.<parameter>.<name>' and 'param_groups.<group>.<name>'");
    if (const auto g = number_behind<size_t>(kGroups, key)) contents.groups = std::max(contents.groups, *g + 1);
    if (const auto i = number_behind<int64_t>(kState, key)) contents.stateful.insert(*i);
  }
  return contents;
}

/// Checks the tensors of a parameter's loaded state, and gives them its dtype.
void fit_to(const Tensor& p, const Fields& fields, const std::string& prefix) {
  const auto fit = [&](const Field& f, Tensor& t) {
    if (!t.defined()) return;
    check<ValueError>(!f.like_param || t.sizes() == p.sizes(), "load_state_dict: '", prefix, f.name, "' has shape ",
                      t.sizes(), " but its parameter has shape ", p.sizes());
    check<TypeError>(is_differentiable(t.scalar_type()), "load_state_dict: '", prefix, f.name, "' is ", t.scalar_type(),
                     ", expected floating point");
    if (p.is_floating_point() || p.is_complex()) t = t.to(p.scalar_type());
  };
  for (const Field& f : fields) {
    if (Tensor* const* t = std::get_if<Tensor*>(&f.value)) fit(f, **t);
    if (std::deque<Tensor>* const* list = std::get_if<std::deque<Tensor>*>(&f.value))
      for (Tensor& t : **list) fit(f, t);
  }
}

struct LoadedGroup {
  std::unique_ptr<OptimizerOptions> options;
  std::optional<double> initial_lr;
};
LoadedGroup load_group(const OptimizerParamGroup& group, size_t number, const StateDict& dict,
                       std::vector<std::string>& used) {
  const std::string prefix = str(kGroups, number, ".");
  const Tensor* numbers = dict.find(prefix + "params");
  check<ValueError>(numbers && numbers->defined(), "load_state_dict: '", prefix, "params' is missing");
  check<ValueError>(numbers->numel() == static_cast<int64_t>(group.params().size()),
                    "loaded state dict contains a parameter group that doesn't match the size of optimizer's group: "
                    "group ",
                    number, " has ", numbers->numel(), " parameters, the optimizer's ", group.params().size());
  used.push_back(prefix + "params");
  LoadedGroup loaded{group.options().clone(), std::nullopt};
  load_fields(prefix, loaded.options->fields(), dict, used);
  loaded.options->check();
  if (dict.contains(prefix + "initial_lr")) {
    double initial_lr = 0;
    load_fields(prefix, {{"initial_lr", &initial_lr}}, dict, used);
    loaded.initial_lr = initial_lr;
  }
  return loaded;
}

}  // namespace

void Optimizer::load_state_dict(const StateDict& dict) {
  // Everything is read into new objects first, so that an error changes nothing.
  const Contents contents = contents_of(dict);
  check<ValueError>(contents.groups == param_groups_.size(),
                    "loaded state dict has a different number of parameter groups: ", contents.groups,
                    ", the optimizer has ", param_groups_.size());
  std::vector<std::string> used;
  std::vector<LoadedGroup> groups;
  State state;
  int64_t index = 0;
  for (const OptimizerParamGroup& group : param_groups_) {
    groups.push_back(load_group(group, groups.size(), dict, used));
    for (const Tensor& p : group.params()) {
      const std::string prefix = str(kState, index, ".");
      if (!contents.stateful.count(index++)) continue;
      auto loaded = new_state();
      const Fields fields = loaded->fields();
      load_fields(prefix, fields, dict, used);
      fit_to(p, fields, prefix);
      loaded->check_loaded(group);
      state[p.impl()] = std::move(loaded);
    }
  }
  check_all_used("", dict, std::move(used), "the optimizer");
  for (size_t g = 0; g < groups.size(); ++g) {
    param_groups_[g].set_options(std::move(groups[g].options));
    param_groups_[g].set_initial_lr(groups[g].initial_lr);
  }
  state_ = std::move(state);
}

void Optimizer::save(serialize::OutputArchive& archive) const {
  for (const auto& item : state_dict()) archive.write(item.key(), item.value());
}
void Optimizer::load(serialize::InputArchive& archive) { load_state_dict(archive.tensors()); }

serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const Optimizer& optimizer) {
  optimizer.save(archive);
  return archive;
}
serialize::InputArchive& operator>>(serialize::InputArchive& archive, Optimizer& optimizer) {
  optimizer.load(archive);
  return archive;
}

}  // namespace taut::optim
