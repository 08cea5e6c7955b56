#!/usr/bin/env python3
"""Random programs in PyTorch and in Taut: compare_graphs.py [--graphs 20000] [--first 0] [--seed 0] [--taut python] [--only op].

What PyTorch runs (see random_programs.py), Taut must run too, with the same dtypes, shapes, values and requires_grad, and the
same first and second derivatives; what PyTorch refuses, Taut must refuse, and change nothing. Each disagreement is shrunk to a
short program and shown once per op and kind, unless EXPLAINED says why it is meant. The same seed gives the same programs.
Skips, loudly, where torch is not installed.
"""

import argparse
import ast
import json
import math
import os
import random
import re
import subprocess
import sys
import time
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "python", "tests")]
from programs import SPECIAL_NUMBERS, WAYS, disagreement, outcome, read, total  # noqa: E402
from random_programs import ROOT, UNDEFINED, Writer, samples  # noqa: E402

# Disagreements that are meant: a pattern of "the shrunk program \n where \n kind: text", and why. Derivatives that PyTorch gets
# wrong are not among them: is_right finds these by differences.
EMPTY = r"[^@]*(\.reshape\(\([^)]*\b0\b|PyTorch gives \[\['\w+', \[[^]]*\b0\b)"
SPECIAL = r"[^@]*\b(inf|nan)\b[^@]*\n"
# Factors of matrices, and what is made of them.
MATRICES = (r"(linalg_\w+|svd\w*|qr|geqrf|orgqr|ormqr|lu(_\w+)?|pinverse|nuclear_norm|s?logdet|det|inverse|matrix_\w+|cholesky\w*|"
            r"triangular_solve|pca_lowrank|lobpcg|chain_matmul)(\.\w+)?'?\)?")
