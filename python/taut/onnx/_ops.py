"""What the functions of torch are in ops of ONNX. A function here takes the graph `g`, the result `out` of the recorded call, and the call's
arguments under their names; it returns the name of the result, or their names."""

import math

from .. import _C
from .._C import Tensor
from ._builder import Size, Unsupported
from ._recorder import tensors_in

_HANDLERS = {}
_FLOATS = (_C.float32, _C.float64, _C.float16, _C.bfloat16)


def op(*names):
    """Names of functions that a function here translates."""

    def keep(f):
        for name in names or (f.__name__,):
            _HANDLERS[name] = f
        return f

    return keep


_SAME_NAME = {"__add__": "add", "__radd__": "add", "__iadd__": "add", "__mul__": "mul", "__rmul__": "mul", "__imul__": "mul", "__sub__": "sub",
              "__isub__": "sub", "__truediv__": "div", "__itruediv__": "div", "__matmul__": "matmul", "__neg__": "neg", "__abs__": "abs",
              "__pow__": "pow", "__eq__": "eq", "__ne__": "ne", "__lt__": "lt", "__le__": "le", "__gt__": "gt", "__ge__": "ge", "__and__": "bitwise_and",
              "__or__": "bitwise_or", "__xor__": "bitwise_xor", "__invert__": "bitwise_not", "__floordiv__": "floor_divide", "__mod__": "remainder",
              "greater": "gt", "less": "lt", "greater_equal": "ge", "less_equal": "le", "not_equal": "ne", "multiply": "mul", "subtract": "sub",
              "divide": "div", "true_divide": "div", "concat": "cat", "concatenate": "cat", "negative": "neg", "absolute": "abs", "clip": "clamp",
              "swapaxes": "transpose", "swapdims": "transpose", "moveaxis": "movedim", "arcsin": "asin", "arccos": "acos", "arctan": "atan",
              "special_expit": "sigmoid", "expit": "sigmoid", "fix": "trunc"}
_RANDOM = {"randn_like", "rand_like", "randn", "rand", "normal", "bernoulli", "multinomial", "randint"}


def translate(g, call, fold):
    """Adds the nodes of a call."""
    name = _SAME_NAME.get(call.name, call.name)
    results = list(tensors_in(call.result))
    arguments = list(tensors_in((call.args, call.kwargs)))
    depends = any(id(t) in g.changing for t in arguments) or name in _RANDOM or any(_changes(g.shapes.get(id(r), ())) for r in results) \
        or _has_size((call.args, call.kwargs))
    in_place = name.endswith("_") and not name.endswith("__") or call.name in ("__iadd__", "__imul__", "__isub__", "__itruediv__")
    if not depends and fold:
        return  # the same in every call: a constant, if somebody uses it
    if results and len(results) == 1 and not in_place and any(r is a for r in results for a in arguments):
        return  # handed through
    handler = _HANDLERS.get(name) or _HANDLERS.get(name[:-1] if in_place else name)
    g.scope = "".join(f"/{path.rpartition('.')[2]}" for path, _ in call.path)
    if handler is None:
        raise Unsupported(f"torch.onnx.export: there is no translation of torch's {call.name}" +
                          (f" (in {call.path[-1][0]}, a {call.path[-1][1]})" if call.path else ""))
    made = handler(g, call.result, *call.args, **call.kwargs)
    names = [made] if isinstance(made, str) else [m for m in made if m is not None]
    targets = results if not in_place else [arguments[0]]
    for t, n in zip(targets, names):
        g.names[id(t)] = n
        g.changing.add(id(t))
        g.keep.append(t)


def _changes(sizes):
    return any(isinstance(n, Size) for n in sizes)


def _has_size(tree):
    if isinstance(tree, Size):
        return True
    if isinstance(tree, dict):
        return any(map(_has_size, tree.values()))
    if isinstance(tree, slice):
        return any(map(_has_size, (tree.start, tree.stop, tree.step)))
    return isinstance(tree, (tuple, list)) and any(map(_has_size, tree))


def _dims(dim, rank, default=None):
    if dim is None:
        return list(range(rank)) if default is None else default
    dims = [dim] if isinstance(dim, int) else list(dim)
    return [d % max(rank, 1) for d in dims] if dims else list(range(rank))


def _list(values, n):
    values = [values] * n if isinstance(values, (int, Size)) else list(values)
    return values * n if len(values) == 1 and n > 1 else values


def _flat(args):
    """view(2, 3) and view((2, 3)) alike."""
    return list(args[0]) if len(args) == 1 and isinstance(args[0], (tuple, list)) else list(args)


# Functions of one tensor.

for _name, _op in dict(relu="Relu", sigmoid="Sigmoid", tanh="Tanh", exp="Exp", log="Log", sqrt="Sqrt", abs="Abs", neg="Neg", floor="Floor", ceil="Ceil",
                       round="Round", sin="Sin", cos="Cos", tan="Tan", asin="Asin", acos="Acos", atan="Atan", sinh="Sinh", cosh="Cosh", asinh="Asinh",
                       acosh="Acosh", atanh="Atanh", erf="Erf", sign="Sign", reciprocal="Reciprocal", softsign="Softsign", isnan="IsNaN", isinf="IsInf",
                       logical_not="Not", det="Det", hardswish="HardSwish", mish="Mish").items():
    def _unary(g, out, x, inplace=False, _op=_op, **_):
        if _op in ("Sigmoid", "Tanh", "Exp", "Log", "Sqrt", "Sin", "Cos", "Erf", "Reciprocal") and x.dtype not in _FLOATS:
            return g.add(_op, [g.cast(x, out.dtype)])
        if _op == "Mish" and g.opset < 18:
            return g.add("Mul", [x, g.add("Tanh", [g.add("Softplus", [x])])])
        return g.add(_op, [x])

    _HANDLERS[_name] = _unary


@op("detach", "contiguous", "clone", "alias", "dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout", "feature_dropout",
    "native_dropout", "cpu", "identity", "requires_grad_", "as_tensor", "lift_fresh", "real", "positive")
def same(g, out, x, *args, **kwargs):
    if kwargs.get("training", False) and kwargs.get("p", 0.5) > 0:
        raise Unsupported("torch.onnx.export: dropout in training mode is not translated; call model.eval() first")
    return g.add("Identity", [x])


@op("to", "float", "double", "half", "bfloat16", "long", "int", "short", "char", "byte", "bool", "type_as", "_to", "to_dtype")
def to(g, out, x, *args, **kwargs):
    return g.add("Identity", [x]) if out.dtype is x.dtype else g.cast(x, out.dtype)


@op()
def rsqrt(g, out, x):
    return g.add("Reciprocal", [g.add("Sqrt", [x])])


