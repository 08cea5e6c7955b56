"""Every op, called from Python with every sample of the registry, gives what PyTorch gave."""

import collections
import itertools
import re
import warnings

import pytest
import taut as torch
from samples import DTYPES, Call, golden_cases, number, shaped
from taut import _C

# Whether the numbers are as good as rounding allows is judged in tests/sweep_values_test.cpp; this is about the calls.
TOLERANCE = {torch.float64: 2e-9, torch.float32: 3e-5, torch.float16: 4e-3, torch.bfloat16: 3e-2}


# PyTorch's slope of hardsigmoid is 1/6 rounded to float32; its gradient of as_strided_scatter is that of what was overwritten.
OTHER_GRADIENT = {"hardsigmoid", "as_strided_scatter"}


def flat(result):
    if isinstance(result, (tuple, list)):
        return [r for item in result for r in flat(item)]
    return [result]


def compare(got, text, where):
    if text == "none":
        return  # no gradient, or zeros
    if text.startswith("="):
        shown = str(got)[6:] if isinstance(got, torch.dtype) else str(int(got)) if isinstance(got, bool) else repr(got)
        assert shown == text[1:], where
        return
    head, _, numbers = text.partition(":")
    dtype, _, sizes = head.partition("[")
    assert str(got.dtype) == f"torch.{dtype}", where
    assert list(got.shape) == [int(s) for s in sizes[:-1].split(",") if s], where
    wanted = torch.tensor([float(v) for v in numbers.split(",") if v], dtype=torch.float64)
    if got.layout is not torch.strided:
        got = got.to_dense()
    if got.is_complex():
        got = torch.view_as_real(got.detach().resolve_conj())
    tolerance = TOLERANCE.get(got.dtype, 0)
    got = got.detach().double().reshape(-1)
    assert got.isclose(wanted, rtol=tolerance, atol=tolerance, equal_nan=True).all(), f"{where}: {got} instead of {wanted}"


def evaluate(name, call):
    torch.manual_seed(0)
    args = list(call.args)
    if name.endswith("_"):
        args[0] = args[0].clone()
    if name == "index":  # with slices among the indices, which only brackets take
        return [args[0][tuple(args[1])]]
    if name == "index_put" and any(isinstance(i, slice) for i in args[1]):
        changed = args[0].clone()
        changed[tuple(args[1])] = args[2]
        return [changed]
    return flat(_C.ops[name](*args, **call.kwargs))


@pytest.mark.parametrize("name,cases", [(op, list(group)) for op, group in
                                        itertools.groupby(golden_cases(), key=lambda c: c[0])], ids=lambda v: v if isinstance(v, str) else "")
def test_values_and_gradients_are_pytorchs(name, cases):
    plain = name.partition(".")[0]
    for _, text, wanted in cases:
        where = f"{name}({text})"
        for kind, dtype in DTYPES.items():
            if kind not in wanted or wanted[kind] == "unsupported":
                continue
            call = Call(text, dtype)
            if wanted[kind] == "error":
                with pytest.raises((RuntimeError, ValueError, IndexError, TypeError, NotImplementedError)):
                    evaluate(plain, call)
                continue
            results = evaluate(plain, call)
            for got, text_of_one in zip(results, wanted[kind].split(" ")):
                compare(got, text_of_one, f"{where} {kind}")
            if kind == "f64" and "grad" in wanted and name not in OTHER_GRADIENT:
                outputs = [(k, r) for k, r in enumerate(results) if isinstance(r, torch.Tensor) and r.requires_grad]
                seeds = [shaped([number("t", 100 + k, e) / 1e6 for e in range(r.numel() * (2 if r.is_complex() else 1))], r.shape, r.dtype)
                         for k, r in outputs]
                grads = torch.autograd.grad([r for _, r in outputs], call.leaves, seeds, allow_unused=True)
                for got, text_of_one in zip(grads, wanted["grad"].split(" ")):
                    if got is not None:
                        compare(got, text_of_one, f"{where} gradient")


def test_every_op_has_a_golden_case_or_needs_none():
    seen = {op.partition(".")[0] for op, _, _ in golden_cases()}
    drawn = {"rand", "randn", "bernoulli", "normal", "exponential", "geometric", "uniform", "random", "cauchy", "log_normal", "empty",
             "new_empty"}
    missing = {n for n in NAMES if n not in seen and n.rstrip("_") not in seen and n.rstrip("_") not in drawn}
    assert not {n for n in missing if "_like" not in n and "strided" not in n}, missing


