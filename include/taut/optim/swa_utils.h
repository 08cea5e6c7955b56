// Averages of parameters over the steps of training, and the schedule that goes with them.
#pragma once
#include "taut/autograd.h"
#include "taut/nn/module.h"
#include "taut/nn/pimpl.h"
#include "taut/optim/lr_scheduler.h"

namespace taut::optim::swa_utils {

/// Moves `averaged` towards `current`, in place; num_averaged models are in it so far.
using MultiAvgFn = std::function<void(TensorList averaged, TensorList current, int64_t num_averaged)>;
inline constexpr double kDecay = 0.999;
/// Exponential: averaged * decay + current * (1 - decay).
MultiAvgFn get_ema_multi_avg_fn(double decay = kDecay);
/// The mean of all.
MultiAvgFn get_swa_multi_avg_fn();

/// An average of the parameters of a model, in tensors of its own. Buffers are copied at each update, or averaged too
/// when use_buffers is set.
class AveragedModel {
 public:
  /// A copy of a module, to be called as the module is: `averaged.module<Net>()->forward(x)`.
  explicit AveragedModel(const std::shared_ptr<nn::Module>& model, MultiAvgFn multi_avg_fn = get_swa_multi_avg_fn(),
                         bool use_buffers = false);
  template <class M>
  explicit AveragedModel(const nn::ModuleHolder<M>& model, MultiAvgFn multi_avg_fn = get_swa_multi_avg_fn(),
                         bool use_buffers = false)
      : AveragedModel(std::shared_ptr<nn::Module>(model.ptr()), std::move(multi_avg_fn), use_buffers) {}
  /// Without a module: any list of tensors.
  explicit AveragedModel(const std::vector<Tensor>& parameters, MultiAvgFn multi_avg_fn = get_swa_multi_avg_fn(),
                         const std::vector<Tensor>& buffers = {}, bool use_buffers = false);

  /// The first call copies, the following ones average.
  void update_parameters(const nn::Module& model) { update_parameters(model.parameters(), model.buffers()); }
  template <class M>
  void update_parameters(const nn::ModuleHolder<M>& model) {
    update_parameters(*model.ptr());
  }
  void update_parameters(const std::vector<Tensor>& parameters, const std::vector<Tensor>& buffers = {});
  const std::vector<Tensor>& parameters() const { return parameters_; }
  const std::vector<Tensor>& buffers() const { return buffers_; }
  int64_t n_averaged() const { return n_averaged_; }
  /// The copy with the averages, or null where there is no module.
  const std::shared_ptr<nn::Module>& module() const { return module_; }
  template <class M>
  std::shared_ptr<nn::detail::contained_t<M>> module() const {
    return std::dynamic_pointer_cast<nn::detail::contained_t<M>>(module_);
  }
  /// Writes the averages into the tensors of a model.
  void copy_to(const std::vector<Tensor>& parameters, const std::vector<Tensor>& buffers = {}) const;

  /// "n_averaged", then "module.<name>" or, without a module, "parameters.<number>" and "buffers.<number>".
  StateDict state_dict() const;
  void load_state_dict(const StateDict& dict);

 private:
  std::shared_ptr<nn::Module> module_;
  std::vector<Tensor> parameters_, buffers_;
  std::vector<std::string> names_;  // of both
  MultiAvgFn multi_avg_fn_;
  bool use_buffers_;
  int64_t n_averaged_ = 0;
};

/// From the present rate to swa_lr in anneal_epochs steps, and then constant.
class SWALR : public ScheduledLR {
 public:
  using Default = schedules::SWALR;
  SWALR(Optimizer& optimizer, double swa_lr, int64_t anneal_epochs = whole(Default().anneal_epochs),
        std::string anneal_strategy = Default().anneal_strategy, int64_t last_epoch = -1)
      : SWALR(optimizer, std::vector<double>{swa_lr}, anneal_epochs, std::move(anneal_strategy), last_epoch) {}
  SWALR(Optimizer& optimizer, const std::vector<double>& swa_lr, int64_t anneal_epochs = whole(Default().anneal_epochs),
        std::string anneal_strategy = Default().anneal_strategy, int64_t last_epoch = -1);
};

namespace detail {

/// While it lives the batch norms of a model are in training mode and take plain averages, beginning from nothing.
class FreshBatchNorms {
 public:
  explicit FreshBatchNorms(nn::Module& model);
  ~FreshBatchNorms();
  FreshBatchNorms(const FreshBatchNorms&) = delete;
  bool any() const { return !momenta_.empty(); }

 private:
  nn::Module& model_;
  bool was_training_;
  std::vector<std::pair<std::optional<double>*, std::optional<double>>> momenta_;  // with their old values
};

/// What a model is called with: a tensor, the data of an example, the first of several.
template <class Batch>
const Tensor& input_of(const Batch& batch) {
  if constexpr (std::is_convertible_v<const Batch&, const Tensor&>) return batch;
  else if constexpr (requires { batch.data; }) return input_of(batch.data);
  else if constexpr (requires { std::get<0>(batch); }) return input_of(std::get<0>(batch));
  else return input_of(batch.at(0));
}

template <class Loader, class Forward>
void update_bn(Loader& loader, nn::Module& model, Forward forward) {
  FreshBatchNorms norms(model);
  if (!norms.any()) return;
  NoGradGuard no_grad;
  for (const auto& batch : loader) forward(input_of(batch));
}

}  // namespace detail

/// Works the running statistics of batch norms out anew, from one pass over the data: those of an average of models are
/// not the average of theirs. A batch is a tensor, an example or a tuple that begins with one.
template <class Loader, class M>
void update_bn(Loader&& loader, nn::ModuleHolder<M>& model) {
  detail::update_bn(loader, *model.ptr(), [&](const Tensor& x) { model(x); });
}
template <class Loader, class M>
requires std::is_base_of_v<nn::Module, M>
void update_bn(Loader&& loader, M& model) {
  detail::update_bn(loader, model, [&](const Tensor& x) { model.forward(x); });
}

}  // namespace taut::optim::swa_utils