GRADIENT = r"[^@]*(backward|gradients)\ndiffers"
EXPLAINED = [
    # What is refused on purpose.
    (r"raises: raises .*(not implemented for|expected .*floating dtype|expected floating point|Expected dtype int32/int64|"
     r"the same dtype|target dtype to be|should be the same|must match the size|Using a target size|expected scalar type|"
     r"Expected a floating point or complex tensor|expected a floating-point tensor|with two bool tensors|"
     r"expected an input of at least 2 dimensions|output padding must be smaller|possibly 0 batch size|"
     r"more than one element of the written-to|norm: input dtype should be|received a bool input for|dilation should be greater).*PyTorch gives "
     r"\[\['\w+', \[[^]]*\b0\b", "PyTorch looks at dtypes and shapes only where there is an element"),
    (r"\.reshape\(\([^)]*\b0\b[^@]*raises: raises .*(Expected dtype int32/int64|to have the same dtype|target dtype to be|"
     r"expected floating point|Using a target size|expected scalar type|linalg.\w+: not implemented for|received a bool input for)",
     "PyTorch looks at dtypes and shapes only where there is an element"),
    (r"(max_unpool[^@]*raises: raises .*Found an invalid max index: |index_fill_?\([^@]*raises: raises .*is out of bounds).*PyTorch gives "
     r"\[\['\w+', \[[^]]*\b0\b",
     "PyTorch looks at indices only where there is an element to write"),
    (r"raises: raises .*functions with out=... arguments don't support automatic differentiation",
     "PyTorch's ops of several steps forget that out= and gradients do not go together"),
    (r"raises: raises .*inner: Expected out tensor to have dtype", "PyTorch's inner of a single number takes any destination"),
    (r"embedding_dense_backward\W[^@]*(raises: raises .*same dtype|int\d+\)\n[^@]*differs)", "gradients are floating-point numbers"),
    (r"raises: raises .*is not a valid value for reduction", "PyTorch takes any other number for no reduction"),
    (r"raises: raises .*(lstm|gru|rnn_\w+?)(_cell)?: (Expected )?(mat1 and mat2 must have the same dtype|b_ih|b_hh|w_ih|w_hh|hidden|hx|"
     r"input must have 3 dimensions)", "PyTorch broadcasts and promotes what recurrent layers are given"),
    (r"raises: raises .*(lstm|gru|rnn_\w+): dropout probability has to be", "PyTorch looks at the dropout of layers only between two"),
    (r"raises: raises .*conv\w+: Input type .* and bias type", "PyTorch promotes the bias of some convolutions"),
    (r"raises: raises .*pad_sequence: all sequences must agree", "PyTorch broadcasts shorter sequences"),
    (r"raises: raises .*grid_sampler\w*: (padding_mode|interpolation_mode) must be", "PyTorch takes any number for a mode"),
    (r"raises: raises .*affine_grid: Expected non-zero, positive output size", "only the function of Python refuses that in PyTorch"),
    (r"raises: raises .*embedding_bag: max mode does not support scaling", "only the function of Python refuses that in PyTorch"),
    (r"raises: raises .*adaptive_avg_pool[23]d\(\): Expected [34]D or [45]D", "PyTorch takes a mean for pooling, whatever the dimensions"),
    (r"raises: raises .*fractional_max_pool\dd: kernel_size should be", "PyTorch pools windows without elements"),
    (r"cum(max|min)\W[^@]*raises: raises .*Dimension out of range.*PyTorch gives \[\['\w+', \[[^]]*\b0\b",
     "PyTorch looks at the dimension only where there is an element"),
    (r"raises: raises .*embedding_dense_backward: index \d+ is out of bounds", "PyTorch leaves out what is beyond the last row"),
    (r"\.reshape\(\([^)]*\b0\b[^@]*scaled_dot_product_attention\W[^@]*(raises: raises|differs: gives)",
     "PyTorch looks at no keys and values where one has no element"),
    (r"take_along_dim\W[^@]*raises: raises .*out of bounds", "PyTorch reads beyond the end of what it expands"),
    (r"raises: raises .*_weight_norm: g has shape", "PyTorch reads lengths of any shape as if there were enough of them"),
    (r"raises: raises .*ctc_loss: Target \d+ is out of bounds", "PyTorch reads beyond the last class"),
    (r"raises: raises .*batch_norm: (weight|bias) should contain", "PyTorch reads beyond the end of native_batch_norm's parameters"),
    (r"raises: raises .*pack_padded_sequence: a length of \d+ is beyond", "PyTorch reads beyond the end of the sequence"),
    (r"raises: raises .*(addmv_|addbmm_|baddbmm_|embedding_renorm_): unsupported operation: more than one element of the written-to",
     "PyTorch adds every product of an expanded tensor to the one element there is"),
    (r"raises: raises .*addbmm_: output with shape", "PyTorch resizes what addbmm_ is given"),
    (r"logical_\w+_\([^@]*raises: raises .*view of a leaf", "PyTorch takes logical ops in place for differentiable ones"),
    (r"raises: raises RuntimeError: (cannot register a hook|can't retain_grad).*", "a view made without a graph: PyTorch lets it be"
     " watched, but nothing reaches it"),
    (r"(_recurrent|lstm|gru|rnn_\w+?)(_cell)?\W[^@]*raises: raises .*expected a floating point input, got complex", "recurrent layers"
     " are for real numbers"),
    (r"(multiply|prod)'[^@]*raises: raises .*scatter_reduce\" not implemented for 'Complex", "products by index are for real numbers"),
    (r"(adaptive_avg_pool\dd|soft_margin_loss|poisson_nll_loss|gaussian_nll_loss|native_dropout|affine_grid\w*|embedding_dense_backward|logcumsumexp)\W[^@]*"
     r"raises: raises .*not implemented for '?[Cc]omplex", "pools, losses, dropout, grids and embeddings are for real numbers"),
    (r"raises: raises _LinAlgError: .*contained non-finite values", "PyTorch's LAPACK gives zeros or nan for some infinite matrices"),
    (r"linalg_solve_triangular\W[^@]*raises: raises .*Expected A and B to have the same dtype", "PyTorch casts a complex right-hand side"
     " to a real dtype"),
    (r"\b(linalg_)?det\W[^@]*double backward\nraises: raises _LinAlgError: .*is singular", "rounding decides whether the last pivot is 0"),
    (r"\.view\([^@]*raises: raises .*view size is not compatible", "a result may lie otherwise in memory"),
    (r"v(\d+)\[[^\n]*\] = v\1\n[^@]*raises: raises .*some elements of the input tensor and the written-to", "PyTorch lets a tensor of one"
     " element be written to itself"),
    (r"\.reshape\(\(0, [^@]*MultiheadAttention\([^@]*raises: raises .*must have the same batch", "PyTorch looks at no keys where there is none"),
    (r"logspace\W[^@]*raises: raises .*logspace: not implemented for bool", "PyTorch draws a line of bools"),
    (r"reshape\(-1\)[^@]*raises: raises .*refer to a single memory location", "a result may lie otherwise in memory"),
    (r"sparse[^@]*raises: raises .*'aten::view_as_real' with arguments from the 'Sparse", "sparse tensors have no real part"),
    (r"raises: raises .*pivots passed to lu_unpack must be", "PyTorch reads beyond the end of pivots of another shape"),
    (r"logsumexp\W[^@]*raises: raises .*result type complex\d+ can't be cast", "PyTorch's logsumexp drops imaginary parts without a word"),
    (r"_sparse_compressed_tensor\W[^@]*raises: raises .*(is not satisfied|must be equal to the number of)", "PyTorch looks at the indices only in the public function"),
    (r"_histogramdd_bin_edges\W[^@]*raises: raises .*number of bins must be positive", "PyTorch looks at the number of bins only later"),
    (r"_(max_unpool|\w+_rsample)\W[^@]*raises: raises .*(must be tuple of ints|negative dimension)", "sizes are whole numbers, and"
     " not negative"),
    (r"to_sparse_cs[cr]\W[^@]*raises: raises .*matrices, without batches", "batches of compressed matrices are missing"),
    (r"sub_\(\d+, 300\)\n[^@]*raises: raises .*value cannot be converted", "PyTorch wraps a factor between two numbers"),
    # What is taken.
    (r"_(gumbel|categorical|student_t|dirichlet)_\w+'\)\([^@]*accepts: .*(torch.finfo\(\) requires|ValueError: )", "the formulas of a distribution"
     " leave it to its class to check parameters"),
    (r"bool\)\.reshape\([^@]*_gumbel_softmax\W[^@]*accepts: .*with a bool tensor is not supported", "nothing is subtracted"),
    (r"type_as\([^@]*accepts: .*doesn't support converting to a different layout", "a dtype is taken, whatever the layout"),
    (r"(deg2rad|rad2deg)_?\([^@]*accepts: .*is not supported for complex", "a product with a number"),
    (r"index_put_?\([^@]*accepts: .*expected Tensor as element \d in argument \d, but got NoneType", "dimensions may be left out, as in C++"),
    (r"constant_pad_nd\([^@]*accepts: .*unexpected keyword argument 'out'", "PyTorch's constant_pad_nd has out= in C++ only"),
    (r"_channel_dropout\W[^@]*accepts: .*has no attribute 'dropout", "one op for channels of any number of dimensions"),
    (r"accepts: .*does not support automatic differentiation for outputs with complex dtype", "PyTorch knows no derivative of these for"
     " complex numbers"),
    (r"(hann|hamming|blackman|bartlett|kaiser)_window\([^@]*out=[^@]*accepts: .*invalid combination of arguments", "only PyTorch's C++"
     " functions of windows take out="),
    (r"(conv_tbc|local_response_norm|LocalResponseNorm)\W[^@]*accepts: .*view size is not compatible", "PyTorch wants dense arguments here"),
    (r"kron\([^@]*accepts: .*view size is not compatible", "PyTorch's kron wants dense arguments where it records nothing"),
    (r"take_along_dim\W[^@]*accepts: .*view size is not compatible", "PyTorch's take_along_dim wants dense arguments"),
    (r"\.view\([^@]*accepts: .*view size is not compatible", "a result may lie otherwise in memory"),
    (r"argsort\([^@]*stable=(True|False), out=[^@]*accepts: .*automatic differentiation", "indices have no gradient"),
    (r"detach_\(\)[^@]*accepts: .*Can't detach views", "what PyTorch takes for a view is one of a temporary"),
    (r"(_scatter|index_fill)\W[^@]*accepts: .*Autograd not support dtype", "what is put into bools or whole numbers has no gradient"),
    (r"multilabel_soft_margin_loss\W[^@]*accepts: .*with a bool tensor is not supported", "bools are targets, too"),
    (r"(native_batch_norm|group_norm)\W[^@]*accepts: .*expected scalar type", "weight and bias may be of two dtypes"),
    (r"gaussian_nll_loss\W[^@]*accepts: .*var is of incorrect size", "one variance may serve all numbers"),
    (r"topk\W[^@]*accepts: .*topk does not support bool", "PyTorch has no kernel"),
    (r"torch\.(std|var)\([^@]*out=[^@]*accepts: .*std_var_all: Unsupported dtype", "PyTorch has no kernel"),
    (r"normal\([^@]*out=[^@]*accepts: .*must match the size of tensor b \(0\)", "PyTorch's normal does not resize what it writes to"),
    (r"ctc_loss\([^@]*accepts: .*invalid combination of arguments", "a single length may be a tensor beside a list"),
    # Graphs.
    (r"(no_grad\(\): v\d+ = |requires_grad_\(\))[^@]*differs: is \[(requires_grad )?leaf.*in PyTorch \[requires_grad",
     "a view made without a graph says it requires grad, but in PyTorch nothing reaches it either"),
    (r"\.requires_grad_\(\)\n[^@]*backward\ndiffers", "a leaf that requires grad only after it was used has no part in what was recorded"),
    (r"(no_grad\(\): v\d+|v\d+\.detach_\(\)\n[^@]*v\d+)\.(unsqueeze_|squeeze_|transpose_|t_)\([^@]*(backward|gradients)\n(raises|differs)",
     "a leaf changed its shape after it was used"),
    (r"retain_grad\(\)\n[^@]*\.(unsqueeze_|squeeze_|transpose_|t_)\([^@]*backward\ndiffers: gives",
     "PyTorch keeps the gradient of a shape that the tensor had before"),
    (r"register_hook\(lambda g: (g \* 2|-g)[^@]*double backward\ndiffers",
     "a hook that changes gradients is met by those paths of a second derivative that lead through its tensor"),
    (r"(bool|int\d+)[^@]*fill_\([^@]*differs: is \[leaf.*in PyTorch \[requires_grad", "what is put into bools or whole numbers has no gradient"),
    (r"logical_(and|or|xor|not)_\(" + GRADIENT, "PyTorch passes gradients through logical ops in place"),
    (r"torch\.tensor\(\[[^\n]*\b(\d)\b[^\n]*dtype=torch.int\d+\)\n[^@]*ctc_loss\W[^\n]*, \1, \d" + GRADIENT, "a label that is the blank"),
    (r"as_strided_scatter\W" + GRADIENT, "PyTorch takes the strides of as_strided_scatter for those of a dense gradient"),
    (r"kron\([^@]*v\d+(\[[^\n]*\])? [-+*/]*=[^=@]*(backward|gradients)\ndiffers", "PyTorch's kron does not notice that an argument was overwritten"),
    (r"scatter_reduce_?\W[^\n]*include_self=False\)" + GRADIENT, "PyTorch counts ties of what scatter_reduce does not include"),
    (r"uint8[^@]*soft_margin_loss\W[^@]*differs", "PyTorch negates targets of uint8"),
    (r"smooth_l1_loss\W[^\n]*, -?0(\.0)?\)" + GRADIENT, "the gradient of |x - y| is 0 where both are equal, as that of l1_loss"),
    (r"float16[^@]*normalize\W[^@]*(backward|gradients)\ndiffers: element \d+ is (-?inf|nan), PyTorch has (-?inf|nan)",
     "eps is 0 in half precision: 1 / 0"),
    (r"(embedding_bag\W[^\n]*, True, [01], False|(embedding_bag|EmbeddingBag)\W[^\n]*scale_grad_by_freq=True)" + GRADIENT, "PyTorch divides by how often another row was read"),
    (r"embedding\W[^\n]*scale_grad_by_freq=True\)[^@]*double backward\ndiffers", "PyTorch's second derivative does not divide"),
    (r"float16[^@]*= v(\d+) / v\1\n[^@]*(backward|gradients)\ndiffers", "two slopes of a small number in half precision, of which nothing is left"),
    (r"uint8[^@]*atan2\W" + GRADIENT, "PyTorch squares in uint8"),
    (r"b?float16[^@]*\*\*= \d[\de]*\n[^@]*(backward|gradients)\ndiffers: element \d+ is -inf, PyTorch has (inf|nan)",
     "PyTorch rounds an odd power to an even one in half precision"),
    (r"float16[^@]*(\d+ \*\*|= [\de.-]+ /) v\d+[^@]*(backward|gradients)\ndiffers: element \d+ is -?[\d.e+]+, PyTorch has -?inf",
     "does not overflow where the result fits"),
    (SPECIAL + r"[^\n]*cross_entropy_loss\W[^@]*(backward|gradients)\ndiffers: element \d+ is 0.0, PyTorch has nan",
     "a row that is ignored has no gradient"),
    (SPECIAL + r"[^\n]*soft_margin_loss\W[^@]*(backward|gradients)\ndiffers: element \d+ is -?[\d.]+, PyTorch has nan",
     "PyTorch's slope of a large loss is inf / inf"),
    (SPECIAL + r"[^\n]*poisson_nll_loss\W[^@]*(backward|gradients)\ndiffers: element \d+ is -?inf, PyTorch has nan",
     "PyTorch's gradient of t log(t) is inf / inf"),
    (r"kl_div\W[^@]*(backward|gradients)\ndiffers: element \d+ is -inf, PyTorch has nan", "PyTorch's gradient of t log(t) at 0 is 0 / 0"),
    (r"(digamma|polygamma)_?\([^@]*differs: element \d+ is -?inf, PyTorch has -?[\d.]+(e\+\d+)?", "a pole that PyTorch's sine misses"),
    (r"float16[^@]*multilabel_soft_margin_loss" + r"\W[^@]*(backward|gradients)\ndiffers: element \d+ is -?inf, PyTorch has nan",
     "PyTorch's slope of a large loss is inf / inf"),
    (r"\.expand\([^@]*\bqr\W" + GRADIENT, "columns that depend on each other have no derivative of their QR"),
    (r"(poisson_nll_loss|PoissonNLLLoss)\W[^\n]*True[^@]*(backward|gradients)\ndiffers: element \d+ is [^,]+, PyTorch has nan",
     "PyTorch multiplies the slope of Stirling's term by 0 where it leaves that out"),
    (r"(kthvalue|mode)\W[^@]*raises: raises .*not implemented for 'Complex", "PyTorch looks at the dtype of a single number nowhere"),
    (r"(linalg_lstsq|binomial|histogram|_histogramdd_\w+|detach_copy|_standard_gamma_grad)\W[^@]*differs: is \[leaf", "what has no derivative is no part of the graph"),
    (r"multilabel_margin_loss\W[^@]*(backward|gradients)\ndiffers: element \d+ is 0.0, PyTorch has nan", "no slope times nan is none"),
    (r"complex\d+[^@]*\b(div\w*\(|/=? )[^@]*(backward|gradients)\ndiffers: element \d+ is nan, PyTorch has -?inf",
     "a complex number divided by 0"),
    (r"complex\d+[^@]*_icdf\W[^@]*(backward|gradients)\ndiffers: element \d+ is (-?inf|nan), PyTorch has (-?inf|nan)", "a complex number"
     " times an infinite one"),
    (r"multi_head_attention_forward\W[^@]*accepts: .*self and mat2 must have the same dtype", "a bias that lies scattered is added in a step"
     " of its own, which promotes"),
    (r"linalg_vander\W[^@]*accepts: .*linalg.vander supports floating point", "PyTorch has no powers of half precision here"),
    (r"view_as_complex_copy\([^@]*accepts: .*must have a last dimension with stride 1", "a copy may lie as it likes"),
    (r"round\([^@]*decimals=\d{2,}\)" + GRADIENT + r": element \d+ is nan", "the result is 10^decimals / 10^decimals, and not a number either"),
    (r"[^@]*accepts: gives \[\['\w+', \[[^]]*\b0\b[^@]*refer to a single memory location", "nothing is written"),
    (r"\.(narrow|squeeze)\([^@]*accepts: .*Sparse [CB]S[RC] tensors do not have strides", "compressed tensors may be cut"),
    (r"linalg_multi_dot\W[^@]*accepts: .*A view was created in no_grad mode", "PyTorch's product is a view of a temporary"),
    (r"addmm\W[^@]*accepts: .*addmm_sparse_dense: expected either", "a sparse factor may be the second"),
    # Values.
    (r"\.reshape\(\(0, [^@]*(multilabel_margin_loss|multi_margin_loss|MultiMarginLoss|MultiLabelMarginLoss)\W[^@]*differs: element 0 is (nan|0.0)",
     "PyTorch leaves the result for no samples as the memory was"),
    (r"(special_\w+_polynomial_\w+)\W[^@]*differs: element \d+ is -?inf, PyTorch has nan", "PyTorch's recurrences subtract infinities"),
    (SPECIAL + r"[^\n]*special_\w+_polynomial_\w+\W[^@]*differs: element \d+ is nan", "PyTorch's loops leave the result for nan as the memory was"),
    (r"_standard_gamma'\)\([^@]*differs: element \d+ is nan", "there is no gamma distribution of a negative concentration"),
    (r"matrix_power\W[^@]*differs: element \d+ is (-?inf|nan), PyTorch has (-?inf|nan)", "a sum of infinite products"),
    (r"linalg_cond\W[^@]*differs: element \d+ is (\d(\.\d+)?e\+1\d, PyTorch has inf|inf, PyTorch has (\d(\.\d+)?e\+1\d|\d{7,}))", "the least singular"
     " value of a singular matrix is 0 or rounding"),
    (r"complex\d+[^@]*(neg\w*\(|= -v)[^@]*differs: element \d+ is -0.0, PyTorch has 0.0", "PyTorch's vectors subtract from 0"),
    (r"complex\d+[^@]*(\*\*|pow_?\()[^@]*differs: element \d+ is -?0.0, PyTorch has -?0.0", "which zero a product ends with"),
    (r"complex\d+[^@]*(\*\*|pow_?\()[^@]*differs: element \d+ is (nan|-?inf), PyTorch has (nan|-?inf)",
     "a complex power that is not finite"),
    (r"\b(fft_\w+|i?stft)\W[^@]*differs: element \d+ is -?0.0, PyTorch has -?0.0", "which zero a sum begins with"),
    (r"to_(sparse|dense)\w*\W[^@]*differs: element \d+ is -0.0, PyTorch has 0.0", "PyTorch adds elements to zeros"),
    (r"triangular_solve\W[^@]*differs: is \[leaf\], in PyTorch \[requires_grad\]", "the copy of A beside a solution is no part of the graph"
     " where A is none"),
    (r"(linalg_eigh|linalg_svd|svd)\W[^@]*differs: element \d+ is (-?)(\d\.\d{5})\d*, PyTorch has (?!\2\d)-?\3", "a vector of a basis"
     " may have either sign"),
    (MATRICES + r"\([^@]*differs: element \d+ is -?0.0, PyTorch has -?0.0", "which zero a sum of products begins with"),
    (r"gelu\W[^@]*// [^@]*differs: element \d+ is -1.0, PyTorch has -0.0", "PyTorch's gelu is 0 where it still is a small number"),
    (r"int\d*[^@]*digamma\([^@]*out=[^@]*differs", "whole numbers become float32 before they are written"),
    (r"pad_sequence\W[^@]*differs: gives \w+\[[^@]*, PyTorch \w+\[", "PyTorch casts all sequences to the dtype of the first"),
    (r"polygamma\((\d\d\d|[\d.e]+), [^@]*differs: element \d+ is -?inf, PyTorch has nan", "PyTorch multiplies an infinite n! by a 0"),
    (r"\b(max|min|maximum|minimum|fmax|fmin|amax|amin|aminmax)\W[^@]*differs: element \d+ is -?0.0, PyTorch has -?0.0",
     "which of two equal zeros is taken depends on how many numbers PyTorch takes at a time"),
    (r"\b(matmul|mm|bmm|mv|dot|add\w*m[mv]|linear|tensordot|einsum|conv\w*)\W[^@]*differs: element \d+ is -?0.0, PyTorch has -?0.0",
     "which zero a sum of products begins with"),
    (r"lerp_?\W[^@]*differs: element \d+ is -?0.0, PyTorch has -?0.0", "PyTorch's vectors add a product, its single numbers subtract one"),
    (r"addmv\W[^@]*differs: gives \w+\[0\], PyTorch \w+\[1\]", "PyTorch's product of an empty matrix is not empty"),
    (r"(soft_margin_loss|SoftMarginLoss)\W[^@]*differs: element \d+ is [\d.]+, PyTorch has inf", "does not overflow where the result fits"),
    (r"unique_dim'\)\([^@]*differs: gives int64\[0\]", "an inverse or counts that were not asked for"),
    (r"_upsample_bi\w+2d_aa'\)\(v\d+, \[\d+, 1\][^@]*differs", "PyTorch repeats the first row where the width becomes 1"),
    (r"pixel_(un)?shuffle\([^@]*differs: gives \w+\[[^]]*\b0\b", "PyTorch leaves a shape without elements as it is"),
    (r"differs: is \[((requires_grad)? ?(leaf)?) ?(in v\d+)?\], in PyTorch \[\1 ?(in v\d+)?\]", "a result may lie otherwise in memory"),
    (r"float16[^@]*fractional_max_pool\dd\W[^@]*differs", "PyTorch's intervals are computed in half precision"),
    (r"(std_mean|var_mean)\W[^@]*differs: element \d+ is -0.0, PyTorch has 0.0", "the mean of -0 is -0, as that of mean"),
    (r"torch.unique_consecutive\(v\d+, (True|False)[^@]*differs", "PyTorch mixes up flags of unique_consecutive that are not named"),
    (r"(native_layer_norm|native_group_norm|std_mean|var_mean)\W[^@]*differs: element \d+ is -?inf, PyTorch has nan",
     "the mean of numbers with one infinity is infinite"),
    (r"(instance_norm|batch_norm|group_norm)\W[^@]*differs: element \d+ is (-?inf, PyTorch has nan|-?0.0, PyTorch has -?0.0)",
     "PyTorch folds weight and statistics into one factor"),
    (r"layer_norm\W[^@]*differs: element \d+ is -0.0, PyTorch has 0.0", "PyTorch adds a bias of 0 where there is none"),
    (r"(softshrink|Softshrink)\W[^@]*differs: element \d+ is 0.0, PyTorch has -0.0", "only PyTorch's single numbers keep the sign, its vectors do not"),
    (r"(upsample_(tri|bi)?(linear|cubic)\dd(_aa)?|interpolate|Upsampl\w+)\W[^@]*differs: element \d+ is (-?inf, PyTorch has nan|-?0.0, PyTorch has -?0.0)",
     "PyTorch also adds the neighbour times 0"),
    (r"(embedding_bag\W[^\n]*, [012], (True|False), None, True, |(embedding_bag|EmbeddingBag)\W[^\n]*include_last_offset=True)[^@]*differs: element", "PyTorch goes on beyond a last offset that is not the end"),
    (r"(?=[^@]*\b(inf|nan)\b)[^@]*float16[^@]*grid_sampl\w*\W[^@]*differs", "PyTorch's places are rounded to half precision: another neighbour"),
    (SPECIAL + r"[^\n]*v\d+ = [^\n]*grid_sampl\w*\W" + GRADIENT, "PyTorch's gradient leaves out what its result reads at nan"),
    (SPECIAL + r"[^\n]*v\d+ = [^\n]*(scaled_dot_product_attention|ctc_loss|conv\w*|lstm_cell|\w*batch_norm|cumprod|multi_margin_loss|"
     r"multilabel_soft_margin_loss|gru|lstm|fft_\w+|i?stft|" + MATRICES + r")\W[^@]*differs", "infinities and nan are summed in another order"),
    (r"add(r|mm|mv|bmm)\W[^\n]*beta=0\)" + GRADIENT + r": element \d+ is 0.0, PyTorch has nan", "what is not read has no gradient"),
    (SPECIAL + r"[^\n]*(tanhshrink|softsign)\W" + GRADIENT + r": element \d+ is (-?inf|0.0), PyTorch has nan",
     "PyTorch's gradient is the difference or quotient of two infinities"),
]


