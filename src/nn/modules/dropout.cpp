#include "taut/nn/modules/dropout.h"

#include <cmath>
#include <ostream>

#include "nn/repr.h"
#include "taut/nn/functional/dropout.h"

namespace taut::nn {

namespace F = functional;
using detail::shown;

// Written by tools/layers.py from src/nn/layers/dropout.txt; do not edit.
// clang-format off
void DropoutImpl::reset() {
  if (std::isnan(options.p()))
    throw ValueError(str("dropout probability has to be between 0 and 1, but got ", shown(options.p())));
  if (options.p() < 0 || options.p() > 1)
    throw ValueError(str("dropout probability has to be between 0 and 1, but got ", shown(options.p())));
}
Tensor DropoutImpl::forward(Tensor input) {
  return F::dropout(std::move(input),
                    F::DropoutFuncOptions().p(options.p()).training(is_training()).inplace(options.inplace()));
}
void DropoutImpl::pretty_print(std::ostream& stream) const {
  stream << "Dropout(p=" << shown(options.p()) << ", inplace=" << shown(options.inplace()) << ')';
}

void Dropout1dImpl::reset() {
  if (std::isnan(options.p()))
    throw ValueError(str("dropout probability has to be between 0 and 1, but got ", shown(options.p())));
  if (options.p() < 0 || options.p() > 1)
    throw ValueError(str("dropout probability has to be between 0 and 1, but got ", shown(options.p())));
}
Tensor Dropout1dImpl::forward(Tensor input) {
  return F::dropout1d(std::move(input),
                      F::Dropout1dFuncOptions().p(options.p()).training(is_training()).inplace(options.inplace()));
}
void Dropout1dImpl::pretty_print(std::ostream& stream) const {
  stream << "Dropout1d(p=" << shown(options.p()) << ", inplace=" << shown(options.inplace()) << ')';
}

void Dropout2dImpl::reset() {
  if (std::isnan(options.p()))
    throw ValueError(str("dropout probability has to be between 0 and 1, but got ", shown(options.p())));
  if (options.p() < 0 || options.p() > 1)
    throw ValueError(str("dropout probability has to be between 0 and 1, but got ", shown(options.p())));
}
Tensor Dropout2dImpl::forward(Tensor input) {
  return F::dropout2d(std::move(input),
                      F::Dropout2dFuncOptions().p(options.p()).training(is_training()).inplace(options.inplace()));
}
void Dropout2dImpl::pretty_print(std::ostream& stream) const {
  stream << "Dropout2d(p=" << shown(options.p()) << ", inplace=" << shown(options.inplace()) << ')';
}

void Dropout3dImpl::reset() {
  if (std::isnan(options.p()))
    throw ValueError(str("dropout probability has to be between 0 and 1, but got ", shown(options.p())));
  if (options.p() < 0 || options.p() > 1)
    throw ValueError(str("dropout probability has to be between 0 and 1, but got ", shown(options.p())));
}
Tensor Dropout3dImpl::forward(Tensor input) {
  return F::dropout3d(std::move(input),
                      F::Dropout3dFuncOptions().p(options.p()).training(is_training()).inplace(options.inplace()));
}
void Dropout3dImpl::pretty_print(std::ostream& stream) const {
  stream << "Dropout3d(p=" << shown(options.p()) << ", inplace=" << shown(options.inplace()) << ')';
}

void AlphaDropoutImpl::reset() {
  if (std::isnan(options.p()))
    throw ValueError(str("dropout probability has to be between 0 and 1, but got ", shown(options.p())));
  if (options.p() < 0 || options.p() > 1)
    throw ValueError(str("dropout probability has to be between 0 and 1, but got ", shown(options.p())));
}
Tensor AlphaDropoutImpl::forward(Tensor input) {
  return F::alpha_dropout(std::move(input), F::AlphaDropoutFuncOptions().p(options.p()).training(is_training()));
}
void AlphaDropoutImpl::pretty_print(std::ostream& stream) const {
  stream << "AlphaDropout(p=" << shown(options.p()) << ", inplace=" << shown(options.inplace()) << ')';
}

void FeatureAlphaDropoutImpl::reset() {
  if (std::isnan(options.p()))
    throw ValueError(str("dropout probability has to be between 0 and 1, but got ", shown(options.p())));
  if (options.p() < 0 || options.p() > 1)
    throw ValueError(str("dropout probability has to be between 0 and 1, but got ", shown(options.p())));
}
Tensor FeatureAlphaDropoutImpl::forward(Tensor input) {
  return F::feature_alpha_dropout(std::move(input),
                                  F::FeatureAlphaDropoutFuncOptions().p(options.p()).training(is_training()));
}
void FeatureAlphaDropoutImpl::pretty_print(std::ostream& stream) const {
  stream << "FeatureAlphaDropout(p=" << shown(options.p()) << ", inplace=" << shown(options.inplace()) << ')';
}
// clang-format on

}  // namespace taut::nn
