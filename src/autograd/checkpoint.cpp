#include "taut/autograd/checkpoint.h"

#include <memory>

#include "autograd/autocast.h"
#include "autograd/engine.h"
#include "autograd/meta.h"
#include "taut/autograd.h"
#include "taut/autograd/graph.h"
#include "taut/random.h"

namespace taut::utils {
namespace {

using autograd::FunctionNode;
using autograd::variable_list;

/// What the graph keeps in the place of a tensor: where to put it when it is computed again.
struct Place {
  uint32_t backward = 0;
  Tensor tensor;
};

/// Keeps the arguments as an op would: hooks of a checkpoint around this one see them too.
struct Arguments : autograd::Function<Arguments> {
  static Tensor forward(autograd::AutogradContext* ctx, const Tensor& recorded, const variable_list& tensors) {
    ctx->save_for_backward(tensors);
    return autograd::provided::zeros(recorded.sizes(), recorded.scalar_type());
  }
  static variable_list backward(autograd::AutogradContext*, variable_list) {  // NOLINT: as Function wants it
    throw Error("nobody goes back through this");
  }
};

/// Ends the second run: all that was asked for is computed.
struct Stop : Error {
  Stop() : Error("checkpoint: computed") {}
};

struct Kind {
  std::vector<int64_t> sizes;
  ScalarType dtype;
  explicit Kind(const Tensor& t) : sizes(t.sizes().vec()), dtype(t.scalar_type()) {}
  bool operator==(const Kind&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Kind& k) {
  return out << "{'shape': torch.Size(" << IntArrayRef(k.sizes) << "), 'dtype': torch." << k.dtype
             << ", 'device': device(type='cpu')}";
}

/// Sets the state of the default generator, and puts back what it was.
class RandomState {
 public:
  explicit RandomState(const Tensor& state) {
    if (!state.defined()) return;
    before_ = default_generator().get_state();
    default_generator().set_state(state);
  }
  ~RandomState() {
    if (before_.defined()) default_generator().set_state(before_);
  }
  RandomState(const RandomState&) = delete;

 private:
  Tensor before_;
};

/// One call of the function: what it would have kept for backward, and how to compute that again.
class Segment {
 public:
  Segment(detail::TensorFunction again, const variable_list& tensors, Tensor random, const CheckpointOptions& options)
      : again_(std::move(again)), options_(options), random_(std::move(random)) {
    Tensor recorded = autograd::provided::zeros({}, kFloat);
    recorded.set_requires_grad(true);
    kept_ = Arguments::apply(recorded, tensors);
    for (const Tensor& t : tensors) requires_grad_.push_back(t.requires_grad());
  }

  std::shared_ptr<void> pack(const Tensor& tensor) {
    auto place = std::make_shared<Place>();
    places_.push_back(place);
    kinds_.emplace_back(tensor);
    return place;
  }
  Tensor unpack(const std::shared_ptr<void>& packed) {
    auto& place = *static_cast<Place*>(packed.get());
    const uint32_t backward = autograd::running_task();
    if (!place.tensor.defined() || place.backward != backward || backward == 0) compute_again(backward);
    return place.tensor;
  }

 private:
  variable_list arguments() const {
    const Ref<autograd::Node> node = kept_.grad_fn();
    variable_list tensors = static_cast<FunctionNode&>(*node).context.get_saved_variables();
    for (size_t i = 0; i < tensors.size(); ++i) {
      if (!tensors[i].defined()) continue;
      tensors[i] = tensors[i].detach();
      tensors[i].set_requires_grad(requires_grad_[i]);
    }
    return tensors;
  }