# Running a program, in either library.


def serve(library):
    """The half that runs in a process with Taut or PyTorch: requests come in, answers go out, one line each."""
    if library == "taut":
        sys.path.insert(0, os.path.join(ROOT, "python"))
        import taut as torch
        from taut import _C

        def op(name):
            return _C.ops[name.partition(".")[0]]

        print(json.dumps(_C._schemas()), flush=True)
    else:
        import torch
        from golden_ops import callee

        def op(name):
            return callee(*name.partition(".")[::2])

        print(json.dumps(torch.__version__), flush=True)
    torch.set_num_threads(1)
    calls = {}

    def write(seed, only, registered):
        calls.update(calls or samples(registered))
        return Writer(torch, op, calls, seed, only).written()

    def run(program, refused=False):
        return outcome(torch, op, program, refused)

    def leaf(program):
        return literal(torch, op, program)

    def slopes(program, order):
        return differences(torch, op, program, order)

    for line in sys.stdin:
        what, *arguments = json.loads(line)
        print(json.dumps({"write": write, "run": run, "leaf": leaf, "slopes": slopes}[what](*arguments)), flush=True)


class Server:
    """A process with one of the libraries; started again when a program ends it."""

    def __init__(self, python, library):
        self.command = [python, os.path.abspath(__file__), "--serve", library]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.greeting = json.loads(self.process.stdout.readline() or "null")

    def ask(self, *request):
        """The answer, or None if the process ended."""
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if answer:
            return json.loads(answer)
        self.process.wait()
        self.start()
        return None