NAMES = [n for n, op in _C.ops.items() if op._row == n]  # without second names
VIEWS = {"t_", "transpose_", "swapaxes_", "swapdims_", "squeeze_", "unsqueeze_", "as_strided_"}


@pytest.mark.parametrize("name", sorted(n for n in NAMES if n.endswith("_") and n[:-1] in _C.ops and n not in VIEWS
                                        and "dropout" not in n and n not in ("bernoulli_", "rrelu_", "normal_", "igamma_", "igammac_")))
def test_in_place_twins_give_the_same_and_are_recorded(name):
    checked = 0
    for op, text, wanted in golden_cases():
        if op.partition(".")[0] != name[:-1] or wanted.get("f64") in ("error", "unsupported"):
            continue
        call = Call(text, torch.float64)
        if not call.args or not isinstance(call.args[0], torch.Tensor):
            continue
        try:
            result = _C.ops[name[:-1]](*call.args, **call.kwargs)
        except TypeError:
            continue
        if result.shape != call.args[0].shape or result.dtype != call.args[0].dtype:
            continue
        copy = call.args[0].clone()
        returned = _C.ops[name](copy, *call.args[1:], **call.kwargs)
        assert returned is copy and copy.isclose(result, equal_nan=True).all(), f"{name}({text})"
        assert copy.requires_grad == (result.requires_grad or copy.is_leaf is False), f"{name}({text})"
        checked += 1
    assert checked


@pytest.mark.parametrize("name", ["add", "sub", "mul", "div", "matmul"])
def test_an_op_of_two_tensors_equals_its_boxed_twin(name):
    a, b = torch.arange(9.0).reshape(3, 3) - 4, torch.arange(9.0).reshape(3, 3).t() + 1
    op, c = getattr(torch, name), a.clone().requires_grad_()
    boxed = op(a, other=b)
    for other in (op(a, b), getattr(a, name)(b), op(c, b).detach()):
        assert torch.equal(boxed, other)
    assert op(c, b).grad_fn.name() == op(c, other=b).grad_fn.name()
    with pytest.raises(TypeError):
        op(a, b, b, b)


def parameters(schema):
    """The names of an op's positional arguments."""
    text = schema[schema.index("(") + 1:schema.rindex(") ->")]
    parts = re.sub(r"\[[^]]*\]", "", text).split(", ")
    return [p.partition("=")[0].rpartition(" ")[2] for p in parts[:parts.index("*") if "*" in parts else None] if p]


def all_forms(name, schema, call):
    """The same call: with every argument by name, as a method, with numbers as 0-d tensors and numpy's, lists as tuples and sizes."""
    names = parameters(schema)
    named = dict(zip(names, call.args), **call.kwargs)
    shown = {"input" if k == "self" else k: v for k, v in named.items()}
    yield "by name", lambda: _C.ops[name](**shown)
    if "(Tensor self" in schema and hasattr(torch.Tensor, name) and name not in OWN_METHODS:
        first, *rest = call.args
        yield "as a method", lambda: getattr(first, name)(*rest, **call.kwargs)
        yield "as a method, by name", lambda: getattr(first, name)(**{k: v for k, v in named.items() if k != "self"})
    for what, change in CHANGES.items():
        changed = [change(a) for a in call.args]
        if what == "0-d tensors" and OVERLOADS[name] > 1:
            continue  # tensors may mean another overload
        if any(a is not b for a, b in zip(changed, call.args)):
            yield what, lambda changed=changed: _C.ops[name](*changed, **call.kwargs)


def of_numpy(v):
    numpy = pytest.importorskip("numpy")
    return numpy.int64(v) if type(v) is int else numpy.float64(v) if type(v) is float else v


CHANGES = {
    "numbers of numpy": of_numpy,
    "0-d tensors": lambda v: torch.tensor(v) if type(v) is int else torch.tensor(v, dtype=torch.float64) if type(v) is float else v,
    "bools as tensors": lambda v: torch.tensor(v) if type(v) is bool else v,
    "tuples": lambda v: tuple(v) if type(v) is list else v,
    "sizes": lambda v: torch.Size(v) if type(v) is list and v and all(type(e) is int for e in v) else v,
    "lists of numpy's": lambda v: [of_numpy(e) for e in v] if type(v) is list and v and all(type(e) is int for e in v) else v,
}
OWN_METHODS = {"index", "index_put", "nonzero", "norm", "split", "unique_consecutive", "where", "result_type", "mT", "real", "imag"}
OVERLOADS = collections.Counter(re.match(r"\w+", s)[0] for s in _C._schemas())
CASES = {op: list(group) for op, group in itertools.groupby(sorted(golden_cases(), key=lambda c: c[0]), key=lambda c: c[0])}


