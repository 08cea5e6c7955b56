"""Multi-head attention: projections, masks, and scaled_dot_product_attention (its formula, if weights are wanted)."""

import warnings

from .. import _C

_ops = _C.ops
_empty, linear = _C._empty, _ops["linear"]


def _additive(mask, name, other, other_name, dtype, check_other=True):
    """A mask as something to add: minus infinity where a bool mask is true."""
    if mask is None:
        return None
    if mask.dtype != _C.bool and not mask.is_floating_point():
        raise AssertionError(f"only bool and floating types of {name} are supported")
    if check_other and other is not None and mask.dtype != other:
        warnings.warn(f"Support for mismatched {name} and {other_name} is deprecated. Use same type for both instead.",
                      stacklevel=3)
    if mask.is_floating_point():
        return mask
    return _empty(tuple(mask.shape), None, dtype).zero_().masked_fill_(mask, float("-inf"))


def _check_attention_shapes(query, key, value, key_padding_mask, attn_mask, num_heads):
    dims = query.dim()
    if dims not in (2, 3):
        raise AssertionError(f"query should be unbatched 2D or batched 3D tensor but received {dims}-D query tensor")
    kind = "batched (3-D)" if dims == 3 else "unbatched (2-D)"
    if key.dim() != dims or value.dim() != dims:
        raise AssertionError(f"For {kind} `query`, expected `key` and `value` to be {dims}-D but found {key.dim()}-D "
                             f"and {value.dim()}-D tensors respectively")
    if key_padding_mask is not None and key_padding_mask.dim() != dims - 1:
        raise AssertionError(f"For {kind} `query`, expected `key_padding_mask` to be `None` or {dims - 1}-D but found "
                             f"{key_padding_mask.dim()}-D tensor instead")
    if attn_mask is not None:
        if attn_mask.dim() not in (2, 3):
            raise AssertionError(f"For {kind} `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found "
                                 f"{attn_mask.dim()}-D tensor instead")
        if dims == 2 and attn_mask.dim() == 3:
            expected = (num_heads, query.shape[0], key.shape[0])
            if attn_mask.shape != expected:
                raise AssertionError(f"Expected `attn_mask` shape to be {expected} but got {attn_mask.shape}")
    return dims == 3


def _linear_rows(x, weight, bias):
    """linear() of [length, batch, features]; what lies batch by batch is not copied, and its result lies so too."""
    if x.is_contiguous() or not x.transpose(0, 1).is_contiguous():
        return linear(x, weight, bias)
    return linear(x.transpose(0, 1), weight, bias).transpose(0, 1)


def _project(q, k, v, weight, bias):
    """One product for all three where they are the same tensor, one for key and value where those are."""
    n = q.shape[-1]
    if k is v:
        if q is k:
            return _linear_rows(q, weight, bias).chunk(3, -1)
        wq, wkv = weight.split([n, 2 * n])
        bq, bkv = (None, None) if bias is None else bias.split([n, 2 * n])
        return (_linear_rows(q, wq, bq), *_linear_rows(k, wkv, bkv).chunk(2, -1))
    wq, wk, wv = weight.chunk(3)
    bq, bk, bv = (None, None, None) if bias is None else bias.chunk(3)
    return _linear_rows(q, wq, bq), _linear_rows(k, wk, bk), _linear_rows(v, wv, bv)


def _project_apart(q, k, v, wq, wk, wv, bq=None, bk=None, bv=None):
    n, nk, nv = q.shape[-1], k.shape[-1], v.shape[-1]
    for name, w, shape in (("query", wq, (n, n)), ("key", wk, (n, nk)), ("value", wv, (n, nv))):
        if w.shape != shape:
            raise AssertionError(f"expecting {name} weights shape of {shape}, but got {w.shape}")
    for name, b in (("query", bq), ("key", bk), ("value", bv)):
        if b is not None and b.shape != (n,):
            raise AssertionError(f"expecting {name} bias shape of {(n,)}, but got {b.shape}")
    return _linear_rows(q, wq, bq), _linear_rows(k, wk, bk), _linear_rows(v, wv, bv)