# Comparing.


def compare(torch, taut, program, refused):
    wanted = torch.ask("run", program, refused)
    at = next((k for k, w in enumerate((wanted or [])[:len(program)]) if isinstance(w, dict)), None)
    if wanted is None or at != (len(program) - 1 if refused else None):
        return None
    found = taut.ask("run", program, refused)
    if found is None:
        return program[-1], "ends", "ends the process"
    first = disagreement(program, refused, found, wanted)
    if not first or first[1] != "differs" or is_amplified(torch, taut, program, first):
        return first if first and first[1] != "differs" else None
    if not any(d in line for line in program for d in UNITS):
        return first
    # Rounding of a short float may grow: is Taut farther from the same program in float64 than PyTorch is, and than the
    # rounding of the leaves alone may be?
    in_float64 = [widened(line) for line in program]
    exact, nudged = (torch.ask("run", p) for p in (in_float64, [nudge(*lines) for lines in zip(program, in_float64)]))
    return first if exact is None or farther(found, [wanted, nudged or wanted], exact) else None


def is_amplified(torch, taut, program, first):
    """Does a line give the same when it is given the very numbers PyTorch computed? Then only rounding differed before it."""
    if first[0] not in program or "element" not in first[2]:
        return False
    at = program.index(first[0])
    made = [k for k in range(at) if re.match(r"v\d+ = (?!torch\.tensor\()", program[k])]
    leaves = {k: torch.ask("leaf", program[:k + 1]) for k in made}
    same = [leaves.get(k) or line for k, line in enumerate(program[:at + 1])]
    if not any(leaves.values()):
        return False
    found, wanted = taut.ask("run", same, False), torch.ask("run", same, False)
    return bool(found and wanted) and disagreement(same, False, found, wanted) is None


