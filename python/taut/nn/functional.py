"""The functions behind the layers: torch.nn.functional."""

import warnings
from types import FunctionType

from .. import _C
from .._C import Tensor
from .._overriding import AS_CALLED, AS_IN_PYTHON, overridable
from . import _reduction as _Reduction

_ops = _C.ops
_empty = _C._empty

# Ops that are what torch.nn.functional has, arguments and all.
conv1d, conv2d, conv3d = _ops["conv1d"], _ops["conv2d"], _ops["conv3d"]
conv_transpose1d, conv_transpose2d, conv_transpose3d = (_ops[f"conv_transpose{n}d"] for n in (1, 2, 3))
linear, bilinear = _ops["linear"], _ops["bilinear"]
prelu, one_hot, pdist = _ops["prelu"], _ops["one_hot"], _ops["pdist"]
pixel_shuffle, pixel_unshuffle = _ops["pixel_shuffle"], _ops["pixel_unshuffle"]
channel_shuffle = native_channel_shuffle = _ops["channel_shuffle"]
# Written by tools/layers.py from src/nn/layers/distance.txt; do not edit.
pairwise_distance = _ops["pairwise_distance"]
cosine_similarity = _ops["cosine_similarity"]
# End of what is written.
scaled_dot_product_attention = _ops["scaled_dot_product_attention"]
relu_, elu_, selu_, celu_, leaky_relu_, rrelu_, hardtanh_, threshold_ = (
    _ops[n] for n in ("relu_", "elu_", "selu_", "celu_", "leaky_relu_", "rrelu_", "hardtanh_", "threshold_"))


def _tuple(value, n):
    return (value,) * n if isinstance(value, int) else tuple(value)


# Activations.

_softmax, _log_softmax = _ops["softmax"], _ops["log_softmax"]

# Written by tools/layers.py from src/nn/layers/activation.txt; do not edit.
gelu = _ops["gelu"]
hardshrink = _ops["hardshrink"]
softshrink = _ops["softshrink"]
softplus = _ops["softplus"]
sigmoid = _ops["sigmoid"]
tanh = _ops["tanh"]
tanhshrink = _ops["tanhshrink"]
softsign = _ops["softsign"]
logsigmoid = _ops["log_sigmoid"]
_elu, _elu_ = _ops["elu"], _ops["elu_"]
_selu, _selu_ = _ops["selu"], _ops["selu_"]
_celu, _celu_ = _ops["celu"], _ops["celu_"]
_glu = _ops["glu"]
_silu, _silu_ = _ops["silu"], _ops["silu_"]
_mish, _mish_ = _ops["mish"], _ops["mish_"]
_hardtanh, _hardtanh_ = _ops["hardtanh"], _ops["hardtanh_"]
_hardsigmoid, _hardsigmoid_ = _ops["hardsigmoid"], _ops["hardsigmoid_"]
_hardswish, _hardswish_ = _ops["hardswish"], _ops["hardswish_"]
_leaky_relu, _leaky_relu_ = _ops["leaky_relu"], _ops["leaky_relu_"]
_relu, _relu_ = _ops["relu"], _ops["relu_"]
_relu6, _relu6_ = _ops["relu6"], _ops["relu6_"]
_rrelu, _rrelu_ = _ops["rrelu"], _ops["rrelu_"]
_threshold, _threshold_ = _ops["threshold"], _ops["threshold_"]


def elu(input, alpha=1.0, inplace=False):
    """input where it is positive, alpha * (exp(input) - 1) elsewhere."""
    return _elu_(input, alpha) if inplace else _elu(input, alpha)


def selu(input, inplace=False):
    """The scaled exponential linear unit."""
    return _selu_(input) if inplace else _selu(input)


def celu(input, alpha=1.0, inplace=False):
    """max(0, input) + min(0, alpha * (exp(input / alpha) - 1))."""
    return _celu_(input, alpha) if inplace else _celu(input, alpha)


def glu(input, dim=-1):
    """The first half along a dimension times the sigmoid of the second."""
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    return _glu(input, dim)


def silu(input, inplace=False):
    """input * sigmoid(input)."""
    return _silu_(input) if inplace else _silu(input)


def mish(input, inplace=False):
    """input * tanh(softplus(input))."""
    return _mish_(input) if inplace else _mish(input)


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    """input, kept between min_val and max_val."""
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return _hardtanh_(input, min_val, max_val) if inplace else _hardtanh(input, min_val, max_val)


def hardsigmoid(input, inplace=False):
    """relu6(input + 3) / 6."""
    return _hardsigmoid_(input) if inplace else _hardsigmoid(input)


def hardswish(input, inplace=False):
    """input * relu6(input + 3) / 6."""
    return _hardswish_(input) if inplace else _hardswish(input)