@pytest.mark.parametrize("schema", _C._schemas(), ids=lambda s: s.partition("(")[0])
def test_an_op_takes_its_arguments_in_every_form(schema):
    full = schema.partition("(")[0]
    name = full.partition(".")[0]
    for _, text, wanted in CASES.get(full, []):
        if wanted.get("f64") in (None, "error", "unsupported") or name.startswith("index") or name.endswith("_"):
            continue
        call = Call(text, torch.float64)
        plain = evaluate(name, call)
        for what, form in all_forms(name, schema, Call(text, torch.float64)):
            torch.manual_seed(0)
            for a, b in zip(plain, flat(form())):
                if isinstance(a, torch.Tensor) and a.layout is not torch.strided:
                    a, b = a.to_dense(), b.to_dense()
                same = a.equal(b) or a.isclose(b, equal_nan=True).all() if isinstance(a, torch.Tensor) else a == b
                assert same, f"{full}({text}), {what}"


def test_old_signatures_warn():
    x = torch.ones(2)
    with pytest.warns(UserWarning, match=r"This overload of add_ is deprecated[^$]*add_\(Tensor self, Tensor other, \*, Scalar alpha=1\)"):
        x.add_(2, x)
    assert x.tolist() == [3, 3]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning):
            torch.addcmul(x, 2, x, x)
        torch.add(x, x, alpha=2), torch.addmm(torch.ones(2, 2), torch.ones(2, 2), torch.ones(2, 2), beta=2)


OUTPUTS = {
    "fits": lambda x, y: torch.empty(4, 5),
    "another shape": lambda x, y: torch.empty(0),
    "another layout": lambda x, y: torch.empty(5, 4).t(),
    "another dtype": lambda x, y: torch.empty(4, 5, dtype=torch.float64),
    "the first operand": lambda x, y: x,
    "the second operand": lambda x, y: y,
}


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("name", ["mul", "sub", "exp", "lerp", "addcmul", "lt", "clamp", "logaddexp", "softmax", "fmod"])
def test_out_holds_the_result_wherever_it_lies(name, output):
    x, y = torch.arange(20.0).reshape(4, 5) / 7 - 1, torch.arange(20.0).reshape(4, 5) / 9 + 0.5
    others = {"exp": [], "lerp": [y, 0.25], "addcmul": [y, x], "clamp": [0.5, 1], "softmax": [1]}.get(name, [y])
    wanted, out = getattr(torch, name)(x, *others), OUTPUTS[output](x, y)
    if output == "another dtype" and name in ("clamp", "softmax"):
        with pytest.raises(RuntimeError, match="dtype float32, but got float64"):
            getattr(torch, name)(x, *others, out=out)
        return
    version = out._version
    assert getattr(torch, name)(x, *others, out=out) is out and out._version > version
    assert out.shape == wanted.shape and out.double().isclose(wanted.double()).all()
    assert out.dtype == (torch.float64 if output == "another dtype" else torch.float32) and out.grad_fn is None


def test_out_of_overlapping_operands_and_of_tensors_with_gradients():
    x = torch.arange(8.0)
    with pytest.raises(RuntimeError, match="refer to a single memory location"):
        torch.mul(x[:-1], x[:-1], out=x[1:])
    assert x.tolist() == [0, 1, 2, 3, 4, 5, 6, 7]
    x = torch.arange(3.0)
    assert torch.add(x, torch.ones(2, 3), out=x) is x and x.tolist() == [[1, 2, 3], [1, 2, 3]]
    w = torch.ones(3, requires_grad=True)
    for call in (lambda: torch.mul(w, 2, out=torch.empty(3)), lambda: torch.mul(torch.ones(3), 2, out=w)):
        with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
            call()
    with torch.no_grad():
        assert not torch.mul(w, 2, out=torch.empty(3)).requires_grad
    with pytest.raises(RuntimeError, match="can't be cast"):
        torch.mul(torch.ones(3), 2, out=torch.empty(3, dtype=torch.int64))
    saved = torch.ones(3)
    y = (w * saved).sum()
    torch.exp(torch.ones(3), out=saved)
    with pytest.raises(RuntimeError, match="modified"):
        y.backward()