  /// The tensor that the second run saves after `count` others.
  std::shared_ptr<void> take(const Tensor& saved, size_t count, uint32_t backward) {
    check<CheckpointError>(count < places_.size(),
                           "torch.utils.checkpoint: trying to save more tensors during recomputation than during the "
                           "original forward pass.");
    auto tensor = std::make_shared<Tensor>(saved.detach());
    check<CheckpointError>(!options_.determinism_check || Kind(*tensor) == kinds_[count],
                           "torch.utils.checkpoint: Recomputed values for the following tensors have different "
                           "metadata than during the forward pass.\ntensor at position ",
                           count, ":\nsaved metadata: ", kinds_[count], "\nrecomputed metadata: ", Kind(*tensor));
    if (const auto place = places_[count].lock()) place->backward = backward, place->tensor = *tensor;
    return tensor;
  }

  void compute_again(uint32_t backward) {
    const variable_list tensors = arguments();
    auto count = std::make_shared<size_t>(0);
    auto hooks = std::make_shared<autograd::SavedHooks>();
    hooks->pack = [this, count, backward](const Tensor& t) -> std::shared_ptr<void> {
      if (options_.early_stop && *count >= places_.size()) return std::make_shared<Tensor>(t);
      std::shared_ptr<void> taken = take(t, *count, backward);
      if (++*count == places_.size() && options_.early_stop) throw Stop();
      return taken;
    };
    hooks->unpack = [](const std::shared_ptr<void>& t) { return *static_cast<Tensor*>(t.get()); };
    try {
      const RandomState random(random_);
      const autograd::AutocastScope casts(casts_);
      const AutoGradMode record(true);
      const autograd::graph::saved_tensors_hooks scope(std::move(hooks));
      again_(tensors);
    } catch (...) {  // a Stop may have gone through another language
      if (!options_.early_stop || *count != places_.size()) throw;
    }
    check<CheckpointError>(*count == places_.size(),
                           "torch.utils.checkpoint: A different number of tensors was saved during the original "
                           "forward and recomputation.\nNumber of tensors saved during forward: ",
                           places_.size(), "\nNumber of tensors saved during recomputation: ", *count, ".");
  }

  detail::TensorFunction again_;
  CheckpointOptions options_;
  Tensor random_, kept_;
  autograd::AutocastState casts_ = autograd::autocast_state;
  std::vector<bool> requires_grad_;
  std::vector<std::weak_ptr<Place>> places_;
  std::vector<Kind> kinds_;
};

}  // namespace

void detail::run_checkpoint(const TensorFunction& first, TensorFunction again, const variable_list& tensors,
                            const CheckpointOptions& options) {
  if (!GradMode::is_enabled()) return first(tensors);
  const Tensor random = options.preserve_rng_state ? default_generator().get_state() : Tensor();
  const auto segment = std::make_shared<Segment>(std::move(again), tensors, random, options);
  auto hooks = std::make_shared<autograd::SavedHooks>();
  hooks->pack = [segment](const Tensor& t) { return segment->pack(t); };
  hooks->unpack = [segment](const std::shared_ptr<void>& place) { return segment->unpack(place); };
  const autograd::graph::saved_tensors_hooks scope(std::move(hooks));
  first(tensors);
}

Tensor checkpoint_sequential(const std::vector<std::function<Tensor(const Tensor&)>>& functions, int64_t segments,
                             const Tensor& input, const CheckpointOptions& options) {
  const auto count = static_cast<int64_t>(functions.size());
  check<ValueError>(segments >= 1 && segments <= count, "checkpoint_sequential: ", segments, " segments of ", count,
                    " functions");
  const auto run = [&](int64_t begin, int64_t end) {
    return [part = std::vector(functions.begin() + begin, functions.begin() + end)](const variable_list& x) {
      Tensor y = x[0];
      for (const auto& f : part) y = f(y);
      return y;
    };
  };
  const int64_t size = count / segments;
  Tensor y = input;
  for (int64_t s = 0; s + 1 < segments; ++s) y = checkpoint(run(s * size, (s + 1) * size), {y}, options);
  return run(size * (segments - 1), count)({y});
}

}  // namespace taut::utils