@op()
def square(g, out, x):
    return g.add("Mul", [x, x])


@op()
def log1p(g, out, x):
    return g.add("Log", [g.add("Add", [x, g.of(1, x)])])


@op()
def expm1(g, out, x):
    return g.add("Sub", [g.add("Exp", [x]), g.of(1, x)])


@op()
def exp2(g, out, x):
    return g.add("Pow", [g.of(2, x), x])


@op()
def log2(g, out, x):
    return g.add("Div", [g.add("Log", [x]), g.of(math.log(2), x)])


@op()
def log10(g, out, x):
    return g.add("Div", [g.add("Log", [x]), g.of(math.log(10), x)])


@op()
def trunc(g, out, x):
    return g.add("Mul", [g.add("Sign", [x]), g.add("Floor", [g.add("Abs", [x])])])


@op("silu", "swish")
def silu(g, out, x, inplace=False):
    return g.add("Mul", [x, g.add("Sigmoid", [x])])


@op()
def gelu(g, out, x, approximate="none"):
    if g.opset >= 20:
        return g.add("Gelu", [x], approximate=approximate)
    half = g.add("Mul", [x, g.of(0.5, x)])
    if approximate == "tanh":
        cube = g.add("Mul", [g.add("Mul", [x, x]), x])
        inner = g.add("Mul", [g.add("Add", [x, g.add("Mul", [cube, g.of(0.044715, x)])]), g.of(math.sqrt(2 / math.pi), x)])
        return g.add("Mul", [half, g.add("Add", [g.add("Tanh", [inner]), g.of(1, x)])])
    return g.add("Mul", [half, g.add("Add", [g.add("Erf", [g.add("Div", [x, g.of(math.sqrt(2), x)])]), g.of(1, x)])])


@op("logsigmoid", "log_sigmoid")
def logsigmoid(g, out, x):
    return g.add("Neg", [g.add("Softplus", [g.add("Neg", [x])])])


@op()
def softplus(g, out, x, beta=1.0, threshold=20.0):
    if beta == 1:
        return g.add("Softplus", [x])
    return g.add("Div", [g.add("Softplus", [g.add("Mul", [x, g.of(float(beta), x)])]), g.of(float(beta), x)])


@op()
def leaky_relu(g, out, x, negative_slope=0.01, inplace=False):
    return g.add("LeakyRelu", [x], alpha=float(negative_slope))


@op()
def elu(g, out, x, alpha=1.0, inplace=False, **_):
    return g.add("Elu", [x], alpha=float(alpha))


@op()
def celu(g, out, x, alpha=1.0, inplace=False):
    return g.add("Celu", [x], alpha=float(alpha))


@op()
def selu(g, out, x, inplace=False):
    return g.add("Selu", [x])


@op()
def hardsigmoid(g, out, x, inplace=False):
    return g.add("HardSigmoid", [x], alpha=1 / 6, beta=0.5)


@op()
def relu6(g, out, x, inplace=False):
    return g.add("Clip", [x, g.of(0, x), g.of(6, x)])


@op()
def hardtanh(g, out, x, min_val=-1.0, max_val=1.0, inplace=False, **_):
    return g.add("Clip", [x, g.of(min_val, x), g.of(max_val, x)])


@op()
def clamp(g, out, x, min=None, max=None):
    made = g.typed(x, out.dtype)
    if isinstance(min, Tensor) or isinstance(max, Tensor):
        for bound, kind in ((min, "Max"), (max, "Min")):
            made = made if bound is None else g.add(kind, [made, g.typed(bound, out.dtype)])
        return made
    return g.add("Clip", [made, None if min is None else g.of(min, out), None if max is None else g.of(max, out)])


@op()
def clamp_min(g, out, x, min):
    return clamp(g, out, x, min)


@op()
def clamp_max(g, out, x, max):
    return clamp(g, out, x, None, max)


@op()
def prelu(g, out, x, weight):
    w = g.of(weight)
    if weight.numel() > 1 and x.ndim > 2:
        w = g.add("Reshape", [w, g.ints([weight.numel()] + [1] * (x.ndim - 2))])
    return g.add("PRelu", [x, w])