def leaky_relu(input, negative_slope=1e-2, inplace=False):
    """input where it is positive, negative_slope * input elsewhere."""
    return _leaky_relu_(input, negative_slope) if inplace else _leaky_relu(input, negative_slope)


def relu(input, inplace=False):
    """max(0, input)."""
    return _relu_(input) if inplace else _relu(input)


def relu6(input, inplace=False):
    """min(max(0, input), 6)."""
    return _relu6_(input) if inplace else _relu6(input)


def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False):
    """LeakyReLU with slopes drawn from [lower, upper] while training, their mean otherwise."""
    return _rrelu_(input, lower, upper, training) if inplace else _rrelu(input, lower, upper, training)


def threshold(input, threshold, value, inplace=False):
    """input where it is above the threshold, value elsewhere."""
    return _threshold_(input, threshold, value) if inplace else _threshold(input, threshold, value)


# End of what is written.


def _dim_of_softmax(name, ndim, stacklevel):
    warnings.warn(f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an "
                  "argument.", stacklevel=stacklevel)
    return 0 if ndim in (0, 1, 3) else 1


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    """exp(input), scaled to the sum 1 along a dimension."""
    if dim is None:
        dim = _dim_of_softmax("softmax", input.dim(), _stacklevel)
    return _softmax(input, dim) if dtype is None else _softmax(input, dim, dtype)


def softmin(input, dim=None, _stacklevel=3, dtype=None):
    """softmax(-input)."""
    if dim is None:
        dim = _dim_of_softmax("softmin", input.dim(), _stacklevel)
    return _softmax(-input, dim) if dtype is None else _softmax(-input, dim, dtype)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    """log(softmax(input))."""
    if dim is None:
        dim = _dim_of_softmax("log_softmax", input.dim(), _stacklevel)
    return _log_softmax(input, dim) if dtype is None else _log_softmax(input, dim, dtype)


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    """A sample of the Gumbel-softmax distribution; hard ones are one-hot, with the gradient of the soft ones."""
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=2)
    return _ops["_gumbel_softmax"](logits, tau, hard, dim)


# Attention.

_canonical_mask, _multi_head_attention = _ops["_canonical_mask"], _ops["_multi_head_attention_forward"]


def multi_head_attention_forward(query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k,
                                 bias_v, add_zero_attn, dropout_p, out_proj_weight, out_proj_bias, training=True,
                                 key_padding_mask=None, need_weights=True, attn_mask=None,
                                 use_separate_proj_weight=False, q_proj_weight=None, k_proj_weight=None,
                                 v_proj_weight=None, static_k=None, static_v=None, average_attn_weights=True,
                                 is_causal=False):
    """What nn.MultiheadAttention computes: [length, batch, features] attends to key and value."""
    return _multi_head_attention(query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k,
                                 bias_v, add_zero_attn, dropout_p, out_proj_weight, out_proj_bias, training,
                                 key_padding_mask, need_weights, attn_mask, use_separate_proj_weight, q_proj_weight,
                                 k_proj_weight, v_proj_weight, static_k, static_v, average_attn_weights, is_causal)


# Dropout.

# Written by tools/layers.py from src/nn/layers/dropout.txt; do not edit.
_dropout, _dropout_ = _ops["dropout"], _ops["dropout_"]
_channel_dropout = _ops["_channel_dropout"]
_alpha_dropout, _alpha_dropout_ = _ops["alpha_dropout"], _ops["alpha_dropout_"]
_feature_alpha_dropout, _feature_alpha_dropout_ = _ops["feature_alpha_dropout"], _ops["feature_alpha_dropout_"]


def dropout(input, p=0.5, training=True, inplace=False):
    """Makes elements zero with probability p while training, and scales the others by 1 / (1 - p)."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    return _dropout_(input, p, training) if inplace else _dropout(input, p, training)


def dropout1d(input, p=0.5, training=True, inplace=False):
    """Dropout of whole channels of [N, C, L] or [C, L]."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    return _channel_dropout(input, p, training, inplace, 1)


def dropout2d(input, p=0.5, training=True, inplace=False):
    """Dropout of whole channels of [N, C, H, W] or [C, H, W]."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    return _channel_dropout(input, p, training, inplace, 2)


def dropout3d(input, p=0.5, training=True, inplace=False):
    """Dropout of whole channels of [N, C, D, H, W] or [C, D, H, W]."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    return _channel_dropout(input, p, training, inplace, 3)


def alpha_dropout(input, p=0.5, training=False, inplace=False):
    """Dropout that keeps mean and variance of what SELU gives."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    return _alpha_dropout_(input, p, training) if inplace else _alpha_dropout(input, p, training)


def feature_alpha_dropout(input, p=0.5, training=False, inplace=False):
    """AlphaDropout of whole channels."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    return _feature_alpha_dropout_(input, p, training) if inplace else _feature_alpha_dropout(input, p, training)