# How far apart the numbers of a short float are, relatively.
UNITS = {"bfloat16": 2.0 ** -8, "float16": 2.0 ** -11, "float32": 2.0 ** -24, "complex64": 2.0 ** -24}


def widened(line):
    return re.sub(r"bfloat16|float32|float16", "float64", line).replace("complex64", "complex128")


def nudge(line, in_float64):
    """The line with each number of a leaf moved as far as rounding may move it."""
    unit = next((u for name, u in UNITS.items() if name in line), 0)
    if " = torch.tensor(" not in line or not unit:
        return in_float64
    numbers = iter(range(10 ** 6))
    return re.sub(r"-?\d+\.\d+(e-?\d+)?", lambda m: repr(float(m[0]) * (1 + (-1) ** next(numbers) * unit)), in_float64)


def farther(found, others, exact):
    def error(result):
        worst = 0.0
        for a, b in zip(result, exact):
            if isinstance(a, dict) or isinstance(b, dict):
                break
            for x, y in zip(flat_values(a), flat_values(b)):
                if len(x) != len(y):
                    return math.inf
                for u, v in zip(x, y):
                    if not (u == v or u != u and v != v):
                        worst = max(worst, abs(u - v) / max(abs(v), 1) if math.isfinite(u) and math.isfinite(v) else math.inf)
        return worst

    allowed = max(map(error, others))
    return error(found) > 8 * allowed + 1e-6 or math.isinf(error(found)) and math.isinf(allowed)


