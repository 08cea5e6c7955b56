// Gradients averaged over ranks, bucket by bucket, while backward goes on.
#include <algorithm>
#include <unordered_set>

#include "taut/autograd.h"
#include "taut/autograd/graph.h"
#include "taut/distributed.h"
#include "taut/factories.h"

namespace taut::distributed {

std::shared_ptr<Reducer> Reducer::make(std::vector<Tensor> parameters, std::shared_ptr<ProcessGroup> group,
                                       const Options& options) {
  std::shared_ptr<Reducer> reducer(new Reducer(std::move(parameters), std::move(group), options));
  for (size_t i = 0; i < reducer->parameters_.size(); ++i)
    reducer->parameters_[i].register_post_accumulate_grad_hook([weak = std::weak_ptr(reducer), i](const Tensor&) {
      if (const auto r = weak.lock()) r->ready(i);
    });
  return reducer;
}

Reducer::Reducer(std::vector<Tensor> parameters, std::shared_ptr<ProcessGroup> group, const Options& options)
    : parameters_(std::move(parameters)), group_(std::move(group)), options_(options), bucket_of_(parameters_.size()) {
  // From the last parameter to the first, as their gradients come. The first bucket is small, so that work begins
  // early.
  std::map<ScalarType, std::pair<size_t, int64_t>> open;  // the bucket of each dtype that has room, and its bytes
  for (size_t k = parameters_.size(); k-- > 0;) {
    const Tensor& p = parameters_[k];
    const auto bytes = static_cast<int64_t>(p.nbytes());
    auto at = open.find(p.scalar_type());
    const int64_t room = buckets_.size() <= 1 ? options_.first_bucket_bytes : options_.bucket_bytes;
    if (at == open.end() || (at->second.second > 0 && at->second.second + bytes > room)) {
      at = open.insert_or_assign(p.scalar_type(), std::pair(buckets_.size(), int64_t{0})).first;
      buckets_.emplace_back();
    }
    at->second.second += bytes;
    buckets_[at->second.first].push_back(k);
    bucket_of_[k] = at->second.first;
  }
  hook_ = [this](const Tensor& flat, int64_t, bool, const std::vector<Tensor>&) -> std::function<void()> {
    flat.div_(divisor_ ? divisor_ : group_->size());
    return [work = group_->allreduce(flat)] { work->wait(); };
  };
}

void Reducer::prepare(const std::vector<Tensor>& outputs) {
  const std::lock_guard lock(mutex_);
  prepared_ = sync_ && GradMode::is_enabled();
  if (!prepared_) return;
  check(pending_.empty() && !queued_,
        "Expected to have finished reduction in the prior iteration before starting a new one. This error indicates "
        "that your module has "
        "parameters that were not used in producing loss. You can enable unused parameter detection by passing the "
        "keyword argument "
        "`find_unused_parameters=True` to `torch.nn.parallel.DistributedDataParallel`, and by making sure all "
        "`forward` function outputs "
        "participate in calculating loss.");
  for (size_t b = 0; b < missing_.size(); ++b)
    check(missing_[b] == 0 || missing_[b] == buckets_[b].size() || options_.find_unused,
          "Expected to have finished reduction in the prior iteration before starting a new one. Some parameters got "
          "no gradient: pass "
          "`find_unused_parameters=True`, or let all of them take part in the loss.");
  next_ = 0;
  is_ready_.assign(parameters_.size(), 0);
  unused_.assign(parameters_.size(), 0);
  missing_.clear();
  for (const auto& bucket : buckets_) missing_.push_back(bucket.size());
  if (!options_.find_unused) return;
  std::unordered_set<const autograd::Node*> seen;
  std::vector<const autograd::Node*> open;
  for (const Tensor& t : outputs)
    if (const auto edge = autograd::graph::get_gradient_edge(t); edge.is_valid()) open.push_back(edge.function.get());
  while (!open.empty()) {
    const autograd::Node* node = open.back();
    open.pop_back();
    if (!seen.insert(node).second) continue;
    for (uint32_t j = 0; j < node->num_inputs(); ++j)
      if (const auto& edge = node->next_edge(j); edge.is_valid()) open.push_back(edge.function.get());
  }
  for (size_t i = 0; i < parameters_.size(); ++i)
    unused_[i] = !seen.contains(autograd::graph::get_gradient_edge(parameters_[i]).function.get());
}

void Reducer::ready(size_t parameter) {
  const std::lock_guard lock(mutex_);
  if (!prepared_) return;
  const auto finish_later = [this] {
    queued_ = true;
    autograd::queue_callback([self = shared_from_this()] { self->finish(); });
  };
  const auto note = [this](size_t i) {
    check(!is_ready_[i], "Expected to mark a variable ready only once. Parameter at index ", i,
          " has been marked as ready twice. This means that multiple autograd engine hooks have fired for this "
          "particular parameter during this "
          "iteration: was it used in two forward passes before one backward, or inside of a reentrant checkpoint?");
    is_ready_[i] = 1;
    --missing_[bucket_of_[i]];
  };
  if (!queued_) {
    finish_later();
    for (size_t i = 0; i < unused_.size(); ++i)
      if (unused_[i]) note(i);
  }
  if (unused_[parameter]) return;
  note(parameter);
  start_buckets();
}

/// In their order, which is the same on all ranks.
void Reducer::start_buckets() {
  const NoGradGuard no_grad;
  for (; next_ < buckets_.size() && missing_[next_] == 0; ++next_) {
    std::vector<Tensor> parts, parameters;
    for (const size_t i : buckets_[next_]) {
      const Tensor& p = parameters_[i];
      const Tensor& g = p.grad();
      parts.push_back((g.defined() ? g.detach() : zeros_like(p.detach())).reshape({-1}));
      parameters.push_back(p);
    }
    const Tensor flat =
        parts.size() == 1 && !parts[0].is_same(parameters_[buckets_[next_][0]].grad()) ? parts[0].clone() : cat(parts);
    auto wait = hook_(flat, static_cast<int64_t>(next_), next_ + 1 == buckets_.size(), parameters);
    pending_.push_back({flat, std::move(wait)});
  }
}

void Reducer::shadow() {
  const NoGradGuard no_grad;
  std::vector<Pending> pending;
  for (size_t b = 0; b < buckets_.size(); ++b) {
    int64_t n = 0;
    std::vector<Tensor> parameters;
    for (const size_t i : buckets_[b]) parameters.push_back(parameters_[i]), n += parameters_[i].numel();
    const Tensor flat = zeros({n}, parameters[0].scalar_type());
    pending.push_back({flat, hook_(flat, static_cast<int64_t>(b), b + 1 == buckets_.size(), parameters)});
  }
  if (options_.find_unused) group_->allreduce(zeros({static_cast<int64_t>(parameters_.size())}, kLong))->wait();
  for (const Pending& p : pending) p.wait();
}

void Reducer::finish() {
  const NoGradGuard no_grad;
  std::vector<Pending> pending;
  {
    const std::lock_guard lock(mutex_);
    queued_ = prepared_ = false;
    pending.swap(pending_);
  }
  // Parameters that no rank used keep the gradient that they have.
  std::vector<int64_t> used;
  if (options_.find_unused) {
    for (const char unused : unused_) used.push_back(unused ? 0 : 1);
    const Tensor counts = tensor(used);
    group_->allreduce(counts)->wait();
    const int64_t* all = counts.data_ptr<int64_t>();
    used.assign(all, all + used.size());
  }
  for (size_t b = 0; b < pending.size(); ++b) {
    pending[b].wait();
    int64_t at = 0;
    for (const size_t i : buckets_[b]) {
      const Tensor& p = parameters_[i];
      const int64_t n = p.numel();
      const Tensor part = pending[b].flat.narrow(0, at, n).view(p.sizes());
      at += n;
      if (!used.empty() && used[i] == 0) continue;
      if (p.grad().defined()) p.grad().detach().copy_(part);
      else p.mutable_grad() = part.clone();
    }
  }
}

DistributedDataParallelImpl::DistributedDataParallelImpl(std::shared_ptr<nn::Module> module,
                                                         std::shared_ptr<ProcessGroup> group)
    : nn::Module("DistributedDataParallel"), group_(group ? std::move(group) : default_group()) {
  register_module("module", module);
  const NoGradGuard no_grad;
  std::vector<Tensor> wanted;
  for (const Tensor& p : module->parameters()) {
    group_->broadcast(p.detach(), 0)->wait();
    if (p.requires_grad()) wanted.push_back(p);
  }
  for (const Tensor& b : module->buffers()) group_->broadcast(b, 0)->wait();
  check(!wanted.empty(),
        "DistributedDataParallel is not needed when a module doesn't have any parameters that require a gradient.");
  reducer_ = Reducer::make(std::move(wanted), group_, {});
}
Tensor DistributedDataParallelImpl::forward(const Tensor& x) {
  if (is_training()) {
    const NoGradGuard no_grad;
    for (const Tensor& b : buffers()) group_->broadcast(b, 0)->wait();
  }
  Tensor y = forward_(x);
  reducer_->prepare({y});
  return y;
}

}  // namespace taut::distributed