# End of what is written.


# Pooling.


def _filled(size, input):
    """An output size, with None standing for the size of the input."""
    if isinstance(size, int):
        return size
    if input.dim() <= len(size):
        raise ValueError(f"Input dimension should be at least {len(size) + 1}")
    return [d if s is None else s for s, d in zip(size, input.shape[-len(size):])]


# Written by tools/layers.py from src/nn/layers/pooling.txt; do not edit.
_max_pool1d = _ops["max_pool1d"]
_max_pool1d_with_indices = _ops["max_pool1d_with_indices"]
_max_pool2d = _ops["max_pool2d"]
_max_pool2d_with_indices = _ops["max_pool2d_with_indices"]
_max_pool3d = _ops["max_pool3d"]
_max_pool3d_with_indices = _ops["max_pool3d_with_indices"]
_avg_pool2d = _ops["avg_pool2d"]
_avg_pool3d = _ops["avg_pool3d"]
_avg_pool1d = _ops["avg_pool1d"]
_lp_pool = _ops["_lp_pool"]
_adaptive_avg_pool2d = _ops["adaptive_avg_pool2d"]
_adaptive_avg_pool3d = _ops["adaptive_avg_pool3d"]
_adaptive_avg_pool1d = _ops["adaptive_avg_pool1d"]
_adaptive_max_pool2d = _ops["adaptive_max_pool2d"]
_adaptive_max_pool3d = _ops["adaptive_max_pool3d"]
_adaptive_max_pool1d = _ops["adaptive_max_pool1d"]
_max_unpool = _ops["_max_unpool"]


def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest element of each window of [N, C, L] or [C, L], and where they were if wanted."""
    return (_max_pool1d_with_indices if return_indices else _max_pool1d)(input, kernel_size,
                                                                         [] if stride is None else stride, padding,
                                                                         dilation, ceil_mode)


def max_pool1d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
                            return_indices=False):
    """The largest element of each window of [N, C, L] or [C, L], and where they were."""
    return _max_pool1d_with_indices(input, kernel_size, [] if stride is None else stride, padding, dilation, ceil_mode)


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest element of each window of [N, C, H, W] or [C, H, W], and where they were if wanted."""
    return (_max_pool2d_with_indices if return_indices else _max_pool2d)(input, kernel_size,
                                                                         [] if stride is None else stride, padding,
                                                                         dilation, ceil_mode)


def max_pool2d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
                            return_indices=False):
    """The largest element of each window of [N, C, H, W] or [C, H, W], and where they were."""
    return _max_pool2d_with_indices(input, kernel_size, [] if stride is None else stride, padding, dilation, ceil_mode)


def max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest element of each window of [N, C, D, H, W] or [C, D, H, W], and where they were if wanted."""
    return (_max_pool3d_with_indices if return_indices else _max_pool3d)(input, kernel_size,
                                                                         [] if stride is None else stride, padding,
                                                                         dilation, ceil_mode)


def max_pool3d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
                            return_indices=False):
    """The largest element of each window of [N, C, D, H, W] or [C, D, H, W], and where they were."""
    return _max_pool3d_with_indices(input, kernel_size, [] if stride is None else stride, padding, dilation, ceil_mode)


def avg_pool2d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True,
               divisor_override=None):
    """The mean of each window of [N, C, H, W] or [C, H, W]."""
    return _avg_pool2d(input, kernel_size, [] if stride is None else stride, padding, ceil_mode, count_include_pad,
                       divisor_override)


def avg_pool3d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True,
               divisor_override=None):
    """The mean of each window of [N, C, D, H, W] or [C, D, H, W]."""
    return _avg_pool3d(input, kernel_size, [] if stride is None else stride, padding, ceil_mode, count_include_pad,
                       divisor_override)


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """The mean of each window of [N, C, L] or [C, L]."""
    return _avg_pool1d(input, kernel_size, [] if stride is None else stride, padding, ceil_mode, count_include_pad)


def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The p-th root of the sum of p-th powers in each window of sequences."""
    if norm_type == 0:
        raise ZeroDivisionError("float division by zero")
    return _lp_pool(input, 1, norm_type, kernel_size, stride, ceil_mode)


def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The p-th root of the sum of p-th powers in each window of images."""
    if norm_type == 0:
        raise ZeroDivisionError("float division by zero")
    return _lp_pool(input, 2, norm_type, kernel_size, stride, ceil_mode)


def lp_pool3d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The p-th root of the sum of p-th powers in each window of volumes."""
    if norm_type == 0:
        raise ZeroDivisionError("float division by zero")
    return _lp_pool(input, 3, norm_type, kernel_size, stride, ceil_mode)


def adaptive_avg_pool2d(input, output_size):
    """Means of as many windows of images as output_size says."""
    return _adaptive_avg_pool2d(input, _filled(output_size, input))