def flat_values(described_things):
    if described_things is None or isinstance(described_things, (str, dict)):
        return []
    if len(described_things) == 4 and isinstance(described_things[0], str):
        return [described_things[2]]
    return [v for thing in described_things for v in flat_values(thing)]


# Who is right?

LEAF = re.compile(r"(v\d+ = torch\.tensor\()(.*)(, dtype=torch\.(?:float64|complex128), requires_grad=True\))")


def differences(torch, op, program, order):
    """The derivative of what a program in float64 gives, or of the squares of its first derivatives (order 2), with respect to
    every number of every leaf: by differences. None where there are infinities, or nothing to differentiate."""
    step = 1e-6

    def value(lines):
        names = {}
        torch.manual_seed(0)
        for line in lines:
            exec(line, {"torch": torch, "op": op, **SPECIAL_NUMBERS}, names)
        leaves, end = total(torch, names)
        if order == 2:
            first = torch.autograd.grad(end, leaves, create_graph=True, allow_unused=True)
            end = sum((g.abs() ** 2).sum() for g in first if g is not None)
        return end.item()

    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for k, line in enumerate(program):
                leaf = LEAF.fullmatch(line)
                if not leaf:
                    continue
                numbers, slopes = list(re.finditer(r"-?\d+(\.\d+)?(e-?\d+)?", leaf[2])), []
                for n in numbers:
                    ends = [value([*program[:k], leaf[1] + leaf[2][:n.start()] + repr(float(n[0]) + s) + leaf[2][n.end():] + leaf[3],
                                   *program[k + 1:]]) for s in (step, -step)]
                    slopes.append((ends[0] - ends[1]) / (2 * step))
                found.append(slopes)
        except Exception:
            return None
    return found if all(math.isfinite(s) for slopes in found for s in slopes) else None


