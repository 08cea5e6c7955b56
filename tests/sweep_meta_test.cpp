// Every sample of every op on meta tensors: shapes, dtypes and strides of results and gradients are those of the real
// call, and nothing of it has memory. What follows from numbers says that there are none.
#include "support/sweep.h"

namespace taut::test {
namespace {

/// Ops whose results, or which arguments they refuse, follow from numbers.
const std::initializer_list<const char*> kNeedNumbers = {"where",
                                                         "bincount",
                                                         "_unique2",
                                                         "unique_consecutive",
                                                         "unique_dim",
                                                         "index",
                                                         "index_put",
                                                         "masked_select",
                                                         "nonzero",
                                                         "argwhere",
                                                         "ctc_loss.Tensor",
                                                         "_gradient",
                                                         "_sparse_coo_tensor",
                                                         "_sparse_compressed_tensor",
                                                         "_spdiags",
                                                         "to_sparse",
                                                         "to_sparse.sparse_dim",
                                                         "to_sparse_csr",
                                                         "to_sparse_csc",
                                                         "to_sparse_bsr",
                                                         "to_sparse_bsc",
                                                         "istft",
                                                         "histogram",
                                                         "_histogramdd_bin_edges",
                                                         "embedding_renorm_",
                                                         "narrow.Tensor",
                                                         "tensor_split",
                                                         "repeat_interleave",
                                                         "one_hot",
                                                         "rnn_tanh.data",
                                                         "rnn_relu.data",
                                                         "lstm.data",
                                                         "gru.data",
                                                         "_pack_padded_sequence",
                                                         "_pad_packed_sequence",
                                                         "_pack_padded_sequences",
                                                         "_pad_packed_sequences",
                                                         "_unpad_sequence",
                                                         "_recurrent",
                                                         "segment_reduce"};

/// Shape, strides and dtype; of memory or none.
std::string layout(const Tensor& t) {
  if (!t.defined()) return "undefined";
  return str(t.sizes(), " strides ", t.strides(), " ", t.scalar_type(), t.is_conj() ? " conj" : "", " at ", t.device());
}
std::string layouts(const Tensors& list) {
  std::string all;
  for (const Tensor& t : list) all += layout(t) + "\n    ";
  return all;
}
/// As meta, in the memory order it has.
Tensor as_meta(const Tensor& t) {
  if (!t.defined()) return t;
  const Tensor m = empty_strided(t.sizes(), t.strides(), TensorOptions(t.scalar_type()).device(kMeta));
  return t.is_conj() ? m.conj() : m;
}
Tensors as_meta(const Tensors& list) {
  Tensors all;
  for (const Tensor& t : list) all.push_back(as_meta(t));
  return all;
}

struct Outcome {
  Tensors results, gradients;
  std::string error;
};
Outcome outcome(const Sample& s, const std::vector<Value>& arguments, bool meta) {
  Outcome o;
  Tensors leaves;
  try {
    Tensors tensors = tensors_in(arguments);
    if (!s.in_place())
      for (Tensor& t : tensors)
        if (t.defined() && is_differentiable(t.scalar_type())) leaves.push_back(t = t.detach().requires_grad_());
    const MetaScope scope(meta);
    o.results = s.tensors(with_tensors(arguments, tensors));
  } catch (const std::exception& e) {
    o.error = e.what();
    return o;
  }
  try {
    Tensors roots, seeds;
    for (const Tensor& y : o.results)
      if (y.defined() && y.requires_grad()) roots.push_back(y), seeds.push_back(ones_like(y.detach()));
    if (!roots.empty() && !leaves.empty())
      o.gradients = autograd::grad(roots, leaves, seeds, std::nullopt, false, true);
  } catch (const std::exception& e) {
    o.error = std::string("backward: ") + e.what();
  }
  return o;
}

class SweepMeta : public Sweep {
 protected:
  /// `rows`: by the call of a row, as Python calls ops; otherwise as C++ does.
  void compare(bool rows) {
    each([&](const Sample& s) -> std::string {
      const std::vector<Value> arguments = s.arguments({kFloat});
      const Tensors tensors = tensors_in(arguments);
      if (tensors.empty() && !rows) return {};
      const Outcome real = outcome(s, arguments, false);
      if (!real.error.empty() || s.is_sparse()) return {};
      const Outcome meta = outcome(s, with_tensors(arguments, as_meta(tensors)), rows);
      if (!meta.error.empty())
        return among(s.name(), kNeedNumbers) && meta.error.find("eta tensor") != std::string::npos
                   ? std::string()
                   : "threw: " + meta.error;
      for (const Tensors* list : {&meta.results, &meta.gradients})
        for (const Tensor& t : *list)
          if (t.defined() && !t.is_meta()) return "has memory: " + layout(t);
      const std::string wanted = layouts(as_meta(real.results)) + "gradients " + layouts(as_meta(real.gradients)),
                        got = layouts(meta.results) + "gradients " + layouts(meta.gradients);
      return wanted == got ? std::string() : "wanted " + wanted + "\n  got " + got;
    });
  }
};

TEST_P(SweepMeta, ResultsAndGradientsHaveTheLayoutOfTheRealOnes) { compare(true); }
TEST_P(SweepMeta, SoTheyHaveWhereNoRowIsCalled) { compare(false); }

}  // namespace
TAUT_SWEEP(SweepMeta);
}  // namespace taut::test