def adaptive_avg_pool3d(input, output_size):
    """Means of as many windows of volumes as output_size says."""
    return _adaptive_avg_pool3d(input, _filled(output_size, input))


def adaptive_avg_pool1d(input, output_size):
    """Means of as many windows of sequences as output_size says."""
    return _adaptive_avg_pool1d(input, output_size)


def adaptive_max_pool2d(input, output_size, return_indices=False):
    """The largest elements of as many windows of images as output_size says, and where they were if wanted."""
    found = _adaptive_max_pool2d(input, _filled(output_size, input))
    return found if return_indices else found[0]


def adaptive_max_pool2d_with_indices(input, output_size, return_indices=False):
    """The largest elements of as many windows of images as output_size says, and where they were."""
    return _adaptive_max_pool2d(input, _filled(output_size, input))


def adaptive_max_pool3d(input, output_size, return_indices=False):
    """The largest elements of as many windows of volumes as output_size says, and where they were if wanted."""
    found = _adaptive_max_pool3d(input, _filled(output_size, input))
    return found if return_indices else found[0]


def adaptive_max_pool3d_with_indices(input, output_size, return_indices=False):
    """The largest elements of as many windows of volumes as output_size says, and where they were."""
    return _adaptive_max_pool3d(input, _filled(output_size, input))


def adaptive_max_pool1d(input, output_size, return_indices=False):
    """The largest elements of as many windows of sequences as output_size says, and where they were if wanted."""
    found = _adaptive_max_pool1d(input, output_size)
    return found if return_indices else found[0]


def adaptive_max_pool1d_with_indices(input, output_size, return_indices=False):
    """The largest elements of as many windows of sequences as output_size says, and where they were."""
    return _adaptive_max_pool1d(input, output_size)


def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Puts what max_pool1d chose back to its places; zeros elsewhere."""
    return _max_unpool(input, indices, 1, kernel_size, [] if stride is None else stride, padding, output_size)


def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Puts what max_pool2d chose back to its places; zeros elsewhere."""
    return _max_unpool(input, indices, 2, kernel_size, [] if stride is None else stride, padding, output_size)


def max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Puts what max_pool3d chose back to its places; zeros elsewhere."""
    return _max_unpool(input, indices, 3, kernel_size, [] if stride is None else stride, padding, output_size)


# End of what is written.


def fractional_max_pool2d_with_indices(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                                       _random_samples=None):
    """The largest elements of windows at random places, and where they are."""
    return _ops["_fractional_max_pool"](input, 2, kernel_size, output_size, output_ratio, _random_samples)


def fractional_max_pool3d_with_indices(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                                       _random_samples=None):
    """The largest elements of windows at random places, and where they are."""
    return _ops["_fractional_max_pool"](input, 3, kernel_size, output_size, output_ratio, _random_samples)


def fractional_max_pool2d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                          _random_samples=None):
    """The largest elements of windows at random places."""
    found = _ops["_fractional_max_pool"](input, 2, kernel_size, output_size, output_ratio, _random_samples)
    return found if return_indices else found[0]


def fractional_max_pool3d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                          _random_samples=None):
    """The largest elements of windows at random places."""
    found = _ops["_fractional_max_pool"](input, 3, kernel_size, output_size, output_ratio, _random_samples)
    return found if return_indices else found[0]


# Normalisation.

# Written by tools/layers.py from src/nn/layers/normalization.txt; do not edit.
_local_response_norm = _ops["local_response_norm"]
_batch_norm = _ops["_batch_norm"]
_instance_norm = _ops["_instance_norm"]
_layer_norm = _ops["layer_norm"]
_rms_norm = _ops["rms_norm"]
_group_norm = _ops["_group_norm"]


def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    """Each element divided by a power of the mean square of its neighbour channels."""
    if input.dim() < 3:
        raise ValueError(f"Expected 3D or higher dimensionality input (got {input.dim()} dimensions)")
    return _local_response_norm(input, size, alpha, beta, k)


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    """Each channel with mean 0 and variance 1 over the batch (or by running statistics), then scaled and shifted."""
    return _batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


def instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True,
                  momentum=0.1, eps=1e-5):
    """Each channel of each sample with mean 0 and variance 1, then scaled and shifted."""
    return _instance_norm(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps)


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    """The last dimensions with mean 0 and variance 1, then scaled and shifted."""
    return _layer_norm(input, normalized_shape, weight, bias, eps)


def rms_norm(input, normalized_shape, weight=None, eps=None):
    """The last dimensions divided by the root of their mean square, then scaled."""
    return _rms_norm(input, normalized_shape, weight, eps)


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    """Each group of channels with mean 0 and variance 1, then scaled and shifted."""
    return _group_norm(input, num_groups, weight, bias, eps)


# End of what is written.


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    """The input divided by its p-norm along a dimension."""
    made = _ops["normalize"](input, p, dim, eps)
    return made if out is None else _C._write_out(out, made)


# Embeddings.


# Written by tools/layers.py from src/nn/layers/embedding.txt; do not edit.
_embedding = _ops["_embedding"]
_embedding_bag = _ops["_embedding_bag"]


def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    """The rows of the table `weight` that the indices `input` name; with max_norm they are first shortened there."""
    return _embedding(input, weight, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse)


def embedding_bag(input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode="mean",
                  sparse=False, per_sample_weights=None, include_last_offset=False, padding_idx=None):
    """Sums, means or maxima of bags of embeddings: the rows of `input`, or one list cut by `offsets`."""
    return _embedding_bag(input, weight, offsets, max_norm, norm_type, scale_grad_by_freq, mode, sparse,
                          per_sample_weights, include_last_offset, padding_idx)


# End of what is written.


# Losses.


def _number(reduction, size_average, reduce):
    if size_average is None and reduce is None:
        return _Reduction.get_enum(reduction)
    return _Reduction.legacy_get_enum(size_average, reduce)


def _same_size(input, target, stacklevel=3):
    if not (target.shape == input.shape):
        warnings.warn(f"Using a target size ({target.shape}) that is different to the input size ({input.shape}). This "
                      "will likely lead to incorrect results due to broadcasting. Please ensure they have the same "
                      "size.", stacklevel=stacklevel)


def _weighted(name, input, target, weight, reduction, *more):
    """Each element's loss by its weight; the mean of most is over the sum of the weights."""
    if weight.shape != input.shape:
        raise ValueError("Weights and input must have the same size.")
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"Invalid reduction mode: {reduction}. Expected one of 'none', 'mean', 'sum'.")
    loss = ((input - target) ** 2 if name == "mse_loss" else _ops[name](input, target, 0, *more)) * weight
    if reduction == "none":
        return loss
    return loss.sum() if reduction == "sum" else loss.mean() if name == "huber_loss" else loss.sum() / weight.sum()


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """|input - target|."""
    _same_size(input, target)
    if size_average is not None or reduce is not None:
        reduction = _Reduction.legacy_get_string(size_average, reduce)
    if weight is not None:
        return _weighted("l1_loss", input, target, weight, reduction)
    return _ops["l1_loss"](input, target, _Reduction.get_enum(reduction))


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """(input - target)^2."""
    _same_size(input, target)
    if size_average is not None or reduce is not None:
        reduction = _Reduction.legacy_get_string(size_average, reduce)
    if weight is not None:
        return _weighted("mse_loss", input, target, weight, reduction)
    return _ops["mse_loss"](input, target, _Reduction.get_enum(reduction))


