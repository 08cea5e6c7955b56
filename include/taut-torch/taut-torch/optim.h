// What programs need to write optimisers and schedulers of their own, as libtorch has it.
#pragma once
#include <deque>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "taut-torch/check.h"
#include "taut-torch/names.h"
#include "taut/serialize/archive.h"

namespace ska {
template <class K, class V>
using flat_hash_map = std::unordered_map<K, V>;
}

namespace at {
/// What the implementation of an undefined tensor is compared with.
struct UndefinedTensorImpl {
  static constexpr taut::TensorImpl* singleton() { return nullptr; }
};
}  // namespace at

namespace torch::optim {

/// State and options of an optimiser whose classes serialize() themselves, by the numbers of its parameters.
template <class ParamState, class Options>
void serialize(taut::serialize::OutputArchive& archive, const Optimizer& optimizer) {
  archive.write("pytorch_version", taut::IValue("1.5.0"));
  taut::serialize::OutputArchive state, groups;
  int64_t number = 0;
  for (size_t g = 0; g < optimizer.param_groups().size(); ++g) {
    const OptimizerParamGroup& group = optimizer.param_groups()[g];
    taut::serialize::OutputArchive of_group, options;
    of_group.write("params", taut::IValue(static_cast<int64_t>(group.params().size())));
    static_cast<const Options&>(group.options()).serialize(options);
    of_group.write("options", options);
    groups.write(std::to_string(g), of_group);
    for (const taut::Tensor& p : group.params()) {
      const auto found = optimizer.state().find(p.unsafeGetTensorImpl());
      if (found != optimizer.state().end()) {
        taut::serialize::OutputArchive of_param;
        static_cast<const ParamState&>(*found->second).serialize(of_param);
        state.write(std::to_string(number), of_param);
      }
      ++number;
    }
  }
  archive.write("state", state);
  archive.write("param_groups", groups);
}

template <class ParamState, class Options>
void serialize(taut::serialize::InputArchive& archive, Optimizer& optimizer) {
  taut::serialize::InputArchive state, groups;
  archive.read("param_groups", groups);
  const bool has_state = archive.try_read("state", state);
  TORCH_CHECK(groups.keys().size() == optimizer.param_groups().size(),
              "loaded state dict has a different number of parameter groups");
  int64_t number = 0;
  for (size_t g = 0; g < optimizer.param_groups().size(); ++g) {
    OptimizerParamGroup& group = optimizer.param_groups()[g];
    taut::serialize::InputArchive of_group, options;
    taut::IValue params;
    groups.read(std::to_string(g), of_group);
    of_group.read("params", params);
    TORCH_CHECK(params.toInt() == static_cast<int64_t>(group.params().size()),
                "loaded state dict contains a parameter group that has a different size than the optimizer's parameter "
                "group");
    of_group.read("options", options);
    static_cast<Options&>(group.options()).serialize(options);
    for (const taut::Tensor& p : group.params()) {
      taut::serialize::InputArchive of_param;
      if (has_state && state.try_read(std::to_string(number++), of_param)) {
        auto loaded = std::make_unique<ParamState>();
        loaded->serialize(of_param);
        optimizer.state()[p.unsafeGetTensorImpl()] = std::move(loaded);
      }
    }
  }
}

/// Tensors one after the other, under a name.
template <class Buffers>
void serialize(taut::serialize::OutputArchive& archive, const std::string& key, const Buffers& buffers) {
  archive.write(key + "/size", taut::IValue(static_cast<int64_t>(buffers.size())));
  for (size_t i = 0; i < buffers.size(); ++i) archive.write(key + "/" + std::to_string(i), buffers[i], true);
}
template <class Buffers>
void serialize(taut::serialize::InputArchive& archive, const std::string& key, Buffers& buffers) {
  taut::IValue size;
  archive.read(key + "/size", size);
  buffers.clear();
  for (int64_t i = 0; i < size.toInt(); ++i) {
    buffers.emplace_back();
    archive.read(key + "/" + std::to_string(i), buffers.back(), true);
  }
}

template <class T>
c10::List<T> deque_to_list(const std::deque<T>& deque) {
  c10::List<T> list;
  for (const T& x : deque) list.push_back(x);
  return list;
}
template <class T>
std::deque<T> list_to_deque(const c10::List<T>& list) {
  std::deque<T> deque;
  for (const T& x : list) deque.push_back(x);
  return deque;
}

/// To write one: get_lrs() gives the rates of all groups; step_count_ says how many steps there were.
class LRScheduler {
 public:
  explicit LRScheduler(Optimizer& optimizer) : optimizer_(optimizer) {}
  virtual ~LRScheduler() = default;
  void step() {
    set_optimizer_lrs(get_lrs());
    ++step_count_;
  }