def multi_head_attention_forward(query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k,
                                 bias_v, add_zero_attn, dropout_p, out_proj_weight, out_proj_bias, training=True,
                                 key_padding_mask=None, need_weights=True, attn_mask=None,
                                 use_separate_proj_weight=False, q_proj_weight=None, k_proj_weight=None,
                                 v_proj_weight=None, static_k=None, static_v=None, average_attn_weights=True,
                                 is_causal=False):
    """What nn.MultiheadAttention computes: [length, batch, features] attends to key and value."""
    batched = _check_attention_shapes(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not batched:
        same_key, same_value = key is query, value is key
        query = query.unsqueeze(1)
        key = query if same_key else key.unsqueeze(1)
        value = key if same_value else value.unsqueeze(1)
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.unsqueeze(0)
    length, batch, embed = query.shape
    source = key.shape[0]
    dtype = query.dtype
    padding = _additive(key_padding_mask, "key_padding_mask", None if attn_mask is None else attn_mask.dtype,
                        "attn_mask", dtype)
    if is_causal and attn_mask is None:
        raise RuntimeError("Need attn_mask if specifying the is_causal hint. You may use the Transformer module method "
                           "`generate_square_subsequent_mask` to create this mask.")
    if is_causal and padding is None and not need_weights:
        attn_mask = None  # the kernel knows it without being told
    else:
        attn_mask = _additive(attn_mask, "attn_mask", None, "", dtype, False)
        if padding is not None:
            is_causal = False
    if embed != embed_dim_to_check:
        raise AssertionError(f"was expecting embedding dimension of {embed_dim_to_check}, but got {embed}")
    head = embed // num_heads
    if head * num_heads != embed:
        raise AssertionError(f"embed_dim {embed} not divisible by num_heads {num_heads}")
    if use_separate_proj_weight:
        if key.shape[:2] != value.shape[:2]:
            raise AssertionError(f"key's sequence and batch dims {key.shape[:2]} do not match value's "
                                 f"{value.shape[:2]}")
        if q_proj_weight is None:
            raise AssertionError("use_separate_proj_weight is True but q_proj_weight is None")
        if k_proj_weight is None:
            raise AssertionError("use_separate_proj_weight is True but k_proj_weight is None")
        if v_proj_weight is None:
            raise AssertionError("use_separate_proj_weight is True but v_proj_weight is None")
        biases = (None, None, None) if in_proj_bias is None else in_proj_bias.chunk(3)
        q, k, v = _project_apart(query, key, value, q_proj_weight, k_proj_weight, v_proj_weight, *biases)
    else:
        if key.shape != value.shape:
            raise AssertionError(f"key shape {key.shape} does not match value shape {value.shape}")
        if in_proj_weight is None:
            raise AssertionError("use_separate_proj_weight is False but in_proj_weight is None")
        q, k, v = _project(query, key, value, in_proj_weight, in_proj_bias)
    if attn_mask is not None:
        if attn_mask.dim() == 2:
            if attn_mask.shape != (length, source):
                raise RuntimeError(f"The shape of the 2D attn_mask is {attn_mask.shape}, but should be "
                                   f"{(length, source)}.")
            attn_mask = attn_mask.unsqueeze(0)
        elif attn_mask.shape != (batch * num_heads, length, source):
            raise RuntimeError(f"The shape of the 3D attn_mask is {attn_mask.shape}, but should be "
                               f"{(batch * num_heads, length, source)}.")

    def one_more():
        nonlocal attn_mask, padding
        if attn_mask is not None:
            attn_mask = _ops["pad"](attn_mask, (0, 1))
        if padding is not None:
            padding = _ops["pad"](padding, (0, 1))

    if bias_k is not None and bias_v is not None:
        if static_k is not None:
            raise AssertionError("bias cannot be added to static key.")
        if static_v is not None:
            raise AssertionError("bias cannot be added to static value.")
        k = _ops["cat"]([k, bias_k.repeat(1, batch, 1)])
        v = _ops["cat"]([v, bias_v.repeat(1, batch, 1)])
        one_more()

    def by_head(x):
        return x.view(x.shape[0], batch, num_heads, head).permute(1, 2, 0, 3)

    def given(x, name):
        if x.shape[0] != batch * num_heads:
            raise AssertionError(f"expecting {name}.size(0) of {batch * num_heads}, but got {x.shape[0]}")
        if x.shape[2] != head:
            raise AssertionError(f"expecting {name}.size(2) of {head}, but got {x.shape[2]}")
        return x.view(batch, num_heads, -1, head)

    q = by_head(q)
    k = by_head(k) if static_k is None else given(static_k, "static_k")
    v = by_head(v) if static_v is None else given(static_v, "static_v")
    if add_zero_attn:
        zeros = _empty((batch, num_heads, 1, head), None, k.dtype).zero_()
        k = _ops["cat"]([k, zeros.to(k.dtype)], 2)
        v = _ops["cat"]([v, zeros.to(v.dtype)], 2)
        one_more()
    source = k.shape[2]
    if attn_mask is not None:
        attn_mask = attn_mask.unsqueeze(0) if attn_mask.shape[0] == 1 else attn_mask.view(batch, num_heads, -1, source)
    if padding is not None:
        for d, n in enumerate((batch, source)):
            if padding.shape[d] != n:
                raise AssertionError(f"Expected key_padded_mask.shape[{d}] to be {n}, but got {padding.shape[d]}")
        padding = padding.view(batch, 1, 1, source)
        attn_mask = padding if attn_mask is None else attn_mask + padding
    if not training:
        dropout_p = 0.0
    weights = None
    if need_weights:
        scores = _ops["matmul"](q * (1.0 / float(head)) ** 0.5, k.mT)
        weights = _ops["softmax"](scores if attn_mask is None else attn_mask + scores, -1)
        if dropout_p > 0.0:
            weights = _ops["dropout"](weights, dropout_p, True)
        out = _ops["matmul"](weights, v)
        if average_attn_weights:
            weights = weights.mean(1)
    else:
        out = _ops["scaled_dot_product_attention"](q, k, v, attn_mask, dropout_p, is_causal)
    out = _linear_rows(out.permute(2, 0, 1, 3).reshape(length, batch, embed), out_proj_weight, out_proj_bias)
    # The result lies step by step as PyTorch's does: the numbers a dropout draws for it follow its memory.
    out = out.contiguous()
    if batched:
        return out, weights
    return out.squeeze(1), None if weights is None else weights.squeeze(0)
