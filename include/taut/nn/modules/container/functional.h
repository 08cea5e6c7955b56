// A function as a module: `Sequential(Linear(3, 4), Functional(taut::relu))`.
#pragma once
#include <functional>

#include "taut/nn/cloneable.h"

namespace taut::nn {

class FunctionalImpl : public Cloneable<FunctionalImpl> {
 public:
  using Function = std::function<Tensor(Tensor)>;
  explicit FunctionalImpl(Function function) : function_(std::move(function)) {}
  /// With its other arguments fixed: `Functional(taut::elu, 1, 0, 1)`.
  template <class F, class... Args>
  requires(sizeof...(Args) > 0) explicit FunctionalImpl(F function, Args&&... args)
      : function_([function, ... args = std::forward<Args>(args)](Tensor x) { return function(x, args...); }) {}
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
  bool is_serializable() const override { return false; }
  Tensor forward(Tensor input) { return function_(std::move(input)); }
  Tensor operator()(Tensor input) { return function_(std::move(input)); }

 private:
  Function function_;
};
TAUT_MODULE(Functional);

}  // namespace taut::nn