 protected:
  virtual std::vector<double> get_lrs() = 0;
  std::vector<double> get_current_lrs() const {
    std::vector<double> rates;
    for (const OptimizerParamGroup& group : optimizer_.param_groups())
      rates.push_back(group.has_options() ? group.options().get_lr() : optimizer_.defaults().get_lr());
    return rates;
  }
  unsigned step_count_ = 0;

 private:
  void set_optimizer_lrs(const std::vector<double>& rates) {
    auto& groups = optimizer_.param_groups();
    TORCH_CHECK(rates.size() == groups.size(), "Number of learning rates not equal to the number of param groups\n",
                "Number of learning rates given: ", rates.size(), "\nNumber of param groups: ", groups.size());
    for (size_t i = 0; i < groups.size(); ++i) groups[i].options().set_lr(rates[i]);
  }
  Optimizer& optimizer_;
};

/// times gamma at every step whose number, counted from 0, is a multiple of step_size, but the first
class StepLR : public LRScheduler {
 public:
  StepLR(Optimizer& optimizer, const unsigned step_size, const double gamma = 0.1)
      : LRScheduler(optimizer), step_size_(step_size), gamma_(gamma) {}

 private:
  std::vector<double> get_lrs() override {
    std::vector<double> rates = get_current_lrs();
    if (step_count_ != 0 && step_count_ % step_size_ == 0)
      for (double& rate : rates) rate *= gamma_;
    return rates;
  }
  const unsigned step_size_;
  const double gamma_;
};

}  // namespace torch::optim

// For serialize() of options and states.
#define _TORCH_OPTIM_SERIALIZE(name) torch::optim::serialize(archive, #name, self.name)
#define _TORCH_OPTIM_SERIALIZE_WITH_TEMPLATE_ARG(OptimizerName) \
  torch::optim::serialize<OptimizerName##ParamState, OptimizerName##Options>(archive, self)
#define _TORCH_OPTIM_SERIALIZE_TORCH_ARG(name)                                           \
  {                                                                                      \
    const torch::IValue ivalue(name());                                                  \
    if (!ivalue.isTensor() || ivalue.toTensor().defined()) archive.write(#name, ivalue); \
  }
#define _TORCH_OPTIM_SERIALIZE_TORCH_ARG_DEQUE(name) \
  archive.write(#name, torch::IValue(torch::optim::deque_to_list(name())));
#define _TORCH_OPTIM_DESERIALIZE_TORCH_ARG(T, name)                           \
  {                                                                           \
    c10::IValue ivalue;                                                       \
    if (archive.try_read(#name, ivalue)) name(ivalue.to<T>());                \
    else TORCH_INTERNAL_ASSERT((std::is_base_of_v<torch::Tensor, T>), #name); \
  }
#define _TORCH_OPTIM_DESERIALIZE_TORCH_ARG_OPTIONAL(T, name)           \
  {                                                                    \
    c10::IValue ivalue;                                                \
    if (archive.try_read(#name, ivalue)) name(ivalue.toOptional<T>()); \
  }
#define _TORCH_OPTIM_DESERIALIZE_TORCH_ARG_DEQUE(T, name)                              \
  {                                                                                    \
    c10::IValue ivalue;                                                                \
    archive.read(#name, ivalue);                                                       \
    name(torch::optim::list_to_deque(ivalue.to<c10::List<typename T::value_type>>())); \
  }
