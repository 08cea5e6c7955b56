// The optimiser: groups of parameters with options, the state it keeps for each parameter, and step().
#pragma once
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "taut/nn/arg.h"
#include "taut/optim/state.h"
#include "taut/tensor.h"

namespace taut::serialize {
class OutputArchive;
class InputArchive;
}  // namespace taut::serialize

namespace taut::optim {

class OptimizerParamGroup;

/// What an optimiser remembers about one parameter.
class OptimizerParamState {
 public:
  virtual ~OptimizerParamState() = default;
  virtual std::unique_ptr<OptimizerParamState> clone() const;
  /// Into an archive and out of it, what fields() lists.
  virtual void serialize(serialize::InputArchive& archive);
  virtual void serialize(serialize::OutputArchive& archive) const;
  /// What is saved; nothing unless overridden.
  virtual Fields fields() { return {}; }
  /// Throws when what was loaded cannot be; the shapes of tensors like the parameter's were looked at already.
  virtual void check_loaded(const OptimizerParamGroup&) const {}
  /// Have they the same values?
  friend bool operator==(const OptimizerParamState& a, const OptimizerParamState& b);
};

template <class Derived, class Base = OptimizerParamState>
class OptimizerCloneableParamState : public Base {
 public:
  std::unique_ptr<OptimizerParamState> clone() const override {
    return std::make_unique<Derived>(static_cast<const Derived&>(*this));
  }
};

/// The settings of one group of parameters.
class OptimizerOptions {
 public:
  virtual ~OptimizerOptions() = default;
  virtual std::unique_ptr<OptimizerOptions> clone() const;
  /// Into an archive and out of it, what fields() lists.
  virtual void serialize(serialize::InputArchive& archive);
  virtual void serialize(serialize::OutputArchive& archive) const;
  /// As the constructor makes them without arguments; null where nobody can tell.
  virtual std::unique_ptr<OptimizerOptions> fresh() const { return nullptr; }
  virtual double get_lr() const;
  virtual void set_lr(const double lr);
  /// Throws ValueError when a value makes no sense.
  virtual void check() const {}
  /// Throws when these parameters cannot be optimised.
  virtual void check_params(const std::vector<Tensor>&) const {}
  virtual Fields fields() { return {}; }
  /// Is the step recorded by autograd? Then parameters need not be leaves.
  virtual bool records() const { return false; }
  friend bool operator==(const OptimizerOptions& a, const OptimizerOptions& b);
};

template <class Derived, class Base = OptimizerOptions>
class OptimizerCloneableOptions : public Base {
 public:
  std::unique_ptr<OptimizerOptions> clone() const override {
    return std::make_unique<Derived>(static_cast<const Derived&>(*this));
  }
  std::unique_ptr<OptimizerOptions> fresh() const override {
    if constexpr (std::is_default_constructible_v<Derived>) return std::make_unique<Derived>();
    else return nullptr;
  }
  double get_lr() const override {
    if constexpr (requires(const Derived& d) { static_cast<double>(d.lr()); })
      return static_cast<const Derived&>(*this).lr();
    else return Base::get_lr();
  }
  void set_lr(const double lr) override {
    if constexpr (requires(Derived & d) { d.lr(lr); }) static_cast<Derived&>(*this).lr(lr);
    else Base::set_lr(lr);
  }
};

/// Parameters that share their options.
class OptimizerParamGroup {
 public:
  OptimizerParamGroup(const OptimizerParamGroup& other);
  OptimizerParamGroup(OptimizerParamGroup&&) noexcept;
  OptimizerParamGroup(std::vector<Tensor> params);
  OptimizerParamGroup(std::vector<Tensor> params, std::unique_ptr<OptimizerOptions> options);
  ~OptimizerParamGroup();
  OptimizerParamGroup& operator=(const OptimizerParamGroup&) = delete;
  OptimizerParamGroup& operator=(OptimizerParamGroup&&) noexcept;

  bool has_options() const { return options_ != nullptr; }
  OptimizerOptions& options();
  const OptimizerOptions& options() const;
  void set_options(std::unique_ptr<OptimizerOptions> options) { options_ = std::move(options); }
  std::vector<Tensor>& params() { return params_; }
  const std::vector<Tensor>& params() const { return params_; }
  /// The learning rate a scheduler started from; saved with the group.
  const std::optional<double>& initial_lr() const { return initial_lr_; }
  void set_initial_lr(std::optional<double> lr) { initial_lr_ = lr; }

