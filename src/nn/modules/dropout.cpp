#include "taut/nn/modules/dropout.h"

#include <ostream>

#include "nn/repr.h"
#include "taut/nn/functional/dropout.h"

namespace taut::nn {

namespace F = functional;

namespace detail {
void check_dropout_probability(double p) {
  check<ValueError>(p >= 0 && p <= 1, "dropout probability has to be between 0 and 1, but got ", p);
}
void print_dropout(std::ostream& stream, const char* name, const DropoutOptions& options) {
  stream << name << "(p=" << PythonFloat{options.p()} << ", inplace=" << (options.inplace() ? "True" : "False") << ')';
}
}  // namespace detail

#define TAUT_DROPOUT(Name, Input, f, FuncOptions)                                                           \
  Tensor Name##Impl::forward(Input input) {                                                                 \
    return F::f(input, F::FuncOptions().p(options.p()).training(is_training()).inplace(options.inplace())); \
  }                                                                                                         \
  void Name##Impl::pretty_print(std::ostream& stream) const { detail::print_dropout(stream, #Name, options); }
TAUT_DROPOUT(Dropout, Tensor, dropout, DropoutFuncOptions)
TAUT_DROPOUT(Dropout1d, Tensor, dropout1d, Dropout1dFuncOptions)
TAUT_DROPOUT(Dropout2d, Tensor, dropout2d, Dropout2dFuncOptions)
TAUT_DROPOUT(Dropout3d, Tensor, dropout3d, Dropout3dFuncOptions)
TAUT_DROPOUT(AlphaDropout, const Tensor&, alpha_dropout, AlphaDropoutFuncOptions)
TAUT_DROPOUT(FeatureAlphaDropout, const Tensor&, feature_alpha_dropout, FeatureAlphaDropoutFuncOptions)
#undef TAUT_DROPOUT

}  // namespace taut::nn
