"""Counts the multiplications and additions of the ops that have most of them: products, convolutions, attention."""

import math
from collections import defaultdict

from .._C import Tensor
from ._python_dispatch import TorchDispatchMode

__all__ = ["FlopCounterMode", "register_flop_formula"]


def mm_flop(a, b, *_, **__):
    """2 m n k"""
    return 2 * a[0] * a[1] * b[1]


def addmm_flop(_, a, b, *__, **___):
    """That of the product."""
    return mm_flop(a, b)


def bmm_flop(a, b, *_, **__):
    """2 batch m n k"""
    return 2 * a[0] * a[1] * a[2] * b[2]


def baddbmm_flop(_, a, b, *__, **___):
    """That of the product."""
    return bmm_flop(a, b)


def conv_flop_count(x_shape, w_shape, out_shape, transposed=False):
    """2 for each weight at each place."""
    return x_shape[0] * math.prod((x_shape if transposed else out_shape)[2:]) * math.prod(w_shape) * 2


def conv_flop(x, w, _bias, _stride, _padding, _dilation, transposed, *_, out_shape=None, **__):
    """2 for each weight at each place."""
    return conv_flop_count(x, w, out_shape, transposed)


def sdpa_flop_count(query, key, value):
    """Of the two products."""
    batch, heads, rows, width = query
    columns, made = key[-2], value[-1]
    return 2 * batch * heads * rows * columns * (width + made)


def sdpa_flop(query, key, value, *_, **__):
    """Of the two products."""
    return sdpa_flop_count(query, key, value)


_SHAPES = {"mm": mm_flop, "addmm": addmm_flop, "bmm": bmm_flop, "baddbmm": baddbmm_flop, "convolution": conv_flop, "_convolution": conv_flop,
           "scaled_dot_product_attention": sdpa_flop, "_scaled_dot_product_flash_attention_for_cpu": sdpa_flop}
flop_registry = {}


def _shape(x):
    return x.shape if isinstance(x, Tensor) else x


def register_flop_formula(targets, get_raw=False):
    """Gives ops a formula: of shapes, or with get_raw of the arguments themselves."""

    def keep(f):
        for target in targets if isinstance(targets, (list, tuple)) else [targets]:
            flop_registry[target] = f if get_raw else lambda *args, f=f, **kwargs: f(*map(_shape, args), **{k: _shape(v) for k, v in kwargs.items()})
        return f

    return keep


class FlopCounterMode:
    """Counts within it, for all and for each module that is called."""

    def __init__(self, mods=None, depth=2, display=True, custom_mapping=None):
        self.depth, self.display = depth, display
        self.flop_counts = defaultdict(lambda: defaultdict(int))
        self._custom, self._mode, self._hooks, self._parents = dict(custom_mapping or {}), None, [], ["Global"]

    def get_total_flops(self):
        """Of all."""
        return sum(self.flop_counts["Global"].values())

    def get_flop_counts(self):
        """{module: {op: count}}"""
        return {k: dict(v) for k, v in self.flop_counts.items()}

    def get_table(self, depth=None):
        """The counts of modules, as text."""
        depth = self.depth if depth is None else depth
        total = max(self.get_total_flops(), 1)
        lines = [("Module", "FLOP", "% Total")]
        for module, counts in self.flop_counts.items():
            level = 0 if module == "Global" else module.count(".") + 1
            if level <= depth:
                n = sum(counts.values())
                lines.append((" " * level + module, str(n), f"{100 * n / total:.2f}%"))
                lines += [(" " * (level + 1) + f"- {op}", str(c), f"{100 * c / total:.2f}%") for op, c in counts.items()]
        widths = [max(len(line[i]) for line in lines) for i in range(3)]
        text = ["  ".join((cell.ljust(w), cell.rjust(w))[i > 0] for i, (cell, w) in enumerate(zip(line, widths))) for line in lines]
        return "\n".join([text[0], "  ".join("-" * w for w in widths), *text[1:]])

    def _count(self, func, args, kwargs, out):
        packet = getattr(func, "overloadpacket", func)
        formula = self._custom.get(packet) or flop_registry.get(packet) or flop_registry.get(func)
        if formula is not None:
            n = formula(*args, **kwargs, out_val=out)
        else:
            name = func.name().rpartition("::")[2].partition(".")[0]
            if name not in _SHAPES:
                return
            more = {"out_shape": out.shape} if "convolution" in name else {}
            n = _SHAPES[name](*map(_shape, args), **{k: _shape(v) for k, v in kwargs.items()}, **more)
        for parent in set(self._parents):
            self.flop_counts[parent][packet] += n

    def __enter__(self):
        from ..nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook

        counter = self
        self.flop_counts.clear()
        names = {}

        def enter(module, args):
            if not names or id(module) not in names:
                names.update({id(m): f"{type(module).__name__}{'.' if n else ''}{n}" for n, m in module.named_modules() if id(m) not in names})
            counter._parents.append(names[id(module)])

        def leave(module, args, out):
            counter._parents.pop()

        class Count(TorchDispatchMode):
            def __torch_dispatch__(self, func, types, args=(), kwargs=None):
                out = func(*args, **(kwargs or {}))
                counter._count(func, args, kwargs or {}, out)
                return out

        self._hooks = [register_module_forward_pre_hook(enter), register_module_forward_hook(leave, always_call=True)]
        self._mode = Count()
        self._mode.__enter__()
        return self

    def __exit__(self, *_):
        self._mode.__exit__(None, None, None)
        for hook in self._hooks:
            hook.remove()
        self._parents = ["Global"]
        if self.display:
            print(self.get_table())


for _thing in (FlopCounterMode, register_flop_formula):
    _thing.__module__ = "torch.utils.flop_counter"
del _thing