def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    """Squares of differences below delta, and straight lines above."""
    _same_size(input, target)
    if weight is not None:
        return _weighted("huber_loss", input, target, weight, reduction, delta)
    return _ops["huber_loss"](input, target, _Reduction.get_enum(reduction), delta)


def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    """The Kullback-Leibler divergence of log-probabilities from a target distribution."""
    if size_average is not None or reduce is not None:
        reduction = _Reduction.legacy_get_string(size_average, reduce)
    elif reduction == "mean":
        warnings.warn("reduction: 'mean' divides the total loss by both the batch size and the support "
                      "size.'batchmean' divides only by the batch size, and aligns with the KL div math "
                      "definition.'mean' will be changed to behave the same as 'batchmean' in the next major "
                      "release.", stacklevel=2)
    return _ops["_kl_div"](input, target, reduction, log_target)


def poisson_nll_loss(input, target, log_input=True, full=False, size_average=None, eps=1e-08, reduce=None,
                     reduction="mean"):
    """The negative log-likelihood of counts that are Poisson-distributed."""
    if size_average is not None or reduce is not None:
        reduction = _Reduction.legacy_get_string(size_average, reduce)
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not a valid value for reduction")
    return _ops["poisson_nll_loss"](input, target, log_input, full, eps, _Reduction.get_enum(reduction))


def gaussian_nll_loss(input, target, var, full=False, eps=1e-06, reduction="mean"):
    """The negative log-likelihood of targets that are normally distributed around the input."""
    if not isinstance(var, (Tensor, float)):
        raise TypeError(f"var must be a torch.Tensor or a float, but got {type(var).__name__}")
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = var * _ops["ones_like"](input)
    elif (var < 0).any():
        raise ValueError("var has negative entry/entries")
    if var.shape != input.shape:
        if input.shape[:-1] == var.shape:
            var = var.unsqueeze(-1)
        elif not (input.shape[:-1] == var.shape[:-1] and var.shape[-1] == 1):
            try:
                _ops["broadcast_tensors"]([var, input])
            except RuntimeError:
                raise ValueError("var is of incorrect size") from None
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not valid")
    return _ops["gaussian_nll_loss"](input, target, var, full, eps, _Reduction.get_enum(reduction))


