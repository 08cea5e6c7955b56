// Averages of parameters, and the batch norms of an averaged model.
#include "taut/optim/swa_utils.h"

#include "taut/autograd.h"
#include "taut/factories.h"
#include "taut/nn/modules/batchnorm.h"
#include "taut/ops/optim.h"

namespace taut::optim::swa_utils {
namespace {

std::vector<Tensor> copies(const std::vector<Tensor>& list) {
  std::vector<Tensor> out;
  for (const Tensor& t : list) {
    check<TypeError>(t.defined(), "AveragedModel: a parameter or buffer is undefined");
    out.push_back(t.detach().clone());
  }
  return out;
}
void check_like(const char* what, const std::vector<Tensor>& own, const std::vector<Tensor>& other) {
  check<ValueError>(own.size() == other.size(), "AveragedModel: made for ", own.size(), " ", what, ", got ",
                    other.size());
  for (size_t i = 0; i < own.size(); ++i)
    check<ValueError>(
        other[i].defined() && own[i].sizes() == other[i].sizes() && own[i].scalar_type() == other[i].scalar_type(),
        "AveragedModel: number ", i, " of the ", what, " has shape ", own[i].sizes(), " and is ", own[i].scalar_type(),
        ", got ", other[i].defined() ? str(other[i].sizes(), " ", other[i].scalar_type()) : str("an undefined one"));
}
void copy_all(const std::vector<Tensor>& to, const std::vector<Tensor>& from) {
  for (size_t i = 0; i < to.size(); ++i) to[i].copy_(from[i]);
}

/// Floating-point tensors in one fused pass; for the others `whole` gives the new value.
template <class Whole>
void average(TensorList averaged, TensorList current, double weight, Whole whole) {
  NoGradGuard no_grad;
  std::vector<Tensor> to, from;
  for (size_t i = 0; i < averaged.size(); ++i) {
    if (averaged[i].is_floating_point()) to.push_back(averaged[i].detach()), from.push_back(current[i].detach());
    else averaged[i].copy_(whole(averaged[i], current[i]));
  }
  _foreach_lerp_(to, from, weight);
}

}  // namespace

MultiAvgFn get_ema_multi_avg_fn(double decay) {
  check<ValueError>(decay >= 0 && decay <= 1, "Invalid decay value ", decay,
                    " provided. Please provide a value in [0,1] range.");
  return [decay](TensorList averaged, TensorList current, int64_t) {
    average(averaged, current, 1 - decay,
            [&](const Tensor& a, const Tensor& c) { return a * decay + c * (1 - decay); });
  };
}
MultiAvgFn get_swa_multi_avg_fn() {
  return [](TensorList averaged, TensorList current, int64_t num_averaged) {
    const auto n = static_cast<double>(num_averaged + 1);
    average(averaged, current, 1 / n, [&](const Tensor& a, const Tensor& c) { return a + (c - a) / n; });
  };
}

AveragedModel::AveragedModel(const std::shared_ptr<nn::Module>& model, MultiAvgFn multi_avg_fn, bool use_buffers)
    : multi_avg_fn_(std::move(multi_avg_fn)), use_buffers_(use_buffers) {
  check<TypeError>(model != nullptr, "AveragedModel: the model is null");
  check<TypeError>(multi_avg_fn_ != nullptr, "AveragedModel: multi_avg_fn should be a function, but got nothing");
  module_ = model->clone();
  for (const auto& item : module_->named_parameters())
    parameters_.push_back(item.value()), names_.push_back("module." + item.key());
  for (const auto& item : module_->named_buffers())
    buffers_.push_back(item.value()), names_.push_back("module." + item.key());
}
AveragedModel::AveragedModel(const std::vector<Tensor>& parameters, MultiAvgFn multi_avg_fn,
                             const std::vector<Tensor>& buffers, bool use_buffers)
    : parameters_(copies(parameters)),
      buffers_(copies(buffers)),
      multi_avg_fn_(std::move(multi_avg_fn)),
      use_buffers_(use_buffers) {
  check<TypeError>(multi_avg_fn_ != nullptr, "AveragedModel: multi_avg_fn should be a function, but got nothing");
  for (size_t i = 0; i < parameters_.size(); ++i) names_.push_back(str("parameters.", i));
  for (size_t i = 0; i < buffers_.size(); ++i) names_.push_back(str("buffers.", i));
}
void AveragedModel::update_parameters(const std::vector<Tensor>& parameters, const std::vector<Tensor>& buffers) {
  check_like("parameters", parameters_, parameters);
  check_like("buffers", buffers_, buffers);
  NoGradGuard no_grad;
  if (n_averaged_ == 0) {
    copy_all(parameters_, parameters);
  } else {
    std::vector<Tensor> averaged = parameters_, current = parameters;
    if (use_buffers_) {
      averaged.insert(averaged.end(), buffers_.begin(), buffers_.end());
      current.insert(current.end(), buffers.begin(), buffers.end());
    }
    multi_avg_fn_(averaged, current, n_averaged_);
  }
  if (!use_buffers_ || n_averaged_ == 0) copy_all(buffers_, buffers);
  ++n_averaged_;
}
void AveragedModel::copy_to(const std::vector<Tensor>& parameters, const std::vector<Tensor>& buffers) const {
  check_like("parameters", parameters_, parameters);
  check_like("buffers", buffers_, buffers);
  NoGradGuard no_grad;
  copy_all(parameters, parameters_);
  copy_all(buffers, buffers_);
}

StateDict AveragedModel::state_dict() const {
  StateDict dict;
  save_fields("", {{"n_averaged", &const_cast<AveragedModel*>(this)->n_averaged_}}, dict);
  for (size_t i = 0; i < names_.size(); ++i)
    dict.insert(names_[i], (i < parameters_.size() ? parameters_[i] : buffers_[i - parameters_.size()]).detach());
  return dict;
}
void AveragedModel::load_state_dict(const StateDict& dict) {
  std::vector<Tensor> loaded(names_.size());
  std::vector<std::string> used;
  int64_t n = 0;
  Fields fields = {{"n_averaged", &n}};
  for (size_t i = 0; i < names_.size(); ++i) fields.push_back({names_[i].c_str(), &loaded[i]});
  load_fields("", fields, dict, used);
  check_all_used("", dict, used, "the average");
  const auto middle = loaded.begin() + static_cast<std::ptrdiff_t>(parameters_.size());
  const std::vector<Tensor> parameters(loaded.begin(), middle), buffers(middle, loaded.end());
  check_like("parameters", parameters_, parameters);
  check_like("buffers", buffers_, buffers);
  check<ValueError>(n >= 0, "load_state_dict: 'n_averaged' is negative: ", n);
  NoGradGuard no_grad;
  copy_all(parameters_, parameters);
  copy_all(buffers_, buffers);
  n_averaged_ = n;
}

namespace detail {
FreshBatchNorms::FreshBatchNorms(nn::Module& model) : model_(model), was_training_(model.is_training()) {
  const auto reset = [&](auto* norm) {
    if (!norm) return;
    norm->reset_running_stats();
    momenta_.emplace_back(&norm->options.momentum(), norm->options.momentum());
  };
  model.apply([&](nn::Module& m) {
    reset(m.as<nn::BatchNorm1d>());
    reset(m.as<nn::BatchNorm2d>());
    reset(m.as<nn::BatchNorm3d>());
  });
  if (!any()) return;
  model.train();
  for (auto& [momentum, before] : momenta_) momentum->reset();
}
FreshBatchNorms::~FreshBatchNorms() {
  if (!any()) return;
  for (auto& [momentum, before] : momenta_) *momentum = before;
  model_.train(was_training_);
}
}  // namespace detail

SWALR::SWALR(Optimizer& optimizer, const std::vector<double>& swa_lr, int64_t anneal_epochs,
             std::string anneal_strategy, int64_t last_epoch)
    : ScheduledLR(optimizer,
                  std::make_unique<schedules::Of<Default>>(Default{
                      per_group(optimizer, swa_lr), static_cast<double>(anneal_epochs), std::move(anneal_strategy)}),
                  last_epoch) {
  initial_step();
}

}  // namespace taut::optim::swa_utils