 private:
  std::vector<Tensor> params_;
  std::unique_ptr<OptimizerOptions> options_;
  std::optional<double> initial_lr_;
};

class Optimizer {
 public:
  using LossClosure = std::function<Tensor()>;
  using State = std::unordered_map<void*, std::unique_ptr<OptimizerParamState>>;

  /// A value that a group left as its constructor made it is taken from `defaults`.
  explicit Optimizer(const std::vector<OptimizerParamGroup>& param_groups, std::unique_ptr<OptimizerOptions> defaults);
  explicit Optimizer(std::vector<Tensor> parameters, std::unique_ptr<OptimizerOptions> defaults);
  Optimizer(const Optimizer&) = delete;
  Optimizer(Optimizer&&) noexcept;
  Optimizer& operator=(const Optimizer&) = delete;
  Optimizer& operator=(Optimizer&&) noexcept;
  virtual ~Optimizer();

  /// One step along the gradients. A closure computes the loss anew (clear the gradients, compute, backward) and
  /// returns it; it runs first, with gradients on.
  virtual Tensor step(LossClosure closure = nullptr) = 0;
  void zero_grad(bool set_to_none = true);
  void add_param_group(const OptimizerParamGroup& param_group);
  /// Adds to the first group.
  void add_parameters(const std::vector<Tensor>& parameters);
  /// The parameters of the first group.
  const std::vector<Tensor>& parameters() const { return param_groups_.at(0).params(); }
  std::vector<Tensor>& parameters() { return param_groups_.at(0).params(); }
  /// How many parameters there are, in all groups.
  size_t size() const;
  OptimizerOptions& defaults() { return *defaults_; }
  const OptimizerOptions& defaults() const { return *defaults_; }
  std::vector<OptimizerParamGroup>& param_groups() { return param_groups_; }
  const std::vector<OptimizerParamGroup>& param_groups() const { return param_groups_; }
  /// Keyed by the address of the tensor (`p.impl()`).
  State& state() { return state_; }
  const State& state() const { return state_; }

  /// Options and state of everything, by name; parameters are numbered through all groups.
  StateDict state_dict() const;
  /// Takes over what state_dict gave; throws, and changes nothing, when it does not fit this optimiser.
  void load_state_dict(const StateDict& dict);

  /// state_dict() into an archive, and load_state_dict() out of it; torch::save and torch::load call them.
  virtual void save(serialize::OutputArchive& archive) const;
  virtual void load(serialize::InputArchive& archive);

  /// The parameters, "params.0", and their state, "state.0.exp_avg", whose single numbers are float64 as in Python:
  /// what fingerprint() looks at.
  StateDict parameters_and_state() const;

  /// Has step() been called? Unknown for an optimiser that does not use evaluate().
  bool has_stepped() const { return stepped_; }
  /// Does this optimiser keep has_stepped() up to date?
  virtual bool tracks_steps() const { return false; }

 protected:
  /// Runs the closure, if there is one, with gradients on.
  Tensor evaluate(const LossClosure& closure);
  /// The end of every step: writes the log of fingerprints, if one is wanted (taut/fingerprint.h).
  void end_step();
  /// An empty state, to load into.
  virtual std::unique_ptr<OptimizerParamState> new_state() const;

  std::vector<OptimizerParamGroup> param_groups_;
  State state_;
  std::unique_ptr<OptimizerOptions> defaults_;
  bool stepped_ = false;

 private:
  int64_t logged_steps_ = 0;
};

serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const Optimizer& optimizer);
serialize::InputArchive& operator>>(serialize::InputArchive& archive, Optimizer& optimizer);

/// An optimiser with options and state of its own: `class SGD : public OptimizerOf<SGDOptions, SGDParamState>`.
template <class Options, class ParamState>
class OptimizerOf : public Optimizer {
 public:
  explicit OptimizerOf(const std::vector<OptimizerParamGroup>& param_groups, Options defaults = {})
      : Optimizer(param_groups, std::make_unique<Options>(std::move(defaults))) {}
  explicit OptimizerOf(std::vector<Tensor> params, Options defaults = {})
      : Optimizer(std::move(params), std::make_unique<Options>(std::move(defaults))) {}
  bool tracks_steps() const override { return true; }

 protected:
  std::unique_ptr<OptimizerParamState> new_state() const override { return std::make_unique<ParamState>(); }
  static const Options& options(const OptimizerParamGroup& group) {
    return static_cast<const Options&>(group.options());
  }
  ParamState& state_of(const Tensor& p) {
    auto& slot = state_[p.impl()];
    if (!slot) slot = std::make_unique<ParamState>();
    return static_cast<ParamState&>(*slot);
  }
};

}  // namespace taut::optim