def is_right(taut, torch, program, first):
    """Are Taut's derivatives those of the values that both agree on, while PyTorch's are not?"""
    if first[0] not in WAYS or first[1] != "differs" or "inf" in " ".join(program) or "nan" in " ".join(program):
        return False
    order = 2 if first[0] == WAYS[2] else 1
    program = [widened(line) for line in program]
    slopes, place = taut.ask("slopes", program, order), len(program) + (2 if order == 2 else 1)
    if not slopes:
        return False

    def error(server):
        found = server.ask("run", program)
        if not found or len(found) <= place or isinstance(found[place], dict):
            return math.inf
        given = found[place][order - 1]
        if len(given) != len(slopes):
            return math.inf
        return max((abs(a - b) / max(1, abs(b)) for g, wanted in zip(given, slopes)
                    for a, b in zip(g[2] if g else [0.0] * len(wanted), wanted) if order == 1 or math.isfinite(a)), default=0.0)

    ours = error(taut)
    return ours < 1e-3 and error(torch) > max(1e-5, 10 * ours)


def shaken(line, k):
    """The line with each number of a leaf changed in its last digits."""
    head, mark, tail = line.partition(", dtype=torch.")
    unit = next((u for name, u in [*UNITS.items(), ("64", 2.0 ** -53), ("complex128", 2.0 ** -53)] if tail.startswith(name) or name in tail), 0)
    if " = torch.tensor(" not in head or not mark or re.match(r"int|uint|bool", tail):
        return line
    start = head.index("(") + 1
    signs = random.Random(k)

    def moved(match):
        number, by = float(match[0]), signs.choice([-4, -3, -2, 2, 3, 4]) * unit
        return repr(number * (1 + by) if number else by)
    return head[:start] + re.sub(r"(?<![\w.])-?\d+(\.\d+)?(e[-+]?\d+)?", moved, head[start:]) + mark + tail


def rounding_decides(torch, program, first):
    """Does PyTorch give something else, at the same place, when the last digits of its numbers change? That is so for
    factors of matrices whose rows depend on each other, and nothing else is asked."""
    asked = first[1] == "differs" and "element" in first[2] or first[1] in ("raises", "accepts") and "is singular" in first[2]
    if not asked or not re.search(r"\b" + MATRICES + r"\(", "\n".join(program)):
        return False
    fixed = [k for k, line in enumerate(program) if line != first[0] and re.match(r"v\d+ = (?!torch\.tensor\()", line)]
    if first[0] in WAYS:
        fixed = fixed[:-1]
    leaves = {k: torch.ask("leaf", program[:k + 1]) for k in fixed}
    plain = [leaves.get(k) or line for k, line in enumerate(program)]
    wanted = torch.ask("run", plain)
    for k in range(8):
        found = torch.ask("run", [shaken(line, k * 100 + j) for j, line in enumerate(plain)])
        if found and wanted and [isinstance(x, dict) for x in found] != [isinstance(x, dict) for x in wanted]:
            return True
        if found and wanted and any(moved_far(a, b) for line, a, b in zip([*plain, *WAYS], found, wanted)
                                    if line == first[0] or first[0] in WAYS):
            return True
    return False


def moved_far(found, wanted):
    """Are these, of two runs, more than a thousandth apart?"""
    pairs = ((a, b) for x, y in zip(flat_values(found), flat_values(wanted)) for a, b in zip(x, y))
    return any(a == a and b == b and abs(a - b) > 1e-3 * max(1, min(abs(a), abs(b))) for a, b in pairs if a != b)


# Shrinking.