@op()
def glu(g, out, x, dim=-1):
    a, b = _split(g, x, dim, [n // 2 for n in [x.shape[dim]] * 2])
    return g.add("Mul", [a, g.add("Sigmoid", [b])])


@op("softmax", "_softmax")
def softmax(g, out, x, dim=None, dtype=None, _stacklevel=3, **_):
    return g.add("Softmax", [g.typed(x, out.dtype)], axis=(x.ndim != 1 and dim if dim is not None else -1) or 0)


@op("log_softmax", "_log_softmax")
def log_softmax(g, out, x, dim=None, dtype=None, _stacklevel=3, **_):
    return g.add("LogSoftmax", [g.typed(x, out.dtype)], axis=-1 if dim is None else dim)


@op()
def softmin(g, out, x, dim=None, **_):
    return g.add("Softmax", [g.add("Neg", [x])], axis=-1 if dim is None else dim)


# Of two.


def _two(g, out, a, b, dtype=None):
    from .. import promote_types

    if dtype is None:
        tensors = [x for x in (a, b) if isinstance(x, Tensor)]
        dtype = tensors[0].dtype
        if len(tensors) == 2:
            dtype = promote_types(a.dtype, b.dtype)
            if tensors[0].ndim == 0 < tensors[1].ndim or tensors[1].ndim == 0 < tensors[0].ndim:
                dtype = max(tensors, key=lambda t: t.ndim).dtype
        elif isinstance(a if not isinstance(a, Tensor) else b, float) and dtype not in _FLOATS:
            dtype = _C.get_default_dtype()
    return g.typed(a, dtype), g.typed(b, dtype)


@op()
def add(g, out, a, b, *, alpha=1):
    a, b = _two(g, out, a, b, out.dtype)
    if out.dtype is _C.bool:
        return g.add("Or", [a, b])
    return g.add("Add", [a, b if alpha == 1 else g.add("Mul", [b, g.of(alpha, out)])])


@op()
def sub(g, out, a, b, *, alpha=1):
    a, b = _two(g, out, a, b, out.dtype)
    return g.add("Sub", [a, b if alpha == 1 else g.add("Mul", [b, g.of(alpha, out)])])


@op("__rsub__", "rsub")
def rsub(g, out, a, b, alpha=1):
    return sub(g, out, b, a, alpha=alpha)


@op()
def mul(g, out, a, b):
    a, b = _two(g, out, a, b, out.dtype)
    return g.add("And" if out.dtype is _C.bool else "Mul", [a, b])


@op()
def div(g, out, a, b, *, rounding_mode=None):
    a, b = _two(g, out, a, b, out.dtype)
    made = g.add("Div", [a, b])
    if rounding_mode == "floor" and out.dtype in _FLOATS:
        return g.add("Floor", [made])
    if rounding_mode == "trunc" and out.dtype in _FLOATS:
        return g.add("Mul", [g.add("Sign", [made]), g.add("Floor", [g.add("Abs", [made])])])
    return made


@op("__rtruediv__")
def rdiv(g, out, a, b):
    return div(g, out, b, a)


@op()
def floor_divide(g, out, a, b):
    return div(g, out, a, b, rounding_mode="floor")


@op()
def remainder(g, out, a, b):
    a, b = _two(g, out, a, b, out.dtype)
    if out.dtype not in _FLOATS:
        return g.add("Mod", [a, b])
    return g.add("Sub", [a, g.add("Mul", [g.add("Floor", [g.add("Div", [a, b])]), b])])


@op()
def fmod(g, out, a, b):
    return g.add("Mod", list(_two(g, out, a, b, out.dtype)), fmod=1)


@op()
def pow(g, out, a, b):
    if isinstance(b, (int, float)) and b == 2:
        a = g.typed(a, out.dtype)
        return g.add("Mul", [a, a])
    return g.add("Pow", list(_two(g, out, a, b, out.dtype)))


@op("__rpow__")
def rpow(g, out, a, b):
    return pow(g, out, b, a)


@op("maximum", "fmax")
def maximum(g, out, a, b):
    return g.add("Max", list(_two(g, out, a, b, out.dtype)))


@op("minimum", "fmin")
def minimum(g, out, a, b):
    return g.add("Min", list(_two(g, out, a, b, out.dtype)))


for _name, _op in dict(eq="Equal", lt="Less", le="LessOrEqual", gt="Greater", ge="GreaterOrEqual").items():
    def _compare(g, out, a, b, _op=_op):
        return g.add(_op, list(_two(g, out, a, b)))

    _HANDLERS[_name] = _compare


@op()
def ne(g, out, a, b):
    return g.add("Not", [g.add("Equal", list(_two(g, out, a, b)))])


for _name, _op in dict(logical_and="And", logical_or="Or", logical_xor="Xor", bitwise_and="And", bitwise_or="Or", bitwise_xor="Xor").items():
    def _logical(g, out, a, b, _op=_op, _name=_name):
        if out.dtype is not _C.bool:
            if g.opset < 18:
                raise Unsupported(f"torch.onnx.export: {_name} of ints needs opset 18")
            return g.add({"And": "BitwiseAnd", "Or": "BitwiseOr", "Xor": "BitwiseXor"}[_op], list(_two(g, out, a, b, out.dtype)))
        return g.add(_op, [g.typed(a, _C.bool), g.typed(b, _C.bool)])

    _HANDLERS[_name] = _logical


@op()
def bitwise_not(g, out, x):
    return g.add("Not" if x.dtype is _C.bool else "BitwiseNot", [x])


@op()
def where(g, out, condition, x=None, y=None):
    if x is None:
        raise Unsupported("torch.onnx.export: where(condition) alone is not translated")
    return g.add("Where", [g.typed(condition, _C.bool), g.typed(x, out.dtype), g.typed(y, out.dtype)])


@op()
def masked_fill(g, out, x, mask, value):
    return g.add("Where", [g.typed(mask, _C.bool), g.typed(value, x.dtype), g.of(x)])


@op()
def lerp(g, out, a, b, weight):
    return g.add("Add", [a, g.add("Mul", [g.typed(weight, out.dtype), g.add("Sub", [b, a])])])


@op()
def addcmul(g, out, x, a, b, value=1):
    product = g.add("Mul", [a, b])
    return g.add("Add", [x, product if value == 1 else g.add("Mul", [product, g.of(value, out)])])


@op()
def addcdiv(g, out, x, a, b, value=1):
    quotient = g.add("Div", [a, b])
    return g.add("Add", [x, quotient if value == 1 else g.add("Mul", [quotient, g.of(value, out)])])


# Products.


@op("matmul", "mm", "bmm", "mv", "dot")
def matmul(g, out, a, b):
    return g.add("MatMul", [a, b])


@op("__rmatmul__")
def rmatmul(g, out, a, b):
    return g.add("MatMul", [b, a])


@op()
def linear(g, out, input, weight, bias=None):
    if input.ndim == 2:
        return g.add("Gemm", [input, weight, bias], transB=1)
    made = g.add("MatMul", [input, _turned(g, weight)])
    return made if bias is None else g.add("Add", [made, bias])


def _turned(g, weight):
    """The transpose of a matrix; of one that is a parameter, as a constant."""
    if id(weight) in g.changing:
        return g.add("Transpose", [weight], perm=[1, 0])
    key = ("turned", id(weight))
    if key not in g.kinds:
        g.kinds[key] = weight.detach().t().contiguous()
    return g.constant(g.kinds[key])


@op()
def addmm(g, out, x, a, b, *, beta=1, alpha=1):
    return g.add("Gemm", [a, b, x], alpha=float(alpha), beta=float(beta))


@op("baddbmm", "addbmm")
def baddbmm(g, out, x, a, b, *, beta=1, alpha=1):
    product = g.add("MatMul", [a, b])
    product = product if alpha == 1 else g.add("Mul", [product, g.of(alpha, out)])
    return g.add("Add", [product, x if beta == 1 else g.add("Mul", [x, g.of(beta, out)])])


@op()
def outer(g, out, a, b):
    return g.add("Mul", [g.add("Unsqueeze", [a, g.ints([1])]), b])


@op()
def einsum(g, out, equation, *operands):
    return g.add("Einsum", _flat(operands), equation=equation.replace(" ", ""))


@op()
def bilinear(g, out, a, b, weight, bias=None):
    made = g.add("Einsum", [a, weight, b], equation="...i,oij,...j->...o")
    return made if bias is None else g.add("Add", [made, bias])


# Reductions.


def _reduce(g, kind, x, dims, keepdim, rank):
    attributes = {"keepdims": int(keepdim)}
    if dims is None or len(dims) == rank and not keepdim:
        return g.add(kind, [x], keepdims=0) if not keepdim else g.add(kind, [x], **attributes)
    if g.opset >= 18 or kind == "ReduceSum":
        return g.add(kind, [x, g.ints(dims)], **attributes)
    return g.add(kind, [x], axes=dims, **attributes)


def _reduction(kind):
    def reduce(g, out, x, dim=None, keepdim=False, *, dtype=None, **_):
        return _reduce(g, kind, g.typed(x, out.dtype), None if dim is None else _dims(dim, x.ndim), keepdim, x.ndim)

    return reduce


_HANDLERS.update(sum=_reduction("ReduceSum"), mean=_reduction("ReduceMean"), amax=_reduction("ReduceMax"), amin=_reduction("ReduceMin"),
                 prod=_reduction("ReduceProd"), logsumexp=_reduction("ReduceLogSumExp"))


def _extreme(kind, arg):
    def reduce(g, out, x, dim=None, keepdim=False):
        if isinstance(dim, Tensor):
            return g.add("Max" if arg == "ArgMax" else "Min", list(_two(g, out, x, dim, out.dtype)))
        if dim is None:
            return g.add(kind, [x], keepdims=0)
        return [_reduce(g, kind, x, [dim % x.ndim], keepdim, x.ndim), g.add(arg, [x], axis=dim, keepdims=int(keepdim))]

    return reduce


_HANDLERS.update(max=_extreme("ReduceMax", "ArgMax"), min=_extreme("ReduceMin", "ArgMin"))


def _arg(kind):
    def arg(g, out, x, dim=None, keepdim=False):
        if dim is None:
            return g.add(kind, [g.add("Reshape", [x, g.ints([-1])])], axis=0, keepdims=0)
        return g.add(kind, [x], axis=dim, keepdims=int(keepdim))

    return arg


_HANDLERS.update(argmax=_arg("ArgMax"), argmin=_arg("ArgMin"))


def _variance(g, x, dim, correction, keepdim):
    dims = _dims(dim, x.ndim)
    mean = _reduce(g, "ReduceMean", x, dims, True, x.ndim)
    off = g.add("Sub", [x, mean])
    squares = g.add("Mul", [off, off])
    if correction == 0:
        return _reduce(g, "ReduceMean", squares, dims, keepdim, x.ndim), mean
    count = math.prod(x.shape[d] for d in dims)
    if _changes([g.sizes(x)[d] for d in dims]):
        raise Unsupported("torch.onnx.export: var over a size that changes is translated with correction=0 only")
    total = _reduce(g, "ReduceSum", squares, dims, keepdim, x.ndim)
    return g.add("Div", [total, g.of(float(count - correction), x)]), mean


@op()
def var(g, out, x, dim=None, unbiased=True, keepdim=False, *, correction=None, **_):
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    return _variance(g, x, dim, int(unbiased) if correction is None else correction, keepdim)[0]


@op()
def std(g, out, x, dim=None, unbiased=True, keepdim=False, *, correction=None, **_):
    return g.add("Sqrt", [var(g, out, x, dim, unbiased, keepdim, correction=correction)])


@op("norm", "vector_norm", "linalg_norm", "linalg_vector_norm")
def norm(g, out, x, p=2, dim=None, keepdim=False, dtype=None, **kwargs):
    p = kwargs.get("ord", p)
    if p not in (None, 1, 2, "fro"):
        raise Unsupported(f"torch.onnx.export: norm of order {p} is not translated")
    return _reduce(g, "ReduceL1" if p == 1 else "ReduceL2", x, None if dim is None else _dims(dim, x.ndim), keepdim, x.ndim)


@op()
def normalize(g, out, x, p=2.0, dim=1, eps=1e-12, out_=None, **_):
    return g.add("Div", [x, g.add("Max", [norm(g, out, x, p, dim, True), g.of(eps, x)])])


@op("any", "all")
def any_(g, out, x, dim=None, keepdim=False):
    raise Unsupported("torch.onnx.export: any and all are not translated")


@op()
def cumsum(g, out, x, dim, *, dtype=None):
    return g.add("CumSum", [g.typed(x, out.dtype), g.of(dim % max(x.ndim, 1), _C.int64)])


@op()
def topk(g, out, x, k, dim=-1, largest=True, sorted=True):
    return g.add("TopK", [x, g.ints([k])], 2, axis=dim, largest=int(largest), sorted=int(sorted))


@op()
def sort(g, out, x, dim=-1, descending=False, stable=False):
    return g.add("TopK", [x, g.ints([g.sizes(x)[dim]])], 2, axis=dim, largest=int(descending))


@op()
def argsort(g, out, x, dim=-1, descending=False, stable=False):
    return sort(g, out, x, dim, descending)[1]


# Sizes and places.


@op("view", "reshape", "flatten", "unflatten", "squeeze", "ravel", "view_as", "reshape_as", "_unsafe_view", "squeeze_")
def reshape(g, out, x, *args, **kwargs):
    if args and isinstance(args[0], _C.dtype):
        raise Unsupported("torch.onnx.export: view as another dtype is not translated")
    return g.reshape(x, g.sizes(out))


@op()
def unsqueeze(g, out, x, dim):
    return g.add("Unsqueeze", [x, g.ints([dim % out.ndim])])


@op()
def permute(g, out, x, *dims, **kwargs):
    dims = _flat(dims) or list(kwargs["dims"])
    return g.add("Transpose", [x], perm=[d % x.ndim for d in dims])


@op()
def transpose(g, out, x, dim0, dim1):
    perm = list(range(x.ndim))
    perm[dim0], perm[dim1] = perm[dim1], perm[dim0]
    return g.add("Transpose", [x], perm=perm)


@op("t", "T", "mT", "adjoint", "numpy_T")
def turned(g, out, x):
    if x.ndim < 2:
        return g.add("Identity", [x])
    perm = list(range(x.ndim))
    if out.ndim == 2 or x.ndim == 2:
        perm = [1, 0]
    else:
        perm[-2:] = perm[:-3:-1]
    return g.add("Transpose", [x], perm=perm)


@op()
def movedim(g, out, x, source, destination):
    source, destination = _dims(source, x.ndim), _dims(destination, x.ndim)
    perm = [d for d in range(x.ndim) if d not in source]
    for to, at in sorted(zip(destination, source)):
        perm.insert(to, at)
    return g.add("Transpose", [x], perm=perm)


@op("expand", "expand_as", "broadcast_to")
def expand(g, out, x, *args, **_):
    return g.add("Expand", [x, g.ints(g.sizes(out))])


@op("repeat", "tile")
def repeat(g, out, x, *times, **kwargs):
    times = _flat(times) or list(kwargs.get("repeats") or kwargs["dims"])
    name = g.of(x)
    if len(times) > x.ndim:
        name = g.reshape(name, [1] * (len(times) - x.ndim) + g.sizes(x))
    times = [1] * (x.ndim - len(times)) + times
    return g.add("Tile", [name, g.ints(times)])


@op()
def repeat_interleave(g, out, x, repeats, dim=None, **_):
    if not isinstance(repeats, int) or dim is None:
        raise Unsupported("torch.onnx.export: repeat_interleave is translated for one number and one dimension")
    dim %= x.ndim
    made = g.add("Unsqueeze", [x, g.ints([dim + 1])])
    made = g.add("Tile", [made, g.ints([repeats if d == dim + 1 else 1 for d in range(x.ndim + 1)])])
    return g.reshape(made, g.sizes(out))


@op()
def cat(g, out, tensors, dim=0):
    used = [t for t in tensors if not (t.ndim == 1 and t.numel() == 0)]
    return g.add("Concat", [g.typed(t, out.dtype) for t in used], axis=dim)


@op()
def stack(g, out, tensors, dim=0):
    dim %= out.ndim
    return g.add("Concat", [g.add("Unsqueeze", [g.typed(t, out.dtype), g.ints([dim])]) for t in tensors], axis=dim)


@op()
def hstack(g, out, tensors):
    return cat(g, out, tensors, 1 if out.ndim > 1 else 0)


def _split(g, x, dim, sizes):
    return g.add("Split", [x, g.ints(sizes)], len(sizes), axis=dim) if len(sizes) > 1 else [g.add("Identity", [x])]


@op("split", "chunk", "split_with_sizes", "tensor_split", "unsafe_chunk", "unsafe_split")
def split(g, out, x, size_or_sizes, dim=0):
    return _split(g, x, dim, [g.sizes(part)[dim] for part in out])


@op()
def unbind(g, out, x, dim=0):
    return [g.add("Gather", [x, g.of(i, _C.int64)], axis=dim) for i in range(len(out))]


@op()
def select(g, out, x, dim, index):
    return g.add("Gather", [x, g.of(index, _C.int64)], axis=dim)


@op()
def narrow(g, out, x, dim, start, length):
    return _slices(g, x, [(dim, start, _plus(g, start, length), 1)])


def _plus(g, a, b):
    if isinstance(a, Size) or isinstance(b, Size):
        return g.add("Reshape", [g.add("Add", [g.size(a), g.size(b)]), g.ints([1])])
    return a + b


def _slices(g, x, parts):
    """x[start:stop:step] along several dimensions."""
    dims, starts, stops, steps = zip(*parts)

    def listed(values):
        if any(isinstance(v, str) for v in values):
            return g.add("Concat", [v if isinstance(v, str) else g.ints([v]) for v in values], axis=0)
        return g.ints(values)

    return g.add("Slice", [x, listed(starts), listed(stops), g.ints(dims), g.ints(steps)])


_END = 2 ** 63 - 1


@op("__getitem__")
def getitem(g, out, x, key):
    key = key if isinstance(key, tuple) else (key,)
    if len(key) == 1 and isinstance(key[0], Tensor) and key[0].dtype is _C.bool:
        raise Unsupported("torch.onnx.export: x[mask] is not translated; its size follows from numbers")
    taken = sum(1 for k in key if k is not None and k is not Ellipsis)
    name, dim, cuts, later = g.of(x), 0, [], []
    for k in key:
        if k is Ellipsis:
            dim += x.ndim - taken
        elif k is None:
            later.append(("new", None))
        elif isinstance(k, slice):
            if (k.start, k.stop, k.step) not in ((None, None, None), (0, None, None)):
                cuts.append((dim, 0 if k.start is None else k.start, _END if k.stop is None else k.stop, 1 if k.step is None else k.step))
            dim += 1
        else:
            later.append(("take", (dim, k)))
            dim += 1
    if cuts:
        name = _slices(g, name, cuts)
    takes = [(d, k) for word, (d, k) in [(w, p) for w, p in later if w == "take"]]
    tensors = [(d, k) for d, k in takes if isinstance(k, Tensor) and k.ndim]
    if len(tensors) > 1:
        if len(takes) != len(tensors) or [d for d, _ in tensors] != list(range(len(tensors))) or any(w == "new" for w, _ in later):
            raise Unsupported("torch.onnx.export: an index of several tensors is translated for the first dimensions only")
        shape = g.add("Concat", [g.add("Unsqueeze", [g.typed(k, _C.int64), g.ints([-1])]) for _, k in tensors], axis=-1)
        return g.add("GatherND", [name, shape])
    for d, k in sorted(takes, key=lambda t: -t[0]):
        if isinstance(k, Tensor) and k.dtype is _C.bool:
            raise Unsupported("torch.onnx.export: an index of bool is not translated; its size follows from numbers")
        name = g.add("Gather", [name, g.typed(k, _C.int64) if isinstance(k, Tensor) else g.of(k, _C.int64)], axis=d)
    if any(word == "new" for word, _ in later):
        name = g.reshape(name, g.sizes(out))
    return g.add("Identity", [name]) if name == g.of(x) else name


@op("__setitem__")
def setitem(g, out, x, key, value):
    if isinstance(key, Tensor) and key.dtype is _C.bool and (not isinstance(value, Tensor) or value.ndim == 0):
        return g.add("Where", [key, g.typed(value, x.dtype), g.of(x)])
    raise Unsupported("torch.onnx.export: writing to a part of a tensor is translated for a mask and a number only")


@op("index_select")
def index_select(g, out, x, dim, index):
    return g.add("Gather", [x, index], axis=dim)


@op("gather", "take_along_dim")
def gather(g, out, x, dim, index, **_):
    if isinstance(dim, Tensor):
        dim, index = index, dim
    return g.add("GatherElements", [x, index], axis=dim)


@op("scatter", "scatter_add")
def scatter(g, out, x, dim, index, src, **_):
    return g.add("ScatterElements", [x, index, src], axis=dim)


@op()
def flip(g, out, x, *dims):
    return _slices(g, x, [(d % x.ndim, -1, -_END, -1) for d in _flat(dims)])


@op()
def roll(g, out, x, shifts, dims=None):
    if dims is None:
        raise Unsupported("torch.onnx.export: roll is translated with dims")
    name = g.of(x)
    for shift, d in zip(_list(shifts, 1), _list(dims, 1)):
        if shift % x.shape[d]:
            back = -(shift % x.shape[d])
            name = g.add("Concat", [_slices(g, name, [(d, back, _END, 1)]), _slices(g, name, [(d, 0, back, 1)])], axis=d)
    return name if name != g.of(x) else g.add("Identity", [x])


@op("pad", "constant_pad_nd")
def pad(g, out, x, pad, mode="constant", value=None):
    pairs = [(pad[i], pad[i + 1]) for i in range(0, len(pad), 2)]
    pairs = [(0, 0)] * (x.ndim - len(pairs)) + pairs[::-1]
    word = {"constant": "constant", "reflect": "reflect", "replicate": "edge"}.get(mode)
    if word is None and g.opset >= 19:
        word = "wrap"
    if word is None:
        raise Unsupported(f"torch.onnx.export: pad with mode={mode!r} needs opset 19")
    return g.add("Pad", [x, g.ints([a for a, _ in pairs] + [b for _, b in pairs]), g.of(0 if value is None else value, x)], mode=word)


@op()
def tril(g, out, x, diagonal=0):
    return _triangle(g, x, diagonal, 0)


@op()
def triu(g, out, x, diagonal=0):
    return _triangle(g, x, diagonal, 1)


def _triangle(g, x, diagonal, upper):
    if x.dtype is _C.bool:
        return g.cast(g.add("Trilu", [g.cast(x, _C.int64), g.of(diagonal, _C.int64)], upper=upper), _C.bool)
    return g.add("Trilu", [x, g.of(diagonal, _C.int64)], upper=upper)


@op()
def one_hot(g, out, x, num_classes=-1):
    values = _C._tensor([0, 1], _C.int64)
    return g.add("OneHot", [x, g.of(out.shape[-1], _C.int64), g.constant(values)], axis=-1)


@op()
def unfold(g, out, *args, **kwargs):
    raise Unsupported("torch.onnx.export: unfold is not translated")


# New tensors.


@op("zeros", "zeros_like", "new_zeros", "empty", "empty_like", "new_empty")
def zeros(g, out, *args, **kwargs):
    return g.add("ConstantOfShape", [g.ints(g.sizes(out))], value=_C.ops["zeros"]([1], dtype=out.dtype))


@op("ones", "ones_like", "new_ones")
def ones(g, out, *args, **kwargs):
    return g.add("ConstantOfShape", [g.ints(g.sizes(out))], value=_C.ops["ones"]([1], dtype=out.dtype))


@op("full", "full_like", "new_full")
def full(g, out, _, fill_value, **kwargs):
    return g.add("Expand", [g.typed(fill_value, out.dtype) if not isinstance(fill_value, bool) else g.of(fill_value, out), g.ints(g.sizes(out))])


@op()
def arange(g, out, start, end=None, step=1, **_):
    start, end = (0, start) if end is None else (start, end)
    return g.add("Range", [g.of(v, out) for v in (start, end, step)])


@op("tensor", "scalar_tensor")
def tensor(g, out, value, **_):
    if isinstance(value, Size):
        return g.of(value, out)
    if isinstance(value, (tuple, list)) and out.dtype is _C.int64:
        return g.ints(value)
    raise Unsupported("torch.onnx.export: torch.tensor of numbers that change is translated for ints only")


@op("randn_like", "randn")
def randn_like(g, out, x, *args, **_):
    if isinstance(x, Tensor):
        return g.add("RandomNormalLike", [x])
    return g.add("RandomNormalLike", [zeros(g, out)])


@op("rand_like", "rand")
def rand_like(g, out, x, *args, **_):
    return g.add("RandomUniformLike", [x if isinstance(x, Tensor) else zeros(g, out)])


# Layers.


def _windows(kernel, stride, padding, dilation, n):
    stride = kernel if stride is None or stride == [] or stride == () else stride
    return _list(kernel, n), _list(stride, n), _list(padding, n), _list(dilation, n)


@op("conv1d", "conv2d", "conv3d")
def conv(g, out, input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    n = weight.ndim - 2
    name = g.of(input)
    if input.ndim == n + 1:
        name = g.add("Unsqueeze", [name, g.ints([0])])
    more = {"auto_pad": "SAME_UPPER"} if padding == "same" else {"pads": [0] * (2 * n) if padding == "valid" else _list(padding, n) * 2}
    if padding == "same" and any(d != 1 for d in _list(dilation, n)):
        total = [d * (k - 1) for d, k in zip(_list(dilation, n), weight.shape[2:])]
        more = {"pads": [t // 2 for t in total] + [t - t // 2 for t in total]}
    made = g.add("Conv", [name, weight, bias], kernel_shape=list(weight.shape[2:]), strides=_list(stride, n), dilations=_list(dilation, n),
                 group=groups, **more)
    return made if input.ndim == n + 2 else g.add("Squeeze", [made, g.ints([0])])


@op("conv_transpose1d", "conv_transpose2d", "conv_transpose3d")
def conv_transpose(g, out, input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    n = weight.ndim - 2
    return g.add("ConvTranspose", [input, weight, bias], kernel_shape=list(weight.shape[2:]), strides=_list(stride, n), pads=_list(padding, n) * 2,
                 dilations=_list(dilation, n), output_padding=_list(output_padding, n), group=groups)


@op()
def batch_norm(g, out, input, running_mean=None, running_var=None, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5, *_):
    if training or running_mean is None:
        raise Unsupported("torch.onnx.export: batch_norm in training mode is not translated; call model.eval() first")

    def filled(t, value):
        return _C.ops["full"](list(running_mean.shape), value, dtype=running_mean.dtype) if t is None else t

    return g.add("BatchNormalization", [input, filled(weight, 1.0), filled(bias, 0.0), running_mean, running_var], epsilon=float(eps))


@op("layer_norm", "native_layer_norm")
def layer_norm(g, out, input, normalized_shape, weight=None, bias=None, eps=1e-5, *_):
    weight = _C.ops["ones"](list(normalized_shape), dtype=input.dtype) if weight is None else weight
    return g.add("LayerNormalization", [input, weight, bias], axis=-len(normalized_shape), epsilon=float(eps))


@op()
def rms_norm(g, out, input, normalized_shape, weight=None, eps=None):
    eps = _C.ops["scalar_tensor"](0.0).new_ones(()).item() * 1.1920928955078125e-07 if eps is None else eps
    dims = list(range(input.ndim - len(normalized_shape), input.ndim))
    mean = _reduce(g, "ReduceMean", g.add("Mul", [input, input]), dims, True, input.ndim)
    made = g.add("Div", [input, g.add("Sqrt", [g.add("Add", [mean, g.of(eps, input)])])])
    return made if weight is None else g.add("Mul", [made, weight])


def _per_channel(g, made, weight, bias, rank):
    shape = g.ints([-1] + [1] * (rank - 2))
    if weight is not None:
        made = g.add("Mul", [made, g.add("Reshape", [weight, shape])])
    return made if bias is None else g.add("Add", [made, g.add("Reshape", [bias, shape])])


@op()
def instance_norm(g, out, input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-5, *_):
    if not use_input_stats:
        return batch_norm(g, out, input, running_mean, running_var, weight, bias, False, momentum, eps)
    channels = input.shape[1]
    one, zero = (_C.ops["full"]([channels], v, dtype=input.dtype) for v in (1.0, 0.0))
    return g.add("InstanceNormalization", [input, one if weight is None else weight, zero if bias is None else bias], epsilon=float(eps))


@op()
def group_norm(g, out, input, num_groups, weight=None, bias=None, eps=1e-5, *_):
    sizes = g.sizes(input)
    one, zero = (_C.ops["full"]([num_groups], v, dtype=input.dtype) for v in (1.0, 0.0))
    grouped = g.reshape(input, [sizes[0], num_groups, -1] if not isinstance(sizes[0], Size) else [0, num_groups, -1])
    made = g.add("InstanceNormalization", [grouped, one, zero], epsilon=float(eps))
    return _per_channel(g, g.reshape(made, sizes), weight, bias, input.ndim)


def _max_pool(n):
    def pool(g, out, input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False, **_):
        kernel, stride, padding, dilation = _windows(kernel_size, stride, padding, dilation, n)
        return g.add("MaxPool", [input], kernel_shape=kernel, strides=stride, pads=padding * 2, dilations=dilation, ceil_mode=int(ceil_mode))

    return pool


def _avg_pool(n):
    def pool(g, out, input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None, **_):
        if divisor_override:
            raise Unsupported("torch.onnx.export: avg_pool with divisor_override is not translated")
        kernel, stride, padding, _ = _windows(kernel_size, stride, padding, 1, n)
        return g.add("AveragePool", [input], kernel_shape=kernel, strides=stride, pads=padding * 2, ceil_mode=int(ceil_mode),
                     count_include_pad=int(count_include_pad))

    return pool


def _adaptive(kind, n):
    def pool(g, out, input, output_size, return_indices=False):
        wanted, have = list(out.shape[-n:]), g.sizes(input)[-n:]
        if all(w == 1 for w in wanted):
            return g.add(f"Global{kind}", [input])
        if _changes(have) or any(h % w for h, w in zip(have, wanted)):
            raise Unsupported("torch.onnx.export: adaptive pooling is translated to sizes that divide those of the input")
        kernel = [h // w for h, w in zip(have, wanted)]
        return g.add(kind, [input], kernel_shape=kernel, strides=kernel)

    return pool


for _n in (1, 2, 3):
    _HANDLERS[f"max_pool{_n}d"] = _max_pool(_n)
    _HANDLERS[f"avg_pool{_n}d"] = _avg_pool(_n)
    _HANDLERS[f"adaptive_avg_pool{_n}d"] = _adaptive("AveragePool", _n)
    _HANDLERS[f"adaptive_max_pool{_n}d"] = _adaptive("MaxPool", _n)


@op()
def embedding(g, out, input, weight, *args, **_):
    return g.add("Gather", [weight, input], axis=0)


@op()
def interpolate(g, out, input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None, antialias=False):
    word = {"nearest": "nearest", "bilinear": "linear", "linear": "linear", "trilinear": "linear", "bicubic": "cubic"}.get(mode)
    if word is None or antialias:
        raise Unsupported(f"torch.onnx.export: interpolate with mode={mode!r} is not translated")
    how = "align_corners" if align_corners else "asymmetric" if word == "nearest" else "pytorch_half_pixel"
    scales = None
    if size is None and scale_factor is not None and not recompute_scale_factor:
        scales = _C._tensor([1.0, 1.0, *map(float, _list(scale_factor, input.ndim - 2))] if isinstance(scale_factor, (tuple, list)) else
                            [1.0, 1.0] + [float(scale_factor)] * (input.ndim - 2), _C.float32)
    more = {"nearest_mode": "floor"} if word == "nearest" else {"cubic_coeff_a": -0.75} if word == "cubic" else {}
    if scales is not None:
        return g.add("Resize", [input, "", scales], mode=word, coordinate_transformation_mode=how, **more)
    return g.add("Resize", [input, "", "", g.ints(g.sizes(out))], mode=word, coordinate_transformation_mode=how, **more)


@op()
def pixel_shuffle(g, out, x, upscale_factor):
    return g.add("DepthToSpace", [x], blocksize=upscale_factor, mode="CRD")


def _attention(g, query, key, value, mask, dtype, scale):
    """softmax(query key^T scale + mask) value"""
    turned_key = g.add("Transpose", [key[0]], perm=[*range(key[1] - 2), key[1] - 1, key[1] - 2])
    scores = g.add("Mul", [g.add("MatMul", [query, turned_key]), g.of(scale, dtype)])
    if mask is not None:
        scores = g.add("Add", [scores, mask])
    weights = g.add("Softmax", [scores], axis=-1)
    return g.add("MatMul", [weights, value]), weights


def _additive(g, mask, dtype):
    """A mask as numbers to be added: a bool one hides where it is False."""
    if mask.dtype is not _C.bool:
        return g.typed(mask, dtype)
    return g.add("Where", [mask, g.of(0.0, dtype), g.of(-math.inf, dtype)])


def _causal(g, rows, columns, dtype):
    seen = g.add("Trilu", [g.add("Expand", [g.of(1, _C.int64), g.ints([rows, columns])]), g.of(0, _C.int64)], upper=0)
    return g.add("Where", [g.cast(seen, _C.bool), g.of(0.0, dtype), g.of(-math.inf, dtype)])


@op()
def scaled_dot_product_attention(g, out, query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    if enable_gqa:
        raise Unsupported("torch.onnx.export: attention with enable_gqa is not translated")
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    mask = None if attn_mask is None else _additive(g, attn_mask, query.dtype)
    if is_causal:
        mask = _causal(g, g.sizes(query)[-2], g.sizes(key)[-2], query.dtype)
    return _attention(g, g.of(query), (g.of(key), key.ndim), g.of(value), mask, query.dtype, scale)[0]


@op()
def multi_head_attention_forward(g, out, query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k, bias_v, add_zero_attn,
                                 dropout_p, out_proj_weight, out_proj_bias, training=True, key_padding_mask=None, need_weights=True, attn_mask=None,
                                 use_separate_proj_weight=False, q_proj_weight=None, k_proj_weight=None, v_proj_weight=None, static_k=None, static_v=None,
                                 average_attn_weights=True, is_causal=False):
    if bias_k is not None or add_zero_attn or static_k is not None or query.ndim != 3 or (training and dropout_p):
        raise Unsupported("torch.onnx.export: attention with bias_k, add_zero_attn, dropout or without batches is not translated")
    dtype, width = query.dtype, embed_dim_to_check
    weights = [q_proj_weight, k_proj_weight, v_proj_weight] if use_separate_proj_weight else list(in_proj_weight.detach().chunk(3))
    biases = [None] * 3 if in_proj_bias is None else list(in_proj_bias.detach().chunk(3))
    g.keep.extend(t for t in (*weights, *biases) if t is not None)
    (length, batch), source = g.sizes(query)[:2], g.sizes(key)[0]

    def heads(x, weight, bias, n):  # (length, batch, width) -> (batch, heads, length, width / heads)
        made = g.add("MatMul", [x, _turned(g, weight)])
        made = made if bias is None else g.add("Add", [made, bias])
        made = g.add("Reshape", [made, g.ints([n, 0 if isinstance(batch, Size) else batch, num_heads, width // num_heads])]) \
            if not isinstance(n, Size) else g.add("Reshape", [made, g.ints([0, 0, num_heads, width // num_heads])])
        return g.add("Transpose", [made], perm=[1, 2, 0, 3])

    q, k, v = (heads(x, w, b, n) for x, w, b, n in zip((query, key, value), weights, biases, (length, source, source)))
    mask = None
    if attn_mask is not None:  # here True hides
        mask = g.add("Where", [attn_mask, g.of(-math.inf, dtype), g.of(0.0, dtype)]) if attn_mask.dtype is _C.bool else g.typed(attn_mask, dtype)
        if attn_mask.ndim == 3:
            mask = g.add("Reshape", [mask, g.ints([-1, num_heads, *attn_mask.shape[1:]])])
    if key_padding_mask is not None:
        hidden = g.add("Where", [key_padding_mask, g.of(-math.inf, dtype), g.of(0.0, dtype)]) if key_padding_mask.dtype is _C.bool \
            else g.typed(key_padding_mask, dtype)
        hidden = g.add("Unsqueeze", [hidden, g.ints([1, 2])])
        mask = hidden if mask is None else g.add("Add", [mask, hidden])
    made, attended = _attention(g, q, (k, 4), v, mask, dtype, 1 / math.sqrt(width // num_heads))
    made = g.add("Transpose", [made], perm=[2, 0, 1, 3])
    made = g.add("Reshape", [made, g.ints([0, 0, width])])
    made = g.add("MatMul", [made, _turned(g, out_proj_weight)])
    made = made if out_proj_bias is None else g.add("Add", [made, out_proj_bias])
    if not need_weights:
        return [made]
    return [made, _reduce(g, "ReduceMean", attended, [1], False, 4) if average_attn_weights else attended]


def _gates(w, kind):
    """PyTorch's order of gates in ONNX's: i f g o -> i o f c, r z n -> z r h."""
    parts = list(w.detach().chunk({"LSTM": 4, "GRU": 3}.get(kind, 1)))
    order = {"LSTM": (0, 3, 1, 2), "GRU": (1, 0, 2)}.get(kind, (0,))
    return _C.ops["cat"]([parts[i] for i in order])


@op("_recurrent")
def recurrent(g, out, mode, input, batch_sizes, sorted_indices, unsorted_indices, hx, weights, input_size, hidden_size, proj_size, bias, num_layers,
              dropout, training, bidirectional, batch_first, *rest):
    if batch_sizes is not None or proj_size or input.ndim != 3:
        raise Unsupported("torch.onnx.export: recurrent layers are translated without packing, projection, and with batches")
    kind = "LSTM" if mode == "LSTM" else "GRU" if mode == "GRU" else "RNN"
    per, ways = 4 if bias else 2, 2 if bidirectional else 1
    name = g.add("Transpose", [input], perm=[1, 0, 2]) if batch_first else g.of(input)
    states = [list(h) for h in ([] if not hx else [[t] for t in hx])]
    lasts = [[] for _ in range(2 if kind == "LSTM" else 1)]
    for layer in range(num_layers):
        groups = [weights[(layer * ways + w) * per:(layer * ways + w + 1) * per] for w in range(ways)]
        W = _C.ops["stack"]([_gates(p[0], kind) for p in groups])
        R = _C.ops["stack"]([_gates(p[1], kind) for p in groups])
        B = _C.ops["stack"]([_C.ops["cat"]([_gates(p[2], kind), _gates(p[3], kind)]) for p in groups]) if bias else None
        g.keep.extend(t for t in (W, R, B) if t is not None)
        begin = [_slices(g, s[0], [(0, layer * ways, (layer + 1) * ways, 1)]) for s in states]
        more = {"linear_before_reset": 1} if kind == "GRU" else {"activations": ["Relu" if mode.endswith("RELU") else "Tanh"] * ways} if kind == "RNN" else {}
        made = g.add(kind, [name, W, R, B, "", *begin], 3 if kind == "LSTM" else 2, hidden_size=hidden_size,
                     direction="bidirectional" if bidirectional else "forward", **more)
        # (length, ways, batch, hidden) -> (length, batch, ways * hidden)
        name = g.add("Squeeze", [made[0], g.ints([1])]) if ways == 1 else \
            g.add("Reshape", [g.add("Transpose", [made[0]], perm=[0, 2, 1, 3]), g.ints([0, 0, ways * hidden_size])])
        for kept, last in zip(lasts, made[1:]):
            kept.append(last)
    name = g.add("Transpose", [name], perm=[1, 0, 2]) if batch_first else name
    return [name, *(kept[0] if len(kept) == 1 else g.add("Concat", kept, axis=0) for kept in lasts)]


@op("_recurrent_cell")
def recurrent_cell(g, out, mode, input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    def state(k):
        return hx[k] if len(hx) > k else zeros(g, out if isinstance(out, Tensor) else out[k])

    h = state(0)
    a, b = ([g.add("MatMul", [x, _turned(g, w)])] for x, w in ((input, w_ih), (h, w_hh)))
    a, b = (made[0] if bias is None else g.add("Add", [made[0], bias]) for made, bias in ((a, b_ih), (b, b_hh)))
    if mode == "LSTM":
        i, f, c, o = g.add("Split", [g.add("Add", [a, b]), g.ints([w_hh.shape[1]] * 4)], 4, axis=-1)
        cell = g.add("Add", [g.add("Mul", [g.add("Sigmoid", [f]), state(1)]), g.add("Mul", [g.add("Sigmoid", [i]), g.add("Tanh", [c])])])
        return [g.add("Mul", [g.add("Sigmoid", [o]), g.add("Tanh", [cell])]), cell]
    if mode == "GRU":
        (ar, az, an), (br, bz, bn) = (g.add("Split", [x, g.ints([w_hh.shape[1]] * 3)], 3, axis=-1) for x in (a, b))
        r, z = g.add("Sigmoid", [g.add("Add", [ar, br])]), g.add("Sigmoid", [g.add("Add", [az, bz])])
        n = g.add("Tanh", [g.add("Add", [an, g.add("Mul", [r, bn])])])
        return [g.add("Add", [n, g.add("Mul", [z, g.add("Sub", [h, n])])])]
    return [g.add("Relu" if mode.endswith("RELU") else "Tanh", [g.add("Add", [a, b])])]
