#include "taut/nn/modules/embedding.h"

#include <ostream>

#include "nn/repr.h"
#include "taut/autograd.h"
#include "taut/factories.h"
#include "taut/nn/functional/embedding.h"
#include "taut/nn/init.h"

namespace taut::nn {

namespace F = functional;
using Py = detail::PythonFloat;

namespace {

template <class Options>
void check_options(Options& o, const char* name) {
  const int64_t rows = o.num_embeddings();
  check<ValueError>(rows >= 0 && o.embedding_dim() >= 0, name,
                    ": num_embeddings and embedding_dim must not be negative, got ", rows, " and ", o.embedding_dim());
  if (o.padding_idx()) {
    check<ValueError>(*o.padding_idx() >= -rows && *o.padding_idx() < rows,
                      "Padding_idx must be within num_embeddings, got ", *o.padding_idx(), " for ", rows,
                      " embeddings");
    if (*o.padding_idx() < 0) o.padding_idx(*o.padding_idx() + rows);
  }
  check<ValueError>(
      !o._weight().defined() ||
          (o._weight().dim() == 2 && o._weight().size(0) == rows && o._weight().size(1) == o.embedding_dim()),
      name, ": Shape of _weight does not match num_embeddings and embedding_dim: ",
      o._weight().defined() ? o._weight().sizes() : IntArrayRef(), " for ", rows, " and ", o.embedding_dim());
}
/// The random table, zeros in the row of the padding.
void draw(const Tensor& weight, const std::optional<int64_t>& padding) {
  init::normal_(weight);
  if (!padding) return;
  NoGradGuard guard;
  weight.select(0, *padding).zero_();
}
void check_table(const Tensor& embeddings) {
  check(embeddings.defined() && embeddings.dim() == 2,
        "Embeddings parameter is expected to be 2-dimensional, got shape ",
        embeddings.defined() ? embeddings.sizes() : IntArrayRef());
}

}  // namespace

EmbeddingImpl::EmbeddingImpl(EmbeddingOptions options_) : options(std::move(options_)) { EmbeddingImpl::reset(); }
void EmbeddingImpl::reset() {
  check_options(options, "Embedding");
  if (options._weight().defined()) {
    weight = register_parameter("weight", options._weight());
    return;
  }
  weight = register_parameter("weight", empty({options.num_embeddings(), options.embedding_dim()}));
  reset_parameters();
}
void EmbeddingImpl::reset_parameters() { draw(weight, options.padding_idx()); }
void EmbeddingImpl::pretty_print(std::ostream& stream) const {
  stream << "Embedding(" << options.num_embeddings() << ", " << options.embedding_dim();
  if (options.padding_idx()) stream << ", padding_idx=" << *options.padding_idx();
  if (options.max_norm()) stream << ", max_norm=" << Py{*options.max_norm()};
  if (options.norm_type() != 2) stream << ", norm_type=" << Py{options.norm_type()};
  if (options.scale_grad_by_freq()) stream << ", scale_grad_by_freq=True";
  stream << ')';
}
Tensor EmbeddingImpl::forward(const Tensor& indices) {
  return F::embedding(indices, weight,
                      F::EmbeddingFuncOptions()
                          .padding_idx(options.padding_idx())
                          .max_norm(options.max_norm())
                          .norm_type(options.norm_type())
                          .scale_grad_by_freq(options.scale_grad_by_freq())
                          .sparse(options.sparse()));
}
Embedding Embedding::from_pretrained(const Tensor& embeddings, const EmbeddingFromPretrainedOptions& options) {
  check_table(embeddings);
  Embedding m(EmbeddingOptions(embeddings.size(0), embeddings.size(1))
                  ._weight(embeddings)
                  .padding_idx(options.padding_idx())
                  .max_norm(options.max_norm())
                  .norm_type(options.norm_type())
                  .scale_grad_by_freq(options.scale_grad_by_freq())
                  .sparse(options.sparse()));
  m->weight.set_requires_grad(!options.freeze());
  return m;
}

EmbeddingBagImpl::EmbeddingBagImpl(EmbeddingBagOptions options_) : options(std::move(options_)) {
  EmbeddingBagImpl::reset();
}
void EmbeddingBagImpl::reset() {
  check_options(options, "EmbeddingBag");
  const Keyword mode = options.mode();
  check<ValueError>(mode == kSum || mode == kMean || mode == kMax,
                    "EmbeddingBag: mode has to be one of sum, mean or max, got ", mode);
  if (options._weight().defined()) {
    weight = register_parameter("weight", options._weight());
    return;
  }
  weight = register_parameter("weight", empty({options.num_embeddings(), options.embedding_dim()}));
  reset_parameters();
}
void EmbeddingBagImpl::reset_parameters() { draw(weight, options.padding_idx()); }
void EmbeddingBagImpl::pretty_print(std::ostream& stream) const {
  stream << "EmbeddingBag(" << options.num_embeddings() << ", " << options.embedding_dim();
  if (options.max_norm()) stream << ", max_norm=" << Py{*options.max_norm()};
  if (options.norm_type() != 2) stream << ", norm_type=" << Py{options.norm_type()};
  if (options.scale_grad_by_freq()) stream << ", scale_grad_by_freq=True";
  stream << ", mode='" << options.mode() << '\'';
  if (options.padding_idx()) stream << ", padding_idx=" << *options.padding_idx();
  stream << ')';
}
Tensor EmbeddingBagImpl::forward(const Tensor& input, const Tensor& offsets, const Tensor& per_sample_weights) {
  return F::embedding_bag(input, weight,
                          F::EmbeddingBagFuncOptions()
                              .offsets(offsets)
                              .max_norm(options.max_norm())
                              .norm_type(options.norm_type())
                              .scale_grad_by_freq(options.scale_grad_by_freq())
                              .mode(options.mode())
                              .sparse(options.sparse())
                              .per_sample_weights(per_sample_weights)
                              .include_last_offset(options.include_last_offset())
                              .padding_idx(options.padding_idx()));
}
EmbeddingBag EmbeddingBag::from_pretrained(const Tensor& embeddings, const EmbeddingBagFromPretrainedOptions& options) {
  check_table(embeddings);
  EmbeddingBag m(EmbeddingBagOptions(embeddings.size(0), embeddings.size(1))
                     ._weight(embeddings)
                     .max_norm(options.max_norm())
                     .norm_type(options.norm_type())
                     .scale_grad_by_freq(options.scale_grad_by_freq())
                     .mode(options.mode())
                     .sparse(options.sparse())
                     .include_last_offset(options.include_last_offset())
                     .padding_idx(options.padding_idx()));
  m->weight.set_requires_grad(!options.freeze());
  return m;
}

}  // namespace taut::nn
