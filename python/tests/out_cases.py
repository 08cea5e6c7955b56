"""Calls with `out=`: destinations of every kind, and how each fares. tools/golden_out.py runs this file on PyTorch."""

import warnings

import taut as torch
from samples import Call

DTYPES = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "i64": torch.int64, "i32": torch.int32,
          "u8": torch.uint8, "bool": torch.bool}


def function_of(module, name):
    """The public function of that name."""
    if name.startswith("linalg_"):
        return getattr(module.linalg, name[len("linalg_"):], None)
    if name.startswith("fft_"):
        return getattr(module.fft, name[len("fft_"):], None)
    if name.startswith("special_"):
        return getattr(module.special, name[len("special_"):], None)
    spaces = [module, getattr(module._C, "_nn", None), module.nn.functional, module.special, module.linalg]
    return next((getattr(space, name) for space in spaces if hasattr(space, name)), None)


def flat(result):
    return [r for item in result for r in flat(item)] if isinstance(result, (tuple, list)) else [result]


def plain(f, text):
    """The results without out."""
    call = Call(text, torch.float32)
    results = flat(f(*call.args, **call.kwargs))
    if not results or not all(isinstance(r, torch.Tensor) for r in results):
        raise TypeError("no tensors")
    return [r.clone() for r in results]


def same(got, want):
    want = want.to(got.dtype)
    return got.shape == want.shape and bool(((got == want) | ((got != got) & (want != want))).all())


def outcome(f, call, outs, want):
    """(how the call fared, did a call that failed change a destination?)"""
    before = [(o.detach().clone(), o.stride()) for o in outs]
    out = outs[0] if len(outs) == 1 else tuple(outs)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = f(*call.args, **call.kwargs, out=out)
    except (TypeError, RuntimeError, ValueError, IndexError, NotImplementedError) as e:
        if "keyword" in str(e) or "invalid combination" in str(e):
            return "no", False
        return "error", not all(same(o.detach(), b) and o.stride() == s for o, (b, s) in zip(outs, before))
    if any(a is not b for a, b in zip(flat(result), outs)):
        return "another", False
    if not all(same(o.detach(), w) for o, w in zip(outs, want)):
        return "garbage", False
    if all(o.shape == b.shape for o, (b, _) in zip(outs, before)):
        return ("ok" if all(o.stride() == s for o, (_, s) in zip(outs, before)) else "restrided"), False
    return ("resized" if any("was resized" in str(w.message) for w in caught) else "grown"), False


def filled(shape, dtype):
    return torch.full(tuple(shape), 1, dtype=dtype)


def spread(t, step):
    """A destination like t whose elements lie apart, or in the other order."""
    if step:
        return torch.ones(*t.shape[:-1], 2 * t.shape[-1], dtype=t.dtype)[..., ::2]
    return torch.ones(*reversed(t.shape), dtype=t.dtype).permute(*reversed(range(t.dim())))


def tensors(value):
    """The tensors of arguments, with a way to put another one in each place."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        if isinstance(item, torch.Tensor):
            yield item, lambda t, key=key: value.__setitem__(key, t)
        elif isinstance(item, list):
            yield from tensors(item)


def destinations(f, text):
    """(kind, call, destinations) for every kind that makes sense here."""
    want = plain(f, text)
    first = want[0]

    def usual(k=0, to=None):
        return [to if i == k and to is not None else filled(w.shape, w.dtype) for i, w in enumerate(want)]

    def fresh():
        return Call(text, torch.float32)

    yield "right", fresh(), usual()
    for i, w in enumerate(want[:2]):
        for name, dtype in DTYPES.items():
            if dtype is not w.dtype:
                yield name if i == 0 else f"second_{name}", fresh(), usual(i, filled(w.shape, dtype))
    yield "larger", fresh(), usual(0, filled((2, *first.shape), first.dtype))
    yield "smaller", fresh(), usual(0, filled((1, 1) if first.shape == (1,) else (1,), first.dtype))
    if first.shape != (0,):
        yield "empty", fresh(), usual(0, filled((0,), first.dtype))
    if first.dim() and first.numel() > 1:
        yield "apart", fresh(), usual(0, spread(first, True))
        yield "expanded", fresh(), usual(0, filled((1,) * first.dim(), first.dtype).expand(first.shape))
    if first.dim() > 1 and first.numel() > 1:
        yield "turned", fresh(), usual(0, spread(first, False))
    count = len(list(tensors(fresh().args)))
    for k in range(count):
        call = fresh()
        arg, put = list(tensors(call.args))[k]
        if arg.dtype is not first.dtype or first.numel() == 0:
            continue
        if arg.shape == first.shape:
            yield f"self{k}", call, usual(0, arg)
            if arg.numel() > 1:
                call = fresh()
                arg, put = list(tensors(call.args))[k]
                base = torch.cat([arg.flatten(), arg.flatten()[:1]])
                put(base[:-1].view(arg.shape))
                yield f"overlap{k}", call, usual(0, base[1:].view(arg.shape))
        elif arg.numel() > first.numel():
            yield f"inside{k}", call, usual(0, arg.flatten()[: first.numel()].view(first.shape))
    if first.is_floating_point():
        yield "requires_grad", fresh(), usual(0, filled(first.shape, first.dtype).requires_grad_())
    call = fresh()
    floats = [t for t, _ in tensors(call.args) if t.is_floating_point()]
    for t in floats:
        t.requires_grad_()
    if floats:
        yield "input_grad", call, usual()


def cases(f, text):
    """(kind, outcome, changed) of every destination; nothing for an op without out."""
    want = plain(f, text)
    found = []
    for kind, call, outs in destinations(f, text):
        result, changed = outcome(f, call, outs, want)
        if result == "no" and kind == "right":
            return []
        found.append((kind, result, changed))
    return found