def triplet_margin_with_distance_loss(anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False,
                                      reduction="mean"):
    """triplet_margin_loss with a distance of your own."""
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    distance = pairwise_distance if distance_function is None else distance_function
    if not anchor.ndim == positive.ndim == negative.ndim:
        raise RuntimeError("The anchor, positive, and negative tensors are expected to have the same number of "
                           f"dimensions, but got: anchor {anchor.ndim}D, positive {positive.ndim}D, and negative "
                           f"{negative.ndim}D inputs")
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = _ops["minimum"](far, distance(positive, negative))
    loss = _ops["clamp_min"](margin + near - far, 0)
    return loss.sum() if reduction == "sum" else loss.mean() if reduction == "mean" else loss


# Written by tools/layers.py from src/nn/layers/loss.txt; do not edit.
_smooth_l1_loss = _ops["smooth_l1_loss"]
_nll_loss_nd = _ops["nll_loss_nd"]
_cross_entropy_loss = _ops["cross_entropy_loss"]
_binary_cross_entropy = _ops["binary_cross_entropy"]
_binary_cross_entropy_with_logits = _ops["binary_cross_entropy_with_logits"]
_hinge_embedding_loss = _ops["hinge_embedding_loss"]
_multilabel_margin_loss = _ops["multilabel_margin_loss"]
_soft_margin_loss = _ops["soft_margin_loss"]
_multilabel_soft_margin_loss = _ops["multilabel_soft_margin_loss"]
_cosine_embedding_loss = _ops["cosine_embedding_loss"]
_margin_ranking_loss = _ops["margin_ranking_loss"]
_multi_margin_loss = _ops["multi_margin_loss"]
_triplet_margin_loss = _ops["triplet_margin_loss"]
_ctc_loss = _ops["ctc_loss"]


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    """Squares of small differences over beta, and the absolute values of others."""
    if target.shape != input.shape:
        warnings.warn(f"Using a target size ({target.shape}) that is different to the input size ({input.shape}). "
                      "This will likely lead to incorrect results due to broadcasting. Please ensure they have the "
                      "same size.", stacklevel=2)
    return _smooth_l1_loss(input, target, _number(reduction, size_average, reduce), beta)


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    """-input of the target classes, for input that holds log-probabilities."""
    return _nll_loss_nd(input, target, weight, _number(reduction, size_average, reduce), ignore_index)


def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean",
                  label_smoothing=0.0):
    """-log softmax(input) of the target classes: indices, or probabilities."""
    return _cross_entropy_loss(input, target, weight, _number(reduction, size_average, reduce), ignore_index,
                               label_smoothing)


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """The cross entropy between probabilities and targets, both in [0, 1]."""
    if target.shape != input.shape:
        raise ValueError(f"Using a target size ({target.shape}) that is different to the input size ({input.shape}) "
                         "is deprecated. Please ensure they have the same size.")
    return _binary_cross_entropy(input, target, weight, _number(reduction, size_average, reduce))


def binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None, reduction="mean",
                                     pos_weight=None):
    """The cross entropy between sigmoid(input) and targets in [0, 1]."""
    if target.shape != input.shape:
        raise ValueError(f"Target size ({target.shape}) must be the same as input size ({input.shape})")
    return _binary_cross_entropy_with_logits(input, target, weight, pos_weight,
                                             _number(reduction, size_average, reduce))


def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    """input where the target is 1, max(0, margin - input) where it is -1."""
    return _hinge_embedding_loss(input, target, margin, _number(reduction, size_average, reduce))


def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """A hinge loss for several classes at once."""
    return _multilabel_margin_loss(input, target, _number(reduction, size_average, reduce))


def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """log(1 + exp(-target * input))."""
    return _soft_margin_loss(input, target, _number(reduction, size_average, reduce))


def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """The mean over classes of the cross entropy of each, for several classes at once."""
    return _multilabel_soft_margin_loss(input, target, weight, _number(reduction, size_average, reduce))


def cosine_embedding_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    """1 - cos where the target is 1, max(0, cos - margin) where it is -1."""
    return _cosine_embedding_loss(input1, input2, target, margin, _number(reduction, size_average, reduce))


def margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    """max(0, -target * (input1 - input2) + margin)."""
    if input1.dim() != input2.dim() or input1.dim() != target.dim():
        raise RuntimeError("margin_ranking_loss : All input tensors should have same dimension but got sizes: "
                           f"input1: {input1.shape}, input2: {input2.shape}, target: {target.shape}")
    return _margin_ranking_loss(input1, input2, target, margin, _number(reduction, size_average, reduce))


