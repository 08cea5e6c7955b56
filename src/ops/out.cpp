// `f(x, out=y)`: which ops take a destination, what it must be, and how the result gets there.
#include "taut/out.h"

#include <mutex>
#include <unordered_map>

#include "autograd/engine.h"
#include "ops/pointwise.h"
#include "ops/promotion.h"
#include "ops/registry.h"
#include "taut/core/runtime.h"

namespace taut {

namespace {

// Who takes `out=`, and how strictly, follows from nothing but PyTorch's history; tests/golden/out.txt has its answers.
// A name stands for all its overloads; `sum.` for the one that has no name of its own.
constexpr std::string_view kWithout =
    " _canonical_mask _embedding _embedding_bag _fractional_max_pool _grid_sample _gumbel_softmax _interpolate "
    "_invert_permutation "
    "_lp_pool _max_unpool _multi_head_attention_forward _pack_padded_sequence _pack_padded_sequences "
    "_pad_packed_sequence _pad_packed_sequences _unique2 _upsample_area _weight_norm adaptive_avg_pool1d "
    "adaptive_max_pool1d "
    "adjoint affine_grid_generator alpha_dropout argsort. as_strided as_strided_scatter atleast_1d atleast_2d "
    "atleast_3d avg_pool1d batch_norm bernoulli.p bilinear binary_cross_entropy_with_logits bincount "
    "bitwise_and.Scalar_Tensor bitwise_left_shift.Scalar_Tensor bitwise_or.Scalar_Tensor "
    "bitwise_right_shift.Scalar_Tensor bitwise_xor.Scalar_Tensor block_diag broadcast_to bucketize.Scalar "
    "cartesian_prod cdist celu channel_shuffle conv1d conv2d conv3d conv_transpose1d conv_transpose2d "
    "conv_transpose3d convolution cosine_embedding_loss cosine_similarity count_nonzero cross_entropy_loss ctc_loss "
    "detach diag_embed diagonal diagonal_scatter dist dropout einsum embedding embedding_bag "
    "embedding_dense_backward empty_like empty_strided expand expand_as feature_alpha_dropout feature_dropout "
    "flatten flip fliplr flipud full_like gaussian_nll_loss grid_sampler grid_sampler_2d grid_sampler_3d group_norm "
    "gru gru_cell hinge_embedding_loss index index_fill index_put instance_norm isclose isfinite isinf isnan kl_div "
    "l1_loss layer_norm local_response_norm lstm lstm_cell mT margin_ranking_loss masked_fill masked_scatter "
    "max_pool1d max_pool1d_with_indices max_pool2d max_pool3d median. moveaxis movedim multilabel_soft_margin_loss "
    "nanmedian. narrow native_group_norm native_layer_norm new_empty new_full new_ones new_zeros nll_loss_nd "
    "norm_except_dim numpy_T "
    "one_hot ones_like pad pad_sequence pairwise_distance pdist permute pixel_shuffle pixel_unshuffle "
    "poisson_nll_loss positive prelu prod. put rand_like randint_like randn_like ravel relu relu6 "
    "remainder.Scalar_Tensor repeat repeat_interleave reshape reshape_as result_type rms_norm rnn_relu rnn_relu_cell "
    "rnn_tanh rnn_tanh_cell roll rot90 rrelu rsub scalar_tensor scaled_dot_product_attention select select_scatter "
    "selu slice softsign squeeze std. std_mean sum. swapaxes swapdims t tanhshrink tile trace transpose tril_indices "
    "triplet_margin_loss triu_indices unflatten unfold unique_consecutive unique_dim unsqueeze var. var_mean view "
    "view_as where. where.Scalar where.ScalarOther where.ScalarSelf zeros_like ";
/// The destination may have any dtype that the result can be cast to; of all other ops it must have the result's.
constexpr std::string_view kCasts =
    " acos acosh add addcdiv addcmul addr arange asin asinh atan atan2 atanh bernoulli. bitwise_and.Scalar "
    "bitwise_and.Tensor bitwise_left_shift.Tensor bitwise_left_shift.Tensor_Scalar bitwise_or.Scalar "
    "bitwise_or.Tensor bitwise_right_shift.Tensor bitwise_right_shift.Tensor_Scalar bitwise_xor.Scalar "
    "bitwise_xor.Tensor cat clamp.Tensor clamp_max.Tensor clamp_min.Tensor concat copysign cos cosh cumprod cumsum "
    "deg2rad diff digamma div dstack eq erf erfc erfinv exp exp2 expm1 eye floor_divide fmax fmin fmod full ge ger "
    "glu gt hstack huber_loss hypot kron le lerp.Scalar lgamma linspace log log10 log1p log2 logaddexp logaddexp2 "
    "logical_and logical_not logical_or logical_xor logit logspace logsumexp lt max. max.other maximum mean min. "
    "min.other minimum mse_loss mul nanmean nansum ne normal normalize ones outer polygamma pow prod.dim_int rad2deg "
    "rand randint randn randperm reciprocal remainder.Scalar remainder.Tensor rsqrt sigmoid sin sinc sinh "
    "smooth_l1_loss sqrt square stack std.correction std.dim sub sum.dim_IntList tan tanh threshold true_divide "
    "var.correction var.dim vstack xlogy zeros ";
/// The destination may share no memory with an argument, not even all of it.
constexpr std::string_view kApart =
    " cat concat dstack gather hstack index_select kthvalue masked_select max.dim median.dim min.dim mode "
    "nanmedian.dim "
    "nonzero scatter scatter_add scatter_reduce stack take take_along_dim topk vstack ";
/// One row of numbers, which a destination of as many elements takes in its own shape.
constexpr std::string_view kRanges = " arange linspace logspace ";

/// Of these, drawn from chances, it may have any dtype.
constexpr std::string_view kAnyDtype = " bernoulli. ";

struct OutRule {
  std::string name;
  bool takes, casts, casts_all, apart, makes_tensors, is_range;
  bool writes_first;     // its result begins as a copy of its first argument, which may be the destination
  int dtype_place = -1;  // of the argument `dtype`, where what is left open is the destination's
  Value open_dtype;      // its default
};

bool lists(std::string_view list, const Schema& schema) {
  return list.find(str(" ", schema.name, " ")) != list.npos ||
         list.find(str(" ", schema.name, ".", schema.overload, " ")) != list.npos;
}

const OutRule& rule_of(const OpEntry& op) {
  static std::mutex mutex;
  static std::unordered_map<const OpEntry*, OutRule> rules;
  const std::lock_guard lock(mutex);
  const auto [place, is_new] = rules.try_emplace(&op);
  OutRule& rule = place->second;
  if (!is_new) return rule;
  const Schema schema = parse_schema(op.schema);
  rule.name = schema.name;
  rule.takes = !schema.name.ends_with('_') && !schema.returns.ends_with("[]") && !lists(kWithout, schema);
  rule.casts = lists(kCasts, schema);
  rule.casts_all = lists(kAnyDtype, schema);
  rule.apart = lists(kApart, schema);
  rule.is_range = lists(kRanges, schema);
  rule.writes_first = schema.name.starts_with("scatter");
  bool of_tensors = false;
  for (size_t i = 0; i < schema.arguments.size(); ++i) {
    of_tensors |= schema.arguments[i].type.starts_with("Tensor");
    if (schema.arguments[i].type != "ScalarType?") continue;
    rule.dtype_place = static_cast<int>(i);
    rule.open_dtype = schema.arguments[i].default_value;
  }
  rule.makes_tensors = !of_tensors;
  return rule;
}

/// Throws when `out` overlaps an argument in a way that this op forbids. False where the loop of a pointwise op, which
/// reads an element before it writes there, may not run on them.
bool check_overlap(const OutRule& rule, const Tensor& out, const Tensor& x, bool is_first) {
  if (!x.defined() || x.impl()->storage->data() != out.impl()->storage->data()) return true;
  const char* name = rule.name.c_str();
  if (rule.apart && !(is_first && rule.writes_first) && x.is_contiguous() && out.is_contiguous()) {
    const auto *a = static_cast<const char*>(x.data_ptr()), *b = static_cast<const char*>(out.data_ptr());
    check(a + x.nbytes() <= b || b + out.nbytes() <= a, name,
          ": unsupported operation: some elements of the input tensor and the written-to tensor refer to a single "
          "memory location. Please clone() the tensor before performing the operation.");
  }
  const Tensor* const others[] = {&x};
  return x.sizes() != out.sizes() ? false : !shares_memory(out, others, 1, name);
}

void check_out(const char* name, const Tensor& out) {
  check_defined(out, name, "out");
  check(!thread_state.grad_mode || !out.requires_grad(), name,
        ": functions with out=... arguments don't support automatic differentiation, but one of the arguments requires "
        "grad. Detach it, or call the function without out.");
  check_writable(out, name);
}
void check_result(const char* name, const Tensor& out, const Tensor& result, bool casts) {
  check(!result.requires_grad(), name,
        ": functions with out=... arguments don't support automatic differentiation, but one of the arguments requires "
        "grad. Detach it, or call the function without out.");
  if (casts)
    check(can_cast(result.scalar_type(), out.scalar_type()), name, ": result type ", result.scalar_type(),
          " can't be cast to the desired output type ", out.scalar_type());
  else
    check(result.scalar_type() == out.scalar_type(), name, ": Expected out tensor to have dtype ", result.scalar_type(),
          ", but got ", out.scalar_type(), " instead");
}
void write(const Tensor& out, const Tensor& result, bool warns) {
  const bool shared = out.impl()->storage->data() == result.impl()->storage->data();
  const Tensor source = shared ? result.clone() : result;
  if (out.sizes() != result.sizes()) {
    if (warns && out.numel() > 0)
      warn(str("An output with one or more elements was resized since it had shape ", out.sizes(),
               ", which does not match the required output shape ", result.sizes(),
               ". This behavior is deprecated, and in a future PyTorch release outputs will not be resized unless they "
               "have zero elements. You can explicitly reuse an out tensor t by resizing it, inplace, to zero elements "
               "with t.resize_(0)."));
    out.resize_(result.sizes());
  }
  out.copy_(source);
}

}  // namespace

bool takes_out(const OpEntry& op) { return rule_of(op).takes; }

void write_out(const Tensor& out, const Tensor& result, bool casts) {
  check_out("out", out);
  check_result("out", out, result, casts);
  write(out, result, true);
}

void call_into(const OpEntry& op, const Value* args, size_t n, TensorList outs) {
  const OutRule& rule = rule_of(op);
  const char* name = rule.name.c_str();
  check<TypeError>(rule.takes, name, "() got an unexpected keyword argument 'out'");
  for (const Tensor& out : outs) check_out(name, out);
  bool at_once = outs.size() == 1 && op.into && !autograd::forward_mode() && !autograd::global_state.anomaly;
  for (size_t i = 0; i < n; ++i) {
    const Tensor* one = args[i].get<Tensor>();
    const bool is_list = args[i].get<Value::List>();
    at_once = at_once && !is_list;
    if (!one && !is_list) continue;
    const auto look = [&](const Tensor& t) {
      for (const Tensor& out : outs) at_once &= check_overlap(rule, out, t, i == 0);
      at_once = at_once && !(thread_state.grad_mode && tracked(t.impl()));
    };
    if (one) look(*one);
    else
      for (const Value& v : args[i].to_list())
        if (const Tensor* t = v.get<Tensor>()) look(*t);
  }
  if (at_once && op.into(args, n, outs[0])) return;

  std::vector<Value> values(args, args + n);
  if (rule.dtype_place >= 0 && outs.size() == 1 && (rule.casts || rule.makes_tensors)) {
    Value& dtype = values[static_cast<size_t>(rule.dtype_place)];
    if (dtype.is_none() || (!rule.open_dtype.is_none() && dtype.to_dtype() == rule.open_dtype.to_dtype()))
      dtype = outs[0].scalar_type();
    check(dtype.to_dtype() == outs[0].scalar_type(), name, ": dtype ", dtype.to_dtype(),
          " does not match dtype of out parameter (", outs[0].scalar_type(), ")");
  }
  std::vector<Tensor> results = op.call(values.data(), n).to_tensors();
  check<TypeError>(results.size() == outs.size(), name, ": out must be ", results.size(), " tensors, got ",
                   outs.size());
  // All and any once gave uint8, and still may.
  const bool as_byte = (rule.name == "all" || rule.name == "any") && outs[0].scalar_type() == kByte;
  // A weight without dimensions counts as a number, with which lerp casts.
  const bool by_number = rule.name == "lerp" && args[2].get<Tensor>() && args[2].to_tensor().dim() == 0;
  if (rule.casts_all) results[0] = results[0].to(outs[0].scalar_type());
  for (size_t i = 0; i < outs.size(); ++i)
    check_result(name, outs[i], results[i], as_byte || by_number || (rule.casts && outs.size() == 1));
  for (size_t i = 0; i < outs.size(); ++i) {
    const bool reshaped = rule.is_range && results[i].numel() == outs[i].numel();
    write(outs[i], reshaped ? results[i].view(outs[i].sizes()) : results[i], !rule.makes_tensors);
  }
}

bool compute_into(const PointwiseOp& formula, const void* attributes, const Value* args, size_t n, const Tensor& out) {
  const Tensor* in[detail::kMaxOperands];
  Tensor numbers[detail::kMaxOperands];
  const auto operands = static_cast<size_t>(formula.arity);
  for (size_t j = 0; j < n; ++j) {
    const Tensor* t = args[j].get<Tensor>();
    if (j >= operands) {
      if (t || args[j].is_none() || !args[j].to_scalar().equal(1)) return false;
    } else if (t) {
      // What the function does with whole numbers before the formula is not done here.
      if (!t->defined() || !t->is_floating_point()) return false;
      in[j] = t;
    } else {
      if (j == 0 || in[0]->element_size() < 4) return false;
      numbers[j] = wrapped(args[j].to_scalar(), *in[0]);
      in[j] = &numbers[j];
    }
  }
  const detail::PointwisePlan plan = detail::plan_pointwise(formula, in);
  if (plan.result != out.scalar_type() || IntArrayRef(plan.sizes) != out.sizes()) return false;
  detail::run_pointwise_into(formula, attributes, in, out, plan);
  out.impl()->storage->bump(formula.name, thread_state.step);
  return true;
}

}  // namespace taut