def literal(torch, op, program):
    """What the last line gave, as a leaf; None if that cannot be said."""
    head, names = program[-1].partition(" = ")[0], {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            torch.manual_seed(0)
            for line in program:
                exec(line, {"torch": torch, "op": op, **SPECIAL_NUMBERS}, names)
            value = names[head]
            if not isinstance(value, torch.Tensor) or value.numel() == 0:
                return None
            grad = ", requires_grad=True" if value.requires_grad else ""
            return f"{head} = torch.tensor({value.detach().tolist()}, dtype={value.dtype}{grad})"
        except Exception:
            return None


def shrunk(torch, taut, program, refused, first):
    """The shortest program found that disagrees in the same way at the same call."""

    def still(lines):
        found = compare(torch, taut, lines, refused)
        return found is not None and found[1] == first[1] and called(found[0]) == called(first[0]) and \
            (first[1] != "raises" or found[2][:40] == first[2][:40])

    changed = True
    while changed:
        changed = False
        for k in range(len(program) - 1, -1, -1):
            shorter = program[:k] + program[k + 1:]
            if shorter and not (refused and k + 1 == len(program)) and still(shorter):
                program, changed = shorter, True
        for k, line in enumerate(program):
            if re.match(r"v\d+ = (?!torch\.tensor\()", line):
                leaf = torch.ask("leaf", program[:k + 1])
                candidate = program[:k] + [leaf] + program[k + 1:]
                if leaf and still(candidate):
                    program, changed = candidate, True
    return program


def called(line):
    """The op a line calls, to tell kinds of disagreement apart."""
    if line in WAYS:
        return line
    statement = ast.parse(line).body[0]
    if isinstance(statement, ast.With):
        statement = statement.body[0]
    call = getattr(statement, "value", None)
    if isinstance(call, ast.Subscript) and isinstance(call.value, ast.Call):
        call = call.value
    if not isinstance(call, ast.Call) or isinstance(statement, ast.AugAssign):
        return "an operator or index"
    if isinstance(call.func, ast.Call):
        return call.func.args[0].value.partition(".")[0]
    return getattr(call.func, "attr", "an operator or index")


def explanation(taut, torch, program, first):
    if is_right(taut, torch, program, first):
        return "PyTorch's derivatives are not those of its values"
    if rounding_decides(torch, program, first):
        return "rounding decides: PyTorch gives something else, too, when the last digits of its matrices change"
    text = "\n".join([*program, called(first[0]), f"{first[1]}: {first[2]}"]).replace("@", "matmul")
    return next((why for pattern, why in EXPLAINED if re.search(pattern, text)), None)


def noted(program, refused, wanted):
    """A program as a file has it (see programs.py)."""
    return "\n".join([*program, "=> refused" if refused else f"=> {json.dumps(wanted)}", "", ""])


def renew(torch, path):
    """Asks PyTorch again for the outcomes of a file of programs."""
    text = "# PyTorch's outcomes, written by tools/compare_graphs.py --renew.\n\n"
    for program, refused, _ in read(path):
        wanted = torch.ask("run", program, refused)
        assert isinstance(wanted[len(program) - 1], dict) == refused, f"{program}: {wanted}"
        text += noted(program, refused, wanted)
    with open(path, "w") as to:
        to.write(text)


def show_progress(done, total, found, started):
    seconds = time.time() - started
    left = seconds / done * (total - done)
    filled = 30 * done // total
    print(f"\r[{'#' * filled}{'-' * (30 - filled)}] {done}/{total} programs, {found} kinds of disagreement, "
          f"{left:.0f} s left ", end="", file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", type=int, default=20000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first program")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--taut", default=sys.executable, help="a Python that can import Taut")
    parser.add_argument("--only", help="one op, such as add.Tensor")
    parser.add_argument("--record", help="a file to which the programs that disagree are added")
    parser.add_argument("--renew", help="a file of programs whose outcomes PyTorch is asked for again; nothing else is done")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        return serve(options.serve)
    torch = Server(sys.executable, "torch")
    if not torch.greeting:
        print("compare_graphs: SKIPPED, nothing was compared: no torch", file=sys.stderr)
        return 0
    if options.renew:
        return renew(torch, options.renew)
    taut = Server(options.taut, "taut")
    registered = sorted(schema[:schema.index("(")] for schema in taut.greeting)
    started, shown, meant, used = time.time(), {}, {}, {}
    ran = refusals = 0
    for number in range(options.first, options.first + options.graphs):
        program, refused, ops = torch.ask("write", f"{options.seed} {number}", options.only, registered) or ([], False, [])
        first = compare(torch, taut, program, refused) if program else None
        ran += bool(program)
        refusals += refused
        for name in ops:
            used[name] = used.get(name, 0) + 1
        if first:
            small = shrunk(torch, taut, program, refused, first)
            first = compare(torch, taut, small, refused) or first
            why = explanation(taut, torch, small, first)
            key = called(first[0]), first[1]
            if key[0] in WAYS:  # tell them apart by the op that is left
                key = f"{key[0]} of {called(([''] + [p for p in small if ' = torch.tensor(' not in p])[-1])}", key[1]
            if why:
                meant[why] = meant.get(why, 0) + 1
            elif key not in shown:
                print(f"\n\n{key[0]} {key[1]} (seed {options.seed}, program {number}): {first[2]}\n  at {first[0]}",
                      *("    " + (line if len(line) < 2000 else f"{line[:1000]} ... {line[-200:]}") for line in small),
                      sep="\n", flush=True)
                if options.record:
                    with open(options.record, "a") as to:
                        to.write(noted(small, refused, torch.ask("run", small, refused)))
            if not why:
                shown[key] = shown.get(key, 0) + 1
        done = number + 1 - options.first
        if done % 20 == 0 or done == options.graphs:
            show_progress(done, options.graphs, len(shown), started)
    never = sorted(name for name in registered if name not in used and name not in UNDEFINED)
    print(f"\n{ran} programs, {refusals} of them refused by PyTorch; {len(used)} of {len(used) + len(never)} ops;", "never called:", *never)
    for why, n in sorted(meant.items(), key=lambda item: -item[1]):
        print(f"{n:6} meant: {why}")
    print(f"{len(shown)} kinds of disagreement:", ", ".join(f"{a} {b} ({n})" for (a, b), n in sorted(shown.items())))
    return 1 if shown else 0


if __name__ == "__main__":
    sys.exit(main())