def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
    """A hinge loss for one class of many."""
    if p != 1 and p != 2:
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None and weight.dim() != 1:
        raise ValueError("weight must be one-dimensional")
    return _multi_margin_loss(input, target, p, margin, weight, _number(reduction, size_average, reduce))


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, size_average=None,
                        reduce=None, reduction="mean"):
    """max(0, |anchor - positive| - |anchor - negative| + margin)."""
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    return _triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap,
                                _number(reduction, size_average, reduce))


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    """The negative log-likelihood of target sequences under all their alignments with the input."""
    return _ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, _Reduction.get_enum(reduction),
                     zero_infinity)


# End of what is written.


# Images.


def pad(input, pad, mode="constant", value=None):
    """Adds elements at both ends of the last dimensions: constant, or what mode reflects, replicates or wraps."""
    return _ops["pad"](input, pad, mode, value)


# Written by tools/layers.py from src/nn/layers/fold.txt; do not edit.
_col2im = _ops["col2im"]
_im2col = _ops["im2col"]


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """Columns added up to images; the reverse of Unfold."""
    return _col2im(input, output_size, kernel_size, dilation, padding, stride)


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """The sliding windows of images as columns."""
    return _im2col(input, kernel_size, dilation, padding, stride)


# End of what is written.


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    """The input at the positions of a grid, which run from -1 to 1."""
    made = _ops["_grid_sample"](input, grid, mode, padding_mode, bool(align_corners))
    if align_corners is None:
        warnings.warn("Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. "
                      "Please specify align_corners=True if the old behavior is desired. See the documentation of "
                      "grid_sample for details.", stacklevel=2)
    return made


def affine_grid(theta, size, align_corners=None):
    """A grid for grid_sample from affine matrices."""
    if align_corners is None:
        warnings.warn("Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. "
                      "Please specify align_corners=True if the old behavior is desired. See the documentation of "
                      "grid_sample for details.", stacklevel=2)
        align_corners = False
    if not theta.is_floating_point():
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    if len(size) == 4:
        if theta.dim() != 3 or theta.shape[-2] != 2 or theta.shape[-1] != 3:
            raise ValueError(f"Expected a batch of 2D affine matrices of shape Nx2x3 for size {size}. Got "
                             f"{theta.shape}.")
    elif len(size) == 5:
        if theta.dim() != 3 or theta.shape[-2] != 3 or theta.shape[-1] != 4:
            raise ValueError(f"Expected a batch of 3D affine matrices of shape Nx3x4 for size {size}. Got "
                             f"{theta.shape}.")
    else:
        raise NotImplementedError("affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, "
                                  f"respectively. Got size {size}.")
    if min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    return _ops["affine_grid_generator"](theta, list(size), align_corners)


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None,
                antialias=False):
    """The input resized to `size`, or by `scale_factor`."""
    if isinstance(size, (list, tuple)):
        for s in size:
            if not isinstance(s, int) and not (isinstance(s, Tensor) and not s.is_floating_point()):
                raise TypeError("expected size to be one of int or Tuple[int] or Tuple[int, int] or Tuple[int, int, "
                                f"int], but got size with types {[type(x) for x in size]}")
    elif size is not None:
        size = [size] * (input.dim() - 2)
    if scale_factor is not None and not isinstance(scale_factor, (list, tuple)):
        scale_factor = [scale_factor] * (input.dim() - 2)
    return _ops["_interpolate"](input, size, scale_factor, mode, align_corners, recompute_scale_factor, antialias)


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """interpolate by its old name."""
    warnings.warn("`nn.functional.upsample` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=2)
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input, size=None, scale_factor=None):
    """interpolate(mode="nearest") by its old name."""
    warnings.warn("`nn.functional.upsample_nearest` is deprecated. Use `nn.functional.interpolate` instead.",
                  stacklevel=2)
    return interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(input, size=None, scale_factor=None):
    """interpolate(mode="bilinear", align_corners=True) by its old name."""
    warnings.warn("`nn.functional.upsample_bilinear` is deprecated. Use `nn.functional.interpolate` instead.",
                  stacklevel=2)
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)


def conv_tbc(input, weight, bias, pad=0):
    """A convolution over (time, batch, channels)."""
    from .._functions import conv_tbc as f

    return f(input, weight, bias, pad)


def linear_cross_entropy(input, linear_weight, target, *, linear_bias=None, weight=None, reduction="mean", ignore_index=None,
                         label_smoothing=0.0, options=None):
    """cross_entropy(linear(input, linear_weight, linear_bias), target). What `options` says of chunks is not needed here."""
    if not 1 <= input.dim() <= 2:
        raise RuntimeError(f"expected input with dimensionality 1 or 2, got {input.dim()}")
    if linear_weight.dim() < 2:
        raise RuntimeError(f"expected linear_weight with dimensionality at least 2, got {linear_weight.dim()}")
    if input.shape[-1] != linear_weight.shape[-1]:
        raise RuntimeError("expected equal input and linear_weight last dimensions (in_features), "
                           f"got {input.shape[-1]} and {linear_weight.shape[-1]}, respectively")
    wanted = tuple(linear_weight.shape[:-1])  # the classes, and what is classified of each sample
    if linear_bias is not None and tuple(linear_bias.shape) != wanted:
        raise RuntimeError(f"expected linear_bias shape {wanted}, got {tuple(linear_bias.shape)}")
    if len(wanted) > 1 and input.dim() == 1:
        raise RuntimeError(f"K-dimensional loss defined by linear_weight shape {tuple(linear_weight.shape)} requires batched input, "
                           f"(N, {input.shape[-1]}), got unbatched input with shape {tuple(input.shape)}")
    if tuple(target.shape) == (*input.shape[:-1], *wanted) and ignore_index is not None:
        raise RuntimeError("ignore_index cannot be specified when target contains probabilities")
    bias = None if linear_bias is None else linear_bias.reshape(-1)
    logits = linear(input, linear_weight.reshape(-1, linear_weight.shape[-1]), bias).reshape(*input.shape[:-1], *wanted)
    return cross_entropy(logits, target, weight, ignore_index=-100 if ignore_index is None else ignore_index, reduction=reduction,
                         label_smoothing=label_smoothing)


def grouped_mm(mat_a, mat_b, *, offs=None, bias=None, out_dtype=None):
    """Products of groups: of a 3D operand its matrices, of a 2D one the parts that end at offs. What lies behind the last end is zero."""
    if mat_a.dim() not in (2, 3) or mat_b.dim() not in (2, 3):
        raise RuntimeError(f"mat_{'a' if mat_a.dim() not in (2, 3) else 'b'} has to be 2 or 3d")
    if mat_a.shape[-1] != mat_b.shape[-2]:
        raise RuntimeError(f"contraction dimension of mat_a and mat_b must match, got {mat_a.shape[-1]} and {mat_b.shape[-2]}")
    flat_a, flat_b = mat_a.dim() == 2, mat_b.dim() == 2
    if (offs is None) is (flat_a or flat_b):
        raise RuntimeError("Have to provide offsets if there is a 2d matrix, or no offset if both matrices are 3d")
    if bias is not None:
        raise RuntimeError("Bias not supported yet")
    if out_dtype not in (None, mat_a.dtype):
        raise RuntimeError("Grouped gemm output dtype must match `mat_a` dtype")
    if offs is None:
        if mat_a.shape[0] != mat_b.shape[0]:
            raise RuntimeError("batched dimension has to match")
        return mat_a @ mat_b
    if offs.dtype is not _C.int32:
        raise RuntimeError("Offsets have to be int32")
    if not (flat_a and flat_b) and offs.numel() != (mat_b if flat_a else mat_a).shape[0]:
        raise RuntimeError(f"matrix batch sizes have to match, got {(mat_b if flat_a else mat_a).shape[0]} matrices and {offs.numel()} offsets")
    ends = offs.tolist()
    parts = list(zip([0, *ends], ends))
    if flat_a and flat_b:
        return _ops["stack"]([mat_a[:, i:j] @ mat_b[i:j] for i, j in parts])
    if flat_a:
        rest = mat_a.new_zeros((mat_a.shape[0] - ends[-1], mat_b.shape[-1]))
        return _ops["cat"]([*(mat_a[i:j] @ mat_b[k] for k, (i, j) in enumerate(parts)), rest], 0)
    rest = mat_a.new_zeros((mat_a.shape[1], mat_b.shape[-1] - ends[-1]))
    return _ops["cat"]([*(mat_a[k] @ mat_b[:, i:j] for k, (i, j) in enumerate(parts)), rest], 1)


# Others may take them over: __torch_function__. Those left out call functions that ask.
_ASK_NOBODY = {"upsample", "upsample_nearest", "upsample_bilinear", "hardsigmoid", "hardswish"}
_AS_CALLED = {"avg_pool1d", "avg_pool2d", "avg_pool3d", "adaptive_avg_pool1d", "conv_tbc"}  # with the arguments that were given, no others
globals().update({_name: overridable(_f, AS_CALLED if _name in _AS_CALLED else AS_IN_PYTHON) for _name, _f in list(globals().items())
                  if isinstance(_f, FunctionType) and not _name.startswith("_") and _name not in _ASK_NOBODY and _f.__module__ == __name__})


def __getattr__(name):
    if name in ("boolean_dispatch", "handle_torch_function", "has_torch_function", "has_torch_function_unary",
                "has_torch_function_variadic"):
        from .. import overrides

        return getattr(overrides, name)
    if name == "_parse_to":  # as torch._C._nn has it
        from .modules.module import _parse_to

        return _parse_to
    raise AttributeError(f"torch.nn.functional.{name} is not part of Taut")
